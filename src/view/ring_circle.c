/*
 * ring_circle: the circle of a ring, in braille dots or, in ASCII, in letters.
 *
 * Position 0 is at the top and positions grow clockwise. A cell of the canvas is 2 dots wide and 4
 * high, and dots are about square, so everything is reckoned in dots. From outside to inside:
 * labels, the band (the owner's colour; wide where the owner changed), a line in the colour of the
 * owner before where it changed, the keys as dots or, when they are many, as a fringe as deep as
 * they are dense, and the way of the key that is looked up. A cell has one colour, so where two of
 * these meet in a cell the outer one keeps it; within one, the owner with the most dots.
 *
 * Floating point lives here only, between the ring's positions and dots.
 */
#include "base/alloc.h"
#include "base/utf8.h"
#include "view/ring_parts.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TURN 6.283185307179586
#define CIRCLE 18446744073709551616.0 /* 2^64 positions */
#define WALK_LABELLED 8               /* tokens behind the key whose names come first */
#define THICK_LETTERS 48              /* from this radius on the ring is two letters thick */
#define FILLED_PCT 22                 /* of the places for keys */

/* Radii in dots. */
struct circle {
    const struct ring_picture *r;
    double x, y; /* middle */
    double radius;
    double half;        /* of the usual band's breadth */
    double wide;        /* how far out a changed arc reaches beyond the radius */
    double line, walk;  /* of the line of old owners, of the lookup's way */
    double thin;        /* half of the line's breadth */
    double inside;      /* of what is left in the middle */
    double keys, depth; /* of the keys: where they begin, and how far in they reach */
    bool ticks, texture;
    uint32_t *dot; /* of the keys, by angle and depth: the owner's id plus one, 0 for none */
    size_t across, deep;
    int columns, rows; /* cells */
    bool *taken;       /* one a cell */
};

static double angle_of(uint64_t position)
{
    return (double)position / CIRCLE * TURN;
}

static uint64_t position_of(double angle)
{
    double part = angle / TURN;
    part -= floor(part);
    double position = part * CIRCLE;
    return position >= CIRCLE ? UINT64_MAX : (uint64_t)position;
}

/* --- the parts of a ring ------------------------------------------------------------------- */

/* Keys as dots: each at its angle, and as deep as a number drawn from its place in the list says.
 * Of many keys only every so-manieth is drawn, so that the dots stay apart and their density can be
 * seen. */
static void fill_keys(struct circle *k)
{
    const struct ring_picture *r = k->r;
    const struct layout *layout = r->p.shown;
    const struct layout_params *params = layout_params_of(layout);
    size_t count = keyset_count(r->p.trial->keys);
    const uint64_t *hash = keyset_hashes(r->p.trial->keys, params->hash, params->tags);
    k->across = (size_t)(TURN * k->keys);
    k->deep = (size_t)k->depth;
    k->dot = xcalloc(k->across * k->deep, sizeof *k->dot);
    size_t wanted = k->across * k->deep * FILLED_PCT / 100;
    size_t step = count / (wanted + 1) + 1;
    for (size_t i = 0; i < count; i += step) {
        double part = (double)layout_ring_position(layout, hash[i]) / CIRCLE;
        size_t at = (size_t)(part * (double)k->across);
        size_t level = (size_t)((uint32_t)(i / step * 2654435769u) >> 16) * k->deep >> 16;
        at = at < k->across ? at : k->across - 1;
        k->dot[at * k->deep + level] = layout_shard_id(layout, r->p.owner[i]) + 1;
    }
}

