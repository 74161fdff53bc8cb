/*
 * trace_parts: which records the view `trace` shows, and the lifelines they need; for this folder.
 */
#ifndef HOTSHARD_VIEW_TRACE_PARTS_H
#define HOTSHARD_VIEW_TRACE_PARTS_H

#include "engine/systems/systems.h"
#include "view/inside.h"

#define TRACE_WINDOW_MAX 512
#define TRACE_LANES_MAX 16
#define TRACE_NOTED_EACH 8 /* of the last records that a system keeps */
#define TRACE_NOTED_MAX (SYSTEMS * TRACE_NOTED_EACH)

/* What is shown: one key and control records; the records of one node, of one shard's copies, of
 * one store, of one or all systems that people run; or all. */
struct trace_filter {
    bool by_key, by_node, by_group, by_store, by_system, none;
    uint32_t index; /* of the group, the store, or the system: SYSTEM_ALL */
    uint32_t key;
    struct node node;
    bool one_router; /* beside a key: of the news of maps, only what `router` is told */
    uint16_t router;
};

struct trace_filter trace_filter_of(const struct scene *s, const char *argument);
bool trace_same_node(struct node a, struct node b);

struct trace_window {
    /* Oldest first; NULL where records of the request are folded away. */
    const struct trace_record *record[TRACE_WINDOW_MAX];
    int folded[TRACE_WINDOW_MAX]; /* how many, beside a NULL */
    int count;
    int64_t newer;    /* matching records after the window */
    bool older;       /* there are matching records before it, or between, that are not shown */
    int selected;     /* index into record, -1 when empty */
    uint64_t request; /* the last one that is shown, 0: none */
    /* Systems keep their last records where the trace has long dropped them: copies of those. */
    struct trace_record noted[TRACE_NOTED_MAX];
};

void trace_window_fill(struct trace_window *out, const struct scene *s, const struct view_state *v,
                       int rows);
/* Rows that it takes to show the last request whole, beside what else happened meanwhile to those
 * whom it concerns. */
int trace_request_rows(const struct scene *s, const struct view_state *v);
/* Records of found (newest first, `count` of them) in at most `rows`, into an empty window: the
 * last `rows` when the last request is whole in them, and otherwise the request without what is
 * dull. False when there is no request or it is too long: nothing is in the window then. */
bool trace_fold(struct trace_window *out, const struct trace_record *const found[], int count,
                int rows);
/* How many of found, newest first, reach back to where the last request began; 0 without one. */
int trace_request_span(const struct trace_record *const found[], int count);
/* An answer that is not plainly OK, a time-out, a word that did not get through. */
bool trace_notable(const struct trace_record *r);
enum style trace_record_style(const struct trace_record *r);
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
    bool clients; /* the clients' lane is of several */
    bool others;  /* routers that only heard of maps share a lane */
    bool list;    /* no room for lifelines */
    int x0, gap;  /* column of the first lifeline, columns between two */
    int label;    /* column where labels begin; 0: they stand on the arrows */
    int time;     /* column where the time begins, that of the right edge if it has no room */
    int clock;    /* signs of the time: 12 for "20:11:10.476", 6 for "+6.25", 0 for none */
};

/* Columns that the longest label takes: with whole keys, and with their tags. */
struct trace_widths {
    int whole, brief;
};

struct trace_lanes trace_lanes_of(const struct trace_window *win, int width,
                                  struct trace_widths labels);
int trace_lane_x(const struct trace_lanes *l, struct node node); /* -1 without a lifeline */
/* The name over a lifeline, in at most `room` columns. */
void trace_add_lane_name(struct str *out, const struct trace_lanes *l, struct node node, int room);

#endif
