/*
 * fleet: what a router can serve; what can be seen of the fleet, and what is promised of it.
 */
#include "engine/fleet/fleet_inside.h"

#include "engine/apply.h"
#include "engine/steps.h"

void fleet_lay_out(struct world *plan, uint64_t *end)
{
    plan->at.fleet = table_at(end, plan->config.routers, sizeof(struct fleet_router));
    plan->at.fleet_shards = table_at(end, plan->config.shards_max, 1);
}

struct trace_record *fleet_note(struct world *w, struct node from, enum fleet_reason reason)
{
    struct trace_record *t = trace_add(w, TRACE_FLEET);
    t->key = KEY_NONE_ID;
    t->version = w->map_version;
    t->from = from;
    t->reason = (uint16_t)reason;
    return t;
}

/* --- capacity --- */

/* A second of the clock begins for its counts. */
static void roll(struct fleet_router *f, int64_t now_us)
{
    int64_t second = now_us / US_PER_SECOND;
    if (second == f->second) {
        return;
    }
    bool next = second == f->second + 1;
    f->last_asked = next ? f->now_asked : 0;
    f->last_refused = next ? f->now_refused : 0;
    f->now_asked = 0;
    f->now_refused = 0;
    f->second = second;
}

bool fleet_refuses(struct world *w, uint32_t request)
{
    const struct request *r = requests_in(w) + request;
    struct fleet_router *f = fleet_of(w) + r->router;
    roll(f, w->now_us);
    f->now_asked++;
    if (bucket_take(&f->bucket, w->now_us, 0) == 0) {
        f->taken++;
        return false;
    }
    f->refused++;
    f->now_refused++;
    struct trace_record *t =
        router_reply(w, request, OUTCOME_SHED, 0, (enum reason)REASON_FLEET_FULL);
    t->operand[2] = w->fleet.capacity;
    return true;
}

static bool apply_capacity(struct world *w, const struct command *c, struct err *err)
{
    if (c->rate > FLEET_CAPACITY_MAX) {
        return err_set(err, "a router serves 0 (no end) to %u requests a second",
                       FLEET_CAPACITY_MAX);
    }
    for (uint32_t i = 0; i < w->config.routers; i++) {
        struct fleet_router *f = fleet_of(w) + i;
        f->taken = 0;
        f->refused = 0;
        f->now_asked = 0;
        f->now_refused = 0;
        f->last_asked = 0;
        f->last_refused = 0;
        f->second = w->now_us / US_PER_SECOND;
        bucket_set(&f->bucket, w->now_us, c->rate);
    }
    w->fleet.count = 1;
    w->fleet.capacity = c->rate;
    apply_note(w, c, KEY_NONE_ID, node_of(NODE_NONE, 0), c->rate, 0);
    return true;
}

bool fleet_apply(struct world *w, const struct command *c, struct err *err)
{
    if (c->kind == COMMAND_CAPACITY) {
        return apply_capacity(w, c, err);
    }
    CHECK(c->kind == COMMAND_GOSSIP || c->kind == COMMAND_ZONE);
    return c->kind == COMMAND_GOSSIP ? fleet_apply_gossip(w, c, err) : fleet_apply_zone(w, c, err);
}

void fleet_handle(struct world *w, const struct event *event)
{
    if (event->node == TIMER_GOSSIP) {
        fleet_gossip(w, event);
    } else {
        fleet_failover(w, event);
    }
}

/* --- which router --- */

uint16_t fleet_router(const struct world *w, uint16_t turn)
{
    for (uint32_t i = 0; i < w->config.routers && w->fleet.zones_down != 0; i++) {
        uint16_t at = (uint16_t)((turn + i) % w->config.routers);
        if (!routers_in(w)[at].down) {
            return at;
        }
    }
    return turn;
}

uint16_t fleet_router_drawn(const struct world *w, uint64_t draw)
{
    uint32_t up = 0;
    for (uint32_t i = 0; i < w->config.routers; i++) {
        up += !routers_in(w)[i].down;
    }
    uint64_t left = up > 0 ? draw % up : 0;
    for (uint16_t i = 0; i < w->config.routers && up > 0; i++) {
        if (!routers_in(w)[i].down && left-- == 0) {
            return i;
        }
    }
    return (uint16_t)(draw % w->config.routers);
}

/* --- reading --- */

