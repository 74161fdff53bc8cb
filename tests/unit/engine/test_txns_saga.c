/*
 * Sagas: step by step, and back when one is refused; and transactions that nobody takes care of.
 */
#include "txn_play.h"

#include <stdio.h>

#define THREE "txn saga via R0 take alice 30 give bob 30 take carol 9"

static void a_saga_does_its_steps_one_after_the_other(void **state)
{
    (void)state;
    struct world *w = txn_world();
    play(w, "txn saga via R0 take alice 30 give bob 30");
    txn_run(w, 5);
    assert_int_equal(txn_row(w, "alice").value, 70); /* others see it */
    assert_int_equal(txn_row(w, "bob").value, 20);
    assert_int_equal(world_txn_total(w), 90);
    assert_int_equal(txn_row(w, "alice").locked_by, 0);
    txn_run(w, 100);
    struct txn_info t = world_txn(w, 0);
    assert_int_equal(t.end, TXN_DONE);
    assert_int_equal(t.phase, SAGA_DONE);
    assert_int_equal(t.messages, 2);
    assert_int_equal(world_txn_total(w), 120);
    assert_true(t.step[0].done_us < t.step[1].asked_us);
    assert_int_equal(t.step[0].locked_from_us, -1);
    world_free(w);
}

static void a_refused_third_step_takes_the_others_back_in_reverse(void **state)
{
    (void)state;
    struct world *w = txn_world();
    play(w, "row carol 5");
    play(w, THREE);
    txn_run(w, 200);
    struct txn_info t = world_txn(w, 0);
    assert_int_equal(t.end, TXN_UNDONE);
    assert_int_equal(t.step[0].state, STEP_TAKEN_BACK);
    assert_int_equal(t.step[1].state, STEP_TAKEN_BACK);
    assert_int_equal(t.step[2].state, STEP_REFUSED);
    assert_true(t.step[1].undone_us < t.step[0].undone_us);
    assert_true(t.step[0].told && t.step[1].told && !t.step[2].told);
    assert_int_equal(t.messages, 5);
    assert_int_equal(world_txn_total(w), 125);
    assert_true(t.ended_us > t.decided_us && t.decided_us > t.step[1].done_us);
    world_free(w);
}

/* Somebody spends what was given before it is taken back: nothing stops them. */
static void others_can_spend_what_is_taken_back(void **state)
{
    (void)state;
    struct world *w = txn_world();
    play(w, "row carol 5");
    play(w, THREE);
    txn_run(w, 8);
    assert_int_equal(txn_row(w, "bob").value, 50);
    play(w, "txn plain via R3 take bob 45 give dave 45");
    txn_run(w, 200);
    assert_int_equal(world_txn(w, 1).end, TXN_UNDONE);
    assert_int_equal(txn_row(w, "bob").value, -25);
    assert_int_equal(world_txn_total(w), 125);
    world_free(w);
}

static void the_change_of_an_email_is_a_saga(void **state)
{
    (void)state;
    struct world *w = txn_world();
    play(w, "row email:old 1");
    play(w, "txn saga via R1 claim email:new give user:7 1 free email:old");
    txn_run(w, 200);
    assert_int_equal(world_txn(w, 0).end, TXN_DONE);
    assert_int_equal(txn_row(w, "email:new").value, 1);
    assert_int_equal(txn_row(w, "email:old").value, 0);
    play(w, "txn saga via R2 claim email:new give user:8 1");
    txn_run(w, 200);
    assert_int_equal(world_txn(w, 0).end, TXN_UNDONE); /* it is taken */
    assert_int_equal(world_txn(w, 0).step[0].state, STEP_REFUSED);
    assert_int_equal(world_txn(w, 0).messages, 1);
    assert_int_equal(txn_row(w, "user:8").value, 0);
    play(w, "txn saga via R2 give user:8 1 free email:none");
    txn_run(w, 200);
    assert_int_equal(world_txn(w, 0).end, TXN_UNDONE);
    world_free(w);
}

static void a_follow_by_any_means(void **state)
{
    (void)state;
    static const char *const by[] = {"2pc", "saga", "plain"};
    for (int i = 0; i < 3; i++) {
        char words[96];
        struct world *w = txn_world();
        (void)snprintf(words, sizeof words,
                       "txn %s via R0 give following:alice 1 give followers:bob 1", by[i]);
        play(w, words);
        txn_run(w, 300);
        assert_int_equal(world_txn(w, 0).end, TXN_DONE);
        assert_int_equal(txn_row(w, "following:alice").value, 1);
        assert_int_equal(txn_row(w, "followers:bob").value, 1);
        world_free(w);
    }
}

static void a_saga_goes_on_where_its_log_stands(void **state)
{
    (void)state;
    /* with the third step refused from VOTED on: DECIDED and TOLD_ONE are on the way back */
    for (int point = 0; point < TXN_POINTS; point++) {
        for (int refused = 0; refused < 2; refused++) {
            char words[64];
            struct world *w = txn_world();
            play(w, refused ? "row carol 5" : "row carol 50");
            (void)snprintf(words, sizeof words, "coordinator dies %s 400",
                           txn_point_name((enum txn_point)point));
            play(w, words);
            play(w, THREE);
            txn_run(w, 1500);
            struct txn_info t = world_txn(w, 0);
            bool dies = point < TXN_POINT_DECIDED || refused;
            assert_int_equal(t.end, refused ? TXN_UNDONE : TXN_DONE);
            assert_int_equal(t.died_us != -1, dies);
            assert_true(t.ended_us != -1 && t.over_us != -1);
            assert_int_equal(world_txn_total(w), refused ? 125 : 161);
            world_free(w);
        }
    }
}

