/*
 * Key by key with ASK: likes and reads go on while the keys of a slot change sides one by one.
 */
#include "play.h"

#include "engine/shifts/shifts.h"
#include "engine/state.h"
#include <stdio.h>

#define OTHERS 5

/* Likes of p9 and of some more keys with its tag, so that slot 12067 holds several keys. */
static struct world *ask_world(void)
{
    struct world_config c = play_config();
    c.shards = 5;
    c.apply_us = 12000;
    c.commit_us = 1000;
    c.trace_max = 8192;
    struct world *w = play_new(&c);
    play(w, "move 12067 S2");
    world_run_until(w, EIGHT_PM + 20000); /* everybody has the map */
    play_request(w, "request like likes:{p9} via R0");
    for (int i = 0; i < OTHERS; i++) {
        char words[64];
        (void)snprintf(words, sizeof words, "request like other%d:{p9} via R%d", i, i);
        play_request(w, words);
    }
    play_request(w, "request edit post:{p9} via R1");
    return w;
}

static void run_and_hold(struct world *w, int64_t us)
{
    int64_t end = world_now(w) + us;
    int64_t next = 0;
    while (world_next_time(w, &next) && next < end) {
        world_step(w);
        play_holds(w);
    }
    world_run_until(w, end);
}

static bool run_until_broken(struct world *w, int64_t us, struct err *err)
{
    int64_t end = world_now(w) + us;
    int64_t next = 0;
    while (world_next_time(w, &next) && next < end) {
        world_step(w);
        if (!invariant_hold(w, err)) {
            return true;
        }
    }
    return false;
}

static void expect_broken(struct world *w, int64_t us, const char *invariant)
{
    struct err err = {{0}};
    if (!run_until_broken(w, us, &err)) {
        fail_msg("nothing broke, %s was to", invariant);
    }
    if (!str_starts(err.text, invariant)) {
        fail_msg("%s was to break, but: %s", invariant, err.text);
    }
}

static uint32_t count_records(const struct world *w, uint64_t from, enum trace_kind kind,
                              enum outcome outcome)
{
    uint32_t count = 0;
    for (uint64_t i = from < trace_first(w) ? trace_first(w) : from; i < trace_next(w); i++) {
        const struct trace_record *r = trace_get(w, i);
        count += r->kind == kind && r->outcome == outcome;
    }
    return count;
}

static void a_key_that_has_gone_is_asked_for_once_more_and_the_map_stays(void **state)
{
    (void)state;
    struct world *w = ask_world();
    play(w, "shift 12067 S4 1000000");
    run_and_hold(w, 100);
    struct shift_info info = world_shift(w, 0);
    assert_int_equal(info.kind, SHIFT_ASK);
    assert_int_equal(info.here, 0);
    assert_int_equal(info.there, OTHERS + 2);
    uint32_t version = world_map_version(w);
    struct request_info r = play_request(w, "request like likes:{p9} via R3");
    assert_int_equal(r.outcome, OUTCOME_OK);
    assert_int_equal(r.asks, 2);
    assert_int_equal(r.reloads, 0);
    assert_int_equal(r.value, 2);
    assert_int_equal(r.shard, 4);
    r = play_request(w, "request like likes:{p9} via R3");
    assert_int_equal(r.asks, 2); /* the same detour again: R3 has learnt nothing */
    assert_int_equal(world_map_version(w), version);
    assert_int_equal(world_router_owner(w, 3, 12067), 2);
    r = play_request(w, "request like new:{p9} via R3");
    assert_int_equal(r.asks, 2); /* what is new is made at the target */
    assert_int_equal(world_value(w, 4, play_key(w, "new:{p9}")), 1);
    play_holds(w);
    world_free(w);
}

