/*
 * state: the inside of a world; for src/engine, its unit tests, and the bench of its queue.
 *
 * One block: this struct, then the tables at the offsets in `at`. The tables refer to each other by
 * index. Accessors come in pairs: part_of(w) to change, part_in(w) to read. Whoever adds a field
 * feeds it in world_digest.c.
 */
#ifndef HOTSHARD_ENGINE_STATE_H
#define HOTSHARD_ENGINE_STATE_H

#include "base/check.h"
#include "base/num.h"
#include "base/prng.h"
#include "engine/accounts/accounts.h"
#include "engine/bucket.h"
#include "engine/copies/copies.h"
#include "engine/event.h"
#include "engine/faults/faults.h"
#include "engine/fleet/fleet.h"
#include "engine/guards/guards.h"
#include "engine/indexes/indexes.h"
#include "engine/moves/moves.h"
#include "engine/nodes/nodes.h"
#include "engine/promise.h"
#include "engine/queries/queries.h"
#include "engine/quorums/quorums.h"
#include "engine/reads/reads.h"
#include "engine/scatter.h"
#include "engine/shifts/shifts.h"
#include "engine/systems/systems.h"
#include "engine/txns/txns.h"
#include "engine/watch/watch.h"
#include "engine/world.h"
#include "engine/writes/writes.h"

#define SHARDS_MAX 1024u
#define ROUTERS_MAX 4096u
#define CEILING_MAX 10000000u /* a second */
#define QUEUE_MAX 1000000u
#define RATE_MAX 1000000u /* a second and flow: one arrival a microsecond */
#define WORLD_TIME_MAX (INT64_C(1) << 56)
#define LANES_MAX 16u
#define LANE_HEAP 15u /* where a heap stands among lanes */
#define CELL_END 0u   /* what follows the last cell of a lane: its event never happens */

enum kind_of_work {
    WORK_WRITE,
    WORK_READ,
    WORK_KINDS
};

static inline enum kind_of_work work_of(uint8_t op)
{
    return op == OP_READ ? WORK_READ : WORK_WRITE;
}

/* Legs of a request's way: which class acts at the end, and whether the query's time is in it. */
enum leg {
    LEG_ASK,
    LEG_QUERY,
    LEG_ANSWER, /* nothing was served: at once */
    LEG_SERVED, /* after the query */
    LEG_REPLY,
    LEG_FETCH,
    LEG_MAP,
    LEG_STORE,  /* to the nearest shard of the table `liked` */
    LEG_STORED, /* after its write */
    LEG_COUNT
};

struct key_entry {
    uint64_t acked;        /* likes that clients were told succeeded */
    uint64_t told;         /* the most that a plain read has returned */
    uint32_t flying;       /* likes in the owner's store, the client not yet told */
    uint32_t stray_flying; /* likes in another shard's store, the client not yet told */
    uint32_t unknown;      /* likes in a store whose clients were told that they failed */
    uint16_t slot;
    uint8_t length;
    uint8_t reads;   /* its row in the table of reads.h, + 1; 0: nothing special */
    uint8_t writes;  /* its row in the table of writes.h, + 1; sub-keys have that of their count */
    uint8_t tenant;  /* + 1; 0: nobody in particular */
    uint8_t limit;   /* its row in the table of limits, + 1; 0: none */
    uint8_t account; /* its row in the table of accounts.h, + 1 */
    uint8_t index;   /* its index's row, + 1; 0: it has none */
    char text[KEY_BYTES_MAX];
};

struct store_entry {
    uint64_t value;
    uint32_t key;      /* + 1; 0: a free place */
    uint32_t edits;    /* of the key: the version that is held */
    uint32_t sequence; /* of the last flush taken */
    uint16_t shard;
    bool gone;  /* handed over to another shard, deleted after a move, or not here yet */
    bool fresh; /* in a copy that is on its way: written again since the snapshot */
};

struct change { /* of the plan: one run of slots that had one owner and epoch */
    uint32_t version;
    uint32_t old_epoch, new_epoch;
    uint16_t first, last;
    uint16_t old_owner, new_owner;
};

struct router {
    uint64_t requests, redirects, retries;
    uint32_t map_version;
    uint8_t zone;
    bool deaf;
    bool fetching; /* a fetch that no request waits for is under way */
    bool no_map;   /* and came to a directory that was down */
    bool down;
    uint32_t life;    /* how often it started: what was before a crash is of another life */
    uint32_t fetches; /* that no request waits for, so far: the one under way is the last */
};

