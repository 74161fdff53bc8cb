/*
 * phi: heartbeats of each node on a time line, the silence since the last, and from when on it
 * counts as death.
 *
 * A mark is a heartbeat that the directory heard. From the last one to now runs a bar: the silence.
 * It is thin as long as it is short, and heavy from half of what is enough to be believed dead.
 * With a timeout a dotted line stands so long before now: whose last mark is left of it is
 * believed dead. Otherwise phi at the right says how unusual the silence is for this node, whose
 * gaps differ from others'. Where there is no room for all nodes those that are believed dead or
 * silent for long come first. While the page's question is open nothing is said of who was believed
 * dead wrongly. Selection: a node.
 */
#include "engine/nodes/nodes.h"
#include "engine/watch/watch.h"
#include "view/across.h"
#include "view/moving.h"

#define MIN_ROWS 8
#define LABEL 6
#define RIGHT 9
#define WIDE 70
#define BAR 16        /* of phi against its threshold, where there is room */
#define SPAN_BEATS 12 /* periods that are shown at least */

struct watched {
    const struct world *w;
    struct watch_info i;
    uint32_t nodes;
    uint32_t order[NODES_MAX];
    bool asking; /* the page's question is open */
    struct time_axis time;
};

static bool watched_open(struct watched *out, const struct scene *s)
{
    *out = (struct watched){.w = s->world, .asking = view_question_open(s)};
    if (s->world == NULL) {
        return false;
    }
    out->i = world_watch(s->world);
    out->nodes = world_nodes(s->world);
    for (uint32_t i = 0; i < out->nodes; i++) {
        out->order[i] = i;
    }
    return out->i.on && out->nodes > 0;
}

static int64_t silence(const struct watched *x, const struct beat_info *b)
{
    return b->heard_us < 0 ? -1 : world_now(x->w) - b->heard_us;
}

/* Thousandths of what is enough to be believed dead. */
static int64_t suspicion(const struct watched *x, const struct beat_info *b)
{
    int64_t us = silence(x, b);
    if (us < 0) {
        return 0;
    }
    if (x->i.timeout_us > 0) {
        return us * 1000 / x->i.timeout_us;
    }
    return x->i.phi > 0 ? (int64_t)b->phi * 1000 / x->i.phi : 0;
}

/* Who is believed dead, then who is silent for longest. */
static void most_silent_first(struct watched *x)
{
    int64_t rank[NODES_MAX];
    for (uint32_t i = 0; i < x->nodes; i++) {
        struct beat_info b = world_beat(x->w, i);
        int64_t here = b.declared ? INT64_MAX : suspicion(x, &b);
        uint32_t at = i;
        for (; at > 0 && rank[at - 1] < here; at--) {
            rank[at] = rank[at - 1];
            x->order[at] = x->order[at - 1];
        }
        rank[at] = here;
        x->order[at] = i;
    }
}

static enum style suspicion_style(const struct watched *x, const struct beat_info *b)
{
    int64_t s = suspicion(x, b);
    return b->declared || s >= 1000 ? STYLE_BAD : s >= 500 ? STYLE_WARN : STYLE_GOOD;
}

/* --- words --------------------------------------------------------------------------------- */

static void add_none(struct str *out, const struct watched *x)
{
    str_add(out, x->w == NULL ? "there is no cluster here"
                 : x->nodes == 0
                     ? "there is no node yet"
                     : "heartbeats are off just now: each node's will stand here on a line");
}

/* "0.3", "12.4", of hundredths */
static void add_phi(struct str *out, uint32_t hundredths)
{
    uint32_t tenths = (hundredths + 5) / 10;
    str_addf(out, "%s.%u", num_grouped(tenths / 10).text, (unsigned)(tenths % 10));
}

static void add_rule(struct str *out, const struct watched *x, bool brief)
{
    str_add(out, brief ? "beat each " : "a heartbeat each ");
    moving_add_time(out, x->i.period_us);
    str_add(out, brief ? ", dead " : "; believed dead ");
    if (x->i.timeout_us > 0) {
        str_add(out, "after ");
        moving_add_time(out, x->i.timeout_us);
        str_add(out, brief ? "" : " of silence");
    } else {
        str_add(out, "from phi ");
        add_phi(out, x->i.phi);
        str_add(out, brief ? "" : " on");
    }
}

