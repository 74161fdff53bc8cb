/*
 * notes: which events of a lesson the progress log keeps, for the screens and for lines alike.
 */
#ifndef HOTSHARD_APP_NOTES_H
#define HOTSHARD_APP_NOTES_H

#include "lesson/page.h"
#include "study/progress.h"

enum note {
    NOTE_STEP,     /* this step was reached */
    NOTE_QUESTION, /* its question was answered or skipped, and judged */
    NOTE_GOAL,     /* its task was met or skipped */
    NOTE_DONE      /* the last step was left forwards */
};

/* `progress` NULL keeps nothing, successfully. */
bool notes_add(struct progress *progress, enum note note, const struct page *page, int64_t now,
               struct err *err);
/* What the learner did in a step: a command in words, "undo" or "redo". Not of drills: those are
 * never taken up again. */
bool notes_add_act(struct progress *progress, const char *act, const struct page *page, int64_t now,
                   struct err *err);

/* The time that the learner let pass before what is kept next, as an act (player_waited). */
struct player;
bool notes_add_wait(struct progress *progress, struct player *player, int64_t now, struct err *err);

/* "3 torn or altered lines of FILE were skipped": what they told is not known. */
void notes_say_skipped(const struct progress *progress, struct str *out);

#endif
