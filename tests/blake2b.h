/*
 * blake2b: the first eight bytes of BLAKE2b with a digest of eight, as a big-endian number: how one
 * of the worked examples places servers and keys on its ring. One block, so up to 128 bytes.
 * Source: RFC 7693.
 */
#ifndef HOTSHARD_TESTS_BLAKE2B_H
#define HOTSHARD_TESTS_BLAKE2B_H

#include <stdint.h>
#include <string.h>

static inline uint64_t blake2b_turn(uint64_t x, unsigned bits)
{
    return x >> bits | x << (64 - bits);
}

static inline void blake2b_mix(uint64_t v[16], const int at[4], uint64_t x, uint64_t y)
{
    uint64_t *a = &v[at[0]];
    uint64_t *b = &v[at[1]];
    uint64_t *c = &v[at[2]];
    uint64_t *d = &v[at[3]];
    *a += *b + x;
    *d = blake2b_turn(*d ^ *a, 32);
    *c += *d;
    *b = blake2b_turn(*b ^ *c, 24);
    *a += *b + y;
    *d = blake2b_turn(*d ^ *a, 16);
    *c += *d;
    *b = blake2b_turn(*b ^ *c, 63);
}

static inline uint64_t blake2b_8(const char *text)
{
    static const uint64_t start[8] = {UINT64_C(0x6A09E667F3BCC908), UINT64_C(0xBB67AE8584CAA73B),
                                      UINT64_C(0x3C6EF372FE94F82B), UINT64_C(0xA54FF53A5F1D36F1),
                                      UINT64_C(0x510E527FADE682D1), UINT64_C(0x9B05688C2B3E6C1F),
                                      UINT64_C(0x1F83D9ABFB41BD6B), UINT64_C(0x5BE0CD19137E2179)};
    static const uint8_t order[10][16] = {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
                                          {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
                                          {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
                                          {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
                                          {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
                                          {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
                                          {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
                                          {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
                                          {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
                                          {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0}};
    static const int lane[8][4] = {{0, 4, 8, 12},  {1, 5, 9, 13},  {2, 6, 10, 14}, {3, 7, 11, 15},
                                   {0, 5, 10, 15}, {1, 6, 11, 12}, {2, 7, 8, 13},  {3, 4, 9, 14}};
    uint64_t word[16] = {0};
    uint64_t v[16];
    size_t length = strlen(text);
    for (size_t i = 0; i < length; i++) {
        word[i / 8] |= (uint64_t)(uint8_t)text[i] << 8 * (i % 8);
    }
    for (int i = 0; i < 8; i++) {
        v[i] = v[i + 8] = start[i];
    }
    uint64_t first = start[0] ^ UINT64_C(0x01010008); /* a digest of eight bytes, no key */
    v[0] = first;
    v[12] ^= length;
    v[14] = ~v[14]; /* the last block */
    for (int round = 0; round < 12; round++) {
        const uint8_t *by = order[round % 10];
        for (int i = 0; i < 8; i++) {
            blake2b_mix(v, lane[i], word[by[2 * i]], word[by[2 * i + 1]]);
        }
    }
    uint64_t digest = first ^ v[0] ^ v[8];
    uint64_t number = 0;
    for (int i = 0; i < 8; i++) {
        number = number << 8 | (digest >> 8 * i & 0xFF);
    }
    return number;
}

#endif
