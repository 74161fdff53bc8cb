/* jump: the vectors that open implementations share, and what a removal costs. */
#include "place/jump.h"

#include "base/num.h"
#include "base/prng.h"
#include "pinned.h"
#include "vectors.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static uint64_t number(const char *text)
{
    uint64_t value = 0;
    assert_true(num_parse_u64(text, "number", 0, UINT64_MAX, &value, NULL));
    return value;
}

static void agrees_with_published_answers(void **state)
{
    (void)state;
    struct vectors v;
    size_t rows = 0;
    assert_true(vectors_open(&v, "vectors/jump.tsv"));
    for (; vectors_next_row(&v); rows++) {
        assert_int_equal(jump_bucket(number(v.fields[0]), (uint32_t)number(v.fields[1])),
                         number(v.fields[2]));
    }
    vectors_close(&v);
    assert_int_equal(rows, 55);
}

/* Each count of buckets either leaves a key alone or sends it to the new bucket. */
static void a_key_only_ever_jumps_to_the_new_bucket(void **state)
{
    (void)state;
    struct prng random = prng_seeded(1, "jump");
    for (int i = 0; i < 200; i++) {
        uint64_t hash = prng_next(&random);
        uint32_t bucket = jump_bucket(hash, 1);
        assert_int_equal(bucket, 0);
        for (uint32_t buckets = 2; buckets < 600; buckets++) {
            uint32_t now = jump_bucket(hash, buckets);
            assert_true(now == bucket || now == buckets - 1);
            bucket = now;
        }
    }
}

static void rounds_are_those_of_the_harmonic_number(void **state)
{
    (void)state;
    struct keyset *keys = keyset_synthetic(PINNED_KEYS);
    const uint64_t *hashes = keyset_hashes(keys, HASH_MIX64, false);
    uint64_t all = 0;
    for (size_t i = 0; i < PINNED_KEYS; i++) {
        uint32_t rounds = 0;
        assert_int_equal(jump_bucket_counted(hashes[i], 10, &rounds), jump_bucket(hashes[i], 10));
        assert_in_range(rounds, 1, 10);
        all += rounds;
    }
    assert_int_equal(all, 293299); /* H_10 = 2.929 a key */
    keyset_free(keys);
}

static void many_at_once_are_as_one_by_one(void **state)
{
    (void)state;
    struct prng random = prng_seeded(2, "jump");
    static const uint32_t shards[] = {1, 2, 3, 16, 1000, LAYOUT_SHARDS_MAX};
    for (size_t s = 0; s < sizeof shards / sizeof shards[0]; s++) {
        struct layout *layout = pinned_layout(&scheme_jump, shards[s]);
        for (size_t count = 0; count < 14; count++) {
            uint64_t hash[14];
            uint32_t owner[14];
            for (size_t i = 0; i < count; i++) {
                hash[i] = prng_next(&random);
            }
            layout_owners_of_hashes(layout, hash, count, owner);
            for (size_t i = 0; i < count; i++) {
                assert_int_equal(owner[i], jump_bucket(hash[i], shards[s]));
            }
        }
        layout_free(layout);
    }
}

/* Ten buckets lose the fourth: shifting down moves two keys of three, renaming the last a fifth. */
static void a_hole_is_dear_and_renaming_halves_it(void **state)
{
    (void)state;
    struct keyset *keys = keyset_synthetic(PINNED_KEYS);
    const uint64_t *hashes = keyset_hashes(keys, HASH_MIX64, false);
    struct layout *layout = pinned_layout(&scheme_jump, 10);
    uint32_t *before = pinned_ids(layout, keys);
    assert_true(layout_remove(layout, 3, NULL));
    uint32_t *after = pinned_ids(layout, keys);
    assert_int_equal(pinned_busiest(before, PINNED_KEYS, 10), 10180);
    assert_int_equal(pinned_moves(before, after, PINNED_KEYS, 3).moved, 68883);
    for (size_t i = 0; i < PINNED_KEYS; i++) {
        after[i] = jump_bucket_renamed(hashes[i], 10, 3);
        assert_true(after[i] < 10 && after[i] != 3);
    }
    assert_int_equal(pinned_moves(before, after, PINNED_KEYS, 3).moved, 19141);
    free(before);
    free(after);
    layout_free(layout);
    keyset_free(keys);
}

static void the_last_one_leaves_and_comes_at_the_ideal_price(void **state)
{
    (void)state;
    struct keyset *keys = keyset_synthetic(PINNED_KEYS);
    struct layout *layout = pinned_layout(&scheme_jump, 10);
    uint32_t *before = pinned_ids(layout, keys);
    assert_true(layout_add(layout, NULL));
    uint32_t *after = pinned_ids(layout, keys);
    struct pinned_moves moves = pinned_moves(before, after, PINNED_KEYS, 10);
    assert_int_equal(moves.moved, 9127);
    assert_int_equal(moves.not_to, 0);
    assert_true(layout_remove(layout, 10, NULL));
    uint32_t *back = pinned_ids(layout, keys);
    assert_memory_equal(back, before, PINNED_KEYS * sizeof *back);
    free(back);
    free(after);
    free(before);
    layout_free(layout);
    keyset_free(keys);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_published_answers),
        cmocka_unit_test(a_key_only_ever_jumps_to_the_new_bucket),
        cmocka_unit_test(rounds_are_those_of_the_harmonic_number),
        cmocka_unit_test(many_at_once_are_as_one_by_one),
        cmocka_unit_test(a_hole_is_dear_and_renaming_halves_it),
        cmocka_unit_test(the_last_one_leaves_and_comes_at_the_ideal_price),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
