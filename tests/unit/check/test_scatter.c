/*
 * A query over all shards holds with its rules in the large scope, and fails in the small one
 * without any of them, by the shortest way.
 */
#include "check/scatter_gather.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "scopes.h"

#define A 0
#define B 1
#define C 2

/* What fails, for whom: steps, and the one that the rule would have refused, from 1. A client sees
 * no more than its reply, and that only once every shard was heard. */
static const struct {
    enum rule rule;
    enum fanout_size size;
    enum check_judge judge;
    uint32_t steps, refused;
    enum fanout_promise broken;
} failing[] = {
    {RULE_ONE_EPOCH_A_SLOT, FANOUT_SMALL, CHECK_BOTH, 4, 4, FANOUT_TWICE},
    {RULE_ONE_EPOCH_A_SLOT, FANOUT_SMALL, CHECK_INSIDE, 4, 4, FANOUT_MERGED_TWICE},
    {RULE_ONE_EPOCH_A_SLOT, FANOUT_LARGE, CHECK_BOTH, 4, 4, FANOUT_MERGED_TWICE},
    {RULE_ONE_EPOCH_A_SLOT, FANOUT_LARGE, CHECK_OUTSIDE, 5, 5, FANOUT_TWICE},
    {RULE_MARK_PARTIAL, FANOUT_SMALL, CHECK_BOTH, 3, 3, FANOUT_SMALLER},
    {RULE_MARK_PARTIAL, FANOUT_LARGE, CHECK_BOTH, 4, 4, FANOUT_SMALLER},
    {RULE_FIRST_ANSWER_COUNTS, FANOUT_SMALL, CHECK_BOTH, 4, 4, FANOUT_MERGED_TWICE},
    {RULE_FIRST_ANSWER_COUNTS, FANOUT_SMALL, CHECK_OUTSIDE, 5, 4, FANOUT_TWICE},
    {RULE_FIRST_ANSWER_COUNTS, FANOUT_LARGE, CHECK_BOTH, 4, 4, FANOUT_MERGED_TWICE},
    {RULE_FIRST_ANSWER_COUNTS, FANOUT_LARGE, CHECK_OUTSIDE, 6, 5, FANOUT_TWICE},
};

#define FAILING (sizeof failing / sizeof failing[0])

static const enum rule rules[] = {RULE_ONE_EPOCH_A_SLOT, RULE_MARK_PARTIAL,
                                  RULE_FIRST_ANSWER_COUNTS};

#define RULES (sizeof rules / sizeof rules[0])

static uint32_t without(enum rule rule)
{
    return scope_without(&model_scatter, rule);
}

static void test_rules_are_those_of_the_protocol(void **state)
{
    (void)state;
    assert_int_equal(check_rules(&model_scatter), RULES);
    for (size_t i = 0; i < RULES; i++) {
        scope_rule_is(&model_scatter, i, rules[i]);
    }
}

static void test_each_rule_left_out_shows(void **state)
{
    (void)state;
    for (size_t i = 0; i < FAILING; i++) {
        struct check_result r = scope_search(&model_scatter, without(failing[i].rule),
                                             failing[i].size, failing[i].judge, 1);
        assert_int_equal(r.verdict, CHECK_FAILS);
        assert_int_equal(r.depth, failing[i].steps);
        assert_int_equal(r.broken, failing[i].broken);
        unsigned char last[CHECK_STATE_MAX];
        struct check_scope scope = {.rules = CHECK_RULES_ALL, .size = (uint8_t)failing[i].size};
        size_t taken = check_replay(&model_scatter, &scope, r.start, r.action, r.depth, last);
        assert_int_equal(taken + 1, failing[i].refused);
        check_result_free(&r);
    }
}

/* What is marked or not, only the client can tell. */
static void test_a_missing_mark_breaks_nothing_inside(void **state)
{
    (void)state;
    struct check_result r =
        scope_search(&model_scatter, without(RULE_MARK_PARTIAL), FANOUT_SMALL, CHECK_INSIDE, 1);
    assert_int_equal(r.verdict, CHECK_HOLDS);
    check_result_free(&r);
}

