/*
 * api_moves: slots that change their shard, as a script sees them: w:move_of(slot),
 * w:shift_of(slot), w:versions(key), w:broken().
 *
 * A move that was never begun gives a table with phase "none" and zeros, so that texts need not ask
 * first.
 */
#include "base/num.h"
#include "engine/invariant.h"
#include "engine/moves/moves.h"
#include "engine/shifts/shifts.h"
#include "lesson/api.h"
#include <string.h>

/* --- phases --- */

static const char *const phases[] = {"copying", "tailing",   "fenced", "committed", "moved",
                                     "deleted", "aborted",   "empty",  "filled",    "claimed",
                                     "none",    "caught-up", "drained"};

static const char *move_phase(const struct move_info *m)
{
    switch (m->phase) {
    case MOVE_BEGUN:
        return "copying";
    case MOVE_TAILING:
        return m->copied_us == MOVE_NEVER ? "copying" : "tailing";
    case MOVE_FENCED:
        return "fenced";
    case MOVE_COMMITTED:
        return m->ended ? "deleted" : m->closed_us == MOVE_NEVER ? "committed" : "moved";
    case MOVE_ABORTED:
    case MOVE_PHASES:
        break;
    }
    return "aborted";
}

/* The row of a slot that moves key by key or by dual writes. */
static bool find_shift(const struct world *w, uint32_t slot, struct shift_info *out)
{
    for (uint32_t i = 0; i < world_config_of(w)->moves_max; i++) {
        *out = world_shift(w, i);
        if (out->kind != SHIFT_NONE && out->slot == slot) {
            return true;
        }
    }
    *out = (struct shift_info){.kind = SHIFT_NONE};
    return false;
}

static bool is_empty(const struct shift_info *s)
{
    return s->kind == SHIFT_ASK && s->here == 0 && s->handing == KEY_NONE_ID;
}

static bool is_filled(const struct shift_info *s)
{
    return s->kind == SHIFT_DUAL && s->filled && !s->working && s->differ == 0;
}

static const char *shift_phase(const struct shift_info *s)
{
    if (s->kind == SHIFT_ASK) {
        return s->ask == ASK_CLAIMED ? "claimed" : "open";
    }
    if (s->kind == SHIFT_DUAL) {
        return s->dual == DUAL_SINGLE ? "single" : s->dual == DUAL_WRITING ? "double" : "switched";
    }
    return "none";
}

/* Nothing of the tail waits for longer than it takes anyway. */
static bool is_caught_up(const struct world *w, const struct move_info *m)
{
    int64_t waits_us = m->oldest_us > 0 ? world_now(w) - m->oldest_us : 0;
    bool tails = m->phase == MOVE_TAILING && m->copied_us != MOVE_NEVER;
    return tails && waits_us <= 2 * (int64_t)world_config_of(w)->apply_us;
}

/* How far a move must be so that it has been through a phase; -1: that of another way of moving. */
static int rank_of(const char *phase)
{
    for (int i = 0; i < 6; i++) {
        if (strcmp(phases[i], phase) == 0) {
            return i;
        }
    }
    return -1;
}

const char *api_phase(lua_State *L, int arg)
{
    const char *name = luaL_checkstring(L, arg);
    for (size_t i = 0; i < sizeof phases / sizeof *phases; i++) {
        if (strcmp(phases[i], name) == 0) {
            return phases[i];
        }
    }
    api_unknown(L, "phase", name, phases, sizeof phases / sizeof *phases);
}

