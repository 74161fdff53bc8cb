/*
 * Keys do what the table says, where it says so, and nothing else.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/file.h"
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

static void paste(struct ui *ui, const char *text)
{
    drive_press(ui, LKEY_PASTE_START);
    drive_type(ui, text);
    drive_press(ui, LKEY_PASTE_END);
}

static void test_pasted_text_is_never_a_command(void **state)
{
    (void)state;
    struct ui *ui = lesson_at("one-of-four");
    paste(ui, "q\nq\n3 s\x1b");
    assert_false(ui->quit);
    assert_int_equal(ui->screen, SCREEN_LESSON);
    assert_int_equal(course_page(ui)->question.state, QUESTION_OPEN);
    assert_true(drive_shows(ui, "pasted"));
    drive_press(ui, 'q');
    paste(ui, "q");
    assert_false(ui->quit);
    drive_close(ui);
}

static void test_letters_of_a_text_answer_are_text(void **state)
{
    (void)state;
    struct err err;
    drive_fresh_home();
    struct ui *ui = drive_open(usual);
    assert_true(course_open_path(ui, "tests/data/lessons/11_word.lua", &err));
    assert_int_equal(course_page(ui)->question.kind, QUESTION_TEXT);
    drive_type(ui, "q?bs");
    assert_string_equal(ui->course.field.text, "q?bs");
    assert_int_equal(ui->popups, 0);
    drive_press(ui, 21); /* ctrl-u */
    paste(ui, "S\n2");
    assert_string_equal(ui->course.field.text, "S 2");
    drive_press(ui, LKEY_ESCAPE);
    drive_press(ui, '?');
    assert_int_equal(ui->popups, 1);
    drive_press(ui, LKEY_ESCAPE);
    drive_press(ui, 'A'); /* back to typing */
    drive_press(ui, 21);
    drive_type(ui, "s2");
    drive_press(ui, LKEY_ENTER);
    assert_int_equal(course_page(ui)->question.state, QUESTION_ANSWERED);
    assert_true(course_page(ui)->question.right);
    drive_close(ui);
}

static void test_digits_open_the_field_of_a_number(void **state)
{
    (void)state;
    struct ui *ui = lesson_at("to-a-number");
    drive_press(ui, ' ');
    assert_string_equal(course_page(ui)->step_id, "to-a-number"); /* it asks */
    drive_type(ui, "12,068");
    drive_press(ui, LKEY_BACKSPACE);
    drive_press(ui, '7');
    assert_string_equal(ui->course.field.text, "12,067");
    drive_press(ui, LKEY_ENTER);
    assert_true(course_page(ui)->question.judged);
    assert_true(course_page(ui)->question.right);
    drive_close(ui);
}

static void test_several_choices_are_marked_then_sent(void **state)
{
    (void)state;
    struct ui *ui = lesson_at("the-tag");
    drive_type(ui, "5132");
    assert_string_equal(ui->course.field.text, "1 2 3 5");
    drive_press(ui, '2'); /* unmarks */
    assert_string_equal(ui->course.field.text, "1 3 5");
    assert_int_equal(course_page(ui)->question.state, QUESTION_OPEN);
    drive_press(ui, LKEY_ENTER);
    assert_true(course_page(ui)->question.right);
    drive_close(ui);
}

static void test_help_lists_what_works_and_runs_what_is_chosen(void **state)
{
    (void)state;
    struct ui *ui = lesson_at("recall");
    struct shown_rows rows;
    shown_for_help(ui, IN_LESSON, &rows);
    for (size_t i = 0; i < rows.count; i++) {
        assert_true(action_works(ui, rows.action[i], IN_LESSON));
        assert_int_not_equal(rows.action[i], ACT_BACK);  /* the first step */
        assert_int_not_equal(rows.action[i], ACT_ROUTE); /* not offered here */
    }
    drive_press(ui, '?');
    assert_true(drive_shows(ui, "Keys that work here"));
    drive_press(ui, '/');
    drive_type(ui, "pictures in");
    drive_press(ui, LKEY_ENTER);
    assert_true(drive_shows(ui, "pictures in words"));
    drive_press(ui, LKEY_ENTER); /* runs it: the description opens */
    assert_int_equal(ui->popups, 1);
    assert_int_equal(ui->popup[0].kind, POPUP_TEXT);
    drive_press(ui, LKEY_ESCAPE);
    assert_int_equal(ui->popups, 0);
    assert_int_equal(ui->screen, SCREEN_LESSON);
    drive_close(ui);
}

