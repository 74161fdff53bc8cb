/*
 * api_vectors: embeddings for scripts: corpus { points = 2000, dims = 2, groups = 12, seed = 1 },
 * c:query(n), c:near(q, k), c:ivf { parts = 40 }, c:graph { links = 8 }, ix:search(q, { ... }),
 * ix:recall { ... }.
 *
 * A script holds a number, never a pointer. What it describes is made when it is first needed and
 * kept as long as the player, so the same description costs once. Work on vectors is charged by the
 * coordinates that are compared, at a rate of its own (as the engine's events are): a call may
 * compare some 500 million, most of a second.
 */
#include "base/alloc.h"
#include "lesson/api.h"
#include "lesson/vectors.h"
#include <stdlib.h>
#include <string.h>

#define COORDINATES_A_UNIT 128u
#define CORPORA_MAX 16u
#define INDEXES_MAX 64u /* of one kind */
#define RECALLS_MAX 512u
#define QUERY_NUMBER_MAX 1000000
#define BYTES_MAX ((uint64_t)64 << 20) /* of all that one lesson describes */
#define SEED_MAX ((lua_Integer)1 << 24)

struct kept_ivf {
    uint32_t corpus;
    struct ivf_params params;
    struct ivf *ivf; /* NULL: not needed yet */
};
struct kept_graph {
    uint32_t corpus;
    struct graph_params params;
    struct graph *graph;
};
struct vector_store {
    struct corpus *corpus[CORPORA_MAX];
    struct kept_ivf ivf[INDEXES_MAX];
    struct kept_graph graph[INDEXES_MAX];
    struct recall recall[RECALLS_MAX];
    size_t corpora, ivfs, graphs, recalls;
    uint64_t bytes;
};

void vector_store_free(struct vector_store *store)
{
    if (store == NULL) {
        return;
    }
    for (size_t i = 0; i < store->ivfs; i++) {
        ivf_free(store->ivf[i].ivf);
    }
    for (size_t i = 0; i < store->graphs; i++) {
        graph_free(store->graph[i].graph);
    }
    for (size_t i = 0; i < store->corpora; i++) {
        corpus_free(store->corpus[i]);
    }
    free(store);
}

static struct vector_store *store_of(lua_State *L)
{
    struct player *p = player_of(L);
    if (p->vectors == NULL) {
        p->vectors = xcalloc(1, sizeof *p->vectors);
    }
    return p->vectors;
}

void vectors_charge(lua_State *L, uint64_t coordinates)
{
    sandbox_charge(L, (int64_t)(coordinates / COORDINATES_A_UNIT) + 20);
}

static void take_bytes(lua_State *L, uint64_t bytes)
{
    struct vector_store *store = store_of(L);
    if (bytes > BYTES_MAX - store->bytes) {
        sandbox_raise(L, "all vectors and indexes of a lesson take at most %u MB: use fewer points",
                      (unsigned)(BYTES_MAX >> 20));
    }
    store->bytes += bytes;
}

/* --- handles --- */

struct handle {
    uint32_t index;
};
static void push_handle(lua_State *L, const char *type, size_t index)
{
    struct handle *h = lua_newuserdatauv(L, sizeof *h, 0);
    h->index = (uint32_t)index;
    luaL_setmetatable(L, type);
}

static uint32_t handle_arg(lua_State *L, int arg, const char *type)
{
    const struct handle *h = luaL_checkudata(L, arg, type);
    sandbox_charge(L, 20);
    return h->index;
}

const struct corpus *vectors_corpus(lua_State *L, int arg, uint32_t *index)
{
    *index = handle_arg(L, arg, "corpus");
    return store_of(L)->corpus[*index];
}

const struct vector *vectors_vector(lua_State *L, int arg, uint32_t corpus)
{
    const struct vector *v = luaL_checkudata(L, arg, "vector");
    if (v->corpus != corpus) {
        sandbox_raise(L, "this query is of another corpus");
    }
    return v;
}

