/*
 * Stores without leaders: N, W and R, and what overlap gives.
 */
#include "quorum_play.h"

#include <stdio.h>

/* The trace tells the whole of a write and a read. */
static void a_write_and_a_read_are_told(void **state)
{
    (void)state;
    struct world *w = quorum_world("store cart 3 2 2");
    uint64_t from = trace_next(w);
    play(w, "set cart p9 5 via N1");
    quorum_run(w, 400);
    play_expect(w, from,
                "20:00:00.000000  client a -> N1  set p9 = 5 in cart\n"
                "20:00:00.000250  N1  p9 = 5 is kept\n"
                "20:00:00.000250  N1 -> N2  keep p9 = 5\n"
                "20:00:00.000250  N1 -> N3  keep p9 = 5\n"
                "20:00:00.000750  N2 -> N1  p9 = 5 is kept\n"
                "20:00:00.000750  N3 -> N1  p9 = 5 is kept\n"
                "20:00:00.001250  N1 -> client a  OK: p9 = 5 is kept 2 times\n");
    from = trace_next(w);
    play(w, "get cart p9 via N5");
    quorum_run(w, 400);
    play_expect(w, from,
                "20:00:00.400000  client b -> N5  get p9 in cart\n"
                "20:00:00.400250  N5 -> N1  what is p9?\n"
                "20:00:00.400250  N5 -> N2  what is p9?\n"
                "20:00:00.400250  N5 -> N3  what is p9?\n"
                "20:00:00.400500  N2 -> N5  p9 = 5\n"
                "20:00:00.400750  N1 -> N5  p9 = 5\n"
                "20:00:00.400750  N3 -> N5  p9 = 5\n"
                "20:00:00.401250  N5 -> client b  p9 = 5\n");
    assert_true(quorum_told(w, 1, "W + R is 4, more than N, which is 3"));
    assert_true(quorum_told(w, 1, "W is 2, and 2 of 3 have it."));
    struct store_info s = quorum_store(w);
    assert_int_equal(s.sets_ok, 1);
    assert_int_equal(s.gets_ok, 1);
    assert_int_equal(s.stale, 0);
    world_free(w);
}

/* A node misses writes while it is down; what it then says alone is stale. */
static uint64_t stale_reads(const char *store, uint64_t *failed)
{
    struct world *w = quorum_world(store);
    quorum_ask(w, "set cart p9 1 via N1");
    play(w, "node N3 down");
    for (uint64_t value = 2; value < 6; value++) {
        char words[64];
        snprintf(words, sizeof words, "set cart p9 %d via N1", (int)value);
        assert_true(quorum_ask(w, words).ok);
    }
    play(w, "node N3 up");
    for (int i = 0; i < 5; i++) {
        quorum_ask(w, "get cart p9 via N3");
    }
    struct store_info s = quorum_store(w);
    *failed = s.gets_failed;
    world_free(w);
    return s.stale;
}

static void overlap_meets_every_acknowledged_write(void **state)
{
    (void)state;
    uint64_t failed = 0;
    assert_int_equal(stale_reads("store cart 3 2 2", &failed), 0);
    assert_int_equal(failed, 0);
    assert_int_equal(stale_reads("store cart 3 1 1", &failed), 5);
    assert_int_equal(stale_reads("store cart 3 2 1", &failed), 5);
    assert_int_equal(stale_reads("store cart 3 1 3", &failed), 0);
}

static void without_overlap_the_trace_says_stale(void **state)
{
    (void)state;
    struct world *w = quorum_world("store cart 3 1 1");
    quorum_ask(w, "set cart p9 1 via N1");
    play(w, "split N3");
    assert_true(quorum_ask(w, "set cart p9 2 via N1").ok);
    struct store_op op = quorum_ask(w, "get cart p9 via N3");
    assert_true(op.ok && op.stale);
    assert_int_equal(op.value, 1);
    assert_true(quorum_told(w, 1, "N3 -> client c  p9 = 1 (stale)"));
    assert_true(quorum_told(w, 1, "a write that was acknowledged before this read began"));
    assert_true(quorum_held(w, 0, 2).behind);
    assert_false(quorum_held(w, 0, 1).behind);
    world_free(w);
}

/* Too few of the N: refused, and yet written. */
static void a_write_that_failed_may_still_show(void **state)
{
    (void)state;
    struct world *w = quorum_world("store cart 3 2 2");
    quorum_ask(w, "set cart p9 1 via N1");
    play(w, "node N2 down");
    play(w, "node N3 down");
    uint64_t from = trace_next(w);
    struct store_op op = quorum_ask(w, "set cart p9 2 via N1");
    assert_false(op.ok);
    assert_int_equal(op.acks, 1);
    assert_int_equal(op.ended_us, -1);
    assert_true(quorum_told(w, from, "failed: p9 = 2 is kept 1 times, 2 are wanted"));
    assert_true(quorum_told(w, from, "the write may still show"));
    assert_false(quorum_ask(w, "get cart p9 via N1").ok);
    play(w, "node N2 up");
    play(w, "node N3 up");
    op = quorum_ask(w, "get cart p9 via N1");
    assert_int_equal(op.value, 2);
    assert_false(op.stale);
    world_free(w);
}

