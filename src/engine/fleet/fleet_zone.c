/*
 * fleet_zone: a zone goes away, and is back.
 */
#include "engine/fleet/fleet_inside.h"

#include "engine/apply.h"
#include "engine/queue.h"

bool fleet_next_zone(const struct world *w, uint8_t zone, uint8_t *next)
{
    for (uint8_t i = 1; i < w->config.zones; i++) {
        uint8_t at = (uint8_t)((zone + i) % w->config.zones);
        if (!zone_down(w, at)) {
            *next = at;
            return true;
        }
    }
    return false;
}

/* --- it goes --- */

static void take_down(struct world *w, struct node node, uint8_t zone, int64_t us)
{
    struct trace_record *t = fleet_note(w, node, REASON_FLEET_GOES);
    t->operand[0] = zone;
    t->operand[1] = us;
    faults_take_down(w, node);
}

static void goes(struct world *w, uint8_t zone, int64_t failover_us)
{
    struct fleet_state *s = &w->fleet;
    bool leads = false;
    s->zones_down |= 1u << zone;
    for (uint16_t i = 0; i < w->config.routers; i++) {
        if (routers_in(w)[i].zone == zone && !routers_in(w)[i].down) {
            fleet_of(w)[i].with_zone = true;
            take_down(w, node_of(NODE_ROUTER, i), zone, 0);
        }
    }
    for (uint16_t i = 0; i < w->shards; i++) {
        if (shards_in(w)[i].zone == zone) {
            leads = true;
            if (!shards_in(w)[i].down) {
                fleet_shards_of(w)[i] = 1;
                take_down(w, node_of(NODE_SHARD, i), zone, failover_us);
            }
        }
    }
    s->failover[zone] = leads ? ++s->failovers : 0;
    if (leads) {
        struct event *event = queue_at(w, w->now_us + failover_us, EVENT_JOB);
        event->request = zone;
        event->detail = JOB_FLEET;
        event->node = TIMER_FAILOVER;
        event->carries.value = s->failover[zone];
    }
}

/* --- leaders elsewhere --- */

static void leads_from(struct world *w, uint16_t shard, uint8_t zone)
{
    struct trace_record *t = fleet_note(w, node_of(NODE_SHARD, shard), REASON_FLEET_LEADS);
    t->operand[0] = zone;
    t->operand[1] = shards_in(w)[shard].zone;
    shards_of(w)[shard].zone = zone;
}

void fleet_failover(struct world *w, const struct event *event)
{
    uint8_t zone = (uint8_t)event->request;
    uint8_t next;
    if (w->fleet.failover[zone] != event->carries.value) {
        return; /* the zone is back */
    }
    w->fleet.failover[zone] = 0;
    if (!fleet_next_zone(w, zone, &next)) {
        return; /* no zone is up: they wait for one */
    }
    for (uint16_t i = 0; i < w->shards; i++) {
        if (shards_in(w)[i].zone == zone && fleet_shards_in(w)[i] != 0) {
            fleet_shards_of(w)[i] = 0;
            leads_from(w, i, next);
            faults_bring_back(w, node_of(NODE_SHARD, i));
        }
    }
}

bool fleet_keeps_down(struct world *w, bool router, uint16_t index)
{
    uint8_t zone = router ? routers_in(w)[index].zone : shards_in(w)[index].zone;
    uint8_t next;
    if (!zone_down(w, zone)) {
        return false;
    }
    if (router) {
        fleet_of(w)[index].with_zone = true;
        return true;
    }
    if (w->fleet.failover[zone] == 0 && fleet_next_zone(w, zone, &next)) {
        leads_from(w, index, next);
        return false;
    }
    fleet_shards_of(w)[index] = 1;
    return true;
}

/* --- it is back --- */

static void bring_back(struct world *w, struct node node, uint8_t zone)
{
    fleet_note(w, node, REASON_FLEET_BACK)->operand[0] = zone;
    faults_bring_back(w, node);
}

static void is_back(struct world *w, uint8_t zone)
{
    w->fleet.zones_down &= ~(1u << zone);
    w->fleet.failover[zone] = 0;
    for (uint16_t i = 0; i < w->config.routers; i++) {
        struct fleet_router *f = fleet_of(w) + i;
        if (f->with_zone && routers_in(w)[i].zone == zone) {
            f->with_zone = false;
            bring_back(w, node_of(NODE_ROUTER, i), zone);
        }
    }
    for (uint16_t i = 0; i < w->shards; i++) {
        uint8_t own = shards_in(w)[i].zone;
        bool waits = fleet_shards_in(w)[i] != 0;
        if (waits && (own == zone || w->fleet.failover[own] == 0)) {
            fleet_shards_of(w)[i] = 0;
            if (own != zone) {
                leads_from(w, i, zone);
            }
            bring_back(w, node_of(NODE_SHARD, i), zone);
        }
    }
}

bool fleet_apply_zone(struct world *w, const struct command *c, struct err *err)
{
    if (c->zone >= w->config.zones) {
        return err_set(err, "no zone %c: this world has a to %c", 'a' + c->zone % 26,
                       'a' + w->config.zones - 1);
    }
    bool up = c->mode == FLEET_ON;
    if (up != zone_down(w, c->zone)) {
        return err_set(err, "zone %c is %s already", 'a' + c->zone, up ? "up" : "down");
    }
    if (!up && (c->period_us < 1 || c->period_us > FAILOVER_MAX_US)) {
        return err_set(err, "a failover takes more than 0 and at most %lld ms",
                       (long long)(FAILOVER_MAX_US / US_PER_MS));
    }
    /* a map for each router, a reply to each request in its hands, and the failover */
    if (!apply_event_room(w, w->in_flight + 2u * w->config.routers + 2, err)) {
        return false;
    }
    w->fleet.count = 1;
    apply_note(w, c, KEY_NONE_ID, node_of(NODE_NONE, 0), c->zone, up ? 0 : c->period_us);
    if (up) {
        is_back(w, c->zone);
    } else {
        goes(w, c->zone, c->period_us);
    }
    return true;
}
