/*
 * A lesson that is left and opened again is as the learner left it: answers, acts, what was undone;
 * and opening it adds nothing to the log but where the learner is. At its end it says what came of
 * it, and what comes next.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/file.h"
#include "drive.h"

#define CTRL_U 21

static const struct drive_size usual = {100, 30, GLYPHS_UTF8};

static struct ui *fresh_lesson(void)
{
    drive_fresh_home();
    struct ui *ui = drive_open(usual);
    drive_lesson(ui);
    return ui;
}

/* Another day: a new program over the same log. */
static struct ui *reopen(struct ui *ui)
{
    drive_close(ui);
    ui = drive_open(usual);
    drive_lesson(ui);
    return ui;
}

static size_t log_lines(const struct ui *ui, const char *kind)
{
    struct str text = STR_EMPTY;
    struct err err = {.text = ""};
    size_t lines = 0;
    assert_true(file_read(progress_path(ui->progress), 1 << 20, &text, &err));
    for (const char *at = str_text(&text); (at = strstr(at, kind)); at++) {
        lines++;
    }
    str_free(&text);
    return lines;
}

static void send(struct ui *ui, const char *line)
{
    drive_press(ui, 'r');
    drive_press(ui, CTRL_U);
    drive_type(ui, line);
    drive_press(ui, LKEY_ENTER);
}

/* With keys, from the first step to the first task. */
static void to_the_task(struct ui *ui)
{
    drive_choose_right(ui);
    drive_press(ui, ' ');
    drive_press(ui, '3'); /* wrong */
    drive_press(ui, ' ');
    drive_press(ui, ' '); /* an example, with nothing to answer */
    drive_type(ui, "12067");
    drive_press(ui, LKEY_ENTER);
    drive_press(ui, ' ');
    drive_type(ui, "135");
    drive_press(ui, LKEY_ENTER);
    drive_press(ui, ' ');
    assert_string_equal(course_page(ui)->step_id, "write-a-tag");
}

static void test_answers_are_as_they_were_given(void **state)
{
    (void)state;
    struct ui *ui = fresh_lesson();
    to_the_task(ui);
    ui = reopen(ui);
    assert_string_equal(course_page(ui)->step_id, "write-a-tag");
    assert_int_equal(log_lines(ui, " answer "), 4);
    drive_press(ui, 'b');
    assert_false(drive_shows(ui, "You asked to be shown"));
    assert_true(course_page(ui)->question.right);
    assert_string_not_equal(course_page(ui)->after, ""); /* at once: there is nothing to play */
    drive_press(ui, 'b');
    drive_press(ui, 'b');
    drive_press(ui, 'b');
    assert_string_equal(course_page(ui)->question.answer, "3");
    assert_string_equal(course_page(ui)->question.belief, "a key has to be searched for");
    drive_close(ui);
}

static void test_the_present_question_is_not_asked_again(void **state)
{
    (void)state;
    struct ui *ui = fresh_lesson();
    drive_choose_right(ui);
    struct digest there = player_digest(ui->course.player);
    size_t lines = log_lines(ui, "\n");
    for (int day = 0; day < 2; day++) {
        ui = reopen(ui);
        assert_int_equal(course_page(ui)->step, 0);
        assert_true(course_page(ui)->question.judged && course_page(ui)->question.right);
        assert_true(digest_equal(there, player_digest(ui->course.player)));
    }
    assert_int_equal(log_lines(ui, "\n"), lines + 2); /* two openings */
    drive_press(ui, ' ');
    assert_int_equal(course_page(ui)->step, 1);
    drive_close(ui);
}

static void test_acts_are_done_again_however_often(void **state)
{
    (void)state;
    struct ui *ui = fresh_lesson();
    to_the_task(ui);
    struct digest entered = player_digest(ui->course.player);
    send(ui, "like elsewhere");
    send(ui, "comments:{p9}");
    assert_true(course_page(ui)->task_met);
    struct digest there = player_digest(ui->course.player);
    for (int day = 0; day < 2; day++) {
        ui = reopen(ui);
        assert_true(course_page(ui)->task_met);
        assert_false(course_page(ui)->task_skipped);
        assert_true(digest_equal(there, player_digest(ui->course.player)));
        assert_string_equal(course_page(ui)->key, "comments:{p9}");
    }
    assert_int_equal(log_lines(ui, " act "), 2);
    assert_int_equal(log_lines(ui, " goal "), 1);
    drive_press(ui, 'u');
    drive_press(ui, 'u');
    assert_true(digest_equal(entered, player_digest(ui->course.player)));
    assert_false(course_page(ui)->task_met);
    ui = reopen(ui);
    assert_false(course_page(ui)->task_met);
    assert_true(digest_equal(entered, player_digest(ui->course.player)));
    drive_press(ui, 18); /* ctrl-r */
    drive_press(ui, 18);
    assert_true(digest_equal(there, player_digest(ui->course.player)));
    drive_close(ui);
}

