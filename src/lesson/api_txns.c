/*
 * api_txns: transactions and their rows, as a script sees them: w:txn(n), w:txns(), w:row(key),
 * w:total().
 *
 * A transaction that is not there gives number 0 and no steps, a row that is not there the value 0,
 * so that texts need not ask first.
 */
#include "engine/txns/txns.h"
#include "lesson/api.h"

static void set_ms(lua_State *L, const char *name, int64_t us)
{
    api_push_ms(L, us);
    lua_setfield(L, -2, name);
}

/* From one time to another, or until now if that has not come. */
static int64_t span(const struct world *w, int64_t from_us, int64_t to_us)
{
    return (to_us < 0 ? world_now(w) : to_us) - from_us;
}

static const char *phase_of(const struct txn_info *t)
{
    if (t->number == 0 || t->by == TXN_BY_NOTHING) {
        return "none";
    }
    return t->by == TXN_BY_2PC ? commit_word_name((enum commit_word)t->phase)
                               : saga_phase_name((enum saga_phase)t->phase);
}

static void push_txn_step(lua_State *L, const struct world *w, const struct txn_info *t,
                          const struct txn_step_info *s)
{
    bool parts = t->by == TXN_BY_2PC;
    bool locked = s->locked_from_us >= 0;
    lua_createtable(L, 0, 10);
    api_set_text(L, "what", txn_what_name((enum txn_what)s->what));
    api_set_key(L, w, s->key);
    api_set_number(L, "amount", (int64_t)s->amount);
    api_set_shard(L, s->shard);
    api_set_text(L, "state",
                 parts ? part_state_name((enum part_state)s->state)
                       : step_state_name((enum step_state)s->state));
    api_set_truth(L, "told", s->told);
    api_set_truth(L, "locked", locked && s->locked_to_us < 0);
    set_ms(L, "locked_ms", locked ? span(w, s->locked_from_us, s->locked_to_us) : 0);
    set_ms(L, "seen_ms", s->done_us >= 0 ? span(w, s->done_us, s->undone_us) : 0);
}

static int read_txn(lua_State *L)
{
    struct world *w = api_world(L, 1, NULL);
    lua_Integer number = luaL_optinteger(L, 2, 0);
    luaL_argcheck(L, number >= 0, 2, "transactions are numbered from 1");
    struct txn_info t = world_txn(w, (uint64_t)number);
    char router[16];
    snprintf(router, sizeof router, "R%u", (unsigned)t.router);
    lua_createtable(L, 0, 12);
    api_set_number(L, "number", (int64_t)t.number);
    api_set_text(L, "by", t.number == 0 ? "none" : txn_by_name((enum txn_by)t.by));
    api_set_text(L, "outcome", txn_end_name((enum txn_end)t.end));
    api_set_text(L, "phase", phase_of(&t));
    api_set_text(L, "router", t.number == 0 ? "none" : router);
    api_set_truth(L, "down", t.number != 0 && t.coordinator_down);
    api_set_truth(L, "told", t.number != 0 && t.ended_us >= 0);
    api_set_truth(L, "over", t.number != 0 && t.over_us >= 0);
    set_ms(L, "ms", t.number == 0 ? 0 : span(w, t.began_us, t.ended_us));
    set_ms(L, "over_ms", t.number == 0 ? 0 : span(w, t.began_us, t.over_us));
    api_set_number(L, "messages", t.messages);
    lua_createtable(L, (int)t.steps, 0);
    for (uint32_t i = 0; i < t.steps; i++) {
        push_txn_step(L, w, &t, &t.step[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, "steps");
    return 1;
}

static int read_txns(lua_State *L)
{
    const struct world *w = api_world(L, 1, NULL);
    struct txn_counts c = world_txn_counts(w);
    lua_createtable(L, 0, 8);
    api_set_number(L, "begun", (int64_t)c.begun);
    api_set_number(L, "done", (int64_t)c.done);
    api_set_number(L, "undone", (int64_t)c.undone);
    api_set_number(L, "half", (int64_t)c.half);
    api_set_number(L, "open", (int64_t)c.open);
    api_set_number(L, "refused_by_lock", (int64_t)c.refused_by_lock);
    set_ms(L, "locked_ms", c.locked_us);
    return 1;
}

static int read_row(lua_State *L)
{
    struct world *w = api_world(L, 1, NULL);
    size_t length;
    const char *text = luaL_checklstring(L, 2, &length);
    uint32_t index = 0;
    struct txn_row_info row = {.shard = SHARD_NONE};
    bool there = world_txn_row_find(w, (struct bytes){.at = text, .length = length}, &index);
    if (there) {
        row = world_txn_row(w, index);
    }
    lua_createtable(L, 0, 6);
    api_set_truth(L, "there", there);
    api_set_number(L, "value", row.value);
    if (there) {
        api_set_shard(L, row.shard);
    } else {
        api_set_text(L, "shard", "none");
    }
    api_set_number(L, "locked_by", (int64_t)row.locked_by);
    api_set_truth(L, "locked", row.locked_by != 0);
    set_ms(L, "locked_ms", row.locked_us);
    return 1;
}

static int read_total(lua_State *L)
{
    lua_pushinteger(L, (lua_Integer)world_txn_total(api_world(L, 1, NULL)));
    return 1;
}

const luaL_Reg *api_txns(void)
{
    static const luaL_Reg functions[] = {{"txn", read_txn},
                                         {"txns", read_txns},
                                         {"row", read_row},
                                         {"total", read_total},
                                         {NULL, NULL}};
    return functions;
}
