/*
 * vectors: what the files about embeddings share: the corpora and indexes that a script described,
 * and what it holds of them.
 */
#ifndef HOTSHARD_LESSON_VECTORS_H
#define HOTSHARD_LESSON_VECTORS_H

#include "lesson/api.h"
#include "place/graph.h"
#include "place/ivf.h"

/* A vector of a corpus, as a value. */
struct vector {
    uint32_t corpus;
    int16_t at[VECTORS_DIMS_MAX];
};

/* What so many queries gave: sums. */
struct recall {
    bool graph;
    uint32_t index, k, effort, queries; /* effort: probe or width */
    uint64_t common, wanted, looked, hops;
};

/* A handle at `arg`, or an error; what it stands for is made now when it was not needed yet. */
const struct corpus *vectors_corpus(lua_State *L, int arg, uint32_t *index);
const struct ivf *vectors_ivf(lua_State *L, int arg, uint32_t *index, uint32_t *corpus);
const struct graph *vectors_graph(lua_State *L, int arg, uint32_t *index, uint32_t *corpus);
/* A query of that corpus. */
const struct vector *vectors_vector(lua_State *L, int arg, uint32_t corpus);
/* So many coordinates are compared. */
void vectors_charge(lua_State *L, uint64_t coordinates);

/* The table at `arg` has these fields and no others; without it an empty one is put there. */
void vectors_options(lua_State *L, int arg, const char *what, const char *const *names,
                     size_t count);
/* A whole number among them. */
struct vectors_range {
    lua_Integer low, high;
};
uint32_t vectors_option(lua_State *L, int arg, const char *name, lua_Integer otherwise,
                        struct vectors_range range);

/* Sums that are known already, NULL: not yet. */
const struct recall *vectors_recall(lua_State *L, const struct recall *asked);
void vectors_keep(lua_State *L, const struct recall *r);

/* Functions of an index that search (api_nearest.c); each ends with a NULL name. */
void vectors_push_ids(lua_State *L, const struct neighbour *list, size_t count);
size_t vectors_exact(lua_State *L, const struct corpus *c, const int16_t *query, uint32_t k,
                     struct neighbour *out);
int vectors_ivf_search(lua_State *L);
int vectors_ivf_recall(lua_State *L);
int vectors_graph_search(lua_State *L);
int vectors_graph_recall(lua_State *L);

#endif
