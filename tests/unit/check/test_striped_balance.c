/*
 * A striped balance holds with both its rules in the large scope, and fails in the small one
 * without either, by the shortest way.
 */
#include "check/striped_balance.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "scopes.h"

static const struct {
    enum rule rule;
    uint32_t steps;   /* in the small scope and in the large one */
    uint32_t refused; /* the step that the rule would have refused, from 1 */
    enum striped_promise broken;
} failing[] = {
    {RULE_DEBIT_MAIN_ONLY, 4, 1, STRIPED_BELOW},
    {RULE_SWEEP_ATOMIC, 4, 3, STRIPED_GONE},
};

#define RULES (sizeof failing / sizeof failing[0])

static struct check_result search(uint32_t rules, enum striped_size size, unsigned threads)
{
    return scope_search(&model_striped_balance, rules, size, CHECK_BOTH, threads);
}

static uint32_t without(enum rule rule)
{
    return scope_without(&model_striped_balance, rule);
}

static void test_rules_are_those_of_the_protocol(void **state)
{
    (void)state;
    assert_int_equal(check_rules(&model_striped_balance), RULES);
    for (size_t i = 0; i < RULES; i++) {
        scope_rule_is(&model_striped_balance, i, failing[i].rule);
    }
}

static void test_every_scope_holds_within_the_bounds(void **state)
{
    (void)state;
    static const struct {
        uint64_t states;
        uint32_t depth;
    } known[STRIPED_SIZES] = {
        [STRIPED_SMALL] = {47, 8},
        [STRIPED_LARGE] = {42206, 21},
        [STRIPED_TWICE] = {14, 6},
    };
    for (unsigned size = 0; size < STRIPED_SIZES; size++) {
        for (unsigned threads = 1; threads <= 2; threads++) {
            struct check_result r = search(CHECK_RULES_ALL, (enum striped_size)size, threads);
            assert_int_equal(r.verdict, CHECK_HOLDS);
            assert_int_equal(r.dead, 0);
            assert_int_equal(r.states, known[size].states);
            assert_int_equal(r.depth, known[size].depth);
            assert_in_range(r.bytes, 1, (uint64_t)64 << 20);
        }
    }
    const struct striped_world *small =
        striped_world_of(&(struct check_scope){.size = STRIPED_SMALL});
    const struct striped_world *large =
        striped_world_of(&(struct check_scope){.size = STRIPED_LARGE});
    assert_true(large->stripes > small->stripes && large->credits > small->credits);
    assert_true(large->debits > small->debits && large->again > small->again);
    assert_true(large->copies > small->copies);
}

static void test_each_rule_left_out_shows(void **state)
{
    (void)state;
    static const enum striped_size sizes[] = {STRIPED_SMALL, STRIPED_LARGE};
    for (size_t i = 0; i < 2 * RULES; i++) {
        struct check_result r = search(without(failing[i / 2].rule), sizes[i % 2], 1);
        assert_int_equal(r.verdict, CHECK_FAILS);
        assert_int_equal(r.depth, failing[i / 2].steps);
        assert_int_equal(r.broken, failing[i / 2].broken);
        unsigned char last[CHECK_STATE_MAX];
        struct check_scope scope = {.rules = CHECK_RULES_ALL, .size = (uint8_t)sizes[i % 2]};
        size_t taken =
            check_replay(&model_striped_balance, &scope, r.start, r.action, r.depth, last);
        assert_int_equal(taken + 1, failing[i / 2].refused);
        check_result_free(&r);
    }
}

static void test_both_rules_left_out_fail_as_early_as_one(void **state)
{
    (void)state;
    uint32_t rules = without(RULE_DEBIT_MAIN_ONLY) & without(RULE_SWEEP_ATOMIC);
    struct check_result r = search(rules, STRIPED_SMALL, 1);
    assert_int_equal(r.verdict, CHECK_FAILS);
    assert_int_equal(r.depth, 4);
    check_result_free(&r);
}

static void test_every_run_gives_the_same_bytes(void **state)
{
    (void)state;
    for (size_t i = 0; i < RULES; i++) {
        struct check_result first = search(without(failing[i].rule), STRIPED_LARGE, 1);
        for (unsigned run = 0; run < 20; run++) {
            struct check_result r = search(without(failing[i].rule), STRIPED_LARGE, 1 + run % 2);
            assert_int_equal(r.depth, first.depth);
            assert_memory_equal(r.action, first.action, first.depth * sizeof *first.action);
            check_result_free(&r);
        }
        check_result_free(&first);
    }
}

