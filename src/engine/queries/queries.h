/*
 * queries: one query over all shards: scatter, gather, merge; and a popular one computed once.
 *
 * A query has a name and asks each shard that owns slots for its part: the K greatest of the keys
 * with a prefix, or their sum. Clients ask a router (`gather`); it sends a read to each shard
 * (ORIGIN_GATHER, counted and refused like any read), merges the answers by proto/gather.h, and
 * replies when the last one is here. The slowest decides. Against that: a hedge (a follower of the
 * shard is asked the same after a while; the first answer counts), a timeout of each part, a
 * deadline of the whole (what is missing then is said: partial).
 *
 * All sub-keys of a treated count (writes.h) are one entry of a top, under the count's key. The
 * entries are read when an answer is merged, and only for the run that is shown (world_query_last).
 *
 * How long a shard takes for a part is drawn (command `times`): evenly within one span, or, so many
 * of a hundred, within a slow one. Other requests take config.query_us as ever.
 *
 * A query may ask some of the shards only, chosen anew for each run (`query NAME ask N`), as a
 * search does that is content with what they have: its result is whole when each of these is in it,
 * and says nothing of the others.
 *
 * `popular` computes a query once a period, by a job in a zone, and from then on clients are
 * answered from its last result, by their routers, without asking a shard.
 *
 * Bytes: each part's answer has so many (command `query`, bytes); those whose shard is in another
 * zone than who asks are counted as crossing. A provider bills both directions: two cents a GB
 * (10^9 bytes) in all.
 */
#ifndef HOTSHARD_ENGINE_QUERIES_H
#define HOTSHARD_ENGINE_QUERIES_H

#include "base/digest.h"
#include "base/err.h"
#include "base/prng.h"
#include "base/str.h"
#include "engine/command.h"
#include "engine/event.h"
#include "engine/trace.h"
#include "proto/gather.h"

struct world;
struct request;

#define QUERY_TOP_MAX 16   /* entries of a result */
#define QUERY_PARTS_MAX 64 /* shards that a query asks at most */
#define CROSSING_CENTS_A_GB 2

#define QUERY_PARTED_MAX 32
#define QUERY_CHANGES_MAX 128 /* of slot tables, remembered for gathers that saw them before */

struct query_times { /* how long a shard takes for a part; to_us 0: config.query_us */
    int32_t from_us, to_us;
    int32_t slow_from_us, slow_to_us;
    uint32_t slow_ppm;
};

struct queries_state {
    uint32_t count; /* queries that are defined */
    bool used;      /* some command of this module came */
    uint32_t gathers_used, free_gather, pieces_used, free_piece, open;
    uint64_t last_number; /* of gathers */
    struct prng prng;
    /* Changes of slot tables so far; the last QUERY_CHANGES_MAX are kept, but none before
     * `forgotten`. */
    uint32_t position, forgotten;
    /* Slots that move key by key and have lost some: known so far. */
    uint32_t parted_count;
    uint16_t parted[QUERY_PARTED_MAX];
    /* Kept until something changes (queries_slots.c): */
    uint32_t plain_at, owners_version;
    bool plain_known, plain;
    uint32_t counted[QUERY_PARTS_MAX];
    uint64_t owners;
};

/* What came of a query, since it was defined. */
struct query_info {
    char name[24];
    bool sum;                                  /* of the keys; else the top `room` of them */
    uint32_t room, bytes;                      /* entries of a result; of a part's answer */
    int64_t hedge_us, timeout_us, deadline_us; /* 0: none */
    uint32_t asks;                          /* so many shards, chosen anew for each run; 0: all */
    uint32_t rate;                          /* asked a second by clients */
    int64_t period_us;                      /* popular: computed once a period; 0: not */
    uint8_t zone;                           /* popular: where */
    uint64_t asked, whole, partial, failed; /* queries that ended, by how; asked: all */
    uint64_t from_result;                   /* clients answered from the last result of the job */
    int64_t result_age_us;                  /* of that, now; -1: none */
    uint64_t parts;                         /* reads sent to shards, hedges included */
    uint64_t hedges, hedges_first;          /* sent; those whose answer came first */
    uint64_t dropped;                       /* answers that came too late to count */
    uint64_t clashes;            /* answers not merged: a slot of them was in from another epoch */
    uint64_t answers, crossings; /* answers of shards that came; of them, from another zone */
    uint64_t crossed_bytes;
};
uint32_t world_queries(const struct world *w);
bool world_query_find(const struct world *w, struct bytes name, uint32_t *index);
struct query_info world_query(const struct world *w, uint32_t index);
/* The latency that so many thousandths of the queries that clients and commands asked, and that
 * were answered, do not exceed; 0 without any. Resolution 0.1 ms up to 204.8 ms, 1.6 ms up to 1 s.
 */
