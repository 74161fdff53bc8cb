/*
 * The sample and its report, and what a queue does to the number of requests in flight.
 */
#include "hot.h"

#define WINDOW (5 * US_PER_SECOND)

static const struct hot_key *row_of(const struct hot_report *report, struct world *w,
                                    const char *key)
{
    uint32_t index = play_key(w, key);
    for (uint32_t i = 0; i < report->count; i++) {
        if (world_key_slot(w, report->row[i].key) == world_key_slot(w, index)) {
            return &report->row[i];
        }
    }
    return NULL;
}

static void one_window_names_the_hot_key_and_how_it_is_hot(void **state)
{
    (void)state;
    uint32_t writes = 0;
    uint32_t writes_of_p9 = 0;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        struct world *w = hot_world(seed, seed % 2 == 0 ? ARRIVALS_SCATTERED : ARRIVALS_STEADY);
        run_for(w, US_PER_SECOND);
        play(w, "sample 100");
        assert_int_equal(guards_report(w)->to_us, 0);
        run_for(w, WINDOW + 1);
        const struct hot_report *report = guards_report(w);
        assert_int_equal(report->count, 1);
        assert_int_equal(report->to_us - report->from_us, WINDOW);
        const struct hot_key *p9 = row_of(report, w, "likes:{p9}");
        assert_non_null(p9);
        assert_int_equal(p9->shard, HOT_SHARD);
        assert_int_equal(p9->kind, HOT_BOTH);
        assert_int_equal(p9->error, 0);
        assert_true(p9->reads * 100 > p9->shard_reads * 94);
        writes += p9->shard_writes;
        writes_of_p9 += p9->writes;
        world_free(w);
    }
    /* Of all five: 637.5 expected, and 94.1% of them; three deviations to each side. */
    assert_in_range(writes, 562, 713);
    assert_in_range(writes_of_p9 * 1000 / writes, 913, 969);
}

static void the_report_reads_as_a_sentence(void **state)
{
    (void)state;
    struct world *w = hot_world(1, ARRIVALS_STEADY);
    play(w, "sample 100");
    run_for(w, WINDOW);
    uint64_t from = trace_next(w);
    while (guards_report(w)->to_us == 0 && world_step(w)) {
    }
    struct str out = STR_EMPTY;
    const struct trace_record *r = NULL;
    for (uint64_t i = from; i < trace_next(w); i++) {
        if (trace_get(w, i)->reason == (uint16_t)REASON_HOT_KEY) {
            r = trace_get(w, i);
        }
    }
    assert_non_null(r);
    trace_say(w, r, &out);
    struct hot_key hot = guards_report(w)->row[0];
    char part[128];
    (void)snprintf(part, sizeof part,
                   "20:00:05.000000  S2 -> operator  p9 is hot: %s%% of its writes (%u of %u "
                   "sampled) and ",
                   num_ratio(hot.writes, hot.shard_writes, 1).text, hot.writes, hot.shard_writes);
    assert_true(str_starts(str_text(&out), part));
    str_clear(&out);
    trace_label(w, r, &out);
    assert_string_equal(str_text(&out), "hot p9");
    str_clear(&out);
    trace_why(w, r, &out);
    assert_non_null(strstr(str_text(&out), "more than 70% of its ceiling of writes, and of reads"));
    str_free(&out);
    world_free(w);
}

static void a_quiet_evening_is_nothing_to_report(void **state)
{
    (void)state;
    struct world_config c = hot_config();
    struct world *w = play_new(&c);
    for (int post = 1; post <= 16; post++) {
        hot_flow(w, OP_LIKE, "likes", post, 50, ARRIVALS_SCATTERED);
        hot_flow(w, OP_READ, "post", post, 100, ARRIVALS_SCATTERED);
    }
    play(w, "sample 100");
    run_for(w, WINDOW + 1);
    assert_int_equal(guards_report(w)->count, 0);
    assert_int_equal(guards_report(w)->to_us, EIGHT_PM + WINDOW);
    /* over 70% of one ceiling only: that kind, and none of the others */
    play(w, "flow read post:{p9} 3000 scattered");
    run_for(w, 2 * WINDOW);
    assert_int_equal(guards_report(w)->count, 1);
    assert_int_equal(guards_report(w)->row[0].kind, HOT_READS);
    play(w, "sample off");
    int64_t to = guards_report(w)->to_us;
    run_for(w, 2 * WINDOW);
    assert_int_equal(guards_report(w)->to_us, to);
    /* begun anew in the middle of a window: the old one is never reported */
    play(w, "sample 100");
    run_for(w, WINDOW / 2);
    play(w, "sample 100");
    int64_t begun = world_now(w);
    run_for(w, WINDOW - 1);
    assert_int_equal(guards_report(w)->to_us, to);
    run_for(w, 2);
    assert_int_equal(guards_report(w)->from_us, begun);
    assert_int_equal(guards_report(w)->to_us, begun + WINDOW);
    world_free(w);
}

