/*
 * api_nearest: searches in indexes of vectors: ix:search(q, { k = 10, probe = 3 }), ix:recall { },
 * g:search(q, { k = 10, width = 32 }), g:recall { }.
 *
 * Each search is compared with the exact answer, which costs a look at every point: most of what is
 * charged here. The sums of ix:recall are kept.
 */
#include "lesson/vectors.h"

#define QUERIES_MAX 1000u

void vectors_push_ids(lua_State *L, const struct neighbour *list, size_t count)
{
    lua_createtable(L, (int)count, 0);
    for (size_t i = 0; i < count; i++) {
        lua_pushinteger(L, list[i].id);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
}

size_t vectors_exact(lua_State *L, const struct corpus *c, const int16_t *query, uint32_t k,
                     struct neighbour *out)
{
    vectors_charge(L, (uint64_t)corpus_points(c) * corpus_stride(c));
    int64_t since = sandbox_clock();
    size_t count = corpus_near(c, query, k, out);
    sandbox_forgive(L, since);
    return count;
}

/* --- searches --- */

/* A percentage with one decimal at most. */
static void set_percent(lua_State *L, const char *name, uint64_t part, uint64_t whole)
{
    uint64_t tenths = whole > 0 ? (part * 2000 + whole) / (2 * whole) : 0;
    if (tenths % 10 == 0) {
        lua_pushinteger(L, (lua_Integer)(tenths / 10));
    } else {
        lua_pushnumber(L, (lua_Number)tenths / 10);
    }
    lua_setfield(L, -2, name);
}

/* A mean with one decimal at most. */
static void set_mean(lua_State *L, const char *name, uint64_t sum, uint64_t count)
{
    set_percent(L, name, sum, count * 100);
}

/* What was asked, what is nearest, and what was found. */
struct search {
    const struct vector *query;
    uint32_t k, effort, queries;
    struct neighbour exact[VECTORS_K_MAX];
    size_t exacts;
};

/* --- ivf --- */

static void ivf_options(lua_State *L, int arg, const struct ivf *ix, struct search *s)
{
    static const char *const names[] = {"k", "probe", "queries"};
    vectors_options(L, arg, "option of a search called", names, s->queries > 0 ? 3 : 2);
    s->k = vectors_option(L, arg, "k", 10, (struct vectors_range){1, VECTORS_K_MAX});
    s->effort = vectors_option(L, arg, "probe", 1, (struct vectors_range){1, ivf_parts(ix)});
    if (s->queries > 0) {
        s->queries =
            vectors_option(L, arg, "queries", s->queries, (struct vectors_range){1, QUERIES_MAX});
    }
}

static void search_ivf(lua_State *L, const struct ivf *ix, const int16_t *query, struct search *s,
                       struct neighbour *order, struct ivf_found *out)
{
    const struct corpus *c = ivf_corpus(ix);
    s->exacts = vectors_exact(L, c, query, s->k, s->exact);
    vectors_charge(L, (uint64_t)ivf_parts(ix) * (corpus_stride(c) + 8));
    int64_t since = sandbox_clock();
    ivf_rank(ix, query, order);
    ivf_search(ix, query, order, s->effort, s->k, out);
    sandbox_forgive(L, since);
    vectors_charge(L, (uint64_t)out->scanned * corpus_stride(c));
}

/* missed: { { id =, part =, rank = }, .. }: probing `rank` parts would have found it */
static void set_missed(lua_State *L, const struct ivf *ix, const struct search *s,
                       const struct neighbour *order, const struct ivf_found *found)
{
    lua_Integer count = 0;
    lua_newtable(L);
    for (size_t i = 0; i < s->exacts; i++) {
        if (vectors_common(&s->exact[i], 1, found->found, found->count) > 0) {
            continue;
        }
        uint32_t part = ivf_part_of(ix, s->exact[i].id), rank = 0;
        while (order[rank].id != part) {
            rank++;
        }
        lua_createtable(L, 0, 3);
        api_set_number(L, "id", s->exact[i].id);
        api_set_number(L, "part", part);
        api_set_number(L, "rank", rank + 1);
        lua_rawseti(L, -2, ++count);
    }
    lua_setfield(L, -2, "missed");
}

int vectors_ivf_search(lua_State *L)
{
    uint32_t index = 0, corpus = 0;
    const struct ivf *ix = vectors_ivf(L, 1, &index, &corpus);
    const struct corpus *c = ivf_corpus(ix);
    struct search s = {.query = vectors_vector(L, 2, corpus)};
    struct neighbour order[IVF_PARTS_MAX];
    struct ivf_found out = {.count = 0};
    ivf_options(L, 3, ix, &s);
    search_ivf(L, ix, s.query->at, &s, order, &out);
    size_t common = vectors_common(s.exact, s.exacts, out.found, out.count);
    lua_createtable(L, 0, 9);
    vectors_push_ids(L, out.found, out.count);
    lua_setfield(L, -2, "ids");
    vectors_push_ids(L, order, s.effort);
    lua_setfield(L, -2, "parts");
    api_set_number(L, "scanned", out.scanned);
    api_set_number(L, "centroids", ivf_parts(ix));
    api_set_number(L, "found", (int64_t)common);
    set_percent(L, "share", out.scanned, corpus_points(c));
    set_percent(L, "recall", common, s.exacts);
    set_missed(L, ix, &s, order, &out);
    return 1;
}

int vectors_ivf_recall(lua_State *L)
{
    uint32_t index = 0, corpus = 0;
    const struct ivf *ix = vectors_ivf(L, 1, &index, &corpus);
    const struct corpus *c = ivf_corpus(ix);
    struct search s = {.queries = 100};
    struct neighbour order[IVF_PARTS_MAX];
    struct ivf_found out = {.count = 0};
    int16_t query[VECTORS_DIMS_MAX];
    ivf_options(L, 2, ix, &s);
    struct recall r = {.index = index, .k = s.k, .effort = s.effort, .queries = s.queries};
    const struct recall *known = vectors_recall(L, &r);
    for (uint32_t n = 1; known == NULL && n <= s.queries; n++) {
        corpus_query(c, n, query);
        search_ivf(L, ix, query, &s, order, &out);
        r.common += vectors_common(s.exact, s.exacts, out.found, out.count);
        r.wanted += s.exacts;
        r.looked += out.scanned;
    }
    if (known == NULL) {
        vectors_keep(L, &r);
    } else {
        r = *known;
    }
    lua_createtable(L, 0, 3);
    set_percent(L, "recall", r.common, r.wanted);
    set_mean(L, "scanned", r.looked, r.queries);
    set_percent(L, "share", r.looked, (uint64_t)r.queries * corpus_points(c));
    return 1;
}

/* --- graph --- */

static void graph_options(lua_State *L, int arg, struct search *s)
{
    static const char *const names[] = {"k", "width", "queries"};
    vectors_options(L, arg, "option of a search called", names, s->queries > 0 ? 3 : 2);
    s->k = vectors_option(L, arg, "k", 10, (struct vectors_range){1, VECTORS_K_MAX});
    s->effort = vectors_option(L, arg, "width", 32, (struct vectors_range){1, GRAPH_WIDTH_MAX});
    s->effort = s->effort < s->k ? s->k : s->effort;
    if (s->queries > 0) {
        s->queries =
            vectors_option(L, arg, "queries", s->queries, (struct vectors_range){1, QUERIES_MAX});
    }
}

static void search_graph(lua_State *L, const struct graph *g, const int16_t *query,
                         struct search *s, struct graph_found *out)
{
    const struct corpus *c = graph_corpus(g);
    s->exacts = vectors_exact(L, c, query, s->k, s->exact);
    vectors_charge(L, (uint64_t)graph_params_of(g)->shards * (corpus_points(c) / 64 + 64));
    int64_t since = sandbox_clock();
    graph_search(g, &(struct graph_ask){query, s->k, s->effort}, out);
    sandbox_forgive(L, since);
    vectors_charge(L, (uint64_t)out->looked * (corpus_stride(c) + s->effort / 4));
}

int vectors_graph_search(lua_State *L)
{
    uint32_t index = 0, corpus = 0;
    const struct graph *g = vectors_graph(L, 1, &index, &corpus);
    struct search s = {.query = vectors_vector(L, 2, corpus)};
    struct graph_found out = {.count = 0};
    graph_options(L, 3, &s);
    search_graph(L, g, s.query->at, &s, &out);
    size_t common = vectors_common(s.exact, s.exacts, out.found, out.count);
    lua_createtable(L, 0, 6);
    vectors_push_ids(L, out.found, out.count);
    lua_setfield(L, -2, "ids");
    api_set_number(L, "found", (int64_t)common);
    api_set_number(L, "looked", out.looked);
    api_set_number(L, "hops", out.hops);
    set_percent(L, "recall", common, s.exacts);
    lua_newtable(L);
    for (uint32_t i = 0; i < graph_params_of(g)->shards; i++) {
        lua_createtable(L, 0, 3);
        api_set_number(L, "looked", out.shard[i].looked);
        api_set_number(L, "hops", out.shard[i].hops);
        api_set_number(L, "points", graph_size(g, i));
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, "shards");
    return 1;
}

int vectors_graph_recall(lua_State *L)
{
    uint32_t index = 0, corpus = 0;
    const struct graph *g = vectors_graph(L, 1, &index, &corpus);
    const struct corpus *c = graph_corpus(g);
    struct search s = {.queries = 100};
    struct graph_found out = {.count = 0};
    int16_t query[VECTORS_DIMS_MAX];
    graph_options(L, 2, &s);
    struct recall r = {
        .graph = true, .index = index, .k = s.k, .effort = s.effort, .queries = s.queries};
    const struct recall *known = vectors_recall(L, &r);
    for (uint32_t n = 1; known == NULL && n <= s.queries; n++) {
        corpus_query(c, n, query);
        search_graph(L, g, query, &s, &out);
        r.common += vectors_common(s.exact, s.exacts, out.found, out.count);
        r.wanted += s.exacts;
        r.looked += out.looked;
        r.hops += out.hops;
    }
    if (known == NULL) {
        vectors_keep(L, &r);
    } else {
        r = *known;
    }
    lua_createtable(L, 0, 4);
    set_percent(L, "recall", r.common, r.wanted);
    set_mean(L, "looked", r.looked, r.queries);
    set_mean(L, "hops", r.hops, r.queries);
    set_percent(L, "share", r.looked, (uint64_t)r.queries * corpus_points(c));
    return 1;
}
