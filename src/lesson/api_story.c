/*
 * api_story: the story for scripts. w:event(7) plays on to an event of its main line, with the
 * story's own commands at their times; f:event("7a") on a fork gives the world that the event's
 * copy comes to; story_events() tells all of them.
 *
 * On forks of the story as it begins the main line is played once and kept at every time that was
 * asked for: what is opened later begins at the nearest of them. Who waits for a row that is opened
 * (player_set_patience) is asked in between whether it goes on.
 */
#include "base/alloc.h"
#include "base/check.h"
#include "base/num.h"
#include "lesson/api.h"
#include "story/scenes.h"
#include "story/story.h"
#include <stdlib.h>
#include <string.h>

#define STORY_EVENTS_MAX UINT64_C(64000000) /* of the engine, in one call */
#define PLAYS_MAX 24                        /* times at which the main line is kept */
#define EVENT_UNITS 100

struct story_plays {
    struct digest root; /* of the world that all of them began as */
    size_t count;
    struct {
        int64_t us;
        struct story_play play;
    } kept[PLAYS_MAX]; /* by time */
};

void story_plays_free(struct story_plays *plays)
{
    for (size_t i = 0; plays != NULL && i < plays->count; i++) {
        story_play_end(&plays->kept[i].play);
    }
    free(plays);
}

/* --- who waits --- */

struct waiting {
    struct player *player;
    bool too_much, given_up;
};

/* A story_watch: counts what is played, and asks. */
static bool go_on(void *of, int64_t now_us, uint64_t events)
{
    struct waiting *wait = of;
    struct player *p = wait->player;
    p->pass_events += p->opening ? 0 : events;
    p->call_story += events;
    wait->too_much = (!p->opening && pass_left(p) == 0) || p->call_story >= STORY_EVENTS_MAX;
    wait->given_up =
        p->opening && p->patience.go_on != NULL && !p->patience.go_on(p->patience.of, now_us);
    return !wait->too_much && !wait->given_up;
}

_Noreturn static void raise_ended(lua_State *L, const struct waiting *wait, const struct err *err)
{
    if (wait->given_up) {
        sandbox_raise(L, "w:event: given up");
    }
    if (wait->too_much) {
        sandbox_raise(L, "w:event: more happens until then than may be played at once");
    }
    sandbox_raise(L, "%s", err->text);
}

/* --- one event --- */

static const struct story_event *event_arg(lua_State *L)
{
    struct err err = {""};
    const struct story_event *event = story_event_find(luaL_checkstring(L, 2), &err);
    if (event == NULL) {
        sandbox_raise(L, "w:event: %s", err.text);
    }
    return event;
}

static void play_to(lua_State *L, struct world *w, int64_t until)
{
    struct err err = {""};
    struct waiting wait = {player_of(L), false, false};
    const struct story_watch watch = {go_on, &wait};
    int64_t since = sandbox_clock();
    bool there = story_run_watched(w, until, &watch);
    sandbox_forgive(L, since);
    if (!there || world_stopped(w, &err)) {
        raise_ended(L, &wait, &err);
    }
}

/* Whether a command at `at` is still to come in a world that is at `from`: of that very moment
 * those of the event asked for are, and at the story's start all. */
static bool comes(const struct story_command *c, int64_t at, int64_t from,
                  const struct story_event *event, bool begins)
{
    return at > from || (at == from && (begins || strcmp(c->event, event->id) == 0));
}

static bool begins_here(const struct world *w)
{
    return world_now(w) == STORY_START_US && world_events(w) == 0;
}

/* On from where the world is, each command journaled. */
static void play_on(lua_State *L, const struct world_handle *h, const struct story_event *event)
{
    struct world *w = api_handle_world(L, h);
    int64_t until = story_event_time(event), from = world_now(w), at = 0;
    bool begins = begins_here(w);
    for (const struct story_command *c = story_commands(); c->at != NULL; c++) {
        struct command command;
        struct err err = {""};
        if (!num_parse_clock(c->at, &at, &err) || !command_parse(c->text, &command, &err)) {
            sandbox_raise(L, "w:event: %s", err.text);
        }
        if (at > until || !comes(c, at, from, event, begins)) {
            continue;
        }
        if (at > world_now(w)) {
            play_to(L, w, at);
        }
        api_apply(L, h, &command);
    }
    play_to(L, w, until);
}

