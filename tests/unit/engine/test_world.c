/*
 * The world as a value: what it refuses to be, copies, clock, and the end of its capacities.
 */
#include "play.h"

static void refused(struct world_config c, const char *sentence)
{
    struct err err = {{0}};
    assert_null(world_new(&c, &err));
    assert_string_equal(err.text, sentence);
}

static void an_impossible_configuration_is_refused_with_what_is_allowed(void **state)
{
    (void)state;
    struct world_config c = world_config_default();
    c.slots = 0;
    refused(c, "a world cannot have slots 0; give a number from 1 to 65536");
    c.slots = 65537;
    refused(c, "a world cannot have slots 65537; give a number from 1 to 65536");
    c = world_config_default();
    c.shards = 0;
    refused(c, "a world cannot have shards 0; give a number from 1 to 8");
    c.shards = 9;
    refused(c, "a world cannot have shards 9; give a number from 1 to 8");
    c = world_config_default();
    c.slots = 3;
    refused(c, "4 shards cannot share 3 slots; give at least one slot a shard");
    c = world_config_default();
    c.routers = 0;
    refused(c, "a world cannot have routers 0; give a number from 1 to 4096");
    c = world_config_default();
    c.zones = 5;
    refused(c, "a world cannot have zones 5; give a number from 1 to 4");
    c = world_config_default();
    c.router_zone[1] = 1;
    refused(c, "a world of 1 zones has no zone number 1");
    c = world_config_default();
    c.directory_zone = 2;
    refused(c, "a world cannot have directory zone 2; give a number from 0 to 0");
    c = world_config_default();
    c.delay_us[0][0] = 600000001;
    refused(c, "a world cannot have a delay of 600000001; give a number from 0 to 600000000");
    c = world_config_default();
    c.trace_max = 1000;
    refused(c, "trace_max is 1000, which is no power of two");
    c = world_config_default();
    c.start_us = INT64_MAX;
    refused(c, "a world cannot have a start of 9223372036854775807; give a number from 0 to "
               "72057594037927936");
    c = world_config_default();
    c.delay_us[0][0] = -1;
    assert_null(world_new(&c, NULL));
}

static void the_smallest_world_works(void **state)
{
    (void)state;
    struct world_config c = world_config_default();
    c.slots = 1;
    c.shards = 1;
    c.shards_max = 1;
    c.routers = 1;
    c.keys_max = 1;
    c.store_max = 1;
    c.requests_max = 1;
    c.events_max = 1;
    c.trace_max = 1;
    c.rows_max = 1;
    c.changes_max = 1;
    c.flows_max = 1;
    struct world *w = play_new(&c);
    struct request_info r = play_request(w, "request like anything via R0");
    assert_int_equal(r.outcome, OUTCOME_OK);
    assert_int_equal(r.value, 1);
    assert_int_equal(r.ended_us, 0); /* no delays: all in one microsecond */
    r = play_request(w, "request like anything via R0");
    assert_int_equal(r.value, 2);
    struct request_info first;
    assert_false(world_request(w, 1, &first)); /* forgotten for the second */
    play_refused(w, "request like other via R0",
                 "this world has room for 1 keys and has met as many; use one of them");
    play_refused(w, "move 0 S0", "S0 owns all of slots 0-0 already");
    play_holds(w);
    world_free(w);
}

static void slots_are_dealt_in_even_ranges(void **state)
{
    (void)state;
    struct world_config c = world_config_default();
    c.slots = 10;
    c.shards = 4;
    struct world *w = play_new(&c);
    static const uint16_t owners[] = {0, 0, 0, 1, 1, 1, 2, 2, 3, 3};
    for (uint32_t slot = 0; slot < 10; slot++) {
        assert_int_equal(world_owner(w, slot), owners[slot]);
        assert_int_equal(world_slot_row(w, owners[slot], slot).state, SLOT_OWNED);
    }
    play_holds(w);
    world_free(w);
}

