/*
 * Flows: how many requests, when, and through whom. Read from the trace, record by record.
 */
#include "play.h"

#include "engine/rates.h"
#include <stdio.h>

#define ASKS_MAX 20000

struct asks {
    uint32_t count;
    int64_t time[ASKS_MAX];
    uint16_t router[ASKS_MAX];
};

/* Runs for `us` and collects what clients asked. */
static struct asks *collect(struct world *w, int64_t us)
{
    struct asks *asks = calloc(1, sizeof *asks);
    assert_non_null(asks);
    int64_t end = world_now(w) + us;
    uint64_t next = trace_next(w);
    int64_t time;
    while (world_next_time(w, &time) && time < end && world_step(w)) {
        for (; next < trace_next(w); next++) {
            const struct trace_record *r = trace_get(w, next);
            if (r->kind == TRACE_ASK) {
                assert_true(asks->count < ASKS_MAX);
                asks->time[asks->count] = r->time_us;
                asks->router[asks->count++] = r->to.index;
            }
        }
    }
    world_run_until(w, end);
    return asks;
}

static uint32_t between(const struct asks *asks, int64_t from, int64_t to)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < asks->count; i++) {
        count += asks->time[i] >= from && asks->time[i] < to;
    }
    return count;
}

static void steady_is_evenly_spaced_and_exact_in_any_second(void **state)
{
    (void)state;
    static const uint32_t rates[] = {1, 3, 7, 50, 999, 2400};
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        struct world *w = play_world();
        struct command c = command_flow(OP_LIKE, bytes_of("x"), rates[i], ARRIVALS_STEADY);
        world_run_until(w, EIGHT_PM + 123457);
        assert_true(world_apply(w, &c, NULL));
        int64_t start = world_now(w);
        struct asks *asks = collect(w, 4 * US_PER_SECOND);
        for (int64_t from = 0; from <= 3 * US_PER_SECOND; from += 76543) {
            assert_int_equal(between(asks, start + from, start + from + US_PER_SECOND), rates[i]);
        }
        int64_t gap = US_PER_SECOND / rates[i];
        for (uint32_t k = 1; k < asks->count; k++) {
            int64_t found = asks->time[k] - asks->time[k - 1];
            assert_true(found == gap || found == gap + 1);
        }
        free(asks);
        world_free(w);
    }
}

static void flows_of_one_rate_do_not_fire_together(void **state)
{
    (void)state;
    struct world *w = play_world();
    for (int i = 0; i < 32; i++) {
        char key[16];
        (void)snprintf(key, sizeof key, "k%d", i);
        struct command c = command_flow(OP_READ, bytes_of(key), 50, ARRIVALS_STEADY);
        assert_true(world_apply(w, &c, NULL));
    }
    struct asks *asks = collect(w, 20000); /* one interval */
    assert_int_equal(asks->count, 32);
    for (uint32_t i = 1; i < asks->count; i++) {
        assert_true(asks->time[i] - asks->time[i - 1] > 200); /* evenly would be 625 */
    }
    free(asks);
    world_free(w);
}

static void requests_go_to_the_routers_in_turn(void **state)
{
    (void)state;
    struct world *w = play_world();
    play(w, "flow like x 60");
    struct asks *asks = collect(w, US_PER_SECOND);
    for (uint32_t i = 0; i < asks->count; i++) {
        assert_int_equal(asks->router[i], i % 6);
    }
    free(asks);
    world_free(w);
}

static void scattered_holds_the_rate_in_each_whole_second(void **state)
{
    (void)state;
    static const uint32_t rates[] = {1, 7, 50, 2400};
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        struct world *w = play_world();
        struct command c = command_flow(OP_LIKE, bytes_of("x"), rates[i], ARRIVALS_SCATTERED);
        world_run_until(w, EIGHT_PM + 400000);
        assert_true(world_apply(w, &c, NULL));
        struct asks *asks = collect(w, 4600000);
        bool even = true;
        for (int64_t second = 1; second < 5; second++) {
            int64_t from = EIGHT_PM + second * US_PER_SECOND;
            assert_int_equal(between(asks, from, from + US_PER_SECOND), rates[i]);
        }
        for (uint32_t k = 2; k < asks->count; k++) {
            assert_true(asks->time[k] >= asks->time[k - 1]);
            even = even && asks->time[k] - asks->time[k - 1] == asks->time[1] - asks->time[0];
        }
        assert_false(even);
        free(asks);
        world_free(w);
    }
}

/* A flow that is set, and set again, in mid-second: in each second from then on, and in each whole
 * second of the clock, there are as many as ever; what is left of a second has its share. */
static void a_scattered_flow_set_in_mid_second_is_exact_from_then_on(void **state)
{
    (void)state;
    static const uint32_t rates[] = {1, 7, 50, 2400};
    static const int64_t phases[] = {1, 300000, 400003, 999999};
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        for (size_t k = 0; k < sizeof phases / sizeof *phases; k++) {
            struct world *w = play_world();
            struct command c = command_flow(OP_LIKE, bytes_of("x"), 500, ARRIVALS_SCATTERED);
            assert_true(world_apply(w, &c, NULL));
            int64_t set = EIGHT_PM + US_PER_SECOND + phases[k];
            world_run_until(w, set);
            c = command_flow(OP_LIKE, bytes_of("x"), rates[i], ARRIVALS_SCATTERED);
            assert_true(world_apply(w, &c, NULL));
            struct asks *asks = collect(w, 4600000);
            for (int64_t second = 0; second < 4; second++) {
                int64_t from = set + second * US_PER_SECOND;
                assert_int_equal(between(asks, from, from + US_PER_SECOND), rates[i]);
                from = EIGHT_PM + (second + 2) * US_PER_SECOND;
                if (second < 3) {
                    assert_int_equal(between(asks, from, from + US_PER_SECOND), rates[i]);
                }
            }
            int64_t rest = US_PER_SECOND - phases[k];
            int64_t due = (rates[i] * rest + US_PER_SECOND / 2) / US_PER_SECOND;
            assert_int_equal(between(asks, set, set + rest), due);
            free(asks);
            world_free(w);
        }
    }
}

