/*
 * nodes: all nodes as columns, zone by zone; which are up, and what each holds of every group.
 *
 * Columns stand by side of a cut, then by zone; a line parts the sides. Under a node's number: up,
 * down, or believed dead; then a cell a shard (a group of copies): L leads it, f follows, c takes
 * its copy. What a node that is down holds is dim. Where nodes send copies to each other a line
 * tells how much of each link that takes, in tenths. Below, in words: shards without a leader or
 * with too few copies, and who is believed what; while the page's question is open only how many
 * there are. Beside a store shards are not there. Where rows are few the signs of nodes
 * stand behind their numbers. Selection: a node.
 */
#include "view/nodes_parts.h"

#define MIN_ROWS 8
#define LABEL 5
#define WIDE 70

/* --- drawing ------------------------------------------------------------------------------- */

struct plan {
    int step;  /* columns a node */
    int zones; /* line of the zones' names; -1: none */
    int names; /* line of the nodes' numbers */
    int state;
    int load; /* -1: none */
    int group0, rows;
    int foot;
    bool merged;      /* a node's state stands behind its number */
    int first, shown; /* nodes in sight */
    int label;
};

static struct plan plan_of(const struct noded *n, const struct view_state *v, int w, int h)
{
    struct plan p = {.zones = h >= 5 ? 0 : -1, .load = -1, .label = LABEL};
    for (uint32_t i = 0; i < n->groups; i++) {
        int length = (int)bytes_of(world_group(n->w, i).name).length + 1;
        p.label = length > p.label && w >= WIDE ? length : p.label;
    }
    int sides = n->cut ? NODE_SIDES - 1 : 0;
    p.step = (w - p.label - sides) / (int)n->nodes;
    p.step = p.step > 6 ? 6 : p.step < 3 ? 3 : p.step;
    p.shown = (w - p.label - sides) / p.step;
    p.shown = p.shown > (int)n->nodes ? (int)n->nodes : p.shown < 1 ? 1 : p.shown;
    p.first = (int)view_list_first(0, across_selected(v, n->nodes), n->nodes, p.shown);
    p.names = p.zones + 1;
    int lines = 2 + p.names + (n->loaded && h >= 8), groups = (int)n->groups;
    int foot = h >= 16 ? 5 : h >= 10 ? 3 : h >= 6 ? 2 : 0;
    p.merged = h - lines - foot < groups && p.step >= (n->nodes > 9 ? 5 : 4);
    p.state = p.names + !p.merged;
    int y = p.state + 1;
    if (n->loaded && h >= 8) {
        p.load = y++;
    }
    if (h - y - foot < groups && foot > 2) { /* shards before words */
        foot = h - y - groups < 2 ? 2 : h - y - groups;
    }
    p.group0 = y;
    p.rows = h - y - foot;
    p.rows = p.rows > groups ? groups : p.rows < 0 ? 0 : p.rows;
    p.foot = y + p.rows;
    p.foot += h - p.foot > foot;
    return p;
}

/* Columns of the node that is `i`th in sight, past the lines of cuts before it. */
static int column_of(const struct plan *p, const struct noded *n, int i)
{
    int cuts = 0;
    for (int k = p->first + 1; k <= p->first + i; k++) {
        cuts += n->info[n->order[k - 1]].side != n->info[n->order[k]].side;
    }
    return p->label + i * p->step + cuts;
}

static void draw_zones(struct canvas *c, const struct plan *p, const struct noded *n)
{
    struct str text = STR_EMPTY;
    for (int i = 0; i < p->shown; i++) {
        const struct node_info *info = &n->info[n->order[p->first + i]];
        const struct node_info *before = i > 0 ? &n->info[n->order[p->first + i - 1]] : NULL;
        if (before != NULL && before->zone == info->zone && before->side == info->side) {
            continue;
        }
        int end = i + 1;
        while (end < p->shown && n->info[n->order[p->first + end]].zone == info->zone &&
               n->info[n->order[p->first + end]].side == info->side) {
            end++;
        }
        int x = column_of(p, n, i), room = column_of(p, n, end - 1) + p->step - 1 - x;
        str_clear(&text);
        across_add_zone(&text, info->zone);
        if (room >= (int)text.length) {
            canvas_text(c, x, p->zones, STYLE_DIM, str_text(&text));
        } else {
            canvas_textf(c, x, p->zones, STYLE_DIM, "%c", 'a' + info->zone % 26);
        }
    }
    str_free(&text);
}

