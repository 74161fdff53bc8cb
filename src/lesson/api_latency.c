/*
 * api_latency: how long clients waited, by the replies in the trace: w:latency(op, percent, key).
 */
#include "lesson/api.h"
#include <math.h>
#include <stdlib.h>

static enum op_kind op_arg(lua_State *L, int arg)
{
    enum op_kind op = OP_KINDS;
    const char *name = luaL_checkstring(L, arg);
    if (!op_by_name(name, &op)) {
        static const char *const names[] = {"read", "like", "edit", "take", "credit", "debit"};
        api_unknown(L, "request", name, names, sizeof names / sizeof *names);
    }
    return op;
}

static int by_time(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* How long requests of one kind took, and of one key unless it is KEY_NONE_ID, least first. Each
 * reply tells it of its own request, whose first record may be gone from the trace; one that was
 * answered by a sub-key or a copy counts for the key that its client asked for. */
static size_t gather_times(const struct world *w, enum op_kind op, uint32_t key, int64_t *out)
{
    size_t times = 0;
    bool any = key == KEY_NONE_ID;
    struct api_stand_ins wanted = {0};
    if (!any) {
        wanted = api_stand_ins_of(w, key);
    }
    for (uint64_t at = trace_first(w); at < trace_next(w); at++) {
        const struct trace_record *t = trace_get(w, at);
        bool answered = t->kind == TRACE_REPLY && !t->own && t->outcome == OUTCOME_OK &&
                        t->arrive_us <= world_now(w);
        if (answered && t->op == op && (any || api_stands_in(w, &wanted, t->key))) {
            out[times++] = t->took_us;
        }
    }
    qsort(out, times, sizeof *out, by_time);
    return times;
}

/* The least time within which so many percent were answered; and how many there were. */
static int read_latency(lua_State *L)
{
    struct world *w = api_world(L, 1, NULL);
    enum op_kind op = op_arg(L, 2);
    double percent = luaL_checknumber(L, 3);
    if (!(percent >= 0 && percent <= 100)) {
        sandbox_raise(L, "w:latency takes 0 to 100 percent");
    }
    bool any_key = lua_isnoneornil(L, 4);
    uint32_t key = any_key ? KEY_NONE_ID : api_find_key(L, 4, w);
    size_t room = world_config_of(w)->trace_max;
    sandbox_charge(L, 4 * (int64_t)room);
    /* Lua's own memory: an error on the way leaves nothing behind. */
    int64_t *time = lua_newuserdatauv(L, room * sizeof *time, 0);
    bool known = any_key || key != KEY_NONE_ID;
    size_t times = known ? gather_times(w, op, key, time) : 0;
    if (times == 0) {
        sandbox_raise(L, "w:latency: the trace remembers no %s that was answered OK", op_name(op));
    }
    double rank = ceil(percent * (double)times / 100.0);
    api_push_ms(L, time[rank < 1 ? 0 : (size_t)rank - 1]);
    lua_pushinteger(L, (lua_Integer)times);
    return 2;
}

const luaL_Reg *api_tail(void)
{
    static const luaL_Reg functions[] = {{"latency", read_latency}, {NULL, NULL}};
    return functions;
}
