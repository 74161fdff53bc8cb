/*
 * table: what the page's runs came to, a line a run.
 *
 * Columns are as wide as what stands in them, numbers to the right. Where the pane is narrow they
 * move together, then words wrap; where there are too few rows for that the first column stays and
 * the others scroll sideways, and the last line says how many there are. While the question is open
 * only labels are there; a line whose run is not over has dots. Selection: a row, none at first;
 * one that has a run can be opened.
 *
 * A table of rows that are played when they are opened has sentences for cells: where the pane is
 * narrow the long columns are cut, or left out where the labels need the room, and what is cut of
 * the selected row stands below, with its headings where cells are no sentences.
 */
#include "base/utf8.h"
#include "view/inside.h"
#include <string.h>

#define GAP 2
#define NARROW 38     /* columns of the pane of the smallest screen */
#define LABEL_LEAST 8 /* columns of the first one, however narrow the pane */
#define SHORT_MOST 14 /* of a column that is never cut */
#define CUT_LEAST 8   /* of a column that is cut */
#define WHOLE_LINES 6 /* a rule and the selected row's cut cells, in a high pane; else */
#define WHOLE_FEW 3
#define WHOLE_LOW 2

static const struct page_table *table_of(const struct scene *s)
{
    const struct page_table *t = s->page != NULL ? s->page->table : NULL;
    return t != NULL && t->columns > 0 && t->rows > 0 ? t : NULL;
}

static const char *cell_of(const struct page_table *t, size_t row, size_t column)
{
    const char *text = column == 0 ? t->row[row].label : t->row[row].cell[column];
    return text == NULL || (column > 0 && t->hidden) ? "" : text;
}

static const char *heading_of(const struct page_table *t, size_t column)
{
    return t->column[column] != NULL ? t->column[column] : "";
}

static int columns_of_text(const char *text)
{
    return utf8_columns(text, strlen(text));
}

static int width_of(const struct page_table *t, size_t column)
{
    int widest = columns_of_text(heading_of(t, column));
    for (size_t row = 0; row < t->rows; row++) {
        int here = columns_of_text(cell_of(t, row, column));
        widest = here > widest ? here : widest;
    }
    return widest;
}

static bool opens_any(const struct page_table *t)
{
    for (size_t row = 0; row < t->rows; row++) {
        if (t->row[row].opens) {
            return true;
        }
    }
    return false;
}

static bool is_lazy(const struct page_table *t)
{
    for (size_t row = 0; row < t->rows; row++) {
        if (t->row[row].lazy) {
            return true;
        }
    }
    return false;
}

/* Which columns are in sight, and where. */
struct shape {
    size_t count; /* columns in sight, the first included */
    size_t column[PAGE_TABLE_COLUMNS_MAX];
    int x[PAGE_TABLE_COLUMNS_MAX], width[PAGE_TABLE_COLUMNS_MAX];
    bool more_left, more_right;
    size_t last_first; /* the furthest that columns scroll */
    bool wrapped;      /* cells stand on more than one line; then all rows are in sight */
    bool cuts;         /* cells are cut, or their columns are left out */
};

/* --- wrapped ------------------------------------------------------------------------------- */

/* Columns of its longest word. */
static int word_of(const char *text)
{
    int longest = 0;
    while (*text != '\0') {
        size_t length = strcspn(text, " ");
        int columns = utf8_columns(text, length);
        longest = columns > longest ? columns : longest;
        text += length + strspn(text + length, " ");
    }
    return longest;
}

/* A column cannot be narrower; numbers are not parted. */
static int least_of(const struct page_table *t, size_t column)
{
    int least = word_of(heading_of(t, column));
    for (size_t row = 0; row < t->rows; row++) {
        const char *cell = cell_of(t, row, column);
        int here = t->number[column] ? columns_of_text(cell) : word_of(cell);
        least = here > least ? here : least;
    }
    return least;
}

static int lines_of(const char *text, int width)
{
    struct str lines = STR_EMPTY;
    int count = 0;
    view_add_wrapped(&lines, text, width, 0);
    for (size_t i = 0; i < lines.length; i++) {
        count += lines.text[i] == '\n';
    }
    str_free(&lines);
    return count < 1 ? 1 : count;
}

/* Lines of a row (-1: the headings). */
static int height_of(const struct page_table *t, const struct shape *shape, int64_t row)
{
    int most = 1;
    for (size_t i = 0; i < shape->count && shape->wrapped; i++) {
        size_t column = shape->column[i];
        const char *text = row < 0 ? heading_of(t, column) : cell_of(t, (size_t)row, column);
        int lines = lines_of(text, shape->width[i]);
        most = lines > most ? lines : most;
    }
    return most;
}

