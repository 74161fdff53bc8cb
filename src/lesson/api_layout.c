/*
 * Layouts: layout("ring", { shards = 4, tokens = 16 }) and what makes another one of one: add,
 * remove, weigh, split, merge, give. A layout never changes. What is read of one is in
 * api_measure.c.
 */
#include "lesson/api.h"
#include "place/layout.h"
#include "place/range.h"
#include <string.h>

#define SCRIPT_SHARDS_MAX 1024
#define SCRIPT_SLOTS_MAX 65536
#define SCRIPT_TABLE_MAX 131071
#define SCRIPT_TOKENS_MAX 4096
#define SCRIPT_POINTS_MAX 65536 /* on one ring */
#define POINT_UNITS 8           /* to make and sort one */
#define OBSERVED_UNITS 10       /* to sort a key among the others */
#define FACTOR_MAX 1000

const struct layout *api_layout(lua_State *L, int arg)
{
    const struct layout *layout = shelf_layout(L, arg);
    if (layout == NULL) {
        sandbox_raise(L, "a layout is wanted here, not a %s", luaL_typename(L, arg));
    }
    sandbox_charge(L, 60);
    return layout;
}

/* --- options --- */

static lua_Integer option_number(lua_State *L, const char *name, lua_Integer otherwise,
                                 lua_Integer min, lua_Integer max)
{
    lua_Integer n = otherwise;
    if (push_field(L, name) != LUA_TNIL) {
        n = luaL_checkinteger(L, -1);
        if (n < min || n > max) {
            sandbox_raise(L, "%s: %lld to %lld, not %lld", name, (long long)min, (long long)max,
                          (long long)n);
        }
    }
    lua_pop(L, 1);
    return n;
}

/* Which of the names an option is; `otherwise` without it. */
static int option_name(lua_State *L, const char *option, const char *const *names, size_t count,
                       int otherwise)
{
    int found = otherwise;
    if (push_field(L, option) != LUA_TNIL) {
        const char *given = luaL_checkstring(L, -1);
        found = -1;
        for (size_t i = 0; i < count && found < 0; i++) {
            found = strcmp(given, names[i]) == 0 ? (int)i : -1;
        }
        if (found < 0) {
            api_unknown(L, option, given, names, count);
        }
    }
    lua_pop(L, 1);
    return found;
}

static const char *const option_names[] = {
    "shards", "hash",  "slots",  "tokens", "weights", "seed",
    "table",  "split", "factor", "deal",   "keys",    "token_rule",
};
#define OPTIONS (sizeof option_names / sizeof *option_names)

static void check_options(lua_State *L)
{
    lua_pushnil(L);
    while (lua_next(L, 2)) {
        lua_pop(L, 1);
        bool known = false;
        for (size_t i = 0; i < OPTIONS && lua_type(L, -1) == LUA_TSTRING; i++) {
            known = known || strcmp(lua_tostring(L, -1), option_names[i]) == 0;
        }
        if (!known && lua_type(L, -1) == LUA_TSTRING) {
            api_unknown(L, "option of a layout called", lua_tostring(L, -1), option_names, OPTIONS);
        }
        if (!known) {
            sandbox_raise(L, "an option of a layout has a name: shards, hash, tokens ...");
        }
    }
}

static void read_hash(lua_State *L, enum hash_id *hash)
{
    const char *names[HASH_COUNT];
    for (int i = 0; i < HASH_COUNT; i++) {
        names[i] = hash_name((enum hash_id)i);
    }
    *hash = (enum hash_id)option_name(L, "hash", names, HASH_COUNT, (int)*hash);
}

