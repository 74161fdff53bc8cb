/*
 * ring_strip: a part of the circle made straight: some arcs around the selected one, or it alone.
 *
 * From top to bottom: what is in sight, who owned it, who owns it, whose tokens end the arcs, how
 * dense the keys are, the way of the key that is looked up, and the selected arc in words.
 */
#include "base/alloc.h"
#include "base/utf8.h"
#include "view/ring_parts.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CIRCLE 18446744073709551616.0

struct strip {
    const struct ring_picture *r;
    int width;
    double span; /* positions in sight */
};

static double offset_of(const struct strip *t, uint64_t position)
{
    uint64_t from = position - t->r->from;
    return from == 0 ? t->span : (double)from;
}

static uint64_t position_at(const struct strip *t, int x)
{
    return t->r->from + (uint64_t)(t->span * (x + 0.5) / t->width);
}

/* Column of a position, or -1 when it is not in sight. */
static int column_of(const struct strip *t, uint64_t position)
{
    double offset = offset_of(t, position);
    if (offset > t->span) {
        return -1;
    }
    int x = (int)(offset * t->width / t->span);
    return x < t->width ? x : t->width - 1;
}

static void draw_owners(struct canvas *c, const struct strip *t, int y, int now_rows)
{
    const struct ring_picture *r = t->r;
    int now = y + (r->was != NULL);
    for (int x = 0; x < t->width; x++) {
        uint64_t at = position_at(t, x);
        uint32_t owner = ring_owner(r, at), was = ring_owner_before(r, at);
        bool changed = was != RING_NONE && was != owner;
        uint32_t letter = (uint32_t)style_owner_letter(owner);
        if (r->was != NULL) {
            canvas_put(c, x, y, changed ? style_owner(was) : STYLE_DIM,
                       changed ? (uint32_t)style_owner_letter(was) : view_sign(c, 0x00B7, '.'));
        }
        for (int i = 0; i < now_rows; i++) {
            bool solid = canvas_glyphs(c) == GLYPHS_UTF8 && (i > 0 || now_rows == 1);
            canvas_put(c, x, now + i, style_owner(owner),
                       solid ? (changed ? 0x2588u : 0x2592u)
                             : (uint32_t)(changed ? toupper((int)letter) : (int)letter));
        }
    }
}

/* A tick under the end of each arc and its owner's name before it, where there is room. */
static void draw_tokens(struct canvas *c, const struct strip *t, int y)
{
    const struct ring_picture *r = t->r;
    int free_from = 0;
    size_t first = ring_find(r->point, r->points, r->from + 1);
    for (size_t i = 0; i < r->points; i++) {
        size_t point = (first + i) % r->points;
        int x = column_of(t, r->point[point].at);
        if (x < 0 || (i > 0 && offset_of(t, r->point[point].at) >= t->span && point == first)) {
            break;
        }
        char name[16];
        uint32_t owner = ring_point_owner(r, point);
        int length = snprintf(name, sizeof name, "S%u", (unsigned)owner);
        bool here = point == r->arc;
        if (x - length >= free_from || (here && x - length >= 0)) {
            canvas_text(c, x - length, y, here ? STYLE_SELECTED : style_owner(owner), name);
            free_from = x + 2;
        }
        canvas_put(c, x, y, here ? STYLE_STRONG : style_owner(owner), view_sign(c, 0x2575, '|'));
    }
}

static void draw_keys(struct canvas *c, const struct strip *t, int y, int rows)
{
    const struct ring_picture *r = t->r;
    const struct layout_params *params = layout_params_of(r->p.shown);
    struct keyset *keys = r->p.trial->keys;
    const uint64_t *hash = keyset_hashes(keys, params->hash, params->tags);
    uint32_t *count = xcalloc((size_t)t->width, sizeof *count), most = 0;
    for (size_t i = 0; i < keyset_count(keys); i++) {
        int x = column_of(t, layout_ring_position(r->p.shown, hash[i]));
        if (x >= 0) {
            count[x]++;
            most = count[x] > most ? count[x] : most;
        }
    }
    int full = most < 8 ? 8 : (int)most;
    for (int x = 0; x < t->width; x++) {
        int eighths = (int)((uint64_t)count[x] * (uint64_t)(rows * 8) / (uint64_t)full);
        eighths = eighths == 0 && count[x] > 0 ? 1 : eighths;
        enum style style = style_owner(ring_owner(r, position_at(t, x)));
        for (int i = 0; i < rows && eighths > 0; i++, eighths -= 8) {
            uint32_t height = (uint32_t)(eighths > 8 ? 8 : eighths);
            canvas_put(c, x, y + rows - 1 - i, style,
                       view_sign(c, 0x2580 + height,
                                 height > 5   ? '#'
                                 : height > 2 ? ':'
                                              : '.'));
        }
    }
    free(count);
}

static void draw_lookup(struct canvas *c, const struct strip *t, int y)
{
    const struct ring_picture *r = t->r;
    int from = column_of(t, r->key_at), to = column_of(t, r->point[r->key_point].at);
    if (!r->lookup || from < 0) {
        return;
    }
    to = to < from ? t->width - 1 : to;
    for (int x = from; x <= to; x++) {
        uint32_t sign = x == from ? view_sign(c, 0x25C6, '@')
                        : x == to ? view_sign(c, 0x25B6, '>')
                                  : view_sign(c, 0x2500, '-');
        canvas_put(c, x, y, STYLE_STRONG, sign);
    }
}

static void draw_heading(struct canvas *c, const struct strip *t)
{
    struct str text = STR_EMPTY;
    str_addf(&text, "%s%% of the circle, %s tokens in all",
             num_ratio((int64_t)(t->span / CIRCLE * 1e9 + 0.5), 1000000000, 2).text,
             num_grouped((int64_t)t->r->points).text);
    view_draw_line(c, 0, STYLE_DIM, str_text(&text));
    str_free(&text);
}

void ring_draw_strip(struct canvas *c, struct rect area, const struct ring_picture *r, bool focused)
{
    struct str text = STR_EMPTY;
    canvas_push(c, area);
    struct strip t = {.r = r, .width = area.w};
    t.span = r->from == r->to ? CIRCLE : (double)(r->to - r->from);
    int y = area.h >= 8, foot = area.h >= 12 ? 2 : 1;
    int list = area.h >= 18 ? placing_list_rows(&r->p, area.w) : 0;
    list = list > area.h / 3 ? area.h / 3 : list;
    int now_rows = area.h >= 10 ? 2 : 1;
    int rest = area.h - y - (r->was != NULL) - now_rows - 1 - r->lookup - foot - list;
    int keys = rest > 10 ? 10 : rest;
    if (y > 0) {
        draw_heading(c, &t);
    }
    draw_owners(c, &t, y, now_rows);
    y += now_rows + (r->was != NULL);
    draw_tokens(c, &t, y);
    if (focused) {
        int x = column_of(&t, r->point[r->arc].at);
        canvas_cursor(c, x < 0 ? 0 : x, y);
    }
    y++;
    if (keys > 0) {
        draw_keys(c, &t, y, keys);
        y += keys;
    }
    draw_lookup(c, &t, y);
    ring_add_arc(&text, r, r->arc);
    int bottom = area.h - list - foot;
    view_draw_wrapped(c, bottom, foot, STYLE_TEXT, str_text(&text));
    placing_draw_list(c, (struct rect){0, area.h - list, area.w, list}, &r->p, r->selected, false);
    canvas_pop(c);
    str_free(&text);
}
