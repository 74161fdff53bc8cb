/* kinesis: hash keys and shards that public tests name, splits and merges. */
#include "place/kinesis.h"

#include "base/prng.h"
#include "pinned.h"
#include "vectors.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define OPEN_MAX 8
#define LAST "340282366920938463463374607431768211455"

static struct u128 number(const char *text)
{
    struct u128 value = {0, 0};
    struct err err;
    if (!u128_parse(text, &value, &err)) {
        fail_msg("%s", err.text);
    }
    return value;
}

/* Open shards in the vectors' way of writing them: "range:0-9=2;10-19=3;...". */
struct stream {
    struct kinesis_range range[OPEN_MAX];
    size_t ranges;
};

/* A row that says "2/3 as above" writes out the shards behind those two only: their parent, shard
 * 1, is closed. */
static void read_ranges(struct stream *stream, const char *text)
{
    bool goes_on = strstr(text, "2/3 as above") != NULL;
    assert_true(!goes_on || (stream->range[0].shard == 2 && stream->range[1].shard == 3));
    stream->ranges = goes_on ? 2 : 0;
    char *copy = xstrdup(text + strlen("range:"));
    for (char *at = strtok(copy, ";"); at != NULL; at = strtok(NULL, ";")) {
        char first[64];
        unsigned shard = 0;
        if (sscanf(at, "%63[0-9]-%*[0-9]=%u", first, &shard) == 2) {
            assert_true(stream->ranges < OPEN_MAX);
            stream->range[stream->ranges++] = (struct kinesis_range){number(first), shard};
        }
    }
    free(copy);
}

static void check_row(const struct vectors *v, struct stream *stream)
{
    struct u128 hash_key = number(v->fields[2]);
    uint32_t shards = (uint32_t)atoi(v->fields[3]);
    if (str_starts(v->fields[0], "range:")) {
        read_ranges(stream, v->fields[0]);
        assert_int_equal(stream->ranges, shards);
    } else {
        kinesis_deal(stream->range, shards);
        stream->ranges = shards;
    }
    size_t found = kinesis_find(stream->range, stream->ranges, hash_key);
    assert_int_equal(stream->range[found].shard, atoi(v->fields[4]));
    if (strcmp(v->fields[0], "key") == 0) {
        struct layout *layout = pinned_layout(&scheme_kinesis, shards);
        struct u128 own = kinesis_hash_key(bytes_of(v->fields[1]));
        assert_string_equal(u128_decimal(own).text, v->fields[2]);
        assert_int_equal(layout_owner(layout, bytes_of(v->fields[1])), atoi(v->fields[4]));
        layout_free(layout);
    }
}

static void shards_agree_with_published_ones(void **state)
{
    (void)state;
    struct vectors v;
    struct stream stream = {.ranges = 0};
    size_t rows = 0;
    assert_true(vectors_open(&v, "vectors/kinesis_md5.tsv"));
    for (; vectors_next_row(&v); rows++) {
        check_row(&v, &stream);
    }
    vectors_close(&v);
    assert_int_equal(rows, 11);
}

static void numbers_of_128_bits_are_read_and_said(void **state)
{
    (void)state;
    struct err err;
    struct u128 value;
    assert_string_equal(u128_decimal(number("0")).text, "0");
    assert_string_equal(u128_decimal(number(LAST)).text, LAST);
    assert_int_equal(number(LAST).high, UINT64_MAX);
    assert_int_equal(number("18446744073709551616").high, 1);
    assert_int_equal(number("18446744073709551616").low, 0);
    assert_true(u128_order(number("9"), number("18446744073709551616")) < 0);
    assert_true(u128_order(number(LAST), number("0")) > 0);
    assert_int_equal(u128_order(number("77"), number("0077")), 0);
    static const char *const wrong[] = {"",
                                        "-1",
                                        "1.5",
                                        " 1",
                                        "12x",
                                        "340282366920938463463374607431768211456",
                                        "3402823669209384634633746074317682114550"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_false(u128_parse(wrong[i], &value, &err));
        assert_non_null(strstr(err.text, "whole number from 0 to 2^128 - 1"));
    }
}

/* The running example's post: shard 6 of eight, whose parent among four is 3. */
static void doubling_halves_every_shard(void **state)
{
    (void)state;
    struct layout *four = pinned_layout(&scheme_kinesis, 4);
    struct layout *eight = pinned_layout(&scheme_kinesis, 8);
    assert_int_equal(layout_owner(four, bytes_of("p9")), 3);
    assert_int_equal(layout_owner(eight, bytes_of("p9")), 6);
    for (int i = 0; i < 4; i++) {
        assert_true(layout_add(four, NULL));
    }
    size_t ranges = 0;
    size_t as_many = 0;
    const struct kinesis_range *split = layout_kinesis(four, &ranges);
    const struct kinesis_range *dealt = layout_kinesis(eight, &as_many);
    assert_int_equal(ranges, as_many);
    for (size_t i = 0; i < ranges; i++) {
        assert_int_equal(u128_order(split[i].first, dealt[i].first), 0);
        assert_int_equal(split[i].shard, i % 2 == 0 ? i / 2 : 4 + i / 2);
    }
    layout_free(eight);
    layout_free(four);
}

