/*
 * graph: layered navigable graphs over the shards of a corpus, and searches that walk them.
 */
#include "place/graph.h"
#include "base/alloc.h"
#include "base/check.h"
#include "base/prng.h"
#include <stdlib.h>
#include <string.h>

#define NOBODY UINT32_MAX

struct node {
    uint32_t layer; /* the highest */
    uint32_t shard;
    size_t links;  /* where its neighbours begin in graph.link: layer 0, then 1, 2 ... */
    size_t counts; /* where their numbers begin in graph.count */
};

struct graph {
    const struct corpus *corpus;
    struct graph_params params;
    struct node *node;
    uint32_t *link;
    uint8_t *count;
    uint32_t entry[GRAPH_SHARDS_MAX], size[GRAPH_SHARDS_MAX];
};

static uint32_t room(const struct graph *g, uint32_t layer)
{
    return layer == 0 ? 2 * g->params.links : g->params.links;
}

static uint32_t *links_at(const struct graph *g, uint32_t id, uint32_t layer)
{
    size_t before = layer == 0 ? 0 : (size_t)(layer + 1) * g->params.links;
    return &g->link[g->node[id].links + before];
}

static uint8_t *count_at(const struct graph *g, uint32_t id, uint32_t layer)
{
    return &g->count[g->node[id].counts + layer];
}

static uint32_t between(const struct graph *g, uint32_t a, uint32_t b)
{
    return vectors_distance(corpus_point(g->corpus, a), corpus_point(g->corpus, b),
                            corpus_stride(g->corpus));
}

/* --- walking --- */

/* A point that the search has seen and keeps; `from` led there. */
struct spot {
    uint32_t distance, id, from;
    bool left; /* the search went on from it */
};

struct walk {
    const struct graph *g;
    const int16_t *query;
    uint64_t *seen; /* a bit a point */
    struct spot spot[GRAPH_WIDTH_MAX];
    size_t spots, width;
    struct graph_asked asked;
    struct graph_hop *hop; /* NULL: nobody wants them */
    size_t hops_most;
};

static void walk_open(struct walk *w, const struct graph *g, const int16_t *query)
{
    memset(w, 0, sizeof *w);
    w->g = g;
    w->query = query;
    w->seen = xcalloc(corpus_points(g->corpus) / 64 + 1, sizeof *w->seen);
}

static void walk_close(struct walk *w)
{
    free(w->seen);
}

static bool first_sight(struct walk *w, uint32_t id)
{
    uint64_t bit = UINT64_C(1) << (id % 64);
    bool first = (w->seen[id / 64] & bit) == 0;
    w->seen[id / 64] |= bit;
    return first;
}

static bool before(const struct spot *a, const struct spot *b)
{
    return a->distance != b->distance ? a->distance < b->distance : a->id < b->id;
}

/* Compares the query with a point, and keeps it when it is among the nearest. */
static void look(struct walk *w, uint32_t id, uint32_t from)
{
    const struct corpus *c = w->g->corpus;
    struct spot s = {.id = id, .from = from};
    s.distance = vectors_distance(w->query, corpus_point(c, id), corpus_stride(c));
    w->asked.looked++;
    if (w->spots == w->width && !before(&s, &w->spot[w->spots - 1])) {
        return;
    }
    size_t at = w->spots < w->width ? w->spots++ : w->width - 1;
    while (at > 0 && before(&s, &w->spot[at - 1])) {
        w->spot[at] = w->spot[at - 1];
        at--;
    }
    w->spot[at] = s;
}

static void note_hop(struct walk *w, const struct spot *s, uint32_t layer)
{
    if (w->hop != NULL && w->asked.hops < w->hops_most) {
        w->hop[w->asked.hops] =
            (struct graph_hop){s->id, s->from, s->distance, layer, w->asked.looked};
    }
    w->asked.hops++;
}

/* On a layer, from the spots that are there: until there is no nearer one to go on from. */
static void walk_layer(struct walk *w, uint32_t layer)
{
    for (size_t i = 0; i < w->spots;) {
        if (w->spot[i].left) {
            i++;
            continue;
        }
        w->spot[i].left = true;
        struct spot here = w->spot[i];
        note_hop(w, &here, layer);
        size_t count = *count_at(w->g, here.id, layer);
        const uint32_t *links = links_at(w->g, here.id, layer);
        for (size_t n = 0; n < count; n++) {
            if (first_sight(w, links[n])) {
                look(w, links[n], here.id);
            }
        }
        i = 0;
    }
}

/* The layer is over: the nearest `keep` spots are where the next one begins. */
static void walk_down(struct walk *w, size_t keep, size_t width)
{
    memset(w->seen, 0, (corpus_points(w->g->corpus) / 64 + 1) * sizeof *w->seen);
    w->spots = w->spots < keep ? w->spots : keep;
    w->width = width;
    for (size_t i = 0; i < w->spots; i++) {
        w->spot[i].left = false;
        (void)first_sight(w, w->spot[i].id);
    }
}

