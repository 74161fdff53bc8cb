/*
 * A corpus of vectors: what is drawn, distances by hand, and the exact nearest.
 */
#include "place/vectors.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct corpus *made(uint32_t points, uint32_t dims, uint32_t groups, uint64_t seed)
{
    struct err err = {""};
    const struct corpus_params params = {points, dims, groups, seed};
    struct corpus *c = corpus_new(&params, &err);
    if (c == NULL) {
        fail_msg("%s", err.text);
    }
    return c;
}

static void distances_are_squares(void **state)
{
    (void)state;
    const int16_t a[8] = {0, 0, 1, 5, 0, 0, 0, 0}, b[8] = {3, 4, 0, 4095, 0, 0, 0, 0};
    assert_int_equal(vectors_distance(a, b, 2), 25);
    assert_int_equal(vectors_distance(a, b, 8), 9 + 16 + 1 + 4090 * 4090);
    assert_int_equal(vectors_distance(a, a, 8), 0);
}

/* As far apart as can be, in as many dimensions as there may be. */
static void the_largest_distance_fits(void **state)
{
    (void)state;
    int16_t a[VECTORS_DIMS_MAX] = {0}, b[VECTORS_DIMS_MAX];
    for (size_t i = 0; i < VECTORS_DIMS_MAX; i++) {
        b[i] = VECTORS_SPACE - 1;
    }
    assert_int_equal(vectors_distance(a, b, VECTORS_DIMS_MAX), 64u * 4095u * 4095u);
}

static void a_list_keeps_the_nearest_in_order(void **state)
{
    (void)state;
    struct neighbour list[3];
    const struct neighbour given[] = {{9, 1}, {4, 2}, {4, 0}, {7, 3}, {7, 1}, {1, 5}};
    size_t count = 0;
    for (size_t i = 0; i < 6; i++) {
        count = vectors_offer(list, count, 3, given[i]);
    }
    assert_int_equal(count, 3);
    assert_int_equal(list[0].id, 5);
    assert_int_equal(list[1].id, 0); /* equally near: the lower number first */
    assert_int_equal(list[2].id, 2);
    assert_int_equal(vectors_offer(list, 0, 0, given[0]), 0);
}

static void the_nearest_of_six_by_hand(void **state)
{
    (void)state;
    struct err err = {""};
    const int16_t at[] = {10, 10, 13, 14, 100, 100, 10, 15, 0, 0, 3000, 9};
    struct corpus *c = corpus_of(at, 6, 2, &err);
    const int16_t query[2] = {10, 11};
    struct neighbour near[8];
    assert_int_equal(corpus_near(c, query, 3, near), 3);
    assert_int_equal(near[0].id, 0);
    assert_int_equal(near[0].distance, 1);
    assert_int_equal(near[1].id, 3);
    assert_int_equal(near[1].distance, 16);
    assert_int_equal(near[2].id, 1);
    assert_int_equal(near[2].distance, 18);
    assert_int_equal(corpus_near(c, query, 8, near), 6); /* there are no more */
    corpus_free(c);
}

static int by_distance(const void *left, const void *right)
{
    const struct neighbour *a = left, *b = right;
    if (a->distance != b->distance) {
        return a->distance < b->distance ? -1 : 1;
    }
    return a->id < b->id ? -1 : 1;
}

static void near_is_what_sorting_all_gives(void **state)
{
    (void)state;
    static const uint32_t dims[] = {2, 3, 16};
    for (size_t d = 0; d < 3; d++) {
        struct corpus *c = made(700, dims[d], 9, d);
        struct neighbour *all = calloc(700, sizeof *all);
        struct neighbour near[25];
        int16_t query[VECTORS_DIMS_MAX];
        for (uint32_t n = 1; n <= 20; n++) {
            corpus_query(c, n, query);
            for (uint32_t id = 0; id < 700; id++) {
                uint32_t sum = 0;
                for (uint32_t k = 0; k < dims[d]; k++) {
                    int32_t difference = query[k] - corpus_point(c, id)[k];
                    sum += (uint32_t)(difference * difference);
                }
                all[id] = (struct neighbour){sum, id};
            }
            qsort(all, 700, sizeof *all, by_distance);
            assert_int_equal(corpus_near(c, query, 25, near), 25);
            assert_memory_equal(near, all, sizeof near);
        }
        free(all);
        corpus_free(c);
    }
}

static void a_seed_gives_one_corpus(void **state)
{
    (void)state;
    struct corpus *a = made(300, 5, 4, 7), *b = made(300, 5, 4, 7), *other = made(300, 5, 4, 8);
    size_t bytes = 300 * corpus_stride(a) * sizeof(int16_t);
    assert_memory_equal(corpus_point(a, 0), corpus_point(b, 0), bytes);
    assert_memory_not_equal(corpus_point(a, 0), corpus_point(other, 0), bytes);
    int16_t first[8], again[8], next[8];
    corpus_query(a, 3, first);
    corpus_query(a, 4, next);
    corpus_query(b, 3, again);
    assert_memory_equal(first, again, sizeof first);
    assert_memory_not_equal(first, next, sizeof first);
    corpus_free(a);
    corpus_free(b);
    corpus_free(other);
}

/* Coordinates stay in the space, and those beyond the dimensions are 0. */
static void coordinates_are_in_the_space(void **state)
{
    (void)state;
    struct corpus *c = made(2000, 3, 64, 5);
    assert_int_equal(corpus_stride(c), 8);
    for (uint32_t id = 0; id < 2000; id++) {
        for (size_t k = 0; k < 8; k++) {
            int16_t at = corpus_point(c, id)[k];
            assert_true(at >= 0 && at < VECTORS_SPACE && (k < 3 || at == 0));
        }
    }
    corpus_free(c);
}

/* Of points spread evenly one in seven has another within 40; in groups most have. */
static void points_are_in_groups(void **state)
{
    (void)state;
    struct corpus *c = made(500, 2, 6, 3);
    uint32_t close = 0;
    for (uint32_t id = 0; id < 500; id++) {
        struct neighbour two[2];
        corpus_near(c, corpus_point(c, id), 2, two);
        close += two[1].distance <= 40 * 40;
    }
    assert_in_range(close, 300, 499);
    corpus_free(c);
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    static const struct corpus_params wrong[] = {{0, 2, 1, 0},  {VECTORS_POINTS_MAX + 1, 2, 1, 0},
                                                 {10, 1, 1, 0}, {10, VECTORS_DIMS_MAX + 1, 1, 0},
                                                 {10, 2, 0, 0}, {10, 2, VECTORS_GROUPS_MAX + 1, 0}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct err err = {""};
        assert_null(corpus_new(&wrong[i], &err));
        assert_true(strlen(err.text) > 10);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_are_squares),
        cmocka_unit_test(the_largest_distance_fits),
        cmocka_unit_test(a_list_keeps_the_nearest_in_order),
        cmocka_unit_test(the_nearest_of_six_by_hand),
        cmocka_unit_test(near_is_what_sorting_all_gives),
        cmocka_unit_test(a_seed_gives_one_corpus),
        cmocka_unit_test(coordinates_are_in_the_space),
        cmocka_unit_test(points_are_in_groups),
        cmocka_unit_test(what_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
