/*
 * Edits that are written twice hold with all their rules in the large scope, and fail in the small
 * one without any of them, by the shortest way.
 */
#include "check/dual_write.h"
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
    enum twice_size size;
    uint32_t steps;
    uint32_t refused; /* the step that the rule would have refused, from 1 */
    enum twice_promise broken;
} failing[] = {
    {RULE_NEWER_ONLY, TWICE_SMALL, 6, 6, TWICE_DIFFER},
    {RULE_DUAL_BEFORE_BACKFILL, TWICE_SMALL, 5, 1, TWICE_DIFFER},
    {RULE_COMPARE_BEFORE_SWITCH, TWICE_SMALL, 3, 2, TWICE_STALE},
    /* The pass has another key to go over when B goes back. */
    {RULE_NEWER_ONLY, TWICE_LARGE, 6, 6, TWICE_BACK},
    /* One more key to be read and written. */
    {RULE_DUAL_BEFORE_BACKFILL, TWICE_LARGE, 7, 1, TWICE_DIFFER},
    {RULE_COMPARE_BEFORE_SWITCH, TWICE_LARGE, 3, 2, TWICE_STALE},
    /* Where the backfill cannot harm, two routers do. */
    {RULE_NEWER_ONLY, TWICE_ABSENT, 7, 7, TWICE_BACK},
    {RULE_DUAL_BEFORE_BACKFILL, TWICE_ABSENT, 5, 1, TWICE_DIFFER},
    {RULE_COMPARE_BEFORE_SWITCH, TWICE_ABSENT, 3, 2, TWICE_STALE},
    /* Both halves at once: an older version comes last before either is acknowledged. */
    {RULE_NEWER_ONLY, TWICE_AT_ONCE, 5, 5, TWICE_BACK},
    {RULE_DUAL_BEFORE_BACKFILL, TWICE_AT_ONCE, 5, 1, TWICE_DIFFER},
    {RULE_COMPARE_BEFORE_SWITCH, TWICE_AT_ONCE, 3, 2, TWICE_STALE},
};

#define RULES 3u
#define FAILING (sizeof failing / sizeof failing[0])

static struct check_result search(uint32_t rules, enum twice_size size, unsigned threads)
{
    return scope_search(&model_dual_write, rules, size, CHECK_BOTH, threads);
}

static uint32_t without(enum rule rule)
{
    return scope_without(&model_dual_write, rule);
}

static void test_rules_are_those_of_the_protocol(void **state)
{
    (void)state;
    assert_int_equal(check_rules(&model_dual_write), RULES);
    for (size_t i = 0; i < RULES; i++) {
        scope_rule_is(&model_dual_write, i, failing[i].rule);
    }
}

static void test_every_scope_holds_within_the_bounds(void **state)
{
    (void)state;
    static const struct {
        uint64_t states;
        uint32_t depth;
    } known[TWICE_SIZES] = {
        [TWICE_SMALL] = {662, 13},
        [TWICE_LARGE] = {97418, 23},
        [TWICE_ABSENT] = {277, 13},
        [TWICE_AT_ONCE] = {4717, 17},
    };
    for (unsigned size = 0; size < TWICE_SIZES; size++) {
        for (unsigned threads = 1; threads <= 2; threads++) {
            struct check_result r = search(CHECK_RULES_ALL, (enum twice_size)size, threads);
            assert_int_equal(r.verdict, CHECK_HOLDS);
            assert_int_equal(r.dead, 0);
            assert_int_equal(r.states, known[size].states);
            assert_int_equal(r.depth, known[size].depth);
            assert_in_range(r.bytes, 1, (uint64_t)64 << 20);
        }
    }
    const struct twice_world *small = twice_world_of(&(struct check_scope){.size = TWICE_SMALL});
    const struct twice_world *large = twice_world_of(&(struct check_scope){.size = TWICE_LARGE});
    assert_true(large->keys > small->keys && large->edits > small->edits);
    assert_true(large->refusals > small->refusals);
}

