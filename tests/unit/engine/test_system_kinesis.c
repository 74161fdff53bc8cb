/*
 * Kinesis as a model: what a shard takes and gives, lineage, UpdateShardCount and its limits,
 * packing; each documented limit by itself.
 */
#include "system_play.h"

#include "base/prng.h"

#define KINESIS SYSTEM_KINESIS

static struct system_info stream(const struct world *w)
{
    return world_system(w, KINESIS);
}

/* --- limits --- */

static void a_shard_takes_a_thousand_records_a_second(void **state)
{
    (void)state;
    struct world *w = system_world("system kinesis on 1");
    system_likes(w, 9, 2400);
    system_run_fast(w, 3500);
    struct part_info shard = system_part(w, KINESIS, 0);
    assert_int_equal(shard.second.asked[0], 2400);
    assert_int_equal(shard.second.ok[0], 1000);
    assert_int_equal(shard.second.throttled, 1400);
    assert_int_equal(shard.limit[0], 1000);
    assert_int_equal(stream(w).second.asked[1], 0); /* a stream takes no reads */
    play_holds(w);
    world_free(w);
}

/* 1 MB a second: 250 records of 4,000 bytes, one of a megabyte. */
static void a_shard_takes_a_megabyte_a_second(void **state)
{
    (void)state;
    static const struct {
        const char *series;
        uint64_t taken;
    } sizes[] = {{"series s 3000 bytes 1000", 1000},
                 {"series s 3000 bytes 4000", 250},
                 {"series s 500 bytes 4000", 250},
                 {"series s 200 bytes 4000", 200},
                 {"series s 30 bytes 1000000", 1}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct world *w = system_world("system kinesis on 1");
        play(w, sizes[i].series);
        system_run_fast(w, 4500);
        assert_int_equal(stream(w).second.ok[0], sizes[i].taken);
        assert_int_equal(stream(w).second.ok[0] + stream(w).second.throttled,
                         stream(w).second.asked[0]);
        play_holds(w);
        world_free(w);
    }
}

/* 2 MB a second in five calls of 400,000 bytes, shared: faster readers get no more. */
static void a_shard_gives_two_megabytes_a_second_in_five_calls(void **state)
{
    (void)state;
    struct world *w = system_world("system kinesis on 1");
    play(w, "series s 1000 bytes 1000");
    system_run_fast(w, 4000);
    play(w, "series s 0");
    play(w, "system kinesis set reader 100000");
    uint64_t before = stream(w).read;
    system_run_fast(w, 1000);
    assert_int_equal(stream(w).read - before, 2000);
    play_holds(w);
    world_free(w);
}

/* --- a split never helps one key --- */

static void p9_alone_is_more_than_a_shard_however_often_it_is_split(void **state)
{
    (void)state;
    struct world *w = system_world("system kinesis on 4");
    struct trace_record r;
    system_evening(w);
    system_run_fast(w, 2500);
    assert_int_equal(stream(w).second.throttled, 2650 - 1000);
    assert_true(system_told(w, KINESIS, REASON_SYSTEMS_NO_SPLIT, &r) > 0);
    assert_int_equal(r.operand[0], NO_SPLIT_HAND);
    for (int i = 0; i < 4; i++) {
        char words[40];
        (void)snprintf(words, sizeof words, "system kinesis cut %u",
                       (unsigned)system_part_of(w, KINESIS, "p9").number);
        play(w, words);
        system_run_fast(w, 2500);
        struct part_info shard = system_part_of(w, KINESIS, "p9");
        assert_true(shard.second.asked[0] >= 2400);
        assert_int_equal(shard.second.ok[0], 1000);
        system_covered(w, KINESIS);
        play_holds(w);
    }
    assert_int_equal(system_part_of(w, KINESIS, "p9").second.asked[0], 2400); /* alone at last */
    assert_int_equal(stream(w).parts, 8);
    assert_int_equal(stream(w).closed, 4);
    world_free(w);
}