static const struct ivf *ivf_kept(lua_State *L, uint32_t index)
{
    struct vector_store *store = store_of(L);
    struct kept_ivf *kept = &store->ivf[index];
    if (kept->ivf == NULL) {
        struct err err = {""};
        const struct corpus *c = store->corpus[kept->corpus];
        vectors_charge(L, ivf_work(c, &kept->params));
        int64_t since = sandbox_clock();
        kept->ivf = ivf_new(c, &kept->params, &err);
        sandbox_forgive(L, since);
        if (kept->ivf == NULL) {
            sandbox_raise(L, "%s", err.text);
        }
    }
    return kept->ivf;
}

static const struct graph *graph_kept(lua_State *L, uint32_t index)
{
    struct vector_store *store = store_of(L);
    struct kept_graph *kept = &store->graph[index];
    if (kept->graph == NULL) {
        struct err err = {""};
        const struct corpus *c = store->corpus[kept->corpus];
        vectors_charge(L, graph_work(c, &kept->params));
        int64_t since = sandbox_clock();
        kept->graph = graph_new(c, &kept->params, &err);
        sandbox_forgive(L, since);
        if (kept->graph == NULL) {
            sandbox_raise(L, "%s", err.text);
        }
    }
    return kept->graph;
}

/* --- options --- */

/* The table at `arg` has these fields and no others; without it an empty one is put there. */
void vectors_options(lua_State *L, int arg, const char *what, const char *const *names,
                     size_t count)
{
    if (lua_isnoneornil(L, arg)) {
        lua_settop(L, arg - 1);
        lua_newtable(L);
        return;
    }
    luaL_checktype(L, arg, LUA_TTABLE);
    lua_pushnil(L);
    while (lua_next(L, arg)) {
        lua_pop(L, 1);
        bool known = false;
        sandbox_charge(L, 2);
        for (size_t i = 0; i < count && lua_type(L, -1) == LUA_TSTRING; i++) {
            known = known || strcmp(lua_tostring(L, -1), names[i]) == 0;
        }
        if (!known && lua_type(L, -1) == LUA_TSTRING) {
            api_unknown(L, what, lua_tostring(L, -1), names, count);
        }
        if (!known) {
            sandbox_raise(L, "an option has a name: %s ...", names[0]);
        }
    }
}

uint32_t vectors_option(lua_State *L, int arg, const char *name, lua_Integer otherwise,
                        struct vectors_range range)
{
    lua_Integer n = otherwise;
    lua_getfield(L, arg, name);
    if (!lua_isnil(L, -1)) {
        n = luaL_checkinteger(L, -1);
        if (n < range.low || n > range.high) {
            sandbox_raise(L, "%s: %lld to %lld, not %lld", name, (long long)range.low,
                          (long long)range.high, (long long)n);
        }
    }
    lua_pop(L, 1);
    return (uint32_t)n;
}

/* --- corpora --- */

static int make_corpus(lua_State *L)
{
    static const char *const names[] = {"points", "dims", "groups", "seed"};
    struct vector_store *store = store_of(L);
    struct err err = {""};
    vectors_options(L, 1, "option of a corpus called", names, sizeof names / sizeof *names);
    struct corpus_params params = {
        .points =
            vectors_option(L, 1, "points", 2000, (struct vectors_range){1, VECTORS_POINTS_MAX}),
        .dims = vectors_option(L, 1, "dims", 2, (struct vectors_range){2, VECTORS_DIMS_MAX}),
        .groups = vectors_option(L, 1, "groups", 12, (struct vectors_range){1, VECTORS_GROUPS_MAX}),
        .seed = vectors_option(L, 1, "seed", 1, (struct vectors_range){0, SEED_MAX})};
    for (size_t i = 0; i < store->corpora; i++) {
        const struct corpus_params *kept = corpus_params_of(store->corpus[i]);
        if (kept->points == params.points && kept->dims == params.dims &&
            kept->groups == params.groups && kept->seed == params.seed) {
            push_handle(L, "corpus", i);
            return 1;
        }
    }
    if (store->corpora == CORPORA_MAX) {
        sandbox_raise(L, "at most %u different corpora in one lesson", CORPORA_MAX);
    }
    uint64_t coordinates = (uint64_t)params.points * (params.dims + 6);
    take_bytes(L, coordinates * sizeof(int16_t));
    vectors_charge(L, coordinates * 16); /* several draws each */
    int64_t since = sandbox_clock();
    struct corpus *c = corpus_new(&params, &err);
    sandbox_forgive(L, since);
    if (c == NULL) {
        sandbox_raise(L, "%s", err.text);
    }
    store->corpus[store->corpora] = c;
    push_handle(L, "corpus", store->corpora++);
    return 1;
}

