/*
 * The story's move while p9 is liked 2,400 and read 9,000 times a second: with both fixes on, and
 * without them.
 */
#include "move_play.h"

#include "engine/rates.h"

static struct world *busy_world(bool others)
{
    struct world_config c = moving_config();
    c.start_us = TEN_PAST - 5 * US_PER_SECOND;
    c.requests_max = 4096;
    c.events_max = 8192;
    c.trace_max = 4096;
    c.liked_us = 2000;
    struct world *w = play_new(&c);
    static const char *const cold[] = {
        "flow like likes:{p1} 50", "flow like likes:{p5} 50", "flow like likes:{p13} 50",
        "flow read post:{p1} 100", "flow read post:{p5} 100", "flow read post:{p13} 100",
    };
    for (size_t i = 0; others && i < sizeof cold / sizeof *cold; i++) {
        play(w, cold[i]);
    }
    play(w, "flow like likes:{p9} 2400");
    play(w, "flow read post:{p9} 9000");
    play(w, "shard add");
    return w;
}

static void must_ask(const struct rates *r, uint32_t shard, uint64_t writes, uint64_t reads)
{
    assert_int_equal(r->shard[shard].writes, writes);
    assert_int_equal(r->shard[shard].reads, reads);
}

static void rates_now(const struct world *w, struct rates *out)
{
    struct world *scratch = world_copy(w);
    rates_at(w, scratch, out);
    world_free(scratch);
}

/* What the routers have flushed for p9, wherever it is. */
static uint64_t counted(const struct world *w, uint16_t shard)
{
    uint64_t sum = 0;
    for (uint32_t key = 0; key < world_keys(w); key++) {
        sum += world_key_slot(w, key) == SLOT ? world_value(w, shard, key) : 0;
    }
    return sum;
}

static void with_both_fixes_hardly_anybody_notices(void **state)
{
    (void)state;
    struct world *w = busy_world(true);
    struct rates rates;
    play(w, "reads post:{p9} cached");
    play(w, "writes likes:{p9} summed");
    world_run_until(w, TEN_PAST);
    play(w, "migrate 12067 S4 200000000 3000000");
    world_run_until(w, TEN_PAST + 66 * US_PER_SECOND);
    rates_now(w, &rates);
    must_ask(&rates, 2, 162, 306);
    play(w, "deaf R5 on");
    world_run_until(w, TEN_PAST + 70470000);
    assert_int_equal(move_now(w).copied_us, TEN_PAST + 66666667);
    assert_int_equal(move_now(w).caught_up, 800); /* 12 a second */
    assert_true(move_now(w).alike);
    uint64_t before = counted(w, 2);

    play(w, "fence 12067");
    world_run_until(w, TEN_PAST + 70500000);
    assert_int_equal(move_now(w).committed_us, TEN_PAST + 70483000);
    assert_int_equal(world_shard(w, 2).retried, 1); /* R3's flush, at .476 */
    rates_now(w, &rates);
    must_ask(&rates, 2, 150, 300);
    must_ask(&rates, 4, 12, 6);
    assert_int_equal(world_shard(w, 2).moved, 0);

    world_run_until(w, TEN_PAST + 70650000); /* R5's flush, at .643 */
    assert_int_equal(world_shard(w, 2).moved, 1);
    assert_int_equal(world_router(w, 5).map_version, 8);
    assert_true(counted(w, 4) > before);
    world_run_until(w, TEN_PAST + 75 * US_PER_SECOND);
    play(w, "cleanup 12067");
    world_run_until(w, TEN_PAST + 76 * US_PER_SECOND);
    play(w, "flow like likes:{p9} 0");
    world_run_until(w, TEN_PAST + 78 * US_PER_SECOND);
    assert_int_equal(counted(w, 4), 2400 * 81); /* every like since the start */
    assert_int_equal(counted(w, 2), 0);
    play_holds(w);
    world_free(w);
}

/* Tries of routers that have come to S2 and were told to wait. */
static uint64_t told_to_wait(const struct world *w)
{
    return world_shard(w, 2).retried;
}

/* Raw: the pause meets 148 requests; they wait, and nothing is lost. */
static void without_the_fixes_the_pause_meets_148_requests(void **state)
{
    (void)state;
    struct world *w = busy_world(false);
    play(w, "migrate 12067 S4 200000000 3000000");
    world_run_until(w, TEN_PAST + 70 * US_PER_SECOND);
    assert_true(move_now(w).caught_up > 159000); /* 200 times as many as with the fixes */
    uint32_t like = play_key(w, P9);
    play(w, "fence 12067");
    int64_t fenced = world_now(w);
    /* Before the first of them comes back, each is told once: 10 ms and the way to its router. */
    world_run_until(w, fenced + 10000);
    uint64_t first = told_to_wait(w);
    assert_in_range(first, 113, 115);
    world_run_until(w, fenced + 13000);
    uint64_t again = 0;
    for (uint64_t i = trace_first(w); i < trace_next(w); i++) {
        const struct trace_record *r = trace_get(w, i);
        again += r->kind == TRACE_ROUTE && r->operand[2] == 2 && r->arrive_us <= fenced + 13000;
    }
    assert_in_range(told_to_wait(w) - again, 147, 149);

    play(w, "flow like likes:{p9} 0");
    play(w, "flow read post:{p9} 0");
    world_run_until(w, world_now(w) + US_PER_SECOND);
    assert_true(world_all_quiet(w));
    assert_int_equal(world_lost(w, like), 0);
    assert_int_equal(world_value(w, 4, like), world_acked(w, like));
    play_holds(w);
    world_free(w);
}

/* Its last byte would come after the end of time. */
static void an_endless_copy_never_ends(void **state)
{
    (void)state;
    static const char *const orders[][2] = {
        {"migrate 12067 S4 1000000000000 1", "budget 1"},
        {"migrate 12067 S4 1000000000000 100MB", "budget 1"},
        {"migrate 12067 S4 999999999999 2", "abort 12067"},
    };
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        struct world *w = moving_world();
        play(w, orders[i][0]);
        world_run_until(w, world_now(w) + US_PER_SECOND);
        play(w, orders[i][1]);
        world_run_until(w, world_now(w) + 36500 * INT64_C(86400) * US_PER_SECOND);
        assert_true(move_now(w).ended || move_now(w).copied_us == MOVE_NEVER);
        play_holds(w);
        world_run_until(w, INT64_MAX);
        struct err err;
        assert_true(world_stopped(w, &err)); /* time has */
        world_free(w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(with_both_fixes_hardly_anybody_notices),
        cmocka_unit_test(without_the_fixes_the_pause_meets_148_requests),
        cmocka_unit_test(an_endless_copy_never_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
