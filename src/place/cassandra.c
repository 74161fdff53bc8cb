/*
 * cassandra: a ring whose tokens are signed numbers.
 *
 * The Murmur3Partitioner's tokens run from -2^63 to 2^63-1, and the ring begins at the lowest.
 * Turning the highest bit makes unsigned positions of them in the same order. The rule that a node
 * owns what lies after the token before its own, up to and with its own, is the ring's as well. Old
 * clusters drew tokens by chance; allocate_tokens_for_keyspace chooses them (TOKENS_CHOSEN).
 */
#include "base/alloc.h"
#include "place/ring_tokens.h"

#define HIGHEST_BIT (UINT64_C(1) << 63)

static void *make(const struct layout_params *params, const struct shard_spec *shard,
                  uint32_t shards)
{
    struct ring *ring = xcalloc(1, sizeof *ring);
    *ring = ring_by_rule(params, HIGHEST_BIT);
    ring_start(ring, shard, shards);
    return ring;
}

const struct scheme scheme_cassandra = {
    .name = "cassandra",
    .about = "a ring of signed 64-bit tokens; a key's token is its Murmur3 hash",
    .cannot = "balance exactly: it was given 256 tokens a node at first, 16 since they are chosen",
    .source = "Apache Cassandra, Murmur3Partitioner",
    .traits = SCHEME_WEIGHTS | SCHEME_ADD_MOVES_TO_NEW | SCHEME_REMOVE_MOVES_OWN,
    .default_hash = HASH_CASSANDRA,
    .make = make,
    .copy = ring_copy,
    .destroy = ring_destroy,
    .owner = circle_owner_of_hash,
    .owners = circle_owners_of_hashes,
    .add = ring_add,
    .remove = ring_remove,
    .weigh = ring_weigh,
    .memory = ring_memory,
    .check = ring_check,
};
