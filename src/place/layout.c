/*
 * layout: a scheme's state, and the list of shards over its positions.
 */
#include "place/layout.h"

#include "base/alloc.h"
#include "base/check.h"
#include "place/bounded.h"
#include "place/inside.h"
#include "place/jump.h"
#include "place/ketama.h"
#include "place/kinesis.h"
#include "place/maglev.h"
#include "place/range.h"
#include "place/rendezvous.h"
#include "place/ring.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct layout {
    const struct scheme *scheme;
    struct layout_params params;
    void *state;
    struct shard_spec *shard; /* ids ascend */
    uint32_t shards;
};

#define TOKENS_USUAL 100
#define TABLE_USUAL 65537
#define FACTOR_USUAL 125

static const struct scheme *const schemes[] = {
    &scheme_mod_n, &scheme_ring,       &scheme_slots,  &scheme_range,  &scheme_directory,
    &scheme_jump,  &scheme_rendezvous, &scheme_maglev, &scheme_ketama, &scheme_bounded_load,
    &scheme_kafka, &scheme_cassandra,  &scheme_kinesis};

const struct scheme *scheme_at(size_t index)
{
    return index < sizeof schemes / sizeof schemes[0] ? schemes[index] : NULL;
}

const struct scheme *scheme_by_name(const char *name)
{
    for (size_t i = 0; scheme_at(i) != NULL; i++) {
        if (strcmp(scheme_at(i)->name, name) == 0) {
            return scheme_at(i);
        }
    }
    return NULL;
}

struct layout_params layout_defaults(const struct scheme *scheme)
{
    return (struct layout_params){
        .hash = scheme->default_hash,
        .tags = scheme == &scheme_slots,
        .slots = SLOT_COUNT,
        .deal = SLOTS_DEAL_ROUND_ROBIN,
        .tokens = TOKENS_USUAL,
        .token_rule = TOKENS_HASHED,
        .table = TABLE_USUAL,
        .factor_pct = FACTOR_USUAL,
        .split = SPLIT_BY_SIZE,
    };
}

static bool check_shards(const struct scheme *scheme, const struct layout_params *params,
                         const struct shard_spec *shard, uint32_t shards, struct err *err)
{
    if (shards < 1 || shards > LAYOUT_SHARDS_MAX) {
        return err_set(err, "shards: %" PRIu32 " is out of range; give a number from 1 to %u",
                       shards, LAYOUT_SHARDS_MAX);
    }
    return scheme->check == NULL || scheme->check(params, shard, shards, err);
}

struct layout *layout_new(const struct scheme *scheme, const struct layout_params *params,
                          uint32_t shards, struct err *err)
{
    struct layout *layout = xcalloc(1, sizeof *layout);
    layout->scheme = scheme;
    layout->params = *params;
    layout->shards = shards;
    uint32_t room = shards <= LAYOUT_SHARDS_MAX ? shards : 0; /* else refused below */
    layout->shard = xcalloc((size_t)room + 1, sizeof *layout->shard);
    for (uint32_t i = 0; i < room; i++) {
        layout->shard[i] = (struct shard_spec){.id = i, .weight = LAYOUT_WEIGHT_USUAL};
    }
    if (!check_shards(scheme, params, layout->shard, shards, err)) {
        free(layout->shard);
        free(layout);
        return NULL;
    }
    layout->state = scheme->make(params, layout->shard, shards);
    return layout;
}

struct layout *layout_copy(const struct layout *layout)
{
    struct layout *copy = xcalloc(1, sizeof *copy);
    *copy = *layout;
    copy->shard = xcalloc((size_t)layout->shards + 1, sizeof *copy->shard);
    memcpy(copy->shard, layout->shard, layout->shards * sizeof *copy->shard);
    copy->state = layout->scheme->copy(layout->state);
    return copy;
}

