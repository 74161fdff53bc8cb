/*
 * term_signal: signals as flags, and the rescue of the terminal when the program dies.
 *
 * The one part of the program, with the open terminal itself, that has global state: a handler can
 * reach nothing else. Handlers use async-signal-safe calls only.
 *
 * Signals that ask to leave (INT, TERM, HUP, QUIT) and to stop (TSTP) set flags. When three
 * requests to leave came and nobody looked, the program hangs: the third one rescues the terminal
 * and ends it. What was ignored when the program started (nohup) stays ignored.
 */
#ifndef HOTSHARD_TERM_SIGNAL_H
#define HOTSHARD_TERM_SIGNAL_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <termios.h>

#define TERM_RESCUE_MAX 512

void term_signals_install(void);
void term_signals_remove(void); /* back to what there was before */
/* The first signal that asked to leave, 0 for none. Stays until the next install. */
int term_signal_leave(void);
bool term_signal_stop(void);    /* takes the flag */
bool term_signal_flagged(void); /* either; takes nothing */
/* The signals that must not slip in between looking at the flags and waiting; blocks them and gives
 * the mask to wait with. */
void term_signals_hold(sigset_t *waiting);
void term_signals_let_go(const sigset_t *waiting);
/* Stops the whole job, as the terminal does on Ctrl-Z; returns when it was continued. */
void term_signal_stop_job(void);

/* From arm to disarm, death by a signal or by exit() writes `text` to standard output, sets the
 * terminal to `saved`, and shows what standard error held back. */
void term_rescue_arm(const struct termios *saved, const char *text, size_t length);
void term_rescue_disarm(void);

/* Standard error goes to an unnamed temporary file, if it is a terminal; and back, its text shown.
 * Without room for such a file it stays as it is. */
void term_stderr_hold(void);
void term_stderr_release(void);

#endif
