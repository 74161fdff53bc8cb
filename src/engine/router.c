/*
 * router: the ROUTE loop (see world.h).
 *
 * One refinement: when MOVED tells of an epoch that the cached map knows by now (news or another
 * request's fetch came in between), the router looks up again without fetching.
 */
#include "engine/directory.h"
#include "engine/queue.h"
#include "engine/steps.h"
#include "engine/store.h"

/* It begins to wait for something: what comes from an earlier turn is too late from now on. */
static void next_turn(struct world *w, uint32_t request)
{
    struct request *r = requests_of(w) + request;
    r->turn = (r->turn + 1) & 15;
    r->no_map = 0;
}

static inline void watch_time(struct world *w, uint32_t request, enum waited_for whom)
{
    if (w->config.timeout_us > 0) {
        int64_t patience = w->config.timeout_us;
        struct event *event = request_timer(w, request, EVENT_TIMEOUT, patience);
        event->carries.value = (uint64_t)patience;
        event->detail = (uint8_t)(event->detail | (unsigned)whom);
    }
}

struct trace_record *router_ask(struct world *w, uint32_t request, uint16_t shard, uint32_t epoch,
                                enum reason reason)
{
    struct request *r = requests_of(w) + request;
    uint8_t from = routers_in(w)[r->router].zone;
    request_count(w, r);
    next_turn(w, request);
    r->asking = reason == REASON_ASK_SAYS;
    uint8_t to = shards_in(w)[shard].zone;
    r->shard = shard;
    r->epoch = epoch;
    r->asks++;
    uint32_t version = routers_in(w)[r->router].map_version;
    struct event *event = request_send(w, request, LEG_QUERY, from, to);
    event->node = shard;
    int64_t arrive_us = event->time_us;
    __builtin_prefetch(store_soon(w, shard, r->key));
    watch_time(w, request, WAITED_FOR_SHARD);

    struct trace_record *t = trace_add_request(w, TRACE_ROUTE, r);
    t->arrive_us = arrive_us;
    t->epoch = epoch;
    t->version = version;
    t->from = node_of(NODE_ROUTER, r->router);
    t->to = node_of(NODE_SHARD, shard);
    t->reason = (uint16_t)reason;
    t->target = shard;
    t->operand[0] = reason == REASON_MAP_SAYS ? version : shard;
    t->operand[1] = epoch;
    t->operand[2] = r->asks;
    return t;
}

void router_route(struct world *w, uint32_t request)
{
    const struct request *r = requests_in(w) + request;
    if ((r->origin == ORIGIN_DUAL || w->shifts.misled > 0) && shifts_route(w, request)) {
        return;
    }
    struct plan plan = directory_lookup(w, routers_in(w)[r->router].map_version, r->slot);
    if (w->guards.breakers && !guards_may_ask(w, request, plan.owner)) {
        return;
    }
    router_ask(w, request, plan.owner, plan.epoch, REASON_MAP_SAYS);
}

void router_begin(struct world *w, uint32_t request)
{
    const struct request *r = requests_in(w) + request;
    if (op_reads(r->op) && keys_in(w)[r->key].writes != 0) {
        writes_read(w, request);
    } else {
        router_route(w, request);
    }
}

uint32_t router_own(struct world *w, uint16_t router, enum op_kind op, uint32_t key,
                    enum origin origin)
{
    uint32_t request = request_new(w, op, key, router);
    if (request != NO_INDEX) {
        requests_of(w)[request].origin = origin & 15;
    }
    return request;
}

struct trace_record *router_reply(struct world *w, uint32_t request, enum outcome outcome,
                                  uint64_t value, enum reason reason)
{
    next_turn(w, request);
    struct request *r = requests_of(w) + request;
    r->here = 0;
    if (r->in_hand) {
        guards_let_go(w, r);
    }
    uint8_t from = routers_in(w)[r->router].zone;
    struct event *event = request_send(w, request, LEG_REPLY, from, r->zone);
    event->detail = (uint8_t)(event->detail | (unsigned)outcome);
    event->carries.value = value;
    int64_t arrive_us = event->time_us;
    __builtin_prefetch(keys_in(w) + r->key);

    struct trace_record *t = trace_add_request(w, TRACE_REPLY, r);
    t->arrive_us = arrive_us;
    t->from = node_of(NODE_ROUTER, r->router);
    t->to = node_of(NODE_CLIENT, r->zone);
    t->outcome = (uint8_t)outcome;
    t->reason = (uint16_t)reason;
    t->took_us = request_took(r, arrive_us);
    t->own = r->origin == ORIGIN_EDGE;
    t->operand[0] = r->asks;
    t->operand[1] = r->shard;
    t->value = value;
    return t;
}

