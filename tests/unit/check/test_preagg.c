/*
 * A router that sums likes holds with all its rules in the large scope, fails in the small one
 * without any of them by the shortest way, and loses nothing that a rebuild does not bring back.
 */
#include "check/preagg.h"
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
    uint32_t steps;   /* in the small scope */
    uint32_t refused; /* the step that the rule would have refused, from 1 */
    enum preagg_promise broken;
} failing[] = {
    {RULE_ABSOLUTE_FLUSH, 4, 4, PREAGG_ONCE},     {RULE_FLUSH_SEQUENCE, 6, 6, PREAGG_COUNTED},
    {RULE_CLAIM_ON_RESTART, 5, 3, PREAGG_ONCE},   {RULE_DURABLE_BEFORE_ACK, 2, 1, PREAGG_STORED},
    {RULE_RECOUNT_AT_FLUSHED, 4, 3, PREAGG_ONCE},
};

#define RULES (sizeof failing / sizeof failing[0])

static struct check_result search(uint32_t rules, enum preagg_size size, unsigned threads)
{
    return scope_search(&model_preagg, rules, size, CHECK_BOTH, threads);
}

static uint32_t without(enum rule rule)
{
    return scope_without(&model_preagg, rule);
}

static void test_rules_are_those_of_the_protocol(void **state)
{
    (void)state;
    assert_int_equal(check_rules(&model_preagg), RULES);
    for (size_t i = 0; i < RULES; i++) {
        scope_rule_is(&model_preagg, i, failing[i].rule);
    }
}

static void test_every_scope_holds_within_the_bounds(void **state)
{
    (void)state;
    for (unsigned size = 0; size < PREAGG_SIZES; size++) {
        struct check_result r[2];
        for (unsigned i = 0; i < 2; i++) {
            r[i] = search(CHECK_RULES_ALL, (enum preagg_size)size, 1 + i);
            assert_int_equal(r[i].verdict, CHECK_HOLDS);
            assert_int_equal(r[i].dead, 0);
            assert_in_range(r[i].bytes, 1, (uint64_t)64 << 20);
        }
        assert_int_equal(r[0].states, r[1].states);
        assert_int_equal(r[0].generated, r[1].generated);
        assert_int_equal(r[0].depth, r[1].depth);
    }
    const struct preagg_world *small = preagg_world_of(&(struct check_scope){.size = PREAGG_SMALL});
    const struct preagg_world *large = preagg_world_of(&(struct check_scope){.size = PREAGG_LARGE});
    assert_true(large->likes > small->likes && large->losses > small->losses);
    assert_true(large->restarts > small->restarts && large->rebuilds > small->rebuilds);
}

static void test_each_rule_left_out_shows(void **state)
{
    (void)state;
    static const enum preagg_size sizes[] = {PREAGG_SMALL, PREAGG_LARGE};
    for (size_t i = 0; i < 2 * RULES; i++) {
        struct check_result r = search(without(failing[i / 2].rule), sizes[i % 2], 1);
        assert_int_equal(r.verdict, CHECK_FAILS);
        assert_int_equal(r.depth, failing[i / 2].steps);
        assert_int_equal(r.broken, failing[i / 2].broken);
        unsigned char last[CHECK_STATE_MAX];
        struct check_scope scope = {.rules = CHECK_RULES_ALL, .size = (uint8_t)sizes[i % 2]};
        size_t taken = check_replay(&model_preagg, &scope, r.start, r.action, r.depth, last);
        assert_int_equal(taken + 1, failing[i / 2].refused);
        check_result_free(&r);
    }
}

/* A bare increment has nothing to compare: a sequence does not save it. */
static void test_an_increment_fails_with_and_without_sequence(void **state)
{
    (void)state;
    uint32_t rules[] = {without(RULE_ABSOLUTE_FLUSH),
                        without(RULE_ABSOLUTE_FLUSH) & without(RULE_FLUSH_SEQUENCE)};
    for (size_t i = 0; i < 2; i++) {
        struct check_result r = search(rules[i], PREAGG_ONLY_FLUSHES, 1);
        assert_int_equal(r.verdict, CHECK_FAILS);
        assert_int_equal(r.depth, 4);
        check_result_free(&r);
    }
}