static void a_slot_moves_under_load_and_nothing_is_lost(void **state)
{
    (void)state;
    struct world *w = ask_world();
    play(w, "flow like likes:{p9} 300 poisson");
    play(w, "flow read other1:{p9} 300 poisson");
    play(w, "flow like other2:{p9} 100");
    uint64_t from = trace_next(w);
    play(w, "shift 12067 S4 50");
    run_and_hold(w, 300000);
    play(w, "shift 12067 finish");
    run_and_hold(w, 500000);
    play(w, "flow like likes:{p9} 0");
    play(w, "flow read other1:{p9} 0");
    play(w, "flow like other2:{p9} 0");
    run_and_hold(w, 500000);
    assert_true(world_all_quiet(w));
    assert_int_equal(world_shift(w, 0).kind, SHIFT_NONE);
    assert_int_equal(world_owner(w, 12067), 4);
    assert_int_equal(world_slot_row(w, 2, 12067).state, SLOT_MOVED);
    assert_int_equal(world_slot_row(w, 4, 12067).state, SLOT_OWNED);
    uint32_t p9 = play_key(w, "likes:{p9}");
    assert_int_equal(world_value(w, 4, p9), world_acked(w, p9));
    assert_true(world_acked(w, p9) > 150);
    uint32_t asked = count_records(w, from, TRACE_ANSWER, OUTCOME_ASK);
    assert_true(asked > 100);
    uint32_t said_asking = 0;
    for (uint64_t i = trace_first(w); i < trace_next(w); i++) {
        said_asking += trace_get(w, i)->reason == REASON_ASK_SAYS;
    }
    assert_int_equal(said_asking, asked); /* each is followed by one request elsewhere */
    play(w, "deaf R5 on");
    struct request_info r = play_request(w, "request like likes:{p9} via R5");
    assert_int_equal(r.asks, 1);
    world_free(w);
}

static void after_the_claim_the_source_says_moved(void **state)
{
    (void)state;
    struct world *w = ask_world();
    play(w, "deaf R5 on");
    play(w, "shift 12067 S4 1000000");
    run_and_hold(w, 100);
    play(w, "shift 12067 finish");
    run_and_hold(w, 100000);
    struct request_info r = play_request(w, "request like likes:{p9} via R5");
    assert_int_equal(r.outcome, OUTCOME_OK);
    assert_int_equal(r.asks, 2);
    assert_int_equal(r.reloads, 1); /* MOVED, unlike ASK, changes the map */
    r = play_request(w, "request like likes:{p9} via R5");
    assert_int_equal(r.asks, 1);
    world_free(w);
}

static void a_slot_closes_only_when_no_key_is_left(void **state)
{
    (void)state;
    struct world *w = ask_world();
    play(w, "shift 12067 S4 10");
    run_and_hold(w, 50000);
    play_refused(
        w, "shift 12067 finish",
        "S2 still holds keys of slot 12067 (6), other0:{p9} the first; wait until all have "
        "gone (rule close-when-empty)");
    play_refused(w, "dual 12067 S4",
                 "slot 12067 is on its way from S2 to S4, key by key; end that first");
    play_refused(w, "move 12067 S1",
                 "slot 12067 is on its way from S2 to S4, key by key; end that first");
    play(w, "rule close-when-empty off");
    play(w, "shift 12067 finish");
    struct err err = {{0}};
    assert_false(shifts_hold(w, &err));
    assert_string_equal(err.text,
                        "closed-empty: S4 claimed slot 12067, and S2 still holds other0:{p9}");
    play_breaks(w, "nothing-lost");
    world_free(w);
}

static void a_slot_of_which_nothing_has_gone_is_closed_again(void **state)
{
    (void)state;
    struct world *w = ask_world();
    struct slot_row source = world_slot_row(w, 2, 12067);
    play(w, "shift size likes:{p9} 100000000");
    play(w, "shift 12067 S4");
    run_and_hold(w, 1000);
    assert_int_equal(world_shift(w, 0).handing, play_key(w, "likes:{p9}"));
    play(w, "shift 12067 stop");
    play_holds(w);
    assert_int_equal(world_shift(w, 0).kind, SHIFT_NONE);
    struct slot_row row = world_slot_row(w, 2, 12067);
    assert_int_equal(row.state, SLOT_OWNED);
    assert_int_equal(row.epoch, source.epoch);
    assert_int_equal(world_slot_row(w, 4, 12067).state, SLOT_ABSENT);
    struct request_info r = play_request(w, "request like likes:{p9} via R3");
    assert_int_equal(r.asks, 1);
    run_and_hold(w, 2000000); /* the hand-over that was called off does not come back */
    assert_int_equal(world_value(w, 2, play_key(w, "likes:{p9}")), 2);
    world_free(w);
}

