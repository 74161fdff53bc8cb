/*
 * hash: the hashes of keys by name.
 *
 * `crc16` and `fnv1a` (32 bits) and `fnv1a64` hash the bytes given; `mix64` is one splitmix64 step
 * over fnv1a64, the default wherever all 64 bits matter. Sources: Fowler/Noll/Vo for FNV-1a,
 * Steele/Lea/Flood for splitmix64. crc16 callers pass the tag themselves when tags count (see
 * layout_hash).
 */
#ifndef HOTSHARD_PLACE_HASH_H
#define HOTSHARD_PLACE_HASH_H

#include "base/str.h"
#include <stdbool.h>
#include <stdint.h>

enum hash_id {
    HASH_CRC16,
    HASH_FNV1A,
    HASH_FNV1A64,
    HASH_MIX64,
    HASH_COUNT
};

uint32_t fnv1a32(const void *data, size_t length);
uint64_t fnv1a64(const void *data, size_t length);
uint64_t hash_of(enum hash_id id, struct bytes bytes);
const char *hash_name(enum hash_id id);
bool hash_by_name(const char *name, enum hash_id *id);

#endif
