/*
 * The runs behind a table's rows, and the placement check, with the keyboard.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/file.h"
#include "drive.h"

#define RUNS "tests/data/lessons/36_runs.lua"

static struct ui *open_runs(void)
{
    struct err err;
    struct ui *ui = drive_open((struct drive_size){100, 30, GLYPHS_UTF8});
    if (!course_open_path(ui, RUNS, &err)) {
        fail_msg("%s", err.text);
    }
    ui_draw(ui);
    return ui;
}

static size_t log_lines(const char *part)
{
    struct str path = STR_EMPTY, log = STR_EMPTY;
    struct err err;
    size_t lines = 0;
    str_addf(&path, "%s/hotshard/progress", getenv("XDG_STATE_HOME"));
    assert_true(file_read(str_text(&path), 100000, &log, &err));
    for (const char *at = str_text(&log); (at = strstr(at, part)) != NULL; at++) {
        lines++;
    }
    str_free(&path);
    str_free(&log);
    return lines;
}

static void test_a_row_is_opened_and_left(void **state)
{
    (void)state;
    drive_fresh_home();
    struct ui *ui = open_runs();
    drive_press(ui, LKEY_TAB);
    drive_press(ui, LKEY_DOWN);
    drive_press(ui, LKEY_DOWN);
    drive_press(ui, LKEY_ENTER); /* the table is covered: this asks for the answer */
    assert_string_equal(course_page(ui)->visiting, "");
    drive_press(ui, '2');
    assert_true(course_page(ui)->question.right);
    assert_true(drive_shows(ui, "306"));
    size_t acts = log_lines("\n");
    struct digest before = player_digest(ui->course.player);
    assert_true(drive_shows(ui, "enter opens this run"));
    drive_press(ui, LKEY_ENTER);
    assert_string_equal(course_page(ui)->visiting, "cache");
    assert_true(drive_shows(ui, "The run of \"cache\" (esc leads back)"));
    assert_true(drive_shows(ui, "20:02:02.000"));
    assert_true(drive_shows(ui, "out of this run"));
    drive_press(ui, 'L'); /* a knob is no part of the run */
    assert_true(drive_shows(ui, "leave this run with esc first"));
    drive_press(ui, '.');
    assert_true(world_events(player_world(ui->course.player)) > 0);
    drive_press(ui, LKEY_ESCAPE);
    assert_string_equal(course_page(ui)->visiting, "");
    assert_true(drive_shows(ui, "Part 4"));
    assert_true(digest_equal(before, player_digest(ui->course.player)));
    assert_int_equal(log_lines("\n"), acts); /* of a visit nothing is kept */
    drive_press(ui, LKEY_DOWN);
    drive_press(ui, LKEY_DOWN);
    drive_press(ui, LKEY_ENTER); /* a row without a run: enter is what it always is */
    assert_string_equal(course_page(ui)->step_id, "near");
    drive_close(ui);
}

static void test_a_knob_makes_the_table_anew(void **state)
{
    (void)state;
    drive_fresh_home();
    struct ui *ui = open_runs();
    drive_press(ui, '2');
    assert_true(drive_shows(ui, "8 salts"));
    assert_true(drive_shows(ui, "sub-keys 8 (of 2, 8)")); /* what the lesson calls it */
    assert_true(drive_shows(ui, "L sub-keys"));
    assert_false(drive_shows(ui, "L salt"));
    drive_press(ui, '?');
    assert_true(drive_shows(ui, "sub-keys"));
    drive_press(ui, LKEY_ESCAPE);
    drive_press(ui, 'L');
    assert_true(drive_shows(ui, "2 salts"));
    assert_string_equal(course_page(ui)->knob[0].value, "2");
    assert_true(log_lines("knob%20salt%202") == 1);
    drive_press(ui, 'u');
    assert_true(drive_shows(ui, "8 salts"));
    drive_close(ui);
}

static void test_the_check_is_taken(void **state)
{
    (void)state;
    drive_fresh_home();
    struct ui *ui = open_runs();
    assert_true(drive_shows(ui, "you know this?"));
    drive_press(ui, 'P');
    assert_true(drive_shows(ui, "Do you know this?"));
    assert_true(drive_shows(ui, "1/2"));
    drive_press(ui, 'b');
    assert_string_equal(course_page(ui)->step_id, "table");
    drive_press(ui, 'P');
    drive_press(ui, '1'); /* not right: the beginning */
    assert_true(drive_shows(ui, "first"));
    drive_press(ui, ' ');
    assert_string_equal(course_page(ui)->step_id, "table");
    drive_press(ui, 'P');
    drive_press(ui, '2');
    drive_press(ui, ' ');
    assert_true(drive_shows(ui, "2/2"));
    drive_press(ui, '1');
    drive_press(ui, ' ');
    assert_string_equal(course_page(ui)->step_id, "far");
    assert_true(drive_shows(ui, "3/3"));
    assert_int_equal(log_lines(" step 36_runs check"), 0);
    assert_int_equal(log_lines(" answer 36_runs check-one"), 2);
    assert_int_equal(log_lines(" step 36_runs far"), 1);
    drive_close(ui);
    ui = open_runs(); /* and is taken up there */
    assert_string_equal(course_page(ui)->step_id, "far");
    drive_press(ui, 'P');
    assert_true(drive_shows(ui, "That key has nothing to do"));
    drive_press(ui, ' ');
    assert_int_equal(ui->screen, SCREEN_HOME);
    assert_true(drive_shows(ui, "You knew what 2 steps teach"));
    assert_false(drive_shows(ui, "shown to you"));
    drive_close(ui);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_row_is_opened_and_left),
        cmocka_unit_test(test_a_knob_makes_the_table_anew),
        cmocka_unit_test(test_the_check_is_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
