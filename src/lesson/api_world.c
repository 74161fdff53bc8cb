/*
 * The world as a script sees it: w:slot(key), w:send(...), w:fork() ...
 */
#include "base/check.h"
#include "base/near.h"
#include "base/num.h"
#include "lesson/api.h"
#include "place/crc16.h"
#include "place/key.h"
#include <stdlib.h>
#include <string.h>

#define CALL_UNITS 60 /* one engine function */

/* --- arguments --- */

struct world_handle *api_check_world(lua_State *L, int arg)
{
    sandbox_charge(L, CALL_UNITS);
    return luaL_checkudata(L, arg, "world");
}

struct world *api_handle_world(lua_State *L, const struct world_handle *h)
{
    struct player *p = player_of(L);
    struct world *w = h->slot <= FORKS_MAX ? p->world[h->slot] : NULL;
    if (w == NULL || p->generation[h->slot] != h->generation) {
        sandbox_raise(L,
                      "this copy of the world is gone: it lives as long as the call that made it");
    }
    return w;
}

struct world *api_world(lua_State *L, int arg, size_t *slot)
{
    struct world_handle *h = api_check_world(L, arg);
    if (slot != NULL) {
        *slot = h->slot;
    }
    return api_handle_world(L, h);
}

static struct world *world_arg(lua_State *L)
{
    return api_world(L, 1, NULL);
}

struct bytes api_key(lua_State *L, int arg)
{
    struct bytes key;
    key.at = luaL_checklstring(L, arg, &key.length);
    if (key.length == 0 || key.length > KEY_BYTES_MAX) {
        sandbox_raise(L, "a key has 1 to %d bytes, not %d", KEY_BYTES_MAX, (int)key.length);
    }
    return key;
}

static uint32_t key_slot_of(const struct world *w, struct bytes key)
{
    struct bytes tag = key_tag(key);
    return crc16(tag.at, tag.length) % world_config_of(w)->slots;
}

static uint32_t slot_number(lua_State *L, int arg, const struct world *w)
{
    lua_Integer slot = luaL_checkinteger(L, arg);
    if (slot < 0 || slot >= (lua_Integer)world_config_of(w)->slots) {
        sandbox_raise(L, "slot %lld is outside 0 to %u", (long long)slot,
                      world_config_of(w)->slots - 1);
    }
    return (uint32_t)slot;
}

uint32_t api_slot(lua_State *L, int arg, const struct world *w)
{
    if (lua_type(L, arg) == LUA_TNUMBER) {
        return slot_number(L, arg, w);
    }
    return key_slot_of(w, api_key(L, arg));
}

static uint16_t member(lua_State *L, int arg, char letter, const char *what, uint32_t count)
{
    const char *name = luaL_checkstring(L, arg);
    uint64_t number = 0;
    if (name[0] != letter || !num_parse_u64(name + 1, what, 0, count - 1, &number, NULL)) {
        sandbox_raise(L, "'%.20s' is no %s here: \"%c0\" to \"%c%u\"", name, what, letter, letter,
                      count - 1);
    }
    return (uint16_t)number;
}

uint16_t api_shard(lua_State *L, int arg, const struct world *w)
{
    return member(L, arg, 'S', "shard", world_shards(w));
}

uint16_t api_router(lua_State *L, int arg, const struct world *w)
{
    return member(L, arg, 'R', "router", world_config_of(w)->routers);
}

static void push_shard(lua_State *L, uint16_t shard)
{
    if (shard == SHARD_NONE) {
        lua_pushliteral(L, "none");
    } else {
        lua_pushfstring(L, "S%d", (int)shard);
    }
}

/* --- reads --- */

static int read_slot(lua_State *L)
{
    struct world *w = world_arg(L);
    lua_pushinteger(L, key_slot_of(w, api_key(L, 2)));
    return 1;
}

static int read_tag(lua_State *L)
{
    world_arg(L);
    struct bytes tag = key_tag(api_key(L, 2));
    lua_pushlstring(L, tag.at, tag.length);
    return 1;
}

