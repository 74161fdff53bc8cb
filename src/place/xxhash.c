/*
 * xxhash: XXH32 and XXH64 first. Four lanes take a word each, so that a processor mixes them at
 * the same time; what is shorter than a stripe of four words goes in word by word and byte by byte.
 */
#include "place/xxhash.h"

#include "place/word.h"

#define P32_1 UINT32_C(0x9E3779B1)
#define P32_2 UINT32_C(0x85EBCA77)
#define P32_3 UINT32_C(0xC2B2AE3D)
#define P32_4 UINT32_C(0x27D4EB2F)
#define P32_5 UINT32_C(0x165667B1)

#define P64_1 UINT64_C(0x9E3779B185EBCA87)
#define P64_2 UINT64_C(0xC2B2AE3D27D4EB4F)
#define P64_3 UINT64_C(0x165667B19E3779F9)
#define P64_4 UINT64_C(0x85EBCA77C2B2AE63)
#define P64_5 UINT64_C(0x27D4EB2F165667C5)

static uint32_t round32(uint32_t lane, uint32_t word)
{
    return word_rotate32(lane + word * P32_2, 13) * P32_1;
}

uint32_t xxh32(const void *data, size_t length, uint32_t seed)
{
    const uint8_t *at = data;
    size_t left = length;
    uint32_t hash = seed + P32_5;
    if (left >= 16) {
        uint32_t lane[4] = {seed + P32_1 + P32_2, seed + P32_2, seed, seed - P32_1};
        for (; left >= 16; at += 16, left -= 16) {
            for (unsigned i = 0; i < 4; i++) {
                lane[i] = round32(lane[i], word_read32(at + 4 * (size_t)i));
            }
        }
        hash = word_rotate32(lane[0], 1) + word_rotate32(lane[1], 7) + word_rotate32(lane[2], 12) +
               word_rotate32(lane[3], 18);
    }
    hash += (uint32_t)length;
    for (; left >= 4; at += 4, left -= 4) {
        hash = word_rotate32(hash + word_read32(at) * P32_3, 17) * P32_4;
    }
    for (; left > 0; at++, left--) {
        hash = word_rotate32(hash + *at * P32_5, 11) * P32_1;
    }
    hash = (hash ^ hash >> 15) * P32_2;
    hash = (hash ^ hash >> 13) * P32_3;
    return hash ^ hash >> 16;
}

static uint64_t round64(uint64_t lane, uint64_t word)
{
    return word_rotate64(lane + word * P64_2, 31) * P64_1;
}

static uint64_t finish64(uint64_t hash)
{
    hash = (hash ^ hash >> 33) * P64_2;
    hash = (hash ^ hash >> 29) * P64_3;
    return hash ^ hash >> 32;
}

uint64_t xxh64(const void *data, size_t length, uint64_t seed)
{
    const uint8_t *at = data;
    size_t left = length;
    uint64_t hash = seed + P64_5;
    if (left >= 32) {
        uint64_t lane[4] = {seed + P64_1 + P64_2, seed + P64_2, seed, seed - P64_1};
        for (; left >= 32; at += 32, left -= 32) {
            for (unsigned i = 0; i < 4; i++) {
                lane[i] = round64(lane[i], word_read64(at + 8 * (size_t)i));
            }
        }
        hash = word_rotate64(lane[0], 1) + word_rotate64(lane[1], 7) + word_rotate64(lane[2], 12) +
               word_rotate64(lane[3], 18);
        for (unsigned i = 0; i < 4; i++) {
            hash = (hash ^ round64(0, lane[i])) * P64_1 + P64_4;
        }
    }
    hash += length;
    for (; left >= 8; at += 8, left -= 8) {
        hash = word_rotate64(hash ^ round64(0, word_read64(at)), 27) * P64_1 + P64_4;
    }
    if (left >= 4) {
        hash = word_rotate64(hash ^ word_read32(at) * P64_1, 23) * P64_2 + P64_3;
        at += 4;
        left -= 4;
    }
    for (; left > 0; at++, left--) {
        hash = word_rotate64(hash ^ *at * P64_5, 11) * P64_1;
    }
    return finish64(hash);
}

/*
 * XXH3. Lengths up to 240 go through short mixing of their own, longer ones through eight lanes;
 * all of them take their constants from a table of 192 arbitrary bytes, the secret. A seed changes
 * the secret, or what is read of it.
 */
#define SECRET_BYTES 192
#define STRIPE 64
#define SECRET_STEP 8 /* each stripe of a block reads the secret that much further on */
#define BLOCK_STRIPES ((SECRET_BYTES - STRIPE) / SECRET_STEP)
#define BLOCK ((size_t)BLOCK_STRIPES * STRIPE)