enum reached api_phase_reached(const struct world *w, uint32_t slot, const char *phase)
{
    struct move_info m;
    struct shift_info s;
    if (find_shift(w, slot, &s)) {
        bool there = (strcmp(phase, "empty") == 0 && is_empty(&s)) ||
                     (strcmp(phase, "filled") == 0 && is_filled(&s)) ||
                     (strcmp(phase, "claimed") == 0 && strcmp(shift_phase(&s), phase) == 0);
        return there ? REACHED : REACHED_NOT_YET;
    }
    if (strcmp(phase, "none") == 0) {
        return REACHED; /* a slot that moved that way is at rest again */
    }
    if (!moves_info_of(w, slot, &m)) {
        return REACHED_NEVER;
    }
    if (strcmp(phase, move_phase(&m)) == 0) {
        return REACHED;
    }
    if (m.phase == MOVE_ABORTED || strcmp(phase, "aborted") == 0) {
        return m.ended ? REACHED_NEVER : REACHED_NOT_YET;
    }
    if (strcmp(phase, "caught-up") == 0) {
        bool past = m.phase == MOVE_FENCED || m.phase == MOVE_COMMITTED;
        return past || is_caught_up(w, &m) ? REACHED : REACHED_NOT_YET;
    }
    if (strcmp(phase, "drained") == 0) {
        bool drained = m.drained_us != MOVE_NEVER || m.phase == MOVE_COMMITTED;
        return drained ? REACHED : m.ended ? REACHED_NEVER : REACHED_NOT_YET;
    }
    int wanted = rank_of(phase);
    return wanted < 0                          ? REACHED_NEVER
           : rank_of(move_phase(&m)) >= wanted ? REACHED
           : m.ended                           ? REACHED_NEVER
                                               : REACHED_NOT_YET;
}

/* --- the promise --- */

/* Fields "accepts" ("S2", "S2, S4", "nobody"), "held" and "lost": writes of the slot that some
 * shard accepted and that the one that accepts now (else the owner) holds, or lacks. */
static void set_promise(lua_State *L, const struct world *w, uint32_t slot)
{
    struct slot_promise promise = moves_promise(w, slot);
    char text[40] = "nobody";
    for (int i = 0; i < 2 && i < promise.accepting; i++) {
        size_t length = i > 0 ? strlen(text) : 0;
        snprintf(text + length, sizeof text - length, "%sS%u", i > 0 ? ", " : "",
                 (unsigned)promise.accepts[i]);
    }
    api_set_text(L, "accepts", text);
    api_set_number(L, "held", (int64_t)(promise.writes - promise.lacking));
    api_set_number(L, "lost", (int64_t)promise.lacking);
}

/* --- w:move_of --- */

static void set_ms(lua_State *L, const char *name, int64_t us)
{
    api_push_ms(L, us);
    lua_setfield(L, -2, name);
}

static void set_clock(lua_State *L, const char *name, int64_t us)
{
    api_set_text(L, name, us == MOVE_NEVER ? "" : num_clock(us).text);
}

static void set_shard(lua_State *L, const char *name, bool known, uint16_t shard)
{
    char text[16] = "none";
    if (known) {
        snprintf(text, sizeof text, "S%u", (unsigned)shard);
    }
    api_set_text(L, name, text);
}

/* From the fence until the target serves, or until now. */
static int64_t pause_us(const struct world *w, const struct move_info *m)
{
    if (m->fenced_us == MOVE_NEVER) {
        return 0;
    }
    int64_t end = m->committed_us != MOVE_NEVER ? m->committed_us
                  : m->ended                    ? m->ended_us
                                                : world_now(w);
    return end - m->fenced_us;
}

static void set_progress(lua_State *L, const struct world *w, const struct move_info *m)
{
    api_set_number(L, "bytes", (int64_t)m->bytes);
    api_set_number(L, "copied", (int64_t)m->copied_bytes);
    api_set_number(L, "speed", (int64_t)m->speed);
    api_set_number(L, "tail", m->tail);
    api_set_number(L, "caught_up", m->caught_up);
    set_ms(L, "behind_ms", m->oldest_us > 0 ? world_now(w) - m->oldest_us : 0);
    api_set_number(L, "entries", m->end);
    api_set_number(L, "applied", m->applied);
    api_set_number(L, "snapshot", (int64_t)m->snapshot_position);
    api_set_number(L, "fence", (int64_t)m->fence_position);
    set_ms(L, "pause_ms", pause_us(w, m));
    bool copied = m->copied_us != MOVE_NEVER && m->begun_us != MOVE_NEVER;
    set_ms(L, "copy_ms", copied ? m->copied_us - m->begun_us : 0);
}

