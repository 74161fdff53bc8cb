/*
 * Every way to a failure of two-phase commit and of sagas that the checker finds fails in a world
 * too, by the same promise, and with every rule in place the world stops where the checker says,
 * and goes on to its end.
 */
#include "app/check/check_replay.h"
#include "check/commit.h"
#include "check/models.h"
#include "check/saga.h"
#include "engine/world.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "scopes.h"

struct way {
    const struct check_model *model;
    enum rule without;
    uint8_t size;
    uint32_t steps, named;
    const char *failure;   /* what is seen in the world */
    const char *invariant; /* of the engine, that is broken too */
};

#define MIXED_01 "S0 has committed its part and S1 has aborted its own"
#define MIXED_02 "S0 has committed its part and S2 has aborted its own"
#define MIXED_10 "S1 has committed its part and S0 has aborted its own"
#define SILENCE                                                                                    \
    "alice is locked at S0, and R0, which knows nothing of it any more, leaves it without a word"
#define HALF "R0 says that the saga is undone, and the step of S0 is in effect"
#define TWICE "S0 has taken its step back twice: alice holds 10 more than it was given"
#define ORDER "the step of S1 is in effect, and that of S0, which comes before it, is not"

static const struct way ways[] = {
    {&model_commit, RULE_ALL_VOTES_NEEDED, PACT_SMALL, 7, 5, MIXED_01, "txn-all-voted"},
    {&model_commit, RULE_ALL_VOTES_NEEDED, PACT_LARGE, 7, 5, MIXED_01, "txn-all-voted"},
    {&model_commit, RULE_LOG_DECISION_FIRST, PACT_SMALL, 12, 6, MIXED_01, "txn-durable"},
    {&model_commit, RULE_LOG_DECISION_FIRST, PACT_LARGE, 14, 8, MIXED_01, "txn-durable"},
    {&model_commit, RULE_NO_LONE_ABORT, PACT_SMALL, 9, 4, MIXED_01, "txn-alone"},
    {&model_commit, RULE_NO_LONE_ABORT, PACT_LARGE, 11, 5, MIXED_02, "txn-alone"},
    {&model_commit, RULE_NO_LONE_COMMIT, PACT_SMALL, 4, 3, MIXED_01, "txn-durable"},
    {&model_commit, RULE_NO_LONE_COMMIT, PACT_LARGE, 4, 3, MIXED_01, "txn-durable"},
    {&model_commit, RULE_VOTE_AFTER_PREPARE, PACT_SMALL, 9, 2, MIXED_10, "txn-all-voted"},
    {&model_commit, RULE_VOTE_AFTER_PREPARE, PACT_LARGE, 11, 2, MIXED_10, "txn-all-voted"},
    {&model_commit, RULE_DECIDE_ONCE, PACT_SMALL, 10, 8, MIXED_01, "txn-all-voted"},
    {&model_commit, RULE_DECIDE_ONCE, PACT_LARGE, 12, 10, MIXED_02, "txn-all-voted"},
    {&model_commit, RULE_PRESUMED_ABORT, PACT_SMALL, 3, 0, SILENCE, "txn-answered"},
    {&model_commit, RULE_PRESUMED_ABORT, PACT_LARGE, 3, 0, SILENCE, "txn-answered"},
    {&model_saga, RULE_SAGA_LOG_FIRST, CHAIN_SMALL, 5, 1, HALF, "txn-durable"},
    {&model_saga, RULE_SAGA_LOG_FIRST, CHAIN_LARGE, 5, 1, HALF, "txn-durable"},
    {&model_saga, RULE_COMPENSATE_ONCE, CHAIN_SMALL, 6, 6, TWICE, "saga-prefix"},
    {&model_saga, RULE_COMPENSATE_ONCE, CHAIN_LARGE, 6, 6, TWICE, "saga-prefix"},
    {&model_saga, RULE_COMPENSATION_BARS_STEP, CHAIN_SMALL, 5, 3, HALF, "saga-ended"},
    {&model_saga, RULE_COMPENSATION_BARS_STEP, CHAIN_LARGE, 5, 3, HALF, "saga-ended"},
    {&model_saga, RULE_COMPENSATE_IN_REVERSE, CHAIN_SMALL, 6, 4, ORDER, "saga-prefix"},
    {&model_saga, RULE_COMPENSATE_IN_REVERSE, CHAIN_LARGE, 6, 4, ORDER, "saga-prefix"},
};

#define WAYS (sizeof ways / sizeof *ways)

static struct replayed play(const struct way *way, unsigned how)
{
    uint32_t rules = scope_without(way->model, way->without);
    struct check_scope scope = {.rules = rules, .size = way->size, .judge = CHECK_OUTSIDE};
    struct check_result result = scope_search(way->model, rules, way->size, CHECK_OUTSIDE, 1);
    struct replayed played;
    struct err err = {{0}};
    assert_int_equal(result.verdict, CHECK_FAILS);
    assert_int_equal(result.depth, way->steps);
    struct check_parting part = check_part(way->model, &scope, &result, CHECK_RULES_ALL);
    assert_int_equal(part.last.step, way->named);
    if (!check_replay_play(way->model, &scope, &result, how, &played, &err)) {
        fail_msg("%s without %s: %s", way->model->name, rule_name(way->without), err.text);
    }
    if (!played.agrees) {
        for (uint32_t i = 0; i < played.steps + 2; i++) {
            print_message("%u:\n%s", i, str_text(&played.lines[i]));
        }
        fail_msg("%s without %s: %s", way->model->name, rule_name(way->without),
                 played.differs.text);
    }
    check_result_free(&result);
    return played;
}