static const uint8_t secret[SECRET_BYTES] = {
    0xB8, 0xFE, 0x6C, 0x39, 0x23, 0xA4, 0x4B, 0xBE, 0x7C, 0x01, 0x81, 0x2C, 0xF7, 0x21, 0xAD, 0x1C,
    0xDE, 0xD4, 0x6D, 0xE9, 0x83, 0x90, 0x97, 0xDB, 0x72, 0x40, 0xA4, 0xA4, 0xB7, 0xB3, 0x67, 0x1F,
    0xCB, 0x79, 0xE6, 0x4E, 0xCC, 0xC0, 0xE5, 0x78, 0x82, 0x5A, 0xD0, 0x7D, 0xCC, 0xFF, 0x72, 0x21,
    0xB8, 0x08, 0x46, 0x74, 0xF7, 0x43, 0x24, 0x8E, 0xE0, 0x35, 0x90, 0xE6, 0x81, 0x3A, 0x26, 0x4C,
    0x3C, 0x28, 0x52, 0xBB, 0x91, 0xC3, 0x00, 0xCB, 0x88, 0xD0, 0x65, 0x8B, 0x1B, 0x53, 0x2E, 0xA3,
    0x71, 0x64, 0x48, 0x97, 0xA2, 0x0D, 0xF9, 0x4E, 0x38, 0x19, 0xEF, 0x46, 0xA9, 0xDE, 0xAC, 0xD8,
    0xA8, 0xFA, 0x76, 0x3F, 0xE3, 0x9C, 0x34, 0x3F, 0xF9, 0xDC, 0xBB, 0xC7, 0xC7, 0x0B, 0x4F, 0x1D,
    0x8A, 0x51, 0xE0, 0x4B, 0xCD, 0xB4, 0x59, 0x31, 0xC8, 0x9F, 0x7E, 0xC9, 0xD9, 0x78, 0x73, 0x64,
    0xEA, 0xC5, 0xAC, 0x83, 0x34, 0xD3, 0xEB, 0xC3, 0xC5, 0x81, 0xA0, 0xFF, 0xFA, 0x13, 0x63, 0xEB,
    0x17, 0x0D, 0xDD, 0x51, 0xB7, 0xF0, 0xDA, 0x49, 0xD3, 0x16, 0x55, 0x26, 0x29, 0xD4, 0x68, 0x9E,
    0x2B, 0x16, 0xBE, 0x58, 0x7D, 0x47, 0xA1, 0xFC, 0x8F, 0xF8, 0xB8, 0xD1, 0x7A, 0xD0, 0x31, 0xCE,
    0x45, 0xCB, 0x3A, 0x8F, 0x95, 0x16, 0x04, 0x28, 0xAF, 0xD7, 0xFB, 0xCA, 0xBB, 0x4B, 0x40, 0x7E,
};

static uint64_t swap64(uint64_t x)
{
    x = (x & UINT64_C(0x00FF00FF00FF00FF)) << 8 | (x >> 8 & UINT64_C(0x00FF00FF00FF00FF));
    x = (x & UINT64_C(0x0000FFFF0000FFFF)) << 16 | (x >> 16 & UINT64_C(0x0000FFFF0000FFFF));
    return word_rotate64(x, 32);
}

