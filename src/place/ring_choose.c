/*
 * ring_choose: tokens chosen so that a shard takes its fair share of the circle.
 *
 * The tokens of the first shard stand at even distances. Later, each token in turn goes into the
 * longest arc of the shard that has most for its weight, and takes part of what lies above the
 * level to which the tokens that remain could bring the fullest shards (k tokens reach at most k of
 * them). Whole numbers only, so every machine chooses the same.
 */
#include "place/ring_tokens.h"

#include "base/alloc.h"
#include "base/check.h"
#include <stdlib.h>
#include <string.h>

/* Lengths are counted in 2^-48 of the circle: times a weight they still fit 64 bits. */
#define UNIT_BITS 16u
#define CIRCLE (UINT64_C(1) << (64 - UNIT_BITS))

_Static_assert(LAYOUT_WEIGHT_MAX < 1u << 15, "a length times a weight fits 63 bits");
_Static_assert(RING_CHOSEN_POINTS <= 1u << 16, "arcs stay long enough to be cut");

struct arc {
    uint64_t start, length;
    uint32_t index;
};

struct donor {
    uint64_t load;
    uint32_t weight;
    uint32_t index;
};

struct choice {
    struct arc *arc;
    size_t arcs;
    struct donor *donor; /* the fullest for its weight first, the lowest position of equals */
    uint32_t donors;
    uint64_t missing; /* to a fair share */
    bool alone;
};

static int fullest_first(const void *left, const void *right)
{
    const struct donor *a = left;
    const struct donor *b = right;
    uint64_t of_a = a->load * b->weight;
    uint64_t of_b = b->load * a->weight;
    if (of_a != of_b) {
        return of_a > of_b ? -1 : 1;
    }
    return a->index < b->index ? -1 : a->index > b->index;
}

static struct arc *arcs_of(const struct circle *circle)
{
    struct arc *arc = xcalloc(circle->count, sizeof *arc);
    uint64_t start = circle->point[circle->count - 1].at >> UNIT_BITS;
    for (size_t i = 0; i < circle->count; i++) {
        uint64_t end = circle->point[i].at >> UNIT_BITS;
        uint64_t length = (end - start) & (CIRCLE - 1);
        arc[i] = (struct arc){start, length, circle->point[i].index};
        start = end;
    }
    if (circle->count == 1) {
        arc[0].length = CIRCLE;
    }
    return arc;
}

/* What every other shard has, and what the one at `index` misses. */
static struct choice look_round(const struct ring *ring, uint32_t index)
{
    struct choice choice = {.arcs = ring->circle.count, .donors = ring->shards};
    choice.alone = ring->shards == 1;
    uint64_t weights = 0;
    choice.arc = arcs_of(&ring->circle);
    choice.donor = xcalloc(ring->shards, sizeof *choice.donor);
    for (uint32_t i = 0; i < ring->shards; i++) {
        choice.donor[i] = (struct donor){0, ring->shard[i].weight, i};
        weights += ring->shard[i].weight;
    }
    for (size_t i = 0; i < choice.arcs; i++) {
        choice.donor[choice.arc[i].index].load += choice.arc[i].length;
    }
    uint64_t fair = CIRCLE / weights * ring->shard[index].weight;
    uint64_t has = choice.donor[index].load;
    choice.missing = fair > has ? fair - has : 0;
    if (ring->shards > 1) { /* else it cuts its own */
        choice.donor[index] = choice.donor[--choice.donors];
    }
    qsort(choice.donor, choice.donors, sizeof *choice.donor, fullest_first);
    return choice;
}

/* How much of the fullest shard lies above the level that `tokens` cuts can bring it and the next
 * ones down to when together they give what is missing. */
static uint64_t above_level(const struct choice *choice, uint32_t tokens)
{
    uint64_t load = 0;
    uint64_t weight = 0;
    uint64_t level = 0; /* of the fullest */
    for (uint32_t i = 0; i < choice->donors && i < tokens; i++) {
        load += choice->donor[i].load;
        weight += choice->donor[i].weight;
        uint64_t left = load > choice->missing ? load - choice->missing : 0;
        uint64_t of_this = left / weight * choice->donor[i].weight;
        if (i > 0 && of_this > choice->donor[i].load) {
            break; /* this one and all after it are below the level already */
        }
        level = left / weight * choice->donor[0].weight;
    }
    return choice->donor[0].load > level ? choice->donor[0].load - level : 0;
}

static struct arc *longest_of(const struct choice *choice, uint32_t index)
{
    struct arc *longest = NULL;
    for (size_t i = 0; i < choice->arcs; i++) {
        struct arc *arc = &choice->arc[i];
        if (arc->index == index && (longest == NULL || arc->length > longest->length)) {
            longest = arc;
        }
    }
    CHECK(longest != NULL && longest->length >= 2);
    return longest;
}

/* The fullest shard has given: it takes its new place among the others. */
static void sort_first(struct choice *choice)
{
    uint32_t to = 0;
    struct donor moves = choice->donor[0];
    while (to + 1 < choice->donors && fullest_first(&choice->donor[to + 1], &moves) < 0) {
        choice->donor[to] = choice->donor[to + 1];
        to++;
    }
    choice->donor[to] = moves;
}

/* One cut, with `tokens` to go, this one counted. Returns where the new token stands. */
static uint64_t cut(struct choice *choice, uint32_t tokens)
{
    struct donor *donor = &choice->donor[0];
    struct arc *arc = longest_of(choice, donor->index);
    uint64_t above = above_level(choice, tokens);
    /* Its part of the tokens is its part of what is missing, rounded down: the others may find
     * their arcs too short to give theirs at once. */
    uint64_t each = choice->missing / tokens;
    uint64_t cuts = each > 0 ? above / each : 1;
    uint64_t take = choice->alone ? arc->length / 2 : above / (cuts > 0 ? cuts : 1);
    uint64_t most = arc->length - arc->length / 16 - 1;

    take = take < most ? take : most;
    take = take > 0 ? take : 1;
    arc->start += take;
    arc->length -= take;
    donor->load -= take;
    choice->missing -= take < choice->missing ? take : choice->missing;
    uint64_t at = (arc->start & (CIRCLE - 1)) << UNIT_BITS;
    sort_first(choice);
    return at;
}

void ring_choose(const struct ring *ring, uint32_t index, uint32_t token, uint32_t count,
                 struct ring_point *out)
{
    if (ring->shards == 1 && token == 0) {
        for (uint32_t i = 0; i < count; i++) {
            out[i] = (struct ring_point){(CIRCLE * i / count) << UNIT_BITS, index, i};
        }
        return;
    }
    struct choice choice = look_round(ring, index);
    for (uint32_t i = 0; i < count; i++) {
        out[i] = (struct ring_point){cut(&choice, count - i), index, token + i};
    }
    free(choice.arc);
    free(choice.donor);
}
