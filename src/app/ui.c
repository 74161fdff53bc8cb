/*
 * ui: see ui.h. Start, end, where keys go, and the frame that all screens share.
 */
#include "app/ui.h"
#include "app/folders.h"
#include "app/notes.h"
#include "base/alloc.h"
#include "base/file.h"
#include "base/utf8.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEYS_FILE_MAX ((size_t)1 << 16)

static const char *box_title(enum style style)
{
    return style == STYLE_BAD ? "What went wrong" : style == STYLE_WARN ? "Take note" : "Message";
}

void ui_say(struct ui *ui, enum style style, const char *format, ...)
{
    struct str text = STR_EMPTY;
    va_list args;
    va_start(args, format);
    str_addvf(&text, format, args);
    va_end(args);
    int room = canvas_columns(ui->canvas) - 2;
    bool cut = room >= SCREEN_MIN_COLUMNS - 2 && utf8_columns(str_text(&text), text.length) > room;
    ui->message[0] = '\0';
    if (cut) { /* the line would not hold it */
        popup_open_text(ui, box_title(style), &text, false);
    } else {
        size_t fits = utf8_cut(str_text(&text), text.length, sizeof ui->message - 1);
        snprintf(ui->message, sizeof ui->message, "%.*s", (int)fits, str_text(&text));
    }
    ui->message_style = style;
    ui->dirty = true;
    str_free(&text);
}

void ui_say_err(struct ui *ui, const struct err *err)
{
    ui_say(ui, STYLE_BAD, "%s", err->text);
}

/* --- start and end -----------------------------------------------------------------------------
 */

/* What is wrong with our files is collected, so that no later word takes the place of an earlier
 * one. */
static void add_trouble(struct str *troubles, const char *text)
{
    str_addf(troubles, "%s%s\n", troubles->length > 0 ? "\n" : "", text);
}

static void read_keys_file(struct ui *ui, struct str *troubles)
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
        add_trouble(troubles, err.text);
    }
    str_free(&text);
    free(path);
}

/* How many lesson files do not load, and the first one's fault, whole. */
static void tell_faults(const struct lesson_index *index, struct str *troubles)
{
    const char *faults = str_text(&index->faults);
    size_t first = strcspn(faults, "\n");
    size_t count = 0;
    for (const char *at = faults; *at; at++) {
        count += *at == '\n';
    }
    if (count == 0) {
        return;
    }
    struct str text = STR_EMPTY;
    str_addf(&text,
             count == 1 ? "%zu lesson does not load: " : "%zu lessons do not load. First: ", count);
    str_addn(&text, faults, first);
    add_trouble(troubles, str_text(&text));
    str_free(&text);
}

static void load_progress(struct ui *ui, struct str *troubles)
{
    struct err err;
    ui->progress = progress_load(NULL, &err);
    if (!ui->progress) {
        err_prefix(&err, "progress is not kept");
        add_trouble(troubles, err.text);
    } else if (progress_skipped_lines(ui->progress) > 0) {
        struct str text = STR_EMPTY;
        notes_say_skipped(ui->progress, &text);
        add_trouble(troubles, str_text(&text));
        str_free(&text);
    }
}

struct ui *ui_new(const struct options *options, struct term *term)
{
    int columns, rows;
    struct str troubles = STR_EMPTY;
    struct ui *ui = xcalloc(1, sizeof *ui);
    ui->options = *options;
    ui->term = term;
    term_size(term, &columns, &rows);
    ui->canvas = canvas_new(columns, rows);
    ui->dirty = true;
    ui->full = true;
    keymap_default(&ui->keymap);
    read_keys_file(ui, &troubles);
    ui->index = folders_load_index();
    tell_faults(ui->index, &troubles);
    load_progress(ui, &troubles);
    screen_home_enter(ui);
    if (troubles.length > 0) {
        popup_open_text(ui, "Before you start", &troubles, false);
    }
    return ui;
}

void ui_free(struct ui *ui)
{
    while (ui->popups > 0) {
        popup_close(ui);
    }
    course_close(ui);
    (void)play_screen_keep(ui, NULL);
    play_screen_free(ui->play);
    glossary_screen_free(ui->glossary);
    check_screen_free(ui->check);
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
        if (top->kind == POPUP_PROMPT && top->purpose == ACT_COMMAND) {
            return IN_COMMAND;
        }
        return top->kind == POPUP_HELP && !top->searching ? IN_HELP : IN_FIELD;
    }
    if (ui->screen == SCREEN_HOME) {
        return IN_HOME;
    }
    if (ui->screen == SCREEN_PLAY) {
        return IN_PLAY;
    }
    if (ui->screen == SCREEN_GLOSSARY) {
        return glossary_screen_searches(ui) ? IN_SEARCH : IN_GLOSSARY;
    }
    if (ui->screen == SCREEN_CHECK) {
        return check_screen_context(ui);
    }
    return course_field_mode(ui) == FIELD_TEXT ? IN_FIELD : IN_LESSON;
}

/* A character for whatever line is being typed; false when there is none. */
static bool type_point(struct ui *ui, uint32_t key)
{
    if (key >= LKEY_SPECIAL || (key < ' ' && !ui->pasting)) {
        return false;
    }
    if ((ui_context(ui) & (IN_FIELD | IN_COMMAND)) != 0 && ui->popups > 0) {
        popup_type(ui, key);
        return true;
    }
    if (ui_context(ui) == IN_SEARCH) {
        glossary_screen_type(ui, key);
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
    enum action action = ACT_NONE;
    if (where == IN_LESSON && knobs_offer(course_page(ui), "shards")) {
        action = keymap_action(&ui->keymap, key, IN_SHARDS);
    }
    if (where == IN_LESSON && action == ACT_NONE && course_page(ui)->protocol.name) {
        action = keymap_action(&ui->keymap, key, IN_PROTOCOL);
    }
    if (where == IN_LESSON && action == ACT_NONE && course_at_row(ui)) {
        action = keymap_action(&ui->keymap, key, IN_ROW);
    }
    action = action != ACT_NONE ? action : keymap_action(&ui->keymap, key, where);
    if (action != ACT_NONE) {
        action_do(ui, action, key);
    } else if (!type_point(ui, key) && (where & (IN_FIELD | IN_COMMAND | IN_SEARCH)) == 0 &&
               key < LKEY_SPECIAL && key > ' ') {
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
        if (!ui->options.script && picture_shown(scene.page, "schemes")) {
            player_measure(player); /* measured times would make scripts differ */
        }
        scene.placing = scene.page->placing;
        scene.placings = scene.page->placings;
        scene.experiment = scene.page->experiment;
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

void ui_show_message(struct ui *ui)
{
    struct canvas *c = ui->canvas;
    int w = canvas_columns(c), h = canvas_rows(c);
    if (w >= SCREEN_MIN_COLUMNS && h >= SCREEN_MIN_ROWS) {
        canvas_fill(c, (struct rect){0, h - 2, w, 1}, STYLE_TEXT, ' ');
        draw_message(ui, h - 2);
        term_show(ui->term, c, false);
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
    } else if (ui->screen == SCREEN_PLAY) {
        screen_play_title(ui);
        screen_play_draw(ui, body);
    } else if (ui->screen == SCREEN_GLOSSARY) {
        screen_glossary_title(ui);
        screen_glossary_draw(ui, body);
    } else if (ui->screen == SCREEN_CHECK) {
        screen_check_title(ui);
        screen_check_draw(ui, body);
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