static int corpus_length(lua_State *L)
{
    uint32_t index = 0;
    lua_pushinteger(L, corpus_points(vectors_corpus(L, 1, &index)));
    return 1;
}

static struct vector *push_vector(lua_State *L, uint32_t corpus)
{
    struct vector *v = lua_newuserdatauv(L, sizeof *v, 0);
    memset(v, 0, sizeof *v);
    v->corpus = corpus;
    luaL_setmetatable(L, "vector");
    return v;
}

static int corpus_query_of(lua_State *L)
{
    uint32_t index = 0;
    const struct corpus *c = vectors_corpus(L, 1, &index);
    lua_Integer n = luaL_checkinteger(L, 2);
    if (n < 1 || n > QUERY_NUMBER_MAX) {
        sandbox_raise(L, "queries have numbers from 1 to %d", QUERY_NUMBER_MAX);
    }
    vectors_charge(L, 16 * (uint64_t)corpus_dims(c));
    corpus_query(c, (uint32_t)n, push_vector(L, index)->at);
    return 1;
}

static uint32_t id_arg(lua_State *L, int arg, const struct corpus *c)
{
    lua_Integer id = luaL_checkinteger(L, arg);
    if (id < 0 || id >= (lua_Integer)corpus_points(c)) {
        sandbox_raise(L, "there is no point %lld: 0 to %u", (long long)id, corpus_points(c) - 1);
    }
    return (uint32_t)id;
}

static int corpus_point_of(lua_State *L)
{
    uint32_t index = 0;
    const struct corpus *c = vectors_corpus(L, 1, &index);
    uint32_t id = id_arg(L, 2, c);
    memcpy(push_vector(L, index)->at, corpus_point(c, id), corpus_stride(c) * sizeof(int16_t));
    return 1;
}

static int corpus_nearest(lua_State *L)
{
    uint32_t index = 0;
    struct neighbour near[VECTORS_K_MAX];
    const struct corpus *c = vectors_corpus(L, 1, &index);
    const struct vector *q = vectors_vector(L, 2, index);
    lua_Integer k = luaL_optinteger(L, 3, 10);
    if (k < 1 || k > (lua_Integer)VECTORS_K_MAX) {
        sandbox_raise(L, "near gives 1 to %u points, not %lld", VECTORS_K_MAX, (long long)k);
    }
    vectors_push_ids(L, near, vectors_exact(L, c, q->at, (uint32_t)k, near));
    return 1;
}

/* v[1] ... v[#v] */
static int vector_index(lua_State *L)
{
    const struct vector *v = luaL_checkudata(L, 1, "vector");
    lua_Integer dims = (lua_Integer)corpus_dims(store_of(L)->corpus[v->corpus]);
    lua_Integer i = lua_isinteger(L, 2) ? lua_tointeger(L, 2) : 0;
    sandbox_charge(L, 5);
    if (i < 1 || i > dims) {
        sandbox_raise(L, "a vector has coordinates 1 to %lld", (long long)dims);
    }
    lua_pushinteger(L, v->at[i - 1]);
    return 1;
}

static int vector_length(lua_State *L)
{
    const struct vector *v = luaL_checkudata(L, 1, "vector");
    lua_pushinteger(L, corpus_dims(store_of(L)->corpus[v->corpus]));
    return 1;
}

/* --- indexes --- */

