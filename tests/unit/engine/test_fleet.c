/*
 * The fleet of routers: capacity, gossip of the map, the loss of a zone.
 */
#include "play.h"

#include "engine/fleet/fleet.h"
#include "engine/state.h"
#include <stdio.h>

static void pass(struct world *w, int64_t ms)
{
    world_run_until(w, world_now(w) + ms * US_PER_MS);
    play_holds(w);
}

static void a_router_refuses_what_is_beyond_its_capacity(void **state)
{
    (void)state;
    struct world *w = play_world();
    play(w, "capacity 100");
    play(w, "flow read post:{p1} 900 steady");
    pass(w, 1000); /* the saved-up tenth of a second goes */
    play(w, "capacity 100");
    pass(w, 2000);
    struct fleet_info f = world_fleet(w);
    uint64_t taken = 0;
    for (uint16_t i = 0; i < 6; i++) {
        struct fleet_router_info r = world_fleet_router(w, i);
        assert_int_equal(r.taken + r.refused, 300);
        assert_in_range(r.taken, 199, 201);
        assert_int_equal(r.rate, 150);
        assert_in_range(r.refused_rate, 49, 51);
        taken += r.taken;
    }
    assert_int_equal(f.refused + taken, 1800);
    assert_int_equal(f.capacity, 100);
    play(w, "capacity 0");
    pass(w, 1000);
    assert_int_equal(world_fleet(w).refused, 0);
    world_free(w);
}

static void a_refusal_never_reaches_a_shard(void **state)
{
    (void)state;
    struct world *w = play_world();
    play(w, "capacity 1");
    struct request_info first = play_request(w, "request read post:{p9} via R0");
    uint64_t from = trace_next(w);
    struct request_info second = play_request(w, "request read post:{p9} via R0");
    assert_int_equal(first.outcome, OUTCOME_OK);
    assert_int_equal(second.outcome, OUTCOME_SHED);
    play_expect(w, from,
                "20:00:00.006500  client a -> R0  read post:{p9}\n"
                "20:00:00.006750  R0 -> client a  503: R0 turns it away, it serves 1 a second\n");
    assert_int_equal(world_shard(w, 2).served_reads, 1);
    world_free(w);
}

/* --- gossip --- */

static void the_directory_tells_one_and_that_one_the_others(void **state)
{
    (void)state;
    struct world *w = play_world();
    play(w, "gossip 200 from R2");
    pass(w, 1000);
    assert_true(world_fleet(w).told >= 24);
    assert_int_equal(world_fleet(w).news, 0);
    uint64_t from = trace_next(w);
    play(w, "move 12067 S0");
    pass(w, 1);
    assert_int_equal(world_fleet(w).knowing, 1);
    assert_int_equal(world_router(w, 2).map_version, 8);
    pass(w, 2000);
    struct fleet_info f = world_fleet(w);
    assert_int_equal(f.knowing, 6);
    assert_int_equal(f.news, 5); /* each of the others learnt once */
    assert_int_equal(f.newest, 8);
    bool told = false;
    for (uint64_t at = from; at < trace_next(w); at++) {
        const struct trace_record *r = trace_get(w, at);
        assert_true(r->kind != TRACE_MAP || r->to.index == 2);
        told = told || r->reason == REASON_FLEET_LEARNS;
    }
    assert_true(told);
    from = trace_next(w);
    pass(w, 1000);
    assert_int_equal(trace_next(w), from); /* nothing new, nothing told of */
    play(w, "gossip off");
    play(w, "move 12067 S1");
    pass(w, 5);
    assert_int_equal(world_fleet(w).knowing, 6);
    world_free(w);
}

static void who_is_told_of_an_older_map_answers_with_its_own(void **state)
{
    (void)state;
    struct world_config c = play_config();
    c.routers = 2;
    struct world *w = play_new(&c);
    play(w, "gossip 1000 from R0");
    play(w, "move 12067 S0");
    pass(w, 1100);
    assert_int_equal(world_fleet(w).knowing, 2);
    bool answered = false;
    for (uint64_t at = 1; at < trace_next(w); at++) {
        answered = answered || trace_get(w, at)->reason == REASON_FLEET_ANSWERS;
    }
    struct str out = play_prose(w, 1);
    assert_non_null(strstr(str_text(&out), answered ? "mine is newer, here is version 8"
                                                    : "gossip: I have map version 8"));
    str_free(&out);
    world_free(w);
}

static void a_deaf_router_does_not_hear(void **state)
{
    (void)state;
    struct world *w = play_world();
    play(w, "gossip 100");
    play(w, "deaf R3 on");
    play(w, "move 12067 S0");
    pass(w, 3000);
    assert_int_equal(world_fleet(w).knowing, 5);
    assert_int_equal(world_router(w, 3).map_version, 7);
    play(w, "deaf R3 off");
    pass(w, 1000);
    assert_int_equal(world_fleet(w).knowing, 6);
    world_free(w);
}

