/*
 * What each rule of two-phase commit and of sagas is good for, seen in a world without it; and
 * every record of transactions in words.
 */
#include "txn_play.h"

#include <stdio.h>

#define TRANSFER "txn 2pc via R0 take alice 30 give bob 30"
#define THREE "txn saga via R0 take alice 30 give bob 30 take carol 9"

static bool seen[REASON_TXNS_END - REASON_TXNS_FIRST]; /* in this test's worlds */

static void look(const struct world *w)
{
    for (uint64_t i = trace_first(w); i < trace_next(w); i++) {
        const struct trace_record *r = trace_get(w, i);
        struct str line = STR_EMPTY;
        struct str label = STR_EMPTY;
        struct str why = STR_EMPTY;
        if (r->reason >= REASON_TXNS_FIRST && r->reason < REASON_TXNS_END) {
            seen[r->reason - REASON_TXNS_FIRST] = true;
        }
        trace_say(w, r, &line);
        trace_label(w, r, &label);
        trace_why(w, r, &why);
        assert_true(line.length > 20 && label.length > 1 && why.length > 20);
        assert_int_equal(str_text(&why)[why.length - 1], '.');
        str_free(&line);
        str_free(&label);
        str_free(&why);
    }
}

static void end(struct world *w)
{
    look(w);
    world_free(w);
}

/* Runs without looking at the invariants. */
static void run(struct world *w, int64_t ms)
{
    world_run_until(w, world_now(w) + MS(ms));
}

static void crash_home_of(struct world *w, const char *key, int ms)
{
    char words[32];
    (void)snprintf(words, sizeof words, "crash S%u %d", txn_row(w, key).shard, ms);
    play(w, words);
}

static void with_half_the_votes_half_commits(void **state)
{
    (void)state;
    struct world *w = txn_world();
    play(w, "rule all-votes-needed off");
    play(w, "txn 2pc via R0 take bob 30 give alice 30"); /* bob has 20 */
    run(w, 300);
    assert_int_equal(txn_row(w, "alice").value, 130);
    assert_int_equal(world_txn(w, 0).end, TXN_HALF);
    play_breaks(w, "txn-");
    end(w);
}

static void a_decision_that_is_not_written_is_lost(void **state)
{
    (void)state;
    struct world *w = txn_world();
    play(w, "rule log-decision-first off");
    play(w, "coordinator dies told-one 300");
    play(w, TRANSFER);
    run(w, 1500);
    assert_int_equal(world_txn(w, 0).end, TXN_HALF);
    assert_int_equal(txn_row(w, "alice").value, 70);
    assert_int_equal(txn_row(w, "bob").value, 20);
    play_breaks(w, "txn-atomic");
    play(w, TRANSFER);
    run(w, 500); /* it is written down at last */
    end(w);
}

static void who_decides_alone_may_be_wrong(void **state)
{
    (void)state;
    static const char *const rules[] = {"no-lone-abort-when-prepared",
                                        "no-lone-commit-when-prepared"};
    for (int i = 0; i < 2; i++) {
        char words[64];
        struct world *w = txn_world();
        (void)snprintf(words, sizeof words, "rule %s off", rules[i]);
        play(w, words);
        play(w, i == 0 ? "coordinator dies decided 300" : "coordinator dies voted 300");
        play(w, TRANSFER);
        run(w, 1500);
        play_breaks(w, i == 0 ? "txn-a" : "txn-durable");
        end(w);
    }
}

static void a_vote_that_is_not_written_is_forgotten(void **state)
{
    (void)state;
    struct world *w = txn_world();
    play(w, "rule vote-after-prepare off");
    play(w, TRANSFER);
    run(w, 2);
    crash_home_of(w, "bob", 50);
    run(w, 800);
    assert_int_equal(txn_row(w, "alice").value, 70);
    assert_int_equal(txn_row(w, "bob").value, 20);
    play_breaks(w, "txn-atomic");
    end(w);
    w = txn_world();
    play(w, "rule vote-after-prepare off");
    play(w, "coordinator dies voted 400");
    play(w, TRANSFER);
    txn_run(w, 1500); /* in time: nothing comes of it */
    assert_int_equal(world_txn(w, 0).end, TXN_UNDONE);
    end(w);
}

/* The next record of this kind: the number of its request. */
static uint64_t run_to(struct world *w, enum trace_kind kind)
{
    for (;;) {
        const struct trace_record *r = trace_get(w, trace_next(w) - 1);
        if (r->kind == kind) {
            return r->request;
        }
        assert_true(world_step(w));
    }
}

static void hold(struct world *w, uint64_t number, int ms)
{
    char words[32];
    (void)snprintf(words, sizeof words, "hold %d %d", (int)number, ms);
    play(w, words);
}

static void a_second_decision_contradicts_the_first(void **state)
{
    (void)state;
    for (int on = 0; on < 2; on++) {
        struct world *w = txn_world();
        play(w, on ? "rule decide-once on" : "rule decide-once off");
        play(w, "txn 2pc via R0 take alice 30");
        hold(w, run_to(w, TRACE_ANSWER), 1050); /* the yes comes after R0 has given up */
        run(w, 1020);
        assert_int_equal(world_txn(w, 0).phase, COMMIT_ABORT);
        run(w, 500);
        assert_int_equal(txn_told(w, REASON_TXN_COMMIT), !on);
        assert_int_equal(txn_row(w, "alice").value, 100);
        if (on) {
            play_holds(w);
        } else {
            play_breaks(w, "txn-");
        }
        end(w);
    }
}

