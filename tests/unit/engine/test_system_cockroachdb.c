/*
 * CockroachDB as a model: ranges in the order of keys, split by load and size, leases that move.
 */
#include "system_order_play.h"

#define ID SYSTEM_COCKROACHDB

static void ranges_are_in_the_order_of_keys(void **state)
{
    (void)state;
    struct world *w = posts_world("system cockroachdb on");
    assert_int_equal(world_system(w, ID).parts, 4);
    system_part_is(w, ID, 0, "[min, p13)");
    system_part_is(w, ID, 1, "[p13, p2)");
    system_part_is(w, ID, 2, "[p2, p6)");
    system_part_is(w, ID, 3, "[p6, max)");
    assert_int_equal(system_key(w, ID, "likes:{p9}").part, 3);
    assert_int_equal(system_key(w, ID, "likes:{p10}").part, 0);
    system_run(w, 2000);
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(system_part(w, ID, i).second.ok[WORK_WRITE], 200);
        assert_int_equal(system_part(w, ID, i).second.ok[WORK_READ], 400);
    }
    assert_int_equal(world_system(w, ID).splits, 0);
    world_free(w);
}

/* Two warm posts of one range, 3,300 requests a second: a key between them parts the load. */
static void a_range_beyond_2500_requests_is_cut_where_its_load_is_even(void **state)
{
    (void)state;
    struct world *w = posts_world("system cockroachdb on");
    play(w, "flow read post:{p6} 1400");
    play(w, "flow read post:{p7} 1400");
    system_run(w, 9000);
    assert_int_equal(world_system(w, ID).splits, 0);
    system_run(w, 4000);
    assert_int_equal(world_system(w, ID).splits, 1);
    assert_true(was_noted(w, ID, REASON_SYSTEMS_SPLIT_LOAD));
    system_part_is(w, ID, 3, "[p6, p7)");
    system_part_is(w, ID, 4, "[p7, max)");
    /* And a lease goes to a node with less load. */
    system_run(w, 15000);
    assert_int_equal(world_system(w, ID).splits, 1);
    assert_true(world_system(w, ID).leaders >= 1);
    assert_int_not_equal(system_part(w, ID, 3).machine[0], system_part(w, ID, 4).machine[0]);
    assert_int_equal(world_system(w, ID).lost, 0);
    world_free(w);
}

static void a_range_with_2500_requests_stays_whole(void **state)
{
    (void)state;
    struct world *w = posts_world("system cockroachdb on");
    play(w, "flow read post:{p6} 1025");
    play(w, "flow read post:{p7} 1025");
    system_run(w, 15000);
    assert_int_equal(system_part(w, ID, 3).second.asked[WORK_READ], 2250);
    assert_int_equal(system_part(w, ID, 3).second.asked[WORK_WRITE], 200);
    assert_int_equal(world_system(w, ID).splits, 0);
    assert_false(was_noted(w, ID, REASON_SYSTEMS_NO_SPLIT));
    world_free(w);
}

/* p9 has nearly all of its range: no key parts that. */
static void one_key_with_all_of_the_load_is_not_split(void **state)
{
    (void)state;
    struct world *w = posts_world("system cockroachdb on");
    p9_takes_off(w);
    system_run(w, 20000);
    struct trace_record r = noted(w, ID, REASON_SYSTEMS_NO_SPLIT);
    assert_int_equal(r.target, 3);
    assert_int_equal(r.operand[0], NO_SPLIT_ONE_ITEM);
    assert_int_equal(r.operand[1], 2600 - 50 + 9000 + 300);
    struct system_key_info p9 = key_number(w, ID, (uint32_t)r.operand[2] - 1);
    assert_int_equal(p9.text.length, 2);
    assert_memory_equal(p9.text.at, "p9", 2);
    struct system_info info = world_system(w, ID);
    assert_int_equal(info.splits, 0);
    assert_int_equal(info.leaders, 0); /* elsewhere it would be as hot */
    assert_int_equal(info.sum.throttled, 0);
    assert_true(info.second.late > 5000);
    world_free(w);
}

/* No key parts writes that all go to the end; by size it is split, and the new end has them all. */
static void a_series_is_split_by_size_and_its_end_has_all_writes_again(void **state)
{
    (void)state;
    struct world *w = posts_world("system cockroachdb on");
    play(w, "series t 2600");
    system_run(w, 13000);
    struct trace_record r = noted(w, ID, REASON_SYSTEMS_NO_SPLIT);
    assert_int_equal(r.operand[0], NO_SPLIT_GROWING);
    assert_int_equal(r.target, 3);
    assert_int_equal(world_system(w, ID).splits, 0);
    play(w, "series t 900 bytes 100000");
    system_run(w, 8000);
    r = noted(w, ID, REASON_SYSTEMS_SPLIT_SIZE);
    assert_int_equal(r.target, 3);
    assert_true(r.operand[2] > INT64_C(512) << 20);
    assert_int_equal(world_system(w, ID).splits, 1);
    system_run(w, 1000);
    assert_true(system_part(w, ID, 4).second.asked[WORK_WRITE] >= 900);
    assert_int_equal(system_part(w, ID, 3).second.asked[WORK_WRITE], 200);
    uint64_t bytes = system_part(w, ID, 3).bytes;
    assert_in_range(bytes, UINT64_C(200) << 20, UINT64_C(330) << 20);
    world_free(w);
}

