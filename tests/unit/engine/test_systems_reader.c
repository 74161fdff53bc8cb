/*
 * Readers of streams: how much they read, parents first or not, disorder counted against a second
 * account of every record, what is gone unread, and how a group shares its partitions.
 */
#include "system_play.h"

#include "base/prng.h"
#include "engine/systems/systems_inside.h"

/* --- rates --- */

static void a_reader_reads_its_rate_of_each_shard(void **state)
{
    (void)state;
    struct world *w = system_world("system kinesis on 2");
    play(w, "series s 1000");
    play(w, "system kinesis set reader 123");
    system_run_fast(w, 5000);
    uint64_t before = world_system(w, SYSTEM_KINESIS).read;
    for (int second = 0; second < 5; second++) {
        system_run_fast(w, 1000);
        uint64_t read = world_system(w, SYSTEM_KINESIS).read;
        assert_int_equal(read - before, 2 * 123);
        before = read;
    }
    struct system_info info = world_system(w, SYSTEM_KINESIS);
    assert_int_equal(info.read + info.unread, info.sum.ok[0]);
    assert_int_equal(world_system_reader(w, SYSTEM_KINESIS).rate, 123);
    play(w, "system kinesis set reader 0");
    system_run_fast(w, 1000);
    assert_int_equal(world_system(w, SYSTEM_KINESIS).read, before);
    assert_int_equal(world_system_reader(w, SYSTEM_KINESIS).members, 0);
    play_holds(w);
    world_free(w);
}

static void what_a_full_ring_pushes_out_is_skipped(void **state)
{
    (void)state;
    struct world *w = system_world("system kinesis on 1");
    system_likes(w, 9, 800);
    system_run_fast(w, 5000);
    assert_int_equal(world_system(w, SYSTEM_KINESIS).skipped, 0);
    system_run_fast(w, 5000);
    struct system_info info = world_system(w, SYSTEM_KINESIS);
    assert_int_equal(info.unread, SYSTEM_UNREAD);
    assert_int_equal(info.skipped, info.sum.ok[0] - SYSTEM_UNREAD);
    play_holds(w);
    world_free(w);
}

/* --- order across a split --- */

/* p9 at 800 a second; after 3 s its shard is split; a reader of 500 a second is behind. */
static struct world *split_with_reader(const char *order)
{
    struct world *w = system_world("system kinesis on 4");
    system_likes(w, 9, 800);
    play(w, "system kinesis set reader 500");
    play(w, order);
    system_run_fast(w, 3000);
    play(w, "system kinesis cut 3");
    return w;
}

static void a_child_read_beside_its_parent_is_out_of_order(void **state)
{
    (void)state;
    struct world *w = split_with_reader("system kinesis set order any");
    uint64_t behind = system_part(w, SYSTEM_KINESIS, 3).unread;
    struct trace_record r;
    assert_true(behind >= 900 && behind <= 1100);
    assert_int_equal(world_system(w, SYSTEM_KINESIS).disorder, 0);
    system_run_fast(w, 1001);
    /* Within that second both are read at 500: the parent has some left all the while. */
    uint64_t child = system_part_of(w, SYSTEM_KINESIS, "p9").records -
                     system_part_of(w, SYSTEM_KINESIS, "p9").unread;
    assert_int_equal(child, 500);
    assert_int_equal(world_system(w, SYSTEM_KINESIS).disorder, 500);
    assert_int_equal(world_system_key(w, SYSTEM_KINESIS, 0).disorder, 500);
    assert_true(world_system_order(w, SYSTEM_KINESIS, &r));
    assert_int_equal(r.operand[0], 0); /* p9, in shard 3 */
    assert_int_equal(r.operand[1], 3);
    assert_true(r.operand[2] > 0 && (uint64_t)r.operand[2] <= behind);
    system_run_fast(w, 5000);
    uint64_t at_last = world_system(w, SYSTEM_KINESIS).disorder;
    system_run_fast(w, 5000); /* the parent is read to its end: all is in order again */
    assert_int_equal(system_part(w, SYSTEM_KINESIS, 3).unread, 0);
    assert_int_equal(world_system(w, SYSTEM_KINESIS).disorder, at_last);
    play_holds(w);
    world_free(w);
}

