/*
 * The live move: copy, tail, compare, fence, flip, cleanup; and the ways back.
 */
#include "move_play.h"

#include "engine/state.h"

/* The story's move, with R3's write meeting the fence and R5 deaf to the news. */
static void the_storys_move_pauses_for_thirteen_ms(void **state)
{
    (void)state;
    struct world *w = moving_world();
    likes(w, 3, "request like likes:{p9} via R0");
    play(w, "deaf R5 on");
    world_run_until(w, TEN_PAST + US_PER_SECOND);
    play(w, "migrate 12067 S4 200000000 3000000");
    world_run_until(w, TEN_PAST + 60 * US_PER_SECOND);
    assert_int_equal(move_now(w).copied_bytes, 177000000);
    likes(w, 2, "request like likes:{p9} via R1");
    run_holding(w, TEN_PAST + 69 * US_PER_SECOND);

    struct move_info m = move_now(w);
    assert_int_equal(m.copied_us - m.begun_us, 66666667);
    assert_int_equal(m.snapshot_position, 3);
    assert_int_equal(m.caught_up, 2);
    assert_true(m.alike);
    assert_int_equal(row_at(w, 4), SLOT_RECEIVING);
    assert_int_equal(row_at(w, 2), SLOT_OWNED);
    assert_int_equal(world_value(w, 4, play_key(w, P9)), 5);

    run_holding(w, TEN_PAST + 70470000);
    uint64_t from = trace_next(w);
    play(w, "fence 12067");
    world_run_until(w, TEN_PAST + 70475250);
    play(w, "request like likes:{p9} via R3");
    run_holding(w, TEN_PAST + 70500000);
    play_expect(
        w, from,
        "20:11:10.470000  operator -> S2  slot 12067: stop serving it, so that it can change "
        "hands\n"
        "20:11:10.470000  S2  log: slot 12067 migrating, epoch 7; nobody serves it until epoch 8 "
        "comes\n"
        "20:11:10.475250  client b -> R3  like likes:{p9}\n"
        "20:11:10.475500  R3 -> S2  like likes:{p9} (slot 12067, as map version 7 says)\n"
        "20:11:10.476000  S2 -> R3  migrating, retry: slot 12067 is on its way to another shard\n"
        "20:11:10.476500  R3  waits 10 ms, then asks again\n"
        "20:11:10.482000  S2 -> S4  the fence of slot 12067 (entry 3) applied, 12 ms after it was "
        "set\n"
        "20:11:10.483000  directory  commit: map version 8, slot 12067 from S2 to S4, epoch 8\n"
        "20:11:10.483000  S4  slot table: slot 12067 owned, epoch 8\n"
        "20:11:10.483000  directory -> R0  news: the map is now version 8\n"
        "20:11:10.483000  directory -> R1  news: the map is now version 8\n"
        "20:11:10.483000  directory -> R2  news: the map is now version 8\n"
        "20:11:10.483000  directory -> R3  news: the map is now version 8\n"
        "20:11:10.483000  directory -> R4  news: the map is now version 8\n"
        "20:11:10.483000  directory -> R5  news: the map is now version 8 (not heard, it keeps "
        "version 7)\n"
        "20:11:10.483250  S2  slot table: slot 12067 moved to S4, epoch 8, for ever\n"
        "20:11:10.486500  R3 -> S4  like likes:{p9} (slot 12067, as map version 8 says)\n"
        "20:11:10.487000  S4 -> R3  OK, the counter is 6\n"
        "20:11:10.492500  R3 -> client b  OK, the counter is 6 (R3 asked 2 times)\n");
    m = move_now(w);
    assert_int_equal(m.drained_us - m.fenced_us, 12000);
    assert_int_equal(m.committed_us - m.fenced_us, 13000);

    from = trace_next(w);
    struct request_info r = play_request(w, "request like likes:{p9} via R5");
    assert_int_equal(r.outcome, OUTCOME_OK);
    assert_int_equal(r.value, 7);
    assert_int_equal(r.reloads, 1);
    assert_int_equal(r.asks, 2);
    assert_int_equal(world_router(w, 5).map_version, 8);
    play_holds(w);
    world_free(w);
}

