/*
 * api_second: one second from now, played on a copy and counted key by key: w:asked(key),
 * w:amplification(), w:pressure().
 *
 * What is counted is what rates.h counts: a request for a key that nobody treats when its client
 * sends it, any other (a cache's fetch, a salted like, a flush) when its router first asks a shard.
 * Both are read off the trace, in helpings that the trace's window holds whole.
 */
#include "base/alloc.h"
#include "base/num.h"
#include "engine/accounts/accounts.h"
#include "engine/rates.h"
#include "engine/reads/reads.h"
#include "engine/shifts/shifts.h"
#include "engine/writes/writes.h"
#include "lesson/second.h"
#include <stdlib.h>
#include <string.h>

#define SECOND_UNITS 50000 /* and one more an event */
#define HELPING 32         /* events, whose records are read before the next */

enum treated {
    TREATED_UNKNOWN,
    TREATED_NOT,
    TREATED_READS = 2,
    TREATED_WRITES = 4
};

void second_free(struct second *s)
{
    if (s != NULL) {
        free(s->writes);
        free(s->reads);
        free(s->load);
        free(s->treated);
        free(s->sent);
        free(s);
    }
}

/* --- which requests are counted when they are sent --- */

static uint8_t treatment(const struct world *w, uint32_t key)
{
    struct count_info count;
    struct account_info account;
    uint8_t bits = TREATED_NOT;
    bool counts = writes_count(w, key, &count);
    for (uint32_t other = 0; !counts && other < world_keys(w); other++) {
        counts = api_is_part(w, key, other);
    }
    if (counts || reads_info(w, 0, key).mode != READS_PLAIN) {
        bits |= TREATED_READS;
    }
    if (counts || accounts_find(w, key, &account)) {
        bits |= TREATED_WRITES;
    }
    return bits;
}

static bool is_untreated(struct second *s, const struct world *w, uint32_t key, bool reads)
{
    if (s->treated[key] == TREATED_UNKNOWN) {
        s->treated[key] = treatment(w, key);
    }
    return (s->treated[key] & (reads ? TREATED_READS : TREATED_WRITES)) == 0;
}

static void mark_sent(struct second *s, uint64_t request)
{
    if (s->first == 0) { /* they are numbered in the order in which they are sent */
        s->first = request;
    }
    uint64_t at = request - s->first;
    if (at / 8 >= s->room) {
        uint64_t room = 2 * (at / 8) + 1024;
        s->sent = xrealloc(s->sent, room, 1);
        memset(s->sent + s->room, 0, room - s->room);
        s->room = room;
    }
    s->sent[at / 8] |= (uint8_t)(1u << at % 8);
}

static bool was_sent(const struct second *s, uint64_t request)
{
    uint64_t at = request - s->first;
    return s->first > 0 && request >= s->first && at / 8 < s->room &&
           s->sent[at / 8] & 1u << at % 8;
}

/* --- reading the trace --- */

static void count_one(struct second *s, const struct trace_record *t)
{
    bool reads = op_reads((enum op_kind)t->op);
    (reads ? s->reads : s->writes)[t->key]++;
}

/* Its first half, to the slot's owner, is the client's own, counted before. */
static bool half_of_dual(struct second *s, const struct world *w, const struct trace_record *t)
{
    if (!is_untreated(s, w, t->key, false) || t->target != world_owner(w, t->slot)) {
        return false;
    }
    for (uint32_t i = 0; i < world_config_of(w)->moves_max; i++) {
        struct shift_info info = world_shift(w, i);
        if (info.kind == SHIFT_DUAL && info.slot == t->slot) {
            return true;
        }
    }
    return false;
}

static void read_record(struct second *s, const struct world *w, const struct trace_record *t,
                        bool counts)
{
    bool reads = op_reads((enum op_kind)t->op);
    if (t->kind == TRACE_ASK && is_untreated(s, w, t->key, reads)) {
        mark_sent(s, t->request);
        if (counts && t->reason != (int)REASON_AGAIN) {
            count_one(s, t);
        }
    } else if (counts && t->kind == TRACE_ROUTE && t->operand[2] == 1 && !was_sent(s, t->request) &&
               (reads || !half_of_dual(s, w, t))) {
        count_one(s, t);
    }
}

/* False when the window has lost some. */
static bool read_trace(struct second *s, const struct world *w, bool counts)
{
    bool whole = s->next >= trace_first(w);
    for (s->next = whole ? s->next : trace_first(w); s->next < trace_next(w); s->next++) {
        read_record(s, w, trace_get(w, s->next), counts);
    }
    return whole;
}

/* --- the second --- */