int64_t world_query_latency(const struct world *w, uint32_t index, uint32_t thousandths);
/* Crossing bytes a second in the last whole second, and what 30 days of that cost, in cents. */
uint64_t world_query_crossing(const struct world *w, uint32_t index);
uint64_t world_query_cents(uint64_t bytes_a_second);

/* The last query of this name that a command asked (or the job, or, without either, a client), for
 * pictures: it may be under way. */
struct query_part_info {
    uint16_t shard;
    uint8_t state; /* enum gather_state */
    bool crossing, hedged, from_follower, clashed, refused;
    int64_t asked_us, hedged_us, heard_us; /* heard: -1 as long as it is not */
    uint64_t sum;
};
struct query_run_info {
    uint64_t number; /* 0: none was asked */
    uint16_t router;
    int64_t asked_us, ended_us; /* ended: -1 under way */
    uint8_t end;                /* enum gather_end */
    uint32_t parts, items;
    uint32_t entries; /* that the answers held, of which the best are the items */
    uint16_t slowest; /* whose answer came last; SHARD_NONE */
    uint64_t sum;
    struct query_part_info part[QUERY_PARTS_MAX];
    struct gather_item item[QUERY_TOP_MAX]; /* key: its number in the world; a count's, of all its
                                               sub-keys */
};
bool world_query_last(const struct world *w, uint32_t index, struct query_run_info *out);
/* How long a shard takes for its part, as far as `times` said so. */
bool queries_times_in(const struct world *w, uint16_t shard, struct query_times *out);

/* A shard (or, of a hedge, its follower) reads its part now: the answer's value, and how long it
 * takes over it. `arrive_us`: when the answer is there without that time. */
int64_t queries_serve(struct world *w, uint16_t shard, uint32_t request, int64_t arrive_us,
                      uint64_t *value);
bool queries_hedged(const struct request *r);
/* Where the follower of a hedge is; of another part, its shard's zone. */
uint8_t queries_zone(const struct world *w, const struct request *r, uint16_t shard);
/* A part has its answer, or failed (router_done). */
void queries_landed(struct world *w, uint32_t request, enum outcome outcome, uint64_t value);
/* An answer for which nobody waits any more. */
void queries_late(struct world *w, const struct event *event);
void queries_crash(struct world *w, uint16_t router);
/* Rows first to last of a shard's table change: what they said. */
void queries_table(struct world *w, uint32_t shard, uint32_t first, uint32_t last);
/* A change was taken back at once: the tables are as they were at that position. */
void queries_untable(struct world *w, uint32_t position);
struct broken_promise;
bool queries_broke(const struct broken_promise *b, struct err *err); /* in words; false */

bool queries_apply(struct world *w, const struct command *c, struct err *err);
void queries_handle(struct world *w, const struct event *event); /* JOB_QUERY */
bool queries_hold(const struct world *w, struct err *err);       /* invariants */
void queries_lay_out(struct world *plan, uint64_t *end);
void queries_feed(struct digest *d, const struct world *w);
/* Where what was ever in use of the two large tables ends (world_copy). */
uint64_t queries_used(const struct world *w, uint64_t *gathers_end);
void queries_say(const struct world *w, const struct trace_record *r, struct str *out);
void queries_label(const struct world *w, const struct trace_record *r, struct str *out);
void queries_why(const struct world *w, const struct trace_record *r, struct str *out);
/* A record of a part that is sent, of one that is answered. */
bool queries_is_question(const struct trace_record *r);
bool queries_is_answer(const struct trace_record *r);

#endif
