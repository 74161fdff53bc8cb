/*
 * progress: what a learner did, as an append-only log of text lines; the state is a fold over it.
 *
 * One line an event, written with one synced append as it happens (file_append):
 *
 *   1 2026-11-30T20:00:00Z KIND PLACE STEP ITEM RESULT DETAIL CRC
 *
 * 1         the format's version; a line of a higher version is a newer program's: the log is left
 *           untouched and progress_load says so.
 * KIND      step (reached), answer, goal, done (a lesson's last step left forwards), drill
 * PLACE     lesson or drill id; STEP its step id; ITEM the question's id; '-' where none
 * RESULT    right, wrong, skipped, met; '-' where none
 * DETAIL    the answer as given, %XX-escaped, '-' if empty; at most 200 bytes
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

/* One line without newline (with its checksum); and checking one. */
bool progress_line(const struct progress_event *event, int64_t now, struct str *out,
                   struct err *err);
bool progress_line_good(const char *line, size_t length);

#endif
