/*
 * txns_commit: a router as the coordinator of a two-phase commit (proto/commit.h).
 */
#include "engine/txns/txns_inside.h"

static struct node coordinator(const struct txn *t)
{
    return node_of(NODE_ROUTER, t->router);
}

static uint32_t ones(uint64_t set)
{
    return (uint32_t)__builtin_popcountll(set);
}

static void ask_all(struct world *w, struct txn *t)
{
    uint64_t parts = commit_unvoted(&t->commit);
    for (uint32_t i = 0; i < t->steps; i++) {
        if (parts >> i & 1) {
            txn_send(w, t, i, MAIL_ASK);
        }
    }
}

void txn_commit_begin(struct world *w, struct txn *t)
{
    t->commit = commit_begin((UINT64_C(1) << t->steps) - 1);
    if (!txn_dies(w, t, TXN_POINT_BEGUN)) {
        ask_all(w, t);
        (void)txn_dies(w, t, TXN_POINT_ASKED);
    }
}

/* Those who have to hear "commit". */
static void tell_all(struct world *w, struct txn *t)
{
    for (uint32_t i = 0; i < t->steps && !t->dying; i++) {
        if (commit_untold(&t->commit, w->rules) >> i & 1) {
            txn_send(w, t, i, MAIL_TELL);
            (void)txn_dies(w, t, TXN_POINT_TOLD_ONE);
        }
    }
}

static void forget(struct world *w, struct txn *t)
{
    if (commit_may_forget(&t->commit, w->rules)) {
        txn_note(w, t, coordinator(t), REASON_TXN_FORGETS)->operand[1] = t->commit.decided;
        commit_forget(&t->commit);
    }
}

/* A record of a decision, made or written. */
static struct trace_record *note_votes(struct world *w, const struct txn *t,
                                       enum txns_reason reason)
{
    struct trace_record *r = txn_note(w, t, coordinator(t), reason);
    r->operand[1] = ones(t->commit.votes);
    r->operand[2] = ones(t->commit.parts);
    return r;
}

static void note_decision(struct world *w, struct txn *t, enum commit_word word)
{
    if (t->commit.decided != COMMIT_NO_WORD && t->commit.decided != word) {
        t->wrong |= WRONG_DECIDED_TWICE;
    }
    t->decided_us = w->now_us;
}

static void decide_commit(struct world *w, struct txn *t)
{
    note_decision(w, t, COMMIT_COMMIT);
    struct trace_record *r = note_votes(w, t, REASON_TXN_COMMIT);
    commit_decide(&t->commit, w->rules, COMMIT_COMMIT);
    t->written = t->commit.logged == COMMIT_COMMIT;
    r->value = t->written;
    if (!t->written) {
        txn_timer(w, t, TXN_JOB_WRITE, 0, TXN_LATE_US);
    }
    if (txn_dies(w, t, TXN_POINT_DECIDED)) {
        t->end = TXN_DONE;
        return;
    }
    txn_tell_client(w, t, TXN_DONE);
    tell_all(w, t);
}

/* All who might wait for it are told, once. */
static void decide_abort(struct world *w, struct txn *t, uint64_t whom, bool refused)
{
    note_decision(w, t, COMMIT_ABORT);
    note_votes(w, t, REASON_TXN_ABORT)->value = refused;
    commit_decide(&t->commit, w->rules, COMMIT_ABORT);
    if (txn_dies(w, t, TXN_POINT_DECIDED)) {
        t->end = TXN_UNDONE;
        return;
    }
    txn_tell_client(w, t, TXN_UNDONE);
    for (uint32_t i = 0; i < t->steps && !t->dying; i++) {
        if (whom >> i & 1) {
            txn_send(w, t, i, MAIL_ABORT);
            (void)txn_dies(w, t, TXN_POINT_TOLD_ONE);
        }
    }
}

static void hear_vote(struct world *w, struct txn *t, uint32_t step, bool yes)
{
    uint64_t bit = UINT64_C(1) << step;
    bool open = t->commit.decided == COMMIT_NO_WORD;
    if (!yes) {
        if (open && commit_may_abort(&t->commit, w->rules)) {
            decide_abort(w, t, t->commit.parts & ~bit, true);
        }
        return;
    }
    bool counts = commit_vote(&t->commit, w->rules, step);
    struct trace_record *r = note_votes(w, t, REASON_TXN_VOTE);
    r->key = txn_row_in(w, &t->step[step])->key;
    r->value = !counts;
    if (!counts || !commit_may_commit(&t->commit, w->rules)) {
        return;
    }
    if (!txn_dies(w, t, TXN_POINT_VOTED)) {
        decide_commit(w, t);
    }
}

void txn_commit_heard(struct world *w, struct txn *t, uint32_t step, enum txn_mail_kind mail,
                      enum txn_reply reply)
{
    if (mail == MAIL_ASK && (reply == REPLY_YES || reply == REPLY_NO)) {
        hear_vote(w, t, step, reply == REPLY_YES);
    } else if (mail == MAIL_TELL && reply == REPLY_ACK) {
        commit_hear(&t->commit, step);
        forget(w, t);
    }
}

void txn_commit_again(struct world *w, struct txn *t)
{
    bool open = t->commit.decided == COMMIT_NO_WORD;
    if (open && w->now_us - t->since_us >= TXN_GIVE_UP_US &&
        commit_may_abort(&t->commit, w->rules)) {
        decide_abort(w, t, t->commit.parts, false);
        return;
    }
    ask_all(w, t);
    tell_all(w, t);
    bool aborts = t->commit.decided == COMMIT_ABORT;
    if (aborts && w->now_us - t->decided_us >= TXN_FORGET_US) { /* who did not hear asks */
        forget(w, t);
    }
}

void txn_commit_asked(struct world *w, struct txn *t, uint32_t step)
{
    bool knows = t->commit.parts != 0;
    enum commit_word word = commit_answer(&t->commit, w->rules);
    struct trace_record *r = txn_note_step(w, t, step, coordinator(t), REASON_TXN_ANSWERS);
    r->operand[1] = word;
    r->value = knows;
    if (word == COMMIT_NO_WORD && !knows) {
        t->wrong |= WRONG_SILENT;
    } else if (word != COMMIT_NO_WORD) {
        txn_send(w, t, step, word == COMMIT_COMMIT ? MAIL_TELL : MAIL_ABORT);
    }
}

void txn_commit_write(struct world *w, struct txn *t)
{
    if (commit_may_log(&t->commit)) {
        commit_log(&t->commit);
        t->written = true;
        txn_note(w, t, coordinator(t), REASON_TXN_LOGGED)->operand[1] = t->by;
        forget(w, t);
    }
}

void txn_commit_back(struct world *w, struct txn *t)
{
    if (t->commit.decided == COMMIT_COMMIT) {
        txn_tell_client(w, t, TXN_DONE);
        tell_all(w, t);
    }
}

/* Nobody holds a lock or may come to hold one, and the coordinator has nothing to say. */
bool txn_commit_over(const struct world *w, const struct txn *t)
{
    if (t->commit.parts != 0 && t->commit.decided != COMMIT_ABORT) {
        return false;
    }
    for (uint32_t i = 0; i < t->steps; i++) {
        const struct txn_step *s = &t->step[i];
        if (s->part.state == PART_PREPARED || s->part.voted != 0 ||
            (s->part.state == PART_WORKING && txn_mail_flies(w, &s->mail[MAIL_ASK]))) {
            return false;
        }
    }
    return true;
}
