/*
 * A search from a prefix finds exactly the best of all ways on from there; and a search that is
 * ended, by its time or by somebody, says so and stops at once.
 */
#include "base/prng.h"
#include "check/search.h"
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "graphs.h"
#include "sanitized.h"

static struct check_options roomy(void)
{
    return (struct check_options){.states_max = 5000, .bytes_max = 1 << 24, .threads = 1};
}

/* --- from a prefix --- */

/* Walks `steps` steps of the graph at random into t->way; false where a node has no way on. */
static bool wander(struct tried *t, unsigned steps, unsigned salt, unsigned *node)
{
    t->start = (uint16_t)(salt % 2);
    *node = t->start;
    for (unsigned i = 0; i < steps; i++) {
        if (edges_of(t->graph, *node) == 0) {
            return false;
        }
        unsigned edge = (unsigned)(draw(t->graph, salt, 40 + i) % edges_of(t->graph, *node));
        t->way[i] = action_of(t->graph, *node, edge);
        *node = target_of(t->graph, *node, edge);
    }
    t->before = steps;
    t->best_start = t->start;
    return true;
}

/* Returns whether there was such a prefix and a way on from it. */
static bool compare_from(unsigned graph, uint32_t rules, unsigned steps, unsigned salt)
{
    struct tried t = {.graph = graph};
    struct check_scope scope = {.rules = rules, .size = (uint8_t)graph};
    struct check_options options = roomy();
    unsigned node;
    if (!wander(&t, steps, salt, &node)) {
        return false;
    }
    measure_from(&t, rules, &node, 1);
    struct check_result r;
    assert_true(check_search_from(&graph_model, &scope, &options, t.start, t.way, steps, &r));
    assert_int_equal(r.states, t.reached);
    assert_int_equal(r.reached, t.situations);
    if (t.depth == NO_FAILURE) {
        assert_int_equal(r.verdict, CHECK_HOLDS);
        assert_null(r.action);
        return false;
    }
    uint16_t prefix[STEPS_MAX];
    memcpy(prefix, t.way, sizeof prefix);
    try_ways(&t, node, steps);
    assert_true(t.found);
    assert_int_equal(r.verdict, CHECK_FAILS);
    assert_int_equal(r.depth, t.depth);
    assert_int_equal(r.start, t.start);
    assert_memory_equal(r.action, prefix, steps * sizeof prefix[0]);
    assert_memory_equal(r.action, t.best, t.depth * sizeof t.best[0]);
    struct node last;
    assert_int_equal(check_replay(&graph_model, &scope, r.start, r.action, r.depth, &last),
                     r.depth);
    assert_int_equal(r.broken, t.stuck ? 0 : 1 + last.number);
    check_result_free(&r);
    return true;
}

static void test_the_best_way_on_from_any_prefix(void **state)
{
    (void)state;
    unsigned failing = 0;
    for (unsigned graph = 1; graph <= GRAPHS; graph++) {
        for (unsigned steps = 0; steps <= 4; steps++) {
            for (unsigned salt = 0; salt < 4; salt++) {
                failing += compare_from(graph, BAD_NODES, steps, salt);
                failing += compare_from(graph, BAD_NODES | DEAD_ENDS, steps, salt);
            }
        }
    }
    assert_true(failing > GRAPHS * 20);
}

static void test_what_the_scope_does_not_allow_is_no_prefix(void **state)
{
    (void)state;
    struct check_scope scope = {.size = 1};
    struct check_options options = roomy();
    struct check_result r = {.depth = 77};
    uint16_t nothing[2] = {0x999, 0x999};
    assert_false(check_search_from(&graph_model, &scope, &options, 2, NULL, 0, &r));
    assert_false(check_search_from(&graph_model, &scope, &options, 0, nothing, 2, &r));
    assert_int_equal(r.depth, 77);
}

static void test_no_room_behind_a_prefix_counts_its_steps(void **state)
{
    (void)state;
    struct check_scope scope = {.size = 3};
    struct check_options options = roomy();
    struct check_result whole;
    struct check_result r;
    struct tried t = {.graph = 3};
    unsigned node;
    assert_true(wander(&t, 3, 1, &node));
    assert_true(check_search_from(&graph_model, &scope, &options, t.start, t.way, 3, &whole));
    assert_int_equal(whole.verdict, CHECK_HOLDS);
    options.states_max = whole.states - 1;
    assert_true(check_search_from(&graph_model, &scope, &options, t.start, t.way, 3, &r));
    assert_int_equal(r.verdict, CHECK_CUT);
    assert_int_equal(r.cut, CUT_ROOM);
    assert_in_range(r.depth, 4, whole.depth);
}

