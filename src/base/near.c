/*
 * near: how far two names are from each other, and the nearest of many.
 */
#include "base/near.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define NAME_MAX_BYTES 63

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

size_t near_distance(const char *a, const char *b)
{
    size_t la = strlen(a);
    size_t lb = strlen(b);
    if (la > NAME_MAX_BYTES || lb > NAME_MAX_BYTES) {
        return SIZE_MAX;
    }
    /* Three rows of the table of distances between prefixes: two back, one back, this one. */
    size_t rows[3][NAME_MAX_BYTES + 1];
    for (size_t j = 0; j <= lb; j++) {
        rows[0][j] = j;
        rows[1][j] = j;
    }
    for (size_t i = 1; i <= la; i++) {
        size_t *now = rows[(i + 1) % 3];
        const size_t *before = rows[i % 3];
        const size_t *before2 = rows[(i + 2) % 3];
        now[0] = i;
        for (size_t j = 1; j <= lb; j++) {
            size_t best = before[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            best = least(best, before[j] + 1);
            best = least(best, now[j - 1] + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                best = least(best, before2[j - 2] + 1);
            }
            now[j] = best;
        }
    }
    return rows[(la + 1) % 3][lb];
}

/* The beginning of a longer name is near as well. */
static bool begins(const char *name, const char *longer)
{
    size_t length = strlen(name);
    return length >= 3 && strncmp(name, longer, length) == 0;
}

const char *near_name(const char *name, const char *const *names, size_t count)
{
    const char *nearest = NULL;
    size_t limit = strlen(name) / 3 + 1; /* a third of the letters may be wrong */
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < count; i++) {
        size_t far = near_distance(name, names[i]);
        if (far > limit && begins(name, names[i])) {
            far = limit;
        }
        if (far <= limit && far < best) {
            best = far;
            nearest = names[i];
        }
    }
    return nearest;
}