static int read_crc16(lua_State *L)
{
    world_arg(L);
    struct bytes tag = key_tag(api_key(L, 2));
    lua_pushinteger(L, crc16(tag.at, tag.length));
    return 1;
}

static int read_owner(lua_State *L)
{
    struct world *w = world_arg(L);
    push_shard(L, world_owner(w, api_slot(L, 2, w)));
    return 1;
}

static int read_epoch(lua_State *L)
{
    struct world *w = world_arg(L);
    lua_pushinteger(L, world_epoch(w, api_slot(L, 2, w)));
    return 1;
}

static int read_map_version(lua_State *L)
{
    lua_pushinteger(L, world_map_version(world_arg(L)));
    return 1;
}

static enum rule rule_arg(lua_State *L, int arg)
{
    enum rule rule = RULE_COUNT;
    const char *name = luaL_checkstring(L, arg);
    if (!rule_by_name(name, &rule)) {
        const char *names[RULE_COUNT];
        for (int i = 0; i < RULE_COUNT; i++) {
            names[i] = rule_name((enum rule)i);
        }
        api_unknown(L, "rule", name, names, RULE_COUNT);
    }
    return rule;
}

static int read_rule(lua_State *L)
{
    struct world *w = world_arg(L);
    lua_pushboolean(L, world_rule(w, rule_arg(L, 2)));
    return 1;
}

static int read_value(lua_State *L)
{
    struct world *w = world_arg(L);
    struct bytes bytes = api_key(L, 2);
    uint16_t shard =
        lua_isnoneornil(L, 3) ? world_owner(w, key_slot_of(w, bytes)) : api_shard(L, 3, w);
    uint32_t key = 0;
    bool known = world_find_key(w, bytes, &key);
    lua_pushinteger(L, known ? (lua_Integer)world_value(w, shard, key) : 0);
    return 1;
}

static int read_acked(lua_State *L)
{
    struct world *w = world_arg(L);
    uint32_t key = 0;
    bool known = world_find_key(w, api_key(L, 2), &key);
    lua_pushinteger(L, known ? (lua_Integer)world_acked(w, key) : 0);
    return 1;
}

static int read_lost(lua_State *L)
{
    struct world *w = world_arg(L);
    uint32_t key = 0;
    bool known = world_find_key(w, api_key(L, 2), &key);
    lua_pushinteger(L, known ? (lua_Integer)world_lost(w, key) : 0);
    return 1;
}

static int read_clock(lua_State *L)
{
    lua_pushstring(L, num_clock(world_now(world_arg(L))).text);
    return 1;
}

static int read_shards(lua_State *L)
{
    lua_pushinteger(L, world_shards(world_arg(L)));
    return 1;
}

static int read_routers(lua_State *L)
{
    lua_pushinteger(L, world_config_of(world_arg(L))->routers);
    return 1;
}

static int read_request(lua_State *L)
{
    size_t slot = 0;
    struct world *w = api_world(L, 1, &slot);
    lua_Integer n = luaL_checkinteger(L, 2);
    struct request_info info;
    if (n < 1 || !world_request(w, (uint64_t)n, &info)) {
        sandbox_raise(L, "there is no request %lld; the last one is %llu", (long long)n,
                      (unsigned long long)world_last_request(w));
    }
    api_push_request(L, slot, (uint64_t)n);
    return 1;
}

static int read_says(lua_State *L)
{
    struct world *w = world_arg(L);
    uint16_t router = api_router(L, 2, w);
    push_shard(L, world_router_owner(w, router, api_slot(L, 3, w)));
    return 1;
}

static int read_table(lua_State *L)
{
    struct world *w = world_arg(L);
    uint16_t shard = api_shard(L, 2, w);
    struct slot_row row = world_slot_row(w, shard, api_slot(L, 3, w));
    lua_pushstring(L, row.state == SLOT_ABSENT ? "absent"
                                               : slot_state_name((enum slot_state)row.state));
    return 1;
}

