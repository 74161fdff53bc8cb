/*
 * state: the inside of a world; for src/engine and its unit tests alone.
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
#include "engine/event.h"
#include "engine/world.h"

#define SHARDS_MAX 1024u
#define ROUTERS_MAX 4096u
#define CEILING_MAX 10000000u /* a second */
#define QUEUE_MAX 1000000u
#define RATE_MAX 1000000u /* a second and flow: one arrival a microsecond */
#define WORLD_TIME_MAX (INT64_C(1) << 56)
#define LANES_MAX 16u
#define LANE_HEAP 0u /* the lane number that means: no lane, the heap */

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
    LEG_COUNT
};

struct key_entry {
    uint64_t acked;        /* likes that clients were told succeeded */
    uint32_t flying;       /* likes in the owner's store, the client not yet told */
    uint32_t stray_flying; /* likes in another shard's store, the client not yet told */
    uint16_t slot;
    uint8_t length;
    char text[KEY_BYTES_MAX];
};

struct store_entry {
    uint64_t value;
    uint32_t key; /* + 1; 0: a free place */
    uint32_t edits;
    uint16_t shard;
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
};

/* Tokens in millionths, so that a ceiling of n a second adds n of them a microsecond, exactly. */
struct bucket {
    int64_t level; /* below 0: requests are queued */
    int64_t level_at_us;
    int64_t last_start_us; /* of the last queued request: first in, first out */
    uint32_t ceiling;
};

struct shard {
    struct bucket bucket[WORK_KINDS];
    uint64_t asked[WORK_KINDS]; /* by clients, at the directory's owner */
    uint64_t served[WORK_KINDS], refused[WORK_KINDS];
    uint64_t moved, retried;
    uint32_t queue;
    uint32_t rows;
    uint32_t keys;
    uint8_t zone;
};

/* A request in flight, or one of COMMAND_REQUEST that is remembered. */
struct request {
    uint64_t number; /* 0: a free place */
    int64_t issued_us, ended_us;
    uint64_t value;
    uint32_t key;
    uint32_t epoch; /* that was sent along */
    uint32_t next;  /* free list, or the remembered one */
    uint16_t router, shard, slot;
    uint8_t zone, op, outcome;
    uint8_t asks, reloads, retries;
    uint8_t asked_by_command : 1, done : 1,
        stray : 1; /* stray: served by one who is not the owner */
};
_Static_assert(sizeof(struct request) == 64, "a request is a cache line");

struct flow {
    struct prng prng;
    int64_t next_us;
    int64_t second_us; /* scattered: the whole second that is being filled */
    uint64_t asked;
    uint32_t key, rate, turn;
    uint32_t interval_us, interval_rest, rest; /* steady: 10^6 / rate, exactly */
    uint32_t part;                             /* scattered: of the second */
    uint32_t carry_ps;                         /* poisson: below a microsecond */
    uint8_t op, arrivals;
};

struct cell { /* an event that waits */
    struct event event;
    uint32_t next; /* in its lane, or the free list */
};

struct event_key {
    uint64_t order;
    int64_t time_us;
};

struct heap_entry {
    struct event_key key;
    uint32_t cell;
};

struct queue {
    uint64_t sequence; /* the next */
    uint32_t pending, free_cell, heap_count;
    uint32_t lanes; /* in use, the heap (0) included */
    bool heap_hole; /* the root was taken, and nothing put there yet */
    struct event_key head[LANES_MAX];
    struct event_key least[LANES_MAX / 4];      /* of each four heads */
    uint32_t first[LANES_MAX], last[LANES_MAX]; /* cells */
    uint8_t class_of[LANES_MAX];
    int32_t delay_of[LANES_MAX];
    uint8_t lane_of[LEG_COUNT][ZONES_MAX][ZONES_MAX];
    int32_t leg_us[LEG_COUNT][ZONES_MAX][ZONES_MAX];
};

enum stop_reason {
    STOP_NONE,
    STOP_EVENTS,
    STOP_REQUESTS,
    STOP_STORE,
    STOP_CLOCK
};

struct world {
    struct world_config config;
    uint64_t bytes;
    int64_t now_us;
    uint64_t handled;
    uint32_t stop; /* enum stop_reason */
    uint32_t shards, keys, flows;
    uint32_t map_version;
    uint32_t changes_from, changes; /* ring */
    uint32_t store_used;
    uint32_t free_request, remembered_from, remembered_to;
    uint32_t in_flight;
    uint64_t last_number;         /* of all requests */
    uint64_t last_command_number; /* of those of COMMAND_REQUEST */
    uint32_t command_requests_open;
    uint64_t trace_next;
    bool rule[RULE_COUNT];
    uint32_t key_places, store_places; /* sizes of the hash tables, powers of two */
    struct queue queue;
    struct {
        uint64_t owners, epochs, changes, routers, shards, rows, requests, keys, key_index, store,
            flows, cells, heap, trace;
    } at;
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
WORLD_PART(cells, struct cell)
WORLD_PART(heap, struct heap_entry)
WORLD_PART(trace, struct trace_record)
#undef WORLD_PART

static inline struct node node_of(enum node_kind kind, uint32_t index)
{
    return (struct node){.kind = (uint16_t)kind, .index = (uint16_t)index};
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

_Static_assert(sizeof(struct trace_record) == 96, "trace_add clears every field by name");

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
