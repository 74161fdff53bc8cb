/*
 * guards: what keeps a cluster standing when too much is asked of it.
 *
 * At the routers: limits a key and a tenant (429 with Retry-After), shedding, a circuit breaker a
 * shard, a share of the router for each tenant; the sample with its bounded top-K sketch and the
 * report. At the clients: what they do when they are turned away, and how much more that makes
 * them ask. The commands and what exactly they mean: command_guards.c.
 *
 * A world without any of it tests one bool at each place that could ask.
 */
#ifndef HOTSHARD_ENGINE_GUARDS_H
#define HOTSHARD_ENGINE_GUARDS_H

#include "base/digest.h"
#include "base/err.h"
#include "base/prng.h"
#include "base/str.h"
#include "engine/bucket.h"
#include "engine/command.h"
#include "engine/event.h"
#include "engine/trace.h"
#include "proto/breaker.h"
#include "proto/sketch.h"

struct world;
struct request;

#define CLIENT_REPEATS_MAX 7
#define REPORT_ROWS_MAX 16

/* Reasons of ours. In a reply of 429: the bucket's rate, that of all routers, Retry-After in
 * microseconds; target: the tenant. */
enum guard_reason {
    REASON_LIMIT_KEY = REASON_GUARDS_FIRST,
    REASON_LIMIT_TENANT,
    REASON_SHED,          /* reply: in hand, the bound for this kind, the whole bound */
    REASON_SHARE,         /* reply: in hand of the tenant, its bound, percent; target: the tenant */
    REASON_BREAKER,       /* reply: when it opened, for how long; target: the shard */
    REASON_AGAIN,         /* a client asks again */
    REASON_CLIENT_WAITS,  /* before that: microseconds, how often it asked, Retry-After */
    REASON_BREAKER_OPENS, /* failures, answers, for how long; target: the shard */
    REASON_BREAKER_PROBES,
    REASON_BREAKER_CLOSES,
    REASON_HOT_KEY /* writes and reads of the key in the sample, writes of the shard in it; value:
                      reads of it; epoch: error; version: 1 in so many; target: enum hot_kind */
};

/* Who turned a request away, and why. */
enum turned {
    TURNED_LIMIT_KEY,
    TURNED_LIMIT_TENANT,
    TURNED_SHED_READ,
    TURNED_SHED_WRITE,
    TURNED_SHARE,
    TURNED_BREAKER,
    TURNED_KINDS
};

enum hot_kind {
    HOT_WRITES = 1,
    HOT_READS = 2,
    HOT_BOTH = 3
};

/* What clients do when they are refused, limited, shed, or without a reply in time. */
enum client_policy {
    CLIENTS_NONE,    /* nothing */
    CLIENTS_AT_ONCE, /* ask again at once, Retry-After or not */
    CLIENTS_BACKOFF  /* ask again after a while, each time twice as long */
};

/* A key of the report. Keys with the same hash tag go wherever it goes and are counted as one;
 * `key` is one of them. */
struct hot_key {
    uint32_t key;
    uint16_t shard;
    uint8_t kind;                       /* enum hot_kind */
    uint32_t writes, reads;             /* in the sample, at least */
    uint32_t error;                     /* and at most so many more */
    uint32_t shard_writes, shard_reads; /* of the whole shard in the sample */
};

struct hot_report {
    int64_t from_us, to_us; /* the window; to 0: there was none yet */
    uint32_t count;
    uint32_t left_out; /* hot keys beyond REPORT_ROWS_MAX */
    struct hot_key row[REPORT_ROWS_MAX];
};

struct guards_state {
    bool admission; /* some limit, share, shedding or sample is on: routers ask guards_admit */
    bool breakers;  /* on: routers ask guards_may_ask and tell guards_answered */
    bool retries;   /* clients ask again: they tell guards_ended */
    bool jitter;
    uint16_t limits, tenants; /* limited keys and tenants; rows of tenants in use */
    uint32_t shed;            /* requests that a router may have in hand; 0: any number */
    /* the sample */
    uint32_t sample; /* 1 in so many requests; 0: none */
    uint32_t sample_life;
    int64_t window_us;
    int64_t window_from_us;
    struct prng sampling;
    struct hot_report report;
    /* clients */
    uint8_t policy; /* enum client_policy */
    uint8_t times;
    uint16_t budget_percent; /* repeats in a hundred first asks; 0: any number */
    int64_t first_wait_us;
    int64_t budget[ZONES_MAX]; /* hundredths of a repeat that a zone's clients have left */
    uint64_t repeats, spared, given_up;
    struct prng waiting;
    /* breakers */
    struct breaker_setting breaker;
};

bool guards_apply(struct world *w, const struct command *c, struct err *err);

