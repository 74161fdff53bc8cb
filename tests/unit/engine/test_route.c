/*
 * The ROUTE loop, told as the trace tells it.
 */
#include "play.h"

static void a_fresh_map_is_a_direct_hit(void **state)
{
    (void)state;
    struct world *w = play_world();
    struct request_info r = play_request(w, "request like likes:{p9} via R3");
    play_expect(w, 1,
                "20:00:00.000000  client b -> R3  like likes:{p9}\n"
                "20:00:00.000250  R3 -> S2  like likes:{p9} (slot 12067, as map version 7 says)\n"
                "20:00:00.000750  S2 -> R3  OK, the counter is 1\n"
                "20:00:00.006250  R3 -> client b  OK, the counter is 1\n");
    assert_int_equal(r.asks, 1);
    assert_int_equal(r.reloads, 0);
    assert_int_equal(r.outcome, OUTCOME_OK);
    assert_int_equal(r.shard, 2);
    assert_int_equal(r.value, 1);
    assert_int_equal(r.ended_us - r.issued_us, 250 + 500 + 5000 + 500 + 250);
    assert_int_equal(world_acked(w, r.key), 1);
    play_holds(w);
    world_free(w);
}

static void a_client_of_another_zone_waits_longer(void **state)
{
    (void)state;
    struct world *w = play_world();
    struct request_info r = play_request(w, "request read likes:{p9} via R4 from a");
    assert_int_equal(r.zone, 0);
    assert_int_equal(r.ended_us - r.issued_us, 500 + 250 + 5000 + 250 + 500);
    assert_int_equal(r.value, 0);
    world_free(w);
}

static void a_stale_router_takes_one_extra_hop_once(void **state)
{
    (void)state;
    struct world *w = play_world();
    play(w, "shard add");
    play_request(w, "request like likes:{p9} via R5");
    play(w, "deaf R5 on");
    play(w, "move 12067 S4");
    assert_int_equal(world_router_owner(w, 5, 12067), 2);
    assert_int_equal(world_owner(w, 12067), 4);

    uint64_t from = trace_next(w);
    struct request_info r = play_request(w, "request like likes:{p9} via R5");
    play_expect(w, from,
                "20:00:00.006000  client c -> R5  like likes:{p9}\n"
                "20:00:00.006250  R5 -> S2  like likes:{p9} (slot 12067, as map version 7 says)\n"
                "20:00:00.006500  S2 -> R5  MOVED: slot 12067 went to S4 at epoch 8\n"
                "20:00:00.006750  R5 -> directory  the map, please; mine is version 7\n"
                "20:00:00.007000  directory -> R5  here is the map, version 8\n"
                "20:00:00.007250  R5 -> S4  like likes:{p9} (slot 12067, as map version 8 says)\n"
                "20:00:00.007500  S4 -> R5  OK, the counter is 2\n"
                "20:00:00.012750  R5 -> client c  OK, the counter is 2 (R5 asked 2 times)\n");
    assert_int_equal(r.asks, 2);
    assert_int_equal(r.reloads, 1);
    assert_int_equal(world_router_epoch(w, 5, 12067), 8);

    r = play_request(w, "request like likes:{p9} via R5");
    assert_int_equal(r.asks, 1);
    assert_int_equal(r.value, 3);
    assert_int_equal(world_router(w, 5).redirects, 1);
    assert_int_equal(world_router(w, 5).requests, 3);
    assert_int_equal(world_shard(w, 2).moved, 1);
    play_holds(w);
    world_free(w);
}

