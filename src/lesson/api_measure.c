/*
 * What can be read of a layout: owners, balance and movement over a list of keys, places on a ring.
 */
#include "lesson/api.h"
#include "place/maglev.h"
#include "place/measure.h"
#include "place/rendezvous.h"
#include "place/ring.h"
#include <string.h>

#define COPIES_MAX 16
#define WALK_MAX 64
#define TOKENS_LISTED_MAX 1000
#define CIRCLE 18446744073709551616.0

static struct bytes key_arg(lua_State *L, int arg)
{
    struct bytes key;
    key.at = luaL_checklstring(L, arg, &key.length);
    return key;
}

/* The position of a shard's id in the layout's list. */
static uint32_t index_arg(lua_State *L, int arg, const struct layout *layout)
{
    lua_Integer id = luaL_checkinteger(L, arg);
    for (uint32_t i = 0; i < layout_shards(layout); i++) {
        if ((lua_Integer)layout_shard_id(layout, i) == id) {
            return i;
        }
    }
    sandbox_raise(L, "shard %lld is not in the layout", (long long)id);
}

static bool weighs(const struct layout *layout)
{
    for (uint32_t i = 0; i < layout_shards(layout); i++) {
        if (layout_weight(layout, i) != LAYOUT_WEIGHT_USUAL) {
            return true;
        }
    }
    return false;
}

int64_t api_lookup_units(const struct layout *layout, size_t keys)
{
    const struct scheme *scheme = layout_scheme(layout);
    int64_t each = 2, shards = layout_shards(layout);
    if (strcmp(scheme->name, "rendezvous") == 0) { /* it asks all */
        each += weighs(layout) ? 2 * shards : shards / 4;
    }
    each += scheme->traits & SCHEME_BY_KEY ? 3 : 0;
    each += scheme->traits & SCHEME_BY_HISTORY ? 6 : 0;
    return 400 + each * (int64_t)keys;
}

/* --- one key --- */

static int owner_of(lua_State *L)
{
    const struct layout *layout = api_layout(L, 1);
    lua_pushinteger(L, layout_owner(layout, key_arg(L, 2)));
    return 1;
}

/* On a ring the share of the circle before it, 0 to 1; else its slot or its entry. */
static int position_of(lua_State *L)
{
    size_t count = 0;
    const struct layout *layout = api_layout(L, 1);
    uint64_t hash = layout_hash(layout, key_arg(L, 2));
    if (layout_ring(layout, &count) != NULL) {
        lua_pushnumber(L, (lua_Number)layout_ring_position(layout, hash) / CIRCLE);
    } else if (layout_maglev(layout, &count) != NULL) {
        lua_pushinteger(L, (lua_Integer)layout_maglev_entry(layout, hash));
    } else if (layout_slot_count(layout) > 0) {
        lua_pushinteger(L, (lua_Integer)(hash % layout_slot_count(layout)));
    } else {
        sandbox_raise(L, "%s has no positions", layout_scheme(layout)->name);
    }
    return 1;
}

static int score_of(lua_State *L)
{
    const struct layout *layout = api_layout(L, 1);
    uint64_t hash = layout_hash(layout, key_arg(L, 2));
    lua_pushnumber(L, layout_rendezvous_score(layout, hash, index_arg(L, 3, layout)));
    return 1;
}

/* The zones at `arg`: a list of texts, one a shard in the order of ids; equal texts, equal zones.
 */
static void read_zones(lua_State *L, int arg, uint32_t shards, uint8_t *zone)
{
    luaL_checktype(L, arg, LUA_TTABLE);
    lua_newtable(L); /* name -> number */
    lua_Integer known = 0;
    for (uint32_t i = 0; i < shards; i++) {
        if (lua_rawgeti(L, arg, (lua_Integer)i + 1) != LUA_TSTRING) {
            sandbox_raise(L, "zones: a list of one text for each of the %d shards", (int)shards);
        }
        lua_pushvalue(L, -1);
        if (lua_rawget(L, -3) == LUA_TNIL) {
            lua_pop(L, 1);
            if (known == UINT8_MAX) {
                sandbox_raise(L, "zones: at most %d different ones", UINT8_MAX);
            }
            lua_pushinteger(L, ++known);
            lua_pushvalue(L, -2);
            lua_pushvalue(L, -2);
            lua_rawset(L, -5);
        }
        zone[i] = (uint8_t)lua_tointeger(L, -1);
        lua_pop(L, 2);
    }
    lua_pop(L, 1);
}

