/*
 * The micro-cache and the edge: how many reads reach a shard, how old the answers are, who waits
 * for whom, and what each rule is for.
 */
#include "play.h"

#include "base/prng.h"
#include "engine/rates.h"
#include "engine/reads/reads.h"
#include <stdio.h>

#define POST "post:{p9}"

static struct world_config busy_config(void)
{
    struct world_config c = play_config();
    c.requests_max = 4096;
    c.events_max = 4608;
    c.trace_max = 8192;
    return c;
}

static struct world *busy_world(void)
{
    struct world_config c = busy_config();
    return play_new(&c);
}

static struct reads_info at_router(const struct world *w, uint16_t router)
{
    return reads_info(w, router, play_key(w, POST));
}

static uint64_t all_fetches(const struct world *w)
{
    uint64_t fetches = 0;
    for (uint16_t router = 0; router < 6; router++) {
        fetches += at_router(w, router).fetches;
    }
    return fetches;
}

static int64_t oldest(const struct world *w)
{
    int64_t oldest = 0;
    for (uint16_t router = 0; router < world_config_of(w)->routers; router++) {
        int64_t is = at_router(w, router).oldest_us;
        oldest = is > oldest ? is : oldest;
    }
    return oldest;
}

static uint64_t reads_at(const struct world *w, uint16_t shard)
{
    struct world *scratch = world_copy(w);
    struct rates *rates = calloc(1, sizeof *rates);
    assert_non_null(rates);
    rates_at(w, scratch, rates);
    uint64_t reads = rates->shard[shard].reads;
    free(rates);
    world_free(scratch);
    return reads;
}

static void run_for(struct world *w, int64_t us)
{
    world_run_until(w, world_now(w) + us);
}

/* --- how much reaches the shard ----------------------------------------------------------------
 */

static void a_router_asks_once_a_second(void **state)
{
    (void)state;
    struct world *w = busy_world();
    play(w, "flow read post:{p9} 9000");
    play(w, "flow read post:{p1} 100");
    run_for(w, US_PER_SECOND);
    assert_int_equal(reads_at(w, 2), 9100);
    play(w, "reads post:{p9} cached");
    for (int second = 0; second < 5; second++) {
        run_for(w, US_PER_SECOND + 12345);
        assert_int_equal(reads_at(w, 2), 106);
    }
    play(w, "reads post:{p9} plain");
    run_for(w, US_PER_SECOND);
    assert_int_equal(reads_at(w, 2), 9100);
    world_free(w);
}

static void an_edge_asks_once_a_ttl_for_its_zone(void **state)
{
    (void)state;
    struct world *w = busy_world();
    play(w, "flow read post:{p9} 9000");
    play(w, "reads post:{p9} edge 500");
    run_for(w, 2 * US_PER_SECOND);
    uint64_t heard = 0;
    uint64_t hits = 0;
    for (uint8_t zone = 0; zone < 3; zone++) {
        hits += reads_edge_info(w, zone, play_key(w, POST)).hits;
    }
    for (uint16_t router = 0; router < 6; router++) {
        heard += world_router(w, router).requests;
    }
    /* The TTL runs from when the fetch was sent, and a reader comes every 333 us. */
    assert_true(heard >= 3 * 4 && heard <= 3 * 5);
    assert_true(hits > 17500 && hits < 18000);
    world_free(w);
}

static void identical_requests_at_an_edge_wait_for_one_fetch(void **state)
{
    (void)state;
    struct world *w = busy_world();
    play(w, "reads post:{p9} edge");
    for (int i = 0; i < 5; i++) {
        play(w, "request read post:{p9} via R0 from b");
    }
    play(w, "request read post:{p9} via R3 from a");
    assert_true(world_run_until_answered(w, US_PER_SECOND));
    struct reads_info b = reads_edge_info(w, 1, play_key(w, POST));
    assert_int_equal(b.fetches, 1);
    assert_int_equal(b.waits, 5);
    assert_int_equal(reads_edge_info(w, 0, play_key(w, POST)).fetches, 1);
    assert_int_equal(world_router(w, 0).requests, 1);
    struct request_info info = play_request(w, "request read post:{p9} via R0 from b");
    assert_int_equal(info.outcome, OUTCOME_OK);
    assert_int_equal(info.ended_us - info.issued_us, 250); /* to the edge's zone and no further */
    assert_true(world_all_quiet(w));
    world_free(w);
}

/* --- ages --------------------------------------------------------------------------------------
 */

/* A key read `rate` times a second at one router, with a query of `query_us` and no delays. */
static struct world *one_router(uint32_t rate, int32_t query_us, const char *cached)
{
    struct world_config c = busy_config();
    memset(c.delay_us, 0, sizeof c.delay_us);
    c.routers = 1;
    c.query_us = query_us;
    struct world *w = play_new(&c);
    struct command flow = command_flow(OP_READ, bytes_of(POST), rate, ARRIVALS_POISSON);
    assert_true(world_apply(w, &flow, NULL));
    play(w, cached);
    return w;
}

