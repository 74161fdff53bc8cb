/*
 * Every way to a failure of replicas with a leader that the checker finds fails in a world too, by
 * the same promise, and with every rule in place the world stops where the checker says, with
 * nothing lost.
 */
#include "app/check/check_replay.h"
#include "check/failover.h"
#include "check/models.h"
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
    uint8_t size;
    uint32_t steps, named;
    const char *failure;   /* what is seen in the world */
    const char *invariant; /* of the engine, that is broken too */
    uint32_t broken_at;
};

#define LACKS "N2 leads term 2 without write 1, whose client was told OK"
#define TWO "two replicas led term 2"

static const struct way ways[] = {
    {RULE_ACK_NEEDS_MAJORITY, FAILOVER_SMALL, 3, 1, LACKS, "acked-at-majority", 1},
    {RULE_ELECTION_NEEDS_MAJORITY, FAILOVER_SMALL, 2, 1, TWO, "one-leader-a-term", 2},
    {RULE_VOTE_FOR_LONGER_LOG, FAILOVER_SMALL, 4, 4, LACKS, "acked-is-led", 4},
    {RULE_REFUSE_OLD_TERM, FAILOVER_SMALL, 4, 4, LACKS, "acked-is-led", 4},
    {RULE_DURABLE_VOTE, FAILOVER_SMALL, 5, 4, LACKS, "acked-is-led", 5},
    {RULE_VOTES_COUNT_ONCE, FAILOVER_FIVE, 6, 4, TWO, "one-leader-a-term", 6},
    {RULE_ACK_NEEDS_MAJORITY, FAILOVER_LARGE, 3, 1, LACKS, "acked-at-majority", 1},
    {RULE_ELECTION_NEEDS_MAJORITY, FAILOVER_LARGE, 2, 1, TWO, "one-leader-a-term", 2},
    {RULE_VOTE_FOR_LONGER_LOG, FAILOVER_LONG, 4, 4, LACKS, "acked-is-led", 4},
    {RULE_REFUSE_OLD_TERM, FAILOVER_LONG, 4, 4, LACKS, "acked-is-led", 4},
};

#define WAYS (sizeof ways / sizeof *ways)

static struct replayed play(const struct way *way, unsigned how)
{
    uint32_t rules = scope_without(&model_failover, way->without);
    struct check_scope scope = {.rules = rules, .size = way->size, .judge = CHECK_OUTSIDE};
    struct check_result result = scope_search(&model_failover, rules, way->size, CHECK_OUTSIDE, 1);
    struct replayed played;
    struct err err = {{0}};
    assert_int_equal(result.verdict, CHECK_FAILS);
    assert_int_equal(result.depth, way->steps);
    struct check_parting part = check_part(&model_failover, &scope, &result, CHECK_RULES_ALL);
    assert_int_equal(part.last.step, way->named);
    if (!check_replay_play(&model_failover, &scope, &result, how, &played, &err)) {
        fail_msg("without %s: %s", rule_name(way->without), err.text);
    }
    if (!played.agrees) {
        for (uint32_t i = 0; i < played.steps + 2; i++) {
            print_message("%u:\n%s", i, str_text(&played.lines[i]));
        }
        fail_msg("without %s: %s", rule_name(way->without), played.differs.text);
    }
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
        if (!str_starts(played.broken.text, ways[i].invariant)) {
            fail_msg("without %s: %s", rule_name(ways[i].without), played.broken.text);
        }
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
        assert_int_equal(played.broken_at, 0);
        assert_int_equal(played.lost, 0);
        check_replay_free(&played);
    }
}

static void every_rule_has_a_way(void **state)
{
    (void)state;
    assert_true(check_replay_can(&model_failover));
    assert_true(strlen(check_replay_about(&model_failover)) > 0);
    for (size_t rule = 0; model_failover.rule[rule].name; rule++) {
        size_t i = 0;
        while (i < WAYS &&
               strcmp(rule_name(ways[i].without), model_failover.rule[rule].name) != 0) {
            i++;
        }
        assert_true(i < WAYS);
    }
}

static void the_lines_tell_what_the_world_did(void **state)
{
    (void)state;
    struct replayed played = play(&ways[0], 0);
    assert_int_equal(played.lost, 0); /* A has it: nobody has thrown it away yet */
    assert_true(strstr(str_text(&played.lines[1]), "OK, 1 is entry 1 of P1") != NULL);
    assert_true(strstr(str_text(&played.lines[3]), "leads P1 in term 2") != NULL);
    check_replay_free(&played);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_way_fails_in_a_world),
        cmocka_unit_test(with_every_rule_it_stops_where_the_checker_says),
        cmocka_unit_test(every_rule_has_a_way),
        cmocka_unit_test(the_lines_tell_what_the_world_did),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
