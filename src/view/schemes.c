/*
 * schemes: the placements of a page side by side, a line a scheme.
 *
 * Columns: how even the shares are (busiest over average, spread), what the change moved and how
 * much of that without need (between shards that were there and stay), what a lookup costs on this
 * machine, and what a router must hold. The best value of each is marked. A column is as wide as
 * what stands in it, so that in 40 columns all but the spread are in sight. Left and right choose
 * the column that orders the lines, best first; the first column keeps the page's order. Below the
 * table stand what the selected scheme cannot do and, where there is room, what the columns are.
 * Where a question is still open, a placing tells nothing of its change.
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
    COLUMN_NEEDLESS,
    COLUMN_SPREAD,
    COLUMN_COUNT
};

/* In the order of the screen; `keep` says which a narrow pane keeps longest. Where words are too
 * wide the heading stands in two lines. */
static const struct {
    enum column column;
    const char *heading, *over, *under;
    int keep;
} shown_columns[] = {
    {COLUMN_BUSIEST, "busiest/avg", "busy", "/avg", 6},
    {COLUMN_SPREAD, "spread", "", "spread", 1},
    {COLUMN_MOVED, "moved", "", "moved", 5},
    {COLUMN_NEEDLESS, "needless", "need-", "less", 4},
    {COLUMN_LOOKUP, "lookup", "look-", "up", 2},
    {COLUMN_MEMORY, "memory", "mem-", "ory", 3},
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
    row->known[COLUMN_MOVED] = row->known[COLUMN_NEEDLESS] = !page->hidden && t->moved.keys > 0;
    if (row->known[COLUMN_MOVED]) {
        row->value[COLUMN_MOVED] = (double)t->moved.moved / (double)t->moved.keys;
        row->value[COLUMN_NEEDLESS] = (double)placing_needless(t) / (double)t->moved.keys;
    }
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

/* Units stand apart where there is room. */
static void add_bytes(struct str *out, double bytes, bool brief)
{
    static const char *const unit[] = {"B", "KB", "MB", "GB"};
    size_t at = 0;
    while (bytes >= 1000 && at < 3) {
        bytes /= 1000;
        at++;
    }
    str_addf(out, at > 0 && bytes < 10 ? "%.1f%s" : "%.0f%s", bytes, brief ? "" : " ");
    str_addn(out, unit[at], brief || at == 0 ? 1 : 2);
}

/* A little is not nothing. */
static void add_share(struct str *out, double value)
{
    str_add(out, value > 0 && value < 0.0005 ? "<0.1%" : "");
    if (value <= 0 || value >= 0.0005) {
        str_addf(out, value > 0 ? "%.1f%%" : "%.0f%%", value * 100);
    }
}

static void add_value(struct str *out, const struct scheme_row *row, enum column column, bool brief)
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
    case COLUMN_NEEDLESS:
        add_share(out, value);
        break;
    case COLUMN_LOOKUP:
        str_addf(out, value < 10 ? "%.1f%s" : "%.0f%s", value, brief ? "ns" : " ns");
        break;
    case COLUMN_MEMORY:
        add_bytes(out, value, brief);
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

#define MARK_COLUMNS 1 /* behind a value, for the best of its column */
#define NAME_MAX 24
#define GAP_MAX 4

/* Which columns fit beside the names, and how wide each is with its mark and gap. */
struct columns {
    bool shown[SHOWN_COLUMNS];
    int width[SHOWN_COLUMNS];
    int name;
    bool two_lines; /* of heading */
};

static int text_columns(const char *text)
{
    return utf8_columns(text, strlen(text));
}

static int name_columns(const struct sheet *t)
{
    struct str name = STR_EMPTY;
    int most = 6; /* "scheme" */
    for (size_t i = 0; i < t->rows; i++) {
        str_clear(&name);
        add_name(&name, t, i);
        int columns = text_columns(str_text(&name));
        most = columns > most ? columns : most;
    }
    str_free(&name);
    return most > NAME_MAX ? NAME_MAX : most;
}

/* As much as the widest value or the heading takes; the column that orders has a sign before it. */
static int value_columns(const struct sheet *t, size_t at, bool two_lines)
{
    const char *heading = two_lines ? shown_columns[at].under : shown_columns[at].heading;
    int most = text_columns(heading) + (shown_columns[at].column == t->order);
    if (two_lines && text_columns(shown_columns[at].over) > most) {
        most = text_columns(shown_columns[at].over);
    }
    struct str text = STR_EMPTY;
    for (size_t i = 0; i < t->rows; i++) {
        str_clear(&text);
        add_value(&text, &t->row[i], shown_columns[at].column, two_lines);
        int columns = text_columns(str_text(&text));
        most = columns > most ? columns : most;
    }
    str_free(&text);
    return most + MARK_COLUMNS;
}

/* Returns what is left when all that fit have their place. */
static int fit_in(struct columns *out, const struct sheet *t, int width)
{
    int left = width - out->name;
    for (size_t i = 0; i < SHOWN_COLUMNS; i++) {
        out->width[i] = value_columns(t, i, out->two_lines);
        out->shown[i] = false;
    }
    for (int keep = (int)SHOWN_COLUMNS + 1; keep > 0; keep--) {
        for (size_t i = 0; i < SHOWN_COLUMNS; i++) {
            /* The column that orders the lines is in sight. */
            bool forced = shown_columns[i].column == t->order;
            int wanted = forced ? (int)SHOWN_COLUMNS + 1 : shown_columns[i].keep;
            if (wanted == keep && left >= out->width[i]) {
                out->shown[i] = true;
                left -= out->width[i];
            }
        }
    }
    return left;
}

static size_t count_shown(const struct columns *w)
{
    size_t count = 0;
    for (size_t i = 0; i < SHOWN_COLUMNS; i++) {
        count += w->shown[i];
    }
    return count;
}

static struct columns fit_columns(const struct sheet *t, int width)
{
    struct columns out = {.name = name_columns(t)};
    int left = fit_in(&out, t, width - 1); /* a column of air */
    size_t most = count_shown(&out);
    if (most < SHOWN_COLUMNS) { /* narrower headings may make room for one more */
        struct columns narrow = {.name = out.name, .two_lines = true};
        int rest = fit_in(&narrow, t, width - 1);
        if (count_shown(&narrow) > most) {
            out = narrow;
            left = rest;
            most = count_shown(&out);
        }
    }
    int gap = most > 0 ? left / (int)most : 0;
    for (size_t i = 0; i < SHOWN_COLUMNS; i++) {
        out.width[i] += gap > GAP_MAX ? GAP_MAX : gap;
    }
    return out;
}

static void draw_heading(struct canvas *c, const struct sheet *t, const struct columns *w)
{
    int x = w->name + 1, y = w->two_lines;
    enum style style = t->order == COLUMN_SCHEME ? STYLE_STRONG : STYLE_DIM;
    canvas_text_fit(c, 0, y, w->name, style, "scheme");
    for (size_t i = 0; i < SHOWN_COLUMNS; i++) {
        if (!w->shown[i]) {
            continue;
        }
        struct str text = STR_EMPTY;
        bool order = shown_columns[i].column == t->order;
        style = order ? STYLE_STRONG : STYLE_DIM;
        str_addf(&text, "%s%s", order ? (canvas_glyphs(c) == GLYPHS_UTF8 ? "▾" : "^") : "",
                 w->two_lines ? shown_columns[i].under : shown_columns[i].heading);
        x += w->width[i];
        canvas_text_right(c, x - MARK_COLUMNS, y, style, str_text(&text));
        if (w->two_lines) {
            canvas_text_right(c, x - MARK_COLUMNS, 0, style, shown_columns[i].over);
        }
        str_free(&text);
    }
}

static void draw_line(struct canvas *c, int y, const struct sheet *t, const struct columns *w,
                      size_t line)
{
    struct str text = STR_EMPTY;
    int x = w->name + 1;
    add_name(&text, t, line);
    canvas_text_fit(c, 0, y, w->name, STYLE_TEXT, str_text(&text));
    for (size_t i = 0; i < SHOWN_COLUMNS; i++) {
        if (!w->shown[i]) {
            continue;
        }
        bool best = is_best(t, line, shown_columns[i].column);
        str_clear(&text);
        add_value(&text, &t->row[line], shown_columns[i].column, w->two_lines);
        x += w->width[i];
        canvas_text_right(c, x - MARK_COLUMNS, y, best ? STYLE_GOOD : STYLE_TEXT, str_text(&text));
        if (best) {
            canvas_put(c, x - MARK_COLUMNS, y, STYLE_GOOD, view_sign(c, 0x25C2, '*'));
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

static void add_legend(struct str *out, const struct canvas *c)
{
    bool utf8 = canvas_glyphs(c) == GLYPHS_UTF8;
    str_addf(out,
             "busy/avg: the fullest shard over the average. needless: moved between shards that "
             "stay. lookup: one, on this machine. memory: what a router holds. %s: best of all.",
             utf8 ? "◂" : "*");
}

static int rows_for(int h)
{
    int around = (h >= 3) + (h >= 10 ? 5 : h >= 5 ? 2 : h >= 2);
    return h - around < 1 ? 1 : h - around;
}

/* What the selected scheme cannot do, and below it the words of the columns. */
static void draw_words(struct canvas *c, int y, const struct sheet *t)
{
    int h = canvas_height(c), w = canvas_width(c) > 0 ? canvas_width(c) : 1;
    struct str text = STR_EMPTY;
    add_about(&text, t, t->selected);
    int about = text_columns(str_text(&text)) / w + 2;
    view_draw_wrapped(c, y, h - y, STYLE_TEXT, str_text(&text));
    str_clear(&text);
    add_legend(&text, c);
    y += about;
    if (y + text_columns(str_text(&text)) / w + 1 <= h) {
        view_draw_wrapped(c, y, h - y, STYLE_DIM, str_text(&text));
    }
    str_free(&text);
}

static void draw(struct canvas *c, const struct scene *s, const struct view_state *v, bool focused)
{
    int h = canvas_height(c), rows = rows_for(h), y = 0;
    struct sheet t;
    if (!open_sheet(&t, s, v)) {
        view_draw_note(c, placing_none());
        return;
    }
    struct columns w = fit_columns(&t, canvas_width(c));
    if (h >= 3) {
        w.two_lines = w.two_lines && h >= 5;
        draw_heading(c, &t, &w);
        y = 1 + w.two_lines;
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
    y += h - y >= 4; /* a line of air */
    if (h >= 2) {
        draw_words(c, y, &t);
    }
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
            add_value(&text, &t.row[i], shown_columns[k].column, false);
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
    view_add_wrapped(out,
                     "Needless: of all keys, those that moved between shards that stay. Lookup: "
                     "one, on this machine. Memory: what a router holds.",
                     TELL_COLUMNS, 2);
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
