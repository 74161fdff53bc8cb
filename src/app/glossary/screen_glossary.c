/*
 * screen_glossary: the glossary drawn. See glossary_screen.h.
 */
#include "app/glossary/glossary_screen.h"
#include "base/num.h"
#include "draw/prose.h"
#include <stdio.h>
#include <string.h>

#define LIST_NARROW 26
#define LIST_WIDE 32
#define WIDE_FROM 100
#define FRAME_ROWS 2
#define FOLDED_ROWS 1

void screen_glossary_title(struct ui *ui)
{
    struct canvas *c = ui->canvas;
    const struct glossary_screen *s = ui->glossary;
    char left[128], right[64];
    const struct page *page =
        s->from == SCREEN_LESSON && ui->course.player ? player_page(ui->course.player) : NULL;
    if (page && page->drill) {
        snprintf(left, sizeof left, "Glossary  beside the drill");
    } else if (page) {
        snprintf(left, sizeof left, "Glossary  beside Part %d, step %zu", page->part,
                 page->step + 1);
    } else {
        snprintf(left, sizeof left, "Glossary");
    }
    snprintf(right, sizeof right, "%zu terms", s->glossary->count);
    canvas_text(c, 1, 0, STYLE_TITLE, left);
    canvas_text_right(c, canvas_columns(c) - 1, 0, STYLE_TITLE, right);
}

/* --- the list ----------------------------------------------------------------------------------
 */

/* The other name by which a search has found this term; NULL: by the term itself. */
static const char *name_found(const struct glossary_screen *s, const struct glossary_entry *e)
{
    struct glossary_entry one = {.term = e->term};
    for (size_t i = 0; i < e->also.count && !glossary_matches(&one, s->search.text); i++) {
        one.term = e->also.item[i];
    }
    return one.term == e->term ? NULL : one.term;
}

static void draw_row(const struct ui *ui, int y, size_t row)
{
    struct canvas *c = ui->canvas;
    const struct glossary_screen *s = ui->glossary;
    bool selected = row == s->selected;
    enum style style = selected ? STYLE_SELECTED : STYLE_TEXT;
    int w = canvas_width(c);
    if (selected) {
        canvas_fill(c, (struct rect){0, y, w, 1}, style, ' ');
        canvas_text(c, 0, y, style, canvas_glyphs(c) == GLYPHS_ASCII ? ">" : "▸");
        canvas_cursor(c, 0, y);
    }
    const struct glossary_entry *e = &s->glossary->entry[s->row[row]];
    int x = 2 + canvas_text_fit(c, 2, y, w - 2, style, e->term);
    const char *name = name_found(s, e);
    if (name && x + 2 < w) { /* why a search has found it */
        canvas_text_fit(c, x + 2, y, w - x - 2, selected ? style : STYLE_DIM, name);
    }
}

static void draw_headings(const struct ui *ui, int height)
{
    const struct glossary_screen *s = ui->glossary;
    int all = (int)s->heres + 2 - (int)s->first;
    if (s->first == 0) {
        canvas_text_fit(ui->canvas, 1, 0, canvas_width(ui->canvas) - 1, STYLE_STRONG,
                        "On this step");
    }
    if (all >= 0 && all < height) {
        canvas_text_fit(ui->canvas, 1, all, canvas_width(ui->canvas) - 1, STYLE_STRONG,
                        "All terms");
    }
}

/* The selected row is in view, and with the first one its heading. */
static void scroll_list(struct glossary_screen *s, size_t height)
{
    size_t line = glossary_line_of(s, s->selected);
    size_t lines = glossary_lines(s);
    size_t top = s->selected == 0 ? 0 : line;
    s->first = top < s->first ? top : s->first;
    s->first = line >= s->first + height ? line - height + 1 : s->first;
    s->first = lines > height && s->first > lines - height ? lines - height : s->first;
    s->first = lines <= height ? 0 : s->first;
}

static void draw_search(struct canvas *c, struct rect line, const struct prompt *search)
{
    int x = line.x + canvas_text(c, line.x, line.y, STYLE_KEYCAP, "/");
    popup_draw_field(c, x, line.y, line.w - 1, search);
}

