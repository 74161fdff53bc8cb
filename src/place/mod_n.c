/*
 * mod_n: the hash modulo the number of shards is the position in the list. The router holds one
 * number; a change of that number changes the answer for nearly every key.
 */
#include "base/alloc.h"
#include "base/check.h"
#include "place/inside.h"
#include <stdlib.h>

struct mod_n {
    uint32_t shards;
};

static void *mod_n_make(const struct layout_params *params, const struct shard_spec *shard,
                        uint32_t shards)
{
    (void)params;
    (void)shard;
    struct mod_n *state = xcalloc(1, sizeof *state);
    state->shards = shards;
    return state;
}

static void *mod_n_copy(const void *state)
{
    const struct mod_n *from = state;
    struct mod_n *copy = xcalloc(1, sizeof *copy);
    *copy = *from;
    return copy;
}

static uint32_t mod_n_owner(const void *state, uint64_t hash)
{
    const struct mod_n *self = state;
    return (uint32_t)(hash % self->shards);
}

static void mod_n_add(void *state, const struct shard_spec *shard)
{
    (void)shard;
    struct mod_n *self = state;
    self->shards++;
}

static void mod_n_remove(void *state, uint32_t index)
{
    struct mod_n *self = state;
    CHECK(index < self->shards && self->shards > 1);
    self->shards--;
}

static size_t mod_n_memory(const void *state)
{
    (void)state;
    return sizeof(struct mod_n);
}

const struct scheme scheme_mod_n = {
    .name = "mod-n",
    .about = "the hash modulo the number of shards",
    .cannot = "grow or shrink without moving most keys, and it knows no weights",
    .source = "arithmetic; memcached clients' first way",
    .default_hash = HASH_MIX64,
    .make = mod_n_make,
    .copy = mod_n_copy,
    .destroy = free,
    .owner = mod_n_owner,
    .add = mod_n_add,
    .remove = mod_n_remove,
    .memory = mod_n_memory,
};
