/*
 * hash: FNV-1a by its published constants, and the table of names.
 */
#include "place/hash.h"

#include "base/check.h"
#include "base/prng.h"
#include "place/crc16.h"
#include <stddef.h>
#include <string.h>

static const char *const names[HASH_COUNT] = {
    [HASH_CRC16] = "crc16",
    [HASH_FNV1A] = "fnv1a",
    [HASH_FNV1A64] = "fnv1a64",
    [HASH_MIX64] = "mix64",
};

uint32_t fnv1a32(const void *data, size_t length)
{
    const uint8_t *at = data;
    uint32_t hash = UINT32_C(0x811C9DC5);
    for (size_t i = 0; i < length; i++) {
        hash = (hash ^ at[i]) * UINT32_C(0x01000193);
    }
    return hash;
}

uint64_t fnv1a64(const void *data, size_t length)
{
    const uint8_t *at = data;
    uint64_t hash = UINT64_C(0xCBF29CE484222325);
    for (size_t i = 0; i < length; i++) {
        hash = (hash ^ at[i]) * UINT64_C(0x00000100000001B3);
    }
    return hash;
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
    case HASH_COUNT:
        break;
    }
    CHECK(id < HASH_COUNT);
    return 0;
}

const char *hash_name(enum hash_id id)
{
    CHECK((unsigned)id < HASH_COUNT);
    return names[id];
}

bool hash_by_name(const char *name, enum hash_id *id)
{
    for (unsigned i = 0; i < HASH_COUNT; i++) {
        if (strcmp(names[i], name) == 0) {
            *id = (enum hash_id)i;
            return true;
        }
    }
    return false;
}
