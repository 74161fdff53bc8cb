/*
 * Balances: credits on stripes, debits from the main account, and the sweeper in between.
 */
#include "play.h"

#include "base/prng.h"
#include "engine/accounts/accounts.h"
#include "engine/faults/faults.h"
#include "engine/rates.h"
#include <stdio.h>

#define A_SECOND US_PER_SECOND

static struct account_info info_of(const struct world *w, const char *key)
{
    struct account_info info;
    assert_true(accounts_find(w, play_key(w, key), &info));
    return info;
}

static void expect(const struct world *w, int64_t main, int64_t striped)
{
    struct account_info info = info_of(w, "acct:{a}");
    assert_int_equal(info.main, main);
    assert_int_equal(info.striped, striped);
    play_holds(w);
}

static void sweep_now(struct world *w)
{
    play(w, "sweep acct:{a}");
    world_run_until(w, world_now(w) + A_SECOND);
}

static void a_credit_can_be_spent_after_the_sweep(void **state)
{
    (void)state;
    struct world *w = play_world();
    play(w, "account acct:{a} 4 10");
    assert_int_equal(play_request(w, "request credit acct:{a} 60 via R0").outcome, OUTCOME_OK);
    expect(w, 0, 60);
    struct request_info r = play_request(w, "request debit acct:{a} 20 via R1");
    assert_int_equal(r.outcome, OUTCOME_SHORT);
    assert_int_equal(r.value, 0);
    expect(w, 0, 60);

    sweep_now(w);
    expect(w, 60, 0);
    r = play_request(w, "request debit acct:{a} 50 via R1");
    assert_int_equal(r.outcome, OUTCOME_OK);
    assert_int_equal(r.value, 10);
    r = play_request(w, "request debit acct:{a} via R1"); /* of 1: the floor is 10 */
    assert_int_equal(r.outcome, OUTCOME_SHORT);
    expect(w, 10, 0);
    assert_true(world_all_quiet(w));
    world_free(w);
}

static void stripes_are_taken_in_turn_and_have_slots_of_their_own(void **state)
{
    (void)state;
    struct world *w = play_world();
    play(w, "account acct:{a} 4 0");
    for (int i = 0; i < 8; i++) {
        play_request(w, "request credit acct:{a} 5 via R2");
    }
    uint32_t slots[4];
    for (uint32_t i = 0; i < 4; i++) {
        static const char *const names[] = {"acct:{a#0}", "acct:{a#1}", "acct:{a#2}", "acct:{a#3}"};
        uint32_t key = play_key(w, names[i]);
        slots[i] = world_key_slot(w, key);
        assert_int_equal(world_value(w, world_owner(w, slots[i]), key), 10);
        for (uint32_t before = 0; before < i; before++) {
            assert_int_not_equal(slots[i], slots[before]);
        }
    }
    expect(w, 0, 40);
    world_free(w);
}

static void without_stripes_credits_go_to_the_main_account(void **state)
{
    (void)state;
    struct world *w = play_world();
    play(w, "account plain 0 0");
    play_request(w, "request credit plain 7 via R0");
    assert_int_equal(info_of(w, "plain").main, 7);
    assert_int_equal(play_request(w, "request debit plain 7 via R3").outcome, OUTCOME_OK);
    assert_int_equal(play_request(w, "request debit plain 1 via R3").outcome, OUTCOME_SHORT);
    play_refused(w, "sweep plain",
                 "plain has no stripes to sweep; say \"account KEY STRIPES FLOOR\" first");
    play_holds(w);
    world_free(w);
}

static void fewer_stripes_are_still_swept(void **state)
{
    (void)state;
    struct world *w = play_world();
    play(w, "account acct:{a} 4 0");
    for (int i = 0; i < 4; i++) {
        play_request(w, "request credit acct:{a} 5 via R0");
    }
    play(w, "account acct:{a} 1 0");
    play_request(w, "request credit acct:{a} 5 via R0");
    expect(w, 0, 25);
    sweep_now(w);
    expect(w, 25, 0);
    world_free(w);
}

