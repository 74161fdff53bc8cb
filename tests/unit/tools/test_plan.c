/*
 * A plan counts the keys that change shard, by the scheme's own rule, for any change of the number
 * of shards.
 */
#include "tools/plan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#define USERS 100000
#define FEW 8000

/* user:0, user:1 ... Caller frees. */
static struct keyset *users(size_t count)
{
    struct keyset *keys = keyset_new();
    for (size_t i = 0; i < count; i++) {
        char key[32];
        int length = snprintf(key, sizeof key, "user:%zu", i);
        assert_true(keyset_add(keys, (struct bytes){key, (size_t)length}, 1, NULL));
    }
    return keys;
}

static struct plan_scheme usual(const struct scheme *scheme)
{
    return plan_scheme_of(scheme, HASH_COUNT, SLOT_COUNT, 100);
}

/* The result must not outlive the keys. */
static struct plan_result plan_keys(struct plan_scheme scheme, struct plan_change change,
                                    struct keyset *keys)
{
    struct err err = {.text = ""};
    struct plan_result result;
    bool done = plan_compute(&scheme, &change, keys, &result, &err);
    if (!done) {
        print_error("%s\n", err.text);
    }
    assert_true(done);
    return result;
}

static void test_the_source_figures_from_four_to_five(void **state)
{
    (void)state;
    const struct plan_change grow = {4, 5, PLAN_NONE_REMOVED};
    struct keyset *keys = users(USERS);
    struct plan_result r =
        plan_keys(plan_scheme_of(&scheme_mod_n, HASH_FNV1A, 4096, 100), grow, keys);
    assert_int_equal(r.moved, 80028);
    assert_int_equal(r.from_shards, 4);
    plan_result_free(&r);
    r = plan_keys(plan_scheme_of(&scheme_slots, HASH_FNV1A, 4096, 100), grow, keys);
    assert_int_equal(r.moved, 20180);
    assert_int_equal(r.from_shards, 4);
    assert_int_equal(r.among, 0);
    assert_int_equal(plan_slots_moved(&r), 819);
    plan_result_free(&r);
    keyset_free(keys);
}

/* Every scheme there is, on every kind of change. */
static void test_what_is_given_is_what_is_taken(void **state)
{
    (void)state;
    static const struct plan_change changes[] = {{4, 7, PLAN_NONE_REMOVED},
                                                 {7, 4, PLAN_NONE_REMOVED},
                                                 {5, 4, 2},
                                                 {5, 6, 0},
                                                 {1, 3, PLAN_NONE_REMOVED},
                                                 {3, 1, 1},
                                                 {6, 6, PLAN_NONE_REMOVED}};
    struct keyset *keys = users(FEW);
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        for (size_t k = 0; scheme_at(k); k++) {
            if (!plan_can(scheme_at(k))) {
                continue;
            }
            struct plan_result r = plan_keys(usual(scheme_at(k)), changes[i], keys);
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
            assert_int_equal(before, FEW);
            assert_int_equal(after, FEW);
            plan_result_free(&r);
        }
    }
    keyset_free(keys);
}

/* What a scheme promises by its traits holds for a person's keys. */
static void test_schemes_move_what_they_promise(void **state)
{
    (void)state;
    const struct plan_change grow = {4, 6, PLAN_NONE_REMOVED};
    const struct plan_change shrink = {4, 3, 1};
    struct keyset *keys = users(FEW);
    size_t promises = 0;
    for (size_t k = 0; scheme_at(k); k++) {
        unsigned traits = scheme_at(k)->traits;
        if (!plan_can(scheme_at(k))) {
            continue;
        }
        struct plan_result r = plan_keys(usual(scheme_at(k)), grow, keys);
        if (traits & SCHEME_ADD_MOVES_TO_NEW) {
            assert_int_equal(r.among, 0);
            assert_true(r.moved > 0);
            promises++;
        }
        plan_result_free(&r);
        r = plan_keys(usual(scheme_at(k)), shrink, keys);
        if (traits & SCHEME_REMOVE_MOVES_OWN) {
            assert_int_equal(r.among, 0);
            assert_int_equal(r.from_shards, 1);
            assert_int_equal(r.shard[1].id, 1);
            assert_int_equal(r.shard[1].given, r.shard[1].before);
            promises++;
        }
        plan_result_free(&r);
    }
    assert_true(promises > 10);
    struct plan_result r = plan_keys(usual(&scheme_mod_n), grow, keys);
    assert_true(r.among > 0);
    plan_result_free(&r);
    keyset_free(keys);
}