/* --- counters: many states, and names that do not matter --- */

#define COUNTERS 6u

struct counters {
    uint8_t count[COUNTERS];
    uint8_t unused[16 - COUNTERS];
};

enum counters_rule {
    HALF_IS_BAD = 1, /* all counters that are not at the top stand at half of it */
    RARE_IS_BAD = 2, /* some states in the middle */
    NO_HOME = 4,     /* nothing is ever finished */
    TOP_IS_BAD = 8   /* all counters at the top */
};

static void counters_init(const struct check_scope *scope, struct check_out *out)
{
    (void)scope;
    struct counters *start = check_put(out, 7);
    *start = (struct counters){.count = {0}};
}

/* The size is how far a counter goes. With NO_HOME the last state stays as it is. */
static void counters_next(const struct check_scope *scope, const void *state, struct check_out *out)
{
    const struct counters *now = state;
    unsigned put = 0;
    for (unsigned i = 0; i < COUNTERS; i++) {
        if (now->count[i] < scope->size) {
            struct counters *to = check_put(out, (uint16_t)i);
            *to = *now;
            to->count[i]++;
            put++;
        }
    }
    if (put == 0 && (scope->rules & NO_HOME)) {
        struct counters *to = check_put(out, 9);
        *to = *now;
    }
}

static unsigned sum_of(const struct counters *c)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < COUNTERS; i++) {
        sum += c->count[i];
    }
    return sum;
}

static uint64_t hash_of(const struct counters *c)
{
    uint64_t h = 0;
    for (unsigned i = 0; i < COUNTERS; i++) {
        h = mix64(h ^ c->count[i]);
    }
    return h;
}

static int counters_check(const struct check_scope *scope, const void *state)
{
    const struct counters *c = state;
    if ((scope->rules & HALF_IS_BAD) && sum_of(c) == COUNTERS * (scope->size / 2u)) {
        bool all = true;
        for (unsigned i = 0; i < COUNTERS; i++) {
            all = all && c->count[i] == scope->size / 2u;
        }
        return all;
    }
    if ((scope->rules & TOP_IS_BAD) && sum_of(c) == COUNTERS * scope->size) {
        return 3;
    }
    bool middle = sum_of(c) > COUNTERS * scope->size / 2;
    return (scope->rules & RARE_IS_BAD) && middle && hash_of(c) % 500 == 0 ? 2 : 0;
}

/* Few states are in each: which of them were seen shows in the sum of all. */
static uint32_t counters_situations(const struct check_scope *scope, const void *state)
{
    (void)scope;
    uint64_t at = hash_of(state) % 30000;
    return at < CHECK_SITUATIONS_MAX ? UINT32_C(1) << at : 0;
}

static bool counters_finished(const struct check_scope *scope, const void *state)
{
    return !(scope->rules & NO_HOME) && sum_of(state) == COUNTERS * scope->size;
}

