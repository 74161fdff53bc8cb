/*
 * waterfall_parts: which reads the view `waterfall` shows, as rows.
 */
#ifndef HOTSHARD_VIEW_WATERFALL_PARTS_H
#define HOTSHARD_VIEW_WATERFALL_PARTS_H

#include "view/asked.h"

#define AXIS_ROWS 2 /* the head and the axis */

enum fall_kind {
    FALL_QUERY, /* a router's, for those who wait */
    FALL_WAITS,
    FALL_ALONE, /* asks the shard itself */
    FALL_OPEN,  /* not at its router yet, or turned away there */
    FALL_CACHED /* several, which a cache answered at once */
};

struct fall_row {
    enum fall_kind kind;
    const struct asked *a; /* the first of several */
    size_t from, many;     /* FALL_CACHED: into `order` */
    uint32_t waiting;      /* FALL_QUERY: how many wait for it, as far as is remembered */
    uint64_t group;        /* number of the query */
};

struct fall {
    struct asked_list list;
    const struct asked **order; /* reads of the key, by when they were asked */
    size_t reads, queries;      /* clients' reads; what went to a shard */
    struct fall_row *row;
    size_t rows;
    uint32_t key;
    bool known; /* the key was asked for at all */
};

/* False, with nothing to close, where there is nothing to show. */
bool fall_open(struct fall *f, const struct scene *s, const struct view_state *v);
void fall_close(struct fall *f);
bool fall_from_cache(const struct asked *a); /* a copy answered, no shard */
bool fall_row_has(const struct fall *f, const struct fall_row *row, uint64_t number);
int64_t fall_selected_row(const struct fall *f, const struct view_state *v);
int fall_line_rows(int h); /* rows of lines in a pane of so many */
int64_t fall_first_row(const struct fall *f, const struct view_state *v, int rows);

#endif
