/*
 * pinned: layouts and keys as the figures of the variants pin them: keys k0, k1, ... under mix64,
 * and owners as shard ids. Everything is static; what a test leaves out costs nothing.
 */
#ifndef HOTSHARD_TESTS_PLACE_PINNED_H
#define HOTSHARD_TESTS_PLACE_PINNED_H

#include "base/alloc.h"
#include "place/layout.h"
#include <stdlib.h>

#define PINNED_KEYS 100000

static inline struct layout *pinned_layout(const struct scheme *scheme, uint32_t shards)
{
    struct layout_params params = layout_defaults(scheme);
    return layout_new(scheme, &params, shards, NULL);
}

/* One shard id a key. Caller frees. */
static inline uint32_t *pinned_ids(const struct layout *layout, struct keyset *keys)
{
    uint32_t *ids = xcalloc(keyset_count(keys) + 1, sizeof *ids);
    layout_owners(layout, keys, ids);
    for (size_t i = 0; i < keyset_count(keys); i++) {
        ids[i] = layout_shard_id(layout, ids[i]);
    }
    return ids;
}

static inline size_t pinned_owned(const uint32_t *ids, size_t count, uint32_t id)
{
    size_t owned = 0;
    for (size_t i = 0; i < count; i++) {
        owned += ids[i] == id;
    }
    return owned;
}

static inline size_t pinned_busiest(const uint32_t *ids, size_t count, uint32_t shards)
{
    size_t busiest = 0;
    for (uint32_t id = 0; id < shards; id++) {
        size_t owned = pinned_owned(ids, count, id);
        busiest = owned > busiest ? owned : busiest;
    }
    return busiest;
}

struct pinned_moves {
    size_t moved;
    size_t not_to; /* moved, but not to the shard asked about */
    size_t not_of; /* moved, but not from it */
};

static inline struct pinned_moves pinned_moves(const uint32_t *before, const uint32_t *after,
                                               size_t count, uint32_t id)
{
    struct pinned_moves m = {0};
    for (size_t i = 0; i < count; i++) {
        bool moved = before[i] != after[i];
        m.moved += moved;
        m.not_to += moved && after[i] != id;
        m.not_of += moved && before[i] != id;
    }
    return m;
}

#endif
