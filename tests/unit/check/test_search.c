/*
 * The search finds exactly the best of all shortest ways, on small random graphs where every way
 * can be tried; it never says "holds" of what it could not look at.
 */
#include "base/alloc.h"
#include "base/prng.h"
#include "check/search.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define GRAPHS 50
#define NODES 60u
#define EDGES_MAX 4u
#define STEPS_MAX 64

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

static const struct check_model graph_model = {
    .name = "graph",
    .state_size = sizeof(struct node),
    .init = graph_init,
    .next = graph_next,
    .check = graph_check,
    .finished = graph_finished,
    .actor = graph_actor,
    .fault = graph_fault,
};

/* --- the same, by trying every way --- */

struct tried {
    unsigned graph;
    unsigned distance[NODES];
    unsigned depth; /* of the nearest failure; NODES: none */
    bool stuck;
    unsigned reached;
    uint16_t way[STEPS_MAX], best[STEPS_MAX];
    uint16_t start, best_start;
    bool found;
};

static void measure(struct tried *t, uint32_t rules)
{
    unsigned queue[NODES] = {0, 1};
    unsigned count = 2;
    for (unsigned i = 0; i < NODES; i++) {
        t->distance[i] = i < 2 ? 0 : NODES;
    }
    unsigned bad = NODES;
    unsigned dead = NODES;
    for (unsigned i = 0; i < count; i++) {
        unsigned node = queue[i];
        unsigned at = t->distance[node];
        bad = (rules & BAD_NODES) && is_bad(t->graph, node) && at < bad ? at : bad;
        dead = (rules & DEAD_ENDS) && edges_of(t->graph, node) == 0 && at < dead ? at : dead;
        for (unsigned edge = 0; edge < edges_of(t->graph, node); edge++) {
            unsigned to = target_of(t->graph, node, edge);
            if (t->distance[to] == NODES) {
                t->distance[to] = at + 1;
                queue[count++] = to;
            }
        }
    }
    t->stuck = dead < bad;
    t->depth = t->stuck ? dead : bad;
    for (unsigned i = 0; i < count; i++) {
        /* A stuck node shows when its level is left: by then the next level has been found. */
        t->reached += t->distance[queue[i]] <= t->depth + (t->stuck ? 1 : 0);
    }
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

static struct check_options roomy(void)
{
    return (struct check_options){.states_max = 5000, .bytes_max = 1 << 24, .threads = 1};
}

/* Returns how long the best way was, 0 when all holds. */
static unsigned compare_graph(unsigned graph, uint32_t rules, struct check_options options)
{
    struct tried t = {.graph = graph};
    struct check_scope scope = {.rules = rules, .size = (uint8_t)graph};
    measure(&t, rules);
    struct check_result r = check_search(&graph_model, &scope, &options);
    if (t.depth == NODES) {
        assert_int_equal(r.verdict, CHECK_HOLDS);
        assert_int_equal(r.states, t.reached);
        assert_null(r.action);
        return 0;
    }
    for (t.start = 0; t.start < 2; t.start++) {
        try_ways(&t, t.start, 0);
    }
    assert_true(t.found);
    assert_int_equal(r.verdict, CHECK_FAILS);
    assert_int_equal(r.depth, t.depth);
    assert_int_equal(r.states, t.reached);
    assert_memory_equal(r.action, t.best, t.depth * sizeof t.best[0]);
    struct node last;
    size_t taken = check_replay(&graph_model, &scope, r.start, r.action, r.depth, &last);
    assert_int_equal(taken, r.depth);
    assert_int_equal(r.broken, t.stuck ? 0 : 1 + last.number);
    assert_true(t.stuck ? edges_of(graph, last.number) == 0 : is_bad(graph, last.number));
    check_result_free(&r);
    return t.depth;
}

static void test_fifty_graphs_against_every_way(void **state)
{
    (void)state;
    unsigned longest = 0;
    for (unsigned graph = 1; graph <= GRAPHS; graph++) {
        for (uint32_t rules = 0; rules <= (BAD_NODES | DEAD_ENDS); rules++) {
            unsigned depth = compare_graph(graph, rules, roomy());
            longest = depth > longest ? depth : longest;
        }
    }
    assert_true(longest >= 4);
}

static void test_among_thousands_of_shortest_ways_the_best(void **state)
{
    (void)state;
    unsigned through = 0;
    for (unsigned graph = FAN; graph < FAN + GRAPHS; graph++) {
        through += compare_graph(graph, BAD_NODES, roomy()) == NODES / ROW - 1;
    }
    assert_true(through > GRAPHS / 2);
}

static void test_states_with_the_same_hash_are_told_apart(void **state)
{
    (void)state;
    struct check_options options = roomy();
    options.hashes_collide = true;
    for (unsigned graph = 1; graph <= GRAPHS; graph++) {
        compare_graph(graph, 0, options);
        compare_graph(graph, BAD_NODES | DEAD_ENDS, options);
    }
}

static void test_no_room_is_never_called_safe(void **state)
{
    (void)state;
    struct check_options options = roomy();
    for (unsigned graph = 1; graph <= GRAPHS; graph++) {
        struct tried t = {.graph = graph};
        struct check_scope scope = {.size = (uint8_t)graph};
        measure(&t, 0);
        for (unsigned room = 1; room <= t.reached; room++) {
            options.states_max = room;
            struct check_result r = check_search(&graph_model, &scope, &options);
            assert_int_equal(r.verdict, room < t.reached ? CHECK_CUT : CHECK_HOLDS);
            assert_int_equal(r.states, room);
        }
    }
}

static void test_a_failure_is_found_even_where_room_ends(void **state)
{
    (void)state;
    struct check_options options = roomy();
    for (unsigned graph = 1; graph <= GRAPHS; graph++) {
        struct check_scope scope = {.rules = BAD_NODES | DEAD_ENDS, .size = (uint8_t)graph};
        struct check_result whole = check_search(&graph_model, &scope, &options);
        bool failed_before = false;
        for (uint64_t room = 1; room <= whole.states; room++) {
            struct check_options tight = options;
            tight.states_max = room;
            struct check_result r = check_search(&graph_model, &scope, &tight);
            assert_int_not_equal(r.verdict, room < whole.states ? CHECK_HOLDS : CHECK_CUT);
            assert_false(failed_before && r.verdict != CHECK_FAILS);
            if (r.verdict == CHECK_FAILS) {
                failed_before = true;
                assert_int_equal(r.depth, whole.depth);
                assert_int_equal(r.start, whole.start);
                assert_memory_equal(r.action, whole.action, r.depth * sizeof r.action[0]);
            }
            check_result_free(&r);
        }
        assert_true(failed_before || whole.verdict != CHECK_FAILS);
        check_result_free(&whole);
    }
}

/* --- what can still be finished --- */

/* Which of the reached nodes can get home, by trying again until nothing changes. */
static unsigned count_dead(const struct tried *t, bool *home, unsigned *nearest)
{
    unsigned dead = 0;
    bool changed = true;
    for (unsigned i = 0; i < NODES; i++) {
        home[i] = is_home(t->graph, i);
    }
    while (changed) {
        changed = false;
        for (unsigned i = 0; i < NODES; i++) {
            for (unsigned edge = 0; !home[i] && edge < edges_of(t->graph, i); edge++) {
                home[i] = home[target_of(t->graph, i, edge)];
                changed |= home[i];
            }
        }
    }
    *nearest = NODES;
    for (unsigned i = 0; i < NODES; i++) {
        if (t->distance[i] < NODES && !home[i]) {
            dead++;
            *nearest = t->distance[i] < *nearest ? t->distance[i] : *nearest;
        }
    }
    return dead;
}

static void test_what_can_never_be_finished_is_found(void **state)
{
    (void)state;
    unsigned failing = 0;
    for (unsigned graph = 1; graph <= GRAPHS; graph++) {
        struct tried t = {.graph = graph};
        bool home[NODES];
        unsigned nearest;
        struct check_scope scope = {.rules = HOMES, .size = (uint8_t)graph};
        struct check_options options = roomy();
        measure(&t, 0);
        unsigned dead = count_dead(&t, home, &nearest);
        struct check_result r = check_search(&graph_model, &scope, &options);
        assert_int_equal(r.verdict, CHECK_HOLDS);
        assert_int_equal(r.dead, 0);
        options.live = true;
        r = check_search(&graph_model, &scope, &options);
        assert_int_equal(r.dead, dead);
        assert_int_equal(r.states, t.reached);
        assert_int_equal(r.verdict, dead > 0 ? CHECK_FAILS : CHECK_HOLDS);
        if (dead > 0) {
            struct node last;
            failing++;
            assert_int_equal(r.depth, nearest);
            assert_int_equal(r.broken, CHECK_DEAD);
            size_t taken = check_replay(&graph_model, &scope, r.start, r.action, r.depth, &last);
            assert_int_equal(taken, r.depth);
            assert_false(home[last.number]);
        }
        check_result_free(&r);
    }
    assert_in_range(failing, GRAPHS / 4, GRAPHS);
}

/* --- three counters that nobody can tell apart --- */

struct counters {
    uint8_t count[3];
    uint8_t unused[13];
};

enum {
    COUNT_TOP = 3,
    ALL_TWO_IS_BAD = 1,
    START_IS_BAD = 2
};

static void counters_init(const struct check_scope *scope, struct check_out *out)
{
    (void)scope;
    struct counters *start = check_put(out, 7);
    *start = (struct counters){.count = {0}};
}

static void counters_next(const struct check_scope *scope, const void *state, struct check_out *out)
{
    const struct counters *now = state;
    (void)scope;
    for (unsigned i = 0; i < 3; i++) {
        if (now->count[i] < COUNT_TOP) {
            struct counters *to = check_put(out, (uint16_t)i);
            *to = *now;
            to->count[i]++;
        }
    }
}

static int counters_check(const struct check_scope *scope, const void *state)
{
    const uint8_t *count = ((const struct counters *)state)->count;
    bool all_two = count[0] == 2 && count[1] == 2 && count[2] == 2;
    bool start = count[0] + count[1] + count[2] == 0;
    return ((scope->rules & ALL_TWO_IS_BAD) && all_two) || ((scope->rules & START_IS_BAD) && start);
}

static bool counters_finished(const struct check_scope *scope, const void *state)
{
    (void)state;
    return scope->size > 0;
}

static void counters_canon(const struct check_scope *scope, void *state)
{
    uint8_t *count = ((struct counters *)state)->count;
    (void)scope;
    for (unsigned i = 0; i < 2; i++) {
        for (unsigned j = 0; j < 2 - i; j++) {
            if (count[j] > count[j + 1]) {
                uint8_t keep = count[j];
                count[j] = count[j + 1];
                count[j + 1] = keep;
            }
        }
    }
}

static unsigned counters_actor(uint16_t action)
{
    return action;
}

static struct check_model counters_model(bool canon)
{
    return (struct check_model){
        .name = "counters",
        .state_size = sizeof(struct counters),
        .init = counters_init,
        .next = counters_next,
        .check = counters_check,
        .finished = counters_finished,
        .canon = canon ? counters_canon : NULL,
        .actor = counters_actor,
    };
}

static void test_names_that_do_not_matter_are_searched_once(void **state)
{
    (void)state;
    struct check_options options = roomy();
    struct check_scope scope = {.rules = 0, .size = 1};
    struct check_model plain = counters_model(false);
    struct check_model sorted = counters_model(true);
    struct check_result r = check_search(&plain, &scope, &options);
    assert_int_equal(r.verdict, CHECK_HOLDS);
    assert_int_equal(r.states, 64);
    assert_int_equal(r.depth, 9);
    r = check_search(&sorted, &scope, &options);
    assert_int_equal(r.verdict, CHECK_HOLDS);
    assert_int_equal(r.states, 20);
    assert_int_equal(r.depth, 9);
}

static void test_a_way_through_sorted_states_keeps_the_first_names(void **state)
{
    (void)state;
    static const uint16_t expected[6] = {0, 0, 1, 1, 2, 2};
    struct check_options options = roomy();
    struct check_scope scope = {.rules = ALL_TWO_IS_BAD, .size = 1};
    for (int canon = 0; canon < 2; canon++) {
        struct check_model model = counters_model(canon == 1);
        struct check_result r = check_search(&model, &scope, &options);
        assert_int_equal(r.verdict, CHECK_FAILS);
        assert_int_equal(r.depth, 6);
        assert_int_equal(r.start, 7);
        assert_memory_equal(r.action, expected, sizeof expected);
        struct counters last;
        assert_int_equal(check_replay(&model, &scope, r.start, r.action, r.depth, &last), 6);
        assert_int_equal(counters_check(&scope, &last), 1);
        check_result_free(&r);
    }
}

static void test_standing_still_unfinished_is_a_failure(void **state)
{
    (void)state;
    struct check_options options = roomy();
    struct check_scope scope = {.rules = 0, .size = 0};
    struct check_model model = counters_model(false);
    struct check_result r = check_search(&model, &scope, &options);
    assert_int_equal(r.verdict, CHECK_FAILS);
    assert_int_equal(r.broken, 0);
    assert_int_equal(r.depth, 9);
    check_result_free(&r);
}

static void test_a_bad_start_is_a_failure_of_no_steps(void **state)
{
    (void)state;
    struct check_options options = roomy();
    struct check_scope scope = {.rules = START_IS_BAD, .size = 1};
    struct check_model model = counters_model(false);
    struct check_result r = check_search(&model, &scope, &options);
    assert_int_equal(r.verdict, CHECK_FAILS);
    assert_int_equal(r.depth, 0);
    assert_int_equal(r.start, 7);
    assert_int_equal(r.broken, 1);
    check_result_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fifty_graphs_against_every_way),
        cmocka_unit_test(test_among_thousands_of_shortest_ways_the_best),
        cmocka_unit_test(test_states_with_the_same_hash_are_told_apart),
        cmocka_unit_test(test_no_room_is_never_called_safe),
        cmocka_unit_test(test_a_failure_is_found_even_where_room_ends),
        cmocka_unit_test(test_what_can_never_be_finished_is_found),
        cmocka_unit_test(test_names_that_do_not_matter_are_searched_once),
        cmocka_unit_test(test_a_way_through_sorted_states_keeps_the_first_names),
        cmocka_unit_test(test_standing_still_unfinished_is_a_failure),
        cmocka_unit_test(test_a_bad_start_is_a_failure_of_no_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