struct shard {
    struct bucket bucket[WORK_KINDS];
    uint64_t asked[WORK_KINDS]; /* by clients, at the directory's owner */
    uint64_t served[WORK_KINDS], refused[WORK_KINDS];
    uint64_t moved, retried;
    uint32_t queue;
    uint32_t rows;
    uint32_t keys;
    uint32_t took[2];   /* map versions in which it was given slots: the last, the one before; 0 */
    uint64_t key_reads; /* keys read, several by one request counted each */
    uint64_t position;  /* of the last entry in its log */
    uint32_t disk;      /* bytes a second; 0: copies cost nothing */
    uint32_t extra;     /* thousandths that a request takes more, by the copies under way */
    uint32_t applies;   /* entries of a tail a second; 0: as they come */
    uint8_t zone;
    uint8_t copies; /* that answer reads: 1, or more with replica reads */
    uint8_t copy_turn;
    bool down;
};

/* Who wants a request answered, and so who is told when it is. */
enum origin {
    ORIGIN_CLIENT,
    ORIGIN_FETCH,   /* a cache or a coalesced query; next: the first that waits */
    ORIGIN_EDGE,    /* a fetch for a zone's edge; likewise */
    ORIGIN_COPY,    /* an edit of a value or one of its copies; link: the client's edit */
    ORIGIN_PART,    /* one shard's part of a read over several; link: the whole */
    ORIGIN_FLUSH,   /* a router's sum, or its claim of a sub-key; link: the sequence */
    ORIGIN_ACCOUNT, /* a block of tokens, a look at a balance, a step of a sweep (accounts.h) */
    ORIGIN_INDEX,   /* the index entry that a write brings with it */
    ORIGIN_DUAL,    /* one half of a dual write */
    ORIGIN_JOB,     /* a rebuild; link: the job's own business */
    ORIGIN_GATHER,  /* one shard's part of a query over all (queries.h) */
    ORIGIN_TXN,     /* a message of a transaction to a participant (txns.h) */
    ORIGIN_ENTRY    /* a row or an index entry of a catalog (indexes.h) */
};

/* A request in flight, or one of COMMAND_REQUEST that is remembered.
 *
 * Each time somebody begins to wait on its behalf (a shard's answer, the map, a back-off, a row
 * stored) its turn goes up; messages and timers carry the turn in which they were sent, and what
 * belongs to an earlier turn is too late and ignored. A request's place is free again when it has
 * ended and nothing under way refers to it. */
struct request {
    uint64_t number; /* 0: a free place */
    int64_t issued_us;
    uint64_t value; /* the answer; before it: what a write carries, or what a read must reach */
    uint32_t key;
    uint32_t operation; /* stays the same when a client sends it again as a new request */
    uint32_t epoch;     /* that was sent along */
    uint32_t next;      /* free list, the remembered one, or who waits beside it */
    uint32_t link;      /* see enum origin; the parts still out; who waits for the same fetch */
    uint32_t took_us;
    uint16_t router, shard, slot;
    uint8_t zone, op;
    uint8_t outcome : 4;
    uint8_t turn : 4; /* at most 15: ATTEMPTS_MAX asks, and one wait between each two */
    uint8_t asks : 4, attempt : 4; /* attempt: how often its client has asked before */
    uint8_t reloads : 4, retries : 4;
    uint8_t origin : 4, timeouts : 4; /* enum origin; asks that nobody answered in time */
    uint8_t flying; /* what refers to it: messages and timers under way, places in a list */
    uint8_t which;  /* coalesced query: its number in the flight */
    bool asked_by_command : 1, done : 1, /* done: ended and remembered */
        ended : 1,                       /* nobody waits for it any more */
        stray : 1,                       /* its like went to one who is not the owner */
        held : 1,                        /* its like is in a store, the client not yet told */
        counted : 1,                     /* among what the owner is asked */
        asking : 1,                      /* the next shard was named by ASK */
        many : 1;                        /* reads several keys of its slot, as all of a count */
    bool applied : 1,                    /* its write is in some store */
        spare : 1,                       /* for the module that takes care of it */
        here : 1,                        /* its router holds it */
        in_hand : 1,                     /* and counts it as such (guards.h) */
        strong : 1,                      /* a plain read: `value` is what it must reach */
        storing : 1,                     /* waits until its row is in `liked` (writes.h) */
        buffered : 1,                    /* its router has summed it */
        no_map : 1;                      /* waits for the map of a directory that is down */
};
_Static_assert(sizeof(struct request) == 64, "a request is a cache line");
_Static_assert(ORIGIN_ENTRY < 16, "an origin fits into four bits");
_Static_assert(ATTEMPTS_MAX * 2 <= 16, "a turn fits into four bits");

