/* Drawing lands where it should, in whole characters, and nowhere else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/prng.h"
#include "base/utf8.h"
#include "draw/canvas.h"

static void expect_text(const struct canvas *c, const char *expected)
{
    struct str out = STR_EMPTY;
    canvas_dump_text(c, &out);
    assert_string_equal(str_text(&out), expected);
    str_free(&out);
}

static void expect_dump(const struct canvas *c, const char *expected)
{
    struct str out = STR_EMPTY;
    canvas_dump(c, &out);
    assert_string_equal(str_text(&out), expected);
    str_free(&out);
}

static void text_is_styled_and_measured(void **state)
{
    (void)state;
    struct canvas *c = canvas_new(10, 2);
    assert_int_equal(canvas_text(c, 1, 0, STYLE_STRONG, "S2 é漢"), 6);
    assert_int_equal(canvas_textf(c, 0, 1, STYLE_CODE, "%d%%", 255), 4);
    expect_dump(c, "| S2 é漢   |\n"
                   "|255%      |\n"
                   "|.ssssss...|\n"
                   "|cccc......|\n");
    canvas_free(c);
}

static void text_is_cut_at_every_edge(void **state)
{
    (void)state;
    struct canvas *c = canvas_new(4, 2);
    assert_int_equal(canvas_text(c, -2, 0, STYLE_TEXT, "abcdefgh"), 8);
    canvas_text(c, 2, 1, STYLE_TEXT, "xyz");
    canvas_text(c, 0, -1, STYLE_TEXT, "no");
    canvas_text(c, 0, 2, STYLE_TEXT, "no");
    canvas_text(c, INT32_MAX, INT32_MAX, STYLE_TEXT, "no");
    canvas_text(c, INT32_MIN, 0, STYLE_TEXT, "no");
    expect_text(c, "cdef\n  xy\n");
    canvas_free(c);
}

static void control_characters_are_shown_not_sent(void **state)
{
    (void)state;
    struct canvas *c = canvas_new(16, 1);
    assert_int_equal(canvas_text(c, 0, 0, STYLE_TEXT, "a\x1b[2J\n\xff"), 13);
    expect_text(c, "a\\x1b[2J\\x0a\xef\xbf\xbd\n");
    canvas_clear(c);
    canvas_put(c, 0, 0, STYLE_TEXT, 0x1b);
    canvas_put(c, 1, 0, STYLE_TEXT, 0x301); /* a mark without a letter */
    canvas_put(c, 2, 0, STYLE_TEXT, 0x6F22);
    expect_text(c, "\xef\xbf\xbd\xef\xbf\xbd漢\n");
    canvas_free(c);
}

static void combining_marks_stay_with_their_letter(void **state)
{
    (void)state;
    struct canvas *c = canvas_new(4, 1);
    /* Two marks are kept; the third does not fit a cell. */
    assert_int_equal(canvas_text(c, 0, 0, STYLE_TEXT, "e\xcc\x81\xcc\xa3\xcc\x82x"), 2);
    struct canvas_cell cell;
    canvas_cell_at(c, 0, 0, &cell);
    assert_string_equal(cell.text, "e\xcc\x81\xcc\xa3");
    assert_int_equal(cell.width, 1);
    canvas_cell_at(c, 1, 0, &cell);
    assert_string_equal(cell.text, "x");
    canvas_clear(c);
    assert_int_equal(canvas_text(c, 0, 0, STYLE_TEXT, "\xcc\x81x"), 1);
    expect_text(c, "x\n");
    canvas_free(c);
}

static void half_a_wide_character_becomes_a_blank(void **state)
{
    (void)state;
    struct canvas *c = canvas_new(5, 3);
    canvas_text(c, 0, 0, STYLE_TEXT, "漢字");
    canvas_put(c, 1, 0, STYLE_TEXT, '|'); /* over the second half of the first */
    canvas_text(c, 0, 1, STYLE_TEXT, "漢字");
    canvas_put(c, 2, 1, STYLE_TEXT, '|');   /* over the first half of the second */
    canvas_text(c, 4, 2, STYLE_TEXT, "漢"); /* over the right edge */
    canvas_text(c, -1, 2, STYLE_TEXT, "漢x");
    expect_dump(c, "| |字 |\n"
                   "|漢|  |\n"
                   "| x   |\n"
                   "|.....|\n"
                   "|.....|\n"
                   "|.....|\n");
    struct canvas_cell cell;
    canvas_text(c, 0, 0, STYLE_TEXT, "漢");
    canvas_cell_at(c, 0, 0, &cell);
    assert_int_equal(cell.width, 2);
    canvas_cell_at(c, 1, 0, &cell);
    assert_int_equal(cell.width, 0);
    assert_string_equal(cell.text, "");
    canvas_free(c);
}

