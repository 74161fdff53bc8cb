/* kafka: partitions that Kafka's own tests name, and what more partitions do. */
#include "base/prng.h"
#include "pinned.h"
#include "vectors.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void partitions_agree_with_published_ones(void **state)
{
    (void)state;
    struct layout *seven = pinned_layout(&scheme_kafka, 7);
    struct layout *thousand = pinned_layout(&scheme_kafka, 1000);
    struct vectors v;
    size_t rows = 0;
    assert_true(vectors_open(&v, "vectors/kafka_murmur2.tsv"));
    for (; vectors_next(&v); rows++) {
        struct bytes key = {v.key, v.key_length};
        assert_int_equal((int32_t)(uint32_t)layout_hash(seven, key), atoi(v.fields[1]));
        assert_int_equal(layout_owner(seven, key), atoi(v.fields[2]));
        assert_int_equal(layout_owner(thousand, key), atoi(v.fields[3]));
    }
    vectors_close(&v);
    assert_int_equal(rows, 14);
    layout_free(thousand);
    layout_free(seven);
}

/* From four partitions to eight a key stays or goes four up, and half of them go. */
static void doubling_partitions_moves_half(void **state)
{
    (void)state;
    struct keyset *keys = keyset_synthetic(10000);
    struct layout *layout = pinned_layout(&scheme_kafka, 4);
    uint32_t *before = pinned_ids(layout, keys);
    for (int i = 0; i < 4; i++) {
        assert_true(layout_add(layout, NULL));
    }
    uint32_t *after = pinned_ids(layout, keys);
    for (size_t i = 0; i < 10000; i++) {
        assert_true(after[i] == before[i] || after[i] == before[i] + 4);
    }
    assert_int_equal(pinned_moves(before, after, 10000, 0).moved, 5042);
    assert_int_equal(layout_owner(layout, bytes_of("p9")), 2);
    assert_int_equal(layout_owner(layout, bytes_of("p7")), 7);
    free(after);
    free(before);
    layout_free(layout);
    keyset_free(keys);
}

/* Only 31 bits count, whatever the hash. */
static void the_sign_is_dropped(void **state)
{
    (void)state;
    struct layout *layout = pinned_layout(&scheme_kafka, 10);
    struct prng random = prng_seeded(1, "kafka");
    for (int i = 0; i < 1000; i++) {
        uint64_t hash = prng_next(&random);
        assert_int_equal(layout_owner_of_hash(layout, hash), (hash & INT32_MAX) % 10);
    }
    assert_true(layout_remove(layout, 9, NULL));
    assert_int_equal(layout_owner_of_hash(layout, UINT64_C(0xFFFFFFFF)), INT32_MAX % 9);
    layout_free(layout);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(partitions_agree_with_published_ones),
        cmocka_unit_test(doubling_partitions_moves_half),
        cmocka_unit_test(the_sign_is_dropped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
