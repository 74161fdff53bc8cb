/*
 * reads: what routers do with reads of a hot key, other than asking its shard each time.
 *
 * A treated key has a row in a table of config.hot_max rows; each router keeps a spot for each row,
 * and so does each zone's edge. The treatments (command `reads`, see command_reads.c):
 *
 *   cached      a micro-cache at each router (proto/fill.h). What is read may have a count beside
 *               it, as a post has its likes: then one request reads both, as far as they are in
 *               one slot, and the router keeps both
 *   coalesced   identical reads share a query (proto/flight.h), at each router or, by key, at one
 *   replicas    asks the shard as ever; what its followers answer is as it was replica_lag_us ago
 *   copies      N copies of the value under keys of their own; each read asks one of them at random
 *   edge        a cache of each zone before the routers: one fetch a TTL, everybody else waits
 *
 * A fetch is one request among others: a shard that refuses two of three reads refuses two of three
 * fetches. Whoever waits for it is told so, a stale entry stays, and the next read that is not
 * answered from the entry begins another. So a cache that is switched on amid refusals fills within
 * a few reads, and what it answers then is asked of the shard no more. It is chance that fills it:
 * where all traffic is steady, everything is in step, and some router's fetch comes just after
 * another read took the token, each time and for ever. Hence traffic is scattered where a ceiling
 * refuses. A line before the shard delays the first answers by its length; a router that has less
 * patience asks again, at the end of the line, until the line is short.
 *
 * A fetch or shared query is a request of the router's own (ORIGIN_FETCH; an edge's is
 * ORIGIN_EDGE), which comes back through reads_landed. The age of each answer is known: it counts
 * from before its source was read, and the record of the reply carries it.
 */
#ifndef HOTSHARD_ENGINE_READS_H
#define HOTSHARD_ENGINE_READS_H

#include "base/digest.h"
#include "base/err.h"
#include "base/str.h"
#include "engine/command.h"
#include "engine/trace.h"
#include "proto/fill.h"
#include "proto/flight.h"

struct world;
struct request;

enum reads_mode {
    READS_PLAIN,
    READS_CACHED,
    READS_COALESCED,
    READS_REPLICAS,
    READS_COPIES,
    READS_EDGE,
    READS_FORGET /* a command, not a state: every cached answer to the key is gone */
};

#define READS_FRESH_US INT64_C(1000000) /* of a micro-cache; an edge's TTL */
#define READS_STALE_US INT64_C(3000000)
#define READS_COPIES_MAX 16 /* of a value; of a shard */

/* Why, with the operands of the record. Ages and bounds are microseconds. */
enum reads_reason {
    REASON_CACHE_FRESH = REASON_READS_FIRST, /* reply: age, fresh bound, stale bound */
    REASON_CACHE_STALE,                      /* reply: the same; it is being fetched again */
    REASON_CACHE_FETCH,   /* no entry that may be served: its age (-1: none), stale bound, number */
    REASON_CACHE_REFRESH, /* a stale entry is fetched again: age, fresh bound, number of the fetch
                           */
    REASON_CACHE_WAIT,    /* for the fetch under way: its number, its age */
    REASON_CACHE_FILLED,  /* the fetch is back: its age, who waited, the shard that answered */
    REASON_CACHE_NOT_KEPT, /* the same; it is not kept */
    REASON_FETCH_FAILED,   /* the same, without an answer; reply: asks made, shard */
    REASON_CACHE_WAITED,   /* reply: age, asks made, shard */
    REASON_CACHE_DROPPED,  /* an edit was seen: the entry's age (-1: none), fetch disowned (0, 1) */
    REASON_QUERY_BEGUN,    /* coalesced: its number */
    REASON_QUERY_JOINED,   /* its number, its age */
    REASON_QUERY_ALONE,    /* too many queries under way: how many */
    REASON_QUERY_SEALED,   /* a write completed: number of the query that nobody joins any more */
    REASON_QUERY_SHARED,   /* reply: age, who shared it, shard */
    REASON_COPY_PICKED,    /* which copy, of how many */
    REASON_COPIES_WRITTEN, /* an edit goes to the value and its copies: how many copies */
    REASON_COPIES_WERE_SET, /* reply: asks made, shard */
    REASON_FOLLOWER,        /* a shard's answer: which follower, lag, tokens left */
    REASON_READS_END
};
_Static_assert((int)REASON_READS_END <= (int)REASON_READS_LAST + 1, "reasons have their range");

