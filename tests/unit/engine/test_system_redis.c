/*
 * Redis Cluster as a model: slots on masters, asynchronous replication, and moves key by key.
 */
#include "system_play.h"

#include "place/key.h"
#include <stdio.h>

#define ID SYSTEM_REDIS

static uint32_t slots_of(const struct world *w, uint32_t master)
{
    uint64_t slots = 0;
    for (uint32_t i = 0; i < world_system_parts(w, ID); i++) {
        struct part_info part = world_system_part(w, ID, i);
        if (part.machine[0] == master) {
            slots += (part.last.high >> 50) - (part.first.high >> 50) + 1;
        }
    }
    return (uint32_t)slots;
}

/* CRC16 of the tag; three masters have what redis-cli gives them, mykey is the third's. */
static void each_slot_is_one_masters(void **state)
{
    (void)state;
    struct world *w = system_world("system redis on 3 3");
    system_part_is(w, ID, 0, "slots 0-5460");
    system_part_is(w, ID, 1, "slots 5461-10922");
    system_part_is(w, ID, 2, "slots 10923-16383");
    assert_int_equal(system_key(w, ID, "mykey").position.high >> 50, 14687);
    assert_int_equal(system_part_of(w, ID, "mykey").machine[0], 2);
    world_free(w);
    w = system_world("system redis on");
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(slots_of(w, i), 4096);
    }
    assert_int_equal(system_key(w, ID, "likes:{p9}").position.high >> 50,
                     key_slot(bytes_of("post:{p9}"))); /* both have the tag */
    assert_int_equal(system_part_of(w, ID, "likes:{p9}").machine[0], 2);
    world_free(w);
}

static void beyond_a_masters_limit_answers_come_late(void **state)
{
    (void)state;
    struct world *w = system_world("system redis on");
    play(w, "flow like likes:{p9} 2400");
    play(w, "flow like likes:{p7} 100");
    system_run(w, 6000);
    struct system_info info = world_system(w, ID);
    assert_in_range(info.second.ok[0], 1090, 1110);
    assert_int_equal(info.second.late, 2500 - info.second.ok[0]);
    assert_int_equal(info.sum.throttled + info.splits, 0);
    world_free(w);
}

/* Asynchronous replication: what clients were told is gone, when the replica takes over. */
static void a_failover_loses_acknowledged_writes(void **state)
{
    (void)state;
    struct world *w = system_world("system redis on");
    play(w, "flow like likes:{p9} 900");
    play(w, "flow like likes:{p7} 100");
    system_run(w, 2000);
    assert_int_not_equal(system_part_of(w, ID, "likes:{p7}").machine[0], 2);
    play(w, "system redis down 2");
    system_run(w, 15000); /* the node timeout; then a replica stands */
    assert_int_equal(world_system(w, ID).second.away, 900);
    assert_int_equal(world_system(w, ID).second.ok[0], 100);
    play_refused(w, "system redis balance",
                 "no master has the slots of master 2 now, and redis-cli moves none then; wait for "
                 "the failover");
    system_run(w, 501);
    system_run(w, 2000);
    struct system_info info = world_system(w, ID);
    assert_int_equal(info.second.ok[0], 1000);
    assert_in_range(info.lost, 3, 6); /* 5 ms of 900 a second */
    assert_int_equal(system_key(w, ID, "likes:{p9}").lost, info.lost);
    assert_in_range(info.sum.away, 900 * 15 + 400, 900 * 15 + 500);
    world_free(w);
}

/* 4 masters and an empty one: redis-cli takes 820 slots, the lowest, from each. */
static void a_new_master_is_empty_until_slots_are_moved(void **state)
{
    (void)state;
    struct world *w = system_world("system redis on");
    play(w, "flow like likes:{p9} 500");
    play_refused(w, "system redis balance",
                 "no master is more than 2% off its share of slots; redis-cli moves nothing then");
    play(w, "system redis grow");
    system_run(w, 2000);
    assert_int_equal(slots_of(w, 4), 0);
    play(w, "system redis balance");
    system_run(w, 1000);
    play_refused(w, "system redis balance",
                 "redis-cli is moving slots already, one after another; wait until it has ended");
    system_run(w, 20000);
    for (uint32_t i = 0; i < 5; i++) {
        assert_int_equal(slots_of(w, i), i < 4 ? 3276 : 3280);
    }
    system_part_is(w, ID, 0, "slots 0-819");
    assert_int_equal(system_part(w, ID, 0).machine[0], 4);
    assert_int_equal(world_system(w, ID).moved, 4);
    assert_int_equal(world_system(w, ID).lost, 0);
    assert_int_equal(world_system(w, ID).sum.ok[0], world_system(w, ID).sum.asked[0]);
    world_free(w);
}

