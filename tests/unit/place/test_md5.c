/* md5: RFC 1321's test suite, every length of padding, and digests as Cassandra and Kinesis read
 * them. */
#include "place/md5.h"

#include "vectors.h"

#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* The digest as one number, its first byte the highest. */
static unsigned __int128 as_number(const void *data, size_t length)
{
    uint8_t digest[MD5_BYTES];
    unsigned __int128 number = 0;
    md5(data, length, digest);
    for (size_t i = 0; i < MD5_BYTES; i++) {
        number = number << 8 | digest[i];
    }
    return number;
}

static unsigned __int128 read_number(const char *digits)
{
    unsigned __int128 number = 0;
    for (; *digits != '\0'; digits++) {
        number = number * 10 + (unsigned)(*digits - '0');
    }
    return number;
}

static void assert_digest(const void *data, size_t length, const char *hex)
{
    uint8_t digest[MD5_BYTES];
    char text[2 * MD5_BYTES + 1];
    md5(data, length, digest);
    for (size_t i = 0; i < MD5_BYTES; i++) {
        snprintf(text + 2 * i, 3, "%02x", digest[i]);
    }
    assert_string_equal(text, hex);
}

static void the_suite_of_the_rfc_passes(void **state)
{
    (void)state;
    static const char *const suite[][2] = {
        {"", "d41d8cd98f00b204e9800998ecf8427e"},
        {"a", "0cc175b9c0f1b6a831c399e269772661"},
        {"abc", "900150983cd24fb0d6963f7d28e17f72"},
        {"message digest", "f96b697d7cb7938d525a2f31aaf161d0"},
        {"abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"},
        {"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
         "d174ab98d277d9f5a5611c2c9f419d9f"},
        {"12345678901234567890123456789012345678901234567890123456789012345678901234567890",
         "57edf4a22be3c955ac49da2e2107b67a"},
    };
    for (size_t i = 0; i < sizeof suite / sizeof suite[0]; i++) {
        assert_digest(suite[i][0], strlen(suite[i][0]), suite[i][1]);
    }
    assert_digest(NULL, 0, suite[0][1]);
}

/* The digests of the first 0 to 200 bytes of 00 01 02 ..., hashed again; the value is that of
 * Python's hashlib. 55 bytes are the most that share a block with their padding. */
static void every_length_is_padded_right(void **state)
{
    (void)state;
    uint8_t data[200];
    uint8_t digests[201][MD5_BYTES];
    for (size_t i = 0; i < sizeof data; i++) {
        data[i] = (uint8_t)i;
    }
    for (size_t length = 0; length <= sizeof data; length++) {
        md5(data, length, digests[length]);
    }
    assert_digest(digests, sizeof digests, "d49382aaa96e2815f14079ed5a0a25a3");
}

static void words_are_the_digest_in_little_endian_order(void **state)
{
    (void)state;
    uint32_t word[4];
    md5_words("abc", 3, word);
    assert_true(word[0] == 0x98500190 && word[1] == 0xB04FD23C);
    assert_true(word[2] == 0x7D3F96D6 && word[3] == 0x727FE128);
}

static void cassandras_random_tokens_come_out(void **state)
{
    (void)state;
    struct vectors v;
    size_t checked = 0;
    assert_true(vectors_open(&v, "vectors/cassandra_random.tsv"));
    while (vectors_next(&v)) {
        unsigned __int128 number = as_number(v.key, v.key_length);
        unsigned __int128 token = number >> 127 != 0 ? -number : number;
        if (token != read_number(v.fields[1])) {
            fail_msg("%s: %s expected", v.fields[0], v.fields[1]);
        }
        checked++;
    }
    vectors_close(&v);
    assert_int_equal(checked, 5);
}

static void hash_keys_of_kinesis_come_out(void **state)
{
    (void)state;
    struct vectors v;
    size_t checked = 0;
    assert_true(vectors_open(&v, "vectors/kinesis_md5.tsv"));
    while (vectors_next_row(&v)) {
        if (strcmp(v.fields[0], "key") != 0) {
            continue; /* about ranges */
        }
        if (as_number(v.fields[1], strlen(v.fields[1])) != read_number(v.fields[2])) {
            fail_msg("%s: %s expected", v.fields[1], v.fields[2]);
        }
        checked++;
    }
    vectors_close(&v);
    assert_int_equal(checked, 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_suite_of_the_rfc_passes),
        cmocka_unit_test(every_length_is_padded_right),
        cmocka_unit_test(words_are_the_digest_in_little_endian_order),
        cmocka_unit_test(cassandras_random_tokens_come_out),
        cmocka_unit_test(hash_keys_of_kinesis_come_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
