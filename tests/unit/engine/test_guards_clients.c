/*
 * The cascade: what clients do who were turned away, how much more they ask then, and what stops
 * it: a retry budget, back-off, a circuit breaker, shedding.
 */
#include "hot.h"

/* What reaches the hot shard and what is asked, in thousandths of the first asks, with these
 * commands. */
struct pressure {
    uint32_t asked, reached;
    uint64_t served; /* likes in a second */
};

/* S2 refuses: 2,550 likes a second on a ceiling of 1,000. */
static struct pressure refusing(const char *clients, const char *guard)
{
    struct world_config c = hot_config();
    struct world *w = play_new(&c);
    for (int post = 1; post <= 16; post++) {
        hot_flow(w, OP_LIKE, "likes", post, post == 9 ? 2400 : 50, ARRIVALS_POISSON);
    }
    play(w, clients);
    if (guard != NULL) {
        play(w, guard);
    }
    run_for(w, 2 * US_PER_SECOND);
    uint64_t served = world_shard(w, HOT_SHARD).served_writes;
    struct guard_load load = load_of(w, 10 * US_PER_SECOND);
    served = world_shard(w, HOT_SHARD).served_writes - served;
    world_free(w);
    return (struct pressure){.asked = guards_amplification(load),
                             .reached = guards_pressure(load),
                             .served = served / 10};
}

static void without_repeats_everything_is_asked_once(void **state)
{
    (void)state;
    struct pressure p = refusing("clients none", NULL);
    assert_int_equal(p.asked, 1000);
    assert_int_equal(p.reached, 1000);
    assert_in_range(p.served, 998, 1002);
}

static void clients_that_ask_again_at_once_multiply_the_load(void **state)
{
    (void)state;
    /* Were every ask refused with the same chance p = 1 - 1000 / (2550 f), there would be
     * f = 1 + p + p^2 + p^3 asks for each first one: 3.35. Repeats come in step with the tokens,
     * which makes it a little less. */
    struct pressure p = refusing("clients at-once times 3", NULL);
    assert_in_range(p.asked, 3150, 3450);
    assert_in_range(p.reached, 3150, 3450);
    assert_in_range(p.served, 998, 1002); /* and nobody gets more for it */
    /* with one repeat: f = 1 + p, and f = 1.76 */
    assert_in_range(refusing("clients at-once times 1", NULL).asked, 1720, 1800);
}

static void a_retry_budget_bounds_it(void **state)
{
    (void)state;
    struct pressure p = refusing("clients at-once times 3 budget 10", NULL);
    /* 3,150 first asks a second earn 315 repeats, and all of these are for S2: 315 / 2550 */
    assert_in_range(p.asked, 1115, 1130);
    assert_in_range(p.served, 998, 1002);
}

static void a_circuit_breaker_takes_the_load_off_the_shard(void **state)
{
    (void)state;
    struct pressure p = refusing("clients at-once times 3", "breaker on 50 1000 1000");
    assert_true(p.asked > 2000); /* it cannot keep clients from asking routers */
    assert_true(p.reached < 500);
    assert_true(p.served < 998); /* a price: while it is open, nobody is served */
}

/* S2 is slow: it lets likes queue, so that they are answered when nobody waits any more. */
static struct pressure slow(const char *guard, uint64_t *acked)
{
    struct world_config c = hot_config();
    c.client_timeout_us = 100000;
    struct world *w = play_new(&c);
    play(w, "ceiling S2 1000 0 4000");
    play(w, "flow like likes:{p9} 1500 poisson");
    play(w, "clients at-once times 3");
    if (guard != NULL) {
        play(w, guard);
    }
    run_for(w, 5 * US_PER_SECOND);
    *acked = world_acked(w, play_key(w, "likes:{p9}"));
    struct guard_load load = load_of(w, 10 * US_PER_SECOND);
    *acked = (world_acked(w, play_key(w, "likes:{p9}")) - *acked) / 10;
    world_free(w);
    return (struct pressure){.asked = guards_amplification(load), .reached = guards_pressure(load)};
}

static void a_slow_shard_serves_those_who_have_left_and_shedding_stops_that(void **state)
{
    (void)state;
    uint64_t acked = 0;
    struct pressure p = slow(NULL, &acked);
    assert_true(p.asked > 2000);
    assert_true(p.reached > 2000);
    assert_true(acked < 10); /* 1,000 a second are served, four seconds too late */
    p = slow("shed 10", &acked);
    assert_true(p.reached < 1000);
    assert_in_range(acked, 900, 1001);
}

static void backing_off_spreads_repeats_out(void **state)
{
    (void)state;
    struct world *w = play_world();
    play(w, "ceiling S2 1 0");
    play(w, "clients backoff 10 times 3");
    assert_int_equal(play_request(w, "request like likes:{p9} via R4").outcome, OUTCOME_OK);
    uint64_t from = trace_next(w);
    struct request_info info = play_request(w, "request like likes:{p9} via R4");
    assert_int_equal(info.outcome, OUTCOME_REFUSED);
    int64_t waits[8];
    uint32_t count = 0;
    uint64_t operations = 0;
    for (uint64_t i = from; i < trace_next(w); i++) {
        const struct trace_record *r = trace_get(w, i);
        operations += r->kind == TRACE_ASK;
        if (r->reason == (uint16_t)REASON_CLIENT_WAITS) {
            assert_true(count < 8);
            waits[count++] = r->operand[0];
        }
    }
    assert_int_equal(operations, 4);
    assert_int_equal(count, 3);
    assert_int_equal(waits[0], 10000);
    assert_int_equal(waits[1], 20000);
    assert_int_equal(waits[2], 40000);
    assert_int_equal(guards_clients(w).repeats, 3);
    assert_int_equal(guards_clients(w).given_up, 1);
    struct str out = play_prose(w, from);
    assert_non_null(strstr(str_text(&out), "client c  waits 10 ms, then asks again: like likes"));
    assert_non_null(strstr(str_text(&out), "client c -> R4  like likes:{p9}, once more"));
    str_free(&out);
    assert_true(world_all_quiet(w));
    world_free(w);
}

