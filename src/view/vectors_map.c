/*
 * vectors_map: a search among vectors as a map in cells.
 *
 * Points are braille dots, or single signs where there is room. A part has a colour that the parts
 * around it do not have, its number at its centroid, in brackets where it is probed, and dotted
 * borders; once a query is there, colour is for the parts that are probed. Of a graph the selected
 * shard's points have colour, and the way of the search is a line, upper layers in another colour
 * than layer 0. What stands out covers what does not: border, point, way, number, frame, found
 * neighbour, query, missed neighbour.
 */
#include "base/alloc.h"
#include "view/vectors_parts.h"
#include <stdio.h>
#include <stdlib.h>

#define COLOURS 7u            /* the eighth looks like what is dim */
#define BORDER_PARTS_MAX 256u /* with more, borders are all there would be */
#define SPARSE 12             /* cells a point: from here on points are signs */
#define BORDERED 10           /* cells a part: with fewer only what is probed has a border */
#define LABELLED 20           /* cells a part: with fewer only probed parts have numbers */
#define PARTS_SHOWN 4u        /* beyond those probed, around the query */
#define PARTS_SHOWN_MAX 12u
#define ROOMY_ROWS 18 /* from here on links of upper layers do not hide the points */
#define MARGIN_PCT 112

struct map {
    struct canvas *c;
    const struct vectors_search *x;
    const struct vectors_window *window;
    int columns, rows;
    uint8_t *colour; /* of each part */
    bool sparse;
    int64_t cells_a_part; /* of those that are inside */
};

/* --- places -------------------------------------------------------------------------------- */

struct place {
    int64_t x, y;
};

/* In two dimensions as it is. In more the distance from the query is true, and the direction is
 * what is left of all dimensions: every other one goes across, the others down, by turns one way
 * and the other, so that a query at an edge of the space has points all around. */
static struct place place_of(const struct vectors_search *x, const int16_t *at)
{
    const int16_t *q = x->page->query;
    int64_t across = 0, down = 0;
    if (x->flat || !x->asked) {
        return (struct place){at[0], at[1]};
    }
    for (uint32_t d = 0; d < corpus_dims(x->corpus); d++) {
        int64_t by = (d & 2) == 0 ? at[d] - q[d] : q[d] - at[d];
        *(d % 2 == 0 ? &across : &down) += by;
    }
    int64_t far = vectors_root(vectors_distance(at, q, corpus_stride(x->corpus)));
    /* At most 32 spaces each way: it fits once it is a quarter as far. */
    int64_t seen = 4 * (int64_t)vectors_root((uint32_t)((across * across + down * down) / 16));
    return seen == 0 ? (struct place){far, 0}
                     : (struct place){across * far / seen, down * far / seen};
}

static struct place middle_of(const struct vectors_search *x)
{
    return place_of(x, x->page->query);
}

/* --- the window ---------------------------------------------------------------------------- */

struct reach {
    int64_t dx, dy; /* from the query, at most */
};

static void reach_to(struct reach *r, const struct vectors_search *x, const int16_t *at)
{
    struct place place = place_of(x, at), middle = middle_of(x);
    int64_t dx = llabs(place.x - middle.x), dy = llabs(place.y - middle.y);
    r->dx = dx > r->dx ? dx : r->dx;
    r->dy = dy > r->dy ? dy : r->dy;
}

static struct reach reach_of(const struct vectors_search *x, int level)
{
    const struct page_vectors *p = x->page;
    struct reach r = {8, 8};
    for (size_t i = 0; i < x->exacts; i++) {
        reach_to(&r, x, corpus_point(x->corpus, x->exact[i].id));
    }
    if (level == 1 && p->ivf != NULL) {
        uint32_t shown = p->probe + PARTS_SHOWN;
        shown = shown > PARTS_SHOWN_MAX ? PARTS_SHOWN_MAX : shown;
        for (uint32_t i = 0; i < shown && i < ivf_parts(p->ivf); i++) {
            reach_to(&r, x, ivf_centroid(p->ivf, x->order[i].id));
        }
    } else if (level == 1 && p->graph != NULL) {
        for (size_t i = 0; i < x->hops; i++) {
            reach_to(&r, x, corpus_point(x->corpus, x->hop[i].id));
        }
    } else if (level == 1) {
        r = (struct reach){r.dx * 4, r.dy * 4};
    }
    for (int i = 2; i < level; i++) {
        r = (struct reach){r.dx / 2 + 4, r.dy / 2 + 4};
    }
    return r;
}

