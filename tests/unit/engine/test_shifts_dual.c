/*
 * Dual writes with a backfill: what goes wrong without versions, and that nothing does with them.
 */
#include "dual_play.h"

/* The backfill has read post:{p9}, and an edit comes before it writes. */
static struct world *backfill_meets_an_edit(const char *rule)
{
    struct world *w = dual_world();
    play(w, rule);
    play(w, "dual 12067 S4");
    play(w, "dual 12067 S4 backfill 20");
    world_run_until(w, world_now(w) + 1000);
    assert_int_equal(version(w, 4), 0);
    play(w, "request edit post:{p9} via R4");
    world_run_until(w, world_now(w) + 8000);
    assert_int_equal(version(w, 2), 5);
    assert_int_equal(version(w, 4), 5);
    world_run_until(w, world_now(w) + 10000);
    return w;
}

static void a_backfill_without_versions_takes_an_edit_back(void **state)
{
    (void)state;
    struct world *w = backfill_meets_an_edit("rule newer-only off");
    assert_int_equal(version(w, 2), 5);
    assert_int_equal(version(w, 4), 4);
    play_breaks(w, "never-older");
    world_free(w);
}

static void with_versions_the_backfill_is_refused(void **state)
{
    (void)state;
    struct world *w = backfill_meets_an_edit("rule newer-only on");
    assert_int_equal(version(w, 2), 5);
    assert_int_equal(version(w, 4), 5);
    run_and_hold(w, 300000);
    assert_int_equal(world_shift(w, 0).differ, 0);
    assert_true(world_shift(w, 0).filled);
    world_free(w);
}

/* R0 is far from S2 and S4, R4 near: R0's edit is first at S2, R4's is first at S4. */
static struct world *two_writers_race(const char *rule)
{
    struct world *w = dual_world();
    play(w, "dual 12067 S4");
    play(w, "dual 12067 S4 backfill 1000");
    run_and_hold(w, 200000);
    assert_int_equal(version(w, 4), 4);
    play(w, rule);
    play(w, "request edit post:{p9} via R0");
    world_run_until(w, world_now(w) + 400);
    play(w, "request edit post:{p9} via R4");
    world_run_until(w, world_now(w) + 50000);
    assert_true(world_all_answered(w));
    return w;
}

static void two_writers_without_versions_leave_the_shards_different(void **state)
{
    (void)state;
    struct world *w = two_writers_race("rule newer-only off");
    assert_int_equal(version(w, 2), 6);
    assert_int_equal(version(w, 4), 5);
    play_breaks(w, "never-older");
    world_free(w);
}

static void two_writers_with_versions_agree(void **state)
{
    (void)state;
    struct world *w = two_writers_race("rule newer-only on");
    assert_int_equal(version(w, 2), 6);
    assert_int_equal(version(w, 4), 6);
    play_holds(w);
    world_free(w);
}

static void in_parallel_a_version_is_drawn_before_both_are_asked(void **state)
{
    (void)state;
    struct world *w = dual_world();
    play(w, "dual 12067 S4 parallel");
    struct request_info one = play_request(w, "request edit post:{p9} via R0");
    assert_int_equal(one.outcome, OUTCOME_OK);
    assert_int_equal(one.value, 5);
    assert_int_equal(version(w, 2), 5);
    assert_int_equal(version(w, 4), 5);
    play(w, "dual 12067 S4"); /* one after the other again */
    struct request_info two = play_request(w, "request edit post:{p9} via R0");
    assert_int_equal(two.value, 6);
    assert_true(two.ended_us - two.issued_us > one.ended_us - one.issued_us);
    assert_int_equal(world_shift(w, 0).doubled, 2);
    play_holds(w);
    world_free(w);
}

