/*
 * traffic: clients. Where requests come from, and where their replies go.
 *
 * Steady arrivals are exact: the n-th comes floor((phase + n 10^6) / rate) microseconds after the
 * start, so every second holds the rate exactly; phases differ by flow (steps of the golden
 * section), so that flows of one rate do not fire together. Scattered: each instant by chance
 * (scatter.h), and yet each whole second of the clock holds `rate` requests, and so does each
 * second from when the flow was set: one that was set in mid-second splits its seconds there, and
 * each part holds its share. A window between these may hold some more or fewer, half a
 * second off about sqrt(rate / 2), and so may one in which a flow is replaced. Poisson: exponential
 * gaps in picoseconds. The requests of one flow go to the routers in turn, those of a Poisson flow
 * to one at random; their client sits in the router's zone.
 */
#include "engine/queue.h"
#include "engine/steps.h"

#define PS_PER_US INT64_C(1000000)
#define PS_PER_SECOND INT64_C(1000000000000)
#define GOLDEN_SECTION_US UINT64_C(618034)

static void watch_patience(struct world *w, uint32_t request)
{
    if (w->config.client_timeout_us > 0) {
        request_timer(w, request, EVENT_EXPIRE, w->config.client_timeout_us);
    }
}

/* What routers do with this key's reads (or writes) is nothing special. Most keys have nothing of
 * the kind, which is asked first, since it is foreseen, and what is asked for is not. */
static bool untreated(const struct key_entry *key, enum op_kind op)
{
    return (key->reads | key->writes | key->account) == 0 ||
           (op_reads(op) ? key->reads | key->writes : key->writes | key->account) == 0;
}

uint32_t client_ask(struct world *w, enum op_kind op, uint32_t key, uint16_t router, uint8_t zone,
                    enum reason reason)
{
    const struct key_entry *entry = keys_in(w) + key;
    if (w->systems.on != 0) {
        systems_asked(w, op, key);
    }
    if (entry->reads != 0) {
        router = reads_router(w, key, router);
        if (w->fleet.zones_down != 0 && reason != REASON_OPERATOR) {
            router = fleet_router(w, router);
        }
    }
    uint32_t index = request_new(w, op, key, router);
    if (index == NO_INDEX) {
        return NO_INDEX;
    }
    struct request *r = requests_of(w) + index;
    r->zone = zone;
    if (entry->reads != 0 && reads_edge(w, index)) {
        watch_patience(w, index);
        return index;
    }
    if (untreated(entry, op)) {
        request_count(w, r); /* else by what its router makes of it */
    }
    client_send(w, index, reason);
    return index;
}

static bool is_strong(const struct world *w, uint32_t key)
{
    const struct key_entry *entry = keys_in(w) + key;
    return (entry->writes | entry->account) == 0 && (entry->reads == 0 || reads_strong(w, key));
}

/* What a plain read must return at least: what clients know already. One that may join a query
 * knows of writes only: another query, held up on its way, may have read later than the one it
 * joins. */
static void promise_to_read(const struct world *w, struct request *r)
{
    const struct key_entry *key = keys_in(w) + r->key;
    bool reads = op_reads((enum op_kind)r->op); /* no branch asks: it is chance */
    uint64_t told = key->reads == 0 ? key->told : 0;
    uint64_t floor = told > key->acked ? told : key->acked;
    uint64_t carried = r->value;
    r->strong = reads & is_strong(w, r->key);
    r->value = reads ? floor : carried;
}

void client_send(struct world *w, uint32_t request, enum reason reason)
{
    struct request *r = requests_of(w) + request;
    uint8_t to = routers_in(w)[r->router].zone;
    promise_to_read(w, r);
    struct event *event = request_send(w, request, LEG_ASK, r->zone, to);
    event->node = r->router;
    int64_t arrive_us = event->time_us;
    struct trace_record *t = trace_add_request(w, TRACE_ASK, r);
    t->arrive_us = arrive_us;
    t->from = node_of(NODE_CLIENT, r->zone);
    t->to = node_of(NODE_ROUTER, r->router);
    t->reason = (uint16_t)reason;
    watch_patience(w, request);
}