/* The producer library's closed parent again, by hand: the upper of two shards is cut. */
static void a_shard_is_cut_where_one_says(void **state)
{
    (void)state;
    struct layout *layout = pinned_layout(&scheme_kinesis, 2);
    struct err err;
    struct u128 at = number("270141183460469231731687303715884105728");
    assert_true(layout_kinesis_split(layout, at, &err));
    assert_int_equal(layout_shards(layout), 3);
    size_t ranges = 0;
    const struct kinesis_range *range = layout_kinesis(layout, &ranges);
    assert_int_equal(ranges, 3);
    assert_int_equal(range[2].shard, 2);
    assert_int_equal(u128_order(range[2].first, at), 0);
    assert_int_equal(range[kinesis_find(range, 3, number(LAST))].shard, 2);
    assert_int_equal(range[kinesis_find(range, 3, (struct u128){at.high, at.low - 1})].shard, 1);
    assert_false(layout_kinesis_split(layout, at, &err));
    assert_non_null(strstr(err.text, "shard 2 begins there already"));
    assert_int_equal(layout_shards(layout), 3);
    assert_true(layout_add(layout, NULL)); /* the next one cuts the widest again: shard 0 */
    range = layout_kinesis(layout, &ranges);
    assert_int_equal(range[1].shard, 3);
    assert_int_equal(range[1].first.high, UINT64_C(1) << 62);
    layout_free(layout);
}

static void a_shard_that_leaves_is_merged(void **state)
{
    (void)state;
    struct layout *layout = pinned_layout(&scheme_kinesis, 4);
    assert_true(layout_remove(layout, 2, NULL)); /* below: shard 1 */
    size_t ranges = 0;
    const struct kinesis_range *range = layout_kinesis(layout, &ranges);
    assert_int_equal(ranges, 3);
    assert_int_equal(range[1].shard, 1);
    assert_int_equal(range[2].first.high, UINT64_C(3) << 62);
    assert_int_equal(layout_shard_id(layout, range[2].shard), 3);
    assert_true(layout_remove(layout, 0, NULL)); /* none below: shard 1 begins at 0 */
    range = layout_kinesis(layout, &ranges);
    assert_int_equal(ranges, 2);
    assert_int_equal(u128_order(range[0].first, number("0")), 0);
    assert_int_equal(layout_shard_id(layout, range[0].shard), 1);
    layout_free(layout);
}

/* The scheme's 64 bits and all 128 agree, whichever cuts there are. */
static void a_layout_follows_the_hash_key(void **state)
{
    (void)state;
    struct prng random = prng_seeded(1, "kinesis");
    struct layout *layout = pinned_layout(&scheme_kinesis, 3);
    for (int turn = 0; turn < 40; turn++) {
        uint32_t shards = layout_shards(layout);
        struct u128 at = {prng_next(&random), prng_next(&random)};
        uint32_t id = layout_shard_id(layout, (uint32_t)prng_below(&random, shards));
        bool done = turn % 4 == 0   ? layout_remove(layout, id, NULL)
                    : turn % 4 == 1 ? layout_add(layout, NULL)
                                    : layout_kinesis_split(layout, at, NULL);
        assert_true(done);
        size_t ranges = 0;
        const struct kinesis_range *range = layout_kinesis(layout, &ranges);
        assert_int_equal(ranges, layout_shards(layout));
        for (int i = 0; i < 200; i++) {
            char key[24];
            (void)snprintf(key, sizeof key, "k%d", i);
            struct u128 hash_key = kinesis_hash_key(bytes_of(key));
            uint32_t index = range[kinesis_find(range, ranges, hash_key)].shard;
            assert_int_equal(layout_owner(layout, bytes_of(key)), layout_shard_id(layout, index));
        }
    }
    layout_free(layout);
}

/* Another hash counts by its highest bits, so that a short one is spread as well. */
static void short_hashes_reach_every_shard(void **state)
{
    (void)state;
    struct layout_params params = layout_defaults(&scheme_kinesis);
    params.hash = HASH_CRC16;
    struct layout *layout = layout_new(&scheme_kinesis, &params, 4, NULL);
    assert_int_equal(layout_owner_of_hash(layout, 0x3FFF), 0);
    assert_int_equal(layout_owner_of_hash(layout, 0x4000), 1);
    assert_int_equal(layout_owner_of_hash(layout, 0xFFFF), 3);
    layout_free(layout);
    layout = pinned_layout(&scheme_mod_n, 2);
    size_t ranges = 1;
    assert_null(layout_kinesis(layout, &ranges));
    assert_int_equal(ranges, 0);
    layout_free(layout);
}

static void one_hash_key_has_no_middle(void **state)
{
    (void)state;
    const struct kinesis_range range[] = {{number("0"), 0}, {number("1"), 1}, {number(LAST), 2}};
    struct u128 middle;
    assert_false(kinesis_middle(range, 3, 0, &middle));
    assert_false(kinesis_middle(range, 3, 2, &middle));
    assert_true(kinesis_middle(range, 1, 0, &middle));
    assert_string_equal(u128_decimal(middle).text, "170141183460469231731687303715884105728");
    assert_true(kinesis_middle(range, 2, 1, &middle));
    assert_string_equal(u128_decimal(middle).text, "170141183460469231731687303715884105729");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shards_agree_with_published_ones),
        cmocka_unit_test(numbers_of_128_bits_are_read_and_said),
        cmocka_unit_test(doubling_halves_every_shard),
        cmocka_unit_test(a_shard_is_cut_where_one_says),
        cmocka_unit_test(a_shard_that_leaves_is_merged),
        cmocka_unit_test(a_layout_follows_the_hash_key),
        cmocka_unit_test(short_hashes_reach_every_shard),
        cmocka_unit_test(one_hash_key_has_no_middle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