static struct circle circle_of(const struct ring_picture *r, int columns, int rows)
{
    struct circle k = {.r = r, .columns = columns, .rows = rows, .x = columns, .y = 2.0 * rows};
    k.taken = xcalloc((size_t)columns * (size_t)rows, sizeof *k.taken);
    bool labels = rows >= 7;
    double high = 2.0 * rows - (labels ? 4 : 0), wide = columns - (labels ? 7.0 : 1.0);
    double room = (high < wide ? high : wide) - 0.5;
    k.half = room < 14 ? 0.8 : room / 22 < 1.05 ? 1.05 : room / 22;
    k.wide = r->was != NULL ? k.half * 2.6 : k.half;
    k.radius = room - k.wide;
    if (k.radius < 2) {
        k.radius = 2;
    }
    k.texture = (double)r->points > k.radius * 6;
    k.ticks = (double)r->points <= k.radius * 1.5;
    double in = k.radius - k.half;
    k.line = r->was != NULL ? in - 2.5 - k.half / 2 : 0;
    k.thin = k.half / 3 < 0.75 ? 0.75 : k.half / 3;
    k.keys = (r->was != NULL ? k.line - k.thin : in) - 2;
    k.depth = floor(k.radius / 7 < 4 ? 4 : k.radius / 7);
    if (k.radius < 12) { /* no room for keys */
        k.depth = 0;
    }
    k.walk = k.keys - (k.depth > 0 ? k.depth / 2 : 1);
    k.inside = k.keys - (k.depth > 0 ? k.depth : 2) - 1;
    if (k.depth > 0) {
        fill_keys(&k);
    }
    return k;
}

/* Owner of the key drawn there, RING_NONE when there is none. */
static uint32_t key_dot(const struct circle *k, double angle, size_t level)
{
    size_t at = (size_t)(angle / TURN * (double)k->across);
    at = at < k->across ? at : k->across - 1;
    return k->dot[at * k->deep + (level < k->deep ? level : k->deep - 1)] - 1; /* 0 - 1 is NONE */
}

enum part { /* the higher, the more it counts in a cell */
    PART_NONE,
    PART_KEYS,
    PART_WALK,
    PART_LINE,
    PART_BAND
};

struct spot {
    enum part part;
    uint32_t owner; /* RING_NONE for what belongs to none */
    bool faint;     /* another shard is selected */
};

/* Clockwise from the key to the point that owns it. */
static bool on_the_way(const struct ring_picture *r, uint64_t position)
{
    uint64_t way = r->point[r->walk_end].at - r->key_at;
    return r->lookup && position - r->key_at <= way;
}

/* Whether neither of the two is the shard that is selected. What it gave away stands out too. */
static bool is_faint(const struct ring_picture *r, uint32_t owner, uint32_t was)
{
    if (r->selected < 0) {
        return false;
    }
    uint32_t id = r->p.row[r->selected].id;
    return owner != id && was != id;
}

static struct spot spot_in_band(const struct circle *k, double away, uint64_t position)
{
    uint32_t owner = ring_owner(k->r, position), was = ring_owner_before(k->r, position);
    bool changed = was != RING_NONE && was != owner;
    struct spot out = {.owner = owner, .faint = is_faint(k->r, owner, was)};
    bool inside =
        out.faint ? fabs(away) <= 0.6 : away >= -k->half && away <= (changed ? k->wide : k->half);
    out.part = inside ? PART_BAND : PART_NONE;
    return out;
}

static struct spot spot_at(const struct circle *k, double x, double y)
{
    const struct ring_picture *r = k->r;
    double dx = x - k->x, dy = y - k->y, from = sqrt(dx * dx + dy * dy);
    double away = from - k->radius;
    struct spot out = {.part = PART_NONE, .owner = RING_NONE};
    if (away > k->wide || from < k->inside) {
        return out;
    }
    double angle = atan2(dx, -dy);
    angle += angle < 0 ? TURN : 0;
    uint64_t position = position_of(angle);
    if (away >= -k->half) {
        return spot_in_band(k, away, position);
    }
    if (k->line > 0 && fabs(from - k->line) <= k->thin) {
        uint32_t owner = ring_owner(r, position), was = ring_owner_before(r, position);
        if (was != RING_NONE && was != owner && !is_faint(r, owner, was)) {
            return (struct spot){.part = PART_LINE, .owner = was};
        }
    }
    if (fabs(from - k->walk) <= 0.6 && on_the_way(r, position)) {
        return (struct spot){.part = PART_WALK, .owner = RING_NONE};
    }
    if (k->depth > 0 && from <= k->keys && from > k->keys - k->depth) {
        uint32_t owner = key_dot(k, angle, (size_t)(k->keys - from));
        if (owner != RING_NONE && !is_faint(r, owner, owner)) {
            return (struct spot){.part = PART_KEYS, .owner = owner};
        }
    }
    return out;
}