static void a_read_and_a_write_in_the_pause_wait_and_succeed(void **state)
{
    (void)state;
    struct world *w = moving_world();
    move_until_copied(w, "migrate 12067 S4 1000 10000");
    play(w, "fence 12067");
    struct request_info r = play_request(w, "request read likes:{p9} via R2");
    assert_int_equal(r.outcome, OUTCOME_OK);
    assert_true(r.retries >= 1);
    /* The first 10 ms are not enough, the next 20 are. */
    assert_int_equal(r.retries, 2);
    assert_int_equal(r.shard, 4);
    play_holds(w);
    world_free(w);
}

static void the_source_keeps_its_copy_until_the_cleanup(void **state)
{
    (void)state;
    struct world *w = moving_world();
    likes(w, 4, "request like likes:{p9} via R0");
    uint32_t key = play_key(w, P9);
    move_until_copied(w, "migrate 12067 S4 1000 10000");
    play_refused(w, "cleanup 12067",
                 "slot 12067 is tailing; S2's copy is deleted after both slot tables say so");
    play(w, "fence 12067");
    run_holding(w, world_now(w) + 50000);
    likes(w, 1, "request like likes:{p9} via R0");
    assert_int_equal(world_value(w, 2, key), 4);
    assert_int_equal(world_shard(w, 2).keys, 1);
    play(w, "cleanup 12067");
    play_holds(w);
    assert_int_equal(world_value(w, 2, key), 0);
    assert_int_equal(world_shard(w, 2).keys, 0);
    assert_int_equal(world_value(w, 4, key), 5);
    assert_int_equal(row_at(w, 2), SLOT_MOVED); /* for ever */
    assert_true(move_now(w).ended);
    play_refused(w, "cleanup 12067",
                 "slot 12067 is not on its way; begin with: migrate 12067 S4 BYTES RATE");

    /* And it can come back, to where deleted keys were. */
    move_until_copied(w, "migrate 12067 S2 1000 10000");
    play(w, "fence 12067");
    run_holding(w, world_now(w) + 50000);
    assert_int_equal(world_value(w, 2, key), 5);
    assert_int_equal(world_shard(w, 2).keys, 1);
    assert_int_equal(world_epoch(w, SLOT), 9);
    likes(w, 1, "request like likes:{p9} via R3");
    play_holds(w);
    world_free(w);
}

/* At any time before the commit: the source has everything, and what is on its way is ignored. */
static void an_abort_before_the_commit_loses_nothing(void **state)
{
    (void)state;
    static const int64_t after_us[] = {10000, 99000, 120000, 151000, 155000, 162500, 163900};
    for (size_t i = 0; i < sizeof after_us / sizeof *after_us; i++) {
        struct world *w = moving_world();
        play(w, "flow like likes:{p9} 400");
        world_run_until(w, TEN_PAST + 50000);
        play(w, "migrate 12067 S4 1000 10000");
        int64_t begun = world_now(w);
        run_holding(w, begun + (after_us[i] < 151000 ? after_us[i] : 151000));
        if (after_us[i] >= 151000) {
            play(w, "fence 12067");
            run_holding(w, begun + after_us[i]);
        }
        uint64_t from = trace_next(w);
        play(w, "abort 12067");
        struct str prose = play_prose(w, from);
        assert_non_null(strstr(str_text(&prose), "the move of slot 12067 is dropped (it was "));
        str_free(&prose);
        play_holds(w);
        assert_int_equal(row_at(w, 2), SLOT_OWNED);
        assert_int_equal(row_at(w, 4), SLOT_ABSENT);
        assert_int_equal(world_map_version(w), 7);
        run_holding(w, begun + 400000);
        play(w, "flow like likes:{p9} 0");
        run_holding(w, begun + 600000);
        assert_true(world_all_quiet(w));
        assert_int_equal(world_acked(w, play_key(w, P9)), world_value(w, 2, play_key(w, P9)));
        assert_int_equal(world_value(w, 4, play_key(w, P9)), 0);
        assert_int_equal(world_shard(w, 4).keys, 0);
        world_free(w);
    }
}

