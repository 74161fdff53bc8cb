/*
 * An explanation with the keyboard: said or typed, marked, kept; the placement check from a typed
 * answer; space that always goes on; and rows of text as the check of lessons counts them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/file.h"
#include "drive.h"

#define LESSON "tests/data/lessons/12_explain.lua"
#define RUNS "tests/data/lessons/36_runs.lua"

static struct ui *open_file(const char *path, int columns, int rows)
{
    struct err err;
    struct ui *ui = drive_open((struct drive_size){columns, rows, GLYPHS_UTF8});
    if (!course_open_path(ui, path, &err)) {
        fail_msg("%s", err.text);
    }
    ui_draw(ui);
    return ui;
}

static struct ui *at_explanation(void)
{
    drive_fresh_home();
    struct ui *ui = open_file(LESSON, 80, 24);
    drive_press(ui, '1');
    drive_press(ui, ' ');
    assert_string_equal(course_page(ui)->step_id, "told");
    return ui;
}

static bool log_has(const char *part)
{
    struct str path = STR_EMPTY, log = STR_EMPTY;
    struct err err;
    str_addf(&path, "%s/hotshard/progress", getenv("XDG_STATE_HOME"));
    assert_true(file_read(str_text(&path), 100000, &log, &err));
    bool has = strstr(str_text(&log), part) != NULL;
    str_free(&path);
    str_free(&log);
    return has;
}

static void test_said_aloud_marked_and_kept(void **state)
{
    (void)state;
    struct ui *ui = at_explanation();
    assert_true(drive_shows(ui, "space I have said it"));
    assert_true(drive_shows(ui, "A type it"));
    assert_false(drive_shows(ui, "the hash gives a slot"));
    drive_press(ui, '2'); /* nothing to mark yet */
    assert_int_equal(course_page(ui)->question.state, QUESTION_OPEN);
    drive_press(ui, ' ');
    assert_true(drive_shows(ui, "A good answer:"));
    assert_true(drive_shows(ui, "You mark it"));
    assert_true(drive_shows(ui, "1-3 mark"));
    drive_press(ui, '2');
    drive_press(ui, '3');
    drive_press(ui, '2');
    drive_press(ui, '9'); /* no such point */
    assert_true(log_has("answer 12_explain told x-told self : "));
    assert_true(log_has("answer 12_explain told x-told self 2%203: "));
    drive_press(ui, ' ');
    drive_press(ui, 'b');
    assert_false(course_page(ui)->question.choice[1].chosen);
    assert_true(course_page(ui)->question.choice[2].chosen);
    drive_close(ui);
    ui = open_file(LESSON, 80, 24); /* another day */
    assert_string_equal(course_page(ui)->step_id, "told");
    assert_true(course_page(ui)->question.choice[2].chosen);
    drive_press(ui, ' ');
    drive_press(ui, ' ');
    assert_true(drive_shows(ui, "Explained in your words: 1."));
    assert_true(drive_shows(ui, "1 of 3"));
    assert_true(drive_shows(ui, "1 of 1 questions"));
    drive_close(ui);
}

static void test_typing_it_is_optional(void **state)
{
    (void)state;
    struct ui *ui = at_explanation();
    drive_press(ui, 'A');
    drive_type(ui, "q, then a hash of the tag, then the map of slots");
    assert_int_equal(ui->screen, SCREEN_LESSON);
    assert_true(drive_shows(ui, "enter I have said it"));
    drive_press(ui, LKEY_ESCAPE); /* keys are commands again; what was typed stays */
    assert_true(drive_shows(ui, "q, then a hash"));
    drive_press(ui, ' ');
    assert_string_equal(course_page(ui)->question.answer,
                        "q, then a hash of the tag, then the map of slots");
    assert_true(drive_shows(ui, "q, then a hash"));
    drive_close(ui);
    ui = at_explanation();
    drive_press(ui, 'A');
    drive_press(ui, LKEY_ENTER); /* said aloud all the same */
    assert_int_equal(course_page(ui)->question.state, QUESTION_ANSWERED);
    drive_close(ui);
    ui = at_explanation();
    drive_press(ui, 'A');
    drive_press(ui, LKEY_F1 + 2); /* show me */
    assert_int_equal(course_page(ui)->question.state, QUESTION_SKIPPED);
    assert_true(drive_shows(ui, "A good answer:"));
    assert_false(drive_shows(ui, "You mark it"));
    assert_true(log_has("x-told skipped - "));
    drive_close(ui);
}

