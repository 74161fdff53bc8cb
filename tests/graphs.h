/*
 * graphs: small random graphs as a model for the search, and the same searched by trying every way.
 */
#ifndef HOTSHARD_TESTS_GRAPHS_H
#define HOTSHARD_TESTS_GRAPHS_H

#include "base/prng.h"
#include "check/search.h"
#include <string.h>

#define GRAPHS 50
#define NODES 60u
#define EDGES_MAX 4u
#define STEPS_MAX 128
#define NO_FAILURE STEPS_MAX

/* A graph is a pure function of its number, which the scope carries as its size. From FAN on, nodes
 * stand in rows and lead to the next row only: there are thousands of shortest ways, many as good
 * as others up to their last step. */
#define FAN 100u
#define ROW 6u

enum graph_rule {
    BAD_NODES = 1, /* some nodes break a promise */
    DEAD_ENDS = 2, /* a node without a way on is a failure */
    HOMES = 4      /* only some nodes are finished; one without a way on stays where it is */
};

struct node {
    uint8_t number;
    uint8_t unused[15];
};

_Static_assert(sizeof(struct node) == 16, "bytes only");

static uint64_t draw(unsigned graph, unsigned node, unsigned what)
{
    return mix64(mix64((uint64_t)graph << 32 | node) + what);
}

static bool is_bad(unsigned graph, unsigned node)
{
    if (graph >= FAN) {
        return node >= NODES - ROW && draw(graph, node, 1) % 2 == 0;
    }
    return node > 3 && draw(graph, node, 1) % 12 == 0;
}

static unsigned edges_of(unsigned graph, unsigned node)
{
    if (graph >= FAN && node >= NODES - ROW) {
        return 0;
    }
    return draw(graph, node, 2) % 9 == 0 ? 0 : 2 + (unsigned)(draw(graph, node, 3) % 3);
}

static unsigned target_of(unsigned graph, unsigned node, unsigned edge)
{
    uint64_t number = draw(graph, node, 10 + edge);
    return (unsigned)(graph >= FAN ? (node / ROW + 1) * ROW + number % ROW : number % NODES);
}

/* A fault in bit 8, the actor from bit 4 on, the edge. Edges are put in no order of their own. */
static uint16_t action_of(unsigned graph, unsigned node, unsigned edge)
{
    unsigned fault = draw(graph, node, 20 + edge) % 3 == 0;
    unsigned actor = (unsigned)(draw(graph, node, 30 + edge) % 3);
    return (uint16_t)(fault << 8 | actor << 4 | (EDGES_MAX - 1 - edge));
}

static unsigned graph_actor(uint16_t action)
{
    return action >> 4 & 15u;
}

static bool graph_fault(uint16_t action)
{
    return action >> 8 != 0;
}

static void put_node(struct check_out *out, uint16_t action, unsigned number)
{
    struct node *node = check_put(out, action);
    *node = (struct node){.number = (uint8_t)number};
}

static void graph_init(const struct check_scope *scope, struct check_out *out)
{
    (void)scope;
    put_node(out, 1, 1);
    put_node(out, 0, 0);
}

static bool is_home(unsigned graph, unsigned node)
{
    return draw(graph, node, 4) % 8 == 0;
}

static void graph_next(const struct check_scope *scope, const void *state, struct check_out *out)
{
    unsigned node = ((const struct node *)state)->number;
    if ((scope->rules & HOMES) && edges_of(scope->size, node) == 0) {
        put_node(out, 0, node);
    }
    for (unsigned edge = 0; edge < edges_of(scope->size, node); edge++) {
        put_node(out, action_of(scope->size, node, edge), target_of(scope->size, node, edge));
    }
}

static int graph_check(const struct check_scope *scope, const void *state)
{
    unsigned node = ((const struct node *)state)->number;
    return (scope->rules & BAD_NODES) && is_bad(scope->size, node) ? 1 + (int)node : 0;
}

static bool graph_finished(const struct check_scope *scope, const void *state)
{
    if (scope->rules & HOMES) {
        return is_home(scope->size, ((const struct node *)state)->number);
    }
    return !(scope->rules & DEAD_ENDS);
}

static uint32_t situation_of(unsigned node)
{
    return UINT32_C(1) << node % CHECK_SITUATIONS_MAX;
}

