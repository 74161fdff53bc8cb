/*
 * sim_quorums: stores without leaders under deaths, cuts, slow nodes, and whatever else the network
 * does; and heartbeats, in worlds of their own.
 *
 * In the end all nodes are up and the network is whole: nobody keeps a hint any more. Where sets
 * overlap and reads repair before they answer, what clients saw must be linearizable.
 */
#include "sim_ops.h"

#include "check/history.h"
#include "engine/nodes/nodes.h"
#include "engine/quorums/quorums.h"
#include "engine/watch/watch.h"
#include <stdio.h>

#define NODES_SEEN 7
#define STORES_SEEN 2
#define KEYS_SEEN 2

static void draw_nodes(struct sim *s)
{
    struct world_config *c = &s->config;
    c->nodes_max = c->nodes_max > NODES_SEEN ? c->nodes_max : NODES_SEEN;
    c->node_messages_max = c->node_messages_max > 1024 ? c->node_messages_max : 1024;
}

static void draw(struct sim *s)
{
    draw_nodes(s);
    s->config.stores_max = STORES_SEEN;
}

static uint32_t nodes(const struct sim *s)
{
    uint32_t count = world_nodes(s->world);
    return count < NODES_SEEN ? count : NODES_SEEN;
}

static uint32_t some_node(struct sim *s)
{
    return 1 + more_below(s, nodes(s));
}

/* How a store repairs and what it keeps is said before its first operation, and stays. */
static bool begin_store(struct sim *s)
{
    static const char *const repairs[] = {"off", "after", "before", "before"};
    uint32_t store = more_below(s, STORES_SEEN);
    uint32_t most = nodes(s) < STORE_COPIES_MAX ? nodes(s) : STORE_COPIES_MAX;
    uint32_t n = more_below(s, 3) == 0 ? 1 + more_below(s, most) : 3;
    bool sloppy = more_below(s, 2) == 0;
    uint32_t r = 1 + more_below(s, n); /* one draw a statement: the order of arguments is free */
    uint32_t w = 1 + more_below(s, n);
    if (!sim_do(s, "store D%u %u %u %u%s", store, n, w, r, sloppy ? " sloppy" : "")) {
        return false;
    }
    sim_do(s, "store D%u repair %s", store, repairs[more_below(s, 4)]);
    sim_do(s, "store D%u versions %s", store, more_below(s, 2) == 0 ? "clock" : "last");
    return !sloppy || sim_do(s, "store D%u hints %s", store, more_below(s, 3) == 0 ? "off" : "on");
}

static bool set_or_get(struct sim *s)
{
    uint32_t store = more_below(s, STORES_SEEN);
    uint32_t key = more_below(s, KEYS_SEEN);
    if (more_below(s, 2) == 0) {
        return sim_do(s, "get D%u k%u via N%u", store, key, some_node(s));
    }
    uint32_t node = some_node(s);
    uint32_t value = 1 + more_below(s, 1000000000);
    return sim_do(s, "set D%u k%u %u via N%u", store, key, value, node);
}

static bool cut_or_heal(struct sim *s)
{
    if (more_below(s, 3) == 0) {
        return sim_do(s, "heal");
    }
    uint32_t first = some_node(s);
    uint32_t second = 1 + first % nodes(s);
    return more_below(s, 2) == 0 ? sim_do(s, "split N%u", first)
                                 : sim_do(s, "split N%u N%u", first, second);
}

static bool disturb_node(struct sim *s)
{
    static const uint32_t slow[] = {1, 1, 10, 50, 400};
    uint32_t node = some_node(s);
    switch (more_below(s, 4)) {
    case 0:
        return sim_do(s, "node N%u slow %u", node, slow[more_below(s, 5)]);
    case 1:
        return sim_do(s, "node N%u down", node);
    default:
        return sim_do(s, "node N%u up", node);
    }
}

static bool act(struct sim *s)
{
    if (nodes(s) < 3 || (nodes(s) < NODES_SEEN && more_below(s, 60) == 0)) {
        return sim_do(s, "node add any %u", 3 + more_below(s, 3));
    }
    if (world_stores(s->world) == 0 || more_below(s, 60) == 0) {
        return begin_store(s);
    }
    switch (more_below(s, 10)) {
    case 0:
        return cut_or_heal(s);
    case 1:
    case 2:
        return disturb_node(s);
    default:
        return set_or_get(s);
    }
}