static void busy(struct world *w)
{
    play(w, "flow like likes:{p9} 300 poisson");
    play(w, "flow read post:{p9} 200 scattered");
    play(w, "flow edit post:{p1} 50");
    play(w, "deaf R4 on");
    play(w, "ceiling S2 200 300 5");
    world_run_until(w, EIGHT_PM + 20000);
    play(w, "move 12000-12100 S0");
    play(w, "freeze 0-100 S0 on");
}

static void a_copy_goes_on_like_its_original_from_any_event(void **state)
{
    (void)state;
    struct world *w = play_world();
    struct world *copy = world_copy(w);
    busy(w);
    for (int i = 0; i < 300; i++) {
        world_copy_into(copy, w);
        assert_true(digest_equal(world_digest(w), world_digest(copy)));
        struct world *other = world_copy(w);
        for (int k = 0; k < 40; k++) {
            assert_true(world_step(copy));
            assert_true(world_step(other));
        }
        assert_true(digest_equal(world_digest(other), world_digest(copy)));
        world_free(other);
        assert_true(world_step(w));
    }
    world_free(copy);
    world_free(w);
}

static void two_runs_of_one_seed_agree_and_of_two_do_not(void **state)
{
    (void)state;
    struct digest digests[3];
    for (int i = 0; i < 3; i++) {
        struct world_config c = play_config();
        c.seed = i == 2 ? 2 : 1;
        struct world *w = play_new(&c);
        busy(w);
        world_run_until(w, EIGHT_PM + US_PER_SECOND);
        digests[i] = world_digest(w);
        world_free(w);
    }
    assert_true(digest_equal(digests[0], digests[1]));
    assert_false(digest_equal(digests[0], digests[2]));
}

static void running_by_steps_or_by_time_is_the_same(void **state)
{
    (void)state;
    struct world *a = play_world();
    struct world *b = play_world();
    busy(a);
    busy(b);
    world_run_until(a, EIGHT_PM + 500000);
    int64_t time;
    while (world_next_time(b, &time) && time < EIGHT_PM + 500000) {
        assert_true(world_step(b));
        assert_int_equal(world_now(b), time);
    }
    world_run_until(b, EIGHT_PM + 500000);
    assert_true(digest_equal(world_digest(a), world_digest(b)));
    assert_int_equal(world_now(a), EIGHT_PM + 500000);
    world_run_until(a, EIGHT_PM); /* the past: nothing happens */
    assert_int_equal(world_now(a), EIGHT_PM + 500000);
    world_free(a);
    world_free(b);
}

static void run_until_stops_before_its_time_not_at_it(void **state)
{
    (void)state;
    struct world *w = play_world();
    play(w, "request read x via R0");
    world_run_until(w, EIGHT_PM + 250); /* the router hears of it at 250 exactly */
    assert_int_equal(world_events(w), 0);
    world_run_until(w, EIGHT_PM + 251);
    assert_int_equal(world_events(w), 1);
    assert_false(world_all_quiet(w));
    assert_false(world_run_until_answered(w, 100));
    assert_int_equal(world_now(w), EIGHT_PM + 351);
    assert_true(world_run_until_answered(w, US_PER_SECOND));
    assert_false(world_step(w));
    assert_true(world_all_quiet(w));
    world_free(w);
}

static void requests_are_remembered_as_long_as_there_is_room(void **state)
{
    (void)state;
    struct world_config c = play_config();
    c.requests_max = 4;
    struct world *w = play_new(&c);
    struct request_info r;
    for (uint64_t i = 1; i <= 10; i++) {
        play_request(w, "request like x via R0");
        assert_int_equal(world_last_request(w), i);
        for (uint64_t k = 1; k <= i; k++) {
            assert_int_equal(world_request(w, k, &r), k + 4 > i);
        }
    }
    assert_int_equal(r.number, 10);
    assert_true(r.done);
    assert_false(world_request(w, 0, &r));
    assert_false(world_request(w, 11, &r));
    world_free(w);
}

