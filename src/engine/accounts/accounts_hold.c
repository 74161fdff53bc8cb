/*
 * accounts_hold: the tables of accounts.h: how they are laid out, read, fed to a digest, and what
 * must be true of them.
 */
#include "engine/accounts/accounts_inside.h"

#include "engine/store.h"
#include <inttypes.h>

void accounts_lay_out(struct world *plan, uint64_t *end)
{
    const struct world_config *c = &plan->config;
    uint64_t spots = (uint64_t)c->accounts_max * c->routers;
    plan->at.accounts = table_at(end, c->accounts_max, sizeof(struct account_row));
    plan->at.account_spots = table_at(end, spots, sizeof(struct account_spot));
}

static void feed_row(struct digest *d, const struct account_row *a)
{
    DIGEST_FEED(d, (uint64_t)a->sweep.amount, a->sweep.sequence, a->sweep.phase, a->sweep.stripe,
                (uint64_t)a->opening, (uint64_t)a->credited, (uint64_t)a->debited,
                (uint64_t)a->told_credited, (uint64_t)a->told_debited, a->untrue, (uint64_t)a->low,
                (uint64_t)a->floor, (uint64_t)a->period_us, (uint64_t)a->moved, a->step, a->overdue,
                a->spent, a->written, a->missing, a->key, a->timer, a->rate, a->block, a->most,
                a->second, a->kind, a->stripes, a->made, a->mode);
    for (uint32_t i = 0; i < a->made; i++) {
        digest_u64(d, a->stripe[i]);
    }
}

void accounts_feed(struct digest *d, const struct world *w)
{
    digest_u64(d, w->accounts.count);
    for (uint32_t row = 0; row < w->accounts.count; row++) {
        feed_row(d, accounts_in(w) + row);
        for (uint32_t router = 0; router < w->config.routers; router++) {
            const struct account_spot *s = account_spot_in(w, row, (uint16_t)router);
            DIGEST_FEED(d, s->lease.tokens, s->lease.second, s->lease.spent, s->lease.asking,
                        s->lease.dry, s->block, s->first, s->last, s->turn, s->behind, s->refuser);
        }
    }
}

/* --- reading ---------------------------------------------------------------------------------- */

struct stripe_cell account_cell_owned(const struct world *w, uint32_t key)
{
    return account_cell(w, store_home(w, key), key);
}

int64_t account_transit(const struct world *w, const struct account_row *row)
{
    if (row->made == 0) {
        return 0;
    }
    struct stripe_cell stripe = account_cell_owned(w, row->stripe[row->sweep.stripe]);
    struct stripe_cell main = account_cell_owned(w, row->key);
    return sweep_in_transit(&row->sweep, &stripe, &main);
}

int64_t account_sum(const struct world *w, const struct account_row *row)
{
    int64_t sum = account_transit(w, row);
    for (uint32_t i = 0; i < account_cells(row); i++) {
        sum += account_cell_owned(w, account_cell_key(row, i)).balance;
    }
    return sum;
}

uint32_t accounts_count(const struct world *w)
{
    return w->accounts.count;
}

struct account_info accounts_info(const struct world *w, uint32_t row)
{
    CHECK(row < w->accounts.count);
    const struct account_row *a = accounts_in(w) + row;
    struct account_info info = {.kind = (enum account_kind)a->kind, .key = a->key};
    struct stripe_cell cell = account_cell_owned(w, a->key);
    bool now = a->second == account_second(w);
    switch (info.kind) {
    case ACCOUNT_BALANCE:
        info.stripes = a->stripes;
        info.floor = a->floor;
        info.main = cell.balance;
        info.in_transit = account_transit(w, a);
        info.striped = account_sum(w, a) - info.main - info.in_transit;
        break;
    case ACCOUNT_BUDGET:
        info.rate = a->rate;
        info.block = a->block;
        info.granted = cell.sequence == account_second(w) ? (uint64_t)cell.balance : 0;
        info.spent = now ? a->spent : 0;
        break;
    case ACCOUNT_INDEX:
        info.mode = (enum index_mode)a->mode;
        info.written = a->written;
        info.missing = a->missing;
        for (uint32_t router = 0; router < w->config.routers; router++) {
            info.behind += account_spot_in(w, row, (uint16_t)router)->behind;
        }
        break;
    }
    return info;
}

bool accounts_find(const struct world *w, uint32_t key, struct account_info *out)
{
    CHECK(key < w->keys);
    uint8_t row = keys_in(w)[key].account;
    if (row > 0) {
        *out = accounts_info(w, row - 1u);
    }
    return row > 0;
}

/* --- invariants ------------------------------------------------------------------------------- */

static bool balance_holds(const struct world *w, const struct account_row *a, struct err *err)
{
    const struct key_entry *key = keys_in(w) + a->key;
    int64_t sum = account_sum(w, a);
    int64_t due = a->opening + a->credited - a->debited;
    for (uint32_t i = 0; i < account_cells(a); i++) {
        const struct key_entry *k = keys_in(w) + account_cell_key(a, i);
        due += (int64_t)(k->acked + k->flying + k->stray_flying + k->unknown);
    }
    if (sum != due) {
        return err_set(err,
                       "money-kept: %.*s and its stripes hold %" PRId64 " with what is in transit, "
                       "but %" PRId64 " were credited and not debited",
                       key->length, key->text, sum, due);
    }
    if (sum < a->low) {
        return err_set(err,
                       "floor: %.*s and its stripes hold %" PRId64 ", and may not fall below "
                       "%" PRId64,
                       key->length, key->text, sum, a->low);
    }
    if (a->told_credited > a->credited || a->told_debited > a->debited || a->untrue > 0) {
        return err_set(err,
                       "told-true: clients of %.*s were told of credits of %" PRId64 " and debits "
                       "of %" PRId64 ", and %" PRId64 " and %" PRId64
                       " were applied (%u were told that too little was left, and it was taken)",
                       key->length, key->text, a->told_credited, a->told_debited, a->credited,
                       a->debited, a->untrue);
    }
    return true;
}

static bool budget_holds(const struct world *w, const struct account_row *a, struct err *err)
{
    const struct key_entry *key = keys_in(w) + a->key;
    struct stripe_cell cell = account_cell_owned(w, a->key);
    bool now = a->second == account_second(w);
    uint64_t most = now ? a->most : a->rate;
    uint64_t granted = cell.sequence == account_second(w) ? (uint64_t)cell.balance : 0;
    uint64_t spent = now ? a->spent : 0;
    uint64_t likes = key->acked + key->flying + key->stray_flying + key->unknown;
    if (spent > most || granted > most + likes) {
        return err_set(err,
                       "budget: %" PRIu64 " tokens of %.*s were spent in this second and %" PRIu64
                       " granted, of %" PRIu64,
                       spent, key->length, key->text, granted, most);
    }
    return true;
}

bool accounts_hold(const struct world *w, struct err *err)
{
    for (uint32_t i = 0; i < w->accounts.count; i++) {
        const struct account_row *a = accounts_in(w) + i;
        if ((a->kind == ACCOUNT_BALANCE && !balance_holds(w, a, err)) ||
            (a->kind == ACCOUNT_BUDGET && !budget_holds(w, a, err))) {
            return false;
        }
    }
    return true;
}