void router_done(struct world *w, uint32_t request, enum outcome outcome, uint64_t value,
                 enum reason reason)
{
    const struct request *r = requests_in(w) + request;
    const struct key_entry *entry = keys_in(w) + r->key;
    if ((entry->reads | entry->writes) != 0 && outcome == OUTCOME_OK && !op_reads(r->op)) {
        uint32_t key = entry->writes != 0 ? writes_count_of(w, r->key) : r->key;
        if (keys_in(w)[key].reads != 0) {
            reads_wrote(w, r->router, key, (enum op_kind)r->op);
        }
    }
    switch ((enum origin)r->origin) {
    case ORIGIN_CLIENT:
    case ORIGIN_EDGE:
        router_reply(w, request, outcome, value, reason);
        return;
    case ORIGIN_FETCH:
    case ORIGIN_COPY:
        reads_landed(w, request, outcome, value);
        return;
    case ORIGIN_PART:
    case ORIGIN_FLUSH:
        writes_landed(w, request, outcome, value);
        return;
    case ORIGIN_ACCOUNT:
    case ORIGIN_INDEX:
        accounts_landed(w, request, outcome, value);
        return;
    case ORIGIN_DUAL:
        shifts_landed(w, request, outcome, value);
        return;
    case ORIGIN_JOB:
        writes_landed(w, request, outcome, value);
        return;
    case ORIGIN_GATHER:
        queries_landed(w, request, outcome, value);
        return;
    case ORIGIN_TXN:
        txns_landed(w, request, outcome, value);
        return;
    case ORIGIN_ENTRY:
        indexes_landed(w, request, outcome, value);
        return;
    }
    CHECK(false && "a request that nobody wants");
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

    struct event *event;
    if (request != NO_INDEX) {
        const struct request *r = requests_in(w) + request;
        t->request = r->number;
        t->key = r->key;
        t->slot = r->slot;
        t->op = r->op;
        next_turn(w, request);
        event = request_send(w, request, LEG_FETCH, from, to);
        watch_time(w, request, WAITED_FOR_MAP);
    } else {
        event = queue_send(w, LEG_FETCH, from, to, EVENT_FETCH);
        event->request = NO_INDEX;
    }
    event->node = router;
    return t;
}

void router_watch_fetch(struct world *w, uint16_t router)
{
    struct event *event = queue_at(w, w->now_us + w->config.timeout_us, EVENT_TIMEOUT);
    event->request = NO_INDEX;
    event->node = router;
    event->carries.version = routers_in(w)[router].fetches;
}

void router_fetch(struct world *w, uint16_t router, enum reason reason)
{
    struct router *own = routers_of(w) + router;
    if (!own->fetching) { /* else the answer that is on its way will do */
        own->fetching = true;
        own->fetches++;
        send_fetch(w, router, NO_INDEX)->reason = (uint16_t)reason;
        if (w->config.timeout_us > 0) {
            router_watch_fetch(w, router);
        }
    }
}

void router_fetch_again(struct world *w, uint16_t router, uint32_t request)
{
    send_fetch(w, router, request)->reason = REASON_FAULTS_NO_MAP;
}

/* Tries are used up: whoever wants it is told. */
static bool gives_up(struct world *w, uint32_t request)
{
    if (requests_in(w)[request].asks < ATTEMPTS_MAX) {
        return false;
    }
    router_done(w, request, OUTCOME_FAILED, 0, REASON_GAVE_UP);
    return true;
}

static void on_moved(struct world *w, uint32_t request, const struct event *event)
{
    struct request *r = requests_of(w) + request;
    struct router *own = routers_of(w) + r->router;
    uint32_t epoch = event->carries.moved.epoch;
    uint32_t target = event->carries.moved.target;
    own->redirects++;
    if (gives_up(w, request)) {
        return;
    }
    if (target != SHARD_NONE) {
        if (epoch <= r->epoch) {
            promise_broken(w, PROMISE_MOVED_TEACHES, r->number, r->key, r->epoch, epoch);
        }
        if (directory_lookup(w, own->map_version, r->slot).epoch >= epoch) {
            router_route(w, request);
            return;
        }
        if (!rule_on(w->rules, RULE_RELOAD_ON_MOVED)) {
            router_ask(w, request, (uint16_t)target, epoch, REASON_MOVED_SAYS);
            return;
        }
    }
    r->reloads = (r->reloads + 1) & 15;
    struct trace_record *t = send_fetch(w, r->router, request);
    t->epoch = epoch;
    t->reason = REASON_RELOAD_RULE;
    t->target = (uint16_t)target;
    t->operand[1] = epoch;
}

