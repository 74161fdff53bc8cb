/*
 * system_plan: where everything stands in the picture of the system, and what is asked of whom. See
 * system.c.
 */
#include "view/system_parts.h"

#define ASKS_LEAST 20 /* that a rate is counted from */

struct load system_load(const struct plan *p, uint16_t shard, bool reads)
{
    struct shard_info info = world_shard(p->w, shard);
    struct load out = {.ceiling = reads ? info.read_ceiling : info.write_ceiling};
    if (p->rates != NULL && shard < p->rates->shards) {
        const struct shard_rates *r = &p->rates->shard[shard];
        out.asked = reads ? r->reads : r->writes;
    }
    return out;
}

uint64_t system_percent(struct load load)
{
    return load.ceiling > 0 ? load.asked * FULL / load.ceiling : 0;
}

bool system_is_over(const struct plan *p, uint16_t shard)
{
    return system_percent(system_load(p, shard, false)) > FULL ||
           system_percent(system_load(p, shard, true)) > FULL;
}

uint8_t system_zone_of(const struct plan *p, enum node_kind kind, uint16_t index)
{
    return world_zone(p->w, (struct node){.kind = (uint16_t)kind, .index = index});
}

/* Routers from top to bottom by zone, and in each by number. */
static void place_routers(struct plan *p)
{
    int at = 0, count = p->routers < ITEMS_MAX ? p->routers : ITEMS_MAX;
    for (uint8_t zone = 0; zone < ZONES_MAX; zone++) {
        for (uint16_t i = 0; i < count; i++) {
            if (system_zone_of(p, NODE_ROUTER, i) == zone) {
                p->router_y[i] = p->top + (2 * at + 1) * p->body / (2 * count);
                at++;
            }
        }
    }
}

int64_t system_selected_shard(const struct plan *p, const struct view_state *v)
{
    int64_t last = p->routers + p->shards - 1;
    return v->has_selection ? view_clamp(v->selected, p->routers, last) - p->routers : 0;
}

static void place_shards(struct plan *p, const struct view_state *v)
{
    int count = p->shards < ITEMS_MAX ? p->shards : ITEMS_MAX;
    p->paired = 2 * count <= p->body;
    int rows = p->paired ? 2 : 1;
    int shown = count * rows <= p->body ? count : p->body;
    int64_t first = view_list_first(0, system_selected_shard(p, v), count, shown);
    for (int i = 0; i < count; i++) {
        int64_t at = i - first;
        p->shard_y[i] = -1;
        if (at >= 0 && at < shown) {
            p->shard_y[i] = p->top + (int)((2 * at + 1) * p->body / (2 * shown)) - (rows - 1);
        }
    }
}

static void count_asks(struct plan *p)
{
    uint64_t asks[ZONES_MAX] = {0};
    int64_t from = world_now(p->w);
    for (uint64_t at = trace_first(p->w); at < trace_next(p->w); at++) {
        const struct trace_record *r = trace_get(p->w, at);
        if (r == NULL) {
            continue;
        }
        from = r->time_us < from ? r->time_us : from;
        if (r->kind == TRACE_ASK && r->from.index < ZONES_MAX) {
            asks[r->from.index]++;
        }
    }
    p->window_us = world_now(p->w) - from;
    uint64_t all = 0;
    for (int zone = 0; zone < ZONES_MAX; zone++) {
        all += asks[zone];
    }
    if (p->window_us < 5 * US_PER_MS || all < ASKS_LEAST) { /* too few to speak of a rate */
        p->window_us = 0;
        return;
    }
    for (int zone = 0; zone < ZONES_MAX; zone++) {
        p->zone_rate[zone] = asks[zone] * (uint64_t)US_PER_SECOND / (uint64_t)p->window_us;
        p->total_rate += p->zone_rate[zone];
    }
}

struct plan system_plan(const struct scene *s, const struct view_state *v, int w, int h)
{
    struct plan p = {.w = s->world, .rates = s->rates, .width = w, .height = h};
    p.routers = (uint16_t)world_config_of(s->world)->routers;
    p.shards = (uint16_t)world_shards(s->world);
    p.top = h >= 5 ? 1 : 0;
    p.foot = h >= 9;
    p.directory = h >= 12;
    p.body = h - p.top - (p.foot ? 3 : 0) - (p.directory ? 2 : 0);
    p.body = p.body < 1 ? 1 : p.body;
    p.router_x = w >= WIDER ? 20 : w >= WIDE ? 16 : 10;
    p.trunk_x = p.router_x + (w >= WIDER ? 14 : w >= WIDE ? 10 : 7);
    p.fan_x = p.trunk_x + (w >= WIDER ? 14 : w >= WIDE ? 6 : 2);
    p.shard_x = p.fan_x + (w >= WIDER ? 4 : w >= WIDE ? 3 : 2);
    p.bar_x = p.shard_x + (w >= WIDER ? 6 : 4);
    p.numbers = w >= WIDER ? 16 : 5;
    p.bar = w - p.bar_x - p.numbers;
    p.bar = p.bar < 1 ? 1 : p.bar;
    count_asks(&p);
    place_routers(&p);
    place_shards(&p, v);
    return p;
}
