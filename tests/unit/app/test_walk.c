/*
 * The first lesson on the screen, from its first step to its last and back again, with keys alone,
 * at every size and in both sets of glyphs; left in the middle and resumed there.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/utf8.h"
#include "drive.h"
#include "engine/journal.h"
#include "story/story.h"

#define STEPS_MAX 64

static const struct drive_size sizes[] = {
    {80, 24, GLYPHS_UTF8},  {100, 30, GLYPHS_UTF8},  {200, 60, GLYPHS_UTF8},
    {80, 24, GLYPHS_ASCII}, {100, 30, GLYPHS_ASCII}, {200, 60, GLYPHS_ASCII},
};

static void row_text(const struct ui *ui, int y, struct str *out)
{
    str_clear(out);
    for (int x = 0; x < canvas_columns(ui->canvas); x++) {
        struct canvas_cell cell;
        canvas_cell_at(ui->canvas, x, y, &cell);
        str_add(out, cell.text);
    }
}

/* What every screen must keep: every row as wide as the window, ASCII where that was asked for,
 * what can be pressed in the last row, nothing cut in the message. */
static void check_screen(struct ui *ui)
{
    struct str row = STR_EMPTY;
    int columns = canvas_columns(ui->canvas);
    int rows = canvas_rows(ui->canvas);
    for (int y = 0; y < rows; y++) {
        row_text(ui, y, &row);
        assert_int_equal(utf8_columns(str_text(&row), row.length), columns);
        for (size_t i = 0; term_glyphs(ui->term) == GLYPHS_ASCII && i < row.length; i++) {
            assert_true(row.text[i] >= ' ' && row.text[i] < 127);
        }
    }
    row_text(ui, rows - 1, &row);
    if (!strstr(str_text(&row), "help") && !strstr(str_text(&row), "close")) {
        fail_msg("the last row does not say what can be pressed: %s", str_text(&row));
    }
    row_text(ui, rows - 2, &row);
    if (strstr(str_text(&row), "…")) {
        fail_msg("the message is cut: %s", str_text(&row));
    }
    str_free(&row);
}

static void press(struct ui *ui, uint32_t key)
{
    drive_press(ui, key);
    check_screen(ui);
}

static void type(struct ui *ui, const char *text)
{
    for (; *text; text++) {
        press(ui, (uint32_t)(unsigned char)*text);
    }
}

/* Answers the open question with keys, as a learner who knows it would. */
static void answer(struct ui *ui)
{
    struct err err = {.text = ""};
    struct str right = STR_EMPTY;
    enum question_kind kind = course_page(ui)->question.kind;
    if (!player_right_answer(ui->course.player, &right, &err)) {
        fail_msg("%s", err.text);
    }
    for (const char *c = str_text(&right); *c; c++) {
        if (kind != QUESTION_SEVERAL || *c != ' ') {
            press(ui, (uint32_t)(unsigned char)*c);
        }
    }
    if (kind != QUESTION_CHOICE) {
        press(ui, LKEY_ENTER);
    }
    assert_true(course_page(ui)->question.judged);
    assert_true(course_page(ui)->question.right || kind == QUESTION_EXPLAIN);
    str_free(&right);
}

/* Everything that this step asks for. */
static void do_step(struct ui *ui)
{
    const struct page *page = course_page(ui);
    if (page->question.kind != QUESTION_NONE && page->question.state == QUESTION_OPEN) {
        answer(ui);
    }
    if (course_waits(course_page(ui))) {
        press(ui, 's');
        assert_false(course_waits(course_page(ui)));
    }
}

static void walk_there_and_back(struct drive_size size)
{
    struct digest entered[STEPS_MAX];
    drive_fresh_home();
    struct ui *ui = drive_open(size);
    drive_lesson(ui);
    size_t steps = course_page(ui)->steps;
    assert_true(steps > 3 && steps <= STEPS_MAX);
    for (size_t step = 0; step < steps; step++) {
        assert_int_equal(course_page(ui)->step, step);
        entered[step] = player_digest(ui->course.player);
        do_step(ui);
        for (int i = 0; i < 4 && step + 1 < steps && course_page(ui)->step == step; i++) {
            press(ui, ' ');
        }
    }
    for (size_t step = steps; step-- > 1;) {
        press(ui, step % 2 ? 'b' : LKEY_BACKSPACE);
        assert_int_equal(course_page(ui)->step, step - 1);
        assert_true(digest_equal(entered[step - 1], player_digest(ui->course.player)));
    }
    /* Forwards again: what was answered is not asked again. */
    for (int i = 0; i < 8 * STEPS_MAX && ui->screen == SCREEN_LESSON; i++) {
        do_step(ui);
        press(ui, i % 2 ? ' ' : LKEY_ENTER);
    }
    assert_int_equal(ui->screen, SCREEN_HOME);
    assert_true(progress_done(ui->progress, DRIVE_LESSON));
    drive_close(ui);
}

