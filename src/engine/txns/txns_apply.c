/*
 * txns_apply: the commands of txns.h.
 */
#include "engine/apply.h"
#include "engine/queue.h"
#include "engine/store.h"
#include "engine/txns/txns_inside.h"

#define EVENTS_OF_TXN (4 * TXN_STEPS_MAX + 4) /* of each step: its message, answer and timers */

struct named {
    struct bytes key;
    uint32_t amount;
    uint8_t what;
};

static struct named step_of(const struct command *c, uint32_t step)
{
    const struct bytes keys[TXN_STEPS_MAX] = {
        {c->key, c->key_length}, {c->other, c->other_length}, {c->third, c->third_length}};
    const uint64_t amounts[TXN_STEPS_MAX] = {c->amount, c->writes, c->reads};
    uint64_t amount = amounts[step] <= TXN_AMOUNT_MAX ? amounts[step] : TXN_AMOUNT_MAX + 1u;
    return (struct named){
        .key = keys[step], .amount = (uint32_t)amount, .what = c->pick >> (2 * step) & 3};
}

static uint32_t find_row(const struct world *w, struct bytes key)
{
    uint32_t number = store_find_key(w, key);
    for (uint32_t i = 0; number != NO_INDEX && i < w->txns.rows; i++) {
        if (txn_rows_in(w)[i].key == number) {
            return i;
        }
    }
    return NO_INDEX;
}

bool world_txn_row_find(const struct world *w, struct bytes key, uint32_t *index)
{
    *index = find_row(w, key);
    return *index != NO_INDEX;
}

static uint32_t make_row(struct world *w, struct bytes key)
{
    uint32_t row = find_row(w, key);
    if (row == NO_INDEX) {
        row = w->txns.rows++;
        w->txns.count++;
        txn_rows_of(w)[row] = (struct txn_row){.key = store_intern(w, key)};
    }
    return row;
}

static bool key_fits(struct bytes key, struct err *err)
{
    if (key.length < 1 || key.length > KEY_BYTES_MAX) {
        return err_set(err, "a key has 1 to %d bytes", KEY_BYTES_MAX);
    }
    return true;
}

/* Whether so many rows and keys more can be had. */
static bool rows_fit(const struct world *w, uint32_t rows, uint32_t keys, struct err *err)
{
    if (rows > w->config.txn_rows_max - w->txns.rows) {
        return err_set(err,
                       "this world has room for %u rows of transactions; use those that it has",
                       w->config.txn_rows_max);
    }
    if (keys > w->config.keys_max - w->keys) {
        return err_set(err, "this world has room for %u keys and has met %u; use one of them",
                       w->config.keys_max, w->keys);
    }
    return true;
}

static bool apply_row(struct world *w, const struct command *c, struct err *err)
{
    struct bytes key = {.at = c->key, .length = c->key_length};
    if (!key_fits(key, err)) {
        return false;
    }
    if (c->amount > TXN_AMOUNT_MAX) {
        return err_set(err, "a row is set to 0 to %u", TXN_AMOUNT_MAX);
    }
    uint32_t row = find_row(w, key);
    bool fresh = row == NO_INDEX;
    if (!rows_fit(w, fresh, fresh && store_find_key(w, key) == NO_INDEX, err)) {
        return false;
    }
    if (!fresh && txn_rows_in(w)[row].locked_by != 0) {
        return err_set(err, "%.*s is locked by transaction %llu; it cannot be set before that ends",
                       c->key_length, c->key, (unsigned long long)txn_rows_in(w)[row].locked_by);
    }
    row = make_row(w, key);
    struct txn_row *r = txn_rows_of(w) + row;
    w->txns.opening += (int64_t)c->amount - r->value;
    apply_note(w, c, r->key, node_of(NODE_NONE, 0), (int64_t)c->amount, r->value);
    r->value = (int64_t)c->amount;
    return true;
}

/* --- txn ---------------------------------------------------------------------------------------
 */

static bool step_fits(const struct command *c, uint32_t step, struct err *err)
{
    struct named s = step_of(c, step);
    bool counts = s.what == TXN_TAKE || s.what == TXN_GIVE;
    if (!key_fits(s.key, err)) {
        return false;
    }
    if (counts && (s.amount < 1 || s.amount > TXN_AMOUNT_MAX)) {
        return err_set(err, "a step takes or gives 1 to %u", TXN_AMOUNT_MAX);
    }
    for (uint32_t i = 0; i < step; i++) {
        if (bytes_equal(step_of(c, i).key, s.key)) {
            return err_set(err, "%.*s is named twice; each step has a row of its own",
                           (int)s.key.length, (const char *)s.key.at);
        }
    }
    return true;
}

/* The place of the transaction that was over first, or of none; NULL: all are under way. */
static struct txn *free_place(struct world *w)
{
    struct txn *first = NULL;
    for (uint32_t i = 0; i < w->config.txns_max; i++) {
        struct txn *t = txns_of(w) + i;
        if (t->number == 0) {
            return t;
        }
        if (t->over_us != TXN_NEVER && (first == NULL || t->number < first->number)) {
            first = t;
        }
    }
    return first;
}

