/*
 * heat: how much each group of keys was asked for in each piece of time, a shade a cell.
 *
 * The page's rows and columns are fitted to the pane: where there is no room for all, a cell of the
 * picture shows the hottest of the cells that it stands for, so that no peak is lost; with room,
 * each is drawn over equally many, so that what is even looks even. Nothing at all is blank; next
 * to nothing is a dot; from there on signs grow denser, and colours hotter, in equal parts of the
 * fullest cell, so that a half can be told from a whole without colour. The scale is beside it.
 * Selection: a cell, moved by the arrows; its value is told below.
 */
#include "view/inside.h"
#include <stdio.h>
#include <string.h>

#define FULL 1000           /* the fullest cell */
#define NEXT_TO_NOTHING 125 /* at most: an eighth */
#define LEVELS 6
#define SIGNS_ASCII 10

static const struct page_heat *heat_of(const struct scene *s)
{
    const struct page_heat *h = s->page != NULL ? s->page->heat : NULL;
    return h != NULL && h->rows > 0 && h->columns > 0 ? h : NULL;
}

static const char *text_of(const char *text)
{
    return text != NULL ? text : "";
}

/* --- the picture's cells ------------------------------------------------------------------- */

struct shape {
    int x, y, w, h; /* of the cells, columns and lines of the pane */
    bool head, foot, axis;
};

/* Where there is room, each of the cells has equally much of it. */
static int even(int room, size_t cells)
{
    int each = room / (int)cells;
    return each > 0 ? each * (int)cells : room < 1 ? 1 : room;
}

static struct shape shape_of(const struct page_heat *p, int w, int h)
{
    struct shape out = {.head = h >= 4, .axis = h >= 6, .foot = h >= 3};
    out.y = (out.head ? 1 : 0);
    out.x = w >= 24 ? 2 : 0; /* where the rows' axis is named */
    out.w = even(w - out.x, p->columns);
    out.h = even(h - out.y - (out.axis ? 1 : 0) - (out.foot ? 1 : 0), p->rows);
    return out;
}

/* Of `cells` cells of the page, which ones the `at`-th of `shown` stands for: [first, end). */
static size_t first_of(size_t at, size_t cells, int shown)
{
    return at * cells / (size_t)shown;
}
static size_t end_of(size_t at, size_t cells, int shown)
{
    size_t end = first_of(at + 1, cells, shown), first = first_of(at, cells, shown);
    return end > first ? end : first + 1;
}

static uint16_t hottest(const struct page_heat *h, const struct shape *shape, size_t x, size_t y)
{
    uint16_t most = 0;
    for (size_t row = first_of(y, h->rows, shape->h); row < end_of(y, h->rows, shape->h); row++) {
        for (size_t column = first_of(x, h->columns, shape->w);
             column < end_of(x, h->columns, shape->w); column++) {
            most = h->value[row][column] > most ? h->value[row][column] : most;
        }
    }
    return most;
}

/* 0 nothing, 1 next to nothing, 2 to 5: a quarter to all, rounded. */
static unsigned level_of(uint16_t value)
{
    unsigned v = value > FULL ? FULL : value;
    return v == 0 ? 0 : v <= NEXT_TO_NOTHING ? 1 : 1 + (4 * v + FULL / 2) / FULL;
}

static uint32_t sign_of(const struct canvas *c, uint16_t value)
{
    static const uint32_t blocks[LEVELS] = {' ', 0x00B7, 0x2591, 0x2592, 0x2593, 0x2588};
    static const char signs[SIGNS_ASCII + 1] = " .:-=+*#%@";
    unsigned v = value > FULL ? FULL : value;
    if (canvas_glyphs(c) == GLYPHS_ASCII) {
        return (uint32_t)(unsigned char)signs[v == 0 ? 0 : 1 + (v - 1) * (SIGNS_ASCII - 1) / FULL];
    }
    return blocks[level_of(value)];
}

static enum style style_of(uint16_t value)
{
    unsigned level = level_of(value);
    return level == 0 ? STYLE_TEXT : (enum style)(STYLE_HEAT_1 + level - 1);
}

/* --- selection ----------------------------------------------------------------------------- */

/* v->selected: row * columns + column, of the page. Until there is one: the fullest cell. */
static size_t selected_cell(const struct page_heat *h, const struct view_state *v)
{
    size_t all = h->rows * h->columns, best = 0;
    if (v->has_selection) {
        return (size_t)view_clamp(v->selected, 0, (int64_t)all - 1);
    }
    for (size_t i = 1; i < all; i++) {
        uint16_t here = h->value[i / h->columns][i % h->columns];
        best = here > h->value[best / h->columns][best % h->columns] ? i : best;
    }
    return best;
}

