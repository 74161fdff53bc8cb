/*
 * A moving slot holds with all its rules in the large scope, fails in the small one without any of
 * them by the shortest way, and tells that way so that it can be played elsewhere.
 */
#include "check/fence_and_flip.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "sanitized.h"
#include "scopes.h"

#define ALONE_REDUNDANT 0

/* In the small scope, as a client notices it; 0: other rules do the work of this one. */
static const struct {
    enum rule rule;
    uint32_t steps;
} failing[] = {
    {RULE_FENCE, 8},
    {RULE_FENCE_COVERS_READS, 10},
    {RULE_DRAIN_TO_FENCE, 9},
    {RULE_TARGET_WAITS, 6},
    {RULE_SNAPSHOT_POSITION, ALONE_REDUNDANT},
    {RULE_COMPARE_BEFORE_FENCE, ALONE_REDUNDANT},
    {RULE_CHECK_AND_APPEND, 11},
    {RULE_DURABLE_FENCE, 11},
    {RULE_ABORT_BEFORE_COMMIT, 11},
    {RULE_SLOT_TABLE_CHECK, 6},
};

#define RULES (sizeof failing / sizeof failing[0])

static struct check_result search(uint32_t rules, enum flip_size size, enum check_judge judge,
                                  unsigned threads)
{
    return scope_search(&model_fence_and_flip, rules, size, judge, threads);
}

static uint32_t without(enum rule rule)
{
    return scope_without(&model_fence_and_flip, rule);
}

static void test_rules_are_those_of_the_protocol(void **state)
{
    (void)state;
    assert_int_equal(check_rules(&model_fence_and_flip), RULES);
    for (size_t i = 0; i < RULES; i++) {
        scope_rule_is(&model_fence_and_flip, i, failing[i].rule);
    }
}

static void test_the_large_scope_holds_within_the_bounds(void **state)
{
    (void)state;
    if (SANITIZED) { /* the same search, ten times slower */
        skip();
    }
    struct check_result r[2];
    for (unsigned i = 0; i < 2; i++) {
        r[i] = search(CHECK_RULES_ALL, FLIP_LARGE, CHECK_BOTH, 1 + i);
        assert_int_equal(r[i].verdict, CHECK_HOLDS);
        assert_int_equal(r[i].dead, 0);
        assert_in_range(r[i].bytes, 1, (uint64_t)64 << 20);
    }
    assert_int_equal(r[0].states, r[1].states);
    assert_int_equal(r[0].generated, r[1].generated);
    assert_int_equal(r[0].depth, r[1].depth);
    const struct flip_world *small = flip_world_of(&(struct check_scope){.size = FLIP_SMALL});
    const struct flip_world *large = flip_world_of(&(struct check_scope){.size = FLIP_LARGE});
    assert_true(large->writes > small->writes && large->reads > small->reads);
    assert_true(large->moves > small->moves && large->restarts > small->restarts);
}

static void test_each_rule_left_out_shows_or_is_redundant(void **state)
{
    (void)state;
    for (size_t i = 0; i < RULES; i++) {
        struct check_result r = search(without(failing[i].rule), FLIP_SMALL, CHECK_OUTSIDE, 1);
        if (failing[i].steps == ALONE_REDUNDANT) {
            assert_int_equal(r.verdict, CHECK_HOLDS);
            r = search(without(failing[i].rule), FLIP_2W2R, CHECK_BOTH, 1);
            assert_int_equal(r.verdict, CHECK_HOLDS);
            continue;
        }
        assert_int_equal(r.verdict, CHECK_FAILS);
        assert_int_equal(r.depth, failing[i].steps);
        /* With the rule back in its place one of the steps is refused. */
        unsigned char last[CHECK_STATE_MAX];
        struct check_scope scope = {.rules = CHECK_RULES_ALL, .size = FLIP_SMALL};
        size_t taken =
            check_replay(&model_fence_and_flip, &scope, r.start, r.action, r.depth, last);
        assert_in_range(taken, 0, r.depth - 1);
        check_result_free(&r);
    }
}

