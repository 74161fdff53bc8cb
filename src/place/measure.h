/*
 * measure: balance of one layout and movement between two, over the same keys.
 *
 * Counts are keys. Nothing here keeps memory but the two structs, freed with their own functions.
 */
#ifndef HOTSHARD_PLACE_MEASURE_H
#define HOTSHARD_PLACE_MEASURE_H

#include "place/layout.h"

/* Keys per shard of a layout, in the layout's order of shards. */
struct balance {
    uint32_t shards;
    uint32_t *ids;
    uint64_t *keys;
    uint64_t total;
    uint64_t busiest; /* keys of the fullest shard */
};

struct movement {
    uint64_t keys;
    uint64_t moved;
    uint32_t from_shards; /* how many shards gave at least one key */
    uint64_t *given;      /* per shard of the first layout, in its order */
    uint64_t *taken;      /* per shard of the second layout, in its order */
};

/* hashes[i] is layout_hash of key i. The two layouts of a movement must hash alike. */
struct balance balance_of(const struct layout *layout, const uint64_t *hashes, size_t count);
void balance_free(struct balance *b);
double balance_over_average(const struct balance *b); /* busiest / (total / shards), for display */
struct movement movement_between(const struct layout *before, const struct layout *after,
                                 const uint64_t *hashes, size_t count);
void movement_free(struct movement *m);

#endif