static void reads_switch_when_both_are_alike_and_the_source_ends(void **state)
{
    (void)state;
    struct world *w = dual_world();
    play_refused(
        w, "dual 12067 S4 backfill 100",
        "slot 12067 is not written to both yet, and what is written after the backfill "
        "reads it would be missing at S4; dual 12067 S4 first (rule dual-before-backfill)");
    play(w, "dual 12067 S4");
    play_refused(
        w, "switch 12067 reads",
        "slot 12067 is not the same at both: post:{p9} is v4 at S2 and v0 at S4 (keys that "
        "differ: 4; rule compare-before-switch)");
    play(w, "dual 12067 S4 backfill 100");
    run_and_hold(w, 200000);
    play(w, "switch 12067 reads");
    play_holds(w);
    assert_int_equal(world_owner(w, 12067), 4);
    run_and_hold(w, 100000);
    struct request_info r = play_request(w, "request read post:{p9} via R1");
    assert_int_equal(r.shard, 4);
    assert_int_equal(r.asks, 1);
    r = play_request(w, "request edit post:{p9} via R1");
    assert_int_equal(r.shard, 4);
    assert_int_equal(version(w, 4), 5);
    assert_int_equal(version(w, 2), 5); /* still written, for the way back */
    play_refused(w, "dual 12067 stop",
                 "reads of slot 12067 go to S4 already; switch 12067 done ends it, switch 12067 "
                 "back takes them back");
    play(w, "switch 12067 done");
    play_holds(w);
    assert_int_equal(world_slot_row(w, 2, 12067).state, SLOT_MOVED);
    r = play_request(w, "request edit post:{p9} via R1");
    assert_int_equal(version(w, 4), 6);
    assert_int_equal(version(w, 2), 5);
    run_and_hold(w, 100000);
    world_free(w);
}

static void the_switch_finds_edits_under_way(void **state)
{
    (void)state;
    for (int64_t wait = 0; wait < 14000; wait += 250) {
        for (int parallel = 0; parallel < 2; parallel++) {
            struct world *w = dual_world();
            play(w, parallel == 0 ? "dual 12067 S4" : "dual 12067 S4 parallel");
            play(w, "dual 12067 S4 backfill 1000");
            play(w, "deaf R5 on");
            run_and_hold(w, 200000);
            play(w, "request edit post:{p9} via R0");
            run_and_hold(w, wait);
            struct command c;
            assert_true(command_parse("switch 12067 reads", &c, NULL));
            bool switched = world_apply(w, &c, NULL);
            play(w, "request edit post:{p9} via R5");
            run_and_hold(w, 100000);
            assert_true(world_all_answered(w));
            assert_int_equal(version(w, 2), version(w, 4));
            assert_int_equal(version(w, 4), 6);
            if (switched) {
                play(w, "switch 12067 done");
                run_and_hold(w, 100000);
            }
            world_free(w);
        }
    }
}

static void what_is_dropped_leaves_no_trace(void **state)
{
    (void)state;
    struct world *w = dual_world();
    play(w, "dual 12067 S4");
    play(w, "dual 12067 S4 backfill 1000");
    run_and_hold(w, 10000);
    play(w, "request edit post:{p9} via R0");
    run_and_hold(w, 6000); /* at S2 already, not yet at S4 */
    play(w, "dual 12067 stop");
    assert_true(world_run_until_answered(w, US_PER_SECOND));
    run_and_hold(w, 100000);
    assert_int_equal(world_shift(w, 0).kind, SHIFT_NONE);
    assert_int_equal(version(w, 2), 5);
    assert_int_equal(version(w, 4), 0);
    assert_int_equal(world_slot_row(w, 4, 12067).state, SLOT_ABSENT);
    struct request_info r = play_request(w, "request edit post:{p9} via R0");
    assert_int_equal(r.asks, 1);
    assert_int_equal(version(w, 2), 6);
    world_free(w);
}

static void a_count_keeps_reads_from_switching(void **state)
{
    (void)state;
    struct world *w = dual_world();
    play(w, "dual 12067 S4");
    struct request_info r = play_request(w, "request like likes:{p9} via R0");
    assert_int_equal(r.asks, 1);
    assert_int_equal(world_value(w, 4, play_key(w, "likes:{p9}")), 0);
    play(w, "dual 12067 S4 backfill 1000");
    run_and_hold(w, 200000);
    play_refused(w, "switch 12067 reads",
                 "likes:{p9} is a count: a like has no version, so it went to S2 alone, and reads "
                 "of slot 12067 cannot switch");
    world_free(w);
}

