/*
 * murmur: MurmurHash2 and MurmurHash3, and who of the story's systems uses which.
 *
 * Source: Austin Appleby, SMHasher (public domain). All read bytes as little-endian words, whatever
 * the machine; lengths count modulo the word they are mixed in as, as in the originals.
 *
 *     murmur2_32      Kafka's default partitioner, with MURMUR2_KAFKA_SEED
 *     murmur2_64a     std::hash of libstdc++ and so Envoy's ring, with MURMUR2_STD_SEED
 *     murmur3_32      Hazelcast, with MURMUR3_HAZELCAST_SEED; rendezvous of clandestined with 0
 *     murmur3_128     Maglev of Cilium; both halves count
 *     cassandra_token Murmur3Partitioner of Cassandra
 */
#ifndef HOTSHARD_PLACE_MURMUR_H
#define HOTSHARD_PLACE_MURMUR_H

#include <stddef.h>
#include <stdint.h>

#define MURMUR2_KAFKA_SEED UINT32_C(0x9747B28C)
#define MURMUR2_STD_SEED UINT64_C(0xC70F6907)
#define MURMUR3_HAZELCAST_SEED UINT32_C(0x01000193)

struct murmur3_128 {
    uint64_t first;
    uint64_t second;
};

uint32_t murmur2_32(const void *data, size_t length, uint32_t seed);
uint64_t murmur2_64a(const void *data, size_t length, uint64_t seed);
uint32_t murmur3_32(const void *data, size_t length, uint32_t seed);
struct murmur3_128 murmur3_128(const void *data, size_t length, uint32_t seed); /* x64 variant */

/* The first half of murmur3_128 with seed 0, but for three rules of Cassandra's own. The bytes
 * behind the last whole 16 are signed, as bytes are in Java: one above 127 flips all bits above its
 * own too. INT64_MIN is no token of a key, so a hash of that becomes INT64_MAX. And the empty key
 * has the minimum as its token: INT64_MIN. */
int64_t cassandra_token(const void *data, size_t length);

#endif
