/*
 * What others may see of a move: its tail by position, its records, what it promises.
 */
#include "move_play.h"

#include "engine/shifts/shifts.h"
#include "engine/state.h"

static struct slot_promise promise(const struct world *w)
{
    return moves_promise(w, SLOT);
}

static void expect_holder(const struct world *w, uint16_t shard, uint64_t writes)
{
    struct slot_promise p = promise(w);
    assert_int_equal(p.accepting, 1);
    assert_int_equal(p.accepts[0], shard);
    assert_int_equal(p.holder, shard);
    assert_int_equal(p.writes, writes);
    assert_int_equal(p.lacking + p.older, 0);
}

/* The tail, oldest first, with positions that follow each other; the fence is one of them. */
static void the_tail_by_position(void **state)
{
    (void)state;
    struct world *w = moving_world();
    struct move_entry entry[8];
    likes(w, 3, "request like likes:{p9} via R0");
    move_until_copied(w, "migrate 12067 S4 1000 1000000");
    struct move_info m = move_now(w);
    assert_int_equal(moves_tail(w, &m, 0, entry, 8), 0);
    play(w, "crash S4 50");
    likes(w, 2, "request like likes:{p9} via R0");
    likes(w, 1, "request edit post:{p9} via R0");
    m = move_now(w);
    assert_int_equal(m.tail, 3);
    assert_int_equal(moves_tail(w, &m, 0, entry, 8), 3);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(entry[i].number, m.applied + 1 + i);
    }
    assert_int_equal(entry[0].key, play_key(w, P9));
    assert_int_equal(entry[0].value, 4);
    assert_int_equal(entry[1].value, 5);
    assert_int_equal(entry[2].key, play_key(w, "post:{p9}"));
    assert_int_equal(entry[2].edits, 1);
    assert_int_equal(moves_tail(w, &m, 2, entry, 8), 1);
    assert_int_equal(entry[0].edits, 1);
    assert_int_equal(moves_tail(w, &m, 0, entry, 1), 1);
    run_holding(w, world_now(w) + US_PER_SECOND);
    play(w, "fence 12067");
    m = move_now(w);
    assert_int_equal(moves_tail(w, &m, 0, entry, 8), 1);
    assert_int_equal(entry[0].key, KEY_NONE_ID);
    assert_int_equal(entry[0].number, m.fence);
    assert_int_equal(entry[0].appended_us, world_now(w));
    world_free(w);
}

/* What comes back behind the commit is counted from there. */
static void the_stream_by_position(void **state)
{
    (void)state;
    struct world *w = moving_world();
    struct move_entry entry[8];
    likes(w, 2, "request like likes:{p9} via R0");
    move_until_copied(w, "migrate 12067 S4 1000 1000000 reverse");
    play(w, "fence 12067");
    run_holding(w, world_now(w) + 100000);
    play(w, "crash S2 50");
    likes(w, 2, "request like likes:{p9} via R0");
    struct move_info m = move_now(w);
    assert_true(m.reverse && !m.back);
    assert_int_equal(m.stream_end, 2);
    assert_int_equal(moves_tail(w, &m, 0, entry, 8), m.stream_end - m.stream_applied);
    assert_int_equal(entry[0].number, m.stream_applied + 1);
    assert_int_equal(entry[0].value, 3);
    run_holding(w, world_now(w) + US_PER_SECOND);
    play(w, "rollback 12067");
    assert_true(move_now(w).back);
    world_free(w);
}

/* Each stage leads to its last record. */
static void stages_have_their_records(void **state)
{
    (void)state;
    struct world *w = moving_world();
    uint64_t at = 0;
    likes(w, 1, "request like likes:{p9} via R0");
    move_until_copied(w, "migrate 12067 S4 1000 1000000");
    struct move_info m = move_now(w);
    for (int stage = MOVE_COPY; stage <= MOVE_COMPARE; stage++) {
        assert_true(moves_record(w, &m, (enum move_stage)stage, &at));
        assert_int_equal(trace_get(w, at)->slot, SLOT);
    }
    assert_false(moves_record(w, &m, MOVE_FENCE, &at));
    play(w, "fence 12067");
    run_holding(w, world_now(w) + 100000);
    m = move_now(w);
    assert_true(moves_record(w, &m, MOVE_COMMIT, &at));
    assert_int_equal(trace_get(w, at)->time_us, m.committed_us);
    assert_true(moves_record(w, &m, MOVE_CLOSE, &at));
    assert_int_equal(trace_get(w, at)->time_us, m.closed_us);
    assert_false(moves_record(w, &m, MOVE_OUT, &at));
    assert_false(moves_record(w, &m, MOVE_CLEANUP, &at));
    play(w, "cleanup 12067");
    m = move_now(w);
    assert_true(moves_record(w, &m, MOVE_CLEANUP, &at));
    world_free(w);
}

static void one_accepts_and_holds_all(void **state)
{
    (void)state;
    struct world *w = moving_world();
    expect_holder(w, 2, 0);
    likes(w, 3, "request like likes:{p9} via R0");
    likes(w, 2, "request edit post:{p9} via R0");
    expect_holder(w, 2, 5);
    assert_int_equal(promise(w).edits, 2);
    move_until_copied(w, "migrate 12067 S4 1000 1000000");
    expect_holder(w, 2, 5);
    play(w, "fence 12067");
    struct slot_promise p = promise(w);
    assert_int_equal(p.accepting, 0);
    assert_int_equal(p.holder, 2);
    assert_int_equal(p.lacking, 0);
    run_holding(w, world_now(w) + 100000);
    likes(w, 1, "request like likes:{p9} via R0");
    expect_holder(w, 4, 6);
    play(w, "crash S4 50");
    assert_int_equal(promise(w).accepting, 0);
    assert_int_equal(promise(w).holder, 4);
    world_free(w);
}

