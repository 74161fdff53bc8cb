/*
 * DynamoDB as a model: a partition's maximum, units, what a share saves up, what others leave, and
 * what is split by itself and what never; each documented rule by itself.
 */
#include "system_play.h"

#define DYNAMODB SYSTEM_DYNAMODB
#define HEAT_S 60 /* ours: how long traffic is too high until a partition is split */

static struct system_info table(const struct world *w)
{
    return world_system(w, DYNAMODB);
}

static void reads(struct world *w, int post, uint32_t rate)
{
    char key[KEY_BYTES_MAX];
    (void)snprintf(key, sizeof key, "post:{p%d}", post);
    struct command c = command_flow(OP_READ, bytes_of(key), rate, ARRIVALS_STEADY);
    assert_true(world_apply(w, &c, NULL));
}

static void set(struct world *w, const char *what)
{
    char words[64];
    (void)snprintf(words, sizeof words, "system dynamodb set %s", what);
    play(w, words);
}

/* --- a partition's maximum, in units --- */

static void a_partition_takes_1000_writes_and_3000_reads_a_second(void **state)
{
    (void)state;
    struct world *w = system_world("system dynamodb on");
    system_likes(w, 9, 2400);
    reads(w, 9, 9000);
    system_run_fast(w, 3500);
    struct part_info partition = system_part_of(w, DYNAMODB, "p9");
    assert_int_equal(partition.second.ok[0], 1000);
    assert_int_equal(partition.second.ok[1], 3000);
    assert_int_equal(partition.second.throttled, 1400 + 6000);
    assert_int_equal(partition.limit[0], 1000);
    assert_int_equal(partition.limit[1], 3000);
    assert_int_equal(table(w).second.late + table(w).second.away, 0);
    play_holds(w);
    world_free(w);
}

static void an_eventual_read_costs_half(void **state)
{
    (void)state;
    struct world *w = system_world("system dynamodb on");
    reads(w, 9, 9000);
    set(w, "reads eventual");
    system_run_fast(w, 3500);
    assert_int_equal(table(w).second.ok[1], 6000);
    world_free(w);
}

/* A unit is a kilobyte (1,024 bytes), begun ones too. */
static void a_write_costs_its_kilobytes(void **state)
{
    (void)state;
    static const struct {
        const char *series;
        uint64_t taken;
    } sizes[] = {{"series s 4000 bytes 1", 1000},   {"series s 4000 bytes 1024", 1000},
                 {"series s 4000 bytes 1025", 500}, {"series s 4000 bytes 4096", 250},
                 {"series s 400 bytes 102400", 10}, {"series s 400 bytes 409600", 2}}; /* 2.5 */
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct world *w = system_world("system dynamodb on 1");
        play(w, sizes[i].series);
        system_run_fast(w, 4500);
        assert_in_range(table(w).second.ok[0], sizes[i].taken, sizes[i].taken + (i == 5));
        world_free(w);
    }
    assert_true(system_says(system_words(SYSTEM_DYNAMODB)->leaves_out, "more than 400 KB"));
}

/* --- split for consumption --- */

static void one_item_is_isolated_and_then_never_split(void **state)
{
    (void)state;
    struct world *w = system_world("system dynamodb on");
    struct trace_record r = {0};
    system_evening(w);
    system_run_fast(w, HEAT_S * 1000 - 500);
    assert_int_equal(table(w).splits, 0);
    for (int split = 0; split < 2; split++) { /* what is on either side of p9 goes */
        assert_true(system_until(w, DYNAMODB, REASON_SYSTEMS_SPLIT_LOAD, HEAT_S + 2, &r));
        assert_int_equal(r.operand[2] >= 2400, 1);
        system_run_fast(w, 1000);
        system_covered(w, DYNAMODB);
    }
    assert_int_equal(table(w).splits, 2);
    assert_int_equal(table(w).parts, 6);
    system_run_fast(w, 1000);
    struct part_info partition = system_part_of(w, DYNAMODB, "p9");
    assert_int_equal(partition.second.asked[0], 2400); /* alone */
    assert_int_equal(partition.second.ok[0], 1000);
    assert_int_equal(table(w).second.throttled, 1400);
    assert_true(system_until(w, DYNAMODB, REASON_SYSTEMS_NO_SPLIT, HEAT_S + 2, &r));
    assert_int_equal(r.operand[0], NO_SPLIT_ONE_ITEM);
    assert_int_equal(r.operand[1], 2400);
    assert_string_equal(world_system_key(w, DYNAMODB, (uint32_t)r.operand[2] - 1).text.at, "p9");
    system_run_fast(w, 2 * HEAT_S * 1000);
    assert_int_equal(table(w).splits, 2);
    play_holds(w);
    world_free(w);
}

