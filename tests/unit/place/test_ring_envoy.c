/* ring_envoy: Envoy's way to come by points, a hash of "host_number", gives the points it has. */
#include "place/murmur.h"
#include "place/ring.h"
#include "place/xxhash.h"
#include "vectors.h"

#include <stdlib.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* Two points for each of six hosts, named by `prefix` and two digits. */
static size_t ring_of(const char *prefix, unsigned first, bool murmur, struct ring_point point[12])
{
    for (uint32_t i = 0; i < 12; i++) {
        char name[64];
        int length = snprintf(name, sizeof name, "%s%u_%u", prefix, first + i / 2, i % 2);
        uint64_t at = murmur ? murmur2_64a(name, (size_t)length, MURMUR2_STD_SEED)
                             : xxh64(name, (size_t)length, 0);
        uint32_t to = i;
        while (to > 0 && point[to - 1].at > at) {
            point[to] = point[to - 1];
            to--;
        }
        point[to] = (struct ring_point){at, first + i / 2, i % 2};
    }
    return 12;
}

static void points_are_those_of_envoy(void **state)
{
    (void)state;
    struct vectors v;
    size_t rows = 0;
    assert_true(vectors_open(&v, "vectors/envoy_ring_points.tsv"));
    while (vectors_next_row(&v)) {
        struct ring_point point[12];
        bool murmur = strcmp(v.fields[0], "murmur2_64a") == 0;
        bool has_address = strchr(v.fields[1], ':') != NULL;
        unsigned first = murmur ? 80 : 90;
        size_t count = ring_of(has_address ? "127.0.0.1:" : "", first, murmur, point);
        uint64_t at = strtoull(v.fields[2], NULL, 10);
        size_t found = ring_find(point, count, at);
        assert_true(point[found].at == at);
        assert_int_equal(point[found].index, strtoul(v.fields[3], NULL, 10));
        assert_int_equal(ring_find(point, count, at + 1), (found + 1) % count);
        rows++;
    }
    vectors_close(&v);
    assert_int_equal(rows, 18);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(points_are_those_of_envoy)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
