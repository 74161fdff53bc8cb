/*
 * table: a shard's slot table, the truth about what it serves.
 *
 * Rows are runs of slots with one state, epoch and target; sorted, disjoint, and neighbours that
 * say the same are one row. A slot without a row is SLOT_ABSENT.
 */
#ifndef HOTSHARD_ENGINE_TABLE_H
#define HOTSHARD_ENGINE_TABLE_H

#include "engine/state.h"

static inline struct slot_row *table_rows(struct world *w, uint32_t shard)
{
    return rows_of(w) + (size_t)shard * w->config.rows_max;
}

static inline const struct slot_row *table_rows_in(const struct world *w, uint32_t shard)
{
    return rows_in(w) + (size_t)shard * w->config.rows_max;
}

/* The index of the first row that ends at `slot` or later; the number of rows when there is none.
 */
static inline uint32_t table_place(const struct world *w, uint32_t shard, uint32_t slot)
{
    const struct slot_row *rows = table_rows_in(w, shard);
    uint32_t low = 0;
    uint32_t high = shards_in(w)[shard].rows;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (rows[middle].last < slot) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* The row of a slot, NULL without one. */
static inline const struct slot_row *table_find(const struct world *w, uint32_t shard,
                                                uint32_t slot)
{
    uint32_t at = table_place(w, shard, slot);
    const struct slot_row *row = table_rows_in(w, shard) + at;
    return at < shards_in(w)[shard].rows && row->first <= slot ? row : NULL;
}

/* Makes row->first..row->last say what `row` says (SLOT_ABSENT: nothing). False, and nothing
 * changed, when the table has no room for the rows that this needs. */
bool table_set(struct world *w, uint32_t shard, const struct slot_row *row);
/* How many rows the table would have more after table_set(); 0: as many or fewer. */
uint32_t table_more(const struct world *w, uint32_t shard, const struct slot_row *row);

/* The record of a row that was set, by the operator's will. */
void table_note(struct world *w, uint32_t shard, const struct slot_row *row);

#endif
