/*
 * play: command by command.
 */
#include "story/play.h"

#include "base/check.h"
#include "story/story.h"
#include <stddef.h>

#define SLICE_EVENTS 50000 /* of the engine, between two questions of a watch: some 20 ms */

bool story_play_start(struct story_play *play, uint64_t seed, struct err *err)
{
    play->world = story_world(seed, true, err);
    play->next = story_commands();
    return play->world != NULL;
}

void story_play_end(struct story_play *play)
{
    world_free(play->world);
    play->world = NULL;
}

static bool apply_next(struct story_play *play, struct err *err)
{
    const struct story_command *c = play->next++;
    struct command command;
    struct err why;
    if (!command_parse(c->text, &command, &why) || !world_apply(play->world, &command, &why)) {
        return err_set(err, "the story's command \"%s\" at %s failed: %s", c->text, c->at,
                       why.text);
    }
    return true;
}

bool story_run_watched(struct world *w, int64_t us, const struct story_watch *watch)
{
    if (watch == NULL) {
        world_run_until(w, us);
        return true;
    }
    bool there = false;
    while (!there) {
        uint64_t before = world_events(w);
        there = world_run_some(w, us, SLICE_EVENTS) || world_stopped(w, NULL);
        if (!watch->go_on(watch->of, world_now(w), world_events(w) - before)) {
            return false;
        }
    }
    return true;
}

bool story_play_until(struct story_play *play, int64_t us, struct err *err)
{
    return story_play_watched(play, us, NULL, err);
}

bool story_play_watched(struct story_play *play, int64_t us, const struct story_watch *watch,
                        struct err *err)
{
    for (;;) {
        int64_t due = 0;
        bool more = play->next->at != NULL;
        CHECK(!more || num_parse_clock(play->next->at, &due, NULL));
        if (!more || due > us) {
            break;
        }
        if (!story_run_watched(play->world, due, watch) || world_stopped(play->world, err) ||
            !apply_next(play, err)) {
            return false;
        }
    }
    return story_run_watched(play->world, us, watch) && !world_stopped(play->world, err);
}
