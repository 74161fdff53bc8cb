/*
 * api_heat: w:heat { keys = { ... }, columns = 30, seconds = 1, each = function(f, j) ... end }:
 * the values of a heat map, played on a copy of the world and counted ask by ask.
 *
 * Rows are keys, groups of keys, or shards (of a shard counts what is asked for the keys that it
 * owns at the column's end). `each` is called at the beginning of each column, with the copy and
 * the column's number; what it starts goes on until it stops it. A request counts once, as
 * w:asked(key) counts it. What falls into no row is the second result.
 */
#include "base/alloc.h"
#include "base/num.h"
#include "engine/rates.h"
#include "lesson/second.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HEAT_UNITS 20000 /* and one an event */
#define LOOKED_UNITS 8   /* a key that was asked for in a column */

struct heat {
    size_t rows, columns;
    int64_t span; /* of a column */
    bool shards, writes, reads;
    int row_of;      /* on the stack: a name's row */
    uint64_t events; /* that it may still play */
};

/* --- what is wanted ------------------------------------------------------------------------ */

static void check_names(lua_State *L)
{
    static const char *const names[] = {"keys",    "groups", "shards", "columns",
                                        "seconds", "each",   "of"};
    for (lua_pushnil(L); lua_next(L, 2) != 0; lua_pop(L, 1)) {
        bool known = false;
        for (size_t i = 0; i < 7 && lua_type(L, -2) == LUA_TSTRING; i++) {
            known = known || strcmp(lua_tostring(L, -2), names[i]) == 0;
        }
        if (!known) {
            api_unknown(L, "field of w:heat called",
                        lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "without a name",
                        names, 7);
        }
    }
}

/* S0 to the last that a world may ever have. */
static bool names_shard(const char *name)
{
    size_t digits = strspn(name + (name[0] == 'S'), "0123456789");
    bool short_enough = digits >= 1 && digits <= 4 && name[1 + digits] == '\0';
    return name[0] == 'S' && short_enough && strtoul(name + 1, NULL, 10) < RATES_SHARDS_MAX;
}

static void check_name(lua_State *L, const struct heat *heat, size_t row)
{
    size_t length = 0;
    const char *name = lua_tolstring(L, -1, &length);
    if (heat->shards && !names_shard(name)) {
        sandbox_raise(L, "w:heat: row %d is '%.60s', which is no shard, as S0", (int)row + 1, name);
    }
    if (length < 1 || length > KEY_BYTES_MAX || strlen(name) != length) {
        sandbox_raise(L, "w:heat: a key of row %d has %d bytes or a zero byte; 1 to %d without",
                      (int)row + 1, (int)length, KEY_BYTES_MAX);
    }
}

/* The name on top belongs to that row. */
static void add_name(lua_State *L, const struct heat *heat, size_t row)
{
    if (lua_type(L, -1) != LUA_TSTRING) {
        sandbox_raise(L, "w:heat: row %d has a %s, not a text", (int)row + 1, luaL_typename(L, -1));
    }
    sandbox_charge(L, LOOKED_UNITS);
    check_name(L, heat, row);
    lua_pushvalue(L, -1);
    if (lua_rawget(L, heat->row_of) != LUA_TNIL) {
        sandbox_raise(L, "w:heat: '%.60s' is in two rows", lua_tostring(L, -2));
    }
    lua_pop(L, 1);
    lua_pushinteger(L, (lua_Integer)row + 1);
    lua_rawset(L, heat->row_of);
}

