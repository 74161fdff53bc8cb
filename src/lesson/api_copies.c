/*
 * api_copies: nodes and partitions with copies on them, as a script sees them: w:node(name),
 * w:nodes(), w:group(name), w:entries(name, node), w:recopy().
 */
#include "engine/copies/copies.h"
#include "engine/nodes/nodes.h"
#include "lesson/api.h"
#include <stdio.h>
#include <stdlib.h>

#define ENTRIES_MOST 64

/* --- arguments --- */

static struct bytes text_arg(lua_State *L, int arg)
{
    struct bytes text = {0};
    text.at = luaL_checklstring(L, arg, &text.length);
    return text;
}

/* "N3" is 2. */
static uint32_t node_arg(lua_State *L, int arg, const struct world *w)
{
    const char *text = luaL_checkstring(L, arg);
    char *end = NULL;
    unsigned long number = text[0] == 'N' ? strtoul(text + 1, &end, 10) : 0;
    if (number < 1 || number > world_nodes(w) || *end != '\0') {
        sandbox_raise(L, "no node %s; this world has %u nodes, and N1 is the first",
                      err_word(text, 40).text, (unsigned)world_nodes(w));
    }
    return (uint32_t)number - 1;
}

/* --- fields of the table on top --- */

static void set_count(lua_State *L, const char *name, uint64_t value)
{
    api_set_number(L, name, (int64_t)value);
}

static void set_ms(lua_State *L, const char *name, int64_t us)
{
    api_push_ms(L, us);
    lua_setfield(L, -2, name);
}

static void set_node(lua_State *L, const char *name, uint32_t node)
{
    char text[16];
    snprintf(text, sizeof text, "N%u", (unsigned)node + 1);
    api_set_text(L, name, text);
}

static void set_zone(lua_State *L, uint8_t zone)
{
    const char text[2] = {(char)('a' + zone), '\0'};
    api_set_text(L, "zone", text);
}

/* --- nodes --- */

static int read_node(lua_State *L)
{
    struct world *w = api_world(L, 1, NULL);
    uint32_t node = node_arg(L, 2, w);
    struct node_info n = world_node(w, node);
    struct node_holds h = world_node_holds(w, node);
    lua_createtable(L, 0, 20);
    set_zone(L, n.zone);
    api_set_truth(L, "down", n.down);
    api_set_truth(L, "cut_off", n.cut_off);
    api_set_number(L, "side", n.side);
    api_set_number(L, "slow", n.slow);
    set_count(L, "sent", n.sent);
    set_count(L, "lost", n.lost);
    set_count(L, "bulk", n.bulk);
    api_set_number(L, "load", node_load(w, node));
    api_set_number(L, "replicas", h.replicas);
    api_set_number(L, "leads", h.leads);
    api_set_number(L, "copying", h.copying);
    api_set_beat(L, w, node);
    return 1;
}

static int read_nodes(lua_State *L)
{
    lua_pushinteger(L, world_nodes(api_world(L, 1, NULL)));
    return 1;
}

/* --- groups --- */

static void set_replica(lua_State *L, const struct replica_info *r)
{
    static const char *const states[] = {
        [REPLICA_VOTES] = "votes",
        [REPLICA_COPYING] = "copying",
        [REPLICA_GONE] = "gone",
    };
    lua_createtable(L, 0, 12);
    set_node(L, "node", r->node);
    api_set_text(L, "role", term_role_name((enum term_role)r->role));
    api_set_text(L, "state", states[r->state]);
    api_set_truth(L, "up", r->up);
    set_count(L, "term", r->term);
    set_count(L, "last", r->last);
    set_count(L, "commit", r->commit);
    set_count(L, "value", r->value);
    set_count(L, "copied", r->copied);
    set_count(L, "bytes", r->bytes);
}

static void set_group(lua_State *L, const struct group_info *g)
{
    static const char *const acks[] = {
        [ACKS_MAJORITY] = "majority",
        [ACKS_ONE] = "one",
        [ACKS_ALL] = "all",
    };
    if (g->leader != UINT16_MAX) {
        set_node(L, "leader", g->replica[g->leader].node);
    }
    api_set_text(L, "acks", acks[g->acks]);
    set_count(L, "bytes", g->bytes);
    api_set_number(L, "leaders", g->leaders);
    set_count(L, "term", g->term);
    set_count(L, "committed", g->committed);
    set_count(L, "asked", g->asked);
    set_count(L, "acked", g->acked);
    set_count(L, "failed", g->failed);
    set_count(L, "lost", g->lost);
    set_count(L, "looks", g->looks);
    set_count(L, "stale", g->stale);
    set_count(L, "looked", g->looked);
    set_count(L, "elections", g->elections);
    api_set_truth(L, "led", g->leaderless_since_us < 0);
    set_ms(L, "leaderless_ms", g->leaderless_us);
    set_ms(L, "last_leaderless_ms", g->last_leaderless_us);
}

/* nil when there is none of the name. */
static int read_group(lua_State *L)
{
    struct world *w = api_world(L, 1, NULL);
    uint32_t index = 0;
    if (!world_group_find(w, text_arg(L, 2), &index)) {
        lua_pushnil(L);
        return 1;
    }
    struct group_info g = world_group(w, index);
    lua_createtable(L, 0, 20);
    set_group(L, &g);
    lua_createtable(L, (int)g.replicas, 0);
    for (uint32_t i = 0; i < g.replicas; i++) {
        set_replica(L, &g.replica[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, "replicas");
    return 1;
}

/* The log of the replica on a node, as far as it is remembered: oldest first. */
static int read_entries(lua_State *L)
{
    struct world *w = api_world(L, 1, NULL);
    uint32_t index = 0;
    uint32_t node = node_arg(L, 3, w);
    lua_Integer count = 0;
    lua_createtable(L, 0, 0);
    if (!world_group_find(w, text_arg(L, 2), &index)) {
        return 1;
    }
    struct group_info g = world_group(w, index);
    for (uint32_t i = 0; i < g.replicas; i++) {
        const struct replica_info *r = &g.replica[i];
        uint64_t first = r->last > ENTRIES_MOST ? r->last - ENTRIES_MOST : 0;
        for (uint64_t p = first + 1; r->node == node && p <= r->last; p++) {
            struct group_entry e;
            if (!world_group_entry(w, index, i, p, &e)) {
                continue;
            }
            lua_createtable(L, 0, 5);
            set_count(L, "at", p);
            set_count(L, "term", e.term);
            if (e.empty) {
                api_set_truth(L, "empty", true);
            } else {
                set_count(L, "value", e.value);
            }
            api_set_truth(L, "acked", e.acked);
            api_set_truth(L, "lost", e.lost);
            lua_rawseti(L, -2, ++count);
        }
    }
    return 1;
}

static int read_recopy(lua_State *L)
{
    struct world *w = api_world(L, 1, NULL);
    struct recopy_info r = world_recopy(w);
    lua_createtable(L, 0, 8);
    api_set_truth(L, "on", r.on);
    set_count(L, "budget", r.budget);
    api_set_number(L, "under_way", r.under_way);
    api_set_number(L, "done", r.done);
    set_count(L, "bytes", r.bytes);
    if (r.began_us >= 0) {
        set_ms(L, "took_ms", (r.ended_us >= 0 ? r.ended_us : world_now(w)) - r.began_us);
    }
    return 1;
}

const luaL_Reg *api_copies(void)
{
    static const luaL_Reg functions[] = {{"node", read_node},     {"nodes", read_nodes},
                                         {"group", read_group},   {"entries", read_entries},
                                         {"recopy", read_recopy}, {NULL, NULL}};
    return functions;
}
