/*
 * api_guards: what keeps a cluster standing, as a script sees it: w:hot(n), w:report(),
 * w:limit(key), w:turned("R0"), w:clients(), w:in_flight("S2"), w:breaker("R0", "S2"),
 * w:tenant(name).
 */
#include "base/alloc.h"
#include "base/num.h"
#include "engine/guards/guards.h"
#include "lesson/api.h"
#include <stdlib.h>
#include <string.h>

#define HOT_MAX 1024
#define POOL_UNITS 4000 /* looking through all requests */

/* --- the sample --- */

/* Requests that the last whole window counted, all keys together. */
static uint64_t sampled(const struct hot_key_info *row, uint32_t count)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        sum += row[i].writes + row[i].reads + row[i].error;
    }
    return sum;
}

static void push_hot(lua_State *L, const struct world *w, const struct hot_key_info *row,
                     uint64_t all)
{
    lua_createtable(L, 0, 7);
    api_set_key(L, w, row->key);
    api_set_shard(L, row->shard);
    api_set_number(L, "writes", row->writes);
    api_set_number(L, "reads", row->reads);
    api_set_number(L, "requests", (int64_t)row->writes + row->reads);
    api_set_number(L, "error", row->error);
    api_push_percent(L, (uint64_t)row->writes + row->reads, all);
    lua_setfield(L, -2, "share");
}

/* The most sampled keys of the last whole window. */
static int read_hot(lua_State *L)
{
    struct world *w = api_world(L, 1, NULL);
    lua_Integer wanted = luaL_optinteger(L, 2, 5);
    if (wanted < 1 || wanted > HOT_MAX) {
        sandbox_raise(L, "w:hot gives 1 to %d keys, not %lld", HOT_MAX, (long long)wanted);
    }
    sandbox_charge(L, HOT_MAX);
    /* Lua's own memory: an error on the way leaves nothing behind. */
    struct hot_key_info *row = lua_newuserdatauv(L, HOT_MAX * sizeof *row, 0);
    uint32_t count = guards_hot_keys(w, row, HOT_MAX);
    uint64_t all = sampled(row, count);
    lua_newtable(L);
    for (uint32_t i = 0; i < count && i < (uint32_t)wanted; i++) {
        push_hot(L, w, &row[i], all);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

static void push_row(lua_State *L, const struct world *w, const struct hot_key *row)
{
    static const char *const kinds[] = {
        [HOT_WRITES] = "writes", [HOT_READS] = "reads", [HOT_BOTH] = "both"};
    bool reads = row->kind == HOT_READS;
    lua_createtable(L, 0, 9);
    api_set_key(L, w, row->key);
    api_set_shard(L, row->shard);
    api_set_text(L, "kind", kinds[row->kind]);
    api_set_number(L, "writes", row->writes);
    api_set_number(L, "reads", row->reads);
    api_set_number(L, "error", row->error);
    api_set_number(L, "shard_writes", row->shard_writes);
    api_set_number(L, "shard_reads", row->shard_reads);
    api_push_percent(L, reads ? row->reads : row->writes,
                     reads ? row->shard_reads : row->shard_writes);
    lua_setfield(L, -2, "share");
}

static int read_report(lua_State *L)
{
    struct world *w = api_world(L, 1, NULL);
    const struct hot_report *report = guards_report(w);
    lua_newtable(L);
    for (uint32_t i = 0; i < report->count; i++) {
        push_row(L, w, &report->row[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    bool any = report->to_us > 0;
    api_set_text(L, "from", any ? num_clock(report->from_us).text : "");
    api_set_text(L, "to", any ? num_clock(report->to_us).text : "");
    api_set_number(L, "left_out", report->left_out);
    return 1;
}

/* --- at the routers --- */

static int read_limit(lua_State *L)
{
    struct world *w = api_world(L, 1, NULL);
    uint32_t key = api_find_key(L, 2, w);
    lua_pushinteger(L, key == KEY_NONE_ID ? 0 : (lua_Integer)guards_key_limit(w, key));
    return 1;
}

static int read_turned(lua_State *L)
{
    static const char *const names[TURNED_KINDS] = {
        [TURNED_LIMIT_KEY] = "limit_key",  [TURNED_LIMIT_TENANT] = "limit_tenant",
        [TURNED_SHED_READ] = "shed_reads", [TURNED_SHED_WRITE] = "shed_writes",
        [TURNED_SHARE] = "share",          [TURNED_BREAKER] = "breaker"};
    struct world *w = api_world(L, 1, NULL);
    bool every = lua_isnoneornil(L, 2);
    uint16_t one = every ? 0 : api_router(L, 2, w);
    uint64_t turned[TURNED_KINDS] = {0}, sum = 0;
    for (uint16_t i = 0; i < world_config_of(w)->routers; i++) {
        struct guard_router_info info = guards_router(w, i);
        for (size_t k = 0; (every || i == one) && k < TURNED_KINDS; k++) {
            turned[k] += info.turned[k];
            sum += info.turned[k];
        }
    }
    lua_createtable(L, 0, TURNED_KINDS + 1);
    for (size_t k = 0; k < TURNED_KINDS; k++) {
        api_set_number(L, names[k], (int64_t)turned[k]);
    }
    api_set_number(L, "all", (int64_t)sum);
    return 1;
}

static int read_in_flight(lua_State *L)
{
    struct world *w = api_world(L, 1, NULL);
    sandbox_charge(L, POOL_UNITS);
    lua_pushinteger(L, (lua_Integer)guards_in_flight(w, api_shard(L, 2, w)));
    return 1;
}

static int read_breaker(lua_State *L)
{
    struct world *w = api_world(L, 1, NULL);
    uint16_t router = api_router(L, 2, w), shard = api_shard(L, 3, w);
    lua_pushstring(L,
                   breaker_state_name((enum breaker_state)guards_breaker(w, router, shard).state));
    return 1;
}

static int read_tenant(lua_State *L)
{
    struct world *w = api_world(L, 1, NULL);
    struct bytes name;
    uint32_t tenant = 0;
    name.at = luaL_checklstring(L, 2, &name.length);
    if (!guards_find_tenant(w, name, &tenant)) {
        sandbox_raise(L, "there is no tenant '%.40s'; w:command(\"tenant NAME KEY\") makes one",
                      name.at);
    }
    struct guard_tenant_info info = guards_tenant(w, tenant);
    lua_createtable(L, 0, 4);
    api_set_number(L, "rate", info.rate);
    api_set_number(L, "share", info.share_percent);
    api_set_number(L, "in_hand", info.in_hand);
    api_set_number(L, "turned", (int64_t)info.turned);
    return 1;
}

/* --- clients --- */

static int read_clients(lua_State *L)
{
    struct guard_client_info info = guards_clients(api_world(L, 1, NULL));
    lua_createtable(L, 0, 3);
    api_set_number(L, "repeats", (int64_t)info.repeats);
    api_set_number(L, "spared", (int64_t)info.spared);
    api_set_number(L, "given_up", (int64_t)info.given_up);
    return 1;
}

const luaL_Reg *api_guards(void)
{
    static const luaL_Reg functions[] = {
        {"hot", read_hot},       {"report", read_report},       {"limit", read_limit},
        {"turned", read_turned}, {"in_flight", read_in_flight}, {"breaker", read_breaker},
        {"tenant", read_tenant}, {"clients", read_clients},     {NULL, NULL}};
    return functions;
}
