/*
 * Lists of keys: keys("key:%03d", 0, 999), with loads keys("k%d", 0, 9, function(i) ... end), or
 * from a table: keys { "a", "b" }, keys { { "post:{p9}", 2400 }, ... }. #ks, ks[1], ks:load(1),
 * ks:total().
 */
#include "lesson/api.h"
#include "place/keyset.h"
#include <string.h>

#define KEY_UNITS 10    /* to make one and keep it */
#define KEY_NAME_MAX 64 /* bytes of a key that is counted */

/* A text with one %d or %0Nd. */
struct form {
    struct bytes before, after;
    int width;
    bool zeros;
};

static bool read_form(const char *text, struct form *form)
{
    const char *sign = strchr(text, '%');
    if (sign == NULL || strchr(sign + 1, '%') != NULL || strlen(text) > KEY_NAME_MAX - 24) {
        return false;
    }
    const char *at = sign + 1;
    form->before = (struct bytes){text, (size_t)(sign - text)};
    form->zeros = *at == '0';
    at += form->zeros;
    form->width = 0;
    if (*at >= '1' && *at <= '9') {
        form->width = *at++ - '0';
    }
    form->after = bytes_of(at + (*at == 'd'));
    return *at == 'd' && form->zeros == (form->width > 0);
}

static struct bytes write_key(char out[KEY_NAME_MAX], const struct form *form, lua_Integer number)
{
    int length =
        snprintf(out, KEY_NAME_MAX, "%.*s%0*lld%.*s", (int)form->before.length, form->before.at,
                 form->width, (long long)number, (int)form->after.length, form->after.at);
    return (struct bytes){out, (size_t)length};
}

static uint64_t load_arg(lua_State *L, int arg)
{
    lua_Integer load = lua_tointeger(L, arg);
    if (!lua_isinteger(L, arg) || load < 0 || load > 1000000000) {
        sandbox_raise(L, "a load is a whole number from 0 to 1000000000");
    }
    return (uint64_t)load;
}

static void add_key(lua_State *L, struct keyset *keys, struct bytes key, uint64_t load)
{
    struct err err = {""};
    sandbox_charge(L, KEY_UNITS + (int64_t)key.length / 8);
    if (keyset_count(keys) == SCRIPT_KEYS_MAX) {
        sandbox_raise(L, "at most %d keys in one list", SCRIPT_KEYS_MAX);
    }
    if (!keyset_add(keys, key, load, &err)) {
        sandbox_raise(L, "%s", err.text);
    }
}

/* form, first, last, load or nil */
static void count_keys(lua_State *L)
{
    struct form form;
    char name[KEY_NAME_MAX];
    bool loaded = !lua_isnoneornil(L, 4);
    lua_Integer first = luaL_checkinteger(L, 2), last = luaL_checkinteger(L, 3);
    if (!read_form(luaL_checkstring(L, 1), &form)) {
        sandbox_raise(L, "keys: the form is a short text with one %%d or %%03d, not '%.40s'",
                      lua_tostring(L, 1));
    }
    if (first < 0 || last < first || last - first >= SCRIPT_KEYS_MAX) {
        sandbox_raise(L, "keys(form, first, last) makes 1 to %d keys", SCRIPT_KEYS_MAX);
    }
    lua_settop(L, 4);
    struct keyset *keys = shelf_new_keys(L, true); /* form, first, last, load, handle */
    int64_t since = sandbox_clock();
    for (lua_Integer n = first; n <= last; n++) {
        uint64_t load = 1;
        if (loaded) {
            lua_pushvalue(L, 4);
            lua_pushinteger(L, n);
            lua_call(L, 1, 1);
            load = load_arg(L, -1);
            lua_pop(L, 1);
        }
        add_key(L, keys, write_key(name, &form, n), load);
    }
    if (!loaded) { /* all of it was ours, and charged key by key */
        sandbox_forgive(L, since);
    }
}