void like_told(struct world *w, struct request *r, bool ok)
{
    struct key_entry *key = keys_of(w) + r->key;
    if (r->held) {
        *(r->stray ? &key->stray_flying : &key->flying) -= 1;
        r->held = 0;
        if (ok) {
            key->acked++;
        } else {
            key->unknown++;
        }
    }
}

static uint64_t likes_there_are(const struct key_entry *key)
{
    return key->acked + key->flying + key->stray_flying + key->unknown;
}

/* Whether an answer is what was expected, as most are: then no promise can be broken. */
static bool as_expected(const struct world *w, const struct request *r, uint64_t value)
{
    return (value == r->value) & (value <= likes_there_are(keys_in(w) + r->key));
}

/* The plain read has its answer: see enum promise. */
static void check_read(struct world *w, const struct request *r, uint64_t value)
{
    struct key_entry *key = keys_of(w) + r->key;
    uint64_t likes = likes_there_are(key);
    if (!is_strong(w, r->key)) {
        return; /* it is treated by now */
    }
    if (value < r->value) {
        promise_broken(w, PROMISE_READ_ALL_ACKED, r->number, r->key, (int64_t)r->value,
                       (int64_t)value);
    }
    if (value > likes) {
        promise_broken(w, PROMISE_READ_ONLY_LIKES, r->number, r->key, (int64_t)likes,
                       (int64_t)value);
    }
    key->told = value > key->told ? value : key->told;
}

/* Keeps a request of COMMAND_REQUEST for whoever asks how it went. */
static void remember(struct world *w, uint32_t request)
{
    struct request *r = requests_of(w) + request;
    r->done = 1;
    r->next = NO_INDEX;
    if (w->remembered_from == NO_INDEX) {
        w->remembered_from = request;
    } else {
        requests_of(w)[w->remembered_to].next = request;
    }
    w->remembered_to = request;
    w->command_requests_open--;
}

