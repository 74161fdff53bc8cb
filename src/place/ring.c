/*
 * ring: the scheme `ring`, and ring.h's questions to every scheme that is one.
 */
#include "place/ring.h"

#include "base/alloc.h"
#include "base/check.h"
#include "place/bounded.h"
#include "place/inside.h"
#include "place/ketama.h"
#include "place/ring_tokens.h"

static void *make(const struct layout_params *params, const struct shard_spec *shard,
                  uint32_t shards)
{
    struct ring *ring = xcalloc(1, sizeof *ring);
    *ring = ring_by_rule(params, 0);
    ring_start(ring, shard, shards);
    return ring;
}

const struct scheme scheme_ring = {
    .name = "ring",
    .about = "shards own many points of a circle; a key belongs to the first point after its hash",
    .cannot = "balance exactly: the arcs are as uneven as chance made them, so it needs many",
    .source = "Karger and others (1997); Amazon's Dynamo (2007)",
    .traits = SCHEME_WEIGHTS | SCHEME_ADD_MOVES_TO_NEW | SCHEME_REMOVE_MOVES_OWN,
    .default_hash = HASH_MIX64,
    .make = make,
    .copy = ring_copy,
    .destroy = ring_destroy,
    .owner = circle_owner_of_hash,
    .owners = circle_owners_of_hashes,
    .add = ring_add,
    .remove = ring_remove,
    .weigh = ring_weigh,
    .memory = ring_memory,
    .check = ring_check,
};

/* NULL of a scheme that is no ring. */
static const struct circle *circle_of(const struct layout *layout)
{
    static const struct scheme *const rings[] = {&scheme_ring, &scheme_ketama, &scheme_bounded_load,
                                                 &scheme_cassandra};
    for (size_t i = 0; i < sizeof rings / sizeof rings[0]; i++) {
        if (layout_scheme(layout) == rings[i]) {
            return layout_state(layout, rings[i]);
        }
    }
    return NULL;
}

const struct ring_point *layout_ring(const struct layout *layout, size_t *count)
{
    const struct circle *circle = circle_of(layout);
    *count = circle ? circle->count : 0;
    return circle ? circle->point : NULL;
}

uint64_t layout_ring_position(const struct layout *layout, uint64_t hash)
{
    const struct circle *circle = circle_of(layout);
    CHECK(circle != NULL);
    return circle_position(circle, hash);
}

size_t layout_ring_find(const struct layout *layout, uint64_t hash)
{
    const struct circle *circle = circle_of(layout);
    CHECK(circle != NULL);
    size_t found = circle_walk(circle, circle_position(circle, hash));
    return found == circle->count ? 0 : found;
}

double layout_ring_share(const struct layout *layout, uint32_t index)
{
    const struct circle *circle = circle_of(layout);
    CHECK(circle != NULL && index < layout_shards(layout));
    double share = 0.0;
    uint64_t below = circle->point[circle->count - 1].at;
    for (size_t i = 0; i < circle->count; i++) {
        uint64_t arc = circle->point[i].at - below; /* round the end as well */
        bool whole = circle->count == 1;
        below = circle->point[i].at;
        if (circle->point[i].index == index) {
            share += whole ? 1.0 : (double)arc / 0x1p64;
        }
    }
    return share;
}

size_t ring_find(const struct ring_point *point, size_t count, uint64_t position)
{
    size_t low = 0;
    size_t high = count;
    CHECK(count > 0);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (point[middle].at < position) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low == count ? 0 : low;
}
