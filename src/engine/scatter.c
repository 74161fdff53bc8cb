/*
 * scatter: a walk through the tree of halves, from left to right.
 */
#include "engine/scatter.h"

#include "base/num.h"

void scatter_begin(struct scatter *s, uint32_t count)
{
    *s = (struct scatter){.count = count};
}

/* Heads among `tosses` tosses of a coin. */
static uint32_t heads_of(struct prng *chance, uint32_t tosses)
{
    uint32_t heads = 0;
    for (; tosses >= 64; tosses -= 64) {
        heads += (uint32_t)__builtin_popcountll(prng_next(chance));
    }
    if (tosses > 0) {
        heads += (uint32_t)__builtin_popcountll(prng_next(chance) >> (64 - tosses));
    }
    return heads;
}

static uint32_t size_at(uint32_t level)
{
    return 1u << (SCATTER_LEVELS - level);
}

/* From an empty part to the right half of the nearest part around it whose left half it is, or is
 * the end of. False: the second is over. */
static bool go_on(struct scatter *s)
{
    while (s->level > 0 && (s->at & size_at(s->level)) != 0) {
        s->at -= size_at(s->level);
        s->level--;
    }
    if (s->level == 0) {
        return false;
    }
    s->at += size_at(s->level);
    s->count = s->right[s->level];
    return true;
}

bool scatter_next(struct scatter *s, struct prng *chance, int64_t *us)
{
    while (s->count == 0) {
        if (!go_on(s)) {
            return false;
        }
    }
    while (s->count > 1 && s->level < SCATTER_LEVELS) {
        uint32_t left = heads_of(chance, s->count);
        s->level++;
        s->right[s->level] = s->count - left;
        s->count = left;
        if (left == 0) {
            (void)go_on(s); /* into the right half, which has them all */
        }
    }
    s->count--;
    bool fine = s->count == 0 && s->level < SCATTER_LEVELS; /* it may be anywhere in its part */
    uint64_t within = fine ? prng_next(chance) >> (64 - SCATTER_LEVELS + s->level) : 0;
    *us = (int64_t)((s->at + within) * (uint64_t)US_PER_SECOND >> SCATTER_LEVELS);
    return true;
}
