/*
 * A saga holds with all its rules, however often the coordinator crashes and messages are lost, and
 * fails without any one of them, by the shortest way.
 */
#include "check/saga.h"
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
    enum chain_promise broken;
} failing[] = {
    {RULE_SAGA_LOG_FIRST, 5, 1, CHAIN_HALF_DONE},
    {RULE_COMPENSATE_ONCE, 6, 6, CHAIN_TWICE},
    {RULE_COMPENSATION_BARS_STEP, 5, 3, CHAIN_HALF_DONE},
    {RULE_COMPENSATE_IN_REVERSE, 6, 4, CHAIN_OUT_OF_ORDER},
};

#define RULES (sizeof failing / sizeof failing[0])

static struct check_result search(uint32_t rules, uint8_t size, unsigned threads)
{
    return scope_search(&model_saga, rules, size, CHECK_BOTH, threads);
}

static uint32_t without(enum rule rule)
{
    return scope_without(&model_saga, rule);
}

static void test_rules_are_those_of_the_protocol(void **state)
{
    (void)state;
    assert_ptr_equal(check_model_by_name("saga"), &model_saga);
    assert_int_equal(check_rules(&model_saga), RULES);
    for (size_t i = 0; i < RULES; i++) {
        scope_rule_is(&model_saga, i, failing[i].rule);
    }
}

static void test_both_scopes_hold_within_the_bounds(void **state)
{
    (void)state;
    static const struct {
        uint8_t size;
        uint64_t states;
        uint32_t depth;
    } known[] = {{CHAIN_SMALL, 35533, 26}, {CHAIN_LARGE, 431299, 34}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        /* Two threads are compared in the small one, and whatever is left out. */
        for (unsigned threads = 1; threads <= 2 - i; threads++) {
            struct check_result r = search(CHECK_RULES_ALL, known[i].size, threads);
            assert_int_equal(r.verdict, CHECK_HOLDS);
            assert_int_equal(r.dead, 0);
            assert_int_equal(r.states, known[i].states);
            assert_int_equal(r.depth, known[i].depth);
            assert_in_range(r.bytes, 1, (uint64_t)64 << 20);
        }
    }
}

static void test_each_rule_left_out_shows(void **state)
{
    (void)state;
    static const uint8_t sizes[] = {CHAIN_SMALL, CHAIN_LARGE};
    for (size_t i = 0; i < 2 * RULES; i++) {
        struct check_result r = search(without(failing[i / 2].rule), sizes[i % 2], 1);
        assert_int_equal(r.verdict, CHECK_FAILS);
        assert_int_equal(r.depth, failing[i / 2].steps);
        assert_int_equal(r.broken, failing[i / 2].broken);
        unsigned char last[CHECK_STATE_MAX];
        struct check_scope scope = {.rules = CHECK_RULES_ALL, .size = sizes[i % 2]};
        size_t taken = check_replay(&model_saga, &scope, r.start, r.action, r.depth, last);
        assert_int_equal(taken + 1, failing[i / 2].refused);
        check_result_free(&r);
    }
}

static void test_two_rules_left_out_fail_as_early_as_one(void **state)
{
    (void)state;
    for (size_t i = 0; i < RULES; i++) {
        for (size_t j = i + 1; j < RULES; j++) {
            uint32_t rules = without(failing[i].rule) & without(failing[j].rule);
            struct check_result r = search(rules, CHAIN_SMALL, 1);
            assert_int_equal(r.verdict, CHECK_FAILS);
            assert_int_equal(r.depth, failing[i].steps < failing[j].steps ? failing[i].steps
                                                                          : failing[j].steps);
            check_result_free(&r);
        }
    }
}

static void test_every_run_gives_the_same_bytes(void **state)
{
    (void)state;
    for (size_t i = 0; i < RULES; i++) {
        struct check_result first = search(without(failing[i].rule), CHAIN_LARGE, 1);
        for (unsigned run = 0; run < 20; run++) {
            struct check_result r = search(without(failing[i].rule), CHAIN_LARGE, 1 + run % 2);
            assert_int_equal(r.states, first.states);
            assert_int_equal(r.depth, first.depth);
            assert_memory_equal(r.action, first.action, first.depth * sizeof *first.action);
            check_result_free(&r);
        }
        check_result_free(&first);
    }
}

