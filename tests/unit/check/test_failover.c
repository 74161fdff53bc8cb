/*
 * Replicas that elect leaders keep what they promise with every rule, and fail without each by the
 * shortest way.
 */
#include "check/failover.h"
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
    enum failover_size size;
    uint32_t steps;
    uint32_t refused; /* the step that the rule would have refused, from 1 */
    enum failover_promise broken;
} failing[] = {
    {RULE_ACK_NEEDS_MAJORITY, FAILOVER_SMALL, 3, 1, FAILOVER_LACKS},
    {RULE_ELECTION_NEEDS_MAJORITY, FAILOVER_SMALL, 2, 1, FAILOVER_TWO_LEADERS},
    {RULE_VOTE_FOR_LONGER_LOG, FAILOVER_SMALL, 4, 4, FAILOVER_LACKS},
    {RULE_REFUSE_OLD_TERM, FAILOVER_SMALL, 4, 4, FAILOVER_LACKS},
    {RULE_DURABLE_VOTE, FAILOVER_SMALL, 5, 4, FAILOVER_LACKS},
    {RULE_VOTES_COUNT_ONCE, FAILOVER_FIVE, 6, 4, FAILOVER_TWO_LEADERS},
};

#define RULES (sizeof failing / sizeof failing[0])

static struct check_result search(uint32_t rules, enum failover_size size, unsigned threads)
{
    return scope_search(&model_failover, rules, size, CHECK_BOTH, threads);
}

static uint32_t without(enum rule rule)
{
    return scope_without(&model_failover, rule);
}

static void test_rules_are_those_of_the_protocol(void **state)
{
    (void)state;
    assert_int_equal(check_rules(&model_failover), RULES);
    for (size_t i = 0; i < RULES; i++) {
        scope_rule_is(&model_failover, i, failing[i].rule);
    }
}

static void test_every_scope_holds_within_the_bounds(void **state)
{
    (void)state;
    static const struct {
        uint64_t states;
        uint32_t depth;
    } known[FAILOVER_SIZES] = {
        [FAILOVER_SMALL] = {21867, 12},
        [FAILOVER_LARGE] = {277338, 15},
        [FAILOVER_FIVE] = {591, 7},
        [FAILOVER_LONG] = {129763, 16},
    };
    for (unsigned size = 0; size < FAILOVER_SIZES; size++) {
        bool wide = known[size].states > 100000;
        for (unsigned threads = wide ? 2 : 1; threads <= 2; threads++) {
            struct check_result r = search(CHECK_RULES_ALL, (enum failover_size)size, threads);
            assert_int_equal(r.verdict, CHECK_HOLDS);
            assert_int_equal(r.dead, 0);
            assert_int_equal(r.states, known[size].states);
            assert_int_equal(r.depth, known[size].depth);
            assert_in_range(r.bytes, 1, (uint64_t)64 << 20);
        }
    }
}

static void fails_as_known(size_t i, enum failover_size size)
{
    unsigned char last[CHECK_STATE_MAX];
    struct check_scope scope = {.rules = CHECK_RULES_ALL, .size = (uint8_t)size};
    struct check_result r = search(without(failing[i].rule), size, 1);
    assert_int_equal(r.verdict, CHECK_FAILS);
    assert_int_equal(r.depth, failing[i].steps);
    assert_int_equal(r.broken, failing[i].broken);
    size_t taken = check_replay(&model_failover, &scope, r.start, r.action, r.depth, last);
    assert_int_equal(taken + 1, failing[i].refused);
    check_result_free(&r);
}

/* In the larger world by ways of the same length. */
static void test_each_rule_left_out_shows(void **state)
{
    (void)state;
    for (size_t i = 0; i < RULES; i++) {
        fails_as_known(i, failing[i].size);
        if (failing[i].size == FAILOVER_SMALL) {
            fails_as_known(i, FAILOVER_LARGE);
        }
    }
}

/* With three replicas one vote beside its own makes a leader: no vote is there to be counted
 * twice. */
static void test_a_vote_counted_twice_needs_five_replicas(void **state)
{
    (void)state;
    struct check_result all = search(CHECK_RULES_ALL, FAILOVER_SMALL, 1);
    struct check_result r = search(without(RULE_VOTES_COUNT_ONCE), FAILOVER_SMALL, 1);
    assert_int_equal(r.verdict, CHECK_HOLDS);
    assert_int_equal(r.states, all.states);
    assert_string_equal(model_failover.apart[0].rule, rule_name(RULE_VOTES_COUNT_ONCE));
    assert_int_equal(model_failover.apart[0].size, FAILOVER_FIVE);
    check_result_free(&r);
    check_result_free(&all);
}

