/*
 * trace_lanes: who takes part in the records shown, and where each lifeline stands.
 */
#include "view/trace_parts.h"

#include <string.h>

#define GAP_LABELS_ON_ARROWS 15 /* columns between lifelines */
#define GAP_MIN 4
#define GAP_MAX 26
#define LABEL_MIN 11      /* "MOVED S4 e8" */
#define OTHERS UINT16_MAX /* the lane of routers that only hear of maps */

static bool has_lane(struct node node)
{
    return node.kind != NODE_NONE && node.kind != NODE_OPERATOR;
}

static bool before(struct node a, struct node b)
{
    return a.kind != b.kind ? a.kind < b.kind : a.index < b.index;
}

static void lanes_add(struct trace_lanes *l, struct node node)
{
    int at = 0;
    if (!has_lane(node)) {
        return;
    }
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
        *l = shared;
        l->others = true;
    }
}

int trace_lane_x(const struct trace_lanes *l, struct node node)
{
    int others = -1;
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

/* Labels in a column of their own, beside lifelines as close as they must be. */
static bool lanes_close(struct trace_lanes *l)
{
    int room = l->time - (l->clock > 0 ? 1 : 0);
    l->x0 = 3;
    for (l->gap = 8; l->gap >= GAP_MIN; l->gap--) {
        l->label = l->x0 + (l->count - 1) * l->gap + 3;
        if (l->label + (l->gap > GAP_MIN ? 2 * LABEL_MIN : LABEL_MIN) <= room) {
            return !l->too_many;
        }
    }
    return false;
}

struct trace_lanes trace_lanes_of(const struct trace_window *win, int w)
{
    struct trace_lanes out = {0};
    for (int i = 0; i < win->count; i++) {
        lanes_add(&out, win->record[i]->from);
        lanes_add(&out, win->record[i]->to);
    }
    out.count = out.count > 0 ? out.count : 1;
    out.clock = w >= 60 ? 12 : 6;
    out.time = w - out.clock;
    out.gap = (out.time - 2) / out.count;
    if (out.gap >= GAP_LABELS_ON_ARROWS && !out.too_many) {
        out.gap = out.gap > GAP_MAX ? GAP_MAX : out.gap;
        out.x0 = 1 + out.gap / 2;
        return out;
    }
    if (lanes_close(&out)) {
        return out;
    }
    lanes_share(&out, win);
    if (lanes_close(&out)) {
        return out;
    }
    struct trace_lanes timeless = out;
    timeless.clock = 0;
    timeless.time = w;
    if (lanes_close(&timeless)) {
        return timeless;
    }
    out.list = true;
    return out;
}

void trace_add_lane_name(struct str *out, const struct trace_lanes *l, struct node node)
{
    struct str whole = STR_EMPTY;
    int room = l->gap - 1;
    node_say(node, &whole);
    if (node.index == OTHERS && node.kind == NODE_ROUTER) {
        str_add(out, "R..");
    } else if ((int)whole.length <= room) {
        str_add(out, str_text(&whole));
    } else if (node.kind == NODE_CLIENT) {
        str_addf(out, "c-%c", 'a' + node.index % 26);
    } else if (node.kind == NODE_DIRECTORY) {
        str_add(out, "dir");
    } else {
        str_addn(out, str_text(&whole), (size_t)room);
    }
    str_free(&whole);
}
