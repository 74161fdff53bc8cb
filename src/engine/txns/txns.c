/*
 * txns: transactions as places in a table: their messages, timers, and their end.
 */
#include "engine/txns/txns_inside.h"

#include "engine/queue.h"

struct txn *txn_by_number(struct world *w, uint64_t number)
{
    for (uint32_t i = 0; number != 0 && i < w->config.txns_max; i++) {
        struct txn *t = txns_of(w) + i;
        if (t->number == number) {
            return t;
        }
    }
    return NULL;
}

struct trace_record *txn_note(struct world *w, const struct txn *t, struct node from,
                              enum txns_reason reason)
{
    struct trace_record *r = trace_add(w, TRACE_TXN);
    r->key = KEY_NONE_ID;
    r->from = from;
    r->reason = (uint16_t)reason;
    r->operand[0] = (int64_t)t->number;
    return r;
}

struct trace_record *txn_note_step(struct world *w, const struct txn *t, uint32_t step,
                                   struct node from, enum txns_reason reason)
{
    struct trace_record *r = txn_note(w, t, from, reason);
    r->key = txn_row_in(w, &t->step[step])->key;
    r->slot = keys_in(w)[r->key].slot;
    return r;
}

void txn_timer(struct world *w, const struct txn *t, enum txn_job job, uint32_t step, int64_t in_us)
{
    struct event *event = queue_at(w, w->now_us + in_us, EVENT_JOB);
    event->request = (uint32_t)(t - txns_in(w));
    event->detail = JOB_TXN;
    event->node = (uint16_t)((unsigned)job | step << 4);
    event->carries.value = txn_stamp(t);
}

/* --- messages ----------------------------------------------------------------------------------
 */

static enum op_kind op_of(const struct txn *t, enum txn_mail_kind mail)
{
    static const uint8_t ops[2][MAILS] = {
        {OP_PREPARE, OP_COMMIT, OP_ABORT},
        {OP_STEP, OP_BACK, OP_ABORT},
    };
    return (enum op_kind)ops[t->by == TXN_BY_2PC ? 0 : 1][mail];
}

static enum txn_mail_kind mail_of(uint8_t op)
{
    return op == OP_PREPARE || op == OP_STEP ? MAIL_ASK : op == OP_ABORT ? MAIL_ABORT : MAIL_TELL;
}

static void note_sent(struct world *w, struct txn *t, uint32_t step, enum txn_mail_kind mail)
{
    struct txn_step *s = &t->step[step];
    struct txn_mail *m = &s->mail[mail];
    bool commits = t->by == TXN_BY_2PC && mail == MAIL_TELL;
    if ((commits && !t->written) || (t->by == TXN_BY_SAGA && saga_may_log(&t->saga))) {
        t->wrong |= WRONG_UNWRITTEN;
    }
    t->messages++;
    if (m->times++ == 0) {
        m->first_us = w->now_us;
        s->asked_us = mail == MAIL_ASK ? w->now_us : s->asked_us;
        return;
    }
    struct node router = node_of(NODE_ROUTER, t->router);
    struct trace_record *r = txn_note_step(w, t, step, router, REASON_TXN_AGAIN);
    r->operand[1] = op_of(t, mail);
    r->operand[2] = w->now_us - m->first_us;
}

void txn_send(struct world *w, struct txn *t, uint32_t step, enum txn_mail_kind mail)
{
    struct txn_mail *m = &t->step[step].mail[mail];
    bool open = txn_mail_open(w, m);
    if (routers_in(w)[t->router].down || (open && txn_mail_flies(w, m))) {
        return;
    }
    if (open) { /* nobody will ever answer it */
        request_end(w, m->request);
    }
    if (!request_room(w)) {
        return; /* next time */
    }
    uint32_t key = txn_row_in(w, &t->step[step])->key;
    uint32_t request = router_own(w, t->router, op_of(t, mail), key, ORIGIN_TXN);
    if (request == NO_INDEX) {
        return;
    }
    note_sent(w, t, step, mail);
    struct request *r = requests_of(w) + request;
    r->value = t->number;
    r->link = (uint32_t)(t - txns_in(w));
    r->which = (uint8_t)step;
    m->number = r->number;
    m->request = request;
    router_route(w, request);
}

