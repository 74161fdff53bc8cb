/*
 * check_run: time that goes on from a step of a film.
 *
 * The film's worlds stay as they are: a run has a copy, which goes on by single events or by time,
 * and back as far as the film.
 */
#ifndef HOTSHARD_APP_CHECK_RUN_H
#define HOTSHARD_APP_CHECK_RUN_H

#include "app/check/check_screen.h"

void check_run_drop(struct check_run *run); /* back to the film; the speed stays */
/* One event on or back; false when there is none. */
bool check_run_event(struct check_run *run, const struct check_session *s, bool back);
/* That much of our time passes; false when nothing is left to be seen: it stands still then. */
bool check_run_play(struct check_run *run, const struct check_session *s, int64_t wall_us);
void check_run_speed(struct check_run *run, bool faster);
void check_run_say_speed(const struct check_run *run, struct str *out); /* "5 ms/s" */

#endif
