/*
 * api_indexes: catalogs and their indexes, as a script sees them: w:catalog(name),
 * w:catalog_row(name, id), w:catalog_rows(name).
 *
 * A catalog that was never begun gives a table with mode "none" and zeros, so that texts need not
 * ask first.
 */
#include "engine/indexes/indexes.h"
#include "lesson/api.h"
#include <stdio.h>

static void set_ms(lua_State *L, const char *name, int64_t us)
{
    api_push_ms(L, us);
    lua_setfield(L, -2, name);
}

static void set_shard(lua_State *L, const char *name, uint16_t shard)
{
    char text[16] = "none";
    if (shard != SHARD_NONE) {
        snprintf(text, sizeof text, "S%u", (unsigned)shard);
    }
    api_set_text(L, name, text);
}

/* The name at `arg`. False: there is no such catalog. */
static bool find(lua_State *L, int arg, const struct world *w, uint32_t *index)
{
    size_t length;
    const char *name = luaL_checklstring(L, arg, &length);
    return world_catalog_find(w, (struct bytes){.at = name, .length = length}, index);
}

static void set_counts(lua_State *L, const struct catalog_info *c)
{
    const struct {
        const char *name;
        uint64_t value;
    } counts[] = {
        {"rows", c->rows},
        {"under_way", c->under_way},
        {"behind", c->behind},
        {"puts", c->puts},
        {"refused", c->refused_puts},
        {"failed", c->failed_puts},
        {"writes", c->writes},
        {"finds", c->finds},
        {"parts", c->parts},
        {"put_writes", c->last_writes},
        {"put_id", c->last_id},
    };
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        api_set_number(L, counts[i].name, (int64_t)counts[i].value);
    }
}

/* Field "found": the last find. */
static void set_found(lua_State *L, const struct find_info *f)
{
    lua_createtable(L, 0, 9);
    api_set_text(L, "term", f->term);
    api_set_truth(L, "done", f->done);
    api_set_number(L, "count", f->ids);
    api_set_number(L, "missing", f->missing);
    api_set_number(L, "extra", f->extra);
    api_set_number(L, "parts", f->parts);
    api_set_number(L, "failed", f->failed);
    set_ms(L, "ms", f->done ? f->ended_us - f->asked_us : 0);
    set_shard(L, "slowest", f->number > 0 ? f->slowest : SHARD_NONE);
    lua_newtable(L);
    for (uint32_t i = 0; i < f->ids && i < FIND_IDS_MAX; i++) {
        lua_pushinteger(L, f->id[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, "ids");
    lua_setfield(L, -2, "found");
}

static int read_catalog(lua_State *L)
{
    static const char *const modes[CATALOG_MODES] = {"local", "sync", "async", "unique"};
    struct world *w = api_world(L, 1, NULL);
    uint32_t index = 0;
    bool known = find(L, 2, w, &index);
    struct catalog_info c = {0};
    struct find_info found = {.slowest = SHARD_NONE};
    if (known) {
        c = world_catalog(w, index);
        found = world_find(w, index);
    }
    sandbox_charge(L, 2000); /* each row is looked for in the index */
    lua_createtable(L, 0, 20);
    api_set_text(L, "mode", known ? modes[c.mode] : "none");
    set_ms(L, "lag_ms", c.lag_us);
    set_ms(L, "behind_ms", c.behind_us);
    set_ms(L, "put_ms", (int64_t)c.last_put_us);
    set_ms(L, "find_ms", (int64_t)c.last_find_us);
    api_set_text(L, "put",
                 c.puts == 0      ? "none"
                 : c.last_refused ? "refused"
                 : c.last_failed  ? "failed"
                                  : "stored");
    set_counts(L, &c);
    set_found(L, &found);
    return 1;
}

static void push_row(lua_State *L, const struct catalog_row_info *r)
{
    lua_createtable(L, 0, 7);
    api_set_number(L, "id", r->id);
    api_set_text(L, "term", r->term);
    api_set_text(L, "indexed", r->indexed);
    api_set_truth(L, "twice", r->twice);
    set_shard(L, "shard", r->shard);
    set_shard(L, "index_shard", r->index_shard);
    set_ms(L, "lag_ms", r->indexed_us >= r->changed_us ? r->indexed_us - r->changed_us : -1000);
}

static int read_row(lua_State *L)
{
    struct world *w = api_world(L, 1, NULL);
    uint32_t index = 0;
    lua_Integer id = luaL_checkinteger(L, 3);
    bool known = find(L, 2, w, &index);
    sandbox_charge(L, 500);
    for (uint32_t i = 0; known && i < world_catalog_rows(w, index); i++) {
        struct catalog_row_info row = world_catalog_row(w, index, i);
        if (row.id == id) {
            push_row(L, &row);
            return 1;
        }
    }
    struct catalog_row_info none = {.id = (uint32_t)id,
                                    .shard = SHARD_NONE,
                                    .index_shard = SHARD_NONE,
                                    .changed_us = -1,
                                    .indexed_us = -1};
    push_row(L, &none);
    return 1;
}

static int read_rows(lua_State *L)
{
    struct world *w = api_world(L, 1, NULL);
    uint32_t index = 0;
    bool known = find(L, 2, w, &index);
    sandbox_charge(L, 5000);
    lua_newtable(L);
    for (uint32_t i = 0; known && i < world_catalog_rows(w, index); i++) {
        struct catalog_row_info row = world_catalog_row(w, index, i);
        push_row(L, &row);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

/* w:catalog_shard(name, term): where the entry of a term is, or would be. */
static int read_shard(lua_State *L)
{
    struct world *w = api_world(L, 1, NULL);
    uint32_t index = 0;
    size_t length;
    const char *term = luaL_checklstring(L, 3, &length);
    bool known = find(L, 2, w, &index);
    uint16_t shard =
        known ? world_catalog_shard(w, index, (struct bytes){term, length}) : SHARD_NONE;
    char text[16] = "none";
    if (shard != SHARD_NONE) {
        snprintf(text, sizeof text, "S%u", (unsigned)shard);
    }
    lua_pushstring(L, text);
    return 1;
}

const luaL_Reg *api_indexes(void)
{
    static const luaL_Reg functions[] = {{"catalog", read_catalog},
                                         {"catalog_row", read_row},
                                         {"catalog_rows", read_rows},
                                         {"catalog_shard", read_shard},
                                         {NULL, NULL}};
    return functions;
}
