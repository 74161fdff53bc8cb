/*
 * Stores without leaders: what overlap does not give, and what stand-ins give instead of it.
 */
#include "quorum_play.h"

#include <stdio.h>

/* --- overlap is no linearizability --- */

/* N4 is slow: its write reaches N1 in its own zone first. One reads new, and one who begins after
 * that reads old. */
static struct world *two_readers(const char *repair)
{
    struct world *w = quorum_world("store cart 3 2 2");
    char words[64];
    snprintf(words, sizeof words, "store cart repair %s", repair);
    play(w, words);
    quorum_ask(w, "set cart p9 1 via N1");
    play(w, "node N4 slow 100");
    play(w, "node N3 slow 20"); /* N1 and N2 are heard first, N3 long after */
    play(w, "set cart p9 2 via N4");
    quorum_run(w, 60); /* 25 ms to N4, 25 to N1, 50 to the others */
    play(w, "get cart p9 via N1");
    quorum_run(w, 7);
    play(w, "node N1 slow 20");
    play(w, "node N3 slow 1");
    play(w, "get cart p9 via N2");
    quorum_run(w, 300);
    return w;
}

static void a_later_read_returns_less(void **state)
{
    (void)state;
    static const char *const modes[] = {"off", "after", "before"};
    for (int mode = 0; mode < 3; mode++) {
        struct world *w = two_readers(modes[mode]);
        struct store_op ops[STORE_HISTORY_MAX];
        assert_int_equal(world_store_history(w, 0, ops), 4);
        assert_true(ops[1].write && ops[1].ok && ops[2].ok && ops[3].ok);
        assert_true(ops[2].asked_us > ops[1].asked_us && ops[2].ended_us < ops[3].asked_us);
        assert_true(ops[3].ended_us < ops[1].ended_us); /* the write is under way all the time */
        assert_int_equal(ops[2].value, 2);
        assert_int_equal(ops[3].value, mode == 2 ? 2 : 1);
        assert_int_equal(quorum_store(w).stale, 0); /* overlap keeps what it promises */
        world_free(w);
    }
}

/* --- split brain --- */

/* cart begins at N3: N3, N4 and N5 keep it; N1 and N2 stand in. */
static struct world *split_brain(const char *store, const char *more)
{
    struct world *w = quorum_world(store);
    if (more != NULL) {
        play(w, more);
    }
    quorum_ask(w, "set cart cart 1 via N3");
    quorum_ask(w, "get cart cart via N1");
    play(w, "split N1 N2");
    return w;
}

static void both_sides_write_and_siblings_remain(void **state)
{
    (void)state;
    struct world *w = split_brain("store cart 3 2 2 sloppy", NULL);
    uint64_t from = trace_next(w);
    struct store_op here = quorum_ask(w, "set cart cart 2 via N1");
    struct store_op there = quorum_ask(w, "set cart cart 3 via N4");
    assert_true(here.ok && there.ok);
    assert_int_equal(here.stand_ins, 2);
    assert_int_equal(there.stand_ins, 0);
    assert_int_equal(quorum_store(w).hints, 2);
    assert_true(quorum_told(w, from, "N3 is silent about cart: N1 stands in"));
    assert_true(quorum_told(w, from, "N1 -> N2  keep cart = 2 for N4"));
    assert_true(quorum_told(w, from, "N5 is silent about cart: nobody is left to stand in"));
    assert_int_equal(quorum_held(w, 0, 0).hint_for, 2);
    assert_int_equal(quorum_held(w, 0, 1).hint_for, 3);
    assert_int_equal(quorum_ask(w, "get cart cart via N2").value, 2); /* stand-ins answer, too */
    assert_int_equal(quorum_store(w).stale, 1);                       /* ... and do not know of 3 */

    from = trace_next(w);
    play(w, "heal");
    quorum_run(w, 1000);
    assert_int_equal(quorum_store(w).hints_handed, 2);
    assert_true(quorum_told(w, from, "N1 -> N3  kept for you: cart = 2"));
    assert_true(quorum_told(w, from, "N3 -> N1  cart is taken over, 2 values side by side"));
    assert_int_equal(quorum_held(w, 0, 2).versions, 2);
    assert_int_equal(quorum_held(w, 0, 0).node, UINT32_MAX);
    struct store_op read = quorum_ask(w, "get cart cart via N5");
    assert_int_equal(read.versions, 2);
    assert_int_equal(read.all[0] + read.all[1], 2 + 3);
    assert_int_equal(quorum_store(w).siblings, 1);
    /* who has read both replaces both */
    assert_true(quorum_ask(w, "set cart cart 4 via N5").ok);
    read = quorum_ask(w, "get cart cart via N3");
    assert_int_equal(read.versions, 1);
    assert_int_equal(read.value, 4);
    assert_int_equal(quorum_store(w).overwritten, 0);
    world_free(w);
}

