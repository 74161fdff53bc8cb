/*
 * watch: a progress line on standard error, while a terminal watches it; wiped at the end.
 */
#ifndef HOTSHARD_APP_WATCH_H
#define HOTSHARD_APP_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct watch {
    const char *what;  /* "reading keys" */
    const char *units; /* "keys" */
    bool watched, shown;
    int64_t last;
};

struct watch watch_start(const char *what, const char *units);
/* `count` units so far, `part` of `whole` bytes; whole not positive: nobody knows how much there
 * is. Cheap enough to be called for each unit. */
void watch_look(struct watch *w, size_t count, int64_t part, int64_t whole);
void watch_end(const struct watch *w);

#endif
