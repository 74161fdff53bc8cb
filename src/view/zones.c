/*
 * zones: which answers of a query cross from one zone into another, how many bytes that is, and
 * what a provider bills for it.
 *
 * A box a zone, with its shards; the zone of the router that asked last has the router, where the
 * answers come together. An answer from the same zone is a thin line, one that crosses is a heavy
 * line from box to box. Below: how many cross, bytes a second of the last whole second, and dollars
 * for 30 days of such seconds; while the page's question is open only how many answers there are.
 * Argument: the query's name; without one the query that was asked
 * last. Where rows are few the boxes are lines.
 */
#include "view/across.h"
#include "view/moving.h"

#define MIN_ROWS 8
#define BOX_ROWS 3
#define FOOT_ROWS 4
#define NAMED 24 /* shards of a zone by their names */

struct zoned {
    struct gathered g;
    bool asking; /* the page's question is open */
    uint32_t zones;
    uint32_t home; /* of the router */
    uint32_t shards[ZONES_MAX];
    uint32_t sends[ZONES_MAX]; /* of them, those whose answer is here or will come */
    uint32_t sent, crossing;   /* in all; of them, those from another zone */
};

static bool zoned_open(struct zoned *out, const struct scene *s, const struct view_state *v)
{
    *out = (struct zoned){.asking = view_question_open(s)};
    gathered_open(&out->g, s, across_argument(v));
    if (!out->g.ran) {
        return false;
    }
    const struct gathered *g = &out->g;
    out->zones = world_config_of(g->w)->zones;
    out->home = world_zone(g->w, (struct node){NODE_ROUTER, g->run.router});
    for (uint32_t i = 0; i < g->run.parts; i++) {
        const struct query_part_info *part = &g->run.part[i];
        uint32_t zone = world_zone(g->w, (struct node){NODE_SHARD, part->shard});
        bool sends = !gathered_missing(g, part);
        out->shards[zone]++;
        out->sends[zone] += sends;
        out->sent += sends;
        out->crossing += sends && (part->heard_us >= 0 ? part->crossing : zone != out->home);
    }
    return true;
}

/* --- words --------------------------------------------------------------------------------- */

/* "S0 S4 S8" of a zone, as many as there is room for */
static void add_shards(struct str *out, const struct zoned *z, uint32_t zone, int room)
{
    uint32_t added = 0;
    struct str name = STR_EMPTY;
    for (uint32_t i = 0; i < z->g.run.parts; i++) {
        uint16_t shard = z->g.run.part[i].shard;
        if (world_zone(z->g.w, (struct node){NODE_SHARD, shard}) != zone) {
            continue;
        }
        uint32_t left = z->shards[zone] - added;
        str_clear(&name);
        str_addf(&name, "%sS%u", added > 0 ? " " : "", (unsigned)shard);
        int taken = (int)(out->length + name.length) + (left > 1 ? 4 : 0); /* " +12" */
        if (added >= NAMED || taken > room) {
            str_addf(out, "%s+%u", added > 0 ? " " : "", (unsigned)left);
            break;
        }
        str_add(out, str_text(&name));
        added++;
    }
    str_free(&name);
}

static void add_one(struct str *out, const struct zoned *z)
{
    const struct gathered *g = &z->g;
    if (z->asking) {
        str_addf(out, "%u answers", (unsigned)z->sent);
        if (g->q.bytes > 0) {
            str_add(out, ", each of ");
            moving_add_bytes(out, g->q.bytes);
        }
        return;
    }
    str_addf(out, "%u of %u answers cross a zone", (unsigned)z->crossing, (unsigned)z->sent);
    if (g->q.bytes > 0) {
        str_add(out, ": ");
        moving_add_bytes(out, (uint64_t)z->crossing * g->q.bytes);
    }
}

