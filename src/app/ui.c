/*
 * ui: see ui.h. Start, end, where keys go, and the frame that all screens share.
 */
#include "app/ui.h"
#include "app/folders.h"
#include "base/alloc.h"
#include "base/file.h"
#include "base/utf8.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEYS_FILE_MAX ((size_t)1 << 16)

void ui_say(struct ui *ui, enum style style, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(ui->message, sizeof ui->message, format, args);
    va_end(args);
    ui->message_style = style;
    ui->dirty = true;
}

void ui_say_err(struct ui *ui, const struct err *err)
{
    int room = canvas_columns(ui->canvas) - 2;
    ui_say(ui, STYLE_BAD, "%s", err->text);
    if (room >= SCREEN_MIN_COLUMNS - 2 && utf8_columns(err->text, strlen(err->text)) > room) {
        struct str body = STR_EMPTY; /* a line would cut it */
        str_add(&body, err->text);
        popup_open_text(ui, "What went wrong", &body, false);
        ui->message[0] = '\0';
    }
}

static void read_keys_file(struct ui *ui)
{
    struct err err;
    char *path = NULL;
    struct str text = STR_EMPTY;
    if (!file_home_path(FILE_HOME_CONFIG, "keys", &path, &err) || !file_exists(path)) {
        free(path);
        return;
    }
    if (!file_read(path, KEYS_FILE_MAX, &text, &err) ||
        !keymap_rebind(&ui->keymap, path, str_text(&text), &err)) {
        ui_say_err(ui, &err);
    }
    str_free(&text);
    free(path);
}

struct ui *ui_new(const struct options *options, struct term *term)
{
    struct err err;
    int columns, rows;
    struct ui *ui = xcalloc(1, sizeof *ui);
    ui->options = *options;
    ui->term = term;
    term_size(term, &columns, &rows);
    ui->canvas = canvas_new(columns, rows);
    ui->dirty = true;
    ui->full = true;
    keymap_default(&ui->keymap);
    read_keys_file(ui);
    ui->index = folders_load_index();
    if (ui->index->faults.length > 0 && !*ui->message) {
        const char *faults = str_text(&ui->index->faults);
        ui_say(ui, STYLE_WARN, "%.*s", (int)strcspn(faults, "\n"), faults);
    }
    ui->progress = progress_load(NULL, &err);
    if (!ui->progress) {
        ui_say_err(ui, &err);
    } else if (progress_skipped_lines(ui->progress) > 0 && !*ui->message) {
        ui_say(ui, STYLE_WARN, "%zu torn or altered lines of %s were skipped",
               progress_skipped_lines(ui->progress), progress_path(ui->progress));
    }
    screen_home_enter(ui);
    return ui;
}

void ui_free(struct ui *ui)
{
    while (ui->popups > 0) {
        popup_close(ui);
    }
    course_close(ui);
    free(ui->journal);
    if (ui->progress) {
        progress_free(ui->progress);
    }
    lesson_index_free(ui->index);
    canvas_free(ui->canvas);
    free(ui);
}

/* --- input -------------------------------------------------------------------------------------
 */

enum context ui_context(const struct ui *ui)
{
    if (ui->popups > 0) {
        const struct popup *top = &ui->popup[ui->popups - 1];
        if (top->kind == POPUP_TEXT) {
            return IN_TEXT;
        }
        return top->kind == POPUP_HELP && !top->searching ? IN_HELP : IN_FIELD;
    }
    if (ui->screen == SCREEN_HOME) {
        return IN_HOME;
    }
    return course_field_mode(ui) == FIELD_TEXT ? IN_FIELD : IN_LESSON;
}

/* A character for whatever line is being typed; false when there is none. */
static bool type_point(struct ui *ui, uint32_t key)
{
    if (key >= LKEY_SPECIAL || (key < ' ' && !ui->pasting)) {
        return false;
    }
    if (ui_context(ui) == IN_FIELD && ui->popups > 0) {
        popup_type(ui, key);
        return true;
    }
    if (ui->popups == 0 && ui->screen == SCREEN_LESSON) {
        return course_field_key(ui, key);
    }
    return false;
}

