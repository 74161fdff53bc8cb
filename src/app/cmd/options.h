/*
 * options: what every command understands, after parsing.
 *
 * Precedence of a setting: the command line, then the environment (HOTSHARD_*, NO_COLOR,
 * SOURCE_DATE_EPOCH), then the default. Borrowed texts live as long as argv and the environment.
 */
#ifndef HOTSHARD_APP_OPTIONS_H
#define HOTSHARD_APP_OPTIONS_H

#include "base/err.h"
#include "term/term.h"
#include <stdbool.h>
#include <stdint.h>

struct options {
    enum color_wish color;
    bool plain;     /* lines of text instead of a full screen */
    bool no_input;  /* never prompt */
    bool ascii;     /* draw ASCII only */
    bool no_motion; /* state changes jump */
    bool json;
    bool seed_given;
    uint64_t seed;
    bool now_given;
    int64_t now;         /* seconds since 1970, UTC, when now_given */
    const char *script;  /* keys and saved screens; NULL: none */
    const char *journal; /* where the run's journal goes at the end; NULL: nowhere */
    bool size_given;
    int columns, rows; /* of the screen in memory that a script drives */
};

struct options options_default(void); /* the environment is read here */

/* "2026-11-30", "2026-11-30T20:00:00Z" or whole seconds since 1970. */
bool options_parse_time(const char *text, int64_t *seconds, struct err *err);
/* "100x30". */
bool options_parse_size(const char *text, int *columns, int *rows, struct err *err);
bool options_parse_color(const char *text, enum color_wish *color, struct err *err);

/* The date for the progress log: as given, or the clock's. */
int64_t options_now(const struct options *options);
/* Nanoseconds of a clock that never goes back: for frames and for measured times. */
int64_t clock_ns(void);

#endif
