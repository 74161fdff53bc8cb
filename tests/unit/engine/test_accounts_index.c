/*
 * Index entries: each write brings one with it, to a key that may be the hottest of all.
 */
#include "play.h"

#include "base/prng.h"
#include "engine/accounts/accounts.h"
#include "engine/rates.h"
#include <stdio.h>

static const int nova[] = {1, 5, 9, 13};

static struct account_info index_of(const struct world *w)
{
    for (uint32_t row = 0; row < accounts_count(w); row++) {
        struct account_info info = accounts_info(w, row);
        if (info.kind == ACCOUNT_INDEX) {
            return info;
        }
    }
    fail_msg("no index");
    return (struct account_info){.kind = ACCOUNT_INDEX};
}

static void index_posts(struct world *w, const char *mode)
{
    char words[80];
    for (size_t i = 0; i < 4; i++) {
        (void)snprintf(words, sizeof words, "index likes:{p%d} idx:{nova} %s", nova[i], mode);
        play(w, words);
        (void)snprintf(words, sizeof words, "flow like likes:{p%d} %d", nova[i],
                       nova[i] == 9 ? 2400 : 50);
        play(w, words);
    }
}

static struct world *big_world(void)
{
    struct world_config c = play_config();
    c.requests_max = 4096;
    c.events_max = 8192;
    return play_new(&c);
}

static void four_posts_of_one_creator_meet_at_one_index_key(void **state)
{
    (void)state;
    static struct rates rates;
    struct world *w = big_world();
    struct world *scratch = world_copy(w);
    index_posts(w, "async");
    world_run_until(w, EIGHT_PM + US_PER_SECOND);
    rates_at(w, scratch, &rates);
    uint16_t shard = world_owner(w, world_key_slot(w, play_key(w, "idx:{nova}")));
    assert_int_not_equal(shard, 2);
    assert_int_equal(rates.shard[2].writes, 2550);     /* the posts' likes */
    assert_int_equal(rates.shard[shard].writes, 2550); /* and their index's */
    assert_int_equal(rates.cluster.writes, 5100);
    play_holds(scratch);
    world_free(scratch);
    world_free(w);
}

static void a_salted_index_key_spreads_evenly(void **state)
{
    (void)state;
    struct world *w = big_world();
    index_posts(w, "async");
    play(w, "writes idx:{nova} salted 8");
    world_run_until(w, EIGHT_PM + US_PER_SECOND);
    uint64_t before[8];
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 8; i++) {
            char name[32];
            (void)snprintf(name, sizeof name, "idx:{nova#%d}", i);
            uint32_t key = play_key(w, name);
            uint64_t entries = world_value(w, world_owner(w, world_key_slot(w, key)), key);
            if (round == 1) { /* 318.75 a second */
                assert_true(entries - before[i] >= 4 * 318 && entries - before[i] <= 4 * 319 + 1);
            }
            before[i] = entries;
        }
        world_run_until(w, world_now(w) + 4 * US_PER_SECOND);
    }
    play_holds(w);
    world_free(w);
}

static void an_entry_is_told_and_counted(void **state)
{
    (void)state;
    struct world *w = play_world();
    play(w, "index likes:{p9} idx:{nova}");
    uint64_t from = trace_next(w);
    play_request(w, "request like likes:{p9} via R3");
    play_expect(w, from,
                "20:00:00.000000  client b -> R3  like likes:{p9}\n"
                "20:00:00.000250  R3  the write brings an index entry with it: idx:{nova}\n"
                "20:00:00.000250  R3 -> S1  like idx:{nova} (slot 4778, as map version 7 says)\n"
                "20:00:00.000250  R3 -> S2  like likes:{p9} (slot 12067, as map version 7 says)\n"
                "20:00:00.000500  S1 -> R3  OK, the counter is 1\n"
                "20:00:00.000750  S2 -> R3  OK, the counter is 1\n"
                "20:00:00.006250  R3 -> client b  OK, the counter is 1\n");
    world_run_until(w, EIGHT_PM + US_PER_SECOND);
    assert_int_equal(index_of(w).written, 1);
    assert_int_equal(world_acked(w, play_key(w, "idx:{nova}")), 1);
    assert_true(world_all_quiet(w));
    play(w, "index likes:{p9} none");
    play_request(w, "request like likes:{p9} via R3");
    assert_int_equal(index_of(w).written, 1);
    play_holds(w);
    world_free(w);
}

/* The index's shard takes 2 writes a second, and has spent what it had. */
static struct world *throttled(const char *mode)
{
    struct world *w = play_world();
    char words[64];
    (void)snprintf(words, sizeof words, "index likes:{p9} idx:{nova} %s", mode);
    play(w, words);
    uint16_t shard = world_owner(w, world_key_slot(w, play_key(w, "idx:{nova}")));
    (void)snprintf(words, sizeof words, "ceiling S%u 2 0", shard);
    play(w, words);
    play_request(w, "request like idx:{nova} via R0");
    return w;
}

static void an_asynchronous_index_lags_and_catches_up(void **state)
{
    (void)state;
    struct world *w = throttled("async");
    assert_int_equal(play_request(w, "request like likes:{p9} via R3").outcome, OUTCOME_OK);
    assert_int_equal(play_request(w, "request like likes:{p9} via R3").outcome, OUTCOME_OK);
    struct account_info info = index_of(w);
    assert_int_equal(info.written, 0);
    assert_int_equal(info.behind, 2);
    world_run_until(w, EIGHT_PM + 2 * US_PER_SECOND);
    info = index_of(w);
    assert_int_equal(info.written, 2);
    assert_int_equal(info.behind, 0);
    assert_int_equal(info.missing, 0);
    assert_true(world_all_quiet(w));
    play_holds(w);
    world_free(w);
}

