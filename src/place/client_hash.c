/*
 * client_hash: each function by its definition, and libhashkit's table of names.
 */
#include "place/client_hash.h"

#include "place/hash.h"
#include "place/md5.h"
#include "place/murmur.h"
#include "place/word.h"
#include <string.h>

uint32_t hash_crc32(const void *data, size_t length)
{
    /* Effect of four bits that leave at the low end, polynomial 0xEDB88320 (bits reversed). */
    static const uint32_t effect[16] = {
        0x00000000, 0x1DB71064, 0x3B6E20C8, 0x26D930AC, 0x76DC4190, 0x6B6B51F4,
        0x4DB26158, 0x5005713C, 0xEDB88320, 0xF00F9344, 0xD6D6A3E8, 0xCB61B38C,
        0x9B64C2B0, 0x86D3D2D4, 0xA00AE278, 0xBDBDF21C,
    };
    const uint8_t *at = data;
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < length; i++) {
        crc ^= at[i];
        crc = crc >> 4 ^ effect[crc & 15];
        crc = crc >> 4 ^ effect[crc & 15];
    }
    return ~crc;
}

uint32_t hash_djb2(const void *data, size_t length)
{
    const uint8_t *at = data;
    uint32_t hash = 5381;
    for (size_t i = 0; i < length; i++) {
        hash = hash * 33 + at[i];
    }
    return hash;
}

uint32_t hash_sdbm(const void *data, size_t length)
{
    const uint8_t *at = data;
    uint32_t hash = 0;
    for (size_t i = 0; i < length; i++) {
        hash = hash * 65599 + at[i];
    }
    return hash;
}

/* Two words swap places at each byte; how far they turn hangs on what they were before. */
uint32_t hash_wt6(const void *data, size_t length)
{
    const uint8_t *at = data;
    uint32_t first = UINT32_C(0xA53C965A);
    uint32_t second = UINT32_C(0x5CA6953A);
    unsigned turn_second = 6;
    unsigned turn_first = 18;
    for (size_t i = 0; i < length; i++) {
        uint32_t turned = word_rotate32(~(second + at[i]), turn_second);
        second = word_rotate32(~(first ^ at[i]), turn_first);
        first = turned;
        uint32_t turns = (first >> 16 ^ second) & 0xFFFF;
        turn_second = turns & 31;
        turn_first = turns >> 11;
    }
    return first ^ second;
}

uint32_t hash_one_at_a_time(const void *data, size_t length)
{
    const uint8_t *at = data;
    uint32_t hash = 0;
    for (size_t i = 0; i < length; i++) {
        hash += at[i];
        hash += hash << 10;
        hash ^= hash >> 6;
    }
    hash += hash << 3;
    hash ^= hash >> 11;
    return hash + (hash << 15);
}

/* The next up to four bytes as a little-endian word; none give 0. */
static uint32_t next_word(const uint8_t **at, size_t *left)
{
    uint32_t word = 0;
    unsigned size = *left < 4 ? (unsigned)*left : 4;
    for (unsigned i = 0; i < size; i++) {
        word |= (uint32_t)(*at)[i] << 8 * i;
    }
    *at += size;
    *left -= size;
    return word;
}

/* One step of lookup3's stirring between blocks: takes a word out, and puts it in one further on.
 */
static void stir(uint32_t *x, uint32_t *y, uint32_t z, unsigned turn)
{
    *x = (*x - *y) ^ word_rotate32(*y, turn);
    *y += z;
}

/* One step of its last stirring. */
static void finish(uint32_t *x, uint32_t y, unsigned turn)
{
    *x = (*x ^ y) - word_rotate32(y, turn);
}

uint32_t hash_lookup3(const void *data, size_t length, uint32_t seed)
{
    const uint8_t *at = data;
    size_t left = length;
    uint32_t a = UINT32_C(0xDEADBEEF) + (uint32_t)length + seed;
    uint32_t b = a;
    uint32_t c = a;
    if (length == 0) {
        return c;
    }
    for (;;) {
        bool last = left <= 12;
        a += next_word(&at, &left);
        b += next_word(&at, &left);
        c += next_word(&at, &left);
        if (last) {
            break;
        }
        stir(&a, &c, b, 4);
        stir(&b, &a, c, 6);
        stir(&c, &b, a, 8);
        stir(&a, &c, b, 16);
        stir(&b, &a, c, 19);
        stir(&c, &b, a, 4);
    }
    finish(&c, b, 14);
    finish(&a, c, 11);
    finish(&b, a, 25);
    finish(&c, b, 16);
    finish(&a, c, 4);
    finish(&b, a, 14);
    finish(&c, b, 24);
    return c;
}

uint32_t haproxy_avalanche(uint32_t hash)
{
    hash = (hash + UINT32_C(0x7ED55D16)) + (hash << 12);
    hash = (hash ^ UINT32_C(0xC761C23C)) ^ (hash >> 19);
    hash = (hash + UINT32_C(0x165667B1)) + (hash << 5);
    hash = (hash + UINT32_C(0xD3A2646C)) ^ (hash << 9);
    hash = (hash + UINT32_C(0xFD7046C5)) + (hash << 3);
    hash = (hash ^ UINT32_C(0xB55A4F09)) ^ (hash >> 16);
    return hash * UINT32_C(3221225473);
}

static uint32_t low_fnv1_64(const void *data, size_t length)
{
    return (uint32_t)fnv1_64(data, length);
}

static uint32_t low_fnv1a_64(const void *data, size_t length)
{
    return (uint32_t)fnv1a64(data, length);
}

static uint32_t low_md5(const void *data, size_t length)
{
    uint32_t word[4];
    md5_words(data, length, word);
    return word[0];
}

static uint32_t middle_crc32(const void *data, size_t length)
{
    return hash_crc32(data, length) >> 16 & 0x7FFF;
}

static uint32_t length_seed(size_t length)
{
    return UINT32_C(0xDEADBEEF) * (uint32_t)length;
}

static uint32_t seeded_murmur2(const void *data, size_t length)
{
    return murmur2_32(data, length, length_seed(length));
}

static uint32_t seeded_murmur3(const void *data, size_t length)
{
    return murmur3_32(data, length, length_seed(length));
}

static uint32_t seeded_lookup3(const void *data, size_t length)
{
    return hash_lookup3(data, length, 13);
}

bool memcached_hash(const char *name, const void *data, size_t length, uint32_t *hash)
{
    static const struct {
        const char *name;
        uint32_t (*hash)(const void *data, size_t length);
    } kinds[] = {
        {"md5", low_md5},
        {"crc", middle_crc32},
        {"fnv1_64", low_fnv1_64},
        {"fnv1a_64", low_fnv1a_64},
        {"fnv1_32", fnv1_32},
        {"fnv1a_32", fnv1a32},
        {"one_at_a_time", hash_one_at_a_time},
        {"murmur", seeded_murmur2},
        {"murmur3", seeded_murmur3},
        {"jenkins", seeded_lookup3},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strcmp(kinds[i].name, name) == 0) {
            *hash = kinds[i].hash(data, length);
            return true;
        }
    }
    return false;
}
