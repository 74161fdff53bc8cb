/*
 * queries_inside: the rows, gathers and pieces of queries.h, and what its files share.
 *
 * A gather is one run of a query. Its parts, and the answers that it has merged, are pieces: two
 * lists in one pool. Messages to a shard are requests of the router's own (ORIGIN_GATHER):
 *
 *   link      the gather's place      took_us   the low bits of its number (places are used again)
 *   which     the query               spare     to a follower: a hedge
 *   next      round << 16 | how many answers were merged when it was asked
 *   epoch     the position of the slot tables' log at which it was answered (queries_slots.c)
 *
 * A timer is a JOB_QUERY with its purpose (enum wake) where other events have a turn; it carries
 * the number of its gather and the round, and a timer of another round has come too late.
 *
 * Who is in which file: queries.c tables and what others see; queries_apply.c commands;
 * queries_run.c asking, hedging, ending; queries_merge.c answers; queries_slots.c which slots an
 * answer counts; queries_clients.c clients and the job; queries_hold.c digest and invariants.
 */
#ifndef HOTSHARD_ENGINE_QUERIES_INSIDE_H
#define HOTSHARD_ENGINE_QUERIES_INSIDE_H

#include "engine/state.h"

#define PIECES_A_GATHER 8u /* on average: five parts, and as many answers of those under way */
#define MERGED_MAX 200u    /* answers in one result */
#define NO_PIECE UINT32_MAX

/* Latencies: tenths of a millisecond up to 204.8 ms, then 1.6 ms, then 32 ms, the last without end.
 */
#define LATENCY_FINE 2048u
#define LATENCY_MIDDLE 512u
#define LATENCY_COARSE 256u
#define LATENCIES (LATENCY_FINE + LATENCY_MIDDLE + LATENCY_COARSE)

enum wake {
    WAKE_ARRIVAL, /* of a client; request: the query, carries its flow's number */
    WAKE_JOB,     /* the period is over; likewise */
    WAKE_HEDGE,   /* request: the gather */
    WAKE_TIMEOUT,
    WAKE_AGAIN,
    WAKE_DEADLINE
};

enum asker {
    ASKER_CLIENT,
    ASKER_JOB,
    ASKER_COMMAND
};

/* Entries of a top while it is merged. */
struct query_items {
    uint32_t count;
    struct gather_item item[QUERY_TOP_MAX];
};

struct query_row {
    struct query_info info; /* info.name: empty: a free row */
    uint8_t prefix_length;
    char prefix[KEY_BYTES_MAX];
    uint32_t key;   /* the first that it is about: its requests' key */
    uint32_t since; /* numbers of gathers before are of a query that was here before */
    struct flow flow;
    uint32_t flow_number, job_number; /* of events that are not out of date */
    uint32_t job_gather;              /* under way, NO_INDEX */
    int64_t result_us;                /* of the last result; -1: none */
    int64_t second;                   /* of crossing_now; crossing_last: of the one before */
    uint64_t crossing_now, crossing_last;
    uint32_t shown;      /* the gather in `last`, NO_INDEX */
    uint8_t shown_asker; /* enum asker */
    struct query_run_info last;
    /* What its entries are made of: those of plain keys, and of treated counts, whose parts are on
     * several shards and are added up, however small one of them is. */
    struct query_items plain, counts;
    uint64_t answered;
    int64_t longest_us;
    uint32_t latency[LATENCIES];
};

struct gather_row {
    uint64_t number; /* 0: a free place */
    int64_t begun_us;
    int64_t deadline_us;         /* as it was then, like the policy; 0: none */
    struct gather_policy policy; /* a timeout of 0: none */
    uint64_t sum;
    struct gather_core core;
    uint64_t chosen; /* shards: it asks these, and counts shards where others count slots; 0: all */
    uint32_t from;   /* position of the slot tables' log when it began */
    uint32_t next;   /* free list */
    uint32_t part, merged; /* pieces */
    uint32_t last_merged;
    uint16_t router, slowest;
    uint8_t merged_count;
    uint8_t query, asker;
    bool gave_up; /* some part was given up */
    bool waits;   /* for its next round */
};

struct gather_piece {
    struct gather_part part; /* merged: the round of the question */
    union {
        uint32_t request;  /* under way to the leader, NO_INDEX */
        uint32_t position; /* merged: of the log */
    };
    uint32_t hedge; /* request under way to a follower, NO_INDEX */
    uint32_t next;
    uint16_t shard;
    uint8_t before; /* merged: answers that were in when it was asked */
    uint8_t unused;
};

/* One row of a slot table that changed, as it was before. */
struct table_change {
    int64_t at_us;
    uint32_t epoch;
    uint16_t shard, first, last;
    uint8_t state; /* enum slot_state */
    bool parted;   /* it was leaving, and some of its keys had gone */
};

WORLD_PART(query_rows, struct query_row)
WORLD_PART(table_changes, struct table_change)
WORLD_PART(gathers, struct gather_row)
WORLD_PART(query_pieces, struct gather_piece)

/* Why, in the records of this module. Operand 0 is the query's number + the gather's << 8 in all
 * of them. Numbers of slots are negative where they are numbers of shards, of a run that asks
 * chosen ones. The other two: */
