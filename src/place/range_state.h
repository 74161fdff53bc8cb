/*
 * range_state: what range.c (the scheme) and range_split.c (cutting and joining) share.
 *
 * Rows ascend by their first keys, row 0's being empty, so that every key has one. A row owns the
 * bytes of its first key.
 */
#ifndef HOTSHARD_PLACE_RANGE_STATE_H
#define HOTSHARD_PLACE_RANGE_STATE_H

#include "place/layout.h"

struct range_row {
    uint64_t head; /* the first key's first eight bytes, highest first, zeros beyond its end */
    char *first;
    size_t length;
    size_t start; /* how many observed keys come before it */
    uint32_t index;
};

struct range_state {
    struct range_row *row;
    size_t rows, room;
    uint32_t shards;
    enum split_rule split;
    bool dealt;          /* as made: nothing was cut or joined since */
    struct keyset *keys; /* borrowed; NULL: nothing observed */
};

/* Below 0, 0 or above it, as memcmp; a key comes before those that begin like it and go on. */
int range_order(struct bytes a, struct bytes b);
/* Which row a key falls into. */
size_t range_find(const struct range_state *self, struct bytes key);
uint64_t range_head(struct bytes key);
/* A range from `key` on becomes shard `index`'s; the key is not the first of one already. */
void range_cut_at(struct range_state *self, struct bytes key, uint32_t index);
/* Takes the row's beginning away: its keys go to the row below, or above when it is the lowest. */
void range_join(struct range_state *self, size_t row);
/* Cuts the range that has the most for a new shard; without a cut when none is possible. */
void range_share(struct range_state *self, uint32_t index);

#endif