static void room_for_index(lua_State *L, size_t count)
{
    if (count == INDEXES_MAX) {
        sandbox_raise(L, "at most %u different indexes of a kind in one lesson", INDEXES_MAX);
    }
}

static int make_ivf(lua_State *L)
{
    static const char *const names[] = {"parts", "rounds", "seed"};
    struct vector_store *store = store_of(L);
    uint32_t corpus = 0;
    const struct corpus *c = vectors_corpus(L, 1, &corpus);
    vectors_options(L, 2, "option of an index called", names, sizeof names / sizeof *names);
    lua_Integer most = corpus_points(c) < IVF_PARTS_MAX ? corpus_points(c) : IVF_PARTS_MAX;
    struct ivf_params params = {
        .parts =
            vectors_option(L, 2, "parts", most < 40 ? most : 40, (struct vectors_range){1, most}),
        .rounds = vectors_option(L, 2, "rounds", 10, (struct vectors_range){0, IVF_ROUNDS_MAX}),
        .seed = vectors_option(L, 2, "seed", 1, (struct vectors_range){0, SEED_MAX})};
    for (size_t i = 0; i < store->ivfs; i++) {
        const struct kept_ivf *kept = &store->ivf[i];
        if (kept->corpus == corpus && kept->params.parts == params.parts &&
            kept->params.rounds == params.rounds && kept->params.seed == params.seed) {
            push_handle(L, "ivf", i);
            return 1;
        }
    }
    room_for_index(L, store->ivfs);
    take_bytes(L, corpus_points(c) * UINT64_C(6));
    store->ivf[store->ivfs] = (struct kept_ivf){corpus, params, NULL};
    push_handle(L, "ivf", store->ivfs++);
    return 1;
}

static enum graph_by by_option(lua_State *L)
{
    static const char *const names[] = {"id", "hash"};
    enum graph_by by = GRAPH_BY_ID;
    lua_getfield(L, 2, "by");
    if (!lua_isnil(L, -1)) {
        const char *given = luaL_checkstring(L, -1);
        if (strcmp(given, names[0]) != 0 && strcmp(given, names[1]) != 0) {
            api_unknown(L, "way to cut a graph called", given, names, 2);
        }
        by = strcmp(given, names[1]) == 0 ? GRAPH_BY_HASH : GRAPH_BY_ID;
    }
    lua_pop(L, 1);
    return by;
}

static int make_graph(lua_State *L)
{
    static const char *const names[] = {"links", "shards", "by", "seed"};
    struct vector_store *store = store_of(L);
    uint32_t corpus = 0;
    const struct corpus *c = vectors_corpus(L, 1, &corpus);
    vectors_options(L, 2, "option of a graph called", names, sizeof names / sizeof *names);
    struct graph_params params = {
        .links = vectors_option(L, 2, "links", 8, (struct vectors_range){2, GRAPH_LINKS_MAX}),
        .shards = vectors_option(L, 2, "shards", 1, (struct vectors_range){1, GRAPH_SHARDS_MAX}),
        .by = by_option(L),
        .seed = vectors_option(L, 2, "seed", 1, (struct vectors_range){0, SEED_MAX})};
    for (size_t i = 0; i < store->graphs; i++) {
        const struct kept_graph *kept = &store->graph[i];
        if (kept->corpus == corpus && kept->params.links == params.links &&
            kept->params.shards == params.shards && kept->params.by == params.by &&
            kept->params.seed == params.seed) {
            push_handle(L, "graph", i);
            return 1;
        }
    }
    room_for_index(L, store->graphs);
    take_bytes(L, corpus_points(c) * (UINT64_C(10) * params.links + 40));
    store->graph[store->graphs] = (struct kept_graph){corpus, params, NULL};
    push_handle(L, "graph", store->graphs++);
    return 1;
}

const struct ivf *vectors_ivf(lua_State *L, int arg, uint32_t *index, uint32_t *corpus)
{
    *index = handle_arg(L, arg, "ivf");
    *corpus = store_of(L)->ivf[*index].corpus;
    return ivf_kept(L, *index);
}

