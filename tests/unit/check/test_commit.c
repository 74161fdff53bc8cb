/*
 * Two-phase commit holds with all its rules, however often the coordinator crashes and messages are
 * lost, and fails without any one of them, by the shortest way.
 */
#include "check/commit.h"
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
    uint32_t steps;   /* as somebody sees it who reads what the participants hold */
    uint32_t inside;  /* as somebody sees it who sees the coordinator's log too */
    uint32_t refused; /* the step that the rule would have refused, from 1; 0: none */
    int broken, broken_inside;
} failing[] = {
    {RULE_ALL_VOTES_NEEDED, 7, 5, 5, PACT_MIXED, PACT_AGAINST_LOG},
    {RULE_LOG_DECISION_FIRST, 12, 6, 6, PACT_MIXED, PACT_UNWRITTEN},
    {RULE_NO_LONE_ABORT, 9, 7, 4, PACT_MIXED, PACT_AGAINST_LOG},
    {RULE_NO_LONE_COMMIT, 4, 3, 3, PACT_MIXED, PACT_UNWRITTEN},
    {RULE_VOTE_AFTER_PREPARE, 9, 7, 2, PACT_MIXED, PACT_AGAINST_LOG},
    {RULE_DECIDE_ONCE, 10, 8, 8, PACT_MIXED, PACT_AGAINST_LOG},
    {RULE_PRESUMED_ABORT, 3, 3, 0, CHECK_DEAD, CHECK_DEAD},
};

#define RULES (sizeof failing / sizeof failing[0])

static uint32_t without(enum rule rule)
{
    return scope_without(&model_commit, rule);
}

static void test_rules_are_those_of_the_protocol(void **state)
{
    (void)state;
    assert_ptr_equal(check_model_by_name("two-phase-commit"), &model_commit);
    assert_int_equal(check_rules(&model_commit), RULES);
    for (size_t i = 0; i < RULES; i++) {
        scope_rule_is(&model_commit, i, failing[i].rule);
    }
}

static void test_both_scopes_hold_within_the_bounds(void **state)
{
    (void)state;
    static const struct {
        uint8_t size;
        uint64_t states;
        uint32_t depth;
    } known[] = {{PACT_SMALL, 9086, 23}, {PACT_LARGE, 378966, 32}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        /* Two threads are compared in the small one, and whatever is left out of it. */
        for (unsigned threads = 1; threads <= 2 - i; threads++) {
            struct check_result r =
                scope_search(&model_commit, CHECK_RULES_ALL, known[i].size, CHECK_BOTH, threads);
            assert_int_equal(r.verdict, CHECK_HOLDS);
            assert_int_equal(r.dead, 0);
            assert_int_equal(r.states, known[i].states);
            assert_int_equal(r.depth, known[i].depth);
            assert_in_range(r.bytes, 1, (uint64_t)64 << 20);
        }
    }
}

static void assert_fails(size_t i, uint8_t size, enum check_judge judge, uint32_t steps)
{
    bool outside = judge == CHECK_OUTSIDE;
    struct check_result r = scope_search(&model_commit, without(failing[i].rule), size, judge, 1);
    assert_int_equal(r.verdict, CHECK_FAILS);
    assert_int_equal(r.depth, steps);
    assert_int_equal(r.broken, outside ? failing[i].broken : failing[i].broken_inside);
    if (outside && size == PACT_SMALL) {
        unsigned char last[CHECK_STATE_MAX];
        struct check_scope scope = {.rules = CHECK_RULES_ALL, .size = size};
        uint32_t refused = failing[i].refused > 0 ? failing[i].refused : r.depth + 1;
        size_t taken = check_replay(&model_commit, &scope, r.start, r.action, r.depth, last);
        assert_int_equal(taken + 1, refused);
    }
    check_result_free(&r);
}

static void test_each_rule_left_out_shows(void **state)
{
    (void)state;
    for (size_t i = 0; i < RULES; i++) {
        assert_fails(i, PACT_SMALL, CHECK_OUTSIDE, failing[i].steps);
        assert_fails(i, PACT_SMALL, CHECK_BOTH, failing[i].inside);
    }
}

/* A third participant must prepare and be counted, where all must. */
static void test_a_third_participant_makes_ways_longer(void **state)
{
    (void)state;
    static const uint32_t steps[] = {5, 8, 9, 3, 9, 10};
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        bool all =
            failing[i].rule != RULE_ALL_VOTES_NEEDED && failing[i].rule != RULE_NO_LONE_COMMIT;
        assert_fails(i, PACT_LARGE, CHECK_BOTH, steps[i]);
        assert_int_equal(steps[i], failing[i].inside + (all ? 2 : 0));
    }
}

/* Two rules left out fail as early as the one that fails earlier, but for three reasons. Without
 * log-decision-first deciding and telling is one step. Without vote-after-prepare a participant
 * that commits alone must prepare by a step of its own. And where nobody presumes "abort", a
 * decision that was not written cannot be taken back: some wait for ever, and that is all. */
