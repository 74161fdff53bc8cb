/*
 * client_hash: the 32-bit hashes that HAProxy and the clients of memcached offer for a ring.
 *
 * HAProxy's `hash-type` names a function (sdbm, djb2, wt6 or crc32) and may ask for its result to
 * be stirred once more (avalanche); the points of servers always are. Source: HAProxy's manual,
 * "hash-type", and its hash.c for wt6; the integer mix is B. Jenkins'.
 *
 * libhashkit, the hashes of libmemcached, has names of its own, and some of them mean something
 * else there; the notes below say what. Source: values measured with libhashkit 1.1.4, and for the
 * functions behind them B. Jenkins (one-at-a-time, lookup3), A. Appleby and Fowler, Noll, Vo.
 */
#ifndef HOTSHARD_PLACE_CLIENT_HASH_H
#define HOTSHARD_PLACE_CLIENT_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

uint32_t hash_crc32(const void *data, size_t length); /* CRC-32 of Ethernet, zlib and PNG */
uint32_t hash_djb2(const void *data, size_t length);  /* hash * 33 + byte, from 5381 */
uint32_t hash_sdbm(const void *data, size_t length);  /* hash * 65599 + byte, from 0 */
uint32_t hash_wt6(const void *data, size_t length);
uint32_t hash_one_at_a_time(const void *data, size_t length);
uint32_t hash_lookup3(const void *data, size_t length, uint32_t seed);

uint32_t haproxy_avalanche(uint32_t hash);

/* The hash that libhashkit calls `name`; false where there is none of that name.
 *
 *     md5            the first four bytes of the digest as a little-endian number
 *     crc            bits 16 to 30 of CRC-32: 15 bits only
 *     fnv1_64        the low half of the 64-bit hash, fnv1a_64 likewise
 *     fnv1_32        as published, fnv1a_32 and one_at_a_time likewise
 *     murmur         murmur2_32; its seed is the length times 0xDEADBEEF, murmur3's likewise
 *     murmur3        murmur3_32
 *     jenkins        lookup3 with seed 13 */
bool memcached_hash(const char *name, const void *data, size_t length, uint32_t *hash);

#endif
