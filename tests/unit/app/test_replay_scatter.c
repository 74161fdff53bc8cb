/*
 * Every way to a failure of a query over all shards that the checker finds fails in a world too, by
 * the same promise, and with every rule in place the world stops where the checker says.
 */
#include "app/check/check_replay.h"
#include "check/models.h"
#include "check/scatter_gather.h"
#include "engine/world.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "scopes.h"

struct way {
    enum rule without;
    uint8_t size, judge;
    uint32_t steps, named;
    const char *failure;   /* what is seen in the world */
    const char *invariant; /* of the engine, that is broken too */
    uint32_t broken_at;
};

static const struct way ways[] = {
    {RULE_ONE_EPOCH_A_SLOT, FANOUT_SMALL, CHECK_OUTSIDE, 4, 4,
     "the reply counts 4 likes, and there are 3", "slot-once", 4},
    {RULE_MARK_PARTIAL, FANOUT_SMALL, CHECK_OUTSIDE, 3, 3,
     "the reply counts 1 of 3 likes, and says that it is whole", "marked-partial", 3},
    {RULE_FIRST_ANSWER_COUNTS, FANOUT_SMALL, CHECK_OUTSIDE, 5, 4,
     "the reply counts 5 likes, and there are 3", "slot-once", 4},
    {RULE_ONE_EPOCH_A_SLOT, FANOUT_LARGE, CHECK_OUTSIDE, 5, 5,
     "the reply counts 5 likes, and there are 4", "slot-once", 5},
    {RULE_MARK_PARTIAL, FANOUT_LARGE, CHECK_OUTSIDE, 4, 4,
     "the reply counts 2 of 4 likes, and says that it is whole", "marked-partial", 4},
    {RULE_FIRST_ANSWER_COUNTS, FANOUT_LARGE, CHECK_OUTSIDE, 6, 5,
     "the reply counts 6 likes, and there are 4", "slot-once", 5},
    {RULE_ONE_EPOCH_A_SLOT, FANOUT_LARGE, CHECK_INSIDE, 4, 4,
     "slot-once: query 1 counted slot 0 a second time, in an answer of epoch 2", "slot-once", 4},
    {RULE_FIRST_ANSWER_COUNTS, FANOUT_SMALL, CHECK_INSIDE, 4, 4,
     "slot-once: query 1 counted slot 0 a second time, in an answer of epoch 1", "slot-once", 4},
};

#define WAYS (sizeof ways / sizeof *ways)

static struct check_result find(const struct way *way, struct check_scope *scope)
{
    uint32_t rules = scope_without(&model_scatter, way->without);
    *scope = (struct check_scope){.rules = rules, .size = way->size, .judge = way->judge};
    struct check_result result =
        scope_search(&model_scatter, rules, way->size, (enum check_judge)way->judge, 1);
    assert_int_equal(result.verdict, CHECK_FAILS);
    assert_int_equal(result.depth, way->steps);
    struct check_parting part = check_part(&model_scatter, scope, &result, CHECK_RULES_ALL);
    assert_int_equal(part.last.step, way->named);
    return result;
}

static struct replayed play(const struct way *way, unsigned how)
{
    struct check_scope scope;
    struct replayed played;
    struct err err = {{0}};
    struct check_result result = find(way, &scope);
    if (!check_replay_play(&model_scatter, &scope, &result, how, &played, &err)) {
        fail_msg("without %s: %s", rule_name(way->without), err.text);
    }
    if (!played.agrees) {
        for (uint32_t i = 0; i < played.steps + 2; i++) {
            print_message("%u:\n%s", i, str_text(&played.lines[i]));
        }
        fail_msg("without %s: %s", rule_name(way->without), played.differs.text);
    }
    assert_int_equal(played.steps, way->steps);
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
        assert_true(str_starts(played.broken.text, ways[i].invariant));
        assert_int_equal(played.broken_at, ways[i].broken_at);
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
        assert_int_equal(played.lost, 0);
        assert_int_equal(played.broken_at, 0);
        bool whole = false;
        for (uint32_t line = 1; line < played.steps + 2; line++) {
            whole = whole || strstr(str_text(&played.lines[line]), "is whole") != NULL;
        }
        assert_true(whole);
        check_replay_free(&played);
    }
}

static void every_rule_has_a_way(void **state)
{
    (void)state;
    for (size_t rule = 0; model_scatter.rule[rule].name; rule++) {
        size_t i = 0;
        while (i < WAYS && strcmp(rule_name(ways[i].without), model_scatter.rule[rule].name) != 0) {
            i++;
        }
        assert_true(i < WAYS);
    }
}

static void the_lines_tell_each_step(void **state)
{
    (void)state;
    static const char *const said[] = {
        "operator  query q: a sum over all shards\n",
        "R0 -> S1  q (query 1): your part, please\n",
        "R0 -> S0  q (query 1): your follower's part too, please; 2 ms have gone by\n",
        "R0 -> R0  q (query 1): S0 is merged, 2 of 3 slots are in\n",
        "S0 -> R0  q (query 1): its follower answers, after 300 us, with a sum of 2\n",
        "R0 -> client a  q (query 1) is whole after 8.4 ms, S1 was the last, the sum is 5\n",
    };
    struct replayed played = play(&ways[2], 0);
    assert_int_equal(played.steps + 1, sizeof said / sizeof *said);
    for (uint32_t i = 0; i <= played.steps; i++) {
        if (!strstr(str_text(&played.lines[i]), said[i])) {
            fail_msg("under step %u: %s", (unsigned)i, str_text(&played.lines[i]));
        }
    }
    check_replay_free(&played);
}

/* Rules left out together: the world follows, or says which step it cannot take. */
static void rules_left_out_together_are_followed_too(void **state)
{
    (void)state;
    unsigned followed = 0;
    for (uint32_t less = 1; less < 8; less++) {
        for (uint8_t size = 0; size < FANOUT_SIZES; size++) {
            struct check_scope scope = {
                .rules = CHECK_RULES_ALL & ~less, .size = size, .judge = CHECK_OUTSIDE};
            struct check_result result =
                scope_search(&model_scatter, scope.rules, size, CHECK_OUTSIDE, 1);
            struct replayed played = {.steps = 0};
            struct err err = {{0}};
            assert_int_equal(result.verdict, CHECK_FAILS);
            bool can = check_replay_play(&model_scatter, &scope, &result, 0, &played, &err);
            if (can && (!played.agrees || !played.fails)) {
                fail_msg("without %x, scope %u: %s", (unsigned)less, (unsigned)size,
                         played.agrees ? "nothing is seen to fail" : played.differs.text);
            }
            followed += can;
            check_replay_free(&played);
            check_result_free(&result);
        }
    }
    assert_int_equal(followed, 7 * FANOUT_SIZES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_way_fails_in_a_world),
        cmocka_unit_test(with_every_rule_it_stops_where_the_checker_says),
        cmocka_unit_test(every_rule_has_a_way),
        cmocka_unit_test(the_lines_tell_each_step),
        cmocka_unit_test(rules_left_out_together_are_followed_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
