/*
 * reads: the ways in from routers, clients and shards, and what all treatments share.
 */
#include "engine/reads/reads_inside.h"

#include "place/hash.h"

struct trace_record *reads_note(struct world *w, uint32_t place, uint32_t request,
                                enum reads_reason reason)
{
    struct trace_record *t = trace_add_request(w, TRACE_READS, requests_in(w) + request);
    t->from = reads_node(w, place);
    t->reason = (uint16_t)reason;
    return t;
}

/* The edge sits with the zone's clients, so its reply is a message inside the zone. */
static struct trace_record *edge_answer(struct world *w, uint32_t request, enum outcome outcome,
                                        uint64_t value)
{
    const struct request *r = requests_in(w) + request;
    struct trace_record *t = trace_add_request(w, TRACE_REPLY, r);
    t->arrive_us += w->queue.leg_us[LEG_REPLY][r->zone][r->zone];
    t->took_us = request_took(r, t->arrive_us);
    t->from = node_of(NODE_CLIENT, r->zone);
    t->to = t->from;
    t->outcome = (uint8_t)outcome;
    t->value = value;
    struct event *event = request_send(w, request, LEG_REPLY, r->zone, r->zone);
    event->detail = (uint8_t)(event->detail | (unsigned)outcome);
    event->carries.value = value;
    return t;
}

struct trace_record *reads_answer(struct world *w, uint32_t place, uint32_t request,
                                  enum outcome outcome, uint64_t value)
{
    return reads_is_edge(w, place) ? edge_answer(w, request, outcome, value)
                                   : router_reply(w, request, outcome, value, REASON_NONE);
}

uint32_t reads_begin(struct world *w, struct hot_read *row, uint32_t place, uint32_t reader)
{
    const struct request *r = requests_in(w) + reader;
    bool edge = reads_is_edge(w, place);
    uint32_t fetch = router_own(w, r->router, OP_READ, row->key, edge ? ORIGIN_EDGE : ORIGIN_FETCH);
    if (fetch != NO_INDEX) {
        requests_of(w)[fetch].zone = requests_in(w)[reader].zone;
        struct read_spot *spot = reads_spot(w, row, place);
        spot->current = fetch;
        spot->tail = NO_INDEX;
        spot->fetches++;
    }
    return fetch;
}

void reads_send(struct world *w, uint32_t fetch)
{
    if (requests_in(w)[fetch].origin == ORIGIN_EDGE) {
        client_send(w, fetch, REASON_NONE);
    } else {
        router_begin(w, fetch);
    }
}

void reads_wait(struct world *w, struct read_spot *spot, uint32_t request)
{
    struct request *requests = requests_of(w);
    struct request *r = requests + request;
    r->link = NO_INDEX;
    r->flying++;
    if (spot->tail == NO_INDEX) {
        requests[spot->current].next = request;
    } else {
        requests[spot->tail].link = request;
    }
    spot->tail = request;
    spot->waits++;
}

void reads_came_after(struct world *w, const struct read_spot *spot, uint32_t request,
                      int64_t sent_us)
{
    if (sent_us < spot->wrote_us) {
        const struct request *r = requests_in(w) + request;
        promise_broken(w, PROMISE_AFTER_WRITE, r->number, r->key, spot->wrote_us, sent_us);
    }
}

void reads_clear(struct world *w, struct read_spot *spot)
{
    fill_crashed(&spot->fill, w->last_number + 1);
    spot->flight = (struct flight_core){0};
    spot->value = 0;
    spot->count = 0;
    spot->counted = false;
    spot->sent_us = 0;
    spot->wrote_us = -1;
    spot->current = NO_INDEX;
    spot->tail = NO_INDEX;
}

bool reads_edge(struct world *w, uint32_t request)
{
    const struct request *r = requests_in(w) + request;
    struct hot_read *row = reads_row(w, r->key);
    if (row->mode != READS_EDGE || !op_reads((enum op_kind)r->op)) {
        return false;
    }
    cache_take(w, row, w->config.routers + r->zone, request);
    return true;
}

bool reads_take(struct world *w, uint32_t request)
{
    const struct request *r = requests_in(w) + request;
    struct hot_read *row = reads_row(w, r->key);
    switch ((enum reads_mode)row->mode) {
    case READS_CACHED:
        cache_take(w, row, r->router, request);
        return true;
    case READS_COALESCED:
        return coalesce_take(w, row, r->router, request);
    case READS_COPIES:
        copies_pick(w, row, request);
        return false;
    case READS_REPLICAS:
    case READS_EDGE:
        return false;
    case READS_PLAIN:
    case READS_FORGET:
        break;
    }
    CHECK(false && "a row without a treatment");
    return false;
}

bool reads_take_write(struct world *w, uint32_t request)
{
    const struct request *r = requests_in(w) + request;
    struct hot_read *row = reads_row(w, r->key);
    if (row->mode != READS_COPIES || r->op != OP_EDIT) {
        return false;
    }
    copies_write(w, row, request);
    return true;
}

void reads_wrote(struct world *w, uint16_t router, uint32_t key, enum op_kind op)
{
    struct hot_read *row = reads_row(w, key);
    if (row->mode == READS_CACHED && op == OP_EDIT) {
        reads_spot(w, row, router)->wrote_us = w->now_us;
        cache_edited(w, row, router);
    } else if (row->mode == READS_COALESCED) {
        reads_spot(w, row, router)->wrote_us = w->now_us;
        coalesce_wrote(w, row, router);
    }
}

bool reads_strong(const struct world *w, uint32_t key)
{
    const struct hot_read *row = hot_reads_in(w) + (keys_in(w)[key].reads - 1);
    int64_t patience = w->config.client_timeout_us;
    return row->mode == READS_COALESCED && row->by_key &&
           w->now_us - row->since_us > (patience > 0 ? patience : READS_SETTLED_US) &&
           w->now_us > w->faults.old_patience_until_us;
}

