/*
 * writes_inside: the rows and spots of writes.h, for its own files and the engine's tests.
 *
 * Of who keeps what: a row's sub-keys, way and frozen sums are the treatment, which every router
 * knows. Rows of `liked` are counted in the row, those of routers' present lives in their spots.
 * A spot is the router's memory (sender, heard, unstored, turn, flights), but for `rows`, `newer`
 * and `position`, which belong to `liked` and to the sub-key.
 */
#ifndef HOTSHARD_ENGINE_WRITES_INSIDE_H
#define HOTSHARD_ENGINE_WRITES_INSIDE_H

#include "engine/steps.h"
#include "engine/store.h"

enum writes_reason {
    WRITES_SALT_PICKED = REASON_WRITES_FIRST, /* salt, S, enum salt_pick */
    WRITES_ROW_SENT,                          /* a like's row goes to `liked` */
    WRITES_ROW_SENT_AGAIN,                    /* no answer in time: patience, tries */
    WRITES_STORED,                            /* reply */
    WRITES_STORED_BEFORE,                     /* reply: the row was there already */
    WRITES_ACKED_FIRST,                       /* reply: in the buffer, not durable yet */
    WRITES_FLUSHED,       /* router's total or difference, how many are new, sequence */
    WRITES_FLUSHED_AGAIN, /* the same, once more: a window that was not answered */
    WRITES_FLUSH_FAILED,  /* difference still to be sent, sequence */
    WRITES_FLUSH_REFUSED, /* the sub-key holds, sequence sent */
    WRITES_CRASHED,       /* buffer, sent and not taken yet, not in `liked` either */
    WRITES_READS_BACK,
    WRITES_CLAIMS,         /* total, sequence that were read */
    WRITES_BACK_IN_USE,    /* total, sequence, lost beyond the buffer */
    WRITES_CLAIM_LOST,     /* something landed in between: reads again */
    WRITES_SPLIT_READ,     /* slots asked, 0, what comes in as a number */
    WRITES_SUMMED_UP,      /* reply */
    WRITES_PART_FAILED,    /* reply */
    WRITES_FROZEN,         /* part, its sum */
    WRITES_RECOUNTED,      /* recount, sub-keys' sum, correction */
    WRITES_REBUILD_FAILED, /* 0: the read, 1: the write of the correction */
    WRITES_REASONS
};
_Static_assert((int)WRITES_REASONS <= (int)REASON_WRITES_LAST + 1, "reasons have their range");

#define FREEZE_EVERY_US INT64_C(50000)

/* EVENT_STORE, EVENT_STORED: what the low bits of event.detail say. */
#define LIFE_BITS 7u /* the router's life, its lowest bits */
#define ROW_OURS 8u  /* STORED: this request of this life put the row there */

struct hot_write {
    struct prng prng;   /* of random salts */
    uint64_t stream;    /* digest of the rows in their order */
    uint64_t summed;    /* rows that came by the summed way */
    uint64_t direct;    /* by the others, and likes from before the treatment */
    uint64_t doubled;   /* likes applied again by a shard: one count too many each */
    uint64_t reflushed; /* in flushes that a sub-key took again: the same */
    uint64_t unheard;   /* rows whose router has not heard that they are stored */
    uint64_t told;      /* likes acknowledged by a router that sums */
    uint64_t forgotten; /* of these, gone before they were in `liked` */
    uint64_t past;      /* sum of sets of salts that a set of another place replaced */
    uint64_t frozen[COUNT_PARTS];
    uint64_t cut;     /* rebuild: rows of the summed way that count, when it read ... */
    uint64_t cut_sum; /* what the routers' sub-keys held in that instant */
    uint64_t fixed;   /* the correction that was sent last; may be negative */
    int64_t window_us;
    uint32_t key, fix;
    uint32_t fixes; /* corrections sent */
    uint32_t top;   /* `seen` knows the operations below it, LIKED_WINDOW of them */
    uint32_t salt[SALTS_MAX];
    uint64_t seen[LIKED_WINDOW / 64]; /* a bit an operation that has a row */
    uint8_t mode, place, pick, way;   /* see writes.h */
    uint8_t salts, most;
    bool live[COUNT_PARTS]; /* not frozen: to be read */
    bool freezing;          /* the job that freezes is under way */
    bool rebuilding;
};

struct write_spot {
    struct flush_sender sender;
    uint64_t before;   /* restarting: what it had sent before the crash */
    uint64_t again;    /* of the present totals: what its sub-key took a second time */
    uint64_t lost;     /* from the count, in all crashes */
    uint64_t heard;    /* likes buffered in this life */
    uint64_t unstored; /* acknowledged first: in the buffer, not in `liked` */
    uint64_t rows;     /* in `liked`, of the life whose flushes the sub-key takes */
    uint64_t newer;    /* of the present life, while that has no sub-key yet */
    uint64_t position; /* likes of that life in the sub-key: `heard` at the last flush taken */
    uint32_t key;      /* its sub-key */
    uint32_t turn;     /* its next salt */
    uint32_t life;     /* goes up with each crash */
    uint32_t answered; /* sequence of the last flush that was */
    uint16_t flights;  /* flushes, claims and reads of the sub-key under way */
    uint8_t timer;     /* number of the flush timer in force */
    bool armed;        /* it runs */
};

