/*
 * rendezvous: a list of node numbers, gone through for every key. Equal weights need no logarithm:
 * the highest draw is the highest score.
 */
#include "place/rendezvous.h"

#include "base/alloc.h"
#include "base/check.h"
#include "base/fixlog.h"
#include "base/prng.h"
#include "place/inside.h"
#include "place/murmur.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NODE_BASE UINT64_C(0x4E4F4445)

struct rendezvous {
    uint64_t *node;
    uint32_t *weight;
    uint32_t shards;
    bool equal; /* all weights are */
};

static bool all_equal(const struct rendezvous *self)
{
    for (uint32_t i = 1; i < self->shards; i++) {
        if (self->weight[i] != self->weight[0]) {
            return false;
        }
    }
    return true;
}

static void *rendezvous_make(const struct layout_params *params, const struct shard_spec *shard,
                             uint32_t shards)
{
    (void)params;
    struct rendezvous *self = xcalloc(1, sizeof *self);
    self->shards = shards;
    self->node = xcalloc(shards, sizeof *self->node);
    self->weight = xcalloc(shards, sizeof *self->weight);
    for (uint32_t i = 0; i < shards; i++) {
        self->node[i] = mix64(NODE_BASE + shard[i].id);
        self->weight[i] = shard[i].weight;
    }
    self->equal = all_equal(self);
    return self;
}

static void *rendezvous_copy(const void *state)
{
    const struct rendezvous *from = state;
    struct rendezvous *copy = xcalloc(1, sizeof *copy);
    *copy = *from;
    copy->node = xcalloc(from->shards, sizeof *copy->node);
    copy->weight = xcalloc(from->shards, sizeof *copy->weight);
    memcpy(copy->node, from->node, from->shards * sizeof *copy->node);
    memcpy(copy->weight, from->weight, from->shards * sizeof *copy->weight);
    return copy;
}

static void rendezvous_destroy(void *state)
{
    struct rendezvous *self = state;
    free(self->node);
    free(self->weight);
    free(self);
}

/* mix64 of base/prng.h, where the compiler can see it: this is where a lookup spends its time. */
static inline uint64_t draw_of(uint64_t hash, uint64_t node)
{
    uint64_t x = (hash ^ node) + UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
    return x ^ x >> 31;
}

/* A score is weight / cost; costs are compared crosswise, so that nothing is rounded. */
struct best {
    uint64_t cost;
    uint32_t weight;
    size_t index;
};

/* -ln u is at least 1 - u, which is at hand: most shards cannot win and need no logarithm. Two
 * units less, since the logarithm may be rounded down by one, and 1 - u up. */
static inline bool can_win(const struct best *best, uint64_t draw, uint32_t weight)
{
    uint64_t apart = (0 - draw) >> (64 - FIXLOG_BITS);
    uint64_t least = draw == 0 ? UINT64_C(1) << FIXLOG_BITS : apart;
    least = least > 2 ? least - 2 : 0;
    return (unsigned __int128)least * best->weight < (unsigned __int128)best->cost * weight;
}

static inline void take_better(struct best *best, uint64_t draw, uint32_t weight, size_t index)
{
    if (index > 0 && !can_win(best, draw, weight)) {
        return;
    }
    uint64_t cost = fixlog_neg_ln(draw);
    if (index == 0 ||
        (unsigned __int128)cost * best->weight < (unsigned __int128)best->cost * weight) {
        *best = (struct best){.cost = cost, .weight = weight, .index = index};
    }
}

size_t rendezvous_weighted(const uint64_t *draw, const uint32_t *weight, size_t count)
{
    struct best best = {0};
    CHECK(count > 0);
    for (size_t i = 0; i < count; i++) {
        take_better(&best, draw[i], weight[i], i);
    }
    return best.index;
}

