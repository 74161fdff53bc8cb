/*
 * indexes_inside: the tables of indexes.h, for its own files.
 *
 * A catalog's rows are numbered from 0; that number is their bit in masks. An entry of a term is a
 * mask of rows, and for each row a stamp: the version of the row (async, sync) or the count of the
 * claims of this term that were not given back (unique).
 *
 * A message says all that a shard must know in one number (struct entry_note, packed into
 * request.value until it is served, then its answer): whoever sent it may be gone by then.
 */
#ifndef HOTSHARD_ENGINE_INDEXES_INSIDE_H
#define HOTSHARD_ENGINE_INDEXES_INSIDE_H

#include "engine/state.h"

#define INDEX_OPS_MAX 32u /* puts, finds, follow-ups under way */
#define TERM_NONE 0xFFFFu
#define CHANGES_KEPT 4u
#define FOLLOW_AGAIN_US INT64_C(100000)

enum entry_what {
    ENTRY_ROW,     /* write the row: answers the old term and the new version */
    ENTRY_ADD,     /* global: this row has the term */
    ENTRY_REMOVE,  /* global: it has not */
    ENTRY_CLAIM,   /* unique: answers enum claim_end, and the row that has it */
    ENTRY_RELEASE, /* unique: gives a claim back */
    ENTRY_FIND,    /* read: answers a mask; which of the two: */
    ENTRY_FIND_LOCAL
};

enum claim_end {
    CLAIM_OK,
    CLAIM_TAKEN
};

struct entry_note {
    uint8_t what; /* enum entry_what */
    uint8_t catalog, life;
    uint8_t row;   /* of the catalog */
    uint16_t term; /* in the table of terms */
    uint32_t stamp;
};

static inline uint64_t entry_pack(const struct entry_note *n)
{
    return (uint64_t)n->stamp << 32 | (uint64_t)(n->term & 0x7FFu) << 21 |
           (uint64_t)(n->row & 63u) << 15 | (uint64_t)n->life << 7 |
           (uint64_t)(n->catalog & 15u) << 3 | (n->what & 7u);
}

static inline struct entry_note entry_unpack(uint64_t word)
{
    return (struct entry_note){
        .what = word & 7,
        .catalog = word >> 3 & 15,
        .life = (uint8_t)(word >> 7 & 255),
        .row = word >> 15 & 63,
        .term = word >> 21 & 0x7FF,
        .stamp = (uint32_t)(word >> 32),
    };
}

/* An answer: a small number, a term (or row), and a stamp. */
static inline uint64_t entry_answer(uint32_t small, uint32_t term, uint32_t stamp)
{
    return (uint64_t)stamp << 32 | (uint64_t)small << 16 | (term & 0xFFFFu);
}

enum put_end {
    PUT_STORED,
    PUT_REFUSED,
    PUT_FAILED
};

struct catalog {
    char name[24];
    uint8_t length, mode;
    uint8_t life;     /* how often it began anew: messages of earlier lives mean nothing */
    uint8_t last_end; /* of the last put: enum put_end */
    int64_t lag_us;
    uint32_t rows, under_way;
    uint32_t last_writes, last_id;
    uint64_t puts, refused, failed, writes, finds, parts;
    uint64_t last_put_us, last_find_us;
    uint16_t row[CATALOG_ROWS_MAX]; /* in the table of rows */
    struct {
        uint64_t number, mask;
        uint32_t missing, extra, parts, failed;
        int64_t asked_us, ended_us;
        uint16_t term, slowest;
        bool done;
    } find;
};

struct catalog_row {
    uint32_t id, key;
    uint8_t catalog; /* + 1; 0: a free row */
    bool untrue;     /* a put of it failed: the index may differ for good */
    bool following;  /* async: its entries are on their way */
    bool due;        /* and another change is due meanwhile: */
    uint16_t due_term;
    uint16_t term;   /* TERM_NONE: not written yet */
    uint16_t router; /* of the last put */
    uint32_t due_version;
    uint32_t started; /* the newest version whose entries were ever sent */
    uint32_t version; /* how often it was written with another term */
    uint32_t indexed; /* the version that the index has */
    int64_t changed_us, indexed_us;
    int64_t change_us[CHANGES_KEPT]; /* of version v: at v mod CHANGES_KEPT */
};

struct catalog_term {
    char text[TERM_BYTES_MAX];
    uint8_t catalog; /* + 1; 0: free */
    uint8_t length;
    uint32_t key;  /* of its entry */
    uint64_t mask; /* rows that the entry has */
    uint64_t sent; /* async: rows that it was told to add, and not yet to remove */
    uint32_t stamp[CATALOG_ROWS_MAX];
};