static void nothing_is_split_by_itself(void **state)
{
    (void)state;
    struct world *w = system_world("system kinesis on 4");
    system_likes(w, 9, 2400);
    system_run_fast(w, 200000);
    assert_int_equal(stream(w).splits, 0);
    assert_int_equal(stream(w).parts, 4);
    world_free(w);
}

/* --- lineage --- */

static void a_split_closes_the_parent_and_opens_two_children(void **state)
{
    (void)state;
    struct world *w = system_world("system kinesis on 2");
    system_evening(w);
    system_run_fast(w, 1000);
    uint64_t records = system_part(w, KINESIS, 1).records;
    assert_true(records > 0);
    play(w, "system kinesis cut 1");
    struct part_info parent = system_part(w, KINESIS, 1);
    struct part_info low = system_part(w, KINESIS, 2);
    struct part_info high = system_part(w, KINESIS, 3);
    assert_int_equal(parent.state, PART_CLOSED);
    assert_int_equal(parent.child[0], 2);
    assert_int_equal(parent.child[1], 3);
    assert_int_equal(low.parent[0], 1);
    assert_int_equal(high.parent[0], 1);
    assert_int_equal(high.parent[1], NO_PART);
    assert_int_equal(u128_order(low.first, parent.first), 0);
    assert_int_equal(u128_order(high.last, parent.last), 0);
    assert_int_equal(high.first.high, UINT64_C(3) << 62);
    system_run_fast(w, 1000);
    assert_int_equal(system_part(w, KINESIS, 1).records, records); /* it keeps what it has */
    assert_true(system_part(w, KINESIS, 2).records > 0);
    play_holds(w);
    world_free(w);
}

static void a_merge_closes_two_neighbours_for_one(void **state)
{
    (void)state;
    struct world *w = system_world("system kinesis on 4");
    struct command c;
    struct err err = {{0}};
    assert_true(command_parse("system kinesis join 0 2", &c, &err));
    assert_false(world_apply(w, &c, &err)); /* no neighbours */
    play(w, "system kinesis join 2 1");
    struct part_info child = system_part(w, KINESIS, 4);
    assert_int_equal(system_part(w, KINESIS, 1).state, PART_CLOSED);
    assert_int_equal(system_part(w, KINESIS, 2).state, PART_CLOSED);
    assert_int_equal(child.parent[0] + child.parent[1], 1 + 2);
    assert_int_equal(child.first.high, UINT64_C(1) << 62);
    assert_int_equal(stream(w).parts, 3);
    assert_int_equal(stream(w).joins, 1);
    system_covered(w, KINESIS);
    world_free(w);
}

static void a_shard_is_cut_at_the_hash_key_of_a_key(void **state)
{
    (void)state;
    struct world *w = system_world("system kinesis on 4");
    play(w, "system kinesis cut 3 p9");
    struct part_info shard = system_part_of(w, KINESIS, "p9");
    assert_int_equal(u128_order(shard.first, kinesis_hash_key(bytes_of("p9"))), 0);
    play_refused(
        w, "system kinesis cut 5 p9",
        "Kinesis: shard 5 cannot be cut at p9, whose hash key is not inside its range; name "
        "a key of this shard, or none to cut in the middle");
    play_refused(
        w, "system kinesis cut 0 p9",
        "Kinesis: shard 0 cannot be cut at p9, whose hash key is not inside its range; name "
        "a key of this shard, or none to cut in the middle");
    world_free(w);
}