/* The key is at another shard already: this one request goes there. */
static void on_ask(struct world *w, uint32_t request, const struct event *event)
{
    struct request *r = requests_of(w) + request;
    routers_of(w)[r->router].redirects++;
    if (!gives_up(w, request)) {
        uint16_t target = (uint16_t)event->carries.moved.target;
        if (!rule_on(w->rules, RULE_ASK_KEEPS_MAP) && shifts_mislead(w, request)) {
            router_route(w, request); /* without ASKING, as after MOVED */
            return;
        }
        router_ask(w, request, target, event->carries.moved.epoch, REASON_ASK_SAYS);
    }
}

static void wait_and_retry(struct world *w, uint32_t request, enum reason reason)
{
    struct request *r = requests_of(w) + request;
    routers_of(w)[r->router].retries++;
    if (gives_up(w, request)) {
        return;
    }
    next_turn(w, request);
    int64_t wait = BACKOFF_FIRST_US << r->retries;
    r->retries = (r->retries + 1) & 15;
    struct trace_record *t = trace_add_request(w, TRACE_WAIT, r);
    t->arrive_us += wait;
    t->from = node_of(NODE_ROUTER, r->router);
    t->to = t->from;
    t->reason = (uint16_t)reason;
    t->target = r->shard;
    t->operand[0] = wait;
    t->operand[1] = r->retries;
    request_timer(w, request, EVENT_WAKE, wait);
}

/* Served, though the map is old: fetched meanwhile, unless it has come by another way. */
static void served_and_old(struct world *w, const struct event *event)
{
    const struct request *r = requests_in(w) + event->request;
    uint16_t router = r->router;
    uint32_t version = routers_in(w)[router].map_version;
    bool old = directory_lookup(w, version, r->slot).epoch <= r->epoch;
    router_done(w, event->request, OUTCOME_OK, event->carries.value, REASON_NONE);
    if (old) {
        router_fetch(w, router, REASON_OWNED_OLD_MAP);
    }
}

static void on_answer(struct world *w, const struct event *event)
{
    const struct request *r = requests_in(w) + event->request;
    enum outcome outcome = (enum outcome)event_detail(event);
    if (w->guards.breakers) {
        guards_answered(w, r->router, r->shard, outcome);
    }
    switch (outcome) {
    case OUTCOME_OK_RELOAD:
        served_and_old(w, event);
        return;
    case OUTCOME_MOVED:
        on_moved(w, event->request, event);
        return;
    case OUTCOME_ASK:
        on_ask(w, event->request, event);
        return;
    case OUTCOME_RETRY:
        wait_and_retry(w, event->request, REASON_BACK_OFF);
        return;
    case OUTCOME_TRY_AGAIN:
        wait_and_retry(w, event->request, REASON_SPLIT_KEYS);
        return;
    case OUTCOME_REFUSED: /* carries no value; that it is chance which of these it is costs nothing
                           */
    case OUTCOME_OK:
    case OUTCOME_NOT_NEWER:
    case OUTCOME_SHORT:
        router_done(w, event->request, outcome, event->carries.value,
                    outcome == OUTCOME_REFUSED ? REASON_NO_TOKEN : REASON_NONE);
        return;
    case OUTCOME_FAILED:
        router_done(w, event->request, OUTCOME_FAILED, 0, REASON_FAULTS_SHARD_DOWN);
        return;
    case OUTCOME_NONE:
    case OUTCOME_LIMITED:
    case OUTCOME_SHED:
    case OUTCOME_COUNT:
        break;
    }
    CHECK(false && "a shard gives no such answer");
}

static void on_map(struct world *w, const struct event *event)
{
    struct router *own = routers_of(w) + event->node;
    uint32_t version = event->carries.version;
    if (event->request == NO_INDEX && event_detail(event) >= MAP_TOLD) {
        fleet_heard(w, event);
        version = own->map_version;
    }
    own->map_version = version > own->map_version ? version : own->map_version;
    if (w->fleet.gossip_us > 0) {
        fleet_map_came(w);
    }
    if (w->shifts.misled > 0) {
        shifts_map_came(w, event->node);
    }
    if (event->request == NO_INDEX) {
        own->fetching = own->fetching && event_detail(event) != MAP_FETCHED;
    } else if (request_late(w, event)) {
        request_settle(w, event->request);
    } else {
        router_route(w, event->request);
    }
}

/* No map in time, and no request waits for it: it asks for it again. */
static void on_fetch_timeout(struct world *w, const struct event *event)
{
    struct router *own = routers_of(w) + event->node;
    if (own->fetching && own->fetches == event->carries.version) {
        own->fetching = false;
        router_fetch(w, event->node, REASON_FAULTS_NO_MAP);
    }
}