static void test_escape_closes_the_topmost_only(void **state)
{
    (void)state;
    struct ui *ui = lesson_at("write-a-tag");
    drive_press(ui, 'r');
    assert_int_equal(ui->popups, 1);
    drive_type(ui, "xyz");
    drive_press(ui, LKEY_F1);
    assert_int_equal(ui->popups, 2);
    drive_press(ui, '/');
    drive_type(ui, "e");
    drive_press(ui, LKEY_ESCAPE); /* the search */
    assert_int_equal(ui->popups, 2);
    drive_press(ui, LKEY_ESCAPE); /* the help */
    assert_int_equal(ui->popups, 1);
    assert_non_null(strstr(ui->popup[0].field.text, "xyz"));
    drive_press(ui, LKEY_ESCAPE);
    assert_int_equal(ui->popups, 0);
    drive_press(ui, LKEY_ESCAPE);
    assert_int_equal(ui->screen, SCREEN_LESSON);
    drive_close(ui);
}

static void test_a_request_meets_the_task_and_can_be_undone(void **state)
{
    (void)state;
    struct ui *ui = lesson_at("write-a-tag");
    struct digest before = player_digest(ui->course.player);
    drive_press(ui, 'r');
    drive_press(ui, 21);
    drive_type(ui, "comments:{p9}");
    drive_press(ui, LKEY_ENTER);
    assert_true(course_page(ui)->task_met);
    assert_true(drive_shows(ui, "Done"));
    struct digest after = player_digest(ui->course.player);
    assert_false(digest_equal(before, after));
    drive_press(ui, 'u');
    assert_true(digest_equal(before, player_digest(ui->course.player)));
    drive_press(ui, 18); /* ctrl-r */
    assert_false(digest_equal(before, player_digest(ui->course.player)));
    drive_close(ui);
}

static void test_a_key_that_does_nothing_says_so(void **state)
{
    (void)state;
    struct ui *ui = lesson_at("one-of-four");
    struct digest before = player_digest(ui->course.player);
    drive_press(ui, 'm'); /* not offered on this step */
    assert_true(ui->message[0] != '\0');
    drive_press(ui, 'X');
    assert_true(drive_shows(ui, "X does nothing here"));
    assert_true(digest_equal(before, player_digest(ui->course.player)));
    drive_close(ui);
}

static void test_focus_goes_round_and_is_marked(void **state)
{
    (void)state;
    struct ui *ui = lesson_at("the-truth");
    size_t panes = course_page(ui)->shows + 1;
    for (size_t i = 1; i <= panes; i++) {
        drive_press(ui, LKEY_TAB);
        assert_int_equal(ui->course.focus, i % panes);
    }
    drive_press(ui, LKEY_SHIFT_TAB);
    assert_int_equal(ui->course.focus, panes - 1);
    drive_close(ui);
}

static void test_asking_why_meets_its_task(void **state)
{
    (void)state;
    struct err err;
    drive_fresh_home();
    struct ui *ui = drive_open(usual);
    assert_true(course_open_path(ui, "tests/data/lessons/13_look.lua", &err));
    play_settle(ui);
    drive_press(ui, LKEY_TAB);
    drive_press(ui, LKEY_TAB);
    drive_press(ui, 'i');
    assert_int_equal(ui->popups, 1);
    assert_true(course_page(ui)->task_met);
    drive_close(ui);
}

/* Moves the selection of the focused picture until `i` opens what the task is about; how many did
 * not do. */
