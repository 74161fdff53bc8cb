/*
 * Time for scripts: w:play_for, w:play_until, w:play_answered, w:play_until_phase. In a run the
 * script waits (it yields) while the player moves the world; in enter and on forks it happens at
 * once.
 */
#include "base/check.h"
#include "base/num.h"
#include "lesson/api.h"
#include <math.h>

#define PHASE_SECONDS 60 /* that play_until_phase waits, if nothing else is said */
#define WAIT_UNITS 10000 /* the player takes a snapshot at each wait */

/* What a call may still play at once. */
static uint64_t call_left(const struct player *p)
{
    uint64_t call = EVENTS_MAX - p->call_events;
    return call < pass_left(p) ? call : pass_left(p);
}

static void count_events(lua_State *L, struct player *p, uint64_t events)
{
    p->call_events += events;
    p->pass_events += events;
    if (pass_left(p) == 0) {
        sandbox_raise(L, "too much traffic: a check plays, all steps together, at most %s events",
                      num_grouped((int64_t)p->pass_max).text);
    }
    if (call_left(p) == 0) {
        sandbox_raise(L, "too much traffic to play at once: at most %llu events a call",
                      (unsigned long long)EVENTS_MAX);
    }
}

/* True when it is there; one event at a time, which is what a phase begins with. */
static bool play_some_to_phase(lua_State *L, struct world *w, const struct wait *wait, int64_t time,
                               uint64_t most)
{
    bool over = false;
    for (uint64_t i = 0; i < most && !over; i++) {
        enum reached reached = api_phase_reached(w, wait->slot, wait->phase);
        if (reached == REACHED_NEVER) {
            sandbox_raise(L, "w:play_until_phase: slot %d cannot come to the phase '%s'",
                          (int)wait->slot, wait->phase);
        }
        if (reached == REACHED) {
            return true;
        }
        over = world_run_some(w, time, 1);
    }
    return api_phase_reached(w, wait->slot, wait->phase) == REACHED;
}

/* In slices, so that a limit is noticed soon. */
static void play_now(lua_State *L, struct world *w, struct wait wait)
{
    struct player *p = player_of(L);
    struct err err = {""};
    int64_t since = sandbox_clock();
    bool over = false;
    while (!over) {
        uint64_t before = world_events(w);
        int64_t slice = wait.until - world_now(w);
        slice = slice < US_PER_SECOND / 10 ? slice : US_PER_SECOND / 10;
        int64_t time = world_now(w) + slice;
        if (wait.kind == WAIT_ANSWERED) {
            over = world_run_some_answered(w, time, call_left(p)) && world_all_answered(w);
        } else if (wait.kind == WAIT_PHASE) {
            over = play_some_to_phase(L, w, &wait, time, call_left(p));
        } else {
            world_run_some(w, time, call_left(p));
        }
        count_events(L, p, world_events(w) - before);
        if (world_stopped(w, &err)) {
            sandbox_raise(L, "%s", err.text);
        }
        if (wait.kind == WAIT_PHASE && !over && world_now(w) >= wait.until) {
            sandbox_raise(L, "w:play_until_phase: slot %d is not by then in the phase '%s'",
                          (int)wait.slot, wait.phase);
        }
        over = over || world_now(w) >= wait.until;
        sandbox_charge(L, 1);
    }
    sandbox_forgive(L, since);
}

static int play(lua_State *L, const struct world_handle *h, const char *name, struct wait wait)
{
    struct player *p = player_of(L);
    struct world *w = api_handle_world(L, h);
    int64_t span = wait.until - world_now(w);
    if (span < 0 || span > PLAY_MAX_US) {
        sandbox_raise(L, "w:%s goes 0 to %d seconds on; this would be %s%s", name,
                      (int)(PLAY_MAX_US / US_PER_SECOND),
                      span < 0 ? "back in time from " : "until ",
                      num_clock(span < 0 ? world_now(w) : wait.until).text);
    }
    if (h->slot != 0 || p->phase != PHASE_RUN) {
        play_now(L, w, wait);
        return 0;
    }
    if (!lua_isyieldable(L)) {
        sandbox_raise(L, "w:%s cannot wait inside a function that another one calls back", name);
    }
    p->run_played += wait.kind == WAIT_TIME ? span : 0;
    if (p->run_played > PLAY_MAX_US) {
        sandbox_raise(L, "one run plays at most %d seconds", (int)(PLAY_MAX_US / US_PER_SECOND));
    }
    sandbox_charge(L, WAIT_UNITS);
    p->wait = wait;
    CHECK(sandbox_where(L, p->wait.at, sizeof p->wait.at)); /* a run has a place */
    return lua_yield(L, 0);
}

static struct world_handle *time_arg(lua_State *L, const char *name)
{
    struct world_handle *h = api_check_world(L, 1);
    api_handle_world(L, h);
    api_may_change(L, h, name);
    return h;
}

int api_play_for(lua_State *L)
{
    struct world_handle *h = time_arg(L, "play_for");
    double seconds = luaL_checknumber(L, 2);
    if (!(seconds >= 0) || seconds > (double)(PLAY_MAX_US / US_PER_SECOND)) {
        sandbox_raise(L, "w:play_for takes 0 to %d seconds", (int)(PLAY_MAX_US / US_PER_SECOND));
    }
    int64_t span = (int64_t)floor(seconds * 1e6 + 0.5);
    struct wait wait = {.kind = WAIT_TIME, .until = world_now(api_handle_world(L, h)) + span};
    return play(L, h, "play_for", wait);
}

int api_play_until(lua_State *L)
{
    struct world_handle *h = time_arg(L, "play_until");
    struct err err = {""};
    struct wait wait = {.kind = WAIT_TIME};
    if (!num_parse_clock(luaL_checkstring(L, 2), &wait.until, &err)) {
        sandbox_raise(L, "w:play_until: %s", err.text);
    }
    return play(L, h, "play_until", wait);
}

int api_play_answered(lua_State *L)
{
    struct world_handle *h = time_arg(L, "play_answered");
    struct wait wait = {.kind = WAIT_ANSWERED,
                        .until = world_now(api_handle_world(L, h)) + ANSWER_MAX_US};
    return play(L, h, "play_answered", wait);
}

int api_play_until_phase(lua_State *L)
{
    struct world_handle *h = time_arg(L, "play_until_phase");
    struct world *w = api_handle_world(L, h);
    struct wait wait = {.kind = WAIT_PHASE, .slot = api_slot(L, 2, w), .phase = api_phase(L, 3)};
    double seconds = luaL_optnumber(L, 4, PHASE_SECONDS);
    if (!(seconds >= 0) || seconds > (double)(PLAY_MAX_US / US_PER_SECOND)) {
        sandbox_raise(L, "w:play_until_phase waits 0 to %d seconds",
                      (int)(PLAY_MAX_US / US_PER_SECOND));
    }
    wait.until = world_now(w) + (int64_t)floor(seconds * 1e6 + 0.5);
    return play(L, h, "play_until_phase", wait);
}
