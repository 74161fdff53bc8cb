/*
 * What moves cost their shards: copies use the disk, entries of a tail are applied at a pace.
 */
#include "move_play.h"

#include "engine/state.h"
#include "sanitized.h"

/* With room for the tail of a target that follows slowly. */
static struct world *long_tailed_world(void)
{
    struct world_config c = moving_config();
    c.tail_max = 1024;
    struct world *w = play_new(&c);
    play(w, "shard add");
    return w;
}

/* The time that a read of the slot takes now, of a world whose clients stand by their routers. */
static int64_t read_takes(struct world *w)
{
    struct request_info r;
    play(w, "request read likes:{p9} via R0");
    assert_true(world_run_until_answered(w, world_now(w) + US_PER_SECOND));
    assert_true(world_request(w, world_last_request(w), &r));
    return r.ended_us - r.issued_us;
}

static void copies_slow_down_the_requests_of_both_shards(void **state)
{
    (void)state;
    struct world *w = moving_world();
    int64_t plain = read_takes(w);
    int64_t query = world_config_of(w)->query_us;
    play(w, "disk S2 100000000");
    assert_int_equal(read_takes(w), plain); /* nothing is copied yet */
    play(w, "migrate 12067 S4 1000000000 50000000");
    assert_int_equal(read_takes(w), plain + query); /* half is left: twice as long */
    play(w, "migrate 11819 S4 1000000000 25000000");
    assert_int_equal(read_takes(w), plain + 3 * query);
    play(w, "disk S2 50000000"); /* all of it and more: a twentieth is left */
    assert_in_range(read_takes(w), plain + 18 * query, plain + 19 * query);
    play(w, "disk S2 100000000");
    play(w, "abort 11819");
    assert_int_equal(read_takes(w), plain + query);
    play(w, "disk S4 200000000"); /* the target's own requests, and nobody else's */
    assert_int_equal(read_takes(w), plain + query);
    assert_int_equal(shards_in(w)[4].extra, 333);
    world_run_until(w, world_now(w) + 30 * US_PER_SECOND); /* the copy is done */
    assert_true(move_now(w).copied_us != MOVE_NEVER);
    assert_int_equal(read_takes(w), plain);
    assert_int_equal(shards_in(w)[4].extra, 0);
    play_holds(w);
    world_free(w);
}

/* Requests that a shard serves of a second's 1,000, with a ceiling of 1,000. */
static uint64_t served_in_a_second(struct world *w)
{
    uint64_t before = world_shard(w, 2).served_reads;
    world_run_until(w, world_now(w) + US_PER_SECOND);
    return world_shard(w, 2).served_reads - before;
}

static void copies_take_their_part_of_the_ceiling(void **state)
{
    (void)state;
    struct world *w = moving_world();
    play(w, "ceiling S2 1000 1000");
    play(w, "flow read likes:{p9} 1000");
    world_run_until(w, world_now(w) + US_PER_SECOND);
    assert_int_equal(served_in_a_second(w), 1000);
    play(w, "disk S2 100000000");
    play(w, "migrate 12067 S4 10000000000 50000000");
    world_run_until(w, world_now(w) + US_PER_SECOND); /* what was left in the bucket */
    assert_int_equal(served_in_a_second(w), 500);
    play(w, "disk S2 0");
    assert_int_equal(served_in_a_second(w), 1000);
    play_holds(w);
    world_free(w);
}

/* 400 likes during the copy, 200 a second from then on; the target applies 500 a second. */
static void a_slow_target_has_a_tail_that_a_fence_waits_for(void **state)
{
    (void)state;
    struct world *w = long_tailed_world();
    play(w, "applies S4 500");
    play(w, "flow like likes:{p9} 200");
    play(w, "migrate 12067 S4 2000000 1000000");
    run_holding(w, TEN_PAST + US_PER_SECOND);
    assert_in_range(move_now(w).tail, 198, 201);
    assert_int_equal(move_now(w).applied, 0);
    play_refused(w, "applies S4 0",
                 "slot 12067 is being copied to S4; how fast that follows its log is said before "
                 "or after");
    run_holding(w, TEN_PAST + 2 * US_PER_SECOND + 1000);
    struct move_info m = move_now(w);
    assert_true(m.copied_us != MOVE_NEVER && m.alike);
    assert_in_range(m.caught_up, 398, 401);
    assert_in_range(m.tail, 397, 401);
    struct world *early = world_copy(w);
    play(early, "fence 12067");
    run_holding(early, world_now(early) + 3 * US_PER_SECOND);
    m = move_now(early);
    assert_int_equal(m.phase, MOVE_COMMITTED);
    assert_in_range(m.committed_us - m.fenced_us, 780000, 830000);
    play_holds(early);
    world_free(early);
    run_holding(w, TEN_PAST + 4 * US_PER_SECOND); /* 400 less at 300 a second */
    assert_in_range(move_now(w).tail, 1, 4);
    play(w, "fence 12067");
    run_holding(w, world_now(w) + US_PER_SECOND);
    m = move_now(w);
    assert_in_range(m.committed_us - m.fenced_us, 13000, 17000);
    assert_true(m.alike);
    play_holds(w);
    world_free(w);
}

