/*
 * ring: the circle of positions, who owns which arc of it, and what changed owner.
 *
 * A point owns the arc that ends at it. The circle takes as much of the pane as it can; the shards
 * stand beside it or below it as lines, with what moved in words, and the lookup. Argument: which
 * placing. Selection: a row of the shards at zoom 0 (its arcs stand out; above the first row none
 * is selected), a point when zoomed in, where a part of the circle is shown as a straight strip.
 */
#include "base/utf8.h"
#include "view/ring_parts.h"

#define SIDE_MIN 18
#define SIDE_BARS 32 /* from here on the lines beside have bars */
#define SIDE_MAX 78
#define CIRCLE_SMALL 26 /* dots of radius below which the lines make room for it */

/* --- what is looked at --------------------------------------------------------------------- */

/* Walks clockwise as the copies do: over tokens of shards, and zones, that have one. */
static void find_copies(struct ring_picture *r, uint64_t hash)
{
    const struct page_placing *page = r->p.page;
    uint8_t zone[RING_ZONES_MAX] = {0};
    uint32_t found[RING_COPIES_MAX];
    uint32_t wanted = page->copies < RING_COPIES_MAX ? page->copies : RING_COPIES_MAX;
    bool zones = ring_zones(r, zone);
    if (page->hidden || wanted == 0) {
        return;
    }
    uint32_t count = layout_ring_replicas(r->p.shown, hash, zones ? zone : NULL, wanted, found);
    size_t at = r->key_point;
    for (size_t steps = 0; r->copies < count && steps < r->points; steps++) {
        if (r->point[at].index == found[r->copies]) {
            r->copy[r->copies++] = r->walk_end = at;
        }
        at = (at + 1) % r->points;
    }
}

static void find_asked(struct ring_picture *r)
{
    const char *asked = r->p.page->asked;
    if (r->p.page->hidden && asked != NULL && asked[0] != '\0') {
        r->asks = true;
        r->asked_at = layout_ring_position(r->p.shown, layout_hash(r->p.shown, bytes_of(asked)));
    }
}

static void find_lookup(struct ring_picture *r)
{
    r->key = placing_lookup(&r->p);
    if (r->key[0] == '\0') {
        return;
    }
    uint64_t hash = layout_hash(r->p.shown, bytes_of(r->key));
    r->lookup = true;
    r->key_at = layout_ring_position(r->p.shown, hash);
    r->key_point = r->walk_end = layout_ring_find(r->p.shown, hash);
    find_copies(r, hash);
}

/* How many arcs are in sight on either side of the selected one. */
static size_t arcs_beside(int zoom)
{
    return zoom == 1 ? 12 : zoom == 2 ? 3 : 0;
}

static void find_window(struct ring_picture *r, int zoom)
{
    size_t beside = arcs_beside(zoom), n = r->points;
    if (2 * beside + 1 >= n) {
        r->from = r->to = r->point[n - 1].at;
        return;
    }
    r->to = r->point[(r->arc + beside) % n].at;
    r->from = r->point[(r->arc + n - beside - 1) % n].at;
}

bool ring_open(struct ring_picture *out, const struct scene *s, const struct view_state *v)
{
    *out = (struct ring_picture){.selected = -1, .key = ""};
    if (!placing_open(&out->p, s, v->argument)) {
        return false;
    }
    out->point = layout_ring(out->p.shown, &out->points);
    if (out->point == NULL || out->points == 0) {
        placing_close(&out->p);
        return false;
    }
    if (out->p.changed) {
        out->was = layout_ring(out->p.trial->before, &out->olds);
        out->was = out->olds > 0 ? out->was : NULL;
    }
    find_asked(out);
    find_lookup(out);
    if (v->zoom > 0) {
        out->arc = v->has_selection ? (size_t)view_clamp(v->selected, 0, (int64_t)out->points - 1)
                   : out->lookup    ? out->key_point
                                    : 0;
        out->selected = (int64_t)placing_row_of(&out->p, ring_point_owner(out, out->arc));
        find_window(out, (int)view_clamp(v->zoom, 1, RING_ZOOM_MAX));
    } else if (v->has_selection) {
        out->selected = view_clamp(v->selected, -1, (int64_t)out->p.rows - 1);
    }
    return true;
}

void ring_close(struct ring_picture *r)
{
    placing_close(&r->p);
}

uint32_t ring_point_owner(const struct ring_picture *r, size_t point)
{
    return layout_shard_id(r->p.shown, r->point[point].index);
}