static void a_move_is_told_to_all_who_listen(void **state)
{
    (void)state;
    struct world *w = play_world();
    play(w, "deaf R5 on");
    uint64_t from = trace_next(w);
    play(w, "move 12060-12067 S0");
    play_expect(
        w, from,
        "20:00:00.000000  operator -> S0  takes over slots 12060-12067, data and all\n"
        "20:00:00.000000  directory  map version 8: slots 12060-12067 from S2 to S0, epoch 8\n"
        "20:00:00.000000  S2  slot table: slots 12060-12067 moved to S0, epoch 8\n"
        "20:00:00.000000  S0  slot table: slots 12060-12067 owned, epoch 8\n"
        "20:00:00.000000  directory -> R0  news: the map is now version 8\n"
        "20:00:00.000000  directory -> R1  news: the map is now version 8\n"
        "20:00:00.000000  directory -> R2  news: the map is now version 8\n"
        "20:00:00.000000  directory -> R3  news: the map is now version 8\n"
        "20:00:00.000000  directory -> R4  news: the map is now version 8\n"
        "20:00:00.000000  directory -> R5  news: the map is now version 8 (not heard, it keeps "
        "version 7)\n");
    assert_int_equal(world_router(w, 0).map_version, 7); /* the news is on its way */
    world_run_until(w, EIGHT_PM + 501);
    for (uint16_t r = 0; r < 5; r++) {
        assert_int_equal(world_router(w, r).map_version, 8);
    }
    assert_int_equal(world_router(w, 5).map_version, 7);
    play_holds(w);
    world_free(w);
}

static void without_reload_each_request_goes_wrong_first(void **state)
{
    (void)state;
    struct world *w = play_world();
    play(w, "rule reload-on-moved off");
    play(w, "deaf R5 on");
    play(w, "move 12067 S3");
    for (int i = 1; i <= 3; i++) {
        uint64_t from = trace_next(w);
        struct request_info r = play_request(w, "request like likes:{p9} via R5");
        assert_int_equal(r.asks, 2);
        assert_int_equal(r.reloads, 0);
        assert_int_equal(r.shard, 3);
        assert_int_equal(r.value, i);
        if (i == 1) {
            play_expect(
                w, from,
                "20:00:00.000000  client c -> R5  like likes:{p9}\n"
                "20:00:00.000250  R5 -> S2  like likes:{p9} (slot 12067, as map version 7 says)\n"
                "20:00:00.000500  S2 -> R5  MOVED: slot 12067 went to S3 at epoch 8\n"
                "20:00:00.000750  R5 -> S3  like likes:{p9} (slot 12067, as MOVED said)\n"
                "20:00:00.001250  S3 -> R5  OK, the counter is 1\n"
                "20:00:00.006750  R5 -> client c  OK, the counter is 1 (R5 asked 2 times)\n");
        }
    }
    assert_int_equal(world_router(w, 5).map_version, 7);
    assert_int_equal(world_router(w, 5).redirects, 3);
    play_holds(w);
    world_free(w);
}

static void a_chain_of_moves_is_one_extra_hop_with_the_map_and_two_without(void **state)
{
    (void)state;
    for (int reload = 0; reload <= 1; reload++) {
        struct world *w = play_world();
        play(w, reload ? "rule reload-on-moved on" : "rule reload-on-moved off");
        play(w, "deaf R5 on");
        play(w, "move 12067 S3");
        play(w, "move 12067 S1");
        struct request_info r = play_request(w, "request like likes:{p9} via R5");
        assert_int_equal(r.outcome, OUTCOME_OK);
        assert_int_equal(r.shard, 1);
        assert_int_equal(r.asks, reload ? 2 : 3);
        play_holds(w);
        world_free(w);
    }
}

static void without_the_slot_table_a_like_is_lost(void **state)
{
    (void)state;
    struct world *w = play_world();
    play_request(w, "request like likes:{p9} via R5");
    play(w, "rule slot-table-check off");
    play(w, "deaf R5 on");
    play(w, "move 12067 S3");
    play_holds(w);
    uint64_t from = trace_next(w);
    struct request_info r = play_request(w, "request like likes:{p9} via R5");
    play_expect(w, from,
                "20:00:00.006000  client c -> R5  like likes:{p9}\n"
                "20:00:00.006250  R5 -> S2  like likes:{p9} (slot 12067, as map version 7 says)\n"
                "20:00:00.006500  S2 -> R5  OK, the counter is 2\n"
                "20:00:00.011750  R5 -> client c  OK, the counter is 2\n");
    assert_int_equal(r.outcome, OUTCOME_OK); /* the client is told that all is well */
    assert_int_equal(world_acked(w, r.key), 2);
    assert_int_equal(world_lost(w, r.key), 1);
    assert_int_equal(world_value(w, 2, r.key), 2);
    assert_int_equal(world_value(w, 3, r.key), 1);
    play_breaks(w, "nothing-lost");

    play(w, "rule slot-table-check on");
    r = play_request(w, "request like likes:{p9} via R5");
    assert_int_equal(r.asks, 2);
    assert_int_equal(world_lost(w, r.key), 1);
    world_free(w);
}

