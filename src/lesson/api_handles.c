/*
 * Handles: S2.writes, R5.version, cluster.write_pct, directory.version, last.asks. Each is a small
 * value that reads the world when a field is asked for.
 */
#include "base/alloc.h"
#include "base/num.h"
#include "engine/faults/faults.h"
#include "engine/guards/guards.h"
#include "lesson/api.h"
#include <string.h>

#define RATES_UNITS 50000 /* one second of a copy of the world is played */

enum handle_kind {
    HANDLE_SHARD,
    HANDLE_ROUTER,
    HANDLE_CLUSTER,
    HANDLE_DIRECTORY,
    HANDLE_REQUEST
};
struct handle {
    struct world_handle world;
    enum handle_kind kind;
    uint64_t index; /* shard, router; request number, 0: the last one */
};

static void push_handle(lua_State *L, size_t slot, enum handle_kind kind, uint64_t index)
{
    static const char *const names[] = {"shard", "router", "cluster", "directory", "request"};
    struct handle *h = lua_newuserdatauv(L, sizeof *h, 0);
    *h = (struct handle){{(uint32_t)slot, player_of(L)->generation[slot]}, kind, index};
    luaL_setmetatable(L, names[kind]);
}

void api_push_request(lua_State *L, size_t slot, uint64_t number)
{
    push_handle(L, slot, HANDLE_REQUEST, number);
}

bool api_push_handle(lua_State *L, size_t slot, const char *name)
{
    const struct world *w = player_of(L)->world[slot];
    uint64_t index = 0;
    if ((name[0] == 'S' || name[0] == 'R') &&
        num_parse_u64(name + 1, name, 0, 65535, &index, NULL)) {
        bool shard = name[0] == 'S';
        if (index >= (shard ? world_shards(w) : world_config_of(w)->routers)) {
            return false;
        }
        push_handle(L, slot, shard ? HANDLE_SHARD : HANDLE_ROUTER, index);
        return true;
    }
    if (strcmp(name, "cluster") == 0) {
        push_handle(L, slot, HANDLE_CLUSTER, 0);
    } else if (strcmp(name, "directory") == 0) {
        push_handle(L, slot, HANDLE_DIRECTORY, 0);
    } else if (strcmp(name, "last") == 0) {
        push_handle(L, slot, HANDLE_REQUEST, 0);
    } else {
        return false;
    }
    return true;
}

/* Names that stand for themselves: w, answer, and the handles over the player's world. */
bool api_name(lua_State *L, const char *name)
{
    struct player *p = player_of(L);
    if (strcmp(name, "answer") == 0 && p->step != NULL) {
        push_answer(L, &page_now(p)->question);
        return true;
    }
    if (p->phase == PHASE_LOAD) {
        return false;
    }
    if (strcmp(name, "knob") == 0) {
        return knobs_push(L, p);
    }
    if (strcmp(name, "experiment") == 0) {
        return experiment_push(L, p);
    }
    if (strcmp(name, "cells") == 0) {
        return table_push_cells(L, p);
    }
    if (p->world[0] == NULL) {
        return false;
    }
    if (strcmp(name, "w") == 0) {
        api_push_world(L, 0);
        return true;
    }
    return api_push_handle(L, 0, name);
}

/* --- rates --- */

struct rates_stamp api_stamp(const struct player *p, size_t slot)
{
    const struct world *w = p->world[slot];
    return (struct rates_stamp){true,         world_events(w),     p->changes,
                                world_now(w), p->generation[slot], slot};
}

bool api_stamp_same(const struct rates_stamp *a, const struct rates_stamp *b)
{
    return a->valid && b->valid && a->events == b->events && a->changes == b->changes &&
           a->now == b->now && a->generation == b->generation && a->slot == b->slot;
}

struct world *player_scratch(struct player *p, const struct world *w)
{
    if (p->scratch != NULL && world_bytes(p->scratch) != world_bytes(w)) {
        world_free(p->scratch); /* a copy of the story may have more shards */
        p->scratch = NULL;
    }
    if (p->scratch == NULL) {
        p->scratch = world_copy(w);
    }
    return p->scratch;
}

