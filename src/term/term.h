/*
 * term: the terminal, the only folder that knows curses.
 *
 * One terminal is open at a time; it and its fatal-signal handler are the only mutable global state
 * of the program beside Lua's. While it is open, standard error goes to a temporary file that is
 * shown after the terminal was restored, so a library's warning never tears the screen.
 *
 * Every way out restores the terminal to the byte: term_close, SIGINT/SIGTERM/SIGHUP/SIGQUIT and
 * SIGALRM/SIGUSR1/SIGUSR2 (a flag, reported as TERM_INPUT_END by term_read so that the program can
 * save and leave; the process then ends with that signal's status),
 * SIGSEGV/SIGBUS/SIGFPE/SIGILL/SIGABRT (the handler restores with async-signal-safe calls only,
 * then re-raises), SIGTSTP (restored, stopped, redrawn after SIGCONT). A third request to leave
 * that term_read did not fetch means that the program hangs: it is treated like a crash. ESCDELAY
 * (milliseconds, 25 when unset) is how long Escape waits for the rest of a key's sequence.
 */
#ifndef HOTSHARD_TERM_TERM_H
#define HOTSHARD_TERM_TERM_H

#include "base/err.h"
#include "draw/canvas.h"
#include "draw/keys.h"

enum color_wish {
    COLOR_AUTO,
    COLOR_ALWAYS,
    COLOR_NEVER
};

struct term_options {
    enum color_wish color; /* auto: NO_COLOR and the terminal decide */
    bool ascii;            /* ASCII even in a UTF-8 locale */
    bool mouse;            /* off by default: the terminal's own selection works */
};

enum term_input_kind {
    TERM_INPUT_TIMEOUT,
    TERM_INPUT_KEY,
    TERM_INPUT_RESIZE, /* columns and rows are the new size */
    TERM_INPUT_RESUME, /* back from a suspend, columns and rows as now: redraw everything */
    TERM_INPUT_END     /* a signal asked to leave, or the terminal is gone */
};

struct term_input {
    enum term_input_kind kind;
    uint32_t key;
    int columns, rows; /* with LKEY_MOUSE: the cell that was clicked, from 0 */
    int signal;        /* with TERM_INPUT_END: the signal, 0 for end of input */
};

struct term;

/* Needs standard input and output to be terminals and TERM to be usable; says so otherwise. */
struct term *term_open(const struct term_options *options, struct err *err);
void term_close(struct term *t);
void term_size(const struct term *t, int *columns, int *rows);
enum glyphs term_glyphs(const struct term *t);
int term_colors(const struct term *t); /* 0, 8, 16 or 256, as used */
const char *term_type(const struct term *t);

/* Shows the canvas; only changed cells are sent. `full` redraws all. */
void term_show(struct term *t, const struct canvas *c, bool full);
/* Waits at most timeout_ms (negative: for ever; a signal may cut it short). The only reader of
 * keys. The mouse wheel arrives as LKEY_UP and LKEY_DOWN. Once ended, it goes on saying so. */
struct term_input term_read(struct term *t, int timeout_ms);
/* Stops the process as Ctrl-Z does; returns after it was continued. */
void term_suspend(struct term *t);
void term_bell(struct term *t);

/* Whether a full screen is possible here at all; the reason if not. Touches nothing. */
bool term_possible(struct err *err);

/* A terminal in memory, for tests and --script: fed with keys, showing nothing. What was fed is
 * read without waiting; after it comes TERM_INPUT_END, and time passes only by a TERM_INPUT_TIMEOUT
 * fed. */
struct term *term_null_open(int columns, int rows, enum glyphs glyphs);
void term_null_feed(struct term *t, struct term_input input); /* queued */

#endif