static void a_closed_shard_expires_after_a_day(void **state)
{
    (void)state;
    struct world *w = system_world("system kinesis on 4");
    system_likes(w, 9, 100);
    system_run_fast(w, 1000);
    system_likes(w, 9, 0);
    uint16_t parent = system_part_of(w, KINESIS, "p9").number;
    play(w, "system kinesis parts 8");
    system_run_fast(w, 24 * 3600000 - 1);
    assert_int_equal(system_part(w, KINESIS, parent).state, PART_CLOSED);
    assert_int_equal(system_part(w, KINESIS, parent).unread, 100);
    assert_int_equal(stream(w).skipped, 0);
    system_run_fast(w, 2);
    assert_int_equal(system_part(w, KINESIS, parent).state, PART_EXPIRED);
    assert_int_equal(stream(w).expired, 4);
    assert_int_equal(stream(w).skipped, 100); /* gone before anybody read them */
    assert_int_equal(stream(w).unread, 0);
    system_covered(w, KINESIS);
    play_holds(w);
    world_free(w);
}

/* --- UpdateShardCount --- */

static void one_call_doubles_or_halves_at_most(void **state)
{
    (void)state;
    struct world *w = system_world("system kinesis on 4");
    play_refused(w, "system kinesis parts 9",
                 "Kinesis: one UpdateShardCount reaches at most double and at least half the open "
                 "shards: from 4 to 2 to 8; go on in a second call");
    play_refused(w, "system kinesis parts 1",
                 "Kinesis: one UpdateShardCount reaches at most double and at least half the open "
                 "shards: from 4 to 2 to 8; go on in a second call");
    play_refused(w, "system kinesis parts 4", "Kinesis: the stream has 4 open shards already");
    play(w, "system kinesis parts 8");
    assert_int_equal(stream(w).parts, 8);
    assert_int_equal(stream(w).closed, 4);
    for (uint32_t i = 0; i < world_system_parts(w, KINESIS); i++) {
        struct part_info shard = world_system_part(w, KINESIS, i);
        assert_true(shard.state != PART_OPEN || shard.parent[0] < 4);
    }
    world_free(w);
}

static void ten_calls_in_a_day(void **state)
{
    (void)state;
    struct world *w = system_world("system kinesis on 2");
    for (int call = 0; call < 10; call++) {
        play(w, call % 2 == 0 ? "system kinesis parts 1" : "system kinesis parts 2");
        system_run_fast(w, 3600000);
    }
    play_refused(w, "system kinesis parts 1",
                 "Kinesis: UpdateShardCount was called 10 times in the last 24 hours, which is all "
                 "there is; use cut and join");
    system_run_fast(w, 14 * 3600000 - 1000);
    play_refused(w, "system kinesis parts 1",
                 "Kinesis: UpdateShardCount was called 10 times in the last 24 hours, which is all "
                 "there is; use cut and join");
    system_run_fast(w, 1000); /* the first of them is a day ago */
    play(w, "system kinesis parts 1");
    play_refused(w, "system kinesis parts 2",
                 "Kinesis: UpdateShardCount was called 10 times in the last 24 hours, which is all "
                 "there is; use cut and join");
    world_free(w);
}

/* Even ranges, whatever the counts are, by splits and merges of what there is. */
static void any_count_comes_out_even(void **state)
{
    (void)state;
    for (uint32_t from = 1; from <= 10; from++) {
        for (uint32_t to = (from + 1) / 2; to <= 2 * from && to <= 12; to++) {
            char on[40];
            char parts[40];
            struct kinesis_range even[SYSTEM_PARTS_MAX];
            (void)snprintf(on, sizeof on, "system kinesis on %u", from);
            (void)snprintf(parts, sizeof parts, "system kinesis parts %u", to);
            struct world *w = system_world(on);
            struct command c;
            struct err err = {{0}};
            assert_true(command_parse(parts, &c, &err));
            if (to == from || !world_apply(w, &c, &err)) {
                assert_true(to == from || strstr(err.text, "has room for") != NULL);
                world_free(w);
                continue;
            }
            kinesis_deal(even, to);
            uint32_t open = 0;
            for (uint32_t i = 0; i < world_system_parts(w, KINESIS); i++) {
                struct part_info shard = world_system_part(w, KINESIS, i);
                if (shard.state == PART_OPEN) {
                    assert_true(open < to);
                    assert_int_equal(u128_order(shard.first, even[open++].first), 0);
                }
            }
            assert_int_equal(open, to);
            system_covered(w, KINESIS);
            play_holds(w);
            world_free(w);
        }
    }
}

