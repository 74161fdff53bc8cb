/*
 * Dual writes: the way back. Reads switch to the new shard, and return while both are written.
 */
#include "dual_play.h"

/* The way back: both are written after the switch too, so S2 has all. */
static void reads_go_back_to_the_source(void **state)
{
    (void)state;
    struct world *w = dual_world();
    play(w, "dual 12067 S4");
    play(w, "dual 12067 S4 backfill 1000");
    run_and_hold(w, 200000);
    play_refused(w, "switch 12067 back", "reads of slot 12067 have not switched: S2 answers them");
    for (uint32_t round = 0; round < 2; round++) {
        play(w, "switch 12067 reads");
        run_and_hold(w, 100000);
        play_request(w, "request edit post:{p9} via R1");
        assert_int_equal(version(w, 2), version(w, 4));
        uint64_t from = trace_next(w);
        play(w, "switch 12067 back");
        play_holds(w);
        assert_int_equal(world_owner(w, 12067), 2);
        assert_int_equal(world_slot_row(w, 2, 12067).state, SLOT_OWNED);
        assert_int_equal(world_slot_row(w, 4, 12067).state, SLOT_ARRIVING);
        struct str said = STR_EMPTY;
        trace_say(w, trace_get(w, from), &said);
        assert_non_null(strstr(str_text(&said), "reads of slot 12067 switch back from S4 to S2; "
                                                "edits still go to both"));
        str_free(&said);
        run_and_hold(w, 100000);
        struct request_info r = play_request(w, "request read post:{p9} via R1");
        assert_int_equal(r.shard, 2);
        assert_int_equal(r.asks, 1);
        r = play_request(w, "request edit post:{p9} via R1");
        assert_int_equal(r.shard, 2);
        assert_int_equal(version(w, 2), 6 + 2 * round);
        assert_int_equal(version(w, 4), 6 + 2 * round);
    }
    play(w, "dual 12067 stop"); /* it goes nowhere: as if nothing had been */
    play_holds(w);
    assert_int_equal(version(w, 4), 0);
    assert_int_equal(version(w, 2), 8);
    world_free(w);
}

/* S2 was down when an edit came, and may not answer before it has that. */
static void reads_do_not_go_back_to_what_is_old(void **state)
{
    (void)state;
    for (int with = 0; with < 2; with++) {
        struct world *w = dual_world();
        play(w, "dual 12067 S4");
        play(w, "dual 12067 S4 backfill 1000");
        run_and_hold(w, 200000);
        play(w, "switch 12067 reads");
        run_and_hold(w, 100000);
        play(w, "crash S2 100");
        play_request(w, "request edit post:{p9} via R0");
        if (with == 0) {
            play(w, "rule compare-before-switch off");
            play(w, "switch 12067 back");
            assert_int_equal(world_owner(w, 12067), 2);
            assert_int_equal(version(w, 2), 4); /* and v5 had been acknowledged */
        } else {
            play_refused(w, "switch 12067 back",
                         "slot 12067 is not the same at both: post:{p9} is v4 at S2 and v5 at S4 "
                         "(keys that differ: 1; rule compare-before-switch)");
            run_and_hold(w, 500000);
            play(w, "switch 12067 back");
            assert_int_equal(version(w, 2), 5);
            play_holds(w);
        }
        world_free(w);
    }
}

/* A like goes to the owner alone: after the switch that is S4. */
static void a_count_keeps_reads_from_going_back(void **state)
{
    (void)state;
    struct world *w = dual_world();
    play(w, "dual 12067 S4");
    play(w, "dual 12067 S4 backfill 1000");
    run_and_hold(w, 200000);
    play(w, "switch 12067 reads");
    run_and_hold(w, 100000);
    play_request(w, "request like likes:{p9} via R0");
    play_refused(w, "switch 12067 back",
                 "likes:{p9} is a count: a like has no version, so it went to S4 alone, and reads "
                 "of slot 12067 cannot switch");
    world_free(w);
}

static void the_way_back_finds_edits_under_way(void **state)
{
    (void)state;
    unsigned went = 0;
    for (int64_t wait = 0; wait < 14000; wait += 250) {
        for (int parallel = 0; parallel < 2; parallel++) {
            struct world *w = dual_world();
            play(w, parallel == 0 ? "dual 12067 S4" : "dual 12067 S4 parallel");
            play(w, "dual 12067 S4 backfill 1000");
            run_and_hold(w, 200000);
            play(w, "switch 12067 reads");
            run_and_hold(w, 100000);
            play(w, "deaf R5 on");
            play(w, "request edit post:{p9} via R0");
            run_and_hold(w, wait);
            struct command c;
            assert_true(command_parse("switch 12067 back", &c, NULL));
            went += world_apply(w, &c, NULL);
            play(w, "request edit post:{p9} via R5");
            run_and_hold(w, 100000);
            assert_true(world_all_answered(w));
            assert_int_equal(version(w, 2), version(w, 4));
            assert_int_equal(version(w, 4), 6);
            world_free(w);
        }
    }
    assert_in_range(went, 2, 111); /* at some instants both are alike, at some they are not */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_go_back_to_the_source),
        cmocka_unit_test(reads_do_not_go_back_to_what_is_old),
        cmocka_unit_test(a_count_keeps_reads_from_going_back),
        cmocka_unit_test(the_way_back_finds_edits_under_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