/* --- a sweep's steps done twice --------------------------------------------------------------- */

static int only_doubled(const struct check_scope *scope, const void *state)
{
    int broken = striped_check(scope, state);
    return broken == STRIPED_TOO_MUCH ? broken : 0;
}

/* Both halves of a sweep, brought twice, are done twice: the first loses what it takes, the second
 * doubles what it puts. */
static void test_a_message_that_is_brought_twice(void **state)
{
    (void)state;
    struct check_model model = model_striped_balance;
    struct check_scope scope = {.rules = without(RULE_SWEEP_ATOMIC), .size = STRIPED_TWICE};
    struct check_options options = check_interactive();
    struct check_result r = check_search(&model, &scope, &options);
    assert_int_equal(r.depth, 5);
    assert_int_equal(r.broken, STRIPED_GONE);
    assert_int_equal(striped_step_of(r.action[4]), STRIPED_TAKE);
    check_result_free(&r);
    model.check = only_doubled;
    r = check_search(&model, &scope, &options);
    assert_int_equal(r.depth, 6);
    assert_int_equal(r.broken, STRIPED_TOO_MUCH);
    assert_int_equal(striped_step_of(r.action[5]), STRIPED_PUT);
    check_result_free(&r);
}

/* --- in words --------------------------------------------------------------------------------- */

static void assert_told(uint32_t rules, const char *const *expected, uint32_t steps)
{
    struct check_scope scope = {.rules = rules, .size = STRIPED_SMALL};
    struct check_result r = search(rules, STRIPED_SMALL, 1);
    assert_int_equal(r.depth, steps);
    for (uint32_t i = 0; i < r.depth; i++) {
        char line[300];
        unsigned char now[CHECK_STATE_MAX];
        struct check_told told = {.actor = ""};
        check_replay(&model_striped_balance, &scope, r.start, r.action, i, now);
        model_striped_balance.tell(&scope, now, r.action[i], &told);
        (void)snprintf(line, sizeof line, "%s %s: %s", told.actor, told.action, told.detail);
        assert_string_equal(line, expected[i]);
    }
    check_result_free(&r);
}

static void test_two_debits_by_one_sum_in_words(void **state)
{
    (void)state;
    static const char *const expected[] = {
        "a router adds up all cells for a debit of 1: They hold 1 together: that is enough, and "
        "the debit goes to a stripe.",
        "a router adds up all cells for a debit of 1: They hold 1 together: that is enough, and "
        "the debit goes to a stripe. Another, let through by the same sum, is on its way.",
        "stripe 0 is debited 1: It does not look at the floor: it held 0 and holds -1 now. The "
        "client is told OK.",
        "stripe 0 is debited 1: It does not look at the floor: it held -1 and holds -2 now. The "
        "client is told OK. All cells hold -1 together, and the floor is 0.",
    };
    assert_told(without(RULE_DEBIT_MAIN_ONLY), expected, 4);
}

static void test_the_sweep_that_is_forgotten_in_words(void **state)
{
    (void)state;
    static const char *const expected[] = {
        "a client credits 1: It goes to stripe 0, which holds 1 now. The client is told OK.",
        "the sweeper looks at stripe 0, which holds 1: It writes down sweep 1, 1 off stripe 0, and "
        "sends that to stripe 0.",
        "the sweeper has no answer, and forgets sweep 1: What it sent (take 1 off stripe 0) is "
        "still on its way. It will begin anew.",
        "stripe 0 takes 1 off: sweep 1: It held 1 and holds 0 now. The sweeper has forgotten it: "
        "nobody puts it on the main account. All cells and what is in transit hold 1. It should be "
        "2: there was 1 at the start.",
    };
    assert_told(without(RULE_SWEEP_ATOMIC), expected, 4);
}

/* --- every state of a scope ------------------------------------------------------------------- */

static struct seen {
    unsigned steps;  /* a bit for each kind that was told */
    unsigned swept;  /* states in which nothing is left to be swept */
    unsigned behind; /* states in which the main account holds less than all together */
} seen;

static void search_with(int (*check)(const struct check_scope *, const void *), uint32_t rules,
                        enum striped_size size)
{
    struct check_model model = model_striped_balance;
    struct check_scope scope = {.rules = rules, .size = (uint8_t)size};
    struct check_options options = check_interactive();
    model.check = check;
    options.live = false;
    struct check_result r = check_search(&model, &scope, &options);
    assert_int_not_equal(r.verdict, CHECK_CUT);
    check_result_free(&r);
}