/* --- dots ---------------------------------------------------------------------------------- */

static enum style style_of_spot(struct spot spot)
{
    return spot.owner == RING_NONE ? STYLE_STRONG
           : spot.faint            ? STYLE_DIM
                                   : style_owner(spot.owner);
}

static void draw_dots(struct canvas *c, struct circle *k, int column, int row)
{
    struct spot spot[8];
    enum part best = PART_NONE;
    for (int i = 0; i < 8; i++) {
        spot[i] = spot_at(k, column * 2 + i % 2 + 0.5, row * 4 + i / 2 + 0.5);
        best = spot[i].part > best ? spot[i].part : best;
    }
    if (best == PART_NONE) {
        return;
    }
    k->taken[row * k->columns + column] = true;
    int most = 0;
    struct spot winner = {0};
    for (int i = 0; i < 8; i++) {
        int votes = 0;
        for (int j = 0; j < 8; j++) {
            votes += spot[j].part == best && spot[j].owner == spot[i].owner;
        }
        if (spot[i].part == best && votes > most) {
            most = votes;
            winner = spot[i];
        }
    }
    for (int i = 0; i < 8; i++) {
        if (spot[i].part == best) {
            canvas_dot(c, column * 2 + i % 2, row * 4 + i / 2, style_of_spot(winner));
        }
    }
}

/* --- letters ------------------------------------------------------------------------------- */

/* In ASCII a part is one or two cells deep; how many dots that is depends on the direction. */
static void draw_letter(struct canvas *c, struct circle *k, int x, int y)
{
    const struct ring_picture *r = k->r;
    double dx = x * 2 + 1 - k->x, dy = y * 4 + 2 - k->y, from = sqrt(dx * dx + dy * dy);
    double angle = atan2(dx, -dy);
    angle += angle < 0 ? TURN : 0;
    double unit = fmax(fabs(sin(angle)), 2 * fabs(cos(angle)));
    double layer = (from - k->radius) / unit; /* -1 to 1: on the circle */
    uint64_t position = position_of(angle);
    uint32_t owner = ring_owner(r, position), was = ring_owner_before(r, position);
    bool changed = was != RING_NONE && was != owner, faint = is_faint(r, owner, was);
    uint32_t letter = (uint32_t)style_owner_letter(owner);
    double out = (k->radius >= THICK_LETTERS && !faint ? 3 : 1) + (changed && !faint ? 2 : 0);
    if (layer >= -1 && layer < out) {
        k->taken[y * k->columns + x] = true;
        letter = changed ? (uint32_t)toupper((int)letter) : letter;
        canvas_put(c, x, y, faint ? STYLE_DIM : style_owner(owner), faint ? '.' : letter);
    } else if (changed && layer >= -3 && layer < -1 && !faint) {
        canvas_put(c, x, y, style_owner(was), (uint32_t)style_owner_letter(was));
    } else if (layer >= -5 && layer < -3 && on_the_way(r, position)) {
        canvas_put(c, x, y, STYLE_STRONG, '-');
    } else if (layer >= -5 && layer < -3 && k->depth > 0) {
        uint32_t keys = 0, of = RING_NONE;
        for (size_t i = 0; i < k->deep; i++) {
            uint32_t one = key_dot(k, angle, i);
            keys += one != RING_NONE;
            of = one != RING_NONE ? one : of;
        }
        if (keys > 0 && !is_faint(r, of, of)) {
            canvas_put(c, x, y, style_owner(of), keys > 1 ? ':' : '.');
        }
    }
}

/* --- labels and marks ---------------------------------------------------------------------- */

struct label {
    uint64_t arc;
    size_t point;
};

static int by_arc(const void *a, const void *b)
{
    const struct label *x = a, *y = b;
    if (x->arc != y->arc) {
        return x->arc > y->arc ? -1 : 1;
    }
    return (x->point > y->point) - (x->point < y->point);
}