const struct graph *vectors_graph(lua_State *L, int arg, uint32_t *index, uint32_t *corpus)
{
    *index = handle_arg(L, arg, "graph");
    *corpus = store_of(L)->graph[*index].corpus;
    return graph_kept(L, *index);
}

static const struct ivf *ivf_arg(lua_State *L, int arg)
{
    return ivf_kept(L, handle_arg(L, arg, "ivf"));
}

static int ivf_part_count(lua_State *L)
{
    lua_pushinteger(L, ivf_parts(ivf_arg(L, 1)));
    return 1;
}

static int ivf_size_of(lua_State *L)
{
    const struct ivf *ix = ivf_arg(L, 1);
    lua_Integer part = luaL_checkinteger(L, 2);
    if (part < 0 || part >= (lua_Integer)ivf_parts(ix)) {
        sandbox_raise(L, "there is no part %lld: 0 to %u", (long long)part, ivf_parts(ix) - 1);
    }
    lua_pushinteger(L, ivf_size(ix, (uint32_t)part));
    return 1;
}

static int ivf_largest_part(lua_State *L)
{
    const struct ivf *ix = ivf_arg(L, 1);
    uint32_t part = ivf_largest(ix);
    lua_pushinteger(L, part);
    lua_pushinteger(L, ivf_size(ix, part));
    return 2;
}

static int ivf_part_of_point(lua_State *L)
{
    const struct ivf *ix = ivf_arg(L, 1);
    lua_pushinteger(L, ivf_part_of(ix, id_arg(L, 2, ivf_corpus(ix))));
    return 1;
}

static int graph_shard_of_point(lua_State *L)
{
    const struct graph *g = graph_kept(L, handle_arg(L, 1, "graph"));
    lua_pushinteger(L, graph_shard_of(g, id_arg(L, 2, graph_corpus(g))));
    return 1;
}

/* --- sums of searches --- */

const struct recall *vectors_recall(lua_State *L, const struct recall *asked)
{
    const struct vector_store *store = store_of(L);
    for (size_t i = 0; i < store->recalls; i++) {
        const struct recall *r = &store->recall[i];
        if (r->graph == asked->graph && r->index == asked->index && r->k == asked->k &&
            r->effort == asked->effort && r->queries == asked->queries) {
            return r;
        }
    }
    return NULL;
}

void vectors_keep(lua_State *L, const struct recall *r)
{
    struct vector_store *store = store_of(L);
    if (store->recalls < RECALLS_MAX) {
        store->recall[store->recalls++] = *r;
    }
}

/* --- opening --- */

static void set_length(lua_State *L, const char *type, lua_CFunction length)
{
    luaL_getmetatable(L, type);
    lua_pushcfunction(L, length);
    lua_setfield(L, -2, "__len");
    lua_pop(L, 1);
}

void api_vectors_open(lua_State *L)
{
    static const luaL_Reg of_corpus[] = {{"query", corpus_query_of}, {"point", corpus_point_of},
                                         {"near", corpus_nearest},   {"ivf", make_ivf},
                                         {"graph", make_graph},      {NULL, NULL}};
    static const luaL_Reg of_ivf[] = {{"parts", ivf_part_count},
                                      {"size", ivf_size_of},
                                      {"largest", ivf_largest_part},
                                      {"part_of", ivf_part_of_point},
                                      {"search", vectors_ivf_search},
                                      {"recall", vectors_ivf_recall},
                                      {NULL, NULL}};
    static const luaL_Reg of_graph[] = {{"search", vectors_graph_search},
                                        {"recall", vectors_graph_recall},
                                        {"shard_of", graph_shard_of_point},
                                        {NULL, NULL}};
    api_metatable(L, "corpus", of_corpus, NULL);
    set_length(L, "corpus", corpus_length);
    api_metatable(L, "vector", NULL, vector_index);
    set_length(L, "vector", vector_length);
    api_metatable(L, "ivf", of_ivf, NULL);
    api_metatable(L, "graph", of_graph, NULL);
    sandbox_add(L, "corpus", make_corpus);
}
