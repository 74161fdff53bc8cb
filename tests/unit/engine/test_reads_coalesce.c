/*
 * Coalescing: how many queries reach the shard, against the formula, and that nobody reads less
 * than what was acknowledged before it asked.
 */
#include "play.h"

#include "engine/rates.h"
#include "engine/reads/reads.h"

#define COUNT "likes:{p9}"

/* 6 routers, no delays but the query's 5 ms, no ceilings. */
static struct world *even_world(uint64_t seed)
{
    struct world_config c = play_config();
    memset(c.delay_us, 0, sizeof c.delay_us);
    c.seed = seed;
    c.requests_max = 4096;
    c.events_max = 4608;
    c.trace_max = 4096;
    return play_new(&c);
}

/* Queries a second for p9 over `seconds`, with these reads and likes a second. */
static double queries(const char *treatment, uint32_t likes, int64_t seconds)
{
    struct world *w = even_world(7);
    struct command reads = command_flow(OP_READ, bytes_of(COUNT), 9000, ARRIVALS_POISSON);
    assert_true(world_apply(w, &reads, NULL));
    if (likes > 0) {
        struct command flow = command_flow(OP_LIKE, bytes_of(COUNT), likes, ARRIVALS_POISSON);
        assert_true(world_apply(w, &flow, NULL));
    }
    play(w, treatment);
    uint64_t before = world_shard(w, 2).served_reads;
    world_run_until(w, EIGHT_PM + seconds * US_PER_SECOND);
    double found = (double)(world_shard(w, 2).served_reads - before) / (double)seconds;
    world_free(w);
    return found;
}

static void assert_near(double found, double expected, double permille)
{
    if (found < expected * (1 - permille / 1000) || found > expected * (1 + permille / 1000)) {
        fail_msg("found %.3f, expected %.3f", found, expected);
    }
}

static void queries_are_as_the_formula_says(void **state)
{
    (void)state;
    /* l / (1 + l t) at one router for all, and at each of six. */
    assert_near(queries("reads likes:{p9} coalesced by-key", 0, 60), 9000 / 46.0, 2);
    assert_near(queries("reads likes:{p9} coalesced", 0, 60), 6 * 1500 / 8.5, 5);
}

static void writes_close_the_window_in_which_reads_may_join(void **state)
{
    (void)state;
    assert_near(queries("reads likes:{p9} coalesced by-key", 12, 60), 201.448, 5);
    assert_near(queries("reads likes:{p9} coalesced by-key", 2400, 60), 1894.7, 10);
}

static void three_reads_share_a_query_and_the_next_begins_another(void **state)
{
    (void)state;
    struct world *w = even_world(1);
    play(w, "reads likes:{p9} coalesced by-key");
    uint16_t home = reads_router(w, play_key(w, COUNT), 99);
    for (int i = 0; i < 3; i++) {
        play(w, i == 0 ? "request read likes:{p9} via R0" : "request read likes:{p9} via R4");
        world_run_until(w, world_now(w) + 1000);
    }
    struct reads_info info = reads_info(w, home, play_key(w, COUNT));
    assert_int_equal(info.fetches, 1);
    assert_int_equal(info.waits, 3);
    assert_true(world_run_until_answered(w, US_PER_SECOND));
    info = reads_info(w, home, play_key(w, COUNT));
    assert_int_equal(info.oldest_us, 5000);
    play_request(w, "request read likes:{p9} via R0");
    assert_int_equal(reads_info(w, home, play_key(w, COUNT)).fetches, 2);
    world_free(w);
}

static void more_than_the_books_hold_ask_alone(void **state)
{
    (void)state;
    struct world *w = even_world(1);
    play(w, "reads likes:{p9} coalesced");
    for (int i = 0; i < FLIGHTS_MAX; i++) {
        play(w, "request read likes:{p9} via R0");
        world_run_until(w, world_now(w) + 1);
        reads_wrote(w, 0, play_key(w, COUNT), OP_LIKE);
    }
    uint64_t from = trace_next(w);
    play(w, "request read likes:{p9} via R0");
    world_run_until(w, world_now(w) + 1);
    play_expect(w, from,
                "20:00:00.000064  client a -> R0  read likes:{p9}\n"
                "20:00:00.000064  R0  read likes:{p9}: 64 queries are under way, it asks alone\n"
                "20:00:00.000064  R0 -> S2  read likes:{p9} (slot 12067, as map version 7 says)\n"
                "20:00:00.000064  S2 -> R0  OK\n");
    assert_true(world_run_until_answered(w, US_PER_SECOND));
    assert_int_equal(reads_info(w, 0, play_key(w, COUNT)).fetches, FLIGHTS_MAX);
    world_free(w);
}

