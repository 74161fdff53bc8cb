/*
 * Copies: of one value, under keys of their own; and of a whole shard, whose followers lag.
 */
#include "play.h"

#include "engine/rates.h"
#include "engine/reads/reads.h"
#include "place/key.h"
#include <stdio.h>

#define POST "post:{p9}"
#define COUNT "likes:{p9}"

static struct world *busy_world(uint64_t seed)
{
    struct world_config c = play_config();
    c.seed = seed;
    c.requests_max = 4096;
    c.events_max = 4608;
    c.trace_max = 4096;
    c.replica_lag_us = 20000;
    return play_new(&c);
}

static struct rates *one_second(const struct world *w)
{
    struct world *scratch = world_copy(w);
    struct rates *rates = calloc(1, sizeof *rates);
    assert_non_null(rates);
    rates_at(w, scratch, rates);
    world_free(scratch);
    return rates;
}

/* --- of one value ------------------------------------------------------------------------------
 */

static void four_copies_are_on_four_shards(void **state)
{
    (void)state;
    struct world *w = busy_world(1);
    play(w, "flow read post:{p9} 9000");
    play(w, "reads post:{p9} copies 4");
    world_run_until(w, world_now(w) + US_PER_SECOND);
    struct rates *rates = one_second(w);
    for (uint32_t shard = 0; shard < 4; shard++) { /* 2,250 each, picked at random */
        assert_true(rates->shard[shard].reads > 2050 && rates->shard[shard].reads < 2450);
    }
    assert_int_equal(rates->cluster.reads, 9000);
    free(rates);
    assert_int_equal(world_key_slot(w, play_key(w, "post:{p9~1}")),
                     key_slot(bytes_of("post:{p9~1}")));
    world_free(w);
}

static void an_edit_goes_to_the_value_and_all_its_copies(void **state)
{
    (void)state;
    struct world *w = busy_world(1);
    play(w, "reads post:{p9} copies 4");
    uint64_t before = 0;
    for (uint16_t shard = 0; shard < 4; shard++) {
        before += world_shard(w, shard).served_writes;
    }
    struct request_info info = play_request(w, "request edit post:{p9} via R1");
    assert_int_equal(info.outcome, OUTCOME_OK);
    uint64_t writes = 0;
    for (uint16_t shard = 0; shard < 4; shard++) {
        writes += world_shard(w, shard).served_writes;
    }
    assert_int_equal(writes - before, 5);
    assert_int_equal(reads_info(w, 0, play_key(w, POST)).copies_written, 4);
    assert_true(info.ended_us - info.issued_us >= 6000); /* told when the last is written */
    assert_true(world_all_quiet(w));
    world_free(w);
}

/* The edit's client is told after every copy has it: by the trace, record by record. */
static void no_edit_is_acknowledged_before_all_copies_hold_it(void **state)
{
    (void)state;
    struct world *w = busy_world(4);
    play(w, "flow read post:{p9} 500 poisson");
    play(w, "flow edit post:{p9} 100 poisson");
    play(w, "reads post:{p9} copies 3");
    uint64_t next = trace_next(w);
    uint64_t written = 0;
    uint64_t told = 0;
    while (world_now(w) < EIGHT_PM + US_PER_SECOND && world_step(w)) {
        for (; next < trace_next(w); next++) {
            const struct trace_record *r = trace_get(w, next);
            written += r->kind == TRACE_ANSWER && r->op == OP_EDIT;
            told += r->kind == TRACE_REPLY && r->op == OP_EDIT;
            assert_true(4 * told <= written);
        }
    }
    assert_true(told > 50);
    world_free(w);
}

static void an_edit_that_a_copy_refuses_has_failed(void **state)
{
    (void)state;
    struct world *w = busy_world(1);
    play(w, "reads post:{p9} copies 4");
    for (uint16_t shard = 0; shard < 4; shard++) {
        char words[32];
        (void)snprintf(words, sizeof words, "ceiling S%u 1 0", shard);
        play(w, words);
    }
    struct request_info first = play_request(w, "request edit post:{p9} via R1");
    struct request_info info = play_request(w, "request edit post:{p9} via R1");
    assert_int_equal(info.outcome, OUTCOME_REFUSED);
    assert_true(first.outcome == OUTCOME_REFUSED); /* five writes, four tokens */
    assert_true(world_all_quiet(w));
    world_free(w);
}

static void a_counter_has_no_copies(void **state)
{
    (void)state;
    struct world *w = busy_world(1);
    play_request(w, "request like likes:{p9} via R0");
    play_refused(w, "reads likes:{p9} copies 3",
                 "this key is a counter, and each like would have to change all copies; copies are "
                 "for what is edited now and then");
    world_free(w);
}

static void a_key_without_a_tag_is_marked_at_its_end(void **state)
{
    (void)state;
    struct world *w = busy_world(1);
    play(w, "reads home copies 2");
    play_key(w, "home~1");
    play_key(w, "home~2");
    play_refused(w,
                 "reads {12345678901234567890123456789012345678901234567890123456789012} copies 2",
                 "the names of the copies would have more than 64 bytes; use a shorter key");
    world_free(w);
}

/* --- of a shard --------------------------------------------------------------------------------
 */