/* All of it, around the query. */
static struct vectors_window all_of(const struct vectors_search *x)
{
    if (x->flat || !x->asked) {
        return (struct vectors_window){0, 0, VECTORS_SPACE, VECTORS_SPACE};
    }
    uint32_t most = 0;
    for (uint32_t id = 0; id < corpus_points(x->corpus); id++) {
        uint32_t d =
            vectors_distance(corpus_point(x->corpus, id), x->page->query, corpus_stride(x->corpus));
        most = d > most ? d : most;
    }
    int64_t far = vectors_root(most) + 1;
    return (struct vectors_window){-far, -far, 2 * far, 2 * far};
}

static int64_t begin_at(int64_t middle, int64_t length, int64_t low, int64_t size)
{
    return view_clamp(middle - length / 2, low, low + size - length);
}

/* The whole is stretched to the frame; a part of it has one scale down and across. */
struct vectors_window vectors_window_of(const struct vectors_search *x, int level, int columns,
                                        int rows)
{
    struct vectors_window whole = all_of(x);
    if (level < 1 || !x->asked || columns < 1 || rows < 1) {
        return whole;
    }
    struct reach r = reach_of(x, level);
    int64_t across = 2 * columns, down = 4 * rows;
    int64_t by_x = r.dx * 2 * MARGIN_PCT / across, by_y = r.dy * 2 * MARGIN_PCT / down;
    int64_t scale = by_x > by_y ? by_x : by_y; /* hundredths of a unit a dot */
    struct vectors_window out = {.w = across * scale / 100 + 1, .h = down * scale / 100 + 1};
    if (out.w >= whole.w || out.h >= whole.h) {
        return whole;
    }
    out.x = begin_at(middle_of(x).x, out.w, whole.x, whole.w);
    out.y = begin_at(middle_of(x).y, out.h, whole.y, whole.h);
    return out;
}

/* --- colours of parts ---------------------------------------------------------------------- */

/* Each part takes the colour whose nearest holder so far is farthest away. */
static uint8_t *colours_of(const struct ivf *ix)
{
    uint32_t parts = ivf_parts(ix);
    size_t stride = corpus_stride(ivf_corpus(ix));
    uint8_t *colour = xcalloc(parts, sizeof *colour);
    for (uint32_t p = 0; p < parts; p++) {
        uint32_t near[COLOURS];
        for (uint32_t k = 0; k < COLOURS; k++) {
            near[k] = UINT32_MAX - k;
        }
        for (uint32_t q = 0; q < p; q++) {
            uint32_t d = vectors_distance(ivf_centroid(ix, p), ivf_centroid(ix, q), stride);
            near[colour[q]] = d < near[colour[q]] ? d : near[colour[q]];
        }
        for (uint8_t k = 1; k < COLOURS; k++) {
            colour[p] = near[k] > near[colour[p]] ? k : colour[p];
        }
    }
    return colour;
}

static bool is_probed(const struct vectors_search *x, uint32_t part)
{
    return x->asked && vectors_rank_of(x, part) < x->page->probe;
}

static enum style style_of_part(const struct map *m, uint32_t part)
{
    bool coloured = !m->x->asked || is_probed(m->x, part);
    return coloured ? style_owner(m->colour[part]) : STYLE_DIM;
}

/* --- dots ---------------------------------------------------------------------------------- */

struct dot {
    int x, y;
    bool inside;
};

static struct dot dot_at(const struct map *m, struct place p)
{
    const struct vectors_window *w = m->window;
    bool inside = p.x >= w->x && p.y >= w->y && p.x < w->x + w->w && p.y < w->y + w->h;
    return (struct dot){(int)((p.x - w->x) * 2 * m->columns / w->w),
                        (int)((p.y - w->y) * 4 * m->rows / w->h), inside};
}

