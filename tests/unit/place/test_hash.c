/* hash: published values of FNV, the names, and one door to all hashes of keys. */
#include "place/hash.h"

#include "base/prng.h"
#include "place/crc16.h"
#include "place/murmur.h"
#include "place/xxhash.h"

#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void fnv1a_gives_its_published_values(void **state)
{
    (void)state;
    assert_true(fnv1a32("", 0) == 0x811C9DC5u);
    assert_true(fnv1a32("a", 1) == 0xE40C292Cu);
    assert_true(fnv1a32("foobar", 6) == 0xBF9CF968u);
    assert_true(fnv1a64("", 0) == UINT64_C(0xCBF29CE484222325));
    assert_true(fnv1a64("a", 1) == UINT64_C(0xAF63DC4C8601EC8C));
    assert_true(fnv1a64("foobar", 6) == UINT64_C(0x85944171F73967E8));
}

static void fnv1_multiplies_first(void **state)
{
    (void)state;
    assert_true(fnv1_32("", 0) == 0x811C9DC5u);
    assert_true(fnv1_32("a", 1) == 0x050C5D7Eu);
    assert_true(fnv1_32("foobar", 6) == 0x31F0B262u);
    assert_true(fnv1_64("", 0) == UINT64_C(0xCBF29CE484222325));
    assert_true(fnv1_64("a", 1) == UINT64_C(0xAF63BD4C8601B7BE));
    assert_true(fnv1_64("foobar", 6) == UINT64_C(0x340D8765A4DDA9C2));
}

static void bytes_above_127_are_not_negative(void **state)
{
    (void)state;
    assert_true(fnv1a32("\xFF", 1) == (0x811C9DC5u ^ 0xFFu) * 0x01000193u);
    assert_true(fnv1a64("\xFF", 1) ==
                (UINT64_C(0xCBF29CE484222325) ^ 0xFFu) * UINT64_C(0x100000001B3));
}

static void each_id_is_its_hash(void **state)
{
    (void)state;
    struct bytes key = bytes_of("post:{p9}");
    assert_true(hash_of(HASH_CRC16, key) == crc16(key.at, key.length));
    assert_true(hash_of(HASH_FNV1A, key) == fnv1a32(key.at, key.length));
    assert_true(hash_of(HASH_FNV1A64, key) == fnv1a64(key.at, key.length));
    assert_true(hash_of(HASH_MIX64, key) == mix64(fnv1a64(key.at, key.length)));
    assert_true(hash_of(HASH_MURMUR2, key) == murmur2_32(key.at, key.length, MURMUR2_KAFKA_SEED));
    assert_true(hash_of(HASH_MURMUR3, key) == murmur3_128(key.at, key.length, 0).first);
    /* MD5 of "abc" begins 90 01 50 98 3c d2 4f b0. */
    assert_true(hash_of(HASH_MD5, bytes_of("abc")) == UINT64_C(0xB04FD23C98500190));
    assert_true(hash_of(HASH_CASSANDRA, key) == (uint64_t)cassandra_token(key.at, key.length));
    assert_true(hash_of(HASH_XXH64, key) == xxh64(key.at, key.length, 0));
}

static void the_empty_key_has_a_hash_too(void **state)
{
    (void)state;
    const struct bytes empty = {0};
    assert_true(hash_of(HASH_CRC16, empty) == 0);
    assert_true(hash_of(HASH_FNV1A64, empty) == fnv1a64("", 0));
    assert_true(hash_of(HASH_MURMUR2, empty) == UINT32_C(275646681)); /* Kafka's own test */
    assert_true(hash_of(HASH_MURMUR3, empty) == 0);
    assert_true(hash_of(HASH_MD5, empty) == UINT64_C(0x04B2008FD98C1DD4));
    assert_true(hash_of(HASH_CASSANDRA, empty) == UINT64_C(1) << 63);
    assert_true(hash_of(HASH_XXH64, empty) == UINT64_C(0xEF46DB3751D8E999));
}

static void how_many_bits_mean_anything(void **state)
{
    (void)state;
    static const unsigned bits[HASH_COUNT] = {
        [HASH_CRC16] = 16, [HASH_FNV1A] = 32,     [HASH_FNV1A64] = 64,
        [HASH_MIX64] = 64, [HASH_MURMUR2] = 32,   [HASH_MURMUR3] = 64,
        [HASH_MD5] = 64,   [HASH_CASSANDRA] = 64, [HASH_XXH64] = 64,
    };
    for (unsigned i = 0; i < HASH_COUNT; i++) {
        assert_int_equal(hash_bits((enum hash_id)i), bits[i]);
    }
}

static void names_lead_back_to_their_hash(void **state)
{
    (void)state;
    for (unsigned i = 0; i < HASH_COUNT; i++) {
        enum hash_id found = HASH_COUNT;
        assert_true(hash_by_name(hash_name((enum hash_id)i), &found));
        assert_int_equal(found, i);
    }
    enum hash_id untouched = HASH_FNV1A;
    assert_false(hash_by_name("md4", &untouched));
    assert_false(hash_by_name("", &untouched));
    assert_false(hash_by_name("CRC16", &untouched));
    assert_int_equal(untouched, HASH_FNV1A);
    static const char *const names[] = {"crc16",   "fnv1a", "fnv1a64",   "mix64", "murmur2",
                                        "murmur3", "md5",   "cassandra", "xxh64"};
    assert_int_equal(sizeof names / sizeof names[0], HASH_COUNT);
    for (unsigned i = 0; i < HASH_COUNT; i++) {
        assert_string_equal(hash_name((enum hash_id)i), names[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fnv1a_gives_its_published_values),
        cmocka_unit_test(bytes_above_127_are_not_negative),
        cmocka_unit_test(fnv1_multiplies_first),
        cmocka_unit_test(each_id_is_its_hash),
        cmocka_unit_test(the_empty_key_has_a_hash_too),
        cmocka_unit_test(how_many_bits_mean_anything),
        cmocka_unit_test(names_lead_back_to_their_hash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
