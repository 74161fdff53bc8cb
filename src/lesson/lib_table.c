/*
 * table and utf8 for lessons: ranges are charged before the original runs, tables with metatables
 * are refused (their length could lie), sort is a stable merge sort.
 */
#include "lesson/sandbox.h"

static void check_plain(lua_State *L, int index)
{
    luaL_checktype(L, index, LUA_TTABLE);
    if (lua_getmetatable(L, index)) {
        sandbox_raise(L, "this works on plain tables only, without a metatable");
    }
}

static lua_Integer span(lua_Integer first, lua_Integer last)
{
    if (last < first) {
        return 0;
    }
    lua_Unsigned n = (lua_Unsigned)last - (lua_Unsigned)first;
    return n < (lua_Unsigned)SANDBOX_WORK ? (lua_Integer)n + 1 : (lua_Integer)SANDBOX_WORK + 1;
}

/* A range that no table here can have is an ordinary error, not the end of the call. */
static lua_Integer check_span(lua_State *L, lua_Integer first, lua_Integer last)
{
    lua_Integer n = span(first, last);
    if (n > SANDBOX_WORK) {
        sandbox_raise(L, "the range is too large");
    }
    return n;
}

static int call_original(lua_State *L)
{
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
    return lua_gettop(L);
}

static int table_concat(lua_State *L)
{
    check_plain(L, 1);
    lua_Integer first = luaL_optinteger(L, 3, 1);
    lua_Integer last = luaL_optinteger(L, 4, (lua_Integer)lua_rawlen(L, 1));
    size_t separator = 0;
    luaL_optlstring(L, 2, "", &separator);
    sandbox_charge(L, check_span(L, first, last) * (1 + (lua_Integer)(separator / 16)));
    return call_original(L);
}

static int table_insert(lua_State *L)
{
    check_plain(L, 1);
    lua_Integer n = (lua_Integer)lua_rawlen(L, 1);
    sandbox_charge(L, 2 + (lua_gettop(L) > 2 ? check_span(L, luaL_checkinteger(L, 2), n) : 0));
    return call_original(L);
}

static int table_remove(lua_State *L)
{
    check_plain(L, 1);
    lua_Integer n = (lua_Integer)lua_rawlen(L, 1);
    sandbox_charge(L, 2 + check_span(L, luaL_optinteger(L, 2, n), n));
    return call_original(L);
}

static int table_move(lua_State *L)
{
    check_plain(L, 1);
    if (!lua_isnoneornil(L, 5)) {
        check_plain(L, 5);
    }
    sandbox_charge(L, 2 * check_span(L, luaL_checkinteger(L, 2), luaL_checkinteger(L, 3)));
    return call_original(L);
}

static int table_unpack(lua_State *L)
{
    check_plain(L, 1);
    lua_Integer first = luaL_optinteger(L, 2, 1);
    lua_Integer last = luaL_optinteger(L, 3, (lua_Integer)lua_rawlen(L, 1));
    if (span(first, last) > SANDBOX_VALUES_MAX) {
        sandbox_raise(L, "too many values to unpack: at most %d", SANDBOX_VALUES_MAX);
    }
    sandbox_charge(L, span(first, last));
    return call_original(L);
}

/* --- sort --- */

/* Merges from[low..middle) and from[middle..high) into to; equals keep their order. */
static void merge(lua_State *L, int from, int to, const lua_Integer bounds[3], sort_before before)
{
    lua_Integer a = bounds[0], b = bounds[1];
    for (lua_Integer at = bounds[0]; at < bounds[2]; at++) {
        sandbox_charge(L, 6);
        lua_rawgeti(L, from, a); /* left */
        lua_rawgeti(L, from, b); /* left, right */
        int top = lua_gettop(L);
        bool right = b < bounds[2] && (a >= bounds[1] || before(L, top, top - 1));
        if (right) {
            lua_rawseti(L, to, at);
            lua_pop(L, 1);
            b++;
        } else {
            lua_pop(L, 1);
            lua_rawseti(L, to, at);
            a++;
        }
    }
}

static lua_Integer least(lua_Integer a, lua_Integer b)
{
    return a < b ? a : b;
}

