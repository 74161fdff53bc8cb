/*
 * ring_copies: where the copies of a key live (layout_ring_replicas).
 *
 * Two walks round the circle from the key's owner. The first takes shards of zones that have no
 * copy yet; the second fills up with whoever comes next. Source: Dynamo (2007), 4.3, for distinct
 * nodes; Cassandra's NetworkTopologyStrategy for the zones (its racks).
 */
#include "base/alloc.h"
#include "base/check.h"
#include "place/ring.h"
#include <stdlib.h>

#define ZONES 256u

struct walk {
    const struct ring_point *point;
    size_t count;
    size_t start;
    const uint8_t *zone; /* NULL: every shard is a zone of its own */
    bool *taken;         /* by position in the list */
    bool zone_taken[ZONES];
    uint32_t want;
    uint32_t found;
    uint32_t *out;
};

static void go_round(struct walk *walk, bool new_zones_only)
{
    for (size_t step = 0; step < walk->count && walk->found < walk->want; step++) {
        uint32_t index = walk->point[(walk->start + step) % walk->count].index;
        uint8_t zone = walk->zone ? walk->zone[index] : 0;
        if (walk->taken[index] || (new_zones_only && walk->zone_taken[zone])) {
            continue;
        }
        walk->taken[index] = true;
        walk->zone_taken[zone] = true;
        walk->out[walk->found++] = index;
    }
}

uint32_t ring_replicas(const struct ring_point *point, size_t count, size_t owner,
                       const uint8_t *zone, uint32_t want, uint32_t *out)
{
    struct walk walk = {.point = point, .count = count, .start = owner};
    uint32_t shards = 0;
    CHECK(owner < count);
    for (size_t i = 0; i < count; i++) {
        shards = point[i].index >= shards ? point[i].index + 1 : shards;
    }
    walk.zone = zone;
    walk.want = want;
    walk.out = out;
    walk.taken = xcalloc(shards, sizeof *walk.taken);
    if (zone) {
        go_round(&walk, true);
    }
    go_round(&walk, false);
    free(walk.taken);
    return walk.found;
}

uint32_t layout_ring_replicas(const struct layout *layout, uint64_t hash, const uint8_t *zone,
                              uint32_t want, uint32_t *out)
{
    size_t count = 0;
    const struct ring_point *point = layout_ring(layout, &count);
    CHECK(point != NULL);
    return ring_replicas(point, count, layout_ring_find(layout, hash), zone, want, out);
}