static void draw_list(struct ui *ui, struct rect area)
{
    struct canvas *c = ui->canvas;
    struct glossary_screen *s = ui->glossary;
    struct rect inside = draw_pane(c, area, "Terms", true);
    struct rect line = {0, 0, 0, 0};
    if (s->searching || s->search.length > 0) {
        line = rect_cut_bottom(inside, 1, &inside);
        draw_search(c, line, &s->search);
    }
    s->height = inside.h;
    scroll_list(s, inside.h > 0 ? (size_t)inside.h : 1);
    canvas_push(c, inside);
    if (s->rows == 0) {
        canvas_text_fit(c, 1, 0, inside.w - 1, STYLE_WARN, "No term has that name.");
    }
    for (size_t row = 0; row < s->rows; row++) {
        size_t at = glossary_line_of(s, row);
        if (at >= s->first && at < s->first + (size_t)inside.h) {
            draw_row(ui, (int)(at - s->first), row);
        }
    }
    if (glossary_has_headings(s)) {
        draw_headings(ui, inside.h);
    }
    canvas_pop(c);
    if (s->searching) { /* where one types the cursor rests, not at the selected row */
        draw_search(c, line, &s->search);
    }
}

/* --- the term ----------------------------------------------------------------------------------
 */

static void say_names(const struct glossary_entry *e, struct str *out)
{
    for (size_t i = 0; i < e->also.count; i++) {
        str_addf(out, "%s%s", i == 0 ? "Also " : ", ", e->also.item[i]);
    }
    str_add(out, e->also.count > 0 ? ".\n" : "");
}

/* The part that teaches it, and the terms under See with the digits that lead to them. */
static void say_ways(const struct ui *ui, const struct glossary_entry *e, struct str *out)
{
    const struct lesson_entry *part = glossary_part(ui, e->part);
    if (part) {
        str_addf(out, "Part %d, %s.", e->part, part->title);
    } else {
        str_addf(out, "Part %d.", e->part);
    }
    for (size_t i = 0; i < e->see.count; i++) {
        str_add(out, i == 0 ? " See " : " ");
        if (i < GLOSSARY_SEE_MAX) { /* a digit stays with its term */
            str_addf(out, "`%zu`\u00A0", i + 1);
        }
        str_addf(out, "[[%s]]%s", e->see.item[i], i + 1 < e->see.count ? "," : ".");
    }
    str_addc(out, '\n');
}

/* Definition, other names, ways on: wrapped each, so that each begins a line. */
#define PARAGRAPHS 3
struct wrapped {
    struct prose paragraph[PARAGRAPHS];
    int lines, gaps; /* gaps: lines more with one between paragraphs */
};

static void wrap_entry(const struct ui *ui, const struct glossary_entry *e, int columns,
                       struct wrapped *out)
{
    struct str text[PARAGRAPHS] = {STR_EMPTY, STR_EMPTY, STR_EMPTY};
    str_add(&text[0], e->say);
    say_names(e, &text[1]);
    say_ways(ui, e, &text[2]);
    out->lines = 0;
    out->gaps = text[1].length > 0 ? 2 : 1;
    for (size_t i = 0; i < PARAGRAPHS; i++) {
        prose_wrap(&out->paragraph[i], str_text(&text[i]), columns);
        out->lines += (int)out->paragraph[i].line_count;
        str_free(&text[i]);
    }
}

static void draw_entry(struct ui *ui, struct rect area, const struct glossary_entry *e,
                       const struct wrapped *text)
{
    struct canvas *c = ui->canvas;
    struct rect inside = draw_pane(c, area, e->term, false);
    int gap = inside.h >= text->lines + text->gaps, y = 0;
    canvas_push(c, inside);
    for (size_t i = 0; i < PARAGRAPHS; i++) {
        int lines = (int)text->paragraph[i].line_count;
        prose_draw(c, &text->paragraph[i], 1, y, 0, inside.h - y > 0 ? inside.h - y : 0);
        y += lines > 0 ? lines + gap : 0;
    }
    canvas_pop(c);
}

/* --- the picture -------------------------------------------------------------------------------
 */

