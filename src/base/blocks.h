/*
 * blocks: short lists under headings, set on a page: in two columns where they fit side by side.
 *
 * Blocks keep their order. Those that fit half the page stand in two columns, those between two
 * wide ones together, the first of them left, so that both columns are about as long; a wider one
 * goes over the whole page, its longest lines broken between words. A blank line parts blocks.
 */
#ifndef HOTSHARD_BASE_BLOCKS_H
#define HOTSHARD_BASE_BLOCKS_H

#include "base/str.h"
#include <stddef.h>

#define BLOCKS_GAP 2 /* columns between the two */

struct block {
    const char *title;
    const char *const *line;
    size_t lines;
};

/* A piece of a row; its text belongs to the page. */
struct blocks_piece {
    char *text; /* NULL: nothing stands here */
    bool title;
    int columns; /* of its block */
};
struct blocks_row {
    struct blocks_piece piece[2]; /* left, or over both; right */
};
struct blocks_page {
    struct blocks_row *row;
    size_t rows, room;
    int right; /* where the right column begins */
};

/* Columns of the widest line. */
int blocks_width(const struct block *block);
struct blocks_page *blocks_set(const struct block *block, size_t count, int columns);
void blocks_free(struct blocks_page *page);
/* The page as lines of text, headings with a rule behind them. */
void blocks_print(const struct blocks_page *page, struct str *out);

#endif