static void test_without_any_rule_it_fails_at_once(void **state)
{
    (void)state;
    struct check_result r = search(0, FAILOVER_SMALL, 1);
    assert_int_equal(r.verdict, CHECK_FAILS);
    assert_int_equal(r.depth, 2);
    check_result_free(&r);
}

static void test_every_run_gives_the_same_bytes(void **state)
{
    (void)state;
    for (size_t i = 0; i < RULES; i++) {
        struct check_result first = search(without(failing[i].rule), failing[i].size, 1);
        for (unsigned run = 0; run < 20; run++) {
            struct check_result r = search(without(failing[i].rule), failing[i].size, 1 + run % 2);
            assert_int_equal(r.depth, first.depth);
            assert_int_equal(r.states, first.states);
            assert_memory_equal(r.action, first.action, first.depth * sizeof *first.action);
            check_result_free(&r);
        }
        check_result_free(&first);
    }
}

/* --- each promise, whatever else is broken before --------------------------------------------- */

static int only_two_leaders(const struct check_scope *scope, const void *state)
{
    int broken = failover_check(scope, state);
    return broken == FAILOVER_TWO_LEADERS ? broken : 0;
}

static int only_late(const struct check_scope *scope, const void *state)
{
    int broken = failover_check(scope, state);
    return broken == FAILOVER_LATE ? broken : 0;
}

static int only_lacks(const struct check_scope *scope, const void *state)
{
    int broken = failover_check(scope, state);
    return broken == FAILOVER_LACKS ? broken : 0;
}

static int only_differ(const struct check_scope *scope, const void *state)
{
    int broken = failover_check(scope, state);
    return broken == FAILOVER_DIFFER ? broken : 0;
}

static struct check_result search_with(int (*check)(const struct check_scope *, const void *),
                                       uint32_t rules, enum failover_size size)
{
    struct check_model model = model_failover;
    struct check_scope scope = {.rules = rules, .size = (uint8_t)size};
    struct check_options options = check_interactive();
    model.check = check;
    options.live = false;
    struct check_result r = check_search(&model, &scope, &options);
    assert_int_not_equal(r.verdict, CHECK_CUT);
    return r;
}

static void test_what_else_a_rule_forbids(void **state)
{
    (void)state;
    static const struct {
        int (*check)(const struct check_scope *, const void *);
        enum rule rule;
        enum failover_size size;
        uint32_t steps;
    } known[] = {
        {only_two_leaders, RULE_DURABLE_VOTE, FAILOVER_SMALL, 5}, /* a second vote in a term */
        {only_two_leaders, RULE_REFUSE_OLD_TERM, FAILOVER_LARGE, 9},
        {only_late, RULE_REFUSE_OLD_TERM, FAILOVER_SMALL, 4},
        {only_lacks, RULE_ELECTION_NEEDS_MAJORITY, FAILOVER_SMALL, 3},
        {only_differ, RULE_ACK_NEEDS_MAJORITY, FAILOVER_SMALL, 6},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        struct check_result r = search_with(known[i].check, without(known[i].rule), known[i].size);
        assert_int_equal(r.verdict, CHECK_FAILS);
        assert_int_equal(r.depth, known[i].steps);
        check_result_free(&r);
    }
}

static unsigned holders(const struct failover *now, unsigned write)
{
    unsigned count = 0;
    for (unsigned i = 0; i < FAILOVER_REPLICAS_MAX; i++) {
        count += failover_has(now, i, write);
    }
    return count;
}

static int acked_is_at_a_majority(const struct check_scope *scope, const void *state)
{
    const struct failover *now = state;
    unsigned replicas = failover_world_of(scope)->replicas;
    for (unsigned w = 0; w < now->taken; w++) {
        assert_true(now->write[w].acked == 0 || holders(now, w) >= term_majority(replicas));
    }
    return 0;
}

static void test_what_is_acknowledged_stays_at_a_majority(void **state)
{
    (void)state;
    search_with(acked_is_at_a_majority, CHECK_RULES_ALL, FAILOVER_SMALL);
    search_with(acked_is_at_a_majority, CHECK_RULES_ALL, FAILOVER_LONG);
}