void second_begin(struct second *s, const struct world *w)
{
    uint32_t keys = world_config_of(w)->keys_max;
    if (s->keys < keys) {
        s->writes = xrealloc(s->writes, keys, sizeof *s->writes);
        s->reads = xrealloc(s->reads, keys, sizeof *s->reads);
        s->treated = xrealloc(s->treated, keys, sizeof *s->treated);
        s->keys = keys;
    }
    s->load = xrealloc(s->load, world_shards(w) + 1, sizeof *s->load);
    memset(s->writes, 0, s->keys * sizeof *s->writes);
    memset(s->reads, 0, s->keys * sizeof *s->reads);
    memset(s->treated, 0, s->keys * sizeof *s->treated);
    if (s->room > 0) {
        memset(s->sent, 0, s->room);
    }
    s->next = trace_first(w);
    s->first = 0;
    read_trace(s, w, false);
}

bool second_play(struct second *s, struct world *w, int64_t until, uint64_t most)
{
    uint64_t last = world_events(w) + most;
    bool whole = true;
    for (bool over = false; !over && whole;) {
        uint64_t before = world_events(w);
        over = world_run_some(w, until, HELPING);
        over = over || world_events(w) == before || world_events(w) > last;
        whole = read_trace(s, w, true);
    }
    return whole;
}

static bool play_second(struct second *s, const struct world *w, struct world *scratch)
{
    second_begin(s, w);
    world_copy_into(scratch, w);
    bool whole = second_play(s, scratch, world_now(w) + US_PER_SECOND, UINT64_MAX / 2);
    uint32_t shards = world_shards(w);
    for (uint32_t i = 0; i < shards; i++) {
        s->load[i] =
            guards_load_less(guards_load(scratch, (uint16_t)i), guards_load(w, (uint16_t)i));
    }
    s->load[shards] = guards_load_less(guards_load_all(scratch), guards_load_all(w));
    return whole;
}

static const struct second *second_of(lua_State *L, size_t slot)
{
    struct player *p = player_of(L);
    const struct world *w = p->world[slot];
    struct rates_stamp now = api_stamp(p, slot);
    if (p->second == NULL) {
        p->second = xcalloc(1, sizeof *p->second);
    }
    struct second *s = p->second;
    if (api_stamp_same(&s->stamp, &now)) {
        return s;
    }
    sandbox_charge(L, SECOND_UNITS);
    int64_t since = sandbox_clock();
    struct world *scratch = player_scratch(p, w);
    s->stamp.valid = false;
    bool whole = play_second(s, w, scratch);
    uint64_t events = world_events(scratch) - world_events(w);
    p->measured_events += events;
    sandbox_forgive(L, since);
    sandbox_charge(L, (int64_t)events);
    if (!whole) {
        sandbox_raise(L, "too much happens at one moment here to count it key by key");
    }
    s->stamp = now;
    return s;
}

/* --- functions --- */

/* Of a count its sub-keys count along. */
static int read_asked(lua_State *L)
{
    size_t slot = 0;
    struct world *w = api_world(L, 1, &slot);
    uint32_t key = api_find_key(L, 2, w);
    const struct second *s = second_of(L, slot);
    uint64_t writes = 0, reads = 0;
    sandbox_charge(L, 2 * (int64_t)world_keys(w));
    for (uint32_t i = 0; key != KEY_NONE_ID && i < world_keys(w); i++) {
        if (i == key || api_is_part(w, i, key)) {
            writes += s->writes[i];
            reads += s->reads[i];
        }
    }
    lua_createtable(L, 0, 2);
    api_set_number(L, "writes", (int64_t)writes);
    api_set_number(L, "reads", (int64_t)reads);
    return 1;
}

static int push_times(lua_State *L, uint32_t (*times)(struct guard_load))
{
    size_t slot = 0;
    struct world *w = api_world(L, 1, &slot);
    bool all = lua_isnoneornil(L, 2);
    uint32_t at = all ? world_shards(w) : api_shard(L, 2, w);
    const struct second *s = second_of(L, slot);
    uint32_t thousandths = times(s->load[at]);
    if (thousandths % 1000 == 0) {
        lua_pushinteger(L, thousandths / 1000);
    } else {
        lua_pushnumber(L, thousandths / 1000.0);
    }
    return 1;
}

static int read_amplification(lua_State *L)
{
    return push_times(L, guards_amplification);
}

static int read_pressure(lua_State *L)
{
    return push_times(L, guards_pressure);
}

const luaL_Reg *api_second(void)
{
    static const luaL_Reg functions[] = {{"asked", read_asked},
                                         {"amplification", read_amplification},
                                         {"pressure", read_pressure},
                                         {NULL, NULL}};
    return functions;
}