static void requests_of_a_flow_are_forgotten_when_they_end(void **state)
{
    (void)state;
    struct world *w = play_world();
    struct request_info r;
    play(w, "flow like x 1");
    assert_true(world_step(w));
    assert_true(world_request(w, 1, &r));
    assert_false(r.done);
    world_run_until(w, EIGHT_PM + 500000);
    assert_false(world_request(w, 1, &r));
    assert_int_equal(world_last_request(w), 0);
    assert_int_equal(world_acked(w, play_key(w, "x")), 1);
    world_free(w);
}

static void stopped_with(struct world *w, const char *sentence)
{
    struct err err = {{0}};
    world_run_until(w, EIGHT_PM + 2 * US_PER_SECOND);
    assert_true(world_stopped(w, &err));
    assert_string_equal(err.text, sentence);
    assert_false(world_step(w));
    int64_t now = world_now(w);
    world_run_until(w, EIGHT_PM + 9 * US_PER_SECOND);
    assert_int_equal(world_now(w), now);
    play_refused(w, "shard add", sentence);
    world_free(w);
}

static void out_of_room_inside_a_run_stops_the_world_with_a_sentence(void **state)
{
    (void)state;
    struct world_config c = play_config();
    c.requests_max = 8;
    struct world *w = play_new(&c);
    play(w, "flow like x 10000");
    stopped_with(w, "the world stopped at 20:00:00.000: it has room for 8 requests in flight; ask "
                    "for less");

    c = play_config();
    c.events_max = 8;
    w = play_new(&c);
    play(w, "flow like x 10000");
    stopped_with(w, "the world stopped at 20:00:00.000: it has room for 8 waiting events; ask for "
                    "less");

    c = play_config();
    c.store_max = 2;
    w = play_new(&c);
    play(w, "flow like x 10");
    play(w, "flow like y 10");
    play(w, "flow like z 10");
    stopped_with(w, "the world stopped at 20:00:00.062: its shards have room for 2 counters; use "
                    "fewer keys");
}

static void out_of_room_at_a_command_is_refused(void **state)
{
    (void)state;
    struct world_config c = play_config();
    c.requests_max = 2;
    struct world *w = play_new(&c);
    play(w, "request like x via R0");
    play(w, "request like x via R0");
    play_refused(w, "request like x via R0",
                 "this world has room for 2 requests in flight, all taken; run it first");
    assert_true(world_run_until_answered(w, US_PER_SECOND));
    play(w, "request like x via R0");
    world_free(w);

    c = play_config();
    c.events_max = 2;
    w = play_new(&c);
    play(w, "request like x via R0");
    play(w, "flow like x 1");
    const char *full = "this world has room for 2 waiting events, too few now; run it first";
    play_refused(w, "request like x via R0", full);
    play_refused(w, "flow like y 1", full);
    play_refused(w, "reload R0", full);
    play_refused(w, "move 0 S1", full); /* news for six routers */
    play(w, "flow like x 2");           /* takes the place of its own arrival */
    world_free(w);

    c = play_config();
    c.flows_max = 1;
    w = play_new(&c);
    play(w, "flow like x 1");
    play_refused(w, "flow read x 1", "this world has room for 1 flows, all taken; end one first");
    play(w, "flow like x 0");
    play(w, "flow read x 1");
    world_free(w);
}

static void the_clock_has_an_end(void **state)
{
    (void)state;
    struct world_config c = play_config();
    c.start_us = (INT64_C(1) << 56) - 1000;
    struct world *w = play_new(&c);
    struct err err;
    play(w, "request like x via R0");
    assert_false(world_run_until_answered(w, INT64_MAX));
    assert_true(world_stopped(w, &err));
    assert_string_equal(err.text,
                        "the world stopped: its clock goes no further than 72057594037 seconds");
    world_free(w);
    w = play_world();
    world_run_until(w, INT64_MAX);
    assert_true(world_stopped(w, NULL));
    world_free(w);
}