static void a_frozen_slot_makes_the_router_wait_longer_each_time(void **state)
{
    (void)state;
    struct world *w = play_world();
    play(w, "freeze 12067 S2 on");
    uint64_t from = trace_next(w);
    play(w, "request like likes:{p9} via R5");
    world_run_until(w, EIGHT_PM + 50000);
    play(w, "freeze 12067 S2 off");
    assert_true(world_run_until_answered(w, US_PER_SECOND));
    play_expect(
        w, from,
        "20:00:00.000000  client c -> R5  like likes:{p9}\n"
        "20:00:00.000250  R5 -> S2  like likes:{p9} (slot 12067, as map version 7 says)\n"
        "20:00:00.000500  S2 -> R5  migrating, retry: slot 12067 is on its way to another shard\n"
        "20:00:00.000750  R5  waits 10 ms, then asks again\n"
        "20:00:00.010750  R5 -> S2  like likes:{p9} (slot 12067, as map version 7 says)\n"
        "20:00:00.011000  S2 -> R5  migrating, retry: slot 12067 is on its way to another shard\n"
        "20:00:00.011250  R5  waits 20 ms, then asks again\n"
        "20:00:00.031250  R5 -> S2  like likes:{p9} (slot 12067, as map version 7 says)\n"
        "20:00:00.031500  S2 -> R5  migrating, retry: slot 12067 is on its way to another shard\n"
        "20:00:00.031750  R5  waits 40 ms, then asks again\n"
        "20:00:00.050000  operator -> S2  slot 12067: serve again\n"
        "20:00:00.050000  S2  slot table: slots 8192-12287 owned, epoch 7\n"
        "20:00:00.071750  R5 -> S2  like likes:{p9} (slot 12067, as map version 7 says)\n"
        "20:00:00.072000  S2 -> R5  OK, the counter is 1\n"
        "20:00:00.077250  R5 -> client c  OK, the counter is 1 (R5 asked 4 times)\n");
    struct request_info r;
    assert_true(world_request(w, world_last_request(w), &r));
    assert_int_equal(r.retries, 3);
    assert_int_equal(world_shard(w, 2).retried, 3);
    play_holds(w);
    world_free(w);
}

static void a_router_gives_up_after_its_last_try(void **state)
{
    (void)state;
    struct world *w = play_world();
    play(w, "freeze 0-16383 S2 on");
    struct request_info r = play_request(w, "request like likes:{p9} via R5");
    assert_int_equal(r.outcome, OUTCOME_FAILED);
    assert_int_equal(r.asks, ATTEMPTS_MAX);
    /* to the router and back, eight trips to the shard, waits of 10 + 20 + ... + 640 ms */
    assert_int_equal(r.ended_us - r.issued_us, 500 + 8 * 500 + 1270000);
    play_expect(w, trace_next(w) - 1,
                "20:00:01.274250  R5 -> client c  failed: given up after 8 tries\n");
    assert_int_equal(world_acked(w, r.key), 0);
    assert_true(world_all_quiet(w));
    play_holds(w);
    world_free(w);
}

static void a_request_on_its_way_meets_the_new_tables(void **state)
{
    (void)state;
    struct world *w = play_world();
    play(w, "request like likes:{p9} via R3");
    world_run_until(w, EIGHT_PM + 300); /* between R3 and S2 */
    play(w, "move 12067 S0");
    assert_true(world_run_until_answered(w, US_PER_SECOND));
    struct request_info r;
    assert_true(world_request(w, 1, &r));
    assert_int_equal(r.shard, 0);
    assert_int_equal(r.asks, 2);
    assert_int_equal(r.reloads, 0); /* the news came before MOVED did */
    assert_int_equal(world_value(w, 0, r.key), 1);
    assert_int_equal(world_value(w, 2, r.key), 0);
    play_holds(w);
    world_free(w);
}