/* The list of rows is on top. */
static void read_rows(lua_State *L, struct heat *heat, bool groups)
{
    heat->rows = lua_istable(L, -1) ? (size_t)lua_rawlen(L, -1) : 0;
    if (heat->rows < 1 || heat->rows > PAGE_HEAT_ROWS_MAX) {
        sandbox_raise(L, "w:heat: a list of 1 to %d rows", PAGE_HEAT_ROWS_MAX);
    }
    for (size_t i = 0; i < heat->rows; i++) {
        lua_rawgeti(L, -1, (lua_Integer)i + 1);
        if (!groups) {
            add_name(L, heat, i);
            continue;
        }
        if (!lua_istable(L, -1)) {
            sandbox_raise(L, "w:heat: group %d is a %s, not a list of keys", (int)i + 1,
                          luaL_typename(L, -1));
        }
        for (size_t k = 1; k <= (size_t)lua_rawlen(L, -1); k++) {
            lua_rawgeti(L, -1, (lua_Integer)k);
            add_name(L, heat, i);
        }
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

static void read_wish(lua_State *L, struct heat *heat)
{
    static const char *const lists[] = {"keys", "groups", "shards"};
    int found = 0;
    for (int i = 0; i < 3; i++) {
        if (lua_getfield(L, 2, lists[i]) == LUA_TNIL) {
            lua_pop(L, 1);
            continue;
        }
        found++;
        heat->shards = i == 2;
        read_rows(L, heat, i == 1);
    }
    if (found != 1) {
        sandbox_raise(L, "w:heat: its rows are either 'keys', 'groups' or 'shards'");
    }
    lua_getfield(L, 2, "columns");
    lua_Integer columns = luaL_optinteger(L, -1, 30);
    lua_getfield(L, 2, "seconds");
    double seconds = luaL_optnumber(L, -1, 1);
    if (columns < 1 || columns > PAGE_HEAT_COLUMNS_MAX || !(seconds >= 0.01 && seconds <= 60)) {
        sandbox_raise(L, "w:heat: 1 to %d columns of 0.01 to 60 seconds", PAGE_HEAT_COLUMNS_MAX);
    }
    heat->columns = (size_t)columns;
    heat->span = (int64_t)floor(seconds * 1e6 + 0.5);
    lua_getfield(L, 2, "of");
    const char *of = luaL_optstring(L, -1, "");
    heat->writes = strcmp(of, "reads") != 0;
    heat->reads = strcmp(of, "writes") != 0;
    if (of[0] != '\0' && heat->writes && heat->reads) {
        sandbox_raise(L, "w:heat: 'of' is \"writes\" or \"reads\", or left out for both");
    }
    if (lua_getfield(L, 2, "each") != LUA_TNIL && !lua_isfunction(L, -1)) {
        sandbox_raise(L, "w:heat: 'each' is a function of the copy and the column");
    }
    lua_pop(L, 4);
}

/* --- counting ------------------------------------------------------------------------------ */

static struct second *counter_of(lua_State *L, const struct world *w)
{
    struct player *p = player_of(L);
    if (p->counting == NULL) {
        p->counting = xcalloc(1, sizeof *p->counting);
    }
    if (p->counting->call == p->call) {
        sandbox_raise(L, "w:heat: one heat map at a time");
    }
    p->counting->call = p->call;
    second_begin(p->counting, w);
    return p->counting;
}

static void call_each(lua_State *L, int fork, size_t column)
{
    const struct world_handle *h = lua_touserdata(L, fork);
    int64_t now = world_now(api_handle_world(L, h));
    if (lua_getfield(L, 2, "each") == LUA_TNIL) {
        lua_pop(L, 1);
        return;
    }
    lua_pushvalue(L, fork);
    lua_pushinteger(L, (lua_Integer)column + 1);
    lua_call(L, 2, 0);
    if (world_now(api_handle_world(L, h)) != now) {
        sandbox_raise(L, "w:heat: 'each' starts and stops what is asked; time passes by itself");
    }
}

static void play_column(lua_State *L, struct heat *heat, struct second *s, struct world *w)
{
    struct player *p = player_of(L);
    struct err err = {""};
    int64_t since = sandbox_clock(), until = world_now(w) + heat->span;
    uint64_t before = world_events(w);
    memset(s->treated, 0, s->keys); /* `each` may have changed how a key is treated */
    bool whole = second_play(s, w, until, heat->events);
    uint64_t events = world_events(w) - before;
    p->measured_events += events;
    sandbox_forgive(L, since);
    sandbox_charge(L, (int64_t)events);
    if (world_stopped(w, &err)) {
        sandbox_raise(L, "%s", err.text);
    }
    if (!whole) {
        sandbox_raise(L, "too much happens at one moment here to count it key by key");
    }
    if (events > heat->events) {
        sandbox_raise(L, "w:heat: too much traffic: at most %s events a map",
                      num_grouped((int64_t)EVENTS_MAX).text);
    }
    heat->events -= events;
}

/* Adds what each key was asked for to its row's count, and begins anew. What has no row is added
 * to *others. */
static void harvest(lua_State *L, const struct heat *heat, struct second *s, const struct world *w,
                    uint64_t *count, uint64_t *others)
{
    for (uint32_t key = 0; key < world_keys(w); key++) {
        uint64_t asks = (heat->writes ? s->writes[key] : 0) + (heat->reads ? s->reads[key] : 0);
        s->writes[key] = s->reads[key] = 0;
        if (asks == 0) {
            continue;
        }
        sandbox_charge(L, LOOKED_UNITS);
        if (heat->shards) {
            lua_pushfstring(L, "S%d", (int)world_owner(w, world_key_slot(w, key)));
        } else {
            struct bytes name = world_key(w, key);
            lua_pushlstring(L, name.at, name.length);
        }
        lua_Integer row = lua_rawget(L, heat->row_of) == LUA_TNIL ? 0 : lua_tointeger(L, -1);
        *(row > 0 ? &count[row - 1] : others) += asks;
        lua_pop(L, 1);
    }
}

/* w:heat { ... } */
int api_heat(lua_State *L)
{
    size_t slot = 0;
    (void)api_world(L, 1, &slot);
    luaL_checktype(L, 2, LUA_TTABLE);
    lua_settop(L, 2);
    check_names(L);
    sandbox_charge(L, HEAT_UNITS);
    struct heat heat = {.row_of = 3, .events = EVENTS_MAX};
    lua_newtable(L);
    read_wish(L, &heat);
    lua_createtable(L, (int)heat.rows, 0); /* 4: what is given */
    for (size_t i = 0; i < heat.rows; i++) {
        lua_createtable(L, (int)heat.columns, 0);
        lua_rawseti(L, 4, (lua_Integer)i + 1);
    }
    api_push_fork(L, slot); /* 5 */
    struct world *w = api_handle_world(L, lua_touserdata(L, 5));
    struct second *s = counter_of(L, w);
    uint64_t others = 0;
    for (size_t column = 0; column < heat.columns; column++) {
        uint64_t count[PAGE_HEAT_ROWS_MAX] = {0};
        call_each(L, 5, column);
        play_column(L, &heat, s, w);
        harvest(L, &heat, s, w, count, &others);
        for (size_t i = 0; i < heat.rows; i++) {
            lua_rawgeti(L, 4, (lua_Integer)i + 1);
            lua_pushinteger(L, (lua_Integer)count[i]);
            lua_rawseti(L, -2, (lua_Integer)column + 1);
            lua_pop(L, 1);
        }
    }
    s->call = 0;
    lua_pop(L, 1);
    lua_pushinteger(L, (lua_Integer)others);
    return 2;
}