static void add_cell(struct str *out, const struct page_heat *h, size_t cell)
{
    size_t row = cell / h->columns, column = cell % h->columns;
    str_addf(out, "row %zu of %zu, column %zu of %zu: %s%% of the fullest", row + 1, h->rows,
             column + 1, h->columns, num_ratio(h->value[row][column], FULL, 0).text);
}

/* --- drawing ------------------------------------------------------------------------------- */

/* What goes down, letter under letter, as far as it fits. */
static void draw_down(struct canvas *c, const struct page_heat *h, const struct shape *shape)
{
    const char *name = text_of(h->rows_are);
    int length = (int)strlen(name), y = shape->y + (shape->h - length) / 2;
    for (int i = 0; i < length && i < shape->h; i++) {
        canvas_put(c, 0, (y < shape->y ? shape->y : y) + i, STYLE_DIM,
                   (uint32_t)(unsigned char)name[i]);
    }
}

/* "18:00          minutes          20:00" */
static void draw_axis(struct canvas *c, int y, const struct page_heat *h, const struct shape *shape)
{
    struct str name = STR_EMPTY;
    int end = shape->x + shape->w;
    int x =
        shape->x + canvas_text_fit(c, shape->x, y, shape->w, STYLE_DIM, text_of(h->first_column));
    const char *last = text_of(h->last_column);
    int from = end - (int)strlen(last);
    if (from > x) {
        canvas_text_right(c, end, y, STYLE_DIM, last);
    } else {
        from = end;
    }
    str_add(&name, text_of(h->columns_are));
    int middle = shape->x + (shape->w - (int)name.length) / 2;
    if (middle > x && middle + (int)name.length < from) {
        canvas_text(c, middle, y, STYLE_TEXT, str_text(&name));
    }
    str_free(&name);
}

/* "p1 ... p16 down" and the scale. */
static void draw_head(struct canvas *c, const struct page_heat *h)
{
    int w = canvas_width(c), x = 0;
    struct str text = STR_EMPTY;
    str_add(&text, text_of(h->title));
    x = canvas_text_fit(c, 0, 0, w, STYLE_STRONG, str_text(&text));
    str_clear(&text);
    if (text_of(h->first_row)[0] != '\0' || text_of(h->rows_are)[0] != '\0') {
        str_addf(&text, "  %s%s%s%s%s", text_of(h->rows_are),
                 text_of(h->first_row)[0] != '\0' ? " " : "", text_of(h->first_row),
                 text_of(h->last_row)[0] != '\0' ? " to " : "", text_of(h->last_row));
        canvas_text_fit(c, x, 0, w - x, STYLE_DIM, str_text(&text));
    }
    str_free(&text);
}

static void draw_scale(struct canvas *c, int y, int x)
{
    int shades = canvas_glyphs(c) == GLYPHS_UTF8 ? LEVELS : SIGNS_ASCII;
    if (canvas_width(c) - x < shades + 8) {
        return;
    }
    x = canvas_width(c) - shades - 6;
    canvas_text(c, x, y, STYLE_DIM, "0");
    for (int i = 0; i < shades; i++) {
        /* The middle of each: with blocks the first is next to nothing, then come quarters. */
        int value = shades == SIGNS_ASCII ? i * FULL / (shades - 1)
                    : i < 2               ? i
                                          : (i - 1) * FULL / 4;
        canvas_put(c, x + 2 + i, y, style_of((uint16_t)value), sign_of(c, (uint16_t)value));
    }
    canvas_text(c, x + 3 + shades, y, STYLE_DIM, "max");
}