bool api_rates(struct player *p, size_t slot, const struct rates **out)
{
    size_t which = slot == 0 ? 0 : 1;
    const struct world *w = p->world[slot];
    struct rates_stamp now = api_stamp(p, slot);
    struct rates_stamp *had = &p->rates_of[which];
    bool same = api_stamp_same(had, &now);
    if (!same) {
        if (p->rates[which] == NULL) {
            p->rates[which] = xcalloc(1, sizeof *p->rates[which]);
        }
        struct world *scratch = player_scratch(p, w);
        rates_at(w, scratch, p->rates[which]);
        p->measured_events += world_events(scratch) - world_events(w);
        *had = now;
    }
    *out = p->rates[which];
    return !same;
}

static const struct rates *rates_of(lua_State *L, size_t slot)
{
    const struct rates *rates = NULL;
    int64_t since = sandbox_clock();
    if (api_rates(player_of(L), slot, &rates)) {
        sandbox_forgive(L, since);
        sandbox_charge(L, RATES_UNITS);
    }
    return rates;
}

void api_push_percent(lua_State *L, uint64_t part, uint64_t whole)
{
    if (whole == 0) {
        lua_pushinteger(L, 0);
        return;
    }
    uint64_t tenths = (part * 2000 / whole + 1) / 2; /* half up */
    if (tenths % 10 == 0) {
        lua_pushinteger(L, (lua_Integer)(tenths / 10));
    } else {
        lua_pushnumber(L, (lua_Number)tenths / 10.0);
    }
}

static void push_count(lua_State *L, uint64_t n)
{
    lua_pushinteger(L, (lua_Integer)n);
}

/* --- fields --- */

/* What came of that second beside what was asked: false when it is none of these. */
static bool outcome_field(lua_State *L, const char *name, const struct shard_rates *r)
{
    if (strcmp(name, "writes_ok") == 0) {
        push_count(L, r->served_writes);
    } else if (strcmp(name, "reads_ok") == 0) {
        push_count(L, r->served_reads);
    } else if (strcmp(name, "writes_refused") == 0) {
        push_count(L, r->refused_writes);
    } else if (strcmp(name, "reads_refused") == 0) {
        push_count(L, r->refused_reads);
    } else if (strcmp(name, "turned") == 0) {
        push_count(L, r->turned_writes + r->turned_reads);
    } else if (strcmp(name, "writes_turned") == 0) {
        push_count(L, r->turned_writes);
    } else if (strcmp(name, "reads_turned") == 0) {
        push_count(L, r->turned_reads);
    } else if (strcmp(name, "repeats") == 0) {
        push_count(L, r->repeats);
    } else {
        return false;
    }
    return true;
}

static bool rate_field(lua_State *L, const char *name, const struct shard_rates *r, uint64_t writes,
                       uint64_t reads)
{
    if (strcmp(name, "writes") == 0) {
        push_count(L, r->writes);
    } else if (strcmp(name, "reads") == 0) {
        push_count(L, r->reads);
    } else if (strcmp(name, "write_pct") == 0) {
        api_push_percent(L, r->writes, writes);
    } else if (strcmp(name, "read_pct") == 0) {
        api_push_percent(L, r->reads, reads);
    } else {
        return outcome_field(L, name, r);
    }
    return true;
}

#define RATE_NAMES                                                                                 \
    "writes", "reads", "write_pct", "read_pct", "writes_ok", "reads_ok", "writes_refused",         \
        "reads_refused", "turned", "writes_turned", "reads_turned", "repeats"

static bool wants_rates(const char *name)
{
    static const char *const names[] = {RATE_NAMES};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(name, names[i]) == 0) {
            return true;
        }
    }
    return false;
}

static void push_zone(lua_State *L, const struct world *w, enum node_kind kind, uint64_t index)
{
    struct node node = {(uint16_t)kind, (uint16_t)index};
    char zone[2] = {(char)('a' + world_zone(w, node)), '\0'};
    lua_pushstring(L, zone);
}

