/* measure: the sums come out, and say what moved from where to where. */
#include "place/measure.h"

#include "base/alloc.h"
#include "base/prng.h"

#include <stdlib.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define KEYS ((size_t)20000)

static struct layout *fresh(const struct scheme *scheme, uint32_t shards)
{
    struct layout_params params = layout_defaults(scheme);
    struct layout *layout = layout_new(scheme, &params, shards, NULL);
    assert_non_null(layout);
    return layout;
}

static uint64_t *random_hashes(size_t count)
{
    struct prng random = prng_seeded(5, "measure");
    uint64_t *hashes = xcalloc(count, sizeof *hashes);
    for (size_t i = 0; i < count; i++) {
        hashes[i] = prng_next(&random);
    }
    return hashes;
}

static uint64_t sum(const uint64_t *counts, uint32_t count)
{
    uint64_t total = 0;
    for (uint32_t i = 0; i < count; i++) {
        total += counts[i];
    }
    return total;
}

static void a_balance_adds_up(void **state)
{
    (void)state;
    uint64_t *hashes = random_hashes(KEYS);
    for (size_t s = 0; scheme_at(s) != NULL; s++) {
        if (scheme_at(s)->traits & SCHEME_BY_KEY) {
            continue; /* hashes alone say nothing there */
        }
        struct layout *layout = fresh(scheme_at(s), 6);
        assert_true(layout_remove(layout, 2, NULL));
        struct balance b = balance_of_hashes(layout, hashes, KEYS);
        assert_int_equal(b.shards, 5);
        assert_int_equal(b.total, KEYS);
        assert_int_equal(sum(b.amount, b.shards), KEYS);
        uint64_t busiest = 0;
        for (uint32_t i = 0; i < b.shards; i++) {
            assert_int_equal(b.ids[i], layout_shard_id(layout, i));
            busiest = b.amount[i] > busiest ? b.amount[i] : busiest;
        }
        assert_int_equal(b.busiest, busiest);
        assert_float_equal(balance_over_average(&b), (float)busiest * 5 / (float)KEYS, 1e-6);
        balance_free(&b);
        layout_free(layout);
    }
    free(hashes);
}

static void known_hashes_are_counted_where_they_belong(void **state)
{
    (void)state;
    static const uint64_t hashes[] = {0, 3, 6, 1, 4, 9};
    struct layout *layout = fresh(&scheme_mod_n, 3);
    struct balance b = balance_of_hashes(layout, hashes, 6);
    assert_int_equal(b.amount[0], 4);
    assert_int_equal(b.amount[1], 2);
    assert_int_equal(b.amount[2], 0);
    assert_float_equal(balance_over_average(&b), 2.0F, 1e-9);
    balance_free(&b);

    b = balance_of_hashes(layout, NULL, 0);
    assert_int_equal(b.total, 0);
    assert_float_equal(balance_over_average(&b), 0.0F, 1e-9);
    balance_free(&b);
    layout_free(layout);
}

static void a_movement_adds_up_on_both_sides(void **state)
{
    (void)state;
    uint64_t *hashes = random_hashes(KEYS);
    for (size_t s = 0; scheme_at(s) != NULL; s++) {
        if (scheme_at(s)->traits & SCHEME_BY_KEY) {
            continue; /* hashes alone say nothing there */
        }
        struct layout *before = fresh(scheme_at(s), 4);
        struct layout *after = layout_copy(before);
        assert_true(layout_add(after, NULL));
        assert_true(layout_remove(after, 1, NULL));
        struct movement m = movement_of_hashes(before, after, hashes, KEYS);
        struct balance b = balance_of_hashes(before, hashes, KEYS);
        struct balance a = balance_of_hashes(after, hashes, KEYS);
        assert_int_equal(m.keys, KEYS);
        assert_int_equal(sum(m.given, 4), m.moved);
        assert_int_equal(sum(m.taken, 4), m.moved);
        for (uint32_t i = 0; i < 4; i++) { /* before and after: 0 1 2 3 and 0 2 3 4 */
            uint32_t now = i == 0 ? 0 : i - 1;
            uint64_t left = b.amount[i] - m.given[i];
            assert_int_equal(left, i == 1 ? 0 : a.amount[now] - m.taken[now]);
        }
        balance_free(&a);
        balance_free(&b);
        movement_free(&m);
        layout_free(before);
        layout_free(after);
    }
    free(hashes);
}

static void nothing_moves_between_equals(void **state)
{
    (void)state;
    uint64_t *hashes = random_hashes(KEYS);
    struct layout *layout = fresh(&scheme_slots, 5);
    struct layout *copy = layout_copy(layout);
    struct movement m = movement_of_hashes(layout, copy, hashes, KEYS);
    assert_int_equal(m.moved, 0);
    assert_int_equal(m.from_shards, 0);
    movement_free(&m);
    layout_free(layout);
    layout_free(copy);
    free(hashes);
}

/* A shard more: by slots every key that moves goes to it, by the remainder most keys move. */
static void slots_move_a_share_and_remainders_nearly_all(void **state)
{
    (void)state;
    uint64_t *hashes = random_hashes(KEYS);
    for (uint32_t shards = 2; shards < 20; shards++) {
        struct layout *slots = fresh(&scheme_slots, shards);
        struct layout *more_slots = layout_copy(slots);
        struct layout *mod = fresh(&scheme_mod_n, shards);
        struct layout *more_mod = layout_copy(mod);
        assert_true(layout_add(more_slots, NULL) && layout_add(more_mod, NULL));

        struct movement m = movement_of_hashes(slots, more_slots, hashes, KEYS);
        assert_int_equal(m.taken[shards], m.moved);
        assert_int_equal(m.from_shards, shards);
        assert_in_range(m.moved, KEYS / (shards + 1) * 9 / 10, KEYS / (shards + 1) * 11 / 10);
        movement_free(&m);

        m = movement_of_hashes(mod, more_mod, hashes, KEYS);
        uint64_t expected = KEYS * shards / (shards + 1);
        assert_in_range(m.moved, expected * 97 / 100, expected * 103 / 100);
        movement_free(&m);

        layout_free(slots);
        layout_free(more_slots);
        layout_free(mod);
        layout_free(more_mod);
    }
    free(hashes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_balance_adds_up),
        cmocka_unit_test(known_hashes_are_counted_where_they_belong),
        cmocka_unit_test(a_movement_adds_up_on_both_sides),
        cmocka_unit_test(nothing_moves_between_equals),
        cmocka_unit_test(slots_move_a_share_and_remainders_nearly_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