static void a_wide_character_over_two_others_blanks_both_rests(void **state)
{
    (void)state;
    struct canvas *c = canvas_new(4, 1);
    canvas_text(c, 0, 0, STYLE_TEXT, "漢字");
    canvas_text(c, 1, 0, STYLE_TEXT, "語");
    expect_dump(c, "| 語 |\n|....|\n");
    canvas_free(c);
}

static void fitted_text_ends_in_an_ellipsis(void **state)
{
    (void)state;
    struct canvas *c = canvas_new(8, 4);
    assert_int_equal(canvas_text_fit(c, 0, 0, 5, STYLE_TEXT, "abcde"), 5);
    assert_int_equal(canvas_text_fit(c, 0, 1, 5, STYLE_TEXT, "abcdef"), 5);
    assert_int_equal(canvas_text_fit(c, 0, 2, 4, STYLE_TEXT, "漢字語"), 3);
    assert_int_equal(canvas_text_fit(c, 0, 3, 1, STYLE_TEXT, "abc"), 1);
    assert_int_equal(canvas_text_fit(c, 0, 3, 0, STYLE_TEXT, "abc"), 0);
    expect_text(c, "abcde\nabcd…\n漢…\n…\n");
    canvas_free(c);
}

static void right_text_ends_before_its_column(void **state)
{
    (void)state;
    struct canvas *c = canvas_new(6, 2);
    assert_int_equal(canvas_text_right(c, 6, 0, STYLE_TEXT, "漢1"), 3);
    assert_int_equal(canvas_text_right(c, 2, 1, STYLE_TEXT, "1234"), 4);
    expect_text(c, "   漢1\n34\n");
    canvas_free(c);
}

static void lines_merge_where_they_meet(void **state)
{
    (void)state;
    struct canvas *c = canvas_new(9, 5);
    canvas_box(c, (struct rect){0, 0, 9, 5}, LINE_LIGHT, STYLE_DIM);
    canvas_hline(c, 0, 2, 9, LINE_LIGHT, STYLE_DIM);
    canvas_vline(c, 4, 0, 5, LINE_HEAVY, STYLE_FOCUS);
    expect_dump(c, "|╭───┰───╮|\n"
                   "|│   ┃   │|\n"
                   "|├───╂───┤|\n"
                   "|│   ┃   │|\n"
                   "|╰───┸───╯|\n"
                   "|ddddfdddd|\n"
                   "|d...f...d|\n"
                   "|ddddfdddd|\n"
                   "|d...f...d|\n"
                   "|ddddfdddd|\n");
    canvas_set_glyphs(c, GLYPHS_ASCII);
    expect_text(c, "+---+---+\n"
                   "|   |   |\n"
                   "+---+---+\n"
                   "|   |   |\n"
                   "+---+---+\n");
    canvas_free(c);
}

/* Draws a small half line from the middle of a 3x3 square in one direction. */
static void arm(struct canvas *c, int direction, enum line_weight w)
{
    if (direction == 0)
        canvas_vline(c, 1, 0, 2, w, STYLE_TEXT);
    else if (direction == 1)
        canvas_hline(c, 1, 1, 2, w, STYLE_TEXT);
    else if (direction == 2)
        canvas_vline(c, 1, 1, 2, w, STYLE_TEXT);
    else
        canvas_hline(c, 0, 1, 2, w, STYLE_TEXT);
}

static void every_mixture_of_weights_has_a_sign_of_its_own(void **state)
{
    (void)state;
    char seen[81][CANVAS_CELL_TEXT];
    int count = 0;
    for (int mixture = 0; mixture < 81; mixture++) {
        int weights[4] = {mixture % 3, mixture / 3 % 3, mixture / 9 % 3, mixture / 27};
        int arms = 0;
        struct canvas *c = canvas_new(3, 3);
        for (int d = 0; d < 4; d++) {
            if (weights[d] > 0) {
                arm(c, d, (enum line_weight)weights[d]);
                arms++;
            }
        }
        struct canvas_cell cell;
        canvas_cell_at(c, 1, 1, &cell);
        canvas_free(c);
        if (arms < 2)
            continue; /* half lines are shown whole */
        uint32_t point;
        utf8_decode(cell.text, strlen(cell.text), &point);
        assert_in_range(point, 0x2500, 0x257F);
        for (int i = 0; i < count; i++)
            assert_string_not_equal(seen[i], cell.text);
        memcpy(seen[count++], cell.text, sizeof(cell.text));
    }
    assert_int_equal(count, 81 - 9);
}

