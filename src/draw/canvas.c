/*
 * canvas: memory, frames, text and fills. Lines, dots and bars are in canvas_line.c.
 *
 * The invariant every function keeps: a CELL_WIDE is followed, in its row, by its CELL_TAIL, and no
 * CELL_TAIL stands anywhere else.
 */
#include "base/alloc.h"
#include "base/check.h"
#include "base/utf8.h"
#include "draw/canvas_impl.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct cell text_cell(uint32_t point, enum style style)
{
    return (struct cell){.value = point, .kind = CELL_TEXT, .style = (uint8_t)style};
}

static int clamp(int64_t value, int low, int high)
{
    return value < low ? low : value > high ? high : (int)value;
}

/* --- memory ---------------------------------------------------------------------------------- */

struct canvas *canvas_new(int columns, int rows)
{
    struct canvas *c = xcalloc(1, sizeof(*c));
    canvas_resize(c, columns, rows);
    return c;
}

void canvas_free(struct canvas *c)
{
    if (c != NULL) {
        free(c->cells);
        free(c);
    }
}

void canvas_resize(struct canvas *c, int columns, int rows)
{
    c->columns = clamp(columns, 1, CANVAS_COLUMNS_MAX);
    c->rows = clamp(rows, 1, CANVAS_ROWS_MAX);
    c->cells = xrealloc(c->cells, (size_t)c->columns * (size_t)c->rows, sizeof(*c->cells));
    c->frames[0] =
        (struct frame){.w = c->columns, .h = c->rows, .clip_x1 = c->columns, .clip_y1 = c->rows};
    canvas_clear(c);
}

void canvas_clear(struct canvas *c)
{
    CHECK(c->depth == 0); /* a view forgot canvas_pop */
    size_t count = (size_t)c->columns * (size_t)c->rows;
    for (size_t i = 0; i < count; i++)
        c->cells[i] = text_cell(' ', STYLE_TEXT);
    c->cursor_set = false;
}

int canvas_columns(const struct canvas *c)
{
    return c->columns;
}

int canvas_rows(const struct canvas *c)
{
    return c->rows;
}

void canvas_set_glyphs(struct canvas *c, enum glyphs glyphs)
{
    c->glyphs = glyphs;
}

enum glyphs canvas_glyphs(const struct canvas *c)
{
    return c->glyphs;
}

/* --- frames ---------------------------------------------------------------------------------- */

const struct frame *canvas_frame(const struct canvas *c)
{
    return &c->frames[c->depth];
}

void canvas_push(struct canvas *c, struct rect area)
{
    CHECK(c->depth < CANVAS_FRAMES_MAX);
    const struct frame *outer = canvas_frame(c);
    struct frame *inner = &c->frames[c->depth + 1];
    struct run xs = canvas_run_x(c, area.x, area.w);
    struct run ys = canvas_run_y(c, area.y, area.h);
    *inner = (struct frame){.x = outer->x + area.x,
                            .y = outer->y + area.y,
                            .w = area.w > 0 ? area.w : 0,
                            .h = area.h > 0 ? area.h : 0,
                            .clip_x0 = xs.from,
                            .clip_x1 = xs.to,
                            .clip_y0 = ys.from,
                            .clip_y1 = ys.to};
    c->depth++;
}

void canvas_pop(struct canvas *c)
{
    CHECK(c->depth > 0);
    c->depth--;
}

int canvas_width(const struct canvas *c)
{
    return canvas_frame(c)->w;
}

int canvas_height(const struct canvas *c)
{
    return canvas_frame(c)->h;
}

static struct run run_within(int64_t from, int64_t length, int low, int high)
{
    int64_t to = from + (length > 0 ? length : 0);
    struct run r = {clamp(from, low, high), clamp(to, low, high)};
    return r;
}

struct run canvas_run_x(const struct canvas *c, int x, int64_t length)
{
    const struct frame *f = canvas_frame(c);
    return run_within(f->x + x, length, f->clip_x0, f->clip_x1);
}

struct run canvas_run_y(const struct canvas *c, int y, int64_t length)
{
    const struct frame *f = canvas_frame(c);
    return run_within(f->y + y, length, f->clip_y0, f->clip_y1);
}

