/*
 * txns_part: rows as participants of transactions (the cores of proto/commit.h and proto/saga.h).
 */
#include "engine/txns/txns_inside.h"

#include "engine/store.h"

/* The shard where a row is. */
static struct node home(const struct world *w, const struct txn_step *s)
{
    return node_of(NODE_SHARD, store_home(w, txn_row_in(w, s)->key));
}

static bool locked_by_other(const struct world *w, const struct txn *t, const struct txn_step *s)
{
    uint64_t by = txn_row_in(w, s)->locked_by;
    return by != 0 && by != t->number;
}

/* Whether the row lets a step be done. */
static bool feasible(const struct world *w, const struct txn_step *s)
{
    int64_t value = txn_row_in(w, s)->value;
    switch ((enum txn_what)s->what) {
    case TXN_TAKE:
        return value >= (int64_t)s->amount;
    case TXN_CLAIM:
        return value <= 0;
    case TXN_FREE:
        return value >= 1;
    case TXN_GIVE:
    case TXN_WHATS:
        break;
    }
    return true;
}

static struct txn_answer answer_of(const struct txn *t, enum txn_reply reply,
                                   enum txns_reason reason)
{
    struct txn_answer a = {.value = reply, .reason = (uint16_t)reason};
    a.operand[0] = (int64_t)t->number;
    return a;
}

static struct txn_answer changed(const struct world *w, const struct txn *t,
                                 const struct txn_step *s, int64_t before, enum txns_reason reason)
{
    bool acked = reason == REASON_TXN_COMMITS || reason == REASON_TXN_ABORTS;
    struct txn_answer a = answer_of(t, acked ? REPLY_ACK : REPLY_YES, reason);
    a.operand[1] = txn_row_in(w, s)->value;
    a.operand[2] = before;
    return a;
}

/* Its change is in the row once more (1), or once less (-1): the value before. */
static int64_t apply(struct world *w, struct txn_step *s, int8_t times)
{
    struct txn_row *row = txn_row_of(w, s);
    int64_t before = row->value;
    row->value += times * txn_change(s);
    s->effect = (int8_t)(s->effect + times);
    if (times > 0) {
        s->done_us = w->now_us;
    } else {
        s->undone_us = w->now_us;
    }
    return before;
}

static void lock(struct world *w, struct txn *t, uint32_t step)
{
    struct txn_step *s = &t->step[step];
    struct txn_row *row = txn_row_of(w, s);
    row->locked_by = t->number;
    row->locked_us = w->now_us;
    txn_reopen(w, t);
    s->locked_from_us = w->now_us;
    if (!s->asked) {
        s->asked = true;
        txn_timer(w, t, TXN_JOB_PATIENCE, step, TXN_QUESTION_US);
    }
}

static void unlock(struct world *w, const struct txn *t, struct txn_step *s)
{
    struct txn_row *row = txn_row_of(w, s);
    if (row->locked_by == t->number) {
        w->txns.locked_us += w->now_us - row->locked_us;
        row->locked_by = 0;
        s->locked_to_us = w->now_us;
    }
}

/* The word has come, or it has decided without it. */
static int64_t end_part(struct world *w, struct txn *t, struct txn_step *s, enum commit_word word)
{
    int64_t before = txn_row_in(w, s)->value;
    if (part_holds_locks(&s->part)) {
        if (word == COMMIT_COMMIT) {
            before = apply(w, s, 1);
        }
        unlock(w, t, s);
    }
    (void)part_told(&s->part, word);
    return before;
}

/* --- what it is asked --------------------------------------------------------------------------
 */

/* No, before anything is done: the row is locked, or does not allow it. */
static struct txn_answer refuse(struct world *w, const struct txn *t, const struct txn_step *s)
{
    const struct txn_row *row = txn_row_in(w, s);
    struct txn_answer a = answer_of(t, REPLY_NO, REASON_TXN_CANNOT);
    a.operand[1] = row->value;
    a.operand[2] = s->amount;
    if (locked_by_other(w, t, s)) {
        w->txns.refused_by_lock++;
        a.reason = REASON_TXN_LOCKED;
        a.operand[1] = (int64_t)row->locked_by;
        a.operand[2] = w->now_us - row->locked_us;
    }
    return a;
}

