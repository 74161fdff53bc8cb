/*
 * router: the ROUTE loop (see world.h).
 *
 * One refinement: when MOVED tells of an epoch that the cached map knows by now (news or another
 * request's fetch came in between), the router looks up again without fetching.
 */
#include "engine/directory.h"
#include "engine/queue.h"
#include "engine/steps.h"

static void ask_shard(struct world *w, uint32_t request, uint16_t shard, uint32_t epoch,
                      enum reason reason)
{
    struct request *r = requests_of(w) + request;
    uint8_t from = routers_in(w)[r->router].zone;
    uint8_t to = shards_in(w)[shard].zone;
    r->shard = shard;
    r->epoch = epoch;
    r->asks++;
    uint32_t version = routers_in(w)[r->router].map_version;
    struct trace_record *t = trace_add_request(w, TRACE_ROUTE, r);
    t->arrive_us += w->queue.leg_us[LEG_QUERY][from][to];
    t->epoch = epoch;
    t->version = version;
    t->from = node_of(NODE_ROUTER, r->router);
    t->to = node_of(NODE_SHARD, shard);
    t->reason = (uint8_t)reason;
    t->target = shard;
    t->operand[0] = reason == REASON_MAP_SAYS ? version : shard;
    t->operand[1] = epoch;
    t->operand[2] = r->asks;

    struct event *event = queue_send(w, LEG_QUERY, from, to, EVENT_QUERY);
    event->request = request;
    event->node = shard;
}

static void route(struct world *w, uint32_t request)
{
    const struct request *r = requests_in(w) + request;
    struct plan plan = directory_lookup(w, routers_in(w)[r->router].map_version, r->slot);
    ask_shard(w, request, plan.owner, plan.epoch, REASON_MAP_SAYS);
}

static void reply(struct world *w, uint32_t request, enum outcome outcome, uint64_t value,
                  enum reason reason)
{
    const struct request *r = requests_in(w) + request;
    uint8_t from = routers_in(w)[r->router].zone;
    struct trace_record *t = trace_add_request(w, TRACE_REPLY, r);
    t->arrive_us += w->queue.leg_us[LEG_REPLY][from][r->zone];
    t->from = node_of(NODE_ROUTER, r->router);
    t->to = node_of(NODE_CLIENT, r->zone);
    t->outcome = (uint8_t)outcome;
    t->reason = (uint8_t)reason;
    t->operand[0] = r->asks;
    t->operand[1] = r->shard;
    t->value = value;

    struct event *event = queue_send(w, LEG_REPLY, from, r->zone, EVENT_REPLY);
    event->request = request;
    event->detail = (uint8_t)outcome;
    event->carries.value = value;
}

/* Asks the directory for the map; the record of it, for the caller to say why. */
static struct trace_record *send_fetch(struct world *w, uint16_t router, uint32_t request)
{
    uint8_t from = routers_in(w)[router].zone;
    uint8_t to = w->config.directory_zone;
    struct trace_record *t = trace_add(w, TRACE_FETCH);
    t->arrive_us += w->queue.leg_us[LEG_FETCH][from][to];
    t->key = KEY_NONE_ID;
    t->version = routers_in(w)[router].map_version;
    t->from = node_of(NODE_ROUTER, router);
    t->to = node_of(NODE_DIRECTORY, 0);
    t->operand[0] = t->version;

    struct event *event = queue_send(w, LEG_FETCH, from, to, EVENT_FETCH);
    event->request = request;
    event->node = router;
    return t;
}

void router_fetch(struct world *w, uint16_t router, enum reason reason)
{
    struct router *own = routers_of(w) + router;
    if (!own->fetching) { /* else the answer that is on its way will do */
        own->fetching = true;
        send_fetch(w, router, NO_INDEX)->reason = (uint8_t)reason;
    }
}

static void on_moved(struct world *w, uint32_t request, const struct event *event)
{
    struct request *r = requests_of(w) + request;
    struct router *own = routers_of(w) + r->router;
    uint32_t epoch = event->carries.moved.epoch;
    uint32_t target = event->carries.moved.target;
    own->redirects++;
    if (r->asks >= ATTEMPTS_MAX) {
        reply(w, request, OUTCOME_FAILED, 0, REASON_GAVE_UP);
        return;
    }
    if (target != SHARD_NONE) {
        if (directory_lookup(w, own->map_version, r->slot).epoch >= epoch) {
            route(w, request);
            return;
        }
        if (!w->rule[RULE_RELOAD_ON_MOVED]) {
            ask_shard(w, request, (uint16_t)target, epoch, REASON_MOVED_SAYS);
            return;
        }
    }
    r->reloads++;
    struct trace_record *t = send_fetch(w, r->router, request);
    t->request = r->number;
    t->key = r->key;
    t->slot = r->slot;
    t->op = r->op;
    t->epoch = epoch;
    t->reason = REASON_RELOAD_RULE;
    t->target = (uint16_t)target;
    t->operand[1] = epoch;
}

static void on_retry(struct world *w, uint32_t request)
{
    struct request *r = requests_of(w) + request;
    routers_of(w)[r->router].retries++;
    if (r->asks >= ATTEMPTS_MAX) {
        reply(w, request, OUTCOME_FAILED, 0, REASON_GAVE_UP);
        return;
    }
    int64_t wait = BACKOFF_FIRST_US << r->retries;
    r->retries++;
    struct trace_record *t = trace_add_request(w, TRACE_WAIT, r);
    t->arrive_us += wait;
    t->from = node_of(NODE_ROUTER, r->router);
    t->to = t->from;
    t->reason = REASON_BACK_OFF;
    t->target = r->shard;
    t->operand[0] = wait;
    t->operand[1] = r->retries;

    struct event *event = queue_at(w, w->now_us + wait, EVENT_WAKE);
    event->request = request;
    event->node = r->router;
}

static void on_answer(struct world *w, const struct event *event)
{
    const struct request *r = requests_in(w) + event->request;
    switch ((enum outcome)event->detail) {
    case OUTCOME_OK:
        reply(w, event->request, OUTCOME_OK, event->carries.value, REASON_NONE);
        return;
    case OUTCOME_OK_RELOAD:
        reply(w, event->request, OUTCOME_OK, event->carries.value, REASON_NONE);
        if (directory_lookup(w, routers_in(w)[r->router].map_version, r->slot).epoch <= r->epoch) {
            router_fetch(w, r->router, REASON_OWNED_OLD_MAP);
        }
        return;
    case OUTCOME_REFUSED:
        reply(w, event->request, OUTCOME_REFUSED, 0, REASON_NO_TOKEN);
        return;
    case OUTCOME_MOVED:
        on_moved(w, event->request, event);
        return;
    case OUTCOME_RETRY:
        on_retry(w, event->request);
        return;
    case OUTCOME_NONE:
    case OUTCOME_FAILED:
        break;
    }
    CHECK(false && "a shard gives no such answer");
}

static void on_map(struct world *w, const struct event *event)
{
    struct router *own = routers_of(w) + event->node;
    uint32_t version = event->carries.version;
    own->map_version = version > own->map_version ? version : own->map_version;
    if (event->request != NO_INDEX) {
        route(w, event->request);
    } else if (event->detail == REASON_FETCHED) {
        own->fetching = false;
    }
}

void router_handle(struct world *w, const struct event *event)
{
    if (event->kind == EVENT_MAP) {
        on_map(w, event);
    } else if (event->kind == EVENT_ANSWER) {
        on_answer(w, event);
    } else { /* ASK, WAKE */
        routers_of(w)[event->node].requests += event->kind == EVENT_ASK;
        route(w, event->request);
    }
}
