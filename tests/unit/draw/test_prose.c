/* Markup becomes styled lines that fit and lose nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/prng.h"
#include "base/utf8.h"
#include "draw/prose.h"

/* Draws the prose and compares with the golden form. */
static void expect_prose(const char *markup, int columns, int rows, const char *expected)
{
    struct prose p;
    prose_wrap(&p, markup, columns);
    struct canvas *c = canvas_new(columns, rows);
    assert_int_equal(prose_draw(c, &p, 0, 0, 0, 100), p.line_count);
    assert_int_equal(p.line_count, rows);
    struct str out = STR_EMPTY;
    canvas_dump(c, &out);
    assert_string_equal(str_text(&out), expected);
    str_free(&out);
    canvas_free(c);
    prose_free(&p);
}

static void expect_plain(const char *markup, int columns, int indent, const char *expected)
{
    struct str out = STR_EMPTY;
    prose_plain(&out, markup, columns, indent);
    assert_string_equal(str_text(&out), expected);
    str_free(&out);
}

static void words_are_wrapped_and_marks_become_styles(void **state)
{
    (void)state;
    expect_prose("A *hot key* is\non one [[shard]]: `p9`.", 12, 3,
                 "|A hot key is|\n"
                 "|on one      |\n"
                 "|shard: p9.  |\n"
                 "|..sssssss...|\n"
                 "|............|\n"
                 "|lllll..cc...|\n");
}

static void a_literal_star_stays(void **state)
{
    (void)state;
    expect_plain("2 * 3 * 4 and a*b*c and *", 40, 0, "2 * 3 * 4 and a*b*c and *\n");
    expect_plain("an *open star", 40, 0, "an *open star\n");
    expect_plain("`` and a ` and [[ and [[]] and [x]", 40, 0,
                 "`` and a ` and [[ and [[]] and [x]\n");
    expect_plain("(*so*), *so*.", 40, 0, "(so), so.\n");
}

static void stars_inside_code_are_code(void **state)
{
    (void)state;
    expect_prose("`a *b* [[c]]`", 12, 1,
                 "|a *b* [[c]] |\n"
                 "|ccccccccccc.|\n");
}

static void blank_lines_part_paragraphs_once(void **state)
{
    (void)state;
    expect_plain("\n\none\n\n\n\ntwo\n\n", 20, 0, "one\n\ntwo\n");
    expect_plain("one\r\ntwo\r\n\r\nthree", 20, 0, "one two\n\nthree\n");
    expect_plain("", 20, 0, "");
    expect_plain(" \n\t\n", 20, 0, "");
}

static void indented_lines_are_kept_as_they_are(void **state)
{
    (void)state;
    expect_plain("Text\nhere\n    S0   *20%*\n  S1   13%\nand on", 20, 0,
                 "Text here\n    S0   *20%*\n  S1   13%\nand on\n");
    expect_plain("  0123456789", 6, 0, "  0123\n456789\n");
}

static void a_code_span_that_fits_a_line_is_not_broken(void **state)
{
    (void)state;
    expect_plain("Say `GET p9 now` twice", 10, 0, "Say\nGET p9 now\ntwice\n");
    /* One that does not fit breaks at its blanks. */
    expect_plain("Say `GET p9 now` twice", 8, 0, "Say GET\np9 now\ntwice\n");
}

static void long_words_are_cut_between_clusters(void **state)
{
    (void)state;
    expect_plain("ab cdefghijkl m", 4, 0, "ab\ncdef\nghij\nkl m\n");
    expect_plain("漢字漢字", 5, 0, "漢字\n漢字\n");
    expect_plain("e\xcc\x81"
                 "e\xcc\x81"
                 "e\xcc\x81",
                 2, 0,
                 "e\xcc\x81"
                 "e\xcc\x81\n"
                 "e\xcc\x81\n");
    /* Not even one wide character fits: one a line, so that it ends. */
    expect_plain("漢字", 1, 0, "漢\n字\n");
    expect_plain("abc", 0, 0, "a\nb\nc\n");
}

static void plain_lines_are_indented_within_the_width(void **state)
{
    (void)state;
    expect_plain("one two three\n\nfour", 9, 2, "  one two\n  three\n\n  four\n");
}

