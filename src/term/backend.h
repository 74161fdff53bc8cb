/*
 * backend: what every kind of terminal has in common; for src/term only.
 *
 * A backend's own struct begins with struct term, so that it can be cast back.
 */
#ifndef HOTSHARD_TERM_BACKEND_H
#define HOTSHARD_TERM_BACKEND_H

#include "term/term.h"

struct term_ops {
    void (*close)(struct term *t); /* frees t */
    void (*show)(struct term *t, const struct canvas *c, bool full);
    struct term_input (*read)(struct term *t, int timeout_ms);
    void (*suspend)(struct term *t);
    void (*bell)(struct term *t);
};

struct term {
    const struct term_ops *ops;
    const char *type;
    enum glyphs glyphs;
    int colors;
    int columns, rows;
};

#endif
