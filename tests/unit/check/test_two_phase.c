/*
 * The yardstick of the search: it has exactly the states that other checkers counted, holds with
 * all its rules, and fails without any one of them, by the shortest way that there is.
 */
#include "check/models.h"
#include "check/search.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Of the same module in other checkers; 8 and 9 managers are counted by the bench. */
static const struct {
    uint8_t managers;
    uint64_t states, generated;
} counted[] = {
    {2, 56, 154},     {3, 288, 1146},     {4, 1568, 8258},
    {5, 8832, 58146}, {6, 50816, 402306}, {7, 296448, 2744706},
};

static const struct {
    const char *rule;
    uint32_t steps;
} failing[] = {
    {"all-votes-needed", 5},
    {"no-lone-abort-when-prepared", 7},
    {"no-lone-commit-when-prepared", 3},
    {"vote-after-prepare", 7},
    {"decide-once", 8},
};

#define RULES (sizeof failing / sizeof failing[0])

static struct check_result search(uint32_t rules, uint8_t managers, unsigned threads)
{
    struct check_scope scope = {.rules = rules, .size = managers};
    struct check_options options = check_interactive();
    options.threads = threads;
    return check_search(&model_two_phase_yardstick, &scope, &options);
}

static uint32_t without(const char *rule)
{
    uint32_t bit = 0;
    assert_true(check_rule_by_name(&model_two_phase_yardstick, rule, &bit));
    return CHECK_RULES_ALL & ~bit;
}

static void test_the_counts_of_other_checkers(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof counted / sizeof counted[0]; i++) {
        for (unsigned threads = 1; threads <= 2; threads++) {
            struct check_result r = search(CHECK_RULES_ALL, counted[i].managers, threads);
            assert_int_equal(r.verdict, CHECK_HOLDS);
            assert_int_equal(r.states, counted[i].states);
            assert_int_equal(r.generated, counted[i].generated);
            /* 8 levels with 2 managers, 3 more for each further one; a level is one step. */
            assert_int_equal(r.depth + 1, 8 + 3 * (counted[i].managers - 2));
        }
    }
}

static void test_each_rule_left_out_shows(void **state)
{
    (void)state;
    assert_int_equal(check_rules(&model_two_phase_yardstick), RULES);
    for (size_t i = 0; i < RULES; i++) {
        struct check_scope scope = {.rules = without(failing[i].rule), .size = 2};
        struct check_result r = search(scope.rules, scope.size, 1);
        assert_string_equal(model_two_phase_yardstick.rule[i].name, failing[i].rule);
        assert_int_equal(r.verdict, CHECK_FAILS);
        assert_int_equal(r.depth, failing[i].steps);
        unsigned char last[CHECK_STATE_MAX];
        size_t taken =
            check_replay(&model_two_phase_yardstick, &scope, r.start, r.action, r.depth, last);
        assert_int_equal(taken, r.depth);
        assert_int_equal(model_two_phase_yardstick.check(&scope, last), r.broken);
        /* With the rule back in its place one of the steps is refused. */
        scope.rules = CHECK_RULES_ALL;
        taken = check_replay(&model_two_phase_yardstick, &scope, r.start, r.action, r.depth, last);
        assert_in_range(taken, 0, r.depth - 1);
        check_result_free(&r);
    }
}

static void test_two_rules_left_out_never_take_longer(void **state)
{
    (void)state;
    for (size_t i = 0; i < RULES; i++) {
        for (size_t j = i + 1; j < RULES; j++) {
            uint32_t shorter =
                failing[i].steps < failing[j].steps ? failing[i].steps : failing[j].steps;
            struct check_result r =
                search(without(failing[i].rule) & without(failing[j].rule), 2, 1);
            assert_int_equal(r.verdict, CHECK_FAILS);
            assert_in_range(r.depth, 1, shorter);
            check_result_free(&r);
        }
    }
}