void api_push_fork(lua_State *L, size_t from)
{
    struct player *p = player_of(L);
    const struct world *w = p->world[from];
    if (p->forks == FORKS_MAX) {
        sandbox_raise(L, "at most %d copies of the world in one call", FORKS_MAX);
    }
    sandbox_charge(L, (int64_t)world_bytes_used(w) / 64);
    size_t slot = ++p->forks;
    p->world[slot] = world_copy(w);
    p->generation[slot]++;
    p->changes++;
    api_push_world(L, slot);
}

static int read_fork(lua_State *L)
{
    size_t slot = 0;
    api_world(L, 1, &slot);
    api_push_fork(L, slot);
    return 1;
}

/* --- writes --- */

bool api_apply(lua_State *L, const struct world_handle *h, const struct command *c)
{
    struct player *p = player_of(L);
    struct err err = {""};
    bool done = false;
    if (h->slot == 0) {
        done = apply_journaled(p, c, &err);
    } else {
        p->changes++;
        done = world_apply(p->world[h->slot], c, &err);
    }
    if (!done) {
        sandbox_raise(L, "%s", err.text);
    }
    return true;
}

void api_may_change(lua_State *L, const struct world_handle *h, const char *name)
{
    const struct player *p = player_of(L);
    if (h->slot == 0 && p->phase != PHASE_ENTER && p->phase != PHASE_RUN) {
        sandbox_raise(L,
                      "w:%s is for enter and run; here the world is only read (w:fork() makes "
                      "a copy to try things on)",
                      name);
    }
}

static struct world_handle *write_arg(lua_State *L, const char *name)
{
    struct world_handle *h = api_check_world(L, 1);
    api_handle_world(L, h);
    api_may_change(L, h, name);
    return h;
}

static enum op_kind op_arg(lua_State *L, int arg)
{
    enum op_kind op = OP_KINDS;
    const char *name = luaL_checkstring(L, arg);
    if (!op_by_name(name, &op)) {
        static const char *const names[] = {"read", "like", "edit"};
        api_unknown(L, "request", name, names, 3);
    }
    return op;
}

static uint8_t zone_arg(lua_State *L, int arg, const struct world *w)
{
    if (lua_isnoneornil(L, arg)) {
        return ZONE_ANY;
    }
    const char *name = luaL_checkstring(L, arg);
    uint8_t zones = (uint8_t)world_config_of(w)->zones;
    if (name[0] < 'a' || name[0] >= 'a' + zones || name[1] != '\0') {
        sandbox_raise(L, "'%.20s' is no zone: a to %c", name, 'a' + zones - 1);
    }
    return (uint8_t)(name[0] - 'a');
}

static bool on_arg(lua_State *L, int arg)
{
    luaL_checktype(L, arg, LUA_TBOOLEAN);
    return lua_toboolean(L, arg);
}

static int write_send(lua_State *L)
{
    struct world_handle *h = write_arg(L, "send");
    struct world *w = api_handle_world(L, h);
    enum op_kind op = op_arg(L, 2);
    struct command c = command_request(op, api_key(L, 3), api_router(L, 4, w));
    c.zone = zone_arg(L, 5, w);
    api_apply(L, h, &c);
    lua_pushinteger(L, (lua_Integer)world_last_request(api_handle_world(L, h)));
    return 1;
}

static int write_flow(lua_State *L)
{
    static const char *const kinds[] = {"steady", "scattered", "poisson", NULL};
    struct world_handle *h = write_arg(L, "flow");
    enum op_kind op = op_arg(L, 2);
    struct bytes key = api_key(L, 3);
    lua_Integer rate = luaL_checkinteger(L, 4);
    if (rate < 0 || rate > 1000000) {
        sandbox_raise(L, "a rate is 0 to 1000000 a second, not %lld", (long long)rate);
    }
    enum arrivals arrivals = (enum arrivals)luaL_checkoption(L, 5, "steady", kinds);
    struct command c = command_flow(op, key, (uint32_t)rate, arrivals);
    api_apply(L, h, &c);
    return 0;
}

