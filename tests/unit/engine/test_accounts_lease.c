/*
 * Budgets: takes that routers answer from blocks that they lease.
 */
#include "play.h"

#include "base/prng.h"
#include "engine/accounts/accounts.h"
#include "engine/rates.h"
#include <stdio.h>

static struct account_info info_of(const struct world *w, const char *key)
{
    struct account_info info;
    assert_true(accounts_find(w, play_key(w, key), &info));
    return info;
}

/* Writes a second that the whole cluster is asked for by these takes a second. */
static uint64_t writes_for(uint32_t takes, uint32_t block)
{
    static struct rates rates;
    struct world *w = play_world();
    struct world *scratch = world_copy(w);
    char words[64];
    (void)snprintf(words, sizeof words, "lease limit:{t} %u %u", takes, block);
    play(w, words);
    (void)snprintf(words, sizeof words, "flow take limit:{t} %u", takes);
    play(w, words);
    world_run_until(w, EIGHT_PM + US_PER_SECOND);
    rates_at(w, scratch, &rates);
    assert_int_equal(
        rates.shard[world_owner(w, world_key_slot(w, play_key(w, "limit:{t}")))].writes,
        rates.cluster.writes);
    play_holds(scratch);
    world_free(scratch);
    world_free(w);
    return rates.cluster.writes;
}

static void blocks_of_100_turn_2400_takes_into_24_writes(void **state)
{
    (void)state;
    assert_int_equal(writes_for(2400, 100), 24);
    assert_int_equal(writes_for(2400, 10), 240);
    assert_int_equal(writes_for(2400, 400), 6); /* one a router */
}

static void with_blocks_of_one_each_take_asks(void **state)
{
    (void)state;
    assert_int_equal(writes_for(2400, 1), 2400);
}

static void every_take_of_the_budget_is_granted(void **state)
{
    (void)state;
    struct world *w = play_world();
    play(w, "lease limit:{t} 2400 100");
    play(w, "flow take limit:{t} 2400");
    world_run_until(w, EIGHT_PM + 3 * US_PER_SECOND - 1);
    struct account_info info = info_of(w, "limit:{t}");
    assert_int_equal(info.spent, 2400);
    assert_int_equal(info.granted, 2400);
    play_holds(w);
    world_free(w);
}

static void takes_beyond_the_budget_are_declined_without_asking_again(void **state)
{
    (void)state;
    static struct rates rates;
    struct world *w = play_world();
    struct world *scratch = world_copy(w);
    play(w, "lease limit:{t} 1000 100");
    play(w, "flow take limit:{t} 2400");
    world_run_until(w, EIGHT_PM + US_PER_SECOND);
    rates_at(w, scratch, &rates);
    struct account_info info = info_of(w, "limit:{t}");
    world_run_until(w, EIGHT_PM + 2 * US_PER_SECOND - 1);
    info = info_of(w, "limit:{t}");
    assert_int_equal(info.granted, 1000);
    assert_true(info.spent <= 1000 && info.spent > 900);
    /* ten blocks, and each router learns once that nothing is left */
    assert_true(rates.cluster.writes <= 16);
    assert_int_equal(play_request(w, "request take limit:{t} via R0").outcome, OUTCOME_OK);
    world_free(scratch);
    world_free(w);
}

static void one_take_is_told_step_by_step(void **state)
{
    (void)state;
    struct world *w = play_world();
    play(w, "lease limit:{t} 3 2");
    uint64_t from = trace_next(w);
    play_request(w, "request take limit:{t} via R0");
    play_request(w, "request take limit:{t} via R0");
    play_expect(w, from,
                "20:00:00.000000  client a -> R0  take limit:{t}\n"
                "20:00:00.000250  R0  has no token of limit:{t} left and leases a block of 2\n"
                "20:00:00.000250  R0 -> S3  lease limit:{t} (slot 15891, as map version 7 says)\n"
                "20:00:00.000750  S3 -> R0  OK\n"
                "20:00:00.006250  R0  was granted 2 tokens\n"
                "20:00:00.006250  R0 -> client a  OK (a token that R0 had leased, 1 left)\n"
                "20:00:00.006500  client a -> R0  take limit:{t}\n"
                "20:00:00.006750  R0 -> client a  OK (a token that R0 had leased, 0 left)\n");
    play_request(w, "request take limit:{t} via R0");
    from = trace_next(w);
    play_request(w, "request take limit:{t} via R0");
    struct request_info r;
    assert_true(world_request(w, world_last_request(w), &r));
    assert_int_equal(r.outcome, OUTCOME_SHORT);
    from = trace_next(w);
    r = play_request(w, "request take limit:{t} via R0"); /* it knows by now, and asks nobody */
    assert_int_equal(r.asks, 0);
    play_expect(w, trace_next(w) - 1,
                "20:00:00.020250  R0 -> client a  not enough: only 0 is left of this second's 3 "
                "tokens\n");
    for (uint64_t i = trace_first(w); i < trace_next(w); i++) {
        struct str why = STR_EMPTY;
        struct str label = STR_EMPTY;
        trace_why(w, trace_get(w, i), &why);
        trace_label(w, trace_get(w, i), &label);
        assert_true(why.length > 20);
        assert_true(label.length > 0);
        str_free(&why);
        str_free(&label);
    }
    world_free(w);
}