static void assert_told(uint32_t rules, enum preagg_size size, const char *const *expected,
                        uint32_t steps)
{
    struct check_scope scope = {.rules = rules, .size = (uint8_t)size};
    struct check_result r = search(rules, size, 1);
    assert_int_equal(r.depth, steps);
    for (uint32_t i = 0; i < r.depth; i++) {
        char line[300];
        unsigned char now[CHECK_STATE_MAX];
        struct check_told told = {.actor = ""};
        check_replay(&model_preagg, &scope, r.start, r.action, i, now);
        model_preagg.tell(&scope, now, r.action[i], &told);
        (void)snprintf(line, sizeof line, "%s %s: %s", told.actor, told.action, told.detail);
        assert_string_equal(line, expected[i]);
    }
    check_result_free(&r);
}

#define LIKED                                                                                      \
    "a client likes: Its row goes to liked; the router adds 1 to its buffer, which is 1 now, and " \
    "tells the client OK."

static void test_the_older_total_that_lands_last_in_words(void **state)
{
    (void)state;
    static const char *const expected[] = {
        LIKED,
        "the router flushes total 1, sequence 1: 1 new like is in it; it is on its way to the "
        "router's sub-key.",
        LIKED,
        "the router flushes total 2, sequence 2: 1 new like is in it; it is on its way to the "
        "router's sub-key.",
        "the sub-key takes total 2, sequence 2: It held total 0, sequence 0; it holds total 2 now. "
        "The router is told.",
        "the sub-key takes total 1, sequence 1: It held total 2, sequence 2; it holds total 1 now. "
        "The router is told. A like that was counted is gone.",
    };
    assert_told(without(RULE_FLUSH_SEQUENCE), PREAGG_SMALL, expected, 6);
}

static void test_the_restart_without_a_claim_in_words(void **state)
{
    (void)state;
    static const char *const expected[] = {
        LIKED,
        "the router flushes total 1, sequence 1: 1 new like is in it; it is on its way to the "
        "router's sub-key.",
        "the router crashes, restarts, reads its sub-key: Its buffer was empty. It reads total 0, "
        "sequence 0. It goes on from there, while what it sent before is still on its way.",
        LIKED,
        "the router flushes total 1, sequence 1: 1 new like is in it; it is on its way to the "
        "router's sub-key.",
        "the sub-key takes total 1, sequence 1: It held total 0, sequence 0; it holds total 1 now. "
        "It is of the router's former life: nobody waits for the answer.",
        "the sub-key refuses total 1, sequence 1: It holds total 1, sequence 1: this is not newer. "
        "The router is told. So it takes its likes for counted, and they are not.",
    };
    assert_told(without(RULE_CLAIM_ON_RESTART), PREAGG_ONLY_RESTART, expected, 7);
}

/* --- every state of a scope ------------------------------------------------------------------- */

static struct seen {
    unsigned steps;   /* a bit for each kind that was told */
    unsigned settled; /* states in which nothing is under way */
    unsigned behind;  /* of these, those whose count lacks likes */
} seen;

static void search_with(int (*check)(const struct check_scope *, const void *), uint32_t rules,
                        uint8_t size)
{
    struct check_model model = model_preagg;
    struct check_scope scope = {.rules = rules, .size = size};
    struct check_options options = check_interactive();
    model.check = check;
    struct check_result r = check_search(&model, &scope, &options);
    assert_int_not_equal(r.verdict, CHECK_CUT);
    check_result_free(&r);
}

