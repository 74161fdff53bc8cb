/*
 * progress: what a learner did, as an append-only log of text lines; the state is a fold over it.
 *
 * One line an event, written with one synced append as it happens (file_append):
 *
 *   1 2026-11-30T20:00:00Z KIND PLACE STEP ITEM RESULT DETAIL CRC
 *
 * 1         the format's version; a line of a higher version is a newer program's: the log is left
 *           untouched and progress_load says so.
 * KIND      step (reached), answer, act (the learner's own, on the cluster), goal, done (a lesson's
 *           last step left forwards), drill
 * PLACE     lesson or drill id; STEP its step id; ITEM the question's id; '-' where none
 * RESULT    right, wrong, skipped, met, self (an explanation, marked by the learner: neither right
 *           nor wrong); '-' where none
 * DETAIL    the answer as given (of an explanation the points marked, then what was typed:
 *           "1 3:..."), or what was done: a command in words, "undo" or "redo"; %XX-escaped, '-' if
 *           empty; at most PROGRESS_DETAIL_MAX bytes before escaping: of a longer answer the start,
 *           cut between characters, of a longer act nothing ('-')
 * CRC       crc32 of everything before the last blank, 8 hex digits
 *
 * Ids are [a-z0-9_-]+ and never change, so that editing a text loses nobody's history. A torn or
 * altered line is skipped and counted. Two logs merge as the union of their lines.
 */
#ifndef HOTSHARD_STUDY_PROGRESS_H
#define HOTSHARD_STUDY_PROGRESS_H

#include "base/err.h"
#include "base/str.h"
#include <stdint.h>

#define PROGRESS_DETAIL_MAX 1024

struct progress_event {
    const char *kind, *place, *step, *item, *result, *detail; /* NULL or "" counts as none */
};

struct progress;

/* `path` NULL: the state folder's "progress". A missing or empty file is a new learner. */
struct progress *progress_load(const char *path, struct err *err);
void progress_free(struct progress *p);
const char *progress_path(const struct progress *p);
size_t progress_skipped_lines(const struct progress *p); /* torn or altered */

/* Appends and folds. `now` is seconds since 1970 (UTC). On an error the session may go on: the
 * event is folded all the same, only not kept. */
bool progress_add(struct progress *p, const struct progress_event *event, int64_t now,
                  struct err *err);

/* The fold. Borrowed texts live until the next add. */
const char *progress_last_step(const struct progress *p, const char *place); /* NULL if never */
const char *progress_last_place(const struct progress *p); /* lesson of the last step event */
bool progress_done(const struct progress *p, const char *place);
/* Of one item: how often answered, and how often right. */
void progress_item(const struct progress *p, const char *item, uint32_t *answered, uint32_t *right);

/* What was done in a step, so that a lesson can be taken up where it was left. The answer is the
 * last one ever given there. The acts are those since the step was entered last, in order: commands
 * in words, "undo", "redo", "until MICROSECONDS" (time was let pass), and of tasks "skip" (it was
 * shown) and "met"; "" for an act that is not known. A step event of the step in which the place is
 * already does not enter it again: it is the lesson being opened anew. */
struct progress_step {
    uint64_t entered; /* the higher, the later; 0: the log has no step event of it */
    const char *item;
    bool skipped;
    const char *answer; /* NULL: none was given, or the question was skipped */
    const char *const *act;
    size_t acts, acts_before; /* all; and how many of them came before the answer */
};
/* False when the log knows nothing of the step. */
bool progress_step_of(const struct progress *p, const char *place, const char *step,
                      struct progress_step *out);

/* One line without newline (with its checksum); and checking one. */
bool progress_line(const struct progress_event *event, int64_t now, struct str *out,
                   struct err *err);
bool progress_line_good(const char *line, size_t length);

#endif