static struct dot dot_of(const struct map *m, const int16_t *at)
{
    return dot_at(m, place_of(m->x, at));
}

static void put_sign(const struct map *m, const int16_t *at, enum style style, uint32_t sign)
{
    struct dot d = dot_of(m, at);
    if (d.inside) {
        canvas_put(m->c, d.x / 2, d.y / 4, style, sign);
    }
}

/* --- borders and points -------------------------------------------------------------------- */

/* Which part each dot is in, the frame row by row. */
static uint16_t *parts_of_dots(const struct map *m, int across, int down)
{
    uint16_t *part = xcalloc((size_t)across * (size_t)down, sizeof *part);
    for (int y = 0; y < down; y++) {
        for (int x = 0; x < across; x++) {
            int16_t at[2] = {(int16_t)(m->window->x + m->window->w * x / across),
                             (int16_t)(m->window->y + m->window->h * y / down)};
            part[y * across + x] = (uint16_t)ivf_part_at(m->x->page->ivf, at);
        }
    }
    return part;
}

/* Dim between parts of which both, or neither, are probed; `edge`: the others, which part what is
 * searched from what is not. */
static void draw_borders(const struct map *m, bool edge)
{
    const struct ivf *ix = m->x->page->ivf;
    int across = 2 * m->columns, down = 4 * m->rows;
    if (!m->x->flat || ivf_parts(ix) > BORDER_PARTS_MAX || canvas_glyphs(m->c) == GLYPHS_ASCII) {
        return;
    }
    uint16_t *part = parts_of_dots(m, across, down);
    bool *probed = xcalloc(ivf_parts(ix), sizeof *probed);
    for (uint32_t i = 0; i < m->x->page->probe && m->x->asked; i++) {
        probed[m->x->order[i].id] = true;
    }
    for (int y = 1; y < down; y++) {
        for (int x = 1; x < across; x++) {
            uint16_t here = part[y * across + x], left = part[y * across + x - 1],
                     above = part[(y - 1) * across + x];
            bool parted = probed[here] != probed[left] || probed[here] != probed[above];
            if ((here != left || here != above) && parted == edge) {
                canvas_dot(m->c, x, y, edge ? STYLE_TEXT : STYLE_DIM);
            }
        }
    }
    free(probed);
    free(part);
}

static void draw_point(const struct map *m, uint32_t id, enum style style, uint32_t ascii)
{
    struct dot d = dot_of(m, corpus_point(m->x->corpus, id));
    if (!d.inside) {
        return;
    }
    if (canvas_glyphs(m->c) == GLYPHS_ASCII) {
        canvas_put(m->c, d.x / 2, d.y / 4, style, ascii);
    } else if (m->sparse) {
        canvas_put(m->c, d.x / 2, d.y / 4, style, 0x2022);
    } else {
        canvas_dot(m->c, d.x, d.y, style);
    }
}

static void draw_part(const struct map *m, uint32_t part)
{
    const struct ivf *ix = m->x->page->ivf;
    const uint32_t *ids = ivf_points(ix, part);
    char letter = style_owner_letter(part);
    for (uint32_t i = 0; i < ivf_size(ix, part); i++) {
        draw_point(m, ids[i], style_of_part(m, part),
                   letter == '?' ? '.' : (uint32_t)(unsigned char)letter);
    }
}

static void draw_points(const struct map *m)
{
    const struct vectors_search *x = m->x;
    if (x->page->ivf != NULL) {
        for (uint32_t i = ivf_parts(x->page->ivf); i-- > 0;) {
            draw_part(m, x->order[i].id); /* the nearest last, over the others */
        }
        return;
    }
    for (uint32_t mine = 0; mine < 2; mine++) {
        for (uint32_t id = 0; id < corpus_points(x->corpus); id++) {
            bool here = x->page->graph == NULL || graph_shard_of(x->page->graph, id) == x->shard;
            if (here == (mine == 1)) {
                draw_point(m, id, here ? style_owner(0) : STYLE_DIM, here ? ':' : '.');
            }
        }
    }
}

