/*
 * guards_inside: the tables of the guards, and what their files share.
 */
#ifndef HOTSHARD_ENGINE_GUARDS_INSIDE_H
#define HOTSHARD_ENGINE_GUARDS_INSIDE_H

#include "engine/steps.h"

struct limit { /* limits_max of them */
    uint32_t key;
    uint32_t rate; /* over all routers; 0: a free row */
};

struct tenant { /* tenants_max of them */
    uint64_t turned;
    uint32_t rate;  /* over all routers; 0: no limit */
    uint8_t share;  /* percent of what a router may have in hand; 0: no bound */
    uint8_t length; /* 0: a free row */
    char name[KEY_BYTES_MAX];
};

struct tenant_spot { /* of each tenant at each router */
    struct bucket bucket;
    uint32_t in_hand;
};

struct guard_router {
    uint64_t turned[TURNED_KINDS];
    uint64_t sampled;
    uint32_t in_hand, most_in_hand;
    uint32_t block_at, block_pick; /* of each `sample` requests, the one that is sampled */
};

struct guard_shard {
    uint64_t asked_before[WORK_KINDS]; /* when the window began */
    uint64_t repeats, turned_firsts[WORK_KINDS], turned_repeats;
    uint32_t sampled[WORK_KINDS]; /* in this window */
};

WORLD_PART(limits, struct limit)
WORLD_PART(limit_buckets, struct bucket) /* limits_max of them a router */
WORLD_PART(tenants, struct tenant)
WORLD_PART(tenant_spots, struct tenant_spot) /* tenants_max of them a router */
WORLD_PART(breakers, struct breaker_core)    /* shards_max of them a router */
WORLD_PART(guard_routers, struct guard_router)
WORLD_PART(guard_shards, struct guard_shard)
/* watch_max cells a router; behind them the last window's sum, and as many to merge with. */
WORLD_PART(watches, struct sketch_cell)

static inline struct bucket *limit_bucket_of(struct world *w, uint16_t router, uint32_t limit)
{
    return limit_buckets_of(w) + (size_t)router * w->config.limits_max + limit;
}

static inline struct tenant_spot *tenant_spot_of(struct world *w, uint16_t router, uint32_t tenant)
{
    return tenant_spots_of(w) + (size_t)router * w->config.tenants_max + tenant;
}

static inline struct breaker_core *breaker_of(struct world *w, uint16_t router, uint16_t shard)
{
    return breakers_of(w) + (size_t)router * w->config.shards_max + shard;
}

/* A router's cells; router = config.routers: the sum of the last window. */
static inline uint64_t watch_at(const struct world *w, uint32_t router)
{
    return (uint64_t)router * w->config.watch_max;
}

/* Of a rate over all routers, what this one may spend: the first ones take the rest. */
static inline uint32_t rate_at_router(const struct world *w, uint32_t rate, uint16_t router)
{
    return rate / w->config.routers + (router < rate % w->config.routers);
}

/* Whether a client's ask for this key is an ask of its shard: else its router may answer it, or
 * ask another number of shards. */
static inline bool guards_untreated(const struct world *w, const struct request *r)
{
    const struct key_entry *key = keys_in(w) + r->key;
    return (op_reads((enum op_kind)r->op) ? key->reads | key->writes
                                          : key->writes | key->account) == 0;
}

/* Counts that a router turned a request away; its client is not told yet. */
void guards_count_turned(struct world *w, const struct request *r, enum turned why);
/* Which of the parts of guards_admit are on. */
void guards_refresh(struct world *w);
/* The limits: false when the request was answered 429. */
bool guards_within_limits(struct world *w, uint32_t request);
void guards_set_buckets(struct world *w, uint16_t router); /* full, at the rates in force */
/* The bound on what a router has in hand: false when the request was answered 503. */
bool guards_has_room(struct world *w, uint32_t request);
void guards_take_in_hand(struct world *w, struct request *r);
void guards_sample_one(struct world *w, const struct request *r);
void guards_sample_start(struct world *w); /* a new window begins, empty */
void guards_report_due(struct world *w, const struct event *event);
void guards_ask_again(struct world *w, const struct event *event);

#endif