static void test_what_is_redundant_alone_is_not_together(void **state)
{
    (void)state;
    uint32_t rules = without(RULE_SNAPSHOT_POSITION) & without(RULE_COMPARE_BEFORE_FENCE);
    struct check_result r = search(rules, FLIP_SMALL, CHECK_OUTSIDE, 1);
    assert_int_equal(r.verdict, CHECK_FAILS);
    assert_int_equal(r.depth, 10);
    check_result_free(&r);
}

/* Its own world: a request that a stale map sent reaches the old owner, and is served there. */
static void test_the_missing_look_is_shown_at_the_old_owner(void **state)
{
    (void)state;
    const struct check_apart *apart = model_fence_and_flip.apart;
    assert_string_equal(apart[0].rule, rule_name(RULE_SLOT_TABLE_CHECK));
    assert_null(apart[1].rule);
    struct check_result r =
        search(without(RULE_SLOT_TABLE_CHECK), (enum flip_size)apart[0].size, CHECK_OUTSIDE, 1);
    assert_int_equal(r.verdict, CHECK_FAILS);
    assert_int_equal(r.depth, 11);
    bool closed = false;
    bool abandoned = false;
    for (uint32_t i = 0; i < r.depth; i++) {
        struct flip_action a = flip_action_of(r.action[i]);
        closed |= a.step == FLIP_CLOSE;
        abandoned |= closed && a.step == FLIP_SERVE && a.op == 0 && a.shard == 0;
    }
    assert_true(abandoned);
    check_result_free(&r);
}

static void test_a_small_scope_is_enough_for_the_shortest_way(void **state)
{
    (void)state;
    if (SANITIZED) { /* the same search, ten times slower */
        skip();
    }
    for (size_t i = 0; i < RULES; i++) {
        struct check_result r = search(without(failing[i].rule), FLIP_LARGE, CHECK_OUTSIDE, 2);
        assert_int_equal(r.verdict,
                         failing[i].steps == ALONE_REDUNDANT ? CHECK_HOLDS : CHECK_FAILS);
        if (r.verdict == CHECK_FAILS) {
            assert_int_equal(r.depth, failing[i].steps);
        }
        check_result_free(&r);
    }
}

static void test_two_threads_give_the_same_bytes(void **state)
{
    (void)state;
    if (SANITIZED) { /* the same search, ten times slower */
        skip();
    }
    static const enum rule deep[] = {RULE_CHECK_AND_APPEND, RULE_ABORT_BEFORE_COMMIT};
    for (size_t i = 0; i < sizeof deep / sizeof deep[0]; i++) {
        struct check_result one = search(without(deep[i]), FLIP_LARGE, CHECK_OUTSIDE, 1);
        struct check_result two = search(without(deep[i]), FLIP_LARGE, CHECK_OUTSIDE, 2);
        assert_int_equal(one.states, two.states);
        assert_int_equal(one.generated, two.generated);
        assert_int_equal(one.depth, two.depth);
        assert_memory_equal(one.action, two.action, one.depth * sizeof one.action[0]);
        check_result_free(&one);
        check_result_free(&two);
    }
}

/* The way without a fence, as another player of the same schedule reads it. */
static void test_the_steps_can_be_played_elsewhere(void **state)
{
    (void)state;
    static const struct flip_action expected[] = {
        {.step = FLIP_ISSUE, .op = 0, .router = 0},
        {.step = FLIP_SERVE, .op = 0, .router = 0, .shard = 0},
        {.step = FLIP_SNAPSHOT, .shard = 1, .position = 0},
        {.step = FLIP_COMMIT, .shard = 1},
        {.step = FLIP_RELOAD, .router = 0},
        {.step = FLIP_ISSUE, .op = 1, .router = 0},
        {.step = FLIP_OWN, .shard = 1},
        {.step = FLIP_SERVE, .op = 1, .router = 0, .shard = 1},
    };
    struct check_result r = search(without(RULE_FENCE), FLIP_SMALL, CHECK_OUTSIDE, 1);
    assert_int_equal(r.depth, sizeof expected / sizeof expected[0]);
    for (uint32_t i = 0; i < r.depth; i++) {
        struct flip_action a = flip_action_of(r.action[i]);
        assert_int_equal(a.step, expected[i].step);
        assert_int_equal(a.op, expected[i].op);
        assert_int_equal(a.router, expected[i].router);
        assert_int_equal(a.shard, expected[i].shard);
        assert_int_equal(a.position, expected[i].position);
    }
    check_result_free(&r);
}

