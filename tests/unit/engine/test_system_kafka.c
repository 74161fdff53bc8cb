/*
 * Kafka as a model: partitions by murmur2, leaders on brokers, acks, and groups of consumers.
 */
#include "system_play.h"

#include <stdio.h>

#define ID SYSTEM_KAFKA

static uint16_t partition_of(const struct world *w, int post)
{
    char key[32];
    snprintf(key, sizeof key, "likes:{p%d}", post);
    return system_key(w, ID, key).part;
}

/* murmur2 of the tag, without its sign, modulo the count: 3 of 16 posts change partition, by 4. */
static void keys_go_by_murmur2_modulo_the_partitions(void **state)
{
    (void)state;
    struct world *w = system_world("system kafka on");
    assert_int_equal(world_system(w, ID).parts, 4);
    assert_int_equal(system_key(w, ID, "likes:{p9}").position.low, 1000264978);
    uint16_t before[17];
    for (int post = 1; post <= 16; post++) {
        before[post] = partition_of(w, post);
    }
    assert_int_equal(before[9], 2);
    assert_int_equal(before[14], 2);
    play(w, "system kafka parts 8");
    assert_int_equal(partition_of(w, 9), 2);
    assert_int_equal(partition_of(w, 14), 6);
    int changed = 0;
    for (int post = 1; post <= 16; post++) {
        int up = partition_of(w, post) - before[post];
        assert_true(up == 0 || up == 4);
        changed += up != 0;
    }
    assert_int_equal(changed, 3);
    world_free(w);
}

static void partitions_are_added_and_never_taken_away(void **state)
{
    (void)state;
    struct world *w = system_world("system kafka on");
    play(w, "flow like likes:{p14} 100");
    system_run(w, 1000);
    uint64_t records = system_part(w, ID, 2).records;
    assert_true(records > 90);
    play(w, "system kafka parts 8");
    system_run(w, 1000);
    assert_int_equal(system_part(w, ID, 2).records, records); /* they stay */
    assert_true(system_part(w, ID, 6).records > 90);
    play_refused(w, "system kafka parts 6",
                 "Kafka never takes partitions away: the topic has 8; ask for more, or make "
                 "another topic");
    play_refused(w, "system kafka parts 8", "the topic has 8 partitions already; ask for more");
    play_refused(w, "system kafka parts 33",
                 "33 partitions are too many; the model has room for 32");
    assert_int_equal(world_system(w, ID).splits, 0);
    world_free(w);
}

/* Nobody is turned away: producers wait, and give up. A broker's limit is the model's own. */
static void beyond_a_brokers_limit_producers_wait(void **state)
{
    (void)state;
    struct world *w = system_world("system kafka on");
    play(w, "flow like likes:{p9} 2400");
    system_run(w, 1001);
    struct system_info info = world_system(w, ID);
    assert_int_equal(info.second.late + info.second.throttled, 0); /* they still wait */
    assert_true(info.longest_us > 500 * US_PER_MS);
    system_run(w, 4000);
    info = world_system(w, ID);
    assert_int_equal(info.second.asked[0], 2400);
    assert_in_range(info.second.ok[0], 995, 1005);
    assert_int_equal(info.second.late, 2400 - info.second.ok[0]);
    assert_int_equal(info.sum.throttled, 0);
    assert_in_range(info.longest_us, 1900 * US_PER_MS, 2000 * US_PER_MS);
    world_free(w);
}

/* Without a key likes follow batches: spread evenly, and nobody's order can be told. */
static void what_has_no_key_is_spread_by_batches(void **state)
{
    (void)state;
    struct world *w = system_world("system kafka on");
    play(w, "system kafka set null on");
    play(w, "flow like likes:{p9} 2400");
    system_run(w, 10000);
    struct system_info info = world_system(w, ID);
    assert_int_equal(info.sum.ok[0], info.sum.asked[0]);
    for (uint32_t i = 0; i < 4; i++) {
        assert_in_range(system_part(w, ID, i).records, info.sum.ok[0] / 5, info.sum.ok[0] * 3 / 10);
    }
    assert_int_equal(system_key(w, ID, "likes:{p9}").sum.asked[0], 0);
    /* A partition without a leader gets no batch. */
    play(w, "system kafka down 2");
    system_run(w, 5000);
    assert_int_equal(world_system(w, ID).sum.away, 0);
    world_free(w);
}

/* 4 to 8 with a backlog: what is new of p14 is read on partition 6 before what is old on 2. */
static void a_backlog_and_more_partitions_break_the_order(void **state)
{
    (void)state;
    struct world *w = system_world("system kafka on");
    play(w, "flow like likes:{p14} 200");
    play(w, "flow like likes:{p9} 200");
    play(w, "system kafka set members 4");
    play(w, "system kafka set reader 50");
    system_run(w, 4000);
    assert_true(world_system(w, ID).unread > 500);
    assert_int_equal(world_system(w, ID).disorder, 0);
    play(w, "system kafka parts 8");
    system_run(w, 6000);
    assert_true(system_key(w, ID, "likes:{p14}").disorder > 0);
    assert_int_equal(system_key(w, ID, "likes:{p9}").disorder, 0); /* it stays on 2 */
    assert_int_equal(world_system(w, ID).disorder, system_key(w, ID, "likes:{p14}").disorder);
    world_free(w);
}

