/*
 * trace_lanes: who takes part in the records shown, and where each lifeline stands.
 */
#include "view/trace_parts.h"

#include <string.h>

#define GAP_LABELS_ON_ARROWS 15 /* columns between lifelines */
#define GAP_MIN 4
#define GAP_MAX 26
#define GAPS_WIDE 90      /* columns from which lifelines stand wide apart */
#define LABEL_MIN 11      /* "MOVED S4 e8" */
#define ON_ARROW 8        /* columns of an arrow beside its label: ends, dashes, blanks, the head */
#define OTHERS UINT16_MAX /* the lane of routers that only hear of maps */

static bool has_lane(struct node node)
{
    return node.kind != NODE_NONE && node.kind != NODE_OPERATOR && node.kind != NODE_SYSTEM;
}

/* The directory stands last, right of nodes as well. */
static bool before(struct node a, struct node b)
{
    bool last = a.kind == NODE_DIRECTORY && b.kind == NODE_MACHINE;
    bool first = a.kind == NODE_MACHINE && b.kind == NODE_DIRECTORY;
    return first || (!last && (a.kind != b.kind ? a.kind < b.kind : a.index < b.index));
}

/* All clients stand on one lane. */
static struct node lane_of(struct node node)
{
    return node.kind == NODE_CLIENT ? (struct node){.kind = NODE_CLIENT} : node;
}

static void lanes_add(struct trace_lanes *l, struct node node)
{
    int at = 0;
    if (!has_lane(node)) {
        return;
    }
    node = lane_of(node);
    while (at < l->count && before(l->node[at], node)) {
        at++;
    }
    if (at < l->count && trace_same_node(l->node[at], node)) {
        return;
    }
    if (l->count == TRACE_LANES_MAX) {
        l->too_many = true;
        return;
    }
    memmove(&l->node[at + 1], &l->node[at], (size_t)(l->count - at) * sizeof l->node[0]);
    l->node[at] = node;
    l->count++;
}

/* True when all that a router does in the window is hearing of maps. */
static bool only_hears(const struct trace_window *win, struct node router)
{
    for (int i = 0; i < win->count; i++) {
        const struct trace_record *r = win->record[i];
        if (r == NULL) {
            continue;
        }
        bool hears = r->kind == TRACE_MAP && trace_same_node(r->to, router);
        if (!hears && (trace_same_node(r->from, router) || trace_same_node(r->to, router))) {
            return false;
        }
    }
    return router.kind == NODE_ROUTER;
}

/* Puts routers that only hear of maps on one lane, when there are several. */
static void lanes_share(struct trace_lanes *l, const struct trace_window *win)
{
    struct trace_lanes shared = {0};
    int others = 0;
    for (int i = 0; i < l->count; i++) {
        if (only_hears(win, l->node[i])) {
            others++;
        } else {
            lanes_add(&shared, l->node[i]);
        }
    }
    if (others >= 2) {
        lanes_add(&shared, (struct node){.kind = NODE_ROUTER, .index = OTHERS});
        shared.clients = l->clients;
        shared.clock = l->clock;
        shared.time = l->time;
        *l = shared;
        l->others = true;
    }
}

int trace_lane_x(const struct trace_lanes *l, struct node node)
{
    int others = -1;
    node = lane_of(node);
    for (int i = 0; i < l->count; i++) {
        if (trace_same_node(l->node[i], node)) {
            return l->x0 + i * l->gap;
        }
        if (l->node[i].kind == NODE_ROUTER && l->node[i].index == OTHERS) {
            others = l->x0 + i * l->gap;
        }
    }
    return node.kind == NODE_ROUTER ? others : -1;
}

/* Labels of `widest` columns in a column of their own, beside lifelines as far apart as that
 * allows. */
static bool lanes_close(struct trace_lanes *l, int widest)
{
    int room = l->time - (l->clock > 0 ? 1 : 0);
    for (l->gap = l->time >= GAPS_WIDE ? 16 : 8; l->gap >= GAP_MIN; l->gap--) {
        l->x0 = l->gap == GAP_MIN ? 2 : l->clients ? 4 : 3; /* below the middle of their name */
        l->label = l->x0 + (l->count - 1) * l->gap + 3;
        if (l->label + widest <= room) {
            return !l->too_many;
        }
    }
    return false;
}

static bool lanes_squeeze(struct trace_lanes *l, struct trace_widths labels)
{
    return lanes_close(l, labels.whole) || lanes_close(l, labels.brief) ||
           lanes_close(l, LABEL_MIN);
}

static void lanes_find(struct trace_lanes *l, const struct trace_window *win)
{
    int first = -1;
    for (int i = 0; i < win->count; i++) {
        const struct trace_record *r = win->record[i];
        if (r == NULL) {
            continue;
        }
        lanes_add(l, r->from);
        lanes_add(l, r->to);
        struct node client = r->from.kind == NODE_CLIENT ? r->from : r->to;
        if (client.kind == NODE_CLIENT) {
            l->clients = l->clients || (first >= 0 && first != client.index);
            first = client.index;
        }
    }
    l->count = l->count > 0 ? l->count : 1;
}

/* Systems that people run have no lifelines: alone they are a list. */
static bool only_systems(const struct trace_window *win)
{
    bool any = false;
    for (int i = 0; i < win->count; i++) {
        const struct trace_record *r = win->record[i];
        if (r != NULL && r->from.kind != NODE_SYSTEM && r->to.kind != NODE_SYSTEM) {
            return false;
        }
        any = any || r != NULL;
    }
    return any;
}

struct trace_lanes trace_lanes_of(const struct trace_window *win, int w, struct trace_widths labels)
{
    struct trace_lanes out = {0};
    lanes_find(&out, win);
    out.clock = w >= 60 ? 12 : 6;
    out.time = w - out.clock;
    if (only_systems(win)) {
        out.list = true;
        return out;
    }
    out.gap = (out.time - 2) / out.count;
    if (out.gap >= GAP_LABELS_ON_ARROWS && out.gap >= labels.whole + ON_ARROW && !out.too_many) {
        out.gap = out.gap > GAP_MAX ? GAP_MAX : out.gap;
        out.x0 = 1 + out.gap / 2;
        return out;
    }
    if (lanes_squeeze(&out, labels)) {
        return out;
    }
    lanes_share(&out, win);
    if (lanes_squeeze(&out, labels)) {
        return out;
    }
    struct trace_lanes timeless = out;
    timeless.clock = 0;
    timeless.time = w;
    if (lanes_squeeze(&timeless, labels)) {
        return timeless;
    }
    out.list = true;
    return out;
}

void trace_add_lane_name(struct str *out, const struct trace_lanes *l, struct node node, int room)
{
    struct str whole = STR_EMPTY;
    if (node.kind == NODE_CLIENT) { /* never cut: the next name leans aside */
        str_add(&whole, l->clients && room >= 7 ? "clients" : "client");
        room = room < (int)whole.length ? (int)whole.length : room;
    } else {
        node_say(node, &whole);
    }
    if (node.index == OTHERS && node.kind == NODE_ROUTER) {
        str_add(out, "R..");
    } else if ((int)whole.length <= room) {
        str_add(out, str_text(&whole));
    } else if (node.kind == NODE_DIRECTORY) {
        str_add(out, "dir");
    } else {
        str_addn(out, str_text(&whole), (size_t)(room < 1 ? 1 : room));
    }
    str_free(&whole);
}