static size_t points_inside(const struct map *m)
{
    size_t count = 0;
    for (uint32_t id = 0; id < corpus_points(m->x->corpus); id++) {
        count += dot_of(m, corpus_point(m->x->corpus, id)).inside;
    }
    return count;
}

/* --- the numbers of parts ------------------------------------------------------------------ */

static void draw_label(const struct map *m, uint32_t part, bool selected)
{
    char text[16];
    const struct ivf *ix = m->x->page->ivf;
    bool probed = is_probed(m->x, part);
    struct dot d = dot_of(m, ivf_centroid(ix, part));
    if (!d.inside) {
        return;
    }
    int length = snprintf(text, sizeof text, probed ? "[%u]" : "%u", part);
    int x = d.x / 2 - length / 2;
    x = x + length > m->columns ? m->columns - length : x < 0 ? 0 : x;
    enum style style = selected      ? STYLE_SELECTED
                       : probed      ? STYLE_STRONG
                       : m->x->asked ? STYLE_DIM
                                     : STYLE_TEXT;
    canvas_text(m->c, x, d.y / 4, style, text);
    if (selected && m->x->focused) {
        canvas_cursor(m->c, x, d.y / 4);
    }
}

static int64_t cells_a_part(const struct map *m)
{
    uint32_t parts = ivf_parts(m->x->page->ivf), inside = 0;
    for (uint32_t p = 0; p < parts; p++) {
        inside += dot_of(m, ivf_centroid(m->x->page->ivf, p)).inside;
    }
    return (int64_t)m->columns * m->rows / (inside > 0 ? inside : 1);
}

static void draw_labels(const struct map *m)
{
    const struct vectors_search *x = m->x;
    uint32_t parts = ivf_parts(x->page->ivf);
    bool all = m->cells_a_part >= LABELLED;
    for (uint32_t i = parts; i-- > 0;) {
        uint32_t part = x->order[i].id;
        bool selected = (int64_t)i == x->at && x->selected;
        if (all || selected) {
            draw_label(m, part, selected);
        } else if (is_probed(x, part) || (m->cells_a_part >= BORDERED && (x->flat || !x->asked))) {
            put_sign(m, ivf_centroid(x->page->ivf, part),
                     is_probed(x, part) ? STYLE_STRONG : STYLE_DIM, '+');
        }
    }
}

/* --- the way through a graph --------------------------------------------------------------- */

static void draw_line(const struct map *m, struct dot a, struct dot b, enum style style)
{
    int dx = abs(b.x - a.x), dy = abs(b.y - a.y), steps = dx > dy ? dx : dy;
    bool ascii = canvas_glyphs(m->c) == GLYPHS_ASCII;
    for (int i = 0; i <= steps; i++) {
        int x = a.x + (steps > 0 ? (b.x - a.x) * i / steps : 0);
        int y = a.y + (steps > 0 ? (b.y - a.y) * i / steps : 0);
        if (x < 0 || y < 0 || x >= 2 * m->columns || y >= 4 * m->rows) {
            continue;
        }
        if (ascii) {
            canvas_put(m->c, x / 2, y / 4, style, '-');
        } else {
            canvas_dot(m->c, x, y, style);
        }
    }
}

static enum style style_of_layer(uint32_t layer)
{
    return layer > 0 ? STYLE_WARN : STYLE_MOVED;
}

static void draw_way(const struct map *m)
{
    const struct vectors_search *x = m->x;
    int64_t end = x->at + 1 < (int64_t)x->hops ? x->at + 1 : (int64_t)x->hops;
    for (int64_t i = 0; i < end; i++) {
        const struct graph_hop *h = &x->hop[i];
        draw_line(m, dot_of(m, corpus_point(x->corpus, h->from)),
                  dot_of(m, corpus_point(x->corpus, h->id)), style_of_layer(h->layer));
    }
    uint32_t layer = UINT32_MAX;
    for (int64_t i = 0; i < end; i++) {
        const struct graph_hop *h = &x->hop[i];
        bool entry = h->layer != layer || h->layer > 0;
        layer = h->layer;
        if (entry) { /* the number of the layer where it goes on */
            put_sign(m, corpus_point(x->corpus, h->id), style_of_layer(h->layer),
                     '0' + (h->layer > 9 ? 9 : h->layer));
        }
    }
    if (x->selected && end > 0) {
        const int16_t *at = corpus_point(x->corpus, x->hop[end - 1].id);
        struct dot d = dot_of(m, at);
        put_sign(m, at, STYLE_SELECTED, '0' + (x->hop[end - 1].layer % 10));
        if (x->focused && d.inside) {
            canvas_cursor(m->c, d.x / 2, d.y / 4);
        }
    }
}