static void read_spread(const struct world *w, struct fleet_info *info)
{
    const struct fleet_state *s = &w->fleet;
    info->spread_us = -1;
    if (s->gossip_us == 0 || s->began_us < 0) {
        return;
    }
    info->spread_us = (s->known_us >= 0 ? s->known_us : w->now_us) - s->began_us;
    int64_t rounds = info->spread_us / s->gossip_us + (s->known_us >= 0);
    info->rounds = rounds < GOSSIP_ROUNDS_MAX ? (uint32_t)rounds : GOSSIP_ROUNDS_MAX;
    for (uint32_t i = 0; i < info->rounds; i++) {
        info->by_round[i] = s->knowing[i < s->round ? i : s->round];
    }
}

struct fleet_info world_fleet(const struct world *w)
{
    struct fleet_info info = {
        .capacity = w->fleet.capacity,
        .gossip_us = w->fleet.gossip_us,
        .newest = w->map_version,
        .routers = w->config.routers,
        .told = w->fleet.told,
        .news = w->fleet.news,
        .zones_down = w->fleet.zones_down,
    };
    for (uint32_t i = 0; i < w->config.routers; i++) {
        info.knowing += routers_in(w)[i].map_version == w->map_version;
        info.up += !routers_in(w)[i].down;
        info.refused += fleet_in(w)[i].refused;
    }
    read_spread(w, &info);
    return info;
}

struct fleet_router_info world_fleet_router(const struct world *w, uint16_t router)
{
    CHECK(router < w->config.routers);
    struct fleet_router f = fleet_in(w)[router];
    roll(&f, w->now_us);
    return (struct fleet_router_info){
        .taken = f.taken,
        .refused = f.refused,
        .rate = f.last_asked,
        .refused_rate = f.last_refused,
        .with_zone = f.with_zone,
    };
}

/* --- invariants --- */

static bool router_holds(const struct world *w, uint16_t i, struct err *err)
{
    const struct router *router = routers_in(w) + i;
    const struct fleet_router *f = fleet_in(w) + i;
    if (router->map_version < f->highest) {
        return err_set(err, "gossip-forward: R%u has map v%u and had v%u before", i,
                       router->map_version, f->highest);
    }
    if (zone_down(w, router->zone) ? !router->down : f->with_zone) {
        return err_set(err, "zone-down: R%u is %s, and its zone %c is %s", i,
                       router->down ? "down" : "up", 'a' + router->zone,
                       zone_down(w, router->zone) ? "down" : "up");
    }
    return true;
}

bool fleet_hold(const struct world *w, struct err *err)
{
    for (uint16_t i = 0; i < w->config.routers; i++) {
        if (!router_holds(w, i, err)) {
            return false;
        }
    }
    for (uint16_t i = 0; i < w->shards; i++) {
        const struct shard *s = shards_in(w) + i;
        if (zone_down(w, s->zone) ? !s->down : fleet_shards_in(w)[i] != 0) {
            return err_set(err, "zone-down: S%u is %s, and the zone %c that leads it is %s", i,
                           s->down ? "down" : "up", 'a' + s->zone,
                           zone_down(w, s->zone) ? "down" : "up");
        }
    }
    return true;
}

/* --- identity --- */

void fleet_feed(struct digest *d, const struct world *w)
{
    const struct fleet_state *s = &w->fleet;
    if (s->count == 0) {
        return;
    }
    DIGEST_FEED(d, s->count, s->capacity, (uint64_t)s->gossip_us, s->rounds, s->seed, s->zones_down,
                s->failovers, s->told, s->news, s->prng.s[0], s->prng.s[1], s->prng.s[2],
                s->prng.s[3]);
    for (uint32_t i = 0; i < ZONES_MAX; i++) {
        digest_u64(d, s->failover[i]);
    }
    DIGEST_FEED(d, (uint64_t)s->began_us, (uint64_t)s->known_us, s->round);
    for (uint32_t i = 0; s->gossip_us > 0 && i <= s->round; i++) {
        digest_u64(d, s->knowing[i]);
    }
    for (uint32_t i = 0; i < w->config.routers; i++) {
        const struct fleet_router *f = fleet_in(w) + i;
        DIGEST_FEED(d, (uint64_t)f->bucket.level, (uint64_t)f->bucket.level_at_us,
                    f->bucket.ceiling, f->taken, f->refused, (uint64_t)f->second, f->now_asked,
                    f->now_refused, f->last_asked, f->last_refused, f->highest, f->with_zone);
    }
    for (uint32_t i = 0; i < w->shards; i++) {
        digest_u64(d, fleet_shards_in(w)[i]);
    }
}