static void calm_nodes(struct sim *s)
{
    sim_do(s, "heal");
    for (uint32_t i = 0; i < world_nodes(s->world); i++) {
        sim_do(s, "node N%u up", i + 1);
        sim_do(s, "node N%u slow 1", i + 1);
    }
}

/* --- in the end --- */

static bool no_hint_is_left(struct sim *s, uint32_t store, uint32_t key)
{
    struct store_held held[NODES_MAX];
    uint32_t count = world_store_held(s->world, store, key, held);
    for (uint32_t i = 0; i < count; i++) {
        if (held[i].hint_for != UINT32_MAX) {
            return err_set(&s->err, "hints-end: all is quiet, and N%u keeps a hint for N%u",
                           held[i].node + 1, held[i].hint_for + 1);
        }
    }
    return true;
}

/* What clients saw of a key; false: a read got several values. */
static bool pick(const struct store_op *ops, uint32_t count, uint32_t key, struct history *out,
                 struct history_op *picked)
{
    out->op = picked;
    out->count = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (ops[i].key != key || (!ops[i].write && !ops[i].ok)) {
            continue;
        }
        if (ops[i].versions > 1) {
            return false;
        }
        picked[out->count++] =
            (struct history_op){.invoked = ops[i].asked_no,
                                .returned = ops[i].ok ? ops[i].ended_no : HISTORY_NEVER,
                                .value = (int64_t)ops[i].value,
                                .read = !ops[i].write};
    }
    return true;
}

static bool is_linearizable(struct sim *s, uint32_t store, uint32_t key)
{
    struct store_info info = world_store(s->world, store);
    bool promised = !info.sloppy && info.repair_first && info.w + info.r > info.n;
    if (!promised || info.sets + info.gets > STORE_HISTORY_MAX) {
        return true;
    }
    struct store_op ops[STORE_HISTORY_MAX];
    struct history_op picked[STORE_HISTORY_MAX];
    struct history history = {.kind = HISTORY_REGISTER, .nodes_max = 20000};
    uint32_t count = world_store_history(s->world, store, ops);
    if (!pick(ops, count, key, &history, picked)) {
        return true;
    }
    struct history_result result = history_check(&history);
    enum history_verdict verdict = result.verdict;
    history_result_free(&result);
    if (verdict == HISTORY_NOT) {
        return err_set(&s->err,
                       "linearizable: reads of %s repair before they answer, and what clients saw "
                       "of its key %u fits no single copy",
                       info.name, key);
    }
    return true;
}

static bool rests(struct sim *s)
{
    for (uint32_t store = 0; store < world_stores(s->world); store++) {
        for (uint32_t key = 0; key < world_store(s->world, store).keys; key++) {
            if (!no_hint_is_left(s, store, key) || !is_linearizable(s, store, key)) {
                return false;
            }
        }
    }
    return true;
}

const struct sim_extra sim_extra_quorums = {
    .name = "quorums", .draw = draw, .act = act, .calm = calm_nodes, .rests = rests};

/* --- heartbeats --- */

static bool act_watch(struct sim *s)
{
    static const uint32_t periods[] = {2, 5, 10, 25};
    uint32_t period = periods[more_below(s, 4)];
    if (nodes(s) < 3) {
        return sim_do(s, "node add any 3");
    }
    if (world_watch(s->world).on && more_below(s, 12) > 0) {
        return more_below(s, 4) == 0 ? cut_or_heal(s) : disturb_node(s);
    }
    switch (more_below(s, 5)) {
    case 0:
        return sim_do(s, "beats off");
    case 1:
    case 2:
        return sim_do(s, "beats %u timeout %u", period, period * (1 + more_below(s, 4)) + 1);
    default:
        return sim_do(s, "beats %u phi %u", period, 1 + more_below(s, 9));
    }
}

static void calm_watch(struct sim *s)
{
    calm_nodes(s);
    sim_do(s, "beats off");
}

const struct sim_extra sim_extra_watch = {
    .name = "watch", .draw = draw_nodes, .act = act_watch, .calm = calm_watch};