/* Links between points of the shard, where there is room: all of layer 0 in a close map, those of
 * the upper layers in the whole. */
static void draw_links(const struct map *m, uint32_t layer)
{
    const struct graph *g = m->x->page->graph;
    for (uint32_t id = 0; id < corpus_points(m->x->corpus); id++) {
        size_t count = 0;
        if (graph_shard_of(g, id) != m->x->shard || graph_layer_of(g, id) < layer) {
            continue;
        }
        const uint32_t *links = graph_links(g, id, layer, &count);
        struct dot from = dot_of(m, corpus_point(m->x->corpus, id));
        for (size_t i = 0; i < count; i++) {
            struct dot to = dot_of(m, corpus_point(m->x->corpus, links[i]));
            if (from.inside || to.inside) {
                draw_line(m, from, to, STYLE_DIM);
            }
        }
    }
}

/* --- the query and what is near ------------------------------------------------------------ */

static void draw_near(const struct map *m, bool found)
{
    const struct vectors_search *x = m->x;
    for (size_t i = 0; i < x->exacts; i++) {
        if (x->found[i] == found) {
            put_sign(m, corpus_point(x->corpus, x->exact[i].id), found ? STYLE_GOOD : STYLE_BAD,
                     found ? view_sign(m->c, 0x25CF, 'o') : view_sign(m->c, 0x25CB, '!'));
        }
    }
}

void vectors_draw_map(struct canvas *c, const struct vectors_search *x,
                      const struct vectors_window *window)
{
    struct map m = {c, x, window, canvas_width(c), canvas_height(c), NULL, false, 0};
    if (m.columns < 1 || m.rows < 1) {
        return;
    }
    m.sparse = points_inside(&m) * SPARSE <= (size_t)m.columns * (size_t)m.rows;
    if (x->page->ivf != NULL) {
        m.colour = colours_of(x->page->ivf);
        m.cells_a_part = cells_a_part(&m);
        if (m.cells_a_part >= BORDERED) {
            draw_borders(&m, false);
        }
        draw_borders(&m, true);
    }
    if (x->page->graph != NULL && canvas_glyphs(c) == GLYPHS_UTF8 &&
        (m.sparse || m.rows >= ROOMY_ROWS)) {
        draw_links(&m, m.sparse ? 0 : 2);
    }
    draw_points(&m);
    if (x->page->graph != NULL && x->asked && !x->open) {
        draw_way(&m);
    }
    if (x->page->ivf != NULL) {
        draw_labels(&m);
    }
    if (x->asked && !x->open) {
        draw_near(&m, true);
    }
    if (x->asked) {
        put_sign(&m, x->page->query, STYLE_STRONG, view_sign(c, 0x25C6, '@'));
    }
    if (x->asked && !x->open) {
        draw_near(&m, false);
    }
    free(m.colour);
}

void vectors_draw_frame(struct canvas *c, const struct vectors_window *whole,
                        const struct vectors_window *part)
{
    int64_t w = canvas_width(c), h = canvas_height(c);
    int x = (int)((part->x - whole->x) * w / whole->w);
    int y = (int)((part->y - whole->y) * h / whole->h);
    int x_end = (int)((part->x + part->w - whole->x) * w / whole->w);
    int y_end = (int)((part->y + part->h - whole->y) * h / whole->h);
    if (part->w < whole->w) {
        canvas_box(c, (struct rect){x, y, x_end - x + 1, y_end - y + 1}, LINE_LIGHT, STYLE_TEXT);
    }
}
