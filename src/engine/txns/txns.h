/*
 * txns: transactions over rows of several shards: by two-phase commit, as a saga, or by nothing.
 *
 * A row is a whole number under a key, on the shard of the key's slot: a balance, or a name that is
 * taken (1) or free (0). A transaction has one to three steps, each about a row of its own: take N
 * (refused when less is there), give N, claim (refused when taken), free (refused when free). Rows
 * that it names and that are not there begin at 0. A router coordinates it, by the cores
 * proto/commit.h and proto/saga.h; its log is on disk, its memory dies with it. What it asks of a
 * participant is a request (ORIGIN_TXN) in the ROUTE loop like any other: it is counted, may be
 * refused or redirected, and is sent again when no answer comes. A participant is one row, also
 * where two are on one shard: each is asked, and votes, by itself.
 *
 *   2pc     prepare locks the row; a locked row makes every other transaction's prepare say no.
 *           "commit" is durable at the coordinator before it is told. A prepared participant waits
 *           for it, its row locked, and asks when nothing comes. Without all votes after
 *           TXN_GIVE_UP_US the coordinator decides to abort.
 *   saga    steps in their order, each done at once; a refused one, or one that is not answered for
 *           TXN_GIVE_UP_US, makes the coordinator take back the ones before, in reverse. Others see
 *           what is done so far. A locked row refuses a step, and lets a compensation wait; nothing
 *           else refuses one. So a balance can fall below zero, when a "give" is taken back that
 *           somebody has spent, and a name that was freed and claimed anew can have two owners (2):
 *           what must not be seen too early comes last.
 *   plain   the steps are sent at once, none is sent again, and nobody takes care of anything.
 *
 * The command `coordinator` lets the router of the next transaction die at a chosen point, for a
 * time; it comes back through faults.h, reads its log and goes on. Its client is told by then, if
 * the log knows how the transaction ended; of one that it forgot the client never hears.
 *
 * Rows, their locks, votes and the ids of transactions are in the shards' logs: they survive a
 * crash. (Without RULE_VOTE_AFTER_PREPARE a vote is written TXN_LATE_US after it was given, and a
 * shard that dies before forgets it; without RULE_NO_LONE_ABORT one that restarts aborts what it
 * was prepared for.) They go along with their slot, value, lock and votes in the instant in which
 * the slot table lets the next shard serve it: the engine keeps one copy of each row, so a prepared
 * row holds no move up, and what a move could lose by a rule that is off is shown by counters, not
 * by rows.
 *
 * What a participant asks travels as long as a message does, and is never lost on the way; at a
 * router that is down nobody hears it. What is sent again while the message before it is under way
 * is the same message.
 */
#ifndef HOTSHARD_ENGINE_TXNS_H
#define HOTSHARD_ENGINE_TXNS_H

#include "base/digest.h"
#include "base/err.h"
#include "base/str.h"
#include "engine/command.h"
#include "engine/event.h"
#include "engine/trace.h"
#include "proto/commit.h"
#include "proto/saga.h"

struct world;
struct request;

#define TXN_STEPS_MAX 3
#define TXN_AMOUNT_MAX 1000000000u
#define TXN_AGAIN_US INT64_C(100000)    /* a coordinator looks whom to tell again */
#define TXN_QUESTION_US INT64_C(100000) /* a prepared participant asks, and again */
#define TXN_GIVE_UP_US INT64_C(1000000)
#define TXN_FORGET_US INT64_C(1000000) /* so long it remembers that it decided to abort */
#define TXN_LATE_US INT64_C(150000)    /* rules off: what is written down too late */

/* Records of TRACE_TXN, and of answers. Operand 0 is the number of the transaction; key: the row,
 * where there is one; the others beside each. */
