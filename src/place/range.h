/*
 * range: keys in the order of their bytes, cut into ranges.
 *
 * A range begins at a key (the first one at the empty key) and ends before the next range's first
 * key. A new layout has one range a shard: cut evenly over the keys it was given to observe
 * (layout_observe), or over the first two bytes when there are none. A shard that joins takes the
 * upper half of the range with the most (keys or load, by params.split) of what was observed; a
 * range that holds a single key cannot be split, which is where splitting by load ends: the range
 * with the most of those that can be split is then cut, and when there is none the shard starts
 * without a range. So does a shard for which there were too few keys to cut between. The ranges
 * of a shard that leaves are merged into the neighbour below, or above when there is none.
 *
 * Where nothing was observed, a range's share is its part of the space of keys, by their first
 * eight bytes, and it is cut in the middle of that. Loads are read anew at each cut, but the keys'
 * places are kept: observe again after adding keys. Counts go by whole keys, also with tags. Asked
 * with a hash alone, the layout takes its eight bytes, highest first, as the key.
 *
 * Source: Bigtable (2006); HBase's and MongoDB's descriptions of splitting.
 */
#ifndef HOTSHARD_PLACE_RANGE_H
#define HOTSHARD_PLACE_RANGE_H

#include "place/layout.h"

extern const struct scheme scheme_range;

struct range_info {
    struct bytes first;  /* borrowed until the layout changes */
    uint32_t index;      /* of its shard, in the layout's list */
    uint64_t keys, load; /* observed in it; the load takes a walk over its keys */
};

size_t layout_ranges(const struct layout *layout); /* how many; 0 when it has none */
struct range_info layout_range_at(const struct layout *layout, size_t range);
size_t layout_range_find(const struct layout *layout, struct bytes key);
/* Cuts the range of that key there: from it on, the keys belong to shard `id`. Errors: a range
 * begins at that key already; there is no such shard. */
bool layout_range_split(struct layout *layout, struct bytes key, uint32_t id, struct err *err);
/* The best cut of a range by params.split; false with the reason when it has no two keys. The key
 * is the first one of the upper half: borrowed from the observed keys. */
bool layout_range_cut(const struct layout *layout, size_t range, struct bytes *key,
                      struct err *err);
/* Joins a range with the one above it; both are the lower one's from then on. Error: it is the
 * last. */
bool layout_range_merge(struct layout *layout, size_t range, struct err *err);

#endif
