/*
 * schemes: the placements of a page side by side, a line a scheme.
 *
 * Columns: how even the shares are (busiest over average, spread), what the change moved and from
 * how many shards, what a lookup costs on this machine, and what a router must hold. The best value
 * of each is marked. Left and right choose the column that orders the lines, best first; the first
 * column keeps the page's order. Below the table stands what the selected scheme cannot do. Where a
 * question is still open, a placing tells nothing of its change.
 *
 * Selection: column * SCHEMES_MAX + the placing's number, so that the selected scheme stays
 * selected when the order changes.
 */
#include "base/alloc.h"
#include "base/utf8.h"
#include "view/placing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SCHEMES_MAX 64

enum column {
    COLUMN_SCHEME,
    COLUMN_BUSIEST,
    COLUMN_MOVED,
    COLUMN_LOOKUP,
    COLUMN_MEMORY,
    COLUMN_FROM,
    COLUMN_SPREAD,
    COLUMN_COUNT
};

/* In the order of the screen; `keep` says which a narrow pane keeps longest. */
static const struct {
    enum column column;
    const char *heading, *narrow;
    int width, keep;
} shown_columns[] = {
    {COLUMN_BUSIEST, "busiest/avg", "busy", 13, 6}, {COLUMN_SPREAD, "spread", "spread", 9, 1},
    {COLUMN_MOVED, "moved", "moved", 9, 5},         {COLUMN_FROM, "from", "from", 7, 2},
    {COLUMN_LOOKUP, "lookup", "lookup", 10, 4},     {COLUMN_MEMORY, "memory", "memory", 10, 3},
};
#define SHOWN_COLUMNS (sizeof shown_columns / sizeof shown_columns[0])

struct scheme_row {
    size_t placing;
    bool known[COLUMN_COUNT];
    double value[COLUMN_COUNT]; /* the smaller, the better; all of them */
};

struct sheet {
    const struct scene *s;
    struct scheme_row row[SCHEMES_MAX];
    size_t rows;
    double best[COLUMN_COUNT];
    bool has_best[COLUMN_COUNT];
    enum column order;
    size_t selected; /* line */
};

static void read_row(struct scheme_row *row, const struct page_placing *page, size_t index)
{
    const struct trial *t = page->trial;
    const struct balance *b = page->hidden ? &t->keys_before : &t->keys_after;
    *row = (struct scheme_row){.placing = index};
    row->known[COLUMN_SCHEME] = true;
    row->value[COLUMN_SCHEME] = (double)index;
    row->known[COLUMN_BUSIEST] = row->known[COLUMN_SPREAD] = b->total > 0;
    row->value[COLUMN_BUSIEST] = b->total > 0 ? balance_over_average(b) : 0;
    row->value[COLUMN_SPREAD] = b->total > 0 ? balance_spread(b) : 0;
    row->known[COLUMN_MOVED] = row->known[COLUMN_FROM] = !page->hidden && t->moved.keys > 0;
    row->value[COLUMN_MOVED] =
        t->moved.keys > 0 ? (double)t->moved.moved / (double)t->moved.keys : 0;
    row->value[COLUMN_FROM] = t->moved.from_shards;
    row->known[COLUMN_LOOKUP] = page->lookup_ns > 0;
    row->value[COLUMN_LOOKUP] = page->lookup_ns;
    row->known[COLUMN_MEMORY] = true;
    row->value[COLUMN_MEMORY] = (double)layout_memory(page->hidden ? t->before : t->after);
}

/* Whether a comes before b in the order of a column: unknown last, equals as the page has them. */
static bool comes_before(const struct scheme_row *a, const struct scheme_row *b, enum column order)
{
    if (a->known[order] != b->known[order]) {
        return a->known[order];
    }
    if (a->known[order] &&
        (a->value[order] < b->value[order] || a->value[order] > b->value[order])) {
        return a->value[order] < b->value[order];
    }
    return a->placing < b->placing;
}