static void test_each_rule_left_out_shows(void **state)
{
    (void)state;
    for (size_t i = 0; i < FAILING; i++) {
        struct check_scope scope = {.rules = CHECK_RULES_ALL, .size = (uint8_t)failing[i].size};
        unsigned char last[CHECK_STATE_MAX];
        struct check_result r = search(without(failing[i].rule), failing[i].size, 1);
        assert_int_equal(r.verdict, CHECK_FAILS);
        assert_int_equal(r.depth, failing[i].steps);
        assert_int_equal(r.broken, failing[i].broken);
        size_t taken = check_replay(&model_dual_write, &scope, r.start, r.action, r.depth, last);
        assert_int_equal(taken + 1, failing[i].refused);
        check_result_free(&r);
    }
}

static unsigned count_steps(const struct check_result *r, unsigned kinds)
{
    unsigned count = 0;
    for (uint32_t i = 0; i < r->depth; i++) {
        count += kinds >> twice_action_of(r->action[i]).step & 1;
    }
    return count;
}

/* The orders of two actors with two steps each, which fail in 4: the rest is what goes before them.
 */
static void test_the_lengths_of_another_cut(void **state)
{
    (void)state;
    const unsigned backfill = 1u << TWICE_READ | 1u << TWICE_FILL | 1u << TWICE_FILL_BACK;
    const unsigned halves = 1u << TWICE_STORE | 1u << TWICE_GO_BACK;
    struct check_result r = search(without(RULE_NEWER_ONLY), TWICE_SMALL, 1);
    assert_int_equal(count_steps(&r, backfill), 2);
    assert_int_equal(count_steps(&r, halves), 2);
    assert_int_equal(count_steps(&r, 1u << TWICE_ON | 1u << TWICE_ISSUE), 2);
    check_result_free(&r);
    r = search(without(RULE_NEWER_ONLY), TWICE_ABSENT, 1);
    assert_int_equal(count_steps(&r, backfill), 0);
    assert_int_equal(count_steps(&r, halves), 4);
    assert_int_equal(count_steps(&r, 1u << TWICE_ON | 1u << TWICE_ISSUE), 3);
    check_result_free(&r);
}

static void test_rules_left_out_together_fail_as_early_as_one(void **state)
{
    (void)state;
    uint32_t rules = without(RULE_NEWER_ONLY) & without(RULE_DUAL_BEFORE_BACKFILL);
    struct check_result r = search(rules, TWICE_SMALL, 1);
    assert_int_equal(r.depth, 5);
    check_result_free(&r);
    r = search(rules & without(RULE_COMPARE_BEFORE_SWITCH), TWICE_SMALL, 1);
    assert_int_equal(r.depth, 3);
    check_result_free(&r);
}

static void test_every_run_gives_the_same_bytes(void **state)
{
    (void)state;
    for (size_t i = 0; i < 6; i++) {
        enum twice_size size = failing[i].size;
        struct check_result first = search(without(failing[i].rule), size, 1);
        for (unsigned run = 0; run < 20; run++) {
            struct check_result r = search(without(failing[i].rule), size, 1 + run % 2);
            assert_int_equal(r.depth, first.depth);
            assert_memory_equal(r.action, first.action, first.depth * sizeof *first.action);
            check_result_free(&r);
        }
        check_result_free(&first);
    }
}

/* --- what a client would notice --------------------------------------------------------------- */

static int only_stale(const struct check_scope *scope, const void *state)
{
    return twice_check(scope, state) == TWICE_STALE ? TWICE_STALE : 0;
}

static struct check_result search_stale(uint32_t rules, enum twice_size size)
{
    struct check_model model = model_dual_write;
    struct check_scope scope = {.rules = rules, .size = (uint8_t)size};
    struct check_options options = check_interactive();
    model.check = only_stale;
    return check_search(&model, &scope, &options);
}

