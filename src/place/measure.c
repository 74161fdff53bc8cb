/*
 * measure: one pass over the hashes, counting by position.
 */
#include "place/measure.h"

#include "base/alloc.h"
#include "base/check.h"
#include "place/inside.h"
#include <stdlib.h>

struct balance balance_of(const struct layout *layout, const uint64_t *hashes, size_t count)
{
    struct balance b = {.shards = layout_shards(layout), .total = count};
    b.ids = xcalloc(b.shards, sizeof *b.ids);
    b.keys = xcalloc(b.shards, sizeof *b.keys);
    for (size_t i = 0; i < count; i++) {
        b.keys[layout_index_of_hash(layout, hashes[i])]++;
    }
    for (uint32_t index = 0; index < b.shards; index++) {
        b.ids[index] = layout_shard_id(layout, index);
        b.busiest = b.keys[index] > b.busiest ? b.keys[index] : b.busiest;
    }
    return b;
}

void balance_free(struct balance *b)
{
    free(b->ids);
    free(b->keys);
    *b = (struct balance){0};
}

double balance_over_average(const struct balance *b)
{
    return b->total == 0 ? 0.0 : (double)b->busiest * b->shards / (double)b->total;
}

struct movement movement_between(const struct layout *before, const struct layout *after,
                                 const uint64_t *hashes, size_t count)
{
    CHECK(layout_hash_alike(before, after));
    struct movement m = {.keys = count};
    m.given = xcalloc(layout_shards(before), sizeof *m.given);
    m.taken = xcalloc(layout_shards(after), sizeof *m.taken);
    for (size_t i = 0; i < count; i++) {
        uint32_t from = layout_index_of_hash(before, hashes[i]);
        uint32_t to = layout_index_of_hash(after, hashes[i]);
        if (layout_shard_id(before, from) != layout_shard_id(after, to)) {
            m.moved++;
            m.given[from]++;
            m.taken[to]++;
        }
    }
    for (uint32_t index = 0; index < layout_shards(before); index++) {
        m.from_shards += m.given[index] > 0;
    }
    return m;
}

void movement_free(struct movement *m)
{
    free(m->given);
    free(m->taken);
    *m = (struct movement){0};
}
