/*
 * indexes: catalogs of rows that are looked for by something else than their key.
 *
 * A catalog has rows ("riders:7", on the shard of that key's slot), each with a term ("rome"). Its
 * index says which rows have a term:
 *
 *   local          each shard has the entries of its own rows: a put is one write, a find asks
 *                  every shard
 *   global sync    the entries of a term are together, on the shard of the key "riders@rome": a
 *                  find asks one shard; a put that changes the term writes the row, then the old
 *                  term's entry and the new one's at the same time, and is answered when all three
 *                  are written
 *   global async   the put is answered after its row; the entries follow, `lag` after the row was
 *                  written. They are sent again until they are stored, one change of a row after
 *                  the other
 *   unique         as global sync, and a term has one row: the entry is claimed first, and a put
 *                  is refused when another row has it; then the row is written, then the old
 *                  term's entry is given back. When the row is not written its claim stays, since a
 *                  copy of the message may still write it: the row may put the term again, others
 *                  may not
 *
 * A put that writes the same term again writes the row alone (unique: it claims the term once more
 * and gives the claim before back).
 *
 * Messages are requests (ORIGIN_ENTRY) in the ROUTE loop: counted, refused, redirected like others.
 * With `global sync` a put that fails halfway leaves what it has written (no transaction is around
 * it; txns.h has those), and the find tells: `missing` and `extra` compare with the rows. An entry
 * remembers the version of the row that it was written for, so that of two puts of one row the
 * later counts, whichever message comes first.
 *
 * Moves: a row, and an entry, is where its key's slot is. The tables are one for the world, and
 * whoever serves a slot serves the rows and entries of its keys; so they change their shard in the
 * instant in which the slot (or, moved key by key, the key) does. The key is written in the shard's
 * store with each write, so it counts among its keys and its writes stand in its log. What a shard
 * takes that is not the owner (rule slot-table-check off) is lost.
 *
 * A client's request and its answer take the client's way to its router and back.
 */
#ifndef HOTSHARD_ENGINE_INDEXES_H
#define HOTSHARD_ENGINE_INDEXES_H

#include "base/digest.h"
#include "base/err.h"
#include "base/str.h"
#include "engine/command.h"
#include "engine/event.h"
#include "engine/trace.h"

struct world;
struct request;

#define TERM_BYTES_MAX 24
#define FIND_IDS_MAX 32
#define CATALOG_ROWS_MAX 64 /* of one catalog */
#define CATALOG_ID_MAX 999999u

/* Records of TRACE_INDEX, and answers of shards; operands beside each. `target` is the catalog
 * everywhere. */
enum indexes_reason {
    REASON_CATALOG_PUT = REASON_INDEXES_FIRST, /* client -> router: id; value: term */
    REASON_CATALOG_FIND,                       /* client -> router: -; value: term */
    REASON_CATALOG_ROW,       /* shard writes a row: id, old term + 1; value: term */
    REASON_CATALOG_ADDED,     /* shard: id, rows that have the term; value: term */
    REASON_CATALOG_REMOVED,   /* the same */
    REASON_CATALOG_OVERTAKEN, /* shard ignores an entry: id, version it has; value: term */
    REASON_CATALOG_CLAIMED,   /* shard: id, 1 if it was this row's before; value: term */
    REASON_CATALOG_TAKEN,     /* shard: id, id of who has it; value: term */
    REASON_CATALOG_RELEASED,  /* shard: id; value: term */
    REASON_CATALOG_KEPT,      /* shard does not release: id; value: term */
    REASON_CATALOG_PART,      /* shard answers a find: rows; value: term */
    REASON_CATALOG_DONE,      /* router -> client, put: id, writes */
    REASON_CATALOG_REFUSED,   /* router -> client, put: id, id of who has the term; value: term */
    REASON_CATALOG_HALF,      /* router -> client, put: id, writes stored, writes sent */
    REASON_CATALOG_FOUND,     /* router -> client, find: rows, missing, extra; value: term */
    REASON_CATALOG_NOT_ALL,   /* the same, when a shard did not answer */
    REASON_CATALOG_FOLLOWS,   /* router: id, version; value: term */
    REASON_CATALOG_AGAIN,     /* router: id, microseconds until it sends the entries again */
    REASON_CATALOG_NO_ROUTER, /* client: its router is down */
    REASON_CATALOG_DIED,      /* router died with it in hand: 1 put, id */
    REASON_INDEXES_END
};
_Static_assert((int)REASON_INDEXES_END <= (int)REASON_INDEXES_LAST + 1, "reasons have their range");