/* --- from the kept main line, on forks --- */

static struct story_plays *plays_of(struct player *p, const struct world *root)
{
    struct digest of = world_digest(root);
    if (p->plays != NULL && !digest_equal(p->plays->root, of)) {
        story_plays_free(p->plays);
        p->plays = NULL;
    }
    if (p->plays == NULL) {
        p->plays = xcalloc(1, sizeof *p->plays);
        p->plays->root = of;
        p->plays->count = 1;
        p->plays->kept[0].us = INT64_MIN; /* nothing was done yet */
        p->plays->kept[0].play = (struct story_play){world_copy(root), story_commands()};
    }
    return p->plays;
}

/* The latest of the kept ones that is not behind `us`. */
static size_t nearest(const struct story_plays *plays, int64_t us)
{
    size_t at = 0;
    while (at + 1 < plays->count && plays->kept[at + 1].us <= us) {
        at++;
    }
    return at;
}

static void keep(struct story_plays *plays, size_t behind, int64_t us,
                 const struct story_play *play)
{
    if (plays->kept[behind].us == us || plays->count == PLAYS_MAX) {
        return;
    }
    size_t at = behind + 1;
    memmove(&plays->kept[at + 1], &plays->kept[at], (plays->count - at) * sizeof plays->kept[0]);
    plays->kept[at].us = us;
    plays->kept[at].play = (struct story_play){world_copy(play->world), play->next};
    plays->count++;
}

/* The world of an event, a new one; raises when it cannot be had. */
static struct world *world_of_event(lua_State *L, const struct world *root,
                                    const struct story_event *event)
{
    struct err err = {""};
    struct player *p = player_of(L);
    struct waiting wait = {p, false, false};
    const struct story_watch watch = {go_on, &wait};
    struct story_plays *plays = plays_of(p, root);
    int64_t us = story_event_time(event);
    size_t from = nearest(plays, us);
    struct story_play play = plays->kept[from].play;
    play.world = world_copy(play.world);
    int64_t since = sandbox_clock();
    struct world *found = NULL;
    if (story_play_watched(&play, us, &watch, &err)) {
        keep(plays, from, us, &play);
        found = scene_world(&play, event, p->seed, &watch, &err);
    }
    story_play_end(&play);
    sandbox_forgive(L, since);
    if (found == NULL) {
        raise_ended(L, &wait, &err);
    }
    return found;
}

/* w:event(id) */
int api_event(lua_State *L)
{
    struct world_handle *h = api_check_world(L, 1);
    struct player *p = player_of(L);
    struct world *w = api_handle_world(L, h);
    api_may_change(L, h, "event");
    if (p->world_name == NULL || strcmp(p->world_name, "story") != 0) {
        sandbox_raise(L, "w:event: only the world \"story\" has events");
    }
    const struct story_event *event = event_arg(L);
    if (story_event_time(event) < world_now(w)) {
        sandbox_raise(L, "w:event: event %s was at %s, and it is %s here", event->id, event->at,
                      num_clock(world_now(w)).text);
    }
    if (event->copy && (h->slot == 0 || !begins_here(w))) {
        sandbox_raise(L,
                      "w:event: event %s is tried on a copy: only a fork of the story's beginning "
                      "can go there, or play to %s and try it on a fork",
                      event->id, event->at);
    }
    if (h->slot == 0 || !begins_here(w)) {
        play_on(L, h, event);
        return 0;
    }
    struct world *there = world_of_event(L, w, event);
    world_free(p->world[h->slot]);
    p->world[h->slot] = there;
    p->changes++;
    return 0;
}

/* --- all of them --- */

/* story_events(): a list of { id, at, what, look, copy } */
static int all_events(lua_State *L)
{
    lua_newtable(L);
    for (const struct story_event *e = story_events(); e->id != NULL; e++) {
        sandbox_charge(L, EVENT_UNITS);
        lua_createtable(L, 0, 5);
        api_set_text(L, "id", e->id);
        api_set_text(L, "at", e->at);
        api_set_text(L, "what", e->what);
        if (e->moment != NULL) {
            api_set_text(L, "look", e->moment);
        }
        api_set_truth(L, "copy", e->copy);
        lua_rawseti(L, -2, e - story_events() + 1);
    }
    return 1;
}

void api_story_open(lua_State *L)
{
    sandbox_add(L, "story_events", all_events);
}
