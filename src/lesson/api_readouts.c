/*
 * api_readouts: a world or a ring in the shape of what operators see, as a script has it:
 * w:readout("cluster-check", "S0"), w:readout_node("S2"), l:readout("nodetool-ring").
 */
#include "lesson/api.h"
#include "tools/readout.h"

#include <string.h>

/* A slot table is read slot by slot, once for each node that tells of it. */
#define CLUSTER_UNITS 20000
#define RING_UNITS 2000

static enum readout_kind kind_arg(lua_State *L)
{
    enum readout_kind kind = READOUT_CLUSTER_NODES;
    const char *name = luaL_checkstring(L, 2);
    if (!readout_by_name(name, &kind)) {
        const char *names[READOUTS];
        for (int i = 0; i < READOUTS; i++) {
            names[i] = readout_name((enum readout_kind)i);
        }
        api_unknown(L, "readout", name, names, READOUTS);
    }
    return kind;
}

/* Field `name` of the table at `arg` as a whole number within [1, most]; `usual` without it. */
static uint32_t number_field(lua_State *L, int arg, const char *name, uint32_t usual, uint32_t most)
{
    lua_getfield(L, arg, name);
    lua_Integer number = usual;
    if (!lua_isnil(L, -1)) {
        int is = 0;
        number = lua_tointegerx(L, -1, &is);
        if (!is || number < 1 || number > (lua_Integer)most) {
            sandbox_raise(L, "readout: '%s' is a whole number from 1 to %d", name, (int)most);
        }
    }
    lua_pop(L, 1);
    return (uint32_t)number;
}

static void check_options(lua_State *L, int arg)
{
    static const char *const names[] = {"limit", "by", "replicas"};
    luaL_checktype(L, arg, LUA_TTABLE);
    for (lua_pushnil(L); lua_next(L, arg) != 0; lua_pop(L, 1)) {
        const char *name = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "";
        bool known = false;
        for (size_t i = 0; i < 3; i++) {
            known = known || strcmp(name, names[i]) == 0;
        }
        if (!known) {
            api_unknown(L, "option of a readout called", name[0] != '\0' ? name : "without a name",
                        names, 3);
        }
    }
}

static void options_arg(lua_State *L, int arg, struct readout_wish *wish)
{
    if (lua_isnoneornil(L, arg)) {
        return;
    }
    check_options(L, arg);
    wish->limit = number_field(L, arg, "limit", 0, 100);
    wish->replicas = number_field(L, arg, "replicas", 1, 3);
    lua_getfield(L, arg, "by");
    if (!lua_isnil(L, -1)) {
        const char *by = luaL_checkstring(L, -1);
        if (!readout_metric_by_name(by, &wish->metric)) {
            const char *names[READOUT_METRICS];
            for (int i = 0; i < READOUT_METRICS; i++) {
                names[i] = readout_metric_name((enum readout_metric)i);
            }
            api_unknown(L, "metric of slots", by, names, READOUT_METRICS);
        }
    }
    lua_pop(L, 1);
}

struct said {
    struct str text, typed;
};

static int push_said(lua_State *L)
{
    const struct said *said = lua_touserdata(L, 1);
    lua_pushlstring(L, str_text(&said->text), said->text.length);
    lua_pushlstring(L, str_text(&said->typed), said->typed.length);
    return 2;
}

/* The text, and what was typed. Lua may have no room for them: they are freed all the same. */
static int push(lua_State *L, const struct world *w, const struct readout_wish *wish,
                const struct str *text)
{
    struct said said = {.text = *text, .typed = STR_EMPTY};
    readout_command(w, wish, &said.typed);
    lua_pushcfunction(L, push_said);
    lua_pushlightuserdata(L, &said);
    int status = lua_pcall(L, 1, 2, 0);
    str_free(&said.text);
    str_free(&said.typed);
    return status == LUA_OK ? 2 : lua_error(L);
}

/* w:readout(KIND [, "S0" [, { limit = 5, by = "cpu-usec" }]]) */
static int read_readout(lua_State *L)
{
    struct world *w = api_world(L, 1, NULL);
    struct readout_wish wish = readout_wish(kind_arg(L), 0);
    struct str text = STR_EMPTY;
    struct err err;
    bool ring = wish.kind == READOUT_RING || wish.kind == READOUT_STATUS;
    if (!lua_isnoneornil(L, 3)) {
        wish.shard = api_shard(L, 3, w);
    }
    options_arg(L, 4, &wish);
    sandbox_charge(L, ring ? RING_UNITS : CLUSTER_UNITS * (int64_t)world_shards(w));
    if (!readout_say(w, &wish, &text, &err)) {
        str_free(&text);
        sandbox_raise(L, "w:readout: %s", err.text);
    }
    return push(L, w, &wish, &text);
}

/* w:readout_node("S2"): its names, and what it says of itself. */
static int read_node(lua_State *L)
{
    struct world *w = api_world(L, 1, NULL);
    uint16_t shard = api_shard(L, 2, w);
    struct readout_node node;
    struct err err;
    char id[READOUT_ID_SIZE], address[READOUT_ADDRESS_SIZE];
    sandbox_charge(L, CLUSTER_UNITS);
    if (!readout_node(w, shard, &node, &err)) {
        sandbox_raise(L, "w:readout_node: %s", err.text);
    }
    lua_createtable(L, 0, 11);
    readout_id(shard, 0, id);
    readout_address(shard, 0, address);
    api_set_text(L, "id", id);
    api_set_text(L, "address", address);
    address[strcspn(address, ":")] = '\0';
    api_set_text(L, "host", address);
    api_set_number(L, "slots", node.slots);
    api_set_number(L, "epoch", node.epoch);
    api_set_number(L, "replicas", node.replicas);
    api_set_number(L, "migrating", node.migrating);
    api_set_number(L, "importing", node.importing);
    api_set_truth(L, "down", world_shard(w, shard).down);
    api_set_truth(L, "suspected", node.suspected);
    api_set_truth(L, "failed", node.failed);
    return 1;
}

/* w:readout_host(2): the address of a node of the ring. */
static int read_host(lua_State *L)
{
    char address[READOUT_ADDRESS_SIZE];
    api_world(L, 1, NULL);
    lua_Integer machine = luaL_checkinteger(L, 2);
    if (machine < 0 || machine > UINT16_MAX) {
        sandbox_raise(L, "w:readout_host takes the number of a node, from 0 on");
    }
    readout_host((uint32_t)machine, address);
    lua_pushstring(L, address);
    return 1;
}

const luaL_Reg *api_readouts(void)
{
    static const luaL_Reg functions[] = {{"readout", read_readout},
                                         {"readout_node", read_node},
                                         {"readout_host", read_host},
                                         {NULL, NULL}};
    return functions;
}

/* l:readout(KIND [, { replicas = 3 }]) */
int api_layout_readout(lua_State *L)
{
    const struct layout *layout = api_layout(L, 1);
    struct readout_wish wish = readout_wish(kind_arg(L), 0);
    struct str text = STR_EMPTY;
    struct err err;
    options_arg(L, 3, &wish);
    sandbox_charge(L, RING_UNITS);
    if (!readout_layout(layout, &wish, &text, &err)) {
        str_free(&text);
        sandbox_raise(L, "l:readout: %s", err.text);
    }
    return push(L, NULL, &wish, &text);
}