/* The compare would never let reads go to B. */
static void test_the_compare_covers_for_a_backfill_that_comes_too_early(void **state)
{
    (void)state;
    struct check_result r = search_stale(without(RULE_DUAL_BEFORE_BACKFILL), TWICE_SMALL);
    assert_int_equal(r.verdict, CHECK_HOLDS);
    check_result_free(&r);
}

/* But not for an older version that comes after it. One edit was sent before double writing began:
 * so it has no second half, and got its version at A after the other. */
static void test_the_compare_does_not_cover_for_versions(void **state)
{
    (void)state;
    struct check_result r = search_stale(without(RULE_NEWER_ONLY), TWICE_SMALL);
    assert_int_equal(r.verdict, CHECK_FAILS);
    assert_int_equal(r.depth, 10);
    assert_int_equal(twice_action_of(r.action[0]).step, TWICE_ISSUE);
    assert_int_equal(twice_action_of(r.action[7]).step, TWICE_SWITCH);
    assert_int_equal(twice_action_of(r.action[8]).step, TWICE_GO_BACK);
    assert_int_equal(twice_action_of(r.action[9]).step, TWICE_LOOK);
    check_result_free(&r);
}

/* --- in words --------------------------------------------------------------------------------- */

static void assert_told(uint32_t rules, enum twice_size size, const char *const *expected,
                        uint32_t steps)
{
    struct check_scope scope = {.rules = rules, .size = (uint8_t)size};
    struct check_result r = search(rules, size, 1);
    assert_int_equal(r.depth, steps);
    for (uint32_t i = 0; i < r.depth; i++) {
        char line[300];
        unsigned char now[CHECK_STATE_MAX];
        struct check_told told = {.actor = ""};
        check_replay(&model_dual_write, &scope, r.start, r.action, i, now);
        model_dual_write.tell(&scope, now, r.action[i], &told);
        (void)snprintf(line, sizeof line, "%s %s: %s", told.actor, told.action, told.detail);
        assert_string_equal(line, expected[i]);
    }
    check_result_free(&r);
}

static void test_the_backfills_old_version_in_words(void **state)
{
    (void)state;
    static const char *const expected[] = {
        "the operator turns double writing on: Edits go to A first, then to B from now on.",
        "the backfill reads k1 at A: v4: It will write that to B later.",
        "a client edits k1 through R0: e1: R0 sends e1 to A first. The version that it gets there "
        "goes to B next.",
        "shard A stores e1 as v5: It held v4 of k1. R0 sends v5 on to B.",
        "shard B stores e1 as v5: It held nothing of k1. Both have answered. The client is told "
        "OK.",
        "the backfill writes v4 of k1 to B: B held v5: what comes last wins, older or not. It has "
        "gone over all keys. A holds v5, and nothing is left that would mend it.",
    };
    assert_told(without(RULE_NEWER_ONLY), TWICE_SMALL, expected, 6);
}

static void test_two_routers_in_words(void **state)
{
    (void)state;
    static const char *const expected[] = {
        "the operator turns double writing on: Edits go to A first, then to B from now on.",
        "a client edits k1 through R0: e1: R0 sends e1 to A first. The version that it gets there "
        "goes to B next.",
        "a client edits k1 through R1: e2: R1 sends e2 to A first. The version that it gets there "
        "goes to B next.",
        "shard A stores e1 as v5: It held v4 of k1. R0 sends v5 on to B.",
        "shard A stores e2 as v6: It held v5 of k1. R1 sends v6 on to B.",
        "shard B stores e2 as v6: It held nothing of k1. Both have answered. The client is told "
        "OK.",
        "shard B stores e1 as v5 over v6: What comes last wins, older or not. Both have answered. "
        "The client is told OK. With that v6 is gone from B.",
    };
    assert_told(without(RULE_NEWER_ONLY), TWICE_ABSENT, expected, 7);
}