static void the_order_of_two_lines_does_not_matter(void **state)
{
    (void)state;
    struct prng r = prng_seeded(11, "lines");
    for (int round = 0; round < 200; round++) {
        int x = (int)prng_below(&r, 9) - 1, y = (int)prng_below(&r, 7) - 1;
        int length = 1 + (int)prng_below(&r, 8);
        struct rect box = {(int)prng_below(&r, 5), (int)prng_below(&r, 4),
                           1 + (int)prng_below(&r, 6), 1 + (int)prng_below(&r, 5)};
        struct str first = STR_EMPTY, second = STR_EMPTY;
        struct canvas *c = canvas_new(8, 6);
        canvas_box(c, box, LINE_HEAVY, STYLE_FOCUS);
        canvas_vline(c, x, y, length, LINE_LIGHT, STYLE_DIM);
        canvas_dump(c, &first);
        canvas_clear(c);
        canvas_vline(c, x, y, length, LINE_LIGHT, STYLE_DIM);
        canvas_box(c, box, LINE_HEAVY, STYLE_FOCUS);
        canvas_dump(c, &second);
        assert_string_equal(str_text(&first), str_text(&second));
        str_free(&first);
        str_free(&second);
        canvas_free(c);
    }
}

static void a_clipped_line_keeps_its_junctions(void **state)
{
    (void)state;
    struct canvas *c = canvas_new(6, 3);
    canvas_push(c, (struct rect){1, 0, 3, 3});
    canvas_box(c, (struct rect){-1, 0, 9, 3}, LINE_LIGHT, STYLE_TEXT);
    canvas_pop(c);
    expect_text(c, " ───\n\n ───\n");
    canvas_free(c);
}

static void text_replaces_lines_and_lines_replace_text(void **state)
{
    (void)state;
    struct canvas *c = canvas_new(5, 1);
    canvas_hline(c, 0, 0, 5, LINE_LIGHT, STYLE_TEXT);
    canvas_text(c, 1, 0, STYLE_TEXT, "漢");
    expect_text(c, "─漢──\n");
    canvas_hline(c, 2, 0, 1, LINE_HEAVY, STYLE_TEXT);
    expect_text(c, "─ ━──\n");
    canvas_free(c);
}

static void dots_gather_in_a_cell(void **state)
{
    (void)state;
    struct canvas *c = canvas_new(4, 1);
    canvas_dot(c, 0, 0, STYLE_OWNER_0);
    canvas_dot(c, 2, 3, STYLE_OWNER_0);
    canvas_dot(c, 3, 0, STYLE_OWNER_0);
    canvas_dot(c, 3, 1, STYLE_OWNER_0);
    for (int y = 0; y < 4; y++) {
        canvas_dot(c, 4, y, STYLE_OWNER_0);
        canvas_dot(c, 5, y, STYLE_OWNER_0);
    }
    canvas_dot(c, -1, 0, STYLE_OWNER_0);
    canvas_dot(c, 0, -1, STYLE_OWNER_0);
    canvas_dot(c, INT32_MIN, INT32_MAX, STYLE_OWNER_0);
    expect_dump(c, "|⠁⡘⣿ |\n|000.|\n");
    canvas_set_glyphs(c, GLYPHS_ASCII);
    expect_dump(c, "|.:# |\n|000.|\n");
    canvas_free(c);
}

static void dots_left_of_the_frame_fall_in_their_own_cell(void **state)
{
    (void)state;
    struct canvas *c = canvas_new(3, 2);
    canvas_push(c, (struct rect){1, 1, 2, 1});
    canvas_dot(c, 0, 0, STYLE_TEXT);
    canvas_dot(c, -1, 0, STYLE_TEXT); /* outside: the cell before the frame */
    canvas_pop(c);
    expect_text(c, "\n ⠁\n");
    canvas_free(c);
}

static void bars_end_in_an_eighth(void **state)
{
    (void)state;
    struct canvas *c = canvas_new(5, 4);
    canvas_bar(c, 0, 0, 17, STYLE_OWNER_0);
    canvas_bar(c, 0, 1, 8, STYLE_OWNER_0);
    canvas_bar(c, 0, 2, INT32_MAX, STYLE_OWNER_0);
    canvas_bar(c, 0, 3, 0, STYLE_OWNER_0);
    canvas_bar(c, -1, 3, 15, STYLE_OWNER_0);
    expect_text(c, "██▏\n█\n█████\n▉\n");
    canvas_set_glyphs(c, GLYPHS_ASCII);
    expect_text(c, "###\n#\n#####\n#\n");
    canvas_free(c);
}

static void frames_move_and_narrow(void **state)
{
    (void)state;
    struct canvas *c = canvas_new(8, 3);
    canvas_push(c, (struct rect){2, 1, 4, 2});
    assert_int_equal(canvas_width(c), 4);
    canvas_text(c, 0, 0, STYLE_TEXT, "abcdef");
    canvas_push(c, (struct rect){-1, 1, 3, 9});
    assert_int_equal(canvas_width(c), 3);
    assert_int_equal(canvas_height(c), 9);
    canvas_text(c, 0, 0, STYLE_TEXT, "xyzw");
    canvas_pop(c);
    canvas_pop(c);
    assert_int_equal(canvas_width(c), 8);
    expect_text(c, "\n  abcd\n  yz\n");
    canvas_free(c);
}