static void parents_first_keeps_the_order(void **state)
{
    (void)state;
    struct world *w = split_with_reader("system kinesis set order parents");
    uint16_t child = system_part_of(w, SYSTEM_KINESIS, "p9").number;
    system_run_fast(w, 1000);
    struct part_info part = system_part(w, SYSTEM_KINESIS, child);
    assert_true(part.paused);
    assert_int_equal(part.unread, part.records); /* not begun */
    assert_false(system_part(w, SYSTEM_KINESIS, 3).paused);
    char words[40];
    (void)snprintf(words, sizeof words, "system kinesis cut %u", (unsigned)child);
    play(w, words); /* a grandchild waits for both */
    uint16_t grandchild = system_part_of(w, SYSTEM_KINESIS, "p9").number;
    assert_true(system_part(w, SYSTEM_KINESIS, grandchild).paused);
    system_run_fast(w, 10000);
    assert_int_equal(system_part(w, SYSTEM_KINESIS, 3).unread, 0);
    assert_int_equal(system_part(w, SYSTEM_KINESIS, child).unread, 0);
    assert_false(system_part(w, SYSTEM_KINESIS, grandchild).paused);
    part = system_part(w, SYSTEM_KINESIS, grandchild);
    assert_true(part.unread < part.records);
    assert_int_equal(world_system(w, SYSTEM_KINESIS).disorder, 0);
    play_holds(w);
    world_free(w);
}

static void a_new_rule_is_told_anew(void **state)
{
    (void)state;
    struct world *w = split_with_reader("system kinesis set order any");
    struct trace_record r;
    system_run_fast(w, 1000);
    assert_true(world_system_order(w, SYSTEM_KINESIS, &r));
    int64_t first = r.time_us;
    play(w, "system kinesis set order parents");
    system_run_fast(w, 200);
    uint64_t disorder = world_system(w, SYSTEM_KINESIS).disorder;
    play(w, "system kinesis set order any");
    system_run_fast(w, 400);
    assert_true(world_system(w, SYSTEM_KINESIS).disorder > disorder);
    assert_true(world_system_order(w, SYSTEM_KINESIS, &r));
    assert_true(r.time_us > first);
    world_free(w);
}

/* --- the count, against a second account of every record --- */

#define KEYS 6
#define PLACES 4
#define LOG_MAX 20000

struct account {
    struct {
        uint8_t key;
        uint32_t number; /* of its key */
    } log[PLACES][LOG_MAX];
    uint64_t written[PLACES], taken[PLACES];
    uint32_t count[KEYS];
    uint64_t disorder, skipped;
};

static bool older_is_there(const struct account *a, uint8_t key, uint32_t number)
{
    for (int place = 0; place < PLACES; place++) {
        for (uint64_t i = a->taken[place]; i < a->written[place]; i++) {
            if (a->log[place][i].key == key && a->log[place][i].number < number) {
                return true;
            }
        }
    }
    return false;
}

static void account_read(struct account *a, int place, uint64_t records)
{
    for (; records > 0; records--) {
        uint64_t at = a->taken[place]++;
        uint8_t key = a->log[place][at].key;
        a->disorder += key < KEYS - 1 && older_is_there(a, key, a->log[place][at].number);
    }
}

static void account_write(struct account *a, int place, uint8_t key)
{
    if (a->written[place] - a->taken[place] == SYSTEM_UNREAD) {
        a->taken[place]++;
        a->skipped++;
    }
    a->log[place][a->written[place]].key = key;
    a->log[place][a->written[place]++].number = a->count[key]++;
}