enum index_op_kind {
    INDEX_OP_NONE,
    INDEX_OP_PUT,
    INDEX_OP_FIND,
    INDEX_OP_FOLLOW
};

enum index_stage { /* of a put */
    STAGE_WAY,     /* to the router */
    STAGE_CLAIM,
    STAGE_ROW,
    STAGE_ENTRIES,
    STAGE_BACK /* to the client */
};

struct index_op {
    uint64_t number;
    int64_t asked_us;
    uint64_t mask;   /* find: rows so far */
    uint32_t stamp;  /* follow: the row's version */
    uint32_t writes; /* or parts: sent */
    uint32_t stored; /* or answered */
    uint16_t router, term, slowest;
    uint8_t kind, stage, catalog, row;
    bool failed; /* some message was not answered, or was refused */
    bool refused;
    bool dropped;       /* its catalog began anew: nobody waits for what is out */
    bool timer;         /* an event of it waits */
    uint16_t parts_out; /* messages that are not answered yet */
};

/* What an event of JOB_INDEX is about: `node`. `request` is the op or the row. */
enum index_timer {
    TIMER_ARRIVES, /* a put or find at its router */
    TIMER_TOLD,    /* its answer at the client */
    TIMER_FOLLOW   /* the change of a row is due: carries version and term */
};

WORLD_PART(catalogs, struct catalog)
WORLD_PART(catalog_rows, struct catalog_row)
WORLD_PART(catalog_terms, struct catalog_term)
WORLD_PART(index_ops, struct index_op)

/* A term's number has eleven bits in a message. */
static inline uint32_t catalog_rows_room(const struct world *w)
{
    return w->config.catalog_rows_max < 1024 ? w->config.catalog_rows_max : 1024;
}

static inline uint32_t catalog_terms_room(const struct world *w)
{
    return catalog_rows_room(w) * 2;
}

static inline bool catalog_global(const struct catalog *c)
{
    return c->mode != CATALOG_LOCAL;
}

static inline struct catalog_row *catalog_row_at(struct world *w, const struct catalog *c,
                                                 uint32_t row)
{
    return catalog_rows_of(w) + c->row[row];
}

static inline const struct catalog_row *catalog_row_in(const struct world *w,
                                                       const struct catalog *c, uint32_t row)
{
    return catalog_rows_in(w) + c->row[row];
}

/* The rows that have a term, and those that the index has under it. */
uint64_t catalog_true_mask(const struct world *w, const struct catalog *c, uint16_t term);
/* Messages of puts and finds that are under way, wanted or not. */
bool indexes_messages(const struct world *w, uint32_t catalog);

struct trace_record *index_note(struct world *w, struct node from, enum indexes_reason reason,
                                uint32_t catalog);
/* The op's way to its router and back: a timer. */
void index_timer(struct world *w, uint32_t op, enum index_timer timer, int64_t in_us);
/* A message of an op: made and counted, for the caller to route; NO_INDEX: the world has stopped.
 */
uint32_t index_message(struct world *w, uint32_t op, enum op_kind kind, uint32_t key,
                       const struct entry_note *note);
struct entry_note index_note_of(const struct world *w, const struct index_op *op,
                                enum entry_what what, uint16_t term, uint32_t stamp);
/* Its client is told: the record of it. */
struct trace_record *index_tell(struct world *w, uint32_t op, enum indexes_reason reason,
                                enum outcome outcome);
uint32_t index_op_new(const struct world *w); /* a free one; INDEX_OPS_MAX: none */
void index_op_free(struct world *w, uint32_t op);

/* --- by file --- */

void index_put_arrives(struct world *w, uint32_t op); /* indexes_put.c */
void index_put_landed(struct world *w, uint32_t op, enum outcome outcome, uint64_t value);
void index_put_told(struct world *w, uint32_t op);
void index_follow_due(struct world *w, uint32_t row, uint32_t version, uint16_t term);
void index_follow_landed(struct world *w, uint32_t op, enum outcome outcome);
void index_follow_died(struct world *w, uint32_t op);
void index_find_arrives(struct world *w, uint32_t op); /* indexes_find.c */
void index_find_landed(struct world *w, uint32_t op, uint16_t shard, enum outcome outcome,
                       uint64_t value);
void index_find_told(struct world *w, uint32_t op);

#endif
