/*
 * workers: work that was dealt to workers, in several ways: a bar a worker up to when it is done,
 * and behind it, up to the barrier, what it waits for the slowest.
 *
 * All bars of a page have one scale, so that ways to deal can be compared by eye. While the
 * question is open there are counts and no times. Where not all deals fit, only the selected one
 * has its bars, and the others a line each. Selection: a worker; left and right go from deal to
 * deal. It is told below.
 */
#include "base/utf8.h"
#include "view/inside.h"
#include <stdio.h>
#include <string.h>

#define LABEL 4       /* columns of "W12 " */
#define WIDTH_MAX 110 /* beyond it bars grow no longer */
#define NARROW 50     /* columns */
#define HEADS_FROM 6  /* rows from which title and foot have lines of their own */

static const struct page_workers *workers_of(const struct scene *s)
{
    const struct page_workers *w = s->page != NULL ? s->page->workers : NULL;
    return w != NULL && w->deals > 0 ? w : NULL;
}

/* --- words --------------------------------------------------------------------------------- */

static void add_cost(struct str *out, const struct page_workers *w, uint64_t cost)
{
    str_addf(out, "%s%s%s", num_grouped((int64_t)cost).text, w->unit[0] != '\0' ? " " : "",
             w->unit);
}

static void add_tenths(struct str *out, uint32_t tenths)
{
    str_addf(out, "%u.%u%%", tenths / 10, tenths % 10);
}

static void add_count(struct str *out, uint64_t count, const char *what)
{
    str_addf(out, "%s %s%s", num_grouped((int64_t)count).text, what, view_plural(count));
}

static bool has_pieces(const struct deal *d)
{
    return d->params.by == DEAL_STEAL || (d->params.by == DEAL_TURN && d->params.pieces < d->items);
}

/* "barrier at 812 GB, 21.2% waiting" */
static void add_outcome(struct str *out, const struct page_workers *w, const struct deal *d,
                        bool narrow)
{
    str_add(out, narrow ? "" : "barrier at ");
    add_cost(out, w, d->barrier);
    str_add(out, ", ");
    add_tenths(out, deal_idle(d));
    str_add(out, narrow ? " waits" : " waiting");
}

/* What is known before anybody has worked. */
static void add_dealt(struct str *out, const struct deal *d)
{
    add_count(out, d->items, "item");
    if (has_pieces(d)) {
        str_add(out, " in ");
        add_count(out, d->params.pieces, "piece");
    }
    str_add(out, ", ");
    add_count(out, d->params.workers, "worker");
}

static void add_share(struct str *out, const struct page_workers *w, const struct deal *d,
                      uint32_t worker, bool narrow)
{
    const struct deal_worker *one = &d->worker[worker];
    if (w->hidden && d->params.by == DEAL_STEAL) {
        str_add(out, "takes the next piece when it is free");
        return;
    }
    add_count(out, one->items, "item");
    if (has_pieces(d) && (!narrow || w->hidden)) {
        str_add(out, " in ");
        add_count(out, one->pieces, "piece");
    }
    if (w->hidden) {
        return;
    }
    str_add(out, narrow ? ", " : ", done at ");
    add_cost(out, w, one->finish);
    if (one->finish == d->barrier) {
        str_add(out, ", the slowest");
    } else {
        str_addf(out, ", waits %s", num_grouped((int64_t)(d->barrier - one->finish)).text);
    }
}

/* --- where things are ---------------------------------------------------------------------- */

struct place {
    size_t deal;
    uint32_t worker;
};

struct shape {
    int top, rows, foot;    /* lines of the title, of deals, of the foot */
    int of[PAGE_DEALS_MAX]; /* that the bars of each deal have */
    bool gaps;              /* a blank line between deals */
    int number, bar;        /* columns */
    uint64_t scale;
    struct place chosen;
    int64_t scroll;
    bool focused;
};

/* v->selected: deal * DEAL_WORKERS_MAX + worker. Until there is one: the slowest of the first;
 * while the question is open the first. */
static struct place selected(const struct page_workers *w, const struct view_state *v)
{
    struct place out = {0, w->hidden ? 0 : w->deal[0].deal.slowest};
    if (v->has_selection) {
        out.deal = (size_t)view_clamp(v->selected / DEAL_WORKERS_MAX, 0, (int64_t)w->deals - 1);
        out.worker = (uint32_t)view_clamp(v->selected % DEAL_WORKERS_MAX, 0,
                                          (int64_t)w->deal[out.deal].deal.params.workers - 1);
    }
    return out;
}

static int lines_of_all(const struct page_workers *w)
{
    int lines = 0;
    for (size_t i = 0; i < w->deals; i++) {
        lines += 1 + (int)w->deal[i].deal.params.workers;
    }
    return lines;
}

