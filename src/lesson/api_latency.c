/*
 * api_latency: how long clients waited, read off the trace: w:latency(op, percent, key).
 */
#include "lesson/api.h"
#include <math.h>
#include <stdlib.h>

/* A request that its client sent, as the trace's window remembers it. */
struct asked {
    uint64_t number;
    int64_t at_us;
};

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

/* Those of one kind, and of one key unless it is KEY_NONE_ID, in the order of their numbers. */
static size_t gather_asked(const struct world *w, enum op_kind op, uint32_t key, struct asked *out)
{
    size_t count = 0;
    for (uint64_t at = trace_first(w); at < trace_next(w); at++) {
        const struct trace_record *t = trace_get(w, at);
        if (t->kind == TRACE_ASK && t->op == op && (key == KEY_NONE_ID || t->key == key)) {
            out[count++] = (struct asked){t->request, t->time_us};
        }
    }
    return count;
}

static int by_number(const void *a, const void *b)
{
    uint64_t x = ((const struct asked *)a)->number, y = ((const struct asked *)b)->number;
    return (x > y) - (x < y);
}

static int by_time(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static size_t gather_times(const struct world *w, const struct asked *asked, size_t count,
                           int64_t *out)
{
    size_t times = 0;
    for (uint64_t at = trace_first(w); count > 0 && at < trace_next(w); at++) {
        const struct trace_record *t = trace_get(w, at);
        if (t->kind != TRACE_REPLY || t->outcome != OUTCOME_OK || t->arrive_us > world_now(w)) {
            continue;
        }
        struct asked wanted = {t->request, 0};
        const struct asked *found = bsearch(&wanted, asked, count, sizeof *asked, by_number);
        if (found != NULL) {
            out[times++] = t->arrive_us - found->at_us;
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
    struct asked *asked = lua_newuserdatauv(L, room * sizeof *asked, 0);
    int64_t *time = lua_newuserdatauv(L, room * sizeof *time, 0);
    bool known = any_key || key != KEY_NONE_ID;
    size_t times = known ? gather_times(w, asked, gather_asked(w, op, key, asked), time) : 0;
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