static void counters_canon(const struct check_scope *scope, void *state)
{
    uint8_t *count = ((struct counters *)state)->count;
    (void)scope;
    for (unsigned i = 1; i < COUNTERS; i++) {
        for (unsigned j = i; j > 0 && count[j - 1] > count[j]; j--) {
            uint8_t keep = count[j];
            count[j] = count[j - 1];
            count[j - 1] = keep;
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
        .situations = counters_situations,
        .finished = counters_finished,
        .canon = canon ? counters_canon : NULL,
        .actor = counters_actor,
    };
}

static void test_a_way_on_through_sorted_states_keeps_the_first_names(void **state)
{
    (void)state;
    static const uint16_t prefix[4] = {5, 5, 2, 3};
    static const uint16_t expected[12] = {5, 5, 2, 3, 0, 0, 1, 1, 2, 3, 4, 4};
    struct check_options options = roomy();
    struct check_scope scope = {.rules = HALF_IS_BAD, .size = 4};
    for (int canon = 0; canon < 2; canon++) {
        struct check_model model = counters_model(canon == 1);
        struct check_result r;
        assert_true(check_search_from(&model, &scope, &options, 7, prefix, 4, &r));
        assert_int_equal(r.verdict, CHECK_FAILS);
        assert_int_equal(r.depth, 12);
        uint16_t sorted[12];
        memcpy(sorted, r.action, sizeof sorted);
        /* Without canon fewer changes of the actor come first, and the first goes on with 3. */
        assert_memory_equal(sorted, prefix, sizeof prefix);
        if (canon) {
            assert_memory_equal(sorted, expected, sizeof expected);
        } else {
            assert_int_equal(sorted[4], 3);
        }
        struct counters last;
        assert_int_equal(check_replay(&model, &scope, r.start, r.action, r.depth, &last), 12);
        assert_int_equal(counters_check(&scope, &last), 1);
        check_result_free(&r);
    }
}

/* --- the same each time --- */

#define RUNS (BRIEF ? 5 : 20)

static void same_result(const struct check_result *a, const struct check_result *b)
{
    assert_int_equal(a->verdict, b->verdict);
    assert_int_equal(a->states, b->states);
    assert_int_equal(a->generated, b->generated);
    assert_int_equal(a->bytes, b->bytes);
    assert_int_equal(a->depth, b->depth);
    assert_int_equal(a->cut, b->cut);
    assert_int_equal(a->reached, b->reached);
    assert_int_equal(a->dead, b->dead);
    assert_int_equal(a->broken, b->broken);
    assert_int_equal(a->start, b->start);
    assert_int_equal(a->action != NULL, b->action != NULL);
    if (a->action) {
        assert_memory_equal(a->action, b->action, a->depth * sizeof *a->action);
    }
}

static void test_one_thread_and_two_and_twenty_runs_give_the_same(void **state)
{
    (void)state;
    static const struct {
        uint32_t rules;
        uint8_t size;
        bool live;
        uint64_t room;
        enum check_verdict verdict;
    } job[] = {
        {0, 5, false, 100000, CHECK_HOLDS},
        {RARE_IS_BAD, 5, false, 100000, CHECK_FAILS},
        {0, 5, false, 20000, CHECK_CUT},
        {RARE_IS_BAD, 5, false, 27000, CHECK_FAILS}, /* in a level that has no room */
        {NO_HOME, 4, true, 100000, CHECK_FAILS},
    };
    struct check_model model = counters_model(false);
    for (size_t i = 0; i < sizeof job / sizeof job[0]; i++) {
        struct check_scope scope = {.rules = job[i].rules, .size = job[i].size};
        struct check_options options = roomy();
        options.states_max = job[i].room;
        options.live = job[i].live;
        struct check_result one = check_search(&model, &scope, &options);
        assert_int_equal(one.verdict, job[i].verdict);
        assert_int_not_equal(one.reached, 0);
        for (int run = 0; run < RUNS; run++) {
            options.threads = run % 5 == 4 ? 1 : 2;
            struct check_result again = check_search(&model, &scope, &options);
            same_result(&one, &again);
            check_result_free(&again);
        }
        check_result_free(&one);
    }
}

/* --- ended before it is done --- */

/* The model's steps count themselves here and cancel at one of them: no clock is asked. */
struct count {
    _Atomic uint64_t steps;
    _Atomic uint64_t cancel_at;
    struct check_progress progress;
};

static struct count counted; /* a model has no place of its own */

static void counted_next(const struct check_scope *scope, const void *state, struct check_out *out)
{
    if (atomic_fetch_add(&counted.steps, 1) + 1 == counted.cancel_at) {
        atomic_store(&counted.progress.cancel, true);
    }
    counters_next(scope, state, out);
}

static struct check_result count_search(uint32_t rules, unsigned threads, uint64_t cancel_at)
{
    struct check_model model = counters_model(false);
    struct check_scope scope = {.rules = rules, .size = 5};
    struct check_options options = roomy();
    model.next = counted_next;
    options.states_max = 100000;
    options.threads = threads;
    options.live = true;
    options.progress = &counted.progress;
    atomic_store(&counted.steps, 0);
    atomic_store(&counted.cancel_at, cancel_at);
    atomic_store(&counted.progress.cancel, false);
    return check_search(&model, &scope, &options);
}

/* In the levels, while it looks for what can be finished, and on the way back: at most as many
 * states more as are between two looks, for each thread. */
static void test_cancelling_stops_at_once_wherever_it_is(void **state)
{
    (void)state;
    static const uint32_t rules[] = {0, TOP_IS_BAD, NO_HOME};
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        struct check_result whole = count_search(rules[i], 1, 0);
        uint64_t steps = counted.steps;
        assert_int_equal(whole.verdict, rules[i] == 0 ? CHECK_HOLDS : CHECK_FAILS);
        check_result_free(&whole);
        for (unsigned part = 0; part < 15; part++) {
            uint64_t at = 1 + steps * part / 15;
            struct check_result r = count_search(rules[i], 1 + part % 2, at);
            assert_int_equal(r.verdict, CHECK_CUT);
            assert_int_equal(r.cut, CUT_CANCELLED);
            assert_int_equal(r.dead, 0);
            assert_null(r.action);
            assert_in_range(counted.steps, at, at + 3 * 64);
        }
    }
}

