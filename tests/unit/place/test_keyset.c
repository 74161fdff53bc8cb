/* keyset: keys come back byte for byte, in their order, with their loads. */
#include "place/keyset.h"

#include "base/alloc.h"
#include "base/prng.h"
#include "place/key.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void add(struct keyset *keys, const char *text, uint64_t load)
{
    struct err err;
    assert_true(keyset_add(keys, bytes_of(text), load, &err));
}

static void an_empty_list_has_nothing(void **state)
{
    (void)state;
    struct keyset *keys = keyset_new();
    assert_int_equal(keyset_count(keys), 0);
    assert_non_null(keyset_hashes(keys, HASH_MIX64, false));
    assert_non_null(keyset_order(keys));
    keyset_free(keys);
    keyset_free(NULL);
}

static void keys_come_back_byte_for_byte(void **state)
{
    (void)state;
    struct keyset *keys = keyset_new();
    struct prng random = prng_seeded(1, "keyset");
    struct err err;
    static char sent[500][64];
    static size_t length[500];
    for (size_t i = 0; i < 500; i++) {
        length[i] = prng_below(&random, sizeof sent[i] + 1);
        for (size_t j = 0; j < length[i]; j++) {
            sent[i][j] = (char)prng_below(&random, 256); /* zeros too */
        }
        assert_true(keyset_add(keys, (struct bytes){sent[i], length[i]}, i * i, &err));
    }
    assert_int_equal(keyset_count(keys), 500);
    for (size_t i = 0; i < 500; i++) {
        struct bytes key = keyset_key(keys, i);
        assert_int_equal(key.length, length[i]);
        assert_memory_equal(key.at, sent[i], length[i]);
        assert_int_equal(keyset_load(keys, i), i * i);
        assert_int_equal(keyset_loads(keys)[i], i * i);
    }
    keyset_free(keys);
}

static void the_empty_key_is_a_key(void **state)
{
    (void)state;
    struct keyset *keys = keyset_new();
    add(keys, "", 3);
    assert_int_equal(keyset_count(keys), 1);
    assert_int_equal(keyset_key(keys, 0).length, 0);
    assert_true(keyset_hashes(keys, HASH_MIX64, false)[0] == hash_of(HASH_MIX64, bytes_of("")));
    assert_int_equal(keyset_order(keys)[0], 0);
    keyset_free(keys);
}

static void equal_keys_stay_two(void **state)
{
    (void)state;
    struct keyset *keys = keyset_new();
    add(keys, "same", 1);
    add(keys, "same", 2);
    assert_int_equal(keyset_count(keys), 2);
    assert_int_equal(keyset_load(keys, 1), 2);
    keyset_set_load(keys, 0, 9);
    assert_int_equal(keyset_load(keys, 0), 9);
    assert_int_equal(keyset_load(keys, 1), 2);
    keyset_free(keys);
}

static void synthetic_keys_are_numbered(void **state)
{
    (void)state;
    struct keyset *keys = keyset_synthetic(12345);
    assert_int_equal(keyset_count(keys), 12345);
    for (size_t i = 0; i < 12345; i += 1234) {
        char text[32];
        (void)snprintf(text, sizeof text, "k%zu", i);
        struct bytes key = keyset_key(keys, i);
        assert_int_equal(key.length, strlen(text));
        assert_memory_equal(key.at, text, key.length);
        assert_int_equal(keyset_load(keys, i), 1);
    }
    keyset_free(keys);
}

static void hashes_are_those_of_keys_or_tags(void **state)
{
    (void)state;
    struct keyset *keys = keyset_new();
    static const char *const text[] = {"post:{p9}:likes", "user:1", "{}x", "a{b}c{d}"};
    for (size_t i = 0; i < 4; i++) {
        add(keys, text[i], 1);
    }
    for (enum hash_id hash = 0; hash < HASH_COUNT; hash++) {
        const uint64_t *whole = keyset_hashes(keys, hash, false);
        const uint64_t *tags = keyset_hashes(keys, hash, true);
        for (size_t i = 0; i < 4; i++) {
            assert_true(whole[i] == hash_of(hash, bytes_of(text[i])));
            assert_true(tags[i] == hash_of(hash, key_tag(bytes_of(text[i]))));
        }
        assert_ptr_equal(keyset_hashes(keys, hash, false), whole); /* worked out once */
    }
    keyset_free(keys);
}

static void a_new_key_is_hashed_and_ordered_too(void **state)
{
    (void)state;
    struct keyset *keys = keyset_new();
    add(keys, "b", 1);
    (void)keyset_hashes(keys, HASH_CRC16, false);
    (void)keyset_order(keys);
    add(keys, "a", 1);
    assert_true(keyset_hashes(keys, HASH_CRC16, false)[1] == hash_of(HASH_CRC16, bytes_of("a")));
    assert_int_equal(keyset_order(keys)[0], 1);
    assert_int_equal(keyset_order(keys)[1], 0);
    keyset_free(keys);
}

static void order_goes_by_bytes_then_length_then_index(void **state)
{
    (void)state;
    static const char *const text[] = {"b",         "a",        "ab",        "",     "a",
                                       "abcdefghi", "abcdefgh", "abcdefghh", "\xff", "abcdefghi"};
    static const uint32_t expected[] = {3, 1, 4, 2, 6, 7, 5, 9, 0, 8};
    struct keyset *keys = keyset_new();
    for (size_t i = 0; i < 10; i++) {
        add(keys, text[i], 1);
    }
    assert_memory_equal(keyset_order(keys), expected, sizeof expected);
    keyset_free(keys);

    keys = keyset_new(); /* zero bytes are bytes: shorter first */
    struct err err;
    assert_true(keyset_add(keys, (struct bytes){"a\0\0", 3}, 1, &err));
    assert_true(keyset_add(keys, (struct bytes){"a\0", 2}, 1, &err));
    assert_int_equal(keyset_order(keys)[0], 1);
    keyset_free(keys);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_list_has_nothing),
        cmocka_unit_test(keys_come_back_byte_for_byte),
        cmocka_unit_test(the_empty_key_is_a_key),
        cmocka_unit_test(equal_keys_stay_two),
        cmocka_unit_test(synthetic_keys_are_numbered),
        cmocka_unit_test(hashes_are_those_of_keys_or_tags),
        cmocka_unit_test(a_new_key_is_hashed_and_ordered_too),
        cmocka_unit_test(order_goes_by_bytes_then_length_then_index),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
