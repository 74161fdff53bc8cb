/*
 * fleet: the routers as a fleet, zone by zone: what each serves of what it can, and which map it
 * knows.
 *
 * A bar a router: what it took in the last whole second against its capacity, a line; a dotted line
 * stands at four fifths of it, which a router should not pass, so that a burst fits. What is beyond
 * the capacity was refused by the router itself. What share that is stands there as long as the
 * page asks nothing. Beside it the version of the map that it knows, an
 * old one marked. A zone's line has its name, and whether it is down. Below: what the fleet takes
 * in all, and how far the news of the newest map has come. Selection: a router.
 */
#include "engine/fleet/fleet.h"
#include "view/across.h"
#include "view/moving.h"

#define MIN_ROWS 8
#define WIDE 70
#define TOLD 64

struct crew {
    const struct world *w;
    struct fleet_info i;
    uint32_t routers, zones, rate; /* rate: of all */
    bool asking;                   /* the page's question is open */
    uint32_t most;                 /* of one router, or its capacity */
};

static bool crew_open(struct crew *out, const struct scene *s)
{
    *out = (struct crew){.w = s->world, .asking = view_question_open(s)};
    if (s->world == NULL) {
        return false;
    }
    out->i = world_fleet(s->world);
    out->routers = world_config_of(s->world)->routers;
    out->zones = world_config_of(s->world)->zones;
    out->most = out->i.capacity + out->i.capacity / 4;
    for (uint32_t i = 0; i < out->routers; i++) {
        uint32_t rate = world_fleet_router(s->world, (uint16_t)i).rate;
        out->rate += rate;
        out->most = rate > out->most ? rate : out->most;
    }
    return true;
}

static uint32_t zone_of(const struct crew *x, uint32_t router)
{
    return world_zone(x->w, (struct node){NODE_ROUTER, (uint16_t)router});
}

static bool zone_down(const struct crew *x, uint32_t zone)
{
    return (x->i.zones_down >> zone & 1u) != 0;
}

/* --- words --------------------------------------------------------------------------------- */

static void add_headline(struct str *out, const struct crew *x)
{
    str_addf(out, "%s/s, ", num_grouped(x->rate).text);
    str_addf(out, "%u router%s ", (unsigned)x->i.up, view_plural(x->i.up));
    if (x->i.capacity > 0) {
        int64_t all = (int64_t)x->i.capacity * x->i.up;
        str_addf(out, "can serve %s", num_grouped(all).text);
    } else {
        str_add(out, "without a limit");
    }
}

static enum style headline_style(const struct crew *x)
{
    uint64_t all = (uint64_t)x->i.capacity * x->i.up;
    return x->i.capacity > 0 && x->rate > all ? STYLE_BAD : STYLE_STRONG;
}

static enum style add_news(struct str *out, const struct crew *x, bool brief)
{
    bool all = x->i.knowing == x->i.routers;
    if (all) {
        str_addf(out, "all %u know map v%u", (unsigned)x->i.routers, (unsigned)x->i.newest);
    } else {
        str_addf(out, "%u of %u know map v%u", (unsigned)x->i.knowing, (unsigned)x->i.routers,
                 (unsigned)x->i.newest);
    }
    if (x->i.gossip_us > 0) {
        str_add(out, brief ? "; gossip " : "; each tells one other once in ");
        moving_add_time(out, x->i.gossip_us);
        str_addf(out, ": %s", num_grouped((int64_t)x->i.told).text);
        str_addf(out, " told, %s news", num_grouped((int64_t)x->i.news).text);
    }
    return all ? STYLE_GOOD : STYLE_WARN;
}

static enum style add_refused(struct str *out, const struct crew *x)
{
    if (x->i.capacity == 0) {
        str_add(out, "no router refuses anything: capacity is not set");
        return STYLE_DIM;
    }
    if (x->i.refused == 0) {
        str_add(out, "no router has refused anything");
        return STYLE_GOOD;
    }
    str_addf(out, "refused by routers so far: %s", num_grouped((int64_t)x->i.refused).text);
    return STYLE_BAD;
}

