/*
 * fleet_gossip: routers tell each other which map they have.
 */
#include "engine/fleet/fleet_inside.h"

#include "engine/apply.h"
#include "engine/queue.h"
#include "engine/steps.h"

static void next_turn(struct world *w, uint32_t router, int64_t in_us)
{
    struct event *event = queue_at(w, w->now_us + in_us, EVENT_JOB);
    event->request = router;
    event->detail = JOB_FLEET;
    event->node = TIMER_GOSSIP;
    event->carries.value = w->fleet.rounds;
}

bool fleet_apply_gossip(struct world *w, const struct command *c, struct err *err)
{
    int64_t period = c->mode == FLEET_OFF ? 0 : c->period_us;
    if (c->mode != FLEET_OFF && (period < GOSSIP_MIN_US || period > GOSSIP_MAX_US)) {
        return err_set(err, "routers gossip once in 1 to %lld ms",
                       (long long)(GOSSIP_MAX_US / US_PER_MS));
    }
    if (c->router >= w->config.routers) {
        return err_set(err, "no router R%u: this world has R0 to R%u", c->router,
                       w->config.routers - 1u);
    }
    if (period > 0 && !apply_event_room(w, w->config.routers, err)) {
        return false;
    }
    if (w->fleet.rounds == 0) {
        w->fleet.prng = prng_seeded(w->config.seed, "gossip");
    }
    w->fleet.count = 1;
    w->fleet.gossip_us = period;
    w->fleet.seed = c->router;
    w->fleet.told = 0;
    w->fleet.news = 0;
    w->fleet.began_us = -1;
    w->fleet.known_us = -1;
    w->fleet.rounds++; /* the turns of before are over */
    apply_note(w, c, KEY_NONE_ID, node_of(NODE_NONE, 0), period, c->router);
    for (uint32_t i = 0; i < w->config.routers && period > 0; i++) {
        next_turn(w, i, (int64_t)prng_below(&w->fleet.prng, (uint64_t)period));
    }
    return true;
}

/* Whether the trace tells of gossip: somebody has not the newest map yet. */
static bool worth_telling(const struct world *w)
{
    for (uint32_t i = 0; i < w->config.routers; i++) {
        if (routers_in(w)[i].map_version != w->map_version) {
            return true;
        }
    }
    return false;
}

static void tell(struct world *w, uint16_t from, uint16_t to, enum map_news how)
{
    uint32_t version = routers_in(w)[from].map_version;
    struct event *event =
        queue_send(w, LEG_MAP, routers_in(w)[from].zone, routers_in(w)[to].zone, EVENT_MAP);
    event->request = NO_INDEX;
    event->detail = (uint8_t)how;
    event->node = to;
    event->carries.moved.epoch = version;
    event->carries.moved.target = from;
    int64_t arrive_us = event->time_us;
    w->fleet.told++;
    if (worth_telling(w)) {
        struct trace_record *t =
            fleet_note(w, node_of(NODE_ROUTER, from),
                       how == MAP_TOLD ? REASON_FLEET_TELLS : REASON_FLEET_ANSWERS);
        t->to = node_of(NODE_ROUTER, to);
        t->arrive_us = arrive_us;
        t->version = version;
        t->operand[0] = version;
    }
}

void fleet_gossip(struct world *w, const struct event *event)
{
    uint16_t router = (uint16_t)event->request;
    if (event->carries.value != w->fleet.rounds || w->fleet.gossip_us == 0) {
        return;
    }
    next_turn(w, router, w->fleet.gossip_us);
    if (w->config.routers < 2) {
        return;
    }
    uint16_t other = (uint16_t)prng_below(&w->fleet.prng, w->config.routers - 1u);
    other = (uint16_t)(other + (other >= router));
    if (!routers_in(w)[router].down) {
        tell(w, router, other, MAP_TOLD);
    }
}

void fleet_heard(struct world *w, const struct event *event)
{
    uint16_t router = event->node;
    uint16_t from = (uint16_t)event->carries.moved.target;
    uint32_t version = event->carries.moved.epoch;
    struct router *own = routers_of(w) + router;
    uint32_t before = own->map_version;
    if (version > before) {
        struct trace_record *t = fleet_note(w, node_of(NODE_ROUTER, router),
                                            own->deaf ? REASON_FLEET_DEAF : REASON_FLEET_LEARNS);
        t->version = version;
        t->target = from;
        t->operand[0] = version;
        t->operand[1] = before;
        if (!own->deaf) {
            own->map_version = version;
            w->fleet.news++;
        }
    }
    struct fleet_router *f = fleet_of(w) + router;
    f->highest = own->map_version > f->highest ? own->map_version : f->highest;
    if (version < before && event_detail(event) == MAP_TOLD) {
        tell(w, router, from, MAP_ANSWERED);
    }
}

/* --- how far the newest map has come --- */

void fleet_map_made(struct world *w)
{
    struct fleet_state *s = &w->fleet;
    s->began_us = w->now_us;
    s->known_us = -1;
    s->round = 0;
    s->knowing[0] = 0;
}

void fleet_map_came(struct world *w)
{
    struct fleet_state *s = &w->fleet;
    if (s->began_us < 0 || s->known_us >= 0) {
        return;
    }
    uint32_t knowing = 0;
    for (uint32_t i = 0; i < w->config.routers; i++) {
        knowing += routers_in(w)[i].map_version == w->map_version;
    }
    int64_t round = (w->now_us - s->began_us) / s->gossip_us;
    uint32_t last = round < GOSSIP_ROUNDS_MAX ? (uint32_t)round : GOSSIP_ROUNDS_MAX - 1;
    while (s->round < last) {
        s->knowing[s->round + 1] = s->knowing[s->round];
        s->round++;
    }
    s->knowing[last] = (uint16_t)knowing;
    if (knowing == w->config.routers) {
        s->known_us = w->now_us;
    }
}
