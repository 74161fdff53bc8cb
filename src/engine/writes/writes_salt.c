/*
 * writes_salt: which sub-key a salted like goes to, and how parts of a count are frozen.
 */
#include "engine/writes/writes_inside.h"

/* The request goes by another sub-key of its count from now on. */
static void go_by(struct world *w, struct request *r, uint32_t key)
{
    if (r->key == key) {
        return;
    }
    if (r->held) { /* applied under the key it had; whoever asked has not been told */
        struct key_entry *old = keys_of(w) + r->key;
        *(r->stray ? &old->stray_flying : &old->flying) -= 1;
        old->unknown++;
        r->held = 0;
    }
    r->key = key;
    r->slot = slot_of_key(w, key);
}

static uint32_t next_salt(struct world *w, struct hot_write *row, const struct request *r)
{
    switch ((enum salt_pick)row->pick) {
    case SALT_TURN: {
        struct write_spot *spot = write_spot_of(w, row, r->router);
        uint32_t salt = spot->turn % row->salts;
        spot->turn = salt + 1;
        return salt;
    }
    case SALT_RANDOM:
        return (uint32_t)prng_below(&row->prng, row->salts);
    case SALT_WRITER:
        return (uint32_t)(mix64(r->operation) % row->salts);
    }
    CHECK(false && "a salt picked in no way");
    return 0;
}

void salt_pick(struct world *w, struct hot_write *row, uint32_t request)
{
    struct request *r = requests_of(w) + request;
    uint32_t salt = next_salt(w, row, r);
    go_by(w, r, row->salt[salt]);
    struct trace_record *t =
        writes_note(w, WRITES_SALT_PICKED, node_of(NODE_ROUTER, r->router), r->key);
    t->request = r->number;
    t->op = r->op;
    writes_operands(t, salt, row->salts, row->pick);
}

void salt_drop(struct world *w, const struct hot_write *row, uint32_t request)
{
    go_by(w, requests_of(w) + request, row->key);
}

/* --- freezing --- */

uint64_t part_sum(const struct world *w, const struct hot_write *row, enum count_part part)
{
    uint64_t sum = 0;
    switch (part) {
    case PART_PLAIN:
        return held_at_owner(w, row->key);
    case PART_SALTS:
        for (uint32_t i = 0; i < row->most; i++) {
            sum += held_at_owner(w, row->salt[i]);
        }
        return sum;
    case PART_ROUTERS:
        for (uint16_t i = 0; i < w->config.routers; i++) {
            uint32_t key = write_spot_in(w, row, i)->key;
            sum += key == KEY_NONE_ID ? 0 : held_at_owner(w, key);
        }
        return sum;
    case COUNT_PARTS:
        break;
    }
    CHECK(false && "no part of a count");
    return 0;
}

static bool is_salt(const struct hot_write *row, uint32_t key)
{
    for (uint32_t i = 0; i < row->most; i++) {
        if (row->salt[i] == key) {
            return true;
        }
    }
    return false;
}

/* Whether a request writes, or may yet write, this part. One that no router has in hand yet goes
 * by the treatment in force when it gets there. */
static bool writes_part(const struct world *w, const struct hot_write *row, const struct request *r,
                        enum count_part part)
{
    bool over = r->number == 0 || (r->ended && r->flying == 0);
    if (over || op_reads((enum op_kind)r->op) ||
        keys_in(w)[r->key].writes != hot_write_index(w, row) + 1) {
        return false;
    }
    if (part == PART_ROUTERS) {
        return r->storing;
    }
    bool routed = !r->storing && (r->asks > 0 || r->origin != ORIGIN_CLIENT);
    return routed && (part == PART_PLAIN ? r->key == row->key : is_salt(row, r->key));
}

static bool is_quiet(const struct world *w, const struct hot_write *row, enum count_part part)
{
    for (uint16_t i = 0; part == PART_ROUTERS && i < w->config.routers; i++) {
        if (!sum_is_idle(write_spot_in(w, row, i))) {
            return false;
        }
    }
    for (uint32_t i = 0; i < w->requests_used; i++) {
        if (writes_part(w, row, requests_in(w) + i, part)) {
            return false;
        }
    }
    return true;
}

void freeze_parts(struct world *w, struct hot_write *row)
{
    bool some_left = false;
    for (uint32_t i = 0; i < COUNT_PARTS; i++) {
        enum count_part part = (enum count_part)i;
        if (i == row->mode || !row->live[i]) {
            continue;
        }
        if (!is_quiet(w, row, part)) {
            some_left = true;
            continue;
        }
        row->frozen[i] = part_sum(w, row, part);
        row->live[i] = false;
        if (row->frozen[i] > 0) {
            struct trace_record *t =
                writes_note(w, WRITES_FROZEN, node_of(NODE_OPERATOR, 0), row->key);
            writes_operands(t, i, row->frozen[i], 0);
        }
    }
    if (some_left && !row->freezing) {
        row->freezing = true;
        struct event *event = queue_at(w, w->now_us + FREEZE_EVERY_US, EVENT_JOB);
        event->request = hot_write_index(w, row);
        event->detail = JOB_FREEZE;
    }
}