static void draw_cell(struct canvas *c, int x, int y, enum holds holds, bool down)
{
    static const struct {
        char sign;
        enum style style;
    } looks[] = {[HOLDS_NOTHING] = {'.', STYLE_DIM},
                 [HOLDS_LEADS] = {'L', STYLE_GOOD},
                 [HOLDS_FOLLOWS] = {'f', STYLE_TEXT},
                 [HOLDS_STANDS] = {'s', STYLE_WARN},
                 [HOLDS_COPIES] = {'c', STYLE_MOVED}};
    enum style style = down ? STYLE_DIM : looks[holds].style;
    if (holds == HOLDS_NOTHING) {
        canvas_put(c, x, y, STYLE_DIM, view_sign(c, 0x00B7, '.'));
    } else if (down) { /* struck out */
        canvas_put(c, x, y, style, (uint32_t)looks[holds].sign);
        canvas_put(c, x + 1, y, STYLE_BAD, view_sign(c, 0xD7, 'x'));
    } else {
        canvas_put(c, x, y, style, (uint32_t)looks[holds].sign);
    }
}

static void draw_node(struct canvas *c, const struct plan *p, const struct noded *n, int i)
{
    uint32_t node = n->order[p->first + i];
    bool down = n->info[node].down, dead = noded_dead(n, node);
    int x = column_of(p, n, i);
    struct str text = STR_EMPTY;
    if (p->step >= 4) {
        across_add_node(&text, node);
    } else {
        str_addf(&text, "%u", (unsigned)node + 1u);
    }
    canvas_text(c, x, p->names, down ? STYLE_DIM : style_owner(node), str_text(&text));
    struct mark state = {0x25CF, '*', STYLE_GOOD, ""};
    if (down) {
        state = (struct mark){0xD7, 'x', dead ? STYLE_BAD : STYLE_WARN, ""};
    } else if (dead) {
        state = (struct mark){'?', '?', STYLE_BAD, ""};
    }
    across_put(c, p->merged ? x + 2 + (node >= 9) : x, p->state, &state);
    if (p->load >= 0) {
        uint32_t tenths = (node_load(n->w, node) + 50) / 100;
        canvas_textf(c, x, p->load,
                     tenths >= 8  ? STYLE_BAD
                     : tenths > 0 ? STYLE_MOVED
                                  : STYLE_DIM,
                     "%u", (unsigned)tenths);
    }
    str_free(&text);
}

static void draw_cuts(struct canvas *c, const struct plan *p, const struct noded *n)
{
    int rows = p->group0 + p->rows;
    for (int i = 1; i < p->shown; i++) {
        if (n->info[n->order[p->first + i - 1]].side == n->info[n->order[p->first + i]].side) {
            continue;
        }
        int x = column_of(p, n, i) - 1;
        for (int y = 0; y < rows; y++) {
            canvas_put(c, x - (p->step > 3), y, STYLE_BAD, view_sign(c, 0x2503, '|'));
        }
    }
}

static uint32_t group_at(const struct noded *n, int64_t line)
{
    return line < NODED_SORTED ? n->row[line] : (uint32_t)line;
}

static void draw_groups(struct canvas *c, const struct plan *p, const struct noded *n,
                        int64_t scroll)
{
    int64_t first = view_clamp(scroll, 0, (int64_t)n->groups - p->rows);
    for (int row = 0; row < p->rows; row++) {
        struct group_info g = world_group(n->w, group_at(n, first + row));
        int y = p->group0 + row;
        canvas_text_fit(c, 0, y, p->label - 1,
                        !n->asking && (g.leaderless_since_us >= 0 || g.leaders > 1) ? STYLE_BAD
                                                                                    : STYLE_STRONG,
                        g.name);
        for (int i = 0; i < p->shown; i++) {
            uint32_t node = n->order[p->first + i];
            draw_cell(c, column_of(p, n, i), y, noded_holds(&g, node), n->info[node].down);
        }
    }
}

/* "5 of 12 shards, 7 more", where not all are in sight; true when there was something to say. */
static bool add_more(struct str *out, const struct plan *p, const struct noded *n)
{
    uint32_t hidden = n->groups - (uint32_t)p->rows;
    if (hidden > 0) {
        str_addf(out, "%d of %u shards, %u more: up, down", p->rows, (unsigned)n->groups,
                 (unsigned)hidden);
    }
    return hidden > 0;
}

/* Of L, f, s, c, down and believed dead those that are there. */
static int marks_met(const struct noded *n, const struct mark marks[6], struct mark met[6])
{
    bool there[6] = {n->groups > 0, n->groups > 0};
    for (uint32_t i = 0; i < n->nodes; i++) {
        there[4] = there[4] || n->info[i].down;
        there[5] = there[5] || (!n->info[i].down && noded_dead(n, i));
        for (uint32_t k = 0; k < n->groups; k++) {
            struct group_info g = world_group(n->w, k);
            enum holds holds = noded_holds(&g, i);
            there[2] = there[2] || holds == HOLDS_STANDS;
            there[3] = there[3] || holds == HOLDS_COPIES;
        }
    }
    return across_marks_of(marks, there, 6, met);
}

