/*
 * events: what happens in the story, when, in whose words; and the commands that make it happen.
 *
 * The main line is one run from 20:00:00 to 20:20:00. The other events are tried on copies of it: a
 * copy is taken from the main line at a time, and what happens there leaves the main line untouched
 * (scenes.h plays them). Ids are those of docs/story.md.
 */
#ifndef HOTSHARD_STORY_EVENTS_H
#define HOTSHARD_STORY_EVENTS_H

#include "base/err.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct story_event {
    const char *id;     /* "4", "7a" */
    const char *at;     /* "20:02:00": when it happens, or when its copy is taken */
    const char *what;   /* one line of prose */
    const char *moment; /* what to look at, with the figures; NULL: nothing special */
    bool copy;
};

/* All events, in the order of the table; ends with an id of NULL. */
const struct story_event *story_events(void);
/* NULL, with the reason, when there is none. */
const struct story_event *story_event_find(const char *id, struct err *err);
int64_t story_event_time(const struct story_event *event);

/* A command of the main line; the text form of engine/command.h. Ends with an `at` of NULL. */
struct story_command {
    const char *at;
    const char *event; /* whose doing it is */
    const char *text;
};

const struct story_command *story_commands(void);

/* M1 to M6: when each is, and what is special to it. */
struct story_moment {
    const char *name; /* "M3"; NULL ends the list */
    const char *at;
    const char *event; /* whose moment it is */
    const char *what;
    bool copy; /* of the copy that event's scene plays */
};

const struct story_moment *story_moments(void);

#define STORY_END_US (INT64_C(20) * 3600000000 + INT64_C(1200) * 1000000)

#endif
