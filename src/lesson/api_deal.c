/*
 * api_deal: deal(costs, { workers = 8, by = "turn" }): pieces of work dealt to workers who wait for
 * one another at the end (place/deal.h). bucket_of(text, n, salt): where a hash puts a text.
 *
 * Costs are a list of keys (their loads are the costs), a table of whole numbers, or of synthetic
 * work. Workers are numbered from 1, as W1 in the picture.
 */
#include "lesson/deal.h"
#include "place/hash.h"
#include <math.h>
#include <string.h>

#define ITEM_UNITS 12 /* to name one and keep it; a quarter of that to deal it */
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

const struct deal *deal_test(lua_State *L, int arg)
{
    return luaL_testudata(L, arg, DEAL_TYPE);
}

/* --- options ------------------------------------------------------------------------------- */

/* The table at `arg` has no other fields than these; `list`: and values 1, 2, 3. */
static void check_names(lua_State *L, int arg, const char *const *names, size_t count)
{
    for (lua_pushnil(L); lua_next(L, arg) != 0; lua_pop(L, 1)) {
        bool known = false;
        for (size_t i = 0; i < count && lua_type(L, -2) == LUA_TSTRING; i++) {
            known = known || strcmp(lua_tostring(L, -2), names[i]) == 0;
        }
        if (!known && lua_type(L, -2) == LUA_TSTRING) {
            api_unknown(L, "option of a deal called", lua_tostring(L, -2), names, count);
        }
        if (!known) {
            sandbox_raise(L, "deal: an option has a name, as in { workers = 8, by = \"turn\" }");
        }
    }
}

/* Field `name` of the table at `arg`. */
static uint64_t number_of(lua_State *L, int arg, const char *name, lua_Integer otherwise,
                          lua_Integer most)
{
    lua_Integer n = otherwise;
    if (lua_getfield(L, arg, name) != LUA_TNIL) {
        n = lua_tointeger(L, -1);
        if (!lua_isinteger(L, -1) || n < 0 || n > most) {
            sandbox_raise(L, "deal: '%s' is a whole number from 0 to %lld", name, (long long)most);
        }
    }
    lua_pop(L, 1);
    return (uint64_t)n;
}

static enum deal_by way_of(lua_State *L, int arg)
{
    const char *names[DEAL_COUNT];
    int found = DEAL_TURN;
    for (int i = 0; i < DEAL_COUNT; i++) {
        names[i] = deal_by_name((enum deal_by)i);
    }
    if (lua_getfield(L, arg, "by") != LUA_TNIL) {
        const char *given = luaL_checkstring(L, -1);
        for (found = 0; found < DEAL_COUNT && strcmp(given, names[found]) != 0;) {
            found++;
        }
        if (found == DEAL_COUNT) {
            api_unknown(L, "way to deal called", given, names, DEAL_COUNT);
        }
    }
    lua_pop(L, 1);
    return (enum deal_by)found;
}

static struct deal_params params_of(lua_State *L, int arg)
{
    static const char *const names[] = {"workers", "by", "pieces", "overhead"};
    struct deal_params params = {.workers = 8, .hash = HASH_MURMUR3};
    if (lua_isnoneornil(L, arg)) {
        return params;
    }
    luaL_checktype(L, arg, LUA_TTABLE);
    check_names(L, arg, names, COUNT(names));
    params.workers = (uint32_t)number_of(L, arg, "workers", 8, 1000000);
    params.pieces = (uint32_t)number_of(L, arg, "pieces", 0, 1000000);
    params.overhead = number_of(L, arg, "overhead", 0, 1000000000);
    params.by = way_of(L, arg);
    return params;
}

/* --- work ---------------------------------------------------------------------------------- */

static void add_synthetic(lua_State *L, struct keyset *items)
{
    static const char *const names[] = {"count", "low", "high", "long", "longer", "run", "seed"};
    struct err err = {""};
    check_names(L, 1, names, COUNT(names));
    struct deal_work work = {
        .count = (uint32_t)number_of(L, 1, "count", 0, SCRIPT_KEYS_MAX),
        .low = number_of(L, 1, "low", 1, 1000000000),
        .high = number_of(L, 1, "high", 1, 1000000000),
        .long_pct = (uint32_t)number_of(L, 1, "long", 0, 100),
        .longer = (uint32_t)number_of(L, 1, "longer", 10, 1000),
        .run = (uint32_t)number_of(L, 1, "run", 1, SCRIPT_KEYS_MAX),
        .seed = number_of(L, 1, "seed", 1, INT64_C(1) << 40),
    };
    sandbox_charge(L, ITEM_UNITS * (int64_t)work.count);
    int64_t since = sandbox_clock();
    bool made = deal_work(items, work, &err);
    sandbox_forgive(L, since);
    if (!made) {
        sandbox_raise(L, "%s", err.text);
    }
}

static void add_costs(lua_State *L, struct keyset *items)
{
    char name[DEAL_NAME_MAX];
    struct err err = {""};
    size_t count = (size_t)lua_rawlen(L, 1);
    if (count > SCRIPT_KEYS_MAX) {
        sandbox_raise(L, "deal: at most %d pieces of work", SCRIPT_KEYS_MAX);
    }
    sandbox_charge(L, ITEM_UNITS * (int64_t)count);
    for (size_t i = 0; i < count; i++) {
        lua_rawgeti(L, 1, (lua_Integer)i + 1);
        lua_Integer cost = lua_tointeger(L, -1);
        if (!lua_isinteger(L, -1) || cost < 0) {
            sandbox_raise(L, "deal: a cost is a whole number from 0 on, and number %d is not",
                          (int)i + 1);
        }
        if (!keyset_add(items, deal_item_name(name, i), (uint64_t)cost, &err)) {
            sandbox_raise(L, "%s", err.text);
        }
        lua_pop(L, 1);
    }
}

