/*
 * Cassandra as a model: tokens, replicas that all take every write, levels, and hints that do not
 * count.
 */
#include "system_play.h"

#include <stdio.h>

#define ID SYSTEM_CASSANDRA

/* The nodes of the next ranges clockwise, each once. */
static void replicas_are_the_next_nodes(const struct world *w, uint32_t index, uint32_t count)
{
    struct part_info part = world_system_part(w, ID, index);
    uint32_t found = 0;
    for (uint32_t step = 0; found < 3 && step < count; step++) {
        uint8_t owner = world_system_part(w, ID, (index + step) % count).machine[0];
        bool new = true;
        for (uint32_t i = 0; i < found; i++) {
            new = new &&part.machine[i] != owner;
        }
        if (new) {
            assert_int_equal(part.machine[found], owner);
            found++;
        }
    }
    assert_int_equal(found, 3);
}

static void a_ring_is_whole(const struct world *w, uint32_t nodes)
{
    uint32_t owns[SYSTEM_MACHINES_MAX] = {0};
    uint32_t count = world_system_parts(w, ID);
    struct u128 next = {0, 0};
    assert_int_equal(count, 16 * nodes);
    for (uint32_t i = 0; i < count; i++) {
        struct part_info part = world_system_part(w, ID, i);
        assert_int_equal(part.state, PART_OPEN);
        assert_int_equal(u128_order(part.first, next), 0);
        owns[part.machine[0]]++;
        replicas_are_the_next_nodes(w, i, count);
        next = (struct u128){part.last.high + 1, 0};
    }
    assert_int_equal(next.high, 0); /* the last range ends where the first begins */
    for (uint32_t i = 0; i < nodes; i++) {
        assert_int_equal(owns[i], 16);
    }
}

static void sixteen_tokens_a_node_and_the_next_two_keep_copies(void **state)
{
    (void)state;
    struct world *w = system_world("system cassandra on");
    a_ring_is_whole(w, 4);
    /* The token of user:42 is negative, so it is in the lower half. */
    struct u128 at = system_key(w, ID, "user:42").position;
    assert_int_equal((int64_t)(at.high ^ (UINT64_C(1) << 63)), INT64_C(-3674646904862786968));
    struct part_info part = system_part_of(w, ID, "user:42");
    assert_true(u128_order(part.first, at) <= 0 && u128_order(at, part.last) <= 0);
    world_free(w);
}

/* How many writes each node had in the last second. */
static void nodes_had(const struct world *w, const uint8_t machine[3], uint64_t asked, uint64_t ok)
{
    uint32_t others = 0;
    for (uint32_t i = 0; i < 4; i++) {
        struct machine_info m = world_system_machine(w, ID, i);
        bool replica = machine[0] == i || machine[1] == i || machine[2] == i;
        if (replica) {
            assert_int_equal(m.second.asked[0], asked);
            assert_in_range(m.second.ok[0], ok * 99 / 100, ok * 101 / 100);
        } else {
            assert_int_equal(m.second.asked[0], 0);
            others++;
        }
    }
    assert_int_equal(others, 1);
}

/* Whatever the level: a hot key heats three nodes, and no level makes that fewer. */
static void every_replica_takes_every_write(void **state)
{
    (void)state;
    const char *levels[] = {"one", "quorum", "all"};
    for (int i = 0; i < 3; i++) {
        struct world *w = system_world("system cassandra on");
        char words[64];
        snprintf(words, sizeof words, "system cassandra set level %s", levels[i]);
        play(w, words);
        play(w, "flow like likes:{p9} 500");
        system_run(w, 3000);
        struct part_info part = system_part_of(w, ID, "likes:{p9}");
        nodes_had(w, part.machine, 500, 500);
        assert_int_equal(world_system(w, ID).second.ok[0], 500);
        play(w, "flow like likes:{p9} 2400");
        system_run(w, 6000);
        nodes_had(w, part.machine, 2400, 1000);
        struct system_info info = world_system(w, ID);
        assert_in_range(info.second.ok[0], 990, 1010);
        assert_int_equal(info.second.late, 2400 - info.second.ok[0]);
        assert_int_equal(info.splits + info.leaders, 0);
        world_free(w);
    }
}

