/*
 * A plan counts the keys that change shard, by the scheme's own rule, for any change of the number
 * of shards.
 */
#include "tools/plan.h"

#include "base/alloc.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#define USERS 100000

static uint64_t *hash_users(const struct plan_scheme *scheme, size_t count)
{
    struct err err;
    struct layout *hasher = layout_new(scheme->scheme, &scheme->params, 1, &err);
    assert_non_null(hasher);
    uint64_t *hashes = xcalloc(count, sizeof *hashes);
    for (size_t i = 0; i < count; i++) {
        char key[32];
        int length = snprintf(key, sizeof key, "user:%zu", i);
        hashes[i] = layout_hash(hasher, (struct bytes){key, (size_t)length});
    }
    layout_free(hasher);
    return hashes;
}

static struct plan_result plan_users(struct plan_scheme scheme, struct plan_change change)
{
    struct err err = {.text = ""};
    struct plan_result result;
    uint64_t *hashes = hash_users(&scheme, USERS);
    bool done = plan_compute(&scheme, &change, hashes, USERS, &result, &err);
    if (!done) {
        print_error("%s\n", err.text);
    }
    assert_true(done);
    free(hashes);
    return result;
}

static void test_the_source_figures_from_four_to_five(void **state)
{
    (void)state;
    const struct plan_change grow = {4, 5, PLAN_NONE_REMOVED};
    struct plan_result r = plan_users(plan_scheme_of(&scheme_mod_n, HASH_FNV1A, 4096), grow);
    assert_int_equal(r.moved, 80028);
    assert_int_equal(r.from_shards, 4);
    plan_result_free(&r);
    r = plan_users(plan_scheme_of(&scheme_slots, HASH_FNV1A, 4096), grow);
    assert_int_equal(r.moved, 20180);
    assert_int_equal(r.from_shards, 4);
    plan_result_free(&r);
}

static void test_what_is_given_is_what_is_taken(void **state)
{
    (void)state;
    const struct plan_change changes[] = {{4, 7, PLAN_NONE_REMOVED},
                                          {7, 4, PLAN_NONE_REMOVED},
                                          {5, 4, 2},
                                          {5, 6, 0},
                                          {1, 3, PLAN_NONE_REMOVED},
                                          {3, 1, 1}};
    const struct scheme *schemes[] = {&scheme_mod_n, &scheme_slots};
    for (size_t i = 0; i < sizeof changes / sizeof changes[0] * 2; i++) {
        struct plan_result r =
            plan_users(plan_scheme_of(schemes[i % 2], HASH_COUNT, SLOT_COUNT), changes[i / 2]);
        uint64_t given = 0;
        uint64_t taken = 0;
        uint64_t before = 0;
        uint64_t after = 0;
        for (size_t s = 0; s < r.shards; s++) {
            const struct plan_shard *shard = &r.shard[s];
            assert_true(s == 0 || shard->id > r.shard[s - 1].id);
            assert_int_equal(shard->before - shard->given + shard->taken, shard->after);
            assert_true(shard->in_after || shard->after == 0);
            given += shard->given;
            taken += shard->taken;
            before += shard->before;
            after += shard->after;
        }
        assert_int_equal(given, r.moved);
        assert_int_equal(taken, r.moved);
        assert_int_equal(before, USERS);
        assert_int_equal(after, USERS);
        plan_result_free(&r);
    }
}

static void test_slots_move_only_to_a_new_shard_or_from_a_removed_one(void **state)
{
    (void)state;
    const struct plan_change grow = {4, 6, PLAN_NONE_REMOVED};
    struct plan_result r = plan_users(plan_scheme_of(&scheme_slots, HASH_COUNT, 4096), grow);
    for (size_t s = 0; s < r.shards; s++) {
        assert_true(r.shard[s].id < 4 ? r.shard[s].taken == 0 : r.shard[s].taken > 0);
    }
    plan_result_free(&r);
    const struct plan_change shrink = {4, 3, 1};
    r = plan_users(plan_scheme_of(&scheme_slots, HASH_COUNT, 4096), shrink);
    for (size_t s = 0; s < r.shards; s++) {
        assert_true(r.shard[s].id == 1 ? r.shard[s].given == r.shard[s].before
                                       : r.shard[s].given == 0);
    }
    assert_int_equal(r.from_shards, 1);
    plan_result_free(&r);
}

static void test_tags_count_with_crc16_only(void **state)
{
    (void)state;
    assert_true(plan_scheme_of(&scheme_slots, HASH_COUNT, 16384).params.tags);
    assert_true(plan_scheme_of(&scheme_mod_n, HASH_CRC16, 16384).params.tags);
    assert_false(plan_scheme_of(&scheme_slots, HASH_FNV1A, 16384).params.tags);
    struct plan_scheme a = plan_scheme_of(&scheme_slots, HASH_FNV1A, 16384);
    struct plan_scheme b = plan_scheme_of(&scheme_mod_n, HASH_FNV1A, 16384);
    struct plan_scheme c = plan_scheme_of(&scheme_mod_n, HASH_COUNT, 16384);
    assert_true(plan_hashes_alike(&a, &b));
    assert_false(plan_hashes_alike(&b, &c));
}

static void refuses(struct plan_change change, uint32_t slots)
{
    struct plan_scheme scheme = plan_scheme_of(&scheme_slots, HASH_COUNT, slots);
    struct err err = {.text = ""};
    assert_false(plan_check(&scheme, &change, &err));
    assert_true(err.text[0] != '\0');
}

static void test_impossible_changes_are_refused_in_a_sentence(void **state)
{
    (void)state;
    refuses((struct plan_change){0, 5, PLAN_NONE_REMOVED}, 4096);
    refuses((struct plan_change){4, 0, PLAN_NONE_REMOVED}, 4096);
    refuses((struct plan_change){4, 70000, PLAN_NONE_REMOVED}, 4096);
    refuses((struct plan_change){4, 5, PLAN_NONE_REMOVED}, 4); /* fewer slots than shards */
    refuses((struct plan_change){4, 3, 4}, 4096);              /* S4 is not there */
    refuses((struct plan_change){1, 1, 0}, 4096);
    refuses((struct plan_change){1, 65535, PLAN_NONE_REMOVED}, 1u << 24);
}

static void test_the_least_is_the_new_shards_part(void **state)
{
    (void)state;
    assert_int_equal(plan_least_ppm(&(struct plan_change){4, 5, PLAN_NONE_REMOVED}), 200000);
    assert_int_equal(plan_least_ppm(&(struct plan_change){5, 4, PLAN_NONE_REMOVED}), 200000);
    assert_int_equal(plan_least_ppm(&(struct plan_change){5, 4, 1}), 200000);
    assert_int_equal(plan_least_ppm(&(struct plan_change){4, 4, PLAN_NONE_REMOVED}), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_source_figures_from_four_to_five),
        cmocka_unit_test(test_what_is_given_is_what_is_taken),
        cmocka_unit_test(test_slots_move_only_to_a_new_shard_or_from_a_removed_one),
        cmocka_unit_test(test_tags_count_with_crc16_only),
        cmocka_unit_test(test_impossible_changes_are_refused_in_a_sentence),
        cmocka_unit_test(test_the_least_is_the_new_shards_part),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
