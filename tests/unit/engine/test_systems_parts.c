/*
 * Parts: numbers and places, cuts with and without lineage, neighbours, even ranges, positions.
 */
#include "system_play.h"

#include "engine/systems/systems_inside.h"

static void positions_keep_the_order_of_keys(void **state)
{
    (void)state;
    const char *const keys[] = {
        "", "p", "p1", "p10", "p2", "p9", "p9000000000000", "q", "zzzzzzzzzzzzzzzz"};
    for (size_t i = 0; i + 1 < sizeof keys / sizeof *keys; i++) {
        assert_true(u128_order(u128_text_position(bytes_of(keys[i])),
                               u128_text_position(bytes_of(keys[i + 1]))) < 0);
    }
    struct u128 at = u128_text_position(bytes_of("abcdefghijklmnopq"));
    assert_int_equal(at.high, UINT64_C(0x6162636465666768));
    assert_int_equal(at.low, UINT64_C(0x696A6B6C6D6E6F70)); /* and no further */
}

static void positions_are_halved_exactly(void **state)
{
    (void)state;
    struct u128 half = u128_halfway(u128_of(0, 0), U128_LAST);
    assert_true(half.high == UINT64_C(1) << 63 && half.low == 0);
    half = u128_halfway(u128_of(0, 4), u128_of(0, 7)); /* 4 5 | 6 7 */
    assert_int_equal(half.low, 6);
    half = u128_halfway(u128_of(0, 4), u128_of(0, 6)); /* 4 5 | 6 */
    assert_int_equal(half.low, 6);
    half = u128_halfway(u128_of(0, 4), u128_of(0, 5));
    assert_int_equal(half.low, 5);
    half = u128_next(u128_of(0, UINT64_MAX));
    assert_true(half.high == 1 && half.low == 0);
    half = u128_before(half);
    assert_true(half.high == 0 && half.low == UINT64_MAX);
}

/* Three parts of 2^128 positions, dealt to machines in turn, each copy on the machine after. */
static void even_ranges_are_dealt_in_turn(void **state)
{
    (void)state;
    struct world *w = system_world("system kinesis on 3");
    for (uint32_t i = 0; i < 3; i++) {
        struct part_info part = world_system_part(w, SYSTEM_KINESIS, i);
        assert_int_equal(part.number, i);
        assert_int_equal(part.machine[0], i);
        assert_int_equal(part.machine[1], (i + 1) % 3);
        assert_int_equal(part.machine[2], (i + 2) % 3);
    }
    assert_int_equal(world_system_part(w, SYSTEM_KINESIS, 1).first.high,
                     UINT64_C(0x5555555555555555));
    system_covered(w, SYSTEM_KINESIS);
    world_free(w);
}

/* The parent closes and its children open; places of expired ones are taken last. */
static void lineage_closes_the_parent(void **state)
{
    (void)state;
    struct world *w = system_world("system kinesis on 1");
    struct trace_record told;
    struct u128 half = u128_halfway(u128_of(0, 0), U128_LAST);
    assert_true(system_part_fork(w, SYSTEM_KINESIS, 0, half, REASON_SYSTEMS_SPLIT_HAND, 0));
    struct part_info parent = system_part(w, SYSTEM_KINESIS, 0);
    assert_int_equal(parent.state, PART_CLOSED);
    assert_int_equal(parent.child[0], 1);
    assert_int_equal(parent.child[1], 2);
    assert_int_equal(system_part(w, SYSTEM_KINESIS, 2).parent[0], 0);
    assert_int_equal(system_told(w, SYSTEM_KINESIS, REASON_SYSTEMS_CLOSED, &told), 1);
    /* shown: the parent first, then its children by position */
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(world_system_part(w, SYSTEM_KINESIS, i).number, i);
    }
    struct err err = {{0}};
    assert_true(system_part_merge(w, SYSTEM_KINESIS, 2, 1, &err));
    struct part_info child = system_part(w, SYSTEM_KINESIS, 3);
    assert_int_equal(child.state, PART_OPEN);
    assert_int_equal(child.parent[0], 1);
    assert_int_equal(child.parent[1], 2);
    assert_int_equal(system_told(w, SYSTEM_KINESIS, REASON_SYSTEMS_JOINED, &told), 1);
    assert_int_equal(told.operand[2], 3);
    system_part_expire(w, SYSTEM_KINESIS, 0);
    assert_int_equal(system_part(w, SYSTEM_KINESIS, 0).state, PART_EXPIRED);
    struct system_info info = world_system(w, SYSTEM_KINESIS);
    assert_int_equal(info.parts, 1);
    assert_int_equal(info.closed, 2);
    assert_int_equal(info.expired, 1);
    assert_true(system_part_fork(w, SYSTEM_KINESIS, 3, half, REASON_SYSTEMS_SPLIT_HAND, 0));
    assert_true(world_system_find(w, SYSTEM_KINESIS, 0, &child)); /* its name is still there */
    system_covered(w, SYSTEM_KINESIS);
    play_holds(w);
    world_free(w);
}

