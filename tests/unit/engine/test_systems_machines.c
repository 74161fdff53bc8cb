/*
 * What a machine's death costs, write by write, and who leads then.
 *
 * Kafka's copies are 5 ms behind one another and another leads after 9 s; Redis' replica is 5 ms
 * behind, and leads after 15.5 s. Likes come once a millisecond, so each that is lost can be named.
 */
#include "system_play.h"

#include "engine/systems/systems_inside.h"

#define LAG_US (5 * US_PER_MS)
#define KAFKA_ELECTS_MS 9000

/* A thousand likes a second of p9, for so many ms. */
static void likes(struct world *w, int64_t ms)
{
    system_likes(w, 9, 1000);
    system_run(w, ms);
}

static void down(struct world *w, enum system_id id, uint32_t machine)
{
    char words[64];
    (void)snprintf(words, sizeof words, "system %s down %u", system_words(id)->name, machine);
    play(w, words);
}

static void up(struct world *w, enum system_id id, uint32_t machine)
{
    char words[64];
    (void)snprintf(words, sizeof words, "system %s up %u", system_words(id)->name, machine);
    play(w, words);
}

/* By the ring itself: writes of the last `back_us` before a time. */
static uint64_t writes_since(const struct world *w, enum system_id id, uint32_t number,
                             int64_t back_us, int64_t at_us)
{
    uint16_t place = 0;
    while (part_in_system(w, (uint8_t)id, place)->number != number) {
        place++;
    }
    const struct part_row *part = part_in_system(w, (uint8_t)id, place);
    uint64_t count = 0;
    for (uint64_t i = 0; i < part->taken && i < SYSTEM_RECENT; i++) {
        int64_t t = system_recent_in(w, part)->at_us[i];
        count += t > at_us - back_us && t <= at_us;
    }
    return count;
}

static uint64_t lost(const struct world *w, enum system_id id)
{
    return world_system(w, id).lost;
}

/* --- a set that a machine stands for --- */

static void what_the_replica_had_not_is_lost(void **state)
{
    (void)state;
    struct world *w = system_world("system redis on");
    struct trace_record told;
    likes(w, 1003);
    struct part_info part = system_part_of(w, SYSTEM_REDIS, "p9");
    uint64_t expected = writes_since(w, SYSTEM_REDIS, part.number, LAG_US, world_now(w));
    assert_int_equal(expected, 4); /* the fifth, of this millisecond, is about to come */
    down(w, SYSTEM_REDIS, part.machine[0]);
    assert_true(world_system_machine(w, SYSTEM_REDIS, part.machine[0]).down);
    assert_int_equal(lost(w, SYSTEM_REDIS), 0); /* the master may come back */
    system_run(w, 15500);
    assert_int_equal(lost(w, SYSTEM_REDIS), 0);
    assert_int_equal(system_told(w, SYSTEM_REDIS, REASON_SYSTEMS_LOST, &told), 0);
    system_run(w, 1);
    assert_int_equal(lost(w, SYSTEM_REDIS), expected);
    assert_int_equal(system_key(w, SYSTEM_REDIS, "p9").lost, expected);
    assert_int_equal(system_told(w, SYSTEM_REDIS, REASON_SYSTEMS_LOST, &told), 1);
    assert_int_equal(told.operand[0], expected);
    assert_int_equal(told.operand[1], part.machine[0]);
    assert_int_equal(world_system(w, SYSTEM_REDIS).leaders, 1);
    struct machine_info machine = world_system_machine(w, SYSTEM_REDIS, part.machine[0]);
    assert_false(machine.down);
    assert_int_equal(machine.copies, 1);
    system_run(w, 2000);
    assert_int_equal(world_system(w, SYSTEM_REDIS).second.ok[0], 1000);
    world_free(w);
}

static void a_leader_that_is_back_in_time_has_lost_nothing(void **state)
{
    (void)state;
    struct world *w = system_world("system redis on");
    likes(w, 1003);
    uint32_t master = system_part_of(w, SYSTEM_REDIS, "p9").machine[0];
    down(w, SYSTEM_REDIS, master);
    system_run(w, 15000);
    assert_int_equal(world_system(w, SYSTEM_REDIS).second.away, 1000);
    up(w, SYSTEM_REDIS, master);
    assert_false(world_system_machine(w, SYSTEM_REDIS, master).down);
    system_run(w, 5000);
    assert_int_equal(world_system(w, SYSTEM_REDIS).second.ok[0], 1000);
    assert_int_equal(lost(w, SYSTEM_REDIS), 0);
    assert_int_equal(world_system(w, SYSTEM_REDIS).leaders, 0);
    assert_int_equal(world_system_machine(w, SYSTEM_REDIS, master).copies, 2);
    world_free(w);
}