static void a_slow_target_keeps_a_copy_with_a_wrong_stamp_apart(void **state)
{
    (void)state;
    struct world *w = moving_world();
    play(w, "applies S4 500");
    play(w, "rule snapshot-position off");
    play(w, "flow like likes:{p9} 200");
    play(w, "migrate 12067 S4 1000000 1000000");
    run_holding(w, TEN_PAST + 2 * US_PER_SECOND);
    assert_true(move_now(w).compared);
    assert_false(move_now(w).alike);
    play(w, "abort 12067");
    assert_int_equal(move_now(w).tail, 0);
    play_holds(w);
    world_free(w);
}

static void a_target_that_crashes_begins_its_tail_anew(void **state)
{
    (void)state;
    struct world *w = long_tailed_world();
    play(w, "applies S4 500");
    play(w, "flow like likes:{p9} 200");
    play(w, "migrate 12067 S4 2000000 1000000");
    run_holding(w, TEN_PAST + US_PER_SECOND);
    play(w, "crash S4 100");
    run_holding(w, TEN_PAST + 1500000);
    assert_in_range(move_now(w).tail, 70, 85); /* of the copy that began anew at 1.1 s */
    run_holding(w, TEN_PAST + 6 * US_PER_SECOND);
    play(w, "crash S2 50");
    run_holding(w, TEN_PAST + 8 * US_PER_SECOND);
    play(w, "fence 12067");
    run_holding(w, TEN_PAST + 9 * US_PER_SECOND);
    assert_int_equal(move_now(w).phase, MOVE_COMMITTED);
    play_holds(w);
    world_free(w);
}

/* Moves at random times with and without a pace; what must be true is so after every event. */
static void any_pace_loses_nothing(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= (BRIEF ? 2 : 6); seed++) {
        struct prng chance = prng_seeded(seed, "pace");
        struct world *w = long_tailed_world();
        play(w, "flow like likes:{p9} 150");
        for (int i = 0; i < 14; i++) {
            static const char *const words[] = {
                "applies S4 300", "applies S4 0",
                "applies S2 200", "migrate 12067 S4 100000 200000",
                "fence 12067",    "rollback 12067",
                "abort 12067",    "cleanup 12067",
                "disk S2 300000", "migrate 12067 S4 100 100 reverse"};
            struct command c;
            assert_true(command_parse(words[prng_below(&chance, 10)], &c, NULL));
            world_apply(w, &c, NULL);
            run_holding(w, world_now(w) + (int64_t)prng_below(&chance, 700000));
        }
        play_holds(w);
        assert_false(world_stopped(w, NULL));
        world_free(w);
    }
}

/* A world in which neither was said is the same as ever. */
static void without_them_nothing_changes(void **state)
{
    (void)state;
    struct world *w = moving_world();
    struct world *said = world_copy(w);
    play(said, "disk S2 100000000");
    play(said, "applies S4 100");
    struct digest a = world_digest(w), b = world_digest(said);
    assert_memory_not_equal(&a, &b, sizeof a);
    play(said, "disk S2 0");
    play(said, "applies S4 0");
    for (int i = 0; i < 2; i++) { /* as many commands */
        play(w, "disk S2 0");
        play(w, "applies S4 0");
    }
    a = world_digest(w);
    b = world_digest(said);
    assert_memory_equal(&a, &b, sizeof a);
    world_free(said);
    world_free(w);
}

static void they_are_told_in_words(void **state)
{
    (void)state;
    struct world *w = moving_world();
    uint64_t from = trace_next(w);
    play(w, "disk S2 200MB");
    play(w, "applies S4 400");
    play(w, "disk S2 0");
    play(w, "applies S4 0");
    play_expect(w, from,
                "20:10:00.000000  operator -> S2  your disk does 200,000,000 bytes a second from "
                "now on, for copies and requests\n"
                "20:10:00.000000  operator -> S4  apply 400 entries of a tail a second at most\n"
                "20:10:00.000000  operator -> S2  copies cost your requests nothing from now on\n"
                "20:10:00.000000  operator -> S4  apply the entries of a tail as they come\n");
    play_refused(w, "disk S9 100", "no shard S9: this world has S0 to S4");
    world_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_slow_down_the_requests_of_both_shards),
        cmocka_unit_test(copies_take_their_part_of_the_ceiling),
        cmocka_unit_test(a_slow_target_has_a_tail_that_a_fence_waits_for),
        cmocka_unit_test(a_slow_target_keeps_a_copy_with_a_wrong_stamp_apart),
        cmocka_unit_test(a_target_that_crashes_begins_its_tail_anew),
        cmocka_unit_test(any_pace_loses_nothing),
        cmocka_unit_test(without_them_nothing_changes),
        cmocka_unit_test(they_are_told_in_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