/* Pasted text is text: it goes into an open line or nowhere. */
static void input_pasted(struct ui *ui, uint32_t key)
{
    if (key == LKEY_PASTE_END) {
        ui->pasting = false;
        if (ui->paste_dropped) {
            ui_say(ui, STYLE_WARN, "What was pasted is text, and no line is open for it here.");
        }
        return;
    }
    if (!type_point(ui, key)) {
        ui->paste_dropped = true;
    }
}

static void input_key(struct ui *ui, uint32_t key)
{
    ui->dirty = true;
    if (ui->pasting) {
        input_pasted(ui, key);
        return;
    }
    if (key == LKEY_PASTE_START) {
        ui->pasting = true;
        ui->paste_dropped = false;
        return;
    }
    ui->message[0] = '\0';
    enum context where = ui_context(ui);
    if (where == IN_LESSON && course_field_key(ui, key)) {
        return;
    }
    enum action action = keymap_action(&ui->keymap, key, where);
    if (action != ACT_NONE) {
        action_do(ui, action, key);
    } else if (!type_point(ui, key) && where != IN_FIELD && key < LKEY_SPECIAL && key > ' ') {
        struct str help = STR_EMPTY;
        char name[KEY_NAME_SIZE];
        key_to_name(key, name);
        keymap_say(&ui->keymap, ACT_HELP, where, &help);
        ui_say(ui, STYLE_DIM, "%s does nothing here; %s shows what does.", name, str_text(&help));
        str_free(&help);
    }
}

void ui_input(struct ui *ui, const struct term_input *input)
{
    switch (input->kind) {
    case TERM_INPUT_TIMEOUT:
        break;
    case TERM_INPUT_KEY:
        input_key(ui, input->key);
        break;
    case TERM_INPUT_RESIZE:
    case TERM_INPUT_RESUME:
        ui->dirty = true;
        ui->full = true;
        break;
    case TERM_INPUT_END:
        ui->end_signal = input->signal;
        ui->quit = true;
        break;
    }
    if (ui->options.no_motion) {
        play_settle(ui);
    }
}

/* --- drawing -----------------------------------------------------------------------------------
 */

struct scene ui_scene(struct ui *ui, bool rates)
{
    struct scene scene = {.page = course_page(ui)};
    struct player *player = ui->course.player;
    if (player && ui->screen == SCREEN_LESSON) {
        scene.world = player_world(player);
        scene.before = player_before(player);
        scene.rates = rates ? player_rates(player) : NULL;
    }
    return scene;
}

static void draw_message(const struct ui *ui, int y)
{
    struct canvas *c = ui->canvas;
    if (*ui->message) {
        canvas_text_fit(c, 1, y, canvas_width(c) - 2, ui->message_style, ui->message);
    }
}

static void draw_screen(struct ui *ui)
{
    struct canvas *c = ui->canvas;
    int w = canvas_columns(c);
    int h = canvas_rows(c);
    canvas_fill(c, (struct rect){0, 0, w, 1}, STYLE_TITLE, ' ');
    struct rect body = {0, 1, w, h - 3};
    if (ui->screen == SCREEN_HOME) {
        screen_home_title(ui);
        screen_home_draw(ui, body);
    } else {
        screen_learn_title(ui);
        screen_learn_draw(ui, body);
    }
    draw_message(ui, h - 2);
    if (!ui->key_line_hidden) {
        shown_draw_line(ui, c, h - 1);
    }
    for (size_t i = 0; i < ui->popups; i++) {
        popup_draw(ui, &ui->popup[i]);
    }
}

void ui_draw(struct ui *ui)
{
    int columns = 0;
    int rows = 0;
    term_size(ui->term, &columns, &rows);
    if (columns != canvas_columns(ui->canvas) || rows != canvas_rows(ui->canvas)) {
        canvas_resize(ui->canvas, columns, rows);
        ui->full = true;
    }
    canvas_set_glyphs(ui->canvas, term_glyphs(ui->term));
    canvas_clear(ui->canvas);
    if (columns < SCREEN_MIN_COLUMNS || rows < SCREEN_MIN_ROWS) {
        draw_too_small(ui->canvas);
    } else {
        draw_screen(ui);
    }
    term_show(ui->term, ui->canvas, ui->full);
    ui->full = false;
    ui->dirty = false;
}