static enum column column_of(const struct view_state *v)
{
    int64_t column = v->has_selection ? v->selected / SCHEMES_MAX : 0;
    return (enum column)view_clamp(column, 0, COLUMN_COUNT - 1);
}

static bool open_sheet(struct sheet *out, const struct scene *s, const struct view_state *v)
{
    *out = (struct sheet){.s = s, .order = column_of(v)};
    for (size_t i = 0; s->placing != NULL && i < s->placings && i < SCHEMES_MAX; i++) {
        if (s->placing[i].trial == NULL) {
            continue;
        }
        struct scheme_row row;
        read_row(&row, &s->placing[i], i);
        for (size_t k = 0; k < COLUMN_COUNT; k++) {
            if (row.known[k] && (!out->has_best[k] || row.value[k] < out->best[k])) {
                out->has_best[k] = true;
                out->best[k] = row.value[k];
            }
        }
        size_t at = out->rows++;
        for (; at > 0 && comes_before(&row, &out->row[at - 1], out->order); at--) {
            out->row[at] = out->row[at - 1];
        }
        out->row[at] = row;
    }
    int64_t wanted = v->has_selection ? view_clamp(v->selected, 0, INT64_MAX) % SCHEMES_MAX : -1;
    for (size_t i = 0; i < out->rows; i++) {
        out->selected = (int64_t)out->row[i].placing == wanted ? i : out->selected;
    }
    return out->rows > 0;
}

static const struct trial *trial_of(const struct sheet *t, size_t line)
{
    return t->s->placing[t->row[line].placing].trial;
}

static void add_name(struct str *out, const struct sheet *t, size_t line)
{
    const struct page_placing *page = &t->s->placing[t->row[line].placing];
    str_add(out, page->title != NULL && page->title[0] != '\0'
                     ? page->title
                     : layout_scheme(page->trial->before)->name);
}

static void add_bytes(struct str *out, double bytes)
{
    static const char *const unit[] = {"B", "KB", "MB", "GB"};
    size_t at = 0;
    while (bytes >= 1000 && at < 3) {
        bytes /= 1000;
        at++;
    }
    str_addf(out, at > 0 && bytes < 10 ? "%.1f %s" : "%.0f %s", bytes, unit[at]);
}

static void add_value(struct str *out, const struct scheme_row *row, enum column column)
{
    if (!row->known[column]) {
        str_addc(out, '-');
        return;
    }
    double value = row->value[column];
    switch (column) {
    case COLUMN_BUSIEST:
        str_addf(out, "%.2f", value);
        break;
    case COLUMN_SPREAD:
    case COLUMN_MOVED:
        str_addf(out, "%.1f%%", value * 100);
        break;
    case COLUMN_FROM:
        str_addf(out, "%.0f", value);
        break;
    case COLUMN_LOOKUP:
        str_addf(out, value < 10 ? "%.1f ns" : "%.0f ns", value);
        break;
    case COLUMN_MEMORY:
        add_bytes(out, value);
        break;
    case COLUMN_SCHEME:
    case COLUMN_COUNT:
        break;
    }
}

/* Best of its column, and not all the same. */
static bool is_best(const struct sheet *t, size_t line, enum column column)
{
    bool others = false;
    for (size_t i = 0; i < t->rows; i++) {
        others = others || (t->row[i].known[column] && t->row[i].value[column] > t->best[column]);
    }
    return others && t->row[line].known[column] && t->row[line].value[column] <= t->best[column];
}

/* --- drawing ------------------------------------------------------------------------------- */

/* Which columns fit beside the names, and how wide the names may be. */
struct columns {
    bool shown[SHOWN_COLUMNS];
    int name;
};