static int heights_of(const struct page_table *t, const struct shape *shape)
{
    int lines = height_of(t, shape, -1);
    for (size_t row = 0; row < t->rows; row++) {
        lines += height_of(t, shape, (int64_t)row);
    }
    return lines;
}

static void shape_add(struct shape *out, size_t column, int *x, int width)
{
    out->column[out->count] = column;
    out->x[out->count] = *x;
    out->width[out->count] = width;
    out->count++;
    *x += width + GAP;
}

/* How many of the columns from `first` on fit into `room`. */
static size_t fitting(const struct page_table *t, size_t first, int room)
{
    size_t count = 0;
    for (size_t column = first; column < t->columns; column++, count++) {
        room -= GAP + width_of(t, column);
        if (room < 0) {
            break;
        }
    }
    return count;
}

/* All columns, nearer together, and narrower than their words if need be; false: no room. */
static bool shape_squeeze(struct shape *out, const struct page_table *t, int w)
{
    int width[PAGE_TABLE_COLUMNS_MAX], x = 2, total = 1 + (int)t->columns;
    *out = (struct shape){.last_first = 1};
    for (size_t column = 0; column < t->columns; column++) {
        width[column] = width_of(t, column);
        total += width[column];
    }
    while (total > w) {
        size_t widest = t->columns;
        for (size_t column = 0; column < t->columns; column++) {
            bool can = width[column] > least_of(t, column);
            widest =
                can && (widest == t->columns || width[column] > width[widest]) ? column : widest;
        }
        if (widest == t->columns) {
            return false;
        }
        width[widest]--;
        total--;
        out->wrapped = true;
    }
    for (size_t column = 0; column < t->columns; column++) {
        shape_add(out, column, &x, width[column]);
        x -= GAP - 1;
    }
    return true;
}

/* Labels and short columns whole, and as many of the long ones as have room, cut; where labels
   leave no room for any they stand alone. */
static bool shape_cut(struct shape *out, const struct page_table *t, int w)
{
    int x = 2, left = w - 2, longs = 0, shown;
    *out = (struct shape){.last_first = 1, .cuts = true};
    for (size_t column = 0; column < t->columns; column++) {
        bool is_long = column > 0 && width_of(t, column) > SHORT_MOST;
        left -= is_long ? 0 : width_of(t, column) + 1;
        longs += is_long;
    }
    for (shown = longs; shown > 1 && left / shown <= CUT_LEAST * 2; shown--) {
    }
    int each = shown > 0 ? left / shown : 0, places = each > CUT_LEAST ? shown : 0;
    for (size_t column = 0; column < t->columns; column++) {
        int width = width_of(t, column), room = w - x;
        if (places == 0 && column == 0) {
            width = width < room ? width : room;
        } else if (column > 0 && width <= SHORT_MOST && width > room) {
            continue; /* after labels that take it all */
        } else if (column > 0 && width > SHORT_MOST) {
            if (places-- <= 0) {
                continue;
            }
            width = width < each - 1 ? width : each - 1;
        }
        shape_add(out, column, &x, width);
        x -= GAP - 1;
    }
    return longs > 0;
}

static struct shape shape_of(const struct page_table *t, const struct view_state *v, int w, int h)
{
    struct shape out = {0};
    int natural = 2 - GAP;
    for (size_t column = 0; column < t->columns; column++) {
        natural += GAP + width_of(t, column);
    }
    int above = h >= 6 ? 1 : 0, below = above; /* the title; what can be done */
    if (natural > w && is_lazy(t) && !t->hidden && shape_cut(&out, t, w)) {
        return out;
    }
    if (natural > w && shape_squeeze(&out, t, w) &&
        (!out.wrapped || (h >= 6 && heights_of(t, &out) <= h - above - below))) {
        return out;
    }
    out = (struct shape){0};
    int x = 2, label = width_of(t, 0), rest = 0;
    for (size_t column = 1; column < t->columns; column++) {
        rest += GAP + width_of(t, column);
    }
    int least = t->columns > 1 ? GAP + width_of(t, 1) : 0; /* beside the label */
    int most = w - 2 - (rest <= w - 2 - label ? rest : least);
    label = label > most && most >= LABEL_LEAST ? most : label > w - 2 ? w - 2 : label;
    label = label < 1 ? 1 : label;
    shape_add(&out, 0, &x, label);
    int room = w - 2 - label;
    size_t first = 1;
    while (first < t->columns && fitting(t, first, room) < t->columns - first) {
        first++; /* the furthest to the right that shows the last one */
    }
    out.last_first = first < t->columns ? first : t->columns > 1 ? t->columns - 1 : 1;
    first = 1 + (size_t)view_clamp(v->zoom, 0, (int64_t)out.last_first - 1);
    size_t count = fitting(t, first, room);
    count = count == 0 && first < t->columns ? 1 : count; /* cut rather than not there */
    for (size_t column = first; column < first + count; column++) {
        shape_add(&out, column, &x, width_of(t, column));
    }
    out.more_left = first > 1;
    out.more_right = first + count < t->columns;
    return out;
}