static void test_every_run_gives_the_same_bytes(void **state)
{
    (void)state;
    for (size_t i = 0; i < RULES; i++) {
        struct check_result first =
            scope_search(&model_scatter, without(rules[i]), FANOUT_LARGE, CHECK_OUTSIDE, 1);
        for (unsigned run = 0; run < 20; run++) {
            struct check_result r = scope_search(&model_scatter, without(rules[i]), FANOUT_LARGE,
                                                 CHECK_OUTSIDE, 1 + run % 2);
            assert_int_equal(r.depth, first.depth);
            assert_memory_equal(r.action, first.action, first.depth * sizeof *first.action);
            check_result_free(&r);
        }
        check_result_free(&first);
    }
}

/* --- schedules by hand ------------------------------------------------------------------------ */

static uint16_t step_at(enum fanout_step step, unsigned round, unsigned shard)
{
    return fanout_number_of(
        (struct fanout_action){.step = step, .round = (uint8_t)round, .shard = (uint8_t)shard});
}

/* How many of the steps can be taken; `last` is where that leads. */
static size_t play(uint32_t mask, enum fanout_size size, const uint16_t *action, size_t steps,
                   struct fanout *last)
{
    struct check_scope scope = {.rules = mask, .size = (uint8_t)size};
    return check_replay(&model_scatter, &scope, 0, action, steps, last);
}

static void is_whole(const struct fanout *last, unsigned slots, unsigned epoch)
{
    assert_int_equal(last->end, GATHER_WHOLE);
    for (unsigned i = 0; i < slots; i++) {
        assert_int_equal(last->slot[i].times, 1);
    }
    assert_int_equal(last->slot[FANOUT_MOVING].epoch, epoch);
}

/* The target counts the slot as well: nothing of its answer is merged, and it is asked again for
 * what is missing. */
static void test_an_answer_that_clashes_is_asked_for_again(void **state)
{
    (void)state;
    const uint16_t way[] = {
        step_at(FANOUT_ASK, 0, 0),   step_at(FANOUT_ANSWER, 1, A),
        step_at(FANOUT_MOVE, 0, 0),  step_at(FANOUT_ANSWER_CLASHES, 1, B),
        step_at(FANOUT_AGAIN, 0, 0), step_at(FANOUT_ANSWER, 2, B),
    };
    struct fanout last;
    assert_int_equal(play(CHECK_RULES_ALL, FANOUT_SMALL, way, 6, &last), 6);
    is_whole(&last, 3, 1);
}

/* Neither counts the slot, and nothing is lost or late: the next round brings it. */
static void test_a_slot_that_nobody_counted_is_asked_for_again(void **state)
{
    (void)state;
    uint16_t way[] = {
        step_at(FANOUT_ASK, 0, 0),    step_at(FANOUT_ANSWER, 1, B), step_at(FANOUT_MOVE, 0, 0),
        step_at(FANOUT_ANSWER, 1, A), step_at(FANOUT_AGAIN, 0, 0),  step_at(FANOUT_ANSWER, 2, B),
    };
    struct fanout last;
    assert_int_equal(play(CHECK_RULES_ALL, FANOUT_SMALL, way, 6, &last), 6);
    is_whole(&last, 3, 2);
    way[4] = step_at(FANOUT_END, 0, 0);
    assert_int_equal(play(CHECK_RULES_ALL, FANOUT_SMALL, way, 5, &last), 5);
    assert_int_equal(last.end, GATHER_PARTIAL);
    assert_int_equal(last.slot[FANOUT_MOVING].times, 0);
    /* Without the mark that is the end. */
    assert_int_equal(play(without(RULE_MARK_PARTIAL), FANOUT_SMALL, way, 5, &last), 3);
    way[3] = fanout_number_of(
        (struct fanout_action){.step = FANOUT_ANSWER, .silent = true, .round = 1, .shard = A});
    assert_int_equal(play(without(RULE_MARK_PARTIAL), FANOUT_SMALL, way, 4, &last), 4);
    assert_int_equal(last.end, GATHER_WHOLE);
}