static void draw(struct canvas *c, const struct scene *s, const struct view_state *v, bool focused)
{
    const struct page_heat *h = heat_of(s);
    if (canvas_width(c) < 1 || canvas_height(c) < 1) {
        return;
    }
    if (h == NULL) {
        view_draw_note(c, "this page has no heat map");
        return;
    }
    struct shape shape = shape_of(h, canvas_width(c), canvas_height(c));
    size_t cell = selected_cell(h, v), row = cell / h->columns, column = cell % h->columns;
    if (shape.head) {
        draw_head(c, h);
    }
    for (int y = 0; y < shape.h; y++) {
        for (int x = 0; x < shape.w; x++) {
            size_t sx = (size_t)x, sy = (size_t)y;
            bool here = (focused || v->has_selection) && row >= first_of(sy, h->rows, shape.h) &&
                        row < end_of(sy, h->rows, shape.h) &&
                        column >= first_of(sx, h->columns, shape.w) &&
                        column < end_of(sx, h->columns, shape.w);
            uint16_t value = hottest(h, &shape, sx, sy);
            canvas_put(c, shape.x + x, shape.y + y, here ? STYLE_SELECTED : style_of(value),
                       here ? view_sign(c, 0x00D7, 'x') : sign_of(c, value));
            if (here && focused) {
                canvas_cursor(c, shape.x + x, shape.y + y);
            }
        }
    }
    if (shape.x > 0) {
        draw_down(c, h, &shape);
    }
    if (shape.axis) {
        draw_axis(c, shape.y + shape.h, h, &shape);
    }
    if (shape.foot) {
        struct str text = STR_EMPTY;
        if (canvas_width(c) >= 64) { /* beside the scale */
            add_cell(&text, h, cell);
        } else {
            str_addf(&text, "row %zu, column %zu: %s%%", row + 1, column + 1,
                     num_ratio(h->value[row][column], FULL, 0).text);
        }
        int y = canvas_height(c) - 1;
        int x = canvas_text_fit(c, 0, y, canvas_width(c), STYLE_TEXT, str_text(&text));
        draw_scale(c, y, x);
        str_free(&text);
    }
}

static bool move(struct view_state *v, const struct scene *s, enum verb verb, int w, int height)
{
    const struct page_heat *h = heat_of(s);
    if (h == NULL || w < 1 || height < 1) {
        return false;
    }
    size_t cell = selected_cell(h, v);
    int64_t row = (int64_t)(cell / h->columns), column = (int64_t)(cell % h->columns);
    int64_t rows = (int64_t)h->rows, columns = (int64_t)h->columns;
    if (verb == VERB_LEFT || verb == VERB_RIGHT) {
        column = view_clamp(column + (verb == VERB_RIGHT ? 1 : -1), 0, columns - 1);
    } else {
        (void)view_list_move(&row, rows, verb, rows / 4);
    }
    bool changed = (int64_t)cell != row * columns + column;
    if (changed) {
        v->has_selection = true;
        v->selected = row * columns + column;
    }
    return changed;
}

/* --- words --------------------------------------------------------------------------------- */

#define TOLD_ROWS 24

/* The same map in digits, 0 to 9, and where its peak is. */
static void tell(struct str *out, const struct scene *s, const struct view_state *v)
{
    const struct page_heat *h = heat_of(s);
    struct view_state none = {0};
    struct str line = STR_EMPTY;
    (void)v;
    if (h == NULL) {
        str_add(out, "This page has no heat map.\n");
        return;
    }
    str_addf(&line, "%s. Down: %s, from %s to %s; across: %s, from %s to %s.", text_of(h->title),
             text_of(h->rows_are), text_of(h->first_row), text_of(h->last_row),
             text_of(h->columns_are), text_of(h->first_column), text_of(h->last_column));
    view_add_wrapped(out, str_text(&line), TELL_COLUMNS, 0);
    str_clear(&line);
    str_add(&line, "9 is the fullest, 0 nearly nothing, a dot nothing.");
    view_add_wrapped(out, str_text(&line), TELL_COLUMNS, 0);
    struct shape shape = {.w = h->columns < TELL_COLUMNS ? (int)h->columns : TELL_COLUMNS,
                          .h = h->rows < TOLD_ROWS ? (int)h->rows : TOLD_ROWS};
    for (int y = 0; y < shape.h; y++) {
        for (int x = 0; x < shape.w; x++) {
            unsigned value = hottest(h, &shape, (size_t)x, (size_t)y);
            value = value > FULL ? FULL : value;
            str_addc(out, value == 0 ? '.' : (char)('0' + value * 9 / FULL));
        }
        str_addc(out, '\n');
    }
    str_clear(&line);
    str_add(&line, "The fullest cell: ");
    add_cell(&line, h, selected_cell(h, &none));
    str_addc(&line, '.');
    view_add_wrapped(out, str_text(&line), TELL_COLUMNS, 0);
    str_free(&line);
}

static struct subject subject(const struct view_state *v, const struct scene *s)
{
    (void)v;
    (void)s;
    return (struct subject){.kind = SUBJECT_NONE};
}

const struct view view_heat = {
    .name = "heat",
    .title = "Heat map",
    .min_rows = 8,
    .want_rows = 16,
    .draw = draw,
    .move = move,
    .tell = tell,
    .subject = subject,
};
