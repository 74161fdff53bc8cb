/*
 * accounts_apply: the commands of accounts.h. Texts: see command_accounts.c.
 */
#include "engine/accounts/accounts_inside.h"

#include "engine/apply.h"
#include "engine/queue.h"
#include "engine/steps.h"
#include "engine/store.h"
#include "place/key.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* --- checks and rows ---------------------------------------------------------------------------
 */

static bool key_length_fits(uint32_t length, struct err *err)
{
    if (length < 1 || length > KEY_BYTES_MAX) {
        return err_set(err, "a key has 1 to %d bytes", KEY_BYTES_MAX);
    }
    return true;
}

static bool keys_fit(const struct world *w, uint32_t anew, struct err *err)
{
    if (anew > w->config.keys_max - w->keys) {
        return err_set(err, "this world has room for %u keys, and %u more would be needed",
                       w->config.keys_max, anew);
    }
    return true;
}

static bool row_fits(const struct world *w, struct err *err)
{
    if (w->accounts.count == w->config.accounts_max) {
        return err_set(err, "this world has room for %u balances, budgets and indexes, all taken",
                       w->config.accounts_max);
    }
    return true;
}

static struct bytes key_of(const struct command *c)
{
    return (struct bytes){.at = c->key, .length = c->key_length};
}

/* The row of the command's key as a balance or budget: false if it is something else already. */
static bool find_row(const struct world *w, const struct command *c, enum account_kind kind,
                     uint32_t *row, struct err *err)
{
    uint32_t key = store_find_key(w, key_of(c));
    *row = NO_INDEX;
    if (key == NO_INDEX) {
        return true;
    }
    const struct key_entry *entry = keys_in(w) + key;
    if (entry->writes != 0) {
        return err_set(err, "%.*s is a count that routers treat (command writes); use another key",
                       entry->length, entry->text);
    }
    if (entry->account == 0) {
        return true;
    }
    *row = entry->account - 1u;
    const struct account_row *a = accounts_in(w) + *row;
    if (a->kind != kind || a->key != key) {
        return err_set(err, "%.*s is %s already; use another key", entry->length, entry->text,
                       a->key != key                ? "a stripe"
                       : a->kind == ACCOUNT_BALANCE ? "an account"
                                                    : "a budget");
    }
    return true;
}

static uint32_t new_row(struct world *w, enum account_kind kind, uint32_t key)
{
    uint32_t row = w->accounts.count++;
    accounts_of(w)[row] = (struct account_row){.kind = (uint8_t)kind, .key = key};
    for (uint32_t router = 0; router < w->config.routers; router++) {
        *account_spot_at(w, row, (uint16_t)router) = (struct account_spot){
            .block = NO_INDEX, .first = NO_INDEX, .last = NO_INDEX, .refuser = SHARD_NONE};
    }
    return row;
}

/* --- balances ----------------------------------------------------------------------------------
 */

struct name {
    char text[KEY_BYTES_MAX + 4];
    size_t length;
};

static struct bytes name_bytes(const struct name *name)
{
    return (struct bytes){.at = name->text, .length = name->length};
}

/* acct:{a} -> acct:{a#0}, so that each stripe has a slot of its own; a -> a#0. */
static struct name stripe_name(const struct command *c, uint32_t stripe)
{
    struct bytes key = key_of(c);
    struct bytes tag = key_tag(key);
    size_t at = (size_t)(tag.at - key.at) + tag.length;
    struct name name;
    char salt[4];
    int length = snprintf(salt, sizeof salt, "#%u", stripe);
    CHECK(length > 0 && (size_t)length < sizeof salt);
    memcpy(name.text, key.at, at);
    memcpy(name.text + at, salt, (size_t)length);
    memcpy(name.text + at + (size_t)length, key.at + at, key.length - at);
    name.length = key.length + (size_t)length;
    return name;
}