static void add_router_words(struct str *out, const struct crew *x, uint16_t router)
{
    struct fleet_router_info info = world_fleet_router(x->w, router);
    struct router_info r = world_router(x->w, router);
    str_addf(out, "R%u, ", (unsigned)router);
    across_add_zone(out, zone_of(x, router));
    if (r.down) {
        str_add(out, ": down");
    } else {
        str_addf(out, ": %s/s", num_grouped(info.rate).text);
        if (x->i.capacity > 0 && !x->asking) {
            str_addf(out, ", %s%% of what it can", num_ratio(info.rate, x->i.capacity, 0).text);
        }
    }
    if (x->i.capacity > 0) {
        str_addf(out, ", %s served", num_grouped((int64_t)info.taken).text);
        str_addf(out, " and %s refused so far", num_grouped((int64_t)info.refused).text);
    }
    str_addf(out, ", map v%u%s", (unsigned)r.map_version,
             r.map_version < x->i.newest ? ", old" : "");
}

/* --- drawing ------------------------------------------------------------------------------- */

struct plan {
    int lines;   /* of routers and zones */
    bool headed; /* zones have a line of their own */
    int row0, rows, foot;
    int bar, columns;       /* column of the bars, and their columns */
    int rate, percent, map; /* ends of the columns on the right; 0: none */
};

/* What stands on a line: a zone, or a router. */
struct line {
    bool zone;
    uint32_t index;
};

static struct line line_at(const struct crew *x, const struct plan *p, int at)
{
    for (uint32_t zone = 0; zone < x->zones; zone++) {
        bool any = false;
        for (uint32_t i = 0; i < x->routers; i++) {
            if (zone_of(x, i) != zone) {
                continue;
            }
            if (p->headed && !any && at-- == 0) {
                return (struct line){.zone = true, .index = zone};
            }
            any = true;
            if (at-- == 0) {
                return (struct line){.index = i};
            }
        }
    }
    return (struct line){.zone = true, .index = 0};
}

static uint32_t zones_with_routers(const struct crew *x)
{
    uint32_t count = 0;
    for (uint32_t zone = 0; zone < x->zones; zone++) {
        bool any = false;
        for (uint32_t i = 0; i < x->routers && !any; i++) {
            any = zone_of(x, i) == zone;
        }
        count += any;
    }
    return count;
}

static struct plan plan_of(const struct crew *x, int w, int h)
{
    struct plan p = {.row0 = 1};
    int foot = h >= 14 ? 4 : h >= 9 ? 2 : h >= 6 ? 1 : 0;
    int zones = (int)zones_with_routers(x);
    p.headed = h >= 1 + foot + (int)x->routers + zones;
    p.lines = (int)x->routers + (p.headed ? zones : 0);
    p.rows = h - p.row0 - foot;
    p.rows = p.rows > p.lines ? p.lines : p.rows < 1 ? 1 : p.rows;
    p.foot = p.row0 + p.rows;
    p.foot += h - p.foot > foot;
    p.bar = p.headed ? 5 : 6;
    p.map = w;
    int maps = w >= WIDE ? 10 : 5;
    p.percent = x->i.capacity > 0 ? w - maps : 0;
    p.rate = w - maps - (p.percent > 0 ? 6 : 0);
    p.columns = p.rate - 7 - p.bar;
    p.columns = p.columns < 4 ? 4 : p.columns;
    return p;
}

static int scaled(const struct crew *x, const struct plan *p, uint32_t rate)
{
    return x->most > 0 ? (int)((uint64_t)rate * (uint64_t)p->columns * 8 / x->most) : 0;
}

static void draw_bar(struct canvas *c, int y, const struct crew *x, const struct plan *p,
                     uint32_t rate)
{
    uint32_t capacity = x->i.capacity;
    int whole = scaled(x, p, rate), full = scaled(x, p, capacity);
    enum style style =
        capacity > 0 && (uint64_t)rate * 5 > (uint64_t)capacity * 4 ? STYLE_WARN : STYLE_GOOD;
    canvas_bar(c, p->bar, y, whole, style);
    if (capacity == 0) {
        return;
    }
    if (rate > capacity) { /* what is refused */
        for (int i = full / 8; i < (whole + 7) / 8; i++) {
            canvas_put(c, p->bar + i, y, STYLE_BAD, view_sign(c, 0x2592, '!'));
        }
    }
    int limit = p->bar + full / 8, share = p->bar + scaled(x, p, capacity) * 4 / 5 / 8;
    if (share < limit) {
        canvas_put(c, share, y, STYLE_WARN, view_sign(c, 0x250A, ':'));
    }
    if (rate <= capacity && limit < p->bar + p->columns) {
        canvas_put(c, limit, y, STYLE_LIMIT, view_sign(c, 0x2503, '|'));
    }
}

