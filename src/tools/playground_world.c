/*
 * playground_world: from settings and keys to a world that has come to rest.
 *
 * Each tag gets the next slot in the order in which keys are met, so keys are met shard by shard:
 * then a shard owns one run of slots and one command moves it there. Sub-keys of a salted key are
 * met last and placed one by one, by the names that the engine gives them. What a key is called in
 * the world is a label: the names of made-up keys, and numbers before those of a log, since theirs
 * may hold braces or be longer than a world's keys.
 */
#include "tools/playground_inside.h"

#include "base/alloc.h"
#include "base/check.h"
#include "base/num.h"
#include "engine/reads/reads.h"
#include "engine/writes/writes.h"
#include "place/key.h"
#include "story/story.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORLD_KEYS (PLAY_KEYS_MAX + PLAY_NEW_KEYS + PLAY_SALTS_MAX + 64)
#define LABEL_BYTES_MAX ((size_t)48)
#define WARM_UP_US US_PER_SECOND
#define NOBODY UINT16_MAX

_Static_assert(SALTS_MAX >= PLAY_SALTS_MAX, "the engine takes as many salts");

/* Requests that can be under way at one time: a request takes a few milliseconds, and a read of a
 * salted key is as many requests as it has sub-keys. */
static uint32_t requests_at_once(const struct play_settings *s)
{
    uint32_t sub_keys = s->salt > 1 ? s->salt + 1 : 0;
    uint32_t a_second = s->rate + s->rate * PLAY_READS_A_WRITE * (1 + sub_keys);
    return 1024 + a_second / 50;
}

/* The story's machines and network. A small block is quick to make and to copy: it has room for
 * these settings and no more. */
static struct world_config config_of(const struct play_result *r)
{
    struct world_config c = story_config(1);
    c.shards = (uint16_t)(r->shard[r->shards - 1].id + 1);
    c.shards_max = c.shards;
    c.slots = WORLD_KEYS;
    c.slots_by = SLOTS_BY_TAG;
    c.keys_max = WORLD_KEYS;
    c.flows_max = 2 * (PLAY_KEYS_MAX + PLAY_NEW_KEYS);
    c.requests_max = requests_at_once(&r->settings);
    c.events_max = c.requests_max + c.flows_max + 2048;
    c.store_max = 2 * WORLD_KEYS;
    c.rows_max = 4 * PLAY_SALTS_MAX;
    c.changes_max = 1024;
    c.trace_max = 256;
    c.write_ceiling = PLAY_WRITE_CEILING;
    c.read_ceiling = PLAY_READ_CEILING;
    return c;
}

struct label {
    char text[LABEL_BYTES_MAX + 1];
    size_t length;
};

static struct bytes bytes_of_label(const struct label *label)
{
    return (struct bytes){label->text, label->length};
}

static struct label label_of(const struct play_result *r, size_t key)
{
    struct label label = {.length = 0};
    struct bytes name = keyset_key(r->keys->all, key);
    if (r->settings.workload == WORKLOAD_LOG) {
        label.length = (size_t)snprintf(label.text, sizeof label.text, "%zu:", key);
    }
    for (size_t i = 0; i < name.length && label.length < LABEL_BYTES_MAX; i++) {
        char c = name.at[i];
        label.text[label.length++] = c == '{' ? '(' : c == '}' ? ')' : c;
    }
    return label;
}

/* --- commands ----------------------------------------------------------------------------------
 */

static bool set_flow(struct world *w, const struct label *label, enum op_kind op, uint64_t rate,
                     struct err *err)
{
    struct command c = command_flow(op, bytes_of_label(label), (uint32_t)rate, ARRIVALS_STEADY);
    return rate == 0 || world_apply(w, &c, err);
}

/* Reads of clients of each key a second, those taken off that the database cache answers; summed
 * over the keys so far, so that nothing is lost in rounding. */
struct reads_left {
    uint64_t hundredths, given;
};

static uint64_t next_reads(struct reads_left *left, const struct play_result *r, const bool *cold,
                           size_t key)
{
    uint64_t missed_pct = cold && cold[key] ? 100 : 100 - r->settings.database_cache_pct;
    left->hundredths += keyset_load(r->keys->all, key) * PLAY_READS_A_WRITE * missed_pct;
    uint64_t reads = left->hundredths / 100 - left->given;
    left->given += reads;
    return reads;
}

uint64_t play_reads_left(const struct play_result *r, const bool *cold)
{
    struct reads_left left = {0};
    for (size_t key = 0; key < keyset_count(r->keys->all); key++) {
        (void)next_reads(&left, r, cold, key);
    }
    return left.given;
}

/* Every key's flows, shard by shard. */
static bool start_flows(struct world *w, const struct play_result *r, const bool *cold,
                        struct err *err)
{
    const struct keyset *all = r->keys->all;
    size_t count = keyset_count(all);
    uint64_t *reads = xcalloc(count, sizeof *reads);
    struct reads_left left = {0};
    for (size_t key = 0; key < count; key++) {
        reads[key] = next_reads(&left, r, cold, key);
    }
    bool good = true;
    for (uint32_t index = 0; good && index < r->shards; index++) {
        for (size_t key = 0; good && key < count; key++) {
            if (r->trial->owner_after[key] != index || keyset_load(all, key) + reads[key] == 0) {
                continue;
            }
            struct label label = label_of(r, key);
            good = set_flow(w, &label, OP_LIKE, keyset_load(all, key), err) &&
                   set_flow(w, &label, OP_READ, reads[key], err);
        }
    }
    free(reads);
    return good;
}