static void the_sample_is_one_of_n_at_each_router(void **state)
{
    (void)state;
    struct world *w = hot_world(3, ARRIVALS_STEADY);
    play(w, "sample 100");
    uint64_t before[6];
    for (uint16_t router = 0; router < 6; router++) {
        before[router] = world_router(w, router).requests;
    }
    run_for(w, 3 * US_PER_SECOND);
    for (uint16_t router = 0; router < 6; router++) {
        uint64_t requests = world_router(w, router).requests - before[router];
        uint64_t sampled = guards_router(w, router).sampled;
        assert_in_range(sampled, requests / 100, requests / 100 + 1);
        assert_int_equal(guards_sketch(w, router).counted, sampled);
        assert_int_equal(guards_sketch(w, router).bytes, 64 * 16);
    }
    world_free(w);
}

static void traffic_in_a_rhythm_is_sampled_fairly(void **state)
{
    (void)state;
    struct world_config c = hot_config();
    c.routers = 1;
    struct world *w = play_new(&c);
    play(w, "flow like x 1000"); /* x, y, x, y ... */
    play(w, "flow like y 1000");
    play(w, "sample 10 1000");
    run_for(w, US_PER_SECOND + 1);
    struct hot_key_info keys[2];
    assert_int_equal(guards_hot_keys(w, keys, 2), 2); /* of 200: 3 sigma are 21 */
    assert_in_range(keys[0].writes, 100, 121);
    assert_in_range(keys[0].writes + keys[1].writes, 199, 200);
    world_free(w);
}

/* Many keys for few cells: what is counted stays within its error of what was asked. */
static void bounds_hold_with_few_cells(void **state)
{
    (void)state;
    struct world_config c = hot_config();
    c.watch_max = 8;
    struct world *w = play_new(&c);
    hot_traffic(w, ARRIVALS_SCATTERED);
    play(w, "sample 1 1000");
    run_for(w, US_PER_SECOND); /* just before the report */
    uint64_t total = 0;
    for (uint16_t router = 0; router < 6; router++) {
        struct sketch_info info = guards_sketch(w, router);
        assert_int_equal(info.used, 8);
        total += info.counted;
    }
    run_for(w, 1);
    struct hot_key_info keys[16];
    assert_int_equal(guards_hot_keys(w, keys, 16), 8);
    struct bytes first = world_key(w, keys[0].key);
    assert_true(bytes_equal(first, bytes_of("post:{p9}")) ||
                bytes_equal(first, bytes_of("likes:{p9}")));
    for (int i = 0; i < 8; i++) {
        bool is_p9 = i == 0;
        uint32_t low = keys[i].reads + keys[i].writes;
        uint32_t asked = is_p9 ? 11400 : 150; /* in a second; some are still on their way */
        assert_true(low <= asked);
        assert_true(low + keys[i].error + 20 >= asked);
        assert_true(keys[i].error * 8 <= total);
        assert_int_equal(is_p9, keys[i].reads > 8000);
    }
    assert_int_equal(guards_hot_keys(w, keys, 3), 3);
    world_free(w);
}

static void a_crash_forgets_the_sketch(void **state)
{
    (void)state;
    struct world *w = hot_world(1, ARRIVALS_STEADY);
    play(w, "sample 10");
    run_for(w, US_PER_SECOND);
    assert_true(guards_sketch(w, 4).counted > 0);
    play(w, "crash R4");
    assert_int_equal(guards_sketch(w, 4).counted, 0);
    assert_true(guards_sketch(w, 3).counted > 0);
    world_free(w);
}

