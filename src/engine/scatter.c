/*
 * scatter: a walk through the tree of halves, from left to right.
 */
#include "engine/scatter.h"

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
 * the end of. False: the span is over. Each one at the end of `at` is a right half to leave; they
 * are counted, since how many there are is chance. */
static bool go_on(struct scatter *s)
{
    uint32_t halves = (uint32_t)__builtin_ctz(~(s->at >> (SCATTER_LEVELS - s->level)));
    s->level -= halves;
    if (s->level == 0) {
        return false;
    }
    s->at = (s->at & ~(size_at(s->level) - 1)) + size_at(s->level);
    s->count = s->right[s->level];
    return true;
}

static void sort_two(uint32_t *a, uint32_t *b)
{
    uint32_t least = *a < *b ? *a : *b;
    *b = *a < *b ? *b : *a;
    *a = least;
}

/* All instants of the part at hand, which are few, sorted by a network without branches: which of
 * two comes first is chance. Places without an instant sort before all others. */
static void draw_few(struct scatter *s, struct prng *chance)
{
    uint32_t *d = s->drawn;
    uint32_t shift = 64 - SCATTER_LEVELS + s->level;
    for (uint32_t i = 0; i < SCATTER_FEW; i++) {
        d[i] = 0;
    }
    for (uint32_t i = 0; i < s->count; i++) {
        d[i] = s->at + (s->level < SCATTER_LEVELS ? (uint32_t)(prng_next(chance) >> shift) : 0);
    }
    sort_two(&d[0], &d[1]);
    sort_two(&d[2], &d[3]);
    sort_two(&d[0], &d[2]);
    sort_two(&d[1], &d[3]);
    sort_two(&d[1], &d[2]);
    s->few = s->count;
    s->count = 0;
}

bool scatter_next(struct scatter *s, struct prng *chance, int64_t span_us, int64_t *us)
{
    while (s->few == 0) {
        if (s->count == 0 && !go_on(s)) {
            return false;
        }
        while (s->count > SCATTER_FEW && s->level < SCATTER_LEVELS) {
            uint32_t left = heads_of(chance, s->count);
            s->level++;
            s->right[s->level] = s->count - left;
            s->count = left;
        }
        if (s->count > SCATTER_FEW) { /* more in one place than can be drawn at once */
            s->count -= SCATTER_FEW;
            s->few = SCATTER_FEW;
            for (uint32_t i = 0; i < SCATTER_FEW; i++) {
                s->drawn[i] = s->at;
            }
        } else {
            draw_few(s, chance);
        }
    }
    *us =
        (int64_t)((uint64_t)s->drawn[SCATTER_FEW - s->few--] * (uint64_t)span_us >> SCATTER_LEVELS);
    return true;
}
