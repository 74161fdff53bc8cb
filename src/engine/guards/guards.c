/*
 * guards: the tables, what a router looks at when a request arrives, and the breakers.
 */
#include "engine/guards/guards_inside.h"

void guards_lay_out(struct world *plan, uint64_t *end)
{
    const struct world_config *c = &plan->config;
    uint64_t routers = c->routers;
    plan->at.limits = table_at(end, c->limits_max, sizeof(struct limit));
    plan->at.limit_buckets = table_at(end, routers * c->limits_max, sizeof(struct bucket));
    plan->at.tenants = table_at(end, c->tenants_max, sizeof(struct tenant));
    plan->at.tenant_spots = table_at(end, routers * c->tenants_max, sizeof(struct tenant_spot));
    plan->at.breakers = table_at(end, routers * c->shards_max, sizeof(struct breaker_core));
    plan->at.guard_routers = table_at(end, routers, sizeof(struct guard_router));
    plan->at.guard_shards = table_at(end, c->shards_max, sizeof(struct guard_shard));
    plan->at.watches = table_at(end, (routers + 2) * c->watch_max, sizeof(struct sketch_cell));
}

void guards_refresh(struct world *w)
{
    struct guards_state *g = &w->guards;
    g->admission = g->limits > 0 || g->shed > 0 || g->sample > 0;
}

void guards_count_turned(struct world *w, const struct request *r, enum turned why)
{
    const struct key_entry *key = keys_in(w) + r->key;
    struct guard_shard *owner = guard_shards_of(w) + owners_in(w)[r->slot];
    guard_routers_of(w)[r->router].turned[why]++;
    if (key->tenant != 0) {
        tenants_of(w)[key->tenant - 1].turned++;
    }
    if (r->origin != ORIGIN_CLIENT || !r->counted || !guards_untreated(w, r)) {
        return;
    }
    if (r->attempt > 0) {
        owner->turned_repeats++;
    } else {
        owner->turned_firsts[work_of(r->op)]++;
    }
}

bool guards_admit(struct world *w, uint32_t request)
{
    const struct guards_state *g = &w->guards;
    struct request *r = requests_of(w) + request;
    if (g->sample > 0) {
        guards_sample_one(w, r);
    }
    /* A full router must not take a token for what it then turns away. */
    if (g->shed > 0 && !guards_has_room(w, request)) {
        return false;
    }
    if (g->limits > 0 && !guards_within_limits(w, request)) {
        return false;
    }
    if (g->shed > 0) {
        guards_take_in_hand(w, r);
    }
    return true;
}

static struct trace_record *note_breaker(struct world *w, uint16_t router, uint16_t shard,
                                         enum guard_reason reason)
{
    struct trace_record *t = trace_add(w, TRACE_GUARD);
    t->key = KEY_NONE_ID;
    t->from = node_of(NODE_ROUTER, router);
    t->reason = (uint16_t)reason;
    t->target = shard;
    t->operand[2] = w->guards.breaker.open_us;
    return t;
}

bool guards_may_ask(struct world *w, uint32_t request, uint16_t shard)
{
    struct request *r = requests_of(w) + request;
    struct breaker_core *b = breaker_of(w, r->router, shard);
    switch (breaker_ask(b, &w->guards.breaker, w->now_us)) {
    case BREAKER_PASS:
        return true;
    case BREAKER_PROBE:
        note_breaker(w, r->router, shard, REASON_BREAKER_PROBES);
        return true;
    case BREAKER_REFUSE:
        break;
    }
    guards_count_turned(w, r, TURNED_BREAKER);
    r->shard = shard;
    router_done(w, request, OUTCOME_SHED, 0, (enum reason)REASON_BREAKER);
    return false;
}

void guards_answered(struct world *w, uint16_t router, uint16_t shard, enum outcome outcome)
{
    struct breaker_core *b = breaker_of(w, router, shard);
    bool failed = outcome == OUTCOME_REFUSED || outcome == OUTCOME_FAILED;
    switch (breaker_answered(b, &w->guards.breaker, w->now_us, failed)) {
    case BREAKER_STAYS:
        return;
    case BREAKER_OPENS: {
        struct trace_record *t = note_breaker(w, router, shard, REASON_BREAKER_OPENS);
        t->operand[0] = b->failures;
        t->operand[1] = b->answers;
        return;
    }
    case BREAKER_CLOSES:
        note_breaker(w, router, shard, REASON_BREAKER_CLOSES);
        return;
    }
}

void guards_handle(struct world *w, const struct event *event)
{
    if (event->kind == EVENT_AGAIN) {
        guards_ask_again(w, event);
    } else {
        guards_report_due(w, event);
    }
}

/* Nobody is let go one by one: the counts go with the router's memory. */
static void drop_hand(struct world *w, uint16_t router)
{
    for (uint32_t i = 0; i < w->requests_used; i++) {
        struct request *r = requests_of(w) + i;
        if (r->number != 0 && r->router == router) {
            r->in_hand = 0;
        }
    }
    guard_routers_of(w)[router].in_hand = 0;
    for (uint32_t i = 0; i < w->config.tenants_max; i++) {
        tenant_spot_of(w, router, i)->in_hand = 0;
    }
}

void guards_crash(struct world *w, uint16_t router)
{
    guards_set_buckets(w, router);
    drop_hand(w, router);
    sketch_clear(watches_of(w) + watch_at(w, router), w->config.watch_max);
    for (uint32_t shard = 0; shard < w->config.shards_max; shard++) {
        *breaker_of(w, router, (uint16_t)shard) = (struct breaker_core){0};
    }
}
