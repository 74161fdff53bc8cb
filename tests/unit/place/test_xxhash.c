/* xxhash: vectors of the reference suite, and every length up to 2,200 against libxxhash. */
#include "place/xxhash.h"

#include "place/word.h"
#include "vectors.h"

#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define LONGEST 2200
#define OTHER_SEED UINT64_C(11400714785074694797)

/* The buffer of the reference suite. */
static void fill(uint8_t *data, size_t length)
{
    uint64_t number = UINT64_C(2654435761);
    for (size_t i = 0; i < length; i++) {
        data[i] = (uint8_t)(number >> 56);
        number *= UINT64_C(11400714785074694797);
    }
}

static uint64_t hash_as(const char *algorithm, const void *data, size_t length, uint64_t seed)
{
    if (strcmp(algorithm, "xxh32") == 0) {
        return xxh32(data, length, (uint32_t)seed);
    }
    return strcmp(algorithm, "xxh64") == 0 ? xxh64(data, length, seed)
                                           : xxh3_64(data, length, seed);
}

static void the_reference_suite_passes(void **state)
{
    (void)state;
    uint8_t data[LONGEST];
    struct vectors v;
    size_t checked = 0;
    fill(data, sizeof data);
    assert_true(vectors_open(&v, "vectors/xxhash.tsv"));
    while (vectors_next_row(&v)) {
        size_t length = strtoul(v.fields[1], NULL, 10);
        assert_true(length <= sizeof data);
        uint64_t hash = hash_as(v.fields[0], data, length, strtoull(v.fields[2], NULL, 10));
        if (hash != strtoull(v.fields[3], NULL, 16)) {
            fail_msg("%s of %zu bytes: %s expected", v.fields[0], length, v.fields[3]);
        }
        checked++;
    }
    vectors_close(&v);
    assert_int_equal(checked, 21);
}

/* Hashes of the first 0 to 2,200 bytes, each folded into the turned fold of those before; the
 * values are those of libxxhash 0.8.1. */
static void every_length_is_the_librarys(void **state)
{
    (void)state;
    static const struct {
        const char *algorithm;
        uint64_t folded; /* seed 0 */
        uint64_t other;
    } expected[] = {
        {"xxh32", UINT64_C(0x6E626136CB118F50), UINT64_C(0x6CBAA230ED957570)},
        {"xxh64", UINT64_C(0x0AC23595BAE007C2), UINT64_C(0x27AC55D5DEF6298E)},
        {"xxh3_64", UINT64_C(0x374AFEF1ABAE3B7F), UINT64_C(0x5D1BB14A4A21B9DC)},
    };
    uint8_t data[LONGEST];
    fill(data, sizeof data);
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        uint64_t folded = 0;
        uint64_t other = 0;
        for (size_t length = 0; length <= LONGEST; length++) {
            folded = word_rotate64(folded, 1) ^ hash_as(expected[i].algorithm, data, length, 0);
            other =
                word_rotate64(other, 1) ^ hash_as(expected[i].algorithm, data, length, OTHER_SEED);
        }
        if (folded != expected[i].folded || other != expected[i].other) {
            fail_msg("%s differs", expected[i].algorithm);
        }
    }
}

static void points_of_envoys_ring_come_out(void **state)
{
    (void)state;
    struct vectors v;
    size_t checked = 0;
    assert_true(vectors_open(&v, "vectors/envoy_ring_points.tsv"));
    while (vectors_next_row(&v)) {
        if (strcmp(v.fields[0], "xxh64") != 0) {
            continue;
        }
        if (xxh64(v.fields[1], strlen(v.fields[1]), 0) != strtoull(v.fields[2], NULL, 10)) {
            fail_msg("%s: %s expected", v.fields[1], v.fields[2]);
        }
        checked++;
    }
    vectors_close(&v);
    assert_int_equal(checked, 13);
}

static void no_bytes_need_no_address(void **state)
{
    (void)state;
    assert_true(xxh32(NULL, 0, 0) == 0x02CC5D05);
    assert_true(xxh64(NULL, 0, 0) == UINT64_C(0xEF46DB3751D8E999));
    assert_true(xxh3_64(NULL, 0, 0) == UINT64_C(0x2D06800538D394C2));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_reference_suite_passes),
        cmocka_unit_test(every_length_is_the_librarys),
        cmocka_unit_test(points_of_envoys_ring_come_out),
        cmocka_unit_test(no_bytes_need_no_address),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