struct flow {
    struct prng prng;
    int64_t next_us;
    int64_t part_us; /* scattered: where the part of a second begins that is being filled */
    uint64_t asked;
    uint32_t key, rate, turn;
    uint32_t keys, offset; /* how many keys from there on, and which comes next */
    uint32_t interval_us, interval_rest, rest; /* steady: 10^6 / rate, exactly */
    struct scatter scatter;                    /* scattered: of the part */
    uint32_t phase_us;                         /* scattered: when it was set, in its second */
    uint32_t length_us;                        /* scattered: of the part, which these tell */
    uint32_t carry_ps;                         /* poisson: below a microsecond */
    uint8_t op, arrivals;
};

struct event_key {
    uint64_t order;
    int64_t time_us;
};

struct heap_entry {
    struct event_key key;
    uint32_t cell;
};

/* See queue.h. */
struct queue {
    uint64_t sequence; /* of the next event that is scheduled */
    uint64_t next;     /* the least head: who happens next */
    uint32_t lanes;    /* in use, the heap included */
    uint32_t pending;
    uint32_t heap_count;
    uint32_t free_cell;  /* CELL_END: none of those that were taken at some time, */
    uint32_t cells_used; /* the first so many */
    uint8_t next_kind;   /* of who happens next: enum event_kind */
    bool heap_hole;      /* the root was taken, and nothing put there yet */
    uint64_t head[LANES_MAX];
    uint64_t least[LANES_MAX / 4];              /* of each four heads */
    uint32_t first[LANES_MAX], last[LANES_MAX]; /* cells; the heap's first is its root's */
    uint64_t order_of[LANES_MAX];           /* class and number, as its events' order has them */
    uint8_t timer_place[CLASS_TRAFFIC + 1]; /* of the heap's head, by the class of its root */
    uint8_t lane_of[LEG_COUNT][ZONES_MAX][ZONES_MAX];
    int32_t leg_us[LEG_COUNT][ZONES_MAX][ZONES_MAX];
};

enum stop_reason {
    STOP_NONE,
    STOP_EVENTS,
    STOP_REQUESTS,
    STOP_STORE,
    STOP_ROWS,
    STOP_NODES,
    STOP_CLOCK
};

struct world {
    struct world_config config;
    uint64_t bytes;
    int64_t now_us;
    uint64_t handled;
    uint32_t stop; /* enum stop_reason */
    uint32_t shards, keys, flows;
    uint32_t tags;   /* slots given so far, where each tag has its own */
    uint32_t inside; /* keys met so far whose tag is only a part of them; counted there too */
    uint32_t map_version;
    uint32_t changes_from, changes; /* ring */
    uint32_t store_used;
    uint32_t requests_used; /* the first so many were taken at some time; see world_copy */
    uint32_t free_request, remembered_from, remembered_to;
    uint32_t in_flight;
    uint64_t last_number;         /* of all requests */
    uint64_t last_command_number; /* of those of COMMAND_REQUEST */
    uint32_t command_requests_open;
    uint64_t trace_next;
    uint64_t rules;                    /* in force, a bit each */
    uint32_t key_places, store_places; /* sizes of the hash tables, powers of two */
    struct queue queue;
    struct {
        uint64_t owners, epochs, changes, routers, shards, rows, requests, keys, key_index, store,
            flows, waiting, next_cell, heap, trace;
        uint64_t hot_reads, read_spots;    /* reads.h */
        uint64_t hot_writes, write_spots;  /* writes.h */
        uint64_t accounts, account_spots;  /* accounts.h */
        uint64_t limits, tenants, watches; /* guards.h */
        uint64_t limit_buckets, tenant_spots, breakers, guard_routers, guard_shards;
        uint64_t moves, tail;                                                   /* moves.h */
        uint64_t shifts;                                                        /* shifts.h */
        uint64_t query_rows, query_times, table_changes, gathers, query_pieces; /* queries.h */
        uint64_t txns, txn_rows;                                                /* txns.h */
        uint64_t catalogs, catalog_rows, catalog_terms, index_ops;              /* indexes.h */
        uint64_t nodes, node_messages;                                          /* nodes.h */
        uint64_t groups;                                                        /* copies.h */
        uint64_t stores;                                                        /* quorums.h */
        uint64_t beats;                                                         /* watch.h */
        uint64_t fleet, fleet_shards;                                           /* fleet.h */
        uint64_t systems, system_tags, system_unread;                           /* systems.h */
        uint64_t system_pool;                                                   /* its rows */
        uint64_t recent;                                                        /* faults.h */
    } at;
    struct reads_state reads;
    struct writes_state writes;
    struct accounts_state accounts;
    struct guards_state guards;
    struct moves_state moves;
    struct shifts_state shifts;
    struct queries_state queries;
    struct txns_state txns;
    struct indexes_state indexes;
    struct nodes_state nodes;
    struct copies_state copies;
    struct quorums_state quorums;
    struct watch_state watch;
    struct fleet_state fleet;
    struct systems_state systems;
    struct faults_state faults;
    struct broken_promise broken;
};

