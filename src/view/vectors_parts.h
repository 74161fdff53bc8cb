/*
 * vectors_parts: what the files of the picture `vectors` share: a search, made anew from the page.
 */
#ifndef HOTSHARD_VIEW_VECTORS_PARTS_H
#define HOTSHARD_VIEW_VECTORS_PARTS_H

#include "view/inside.h"

#define VECTORS_HOPS_MAX 256u

struct vectors_search {
    const struct page_vectors *page;
    const struct corpus *corpus;
    bool asked; /* there is a query */
    bool open;  /* the question is: what a search finds is not told */
    bool flat;  /* two dimensions: the map is the whole truth */
    struct neighbour exact[VECTORS_K_MAX];
    bool found[VECTORS_K_MAX]; /* of these */
    size_t exacts, common;
    /* An inverted file: parts by the distance of their centroids, and what was scanned. */
    struct neighbour order[IVF_PARTS_MAX];
    struct ivf_found in_parts;
    /* A graph: what all shards found, and the way in one of them. */
    struct graph_found in_graph;
    uint32_t shard;
    struct graph_hop hop[VECTORS_HOPS_MAX];
    size_t hops;
    int64_t at; /* selected: a part by its rank, a hop, or a neighbour; from 0 */
    int64_t items;
    bool selected, focused; /* by the learner */
};

/* NULL when the page has no search among vectors; else to be freed with free(). */
struct vectors_search *vectors_search_of(const struct scene *s, const struct view_state *v);
/* v->selected keeps both: which shard's way is shown, and what of it is selected. */
int64_t vectors_selection(uint32_t shard, int64_t item);

uint32_t vectors_root(uint32_t square); /* the distance itself, rounded */
/* How many of the true nearest are in a part, and how many of these were found. */
size_t vectors_near_in(const struct vectors_search *x, uint32_t part, size_t *found);
uint32_t vectors_rank_of(const struct vectors_search *x, uint32_t part); /* from 0 */

/* Sentences. */
void vectors_say_made(struct str *out, const struct vectors_search *x);   /* corpus and index */
void vectors_say_effort(struct str *out, const struct vectors_search *x); /* what was looked at */
void vectors_say_found(struct str *out, const struct vectors_search *x);  /* and what came of it */
void vectors_say_item(struct str *out, const struct vectors_search *x);   /* the selected thing */
void vectors_tell(struct str *out, const struct scene *s, const struct view_state *v);

/* vectors_map.c: the map in the frame. `level`: 0 the whole, 1 the parts around the query (or the
 * way through a graph), 2 its nearest neighbours, from 3 on closer still. */
#define VECTORS_LEVELS 5
struct vectors_window {
    int64_t x, y, w, h; /* of the space */
};
struct vectors_window vectors_window_of(const struct vectors_search *x, int level, int columns,
                                        int rows);
void vectors_draw_map(struct canvas *c, const struct vectors_search *x,
                      const struct vectors_window *window);
/* A frame around what another map shows. */
void vectors_draw_frame(struct canvas *c, const struct vectors_window *whole,
                        const struct vectors_window *part);

#endif