static int64_t selected_row(const struct page_table *t, const struct view_state *v)
{
    return v->has_selection ? view_clamp(v->selected, 0, (int64_t)t->rows - 1) : 0;
}

/* Below the rows: what is cut of the selected one. */
static int whole_lines(const struct page_table *t, int w, int h)
{
    struct shape shape;
    int natural = 2 - GAP;
    for (size_t column = 0; column < t->columns; column++) {
        natural += GAP + width_of(t, column);
    }
    bool cuts = natural > w && is_lazy(t) && !t->hidden && shape_cut(&shape, t, w);
    return !cuts || h < 7 ? 0 : h < 8 ? WHOLE_LOW : h < 14 ? WHOLE_FEW : WHOLE_LINES;
}

/* Title and headings above; what can be done below, behind a blank line if there is room for it. */
static int table_rows(const struct page_table *t, int w, int h)
{
    if (h < 6) {
        return h >= 3 ? h - 1 : h;
    }
    h -= whole_lines(t, w, h);
    return (int64_t)t->rows <= h - 4 ? h - 4 : h - 3;
}

static int wants(const struct scene *s, const struct view_state *v)
{
    const struct page_table *t = table_of(s);
    (void)v;
    struct shape shape;
    if (t != NULL && shape_squeeze(&shape, t, NARROW)) {
        return heights_of(t, &shape) + 3;
    }
    return t == NULL ? 1 : (int)t->rows + 4;
}

/* --- drawing ------------------------------------------------------------------------------- */

static void draw_cell(struct canvas *c, int x, int y, int width, bool right, enum style style,
                      const char *text)
{
    int columns = columns_of_text(text);
    struct str shown = STR_EMPTY;
    utf8_visible(&shown, text, strlen(text));
    canvas_text_fit(c, right && columns < width ? x + width - columns : x, y, width, style,
                    str_text(&shown));
    str_free(&shown);
}

/* On as many lines as it takes. */
static void draw_wrapped_cell(struct canvas *c, int x, int y, int width, enum style style,
                              const char *text)
{
    struct str lines = STR_EMPTY;
    view_add_wrapped(&lines, text, width, 0);
    char *at = lines.length > 0 ? lines.text : NULL;
    for (char *end = at != NULL ? strchr(at, '\n') : NULL; end != NULL; end = strchr(at, '\n')) {
        *end = '\0';
        draw_cell(c, x, y++, width, false, style, at);
        at = end + 1;
    }
    str_free(&lines);
}

static void draw_line(struct canvas *c, int y, const struct page_table *t,
                      const struct shape *shape, int64_t row)
{
    for (size_t i = 0; i < shape->count; i++) {
        size_t column = shape->column[i];
        bool heading = row < 0;
        const char *text = heading ? heading_of(t, column) : cell_of(t, (size_t)row, column);
        bool open = !heading && column > 0 && text[0] == '\0';
        if (open) { /* the question is open, or its run is not over yet */
            text = t->hidden ? "?" : "...";
        }
        enum style style = heading || open ? STYLE_DIM : STYLE_TEXT;
        if (columns_of_text(text) > shape->width[i] && shape->wrapped) {
            draw_wrapped_cell(c, shape->x[i], y, shape->width[i], style, text);
        } else {
            draw_cell(c, shape->x[i], y, shape->width[i], t->number[column], style, text);
        }
    }
}

static const char *foot_of(const struct page_table *t, const struct view_state *v)
{
    if (t->hidden) {
        return "the figures come with your answer";
    }
    for (size_t row = 0; row < t->rows; row++) {
        for (size_t column = 1; column < t->columns; column++) {
            if (cell_of(t, row, column)[0] == '\0') {
                return "the runs are being played";
            }
        }
    }
    if (v->has_selection) {
        return t->row[selected_row(t, v)].opens ? "enter opens this run" : "this line has no run";
    }
    return opens_any(t) ? "choose a line: enter opens its run" : "";
}