/* Until there is no place, and then nothing is half done. */
static void a_full_table_refuses_whole(void **state)
{
    (void)state;
    struct world *w = system_world("system kinesis on 30");
    struct trace_record told;
    struct part_row *part = part_of_system(w, SYSTEM_KINESIS, 0);
    struct u128 at = u128_halfway(part->first, part->last);
    assert_true(system_part_fork(w, SYSTEM_KINESIS, 0, at, REASON_SYSTEMS_SPLIT_LOAD, 0));
    assert_int_equal(world_system_parts(w, SYSTEM_KINESIS), 32);
    part = part_of_system(w, SYSTEM_KINESIS, 5);
    at = u128_halfway(part->first, part->last);
    assert_false(system_part_fork(w, SYSTEM_KINESIS, 5, at, REASON_SYSTEMS_SPLIT_LOAD, 0));
    assert_int_equal(part->state, PART_OPEN);
    assert_int_equal(system_told(w, SYSTEM_KINESIS, REASON_SYSTEMS_OVERDUE, &told), 1);
    assert_int_equal(told.operand[0], NO_SPLIT_FULL);
    struct digest before = world_digest(w);
    assert_false(system_part_fork(w, SYSTEM_KINESIS, 5, at, REASON_SYSTEMS_SPLIT_HAND, 0));
    assert_int_equal(system_part_split(w, SYSTEM_KINESIS, 5, at, REASON_SYSTEMS_SPLIT_HAND, 0),
                     NO_PART);
    assert_true(digest_equal(before, world_digest(w))); /* by hand it is an error, not an event */
    system_part_expire(w, SYSTEM_KINESIS, 0);
    assert_int_equal(system_part_split(w, SYSTEM_KINESIS, 5, at, REASON_SYSTEMS_SPLIT_LOAD, 0), 0);
    assert_int_equal(part_of_system(w, SYSTEM_KINESIS, 0)->number,
                     32); /* the place, not the name */
    assert_false(world_system_find(w, SYSTEM_KINESIS, 0, &(struct part_info){0}));
    play_holds(w);
    world_free(w);
}

/* Without lineage a part goes on as its lower half, with half of its bytes, on its machines. */
static void a_cut_part_goes_on_below(void **state)
{
    (void)state;
    struct world *w = system_world("system cockroachdb on 1");
    struct part_row *part = part_of_system(w, SYSTEM_COCKROACHDB, 0);
    part->bytes = 1001;
    struct u128 at = u128_text_position(bytes_of("m"));
    uint16_t upper =
        system_part_split(w, SYSTEM_COCKROACHDB, 0, at, REASON_SYSTEMS_SPLIT_SIZE, 1001);
    struct part_info low = system_part(w, SYSTEM_COCKROACHDB, part->number);
    struct part_info high =
        system_part(w, SYSTEM_COCKROACHDB, part_of_system(w, SYSTEM_COCKROACHDB, upper)->number);
    assert_int_equal(low.bytes, 501);
    assert_int_equal(high.bytes, 500);
    assert_int_equal(u128_order(high.first, at), 0);
    assert_int_equal(u128_order(u128_next(low.last), at), 0);
    assert_memory_equal(low.machine, high.machine, sizeof low.machine);
    system_covered(w, SYSTEM_COCKROACHDB);
    assert_int_equal(world_system(w, SYSTEM_COCKROACHDB).splits, 1);
    struct err err = {{0}};
    assert_true(system_part_merge(w, SYSTEM_COCKROACHDB, 0, upper, &err));
    assert_int_equal(world_system_parts(w, SYSTEM_COCKROACHDB), 1);
    assert_int_equal(part->bytes, 1001);
    system_covered(w, SYSTEM_COCKROACHDB);
    /* the place is free, and who comes has a number of its own */
    assert_int_equal(system_part_split(w, SYSTEM_COCKROACHDB, 0, at, REASON_SYSTEMS_SPLIT_SIZE, 0),
                     upper);
    assert_int_equal(part_of_system(w, SYSTEM_COCKROACHDB, upper)->number, 2);
    world_free(w);
}

