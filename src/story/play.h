/*
 * play: the main line of the story, from 20:00:00 on.
 *
 * A player owns its world. It applies each command of the main line at its time and runs between
 * them. At a time at which commands are due they have been applied; what happens at that instant
 * has not happened yet.
 */
#ifndef HOTSHARD_STORY_PLAY_H
#define HOTSHARD_STORY_PLAY_H

#include "engine/world.h"
#include "story/events.h"

struct story_play {
    struct world *world;
    const struct story_command *next;
};

/* Who waits for a long play is asked now and then whether it goes on: `events` were played since
 * the last time, and it is `now_us` there. */
struct story_watch {
    bool (*go_on)(void *of, int64_t now_us, uint64_t events);
    void *of;
};

/* False with the reason when a world cannot be made. */
bool story_play_start(struct story_play *play, uint64_t seed, struct err *err);
void story_play_end(struct story_play *play);
/* Forward only. False with the reason when a command is refused or the world stops. */
bool story_play_until(struct story_play *play, int64_t us, struct err *err);
/* The same, watched (NULL: by nobody); false without a reason when the watch ended it. */
bool story_play_watched(struct story_play *play, int64_t us, const struct story_watch *watch,
                        struct err *err);
/* world_run_until for a world of which somebody waits; false when the watch ended it. */
bool story_run_watched(struct world *w, int64_t us, const struct story_watch *watch);

#endif
