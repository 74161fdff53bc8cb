/*
 * Small rules of systems that no other test would miss: what is told once, what waits for another,
 * and who is left alone.
 */
#include "system_order_play.h"

static uint16_t place_of(const struct world *w, enum system_id id, uint32_t number)
{
    uint16_t place;
    struct err err = {{0}};
    assert_true(system_part_named(w, (uint8_t)id, number, &place, &err));
    return place;
}

/* Each time that it begins, and each time that it is over, once. */
static void throttling_is_told_when_it_begins_and_ends(void **state)
{
    (void)state;
    struct trace_record r;
    struct world *w = system_world("system dynamodb on");
    for (uint32_t times = 1; times <= 2; times++) {
        system_likes(w, 9, 2400);
        system_run(w, 3000);
        system_likes(w, 9, 100);
        system_run(w, 4000);
        assert_int_equal(system_told(w, SYSTEM_DYNAMODB, REASON_SYSTEMS_THROTTLING, &r), times);
        assert_int_equal(system_told(w, SYSTEM_DYNAMODB, REASON_SYSTEMS_CALM, &r), times);
    }
    world_free(w);
}

/* Who reads before anything is written finds the first item. */
static void reads_come_before_items_that_grow(void **state)
{
    (void)state;
    struct world *w = system_world("system dynamodb on");
    play(w, "system dynamodb set items growing");
    play(w, "flow read post:{p9} 100");
    system_run(w, 1000);
    assert_int_equal(world_system(w, SYSTEM_DYNAMODB).sum.ok[1], 100);
    world_free(w);
}

/* --- Kafka --- */

/* The second reassignment takes other partitions than those that the first one is copying. */
static void a_partition_on_its_way_is_not_sent_elsewhere(void **state)
{
    (void)state;
    struct world *w = system_world("system kafka on 12 4");
    play(w, "series t 400 bytes 1000000");
    system_run(w, 5000); /* so much that copying takes seconds */
    play(w, "system kafka grow");
    play(w, "system kafka balance");
    uint8_t target[12];
    for (uint32_t i = 0; i < 12; i++) {
        target[i] = system_part(w, SYSTEM_KAFKA, i).target;
    }
    play(w, "system kafka grow");
    play(w, "system kafka balance");
    uint32_t first = 0;
    uint32_t second = 0;
    for (uint32_t i = 0; i < 12; i++) {
        uint8_t now = system_part(w, SYSTEM_KAFKA, i).target;
        assert_true(target[i] == MACHINE_NONE || now == target[i]);
        first += target[i] != MACHINE_NONE;
        second += target[i] == MACHINE_NONE && now != MACHINE_NONE;
    }
    assert_int_equal(first, 2); /* 3 3 3 3 0: the fifth gets two */
    assert_true(second > 0);
    system_run(w, 60000);
    assert_int_equal(world_system(w, SYSTEM_KAFKA).moved, first + second);
    world_free(w);
}

/* The first of the list is back, but the partition has no leader: the election comes first. */
static void a_preferred_leader_waits_for_the_election(void **state)
{
    (void)state;
    struct world *w = system_world("system kafka on");
    struct err err = {{0}};
    struct command c;
    play(w, "system kafka down 0");
    system_run(w, 10000);
    assert_int_equal(system_part(w, SYSTEM_KAFKA, 0).machine[0], 1);
    play(w, "system kafka down 1");
    play(w, "system kafka up 0");
    assert_true(command_parse("system kafka balance", &c, &err));
    (void)world_apply(w, &c, &err);
    assert_int_equal(system_part(w, SYSTEM_KAFKA, 0).machine[0], 1);
    assert_true(system_part(w, SYSTEM_KAFKA, 0).away_us > world_now(w));
    system_run(w, 9100);
    assert_int_equal(system_part(w, SYSTEM_KAFKA, 0).away_us, 0);
    assert_int_not_equal(system_part(w, SYSTEM_KAFKA, 0).machine[0], 1);
    world_free(w);
}

/* --- MongoDB --- */

