/*
 * prng: xoshiro256** by its published recurrence, and a fixed-point logarithm by repeated squaring.
 * 128-bit products are the compiler's own; every step is integer arithmetic.
 */
#include "base/prng.h"

#include "base/check.h"
#include <stddef.h>

#define GOLDEN UINT64_C(0x9E3779B97F4A7C15)
#define LN2_Q64 UINT64_C(0xB17217F7D1CF79AB) /* ln 2 in 2^-64 units */

uint64_t mix64(uint64_t x)
{
    x += GOLDEN;
    x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
    return x ^ x >> 31;
}

static uint64_t rotate_left(uint64_t x, int by)
{
    return x << by | x >> (64 - by);
}

struct prng prng_seeded(uint64_t seed, const char *stream)
{
    uint64_t state = mix64(seed);
    for (const char *c = stream; *c != '\0'; c++) {
        state = mix64(state ^ (uint8_t)*c);
    }
    struct prng p;
    for (size_t i = 0; i < 4; i++) {
        p.s[i] = mix64(state);
        state += GOLDEN;
    }
    return p;
}

uint64_t prng_next(struct prng *p)
{
    uint64_t *s = p->s;
    uint64_t result = rotate_left(s[1] * 5, 7) * 9;
    uint64_t carried = s[1] << 17;

    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= carried;
    s[3] = rotate_left(s[3], 45);
    return result;
}

/* Lemire's multiply-and-reject: the high half is the answer unless the low half falls into the
 * part that would favour some answers. */
uint64_t prng_below(struct prng *p, uint64_t bound)
{
    CHECK(bound > 0);
    unsigned __int128 product = (unsigned __int128)prng_next(p) * bound;
    if ((uint64_t)product < bound) {
        uint64_t unfair = (0 - bound) % bound;
        while ((uint64_t)product < unfair) {
            product = (unsigned __int128)prng_next(p) * bound;
        }
    }
    return (uint64_t)(product >> 64);
}

bool prng_chance(struct prng *p, uint64_t hits, uint64_t of)
{
    CHECK(hits <= of);
    return prng_below(p, of) < hits; /* always one draw, whatever the odds */
}

int64_t prng_exponential(struct prng *p, int64_t mean)
{
    CHECK(mean >= 0 && mean <= INT64_MAX / 64); /* -ln(2^-64) is under 45 */
    uint64_t drawn = prng_next(p);
    uint64_t bits = fix_neg_log2(drawn > 0 ? drawn : 1);
    uint64_t nats = (uint64_t)((unsigned __int128)bits * LN2_Q64 >> 64); /* 2^32 units */
    unsigned __int128 wait = (unsigned __int128)nats * (uint64_t)mean;
    return (int64_t)((wait + (UINT64_C(1) << 31)) >> 32);
}

/* x = 2^(63 - zeros) * m with 1 <= m < 2. Each squaring of m doubles its logarithm, so whether the
 * square passes 2 is the next binary digit of log2(m). */
uint64_t fix_neg_log2(uint64_t x)
{
    CHECK(x > 0);
    int zeros = __builtin_clzll(x);
    uint64_t m = x << zeros; /* 2^63 units */
    uint64_t fraction = 0;

    for (int digit = 0; digit < 32; digit++) {
        unsigned __int128 square = (unsigned __int128)m * m; /* 2^126 units, under 4 */
        uint64_t passes = (uint64_t)(square >> 127);
        m = (uint64_t)(square >> (63 + passes));
        fraction = fraction << 1 | passes;
    }
    return ((uint64_t)(zeros + 1) << 32) - fraction;
}
