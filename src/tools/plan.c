/*
 * plan: see plan.h.
 */
#include "tools/plan.h"

#include "base/alloc.h"
#include "base/num.h"
#include <inttypes.h>
#include <stdlib.h>

struct plan_scheme plan_scheme_of(const struct scheme *scheme, enum hash_id hash, uint32_t slots)
{
    struct plan_scheme p = {.scheme = scheme, .params = layout_defaults(scheme)};
    if (hash != HASH_COUNT) {
        p.params.hash = hash;
    }
    p.params.tags = p.params.hash == HASH_CRC16;
    p.params.slots = slots;
    return p;
}

bool plan_can(const struct scheme *scheme)
{
    return scheme != &scheme_directory;
}

bool plan_hashes_alike(const struct plan_scheme *a, const struct plan_scheme *b)
{
    return a->params.hash == b->params.hash && a->params.tags == b->params.tags;
}

static uint32_t steps_of(const struct plan_change *change)
{
    uint32_t start = change->from - (change->removed != PLAN_NONE_REMOVED ? 1 : 0);
    return start > change->to ? start - change->to : change->to - start;
}

bool plan_check(const struct plan_scheme *scheme, const struct plan_change *change, struct err *err)
{
    struct layout *probe = NULL;
    const uint32_t ends[] = {change->from, change->to};
    for (size_t i = 0; i < 2; i++) {
        probe = layout_new(scheme->scheme, &scheme->params, ends[i], err);
        if (!probe) {
            return false;
        }
        layout_free(probe);
    }
    if (change->removed != PLAN_NONE_REMOVED && change->removed >= change->from) {
        return err_set(
            err, "shard S%" PRIu32 " cannot be removed: %" PRIu32 " shards are S0 to S%" PRIu32,
            change->removed, change->from, change->from - 1);
    }
    if (change->removed != PLAN_NONE_REMOVED && change->from == 1) {
        return err_set(err, "the only shard cannot be removed: start from 2 shards or more");
    }
    uint64_t work = (uint64_t)scheme->params.slots * steps_of(change);
    if (scheme->scheme == &scheme_slots && work > PLAN_WORK_MAX) {
        return err_set(err,
                       "%" PRIu32 " changes of %" PRIu32
                       " slots take too long; use fewer slots or a smaller change",
                       steps_of(change), scheme->params.slots);
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
static void merge_shards(struct plan_result *out, const struct balance *before,
                         const struct balance *after, const struct movement *moved)
{
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
            s->before = before->keys[b];
            s->given = moved->given[b];
            b++;
        }
        if (s->in_after) {
            s->id = after->ids[a];
            s->after = after->keys[a];
            s->taken = moved->taken[a];
            a++;
        }
    }
}

bool plan_compute(const struct plan_scheme *scheme, const struct plan_change *change,
                  const uint64_t *hashes, size_t count, struct plan_result *out, struct err *err)
{
    *out = (struct plan_result){.keys = count};
    if (!plan_check(scheme, change, err)) {
        return false;
    }
    out->before = layout_new(scheme->scheme, &scheme->params, change->from, err);
    if (!out->before) {
        return false;
    }
    out->after = layout_copy(out->before);
    if (!change_layout(out->after, change, err)) {
        plan_result_free(out);
        return false;
    }
    struct balance before = balance_of(out->before, hashes, count);
    struct balance after = balance_of(out->after, hashes, count);
    struct movement moved = movement_between(out->before, out->after, hashes, count);
    out->moved = moved.moved;
    out->from_shards = moved.from_shards;
    out->over_average_before = balance_over_average(&before);
    out->over_average_after = balance_over_average(&after);
    out->memory = layout_memory(out->after);
    merge_shards(out, &before, &after, &moved);
    movement_free(&moved);
    balance_free(&after);
    balance_free(&before);
    return true;
}

void plan_result_free(struct plan_result *r)
{
    if (r->before) {
        layout_free(r->before);
    }
    if (r->after) {
        layout_free(r->after);
    }
    free(r->shard);
    *r = (struct plan_result){.keys = 0};
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