static void test_two_rules_left_out(void **state)
{
    (void)state;
    static const uint32_t steps[RULES][RULES] = {
        {7, 6, 7, 4, 7, 7, 7},  {6, 12, 8, 4, 8, 9, 3}, {7, 8, 9, 4, 9, 9, 9},
        {4, 4, 4, 4, 5, 4, 4},  {7, 8, 9, 5, 9, 9, 9},  {7, 9, 9, 4, 9, 10, 10},
        {7, 3, 9, 4, 9, 10, 3},
    };
    for (size_t i = 0; i < RULES; i++) {
        for (size_t j = i; j < RULES; j++) {
            uint32_t rules = without(failing[i].rule) & without(failing[j].rule);
            struct check_result r =
                scope_search(&model_commit, rules, PACT_SMALL, CHECK_OUTSIDE, 1);
            assert_int_equal(r.verdict, CHECK_FAILS);
            assert_int_equal(r.depth, steps[i][j]);
            assert_int_equal(r.broken, steps[i][j] == 3 ? CHECK_DEAD : PACT_MIXED);
            assert_int_equal(steps[i][j], steps[j][i]);
            check_result_free(&r);
        }
    }
}

static void test_two_threads_give_the_same_bytes(void **state)
{
    (void)state;
    for (size_t i = 0; i < RULES; i++) {
        struct check_result r[2];
        for (unsigned t = 0; t < 2; t++) {
            r[t] = scope_search(&model_commit, without(failing[i].rule), PACT_SMALL, CHECK_OUTSIDE,
                                1 + t);
        }
        assert_int_equal(r[0].states, r[1].states);
        assert_int_equal(r[0].generated, r[1].generated);
        assert_int_equal(r[0].dead, r[1].dead);
        assert_int_equal(r[0].depth, r[1].depth);
        assert_memory_equal(r[0].action, r[1].action, r[0].depth * sizeof *r[0].action);
        check_result_free(&r[0]);
        check_result_free(&r[1]);
    }
}

/* --- in words --------------------------------------------------------------------------------- */

static void assert_told(enum rule rule, const char *const *expected, uint32_t steps)
{
    struct check_scope scope = {.rules = without(rule), .size = PACT_SMALL, .judge = CHECK_OUTSIDE};
    struct check_result r = scope_search(&model_commit, scope.rules, PACT_SMALL, CHECK_OUTSIDE, 1);
    assert_int_equal(r.depth, steps);
    for (uint32_t i = 0; i < r.depth; i++) {
        char line[300];
        unsigned char now[CHECK_STATE_MAX];
        struct check_told told = {.actor = ""};
        check_replay(&model_commit, &scope, r.start, r.action, i, now);
        model_commit.tell(&scope, now, r.action[i], &told);
        (void)snprintf(line, sizeof line, "%s %s: %s", told.actor, told.action, told.detail);
        assert_string_equal(line, expected[i]);
    }
    check_result_free(&r);
}

static void test_a_decision_that_was_not_written_in_words(void **state)
{
    (void)state;
    static const char *const expected[] = {
        "the coordinator asks all participants to prepare: A client wants its transaction "
        "committed. Each participant has done its part and holds its locks.",
        "participant 1 prepares, and votes yes: The message to prepare has arrived. Its log says "
        "from now on that it can end either way; only the coordinator's word ends it.",
        "participant 2 prepares, and votes yes: The message to prepare has arrived. Its log says "
        "from now on that it can end either way; only the coordinator's word ends it.",
        "the coordinator counts a vote: The vote of participant 1 has arrived: yes. It has 1 of 2.",
        "the coordinator counts a vote: The vote of participant 2 has arrived: yes. It has 2 of 2.",
        "the coordinator decides to commit, and tells everybody: With 2 of 2 votes. It will write "
        "that to its log later: only its memory knows.",
        "participant 1 commits: The message to commit has arrived. It was prepared; its locks are "
        "free.",
        "participant 2 asks the coordinator what was decided: It is prepared, holds its locks, and "
        "has heard nothing for long.",
        "the coordinator crashes: What it has decided was in its memory alone. Its log says "
        "nothing of the transaction.",
        "the coordinator restarts: Its log says nothing of the transaction.",
        "the coordinator tells participant 2 to abort: It was asked what was decided. Its log says "
        "nothing of it, and that means \"abort\".",
        "participant 2 aborts: The message to abort has arrived. It was prepared; its part is "
        "undone and its locks are free. Participant 1 has committed: half of the transaction is "
        "done.",
    };
    assert_told(RULE_LOG_DECISION_FIRST, expected, 12);
}

static void test_a_wait_without_end_in_words(void **state)
{
    (void)state;
    static const char *const expected[] = {
        "the coordinator asks all participants to prepare: A client wants its transaction "
        "committed. Each participant has done its part and holds its locks.",
        "the coordinator crashes: What it had in its memory is gone. Its log says nothing of the "
        "transaction.",
        "participant 1 prepares, and votes yes: The message to prepare has arrived. Its log says "
        "from now on that it can end either way; only the coordinator's word ends it.",
    };
    assert_told(RULE_PRESUMED_ABORT, expected, 3);
}