static bool stripes_fit(const struct world *w, const struct command *c, uint32_t row,
                        struct err *err)
{
    uint32_t made = row == NO_INDEX ? 0 : accounts_in(w)[row].made;
    uint32_t anew = store_find_key(w, key_of(c)) == NO_INDEX;
    for (uint32_t i = made; i < c->count; i++) {
        struct name name = stripe_name(c, i);
        if (!key_length_fits((uint32_t)name.length, err)) {
            return false;
        }
        uint32_t key = store_find_key(w, name_bytes(&name));
        anew += key == NO_INDEX;
        if (key != NO_INDEX && (keys_in(w)[key].account | keys_in(w)[key].writes) != 0) {
            return err_set(err, "%.*s is in use, and cannot become a stripe; use another key",
                           (int)name.length, name.text);
        }
    }
    return keys_fit(w, anew, err);
}

/* A key becomes a cell of a balance, with what it holds beside its likes. */
static void make_cell(struct world *w, uint32_t row, uint32_t key)
{
    struct key_entry *entry = keys_of(w) + key;
    int64_t likes = (int64_t)(entry->acked + entry->flying + entry->stray_flying + entry->unknown);
    entry->account = (uint8_t)(row + 1);
    accounts_of(w)[row].opening += account_cell_owned(w, key).balance - likes;
}

static bool apply_account(struct world *w, const struct command *c, struct err *err)
{
    uint32_t row;
    if (!key_length_fits(c->key_length, err) || !find_row(w, c, ACCOUNT_BALANCE, &row, err)) {
        return false;
    }
    if (c->count > STRIPES_MAX || c->amount > AMOUNT_MAX) {
        return err_set(err, "an account has 0 to %d stripes and a floor of 0 to %u", STRIPES_MAX,
                       AMOUNT_MAX);
    }
    if (!stripes_fit(w, c, row, err) || (row == NO_INDEX && !row_fits(w, err))) {
        return false;
    }
    uint32_t key = store_intern(w, key_of(c));
    if (row == NO_INDEX) {
        row = new_row(w, ACCOUNT_BALANCE, key);
        make_cell(w, row, key);
    }
    struct account_row *a = accounts_of(w) + row;
    while (a->made < c->count) {
        struct name name = stripe_name(c, a->made);
        a->stripe[a->made] = store_intern(w, name_bytes(&name));
        make_cell(w, row, a->stripe[a->made]);
        a->made++;
    }
    a->stripes = (uint8_t)c->count;
    a->floor = (int64_t)c->amount;
    int64_t sum = a->opening + a->credited - a->debited;
    a->low = sum < a->floor ? sum : a->floor;
    apply_note(w, c, key, node_of(NODE_NONE, 0), a->stripes, a->floor);
    return true;
}

static bool apply_sweep(struct world *w, const struct command *c, struct err *err)
{
    uint32_t row;
    if (!key_length_fits(c->key_length, err) || !find_row(w, c, ACCOUNT_BALANCE, &row, err)) {
        return false;
    }
    if (row == NO_INDEX || accounts_in(w)[row].made == 0) {
        return err_set(err, "%.*s has no stripes to sweep; say \"account KEY STRIPES FLOOR\" first",
                       c->key_length, c->key);
    }
    if (c->period_us < 0 || c->period_us > INT64_C(3600) * US_PER_SECOND) {
        return err_set(err, "a sweeper comes every 1 ms to every hour");
    }
    if (!request_room(w)) {
        return err_set(err,
                       "this world has room for %u requests in flight, all taken; run it first",
                       w->config.requests_max);
    }
    if (!apply_event_room(w, 3, err)) {
        return false;
    }
    struct account_row *a = accounts_of(w) + row;
    a->period_us = c->period_us;
    a->timer++;
    apply_note(w, c, a->key, node_of(NODE_NONE, 0), c->period_us, a->made);
    if (a->period_us > 0) {
        struct event *tick = queue_at(w, w->now_us + a->period_us, EVENT_JOB);
        tick->request = row;
        tick->detail = JOB_SWEEP;
        tick->carries.value = a->timer;
    }
    account_sweep(w, row);
    a->overdue = a->step;
    return true;
}

/* --- budgets and indexes -----------------------------------------------------------------------
 */

