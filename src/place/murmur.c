/*
 * murmur: words are mixed into the state one after the other, the bytes behind the last whole word
 * as a word of their own, and at the end the state is stirred until each bit depends on each.
 */
#include "place/murmur.h"

#include "place/word.h"

#define MUL2_32 UINT32_C(0x5BD1E995)
#define MUL2_64 UINT64_C(0xC6A4A7935BD1E995)
#define MUL3_32_A UINT32_C(0xCC9E2D51)
#define MUL3_32_B UINT32_C(0x1B873593)
#define MUL3_64_A UINT64_C(0x87C37B91114253D5)
#define MUL3_64_B UINT64_C(0x4CF5AD432745937F)

/* Fewer than eight bytes as a little-endian word. */
static uint64_t read_tail(const uint8_t *at, size_t length)
{
    uint64_t word = 0;
    for (size_t i = 0; i < length; i++) {
        word |= (uint64_t)at[i] << 8 * i;
    }
    return word;
}

uint32_t murmur2_32(const void *data, size_t length, uint32_t seed)
{
    const uint8_t *at = data;
    uint32_t hash = seed ^ (uint32_t)length;
    for (; length >= 4; at += 4, length -= 4) {
        uint32_t word = word_read32(at) * MUL2_32;
        hash = hash * MUL2_32 ^ (word ^ word >> 24) * MUL2_32;
    }
    if (length > 0) {
        hash = (hash ^ (uint32_t)read_tail(at, length)) * MUL2_32;
    }
    hash = (hash ^ hash >> 13) * MUL2_32;
    return hash ^ hash >> 15;
}

uint64_t murmur2_64a(const void *data, size_t length, uint64_t seed)
{
    const uint8_t *at = data;
    uint64_t hash = seed ^ length * MUL2_64;
    for (; length >= 8; at += 8, length -= 8) {
        uint64_t word = word_read64(at) * MUL2_64;
        hash = (hash ^ (word ^ word >> 47) * MUL2_64) * MUL2_64;
    }
    if (length > 0) {
        hash = (hash ^ read_tail(at, length)) * MUL2_64;
    }
    hash = (hash ^ hash >> 47) * MUL2_64;
    return hash ^ hash >> 47;
}

static uint32_t stir3_32(uint32_t word)
{
    return word_rotate32(word * MUL3_32_A, 15) * MUL3_32_B;
}

uint32_t murmur3_32(const void *data, size_t length, uint32_t seed)
{
    const uint8_t *at = data;
    uint32_t hash = seed;
    size_t left = length;
    for (; left >= 4; at += 4, left -= 4) {
        hash = word_rotate32(hash ^ stir3_32(word_read32(at)), 13) * 5 + UINT32_C(0xE6546B64);
    }
    hash ^= stir3_32((uint32_t)read_tail(at, left)); /* nothing left: zero, which stays zero */
    hash ^= (uint32_t)length;
    hash = (hash ^ hash >> 16) * UINT32_C(0x85EBCA6B);
    hash = (hash ^ hash >> 13) * UINT32_C(0xC2B2AE35);
    return hash ^ hash >> 16;
}

static uint64_t stir3_first(uint64_t word)
{
    return word_rotate64(word * MUL3_64_A, 31) * MUL3_64_B;
}

static uint64_t stir3_second(uint64_t word)
{
    return word_rotate64(word * MUL3_64_B, 33) * MUL3_64_A;
}

static uint64_t finish3_64(uint64_t x)
{
    x = (x ^ x >> 33) * UINT64_C(0xFF51AFD7ED558CCD);
    x = (x ^ x >> 33) * UINT64_C(0xC4CEB9FE1A85EC53);
    return x ^ x >> 33;
}

/* All whole blocks of 16 bytes. */
static struct murmur3_128 mix_blocks(const uint8_t *at, size_t length, uint32_t seed)
{
    struct murmur3_128 hash = {seed, seed};
    for (; length >= 16; at += 16, length -= 16) {
        hash.first ^= stir3_first(word_read64(at));
        hash.first = word_rotate64(hash.first, 27) + hash.second;
        hash.first = hash.first * 5 + UINT64_C(0x52DCE729);
        hash.second ^= stir3_second(word_read64(at + 8));
        hash.second = word_rotate64(hash.second, 31) + hash.first;
        hash.second = hash.second * 5 + UINT64_C(0x38495AB5);
    }
    return hash;
}

/* The two words of what is left of 16 bytes, and the length. */
static struct murmur3_128 finish(struct murmur3_128 hash, uint64_t first, uint64_t second,
                                 size_t length)
{
    hash.first ^= stir3_first(first) ^ length;
    hash.second ^= stir3_second(second) ^ length;
    hash.first += hash.second;
    hash.second += hash.first;
    hash.first = finish3_64(hash.first);
    hash.second = finish3_64(hash.second);
    hash.first += hash.second;
    hash.second += hash.first;
    return hash;
}

struct murmur3_128 murmur3_128(const void *data, size_t length, uint32_t seed)
{
    const uint8_t *bytes = data;
    size_t left = length % 16;
    const uint8_t *tail = length > 0 ? bytes + (length - left) : bytes;
    uint64_t first = left < 8 ? read_tail(tail, left) : word_read64(tail);
    uint64_t second = left > 8 ? read_tail(tail + 8, left - 8) : 0;
    return finish(mix_blocks(bytes, length, seed), first, second, length);
}

/* As read_tail, of up to eight bytes that are signed; they overlap, so they add by exclusive or. */
static uint64_t read_tail_signed(const uint8_t *at, size_t length)
{
    uint64_t word = 0;
    for (size_t i = 0; i < length && i < 8; i++) {
        uint64_t wide = at[i] < 0x80 ? at[i] : at[i] | ~UINT64_C(0xFF);
        word ^= wide << 8 * i;
    }
    return word;
}

int64_t cassandra_token(const void *data, size_t length)
{
    if (length == 0) {
        return INT64_MIN;
    }
    const uint8_t *bytes = data;
    size_t left = length % 16;
    const uint8_t *tail = bytes + (length - left);
    uint64_t first = read_tail_signed(tail, left);
    uint64_t second = left > 8 ? read_tail_signed(tail + 8, left - 8) : 0;
    int64_t token = (int64_t)finish(mix_blocks(bytes, length, 0), first, second, length).first;
    return token == INT64_MIN ? INT64_MAX : token;
}