uint32_t ring_owner(const struct ring_picture *r, uint64_t position)
{
    return ring_point_owner(r, ring_find(r->point, r->points, position));
}

uint32_t ring_owner_before(const struct ring_picture *r, uint64_t position)
{
    if (r->was == NULL) {
        return RING_NONE;
    }
    size_t point = ring_find(r->was, r->olds, position);
    return layout_shard_id(r->p.trial->before, r->was[point].index);
}

uint64_t ring_arc(const struct ring_picture *r, size_t point)
{
    size_t previous = (point + r->points - 1) % r->points;
    return r->points == 1 ? UINT64_MAX : r->point[point].at - r->point[previous].at;
}

/* --- room ---------------------------------------------------------------------------------- */

struct shape {
    struct rect circle, list;
    struct rect foot; /* what moved, the lookup */
};

static bool has_zones(const struct ring_picture *r)
{
    return r->p.page->zones != NULL && r->p.page->zones[0] != '\0';
}

static int rows_for_foot(const struct ring_picture *r, int h)
{
    int rows = r->lookup + (r->p.changed || r->selected >= 0);
    int legend = 1 + has_zones(r);
    return h >= 22 ? rows + 1 + legend : h >= 16 ? rows + legend : h >= 10 ? 1 : 0;
}

static int dots(struct rect circle)
{
    return circle.h * 2 < circle.w ? circle.h * 2 : circle.w;
}

static struct shape shape_below(const struct ring_picture *r, int w, int h)
{
    int foot = rows_for_foot(r, h), list = placing_list_rows(&r->p, w), most = h / 3;
    list = list > most ? most : list;
    struct shape out = {.circle = {0, 0, w, h - foot - list}};
    if (dots(out.circle) < CIRCLE_SMALL && list > 3 && w >= 36) {
        list = (list + 1) / 2;
        out.circle.h = h - foot - list;
    }
    out.list = (struct rect){0, out.circle.h, w, list};
    out.foot = (struct rect){0, out.circle.h + list, w, foot};
    return out;
}

static struct shape shape_beside(const struct ring_picture *r, int w, int h)
{
    int side = w - 2 * h - 6; /* what a circle as high as the pane leaves */
    side = (int)view_clamp(side, SIDE_MIN, SIDE_MAX);
    int left = w - side - 2, list = placing_list_rows(&r->p, side);
    struct shape out = {.circle = {0, 0, left, h}};
    int foot = h >= list + 14 ? 11 : h >= 14 ? (list + 6 > h ? 4 : 6) : h >= 8 ? h - 6 : 0;
    list = list > h - foot ? h - foot : list;
    foot = foot > 0 ? foot - 1 : 0; /* a blank line between */
    int top = h > list + foot + 1 ? (h - list - foot - 1) / 2 : 0;
    out.list = (struct rect){left + 2, top, side, list};
    out.foot = (struct rect){left + 2, top + list + 1, side, foot};
    return out;
}

static struct shape shape_of(const struct ring_picture *r, int w, int h)
{
    struct shape below = shape_below(r, w, h), beside = shape_beside(r, w, h);
    if (w < SIDE_MIN + 10) {
        return below;
    }
    int enough = beside.list.w >= SIDE_BARS ? 100 : 120; /* numbers alone: only for a larger one */
    return dots(beside.circle) * 100 >= dots(below.circle) * enough ? beside : below;
}

/* --- drawing ------------------------------------------------------------------------------- */

static void draw_balance(struct canvas *c, int y, const struct ring_picture *r)
{
    const struct trial *t = r->p.trial;
    struct str text = STR_EMPTY;
    bool wide = canvas_width(c) >= 34;
    str_add(&text, wide ? "busiest over average " : "busy/avg ");
    str_add(&text, placing_over_average(&t->keys_before).text);
    if (r->p.changed) {
        str_add(&text, wide ? ", now " : ">");
        str_add(&text, placing_over_average(&t->keys_after).text);
    }
    view_draw_line(c, y, STYLE_DIM, str_text(&text));
    str_free(&text);
}