static void a_coordinator_that_says_nothing_is_waited_for(void **state)
{
    (void)state;
    struct world *w = txn_world();
    play(w, "rule presumed-abort off");
    play(w, "coordinator dies voted 300");
    play(w, TRANSFER);
    run(w, 20000);
    assert_int_equal(txn_row(w, "alice").locked_by, 1);
    assert_int_equal(world_txn(w, 0).over_us, -1);
    play_breaks(w, "txn-answered");
    play(w, "rule presumed-abort on");
    run(w, 500);
    assert_int_equal(txn_row(w, "alice").locked_by, 0);
    end(w);
}

static void a_saga_that_does_not_write_begins_anew(void **state)
{
    (void)state;
    struct world *w = txn_world();
    play(w, "rule saga-log-first off");
    play(w, "coordinator dies asked 1200");
    play(w, "txn saga via R0 take alice 30 give bob 30");
    run(w, 5000);
    assert_int_equal(world_txn(w, 0).phase, SAGA_UNDONE);
    assert_int_equal(txn_row(w, "alice").value, 70); /* nobody knows */
    play_breaks(w, "saga-ended");
    end(w);
}

/* The answers of its compensations do not come in time, and each is sent again. */
static void a_compensation_is_done_twice(void **state)
{
    (void)state;
    for (int on = 0; on < 2; on++) {
        struct world *w = txn_world();
        play(w, on ? "rule compensate-once on" : "rule compensate-once off");
        play(w, "row carol 5");
        play(w, "patience 20 2000");
        play(w, THREE);
        run(w, 17);
        play(w, "network double 100%");
        run(w, 300);
        play(w, "network calm");
        run(w, 1000);
        assert_int_equal(world_txn(w, 0).end, on ? TXN_UNDONE : TXN_HALF);
        assert_int_equal(txn_row(w, "alice").value, on ? 100 : 130);
        assert_int_equal(txn_row(w, "bob").value, on ? 20 : -10);
        if (on) {
            play_holds(w);
        } else {
            play_breaks(w, "saga-");
        }
        end(w);
    }
}

/* The compensation overtakes the step, which waits for its slot. */
static void a_step_is_done_after_its_compensation(void **state)
{
    (void)state;
    for (int on = 0; on < 2; on++) {
        struct world *w = txn_world();
        play(w, on ? "rule compensation-bars-step on" : "rule compensation-bars-step off");
        play(w, "txn saga via R0 give bob 30");
        hold(w, run_to(w, TRACE_ROUTE), 3000);
        run(w, 5000);
        assert_int_equal(txn_row(w, "bob").value, on ? 20 : 50);
        assert_int_equal(world_txn(w, 0).phase, SAGA_UNDONE);
        if (on) {
            play_holds(w);
        } else {
            play_breaks(w, "saga-ended");
        }
        end(w);
    }
}

static void steps_are_taken_back_in_any_order(void **state)
{
    (void)state;
    struct world *w = txn_world();
    play(w, "rule compensate-in-reverse off");
    play(w, "row carol 5");
    play(w, THREE);
    bool broken = false;
    int64_t next = 0;
    while (!broken && world_next_time(w, &next) && next < EIGHT_PM + US_PER_SECOND) {
        struct err err = {{0}};
        assert_true(world_step(w));
        broken = !invariant_hold(w, &err);
    }
    assert_true(broken); /* for a moment, that is: both are taken back in the end */
    run(w, 500);
    assert_int_equal(world_txn_total(w), 125);
    end(w);
}

/* What the tests above have not told is told here: with them every reason has its words. */
static void every_record_has_its_words(void **state)
{
    (void)state;
    struct world *w = txn_world();
    play(w, "row carol 5");
    play(w, TRANSFER);
    txn_run(w, 2);
    play(w, "txn 2pc via R3 take bob 1 give carol 1");
    txn_run(w, 2000);
    play(w, THREE);
    txn_run(w, 300);
    play(w, "coordinator lives");
    crash_home_of(w, "bob", 1500);
    play(w, "txn saga via R0 take alice 1 give bob 1");
    txn_run(w, 5000);
    end(w);
    for (uint32_t i = 0; i < REASON_TXNS_END - REASON_TXNS_FIRST; i++) {
        if (!seen[i] && i != REASON_TXN_UNKNOWN - REASON_TXNS_FIRST) {
            fail_msg("reason %u of txns.h was never told", i);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(with_half_the_votes_half_commits),
        cmocka_unit_test(a_decision_that_is_not_written_is_lost),
        cmocka_unit_test(who_decides_alone_may_be_wrong),
        cmocka_unit_test(a_vote_that_is_not_written_is_forgotten),
        cmocka_unit_test(a_second_decision_contradicts_the_first),
        cmocka_unit_test(a_coordinator_that_says_nothing_is_waited_for),
        cmocka_unit_test(a_saga_that_does_not_write_begins_anew),
        cmocka_unit_test(a_compensation_is_done_twice),
        cmocka_unit_test(a_step_is_done_after_its_compensation),
        cmocka_unit_test(steps_are_taken_back_in_any_order),
        cmocka_unit_test(every_record_has_its_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
