/*
 * story_print: the story's events, reports and moments as text and as JSON lines.
 */
#ifndef HOTSHARD_APP_STORY_PRINT_H
#define HOTSHARD_APP_STORY_PRINT_H

#include "story/scenes.h"

/* What the tables of the reports mean, for people. */
void story_print_legend(void);
/* The table of all events. */
void story_print_table(bool json);
/* One event, and its reports under it. `moment`: NULL, or the name of the moment that it is. */
void story_print_event(const struct story_event *event, const char *moment,
                       const struct scene_report *report, size_t reports, bool json);

#endif
