/*
 * across: what the pictures of queries, transactions, catalogs, nodes and the fleet share: marks
 * and their key, a time axis, lists with a selected row, the query that an argument names.
 */
#ifndef HOTSHARD_VIEW_ACROSS_H
#define HOTSHARD_VIEW_ACROSS_H

#include "engine/queries/queries.h"
#include "view/inside.h"

/* --- marks --- */

struct mark {
    uint32_t utf8, ascii;
    enum style style;
    const char *word; /* what it means, in the key */
};

void across_put(struct canvas *c, int x, int y, const struct mark *m);
/* `count` marks with their words, over as many of `rows` lines as it takes; the lines taken. */
int across_draw_key(struct canvas *c, int y, int rows, const struct mark *marks, int count);
/* Of `count` marks those that are there; how many. */
int across_marks_of(const struct mark *marks, const bool *there, int count, struct mark *out);

/* --- time --- */

struct time_axis {
    int64_t from_us, to_us;
    int x, width; /* columns */
};

int across_column(const struct time_axis *a, int64_t us);
/* A line over the axis, `from` at its left and `to` at its right end. */
void across_draw_axis(struct canvas *c, int y, const struct time_axis *a, const char *from,
                      const char *to);

/* --- lists --- */

int64_t across_selected(const struct view_state *v, int64_t count);
bool across_move(struct view_state *v, int64_t count, enum verb verb, int rows);
void across_draw_selected(struct canvas *c, int y, int columns, bool focused);

/* The page shows a store, and no shard's copies: shards are not its matter. */
bool across_about_store(const struct scene *s);
/* 1 + the group whose copies the page shows; 0 where it shows none. */
uint32_t across_group_of_page(const struct scene *s);

/* --- words --- */

const char *across_argument(const struct view_state *v);  /* never NULL */
void across_tell(struct str *out, const char *sentences); /* wrapped, later lines hang */
void across_tell_note(struct str *out, const char *note); /* as a sentence */
void across_add_node(struct str *out, uint32_t node);     /* "N3" */
void across_add_zone(struct str *out, uint32_t zone);     /* "zone a" */
void across_add_dollars(struct str *out, uint64_t cents); /* "$3,110", "$0.35" */

/* Lines that text takes over so many columns. */
int across_lines(const struct str *text, int columns);
/* Lines, each ended, from y on, where there is room for all of them, and none is cut. */
void across_draw_lines(struct canvas *c, int y, const struct str *lines);
/* Text over at most `most` lines from y on, none below the frame; the lines taken. */
int across_flow(struct canvas *c, int y, int most, enum style style, const struct str *text);

/* --- the query that a picture shows --- */

struct gathered {
    const struct world *w;
    bool known, ran; /* there is a query; it was asked */
    uint32_t index;
    struct query_info q;
    struct query_run_info run;
    int64_t end_us;              /* of the run, or now */
    uint32_t heard;              /* parts that are here */
    int64_t slowest_us, rest_us; /* when the last answer came, and the last but it; -1: none */
};

/* The one that the argument names; without one the one that was asked last. */
void gathered_open(struct gathered *out, const struct scene *s, const char *argument);
/* Why there is nothing to show. */
void gathered_add_none(struct str *out, const struct gathered *g, const char *argument);
/* A query that was never asked: the shards that have the data, and their zones. */
void gathered_draw_unasked(struct canvas *c, const struct gathered *g);
/* A part that nobody waits for any more, without an answer. */
bool gathered_missing(const struct gathered *g, const struct query_part_info *p);

#endif
