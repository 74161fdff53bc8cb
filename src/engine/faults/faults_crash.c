/*
 * faults_crash: nodes die and come back.
 */
#include "engine/apply.h"
#include "engine/bucket.h"
#include "engine/faults/faults_inside.h"

/* A request whose router can do nothing for it: its client is told, or loses patience. */
static void fail_for_router(struct world *w, uint32_t request, enum reason reason)
{
    struct request *r = requests_of(w) + request;
    if (w->config.client_timeout_us == 0 || faults_endless(w, requests_in(w) + request)) {
        router_reply(w, request, OUTCOME_FAILED, 0, reason);
        return;
    }
    r->here = 0;
    r->turn = (r->turn + 1) & 15; /* whatever comes for it is too late */
    r->no_map = 0;
}

/* The shard cannot take the request: its router is told, or loses patience. */
static void fail_for_shard(struct world *w, const struct event *asked, uint16_t shard)
{
    const struct request *r = requests_in(w) + asked->request;
    if ((w->config.timeout_us > 0 && !faults_endless(w, r)) || request_late(w, asked)) {
        return;
    }
    struct event *event = request_send(w, asked->request, LEG_ANSWER, shards_in(w)[shard].zone,
                                       routers_in(w)[r->router].zone);
    event->detail = (uint8_t)((unsigned)event_turn(asked) << 4 | (unsigned)OUTCOME_FAILED);
    event->node = r->router;
}

static bool router_turns_away(struct world *w, const struct event *event)
{
    if (!routers_in(w)[event->node].down || event->kind == EVENT_FLUSH) {
        return false; /* flushes go by the clock: see writes.h */
    }
    if (event->request == NO_INDEX) {
        return true;
    }
    bool late = request_late(w, event);
    if (!late) {
        fault_note(w, event, REASON_FAULTS_NODE_DOWN);
    }
    if (!late && event->kind == EVENT_ASK) {
        fail_for_router(w, event->request, REASON_FAULTS_ROUTER_DOWN);
    }
    return true;
}

bool crash_turns_away(struct world *w, const struct event *event)
{
    if (event_class(event) == CLASS_ROUTER) {
        return router_turns_away(w, event);
    }
    if (event->kind == EVENT_QUERY && shards_in(w)[event->node].down &&
        !queries_hedged(requests_in(w) + event->request)) { /* a follower is another machine */
        fault_note(w, event, REASON_FAULTS_NODE_DOWN);
        fail_for_shard(w, event, event->node);
        return true;
    }
    return false;
}

static void note_node(struct world *w, struct node node, enum reason reason, int64_t away_us)
{
    struct trace_record *t = trace_add(w, TRACE_FAULT);
    t->key = KEY_NONE_ID;
    t->from = node;
    t->reason = (uint16_t)reason;
    t->operand[1] = away_us;
}

static void kill_router(struct world *w, uint16_t router)
{
    struct router *own = routers_of(w) + router;
    own->down = true;
    own->fetching = false;
    reads_crash(w, router);
    writes_crash(w, router);
    accounts_crash(w, router);
    guards_crash(w, router);
    shifts_router_crash(w, router);
    queries_crash(w, router);
    txns_router_crash(w, router);
    indexes_router_crash(w, router);
    for (uint32_t i = 0; i < w->requests_used; i++) {
        const struct request *r = requests_in(w) + i;
        if (r->number == 0 || r->ended || r->router != router) {
            continue;
        }
        if (r->origin != ORIGIN_CLIENT && r->origin != ORIGIN_EDGE) {
            request_end(w, i);
        } else if (r->here) {
            fail_for_router(w, i, REASON_FAULTS_IN_HAND);
        }
    }
}

static void kill_shard(struct world *w, uint16_t shard)
{
    struct event event;
    shards_of(w)[shard].down = true;
    while (queue_take_start(w, shard, &event)) {
        requests_of(w)[event.request].flying--;
        fail_for_shard(w, &event, shard);
        request_settle(w, event.request);
    }
    moves_crash(w, shard);
    shifts_crash(w, shard);
    txns_shard_crash(w, shard);
}

static void restart_router(struct world *w, uint16_t router)
{
    struct router *own = routers_of(w) + router;
    own->down = false;
    own->fetching = false; /* the operator may have told it to, while nobody was there to listen */
    own->life++;
    writes_restart(w, router);
    router_fetch(w, router, REASON_FAULTS_BACK);
    txns_router_back(w, router);
}

static void restart_shard(struct world *w, uint16_t shard)
{
    struct shard *s = shards_of(w) + shard;
    s->down = false;
    for (uint32_t work = 0; work < WORK_KINDS; work++) {
        struct bucket *b = &s->bucket[work];
        *b = (struct bucket){
            .level = bucket_depth(b->ceiling), .level_at_us = w->now_us, .ceiling = b->ceiling};
    }
    moves_restart(w, shard);
    shifts_restart(w, shard);
    txns_shard_back(w, shard);
}

void faults_take_down(struct world *w, struct node node)
{
    bool router = node.kind == NODE_ROUTER;
    w->faults.down++;
    w->faults.on = true;
    w->faults.count[router ? FAULT_ROUTER_DOWN : FAULT_SHARD_DOWN]++;
    if (router) {
        kill_router(w, node.index);
    } else {
        kill_shard(w, node.index);
    }
}

void faults_bring_back(struct world *w, struct node node)
{
    w->faults.down--;
    faults_decide(&w->faults);
    if (node.kind == NODE_ROUTER) {
        restart_router(w, node.index);
    } else {
        restart_shard(w, node.index);
    }
}

void faults_handle(struct world *w, const struct event *event)
{
    struct node node = node_of((enum node_kind)event->carries.value, event->node);
    if (w->fleet.zones_down != 0 && fleet_keeps_down(w, node.kind == NODE_ROUTER, node.index)) {
        return;
    }
    note_node(w, node, REASON_FAULTS_BACK, 0);
    faults_bring_back(w, node);
}

bool crash_apply(struct world *w, const struct command *c, struct err *err)
{
    bool router = c->mode == NODE_ROUTER;
    struct node node = node_of(router ? NODE_ROUTER : NODE_SHARD, router ? c->router : c->shard);
    char letter = router ? 'R' : 'S';
    uint32_t count = router ? w->config.routers : w->shards;
    if (node.index >= count) {
        return err_set(err, "no %s %c%u: this world has %c0 to %c%u", router ? "router" : "shard",
                       letter, node.index, letter, letter, count - 1);
    }
    if (router ? routers_in(w)[node.index].down : shards_in(w)[node.index].down) {
        return err_set(err, "%c%u is down already", letter, node.index);
    }
    if (c->period_us < 1 || c->period_us > CRASH_MAX_US) {
        return err_set(err, "a node is down for more than 0 and at most %lld ms",
                       (long long)(CRASH_MAX_US / US_PER_MS));
    }
    /* its return, the map it then asks for, and a reply to each of those in its hands */
    if (!apply_event_room(w, w->in_flight + 3, err)) {
        return false;
    }
    apply_note(w, c, KEY_NONE_ID, node, c->period_us, 0);
    note_node(w, node, REASON_FAULTS_DIED, c->period_us);
    struct event *event = queue_at(w, w->now_us + c->period_us, EVENT_JOB);
    event->request = NO_INDEX;
    event->detail = JOB_RESTART;
    event->node = node.index;
    event->carries.value = node.kind;
    faults_take_down(w, node);
    return true;
}
