/*
 * MongoDB as a model: ranges that the balancer moves by bytes, jumbo ones, write concerns.
 */
#include "system_order_play.h"

#define ID SYSTEM_MONGODB

static void ranges_are_in_the_order_of_keys_each_on_a_shard(void **state)
{
    (void)state;
    struct world *w = posts_world("system mongodb on");
    system_part_is(w, ID, 0, "[min, p13)");
    system_part_is(w, ID, 3, "[p6, max)");
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(system_part(w, ID, i).machine[0], i);
        assert_int_equal(system_part(w, ID, i).machine[1], MACHINE_NONE); /* the set has copies */
    }
    world_free(w);
}

/* Load moves and splits nothing, and one shard is as hot as its hot post. */
static void requests_do_not_count_for_the_balancer(void **state)
{
    (void)state;
    struct world *w = posts_world("system mongodb on");
    p9_takes_off(w);
    system_run(w, 20000);
    struct system_info info = world_system(w, ID);
    assert_int_equal(info.splits + info.moved + info.leaders, 0);
    assert_true(info.second.late > 5000);
    struct trace_record r = noted(w, ID, REASON_SYSTEMS_NO_SPLIT);
    assert_int_equal(r.operand[0], NO_SPLIT_BYTES);
    assert_int_equal(r.target, 3);
    world_free(w);
}

/* 90 MB a second go to the end; from 384 MB of difference on ranges of 128 MB move away, one at a
 * time, and the end stays where it is, with all writes. */
static void bytes_move_ranges_when_shards_differ_by_three_of_them(void **state)
{
    (void)state;
    struct world *w = posts_world("system mongodb on");
    play(w, "series t 900 bytes 100000");
    system_run(w, 4000);
    assert_true(system_part(w, ID, 3).bytes < UINT64_C(384000000));
    assert_int_equal(world_system(w, ID).splits, 0); /* not ahead, though it is large */
    assert_true(system_part(w, ID, 3).bytes > UINT64_C(300000000));
    system_run(w, 2000);
    assert_int_equal(world_system(w, ID).splits, 1);
    assert_true(was_noted(w, ID, REASON_SYSTEMS_SPLIT_SIZE));
    struct part_info p = system_part(w, ID, 3);
    assert_int_not_equal(p.target, MACHINE_NONE);
    assert_in_range(p.bytes, UINT64_C(120000000), UINT64_C(136000000));
    int moving = 0;
    for (uint32_t i = 0; i < world_system_parts(w, ID); i++) {
        moving += world_system_part(w, ID, i).target != MACHINE_NONE;
    }
    assert_int_equal(moving, 1);
    system_run(w, 10000);
    struct system_info info = world_system(w, ID);
    assert_true(info.moved >= 1);
    assert_true(info.moved_bytes >= UINT64_C(120000000));
    uint16_t end = system_key(w, ID, "t999999999").part;
    assert_int_equal(system_part(w, ID, end).machine[0], 3);
    assert_true(system_part(w, ID, end).second.asked[WORK_WRITE] >= 900);
    assert_int_equal(info.lost, 0);
    world_free(w);
}

/* A shard that joins gets nothing while the others have little. */
static void a_new_shard_stays_empty_while_bytes_do_not_differ(void **state)
{
    (void)state;
    struct world *w = posts_world("system mongodb on");
    play(w, "system mongodb grow");
    system_run(w, 10000);
    assert_int_equal(system_leads(w, ID, 4), 0);
    assert_int_equal(world_system(w, ID).moved, 0);
    play(w, "system mongodb move 0 4");
    system_run(w, 1000);
    assert_int_equal(system_leads(w, ID, 4), 1);
    play_refused(w, "system mongodb balance",
                 "MongoDB's balancer runs by itself, and goes by bytes; move a range by hand "
                 "instead");
    play_refused(w, "system mongodb join 0 1",
                 "ranges 0 and 1 are on different shards; move one of them first");
    world_free(w);
}

/* A range of one key is never split: it is told, once, and stays. */
static void a_range_of_one_key_is_jumbo(void **state)
{
    (void)state;
    struct world *w = posts_world("system mongodb on");
    play(w, "system mongodb cut 3 p9");
    play(w, "system mongodb cut 4 p91"); /* p9 alone */
    system_run(w, 1000);
    struct part_row *p =
        part_of_system(w, ID, system_locate(w, ID, u128_text_position(bytes_of("p9"))));
    p->bytes = UINT64_C(600000000); /* what would take days */
    system_run(w, 5000);
    struct trace_record r = noted(w, ID, REASON_SYSTEMS_NO_SPLIT);
    assert_int_equal(r.operand[0], NO_SPLIT_ONE_ITEM);
    assert_int_equal(r.target, 4);
    assert_memory_equal(key_number(w, ID, (uint32_t)r.operand[2] - 1).text.at, "p9", 2);
    assert_int_equal(system_part(w, ID, 4).machine[0], 3);
    world_free(w);
}

static uint64_t lost_with(const char *concern)
{
    struct world *w = posts_world("system mongodb on");
    play(w, concern);
    play(w, "flow like likes:{p9} 800");
    system_run(w, 2010);
    play(w, "system mongodb down 3");
    system_run(w, 11000);
    assert_true(world_system(w, ID).second.away > 500); /* an election begins after 10 s */
    system_run(w, 3000);
    assert_int_equal(world_system(w, ID).second.away, 0);
    uint64_t lost = world_system(w, ID).lost;
    world_free(w);
    return lost;
}

static void w_majority_survives_and_w_1_may_be_rolled_back(void **state)
{
    (void)state;
    assert_int_equal(lost_with("system mongodb set concern majority"), 0);
    assert_in_range(lost_with("system mongodb set concern one"), 10, 30);
    assert_int_equal(system_setting(ID, 0)->initial, 1);
    assert_true(system_says(system_words(ID)->documented, "384 MB"));
    assert_true(system_says(system_words(ID)->documented, "Since 6.0.3"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_are_in_the_order_of_keys_each_on_a_shard),
        cmocka_unit_test(requests_do_not_count_for_the_balancer),
        cmocka_unit_test(bytes_move_ranges_when_shards_differ_by_three_of_them),
        cmocka_unit_test(a_new_shard_stays_empty_while_bytes_do_not_differ),
        cmocka_unit_test(a_range_of_one_key_is_jumbo),
        cmocka_unit_test(w_majority_survives_and_w_1_may_be_rolled_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