static bool txn_fits(struct world *w, const struct command *c, struct err *err)
{
    uint32_t rows = 0;
    uint32_t keys = 0;
    if (c->place < 1 || c->place > TXN_STEPS_MAX || c->mode >= TXN_BY_KINDS) {
        return err_set(err, "a transaction by 2pc, saga or plain has 1 to %d steps", TXN_STEPS_MAX);
    }
    if (c->router >= w->config.routers) {
        return err_set(err, "no router R%u: this world has R0 to R%u", c->router,
                       w->config.routers - 1u);
    }
    if (routers_in(w)[c->router].down) {
        return err_set(err, "R%u is down and coordinates nothing; use another router", c->router);
    }
    for (uint32_t i = 0; i < c->place; i++) {
        if (!step_fits(c, i, err)) {
            return false;
        }
        bool fresh = find_row(w, step_of(c, i).key) == NO_INDEX;
        rows += fresh;
        keys += fresh && store_find_key(w, step_of(c, i).key) == NO_INDEX;
    }
    if (free_place(w) == NULL) {
        return err_set(err, "this world has room for %u transactions, all under way; run it first",
                       w->config.txns_max);
    }
    return rows_fit(w, rows, keys, err) && apply_event_room(w, EVENTS_OF_TXN, err);
}

static struct txn_step new_step(struct world *w, struct named named)
{
    uint32_t row = make_row(w, named.key);
    struct txn_step s = {.what = named.what,
                         .amount = named.amount,
                         .row = (uint16_t)row,
                         .shard = SHARD_NONE,
                         .asked_us = TXN_NEVER,
                         .answered_us = TXN_NEVER,
                         .locked_from_us = TXN_NEVER,
                         .locked_to_us = TXN_NEVER,
                         .voted_us = TXN_NEVER,
                         .done_us = TXN_NEVER,
                         .undone_us = TXN_NEVER};
    return s;
}

static bool apply_txn(struct world *w, const struct command *c, struct err *err)
{
    if (!txn_fits(w, c, err)) {
        return false;
    }
    struct txn *t = free_place(w);
    *t = (struct txn){.number = ++w->txns.last,
                      .router = c->router,
                      .by = c->mode,
                      .steps = c->place,
                      .waited = true,
                      .began_us = w->now_us,
                      .since_us = w->now_us,
                      .ended_us = TXN_NEVER,
                      .over_us = TXN_NEVER,
                      .decided_us = TXN_NEVER,
                      .died_us = TXN_NEVER,
                      .back_us = TXN_NEVER,
                      .dies = w->txns.dies,
                      .dies_us = w->txns.dies_us};
    for (uint32_t i = 0; i < t->steps; i++) {
        t->step[i] = new_step(w, step_of(c, i));
    }
    w->txns.count++;
    w->command_requests_open++;
    w->txns.dies = 0;
    apply_note(w, c, txn_row_in(w, &t->step[0])->key, node_of(NODE_ROUTER, c->router),
               (int64_t)t->number, t->by);
    uint8_t zone = routers_in(w)[c->router].zone;
    txn_timer(w, t, TXN_JOB_BEGIN, 0, w->queue.leg_us[LEG_ASK][zone][zone]);
    return true;
}

/* --- coordinator -------------------------------------------------------------------------------
 */

static void live(struct world *w)
{
    w->txns.dies = 0;
    for (uint32_t i = 0; i < w->config.txns_max; i++) {
        txns_of(w)[i].dies = 0;
    }
}

static bool apply_coordinator(struct world *w, const struct command *c, struct err *err)
{
    if (w->config.txns_max == 0) {
        return err_set(err, "this world has no room for transactions");
    }
    if (c->on) {
        live(w);
        apply_note(w, c, KEY_NONE_ID, node_of(NODE_NONE, 0), -1, 0);
        return true;
    }
    if (c->mode >= TXN_POINTS) {
        return err_set(err, "a coordinator dies begun, asked, voted, decided or told-one");
    }
    if (c->period_us < 1 || c->period_us > INT64_C(3600) * US_PER_SECOND) {
        return err_set(err, "a coordinator is away for more than 0 ms and at most an hour");
    }
    w->txns.count++;
    w->txns.dies = c->mode + 1;
    w->txns.dies_us = c->period_us;
    apply_note(w, c, KEY_NONE_ID, node_of(NODE_NONE, 0), c->mode, c->period_us);
    return true;
}

bool txns_apply(struct world *w, const struct command *c, struct err *err)
{
    static bool (*const apply[])(struct world * w, const struct command *c,
                                 struct err *err) = {apply_row, apply_txn, apply_coordinator};
    _Static_assert(COMMAND_COORDINATOR - COMMAND_ROW == 2, "in the order of the commands");
    CHECK(c->kind >= COMMAND_ROW && c->kind <= COMMAND_COORDINATOR);
    return apply[c->kind - COMMAND_ROW](w, c, err);
}
