/*
 * slots: hash modulo a fixed number of slots, and a table that says whose each slot is.
 *
 * Who gives and who takes, as document 003 has it: a new shard takes floor(slots / shards) slots
 * one by one, each from the shard that holds the most at that moment (the lowest of equals), and of
 * that shard's slots the last. The slots of a shard that leaves go one by one, from the first on,
 * to the shard that holds the fewest at that moment (the lowest of equals).
 */
#include "base/alloc.h"
#include "base/check.h"
#include "place/inside.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct slots {
    uint32_t slots;
    uint32_t shards;
    uint32_t mask; /* slots - 1 where that is a mask, else 0 */
    uint16_t *owner;
};

_Static_assert(LAYOUT_SHARDS_MAX <= UINT16_MAX, "a position fits a slot's entry");

/* Where range `shard` starts: the exact cut, rounded half up. */
static uint32_t range_start(const struct slots *self, uint32_t shard)
{
    uint64_t halves = 2 * (uint64_t)shard * self->slots + self->shards;
    return (uint32_t)(halves / (2 * (uint64_t)self->shards));
}

static void deal(struct slots *self, enum slots_deal rule)
{
    if (rule == SLOTS_DEAL_ROUND_ROBIN) {
        for (uint32_t slot = 0; slot < self->slots; slot++) {
            self->owner[slot] = (uint16_t)(slot % self->shards);
        }
        return;
    }
    for (uint32_t shard = 0; shard < self->shards; shard++) {
        uint32_t end = range_start(self, shard + 1);
        for (uint32_t slot = range_start(self, shard); slot < end; slot++) {
            self->owner[slot] = (uint16_t)shard;
        }
    }
}

static void *slots_make(const struct layout_params *params, const struct shard_spec *shard,
                        uint32_t shards)
{
    (void)shard;
    struct slots *self = xcalloc(1, sizeof *self);
    self->slots = params->slots;
    self->shards = shards;
    self->mask = (params->slots & (params->slots - 1)) == 0 ? params->slots - 1 : 0;
    self->owner = xcalloc(params->slots, sizeof *self->owner);
    deal(self, params->deal);
    return self;
}

static void *slots_copy(const void *state)
{
    const struct slots *from = state;
    struct slots *copy = xcalloc(1, sizeof *copy);
    *copy = *from;
    copy->owner = xcalloc(from->slots, sizeof *copy->owner);
    memcpy(copy->owner, from->owner, from->slots * sizeof *copy->owner);
    return copy;
}

static void slots_destroy(void *state)
{
    struct slots *self = state;
    free(self->owner);
    free(self);
}

static uint32_t slots_owner_of_hash(const void *state, uint64_t hash)
{
    const struct slots *self = state;
    uint64_t slot = self->mask != 0 ? hash & self->mask : hash % self->slots;
    return self->owner[slot];
}

/* How many slots each shard holds. Caller frees. */
static uint32_t *count_held(const struct slots *self, uint32_t room)
{
    uint32_t *held = xcalloc(room, sizeof *held);
    for (uint32_t slot = 0; slot < self->slots; slot++) {
        held[self->owner[slot]]++;
    }
    return held;
}

/* Who gives is settled first, by counting; which slots follows in one walk from the last slot down,
 * because a donor always gives its last. The counting takes (slots / shards) * shards steps. */
static void slots_add(void *state, const struct shard_spec *joins)
{
    (void)joins;
    struct slots *self = state;
    uint32_t added = self->shards;
    uint32_t *held = count_held(self, added);
    uint32_t *gives = xcalloc(added, sizeof *gives);
    uint32_t share = self->slots / (added + 1);

    CHECK(added < LAYOUT_SHARDS_MAX && share > 0);
    for (uint32_t taken = 0; taken < share; taken++) {
        uint32_t donor = 0;
        for (uint32_t shard = 1; shard < added; shard++) {
            donor = held[shard] > held[donor] ? shard : donor;
        }
        held[donor]--;
        gives[donor]++;
    }
    for (uint32_t slot = self->slots; slot-- > 0;) {
        uint32_t owner = self->owner[slot];
        if (gives[owner] > 0) {
            gives[owner]--;
            self->owner[slot] = (uint16_t)added;
            share--;
            if (share == 0) {
                break;
            }
        }
    }
    self->shards++;
    free(gives);
    free(held);
}

static void slots_remove(void *state, uint32_t index)
{
    struct slots *self = state;
    CHECK(index < self->shards && self->shards > 1);
    uint32_t *held = count_held(self, self->shards);

    held[index] = UINT32_MAX; /* never the one that holds the fewest */
    for (uint32_t slot = 0; slot < self->slots; slot++) {
        if (self->owner[slot] != index) {
            continue;
        }
        uint32_t taker = index == 0 ? 1 : 0;
        for (uint32_t shard = taker + 1; shard < self->shards; shard++) {
            taker = held[shard] < held[taker] ? shard : taker;
        }
        held[taker]++;
        self->owner[slot] = (uint16_t)taker;
    }
    for (uint32_t slot = 0; slot < self->slots; slot++) {
        self->owner[slot] = (uint16_t)(self->owner[slot] - (self->owner[slot] > index));
    }
    self->shards--;
    free(held);
}

static size_t slots_memory(const void *state)
{
    const struct slots *self = state;
    return self->slots * sizeof *self->owner;
}

uint32_t slots_count(const void *state)
{
    const struct slots *self = state;
    return self->slots;
}

uint32_t slots_owner(const void *state, uint32_t slot)
{
    const struct slots *self = state;
    CHECK(slot < self->slots);
    return self->owner[slot];
}

void slots_give(void *state, uint32_t first, uint32_t last, uint32_t index)
{
    struct slots *self = state;
    CHECK(first <= last && last < self->slots && index < self->shards);
    for (uint32_t slot = first; slot <= last; slot++) {
        self->owner[slot] = (uint16_t)index;
    }
}

static bool slots_check(const struct layout_params *params, const struct shard_spec *shard,
                        uint32_t shards, struct err *err)
{
    (void)shard;
    if (params->slots < 1 || params->slots > LAYOUT_SLOTS_MAX) {
        return err_set(err, "slots: %" PRIu32 " is out of range; give a number from 1 to %u",
                       params->slots, LAYOUT_SLOTS_MAX);
    }
    if (shards > params->slots) {
        return err_set(err,
                       "slots: %" PRIu32 " shards need at least as many slots, not %" PRIu32
                       "; give more slots or fewer shards",
                       shards, params->slots);
    }
    return true;
}

const struct scheme scheme_slots = {
    .name = "slots",
    .about = "the hash picks one of a fixed number of slots, a table says whose it is",
    .cannot = "split a slot, so one key or tag stays whole on one shard",
    .source = "Redis Cluster specification",
    .traits = SCHEME_ADD_MOVES_TO_NEW | SCHEME_REMOVE_MOVES_OWN,
    .default_hash = HASH_CRC16,
    .make = slots_make,
    .copy = slots_copy,
    .destroy = slots_destroy,
    .owner = slots_owner_of_hash,
    .add = slots_add,
    .remove = slots_remove,
    .memory = slots_memory,
    .check = slots_check,
};