static void draw_lookup(struct canvas *c, int y, int rows, const struct ring_picture *r)
{
    struct str text = STR_EMPTY;
    bool utf8 = canvas_glyphs(c) == GLYPHS_UTF8;
    if (r->asks) { /* asked about: where it stands is all there is to say */
        str_add(&text, utf8 ? "◇ " : "? ");
        view_add_key(&text, bytes_of(r->p.page->asked));
        str_add(&text, "  ");
    }
    str_add(&text, utf8 ? "◆ " : "@ ");
    ring_add_lookup(&text, r, false);
    if (utf8_columns(str_text(&text), text.length) > rows * canvas_width(c)) {
        str_clear(&text);
        view_add_key(&text, bytes_of(r->key));
        str_addf(&text, ": S%u", (unsigned)layout_owner(r->p.shown, bytes_of(r->key)));
    }
    view_draw_wrapped(c, y, rows, STYLE_STRONG, str_text(&text));
    str_free(&text);
}

/* Lines that a text takes at a width. */
static int wrapped_rows(const char *text, int columns)
{
    struct str lines = STR_EMPTY;
    int rows = 0;
    view_add_wrapped(&lines, text, columns, 0);
    for (size_t i = 0; i < lines.length; i++) {
        rows += str_text(&lines)[i] == '\n';
    }
    str_free(&lines);
    return rows;
}

/* Zones, and what the signs are: from the bottom up, as far as they fit whole. Returns the lines
 * taken. */
static int draw_legend(struct canvas *c, int height, int most, const struct ring_picture *r)
{
    struct str text[2] = {STR_EMPTY, STR_EMPTY};
    int taken = 0;
    ring_add_legend(&text[0], r, canvas_glyphs(c) == GLYPHS_UTF8);
    if (has_zones(r)) {
        ring_add_zones(&text[1], r);
    }
    int zones = wrapped_rows(str_text(&text[1]), canvas_width(c));
    for (int i = 0; i < 2; i++) {
        int rows = wrapped_rows(str_text(&text[i]), canvas_width(c));
        int kept = i == 0 ? zones : 0; /* these are part of what is asked */
        if (rows > 0 && taken + rows + kept <= most) {
            taken += rows;
            view_draw_wrapped(c, height - taken, rows, i == 0 ? STYLE_DIM : STYLE_TEXT,
                              str_text(&text[i]));
        }
        str_free(&text[i]);
    }
    return taken;
}

/* Below all the legend; the lookup keeps the last line above it; what is selected or what moved has
 * the others, and where a line is left over it says how even the shards are. */
static void draw_foot(struct canvas *c, struct rect area, const struct ring_picture *r)
{
    struct str text = STR_EMPTY;
    bool words = r->selected >= 0 || r->p.changed;
    int lookup = r->lookup && (area.h > 1 || !words) ? 1 : 0, y = 0;
    canvas_push(c, area);
    area.h -= draw_legend(c, area.h, area.h - lookup - words, r);
    int rows = area.h - lookup;
    if (rows > (words ? 1 : 0) && r->selected < 0) {
        draw_balance(c, y++, r);
        rows--;
    }
    if (r->selected >= 0) {
        ring_add_shard(&text, r, (size_t)r->selected);
        view_draw_wrapped(c, y, rows, STYLE_TEXT, str_text(&text));
    } else if (r->p.changed) {
        placing_draw_moves(c, y, rows, &r->p);
    }
    if (lookup > 0) {
        draw_lookup(c, area.h - lookup, lookup, r);
    }
    canvas_pop(c);
    str_free(&text);
}

static void draw(struct canvas *c, const struct scene *s, const struct view_state *v, bool focused)
{
    int w = canvas_width(c), h = canvas_height(c);
    struct ring_picture r;
    if (!ring_open(&r, s, v)) {
        struct placing p;
        struct str text = STR_EMPTY;
        if (placing_open(&p, s, v->argument)) {
            placing_add_elsewhere(&text, &p, "ring");
            placing_close(&p);
        } else {
            str_add(&text, placing_none());
        }
        view_draw_note(c, str_text(&text));
        str_free(&text);
        return;
    }
    if (v->zoom > 0) {
        ring_draw_strip(c, (struct rect){0, 0, w, h}, &r, focused);
    } else {
        struct shape shape = shape_of(&r, w, h);
        ring_draw_circle(c, shape.circle, &r);
        placing_draw_list(c, shape.list, &r.p, r.selected, focused);
        draw_foot(c, shape.foot, &r);
    }
    ring_close(&r);
}

/* --- verbs --------------------------------------------------------------------------------- */