/* Keys go from part to part, and back; the last of them stands for those that are not counted. */
static void disorder_is_counted_exactly(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        struct world *w = system_world("system kinesis on 4");
        struct prng prng = prng_seeded(seed, "streams");
        struct account *a = calloc(1, sizeof *a);
        assert_non_null(a);
        int home[KEYS] = {0, 1, 2, 3, 0, 1};
        uint32_t changes[KEYS] = {0};
        play(w, "system kinesis set order any");
        for (int round = 0; round < 400; round++) {
            uint8_t moves = (uint8_t)prng_below(&prng, KEYS);
            if (prng_chance(&prng, 1, 3) && ++changes[moves] < SYSTEM_TURNS_MAX - 1) {
                home[moves] = (int)prng_below(&prng, PLACES);
            }
            for (uint64_t n = prng_below(&prng, seed == 8 ? 200 : 40); n > 0; n--) {
                uint8_t key = (uint8_t)prng_below(&prng, KEYS);
                system_record(w, SYSTEM_KINESIS, (uint16_t)home[key],
                              key == KEYS - 1 ? KEY_OTHER : key);
                account_write(a, home[key], key);
            }
            uint64_t before[PLACES];
            for (uint16_t i = 0; i < PLACES; i++) {
                before[i] = part_in_system(w, SYSTEM_KINESIS, i)->read;
                assert_int_equal(before[i], a->taken[i]);
            }
            system_of(w, SYSTEM_KINESIS)->setting[KINESIS_READER] = (uint32_t)prng_below(&prng, 50);
            system_read(w, SYSTEM_KINESIS);
            for (uint16_t i = 0; i < PLACES; i++) {
                account_read(a, i, part_in_system(w, SYSTEM_KINESIS, i)->read - before[i]);
            }
            assert_int_equal(world_system(w, SYSTEM_KINESIS).disorder, a->disorder);
            assert_int_equal(world_system(w, SYSTEM_KINESIS).skipped, a->skipped);
        }
        assert_true(a->disorder > 0);
        assert_true(a->skipped > 0 || seed != 8);
        free(a);
        world_free(w);
    }
}

/* --- a group --- */

static uint8_t reader_of(const struct world *w, uint32_t partition)
{
    return system_part(w, SYSTEM_KAFKA, partition).reader;
}

static void expect_readers(const struct world *w, const char *expected)
{
    char text[SYSTEM_PARTS_FEW + 1] = "";
    uint32_t parts = world_system(w, SYSTEM_KAFKA).parts;
    for (uint32_t i = 0; i < parts; i++) {
        uint8_t reader = reader_of(w, i);
        text[i] = (char)(reader == UINT8_MAX ? '-' : 'a' + reader);
        text[i + 1] = '\0';
    }
    assert_string_equal(text, expected);
}

static struct world *group_of_three(const char *rule)
{
    struct world *w = system_world("system kafka on 6 3");
    play(w, rule);
    play(w, "system kafka set members 3");
    play(w, "system kafka set reader 300");
    system_run_fast(w, 5000);
    expect_readers(w, "aabbcc");
    return w;
}

static uint32_t paused(const struct world *w)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < world_system(w, SYSTEM_KAFKA).parts; i++) {
        count += system_part(w, SYSTEM_KAFKA, i).paused;
    }
    return count;
}

static void an_eager_rebalance_stops_everybody(void **state)
{
    (void)state;
    struct world *w = group_of_three("system kafka set rebalance eager");
    assert_int_equal(paused(w), 0);
    play(w, "system kafka set members 2");
    expect_readers(w, "aaabbb");
    struct reader_info group = world_system_reader(w, SYSTEM_KAFKA);
    assert_int_equal(paused(w), 6);
    assert_int_equal(group.paused, 6);
    assert_int_equal(group.of, 6);
    assert_int_equal(group.members, 3);
    assert_true(group.left[2]);
    world_run_until(w, group.pause_us + 1);
    assert_int_equal(paused(w), 0);
    assert_int_equal(world_system_reader(w, SYSTEM_KAFKA).pause_us, 0);
    world_free(w);
}

static void a_cooperative_one_stops_what_changes_hands(void **state)
{
    (void)state;
    struct world *w = group_of_three("system kafka set rebalance cooperative");
    play(w, "system kafka set members 2");
    expect_readers(w, "aabbab");
    assert_int_equal(paused(w), 2);
    assert_true(system_part(w, SYSTEM_KAFKA, 4).paused);
    assert_true(system_part(w, SYSTEM_KAFKA, 5).paused);
    system_run_fast(w, 5000);
    play(w, "system kafka set members 4"); /* two come: they get a fair share, the rest stays */
    uint32_t each[4] = {0};
    for (uint32_t i = 0; i < 6; i++) {
        assert_true(reader_of(w, i) < 4);
        each[reader_of(w, i)]++;
    }
    for (int i = 0; i < 4; i++) {
        assert_in_range(each[i], 1, 2);
    }
    assert_int_equal(paused(w), 2);
    world_free(w);
}

