/*
 * kafka: the default partitioner for records that have a key.
 *
 * The partition is murmur2, without its highest bit, modulo the number of partitions. More
 * partitions send keys elsewhere as with mod-n, and what was written stays where it was: a key's
 * records are then in two partitions, and their order is lost. A topic's partitions never become
 * fewer; layout_remove works all the same, as the plain arithmetic would. Here a partition is a
 * shard. (Which broker holds a partition is another question, answered by an assignment.)
 *
 * Source: Apache Kafka, clients, DefaultPartitioner and Utils.toPositive. Keys without bytes are
 * spread by other rules, which are not modelled.
 */
#include "base/alloc.h"
#include "base/check.h"
#include "place/inside.h"
#include <stdlib.h>

#define POSITIVE                                                                                   \
    UINT64_C(0x7FFFFFFF) /* toPositive: the sign bit is dropped, not the value negated */

struct kafka {
    uint32_t partitions;
};

static void *kafka_make(const struct layout_params *params, const struct shard_spec *shard,
                        uint32_t shards)
{
    (void)params;
    (void)shard;
    struct kafka *self = xcalloc(1, sizeof *self);
    self->partitions = shards;
    return self;
}

static void *kafka_copy(const void *state)
{
    const struct kafka *from = state;
    struct kafka *copy = xcalloc(1, sizeof *copy);
    *copy = *from;
    return copy;
}

static uint32_t kafka_owner(const void *state, uint64_t hash)
{
    const struct kafka *self = state;
    return (uint32_t)(hash & POSITIVE) % self->partitions;
}

static void kafka_add(void *state, const struct shard_spec *shard)
{
    (void)shard;
    struct kafka *self = state;
    self->partitions++;
}

static void kafka_remove(void *state, uint32_t index)
{
    struct kafka *self = state;
    CHECK(index < self->partitions && self->partitions > 1);
    self->partitions--;
}

static size_t kafka_memory(const void *state)
{
    (void)state;
    return sizeof(struct kafka);
}

const struct scheme scheme_kafka = {
    .name = "kafka",
    .about = "murmur2 of the key without its sign, modulo the number of partitions",
    .cannot = "add a partition without sending most keys elsewhere, out of order; Kafka never "
              "takes one away",
    .source = "Apache Kafka, default partitioner",
    .default_hash = HASH_MURMUR2,
    .make = kafka_make,
    .copy = kafka_copy,
    .destroy = free,
    .owner = kafka_owner,
    .add = kafka_add,
    .remove = kafka_remove,
    .memory = kafka_memory,
};
