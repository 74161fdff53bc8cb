/*
 * help: the keys that work here, drawn from the app's key table (which is the authority).
 */
#ifndef HOTSHARD_VIEW_HELP_H
#define HOTSHARD_VIEW_HELP_H

#include "view/view.h"

struct help_row {
    const char *keys;  /* "space, enter" */
    const char *does;  /* "go on" */
    const char *group; /* "Lesson", "Picture", "Everywhere" */
    bool at_end;       /* stands at the right of the key line, as on every screen */
};

struct help_state {
    size_t selected; /* among the rows that match */
    const char *filter;
};

size_t help_matching(const struct help_row *rows, size_t count, const char *filter, size_t *index);
void help_draw(struct canvas *c, const struct help_row *rows, size_t count,
               const struct help_state *state);
/* The bottom line: as many "key word" pairs as fit, most useful first; returns the columns taken.
 */
int key_line_draw(struct canvas *c, int y, const struct help_row *rows, size_t count);

#endif