/* Random reads and likes; how many reads return less than what was acknowledged when they were
 * asked. Some messages are held up: else no write, sent after a query, could be done before it. */
static uint32_t too_low(uint64_t seed, const char *rule, const char *treatment)
{
    struct world_config c = play_config();
    c.seed = seed;
    c.requests_max = 4096;
    c.events_max = 4608;
    c.trace_max = 4096;
    struct world *w = play_new(&c);
    play(w, "flow read likes:{p9} 900 poisson");
    play(w, "flow like likes:{p9} 300 poisson");
    play(w, treatment);
    play(w, "network delay 5% 30");
    if (rule != NULL) {
        play(w, rule);
    }
    uint32_t key = play_key(w, COUNT);
    static uint64_t due[1 << 13];
    uint32_t broken = 0;
    uint64_t next = trace_next(w);
    while (world_now(w) < EIGHT_PM + US_PER_SECOND && world_step(w)) {
        for (; next < trace_next(w); next++) {
            const struct trace_record *r = trace_get(w, next);
            if (r->op != OP_READ) {
                continue;
            }
            if (r->kind == TRACE_ASK) {
                assert_true(r->request < 1 << 13);
                due[r->request] = world_acked(w, key);
            } else if (r->kind == TRACE_REPLY) {
                broken += r->value < due[r->request];
            }
        }
        if (rule == NULL) {
            play_holds(w);
        }
    }
    world_free(w);
    return broken;
}

static uint32_t too_low_of(const char *rule, const char *treatment)
{
    uint32_t broken = 0;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        broken += too_low(seed, rule, treatment);
    }
    return broken;
}

static void nobody_reads_less_than_was_acknowledged(void **state)
{
    (void)state;
    assert_int_equal(too_low_of(NULL, "reads likes:{p9} coalesced by-key"), 0);
    assert_true(too_low_of("rule join-before-write off", "reads likes:{p9} coalesced by-key") > 20);
    /* A router that serves only some of the requests does not know of every write. */
    assert_true(too_low_of("rule one-router-a-key off", "reads likes:{p9} coalesced by-key") > 20);
    assert_true(too_low_of(NULL, "reads likes:{p9} coalesced") > 20);
}

static void a_treatment_can_end_while_queries_are_under_way(void **state)
{
    (void)state;
    static const char *const next[] = {"reads likes:{p9} plain", "reads likes:{p9} cached",
                                       "reads likes:{p9} coalesced", "reads likes:{p9} edge"};
    for (size_t i = 0; i < sizeof next / sizeof *next; i++) {
        struct world *w = even_world(i + 1);
        play(w, "flow read likes:{p9} 2000 poisson");
        for (int round = 0; round < 20; round++) {
            play(w, round % 2 == 0 ? "reads likes:{p9} coalesced by-key"
                                   : "reads likes:{p9} cached 2 4");
            world_run_until(w, world_now(w) + 7000);
            play(w, next[i]);
            world_run_until(w, world_now(w) + 3000);
            if (i == 0) {
                play(w, "reads likes:{p9} edge 1");
            }
        }
        play(w, "flow read likes:{p9} 0");
        world_run_until(w, world_now(w) + US_PER_SECOND);
        assert_true(world_all_quiet(w)); /* nobody waits for ever */
        struct err err = {{0}};
        assert_false(world_stopped(w, &err));
        world_free(w);
    }
}

static void a_copy_of_a_world_goes_on_alike(void **state)
{
    (void)state;
    struct world *w = even_world(3);
    play(w, "flow read likes:{p9} 2000 poisson");
    play(w, "flow like likes:{p9} 500 poisson");
    play(w, "reads likes:{p9} coalesced");
    world_run_until(w, world_now(w) + 33333);
    struct world *fork = world_copy(w);
    world_run_until(w, world_now(w) + US_PER_SECOND);
    world_run_until(fork, world_now(w));
    assert_true(digest_equal(world_digest(w), world_digest(fork)));
    play(fork, "reads likes:{p9} cached");
    assert_false(digest_equal(world_digest(w), world_digest(fork)));
    world_free(fork);
    world_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(queries_are_as_the_formula_says),
        cmocka_unit_test(writes_close_the_window_in_which_reads_may_join),
        cmocka_unit_test(three_reads_share_a_query_and_the_next_begins_another),
        cmocka_unit_test(more_than_the_books_hold_ask_alone),
        cmocka_unit_test(nobody_reads_less_than_was_acknowledged),
        cmocka_unit_test(a_treatment_can_end_while_queries_are_under_way),
        cmocka_unit_test(a_copy_of_a_world_goes_on_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