static void a_large_key_makes_its_requests_try_again(void **state)
{
    (void)state;
    struct world *w = ask_world();
    play(w, "shift size likes:{p9} 10000000"); /* 100 ms */
    play(w, "shift 12067 S4 1000000");
    uint64_t from = trace_next(w);
    struct request_info r = play_request(w, "request like likes:{p9} via R3");
    assert_int_equal(r.outcome, OUTCOME_OK);
    assert_int_equal(r.value, 2);
    assert_true(r.retries >= 2);
    assert_int_equal(r.shard, 4);
    assert_true(count_records(w, from, TRACE_ANSWER, OUTCOME_TRY_AGAIN) >= 2);
    play_holds(w);
    world_free(w);
}

static void a_key_too_large_is_named_and_keeps_the_slot_open(void **state)
{
    (void)state;
    struct world *w = ask_world();
    play(w, "shift size other3:{p9} 300000000");
    play(w, "shift 12067 S4 1000");
    run_and_hold(w, 100000);
    struct shift_info info = world_shift(w, 0);
    assert_int_equal(info.here, 1);
    assert_int_equal(info.too_large, play_key(w, "other3:{p9}"));
    assert_false(info.working);
    play_refused(
        w, "shift 12067 finish",
        "S2 still holds keys of slot 12067 (1): other3:{p9} is too large to go over; the slot "
        "stays open (rule close-when-empty)");
    play(w, "shift size other3:{p9} 1000"); /* cut up */
    play(w, "shift 12067 S4");
    run_and_hold(w, 100000);
    play(w, "shift 12067 finish");
    run_and_hold(w, 100000);
    assert_int_equal(world_owner(w, 12067), 4);
    world_free(w);
}

static void the_claim_outlives_a_crash_of_the_target(void **state)
{
    (void)state;
    struct world *w = ask_world();
    play(w, "shift 12067 S4 1000000");
    run_and_hold(w, 100);
    play(w, "shift 12067 finish");
    play(w, "crash S4 100");
    run_and_hold(w, 50000);
    assert_int_equal(world_owner(w, 12067), 2); /* nobody has heard of it yet */
    assert_int_equal(world_slot_row(w, 4, 12067).state, SLOT_OWNED);
    run_and_hold(w, 200000);
    assert_int_equal(world_owner(w, 12067), 4);
    assert_int_equal(world_slot_row(w, 2, 12067).state, SLOT_MOVED);
    struct request_info r = play_request(w, "request like likes:{p9} via R3");
    assert_int_equal(r.value, 2);
    play_holds(w);
    world_free(w);
}

static void a_crash_of_either_side_only_delays(void **state)
{
    (void)state;
    for (int side = 0; side < 2; side++) {
        struct world *w = ask_world();
        play(w, "shift size likes:{p9} 10000000");
        play(w, "shift 12067 S4 100");
        run_and_hold(w, 50000); /* in the middle of the large key */
        play(w, side == 0 ? "crash S2 40" : "crash S4 40");
        run_and_hold(w, 1000000);
        assert_int_equal(world_shift(w, 0).here, 0);
        play(w, "shift 12067 finish");
        run_and_hold(w, 100000);
        assert_int_equal(world_value(w, 4, play_key(w, "likes:{p9}")), 1);
        play_holds(w);
        world_free(w);
    }
}

/* --- rules off --- */

