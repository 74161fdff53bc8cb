/*
 * guards_read: what others may see of the guards.
 */
#include "engine/guards/guards_inside.h"

struct guard_load guards_load(const struct world *w, uint16_t shard)
{
    CHECK(shard < w->shards);
    const struct shard *s = shards_in(w) + shard;
    const struct guard_shard *g = guard_shards_in(w) + shard;
    return (struct guard_load){.firsts = s->asked[WORK_WRITE] + s->asked[WORK_READ],
                               .repeats = g->repeats,
                               .turned_writes = g->turned_firsts[WORK_WRITE],
                               .turned_firsts =
                                   g->turned_firsts[WORK_WRITE] + g->turned_firsts[WORK_READ],
                               .turned_repeats = g->turned_repeats};
}

struct guard_load guards_load_all(const struct world *w)
{
    struct guard_load sum = {0};
    for (uint32_t i = 0; i < w->shards; i++) {
        struct guard_load one = guards_load(w, (uint16_t)i);
        sum.firsts += one.firsts;
        sum.repeats += one.repeats;
        sum.turned_writes += one.turned_writes;
        sum.turned_firsts += one.turned_firsts;
        sum.turned_repeats += one.turned_repeats;
    }
    return sum;
}

struct guard_load guards_load_less(struct guard_load later, struct guard_load earlier)
{
    return (struct guard_load){.firsts = later.firsts - earlier.firsts,
                               .repeats = later.repeats - earlier.repeats,
                               .turned_writes = later.turned_writes - earlier.turned_writes,
                               .turned_firsts = later.turned_firsts - earlier.turned_firsts,
                               .turned_repeats = later.turned_repeats - earlier.turned_repeats};
}

static uint32_t permille(uint64_t part, uint64_t whole)
{
    return whole == 0 ? 0 : (uint32_t)((part * 1000 + whole / 2) / whole);
}

uint32_t guards_amplification(struct guard_load load)
{
    return permille(load.firsts + load.repeats, load.firsts);
}

uint32_t guards_pressure(struct guard_load load)
{
    return permille(load.firsts + load.repeats - load.turned_firsts - load.turned_repeats,
                    load.firsts);
}

struct guard_client_info guards_clients(const struct world *w)
{
    const struct guards_state *g = &w->guards;
    return (struct guard_client_info){
        .repeats = g->repeats, .spared = g->spared, .given_up = g->given_up};
}

struct guard_router_info guards_router(const struct world *w, uint16_t router)
{
    CHECK(router < w->config.routers);
    const struct guard_router *own = guard_routers_in(w) + router;
    struct guard_router_info info = {
        .in_hand = own->in_hand, .most_in_hand = own->most_in_hand, .sampled = own->sampled};
    for (uint32_t i = 0; i < TURNED_KINDS; i++) {
        info.turned[i] = own->turned[i];
    }
    return info;
}

uint32_t guards_tenants(const struct world *w)
{
    return w->guards.tenants;
}

struct guard_tenant_info guards_tenant(const struct world *w, uint32_t tenant)
{
    CHECK(tenant < w->guards.tenants);
    const struct tenant *t = tenants_in(w) + tenant;
    struct guard_tenant_info info = {.name = {.at = t->name, .length = t->length},
                                     .rate = t->rate,
                                     .share_percent = t->share,
                                     .turned = t->turned};
    for (uint32_t router = 0; router < w->config.routers; router++) {
        info.in_hand += tenant_spots_in(w)[router * w->config.tenants_max + tenant].in_hand;
    }
    return info;
}

bool guards_find_tenant(const struct world *w, struct bytes name, uint32_t *tenant)
{
    for (uint32_t i = 0; i < w->guards.tenants; i++) {
        const struct tenant *t = tenants_in(w) + i;
        if (bytes_equal(name, (struct bytes){.at = t->name, .length = t->length})) {
            *tenant = i;
            return true;
        }
    }
    return false;
}

uint32_t guards_key_limit(const struct world *w, uint32_t key)
{
    CHECK(key < w->keys);
    uint8_t limit = keys_in(w)[key].limit;
    return limit == 0 ? 0 : limits_in(w)[limit - 1].rate;
}

struct bucket_info guards_key_bucket(const struct world *w, uint16_t router, uint32_t key)
{
    CHECK(router < w->config.routers && key < w->keys);
    uint8_t limit = keys_in(w)[key].limit;
    if (limit == 0) {
        return (struct bucket_info){0};
    }
    size_t at = (size_t)router * w->config.limits_max + limit - 1;
    return bucket_look(limit_buckets_in(w)[at], w->now_us);
}

struct bucket_info guards_tenant_bucket(const struct world *w, uint16_t router, uint32_t tenant)
{
    CHECK(router < w->config.routers && tenant < w->guards.tenants);
    size_t at = (size_t)router * w->config.tenants_max + tenant;
    return bucket_look(tenant_spots_in(w)[at].bucket, w->now_us);
}

struct breaker_core guards_breaker(const struct world *w, uint16_t router, uint16_t shard)
{
    CHECK(router < w->config.routers && shard < w->shards);
    return breakers_in(w)[(size_t)router * w->config.shards_max + shard];
}

uint32_t guards_in_flight(const struct world *w, uint16_t shard)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < w->requests_used; i++) {
        const struct request *r = requests_in(w) + i;
        count += r->number != 0 && !r->ended && r->shard == shard;
    }
    return count;
}

struct sketch_info guards_sketch(const struct world *w, uint16_t router)
{
    CHECK(router < w->config.routers);
    const struct sketch_cell *cells = watches_in(w) + watch_at(w, router);
    struct sketch_info info = {.cells = w->config.watch_max,
                               .bytes = w->config.watch_max * (uint32_t)sizeof *cells};
    for (uint32_t i = 0; i < info.cells; i++) {
        uint32_t estimate = sketch_estimate(&cells[i]);
        info.used += estimate > 0;
        info.counted += estimate; /* estimates sum up to what was counted */
    }
    info.floor = info.cells > 0 ? sketch_floor(cells, info.cells) : 0;
    return info;
}

struct sketch_cell guards_sketch_cell(const struct world *w, uint16_t router, uint32_t cell)
{
    CHECK(router < w->config.routers && cell < w->config.watch_max);
    return watches_in(w)[watch_at(w, router) + cell];
}

struct sample_info guards_sampling(const struct world *w)
{
    return (struct sample_info){.every = w->guards.sample,
                                .window_us = w->guards.window_us,
                                .from_us = w->guards.window_from_us};
}

uint32_t guards_hot_keys(const struct world *w, struct hot_key_info *out, uint32_t room)
{
    const struct sketch_cell *sum = watches_in(w) + watch_at(w, w->config.routers);
    uint32_t count = 0;
    for (; count < w->config.watch_max && count < room; count++) {
        const struct sketch_cell *cell = &sum[count];
        if (sketch_estimate(cell) == 0) {
            break;
        }
        out[count] = (struct hot_key_info){.key = cell->key,
                                           .shard = owners_in(w)[keys_in(w)[cell->key].slot],
                                           .writes = cell->writes,
                                           .reads = cell->reads,
                                           .error = cell->error};
    }
    return count;
}

const struct hot_report *guards_report(const struct world *w)
{
    return &w->guards.report;
}
