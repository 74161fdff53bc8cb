/*
 * sketch: which keys are asked for most, counted in a fixed number of cells (Space-Saving).
 *
 * A key that has a cell is counted there. A new key takes a free cell, or else the one with the
 * least estimate, and inherits that estimate as its error: it may have been asked for that often
 * before, and nobody knows. So for each key with a cell
 *
 *   counted = reads + writes  <=  true count  <=  counted + error = estimate
 *
 * and no error is above (requests counted) / cells; a key without a cell was asked for at most
 * sketch_floor times. Two sketches merge into one for which the same holds. A cell whose estimate
 * is 0 is free. Keys are the caller's numbers. The caller owns the cells; all zero is an empty
 * sketch. Method: Metwally, Agrawal, El Abbadi (2005); merging: Agarwal and others (2012).
 */
#ifndef HOTSHARD_PROTO_SKETCH_H
#define HOTSHARD_PROTO_SKETCH_H

#include <stdbool.h>
#include <stdint.h>

struct sketch_cell {
    uint32_t key;
    uint32_t reads, writes; /* counted since the key has the cell */
    uint32_t error;         /* at most so many before that */
};

_Static_assert(sizeof(struct sketch_cell) == 16, "bytes without holes");

static inline uint32_t sketch_estimate(const struct sketch_cell *cell)
{
    return cell->reads + cell->writes + cell->error;
}

/* One request for the key. There is at least one cell. */
void sketch_add(struct sketch_cell *cells, uint32_t count, uint32_t key, bool read);
/* The key's cell, NULL if it has none. */
const struct sketch_cell *sketch_find(const struct sketch_cell *cells, uint32_t count,
                                      uint32_t key);
/* At most so often was a key asked for that has no cell. */
uint32_t sketch_floor(const struct sketch_cell *cells, uint32_t count);
/* Adds another sketch of `count` cells. `into` has room for twice as many: the first half holds
 * the sum, highest estimate first; the second half is free again afterwards. */
void sketch_merge(struct sketch_cell *into, const struct sketch_cell *from, uint32_t count);
void sketch_clear(struct sketch_cell *cells, uint32_t count);

#endif