/* A client's request has reached its router. False: it was turned away, its client is told. */
bool guards_admit(struct world *w, uint32_t request);
/* The router has this request in hand no longer; for those with request.in_hand. */
void guards_let_go(struct world *w, struct request *r);
/* A router is about to ask a shard. False: its breaker is open, the request has been answered. */
bool guards_may_ask(struct world *w, uint32_t request, uint16_t shard);
void guards_answered(struct world *w, uint16_t router, uint16_t shard, enum outcome outcome);
/* A client has its reply; `retry_after_us` is what a 429 says. True: it will ask again, with a new
 * request, and this one is over. */
bool guards_ended(struct world *w, uint32_t request, enum outcome outcome, uint64_t retry_after_us);
/* EVENT_AGAIN, and the report job. */
void guards_handle(struct world *w, const struct event *event);
void guards_crash(struct world *w, uint16_t router); /* sketch, buckets, breakers: as new */

void guards_lay_out(struct world *plan, uint64_t *end);
void guards_feed(struct digest *d, const struct world *w);

void guards_say(const struct world *w, const struct trace_record *r, struct str *out);
void guards_label(const struct world *w, const struct trace_record *r, struct str *out);
void guards_why(const struct world *w, const struct trace_record *r, struct str *out);

/* --- for views and lessons (guards_read.c) --- */

/* What clients ask of a shard, counted from the world's start: subtract two moments. `firsts` is
 * the rate's count (rates.h); repeats are those of the same operation. Of both, some are turned
 * away at the routers. */
struct guard_load {
    uint64_t firsts, repeats;
    uint64_t turned_firsts, turned_repeats;
    uint64_t turned_writes; /* of the first asks turned away: likes and edits, not reads */
};
struct guard_load guards_load(const struct world *w, uint16_t shard);
struct guard_load guards_load_all(const struct world *w); /* of all shards together */
struct guard_load guards_load_less(struct guard_load later, struct guard_load earlier);
/* In thousandths of the first asks, 0 without any: all asks of the clients; and what of them was
 * not turned away before the shard. */
uint32_t guards_amplification(struct guard_load load);
uint32_t guards_pressure(struct guard_load load);

struct guard_client_info {
    uint64_t repeats;  /* sent */
    uint64_t spared;   /* not sent since the budget was spent */
    uint64_t given_up; /* not sent since it was the last try */
};
struct guard_client_info guards_clients(const struct world *w);

struct guard_router_info {
    uint32_t in_hand, most_in_hand; /* counted while shedding is on */
    uint64_t turned[TURNED_KINDS];
    uint64_t sampled;
};
struct guard_router_info guards_router(const struct world *w, uint16_t router);

struct guard_tenant_info {
    struct bytes name;
    uint32_t rate;          /* its limit over all routers; 0: none */
    uint32_t share_percent; /* 0: no bound */
    uint32_t in_hand;       /* at all routers */
    uint64_t turned;
};
uint32_t guards_tenants(const struct world *w);
struct guard_tenant_info guards_tenant(const struct world *w, uint32_t tenant);
bool guards_find_tenant(const struct world *w, struct bytes name, uint32_t *tenant);
uint32_t guards_key_limit(const struct world *w, uint32_t key); /* 0: none */

/* The token buckets of a key's limit and of a tenant's, at one router; rate 0: no limit. */
struct bucket_info guards_key_bucket(const struct world *w, uint16_t router, uint32_t key);
struct bucket_info guards_tenant_bucket(const struct world *w, uint16_t router, uint32_t tenant);

struct breaker_core guards_breaker(const struct world *w, uint16_t router, uint16_t shard);

/* Requests that were last sent to this shard and whose clients still wait. Looks through the whole
 * pool. */
uint32_t guards_in_flight(const struct world *w, uint16_t shard);

/* A router's sketch of the present window: its memory is bounded, and so is its error. */
struct sketch_info {
    uint32_t cells, bytes;
    uint32_t used;
    uint32_t counted; /* requests */
    uint32_t floor;   /* a key without a cell was sampled at most so often */
};
struct sketch_info guards_sketch(const struct world *w, uint16_t router);
struct sketch_cell guards_sketch_cell(const struct world *w, uint16_t router, uint32_t cell);

/* The sample that is being taken; `every` 0: none is. */
struct sample_info {
    uint32_t every; /* 1 in so many requests */
    int64_t window_us, from_us;
};
struct sample_info guards_sampling(const struct world *w);

/* The most sampled keys of the last whole window, all routers together, most first: at most `room`
 * of them. Returns how many. */
struct hot_key_info {
    uint32_t key;
    uint16_t shard; /* by the directory */
    uint32_t writes, reads, error;
};
uint32_t guards_hot_keys(const struct world *w, struct hot_key_info *out, uint32_t room);
const struct hot_report *guards_report(const struct world *w); /* of the last whole window */

#endif