/* Without any copy nobody takes over; the set's next copy is the one that is brought back. */
static void a_set_without_copies_waits(void **state)
{
    (void)state;
    struct world *w = system_world("system redis on");
    char refused[96];
    likes(w, 1000);
    uint32_t master = system_part_of(w, SYSTEM_REDIS, "p9").machine[0];
    down(w, SYSTEM_REDIS, master);
    (void)snprintf(refused, sizeof refused, "system redis down %u", master);
    struct command c;
    struct err err = {{0}};
    assert_true(command_parse(refused, &c, &err));
    assert_false(world_apply(w, &c, &err)); /* it is down already */
    system_run(w, 16000);
    uint64_t after_one = lost(w, SYSTEM_REDIS);
    down(w, SYSTEM_REDIS, master);
    system_run(w, 40000);
    assert_int_equal(system_part_of(w, SYSTEM_REDIS, "p9").away_us, INT64_MAX);
    assert_true(world_system_machine(w, SYSTEM_REDIS, master).down);
    up(w, SYSTEM_REDIS, master);
    system_run(w, 2000);
    assert_int_equal(world_system(w, SYSTEM_REDIS).second.ok[0], 1000);
    assert_int_equal(lost(w, SYSTEM_REDIS), after_one);
    up(w, SYSTEM_REDIS, master); /* the other copy */
    assert_int_equal(world_system_machine(w, SYSTEM_REDIS, master).copies, 2);
    assert_false(world_apply(w, &c, NULL) &&
                 world_system_machine(w, SYSTEM_REDIS, master).copies != 1);
    world_free(w);
}

/* --- copies on other machines --- */

struct kafka {
    struct world *w;
    struct part_info part; /* of p9 */
};

static struct kafka kafka_with(const char *acks)
{
    struct kafka k = {.w = system_world("system kafka on 4 5")};
    char words[64];
    (void)snprintf(words, sizeof words, "system kafka set acks %s", acks);
    play(k.w, words);
    likes(k.w, 1003);
    k.part = system_part_of(k.w, SYSTEM_KAFKA, "p9");
    return k;
}

static void told_by_the_leader_alone_is_lost_with_it(void **state)
{
    (void)state;
    struct kafka k = kafka_with("one");
    uint64_t expected = writes_since(k.w, SYSTEM_KAFKA, k.part.number, LAG_US, world_now(k.w));
    down(k.w, SYSTEM_KAFKA, k.part.machine[0]);
    system_run(k.w, KAFKA_ELECTS_MS + 1);
    assert_int_equal(lost(k.w, SYSTEM_KAFKA), expected);
    assert_int_equal(system_part_of(k.w, SYSTEM_KAFKA, "p9").machine[0], k.part.machine[1]);
    /* they are in no log, and nobody reads them */
    struct part_info now = system_part_of(k.w, SYSTEM_KAFKA, "p9");
    assert_int_equal(now.unread + expected, now.sum.ok[0]);
    assert_int_equal(world_system(k.w, SYSTEM_KAFKA).skipped, expected);
    world_free(k.w);
}

/* Of what was told all copies have everything; what was on its way nobody was told of. */
static void told_by_all_is_never_lost(void **state)
{
    (void)state;
    struct kafka k = kafka_with("all");
    struct trace_record told;
    uint64_t on_way = writes_since(k.w, SYSTEM_KAFKA, k.part.number, 2 * LAG_US, world_now(k.w));
    down(k.w, SYSTEM_KAFKA, k.part.machine[0]);
    system_run(k.w, KAFKA_ELECTS_MS + 1);
    assert_int_equal(lost(k.w, SYSTEM_KAFKA), 0);
    assert_int_equal(system_told(k.w, SYSTEM_KAFKA, REASON_SYSTEMS_KEPT, &told), 1);
    assert_int_equal(told.operand[0], on_way);
    assert_int_equal(told.operand[2], on_way);
    world_free(k.w);
}

/* The leader dies, and before anybody is elected the copy that is nearest to it. The second copy
 * has what it had when the leader died, not when the first copy did. */
static void the_next_but_one_has_less(void **state)
{
    (void)state;
    struct kafka k = kafka_with("one");
    uint64_t expected = writes_since(k.w, SYSTEM_KAFKA, k.part.number, 2 * LAG_US, world_now(k.w));
    assert_int_equal(expected, 9);
    down(k.w, SYSTEM_KAFKA, k.part.machine[0]);
    system_run(k.w, 4000);
    down(k.w, SYSTEM_KAFKA, k.part.machine[1]);
    system_run(k.w, KAFKA_ELECTS_MS + 1);
    assert_int_equal(system_key(k.w, SYSTEM_KAFKA, "p9").lost, expected);
    assert_int_equal(system_part_of(k.w, SYSTEM_KAFKA, "p9").machine[0], k.part.machine[2]);
    world_free(k.w);
}