/* --- in words --------------------------------------------------------------------------------- */

static void assert_told(enum rule rule, const char *const *expected, uint32_t steps)
{
    struct check_scope scope = {.rules = without(rule), .size = CHAIN_SMALL};
    struct check_result r = search(scope.rules, CHAIN_SMALL, 1);
    assert_int_equal(r.depth, steps);
    for (uint32_t i = 0; i < r.depth; i++) {
        char line[300];
        unsigned char now[CHECK_STATE_MAX];
        struct check_told told = {.actor = ""};
        check_replay(&model_saga, &scope, r.start, r.action, i, now);
        model_saga.tell(&scope, now, r.action[i], &told);
        (void)snprintf(line, sizeof line, "%s %s: %s", told.actor, told.action, told.detail);
        assert_string_equal(line, expected[i]);
    }
    check_result_free(&r);
}

static void test_a_debit_that_comes_late_in_words(void **state)
{
    (void)state;
    static const char *const expected[] = {
        "the coordinator asks shard A for the debit: A client wants a transfer. Its log said so "
        "before it was sent.",
        "the coordinator asks shard A to take the debit back: It gives up waiting. Its log said so "
        "before it was sent.",
        "shard A has no debit to take back: The message to compensate it has arrived first. It "
        "remembers nothing of it.",
        "shard A does the debit: The message to do it has arrived. It is in effect at once, and "
        "others see it. It is late: the saga is going back.",
        "the coordinator tells its client: undone: The compensation of the debit is answered. "
        "Nothing is left to take back. The saga is over, and half of it stays.",
    };
    assert_told(RULE_COMPENSATION_BARS_STEP, expected, 5);
}

static void test_a_credit_without_its_debit_in_words(void **state)
{
    (void)state;
    static const char *const expected[] = {
        "the coordinator asks shard A for the debit: A client wants a transfer. Its log said so "
        "before it was sent.",
        "shard A does the debit: The message to do it has arrived. It is in effect at once, and "
        "others see it.",
        "the coordinator asks shard B for the credit: The step before it is done. Its log said so "
        "before it was sent.",
        "the coordinator asks all to take back what they did: It gives up waiting. It sends all "
        "compensations at once. Its log said so before it was sent.",
        "shard B does the credit: The message to do it has arrived. It is in effect at once, and "
        "others see it. It is late: the saga is going back.",
        "shard A takes the debit back: The message to compensate it has arrived. It was done, and "
        "is no longer in effect. A later step is in effect without it.",
    };
    assert_told(RULE_COMPENSATE_IN_REVERSE, expected, 6);
}

static void test_a_step_that_nobody_wrote_down_in_words(void **state)
{
    (void)state;
    static const char *const expected[] = {
        "the coordinator asks shard A for the debit: A client wants a transfer. It has not written "
        "that down yet.",
        "the coordinator crashes: What it had sent was in its memory alone. Its log says that "
        "nobody has been asked yet.",
        "the coordinator restarts: Its log says that nobody has been asked yet. It goes on from "
        "there.",
        "the coordinator tells its client: undone: It gives up waiting. Nothing is left to take "
        "back. It has not written that down yet.",
        "shard A does the debit: The message to do it has arrived. It is in effect at once, and "
        "others see it. It is late: the saga has been undone. The saga is over, and half of it "
        "stays.",
    };
    assert_told(RULE_SAGA_LOG_FIRST, expected, 5);
}

/* --- every state of a scope ------------------------------------------------------------------- */

static struct seen {
    uint32_t steps; /* a bit for each kind that was told */
    unsigned done, undone, barred;
} seen;

static void search_with(int (*check)(const struct check_scope *, const void *), uint32_t rules,
                        uint64_t states)
{
    struct check_model model = model_saga;
    struct check_scope scope = {.rules = rules, .size = CHAIN_SMALL};
    struct check_options options = check_interactive();
    model.check = check;
    options.live = false;
    options.states_max = states;
    struct check_result r = check_search(&model, &scope, &options);
    assert_int_not_equal(r.verdict, CHECK_FAILS);
    check_result_free(&r);
}

