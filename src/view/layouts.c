/*
 * layouts: one thing measured of many random layouts of each kind, a dot a try, along one axis.
 * What is measured is the experiment's title.
 *
 * Each group of the experiment has a strip: its dots, heaped where they agree, the middle nine
 * tenths as a line below them, and the median marked and told. While the experiment runs a bar says
 * how far it is. The axis is the same for all groups, so the strips can be compared by eye. Values
 * are thousandths. Selection: a group.
 */
#include "base/alloc.h"
#include "base/utf8.h"
#include "view/inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define AXIS_LEAST 1000 /* a busiest over an average cannot be less */
#define TITLE_FROM 8    /* rows from which the title has one of its own */

struct group {
    const struct page_group *page;
    uint32_t value[PAGE_LAYOUTS_MAX]; /* ascending */
    size_t done, total;
};

struct picture {
    struct group group[PAGE_GROUPS_MAX];
    size_t groups;
    uint32_t most;     /* end of the axis */
    const char *title; /* what is measured; "" when nobody says */
    size_t done, total;
};

static int by_value(const void *a, const void *b)
{
    uint32_t x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

static bool open_layouts(struct picture *out, const struct scene *s)
{
    *out = (struct picture){.most = AXIS_LEAST + 200};
    const struct page_experiment *e = s->experiment;
    if (e == NULL || e->groups == 0) {
        return false;
    }
    out->title = e->title != NULL ? e->title : "";
    out->groups = e->groups < PAGE_GROUPS_MAX ? e->groups : PAGE_GROUPS_MAX;
    for (size_t i = 0; i < out->groups; i++) {
        struct group *g = &out->group[i];
        g->page = &e->group[i];
        g->done = g->page->done < PAGE_LAYOUTS_MAX ? g->page->done : PAGE_LAYOUTS_MAX;
        g->total = g->page->total > g->done ? g->page->total : g->done;
        memcpy(g->value, g->page->value, g->done * sizeof g->value[0]);
        qsort(g->value, g->done, sizeof g->value[0], by_value);
        if (g->done > 0 && g->value[g->done - 1] > out->most) {
            out->most = g->value[g->done - 1];
        }
        out->done += g->done;
        out->total += g->total;
    }
    out->most = (out->most + 99) / 100 * 100;
    return true;
}

/* The value that `percent` of the layouts stay at or below (nearest rank). */
static uint32_t rank(const struct group *g, unsigned percent)
{
    size_t at = (g->done * percent + 99) / 100;
    return g->value[at > 0 ? at - 1 : 0];
}

/* The middle one, or half way between the two in the middle. */
static uint32_t median_of(const struct group *g)
{
    size_t last = g->done > 0 ? g->done - 1 : 0;
    return (g->value[last / 2] + g->value[(last + 1) / 2] + 1) / 2;
}

/* "2.20" */
static struct num_text shown(uint32_t value)
{
    return num_ratio(value, 100000, 2);
}

/* --- drawing ------------------------------------------------------------------------------- */

struct shape {
    int label, number; /* columns before and after a strip */
    int strip;         /* columns of it */
    int lines;         /* of a group: dots, then the band when there are more than one */
    int rows, top, foot;
    bool title; /* on the first line, above the axis */
    size_t first;
};

static int64_t selected_group(const struct view_state *v, const struct picture *p)
{
    return v->has_selection ? view_clamp(v->selected, 0, (int64_t)p->groups - 1) : 0;
}

static struct shape shape_of(const struct view_state *v, const struct picture *p, int w, int h)
{
    bool title = h >= TITLE_FROM && p->title[0] != '\0';
    struct shape out = {
        .title = title, .top = (h >= 4) + title, .foot = h >= 10 ? 2 : h >= 3, .number = 6};
    for (size_t i = 0; i < p->groups; i++) {
        const char *label = p->group[i].page->label;
        int columns = label != NULL ? utf8_columns(label, strlen(label)) : 0;
        out.label = columns > out.label ? columns : out.label;
    }
    out.label = (out.label > w / 3 ? w / 3 : out.label) + 1;
    out.strip = w - out.label - out.number;
    out.strip = out.strip < 4 ? 4 : out.strip;
    int room = h - out.top - out.foot;
    out.lines = (int)view_clamp(room / (int)p->groups, 1, 5);
    out.rows = room / out.lines;
    out.rows = out.rows < 1 ? 1 : out.rows;
    out.first =
        (size_t)view_list_first(v->scroll, selected_group(v, p), (int64_t)p->groups, out.rows);
    return out;
}

/* Place of a value among `places`. */
static int place_of(const struct picture *p, uint32_t value, int places)
{
    uint32_t above = value > AXIS_LEAST ? value - AXIS_LEAST : 0;
    return (int)((uint64_t)above * (uint64_t)(places - 1) / (p->most - AXIS_LEAST));
}

/* Dots are heaped from the bottom up; where they are too many the heaps are all lowered alike. */
static void draw_dots(struct canvas *c, int x, int y, const struct shape *shape,
                      const struct picture *p, const struct group *g, int rows)
{
    int places = shape->strip * 2;
    unsigned *heap = xcalloc((size_t)places, sizeof *heap), highest = 1;
    for (size_t i = 0; i < g->done; i++) {
        unsigned *one = &heap[place_of(p, g->value[i], places)];
        (*one)++;
        highest = *one > highest ? *one : highest;
    }
    unsigned room = (unsigned)rows * 4, scale = highest > room ? highest : room;
    for (int i = 0; i < places; i++) {
        unsigned dots = (heap[i] * room + scale - 1) / scale;
        for (unsigned up = 0; up < dots; up++) {
            canvas_dot(c, x * 2 + i, (y + rows) * 4 - 1 - (int)up, STYLE_OWNER_0);
        }
    }
    free(heap);
}

static void draw_band(struct canvas *c, int x, int y, const struct shape *shape,
                      const struct picture *p, const struct group *g)
{
    int low = place_of(p, rank(g, 5), shape->strip), high = place_of(p, rank(g, 95), shape->strip);
    canvas_hline(c, x, y, shape->strip, LINE_LIGHT, STYLE_DIM);
    canvas_hline(c, x + low, y, high - low + 1, LINE_HEAVY, STYLE_OWNER_0);
}

static void draw_group(struct canvas *c, int y, const struct shape *shape, const struct picture *p,
                       size_t index, bool marked)
{
    const struct group *g = &p->group[index];
    int dots = shape->lines > 2 ? shape->lines - 2 : 1, x = shape->label;
    const char *label = g->page->label != NULL ? g->page->label : "";
    canvas_text_fit(c, 0, y + dots - 1, shape->label - 1, marked ? STYLE_SELECTED : STYLE_TEXT,
                    label);
    if (g->done == 0) {
        canvas_text_fit(c, x, y + dots - 1, shape->strip, STYLE_DIM, "not tried yet");
        return;
    }
    draw_dots(c, x, y, shape, p, g, dots);
    int median = place_of(p, median_of(g), shape->strip);
    if (shape->lines > 1) {
        draw_band(c, x, y + dots, shape, p, g);
        canvas_put(c, x + median, y + dots, STYLE_STRONG, view_sign(c, 0x25C6, '@'));
    }
    canvas_text_right(c, x + shape->strip + shape->number, y + dots - 1, STYLE_STRONG,
                      shown(median_of(g)).text);
    if (shape->lines > 1 && g->done < g->total) {
        struct str text = STR_EMPTY;
        str_addf(&text, "%zu of %zu", g->done, g->total);
        if ((int)text.length < shape->label) {
            canvas_text(c, 0, y + dots, STYLE_DIM, str_text(&text));
        }
        str_free(&text);
    }
}

static void draw_axis(struct canvas *c, const struct shape *shape, const struct picture *p)
{
    int x = shape->label, y = shape->title;
    if (shape->title) {
        canvas_text_fit(c, 0, 0, canvas_width(c), STYLE_TEXT, p->title);
    }
    canvas_text(c, x, y, STYLE_DIM, "1.00");
    canvas_text_right(c, x + shape->strip, y, STYLE_DIM, shown(p->most).text);
    canvas_text_right(c, x + shape->strip + shape->number, y, STYLE_STRONG,
                      canvas_glyphs(c) == GLYPHS_UTF8 ? "◆" : "@");
}

static void add_group(struct str *out, const struct group *g)
{
    if (g->page->label != NULL && g->page->label[0] != '\0') {
        str_addf(out, "%s: ", g->page->label);
    }
    if (g->done == 0) {
        str_add(out, "nothing tried yet");
        return;
    }
    str_addf(out, "median %s", shown(median_of(g)).text);
    str_addf(out, ", 5%% to 95%% of %zu tries %s", g->done, shown(rank(g, 5)).text);
    str_addf(out, " to %s", shown(rank(g, 95)).text);
    str_addf(out, ", worst %s", shown(g->value[g->done - 1]).text);
}

/* While it runs, how far; then the selected group in words. */
static void draw_foot(struct canvas *c, int y, const struct picture *p, size_t at)
{
    struct str text = STR_EMPTY;
    int width = canvas_width(c);
    if (p->done < p->total) {
        str_addf(&text, "%zu of %zu", p->done, p->total);
        int bar = width - (int)text.length - 1;
        bar = bar > 40 ? 40 : bar;
        if (bar >= 4) {
            for (int i = 0; i < bar; i++) {
                canvas_put(c, i, y, STYLE_DIM, view_sign(c, 0x2591, '.'));
            }
            canvas_bar(c, 0, y, (int)(p->done * (size_t)bar * 8 / p->total), STYLE_GOOD);
            canvas_text(c, bar + 1, y, STYLE_TEXT, str_text(&text));
        } else {
            view_draw_line(c, y, STYLE_TEXT, str_text(&text));
        }
        y++;
        str_clear(&text);
    }
    add_group(&text, &p->group[at]);
    view_draw_wrapped(c, y, canvas_height(c) - y, STYLE_TEXT, str_text(&text));
    str_free(&text);
}

static void draw(struct canvas *c, const struct scene *s, const struct view_state *v, bool focused)
{
    int w = canvas_width(c), h = canvas_height(c);
    struct picture *p = xcalloc(1, sizeof *p);
    if (!open_layouts(p, s)) {
        view_draw_note(c, "no experiment is shown here");
        free(p);
        return;
    }
    struct shape shape = shape_of(v, p, w, h);
    size_t at = (size_t)selected_group(v, p);
    if (shape.top > 0) {
        draw_axis(c, &shape, p);
    }
    int y = shape.top;
    for (int i = 0; i < shape.rows && shape.first + (size_t)i < p->groups; i++) {
        size_t index = shape.first + (size_t)i;
        bool marked = index == at && (focused || v->has_selection);
        draw_group(c, y, &shape, p, index, marked);
        if (marked && focused) {
            canvas_cursor(c, 0, y);
        }
        y += shape.lines;
    }
    if (shape.foot > 0) {
        draw_foot(c, h - shape.foot > y + 1 ? y + 1 : h - shape.foot, p, at);
    }
    free(p);
}

static bool move(struct view_state *v, const struct scene *s, enum verb verb, int w, int h)
{
    struct picture *p = xcalloc(1, sizeof *p);
    bool changed = false;
    if (w >= 1 && h >= 1 && open_layouts(p, s)) {
        struct shape shape = shape_of(v, p, w, h);
        int64_t at = selected_group(v, p);
        changed = view_list_move(&at, (int64_t)p->groups, verb, shape.rows);
        if (changed) {
            v->has_selection = true;
            v->selected = at;
            v->scroll = view_list_first((int64_t)shape.first, at, (int64_t)p->groups, shape.rows);
        }
    }
    free(p);
    return changed;
}

static void tell(struct str *out, const struct scene *s, const struct view_state *v)
{
    (void)v;
    struct picture *p = xcalloc(1, sizeof *p);
    struct str text = STR_EMPTY;
    if (!open_layouts(p, s)) {
        str_add(out, "No experiment is shown here.\n");
        free(p);
        return;
    }
    str_addf(&text, "%s%s%zu of %zu tries are done, one after another.", p->title,
             p->title[0] != '\0' ? ": " : "", p->done, p->total);
    view_add_wrapped(out, str_text(&text), TELL_COLUMNS, 2);
    for (size_t i = 0; i < p->groups; i++) {
        str_clear(&text);
        add_group(&text, &p->group[i]);
        str_addc(&text, '.');
        view_add_wrapped(out, str_text(&text), TELL_COLUMNS, 2);
    }
    str_free(&text);
    free(p);
}

static struct subject subject(const struct view_state *v, const struct scene *s)
{
    (void)v;
    (void)s;
    return (struct subject){.kind = SUBJECT_NONE}; /* an experiment is in no world */
}

const struct view view_layouts = {
    .name = "layouts",
    .title = "Many tries",
    .min_rows = 8,
    .want_rows = 24,
    .draw = draw,
    .move = move,
    .tell = tell,
    .subject = subject,
};