static void say_waiting(const struct glossary_screen *s, struct str *out)
{
    int64_t now = glossary_stage_now(s->stage);
    if (*s->why.text) {
        str_add(out, s->why.text);
    } else if (glossary_stage_state(s->stage) == STAGE_WORKS && now >= 0) {
        str_addf(out, "The story plays to %s: it is at %s.",
                 num_clock(glossary_stage_until(s->stage)).text, num_clock(now).text);
    } else {
        str_add(out, "The picture is being made.");
    }
}

static void draw_picture(struct ui *ui, struct rect area, bool focused)
{
    struct canvas *c = ui->canvas;
    struct glossary_screen *s = ui->glossary;
    bool begun = s->selected < s->rows && s->shown == s->row[s->selected];
    const struct view *view = begun && !*s->why.text ? glossary_stage_view(s->stage) : NULL;
    char title[128];
    const struct glossary_entry *e = glossary_selected(s);
    snprintf(title, sizeof title, "%s%s%s", focused && e ? e->term : "", focused ? ": " : "",
             view ? view->title : "Picture");
    struct rect inside = draw_pane(c, area, title, focused);
    s->pane = inside;
    canvas_push(c, inside);
    if (focused) {
        canvas_cursor(c, 0, 0);
    }
    if (begun && glossary_stage_state(s->stage) == STAGE_READY) {
        view->draw(c, glossary_stage_scene(s->stage), &s->view, focused);
    } else {
        struct str note = STR_EMPTY;
        struct prose prose;
        say_waiting(s, &note);
        prose_wrap(&prose, str_text(&note), inside.w - 2);
        prose_draw(c, &prose, 1, 0, 0, inside.h);
        prose_free(&prose);
        str_free(&note);
    }
    canvas_pop(c);
}

static void draw_folded(struct ui *ui, struct rect line)
{
    struct str key = STR_EMPTY;
    keymap_say(&ui->keymap, ACT_FOCUS_NEXT, IN_GLOSSARY, &key);
    ui->glossary->pane = (struct rect){0, 0, 0, 0};
    canvas_hline(ui->canvas, line.x, line.y, line.w, LINE_LIGHT, STYLE_DIM);
    canvas_textf(ui->canvas, line.x + 2, line.y, STYLE_DIM, " its picture (%s) ", str_text(&key));
    str_free(&key);
}

/* Rows of the least picture of this entry, its frame counted: what the view needs at 80x24. */
static int picture_rows(const struct glossary_entry *e)
{
    char name[32];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(e->show, ":"), e->show);
    const struct view *view = view_by_name(name);
    return (view ? view->min_rows : 1) + FRAME_ROWS;
}

static void draw_right(struct ui *ui, struct rect area)
{
    struct glossary_screen *s = ui->glossary;
    const struct glossary_entry *e = glossary_selected(s);
    struct wrapped text;
    struct rect below;
    if (!e) {
        draw_pane(ui->canvas, area, "Nothing selected", false);
        return;
    }
    wrap_entry(ui, e, area.w - 4 < PROSE_MEASURE ? area.w - 4 : PROSE_MEASURE, &text);
    int most = area.h - picture_rows(e);
    int rows = text.lines + FRAME_ROWS;
    s->folded = rows > most;
    rows = s->folded ? area.h - FOLDED_ROWS : rows + text.gaps <= most ? rows + text.gaps : rows;
    struct rect above = rect_cut_top(area, rows, &below);
    draw_entry(ui, above, e, &text);
    if (s->folded) {
        draw_folded(ui, below);
    } else {
        draw_picture(ui, below, false);
    }
    for (size_t i = 0; i < PARAGRAPHS; i++) {
        prose_free(&text.paragraph[i]);
    }
}

void screen_glossary_draw(struct ui *ui, struct rect body)
{
    struct rect right;
    if (ui->glossary->whole) {
        draw_picture(ui, body, true);
        return;
    }
    struct rect left = rect_cut_left(body, body.w < WIDE_FROM ? LIST_NARROW : LIST_WIDE, &right);
    draw_right(ui, right);
    draw_list(ui, left);
}
