/* bounded: nobody holds more than the bound, keys move on clockwise, and room comes back. */
#include "place/bounded.h"

#include "base/alloc.h"
#include "bounded_loads.h"

#include <stdlib.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define KEYS 20000u

static void the_example_hash_is_blake2b(void **state)
{
    (void)state;
    /* hashlib.blake2b(text, digest_size=8) of Python */
    assert_true(blake2b_8("") == UINT64_C(0xE4A6A0577479B2B4));
    assert_true(blake2b_8("s0#0") == UINT64_C(0x6A19289A9C8EBD84));
    assert_true(blake2b_8("k9999") == UINT64_C(0x3B134463267952D7));
}

static void capacities_are_whole_numbers(void **state)
{
    (void)state;
    assert_int_equal(bounded_capacity(110, 200, 1, 10), 22); /* binary fractions say 23 */
    assert_int_equal(bounded_capacity(125, 10, 1, 4), 4);
    assert_int_equal(bounded_capacity(125, 16, 1, 4), 5);
    assert_int_equal(bounded_capacity(125, 1, 1, 10), 1);
    assert_int_equal(bounded_capacity(200, 100, 300, 400), 150);
}

static struct layout *fresh(uint32_t shards, uint32_t factor_pct)
{
    struct layout_params params = layout_defaults(&scheme_bounded_load);
    params.factor_pct = factor_pct;
    struct layout *layout = layout_new(&scheme_bounded_load, &params, shards, NULL);
    assert_non_null(layout);
    return layout;
}

/* Every key is where a plain walk with counters puts it. */
static void keys_are_placed_in_order_under_the_bound(void **state)
{
    (void)state;
    static const uint32_t factors[] = {101, 110, 125, 200};
    struct keyset *keys = keyset_synthetic(KEYS);
    const uint64_t *hash = keyset_hashes(keys, HASH_MIX64, false);
    static uint32_t owner[KEYS];
    for (size_t f = 0; f < sizeof factors / sizeof factors[0]; f++) {
        struct layout *layout = fresh(10, factors[f]);
        uint64_t held[10] = {0};
        size_t points = 0;
        const struct ring_point *point = layout_ring(layout, &points);
        layout_owners(layout, keys, owner);
        for (size_t i = 0; i < KEYS; i++) {
            size_t at = ring_find(point, points, hash[i]);
            while (held[point[at].index] == bounded_capacity(factors[f], KEYS, 1, 10)) {
                at = (at + 1) % points;
            }
            assert_int_equal(owner[i], point[at].index);
            held[owner[i]]++;
        }
        layout_free(layout);
    }
    keyset_free(keys);
}

static void a_key_alone_has_its_rings_owner(void **state)
{
    (void)state;
    struct layout *layout = fresh(7, 101);
    size_t points = 0;
    const struct ring_point *point = layout_ring(layout, &points);
    for (uint64_t i = 0; i < 1000; i++) {
        uint64_t hash = mix64(i);
        assert_int_equal(layout_owner_of_hash(layout, hash),
                         point[ring_find(point, points, hash)].index);
    }
    layout_free(layout);
}

static void a_wide_bound_changes_nothing(void **state)
{
    (void)state;
    struct keyset *keys = keyset_synthetic(KEYS);
    static uint32_t bounded[KEYS];
    static uint32_t plain[KEYS];
    struct layout_params params = layout_defaults(&scheme_ring);
    struct layout *ring = layout_new(&scheme_ring, &params, 10, NULL);
    struct layout *layout = fresh(10, 1000);
    layout_owners(layout, keys, bounded);
    layout_owners(ring, keys, plain);
    assert_memory_equal(bounded, plain, sizeof plain);
    layout_free(layout);
    layout_free(ring);
    keyset_free(keys);
}

static void factors_out_of_range_are_refused(void **state)
{
    (void)state;
    static const uint32_t factors[] = {0, 100, BOUNDED_FACTOR_MAX + 1};
    for (size_t i = 0; i < sizeof factors / sizeof factors[0]; i++) {
        struct layout_params params = layout_defaults(&scheme_bounded_load);
        struct err err = {.text = ""};
        params.factor_pct = factors[i];
        assert_null(layout_new(&scheme_bounded_load, &params, 4, &err));
        assert_non_null(strstr(err.text, "give a percentage from 101 to 100000"));
    }
}

/* Two shards, one hot position: it spills, and comes home when its requests end. */
static void room_comes_back_with_the_end_of_a_request(void **state)
{
    (void)state;
    static const struct ring_point point[] = {{100, 0, 0}, {200, 1, 0}};
    struct bounded_ring *ring = bounded_ring_new(point, 2, NULL, 2, 101);
    assert_int_equal(bounded_ring_assign(ring, 50), 0);
    assert_int_equal(bounded_ring_assign(ring, 50), 0); /* ceil(1.01 * 2 / 2) is 2 */
    assert_int_equal(bounded_ring_assign(ring, 50), 1);
    assert_int_equal(bounded_ring_assign(ring, 50), 0); /* ceil(1.01 * 4 / 2) is 3 */
    bounded_ring_release(ring, 0);
    assert_int_equal(ring->total, 3);
    assert_int_equal(bounded_ring_assign(ring, 50), 0);
    assert_int_equal(bounded_ring_assign(ring, 201), 1); /* ceil(1.01 * 5 / 2) is 3: 0 is full */
    bounded_ring_free(ring);
    bounded_ring_free(NULL);
}

static void heavier_shards_hold_more(void **state)
{
    (void)state;
    static const struct ring_point point[] = {{100, 0, 0}, {200, 1, 0}};
    static const uint32_t weight[] = {1, 3};
    struct bounded_ring *ring = bounded_ring_new(point, 2, weight, 2, 101);
    for (int i = 0; i < 100; i++) {
        (void)bounded_ring_assign(ring, 50);
    }
    assert_int_equal(ring->in_flight[0], 26);
    assert_int_equal(ring->in_flight[1], 74);
    bounded_ring_free(ring);
}

/* The table of the worked example, within what its own seeds vary. */
static void the_worked_example_comes_out(void **state)
{
    (void)state;
    static const struct {
        uint32_t factor;
        double median, worst, usual;
    } rows[] = {{LOADS_NO_BOUND, 2.67, 3.11, 100},
                {200, 2.0, 2.0, 93.172},
                {150, 1.5, 1.5, 87.5695},
                {125, 1.25, 1.25, 81.4545},
                {110, 1.1, 1.1, 74.1365}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bounded_loads got = bounded_loads_play(rows[i].factor, 1);
        assert_true(fabs(got.median - rows[i].median) <= 0.02 * rows[i].median);
        assert_true(fabs(got.worst - rows[i].worst) <= 0.07 * rows[i].worst);
        assert_true(fabs(got.usual_pct - rows[i].usual) <= 0.006 * rows[i].usual);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_example_hash_is_blake2b),
        cmocka_unit_test(capacities_are_whole_numbers),
        cmocka_unit_test(keys_are_placed_in_order_under_the_bound),
        cmocka_unit_test(a_key_alone_has_its_rings_owner),
        cmocka_unit_test(a_wide_bound_changes_nothing),
        cmocka_unit_test(factors_out_of_range_are_refused),
        cmocka_unit_test(room_comes_back_with_the_end_of_a_request),
        cmocka_unit_test(heavier_shards_hold_more),
        cmocka_unit_test(the_worked_example_comes_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