/* The longest arc of a shard, one that changed owner first. */
static size_t best_arc(const struct ring_picture *r, uint32_t id)
{
    size_t best = 0;
    uint64_t most = 0;
    bool best_changed = false;
    for (size_t i = 0; i < r->points; i++) {
        if (ring_point_owner(r, i) != id) {
            continue;
        }
        uint32_t was = ring_owner_before(r, r->point[i].at);
        bool changed = was != RING_NONE && was != id;
        uint64_t arc = ring_arc(r, i);
        if (most == 0 || changed > best_changed || (changed == best_changed && arc > most)) {
            best = i;
            most = arc > 0 ? arc : 1;
            best_changed = changed;
        }
    }
    return best;
}

static bool move_zoom(struct view_state *v, const struct ring_picture *r, int by)
{
    int zoom = (int)view_clamp(v->zoom, 0, RING_ZOOM_MAX);
    int to = (int)view_clamp(zoom + by, 0, RING_ZOOM_MAX);
    /* Levels that show the whole circle again are passed over. */
    while (to > 1 && to < RING_ZOOM_MAX && 2 * arcs_beside(to) + 1 >= r->points) {
        to += by;
    }
    if (to == zoom) {
        return false;
    }
    if (zoom == 0) {
        bool shard = r->selected >= 0;
        v->selected = (int64_t)(shard       ? best_arc(r, r->p.row[r->selected].id)
                                : r->lookup ? r->key_point
                                            : best_arc(r, ring_point_owner(r, 0)));
        v->has_selection = true;
    } else if (to == 0) {
        v->selected = r->selected;
    }
    v->zoom = to;
    return true;
}

/* The next arc of the same shard, clockwise or against. */
static int64_t same_owner(const struct ring_picture *r, int by)
{
    uint32_t id = ring_point_owner(r, r->arc);
    size_t n = r->points, at = r->arc;
    do {
        at = (at + n + (size_t)(by + (int64_t)n)) % n;
    } while (ring_point_owner(r, at) != id);
    return (int64_t)at;
}

static bool move_arc(struct view_state *v, const struct ring_picture *r, enum verb verb)
{
    int64_t n = (int64_t)r->points, at = (int64_t)r->arc, was = at;
    switch (verb) {
    case VERB_LEFT:
        at = (at + n - 1) % n;
        break;
    case VERB_RIGHT:
        at = (at + 1) % n;
        break;
    case VERB_UP:
        at = same_owner(r, -1);
        break;
    case VERB_DOWN:
        at = same_owner(r, 1);
        break;
    case VERB_PAGE_UP:
        at = view_clamp(at - 10, 0, n - 1);
        break;
    case VERB_PAGE_DOWN:
        at = view_clamp(at + 10, 0, n - 1);
        break;
    case VERB_FIRST:
        at = 0;
        break;
    case VERB_LAST:
        at = n - 1;
        break;
    case VERB_NONE:
    case VERB_ZOOM_IN:
    case VERB_ZOOM_OUT:
        return false;
    }
    v->has_selection = true;
    v->selected = at;
    return at != was;
}

static bool move_row(struct view_state *v, const struct ring_picture *r, enum verb verb)
{
    verb = verb == VERB_LEFT ? VERB_UP : verb == VERB_RIGHT ? VERB_DOWN : verb;
    int64_t at = r->selected + 1; /* 0: none */
    if (!view_list_move(&at, (int64_t)r->p.rows + 1, verb, 10)) {
        return false;
    }
    v->selected = at - 1;
    v->has_selection = at > 0;
    return true;
}

static bool move(struct view_state *v, const struct scene *s, enum verb verb, int w, int h)
{
    struct ring_picture r;
    if (w < 1 || h < 1 || !ring_open(&r, s, v)) {
        return false;
    }
    bool changed;
    if (verb == VERB_ZOOM_IN || verb == VERB_ZOOM_OUT) {
        changed = move_zoom(v, &r, verb == VERB_ZOOM_IN ? 1 : -1);
    } else {
        changed = v->zoom > 0 ? move_arc(v, &r, verb) : move_row(v, &r, verb);
    }
    ring_close(&r);
    return changed;
}

static struct subject subject(const struct view_state *v, const struct scene *s)
{
    (void)v;
    (void)s;
    return (struct subject){.kind = SUBJECT_NONE}; /* a trial's shards are in no world */
}

const struct view view_ring = {
    .name = "ring",
    .title = "Ring",
    .min_rows = 8,
    .want_rows = 40,
    .draw = draw,
    .move = move,
    .tell = ring_tell,
    .subject = subject,
};