static struct columns fit_columns(const struct sheet *t, int width)
{
    struct columns out = {.name = 6};
    struct str name = STR_EMPTY;
    for (size_t i = 0; i < t->rows; i++) {
        str_clear(&name);
        add_name(&name, t, i);
        int columns = utf8_columns(str_text(&name), name.length);
        out.name = columns > out.name ? columns : out.name;
    }
    str_free(&name);
    out.name = out.name > 24 ? 24 : out.name;
    out.name = width < 60 && out.name > 14 ? 14 : out.name;
    int left = width - out.name - 1;
    for (int keep = (int)SHOWN_COLUMNS; keep > 0; keep--) {
        for (size_t i = 0; i < SHOWN_COLUMNS; i++) {
            /* The column that orders the lines is in sight. */
            bool forced = shown_columns[i].column == t->order;
            int wanted = forced ? (int)SHOWN_COLUMNS : shown_columns[i].keep;
            if (wanted == keep && !out.shown[i] &&
                left >= shown_columns[i].width - (width < 60) * 2) {
                out.shown[i] = true;
                left -= shown_columns[i].width - (width < 60) * 2;
            }
        }
    }
    return out;
}

static void draw_heading(struct canvas *c, const struct sheet *t, const struct columns *w)
{
    bool narrow = canvas_width(c) < 60;
    int x = w->name + 1;
    canvas_text_fit(c, 0, 0, w->name, t->order == COLUMN_SCHEME ? STYLE_STRONG : STYLE_DIM,
                    "scheme");
    for (size_t i = 0; i < SHOWN_COLUMNS; i++) {
        if (!w->shown[i]) {
            continue;
        }
        struct str text = STR_EMPTY;
        bool order = shown_columns[i].column == t->order;
        const char *heading = narrow ? shown_columns[i].narrow : shown_columns[i].heading;
        str_addf(&text, "%s%s", order ? (canvas_glyphs(c) == GLYPHS_UTF8 ? "▾" : "^") : "",
                 heading);
        x += shown_columns[i].width - narrow * 2;
        canvas_text_right(c, x - 1, 0, order ? STYLE_STRONG : STYLE_DIM, str_text(&text));
        str_free(&text);
    }
}

static void draw_line(struct canvas *c, int y, const struct sheet *t, const struct columns *w,
                      size_t line)
{
    struct str text = STR_EMPTY;
    bool narrow = canvas_width(c) < 60;
    int x = w->name + 1;
    add_name(&text, t, line);
    canvas_text_fit(c, 0, y, w->name, STYLE_TEXT, str_text(&text));
    for (size_t i = 0; i < SHOWN_COLUMNS; i++) {
        if (!w->shown[i]) {
            continue;
        }
        bool best = is_best(t, line, shown_columns[i].column);
        str_clear(&text);
        add_value(&text, &t->row[line], shown_columns[i].column);
        x += shown_columns[i].width - narrow * 2;
        canvas_text_right(c, x - 1, y, best ? STYLE_GOOD : STYLE_TEXT, str_text(&text));
        if (best) {
            canvas_put(c, x - 1, y, STYLE_GOOD, view_sign(c, 0x25C2, '*'));
        }
    }
    str_free(&text);
}

static void add_about(struct str *out, const struct sheet *t, size_t line)
{
    const struct scheme *scheme = layout_scheme(trial_of(t, line)->before);
    str_addf(out, scheme->cannot != NULL ? "%s cannot %s" : "%s: %s", scheme->name,
             scheme->cannot != NULL ? scheme->cannot : scheme->about);
}

static int rows_for(int h)
{
    int around = (h >= 3) + (h >= 10 ? 4 : h >= 5 ? 2 : h >= 2);
    return h - around < 1 ? 1 : h - around;
}

static void draw(struct canvas *c, const struct scene *s, const struct view_state *v, bool focused)
{
    int h = canvas_height(c), rows = rows_for(h), y = h >= 3;
    struct sheet t;
    if (!open_sheet(&t, s, v)) {
        view_draw_note(c, placing_none());
        return;
    }
    struct columns w = fit_columns(&t, canvas_width(c));
    if (y > 0) {
        draw_heading(c, &t, &w);
    }
    int64_t first = view_list_first(0, (int64_t)t.selected, (int64_t)t.rows, rows);
    for (int i = 0; i < rows && first + i < (int64_t)t.rows; i++, y++) {
        size_t line = (size_t)(first + i);
        draw_line(c, y, &t, &w, line);
        if (line == t.selected && (focused || v->has_selection)) {
            canvas_restyle(c, (struct rect){0, y, w.name, 1}, STYLE_SELECTED);
            if (focused) {
                canvas_cursor(c, 0, y);
            }
        }
    }
    struct str text = STR_EMPTY;
    add_about(&text, &t, t.selected);
    y += h - y >= 4; /* a line of air */
    if (h >= 2) {
        view_draw_wrapped(c, y, h - y, STYLE_TEXT, str_text(&text));
    }
    str_free(&text);
}