static size_t look_on(struct ui *ui)
{
    size_t others = 0;
    while (!course_page(ui)->task_met && others < 20) {
        drive_press(ui, LKEY_ESCAPE);
        drive_press(ui, LKEY_DOWN);
        drive_press(ui, 'i');
        assert_int_equal(ui->popups, 1);
        others += !course_page(ui)->task_met;
    }
    drive_press(ui, LKEY_ESCAPE);
    return others;
}

static void test_a_task_asks_for_the_right_thing(void **state)
{
    (void)state;
    struct err err = {.text = ""};
    drive_fresh_home();
    struct ui *ui = drive_open(usual);
    assert_true(course_open_path(ui, "tests/data/lessons/13_look.lua", &err));
    play_settle(ui);
    drive_to(ui, "answer");
    drive_press(ui, LKEY_TAB);
    drive_press(ui, LKEY_TAB);
    drive_press(ui, LKEY_HOME); /* the first record: the client asks, which is no answer */
    drive_press(ui, 'i');
    assert_int_equal(ui->popups, 1);
    assert_false(course_page(ui)->task_met);
    assert_in_range(look_on(ui), 0, 4);
    assert_true(course_page(ui)->task_met);
    drive_to(ui, "shard");
    drive_press(ui, LKEY_TAB);
    drive_press(ui, LKEY_HOME);
    drive_press(ui, 'i'); /* S0 */
    assert_false(course_page(ui)->task_met);
    assert_int_equal(look_on(ui), 1); /* S1, and then it is met */
    drive_close(ui);
}

/* What is wrong at the start is all said, and stays until it is closed. */
static void test_troubles_at_the_start_stand_in_a_box(void **state)
{
    (void)state;
    struct str keys = STR_EMPTY;
    struct str log = STR_EMPTY;
    struct err err = {.text = ""};
    struct ui *ui = lesson_at("one-of-four");
    drive_press(ui, '3');
    drive_press(ui, ' ');
    str_add(&log, progress_path(ui->progress));
    drive_close(ui);
    assert_true(file_append(str_text(&log), "torn", 4, &err));
    str_addf(&keys, "%s/hotshard/keys", getenv("XDG_CONFIG_HOME"));
    assert_true(file_replace(str_text(&keys), "forward b\n", 10, &err));
    ui = drive_open(usual);
    drive_lesson(ui);
    ui_draw(ui);
    assert_int_equal(ui->popups, 1);
    assert_true(drive_shows(ui, "keys:1"));
    assert_true(drive_shows(ui, "1 torn or altered line of "));
    assert_true(drive_shows(ui, "You were here"));
    drive_press(ui, LKEY_ESCAPE);
    assert_int_equal(ui->popups, 0);
    drive_close(ui);
    str_free(&keys);
    str_free(&log);
}

static void test_a_message_that_does_not_fit_gets_a_box(void **state)
{
    (void)state;
    struct ui *ui = lesson_at("one-of-four");
    struct str words = STR_EMPTY;
    for (int i = 0; i < 60; i++) {
        str_addf(&words, "%d grün ", i);
    }
    str_add(&words, "end");
    ui_say(ui, STYLE_MESSAGE, "%s", str_text(&words));
    ui_draw(ui);
    assert_int_equal(ui->popups, 1);
    assert_true(drive_shows(ui, "59 grün end"));
    drive_press(ui, LKEY_ESCAPE);
    ui_say(ui, STYLE_MESSAGE, "short");
    ui_draw(ui);
    assert_int_equal(ui->popups, 0);
    assert_true(drive_shows(ui, "short"));
    drive_close(ui);
    str_free(&words);
}

static void test_progress_that_cannot_be_kept_is_said_once(void **state)
{
    (void)state;
    drive_fresh_home();
    setenv("XDG_STATE_HOME", "/dev/null/nowhere", 1);
    struct ui *ui = drive_open(usual);
    ui->message[0] = '\0';
    drive_lesson(ui);
    if (ui->progress) {
        assert_true(drive_shows(ui, "Progress is not kept"));
        assert_true(drive_shows(ui, "nowhere")); /* whole, in a box */
    }
    drive_press(ui, LKEY_ESCAPE);
    drive_press(ui, '3');
    drive_press(ui, ' ');
    assert_int_equal(course_page(ui)->step, 1);
    assert_false(drive_shows(ui, "Progress is not kept"));
    drive_close(ui);
}