static void a_sweep_is_told_step_by_step(void **state)
{
    (void)state;
    struct world *w = play_world();
    play(w, "account acct:{a} 1 0");
    uint64_t from = trace_next(w);
    play_request(w, "request credit acct:{a} 40 via R0");
    play_expect(w, from,
                "20:00:00.000000  client a -> R0  credit acct:{a}\n"
                "20:00:00.000250  R0  the credit goes to stripe 0 of 1: acct:{a#0}\n"
                "20:00:00.000250  R0 -> S0  credit acct:{a#0} (slot 2493, as map version 7 says)\n"
                "20:00:00.000500  S0 -> R0  OK\n"
                "20:00:00.005750  R0 -> client a  OK\n");
    from = trace_next(w);
    play(w, "sweep acct:{a}");
    world_run_until(w, world_now(w) + A_SECOND);
    play_expect(w, from,
                "20:00:00.006000  operator  acct:{a}: a sweeper empties its stripes into the main "
                "account\n"
                "20:00:00.006000  R0  sweeper: look what stripe 0 holds\n"
                "20:00:00.006000  R0 -> S0  read acct:{a#0} (slot 2493, as map version 7 says)\n"
                "20:00:00.006250  S0 -> R0  OK, the counter is 40\n"
                "20:00:00.011500  R0  sweeper: take 40 off stripe 0\n"
                "20:00:00.011500  R0 -> S0  sweep acct:{a#0} (slot 2493, as map version 7 says)\n"
                "20:00:00.011750  S0 -> R0  OK\n"
                "20:00:00.017000  R0  sweeper: put 40 of stripe 0 on the main account\n"
                "20:00:00.017000  R0 -> S3  sweep acct:{a} (slot 15495, as map version 7 says)\n"
                "20:00:00.017500  S3 -> R0  OK\n"
                "20:00:00.023000  R0  sweeper: done, 40 moved to acct:{a}\n");
    world_free(w);
}

static void every_record_has_a_label_and_a_reason(void **state)
{
    (void)state;
    struct world *w = play_world();
    play(w, "account acct:{a} 2 5");
    play_request(w, "request credit acct:{a} 40 via R0");
    play_request(w, "request debit acct:{a} 4 via R0");
    sweep_now(w);
    play(w, "rule debit-main-only off");
    play_request(w, "request debit acct:{a} 4 via R0");
    play_request(w, "request debit acct:{a} 400 via R0");
    int records = 0;
    for (uint64_t i = trace_first(w); i < trace_next(w); i++) {
        const struct trace_record *r = trace_get(w, i);
        struct str label = STR_EMPTY;
        struct str why = STR_EMPTY;
        trace_label(w, r, &label);
        trace_why(w, r, &why);
        assert_true(label.length > 0 && label.length < 40);
        assert_true(why.length > 20);
        records += r->kind == TRACE_ACCOUNT;
        str_free(&label);
        str_free(&why);
    }
    assert_true(records >= 8);
    world_free(w);
}

static void a_sweep_every_so_often_keeps_up_with_credits(void **state)
{
    (void)state;
    struct world *w = play_world();
    play(w, "account acct:{a} 4 0");
    play(w, "flow credit acct:{a} 100");
    play(w, "sweep acct:{a} 200");
    world_run_until(w, EIGHT_PM + 5 * A_SECOND);
    struct account_info info = info_of(w, "acct:{a}");
    assert_true(info.main + info.in_transit >= 450);
    assert_true(info.striped <= 50);
    play(w, "flow credit acct:{a} 0");
    world_run_until(w, EIGHT_PM + 6 * A_SECOND);
    expect(w, 500, 0);
    play(w, "sweep acct:{a}"); /* once more, and no further */
    world_run_until(w, EIGHT_PM + 7 * A_SECOND);
    int64_t next;
    assert_false(world_next_time(w, &next));
    world_free(w);
}

static void credits_of_a_hot_account_spread_over_its_stripes(void **state)
{
    (void)state;
    struct world *w = play_world();
    struct world *scratch = world_copy(w);
    static struct rates rates;
    play(w, "account acct:{a} 4 0");
    play(w, "flow credit acct:{a} 400");
    world_run_until(w, EIGHT_PM + A_SECOND);
    rates_at(w, scratch, &rates);
    for (int shard = 0; shard < 4; shard++) {
        assert_int_equal(rates.shard[shard].writes, 100); /* a0 to a3 are on four shards */
    }
    world_free(scratch);
    world_free(w);
}

