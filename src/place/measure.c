/*
 * measure: one pass over the owners, counting by position.
 */
#include "place/measure.h"

#include "base/alloc.h"
#include "base/check.h"
#include "place/inside.h"
#include <math.h>
#include <stdlib.h>

struct balance balance_of(const struct layout *layout, const uint32_t *owner, const uint64_t *load,
                          size_t count)
{
    struct balance b = {.shards = layout_shards(layout)};
    b.ids = xcalloc(b.shards, sizeof *b.ids);
    b.amount = xcalloc(b.shards, sizeof *b.amount);
    for (size_t i = 0; i < count; i++) {
        CHECK(owner[i] < b.shards);
        uint64_t amount = load ? load[i] : 1;
        b.amount[owner[i]] += amount;
        b.total += amount;
    }
    b.idlest = b.amount[0];
    for (uint32_t index = 0; index < b.shards; index++) {
        uint64_t amount = b.amount[index];
        b.ids[index] = layout_shard_id(layout, index);
        b.busiest = amount > b.busiest ? amount : b.busiest;
        b.idlest = amount < b.idlest ? amount : b.idlest;
    }
    return b;
}

static uint32_t *owners_of(const struct layout *layout, const uint64_t *hashes, size_t count)
{
    uint32_t *owner = xcalloc(count + 1, sizeof *owner);
    layout_owners_of_hashes(layout, hashes, count, owner);
    return owner;
}

struct balance balance_of_hashes(const struct layout *layout, const uint64_t *hashes, size_t count)
{
    uint32_t *owner = owners_of(layout, hashes, count);
    struct balance b = balance_of(layout, owner, NULL, count);
    free(owner);
    return b;
}

void balance_free(struct balance *b)
{
    free(b->ids);
    free(b->amount);
    *b = (struct balance){0};
}

double balance_over_average(const struct balance *b)
{
    return b->total == 0 ? 0.0 : (double)b->busiest * b->shards / (double)b->total;
}

double balance_spread(const struct balance *b)
{
    double mean = (double)b->total / b->shards;
    double squares = 0.0;
    if (b->total == 0) {
        return 0.0;
    }
    for (uint32_t index = 0; index < b->shards; index++) {
        double off = (double)b->amount[index] - mean;
        squares += off * off;
    }
    return sqrt(squares / b->shards) / mean;
}

struct movement movement_between(const struct layout *before, const uint32_t *owner_before,
                                 const struct layout *after, const uint32_t *owner_after,
                                 const uint64_t *load, size_t count)
{
    struct movement m = {.keys = count};
    m.given = xcalloc(layout_shards(before), sizeof *m.given);
    m.taken = xcalloc(layout_shards(after), sizeof *m.taken);
    for (size_t i = 0; i < count; i++) {
        uint32_t from = owner_before[i];
        uint32_t to = owner_after[i];
        uint64_t amount = load ? load[i] : 1;
        m.load += amount;
        if (layout_shard_id(before, from) != layout_shard_id(after, to)) {
            m.moved++;
            m.moved_load += amount;
            m.given[from]++;
            m.taken[to]++;
        }
    }
    for (uint32_t index = 0; index < layout_shards(before); index++) {
        m.from_shards += m.given[index] > 0;
    }
    for (uint32_t index = 0; index < layout_shards(after); index++) {
        m.to_shards += m.taken[index] > 0;
    }
    return m;
}

struct movement movement_of_hashes(const struct layout *before, const struct layout *after,
                                   const uint64_t *hashes, size_t count)
{
    CHECK(layout_hash_alike(before, after));
    uint32_t *owner_before = owners_of(before, hashes, count);
    uint32_t *owner_after = owners_of(after, hashes, count);
    struct movement m = movement_between(before, owner_before, after, owner_after, NULL, count);
    free(owner_before);
    free(owner_after);
    return m;
}

void movement_free(struct movement *m)
{
    free(m->given);
    free(m->taken);
    *m = (struct movement){0};
}
