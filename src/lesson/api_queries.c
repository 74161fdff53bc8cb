/*
 * api_queries: queries over all shards, as a script sees them: w:query(name),
 * w:query_ms(name, percent).
 *
 * A query that is not defined gives a table of zeros, so that texts need not ask first.
 */
#include "engine/queries/queries.h"
#include "lesson/api.h"
#include <math.h>

static void set_ms(lua_State *L, const char *name, int64_t us)
{
    api_push_ms(L, us);
    lua_setfield(L, -2, name);
}

static void set_shard(lua_State *L, const char *name, uint16_t shard)
{
    char text[16] = "none";
    if (shard != SHARD_NONE) {
        snprintf(text, sizeof text, "S%u", (unsigned)shard);
    }
    api_set_text(L, name, text);
}

static void set_dollars(lua_State *L, uint64_t cents)
{
    if (cents % 100 == 0) {
        lua_pushinteger(L, (lua_Integer)(cents / 100));
    } else {
        lua_pushnumber(L, (lua_Number)cents / 100.0);
    }
    lua_setfield(L, -2, "dollars");
}

/* The name at `arg`. False: there is no such query. */
static bool find(lua_State *L, int arg, const struct world *w, uint32_t *index)
{
    size_t length;
    const char *name = luaL_checklstring(L, arg, &length);
    return world_query_find(w, (struct bytes){.at = name, .length = length}, index);
}

static void set_counts(lua_State *L, const struct query_info *q)
{
    const struct {
        const char *name;
        uint64_t value;
    } counts[] = {
        {"asked", q->asked},
        {"whole", q->whole},
        {"partial", q->partial},
        {"failed", q->failed},
        {"from_result", q->from_result},
        {"parts", q->parts},
        {"hedges", q->hedges},
        {"hedges_first", q->hedges_first},
        {"dropped", q->dropped},
        {"clashes", q->clashes},
        {"answers", q->answers},
        {"crossings", q->crossings},
        {"crossed_bytes", q->crossed_bytes},
        {"bytes", q->bytes},
        {"rate", q->rate},
        {"asks", q->asks},
    };
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        api_set_number(L, counts[i].name, (int64_t)counts[i].value);
    }
}

static void set_limits(lua_State *L, const struct query_info *q)
{
    char zone[2] = {q->period_us > 0 ? (char)('a' + q->zone) : '\0', '\0'};
    set_ms(L, "hedge_ms", q->hedge_us);
    set_ms(L, "timeout_ms", q->timeout_us);
    set_ms(L, "deadline_ms", q->deadline_us);
    set_ms(L, "period_ms", q->period_us);
    set_ms(L, "result_age_ms", q->result_age_us < 0 ? 0 : q->result_age_us);
    api_set_truth(L, "has_result", q->result_age_us >= 0);
    api_set_text(L, "zone", zone);
}

/* --- the last run --- */

static void push_top(lua_State *L, const struct world *w, const struct query_run_info *last)
{
    lua_createtable(L, (int)last->items, 0);
    for (uint32_t i = 0; i < last->items; i++) {
        lua_createtable(L, 0, 2);
        api_set_key(L, w, (uint32_t)last->item[i].key);
        api_set_number(L, "value", last->item[i].value);
        lua_rawseti(L, -2, i + 1);
    }
}

static const char *state_of(const struct query_part_info *part)
{
    static const char *const names[] = {[GATHER_UNASKED] = "unasked",
                                        [GATHER_WAITING] = "waiting",
                                        [GATHER_HEARD] = "heard",
                                        [GATHER_GIVEN_UP] = "given up"};
    return part->refused ? "refused" : part->clashed ? "clashed" : names[part->state];
}

static void push_parts(lua_State *L, const struct query_run_info *last)
{
    lua_createtable(L, (int)last->parts, 0);
    for (uint32_t i = 0; i < last->parts; i++) {
        const struct query_part_info *part = &last->part[i];
        lua_createtable(L, 0, 8);
        api_set_shard(L, part->shard);
        set_ms(L, "ms", part->heard_us < 0 ? 0 : part->heard_us - part->asked_us);
        api_set_text(L, "state", state_of(part));
        api_set_truth(L, "hedged", part->hedged);
        api_set_truth(L, "crossing", part->crossing);
        api_set_truth(L, "follower", part->from_follower);
        api_set_number(L, "sum", (int64_t)part->sum);
        lua_rawseti(L, -2, i + 1);
    }
}

static void set_last(lua_State *L, const struct query_run_info *last)
{
    char router[16];
    snprintf(router, sizeof router, "R%u", (unsigned)last->router);
    lua_createtable(L, 0, 10);
    api_set_number(L, "number", (int64_t)last->number);
    set_ms(L, "ms", last->ended_us < 0 ? 0 : last->ended_us - last->asked_us);
    api_set_truth(L, "whole", last->end == GATHER_WHOLE);
    api_set_truth(L, "ended", last->ended_us >= 0);
    api_set_text(L, "router", last->number == 0 ? "none" : router);
    set_shard(L, "slowest", last->slowest);
    api_set_number(L, "entries", last->entries);
    api_set_number(L, "sum", (int64_t)last->sum);
    push_parts(L, last);
    lua_setfield(L, -2, "parts");
    lua_setfield(L, -2, "last");
}

static int read_query(lua_State *L)
{
    struct world *w = api_world(L, 1, NULL);
    uint32_t index = 0;
    struct query_info q = {.result_age_us = -1};
    struct query_run_info last = {.ended_us = -1, .slowest = SHARD_NONE};
    bool known = find(L, 2, w, &index);
    if (known) {
        q = world_query(w, index);
        world_query_last(w, index, &last);
    }
    uint64_t crossing = known ? world_query_crossing(w, index) : 0;
    sandbox_charge(L, 4000); /* percentiles are counted */
    lua_createtable(L, 0, 36);
    set_counts(L, &q);
    set_limits(L, &q);
    api_set_number(L, "crossing", (int64_t)crossing);
    set_dollars(L, world_query_cents(crossing));
    set_ms(L, "p50", known ? world_query_latency(w, index, 500) : 0);
    set_ms(L, "p99", known ? world_query_latency(w, index, 990) : 0);
    set_ms(L, "max", known ? world_query_latency(w, index, 1000) : 0);
    api_set_number(L, "sum", (int64_t)last.sum);
    push_top(L, w, &last);
    lua_setfield(L, -2, "top");
    set_last(L, &last);
    return 1;
}

static int read_query_ms(lua_State *L)
{
    struct world *w = api_world(L, 1, NULL);
    lua_Number percent = luaL_checknumber(L, 3);
    uint32_t index = 0;
    if (!(percent >= 0 && percent <= 100)) {
        luaL_error(L, "a percentile is from 0 to 100");
    }
    bool known = find(L, 2, w, &index);
    sandbox_charge(L, 1500);
    api_push_ms(L, known ? world_query_latency(w, index, (uint32_t)lround(percent * 10)) : 0);
    return 1;
}

const luaL_Reg *api_queries(void)
{
    static const luaL_Reg functions[] = {
        {"query", read_query}, {"query_ms", read_query_ms}, {NULL, NULL}};
    return functions;
}