static int write_set_rule(lua_State *L)
{
    struct world_handle *h = write_arg(L, "set_rule");
    struct command c = {.kind = COMMAND_RULE, .rule = rule_arg(L, 2), .on = on_arg(L, 3)};
    api_apply(L, h, &c);
    return 0;
}

static int write_deaf(lua_State *L)
{
    struct world_handle *h = write_arg(L, "deaf");
    struct command c = {.kind = COMMAND_DEAF,
                        .router = api_router(L, 2, api_handle_world(L, h)),
                        .on = on_arg(L, 3)};
    api_apply(L, h, &c);
    return 0;
}

static int write_reload(lua_State *L)
{
    struct world_handle *h = write_arg(L, "reload");
    struct command c = {.kind = COMMAND_RELOAD, .router = api_router(L, 2, api_handle_world(L, h))};
    api_apply(L, h, &c);
    return 0;
}

static int write_move(lua_State *L)
{
    struct world_handle *h = write_arg(L, "move");
    struct world *w = api_handle_world(L, h);
    struct command c = {.kind = COMMAND_MOVE,
                        .first = slot_number(L, 2, w),
                        .last = slot_number(L, 3, w),
                        .shard = api_shard(L, 4, w)};
    api_apply(L, h, &c);
    return 0;
}

static int write_freeze(lua_State *L)
{
    struct world_handle *h = write_arg(L, "freeze");
    struct world *w = api_handle_world(L, h);
    struct command c = {.kind = COMMAND_FREEZE,
                        .first = slot_number(L, 2, w),
                        .last = slot_number(L, 3, w),
                        .shard = api_shard(L, 4, w),
                        .on = on_arg(L, 5)};
    api_apply(L, h, &c);
    return 0;
}

static int write_add_shard(lua_State *L)
{
    struct world_handle *h = write_arg(L, "add_shard");
    struct world *w = api_handle_world(L, h);
    struct command c = {.kind = COMMAND_SHARD_ADD, .zone = zone_arg(L, 2, w)};
    api_apply(L, h, &c);
    push_shard(L, (uint16_t)(world_shards(api_handle_world(L, h)) - 1));
    return 1;
}

static int write_command(lua_State *L)
{
    struct world_handle *h = write_arg(L, "command");
    struct command c;
    struct err err = {""};
    size_t length = 0;
    const char *text = luaL_checklstring(L, 2, &length);
    if (strlen(text) != length) {
        sandbox_raise(L, "a command is text, and this one has a byte 0 after \"%.40s\"", text);
    }
    if (!command_parse(text, &c, &err)) {
        sandbox_raise(L, "%s", err.text);
    }
    api_apply(L, h, &c);
    return 0;
}

/* --- the metatable --- */

static const luaL_Reg functions[] = {{"slot", read_slot},
                                     {"tag", read_tag},
                                     {"crc16", read_crc16},
                                     {"owner", read_owner},
                                     {"epoch", read_epoch},
                                     {"map_version", read_map_version},
                                     {"rule", read_rule},
                                     {"value", read_value},
                                     {"acked", read_acked},
                                     {"lost", read_lost},
                                     {"clock", read_clock},
                                     {"shards", read_shards},
                                     {"routers", read_routers},
                                     {"request", read_request},
                                     {"says", read_says},
                                     {"table", read_table},
                                     {"fork", read_fork},
                                     {"send", write_send},
                                     {"flow", write_flow},
                                     {"set_rule", write_set_rule},
                                     {"deaf", write_deaf},
                                     {"reload", write_reload},
                                     {"move", write_move},
                                     {"freeze", write_freeze},
                                     {"add_shard", write_add_shard},
                                     {"command", write_command},
                                     {"play_for", api_play_for},
                                     {"play_until", api_play_until},
                                     {"play_answered", api_play_answered},
                                     {"play_until_phase", api_play_until_phase},
                                     {"event", api_event},
                                     {"heat", api_heat},
                                     {NULL, NULL}};

