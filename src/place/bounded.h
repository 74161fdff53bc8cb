/*
 * bounded: consistent hashing with bounded loads, where no shard holds more than its part of
 * `factor_pct` percent of the average.
 *
 * The layout places all keys in their order (layout_owners): a key goes to the first point after
 * its hash whose shard has room, and the room of a shard of weight w is
 * ceil(factor_pct * keys * w / (100 * all weights)), in whole numbers: 1.1 * 200 / 10 is 22 here,
 * and not the 23 that binary fractions make of it. A key that comes alone has its ring's owner.
 *
 * A bounded_ring is the same for requests that end: the room grows and shrinks with the requests in
 * flight, the one that comes counted. It borrows the points and the weights.
 *
 * Source: Mirrokni, Thorup and Zadimoghaddam, "Consistent Hashing with Bounded Loads" (2016).
 */
#ifndef HOTSHARD_PLACE_BOUNDED_H
#define HOTSHARD_PLACE_BOUNDED_H

#include "place/ring.h"

#define BOUNDED_FACTOR_MAX 100000u /* percent; 100 times the number of shards never binds */

extern const struct scheme scheme_bounded_load;

uint64_t bounded_capacity(uint32_t factor_pct, uint64_t requests, uint64_t weight,
                          uint64_t weights);

struct bounded_ring {
    const struct ring_point *point; /* ascending */
    size_t count;
    const uint32_t *weight; /* of each shard; NULL: all alike */
    uint64_t weights;       /* their sum */
    uint32_t shards;
    uint32_t factor_pct;
    uint64_t *in_flight; /* of each shard */
    uint64_t total;
};

/* factor_pct from 101 to BOUNDED_FACTOR_MAX. */
struct bounded_ring *bounded_ring_new(const struct ring_point *point, size_t count,
                                      const uint32_t *weight, uint32_t shards, uint32_t factor_pct);
void bounded_ring_free(struct bounded_ring *ring); /* NULL is fine */
/* Where a request at this position goes: the shard's position in the list. */
uint32_t bounded_ring_assign(struct bounded_ring *ring, uint64_t position);
void bounded_ring_release(struct bounded_ring *ring, uint32_t index);

#endif
