/*
 * vectors: the search among embeddings that a step shows.
 */
#include "lesson/vectors.h"
#include "base/alloc.h"
#include "lesson/table_parts.h"
#include <string.h>

static uint32_t keep_number(lua_State *L, struct player *p, const char *name, uint32_t otherwise,
                            uint32_t most)
{
    lua_Integer n = otherwise;
    if (push_field(L, name) != LUA_TNIL) {
        n = lua_isinteger(L, -1) ? lua_tointeger(L, -1) : 0;
        if (n < 1 || n > (lua_Integer)most) {
            schema_fault(L, p, made_line(p, "vectors"), "vectors: '%s' is a number from 1 to %u",
                         name, most);
        }
    }
    lua_pop(L, 1);
    return (uint32_t)n;
}

static void keep_index(lua_State *L, struct player *p, struct page_vectors *v, uint32_t *corpus)
{
    uint32_t index = 0;
    push_field(L, "index");
    int at = lua_gettop(L);
    if (luaL_testudata(L, at, "ivf") != NULL) {
        v->ivf = vectors_ivf(L, at, &index, corpus);
        v->corpus = ivf_corpus(v->ivf);
    } else if (luaL_testudata(L, at, "graph") != NULL) {
        v->graph = vectors_graph(L, at, &index, corpus);
        v->corpus = graph_corpus(v->graph);
    } else if (luaL_testudata(L, at, "corpus") != NULL) {
        v->corpus = vectors_corpus(L, at, corpus);
    } else {
        schema_fault(L, p, made_line(p, "vectors"),
                     "vectors: 'index' is what c:ivf or c:graph makes, or a corpus, not a %s",
                     luaL_typename(L, at));
    }
    lua_pop(L, 1);
}

static void keep_query(lua_State *L, struct player *p, struct page_vectors *v, uint32_t corpus)
{
    if (push_field(L, "query") != LUA_TNIL) {
        if (luaL_testudata(L, -1, "vector") == NULL) {
            schema_fault(L, p, made_line(p, "vectors"),
                         "vectors: 'query' is what c:query makes, not a %s", luaL_typename(L, -1));
        }
        v->asked = true;
        memcpy(v->query, vectors_vector(L, lua_gettop(L), corpus)->at, sizeof v->query);
    }
    lua_pop(L, 1);
}

void vectors_build(lua_State *L, struct player *p)
{
    struct step *s = step_now(p);
    uint32_t corpus = 0;
    if (!s->has_vectors) {
        return;
    }
    if (s->page.vectors == NULL) {
        s->page.vectors = xcalloc(1, sizeof *s->page.vectors);
    }
    struct page_vectors *v = s->page.vectors;
    memset(v, 0, sizeof *v);
    made_push(L, p, "vectors", "table with an index");
    v->title = made_text(L, p, "vectors", "title", "");
    keep_index(L, p, v, &corpus);
    keep_query(L, p, v, corpus);
    v->k = keep_number(L, p, "k", 10, VECTORS_K_MAX);
    v->probe = keep_number(L, p, "probe", 1, v->ivf != NULL ? ivf_parts(v->ivf) : IVF_PARTS_MAX);
    v->width = keep_number(L, p, "width", 32, GRAPH_WIDTH_MAX);
    lua_pop(L, 1);
}