static void each_way_fails_in_a_world(void **state)
{
    (void)state;
    for (size_t i = 0; i < WAYS; i++) {
        struct replayed played = play(&ways[i], 0);
        assert_true(played.fails);
        assert_string_equal(played.failure, ways[i].failure);
        assert_int_equal(played.failed_at, ways[i].steps);
        assert_int_equal(played.stopped, 0);
        if (!str_starts(played.broken.text, ways[i].invariant)) {
            fail_msg("without %s: %s", rule_name(ways[i].without), played.broken.text);
        }
        check_replay_free(&played);
    }
}

static void with_every_rule_it_stops_where_the_checker_says(void **state)
{
    (void)state;
    for (size_t i = 0; i < WAYS; i++) {
        struct replayed played = play(&ways[i], REPLAY_EVERY_RULE);
        assert_int_equal(played.stopped, ways[i].named);
        assert_false(played.fails);
        assert_int_equal(played.broken_at, 0);
        check_replay_free(&played);
    }
}

static void every_rule_has_a_way(void **state)
{
    (void)state;
    static const struct check_model *const models[] = {&model_commit, &model_saga};
    for (size_t m = 0; m < 2; m++) {
        assert_true(check_replay_can(models[m]));
        assert_true(strlen(check_replay_about(models[m])) > 0);
        for (size_t rule = 0; models[m]->rule[rule].name; rule++) {
            size_t i = 0;
            while (i < WAYS && (ways[i].model != models[m] ||
                                strcmp(rule_name(ways[i].without), models[m]->rule[rule].name))) {
                i++;
            }
            assert_true(i < WAYS);
        }
    }
}

/* What is under each step is what the step is about. */
static void the_lines_tell_each_step(void **state)
{
    (void)state;
    static const char *const said[] = {
        "operator  the row alice is set to 10\n",
        "R0 -> S1  prepare bob (slot 8955, as map version 1 says)\n",
        "S0 -> R0  yes: prepared, alice is locked for transaction 1\n",
        "S1 -> R0  yes: prepared, bob is locked for transaction 1\n",
        "S1  aborts transaction 1 of its own accord\n",
        "R0  counts a yes for transaction 1 (1 of 2 votes)\n",
        "R0  writes \"commit\" to its log: transaction 1 (2 of 2 votes)\n",
        "",
        "",
        "S0 -> R0  committed, lock free: alice is 0 now\n",
    };
    struct replayed played = play(&ways[4], 0);
    assert_int_equal(ways[4].without, RULE_NO_LONE_ABORT);
    assert_int_equal(played.steps + 1, sizeof said / sizeof *said);
    for (uint32_t i = 0; i <= played.steps; i++) {
        if (!strstr(str_text(&played.lines[i]), said[i])) {
            fail_msg("under step %u: %s", (unsigned)i, str_text(&played.lines[i]));
        }
    }
    check_replay_free(&played);
}

/* The film has the world before the schedule, after each step, and when all is over. */
static void a_film_is_kept(void **state)
{
    (void)state;
    struct replayed played = play(&ways[2], REPLAY_FILM);
    for (uint32_t i = 1; i < played.steps + 2; i++) {
        assert_true(world_now(played.film[i]) > world_now(played.film[i - 1]));
    }
    check_replay_free(&played);
}

/* Rules left out together: the world follows, or says which step it cannot take. */
static unsigned follow(const struct check_model *model, uint32_t less, uint8_t size,
                       enum check_judge judge)
{
    uint32_t rules = CHECK_RULES_ALL & ~less;
    struct check_scope scope = {.rules = rules, .size = size, .judge = (uint8_t)judge};
    struct check_result result = scope_search(model, rules, size, judge, 1);
    struct replayed played = {.steps = 0};
    struct err err = {{0}};
    assert_int_equal(result.verdict, CHECK_FAILS);
    bool can = check_replay_play(model, &scope, &result, 0, &played, &err);
    if (can && (!played.agrees || !played.fails)) {
        fail_msg("%s without %x, scope %u: %s", model->name, (unsigned)less, (unsigned)size,
                 played.agrees ? "nothing is seen to fail" : played.differs.text);
    }
    if (!can && !str_starts(err.text, "step ")) {
        fail_msg("%s without %x: %s", model->name, (unsigned)less, err.text);
    }
    check_replay_free(&played);
    check_result_free(&result);
    return can;
}

static void rules_left_out_together_are_followed_too(void **state)
{
    (void)state;
    unsigned followed = 0;
    for (uint32_t less = 1; less < 128; less++) {
        followed += follow(&model_commit, less, PACT_SMALL, CHECK_OUTSIDE);
    }
    assert_int_equal(followed, 127);
    followed = 0;
    for (uint32_t less = 1; less < 16; less++) {
        followed += follow(&model_saga, less, CHAIN_SMALL, CHECK_OUTSIDE);
    }
    assert_int_equal(followed, 15);
}

static void what_is_seen_inside_is_followed_too(void **state)
{
    (void)state;
    for (uint32_t rule = 0; rule < 7; rule++) {
        (void)follow(&model_commit, 1u << rule, PACT_SMALL, CHECK_INSIDE);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_way_fails_in_a_world),
        cmocka_unit_test(with_every_rule_it_stops_where_the_checker_says),
        cmocka_unit_test(every_rule_has_a_way),
        cmocka_unit_test(the_lines_tell_each_step),
        cmocka_unit_test(a_film_is_kept),
        cmocka_unit_test(rules_left_out_together_are_followed_too),
        cmocka_unit_test(what_is_seen_inside_is_followed_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