static void draw_router(struct canvas *c, int y, const struct crew *x, const struct plan *p,
                        uint16_t router)
{
    struct router_info info = world_router(x->w, router);
    uint32_t rate = world_fleet_router(x->w, router).rate;
    bool old = info.map_version < x->i.newest;
    struct str text = STR_EMPTY;
    int left = p->headed ? 1 : 0;
    if (!p->headed) {
        canvas_textf(c, 0, y, STYLE_DIM, "%c", 'a' + zone_of(x, router) % 26);
        left = 2;
    }
    canvas_textf(c, left, y, info.down ? STYLE_DIM : STYLE_STRONG, "R%u", (unsigned)router);
    if (info.down) {
        for (int i = 0; i < p->columns; i++) {
            canvas_put(c, p->bar + i, y, STYLE_DIM, view_sign(c, 0x2504, '.'));
        }
        canvas_text(c, p->bar + 1, y, STYLE_BAD, " down ");
    } else {
        draw_bar(c, y, x, p, rate);
        canvas_text_right(c, p->rate, y, STYLE_TEXT, num_grouped(rate).text);
        if (p->percent > 0 && !x->asking) {
            str_addf(&text, "%s%%", num_ratio(rate, x->i.capacity, 0).text);
            canvas_text_right(c, p->percent, y, rate > x->i.capacity ? STYLE_BAD : STYLE_DIM,
                              str_text(&text));
        }
    }
    str_clear(&text);
    str_addf(&text, "v%u%s", (unsigned)info.map_version,
             !old                      ? ""
             : canvas_width(c) >= WIDE ? " old"
                                       : "!");
    canvas_text(c, p->map - (canvas_width(c) >= WIDE ? 8 : 4), y, old ? STYLE_WARN : STYLE_DIM,
                str_text(&text));
    str_free(&text);
}

static void draw_zone(struct canvas *c, int y, const struct crew *x, const struct plan *p,
                      uint32_t zone)
{
    struct str text = STR_EMPTY;
    uint32_t rate = 0;
    for (uint32_t i = 0; i < x->routers; i++) {
        rate += zone_of(x, i) == zone ? world_fleet_router(x->w, (uint16_t)i).rate : 0;
    }
    across_add_zone(&text, zone);
    bool down = zone_down(x, zone);
    int at = canvas_text(c, 0, y, down ? STYLE_BAD : STYLE_STRONG, str_text(&text));
    if (down) {
        canvas_text(c, at + 1, y, STYLE_BAD, "DOWN");
    } else {
        canvas_text_right(c, p->rate, y, STYLE_DIM, num_grouped(rate).text);
    }
    str_free(&text);
}

static void draw_foot(struct canvas *c, const struct plan *p, const struct crew *x,
                      const struct view_state *v)
{
    static const struct mark marks[] = {{0x250A, ':', STYLE_WARN, "80% of what one can serve"},
                                        {0x2503, '|', STYLE_LIMIT, "all of it"},
                                        {0x2592, '!', STYLE_BAD, "refused"},
                                        {'!', '!', STYLE_WARN, "old map"}};
    struct str text = STR_EMPTY;
    int h = canvas_height(c), y = p->foot;
    bool wide = canvas_width(c) >= WIDE, limit = x->i.capacity > 0;
    if (v->has_selection) {
        add_router_words(&text, x, (uint16_t)across_selected(v, x->routers));
        y += across_flow(c, y, h - y < 4 ? 1 : 3, STYLE_TEXT, &text);
        str_clear(&text);
    }
    if (p->rows < p->lines) {
        str_addf(&text, "%d more; ", p->lines - p->rows);
    }
    enum style style = add_news(&text, x, !wide);
    y += across_flow(c, y, h - y < 3 ? 1 : 2, style, &text);
    str_clear(&text);
    style = add_refused(&text, x);
    y += across_flow(c, y, h - y < 3 ? 1 : 2, style, &text);
    if (y < h && (limit || x->i.knowing < x->i.routers)) {
        bool there[4] = {limit, limit, limit && x->i.refused > 0,
                         x->i.knowing < x->i.routers && !wide};
        struct mark met[4];
        y += across_draw_key(c, y, h - y, met, across_marks_of(marks, there, 4, met));
    }
    str_clear(&text);
    for (uint32_t i = 0; i < x->routers && limit && !x->asking; i++) {
        add_router_words(&text, x, (uint16_t)i);
        str_addc(&text, '\n');
    }
    across_draw_lines(c, y + 1, &text);
    str_free(&text);
}