static void told_line(const struct check_scope *scope, const struct check_result *r, uint32_t step,
                      char *line, size_t room)
{
    unsigned char now[CHECK_STATE_MAX];
    struct check_told told = {.actor = ""};
    check_replay(&model_fence_and_flip, scope, r->start, r->action, step, now);
    model_fence_and_flip.tell(scope, now, r->action[step], &told);
    (void)snprintf(line, room, "%s %s: %s", told.actor, told.action, told.detail);
}

static void test_the_shortest_way_in_words(void **state)
{
    (void)state;
    static const char *const expected[] = {
        "a client asks R0 to write: w1: R0's map says that A owns the slot: w1 goes there.",
        "shard A accepts w1: Its slot table says \"owned\". w1 is in its log, and the client is "
        "told OK.",
        "the mover copies the slot to B: From a follower that has applied the log through position "
        "0 of 1: the copy holds nothing.",
        "the directory commits: the slot is B's: There is no fence: A still says \"owned\".",
        "R0 fetches the map: It said A; it says B now.",
        "a client asks R0 to read: r1: R0's map says that B owns the slot: r1 goes there. "
        "Acknowledged so far: w1; the read must return that.",
        "shard B marks the slot as owned: It has heard of the commit: it serves from now on.",
        "shard B answers r1: Its slot table says \"owned\". The read returns nothing: it lacks w1, "
        "of which a client had been told OK before.",
    };
    struct check_scope scope = {
        .rules = without(RULE_FENCE), .size = FLIP_SMALL, .judge = CHECK_OUTSIDE};
    struct check_result r = search(scope.rules, FLIP_SMALL, CHECK_OUTSIDE, 1);
    assert_int_equal(r.depth, sizeof expected / sizeof expected[0]);
    for (uint32_t i = 0; i < r.depth; i++) {
        char line[300];
        told_line(&scope, &r, i, line, sizeof line);
        assert_string_equal(line, expected[i]);
    }
    check_result_free(&r);
}

/* The step that only a missing rule allows says so, and a wrong stamp what it does. */
static void test_the_words_name_what_is_missing(void **state)
{
    (void)state;
    uint32_t stamp = without(RULE_SNAPSHOT_POSITION) & without(RULE_COMPARE_BEFORE_FENCE);
    const struct {
        uint32_t rules;
        enum flip_size size;
        uint32_t step; /* from 1 */
        const char *says;
    } said[] = {
        {without(RULE_TARGET_WAITS), FLIP_SMALL, 6,
         "Its slot table says \"receiving\", and it does not wait for the commit. "},
        {without(RULE_SLOT_TABLE_CHECK), FLIP_SMALL, 6,
         "It does not look into its slot table, which says \"receiving\". "},
        {without(RULE_SLOT_TABLE_CHECK), FLIP_2W1R_OLD_OWNER, 8,
         "It does not look into its slot table, which says \"moved\". w1 is in its abandoned "
         "copy, "},
        {without(RULE_FENCE_COVERS_READS), FLIP_SMALL, 10,
         "Its slot table says \"migrating\", and here that stops no reads. "},
        {stamp, FLIP_SMALL, 3, "the copy holds nothing. And yet it is stamped with position 1."},
        {stamp, FLIP_SMALL, 4, " Nobody has compared the two sides."},
        {stamp, FLIP_SMALL, 5, " Entry 1 (w1) was skipped: by its stamp the copy has it."},
    };
    for (size_t i = 0; i < sizeof said / sizeof said[0]; i++) {
        char line[300];
        struct check_scope scope = {
            .rules = said[i].rules, .size = (uint8_t)said[i].size, .judge = CHECK_OUTSIDE};
        struct check_result r = search(scope.rules, said[i].size, CHECK_OUTSIDE, 1);
        assert_in_range(said[i].step, 1, r.depth);
        told_line(&scope, &r, said[i].step - 1, line, sizeof line);
        if (strstr(line, said[i].says) == NULL) {
            fail_msg("step %u says: %s", (unsigned)said[i].step, line);
        }
        check_result_free(&r);
    }
}