/* First the selected deal, then each that fits whole into what is left. */
static void give_rows(struct shape *out, const struct page_workers *w, size_t chosen)
{
    int room = out->rows - (int)w->deals;
    room = room < 0 ? 0 : room;
    int workers = (int)w->deal[chosen].deal.params.workers;
    out->of[chosen] = workers < room ? workers : room;
    room -= out->of[chosen];
    for (size_t i = 0; i < w->deals; i++) {
        workers = (int)w->deal[i].deal.params.workers;
        if (i != chosen && workers <= room) {
            out->of[i] = workers;
            room -= workers;
        }
    }
}

static struct shape shape_of(const struct page_workers *w, size_t chosen, int columns, int h)
{
    struct shape out = {.scale = 1};
    out.top = h >= HEADS_FROM && w->title[0] != '\0';
    int all = lines_of_all(w);
    out.foot = h >= HEADS_FROM && all != h - out.top; /* all the bars rather than one in words */
    out.rows = h - out.top - out.foot;
    out.rows = out.rows < 1 ? 1 : out.rows;
    out.gaps = all + (int)w->deals - 1 + out.foot <= out.rows;
    give_rows(&out, w, chosen);
    for (size_t i = 0; i < w->deals; i++) {
        uint64_t barrier = w->deal[i].deal.barrier;
        out.scale = barrier > out.scale ? barrier : out.scale;
    }
    out.number = 1 + (int)strlen(num_grouped((int64_t)out.scale).text);
    out.bar = (columns < WIDTH_MAX ? columns : WIDTH_MAX) - LABEL - out.number;
    if (out.bar < 8) { /* the bar says it */
        out.bar += out.number;
        out.number = 0;
    }
    out.bar = out.bar < 2 ? 2 : out.bar;
    return out;
}

/* --- drawing ------------------------------------------------------------------------------- */

/* Columns of so much of a bar that ends one before the line of the barrier. */
static int columns_of(const struct shape *shape, uint64_t value)
{
    return (int)(value * (uint64_t)(shape->bar - 1) / shape->scale);
}

static void draw_bar(struct canvas *c, int y, const struct shape *shape, const struct deal *d,
                     uint32_t worker)
{
    uint64_t finish = d->worker[worker].finish;
    int end = columns_of(shape, d->barrier);
    int eighths = (int)(finish * (uint64_t)(shape->bar - 1) * 8 / shape->scale);
    bool slowest = finish == d->barrier;
    canvas_bar(c, LABEL, y, eighths, slowest ? STYLE_WARN : STYLE_MOVED);
    for (int x = (eighths + 7) / 8; x < end; x++) {
        canvas_put(c, LABEL + x, y, STYLE_DIM, view_sign(c, 0x2591, '.'));
    }
    canvas_put(c, LABEL + end, y, STYLE_LIMIT, view_sign(c, 0x2502, '|'));
    if (shape->number > 0) {
        canvas_text_right(c, LABEL + shape->bar + shape->number, y, STYLE_TEXT,
                          num_grouped((int64_t)finish).text);
    }
}

static void draw_worker(struct canvas *c, int y, const struct page_workers *w,
                        const struct shape *shape, struct place at, bool marked)
{
    const struct deal *d = &w->deal[at.deal].deal;
    struct str text = STR_EMPTY;
    canvas_textf(c, 0, y, marked ? STYLE_SELECTED : STYLE_TEXT, "W%u", at.worker + 1);
    if (w->hidden) {
        add_share(&text, w, d, at.worker, canvas_width(c) < NARROW);
        canvas_text_fit(c, LABEL, y, canvas_width(c) - LABEL, STYLE_TEXT, str_text(&text));
    } else {
        draw_bar(c, y, shape, d, at.worker);
    }
    str_free(&text);
}

static void draw_heading(struct canvas *c, int y, const struct page_workers *w, size_t deal)
{
    struct str text = STR_EMPTY;
    int width = canvas_width(c);
    str_addf(&text, "%s:", w->deal[deal].label);
    int x = 1 + canvas_text_fit(c, 0, y, width, STYLE_STRONG, str_text(&text));
    str_clear(&text);
    if (w->hidden) {
        add_dealt(&text, &w->deal[deal].deal);
    } else {
        add_outcome(&text, w, &w->deal[deal].deal, width < NARROW);
    }
    if (x < width) {
        canvas_text_fit(c, x, y, width - x, STYLE_DIM, str_text(&text));
    }
    str_free(&text);
}

static int draw_deal(struct canvas *c, int y, const struct page_workers *w,
                     const struct shape *shape, size_t deal)
{
    struct place chosen = shape->chosen;
    int rows = shape->of[deal];
    int64_t all = w->deal[deal].deal.params.workers;
    int64_t first =
        view_list_first(shape->scroll, deal == chosen.deal ? chosen.worker : 0, all, rows);
    draw_heading(c, y++, w, deal);
    for (int i = 0; i < rows; i++) {
        struct place at = {deal, (uint32_t)(first + i)};
        bool marked = deal == chosen.deal && at.worker == chosen.worker;
        if (marked && shape->focused) {
            canvas_cursor(c, 0, y);
        }
        draw_worker(c, y++, w, shape, at, marked);
    }
    return y;
}