static void read_options(lua_State *L, struct layout_params *p)
{
    static const char *const deals[] = {"round-robin", "ranges"};
    static const char *const rules[] = {"hashed", "seeded", "chosen"};
    static const char *const splits[] = {"size", "load"};
    read_hash(L, &p->hash);
    p->slots = (uint32_t)option_number(L, "slots", p->slots, 1, SCRIPT_SLOTS_MAX);
    p->tokens = (uint32_t)option_number(L, "tokens", p->tokens, 1, SCRIPT_TOKENS_MAX);
    p->table = (uint32_t)option_number(L, "table", p->table, 2, SCRIPT_TABLE_MAX);
    p->factor_pct = (uint32_t)option_number(L, "factor", p->factor_pct, 101, FACTOR_MAX);
    bool seeded = has_field(L, "seed");
    p->seed = (uint64_t)option_number(L, "seed", 0, 0, 1 << 24);
    p->deal = (enum slots_deal)option_name(L, "deal", deals, 2, (int)p->deal);
    p->split = (enum split_rule)option_name(L, "split", splits, 2, (int)p->split);
    p->token_rule = (enum token_rule)option_name(L, "token_rule", rules, 3,
                                                 seeded ? (int)TOKENS_SEEDED : (int)p->token_rule);
}

/* --- what it costs --- */

static bool named(const struct scheme *scheme, const char *name)
{
    return strcmp(scheme->name, name) == 0;
}

static uint64_t points_of(const struct scheme *scheme, const struct layout_params *p,
                          uint64_t weight)
{
    bool ring =
        named(scheme, "ring") || named(scheme, "bounded-load") || named(scheme, "cassandra");
    uint64_t each = ring ? p->tokens : named(scheme, "ketama") ? 160 : 0;
    return each * weight / LAYOUT_WEIGHT_USUAL;
}

/* Of making a layout, or of changing it: charged before it is done. */
static void charge_making(lua_State *L, const struct scheme *scheme, const struct layout_params *p,
                          uint32_t shards, uint64_t weight)
{
    uint64_t points = points_of(scheme, p, weight);
    if (points > SCRIPT_POINTS_MAX) {
        sandbox_raise(L, "%llu points on one ring: at most %d", (unsigned long long)points,
                      SCRIPT_POINTS_MAX);
    }
    int64_t each = p->token_rule == TOKENS_CHOSEN ? 4 * POINT_UNITS : POINT_UNITS;
    int64_t units = (int64_t)points * each + (int64_t)shards * 4;
    units += named(scheme, "slots") ? (int64_t)p->slots : 0;
    units += named(scheme, "maglev") ? 2 * (int64_t)p->table + (int64_t)shards * 200 : 0;
    sandbox_charge(L, units);
}

static uint64_t weight_of_all(const struct layout *layout)
{
    uint64_t weight = 0;
    for (uint32_t i = 0; i < layout_shards(layout); i++) {
        weight += layout_weight(layout, i);
    }
    return weight;
}

static void charge_changing(lua_State *L, const struct layout *layout, uint32_t more_weight)
{
    charge_making(L, layout_scheme(layout), layout_params_of(layout), layout_shards(layout) + 1,
                  weight_of_all(layout) + more_weight);
}

/* --- making --- */

/* `weights`, a list from shard 0 on: known to the sandbox before it is asked for. */
static void set_weights(lua_State *L, struct layout *layout)
{
    struct err err = {""};
    if (push_field(L, "weights") == LUA_TNIL) {
        lua_pop(L, 1);
        return;
    }
    luaL_checktype(L, -1, LUA_TTABLE);
    lua_Integer count = (lua_Integer)lua_rawlen(L, -1);
    for (lua_Integer i = 1; i <= count; i++) {
        lua_rawgeti(L, -1, i);
        lua_Integer weight = lua_tointeger(L, -1);
        if (weight < 1 || weight > LAYOUT_WEIGHT_MAX) {
            sandbox_raise(L, "weights: 1 to %u, 100 is usual", LAYOUT_WEIGHT_MAX);
        }
        lua_pop(L, 1);
        charge_changing(L, layout, (uint32_t)weight);
        if (!layout_weigh(layout, (uint32_t)i - 1, (uint32_t)weight, &err)) {
            sandbox_raise(L, "%s", err.text);
        }
    }
    lua_pop(L, 1);
}

static void set_observed(lua_State *L, struct layout *layout)
{
    if (push_field(L, "keys") != LUA_TNIL) {
        struct keyset *keys = api_keys(L, lua_gettop(L));
        bool observes = layout_scheme(layout)->observe != NULL;
        sandbox_charge(L, observes ? OBSERVED_UNITS * (int64_t)keyset_count(keys) : 0);
        int64_t since = sandbox_clock();
        layout_observe(layout, keys);
        sandbox_forgive(L, since);
    }
    lua_pop(L, 1);
}