/* --- rules --- */

static void without_debit_main_only_two_stripes_spend_the_same_money(void **state)
{
    (void)state;
    struct world *w = play_world();
    play(w, "rule debit-main-only off");
    play(w, "account acct:{a} 4 0");
    play_request(w, "request credit acct:{a} 100 via R0");
    play(w, "request debit acct:{a} 100 via R1");
    play(w, "request debit acct:{a} 100 via R4"); /* reads the same sum at the same time */
    assert_true(world_run_until_answered(w, A_SECOND));
    struct account_info info = info_of(w, "acct:{a}");
    assert_int_equal(info.main + info.striped, -100);
    play_breaks(w, "floor");
    assert_int_equal(play_request(w, "request debit acct:{a} 1 via R1").outcome, OUTCOME_SHORT);
    world_free(w);
}

static void with_debit_main_only_one_of_them_gets_it(void **state)
{
    (void)state;
    struct world *w = play_world();
    play(w, "account acct:{a} 4 0");
    play_request(w, "request credit acct:{a} 100 via R0");
    sweep_now(w);
    play(w, "request debit acct:{a} 100 via R1");
    play(w, "request debit acct:{a} 100 via R4");
    assert_true(world_run_until_answered(w, A_SECOND));
    expect(w, 0, 0);
    world_free(w);
}

/* The sweeper's router dies after the stripe was emptied. */
static struct world *swept_by_a_router_that_dies(bool atomic)
{
    struct world *w = play_world();
    play(w, atomic ? "rule sweep-atomic on" : "rule sweep-atomic off");
    play(w, "account acct:{a} 1 0");
    play_request(w, "request credit acct:{a} 40 via R0");
    play(w, "sweep acct:{a} 100");
    world_run_until(w, EIGHT_PM + 14000); /* the answer of the take is on its way */
    struct account_info info = info_of(w, "acct:{a}");
    assert_int_equal(info.striped, 0);
    assert_int_equal(info.in_transit, 40);
    play_holds(w);
    play(w, "crash R0 50");
    world_run_until(w, EIGHT_PM + A_SECOND);
    return w;
}

static void a_sweep_that_was_interrupted_is_finished(void **state)
{
    (void)state;
    struct world *w = swept_by_a_router_that_dies(true);
    expect(w, 40, 0);
    world_free(w);
}

static void without_sweep_atomic_what_was_in_transit_is_lost(void **state)
{
    (void)state;
    struct world *w = swept_by_a_router_that_dies(false);
    assert_int_equal(info_of(w, "acct:{a}").main, 0);
    play_breaks(w, "money-kept");
    world_free(w);
}

/* --- any schedule --- */

static struct world_config rough_config(uint64_t seed)
{
    struct world_config c = play_config();
    c.seed = seed;
    c.slots = 64;
    c.timeout_us = 20000;
    c.client_timeout_us = 200000;
    c.requests_max = 1024;
    c.events_max = 8192;
    c.store_max = 64;
    c.recent_max = 200;
    return c;
}

/* Something that an operator or bad luck does; refused when it is impossible now. */
static void meddle(struct world *w, struct prng *prng)
{
    uint64_t what = prng_below(prng, 300);
    unsigned number = (unsigned)prng_below(prng, 4);
    unsigned slot = world_key_slot(w, play_key(w, what % 2 == 0 ? "acct:{a}" : "acct:{a#1}"));
    struct command command;
    char words[64] = "";
    if (what < 2) {
        (void)snprintf(words, sizeof words, "crash %c%u 40", what == 0 ? 'R' : 'S', number);
    } else if (what < 4) {
        (void)snprintf(words, sizeof words, "request debit acct:{a} 9 via R%u", number);
    } else if (what < 8) {
        (void)snprintf(words, sizeof words, "migrate %u S%u 1000 100000", slot, number);
    } else if (what < 16) {
        (void)snprintf(words, sizeof words, "fence %u", slot);
    }
    if (words[0] != '\0') {
        assert_true(command_parse(words, &command, NULL));
        world_apply(w, &command, NULL);
    }
}

