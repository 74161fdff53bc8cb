/*
 * txns_read: what others may see of transactions and rows, and their place in the world.
 */
#include "engine/txns/txns_inside.h"

#include "engine/store.h"

const char *txn_end_name(enum txn_end end)
{
    static const char *const names[] = {
        [TXN_OPEN] = "open", [TXN_DONE] = "done", [TXN_UNDONE] = "undone", [TXN_HALF] = "half"};
    return names[end];
}

static const struct txn *find(const struct world *w, uint64_t number)
{
    for (uint32_t i = 0; number != 0 && i < w->config.txns_max; i++) {
        if (txns_in(w)[i].number == number) {
            return txns_in(w) + i;
        }
    }
    return NULL;
}

static struct txn_step_info step_info(const struct world *w, const struct txn *t,
                                      const struct txn_step *s)
{
    const struct txn_row *row = txn_row_in(w, s);
    bool locks = t->by == TXN_BY_2PC;
    bool counts = s->what == TXN_TAKE || s->what == TXN_GIVE;
    return (struct txn_step_info){
        .what = s->what,
        .key = row->key,
        .amount = counts ? s->amount : 1,
        .shard = s->shard == SHARD_NONE ? store_home(w, row->key) : s->shard,
        .state = locks ? s->part.state : s->step.state,
        .told = s->mail[MAIL_TELL].times + s->mail[MAIL_ABORT].times > 0,
        .asked_us = s->asked_us,
        .answered_us = s->answered_us,
        .locked_from_us = s->locked_from_us,
        .locked_to_us = s->locked_to_us,
        .voted_us = s->voted_us,
        .done_us = s->done_us,
        .undone_us = s->undone_us,
    };
}

struct txn_info world_txn(const struct world *w, uint64_t number)
{
    const struct txn *t = find(w, number == 0 ? w->txns.last : number);
    if (t == NULL) {
        return (struct txn_info){0};
    }
    struct txn_info info = {
        .number = t->number,
        .by = t->by,
        .end = t->end,
        .phase = t->by == TXN_BY_2PC ? t->commit.decided : t->saga.now.phase,
        .coordinator_down = routers_in(w)[t->router].down,
        .written = t->written,
        .behind = t->by == TXN_BY_SAGA ? saga_may_log(&t->saga) : commit_may_log(&t->commit),
        .router = t->router,
        .began_us = t->began_us,
        .ended_us = t->ended_us,
        .over_us = t->over_us,
        .decided_us = t->decided_us,
        .died_us = t->died_us,
        .back_us = t->back_us,
        .steps = t->steps,
        .messages = t->messages,
    };
    for (uint32_t i = 0; i < t->steps; i++) {
        info.step[i] = step_info(w, t, &t->step[i]);
    }
    return info;
}

struct txn_counts world_txn_counts(const struct world *w)
{
    const struct txns_state *s = &w->txns;
    struct txn_counts c = {.begun = s->last,
                           .done = s->ended[TXN_DONE],
                           .undone = s->ended[TXN_UNDONE],
                           .half = s->ended[TXN_HALF],
                           .refused_by_lock = s->refused_by_lock,
                           .locked_us = s->locked_us};
    c.open = c.begun - c.done - c.undone - c.half;
    for (uint32_t i = 0; i < s->rows; i++) {
        const struct txn_row *row = txn_rows_in(w) + i;
        c.locked_us += row->locked_by != 0 ? w->now_us - row->locked_us : 0;
    }
    return c;
}

uint32_t world_txn_rows(const struct world *w)
{
    return w->txns.rows;
}

struct txn_row_info world_txn_row(const struct world *w, uint32_t index)
{
    CHECK(index < w->txns.rows);
    const struct txn_row *row = txn_rows_in(w) + index;
    return (struct txn_row_info){
        .key = row->key,
        .value = row->value,
        .shard = store_home(w, row->key),
        .locked_by = row->locked_by,
        .locked_us = row->locked_by != 0 ? w->now_us - row->locked_us : 0,
    };
}

int64_t world_txn_total(const struct world *w)
{
    int64_t total = 0;
    for (uint32_t i = 0; i < w->txns.rows; i++) {
        total += txn_rows_in(w)[i].value;
    }
    return total;
}

/* --- its place in the world --------------------------------------------------------------------
 */

void txns_lay_out(struct world *plan, uint64_t *end)
{
    plan->at.txns = table_at(end, plan->config.txns_max, sizeof(struct txn));
    plan->at.txn_rows = table_at(end, plan->config.txn_rows_max, sizeof(struct txn_row));
}

static void feed_step(struct digest *d, const struct txn_step *s)
{
    for (uint32_t i = 0; i < MAILS; i++) {
        const struct txn_mail *m = &s->mail[i];
        DIGEST_FEED(d, m->number, (uint64_t)m->first_us, m->request, m->times);
    }
    DIGEST_FEED(d, s->amount, s->row, s->shard, s->part.state, s->part.voted, s->step.state,
                s->what, (uint64_t)(int64_t)s->effect, s->alone, s->asked, (uint64_t)s->asked_us,
                (uint64_t)s->answered_us, (uint64_t)s->locked_from_us, (uint64_t)s->locked_to_us,
                (uint64_t)s->voted_us, (uint64_t)s->done_us, (uint64_t)s->undone_us);
}

static void feed_page(struct digest *d, const struct saga_page *p)
{
    DIGEST_FEED(d, p->left, p->phase, p->asked, p->done);
}

static void feed_txn(struct digest *d, const struct txn *t)
{
    const struct commit_core *c = &t->commit;
    DIGEST_FEED(d, t->number, c->parts, c->votes, c->heard, c->decided, c->logged, t->saga.steps,
                (uint64_t)t->began_us, (uint64_t)t->ended_us, (uint64_t)t->over_us,
                (uint64_t)t->decided_us, (uint64_t)t->died_us, (uint64_t)t->back_us,
                (uint64_t)t->since_us, (uint64_t)t->dies_us, t->messages, t->router, t->by,
                t->steps, t->end, t->dies, t->life, t->wrong, t->written, t->begun, t->dying,
                t->gone, t->told, t->refused, t->waited);
    feed_page(d, &t->saga.now);
    feed_page(d, &t->saga.log);
    for (uint32_t i = 0; i < t->steps; i++) {
        feed_step(d, &t->step[i]);
    }
}

void txns_feed(struct digest *d, const struct world *w)
{
    const struct txns_state *s = &w->txns;
    if (w->config.txns_max > 0) {
        DIGEST_FEED(d, w->config.txns_max, w->config.txn_rows_max);
    }
    if (s->count == 0) {
        return;
    }
    DIGEST_FEED(d, s->count, s->rows, s->dies, (uint64_t)s->dies_us, s->last, s->ended[TXN_DONE],
                s->ended[TXN_UNDONE], s->ended[TXN_HALF], s->refused_by_lock,
                (uint64_t)s->locked_us, (uint64_t)s->opening, (uint64_t)s->settled);
    for (uint32_t i = 0; i < w->config.txns_max; i++) {
        if (txns_in(w)[i].number != 0) {
            feed_txn(d, txns_in(w) + i);
        }
    }
    for (uint32_t i = 0; i < s->rows; i++) {
        const struct txn_row *r = txn_rows_in(w) + i;
        DIGEST_FEED(d, (uint64_t)r->value, r->locked_by, (uint64_t)r->locked_us, r->key);
    }
}