/* From the top down to layer `to`, the nearest one of each layer leading on. */
static void walk_to(struct walk *w, uint32_t entry, uint32_t to, size_t width)
{
    uint32_t layer = w->g->node[entry].layer;
    w->width = 1;
    (void)first_sight(w, entry);
    look(w, entry, entry);
    for (; layer > to; layer--) {
        walk_layer(w, layer);
        walk_down(w, 1, 1);
    }
    w->width = width;
}

/* --- making --- */

/* Algorithm 4: of candidates by their distance from `id`, those that are nearer to it than to any
 * that was chosen before. */
static size_t choose(const struct graph *g, const struct neighbour *candidate, size_t candidates,
                     size_t most, uint32_t *out)
{
    size_t count = 0;
    for (size_t i = 0; i < candidates && count < most; i++) {
        bool good = true;
        for (size_t k = 0; k < count && good; k++) {
            good = between(g, candidate[i].id, out[k]) >= candidate[i].distance;
        }
        if (good) {
            out[count++] = candidate[i].id;
        }
    }
    return count;
}

/* `id` gets one neighbour more, and gives up the worst when it has too many. */
static void link_back(struct graph *g, uint32_t id, uint32_t other, uint32_t layer)
{
    struct neighbour candidate[2 * GRAPH_LINKS_MAX + 1];
    uint32_t *links = links_at(g, id, layer), most = room(g, layer);
    uint8_t *count = count_at(g, id, layer);
    if (*count < most) {
        links[(*count)++] = other;
        return;
    }
    size_t candidates = 0;
    for (size_t i = 0; i < *count; i++) {
        candidates = vectors_offer(candidate, candidates, most + 1,
                                   (struct neighbour){between(g, id, links[i]), links[i]});
    }
    candidates = vectors_offer(candidate, candidates, most + 1,
                               (struct neighbour){between(g, id, other), other});
    *count = (uint8_t)choose(g, candidate, candidates, most, links);
}

static void insert(struct graph *g, struct walk *w, uint32_t id)
{
    uint32_t shard = g->node[id].shard, top = g->node[id].layer, entry = g->entry[shard];
    if (entry == NOBODY) {
        g->entry[shard] = id;
        return;
    }
    uint32_t highest = g->node[entry].layer;
    walk_open(w, g, corpus_point(g->corpus, id));
    walk_to(w, entry, top < highest ? top : highest, GRAPH_MAKING_WIDTH);
    for (uint32_t layer = (top < highest ? top : highest) + 1; layer-- > 0;) {
        struct neighbour near[GRAPH_MAKING_WIDTH];
        walk_layer(w, layer);
        for (size_t i = 0; i < w->spots; i++) {
            near[i] = (struct neighbour){w->spot[i].distance, w->spot[i].id};
        }
        uint32_t *links = links_at(g, id, layer);
        size_t count = choose(g, near, w->spots, g->params.links, links);
        *count_at(g, id, layer) = (uint8_t)count;
        for (size_t i = 0; i < count; i++) {
            link_back(g, links[i], id, layer);
        }
        walk_down(w, GRAPH_MAKING_WIDTH, GRAPH_MAKING_WIDTH);
    }
    walk_close(w);
    if (top > highest) {
        g->entry[shard] = id;
    }
}

static uint32_t shard_for(const struct graph_params *p, uint32_t id, uint32_t points)
{
    return p->by == GRAPH_BY_ID ? (uint32_t)((uint64_t)id * p->shards / points)
                                : (uint32_t)(mix64(id) % p->shards);
}

/* Layers and shards of all points, and room for their links. */
static void place_points(struct graph *g)
{
    uint32_t points = corpus_points(g->corpus), links = g->params.links;
    struct prng random = prng_seeded(g->params.seed, "graph-layers");
    size_t all_links = 0, all_counts = 0;
    for (uint32_t id = 0; id < points; id++) {
        struct node *n = &g->node[id];
        while (n->layer + 1 < GRAPH_LAYERS_MAX && prng_chance(&random, 1, links)) {
            n->layer++;
        }
        n->shard = shard_for(&g->params, id, points);
        n->links = all_links;
        n->counts = all_counts;
        all_links += (size_t)(n->layer + 2) * links;
        all_counts += n->layer + 1;
        g->size[n->shard]++;
    }
    g->link = xcalloc(all_links, sizeof *g->link);
    g->count = xcalloc(all_counts, sizeof *g->count);
}