void layout_free(struct layout *layout)
{
    if (layout == NULL) {
        return;
    }
    layout->scheme->destroy(layout->state);
    free(layout->shard);
    free(layout);
}

const struct scheme *layout_scheme(const struct layout *layout)
{
    return layout->scheme;
}

const struct layout_params *layout_params_of(const struct layout *layout)
{
    return &layout->params;
}

uint32_t layout_shards(const struct layout *layout)
{
    return layout->shards;
}

uint32_t layout_shard_id(const struct layout *layout, uint32_t index)
{
    CHECK(index < layout->shards);
    return layout->shard[index].id;
}

uint32_t layout_weight(const struct layout *layout, uint32_t index)
{
    CHECK(index < layout->shards);
    return layout->shard[index].weight;
}

static struct bytes hashed_part(const struct layout *layout, struct bytes key)
{
    return layout->params.tags ? key_tag(key) : key;
}

uint64_t layout_hash(const struct layout *layout, struct bytes key)
{
    return hash_of(layout->params.hash, hashed_part(layout, key));
}

bool layout_hash_alike(const struct layout *a, const struct layout *b)
{
    return a->params.hash == b->params.hash && a->params.tags == b->params.tags;
}

uint32_t layout_owner_of_hash(const struct layout *layout, uint64_t hash)
{
    return layout->shard[layout->scheme->owner(layout->state, hash)].id;
}

/* A position. */
static uint32_t owner_of_key(const struct layout *layout, struct bytes key)
{
    struct bytes part = hashed_part(layout, key);
    uint64_t hash = hash_of(layout->params.hash, part);
    return layout->scheme->owner_of_key ? layout->scheme->owner_of_key(layout->state, part, hash)
                                        : layout->scheme->owner(layout->state, hash);
}

uint32_t layout_owner(const struct layout *layout, struct bytes key)
{
    return layout->shard[owner_of_key(layout, key)].id;
}

void layout_owners_of_hashes(const struct layout *layout, const uint64_t *hash, size_t count,
                             uint32_t *owner)
{
    if (layout->scheme->owners) {
        layout->scheme->owners(layout->state, hash, count, owner);
        return;
    }
    uint32_t (*owner_of)(const void *, uint64_t) = layout->scheme->owner;
    for (size_t i = 0; i < count; i++) {
        owner[i] = owner_of(layout->state, hash[i]);
    }
}

void layout_owners(const struct layout *layout, struct keyset *keys, uint32_t *owner)
{
    if (!layout->scheme->owner_of_key) {
        layout_owners_of_hashes(layout,
                                keyset_hashes(keys, layout->params.hash, layout->params.tags),
                                keyset_count(keys), owner);
        return;
    }
    for (size_t i = 0; i < keyset_count(keys); i++) {
        owner[i] = owner_of_key(layout, keyset_key(keys, i));
    }
}

static struct shard_spec next_shard(const struct layout *layout)
{
    return (struct shard_spec){.id = layout->shard[layout->shards - 1].id + 1,
                               .weight = LAYOUT_WEIGHT_USUAL};
}

bool layout_add(struct layout *layout, struct err *err)
{
    if (layout->shards == LAYOUT_SHARDS_MAX) {
        return check_shards(layout->scheme, &layout->params, layout->shard, layout->shards + 1,
                            err);
    }
    layout->shard = xrealloc(layout->shard, (size_t)layout->shards + 1, sizeof *layout->shard);
    struct shard_spec joins = next_shard(layout);
    layout->shard[layout->shards] = joins;
    if (!check_shards(layout->scheme, &layout->params, layout->shard, layout->shards + 1, err)) {
        return false;
    }
    layout->shards++;
    layout->scheme->add(layout->state, &joins);
    return true;
}

