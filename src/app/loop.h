/*
 * loop: the full screen on a terminal, and in memory under a script.
 *
 * Idle means blocked in term_read: nothing is drawn, nothing is written. While something plays,
 * frames come at most 30 times a second. Keys that wait are all handled before the next drawing, so
 * a held key or a flood of resizes leaves no backlog.
 */
#ifndef HOTSHARD_APP_LOOP_H
#define HOTSHARD_APP_LOOP_H

#include "app/ui.h"

#define FRAME_US INT64_C(33333)

/* Until the learner leaves; the exit status. A signal that asked to leave is in ui->end_signal. */
int loop_run(struct ui *ui);

/*
 * A script drives a ui on a null terminal: one instruction a line, '#' starts a comment.
 *   key NAME...        presses keys: space, enter, ctrl-l, page-down, x
 *   type TEXT          the characters of the rest of the line
 *   resize 80x24
 *   frame N            N frames pass (one without a number)
 *   wait               until nothing plays any more
 *   save FILE          the screen as text;  save-dump FILE  with its styles
 *   expect TEXT        the screen must hold it, else the run fails;  reject TEXT  must not
 * CLI_YES, CLI_NO when an expectation failed, CLI_CANNOT with err when the script is at fault.
 */
int script_run(struct ui *ui, const char *path, struct err *err);

#endif