static void a_copy_goes_on_to_the_same_world(void **state)
{
    (void)state;
    struct world *w = hot_world(1, ARRIVALS_SCATTERED);
    play(w, "sample 100 300");
    play(w, "clients backoff 10 times 3 jitter budget 20");
    play(w, "breaker on");
    play(w, "limit key post:{p9} 3000");
    play(w, "tenant nova likes:{p9}");
    play(w, "limit tenant nova 600");
    play(w, "shed 60");
    play(w, "share nova 50");
    run_for(w, 456789);
    struct world *copy = world_copy(w);
    run_for(w, US_PER_SECOND);
    run_for(copy, US_PER_SECOND);
    assert_true(digest_equal(world_digest(w), world_digest(copy)));
    play(copy, "shed 61");
    assert_false(digest_equal(world_digest(w), world_digest(copy)));
    world_free(copy);
    world_free(w);
}

/* Requests in flight on the hot shard, a thousand times of it: the sum over a second, looked at
 * every millisecond, when a query takes so long and nothing else takes time. */
static int64_t in_flight_permille(int32_t query_us)
{
    struct world_config c = hot_config();
    memset(c.delay_us, 0, sizeof c.delay_us);
    c.query_us = query_us;
    c.read_ceiling = 0;
    struct world *w = play_new(&c);
    for (int post = 1; post <= 13; post += 4) {
        hot_flow(w, OP_READ, "post", post, post == 9 ? 9000 : 100, ARRIVALS_STEADY);
    }
    run_for(w, 2 * US_PER_SECOND);
    int64_t sum = 0;
    for (int ms = 0; ms < 1000; ms++) {
        run_for(w, US_PER_MS);
        sum += guards_in_flight(w, HOT_SHARD);
    }
    world_free(w);
    return sum;
}

static void a_shard_a_hundred_times_slower_holds_a_hundred_times_as_much(void **state)
{
    (void)state;
    assert_int_equal(in_flight_permille(5000), 46500); /* 9,300 a second x 5 ms */
    assert_int_equal(in_flight_permille(500000), 4650000);
}

/* Little's law: requests in flight = rate x time in the system, for any queue. */
static void in_flight_is_rate_times_time(void **state)
{
    (void)state;
    static const uint32_t rates[] = {9300, 9900}; /* of a ceiling of 10,000: no queue, and one */
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        struct world_config c = hot_config();
        memset(c.delay_us, 0, sizeof c.delay_us);
        struct world *w = play_new(&c);
        play(w, "ceiling S2 0 10000 100000");
        struct command flow =
            command_flow(OP_READ, bytes_of("post:{p9}"), rates[i], ARRIVALS_POISSON);
        assert_true(world_apply(w, &flow, NULL));
        run_for(w, 2 * US_PER_SECOND);
        /* Both measured: how many are there, millisecond by millisecond, and how long each is. */
        int64_t end = world_now(w) + 20 * US_PER_SECOND;
        int64_t in_flight = 0;
        int64_t sum_us = 0;
        uint64_t ended = 0;
        uint64_t next = trace_next(w);
        int64_t asked_us[4096] = {0};
        for (int64_t at = world_now(w); at < end; at += US_PER_MS) {
            world_run_until(w, at);
            in_flight += guards_in_flight(w, HOT_SHARD);
            for (; next < trace_next(w); next++) {
                const struct trace_record *r = trace_get(w, next);
                if (r->kind == TRACE_ASK) {
                    asked_us[r->request % 4096] = r->time_us;
                } else if (r->kind == TRACE_REPLY && asked_us[r->request % 4096] != 0) {
                    sum_us += r->time_us - asked_us[r->request % 4096];
                    ended++;
                }
            }
        }
        double is = (double)in_flight / 20000;
        double expected = (double)ended / 20 * ((double)sum_us / (double)ended / 1e6);
        assert_true(is > expected * 0.99 && is < expected * 1.01);
        assert_true(is > (double)rates[i] * 0.005 * 0.99); /* the query alone */
        world_free(w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_window_names_the_hot_key_and_how_it_is_hot),
        cmocka_unit_test(the_report_reads_as_a_sentence),
        cmocka_unit_test(a_quiet_evening_is_nothing_to_report),
        cmocka_unit_test(the_sample_is_one_of_n_at_each_router),
        cmocka_unit_test(traffic_in_a_rhythm_is_sampled_fairly),
        cmocka_unit_test(bounds_hold_with_few_cells),
        cmocka_unit_test(a_crash_forgets_the_sketch),
        cmocka_unit_test(a_copy_goes_on_to_the_same_world),
        cmocka_unit_test(a_shard_a_hundred_times_slower_holds_a_hundred_times_as_much),
        cmocka_unit_test(in_flight_is_rate_times_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
