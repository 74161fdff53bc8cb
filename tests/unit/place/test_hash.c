/* hash: published values of FNV-1a, the names, and one door to all of them. */
#include "place/hash.h"

#include "base/prng.h"
#include "place/crc16.h"

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
    assert_true(hash_of(HASH_CRC16, (struct bytes){0}) == 0);
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
    assert_string_equal(hash_name(HASH_MIX64), "mix64");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fnv1a_gives_its_published_values),
        cmocka_unit_test(bytes_above_127_are_not_negative),
        cmocka_unit_test(each_id_is_its_hash),
        cmocka_unit_test(names_lead_back_to_their_hash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