/* Both halves of the product of 128 bits, one over the other. */
static uint64_t fold(uint64_t a, uint64_t b)
{
    unsigned __int128 product = (unsigned __int128)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static uint64_t finish3(uint64_t hash)
{
    hash = (hash ^ hash >> 37) * UINT64_C(0x165667919E3779F9);
    return hash ^ hash >> 32;
}

static uint64_t mix16(const uint8_t *at, const uint8_t *key, uint64_t seed)
{
    return fold(word_read64(at) ^ (word_read64(key) + seed),
                word_read64(at + 8) ^ (word_read64(key + 8) - seed));
}

static uint64_t xxh3_to_3(const uint8_t *at, size_t length, uint64_t seed)
{
    uint32_t word = at[length - 1] | (uint32_t)length << 8 | (uint32_t)at[0] << 16 |
                    (uint32_t)at[length >> 1] << 24;
    return finish64(word ^ ((word_read32(secret) ^ word_read32(secret + 4)) + seed));
}

static uint64_t xxh3_to_8(const uint8_t *at, size_t length, uint64_t seed)
{
    const uint64_t multiplier = UINT64_C(0x9FB21C651E98DF25);
    seed ^= swap64(seed & UINT32_MAX);
    uint64_t word = (uint64_t)word_read32(at) << 32 | word_read32(at + length - 4);
    uint64_t hash = word ^ ((word_read64(secret + 8) ^ word_read64(secret + 16)) - seed);
    hash = (hash ^ word_rotate64(hash, 49) ^ word_rotate64(hash, 24)) * multiplier;
    hash = (hash ^ ((hash >> 35) + length)) * multiplier;
    return hash ^ hash >> 28;
}

static uint64_t xxh3_to_16(const uint8_t *at, size_t length, uint64_t seed)
{
    uint64_t low = (word_read64(secret + 24) ^ word_read64(secret + 32)) + seed;
    uint64_t high = (word_read64(secret + 40) ^ word_read64(secret + 48)) - seed;
    low ^= word_read64(at);
    high ^= word_read64(at + length - 8);
    return finish3(length + swap64(low) + high + fold(low, high));
}

/* Pairs of 16 bytes from both ends inwards; in the middle they may overlap. */
static uint64_t xxh3_to_128(const uint8_t *at, size_t length, uint64_t seed)
{
    uint64_t hash = length * P64_1;
    for (size_t i = 0; i <= (length - 1) / 32; i++) {
        hash += mix16(at + 16 * i, secret + 32 * i, seed);
        hash += mix16(at + length - 16 * (i + 1), secret + 32 * i + 16, seed);
    }
    return finish3(hash);
}

static uint64_t xxh3_to_240(const uint8_t *at, size_t length, uint64_t seed)
{
    uint64_t hash = length * P64_1;
    for (size_t i = 0; i < 8; i++) {
        hash += mix16(at + 16 * i, secret + 16 * i, seed);
    }
    hash = finish3(hash);
    for (size_t i = 8; i < length / 16; i++) {
        hash += mix16(at + 16 * i, secret + 16 * (i - 8) + 3, seed);
    }
    return finish3(hash + mix16(at + length - 16, secret + 119, seed));
}

static void add_stripe(uint64_t lane[8], const uint8_t *at, const uint8_t *key)
{
    for (size_t i = 0; i < 8; i++) {
        uint64_t word = word_read64(at + 8 * i);
        uint64_t keyed = word ^ word_read64(key + 8 * i);
        lane[i ^ 1] += word;
        lane[i] += (keyed & UINT32_MAX) * (keyed >> 32);
    }
}

static void add_stripes(uint64_t lane[8], const uint8_t *at, size_t count, const uint8_t *key)
{
    for (size_t i = 0; i < count; i++) {
        add_stripe(lane, at + STRIPE * i, key + SECRET_STEP * i);
    }
}

static void end_block(uint64_t lane[8], const uint8_t *key)
{
    for (size_t i = 0; i < 8; i++) {
        lane[i] = (lane[i] ^ lane[i] >> 47 ^ word_read64(key + 8 * i)) * P32_1;
    }
}

static void seed_secret(uint8_t key[SECRET_BYTES], uint64_t seed)
{
    for (size_t i = 0; i < SECRET_BYTES; i += 8) {
        uint64_t word = word_read64(secret + i) + (i % 16 == 0 ? seed : -seed);
        for (size_t j = 0; j < 8; j++) {
            key[i + j] = (uint8_t)(word >> 8 * j);
        }
    }
}

static uint64_t xxh3_long(const uint8_t *at, size_t length, uint64_t seed)
{
    uint8_t key[SECRET_BYTES];
    seed_secret(key, seed);
    uint64_t lane[8] = {P32_3, P64_1, P64_2, P64_3, P64_4, P32_2, P64_5, P32_1};
    const uint8_t *last = at + length - STRIPE; /* read once more, whatever was read of it */
    size_t left = length;
    for (; left > BLOCK; at += BLOCK, left -= BLOCK) {
        add_stripes(lane, at, BLOCK_STRIPES, key);
        end_block(lane, key + SECRET_BYTES - STRIPE);
    }
    add_stripes(lane, at, (left - 1) / STRIPE, key);
    add_stripe(lane, last, key + SECRET_BYTES - STRIPE - 7);

    uint64_t hash = length * P64_1;
    for (size_t i = 0; i < 8; i += 2) {
        hash += fold(lane[i] ^ word_read64(key + 11 + 8 * i),
                     lane[i + 1] ^ word_read64(key + 19 + 8 * i));
    }
    return finish3(hash);
}

uint64_t xxh3_64(const void *data, size_t length, uint64_t seed)
{
    if (length == 0) {
        return finish64(seed ^ word_read64(secret + 56) ^ word_read64(secret + 64));
    }
    if (length <= 3) {
        return xxh3_to_3(data, length, seed);
    }
    if (length <= 8) {
        return xxh3_to_8(data, length, seed);
    }
    if (length <= 16) {
        return xxh3_to_16(data, length, seed);
    }
    if (length <= 128) {
        return xxh3_to_128(data, length, seed);
    }
    return length <= 240 ? xxh3_to_240(data, length, seed) : xxh3_long(data, length, seed);
}