static void after_the_commit_only_a_move_back_is_allowed(void **state)
{
    (void)state;
    struct world *w = moving_world();
    likes(w, 2, "request like likes:{p9} via R0");
    move_until_copied(w, "migrate 12067 S4 1000 10000");
    play_refused(w, "rollback 12067",
                 "slot 12067 has not been moved to where it is by a move that committed, so there "
                 "is nothing to roll back");
    play(w, "fence 12067");
    run_holding(w, world_now(w) + 50000);
    play_refused(w, "abort 12067",
                 "the directory has committed: S4 has slot 12067 and may have accepted writes "
                 "(rule abort-before-commit); go back with: rollback 12067");
    likes(w, 3, "request like likes:{p9} via R4");
    play(w, "rollback 12067");
    assert_int_equal(row_at(w, 2), SLOT_RECEIVING);
    run_holding(w, world_now(w) + 150000);
    struct move_info m = move_now(w);
    assert_int_equal(m.source, 4);
    assert_int_equal(m.target, 2);
    assert_int_equal(m.copied_us - m.begun_us, 100000); /* the same copy once more */
    play(w, "fence 12067");
    run_holding(w, world_now(w) + 50000);
    assert_int_equal(world_owner(w, SLOT), 2);
    assert_int_equal(world_epoch(w, SLOT), 9);
    assert_int_equal(world_value(w, 2, play_key(w, P9)), 5);
    play_holds(w);
    world_free(w);
}

static void with_a_stream_back_a_rollback_needs_no_copy(void **state)
{
    (void)state;
    struct world *w = moving_world();
    likes(w, 2, "request like likes:{p9} via R0");
    uint32_t key = play_key(w, P9);
    move_until_copied(w, "migrate 12067 S4 1000 10000 reverse");
    play(w, "fence 12067");
    run_holding(w, world_now(w) + 50000);
    assert_true(move_now(w).reverse);
    likes(w, 3, "request like likes:{p9} via R4");
    assert_int_equal(world_value(w, 4, key), 5);
    run_holding(w, world_now(w) + 20000);
    assert_int_equal(world_value(w, 2, key), 5); /* kept as new as the target's */
    play(w, "request like likes:{p9} via R4");
    run_holding(w, world_now(w) + 2000); /* its entry is still under way */
    play(w, "rollback 12067");
    assert_int_equal(move_now(w).copied_us, world_now(w));
    assert_int_equal(move_now(w).tail, 1);
    play(w, "fence 12067");
    run_holding(w, world_now(w) + 13001);
    assert_int_equal(world_owner(w, SLOT), 2);
    run_holding(w, world_now(w) + 50000);
    assert_int_equal(world_value(w, 2, key), 6);
    likes(w, 1, "request like likes:{p9} via R1");
    play_holds(w);

    /* The way back has its own stream; the cleanup ends it. */
    assert_true(move_now(w).reverse);
    play(w, "cleanup 12067");
    assert_false(move_now(w).reverse);
    assert_int_equal(world_value(w, 4, key), 0);
    likes(w, 1, "request like likes:{p9} via R1");
    play_holds(w);
    world_free(w);
}

