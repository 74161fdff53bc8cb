/*
 * Two-phase commit: rows that are locked, all change or none does, and a coordinator that dies.
 */
#include "txn_play.h"

#include "engine/faults/faults.h"

#include <stdio.h>

#define TRANSFER "txn 2pc via R0 take alice 30 give bob 30"

static void a_transfer_changes_both_rows(void **state)
{
    (void)state;
    struct world *w = txn_world();
    play(w, TRANSFER);
    txn_run(w, 300);
    struct txn_info t = world_txn(w, 0);
    assert_int_equal(t.number, 1);
    assert_int_equal(t.end, TXN_DONE);
    assert_int_equal(t.messages, 4); /* prepare and commit, two each */
    assert_int_equal(txn_row(w, "alice").value, 70);
    assert_int_equal(txn_row(w, "bob").value, 50);
    assert_int_equal(world_txn_total(w), 120);
    assert_int_not_equal(txn_row(w, "alice").shard, txn_row(w, "bob").shard);
    assert_true(t.decided_us > t.began_us && t.ended_us > t.decided_us && t.over_us > t.decided_us);
    for (int i = 0; i < 2; i++) {
        const struct txn_step_info *s = &t.step[i];
        assert_int_equal(s->state, PART_COMMITTED);
        assert_true(s->told && s->asked_us < s->voted_us && s->voted_us <= t.decided_us);
        assert_true(s->locked_from_us == s->voted_us && s->locked_to_us == s->done_us);
        assert_true(s->done_us > t.decided_us);
    }
    world_free(w);
}

static void too_little_is_refused_and_nothing_changes(void **state)
{
    (void)state;
    struct world *w = txn_world();
    play(w, "txn 2pc via R0 take bob 30 give alice 30");
    txn_run(w, 300);
    assert_int_equal(world_txn(w, 0).phase, COMMIT_ABORT);
    assert_true(world_txn(w, 0).over_us != -1);
    txn_run(w, 1000);
    struct txn_info t = world_txn(w, 0);
    assert_int_equal(t.end, TXN_UNDONE);
    assert_int_equal(t.phase, COMMIT_NO_WORD); /* it has forgotten it */
    assert_int_equal(t.step[0].state, PART_ABORTED);
    assert_int_equal(t.step[1].state, PART_ABORTED);
    assert_int_equal(txn_row(w, "alice").value, 100);
    assert_int_equal(txn_row(w, "bob").value, 20);
    assert_int_equal(txn_told(w, REASON_TXN_FORGETS), 1);
    world_free(w);
}

static void a_locked_row_says_no_to_others(void **state)
{
    (void)state;
    struct world *w = txn_world();
    play(w, "row carol 5");
    play(w, TRANSFER);
    txn_run(w, 3); /* both are prepared */
    assert_int_equal(txn_row(w, "alice").locked_by, 1);
    play_refused(w, "row alice 7",
                 "alice is locked by transaction 1; it cannot be set before that ends");
    play(w, "txn 2pc via R3 take carol 1 give alice 1");
    txn_run(w, 300);
    assert_int_equal(world_txn(w, 1).end, TXN_DONE);
    assert_int_equal(world_txn(w, 2).end, TXN_UNDONE);
    struct txn_counts c = world_txn_counts(w);
    assert_int_equal(c.refused_by_lock, 1);
    assert_int_equal(c.begun, 2);
    assert_int_equal(c.done, 1);
    assert_int_equal(c.undone, 1);
    assert_int_equal(c.open, 0);
    assert_true(c.locked_us > MS(10));
    assert_int_equal(world_txn_total(w), 125);
    world_free(w);
}

/* The worst moment: every vote is in, and the coordinator is gone. */
static void rows_stay_locked_until_the_coordinator_is_back(void **state)
{
    (void)state;
    struct world *w = txn_world();
    play(w, "coordinator dies voted 3000");
    play(w, TRANSFER);
    txn_run(w, 2500);
    struct txn_info t = world_txn(w, 0);
    assert_true(t.coordinator_down);
    assert_true(t.died_us > 0 && t.back_us == -1);
    assert_int_equal(t.ended_us, -1);
    assert_int_equal(txn_row(w, "alice").locked_by, 1);
    assert_int_equal(txn_row(w, "bob").locked_by, 1);
    assert_true(txn_row(w, "bob").locked_us > MS(2400));
    play(w, "txn 2pc via R3 take alice 1 give bob 1");
    txn_run(w, 200);
    assert_int_equal(world_txn(w, 2).end, TXN_UNDONE);
    assert_int_equal(world_txn(w, 2).step[0].state, PART_ABORTED);
    txn_run(w, 1000); /* it is back, was asked, and knows nothing */
    t = world_txn(w, 1);
    assert_int_equal(t.end, TXN_UNDONE);
    assert_true(t.over_us > t.back_us && t.back_us > t.died_us);
    assert_int_equal(t.ended_us, -1); /* its client never hears */
    assert_int_equal(txn_row(w, "alice").locked_by, 0);
    assert_int_equal(world_txn_total(w), 120);
    assert_true(txn_told(w, REASON_TXN_ASKS) > 10);
    world_free(w);
}