/* The slot moves on before the second round's question arrives: a third one finds it. */
static void test_a_slot_that_moves_on_is_followed(void **state)
{
    (void)state;
    const uint16_t way[] = {
        step_at(FANOUT_ASK, 0, 0),    step_at(FANOUT_ANSWER, 1, C), step_at(FANOUT_ANSWER, 1, B),
        step_at(FANOUT_MOVE, 0, 0),   step_at(FANOUT_ANSWER, 1, A), step_at(FANOUT_AGAIN, 0, 0),
        step_at(FANOUT_MOVE, 0, 0),   step_at(FANOUT_ANSWER, 2, B), step_at(FANOUT_AGAIN, 0, 0),
        step_at(FANOUT_ANSWER, 3, C),
    };
    struct fanout last;
    assert_int_equal(play(CHECK_RULES_ALL, FANOUT_LARGE, way, 10, &last), 10);
    is_whole(&last, 4, 3);
}

/* A replica that is behind counts a slot that its leader has given away. */
static void test_a_replica_that_is_behind_counts_what_it_has(void **state)
{
    (void)state;
    uint16_t way[] = {
        step_at(FANOUT_MOVE, 0, 0),
        step_at(FANOUT_ASK, 0, 0),
        step_at(FANOUT_HEDGE, 1, A),
        fanout_number_of(
            (struct fanout_action){.step = FANOUT_ANSWER, .round = 1, .shard = A, .replica = true}),
        step_at(FANOUT_ANSWER_CLASHES, 1, B),
        step_at(FANOUT_DROP, 0, 0),
        step_at(FANOUT_AGAIN, 0, 0),
        step_at(FANOUT_ANSWER, 2, B),
    };
    struct fanout last;
    assert_int_equal(play(CHECK_RULES_ALL, FANOUT_SMALL, way, 8, &last), 8);
    is_whole(&last, 3, 1);
    way[2] = step_at(FANOUT_HEDGE, 1, B); /* it does not know of the slot yet */
    way[3] = fanout_number_of(
        (struct fanout_action){.step = FANOUT_ANSWER, .round = 1, .shard = B, .replica = true});
    way[4] = step_at(FANOUT_ANSWER, 1, A);
    assert_int_equal(play(CHECK_RULES_ALL, FANOUT_SMALL, way, 8, &last), 8);
    is_whole(&last, 3, 2);
}

/* --- in words --------------------------------------------------------------------------------- */

static void assert_told(uint32_t mask, enum check_judge judge, const char *const *expected,
                        uint32_t steps)
{
    struct check_scope scope = {.rules = mask, .size = FANOUT_SMALL};
    struct check_result r = scope_search(&model_scatter, mask, FANOUT_SMALL, judge, 1);
    assert_int_equal(r.depth, steps);
    for (uint32_t i = 0; i < r.depth; i++) {
        char line[300];
        unsigned char now[CHECK_STATE_MAX];
        struct check_told told = {.actor = ""};
        check_replay(&model_scatter, &scope, r.start, r.action, i, now);
        model_scatter.tell(&scope, now, r.action[i], &told);
        (void)snprintf(line, sizeof line, "%s %s: %s", told.actor, told.action, told.detail);
        assert_string_equal(line, expected[i]);
    }
    check_result_free(&r);
}

static void test_a_slot_in_two_answers_in_words(void **state)
{
    (void)state;
    static const char *const expected[] = {
        "the router asks all shards for what they have: There are 3 slots, at 2 shards. Shard A "
        "has slot 1, at epoch 1.",
        "shard A answers: It counts slots 1 and 2, slot 1 from epoch 1. The router has slots 1 "
        "and 2 now.",
        "the directory gives slot 1 to shard B: It leaves shard A, and is at epoch 2 now.",
        "shard B answers: It counts slots 1 and 3, slot 1 from epoch 2. The router has slots 1, "
        "2 and 3 now. The reply counts slot 1 twice.",
    };
    assert_told(without(RULE_ONE_EPOCH_A_SLOT), CHECK_BOTH, expected, 4);
}