static void test_there_and_back_at_every_size(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        walk_there_and_back(sizes[i]);
    }
}

static void test_left_in_the_middle_and_resumed_there(void **state)
{
    (void)state;
    char step_id[64];
    drive_fresh_home();
    struct ui *ui = drive_open(sizes[0]);
    drive_lesson(ui);
    while (course_page(ui)->step < 4) {
        do_step(ui);
        press(ui, ' ');
    }
    snprintf(step_id, sizeof step_id, "%s", course_page(ui)->step_id);
    press(ui, 'q');
    /* A question for a text takes letters; escape makes them commands. */
    if (ui->screen == SCREEN_LESSON) {
        press(ui, LKEY_ESCAPE);
        press(ui, 'q');
    }
    assert_int_equal(ui->screen, SCREEN_HOME);
    press(ui, LKEY_ENTER);
    assert_string_equal(course_page(ui)->step_id, step_id);
    drive_close(ui);
    ui = drive_open(sizes[1]); /* another day, another window */
    ui_draw(ui);
    press(ui, LKEY_ENTER);
    assert_string_equal(course_page(ui)->step_id, step_id);
    assert_int_equal(course_page(ui)->step, 4);
    drive_close(ui);
}

static void test_resizing_keeps_place_answer_and_time(void **state)
{
    (void)state;
    static const int shapes[][2] = {{1, 1},   {300, 100}, {79, 24}, {80, 23}, {2, 500},
                                    {120, 3}, {500, 200}, {39, 10}, {80, 24}};
    drive_fresh_home();
    struct ui *ui = drive_open(sizes[0]);
    drive_lesson(ui);
    while (course_page(ui)->question.kind != QUESTION_NUMBER) {
        do_step(ui);
        press(ui, ' ');
    }
    type(ui, "120");
    press(ui, LKEY_F1);
    struct digest before = player_digest(ui->course.player);
    size_t step = course_page(ui)->step;
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        drive_input(ui, (struct term_input){.kind = TERM_INPUT_RESIZE,
                                            .columns = shapes[i][0],
                                            .rows = shapes[i][1]});
    }
    assert_int_equal(ui->popups, 1);
    press(ui, LKEY_ESCAPE);
    assert_int_equal(ui->popups, 0);
    assert_int_equal(course_page(ui)->step, step);
    assert_string_equal(ui->course.field.text, "120");
    assert_true(digest_equal(before, player_digest(ui->course.player)));
    drive_close(ui);
}

/* The whole screen of pictures of a world, as text. */
static void draw_pictures(const struct world *w, const struct world *before, struct page *page,
                          struct str *out)
{
    struct canvas *c = canvas_new(100, 30);
    struct scene scene = {.world = w, .before = before, .page = page};
    struct world *scratch = world_copy(w);
    static struct rates rates;
    rates_at(w, scratch, &rates);
    scene.rates = &rates;
    for (size_t i = 0; view_at(i); i++) {
        struct view_state state = {.argument = ""};
        if (strcmp(view_at(i)->name, "grid") == 0) {
            continue; /* draws the page, not the world */
        }
        canvas_clear(c);
        view_at(i)->draw(c, &scene, &state, false);
        canvas_dump(c, out);
    }
    world_free(scratch);
    canvas_free(c);
}

static void test_a_replayed_journal_reproduces_the_screens(void **state)
{
    (void)state;
    struct err err = {.text = ""};
    struct journal_header header;
    struct str played = STR_EMPTY;
    struct str replayed = STR_EMPTY;
    drive_fresh_home();
    struct ui *ui = drive_open(sizes[1]);
    drive_lesson(ui);
    while (!course_page(ui)->last) {
        do_step(ui);
        press(ui, ' ');
    }
    const char *journal = player_journal(ui->course.player);
    if (!journal_header(journal, &header, &err)) {
        fail_msg("%s", err.text);
    }
    struct world *w = story_world_by_name(header.world_name, header.seed, &err);
    assert_non_null(w);
    if (!journal_replay(journal, w, &err)) {
        fail_msg("%s", err.text);
    }
    /* The journal ends with its last entry; the lesson's time may have gone on since. */
    world_run_until(w, world_now(player_world(ui->course.player)));
    struct page page = *course_page(ui);
    draw_pictures(player_world(ui->course.player), NULL, &page, &played);
    draw_pictures(w, NULL, &page, &replayed);
    assert_true(played.length > 1000);
    assert_string_equal(str_text(&played), str_text(&replayed));
    str_free(&played);
    str_free(&replayed);
    world_free(w);
    drive_close(ui);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_there_and_back_at_every_size),
        cmocka_unit_test(test_left_in_the_middle_and_resumed_there),
        cmocka_unit_test(test_resizing_keeps_place_answer_and_time),
        cmocka_unit_test(test_a_replayed_journal_reproduces_the_screens),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