static bool shard_field(lua_State *L, const struct handle *h, const struct world *w,
                        const char *name)
{
    uint16_t shard = (uint16_t)h->index;
    struct shard_info info = world_shard(w, shard);
    if (wants_rates(name)) {
        return rate_field(L, name, &rates_of(L, h->world.slot)->shard[shard], info.write_ceiling,
                          info.read_ceiling);
    }
    if (strcmp(name, "served") == 0) {
        push_count(L, info.served_writes + info.served_reads);
    } else if (strcmp(name, "refused") == 0) {
        push_count(L, info.refused_writes + info.refused_reads);
    } else if (strcmp(name, "moved") == 0) {
        push_count(L, info.moved);
    } else if (strcmp(name, "keys") == 0) {
        push_count(L, info.keys);
    } else if (strcmp(name, "keys_read") == 0) {
        push_count(L, info.keys_read);
    } else if (strcmp(name, "write_ceiling") == 0) {
        push_count(L, info.write_ceiling);
    } else if (strcmp(name, "read_ceiling") == 0) {
        push_count(L, info.read_ceiling);
    } else if (strcmp(name, "zone") == 0) {
        push_zone(L, w, NODE_SHARD, shard);
    } else if (strcmp(name, "slots") == 0) {
        uint64_t owned = 0;
        for (uint32_t slot = 0; slot < world_config_of(w)->slots; slot++) {
            owned += world_owner(w, slot) == shard;
        }
        sandbox_charge(L, 2000);
        push_count(L, owned);
    } else {
        return false;
    }
    return true;
}

/* What its guards count; false when it is none of these. */
static bool guard_field(lua_State *L, const struct handle *h, const struct world *w,
                        const char *name)
{
    struct guard_router_info info = guards_router(w, (uint16_t)h->index);
    uint64_t turned = 0;
    for (size_t i = 0; i < TURNED_KINDS; i++) {
        turned += info.turned[i];
    }
    if (strcmp(name, "in_hand") == 0) {
        push_count(L, info.in_hand);
    } else if (strcmp(name, "most_in_hand") == 0) {
        push_count(L, info.most_in_hand);
    } else if (strcmp(name, "turned") == 0) {
        push_count(L, turned);
    } else if (strcmp(name, "sampled") == 0) {
        push_count(L, info.sampled);
    } else {
        return false;
    }
    return true;
}

static bool router_field(lua_State *L, const struct handle *h, const struct world *w,
                         const char *name)
{
    struct router_info info = world_router(w, (uint16_t)h->index);
    if (strcmp(name, "version") == 0) {
        push_count(L, info.map_version);
    } else if (strcmp(name, "deaf") == 0) {
        lua_pushboolean(L, info.deaf);
    } else if (strcmp(name, "redirects") == 0) {
        push_count(L, info.redirects);
    } else if (strcmp(name, "requests") == 0) {
        push_count(L, info.requests);
    } else if (strcmp(name, "retries") == 0) {
        push_count(L, info.retries);
    } else if (strcmp(name, "zone") == 0) {
        push_zone(L, w, NODE_ROUTER, h->index);
    } else {
        return guard_field(L, h, w, name);
    }
    return true;
}

static bool cluster_field(lua_State *L, const struct handle *h, const struct world *w,
                          const char *name)
{
    uint64_t writes = 0, reads = 0;
    for (uint32_t shard = 0; shard < world_shards(w); shard++) {
        struct shard_info info = world_shard(w, (uint16_t)shard);
        writes += info.write_ceiling;
        reads += info.read_ceiling;
    }
    if (wants_rates(name)) {
        return rate_field(L, name, &rates_of(L, h->world.slot)->cluster, writes, reads);
    }
    if (strcmp(name, "shards") == 0) {
        push_count(L, world_shards(w));
    } else if (strcmp(name, "write_ceiling") == 0) {
        push_count(L, writes);
    } else if (strcmp(name, "read_ceiling") == 0) {
        push_count(L, reads);
    } else {
        return false;
    }
    return true;
}

static void push_ms(lua_State *L, const struct request_info *r)
{
    int64_t us = r->done ? r->ended_us - r->issued_us : 0;
    if (us % 1000 == 0) {
        lua_pushinteger(L, us / 1000);
    } else {
        lua_pushnumber(L, (lua_Number)us / 1000.0);
    }
}

/* Counts of a request; before any was asked they are 0. */
static bool request_number(lua_State *L, const struct request_info *r, const char *name)
{
    if (strcmp(name, "asks") == 0) {
        push_count(L, r->asks);
    } else if (strcmp(name, "reloads") == 0) {
        push_count(L, r->reloads);
    } else if (strcmp(name, "retries") == 0) {
        push_count(L, r->retries);
    } else if (strcmp(name, "timeouts") == 0) {
        push_count(L, r->timeouts);
    } else if (strcmp(name, "value") == 0) {
        push_count(L, r->value);
    } else if (strcmp(name, "number") == 0) {
        push_count(L, r->number);
    } else if (strcmp(name, "ms") == 0) {
        push_ms(L, r);
    } else if (strcmp(name, "done") == 0) {
        lua_pushboolean(L, r->done);
    } else {
        return false;
    }
    return true;
}

