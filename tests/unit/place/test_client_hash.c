/* client_hash: what libhashkit and HAProxy answered when they were asked. */
#include "place/client_hash.h"

#include "vectors.h"

#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void published_values_hold(void **state)
{
    (void)state;
    assert_true(hash_crc32("123456789", 9) == 0xCBF43926);
    assert_true(hash_crc32("", 0) == 0);
    assert_true(hash_djb2("", 0) == 5381);
    assert_true(hash_djb2("a", 1) == 5381 * 33 + 'a');
    assert_true(hash_sdbm("ab", 2) == 65599u * 'a' + 'b');
    assert_true(hash_one_at_a_time("a", 1) == 0xCA2E9442);
    /* The driver of lookup3.c. */
    assert_true(hash_lookup3("", 0, 0) == 0xDEADBEEF);
    assert_true(hash_lookup3("Four score and seven years ago", 30, 0) == 0x17770551);
    assert_true(hash_lookup3("Four score and seven years ago", 30, 1) == 0xCD628161);
}

static void bytes_above_127_are_not_negative(void **state)
{
    (void)state;
    assert_true(hash_djb2("\xFF", 1) == 5381 * 33 + 255);
    assert_true(hash_sdbm("\xFF", 1) == 255);
}

static void hashes_of_memcached_clients_come_out(void **state)
{
    (void)state;
    struct vectors v;
    size_t checked = 0;
    assert_true(vectors_open(&v, "vectors/libhashkit.tsv"));
    while (vectors_next_row(&v)) {
        uint32_t hash = 0;
        if (!memcached_hash(v.fields[0], v.fields[1], strlen(v.fields[1]), &hash)) {
            fail_msg("there is no %s", v.fields[0]);
        }
        if (hash != strtoul(v.fields[2], NULL, 10)) {
            fail_msg("%s of %s is %s, not %u", v.fields[0], v.fields[1], v.fields[2],
                     (unsigned)hash);
        }
        checked++;
    }
    vectors_close(&v);
    assert_int_equal(checked, 125);
}

static void a_name_that_libhashkit_has_not_is_refused(void **state)
{
    (void)state;
    uint32_t hash = 7;
    assert_false(memcached_hash("sha1", "a", 1, &hash));
    assert_false(memcached_hash("", "a", 1, &hash));
    assert_false(memcached_hash("MD5", "a", 1, &hash));
    assert_int_equal(hash, 7);
}

static uint32_t haproxy_function(const char *name, const char *key)
{
    size_t length = strlen(key);
    if (strcmp(name, "sdbm") == 0) {
        return hash_sdbm(key, length);
    }
    if (strcmp(name, "djb2") == 0) {
        return hash_djb2(key, length);
    }
    return strcmp(name, "wt6") == 0 ? hash_wt6(key, length) : hash_crc32(key, length);
}

/* With equal weights `hash-type map-based` is the hash modulo the four servers, which count from 1;
 * the other rows are about rings and weights. */
static void servers_that_haproxy_chose_come_out(void **state)
{
    (void)state;
    struct vectors v;
    size_t checked = 0;
    assert_true(vectors_open(&v, "vectors/haproxy_hash.tsv"));
    while (vectors_next_row(&v)) {
        if (strcmp(v.fields[0], "map-based") != 0 || strcmp(v.fields[3], "1,1,1,1") != 0) {
            continue;
        }
        if (haproxy_function(v.fields[1], v.fields[4]) % 4 + 1 != strtoul(v.fields[5], NULL, 10)) {
            fail_msg("%s of %s: server %s expected", v.fields[1], v.fields[4], v.fields[5]);
        }
        checked++;
    }
    vectors_close(&v);
    assert_int_equal(checked, 35);
}

/* Of 32 bits a flipped one turns half: 16 on average, over all of them and many numbers. */
static void the_avalanche_spreads_each_bit(void **state)
{
    (void)state;
    uint32_t turned = 0;
    for (uint32_t number = 0; number < 1000; number++) {
        for (unsigned bit = 0; bit < 32; bit++) {
            uint32_t changed =
                haproxy_avalanche(number) ^ haproxy_avalanche(number ^ UINT32_C(1) << bit);
            assert_true(changed != 0);
            for (; changed != 0; changed &= changed - 1) {
                turned++;
            }
        }
    }
    assert_in_range(turned, 32000 * 15, 32000 * 17);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_values_hold),
        cmocka_unit_test(bytes_above_127_are_not_negative),
        cmocka_unit_test(hashes_of_memcached_clients_come_out),
        cmocka_unit_test(a_name_that_libhashkit_has_not_is_refused),
        cmocka_unit_test(servers_that_haproxy_chose_come_out),
        cmocka_unit_test(the_avalanche_spreads_each_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