static bool stands_below(const struct page_table *t, size_t row, size_t column)
{
    return width_of(t, column) > SHORT_MOST && strcmp(cell_of(t, row, column), "-") != 0;
}

/* The long cells of a row, one after the other; with their headings if they are no sentences. */
static void draw_whole(struct canvas *c, int y, int lines, const struct page_table *t, size_t row)
{
    struct str text = STR_EMPTY;
    bool sentences = false;
    int longs = 0;
    for (size_t column = 1; column < t->columns; column++) {
        if (stands_below(t, row, column)) {
            const char *cell = cell_of(t, row, column);
            size_t length = strlen(cell);
            sentences = sentences || (length > 0 && cell[length - 1] == '.');
            longs++;
        }
    }
    bool labelled = longs > 1 && !sentences;
    for (size_t column = 1; column < t->columns; column++) {
        if (stands_below(t, row, column)) {
            str_add(&text, text.length == 0 ? "" : labelled ? "; " : " ");
            str_add(&text, labelled ? heading_of(t, column) : "");
            str_add(&text, labelled ? ": " : "");
            str_add(&text, cell_of(t, row, column));
        }
    }
    int rule = lines == WHOLE_LINES ? 1 : 0;
    if (rule > 0) {
        canvas_hline(c, 0, y, canvas_width(c), LINE_LIGHT, STYLE_DIM);
    }
    view_draw_wrapped(c, y + rule, lines - rule, STYLE_TEXT, str_text(&text));
    str_free(&text);
}

static void draw_rows(struct canvas *c, const struct page_table *t, const struct view_state *v,
                      bool focused)
{
    int w = canvas_width(c), h = canvas_height(c), rows = table_rows(t, w, h);
    struct shape shape = shape_of(t, v, w, h);
    int64_t at = selected_row(t, v), first = view_list_first(v->scroll, at, (int64_t)t->rows, rows);
    int y = h >= 6 ? 1 : 0;
    if (h >= 3) {
        draw_line(c, y, t, &shape, -1);
        if (shape.more_left || shape.more_right) {
            bool utf8 = canvas_glyphs(c) == GLYPHS_UTF8;
            canvas_text(c, 0, y, STYLE_KEYCAP,
                        shape.more_left ? (utf8 ? "◀" : "<") : (utf8 ? "▶" : ">"));
        }
        y += height_of(t, &shape, -1);
    }
    for (int i = 0; i < rows && first + i < (int64_t)t->rows; i++) {
        draw_line(c, y, t, &shape, first + i);
        if (t->row[first + i].opens) {
            canvas_put(c, 0, y, STYLE_KEYCAP, view_sign(c, 0x25B8, '>'));
        }
        if (first + i == at && v->has_selection) {
            canvas_restyle(c, (struct rect){2, y, shape.width[0], 1}, STYLE_SELECTED);
            if (focused) {
                canvas_cursor(c, 0, y);
            }
        }
        y += height_of(t, &shape, first + i);
    }
    int whole = whole_lines(t, w, h);
    if (whole > 0 && v->has_selection) {
        draw_whole(c, h - 1 - whole, whole, t, (size_t)at);
        view_draw_line(c, h - 1, STYLE_DIM, foot_of(t, v));
        return;
    }
    int64_t below = (int64_t)t->rows - first - rows;
    int foot = y + 1 < h ? y + 1 : h - 1;
    size_t hidden = shape.cuts ? 0 : t->columns - shape.count;
    if (h >= 6 && hidden > 0 && below <= 0 && !v->has_selection && !t->hidden) {
        canvas_textf(c, 0, foot, STYLE_KEYCAP, "%d more column%s: right, left", (int)hidden,
                     view_plural(hidden));
    } else if (h >= 6 && below > 0) {
        canvas_textf(c, 0, foot, STYLE_KEYCAP, "%s %d more below",
                     canvas_glyphs(c) == GLYPHS_UTF8 ? "▼" : "v", (int)below);
    } else if (h >= 6) {
        view_draw_line(c, foot, STYLE_DIM, foot_of(t, v));
    }
}

static void draw(struct canvas *c, const struct scene *s, const struct view_state *v, bool focused)
{
    const struct page_table *t = table_of(s);
    if (canvas_width(c) < 1 || canvas_height(c) < 1) {
        return;
    }
    if (t == NULL) {
        view_draw_note(c, "this page has no table");
        return;
    }
    if (canvas_height(c) >= 6 && t->title != NULL) {
        view_draw_line(c, 0, STYLE_STRONG, t->title);
    }
    draw_rows(c, t, v, focused);
}