static void a_hot_key_is_never_much_older_than_its_fresh_bound(void **state)
{
    (void)state;
    struct world *w = one_router(1500, 5000, "reads post:{p9} cached");
    run_for(w, 60 * US_PER_SECOND);
    /* One fresh bound, one gap, one fetch. */
    assert_true(oldest(w) > US_PER_SECOND + 5000 && oldest(w) < US_PER_SECOND + 20000);
    assert_true(at_router(w, 0).stale_hits > 0);
    world_free(w);
}

static void a_cold_key_is_served_up_to_its_stale_bound_and_else_waits(void **state)
{
    (void)state;
    /* Read every two seconds, fresh for one, stale to three, twice as fast. */
    struct world *w = one_router(1, 2500, "reads post:{p9} cached 500 1500");
    run_for(w, 40000 * US_PER_SECOND);
    struct reads_info info = at_router(w, 0);
    double reads = (double)(info.hits + info.stale_hits + info.waits);
    double waits = (double)info.waits / reads;
    assert_true(waits > 0.238 && waits < 0.252); /* (1/e) / 1.5 = 0.245 */
    assert_true(info.oldest_us < 1500000 && info.oldest_us > 1490000);
    world_free(w);
}

static void each_rule_about_ages_bounds_them(void **state)
{
    (void)state;
    struct world *w = one_router(1, 2500, "reads post:{p9} cached 500 1500");
    struct world *unbounded = world_copy(w);
    play(unbounded, "rule bounded-age off");
    run_for(unbounded, 1000 * US_PER_SECOND);
    assert_true(oldest(unbounded) > 2000000);
    assert_int_equal(at_router(unbounded, 0).waits, 1); /* the very first */
    world_free(unbounded);
    play(w, "rule age-from-read off");
    run_for(w, 40000 * US_PER_SECOND);
    assert_true(oldest(w) >= 1500000); /* by the query's time at most */
    assert_true(oldest(w) < 1502500);
    world_free(w);
}

/* --- all caches restart at once ----------------------------------------------------------------
 */

static uint64_t fetches_after_a_restart(bool single_flight)
{
    struct world *w = busy_world();
    play(w, "flow read post:{p9} 9000");
    play(w, "reads post:{p9} cached");
    run_for(w, 2 * US_PER_SECOND + 500000);
    play(w, single_flight ? "rule single-flight on" : "rule single-flight off");
    play(w, "reads post:{p9} forget");
    uint64_t before = all_fetches(w);
    run_for(w, 100000);
    uint64_t fetches = all_fetches(w) - before;
    run_for(w, 2 * US_PER_SECOND);
    assert_int_equal(reads_at(w, 2), 6); /* it comes to rest either way */
    world_free(w);
    return fetches;
}

static void single_flight_saves_the_shard_from_a_stampede(void **state)
{
    (void)state;
    assert_int_equal(fetches_after_a_restart(true), 6);
    uint64_t stampede = fetches_after_a_restart(false);
    assert_true(stampede >= 45 && stampede < 70); /* 9,000 a second for 6 ms and a little */
}

static void a_crashed_router_tells_who_waits_and_starts_empty(void **state)
{
    (void)state;
    struct world *w = busy_world();
    play(w, "reads post:{p9} cached");
    play_request(w, "request read post:{p9} via R2");
    play(w, "reads post:{p9} forget");
    play(w, "request read post:{p9} via R2");
    play(w, "request read post:{p9} via R2");
    run_for(w, 2000);
    assert_int_equal(at_router(w, 2).waits, 3);
    play(w, "crash R2 100");
    struct request_info info;
    assert_true(world_run_until_answered(w, 1000)); /* long before the fetch would be back */
    assert_true(world_request(w, world_last_request(w), &info));
    assert_int_equal(info.outcome, OUTCOME_FAILED);
    run_for(w, US_PER_SECOND);
    assert_int_equal(at_router(w, 2).held_us, -1);
    assert_true(world_all_quiet(w));
    play_request(w, "request read post:{p9} via R2");
    assert_true(at_router(w, 2).held_us >= 0);
    world_free(w);
}

/* --- edits -------------------------------------------------------------------------------------
 */

/* Plays random reads and edits, and says how many answers are older than an edit that their router
 * had acknowledged before it was asked. Likes must change nothing. */
