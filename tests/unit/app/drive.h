/*
 * drive: opening a ui in memory and pressing its keys. A header of static functions: include it
 * once in a test program, after cmocka.
 */
#ifndef HOTSHARD_TESTS_APP_DRIVE_H
#define HOTSHARD_TESTS_APP_DRIVE_H

#include "app/ui.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DRIVE_LESSON "01_what_a_shard_is"

struct drive_size {
    int columns, rows;
    enum glyphs glyphs;
};

/* A home of its own, so that nothing is remembered from one test to the next. Its path is in
 * XDG_STATE_HOME and XDG_CONFIG_HOME. */
static inline void drive_fresh_home(void)
{
    char path[512];
    const char *tmp = getenv("TMPDIR");
    snprintf(path, sizeof path, "%s/drive-XXXXXX", tmp ? tmp : "/tmp");
    assert_non_null(mkdtemp(path));
    setenv("XDG_STATE_HOME", path, 1);
    setenv("XDG_CONFIG_HOME", path, 1);
    setenv("XDG_DATA_HOME", path, 1);
}

static inline struct ui *drive_open(struct drive_size size)
{
    struct options options = options_default();
    options.no_motion = true;
    options.now = 1796068800;
    options.now_given = true;
    struct ui *ui = ui_new(&options, term_null_open(size.columns, size.rows, size.glyphs));
    ui_draw(ui);
    return ui;
}

static inline void drive_close(struct ui *ui)
{
    struct term *term = ui->term;
    ui_free(ui);
    term_close(term);
}

static inline void drive_lesson(struct ui *ui)
{
    struct err err = {.text = ""};
    const struct lesson_entry *entry = lesson_find(ui->index, DRIVE_LESSON, false, &err);
    if (!entry || !course_open(ui, entry, true, &err)) {
        fail_msg("%s", err.text);
    }
}

static inline void drive_input(struct ui *ui, struct term_input input)
{
    term_null_feed(ui->term, input);
    input = term_read(ui->term, 0);
    ui_input(ui, &input);
    ui_draw(ui);
}

static inline void drive_press(struct ui *ui, uint32_t key)
{
    drive_input(ui, (struct term_input){.kind = TERM_INPUT_KEY, .key = key});
}

static inline void drive_type(struct ui *ui, const char *ascii)
{
    for (; *ascii; ascii++) {
        drive_press(ui, (uint32_t)(unsigned char)*ascii);
    }
}

/* Presses the choice that holds, wherever it stands. */
static inline void drive_choose_right(struct ui *ui)
{
    struct err err = {.text = ""};
    struct str right = STR_EMPTY;
    if (!player_right_answer(ui->course.player, &right, &err)) {
        fail_msg("%s", err.text);
    }
    drive_press(ui, (uint32_t)(unsigned char)str_text(&right)[0]);
    str_free(&right);
}

static inline bool drive_shows(struct ui *ui, const char *text)
{
    struct str screen = STR_EMPTY;
    ui_draw(ui);
    canvas_dump_text(ui->canvas, &screen);
    bool found = strstr(str_text(&screen), text) != NULL;
    str_free(&screen);
    return found;
}

/* Goes on, shown everything, until the step of that id. */
static inline void drive_to(struct ui *ui, const char *step_id)
{
    struct err err = {.text = ""};
    for (int i = 0; i < 500 && strcmp(course_page(ui)->step_id, step_id) != 0; i++) {
        if (course_waits(course_page(ui))) {
            assert_true(player_skip(ui->course.player, &err));
        } else {
            course_forward(ui);
        }
        play_settle(ui);
        course_changed(ui);
        assert_non_null(course_page(ui));
    }
    assert_string_equal(course_page(ui)->step_id, step_id);
    ui_draw(ui);
}

#endif