static void the_table_of_shards_can_be_full(void **state)
{
    (void)state;
    struct world *w = system_world("system kinesis on 8");
    play(w, "system kinesis parts 16");
    play_refused(w, "system kinesis parts 32",
                 "Kinesis: this makes 32 shards, and the model has room for 8 more; closed shards "
                 "count until they expire");
    for (int i = 0; i < 4; i++) {
        char words[40];
        (void)snprintf(words, sizeof words, "system kinesis cut %d", 8 + i);
        play(w, words);
    }
    play_refused(w, "system kinesis cut 20",
                 "Kinesis: this makes 2 shards, and the model has room for 0 more; closed shards "
                 "count until they expire");
    play_refused(w, "system kinesis join 20 21",
                 "Kinesis: this makes 1 shards, and the model has room for 0 more; closed shards "
                 "count until they expire");
    system_run_fast(w, 25 * 3600000);
    play(w, "system kinesis cut 20");
    system_covered(w, KINESIS);
    play_holds(w);
    world_free(w);
}

static void what_kinesis_does_not_know_is_said(void **state)
{
    (void)state;
    struct world *w = system_world("system kinesis on 4");
    struct command c;
    static const char *const never[] = {"system kinesis grow", "system kinesis move 0 1",
                                        "system kinesis balance", "system kinesis cut 7",
                                        "system kinesis join 1 1"};
    for (size_t i = 0; i < sizeof never / sizeof *never; i++) {
        struct err err = {{0}};
        assert_true(command_parse(never[i], &c, &err));
        struct digest before = world_digest(w);
        assert_false(world_apply(w, &c, &err));
        assert_true(strlen(err.text) > 0);
        assert_true(digest_equal(before, world_digest(w)));
    }
    world_free(w);
}

/* --- packing --- */

static void nine_likes_in_a_record_are_a_ninth_and_spread(void **state)
{
    (void)state;
    struct world *w = system_world("system kinesis on 4");
    system_evening(w);
    play(w, "system kinesis set pack 9");
    system_run_fast(w, 4500);
    assert_int_equal(stream(w).second.asked[0], 3150 / 9);
    assert_int_equal(stream(w).second.ok[0], 3150 / 9);
    for (uint32_t i = 0; i < 4; i++) { /* the packet's key, not the post's */
        struct part_info shard = system_part(w, KINESIS, i);
        assert_in_range(shard.second.asked[0], 50, 130);
    }
    for (uint32_t i = 0; i < world_system_keys(w, KINESIS); i++) {
        assert_int_equal(world_system_key(w, KINESIS, i).second.asked[0], 0);
    }
    play(w, "system kinesis set pack 1");
    system_run_fast(w, 2500);
    assert_int_equal(stream(w).second.asked[0], 3150);
    play_holds(w);
    world_free(w);
}

/* A packet has the bytes of all that is in it. */
static void packing_does_not_help_against_the_megabyte(void **state)
{
    (void)state;
    struct world *w = system_world("system kinesis on 1");
    play(w, "system kinesis set pack 10");
    play(w, "series s 2000 bytes 1000");
    system_run_fast(w, 4500);
    assert_int_equal(stream(w).second.asked[0], 200);
    assert_int_equal(stream(w).second.ok[0], 100);
    play_holds(w);
    world_free(w);
}

/* --- three zones --- */

