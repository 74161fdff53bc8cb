/*
 * term_null: a terminal in memory. What was fed is read in that order, at once and without a clock;
 * then comes the end of input, so that no program that reads it can hang.
 */
#include "base/alloc.h"
#include "base/check.h"
#include "term/backend.h"
#include <stdlib.h>

struct term_null {
    struct term base;
    struct term_input *queue;
    size_t count, next;
};

static void null_close(struct term *t)
{
    struct term_null *n = (struct term_null *)t;
    free(n->queue);
    free(n);
}

static void null_show(struct term *t, const struct canvas *c, bool full)
{
    (void)t;
    (void)c;
    (void)full;
}

static struct term_input null_read(struct term *t, int timeout_ms)
{
    (void)timeout_ms;
    struct term_null *n = (struct term_null *)t;
    if (n->next == n->count)
        return (struct term_input){.kind = TERM_INPUT_END};
    struct term_input input = n->queue[n->next++];
    if (input.kind == TERM_INPUT_RESIZE) {
        t->columns = input.columns;
        t->rows = input.rows;
    }
    return input;
}

static void null_nothing(struct term *t)
{
    (void)t;
}

struct term *term_null_open(int columns, int rows, enum glyphs glyphs)
{
    static const struct term_ops ops = {.close = null_close,
                                        .show = null_show,
                                        .read = null_read,
                                        .suspend = null_nothing,
                                        .bell = null_nothing};
    struct term_null *n = xcalloc(1, sizeof(*n));
    n->base = (struct term){
        .ops = &ops, .type = "null", .glyphs = glyphs, .columns = columns, .rows = rows};
    return &n->base;
}

void term_null_feed(struct term *t, struct term_input input)
{
    CHECK(t->ops->read == null_read);
    struct term_null *n = (struct term_null *)t;
    n->queue = xrealloc(n->queue, n->count + 1, sizeof(*n->queue));
    n->queue[n->count++] = input;
}
