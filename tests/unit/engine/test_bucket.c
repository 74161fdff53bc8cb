/*
 * Ceilings: the integer token bucket, its queue, and what clients see of them.
 */
#include "play.h"

#include "base/prng.h"
#include "engine/bucket.h"

static struct bucket full_bucket(uint32_t ceiling)
{
    struct bucket b = {0};
    bucket_set(&b, EIGHT_PM, ceiling);
    return b;
}

static void a_full_bucket_holds_a_tenth_of_a_second(void **state)
{
    (void)state;
    struct bucket b = full_bucket(1000);
    for (int i = 0; i < 100; i++) {
        assert_int_equal(bucket_take(&b, EIGHT_PM, 0), 0);
    }
    assert_int_equal(bucket_take(&b, EIGHT_PM, 0), -1);
    assert_int_equal(bucket_take(&b, EIGHT_PM + 999, 0), -1);
    assert_int_equal(bucket_take(&b, EIGHT_PM + 1000, 0), 0); /* one token a millisecond */
    assert_int_equal(bucket_take(&b, EIGHT_PM + 1000, 0), -1);
}

static void no_token_is_ever_lost_or_made(void **state)
{
    (void)state;
    static const uint32_t ceilings[] = {20, 70, 999, 1000, 3000, 9999999};
    for (size_t i = 0; i < sizeof ceilings / sizeof *ceilings; i++) {
        struct bucket b = full_bucket(ceilings[i]);
        struct prng chance = prng_seeded(i, "bucket test");
        int64_t now = EIGHT_PM;
        int64_t taken = 0;
        while (now < EIGHT_PM + 10 * US_PER_SECOND && taken < 100000) {
            if (bucket_take(&b, now, 0) == 0) {
                taken++;
            } else {
                now += 1 + (int64_t)prng_below(&chance, 50000 / ceilings[i] + 1);
            }
        }
        bucket_fill(&b, now);
        assert_int_equal(b.level, bucket_depth(ceilings[i]) + (now - EIGHT_PM) * ceilings[i] -
                                      taken * TOKEN);
    }
}

static void a_small_ceiling_still_serves(void **state)
{
    (void)state;
    struct bucket b = full_bucket(1);
    assert_int_equal(bucket_take(&b, EIGHT_PM, 0), 0);
    assert_int_equal(bucket_take(&b, EIGHT_PM + 999999, 0), -1);
    assert_int_equal(bucket_take(&b, EIGHT_PM + 1000000, 0), 0);
}

static void a_queue_starts_each_request_at_its_own_token(void **state)
{
    (void)state;
    struct bucket b = full_bucket(1000);
    for (int i = 0; i < 100; i++) {
        assert_int_equal(bucket_take(&b, EIGHT_PM, 3), 0);
    }
    assert_int_equal(bucket_take(&b, EIGHT_PM, 3), 1000);
    assert_int_equal(bucket_take(&b, EIGHT_PM, 3), 2000);
    assert_int_equal(bucket_take(&b, EIGHT_PM, 3), 3000);
    assert_int_equal(bucket_take(&b, EIGHT_PM, 3), -1);
    assert_int_equal(bucket_waiting(&b), 3);
    assert_int_equal(bucket_take(&b, EIGHT_PM + 1000, 3), 3000); /* the first has started */
    assert_int_equal(bucket_take(&b, EIGHT_PM + 1000, 3), -1);
}

static void a_raised_ceiling_lets_nobody_overtake(void **state)
{
    (void)state;
    struct bucket b = full_bucket(10);
    assert_int_equal(bucket_take(&b, EIGHT_PM, 5), 0);
    assert_int_equal(bucket_take(&b, EIGHT_PM, 5), 100000);
    bucket_set(&b, EIGHT_PM, 1000000);
    assert_int_equal(bucket_take(&b, EIGHT_PM, 5), 100000);
    assert_int_equal(bucket_take(&b, EIGHT_PM + 200000, 5), 0);
}

static void a_shard_refuses_beyond_its_ceiling_and_says_why(void **state)
{
    (void)state;
    struct world *w = play_world();
    play(w, "ceiling S2 10 0");
    assert_int_equal(play_request(w, "request like likes:{p9} via R5").outcome, OUTCOME_OK);
    uint64_t from = trace_next(w);
    struct request_info r = play_request(w, "request like likes:{p9} via R5");
    assert_int_equal(r.outcome, OUTCOME_REFUSED);
    assert_int_equal(r.ended_us - r.issued_us, 1000); /* no query was made */
    play_expect(w, from + 2,
                "20:00:00.006500  S2 -> R5  refused: no write is left of 10 a second\n"
                "20:00:00.006750  R5 -> client c  refused: S2 is at its ceiling\n");
    assert_int_equal(play_request(w, "request read likes:{p9} via R5").outcome, OUTCOME_OK);
    struct shard_info s = world_shard(w, 2);
    assert_int_equal(s.served_writes, 1);
    assert_int_equal(s.refused_writes, 1);
    assert_int_equal(s.served_reads, 1);
    assert_int_equal(s.refused_reads, 0);
    assert_int_equal(world_acked(w, r.key), 1);
    play_holds(w);
    world_free(w);
}

static void a_queued_request_waits_and_is_served(void **state)
{
    (void)state;
    struct world *w = play_world();
    play(w, "ceiling S2 10 0 1");
    play(w, "request like likes:{p9} via R5");
    play(w, "request like likes:{p9} via R5");
    play(w, "request like likes:{p9} via R5");
    assert_true(world_run_until_answered(w, US_PER_SECOND));
    struct request_info r[3];
    for (uint64_t i = 0; i < 3; i++) {
        assert_true(world_request(w, i + 1, &r[i]));
    }
    assert_int_equal(r[0].value, 1);
    assert_int_equal(r[1].value, 2);
    assert_int_equal(r[1].ended_us - r[0].ended_us, 100000);
    assert_int_equal(r[2].outcome, OUTCOME_REFUSED); /* one may wait, not two */
    play_holds(w);
    world_free(w);
}

static void a_slot_that_moves_while_a_request_waits_is_not_served_any_more(void **state)
{
    (void)state;
    struct world *w = play_world();
    play(w, "ceiling S2 10 0 5");
    play(w, "request like likes:{p9} via R5");
    play(w, "request like likes:{p9} via R5");
    world_run_until(w, EIGHT_PM + 50000);
    play(w, "move 12067 S0");
    assert_true(world_run_until_answered(w, US_PER_SECOND));
    struct request_info r;
    assert_true(world_request(w, 2, &r));
    assert_int_equal(r.shard, 0);
    assert_int_equal(r.asks, 2);
    assert_int_equal(world_value(w, 0, r.key), 2);
    play_holds(w);
    world_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_full_bucket_holds_a_tenth_of_a_second),
        cmocka_unit_test(no_token_is_ever_lost_or_made),
        cmocka_unit_test(a_small_ceiling_still_serves),
        cmocka_unit_test(a_queue_starts_each_request_at_its_own_token),
        cmocka_unit_test(a_raised_ceiling_lets_nobody_overtake),
        cmocka_unit_test(a_shard_refuses_beyond_its_ceiling_and_says_why),
        cmocka_unit_test(a_queued_request_waits_and_is_served),
        cmocka_unit_test(a_slot_that_moves_while_a_request_waits_is_not_served_any_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
