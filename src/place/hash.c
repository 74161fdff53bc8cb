/*
 * hash: FNV by its published constants, and the table of names.
 */
#include "place/hash.h"

#include "base/check.h"
#include "base/prng.h"
#include "place/crc16.h"
#include "place/md5.h"
#include "place/murmur.h"
#include "place/xxhash.h"
#include <stddef.h>
#include <string.h>

#define BASIS_32 UINT32_C(0x811C9DC5)
#define PRIME_32 UINT32_C(0x01000193)
#define BASIS_64 UINT64_C(0xCBF29CE484222325)
#define PRIME_64 UINT64_C(0x00000100000001B3)

static const struct {
    const char *name;
    unsigned bits;
} kinds[HASH_COUNT] = {
    [HASH_CRC16] = {"crc16", 16},     [HASH_FNV1A] = {"fnv1a", 32},
    [HASH_FNV1A64] = {"fnv1a64", 64}, [HASH_MIX64] = {"mix64", 64},
    [HASH_MURMUR2] = {"murmur2", 32}, [HASH_MURMUR3] = {"murmur3", 64},
    [HASH_MD5] = {"md5", 64},         [HASH_CASSANDRA] = {"cassandra", 64},
    [HASH_XXH64] = {"xxh64", 64},
};

uint32_t fnv1a32(const void *data, size_t length)
{
    const uint8_t *at = data;
    uint32_t hash = BASIS_32;
    for (size_t i = 0; i < length; i++) {
        hash = (hash ^ at[i]) * PRIME_32;
    }
    return hash;
}

uint64_t fnv1a64(const void *data, size_t length)
{
    const uint8_t *at = data;
    uint64_t hash = BASIS_64;
    for (size_t i = 0; i < length; i++) {
        hash = (hash ^ at[i]) * PRIME_64;
    }
    return hash;
}

uint32_t fnv1_32(const void *data, size_t length)
{
    const uint8_t *at = data;
    uint32_t hash = BASIS_32;
    for (size_t i = 0; i < length; i++) {
        hash = hash * PRIME_32 ^ at[i];
    }
    return hash;
}

uint64_t fnv1_64(const void *data, size_t length)
{
    const uint8_t *at = data;
    uint64_t hash = BASIS_64;
    for (size_t i = 0; i < length; i++) {
        hash = hash * PRIME_64 ^ at[i];
    }
    return hash;
}

static uint64_t md5_first(struct bytes bytes)
{
    uint32_t word[4];
    md5_words(bytes.at, bytes.length, word);
    return word[0] | (uint64_t)word[1] << 32;
}

uint64_t hash_of(enum hash_id id, struct bytes bytes)
{
    switch (id) {
    case HASH_CRC16:
        return crc16(bytes.at, bytes.length);
    case HASH_FNV1A:
        return fnv1a32(bytes.at, bytes.length);
    case HASH_FNV1A64:
        return fnv1a64(bytes.at, bytes.length);
    case HASH_MIX64:
        return mix64(fnv1a64(bytes.at, bytes.length));
    case HASH_MURMUR2:
        return murmur2_32(bytes.at, bytes.length, MURMUR2_KAFKA_SEED);
    case HASH_MURMUR3:
        return murmur3_128(bytes.at, bytes.length, 0).first;
    case HASH_MD5:
        return md5_first(bytes);
    case HASH_CASSANDRA:
        return (uint64_t)cassandra_token(bytes.at, bytes.length);
    case HASH_XXH64:
        return xxh64(bytes.at, bytes.length, 0);
    case HASH_COUNT:
        break;
    }
    CHECK(id < HASH_COUNT);
    return 0;
}

unsigned hash_bits(enum hash_id id)
{
    CHECK((unsigned)id < HASH_COUNT);
    return kinds[id].bits;
}

const char *hash_name(enum hash_id id)
{
    CHECK((unsigned)id < HASH_COUNT);
    return kinds[id].name;
}

bool hash_by_name(const char *name, enum hash_id *id)
{
    for (unsigned i = 0; i < HASH_COUNT; i++) {
        if (strcmp(kinds[i].name, name) == 0) {
            *id = (enum hash_id)i;
            return true;
        }
    }
    return false;
}