static bool move(struct view_state *v, const struct scene *s, enum verb verb, int w, int h)
{
    const struct page_table *t = table_of(s);
    if (t == NULL || w < 1 || h < 1) {
        return false;
    }
    if (verb == VERB_LEFT || verb == VERB_RIGHT) { /* v->zoom: columns that went out of sight */
        struct shape shape = shape_of(t, v, w, h);
        int64_t was = view_clamp(v->zoom, 0, (int64_t)shape.last_first - 1);
        int64_t to =
            view_clamp(was + (verb == VERB_RIGHT ? 1 : -1), 0, (int64_t)shape.last_first - 1);
        v->zoom = (int)to;
        return to != was;
    }
    int64_t at = selected_row(t, v), rows = table_rows(t, w, h);
    bool begin = !v->has_selection && (verb == VERB_DOWN || verb == VERB_UP);
    int64_t first = view_list_first(v->scroll, at, (int64_t)t->rows, rows);
    if (!begin && !view_list_move(&at, (int64_t)t->rows, verb, rows)) {
        return false;
    }
    v->has_selection = true;
    v->selected = at;
    v->scroll = view_list_first(first, at, (int64_t)t->rows, rows);
    return true;
}

/* --- words --------------------------------------------------------------------------------- */

static void tell_cell(struct str *out, const char *text, int width, bool right, bool last)
{
    struct str shown = STR_EMPTY;
    utf8_visible(&shown, text, strlen(text));
    int columns = columns_of_text(text);
    size_t pad = columns < width ? (size_t)(width - columns) : 0;
    str_pad(out, ' ', right ? pad : 0);
    str_add(out, str_text(&shown));
    str_pad(out, ' ', right || last ? 0 : pad);
    str_free(&shown);
}

static void tell_line(struct str *out, const struct page_table *t, int64_t row)
{
    for (size_t column = 0; column < t->columns; column++) {
        const char *text = row < 0 ? heading_of(t, column) : cell_of(t, (size_t)row, column);
        str_pad(out, ' ', column > 0 ? GAP : 0);
        tell_cell(out, text, width_of(t, column), t->number[column], column + 1 == t->columns);
    }
    while (out->length > 0 && out->text[out->length - 1] == ' ') {
        out->text[--out->length] = '\0';
    }
    str_addc(out, '\n');
}

/* Too wide for a line: each row as a list. */
static void tell_listed(struct str *out, const struct page_table *t, size_t row)
{
    struct str line = STR_EMPTY;
    const char *label = cell_of(t, row, 0);
    utf8_visible(&line, label, strlen(label));
    for (size_t column = 1; column < t->columns && !t->hidden; column++) {
        const char *heading = heading_of(t, column), *cell = cell_of(t, row, column);
        str_add(&line, column == 1 ? ": " : ", ");
        utf8_visible(&line, heading, strlen(heading));
        str_addc(&line, ' ');
        utf8_visible(&line, cell, strlen(cell));
    }
    view_add_wrapped(out, str_text(&line), TELL_COLUMNS, 4);
    str_free(&line);
}

static void tell(struct str *out, const struct scene *s, const struct view_state *v)
{
    const struct page_table *t = table_of(s);
    int width = 0;
    (void)v;
    if (t == NULL) {
        str_add(out, "This page has no table.\n");
        return;
    }
    for (size_t column = 0; column < t->columns; column++) {
        width += width_of(t, column) + (column > 0 ? GAP : 0);
    }
    if (t->title != NULL && t->title[0] != '\0') {
        struct str title = STR_EMPTY;
        utf8_visible(&title, t->title, strlen(t->title));
        view_add_wrapped(out, str_text(&title), TELL_COLUMNS, 0);
        str_free(&title);
    }
    if (width <= TELL_COLUMNS) {
        for (int64_t row = -1; row < (int64_t)t->rows; row++) {
            tell_line(out, t, row);
        }
    } else {
        for (size_t row = 0; row < t->rows; row++) {
            tell_listed(out, t, row);
        }
    }
    str_add(out, t->hidden ? "The figures come with your answer.\n" : "");
}

static struct subject subject(const struct view_state *v, const struct scene *s)
{
    (void)v;
    (void)s;
    return (struct subject){.kind = SUBJECT_NONE};
}

const struct view view_table = {
    .name = "table",
    .title = "What each comes to",
    .min_rows = 6,
    .want_rows = 12,
    .wants = wants,
    .draw = draw,
    .move = move,
    .tell = tell,
    .subject = subject,
};
