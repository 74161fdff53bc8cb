/*
 * txns_inside: the tables of txns.h, and what its files share.
 *
 * A transaction is a place in a table of config.txns_max: its coordinator's core, and for each step
 * the core of its participant, which stands for what the row's shard has in its log. Timers are
 * events (JOB_TXN) that name the place, and carry the transaction's number and the life of its
 * coordinator; one that no longer fits is ignored.
 */
#ifndef HOTSHARD_ENGINE_TXNS_INSIDE_H
#define HOTSHARD_ENGINE_TXNS_INSIDE_H

#include "engine/steps.h"

#define TXN_NEVER INT64_C(-1)

/* A request about a step; number 0: none was sent. */
enum txn_mail_kind {
    MAIL_ASK,  /* prepare; do */
    MAIL_TELL, /* commit; take back */
    MAIL_ABORT,
    MAILS
};

struct txn_mail {
    uint64_t number;
    int64_t first_us; /* sent first */
    uint32_t request; /* its place in the pool */
    uint32_t times;
};

struct txn_step {
    struct txn_mail mail[MAILS];
    uint32_t amount;
    uint16_t row, shard;
    struct part_core part; /* by 2pc */
    struct step_core step; /* saga, plain */
    uint8_t what;
    int8_t effect;     /* how often its change is in the row, less how often it was taken back */
    bool alone, asked; /* it decided of its own accord; it has a timer that asks */
    int64_t asked_us, answered_us, locked_from_us, locked_to_us, voted_us, done_us, undone_us;
};

/* What was seen to go wrong, a bit each, for txns_hold.c. */
enum txn_wrong {
    WRONG_UNWRITTEN = 1, /* somebody was told what no log said */
    WRONG_DECIDED_TWICE = 2,
    WRONG_ALONE = 4,  /* a prepared participant decided */
    WRONG_SILENT = 8, /* a coordinator that knows nothing left one without a word */
    WRONG_TWICE = 16  /* a step was taken back twice */
};

struct txn {
    uint64_t number; /* 0: a free place */
    struct commit_core commit;
    struct saga_core saga;
    struct txn_step step[TXN_STEPS_MAX];
    int64_t began_us, ended_us, over_us, decided_us, died_us, back_us;
    int64_t since_us; /* patience counts from here */
    int64_t dies_us;
    uint32_t messages;
    uint16_t router;
    uint8_t by, steps, end;
    uint8_t dies;    /* where: enum txn_point + 1; 0: nowhere */
    uint8_t life;    /* of its coordinator */
    uint8_t wrong;   /* enum txn_wrong, a bit each */
    bool written;    /* "commit" was in the log at some time */
    bool begun;      /* its coordinator has it */
    bool dying;      /* in this very instant */
    bool gone;       /* plain: its router died, or all is answered */
    bool told;       /* its client was, or will never be */
    uint8_t refused; /* plain: steps that were not done */
    bool waited;     /* who waits until all commands are answered waits for it */
    uint8_t unused;
};

struct txn_row {
    int64_t value;
    uint64_t locked_by; /* number of a transaction; 0: nobody */
    int64_t locked_us;  /* since */
    uint32_t key;
    uint32_t unused;
};

WORLD_PART(txns, struct txn)
WORLD_PART(txn_rows, struct txn_row)

enum txn_job { /* low four bits of the event's node; a step is in the others */
    TXN_JOB_BEGIN,
    TXN_JOB_AGAIN,    /* the coordinator looks whom to tell again */
    TXN_JOB_WRITE,    /* rules off: it writes to its log */
    TXN_JOB_DIE,      /* its router dies */
    TXN_JOB_PATIENCE, /* a prepared participant asks */
    TXN_JOB_QUESTION, /* the question is at the coordinator */
    TXN_JOB_PREPARED  /* rule off: a vote is written down */
};