static bool treat_hot_key(struct world *w, const struct play_result *r, struct err *err)
{
    const struct play_settings *s = &r->settings;
    struct label label = label_of(r, r->keys->hot);
    struct command c = command_request(OP_LIKE, bytes_of_label(&label), 0);
    if (s->salt > 1 || s->preagg) {
        c.kind = COMMAND_WRITES;
        c.mode = s->preagg ? WRITES_SUMMED : WRITES_SALTED;
        c.count = s->preagg ? 0 : s->salt;
        c.period_us = s->preagg ? WINDOW_DEFAULT_US : 0;
        c.place = SALT_INSIDE;
        c.pick = 0; /* in turn; absolute totals */
        if (!world_apply(w, &c, err)) {
            return false;
        }
    }
    if (s->cache) {
        c.kind = COMMAND_READS;
        c.mode = READS_CACHED;
        c.count = 0;
        c.pick = 0;
        c.period_us = READS_FRESH_US;
        c.bound_us = READS_STALE_US;
        return world_apply(w, &c, err);
    }
    return true;
}

static bool set_ceilings(struct world *w, const struct play_result *r, struct err *err)
{
    for (uint32_t i = 0; i < r->shards; i++) {
        const struct play_shard *shard = &r->shard[i];
        struct command c = {.kind = COMMAND_CEILING,
                            .shard = (uint16_t)shard->id,
                            .writes = PLAY_WRITE_CEILING * shard->weight / LAYOUT_WEIGHT_USUAL,
                            .reads = PLAY_READ_CEILING * shard->weight / LAYOUT_WEIGHT_USUAL};
        if (shard->weight != LAYOUT_WEIGHT_USUAL && !world_apply(w, &c, err)) {
            return false;
        }
        c = (struct command){
            .kind = COMMAND_REPLICAS, .shard = (uint16_t)shard->id, .count = r->settings.copies};
        if (r->settings.copies > 1 && !world_apply(w, &c, err)) {
            return false;
        }
    }
    return true;
}

/* --- who owns which slot -----------------------------------------------------------------------
 */

static void want(const struct world *w, struct bytes label, uint32_t id, uint16_t *owner)
{
    uint32_t key = 0;
    if (world_find_key(w, label, &key)) {
        owner[world_key_slot(w, key)] = (uint16_t)id;
    }
}

/* A key with "#3" where a salt stands: at the end of its tag. */
static void add_salt(struct str *out, struct bytes key, uint32_t salt)
{
    struct bytes tag = key_tag(key);
    size_t before = (size_t)(tag.at - key.at) + tag.length;
    str_clear(out);
    str_addn(out, key.at, before);
    str_addf(out, "#%u", salt);
    str_addn(out, key.at + before, key.length - before);
}

static void want_salts(const struct world *w, const struct play_result *r, uint16_t *owner)
{
    struct str name = STR_EMPTY;
    struct str label = STR_EMPTY;
    struct label hot = label_of(r, r->keys->hot);
    for (uint32_t salt = 0; r->settings.salt > 1 && salt < r->settings.salt; salt++) {
        add_salt(&name, keyset_key(r->keys->all, r->keys->hot), salt);
        add_salt(&label, bytes_of_label(&hot), salt);
        uint32_t id = layout_owner(r->trial->after, (struct bytes){str_text(&name), name.length});
        want(w, (struct bytes){str_text(&label), label.length}, id, owner);
    }
    str_free(&name);
    str_free(&label);
}

/* One command for each run of slots that one shard shall own and not owns all of. */
static bool move_slots(struct world *w, const uint16_t *owner, struct err *err)
{
    uint32_t end = 0;
    for (uint32_t first = 0; first < WORLD_KEYS; first = end) {
        bool there = true;
        for (end = first; end < WORLD_KEYS && owner[end] == owner[first]; end++) {
            there = there && world_owner(w, end) == owner[first];
        }
        if (owner[first] == NOBODY || there) {
            continue;
        }
        struct command c = {
            .kind = COMMAND_MOVE, .shard = owner[first], .first = first, .last = end - 1};
        if (!world_apply(w, &c, err)) {
            return false;
        }
    }
    return true;
}

static bool place_slots(struct world *w, const struct play_result *r, struct err *err)
{
    uint16_t owner[WORLD_KEYS];
    memset(owner, 0xFF, sizeof owner);
    for (size_t key = 0; key < keyset_count(r->keys->all); key++) {
        struct label label = label_of(r, key);
        want(w, bytes_of_label(&label), trial_owner_after(r->trial, key), owner);
    }
    want_salts(w, r, owner);
    return move_slots(w, owner, err);
}

struct world *play_world(const struct play_result *r, const bool *cold, struct err *err)
{
    struct world_config config = config_of(r);
    struct world *w = world_new(&config, err);
    if (w == NULL || !start_flows(w, r, cold, err) || !treat_hot_key(w, r, err) ||
        !set_ceilings(w, r, err) || !place_slots(w, r, err)) {
        world_free(w);
        return NULL;
    }
    world_run_until(w, config.start_us + WARM_UP_US);
    if (world_stopped(w, err)) {
        world_free(w);
        return NULL;
    }
    return w;
}
