/*
 * measure: balance of one layout and movement between two, over the same keys.
 *
 * What is counted is up to the caller: keys (load NULL) or a load per key. Owners are positions in
 * a layout's list of shards, as layout_owners gives them. Nothing here keeps memory but the two
 * structs, freed with their own functions.
 */
#ifndef HOTSHARD_PLACE_MEASURE_H
#define HOTSHARD_PLACE_MEASURE_H

#include "place/layout.h"

/* What each shard of a layout holds, in the layout's order of shards. */
struct balance {
    uint32_t shards;
    uint32_t *ids;
    uint64_t *amount; /* keys, or load */
    uint64_t total;
    uint64_t busiest; /* of the fullest shard */
    uint64_t idlest;
};

struct movement {
    uint64_t keys;
    uint64_t moved;
    uint64_t load, moved_load; /* equal to the two above without loads */
    uint32_t from_shards;      /* how many shards gave at least one key */
    uint32_t to_shards;        /* how many took one */
    uint64_t *given;           /* keys, per shard of the first layout, in its order */
    uint64_t *taken;           /* keys, per shard of the second layout, in its order */
};

struct balance balance_of(const struct layout *layout, const uint32_t *owner, const uint64_t *load,
                          size_t count);
/* The same where a hash decides: hashes[i] is layout_hash of key i. */
struct balance balance_of_hashes(const struct layout *layout, const uint64_t *hashes, size_t count);
void balance_free(struct balance *b);
double balance_over_average(const struct balance *b); /* busiest / (total / shards), for display */
/* Standard deviation over the mean, for display; sqrt is exact in IEEE arithmetic. */
double balance_spread(const struct balance *b);

struct movement movement_between(const struct layout *before, const uint32_t *owner_before,
                                 const struct layout *after, const uint32_t *owner_after,
                                 const uint64_t *load, size_t count);
/* The two layouts must hash alike. */
struct movement movement_of_hashes(const struct layout *before, const struct layout *after,
                                   const uint64_t *hashes, size_t count);
void movement_free(struct movement *m);

#endif