static void the_last_one_wins_and_one_is_gone(void **state)
{
    (void)state;
    struct world *w = split_brain("store cart 3 2 2 sloppy", "store cart versions last");
    assert_true(quorum_ask(w, "set cart cart 2 via N1").ok);
    assert_true(quorum_ask(w, "set cart cart 3 via N4").ok);
    assert_int_equal(quorum_store(w).overwritten, 0);
    play(w, "heal");
    quorum_run(w, 1000);
    assert_true(quorum_told(w, 1, "N3 -> N1  cart is taken over and dropped, 3 is later"));
    struct store_op read = quorum_ask(w, "get cart cart via N1");
    assert_int_equal(read.versions, 1);
    assert_int_equal(read.value, 3);
    assert_int_equal(quorum_store(w).overwritten, 1);
    assert_int_equal(quorum_store(w).siblings, 0);
    world_free(w);
}

static void a_strict_quorum_refuses_on_one_side(void **state)
{
    (void)state;
    struct world *w = split_brain("store cart 3 2 2", NULL);
    struct store_op here = quorum_ask(w, "set cart cart 2 via N1");
    struct store_op there = quorum_ask(w, "set cart cart 3 via N4");
    assert_false(here.ok);
    assert_int_equal(here.acks, 0);
    assert_true(there.ok);
    assert_false(quorum_ask(w, "get cart cart via N2").ok);
    assert_int_equal(quorum_store(w).hints, 0);
    play(w, "heal");
    quorum_run(w, 1000);
    struct store_op read = quorum_ask(w, "get cart cart via N2");
    assert_int_equal(read.value, 3);
    assert_int_equal(read.versions, 1);
    assert_int_equal(quorum_store(w).stale, 0);
    world_free(w);
}

static void hints_that_do_not_count(void **state)
{
    (void)state;
    struct world *w = split_brain("store cart 3 2 2 sloppy", "store cart hints off");
    struct store_op here = quorum_ask(w, "set cart cart 2 via N1");
    assert_false(here.ok);
    assert_int_equal(here.acks, 0);
    assert_int_equal(quorum_store(w).hints, 2); /* kept all the same */
    assert_false(quorum_ask(w, "get cart cart via N2").ok);
    assert_true(quorum_ask(w, "set cart cart 3 via N4").ok);
    play(w, "heal");
    quorum_run(w, 1000);
    assert_int_equal(quorum_store(w).hints_handed, 2);
    assert_int_equal(quorum_ask(w, "get cart cart via N5").versions, 2); /* failed, and there */
    world_free(w);
}

