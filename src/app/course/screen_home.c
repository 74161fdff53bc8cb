/*
 * screen_home: the course: lessons and drills with what was done, and what the selected one is
 * about. See ui.h.
 */
#include "app/ui.h"
#include "draw/prose.h"
#include <stdio.h>
#include <string.h>

#define LIST_SHARE 58 /* of a hundred columns */
#define WAYS_ROWS 4   /* below the list: a line, and a row each */

/* Entries in the order of the list: lessons first, then drills, each as the index has them. */
static const struct lesson_entry *entry_at(const struct ui *ui, size_t row)
{
    const struct lesson_index *index = ui->index;
    for (int drills = 0; drills < 2; drills++) {
        for (size_t i = 0; i < index->count; i++) {
            if (index->entry[i].drill == (drills == 1) && row-- == 0) {
                return &index->entry[i];
            }
        }
    }
    return NULL;
}

static size_t lessons_of(const struct ui *ui)
{
    size_t lessons = 0;
    for (size_t i = 0; i < ui->index->count; i++) {
        lessons += !ui->index->entry[i].drill;
    }
    return lessons;
}

static bool is_done(const struct ui *ui, const struct lesson_entry *entry)
{
    return ui->progress && progress_done(ui->progress, entry->id);
}

void screen_home_enter(struct ui *ui)
{
    const char *last = ui->course.id;
    if (!last && ui->progress) {
        last = progress_last_place(ui->progress);
    }
    ui->dirty = true;
    for (size_t row = 0; last && row < ui->index->count; row++) {
        if (strcmp(entry_at(ui, row)->id, last) == 0) {
            ui->home.selected = row;
        }
    }
}

/* The first entry that is not done, from the one behind `after` on and round; false: all are. */
static bool next_to_do(const struct ui *ui, size_t after, size_t *row)
{
    size_t count = ui->index->count;
    for (size_t i = 1; i <= count; i++) {
        *row = (after + i) % count;
        if (!is_done(ui, entry_at(ui, *row))) {
            return true;
        }
    }
    return false;
}

void screen_home_offer(struct ui *ui, const char *title, struct str *body)
{
    size_t row = 0;
    bool more = next_to_do(ui, ui->home.selected, &row);
    if (more) {
        const struct lesson_entry *next = entry_at(ui, row);
        struct str key = STR_EMPTY;
        ui->home.selected = row;
        keymap_say(&ui->keymap, ACT_OPEN, IN_TEXT, &key);
        str_addf(body, "Next: %s*%s*. %s opens it.\n", next->drill ? "drill " : "", next->title,
                 str_text(&key));
        str_free(&key);
    } else {
        str_add(body, "That was all that is here. Everything can be taken again.\n");
    }
    popup_open_text(ui, title, body, true);
    popup_top(ui)->purpose = more ? ACT_OPEN : ACT_NONE;
}

static void open_selected(struct ui *ui)
{
    struct err err;
    const struct lesson_entry *entry = entry_at(ui, ui->home.selected);
    if (entry && !course_open(ui, entry, true, &err)) {
        ui_say_err(ui, &err);
    }
}

void screen_home_action(struct ui *ui, enum action action)
{
    size_t last = ui->index->count > 0 ? ui->index->count - 1 : 0;
    size_t page = ui->home.height > 1 ? (size_t)ui->home.height - 1 : 1;
    size_t *at = &ui->home.selected;
    switch ((unsigned)action) {
    case ACT_OPEN:
        open_selected(ui);
        break;
    case ACT_UP:
        *at -= *at > 0;
        break;
    case ACT_DOWN:
        *at += *at < last;
        break;
    case ACT_PAGE_UP:
        *at -= *at > page ? page : *at;
        break;
    case ACT_PAGE_DOWN:
        *at = *at + page < last ? *at + page : last;
        break;
    case ACT_FIRST:
        *at = 0;
        break;
    case ACT_LAST:
        *at = last;
        break;
    default:
        break;
    }
}

/* --- drawing -----------------------------------------------------------------------------------
 */

void screen_home_title(struct ui *ui)
{
    struct canvas *c = ui->canvas;
    size_t done = 0;
    char right[64];
    for (size_t i = 0; i < ui->index->count; i++) {
        done += !ui->index->entry[i].drill && is_done(ui, &ui->index->entry[i]);
    }
    snprintf(right, sizeof right, "%zu of %zu parts done", done, lessons_of(ui));
    canvas_text(c, 1, 0, STYLE_TITLE, "hotshard");
    canvas_text_right(c, canvas_columns(c) - 1, 0, STYLE_TITLE, right);
}

static void say_state(const struct ui *ui, const struct lesson_entry *entry, struct str *out)
{
    if (is_done(ui, entry)) {
        str_add(out, "done");
    } else if (ui->progress && progress_last_step(ui->progress, entry->id)) {
        str_add(out, entry->drill ? "tried" : "begun");
    } else if (entry->minutes > 0) {
        str_addf(out, entry->deeper > 0 ? "%d min + more" : "%d min", entry->minutes);
    } else {
        str_add(out, "new");
    }
}