static void the_items_of_a_key_are_cut_by_their_sort_keys(void **state)
{
    (void)state;
    struct world *w = system_world("system dynamodb on");
    set(w, "items many");
    system_evening(w);
    system_run_fast(w, 4 * HEAT_S * 1000);
    assert_int_equal(table(w).second.throttled, 0);
    assert_int_equal(table(w).second.ok[0], 3150);
    assert_true(table(w).splits >= 3);
    uint32_t of_p9 = 0;
    uint64_t high = kinesis_hash_key(bytes_of("p9")).high;
    for (uint32_t i = 0; i < world_system_parts(w, DYNAMODB); i++) {
        struct part_info partition = world_system_part(w, DYNAMODB, i);
        of_p9 += partition.first.high <= high && high <= partition.last.high;
        assert_true(partition.second.asked[0] <= 1000);
    }
    assert_true(of_p9 >= 3);
    system_covered(w, DYNAMODB);
    play_holds(w);
    world_free(w);
}

static void not_with_a_local_index_and_not_when_sort_keys_grow(void **state)
{
    (void)state;
    static const struct {
        const char *items, *index;
        enum no_split why;
    } cases[] = {{"items many", "index local", NO_SPLIT_INDEX},
                 {"items growing", "index none", NO_SPLIT_GROWING},
                 {"items growing", "index local", NO_SPLIT_GROWING},
                 {"items one", "index none", NO_SPLIT_ONE_ITEM}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct world *w = system_world("system dynamodb on");
        struct trace_record r = {0};
        set(w, cases[i].items);
        set(w, cases[i].index);
        system_likes(w, 9, 1500);
        assert_true(system_until(w, DYNAMODB, REASON_SYSTEMS_NO_SPLIT, HEAT_S + 2, &r));
        assert_int_equal(r.operand[0], cases[i].why);
        assert_int_equal(table(w).splits, 0);
        assert_int_equal(table(w).second.throttled, 500);
        world_free(w);
    }
}

/* The count begins anew after a second without. */
static void short_heat_splits_nothing(void **state)
{
    (void)state;
    struct world *w = system_world("system dynamodb on");
    set(w, "items many");
    for (int i = 0; i < 3; i++) {
        system_likes(w, 9, 1500);
        system_run_fast(w, (HEAT_S - 1) * 1000);
        system_likes(w, 9, 500);
        system_run_fast(w, 2000);
    }
    assert_int_equal(table(w).splits, 0);
    world_free(w);
}

/* Several keys, none of them too much alone: the cut that halves best. */
static void frequent_keys_are_parted(void **state)
{
    (void)state;
    struct world *w = system_world("system dynamodb on 1");
    for (int post = 1; post <= 16; post++) {
        system_likes(w, post, 100);
    }
    system_run_fast(w, (HEAT_S + 3) * 1000);
    assert_int_equal(table(w).splits, 1);
    assert_int_equal(table(w).second.throttled, 0);
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(world_system_part(w, DYNAMODB, i).second.ok[0], 800);
    }
    world_free(w);
}

/* Keys that never come again, 6,000 a second: no item is hot, all four partitions are. */
static void many_keys_are_halved(void **state)
{
    (void)state;
    struct world *w = system_world("system dynamodb on");
    play(w, "series s 6000 bytes 100");
    system_run_fast(w, (HEAT_S + 3) * 1000);
    assert_int_equal(table(w).parts, 8);
    assert_int_equal(table(w).second.throttled, 0);
    system_covered(w, DYNAMODB);
    world_free(w);
}

