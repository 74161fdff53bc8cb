/*
 * sha256: the digest of FIPS 180-4, for the figures of one recipe that places tenants by it. The
 * program itself has no use for it. Source: NIST, FIPS 180-4, whose constants are the fractional
 * parts of the square and cube roots of the first primes; they are computed here. Part of
 * test_figures.c.
 */
#ifndef HOTSHARD_TESTS_SHA256_H
#define HOTSHARD_TESTS_SHA256_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#define SHA256_ROUNDS 64
#define SHA256_BLOCK 64

struct sha256 {
    uint32_t state[8];
    uint32_t constant[SHA256_ROUNDS];
};

static inline uint32_t sha256_turned(uint32_t word, unsigned bits)
{
    return word >> bits | word << (32 - bits);
}

/* The first 32 bits behind the point; a double has 52, and the whole part needs at most 5. */
static inline uint32_t sha256_fraction(double root)
{
    return (uint32_t)((root - floor(root)) * 4294967296.0);
}

static inline bool sha256_is_prime(uint32_t number)
{
    for (uint32_t by = 2; by * by <= number; by++) {
        if (number % by == 0) {
            return false;
        }
    }
    return true;
}

static inline struct sha256 sha256_start(void)
{
    struct sha256 s;
    uint32_t found = 0;
    for (uint32_t number = 2; found < SHA256_ROUNDS; number++) {
        if (!sha256_is_prime(number)) {
            continue;
        }
        if (found < 8) {
            s.state[found] = sha256_fraction(sqrt(number));
        }
        s.constant[found++] = sha256_fraction(cbrt(number));
    }
    return s;
}

static inline void sha256_spread(const uint8_t *block, uint32_t word[SHA256_ROUNDS])
{
    for (int i = 0; i < 16; i++) {
        const uint8_t *at = block + (ptrdiff_t)4 * i;
        word[i] = (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
    }
    for (int i = 16; i < SHA256_ROUNDS; i++) {
        uint32_t a = word[i - 15];
        uint32_t b = word[i - 2];
        word[i] = word[i - 16] + (sha256_turned(a, 7) ^ sha256_turned(a, 18) ^ a >> 3) +
                  word[i - 7] + (sha256_turned(b, 17) ^ sha256_turned(b, 19) ^ b >> 10);
    }
}

static inline void sha256_block(struct sha256 *s, const uint8_t *block)
{
    uint32_t word[SHA256_ROUNDS];
    uint32_t v[8];
    sha256_spread(block, word);
    memcpy(v, s->state, sizeof v);
    for (int i = 0; i < SHA256_ROUNDS; i++) {
        uint32_t e = v[4];
        uint32_t a = v[0];
        uint32_t first = v[7] + s->constant[i] + word[i] + ((e & v[5]) ^ (~e & v[6])) +
                         (sha256_turned(e, 6) ^ sha256_turned(e, 11) ^ sha256_turned(e, 25));
        uint32_t second = ((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2])) +
                          (sha256_turned(a, 2) ^ sha256_turned(a, 13) ^ sha256_turned(a, 22));
        memmove(v + 1, v, 7 * sizeof *v);
        v[4] += first;
        v[0] = first + second;
    }
    for (int i = 0; i < 8; i++) {
        s->state[i] += v[i];
    }
}

/* The first eight bytes of the digest of a message of at most 55 bytes: one block. */
static inline uint64_t sha256_first(const char *message)
{
    uint8_t block[SHA256_BLOCK] = {0};
    size_t length = strlen(message);
    struct sha256 s = sha256_start();
    CHECK(length <= SHA256_BLOCK - 9);
    memcpy(block, message, length);
    block[length] = 0x80;
    block[SHA256_BLOCK - 2] = (uint8_t)(length * 8 >> 8);
    block[SHA256_BLOCK - 1] = (uint8_t)(length * 8);
    sha256_block(&s, block);
    return (uint64_t)s.state[0] << 32 | s.state[1];
}

#endif