static void copies_share_the_budget_evenly(void **state)
{
    (void)state;
    struct world *w = moving_world();
    play_refused(w, "migrate 12067 S4 1000",
                 "how fast may it be copied? Give a rate in bytes a second, or all copies together "
                 "a budget");
    play(w, "budget 1000000");
    play(w, "migrate 12067 S4 1000000");
    world_run_until(w, TEN_PAST + 500000);
    play(w, "migrate 11819 S4 1000000");
    play(w, "migrate 11951 S4 100000 100000");
    /* Half is left of the first, at a third of the speed; the third asks for no more than 100,000.
     */
    assert_int_equal(move_now(w).speed, 333333);
    struct move_info other;
    assert_true(moves_info_of(w, 11951, &other));
    assert_int_equal(other.speed, 100000);
    play_refused(w, "budget 0",
                 "slot 12067 is being copied and has no rate of its own; it needs a budget until "
                 "it is there");
    run_holding(w, TEN_PAST + 5 * US_PER_SECOND);
    assert_true(moves_info_of(w, 11951, &other));
    assert_int_equal(other.copied_us, TEN_PAST + 1500000);
    /* 1 s at 333,333; the rest, 166,667, at half of the budget. */
    assert_int_equal(move_now(w).copied_us, TEN_PAST + 1500000 + 333334);
    assert_true(moves_info_of(w, 11819, &other));
    assert_int_equal(other.copied_us, TEN_PAST + 1833334 + 500000);
    play_holds(w);
    world_free(w);
}

static void a_new_budget_changes_copies_under_way(void **state)
{
    (void)state;
    struct world *w = moving_world();
    play(w, "migrate 12067 S4 1000000 1000000");
    world_run_until(w, TEN_PAST + 250000);
    play(w, "budget 500000");
    assert_int_equal(move_now(w).copied_bytes, 250000);
    world_run_until(w, TEN_PAST + 750000);
    assert_int_equal(move_now(w).copied_bytes, 500000);
    play(w, "budget 0");
    run_holding(w, TEN_PAST + 3 * US_PER_SECOND);
    assert_int_equal(move_now(w).copied_us, TEN_PAST + 1250000);
    world_free(w);
}

static void the_tail_holds_so_many_entries_and_no_more(void **state)
{
    (void)state;
    struct world_config c = moving_config();
    c.tail_max = 4;
    struct world *w = play_new(&c);
    play(w, "shard add");
    play(w, "flow like likes:{p9} 300");
    play(w, "migrate 12067 S4 1000 10000");
    run_holding(w, TEN_PAST + 101000); /* while bytes flow, entries need no place */
    assert_true(move_now(w).caught_up >= 29);
    run_holding(w, TEN_PAST + 200000); /* 12 ms of 300 a second fit */
    assert_int_equal(move_now(w).phase, MOVE_TAILING);
    play(w, "flow like likes:{p9} 1000");
    uint64_t from = trace_next(w);
    run_holding(w, TEN_PAST + 300000);
    struct str prose = play_prose(w, from);
    assert_non_null(strstr(str_text(&prose),
                           "the move of slot 12067 is dropped (it was tailing): more than 4 "
                           "entries wait, and the log no longer reaches back that far"));
    str_free(&prose);
    assert_int_equal(move_now(w).phase, MOVE_ABORTED);
    assert_int_equal(row_at(w, 2), SLOT_OWNED);
    play_holds(w);
    world_free(w);
}

/* A source goes on where it was; a target that dies with half a copy begins again. */
static void a_crash_makes_a_copy_wait_or_begin_again(void **state)
{
    (void)state;
    struct world *w = moving_world();
    likes(w, 2, "request like likes:{p9} via R0");
    int64_t begun = world_now(w);
    play(w, "migrate 12067 S4 1000000 1000000");
    run_holding(w, begun + 400000);
    play(w, "crash S2 300");
    run_holding(w, begun + 600000);
    assert_int_equal(move_now(w).copied_bytes, 400000);
    assert_int_equal(move_now(w).speed, 0);
    run_holding(w, begun + 1200000);
    assert_int_equal(move_now(w).copied_bytes, 900000);
    play(w, "crash S4 100");
    likes(w, 1, "request like likes:{p9} via R0");
    run_holding(w, begun + 1400000);
    assert_int_equal(move_now(w).copied_bytes, 100000);
    run_holding(w, begun + 2400000);
    assert_int_equal(move_now(w).copied_us, begun + 2300000);
    assert_int_equal(move_now(w).snapshot_position, 3);
    assert_true(move_now(w).alike);
    world_free(w);
}