/* The leader of p9's partition dies. */
static struct system_info a_leader_dies(const char *acks)
{
    struct world *w = system_world("system kafka on");
    play(w, acks);
    play(w, "flow like likes:{p9} 900");
    play(w, "flow like likes:{p7} 100");
    system_run(w, 2000);
    assert_int_equal(system_part(w, ID, 2).machine[0], 2);
    play(w, "system kafka down 2");
    system_run(w, 2000);
    struct system_info info = world_system(w, ID);
    assert_int_equal(info.second.away, 900); /* nobody leads partition 2 */
    assert_int_equal(info.second.ok[0], 100);
    system_run(w, 9000);
    info = world_system(w, ID);
    assert_int_equal(info.second.ok[0], 1000);
    assert_int_equal(info.leaders, 1);
    assert_int_equal(system_part(w, ID, 2).machine[0], 3);
    assert_in_range(info.sum.away, 8050, 8150); /* 9 s of them */
    world_free(w);
    return info;
}

static void acks_one_loses_what_the_leader_alone_had(void **state)
{
    (void)state;
    struct system_info one = a_leader_dies("system kafka set acks one");
    struct system_info all = a_leader_dies("system kafka set acks all");
    assert_in_range(one.lost, 3, 6); /* 5 ms of 900 a second */
    assert_int_equal(all.lost, 0);
}

/* acks=all with fewer than min.insync.replicas is refused; acks=1 goes on. */
static void too_few_in_sync_are_refused(void **state)
{
    (void)state;
    struct world *w = system_world("system kafka on");
    play(w, "flow like likes:{p9} 100");
    play(w, "system kafka down 3"); /* partition 2 is on 2, 3 and 0 */
    system_run(w, 2000);
    assert_int_equal(world_system(w, ID).second.ok[0], 100);
    play(w, "system kafka down 0");
    system_run(w, 2000);
    assert_int_equal(world_system(w, ID).second.away, 100);
    play(w, "system kafka set acks one");
    system_run(w, 2000);
    assert_int_equal(world_system(w, ID).second.ok[0], 100);
    world_free(w);
}

static void leaders_go_back_at_the_next_check(void **state)
{
    (void)state;
    struct world *w = system_world("system kafka on");
    system_run(w, 1000);
    play(w, "system kafka down 2");
    system_run(w, 20000);
    assert_int_equal(system_part(w, ID, 2).machine[0], 3);
    play(w, "system kafka up 2");
    system_run(w, 200000);
    assert_int_equal(system_part(w, ID, 2).machine[0], 3); /* not yet */
    assert_int_equal(system_leads(w, ID, 2), 0);
    system_run(w, 79001); /* 300 s after it was switched on */
    assert_int_equal(system_part(w, ID, 2).machine[0], 2);
    assert_int_equal(world_system(w, ID).leaders, 2);
    /* An operator need not wait. */
    play(w, "system kafka down 2");
    system_run(w, 20000);
    play(w, "system kafka up 2");
    play(w, "system kafka balance");
    assert_int_equal(system_part(w, ID, 2).machine[0], 2);
    world_free(w);
}

/* Twelve partitions on three brokers: a fourth has none until a tool moves three. */
static void a_new_broker_has_nothing_until_it_is_given(void **state)
{
    (void)state;
    struct world *w = system_world("system kafka on 12 3");
    play(w, "flow like likes:{p9} 100");
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(system_leads(w, ID, i), 4);
    }
    play(w, "system kafka grow");
    system_run(w, 3000);
    assert_int_equal(system_leads(w, ID, 3), 0);
    assert_int_equal(world_system_machine(w, ID, 3).keeps, 0);
    play(w, "system kafka balance");
    system_run(w, 3000);
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(system_leads(w, ID, i), 3);
    }
    assert_int_equal(world_system(w, ID).moved, 3);
    assert_int_equal(world_system(w, ID).parts, 12);
    play_refused(w, "system kafka balance",
                 "the partitions of Kafka are spread evenly already; nothing to do");
    world_free(w);
    /* Four partitions are no use to five brokers: moving one only makes another idle. */
    w = system_world("system kafka on");
    play(w, "system kafka grow");
    play_refused(w, "system kafka balance",
                 "the partitions of Kafka are spread evenly already; nothing to do");
    world_free(w);
}

