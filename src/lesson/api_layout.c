/*
 * Layouts, lists of keys and a drill's random numbers. A layout lives in the player's table (at
 * most LAYOUTS_MAX, freed with it); a script holds its number.
 */
#include "lesson/api.h"
#include "place/layout.h"
#include <string.h>

#define KEYS_MAX 4096
#define SCRIPT_SHARDS_MAX 1024
#define SCRIPT_SLOTS_MAX 65536

struct layout_handle {
    uint32_t index;
};
struct random_handle {
    uint32_t unused;
};

const struct layout *api_layout(lua_State *L, int arg)
{
    struct layout_handle *h = luaL_testudata(L, arg, "layout");
    if (h == NULL) {
        sandbox_raise(L, "a layout is wanted here, not a %s", luaL_typename(L, arg));
    }
    sandbox_charge(L, 60);
    return player_of(L)->layout[h->index];
}

/* The layout becomes the player's at once. */
static int push_layout(lua_State *L, struct layout *layout)
{
    struct player *p = player_of(L);
    p->layout[p->layouts] = layout;
    uint32_t index = (uint32_t)p->layouts++;
    struct layout_handle *h = lua_newuserdatauv(L, sizeof *h, 0);
    h->index = index;
    luaL_setmetatable(L, "layout");
    return 1;
}

static void check_room(lua_State *L)
{
    if (player_of(L)->layouts == LAYOUTS_MAX) {
        sandbox_raise(L, "at most %d layouts in one lesson", LAYOUTS_MAX);
    }
}

static lua_Integer option_number(lua_State *L, const char *name, lua_Integer otherwise,
                                 lua_Integer max)
{
    lua_Integer n = otherwise;
    if (push_field(L, name) != LUA_TNIL) {
        n = luaL_checkinteger(L, -1);
    }
    lua_pop(L, 1);
    if (n < 1 || n > max) {
        sandbox_raise(L, "%s: 1 to %lld, not %lld", name, (long long)max, (long long)n);
    }
    return n;
}

static void check_options(lua_State *L)
{
    static const char *const names[] = {"shards", "hash", "slots"};
    lua_pushnil(L);
    while (lua_next(L, 2)) {
        lua_pop(L, 1);
        bool known = false;
        for (size_t i = 0; i < 3; i++) {
            known = known ||
                    (lua_type(L, -1) == LUA_TSTRING && strcmp(lua_tostring(L, -1), names[i]) == 0);
        }
        if (!known) {
            sandbox_raise(L, "a layout has the options shards, hash and slots");
        }
    }
}

static int make_layout(lua_State *L)
{
    const struct scheme *scheme = scheme_by_name(luaL_checkstring(L, 1));
    luaL_checktype(L, 2, LUA_TTABLE);
    lua_settop(L, 2);
    if (scheme == NULL) {
        const char *names[16];
        size_t count = 0;
        for (; count < 16 && scheme_at(count) != NULL; count++) {
            names[count] = scheme_at(count)->name;
        }
        api_unknown(L, "scheme", lua_tostring(L, 1), names, count);
    }
    check_room(L);
    check_options(L);
    struct layout_params params = layout_defaults(scheme);
    uint32_t shards = (uint32_t)option_number(L, "shards", 1, SCRIPT_SHARDS_MAX);
    params.slots = (uint32_t)option_number(L, "slots", params.slots > 0 ? params.slots : 16384,
                                           SCRIPT_SLOTS_MAX);
    if (push_field(L, "hash") != LUA_TNIL && !hash_by_name(luaL_checkstring(L, -1), &params.hash)) {
        const char *names[HASH_COUNT];
        for (int i = 0; i < HASH_COUNT; i++) {
            names[i] = hash_name((enum hash_id)i);
        }
        api_unknown(L, "hash", lua_tostring(L, -1), names, HASH_COUNT);
    }
    sandbox_charge(L, params.slots);
    struct err err = {""};
    struct layout *layout = layout_new(scheme, &params, shards, &err);
    if (layout == NULL) {
        sandbox_raise(L, "%s", err.text);
    }
    return push_layout(L, layout);
}

/* A copy with one change; raises with the reason when it cannot be. */
static int changed(lua_State *L, bool add, uint32_t id)
{
    const struct layout *layout = api_layout(L, 1);
    check_room(L);
    sandbox_charge(L, 4 * (int64_t)layout_slot_count(layout) + layout_shards(layout));
    struct layout *copy = layout_copy(layout);
    struct err err = {""};
    if (!(add ? layout_add(copy, &err) : layout_remove(copy, id, &err))) {
        layout_free(copy);
        sandbox_raise(L, "%s", err.text);
    }
    return push_layout(L, copy);
}

static int layout_with_one_more(lua_State *L)
{
    return changed(L, true, 0);
}

