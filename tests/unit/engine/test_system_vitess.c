/*
 * Vitess as a model: keyspace ids by xxhash, shards by their names, Reshard and its switches.
 */
#include "system_order_play.h"

#define ID SYSTEM_VITESS

/* Values of the vindex's own tests. */
static void a_keyspace_id_is_xxh64_lowest_byte_first(void **state)
{
    (void)state;
    struct world *w = system_world("system vitess on");
    assert_true(system_key(w, ID, "test1").position.high == UINT64_C(0xd01ab7e4d6978f0b));
    assert_true(system_key(w, ID, "test2").position.high == UINT64_C(0x87eb11714c0a0e89));
    assert_true(system_key(w, ID, "{test1}.x").position.low == 0);
    world_free(w);
}

static void shards_are_named_by_their_keyspace_ids(void **state)
{
    (void)state;
    struct world *w = system_world("system vitess on");
    system_part_is(w, ID, 0, "-40");
    system_part_is(w, ID, 1, "40-80");
    system_part_is(w, ID, 2, "80-c0");
    system_part_is(w, ID, 3, "c0-");
    play(w, "system vitess off");
    play(w, "system vitess on 1");
    system_part_is(w, ID, 0, "0");
    world_free(w);
}

/* Keys that only grow are hashed: all shards have a share. */
static void a_series_is_spread_over_all_shards(void **state)
{
    (void)state;
    struct world *w = system_world("system vitess on");
    play(w, "series t 2000");
    system_run(w, 3000);
    for (uint32_t i = 0; i < 4; i++) {
        assert_in_range(system_part(w, ID, i).second.ok[WORK_WRITE], 400, 600);
    }
    assert_int_equal(world_system(w, ID).second.late, 0);
    world_free(w);
}

static void nothing_splits_by_itself(void **state)
{
    (void)state;
    struct world *w = posts_world("system vitess on");
    p9_takes_off(w);
    system_run(w, 20000);
    assert_int_equal(world_system(w, ID).splits, 0);
    struct trace_record r = noted(w, ID, REASON_SYSTEMS_NO_SPLIT);
    assert_int_equal(r.operand[0], NO_SPLIT_HAND);
    assert_int_equal(r.target, system_key(w, ID, "likes:{p9}").part);
    assert_true(world_system(w, ID).second.late > 5000);
    assert_int_equal(world_system(w, ID).sum.throttled, 0);
    world_free(w);
}