static enum style add_deaths(struct str *out, const struct watched *x)
{
    const struct watch_info *i = &x->i;
    if (i->declared == 0) {
        str_add(out, "nobody was believed dead so far");
        return STYLE_GOOD;
    }
    str_addf(out, "believed dead: %s", num_grouped((int64_t)i->declared).text);
    if (x->asking) {
        return STYLE_TEXT;
    }
    if (i->falsely > 0) {
        str_addf(out, ", of them %s WRONGLY", num_grouped((int64_t)i->falsely).text);
    } else {
        str_add(out, ", each rightly");
    }
    if (i->returned > 0) {
        str_addf(out, "; %s heard again", num_grouped((int64_t)i->returned).text);
    }
    if (i->detect_us >= 0) {
        str_add(out, "; the last true death was noticed after ");
        moving_add_time(out, i->detect_us);
    }
    return i->falsely > 0 ? STYLE_BAD : STYLE_WARN;
}

static void add_node_words(struct str *out, const struct watched *x, uint32_t node)
{
    struct beat_info b = world_beat(x->w, node);
    bool up = node_up(x->w, node);
    across_add_node(out, node);
    str_add(out, ", ");
    across_add_zone(out, world_node(x->w, node).zone);
    if (b.heard_us < 0) {
        str_add(out, ": no heartbeat yet");
    } else {
        str_add(out, ": silent for ");
        moving_add_time(out, silence(x, &b));
        if (b.mean_us > 0) {
            str_add(out, ", its gaps are ");
            moving_add_time(out, b.mean_us);
            str_add(out, " give or take ");
            moving_add_time(out, b.spread_us);
        }
        str_add(out, ", phi ");
        add_phi(out, b.phi);
    }
    if (x->asking && (b.declared || !up)) {
        str_add(out, b.declared ? "; believed dead" : "; down");
    } else if (b.declared) {
        str_add(out, up ? "; BELIEVED DEAD, but it is up" : "; believed dead, and it is down");
    } else if (!up) {
        str_add(out, "; down, not noticed yet");
    }
}

/* --- drawing ------------------------------------------------------------------------------- */

struct plan {
    int axis, row0, rows, foot; /* axis -1: none */
    int bar;                    /* column of the bar of phi; 0: none */
};

static struct plan plan_of(struct watched *x, int w, int h)
{
    struct plan p = {.axis = h >= 7 ? 1 : -1};
    int foot = h >= 14 ? 4 : h >= 10 ? 3 : h >= 6 ? 1 : 0;
    p.row0 = p.axis >= 0 ? 2 : 1;
    p.rows = h - p.row0 - foot;
    p.rows = p.rows > (int)x->nodes ? (int)x->nodes : p.rows < 1 ? 1 : p.rows;
    p.foot = p.row0 + p.rows;
    p.foot += h - p.foot > foot;
    p.bar = w >= WIDE ? w - RIGHT - BAR - 1 : 0;
    int64_t span = SPAN_BEATS * x->i.period_us, now = world_now(x->w);
    int64_t least = x->i.timeout_us + x->i.timeout_us / 3;
    span = span < least ? least : span;
    int64_t most = (BEATS_SHOWN + 8) * x->i.period_us;
    most = most < least ? least : most;
    for (uint32_t i = 0; i < x->nodes; i++) { /* a silence, whole, with a beat or two before it */
        struct beat_info b = world_beat(x->w, i);
        int64_t us = silence(x, &b) + 4 * x->i.period_us;
        span = us > span ? us : span;
    }
    span = span > most ? most : span;
    if (p.rows < (int)x->nodes) {
        most_silent_first(x);
    }
    x->time = (struct time_axis){.from_us = now - span,
                                 .to_us = now,
                                 .x = LABEL,
                                 .width = (p.bar > 0 ? p.bar - 1 : w - RIGHT) - LABEL};
    x->time.width = x->time.width < 4 ? 4 : x->time.width;
    return p;
}

