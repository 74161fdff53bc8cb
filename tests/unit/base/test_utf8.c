/* utf8: strict decoding, columns, fitting without splitting a cluster, and text made harmless. */
#include "base/utf8.h"

#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void every_code_point_survives_a_round_trip(void **state)
{
    (void)state;
    for (uint32_t point = 0; point <= 0x10FFFF; point++) {
        if (point == 0xD800) {
            point = 0xE000; /* surrogates are no characters */
        }
        char bytes[4];
        uint32_t back = 0;
        size_t length = utf8_encode(point, bytes);
        size_t used = utf8_decode(bytes, length, &back);
        if (used != length || back != point) {
            fail_msg("U+%04X came back as U+%04X", point, back);
        }
    }
}

static void broken_bytes_become_one_replacement_each(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t length;
    } broken[] = {
        {"\x80", 1},             /* a continuation alone */
        {"\xBF", 1},             /* the last of them */
        {"\xC0\xAF", 2},         /* '/' in two bytes */
        {"\xC1\xBF", 2},         /* overlong */
        {"\xE0\x80\xAF", 3},     /* '/' in three */
        {"\xE0\x9F\xBF", 3},     /* U+07FF in three */
        {"\xF0\x8F\xBF\xBF", 4}, /* U+FFFF in four */
        {"\xED\xA0\x80", 3},     /* the first surrogate */
        {"\xED\xBF\xBF", 3},     /* the last one */
        {"\xF4\x90\x80\x80", 4}, /* beyond U+10FFFF */
        {"\xF5\x80\x80\x80", 4}, /* no such first byte */
        {"\xFE", 1},
        {"\xFF", 1},
        {"\xC3", 1},         /* cut */
        {"\xE2\x82", 2},     /* cut */
        {"\xF0\x9F\x98", 3}, /* cut */
        {"\xE2\x82\x41", 3}, /* interrupted */
        {"\xF0\x9F\x41\x80", 4},
    };
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
        uint32_t point = 0;
        assert_int_equal(utf8_decode(broken[i].bytes, broken[i].length, &point), 1);
        assert_int_equal(point, UTF8_REPLACEMENT);
    }
}

static void what_no_character_is_encodes_as_the_replacement(void **state)
{
    (void)state;
    static const uint32_t none[] = {0xD800, 0xDFFF, 0x110000, UINT32_MAX};
    for (size_t i = 0; i < 4; i++) {
        char bytes[4];
        assert_int_equal(utf8_encode(none[i], bytes), 3);
        assert_memory_equal(bytes, "\xEF\xBF\xBD", 3);
    }
}

static void widths_come_from_unicode(void **state)
{
    (void)state;
    static const struct {
        uint32_t point;
        int width;
    } known[] = {
        {'a', 1},    {' ', 1},     {'~', 1},    {0x00, 0},   {0x1B, 0},   {0x7F, 0},
        {0x9B, 0},   {0xE9, 1},    {0x0301, 0}, {0x20DD, 0}, {0x4E2D, 2}, {0xAC00, 2},
        {0xFF21, 2}, {0x1F600, 2}, {0x2500, 1}, {0x2588, 1}, {0x28FF, 1}, {0x2192, 1},
        {0xFFFD, 1}, {0x00B7, 1},  {0x200B, 0}, {0x200D, 0}, {0xE000, 1}, {0x0378, 1},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (utf8_width(known[i].point) != known[i].width) {
            fail_msg("U+%04X is %d wide", known[i].point, utf8_width(known[i].point));
        }
    }
    for (uint32_t point = 0; point <= 0x10FFFF; point++) {
        assert_in_range(utf8_width(point), 0, 2);
    }
}

static int columns(const char *text)
{
    return utf8_columns(text, strlen(text));
}

