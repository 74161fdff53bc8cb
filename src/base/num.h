/*
 * num: numbers and times as text, integers only, independent of the locale.
 *
 * Simulated time is int64_t microseconds since midnight of the story's day.
 */
#ifndef HOTSHARD_BASE_NUM_H
#define HOTSHARD_BASE_NUM_H

#include "base/err.h"
#include <stdint.h>

#define NUM_TEXT_SIZE 32
#define US_PER_MS INT64_C(1000)
#define US_PER_SECOND INT64_C(1000000)

struct num_text {
    char text[NUM_TEXT_SIZE];
};

struct num_text num_grouped(int64_t value); /* 12,067 */
struct num_text num_ratio(int64_t part, int64_t whole,
                          int decimals); /* "20", "13.3": part/whole*100, half up; whole 0: "-" */
struct num_text num_clock(int64_t us);   /* 20:11:10.476 */
struct num_text num_span(int64_t us);    /* 250 us, 1.5 ms, 13 ms, 2 s */
/* "HH:MM:SS", "HH:MM:SS.mmm" or "HH:MM:SS.uuuuuu"; hours to 47, the day after included. */
bool num_parse_clock(const char *text, int64_t *us, struct err *err);
/* A whole decimal number within [low, high]; `what` names it in the error. */
bool num_parse_u64(const char *text, const char *what, uint64_t low, uint64_t high, uint64_t *out,
                   struct err *err);

#endif
