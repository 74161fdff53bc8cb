/*
 * maglev: a flat table whose entries the shards fill in turn, each by its own permutation.
 *
 * Shard s starts at mix64(node) mod entries and goes on by mix64(node + 1) mod (entries - 1) + 1,
 * node = mix64(0x4E4F4445 + s); a key looks up entry hash mod entries. The table is built anew
 * whenever shards or weights change, which also moves a few keys of shards that stay. Weights: a
 * shard takes its turn as often as its weight says, the others wait (MAGLEV_SUM).
 *
 * Source: Eisenbud and others, "Maglev: A Fast and Reliable Software Network Load Balancer"
 * (2016), 3.4. The turn rules are those of the systems named beside them.
 */
#ifndef HOTSHARD_PLACE_MAGLEV_H
#define HOTSHARD_PLACE_MAGLEV_H

#include "place/layout.h"

extern const struct scheme scheme_maglev;

/* The table: positions in the layout's list; borrowed until it changes. NULL of other schemes. */
const uint32_t *layout_maglev(const struct layout *layout, size_t *entries);
/* The entry that a hash looks up. 0 of other schemes. */
size_t layout_maglev_entry(const struct layout *layout, uint64_t hash);

/* One shard's permutation of 0 to entries-1: offset, offset + skip, ... mod entries. */
struct maglev_walk {
    uint32_t offset; /* below entries */
    uint32_t skip;   /* 1 to entries-1 */
    uint32_t weight; /* at least 1 */
};

/* Whose turn it is. With equal weights all are the paper's rule: everybody's, in order. "Heaviest"
 * is the largest weight. */
enum maglev_turns {
    MAGLEV_SUM,    /* ours, and Katran's V2: the weights of the rounds so far are summed; once they
                      reach the heaviest, the shard takes a turn and that is subtracted */
    MAGLEV_TARGET, /* Envoy's: round times weight has reached the shard's target, at first 0, which
                      grows by the heaviest at each turn */
    MAGLEV_BURST,  /* Katran's V1: in the first round `weight` turns in a row, then one a round */
    MAGLEV_PACE    /* Cilium's: entry n is offered in order from shard n mod shards on; a shard
                      passes while (n+1) * weight is below its count, which begins at weight/shards
                      and grows by the sum of weights at each turn */
};

/* Fills `table` (entries of them: a prime, at least `shards`) with positions in `walk`: whoever has
 * a turn takes the next free entry of its permutation. */
void maglev_fill_by(enum maglev_turns turns, const struct maglev_walk *walk, uint32_t shards,
                    uint32_t *table, uint32_t entries);
/* By MAGLEV_SUM. */
void maglev_fill(const struct maglev_walk *walk, uint32_t shards, uint32_t *table,
                 uint32_t entries);

#endif