/* Whether cells of a row are free, one on each side included. */
static bool is_free(const struct circle *k, int column, int row, int columns)
{
    for (int at = column - 1; at <= column + columns; at++) {
        bool inside = at >= 0 && at < k->columns && row >= 0 && row < k->rows;
        bool margin = at < column || at == column + columns;
        if (inside ? k->taken[row * k->columns + at] : !margin) {
            return false;
        }
    }
    return true;
}

/* Writes a text outside its place: centred above and below the ring, beside it otherwise. */
static bool put_label(struct canvas *c, struct circle *k, double angle, enum style style,
                      const char *text)
{
    int columns = utf8_columns(text, strlen(text));
    double dx = sin(angle), dy = -cos(angle);
    for (int far = 0; far < 4; far++) {
        double out = k->radius + k->wide + (k->ticks ? 3 : 1) + far + fabs(dy);
        double x = (k->x + out * dx) / 2 - columns * (1 - dx) / 2;
        int column = (int)floor(x + 0.5), row = (int)floor((k->y + out * dy) / 4);
        if (is_free(k, column, row, columns)) {
            for (int i = 0; i < columns; i++) {
                k->taken[row * k->columns + column + i] = true;
            }
            canvas_text(c, column, row, style, text);
            return true;
        }
    }
    return false;
}

static void draw_labels(struct canvas *c, struct circle *k)
{
    const struct ring_picture *r = k->r;
    bool names = r->points <= RING_NAMED_POINTS;
    if (k->texture || k->rows < 7 || (!names && canvas_glyphs(c) == GLYPHS_ASCII)) {
        return; /* in ASCII the ring itself is of letters */
    }
    struct label *label = xcalloc(r->points, sizeof *label);
    for (size_t i = 0; i < r->points; i++) {
        label[i] = (struct label){ring_arc(r, i), i};
    }
    for (size_t i = 0; r->p.page->copies > 0 && r->lookup && i < WALK_LABELLED; i++) {
        label[(r->key_point + i) % r->points].arc = UINT64_MAX - i; /* these are counted */
    }
    qsort(label, r->points, sizeof *label, by_arc);
    for (size_t i = 0; i < r->points; i++) {
        uint32_t owner = ring_point_owner(r, label[i].point);
        const struct placing_row *row = &r->p.row[placing_row_of(&r->p, owner)];
        uint64_t at = r->point[label[i].point].at;
        if (!names && (double)label[i].arc / CIRCLE * TURN * k->radius < 3) {
            break; /* shorter than a letter */
        }
        double angle = angle_of(names ? at : at - label[i].arc / 2);
        enum style style = is_faint(r, owner, owner) ? STYLE_DIM : style_owner(owner);
        char text[24];
        (void)snprintf(text, sizeof text, "S%u new", (unsigned)owner);
        if (names && !row->before && put_label(c, k, angle, style, text)) {
            continue;
        }
        text[strcspn(text, " ")] = '\0';
        if (!names) {
            (void)snprintf(text, sizeof text, "%c", style_owner_letter(owner));
        }
        (void)put_label(c, k, angle, style, text);
    }
    free(label);
}

/* A line across the band at each token, on its outer side. */
static void draw_ticks(struct canvas *c, const struct circle *k)
{
    const struct ring_picture *r = k->r;
    for (size_t i = 0; k->ticks && i < r->points; i++) {
        uint32_t owner = ring_point_owner(r, i);
        double angle = angle_of(r->point[i].at);
        if (is_faint(r, owner, owner)) {
            continue;
        }
        for (double out = k->radius - k->half; out <= k->radius + k->wide + 2.5; out += 0.5) {
            canvas_dot(c, (int)floor(k->x + out * sin(angle)), (int)floor(k->y - out * cos(angle)),
                       style_owner(owner));
        }
    }
}

