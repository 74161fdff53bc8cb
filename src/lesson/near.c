/*
 * near: what somebody may have meant.
 */
#include "lesson/inside.h"
#include <string.h>

#define NAME_MAX_COMPARED 48

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Letters to insert, drop or change, row by row. */
static size_t distance(const char *a, const char *b)
{
    size_t row[NAME_MAX_COMPARED + 1];
    size_t la = strlen(a), lb = strlen(b);
    if (la > NAME_MAX_COMPARED || lb > NAME_MAX_COMPARED) {
        return NAME_MAX_COMPARED;
    }
    for (size_t j = 0; j <= lb; j++) {
        row[j] = j;
    }
    for (size_t i = 1; i <= la; i++) {
        size_t corner = row[0];
        row[0] = i;
        for (size_t j = 1; j <= lb; j++) {
            size_t change = corner + (a[i - 1] != b[j - 1]);
            corner = row[j];
            row[j] = least(change, least(row[j], row[j - 1]) + 1);
        }
    }
    return row[lb];
}

const char *near_name(const char *name, const char *const *names, size_t count)
{
    const char *best = NULL;
    size_t limit = strlen(name) / 3 + 1;
    for (size_t i = 0; i < count; i++) {
        size_t d = distance(name, names[i]);
        /* The beginning of a longer name is near as well. */
        if (d > limit && strlen(name) >= 3 && str_starts(names[i], name)) {
            d = limit;
        }
        if (d <= limit && (best == NULL || d < distance(name, best))) {
            best = names[i];
        }
    }
    return best;
}