static const struct scheme *scheme_arg(lua_State *L)
{
    const struct scheme *scheme = scheme_by_name(luaL_checkstring(L, 1));
    if (scheme == NULL) {
        const char *names[24];
        size_t count = 0;
        for (; count < 24 && scheme_at(count) != NULL; count++) {
            names[count] = scheme_at(count)->name;
        }
        api_unknown(L, "scheme", lua_tostring(L, 1), names, count);
    }
    return scheme;
}

static int make_layout(lua_State *L)
{
    const struct scheme *scheme = scheme_arg(L);
    luaL_checktype(L, 2, LUA_TTABLE);
    lua_settop(L, 2);
    check_options(L);
    shelf_room(L);
    struct layout_params params = layout_defaults(scheme);
    uint32_t shards = (uint32_t)option_number(L, "shards", 1, 1, SCRIPT_SHARDS_MAX);
    read_options(L, &params);
    charge_making(L, scheme, &params, shards, (uint64_t)shards * LAYOUT_WEIGHT_USUAL);
    struct err err = {""};
    int64_t since = sandbox_clock();
    struct layout *layout = layout_new(scheme, &params, shards, &err);
    sandbox_forgive(L, since);
    if (layout == NULL) {
        sandbox_raise(L, "%s", err.text);
    }
    shelf_push_layout(L, layout); /* scheme, options, layout */
    lua_insert(L, 1);
    lua_replace(L, 2); /* layout, options */
    set_weights(L, layout);
    set_observed(L, layout);
    lua_settop(L, 1);
    return 1;
}

/* --- changing --- */

/* A copy of the layout at 1, pushed; the caller changes it and returns `changed`. */
static struct layout *copy_of(lua_State *L, uint32_t more_weight)
{
    const struct layout *layout = api_layout(L, 1);
    shelf_room(L);
    if (layout_shards(layout) >= SCRIPT_SHARDS_MAX) {
        sandbox_raise(L, "at most %d shards in a layout", SCRIPT_SHARDS_MAX);
    }
    charge_changing(L, layout, more_weight);
    struct layout *copy = layout_copy(layout);
    shelf_push_layout(L, copy);
    return copy;
}

static int changed(lua_State *L, bool done, const struct err *err)
{
    if (!done) {
        sandbox_raise(L, "%s", err->text);
    }
    return 1;
}

static uint32_t id_arg(lua_State *L, int arg)
{
    lua_Integer id = luaL_checkinteger(L, arg);
    if (id < 0 || id > (lua_Integer)LAYOUT_SHARDS_MAX) {
        sandbox_raise(L, "shard %lld is not in the layout", (long long)id);
    }
    return (uint32_t)id;
}

static int layout_with_one_more(lua_State *L)
{
    struct err err = {""};
    struct layout *copy = copy_of(L, LAYOUT_WEIGHT_USUAL);
    int64_t since = sandbox_clock();
    bool done = layout_add(copy, &err);
    sandbox_forgive(L, since);
    return changed(L, done, &err);
}

static int layout_without(lua_State *L)
{
    struct err err = {""};
    uint32_t id = id_arg(L, 2);
    struct layout *copy = copy_of(L, 0);
    int64_t since = sandbox_clock();
    bool done = layout_remove(copy, id, &err);
    sandbox_forgive(L, since);
    return changed(L, done, &err);
}

static int layout_weighed(lua_State *L)
{
    struct err err = {""};
    uint32_t id = id_arg(L, 2);
    lua_Integer weight = luaL_checkinteger(L, 3);
    if (weight < 1 || weight > LAYOUT_WEIGHT_MAX) {
        sandbox_raise(L, "a weight is 1 to %u, 100 is usual", LAYOUT_WEIGHT_MAX);
    }
    struct layout *copy = copy_of(L, (uint32_t)weight);
    return changed(L, layout_weigh(copy, id, (uint32_t)weight, &err), &err);
}

