/*
 * nodes_apply: machines join, die and come back; the network is cut, and heals.
 */
#include "engine/apply.h"
#include "engine/nodes/nodes_inside.h"
#include <string.h>

static bool exists(const struct world *w, uint32_t node, struct err *err)
{
    if (w->nodes.count == 0) {
        return err_set(err, "this world has no nodes yet; first: node add a 3");
    }
    if (node >= w->nodes.count) {
        return err_set(err, "no node N%u: this world has N1 to N%u", node + 1, w->nodes.count);
    }
    return true;
}

static bool add(struct world *w, const struct command *c, struct err *err)
{
    struct nodes_state *n = &w->nodes;
    if (c->zone != ZONE_ANY && c->zone >= w->config.zones) {
        return err_set(err, "no zone %c: this world has a to %c", 'a' + c->zone,
                       'a' + w->config.zones - 1);
    }
    if (n->count == w->config.nodes_max) {
        return err_set(err, "this world has room for %u nodes and has as many",
                       w->config.nodes_max);
    }
    if (c->count == 0 || c->count > w->config.nodes_max - n->count) {
        return err_set(err, "this world has room for %u nodes and has %u; 1 to %u can join",
                       w->config.nodes_max, n->count, w->config.nodes_max - n->count);
    }
    apply_note(w, c, KEY_NONE_ID, node_of(NODE_MACHINE, n->count), NODE_MODE_ADD,
               (int64_t)c->count);
    n->link = n->count == 0 ? NODE_LINK_FIRST : n->link;
    for (uint32_t i = 0; i < c->count; i++) {
        struct node_row *row = nodes_of(w) + n->count;
        uint8_t in_turn = (uint8_t)(n->count % w->config.zones);
        *row = (struct node_row){.changed_us = w->now_us, .life = 1, .slow = 1, .zone = c->zone};
        row->zone = c->zone == ZONE_ANY ? in_turn : c->zone;
        n->count++;
    }
    return true;
}

static bool die(struct world *w, const struct command *c, struct err *err)
{
    struct node_row *row = nodes_of(w) + c->shard;
    (void)err;
    if (row->down) {
        return true; /* as it is already */
    }
    apply_note(w, c, KEY_NONE_ID, node_of(NODE_MACHINE, c->shard), NODE_MODE_DOWN, 0);
    row->down = true;
    row->changed_us = w->now_us;
    copies_node_died(w, c->shard);
    quorums_node_died(w, c->shard);
    watch_node_died(w, c->shard);
    return true;
}

static bool come_back(struct world *w, const struct command *c, struct err *err)
{
    struct node_row *row = nodes_of(w) + c->shard;
    if (!row->down) {
        return true;
    }
    uint32_t timers = w->config.groups_max + STORE_HISTORY_MAX * (uint32_t)w->config.stores_max + 1;
    if (!apply_event_room(w, timers, err)) {
        return false;
    }
    apply_note(w, c, KEY_NONE_ID, node_of(NODE_MACHINE, c->shard), NODE_MODE_UP,
               w->now_us - row->changed_us);
    row->down = false;
    row->life++;
    row->changed_us = w->now_us;
    copies_node_back(w, c->shard);
    quorums_node_back(w, c->shard);
    watch_node_back(w, c->shard);
    return true;
}

static bool be_slow(struct world *w, const struct command *c, struct err *err)
{
    if (c->count < 1 || c->count > NODE_SLOW_MAX) {
        return err_set(err, "a node's messages take 1 (as ever) to %u times as long",
                       NODE_SLOW_MAX);
    }
    apply_note(w, c, KEY_NONE_ID, node_of(NODE_MACHINE, c->shard), NODE_MODE_SLOW,
               (int64_t)c->count);
    nodes_of(w)[c->shard].slow = c->count;
    return true;
}

static bool set_link(struct world *w, const struct command *c, struct err *err)
{
    if (c->amount < 1000 || c->amount > NODE_LINK_MAX) {
        return err_set(err, "a link carries 1KB to 1000GB a second");
    }
    if (!exists(w, 0, err)) {
        return false;
    }
    apply_note(w, c, KEY_NONE_ID, node_of(NODE_NONE, 0), NODE_MODE_LINK, (int64_t)c->amount);
    w->nodes.link = c->amount;
    copies_net_changed(w);
    return true;
}

static bool apply_node(struct world *w, const struct command *c, struct err *err)
{
    switch ((enum node_mode)c->mode) {
    case NODE_MODE_ADD:
        return add(w, c, err);
    case NODE_MODE_DOWN:
        return exists(w, c->shard, err) && die(w, c, err);
    case NODE_MODE_UP:
        return exists(w, c->shard, err) && come_back(w, c, err);
    case NODE_MODE_SLOW:
        return exists(w, c->shard, err) && be_slow(w, c, err);
    case NODE_MODE_LINK:
        return set_link(w, c, err);
    }
    CHECK(false && "no such step");
    return false;
}

static bool split(struct world *w, const struct command *c, struct err *err)
{
    uint64_t mask[NODE_SIDES] = {0};
    uint64_t named = 0;
    for (uint32_t i = 0; i < NODES_MAX; i++) {
        uint8_t side = (uint8_t)c->key[i];
        if (side == 0) {
            continue;
        }
        if (side >= NODE_SIDES) {
            return err_set(err, "a cut has at most %d sides, that of the others included",
                           NODE_SIDES);
        }
        if (!exists(w, i, err)) {
            return false;
        }
        mask[side] |= UINT64_C(1) << i;
        named |= UINT64_C(1) << i;
    }
    if (named == 0) {
        return err_set(err, "nobody is cut off; name the nodes of one side: split N1 N2");
    }
    apply_note(w, c, KEY_NONE_ID, node_of(NODE_NONE, 0), (int64_t)mask[1], (int64_t)mask[2]);
    trace_of(w)[(w->trace_next - 1) & (w->config.trace_max - 1)].value = mask[3];
    for (uint32_t i = 0; i < w->nodes.count; i++) {
        nodes_of(w)[i].side = (uint8_t)c->key[i];
    }
    w->nodes.side = named;
    copies_net_changed(w);
    return true;
}

static bool heal(struct world *w, const struct command *c, struct err *err)
{
    (void)err;
    if (w->nodes.side == 0) {
        return true; /* there is no cut */
    }
    apply_note(w, c, KEY_NONE_ID, node_of(NODE_NONE, 0), 0, 0);
    for (uint32_t i = 0; i < w->nodes.count; i++) {
        nodes_of(w)[i].side = 0;
    }
    w->nodes.side = 0;
    copies_net_changed(w);
    return true;
}

bool nodes_apply(struct world *w, const struct command *c, struct err *err)
{
    if (c->kind == COMMAND_NODE) {
        return apply_node(w, c, err);
    }
    return c->kind == COMMAND_SPLIT ? split(w, c, err) : heal(w, c, err);
}