/* The array is written only at the end: a comparator that raises leaves it as it was. */
void lib_sort(lua_State *L, int array, lua_Integer n, sort_before before)
{
    luaL_checkstack(L, 8, "sort");
    sandbox_charge(L, n);
    lua_createtable(L, (int)n, 0);
    int from = lua_gettop(L);
    lua_createtable(L, (int)n, 0);
    int to = from + 1;
    for (lua_Integer i = 1; i <= n; i++) {
        lua_rawgeti(L, array, i);
        lua_rawseti(L, from, i);
    }
    for (lua_Integer width = 1; width < n; width *= 2) {
        for (lua_Integer low = 1; low <= n; low += 2 * width) {
            lua_Integer bounds[3] = {low, least(low + width, n + 1), least(low + 2 * width, n + 1)};
            merge(L, from, to, bounds, before);
        }
        int other = from;
        from = to;
        to = other;
    }
    for (lua_Integer i = 1; i <= n; i++) {
        lua_rawgeti(L, from, i);
        lua_rawseti(L, array, i);
    }
    lua_settop(L, (from < to ? from : to) - 1);
}

static bool natural_before(lua_State *L, int a, int b)
{
    return lua_compare(L, a, b, LUA_OPLT);
}

static bool script_before(lua_State *L, int a, int b)
{
    lua_pushvalue(L, 2); /* table.sort's second argument */
    lua_pushvalue(L, a);
    lua_pushvalue(L, b);
    lua_call(L, 2, 1);
    bool before = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return before;
}

static int table_sort(lua_State *L)
{
    check_plain(L, 1);
    lua_Integer n = (lua_Integer)lua_rawlen(L, 1);
    bool by_script = !lua_isnoneornil(L, 2);
    if (by_script) {
        luaL_checktype(L, 2, LUA_TFUNCTION);
    }
    lua_settop(L, 2);
    lib_sort(L, 1, n, by_script ? script_before : natural_before);
    return 0;
}

/* ours[name] = f over the original of the same name. */
static void wrap(lua_State *L, const luaL_Reg *wraps)
{
    for (; wraps->name != NULL; wraps++) { /* original, ours */
        lua_getfield(L, -2, wraps->name);
        lua_pushcclosure(L, wraps->func, 1);
        lua_setfield(L, -2, wraps->name);
    }
}

void lib_table(lua_State *L)
{
    static const char *const plain[] = {"pack", NULL};
    static const luaL_Reg wraps[] = {{"concat", table_concat}, {"insert", table_insert},
                                     {"remove", table_remove}, {"move", table_move},
                                     {"unpack", table_unpack}, {NULL, NULL}};
    lua_newtable(L); /* original, ours */
    lib_copy(L, lua_gettop(L) - 1, lua_gettop(L), plain);
    wrap(L, wraps);
    lua_pushcfunction(L, table_sort);
    lua_setfield(L, -2, "sort");
    lua_remove(L, -2);
}

/* --- utf8 --- */

static int utf8_charged(lua_State *L)
{
    if (lua_type(L, 1) == LUA_TSTRING) {
        sandbox_charge(L, (int64_t)lua_rawlen(L, 1) / 4);
    }
    return call_original(L);
}

static int utf8_codepoint(lua_State *L)
{
    size_t length = 0;
    luaL_checklstring(L, 1, &length);
    lua_Integer first = luaL_optinteger(L, 2, 1), last = luaL_optinteger(L, 3, first);
    first = first < 0 ? first + (lua_Integer)length + 1 : first;
    last = last < 0 ? last + (lua_Integer)length + 1 : last;
    if (span(first, last) > SANDBOX_VALUES_MAX) {
        sandbox_raise(L, "too many characters at once: at most %d", SANDBOX_VALUES_MAX);
    }
    return call_original(L);
}

void lib_utf8(lua_State *L)
{
    static const char *const plain[] = {"char", "charpattern", "codes", NULL};
    static const luaL_Reg wraps[] = {{"len", utf8_charged},
                                     {"offset", utf8_charged},
                                     {"codepoint", utf8_codepoint},
                                     {NULL, NULL}};
    lua_newtable(L); /* original, ours */
    lib_copy(L, lua_gettop(L) - 1, lua_gettop(L), plain);
    wrap(L, wraps);
    lua_remove(L, -2);
}