/* With the nearest copy dead at that time, a write was told when the other one had it. */
static void a_dead_copy_does_not_vouch(void **state)
{
    (void)state;
    struct kafka k = kafka_with("all");
    down(k.w, SYSTEM_KAFKA, k.part.machine[1]);
    system_run(k.w, 1000);
    down(k.w, SYSTEM_KAFKA, k.part.machine[0]);
    system_run(k.w, KAFKA_ELECTS_MS + 1);
    assert_int_equal(lost(k.w, SYSTEM_KAFKA), 0);
    assert_int_equal(system_part_of(k.w, SYSTEM_KAFKA, "p9").machine[0], k.part.machine[2]);
    world_free(k.w);
}

/* A copy that was down while others went on does not lead, though it is the only one there. */
static void who_was_away_does_not_lead(void **state)
{
    (void)state;
    struct kafka k = kafka_with("one");
    down(k.w, SYSTEM_KAFKA, k.part.machine[1]);
    system_run(k.w, 1000);
    down(k.w, SYSTEM_KAFKA, k.part.machine[2]);
    system_run(k.w, 1000);
    down(k.w, SYSTEM_KAFKA, k.part.machine[0]);
    system_run(k.w, 1000);
    up(k.w, SYSTEM_KAFKA, k.part.machine[1]);
    system_run(k.w, 20000);
    assert_int_equal(system_part_of(k.w, SYSTEM_KAFKA, "p9").away_us, INT64_MAX);
    up(k.w, SYSTEM_KAFKA, k.part.machine[2]);
    system_run(k.w, 1000);
    assert_int_equal(system_part_of(k.w, SYSTEM_KAFKA, "p9").away_us, INT64_MAX);
    up(k.w, SYSTEM_KAFKA, k.part.machine[0]);
    system_run(k.w, 2000);
    assert_int_equal(system_part_of(k.w, SYSTEM_KAFKA, "p9").machine[0], k.part.machine[0]);
    assert_int_equal(world_system(k.w, SYSTEM_KAFKA).second.ok[0], 1000);
    assert_int_equal(lost(k.w, SYSTEM_KAFKA), 0);
    /* by now the others have all again, and may lead */
    down(k.w, SYSTEM_KAFKA, k.part.machine[0]);
    system_run(k.w, KAFKA_ELECTS_MS + 1);
    assert_int_equal(system_part_of(k.w, SYSTEM_KAFKA, "p9").machine[0], k.part.machine[1]);
    world_free(k.w);
}

/* All three die within the time of an election; the copy that is back first had all, and leads. */
static void the_first_that_has_all_leads_when_it_is_back(void **state)
{
    (void)state;
    struct kafka k = kafka_with("one");
    int64_t died_us = world_now(k.w);
    for (uint32_t i = 0; i < 3; i++) {
        down(k.w, SYSTEM_KAFKA, k.part.machine[i]);
    }
    system_run(k.w, 20000);
    assert_int_equal(system_part_of(k.w, SYSTEM_KAFKA, "p9").away_us, INT64_MAX);
    uint64_t expected = writes_since(k.w, SYSTEM_KAFKA, k.part.number, 2 * LAG_US, died_us);
    up(k.w, SYSTEM_KAFKA, k.part.machine[2]);
    system_run(k.w, 2000);
    assert_int_equal(system_part_of(k.w, SYSTEM_KAFKA, "p9").machine[0], k.part.machine[2]);
    assert_int_equal(lost(k.w, SYSTEM_KAFKA), expected);
    assert_int_equal(world_system(k.w, SYSTEM_KAFKA).second.ok[0], 1000);
    world_free(k.w);
}

/* A leader that is behind with its work loses what it did last and the replica has not; what waits
 * in its queue nobody was told of. */