static void test_faults_of_the_keys_file_name_its_line(void **state)
{
    (void)state;
    struct str path = STR_EMPTY;
    struct err err = {.text = ""};
    drive_fresh_home();
    str_addf(&path, "%s/hotshard/keys", getenv("XDG_CONFIG_HOME"));
    assert_true(file_make_folders_for(str_text(&path), &err));
    assert_true(file_replace(str_text(&path), "# mine\nforward b\n", 17, &err));
    struct ui *ui = drive_open(usual);
    struct str screen = STR_EMPTY;
    canvas_dump_text(ui->canvas, &screen);
    assert_true(ui->message[0] || ui->popups > 0);
    assert_true(strstr(str_text(&screen), "keys:2") || strstr(ui->message, "keys:2"));
    assert_true(file_replace(str_text(&path), "forward n\n", 10, &err));
    drive_close(ui);
    ui = drive_open(usual);
    drive_lesson(ui);
    drive_press(ui, '3');
    drive_press(ui, ' ');
    assert_int_equal(course_page(ui)->step, 0);
    drive_press(ui, 'n');
    assert_int_equal(course_page(ui)->step, 1);
    drive_close(ui);
    str_free(&path);
    str_free(&screen);
}

static void test_a_drill_has_new_numbers_each_time(void **state)
{
    (void)state;
    struct err err = {.text = ""};
    drive_fresh_home();
    struct ui *ui = drive_open(usual);
    const struct lesson_entry *drill = lesson_find(ui->index, "modn-vs-slots", true, &err);
    assert_non_null(drill);
    struct str first = STR_EMPTY;
    bool differs = false;
    for (int i = 0; i < 4; i++) {
        assert_true(course_open(ui, drill, true, &err));
        differs = differs || (i > 0 && strcmp(str_text(&first), course_page(ui)->say) != 0);
        str_clear(&first);
        str_add(&first, course_page(ui)->say);
    }
    assert_true(differs);
    str_free(&first);
    drive_close(ui);
}

static void test_playing_takes_frames_and_then_rests(void **state)
{
    (void)state;
    struct ui *ui = lesson_at("one-of-four");
    int frames = 0;
    ui->options.no_motion = false;
    assert_false(play_running(ui)); /* idle: no frame is due */
    drive_press(ui, '3');
    assert_true(play_running(ui));
    while (play_running(ui) && frames < 3000) {
        play_tick(ui, 33333);
        frames++;
    }
    assert_true(frames > 10 && frames < 600); /* seconds, not minutes */
    assert_true(course_page(ui)->question.judged);
    drive_close(ui);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pasted_text_is_never_a_command),
        cmocka_unit_test(test_letters_of_a_text_answer_are_text),
        cmocka_unit_test(test_digits_open_the_field_of_a_number),
        cmocka_unit_test(test_several_choices_are_marked_then_sent),
        cmocka_unit_test(test_help_lists_what_works_and_runs_what_is_chosen),
        cmocka_unit_test(test_escape_closes_the_topmost_only),
        cmocka_unit_test(test_a_request_meets_the_task_and_can_be_undone),
        cmocka_unit_test(test_a_key_that_does_nothing_says_so),
        cmocka_unit_test(test_focus_goes_round_and_is_marked),
        cmocka_unit_test(test_asking_why_meets_its_task),
        cmocka_unit_test(test_a_task_asks_for_the_right_thing),
        cmocka_unit_test(test_progress_that_cannot_be_kept_is_said_once),
        cmocka_unit_test(test_faults_of_the_keys_file_name_its_line),
        cmocka_unit_test(test_troubles_at_the_start_stand_in_a_box),
        cmocka_unit_test(test_a_message_that_does_not_fit_gets_a_box),
        cmocka_unit_test(test_a_drill_has_new_numbers_each_time),
        cmocka_unit_test(test_playing_takes_frames_and_then_rests),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