/* A shard takes part in one migration at a time; two others may do one beside it. */
static void two_pairs_of_shards_migrate_at_once(void **state)
{
    (void)state;
    struct world *w = system_world("system mongodb on");
    for (uint32_t i = 0; i < 2; i++) {
        struct part_row *p = part_of_system(w, SYSTEM_MONGODB, place_of(w, SYSTEM_MONGODB, i));
        p->bytes = UINT64_C(900000000) - i * 1000000;
    }
    world_run_until(w, world_now(w) + 2100 * US_PER_MS);
    uint32_t busy = 0; /* a bit each */
    for (uint32_t i = 0; i < world_system_parts(w, SYSTEM_MONGODB); i++) {
        struct part_info part = world_system_part(w, SYSTEM_MONGODB, i);
        if (part.target != MACHINE_NONE) {
            assert_int_equal(busy & (1u << part.machine[0] | 1u << part.target), 0);
            busy |= 1u << part.machine[0] | 1u << part.target;
        }
    }
    assert_int_equal(busy, 0xf);
    world_free(w);
}

/* --- Redis Cluster --- */

static void a_whole_set_has_nobody_to_bring_back(void **state)
{
    (void)state;
    struct world *w = system_world("system redis on");
    play_refused(w, "system redis up 0", "master 0 of Redis Cluster is up already");
    play(w, "system redis down 0");
    system_run(w, 16000); /* its replica leads, and has none now */
    play(w, "system redis up 0");
    play_refused(w, "system redis up 0", "master 0 of Redis Cluster is up already");
    world_free(w);
}

/* A master that is dead and empty gets no slots, and counts for nobody's share. */
static void slots_are_spread_over_masters_that_live(void **state)
{
    (void)state;
    struct world *w = system_world("system redis on");
    play(w, "system redis grow");
    play(w, "system redis grow");
    play(w, "system redis down 5");
    play(w, "system redis balance");
    for (uint32_t i = 0; i < world_system_parts(w, SYSTEM_REDIS); i++) {
        struct part_info part = world_system_part(w, SYSTEM_REDIS, i);
        assert_true(part.machine[0] != 5 && part.target != 5);
    }
    system_run(w, 14000); /* four times 819 slots, and one of 820: before the failover */
    struct machine_info dead = world_system_machine(w, SYSTEM_REDIS, 5);
    assert_true(dead.down);
    assert_int_equal(dead.leads, 0);
    world_run_until(w, world_now(w) + 20 * US_PER_SECOND);
    uint64_t slots = 0;
    for (uint32_t i = 0; i < world_system_parts(w, SYSTEM_REDIS); i++) {
        struct part_info part = world_system_part(w, SYSTEM_REDIS, i);
        slots += part.machine[0] == 4 ? (part.last.high >> 50) - (part.first.high >> 50) + 1 : 0;
    }
    assert_int_equal(slots, 3280); /* 820 of each: a fifth of all, not a sixth */
    assert_int_equal(world_system(w, SYSTEM_REDIS).moved, 4);
    world_free(w);
}

/* --- CockroachDB --- */

/* Leases go where the load is lower, one each 5 s. */
static void leases_are_looked_at_every_five_seconds(void **state)
{
    (void)state;
    struct world *w = posts_world("system cockroachdb on");
    struct trace_record r;
    system_likes(w, 14, 300); /* of range 1, whose node has range 2 too, when node 2 is dead */
    system_run(w, 7000);
    play(w, "system cockroachdb down 2");
    assert_true(system_until(w, SYSTEM_COCKROACHDB, REASON_SYSTEMS_LEADER, 20, &r));
    assert_int_equal(r.operand[2], LEADER_DIED);
    int64_t died = r.time_us;
    system_run(w, 10000);
    assert_true(system_told(w, SYSTEM_COCKROACHDB, REASON_SYSTEMS_LEADER, &r) >= 2);
    assert_int_equal(r.operand[2], LEADER_BALANCE);
    assert_true(r.time_us > died);
    assert_int_equal((r.time_us - EIGHT_PM) % (5 * US_PER_SECOND), 0);
    world_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(throttling_is_told_when_it_begins_and_ends),
        cmocka_unit_test(reads_come_before_items_that_grow),
        cmocka_unit_test(a_partition_on_its_way_is_not_sent_elsewhere),
        cmocka_unit_test(a_preferred_leader_waits_for_the_election),
        cmocka_unit_test(two_pairs_of_shards_migrate_at_once),
        cmocka_unit_test(a_whole_set_has_nobody_to_bring_back),
        cmocka_unit_test(slots_are_spread_over_masters_that_live),
        cmocka_unit_test(leases_are_looked_at_every_five_seconds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