#define FUNCTIONS_MAX 160

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Upvalue: the functions. w.S2, w.cluster, w.last are the handles over this world. */
static int world_index(lua_State *L)
{
    struct world_handle *h = api_check_world(L, 1);
    const char *name = luaL_checkstring(L, 2);
    lua_pushvalue(L, 2);
    if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL) {
        return 1;
    }
    api_handle_world(L, h);
    if (api_push_handle(L, h->slot, name)) {
        return 1;
    }
    const char *names[FUNCTIONS_MAX];
    size_t count = 0;
    lua_pushnil(L);
    while (lua_next(L, lua_upvalueindex(1))) {
        lua_pop(L, 1);
        names[count++] = lua_tostring(L, -1);
    }
    qsort(names, count, sizeof *names, by_name);
    api_unknown(L, "w:", name, names, count);
}

void api_push_world(lua_State *L, size_t slot)
{
    struct world_handle *h = lua_newuserdatauv(L, sizeof *h, 0);
    *h = (struct world_handle){(uint32_t)slot, player_of(L)->generation[slot]};
    luaL_setmetatable(L, "world");
}

void api_unknown(lua_State *L, const char *what, const char *given, const char *const *names,
                 size_t count)
{
    const char *near = near_name(given, names, count);
    const char *gap = what[strlen(what) - 1] == ':' || what[strlen(what) - 1] == '.' ? "" : " ";
    sandbox_raise(L, "there is no %s%s%.40s%s%s%s", what, gap, given,
                  near != NULL ? "; did you mean " : "", near != NULL ? near : "",
                  near != NULL ? "?" : "");
}

static int handle_write(lua_State *L)
{
    sandbox_raise(L, "a %s is read-only", lua_tostring(L, lua_upvalueindex(1)));
}

static int handle_say(lua_State *L)
{
    lua_pushvalue(L, lua_upvalueindex(1));
    return 1;
}

void api_metatable(lua_State *L, const char *name, const luaL_Reg *fields, lua_CFunction index)
{
    luaL_newmetatable(L, name); /* mt */
    lua_newtable(L);            /* mt, functions */
    if (fields != NULL) {
        luaL_setfuncs(L, fields, 0);
    }
    if (index != NULL) {
        lua_pushcclosure(L, index, 1); /* mt, index */
    }
    lua_setfield(L, -2, "__index");
    lua_pushstring(L, name);
    lua_pushcclosure(L, handle_write, 1);
    lua_setfield(L, -2, "__newindex");
    lua_pushstring(L, name);
    lua_pushcclosure(L, handle_say, 1);
    lua_setfield(L, -2, "__tostring");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 1);
}

void api_open(lua_State *L)
{
    static const luaL_Reg none = {NULL, NULL};
    luaL_Reg all[FUNCTIONS_MAX];
    const luaL_Reg *const lists[] = {functions,     api_hot_reads(), api_guards(),  api_second(),
                                     api_tail(),    api_moves(),     api_quorums(), api_txns(),
                                     api_queries(), api_indexes(),   api_fleet(),   api_copies(),
                                     api_systems(), api_readouts()};
    size_t count = 0;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        for (const luaL_Reg *f = lists[i]; f->name != NULL; f++) {
            CHECK(count + 1 < FUNCTIONS_MAX);
            all[count++] = *f;
        }
    }
    all[count] = none;
    api_metatable(L, "world", all, world_index);
    api_handles_open(L);
    api_layout_open(L);
    api_keys_open(L);
    api_random_open(L);
    api_check_open(L);
    api_deal_open(L);
    api_vectors_open(L);
    api_size_open(L);
    api_story_open(L);
    acts_open(L);
    knobs_open(L);
}