static struct txn_answer seen(const struct txn *t, enum txn_reply reply, uint8_t state)
{
    struct txn_answer a = answer_of(t, reply, REASON_TXN_SEEN);
    a.operand[1] = state;
    return a;
}

static struct txn_answer serve_prepare(struct world *w, struct txn *t, uint32_t step)
{
    struct txn_step *s = &t->step[step];
    bool fresh = s->part.state == PART_WORKING && s->part.voted == 0;
    if (fresh) {
        s->voted_us = w->now_us;
        if (locked_by_other(w, t, s) || !feasible(w, s)) {
            part_abort(&s->part);
            return refuse(w, t, s);
        }
        lock(w, t, step);
    }
    enum part_reply reply = part_asked(&s->part, w->rules);
    if (!fresh) {
        return seen(t,
                    reply == PART_VOTES_YES  ? REPLY_YES
                    : reply == PART_VOTES_NO ? REPLY_NO
                                             : REPLY_ACK,
                    s->part.state);
    }
    bool early = part_may_prepare_late(&s->part);
    if (early) {
        txn_timer(w, t, TXN_JOB_PREPARED, step, TXN_LATE_US);
    }
    struct txn_answer a =
        answer_of(t, REPLY_YES, early ? REASON_TXN_VOTES_EARLY : REASON_TXN_VOTES_YES);
    a.operand[1] = txn_row_in(w, s)->value;
    a.operand[2] = s->amount;
    return a;
}

static struct txn_answer serve_word(struct world *w, struct txn *t, struct txn_step *s,
                                    enum commit_word word)
{
    bool ends = part_holds_locks(&s->part);
    int64_t before = end_part(w, t, s, word);
    if (!ends) {
        return seen(t, REPLY_ACK, s->part.state);
    }
    return changed(w, t, s, before, word == COMMIT_COMMIT ? REASON_TXN_COMMITS : REASON_TXN_ABORTS);
}

static struct txn_answer serve_step(struct world *w, struct txn *t, struct txn_step *s)
{
    bool fresh = s->step.state == STEP_NEW;
    bool can = !locked_by_other(w, t, s) && feasible(w, s);
    enum step_reply reply = step_asked(&s->step, can);
    if (!fresh) {
        return seen(t, reply == STEP_IS_NOT ? REPLY_NO : REPLY_YES, s->step.state);
    }
    s->voted_us = w->now_us;
    return reply == STEP_IS_DONE_NOW ? changed(w, t, s, apply(w, s, 1), REASON_TXN_STEP_DONE)
                                     : refuse(w, t, s);
}

static struct txn_answer serve_back(struct world *w, struct txn *t, struct txn_step *s)
{
    enum step_state before = (enum step_state)s->step.state;
    if (before == STEP_DONE && locked_by_other(w, t, s)) {
        struct txn_answer a = refuse(w, t, s);
        a.value = REPLY_LATER;
        return a;
    }
    if (step_take_back(&s->step, w->rules)) {
        bool twice = before == STEP_TAKEN_BACK;
        t->wrong = (uint8_t)(t->wrong | (twice ? WRONG_TWICE : 0));
        return changed(w, t, s, apply(w, s, -1), twice ? REASON_TXN_TWICE : REASON_TXN_TAKEN_BACK);
    }
    if (before == STEP_NEW) {
        bool barred = s->step.state == STEP_BARRED;
        return answer_of(t, REPLY_YES, barred ? REASON_TXN_BARRED : REASON_TXN_NOT_BARRED);
    }
    return seen(t, REPLY_YES, s->step.state);
}

struct txn_answer txns_serve(struct world *w, uint16_t shard, uint32_t request)
{
    const struct request *r = requests_in(w) + request;
    struct txn *t = txns_of(w) + r->link;
    if (t->number != r->value) {
        struct txn_answer a = {.value = REPLY_NO, .reason = REASON_TXN_UNKNOWN};
        a.operand[0] = (int64_t)r->value;
        return a;
    }
    struct txn_step *s = &t->step[r->which];
    s->shard = shard;
    switch (r->op) {
    case OP_PREPARE:
        return serve_prepare(w, t, r->which);
    case OP_COMMIT:
        return serve_word(w, t, s, COMMIT_COMMIT);
    case OP_ABORT:
        return serve_word(w, t, s, COMMIT_ABORT);
    case OP_STEP:
        return serve_step(w, t, s);
    default:
        CHECK(r->op == OP_BACK);
        return serve_back(w, t, s);
    }
}