static void gossip_that_is_lost_comes_again(void **state)
{
    (void)state;
    struct world *w = play_world();
    play(w, "gossip 100");
    play(w, "patience 20");
    play(w, "network loss 50%");
    play(w, "move 12067 S0");
    pass(w, 5000);
    assert_int_equal(world_fleet(w).knowing, 6);
    world_free(w);
}

/* Four times as many routers take about one round more to learn of it than half as many did, and
 * not four times as long. */
static int64_t until_all_know(uint16_t routers, uint64_t seed)
{
    struct world_config c = world_config_default();
    c.seed = seed;
    c.routers = routers;
    c.events_max = 8192;
    c.map_version = 7;
    struct world *w = play_new(&c);
    play(w, "gossip 1000");
    pass(w, 2000);
    play(w, "move 1 S1");
    int64_t from = world_now(w);
    while (world_fleet(w).knowing < routers) {
        world_run_until(w, world_now(w) + 10000);
        assert_true(world_now(w) < from + 60 * US_PER_SECOND);
    }
    int64_t took = world_now(w) - from;
    play_holds(w);
    world_free(w);
    return took;
}

static void the_time_grows_with_the_logarithm_of_the_fleet(void **state)
{
    (void)state;
    int64_t few = 0, many = 0;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        few += until_all_know(16, seed);
        many += until_all_know(256, seed);
    }
    assert_in_range(few / 8, 1500000, 4000000);
    assert_in_range(many / 8, few / 8 + 1000000, 2 * few / 8 + 2000000);
}

/* --- a zone is lost --- */

static void a_lost_zone_loads_the_others_evenly(void **state)
{
    (void)state;
    struct world *w = play_world();
    play(w, "capacity 1000");
    play(w, "flow read post:{p1} 600 steady");
    play(w, "flow read post:{p2} 600 poisson");
    pass(w, 1000);
    play(w, "zone a down 500");
    pass(w, 100);
    play(w, "capacity 1000");
    pass(w, 10000);
    for (uint16_t i = 0; i < 6; i++) {
        struct fleet_router_info r = world_fleet_router(w, i);
        if (i < 2) {
            assert_int_equal(r.taken, 0);
            assert_true(r.with_zone);
        } else {
            assert_in_range(r.taken, 2850, 3150);
        }
    }
    assert_int_equal(world_fleet(w).up, 4);
    assert_int_equal(world_fleet(w).zones_down, 1);
    world_free(w);
}

static void leaders_of_a_lost_zone_are_led_from_the_next(void **state)
{
    (void)state;
    struct world *w = play_world();
    uint64_t from = trace_next(w);
    play(w, "zone b down 1000");
    assert_true(world_shard(w, 1).down && world_shard(w, 3).down);
    assert_false(world_shard(w, 0).down || world_shard(w, 2).down);
    struct request_info lost = play_request(w, "request read user:1 via R0"); /* slot 10778: S2 */
    assert_int_equal(lost.outcome, OUTCOME_OK);
    pass(w, 500);
    assert_true(world_shard(w, 1).down);
    pass(w, 500);
    assert_false(world_shard(w, 1).down || world_shard(w, 3).down);
    assert_int_equal(world_zone(w, node_of(NODE_SHARD, 1)), 2);
    play(w, "zone b up");
    pass(w, 10);
    assert_int_equal(world_fleet(w).up, 6);
    assert_int_equal(world_zone(w, node_of(NODE_SHARD, 1)), 2);
    struct str out = play_prose(w, from);
    assert_non_null(strstr(str_text(&out), "S1  goes down with zone b, without a leader for 1 s"));
    assert_non_null(strstr(str_text(&out), "S1  is led from zone c now, was from zone b"));
    assert_non_null(strstr(str_text(&out), "R2  is back with zone b"));
    str_free(&out);
    world_free(w);
}

static void a_zone_that_is_back_at_once_keeps_its_leaders(void **state)
{
    (void)state;
    struct world *w = play_world();
    play(w, "zone b down 1000");
    pass(w, 300);
    play(w, "zone b up");
    assert_false(world_shard(w, 1).down);
    pass(w, 2000);
    assert_int_equal(world_zone(w, node_of(NODE_SHARD, 1)), 1);
    world_free(w);
}

static void what_died_before_stays_away_with_its_zone(void **state)
{
    (void)state;
    struct world *w = play_world();
    play(w, "crash R2 200");
    play(w, "crash S1 200");
    play(w, "crash S3 3000");
    pass(w, 10);
    play(w, "zone b down 1000");
    pass(w, 500);
    assert_true(world_router(w, 2).down && world_shard(w, 1).down);
    pass(w, 1000); /* the failover is over */
    assert_true(world_router(w, 2).down);
    assert_false(world_shard(w, 1).down);
    assert_true(world_shard(w, 3).down);
    pass(w, 2000); /* S3 comes back, led from elsewhere */
    assert_false(world_shard(w, 3).down);
    assert_int_equal(world_zone(w, node_of(NODE_SHARD, 3)), 2);
    play(w, "zone b up");
    assert_false(world_router(w, 2).down);
    world_free(w);
}