static void what_waited_was_not_told(void **state)
{
    (void)state;
    struct world *w = system_world("system redis on 1 1");
    system_likes(w, 9, 2400);
    system_run(w, 5000);
    assert_in_range(world_system(w, SYSTEM_REDIS).longest_us, 1990000, 2000000);
    play_request(w, "request like likes:{p9} via R0"); /* what is begun by now is taken */
    uint64_t begun = writes_since(w, SYSTEM_REDIS, 0, LAG_US, world_now(w));
    struct trace_record told;
    assert_in_range(begun, 4, 6);
    down(w, SYSTEM_REDIS, 0);
    uint32_t unbegun = part_in_system(w, SYSTEM_REDIS, 0)->unbegun;
    assert_in_range(unbegun, 1980, 2001);
    system_run(w, 15501);
    assert_in_range(lost(w, SYSTEM_REDIS), begun - 1, begun + 1);
    assert_int_equal(system_told(w, SYSTEM_REDIS, REASON_SYSTEMS_LOST, &told), 1);
    /* the replica begins with an empty queue */
    system_run(w, 300);
    assert_true(world_system_machine(w, SYSTEM_REDIS, 0).second.away > 0);
    assert_int_equal(part_in_system(w, SYSTEM_REDIS, 0)->unbegun, 0);
    world_free(w);
}

/* The same of Kafka: with acks=all nothing told is lost, and what waited is in no log. */
static void a_queue_dies_with_its_leader(void **state)
{
    (void)state;
    struct kafka k = kafka_with("all");
    struct trace_record told;
    system_likes(k.w, 9, 2400);
    system_run(k.w, 5000);
    uint64_t skipped = world_system(k.w, SYSTEM_KAFKA).skipped; /* nobody reads */
    down(k.w, SYSTEM_KAFKA, k.part.machine[0]);
    system_run(k.w, KAFKA_ELECTS_MS + 1);
    skipped = world_system(k.w, SYSTEM_KAFKA).skipped - skipped;
    assert_int_equal(lost(k.w, SYSTEM_KAFKA), 0);
    assert_int_equal(system_told(k.w, SYSTEM_KAFKA, REASON_SYSTEMS_KEPT, &told), 1);
    assert_in_range(told.operand[0], 9, 11);      /* at the leader, not yet everywhere */
    assert_in_range(told.operand[2], 1990, 2012); /* those, and what waited */
    assert_in_range(skipped, 1990, 2012);
    world_free(k.w);
}

/* A queue of long ago is none: its times are kept in 32 bits, which come round in 71 minutes. */
static void what_waited_an_hour_ago_was_begun(void **state)
{
    (void)state;
    struct world *w = system_world("system redis on 1 1");
    struct trace_record told;
    system_likes(w, 9, 2400);
    system_run(w, 4000);
    uint64_t taken = part_in_system(w, SYSTEM_REDIS, 0)->taken;
    const struct machine_row *machine = &system_in(w, SYSTEM_REDIS)->machine[0];
    uint32_t waits = machine->queued - machine->begun;
    assert_in_range(waits, 1900, SYSTEM_WAITING);
    system_likes(w, 9, 0);
    system_run_fast(w, INT64_C(40) * 60 * 1000);
    assert_int_equal(machine->queued, machine->begun);
    assert_int_equal(part_in_system(w, SYSTEM_REDIS, 0)->taken, taken + waits);
    system_likes(w, 9, 2400);
    system_run(w, 4000);
    system_likes(w, 9, 0);
    system_run_fast(w, INT64_C(40) * 60 * 1000);
    down(w, SYSTEM_REDIS, 0);
    system_run(w, 15501);
    assert_int_equal(lost(w, SYSTEM_REDIS), 0);
    assert_int_equal(system_told(w, SYSTEM_REDIS, REASON_SYSTEMS_KEPT, &told), 1);
    assert_int_equal(told.operand[2], 0);
    world_free(w);
}

/* --- moves --- */

/* One move a machine at a time, at so many bytes a second; a death ends it. */
static void moves_wait_for_one_another(void **state)
{
    (void)state;
    struct world *w = system_world("system kafka on 5 5");
    struct trace_record told;
    for (uint16_t i = 0; i < 5; i++) {
        part_of_system(w, SYSTEM_KAFKA, i)->bytes = 200000000; /* two seconds each */
    }
    int64_t begin = world_now(w);
    play(w, "system kafka move 0 4");
    play(w, "system kafka move 1 4"); /* the same target */
    assert_int_equal(system_part(w, SYSTEM_KAFKA, 0).ready_us, begin + 2 * US_PER_SECOND);
    assert_int_equal(system_part(w, SYSTEM_KAFKA, 1).ready_us, begin + 4 * US_PER_SECOND);
    play_refused(w, "system kafka move 0 3",
                 "partition 0 is on its way to broker 4; wait until it is there");
    system_run(w, 2001);
    assert_int_equal(system_part(w, SYSTEM_KAFKA, 0).machine[0], 4);
    assert_int_equal(system_part(w, SYSTEM_KAFKA, 0).target, MACHINE_NONE);
    assert_int_equal(system_told(w, SYSTEM_KAFKA, REASON_SYSTEMS_MOVED, &told), 1);
    assert_int_equal(told.operand[0], 0);
    assert_int_equal(told.operand[1], 4);
    assert_int_equal(told.operand[2], 2 * US_PER_SECOND);
    down(w, SYSTEM_KAFKA, 4);
    assert_int_equal(system_part(w, SYSTEM_KAFKA, 1).target, MACHINE_NONE);
    system_run(w, 20000);
    assert_int_equal(world_system(w, SYSTEM_KAFKA).moved, 1);
    assert_int_equal(world_system(w, SYSTEM_KAFKA).moved_bytes, 200000000);
    assert_int_equal(system_part(w, SYSTEM_KAFKA, 1).machine[0], 1);
    world_free(w);
}