/* A sign on the line of the lookup's way. */
static void put_inside(struct canvas *c, const struct circle *k, double angle, uint32_t sign)
{
    bool ascii = canvas_glyphs(c) == GLYPHS_ASCII;
    double unit = ascii ? fmax(fabs(sin(angle)), 2 * fabs(cos(angle))) : 1;
    double radius = ascii ? k->radius - 4 * unit : k->walk;
    int x = (int)floor((k->x + radius * sin(angle)) / 2);
    int y = (int)floor((k->y - radius * cos(angle)) / 4);
    canvas_put(c, x, y, STYLE_STRONG, sign);
}

/* The key where it stands, an arrow at its owner's token, numbers where copies are. */
static void draw_way(struct canvas *c, const struct circle *k)
{
    static const uint32_t arrow[4] = {0x25B2, 0x25B6, 0x25BC, 0x25C0};
    const struct ring_picture *r = k->r;
    if (r->asks) {
        put_inside(c, k, angle_of(r->asked_at), view_sign(c, 0x25C7, '?'));
    }
    if (!r->lookup) {
        return;
    }
    double from = angle_of(r->key_at), to = angle_of(r->point[r->key_point].at);
    int towards = (int)floor(to / TURN * 4 + 0.5) % 4;
    put_inside(c, k, to, view_sign(c, arrow[towards], (uint32_t) "^>v<"[towards]));
    for (size_t i = 0; i < r->copies; i++) {
        put_inside(c, k, angle_of(r->point[r->copy[i]].at), (uint32_t)('1' + i));
    }
    put_inside(c, k, from, view_sign(c, 0x25C6, '@'));
}

/* The lines of the middle; returns how many. */
static int add_middle(struct str line[3], const struct ring_picture *r, bool words)
{
    const struct movement *m = &r->p.trial->moved;
    bool changed = r->p.changed;
    if (r->copies > 0) {
        str_addf(&line[0], "%zu copies", r->copies);
        ring_add_copies(&line[1], r);
        return 2;
    }
    struct num_text keys = num_grouped((int64_t)(changed ? m->moved : m->keys));
    str_addf(&line[0], "%s%s", keys.text, words || !changed ? " keys" : "");
    str_add(&line[1], words ? "changed owner" : "moved");
    str_addf(&line[2], "%s%%", num_ratio((int64_t)m->moved, (int64_t)m->keys, 1).text);
    return changed ? 3 : 1;
}

/* How much moved, or the copies, in as many words as the middle holds. */
static void draw_middle(struct canvas *c, const struct circle *k)
{
    for (int words = 1; words >= 0; words--) {
        struct str line[3] = {STR_EMPTY, STR_EMPTY, STR_EMPTY};
        int lines = add_middle(line, k->r, words == 1);
        double wide = 0, high = 2.0 * lines;
        for (int i = 0; i < lines; i++) {
            wide = (double)line[i].length > wide ? (double)line[i].length : wide;
        }
        bool fits = k->inside > 0 && k->inside * k->inside > wide * wide + high * high;
        for (int i = 0; i < 3; i++) {
            if (fits && i < lines) {
                canvas_text(c, (k->columns - (int)line[i].length) / 2, (k->rows - lines) / 2 + i,
                            i == 0 ? STYLE_STRONG : STYLE_DIM, str_text(&line[i]));
            }
            str_free(&line[i]);
        }
        if (fits) {
            return;
        }
    }
}

void ring_draw_circle(struct canvas *c, struct rect area, const struct ring_picture *r)
{
    if (area.w < 4 || area.h < 2) {
        return;
    }
    canvas_push(c, area);
    struct circle k = circle_of(r, area.w, area.h);
    for (int y = 0; y < area.h; y++) {
        for (int x = 0; x < area.w; x++) {
            if (canvas_glyphs(c) == GLYPHS_ASCII) {
                draw_letter(c, &k, x, y);
            } else {
                draw_dots(c, &k, x, y);
            }
        }
    }
    if (canvas_glyphs(c) == GLYPHS_UTF8) {
        draw_ticks(c, &k);
    }
    draw_middle(c, &k);
    draw_way(c, &k);
    draw_labels(c, &k);
    free(k.dot);
    free(k.taken);
    canvas_pop(c);
}