/* What a participant answers. */
enum txn_reply {
    REPLY_NOTHING,
    REPLY_YES, /* prepared; done; taken back, or nothing was there to be */
    REPLY_NO,
    REPLY_ACK,
    REPLY_LATER /* a compensation waits for a lock */
};

static inline struct txn_row *txn_row_of(struct world *w, const struct txn_step *s)
{
    return txn_rows_of(w) + s->row;
}

static inline const struct txn_row *txn_row_in(const struct world *w, const struct txn_step *s)
{
    return txn_rows_in(w) + s->row;
}

/* What a step adds to its row. */
static inline int64_t txn_change(const struct txn_step *s)
{
    int64_t amount = s->what == TXN_TAKE || s->what == TXN_GIVE ? s->amount : 1;
    return s->what == TXN_TAKE || s->what == TXN_FREE ? -amount : amount;
}

/* The request is there, and somebody waits for its answer. */
static inline bool txn_mail_open(const struct world *w, const struct txn_mail *m)
{
    const struct request *r = requests_in(w) + m->request;
    return m->number != 0 && r->number == m->number && !r->ended;
}

/* Something of it is on its way, whoever waits. */
static inline bool txn_mail_flies(const struct world *w, const struct txn_mail *m)
{
    const struct request *r = requests_in(w) + m->request;
    return m->number != 0 && r->number == m->number && r->flying > 0;
}

/* Which reading of `number` an event carries. */
static inline uint64_t txn_stamp(const struct txn *t)
{
    return t->number << 8 | t->life;
}

/* The transaction of that number; NULL: forgotten. */
struct txn *txn_by_number(struct world *w, uint64_t number);

/* --- txns.c --- */
struct trace_record *txn_note(struct world *w, const struct txn *t, struct node from,
                              enum txns_reason reason);
/* The same about a step. */
struct trace_record *txn_note_step(struct world *w, const struct txn *t, uint32_t step,
                                   struct node from, enum txns_reason reason);
void txn_timer(struct world *w, const struct txn *t, enum txn_job job, uint32_t step,
               int64_t in_us);
/* Sends a message about a step, unless the last one like it is still under way. */
void txn_send(struct world *w, struct txn *t, uint32_t step, enum txn_mail_kind mail);
/* Whether the coordinator is to die here; if so it does, and nothing more is to be done. */
bool txn_dies(struct world *w, struct txn *t, enum txn_point point);
void txn_tell_client(struct world *w, struct txn *t, enum txn_end end);
/* Whether it has come to its end. */
void txn_settle(struct world *w, struct txn *t);
/* It had, and an old message has locked a row for it once more: until its participant has asked. */
void txn_reopen(struct world *w, struct txn *t);

/* --- by the kind of coordinator: commit, saga, plain --- */
void txn_commit_begin(struct world *w, struct txn *t);
void txn_commit_again(struct world *w, struct txn *t);
void txn_commit_heard(struct world *w, struct txn *t, uint32_t step, enum txn_mail_kind mail,
                      enum txn_reply reply);
void txn_commit_asked(struct world *w, struct txn *t, uint32_t step); /* a question */
void txn_commit_write(struct world *w, struct txn *t);
void txn_commit_back(struct world *w, struct txn *t);
bool txn_commit_over(const struct world *w, const struct txn *t);
void txn_saga_begin(struct world *w, struct txn *t);
void txn_saga_again(struct world *w, struct txn *t);
void txn_saga_heard(struct world *w, struct txn *t, uint32_t step, enum txn_mail_kind mail,
                    enum txn_reply reply);
void txn_saga_write(struct world *w, struct txn *t);
void txn_plain_begin(struct world *w, struct txn *t);
void txn_plain_again(struct world *w, struct txn *t);
void txn_plain_heard(struct world *w, struct txn *t, enum txn_reply reply);

/* --- txns_part.c --- */
void txn_part_patience(struct world *w, struct txn *t, uint32_t step);
void txn_part_prepared(struct world *w, struct txn *t, uint32_t step);

#endif
