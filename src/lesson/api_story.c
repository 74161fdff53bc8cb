/*
 * api_story: the story for scripts: w:event(7) plays on to an event of its main line, with the
 * story's own commands at their times.
 */
#include "base/num.h"
#include "lesson/api.h"
#include "story/events.h"
#include "story/story.h"
#include <string.h>

#define STORY_EVENTS_MAX UINT64_C(64000000) /* of the engine, in one call */

static const struct story_event *event_arg(lua_State *L)
{
    struct err err = {""};
    const struct story_event *event = story_event_find(luaL_checkstring(L, 2), &err);
    if (event == NULL) {
        sandbox_raise(L, "w:event: %s", err.text);
    }
    if (event->copy) {
        sandbox_raise(L, "w:event: event %s is tried on a copy: play to %s and try it on a fork",
                      event->id, event->at);
    }
    return event;
}

static void play_to(lua_State *L, struct world *w, int64_t until)
{
    struct err err = {""};
    struct player *p = player_of(L);
    uint64_t before = world_events(w), left = STORY_EVENTS_MAX - p->call_story;
    uint64_t most = pass_left(p) < left ? pass_left(p) : left;
    int64_t since = sandbox_clock();
    bool there = world_run_some(w, until, most);
    sandbox_forgive(L, since);
    p->pass_events += world_events(w) - before;
    p->call_story += world_events(w) - before;
    if (world_stopped(w, &err)) {
        sandbox_raise(L, "%s", err.text);
    }
    if (!there) {
        sandbox_raise(L, "w:event: more happens until then than may be played at once");
    }
}

/* Whether a command at `at` is still to come in a world that is at `from`: of that very moment
 * those of the event asked for are, and at the story's start all. */
static bool comes(const struct story_command *c, int64_t at, int64_t from,
                  const struct story_event *event, bool begins)
{
    return at > from || (at == from && (begins || strcmp(c->event, event->id) == 0));
}

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
    int64_t until = story_event_time(event), from = world_now(w), at = 0;
    bool begins = from == STORY_START_US && world_events(w) == 0;
    if (until < world_now(w)) {
        sandbox_raise(L, "w:event: event %s was at %s, and it is %s here", event->id, event->at,
                      num_clock(world_now(w)).text);
    }
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
    return 0;
}