/* Two of three copies have what is acknowledged; a lease is taken over after some seconds. */
static void a_dead_nodes_leases_are_taken_over_and_nothing_is_lost(void **state)
{
    (void)state;
    struct world *w = posts_world("system cockroachdb on");
    system_run(w, 1000);
    play(w, "system cockroachdb down 3");
    system_run(w, 5000);
    assert_true(world_system(w, ID).second.away > 500);
    system_run(w, 3000);
    struct system_info info = world_system(w, ID);
    assert_int_equal(info.second.away, 0);
    assert_int_equal(info.lost, 0);
    assert_int_not_equal(system_part(w, ID, 3).machine[0], 3);
    /* Without a majority, nobody writes. */
    play(w, "system cockroachdb down 2");
    system_run(w, 10000);
    assert_true(world_system(w, ID).second.away > 0);
    assert_int_equal(world_system(w, ID).lost, 0);
    play(w, "system cockroachdb up 2");
    play(w, "system cockroachdb up 3");
    system_run(w, 3000);
    assert_int_equal(world_system(w, ID).second.away, 0);
    world_free(w);
}

static void a_node_that_joins_gets_copies_and_leases_by_itself(void **state)
{
    (void)state;
    struct world *w = posts_world("system cockroachdb on");
    system_run(w, 1000);
    play(w, "system cockroachdb grow");
    system_run(w, 20000);
    struct machine_info m = world_system_machine(w, ID, 4);
    assert_in_range(m.keeps, 2, 3);
    assert_true(m.leads >= 1);
    for (uint32_t i = 0; i < 4; i++) { /* each range is still in three zones */
        struct part_info p = system_part(w, ID, i);
        assert_int_equal(1u << p.machine[0] % 3 | 1u << p.machine[1] % 3 | 1u << p.machine[2] % 3,
                         7);
    }
    assert_int_equal(world_system(w, ID).lost, 0);
    assert_int_equal(world_system(w, ID).second.away, 0);
    play_refused(w, "system cockroachdb balance",
                 "CockroachDB spreads leases and copies by itself; move one by hand, or wait");
    world_free(w);
}

static void leases_stay_in_the_zone_that_is_home(void **state)
{
    (void)state;
    struct world *w = posts_world("system cockroachdb on");
    play(w, "system cockroachdb set home b");
    system_run(w, 2000);
    for (uint32_t i = 0; i < 4; i++) { /* node n is in zone n mod 3: node 1 alone is in b */
        struct part_info p = system_part(w, ID, i);
        assert_int_equal(1u << p.machine[0] % 3 | 1u << p.machine[1] % 3 | 1u << p.machine[2] % 3,
                         7);
    }
    assert_int_equal(system_leads(w, ID, 1), 4);
    assert_int_equal(world_system(w, ID).moved_bytes, 0);
    world_free(w);
}

static void ranges_are_cut_joined_and_moved_by_hand(void **state)
{
    (void)state;
    struct world *w = posts_world("system cockroachdb on");
    play(w, "system cockroachdb cut 3 p9");
    system_part_is(w, ID, 3, "[p6, p9)");
    system_part_is(w, ID, 4, "[p9, max)");
    play(w, "system cockroachdb cut 0");
    system_part_is(w, ID, 0, "[min, p11)");
    play_refused(w, "system cockroachdb cut 3 p9",
                 "range 3 cannot be cut at p9, which is not inside it");
    play(w, "system cockroachdb join 3 4");
    assert_int_equal(system_key(w, ID, "likes:{p9}").part, 3);
    system_part_is(w, ID, 3, "[p6, max)");
    uint8_t to = system_part(w, ID, 3).machine[1];
    char move[64];
    snprintf(move, sizeof move, "system cockroachdb move 3 %u", to);
    play(w, move);
    assert_int_equal(system_part(w, ID, 3).machine[0], to); /* it has a copy: its lease moves */
    system_run(w, 1000);
    assert_int_equal(world_system(w, ID).second.away, 0);
    world_free(w);
}

static void the_card_says_what_is_documented_and_what_is_not(void **state)
{
    (void)state;
    const struct system_words *words = system_words(ID);
    assert_true(system_says(words->documented, "512 MiB"));
    assert_true(system_says(words->documented, "2,500 requests"));
    assert_true(system_says(words->leaves_out, "No limit of a node is documented"));
    assert_false(words->stream);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_are_in_the_order_of_keys),
        cmocka_unit_test(a_range_beyond_2500_requests_is_cut_where_its_load_is_even),
        cmocka_unit_test(a_range_with_2500_requests_stays_whole),
        cmocka_unit_test(one_key_with_all_of_the_load_is_not_split),
        cmocka_unit_test(a_series_is_split_by_size_and_its_end_has_all_writes_again),
        cmocka_unit_test(a_dead_nodes_leases_are_taken_over_and_nothing_is_lost),
        cmocka_unit_test(a_node_that_joins_gets_copies_and_leases_by_itself),
        cmocka_unit_test(leases_stay_in_the_zone_that_is_home),
        cmocka_unit_test(ranges_are_cut_joined_and_moved_by_hand),
        cmocka_unit_test(the_card_says_what_is_documented_and_what_is_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
