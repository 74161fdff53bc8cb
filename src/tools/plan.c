/*
 * plan: see plan.h.
 */
#include "tools/plan.h"

#include "base/alloc.h"
#include "base/num.h"
#include "place/bounded.h"
#include "place/ketama.h"
#include "place/kinesis.h"
#include "place/maglev.h"
#include "place/range.h"
#include "place/rendezvous.h"
#include "place/ring.h"
#include "place/trial.h"
#include <inttypes.h>
#include <stdlib.h>

/* What a step costs, about, in nanoseconds. */
#define POINT_NS 8  /* a point of a ring, sorted anew when a shard joins or leaves */
#define ENTRY_NS 32 /* an entry of Maglev's table, filled anew */
#define RANGE_NS 16 /* a range, looked at for its number of keys */
#define DRAW_NS 2   /* what a shard draws for a key */

struct plan_scheme plan_scheme_of(const struct scheme *scheme, enum hash_id hash, uint32_t slots,
                                  uint32_t tokens)
{
    struct plan_scheme p = {.scheme = scheme, .params = layout_defaults(scheme)};
    if (hash != HASH_COUNT) {
        p.params.hash = hash;
    }
    p.params.tags = p.params.hash == HASH_CRC16;
    p.params.deal = p.params.tags ? SLOTS_DEAL_RANGES : SLOTS_DEAL_ROUND_ROBIN;
    p.params.slots = slots;
    p.params.tokens = tokens;
    return p;
}

bool plan_can(const struct scheme *scheme)
{
    return (scheme->traits & SCHEME_BY_HAND) == 0;
}

bool plan_can_hash(const struct scheme *scheme, enum hash_id hash)
{
    bool any = scheme->default_hash == HASH_MIX64 || scheme == &scheme_slots;
    return any || hash == scheme->default_hash;
}

bool plan_check_change(const struct plan_change *change, struct err *err)
{
    if (change->from < 1 || change->from > LAYOUT_SHARDS_MAX || change->to < 1 ||
        change->to > LAYOUT_SHARDS_MAX) {
        return err_set(err,
                       "shards: from %" PRIu32 " to %" PRIu32
                       " is out of range; give numbers from 1 to %u",
                       change->from, change->to, LAYOUT_SHARDS_MAX);
    }
    if (change->removed != PLAN_NONE_REMOVED && change->removed >= change->from) {
        return err_set(
            err, "shard S%" PRIu32 " cannot be removed: %" PRIu32 " shards are S0 to S%" PRIu32,
            change->removed, change->from, change->from - 1);
    }
    if (change->removed != PLAN_NONE_REMOVED && change->from == 1) {
        return err_set(err, "the only shard cannot be removed: start from 2 shards or more");
    }
    return true;
}

static uint64_t steps_of(const struct plan_change *change)
{
    bool removes = change->removed != PLAN_NONE_REMOVED;
    uint32_t start = change->from - (removes ? 1 : 0);
    return (removes ? 1 : 0) + (start > change->to ? start - change->to : change->to - start);
}

/* Of the steps, where each looks at all there is, and of the keys, where each asks all shards. */
static uint64_t work_ns(const struct plan_scheme *p, const struct plan_change *change, size_t keys)
{
    uint64_t steps = steps_of(change);
    uint64_t shards = change->from > change->to ? change->from : change->to;
    const struct scheme *s = p->scheme;
    if (s == &scheme_slots) {
        return steps * p->params.slots;
    }
    if (s == &scheme_ring || s == &scheme_bounded_load || s == &scheme_cassandra) {
        return steps * shards * p->params.tokens * POINT_NS;
    }
    if (s == &scheme_ketama) {
        return steps * shards * KETAMA_DIGESTS * KETAMA_POINTS_OF_DIGEST * POINT_NS;
    }
    if (s == &scheme_maglev) {
        return steps * p->params.table * ENTRY_NS;
    }
    if (s == &scheme_range || s == &scheme_kinesis) {
        return steps * shards * RANGE_NS;
    }
    return s == &scheme_rendezvous ? 2 * (uint64_t)keys * shards * DRAW_NS : 0;
}

bool plan_check(const struct plan_scheme *p, const struct plan_change *change, size_t keys,
                struct err *err)
{
    const uint32_t ends[] = {change->from, change->to};
    if (!plan_check_change(change, err)) {
        return false;
    }
    if (work_ns(p, change, keys) > PLAN_WORK_MAX) {
        return err_set(err,
                       "%s steps from %" PRIu32 " shards to %" PRIu32
                       " with %s keys would take too long; take fewer of any of these",
                       num_grouped((int64_t)steps_of(change)).text, change->from, change->to,
                       keys > 0 ? num_grouped((int64_t)keys).text : "any");
    }
    for (size_t i = 0; i < 2; i++) {
        struct layout *probe = layout_new(p->scheme, &p->params, ends[i], err);
        if (!probe) {
            return false;
        }
        layout_free(probe);
    }
    return true;
}

