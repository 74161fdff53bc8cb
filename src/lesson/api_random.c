/*
 * The random numbers of a drill: r:between(3, 12), r:pick(list), r:shuffle(list), r:chance(1, 3).
 */
#include "lesson/api.h"

struct random_handle {
    uint32_t unused;
};

static struct prng *random_arg(lua_State *L)
{
    luaL_checkudata(L, 1, "random numbers");
    sandbox_charge(L, 20);
    return &player_of(L)->drill_random;
}

static int random_between(lua_State *L)
{
    struct prng *r = random_arg(L);
    lua_Integer low = luaL_checkinteger(L, 2), high = luaL_checkinteger(L, 3);
    uint64_t count = (uint64_t)high - (uint64_t)low;
    if (low > high || count == UINT64_MAX) {
        sandbox_raise(L, "between(low, high) needs low at most high");
    }
    lua_pushinteger(L, (lua_Integer)((uint64_t)low + prng_below(r, count + 1)));
    return 1;
}

static int random_pick(lua_State *L)
{
    struct prng *r = random_arg(L);
    luaL_checktype(L, 2, LUA_TTABLE);
    lua_Unsigned count = lua_rawlen(L, 2);
    if (count == 0) {
        sandbox_raise(L, "pick needs a list that is not empty");
    }
    lua_rawgeti(L, 2, (lua_Integer)prng_below(r, count) + 1);
    return 1;
}

/* A new list; the given one stays. */
static int random_shuffle(lua_State *L)
{
    struct prng *r = random_arg(L);
    luaL_checktype(L, 2, LUA_TTABLE);
    lua_settop(L, 2);
    lua_Integer count = (lua_Integer)lua_rawlen(L, 2);
    sandbox_charge(L, count * 4);
    lua_createtable(L, (int)count, 0); /* r, list, new */
    for (lua_Integer i = 1; i <= count; i++) {
        lua_rawgeti(L, 2, i);
        lua_rawseti(L, 3, i);
    }
    for (lua_Integer i = count; i > 1; i--) {
        lua_Integer j = (lua_Integer)prng_below(r, (uint64_t)i) + 1;
        lua_rawgeti(L, 3, i);
        lua_rawgeti(L, 3, j);
        lua_rawseti(L, 3, i);
        lua_rawseti(L, 3, j);
    }
    return 1;
}

static int random_chance(lua_State *L)
{
    struct prng *r = random_arg(L);
    lua_Integer hits = luaL_checkinteger(L, 2), of = luaL_checkinteger(L, 3);
    if (of < 1 || hits < 0 || hits > of) {
        sandbox_raise(L, "chance(hits, of) needs 0 to `of` hits");
    }
    lua_pushboolean(L, prng_chance(r, (uint64_t)hits, (uint64_t)of));
    return 1;
}

void api_push_random(lua_State *L)
{
    struct random_handle *h = lua_newuserdatauv(L, sizeof *h, 0);
    h->unused = 0;
    luaL_setmetatable(L, "random numbers");
}

void api_random_open(lua_State *L)
{
    static const luaL_Reg functions[] = {{"between", random_between},
                                         {"pick", random_pick},
                                         {"shuffle", random_shuffle},
                                         {"chance", random_chance},
                                         {NULL, NULL}};
    api_metatable(L, "random numbers", functions, NULL);
}