static void test_progress_arrives_where_the_result_is(void **state)
{
    (void)state;
    struct check_result r = count_search(0, 2, 0);
    assert_int_equal(r.verdict, CHECK_HOLDS);
    assert_int_equal(counted.progress.states, r.states);
    assert_int_equal(counted.progress.depth, r.depth);
}

static void test_time_that_is_over_cuts_and_a_failure_before_does_not(void **state)
{
    (void)state;
    struct check_model model = counters_model(false);
    struct check_scope scope = {.size = 20};
    struct check_options options = roomy();
    options.states_max = 2000000;
    options.bytes_max = (uint64_t)256 << 20;
    options.ms_max = 5;
    struct check_result r = check_search(&model, &scope, &options);
    assert_int_equal(r.verdict, CHECK_CUT);
    assert_int_equal(r.cut, CUT_TIME);
    assert_in_range(r.states, 1, options.states_max - 1);
    scope.size = 2;
    options.ms_max = 60000;
    scope.rules = HALF_IS_BAD;
    r = check_search(&model, &scope, &options);
    assert_int_equal(r.verdict, CHECK_FAILS);
    check_result_free(&r);
}

/* --- from another thread, by the clock --- */

struct search_job {
    struct check_progress progress;
    struct check_result result;
    unsigned threads;
};

static void *search_in_a_thread(void *argument)
{
    struct search_job *job = argument;
    struct check_model model = counters_model(false);
    struct check_scope scope = {.size = 30};
    struct check_options options = check_interactive();
    options.progress = &job->progress;
    options.threads = job->threads;
    job->result = check_search(&model, &scope, &options);
    return NULL;
}

static double seconds(void)
{
    struct timespec now;
    assert_int_equal(clock_gettime(CLOCK_MONOTONIC, &now), 0);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* A machine that is busy with other things may be late; five times it is not. */
static void test_cancelling_answers_within_50_ms(void **state)
{
    (void)state;
    double best = 1;
    for (unsigned try = 0; try < 5 && best > 0.05; try++) {
        struct search_job job = {.threads = 1 + try % 2};
        const struct timespec pause = {.tv_nsec = 1000000};
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, search_in_a_thread, &job), 0);
        while (atomic_load(&job.progress.states) < 50000) {
            assert_int_equal(nanosleep(&pause, NULL), 0);
        }
        double from = seconds();
        atomic_store(&job.progress.cancel, true);
        assert_int_equal(pthread_join(thread, NULL), 0);
        double took = seconds() - from;
        best = took < best ? took : best;
        assert_int_equal(job.result.verdict, CHECK_CUT);
        assert_int_equal(job.result.cut, CUT_CANCELLED);
        assert_true(job.result.depth > 0);
    }
    assert_true(best <= 0.05);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_best_way_on_from_any_prefix),
        cmocka_unit_test(test_what_the_scope_does_not_allow_is_no_prefix),
        cmocka_unit_test(test_no_room_behind_a_prefix_counts_its_steps),
        cmocka_unit_test(test_a_way_on_through_sorted_states_keeps_the_first_names),
        cmocka_unit_test(test_one_thread_and_two_and_twenty_runs_give_the_same),
        cmocka_unit_test(test_cancelling_stops_at_once_wherever_it_is),
        cmocka_unit_test(test_progress_arrives_where_the_result_is),
        cmocka_unit_test(test_time_that_is_over_cuts_and_a_failure_before_does_not),
        cmocka_unit_test(test_cancelling_answers_within_50_ms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