static void only_neighbours_are_joined(void **state)
{
    (void)state;
    struct world *w = system_world("system kinesis on 4");
    play_refused(w, "system kinesis join 0 2",
                 "shards 0 and 2 are no neighbours; name two that lie side by side");
    play_refused(w, "system kinesis join 1 1",
                 "shards 1 and 1 are no neighbours; name two that lie side by side");
    play_refused(w, "system kinesis join 0 3",
                 "shards 0 and 3 are no neighbours; name two that lie side by side");
    play_refused(w, "system kinesis join 0 9",
                 "Kinesis has no shard 9; the pictures show their numbers");
    play(w, "system kinesis join 2 1");
    play_refused(w, "system kinesis cut 1",
                 "shard 1 of Kinesis is not open; name one that takes requests");
    world_free(w);
}

/* The latest writes of both stand in one list, by time, as many as it holds. */
static void joined_parts_have_the_recent_writes_of_both(void **state)
{
    (void)state;
    struct world *w = system_world("system cockroachdb on 1");
    struct u128 at = u128_text_position(bytes_of("m"));
    uint16_t upper = system_part_split(w, SYSTEM_COCKROACHDB, 0, at, REASON_SYSTEMS_SPLIT_HAND, 0);
    struct part_row *low = part_of_system(w, SYSTEM_COCKROACHDB, 0);
    struct part_row *high = part_of_system(w, SYSTEM_COCKROACHDB, upper);
    struct recent_row *of_low = system_recent_of(w, low);
    struct recent_row *of_up = system_recent_of(w, high);
    for (int64_t i = 0; i < 200; i++) {
        of_low->at_us[low->taken % SYSTEM_RECENT] = 10 * i;
        of_low->key[low->taken++ % SYSTEM_RECENT] = 1;
    }
    for (int64_t i = 0; i < 5; i++) {
        of_up->at_us[high->taken % SYSTEM_RECENT] = 1955 + 10 * i;
        of_up->key[high->taken++ % SYSTEM_RECENT] = 2;
    }
    struct err err = {{0}};
    assert_true(system_part_merge(w, SYSTEM_COCKROACHDB, 0, upper, &err));
    assert_int_equal(low->taken, 205);
    int64_t before = INT64_MAX;
    uint32_t of_high = 0;
    for (uint64_t i = 0; i < SYSTEM_RECENT; i++) {
        uint32_t place = (uint32_t)((low->taken - 1 - i) % SYSTEM_RECENT);
        assert_true(of_low->at_us[place] < before);
        assert_int_equal(of_low->key[place], of_low->at_us[place] % 10 == 5 ? 2 : 1);
        of_high += of_low->key[place] == 2;
        before = of_low->at_us[place];
    }
    assert_int_equal(of_high, 5);
    assert_int_equal(before, 1990 - 10 * (SYSTEM_RECENT - 6));
    world_free(w);
}

/* Copies are put on live machines first, and never twice on one. */
static void copies_avoid_the_dead(void **state)
{
    (void)state;
    struct world *w = system_world("system kafka on 1 4");
    play(w, "system kafka down 1");
    play(w, "system kafka parts 4");
    for (uint16_t i = 1; i < 4; i++) {
        struct part_info part = system_part(w, SYSTEM_KAFKA, i);
        for (uint32_t c = 0; c < 3; c++) {
            assert_int_not_equal(part.machine[c], 1);
            assert_int_not_equal(part.machine[c], part.machine[(c + 1) % 3]);
        }
    }
    play(w, "system kafka on 2 2"); /* fewer machines than copies */
    assert_int_equal(system_part(w, SYSTEM_KAFKA, 0).machine[1], 1);
    assert_int_equal(system_part(w, SYSTEM_KAFKA, 0).machine[2], MACHINE_NONE);
    world_free(w);
}

