/*
 * HBase as a model: regions by size, earlier in young tables; and Bigtable's splits by load.
 */
#include "system_order_play.h"

#define ID SYSTEM_HBASE
#define MB UINT64_C(1000000)

static void set_bytes(struct world *w, const char *key, uint64_t bytes)
{
    part_of_system(w, ID, system_locate(w, ID, u128_text_position(bytes_of(key))))->bytes = bytes;
}

/* 2 x 128 MB times the cube of how many regions its server has: 256 MB, 2,048 MB, then 10 GB. */
static void young_tables_split_early(void **state)
{
    (void)state;
    struct world *w = posts_world("system hbase on");
    system_run(w, 1000);
    set_bytes(w, "p9", 250 * MB);
    system_run(w, 2000);
    assert_int_equal(world_system(w, ID).splits, 0);
    set_bytes(w, "p9", 257 * MB);
    system_run(w, 1000);
    assert_int_equal(world_system(w, ID).splits, 1);
    struct trace_record r = noted(w, ID, REASON_SYSTEMS_SPLIT_SIZE);
    assert_int_equal(r.target, 3);
    assert_true(r.operand[2] >= (int64_t)(257 * MB));
    assert_int_equal(system_leads(w, ID, 3), 2);
    set_bytes(w, "p9", 2000 * MB);
    system_run(w, 2000);
    assert_int_equal(world_system(w, ID).splits, 1);
    set_bytes(w, "p9", 2049 * MB);
    system_run(w, 1000);
    assert_int_equal(world_system(w, ID).splits, 2);
    play(w, "system hbase cut 0");
    play(w, "system hbase move 0 3");
    system_run(w, 1000);
    assert_int_equal(system_leads(w, ID, 3), 4); /* 4^3 x 256 MB is more than 10 GB */
    set_bytes(w, "p1", 9900 * MB);
    system_run(w, 2000);
    assert_int_equal(world_system(w, ID).splits, 3); /* the cut is one of them */
    set_bytes(w, "p1", 10001 * MB);
    system_run(w, 1000);
    assert_int_equal(world_system(w, ID).splits, 4);
    world_free(w);
}

static void a_region_is_away_for_a_moment_while_it_splits(void **state)
{
    (void)state;
    struct world *w = posts_world("system hbase on");
    system_run(w, 2000);
    assert_int_equal(world_system(w, ID).sum.away, 0);
    play(w, "system hbase cut 3 p8");
    system_run(w, 3000);
    assert_in_range(world_system(w, ID).sum.away, 550,
                    650); /* its 600 requests a second, for 1 s */
    assert_int_equal(world_system(w, ID).second.away, 0);
    world_free(w);
}

static void load_splits_no_region(void **state)
{
    (void)state;
    struct world *w = posts_world("system hbase on");
    p9_takes_off(w);
    system_run(w, 20000);
    assert_int_equal(world_system(w, ID).splits, 0);
    assert_int_equal(noted(w, ID, REASON_SYSTEMS_NO_SPLIT).operand[0], NO_SPLIT_BYTES);
    world_free(w);
}

/* Two warm posts: Bigtable cuts between them, and one of the tablets goes elsewhere. */
static void bigtable_splits_and_moves_by_load(void **state)
{
    (void)state;
    struct world *w = posts_world("system hbase on");
    play(w, "system hbase set splits load");
    play(w, "flow read post:{p6} 1400");
    play(w, "flow read post:{p7} 1400");
    system_run(w, 20000);
    assert_true(was_noted(w, ID, REASON_SYSTEMS_SPLIT_LOAD));
    assert_int_equal(world_system(w, ID).splits, 1);
    assert_int_not_equal(system_part_of(w, ID, "post:{p6}").machine[0],
                         system_part_of(w, ID, "post:{p7}").machine[0]);
    assert_int_equal(world_system(w, ID).moved_bytes, 0); /* the files stay */
    world_free(w);
}

static void bigtable_does_not_split_one_row_nor_an_end_that_grows(void **state)
{
    (void)state;
    struct world *w = posts_world("system hbase on");
    play(w, "system hbase set splits load");
    p9_takes_off(w);
    system_run(w, 15000);
    assert_int_equal(world_system(w, ID).splits, 0);
    assert_int_equal(noted(w, ID, REASON_SYSTEMS_NO_SPLIT).operand[0], NO_SPLIT_ONE_ITEM);
    world_free(w);
    w = posts_world("system hbase on");
    play(w, "system hbase set splits load");
    play(w, "series t 3000");
    system_run(w, 15000);
    assert_int_equal(world_system(w, ID).splits, 0);
    assert_int_equal(noted(w, ID, REASON_SYSTEMS_NO_SPLIT).operand[0], NO_SPLIT_GROWING);
    world_free(w);
}

/* 90 s until its session ends, then its log is replayed; what was acknowledged is in HDFS. */
static void a_dead_servers_regions_are_away_for_90_s_and_nothing_is_lost(void **state)
{
    (void)state;
    struct world *w = posts_world("system hbase on");
    system_run(w, 1000);
    play(w, "system hbase down 3");
    system_run(w, 90000);
    assert_true(world_system(w, ID).second.away > 500);
    system_run(w, 7000);
    struct system_info info = world_system(w, ID);
    assert_int_equal(info.second.away, 0);
    assert_int_equal(info.lost, 0);
    assert_int_not_equal(system_part_of(w, ID, "post:{p9}").machine[0], 3);
    world_free(w);
}

/* A server that joins is empty until the balancer runs, which goes by how many regions each has. */
static void the_balancer_goes_by_the_count_of_regions(void **state)
{
    (void)state;
    struct world *w = posts_world("system hbase on");
    play_refused(w, "system hbase balance",
                 "all servers have as many regions as they should; nothing moves");
    struct machine_info one = world_system_machine(w, ID, 1);
    assert_int_equal(one.keeps, one.leads); /* copies are HDFS's */
    assert_int_equal(one.bytes, system_part(w, ID, 1).bytes);
    play(w, "system hbase grow");
    play(w, "system hbase cut 3");
    system_run(w, 2000);
    assert_int_equal(system_leads(w, ID, 4), 0);
    assert_int_equal(system_leads(w, ID, 3), 2);
    play(w, "system hbase balance");
    assert_int_equal(system_leads(w, ID, 4), 1);
    assert_int_equal(system_leads(w, ID, 3), 1);
    assert_int_equal(world_system(w, ID).moved_bytes, 0);
    system_run(w, 2100);
    assert_int_equal(world_system(w, ID).second.away, 0);
    assert_true(system_says(system_words(ID)->documented, "10 GB"));
    assert_true(system_says(system_words(ID)->documented, "90 s"));
    world_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(young_tables_split_early),
        cmocka_unit_test(a_region_is_away_for_a_moment_while_it_splits),
        cmocka_unit_test(load_splits_no_region),
        cmocka_unit_test(bigtable_splits_and_moves_by_load),
        cmocka_unit_test(bigtable_does_not_split_one_row_nor_an_end_that_grows),
        cmocka_unit_test(a_dead_servers_regions_are_away_for_90_s_and_nothing_is_lost),
        cmocka_unit_test(the_balancer_goes_by_the_count_of_regions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