static bool find_shard(const struct layout *layout, uint32_t id, uint32_t *index, struct err *err)
{
    for (uint32_t i = 0; i < layout->shards; i++) {
        if (layout->shard[i].id == id) {
            *index = i;
            return true;
        }
    }
    return err_set(err,
                   "shard %" PRIu32 ": there is none; the layout's %" PRIu32
                   " shards are numbered from %" PRIu32 " to %" PRIu32,
                   id, layout->shards, layout->shard[0].id, layout->shard[layout->shards - 1].id);
}

bool layout_remove(struct layout *layout, uint32_t id, struct err *err)
{
    uint32_t index = 0;
    if (!find_shard(layout, id, &index, err)) {
        return false;
    }
    if (layout->shards == 1) {
        return err_set(err, "shard %" PRIu32 ": it is the last one; add another before it leaves",
                       id);
    }
    layout->scheme->remove(layout->state, index);
    memmove(layout->shard + index, layout->shard + index + 1,
            (layout->shards - index - 1) * sizeof *layout->shard);
    layout->shards--;
    return true;
}

bool layout_weigh(struct layout *layout, uint32_t id, uint32_t weight, struct err *err)
{
    uint32_t index = 0;
    if (!find_shard(layout, id, &index, err)) {
        return false;
    }
    if (!layout->scheme->weigh) {
        return err_set(err, "%s has no weights: %s", layout->scheme->name, layout->scheme->cannot);
    }
    if (weight < 1 || weight > LAYOUT_WEIGHT_MAX) {
        return err_set(err, "weight: %" PRIu32 " is out of range; give a number from 1 to %u",
                       weight, LAYOUT_WEIGHT_MAX);
    }
    uint32_t before = layout->shard[index].weight;
    layout->shard[index].weight = weight;
    if (!check_shards(layout->scheme, &layout->params, layout->shard, layout->shards, err)) {
        layout->shard[index].weight = before;
        return false;
    }
    layout->scheme->weigh(layout->state, index, weight);
    return true;
}

void layout_observe(struct layout *layout, struct keyset *keys)
{
    if (layout->scheme->observe) {
        layout->scheme->observe(layout->state, keys);
    }
}

void *layout_state(const struct layout *layout, const struct scheme *scheme)
{
    return layout->scheme == scheme ? layout->state : NULL;
}

size_t layout_memory(const struct layout *layout)
{
    return layout->scheme->memory(layout->state);
}

uint32_t layout_slot_count(const struct layout *layout)
{
    return layout->scheme == &scheme_slots ? slots_count(layout->state) : 0;
}

uint32_t layout_slot_owner(const struct layout *layout, uint32_t slot)
{
    CHECK(layout->scheme == &scheme_slots);
    return layout->shard[slots_owner(layout->state, slot)].id;
}

bool layout_slot_give(struct layout *layout, uint32_t first, uint32_t last, uint32_t id,
                      struct err *err)
{
    uint32_t index = 0;
    CHECK(layout->scheme == &scheme_slots);
    if (!find_shard(layout, id, &index, err)) {
        return false;
    }
    if (first > last || last >= slots_count(layout->state)) {
        return err_set(err, "slots %" PRIu32 "-%" PRIu32 ": there are slots 0 to %" PRIu32, first,
                       last, slots_count(layout->state) - 1);
    }
    slots_give(layout->state, first, last, index);
    return true;
}

bool layout_directory_put(struct layout *layout, struct bytes key, uint32_t id, struct err *err)
{
    uint32_t index = 0;
    CHECK(layout->scheme == &scheme_directory);
    if (!find_shard(layout, id, &index, err)) {
        return false;
    }
    struct bytes part = hashed_part(layout, key);
    directory_put(layout->state, hash_of(layout->params.hash, part), part, index);
    return true;
}

bool layout_directory_default(struct layout *layout, uint32_t id, struct err *err)
{
    uint32_t index = 0;
    CHECK(layout->scheme == &scheme_directory);
    if (!find_shard(layout, id, &index, err)) {
        return false;
    }
    directory_set_default(layout->state, index);
    return true;
}