#define WORLD_PART(part, type)                                                                     \
    static inline type *part##_of(struct world *w)                                                 \
    {                                                                                              \
        return (type *)(void *)((unsigned char *)w + w->at.part);                                  \
    }                                                                                              \
    static inline const type *part##_in(const struct world *w)                                     \
    {                                                                                              \
        return (const type *)(const void *)((const unsigned char *)w + w->at.part);                \
    }

WORLD_PART(owners, uint16_t)
WORLD_PART(epochs, uint32_t)
WORLD_PART(changes, struct change)
WORLD_PART(routers, struct router)
WORLD_PART(shards, struct shard)
WORLD_PART(rows, struct slot_row) /* rows_max of them a shard */
WORLD_PART(requests, struct request)
WORLD_PART(keys, struct key_entry)
WORLD_PART(key_index, uint32_t)
WORLD_PART(store, struct store_entry)
WORLD_PART(flows, struct flow)
WORLD_PART(waiting, struct event) /* a cell is a place here, */
WORLD_PART(next_cell, uint32_t)   /* and here: the next in its lane, or of the free ones */
WORLD_PART(heap, struct heap_entry)
WORLD_PART(trace, struct trace_record) /* and each module's own, in its ..._inside.h */

static inline struct node node_of(enum node_kind kind, uint32_t index)
{
    return (struct node){.kind = (uint16_t)kind, .index = (uint16_t)index};
}

/* Where the next table of the block begins; moves *end behind it. */
static inline uint64_t table_at(uint64_t *end, uint64_t count, size_t size)
{
    uint64_t at = (*end + 63) / 64 * 64;
    *end = at + count * size;
    return at;
}

/* The zone of a shard or router: configured for the first sixteen, then in turn. */
static inline uint8_t zone_in_turn(const uint8_t first[16], uint32_t index, uint16_t zones)
{
    if (index < 16) {
        return first[index];
    }
    return (uint8_t)(index % zones);
}

/* The first reason stays. */
static inline void world_stop(struct world *w, enum stop_reason why)
{
    if (w->stop == STOP_NONE) {
        w->stop = why;
    }
}

_Static_assert(sizeof(struct trace_record) == 104, "trace_add clears every field by name");

/* The next record of the trace: numbered, of now, all else zero; the caller fills it in place.
 * (Building it elsewhere and copying it costs more than all the rest of a request. Cleared whole,
 * gcc would do it with a string instruction, which costs a seventh of a request.) */
static inline struct trace_record *trace_add(struct world *w, enum trace_kind kind)
{
    struct trace_record *at = trace_of(w) + (w->trace_next & (w->config.trace_max - 1));
    at->time_us = w->now_us;
    at->arrive_us = w->now_us;
    at->sequence = w->trace_next++;
    at->request = 0;
    at->key = 0;
    at->slot = 0;
    at->epoch = 0;
    at->version = 0;
    at->from = node_of(NODE_NONE, 0);
    at->to = node_of(NODE_NONE, 0);
    at->kind = (uint8_t)kind;
    at->op = 0;
    at->outcome = 0;
    at->reason = 0;
    at->target = 0;
    at->rejected = 0;
    at->operand[0] = 0;
    at->operand[1] = 0;
    at->operand[2] = 0;
    at->value = 0;
    at->took_us = 0;
    at->own = false;
    return at;
}

/* The same about a request. */
static inline struct trace_record *trace_add_request(struct world *w, enum trace_kind kind,
                                                     const struct request *r)
{
    struct trace_record *at = trace_add(w, kind);
    at->request = r->number;
    at->key = r->key;
    at->slot = r->slot;
    at->op = r->op;
    return at;
}

#endif