static void draw_foot(struct canvas *c, const struct plan *p, const struct noded *n,
                      const struct view_state *v)
{
    static const struct mark marks[] = {{'L', 'L', STYLE_GOOD, "leads"},
                                        {'f', 'f', STYLE_TEXT, "follows"},
                                        {'s', 's', STYLE_WARN, "stands for election"},
                                        {'c', 'c', STYLE_MOVED, "takes its copy"},
                                        {0xD7, 'x', STYLE_BAD, "down"},
                                        {'?', '?', STYLE_BAD, "up, believed dead"}};
    struct str text = STR_EMPTY;
    int h = canvas_height(c), y = p->foot;
    enum style style = STYLE_TEXT;
    if (add_more(&text, p, n)) {
        y += across_flow(c, y, 1, STYLE_KEYCAP, &text);
        str_clear(&text);
    }
    if (v->has_selection) {
        noded_add_node(&text, n, n->order[across_selected(v, n->nodes)]);
    } else {
        style = noded_add_groups(&text, n);
    }
    y += across_flow(c, y, h - y >= 4 ? 2 : 1, style, &text);
    str_clear(&text);
    noded_add_odd(&text, n);
    y += across_flow(c, y, h - y >= 3 ? 2 : 1, STYLE_TEXT, &text);
    if (n->loaded && h - y >= 3) {
        str_clear(&text);
        str_add(&text, "link: tenths of it that copies take");
        y += across_flow(c, y, 1, STYLE_DIM, &text);
    }
    if (y < h) {
        struct mark met[sizeof marks / sizeof marks[0]];
        int count = marks_met(n, marks, met);
        y += across_draw_key(c, y, h - y, met, count);
    }
    str_clear(&text);
    for (uint32_t i = 0; i < n->nodes && !n->asking; i++) {
        noded_add_node(&text, n, n->order[i]);
        str_addc(&text, '\n');
    }
    across_draw_lines(c, y + 1, &text);
    str_free(&text);
}

static void draw_nodes(struct canvas *c, struct noded *n, const struct view_state *v, bool focused)
{
    struct plan p = plan_of(n, v, canvas_width(c), canvas_height(c));
    if (p.rows < (int)n->groups) {
        noded_odd_first(n);
    }
    if (p.zones >= 0) {
        draw_zones(c, &p, n);
    }
    canvas_text(c, 0, p.names, STYLE_DIM, p.step >= 4 ? "" : "N");
    canvas_text(c, 0, p.state, STYLE_DIM, p.merged ? "" : "up");
    if (p.load >= 0) {
        canvas_text(c, 0, p.load, STYLE_DIM, "link");
    }
    for (int i = 0; i < p.shown; i++) {
        draw_node(c, &p, n, i);
    }
    draw_groups(c, &p, n, v->scroll);
    draw_cuts(c, &p, n);
    if (v->has_selection || focused) {
        int x = column_of(&p, n, (int)across_selected(v, n->nodes) - p.first);
        canvas_restyle(c, (struct rect){x, p.names, p.step >= 4 ? 3 : 2, 1}, STYLE_SELECTED);
        if (focused) {
            canvas_cursor(c, x, p.names);
        }
    }
    draw_foot(c, &p, n, v);
}

static void draw(struct canvas *c, const struct scene *s, const struct view_state *v, bool focused)
{
    struct noded n;
    if (canvas_width(c) < 1 || canvas_height(c) < 1) {
        return;
    }
    if (noded_open(&n, s)) {
        draw_nodes(c, &n, v, focused);
    } else {
        view_draw_note(c, s->world == NULL ? "there is no cluster here" : "there is no node yet");
    }
}

static int wants(const struct scene *s, const struct view_state *v)
{
    struct noded n;
    (void)v;
    if (noded_open(&n, s) && n.aside) {
        return 5;
    }
    return noded_open(&n, s) ? (int)view_clamp((int64_t)n.groups + 8, MIN_ROWS, 20) : 3;
}

/* Left and right go through the nodes; up and down through the groups where not all are in sight.
 */
static bool move(struct view_state *v, const struct scene *s, enum verb verb, int w, int h)
{
    struct noded n;
    if (w < 1 || h < 1 || !noded_open(&n, s)) {
        return false;
    }
    struct plan p = plan_of(&n, v, w, h);
    if (verb == VERB_LEFT || verb == VERB_RIGHT) {
        int64_t scroll = v->scroll;
        bool moved = across_move(v, n.nodes, verb == VERB_LEFT ? VERB_UP : VERB_DOWN, NODES_MAX);
        v->scroll = scroll;
        return moved;
    }
    int64_t last = (int64_t)n.groups - p.rows;
    last = last < 0 ? 0 : last;
    int64_t at = view_clamp(v->scroll, 0, last);
    if (!view_list_move(&at, last + 1, verb, p.rows)) {
        return false;
    }
    v->scroll = at;
    return true;
}

static struct subject subject(const struct view_state *v, const struct scene *s)
{
    (void)v;
    (void)s;
    return (struct subject){.kind = SUBJECT_NONE};
}

const struct view view_nodes = {
    .name = "nodes",
    .title = "Nodes and what they hold",
    .min_rows = MIN_ROWS,
    .want_rows = 18,
    .wants = wants,
    .draw = draw,
    .move = move,
    .tell = noded_tell,
    .subject = subject,
};
