/*
 * prng: our own random numbers, one stream a purpose.
 *
 * A stream is seeded from (run seed, stream name), so that a draw in one never shifts another.
 * The generator is xoshiro256** (Blackman, Vigna) seeded by splitmix64. Probabilities are ratios
 * of integers; no floating point. Same seed, same numbers, on every machine.
 */
#ifndef HOTSHARD_BASE_PRNG_H
#define HOTSHARD_BASE_PRNG_H

#include <stdbool.h>
#include <stdint.h>

struct prng {
    uint64_t s[4];
};

uint64_t mix64(uint64_t x); /* one splitmix64 step: finalizer of x + 0x9E3779B97F4A7C15 */
struct prng prng_seeded(uint64_t seed, const char *stream);
uint64_t prng_next(struct prng *p);
uint64_t prng_below(struct prng *p, uint64_t bound); /* unbiased, bound > 0 */
bool prng_chance(struct prng *p, uint64_t hits, uint64_t of);
/* An exponential waiting time with the given mean, in the mean's unit, by fixed-point logarithm. */
int64_t prng_exponential(struct prng *p, int64_t mean);
/* -log2(x / 2^64) in 2^32 units, x > 0 (fixed point, exact in every build). */
uint64_t fix_neg_log2(uint64_t x);

#endif