enum query_reason {
    QUERY_ASKED = REASON_QUERIES_FIRST, /* client -> router: who (enum asker), shards chosen, 0 */
    QUERY_PART,                         /* router -> shard: round, shards chosen, 0 */
    QUERY_HEDGED,                       /* router -> shard's follower: after us, its zone */
    QUERY_REPLIED,                      /* shard -> router: us, slots counted; value: the sum */
    QUERY_FOLLOWER,                     /* the same, of a follower */
    QUERY_MERGED,                       /* router: slots in, slots */
    QUERY_CLASHED,                      /* router merges nothing: slot, its epoch in the result;
                                           epoch: in the answer */
    QUERY_DROPPED,                      /* router: round of the question, round */
    QUERY_GAVE_UP,                      /* router: after us, round */
    QUERY_PART_FAILED,                  /* router: outcome */
    QUERY_AGAIN,                        /* router: slots missing, waits us */
    QUERY_WHOLE,                        /* router -> client: parts, us */
    QUERY_PARTIAL,                      /* the same: slots in, slots */
    QUERY_SILENT,                       /* the same, and it does not say so */
    QUERY_FAILED,                       /* router -> client: nothing came */
    QUERY_ROUTER_DIED,                  /* client: its router is down */
    QUERY_NO_ROOM,                      /* router -> client: gathers under way */
    QUERY_FROM_RESULT,                  /* router -> client: age in us */
    QUERY_RESULT,                       /* job: us, whole */
    QUERY_MAP,                          /* router fetches the map: slots missing */
    QUERY_REASONS
};
_Static_assert((int)QUERY_REASONS <= (int)REASON_QUERIES_LAST + 1, "reasons have their range");

static inline struct bytes query_prefix(const struct query_row *q)
{
    return (struct bytes){.at = q->prefix, .length = q->prefix_length};
}

/* Whether a query is about a key. */
bool query_wants(const struct world *w, const struct query_row *q, uint32_t key);

/* Whether a shard's answer is among the merged ones. */
bool gather_merged(const struct world *w, const struct gather_row *g, uint16_t shard);
/* How many shards are among the chosen. */
uint32_t gather_chosen(const struct gather_row *g);
/* A number of slots of a gather, as records say it. */
int64_t gather_said(const struct gather_row *g, uint32_t slots);

/* The gather that a request of its parts belongs to; NO_INDEX: it is over. */
uint32_t gather_of(const struct world *w, const struct request *r);
uint32_t piece_of_shard(const struct world *w, const struct gather_row *g, uint16_t shard);
/* NO_PIECE: there is none left. */
uint32_t piece_new(struct world *w);
struct trace_record *query_note(struct world *w, enum query_reason reason, uint32_t query,
                                uint64_t number);

/* --- queries_run.c --- */
void gather_start(struct world *w, uint32_t query, uint16_t router, enum asker asker);
/* What follows from what is in: the end, the next round, or nothing. */
void gather_go_on(struct world *w, uint32_t gather, bool time_is_up);
/* It ends with nothing. */
void gather_fail(struct world *w, uint32_t gather, enum query_reason reason);
struct query_part_info *gather_shows(struct world *w, uint32_t gather, uint16_t shard);
bool gather_is_shown(const struct world *w, uint32_t gather);
/* The zone of the follower that a router in a zone asks. */
uint8_t query_follower_zone(const struct world *w, uint16_t shard, uint8_t zone);
void query_wake(struct world *w, enum wake wake, uint32_t index, uint64_t number, int64_t at_us);
void queries_client(struct world *w, uint32_t query);
void queries_job(struct world *w, uint32_t query);
void query_answered(struct world *w, uint32_t query, int64_t took_us);
/* A client is answered from the job's result, if there is one. */
bool query_from_result(struct world *w, uint32_t query, uint16_t router);
struct query_times *queries_times(struct world *w); /* one a shard */

/* --- queries_slots.c --- */
struct slot_run {
    bool counted;
    uint32_t epoch, last;
};
/* Whether a shard counted a slot at a position of the log, at which epoch, and up to which slot
 * that is the same. */
struct slot_run slots_counted(const struct world *w, uint16_t shard, uint32_t slot,
                              uint32_t position);
/* Whether a slot is in a result by its first so many answers. */
struct slot_run slots_in(const struct world *w, const struct gather_row *g, uint32_t slot,
                         uint32_t answers);
/* What an answer to a question of this round, asked when so many answers were in, counts. */
struct slot_run slots_answered(const struct world *w, const struct gather_row *g,
                               const struct gather_piece *answer, uint32_t slot);
/* Whether the log reaches back to when a gather began. */
bool slots_known(const struct world *w, const struct gather_row *g);
/* Whether nothing has changed since, and each slot is counted by one shard at most. */
bool slots_plain(struct world *w, const struct gather_row *g);
uint32_t slots_of_shard(const struct world *w, uint16_t shard); /* with slots_plain() */
/* The position of the log by which a shard answers now. */
uint32_t slots_position(struct world *w, bool follower);
/* The shards that a router's map names as owners of slots; of those alone that a result lacks. */
uint64_t slots_owners(struct world *w, uint16_t router, const struct gather_row *lacks,
                      uint32_t *missing);

#endif