struct indexes_state {
    uint32_t count;  /* catalogs */
    uint64_t number; /* of the last put or find */
};

enum catalog_mode {
    CATALOG_LOCAL,
    CATALOG_SYNC,
    CATALOG_ASYNC,
    CATALOG_UNIQUE,
    CATALOG_MODES
};

struct catalog_info {
    char name[24];
    uint8_t mode; /* enum catalog_mode */
    int64_t lag_us;
    uint32_t rows;
    uint32_t under_way; /* puts and finds that are not answered yet */
    uint32_t behind;    /* changes that the index does not have yet */
    int64_t behind_us;  /* for how long, the oldest of them */
    uint64_t puts, refused_puts, failed_puts;
    uint64_t writes;                    /* that shards were asked for by puts */
    uint64_t finds, parts;              /* parts: reads that shards were asked for by finds */
    uint64_t last_put_us, last_find_us; /* how long the last of each took */
    uint32_t last_writes;               /* of the last put that was answered, to its answer */
    uint32_t last_id;                   /* the row of that put */
    bool last_refused, last_failed;
};
/* One row as it is, and as the index has it. */
struct catalog_row_info {
    uint32_t id;
    uint16_t shard, index_shard;    /* of the row; of the entry of `term` (local: the same) */
    char term[TERM_BYTES_MAX];      /* the row's; "": it is not written (yet) */
    char indexed[TERM_BYTES_MAX];   /* under which the index has it; "": under none */
    bool twice;                     /* the index has it under more than one */
    int64_t changed_us, indexed_us; /* the last change of the row; when the index had it (-1) */
};
struct find_info {   /* the last find of a catalog */
    uint64_t number; /* 0: none */
    char term[TERM_BYTES_MAX];
    uint32_t ids, missing, extra; /* against the rows, at the moment of the answer */
    uint32_t id[FIND_IDS_MAX];
    uint32_t parts, failed;     /* failed: parts that were not answered */
    int64_t asked_us, ended_us; /* ended: -1 under way */
    uint16_t slowest;
    bool done;
};
uint32_t world_catalogs(const struct world *w);
bool world_catalog_find(const struct world *w, struct bytes name, uint32_t *index);
struct catalog_info world_catalog(const struct world *w, uint32_t index);
uint32_t world_catalog_rows(const struct world *w, uint32_t catalog);
/* `row` counts from 0, in the order in which rows were put first. */
struct catalog_row_info world_catalog_row(const struct world *w, uint32_t catalog, uint32_t row);
struct find_info world_find(const struct world *w, uint32_t catalog);
/* The shard of a term's entry, whether or not there is one; SHARD_NONE: a local index. */
uint16_t world_catalog_shard(const struct world *w, uint32_t catalog, struct bytes term);

/* A shard serves a message of a put or a find (ORIGIN_ENTRY). A message that comes again is
 * answered as before. */
struct entry_served {
    uint64_t value; /* for indexes_landed */
    /* for the record of the answer: */
    uint64_t term;
    uint16_t reason, catalog;
    int64_t operand[2];
};
struct entry_served indexes_serve(struct world *w, uint16_t shard, uint32_t request);
void indexes_landed(struct world *w, uint32_t request, enum outcome outcome, uint64_t value);
void indexes_router_crash(struct world *w, uint16_t router); /* its requests are not ended yet */

bool indexes_apply(struct world *w, const struct command *c, struct err *err);
void indexes_handle(struct world *w, const struct event *event); /* JOB_INDEX */
bool indexes_hold(const struct world *w, struct err *err);       /* invariants */
void indexes_lay_out(struct world *plan, uint64_t *end);
void indexes_feed(struct digest *d, const struct world *w);
void indexes_say(const struct world *w, const struct trace_record *r, struct str *out);
void indexes_label(const struct world *w, const struct trace_record *r, struct str *out);
void indexes_why(const struct world *w, const struct trace_record *r, struct str *out);

#endif