/* Old shards serve until told otherwise; new ones are copied beside them. */
static void a_reshard_copies_switches_reads_then_writes_and_can_go_back(void **state)
{
    (void)state;
    struct world *w = posts_world("system vitess on");
    uint16_t old = system_key(w, ID, "likes:{p9}").part;
    char words[48];
    play(w, "series t 100 bytes 1000000");
    system_run(w, 3000);
    snprintf(words, sizeof words, "system vitess cut %u", old);
    play(w, words);
    struct part_info low = system_part(w, ID, 4), high = system_part(w, ID, 5);
    assert_int_equal(low.state, PART_COPYING);
    assert_int_equal(low.parent[0], old);
    assert_true(low.ready_us > world_now(w) + US_PER_SECOND);
    assert_int_equal(world_system(w, ID).machines, 6);
    assert_int_equal(world_system(w, ID).parts, 4);
    play_refused(w, "system vitess set serves reads",
                 "the new shards are still being copied; wait until they are done");
    play_refused(w, "system vitess cut 0",
                 "a Reshard is under way; complete it first (set serves new, then done)");
    system_run(w, 5000);
    assert_int_equal(system_part(w, ID, 4).ready_us, 0);
    assert_int_equal(low.sum.asked[WORK_READ] + high.sum.asked[WORK_READ], 0);

    play(w, "system vitess set serves reads");
    system_run(w, 2000);
    low = system_part(w, ID, 4);
    high = system_part(w, ID, 5);
    struct part_info from = system_part(w, ID, old);
    assert_true(low.second.ok[WORK_READ] + high.second.ok[WORK_READ] >= 100);
    assert_int_equal(low.second.asked[WORK_WRITE] + high.second.asked[WORK_WRITE], 0);
    assert_int_equal(from.second.asked[WORK_READ], 0);
    assert_true(from.second.ok[WORK_WRITE] >= 50);

    play_refused(w, "system vitess set serves done",
                 "writes still go to the old shards; set serves new before done");
    uint64_t away = world_system(w, ID).sum.away;
    play(w, "system vitess set serves new");
    system_run(w, 2000);
    away = world_system(w, ID).sum.away - away;
    assert_true(away > 0 && away < 200); /* writes, for half a second; reads go on */
    from = system_part(w, ID, old);
    assert_int_equal(from.state, PART_CLOSED);
    assert_int_equal(from.second.asked[WORK_WRITE], 0);
    assert_int_equal(world_system(w, ID).parts, 5);
    assert_true(system_key(w, ID, "likes:{p9}").part >= 4);

    play(w, "system vitess set serves old"); /* ReverseTraffic */
    system_run(w, 2000);
    assert_int_equal(system_key(w, ID, "likes:{p9}").part, old);
    assert_int_equal(system_part(w, ID, 4).state, PART_COPYING);
    play(w, "system vitess set serves new");
    play(w, "system vitess set serves done");
    system_run(w, 2100);
    assert_int_equal(system_part(w, ID, old).state, PART_EXPIRED);
    assert_int_equal(world_system(w, ID).parts, 5);
    assert_int_equal(world_system(w, ID).splits, 1);
    assert_int_equal(world_system(w, ID).second.away, 0);
    play_refused(w, "system vitess set serves old",
                 "no Reshard is under way; cut a shard or join two first");
    world_free(w);
}

static void without_a_reverse_stream_there_is_no_way_back(void **state)
{
    (void)state;
    struct world *w = posts_world("system vitess on");
    play(w, "system vitess set reverse off");
    play(w, "system vitess cut 0");
    system_part_is(w, ID, 4, "-20");
    system_part_is(w, ID, 5, "20-40");
    system_run(w, 1000);
    play(w, "system vitess set serves new");
    play_refused(w, "system vitess set serves old",
                 "there is no reverse stream, so the old shards lack what was written since; make "
                 "a Reshard the other way instead");
    play(w, "system vitess set serves done");
    play(w, "system vitess join 4 5");
    system_part_is(w, ID, 6, "-40");
    system_run(w, 1000);
    play(w, "system vitess set serves new");
    play(w, "system vitess set serves done");
    assert_int_equal(world_system(w, ID).parts, 4);
    assert_int_equal(world_system(w, ID).joins, 1);
    play_refused(w, "system vitess join 1 3",
                 "shards 1 and 3 are no neighbours, and only those become one");
    world_free(w);
}

/* Policy none tells the client before a replica has the write; semi_sync after. */
static uint64_t lost_with(const char *durability)
{
    struct world *w = posts_world("system vitess on");
    play(w, durability);
    system_run(w, 1000);
    play(w, "flow like likes:{p9} 800");
    system_run(w, 2010);
    char down[48];
    snprintf(down, sizeof down, "system vitess down %u",
             system_part_of(w, ID, "likes:{p9}").machine[0]);
    play(w, down);
    system_run(w, 4500);
    assert_true(world_system(w, ID).second.away > 500);
    system_run(w, 2500);
    assert_int_equal(world_system(w, ID).second.away, 0);
    uint64_t lost = world_system(w, ID).lost;
    world_free(w);
    return lost;
}

static void semi_sync_survives_the_death_of_a_primary(void **state)
{
    (void)state;
    assert_in_range(lost_with("system vitess set durability none"), 10, 30); /* 20 ms of 800/s */
    assert_int_equal(lost_with("system vitess set durability semi-sync"), 0);
    assert_int_equal(system_setting(ID, 0)->initial, 0); /* Vitess's default */
}