static void plain_text_is_safe_to_print(void **state)
{
    (void)state;
    expect_plain("a\x1b[2Jb \xff", 40, 0, "a\\x1b[2Jb \xef\xbf\xbd\n");
    expect_plain("  \x1b]0;t\x07", 40, 0, "  \\x1b]0;t\\x07\n");
}

static void drawing_starts_at_any_line(void **state)
{
    (void)state;
    struct prose p;
    prose_wrap(&p, "one two three four", 5);
    struct canvas *c = canvas_new(7, 2);
    assert_int_equal(prose_draw(c, &p, 1, 0, 1, 2), 2);
    struct str out = STR_EMPTY;
    canvas_dump_text(c, &out);
    assert_string_equal(str_text(&out), " two\n three\n");
    assert_int_equal(prose_draw(c, &p, 0, 0, 3, 5), 1);
    assert_int_equal(prose_draw(c, &p, 0, 0, 4, 5), 0);
    str_free(&out);
    canvas_free(c);
    prose_free(&p);
}

/* All bytes of a text but blanks and the signs of markup. */
static void add_letters(struct str *out, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (strchr(" \n*`[]", text[i]) == NULL)
            str_addc(out, text[i]);
}

static void random_texts_fit_and_lose_no_letter(void **state)
{
    (void)state;
    static const char *const pieces[] = {"a",         "word", " ",    " ",         "\n", "\n\n",
                                         "*",         "`",    "[[",   "]]",        "漢", "é",
                                         "e\xcc\x81", "  ",   "\n  ", "longerword"};
    struct prng r = prng_seeded(7, "prose");
    for (int round = 0; round < 3000; round++) {
        struct str markup = STR_EMPTY, want = STR_EMPTY, got = STR_EMPTY;
        for (uint64_t n = prng_below(&r, 60); n > 0; n--)
            str_add(&markup, pieces[prng_below(&r, sizeof(pieces) / sizeof(pieces[0]))]);
        int columns = 2 + (int)prng_below(&r, 30);
        struct prose p;
        prose_wrap(&p, str_text(&markup), columns);
        for (size_t i = 0; i < p.line_count; i++) {
            int taken = 0;
            for (size_t k = 0; k < p.lines[i].runs; k++) {
                const struct prose_run *run = &p.runs[p.lines[i].first_run + k];
                taken += utf8_columns(p.text.text + run->at, run->length);
            }
            assert_true(taken <= columns);
        }
        add_letters(&want, str_text(&markup), markup.length);
        add_letters(&got, str_text(&p.text), p.text.length);
        assert_string_equal(str_text(&got), str_text(&want));
        prose_free(&p);
        str_free(&markup);
        str_free(&want);
        str_free(&got);
    }
}

static void a_megabyte_of_one_word_ends(void **state)
{
    (void)state;
    struct str markup = STR_EMPTY;
    str_pad(&markup, 'x', 1000000);
    struct prose p;
    prose_wrap(&p, str_text(&markup), 50);
    assert_int_equal(p.line_count, 20000);
    prose_free(&p);
    str_clear(&markup);
    for (int i = 0; i < 300000; i++)
        str_add(&markup, "*a ");
    prose_wrap(&p, str_text(&markup), 30);
    assert_int_equal(p.line_count, 30000);
    prose_free(&p);
    str_free(&markup);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_wrapped_and_marks_become_styles),
        cmocka_unit_test(a_literal_star_stays),
        cmocka_unit_test(stars_inside_code_are_code),
        cmocka_unit_test(blank_lines_part_paragraphs_once),
        cmocka_unit_test(indented_lines_are_kept_as_they_are),
        cmocka_unit_test(a_code_span_that_fits_a_line_is_not_broken),
        cmocka_unit_test(long_words_are_cut_between_clusters),
        cmocka_unit_test(plain_lines_are_indented_within_the_width),
        cmocka_unit_test(plain_text_is_safe_to_print),
        cmocka_unit_test(drawing_starts_at_any_line),
        cmocka_unit_test(random_texts_fit_and_lose_no_letter),
        cmocka_unit_test(a_megabyte_of_one_word_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
