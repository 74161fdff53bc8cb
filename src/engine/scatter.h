/*
 * scatter: so many instants of a span of time, each drawn uniformly on its own, in their order.
 *
 * The span is halved again and again: of n instants in a part, each is in its left half by the
 * toss of a coin, so the number there is the number of ones among n random bits; parts without an
 * instant are skipped, and a few instants are drawn and sorted at once. Instants are known to 2^-20
 * of the span. This needs no memory but those few, and the counts of the right halves still to
 * come.
 */
#ifndef HOTSHARD_ENGINE_SCATTER_H
#define HOTSHARD_ENGINE_SCATTER_H

#include "base/prng.h"
#include <stdbool.h>
#include <stdint.h>

#define SCATTER_LEVELS 20u
#define SCATTER_FEW 4u

struct scatter {
    uint32_t count;                     /* instants in the part at hand */
    uint32_t at;                        /* where it begins, in 2^-20 of the span */
    uint32_t level;                     /* it is 2^-level of the span */
    uint32_t right[SCATTER_LEVELS + 1]; /* instants in the right half that follows, by level */
    uint32_t few;                       /* instants drawn and not yet given, the last of `drawn` */
    uint32_t drawn[SCATTER_FEW];        /* sorted, in 2^-20 of the span */
};

/* A span with `count` instants begins. */
void scatter_begin(struct scatter *s, uint32_t count);
/* The next instant, microseconds into the span, which is so long. False: there is none left. */
bool scatter_next(struct scatter *s, struct prng *chance, int64_t span_us, int64_t *us);

#endif