/* The way without the vote of everybody, as a learner reads it. */
static void test_the_shortest_way_in_words(void **state)
{
    (void)state;
    static const char *const expected[] = {
        "manager 1 prepares: It was working; it promises that it can commit, and sends its vote.",
        "the coordinator receives a vote: The vote of manager 1 has arrived; it now has 1 of 2 "
        "votes.",
        "the coordinator decides to commit: With 1 of 2 votes it decides, and tells every manager "
        "to commit.",
        "manager 1 commits: It was prepared; the message to commit has arrived.",
        "manager 2 aborts alone: It was working; it gives up of its own accord and asks nobody.",
    };
    struct check_scope scope = {.rules = without("all-votes-needed"), .size = 2};
    struct check_result r = search(scope.rules, scope.size, 1);
    assert_int_equal(r.depth, 5);
    for (uint32_t i = 0; i < r.depth; i++) {
        unsigned char now[CHECK_STATE_MAX];
        struct check_told told;
        char line[300];
        check_replay(&model_two_phase_yardstick, &scope, r.start, r.action, i, now);
        model_two_phase_yardstick.tell(&scope, now, r.action[i], &told);
        (void)snprintf(line, sizeof line, "%s %s: %s", told.actor, told.action, told.detail);
        assert_string_equal(line, expected[i]);
    }
    check_result_free(&r);
}

static void test_two_threads_give_the_same_bytes(void **state)
{
    (void)state;
    for (size_t i = 0; i < RULES; i++) {
        struct check_result one = search(without(failing[i].rule), 6, 1);
        struct check_result two = search(without(failing[i].rule), 6, 2);
        assert_int_equal(one.verdict, CHECK_FAILS);
        assert_int_equal(two.verdict, CHECK_FAILS);
        assert_int_equal(one.states, two.states);
        assert_int_equal(one.generated, two.generated);
        assert_int_equal(one.depth, two.depth);
        assert_memory_equal(one.action, two.action, one.depth * sizeof one.action[0]);
        check_result_free(&one);
        check_result_free(&two);
    }
}

static void test_a_megabyte_is_not_enough_for_seven_managers(void **state)
{
    (void)state;
    struct check_scope scope = {.rules = CHECK_RULES_ALL, .size = 7};
    struct check_result r[2];
    for (unsigned i = 0; i < 2; i++) {
        struct check_options options = check_interactive();
        options.bytes_max = (uint64_t)1 << 20;
        options.threads = 1 + i;
        r[i] = check_search(&model_two_phase_yardstick, &scope, &options);
        assert_int_equal(r[i].verdict, CHECK_CUT);
        assert_in_range(r[i].bytes, 1, options.bytes_max);
        assert_in_range(r[i].states, 10000, 296447);
        assert_in_range(r[i].depth, 1, 21);
    }
    assert_int_equal(r[0].states, r[1].states);
    assert_int_equal(r[0].generated, r[1].generated);
    assert_int_equal(r[0].depth, r[1].depth);
}

static void test_every_situation_is_reached(void **state)
{
    (void)state;
    uint32_t all = 0;
    for (unsigned i = 0; model_two_phase_yardstick.situation[i].name; i++) {
        all |= UINT32_C(1) << i;
    }
    assert_int_equal(search(CHECK_RULES_ALL, 2, 1).reached, all);
}

static void test_names_of_models_and_rules(void **state)
{
    (void)state;
    uint32_t bit = 0;
    assert_ptr_equal(check_model_by_name("two-phase-commit"), &model_commit);
    assert_null(check_model_by_name(model_two_phase_yardstick.name));
    assert_null(check_model_by_name("two-phase"));
    assert_null(check_model_by_name(""));
    assert_false(check_rule_by_name(&model_two_phase_yardstick, "all-votes", &bit));
    for (size_t i = 0; check_model_at(i); i++) {
        assert_ptr_equal(check_model_by_name(check_model_at(i)->name), check_model_at(i));
        assert_in_range(check_rules(check_model_at(i)), 1, CHECK_RULES_MAX);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_counts_of_other_checkers),
        cmocka_unit_test(test_each_rule_left_out_shows),
        cmocka_unit_test(test_two_rules_left_out_never_take_longer),
        cmocka_unit_test(test_the_shortest_way_in_words),
        cmocka_unit_test(test_two_threads_give_the_same_bytes),
        cmocka_unit_test(test_a_megabyte_is_not_enough_for_seven_managers),
        cmocka_unit_test(test_every_situation_is_reached),
        cmocka_unit_test(test_names_of_models_and_rules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
