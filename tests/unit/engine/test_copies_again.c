/*
 * Copies that are made anew: where they go, how fast, when they count, and what stops them.
 */
#include "copies_play.h"

/* Twelve partitions of 1 GB on five nodes. */
static struct world *cluster(void)
{
    static const char *const groups[] = {
        "group P1 N1 N2 N5", "group P2 N3 N4 N5",  "group P3 N4 N1 N5",  "group P4 N2 N3 N1",
        "group P5 N4 N1 N2", "group P6 N3 N2 N4",  "group P7 N1 N4 N5",  "group P8 N2 N4 N5",
        "group P9 N3 N1 N5", "group P10 N4 N1 N2", "group P11 N3 N1 N5", "group P12 N4 N3 N2"};
    struct world *w = copies_world(5, NULL);
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        play(w, groups[i]);
    }
    copies_run(w, 300);
    return w;
}

static void assert_held(const struct world *w, const uint32_t *expected)
{
    for (uint32_t node = 0; node < 5; node++) {
        assert_int_equal(world_node_holds(w, node).replicas, expected[node]);
    }
}

/* The plan is even, and takes as long as a partition at its budget. */
static void a_dead_node_is_replaced_evenly(void **state)
{
    (void)state;
    struct world *w = cluster();
    play(w, "recopy on 100MB");
    play(w, "node N3 down");
    copies_run(w, 6000);
    for (uint32_t i = 0; i < world_groups(w); i++) {
        assert_true(world_group(w, i).leaderless_since_us < 0);
    }
    assert_held(w, (const uint32_t[]){8, 7, 6, 8, 7});
    play(w, "recopy now N3");
    assert_int_equal(world_recopy(w).under_way, 6);
    copies_run(w, 9990);
    assert_int_equal(world_recopy(w).done, 0);
    copies_run(w, 20);
    struct recopy_info r = world_recopy(w);
    assert_int_equal(r.done, 6);
    assert_int_equal(r.under_way, 0);
    assert_int_equal(r.ended_us - r.began_us, 10 * US_PER_SECOND);
    assert_int_equal(r.bytes, UINT64_C(6000000000));
    assert_held(w, (const uint32_t[]){9, 9, 0, 9, 9});
    world_free(w);
}

/* Without a budget copies take all that the links carry, evenly. */
static void links_are_shared(void **state)
{
    (void)state;
    struct world *w = copies_world(5, "N1 N2 N3 bytes 100MB");
    play(w, "group H N1 N2 N3 bytes 100MB");
    play(w, "node link 100MB");
    play(w, "node N3 down");
    copies_run(w, 100);
    play(w, "recopy now N3"); /* G to N4, H to N5, both from N1 */
    assert_int_equal(node_load(w, 0), 1000);
    assert_int_equal(node_load(w, 3), 500);
    assert_int_equal(node_load(w, 4), 500);
    play(w, "recopy on 10MB");
    assert_int_equal(node_load(w, 0), 200);
    assert_int_equal(node_load(w, 3), 100);
    copies_run(w, 1000);
    assert_int_equal(copies_replica(w, 4).copied, 10000000);
    assert_int_equal(copies_replica(w, 4).state, REPLICA_COPYING);
    play(w, "recopy on");
    copies_run(w, 1790);
    assert_int_equal(world_recopy(w).done, 0);
    copies_run(w, 20);
    assert_int_equal(world_recopy(w).done, 2);
    for (uint32_t node = 0; node < 5; node++) {
        assert_int_equal(node_load(w, node), 0);
    }
    world_free(w);
}