static bool fits(const struct corpus *c, const struct graph_params *p, struct err *err)
{
    if (p->links < 2 || p->links > GRAPH_LINKS_MAX) {
        return err_set(err, "a point has 2 to %u links, not %u", GRAPH_LINKS_MAX, p->links);
    }
    if (p->shards < 1 || p->shards > GRAPH_SHARDS_MAX) {
        return err_set(err, "a graph is cut into 1 to %u shards, not %u", GRAPH_SHARDS_MAX,
                       p->shards);
    }
    uint32_t size[GRAPH_SHARDS_MAX] = {0};
    for (uint32_t id = 0; id < corpus_points(c); id++) {
        size[shard_for(p, id, corpus_points(c))]++;
    }
    for (uint32_t s = 0; s < p->shards; s++) {
        if (size[s] == 0) {
            return err_set(err, "shard %u of %u gets none of %u points: ask for fewer shards", s,
                           p->shards, corpus_points(c));
        }
    }
    return true;
}

struct graph *graph_new(const struct corpus *c, const struct graph_params *params, struct err *err)
{
    if (!fits(c, params, err)) {
        return NULL;
    }
    struct graph *g = xcalloc(1, sizeof *g);
    struct walk *walk = xmalloc(sizeof *walk);
    g->corpus = c;
    g->params = *params;
    g->node = xcalloc(corpus_points(c), sizeof *g->node);
    for (uint32_t s = 0; s < GRAPH_SHARDS_MAX; s++) {
        g->entry[s] = NOBODY;
    }
    place_points(g);
    for (uint32_t id = 0; id < corpus_points(c); id++) {
        insert(g, walk, id);
    }
    free(walk);
    return g;
}

void graph_free(struct graph *g)
{
    if (g != NULL) {
        free(g->node);
        free(g->link);
        free(g->count);
        free(g);
    }
}

/* Each point is compared with a few hundred others, and its candidates with each other. */
uint64_t graph_work(const struct corpus *c, const struct graph_params *params)
{
    uint64_t each = 150 + 50 * (uint64_t)params->links;
    return corpus_points(c) * each * (corpus_stride(c) + 8);
}

/* --- reading --- */

const struct corpus *graph_corpus(const struct graph *g)
{
    return g->corpus;
}

const struct graph_params *graph_params_of(const struct graph *g)
{
    return &g->params;
}

uint32_t graph_size(const struct graph *g, uint32_t shard)
{
    CHECK(shard < g->params.shards);
    return g->size[shard];
}

uint32_t graph_shard_of(const struct graph *g, uint32_t id)
{
    CHECK(id < corpus_points(g->corpus));
    return g->node[id].shard;
}

uint32_t graph_layer_of(const struct graph *g, uint32_t id)
{
    CHECK(id < corpus_points(g->corpus));
    return g->node[id].layer;
}

uint32_t graph_entry(const struct graph *g, uint32_t shard)
{
    CHECK(shard < g->params.shards);
    return g->entry[shard];
}

const uint32_t *graph_links(const struct graph *g, uint32_t id, uint32_t layer, size_t *count)
{
    CHECK(id < corpus_points(g->corpus) && layer <= g->node[id].layer);
    *count = *count_at(g, id, layer);
    return links_at(g, id, layer);
}

/* --- searching --- */

static void search_shard(struct walk *w, uint32_t shard, uint32_t width)
{
    walk_to(w, w->g->entry[shard], 0, width);
    walk_layer(w, 0);
}

static uint32_t width_for(const struct graph_ask *ask)
{
    CHECK(ask->k <= VECTORS_K_MAX && ask->width <= GRAPH_WIDTH_MAX);
    uint32_t width = ask->width < ask->k ? (uint32_t)ask->k : ask->width;
    return width < 1 ? 1 : width;
}

void graph_search(const struct graph *g, const struct graph_ask *ask, struct graph_found *out)
{
    struct walk *w = xmalloc(sizeof *w);
    memset(out, 0, sizeof *out);
    for (uint32_t s = 0; s < g->params.shards; s++) {
        walk_open(w, g, ask->query);
        search_shard(w, s, width_for(ask));
        for (size_t i = 0; i < w->spots && i < ask->k; i++) {
            out->count = vectors_offer(out->found, out->count, ask->k,
                                       (struct neighbour){w->spot[i].distance, w->spot[i].id});
        }
        out->shard[s] = w->asked;
        out->looked += w->asked.looked;
        out->hops += w->asked.hops;
        walk_close(w);
    }
    free(w);
}

size_t graph_path(const struct graph *g, uint32_t shard, const struct graph_ask *ask,
                  struct graph_hop *out, size_t most)
{
    CHECK(shard < g->params.shards);
    struct walk *w = xmalloc(sizeof *w);
    walk_open(w, g, ask->query);
    w->hop = out;
    w->hops_most = most;
    search_shard(w, shard, width_for(ask));
    size_t count = w->asked.hops < most ? w->asked.hops : most;
    walk_close(w);
    free(w);
    return count;
}