/* The one key that has most of a part's load is known by the end of a second. */
static void a_hot_key_stands_out(void **state)
{
    (void)state;
    struct world *w = system_world("system kinesis on 1");
    system_likes(w, 9, 300);
    system_likes(w, 3, 200);
    system_likes(w, 4, 90);
    system_run(w, 2000);
    uint64_t load = 0;
    uint8_t p9 = system_tag(w, bytes_of("p9"));
    assert_int_equal(system_top_key(w, SYSTEM_KINESIS, 0, &load), p9);
    assert_int_equal(load, 300);
    assert_int_equal(part_of_system(w, SYSTEM_KINESIS, 0)->key, p9);
    system_likes(w, 4, 100); /* 300 of 600 is not most */
    system_run(w, 2000);
    assert_int_equal(part_of_system(w, SYSTEM_KINESIS, 0)->key, KEY_OTHER);
    world_free(w);
}

/* What has no leader is not served by its neighbour's. */
static void what_is_away_is_not_joined(void **state)
{
    (void)state;
    static const struct {
        const char *name, *sentence;
        enum system_id id;
    } kinds[] = {
        {"hbase", "region 1 is away now; wait until it is served", SYSTEM_HBASE},
        {"cockroachdb", "range 1 is away now; wait until it is served", SYSTEM_COCKROACHDB},
        {"kinesis", "shard 1 is away now; wait until it is served", SYSTEM_KINESIS},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        char words[64];
        (void)snprintf(words, sizeof words, "system %s on 4 4", kinds[i].name);
        struct world *w = system_world(words);
        (void)snprintf(words, sizeof words, "system %s down %u", kinds[i].name,
                       system_part(w, kinds[i].id, 1).machine[0]);
        play(w, words);
        (void)snprintf(words, sizeof words, "system %s join 0 1", kinds[i].name);
        play_refused(w, words, kinds[i].sentence);
        (void)snprintf(words, sizeof words, "system %s join 2 1", kinds[i].name);
        play_refused(w, words, kinds[i].sentence);
        if (kinds[i].id == SYSTEM_KINESIS) {
            play_refused(w, "system kinesis parts 2", kinds[i].sentence);
        }
        system_run_fast(w, 100000);
        play(w, words); /* another leads */
        play_holds(w);
        world_free(w);
    }
}

/* A number is nobody's twice, so there is an end of them. */
static void numbers_end(void **state)
{
    (void)state;
    struct world *w = system_world("system cockroachdb on 1 3");
    system_of(w, SYSTEM_COCKROACHDB)->next_number = NO_PART - 1;
    play(w, "system cockroachdb cut 0 m");
    assert_int_equal(system_part(w, SYSTEM_COCKROACHDB, NO_PART - 1).parent[0], 0);
    play(w, "system cockroachdb join 0 65534");
    play_refused(w, "system cockroachdb cut 0 m",
                 "there is no room for more ranges; join two of them first");
    assert_false(system_part_room(w, SYSTEM_COCKROACHDB, 1));
    play_holds(w);
    world_free(w);
}

static void a_copy_of_any_size_takes_its_time(void **state)
{
    (void)state;
    assert_int_equal(system_copy_us(0, 16000000), 0);
    assert_int_equal(system_copy_us(24000001, 16000000), 1500000);
    assert_int_equal(system_copy_us(UINT64_C(32000000000000), 16000000),
                     INT64_C(2000000) * US_PER_SECOND); /* 2^64 us of bytes are less */
    assert_int_equal(system_copy_us(5, 0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(positions_keep_the_order_of_keys),
        cmocka_unit_test(positions_are_halved_exactly),
        cmocka_unit_test(even_ranges_are_dealt_in_turn),
        cmocka_unit_test(lineage_closes_the_parent),
        cmocka_unit_test(a_full_table_refuses_whole),
        cmocka_unit_test(a_cut_part_goes_on_below),
        cmocka_unit_test(only_neighbours_are_joined),
        cmocka_unit_test(joined_parts_have_the_recent_writes_of_both),
        cmocka_unit_test(copies_avoid_the_dead),
        cmocka_unit_test(a_hot_key_stands_out),
        cmocka_unit_test(what_is_away_is_not_joined),
        cmocka_unit_test(numbers_end),
        cmocka_unit_test(a_copy_of_any_size_takes_its_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