/* No text is cut, none is missing. */
static int tell_all(const struct check_scope *scope, const void *now)
{
    unsigned char states[CHECK_STEPS_MAX * sizeof(struct preagg)];
    uint16_t actions[CHECK_STEPS_MAX];
    struct check_out out = {.state = states,
                            .action = actions,
                            .state_size = sizeof(struct preagg),
                            .room = CHECK_STEPS_MAX};
    model_preagg.next(scope, now, &out);
    for (size_t i = 0; i < out.count; i++) {
        struct check_told told = {.actor = ""};
        model_preagg.tell(scope, now, out.action[i], &told);
        assert_in_range(strlen(told.actor), 2, sizeof told.actor - 2);
        assert_in_range(strlen(told.action), 2, sizeof told.action - 2);
        assert_in_range(strlen(told.detail), 2, sizeof told.detail - 2);
        assert_in_range(model_preagg.actor(out.action[i]), 0, CHECK_ACTORS_MAX - 1);
        seen.steps |= 1u << preagg_step_of(out.action[i]);
    }
    return 0;
}

static void test_every_step_is_taken_somewhere_and_told(void **state)
{
    (void)state;
    seen = (struct seen){0};
    search_with(tell_all, CHECK_RULES_ALL, PREAGG_LARGE);
    for (size_t i = 0; i < RULES; i++) {
        search_with(tell_all, without(failing[i].rule), PREAGG_SMALL);
    }
    assert_int_equal(seen.steps, (1u << PREAGG_STEPS) - 1);
}

static int64_t shown(const struct preagg *p)
{
    return (int64_t)p->cell.total + p->fix;
}

/* When nothing is under way, the count lacks likes only if the router crashed, and a rebuild brings
 * them all back. */
static int rebuild_settled(const struct check_scope *scope, const void *state)
{
    const struct preagg *now = state;
    if (!model_preagg.finished(scope, state)) {
        return 0;
    }
    struct preagg rebuilt = preagg_after(scope, now, preagg_action(PREAGG_REBUILD, 0));
    seen.settled++;
    seen.behind += shown(now) < now->likes ? 1 : 0;
    assert_true(shown(now) <= now->likes);
    assert_true(shown(now) == now->likes || now->restarts > 0);
    assert_int_equal(shown(&rebuilt), now->likes);
    return 0;
}

static void test_a_rebuild_brings_back_what_crashes_took(void **state)
{
    (void)state;
    seen = (struct seen){0};
    search_with(rebuild_settled, CHECK_RULES_ALL, PREAGG_ONLY_FLUSHES);
    assert_in_range(seen.settled, 1, UINT32_MAX);
    assert_int_equal(seen.behind, 0);
    search_with(rebuild_settled, CHECK_RULES_ALL, PREAGG_LARGE);
    assert_in_range(seen.behind, 1, seen.settled - 1);
}

static void test_scopes_have_words(void **state)
{
    (void)state;
    char text[128];
    model_preagg.say_size(PREAGG_SMALL, text, sizeof text);
    assert_string_equal(text, "2 likes, 1 lost reply, 1 restart, 1 rebuild");
    model_preagg.say_size(PREAGG_LARGE, text, sizeof text);
    assert_string_equal(text, "3 likes, 2 lost replies, 2 restarts, 2 rebuilds");
    model_preagg.say_size(PREAGG_ONLY_RESTART, text, sizeof text);
    assert_string_equal(text, "3 likes, 1 restart");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rules_are_those_of_the_protocol),
        cmocka_unit_test(test_every_scope_holds_within_the_bounds),
        cmocka_unit_test(test_each_rule_left_out_shows),
        cmocka_unit_test(test_an_increment_fails_with_and_without_sequence),
        cmocka_unit_test(test_the_older_total_that_lands_last_in_words),
        cmocka_unit_test(test_the_restart_without_a_claim_in_words),
        cmocka_unit_test(test_every_step_is_taken_somewhere_and_told),
        cmocka_unit_test(test_a_rebuild_brings_back_what_crashes_took),
        cmocka_unit_test(test_scopes_have_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