static void draw_crew(struct canvas *c, const struct crew *x, const struct view_state *v,
                      bool focused)
{
    struct plan p = plan_of(x, canvas_width(c), canvas_height(c));
    struct str text = STR_EMPTY;
    add_headline(&text, x);
    view_draw_line(c, 0, headline_style(x), str_text(&text));
    str_free(&text);
    int64_t selected = across_selected(v, x->routers);
    int64_t at = 0;
    for (int i = 0; i < p.lines; i++) {
        struct line line = line_at(x, &p, i);
        at = !line.zone && line.index == selected ? i : at;
    }
    int64_t first = view_list_first(0, v->has_selection ? at : 0, p.lines, p.rows);
    for (int i = 0; i < p.rows && first + i < p.lines; i++) {
        struct line line = line_at(x, &p, (int)first + i);
        int y = p.row0 + i;
        if (line.zone) {
            draw_zone(c, y, x, &p, line.index);
        } else {
            draw_router(c, y, x, &p, (uint16_t)line.index);
        }
        if (first + i == at && (focused || v->has_selection)) {
            across_draw_selected(c, y, 4, focused);
        }
    }
    draw_foot(c, &p, x, v);
}

static void draw(struct canvas *c, const struct scene *s, const struct view_state *v, bool focused)
{
    struct crew x;
    if (canvas_width(c) < 1 || canvas_height(c) < 1) {
        return;
    }
    if (crew_open(&x, s)) {
        draw_crew(c, &x, v, focused);
    } else {
        view_draw_note(c, "there is no cluster here");
    }
}

static int wants(const struct scene *s, const struct view_state *v)
{
    struct crew x;
    (void)v;
    return crew_open(&x, s)
               ? (int)view_clamp((int64_t)x.routers + zones_with_routers(&x) + 5, MIN_ROWS, 20)
               : 3;
}

static bool move(struct view_state *v, const struct scene *s, enum verb verb, int w, int h)
{
    struct crew x;
    if (w < 1 || h < 1 || !crew_open(&x, s)) {
        return false;
    }
    return across_move(v, x.routers, verb, plan_of(&x, w, h).rows);
}

static struct subject subject(const struct view_state *v, const struct scene *s)
{
    struct crew x;
    if (!crew_open(&x, s) || x.routers == 0) {
        return (struct subject){.kind = SUBJECT_NONE};
    }
    return (struct subject){.kind = SUBJECT_ROUTER, .id = (uint64_t)across_selected(v, x.routers)};
}

static void tell(struct str *out, const struct scene *s, const struct view_state *v)
{
    struct crew x;
    struct str line = STR_EMPTY;
    (void)v;
    if (!crew_open(&x, s)) {
        across_tell(out, "There is no cluster here.");
        return;
    }
    str_add(&line, "The routers take ");
    add_headline(&line, &x);
    str_add(&line, "; ");
    (void)add_news(&line, &x, false);
    str_add(&line, "; ");
    (void)add_refused(&line, &x);
    str_addc(&line, '.');
    across_tell(out, str_text(&line));
    for (uint32_t zone = 0; zone < x.zones; zone++) {
        if (zone_down(&x, zone)) {
            str_clear(&line);
            across_add_zone(&line, zone);
            str_add(&line, " is down");
            across_tell_note(out, str_text(&line));
        }
    }
    for (uint32_t i = 0; i < x.routers && i < TOLD; i++) {
        str_clear(&line);
        add_router_words(&line, &x, (uint16_t)i);
        across_tell_note(out, str_text(&line));
    }
    str_free(&line);
}

const struct view view_fleet = {
    .name = "fleet",
    .title = "The routers as a fleet",
    .min_rows = MIN_ROWS,
    .want_rows = 18,
    .wants = wants,
    .draw = draw,
    .move = move,
    .tell = tell,
    .subject = subject,
};