/* --- cells ----------------------------------------------------------------------------------- */

struct cell *canvas_cell(struct canvas *c, int ax, int ay)
{
    CHECK(ax >= 0 && ax < c->columns && ay >= 0 && ay < c->rows);
    return &c->cells[(size_t)ay * (size_t)c->columns + (size_t)ax];
}

/* Blanks the other half of the wide character that is at ax, if there is one. */
static void part_wide(struct canvas *c, int ax, int ay)
{
    const struct cell *old = canvas_cell(c, ax, ay);
    if (old->kind == CELL_WIDE)
        *canvas_cell(c, ax + 1, ay) = text_cell(' ', (enum style)old->style);
    else if (old->kind == CELL_TAIL)
        *canvas_cell(c, ax - 1, ay) = text_cell(' ', (enum style)old->style);
}

void canvas_set(struct canvas *c, int ax, int ay, struct cell value)
{
    part_wide(c, ax, ay);
    *canvas_cell(c, ax, ay) = value;
}

/* Puts one character of the given width at frame column x, cut by the clip. Returns its cell when
 * it was written whole, else NULL. */
static struct cell *put_point(struct canvas *c, int64_t x, int y, struct cell value, int width)
{
    const struct frame *f = canvas_frame(c);
    int64_t ax = f->x + x, ay = f->y + y;
    if (ay < f->clip_y0 || ay >= f->clip_y1)
        return NULL;
    bool first = ax >= f->clip_x0 && ax < f->clip_x1;
    bool second = width == 2 && ax + 1 >= f->clip_x0 && ax + 1 < f->clip_x1;
    struct cell blank = text_cell(' ', (enum style)value.style);
    bool whole = first && (width == 1 || second);
    if (first)
        canvas_set(c, (int)ax, (int)ay, whole ? value : blank);
    if (second)
        canvas_set(c, (int)ax + 1, (int)ay, blank);
    if (!whole)
        return NULL;
    struct cell *cell = canvas_cell(c, (int)ax, (int)ay);
    if (width == 2) {
        cell->kind = CELL_WIDE;
        cell[1].kind = CELL_TAIL;
    }
    return cell;
}

static void add_mark(struct cell *cell, uint32_t mark)
{
    for (int i = 0; i < CELL_MARKS; i++) {
        if (cell->marks[i] == 0) {
            cell->marks[i] = mark;
            return;
        }
    }
    /* More marks than a cell holds: the letter stays readable without them. */
}

/* --- text ------------------------------------------------------------------------------------ */

static bool all_printable_ascii(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (text[i] < ' ' || text[i] > '~')
            return false;
    return true;
}

/* Text that utf8_visible has already made safe. */
static int put_visible(struct canvas *c, int x, int y, enum style style, struct bytes text)
{
    int64_t columns = 0;
    struct cell *last = NULL;
    for (size_t at = 0; at < text.length;) {
        uint32_t point;
        at += utf8_decode(text.at + at, text.length - at, &point);
        int width = utf8_width(point);
        if (width > 0) {
            last = put_point(c, x + columns, y, text_cell(point, style), width);
            columns += width;
        } else if (last != NULL) {
            add_mark(last, point);
        }
    }
    return clamp(columns, 0, INT32_MAX);
}

int canvas_textn(struct canvas *c, int x, int y, enum style style, const char *text, size_t length)
{
    if (all_printable_ascii(text, length))
        return put_visible(c, x, y, style, (struct bytes){text, length});
    struct str visible = STR_EMPTY;
    utf8_visible(&visible, text, length);
    int columns = put_visible(c, x, y, style, (struct bytes){str_text(&visible), visible.length});
    str_free(&visible);
    return columns;
}

int canvas_text(struct canvas *c, int x, int y, enum style style, const char *text)
{
    return canvas_textn(c, x, y, style, text, strlen(text));
}

int canvas_textf(struct canvas *c, int x, int y, enum style style, const char *format, ...)
{
    char small[256];
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(small, sizeof(small), format, args);
    va_end(args);
    CHECK(length >= 0);
    char *text = small;
    if ((size_t)length >= sizeof(small)) {
        text = xmalloc((size_t)length + 1);
        int written = vsnprintf(text, (size_t)length + 1, format, again);
        CHECK(written == length);
    }
    va_end(again);
    int columns = canvas_textn(c, x, y, style, text, (size_t)length);
    if (text != small)
        free(text);
    return columns;
}