static void test_a_reply_that_is_silently_smaller_in_words(void **state)
{
    (void)state;
    static const char *const expected[] = {
        "the router asks all shards for what they have: There are 3 slots, at 2 shards. Shard A "
        "has slot 1, at epoch 1.",
        "the router gives shard A up: Its time is over, and no answer is there. The router has no "
        "slot.",
        "shard B answers: It counts slot 3. The router has slot 3 now. The reply lacks slots 1 "
        "and 2, and does not say so.",
    };
    assert_told(without(RULE_MARK_PARTIAL), CHECK_BOTH, expected, 3);
}

static void test_a_second_answer_in_words(void **state)
{
    (void)state;
    static const char *const expected[] = {
        "the router asks all shards for what they have: There are 3 slots, at 2 shards. Shard A "
        "has slot 1, at epoch 1.",
        "the router asks the replica of A as well: It has not heard shard A yet. The first "
        "answer counts.",
        "shard A answers: It counts slots 1 and 2, slot 1 from epoch 1. The router has slots 1 "
        "and 2 now.",
        "the replica of A answers: It counts slots 1 and 2, slot 1 from epoch 1. It is not the "
        "first. The router has slots 1 and 2 now. It has slots 1 and 2 twice.",
    };
    assert_told(without(RULE_FIRST_ANSWER_COUNTS), CHECK_INSIDE, expected, 4);
}

/* --- every state of a scope ------------------------------------------------------------------- */

static struct seen {
    unsigned steps; /* a bit for each kind that was told */
    unsigned states;
    unsigned silent; /* ends that say nothing of what is missing */
    unsigned whole, partial, rounds;
} seen;

static void search_with(int (*check)(const struct check_scope *, const void *), uint32_t mask,
                        enum fanout_size size)
{
    struct check_model model = model_scatter;
    struct check_scope scope = {.rules = mask, .size = (uint8_t)size};
    struct check_options options = check_interactive();
    model.check = check;
    options.live = false;
    struct check_result r = check_search(&model, &scope, &options);
    check_result_free(&r);
}

static void tell_one(const struct check_scope *scope, const void *now, uint16_t action)
{
    struct check_told told = {.actor = ""};
    struct fanout_action a = fanout_action_of(action);
    assert_int_equal(fanout_number_of(a), action);
    model_scatter.tell(scope, now, action, &told);
    assert_in_range(strlen(told.actor), 2, sizeof told.actor - 2);
    assert_in_range(strlen(told.action), 2, sizeof told.action - 2);
    assert_in_range(strlen(told.detail), 2, sizeof told.detail - 2);
    assert_in_range(model_scatter.actor(action), 0, CHECK_ACTORS_MAX - 1);
    seen.steps |= 1u << a.step;
    seen.silent += a.silent ? 1 : 0;
}

/* No text is cut, none is missing. */
static int tell_all(const struct check_scope *scope, const void *now)
{
    unsigned char states[CHECK_STEPS_MAX * sizeof(struct fanout)];
    uint16_t actions[CHECK_STEPS_MAX];
    struct check_out out = {.state = states,
                            .action = actions,
                            .state_size = sizeof(struct fanout),
                            .room = CHECK_STEPS_MAX};
    model_scatter.next(scope, now, &out);
    for (size_t i = 0; i < out.count; i++) {
        tell_one(scope, now, out.action[i]);
    }
    return 0;
}

static int tell_some(const struct check_scope *scope, const void *now)
{
    if (seen.states++ % 64 == 0) {
        (void)tell_all(scope, now);
    }
    return model_scatter.check(scope, now);
}

/* With one thread and with two; in the large scope the one tells some of the steps as well, to look
 * at all states no more often than need be. */
static void test_every_scope_holds_within_the_bounds(void **state)
{
    (void)state;
    static const struct {
        uint64_t states;
        uint32_t depth;
    } known[FANOUT_SIZES] = {
        [FANOUT_SMALL] = {1421, 13},
        [FANOUT_LARGE] = {219544, 25},
    };
    for (unsigned size = 0; size < FANOUT_SIZES; size++) {
        for (unsigned threads = 1; threads <= 2; threads++) {
            struct check_model model = model_scatter;
            model.check = size == FANOUT_LARGE && threads == 1 ? tell_some : model.check;
            struct check_result r =
                scope_search(&model, CHECK_RULES_ALL, size, CHECK_BOTH, threads);
            assert_int_equal(r.verdict, CHECK_HOLDS);
            assert_int_equal(r.dead, 0);
            assert_int_equal(r.states, known[size].states);
            assert_int_equal(r.depth, known[size].depth);
            assert_in_range(r.bytes, 1, (uint64_t)64 << 20);
        }
    }
}

