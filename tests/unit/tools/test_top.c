/*
 * What top promises: its bounds hold for every stream, heavy keys are never missed, and the ten
 * hottest of a million keys come out in order. And what tally promises: exact counts while there is
 * room.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/prng.h"
#include "tools/tally.h"
#include "tools/top.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static uint32_t add(struct top *top, struct bytes key)
{
    bool fresh = false;
    return top_add(top, key, mark_of(key), &fresh);
}

static struct bytes name_of(char out[32], uint64_t number)
{
    int length = snprintf(out, 32, "key:%llu", (unsigned long long)number);
    return (struct bytes){out, (size_t)length};
}

static uint64_t number_of(struct bytes name)
{
    uint64_t number = 0;
    for (size_t i = 4; i < name.length; i++) {
        number = number * 10 + (uint64_t)(name.at[i] - '0');
    }
    return number;
}

/* Random streams of random shape, held against exact counts after every part of them. */
static void test_the_bounds_hold_for_every_stream(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        struct prng prng = prng_seeded(seed, "top");
        uint32_t cells = 1 + (uint32_t)prng_below(&prng, 20);
        uint64_t keys = 1 + prng_below(&prng, 60);
        uint64_t true_count[64] = {0};
        struct top *top = top_new(cells);
        struct top_entry entry[32];
        uint64_t total = 0;
        for (int part = 0; part < 10; part++) {
            for (int i = 0; i < 100; i++, total++) {
                char text[32];
                uint64_t key = prng_below(&prng, 1 + prng_below(&prng, keys));
                true_count[key]++;
                (void)add(top, name_of(text, key));
            }
            size_t found = top_list(top, entry, 32);
            bool listed[64] = {false};
            uint64_t sum = 0;
            for (size_t i = 0; i < found; i++) {
                uint64_t key = number_of(entry[i].key);
                listed[key] = true;
                sum += entry[i].count;
                assert_true(entry[i].count >= true_count[key]);
                assert_true(entry[i].count - entry[i].error <= true_count[key]);
                assert_true(entry[i].error <= total / cells);
                assert_true(i == 0 || entry[i - 1].count >= entry[i].count);
                char text[32];
                struct bytes name = name_of(text, key);
                assert_int_equal(top_find(top, name, mark_of(name)), entry[i].cell);
            }
            assert_int_equal(sum, total); /* every request is in exactly one count */
            for (uint64_t key = 0; key < 64; key++) {
                assert_true(listed[key] || true_count[key] <= top_floor(top));
            }
        }
        top_free(top);
    }
}

static void test_a_cell_says_when_it_changes_hands(void **state)
{
    (void)state;
    struct top *top = top_new(1);
    bool fresh = false;
    struct bytes a = bytes_of("a");
    struct bytes b = bytes_of("b");
    assert_int_equal(top_add(top, a, mark_of(a), &fresh), 0);
    assert_true(fresh);
    assert_int_equal(top_add(top, a, mark_of(a), &fresh), 0);
    assert_false(fresh);
    assert_int_equal(top_add(top, b, mark_of(b), &fresh), 0);
    assert_true(fresh);
    assert_int_equal(top_find(top, a, mark_of(a)), UINT32_MAX);
    struct top_entry entry;
    assert_int_equal(top_list(top, &entry, 1), 1);
    assert_int_equal(entry.count, 3);
    assert_int_equal(entry.error, 2);
    top_free(top);
}

/* A million keys, exponent 1.1: rank r with a chance of 1/r^1.1. */
static void test_ten_of_ten_are_recalled_from_a_million_keys(void **state)
{
    (void)state;
    enum {
        KEYS = 1000000,
        REQUESTS = 1000000
    };
    double *below = xcalloc(KEYS, sizeof *below);
    double sum = 0;
    for (size_t i = 0; i < KEYS; i++) {
        sum += pow((double)i + 1, -1.1);
        below[i] = sum;
    }
    for (uint64_t seed = 1; seed <= 3; seed++) {
        struct prng prng = prng_seeded(seed, "zipf");
        struct top *top = top_new(1024);
        uint64_t true_count[100] = {0};
        for (size_t i = 0; i < REQUESTS; i++) {
            double draw = (double)(prng_next(&prng) >> 11) / 9007199254740992.0 * sum;
            size_t low = 0;
            size_t high = KEYS - 1;
            while (low < high) {
                size_t middle = (low + high) / 2;
                if (below[middle] > draw) {
                    high = middle;
                } else {
                    low = middle + 1;
                }
            }
            char text[32];
            true_count[low < 100 ? low : 99]++;
            (void)add(top, name_of(text, low));
        }
        struct top_entry entry[10];
        assert_int_equal(top_list(top, entry, 10), 10);
        for (size_t i = 0; i < 10; i++) {
            uint64_t key = number_of(entry[i].key);
            assert_true(key < 10);
            assert_true(entry[i].count - entry[i].error <= true_count[key]);
            assert_true(entry[i].count >= true_count[key]);
        }
        top_free(top);
    }
    free(below);
}

