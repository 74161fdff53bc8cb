/*
 * sim_ops: draws; requests, faults, reads, guards.
 *
 * One draw a statement: the order in which arguments are evaluated is not ours.
 */
#include "sim_ops.h"

#include <stdio.h>

uint32_t any_router(struct sim *s)
{
    return below(s, s->config.routers);
}

uint32_t any_shard(struct sim *s)
{
    return below(s, world_shards(s->world));
}

uint32_t any_key(struct sim *s)
{
    return below(s, s->keys);
}

/* Mostly a slot that some key is in. */
uint32_t any_slot(struct sim *s)
{
    char text[8];
    uint32_t index = 0;
    (void)snprintf(text, sizeof text, "k%u", any_key(s));
    if (below(s, 8) > 0 && world_find_key(s->world, bytes_of(text), &index)) {
        return world_key_slot(s->world, index);
    }
    return below(s, s->config.slots);
}

struct way any_way(struct sim *s)
{
    uint32_t slot = any_slot(s);
    struct way found = {.slot = slot, .to = any_shard(s)};
    uint32_t seen = 0;
    if (below(s, 6) == 0) {
        return found;
    }
    for (uint16_t shard = 0; shard < world_shards(s->world); shard++) {
        for (uint32_t i = 0; i < world_slot_rows(s->world, shard); i++) {
            struct slot_row row = world_slot_row_at(s->world, shard, i);
            bool arrives = row.state == SLOT_RECEIVING || row.state == SLOT_ARRIVING;
            if (arrives && below(s, ++seen) == 0) {
                found = (struct way){.slot = row.first, .to = shard};
            }
        }
    }
    return found;
}

const char *any_op(struct sim *s)
{
    static const char *const ops[] = {"like", "like", "like", "read", "read", "edit"};
    return ops[below(s, sizeof ops / sizeof *ops)];
}

bool act_request(struct sim *s)
{
    const char *op = any_op(s);
    uint32_t key = any_key(s);
    return sim_do(s, "request %s k%u via R%u", op, key, any_router(s));
}

bool act_flow(struct sim *s)
{
    static const char *const arrivals[] = {"steady", "scattered", "poisson"};
    const char *op = any_op(s);
    uint32_t key = any_key(s);
    uint32_t rate = below(s, 4) * s->rate;
    return sim_do(s, "flow %s k%u %u %s", op, key, rate, arrivals[below(s, 3)]);
}

bool act_deaf(struct sim *s)
{
    uint32_t router = any_router(s);
    return sim_do(s, "deaf R%u %s", router, below(s, 2) == 0 ? "on" : "off");
}

bool act_reload(struct sim *s)
{
    return sim_do(s, "reload R%u", any_router(s));
}

bool act_ceiling(struct sim *s)
{
    uint32_t writes = below(s, 3) * 20;
    uint32_t reads = below(s, 3) * 20;
    uint32_t queue = below(s, 5);
    return sim_do(s, "ceiling S%u %u %u %u", any_shard(s), writes, reads, queue);
}

/* Some storms are of one kind alone, at one message in two. */
bool act_network(struct sim *s)
{
    uint32_t longest = 1 + below(s, 40);
    uint32_t kind = below(s, 8);
    if (kind == 0 && s->lossy) {
        return sim_do(s, "network loss 50%%");
    }
    if (kind == 1) {
        return sim_do(s, "network double 50%%");
    }
    if (kind == 2) {
        return sim_do(s, "network delay 50%% %u", longest);
    }
    if (kind < 5) {
        return sim_do(s, "network calm");
    }
    uint32_t loss = s->lossy ? below(s, 4) * 2 : 0;
    uint32_t twice = below(s, 4) * 3;
    return sim_do(s, "network loss %u%% double %u%% delay %u%% %u", loss, twice, 5 + below(s, 20),
                  longest);
}

