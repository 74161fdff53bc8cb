/*
 * maglev_fill: shards take entries in turn until none is free.
 *
 * Nearly all the time goes into stepping over entries that are taken, so "taken" is one bit an
 * entry: a table of 65,537 has its bits in 8 KB.
 */
#include "place/maglev.h"

#include "base/alloc.h"
#include "base/check.h"
#include <stdlib.h>

struct filling {
    const struct maglev_walk *walk;
    uint32_t shards;
    uint32_t *table;
    uint32_t entries;
    uint32_t left;   /* entries that are free */
    uint32_t *next;  /* of each shard: the entry of its permutation to try */
    uint64_t *taken; /* a bit an entry */
    uint64_t heaviest;
};

/* The shard's turn: the next free entry of its permutation is its own. */
static inline void take(struct filling *f, uint32_t shard)
{
    uint32_t at = f->next[shard];
    uint32_t skip = f->walk[shard].skip;
    uint32_t back = f->entries - skip;
    uint64_t *taken = f->taken;
    bool free_one = false;

    while (!free_one) {
        uint32_t entry = at;
        free_one = (taken[entry >> 6] >> (entry & 63) & 1) == 0;
        at = entry >= back ? entry - back : entry + skip;
        if (free_one) {
            taken[entry >> 6] |= UINT64_C(1) << (entry & 63);
            f->table[entry] = shard;
        }
    }
    f->next[shard] = at;
    f->left--;
}

static void fill_in_order(struct filling *f)
{
    while (f->left > 0) {
        uint32_t turns = f->left < f->shards ? f->left : f->shards;
        for (uint32_t shard = 0; shard < turns; shard++) {
            take(f, shard);
        }
    }
}

static void fill_by_sum(struct filling *f)
{
    uint64_t *sum = xcalloc(f->shards, sizeof *sum);
    while (f->left > 0) {
        for (uint32_t shard = 0; shard < f->shards && f->left > 0; shard++) {
            sum[shard] += f->walk[shard].weight;
            if (sum[shard] >= f->heaviest) {
                sum[shard] -= f->heaviest;
                take(f, shard);
            }
        }
    }
    free(sum);
}

static void fill_by_target(struct filling *f)
{
    uint64_t *target = xcalloc(f->shards, sizeof *target);
    for (uint64_t round = 1; f->left > 0; round++) {
        for (uint32_t shard = 0; shard < f->shards && f->left > 0; shard++) {
            if (round * f->walk[shard].weight >= target[shard]) {
                target[shard] += f->heaviest;
                take(f, shard);
            }
        }
    }
    free(target);
}

static void fill_by_burst(struct filling *f)
{
    for (uint32_t shard = 0; shard < f->shards; shard++) {
        for (uint32_t turn = 0; turn < f->walk[shard].weight && f->left > 0; turn++) {
            take(f, shard);
        }
    }
    fill_in_order(f);
}

/* Counts are kept in units of 1 / shards, so that weight / shards is whole. */
static void fill_by_pace(struct filling *f)
{
    uint64_t *count = xcalloc(f->shards, sizeof *count);
    uint64_t weights = 0;
    for (uint32_t shard = 0; shard < f->shards; shard++) {
        count[shard] = f->walk[shard].weight;
        weights += f->walk[shard].weight;
    }
    for (uint64_t n = 0; f->left > 0; n++) {
        uint32_t shard = (uint32_t)(n % f->shards);
        while ((n + 1) * f->walk[shard].weight < count[shard] / f->shards) {
            shard = shard + 1 < f->shards ? shard + 1 : 0;
        }
        count[shard] += weights * f->shards;
        take(f, shard);
    }
    free(count);
}

static bool weights_are_equal(const struct filling *f)
{
    for (uint32_t shard = 1; shard < f->shards; shard++) {
        if (f->walk[shard].weight != f->walk[0].weight) {
            return false;
        }
    }
    return true;
}

void maglev_fill_by(enum maglev_turns turns, const struct maglev_walk *walk, uint32_t shards,
                    uint32_t *table, uint32_t entries)
{
    struct filling f = {
        .walk = walk, .shards = shards, .table = table, .entries = entries, .left = entries};

    CHECK(shards > 0 && entries >= shards);
    f.next = xcalloc(shards, sizeof *f.next);
    f.taken = xcalloc(entries / 64 + 1, sizeof *f.taken);
    for (uint32_t shard = 0; shard < shards; shard++) {
        CHECK(walk[shard].offset < entries && walk[shard].skip - 1 < entries - 1);
        CHECK(walk[shard].weight > 0);
        f.next[shard] = walk[shard].offset;
        f.heaviest = walk[shard].weight > f.heaviest ? walk[shard].weight : f.heaviest;
    }
    bool in_order = weights_are_equal(&f) && (turns != MAGLEV_BURST || f.heaviest == 1);
    if (in_order) {
        fill_in_order(&f);
    } else if (turns == MAGLEV_SUM) {
        fill_by_sum(&f);
    } else if (turns == MAGLEV_TARGET) {
        fill_by_target(&f);
    } else if (turns == MAGLEV_BURST) {
        fill_by_burst(&f);
    } else {
        fill_by_pace(&f);
    }
    free(f.taken);
    free(f.next);
}

void maglev_fill(const struct maglev_walk *walk, uint32_t shards, uint32_t *table, uint32_t entries)
{
    maglev_fill_by(MAGLEV_SUM, walk, shards, table, entries);
}