static void epochs_and_versions_have_an_end(void **state)
{
    (void)state;
    struct world_config c = play_config();
    c.epoch = UINT32_MAX;
    struct world *w = play_new(&c);
    play_refused(w, "move 5 S3", "slot 5 is at its last epoch and cannot move again");
    world_free(w);
    c = play_config();
    c.map_version = UINT32_MAX;
    w = play_new(&c);
    play_refused(w, "move 5 S3", "the map is at its last version and cannot change again");
    world_free(w);
}

static void the_trace_window_is_no_part_of_the_identity(void **state)
{
    (void)state;
    struct digest digests[2];
    for (uint32_t i = 0; i < 2; i++) {
        struct world_config c = play_config();
        c.trace_max = i == 0 ? 1 : 4096;
        struct world *w = play_new(&c);
        busy(w);
        world_run_until(w, EIGHT_PM + 300000);
        digests[i] = world_digest(w);
        assert_int_equal(trace_next(w) - trace_first(w),
                         i == 0 ? 1 : trace_next(w) - trace_first(w));
        assert_null(trace_get(w, trace_next(w)));
        assert_null(trace_get(w, 0));
        assert_non_null(trace_get(w, trace_first(w)));
        assert_null(trace_get(w, trace_first(w) - 1));
        world_free(w);
    }
    assert_true(digest_equal(digests[0], digests[1]));
}

/* In small helpings the world comes to the same end, and is never past where it was asked to be. */
static void some_events_at_a_time_are_the_same_run(void **state)
{
    (void)state;
    struct world *whole = play_world(), *parts = play_world();
    struct world *worlds[] = {whole, parts};
    for (size_t i = 0; i < 2; i++) {
        play(worlds[i], "flow like likes:{p9} 5000 poisson");
        play(worlds[i], "request read a via R0 from a");
    }
    int64_t end = EIGHT_PM + US_PER_SECOND;
    assert_true(world_run_until_answered(whole, US_PER_SECOND));
    size_t helpings = 0;
    for (; !world_run_some_answered(parts, end, 7); helpings++) {
        assert_false(world_all_answered(parts));
        assert_true(world_events(parts) == 7 * (helpings + 1));
    }
    assert_true(helpings > 2 && world_all_answered(parts));
    assert_true(digest_equal(world_digest(whole), world_digest(parts)));
    world_run_until(whole, end);
    assert_false(world_run_some(parts, end, 7));
    assert_true(world_now(parts) < end);
    while (!world_run_some(parts, end, 1000)) {
    }
    assert_int_equal(world_now(parts), end);
    assert_true(digest_equal(world_digest(whole), world_digest(parts)));
    world_free(whole);
    world_free(parts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_impossible_configuration_is_refused_with_what_is_allowed),
        cmocka_unit_test(the_smallest_world_works),
        cmocka_unit_test(slots_are_dealt_in_even_ranges),
        cmocka_unit_test(a_copy_goes_on_like_its_original_from_any_event),
        cmocka_unit_test(two_runs_of_one_seed_agree_and_of_two_do_not),
        cmocka_unit_test(running_by_steps_or_by_time_is_the_same),
        cmocka_unit_test(run_until_stops_before_its_time_not_at_it),
        cmocka_unit_test(requests_are_remembered_as_long_as_there_is_room),
        cmocka_unit_test(requests_of_a_flow_are_forgotten_when_they_end),
        cmocka_unit_test(out_of_room_inside_a_run_stops_the_world_with_a_sentence),
        cmocka_unit_test(out_of_room_at_a_command_is_refused),
        cmocka_unit_test(the_clock_has_an_end),
        cmocka_unit_test(epochs_and_versions_have_an_end),
        cmocka_unit_test(the_trace_window_is_no_part_of_the_identity),
        cmocka_unit_test(some_events_at_a_time_are_the_same_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
