/* Help and the key line: made of the key table's rows, searchable, nothing cut in half. */
#include "scenes.h"
#include "view/help.h"

static const struct help_row rows[] = {
    {"space, enter", "go on", "Lesson", false},
    {"b, backspace", "go back", "Lesson", false},
    {"1 - 9", "choose an answer", "Lesson", false},
    {"h", "show a hint", "Lesson", false},
    {"r", "send a request through the router", "Lesson", false},
    {"tab", "next pane", "Picture", false},
    {"up, down, left, right", "move the selection", "Picture", false},
    {"z, Z", "closer, farther", "Picture", false},
    {"i", "inspect: what is it, and why", "Picture", false},
    {"?, f1", "help", "Everywhere", true},
    {"ctrl-l", "redraw", "Everywhere", false},
    {"q", "leave", "Everywhere", true},
};
#define ROWS (sizeof rows / sizeof rows[0])

static void check(const struct help_state *at, const char *name, int columns, int height,
                  enum glyphs glyphs)
{
    char file[128];
    struct str dump = STR_EMPTY;
    struct canvas *c = canvas_new(columns, height);
    canvas_set_glyphs(c, glyphs);
    help_draw(c, rows, ROWS, at);
    canvas_dump(c, &dump);
    canvas_free(c);
    (void)snprintf(file, sizeof file, "help_%s_%dx%d_%s", name, columns, height,
                   glyphs == GLYPHS_UTF8 ? "utf8" : "ascii");
    golden_text(file, str_text(&dump));
    str_free(&dump);
}

static void all_rows_in_groups(void **state)
{
    (void)state;
    struct help_state top = {0}, end = {.selected = ROWS - 1}, filtered = {.filter = "GO"};
    check(&top, "all", 60, 20, GLYPHS_UTF8);
    check(&end, "end", 60, 10, GLYPHS_UTF8);
    check(&end, "end", 60, 10, GLYPHS_ASCII);
    check(&filtered, "filtered", 60, 10, GLYPHS_UTF8);
}

static void the_selected_row_is_always_drawn(void **state)
{
    (void)state;
    for (int height = 3; height < 24; height++) {
        for (size_t selected = 0; selected < ROWS; selected++) {
            struct help_state at = {.selected = selected};
            struct canvas *c = canvas_new(60, height);
            int x, y;
            help_draw(c, rows, ROWS, &at);
            assert_true(canvas_cursor_at(c, &x, &y));
            canvas_free(c);
        }
    }
}

static void matching_ignores_case_and_looks_everywhere(void **state)
{
    (void)state;
    size_t index[ROWS];
    assert_int_equal(help_matching(rows, ROWS, "", index), ROWS);
    assert_int_equal(help_matching(rows, ROWS, "everyWHERE", index), 3);
    assert_int_equal(index[0], 9);
    assert_int_equal(help_matching(rows, ROWS, "ctrl-l", index), 1);
    assert_int_equal(help_matching(rows, ROWS, "no such", index), 0);
}

static void the_key_line_shows_what_fits_whole(void **state)
{
    (void)state;
    struct str dump = STR_EMPTY;
    struct canvas *c = canvas_new(40, 1);
    int taken = key_line_draw(c, 0, rows, ROWS);
    canvas_dump_text(c, &dump);
    assert_string_equal(str_text(&dump), " space go on  ? help  q leave\n");
    assert_int_equal(taken, 29);
    str_clear(&dump);
    canvas_resize(c, 80, 1);
    (void)key_line_draw(c, 0, rows, ROWS);
    canvas_dump_text(c, &dump);
    assert_string_equal(str_text(&dump), " space go on  b go back  1 - 9 choose an answer  "
                                         "h show a hint  ? help  q leave\n");
    str_free(&dump);
    canvas_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_rows_in_groups),
        cmocka_unit_test(the_selected_row_is_always_drawn),
        cmocka_unit_test(matching_ignores_case_and_looks_everywhere),
        cmocka_unit_test(the_key_line_shows_what_fits_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