static void add_asker(struct str *out, const struct zoned *z)
{
    const struct gathered *g = &z->g;
    view_add_key(out, bytes_of(g->q.name));
    if (g->q.period_us > 0) {
        str_add(out, ", once in ");
        moving_add_time(out, g->q.period_us);
    } else {
        str_add(out, ", asked");
    }
    str_addf(out, g->q.period_us > 0 ? " by R%u, " : " by R%u in ", (unsigned)g->run.router);
    across_add_zone(out, z->home);
}

static void add_all(struct str *out, const struct zoned *z)
{
    const struct query_info *q = &z->g.q;
    str_addf(out, "so far %s", num_grouped((int64_t)q->crossings).text);
    str_addf(out, " of %s crossed", num_grouped((int64_t)q->answers).text);
    if (q->crossed_bytes > 0) {
        str_add(out, ", ");
        moving_add_bytes(out, q->crossed_bytes);
    }
}

static void add_rate(struct str *out, const struct zoned *z)
{
    uint64_t bytes = world_query_crossing(z->g.w, z->g.index);
    if (bytes == 0) {
        str_add(out, "nothing crossed in the last second");
        return;
    }
    str_add(out, "last second: ");
    moving_add_bytes(out, bytes);
    str_add(out, " crossed");
}

static void add_bill(struct str *out, const struct zoned *z)
{
    across_add_dollars(out, world_query_cents(world_query_crossing(z->g.w, z->g.index)));
    str_add(out, " in 30 days of that");
}

/* --- drawing ------------------------------------------------------------------------------- */

struct plan {
    bool boxes;
    int top, step;        /* line of the first zone, lines from one to the next */
    int box, home, trunk; /* columns: the width of a box, of the router's, where lines meet */
    int router;           /* column of the router */
    int foot;             /* line of the first line of words */
};

static struct plan plan_of(const struct zoned *z, int w, int h)
{
    struct plan p = {0};
    int zones = (int)z->zones;
    p.boxes = h >= zones * BOX_ROWS + FOOT_ROWS;
    p.step = p.boxes ? BOX_ROWS : 1;
    p.top = p.boxes && h >= zones * BOX_ROWS + FOOT_ROWS + 2 ? 2 : h >= zones + 3 ? 1 : 0;
    int spare = h - p.top - zones * BOX_ROWS - FOOT_ROWS - 1;
    if (p.boxes && spare >= zones - 1) {
        p.step++; /* a line of air */
    }
    p.foot = p.top + p.step * zones + (p.boxes && p.step == BOX_ROWS && spare >= 0);
    w = w > 96 ? 96 : w;
    p.box = w * 2 / 5;
    p.trunk = p.boxes ? w * 3 / 5 : w - 13;
    p.home = w - 1;
    p.router = w * 3 / 5 - 1;
    return p;
}

static int zone_line(const struct plan *p, uint32_t zone)
{
    return p->top + p->step * (int)zone + (p->boxes ? 1 : 0);
}

static void draw_box(struct canvas *c, const struct plan *p, const struct zoned *z, uint32_t zone)
{
    bool home = zone == z->home;
    int y = zone_line(p, zone);
    struct str text = STR_EMPTY;
    across_add_zone(&text, zone);
    if (p->boxes) {
        canvas_box(c, (struct rect){0, y - 1, home ? p->home : p->box, BOX_ROWS},
                   home ? LINE_HEAVY : LINE_LIGHT, home ? STYLE_STRONG : STYLE_DIM);
        canvas_textf(c, 2, y - 1, home ? STYLE_STRONG : STYLE_DIM, " %s ", str_text(&text));
    } else {
        canvas_text(c, 0, y, home ? STYLE_STRONG : STYLE_DIM, str_text(&text));
    }
    str_clear(&text);
    add_shards(&text, z, zone, p->box - (p->boxes ? 4 : 9));
    int x = p->boxes ? 2 : 8;
    canvas_text_fit(c, x, y, p->box - x - 1, z->shards[zone] > 0 ? STYLE_TEXT : STYLE_DIM,
                    z->shards[zone] > 0 ? str_text(&text) : "no shard");
    if (home) {
        str_clear(&text);
        str_addf(&text, "R%u", (unsigned)z->g.run.router);
        canvas_text(c, p->trunk + (p->boxes ? 1 : 3), y, STYLE_STRONG, str_text(&text));
    }
    str_free(&text);
}

