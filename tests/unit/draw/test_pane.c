/* Rectangles are cut without loss; frames have titles; small windows say what they need. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "draw/pane.h"

static void expect_rect(struct rect r, int x, int y, int w, int h)
{
    if (r.x != x || r.y != y || r.w != w || r.h != h)
        fail_msg("%d,%d %dx%d is not %d,%d %dx%d", r.x, r.y, r.w, r.h, x, y, w, h);
}

static void expect_dump(const struct canvas *c, const char *expected)
{
    struct str out = STR_EMPTY;
    canvas_dump(c, &out);
    assert_string_equal(str_text(&out), expected);
    str_free(&out);
}

static void cuts_share_the_rectangle(void **state)
{
    (void)state;
    struct rect whole = {2, 3, 10, 6}, rest;
    expect_rect(rect_cut_top(whole, 2, &rest), 2, 3, 10, 2);
    expect_rect(rest, 2, 5, 10, 4);
    expect_rect(rect_cut_bottom(whole, 2, &rest), 2, 7, 10, 2);
    expect_rect(rest, 2, 3, 10, 4);
    expect_rect(rect_cut_left(whole, 4, &rest), 2, 3, 4, 6);
    expect_rect(rest, 6, 3, 6, 6);
    expect_rect(rect_cut_right(whole, 4, &rest), 8, 3, 4, 6);
    expect_rect(rest, 2, 3, 6, 6);
}

static void a_cut_takes_at_most_what_there_is(void **state)
{
    (void)state;
    struct rect whole = {0, 0, 10, 6}, rest;
    expect_rect(rect_cut_top(whole, 99, &rest), 0, 0, 10, 6);
    expect_rect(rest, 0, 6, 10, 0);
    expect_rect(rect_cut_right(whole, 99, &rest), 0, 0, 10, 6);
    expect_rect(rest, 0, 0, 0, 6);
    expect_rect(rect_cut_left(whole, -5, &rest), 0, 0, 0, 6);
    expect_rect(rest, 0, 0, 10, 6);
    expect_rect(rect_cut_bottom((struct rect){0, 0, 10, -3}, 2, &rest), 0, 0, 10, 0);
    expect_rect(rest, 0, 0, 10, 0);
}

static void an_inset_never_turns_inside_out(void **state)
{
    (void)state;
    expect_rect(rect_inset((struct rect){0, 0, 10, 6}, 1), 1, 1, 8, 4);
    expect_rect(rect_inset((struct rect){5, 5, 2, 6}, 1), 6, 6, 0, 4);
    expect_rect(rect_inset((struct rect){5, 5, 1, 1}, 3), 6, 6, 0, 0);
}

static void a_pane_has_its_title_in_the_frame(void **state)
{
    (void)state;
    struct canvas *c = canvas_new(14, 3);
    expect_rect(draw_pane(c, (struct rect){0, 0, 14, 3}, "Ring", false), 1, 1, 12, 1);
    expect_dump(c, "|╭─ Ring ─────╮|\n"
                   "|│            │|\n"
                   "|╰────────────╯|\n"
                   "|ddttttttdddddd|\n"
                   "|d............d|\n"
                   "|dddddddddddddd|\n");
    canvas_free(c);
}

static void focus_shows_without_colour(void **state)
{
    (void)state;
    struct canvas *c = canvas_new(14, 3);
    draw_pane(c, (struct rect){0, 0, 14, 3}, "Ring", true);
    expect_dump(c, "|┏━ ▸ Ring ━━━┓|\n"
                   "|┃            ┃|\n"
                   "|┗━━━━━━━━━━━━┛|\n"
                   "|ffffffffffffff|\n"
                   "|f............f|\n"
                   "|ffffffffffffff|\n");
    canvas_set_glyphs(c, GLYPHS_ASCII);
    canvas_clear(c);
    draw_pane(c, (struct rect){0, 0, 14, 3}, "Ring", true);
    expect_dump(c, "|+= * Ring ===+|\n"
                   "||            ||\n"
                   "|+============+|\n"
                   "|ffffffffffffff|\n"
                   "|f............f|\n"
                   "|ffffffffffffff|\n");
    canvas_free(c);
}

static void a_long_title_is_cut_and_a_hopeless_one_left_out(void **state)
{
    (void)state;
    struct canvas *c = canvas_new(10, 2);
    draw_pane(c, (struct rect){0, 0, 10, 2}, "Managed splitting", false);
    expect_dump(c, "|╭─ Mana… ╮|\n"
                   "|╰────────╯|\n"
                   "|ddtttttttd|\n"
                   "|dddddddddd|\n");
    canvas_clear(c);
    draw_pane(c, (struct rect){0, 0, 5, 2}, "Managed splitting", false);
    draw_pane(c, (struct rect){6, 0, 1, 1}, "x", true);
    draw_pane(c, (struct rect){8, 0, 0, 0}, "x", true);
    expect_dump(c, "|╭───╮ ━   |\n"
                   "|╰───╯     |\n"
                   "|ddddd.f...|\n"
                   "|ddddd.....|\n");
    canvas_free(c);
}

static void panes_side_by_side_share_their_wall(void **state)
{
    (void)state;
    struct canvas *c = canvas_new(9, 3);
    draw_pane(c, (struct rect){0, 0, 5, 3}, "", true);
    draw_pane(c, (struct rect){4, 0, 5, 3}, "", false);
    expect_dump(c, "|┏━━━┱───╮|\n"
                   "|┃   ┃   │|\n"
                   "|┗━━━┹───╯|\n"
                   "|fffffdddd|\n"
                   "|f...f...d|\n"
                   "|fffffdddd|\n");
    canvas_free(c);
}

static void expect_too_small(int columns, int rows, const char *line)
{
    struct canvas *c = canvas_new(columns, rows);
    draw_too_small(c);
    struct str out = STR_EMPTY;
    canvas_dump_text(c, &out);
    const char *text = str_text(&out);
    text += strspn(text, " \n");
    size_t length = strcspn(text, "\n");
    assert_int_equal(length, strlen(line));
    assert_memory_equal(text, line, length);
    str_free(&out);
    canvas_free(c);
}

static void a_small_window_says_what_it_needs(void **state)
{
    (void)state;
    expect_too_small(40, 10, "80x24 needed, this window is 40x10");
    expect_too_small(200, 2, "80x24 needed, this window is 200x2");
    expect_too_small(24, 10, "need 80x24, have 24x10");
    expect_too_small(9, 3, "80x24");
    expect_too_small(4, 1, "+");
    expect_too_small(1, 1, "+");
}

static void the_small_window_line_is_centred(void **state)
{
    (void)state;
    struct canvas *c = canvas_new(9, 3);
    draw_too_small(c);
    expect_dump(c, "|         |\n"
                   "|  80x24  |\n"
                   "|         |\n"
                   "|.........|\n"
                   "|.........|\n"
                   "|.........|\n");
    canvas_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cuts_share_the_rectangle),
        cmocka_unit_test(a_cut_takes_at_most_what_there_is),
        cmocka_unit_test(an_inset_never_turns_inside_out),
        cmocka_unit_test(a_pane_has_its_title_in_the_frame),
        cmocka_unit_test(focus_shows_without_colour),
        cmocka_unit_test(a_long_title_is_cut_and_a_hopeless_one_left_out),
        cmocka_unit_test(panes_side_by_side_share_their_wall),
        cmocka_unit_test(a_small_window_says_what_it_needs),
        cmocka_unit_test(the_small_window_line_is_centred),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