/* deal(costs [, options]) */
static int make_deal(lua_State *L)
{
    struct err err = {""};
    struct keyset *items = shelf_keys(L, 1), *mine = NULL;
    lua_settop(L, 2);
    if (items == NULL) {
        luaL_checktype(L, 1, LUA_TTABLE);
        items = mine = shelf_new_keys(L, false);
        if (lua_getfield(L, 1, "count") != LUA_TNIL) {
            add_synthetic(L, mine);
        } else {
            add_costs(L, mine);
        }
        lua_settop(L, 2);
    }
    struct deal_params params = params_of(L, 2);
    int64_t units = (int64_t)keyset_count(items) * ITEM_UNITS / 4;
    if (params.by == DEAL_STEAL) {
        uint32_t pieces = params.pieces > 0 ? params.pieces : 8 * params.workers;
        units += (int64_t)pieces * params.workers / 4;
    }
    sandbox_charge(L, 200 + units);
    struct deal *d = lua_newuserdatauv(L, sizeof *d, 0);
    int64_t since = sandbox_clock();
    bool dealt = deal_make(d, items, params, &err);
    sandbox_forgive(L, since);
    if (mine != NULL) {
        shelf_drop_keys(L);
    }
    if (!dealt) {
        sandbox_raise(L, "%s", err.text);
    }
    luaL_setmetatable(L, DEAL_TYPE);
    return 1;
}

/* --- methods ------------------------------------------------------------------------------- */

static const struct deal *self(lua_State *L)
{
    const struct deal *d = deal_test(L, 1);
    if (d == NULL) {
        sandbox_raise(L, "a deal is wanted here, not a %s", luaL_typename(L, 1));
    }
    sandbox_charge(L, 20);
    return d;
}

static const struct deal_worker *worker_of(lua_State *L)
{
    const struct deal *d = self(L);
    lua_Integer i = luaL_checkinteger(L, 2);
    if (i < 1 || i > (lua_Integer)d->params.workers) {
        sandbox_raise(L, "there is no worker %lld: 1 to %d", (long long)i, (int)d->params.workers);
    }
    return &d->worker[i - 1];
}

static int push_whole(lua_State *L, uint64_t value)
{
    lua_pushinteger(L, (lua_Integer)value);
    return 1;
}

static int deal_items(lua_State *L)
{
    return push_whole(L, worker_of(L)->items);
}

static int deal_pieces(lua_State *L)
{
    return push_whole(L, lua_isnoneornil(L, 2) ? self(L)->params.pieces : worker_of(L)->pieces);
}

static int deal_cost(lua_State *L)
{
    return push_whole(L, lua_isnoneornil(L, 2) ? self(L)->cost : worker_of(L)->cost);
}

static int deal_finish(lua_State *L)
{
    return push_whole(L, worker_of(L)->finish);
}

static int deal_workers(lua_State *L)
{
    return push_whole(L, self(L)->params.workers);
}

static int deal_barrier(lua_State *L)
{
    return push_whole(L, self(L)->barrier);
}

static int deal_slowest(lua_State *L)
{
    return push_whole(L, self(L)->slowest + 1);
}

static int deal_longest(lua_State *L)
{
    return push_whole(L, self(L)->longest);
}

/* Tenths, whole where it is whole. */
static int push_tenths(lua_State *L, uint64_t tenths)
{
    if (tenths % 10 == 0) {
        return push_whole(L, tenths / 10);
    }
    lua_pushnumber(L, (lua_Number)tenths / 10);
    return 1;
}

static int deal_average(lua_State *L)
{
    const struct deal *d = self(L);
    return push_tenths(L, (10 * d->busy + d->params.workers / 2) / d->params.workers);
}

static int deal_idle_pct(lua_State *L)
{
    return push_tenths(L, deal_idle(self(L)));
}

/* --- buckets ------------------------------------------------------------------------------- */

/* bucket_of(text [, n [, salt]]): MurmurHash3 of the text, or of "salt:text", mod n. */
static int bucket_of(lua_State *L)
{
    struct bytes text, salt;
    text.at = luaL_checklstring(L, 1, &text.length);
    lua_Integer n = luaL_optinteger(L, 2, 100);
    if (n < 1 || n > 1000000000) {
        sandbox_raise(L, "bucket_of: 1 to 1000000000 buckets, not %lld", (long long)n);
    }
    if (!lua_isnoneornil(L, 3)) {
        salt.at = luaL_checklstring(L, 3, &salt.length);
        sandbox_charge(L, (int64_t)salt.length / 8);
        lua_settop(L, 3);
        lua_pushvalue(L, 3);
        lua_pushliteral(L, ":");
        lua_pushvalue(L, 1);
        lua_concat(L, 3);
        text.at = lua_tolstring(L, -1, &text.length);
    }
    sandbox_charge(L, 30 + (int64_t)text.length / 8);
    lua_pushinteger(L, (lua_Integer)(hash_of(HASH_MURMUR3, text) % (uint64_t)n));
    return 1;
}

void api_deal_open(lua_State *L)
{
    static const luaL_Reg functions[] = {{"items", deal_items},
                                         {"pieces", deal_pieces},
                                         {"cost", deal_cost},
                                         {"finish", deal_finish},
                                         {"workers", deal_workers},
                                         {"barrier", deal_barrier},
                                         {"slowest", deal_slowest},
                                         {"longest", deal_longest},
                                         {"average", deal_average},
                                         {"idle", deal_idle_pct},
                                         {NULL, NULL}};
    api_metatable(L, DEAL_TYPE, functions, NULL);
    sandbox_add(L, "deal", make_deal);
    sandbox_add(L, "bucket_of", bucket_of);
}