static bool request_field(lua_State *L, const struct handle *h, const struct world *w,
                          const char *name)
{
    struct request_info r = {.shard = SHARD_NONE};
    uint64_t number = h->index > 0 ? h->index : world_last_request(w);
    bool known = number > 0 && world_request(w, number, &r);
    if (request_number(L, &r, name)) {
        return true;
    }
    if (strcmp(name, "outcome") == 0) {
        lua_pushstring(L, known ? outcome_name(r.outcome) : "none");
    } else if (strcmp(name, "op") == 0) {
        lua_pushstring(L, known ? op_name(r.op) : "none");
    } else if (strcmp(name, "shard") == 0) {
        lua_pushstring(L, "none");
        if (known && r.shard != SHARD_NONE) {
            lua_pushfstring(L, "S%d", (int)r.shard);
        }
    } else if (strcmp(name, "router") == 0) {
        lua_pushstring(L, "none");
        if (known) {
            lua_pushfstring(L, "R%d", (int)r.router);
        }
    } else if (strcmp(name, "key") == 0) {
        struct bytes key = known ? world_key(w, r.key) : bytes_of("none");
        lua_pushlstring(L, key.at, key.length);
    } else {
        return false;
    }
    return true;
}

static bool directory_field(lua_State *L, const struct handle *h, const struct world *w,
                            const char *name)
{
    (void)h;
    if (strcmp(name, "version") == 0) {
        push_count(L, world_map_version(w));
    } else if (strcmp(name, "down") == 0) {
        lua_pushboolean(L, world_directory_down(w));
    } else {
        return false;
    }
    return true;
}

#define FIELDS_MAX 24
struct handle_type {
    const char *name;
    bool (*field)(lua_State *, const struct handle *, const struct world *, const char *);
    const char *fields[FIELDS_MAX];
};
static const struct handle_type types[] = {
    [HANDLE_SHARD] = {"shard",
                      shard_field,
                      {RATE_NAMES, "served", "refused", "moved", "keys", "keys_read", "slots",
                       "write_ceiling", "read_ceiling", "zone"}},
    [HANDLE_ROUTER] = {"router",
                       router_field,
                       {"version", "deaf", "redirects", "requests", "retries", "zone", "in_hand",
                        "most_in_hand", "turned", "sampled"}},
    [HANDLE_CLUSTER] = {"cluster",
                        cluster_field,
                        {RATE_NAMES, "shards", "write_ceiling", "read_ceiling"}},
    [HANDLE_DIRECTORY] = {"directory", directory_field, {"version", "down"}},
    [HANDLE_REQUEST] = {"request",
                        request_field,
                        {"asks", "reloads", "retries", "timeouts", "outcome", "value", "shard",
                         "router", "key", "ms", "done", "op", "number"}},
};

/* Upvalue 1 is the (empty) table of functions; the kind is in the handle, whose metatable was
 * checked by being the one with this function. */
static int handle_index(lua_State *L)
{
    struct handle *h = NULL;
    for (size_t i = 0; i < sizeof types / sizeof types[0] && h == NULL; i++) {
        h = luaL_testudata(L, 1, types[i].name);
    }
    if (h == NULL) {
        sandbox_raise(L, "this is no handle");
    }
    sandbox_charge(L, 60);
    const char *name = luaL_checkstring(L, 2);
    const struct world *w = api_handle_world(L, &h->world);
    const struct handle_type *type = &types[h->kind];
    if (type->field(L, h, w, name)) {
        return 1;
    }
    size_t count = 0;
    while (count < FIELDS_MAX && type->fields[count] != NULL) {
        count++;
    }
    char what[24];
    snprintf(what, sizeof what, "%s.", type->name);
    api_unknown(L, what, name, type->fields, count);
}

void api_handles_open(lua_State *L)
{
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        api_metatable(L, types[i].name, NULL, handle_index);
    }
}