static void poisson_has_the_mean_and_the_spread_of_one(void **state)
{
    (void)state;
    struct world *w = play_world();
    play(w, "flow read x 800 poisson");
    struct asks *asks = collect(w, 20 * US_PER_SECOND);
    assert_in_range(asks->count, 16000 - 400, 16000 + 400);
    /* Counts in windows of 10 ms: the variance of a Poisson process is its mean, 8. */
    int64_t sum = 0;
    int64_t squares = 0;
    for (int64_t at = 0; at < 2000; at++) {
        int64_t n = between(asks, EIGHT_PM + at * 10000, EIGHT_PM + (at + 1) * 10000);
        sum += n;
        squares += n * n;
    }
    int64_t variance_milli = (squares * 2000 - sum * sum) / 2000 * 1000 / 2000;
    assert_in_range(variance_milli, 7200, 8800);
    free(asks);
    world_free(w);
}

static void chance_is_by_seed_and_flow(void **state)
{
    (void)state;
    struct asks *asks[3];
    for (int i = 0; i < 3; i++) {
        struct world_config c = play_config();
        c.seed = i == 1 ? 2 : 1;
        struct world *w = play_new(&c);
        if (i == 2) {
            play(w, "flow like another 500 scattered"); /* draws from a stream of its own */
        }
        play(w, "flow like x 100 poisson");
        struct asks *all = collect(w, US_PER_SECOND);
        asks[i] = all;
        world_free(w);
    }
    assert_true(asks[0]->count != asks[1]->count ||
                memcmp(asks[0]->time, asks[1]->time, asks[0]->count * sizeof(int64_t)) != 0);
    for (uint32_t i = 0; i < asks[0]->count; i++) {
        uint32_t k = 0;
        while (k < asks[2]->count && asks[2]->time[k] != asks[0]->time[i]) {
            k++;
        }
        assert_true(k < asks[2]->count);
    }
    for (int i = 0; i < 3; i++) {
        free(asks[i]);
    }
}

static void a_changed_flow_has_the_new_rate_at_once_and_an_ended_one_none(void **state)
{
    (void)state;
    struct world *w = play_world();
    play(w, "flow like x 10");
    free(collect(w, 2345678));
    play(w, "flow like x 1000");
    struct asks *asks = collect(w, US_PER_SECOND);
    assert_int_equal(asks->count, 1000);
    free(asks);
    play(w, "flow like x 0");
    asks = collect(w, US_PER_SECOND);
    assert_int_equal(asks->count, 0);
    free(asks);
    assert_true(world_all_quiet(w));
    play_refused(w, "flow like x 0", "no flow of likes of this key runs, so none can end");
    play_holds(w);
    world_free(w);
}

static void rates_are_measured_on_a_copy(void **state)
{
    (void)state;
    struct world *w = play_world();
    struct world *scratch = world_copy(w);
    struct rates *rates = calloc(1, sizeof *rates);
    assert_non_null(rates);
    play(w, "ceiling S2 100 0");
    play(w, "flow like likes:{p9} 240 scattered");
    play(w, "flow read post:{p9} 30");
    play(w, "deaf R5 on");
    play(w, "move 12067 S1");
    world_run_until(w, EIGHT_PM + 10 * US_PER_SECOND);
    play(w, "move 12067 S2");
    struct digest before = world_digest(w);
    rates_at(w, scratch, rates);
    assert_true(digest_equal(before, world_digest(w)));
    assert_int_equal(world_now(scratch), world_now(w) + US_PER_SECOND);
    assert_int_equal(rates->shards, 4);
    assert_int_equal(rates->shard[2].writes, 240);
    assert_int_equal(rates->shard[2].reads, 30);
    assert_int_equal(rates->cluster.writes, 240);
    assert_int_equal(rates->shard[1].writes, 0); /* what a stale map sends there is redirected */
    assert_true(rates->shard[1].redirected > 0);
    uint64_t served = rates->shard[2].served_writes;
    uint64_t refused = rates->shard[2].refused_writes;
    assert_in_range(served, 100, 111);           /* the ceiling, and the bucket that was full */
    assert_in_range(served + refused, 235, 245); /* some are on their way at both ends */
    assert_int_equal(rates->cluster.refused_writes, refused);
    free(rates);
    world_free(scratch);
    world_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steady_is_evenly_spaced_and_exact_in_any_second),
        cmocka_unit_test(flows_of_one_rate_do_not_fire_together),
        cmocka_unit_test(requests_go_to_the_routers_in_turn),
        cmocka_unit_test(scattered_holds_the_rate_in_each_whole_second),
        cmocka_unit_test(a_scattered_flow_set_in_mid_second_is_exact_from_then_on),
        cmocka_unit_test(poisson_has_the_mean_and_the_spread_of_one),
        cmocka_unit_test(chance_is_by_seed_and_flow),
        cmocka_unit_test(a_changed_flow_has_the_new_rate_at_once_and_an_ended_one_none),
        cmocka_unit_test(rates_are_measured_on_a_copy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