static void without_atomic_key_move_a_like_is_lost(void **state)
{
    (void)state;
    struct world *w = ask_world();
    play(w, "rule atomic-key-move off");
    play(w, "shift 12067 S4 1000");
    struct world *later = world_copy(w);
    expect_broken(w, 100000, "one-side");
    play(later, "flow like likes:{p9} 2000");
    world_run_until(later, world_now(later) + 100000);
    assert_true(world_lost(later, play_key(later, "likes:{p9}")) > 0);
    world_free(w);
    world_free(later);
}

/* A large key is copied too, and served until its bytes are over; what comes meanwhile is lost. */
static void without_atomic_key_move_a_large_key_is_served_while_it_goes(void **state)
{
    (void)state;
    struct world *w = ask_world();
    uint32_t key = play_key(w, "likes:{p9}");
    play(w, "shift size likes:{p9} 1000000"); /* 10 ms */
    struct world *off = world_copy(w);
    play(w, "shift 12067 S4 1000");
    run_and_hold(w, 1000);
    struct request_info r = play_request(w, "request like likes:{p9} via R3");
    assert_true(r.retries > 0); /* TRYAGAIN, while it is in its hand-over */
    assert_int_equal(world_lost(w, key), 0);
    play(off, "rule atomic-key-move off");
    uint64_t before = world_value(off, 2, key);
    play(off, "shift 12067 S4 1000");
    r = play_request(off, "request like likes:{p9} via R3");
    assert_int_equal(r.asks, 1);
    assert_int_equal(world_value(off, 2, key), before + 1);
    assert_int_equal(world_value(off, 4, key), before);
    world_run_until(off, world_now(off) + 20000);
    assert_int_equal(world_value(off, 2, key), 0);
    assert_int_equal(world_value(off, 4, key), before);
    assert_int_equal(world_lost(off, key), 1);
    world_free(w);
    world_free(off);
}

static void a_slot_that_is_open_waits_for_the_first_key(void **state)
{
    (void)state;
    struct world *w = ask_world();
    play(w, "shift 12067 S4 open");
    run_and_hold(w, 200000);
    assert_int_equal(world_slot_row(w, 2, 12067).state, SLOT_LEAVING);
    assert_int_equal(world_slot_row(w, 4, 12067).state, SLOT_ARRIVING);
    assert_int_equal(world_shift(w, 0).there, 0);
    assert_false(world_shift(w, 0).working);
    play_refused(w, "shift 12067 S4 open",
                 "slot 12067 is on its way from S2 to S4, key by key; end that first");
    struct world *undone = world_copy(w);
    play(undone, "shift 12067 stop");
    assert_int_equal(world_slot_row(undone, 2, 12067).state, SLOT_OWNED);
    assert_int_equal(world_shift(undone, 0).kind, SHIFT_NONE);
    uint32_t here = world_shift(w, 0).here;
    play(w, "shift 12067 S4 1"); /* the first goes at once, the next after a second */
    run_and_hold(w, 500000);
    assert_int_equal(world_shift(w, 0).here, here - 1);
    assert_int_equal(world_shift(w, 0).there, 1);
    world_free(undone);
    world_free(w);
}

static void without_ask_for_a_missing_key_the_source_counts_anew(void **state)
{
    (void)state;
    struct world *w = ask_world();
    play(w, "rule ask-for-missing-key off");
    play(w, "shift 12067 S4 1000000");
    run_and_hold(w, 100);
    struct world *reader = world_copy(w);
    struct request_info r = play_request(reader, "request read likes:{p9} via R3");
    assert_int_equal(r.value, 0); /* "no such key" */
    play_breaks(reader, "read-all-acked");
    play(w, "request like likes:{p9} via R3");
    expect_broken(w, 100000, "nothing-lost");
    world_free(reader);
    world_free(w);
}

