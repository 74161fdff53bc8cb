/* key: the tag rule in all its corners, and the handed vectors of keys and slots. */
#include "place/key.h"

#include "base/prng.h"
#include "place/crc16.h"
#include "vectors.h"

#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void the_tag_is_what_the_first_braces_hold(void **state)
{
    (void)state;
    static const char *const keys[][2] = {
        {"foobar", "foobar"},
        {"post:{p9}", "p9"},
        {"{p9}", "p9"},
        {"foo{}{bar}", "foo{}{bar}"},
        {"foo{{bar}}zap", "{bar"},
        {"foo{bar}{zap}", "bar"},
        {"foo{bar", "foo{bar"},
        {"}foo{bar}", "bar"},
        {"{}", "{}"},
        {"{", "{"},
        {"}", "}"},
        {"a}b{", "a}b{"},
        {"a{ }b", " "},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        struct bytes tag = key_tag(bytes_of(keys[i][0]));
        if (!bytes_equal(tag, bytes_of(keys[i][1]))) {
            fail_msg("the tag of %s is not %s", keys[i][0], keys[i][1]);
        }
    }
}

static void a_key_is_any_bytes(void **state)
{
    (void)state;
    struct bytes key = {.at = "a{\0\xFF}z", .length = 6};
    struct bytes tag = key_tag(key);
    assert_int_equal(tag.length, 2);
    assert_ptr_equal(tag.at, key.at + 2);
    /* Braces beyond the length are not part of the key. */
    assert_true(bytes_equal(key_tag((struct bytes){.at = "ab{c}", .length = 4}),
                            (struct bytes){.at = "ab{c", .length = 4}));
    assert_int_equal(key_slot((struct bytes){0}), 0);
}

/* The rule byte by byte. */
static struct bytes tag_by_definition(struct bytes key)
{
    for (size_t open = 0; open < key.length; open++) {
        if (key.at[open] != '{') {
            continue;
        }
        for (size_t close = open + 1; close < key.length; close++) {
            if (key.at[close] == '}') {
                size_t length = close - open - 1;
                return length > 0 ? (struct bytes){key.at + open + 1, length} : key;
            }
        }
        return key;
    }
    return key;
}

static void random_keys_have_the_tag_of_the_definition(void **state)
{
    (void)state;
    /* Braces, and bytes that differ from them in one bit, or by one. */
    static const char alphabet[] = "{}aaaaaaaaaaaaaz|~yks[]\xFB\xFD\x01\x80\xFF";
    struct prng random = prng_seeded(1, "tags");
    char text[48];
    for (int i = 0; i < 200000; i++) {
        size_t length = (size_t)prng_below(&random, 40);
        size_t shift = (size_t)prng_below(&random, 8);
        for (size_t j = 0; j < sizeof text; j++) {
            text[j] = alphabet[prng_below(&random, sizeof alphabet)];
        }
        struct bytes key = {.at = text + shift, .length = length};
        struct bytes tag = key_tag(key);
        struct bytes expected = tag_by_definition(key);
        if (tag.at != expected.at || tag.length != expected.length) {
            fail_msg("%.*s", (int)length, key.at);
        }
    }
}

static void slots_are_the_crc_of_the_tag(void **state)
{
    (void)state;
    assert_int_equal(key_slot(bytes_of("post:{p9}")), 12067);
    assert_int_equal(key_slot(bytes_of("likes:{p9}:r5")), 12067);
    assert_int_equal(key_slot(bytes_of("p9")), crc16("p9", 2) % SLOT_COUNT);
}

static void the_handed_vectors_pass(void **state)
{
    (void)state;
    struct vectors v;
    size_t checked = 0;
    assert_true(vectors_open(&v, "vectors/redis_slot.tsv"));
    while (vectors_next(&v)) {
        uint16_t slot = key_slot((struct bytes){.at = v.key, .length = v.key_length});
        if (slot != strtoul(v.fields[1], NULL, 10)) {
            fail_msg("%s: slot %s expected, %u found", v.fields[0], v.fields[1], slot);
        }
        checked++;
    }
    vectors_close(&v);
    assert_int_equal(checked, 595);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_tag_is_what_the_first_braces_hold),
        cmocka_unit_test(a_key_is_any_bytes),
        cmocka_unit_test(random_keys_have_the_tag_of_the_definition),
        cmocka_unit_test(slots_are_the_crc_of_the_tag),
        cmocka_unit_test(the_handed_vectors_pass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
