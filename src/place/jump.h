/*
 * jump: a few multiplications instead of a table.
 *
 * Buckets are numbered 0 to n-1 and only the last can leave. A shard that leaves from the middle
 * makes the later ones move down by one (layout_remove): what that costs is part of the lesson.
 *
 * Source: Lamping and Veach, "A Fast, Minimal Memory, Consistent Hash Algorithm" (2014).
 */
#ifndef HOTSHARD_PLACE_JUMP_H
#define HOTSHARD_PLACE_JUMP_H

#include "place/layout.h"

extern const struct scheme scheme_jump;

uint32_t jump_bucket(uint64_t hash, uint32_t buckets); /* of at least one */
/* The same, and how many times the loop went round. */
uint32_t jump_bucket_counted(uint64_t hash, uint32_t buckets, uint32_t *rounds);
/* Bucket `gone` of `buckets` (at least two) has left, and instead of moving down by one the last
 * one took over its number: the bucket by the numbers of before. About twice the ideal moves, where
 * shifting down moves most keys. */
uint32_t jump_bucket_renamed(uint64_t hash, uint32_t buckets, uint32_t gone);

#endif