struct tally { /* of what happened in some schedules: else they would show nothing */
    uint64_t held, moves, faults[FAULT_KINDS];
};

/* 2,000 events of credits, debits and sweeps while messages are lost, doubled and late, routers and
 * shards die, and slots move. Returns whether every event left the invariants whole. */
static bool play_rough(uint64_t seed, const char *rule_off, struct tally *tally, struct err *err)
{
    struct world_config c = rough_config(seed);
    struct world *w = play_new(&c);
    struct prng prng = prng_seeded(seed, "rough");
    play(w, "account acct:{a} 3 10");
    play(w, "sweep acct:{a} 30");
    if (rule_off != NULL) {
        play(w, rule_off);
    }
    play(w, "network loss 3% double 3% delay 10% 60");
    play(w, "flow credit acct:{a} 200 poisson");
    play(w, "flow debit acct:{a} 150 poisson");
    bool whole = true;
    for (int i = 0; i < 2000 && whole; i++) {
        meddle(w, &prng);
        assert_true(world_step(w));
        whole = accounts_hold(w, err);
    }
    if (world_stopped(w, err)) {
        fail_msg("seed %u: %s", (unsigned)seed, err->text);
    }
    tally->held += (uint64_t)info_of(w, "acct:{a}").main;
    for (int fault = 0; fault < FAULT_KINDS; fault++) {
        tally->faults[fault] += world_faults(w, (enum fault)fault);
    }
    tally->moves += world_map_version(w) - c.map_version;
    world_free(w);
    return whole;
}

static void no_schedule_breaks_the_floor_or_loses_money(void **state)
{
    (void)state;
    struct tally tally = {0};
    for (uint64_t seed = 1; seed <= 1000; seed++) {
        struct err err = {{0}};
        if (!play_rough(seed, NULL, &tally, &err)) {
            fail_msg("seed %u: %s", (unsigned)seed, err.text);
        }
    }
    assert_true(tally.held > 0);
    assert_true(tally.moves > 100);
    for (int fault = 0; fault < FAULT_KINDS; fault++) {
        assert_true(tally.faults[fault] > 100);
    }
}

/* In how many of 100 schedules the invariant breaks, by its name. */
static int broken_of_100(const char *rule_off, const char *invariant)
{
    int broken = 0;
    struct tally tally = {0};
    for (uint64_t seed = 1; seed <= 100; seed++) {
        struct err err = {{0}};
        broken += !play_rough(seed, rule_off, &tally, &err) && str_starts(err.text, invariant);
    }
    return broken;
}

static void each_rule_off_breaks_some_schedule(void **state)
{
    (void)state;
    assert_true(broken_of_100("rule sweep-atomic off", "money-kept") > 0);
    assert_true(broken_of_100("rule debit-main-only off", "floor") > 0);
    assert_true(broken_of_100("rule once-per-operation off", "money-kept") > 0);
}

static void a_copy_goes_on_like_its_original(void **state)
{
    (void)state;
    struct world_config c = rough_config(5);
    struct world *w = play_new(&c);
    play(w, "account acct:{a} 3 10");
    play(w, "sweep acct:{a} 30");
    play(w, "network loss 3% double 3% delay 10% 60");
    play(w, "flow credit acct:{a} 200 poisson");
    play(w, "flow debit acct:{a} 150 poisson");
    world_run_until(w, EIGHT_PM + A_SECOND);
    struct world *copy = world_copy(w);
    world_run_until(w, EIGHT_PM + 2 * A_SECOND);
    world_run_until(copy, EIGHT_PM + 2 * A_SECOND);
    assert_true(digest_equal(world_digest(w), world_digest(copy)));
    world_free(copy);
    world_free(w);
}

/* --- commands --- */