static void test_keys_are_bytes_of_any_length(void **state)
{
    (void)state;
    struct top *top = top_new(8);
    char *long_key = xmalloc(100000);
    memset(long_key, 'x', 100000);
    struct bytes keys[] = {
        {"", 0},     {"\0", 1},          {"\0\0", 2},       {"a\0b", 3},
        {"a\0c", 3}, {long_key, 100000}, {long_key, 99999}, {long_key, 4096},
    };
    for (int round = 0; round < 3; round++) {
        for (size_t i = 0; i < 8; i++) {
            assert_int_equal(add(top, keys[i]), i);
        }
    }
    long_key[99999] = 'y'; /* beyond what is kept: its mark is another */
    assert_int_equal(top_find(top, keys[5], mark_of(keys[5])), UINT32_MAX);
    struct top_entry entry[8];
    assert_int_equal(top_list(top, entry, 8), 8);
    for (size_t i = 0; i < 8; i++) {
        assert_int_equal(entry[i].count, 3);
        assert_int_equal(entry[i].error, 0);
        assert_true(entry[i].key.length ==
                    (entry[i].length < TOP_KEY_MAX ? entry[i].length : TOP_KEY_MAX));
    }
    free(long_key);
    top_free(top);
}

static void test_marks_tell_short_keys_apart(void **state)
{
    (void)state;
    char text[8];
    for (size_t length = 1; length <= 8; length++) {
        struct bytes key = {text, length};
        memset(text, 'k', sizeof text);
        uint64_t plain = mark_of(key);
        for (size_t i = 0; i < length; i++) {
            text[i] = 'j';
            assert_true(mark_of(key) != plain);
            text[i] = 'k';
        }
        assert_true(mark_of(key) == plain);
    }
}

static void test_a_tally_is_exact_until_it_is_full(void **state)
{
    (void)state;
    struct tally *tally = tally_new(20000, 1000000);
    char text[32];
    for (uint64_t i = 0; i < 60000; i++) {
        struct bytes key = name_of(text, i % 20000);
        assert_int_equal(tally_add(tally, key, mark_of(key)), i % 20000);
    }
    struct bytes one_more = bytes_of("one more");
    assert_int_equal(tally_add(tally, one_more, mark_of(one_more)), TALLY_FULL);
    assert_int_equal(tally_count(tally, one_more, mark_of(one_more)), 0);
    struct bytes old = name_of(text, 7);
    assert_int_equal(tally_add(tally, old, mark_of(old)), 7);
    tally_again(tally, 7);
    struct keyset *keys = tally_keys(tally);
    assert_int_equal(keyset_count(keys), 20000);
    for (size_t i = 0; i < 20000; i++) {
        assert_true(bytes_equal(keyset_key(keys, i), name_of(text, i)));
        assert_int_equal(keyset_load(keys, i), i == 7 ? 5 : 3);
    }
    tally_clear(tally);
    assert_int_equal(tally_add(tally, one_more, mark_of(one_more)), 0);
    assert_int_equal(keyset_count(tally_keys(tally)), 1);
    tally_free(tally);
}

static void test_a_tally_is_full_by_bytes_too_but_always_takes_one_key(void **state)
{
    (void)state;
    struct tally *tally = tally_new(100, 10);
    struct bytes big = bytes_of("more than ten bytes");
    struct bytes small = bytes_of("s");
    assert_int_equal(tally_add(tally, big, mark_of(big)), 0);
    assert_int_equal(tally_add(tally, small, mark_of(small)), TALLY_FULL);
    tally_clear(tally);
    assert_int_equal(tally_add(tally, small, mark_of(small)), 0);
    assert_int_equal(tally_add(tally, big, mark_of(big)), TALLY_FULL);
    tally_free(tally);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_bounds_hold_for_every_stream),
        cmocka_unit_test(test_a_cell_says_when_it_changes_hands),
        cmocka_unit_test(test_ten_of_ten_are_recalled_from_a_million_keys),
        cmocka_unit_test(test_keys_are_bytes_of_any_length),
        cmocka_unit_test(test_marks_tell_short_keys_apart),
        cmocka_unit_test(test_a_tally_is_exact_until_it_is_full),
        cmocka_unit_test(test_a_tally_is_full_by_bytes_too_but_always_takes_one_key),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