int canvas_text_fit(struct canvas *c, int x, int y, int columns, enum style style, const char *text)
{
    if (columns <= 0)
        return 0;
    struct str visible = STR_EMPTY;
    utf8_visible(&visible, text, strlen(text));
    struct bytes shown = {str_text(&visible), visible.length};
    bool cut = utf8_columns(shown.at, shown.length) > columns;
    int sign = c->glyphs == GLYPHS_ASCII && columns > 1 ? 2 : 1; /* a single dot ends a sentence */
    if (cut)
        shown.length = utf8_fit(shown.at, shown.length, columns - sign);
    int taken = put_visible(c, x, y, style, shown);
    str_free(&visible);
    for (int i = 0; cut && i < sign; i++) {
        const uint32_t ellipsis = 0x2026;
        put_point(c, (int64_t)x + taken, y, text_cell(ellipsis, style), 1);
        taken++;
    }
    return taken;
}

int canvas_text_right(struct canvas *c, int x_end, int y, enum style style, const char *text)
{
    int columns = utf8_columns(text, strlen(text));
    int64_t x = (int64_t)x_end - columns;
    return canvas_text(c, clamp(x, INT32_MIN, INT32_MAX), y, style, text);
}

/* What can stand in a cell: no control characters, no marks without a letter. */
static uint32_t sole_point(uint32_t point)
{
    return utf8_width(point) == 0 ? UTF8_REPLACEMENT : point;
}

void canvas_put(struct canvas *c, int x, int y, enum style style, uint32_t point)
{
    point = sole_point(point);
    put_point(c, x, y, text_cell(point, style), utf8_width(point));
}

/* --- areas ----------------------------------------------------------------------------------- */

void canvas_fill(struct canvas *c, struct rect area, enum style style, uint32_t point)
{
    point = sole_point(point);
    int width = utf8_width(point);
    const struct frame *f = canvas_frame(c);
    struct run xs = canvas_run_x(c, area.x, area.w);
    struct run ys = canvas_run_y(c, area.y, area.h);
    if (xs.from >= xs.to)
        return;
    /* Wide characters stay in step with the area's own left edge, wherever the clip begins. */
    int64_t left = f->x + area.x;
    int64_t begin = xs.from - (xs.from - left) % width;
    for (int ay = ys.from; ay < ys.to; ay++) {
        for (int64_t ax = begin; ax < xs.to; ax += width) {
            bool fits = ax + width <= left + area.w;
            struct cell cell = text_cell(fits ? point : ' ', style);
            put_point(c, ax - f->x, (int)(ay - f->y), cell, fits ? width : 1);
        }
    }
}

void canvas_restyle(struct canvas *c, struct rect area, enum style style)
{
    struct run xs = canvas_run_x(c, area.x, area.w);
    struct run ys = canvas_run_y(c, area.y, area.h);
    for (int ay = ys.from; ay < ys.to; ay++) {
        for (int ax = xs.from; ax < xs.to; ax++) {
            struct cell *cell = canvas_cell(c, ax, ay);
            if (cell->kind == CELL_TAIL)
                continue; /* has the style of its first half */
            cell->style = (uint8_t)style;
            if (cell->kind == CELL_WIDE)
                cell[1].style = (uint8_t)style;
        }
    }
}

/* --- the cursor ------------------------------------------------------------------------------ */

void canvas_cursor(struct canvas *c, int x, int y)
{
    struct run xs = canvas_run_x(c, x, 1);
    struct run ys = canvas_run_y(c, y, 1);
    c->cursor_set = xs.from < xs.to && ys.from < ys.to;
    c->cursor_x = xs.from;
    c->cursor_y = ys.from;
}

bool canvas_cursor_at(const struct canvas *c, int *x, int *y)
{
    if (c->cursor_set) {
        *x = c->cursor_x;
        *y = c->cursor_y;
    }
    return c->cursor_set;
}