uint16_t reads_router(const struct world *w, uint32_t key, uint16_t turn)
{
    const struct key_entry *entry = keys_in(w) + key;
    const struct hot_read *row = hot_reads_in(w) + (entry->reads - 1);
    if (row->mode != READS_COALESCED || !row->by_key || !rule_on(w->rules, RULE_ONE_ROUTER_A_KEY)) {
        return turn;
    }
    return (uint16_t)(mix64(fnv1a64(entry->text, entry->length)) % w->config.routers);
}

/* --- a fetch or query is back ------------------------------------------------------------------
 */

/* What all who waited are told. */
struct news {
    enum outcome outcome;
    uint64_t value;
    enum reads_reason reason;
    int64_t operand[3];
};

static uint32_t count_waiting(const struct world *w, uint32_t first)
{
    uint32_t count = 0;
    for (uint32_t i = first; i != NO_INDEX; i = requests_in(w)[i].link) {
        count++;
    }
    return count;
}

static void tell(struct world *w, uint32_t place, uint32_t first, const struct news *news)
{
    for (uint32_t i = first, next; i != NO_INDEX; i = next) {
        struct request *r = requests_of(w) + i;
        next = r->link;
        r->link = NO_INDEX;
        r->flying--;
        if (r->ended) { /* its client gave up */
            request_settle(w, i);
            continue;
        }
        struct trace_record *t = reads_answer(w, place, i, news->outcome, news->value);
        t->reason = (uint8_t)news->reason;
        t->operand[0] = news->operand[0];
        t->operand[1] = news->operand[1];
        t->operand[2] = news->operand[2];
    }
}

static void note_age(struct read_spot *spot, int64_t age)
{
    spot->oldest_us = age > spot->oldest_us ? age : spot->oldest_us;
}

/* Leaves the record of what came of a fetch; coalesced queries tell it in their replies. */
static void note_landing(struct world *w, uint32_t place, uint32_t fetch, uint32_t waiting,
                         enum reads_reason reason)
{
    const struct request *r = requests_in(w) + fetch;
    struct trace_record *t = reads_note(w, place, fetch, reason);
    t->operand[0] = w->now_us - r->issued_us;
    t->operand[1] = waiting;
    t->operand[2] = r->shard;
    if (r->spare) { /* the count that came with it */
        t->value = r->value;
        t->version = r->which;
    }
}

static void fetch_landed(struct world *w, uint32_t fetch, enum outcome outcome, uint64_t value)
{
    const struct request *r = requests_in(w) + fetch;
    bool edge = r->origin == ORIGIN_EDGE;
    bool ok = outcome == OUTCOME_OK;
    uint32_t place = edge ? w->config.routers + r->zone : r->router;
    uint32_t first = r->next;
    uint32_t waiting = count_waiting(w, first);
    struct hot_read *row = keys_in(w)[r->key].reads != 0 ? reads_row(w, r->key) : NULL;
    struct news news = {outcome, value, REASON_CACHE_WAITED, {0}};
    news.operand[0] = w->now_us - r->issued_us;
    news.operand[1] = r->asks;
    news.operand[2] = r->shard;
    if (row != NULL && row->mode == READS_COALESCED && !edge) {
        coalesce_landed(w, row, r->router, fetch);
        news.reason = REASON_QUERY_SHARED;
        news.operand[1] = waiting;
    } else {
        bool cached = row != NULL && row->mode == (edge ? READS_EDGE : READS_CACHED);
        note_landing(w, place, fetch, waiting,
                     cached ? cache_landed(w, row, place, fetch, ok, value)
                            : REASON_CACHE_NOT_KEPT);
    }
    if (!ok) {
        news.reason = REASON_FETCH_FAILED;
        news.operand[0] = r->asks;
        news.operand[1] = r->shard;
    } else if (row != NULL && waiting > 0) {
        note_age(reads_spot(w, row, place), news.operand[0]);
    }
    requests_of(w)[fetch].next = NO_INDEX;
    tell(w, place, first, &news);
    request_end(w, fetch);
}

void reads_landed(struct world *w, uint32_t request, enum outcome outcome, uint64_t value)
{
    if (requests_in(w)[request].origin == ORIGIN_COPY) {
        copies_landed(w, request, outcome, value);
    } else {
        fetch_landed(w, request, outcome, value);
    }
}

/* Nobody waits for this fetch any more. */
static void let_go(struct world *w, uint32_t fetch)
{
    struct request *requests = requests_of(w);
    for (uint32_t i = requests[fetch].next, next; i != NO_INDEX; i = next) {
        next = requests[i].link;
        requests[i].link = NO_INDEX;
        requests[i].flying--;
        request_settle(w, i);
    }
    requests[fetch].next = NO_INDEX;
}

void reads_crash(struct world *w, uint16_t router)
{
    for (uint32_t i = 0; w->reads.count > 0 && i < w->config.hot_max; i++) {
        const struct hot_read *row = hot_reads_in(w) + i;
        if (row->mode != READS_PLAIN) {
            reads_clear(w, reads_spot(w, row, router));
        }
    }
    for (uint32_t i = 0; i < w->requests_used; i++) {
        const struct request *r = requests_in(w) + i;
        if (r->number == 0 || r->router != router || r->ended) {
            continue;
        }
        if (r->origin == ORIGIN_FETCH) {
            let_go(w, i);
            request_end(w, i);
        } else if (r->origin == ORIGIN_COPY) {
            copies_let_go(w, i);
            request_end(w, i);
        }
    }
}
