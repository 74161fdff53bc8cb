/*
 * The sketch: its bounds hold for any stream, and for sketches that were merged.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/prng.h"
#include "proto/sketch.h"
#include <string.h>

#define KEYS 200u
#define CELLS_MAX 32u

struct truth {
    uint32_t reads[KEYS], writes[KEYS];
    uint32_t total;
};

/* A key, the small numbers more often than the large. */
static uint32_t draw(struct prng *chance, uint32_t keys)
{
    uint32_t bound = 1 + (uint32_t)prng_below(chance, keys);
    return (uint32_t)prng_below(chance, bound);
}

static void feed(struct sketch_cell *cells, uint32_t count, struct truth *truth,
                 struct prng *chance, uint32_t requests)
{
    uint32_t keys = 1 + (uint32_t)prng_below(chance, KEYS);
    for (uint32_t i = 0; i < requests; i++) {
        uint32_t key = draw(chance, keys);
        bool read = prng_chance(chance, 1 + key % 5, 6);
        sketch_add(cells, count, key, read);
        truth->reads[key] += read;
        truth->writes[key] += !read;
        truth->total++;
    }
}

/* Every bound that sketch.h promises. */
static void assert_bounds(const struct sketch_cell *cells, uint32_t count,
                          const struct truth *truth)
{
    uint32_t floor = sketch_floor(cells, count);
    assert_true((uint64_t)floor * count <= truth->total);
    for (uint32_t key = 0; key < KEYS; key++) {
        const struct sketch_cell *cell = sketch_find(cells, count, key);
        uint32_t is = truth->reads[key] + truth->writes[key];
        if (cell == NULL) {
            assert_true(is <= floor);
            continue;
        }
        assert_true(cell->reads + cell->writes <= is);
        assert_true(is <= sketch_estimate(cell));
        assert_true(cell->reads <= truth->reads[key]);
        assert_true(cell->writes <= truth->writes[key]);
        assert_true((uint64_t)cell->error * count <= truth->total);
    }
}

static void bounds_hold_for_any_stream(void **state)
{
    (void)state;
    uint32_t with_error = 0;
    for (uint32_t seed = 0; seed < 1000; seed++) {
        struct prng chance = prng_seeded(seed, "sketch test");
        struct sketch_cell cells[CELLS_MAX] = {{0}};
        struct truth truth = {.total = 0};
        uint32_t count = 1 + (uint32_t)prng_below(&chance, CELLS_MAX);
        uint32_t sum = 0;
        feed(cells, count, &truth, &chance, (uint32_t)prng_below(&chance, 2000));
        assert_bounds(cells, count, &truth);
        for (uint32_t i = 0; i < count; i++) {
            sum += sketch_estimate(&cells[i]);
            with_error += cells[i].error > 0;
        }
        assert_int_equal(sum, truth.total);
    }
    assert_true(with_error > 1000); /* cells were taken over, often */
}

static void bounds_hold_for_the_sum_of_several(void **state)
{
    (void)state;
    for (uint32_t seed = 0; seed < 1000; seed++) {
        struct prng chance = prng_seeded(seed, "sketch merge test");
        struct sketch_cell sum[2 * CELLS_MAX] = {{0}};
        struct truth truth = {.total = 0};
        uint32_t count = 1 + (uint32_t)prng_below(&chance, CELLS_MAX);
        uint32_t parts = 1 + (uint32_t)prng_below(&chance, 6);
        for (uint32_t part = 0; part < parts; part++) {
            struct sketch_cell cells[CELLS_MAX] = {{0}};
            feed(cells, count, &truth, &chance, (uint32_t)prng_below(&chance, 500));
            sketch_merge(sum, cells, count);
            assert_bounds(sum, count, &truth);
        }
        for (uint32_t i = 1; i < 2 * count; i++) {
            assert_true(sketch_estimate(&sum[i]) <= sketch_estimate(&sum[i - 1]));
            assert_true(i < count || sketch_estimate(&sum[i]) == 0);
        }
    }
}

static void with_a_cell_for_each_key_nothing_is_lost(void **state)
{
    (void)state;
    struct sketch_cell cells[CELLS_MAX] = {{0}};
    for (uint32_t i = 0; i < 1000; i++) {
        sketch_add(cells, CELLS_MAX, i % 7, i % 2 == 0);
    }
    for (uint32_t key = 0; key < 7; key++) {
        const struct sketch_cell *cell = sketch_find(cells, CELLS_MAX, key);
        assert_non_null(cell);
        assert_int_equal(cell->error, 0);
        assert_in_range(cell->reads + cell->writes, 142, 143);
    }
    assert_null(sketch_find(cells, CELLS_MAX, 7));
    assert_int_equal(sketch_floor(cells, CELLS_MAX), 0);
}

static void a_newcomer_inherits_what_the_least_cell_had(void **state)
{
    (void)state;
    struct sketch_cell cells[2] = {{0}};
    for (uint32_t i = 0; i < 5; i++) {
        sketch_add(cells, 2, 10, false);
    }
    sketch_add(cells, 2, 20, true);
    sketch_add(cells, 2, 20, true);
    sketch_add(cells, 2, 30, true); /* takes the cell of 20 */
    assert_null(sketch_find(cells, 2, 20));
    const struct sketch_cell *cell = sketch_find(cells, 2, 30);
    assert_non_null(cell);
    assert_int_equal(cell->error, 2);
    assert_int_equal(cell->reads, 1);
    assert_int_equal(cell->writes, 0);
    sketch_clear(cells, 2);
    assert_null(sketch_find(cells, 2, 10));
    assert_null(sketch_find(cells, 2, 0));
}

/* Among equals: the first cell gives way to a newcomer, and merged cells stand by their keys. */
static void equals_have_an_order(void **state)
{
    (void)state;
    struct sketch_cell a[6] = {0};
    struct sketch_cell b[3] = {0};
    for (uint32_t key = 0; key < 3; key++) {
        sketch_add(a, 3, 10 + key, false);
        sketch_add(b, 3, 20 - key, true);
    }
    sketch_add(a, 3, 7, false);
    assert_int_equal(a[0].key, 7);
    assert_int_equal(a[1].key, 11);
    sketch_add(a, 3, 11, false);
    sketch_add(a, 3, 12, false); /* all stand at two */
    sketch_merge(a, b, 3);
    assert_int_equal(a[0].key, 7);
    assert_int_equal(a[1].key, 11);
    assert_int_equal(a[2].key, 12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounds_hold_for_any_stream),
        cmocka_unit_test(bounds_hold_for_the_sum_of_several),
        cmocka_unit_test(with_a_cell_for_each_key_nothing_is_lost),
        cmocka_unit_test(a_newcomer_inherits_what_the_least_cell_had),
        cmocka_unit_test(equals_have_an_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