/* As long as plain mode takes it, told when it is full, kept whole by the log; its cursor shows. */
static void test_a_long_one_is_kept_whole(void **state)
{
    (void)state;
    char text[PAGE_EXPLANATION_MAX + 1];
    struct ui *ui = at_explanation();
    drive_press(ui, 'A');
    for (size_t i = 0; i < PAGE_EXPLANATION_MAX / 2 - 1; i++) {
        memcpy(text + 2 * i, "\xC3\xA9", 2);
        drive_press(ui, 0xE9);
    }
    memcpy(text + PAGE_EXPLANATION_MAX - 2, "yz", 3);
    drive_type(ui, "yz");
    assert_true(drive_shows(ui, "\xC3\xA9yz")); /* where the cursor is */
    assert_false(drive_shows(ui, "The line is full"));
    drive_press(ui, 'x');
    assert_true(drive_shows(ui, "The line is full"));
    drive_press(ui, LKEY_ENTER);
    assert_string_equal(course_page(ui)->question.answer, text);
    drive_close(ui);
    ui = open_file(LESSON, 80, 24); /* another day */
    assert_string_equal(course_page(ui)->step_id, "told");
    assert_string_equal(course_page(ui)->question.answer, text);
    drive_close(ui);
}

/* --- space goes on --- */

static void test_space_goes_on_and_enter_opens(void **state)
{
    (void)state;
    drive_fresh_home();
    struct ui *ui = open_file(RUNS, 100, 30);
    drive_press(ui, '2');
    drive_press(ui, LKEY_TAB);
    assert_true(drive_shows(ui, "enter open this run"));
    drive_press(ui, LKEY_ENTER); /* nothing is selected: the first row is, now */
    assert_string_equal(course_page(ui)->visiting, "");
    assert_string_equal(course_page(ui)->step_id, "table");
    drive_press(ui, LKEY_ENTER);
    assert_string_equal(course_page(ui)->visiting, "as it is");
    drive_press(ui, LKEY_ESCAPE);
    assert_true(drive_shows(ui, "space go on"));
    drive_press(ui, ' ');
    assert_string_equal(course_page(ui)->step_id, "near");
    drive_close(ui);
}

/* --- P --- */

static const char typed_lesson[] =
    "return lesson { id = \"typed\", part = 1, title = \"T\", minutes = 3,\n"
    "world = \"story-quiet\", placement = { go = \"b\" }, steps = {\n"
    "{ id = \"a\", title = \"A\", say = \"x\", predict = { id = \"q-a\", kind = \"text\",\n"
    "  ask = \"Where?\", why = \"y\", answer = function() return \"S2\" end } },\n"
    "{ id = \"b\", title = \"B\", say = \"x\" },\n"
    "{ id = \"c\", title = \"C\", say = \"x\", check = true, predict = { id = \"q-c\",\n"
    "  kind = \"number\", ask = \"?\", why = \"y\", answer = function() return 1 end } } } }\n";

static void test_the_check_is_reached_from_a_typed_answer(void **state)
{
    (void)state;
    struct err err;
    struct str path = STR_EMPTY;
    drive_fresh_home();
    str_addf(&path, "%s/typed.lua", getenv("XDG_STATE_HOME"));
    assert_true(file_replace(path.text, typed_lesson, strlen(typed_lesson), &err));
    struct ui *ui = open_file(path.text, 80, 24);
    assert_true(drive_shows(ui, "f4 you know this?"));
    drive_type(ui, "P");
    assert_string_equal(ui->course.field.text, "P"); /* a letter is part of the answer */
    drive_press(ui, LKEY_F1 + 3);
    assert_true(course_page(ui)->check);
    drive_press(ui, 'b');
    assert_string_equal(course_page(ui)->step_id, "a");
    drive_press(ui, LKEY_ESCAPE);
    drive_press(ui, 'P'); /* out of the field it is the key that it always was */
    assert_true(course_page(ui)->check);
    drive_close(ui);
    str_free(&path);
}

/* --- rows --- */

/* What `lesson check` measures is what the screen draws, as each step is opened. */
static void assert_measured(const char *path)
{
    struct err err = {.text = ""};
    drive_fresh_home();
    struct ui *ui = open_file(path, 80, 24);
    const char *step = "";
    size_t steps = 0;
    for (int turn = 0; turn < 200 && ui->screen == SCREEN_LESSON; turn++) {
        ui_draw(ui);
        const struct page *page = course_page(ui);
        if (page->step_id != step) {
            step = page->step_id;
            steps++;
            assert_int_equal(ui->course.text_rows, screen_learn_rows(page));
            assert_int_equal(ui->course.text_height, SCREEN_TEXT_ROWS);
        }
        if (course_waits(page) && !page->running) {
            assert_true(player_skip(ui->course.player, &err));
            course_changed(ui);
        } else {
            course_forward(ui);
        }
    }
    assert_true(steps >= 3);
    drive_close(ui);
}

static void test_rows_are_counted_as_they_are_drawn(void **state)
{
    (void)state;
    assert_measured(LESSON);
    assert_measured(RUNS);
    assert_measured("tests/data/lessons/10_good.lua");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_said_aloud_marked_and_kept),
        cmocka_unit_test(test_typing_it_is_optional),
        cmocka_unit_test(test_a_long_one_is_kept_whole),
        cmocka_unit_test(test_space_goes_on_and_enter_opens),
        cmocka_unit_test(test_the_check_is_reached_from_a_typed_answer),
        cmocka_unit_test(test_rows_are_counted_as_they_are_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