static void a_crash_loses_tokens_and_a_new_second_brings_new_ones(void **state)
{
    (void)state;
    struct world *w = play_world();
    play(w, "lease limit:{t} 10 10");
    assert_int_equal(play_request(w, "request take limit:{t} via R0").outcome, OUTCOME_OK);
    play(w, "crash R0 1");
    world_run_until(w, EIGHT_PM + 100000);
    struct request_info r = play_request(w, "request take limit:{t} via R0");
    assert_int_equal(r.outcome, OUTCOME_SHORT); /* nine tokens died with R0 */
    assert_int_equal(info_of(w, "limit:{t}").spent, 1);
    world_run_until(w, EIGHT_PM + US_PER_SECOND);
    assert_int_equal(play_request(w, "request take limit:{t} via R0").outcome, OUTCOME_OK);
    play_holds(w);
    world_free(w);
}

static void a_budget_at_a_shard_beyond_its_ceiling_fails_those_who_wait(void **state)
{
    (void)state;
    struct world *w = play_world();
    play(w, "lease limit:{t} 1000 10");
    play(w, "ceiling S3 1 0");
    play_request(w, "request edit limit:{t} via R1"); /* its one token */
    struct request_info r = play_request(w, "request take limit:{t} via R0");
    assert_int_equal(r.outcome, OUTCOME_REFUSED);
    assert_int_equal(r.shard, 3);
    assert_true(world_all_quiet(w));
    world_free(w);
}

static void without_lease_once_more_is_spent_than_there_is(void **state)
{
    (void)state;
    struct world *w = play_world();
    play(w, "rule lease-once off");
    play(w, "lease limit:{t} 100 100");
    play(w, "flow take limit:{t} 2400");
    world_run_until(w, EIGHT_PM + US_PER_SECOND / 2);
    assert_true(info_of(w, "limit:{t}").spent > 500); /* each of six routers has the same hundred */
    play_breaks(w, "budget");
    world_free(w);
}

static bool play_rough(uint64_t seed, const char *rule_off, struct err *err)
{
    struct world_config c = play_config();
    struct prng prng = prng_seeded(seed, "rough");
    c.seed = seed;
    c.slots = 64;
    c.timeout_us = 20000;
    c.client_timeout_us = 200000;
    c.requests_max = 2048;
    c.events_max = 8192;
    c.recent_max = 64;
    c.start_us += US_PER_SECOND - 300000;
    struct world *w = play_new(&c);
    play(w, "lease limit:{t} 60 7");
    play(w, rule_off);
    play(w, "network loss 3% double 3% delay 10% 60");
    play(w, "flow take limit:{t} 800 poisson");
    bool whole = true;
    for (int i = 0; i < 2000 && whole; i++) {
        struct command command;
        char words[32];
        (void)snprintf(words, sizeof words, "crash R%u 40", (unsigned)prng_below(&prng, 6));
        if (prng_chance(&prng, 1, 100)) {
            assert_true(command_parse(words, &command, NULL));
            world_apply(w, &command, NULL); /* refused if it is down already */
        }
        assert_true(world_step(w));
        whole = accounts_hold(w, err);
    }
    if (world_stopped(w, err)) {
        fail_msg("seed %u: %s", (unsigned)seed, err->text);
    }
    world_free(w);
    return whole;
}

static void no_schedule_spends_more_than_the_budget(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        struct err err = {{0}};
        if (!play_rough(seed, "rule lease-once on", &err)) {
            fail_msg("seed %u: %s", (unsigned)seed, err.text);
        }
    }
    struct err err = {{0}};
    assert_false(play_rough(1, "rule lease-once off", &err));
    assert_true(str_starts(err.text, "budget"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_of_100_turn_2400_takes_into_24_writes),
        cmocka_unit_test(with_blocks_of_one_each_take_asks),
        cmocka_unit_test(every_take_of_the_budget_is_granted),
        cmocka_unit_test(takes_beyond_the_budget_are_declined_without_asking_again),
        cmocka_unit_test(one_take_is_told_step_by_step),
        cmocka_unit_test(a_crash_loses_tokens_and_a_new_second_brings_new_ones),
        cmocka_unit_test(a_budget_at_a_shard_beyond_its_ceiling_fails_those_who_wait),
        cmocka_unit_test(without_lease_once_more_is_spent_than_there_is),
        cmocka_unit_test(no_schedule_spends_more_than_the_budget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