/* How a key's reads are treated, and what came of it at one router (or edge), since then. */
struct reads_info {
    enum reads_mode mode;
    bool by_key; /* coalesced: at one router */
    int64_t fresh_us, stale_us;
    uint64_t hits;           /* answered from a fresh entry */
    uint64_t stale_hits;     /* from a stale one */
    uint64_t waits;          /* had to wait for a fetch or query, their own included */
    uint64_t fetches;        /* fetches and queries sent */
    int64_t oldest_us;       /* the oldest answer given */
    int64_t held_us;         /* how old the held entry is by now; -1: none is held */
    int64_t fetch_us;        /* since the fetch under way was sent; -1: there is none */
    uint32_t copies;         /* of the value */
    uint64_t copies_written; /* by edits, at all routers */
    uint32_t beside;         /* the count that fetches read, too; KEY_NONE_ID: none */
    bool count_held;         /* the entry has it: all that it was made of came with the fetch */
    uint64_t count;          /* that count, as old as the entry */
};

struct reads_state {
    uint32_t count; /* rows in use */
};

bool reads_apply(struct world *w, const struct command *c, struct err *err);

/* A client asks: true when its zone's edge takes care of it, and no router hears of it. */
bool reads_edge(struct world *w, uint32_t request);
/* A client's read of a treated key has reached its router. True: it is taken care of. */
bool reads_take(struct world *w, uint32_t request);
/* The same for a client's write. */
bool reads_take_write(struct world *w, uint32_t request);
/* A fetch, shared query or write of a copy has its answer, or failed. */
void reads_landed(struct world *w, uint32_t request, enum outcome outcome, uint64_t value);
/* This router was told that a write of a treated key is done. */
void reads_wrote(struct world *w, uint16_t router, uint32_t key, enum op_kind op);
/* Whether reads of a treated key are as good as plain ones: they pass one router, and so do all
 * writes by now; those that began before it was so have ended (without a client's time-out: after
 * so long). */
#define READS_SETTLED_US INT64_C(5000000)
bool reads_strong(const struct world *w, uint32_t key);
/* Which router a client's request for a treated key goes to; `turn` is whose turn it would be. */
uint16_t reads_router(const struct world *w, uint32_t key, uint16_t turn);
/* The router crashed: what it held in memory is gone, and with it who waits for what. Their clients
 * are told by whoever made it crash. */
void reads_crash(struct world *w, uint16_t router);

/* A shard of several copies answers a read of a client or fetch: which copy does (0: the leader).
 */
uint32_t reads_next_copy(struct world *w, uint16_t shard, const struct request *r);
/* What a follower holds of a key, which is `value` at the leader. */
uint64_t reads_followed(const struct world *w, uint32_t key, uint64_t value);
/* A treated key's counter was `before` until now. */
void reads_changed(struct world *w, uint32_t key, uint64_t before);

/* The count that a fetch of this key reads as well; KEY_NONE_ID: none. */
uint32_t reads_beside(const struct world *w, const struct request *r);
/* A shard answers such a fetch: it gets the count; how many keys that took. */
uint32_t reads_serve_beside(struct world *w, uint16_t shard, uint32_t request);

struct reads_info reads_info(const struct world *w, uint16_t router, uint32_t key);
struct reads_info reads_edge_info(const struct world *w, uint8_t zone, uint32_t key);

/* The table and the spots, in the world's block. */
void reads_lay_out(struct world *plan, uint64_t *end);
void reads_feed(struct digest *d, const struct world *w);

void reads_say(const struct world *w, const struct trace_record *r, struct str *out);
void reads_label(const struct world *w, const struct trace_record *r, struct str *out);
void reads_why(const struct world *w, const struct trace_record *r, struct str *out);

#endif