static void who_waits_for_answers_waits_for_it(void **state)
{
    (void)state;
    struct world *w = txn_world();
    assert_true(world_all_answered(w));
    play(w, TRANSFER);
    assert_false(world_all_answered(w));
    assert_true(world_run_until_answered(w, US_PER_SECOND));
    assert_int_equal(world_txn(w, 0).end, TXN_DONE);
    assert_true(world_txn(w, 0).ended_us > 0);
    play(w, "coordinator dies voted 3000");
    play(w, TRANSFER);
    assert_true(world_run_until_answered(w, US_PER_SECOND)); /* nobody will tell its client */
    assert_true(world_txn(w, 0).coordinator_down);
    txn_run(w, 5000);
    assert_true(world_all_answered(w));
    world_free(w);
}

static void each_point_of_death_ends_alike_everywhere(void **state)
{
    (void)state;
    static const uint8_t ends[TXN_POINTS] = {TXN_UNDONE, TXN_UNDONE, TXN_UNDONE, TXN_DONE,
                                             TXN_DONE};
    for (int point = 0; point < TXN_POINTS; point++) {
        char words[64];
        struct world *w = txn_world();
        (void)snprintf(words, sizeof words, "coordinator dies %s 500",
                       txn_point_name((enum txn_point)point));
        play(w, words);
        play(w, TRANSFER);
        txn_run(w, 2000);
        struct txn_info t = world_txn(w, 0);
        assert_int_equal(t.end, ends[point]);
        assert_true(t.over_us != -1 && t.died_us != -1 && t.back_us == t.died_us + MS(500));
        assert_int_equal(t.ended_us != -1, ends[point] == TXN_DONE);
        assert_int_equal(txn_row(w, "alice").value, ends[point] == TXN_DONE ? 70 : 100);
        assert_int_equal(world_txn_total(w), 120);
        assert_int_equal(txn_told(w, REASON_TXN_RECOVERS), point > 0);
        world_free(w);
    }
}

static void a_coordinator_that_is_to_live_does(void **state)
{
    (void)state;
    struct world *w = txn_world();
    play(w, "coordinator dies voted");
    play(w, "coordinator lives");
    play(w, TRANSFER);
    txn_run(w, 300);
    assert_int_equal(world_txn(w, 0).end, TXN_DONE);
    assert_int_equal(world_txn(w, 0).died_us, -1);
    world_free(w);
}

static void without_votes_it_gives_up(void **state)
{
    (void)state;
    struct world *w = txn_world();
    char words[32];
    (void)snprintf(words, sizeof words, "crash S%u 5000", txn_row(w, "bob").shard);
    play(w, words);
    play(w, TRANSFER);
    txn_run(w, 900);
    assert_int_equal(world_txn(w, 0).end, TXN_OPEN);
    assert_int_equal(txn_row(w, "alice").locked_by, 1);
    txn_run(w, 600);
    assert_int_equal(world_txn(w, 0).end, TXN_UNDONE);
    assert_int_equal(txn_row(w, "alice").locked_by, 0);
    txn_run(w, 5000);
    assert_int_equal(world_txn_total(w), 120);
    world_free(w);
}

/* A shard that dies after its vote still knows it. */
static void votes_survive_a_crash(void **state)
{
    (void)state;
    struct world *w = txn_world();
    char words[32];
    (void)snprintf(words, sizeof words, "crash S%u 400", txn_row(w, "bob").shard);
    play(w, TRANSFER);
    txn_run(w, 3);
    assert_int_equal(txn_row(w, "bob").locked_by, 1);
    play(w, words);
    txn_run(w, 300);
    assert_int_equal(world_txn(w, 0).end, TXN_DONE);
    assert_int_equal(txn_row(w, "bob").locked_by, 1); /* it is not there to hear of it */
    assert_true(txn_told(w, REASON_TXN_AGAIN) > 0);
    txn_run(w, 300);
    assert_int_equal(txn_row(w, "bob").locked_by, 0);
    assert_int_equal(txn_row(w, "bob").value, 50);
    world_free(w);
}

static void rows_go_along_with_their_slot(void **state)
{
    (void)state;
    struct world *w = txn_world();
    char words[64];
    uint16_t slot = world_key_slot(w, play_key(w, "bob"));
    uint16_t to = (uint16_t)((txn_row(w, "bob").shard + 1) % 4);
    play(w, TRANSFER);
    txn_run(w, 3);
    assert_int_equal(txn_row(w, "bob").locked_by, 1);
    (void)snprintf(words, sizeof words, "move %u S%u", slot, to);
    play(w, words);
    txn_run(w, 500);
    assert_int_equal(txn_row(w, "bob").shard, to);
    assert_int_equal(txn_row(w, "bob").value, 50);
    assert_int_equal(world_txn(w, 0).end, TXN_DONE);
    assert_int_equal(world_txn(w, 0).step[1].shard, to);
    world_free(w);
}