static void draw_row(const struct ui *ui, int y, size_t row)
{
    struct canvas *c = ui->canvas;
    const struct lesson_entry *entry = entry_at(ui, row);
    int w = canvas_width(c);
    bool selected = row == ui->home.selected;
    bool ascii = canvas_glyphs(c) == GLYPHS_ASCII;
    enum style style = selected ? STYLE_SELECTED : STYLE_TEXT;
    char number[16];
    struct str state = STR_EMPTY;
    if (entry->drill) {
        snprintf(number, sizeof number, "drill");
    } else {
        snprintf(number, sizeof number, "%5d", entry->part);
    }
    say_state(ui, entry, &state);
    canvas_fill(c, (struct rect){0, y, w, 1}, style, ' ');
    canvas_text(c, 1, y, style, selected ? (ascii ? ">" : "▸") : " ");
    canvas_text(c, 3, y, style, number);
    canvas_text_fit(c, 10, y, w - 10 - (int)state.length - 2, style, entry->title);
    canvas_text_right(c, w - 1, y, style, str_text(&state));
    if (selected) {
        canvas_cursor(c, 1, y);
    }
    str_free(&state);
}

/* What there is beside the course, with the keys that lead there. */
static void draw_ways(const struct ui *ui, struct rect area)
{
    static const struct {
        enum action action;
        const char *name;
    } way[] = {{ACT_PLAYGROUND, "playground: any keys, any scheme"},
               {ACT_CHECK, "check: break a protocol"},
               {ACT_GLOSSARY, "glossary: terms with pictures"}};
    struct canvas *c = ui->canvas;
    canvas_push(c, area);
    canvas_hline(c, 1, 0, area.w - 2, LINE_LIGHT, STYLE_DIM);
    for (size_t i = 0; i < sizeof way / sizeof way[0]; i++) {
        struct str key = STR_EMPTY;
        keymap_say(&ui->keymap, way[i].action, IN_HOME, &key);
        canvas_text_fit(c, 3, (int)i + 1, 6, STYLE_KEYCAP, str_text(&key));
        canvas_text_fit(c, 10, (int)i + 1, area.w - 11, STYLE_TEXT, way[i].name);
        str_free(&key);
    }
    canvas_pop(c);
}

static void draw_list(struct ui *ui, struct rect area)
{
    struct canvas *c = ui->canvas;
    struct home *home = &ui->home;
    struct rect inside = draw_pane(c, area, "Course", true);
    draw_ways(ui, rect_cut_bottom(inside, WAYS_ROWS, &inside));
    size_t height = inside.h > 0 ? (size_t)inside.h : 1;
    home->height = inside.h;
    if (home->selected < home->first) {
        home->first = home->selected;
    } else if (home->selected >= home->first + height) {
        home->first = home->selected - height + 1;
    }
    canvas_push(c, inside);
    for (size_t i = 0; i < height && home->first + i < ui->index->count; i++) {
        draw_row(ui, (int)i, home->first + i);
    }
    if (ui->index->count == 0) {
        canvas_text_fit(c, 1, 0, inside.w - 2, STYLE_WARN,
                        "No lessons were found; set HOTSHARD_LESSONS to their folder.");
    }
    canvas_pop(c);
}

static void tell_place(const struct lesson_entry *entry, const char *step, struct str *out)
{
    for (size_t i = 0; i < entry->steps; i++) {
        if (strcmp(entry->step[i].id, step) == 0) {
            str_addf(out, "You were at step %zu of %zu, *%s*. It goes on there.\n", i + 1,
                     entry->steps, entry->step[i].title);
            return;
        }
    }
    str_add(out, "You have begun it; it has changed since, and goes on as near as can be.\n");
}

static void tell_entry(const struct ui *ui, const struct lesson_entry *entry, struct str *out)
{
    const char *step = ui->progress ? progress_last_step(ui->progress, entry->id) : NULL;
    str_addf(out, "*%s*\n\n", entry->title);
    if (entry->drill) {
        str_add(out, "A drill: one question with new numbers each time, and why the answer is "
                     "what it is.\n\n");
    } else {
        str_addf(out, "%zu steps, about %d minutes", entry->core, entry->minutes);
        if (entry->deeper > 0) {
            str_addf(out, "; then %zu deeper ones, to take or to leave", entry->deeper);
        }
        str_add(out, ".\n\n");
    }
    if (is_done(ui, entry)) {
        str_add(out, "Done. It can be taken again from its start.\n");
    } else if (step && !entry->drill) {
        tell_place(entry, step, out);
    }
}

static void draw_about(struct ui *ui, struct rect area)
{
    struct canvas *c = ui->canvas;
    const struct lesson_entry *entry = entry_at(ui, ui->home.selected);
    char title[32] = "Nothing selected";
    if (entry) {
        snprintf(title, sizeof title, entry->drill ? "Drill" : "Part %d", entry->part);
    }
    struct rect inside = draw_pane(c, area, title, false);
    if (!entry) {
        return;
    }
    struct str text = STR_EMPTY;
    struct prose prose;
    int columns = inside.w - 2 < PROSE_MEASURE ? inside.w - 2 : PROSE_MEASURE;
    tell_entry(ui, entry, &text);
    prose_wrap(&prose, str_text(&text), columns);
    canvas_push(c, inside);
    prose_draw(c, &prose, 1, 1, 0, inside.h - 1);
    canvas_pop(c);
    prose_free(&prose);
    str_free(&text);
}

void screen_home_draw(struct ui *ui, struct rect body)
{
    struct rect right;
    struct rect left = rect_cut_left(body, body.w * LIST_SHARE / 100, &right);
    draw_list(ui, left);
    draw_about(ui, right);
}