/* A step that is entered again is as it was entered; so it is the day after. */
static void test_what_stepping_back_took_away_stays_away(void **state)
{
    (void)state;
    struct ui *ui = fresh_lesson();
    to_the_task(ui);
    struct digest entered = player_digest(ui->course.player);
    send(ui, "comments:{p9}");
    drive_press(ui, 'b');
    drive_press(ui, ' ');
    assert_true(digest_equal(entered, player_digest(ui->course.player)));
    ui = reopen(ui);
    assert_string_equal(course_page(ui)->step_id, "write-a-tag");
    assert_true(digest_equal(entered, player_digest(ui->course.player)));
    assert_false(course_page(ui)->task_met);
    drive_close(ui);
}

static void test_a_task_that_was_shown_stays_shown(void **state)
{
    (void)state;
    struct ui *ui = fresh_lesson();
    drive_to(ui, "the-truth");
    drive_press(ui, 's'); /* nothing happens to the world: the log knows it alone */
    assert_false(course_waits(course_page(ui)));
    ui = reopen(ui);
    assert_string_equal(course_page(ui)->step_id, "the-truth");
    assert_true(course_page(ui)->task_skipped);
    assert_false(course_waits(course_page(ui)));
    drive_close(ui);
}

static void test_the_course_says_where_in_words(void **state)
{
    (void)state;
    struct ui *ui = fresh_lesson();
    to_the_task(ui);
    drive_press(ui, 'q');
    assert_true(drive_shows(ui, "You were at step 6 of "));
    assert_true(drive_shows(ui, "A key"));
    assert_false(drive_shows(ui, "write-a-tag"));
    drive_close(ui);
}

static void test_the_end_says_what_came_of_it_and_what_is_next(void **state)
{
    (void)state;
    struct err err = {.text = ""};
    size_t shown = 0;
    struct ui *ui = fresh_lesson();
    to_the_task(ui); /* one wrong, three right */
    ui = reopen(ui); /* what is known of them comes from the log */
    for (int i = 0; i < 500 && ui->screen == SCREEN_LESSON; i++) {
        if (course_waits(course_page(ui))) {
            shown += course_page(ui)->question.state == QUESTION_OPEN &&
                     course_page(ui)->question.kind != QUESTION_NONE &&
                     course_page(ui)->question.kind != QUESTION_EXPLAIN; /* no score */
            assert_true(player_skip(ui->course.player, &err));
            play_settle(ui);
            course_changed(ui);
        } else {
            drive_press(ui, ' ');
        }
    }
    assert_int_equal(ui->screen, SCREEN_HOME);
    assert_int_equal(ui->popups, 1);
    char score[80];
    snprintf(score, sizeof score, "3 of %zu questions right at the first try, %zu shown to you.",
             shown + 4, shown);
    assert_true(drive_shows(ui, score));
    assert_true(drive_shows(ui, "\"a key has to be searched for\""));
    assert_false(drive_shows(ui, "the hash is the slot"));
    const struct lesson_index *course = ui->index;
    size_t now = 0;
    while (strcmp(course->entry[now].id, "01_what_a_shard_is") != 0) {
        now++;
        assert_true(now + 1 < course->count);
    }
    char next[120];
    snprintf(next, sizeof next, "Next: %s", course->entry[now + 1].title);
    assert_true(drive_shows(ui, next));
    assert_true(drive_shows(ui, "enter open it"));
    drive_press(ui, LKEY_ENTER);
    assert_int_equal(ui->popups, 0);
    assert_non_null(course_page(ui));
    assert_string_equal(course_page(ui)->lesson_id, course->entry[now + 1].id);
    drive_close(ui);
}

static void test_an_ordinary_box_opens_nothing(void **state)
{
    (void)state;
    struct ui *ui = fresh_lesson();
    drive_press(ui, 'D');
    assert_int_equal(ui->popups, 1);
    assert_false(drive_shows(ui, "open it"));
    drive_press(ui, LKEY_ENTER);
    assert_int_equal(ui->popups, 1);
    assert_int_equal(ui->screen, SCREEN_LESSON);
    drive_close(ui);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answers_are_as_they_were_given),
        cmocka_unit_test(test_the_present_question_is_not_asked_again),
        cmocka_unit_test(test_acts_are_done_again_however_often),
        cmocka_unit_test(test_what_stepping_back_took_away_stays_away),
        cmocka_unit_test(test_a_task_that_was_shown_stays_shown),
        cmocka_unit_test(test_the_course_says_where_in_words),
        cmocka_unit_test(test_the_end_says_what_came_of_it_and_what_is_next),
        cmocka_unit_test(test_an_ordinary_box_opens_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
