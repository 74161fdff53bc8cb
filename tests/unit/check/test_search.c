/*
 * The search finds exactly the best of all shortest ways, on small random graphs where every way
 * can be tried; it never says "holds" of what it could not look at.
 */
#include "check/search.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "graphs.h"

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
    if (t.depth == NO_FAILURE) {
        assert_int_equal(r.verdict, CHECK_HOLDS);
        assert_int_equal(r.states, t.reached);
        assert_int_equal(r.reached, t.situations);
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
    assert_int_equal(r.reached, t.situations);
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

/* Of the nodes so many steps away, and nearer. */
static uint32_t situations_within(const struct tried *t, unsigned depth)
{
    uint32_t all = 0;
    for (unsigned i = 0; i < NODES; i++) {
        all |= t->distance[i] <= depth ? situation_of(i) : 0;
    }
    return all;
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
            assert_int_equal(r.cut, CUT_ROOM);
            assert_int_equal(r.states, room);
            assert_int_equal(r.reached, room < 2 ? 0 : situations_within(&t, r.depth));
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
        if (t->distance[i] < NO_FAILURE && !home[i]) {
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
