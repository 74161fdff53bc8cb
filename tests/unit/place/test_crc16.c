/* crc16: the definition bit by bit, published values, and the handed vectors. */
#include "place/crc16.h"

#include "base/prng.h"
#include "vectors.h"

#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static uint16_t by_bits(const uint8_t *data, size_t length)
{
    unsigned crc = 0;
    for (size_t i = 0; i < length; i++) {
        for (int bit = 7; bit >= 0; bit--) {
            unsigned in = (data[i] >> bit & 1u) ^ (crc >> 15 & 1u);
            crc = (crc << 1 & 0xFFFFu) ^ (in != 0 ? 0x1021u : 0);
        }
    }
    return (uint16_t)crc;
}

static void published_values_hold(void **state)
{
    (void)state;
    assert_int_equal(crc16("123456789", 9), 0x31C3);
    assert_int_equal(crc16("", 0), 0);
    assert_int_equal(crc16("A", 1), 0x58E5);
}

static void every_length_agrees_with_the_definition(void **state)
{
    (void)state;
    struct prng random = prng_seeded(1, "crc16");
    uint8_t data[300 + 8];
    for (size_t length = 0; length <= 300; length++) {
        size_t shift = (size_t)prng_below(&random, 8); /* unaligned as well */
        for (size_t i = 0; i < sizeof data; i++) {
            data[i] = (uint8_t)prng_below(&random, 256);
        }
        assert_int_equal(crc16(data + shift, length), by_bits(data + shift, length));
    }
}

static void every_byte_counts_at_every_place(void **state)
{
    (void)state;
    for (size_t place = 0; place < 24; place++) {
        for (unsigned value = 0; value < 256; value++) {
            uint8_t data[24] = {0};
            data[place] = (uint8_t)value;
            assert_int_equal(crc16(data, sizeof data), by_bits(data, sizeof data));
        }
    }
}

static void steps_add_up_to_the_whole(void **state)
{
    (void)state;
    const char *key = "likes:{p9}:r0 and more";
    uint16_t crc = 0;
    for (size_t i = 0; i < strlen(key); i++) {
        crc = crc16_step(crc, (uint8_t)key[i]);
        assert_int_equal(crc, crc16(key, i + 1));
    }
}

static void the_handed_vectors_pass(void **state)
{
    (void)state;
    struct vectors v;
    size_t checked = 0;
    assert_true(vectors_open(&v, "vectors/redis_crc16.tsv"));
    while (vectors_next(&v)) {
        unsigned long expected = strtoul(v.fields[1], NULL, 16);
        if (crc16(v.key, v.key_length) != expected) {
            fail_msg("%s: %s expected", v.fields[2], v.fields[1]);
        }
        checked++;
    }
    vectors_close(&v);
    assert_int_equal(checked, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_values_hold),
        cmocka_unit_test(every_length_agrees_with_the_definition),
        cmocka_unit_test(every_byte_counts_at_every_place),
        cmocka_unit_test(steps_add_up_to_the_whole),
        cmocka_unit_test(the_handed_vectors_pass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