enum txns_reason {
    /* at the coordinator */
    REASON_TXN_BEGUN = REASON_TXNS_FIRST, /* by (enum txn_by), steps */
    REASON_TXN_VOTE,                      /* votes so far, of; value 1: too late */
    REASON_TXN_COMMIT,                    /* votes, of; value 1: it is in its log */
    REASON_TXN_ABORT,                     /* votes, of; value 1: one said no */
    REASON_TXN_LOGGED,                    /* rule off: by */
    REASON_TXN_CLIENT,                    /* to its client: how (enum txn_end), by */
    REASON_TXN_FORGETS,                   /* word that it may forget (enum commit_word) */
    REASON_TXN_AGAIN,                     /* op, microseconds since it was first sent */
    REASON_TXN_BACK,                      /* steps to take back; value 1: one was refused */
    REASON_TXN_RECOVERS,                  /* by, what its log says (commit_word, saga_phase) */
    REASON_TXN_ANSWERS,                   /* a question: commit_word; value 1: it knows of it */
    REASON_TXN_DIES,                      /* point (enum txn_point) */
    /* in the answers of shards */
    REASON_TXN_VOTES_YES,   /* value, amount */
    REASON_TXN_VOTES_EARLY, /* rule off: the same */
    REASON_TXN_LOCKED,      /* number of the other, microseconds locked */
    REASON_TXN_CANNOT,      /* value, amount */
    REASON_TXN_SEEN,        /* state: of the step (by 2pc: enum part_state) */
    REASON_TXN_COMMITS,     /* value now, value before */
    REASON_TXN_ABORTS,      /* value */
    REASON_TXN_UNKNOWN,     /* forgotten long since */
    REASON_TXN_STEP_DONE,   /* value now, value before */
    REASON_TXN_TAKEN_BACK,  /* the same */
    REASON_TXN_TWICE,       /* rule off: the same */
    REASON_TXN_BARRED,
    REASON_TXN_NOT_BARRED, /* rule off */
    /* at a participant */
    REASON_TXN_ASKS,  /* microseconds locked */
    REASON_TXN_ALONE, /* rule off: commit_word, microseconds locked */
    REASON_TXN_LATE,  /* rule off: it is prepared only now */
    REASON_TXN_LOST,  /* rule off: its shard has forgotten its vote */
    REASON_TXNS_END
};
_Static_assert((int)REASON_TXNS_END <= (int)REASON_TXNS_LAST + 1, "reasons have their range");

enum txn_by {
    TXN_BY_2PC,
    TXN_BY_SAGA,
    TXN_BY_NOTHING,
    TXN_BY_KINDS
};

enum txn_what {
    TXN_TAKE,
    TXN_GIVE,
    TXN_CLAIM,
    TXN_FREE,
    TXN_WHATS
};

enum txn_end {
    TXN_OPEN,
    TXN_DONE,   /* every step is */
    TXN_UNDONE, /* no step is, or each that was is taken back */
    TXN_HALF    /* some steps are, some are not, and it is over: plain, or with a rule off */
};

/* Where a coordinator may be made to die, in the order in which a transaction comes by. */
enum txn_point {
    TXN_POINT_BEGUN,    /* nobody is asked yet */
    TXN_POINT_ASKED,    /* all are asked to prepare; saga: the first step is asked for */
    TXN_POINT_VOTED,    /* every vote is in, nothing is decided; saga: the first step is done */
    TXN_POINT_DECIDED,  /* the decision is in its log, nobody is told; saga: going back, in its log
                         */
    TXN_POINT_TOLD_ONE, /* one participant is told; saga: one compensation is sent; plain: one step
                           is */
    TXN_POINTS
};

struct txns_state {
    uint32_t count; /* rows and transactions that were ever set or begun: 0 skips the module */
    uint32_t rows;  /* in use, the first so many */
    uint8_t dies;   /* the next coordinator: enum txn_point + 1; 0: it lives */
    int64_t dies_us;
    uint64_t last; /* number of the last transaction */
    uint64_t ended[TXN_HALF + 1];
    uint64_t refused_by_lock;
    int64_t locked_us; /* of locks that are free again */
    int64_t opening;   /* what rows were set to, less what was there */
    int64_t settled;   /* what transactions that are over have changed in all rows together */
};

