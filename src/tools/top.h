/*
 * top: which keys of a stream come most often, counted in a fixed number of cells (Space-Saving).
 *
 * A key that has a cell is counted there. A new key takes a free cell, or else one with the least
 * count, and inherits that count as its error: it may have come that often before, and nobody
 * knows. So for each key with a cell
 *
 *   count - error  <=  how often it came  <=  count
 *
 * no error is above (keys added) / cells, and a key without a cell came top_floor times at most.
 * Cells stand in a list of equal counts, so each step takes the same small time whatever the number
 * of cells. Which of several least cells is taken hangs on the order of the keys alone: the same
 * stream, the same answer.
 *
 * Method: Metwally, Agrawal, El Abbadi, "Efficient computation of frequent and top-k elements in
 * data streams" (2005), with their list of buckets. Memory: about 100 bytes a cell and the keys; of
 * a key above TOP_KEY_MAX bytes only the first are kept, and its length and mark tell it apart.
 */
#ifndef HOTSHARD_TOOLS_TOP_H
#define HOTSHARD_TOOLS_TOP_H

#include "tools/mark.h"

#define TOP_CELLS_MAX 65536u
#define TOP_KEY_MAX 4096u

struct top;

struct top_entry {
    struct bytes key; /* as much of it as is kept; borrowed until the next top_add */
    size_t length;    /* of the whole key */
    uint64_t mark;
    uint64_t count, error;
    uint32_t cell;
};

struct top *top_new(uint32_t cells); /* 1 to TOP_CELLS_MAX */
void top_free(struct top *top);      /* NULL is fine */

/* The key came once more; `mark` is mark_of it. Returns its cell, a number below `cells`; *fresh
 * says that the cell was another key's, or nobody's, until now. */
uint32_t top_add(struct top *top, struct bytes key, uint64_t mark, bool *fresh);
/* The key's cell, or UINT32_MAX. */
uint32_t top_find(const struct top *top, struct bytes key, uint64_t mark);
/* Highest count first; equals by the smaller error, then by bytes. Returns how many were filled. */
size_t top_list(const struct top *top, struct top_entry *out, size_t room);
uint64_t top_floor(const struct top *top); /* 0 while a cell is free */

#endif