static void what_vitess_does_not_do_by_itself_is_refused(void **state)
{
    (void)state;
    struct world *w = system_world("system vitess on");
    play_refused(w, "system vitess balance",
                 "Vitess does not balance by itself; cut the shard that is full");
    play_refused(w, "system vitess move 0 1",
                 "a shard of Vitess goes elsewhere by a Reshard; cut it, or join it to another");
    play(w, "system vitess grow");
    assert_int_equal(system_leads(w, ID, 4), 0);
    play(w, "system vitess cut 3");
    assert_int_equal(system_part(w, ID, 4).machine[0], 4); /* the empty one first */
    assert_int_equal(system_part(w, ID, 5).machine[0], 5);
    assert_true(system_says(system_words(ID)->documented, "Nothing splits or balances by itself"));
    world_free(w);
}

/* Rows come from a shard that somebody serves. */
static void a_dead_shard_is_not_resharded(void **state)
{
    (void)state;
    struct world *w = system_world("system vitess on 2 2");
    for (int i = 0; i < 3; i++) {
        play(w, "system vitess down 0");
        play_refused(w, "system vitess cut 0", "shard 0 is away now; wait until it is served");
        system_run(w, 7000);
    }
    play_refused(w, "system vitess cut 0", "shard 0 is away now; wait until it is served");
    play_refused(w, "system vitess join 0 1", "shard 0 is away now; wait until it is served");
    play_refused(w, "system vitess join 1 0", "shard 0 is away now; wait until it is served");
    play(w, "system vitess up 0");
    play(w, "system vitess cut 0");
    world_free(w);
}

/* Switching the writes waits for a primary that is away, and so does switching back. */
static void a_dead_shard_hands_nothing_over(void **state)
{
    (void)state;
    struct world *w = system_world("system vitess on 2 2");
    play(w, "system vitess set reverse on");
    play(w, "system vitess cut 0");
    system_run(w, 1000);
    play(w, "system vitess down 0");
    play(w, "system vitess set serves reads");
    play_refused(w, "system vitess set serves new", "shard 0 is away now; wait until it is served");
    system_run(w, 6000);
    play(w, "system vitess set serves new");
    struct part_info made = world_system_part(w, ID, 1);
    char down[48];
    snprintf(down, sizeof down, "system vitess down %u", made.machine[0]);
    play(w, down);
    system_run(w, 100);
    play_refused(w, "system vitess set serves old", "shard 2 is away now; wait until it is served");
    system_run(w, 6000);
    play(w, "system vitess set serves old");
    world_free(w);
}

/* Two seconds of rows, and five without a primary. */
static void a_copy_waits_for_its_source(void **state)
{
    (void)state;
    struct world *w = system_world("system vitess on 2 2");
    struct trace_record told;
    part_of_system(w, ID, 0)->bytes = 64000000;
    play(w, "system vitess cut 0");
    system_run(w, 1000);
    play(w, "system vitess down 0");
    system_run(w, 4000);
    assert_int_equal(system_told(w, ID, REASON_SYSTEMS_MOVED, &told), 0);
    play_refused(w, "system vitess set serves reads",
                 "the new shards are still being copied; wait until they are done");
    system_run(w, 4000);
    assert_int_equal(system_told(w, ID, REASON_SYSTEMS_MOVED, &told), 2);
    assert_in_range(told.operand[2], 6 * US_PER_SECOND, 8 * US_PER_SECOND);
    play(w, "system vitess set serves reads");
    world_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_keyspace_id_is_xxh64_lowest_byte_first),
        cmocka_unit_test(shards_are_named_by_their_keyspace_ids),
        cmocka_unit_test(a_series_is_spread_over_all_shards),
        cmocka_unit_test(nothing_splits_by_itself),
        cmocka_unit_test(a_reshard_copies_switches_reads_then_writes_and_can_go_back),
        cmocka_unit_test(without_a_reverse_stream_there_is_no_way_back),
        cmocka_unit_test(semi_sync_survives_the_death_of_a_primary),
        cmocka_unit_test(what_vitess_does_not_do_by_itself_is_refused),
        cmocka_unit_test(a_dead_shard_is_not_resharded),
        cmocka_unit_test(a_dead_shard_hands_nothing_over),
        cmocka_unit_test(a_copy_waits_for_its_source),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
