/* trial: before and after on the same keys, and everything said about it agrees. */
#include "place/trial.h"

#include "base/alloc.h"

#include <stdlib.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define KEYS ((size_t)5000)

static struct layout *fresh(const struct scheme *scheme, uint32_t shards, struct keyset *keys)
{
    struct layout_params params = layout_defaults(scheme);
    struct layout *layout = layout_new(scheme, &params, shards, NULL);
    assert_non_null(layout);
    layout_observe(layout, keys);
    return layout;
}

static struct keyset *loaded_keys(void)
{
    struct keyset *keys = keyset_synthetic(KEYS);
    for (size_t i = 0; i < KEYS; i++) {
        keyset_set_load(keys, i, i % 10);
    }
    return keys;
}

static void without_a_change_nothing_moves(void **state)
{
    (void)state;
    struct keyset *keys = loaded_keys();
    for (size_t s = 0; scheme_at(s) != NULL; s++) {
        struct layout *layout = fresh(scheme_at(s), 5, keys);
        struct trial *trial = trial_new(keys, layout, layout_copy(layout));
        assert_int_equal(trial->moved.moved, 0);
        assert_int_equal(trial->moved.moved_load, 0);
        assert_int_equal(trial->moved.from_shards, 0);
        for (size_t i = 0; i < KEYS; i++) {
            assert_false(trial_moved(trial, i));
            assert_int_equal(trial->owner_before[i], trial->owner_after[i]);
        }
        trial_free(trial);
    }
    keyset_free(keys);
    trial_free(NULL);
}

/* A shard joins and another leaves, so that positions and ids part ways. */
static void sums_and_single_keys_agree(void **state)
{
    (void)state;
    struct keyset *keys = loaded_keys();
    for (size_t s = 0; scheme_at(s) != NULL; s++) {
        struct layout *before = fresh(scheme_at(s), 5, keys);
        struct layout *after = layout_copy(before);
        assert_true(layout_add(after, NULL) && layout_remove(after, 2, NULL));
        struct trial *trial = trial_new(keys, before, after);
        uint64_t moved = 0;
        uint64_t moved_load = 0;
        uint64_t on_new = 0;
        for (size_t i = 0; i < KEYS; i++) {
            uint32_t from = trial_owner_before(trial, i);
            uint32_t to = trial_owner_after(trial, i);
            assert_true(from < 5);
            assert_true(to < 6 && to != 2);
            assert_int_equal(trial_moved(trial, i), from != to);
            moved += from != to;
            moved_load += from != to ? i % 10 : 0;
            on_new += to == 5;
        }
        assert_int_equal(trial->moved.keys, KEYS);
        assert_int_equal(trial->moved.moved, moved);
        assert_int_equal(trial->moved.load, KEYS / 10 * 45);
        assert_int_equal(trial->moved.moved_load, moved_load);
        assert_int_equal(trial->keys_before.total, KEYS);
        assert_int_equal(trial->load_before.total, KEYS / 10 * 45);
        assert_int_equal(trial->load_after.total, KEYS / 10 * 45);
        assert_int_equal(trial->keys_after.ids[4], 5);
        assert_int_equal(trial->keys_after.amount[4], on_new);
        trial_free(trial);
    }
    keyset_free(keys);
}

static void loads_decide_who_is_busiest(void **state)
{
    (void)state;
    struct keyset *keys = keyset_synthetic(KEYS);
    struct layout *layout = fresh(&scheme_mod_n, 4, keys);
    keyset_set_load(keys, 17, 100 * KEYS);
    struct trial *trial = trial_new(keys, layout, layout_copy(layout));
    assert_true(balance_over_average(&trial->keys_before) < 1.1);
    assert_true(balance_over_average(&trial->load_before) > 3.9);
    assert_int_equal(trial->load_before.busiest,
                     trial->load_before.amount[trial_owner_before(trial, 17)]);
    trial_free(trial);
    keyset_free(keys);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_change_nothing_moves),
        cmocka_unit_test(sums_and_single_keys_agree),
        cmocka_unit_test(loads_decide_who_is_busiest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