static void columns_add_up_as_shown(void **state)
{
    (void)state;
    assert_int_equal(columns(""), 0);
    assert_int_equal(columns("post:{p9}"), 9);
    assert_int_equal(columns("\xE4\xB8\xAD\xE6\x96\x87"), 4);
    assert_int_equal(columns("e\xCC\x81x"), 2);   /* an accent on the e */
    assert_int_equal(columns("\xFF\xFE"), 2);     /* two invalid bytes */
    assert_int_equal(columns("a\tb"), 1 + 4 + 1); /* \x09 */
    assert_int_equal(columns("\xE2\x80\xAE"), 8); /* \u{202e} */
    assert_int_equal(utf8_columns("a\0b", 3), 6);
}

static size_t fit(const char *text, int width)
{
    return utf8_fit(text, strlen(text), width);
}

static void fitting_never_splits_a_cluster(void **state)
{
    (void)state;
    assert_int_equal(fit("abc", 0), 0);
    assert_int_equal(fit("abc", 2), 2);
    assert_int_equal(fit("abc", 9), 3);
    assert_int_equal(fit("\xE4\xB8\xAD\xE6\x96\x87", 3), 3); /* half a character is none */
    assert_int_equal(fit("\xE4\xB8\xAD\xE6\x96\x87", 4), 6);
    assert_int_equal(fit("ae\xCC\x81\xCC\xA3z", 2), 6); /* both marks come along */
    assert_int_equal(fit("ae\xCC\x81", 1), 1);
    assert_int_equal(fit("a\nb", 4), 1);
    assert_int_equal(fit("a\nb", 5), 2);
    assert_int_equal(fit("abc", -1), 0);
}

static void shown(const char *text, size_t length, const char *expected)
{
    struct str out = STR_EMPTY;
    utf8_visible(&out, text, length);
    assert_string_equal(str_text(&out), expected);
    str_free(&out);
}

static void nothing_foreign_controls_the_terminal(void **state)
{
    (void)state;
    shown("plain \xC3\xA9", 8, "plain \xC3\xA9");
    shown("\x1b[31m\r\n\t\x7f", 9, "\\x1b[31m\\x0d\\x0a\\x09\\x7f");
    shown("\0", 1, "\\x00");
    shown("\xC2\x9B", 2, "\\u{009b}"); /* the one-character CSI */
    shown("\xE2\x80\xAE"
          "abc",
          6, "\\u{202e}abc"); /* right-to-left override */
    shown("\xE2\x81\xA6\xE2\x80\xA8", 6, "\\u{2066}\\u{2028}");
    shown("\x9B\xFF", 2, "\xEF\xBF\xBD\xEF\xBF\xBD"); /* raw C1 bytes are invalid anyway */
    shown("", 0, "");
}

/* The property behind the examples: no byte pair shown leaves a control or an invalid byte. */
static void every_byte_pair_is_shown_safely(void **state)
{
    (void)state;
    for (unsigned first = 0; first < 256; first++) {
        for (unsigned second = 0; second < 256; second++) {
            char pair[2] = {(char)first, (char)second};
            struct str out = STR_EMPTY;
            utf8_visible(&out, pair, 2);
            assert_int_equal(utf8_columns(out.text, out.length), utf8_columns(pair, 2));
            for (size_t at = 0; at < out.length;) {
                uint32_t point = 0;
                size_t used = utf8_decode(out.text + at, out.length - at, &point);
                assert_true(used > 1 || (point >= 0x20 && point < 0x7F));
                assert_false(point >= 0x80 && point < 0xA0);
                at += used;
            }
            str_free(&out);
        }
    }
}

static void visible_is(const char *text, const char *expected)
{
    struct str out = STR_EMPTY;
    utf8_visible(&out, text, strlen(text));
    assert_string_equal(str_text(&out), expected);
    str_free(&out);
}

