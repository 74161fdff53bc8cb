/*
 * md5: the digest of RFC 1321, here only to spread keys.
 *
 * Ketama takes a digest as four points of a ring, Kinesis and Cassandra's RandomPartitioner as one
 * number of 128 bits. As a seal MD5 has been broken for twenty years; its bits are still evenly
 * spread. The message is given at once; source: R. Rivest, RFC 1321, whose test suite the tests
 * replay.
 */
#ifndef HOTSHARD_PLACE_MD5_H
#define HOTSHARD_PLACE_MD5_H

#include <stddef.h>
#include <stdint.h>

#define MD5_BYTES 16

void md5(const void *data, size_t length, uint8_t digest[MD5_BYTES]);
/* The digest as four little-endian numbers, in order: word[0] is its first four bytes. */
void md5_words(const void *data, size_t length, uint32_t word[4]);

#endif