static void draw(struct canvas *c, const struct scene *s, const struct view_state *v, bool focused)
{
    const struct page_workers *w = workers_of(s);
    int width = canvas_width(c), h = canvas_height(c);
    if (width < 1 || h < 1) {
        return;
    }
    if (w == NULL) {
        view_draw_note(c, "nothing is dealt on this page");
        return;
    }
    struct place chosen = selected(w, v);
    struct shape shape = shape_of(w, chosen.deal, width, h);
    shape.chosen = chosen;
    shape.scroll = v->scroll;
    shape.focused = focused;
    if (shape.top > 0) {
        canvas_text_fit(c, 0, 0, width, STYLE_STRONG, w->title);
    }
    int y = shape.top;
    for (size_t i = 0; i < w->deals && y < h - shape.foot; i++) {
        y = draw_deal(c, y, w, &shape, i);
        y += shape.gaps;
    }
    if (shape.foot > 0) {
        struct str text = STR_EMPTY;
        str_addf(&text, "W%u: ", chosen.worker + 1);
        add_share(&text, w, &w->deal[chosen.deal].deal, chosen.worker, width < NARROW);
        view_draw_line(c, h - 1, STYLE_TEXT, str_text(&text));
        str_free(&text);
    }
}

static bool move(struct view_state *v, const struct scene *s, enum verb verb, int w, int h)
{
    const struct page_workers *page = workers_of(s);
    if (page == NULL || w < 1 || h < 1) {
        return false;
    }
    struct place at = selected(page, v), was = at;
    int64_t worker = at.worker, all = page->deal[at.deal].deal.params.workers;
    if (verb == VERB_LEFT || verb == VERB_RIGHT) {
        int64_t deal = (int64_t)at.deal + (verb == VERB_RIGHT ? 1 : -1);
        at.deal = (size_t)view_clamp(deal, 0, (int64_t)page->deals - 1);
        worker = view_clamp(worker, 0, (int64_t)page->deal[at.deal].deal.params.workers - 1);
    } else {
        (void)view_list_move(&worker, all, verb, all / 2);
    }
    at.worker = (uint32_t)worker;
    bool changed = at.deal != was.deal || at.worker != was.worker;
    if (changed) {
        struct shape shape = shape_of(page, at.deal, w, h);
        v->has_selection = true;
        v->selected = (int64_t)at.deal * DEAL_WORKERS_MAX + at.worker;
        v->scroll = view_list_first(v->scroll, at.worker, page->deal[at.deal].deal.params.workers,
                                    shape.of[at.deal]);
    }
    return changed;
}

static int wants(const struct scene *s, const struct view_state *v)
{
    const struct page_workers *w = workers_of(s);
    (void)v;
    return w == NULL ? 1 : lines_of_all(w) + 2;
}

/* --- telling ------------------------------------------------------------------------------- */

static void tell_deal(struct str *out, const struct page_workers *w, const struct page_deal *one)
{
    const struct deal *d = &one->deal;
    struct str text = STR_EMPTY;
    str_addf(&text, "%s: ", one->label);
    add_dealt(&text, d);
    str_add(&text, "; in all ");
    add_cost(&text, w, d->cost);
    if (d->params.overhead > 0) {
        str_add(&text, ", and each piece ");
        add_cost(&text, w, d->params.overhead);
        str_add(&text, " to take");
    }
    if (!w->hidden) {
        str_add(&text, "; ");
        add_outcome(&text, w, d, false);
    }
    str_addc(&text, '.');
    view_add_wrapped(out, str_text(&text), TELL_COLUMNS, 2);
    for (uint32_t i = 0; i < d->params.workers; i++) {
        str_clear(&text);
        str_addf(&text, "  W%u: ", i + 1);
        add_share(&text, w, d, i, false);
        str_addc(&text, '.');
        view_add_wrapped(out, str_text(&text), TELL_COLUMNS, 4);
    }
    str_free(&text);
}

static void tell(struct str *out, const struct scene *s, const struct view_state *v)
{
    const struct page_workers *w = workers_of(s);
    (void)v;
    if (w == NULL) {
        str_add(out, "Nothing is dealt on this page.\n");
        return;
    }
    if (w->title[0] != '\0') {
        view_add_wrapped(out, w->title, TELL_COLUMNS, 2);
    }
    for (size_t i = 0; i < w->deals; i++) {
        tell_deal(out, w, &w->deal[i]);
    }
}

static struct subject subject(const struct view_state *v, const struct scene *s)
{
    (void)v;
    (void)s;
    return (struct subject){.kind = SUBJECT_NONE}; /* workers are in no world */
}

const struct view view_workers = {
    .name = "workers",
    .title = "Workers",
    .min_rows = 8,
    .want_rows = 24,
    .wants = wants,
    .draw = draw,
    .move = move,
    .tell = tell,
    .subject = subject,
};