static void machines_are_named_and_counted(void **state)
{
    (void)state;
    struct world *w = system_world("system kafka on 4 4");
    play_refused(w, "system kafka down 9", "Kafka has no broker 9; it has 0 to 3");
    play_refused(w, "system kafka up 1", "broker 1 of Kafka is up already");
    down(w, SYSTEM_KAFKA, 1);
    play_refused(w, "system kafka down 1", "broker 1 of Kafka is down");
    assert_int_equal(world_system(w, SYSTEM_KAFKA).up, 3);
    struct machine_info machine = world_system_machine(w, SYSTEM_KAFKA, 0);
    assert_int_equal(machine.leads, 1);
    assert_int_equal(machine.keeps, 3);
    assert_int_equal(machine.limit[0], 1000);
    assert_int_equal(machine.limit[1], 3000);
    assert_int_equal(system_machine_least(w, SYSTEM_KAFKA, false), 0);
    system_run(w, KAFKA_ELECTS_MS + 1);
    assert_int_equal(system_leads(w, SYSTEM_KAFKA, 2), 2); /* what broker 1 led */
    assert_int_equal(system_machine_most(w, SYSTEM_KAFKA, false), 2);
    assert_int_equal(system_machine_least(w, SYSTEM_KAFKA, false), 0); /* the dead one has fewer */
    system_likes(w, 9, 300);
    system_run(w, 2000);
    assert_int_equal(system_machine_most(w, SYSTEM_KAFKA, true),
                     system_part_of(w, SYSTEM_KAFKA, "p9").machine[0]);
    world_free(w);
}

/* A move that was given up, by the death of its target or source, keeps nobody busy. */
static void a_move_given_up_gives_back_both_ends(void **state)
{
    (void)state;
    struct world *w = system_world("system kafka on 5 5");
    part_of_system(w, SYSTEM_KAFKA, 0)->bytes = 200000000; /* two seconds */
    part_of_system(w, SYSTEM_KAFKA, 1)->bytes = 500000000;
    play(w, "system kafka move 0 4");
    down(w, SYSTEM_KAFKA, 4);
    up(w, SYSTEM_KAFKA, 4);
    play(w, "system kafka move 0 4");
    assert_int_equal(system_part(w, SYSTEM_KAFKA, 0).ready_us, world_now(w) + 2 * US_PER_SECOND);
    play(w, "system kafka move 1 4");
    down(w, SYSTEM_KAFKA, 1); /* the one that is left goes on */
    assert_int_equal(system_in(w, SYSTEM_KAFKA)->machine[4].busy_us,
                     system_part(w, SYSTEM_KAFKA, 0).ready_us);
    down(w, SYSTEM_KAFKA, 0);
    assert_int_equal(system_in(w, SYSTEM_KAFKA)->machine[4].busy_us, 0);
    world_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_the_replica_had_not_is_lost),
        cmocka_unit_test(a_leader_that_is_back_in_time_has_lost_nothing),
        cmocka_unit_test(a_set_without_copies_waits),
        cmocka_unit_test(told_by_the_leader_alone_is_lost_with_it),
        cmocka_unit_test(told_by_all_is_never_lost),
        cmocka_unit_test(the_next_but_one_has_less),
        cmocka_unit_test(a_dead_copy_does_not_vouch),
        cmocka_unit_test(who_was_away_does_not_lead),
        cmocka_unit_test(the_first_that_has_all_leads_when_it_is_back),
        cmocka_unit_test(what_waited_was_not_told),
        cmocka_unit_test(a_queue_dies_with_its_leader),
        cmocka_unit_test(what_waited_an_hour_ago_was_begun),
        cmocka_unit_test(moves_wait_for_one_another),
        cmocka_unit_test(machines_are_named_and_counted),
        cmocka_unit_test(a_move_given_up_gives_back_both_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
