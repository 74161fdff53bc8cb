/*
 * maglev: the scheme over maglev_fill: walks by shard, and the table they filled last.
 */
#include "place/maglev.h"

#include "base/alloc.h"
#include "base/check.h"
#include "base/prng.h"
#include "place/inside.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NODE_BASE UINT64_C(0x4E4F4445)

struct maglev {
    struct maglev_walk *walk;
    uint32_t shards;
    uint32_t entries;
    uint64_t inverse; /* 2^64 / entries, rounded down: a multiplication instead of a division */
    uint32_t *table;
};

static struct maglev_walk walk_of(const struct shard_spec *shard, uint32_t entries)
{
    uint64_t node = mix64(NODE_BASE + shard->id);
    return (struct maglev_walk){
        .offset = (uint32_t)(mix64(node) % entries),
        .skip = (uint32_t)(mix64(node + 1) % (entries - 1)) + 1,
        .weight = shard->weight,
    };
}

static void refill(struct maglev *self)
{
    maglev_fill(self->walk, self->shards, self->table, self->entries);
}

static void *maglev_make(const struct layout_params *params, const struct shard_spec *shard,
                         uint32_t shards)
{
    struct maglev *self = xcalloc(1, sizeof *self);
    self->shards = shards;
    self->entries = params->table;
    self->inverse = UINT64_MAX / params->table; /* a prime: no power of two but 2 */
    self->walk = xcalloc(shards, sizeof *self->walk);
    self->table = xcalloc(params->table, sizeof *self->table);
    for (uint32_t i = 0; i < shards; i++) {
        self->walk[i] = walk_of(&shard[i], self->entries);
    }
    refill(self);
    return self;
}

static void *maglev_copy(const void *state)
{
    const struct maglev *from = state;
    struct maglev *copy = xcalloc(1, sizeof *copy);
    *copy = *from;
    copy->walk = xcalloc(from->shards, sizeof *copy->walk);
    copy->table = xcalloc(from->entries, sizeof *copy->table);
    memcpy(copy->walk, from->walk, from->shards * sizeof *copy->walk);
    memcpy(copy->table, from->table, from->entries * sizeof *copy->table);
    return copy;
}

static void maglev_destroy(void *state)
{
    struct maglev *self = state;
    free(self->walk);
    free(self->table);
    free(self);
}

/* hash mod entries: the rounded inverse makes the quotient at most one too small. */
static inline uint32_t entry_of(uint64_t hash, uint64_t inverse, uint32_t entries)
{
    uint64_t quotient = (uint64_t)((unsigned __int128)hash * inverse >> 64);
    uint64_t rest = hash - quotient * entries;
    return (uint32_t)(rest >= entries ? rest - entries : rest);
}

static uint32_t maglev_owner(const void *state, uint64_t hash)
{
    const struct maglev *self = state;
    return self->table[entry_of(hash, self->inverse, self->entries)];
}

static void maglev_owners(const void *state, const uint64_t *hash, size_t count, uint32_t *owner)
{
    const struct maglev *self = state;
    const uint32_t *table = self->table;
    uint64_t inverse = self->inverse;
    uint32_t entries = self->entries;
    for (size_t i = 0; i < count; i++) {
        owner[i] = table[entry_of(hash[i], inverse, entries)];
    }
}

static void maglev_add(void *state, const struct shard_spec *shard)
{
    struct maglev *self = state;
    self->walk = xrealloc(self->walk, (size_t)self->shards + 1, sizeof *self->walk);
    self->walk[self->shards++] = walk_of(shard, self->entries);
    refill(self);
}

static void maglev_remove(void *state, uint32_t index)
{
    struct maglev *self = state;
    CHECK(index < self->shards && self->shards > 1);
    self->shards--;
    memmove(self->walk + index, self->walk + index + 1,
            (self->shards - index) * sizeof *self->walk);
    refill(self);
}

static void maglev_weigh(void *state, uint32_t index, uint32_t weight)
{
    struct maglev *self = state;
    CHECK(index < self->shards);
    self->walk[index].weight = weight;
    refill(self);
}

static size_t maglev_memory(const void *state)
{
    const struct maglev *self = state;
    return self->entries * sizeof *self->table;
}

static bool is_prime(uint32_t number)
{
    for (uint32_t d = 2; (uint64_t)d * d <= number; d++) {
        if (number % d == 0) {
            return false;
        }
    }
    return number >= 2;
}

static bool maglev_check(const struct layout_params *params, const struct shard_spec *shard,
                         uint32_t shards, struct err *err)
{
    uint32_t table = params->table;
    (void)shard;
    if (table < 2 || table > LAYOUT_TABLE_MAX) {
        return err_set(err, "table: %" PRIu32 " is out of range; give a prime from 2 to %u", table,
                       LAYOUT_TABLE_MAX);
    }
    if (!is_prime(table)) {
        uint32_t next = table + 1;
        while (!is_prime(next)) {
            next++;
        }
        return err_set(err,
                       "table: %" PRIu32 " is no prime, so steps of some sizes would miss entries; "
                       "the next prime is %" PRIu32,
                       table, next);
    }
    if (shards > table) {
        return err_set(err,
                       "table: %" PRIu32 " entries are too few for %" PRIu32
                       " shards; give a larger prime or fewer shards",
                       table, shards);
    }
    return true;
}

const uint32_t *layout_maglev(const struct layout *layout, size_t *entries)
{
    const struct maglev *self = layout_state(layout, &scheme_maglev);
    *entries = self != NULL ? self->entries : 0;
    return self != NULL ? self->table : NULL;
}

size_t layout_maglev_entry(const struct layout *layout, uint64_t hash)
{
    const struct maglev *self = layout_state(layout, &scheme_maglev);
    return self != NULL ? entry_of(hash, self->inverse, self->entries) : 0;
}

const struct scheme scheme_maglev = {
    .name = "maglev",
    .about = "a flat table that the shards filled in turn; the hash picks the entry",
    .cannot = "change by one shard without moving a few keys of the others, and each change "
              "builds the whole table anew",
    .source = "Eisenbud and others, Maglev (2016)",
    .traits = SCHEME_WEIGHTS,
    .default_hash = HASH_MIX64,
    .make = maglev_make,
    .copy = maglev_copy,
    .destroy = maglev_destroy,
    .owner = maglev_owner,
    .add = maglev_add,
    .remove = maglev_remove,
    .memory = maglev_memory,
    .check = maglev_check,
    .weigh = maglev_weigh,
    .owners = maglev_owners,
};