/* No answer in time: the shard may have served it or not. It asks again, by its newest map. When it
 * was the directory that did not answer, no shard is to blame. */
static void on_timeout(struct world *w, const struct event *event)
{
    struct request *r = requests_of(w) + event->request;
    bool shard = event_detail(event) == WAITED_FOR_SHARD;
    if (shard) {
        r->timeouts = (r->timeouts + 1) & 15;
    }
    if (shard && w->guards.breakers) {
        guards_answered(w, r->router, r->shard, OUTCOME_FAILED);
    }
    struct trace_record *t = trace_add_request(w, TRACE_WAIT, r);
    t->from = node_of(NODE_ROUTER, r->router);
    t->to = t->from;
    t->reason = REASON_TIMEOUT;
    t->target = shard ? r->shard : SHARD_NONE;
    t->operand[0] = (int64_t)event->carries.value;
    t->operand[1] = r->asks;
    if (!gives_up(w, event->request)) {
        router_route(w, event->request);
    }
}

/* A client's request, or one whose turn has come. */
static void on_ask_of_client(struct world *w, const struct event *event)
{
    uint32_t request = event->request;
    struct request *r = requests_of(w) + request;
    const struct key_entry *key = keys_in(w) + r->key;
    if (r->here) {
        return; /* it came twice */
    }
    r->here = 1;
    routers_of(w)[r->router].requests++;
    if (w->fleet.capacity > 0 && fleet_refuses(w, request)) {
        return;
    }
    if (w->guards.admission && !guards_admit(w, request)) {
        return;
    }
    if ((key->reads | key->writes | key->account | key->index) == 0 && w->shifts.dual == 0) {
        router_route(w, request); /* as most do, whether read or written */
        return;
    }
    if (op_reads(r->op)) {
        if (key->reads != 0) {
            r->strong = r->strong && reads_strong(w, r->key);
            if (reads_take(w, request)) {
                return;
            }
        }
        router_begin(w, request);
        return;
    }
    if (key->index != 0 && accounts_index(w, request)) {
        return;
    }
    router_write(w, request);
}

void router_write(struct world *w, uint32_t request)
{
    const struct key_entry *key = keys_in(w) + requests_in(w)[request].key;
    if ((key->reads != 0 && reads_take_write(w, request)) ||
        (key->account != 0 && accounts_take(w, request)) ||
        (key->writes != 0 && writes_take(w, request)) ||
        (w->shifts.dual > 0 && shifts_take(w, request))) {
        return;
    }
    router_route(w, request);
}

void router_asked(struct world *w, const struct event *event)
{
    if (request_late(w, event)) {
        request_settle(w, event->request);
    } else {
        on_ask_of_client(w, event);
    }
}

void router_answered(struct world *w, const struct event *event)
{
    if (request_late(w, event)) {
        if (requests_in(w)[event->request].origin == ORIGIN_GATHER) {
            queries_late(w, event);
        }
        request_settle(w, event->request);
    } else {
        on_answer(w, event);
    }
}

void router_handle(struct world *w, const struct event *event)
{
    if (event->kind == EVENT_MAP) {
        on_map(w, event);
        return;
    }
    if (event->kind == EVENT_FLUSH || event->kind == EVENT_STORED) {
        writes_handle(w, event); /* what is stored is summed, whoever has given it up */
        return;
    }
    if (event->kind == EVENT_TIMEOUT && event->request == NO_INDEX) {
        on_fetch_timeout(w, event);
        return;
    }
    if (request_late(w, event)) {
        request_settle(w, event->request);
        return;
    }
    switch ((enum event_kind)event->kind) {
    case EVENT_WAKE:
        router_route(w, event->request);
        return;
    case EVENT_TIMEOUT:
        if (requests_in(w)[event->request].storing) {
            writes_handle(w, event);
        } else {
            on_timeout(w, event);
        }
        return;
    case EVENT_ASK:
    case EVENT_ANSWER:
    case EVENT_STORED:
    case EVENT_FETCH:
    case EVENT_COMMIT:
    case EVENT_QUERY:
    case EVENT_START:
    case EVENT_STORE:
    case EVENT_MOVE:
    case EVENT_MAP:
    case EVENT_FLUSH:
    case EVENT_REPLY:
    case EVENT_EXPIRE:
    case EVENT_AGAIN:
    case EVENT_JOB:
    case EVENT_ARRIVAL:
    case EVENT_NODE:
    case EVENT_KINDS:
        break;
    }
    CHECK(false && "no event of a router");
}
