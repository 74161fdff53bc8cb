/*
 * api_quorums: stores without leaders and heartbeats, as a script sees them: w:store(name),
 * w:held(name, key), w:history(name), w:linearizable(name), w:beats(), and what w:node tells of a
 * node's heartbeats.
 *
 * Whether a history is linearizable is decided by check/history, key by key, from all that clients
 * saw since the store began. When older operations are forgotten, or the search is cut, nobody
 * knows: nil.
 */
#include "base/num.h"
#include "check/history.h"
#include "engine/quorums/quorums.h"
#include "engine/watch/watch.h"
#include "lesson/api.h"
#include <stdio.h>

#define HISTORY_NODES 200000u
#define HISTORY_CHARGE 20000

/* --- arguments --- */

static struct bytes text_arg(lua_State *L, int arg)
{
    struct bytes text = {0};
    text.at = luaL_checklstring(L, arg, &text.length);
    return text;
}

static uint32_t store_arg(lua_State *L, int arg, const struct world *w)
{
    struct bytes name = text_arg(L, arg);
    uint32_t index = 0;
    if (!world_store_find(w, name, &index)) {
        sandbox_raise(L, "no store %s; begin one: w:command(\"store %s 3 2 2\")",
                      err_word(name.at, 40).text, err_word(name.at, 40).text);
    }
    return index;
}

/* Its number in the store; the number of keys: the store has not met it. */
static uint32_t key_arg(lua_State *L, int arg, const struct world *w, uint32_t store)
{
    struct bytes wanted = text_arg(L, arg);
    uint32_t keys = world_store(w, store).keys;
    for (uint32_t key = 0; key < keys; key++) {
        if (bytes_equal(world_store_key(w, store, key), wanted)) {
            return key;
        }
    }
    return keys;
}

/* --- fields of the table on top --- */

static void set_count(lua_State *L, const char *name, uint64_t value)
{
    api_set_number(L, name, (int64_t)value);
}

/* None for a time that is not there. */
static void set_ms(lua_State *L, const char *name, int64_t us)
{
    if (us >= 0) {
        api_push_ms(L, us);
        lua_setfield(L, -2, name);
    }
}

static void set_node(lua_State *L, const char *name, uint32_t node)
{
    char text[16];
    snprintf(text, sizeof text, "N%u", (unsigned)node + 1);
    api_set_text(L, name, text);
}