static int layout_without(lua_State *L)
{
    lua_Integer id = luaL_checkinteger(L, 2);
    if (id < 0 || id > (lua_Integer)LAYOUT_SHARDS_MAX) {
        sandbox_raise(L, "shard %lld is not in the layout", (long long)id);
    }
    return changed(L, false, (uint32_t)id);
}

static int layout_owner_of(lua_State *L)
{
    const struct layout *layout = api_layout(L, 1);
    struct bytes key;
    key.at = luaL_checklstring(L, 2, &key.length);
    lua_pushinteger(L, layout_owner(layout, key));
    return 1;
}

static int layout_shard_count(lua_State *L)
{
    lua_pushinteger(L, layout_shards(api_layout(L, 1)));
    return 1;
}

static int layout_slots_of(lua_State *L)
{
    const struct layout *layout = api_layout(L, 1);
    lua_Integer id = luaL_checkinteger(L, 2), owned = 0;
    uint32_t slots = layout_slot_count(layout);
    sandbox_charge(L, slots / 4);
    for (uint32_t slot = 0; slot < slots; slot++) {
        owned += (lua_Integer)layout_slot_owner(layout, slot) == id;
    }
    lua_pushinteger(L, owned);
    return 1;
}

/* What became of a list of keys between two layouts: moved at all, onto one shard, from how many.
 */
struct change {
    lua_Integer moved, taken, donors;
};

static struct change compare(lua_State *L, lua_Integer onto)
{
    const struct layout *a = api_layout(L, 1), *b = api_layout(L, 2);
    luaL_checktype(L, 3, LUA_TTABLE);
    struct change c = {0};
    bool gave[LAYOUT_SHARDS_MAX + 1];
    memset(gave, 0, sizeof gave);
    lua_Integer count = (lua_Integer)lua_rawlen(L, 3);
    sandbox_charge(L, 4000 + count * 8);
    for (lua_Integer i = 1; i <= count; i++) {
        lua_rawgeti(L, 3, i);
        struct bytes key;
        key.at = luaL_checklstring(L, -1, &key.length);
        uint32_t from = layout_owner(a, key), to = layout_owner(b, key);
        if (from != to) {
            c.moved++;
            c.taken += to == onto;
            c.donors += from <= LAYOUT_SHARDS_MAX && !gave[from];
            gave[from <= LAYOUT_SHARDS_MAX ? from : 0] = true;
        }
        lua_pop(L, 1);
    }
    return c;
}

static int layout_moved(lua_State *L)
{
    lua_pushinteger(L, compare(L, -1).moved);
    return 1;
}

static int layout_donors(lua_State *L)
{
    lua_pushinteger(L, compare(L, -1).donors);
    return 1;
}

/* after:taken(before, keys, id): how many keys came to that shard. */
static int layout_taken(lua_State *L)
{
    lua_Integer id = luaL_checkinteger(L, 4);
    lua_pushvalue(L, 1);
    lua_pushvalue(L, 2);
    lua_replace(L, 1);
    lua_replace(L, 2);
    lua_pushinteger(L, compare(L, id).taken);
    return 1;
}

/* keys("key:%03d", 0, 999) */
static int make_keys(lua_State *L)
{
    luaL_checkstring(L, 1);
    lua_Integer first = luaL_checkinteger(L, 2), last = luaL_checkinteger(L, 3);
    if (first < 0 || last < first || last - first >= KEYS_MAX) {
        sandbox_raise(L, "keys(form, first, last) makes 1 to %d keys", KEYS_MAX);
    }
    lua_settop(L, 3);
    lua_createtable(L, (int)(last - first + 1), 0); /* form, first, last, list */
    for (lua_Integer n = first; n <= last; n++) {
        lua_getfield(L, 1, "format"); /* the method of strings is ours */
        lua_pushvalue(L, 1);
        lua_pushinteger(L, n);
        lua_call(L, 2, 1);
        lua_rawseti(L, 4, n - first + 1);
    }
    return 1;
}

/* --- random numbers of a drill --- */

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

void api_layout_open(lua_State *L)
{
    static const luaL_Reg layout_functions[] = {
        {"owner", layout_owner_of},     {"add", layout_with_one_more}, {"remove", layout_without},
        {"moved", layout_moved},        {"donors", layout_donors},     {"taken", layout_taken},
        {"shards", layout_shard_count}, {"slots_of", layout_slots_of}, {NULL, NULL}};
    static const luaL_Reg random_functions[] = {{"between", random_between},
                                                {"pick", random_pick},
                                                {"shuffle", random_shuffle},
                                                {"chance", random_chance},
                                                {NULL, NULL}};
    api_metatable(L, "layout", layout_functions, NULL);
    api_metatable(L, "random numbers", random_functions, NULL);
    sandbox_add(L, "layout", make_layout);
    sandbox_add(L, "keys", make_keys);
}