/* A zone that has none goes first, then the fewest replicas. */
static void zones_are_spread(void **state)
{
    (void)state;
    struct world_config c = play_config();
    c.nodes_max = 8;
    c.node_messages_max = 512;
    c.groups_max = 4;
    struct world *w = play_new(&c);
    play(w, "node add any 6"); /* a b c a b c */
    play(w, "group G N1 N2 N3");
    play(w, "group H N4 N5 N6");
    play(w, "group I N6 N4 N5");
    play(w, "node N3 down");
    play(w, "recopy now N3");
    assert_int_equal(copies_replica(w, 6).state, REPLICA_COPYING);
    play(w, "node N6 down"); /* the other node of zone c */
    uint64_t from = trace_next(w);
    copies_run(w, 20);
    assert_int_equal(copies_count(w, from, REASON_COPY_DROPPED), 0);
    assert_int_equal(copies_replica(w, 4).state, REPLICA_COPYING);
    world_free(w);
}

static void the_operator_chooses(void **state)
{
    (void)state;
    struct world *w = copies_world(5, "N1 N2 N3 bytes 100MB");
    copies_run(w, 50);
    play_refused(w, "recopy G N4", "all replicas of G are there; nothing is to be copied");
    play(w, "node N3 down");
    play_refused(w, "recopy G N2", "N2 has a replica of G already");
    play_refused(w, "recopy G N3", "N3 has a replica of G already");
    play_refused(w, "recopy G N7", "no node N7: this world has 5 nodes");
    play_refused(w, "recopy H N4", "no group H in this world");
    play_refused(w, "recopy on 5",
                 "a copy's budget is 1KB a second or more; 0: what the links carry");
    play(w, "recopy G N5");
    copies_run(w, 20);
    uint64_t from = trace_next(w);
    play(w, "recopy G N4");
    assert_int_equal(copies_count(w, from, REASON_COPY_DROPPED), 1);
    copies_run(w, 500);
    assert_int_equal(copies_replica(w, 4).state, REPLICA_VOTES);
    assert_int_equal(copies_group(w).replicas, 3);
    play(w, "node N3 up"); /* what is on its disk is of no use any more */
    copies_run(w, 3000);
    assert_int_equal(world_node_holds(w, 2).replicas, 0);
    assert_int_equal(copies_leader(w), 1);
    world_free(w);
}

/* A node that is taken for dead and lives: its leader is replaced first. */
static void a_leader_that_is_declared_dead_is_replaced(void **state)
{
    (void)state;
    struct world *w = copies_world(4, "N1 N2 N3 bytes 100MB");
    play(w, "append G 4");
    copies_run(w, 200);
    play(w, "recopy on 100MB");
    copies_declared_dead(w, 0);
    assert_int_equal(copies_replica(w, 1).state, REPLICA_GONE);
    copies_run(w, 1500);
    assert_int_equal(copies_replica(w, 4).state, REPLICA_VOTES);
    assert_int_equal(copies_replica(w, 4).value, 4);
    assert_in_range(copies_leader(w), 2, 3);
    assert_int_equal(world_node_holds(w, 0).replicas, 0);
    play(w, "append G 5");
    copies_run(w, 100);
    assert_int_equal(copies_group(w).acked, 2);
    world_free(w);
}

/* Heard again in time, it stays what it was. */
static void who_is_alive_again_is_not_replaced(void **state)
{
    (void)state;
    struct world *w = copies_world(4, "N1 N2 N3");
    copies_run(w, 50);
    play(w, "recopy on 100MB");
    copies_declared_dead(w, 2);
    copies_run(w, 1000);
    assert_int_equal(world_recopy(w).under_way, 1);
    copies_declared_alive(w, 2);
    assert_int_equal(world_recopy(w).under_way, 0);
    assert_int_equal(world_node(w, 3).bulk, 0);
    copies_run(w, 12000);
    assert_int_equal(world_recopy(w).done, 0);
    assert_int_equal(copies_replica(w, 3).state, REPLICA_VOTES);
    world_free(w);
}

