/*
 * txns_saga: a router as the coordinator of a saga (proto/saga.h), and one that takes no care.
 */
#include "engine/txns/txns_inside.h"

static struct node coordinator(const struct txn *t)
{
    return node_of(NODE_ROUTER, t->router);
}

/* With RULE_SAGA_LOG_FIRST off the log follows some time later. */
static void moved_on(struct world *w, struct txn *t)
{
    if (saga_may_log(&t->saga)) {
        txn_timer(w, t, TXN_JOB_WRITE, 0, TXN_LATE_US);
    }
}

static void ask_next(struct world *w, struct txn *t)
{
    if (saga_may_ask(&t->saga)) {
        saga_ask(&t->saga, w->rules);
        t->since_us = w->now_us;
        moved_on(w, t);
    }
    txn_send(w, t, t->saga.now.done, MAIL_ASK);
    if (t->saga.now.done == 0) {
        (void)txn_dies(w, t, TXN_POINT_ASKED);
    }
}

void txn_saga_begin(struct world *w, struct txn *t)
{
    t->saga = saga_begin(t->steps);
    if (!txn_dies(w, t, TXN_POINT_BEGUN)) {
        ask_next(w, t);
    }
}

static void take_back(struct world *w, struct txn *t)
{
    uint64_t steps = saga_to_take_back(&t->saga, w->rules);
    for (uint32_t i = t->steps; i > 0 && !t->dying; i--) {
        if (steps >> (i - 1) & 1) {
            txn_send(w, t, i - 1, MAIL_TELL);
            (void)txn_dies(w, t, TXN_POINT_TOLD_ONE);
        }
    }
}

/* It stands somewhere else now: what follows from that. */
static void go_on(struct world *w, struct txn *t)
{
    if (t->saga.now.phase == SAGA_FORWARD) {
        ask_next(w, t);
    } else if (t->saga.now.phase == SAGA_BACK) {
        take_back(w, t);
    } else {
        t->decided_us = t->decided_us == TXN_NEVER ? w->now_us : t->decided_us;
        txn_tell_client(w, t, t->saga.now.phase == SAGA_DONE ? TXN_DONE : TXN_UNDONE);
    }
}

static void turned_back(struct world *w, struct txn *t, bool refused)
{
    t->decided_us = w->now_us;
    struct trace_record *r = txn_note(w, t, coordinator(t), REASON_TXN_BACK);
    r->operand[1] = __builtin_popcountll(t->saga.now.left);
    r->value = refused;
    moved_on(w, t);
    if (!txn_dies(w, t, TXN_POINT_DECIDED)) {
        go_on(w, t);
    }
}

static void hear_step(struct world *w, struct txn *t, uint32_t step, bool done)
{
    if (!saga_hear(&t->saga, w->rules, step, done)) {
        return; /* too late */
    }
    if (!done) {
        turned_back(w, t, true);
        return;
    }
    moved_on(w, t);
    if (step > 0 || !txn_dies(w, t, TXN_POINT_VOTED)) {
        go_on(w, t);
    }
}

void txn_saga_heard(struct world *w, struct txn *t, uint32_t step, enum txn_mail_kind mail,
                    enum txn_reply reply)
{
    if (mail == MAIL_ASK && (reply == REPLY_YES || reply == REPLY_NO)) {
        hear_step(w, t, step, reply == REPLY_YES);
    } else if (mail == MAIL_TELL && reply == REPLY_YES &&
               saga_hear_back(&t->saga, w->rules, step)) {
        moved_on(w, t);
        if (rule_on(w->rules, RULE_COMPENSATE_IN_REVERSE) || saga_is_over(&t->saga)) {
            go_on(w, t); /* else all are sent */
        }
    }
}

void txn_saga_again(struct world *w, struct txn *t)
{
    bool tired = w->now_us - t->since_us >= TXN_GIVE_UP_US;
    if (tired && saga_may_give_up(&t->saga)) {
        saga_give_up(&t->saga, w->rules);
        turned_back(w, t, false);
    } else {
        go_on(w, t);
    }
}

void txn_saga_write(struct world *w, struct txn *t)
{
    if (saga_may_log(&t->saga)) {
        saga_log(&t->saga);
        txn_note(w, t, coordinator(t), REASON_TXN_LOGGED)->operand[1] = t->by;
    }
}

/* --- nobody takes care -------------------------------------------------------------------------
 */

/* All who answer have: its client is told, and that is all. */
static void look_whether_answered(struct world *w, struct txn *t, bool tired)
{
    uint32_t done = 0;
    for (uint32_t i = 0; i < t->steps; i++) {
        const struct txn_mail *m = &t->step[i].mail[MAIL_ASK];
        if (txn_mail_open(w, m) || (m->times == 0 && !tired)) {
            return;
        }
        done += t->step[i].answered_us != TXN_NEVER;
    }
    if (!t->gone) {
        t->gone = true;
        bool none = t->refused == t->steps;
        txn_tell_client(w, t,
                        none                                  ? TXN_UNDONE
                        : done == t->steps && t->refused == 0 ? TXN_DONE
                                                              : TXN_HALF);
    }
}

void txn_plain_begin(struct world *w, struct txn *t)
{
    if (txn_dies(w, t, TXN_POINT_BEGUN)) {
        return;
    }
    for (uint32_t i = 0; i < t->steps && !t->dying; i++) {
        txn_send(w, t, i, MAIL_ASK);
        (void)txn_dies(w, t, TXN_POINT_TOLD_ONE);
    }
    if (!t->dying && !txn_dies(w, t, TXN_POINT_ASKED)) {
        look_whether_answered(w, t, false); /* some may have been refused in this instant */
    }
}

void txn_plain_again(struct world *w, struct txn *t)
{
    bool tired = w->now_us - t->since_us >= TXN_GIVE_UP_US;
    for (uint32_t i = 0; tired && i < t->steps; i++) {
        struct txn_mail *m = &t->step[i].mail[MAIL_ASK];
        if (txn_mail_open(w, m) && !txn_mail_flies(w, m)) { /* lost */
            request_end(w, m->request);
        }
    }
    look_whether_answered(w, t, tired);
}

void txn_plain_heard(struct world *w, struct txn *t, enum txn_reply reply)
{
    t->refused = (uint8_t)(t->refused + (reply == REPLY_NO));
    look_whether_answered(w, t, false);
}
