/*
 * watch: see watch.h.
 */
#include "app/watch.h"
#include "app/cmd/options.h"
#include "base/num.h"
#include <stdio.h>
#include <unistd.h>

#define UNITS_BETWEEN_LOOKS 8192
#define NS_BETWEEN_LINES INT64_C(100000000)
#define PROGRESS_COLUMNS 60

struct watch watch_start(const char *what, const char *units)
{
    return (struct watch){
        .what = what, .units = units, .watched = isatty(STDERR_FILENO) == 1, .last = clock_ns()};
}

void watch_look(struct watch *w, size_t count, int64_t part, int64_t whole)
{
    if (!w->watched || count % UNITS_BETWEEN_LOOKS != 0 ||
        clock_ns() - w->last <= NS_BETWEEN_LINES) {
        return;
    }
    char line[PROGRESS_COLUMNS * 2];
    if (whole > 0) {
        snprintf(line, sizeof line, "%s: %s%%, %s %s", w->what, num_ratio(part, whole, 0).text,
                 num_grouped((int64_t)count).text, w->units);
    } else {
        snprintf(line, sizeof line, "%s: %s %s", w->what, num_grouped((int64_t)count).text,
                 w->units);
    }
    fprintf(stderr, "\r%-*s", PROGRESS_COLUMNS, line);
    fflush(stderr);
    w->shown = true;
    w->last = clock_ns();
}

void watch_end(const struct watch *w)
{
    if (w->shown) {
        fprintf(stderr, "\r%*s\r", PROGRESS_COLUMNS, "");
    }
}
