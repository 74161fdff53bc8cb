/* murmur: the verification values of SMHasher, and the tokens and partitions of the systems that
 * use it. */
#include "place/murmur.h"

#include "base/prng.h"
#include "vectors.h"

#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* SMHasher's verification: the hashes of 00, 00 01, 00 01 02 ... (the first i bytes under seed
 * 256 - i), hashed again; what counts are the low 32 bits. It goes through every length below 256,
 * so through every tail. */
static size_t hash_as(int kind, const void *data, size_t length, uint32_t seed, uint64_t out[2])
{
    struct murmur3_128 both;
    out[1] = 0;
    switch (kind) {
    case 0:
        out[0] = murmur2_32(data, length, seed);
        return 4;
    case 1:
        out[0] = murmur2_64a(data, length, seed);
        return 8;
    case 2:
        out[0] = murmur3_32(data, length, seed);
        return 4;
    default:
        both = murmur3_128(data, length, seed);
        out[0] = both.first;
        out[1] = both.second;
        return 16;
    }
}

static uint32_t verification(int kind)
{
    uint8_t data[256];
    uint8_t hashes[256 * 16];
    size_t filled = 0;
    uint64_t hash[2];
    for (unsigned i = 0; i < 256; i++) {
        data[i] = (uint8_t)i;
        size_t size = hash_as(kind, data, i, 256 - i, hash);
        for (size_t j = 0; j < size; j++) {
            hashes[filled++] = (uint8_t)(hash[j / 8] >> 8 * (j % 8));
        }
    }
    hash_as(kind, hashes, filled, 0, hash);
    return (uint32_t)hash[0];
}

static void the_published_verification_values_come_out(void **state)
{
    (void)state;
    static const uint32_t expected[] = {0x27864C1E, 0x1F0D3804, 0xB0F57EE3, 0x6384BA69};
    for (int kind = 0; kind < 4; kind++) {
        if (verification(kind) != expected[kind]) {
            fail_msg("kind %d gives 0x%08X", kind, (unsigned)verification(kind));
        }
    }
}

static void kafkas_hashes_come_out(void **state)
{
    (void)state;
    struct vectors v;
    size_t checked = 0;
    assert_true(vectors_open(&v, "vectors/kafka_murmur2.tsv"));
    while (vectors_next(&v)) {
        uint32_t hash = murmur2_32(v.key, v.key_length, MURMUR2_KAFKA_SEED);
        if ((int32_t)hash != strtol(v.fields[1], NULL, 10)) {
            fail_msg("%s: %s expected", v.fields[0], v.fields[1]);
        }
        uint32_t positive = hash & 0x7FFFFFFF;
        assert_int_equal(positive % 7, strtol(v.fields[2], NULL, 10));
        assert_int_equal(positive % 1000, strtol(v.fields[3], NULL, 10));
        checked++;
    }
    vectors_close(&v);
    assert_int_equal(checked, 14);
}

static void cassandras_tokens_come_out(void **state)
{
    (void)state;
    struct vectors v;
    size_t checked = 0;
    size_t quirks = 0;
    assert_true(vectors_open(&v, "vectors/cassandra_murmur3.tsv"));
    while (vectors_next(&v)) {
        int64_t token = cassandra_token(v.key, v.key_length);
        int64_t plain = (int64_t)murmur3_128(v.key, v.key_length, 0).first;
        if (token != strtoll(v.fields[1], NULL, 10)) {
            fail_msg("%s: token %s expected", v.fields[0], v.fields[1]);
        }
        if (plain != strtoll(v.fields[2], NULL, 10)) {
            fail_msg("%s: %s expected of the plain hash", v.fields[0], v.fields[2]);
        }
        assert_int_equal(token != plain, strcmp(v.fields[3], "yes") == 0);
        quirks += token != plain;
        checked++;
    }
    vectors_close(&v);
    assert_int_equal(checked, 12);
    assert_int_equal(quirks, 4);
}

static void a_token_differs_from_the_hash_only_by_high_bytes_of_the_tail(void **state)
{
    (void)state;
    struct prng random = prng_seeded(1, "cassandra");
    uint8_t data[80];
    for (size_t length = 1; length <= sizeof data; length++) {
        for (size_t i = 0; i < sizeof data; i++) { /* any bytes in front, low ones in the tail */
            data[i] = (uint8_t)prng_below(&random, i < length - length % 16 ? 256 : 128);
        }
        assert_true((uint64_t)cassandra_token(data, length) == murmur3_128(data, length, 0).first);
    }
}

static void the_minimum_is_the_token_of_no_key_but_the_empty_one(void **state)
{
    (void)state;
    /* Found by computing the hash backwards from 2^63. */
    static const char key[] = "\x04\x07\x74\x7C\x8A\xE7\x0B\x7F\x54\x2C\x82\xE6\xFD\xA3\x7A\x5A";
    assert_true(murmur3_128(key, 16, 0).first == UINT64_C(1) << 63);
    assert_true(cassandra_token(key, 16) == INT64_MAX);
    assert_true(cassandra_token("", 0) == INT64_MIN);
    assert_true(cassandra_token(NULL, 0) == INT64_MIN);
}

static void hazelcasts_partitions_come_out(void **state)
{
    (void)state;
    struct vectors v;
    size_t checked = 0;
    assert_true(vectors_open(&v, "vectors/hazelcast.tsv"));
    while (vectors_next_row(&v)) {
        uint32_t hash = murmur3_32(v.fields[0], strlen(v.fields[0]), MURMUR3_HAZELCAST_SEED);
        if ((int32_t)hash != strtol(v.fields[1], NULL, 10)) {
            fail_msg("%s: %s expected", v.fields[0], v.fields[1]);
        }
        uint32_t size = hash >> 31 != 0 ? -hash : hash;
        assert_int_equal(size % 271, strtol(v.fields[2], NULL, 10));
        checked++;
    }
    vectors_close(&v);
    assert_int_equal(checked, 5);
}

static void points_of_envoys_ring_come_out(void **state)
{
    (void)state;
    struct vectors v;
    size_t checked = 0;
    assert_true(vectors_open(&v, "vectors/envoy_ring_points.tsv"));
    while (vectors_next_row(&v)) {
        if (strcmp(v.fields[0], "murmur2_64a") != 0) {
            continue;
        }
        uint64_t point = murmur2_64a(v.fields[1], strlen(v.fields[1]), MURMUR2_STD_SEED);
        if (point != strtoull(v.fields[2], NULL, 10)) {
            fail_msg("%s: %s expected", v.fields[1], v.fields[2]);
        }
        checked++;
    }
    vectors_close(&v);
    assert_int_equal(checked, 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_published_verification_values_come_out),
        cmocka_unit_test(kafkas_hashes_come_out),
        cmocka_unit_test(cassandras_tokens_come_out),
        cmocka_unit_test(a_token_differs_from_the_hash_only_by_high_bytes_of_the_tail),
        cmocka_unit_test(the_minimum_is_the_token_of_no_key_but_the_empty_one),
        cmocka_unit_test(hazelcasts_partitions_come_out),
        cmocka_unit_test(points_of_envoys_ring_come_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