/* The newest leader lacks what is at a majority. */
static int lacks_of_majority(const struct check_scope *scope, const void *state)
{
    const struct failover *now = state;
    unsigned replicas = failover_world_of(scope)->replicas;
    for (unsigned i = 0; i < replicas; i++) {
        const struct failover_replica *r = &now->replica[i];
        bool leads = r->role == TERM_LEADER && r->term == failover_newest(now);
        for (unsigned w = 0; w < now->taken && leads; w++) {
            if (holders(now, w) >= term_majority(replicas) && !failover_has(now, i, w)) {
                return FAILOVER_LACKS;
            }
        }
    }
    return 0;
}

/* Why a leader counts only entries of its own term: one of a term before can be at a majority, and
 * the next leader lacks it all the same. */
static void test_an_old_entry_at_a_majority_is_not_safe(void **state)
{
    (void)state;
    struct check_result r = search_with(lacks_of_majority, CHECK_RULES_ALL, FAILOVER_LONG);
    assert_int_equal(r.verdict, CHECK_FAILS);
    assert_int_equal(r.depth, 11);
    check_result_free(&r);
}

/* --- in words --------------------------------------------------------------------------------- */

static void assert_told(size_t which, const char *const *expected)
{
    uint32_t rules = without(failing[which].rule);
    struct check_scope scope = {.rules = rules, .size = (uint8_t)failing[which].size};
    struct check_result r = search(rules, failing[which].size, 1);
    assert_int_equal(r.depth, failing[which].steps);
    for (uint32_t i = 0; i < r.depth; i++) {
        char line[300];
        unsigned char now[CHECK_STATE_MAX];
        struct check_told told = {.actor = ""};
        check_replay(&model_failover, &scope, r.start, r.action, i, now);
        model_failover.tell(&scope, now, r.action[i], &told);
        (void)snprintf(line, sizeof line, "%s %s: %s", told.actor, told.action, told.detail);
        assert_string_equal(line, expected[i]);
    }
    check_result_free(&r);
}

static void test_a_log_that_is_too_short_in_words(void **state)
{
    (void)state;
    static const char *const expected[] = {
        "replica A takes write 1: It leads term 1, and has it at position 1 of its log. The client "
        "waits.",
        "replica B stands for term 2: It votes for itself and asks the others. With 1 vote more it "
        "leads.",
        "replica C takes what A sends: It has write 1 at position 1 now. A hears of it. The client "
        "of write 1 is told OK.",
        "replica C votes for B in term 2: B's log is not as far as its own: it does not look. B "
        "counts 2 votes of 3, and leads term 2. B leads term 2 and lacks write 1.",
    };
    assert_told(2, expected);
}

static void test_a_vote_that_is_forgotten_in_words(void **state)
{
    (void)state;
    static const char *const expected[] = {
        "replica A takes write 1: It leads term 1, and has it at position 1 of its log. The client "
        "waits.",
        "replica B stands for term 2: It votes for itself and asks the others. With 1 vote more it "
        "leads.",
        "replica C votes for B in term 2: B's log is as far as its own, or farther. B counts 2 "
        "votes of 3, and leads term 2.",
        "replica C restarts: Its log is there. Term 2 and its vote for B are forgotten: it takes "
        "itself to be in term 0.",
        "replica C takes what A sends: It has write 1 at position 1 now. It is in term 1 now. A "
        "hears of it. The client of write 1 is told OK. B leads term 2 and lacks write 1.",
    };
    assert_told(4, expected);
}

static void test_a_vote_that_is_counted_twice_in_words(void **state)
{
    (void)state;
    static const char *const expected[] = {
        "replica B stands for term 2: It votes for itself and asks the others. With 2 votes more "
        "it leads.",
        "replica C stands for term 2: It votes for itself and asks the others. With 2 votes more "
        "it leads.",
        "replica A votes for B in term 2: B's log is as far as its own, or farther. It leads no "
        "more. B counts 2 votes of 5.",
        "replica A votes for B in term 2 once more: Asked again, it says the same again. B counts "
        "3 votes of 5, and leads term 2.",
        "replica D votes for C in term 2: C's log is as far as its own, or farther. C counts 2 "
        "votes of 5.",
        "replica D votes for C in term 2 once more: Asked again, it says the same again. C counts "
        "3 votes of 5, and leads term 2. But B was elected to term 2 already.",
    };
    assert_told(5, expected);
}

/* --- every state of a scope ------------------------------------------------------------------- */

static struct seen {
    unsigned steps; /* a bit for each kind that was told */
} seen;

