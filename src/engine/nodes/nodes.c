/*
 * nodes: machines, and the messages between them.
 */
#include "engine/nodes/nodes_inside.h"

#include "engine/queue.h"

#define THOUSAND 1000u

/* --- who reaches whom ------------------------------------------------------------------------- */

static bool is_client(uint32_t node)
{
    return node >= NODE_CLIENT_ZONE(0) && node < NODE_CLIENT_ZONE(ZONES_MAX);
}

uint32_t world_nodes(const struct world *w)
{
    return w->nodes.count;
}

bool node_up(const struct world *w, uint32_t node)
{
    if (is_client(node)) {
        return true;
    }
    if (node == NODE_DIRECTORY_ITSELF) {
        return !world_directory_down(w);
    }
    CHECK(node < w->nodes.count);
    return !nodes_in(w)[node].down;
}

static uint8_t side_of(const struct world *w, uint32_t node)
{
    return node == NODE_DIRECTORY_ITSELF ? 0 : nodes_in(w)[node].side;
}

/* The network alone: no cut is between them. */
static bool on_one_side(const struct world *w, uint32_t a, uint32_t b)
{
    return is_client(a) || is_client(b) || side_of(w, a) == side_of(w, b);
}

bool nodes_connected(const struct world *w, uint32_t a, uint32_t b)
{
    return node_up(w, a) && node_up(w, b) && on_one_side(w, a, b);
}

struct node node_named(uint32_t node)
{
    if (is_client(node)) {
        return node_of(NODE_CLIENT, node - NODE_CLIENT_ZONE(0));
    }
    return node == NODE_DIRECTORY_ITSELF ? node_of(NODE_DIRECTORY, 0) : node_of(NODE_MACHINE, node);
}

/* --- how long it takes ------------------------------------------------------------------------ */

uint32_t node_load(const struct world *w, uint32_t node)
{
    CHECK(node < w->nodes.count);
    uint64_t bulk = nodes_in(w)[node].bulk;
    return bulk >= w->nodes.link ? THOUSAND : (uint32_t)(bulk * THOUSAND / w->nodes.link);
}

void node_bulk(struct world *w, uint32_t node, int64_t bytes_a_second)
{
    CHECK(node < w->nodes.count);
    struct node_row *row = nodes_of(w) + node;
    CHECK(bytes_a_second >= 0 || row->bulk >= (uint64_t)-bytes_a_second);
    row->bulk += (uint64_t)bytes_a_second;
}

/* What a small message waits behind the bulk at one end. */
static int64_t wait_at(const struct world *w, uint32_t node)
{
    if (node >= w->nodes.count) {
        return 0;
    }
    uint32_t load = node_load(w, node);
    load = load < NODE_LOAD_FULL ? load : NODE_LOAD_FULL;
    return NODE_WAIT_US * load / (THOUSAND - load);
}

static uint8_t zone_of(const struct world *w, uint32_t node)
{
    if (is_client(node)) {
        return (uint8_t)(node - NODE_CLIENT_ZONE(0));
    }
    return node == NODE_DIRECTORY_ITSELF ? w->config.directory_zone : nodes_in(w)[node].zone;
}

static uint32_t slow_of(const struct world *w, uint32_t node)
{
    return node < w->nodes.count ? nodes_in(w)[node].slow : 1;
}

int64_t node_way_us(const struct world *w, uint32_t from, uint32_t to)
{
    uint32_t slow = slow_of(w, from) > slow_of(w, to) ? slow_of(w, from) : slow_of(w, to);
    int64_t delay = w->config.delay_us[zone_of(w, from)][zone_of(w, to)];
    return delay * slow + wait_at(w, from) + wait_at(w, to);
}

/* --- messages --------------------------------------------------------------------------------- */

/* A free place; NO_INDEX with the world stopped when there is none. */
static uint32_t take_place(struct world *w)
{
    struct nodes_state *n = &w->nodes;
    if (n->free_message != 0) {
        uint32_t place = n->free_message - 1;
        n->free_message = node_messages_in(w)[place].next;
        return place;
    }
    if (n->messages_used == w->config.node_messages_max) {
        world_stop(w, STOP_NODES);
        return NO_INDEX;
    }
    return n->messages_used++;
}

uint32_t nodes_room(const struct world *w)
{
    return w->config.node_messages_max - w->nodes.under_way;
}

bool nodes_take_clients(const struct world *w)
{
    return nodes_room(w) > w->config.node_messages_max / 2u;
}

void node_send(struct world *w, const struct node_message *m)
{
    uint32_t place = take_place(w);
    if (place == NO_INDEX) {
        return;
    }
    struct node_message *copy = node_messages_of(w) + place;
    *copy = *m;
    copy->next = 0;
    copy->flying = 1;
    copy->life = m->to < w->nodes.count ? nodes_in(w)[m->to].life : 0;
    w->nodes.under_way++;
    if (m->from < w->nodes.count) {
        nodes_of(w)[m->from].sent++;
    }
    struct event *event = queue_at(w, w->now_us + node_way_us(w, m->from, m->to), EVENT_NODE);
    event->request = place;
    event->node = m->to;
}

void node_timer(struct world *w, uint32_t job, int64_t in_us, uint32_t request, uint16_t node,
                uint64_t value)
{
    struct event *event = queue_at(w, w->now_us + in_us, EVENT_JOB);
    event->detail = (uint8_t)job;
    event->request = request;
    event->node = node;
    event->carries.value = value;
}

/* One event less brings it; its place is free when none does. */
static void let_go(struct world *w, uint32_t place)
{
    struct node_message *m = node_messages_of(w) + place;
    CHECK(m->flying > 0);
    if (--m->flying == 0) {
        m->next = w->nodes.free_message;
        w->nodes.free_message = place + 1;
        w->nodes.under_way--;
    }
}

