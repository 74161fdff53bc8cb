/*
 * rates: what clients ask for, measured, never typed in.
 *
 * Rate at T: what clients ask in [T, T + 1 s) under the routing in force at T, before ceilings and
 * without retries, counted at the slot's owner in the directory at T. Served, refused, redirected
 * and retried are counted beside it. Measured by playing one second on a copy of the world.
 */
#ifndef HOTSHARD_ENGINE_RATES_H
#define HOTSHARD_ENGINE_RATES_H

#include "engine/world.h"

#define RATES_SHARDS_MAX 1024

struct shard_rates {
    uint64_t writes, reads; /* asked */
    uint64_t served_writes, served_reads;
    uint64_t refused_writes, refused_reads;
    uint64_t redirected, retried;
    /* Of what is asked, turned away at the routers (429 or 503): the shard never hears of it. */
    uint64_t turned_writes, turned_reads;
    uint64_t repeats; /* asked again by clients that were turned away, beyond writes and reads */
};

struct rates {
    uint32_t shards;
    struct shard_rates shard[RATES_SHARDS_MAX];
    struct shard_rates cluster; /* sums */
};

/* `scratch` has the size of w; it holds the world one second later when this returns. */
void rates_at(const struct world *w, struct world *scratch, struct rates *out);

#endif