/* The fence is in the log, and so is what is before it: the commit comes after the restart. */
static void a_crash_behind_the_fence_makes_the_pause_longer(void **state)
{
    (void)state;
    static const char *const crash[] = {"crash S2 50", "crash S4 50"};
    for (int i = 0; i < 2; i++) {
        struct world *w = moving_world();
        move_until_copied(w, "migrate 12067 S4 1000 10000");
        play(w, "request like likes:{p9} via R4");
        run_holding(w, world_now(w) + 7000); /* answered, its entry still on the way */
        play(w, "fence 12067");
        run_holding(w, world_now(w) + 1000);
        play(w, crash[i]);
        run_holding(w, world_now(w) + 40000);
        assert_int_equal(move_now(w).phase, MOVE_FENCED);
        run_holding(w, world_now(w) + 60000);
        struct move_info m = move_now(w);
        assert_int_equal(m.committed_us - m.fenced_us, 1000 + 50000 + 12000 + 1000);
        assert_int_equal(play_request(w, "request read likes:{p9} via R1").value, 1);
        play_holds(w);
        world_free(w);
    }
}

static void what_cannot_be_is_refused_in_a_sentence(void **state)
{
    (void)state;
    struct world *w = moving_world();
    play_refused(w, "migrate 12067 S2 1000 10", "S2 owns slot 12067 already");
    play_refused(w, "migrate 12067-12068 S4 1000 10",
                 "one slot moves at a time; give each of 12067-12068 its own move");
    play_refused(w, "migrate 12067 S7 1000 10", "no shard S7: this world has S0 to S4");
    play_refused(w, "migrate 12067 S4 1000000000001 10",
                 "a slot has 0 to 1000000000000 bytes here");
    play_refused(w, "fence 12067",
                 "slot 12067 is not on its way; begin with: migrate 12067 S4 BYTES RATE");
    play(w, "freeze 12067 S2 on");
    play_refused(w, "migrate 12067 S4 1000 10",
                 "slot 12067 is \"migrating\" at S2; end that first");
    play(w, "freeze 12067 S2 off");
    play(w, "migrate 12067 S4 1000 1000");
    play_refused(w, "fence 12067",
                 "the copy of slot 12067 is not complete yet; the fence comes after it");
    play_refused(w, "migrate 12067 S3 1000 10",
                 "slot 12067 is on its way from S2 to S4; end that first: abort 12067");
    play_refused(w, "move 12000-12100 S1",
                 "slot 12067 is on its way to another shard; end that first: abort 12067");
    play_refused(w, "freeze 12067 S2 on",
                 "slot 12067 is on its way to another shard; end that first: abort 12067");
    run_holding(w, TEN_PAST + 1100000);
    play(w, "fence 12067");
    play_refused(w, "fence 12067", "slot 12067 is fenced already");
    play_refused(w, "freeze 12067 S2 off",
                 "slot 12067 is on its way to another shard; end that first: abort 12067");
    run_holding(w, TEN_PAST + 1200000);
    play_refused(w, "fence 12067", "slot 12067 is committed already");
    for (int i = 0; i < 3; i++) {
        static const char *const more[] = {"migrate 1 S4 1 1", "migrate 2 S4 1 1",
                                           "migrate 3 S4 1 1"};
        play(w, more[i]);
    }
    play_refused(w, "migrate 4 S4 1 1",
                 "this world has room for 4 moves at a time, all taken; finish one");
    play(w, "abort 2");
    play(w, "migrate 4 S4 1 1");
    play_holds(w);
    world_free(w);
}

/* The operator's shortcut takes the slot on; what the finished move left is nobody's business. */
static void another_move_ends_a_finished_one(void **state)
{
    (void)state;
    struct world *w = moving_world();
    move_until_copied(w, "migrate 12067 S4 1000 10000 reverse");
    play(w, "fence 12067");
    run_holding(w, world_now(w) + 50000);
    play(w, "move 12067 S2");
    assert_true(move_now(w).ended);
    likes(w, 2, "request like likes:{p9} via R1");
    play_refused(w, "cleanup 12067",
                 "slot 12067 is not on its way; begin with: migrate 12067 S4 BYTES RATE");
    play_holds(w);
    world_free(w);
}

