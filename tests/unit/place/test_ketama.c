/* ketama: the points of clients that are in use, and the keys they find there. */
#include "place/ketama.h"

#include "base/alloc.h"
#include "place/md5.h"
#include "vectors.h"

#include <stdlib.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define SERVERS_MAX 8
#define TRIED_KEYS 100000u

/* The points of one client's servers, in one list. Caller frees. */
static struct ring_point *points_of(enum ketama_naming naming, const char *const *host,
                                    const uint32_t *digests, uint32_t servers, size_t *count)
{
    struct ring_point *point = NULL;
    *count = 0;
    for (uint32_t i = 0; i < servers; i++) {
        struct str name = STR_EMPTY;
        ketama_name(naming, host[i], naming == KETAMA_COUCHBASE ? 11210 : 11211, &name);
        point = xrealloc(point, *count + 4 * (size_t)digests[i], sizeof *point);
        ketama_points(name.text, i, 0, digests[i], point + *count);
        *count += 4 * (size_t)digests[i];
        str_free(&name);
    }
    return point;
}

static int by_position(const void *left, const void *right)
{
    const struct ring_point *a = left;
    const struct ring_point *b = right;
    return a->at < b->at ? -1 : a->at > b->at;
}

static void points_are_those_of_couchbase(void **state)
{
    (void)state;
    static const char *const host[] = {"192.168.1.101", "192.168.1.102", "192.168.1.103",
                                       "192.168.1.104"};
    static const uint32_t digests[] = {40, 40, 40, 40};
    size_t count = 0;
    struct ring_point *point = points_of(KETAMA_COUCHBASE, host, digests, 4, &count);
    assert_int_equal(count, 640);
    qsort(point, count, sizeof *point, by_position);

    struct vectors v;
    size_t rows = 0;
    assert_true(vectors_open(&v, "vectors/ketama_points_couchbase.tsv"));
    while (vectors_next_row(&v)) {
        uint64_t at = strtoull(v.fields[0], NULL, 10) << 32;
        size_t found = ring_find(point, count, at);
        assert_true(point[found].at == at);
        assert_memory_equal(v.fields[1], host[point[found].index], strlen("192.168.1.101"));
        rows++;
    }
    vectors_close(&v);
    assert_int_equal(rows, 320);
    free(point);
}

static void weighted_as(enum ketama_naming naming, const char *file)
{
    static const char *const host[] = {"192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.4",
                                       "192.0.2.5", "192.0.2.6", "192.0.2.7", "192.0.2.8"};
    static const uint32_t weight[] = {600, 300, 200, 350, 1000, 800, 950, 100};
    uint32_t digests[SERVERS_MAX];
    size_t count = 0;
    for (size_t i = 0; i < SERVERS_MAX; i++) {
        digests[i] = ketama_digests(weight[i], 4300, SERVERS_MAX);
    }
    struct ring_point *point = points_of(naming, host, digests, SERVERS_MAX, &count);
    assert_int_equal(count, 1264);
    qsort(point, count, sizeof *point, by_position);

    struct vectors v;
    size_t rows = 0;
    assert_true(vectors_open(&v, file));
    while (vectors_next(&v)) {
        uint32_t word[4];
        md5_words(v.key, v.key_length, word);
        assert_int_equal(word[0], strtoull(v.fields[1], NULL, 10));
        size_t found = ring_find(point, count, (uint64_t)word[0] << 32);
        assert_int_equal(point[found].at >> 32, strtoull(v.fields[2], NULL, 10));
        assert_string_equal(host[point[found].index], v.fields[3]);
        rows++;
    }
    vectors_close(&v);
    assert_int_equal(rows, 50);
    free(point);
}

static void weights_are_those_of_libmemcached(void **state)
{
    (void)state;
    weighted_as(KETAMA_LIBMEMCACHED, "vectors/ketama_weighted_libmemcached.tsv");
}

static void weights_are_those_of_spymemcached(void **state)
{
    (void)state;
    weighted_as(KETAMA_SPYMEMCACHED, "vectors/ketama_weighted_spymemcached.tsv");
}

static void only_libmemcached_leaves_the_usual_port_out(void **state)
{
    (void)state;
    struct str name = STR_EMPTY;
    ketama_name(KETAMA_LIBMEMCACHED, "h", 11211, &name);
    assert_string_equal(name.text, "h");
    str_free(&name);
    name = STR_EMPTY;
    ketama_name(KETAMA_LIBMEMCACHED, "h", 11212, &name);
    assert_string_equal(name.text, "h:11212");
    str_free(&name);
}

static struct layout *fresh(uint32_t shards)
{
    struct layout_params params = layout_defaults(&scheme_ketama);
    struct layout *layout = layout_new(&scheme_ketama, &params, shards, NULL);
    assert_non_null(layout);
    return layout;
}

static void the_layout_has_160_points_a_shard(void **state)
{
    (void)state;
    struct layout *layout = fresh(3);
    size_t count = 0;
    const struct ring_point *point = layout_ring(layout, &count);
    assert_int_equal(count, 480);
    struct ring_point first[4];
    ketama_points("node2", 2, 0, 1, first);
    for (size_t i = 0; i < 4; i++) {
        size_t found = ring_find(point, count, first[i].at);
        assert_true(point[found].at == first[i].at);
        assert_int_equal(point[found].index, 2);
        assert_int_equal(point[found].token, i);
    }
    assert_true(layout_weigh(layout, 1, 50, NULL));
    (void)layout_ring(layout, &count);
    assert_int_equal(count, 400);
    assert_true(layout_weigh(layout, 1, 1, NULL));
    (void)layout_ring(layout, &count);
    assert_int_equal(count, 324); /* one digest is the least */
    layout_free(layout);
}

/* Keys k0 to k99999: what an eleventh node takes, and a twelfth. */
static void keys_move_as_the_pinned_ring_says(void **state)
{
    (void)state;
    struct keyset *keys = keyset_synthetic(TRIED_KEYS);
    struct layout *layout = fresh(10);
    static uint32_t owner[3][TRIED_KEYS];
    for (int step = 0; step < 3; step++) {
        layout_owners(layout, keys, owner[step]);
        assert_true(layout_add(layout, NULL));
    }
    size_t moved[2] = {0, 0};
    for (size_t i = 0; i < TRIED_KEYS; i++) {
        moved[0] += owner[0][i] != owner[1][i];
        moved[1] += owner[1][i] != owner[2][i];
    }
    assert_int_equal(moved[0], 8347);
    assert_int_equal(moved[1], 9448);
    layout_free(layout);
    keyset_free(keys);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_are_those_of_couchbase),
        cmocka_unit_test(weights_are_those_of_libmemcached),
        cmocka_unit_test(weights_are_those_of_spymemcached),
        cmocka_unit_test(only_libmemcached_leaves_the_usual_port_out),
        cmocka_unit_test(the_layout_has_160_points_a_shard),
        cmocka_unit_test(keys_move_as_the_pinned_ring_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