static void a_like_that_is_served_but_not_answered_moves_along(void **state)
{
    (void)state;
    struct world *w = play_world();
    play(w, "request like likes:{p9} via R3");
    world_run_until(w, EIGHT_PM + 2000); /* S2 has it, R3 does not know yet */
    play(w, "move 12067 S0");
    play_holds(w);
    assert_true(world_run_until_answered(w, US_PER_SECOND));
    assert_int_equal(world_value(w, 0, play_key(w, "likes:{p9}")), 1);
    play_holds(w);
    world_free(w);
}

static void a_slot_that_comes_back_is_served_with_a_hint(void **state)
{
    (void)state;
    struct world *w = play_world();
    play(w, "deaf R5 on");
    play(w, "move 12067 S0");
    play(w, "move 12067 S2");
    uint64_t from = trace_next(w);
    struct request_info r = play_request(w, "request like likes:{p9} via R5");
    assert_int_equal(r.asks, 1);
    assert_int_equal(r.outcome, OUTCOME_OK);
    world_run_until(w, EIGHT_PM + 20000);
    play_expect(
        w, from + 2,
        "20:00:00.000500  S2 -> R5  OK, the counter is 1; your map is old, fetch a new one\n"
        "20:00:00.005750  R5 -> client c  OK, the counter is 1\n"
        "20:00:00.005750  R5 -> directory  the map, please; mine is version 7\n"
        "20:00:00.006000  directory -> R5  here is the map, version 9\n");
    assert_int_equal(world_router(w, 5).map_version, 9);
    play_holds(w);
    world_free(w);
}

static void a_router_can_be_told_to_reload(void **state)
{
    (void)state;
    struct world *w = play_world();
    play(w, "deaf R0 on");
    play(w, "move 12067 S0");
    world_run_until(w, EIGHT_PM + 1000);
    uint64_t from = trace_next(w);
    play(w, "reload R0");
    play(w, "reload R0"); /* one fetch is under way already */
    world_run_until(w, EIGHT_PM + 3000);
    play_expect(w, from,
                "20:00:00.001000  R0 -> directory  the map, please; mine is version 7\n"
                "20:00:00.001500  directory -> R0  here is the map, version 8\n");
    assert_int_equal(world_router(w, 0).map_version, 8);
    world_free(w);
}

static void an_edit_leaves_the_counter_alone(void **state)
{
    (void)state;
    struct world *w = play_world();
    play_request(w, "request like post:{p9} via R5");
    uint64_t from = trace_next(w);
    play_request(w, "request edit post:{p9} via R5");
    play_expect(w, from + 2,
                "20:00:00.006500  S2 -> R5  OK, the edit is stored\n"
                "20:00:00.011750  R5 -> client c  OK, the edit is stored\n");
    assert_int_equal(play_request(w, "request read post:{p9} via R5").value, 1);
    play_holds(w);
    world_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fresh_map_is_a_direct_hit),
        cmocka_unit_test(a_client_of_another_zone_waits_longer),
        cmocka_unit_test(a_stale_router_takes_one_extra_hop_once),
        cmocka_unit_test(a_move_is_told_to_all_who_listen),
        cmocka_unit_test(without_reload_each_request_goes_wrong_first),
        cmocka_unit_test(a_chain_of_moves_is_one_extra_hop_with_the_map_and_two_without),
        cmocka_unit_test(without_the_slot_table_a_like_is_lost),
        cmocka_unit_test(a_frozen_slot_makes_the_router_wait_longer_each_time),
        cmocka_unit_test(a_router_gives_up_after_its_last_try),
        cmocka_unit_test(a_request_on_its_way_meets_the_new_tables),
        cmocka_unit_test(a_like_that_is_served_but_not_answered_moves_along),
        cmocka_unit_test(a_slot_that_comes_back_is_served_with_a_hint),
        cmocka_unit_test(a_router_can_be_told_to_reload),
        cmocka_unit_test(an_edit_leaves_the_counter_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