/* No text is cut, none is missing. */
static int tell_all(const struct check_scope *scope, const void *now)
{
    unsigned char states[CHECK_STEPS_MAX * sizeof(struct chain)];
    uint16_t actions[CHECK_STEPS_MAX];
    struct check_out out = {.state = states,
                            .action = actions,
                            .state_size = sizeof(struct chain),
                            .room = CHECK_STEPS_MAX};
    model_saga.next(scope, now, &out);
    for (size_t i = 0; i < out.count; i++) {
        struct check_told told = {.actor = ""};
        uint16_t action = out.action[i];
        enum chain_step step = chain_step_of(action);
        assert_int_equal(chain_action(step, chain_part_of(action), chain_mail_of(action)), action);
        model_saga.tell(scope, now, action, &told);
        assert_in_range(strlen(told.actor), 2, sizeof told.actor - 2);
        assert_in_range(strlen(told.action), 2, sizeof told.action - 2);
        assert_in_range(strlen(told.detail), 2, sizeof told.detail - 2);
        assert_in_range(model_saga.actor(action), 0, CHECK_ACTORS_MAX - 1);
        assert_int_equal(model_saga.fault(action), step == CHAIN_CRASH || step == CHAIN_LOSE);
        seen.steps |= 1u << step;
    }
    return 0;
}

static void test_every_step_is_taken_somewhere_and_told(void **state)
{
    (void)state;
    seen = (struct seen){0};
    search_with(tell_all, CHECK_RULES_ALL, 40000);
    assert_int_equal(seen.steps, ((1u << CHAIN_STEPS) - 1) &
                                     ~(1u << CHAIN_GIVE_UP_AT_ONCE | 1u << CHAIN_TAKE_BACK_TWICE |
                                       1u << CHAIN_NOT_BARRED | 1u << CHAIN_ASK_UNWRITTEN |
                                       1u << CHAIN_WRITE_LATE));
    for (size_t i = 0; i < RULES; i++) {
        search_with(tell_all, without(failing[i].rule), 5000); /* so many are enough */
    }
    assert_int_equal(seen.steps, (1u << CHAIN_STEPS) - 1);
}

/* What is over stays as it is: the log says so, and no participant would do a late step. */
static int over_is_over(const struct check_scope *scope, const void *state)
{
    const struct chain *now = state;
    if (!model_saga.finished(scope, state)) {
        return 0;
    }
    bool done = now->now.phase == SAGA_DONE;
    for (unsigned i = 0; i < scope->size; i++) {
        bool fresh = now->part[i].state == STEP_NEW;
        assert_int_equal(now->part[i].effect, done ? 1 : 0);
        assert_true(!fresh || !chain_is_under_way(now, i, CHAIN_A_STEP));
        seen.barred += now->part[i].state == STEP_BARRED;
    }
    seen.done += done ? 1 : 0;
    seen.undone += done ? 0 : 1;
    return 0;
}

static void test_what_is_over_stays_as_it_is(void **state)
{
    (void)state;
    seen = (struct seen){0};
    search_with(over_is_over, CHECK_RULES_ALL, 40000);
    assert_in_range(seen.done, 1, UINT32_MAX);
    assert_in_range(seen.undone, 1, UINT32_MAX);
    assert_in_range(seen.barred, 1, UINT32_MAX);
}

static void test_scopes_have_words(void **state)
{
    (void)state;
    char text[128];
    model_saga.say_size(CHAIN_SMALL, text, sizeof text);
    assert_string_equal(text, "3 steps, crashes and losses at any time");
    for (int code = CHAIN_TWICE; code <= CHAIN_HALF_DONE; code++) {
        assert_in_range(strlen(model_saga.broken(code)), 20, 100);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rules_are_those_of_the_protocol),
        cmocka_unit_test(test_both_scopes_hold_within_the_bounds),
        cmocka_unit_test(test_each_rule_left_out_shows),
        cmocka_unit_test(test_two_rules_left_out_fail_as_early_as_one),
        cmocka_unit_test(test_every_run_gives_the_same_bytes),
        cmocka_unit_test(test_a_debit_that_comes_late_in_words),
        cmocka_unit_test(test_a_credit_without_its_debit_in_words),
        cmocka_unit_test(test_a_step_that_nobody_wrote_down_in_words),
        cmocka_unit_test(test_every_step_is_taken_somewhere_and_told),
        cmocka_unit_test(test_what_is_over_stays_as_it_is),
        cmocka_unit_test(test_scopes_have_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