static void test_ranges_are_cut_by_the_keys_themselves(void **state)
{
    (void)state;
    struct keyset *keys = users(FEW);
    struct plan_result r = plan_keys(usual(scheme_by_name("range")),
                                     (struct plan_change){4, 5, PLAN_NONE_REMOVED}, keys);
    assert_int_equal(r.moved, FEW / 8); /* the upper half of one quarter */
    assert_int_equal(r.from_shards, 1);
    plan_result_free(&r);
    keyset_free(keys);
}

static void test_hashes_and_tags_are_the_schemes_own_unless_asked(void **state)
{
    (void)state;
    assert_true(usual(&scheme_slots).params.tags);
    assert_true(plan_scheme_of(&scheme_mod_n, HASH_CRC16, 16384, 100).params.tags);
    assert_false(plan_scheme_of(&scheme_slots, HASH_FNV1A, 16384, 100).params.tags);
    assert_int_equal(plan_scheme_of(&scheme_mod_n, HASH_XXH64, 16384, 100).params.hash, HASH_XXH64);
    assert_int_equal(usual(scheme_by_name("ketama")).params.hash, HASH_MD5);
    assert_int_equal(plan_scheme_of(scheme_by_name("ring"), HASH_COUNT, 1, 7).params.tokens, 7);
    static const char *const own[] = {"ketama", "kafka", "cassandra", "kinesis"};
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) {
        const struct scheme *scheme = scheme_by_name(own[i]);
        assert_false(plan_can_hash(scheme, HASH_FNV1A));
        assert_true(plan_can_hash(scheme, scheme->default_hash));
    }
    assert_true(plan_can_hash(&scheme_slots, HASH_MD5));
    assert_true(plan_can_hash(scheme_by_name("jump"), HASH_MD5));
}

static void refuses_change(struct plan_change change)
{
    struct err err = {.text = ""};
    assert_false(plan_check_change(&change, &err));
    assert_true(err.text[0] != '\0');
}

static void refuses(struct plan_scheme scheme, struct plan_change change, size_t keys)
{
    struct err err = {.text = ""};
    assert_false(plan_check(&scheme, &change, keys, &err));
    assert_true(err.text[0] != '\0');
}

static void test_impossible_changes_are_refused_in_a_sentence(void **state)
{
    (void)state;
    const struct plan_change vast = {1, 65535, PLAN_NONE_REMOVED};
    const struct plan_change grow = {4, 5, PLAN_NONE_REMOVED};
    refuses_change((struct plan_change){0, 5, PLAN_NONE_REMOVED});
    refuses_change((struct plan_change){4, 0, PLAN_NONE_REMOVED});
    refuses_change((struct plan_change){4, 70000, PLAN_NONE_REMOVED});
    refuses_change((struct plan_change){4, 3, 4}); /* S4 is not there */
    refuses_change((struct plan_change){1, 1, 0});
    refuses(plan_scheme_of(&scheme_slots, HASH_COUNT, 4, 100), grow, 10); /* more shards */
    refuses(plan_scheme_of(&scheme_slots, HASH_COUNT, 1u << 24, 100), vast, 10);
    refuses(usual(scheme_by_name("ring")), vast, 10);
    refuses(usual(scheme_by_name("ketama")), vast, 10);
    refuses(usual(scheme_by_name("range")), vast, 10);
    struct plan_scheme rendezvous = usual(scheme_by_name("rendezvous"));
    const struct plan_change thousands = {5000, 5001, PLAN_NONE_REMOVED};
    assert_true(plan_check(&rendezvous, &thousands, 10000, NULL));
    refuses(rendezvous, thousands, 100000000);
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
        cmocka_unit_test(test_schemes_move_what_they_promise),
        cmocka_unit_test(test_ranges_are_cut_by_the_keys_themselves),
        cmocka_unit_test(test_hashes_and_tags_are_the_schemes_own_unless_asked),
        cmocka_unit_test(test_impossible_changes_are_refused_in_a_sentence),
        cmocka_unit_test(test_the_least_is_the_new_shards_part),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