static uint32_t graph_situations(const struct check_scope *scope, const void *state)
{
    (void)scope;
    return situation_of(((const struct node *)state)->number);
}

static const struct check_model graph_model = {
    .name = "graph",
    .state_size = sizeof(struct node),
    .init = graph_init,
    .next = graph_next,
    .check = graph_check,
    .situations = graph_situations,
    .finished = graph_finished,
    .actor = graph_actor,
    .fault = graph_fault,
};

/* --- the same, by trying every way --- */

struct tried {
    unsigned graph;
    unsigned distance[NODES];
    unsigned before; /* steps that were taken already; distances count them */
    unsigned depth;  /* of the nearest failure; NO_FAILURE: there is none */
    bool stuck;
    unsigned reached;
    uint32_t situations;
    uint16_t way[STEPS_MAX], best[STEPS_MAX];
    uint16_t start, best_start;
    bool found;
};

/* From these nodes, which stand after t->before steps. */
static void measure_from(struct tried *t, uint32_t rules, const unsigned *start, unsigned starts)
{
    unsigned queue[NODES];
    unsigned count = 0;
    for (unsigned i = 0; i < NODES; i++) {
        t->distance[i] = NO_FAILURE;
    }
    for (unsigned i = 0; i < starts; i++) {
        t->distance[start[i]] = t->before;
        queue[count++] = start[i];
    }
    unsigned bad = NO_FAILURE;
    unsigned dead = NO_FAILURE;
    for (unsigned i = 0; i < count; i++) {
        unsigned node = queue[i];
        unsigned at = t->distance[node];
        bad = (rules & BAD_NODES) && is_bad(t->graph, node) && at < bad ? at : bad;
        dead = (rules & DEAD_ENDS) && edges_of(t->graph, node) == 0 && at < dead ? at : dead;
        for (unsigned edge = 0; edge < edges_of(t->graph, node); edge++) {
            unsigned to = target_of(t->graph, node, edge);
            if (t->distance[to] == NO_FAILURE) {
                t->distance[to] = at + 1;
                queue[count++] = to;
            }
        }
    }
    t->stuck = dead < bad;
    t->depth = t->stuck ? dead : bad;
    t->reached = 0;
    t->situations = 0;
    for (unsigned i = 0; i < count; i++) {
        /* A stuck node shows when its level is left: by then the next level has been found. */
        if (t->distance[queue[i]] <= t->depth + (t->stuck ? 1 : 0)) {
            t->reached++;
            t->situations |= situation_of(queue[i]);
        }
    }
}

static inline void measure(struct tried *t, uint32_t rules)
{
    static const unsigned start[2] = {0, 1};
    t->before = 0;
    measure_from(t, rules, start, 2);
}

/* The way that was taken with the best so far: faults, changes of actor, start, actions. */
static int compare_ways(const struct tried *t, unsigned steps)
{
    const uint16_t *a = t->way;
    const uint16_t *b = t->best;
    int faults = 0;
    int changes = 0;
    int list = t->start - t->best_start;
    for (unsigned i = 0; i < steps; i++) {
        faults += graph_fault(a[i]) - graph_fault(b[i]);
        if (i > 0) {
            changes += graph_actor(a[i]) != graph_actor(a[i - 1]);
            changes -= graph_actor(b[i]) != graph_actor(b[i - 1]);
        }
        list = list != 0 ? list : a[i] - b[i];
    }
    return faults != 0 ? faults : changes != 0 ? changes : list;
}

static void try_ways(struct tried *t, unsigned node, unsigned steps)
{
    if (steps == t->depth) {
        bool failure = t->stuck ? edges_of(t->graph, node) == 0 : is_bad(t->graph, node);
        if (failure && (!t->found || compare_ways(t, steps) < 0)) {
            memcpy(t->best, t->way, sizeof t->best);
            t->best_start = t->start;
            t->found = true;
        }
        return;
    }
    for (unsigned edge = 0; edge < edges_of(t->graph, node); edge++) {
        unsigned to = target_of(t->graph, node, edge);
        if (t->distance[to] == steps + 1) {
            t->way[steps] = action_of(t->graph, node, edge);
            try_ways(t, to, steps + 1);
        }
    }
}

#endif