WORLD_PART(hot_writes, struct hot_write)
WORLD_PART(write_spots, struct write_spot) /* routers of them a row */

static inline struct hot_write *hot_write_of_key(struct world *w, uint32_t key)
{
    return hot_writes_of(w) + (keys_in(w)[key].writes - 1);
}

static inline const struct hot_write *hot_write_in_key(const struct world *w, uint32_t key)
{
    return hot_writes_in(w) + (keys_in(w)[key].writes - 1);
}

static inline uint32_t hot_write_index(const struct world *w, const struct hot_write *row)
{
    return (uint32_t)(row - hot_writes_in(w));
}

static inline struct write_spot *write_spot_of(struct world *w, const struct hot_write *row,
                                               uint16_t router)
{
    return write_spots_of(w) + (size_t)hot_write_index(w, row) * w->config.routers + router;
}

static inline const struct write_spot *write_spot_in(const struct world *w,
                                                     const struct hot_write *row, uint16_t router)
{
    return write_spots_in(w) + (size_t)hot_write_index(w, row) * w->config.routers + router;
}

static inline uint16_t slot_of_key(const struct world *w, uint32_t key)
{
    return keys_in(w)[key].slot;
}

/* A record about what a router, or nobody in particular, does with a count or sub-key. */
struct trace_record *writes_note(struct world *w, enum writes_reason reason, struct node who,
                                 uint32_t key);
static inline void writes_operands(struct trace_record *t, uint64_t a, uint64_t b, uint64_t c)
{
    t->operand[0] = (int64_t)a;
    t->operand[1] = (int64_t)b;
    t->operand[2] = (int64_t)c;
}

/* --- writes_salt.c --- */
void salt_pick(struct world *w, struct hot_write *row, uint32_t request);
/* Back to the count's own key: its client asks once more, and the treatment has changed. */
void salt_drop(struct world *w, const struct hot_write *row, uint32_t request);
/* A count's part is what it holds: sum over its keys, each at its owner. */
uint64_t part_sum(const struct world *w, const struct hot_write *row, enum count_part part);
/* What a key's owner holds of it. */
static inline uint64_t held_at_owner(const struct world *w, uint32_t key)
{
    return store_value(w, store_home(w, key), key);
}
/* Freezes what can be, and comes back while something cannot be yet. */
void freeze_parts(struct world *w, struct hot_write *row);

/* --- writes_sum.c: a router that sums --- */
void sum_take(struct world *w, struct hot_write *row, uint32_t request);
void sum_handle(struct world *w, const struct event *event); /* STORED, FLUSH, TIMEOUT */
void sum_arm(struct world *w, const struct hot_write *row, uint16_t router);
void sum_landed(struct world *w, uint32_t request, enum outcome outcome, uint64_t value);
enum outcome sum_serve(struct world *w, uint32_t request, struct store_entry *entry);
/* The routers' sub-keys at a shard; adds how many there are. */
uint64_t sum_of_routers(const struct world *w, uint16_t shard, const struct hot_write *row,
                        uint32_t *keys);
/* Nothing of this router's is under way to the sub-key or in its buffer. */
bool sum_is_idle(const struct write_spot *spot);

/* --- writes_restart.c: it crashed and comes back --- */
void restart_read(struct world *w, const struct hot_write *row, uint16_t router);
void restart_landed(struct world *w, uint32_t request, enum outcome outcome, uint64_t value);
/* What the shard holds of the sub-key; its sequence goes into the request's link. */
uint64_t restart_held(struct world *w, uint16_t shard, uint32_t request);
enum outcome restart_serve(struct world *w, uint32_t request, struct store_entry *entry);

/* --- writes_liked.c --- */
void liked_before(struct hot_write *row, uint64_t likes); /* of a key that joins the count */
bool liked_has(const struct hot_write *row, uint32_t operation);
/* Stores a row; false: it is there already. */
bool liked_add(struct hot_write *row, uint32_t operation);
void liked_handle(struct world *w, const struct event *event); /* STORE */
/* Rows of the summed way that are, or never will be, in the sub-keys: all but those of routers'
 * present lives beyond their last flush taken. */
uint64_t liked_cut(const struct world *w, const struct hot_write *row);

/* --- writes_gather.c --- */
void gather_landed(struct world *w, uint32_t request, enum outcome outcome, uint64_t value);
void gather_crash(struct world *w, uint32_t request); /* a part, whose router crashed */

/* --- writes_rebuild.c --- */
bool rebuild_apply(struct world *w, const struct command *c, struct err *err);
/* The read of a rebuild, at the shard: the routers' sub-keys; the row's cut is settled. */
uint64_t rebuild_sum(struct world *w, uint16_t shard, struct hot_write *row, uint32_t *keys);
void rebuild_landed(struct world *w, uint32_t request, enum outcome outcome);
enum outcome rebuild_serve(struct world *w, uint32_t request, struct store_entry *entry);
void rebuild_crash(struct world *w, uint32_t request); /* its router crashed */

/* --- writes_apply.c --- */
bool treatment_apply(struct world *w, const struct command *c, struct err *err);

#endif