static void a_second_write_that_fails_is_seen_and_repaired(void **state)
{
    (void)state;
    struct world *w = dual_world();
    play(w, "dual 12067 S4");
    play(w, "dual 12067 S4 backfill 1000");
    run_and_hold(w, 200000);
    play(w, "crash S4 100");
    struct request_info r = play_request(w, "request edit post:{p9} via R0");
    assert_int_equal(r.outcome, OUTCOME_OK);
    assert_int_equal(world_shift(w, 0).failed, 1);
    assert_int_equal(version(w, 2), 5);
    assert_int_equal(version(w, 4), 4);
    play_refused(
        w, "switch 12067 reads",
        "slot 12067 is not the same at both: post:{p9} is v5 at S2 and v4 at S4 (keys that "
        "differ: 1; rule compare-before-switch)");
    run_and_hold(w, 500000);
    assert_int_equal(version(w, 4), 5);
    assert_int_equal(world_shift(w, 0).repaired, 1);
    play(w, "switch 12067 reads");
    play_holds(w);
    world_free(w);
}

static void a_router_that_dies_between_the_two_writes_is_made_good(void **state)
{
    (void)state;
    for (int64_t wait = 0; wait < 12000; wait += 500) {
        struct world *w = dual_world();
        play(w, "dual 12067 S4");
        play(w, "dual 12067 S4 backfill 1000");
        run_and_hold(w, 200000);
        play(w, "request edit post:{p9} via R0");
        run_and_hold(w, wait);
        play(w, "crash R0 20");
        run_and_hold(w, 500000);
        assert_true(world_all_answered(w));
        assert_int_equal(version(w, 2), version(w, 4));
        assert_int_equal(world_shift(w, 0).differ, 0);
        world_free(w);
    }
}

/* "Only where nothing is" keeps what an edit put there, also when the source went on alone. */
static void a_backfill_of_what_is_absent_makes_good_what_it_left(void **state)
{
    (void)state;
    struct world *w = dual_world();
    play(w, "ceiling S2 1 0 10"); /* S2 lets edits wait for their tokens */
    play_request(w, "request edit post:{p9} via R0");
    play(w, "request edit post:{p9} via R0"); /* v7, at S2 alone */
    run_and_hold(w, 1000);
    play(w, "dual 12067 S4 parallel");
    play(w, "request edit post:{p9} via R4"); /* v6, at S4 before S2 has v7 */
    play(w, "dual 12067 S4 backfill 1000 absent");
    run_and_hold(w, 3000000);
    assert_int_equal(version(w, 2), 7);
    assert_int_equal(version(w, 4), 7);
    assert_int_equal(world_shift(w, 0).repaired, 1);
    world_free(w);
}

/* --- rules off --- */

/* An edit is on its way to S2 alone while double writing begins. */
static struct world *edit_under_way(const char *rule)
{
    struct world *w = dual_world();
    play(w, rule);
    play(w, "ceiling S2 1 0 10"); /* S2 lets it wait for its token */
    play_request(w, "request edit post:{p9} via R0");
    play(w, "request edit post:{p9} via R0");
    world_run_until(w, world_now(w) + 1000);
    play(w, "dual 12067 S4");
    play(w, "dual 12067 S4 backfill 1000");
    return w;
}

static void the_backfill_waits_for_edits_that_go_to_the_source_alone(void **state)
{
    (void)state;
    struct world *w = edit_under_way("rule dual-before-backfill on");
    run_and_hold(w, 200000);
    assert_int_equal(world_shift(w, 0).there, 0); /* it waits */
    run_and_hold(w, 3000000);
    assert_int_equal(version(w, 2), version(w, 4));
    world_free(w);
    w = edit_under_way("rule dual-before-backfill off");
    world_run_until(w, world_now(w) + 3000000);
    assert_true(version(w, 2) > version(w, 4));
    play_breaks(w, "dual-alike");
    world_free(w);
}