static void set_values(lua_State *L, const uint64_t *values, uint32_t count)
{
    lua_createtable(L, (int)count, 0);
    for (uint32_t i = 0; i < count; i++) {
        lua_pushinteger(L, (lua_Integer)values[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, "values");
}

/* --- stores --- */

/* nil when there is none of the name. */
static int read_store(lua_State *L)
{
    static const char *const repairs[] = {"off", "after", "before"};
    struct world *w = api_world(L, 1, NULL);
    uint32_t index = 0;
    if (!world_store_find(w, text_arg(L, 2), &index)) {
        lua_pushnil(L);
        return 1;
    }
    struct store_info s = world_store(w, index);
    lua_createtable(L, 0, 24);
    api_set_number(L, "n", s.n);
    api_set_number(L, "w", s.w);
    api_set_number(L, "r", s.r);
    api_set_number(L, "nodes", s.nodes);
    api_set_truth(L, "sloppy", s.sloppy);
    api_set_truth(L, "hints_count", s.hints_count);
    api_set_text(L, "repair", repairs[s.repair ? 1 + s.repair_first : 0]);
    api_set_text(L, "versions", s.clock ? "clock" : "last");
    set_count(L, "sets", s.sets);
    set_count(L, "sets_ok", s.sets_ok);
    set_count(L, "sets_failed", s.sets_failed);
    set_count(L, "gets", s.gets);
    set_count(L, "gets_ok", s.gets_ok);
    set_count(L, "gets_failed", s.gets_failed);
    set_count(L, "stale", s.stale);
    set_count(L, "siblings", s.siblings);
    set_count(L, "overwritten", s.overwritten);
    set_count(L, "hints", s.hints);
    set_count(L, "handed", s.hints_handed);
    set_count(L, "repairs", s.repairs);
    return 1;
}

static int read_held(lua_State *L)
{
    struct world *w = api_world(L, 1, NULL);
    uint32_t store = store_arg(L, 2, w);
    uint32_t key = key_arg(L, 3, w, store);
    struct store_held held[NODES_MAX];
    uint32_t count = key < world_store(w, store).keys ? world_store_held(w, store, key, held) : 0;
    lua_createtable(L, (int)count, 0);
    for (uint32_t i = 0; i < count; i++) {
        lua_createtable(L, 0, 6);
        set_node(L, "node", held[i].node);
        api_set_truth(L, "up", held[i].up);
        api_set_truth(L, "wanted", held[i].wanted);
        api_set_truth(L, "behind", held[i].behind);
        if (held[i].hint_for != UINT32_MAX) {
            set_node(L, "hint_for", held[i].hint_for);
        }
        set_values(L, held[i].value, held[i].versions);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

static void push_op(lua_State *L, const struct world *w, uint32_t store, const struct store_op *op,
                    int64_t from_us)
{
    struct bytes key = world_store_key(w, store, op->key);
    lua_createtable(L, 0, 12);
    api_set_text(L, "op", op->write ? "set" : "get");
    lua_pushlstring(L, key.at, key.length);
    lua_setfield(L, -2, "key");
    set_node(L, "via", op->node);
    set_count(L, "value", op->value);
    set_values(L, op->all, op->versions);
    api_set_text(L, "at", num_clock(op->asked_us).text);
    set_ms(L, "asked_ms", op->asked_us - from_us);
    set_ms(L, "ended_ms", op->ended_us < 0 ? -1 : op->ended_us - from_us);
    api_set_truth(L, "ok", op->ok);
    api_set_truth(L, "stale", op->stale);
    api_set_number(L, "acks", op->acks);
    api_set_number(L, "stand_ins", op->stand_ins);
}

static int read_history(lua_State *L)
{
    struct world *w = api_world(L, 1, NULL);
    uint32_t store = store_arg(L, 2, w);
    struct store_op ops[STORE_HISTORY_MAX];
    uint32_t count = world_store_history(w, store, ops);
    lua_createtable(L, (int)count, 0);
    for (uint32_t i = 0; i < count; i++) {
        push_op(L, w, store, ops + i, ops[0].asked_us);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

/* --- linearizable --- */

/* What clients saw of one key; false: a read got two values at once, which one copy never gives. */
static bool pick(const struct store_op *ops, uint32_t count, uint32_t key, struct history_op *out,
                 uint32_t *used)
{
    *used = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct store_op *op = ops + i;
        if (op->key != key || (!op->write && !op->ok)) {
            continue;
        }
        if (!op->write && op->versions > 1) {
            return false;
        }
        out[(*used)++] = (struct history_op){.invoked = op->asked_no,
                                             .returned = op->ok ? op->ended_no : HISTORY_NEVER,
                                             .value = (int64_t)op->value,
                                             .read = !op->write};
    }
    return true;
}

static enum history_verdict judge_key(const struct store_op *ops, uint32_t count, uint32_t key)
{
    struct history_op picked[STORE_HISTORY_MAX];
    uint32_t used = 0;
    if (!pick(ops, count, key, picked, &used)) {
        return HISTORY_NOT;
    }
    struct history history = {
        .op = picked, .count = used, .kind = HISTORY_REGISTER, .nodes_max = HISTORY_NODES};
    struct history_result result = history_check(&history);
    enum history_verdict verdict = result.verdict;
    history_result_free(&result);
    return verdict;
}

static int read_linearizable(lua_State *L)
{
    struct world *w = api_world(L, 1, NULL);
    uint32_t store = store_arg(L, 2, w);
    struct store_info s = world_store(w, store);
    struct store_op ops[STORE_HISTORY_MAX];
    uint32_t count = world_store_history(w, store, ops);
    bool known = s.sets + s.gets <= STORE_HISTORY_MAX;
    bool holds = true;
    sandbox_charge(L, HISTORY_CHARGE);
    for (uint32_t key = 0; known && key < s.keys; key++) {
        enum history_verdict verdict = judge_key(ops, count, key);
        known = verdict != HISTORY_UNDECIDED;
        holds = holds && verdict == HISTORY_LINEARIZABLE;
    }
    if (known) {
        lua_pushboolean(L, holds);
    } else {
        lua_pushnil(L);
    }
    return 1;
}

/* --- heartbeats --- */

static void set_phi(lua_State *L, const char *name, uint32_t hundredths)
{
    if (hundredths % 100 == 0) {
        lua_pushinteger(L, hundredths / 100);
    } else {
        lua_pushnumber(L, (lua_Number)hundredths / 100.0);
    }
    lua_setfield(L, -2, name);
}

static int read_beats(lua_State *L)
{
    struct world *w = api_world(L, 1, NULL);
    struct watch_info watch = world_watch(w);
    lua_createtable(L, 0, 9);
    api_set_truth(L, "on", watch.on);
    set_ms(L, "period_ms", watch.period_us);
    set_ms(L, "timeout_ms", watch.timeout_us);
    set_phi(L, "phi", watch.phi);
    set_count(L, "declared", watch.declared);
    set_count(L, "falsely", watch.falsely);
    set_count(L, "returned", watch.returned);
    set_ms(L, "detect_ms", watch.detect_us);
    return 1;
}

void api_set_beat(lua_State *L, const struct world *w, uint32_t node)
{
    struct beat_info beat = world_beat(w, node);
    set_phi(L, "phi", beat.phi);
    api_set_truth(L, "declared", beat.declared);
    set_ms(L, "heard_ms_ago", beat.heard_us < 0 ? -1 : world_now(w) - beat.heard_us);
    set_ms(L, "gap_ms", beat.mean_us);
    set_ms(L, "spread_ms", beat.spread_us);
    set_count(L, "beats", beat.beats);
    set_count(L, "late", beat.late);
}

const luaL_Reg *api_quorums(void)
{
    static const luaL_Reg functions[] = {
        {"store", read_store},     {"held", read_held},
        {"history", read_history}, {"linearizable", read_linearizable},
        {"beats", read_beats},     {NULL, NULL}};
    return functions;
}