/* "2 x 20 KB", right of the line of a zone */
static void draw_weight(struct canvas *c, int x, int y, const struct zoned *z, uint32_t zone)
{
    struct str text = STR_EMPTY;
    str_addf(&text, "%u", (unsigned)z->sends[zone]);
    if (z->g.q.bytes > 0) {
        str_addf(&text, canvas_glyphs(c) == GLYPHS_UTF8 ? " \u00D7 " : " x ");
        moving_add_bytes(&text, z->g.q.bytes);
    }
    canvas_text_fit(c, x, y, canvas_width(c) - x, STYLE_WARN, str_text(&text));
    str_free(&text);
}

/* From a zone's box into the line that leads to the router. */
static void draw_way(struct canvas *c, const struct plan *p, const struct zoned *z, uint32_t zone)
{
    int y = zone_line(p, zone), home = zone_line(p, z->home);
    int from = p->boxes ? p->box : p->box + 1;
    if (z->sends[zone] == 0) {
        return;
    }
    if (zone == z->home) {
        int x = p->boxes ? p->box - 1 : from, end = p->boxes ? p->trunk : p->trunk + 1;
        canvas_hline(c, x, y, end - x, LINE_LIGHT, STYLE_GOOD);
        if (p->boxes) {
            canvas_put(c, end - 1, y, STYLE_GOOD, view_sign(c, 0x25B6, '>'));
        }
        return;
    }
    int low = y < home ? y : home, high = y < home ? home : y;
    if (p->boxes) { /* to the edge of the router's box */
        low = y < home ? y : home + 2;
        high = y < home ? home - 2 : y;
    }
    canvas_hline(c, from, y, p->trunk - from + 1, LINE_HEAVY, STYLE_WARN);
    canvas_vline(c, p->trunk, low, high - low + 1, LINE_HEAVY, STYLE_WARN);
    draw_weight(c, p->trunk + 2, y, z, zone);
}

static void draw_heads(struct canvas *c, const struct plan *p, const struct zoned *z)
{
    int home = zone_line(p, z->home), edge = p->boxes ? 1 : 0;
    bool above = false, below = false;
    for (uint32_t zone = 0; zone < z->zones; zone++) {
        above = above || (zone < z->home && z->sends[zone] > 0);
        below = below || (zone > z->home && z->sends[zone] > 0);
    }
    if (edge == 0) {
        canvas_put(c, p->trunk + 1, home, STYLE_STRONG, view_sign(c, 0x25B6, '>'));
        return;
    }
    if (above) {
        canvas_put(c, p->trunk, home - edge, STYLE_WARN, view_sign(c, 0x25BC, 'v'));
    }
    if (below) {
        canvas_put(c, p->trunk, home + edge, STYLE_WARN, view_sign(c, 0x25B2, '^'));
    }
}

static void draw_words(struct canvas *c, const struct plan *p, const struct zoned *z)
{
    struct str text = STR_EMPTY;
    int h = canvas_height(c), y = p->foot;
    bool crosses = z->crossing > 0;
    if (p->top > 0) {
        add_asker(&text, z);
        view_draw_line(c, 0, STYLE_STRONG, str_text(&text));
    }
    void (*const lines[])(struct str *, const struct zoned *) = {add_one, add_rate, add_bill,
                                                                 add_all};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0] && y < h; i++) {
        if (z->asking && i > 0) {
            break;
        }
        bool bill = lines[i] == add_bill;
        if (bill && world_query_crossing(z->g.w, z->g.index) == 0) {
            continue;
        }
        str_clear(&text);
        lines[i](&text, z);
        view_draw_line(c, y++,
                       bill        ? STYLE_STRONG
                       : i > 0     ? STYLE_DIM
                       : z->asking ? STYLE_TEXT
                       : crosses   ? STYLE_WARN
                                   : STYLE_GOOD,
                       str_text(&text));
    }
    str_free(&text);
}