void client_handle(struct world *w, const struct event *event)
{
    struct request *r = requests_of(w) + event->request;
    if (event->kind == EVENT_AGAIN) {
        guards_handle(w, event);
        return;
    }
    if (event->kind == EVENT_EXPIRE ? r->ended : request_late(w, event)) {
        request_settle(w, event->request);
        return;
    }
    bool expired = event->kind == EVENT_EXPIRE;
    enum outcome outcome = expired ? OUTCOME_FAILED : (enum outcome)event_detail(event);
    like_told(w, r, outcome == OUTCOME_OK);
    if (op_of_account((enum op_kind)r->op)) {
        accounts_told(w, event->request, outcome);
    }
    uint64_t value = event->carries.value;
    if (r->strong & (outcome == OUTCOME_OK) &
        !as_expected(w, r, value)) { /* one branch, foreseen */
        check_read(w, r, value);
    }
    if (r->origin == ORIGIN_EDGE) {
        reads_landed(w, event->request, outcome, expired ? 0 : event->carries.value);
        return;
    }
    r->outcome = outcome & 15;
    r->took_us = (uint32_t)(w->now_us - r->issued_us);
    if (w->guards.retries && guards_ended(w, event->request, outcome, event->carries.value)) {
        return;
    }
    r->value = expired ? 0 : event->carries.value;
    if (r->asked_by_command) {
        remember(w, event->request);
    }
    request_end(w, event->request);
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

/* A part of a second begins: up to the instant in it at which the flow was set, or from there to
 * the end. The requests of a second are shared out between its two parts by their lengths. (It is
 * seldom called; put where it is called from, it would keep that from being put in its place.) */
__attribute__((noinline)) static void begin_part(struct flow *f, int64_t from_us)
{
    uint64_t second = (uint64_t)US_PER_SECOND;
    uint64_t late = (f->rate * (second - f->phase_us) + second / 2) / second;
    bool early = f->phase_us > 0 && from_us % US_PER_SECOND == 0;
    f->part_us = from_us;
    f->length_us = early ? f->phase_us : (uint32_t)second - f->phase_us;
    scatter_begin(&f->scatter, (uint32_t)(early ? f->rate - late : late));
}

static void next_scattered(struct flow *f)
{
    int64_t us;
    while (!scatter_next(&f->scatter, &f->prng, f->length_us, &us)) {
        begin_part(f, f->part_us + f->length_us);
    }
    f->next_us = f->part_us + us;
}

static void next_poisson(struct flow *f)
{
    int64_t ps = f->carry_ps + prng_exponential(&f->prng, PS_PER_SECOND / f->rate);
    f->next_us += ps / PS_PER_US;
    f->carry_ps = (uint32_t)(ps % PS_PER_US);
}

static inline void next_arrival(struct flow *f)
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

/* Of many keys one at random; it is fetched from memory long before it is asked for. */
static void next_key(const struct world *w, struct flow *f)
{
    if (f->keys > 1) {
        f->offset = (uint32_t)prng_below(&f->prng, f->keys);
        __builtin_prefetch(keys_in(w) + f->key + f->offset);
    }
}

static void schedule(struct world *w, uint32_t flow)
{
    queue_at(w, flows_in(w)[flow].next_us, EVENT_ARRIVAL)->request = flow;
}

void traffic_begin(struct flow *f, int64_t now_us, uint32_t number)
{
    f->next_us = now_us;
    f->carry_ps = 0;
    if (f->arrivals == ARRIVALS_STEADY) {
        uint64_t phase = number * GOLDEN_SECTION_US % (uint64_t)US_PER_SECOND;
        f->interval_us = (uint32_t)US_PER_SECOND / f->rate;
        f->interval_rest = (uint32_t)US_PER_SECOND % f->rate;
        f->next_us += (int64_t)(phase / f->rate);
        f->rest = (uint32_t)(phase % f->rate);
    } else if (f->arrivals == ARRIVALS_SCATTERED) {
        f->phase_us = (uint32_t)(now_us % US_PER_SECOND);
        begin_part(f, now_us);
        next_scattered(f);
    } else {
        next_poisson(f);
    }
}

__attribute__((noinline)) void traffic_next(struct flow *f)
{
    next_arrival(f);
}

void traffic_set(struct world *w, uint32_t flow, uint32_t rate, enum arrivals arrivals)
{
    struct flow *f = flows_of(w) + flow;
    if (f->rate > 0) {
        queue_drop_arrivals(w, flow);
    }
    f->rate = rate;
    f->arrivals = (uint8_t)arrivals;
    if (rate > 0) {
        traffic_begin(f, w->now_us, flow);
        schedule(w, flow);
    }
}

/* The next in turn. Of Poisson arrivals one at random: what a router sees is then a Poisson process
 * too; in turn, its gaps would be sums of several and much more even. */
static inline uint16_t next_router(const struct world *w, struct flow *f)
{
    if (f->arrivals == ARRIVALS_POISSON) {
        uint64_t draw = prng_below(&f->prng, w->config.routers);
        return w->fleet.zones_down == 0 ? (uint16_t)draw
                                        : fleet_router_drawn(w, prng_next(&f->prng));
    }
    if (w->fleet.zones_down != 0) {
        f->turn = fleet_router(w, (uint16_t)f->turn);
    }
    uint16_t router = (uint16_t)f->turn;
    f->turn = f->turn + 1 == w->config.routers ? 0 : f->turn + 1;
    return router;
}

uint16_t traffic_router(const struct world *w, struct flow *f)
{
    return next_router(w, f);
}

void traffic_handle(struct world *w, const struct event *event)
{
    struct flow *f = flows_of(w) + event->request;
    uint16_t router = next_router(w, f);
    f->asked++;
    uint32_t key = f->key + f->offset;
    uint8_t zone = routers_in(w)[router].zone;
    if (client_ask(w, (enum op_kind)f->op, key, router, zone, REASON_NONE) != NO_INDEX) {
        next_arrival(f);
        next_key(w, f);
        schedule(w, event->request);
    }
}