static void more_members_than_partitions_have_nothing_to_do(void **state)
{
    (void)state;
    struct world *w = system_world("system kafka on 4 4");
    play(w, "system kafka set reader 100");
    play(w, "system kafka set members 7");
    bool reads[8] = {false};
    for (uint32_t i = 0; i < 4; i++) {
        assert_false(reads[reader_of(w, i)]);
        reads[reader_of(w, i)] = true;
    }
    world_free(w);
}

/* A member has its rate for all its partitions; what one leaves, another may have. */
static void a_member_shares_its_rate_over_its_partitions(void **state)
{
    (void)state;
    struct world *w = system_world("system kafka on 4 4");
    play(w, "series s 1200");
    play(w, "system kafka set members 1");
    play(w, "system kafka set reader 300");
    system_run_fast(w, 4000);
    uint64_t read = world_system(w, SYSTEM_KAFKA).read;
    system_run_fast(w, 1000);
    assert_int_equal(world_system(w, SYSTEM_KAFKA).read - read, 300);
    uint64_t least = UINT64_MAX;
    uint64_t most = 0;
    for (uint32_t i = 0; i < 4; i++) {
        struct part_info part = system_part(w, SYSTEM_KAFKA, i);
        uint64_t of_it = part.records - part.unread;
        least = of_it < least ? of_it : least;
        most = of_it > most ? of_it : most;
    }
    assert_true(most - least < 100);
    play(w, "series s 0");
    system_run_fast(w, 60000);
    assert_int_equal(world_system(w, SYSTEM_KAFKA).unread, 0);
    play_holds(w);
    world_free(w);
}

/* Any sequence of groups: every open partition has a member that is there, shares differ by one at
 * most, and, sticky, no more changes hands than has to. */
static void shares_are_fair_whoever_comes_and_goes(void **state)
{
    (void)state;
    struct world *w = system_world("system kafka on 11 3");
    struct prng prng = prng_seeded(5, "groups");
    uint8_t before[11];
    play(w, "system kafka set reader 100");
    play(w, "system kafka set rebalance cooperative");
    for (int round = 0; round < 60; round++) {
        uint32_t members = 1 + (uint32_t)prng_below(&prng, SYSTEM_MEMBERS_MAX);
        uint32_t had[SYSTEM_MEMBERS_MAX] = {0};
        uint32_t each[SYSTEM_MEMBERS_MAX] = {0};
        char words[40];
        for (uint32_t i = 0; i < 11; i++) {
            before[i] = reader_of(w, i);
            had[before[i] % SYSTEM_MEMBERS_MAX] += before[i] < members;
        }
        (void)snprintf(words, sizeof words, "system kafka set members %u", (unsigned)members);
        play(w, words);
        uint32_t changed = 0;
        for (uint32_t i = 0; i < 11; i++) {
            assert_true(reader_of(w, i) < members);
            each[reader_of(w, i)]++;
            changed += reader_of(w, i) != before[i];
        }
        uint32_t kept = 0;
        uint32_t extra = 11 % members;
        for (uint32_t m = 0; m < members; m++) {
            uint32_t fair = 11 / members;
            assert_in_range(each[m], fair, fair + 1);
            bool one_more = had[m] > fair && extra > 0;
            kept += had[m] < fair ? had[m] : fair + one_more;
            extra -= one_more;
        }
        assert_int_equal(changed, 11 - kept);
    }
    world_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_reader_reads_its_rate_of_each_shard),
        cmocka_unit_test(what_a_full_ring_pushes_out_is_skipped),
        cmocka_unit_test(a_child_read_beside_its_parent_is_out_of_order),
        cmocka_unit_test(parents_first_keeps_the_order),
        cmocka_unit_test(a_new_rule_is_told_anew),
        cmocka_unit_test(disorder_is_counted_exactly),
        cmocka_unit_test(an_eager_rebalance_stops_everybody),
        cmocka_unit_test(a_cooperative_one_stops_what_changes_hands),
        cmocka_unit_test(more_members_than_partitions_have_nothing_to_do),
        cmocka_unit_test(a_member_shares_its_rate_over_its_partitions),
        cmocka_unit_test(shares_are_fair_whoever_comes_and_goes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
