/*
 * api_fleet: the routers as a fleet, as a script sees them: w:fleet(), w:fleet_router("R0"),
 * w:gossip_in(1000).
 */
#include "base/num.h"
#include "engine/fleet/fleet.h"
#include "lesson/api.h"
#include <inttypes.h>
#include <stdio.h>

#define TRIAL_ROUTERS_MAX 4096
#define TRIAL_SECONDS_MAX 60

/* Fields about how far the newest map has come. */
static void set_spread(lua_State *L, const struct fleet_info *f)
{
    api_set_number(L, "rounds", f->rounds);
    api_push_ms(L, f->spread_us < 0 ? 0 : f->spread_us);
    lua_setfield(L, -2, "spread_ms");
    lua_newtable(L);
    for (uint32_t i = 0; i < f->rounds; i++) {
        lua_pushinteger(L, f->by_round[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, "by_round");
}

static int read_fleet(lua_State *L)
{
    struct world *w = api_world(L, 1, NULL);
    struct fleet_info f = world_fleet(w);
    char zones[ZONES_MAX + 1] = {0};
    size_t down = 0;
    for (uint32_t i = 0; i < ZONES_MAX; i++) {
        if ((f.zones_down >> i & 1) != 0) {
            zones[down++] = (char)('a' + i);
        }
    }
    sandbox_charge(L, f.routers);
    lua_createtable(L, 0, 10);
    api_set_number(L, "capacity", f.capacity);
    api_set_number(L, "refused", (int64_t)f.refused);
    api_push_ms(L, f.gossip_us);
    lua_setfield(L, -2, "gossip_ms");
    api_set_number(L, "version", f.newest);
    api_set_number(L, "knowing", f.knowing);
    api_set_number(L, "routers", f.routers);
    api_set_number(L, "up", f.up);
    api_set_number(L, "told", (int64_t)f.told);
    api_set_number(L, "news", (int64_t)f.news);
    api_set_text(L, "zones_down", zones);
    set_spread(L, &f);
    return 1;
}

static int read_router(lua_State *L)
{
    struct world *w = api_world(L, 1, NULL);
    struct fleet_router_info r = world_fleet_router(w, api_router(L, 2, w));
    lua_createtable(L, 0, 4);
    api_set_number(L, "taken", (int64_t)r.taken);
    api_set_number(L, "refused", (int64_t)r.refused);
    api_set_number(L, "rate", r.rate);
    api_set_number(L, "refused_rate", r.refused_rate);
    return 1;
}

/* So many routers in a world of their own, without traffic, that gossip once a second. */
static struct world *trial(uint32_t routers, uint64_t seed, struct err *err)
{
    struct world_config c = world_config_default();
    c.seed = seed;
    c.routers = (uint16_t)routers;
    c.events_max = 4 * routers + 64;
    struct command gossip, move;
    struct world *w = world_new(&c, err);
    if (w == NULL) {
        return NULL;
    }
    bool good = command_parse("gossip 1000 from R0", &gossip, err) &&
                command_parse("move 0 S1", &move, err) && world_apply(w, &gossip, err);
    world_run_until(w, world_now(w) + US_PER_SECOND);
    if (!good || !world_apply(w, &move, err)) {
        world_free(w);
        return NULL;
    }
    return w;
}

/* w:gossip_in(routers [, seed]): how long a new map takes until all of so many routers have it. */
static int read_gossip_in(lua_State *L)
{
    struct err err = {""};
    api_world(L, 1, NULL);
    lua_Integer routers = luaL_checkinteger(L, 2), seed = luaL_optinteger(L, 3, 1);
    if (routers < 2 || routers > TRIAL_ROUTERS_MAX) {
        sandbox_raise(L, "w:gossip_in takes 2 to %d routers", TRIAL_ROUTERS_MAX);
    }
    sandbox_charge(L, 40 * routers);
    int64_t since = sandbox_clock();
    struct world *w = trial((uint32_t)routers, (uint64_t)seed, &err);
    if (w == NULL) {
        sandbox_raise(L, "w:gossip_in: %s", err.text);
    }
    int64_t end = world_now(w) + TRIAL_SECONDS_MAX * US_PER_SECOND;
    struct fleet_info f = world_fleet(w);
    uint64_t before = f.told;
    while (f.knowing < f.routers && world_now(w) < end) {
        world_run_until(w, world_now(w) + US_PER_SECOND / 4);
        f = world_fleet(w);
    }
    world_free(w);
    sandbox_forgive(L, since);
    lua_createtable(L, 0, 4);
    api_set_number(L, "told", (int64_t)(f.told - before));
    set_spread(L, &f);
    return 1;
}

const luaL_Reg *api_fleet(void)
{
    static const luaL_Reg functions[] = {{"fleet", read_fleet},
                                         {"fleet_router", read_router},
                                         {"gossip_in", read_gossip_in},
                                         {NULL, NULL}};
    return functions;
}
