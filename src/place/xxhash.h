/*
 * xxhash: XXH32, XXH64 and the 64-bit XXH3.
 *
 * Envoy's ring and Maglev use XXH64. Source: Y. Collet, "xxHash fast digest algorithm" (the
 * format's specification in the xxHash repository, doc/xxhash_spec.md). Bytes are read as
 * little-endian words, so the hashes are the same on every machine. XXH3 is the plain version of
 * its main loop, without vector instructions.
 */
#ifndef HOTSHARD_PLACE_XXHASH_H
#define HOTSHARD_PLACE_XXHASH_H

#include <stddef.h>
#include <stdint.h>

uint32_t xxh32(const void *data, size_t length, uint32_t seed);
uint64_t xxh64(const void *data, size_t length, uint64_t seed);
uint64_t xxh3_64(const void *data, size_t length, uint64_t seed);

#endif