static int layout_given(lua_State *L)
{
    struct err err = {""};
    lua_Integer first = luaL_checkinteger(L, 2), last = luaL_checkinteger(L, 3);
    uint32_t id = id_arg(L, 4);
    struct layout *copy = copy_of(L, 0);
    if (layout_slot_count(copy) == 0) {
        sandbox_raise(L, "%s has no slots to give", layout_scheme(copy)->name);
    }
    if (first < 0 || last >= SCRIPT_SLOTS_MAX) {
        sandbox_raise(L, "slots %lld-%lld: there are slots 0 to %u", (long long)first,
                      (long long)last, layout_slot_count(copy) - 1);
    }
    return changed(L, layout_slot_give(copy, (uint32_t)first, (uint32_t)last, id, &err), &err);
}

static void need_ranges(lua_State *L, const struct layout *layout)
{
    if (layout_ranges(layout) == 0) {
        sandbox_raise(L, "%s has no ranges", layout_scheme(layout)->name);
    }
}

/* l:split(key, id): from that key on, its range is the shard's. */
static int layout_split_at(lua_State *L)
{
    struct err err = {""};
    struct bytes key;
    key.at = luaL_checklstring(L, 2, &key.length);
    uint32_t id = id_arg(L, 3);
    struct layout *copy = copy_of(L, 0);
    need_ranges(L, copy);
    return changed(L, layout_range_split(copy, key, id, &err), &err);
}

static size_t range_arg(lua_State *L, const struct layout *layout)
{
    need_ranges(L, layout);
    lua_Integer range = luaL_checkinteger(L, 2), count = (lua_Integer)layout_ranges(layout);
    if (range < 1 || range > count) {
        sandbox_raise(L, "there is no range %lld: 1 to %lld", (long long)range, (long long)count);
    }
    return (size_t)range - 1;
}

static int layout_merged(lua_State *L)
{
    struct err err = {""};
    size_t range = range_arg(L, api_layout(L, 1));
    struct layout *copy = copy_of(L, 0);
    return changed(L, layout_range_merge(copy, range, &err), &err);
}

/* l:cut(range): the best key to cut it at, or nil and why there is none. */
static int layout_cut_of(lua_State *L)
{
    struct err err = {""};
    struct bytes key = {"", 0};
    const struct layout *layout = api_layout(L, 1);
    sandbox_charge(L, 4000);
    if (layout_range_cut(layout, range_arg(L, layout), &key, &err)) {
        lua_pushlstring(L, key.at, key.length);
        return 1;
    }
    lua_pushnil(L);
    lua_pushstring(L, err.text);
    return 2;
}

/* l:range(i): { first =, shard =, keys =, load = } */
static int layout_range_of(lua_State *L)
{
    const struct layout *layout = api_layout(L, 1);
    struct range_info info = layout_range_at(layout, range_arg(L, layout));
    sandbox_charge(L, 200);
    lua_createtable(L, 0, 4);
    lua_pushlstring(L, info.first.at, info.first.length);
    lua_setfield(L, -2, "first");
    lua_pushinteger(L, layout_shard_id(layout, info.index));
    lua_setfield(L, -2, "shard");
    lua_pushinteger(L, (lua_Integer)info.keys);
    lua_setfield(L, -2, "keys");
    lua_pushinteger(L, (lua_Integer)info.load);
    lua_setfield(L, -2, "load");
    return 1;
}

static int layout_range_count(lua_State *L)
{
    lua_pushinteger(L, (lua_Integer)layout_ranges(api_layout(L, 1)));
    return 1;
}

void api_layout_open(lua_State *L)
{
    static const luaL_Reg changes[] = {{"add", layout_with_one_more},  {"remove", layout_without},
                                       {"weigh", layout_weighed},      {"give", layout_given},
                                       {"split", layout_split_at},     {"merge", layout_merged},
                                       {"cut", layout_cut_of},         {"range", layout_range_of},
                                       {"ranges", layout_range_count}, {NULL, NULL}};
    luaL_Reg all[40];
    size_t count = 0;
    for (const luaL_Reg *r = changes; r->name != NULL; r++) {
        all[count++] = *r;
    }
    for (const luaL_Reg *r = api_measures(); count < 39 && r->name != NULL; r++) {
        all[count++] = *r;
    }
    all[count] = (luaL_Reg){NULL, NULL};
    api_metatable(L, "layout", all, NULL);
    sandbox_add(L, "layout", make_layout);
}