static void an_index_that_cannot_keep_up_misses_entries(void **state)
{
    (void)state;
    struct world *w = big_world();
    index_posts(w, "async");
    uint16_t shard = world_owner(w, world_key_slot(w, play_key(w, "idx:{nova}")));
    char words[64];
    (void)snprintf(words, sizeof words, "ceiling S%u 1000 0", shard);
    play(w, words);
    world_run_until(w, EIGHT_PM + 3 * US_PER_SECOND);
    struct account_info info = index_of(w);
    assert_true(info.behind <= 6 * 64);
    assert_true(info.missing > 1000);
    assert_true(info.written + info.missing + info.behind >= 3 * 2550 - 100);
    assert_int_equal(world_shard(w, 2).refused_writes, 0); /* the posts do not notice */
    assert_false(world_stopped(w, NULL));
    play_holds(w);
    world_free(w);
}

static void an_index_that_throttles_refuses_the_writes_that_it_indexes(void **state)
{
    (void)state;
    struct world *w = throttled("throttle");
    assert_int_equal(play_request(w, "request like likes:{p9} via R3").outcome, OUTCOME_OK);
    struct request_info r = play_request(w, "request like likes:{p9} via R3");
    assert_int_equal(r.outcome, OUTCOME_REFUSED);
    play_expect(w, trace_next(w) - 1,
                "20:00:00.013250  R3 -> client b  refused: S1 is at its ceiling, and 1 index entry "
                "waits for it\n");
    assert_int_equal(play_request(w, "request like likes:{p9} via R0").outcome,
                     OUTCOME_OK); /* R0 does not know yet */
    world_run_until(w, EIGHT_PM + 3 * US_PER_SECOND);
    assert_int_equal(play_request(w, "request like likes:{p9} via R3").outcome, OUTCOME_OK);
    play_holds(w);
    world_free(w);
}

static void a_synchronous_index_goes_first(void **state)
{
    (void)state;
    struct world *w = play_world();
    play(w, "index likes:{p9} idx:{nova} sync");
    struct request_info r = play_request(w, "request like likes:{p9} via R3");
    assert_int_equal(r.outcome, OUTCOME_OK);
    assert_true(r.ended_us - r.issued_us >= 2 * 5000); /* two queries, one after the other */
    assert_int_equal(index_of(w).written, 1);
    world_free(w);

    w = throttled("sync");
    r = play_request(w, "request like likes:{p9} via R3");
    assert_int_equal(r.outcome, OUTCOME_REFUSED);
    assert_int_equal(world_acked(w, play_key(w, "likes:{p9}")), 0);
    assert_int_equal(world_value(w, 2, play_key(w, "likes:{p9}")), 0);
    assert_int_equal(index_of(w).missing, 1);
    assert_true(world_all_quiet(w));
    play_holds(w);
    world_free(w);
}

static void a_dying_router_lets_go_of_what_waited(void **state)
{
    (void)state;
    struct world *w = play_world();
    play(w, "index likes:{p9} idx:{nova} sync");
    play(w, "request like likes:{p9} via R3");
    world_run_until(w, EIGHT_PM + 3000); /* the entry is on its way */
    play(w, "crash R3 100");
    world_run_until(w, EIGHT_PM + US_PER_SECOND);
    assert_true(world_all_quiet(w));
    play_holds(w);
    assert_int_equal(play_request(w, "request like likes:{p9} via R3").outcome, OUTCOME_OK);
    world_free(w);
}

static void no_schedule_miscounts_an_index(void **state)
{
    (void)state;
    static const char *const modes[] = {"async", "sync", "throttle"};
    for (uint64_t seed = 1; seed <= 60; seed++) {
        struct world_config c = play_config();
        struct prng prng = prng_seeded(seed, "rough");
        c.seed = seed;
        c.slots = 64;
        c.timeout_us = 20000;
        c.client_timeout_us = 200000;
        c.requests_max = 2048;
        c.events_max = 8192;
        c.recent_max = 200;
        struct world *w = play_new(&c);
        char words[64];
        (void)snprintf(words, sizeof words, "index likes:{p9} idx:{nova} %s", modes[seed % 3]);
        play(w, words);
        play(w, "ceiling S1 100 0");
        play(w, "network loss 3% double 3% delay 10% 60");
        play(w, "flow like likes:{p9} 300 poisson");
        for (int i = 0; i < 2000; i++) {
            struct command command;
            (void)snprintf(words, sizeof words, "crash R%u 40", (unsigned)prng_below(&prng, 6));
            if (prng_chance(&prng, 1, 200)) {
                assert_true(command_parse(words, &command, NULL));
                world_apply(w, &command, NULL);
            }
            assert_true(world_step(w));
            if (i % 10 == 0) {
                play_holds(w);
            }
        }
        play(w, "flow like likes:{p9} 0");
        play(w, "network calm");
        world_run_until(w, world_now(w) + 10 * US_PER_SECOND);
        assert_false(world_stopped(w, NULL));
        assert_true(world_all_quiet(w)); /* nobody was forgotten */
        play_holds(w);
        world_free(w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(four_posts_of_one_creator_meet_at_one_index_key),
        cmocka_unit_test(a_salted_index_key_spreads_evenly),
        cmocka_unit_test(an_entry_is_told_and_counted),
        cmocka_unit_test(an_asynchronous_index_lags_and_catches_up),
        cmocka_unit_test(an_index_that_cannot_keep_up_misses_entries),
        cmocka_unit_test(an_index_that_throttles_refuses_the_writes_that_it_indexes),
        cmocka_unit_test(a_synchronous_index_goes_first),
        cmocka_unit_test(a_dying_router_lets_go_of_what_waited),
        cmocka_unit_test(no_schedule_miscounts_an_index),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