void txns_landed(struct world *w, uint32_t request, enum outcome outcome, uint64_t value)
{
    const struct request *r = requests_in(w) + request;
    struct txn *t = txns_of(w) + r->link;
    uint64_t number = r->value;
    uint32_t step = r->which;
    uint16_t shard = r->shard;
    enum txn_mail_kind mail = mail_of(r->op);
    request_end(w, request);
    if (t->number != number || t->dying) {
        return;
    }
    struct txn_step *s = &t->step[step];
    s->shard = shard;
    enum txn_reply reply = outcome == OUTCOME_OK ? (enum txn_reply)value : REPLY_NOTHING;
    if (reply != REPLY_NOTHING) {
        s->answered_us = w->now_us;
    }
    if (t->by == TXN_BY_2PC) {
        txn_commit_heard(w, t, step, mail, reply);
    } else if (t->by == TXN_BY_SAGA) {
        txn_saga_heard(w, t, step, mail, reply);
    } else {
        txn_plain_heard(w, t, reply);
    }
    txn_settle(w, t);
}

/* --- the coordinator's life --------------------------------------------------------------------
 */

bool txn_dies(struct world *w, struct txn *t, enum txn_point point)
{
    if (t->dying || t->dies != (uint8_t)point + 1) {
        return t->dying;
    }
    t->dies = 0;
    t->dying = true;
    struct node router = node_of(NODE_ROUTER, t->router);
    txn_note(w, t, router, REASON_TXN_DIES)->operand[1] = point;
    txn_timer(w, t, TXN_JOB_DIE, 0, 0);
    return true;
}

static void die(struct world *w, struct txn *t)
{
    struct command c = {
        .kind = COMMAND_CRASH, .mode = NODE_ROUTER, .router = t->router, .period_us = t->dies_us};
    t->dying = false;
    (void)faults_apply(w, &c, NULL); /* refused, it lives on: no room, or it is down already */
}

/* Its client is told, or will not be soon: nobody who waits for answers waits for it any more. */
static void stop_waiting(struct world *w, struct txn *t)
{
    w->command_requests_open -= t->waited;
    t->waited = false;
}

static void lose_memory(struct world *w, struct txn *t)
{
    stop_waiting(w, t);
    t->dying = false;
    t->died_us = w->now_us;
    t->back_us = TXN_NEVER;
    if (t->by == TXN_BY_NOTHING) { /* nobody looks after it from here on */
        t->gone = true;
        t->told = true;
        return;
    }
    t->life++;
    if (t->by == TXN_BY_SAGA) {
        saga_restart(&t->saga);
        return;
    }
    commit_restart(&t->commit);
    t->told = t->told || !t->written;
    if (t->over_us == TXN_NEVER) {
        t->end = t->written ? TXN_DONE : TXN_OPEN; /* until all have asked */
    }
}

void txns_router_crash(struct world *w, uint16_t router)
{
    for (uint32_t i = 0; w->txns.count > 0 && i < w->config.txns_max; i++) {
        struct txn *t = txns_of(w) + i;
        bool remembers = t->over_us == TXN_NEVER || t->commit.parts != 0;
        if (t->number != 0 && t->begun && t->router == router && remembers) {
            lose_memory(w, t);
            txn_settle(w, t);
        }
    }
}

static void recover(struct world *w, struct txn *t)
{
    struct trace_record *r = txn_note(w, t, node_of(NODE_ROUTER, t->router), REASON_TXN_RECOVERS);
    r->operand[1] = t->by;
    r->operand[2] = t->by == TXN_BY_2PC ? t->commit.logged : t->saga.log.phase;
    txn_timer(w, t, TXN_JOB_AGAIN, 0, TXN_AGAIN_US);
    if (t->by == TXN_BY_2PC) {
        txn_commit_back(w, t);
    }
}

void txns_router_back(struct world *w, uint16_t router)
{
    for (uint32_t i = 0; w->txns.count > 0 && i < w->config.txns_max; i++) {
        struct txn *t = txns_of(w) + i;
        bool away = t->number != 0 && t->router == router && t->died_us != TXN_NEVER &&
                    t->back_us == TXN_NEVER;
        if (!away) {
            continue;
        }
        t->back_us = w->now_us;
        if (t->over_us == TXN_NEVER && t->by != TXN_BY_NOTHING) {
            recover(w, t);
            txn_settle(w, t);
        }
    }
}

void txn_tell_client(struct world *w, struct txn *t, enum txn_end end)
{
    if (t->over_us == TXN_NEVER) {
        t->end = (uint8_t)end;
    }
    if (t->told) {
        return;
    }
    t->told = true;
    stop_waiting(w, t);
    uint8_t zone = routers_in(w)[t->router].zone;
    t->ended_us = w->now_us + w->queue.leg_us[LEG_REPLY][zone][zone];
    struct trace_record *r = txn_note(w, t, node_of(NODE_ROUTER, t->router), REASON_TXN_CLIENT);
    r->to = node_of(NODE_CLIENT, zone);
    r->arrive_us = t->ended_us;
    r->operand[1] = end;
    r->operand[2] = t->by;
    r->took_us = (uint32_t)(t->ended_us - t->began_us);
}

/* --- the end -----------------------------------------------------------------------------------
 */