static void a_coordinator_dies_with_it_in_hand(void **state)
{
    (void)state;
    struct world *w = quorum_world("store cart 3 3 1");
    play(w, "node N2 slow 100");
    play(w, "set cart p9 4 via N5");
    quorum_run(w, 10);
    play(w, "node N5 down");
    quorum_run(w, 400);
    assert_int_equal(quorum_store(w).sets_failed, 1);
    assert_true(quorum_told(w, 1, "N5  died and left open an operation on p9"));
    assert_true(quorum_told(w, 1, "gives up waiting for p9"));
    assert_true(world_all_answered(w));
    assert_int_equal(quorum_ask(w, "get cart p9 via N2").value,
                     4); /* it took effect all the same */
    world_free(w);
}

/* Which node answers a read is chance; who is behind is repaired, before or after the answer. */
static void reads_repair_who_is_behind(void **state)
{
    (void)state;
    static const char *const modes[] = {"off", "after", "before"};
    for (int mode = 0; mode < 3; mode++) {
        struct world *w = quorum_world("store cart 3 2 2");
        char words[64];
        snprintf(words, sizeof words, "store cart repair %s", modes[mode]);
        play(w, words);
        quorum_ask(w, "set cart p9 1 via N1");
        play(w, "split N3");
        quorum_ask(w, "set cart p9 2 via N1");
        play(w, "heal");
        assert_true(quorum_held(w, 0, 2).behind);
        play(w, "node N2 slow 4"); /* so that N1 and N3 are the two that are heard */
        struct store_op op = quorum_ask(w, "get cart p9 via N1");
        assert_int_equal(op.value, 2);
        assert_int_equal(quorum_held(w, 0, 2).behind, mode == 0);
        assert_int_equal(quorum_store(w).repairs, mode == 0 ? 0 : 1);
        assert_int_equal(quorum_told(w, 1, "the client was not kept waiting"), mode == 1);
        assert_int_equal(quorum_told(w, 1, "before the client is answered"), mode == 2);
        world_free(w);
    }
}

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    struct world *w = quorum_world("store cart 3 2 2");
    play_refused(w, "store big 4 5 1",
                 "N is 1 to 5, W and R are 1 to N; N 4, W 5, R 1 is not that");
    play_refused(w, "set bag p9 1 via N1", "no store bag; begin one: store bag 3 2 2");
    play_refused(w, "set cart p9 0 via N1", "a value is a number from 1 on: 0 stands for nothing");
    play_refused(w, "set cart p9 1 via N7", "no node N7: this world has N1 to N5");
    play_refused(w, "store cart hints off", "cart is not sloppy: nobody keeps a hint in it");
    play(w, "store bag 1 1 1");
    play_refused(w, "store sack 1 1 1",
                 "this world has room for 2 stores and has as many; begin one anew");
    for (int key = 0; key < STORE_KEYS_MAX; key++) {
        char words[64];
        snprintf(words, sizeof words, "set cart k%d 1 via N1", key);
        play(w, words);
    }
    play_refused(w, "get cart other via N1",
                 "cart has room for 8 keys and has met as many; use one of them");
    play_refused(w, "store cart versions last", "cart holds values already; begin it anew first");
    for (int op = STORE_KEYS_MAX; op < STORE_HISTORY_MAX; op++) {
        play(w, "get cart k0 via N2");
    }
    play_refused(w, "get cart k0 via N2",
                 "cart has 64 operations under way, no more fit; run the world first");
    play(w, "store cart 5 3 3 sloppy"); /* all of that is forgotten, and on its way for nobody */
    assert_true(world_all_answered(w));
    quorum_run(w, 1000);
    struct store_info s = quorum_store(w);
    assert_int_equal(s.sets + s.gets + s.gets_ok + s.keys, 0);
    assert_true(quorum_ask(w, "set cart p9 3 via N2").ok);
    world_free(w);
}

/* Doubled, lost and late messages: a store applies each once, and clients learn what they learn. */
static void the_network_does_its_worst(void **state)
{
    (void)state;
    struct world *w = quorum_world("store cart 3 2 2 sloppy");
    play(w, "patience 20");
    play(w, "network loss 10% double 10% delay 10% 30");
    for (int i = 0; i < 40; i++) {
        char words[64];
        snprintf(words, sizeof words, "set cart p9 %d via N%d", i + 1, 1 + i % 3);
        play(w, words);
        quorum_run(w, 7);
        snprintf(words, sizeof words, "get cart p9 via N%d", 1 + i % 5);
        play(w, words);
        quorum_run(w, 31);
    }
    quorum_run(w, 1000);
    struct store_info s = quorum_store(w);
    assert_int_equal(s.sets_ok + s.sets_failed, 40);
    assert_int_equal(s.gets_ok + s.gets_failed, 40);
    assert_true(s.sets_ok > 20 && s.gets_ok > 20);
    world_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_write_and_a_read_are_told),
        cmocka_unit_test(overlap_meets_every_acknowledged_write),
        cmocka_unit_test(without_overlap_the_trace_says_stale),
        cmocka_unit_test(a_write_that_failed_may_still_show),
        cmocka_unit_test(a_coordinator_dies_with_it_in_hand),
        cmocka_unit_test(reads_repair_who_is_behind),
        cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(the_network_does_its_worst),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