static void test_a_backfill_that_comes_too_early_in_words(void **state)
{
    (void)state;
    static const char *const expected[] = {
        "the backfill reads k1 at A: v4: It will write that to B later. Edits go to A alone "
        "meanwhile.",
        "the backfill writes v4 of k1 to B: B held nothing. It has gone over all keys.",
        "a client edits k1 through R0: e1: Edits are not written twice now: R0 sends e1 to A "
        "alone.",
        "shard A stores e1 as v5: It held v4 of k1. The client is told OK.",
        "the operator turns double writing on: Edits go to A first, then to B from now on. B holds "
        "v4 of k1, and A v5. The backfill is through.",
    };
    assert_told(without(RULE_DUAL_BEFORE_BACKFILL), TWICE_SMALL, expected, 5);
}

static void test_a_switch_without_a_compare_in_words(void **state)
{
    (void)state;
    static const char *const expected[] = {
        "the operator turns double writing on: Edits go to A first, then to B from now on.",
        "the operator lets B answer reads: Nobody has compared A and B. B holds nothing of k1, and "
        "A v4.",
        "a client reads k1 at B: nothing: B answers reads now. v4 had been acknowledged, and A "
        "holds v4.",
    };
    assert_told(without(RULE_COMPARE_BEFORE_SWITCH), TWICE_SMALL, expected, 3);
}

/* --- every state of a scope ------------------------------------------------------------------- */

static struct seen {
    unsigned steps;     /* a bit for each kind that was told */
    unsigned refused;   /* states in which an edit was refused and is not yet at both */
    unsigned mended;    /* ... and in which it is, after */
    unsigned strays[2]; /* states in which a second half is on its way to where the first came to,
                           by enum dual_side */
} seen;

static void search_with(int (*check)(const struct check_scope *, const void *), uint32_t rules,
                        enum twice_size size)
{
    struct check_model model = model_dual_write;
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
    unsigned char states[CHECK_STEPS_MAX * sizeof(struct twice)];
    uint16_t actions[CHECK_STEPS_MAX];
    struct check_out out = {.state = states,
                            .action = actions,
                            .state_size = sizeof(struct twice),
                            .room = CHECK_STEPS_MAX};
    model_dual_write.next(scope, now, &out);
    for (size_t i = 0; i < out.count; i++) {
        struct check_told told = {.actor = ""};
        assert_int_equal(twice_number_of(twice_action_of(out.action[i])), out.action[i]);
        model_dual_write.tell(scope, now, out.action[i], &told);
        assert_in_range(strlen(told.actor), 2, sizeof told.actor - 2);
        assert_in_range(strlen(told.action), 2, sizeof told.action - 2);
        assert_in_range(strlen(told.detail), 2, sizeof told.detail - 2);
        assert_in_range(model_dual_write.actor(out.action[i]), 0, CHECK_ACTORS_MAX - 1);
        seen.steps |= 1u << twice_action_of(out.action[i]).step;
    }
    return 0;
}

static void test_every_step_is_taken_somewhere_and_told(void **state)
{
    (void)state;
    const unsigned broken = 1u << TWICE_FILL_BACK | 1u << TWICE_GO_BACK | 1u << TWICE_SWITCH_BLIND |
                            1u << TWICE_RETURN_BLIND;
    seen = (struct seen){0};
    search_with(tell_all, CHECK_RULES_ALL, TWICE_SMALL);
    search_with(tell_all, CHECK_RULES_ALL, TWICE_AT_ONCE);
    assert_int_equal(seen.steps, ((1u << TWICE_STEPS) - 1) & ~broken);
    for (size_t i = 0; i < RULES; i++) {
        search_with(tell_all, without(failing[i].rule), TWICE_SMALL);
        search_with(tell_all, without(failing[i].rule), TWICE_AT_ONCE);
    }
    assert_int_equal(seen.steps, (1u << TWICE_STEPS) - 1);
}

