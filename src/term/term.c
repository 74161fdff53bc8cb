/*
 * term: the calls of term.h, handed to the backend.
 */
#include "term/term.h"
#include "term/backend.h"

void term_close(struct term *t)
{
    if (t != NULL)
        t->ops->close(t);
}

void term_size(const struct term *t, int *columns, int *rows)
{
    *columns = t->columns;
    *rows = t->rows;
}

enum glyphs term_glyphs(const struct term *t)
{
    return t->glyphs;
}

int term_colors(const struct term *t)
{
    return t->colors;
}

const char *term_type(const struct term *t)
{
    return t->type;
}

void term_show(struct term *t, const struct canvas *c, bool full)
{
    t->ops->show(t, c, full);
}

struct term_input term_read(struct term *t, int timeout_ms)
{
    return t->ops->read(t, timeout_ms);
}

void term_suspend(struct term *t)
{
    t->ops->suspend(t);
}

void term_bell(struct term *t)
{
    t->ops->bell(t);
}