static void a_record_that_was_acknowledged_survives_the_loss_of_a_zone(void **state)
{
    (void)state;
    struct world *w = system_world("system kinesis on 4");
    system_evening(w);
    system_run_fast(w, 2300);
    for (int zone = 0; zone < 3; zone++) {
        char words[40];
        (void)snprintf(words, sizeof words, "system kinesis down %d", zone);
        play(w, words);
        system_run_fast(w, 3100);
        (void)snprintf(words, sizeof words, "system kinesis up %d", zone);
        play(w, words);
        system_run_fast(w, 3100);
        play_holds(w);
    }
    assert_int_equal(stream(w).lost, 0);
    assert_true(stream(w).leaders > 0);
    assert_true(stream(w).sum.away > 0);
    world_free(w);
}

/* --- anything --- */

static void random_command(struct prng *prng, char *words, size_t size)
{
    unsigned a = (unsigned)prng_below(prng, 24);
    unsigned b = (unsigned)prng_below(prng, 24);
    switch (prng_below(prng, 7)) {
    case 0:
        (void)snprintf(words, size, "system kinesis parts %u", 1 + a / 2);
        return;
    case 1:
        (void)snprintf(words, size, "system kinesis cut %u", a);
        return;
    case 2:
        (void)snprintf(words, size, "system kinesis cut %u p%u", a, 1 + b % 16);
        return;
    case 3:
        (void)snprintf(words, size, "system kinesis join %u %u", a, b);
        return;
    case 4:
        (void)snprintf(words, size, "system kinesis %s %u", b % 2 == 0 ? "down" : "up", a % 3);
        return;
    case 5:
        (void)snprintf(words, size, "system kinesis set reader %u", 40 * a);
        return;
    default:
        (void)snprintf(words, size, "system kinesis set pack %u", 1 + a % 3);
        return;
    }
}

/* Whatever is asked for in whatever order: positions are covered once, every record is read, unread
 * or skipped, and with parents first none is read
 * out of order. */
static void whatever_is_asked_for_ranges_stay_whole_and_order_is_kept(void **state)
{
    (void)state;
    uint32_t done = 0;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        struct world *w = system_world("system kinesis on 3");
        struct prng prng = prng_seeded(seed, "kinesis");
        system_evening(w);
        for (int i = 0; i < 80; i++) {
            char words[64];
            struct command c;
            struct err err = {{0}};
            random_command(&prng, words, sizeof words);
            assert_true(command_parse(words, &c, &err));
            struct digest before = world_digest(w);
            if (world_apply(w, &c, &err)) {
                done++;
            } else {
                assert_true(digest_equal(before, world_digest(w)));
            }
            system_run(w, 150);
            system_covered(w, KINESIS);
        }
        assert_int_equal(stream(w).disorder, 0);
        world_free(w);
    }
    assert_true(done > 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_shard_takes_a_thousand_records_a_second),
        cmocka_unit_test(a_shard_takes_a_megabyte_a_second),
        cmocka_unit_test(a_shard_gives_two_megabytes_a_second_in_five_calls),
        cmocka_unit_test(p9_alone_is_more_than_a_shard_however_often_it_is_split),
        cmocka_unit_test(nothing_is_split_by_itself),
        cmocka_unit_test(a_split_closes_the_parent_and_opens_two_children),
        cmocka_unit_test(a_merge_closes_two_neighbours_for_one),
        cmocka_unit_test(a_shard_is_cut_at_the_hash_key_of_a_key),
        cmocka_unit_test(a_closed_shard_expires_after_a_day),
        cmocka_unit_test(one_call_doubles_or_halves_at_most),
        cmocka_unit_test(ten_calls_in_a_day),
        cmocka_unit_test(any_count_comes_out_even),
        cmocka_unit_test(the_table_of_shards_can_be_full),
        cmocka_unit_test(what_kinesis_does_not_know_is_said),
        cmocka_unit_test(nine_likes_in_a_record_are_a_ninth_and_spread),
        cmocka_unit_test(packing_does_not_help_against_the_megabyte),
        cmocka_unit_test(a_record_that_was_acknowledged_survives_the_loss_of_a_zone),
        cmocka_unit_test(whatever_is_asked_for_ranges_stay_whole_and_order_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