struct txn_step_info {
    uint8_t what; /* enum txn_what */
    uint32_t key;
    uint64_t amount;
    uint16_t shard;                       /* asked last, or the row's */
    uint8_t state;                        /* 2pc: enum part_state; saga, plain: enum step_state */
    bool told;                            /* 2pc: the word was sent to it; saga: a compensation */
    int64_t asked_us, answered_us;        /* first asked; its last answer. -1: not yet */
    int64_t locked_from_us, locked_to_us; /* 2pc; -1: not locked, still locked */
    int64_t voted_us;           /* 2pc: at its shard, yes or no; saga, plain: done or refused; -1 */
    int64_t done_us, undone_us; /* its change was in the row, and taken back; -1: not yet */
};
struct txn_info {
    uint64_t number; /* from 1; 0: none */
    uint8_t by, end; /* enum txn_by, txn_end */
    uint8_t phase;   /* 2pc: enum commit_word that is decided; saga: enum saga_phase */
    bool coordinator_down;
    bool written; /* 2pc: "commit" is in its log, or was */
    bool behind;  /* rules off: its log does not say yet what others were told */
    uint16_t router;
    int64_t began_us, ended_us; /* ended: when its client was told; -1: not yet, or never */
    int64_t over_us;            /* nobody will send anything of it any more; -1: not yet */
    int64_t decided_us; /* 2pc: "commit" or "abort"; saga: it turned back, or all is done; -1 */
    int64_t died_us, back_us; /* its coordinator, last; -1: never, still down */
    uint32_t steps, messages; /* sent to participants so far */
    struct txn_step_info step[TXN_STEPS_MAX];
};
/* Transaction `number`, 0: the last one; number 0 in the answer: there is none, or forgotten. */
struct txn_info world_txn(const struct world *w, uint64_t number);
struct txn_counts {
    uint64_t begun, done, undone, half, open;
    uint64_t refused_by_lock; /* prepares and steps that were told no: the row was locked */
    int64_t locked_us;        /* all rows' time under lock */
};
struct txn_counts world_txn_counts(const struct world *w);

struct txn_row_info {
    uint32_t key;
    int64_t value;
    uint16_t shard;
    uint64_t locked_by; /* a transaction's number; 0: nobody */
    int64_t locked_us;  /* for so long by now */
};
uint32_t world_txn_rows(const struct world *w);
struct txn_row_info world_txn_row(const struct world *w, uint32_t index);
bool world_txn_row_find(const struct world *w, struct bytes key, uint32_t *index);
int64_t world_txn_total(const struct world *w); /* of all rows */

const char *txn_by_name(enum txn_by by);       /* "2pc" */
const char *txn_what_name(enum txn_what what); /* "take" */
const char *txn_end_name(enum txn_end end);    /* "open" */
const char *txn_point_name(enum txn_point point);

/* A shard serves a message of a transaction: what it answers, and why, with operands. */
struct txn_answer {
    uint64_t value; /* for txns_landed */
    uint16_t reason;
    int64_t operand[3];
};
struct txn_answer txns_serve(struct world *w, uint16_t shard, uint32_t request);
void txns_landed(struct world *w, uint32_t request, enum outcome outcome, uint64_t value);
void txns_router_crash(struct world *w, uint16_t router);
void txns_router_back(struct world *w, uint16_t router);
void txns_shard_crash(struct world *w, uint16_t shard);
void txns_shard_back(struct world *w, uint16_t shard);

bool txns_apply(struct world *w, const struct command *c, struct err *err);
void txns_handle(struct world *w, const struct event *event); /* JOB_TXN */
bool txns_hold(const struct world *w, struct err *err);       /* invariants: txns_hold.c */
void txns_lay_out(struct world *plan, uint64_t *end);
void txns_feed(struct digest *d, const struct world *w);
void txns_say(const struct world *w, const struct trace_record *r, struct str *out);
void txns_label(const struct world *w, const struct trace_record *r, struct str *out);
void txns_why(const struct world *w, const struct trace_record *r, struct str *out);

#endif
