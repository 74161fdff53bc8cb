/*
 * The basic functions that a lesson sees: originals where they are harmless, ours where chance or
 * addresses could leak (pairs, next, tostring) or a limit could be evaded (setmetatable, rawset).
 */
#include "base/alloc.h"
#include "base/file.h"
#include "lesson/sandbox.h"
#include <stdlib.h>
#include <string.h>

static const char key_required; /* registry: results of require by name */

/* Numbers before texts, each in order; texts by bytes. Other kinds of key have no order. */
static bool key_before(lua_State *L, int a, int b)
{
    bool na = lua_type(L, a) == LUA_TNUMBER, nb = lua_type(L, b) == LUA_TNUMBER;
    if (na != nb) {
        return na;
    }
    if (na) {
        return lua_compare(L, a, b, LUA_OPLT);
    }
    size_t la = 0, lb = 0;
    const char *ta = lua_tolstring(L, a, &la), *tb = lua_tolstring(L, b, &lb);
    int order = memcmp(ta, tb, la < lb ? la : lb);
    return order != 0 ? order < 0 : la < lb;
}

static void check_key(lua_State *L, int index)
{
    int type = lua_type(L, index);
    if (type != LUA_TNUMBER && type != LUA_TSTRING) {
        sandbox_raise(L, "a table with a %s as key has no order: use numbers and texts as keys",
                      lua_typename(L, type));
    }
}

/* Upvalues: the table, its keys in order, how many were given. */
static int pairs_step(lua_State *L)
{
    lua_Integer at = lua_tointeger(L, lua_upvalueindex(3));
    for (;;) {
        sandbox_charge(L, 1);
        at++;
        lua_pushinteger(L, at);
        lua_replace(L, lua_upvalueindex(3));
        if (lua_rawgeti(L, lua_upvalueindex(2), at) == LUA_TNIL) { /* key */
            return 1;
        }
        lua_pushvalue(L, -1);
        if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL) { /* key, value */
            return 2;
        }
        lua_pop(L, 2); /* it was taken out meanwhile */
    }
}

static int base_pairs(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    lua_newtable(L); /* t, keys */
    lua_Integer n = 0;
    lua_pushnil(L);
    while (lua_next(L, 1)) { /* t, keys, key, value */
        lua_pop(L, 1);
        check_key(L, -1);
        lua_pushvalue(L, -1);
        lua_rawseti(L, 2, ++n);
        sandbox_charge(L, 2);
    }
    lib_sort(L, 2, n, key_before);
    lua_pushinteger(L, 0);
    lua_pushcclosure(L, pairs_step, 3);
    return 1;
}

/* The least key beyond the given one. */
static int base_next(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 2);
    bool from_start = lua_isnil(L, 2);
    lua_pushnil(L); /* t, given, best */
    lua_pushnil(L);
    while (lua_next(L, 1)) { /* t, given, best, key, value */
        lua_pop(L, 1);
        check_key(L, -1);
        sandbox_charge(L, 2);
        if ((from_start || key_before(L, 2, 4)) && (lua_isnil(L, 3) || key_before(L, 4, 3))) {
            lua_pushvalue(L, 4);
            lua_replace(L, 3);
        }
    }
    if (lua_isnil(L, 3)) {
        return 1;
    }
    lua_pushvalue(L, 3);
    lua_rawget(L, 1);
    return 2;
}

/* Texts and numbers as they are, everything else by its kind: no address. */
static int base_tostring(lua_State *L)
{
    luaL_checkany(L, 1);
    switch (lua_type(L, 1)) {
    case LUA_TNUMBER:
    case LUA_TSTRING:
        lua_settop(L, 1);
        lua_tostring(L, 1);
        return 1;
    case LUA_TBOOLEAN:
        lua_pushstring(L, lua_toboolean(L, 1) ? "true" : "false");
        return 1;
    default:
        break;
    }
    if (luaL_callmeta(L, 1, "__tostring")) {
        if (!lua_isstring(L, -1)) {
            sandbox_raise(L, "'__tostring' must return a text");
        }
        return 1;
    }
    lua_pushstring(L, luaL_typename(L, 1));
    return 1;
}

static int base_setmetatable(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    if (lua_type(L, 2) != LUA_TTABLE && lua_type(L, 2) != LUA_TNIL) {
        luaL_typeerror(L, 2, "nil or table");
    }
    lua_settop(L, 2);
    if (luaL_getmetafield(L, 1, "__metatable") != LUA_TNIL) {
        sandbox_raise(L, "cannot change a protected metatable");
    }
    if (lua_istable(L, 2)) {
        /* Any value counts: a placeholder could become a function later. */
        lua_pushliteral(L, "__gc");
        if (lua_rawget(L, 2) != LUA_TNIL) {
            sandbox_raise(L, "'__gc' is not for lessons: nothing runs when memory is collected");
        }
        lua_pop(L, 1);
    }
    sandbox_charge(L, 4);
    lua_setmetatable(L, 1);
    return 1;
}