static void ten_gigabytes_are_split(void **state)
{
    (void)state;
    struct world *w = system_world("system dynamodb on 1");
    struct trace_record r = {0};
    play(w, "series s 10 bytes 102400"); /* a megabyte a second */
    system_run_fast(w, 9760 * 1000);
    assert_int_equal(table(w).splits, 0);
    assert_true(system_until(w, DYNAMODB, REASON_SYSTEMS_SPLIT_SIZE, 20, &r));
    assert_true(r.operand[2] > INT64_C(10000000000));
    assert_int_equal(table(w).parts, 2);
    system_covered(w, DYNAMODB);
    world_free(w);
}

/* --- provisioned: share, burst, adaptive capacity --- */

static void a_share_is_what_the_table_has_by_partitions(void **state)
{
    (void)state;
    struct world *w = system_world("system dynamodb on 4");
    set(w, "capacity 2000");
    assert_int_equal(system_part(w, DYNAMODB, 0).limit[0], 500);
    assert_int_equal(system_part(w, DYNAMODB, 0).limit[1], 1500);
    set(w, "capacity 40000");
    assert_int_equal(system_part(w, DYNAMODB, 0).limit[0], 1000);
    assert_int_equal(system_part(w, DYNAMODB, 0).limit[1], 3000);
    set(w, "capacity 0");
    assert_int_equal(system_part(w, DYNAMODB, 0).limit[0], 1000);
    world_free(w);
}

/* One partition has the whole table, so nobody else leaves anything: what was saved is all. */
static void a_burst_is_at_most_300_seconds_of_the_share(void **state)
{
    (void)state;
    struct world *w = system_world("system dynamodb on 1");
    struct trace_record r = {0};
    set(w, "capacity 100");
    system_run_fast(w, 50 * 1000 + 500);
    assert_int_equal(system_part(w, DYNAMODB, 0).saved, INT64_C(5000) * 1000000);
    system_run_fast(w, 400 * 1000);
    assert_int_equal(system_part(w, DYNAMODB, 0).saved, INT64_C(30000) * 1000000);
    system_likes(w, 9, 800);
    system_run_fast(w, 2000);
    assert_int_equal(table(w).second.throttled, 0);
    assert_true(system_told(w, DYNAMODB, REASON_SYSTEMS_BOOST, &r) == 1);
    assert_int_equal(r.operand[0], 100);
    assert_int_equal(r.operand[1], 1000);
    assert_int_equal(r.operand[2], 0);
    assert_true(system_until(w, DYNAMODB, REASON_SYSTEMS_SPENT, 60, &r));
    /* 30,000 units at 700 a second above the share */
    assert_in_range(r.time_us - EIGHT_PM, (450 + 42) * US_PER_SECOND, (450 + 44) * US_PER_SECOND);
    system_run_fast(w, 3000);
    assert_int_equal(table(w).second.ok[0], 100);
    assert_int_equal(table(w).second.throttled, 700);
    assert_int_equal(system_told(w, DYNAMODB, REASON_SYSTEMS_BOOST, &r), 1);
    world_free(w);
}