static void what_cannot_be_seen_is_spelt_out(void **state)
{
    (void)state;
    visible_is("a\xEF\xBB\xBF"
               "b",
               "a\\u{feff}b");
    visible_is("\xE2\x80\x8B\xE2\x80\x8D\xE2\x80\x8F", "\\u{200b}\\u{200d}\\u{200f}");
    visible_is("\xE2\x81\xA0\xE2\x81\xA4\xC2\xAD", "\\u{2060}\\u{2064}\\u{00ad}");
    visible_is("\xF3\xA0\x81\x81", "\\u{e0041}");
    visible_is("\xE3\x85\xA4\xCD\x8F", "\\u{3164}\\u{034f}");
    visible_is("e\xCC\x81 \xE4\xB8\xAD \xE2\x86\x92", "e\xCC\x81 \xE4\xB8\xAD \xE2\x86\x92");
    for (uint32_t point = 0xA0; point <= 0x10FFFF; point++) {
        char raw[4];
        struct str out = STR_EMPTY;
        size_t length = utf8_encode(point, raw);
        utf8_visible(&out, raw, length);
        assert_int_equal(utf8_columns(out.text, out.length), utf8_columns(raw, length));
        str_free(&out);
    }
}

static void lines_stay_lines(void **state)
{
    (void)state;
    struct str out = STR_EMPTY;
    utf8_visible_lines(&out, "a\033[m\n\nb\t\n\r", 10);
    assert_string_equal(str_text(&out), "a\\x1b[m\n\nb\\x09\n\\x0d");
    str_free(&out);
}

static void a_cut_never_splits_a_character(void **state)
{
    (void)state;
    static const char text[] = "ab\xE4\xB8\xAD"
                               "c";
    static const size_t fits[] = {0, 1, 2, 2, 2, 5, 6, 6};
    for (size_t bytes = 0; bytes < sizeof fits / sizeof fits[0]; bytes++) {
        assert_int_equal(utf8_cut(text, 6, bytes), fits[bytes]);
    }
}

static void symbols_have_an_ascii_twin(void **state)
{
    (void)state;
    assert_int_equal(utf8_ascii('a'), 'a');
    assert_int_equal(utf8_ascii(0x2192), '>');
    assert_int_equal(utf8_ascii(0x2190), '<');
    assert_int_equal(utf8_ascii(0x2014), '-');
    assert_int_equal(utf8_ascii(0x2500), '-');
    assert_int_equal(utf8_ascii(0x2502), '|');
    assert_int_equal(utf8_ascii(0x253C), '+');
    assert_int_equal(utf8_ascii(0x2022), '*');
    assert_int_equal(utf8_ascii(0x2019), '\'');
    assert_int_equal(utf8_ascii(0x201C), '"');
    assert_int_equal(utf8_ascii(0x2588), '#');
    assert_int_equal(utf8_ascii(0x2026), '.');
    assert_int_equal(utf8_ascii(0x4E2D), '?');
    for (uint32_t point = 0x80; point < 0x3000; point++) {
        assert_in_range(utf8_ascii(point), 0x20, 0x7E);
    }
    for (uint32_t line = 0x2500; line < 0x2580; line++) {
        assert_int_not_equal(utf8_ascii(line), '?');
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_code_point_survives_a_round_trip),
        cmocka_unit_test(broken_bytes_become_one_replacement_each),
        cmocka_unit_test(what_no_character_is_encodes_as_the_replacement),
        cmocka_unit_test(widths_come_from_unicode),
        cmocka_unit_test(columns_add_up_as_shown),
        cmocka_unit_test(fitting_never_splits_a_cluster),
        cmocka_unit_test(nothing_foreign_controls_the_terminal),
        cmocka_unit_test(every_byte_pair_is_shown_safely),
        cmocka_unit_test(what_cannot_be_seen_is_spelt_out),
        cmocka_unit_test(lines_stay_lines),
        cmocka_unit_test(a_cut_never_splits_a_character),
        cmocka_unit_test(symbols_have_an_ascii_twin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
