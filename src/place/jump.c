/*
 * jump: each round draws the next bucket count at which this key would move, and the last jump
 * within the count at hand is the answer. The published algorithm divides in double precision; so
 * do we, since every implementation must agree with every other. Sums, products and quotients of
 * doubles are the same on all machines.
 */
#include "place/jump.h"

#include "base/alloc.h"
#include "base/check.h"
#include <stdlib.h>

#define DRAW UINT64_C(2862933555777941757) /* L'Ecuyer's multiplier of 64 bits */
#define TWO_31 2147483648.0

/* The next count of buckets, less one, at which the key moves. Below 2^32 * 2^31: exact enough. */
static inline uint64_t next_jump(uint64_t bucket, uint64_t draw)
{
    return (uint64_t)(int64_t)((double)(int64_t)(bucket + 1) *
                               (TWO_31 / (double)(int64_t)((draw >> 33) + 1)));
}

uint32_t jump_bucket(uint64_t hash, uint32_t buckets)
{
    uint64_t bucket = 0;
    uint64_t jump = 0;
    CHECK(buckets > 0);
    while (jump < buckets) {
        bucket = jump;
        hash = hash * DRAW + 1;
        jump = next_jump(bucket, hash);
    }
    return (uint32_t)bucket;
}

uint32_t jump_bucket_counted(uint64_t hash, uint32_t buckets, uint32_t *rounds)
{
    uint64_t bucket = 0;
    uint64_t jump = 0;
    CHECK(buckets > 0);
    *rounds = 0;
    while (jump < buckets) {
        bucket = jump;
        hash = hash * DRAW + 1;
        jump = next_jump(bucket, hash);
        ++*rounds;
    }
    return (uint32_t)bucket;
}

uint32_t jump_bucket_renamed(uint64_t hash, uint32_t buckets, uint32_t gone)
{
    CHECK(buckets > 1 && gone < buckets);
    uint32_t bucket = jump_bucket(hash, buckets - 1);
    return bucket == gone ? buckets - 1 : bucket;
}

struct jump {
    uint32_t buckets;
};

static void *jump_make(const struct layout_params *params, const struct shard_spec *shard,
                       uint32_t shards)
{
    (void)params;
    (void)shard;
    struct jump *self = xcalloc(1, sizeof *self);
    self->buckets = shards;
    return self;
}

static void *jump_copy(const void *state)
{
    const struct jump *from = state;
    struct jump *copy = xcalloc(1, sizeof *copy);
    *copy = *from;
    return copy;
}

static uint32_t jump_owner(const void *state, uint64_t hash)
{
    const struct jump *self = state;
    return jump_bucket(hash, self->buckets);
}

/* A lookup waits for divisions and then guesses its last round wrong; four at a time wait together,
 * and the ones that are done go round idly. */
#define TOGETHER 4

static void four_buckets(const uint64_t *hash, uint64_t buckets, uint32_t *owner)
{
    uint64_t draw[TOGETHER];
    uint64_t bucket[TOGETHER] = {0};
    uint64_t jump[TOGETHER] = {0};
    bool any = true;

    for (int i = 0; i < TOGETHER; i++) {
        draw[i] = hash[i];
    }
    while (any) {
        any = false;
        for (int i = 0; i < TOGETHER; i++) {
            uint64_t goes_on = 0 - (uint64_t)(jump[i] < buckets); /* all ones, or 0 */
            bucket[i] ^= (bucket[i] ^ jump[i]) & goes_on;
            draw[i] = draw[i] * DRAW + 1;
            jump[i] ^= (jump[i] ^ next_jump(bucket[i], draw[i])) & goes_on;
            any |= jump[i] < buckets;
        }
    }
    for (int i = 0; i < TOGETHER; i++) {
        owner[i] = (uint32_t)bucket[i];
    }
}

static void jump_owners(const void *state, const uint64_t *hash, size_t count, uint32_t *owner)
{
    const struct jump *self = state;
    size_t i = 0;
    for (; count - i >= TOGETHER; i += TOGETHER) {
        four_buckets(hash + i, self->buckets, owner + i);
    }
    for (; i < count; i++) {
        owner[i] = jump_bucket(hash[i], self->buckets);
    }
}

static void jump_add(void *state, const struct shard_spec *shard)
{
    (void)shard;
    struct jump *self = state;
    self->buckets++;
}

static void jump_remove(void *state, uint32_t index)
{
    struct jump *self = state;
    CHECK(index < self->buckets && self->buckets > 1);
    self->buckets--;
}

static size_t jump_memory(const void *state)
{
    (void)state;
    return sizeof(struct jump);
}

const struct scheme scheme_jump = {
    .name = "jump",
    .about = "a few draws from the hash jump to a bucket number, without any table",
    .cannot = "lose a shard from the middle: the later ones are renumbered and most keys move; "
              "it knows no weights",
    .source = "Lamping and Veach (2014)",
    .traits = SCHEME_ADD_MOVES_TO_NEW,
    .default_hash = HASH_MIX64,
    .make = jump_make,
    .copy = jump_copy,
    .destroy = free,
    .owner = jump_owner,
    .add = jump_add,
    .remove = jump_remove,
    .memory = jump_memory,
    .owners = jump_owners,
};