static void adaptive_capacity_gives_what_others_leave(void **state)
{
    (void)state;
    struct world *w = system_world("system dynamodb on 4");
    struct trace_record r = {0};
    system_likes(w, 9, 900);
    set(w, "capacity 1200"); /* 300 each */
    system_run_fast(w, 3500);
    assert_true(system_told(w, DYNAMODB, REASON_SYSTEMS_BOOST, &r) > 0);
    assert_int_equal(r.operand[0], 300);
    assert_int_equal(r.operand[1], 1000); /* a partition's maximum */
    assert_int_equal(r.operand[2], 1);
    assert_int_equal(table(w).second.ok[0], 900);
    system_likes(w, 9, 2400);
    system_run_fast(w, 2500);
    assert_int_equal(table(w).second.ok[0], 1000); /* never more than the partition's maximum */
    /* The others want theirs: 3 x 200 of 1,200 leave 600. */
    uint32_t posts = 0;
    for (int post = 1; post <= 16; post++) {
        char key[16];
        (void)snprintf(key, sizeof key, "p%d", post);
        if (post != 9 && posts < 3 && system_key(w, DYNAMODB, key).part == posts) {
            system_likes(w, post, 200);
            posts++;
            post = 0;
        }
    }
    assert_int_equal(posts, 3);
    system_run_fast(w, 4500);
    assert_int_equal(system_key(w, DYNAMODB, "p9").second.ok[0], 600);
    assert_int_equal(table(w).second.ok[0], 1200);
    system_likes(w, 9, 100);
    system_run_fast(w, 2500);
    assert_int_equal(system_part_of(w, DYNAMODB, "p9").limit[0], 300); /* its share again */
    play_holds(w);
    world_free(w);
}

/* Turned away for want of the table's capacity: a split would not help. */
static void too_little_capacity_splits_nothing(void **state)
{
    (void)state;
    struct world *w = system_world("system dynamodb on 1");
    set(w, "capacity 500");
    set(w, "items many");
    system_likes(w, 9, 800);
    system_run_fast(w, 2 * HEAT_S * 1000);
    assert_int_equal(table(w).second.throttled, 300);
    assert_int_equal(table(w).splits, 0);
    world_free(w);
}

/* --- three copies --- */

static void an_acknowledged_write_survives_a_node(void **state)
{
    (void)state;
    struct world *w = system_world("system dynamodb on");
    system_evening(w);
    system_run_fast(w, 1300);
    for (int node = 0; node < 6; node++) {
        char words[40];
        (void)snprintf(words, sizeof words, "system dynamodb down %d", node);
        play(w, words);
        system_run(w, 2100);
        (void)snprintf(words, sizeof words, "system dynamodb up %d", node);
        play(w, words);
        system_run(w, 500);
    }
    assert_int_equal(table(w).lost, 0);
    assert_true(table(w).leaders >= 4);
    assert_true(table(w).sum.away > 0);
    world_free(w);
}

/* --- what it does by itself --- */

static void nobody_outside_cuts_or_moves(void **state)
{
    (void)state;
    struct world *w = system_world("system dynamodb on");
    static const char *const never[] = {"system dynamodb parts 8",      "system dynamodb cut 0",
                                        "system dynamodb join 0 1",     "system dynamodb grow",
                                        "system dynamodb move 0 1",     "system dynamodb balance",
                                        "system dynamodb set items few"};
    for (size_t i = 0; i < sizeof never / sizeof *never; i++) {
        struct command c;
        struct err err = {{0}};
        struct digest before = world_digest(w);
        assert_false(command_parse(never[i], &c, &err) && world_apply(w, &c, &err));
        assert_true(strlen(err.text) > 0);
        assert_true(digest_equal(before, world_digest(w)));
    }
    world_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_partition_takes_1000_writes_and_3000_reads_a_second),
        cmocka_unit_test(an_eventual_read_costs_half),
        cmocka_unit_test(a_write_costs_its_kilobytes),
        cmocka_unit_test(one_item_is_isolated_and_then_never_split),
        cmocka_unit_test(the_items_of_a_key_are_cut_by_their_sort_keys),
        cmocka_unit_test(not_with_a_local_index_and_not_when_sort_keys_grow),
        cmocka_unit_test(short_heat_splits_nothing),
        cmocka_unit_test(frequent_keys_are_parted),
        cmocka_unit_test(many_keys_are_halved),
        cmocka_unit_test(ten_gigabytes_are_split),
        cmocka_unit_test(a_share_is_what_the_table_has_by_partitions),
        cmocka_unit_test(a_burst_is_at_most_300_seconds_of_the_share),
        cmocka_unit_test(adaptive_capacity_gives_what_others_leave),
        cmocka_unit_test(too_little_capacity_splits_nothing),
        cmocka_unit_test(an_acknowledged_write_survives_a_node),
        cmocka_unit_test(nobody_outside_cuts_or_moves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