static void an_operator_moves_a_partition(void **state)
{
    (void)state;
    struct world *w = system_world("system kafka on");
    play(w, "flow like likes:{p9} 500");
    system_run(w, 2000);
    play(w, "system kafka move 2 3"); /* has a copy: an election is enough */
    assert_int_equal(system_part(w, ID, 2).machine[0], 3);
    assert_int_equal(world_system(w, ID).moved, 0);
    play_refused(w, "system kafka move 2 3",
                 "broker 3 leads partition 2 already; name another one");
    play(w, "system kafka move 2 1"); /* has none: its log goes over first */
    assert_int_equal(system_part(w, ID, 2).target, 1);
    system_run(w, 2000);
    assert_int_equal(system_part(w, ID, 2).machine[0], 1);
    assert_int_equal(world_system(w, ID).moved, 1);
    assert_int_equal(world_system(w, ID).sum.away, 0);
    assert_int_equal(world_system(w, ID).lost, 0);
    world_free(w);
}

/* Six partitions, three members, the third leaves: all six pause, or the two that change hands. */
static struct reader_info a_member_leaves(const char *rebalance, uint8_t reader[6])
{
    struct world *w = system_world("system kafka on 6 3");
    play(w, rebalance);
    play(w, "system kafka set members 3");
    play(w, "system kafka set reader 100");
    for (uint32_t i = 0; i < 6; i++) {
        assert_int_equal(system_part(w, ID, i).reader, i / 2);
    }
    system_run(w, 3000);
    play(w, "system kafka set members 2");
    struct reader_info info = world_system_reader(w, ID);
    for (uint32_t i = 0; i < 6; i++) {
        reader[i] = system_part(w, ID, i).reader;
        bool paused = system_part(w, ID, i).paused;
        assert_int_equal(paused, info.paused == 6 || i >= 4);
    }
    assert_true(info.left[2] && !info.left[0] && !info.left[1]);
    system_run(w, 2001);
    for (uint32_t i = 0; i < 6; i++) {
        assert_false(system_part(w, ID, i).paused);
    }
    world_free(w);
    return info;
}

static void eager_pauses_all_cooperative_those_that_change_hands(void **state)
{
    (void)state;
    uint8_t reader[6];
    assert_int_equal(a_member_leaves("system kafka set rebalance eager", reader).paused, 6);
    struct reader_info info = a_member_leaves("system kafka set rebalance cooperative", reader);
    assert_int_equal(info.paused, 2);
    assert_int_equal(info.of, 6);
    const uint8_t kept[6] = {0, 0, 1, 1, 0, 1};
    assert_memory_equal(reader, kept, sizeof kept);
}

/* A partition has one member: the thirteenth and fourteenth of twelve have nothing to do. */
static void a_group_uses_no_more_members_than_partitions(void **state)
{
    (void)state;
    struct world *w = system_world("system kafka on 12 3");
    play(w, "system kafka set members 14");
    play(w, "system kafka set reader 100");
    bool reads[16] = {false};
    for (uint32_t i = 0; i < 12; i++) {
        assert_false(reads[system_part(w, ID, i).reader]);
        reads[system_part(w, ID, i).reader] = true;
    }
    int busy = 0;
    for (int i = 0; i < 14; i++) {
        busy += reads[i];
    }
    assert_int_equal(busy, 12);
    world_free(w);
}

static void what_kafka_does_not_do_is_refused(void **state)
{
    (void)state;
    struct world *w = system_world("system kafka on");
    play_refused(w, "system kafka cut 0",
                 "a partition of Kafka is never cut; add partitions with \"system kafka parts N\"");
    play_refused(w, "system kafka join 0 1",
                 "partitions of Kafka are never joined, and a topic never has fewer; make another "
                 "topic");
    const struct system_words *words = system_words(ID);
    assert_true(words->stream);
    assert_true(system_says(words->documented, "acks=all: every in-sync replica has it"));
    assert_true(system_says(words->leaves_out, "classic protocol"));
    assert_true(system_says(words->leaves_out, "last 4,096 unread records of a partition"));
    world_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_go_by_murmur2_modulo_the_partitions),
        cmocka_unit_test(partitions_are_added_and_never_taken_away),
        cmocka_unit_test(beyond_a_brokers_limit_producers_wait),
        cmocka_unit_test(what_has_no_key_is_spread_by_batches),
        cmocka_unit_test(a_backlog_and_more_partitions_break_the_order),
        cmocka_unit_test(acks_one_loses_what_the_leader_alone_had),
        cmocka_unit_test(too_few_in_sync_are_refused),
        cmocka_unit_test(leaders_go_back_at_the_next_check),
        cmocka_unit_test(a_new_broker_has_nothing_until_it_is_given),
        cmocka_unit_test(an_operator_moves_a_partition),
        cmocka_unit_test(eager_pauses_all_cooperative_those_that_change_hands),
        cmocka_unit_test(a_group_uses_no_more_members_than_partitions),
        cmocka_unit_test(what_kafka_does_not_do_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