/* Reads ask as many replicas as the level wants. */
static void reads_ask_as_many_as_the_level_wants(void **state)
{
    (void)state;
    const char *levels[] = {"one", "quorum", "all"};
    for (uint32_t i = 0; i < 3; i++) {
        struct world *w = system_world("system cassandra on");
        char words[64];
        snprintf(words, sizeof words, "system cassandra set level %s", levels[i]);
        play(w, words);
        play(w, "flow read post:{p9} 600");
        system_run(w, 3000);
        uint64_t asked = 0;
        for (uint32_t m = 0; m < 4; m++) {
            asked += world_system_machine(w, ID, m).second.asked[1];
        }
        assert_int_equal(asked, 600 * (i + 1));
        assert_int_equal(world_system(w, ID).second.ok[1], 600);
        world_free(w);
    }
}

/* What a second of writes of p9 comes to with so many of its three replicas dead. */
static struct system_info with_dead(const char *level, uint32_t dead)
{
    struct world *w = system_world("system cassandra on");
    char words[64];
    snprintf(words, sizeof words, "system cassandra set level %s", level);
    play(w, words);
    struct part_info part = system_part_of(w, ID, "likes:{p9}");
    for (uint32_t i = 0; i < dead; i++) {
        snprintf(words, sizeof words, "system cassandra down %d", part.machine[i]);
        play(w, words);
    }
    play(w, "flow like likes:{p9} 200");
    system_run(w, 3000);
    struct system_info info = world_system(w, ID);
    assert_int_equal(info.second.ok[0] + info.second.away, 200);
    assert_int_equal(info.leaders, 0);
    world_free(w);
    return info;
}

/* Of three: ONE goes on with one, QUORUM with two, ALL with all of them. */
static void the_level_says_how_many_may_be_dead(void **state)
{
    (void)state;
    const char *levels[] = {"one", "quorum", "all"};
    for (uint32_t i = 0; i < 3; i++) {
        for (uint32_t dead = 0; dead < 4; dead++) {
            assert_int_equal(with_dead(levels[i], dead).second.ok[0], dead + i < 3 ? 200 : 0);
        }
    }
}

/* At QUORUM with two of three dead a hint could be kept, and would not help: none is written. */
static void hints_do_not_count(void **state)
{
    (void)state;
    struct system_info info = with_dead("quorum", 2);
    assert_int_equal(info.second.away, 200);
    assert_int_equal(info.hints, 0);
    info = with_dead("quorum", 1);
    assert_int_equal(info.hints, info.sum.ok[0]);
    info = with_dead("one", 2);
    assert_int_equal(info.hints, 2 * info.sum.ok[0]);
}

static void hints_are_handed_over(void **state)
{
    (void)state;
    struct world *w = system_world("system cassandra on");
    uint8_t node = system_part_of(w, ID, "likes:{p9}").machine[2];
    char words[64];
    play(w, "flow like likes:{p9} 200");
    system_run(w, 1000);
    snprintf(words, sizeof words, "system cassandra down %d", node);
    play(w, words);
    system_run(w, 2000);
    assert_in_range(world_system_machine(w, ID, node).hints, 399, 401);
    snprintf(words, sizeof words, "system cassandra up %d", node);
    play(w, words);
    assert_int_equal(world_system_machine(w, ID, node).hints, 0);
    struct trace_record note;
    assert_true(world_system_note(w, ID, 0, &note));
    assert_int_equal(note.reason, REASON_SYSTEMS_BACK);
    assert_in_range(note.operand[1], 399, 401);
    system_run(w, 2000);
    assert_int_equal(world_system_machine(w, ID, node).second.ok[0], 200);
    world_free(w);
}

/* The node that has a write first dies. */
static struct system_info first_replica_dies(const char *level)
{
    struct world *w = system_world("system cassandra on");
    char words[64];
    snprintf(words, sizeof words, "system cassandra set level %s", level);
    play(w, words);
    play(w, "flow like likes:{p9} 900");
    system_run(w, 3000);
    snprintf(words, sizeof words, "system cassandra down %d",
             system_part_of(w, ID, "likes:{p9}").machine[0]);
    play(w, words);
    system_run(w, 2000);
    struct system_info info = world_system(w, ID);
    assert_int_equal(info.sum.away, 0); /* nobody is elected, so nobody waits */
    assert_int_equal(info.second.ok[0], 900);
    assert_int_equal(system_key(w, ID, "likes:{p9}").lost, info.lost);
    world_free(w);
    return info;
}

