/* What every hash of bytes has to keep: the address does not matter, each byte does, and nothing
 * else is read. */
#include "base/alloc.h"
#include "base/prng.h"
#include "place/client_hash.h"
#include "place/hash.h"
#include "place/murmur.h"
#include "place/xxhash.h"

#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define LONGEST 300

struct kind {
    const char *name;
    uint64_t (*hash)(const void *data, size_t length);
};

/* One function a kind: by name, and those that have no name among the hashes of keys. */
#define BY(function, value)                                                                        \
    static uint64_t by_##function(const void *data, size_t length)                                 \
    {                                                                                              \
        return value;                                                                              \
    }
#define BY_ID(function, id) BY(function, hash_of(id, (struct bytes){data, length}))

BY_ID(crc16, HASH_CRC16)
BY_ID(fnv1a, HASH_FNV1A)
BY_ID(fnv1a64, HASH_FNV1A64)
BY_ID(mix64, HASH_MIX64)
BY_ID(murmur2, HASH_MURMUR2)
BY_ID(murmur3, HASH_MURMUR3)
BY_ID(md5, HASH_MD5)
BY_ID(cassandra, HASH_CASSANDRA)
BY_ID(xxh64, HASH_XXH64)
BY(fnv1_32, fnv1_32(data, length))
BY(fnv1_64, fnv1_64(data, length))
BY(murmur2_64a, murmur2_64a(data, length, 1))
BY(murmur3_32, murmur3_32(data, length, 2))
BY(murmur3_second, murmur3_128(data, length, 3).second)
BY(xxh32, xxh32(data, length, 4))
BY(xxh3, xxh3_64(data, length, 5))
BY(crc32, hash_crc32(data, length))
BY(djb2, hash_djb2(data, length))
BY(sdbm, hash_sdbm(data, length))
BY(wt6, hash_wt6(data, length))
BY(one_at_a_time, hash_one_at_a_time(data, length))
BY(lookup3, hash_lookup3(data, length, 6))

static const struct kind kinds[] = {
    {"crc16", by_crc16},
    {"fnv1a", by_fnv1a},
    {"fnv1a64", by_fnv1a64},
    {"mix64", by_mix64},
    {"murmur2", by_murmur2},
    {"murmur3", by_murmur3},
    {"md5", by_md5},
    {"cassandra", by_cassandra},
    {"xxh64", by_xxh64},
    {"fnv1_32", by_fnv1_32},
    {"fnv1_64", by_fnv1_64},
    {"murmur2_64a", by_murmur2_64a},
    {"murmur3_32", by_murmur3_32},
    {"murmur3_second", by_murmur3_second},
    {"xxh32", by_xxh32},
    {"xxh3", by_xxh3},
    {"crc32", by_crc32},
    {"djb2", by_djb2},
    {"sdbm", by_sdbm},
    {"wt6", by_wt6},
    {"one_at_a_time", by_one_at_a_time},
    {"lookup3", by_lookup3},
};
#define KINDS (sizeof kinds / sizeof kinds[0])

static void the_address_does_not_matter(void **state)
{
    (void)state;
    struct prng random = prng_seeded(1, "alignment");
    uint8_t data[LONGEST];
    uint8_t moved[LONGEST + 16];
    for (size_t length = 0; length <= LONGEST; length++) {
        for (size_t i = 0; i < length; i++) {
            data[i] = (uint8_t)prng_below(&random, 256);
        }
        for (size_t shift = 0; shift < 16; shift++) {
            memcpy(moved + shift, data, length);
            for (size_t i = 0; i < KINDS; i++) {
                if (kinds[i].hash(moved + shift, length) != kinds[i].hash(data, length)) {
                    fail_msg("%s of %zu bytes, %zu further on", kinds[i].name, length, shift);
                }
            }
        }
    }
}

static void each_byte_matters(void **state)
{
    (void)state;
    struct prng random = prng_seeded(2, "bytes");
    uint8_t data[LONGEST];
    for (size_t i = 0; i < sizeof data; i++) {
        data[i] = (uint8_t)prng_below(&random, 256);
    }
    for (size_t length = 1; length <= LONGEST; length++) {
        size_t place = (size_t)prng_below(&random, length);
        for (size_t i = 0; i < KINDS; i++) {
            uint64_t before = kinds[i].hash(data, length);
            data[place] ^= 0x10;
            bool same = kinds[i].hash(data, length) == before;
            data[place] ^= 0x10;
            if (same) {
                fail_msg("%s of %zu bytes: byte %zu", kinds[i].name, length, place);
            }
        }
    }
}

/* In a block of its own for each length, a byte read beyond either end is found by the sanitizer;
 * without one this still holds the hash against the same bytes amid others. */
static void nothing_else_is_read(void **state)
{
    (void)state;
    struct prng random = prng_seeded(3, "ends");
    for (size_t length = 1; length <= LONGEST; length++) {
        uint8_t *block = xcalloc(length, 1);
        uint8_t amid[LONGEST + 32];
        memset(amid, 0xA5, sizeof amid);
        for (size_t i = 0; i < length; i++) {
            block[i] = (uint8_t)prng_below(&random, 256);
        }
        memcpy(amid + 16, block, length);
        for (size_t i = 0; i < KINDS; i++) {
            if (kinds[i].hash(block, length) != kinds[i].hash(amid + 16, length)) {
                fail_msg("%s of %zu bytes", kinds[i].name, length);
            }
        }
        free(block);
    }
}

static void short_hashes_stand_in_the_low_bits(void **state)
{
    (void)state;
    struct prng random = prng_seeded(4, "bits");
    for (unsigned id = 0; id < HASH_COUNT; id++) {
        uint64_t seen = 0;
        for (int i = 0; i < 1000; i++) {
            uint64_t key = prng_next(&random);
            seen |= hash_of((enum hash_id)id, (struct bytes){(const char *)&key, sizeof key});
        }
        unsigned bits = hash_bits((enum hash_id)id);
        assert_true(seen == (bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_address_does_not_matter),
        cmocka_unit_test(each_byte_matters),
        cmocka_unit_test(nothing_else_is_read),
        cmocka_unit_test(short_hashes_stand_in_the_low_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