bool act_crash_router(struct sim *s)
{
    uint32_t router = any_router(s);
    if (below(s, 3) == 0) {
        return sim_do(s, "crash R%u %u", router, 1 + below(s, 300));
    }
    if (below(s, 2) == 0) { /* what it had sent arrives when it is back already */
        sim_do(s, "network delay 40%% %u", 5 + below(s, 30));
    }
    return sim_do(s, "crash R%u %u", router, 1 + below(s, 5));
}

bool act_crash_shard(struct sim *s)
{
    uint32_t shard = any_shard(s);
    return sim_do(s, "crash S%u %u", shard, 1 + below(s, 150));
}

/* All requests of a key pass one router, which shares queries: worth it where there are many. */
static bool coalesce_by_key(struct sim *s, uint32_t key)
{
    sim_do(s, "flow read k%u %u poisson", key, s->rate * 3);
    sim_do(s, "flow like k%u %u poisson", key, s->rate * 3);
    return sim_do(s, "reads k%u coalesced by-key", key);
}

bool act_reads(struct sim *s)
{
    uint32_t key = any_key(s);
    switch (below(s, 10)) {
    case 0:
    case 1:
        return sim_do(s, "reads k%u plain", key);
    case 2:
    case 3: {
        uint32_t fresh = 5 + below(s, 100);
        return sim_do(s, "reads k%u cached %u %u", key, fresh, 120 + below(s, 300));
    }
    case 4:
    case 5:
        return below(s, 3) > 0 ? coalesce_by_key(s, key) : sim_do(s, "reads k%u coalesced", key);
    case 6:
        return sim_do(s, "reads k%u replicas", key);
    case 7:
        return sim_do(s, "reads k%u copies %u", key, 2 + below(s, 3));
    case 8:
        return sim_do(s, "reads k%u edge %u", key, 5 + below(s, 200));
    default:
        return sim_do(s, "reads k%u forget", key);
    }
}

bool act_replicas(struct sim *s)
{
    uint32_t shard = any_shard(s);
    return sim_do(s, "replicas S%u %u", shard, 1 + below(s, 3));
}

bool act_limit(struct sim *s)
{
    uint32_t rate = below(s, 3) * 20;
    if (below(s, 3) == 0) {
        return rate == 0 ? sim_do(s, "limit tenant nova none")
                         : sim_do(s, "limit tenant nova %u", rate);
    }
    uint32_t key = any_key(s);
    return rate == 0 ? sim_do(s, "limit key k%u none", key)
                     : sim_do(s, "limit key k%u %u", key, rate);
}

bool act_tenant(struct sim *s)
{
    return sim_do(s, "tenant nova k%u", any_key(s));
}

bool act_clients(struct sim *s)
{
    switch (below(s, 4)) {
    case 0:
        return sim_do(s, "clients at-once times %u", 1 + below(s, 3));
    case 1: {
        uint32_t first = 1 + below(s, 50);
        return sim_do(s, "clients backoff %u times %u jitter", first, 1 + below(s, 3));
    }
    case 2:
        return sim_do(s, "clients backoff budget %u", 10 + below(s, 90));
    default:
        return sim_do(s, "clients none");
    }
}

bool act_breaker(struct sim *s)
{
    if (below(s, 3) == 0) {
        return sim_do(s, "breaker off");
    }
    uint32_t percent = 10 + below(s, 80);
    uint32_t window = 50 + below(s, 500);
    return sim_do(s, "breaker on %u %u %u", percent, window, 20 + below(s, 300));
}

bool act_shed(struct sim *s)
{
    uint32_t hands = below(s, 10);
    return hands == 0 ? sim_do(s, "shed off") : sim_do(s, "shed %u", hands);
}

bool act_share(struct sim *s)
{
    uint32_t percent = below(s, 4) * 25;
    return percent == 0 ? sim_do(s, "share nova off") : sim_do(s, "share nova %u", percent);
}

bool act_sample(struct sim *s)
{
    uint32_t of = below(s, 4);
    return of == 0 ? sim_do(s, "sample off") : sim_do(s, "sample %u %u", of, 50 + below(s, 500));
}
