/*
 * graph: layered graphs that a search walks from point to point towards a query, one a shard.
 *
 * Y. Malkov, D. Yashunin, "Efficient and robust approximate nearest neighbor search using
 * Hierarchical Navigable Small World graphs" (2016): algorithms 1, 2, 4 and 5. Every point is on
 * layer 0; it is on the next layer up with chance 1 in `links`. A point has at most `links`
 * neighbours on a layer, twice as many on layer 0, chosen so that none lies nearer to another
 * chosen one than to the point itself (algorithm 4, nothing put back). A search enters at the top,
 * goes to whatever neighbour is nearer until none is, goes down a layer, and on layer 0 keeps the
 * `width` nearest that it has seen, and goes on from each.
 *
 * A graph cannot be cut without losing its edges: so each shard has one of its own, over its share
 * of the points; all are asked, and their answers are merged. By "id" a shard has a range of ids,
 * by "hash" what a hash of the id gives it.
 */
#ifndef HOTSHARD_PLACE_GRAPH_H
#define HOTSHARD_PLACE_GRAPH_H

#include "place/vectors.h"

#define GRAPH_LINKS_MAX 32u /* and 2 at least */
#define GRAPH_SHARDS_MAX 64u
#define GRAPH_WIDTH_MAX 1024u
#define GRAPH_LAYERS_MAX 16u
#define GRAPH_MAKING_WIDTH 48u /* candidates for a new point's neighbours */

enum graph_by {
    GRAPH_BY_ID,
    GRAPH_BY_HASH
};

struct graph_params {
    uint32_t links, shards;
    enum graph_by by;
    uint64_t seed;
};

struct graph;

/* The corpus must outlive it. Every shard has a point, or it is refused. */
struct graph *graph_new(const struct corpus *c, const struct graph_params *params, struct err *err);
void graph_free(struct graph *g);
/* About as many coordinates are compared in making it. */
uint64_t graph_work(const struct corpus *c, const struct graph_params *params);

const struct corpus *graph_corpus(const struct graph *g);
const struct graph_params *graph_params_of(const struct graph *g);
uint32_t graph_size(const struct graph *g, uint32_t shard); /* points */
uint32_t graph_shard_of(const struct graph *g, uint32_t id);
uint32_t graph_layer_of(const struct graph *g, uint32_t id); /* the highest that it is on */
uint32_t graph_entry(const struct graph *g, uint32_t shard); /* where searches begin */
/* Neighbours of a point on a layer that it is on. */
const uint32_t *graph_links(const struct graph *g, uint32_t id, uint32_t layer, size_t *count);

/* A point that a search went on from, in the order in which it did; `from`: the point through which
 * it came there, itself for the entry. */
struct graph_hop {
    uint32_t id, from, distance;
    uint32_t layer;
    uint32_t looked; /* points compared until then, in this shard */
};

struct graph_asked {
    uint32_t looked; /* points that the query was compared with */
    uint32_t hops;   /* points that it went on from */
};

struct graph_found {
    struct neighbour found[VECTORS_K_MAX]; /* of all shards, the nearest first */
    size_t count;
    uint32_t looked, hops;
    struct graph_asked shard[GRAPH_SHARDS_MAX];
};
struct graph_ask {
    const int16_t *query;
    size_t k;
    uint32_t width; /* from k on; a smaller one counts as k */
};
void graph_search(const struct graph *g, const struct graph_ask *ask, struct graph_found *out);
/* The way of that search in one shard: at most `most` hops; returns how many. */
size_t graph_path(const struct graph *g, uint32_t shard, const struct graph_ask *ask,
                  struct graph_hop *out, size_t most);

#endif