static int base_rawset(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    luaL_checkany(L, 2);
    luaL_checkany(L, 3);
    lua_settop(L, 3);
    if (luaL_getmetafield(L, 1, "__metatable") != LUA_TNIL) {
        sandbox_raise(L, "this table is read-only");
    }
    lua_rawset(L, 1);
    return 1;
}

/* The call is over: on an error the handler gets its value. */
static int xpcall_end(lua_State *L, int status, lua_KContext context)
{
    (void)status;
    (void)context; /* stack: handler, true or false, results */
    if (lua_toboolean(L, 2)) {
        return lua_gettop(L) - 1;
    }
    lua_settop(L, 3);
    lua_rotate(L, 1, -1); /* false, value, handler */
    lua_insert(L, 2);     /* false, handler, value */
    lua_call(L, 1, 1);
    return 2;
}

/* Lua calls a handler at the place of the error. When that place is the count hook, hooks are off
 * while the handler runs, and one that never ends would never be stopped. So here the handler runs
 * after the call, as an ordinary function. Upvalue: the original pcall. */
static int base_xpcall(lua_State *L)
{
    luaL_checktype(L, 2, LUA_TFUNCTION);
    lua_pushvalue(L, 2);
    lua_insert(L, 1); /* handler, f, handler, arguments */
    lua_remove(L, 3); /* handler, f, arguments */
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 2); /* handler, pcall, f, arguments */
    lua_callk(L, lua_gettop(L) - 2, LUA_MULTRET, 0, xpcall_end);
    return xpcall_end(L, LUA_OK, 0);
}

/* --- require --- */

static bool lib_name_good(const char *name)
{
    size_t n = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_");
    return n > 0 && n <= 40 && name[n] == '\0';
}

/* lessons/NAME.lua and lessons/drills/NAME.lua both find lessons/lib. The caller frees. */
static char *lib_path(const struct sandbox *sb, const char *name)
{
    static const char *const ways[] = {"lib", "../lib"};
    const char *slash = strrchr(sb->path, '/');
    int folder = slash != NULL ? (int)(slash - sb->path + 1) : 0;
    for (size_t i = 0; i < 2; i++) {
        struct str path = STR_EMPTY;
        str_addf(&path, "%.*s%s/%s.lua", folder, sb->path, ways[i], name);
        if (file_exists(str_text(&path))) {
            return str_take(&path);
        }
        str_free(&path);
    }
    return NULL;
}

static int base_require(lua_State *L)
{
    struct sandbox *sb = sandbox_of(L);
    const char *name = luaL_checkstring(L, 1);
    if (!lib_name_good(name)) {
        sandbox_raise(L, "require takes the name of a file of lessons/lib, made of a-z, 0-9 and _");
    }
    lua_settop(L, 1);
    lua_rawgetp(L, LUA_REGISTRYINDEX, &key_required); /* name, required */
    if (lua_getfield(L, 2, name) != LUA_TNIL) {
        if (lua_isboolean(L, 3) && !lua_toboolean(L, 3)) {
            sandbox_raise(L, "'%s' requires itself", name);
        }
        return 1;
    }
    sandbox_charge(L, 1000);
    char *path = lib_path(sb, name);
    struct err err = {""};
    bool found = path != NULL;
    bool read = found && file_read(path, SANDBOX_SOURCE_MAX, &sb->scratch, &err);
    free(path);
    if (!read) {
        sandbox_raise(L, "require '%s': %s", name, found ? err.text : "not in lessons/lib");
    }
    lua_pushboolean(L, 0);
    lua_setfield(L, 2, name);
    lua_pushfstring(L, "@lib/%s.lua", name); /* name, required, nil, chunk */
    sandbox_push_env(L);                     /* ..., env */
    sandbox_load(L, (struct bytes){sb->scratch.text, sb->scratch.length}, lua_tostring(L, 4), 5);
    lua_call(L, 0, 1); /* ..., result */
    if (lua_isnil(L, -1)) {
        lua_pushboolean(L, 1);
    }
    lua_pushvalue(L, -1);
    lua_setfield(L, 2, name);
    return 1;
}

void lib_copy(lua_State *L, int from, int to, const char *const *names)
{
    for (; *names != NULL; names++) {
        lua_getfield(L, from, *names);
        lua_setfield(L, to, *names);
    }
}

void lib_base(lua_State *L)
{
    static const char *const plain[] = {
        "assert", "error",  "getmetatable", "ipairs", "pcall",    "rawequal", "rawget",
        "rawlen", "select", "tonumber",     "type",   "_VERSION", NULL};
    static const luaL_Reg ours[] = {{"next", base_next},
                                    {"pairs", base_pairs},
                                    {"rawset", base_rawset},
                                    {"require", base_require},
                                    {"setmetatable", base_setmetatable},
                                    {"tostring", base_tostring},
                                    {NULL, NULL}};
    int libs = lua_gettop(L);
    lib_copy(L, libs - 1, libs, plain);
    luaL_setfuncs(L, ours, 0);
    lua_getfield(L, libs - 1, "pcall");
    lua_pushcclosure(L, base_xpcall, 1);
    lua_setfield(L, libs, "xpcall");
    lua_newtable(L);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &key_required);
}