static void test_the_large_scope_is_larger_in_all(void **state)
{
    (void)state;
    const struct fanout_world *small = fanout_world_of(&(struct check_scope){.size = FANOUT_SMALL});
    const struct fanout_world *large = fanout_world_of(&(struct check_scope){.size = FANOUT_LARGE});
    assert_true(large->shards > small->shards && large->moves > small->moves);
    assert_true(large->hedges > small->hedges && large->late > small->late);
    assert_true(large->timeouts > small->timeouts);
}

static void test_every_step_is_taken_somewhere_and_told(void **state)
{
    (void)state;
    seen = (struct seen){0};
    search_with(tell_all, CHECK_RULES_ALL, FANOUT_SMALL);
    assert_int_equal(seen.steps, (1u << FANOUT_STEPS) - 1);
    assert_int_equal(seen.silent, 0);
    for (size_t i = 0; i < RULES; i++) {
        search_with(tell_all, without(rules[i]), FANOUT_SMALL);
    }
    assert_in_range(seen.silent, 1, UINT32_MAX);
}

/* What the router has is in once and no more, and each end is met. */
static int count_ends(const struct check_scope *scope, const void *state)
{
    const struct fanout *now = state;
    const struct fanout_world *world = fanout_world_of(scope);
    for (unsigned i = 0; i < fanout_slots(world); i++) {
        assert_in_range(now->slot[i].times, 0, 1);
    }
    assert_true((now->end == GATHER_WHOLE) == (fanout_missing(world, now) == 0));
    seen.whole += now->end == GATHER_WHOLE ? 1 : 0;
    seen.partial += now->end == GATHER_PARTIAL ? 1 : 0;
    seen.rounds |= 1u << now->round;
    return 0;
}

/* A move, a timeout and a replica that is behind cost a round more each, and nothing else does. */
static void test_rounds_come_to_an_end(void **state)
{
    (void)state;
    seen = (struct seen){0};
    search_with(count_ends, CHECK_RULES_ALL, FANOUT_SMALL);
    assert_int_equal(seen.rounds, (1u << 5) - 1);
    assert_in_range(seen.whole, 1, UINT32_MAX);
    assert_in_range(seen.partial, 1, UINT32_MAX);
}

static void test_scopes_have_words(void **state)
{
    (void)state;
    char text[128];
    model_scatter.say_size(FANOUT_SMALL, text, sizeof text);
    assert_string_equal(text, "2 shards, 1 move, 1 hedge, 1 late answer, 1 timeout");
    model_scatter.say_size(FANOUT_LARGE, text, sizeof text);
    assert_string_equal(text, "3 shards, 2 moves, 2 hedges, 2 late answers, 2 timeouts");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rules_are_those_of_the_protocol),
        cmocka_unit_test(test_each_rule_left_out_shows),
        cmocka_unit_test(test_a_missing_mark_breaks_nothing_inside),
        cmocka_unit_test(test_every_run_gives_the_same_bytes),
        cmocka_unit_test(test_an_answer_that_clashes_is_asked_for_again),
        cmocka_unit_test(test_a_slot_that_nobody_counted_is_asked_for_again),
        cmocka_unit_test(test_a_slot_that_moves_on_is_followed),
        cmocka_unit_test(test_a_replica_that_is_behind_counts_what_it_has),
        cmocka_unit_test(test_a_slot_in_two_answers_in_words),
        cmocka_unit_test(test_a_reply_that_is_silently_smaller_in_words),
        cmocka_unit_test(test_a_second_answer_in_words),
        cmocka_unit_test(test_every_scope_holds_within_the_bounds),
        cmocka_unit_test(test_the_large_scope_is_larger_in_all),
        cmocka_unit_test(test_every_step_is_taken_somewhere_and_told),
        cmocka_unit_test(test_rounds_come_to_an_end),
        cmocka_unit_test(test_scopes_have_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