/* A text, or { text, load }, on top. */
static void add_entry(lua_State *L, struct keyset *keys, lua_Integer number)
{
    bool pair = lua_istable(L, -1);
    struct bytes key;
    if (pair) {
        lua_rawgeti(L, -1, 1);
        lua_rawgeti(L, -2, 2);
    } else {
        lua_pushvalue(L, -1);
        lua_pushinteger(L, 1);
    }
    if (lua_type(L, -2) != LUA_TSTRING) {
        sandbox_raise(L, "key %d of the list is a %s, not a text", (int)number,
                      luaL_typename(L, -2));
    }
    key.at = lua_tolstring(L, -2, &key.length);
    add_key(L, keys, key, load_arg(L, -1));
    lua_pop(L, 2);
}

static void list_keys(lua_State *L, int arg, struct keyset *keys)
{
    lua_Integer count = (lua_Integer)lua_rawlen(L, arg);
    for (lua_Integer i = 1; i <= count; i++) {
        lua_rawgeti(L, arg, i);
        add_entry(L, keys, i);
        lua_pop(L, 1);
    }
}

static int make_keys(lua_State *L)
{
    if (lua_istable(L, 1)) {
        lua_settop(L, 1);
        list_keys(L, 1, shelf_new_keys(L, true));
    } else {
        count_keys(L);
    }
    return 1;
}

struct keyset *api_keys(lua_State *L, int arg)
{
    struct keyset *keys = shelf_keys(L, arg);
    if (keys != NULL) {
        sandbox_charge(L, 60);
        return keys;
    }
    if (!lua_istable(L, arg)) {
        sandbox_raise(L, "a list of keys is wanted here, not a %s", luaL_typename(L, arg));
    }
    keys = shelf_new_keys(L, false);
    list_keys(L, lua_absindex(L, arg), keys);
    return keys;
}

/* --- methods --- */

static struct keyset *self(lua_State *L)
{
    if (luaL_testudata(L, 1, "keys") == NULL) {
        sandbox_raise(L, "a list of keys is wanted here, not a %s", luaL_typename(L, 1));
    }
    return api_keys(L, 1);
}

static int keys_length(lua_State *L)
{
    lua_pushinteger(L, (lua_Integer)keyset_count(self(L)));
    return 1;
}

static int keys_load(lua_State *L)
{
    const struct keyset *keys = self(L);
    lua_Integer i = luaL_checkinteger(L, 2);
    if (i < 1 || i > (lua_Integer)keyset_count(keys)) {
        sandbox_raise(L, "there is no key %lld: 1 to %d", (long long)i, (int)keyset_count(keys));
    }
    lua_pushinteger(L, (lua_Integer)keyset_load(keys, (size_t)i - 1));
    return 1;
}

static int keys_total(lua_State *L)
{
    const struct keyset *keys = self(L);
    uint64_t total = 0;
    sandbox_charge(L, (int64_t)keyset_count(keys));
    for (size_t i = 0; i < keyset_count(keys); i++) {
        total += keyset_load(keys, i);
    }
    lua_pushinteger(L, (lua_Integer)total);
    return 1;
}

/* Upvalue: the functions. A number is an index; beyond the last it is nil, as in a table. */
static int keys_index(lua_State *L)
{
    const struct keyset *keys = self(L);
    if (lua_isinteger(L, 2)) {
        lua_Integer i = lua_tointeger(L, 2);
        if (i < 1 || i > (lua_Integer)keyset_count(keys)) {
            return 0;
        }
        struct bytes key = keyset_key(keys, (size_t)i - 1);
        lua_pushlstring(L, key.at, key.length);
        return 1;
    }
    const char *name = luaL_checkstring(L, 2);
    lua_pushvalue(L, 2);
    if (lua_rawget(L, lua_upvalueindex(1)) == LUA_TNIL) {
        static const char *const names[] = {"load", "total"};
        api_unknown(L, "keys:", name, names, 2);
    }
    return 1;
}

void api_keys_open(lua_State *L)
{
    static const luaL_Reg functions[] = {{"load", keys_load}, {"total", keys_total}, {NULL, NULL}};
    api_metatable(L, "keys", functions, keys_index);
    luaL_getmetatable(L, "keys");
    lua_pushcfunction(L, keys_length);
    lua_setfield(L, -2, "__len");
    lua_pop(L, 1);
    sandbox_add(L, "keys", make_keys);
}