/* l:replicas(key, 3, { "a", "b", "c", ... }): ids, the owner first. */
static int replicas_of(lua_State *L)
{
    size_t points = 0;
    uint32_t copy[COPIES_MAX];
    const struct layout *layout = api_layout(L, 1);
    uint64_t hash = layout_hash(layout, key_arg(L, 2));
    lua_Integer want = luaL_checkinteger(L, 3);
    bool zoned = !lua_isnoneornil(L, 4);
    if (layout_ring(layout, &points) == NULL) {
        sandbox_raise(L, "%s is no ring to walk along", layout_scheme(layout)->name);
    }
    if (want < 1 || want > COPIES_MAX) {
        sandbox_raise(L, "1 to %d copies, not %lld", COPIES_MAX, (long long)want);
    }
    uint8_t *zone = lua_newuserdatauv(L, layout_shards(layout) + 1, 0);
    if (zoned) {
        read_zones(L, 4, layout_shards(layout), zone);
    }
    sandbox_charge(L, 100 + (int64_t)points * 4);
    uint32_t found = layout_ring_replicas(layout, hash, zoned ? zone : NULL, (uint32_t)want, copy);
    lua_createtable(L, (int)found, 0);
    for (uint32_t i = 0; i < found; i++) {
        lua_pushinteger(L, layout_shard_id(layout, copy[i]));
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

/* l:walk(key, 4): whose the next points clockwise are, the owner's first; a shard may come again.
 */
static int walk_from(lua_State *L)
{
    size_t points = 0;
    const struct layout *layout = api_layout(L, 1);
    const struct ring_point *point = layout_ring(layout, &points);
    uint64_t hash = layout_hash(layout, key_arg(L, 2));
    lua_Integer want = luaL_checkinteger(L, 3);
    if (point == NULL) {
        sandbox_raise(L, "%s is no ring to walk along", layout_scheme(layout)->name);
    }
    if (want < 1 || want > WALK_MAX) {
        sandbox_raise(L, "1 to %d points, not %lld", WALK_MAX, (long long)want);
    }
    size_t at = layout_ring_find(layout, hash);
    lua_createtable(L, (int)want, 0);
    for (lua_Integer i = 1; i <= want; i++, at++) {
        lua_pushinteger(L, layout_shard_id(layout, point[at % points].index));
        lua_rawseti(L, -2, i);
    }
    return 1;
}

/* l:tokens(): all points, ascending: { shard =, at = 0 to 1 }. */
static int tokens_of(lua_State *L)
{
    size_t points = 0;
    const struct layout *layout = api_layout(L, 1);
    const struct ring_point *point = layout_ring(layout, &points);
    if (point == NULL || points > TOKENS_LISTED_MAX) {
        sandbox_raise(L, "tokens: a ring with at most %d points", TOKENS_LISTED_MAX);
    }
    lua_createtable(L, (int)points, 0);
    for (size_t i = 0; i < points; i++) {
        lua_createtable(L, 0, 2);
        lua_pushinteger(L, layout_shard_id(layout, point[i].index));
        lua_setfield(L, -2, "shard");
        lua_pushnumber(L, (lua_Number)point[i].at / CIRCLE);
        lua_setfield(L, -2, "at");
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

/* --- the layout alone --- */

static int shard_count(lua_State *L)
{
    lua_pushinteger(L, layout_shards(api_layout(L, 1)));
    return 1;
}

static int scheme_name(lua_State *L)
{
    lua_pushstring(L, layout_scheme(api_layout(L, 1))->name);
    return 1;
}

static int memory_of(lua_State *L)
{
    lua_pushinteger(L, (lua_Integer)layout_memory(api_layout(L, 1)));
    return 1;
}

static int points_of(lua_State *L)
{
    size_t count = 0;
    layout_ring(api_layout(L, 1), &count);
    lua_pushinteger(L, (lua_Integer)count);
    return 1;
}

static lua_Integer slots_owned(lua_State *L, const struct layout *layout, lua_Integer id)
{
    lua_Integer owned = 0;
    uint32_t slots = layout_slot_count(layout);
    sandbox_charge(L, slots / 4);
    for (uint32_t slot = 0; slot < slots; slot++) {
        owned += (lua_Integer)layout_slot_owner(layout, slot) == id;
    }
    return owned;
}

static int slots_of(lua_State *L)
{
    lua_pushinteger(L, slots_owned(L, api_layout(L, 1), luaL_checkinteger(L, 2)));
    return 1;
}

static int slot_owner_of(lua_State *L)
{
    const struct layout *layout = api_layout(L, 1);
    lua_Integer slot = luaL_checkinteger(L, 2), slots = layout_slot_count(layout);
    if (slot < 0 || slot >= slots) {
        sandbox_raise(L, "slot %lld: there are %lld slots, from 0 on", (long long)slot,
                      (long long)slots);
    }
    lua_pushinteger(L, layout_slot_owner(layout, (uint32_t)slot));
    return 1;
}

static lua_Integer entries_owned(lua_State *L, const uint32_t *table, size_t entries,
                                 uint32_t index)
{
    lua_Integer owned = 0;
    sandbox_charge(L, (int64_t)entries / 4);
    for (size_t i = 0; i < entries; i++) {
        owned += table[i] == index;
    }
    return owned;
}

/* l:share(id): of the circle, the slots or the table, 0 to 1. */
static int share_of(lua_State *L)
{
    size_t points = 0, entries = 0;
    const struct layout *layout = api_layout(L, 1);
    uint32_t index = index_arg(L, 2, layout), slots = layout_slot_count(layout);
    layout_ring(layout, &points);
    const uint32_t *table = layout_maglev(layout, &entries);
    if (points > 0) {
        sandbox_charge(L, (int64_t)points);
        lua_pushnumber(L, layout_ring_share(layout, index));
    } else if (table != NULL) {
        lua_pushnumber(L,
                       (lua_Number)entries_owned(L, table, entries, index) / (lua_Number)entries);
    } else if (slots > 0) {
        lua_pushnumber(L,
                       (lua_Number)slots_owned(L, layout, lua_tointeger(L, 2)) / (lua_Number)slots);
    } else {
        sandbox_raise(L, "%s has no shares but those of keys", layout_scheme(layout)->name);
    }
    return 1;
}

/* --- balance --- */

static struct balance balance_arg(lua_State *L)
{
    const struct layout *layout = api_layout(L, 1);
    struct keyset *keys = api_keys(L, 2);
    const uint32_t *owner = owners_of(L, layout, keys);
    sandbox_charge(L, (int64_t)keyset_count(keys));
    return balance_of(layout, owner, keyset_loads(keys), keyset_count(keys));
}

/* l:busiest(keys): its load over the average one. */
static int busiest_of(lua_State *L)
{
    struct balance b = balance_arg(L);
    lua_pushnumber(L, balance_over_average(&b));
    balance_free(&b);
    return 1;
}

static int spread_of(lua_State *L)
{
    struct balance b = balance_arg(L);
    lua_pushnumber(L, balance_spread(&b));
    balance_free(&b);
    return 1;
}

/* l:load(keys, id) */
static int load_of(lua_State *L)
{
    uint32_t index = index_arg(L, 3, api_layout(L, 1));
    struct balance b = balance_arg(L);
    lua_pushinteger(L, (lua_Integer)b.amount[index]);
    balance_free(&b);
    return 1;
}

/* l:owned(keys, id): how many of them. */
static int owned_by(lua_State *L)
{
    const struct layout *layout = api_layout(L, 1);
    struct keyset *keys = api_keys(L, 2);
    uint32_t index = index_arg(L, 3, layout);
    const uint32_t *owner = owners_of(L, layout, keys);
    lua_Integer owned = 0;
    for (size_t i = 0; i < keyset_count(keys); i++) {
        owned += owner[i] == index;
    }
    lua_pushinteger(L, owned);
    return 1;
}

/* --- movement --- */

/* From the layout at `a` to the one at `b`, over the keys at 3. */
static struct movement movement_args(lua_State *L, int a, int b)
{
    const struct layout *before = api_layout(L, a), *after = api_layout(L, b);
    struct keyset *keys = api_keys(L, 3);
    const uint32_t *was = owners_of(L, before, keys), *is = owners_of(L, after, keys);
    sandbox_charge(L, 2 * (int64_t)keyset_count(keys));
    return movement_between(before, was, after, is, keyset_loads(keys), keyset_count(keys));
}

static int moved_to(lua_State *L)
{
    struct movement m = movement_args(L, 1, 2);
    lua_pushinteger(L, (lua_Integer)m.moved);
    movement_free(&m);
    return 1;
}

static int moved_load_to(lua_State *L)
{
    struct movement m = movement_args(L, 1, 2);
    lua_pushinteger(L, (lua_Integer)m.moved_load);
    movement_free(&m);
    return 1;
}

static int donors_to(lua_State *L)
{
    struct movement m = movement_args(L, 1, 2);
    lua_pushinteger(L, m.from_shards);
    movement_free(&m);
    return 1;
}

/* before:gave(after, keys, id): how many keys left that shard. */
static int gave_to(lua_State *L)
{
    uint32_t index = index_arg(L, 4, api_layout(L, 1));
    struct movement m = movement_args(L, 1, 2);
    lua_pushinteger(L, (lua_Integer)m.given[index]);
    movement_free(&m);
    return 1;
}

/* after:taken(before, keys, id): how many keys came to that shard. */
static int taken_from(lua_State *L)
{
    uint32_t index = index_arg(L, 4, api_layout(L, 1));
    struct movement m = movement_args(L, 2, 1);
    lua_pushinteger(L, (lua_Integer)m.taken[index]);
    movement_free(&m);
    return 1;
}

const luaL_Reg *api_measures(void)
{
    static const luaL_Reg functions[] = {{"owner", owner_of},
                                         {"position", position_of},
                                         {"score", score_of},
                                         {"replicas", replicas_of},
                                         {"walk", walk_from},
                                         {"tokens", tokens_of},
                                         {"shards", shard_count},
                                         {"scheme", scheme_name},
                                         {"memory", memory_of},
                                         {"points", points_of},
                                         {"slots_of", slots_of},
                                         {"slot_owner", slot_owner_of},
                                         {"share", share_of},
                                         {"busiest", busiest_of},
                                         {"spread", spread_of},
                                         {"load", load_of},
                                         {"owned", owned_by},
                                         {"moved", moved_to},
                                         {"moved_load", moved_load_to},
                                         {"donors", donors_to},
                                         {"gave", gave_to},
                                         {"taken", taken_from},
                                         {"readout", api_layout_readout},
                                         {NULL, NULL}};
    return functions;
}
