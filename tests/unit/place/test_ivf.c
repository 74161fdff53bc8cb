/*
 * k-means parts: by hand, none empty, every point with its nearest centroid, and searches that find
 * more the more parts they probe.
 */
#include "place/ivf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct corpus *made(uint32_t points, uint32_t dims, uint32_t groups, uint64_t seed)
{
    const struct corpus_params params = {points, dims, groups, seed};
    struct corpus *c = corpus_new(&params, NULL);
    assert_non_null(c);
    return c;
}

static struct ivf *cut(const struct corpus *c, uint32_t parts, uint32_t rounds, uint64_t seed)
{
    struct err err = {""};
    const struct ivf_params params = {parts, rounds, seed};
    struct ivf *ix = ivf_new(c, &params, &err);
    if (ix == NULL) {
        fail_msg("%s", err.text);
    }
    return ix;
}

/* Two groups of three, whose middles are known. */
static void two_groups_by_hand(void **state)
{
    (void)state;
    const int16_t at[] = {10, 10, 12, 10, 11, 16, 1000, 2000, 1004, 2000, 1002, 2006};
    struct corpus *c = corpus_of(at, 6, 2, NULL);
    for (uint64_t seed = 0; seed < 20; seed++) {
        struct ivf *ix = cut(c, 2, 10, seed);
        uint32_t low = ivf_part_of(ix, 0), high = ivf_part_of(ix, 3);
        assert_int_equal(low + high, 1);
        assert_int_equal(ivf_size(ix, low), 3);
        assert_int_equal(ivf_centroid(ix, low)[0], 11);
        assert_int_equal(ivf_centroid(ix, low)[1], 12);
        assert_int_equal(ivf_centroid(ix, high)[0], 1002);
        assert_int_equal(ivf_centroid(ix, high)[1], 2002);
        assert_int_equal(ivf_points(ix, high)[0], 3);
        assert_int_equal(ivf_points(ix, high)[2], 5);
        assert_int_equal(ivf_largest(ix), 0); /* both have three: the lower number */
        const int16_t query[2] = {500, 900};
        struct neighbour order[2];
        ivf_rank(ix, query, order);
        assert_int_equal(order[0].id, low);
        assert_int_equal(order[0].distance, 489 * 489 + 888 * 888);
        assert_int_equal(ivf_part_at(ix, query), low);
        ivf_free(ix);
    }
    corpus_free(c);
}

static void check_parts(const struct corpus *c, const struct ivf *ix)
{
    uint32_t sum = 0;
    for (uint32_t p = 0; p < ivf_parts(ix); p++) {
        assert_true(ivf_size(ix, p) > 0);
        assert_true(ivf_size(ix, p) <= ivf_size(ix, ivf_largest(ix)));
        for (uint32_t i = 0; i < ivf_size(ix, p); i++) {
            uint32_t id = ivf_points(ix, p)[i];
            assert_int_equal(ivf_part_of(ix, id), p);
            assert_true(i == 0 || ivf_points(ix, p)[i - 1] < id);
        }
        sum += ivf_size(ix, p);
    }
    assert_int_equal(sum, corpus_points(c));
    for (uint32_t id = 0; id < corpus_points(c); id++) {
        assert_int_equal(ivf_part_at(ix, corpus_point(c, id)), ivf_part_of(ix, id));
    }
}

static void every_point_is_with_its_nearest_centroid(void **state)
{
    (void)state;
    static const uint32_t parts[] = {1, 2, 7, 40, 200};
    for (uint64_t seed = 0; seed < 12; seed++) {
        struct corpus *c = made(600, seed % 2 == 0 ? 2 : 7, 5, seed);
        struct ivf *ix = cut(c, parts[seed % 5], (uint32_t)seed, seed);
        check_parts(c, ix);
        ivf_free(ix);
        corpus_free(c);
    }
}

/* As many parts as points: each has one, though k-means draws and moves at will. */
static void no_part_is_empty(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 30; seed++) {
        struct corpus *c = made(60, 2, 3, seed);
        struct ivf *ix = cut(c, 60, 3, seed);
        check_parts(c, ix);
        assert_int_equal(ivf_size(ix, ivf_largest(ix)), 1);
        ivf_free(ix);
        corpus_free(c);
    }
}

/* Fewer different points than parts: then some must be empty, and it ends. */
static void doubles_cannot_be_parted(void **state)
{
    (void)state;
    int16_t at[40];
    for (size_t i = 0; i < 20; i++) {
        at[2 * i] = (int16_t)(i % 3 * 100);
        at[2 * i + 1] = 7;
    }
    struct corpus *c = corpus_of(at, 20, 2, NULL);
    struct ivf *ix = cut(c, 8, 10, 1);
    uint32_t full = 0, sum = 0;
    for (uint32_t p = 0; p < 8; p++) {
        full += ivf_size(ix, p) > 0;
        sum += ivf_size(ix, p);
    }
    assert_int_equal(full, 3);
    assert_int_equal(sum, 20);
    ivf_free(ix);
    corpus_free(c);
}

