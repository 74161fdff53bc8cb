/*
 * kinesis: the MD5 of a key as a number of 128 bits, and shards that own contiguous ranges of them.
 *
 * A shard owns the hash keys from its first one up to the next shard's first, the last one up to
 * 2^128 - 1. A new stream of n shards cuts every floor(2^128 / n). A shard that joins takes the
 * upper half of the widest range (the lowest of equals), or the upper part of a range that is cut
 * at a given hash key; a shard that leaves is merged with its neighbour below, or above when it is
 * the lowest. In Kinesis a split closes its parent and opens two children, and a merge closes two
 * and opens one; here the lower part keeps its shard's number.
 *
 * The scheme places a key by the first 64 bits of its digest, which differs from all 128 for one
 * key in 2^64 and cut. With another hash than MD5 its highest bits count.
 *
 * Source: Amazon Kinesis Data Streams, API reference of PutRecord, SplitShard and MergeShards.
 */
#ifndef HOTSHARD_PLACE_KINESIS_H
#define HOTSHARD_PLACE_KINESIS_H

#include "place/layout.h"

extern const struct scheme scheme_kinesis;

struct u128 {
    uint64_t high;
    uint64_t low;
};

struct u128_text {
    char text[40]; /* 39 digits */
};

int u128_order(struct u128 a, struct u128 b); /* below 0, 0, above 0 */
struct u128_text u128_decimal(struct u128 number);
/* Decimal digits only, below 2^128. */
bool u128_parse(const char *text, struct u128 *number, struct err *err);

/* A key's hash key: its MD5, the first byte highest. */
struct u128 kinesis_hash_key(struct bytes key);

struct kinesis_range {
    struct u128 first;
    uint32_t shard;
};

/* n shards' equal ranges, shard i's being i; n at least 1. */
void kinesis_deal(struct kinesis_range *range, uint32_t shards);
/* The range of a hash key. Ranges ascend, and the first one begins at 0. */
size_t kinesis_find(const struct kinesis_range *range, size_t ranges, struct u128 hash_key);
/* What lies in the middle of a range, where Kinesis' own tools cut: the first hash key of the upper
 * half. False when the range is one hash key. */
bool kinesis_middle(const struct kinesis_range *range, size_t ranges, size_t which,
                    struct u128 *middle);

/* The ranges of a layout, ascending, `shard` being the position; borrowed until it changes. NULL of
 * other schemes. */
const struct kinesis_range *layout_kinesis(const struct layout *layout, size_t *ranges);
/* A shard joins (as by layout_add) and owns the upper part of the range that is cut at `at`.
 * Errors: those of layout_add; a range begins there already. */
bool layout_kinesis_split(struct layout *layout, struct u128 at, struct err *err);

#endif