static void without_asking_needed_an_old_map_makes_two_of_a_key(void **state)
{
    (void)state;
    struct world_config c = play_config();
    c.shards = 5;
    struct world *w = play_new(&c);
    play(w, "move 12067 S4");
    world_run_until(w, EIGHT_PM + 20000);
    play(w, "deaf R5 on"); /* R5 goes on to believe in S4 */
    play(w, "move 12067 S2");
    world_run_until(w, EIGHT_PM + 40000);
    play_request(w, "request like likes:{p9} via R0");
    play(w, "shift 12067 S4");
    play(w, "shift 12067 stop");
    play_refused(w, "shift 12067 stop", "slot 12067 is not on its way key by key");
    play(w, "shift size likes:{p9} 100000000");
    play(w, "shift 12067 S4");
    struct world *off = world_copy(w);
    play(w, "request like other:{p9} via R5");
    run_and_hold(w, 100000); /* MOVED to nobody: it fetches the map */
    play(off, "rule asking-needed off");
    play(off, "request like likes:{p9} via R5");
    expect_broken(off, 100000, "conservation");
    world_free(off);
    world_free(w);
}

static void without_ask_keeps_map_a_router_goes_wrong(void **state)
{
    (void)state;
    struct world *w = ask_world();
    play(w, "rule ask-keeps-map off");
    play(w, "shift 12067 S4 10");
    run_and_hold(w, 50000); /* one key has gone */
    struct world *later = world_copy(w);
    play(w, "request like likes:{p9} via R3");
    expect_broken(w, 100000, "maps-by-directory");
    struct request_info r = play_request(later, "request like likes:{p9} via R3");
    assert_int_equal(r.asks, ATTEMPTS_MAX); /* in a circle: ASK, then MOVED without ASKING */
    assert_int_equal(r.outcome, OUTCOME_FAILED);
    r = play_request(later, "request like other3:{p9} via R3"); /* this one has not gone */
    assert_int_equal(r.outcome, OUTCOME_OK);
    assert_int_equal(r.asks, 2); /* first to S4, in vain */
    assert_int_equal(r.reloads, 1);
    assert_int_equal(r.shard, 2);
    play(later, "rule ask-keeps-map on");
    r = play_request(later, "request like other3:{p9} via R3");
    assert_int_equal(r.asks, 1);
    world_free(w);
    world_free(later);
}

/* --- several keys --- */

/* Reads that want all the sub-keys of a count: a salted one, all in one slot. */
static struct world *split_world(void)
{
    struct world *w = ask_world();
    play(w, "writes likes:{p9} salted 4 outside");
    for (int i = 0; i < 12; i++) {
        char words[64];
        (void)snprintf(words, sizeof words, "request like likes:{p9} via R%d", i % 6);
        play_request(w, words);
    }
    play(w, "shift 12067 S4 20");
    return w;
}

static void several_keys_at_two_sides_are_tried_again(void **state)
{
    (void)state;
    struct world *w = split_world();
    uint64_t from = trace_next(w);
    run_and_hold(w, 100000);
    struct request_info r = play_request(w, "request read likes:{p9} via R2");
    assert_int_equal(r.outcome, OUTCOME_OK);
    assert_int_equal(r.value, 13);
    assert_true(count_records(w, from, TRACE_ANSWER, OUTCOME_TRY_AGAIN) > 0);
    play_holds(w);
    world_free(w);
}

static void without_try_again_part_of_the_keys_is_answered(void **state)
{
    (void)state;
    struct world *w = split_world();
    play(w, "rule try-again-on-split off");
    run_and_hold(w, 450000); /* some sub-keys have gone */
    struct request_info r = play_request(w, "request read likes:{p9} via R2");
    assert_true(r.value < 13);
    play_breaks(w, "whole-answers");
    world_free(w);
}

/* --- random schedules --- */