static void a_fill_covers_its_area_only(void **state)
{
    (void)state;
    struct canvas *c = canvas_new(7, 3);
    canvas_fill(c, (struct rect){1, 0, 3, 2}, STYLE_SELECTED, '.');
    canvas_fill(c, (struct rect){4, 1, 99, 99}, STYLE_TEXT, 0x6F22);
    canvas_fill(c, (struct rect){0, 0, -1, 2}, STYLE_TEXT, '!');
    expect_dump(c, "| ...   |\n"
                   "| ...漢 |\n"
                   "|    漢 |\n"
                   "|.rrr...|\n"
                   "|.rrr...|\n"
                   "|.......|\n");
    canvas_free(c);
}

static void a_restyle_keeps_the_text(void **state)
{
    (void)state;
    struct canvas *c = canvas_new(6, 1);
    canvas_text(c, 0, 0, STYLE_TEXT, "a漢b字");
    canvas_restyle(c, (struct rect){1, 0, 1, 1}, STYLE_SELECTED); /* first half: the whole */
    canvas_restyle(c, (struct rect){5, 0, 1, 1}, STYLE_SELECTED); /* second half: nothing */
    expect_dump(c, "|a漢b字|\n|.rr...|\n");
    canvas_free(c);
}

static void the_last_cursor_inside_the_clip_counts(void **state)
{
    (void)state;
    struct canvas *c = canvas_new(6, 3);
    int x = -1, y = -1;
    assert_false(canvas_cursor_at(c, &x, &y));
    canvas_push(c, (struct rect){2, 1, 3, 2});
    canvas_cursor(c, 1, 1);
    canvas_pop(c);
    assert_true(canvas_cursor_at(c, &x, &y));
    assert_int_equal(x, 3);
    assert_int_equal(y, 2);
    canvas_cursor(c, 6, 0);
    assert_false(canvas_cursor_at(c, &x, &y));
    canvas_cursor(c, 0, 0);
    canvas_clear(c);
    assert_false(canvas_cursor_at(c, &x, &y));
    canvas_free(c);
}

static void sizes_are_clamped(void **state)
{
    (void)state;
    struct canvas *c = canvas_new(0, -4);
    assert_int_equal(canvas_columns(c), 1);
    assert_int_equal(canvas_rows(c), 1);
    canvas_text(c, 0, 0, STYLE_TEXT, "漢");
    expect_dump(c, "| |\n|.|\n");
    canvas_resize(c, 100000, 100000);
    assert_int_equal(canvas_columns(c), CANVAS_COLUMNS_MAX);
    assert_int_equal(canvas_rows(c), CANVAS_ROWS_MAX);
    canvas_free(c);
}

static void ascii_keeps_the_columns_of_wide_characters(void **state)
{
    (void)state;
    struct canvas *c = canvas_new(12, 1);
    canvas_set_glyphs(c, GLYPHS_ASCII);
    canvas_text(c, 0, 0, STYLE_TEXT, "a漢b→…e\xcc\x81");
    expect_dump(c, "|a? b>.e     |\n|............|\n");
    canvas_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_is_styled_and_measured),
        cmocka_unit_test(text_is_cut_at_every_edge),
        cmocka_unit_test(control_characters_are_shown_not_sent),
        cmocka_unit_test(combining_marks_stay_with_their_letter),
        cmocka_unit_test(half_a_wide_character_becomes_a_blank),
        cmocka_unit_test(a_wide_character_over_two_others_blanks_both_rests),
        cmocka_unit_test(fitted_text_ends_in_an_ellipsis),
        cmocka_unit_test(right_text_ends_before_its_column),
        cmocka_unit_test(lines_merge_where_they_meet),
        cmocka_unit_test(every_mixture_of_weights_has_a_sign_of_its_own),
        cmocka_unit_test(the_order_of_two_lines_does_not_matter),
        cmocka_unit_test(a_clipped_line_keeps_its_junctions),
        cmocka_unit_test(text_replaces_lines_and_lines_replace_text),
        cmocka_unit_test(dots_gather_in_a_cell),
        cmocka_unit_test(dots_left_of_the_frame_fall_in_their_own_cell),
        cmocka_unit_test(bars_end_in_an_eighth),
        cmocka_unit_test(frames_move_and_narrow),
        cmocka_unit_test(a_fill_covers_its_area_only),
        cmocka_unit_test(a_restyle_keeps_the_text),
        cmocka_unit_test(the_last_cursor_inside_the_clip_counts),
        cmocka_unit_test(sizes_are_clamped),
        cmocka_unit_test(ascii_keeps_the_columns_of_wide_characters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