/* --- what it does of its own accord ------------------------------------------------------------
 */

static struct trace_record *note(struct world *w, const struct txn *t, uint32_t step,
                                 enum txns_reason reason)
{
    return txn_note_step(w, t, step, home(w, &t->step[step]), reason);
}

static void decide_alone(struct world *w, struct txn *t, uint32_t step, enum commit_word word)
{
    struct txn_step *s = &t->step[step];
    struct trace_record *r = note(w, t, step, REASON_TXN_ALONE);
    r->operand[1] = word;
    r->operand[2] = w->now_us - s->locked_from_us;
    t->wrong |= WRONG_ALONE;
    s->alone = true;
    (void)end_part(w, t, s, word);
}

static void ask(struct world *w, const struct txn *t, uint32_t step)
{
    const struct txn_step *s = &t->step[step];
    struct trace_record *r = note(w, t, step, REASON_TXN_ASKS);
    uint8_t from = shards_in(w)[r->from.index].zone;
    uint8_t to = routers_in(w)[t->router].zone;
    int64_t way = w->queue.leg_us[LEG_ANSWER][from][to];
    r->to = node_of(NODE_ROUTER, t->router);
    r->arrive_us = w->now_us + way;
    r->operand[1] = w->now_us - s->locked_from_us;
    txn_timer(w, t, TXN_JOB_QUESTION, step, way);
}

void txn_part_patience(struct world *w, struct txn *t, uint32_t step)
{
    struct txn_step *s = &t->step[step];
    if (!part_holds_locks(&s->part)) {
        s->asked = false;
        return;
    }
    bool up = !shards_in(w)[home(w, s).index].down;
    if (up && part_may_commit(&s->part, w->rules)) {
        decide_alone(w, t, step, COMMIT_COMMIT);
    } else if (up && s->part.state == PART_PREPARED && part_may_abort(&s->part, w->rules)) {
        decide_alone(w, t, step, COMMIT_ABORT);
    } else if (up && part_may_ask(&s->part)) {
        ask(w, t, step);
    }
    txn_timer(w, t, TXN_JOB_PATIENCE, step, TXN_QUESTION_US);
}

void txn_part_prepared(struct world *w, struct txn *t, uint32_t step)
{
    struct txn_step *s = &t->step[step];
    if (part_may_prepare_late(&s->part)) {
        part_prepare_late(&s->part);
        note(w, t, step, REASON_TXN_LATE);
    }
}

/* For each step of a 2pc that has a row at this shard under lock. */
static void for_locked(struct world *w, uint16_t shard,
                       void (*then)(struct world *w, struct txn *t, uint32_t step))
{
    for (uint32_t i = 0; w->txns.count > 0 && i < w->config.txns_max; i++) {
        struct txn *t = txns_of(w) + i;
        for (uint32_t step = 0; t->number != 0 && t->by == TXN_BY_2PC && step < t->steps; step++) {
            const struct txn_step *s = &t->step[step];
            bool holds = s->part.state == PART_PREPARED || s->part.voted != 0;
            if (holds && home(w, s).index == shard) {
                then(w, t, step);
                txn_settle(w, t);
            }
        }
    }
}

/* What was not written down is gone. */
static void lose_vote(struct world *w, struct txn *t, uint32_t step)
{
    struct txn_step *s = &t->step[step];
    if (s->part.voted != 0) {
        note(w, t, step, REASON_TXN_LOST);
        unlock(w, t, s);
        part_abort(&s->part);
    }
}

void txns_shard_crash(struct world *w, uint16_t shard)
{
    for_locked(w, shard, lose_vote);
}

static void abort_on_restart(struct world *w, struct txn *t, uint32_t step)
{
    if (part_may_abort(&t->step[step].part, w->rules)) {
        decide_alone(w, t, step, COMMIT_ABORT);
    }
}

void txns_shard_back(struct world *w, uint16_t shard)
{
    for_locked(w, shard, abort_on_restart);
}