/* --- every state of a scope ------------------------------------------------------------------- */

static struct seen {
    uint32_t steps; /* a bit for each kind that was told */
    unsigned ended, asked_of_nobody;
} seen;

static void search_with(int (*check)(const struct check_scope *, const void *), uint32_t rules)
{
    struct check_model model = model_commit;
    struct check_scope scope = {.rules = rules, .size = PACT_SMALL};
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
    unsigned char states[CHECK_STEPS_MAX * sizeof(struct pact)];
    uint16_t actions[CHECK_STEPS_MAX];
    struct check_out out = {.state = states,
                            .action = actions,
                            .state_size = sizeof(struct pact),
                            .room = CHECK_STEPS_MAX};
    model_commit.next(scope, now, &out);
    for (size_t i = 0; i < out.count; i++) {
        struct check_told told = {.actor = ""};
        uint16_t action = out.action[i];
        enum pact_step step = pact_step_of(action);
        assert_int_equal(pact_action(step, pact_part_of(action), pact_mail_of(action)), action);
        model_commit.tell(scope, now, action, &told);
        assert_in_range(strlen(told.actor), 2, sizeof told.actor - 2);
        assert_in_range(strlen(told.action), 2, sizeof told.action - 2);
        assert_in_range(strlen(told.detail), 2, sizeof told.detail - 2);
        assert_in_range(model_commit.actor(action), 0, CHECK_ACTORS_MAX - 1);
        assert_int_equal(model_commit.fault(action), step == PACT_CRASH || step == PACT_LOSE);
        seen.steps |= 1u << step;
    }
    return 0;
}

static void test_every_step_is_taken_somewhere_and_told(void **state)
{
    (void)state;
    seen = (struct seen){0};
    search_with(tell_all, CHECK_RULES_ALL);
    assert_int_equal(seen.steps, ((1u << PACT_STEPS) - 1) &
                                     ~(1u << PACT_VOTE_EARLY | 1u << PACT_PREPARE_LATE |
                                       1u << PACT_COMMIT_ALONE | 1u << PACT_DECIDE_UNWRITTEN |
                                       1u << PACT_WRITE_LATE | 1u << PACT_NO_ANSWER));
    search_with(tell_all, without(RULE_VOTE_AFTER_PREPARE));
    search_with(tell_all, without(RULE_NO_LONE_COMMIT));
    search_with(tell_all, without(RULE_LOG_DECISION_FIRST));
    search_with(tell_all, without(RULE_PRESUMED_ABORT));
    assert_int_equal(seen.steps, (1u << PACT_STEPS) - 1);
}

/* What is over has left nothing behind: no locks, nothing in the coordinator's memory or log. */
static int over_is_over(const struct check_scope *scope, const void *state)
{
    const struct pact *now = state;
    if (!model_commit.finished(scope, state)) {
        return 0;
    }
    struct commit_core c = pact_core(now);
    for (unsigned i = 0; i < scope->size; i++) {
        struct part_core p = pact_participant(now, i);
        assert_false(part_holds_locks(&p));
        assert_int_equal(p.state, now->part[0].state);
    }
    assert_int_equal(c.parts | c.votes | c.heard | c.decided | c.logged, 0);
    seen.ended++;
    seen.asked_of_nobody += pact_is_under_way(now, 0, PACT_A_QUESTION);
    return 0;
}

static void test_what_is_over_leaves_nothing_behind(void **state)
{
    (void)state;
    seen = (struct seen){0};
    search_with(over_is_over, CHECK_RULES_ALL);
    assert_in_range(seen.ended, 1, UINT32_MAX);
    assert_in_range(seen.asked_of_nobody, 1, UINT32_MAX);
}

static void test_scopes_have_words(void **state)
{
    (void)state;
    char text[128];
    model_commit.say_size(PACT_SMALL, text, sizeof text);
    assert_string_equal(text, "2 participants, crashes and losses at any time");
    for (int code = PACT_MIXED; code <= PACT_UNWRITTEN; code++) {
        assert_in_range(strlen(model_commit.broken(code)), 20, 100);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rules_are_those_of_the_protocol),
        cmocka_unit_test(test_both_scopes_hold_within_the_bounds),
        cmocka_unit_test(test_each_rule_left_out_shows),
        cmocka_unit_test(test_a_third_participant_makes_ways_longer),
        cmocka_unit_test(test_two_rules_left_out),
        cmocka_unit_test(test_two_threads_give_the_same_bytes),
        cmocka_unit_test(test_a_decision_that_was_not_written_in_words),
        cmocka_unit_test(test_a_wait_without_end_in_words),
        cmocka_unit_test(test_every_step_is_taken_somewhere_and_told),
        cmocka_unit_test(test_what_is_over_leaves_nothing_behind),
        cmocka_unit_test(test_scopes_have_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