static void not_there(struct world *w, const struct node_message *m, enum nodes_reason reason)
{
    if (m->from < w->nodes.count) {
        nodes_of(w)[m->from].lost++;
    }
    if (!m->shown) {
        return;
    }
    struct trace_record *t = trace_add(w, TRACE_NODE);
    t->key = KEY_NONE_ID;
    t->from = node_named(m->from);
    t->to = node_named(m->to);
    t->reason = (uint16_t)reason;
    t->operand[0] = m->module;
    t->operand[1] = m->kind;
}

void nodes_kept(struct world *w, const struct event *event)
{
    let_go(w, event->request);
}

void nodes_doubled(struct world *w, const struct event *event)
{
    node_messages_of(w)[event->request].flying++;
}

void nodes_ends(const struct world *w, const struct event *event, struct node *from,
                struct node *to)
{
    const struct node_message *m = node_messages_in(w) + event->request;
    *from = node_named(m->from);
    *to = node_named(m->to);
}

/* Whether a message finds whom it looks for. */
static bool arrives(struct world *w, const struct node_message *m)
{
    if (!node_up(w, m->to)) {
        not_there(w, m, REASON_NODE_WAS_DOWN);
        return false;
    }
    if (m->to < w->nodes.count && nodes_in(w)[m->to].life != m->life) {
        not_there(w, m, REASON_NODE_ANOTHER_LIFE);
        return false;
    }
    if (!on_one_side(w, m->from, m->to)) {
        not_there(w, m, REASON_NODE_CUT_OFF);
        return false;
    }
    return true;
}

void nodes_deliver(struct world *w, const struct event *event)
{
    const struct node_message m = node_messages_in(w)[event->request];
    let_go(w, event->request);
    if (!arrives(w, &m)) {
        return;
    }
    switch ((enum node_module)m.module) {
    case MODULE_COPIES:
        copies_heard(w, &m);
        return;
    case MODULE_QUORUMS:
        quorums_heard(w, &m);
        return;
    case MODULE_WATCH:
        watch_heard(w, &m);
        return;
    case NODE_MODULES:
        break;
    }
    CHECK(false && "nobody's message");
}

/* Nodes themselves have no timers. */
void nodes_handle(struct world *w, const struct event *event)
{
    (void)w;
    CHECK(event->detail == JOB_NODE && false && "no such timer");
}

/* --- reading ---------------------------------------------------------------------------------- */

static bool has_majority(const struct world *w, uint8_t side)
{
    uint32_t there = 0;
    for (uint32_t i = 0; i < w->nodes.count; i++) {
        there += nodes_in(w)[i].side == side;
    }
    return there * 2 > w->nodes.count;
}

struct node_info world_node(const struct world *w, uint32_t node)
{
    CHECK(node < w->nodes.count);
    const struct node_row *row = nodes_in(w) + node;
    return (struct node_info){
        .zone = row->zone,
        .down = row->down,
        .cut_off = w->nodes.side != 0 && !has_majority(w, row->side),
        .side = row->side,
        .slow = row->slow,
        .sent = row->sent,
        .lost = row->lost,
        .bulk = row->bulk,
        .changed_us = row->changed_us,
    };
}

/* --- as a part of the world ------------------------------------------------------------------- */

/* Nobody who is down takes or sends bulk, and the places of messages are all known. */
bool nodes_hold(const struct world *w, struct err *err)
{
    for (uint32_t i = 0; i < w->nodes.count; i++) {
        const struct node_row *row = nodes_in(w) + i;
        if (row->down && row->bulk > 0) {
            return err_set(err,
                           "the-dead-are-silent: N%u is down and copies at %llu bytes a second",
                           i + 1, (unsigned long long)row->bulk);
        }
    }
    uint32_t flying = 0;
    for (uint32_t i = 0; i < w->nodes.messages_used; i++) {
        flying += node_messages_in(w)[i].flying > 0;
    }
    if (flying != w->nodes.under_way) {
        return err_set(err, "places-are-known: %u messages are under way, %u places are taken",
                       w->nodes.under_way, flying);
    }
    return true;
}

void nodes_lay_out(struct world *plan, uint64_t *end)
{
    plan->at.nodes = table_at(end, plan->config.nodes_max, sizeof(struct node_row));
    plan->at.node_messages =
        table_at(end, plan->config.node_messages_max, sizeof(struct node_message));
}

static void feed_message(struct digest *d, const struct node_message *m)
{
    DIGEST_FEED(d, m->from, m->to, m->module, m->kind, m->about, m->life, m->flying, m->shown);
    digest_all(d, m->word, sizeof m->word / sizeof m->word[0]);
}

void nodes_feed(struct digest *d, const struct world *w)
{
    const struct nodes_state *n = &w->nodes;
    if (n->count == 0) {
        return;
    }
    DIGEST_FEED(d, w->config.nodes_max, w->config.node_messages_max, n->count, n->side,
                n->free_message, n->messages_used, n->under_way, n->link);
    for (uint32_t i = 0; i < n->count; i++) {
        const struct node_row *row = nodes_in(w) + i;
        DIGEST_FEED(d, (uint64_t)row->changed_us, row->sent, row->lost, row->bulk, row->life,
                    row->slow, row->zone, row->side, row->down);
    }
    for (uint32_t i = 0; i < n->messages_used; i++) {
        const struct node_message *m = node_messages_in(w) + i;
        digest_u64(d, m->next);
        if (m->flying > 0) {
            feed_message(d, m);
        }
    }
}