static void commands_read_back_to_the_same(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "migrate 12067 S4 200000000 3000000",
        "migrate 12067 S4 200000000",
        "migrate 12067 S4 200000000 reverse",
        "migrate 12067 S4 200000000 3000000 reverse",
        "fence 12067",
        "cleanup 12067",
        "abort 12067",
        "rollback 12067",
        "budget 3000000",
        "budget 0",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct command c;
        struct err err = {{0}};
        struct str out = STR_EMPTY;
        assert_true(command_parse(texts[i], &c, &err));
        command_say(&c, &out);
        assert_string_equal(str_text(&out), texts[i]);
        str_free(&out);
    }
    struct command c;
    struct err err = {{0}};
    assert_false(command_parse("migrate 12067 S4", &c, &err));
    assert_string_equal(err.text, "the size in bytes is missing; write: migrate SLOT S4 BYTES "
                                  "[RATE] [reverse]");
}

/* Each record says what happened and why. */
static void every_step_can_be_said_and_explained(void **state)
{
    (void)state;
    struct world *w = moving_world();
    likes(w, 1, "request like likes:{p9} via R1");
    uint64_t from = trace_next(w);
    play(w, "migrate 12067 S4 1000 10000");
    run_holding(w, TEN_PAST + 110000 + 20000);
    play_expect(w, from,
                "20:10:00.006500  operator -> S4  shall take over slot 12067 while it is being "
                "used: 1,000 bytes\n"
                "20:10:00.006500  S4  slot table: slot 12067 receiving from S2, not in service\n"
                "20:10:00.006500  S2 -> S4  slot 12067, as it stood at log position 1: 1,000 bytes "
                "at 10,000 a second; what is written from position 2 on follows\n"
                "20:10:00.106500  S2 -> S4  slot 12067: all 1,000 bytes are there after 100 ms, "
                "and 0 entries written meanwhile; from now on the tail follows one by one\n"
                "20:10:00.106500  S2 -> S4  slot 12067 compared at entry 0: both sides are the "
                "same\n");
    play(w, "budget 5");
    play(w, "fence 12067");
    run_holding(w, world_now(w) + 50000);
    play(w, "rollback 12067");
    play(w, "abort 12067");
    for (uint64_t i = from; i < trace_next(w); i++) {
        struct str text = STR_EMPTY;
        struct str label = STR_EMPTY;
        trace_why(w, trace_get(w, i), &text);
        trace_label(w, trace_get(w, i), &label);
        assert_true(strlen(str_text(&text)) > 20);
        assert_true(strlen(str_text(&label)) > 2);
        str_free(&text);
        str_free(&label);
    }
    world_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_storys_move_pauses_for_thirteen_ms),
        cmocka_unit_test(a_read_and_a_write_in_the_pause_wait_and_succeed),
        cmocka_unit_test(the_source_keeps_its_copy_until_the_cleanup),
        cmocka_unit_test(an_abort_before_the_commit_loses_nothing),
        cmocka_unit_test(after_the_commit_only_a_move_back_is_allowed),
        cmocka_unit_test(with_a_stream_back_a_rollback_needs_no_copy),
        cmocka_unit_test(copies_share_the_budget_evenly),
        cmocka_unit_test(a_new_budget_changes_copies_under_way),
        cmocka_unit_test(the_tail_holds_so_many_entries_and_no_more),
        cmocka_unit_test(a_crash_makes_a_copy_wait_or_begin_again),
        cmocka_unit_test(a_crash_behind_the_fence_makes_the_pause_longer),
        cmocka_unit_test(what_cannot_be_is_refused_in_a_sentence),
        cmocka_unit_test(another_move_ends_a_finished_one),
        cmocka_unit_test(commands_read_back_to_the_same),
        cmocka_unit_test(every_step_can_be_said_and_explained),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