/* While keys go over, a few requests are sent on; nothing is lost and nobody waits for a move. */
static void moves_are_told_by_ask_and_moved(void **state)
{
    (void)state;
    struct world *w = system_world("system redis on");
    char words[64];
    play(w, "flow like likes:{p9} 900");
    system_run(w, 1000);
    /* p9's slot alone, by two cuts at the key: the second one ends the run behind it. */
    uint16_t run = system_key(w, ID, "likes:{p9}").part;
    snprintf(words, sizeof words, "system redis cut %d likes:{p9}", run);
    play(w, words);
    run = system_key(w, ID, "likes:{p9}").part;
    snprintf(words, sizeof words, "system redis cut %d likes:{p9}", run);
    play(w, words);
    assert_int_equal(system_key(w, ID, "likes:{p9}").part, run);
    snprintf(words, sizeof words, "slot %d", key_slot(bytes_of("likes:{p9}")));
    system_part_is(w, ID, run, words);
    assert_int_equal(world_system(w, ID).redirects, 0);
    play(w, "system redis grow");
    snprintf(words, sizeof words, "system redis move %d 4", run);
    play(w, words);
    system_run(w, 3000);
    struct system_info info = world_system(w, ID);
    assert_int_equal(system_part(w, ID, run).machine[0], 4);
    assert_int_equal(slots_of(w, 4), 1);
    assert_true(info.redirects > 1); /* ASK while it moved, MOVED once */
    assert_int_equal(info.lost + info.sum.away + info.sum.late, 0);
    uint64_t so_far = info.redirects;
    system_run(w, 2000);
    assert_int_equal(world_system(w, ID).redirects, so_far); /* clients have the new map */
    world_free(w);
}

/* A slot on a master of its own is still one master's, and nothing smaller can be moved. */
static void a_hot_slot_cannot_be_split(void **state)
{
    (void)state;
    struct world *w = system_world("system redis on");
    play(w, "flow like likes:{p9} 2400");
    system_run(w, 1000);
    play(w, "system redis cut 2 likes:{p9}");
    uint16_t run = system_key(w, ID, "likes:{p9}").part;
    char words[64];
    snprintf(words, sizeof words, "system redis cut %d likes:{p9}", run);
    play(w, words);
    play(w, "system redis grow");
    snprintf(words, sizeof words, "system redis move %d 4", run);
    play(w, words);
    system_run(w, 9000);
    assert_int_equal(slots_of(w, 4), 1);
    assert_in_range(world_system(w, ID).second.ok[0], 990, 1010);
    snprintf(words, sizeof words, "system redis cut %d", run);
    char sentence[200];
    snprintf(sentence, sizeof sentence,
             "slot %d is one slot, and that is the least that Redis Cluster moves; split the keys "
             "in it by other tags",
             key_slot(bytes_of("likes:{p9}")));
    play_refused(w, words, sentence);
    world_free(w);
}

/* The tool stops when a master dies: what has gone has gone, the rest stays. */
static void a_death_stops_the_tool(void **state)
{
    (void)state;
    struct world *w = system_world("system redis on");
    play(w, "flow like likes:{p7} 100");
    play(w, "system redis grow");
    play(w, "system redis balance");
    system_run(w, 6000); /* all of master 0's 820 slots, and some of master 1's */
    play(w, "system redis down 3");
    uint32_t sum = 0;
    for (uint32_t i = 0; i < 5; i++) {
        sum += slots_of(w, i);
    }
    assert_int_equal(sum, SLOT_COUNT);
    assert_int_equal(slots_of(w, 0), 3276);
    assert_in_range(slots_of(w, 1), 3277, 4095);
    assert_int_equal(slots_of(w, 2), 4096);
    assert_int_equal(slots_of(w, 4), 4096 * 2 - slots_of(w, 0) - slots_of(w, 1));
    system_run(w, 16000);
    play(w, "system redis balance");
    system_run(w, 20000);
    for (uint32_t i = 0; i < 5; i++) {
        assert_in_range(slots_of(w, i), 3276, 3278); /* what is left over goes to those that get */
    }
    world_free(w);
}

static void what_redis_does_not_do_is_refused(void **state)
{
    (void)state;
    struct world *w = system_world("system redis on");
    play_refused(w, "system redis parts 8",
                 "Redis Cluster has 16,384 slots, always; move slots between masters instead");
    const struct system_words *words = system_words(ID);
    assert_true(system_says(words->documented, "acknowledged write can be lost at a failover"));
    assert_true(system_says(words->documented, "gossip"));
    assert_true(system_says(words->leaves_out, "cluster-require-full-coverage"));
    world_free(w);
}

/* With 32 runs none can be cut: whole ones go, and that is said; then nothing, and that is too. */
static void a_full_table_balances_what_fits(void **state)
{
    (void)state;
    struct world *w = system_world("system redis on 32 3");
    struct trace_record told;
    play(w, "system redis grow");
    play(w, "system redis grow");
    play(w, "system redis balance");
    assert_int_equal(system_told(w, SYSTEM_REDIS, REASON_SYSTEMS_OVERDUE, &told), 1);
    assert_int_equal(told.operand[0], NO_SPLIT_FULL);
    system_run(w, 120000);
    assert_int_equal(world_system(w, SYSTEM_REDIS).moved, 11);
    assert_int_equal(system_leads(w, SYSTEM_REDIS, 0), 7);
    assert_int_equal(system_leads(w, SYSTEM_REDIS, 4), 5);
    play_refused(w, "system redis balance",
                 "there is no room for another run of slots; the model has 32, and no whole one "
                 "fits");
    world_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_slot_is_one_masters),
        cmocka_unit_test(beyond_a_masters_limit_answers_come_late),
        cmocka_unit_test(a_failover_loses_acknowledged_writes),
        cmocka_unit_test(a_new_master_is_empty_until_slots_are_moved),
        cmocka_unit_test(moves_are_told_by_ask_and_moved),
        cmocka_unit_test(a_hot_slot_cannot_be_split),
        cmocka_unit_test(a_death_stops_the_tool),
        cmocka_unit_test(what_redis_does_not_do_is_refused),
        cmocka_unit_test(a_full_table_balances_what_fits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