static void backing_off_heeds_retry_after_and_asking_at_once_does_not(void **state)
{
    (void)state;
    struct world *w = play_world();
    play(w, "limit key x 12");
    play(w, "clients backoff 10 times 3");
    assert_int_equal(play_request(w, "request like x via R0").outcome, OUTCOME_OK);
    struct request_info info = play_request(w, "request like x via R0");
    assert_int_equal(info.outcome, OUTCOME_OK); /* the second try, half a second later */
    assert_int_equal(guards_clients(w).repeats, 1);
    play(w, "clients at-once times 3");
    info = play_request(w, "request like x via R0");
    assert_int_equal(info.outcome, OUTCOME_LIMITED);
    assert_int_equal(guards_clients(w).repeats, 4);
    world_free(w);
}

static void jitter_keeps_clients_from_coming_back_together(void **state)
{
    (void)state;
    struct world *w = play_world();
    play(w, "ceiling S2 1 0");
    play(w, "clients backoff 100 times 1 jitter");
    play(w, "flow like likes:{p9} 100");
    uint64_t from = trace_next(w);
    run_for(w, US_PER_SECOND);
    int64_t least = INT64_MAX;
    int64_t most = 0;
    for (uint64_t i = from; i < trace_next(w); i++) {
        const struct trace_record *r = trace_get(w, i);
        if (r != NULL && r->reason == (uint16_t)REASON_CLIENT_WAITS) {
            least = r->operand[0] < least ? r->operand[0] : least;
            most = r->operand[0] > most ? r->operand[0] : most;
        }
    }
    assert_true(least < 20000);
    assert_in_range(most, 80000, 100000);
    world_free(w);
}

static void a_repeat_is_the_same_operation_and_no_new_demand(void **state)
{
    (void)state;
    struct world_config c = play_config();
    c.recent_max = 4;
    c.client_timeout_us = 4000; /* the query alone takes 5 ms */
    struct world *w = play_new(&c);
    play(w, "clients at-once times 2");
    struct guard_load before = guards_load(w, HOT_SHARD);
    struct request_info info = play_request(w, "request like likes:{p9} via R4");
    assert_int_equal(info.outcome, OUTCOME_FAILED); /* each of the three answers came too late */
    run_for(w, US_PER_SECOND);
    assert_int_equal(world_value(w, HOT_SHARD, play_key(w, "likes:{p9}")), 1);
    struct guard_load load = guards_load_less(guards_load(w, HOT_SHARD), before);
    assert_int_equal(load.firsts, 1);
    assert_int_equal(load.repeats, 2);
    assert_int_equal(guards_amplification(load), 3000);
    assert_true(world_all_quiet(w));
    play_holds(w);
    world_free(w);
}

static void a_breaker_says_what_it_does(void **state)
{
    (void)state;
    struct world *w = play_world();
    play(w, "breaker on 50 1000 500");
    play(w, "ceiling S2 1 0");
    play(w, "flow like likes:{p9} 600");
    while (guards_breaker(w, 0, HOT_SHARD).state != BREAKER_OPEN && world_step(w)) {
    }
    struct str out = play_prose(w, trace_next(w) - 2); /* and the reply */
    assert_non_null(strstr(str_text(&out), "R0  asks S2 no more for 500 ms: 19 of its last 20 "
                                           "answers were failures"));
    str_free(&out);
    play(w, "flow like likes:{p9} 0");
    run_for(w, 400000);
    uint64_t from = trace_next(w);
    struct request_info info = play_request(w, "request like likes:{p9} via R0");
    assert_int_equal(info.outcome, OUTCOME_SHED);
    assert_int_equal(info.asks, 0);
    out = play_prose(w, from);
    assert_non_null(
        strstr(str_text(&out), "503: R0 turns it away, it asks S2 nothing for the moment"));
    str_clear(&out);
    trace_why(w, trace_get(w, trace_next(w) - 1), &out);
    assert_non_null(strstr(str_text(&out), "The circuit breaker of R0 for S2 is open"));
    /* other shards are asked as ever */
    assert_int_equal(play_request(w, "request like likes:{p4} via R0").outcome, OUTCOME_OK);
    run_for(w, US_PER_SECOND);
    assert_int_equal(play_request(w, "request like likes:{p9} via R0").outcome, OUTCOME_OK);
    assert_int_equal(guards_breaker(w, 0, HOT_SHARD).state, BREAKER_CLOSED);
    str_free(&out);
    world_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_repeats_everything_is_asked_once),
        cmocka_unit_test(clients_that_ask_again_at_once_multiply_the_load),
        cmocka_unit_test(a_retry_budget_bounds_it),
        cmocka_unit_test(a_circuit_breaker_takes_the_load_off_the_shard),
        cmocka_unit_test(a_slow_shard_serves_those_who_have_left_and_shedding_stops_that),
        cmocka_unit_test(backing_off_spreads_repeats_out),
        cmocka_unit_test(backing_off_heeds_retry_after_and_asking_at_once_does_not),
        cmocka_unit_test(jitter_keeps_clients_from_coming_back_together),
        cmocka_unit_test(a_repeat_is_the_same_operation_and_no_new_demand),
        cmocka_unit_test(a_breaker_says_what_it_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