static bool is_over(const struct world *w, const struct txn *t)
{
    if (!t->begun) {
        return false;
    }
    if (t->by == TXN_BY_2PC) {
        return txn_commit_over(w, t);
    }
    if (t->by == TXN_BY_SAGA) {
        return saga_is_over(&t->saga) && !saga_may_log(&t->saga);
    }
    for (uint32_t i = 0; i < t->steps; i++) {
        if (txn_mail_flies(w, &t->step[i].mail[MAIL_ASK])) {
            return false;
        }
    }
    return t->gone;
}

void txn_settle(struct world *w, struct txn *t)
{
    if (t->over_us != TXN_NEVER || t->dying || !is_over(w, t)) {
        return;
    }
    uint32_t done = 0;
    uint32_t none = 0;
    for (uint32_t i = 0; i < t->steps; i++) {
        done += t->step[i].effect == 1;
        none += t->step[i].effect == 0;
        w->txns.settled += t->step[i].effect * txn_change(&t->step[i]);
    }
    t->end = (uint8_t)(done == t->steps ? TXN_DONE : none == t->steps ? TXN_UNDONE : TXN_HALF);
    stop_waiting(w, t);
    t->over_us = w->now_us;
    w->txns.ended[t->end]++;
}

void txn_reopen(struct world *w, struct txn *t)
{
    if (t->over_us == TXN_NEVER) {
        return;
    }
    t->over_us = TXN_NEVER;
    w->txns.ended[t->end]--;
    for (uint32_t i = 0; i < t->steps; i++) {
        w->txns.settled -= t->step[i].effect * txn_change(&t->step[i]);
    }
}

/* --- timers ------------------------------------------------------------------------------------
 */

static void begin(struct world *w, struct txn *t)
{
    t->begun = true;
    if (routers_in(w)[t->router].down) { /* since it was asked */
        stop_waiting(w, t);
        t->told = true;
        t->gone = true;
        t->saga.now.phase = SAGA_UNDONE;
        t->saga.log = t->saga.now;
        return;
    }
    struct trace_record *r = txn_note(w, t, node_of(NODE_ROUTER, t->router), REASON_TXN_BEGUN);
    r->operand[1] = t->by;
    r->operand[2] = t->steps;
    t->since_us = w->now_us;
    txn_timer(w, t, TXN_JOB_AGAIN, 0, TXN_AGAIN_US);
    if (t->by == TXN_BY_2PC) {
        txn_commit_begin(w, t);
    } else if (t->by == TXN_BY_SAGA) {
        txn_saga_begin(w, t);
    } else {
        txn_plain_begin(w, t);
    }
}

static void again(struct world *w, struct txn *t)
{
    if (!t->dying && t->by == TXN_BY_2PC) {
        txn_commit_again(w, t);
    } else if (!t->dying && t->by == TXN_BY_SAGA) {
        txn_saga_again(w, t);
    } else if (!t->dying) {
        txn_plain_again(w, t);
    }
    txn_settle(w, t);
    if (t->over_us == TXN_NEVER || t->commit.parts != 0) {
        txn_timer(w, t, TXN_JOB_AGAIN, 0, TXN_AGAIN_US);
    }
}

static void write_late(struct world *w, struct txn *t)
{
    if (t->by == TXN_BY_2PC) {
        txn_commit_write(w, t);
    } else {
        txn_saga_write(w, t);
    }
}

/* Those of a coordinator belong to one life of it. */
static bool fits(const struct txn *t, enum txn_job job, uint64_t stamp)
{
    bool own = job > TXN_JOB_BEGIN && job <= TXN_JOB_DIE;
    return t->number == stamp >> 8 && (!own || t->life == (stamp & UINT8_MAX));
}

void txns_handle(struct world *w, const struct event *event)
{
    struct txn *t = txns_of(w) + event->request;
    enum txn_job job = (enum txn_job)(event->node & 15u);
    uint32_t step = event->node >> 4;
    if (!fits(t, job, event->carries.value)) {
        return;
    }
    switch (job) {
    case TXN_JOB_BEGIN:
        begin(w, t);
        break;
    case TXN_JOB_AGAIN:
        again(w, t);
        return;
    case TXN_JOB_WRITE:
        write_late(w, t);
        break;
    case TXN_JOB_DIE:
        die(w, t);
        break;
    case TXN_JOB_PATIENCE:
        txn_part_patience(w, t, step);
        break;
    case TXN_JOB_QUESTION:
        if (!routers_in(w)[t->router].down && !t->dying) {
            txn_commit_asked(w, t, step);
        }
        break;
    case TXN_JOB_PREPARED:
        txn_part_prepared(w, t, step);
        break;
    }
    txn_settle(w, t);
}