static void three_copies_of_a_shard_serve_three_times_the_reads(void **state)
{
    (void)state;
    struct world *w = busy_world(1);
    play(w, "ceiling S2 1000 3000");
    play(w, "replicas S2 3");
    assert_int_equal(world_shard(w, 2).read_ceiling, 9000);
    assert_int_equal(world_shard(w, 2).write_ceiling, 1000);
    play(w, "flow read post:{p9} 9300 scattered");
    world_run_until(w, world_now(w) + 5 * US_PER_SECOND);
    struct rates *rates = one_second(w);
    assert_int_equal(rates->shard[2].reads, 9300);
    assert_true(rates->shard[2].refused_reads > 250 && rates->shard[2].refused_reads < 350);
    free(rates);
    play(w, "ceiling S2 1000 2000");
    assert_int_equal(world_shard(w, 2).read_ceiling, 6000);
    play(w, "replicas S2 1");
    assert_int_equal(world_shard(w, 2).read_ceiling, 2000);
    world_free(w);
}

static void the_copies_answer_in_turn(void **state)
{
    (void)state;
    struct world *w = busy_world(1);
    play(w, "replicas S2 3");
    uint32_t by_copy[3] = {0};
    for (int i = 0; i < 30; i++) {
        play(w, "request read post:{p9} via R0");
        assert_true(world_run_until_answered(w, US_PER_SECOND));
        for (uint64_t at = trace_next(w) - 3; at < trace_next(w); at++) {
            const struct trace_record *r = trace_get(w, at);
            if (r->kind == TRACE_ANSWER) {
                by_copy[r->reason == REASON_FOLLOWER ? r->operand[0] : 0]++;
            }
        }
    }
    for (int copy = 0; copy < 3; copy++) {
        assert_int_equal(by_copy[copy], 10);
    }
    world_free(w);
}

/* A follower's count is the leader's of replica_lag_us ago, to the like. */
static void a_follower_is_exactly_its_lag_behind(void **state)
{
    (void)state;
    struct world *w = busy_world(5);
    play(w, "replicas S2 2");
    play(w, "reads likes:{p9} replicas");
    play(w, "flow read likes:{p9} 1000 poisson");
    play(w, "flow like likes:{p9} 2400 poisson");
    static int64_t when[1 << 13] = {INT64_MIN};
    uint64_t next = trace_next(w);
    uint32_t leader = 0;
    uint32_t behind = 0;
    uint64_t likes = 0;
    when[1] = INT64_MAX;
    while (world_now(w) < EIGHT_PM + 2 * US_PER_SECOND && world_step(w)) {
        for (; next < trace_next(w); next++) {
            const struct trace_record *r = trace_get(w, next);
            if (r->kind != TRACE_ANSWER) {
                continue;
            }
            if (r->op == OP_LIKE) {
                likes = r->value;
                when[likes] = r->time_us;
                when[likes + 1] = INT64_MAX;
            } else if (r->reason == REASON_FOLLOWER) {
                int64_t then = r->time_us - 20000;
                assert_true(when[r->value] <= then && then < when[r->value + 1]);
                behind++;
            } else {
                assert_int_equal(r->value, likes);
                leader++;
            }
        }
    }
    assert_true(leader > 900 && behind > 900);
    world_free(w);
}

static void a_follower_says_so(void **state)
{
    (void)state;
    struct world *w = busy_world(1);
    play(w, "reads likes:{p9} replicas");
    play(w, "replicas S2 2");
    play_request(w, "request read likes:{p9} via R0");
    play_request(w, "request like likes:{p9} via R0");
    uint64_t from = trace_next(w);
    play_request(w, "request read likes:{p9} via R0");
    play_expect(w, from,
                "20:00:00.013000  client a -> R0  read likes:{p9}\n"
                "20:00:00.013250  R0 -> S2  read likes:{p9} (slot 12067, as map version 7 says)\n"
                "20:00:00.013750  S2 -> R0  OK (follower 1, as it was 20 ms ago)\n"
                "20:00:00.019250  R0 -> client a  OK\n");
    struct str why = STR_EMPTY;
    trace_why(w, trace_get(w, trace_next(w) - 1), &why);
    assert_string_equal(str_text(&why),
                        "The router passes on what S2 answered. S2 lets its followers answer reads "
                        "in turn with its leader. Follower 1 applies each change 20 ms after the "
                        "leader: it may answer what was so then, even to somebody who has just "
                        "written. Writes still go to the leader alone.");
    str_free(&why);
    world_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(four_copies_are_on_four_shards),
        cmocka_unit_test(an_edit_goes_to_the_value_and_all_its_copies),
        cmocka_unit_test(no_edit_is_acknowledged_before_all_copies_hold_it),
        cmocka_unit_test(an_edit_that_a_copy_refuses_has_failed),
        cmocka_unit_test(a_counter_has_no_copies),
        cmocka_unit_test(a_key_without_a_tag_is_marked_at_its_end),
        cmocka_unit_test(three_copies_of_a_shard_serve_three_times_the_reads),
        cmocka_unit_test(the_copies_answer_in_turn),
        cmocka_unit_test(a_follower_is_exactly_its_lag_behind),
        cmocka_unit_test(a_follower_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