static bool apply_lease(struct world *w, const struct command *c, struct err *err)
{
    uint32_t row;
    if (!key_length_fits(c->key_length, err) || !find_row(w, c, ACCOUNT_BUDGET, &row, err)) {
        return false;
    }
    if (c->rate < 1 || c->rate > RATE_MAX || c->count < 1 || c->count > RATE_MAX) {
        return err_set(err, "a budget has 1 to %u tokens a second, leased in blocks of 1 to %u",
                       RATE_MAX, RATE_MAX);
    }
    uint32_t key = store_find_key(w, key_of(c));
    if (!keys_fit(w, key == NO_INDEX, err) || (row == NO_INDEX && !row_fits(w, err))) {
        return false;
    }
    key = store_intern(w, key_of(c));
    if (row == NO_INDEX) {
        row = new_row(w, ACCOUNT_BUDGET, key);
        keys_of(w)[key].account = (uint8_t)(row + 1);
    }
    struct account_row *a = accounts_of(w) + row;
    if (a->second != account_second(w)) {
        a->second = account_second(w);
        a->spent = 0;
        a->most = a->rate;
    }
    a->most = c->rate > a->most ? c->rate : a->most;
    a->rate = c->rate;
    a->block = c->count;
    apply_note(w, c, key, node_of(NODE_NONE, 0), c->rate, c->count);
    return true;
}

/* The row of an index by its key: one that several keys may share. */
static uint32_t find_index(const struct world *w, uint32_t key)
{
    for (uint32_t i = 0; i < w->accounts.count; i++) {
        const struct account_row *a = accounts_in(w) + i;
        if (a->kind == ACCOUNT_INDEX && a->key == key) {
            return i;
        }
    }
    return NO_INDEX;
}

static bool end_index(struct world *w, const struct command *c, struct err *err)
{
    uint32_t key = store_find_key(w, key_of(c));
    if (key == NO_INDEX || keys_in(w)[key].index == 0) {
        return err_set(err, "%.*s has no index, so none can end", c->key_length, c->key);
    }
    apply_note(w, c, key, node_of(NODE_NONE, 0), -1, 0);
    keys_of(w)[key].index = 0;
    return true;
}

static bool apply_index(struct world *w, const struct command *c, struct err *err)
{
    if (!key_length_fits(c->key_length, err)) {
        return false;
    }
    if (c->other_length == 0) {
        return end_index(w, c, err);
    }
    struct bytes other = {.at = c->other, .length = c->other_length};
    if (!key_length_fits(c->other_length, err)) {
        return false;
    }
    if (bytes_equal(key_of(c), other)) {
        return err_set(err, "%.*s cannot be its own index", c->key_length, c->key);
    }
    if (c->mode >= INDEX_MODES) {
        return err_set(err, "an index is async, sync or throttle");
    }
    uint32_t index = store_find_key(w, other);
    uint32_t row = index == NO_INDEX ? NO_INDEX : find_index(w, index);
    uint32_t anew = index == NO_INDEX;
    anew += store_find_key(w, key_of(c)) == NO_INDEX;
    if (!keys_fit(w, anew, err) || (row == NO_INDEX && !row_fits(w, err))) {
        return false;
    }
    if (index != NO_INDEX && keys_in(w)[index].account != 0) {
        return err_set(err, "%.*s is an account or a budget, and no index", c->other_length,
                       c->other);
    }
    uint32_t key = store_intern(w, key_of(c));
    index = store_intern(w, other);
    row = row == NO_INDEX ? new_row(w, ACCOUNT_INDEX, index) : row;
    accounts_of(w)[row].mode = c->mode;
    keys_of(w)[key].index = (uint8_t)(row + 1);
    apply_note(w, c, key, node_of(NODE_NONE, 0), index, c->mode);
    return true;
}

bool accounts_apply(struct world *w, const struct command *c, struct err *err)
{
    static bool (*const apply[])(struct world * w, const struct command *c, struct err *err) = {
        apply_index, apply_account, apply_sweep, apply_lease};
    _Static_assert(COMMAND_LEASE - COMMAND_INDEX == 3, "in the order of the commands");
    CHECK(c->kind >= COMMAND_INDEX && c->kind <= COMMAND_LEASE);
    return apply[c->kind - COMMAND_INDEX](w, c, err);
}
