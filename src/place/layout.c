/*
 * layout: a scheme's state and the list of shard ids over its positions.
 */
#include "place/layout.h"

#include "base/alloc.h"
#include "base/check.h"
#include "place/inside.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct layout {
    const struct scheme *scheme;
    struct layout_params params;
    void *state;
    uint32_t *ids; /* ascending */
    uint32_t shards;
};

static const struct scheme *const schemes[] = {&scheme_mod_n, &scheme_slots, &scheme_directory};

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
        .tokens = 0, /* no scheme here has tokens */
    };
}

static bool check_slots(const struct layout_params *params, uint32_t shards, struct err *err)
{
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

static bool check_shards(const struct scheme *scheme, const struct layout_params *params,
                         uint32_t shards, struct err *err)
{
    if (shards < 1 || shards > LAYOUT_SHARDS_MAX) {
        return err_set(err, "shards: %" PRIu32 " is out of range; give a number from 1 to %u",
                       shards, LAYOUT_SHARDS_MAX);
    }
    if (scheme == &scheme_slots) {
        return check_slots(params, shards, err);
    }
    if (scheme == &scheme_directory && params->hash != HASH_FNV1A64 && params->hash != HASH_MIX64) {
        return err_set(err, "directory: rows are found by 64 bits, not by %s; use %s or %s",
                       hash_name(params->hash), hash_name(HASH_FNV1A64), hash_name(HASH_MIX64));
    }
    return true;
}

struct layout *layout_new(const struct scheme *scheme, const struct layout_params *params,
                          uint32_t shards, struct err *err)
{
    if (!check_shards(scheme, params, shards, err)) {
        return NULL;
    }
    struct layout *layout = xcalloc(1, sizeof *layout);
    layout->scheme = scheme;
    layout->params = *params;
    layout->shards = shards;
    layout->ids = xcalloc(shards, sizeof *layout->ids);
    for (uint32_t i = 0; i < shards; i++) {
        layout->ids[i] = i;
    }
    layout->state = scheme->make(params, shards);
    return layout;
}

struct layout *layout_copy(const struct layout *layout)
{
    struct layout *copy = xcalloc(1, sizeof *copy);
    *copy = *layout;
    copy->ids = xcalloc(layout->shards, sizeof *copy->ids);
    memcpy(copy->ids, layout->ids, layout->shards * sizeof *copy->ids);
    copy->state = layout->scheme->copy(layout->state);
    return copy;
}

void layout_free(struct layout *layout)
{
    if (layout == NULL) {
        return;
    }
    layout->scheme->destroy(layout->state);
    free(layout->ids);
    free(layout);
}

const struct scheme *layout_scheme(const struct layout *layout)
{
    return layout->scheme;
}

uint32_t layout_shards(const struct layout *layout)
{
    return layout->shards;
}

uint32_t layout_shard_id(const struct layout *layout, uint32_t index)
{
    CHECK(index < layout->shards);
    return layout->ids[index];
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

uint32_t layout_index_of_hash(const struct layout *layout, uint64_t hash)
{
    return layout->scheme->owner(layout->state, hash);
}

uint32_t layout_owner_of_hash(const struct layout *layout, uint64_t hash)
{
    return layout->ids[layout_index_of_hash(layout, hash)];
}

uint32_t layout_owner(const struct layout *layout, struct bytes key)
{
    struct bytes part = hashed_part(layout, key);
    uint64_t hash = hash_of(layout->params.hash, part);
    if (layout->scheme == &scheme_directory) {
        return layout->ids[directory_owner(layout->state, hash, part)];
    }
    return layout_owner_of_hash(layout, hash);
}

bool layout_add(struct layout *layout, struct err *err)
{
    if (!check_shards(layout->scheme, &layout->params, layout->shards + 1, err)) {
        return false;
    }
    uint32_t highest = layout->ids[layout->shards - 1];
    layout->ids = xrealloc(layout->ids, layout->shards + 1, sizeof *layout->ids);
    layout->ids[layout->shards] = highest + 1;
    layout->shards++;
    layout->scheme->add(layout->state);
    return true;
}

static bool find_shard(const struct layout *layout, uint32_t id, uint32_t *index, struct err *err)
{
    for (uint32_t i = 0; i < layout->shards; i++) {
        if (layout->ids[i] == id) {
            *index = i;
            return true;
        }
    }
    return err_set(err,
                   "shard %" PRIu32 ": there is none; the layout's %" PRIu32
                   " shards are numbered from %" PRIu32 " to %" PRIu32,
                   id, layout->shards, layout->ids[0], layout->ids[layout->shards - 1]);
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
    memmove(layout->ids + index, layout->ids + index + 1,
            (layout->shards - index - 1) * sizeof *layout->ids);
    layout->shards--;
    return true;
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
    return layout->ids[slots_owner(layout->state, slot)];
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