/* A half that was refused, or died with its router, comes after all, by the backfill. */
static int mended(const struct check_scope *scope, const void *state)
{
    const struct twice *now = state;
    bool rests = now->refusals + now->deaths > 0 && !twice_under_way(now);
    bool alike = twice_alike(twice_world_of(scope), now);
    bool works = now->pass != TWICE_NO_PASS;
    seen.refused += rests && !alike;
    seen.mended += rests && alike && !works;
    assert_true(!rests || alike || works || now->core.filled == 0);
    return 0;
}

static void test_what_is_missing_at_a_shard_is_mended(void **state)
{
    (void)state;
    seen = (struct seen){0};
    search_with(mended, CHECK_RULES_ALL, TWICE_SMALL);
    assert_in_range(seen.refused, 1, UINT32_MAX);
    assert_in_range(seen.mended, 1, UINT32_MAX);
}

/* How many of the steps the scope takes, and where they lead. */
static size_t take(uint32_t rules, const struct twice_action *step, size_t count,
                   struct twice *last)
{
    struct check_scope scope = {.rules = rules, .size = TWICE_SMALL};
    uint16_t action[24];
    assert_in_range(count, 1, 24);
    for (size_t i = 0; i < count; i++) {
        action[i] = twice_number_of(step[i]);
    }
    return check_replay(&model_dual_write, &scope, 0, action, (uint32_t)count, last);
}

static const struct twice_action begin_and_switch[] = {
    {.step = TWICE_ON},
    {.step = TWICE_READ},
    {.step = TWICE_FILL, .side = DUAL_TARGET},
    {.step = TWICE_SWITCH},
};

/* An edit comes to B alone, and its client is told OK. Reads may go back when A has it too. */
static void test_reads_go_back_to_a_shard_that_has_all(void **state)
{
    (void)state;
    struct twice_action step[10];
    memcpy(step, begin_and_switch, sizeof begin_and_switch);
    step[4] = (struct twice_action){.step = TWICE_ISSUE};
    step[5] = (struct twice_action){.step = TWICE_STORE, .side = DUAL_TARGET};
    step[6] = (struct twice_action){.step = TWICE_REFUSE, .half = TWICE_HALF_SECOND};
    step[7] = (struct twice_action){.step = TWICE_RETURN_BLIND};
    step[8] = (struct twice_action){.step = TWICE_LOOK};
    struct twice last;
    assert_int_equal(take(CHECK_RULES_ALL, step, 9, &last), 7);
    assert_int_equal(take(without(RULE_COMPARE_BEFORE_SWITCH), step, 9, &last), 9);
    assert_int_equal(last.stale, 1);
    step[7] = (struct twice_action){.step = TWICE_READ, .side = DUAL_TARGET};
    step[8] = (struct twice_action){.step = TWICE_FILL, .side = DUAL_SOURCE};
    step[9] = (struct twice_action){.step = TWICE_RETURN};
    assert_int_equal(take(CHECK_RULES_ALL, step, 10, &last), 10);
    assert_int_equal(last.core.phase, DUAL_WRITING);
    assert_int_equal(last.key[0].held[DUAL_SOURCE], 5);
    assert_int_equal(twice_row(&last, DUAL_SOURCE), SLOT_OWNED);
}