static bool move(struct view_state *v, const struct scene *s, enum verb verb, int w, int h)
{
    struct sheet t;
    if (w < 1 || h < 1 || !open_sheet(&t, s, v)) {
        return false;
    }
    int64_t line = (int64_t)t.selected, column = (int64_t)t.order, was = column;
    size_t placing = t.row[t.selected].placing;
    if (verb == VERB_LEFT || verb == VERB_RIGHT) {
        size_t place = SHOWN_COLUMNS; /* the scheme's own column stands before all others */
        for (size_t i = 0; i < SHOWN_COLUMNS; i++) {
            place = shown_columns[i].column == t.order ? i : place;
        }
        int64_t at = place == SHOWN_COLUMNS ? 0 : (int64_t)place + 1;
        at = view_clamp(at + (verb == VERB_RIGHT ? 1 : -1), 0, (int64_t)SHOWN_COLUMNS);
        column = at == 0 ? COLUMN_SCHEME : (int64_t)shown_columns[at - 1].column;
        if (column == was) {
            return false;
        }
    } else if (view_list_move(&line, (int64_t)t.rows, verb, rows_for(h))) {
        placing = t.row[line].placing;
    } else {
        return false;
    }
    v->has_selection = true;
    v->selected = column * SCHEMES_MAX + (int64_t)placing;
    return true;
}

/* --- words --------------------------------------------------------------------------------- */

static void tell(struct str *out, const struct scene *s, const struct view_state *v)
{
    struct sheet t;
    struct str text = STR_EMPTY;
    if (!open_sheet(&t, s, v)) {
        str_addf(&text, "%s.\n", placing_none());
        str_add(out, str_text(&text));
        str_free(&text);
        return;
    }
    str_addf(out, "%-18s", "scheme");
    for (size_t k = 0; k < SHOWN_COLUMNS; k++) {
        str_addf(out, "%*s", shown_columns[k].column == COLUMN_BUSIEST ? 13 : 9,
                 shown_columns[k].heading);
    }
    str_addc(out, '\n');
    for (size_t i = 0; i < t.rows; i++) {
        str_clear(&text);
        add_name(&text, &t, i);
        size_t fit = utf8_fit(str_text(&text), text.length, 18);
        str_addn(out, str_text(&text), fit);
        str_pad(out, ' ', (size_t)(18 - utf8_columns(str_text(&text), fit)));
        for (size_t k = 0; k < SHOWN_COLUMNS; k++) {
            str_clear(&text);
            add_value(&text, &t.row[i], shown_columns[k].column);
            str_addf(out, "%*s", shown_columns[k].column == COLUMN_BUSIEST ? 13 : 9,
                     str_text(&text));
        }
        str_addc(out, '\n');
    }
    for (size_t i = 0; i < t.rows; i++) {
        str_clear(&text);
        add_about(&text, &t, i);
        view_add_wrapped(out, str_text(&text), TELL_COLUMNS, 2);
    }
    str_free(&text);
}

static struct subject subject(const struct view_state *v, const struct scene *s)
{
    (void)v;
    (void)s;
    return (struct subject){.kind = SUBJECT_NONE}; /* a scheme is in no world */
}

const struct view view_schemes = {
    .name = "schemes",
    .title = "Schemes compared",
    .min_rows = 8,
    .want_rows = 20,
    .draw = draw,
    .move = move,
    .tell = tell,
    .subject = subject,
};