/* No text is cut, none is missing, up to the first failure. */
static int tell_all(const struct check_scope *scope, const void *now)
{
    _Alignas(16) unsigned char states[CHECK_STEPS_MAX * sizeof(struct failover)];
    uint16_t actions[CHECK_STEPS_MAX];
    struct check_out out = {.state = states,
                            .action = actions,
                            .state_size = sizeof(struct failover),
                            .room = CHECK_STEPS_MAX};
    model_failover.next(scope, now, &out);
    for (size_t i = 0; i < out.count; i++) {
        struct check_told told = {.actor = ""};
        struct failover_action a = failover_action_of(out.action[i]);
        struct failover after = failover_after(scope, now, a);
        assert_memory_equal(&after, states + i * sizeof after, sizeof after);
        assert_int_equal(failover_number_of(a), out.action[i]);
        model_failover.tell(scope, now, out.action[i], &told);
        assert_in_range(strlen(told.actor), 2, sizeof told.actor - 2);
        assert_in_range(strlen(told.action), 2, sizeof told.action - 2);
        assert_in_range(strlen(told.detail), 2, sizeof told.detail - 2);
        assert_in_range(model_failover.actor(out.action[i]), 0, CHECK_ACTORS_MAX - 1);
        seen.steps |= 1u << a.step;
    }
    return failover_check(scope, now);
}

#define BIT(step) (1u << FAILOVER_##step)
#define ONLY_WITHOUT                                                                               \
    (BIT(WRITE_ACK) | BIT(SEND_OLD) | BIT(STAND_ALONE) | BIT(VOTE_SHORT) | BIT(VOTE_OLD) |         \
     BIT(VOTE_TWICE) | BIT(RESTART_FORGETS))

static void test_every_step_is_taken_somewhere_and_told(void **state)
{
    (void)state;
    seen = (struct seen){0};
    search_with(tell_all, CHECK_RULES_ALL, FAILOVER_SMALL);
    assert_int_equal(seen.steps, (BIT(STEPS) - 1) & ~ONLY_WITHOUT);
    for (size_t i = 0; i < RULES; i++) {
        struct check_result r = search_with(tell_all, without(failing[i].rule), failing[i].size);
        check_result_free(&r);
    }
    assert_int_equal(seen.steps, (BIT(STEPS) - 1) & ~BIT(VOTE_OLD)); /* it takes three terms */
    struct check_scope scope = {.rules = without(RULE_REFUSE_OLD_TERM), .size = FAILOVER_LARGE};
    struct failover now = failover_start(&scope);
    now.replica[1] = (struct failover_replica){
        .term = 2, .role = TERM_CANDIDATE, .vote = 2, .votes = 2, .counted = 1};
    now.replica[2] = (struct failover_replica){.term = 3};
    tell_all(&scope, &now);
    assert_int_equal(seen.steps, BIT(STEPS) - 1);
}

static void test_scopes_have_words(void **state)
{
    (void)state;
    char text[128];
    model_failover.say_size(FAILOVER_SMALL, text, sizeof text);
    assert_string_equal(text, "3 replicas, 2 writes, 2 terms, 1 restart, 1 answer that is lost");
    model_failover.say_size(FAILOVER_LARGE, text, sizeof text);
    assert_string_equal(text, "3 replicas, 2 writes, 3 terms, 1 restart, 1 answer that is lost");
    model_failover.say_size(FAILOVER_FIVE, text, sizeof text);
    assert_string_equal(text, "5 replicas, 2 terms");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rules_are_those_of_the_protocol),
        cmocka_unit_test(test_every_scope_holds_within_the_bounds),
        cmocka_unit_test(test_each_rule_left_out_shows),
        cmocka_unit_test(test_a_vote_counted_twice_needs_five_replicas),
        cmocka_unit_test(test_without_any_rule_it_fails_at_once),
        cmocka_unit_test(test_every_run_gives_the_same_bytes),
        cmocka_unit_test(test_what_else_a_rule_forbids),
        cmocka_unit_test(test_what_is_acknowledged_stays_at_a_majority),
        cmocka_unit_test(test_an_old_entry_at_a_majority_is_not_safe),
        cmocka_unit_test(test_a_log_that_is_too_short_in_words),
        cmocka_unit_test(test_a_vote_that_is_forgotten_in_words),
        cmocka_unit_test(test_a_vote_that_is_counted_twice_in_words),
        cmocka_unit_test(test_every_step_is_taken_somewhere_and_told),
        cmocka_unit_test(test_scopes_have_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