static void without_dual_before_backfill_a_write_falls_between(void **state)
{
    (void)state;
    struct world *w = dual_world();
    play(w, "rule dual-before-backfill off");
    play(w, "dual 12067 S4 backfill 1000");
    run_and_hold(w, 200000);
    play_request(w, "request edit post:{p9} via R0");
    play(w, "dual 12067 S4");
    assert_int_equal(version(w, 2), 5);
    assert_int_equal(version(w, 4), 4);
    play_breaks(w, "dual-alike");
    world_free(w);
}

static void without_compare_before_switch_reads_go_to_what_is_old(void **state)
{
    (void)state;
    struct world *w = dual_world();
    play(w, "rule compare-before-switch off");
    play(w, "dual 12067 S4");
    play(w, "switch 12067 reads");
    play_breaks(w, "reads-newest");
    world_free(w);
}

/* --- random schedules --- */

static void random_step(struct world *w, struct prng *prng)
{
    static const char *const words[] = {
        "dual 35 S4",
        "dual 35 S4 parallel",
        "dual 35 S4 backfill 200",
        "dual 35 S4 backfill 1000 absent",
        "dual 35 S2",
        "dual 35 S2 backfill 500",
        "dual 35 stop",
        "switch 35 reads",
        "switch 35 done",
        "switch 35 back",
        "crash S4 30",
        "crash S2 20",
        "crash R3 20",
        "deaf R5 on",
        "deaf R5 off",
        "network loss 2% double 2% delay 2% 3",
        "network calm",
        "move 30-34 S4",
        "move 30-34 S2",
        "flow edit post:{p9} 0",
        "flow edit post:{p9} 200",
    };
    struct command c;
    struct err err = {{0}};
    uint64_t pick = prng_below(prng, sizeof words / sizeof words[0]);
    assert_true(command_parse(words[pick], &c, &err));
    (void)world_apply(w, &c, &err); /* it may be refused, never harm */
}

/* Every record that is kept has its words. */
static void say_all(const struct world *w)
{
    struct str out = STR_EMPTY;
    for (uint64_t i = trace_first(w); i < trace_next(w); i++) {
        const struct trace_record *r = trace_get(w, i);
        void (*const say[])(const struct world *w, const struct trace_record *r,
                            struct str *out) = {trace_say, trace_label, trace_why};
        for (size_t how = 0; how < 3; how++) {
            str_clear(&out);
            say[how](w, r, &out);
            assert_true(out.length > 0);
        }
    }
    str_free(&out);
}

static struct world *random_world(uint64_t seed)
{
    struct world_config c = play_config();
    c.seed = seed;
    c.slots = 64; /* p9 has 35, on S2 */
    c.shards = 5;
    c.apply_us = 12000;
    c.commit_us = 1000;
    c.timeout_us = 40000;
    c.client_timeout_us = 400000;
    c.recent_max = 250; /* more than come within the tries of one request */
    c.requests_max = 2048;
    c.events_max = 8192;
    c.changes_max = 1024;
    c.keys_max = 32;
    c.store_max = 256;
    return play_new(&c);
}

static void random_schedules_hold(void **state)
{
    (void)state;
    uint32_t moved = 0;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        struct prng prng = prng_seeded(seed, "test of shifts, dual writes");
        struct world *w = random_world(seed);
        play(w, "flow edit post:{p9} 100 poisson");
        play(w, "flow edit other:{p9} 30 poisson");
        play(w, "flow read post:{p9} 100 poisson");
        uint32_t epoch = world_epoch(w, 35);
        for (int i = 0; i < 40; i++) {
            run_and_hold(w, (int64_t)prng_below(&prng, 60000));
            random_step(w, &prng);
            play_holds(w);
        }
        moved += world_epoch(w, 35) - epoch;
        assert_false(world_stopped(w, NULL));
        say_all(w);
        play(w, "network calm");
        play(w, "flow edit post:{p9} 1"); /* whether it runs now or not */
        play(w, "flow edit post:{p9} 0");
        play(w, "flow edit other:{p9} 0");
        play(w, "flow read post:{p9} 0");
        run_and_hold(w, 3000000);
        assert_true(world_all_quiet(w));
        assert_true(world_shift(w, 0).differ == 0 || !world_shift(w, 0).filled);
        world_free(w);
    }
    assert_true(moved > 20);
}