/* Every step of every scope, told in whole: no text is cut, none is missing. */
static unsigned steps_told;

static int tell_all(const struct check_scope *scope, const void *now)
{
    unsigned char states[CHECK_STEPS_MAX * sizeof(struct fence_and_flip)];
    uint16_t actions[CHECK_STEPS_MAX];
    struct check_out out = {.state = states,
                            .action = actions,
                            .state_size = sizeof(struct fence_and_flip),
                            .room = CHECK_STEPS_MAX};
    model_fence_and_flip.next(scope, now, &out);
    for (size_t i = 0; i < out.count; i++) {
        struct check_told told = {.actor = ""};
        model_fence_and_flip.tell(scope, now, out.action[i], &told);
        assert_in_range(strlen(told.actor), 2, sizeof told.actor - 2);
        assert_in_range(strlen(told.action), 2, sizeof told.action - 2);
        assert_in_range(strlen(told.detail), 2, sizeof told.detail - 2);
        assert_in_range(model_fence_and_flip.actor(out.action[i]), 0, CHECK_ACTORS_MAX - 1);
        steps_told |= 1u << flip_action_of(out.action[i]).step;
    }
    return 0;
}

static void test_every_step_is_taken_somewhere_and_told(void **state)
{
    (void)state;
    struct check_model model = model_fence_and_flip;
    model.check = tell_all;
    steps_told = 0;
    uint32_t rules = without(RULE_CHECK_AND_APPEND) & without(RULE_SNAPSHOT_POSITION) &
                     without(RULE_DRAIN_TO_FENCE) & without(RULE_FENCE) &
                     without(RULE_COMPARE_BEFORE_FENCE) & without(RULE_SLOT_TABLE_CHECK);
    static const uint8_t sizes[] = {FLIP_SMALL, FLIP_2W1R_LOST, FLIP_2W1R_THREE_MOVES};
    for (size_t i = 0; i < 2 * sizeof sizes; i++) {
        struct check_scope scope = {.rules = i % 2 == 0 ? CHECK_RULES_ALL : rules,
                                    .size = sizes[i / 2]};
        struct check_options options = check_interactive();
        struct check_result r = check_search(&model, &scope, &options);
        assert_int_not_equal(r.verdict, CHECK_CUT);
        check_result_free(&r);
    }
    assert_int_equal(steps_told, (1u << FLIP_STEPS) - 1);
}

static void test_scopes_have_words(void **state)
{
    (void)state;
    char text[128];
    model_fence_and_flip.say_size(FLIP_SMALL, text, sizeof text);
    assert_string_equal(text, "1 write, 1 read, 1 move, maps that come early, restarts");
    model_fence_and_flip.say_size(FLIP_2W1R_QUIET, text, sizeof text);
    assert_string_equal(text, "2 writes, 1 read, 1 move");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rules_are_those_of_the_protocol),
        cmocka_unit_test(test_the_large_scope_holds_within_the_bounds),
        cmocka_unit_test(test_each_rule_left_out_shows_or_is_redundant),
        cmocka_unit_test(test_what_is_redundant_alone_is_not_together),
        cmocka_unit_test(test_the_missing_look_is_shown_at_the_old_owner),
        cmocka_unit_test(test_a_small_scope_is_enough_for_the_shortest_way),
        cmocka_unit_test(test_two_threads_give_the_same_bytes),
        cmocka_unit_test(test_the_steps_can_be_played_elsewhere),
        cmocka_unit_test(test_the_shortest_way_in_words),
        cmocka_unit_test(test_the_words_name_what_is_missing),
        cmocka_unit_test(test_every_step_is_taken_somewhere_and_told),
        cmocka_unit_test(test_scopes_have_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
