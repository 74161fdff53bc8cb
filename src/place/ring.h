/*
 * ring: what pictures, plans and tests want to know of a layout whose owners stand on a circle.
 *
 * A ring is a sorted list of points; a key belongs to the first point that is not below it, and
 * past the last point to the first one. Several schemes are rings: `ring`, `bounded-load` and
 * `cassandra` with 64-bit positions, `ketama` with 32-bit ones, which are shown here in the upper
 * half of 64 bits so that one circle serves all. Equal positions are owned by the first of them.
 *
 * A shard of weight w has tokens * w / 100 of them, rounded, at least one. TOKENS_CHOSEN cuts the
 * longest arcs of whoever has most for its weight, so that the new shard takes a fair share and no
 * token of another moves. With k tokens it can take from k shards at most, so the busiest of many
 * stays below 1 + 1 / k of the average. It looks at every point for every token: more shards or
 * points than RING_CHOSEN_SHARDS and RING_CHOSEN_POINTS are refused.
 *
 * Sources: Karger and others (1997) for the ring; Dynamo (2007) for tokens and replica placement;
 * Cassandra's allocate_tokens_for_keyspace (CASSANDRA-7032) for the idea of choosing them.
 */
#ifndef HOTSHARD_PLACE_RING_H
#define HOTSHARD_PLACE_RING_H

#include "place/layout.h"

#define RING_CHOSEN_SHARDS 1024u
#define RING_CHOSEN_POINTS 16384u

extern const struct scheme scheme_ring;
extern const struct scheme scheme_cassandra; /* the same over signed tokens */

struct ring_point {
    uint64_t at;
    uint32_t index; /* of its shard, in the layout's list */
    uint32_t token; /* its number among the shard's tokens */
};

/* The layout's points, ascending; borrowed until it changes. NULL, with 0, when it is no ring. */
const struct ring_point *layout_ring(const struct layout *layout, size_t *count);
/* Where a hash stands on that circle, and the point that owns it. */
uint64_t layout_ring_position(const struct layout *layout, uint64_t hash);
size_t layout_ring_find(const struct layout *layout, uint64_t hash);
/* Share of the circle that a shard owns, 0 to 1, for display. */
double layout_ring_share(const struct layout *layout, uint32_t index);
/* Where a key's copies live: the owner, then clockwise the next shards that have none yet. With
 * zones (one a position in the list; NULL: none) a zone that holds a copy is passed over while
 * there are zones without one. Returns how many of `want` were found; positions in `out`. */
uint32_t layout_ring_replicas(const struct layout *layout, uint64_t hash, const uint8_t *zone,
                              uint32_t want, uint32_t *out);

/* Points given by hand, for worked examples: the first that is not below `position`, wrapping. */
size_t ring_find(const struct ring_point *point, size_t count, uint64_t position);
/* layout_ring_replicas from the point that owns a key. */
uint32_t ring_replicas(const struct ring_point *point, size_t count, size_t owner,
                       const uint8_t *zone, uint32_t want, uint32_t *out);

#endif