static void commands_read_back_as_they_are_said(void **state)
{
    (void)state;
    static const char *const words[] = {
        "shift 12067 S4",         "shift 12067 S4 50",          "shift 12067 finish",
        "shift 12067 stop",       "shift size a%20b 300000000", "dual 12067 S4",
        "dual 12067 S4 parallel", "dual 12067 S4 backfill 100", "dual 12067 S4 backfill 100 absent",
        "dual 12067 stop",        "switch 12067 reads",         "switch 12067 done",
        "switch 12067 back",
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        struct command c;
        struct err err = {{0}};
        assert_true(command_parse(words[i], &c, &err));
        struct str said = STR_EMPTY;
        command_say(&c, &said);
        assert_string_equal(str_text(&said), words[i]);
        str_free(&said);
    }
    struct command c;
    struct err err = {{0}};
    assert_false(command_parse("switch 12067 writes", &c, &err));
    assert_string_equal(
        err.text, "\"writes\" is not reads, done or back; write: switch SLOT reads|done|back");
    struct world *w = dual_world();
    play_refused(w, "switch 12067 reads", "slot 12067 is not written twice");
    play_refused(w, "dual 12067 S2", "S2 owns slot 12067 already");
    play_refused(w, "dual 12067-12068 S4", "one slot at a time goes this way, not 12067-12068");
    play_refused(w, "dual 12067 S9", "no shard S9: this world has S0 to S4");
    play_refused(w, "shift 20000 S4",
                 "no slots 20000-20000: this world has 0 to 16383, the smaller number first");
    play_refused(w, "shift size nobody 5", "nobody has used the key nobody yet, so it has no size");
    world_free(w);
}

static void a_dual_write_reads_as_a_story(void **state)
{
    (void)state;
    struct world *w = dual_world();
    play(w, "dual 12067 S4");
    uint64_t from = trace_next(w);
    play_request(w, "request edit post:{p9} via R4");
    play_expect(w, from,
                "20:00:00.065500  client c -> R4  edit post:{p9}\n"
                "20:00:00.065750  R4 -> S2  edit post:{p9} (slot 12067, as map version 8 says)\n"
                "20:00:00.066000  S2  stores post:{p9} v5 over v4\n"
                "20:00:00.066000  S2 -> R4  OK, the edit is stored\n"
                "20:00:00.071250  R4 -> S4  the same edit: post:{p9} v5\n"
                "20:00:00.071500  S4  stores post:{p9} v5, where there was nothing\n"
                "20:00:00.071500  S4 -> R4  OK, the edit is stored\n"
                "20:00:00.076750  R4 -> client c  OK, the edit is stored, v5 at both shards\n");
    world_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_backfill_without_versions_takes_an_edit_back),
        cmocka_unit_test(with_versions_the_backfill_is_refused),
        cmocka_unit_test(two_writers_without_versions_leave_the_shards_different),
        cmocka_unit_test(two_writers_with_versions_agree),
        cmocka_unit_test(in_parallel_a_version_is_drawn_before_both_are_asked),
        cmocka_unit_test(reads_switch_when_both_are_alike_and_the_source_ends),
        cmocka_unit_test(the_switch_finds_edits_under_way),
        cmocka_unit_test(what_is_dropped_leaves_no_trace),
        cmocka_unit_test(a_count_keeps_reads_from_switching),
        cmocka_unit_test(a_second_write_that_fails_is_seen_and_repaired),
        cmocka_unit_test(a_router_that_dies_between_the_two_writes_is_made_good),
        cmocka_unit_test(a_backfill_of_what_is_absent_makes_good_what_it_left),
        cmocka_unit_test(the_backfill_waits_for_edits_that_go_to_the_source_alone),
        cmocka_unit_test(without_dual_before_backfill_a_write_falls_between),
        cmocka_unit_test(without_compare_before_switch_reads_go_to_what_is_old),
        cmocka_unit_test(commands_read_back_as_they_are_said),
        cmocka_unit_test(a_dual_write_reads_as_a_story),
        cmocka_unit_test(random_schedules_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