static void draw_beats(struct canvas *c, int y, const struct watched *x, uint32_t node,
                       const struct beat_info *b)
{
    int64_t at[BEATS_SHOWN];
    uint32_t count = world_beat_times(x->w, node, at);
    int end = x->time.x + x->time.width - 1;
    enum style style = suspicion_style(x, b);
    int from = b->heard_us < x->time.from_us ? x->time.x : across_column(&x->time, b->heard_us);
    bool loud = style != STYLE_GOOD;
    for (int i = from + (b->heard_us >= x->time.from_us); i <= end && b->heard_us >= 0; i++) {
        canvas_put(c, i, y, loud ? style : STYLE_DIM,
                   loud ? view_sign(c, 0x2501, '=') : view_sign(c, 0x2500, '-'));
    }
    int known = count == BEATS_SHOWN ? across_column(&x->time, at[0]) : x->time.x;
    for (int i = x->time.x; i < known && i < from; i++) { /* older ones are not remembered */
        canvas_put(c, i, y, STYLE_DIM, view_sign(c, 0x00B7, '.'));
    }
    for (uint32_t i = 0; i < count; i++) {
        if (at[i] >= x->time.from_us) {
            canvas_put(c, across_column(&x->time, at[i]), y, style_owner(node),
                       view_sign(c, 0x2503, '|'));
        }
    }
}

static void draw_value(struct canvas *c, int y, const struct watched *x, const struct plan *p,
                       const struct beat_info *b)
{
    struct str text = STR_EMPTY;
    enum style style = suspicion_style(x, b);
    if (b->declared) {
        str_add(&text, "DEAD");
    } else if (b->heard_us < 0) {
        str_add(&text, "-");
    } else if (x->i.timeout_us > 0) {
        moving_add_time(&text, silence(x, b) / US_PER_MS * US_PER_MS);
    } else {
        add_phi(&text, b->phi);
    }
    canvas_text_right(c, canvas_width(c), y, style, str_text(&text));
    str_free(&text);
    if (p->bar > 0) {
        int64_t s = suspicion(x, b);
        int limit = BAR * 3 / 4;
        int64_t eighths = s * limit * 8 / 1000;
        eighths = eighths > BAR * 8 ? BAR * 8 : eighths;
        canvas_put(c, p->bar + limit, y, STYLE_LIMIT, view_sign(c, 0x2506, '|'));
        canvas_bar(c, p->bar, y, (int)eighths, style);
    }
}

static void draw_node(struct canvas *c, int y, const struct watched *x, const struct plan *p,
                      uint32_t node)
{
    struct beat_info b = world_beat(x->w, node);
    bool up = node_up(x->w, node);
    struct str text = STR_EMPTY;
    across_add_node(&text, node);
    canvas_text(c, 0, y, up ? style_owner(node) : STYLE_DIM, str_text(&text));
    canvas_put(c, 4, y, up ? STYLE_GOOD : STYLE_BAD,
               up ? view_sign(c, 0x25CF, '*') : view_sign(c, 0xD7, 'x'));
    draw_beats(c, y, x, node, &b);
    draw_value(c, y, x, p, &b);
    str_free(&text);
}

static void draw_limit(struct canvas *c, const struct watched *x, const struct plan *p)
{
    int64_t us = world_now(x->w) - x->i.timeout_us;
    if (x->i.timeout_us <= 0 || us <= x->time.from_us) {
        return;
    }
    for (int i = 0; i < p->rows; i++) {
        canvas_put(c, across_column(&x->time, us), p->row0 + i, STYLE_LIMIT,
                   view_sign(c, 0x2506, ':'));
    }
}