static void with_no_zone_left_everything_waits_for_one(void **state)
{
    (void)state;
    struct world *w = play_world();
    play(w, "zone a down 500");
    play(w, "zone b down 500");
    play(w, "zone c down 500");
    pass(w, 2000);
    assert_int_equal(world_fleet(w).up, 0);
    assert_true(world_shard(w, 0).down);
    assert_int_equal(play_request(w, "request read post:{p9} via R0").outcome, OUTCOME_FAILED);
    play(w, "zone c up");
    pass(w, 10);
    for (uint16_t i = 0; i < 4; i++) {
        assert_false(world_shard(w, i).down);
        assert_int_equal(world_zone(w, node_of(NODE_SHARD, i)), 2);
    }
    assert_int_equal(world_fleet(w).up, 2);
    world_free(w);
}

static void what_is_impossible_is_refused_in_a_sentence(void **state)
{
    (void)state;
    struct world *w = play_world();
    play_refused(w, "zone d down", "no zone d: this world has a to c");
    play_refused(w, "zone a up", "zone a is up already");
    play_refused(w, "zone a down 0", "a failover takes more than 0 and at most 600000 ms");
    play_refused(w, "gossip 0", "routers gossip once in 1 to 3600000 ms");
    play_refused(w, "gossip 100 from R6", "no router R6: this world has R0 to R5");
    play_refused(w, "capacity 1000001", "a router serves 0 (no end) to 1000000 requests a second");
    play(w, "zone a down");
    play_refused(w, "zone a down", "zone a is down already");
    world_free(w);
}

static void commands_read_back_as_they_are_said(void **state)
{
    (void)state;
    static const char *const said[] = {"capacity 2500",    "gossip 200 from R3", "gossip off",
                                       "zone a down 3000", "zone b down 1500.5", "zone c up"};
    for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
        struct command c;
        struct err err = {{0}};
        struct str out = STR_EMPTY;
        assert_true(command_parse(said[i], &c, &err));
        command_say(&c, &out);
        assert_string_equal(str_text(&out), said[i]);
        str_free(&out);
    }
}

static void every_record_can_be_explained(void **state)
{
    (void)state;
    struct world *w = play_world();
    play(w, "capacity 50");
    play(w, "flow read post:{p1} 600 steady");
    play(w, "gossip 50");
    play(w, "deaf R1 on");
    play(w, "move 12067 S0");
    pass(w, 300);
    play(w, "zone b down 100");
    pass(w, 200);
    play(w, "zone b up");
    play(w, "gossip off");
    play(w, "capacity 0");
    uint64_t seen = 0;
    for (uint64_t at = trace_first(w); at < trace_next(w); at++) {
        const struct trace_record *r = trace_get(w, at);
        struct str out = STR_EMPTY;
        trace_why(w, r, &out);
        assert_true(out.length > 15);
        str_clear(&out);
        trace_label(w, r, &out);
        assert_in_range(out.length, 1, 30);
        str_free(&out);
        if (r->reason >= REASON_FLEET_FIRST && r->reason <= REASON_FLEET_LAST) {
            seen |= UINT64_C(1) << (r->reason - REASON_FLEET_FIRST);
        }
    }
    assert_int_equal(seen, (UINT64_C(1) << (REASON_FLEET_END - REASON_FLEET_FIRST)) - 1);
    world_free(w);
}

static void a_copy_goes_on_alike(void **state)
{
    (void)state;
    struct world *w = play_world();
    play(w, "flow read post:{p1} 600 scattered");
    play(w, "capacity 100");
    play(w, "gossip 70");
    play(w, "zone a down 400");
    pass(w, 200);
    struct world *copy = world_copy(w);
    play(w, "move 12067 S0");
    play(copy, "move 12067 S0");
    pass(w, 900);
    assert_false(digest_equal(world_digest(w), world_digest(copy)));
    pass(copy, 900);
    assert_true(digest_equal(world_digest(w), world_digest(copy)));
    world_free(copy);
    world_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_router_refuses_what_is_beyond_its_capacity),
        cmocka_unit_test(a_refusal_never_reaches_a_shard),
        cmocka_unit_test(the_directory_tells_one_and_that_one_the_others),
        cmocka_unit_test(who_is_told_of_an_older_map_answers_with_its_own),
        cmocka_unit_test(a_deaf_router_does_not_hear),
        cmocka_unit_test(gossip_that_is_lost_comes_again),
        cmocka_unit_test(the_time_grows_with_the_logarithm_of_the_fleet),
        cmocka_unit_test(a_lost_zone_loads_the_others_evenly),
        cmocka_unit_test(leaders_of_a_lost_zone_are_led_from_the_next),
        cmocka_unit_test(a_zone_that_is_back_at_once_keeps_its_leaders),
        cmocka_unit_test(what_died_before_stays_away_with_its_zone),
        cmocka_unit_test(with_no_zone_left_everything_waits_for_one),
        cmocka_unit_test(what_is_impossible_is_refused_in_a_sentence),
        cmocka_unit_test(commands_read_back_as_they_are_said),
        cmocka_unit_test(every_record_can_be_explained),
        cmocka_unit_test(a_copy_goes_on_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