static void random_step(struct world *w, struct prng *prng)
{
    static const char *const words[] = {
        "shift 35 S4 200",
        "shift 35 finish",
        "shift 35 stop",
        "shift 35 S2 500",
        "shift 35 S1",
        "shift size likes:{p9} 5000000",
        "shift size likes:{p9} 0",
        "crash S4 30",
        "crash S2 20",
        "crash R3 20",
        "deaf R5 on",
        "deaf R5 off",
        "request like fresh:{p9} via R4",
        "request edit post:{p9} via R2",
        "network loss 2% double 2% delay 2% 3",
        "network calm",
        "move 30-34 S4",
        "move 30-34 S2",
    };
    struct command c;
    struct err err = {{0}};
    uint64_t pick = prng_below(prng, sizeof words / sizeof words[0]);
    if (command_parse(words[pick], &c, &err)) {
        (void)world_apply(w, &c, &err); /* it may be refused, never harm */
    }
}

/* Every record that is kept has its words. */
static void say_all(const struct world *w)
{
    struct str out = STR_EMPTY;
    for (uint64_t i = trace_first(w); i < trace_next(w); i++) {
        const struct trace_record *r = trace_get(w, i);
        void (*const say[])(const struct world *w, const struct trace_record *r,
                            struct str *out) = {trace_say, trace_label, trace_why};
        for (size_t how = 0; how < 3; how++) {
            str_clear(&out);
            say[how](w, r, &out);
            assert_true(out.length > 0);
        }
    }
    str_free(&out);
}

static struct world *random_world(uint64_t seed)
{
    struct world_config c = play_config();
    c.seed = seed;
    c.shards = 5;
    c.slots = 64; /* p9 has 35, on S2 */
    c.apply_us = 12000;
    c.commit_us = 1000;
    c.timeout_us = 40000;
    c.client_timeout_us = 400000;
    c.recent_max = 250; /* more than come within the tries of one request */
    c.requests_max = 2048;
    c.events_max = 8192;
    c.changes_max = 1024;
    c.keys_max = 32;
    c.store_max = 256;
    return play_new(&c);
}

static void random_schedules_hold(void **state)
{
    (void)state;
    uint32_t moved = 0;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        struct prng prng = prng_seeded(seed, "test of shifts, key by key");
        struct world *w = random_world(seed);
        play(w, "flow like likes:{p9} 300 poisson");
        play(w, "flow like other:{p9} 200 poisson");
        play(w, "flow read likes:{p9} 200 poisson");
        uint32_t epoch = world_epoch(w, 35);
        for (int i = 0; i < 25; i++) {
            run_and_hold(w, (int64_t)prng_below(&prng, 60000));
            random_step(w, &prng);
            play_holds(w);
        }
        moved += world_epoch(w, 35) - epoch;
        assert_false(world_stopped(w, NULL));
        say_all(w);
        world_free(w);
    }
    assert_true(moved > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_key_that_has_gone_is_asked_for_once_more_and_the_map_stays),
        cmocka_unit_test(a_slot_moves_under_load_and_nothing_is_lost),
        cmocka_unit_test(after_the_claim_the_source_says_moved),
        cmocka_unit_test(a_slot_closes_only_when_no_key_is_left),
        cmocka_unit_test(a_slot_of_which_nothing_has_gone_is_closed_again),
        cmocka_unit_test(a_large_key_makes_its_requests_try_again),
        cmocka_unit_test(a_key_too_large_is_named_and_keeps_the_slot_open),
        cmocka_unit_test(the_claim_outlives_a_crash_of_the_target),
        cmocka_unit_test(a_crash_of_either_side_only_delays),
        cmocka_unit_test(without_atomic_key_move_a_like_is_lost),
        cmocka_unit_test(without_atomic_key_move_a_large_key_is_served_while_it_goes),
        cmocka_unit_test(a_slot_that_is_open_waits_for_the_first_key),
        cmocka_unit_test(without_ask_for_a_missing_key_the_source_counts_anew),
        cmocka_unit_test(without_asking_needed_an_old_map_makes_two_of_a_key),
        cmocka_unit_test(without_ask_keeps_map_a_router_goes_wrong),
        cmocka_unit_test(several_keys_at_two_sides_are_tried_again),
        cmocka_unit_test(without_try_again_part_of_the_keys_is_answered),
        cmocka_unit_test(random_schedules_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