/* The same with the directory's help, fence and all. */
static void a_live_move_holds_no_transaction_up_for_long(void **state)
{
    (void)state;
    struct world *w = txn_world();
    char words[64];
    uint16_t slot = world_key_slot(w, play_key(w, "bob"));
    uint16_t to = (uint16_t)((txn_row(w, "bob").shard + 1) % 4);
    (void)snprintf(words, sizeof words, "migrate %u S%u 1000 1000000", slot, to);
    play(w, words);
    txn_run(w, 100);
    (void)snprintf(words, sizeof words, "fence %u", slot);
    play(w, words);
    play(w, TRANSFER);
    txn_run(w, 500);
    assert_int_equal(world_txn(w, 0).end, TXN_DONE);
    assert_int_equal(txn_row(w, "bob").shard, to);
    assert_int_equal(world_txn_total(w), 120);
    world_free(w);
}

static void messages_that_are_lost_are_sent_again(void **state)
{
    (void)state;
    struct world_config c = txn_config();
    c.seed = 5;
    struct world *w = play_new(&c);
    play(w, "row alice 100");
    play(w, "row bob 20");
    play(w, "patience 20 2000");
    play(w, "network loss 30% double 20%");
    for (int i = 0; i < 20; i++) {
        play(w, i % 2 == 0 ? TRANSFER : "txn 2pc via R4 take bob 3 give alice 3");
        txn_run(w, 1600);
    }
    play(w, "network calm");
    txn_run(w, 2000);
    struct txn_counts n = world_txn_counts(w);
    assert_int_equal(n.open, 0);
    assert_int_equal(n.half, 0);
    assert_true(n.done > 5 && world_faults(w, FAULT_LOSS) > 20);
    assert_int_equal(world_txn_total(w), 120);
    world_free(w);
}

static void a_world_copy_goes_the_same_way(void **state)
{
    (void)state;
    struct world *w = txn_world();
    play(w, "coordinator dies told-one 300");
    play(w, TRANSFER);
    txn_run(w, 10);
    struct world *copy = world_copy(w);
    assert_true(digest_equal(world_digest(w), world_digest(copy)));
    world_run_until(w, world_now(w) + MS(900));
    world_run_until(copy, world_now(copy) + MS(900));
    assert_true(digest_equal(world_digest(w), world_digest(copy)));
    assert_int_equal(world_txn(copy, 0).end, TXN_DONE);
    world_free(copy);
    world_free(w);
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    struct world *w = txn_world();
    play_refused(w, "txn 2pc via R9 take alice 1", "no router R9: this world has R0 to R5");
    play_refused(w, "txn 2pc via R0 take alice 1 give alice 1",
                 "alice is named twice; each step has a row of its own");
    play_refused(w, "txn saga via R0 take alice 0", "a step takes or gives 1 to 1000000000");
    play_refused(w, "row alice 1000000001", "a row is set to 0 to 1000000000");
    for (int i = 0; i < 6; i++) {
        char words[32];
        (void)snprintf(words, sizeof words, "row r%d 1", i);
        play(w, words);
    }
    play_refused(w, "row more 1",
                 "this world has room for 8 rows of transactions; use those that it has");
    play(w, "crash R1 1000");
    play_refused(w, "txn 2pc via R1 take alice 1",
                 "R1 is down and coordinates nothing; use another router");
    for (int i = 0; i < 8; i++) {
        play(w, "txn 2pc via R0 take alice 1");
    }
    play_refused(w, "txn 2pc via R0 take alice 1",
                 "this world has room for 8 transactions, all under way; run it first");
    txn_run(w, 200);
    play(w, "txn 2pc via R0 take alice 1");
    assert_int_equal(world_txn(w, 1).number, 0); /* forgotten */
    assert_int_equal(world_txn(w, 0).number, 9);
    world_free(w);
}

static void worlds_without_room_say_so(void **state)
{
    (void)state;
    struct world *w = play_world();
    play_refused(w, "row alice 1",
                 "this world has room for 0 rows of transactions; use those that it has");
    play_refused(w, "txn 2pc via R0 take alice 1",
                 "this world has room for 0 transactions, all under way; run it first");
    play_refused(w, "coordinator dies voted", "this world has no room for transactions");
    assert_int_equal(world_txn(w, 0).number, 0);
    assert_int_equal(world_txn_rows(w), 0);
    world_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_transfer_changes_both_rows),
        cmocka_unit_test(too_little_is_refused_and_nothing_changes),
        cmocka_unit_test(a_locked_row_says_no_to_others),
        cmocka_unit_test(rows_stay_locked_until_the_coordinator_is_back),
        cmocka_unit_test(who_waits_for_answers_waits_for_it),
        cmocka_unit_test(each_point_of_death_ends_alike_everywhere),
        cmocka_unit_test(a_coordinator_that_is_to_live_does),
        cmocka_unit_test(without_votes_it_gives_up),
        cmocka_unit_test(votes_survive_a_crash),
        cmocka_unit_test(rows_go_along_with_their_slot),
        cmocka_unit_test(a_live_move_holds_no_transaction_up_for_long),
        cmocka_unit_test(messages_that_are_lost_are_sent_again),
        cmocka_unit_test(a_world_copy_goes_the_same_way),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(worlds_without_room_say_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
