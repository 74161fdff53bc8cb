/*
 * Typing a command: all of them are told, names completed, earlier lines recalled; what comes next
 * is said.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "drive.h"

static const struct drive_size usual = {100, 30, GLYPHS_UTF8};

static struct ui *lesson_at(const char *step_id)
{
    drive_fresh_home();
    struct ui *ui = drive_open(usual);
    drive_lesson(ui);
    drive_to(ui, step_id);
    return ui;
}

static void command(struct ui *ui, const char *line)
{
    drive_press(ui, ':');
    drive_type(ui, line);
    drive_press(ui, LKEY_ENTER);
}

static const char *typed(struct ui *ui)
{
    assert_int_equal(ui_context(ui), IN_COMMAND);
    return popup_top(ui)->field.text;
}

static void assert_shows(struct ui *ui, const char *text)
{
    if (!drive_shows(ui, text)) {
        fail_msg("not on the screen: %s", text);
    }
}

static void the_help_is_a_box_that_scrolls(void **state)
{
    (void)state;
    struct ui *ui = lesson_at("the-truth");
    static const char *const lines[] = {"help", "HELP", " help "};
    for (size_t i = 0; i < 3; i++) {
        command(ui, lines[i]);
        assert_shows(ui, "All commands");
        assert_shows(ui, "like KEY");
        drive_press(ui, LKEY_END);
        assert_shows(ui, "patience ROUTER_MS [CLIENT_MS]");
        drive_press(ui, LKEY_ESCAPE);
        assert_int_equal(ui->popups, 0);
    }
    command(ui, "help migrate");
    assert_shows(ui, "RATE: bytes a second, units as well; may be left out after `budget`");
    drive_press(ui, LKEY_ESCAPE);
    command(ui, "help migrat");
    assert_shows(ui, "\"migrat\" is no command; did you mean migrate?");
    drive_close(ui);
}

static void the_help_opens_over_the_line_being_typed(void **state)
{
    (void)state;
    struct ui *ui = lesson_at("the-truth");
    drive_press(ui, ':');
    drive_press(ui, '?');
    assert_shows(ui, "All commands");
    drive_press(ui, LKEY_ESCAPE);
    assert_string_equal(typed(ui), "");
    drive_type(ui, "like a?"); /* a key may have one */
    assert_string_equal(typed(ui), "like a?");
    drive_press(ui, LKEY_F1);
    assert_shows(ui, "All commands");
    drive_press(ui, LKEY_ESCAPE);
    assert_string_equal(typed(ui), "like a?");
    drive_close(ui);
}

static void tab_completes_names_in_turn(void **state)
{
    (void)state;
    struct ui *ui = lesson_at("the-truth");
    drive_press(ui, ':');
    drive_type(ui, "mi");
    drive_press(ui, LKEY_TAB);
    assert_string_equal(typed(ui), "migrate");
    drive_press(ui, 21); /* ctrl-u: erases all */
    drive_type(ui, "re");
    static const char *const turn[] = {"read",    "request", "reads",  "replicas",
                                       "rebuild", "reload",  "recopy", "read"};
    for (size_t i = 0; i < 8; i++) {
        drive_press(ui, LKEY_TAB);
        assert_string_equal(typed(ui), turn[i]);
    }
    drive_press(ui, LKEY_SHIFT_TAB);
    assert_string_equal(typed(ui), "recopy");
    drive_press(ui, LKEY_SHIFT_TAB);
    assert_string_equal(typed(ui), "reload");
    drive_type(ui, " R5");
    drive_press(ui, LKEY_TAB);
    assert_string_equal(typed(ui), "reload R5");
    assert_shows(ui, "Only the name of a command is completed.");
    drive_press(ui, 21);
    drive_type(ui, "help MIG");
    drive_press(ui, LKEY_TAB);
    assert_string_equal(typed(ui), "help migrate");
    drive_press(ui, 21);
    drive_type(ui, "xy");
    drive_press(ui, LKEY_TAB);
    assert_string_equal(typed(ui), "xy");
    assert_shows(ui, "No command begins with \"xy\".");
    drive_close(ui);
}

static void up_and_down_bring_lines_back(void **state)
{
    (void)state;
    struct ui *ui = lesson_at("the-truth");
    drive_press(ui, ':');
    drive_press(ui, LKEY_UP);
    assert_shows(ui, "There is no earlier line.");
    drive_press(ui, LKEY_ESCAPE);
    command(ui, "deaf R5 on");
    command(ui, "deaf R5 onn"); /* wrong ones are worth correcting */
    drive_press(ui, ':');
    drive_type(ui, "fen");
    drive_press(ui, LKEY_UP);
    assert_string_equal(typed(ui), "deaf R5 onn");
    drive_press(ui, LKEY_UP);
    assert_string_equal(typed(ui), "deaf R5 on");
    drive_press(ui, LKEY_UP);
    assert_string_equal(typed(ui), "deaf R5 on");
    drive_press(ui, LKEY_DOWN);
    drive_press(ui, LKEY_DOWN);
    assert_string_equal(typed(ui), "fen");
    drive_press(ui, LKEY_ESCAPE);
    for (int i = 0; i < UI_LINES_MAX + 3; i++) {
        char line[32];
        snprintf(line, sizeof line, "reload R%d", i % 6);
        command(ui, line);
    }
    assert_int_equal(ui->lines, UI_LINES_MAX);
    drive_press(ui, ':');
    drive_press(ui, LKEY_UP);
    assert_string_equal(typed(ui), "reload R4");
    drive_close(ui);
}

static void a_command_is_said_back_or_what_comes_next(void **state)
{
    (void)state;
    struct ui *ui = lesson_at("the-truth");
    command(ui, "like");
    assert_shows(ui, "the key is missing; write: like KEY");
    command(ui, "Budget 3MB");
    assert_shows(ui, "Done: budget 3000000");
    command(ui, "migrate 5 S3 200MB");
    assert_shows(ui, "migrate: the copy takes 66.7 s; then: fence 5");
    command(ui, "crash R4");
    assert_shows(ui, "crash: R4 is down for 1 s");
    uint64_t before = world_last_request(player_world(ui->course.player));
    command(ui, "LIKE likes:{p9} via R2");
    struct request_info info;
    uint64_t after = world_last_request(player_world(ui->course.player));
    assert_int_not_equal(after, before);
    assert_true(world_request(player_world(ui->course.player), after, &info));
    assert_int_equal(info.router, 2);
    assert_int_equal(info.op, OP_LIKE);
    drive_close(ui);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_help_is_a_box_that_scrolls),
        cmocka_unit_test(the_help_opens_over_the_line_being_typed),
        cmocka_unit_test(tab_completes_names_in_turn),
        cmocka_unit_test(up_and_down_bring_lines_back),
        cmocka_unit_test(a_command_is_said_back_or_what_comes_next),
    };
    return cmocka_run_group_tests_name("command line", tests, NULL, NULL);
}