static uint32_t rendezvous_owner(const void *state, uint64_t hash)
{
    const struct rendezvous *self = state;
    if (!self->equal) {
        struct best best = {0};
        for (uint32_t i = 0; i < self->shards; i++) {
            take_better(&best, draw_of(hash, self->node[i]), self->weight[i], i);
        }
        return (uint32_t)best.index;
    }
    uint64_t highest = draw_of(hash, self->node[0]);
    uint32_t owner = 0;
    for (uint32_t i = 1; i < self->shards; i++) {
        uint64_t draw = draw_of(hash, self->node[i]);
        owner = draw > highest ? i : owner;
        highest = draw > highest ? draw : highest;
    }
    return owner;
}

static void rendezvous_add(void *state, const struct shard_spec *shard)
{
    struct rendezvous *self = state;
    self->node = xrealloc(self->node, (size_t)self->shards + 1, sizeof *self->node);
    self->weight = xrealloc(self->weight, (size_t)self->shards + 1, sizeof *self->weight);
    self->node[self->shards] = mix64(NODE_BASE + shard->id);
    self->weight[self->shards] = shard->weight;
    self->shards++;
    self->equal = all_equal(self);
}

static void rendezvous_remove(void *state, uint32_t index)
{
    struct rendezvous *self = state;
    CHECK(index < self->shards && self->shards > 1);
    size_t later = self->shards - index - 1;
    memmove(self->node + index, self->node + index + 1, later * sizeof *self->node);
    memmove(self->weight + index, self->weight + index + 1, later * sizeof *self->weight);
    self->shards--;
    self->equal = all_equal(self);
}

static void rendezvous_weigh(void *state, uint32_t index, uint32_t weight)
{
    struct rendezvous *self = state;
    CHECK(index < self->shards && weight > 0);
    self->weight[index] = weight;
    self->equal = all_equal(self);
}

static size_t rendezvous_memory(const void *state)
{
    const struct rendezvous *self = state;
    return self->shards * (sizeof *self->node + sizeof *self->weight);
}

double layout_rendezvous_score(const struct layout *layout, uint64_t hash, uint32_t index)
{
    const struct rendezvous *self = layout_state(layout, &scheme_rendezvous);
    if (self == NULL) {
        return 0;
    }
    CHECK(index < self->shards);
    double part = ((double)draw_of(hash, self->node[index]) + 0.5) / 18446744073709551616.0;
    return self->equal ? part : pow(part, (double)LAYOUT_WEIGHT_USUAL / self->weight[index]);
}

size_t rendezvous_named(const char *const *name, size_t count, struct bytes key)
{
    struct str text = STR_EMPTY;
    uint32_t highest = 0;
    size_t best = 0;
    CHECK(count > 0);
    for (size_t i = 0; i < count; i++) {
        str_clear(&text);
        str_add(&text, name[i]);
        str_addc(&text, '-');
        str_addn(&text, key.at, key.length);
        uint32_t draw = murmur3_32(text.text, text.length, 0);
        bool later = draw == highest && strcmp(name[i], name[best]) > 0;
        if (i == 0 || draw > highest || later) {
            highest = draw;
            best = i;
        }
    }
    str_free(&text);
    return best;
}

const struct scheme scheme_rendezvous = {
    .name = "rendezvous",
    .about = "every shard draws a number for the key, and the highest wins",
    .cannot = "answer without asking all shards: a lookup takes longer with each one",
    .source = "Thaler and Ravishankar (1996); weights: Schindelhauer and Schomaker (2005)",
    .traits = SCHEME_WEIGHTS | SCHEME_ADD_MOVES_TO_NEW | SCHEME_REMOVE_MOVES_OWN,
    .default_hash = HASH_MIX64,
    .make = rendezvous_make,
    .copy = rendezvous_copy,
    .destroy = rendezvous_destroy,
    .owner = rendezvous_owner,
    .add = rendezvous_add,
    .remove = rendezvous_remove,
    .memory = rendezvous_memory,
    .weigh = rendezvous_weigh,
};
