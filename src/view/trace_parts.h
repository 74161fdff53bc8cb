/*
 * trace_parts: which records the view `trace` shows, and the lifelines they need; for this folder.
 */
#ifndef HOTSHARD_VIEW_TRACE_PARTS_H
#define HOTSHARD_VIEW_TRACE_PARTS_H

#include "view/inside.h"

#define TRACE_WINDOW_MAX 512
#define TRACE_LANES_MAX 16

/* What is shown: one key and control records, one node's records, or all. */
struct trace_filter {
    bool by_key, by_node, none;
    uint32_t key;
    struct node node;
    bool one_router; /* beside a key: of the news of maps, only what `router` is told */
    uint16_t router;
};

struct trace_filter trace_filter_of(const struct scene *s, const char *argument);
bool trace_same_node(struct node a, struct node b);

struct trace_window {
    const struct trace_record *record[TRACE_WINDOW_MAX]; /* oldest first */
    int count;
    int64_t newer; /* matching records after the window */
    bool older;    /* there are matching records before it */
    int selected;  /* index into record, -1 when empty */
};

void trace_window_fill(struct trace_window *out, const struct scene *s, const struct view_state *v,
                       int rows);
/* How many matching records are newer than the selected one, 0 without a selection. */
int64_t trace_after_selected(const struct scene *s, const struct view_state *v,
                             const struct trace_filter *f);
/* The matching record `steps` older (negative: newer) than `from`, or the last one that way. */
uint64_t trace_walk(const struct scene *s, const struct trace_filter *f, uint64_t from,
                    int64_t steps);

struct trace_lanes {
    struct node node[TRACE_LANES_MAX];
    int count;
    bool too_many;
    bool others; /* routers that only heard of maps share a lane */
    bool list;   /* no room for lifelines */
    int x0, gap; /* column of the first lifeline, columns between two */
    int label;   /* column where labels begin; 0: they stand on the arrows */
    int time;    /* column where the time begins, that of the right edge if it has no room */
    int clock;   /* signs of the time: 12 for "20:11:10.476", 6 for "+6.25", 0 for none */
};

struct trace_lanes trace_lanes_of(const struct trace_window *win, int width);
int trace_lane_x(const struct trace_lanes *l, struct node node); /* -1 without a lifeline */
/* The name over a lifeline, as long as the gap allows. */
void trace_add_lane_name(struct str *out, const struct trace_lanes *l, struct node node);

#endif