static void commands_read_back_as_they_were_said(void **state)
{
    (void)state;
    static const char *const forms[] = {
        "account acct:{a} 4 100",
        "sweep acct:{a}",
        "sweep acct:{a} 2.5",
        "lease limit:{t} 2400 100",
        "index likes:{p1} idx:{nova}",
        "index likes:{p1} idx:{nova} sync",
        "index likes:{p1} idx:{nova} throttle",
        "index likes:{p1} none",
        "request credit acct:{a} 40 via R3",
        "request debit acct:{a} via R3 from b",
        "request take limit:{t} via R0",
    };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        struct command c;
        struct err err = {{0}};
        struct str out = STR_EMPTY;
        if (!command_parse(forms[i], &c, &err)) {
            fail_msg("%s: %s", forms[i], err.text);
        }
        command_say(&c, &out);
        assert_string_equal(str_text(&out), forms[i]);
        str_free(&out);
    }
    struct command c;
    assert_false(command_parse("request credit a 0 via R0", &c, NULL));
    assert_false(command_parse("index a b sometimes", &c, NULL));
}

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    struct world *w = play_world();
    play(w, "account acct:{a} 2 0");
    play(w, "lease limit:{t} 100 10");
    play_refused(w, "account acct:{b} 17 0",
                 "an account has 0 to 16 stripes and a floor of 0 to 4294967294");
    play_refused(w, "lease acct:{a} 100 10", "acct:{a} is an account already; use another key");
    play_refused(w, "account limit:{t} 1 0", "limit:{t} is a budget already; use another key");
    play_refused(w, "account acct:{a#1} 1 0", "acct:{a#1} is a stripe already; use another key");
    play_refused(w, "lease x 0 10",
                 "a budget has 1 to 1000000 tokens a second, leased in blocks of 1 to 1000000");
    play_refused(w, "index a a", "a cannot be its own index");
    play_refused(w, "index a none", "a has no index, so none can end");
    play_refused(w, "index a acct:{a}", "acct:{a} is an account or a budget, and no index");
    /* nobody made an account of these */
    assert_int_equal(play_request(w, "request credit nothing via R0").outcome, OUTCOME_SHORT);
    assert_int_equal(play_request(w, "request take acct:{a} via R0").outcome, OUTCOME_SHORT);
    assert_int_equal(play_request(w, "request debit limit:{t} via R0").outcome, OUTCOME_SHORT);
    play_holds(w);
    world_free(w);
}

static void an_account_moves_with_its_slots(void **state)
{
    (void)state;
    struct world *w = play_world();
    play(w, "account acct:{a} 2 0");
    play_request(w, "request credit acct:{a} 40 via R0");
    play(w, "sweep acct:{a}");
    world_run_until(w, world_now(w) + 14000);
    play(w, "move 0-16383 S1"); /* between take and put */
    play_holds(w);
    world_run_until(w, world_now(w) + A_SECOND);
    expect(w, 40, 0);
    world_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_credit_can_be_spent_after_the_sweep),
        cmocka_unit_test(stripes_are_taken_in_turn_and_have_slots_of_their_own),
        cmocka_unit_test(without_stripes_credits_go_to_the_main_account),
        cmocka_unit_test(fewer_stripes_are_still_swept),
        cmocka_unit_test(a_sweep_is_told_step_by_step),
        cmocka_unit_test(every_record_has_a_label_and_a_reason),
        cmocka_unit_test(a_sweep_every_so_often_keeps_up_with_credits),
        cmocka_unit_test(credits_of_a_hot_account_spread_over_its_stripes),
        cmocka_unit_test(without_debit_main_only_two_stripes_spend_the_same_money),
        cmocka_unit_test(with_debit_main_only_one_of_them_gets_it),
        cmocka_unit_test(a_sweep_that_was_interrupted_is_finished),
        cmocka_unit_test(without_sweep_atomic_what_was_in_transit_is_lost),
        cmocka_unit_test(no_schedule_breaks_the_floor_or_loses_money),
        cmocka_unit_test(each_rule_off_breaks_some_schedule),
        cmocka_unit_test(a_copy_goes_on_like_its_original),
        cmocka_unit_test(commands_read_back_as_they_were_said),
        cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(an_account_moves_with_its_slots),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
