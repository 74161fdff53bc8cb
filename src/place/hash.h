/*
 * hash: the hashes of keys by name.
 *
 * All take bytes as they are; callers pass the tag themselves when tags count (see layout_hash). A
 * hash of fewer than 64 bits stands in the low ones. What each is and where it comes from:
 *
 *     crc16     16 bits  Redis Cluster's (crc16.h)
 *     fnv1a     32       Fowler, Noll, Vo
 *     fnv1a64   64       the same with 64 bits; its low bits are weak on short keys
 *     mix64     64       one splitmix64 step (Steele, Lea, Flood) over fnv1a64: the default
 * wherever all 64 bits matter murmur2   32       Kafka's (murmur.h) murmur3   64       the first
 * half of MurmurHash3 x64-128, seed 0 md5       64       the first eight bytes of the digest as a
 * little-endian number (md5.h) cassandra 64       Cassandra's token, a signed number, as its bits
 * (murmur.h) xxh64     64       XXH64, seed 0 (xxhash.h)
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
    HASH_MURMUR2,
    HASH_MURMUR3,
    HASH_MD5,
    HASH_CASSANDRA,
    HASH_XXH64,
    HASH_COUNT
};

/* FNV-1a xors a byte in and then multiplies; the older FNV-1 the other way round. */
uint32_t fnv1a32(const void *data, size_t length);
uint64_t fnv1a64(const void *data, size_t length);
uint32_t fnv1_32(const void *data, size_t length);
uint64_t fnv1_64(const void *data, size_t length);

uint64_t hash_of(enum hash_id id, struct bytes bytes);
unsigned hash_bits(enum hash_id id); /* 16, 32 or 64: how many of a hash mean anything */
const char *hash_name(enum hash_id id);
bool hash_by_name(const char *name, enum hash_id *id);

#endif
