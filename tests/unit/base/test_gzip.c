/*
 * What gzip promises: whatever was packed comes out again, through any reads and in any number of
 * members; and what is torn, damaged or followed by something else is told in a sentence.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/gzip.h"
#include "base/prng.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#define PACKED_MAX ((size_t)1 << 20)

/* One gzip member behind what is in `out`. */
static void pack(struct str *out, const char *text, size_t length)
{
    unsigned char *packed = xmalloc(PACKED_MAX);
    z_stream z = {.next_in = NULL};
    assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
    unsigned char *copy = xmalloc(length + 1);
    memcpy(copy, text, length);
    z.next_in = copy;
    z.avail_in = (uInt)length;
    z.next_out = packed;
    z.avail_out = (uInt)PACKED_MAX;
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    str_addn(out, (const char *)packed, PACKED_MAX - z.avail_out);
    deflateEnd(&z);
    free(copy);
    free(packed);
}

/* A file that is gone once it is closed, positioned at its start. */
static int file_of(const struct str *bytes)
{
    char path[] = "/tmp/hotshard-gzip-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(write(fd, str_text(bytes), bytes->length), (ssize_t)bytes->length);
    assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
    return fd;
}

/* Unpacks all of it, `room` bytes a call, the first `before` bytes already read by the caller. */
static bool unpack(const struct str *packed, size_t before, size_t room, struct str *out,
                   struct err *err)
{
    int fd = file_of(packed);
    assert_int_equal(lseek(fd, (off_t)before, SEEK_SET), (off_t)before);
    struct gzip *gzip = gzip_new(fd, str_text(packed), before);
    char *buffer = xmalloc(room);
    int64_t got;
    while ((got = gzip_read(gzip, buffer, room, err)) > 0) {
        str_addn(out, buffer, (size_t)got);
    }
    if (got == 0) {
        assert_int_equal(gzip_packed(gzip), packed->length);
    }
    free(buffer);
    gzip_free(gzip);
    close(fd);
    return got == 0;
}

/* Text that repeats itself, with noise in between: 300,000 bytes. */
static struct str long_text(void)
{
    struct str text = STR_EMPTY;
    struct prng prng = prng_seeded(1, "gzip");
    while (text.length < 300000) {
        str_addf(&text, "user:%llu\n", (unsigned long long)prng_below(&prng, 5000));
    }
    return text;
}

static void test_what_was_packed_comes_out_again(void **state)
{
    (void)state;
    struct str text = long_text();
    struct str packed = STR_EMPTY;
    pack(&packed, str_text(&text), text.length);
    const size_t rooms[] = {1, 7, 4096, 1000000};
    for (size_t i = 0; i < 4; i++) {
        for (size_t before = 2; before <= 70000; before = before * 6 + 1) {
            struct str out = STR_EMPTY;
            size_t first = before < packed.length ? before : packed.length;
            assert_true(unpack(&packed, first, rooms[i], &out, NULL));
            assert_int_equal(out.length, text.length);
            assert_memory_equal(out.text, text.text, text.length);
            str_free(&out);
        }
    }
    str_free(&packed);
    str_free(&text);
}

static void test_members_follow_each_other_and_zeros_are_padding(void **state)
{
    (void)state;
    struct str packed = STR_EMPTY;
    struct str out = STR_EMPTY;
    pack(&packed, "one\n", 4);
    pack(&packed, "", 0);
    pack(&packed, "two\n", 4);
    str_pad(&packed, '\0', 700);
    assert_true(unpack(&packed, 2, 100, &out, NULL));
    assert_string_equal(str_text(&out), "one\ntwo\n");
    str_free(&out);
    str_free(&packed);
}

static void test_a_file_torn_anywhere_is_told(void **state)
{
    (void)state;
    struct str packed = STR_EMPTY;
    pack(&packed, "some words, some words, some other words\n", 41);
    for (size_t length = 2; length < packed.length; length++) {
        struct str torn = STR_EMPTY;
        struct str out = STR_EMPTY;
        struct err err = {.text = ""};
        str_addn(&torn, packed.text, length);
        assert_false(unpack(&torn, 2, 100, &out, &err));
        assert_non_null(strstr(err.text, "torn"));
        str_free(&out);
        str_free(&torn);
    }
    str_free(&packed);
}

static void test_damage_and_strange_ends_are_told(void **state)
{
    (void)state;
    struct str packed = STR_EMPTY;
    struct str out = STR_EMPTY;
    struct err err = {.text = ""};
    pack(&packed, "some words, some words\n", 23);
    packed.text[packed.length - 6] ^= 1; /* the checksum */
    assert_false(unpack(&packed, 2, 100, &out, &err));
    assert_non_null(strstr(err.text, "damaged"));
    packed.text[packed.length - 6] ^= 1;
    str_add(&packed, "and on as text");
    assert_false(unpack(&packed, 2, 100, &out, &err));
    assert_non_null(strstr(err.text, "something else"));
    str_free(&out);
    str_free(&packed);
}

static void test_lines_are_the_same_packed_or_not(void **state)
{
    (void)state;
    struct str packed = STR_EMPTY;
    char path[] = "/tmp/hotshard-lines-XXXXXX";
    int fd = mkstemp(path);
    pack(&packed, "a\n\nlast", 7);
    assert_int_equal(write(fd, packed.text, packed.length), (ssize_t)packed.length);
    close(fd);
    struct line_reader *r = line_reader_open_packed(path, 100, NULL);
    struct bytes line;
    static const char *const lines[] = {"a", "", "last"};
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(line_reader_next(r, &line, NULL), 1);
        assert_true(bytes_equal(line, bytes_of(lines[i])));
    }
    assert_int_equal(line_reader_next(r, &line, NULL), 0);
    assert_int_equal(line_reader_bytes(r), packed.length); /* of the file: for a progress line */
    line_reader_close(r);
    unlink(path);
    str_free(&packed);
}

static void test_only_the_mark_makes_it_gzip(void **state)
{
    (void)state;
    assert_true(gzip_starts("\x1f\x8b\x08", 3));
    assert_false(gzip_starts("\x1f", 1));
    assert_false(gzip_starts("", 0));
    assert_false(gzip_starts("user:1", 6));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_was_packed_comes_out_again),
        cmocka_unit_test(test_members_follow_each_other_and_zeros_are_padding),
        cmocka_unit_test(test_a_file_torn_anywhere_is_told),
        cmocka_unit_test(test_damage_and_strange_ends_are_told),
        cmocka_unit_test(test_lines_are_the_same_packed_or_not),
        cmocka_unit_test(test_only_the_mark_makes_it_gzip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