/* No leader, no directory, no node: it waits, and goes on. */
static void copies_wait_for_what_they_need(void **state)
{
    (void)state;
    struct world *w = copies_world(4, "N1 N2 N3 bytes 200MB");
    copies_run(w, 50);
    play(w, "recopy on 100MB");
    play(w, "node N4 down");
    play(w, "node N3 down");
    uint64_t from = trace_next(w);
    play(w, "recopy now N3");
    assert_int_equal(copies_count(w, from, REASON_COPY_NO_PLACE), 1);
    play(w, "node N4 up");
    assert_int_equal(world_recopy(w).under_way, 1);
    copies_run(w, 500);
    play(w, "split N4");
    copies_run(w, 500);
    assert_true(copies_count(w, from, REASON_COPY_WAITS) >= 1);
    assert_in_range(copies_replica(w, 4).copied, 49000000, 51000000); /* what is there stays */
    play(w, "heal");
    play(w, "directory off");
    copies_run(w, 1000); /* found out within a tenth of a second */
    assert_in_range(copies_replica(w, 4).copied, 49000000, 61000000);
    play(w, "directory on");
    copies_run(w, 500);
    play(w, "node N1 down"); /* one of two that are left: nobody can be elected */
    copies_run(w, 3000);
    assert_int_equal(copies_leader(w), 0);
    assert_int_equal(world_node(w, 3).bulk, 0);
    play(w, "node N1 up");
    copies_run(w, 8000);
    assert_int_equal(copies_replica(w, 4).state, REPLICA_VOTES);
    world_free(w);
}

/* The old one lives, is cut off and stands: it is no member any more when it is heard. */
static void who_was_replaced_is_heard_no_more(void **state)
{
    (void)state;
    struct world *w = copies_world(4, "N1 N2 N3 bytes 50MB");
    play(w, "append G 1");
    copies_run(w, 200);
    play(w, "split N3");
    copies_run(w, 5000);
    assert_true(copies_replica(w, 3).term > copies_group(w).replica[0].term);
    play(w, "recopy now N3");
    copies_run(w, 3000);
    assert_int_equal(copies_replica(w, 4).state, REPLICA_VOTES);
    uint64_t elections = copies_group(w).elections;
    play(w, "heal");
    copies_run(w, 5000);
    assert_int_equal(copies_leader(w), 1);
    assert_int_equal(copies_group(w).elections, elections);
    world_free(w);
}

/* A copy counts only in a majority's term: with two of three in doubt it waits. */
static void two_replicas_of_two_can_be_replaced(void **state)
{
    (void)state;
    struct world *w = copies_world(4, "N1 N2 bytes 50MB");
    play(w, "append G 1");
    copies_run(w, 200);
    play(w, "node N2 down");
    play(w, "append G 2");
    copies_run(w, 1500);
    assert_int_equal(copies_group(w).acked, 1);
    play(w, "recopy now N2");
    copies_run(w, 500);
    play(w, "append G 3");
    copies_run(w, 300);
    assert_int_equal(copies_group(w).acked, 2);
    assert_int_equal(copies_replica(w, 3).value, copies_replica(w, 1).value);
    world_free(w);
}

static void off_drops_what_is_under_way(void **state)
{
    (void)state;
    struct world *w = cluster();
    play(w, "recopy on 100MB");
    play(w, "node N3 down");
    play(w, "recopy now N3");
    copies_run(w, 100);
    play(w, "recopy off");
    play(w, "recopy off");
    assert_int_equal(world_recopy(w).under_way, 0);
    copies_run(w, 11000);
    assert_held(w, (const uint32_t[]){8, 7, 6, 8, 7});
    for (uint32_t node = 0; node < 5; node++) {
        assert_int_equal(world_node(w, node).bulk, 0);
    }
    world_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_dead_node_is_replaced_evenly),
        cmocka_unit_test(links_are_shared),
        cmocka_unit_test(zones_are_spread),
        cmocka_unit_test(the_operator_chooses),
        cmocka_unit_test(a_leader_that_is_declared_dead_is_replaced),
        cmocka_unit_test(who_is_alive_again_is_not_replaced),
        cmocka_unit_test(copies_wait_for_what_they_need),
        cmocka_unit_test(who_was_replaced_is_heard_no_more),
        cmocka_unit_test(two_replicas_of_two_can_be_replaced),
        cmocka_unit_test(off_drops_what_is_under_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
