/* A person's keys come in as they are: any bytes but newline, each line a key. */
#include "app/keys_read.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

struct source {
    char path[64];
};

static struct source written(const char *bytes, size_t length)
{
    struct source s = {.path = "/tmp/keys_read.XXXXXX"};
    int fd = mkstemp(s.path);
    assert_true(fd >= 0);
    FILE *to = fdopen(fd, "w");
    assert_non_null(to);
    assert_int_equal(fwrite(bytes, 1, length, to), length);
    assert_int_equal(fclose(to), 0);
    return s;
}

static bool key_is(const struct keyset *keys, size_t index, const char *at, size_t length)
{
    struct bytes key = keyset_key(keys, index);
    return key.length == length && memcmp(key.at, at, length) == 0;
}

static void every_line_is_a_key(void **state)
{
    (void)state;
    static const char text[] = "a\0b\n\xFF\xFE\n\nsame\nsame\nlast";
    struct source s = written(text, sizeof text - 1);
    struct keyset *keys = keyset_new();
    struct err err = {.text = ""};
    size_t returns = 9;
    assert_true(keys_read_file(keys, s.path, &returns, &err));
    assert_int_equal(keyset_count(keys), 6);
    assert_true(key_is(keys, 0, "a\0b", 3));
    assert_true(key_is(keys, 1, "\xFF\xFE", 2));
    assert_true(key_is(keys, 2, "", 0));
    assert_true(key_is(keys, 3, "same", 4));
    assert_true(key_is(keys, 4, "same", 4));
    assert_true(key_is(keys, 5, "last", 4));
    assert_int_equal(keyset_load(keys, 4), 1);
    assert_int_equal(returns, 0);
    keyset_free(keys);
    assert_int_equal(unlink(s.path), 0);
}

static void returns_at_the_end_are_counted_and_kept(void **state)
{
    (void)state;
    static const char text[] = "one\r\ntwo\r\nthree\n\r\n";
    struct source s = written(text, sizeof text - 1);
    struct keyset *keys = keyset_new();
    size_t returns = 0;
    assert_true(keys_read_file(keys, s.path, &returns, NULL));
    assert_int_equal(keyset_count(keys), 4);
    assert_int_equal(returns, 3);
    assert_true(key_is(keys, 0, "one\r", 4));
    keyset_free(keys);
    assert_int_equal(unlink(s.path), 0);
}

static void no_keys_is_an_error_that_names_the_file(void **state)
{
    (void)state;
    struct source s = written("", 0);
    struct keyset *keys = keyset_new();
    struct err err = {.text = ""};
    size_t returns = 0;
    assert_false(keys_read_file(keys, s.path, &returns, &err));
    assert_non_null(strstr(err.text, s.path));
    assert_int_equal(unlink(s.path), 0);
    assert_false(keys_read_file(keys, s.path, &returns, &err));
    assert_non_null(strstr(err.text, s.path));
    keyset_free(keys);
}

static void made_up_keys_are_numbered(void **state)
{
    (void)state;
    struct keyset *keys = keyset_new();
    assert_true(keys_read_synthetic(keys, 1234, NULL));
    assert_int_equal(keyset_count(keys), 1234);
    assert_true(key_is(keys, 0, "k0", 2));
    assert_true(key_is(keys, 1233, "k1233", 5));
    keyset_free(keys);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_line_is_a_key),
        cmocka_unit_test(returns_at_the_end_are_counted_and_kept),
        cmocka_unit_test(no_keys_is_an_error_that_names_the_file),
        cmocka_unit_test(made_up_keys_are_numbered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