static uint64_t inertia(const struct corpus *c, const struct ivf *ix)
{
    uint64_t sum = 0;
    for (uint32_t id = 0; id < corpus_points(c); id++) {
        sum += vectors_distance(corpus_point(c, id), ivf_centroid(ix, ivf_part_of(ix, id)),
                                corpus_stride(c));
    }
    return sum;
}

static void rounds_make_parts_tighter(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 5; seed++) {
        struct corpus *c = made(800, 2, 6, seed);
        struct ivf *none = cut(c, 20, 0, seed), *ten = cut(c, 20, 10, seed);
        assert_true(inertia(c, ten) < inertia(c, none));
        ivf_free(none);
        ivf_free(ten);
        corpus_free(c);
    }
}

/* Sums over queries: found of the exact k, and scanned. */
struct sums {
    size_t found, wanted;
    uint64_t scanned;
};

static struct sums search(const struct corpus *c, const struct ivf *ix, uint32_t probe, size_t k)
{
    struct sums sums = {0};
    struct neighbour *order = calloc(ivf_parts(ix), sizeof *order);
    static struct ivf_found found;
    struct neighbour exact[VECTORS_K_MAX];
    int16_t query[VECTORS_DIMS_MAX];
    for (uint32_t n = 1; n <= 60; n++) {
        corpus_query(c, n, query);
        size_t wanted = corpus_near(c, query, k, exact);
        ivf_rank(ix, query, order);
        ivf_search(ix, query, order, probe, k, &found);
        uint32_t scanned = 0;
        for (uint32_t i = 0; i < probe; i++) {
            scanned += ivf_size(ix, order[i].id);
            assert_true(i == 0 || order[i - 1].distance <= order[i].distance);
        }
        assert_int_equal(found.scanned, scanned);
        for (size_t i = 0; i < found.count; i++) { /* nothing from parts that were not probed */
            uint32_t rank = 0;
            while (order[rank].id != ivf_part_of(ix, found.found[i].id)) {
                rank++;
            }
            assert_true(rank < probe);
        }
        sums.found += vectors_common(exact, wanted, found.found, found.count);
        sums.wanted += wanted;
        sums.scanned += found.scanned;
    }
    free(order);
    return sums;
}

static void recall_rises_with_probe_to_all(void **state)
{
    (void)state;
    static const uint32_t dims[] = {2, 16};
    for (size_t d = 0; d < 2; d++) {
        struct corpus *c = made(2000, dims[d], 12, 1);
        struct ivf *ix = cut(c, 40, 10, 1);
        size_t before = 0;
        for (uint32_t probe = 1; probe <= 40; probe++) {
            struct sums sums = search(c, ix, probe, 10);
            assert_true(sums.found >= before);
            assert_true(probe > 1 || (sums.found * 2 > sums.wanted && sums.found < sums.wanted));
            before = sums.found;
            if (probe == 40) {
                assert_int_equal(sums.found, sums.wanted);
                assert_int_equal(sums.scanned, 60 * 2000);
            }
        }
        ivf_free(ix);
        corpus_free(c);
    }
}

static void the_same_seed_gives_the_same_parts(void **state)
{
    (void)state;
    struct corpus *c = made(900, 2, 8, 2);
    struct ivf *a = cut(c, 30, 10, 5), *b = cut(c, 30, 10, 5), *other = cut(c, 30, 10, 6);
    size_t differ = 0;
    for (uint32_t id = 0; id < 900; id++) {
        assert_int_equal(ivf_part_of(a, id), ivf_part_of(b, id));
        differ += ivf_part_of(a, id) != ivf_part_of(other, id);
    }
    assert_true(differ > 0);
    ivf_free(a);
    ivf_free(b);
    ivf_free(other);
    corpus_free(c);
}

/* A sample is learned from when there are many points: the parts are good all the same. */
static void a_sample_is_enough(void **state)
{
    (void)state;
    struct corpus *c = made(6000, 2, 12, 4);
    struct ivf *ix = cut(c, 12, 10, 1);
    check_parts(c, ix);
    assert_true(ivf_work(c, &(struct ivf_params){12, 10, 1}) < UINT64_C(6000) * 12 * 2 * 11);
    struct sums sums = search(c, ix, 3, 10);
    assert_true(sums.found * 100 > sums.wanted * 97);
    ivf_free(ix);
    corpus_free(c);
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    struct corpus *c = made(30, 2, 2, 1);
    static const struct ivf_params wrong[] = {
        {0, 1, 1}, {31, 1, 1}, {IVF_PARTS_MAX + 1, 1, 1}, {3, IVF_ROUNDS_MAX + 1, 1}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct err err = {""};
        assert_null(ivf_new(c, &wrong[i], &err));
        assert_true(strlen(err.text) > 10);
    }
    corpus_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_groups_by_hand),
        cmocka_unit_test(every_point_is_with_its_nearest_centroid),
        cmocka_unit_test(no_part_is_empty),
        cmocka_unit_test(doubles_cannot_be_parted),
        cmocka_unit_test(rounds_make_parts_tighter),
        cmocka_unit_test(recall_rises_with_probe_to_all),
        cmocka_unit_test(the_same_seed_gives_the_same_parts),
        cmocka_unit_test(a_sample_is_enough),
        cmocka_unit_test(what_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