/* Its shard is away: the step may have been done or not, so it is taken back as well. */
static void an_unanswered_step_is_given_up_and_barred(void **state)
{
    (void)state;
    struct world *w = txn_world();
    char words[32];
    (void)snprintf(words, sizeof words, "crash S%u 1500", txn_row(w, "bob").shard);
    play(w, words);
    play(w, "txn saga via R0 take alice 30 give bob 30");
    txn_run(w, 900);
    assert_int_equal(world_txn_total(w), 90);
    assert_int_equal(world_txn(w, 0).phase, SAGA_FORWARD);
    txn_run(w, 400);
    assert_int_equal(world_txn(w, 0).phase, SAGA_BACK);
    txn_run(w, 1000);
    assert_int_equal(world_txn(w, 0).end, TXN_UNDONE);
    assert_int_equal(world_txn(w, 0).step[1].state, STEP_BARRED);
    assert_int_equal(world_txn_total(w), 120);
    world_free(w);
}

static void a_compensation_waits_for_a_lock(void **state)
{
    (void)state;
    struct world *w = txn_world();
    play(w, "row carol 5");
    play(w, "coordinator dies voted 600");
    play(w, "txn 2pc via R3 take bob 1 give erin 1"); /* locks bob, and dies */
    txn_run(w, 100);
    play(w, "txn saga via R0 give bob 1");
    txn_run(w, 100);
    assert_int_equal(world_txn(w, 0).end, TXN_UNDONE); /* a step is refused by the lock */
    txn_run(w, 1000);
    play(w, THREE);
    txn_run(w, 8); /* bob has it, and is asked for no lock */
    play(w, "coordinator dies voted 600");
    play(w, "txn 2pc via R3 take bob 1 give erin 1");
    txn_run(w, 300);
    assert_int_equal(txn_row(w, "bob").locked_by, 4);
    assert_int_equal(world_txn(w, 3).phase, SAGA_BACK);
    assert_int_equal(world_txn(w, 3).step[1].state, STEP_DONE);
    txn_run(w, 1000);
    assert_int_equal(world_txn(w, 3).end, TXN_UNDONE);
    assert_int_equal(world_txn_total(w), 125);
    world_free(w);
}

static void nobody_takes_care_of_a_plain_transaction(void **state)
{
    (void)state;
    struct world *w = txn_world();
    play(w, "txn plain via R0 take bob 30 give alice 30");
    txn_run(w, 300);
    struct txn_info t = world_txn(w, 0);
    assert_int_equal(t.end, TXN_HALF);
    assert_int_equal(txn_row(w, "alice").value, 130);
    assert_int_equal(world_txn_total(w), 150); /* money from nowhere */
    play(w, "coordinator dies told-one 300");
    play(w, "txn plain via R0 take alice 30 give bob 30");
    txn_run(w, 3000);
    t = world_txn(w, 0);
    assert_int_equal(t.end, TXN_HALF);
    assert_int_equal(t.ended_us, -1);
    assert_true(t.over_us != -1 && t.back_us != -1);
    assert_int_equal(t.step[1].state, STEP_NEW);
    assert_int_equal(world_txn_total(w), 120);
    assert_int_equal(world_txn_counts(w).half, 2);
    world_free(w);
}

static void commands_have_a_text_form(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "row user%20x 12",
        "txn 2pc via R2 take alice 30 give bob 30",
        "txn saga via R0 claim email:new give user:7 1 free email:old",
        "txn plain via R5 free a",
        "coordinator dies told-one 250",
        "coordinator dies begun",
        "coordinator lives",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct command c;
        struct err err = {{0}};
        struct str out = STR_EMPTY;
        assert_true(command_parse(texts[i], &c, &err));
        command_say(&c, &out);
        assert_string_equal(str_text(&out), texts[i]);
        str_free(&out);
    }
    struct command c;
    struct err err = {{0}};
    assert_false(command_parse("txn 3pc via R0 take a 1", &c, &err));
    assert_false(command_parse("txn 2pc via R0", &c, &err));
    assert_false(command_parse("txn 2pc via R0 take a 1 take b 1 take c 1 take d 1", &c, &err));
    assert_false(command_parse("coordinator sleeps", &c, &err));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_saga_does_its_steps_one_after_the_other),
        cmocka_unit_test(a_refused_third_step_takes_the_others_back_in_reverse),
        cmocka_unit_test(others_can_spend_what_is_taken_back),
        cmocka_unit_test(the_change_of_an_email_is_a_saga),
        cmocka_unit_test(a_follow_by_any_means),
        cmocka_unit_test(a_saga_goes_on_where_its_log_stands),
        cmocka_unit_test(an_unanswered_step_is_given_up_and_barred),
        cmocka_unit_test(a_compensation_waits_for_a_lock),
        cmocka_unit_test(nobody_takes_care_of_a_plain_transaction),
        cmocka_unit_test(commands_have_a_text_form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