static uint32_t too_old(uint64_t seed, const char *rule)
{
    struct world_config c = busy_config();
    c.seed = seed;
    struct world *w = play_new(&c);
    play(w, "flow read post:{p9} 600 poisson");
    play(w, "flow edit post:{p9} 20 poisson");
    play(w, "reads post:{p9} cached 50 150");
    if (rule != NULL) {
        char words[64];
        (void)snprintf(words, sizeof words, "rule %s off", rule);
        play(w, words);
    }
    int64_t acked[6] = {0};      /* when each router last told a client that an edit is done */
    static int64_t due[1 << 16]; /* by request: what was acknowledged when it reached its router */
    uint32_t broken = 0;
    uint64_t next = trace_next(w);
    while (world_now(w) < EIGHT_PM + US_PER_SECOND && world_step(w)) {
        for (; next < trace_next(w); next++) {
            const struct trace_record *r = trace_get(w, next);
            bool edit = r->op == OP_EDIT;
            uint64_t number = r->request;
            assert_true(number < 1 << 16);
            if (r->kind == TRACE_ASK && !edit) {
                due[number] = acked[r->to.index];
            } else if (r->kind == TRACE_REPLY && edit) {
                acked[r->from.index] = r->time_us;
            } else if (r->kind == TRACE_REPLY) {
                broken += r->time_us - r->operand[0] < due[number];
            }
        }
    }
    world_free(w);
    return broken;
}

static uint32_t too_old_of(const char *rule)
{
    uint32_t broken = 0;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        broken += too_old(seed, rule);
    }
    return broken;
}

static void no_answer_is_older_than_an_edit_that_its_router_acknowledged(void **state)
{
    (void)state;
    assert_int_equal(too_old_of(NULL), 0);
    assert_int_equal(too_old_of("single-flight"), 0);
    assert_true(too_old_of("drop-on-edit") > 100);
    assert_true(too_old_of("fill-not-across-edit") > 10);
}

static void a_like_and_another_routers_edit_leave_the_entry_alone(void **state)
{
    (void)state;
    struct world *w = busy_world();
    play(w, "reads post:{p9} cached");
    play_request(w, "request read post:{p9} via R0");
    play_request(w, "request like post:{p9} via R0");
    play_request(w, "request edit post:{p9} via R1");
    assert_true(at_router(w, 0).held_us >= 0);
    play_request(w, "request edit post:{p9} via R0");
    assert_int_equal(at_router(w, 0).held_us, -1);
    world_free(w);
}

/* Ground truth: the counter that a read returns was there at most a stale bound and a fetch ago. */
static void no_answer_is_older_than_the_stale_bound_and_a_fetch(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct world_config c = busy_config();
        c.seed = seed;
        struct world *w = play_new(&c);
        play(w, "flow read likes:{p9} 100 poisson");
        play(w, "flow like likes:{p9} 900 poisson");
        play(w, "reads likes:{p9} cached 50 150");
        static int64_t when[1 << 13]; /* the counter became i */
        uint64_t next = trace_next(w);
        uint32_t reads = 0;
        while (world_now(w) < EIGHT_PM + 2 * US_PER_SECOND && world_step(w)) {
            for (; next < trace_next(w); next++) {
                const struct trace_record *r = trace_get(w, next);
                if (r->kind == TRACE_ANSWER && r->op == OP_LIKE) {
                    when[r->value] = r->time_us;
                    when[r->value + 1] = INT64_MAX;
                } else if (r->kind == TRACE_REPLY && r->op == OP_READ) {
                    reads++;
                    assert_true(when[r->value + 1] > r->time_us - 150000 - 6500);
                }
            }
        }
        assert_true(reads > 100);
        world_free(w);
    }
}

/* --- whatever happens --------------------------------------------------------------------------
 */

static const char *const treatments[] = {
    "reads post:{p9} cached 5 20", "reads post:{p9} coalesced by-key", "reads post:{p9} coalesced",
    "reads post:{p9} replicas",    "reads post:{p9} copies 3",         "reads post:{p9} edge 10",
    "reads post:{p9} plain"};
#define TREATMENTS (sizeof treatments / sizeof *treatments)

/* Treatments change at any moment while messages are lost, doubled and held up, and routers and
 * shards die; at the end nobody waits for anything, and nothing has been kept for ever. */
