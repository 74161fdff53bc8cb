/*
 * sim_world: small worlds, each different.
 *
 * Small on purpose: with few slots, keys and nodes everything meets everything else often.
 */
#include "sim.h"

#include <stdlib.h>
#include <string.h>

static uint32_t between(struct prng *p, uint32_t low, uint32_t high)
{
    return low + (uint32_t)prng_below(p, high - low + 1u);
}

/* SIM_SKIP=writes,shift: these are never done, to look at a fault without them. */
static uint64_t acts_to_skip(void)
{
    const char *skip = getenv("SIM_SKIP");
    uint64_t acts = 0;
    for (uint32_t i = 0; skip != NULL && sim_act_name(i) != NULL; i++) {
        const char *at = strstr(skip, sim_act_name(i));
        acts |= at != NULL ? UINT64_C(1) << i : 0;
    }
    return acts;
}

static void draw_zones(struct prng *p, struct world_config *c)
{
    c->zones = (uint16_t)between(p, 1, 3);
    for (uint32_t i = 0; i < 16; i++) {
        c->shard_zone[i] = (uint8_t)prng_below(p, c->zones);
        c->router_zone[i] = (uint8_t)prng_below(p, c->zones);
    }
    c->directory_zone = (uint8_t)prng_below(p, c->zones);
    for (uint32_t from = 0; from < c->zones; from++) {
        for (uint32_t to = 0; to < c->zones; to++) {
            c->delay_us[from][to] = (int32_t)between(p, 0, 4) * 250;
        }
    }
}

static void draw_times(struct prng *p, struct world_config *c, bool lossy)
{
    c->query_us = (int32_t)between(p, 0, 5) * 1000;
    c->commit_us = (int32_t)between(p, 0, 3) * 1000;
    c->apply_us = (int32_t)between(p, 0, 6) * 3000;
    c->liked_us = (int32_t)between(p, 0, 3) * 1000;
    c->replica_lag_us = (int32_t)between(p, 0, 3) * 10000;
    if (lossy) {
        c->timeout_us = (int32_t)between(p, 1, 4) * 15000;
        c->client_timeout_us = (int32_t)between(p, 1, 5) * 100000;
    }
}

void sim_draw(struct sim *s)
{
    struct prng *p = &s->prng;
    *p = prng_seeded(s->seed, "simulator");
    s->lossy = prng_chance(p, 3, 4);
    s->keys = between(p, 1, SIM_KEYS_MAX);
    s->acts = prng_next(p) | prng_next(p); /* each with three chances in four */
    s->acts &= ~acts_to_skip();
    s->rate = between(p, 0, 2) == 0 ? 50 : 12;
    struct world_config *c = &s->config;
    *c = world_config_default();
    c->seed = s->seed;
    c->start_us = INT64_C(3600) * 1000000;
    c->slots = between(p, 8, 32);
    c->shards = (uint16_t)between(p, 2, 4);
    c->shards_max = 5;
    c->routers = (uint16_t)between(p, 2, 4);
    draw_zones(p, c);
    draw_times(p, c, s->lossy);
    c->queue = between(p, 0, 6);
    c->keys_max = 128;
    c->flows_max = 12;
    c->requests_max = 512;
    c->events_max = 2048;
    c->store_max = 256;
    c->rows_max = 40;
    c->changes_max = between(p, 0, 5) == 0 ? CHANGES_FEW : 256;
    c->trace_max = 64;
    c->hot_max = 6;
    c->limits_max = 4;
    c->tenants_max = 2;
    c->watch_max = 4;
    c->moves_max = 3;
    c->tail_max = between(p, 0, 3) == 0 ? between(p, 1, 4) : 128;
    c->accounts_max = 2;
    c->recent_max = 120;
    sim_extras_draw(s);
}