/* No text is cut, none is missing. */
static int tell_all(const struct check_scope *scope, const void *now)
{
    unsigned char states[CHECK_STEPS_MAX * sizeof(struct striped)];
    uint16_t actions[CHECK_STEPS_MAX];
    struct check_out out = {.state = states,
                            .action = actions,
                            .state_size = sizeof(struct striped),
                            .room = CHECK_STEPS_MAX};
    model_striped_balance.next(scope, now, &out);
    for (size_t i = 0; i < out.count; i++) {
        struct check_told told = {.actor = ""};
        enum striped_step step = striped_step_of(out.action[i]);
        assert_int_equal(
            striped_action(step, striped_cell_of(out.action[i]), striped_flight_of(out.action[i])),
            out.action[i]);
        model_striped_balance.tell(scope, now, out.action[i], &told);
        assert_in_range(strlen(told.actor), 2, sizeof told.actor - 2);
        assert_in_range(strlen(told.action), 2, sizeof told.action - 2);
        assert_in_range(strlen(told.detail), 2, sizeof told.detail - 2);
        assert_in_range(model_striped_balance.actor(out.action[i]), 0, CHECK_ACTORS_MAX - 1);
        seen.steps |= 1u << step;
    }
    return 0;
}

static void test_every_step_is_taken_somewhere_and_told(void **state)
{
    (void)state;
    seen = (struct seen){0};
    search_with(tell_all, CHECK_RULES_ALL, STRIPED_LARGE);
    assert_int_equal(seen.steps, ((1u << STRIPED_STEPS) - 1) &
                                     ~(1u << STRIPED_ADD_UP | 1u << STRIPED_ADD_UP_SHORT |
                                       1u << STRIPED_DEBIT_STRIPE | 1u << STRIPED_FORGET));
    for (size_t i = 0; i < RULES; i++) {
        search_with(tell_all, without(failing[i].rule), STRIPED_SMALL);
    }
    assert_int_equal(seen.steps, (1u << STRIPED_STEPS) - 1);
}

/* When all is swept the main account holds what is due; before, never more. */
static int swept_is_due(const struct check_scope *scope, const void *state)
{
    const struct striped *now = state;
    bool swept = model_striped_balance.finished(scope, state);
    int main = now->cell[STRIPED_MAIN].balance;
    assert_true(main >= STRIPED_FLOOR && main <= striped_due(now));
    assert_true(!swept || main == striped_due(now));
    seen.swept += swept ? 1 : 0;
    seen.behind += main < striped_due(now) ? 1 : 0;
    return 0;
}

static void test_all_comes_to_the_main_account(void **state)
{
    (void)state;
    seen = (struct seen){0};
    search_with(swept_is_due, CHECK_RULES_ALL, STRIPED_LARGE);
    assert_in_range(seen.swept, 1, UINT32_MAX);
    assert_in_range(seen.behind, 1, UINT32_MAX);
}

static void test_scopes_have_words(void **state)
{
    (void)state;
    char text[128];
    model_striped_balance.say_size(STRIPED_SMALL, text, sizeof text);
    assert_string_equal(text, "2 stripes, 1 credit, 2 debits, 1 answer that is late");
    model_striped_balance.say_size(STRIPED_LARGE, text, sizeof text);
    assert_string_equal(text, "3 stripes, 3 credits, 3 debits, 2 answers that are late, 1 message "
                              "that is doubled");
    model_striped_balance.say_size(STRIPED_TWICE, text, sizeof text);
    assert_string_equal(text, "2 stripes, 1 credit, 1 message that is doubled");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rules_are_those_of_the_protocol),
        cmocka_unit_test(test_every_scope_holds_within_the_bounds),
        cmocka_unit_test(test_each_rule_left_out_shows),
        cmocka_unit_test(test_both_rules_left_out_fail_as_early_as_one),
        cmocka_unit_test(test_every_run_gives_the_same_bytes),
        cmocka_unit_test(test_a_message_that_is_brought_twice),
        cmocka_unit_test(test_two_debits_by_one_sum_in_words),
        cmocka_unit_test(test_the_sweep_that_is_forgotten_in_words),
        cmocka_unit_test(test_every_step_is_taken_somewhere_and_told),
        cmocka_unit_test(test_all_comes_to_the_main_account),
        cmocka_unit_test(test_scopes_have_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