static void draw_map(struct canvas *c, const struct zoned *z)
{
    struct plan p = plan_of(z, canvas_width(c), canvas_height(c));
    for (uint32_t zone = 0; zone < z->zones; zone++) {
        draw_box(c, &p, z, zone);
    }
    for (uint32_t zone = 0; zone < z->zones; zone++) {
        draw_way(c, &p, z, zone);
    }
    draw_heads(c, &p, z);
    draw_words(c, &p, z);
}

static void draw(struct canvas *c, const struct scene *s, const struct view_state *v, bool focused)
{
    struct zoned z;
    (void)focused;
    if (canvas_width(c) < 1 || canvas_height(c) < 1) {
        return;
    }
    if (zoned_open(&z, s, v)) {
        draw_map(c, &z);
    } else {
        struct str text = STR_EMPTY;
        gathered_add_none(&text, &z.g, across_argument(v));
        view_draw_note(c, str_text(&text));
        str_free(&text);
    }
}

static int wants(const struct scene *s, const struct view_state *v)
{
    struct zoned z;
    return zoned_open(&z, s, v) ? (int)z.zones * BOX_ROWS + FOOT_ROWS + 2 : 3;
}

static bool move(struct view_state *v, const struct scene *s, enum verb verb, int w, int h)
{
    (void)v;
    (void)s;
    (void)verb;
    (void)w;
    (void)h;
    return false;
}

static struct subject subject(const struct view_state *v, const struct scene *s)
{
    struct zoned z;
    if (!zoned_open(&z, s, v)) {
        return (struct subject){.kind = SUBJECT_NONE};
    }
    return (struct subject){.kind = SUBJECT_ROUTER, .id = z.g.run.router};
}

static void tell(struct str *out, const struct scene *s, const struct view_state *v)
{
    struct zoned z;
    struct str line = STR_EMPTY;
    if (!zoned_open(&z, s, v)) {
        gathered_add_none(&line, &z.g, across_argument(v));
        across_tell_note(out, str_text(&line));
        str_free(&line);
        return;
    }
    add_asker(&line, &z);
    str_add(&line, ": ");
    add_one(&line, &z);
    str_addc(&line, '.');
    across_tell(out, str_text(&line));
    for (uint32_t zone = 0; zone < z.zones; zone++) {
        str_clear(&line);
        across_add_zone(&line, zone);
        str_add(&line, ": ");
        if (z.shards[zone] == 0) {
            str_add(&line, "no shard");
        } else {
            add_shards(&line, &z, zone, TELL_COLUMNS);
            str_addf(&line, ", %u answer%s", (unsigned)z.sends[zone], view_plural(z.sends[zone]));
            str_add(&line, zone == z.home ? " within the zone" : " into another zone");
        }
        across_tell_note(out, str_text(&line));
    }
    void (*const rest[])(struct str *, const struct zoned *) = {add_all, add_rate, add_bill};
    bool crossed = world_query_crossing(z.g.w, z.g.index) > 0;
    for (size_t i = 0;
         !z.asking && i < sizeof rest / sizeof rest[0] && (crossed || rest[i] != add_bill); i++) {
        str_clear(&line);
        rest[i](&line, &z);
        across_tell_note(out, str_text(&line));
    }
    str_free(&line);
}

const struct view view_zones = {
    .name = "zones",
    .title = "Across zones",
    .min_rows = MIN_ROWS,
    .want_rows = 18,
    .wants = wants,
    .draw = draw,
    .move = move,
    .tell = tell,
    .subject = subject,
};