static void set_outcome(lua_State *L, const struct move_info *m)
{
    api_set_truth(L, "compared", m->compared);
    api_set_truth(L, "alike", m->alike);
    api_set_number(L, "differing", m->differing);
    api_set_truth(L, "reverse", m->reverse);
    api_set_truth(L, "ended", m->ended);
    api_set_number(L, "number", m->number);
    api_set_number(L, "epoch", m->epoch);
    set_clock(L, "begun_at", m->begun_us);
    set_clock(L, "copied_at", m->copied_us);
    set_clock(L, "fenced_at", m->fenced_us);
    set_clock(L, "committed_at", m->committed_us);
}

static int read_move_of(lua_State *L)
{
    static const struct move_info never = {.begun_us = MOVE_NEVER,
                                           .copied_us = MOVE_NEVER,
                                           .fenced_us = MOVE_NEVER,
                                           .committed_us = MOVE_NEVER};
    struct world *w = api_world(L, 1, NULL);
    uint32_t slot = api_slot(L, 2, w);
    struct move_info m = never;
    bool known = moves_info_of(w, slot, &m);
    sandbox_charge(L, 2 * (int64_t)world_keys(w));
    lua_createtable(L, 0, 32);
    api_set_text(L, "phase", known ? move_phase(&m) : "none");
    set_shard(L, "source", known, m.source);
    set_shard(L, "target", known, m.target);
    set_progress(L, w, &m);
    set_outcome(L, &m);
    set_promise(L, w, slot);
    return 1;
}

/* --- w:shift_of, w:versions --- */

/* A key's name, "" for none. */
static void set_key(lua_State *L, const char *name, const struct world *w, bool known, uint32_t key)
{
    struct bytes text = {.at = "", .length = 0};
    if (known && key != KEY_NONE_ID) {
        text = world_key(w, key);
    }
    lua_pushlstring(L, text.at, text.length);
    lua_setfield(L, -2, name);
}

static int read_shift_of(lua_State *L)
{
    static const char *const kinds[] = {
        [SHIFT_NONE] = "none", [SHIFT_ASK] = "ask", [SHIFT_DUAL] = "dual"};
    struct world *w = api_world(L, 1, NULL);
    uint32_t slot = api_slot(L, 2, w);
    struct shift_info s;
    bool known = find_shift(w, slot, &s);
    sandbox_charge(L, 4 * (int64_t)world_keys(w));
    lua_createtable(L, 0, 20);
    api_set_text(L, "kind", kinds[s.kind]);
    api_set_text(L, "phase", shift_phase(&s));
    set_shard(L, "source", known, s.source);
    set_shard(L, "target", known, s.target);
    api_set_number(L, "here", s.here);
    api_set_number(L, "there", s.there);
    api_set_number(L, "differ", s.differ);
    api_set_number(L, "doubled", (int64_t)s.doubled);
    api_set_number(L, "failed", (int64_t)s.failed);
    api_set_number(L, "repaired", (int64_t)s.repaired);
    api_set_truth(L, "filled", s.filled);
    api_set_truth(L, "working", s.working);
    api_set_truth(L, "parallel", s.parallel);
    set_key(L, "handing", w, known, s.handing);
    set_key(L, "too_large", w, known, s.too_large);
    set_promise(L, w, slot);
    return 1;
}

static int read_versions(lua_State *L)
{
    struct world *w = api_world(L, 1, NULL);
    uint32_t key = api_find_key(L, 2, w);
    lua_createtable(L, 0, (int)world_shards(w));
    for (uint32_t shard = 0; shard < world_shards(w); shard++) {
        char name[16];
        snprintf(name, sizeof name, "S%u", (unsigned)shard);
        api_set_number(L, name,
                       key == KEY_NONE_ID ? 0 : world_key_version(w, (uint16_t)shard, key));
    }
    return 1;
}

/* The first promise of the cluster that does not hold, as a sentence; "": all do. */
static int read_broken(lua_State *L)
{
    struct world *w = api_world(L, 1, NULL);
    struct err broken = {""};
    sandbox_charge(L, (int64_t)world_config_of(w)->slots + 4 * (int64_t)world_keys(w));
    invariant_hold(w, &broken);
    lua_pushstring(L, broken.text);
    return 1;
}

const luaL_Reg *api_moves(void)
{
    static const luaL_Reg functions[] = {{"move_of", read_move_of},
                                         {"shift_of", read_shift_of},
                                         {"versions", read_versions},
                                         {"broken", read_broken},
                                         {NULL, NULL}};
    return functions;
}