/* A hint for a node that is down a while; it misses nothing. */
static void a_hint_brings_what_was_missed(void **state)
{
    (void)state;
    struct world *w = quorum_world("store cart 3 2 2 sloppy");
    play(w, "node N3 down");
    struct store_op op = quorum_ask(w, "set cart p9 1 via N1");
    assert_true(op.ok);
    assert_int_equal(op.stand_ins, 0); /* two of the three were quick enough */
    assert_int_equal(quorum_held(w, 0, 3).hint_for, 2);
    quorum_run(w, 1000);
    assert_int_equal(quorum_store(w).hints_handed, 0);
    play(w, "node N3 up");
    quorum_run(w, 300);
    assert_int_equal(quorum_store(w).hints_handed, 1);
    assert_int_equal(quorum_held(w, 0, 2).value[0], 1);
    int64_t next = 0;
    assert_false(world_next_time(w, &next)); /* nobody looks any more */
    world_free(w);
}

/* A stand-in keeps a newer value while its owner takes the older one: that hint stays. */
static void a_newer_hint_outlives_the_older_one(void **state)
{
    (void)state;
    struct world *w = quorum_world("store cart 3 2 2 sloppy");
    play(w, "node N3 slow 100"); /* 50 ms to N1, N2 and N4: silent, in time for nobody */
    play(w, "set cart p9 1 via N1");
    quorum_run(w, 40);   /* N4 has the hint at 20 ms, hands it over at 121: N3 has it at 171 */
    play(w, "split N3"); /* ... and not from N1 */
    quorum_run(w, 60);
    play(w, "heal");
    quorum_run(w, 80); /* 180 ms; N4 hears at 221 that it was taken */
    assert_int_equal(quorum_held(w, 0, 2).value[0], 1);
    play(w, "set cart p9 2 via N1");
    quorum_run(w, 35);
    assert_int_equal(quorum_held(w, 0, 3).value[0], 2);
    quorum_run(w, 8); /* 223 ms: heard */
    play(w, "split N3");
    quorum_run(w, 60);
    assert_int_equal(quorum_held(w, 0, 2).value[0], 1);
    play(w, "heal");
    quorum_run(w, 400);
    assert_int_equal(quorum_held(w, 0, 2).value[0], 2);
    world_free(w);
}

/* What cannot be beside four others is refused before it is written. */
static void no_more_than_four_side_by_side(void **state)
{
    (void)state;
    struct world *w = quorum_world("store cart 1 1 1");
    for (int node = 2; node <= 5; node++) { /* p9 is on N1 alone; no node has seen another's */
        char words[64];
        snprintf(words, sizeof words, "set cart p9 %d via N%d", node, node);
        play(w, words);
    }
    quorum_run(w, 400);
    assert_int_equal(quorum_held(w, 0, 0).versions, 4);
    play(w, "store bag 1 1 1");
    struct store_op op = quorum_ask(w, "set cart p9 9 via N1"); /* it holds all four */
    assert_true(op.ok);
    assert_int_equal(quorum_held(w, 0, 0).versions, 1);
    world_free(w);
    w = quorum_world("store cart 1 1 1");
    play(w, "node add c");
    play(w, "store cart 1 1 1");
    for (int node = 2; node <= 5; node++) { /* of six nodes, p9 begins at another one */
        char words[64];
        snprintf(words, sizeof words, "set cart p9 %d via N%d", node, node);
        play(w, words);
    }
    play_refused(w, "set cart p9 9 via N6",
                 "p9 has 4 values side by side, and no more are kept; get it, then set it through "
                 "the same node");
    quorum_run(w, 400);
    assert_int_equal(quorum_ask(w, "get cart p9 via N6").versions, 4);
    assert_true(quorum_ask(w, "set cart p9 9 via N6").ok);
    assert_int_equal(quorum_ask(w, "get cart p9 via N2").versions, 1);
    world_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_later_read_returns_less),
        cmocka_unit_test(both_sides_write_and_siblings_remain),
        cmocka_unit_test(the_last_one_wins_and_one_is_gone),
        cmocka_unit_test(a_strict_quorum_refuses_on_one_side),
        cmocka_unit_test(hints_that_do_not_count),
        cmocka_unit_test(a_hint_brings_what_was_missed),
        cmocka_unit_test(a_newer_hint_outlives_the_older_one),
        cmocka_unit_test(no_more_than_four_side_by_side),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