static void come_to_rest(uint64_t seed)
{
    static const char *const mishaps[] = {"network loss 5% double 5% delay 10% 20", "network calm",
                                          "crash R1 15", "crash R4 30", "crash S2 10"};
    struct world_config c = busy_config();
    c.seed = seed;
    c.timeout_us = 30000;
    c.client_timeout_us = 150000;
    struct world *w = play_new(&c);
    struct prng random = prng_seeded(seed, "mishaps");
    play(w, "flow read post:{p9} 1500 poisson");
    play(w, "flow edit post:{p9} 100 poisson");
    play(w, "ceiling S2 0 600");
    for (int round = 0; round < 60; round++) {
        struct command command;
        bool treat = prng_below(&random, 2) == 0;
        uint64_t which = prng_below(&random, treat ? TREATMENTS : sizeof mishaps / sizeof *mishaps);
        assert_true(command_parse(treat ? treatments[which] : mishaps[which], &command, NULL));
        (void)world_apply(w, &command, NULL); /* what is plain or down already cannot be so again */
        if (prng_below(&random, 4) == 0) {
            play(w, "request read post:{p9} via R1");
        }
        run_for(w, (int64_t)prng_below(&random, 20000));
    }
    play(w, "flow read post:{p9} 0");
    play(w, "flow edit post:{p9} 0");
    run_for(w, 5 * US_PER_SECOND);
    struct err err = {{0}};
    if (world_stopped(w, &err)) {
        fail_msg("seed %llu: %s", (unsigned long long)seed, err.text);
    }
    if (!world_all_quiet(w)) {
        fail_msg("seed %llu: somebody waits for ever", (unsigned long long)seed);
    }
    play_holds(w);
    world_free(w);
}

static void whatever_happens_everybody_is_told(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        come_to_rest(seed);
    }
}

/* Reads of another key fill S2 three times over; p9 is read a hundred times a second. */
static struct world *crowded_world(const char *crowd)
{
    struct world *w = busy_world();
    play(w, "ceiling S2 0 3000");
    play(w, crowd);
    play(w, "flow read post:{p9} 100");
    world_run_until(w, EIGHT_PM + US_PER_SECOND);
    play(w, "reads post:{p9} cached");
    return w;
}

static uint32_t routers_with_an_entry(const struct world *w)
{
    uint32_t count = 0;
    for (uint16_t router = 0; router < 6; router++) {
        count += at_router(w, router).held_us >= 0;
    }
    return count;
}

/* A fetch is one request among others: refused like them, and begun anew by the next read. */
static void a_cache_fills_though_its_shard_refuses_most(void **state)
{
    (void)state;
    struct world *w = crowded_world("flow read page:{p9} 9000 scattered");
    world_run_until(w, EIGHT_PM + 3 * US_PER_SECOND);
    assert_int_equal(routers_with_an_entry(w), 6);
    for (int i = 0; i < 100; i++) { /* and stays full: a refused refresh leaves the old entry */
        world_run_until(w, world_now(w) + 50000);
        assert_int_equal(routers_with_an_entry(w), 6);
        play_holds(w);
    }
    assert_true(oldest(w) <= READS_STALE_US);
    world_free(w);
    /* Evenly spaced reads are in step: some always come just after another took the token. */
    w = crowded_world("flow read page:{p9} 9000 steady");
    world_run_until(w, EIGHT_PM + 10 * US_PER_SECOND);
    assert_in_range(routers_with_an_entry(w), 1, 5);
    world_free(w);
}

/* How long a request took is told by its reply, which an edge's own fetch has too. */
static void a_reply_says_how_long_its_request_took(void **state)
{
    (void)state;
    struct world *w = busy_world();
    play(w, "reads post:{p9} edge 500");
    uint64_t from = trace_next(w);
    struct request_info read = play_request(w, "request read post:{p9} via R0");
    uint32_t replies = 0, own = 0;
    for (; from < trace_next(w); from++) {
        const struct trace_record *r = trace_get(w, from);
        if (r->kind == TRACE_REPLY) {
            replies++;
            own += r->own;
            assert_int_equal(r->epoch, 0);
            assert_in_range(r->took_us, 6000, read.ended_us - read.issued_us);
            assert_int_equal(r->own, r->request != read.number);
        }
    }
    assert_int_equal(replies, 2);
    assert_int_equal(own, 1);
    world_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_router_asks_once_a_second),
        cmocka_unit_test(an_edge_asks_once_a_ttl_for_its_zone),
        cmocka_unit_test(identical_requests_at_an_edge_wait_for_one_fetch),
        cmocka_unit_test(a_hot_key_is_never_much_older_than_its_fresh_bound),
        cmocka_unit_test(a_cold_key_is_served_up_to_its_stale_bound_and_else_waits),
        cmocka_unit_test(each_rule_about_ages_bounds_them),
        cmocka_unit_test(single_flight_saves_the_shard_from_a_stampede),
        cmocka_unit_test(a_crashed_router_tells_who_waits_and_starts_empty),
        cmocka_unit_test(no_answer_is_older_than_an_edit_that_its_router_acknowledged),
        cmocka_unit_test(a_like_and_another_routers_edit_leave_the_entry_alone),
        cmocka_unit_test(no_answer_is_older_than_the_stale_bound_and_a_fetch),
        cmocka_unit_test(whatever_happens_everybody_is_told),
        cmocka_unit_test(a_cache_fills_though_its_shard_refuses_most),
        cmocka_unit_test(a_reply_says_how_long_its_request_took),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