static void quorum_loses_nothing_at_one_death_and_one_may(void **state)
{
    (void)state;
    assert_in_range(first_replica_dies("one").lost, 1, 3);
    assert_int_equal(first_replica_dies("quorum").lost, 0);
}

/* What one replica alone took at ONE, the others being dead, dies with it. */
static void one_replica_alone_is_no_copy(void **state)
{
    (void)state;
    struct world *w = system_world("system cassandra on");
    struct part_info part = system_part_of(w, ID, "likes:{p9}");
    char words[64];
    play(w, "system cassandra set level one");
    play(w, "flow like likes:{p9} 100");
    for (int i = 0; i < 3; i++) {
        snprintf(words, sizeof words, "system cassandra down %d", part.machine[i]);
        play(w, words);
        system_run(w, 1000);
    }
    assert_in_range(world_system(w, ID).lost, 99, 101);
    world_free(w);
}

static uint64_t bytes_in(const struct world *w)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < world_system_parts(w, ID); i++) {
        struct part_info part = world_system_part(w, ID, i);
        bytes += part.state == PART_OPEN ? part.bytes : 0;
    }
    return bytes;
}

/* A node that joins takes a share of all others' ranges, at 24 MiB a second. */
static void a_node_that_joins_streams_ranges(void **state)
{
    (void)state;
    struct world *w = system_world("system cassandra on");
    play(w, "series like 500 bytes 100000");
    system_run(w, 3000);
    play(w, "series like 0");
    play(w, "flow like likes:{p9} 100");
    uint64_t bytes = bytes_in(w);
    assert_true(bytes > UINT64_C(100000000));
    int64_t began = world_now(w);
    play(w, "system cassandra grow");
    assert_int_equal(world_system(w, ID).copying, 16);
    assert_int_equal(world_system(w, ID).parts, 64);
    play_refused(w, "system cassandra grow",
                 "node 4 is joining; Cassandra lets one join at a time: wait for it");
    int64_t ready = 0;
    for (uint32_t i = 0; i < world_system_parts(w, ID); i++) {
        struct part_info part = world_system_part(w, ID, i);
        ready = part.state == PART_COPYING ? part.ready_us : ready;
    }
    assert_true(ready > began + 2 * US_PER_SECOND);
    system_run(w, (ready - began) / 1000 - 1);
    assert_int_equal(system_leads(w, ID, 4), 0);
    system_run(w, 2);
    a_ring_is_whole(w, 5);
    struct system_info info = world_system(w, ID);
    assert_int_equal(info.moved, 16);
    int64_t took = (int64_t)(info.moved_bytes * 1000000 / (24 << 20));
    assert_in_range(took, (ready - began) * 95 / 100, (ready - began) * 105 / 100);
    assert_in_range(info.moved_bytes, bytes * 3 / 10, bytes * 9 / 10); /* about 3 of 5 */
    assert_in_range(bytes_in(w), bytes, bytes + 1000000);
    assert_int_equal(info.sum.away + info.lost + info.splits, 0);
    play_refused(w, "system cassandra grow",
                 "there is no room for another node: the model has 80 token ranges at most, of 8 "
                 "nodes at most");
    world_free(w);
}

static void what_cassandra_does_not_do_is_refused(void **state)
{
    (void)state;
    struct world *w = system_world("system cassandra on");
    play_refused(w, "system cassandra balance",
                 "Cassandra balances nothing; the tokens say who has what, and a new node takes a "
                 "share of all");
    play_refused(w, "system cassandra move 0 1",
                 "a range of Cassandra lies where the tokens say; nobody moves one by hand");
    const struct system_words *words = system_words(ID);
    assert_true(system_says(words->documented, "does not count for ONE, QUORUM or ALL"));
    assert_true(system_says(words->documented, "No node leads a range"));
    assert_false(words->stream);
    world_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sixteen_tokens_a_node_and_the_next_two_keep_copies),
        cmocka_unit_test(every_replica_takes_every_write),
        cmocka_unit_test(reads_ask_as_many_as_the_level_wants),
        cmocka_unit_test(the_level_says_how_many_may_be_dead),
        cmocka_unit_test(hints_do_not_count),
        cmocka_unit_test(hints_are_handed_over),
        cmocka_unit_test(quorum_loses_nothing_at_one_death_and_one_may),
        cmocka_unit_test(one_replica_alone_is_no_copy),
        cmocka_unit_test(a_node_that_joins_streams_ranges),
        cmocka_unit_test(what_cassandra_does_not_do_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