/* Takes `layout` from its shards to those of the change. */
static bool change_layout(struct layout *layout, const struct plan_change *change, struct err *err)
{
    if (change->removed != PLAN_NONE_REMOVED && !layout_remove(layout, change->removed, err)) {
        return false;
    }
    while (layout_shards(layout) < change->to) {
        if (!layout_add(layout, err)) {
            return false;
        }
    }
    while (layout_shards(layout) > change->to) {
        uint32_t highest = layout_shard_id(layout, layout_shards(layout) - 1);
        if (!layout_remove(layout, highest, err)) {
            return false;
        }
    }
    return true;
}

/* Both lists of ids ascend, so one walk merges them. */
static void merge_shards(struct plan_result *out, const struct trial *t)
{
    const struct balance *before = &t->keys_before;
    const struct balance *after = &t->keys_after;
    out->shard = xcalloc((size_t)before->shards + after->shards, sizeof *out->shard);
    uint32_t b = 0;
    uint32_t a = 0;
    while (b < before->shards || a < after->shards) {
        struct plan_shard *s = &out->shard[out->shards++];
        bool have_b = b < before->shards;
        bool have_a = a < after->shards;
        s->in_before = have_b && (!have_a || before->ids[b] <= after->ids[a]);
        s->in_after = have_a && (!have_b || after->ids[a] <= before->ids[b]);
        if (s->in_before) {
            s->id = before->ids[b];
            s->before = before->amount[b];
            s->given = t->moved.given[b];
            b++;
        }
        if (s->in_after) {
            s->id = after->ids[a];
            s->after = after->amount[a];
            s->taken = t->moved.taken[a];
            a++;
        }
    }
}

/* Of each position of a layout: whether the other has that shard too. Caller frees. */
static bool *list_staying(const struct plan_result *r, bool of_before)
{
    bool *stays = xcalloc(r->shards, sizeof *stays);
    size_t position = 0;
    for (size_t s = 0; s < r->shards; s++) {
        const struct plan_shard *shard = &r->shard[s];
        if (of_before ? shard->in_before : shard->in_after) {
            stays[position++] = shard->in_before && shard->in_after;
        }
    }
    return stays;
}

static uint64_t count_among(const struct plan_result *r, const struct trial *t)
{
    bool *before = list_staying(r, true);
    bool *after = list_staying(r, false);
    uint64_t among = 0;
    for (size_t i = 0; i < r->keys; i++) {
        if (before[t->owner_before[i]] && after[t->owner_after[i]]) {
            among += trial_moved(t, i);
        }
    }
    free(after);
    free(before);
    return among;
}

bool plan_compute(const struct plan_scheme *scheme, const struct plan_change *change,
                  struct keyset *keys, struct plan_result *out, struct err *err)
{
    *out = (struct plan_result){.keys = keyset_count(keys)};
    if (!plan_check(scheme, change, keyset_count(keys), err)) {
        return false;
    }
    out->before = layout_new(scheme->scheme, &scheme->params, change->from, err);
    if (!out->before) {
        return false;
    }
    layout_observe(out->before, keys);
    out->after = layout_copy(out->before);
    if (!change_layout(out->after, change, err)) {
        plan_result_free(out);
        return false;
    }
    struct trial *t = trial_new(keys, layout_copy(out->before), layout_copy(out->after));
    out->moved = t->moved.moved;
    out->from_shards = t->moved.from_shards;
    out->over_average_before = balance_over_average(&t->keys_before);
    out->over_average_after = balance_over_average(&t->keys_after);
    out->spread_after = balance_spread(&t->keys_after);
    out->memory = layout_memory(out->after);
    merge_shards(out, t);
    out->among = count_among(out, t);
    trial_free(t);
    return true;
}

void plan_result_free(struct plan_result *r)
{
    layout_free(r->before);
    layout_free(r->after);
    free(r->shard);
    *r = (struct plan_result){.keys = 0};
}

uint32_t plan_slots_moved(const struct plan_result *r)
{
    uint32_t moved = 0;
    for (uint32_t slot = 0; slot < layout_slot_count(r->before); slot++) {
        moved += layout_slot_owner(r->before, slot) != layout_slot_owner(r->after, slot);
    }
    return moved;
}

uint64_t plan_least_ppm(const struct plan_change *change)
{
    const uint64_t whole = 1000000;
    uint64_t stay = change->from - (change->removed != PLAN_NONE_REMOVED ? 1 : 0);
    /* Shards that stay in both layouts keep at most an even share of the larger of the two. */
    stay = stay < change->to ? stay : change->to;
    uint64_t larger = change->from > change->to ? change->from : change->to;
    return whole - whole * stay / larger;
}