/* Without a fence S2 accepts on, and what it accepts never comes. */
static void two_accept_and_one_lacks(void **state)
{
    (void)state;
    struct world *w = moving_world();
    likes(w, 2, "request like likes:{p9} via R0");
    move_until_copied(w, "migrate 12067 S4 1000 1000000");
    play(w, "rule fence off");
    play(w, "fence 12067");
    play(w, "request like likes:{p9} via R0");
    play(w, "request edit post:{p9} via R0");
    bool two = false;
    for (int64_t end = world_now(w) + 50000, next; world_next_time(w, &next) && next < end;) {
        assert_true(world_step(w));
        two |= promise(w).accepting == 2;
    }
    assert_true(two);
    struct slot_promise p = promise(w);
    assert_int_equal(p.accepting, 1);
    assert_int_equal(p.holder, 4);
    assert_int_equal(p.writes, 4);
    assert_int_equal(p.lacking, 2);
    assert_int_equal(p.told, 1);
    assert_int_equal(moves_lacking(w, play_key(w, P9)), world_lost(w, play_key(w, P9)));
    assert_int_equal(moves_lacking(w, play_key(w, "post:{p9}")), 1);
    world_free(w);
}

/* Who does not look into its table takes what it is sent; who is not asked does not count. */
static void who_does_not_look_accepts(void **state)
{
    (void)state;
    struct world *w = moving_world();
    likes(w, 1, "request like likes:{p9} via R0");
    play(w, "rule slot-table-check off");
    expect_holder(w, 2, 1);
    play(w, "deaf R5 on");
    play(w, "move 12067-12067 S4");
    world_run_until(w, world_now(w) + 50000);
    struct slot_promise p = promise(w);
    assert_int_equal(p.accepting, 2);
    assert_int_equal(p.accepts[0], 2);
    assert_int_equal(p.accepts[1], 4);
    assert_int_equal(p.holder, 4);
    play(w, "rule slot-table-check on");
    assert_int_equal(promise(w).accepting, 1);
    world_free(w);
}

static void a_target_that_does_not_wait_accepts(void **state)
{
    (void)state;
    struct world *w = moving_world();
    likes(w, 1, "request like likes:{p9} via R0");
    move_until_copied(w, "migrate 12067 S4 1000 1000000");
    play(w, "rule target-waits-for-commit off");
    assert_int_equal(promise(w).accepting, 2);
    world_free(w);
}

/* Key by key each key has one place, and all of them together hold everything. */
static void by_key(void **state)
{
    (void)state;
    struct world *w = moving_world();
    likes(w, 3, "request like likes:{p9} via R0");
    likes(w, 2, "request like comments:{p9} via R0");
    play(w, "shift 12067 S4 10");
    world_run_until(w, world_now(w) + 50000);
    struct slot_promise p = promise(w);
    assert_true(p.by_key);
    assert_int_equal(p.writes, 5);
    assert_int_equal(p.lacking, 0);
    assert_true(moves_held(w, 4, play_key(w, P9)).there);
    assert_false(moves_held(w, 2, play_key(w, P9)).there);
    world_free(w);
}

/* Likes that came in flushes count as likes; a flush that went to the old owner is missed. */
static void flushes(void **state)
{
    (void)state;
    struct world *w = moving_world();
    play(w, "writes likes:{p9} summed");
    likes(w, 4, "request like likes:{p9} via R0");
    world_run_until(w, world_now(w) + 3 * US_PER_SECOND);
    struct slot_promise p = promise(w);
    assert_true(p.summed);
    assert_int_equal(p.writes, 4);
    assert_int_equal(p.lacking + p.older, 0);
    move_until_copied(w, "migrate 12067 S4 1000 1000000");
    play(w, "rule fence off");
    play(w, "rule slot-table-check off");
    play(w, "deaf R0 on");
    play(w, "fence 12067");
    world_run_until(w, world_now(w) + 100000);
    likes(w, 2, "request like likes:{p9} via R0");
    world_run_until(w, world_now(w) + 3 * US_PER_SECOND);
    p = promise(w);
    assert_int_equal(p.holder, 4);
    assert_int_equal(p.writes, 6);
    assert_int_equal(p.lacking, 2);
    assert_int_equal(p.older, 1);
    world_free(w);
}

static void accounts_are_not_counted(void **state)
{
    (void)state;
    struct world *w = moving_world();
    play(w, "account likes:{p9} 0 0");
    assert_true(promise(w).uncounted);
    world_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_tail_by_position),
        cmocka_unit_test(the_stream_by_position),
        cmocka_unit_test(stages_have_their_records),
        cmocka_unit_test(one_accepts_and_holds_all),
        cmocka_unit_test(two_accept_and_one_lacks),
        cmocka_unit_test(who_does_not_look_accepts),
        cmocka_unit_test(a_target_that_does_not_wait_accepts),
        cmocka_unit_test(by_key),
        cmocka_unit_test(flushes),
        cmocka_unit_test(accounts_are_not_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
