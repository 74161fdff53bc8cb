/*
 * traffic: clients. Where requests come from, and where their replies go.
 *
 * Steady arrivals are exact: the n-th comes floor((phase + n 10^6) / rate) microseconds after the
 * start, so every second holds the rate exactly; phases differ by flow (steps of the golden
 * section), so that flows of one rate do not fire together. Scattered: each whole second of the
 * clock is cut into `rate` equal parts, and one request comes at a random instant of each. Poisson:
 * exponential gaps in picoseconds. The requests of one flow go to the routers in turn; their client
 * sits in the router's zone.
 */
#include "engine/queue.h"
#include "engine/steps.h"

#define PS_PER_US INT64_C(1000000)
#define PS_PER_SECOND INT64_C(1000000000000)
#define GOLDEN_SECTION_US UINT64_C(618034)

bool client_can_ask(const struct world *w)
{
    return w->free_request != NO_INDEX || w->remembered_from != NO_INDEX;
}

/* A place in the pool; the request that ended first is forgotten for it when none is free. */
static uint32_t take_request(struct world *w)
{
    struct request *requests = requests_of(w);
    uint32_t index = w->free_request;
    if (index != NO_INDEX) {
        w->free_request = requests[index].next;
        return index;
    }
    index = w->remembered_from;
    if (index == NO_INDEX) {
        world_stop(w, STOP_REQUESTS);
        return NO_INDEX;
    }
    w->remembered_from = requests[index].next;
    return index;
}

struct request *client_ask(struct world *w, enum op_kind op, uint32_t key, uint16_t router,
                           uint8_t zone, enum reason reason)
{
    uint32_t index = take_request(w);
    if (index == NO_INDEX) {
        return NULL;
    }
    struct request *r = requests_of(w) + index;
    *r = (struct request){0};
    r->key = key;
    r->router = router;
    r->zone = zone;
    r->op = (uint8_t)op;
    r->number = ++w->last_number;
    r->issued_us = w->now_us;
    r->slot = keys_in(w)[r->key].slot;
    r->shard = SHARD_NONE;
    w->in_flight++;
    shards_of(w)[owners_in(w)[r->slot]].asked[work_of(r->op)]++;

    uint8_t to = routers_in(w)[r->router].zone;
    struct trace_record *t = trace_add_request(w, TRACE_ASK, r);
    t->arrive_us += w->queue.leg_us[LEG_ASK][r->zone][to];
    t->from = node_of(NODE_CLIENT, r->zone);
    t->to = node_of(NODE_ROUTER, r->router);
    t->reason = (uint8_t)reason;

    struct event *event = queue_send(w, LEG_ASK, r->zone, to, EVENT_ASK);
    event->request = index;
    event->node = r->router;
    return r;
}

void client_handle(struct world *w, const struct event *event)
{
    struct request *r = requests_of(w) + event->request;
    if (r->op == OP_LIKE && event->detail == OUTCOME_OK) {
        struct key_entry *key = keys_of(w) + r->key;
        *(r->stray ? &key->stray_flying : &key->flying) -= 1;
        key->acked++;
    }
    w->in_flight--;
    if (!r->asked_by_command) {
        r->number = 0;
        r->next = w->free_request;
        w->free_request = event->request;
        return;
    }
    r->done = 1;
    r->outcome = event->detail;
    r->value = event->carries.value;
    r->ended_us = w->now_us;
    r->next = NO_INDEX;
    if (w->remembered_from == NO_INDEX) {
        w->remembered_from = event->request;
    } else {
        requests_of(w)[w->remembered_to].next = event->request;
    }
    w->remembered_to = event->request;
    w->command_requests_open--;
}

static void next_steady(struct flow *f)
{
    f->next_us += f->interval_us;
    f->rest += f->interval_rest;
    if (f->rest >= f->rate) {
        f->rest -= f->rate;
        f->next_us++;
    }
}

/* Where part `part` of a second begins. */
static int64_t part_begin(const struct flow *f, uint32_t part)
{
    return (int64_t)part * US_PER_SECOND / f->rate;
}

static void next_scattered(struct flow *f)
{
    int64_t begin = part_begin(f, f->part);
    int64_t width = part_begin(f, f->part + 1) - begin;
    f->next_us = f->second_us + begin + (int64_t)prng_below(&f->prng, (uint64_t)width);
    if (++f->part == f->rate) {
        f->part = 0;
        f->second_us += US_PER_SECOND;
    }
}

static void next_poisson(struct flow *f)
{
    int64_t ps = f->carry_ps + prng_exponential(&f->prng, PS_PER_SECOND / f->rate);
    f->next_us += ps / PS_PER_US;
    f->carry_ps = (uint32_t)(ps % PS_PER_US);
}

static void next_arrival(struct flow *f)
{
    switch ((enum arrivals)f->arrivals) {
    case ARRIVALS_STEADY:
        next_steady(f);
        return;
    case ARRIVALS_SCATTERED:
        next_scattered(f);
        return;
    case ARRIVALS_POISSON:
        next_poisson(f);
        return;
    }
    CHECK(false && "arrivals of no kind");
}

static void schedule(struct world *w, uint32_t flow)
{
    queue_at(w, flows_in(w)[flow].next_us, EVENT_ARRIVAL)->request = flow;
}

void traffic_set(struct world *w, uint32_t flow, uint32_t rate, enum arrivals arrivals)
{
    struct flow *f = flows_of(w) + flow;
    if (f->rate > 0) {
        queue_drop_arrivals(w, flow);
    }
    f->rate = rate;
    f->arrivals = (uint8_t)arrivals;
    if (rate == 0) {
        return;
    }
    f->next_us = w->now_us;
    f->carry_ps = 0;
    if (arrivals == ARRIVALS_STEADY) {
        uint64_t phase = flow * GOLDEN_SECTION_US % (uint64_t)US_PER_SECOND;
        f->interval_us = (uint32_t)US_PER_SECOND / rate;
        f->interval_rest = (uint32_t)US_PER_SECOND % rate;
        f->next_us += (int64_t)(phase / rate);
        f->rest = (uint32_t)(phase % rate);
    } else if (arrivals == ARRIVALS_SCATTERED) {
        f->second_us = w->now_us - w->now_us % US_PER_SECOND;
        f->part = 0;
        while (f->part < rate && f->second_us + part_begin(f, f->part) < w->now_us) {
            f->part++;
        }
        if (f->part == rate) {
            f->part = 0;
            f->second_us += US_PER_SECOND;
        }
        next_scattered(f);
    } else {
        next_poisson(f);
    }
    schedule(w, flow);
}

void traffic_handle(struct world *w, const struct event *event)
{
    struct flow *f = flows_of(w) + event->request;
    uint16_t router = (uint16_t)f->turn;
    f->turn = f->turn + 1 == w->config.routers ? 0 : f->turn + 1;
    f->asked++;
    uint8_t zone = routers_in(w)[router].zone;
    if (client_ask(w, (enum op_kind)f->op, f->key, router, zone, REASON_NONE) != NULL) {
        next_arrival(f);
        schedule(w, event->request);
    }
}