static void draw_foot(struct canvas *c, const struct plan *p, const struct watched *x,
                      const struct view_state *v)
{
    static const struct mark marks[] = {{0x2503, '|', STYLE_STRONG, "heartbeat"},
                                        {0x2501, '=', STYLE_WARN, "long silence"},
                                        {0xD7, 'x', STYLE_BAD, "really down"},
                                        {0x2506, ':', STYLE_LIMIT, "silent so long: dead"}};
    struct str text = STR_EMPTY;
    int h = canvas_height(c), y = p->foot;
    enum style style = STYLE_TEXT;
    if (p->rows < (int)x->nodes) {
        str_addf(&text, "%u more, less silent than these", (unsigned)x->nodes - (unsigned)p->rows);
        y += across_flow(c, y, 1, STYLE_KEYCAP, &text);
        str_clear(&text);
    }
    if (v->has_selection) {
        add_node_words(&text, x, x->order[across_selected(v, x->nodes)]);
    } else {
        style = add_deaths(&text, x);
    }
    y += across_flow(c, y, h - y < 3 ? 1 : 4, style, &text);
    if (y < h) {
        bool limit = x->i.timeout_us > 0 || p->bar > 0;
        y += across_draw_key(c, y, h - y, marks, limit ? 4 : 3);
    }
    str_clear(&text);
    for (uint32_t i = 0; i < x->nodes && !x->asking; i++) {
        add_node_words(&text, x, i);
        str_addc(&text, '\n');
    }
    across_draw_lines(c, y + 1, &text);
    str_free(&text);
}

static void draw_watched(struct canvas *c, struct watched *x, const struct view_state *v,
                         bool focused)
{
    int w = canvas_width(c), h = canvas_height(c);
    struct plan p = plan_of(x, w, h);
    struct str text = STR_EMPTY;
    add_rule(&text, x, w < WIDE);
    view_draw_line(c, 0, STYLE_STRONG, str_text(&text));
    if (p.axis >= 0) {
        str_clear(&text);
        moving_add_time(&text, x->time.to_us - x->time.from_us);
        str_add(&text, " ago");
        across_draw_axis(c, p.axis, &x->time, str_text(&text), "now");
        canvas_text_right(c, w, p.axis, STYLE_DIM, x->i.timeout_us > 0 ? "silent" : "phi");
    }
    str_free(&text);
    int64_t at = across_selected(v, x->nodes);
    int64_t first = view_list_first(v->scroll, at, x->nodes, p.rows);
    draw_limit(c, x, &p);
    for (int i = 0; i < p.rows && first + i < x->nodes; i++) {
        draw_node(c, p.row0 + i, x, &p, x->order[first + i]);
        if (first + i == at && (focused || v->has_selection)) {
            across_draw_selected(c, p.row0 + i, 3, focused);
        }
    }
    draw_foot(c, &p, x, v);
}

static void draw(struct canvas *c, const struct scene *s, const struct view_state *v, bool focused)
{
    struct watched x;
    if (canvas_width(c) < 1 || canvas_height(c) < 1) {
        return;
    }
    if (watched_open(&x, s)) {
        draw_watched(c, &x, v, focused);
    } else {
        struct str text = STR_EMPTY;
        add_none(&text, &x);
        view_draw_note(c, str_text(&text));
        str_free(&text);
    }
}

static int wants(const struct scene *s, const struct view_state *v)
{
    struct watched x;
    (void)v;
    return watched_open(&x, s) ? (int)view_clamp((int64_t)x.nodes + 6, MIN_ROWS, 22) : 3;
}

static bool move(struct view_state *v, const struct scene *s, enum verb verb, int w, int h)
{
    struct watched x;
    return w > 0 && h > 0 && watched_open(&x, s) &&
           across_move(v, x.nodes, verb, plan_of(&x, w, h).rows);
}

static struct subject subject(const struct view_state *v, const struct scene *s)
{
    (void)v;
    (void)s;
    return (struct subject){.kind = SUBJECT_NONE};
}

static void tell(struct str *out, const struct scene *s, const struct view_state *v)
{
    struct watched x;
    struct str line = STR_EMPTY;
    (void)v;
    if (!watched_open(&x, s)) {
        add_none(&line, &x);
        across_tell_note(out, str_text(&line));
        str_free(&line);
        return;
    }
    add_rule(&line, &x, false);
    across_tell_note(out, str_text(&line));
    for (uint32_t i = 0; i < x.nodes; i++) {
        str_clear(&line);
        add_node_words(&line, &x, i);
        across_tell_note(out, str_text(&line));
    }
    str_clear(&line);
    (void)add_deaths(&line, &x);
    across_tell_note(out, str_text(&line));
    str_free(&line);
}

const struct view view_phi = {
    .name = "phi",
    .title = "Heartbeats",
    .min_rows = MIN_ROWS,
    .want_rows = 18,
    .wants = wants,
    .draw = draw,
    .move = move,
    .tell = tell,
    .subject = subject,
};