/* Its client hears nothing, and reads may not switch before both have the edit. */
static void test_a_router_that_dies_between_the_two_writes(void **state)
{
    (void)state;
    struct twice_action step[9];
    memcpy(step, begin_and_switch, 3 * sizeof *step);
    step[3] = (struct twice_action){.step = TWICE_ISSUE};
    step[4] = (struct twice_action){.step = TWICE_STORE, .side = DUAL_SOURCE};
    step[5] = (struct twice_action){.step = TWICE_DIE};
    step[6] = (struct twice_action){.step = TWICE_SWITCH};
    struct twice last;
    assert_int_equal(take(CHECK_RULES_ALL, step, 7, &last), 6);
    assert_int_equal(last.key[0].due, TWICE_FIRST);
    assert_int_equal(last.key[0].held[DUAL_SOURCE], 5);
    assert_int_equal(last.key[0].held[DUAL_TARGET], TWICE_FIRST);
    assert_int_equal(last.pass, TWICE_REPAIR);
    step[6] = (struct twice_action){.step = TWICE_READ, .side = DUAL_SOURCE};
    step[7] = (struct twice_action){.step = TWICE_FILL, .side = DUAL_TARGET};
    step[8] = (struct twice_action){.step = TWICE_SWITCH};
    assert_int_equal(take(CHECK_RULES_ALL, step, 9, &last), 9);
    assert_int_equal(last.key[0].held[DUAL_TARGET], 5);
}

static int strays(const struct check_scope *scope, const void *state)
{
    const struct twice *now = state;
    (void)scope;
    for (unsigned i = 0; i < TWICE_EDITS_MAX; i++) {
        seen.strays[1 - now->edit[i].side] += now->edit[i].stray;
        assert_true(!now->edit[i].stray || now->core.phase >= DUAL_WRITING);
    }
    return 0;
}

/* Both halves of an edit are on their way when reads switch: both come to B, and a third goes to A.
 * The other way round when reads go back.
 */
static void test_a_switch_between_two_halves_sends_a_third(void **state)
{
    (void)state;
    seen = (struct seen){0};
    search_with(strays, CHECK_RULES_ALL, TWICE_AT_ONCE);
    assert_in_range(seen.strays[DUAL_TARGET], 1, UINT32_MAX);
    assert_in_range(seen.strays[DUAL_SOURCE], 1, UINT32_MAX);
}

static void test_scopes_have_words(void **state)
{
    (void)state;
    static const char *const words[TWICE_SIZES] = {
        [TWICE_SMALL] = "1 key, 2 edits in turn, 1 refusal, a router dies",
        [TWICE_LARGE] = "2 keys, 3 edits in turn, 2 refusals, a router dies",
        [TWICE_ABSENT] = "1 key, 2 edits in turn, a backfill only where nothing is",
        [TWICE_AT_ONCE] = "1 key, 2 edits at once, 1 refusal, a router dies",
    };
    for (unsigned size = 0; size < TWICE_SIZES; size++) {
        char text[128];
        model_dual_write.say_size((uint8_t)size, text, sizeof text);
        assert_string_equal(text, words[size]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rules_are_those_of_the_protocol),
        cmocka_unit_test(test_every_scope_holds_within_the_bounds),
        cmocka_unit_test(test_each_rule_left_out_shows),
        cmocka_unit_test(test_the_lengths_of_another_cut),
        cmocka_unit_test(test_rules_left_out_together_fail_as_early_as_one),
        cmocka_unit_test(test_every_run_gives_the_same_bytes),
        cmocka_unit_test(test_the_compare_covers_for_a_backfill_that_comes_too_early),
        cmocka_unit_test(test_the_compare_does_not_cover_for_versions),
        cmocka_unit_test(test_the_backfills_old_version_in_words),
        cmocka_unit_test(test_two_routers_in_words),
        cmocka_unit_test(test_a_backfill_that_comes_too_early_in_words),
        cmocka_unit_test(test_a_switch_without_a_compare_in_words),
        cmocka_unit_test(test_every_step_is_taken_somewhere_and_told),
        cmocka_unit_test(test_what_is_missing_at_a_shard_is_mended),
        cmocka_unit_test(test_reads_go_back_to_a_shard_that_has_all),
        cmocka_unit_test(test_a_router_that_dies_between_the_two_writes),
        cmocka_unit_test(test_a_switch_between_two_halves_sends_a_third),
        cmocka_unit_test(test_scopes_have_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
