/*
 * bounded: see bounded.h.
 */
#include "place/bounded.h"

#include "base/alloc.h"
#include "base/check.h"
#include "place/ring_tokens.h"
#include <inttypes.h>
#include <stdlib.h>

struct bounded {
    struct ring ring; /* the first member: ring.h's questions go to it */
    uint32_t factor_pct;
};

_Static_assert(KEYSET_KEYS_MAX *BOUNDED_FACTOR_MAX <= UINT64_MAX / LAYOUT_WEIGHT_MAX / 2,
               "a capacity's product fits 64 bits");

uint64_t bounded_capacity(uint32_t factor_pct, uint64_t requests, uint64_t weight, uint64_t weights)
{
    uint64_t below = 100 * weights;
    return (factor_pct * requests * weight + below - 1) / below;
}

static void *make(const struct layout_params *params, const struct shard_spec *shard,
                  uint32_t shards)
{
    struct bounded *self = xcalloc(1, sizeof *self);
    self->ring = ring_by_rule(params, 0);
    self->factor_pct = params->factor_pct;
    ring_start(&self->ring, shard, shards);
    return self;
}

static void *copy(const void *state)
{
    const struct bounded *from = state;
    struct bounded *self = xcalloc(1, sizeof *self);
    *self = *from;
    ring_copy_lists(&self->ring);
    return self;
}

static bool check(const struct layout_params *params, const struct shard_spec *shard,
                  uint32_t shards, struct err *err)
{
    if (params->factor_pct <= 100 || params->factor_pct > BOUNDED_FACTOR_MAX) {
        return err_set(err,
                       "factor: %" PRIu32 "%% of the average is out of range; give a percentage "
                       "from 101 to %u",
                       params->factor_pct, BOUNDED_FACTOR_MAX);
    }
    return ring_check(params, shard, shards, err);
}

/* How many of `count` keys each shard may hold. Caller frees. */
static uint64_t *rooms(const struct bounded *self, size_t count)
{
    const struct ring *ring = &self->ring;
    uint64_t *room = xcalloc(ring->shards, sizeof *room);
    uint64_t weights = 0;
    for (uint32_t i = 0; i < ring->shards; i++) {
        weights += ring->shard[i].weight;
    }
    for (uint32_t i = 0; i < ring->shards; i++) {
        room[i] = bounded_capacity(self->factor_pct, count, ring->shard[i].weight, weights);
    }
    return room;
}

/* Together the rooms are more than the keys, so every walk ends. */
static void owners(const void *state, const uint64_t *hash, size_t count, uint32_t *owner)
{
    const struct bounded *self = state;
    const struct circle *circle = &self->ring.circle;
    CHECK(count <= KEYSET_KEYS_MAX);
    uint64_t *room = rooms(self, count);
    for (size_t i = 0; i < count; i++) {
        size_t at = circle_walk(circle, circle_position(circle, hash[i]));
        uint32_t index = circle->point[at].index;
        while (room[index] == 0) {
            at = at >= circle->count ? 1 : at + 1; /* past the end stands the first again */
            index = circle->point[at].index;
        }
        room[index]--;
        owner[i] = index;
    }
    free(room);
}

const struct scheme scheme_bounded_load = {
    .name = "bounded-load",
    .about = "a ring on which a full shard's keys walk on to the next one with room",
    .cannot = "find a key without knowing the load: fine for caches, wrong for stored data",
    .source = "Mirrokni, Thorup, Zadimoghaddam (2016)",
    .traits = SCHEME_WEIGHTS | SCHEME_BY_HISTORY,
    .default_hash = HASH_MIX64,
    .make = make,
    .copy = copy,
    .destroy = ring_destroy,
    .owner = circle_owner_of_hash,
    .owners = owners,
    .add = ring_add,
    .remove = ring_remove,
    .weigh = ring_weigh,
    .memory = ring_memory,
    .check = check,
};

struct bounded_ring *bounded_ring_new(const struct ring_point *point, size_t count,
                                      const uint32_t *weight, uint32_t shards, uint32_t factor_pct)
{
    struct bounded_ring *ring = xcalloc(1, sizeof *ring);
    CHECK(count > 0 && shards > 0 && factor_pct > 100 && factor_pct <= BOUNDED_FACTOR_MAX);
    *ring = (struct bounded_ring){.point = point, .count = count, .weight = weight};
    ring->shards = shards;
    ring->factor_pct = factor_pct;
    ring->in_flight = xcalloc(shards, sizeof *ring->in_flight);
    for (uint32_t i = 0; i < shards; i++) {
        ring->weights += weight ? weight[i] : 1;
    }
    return ring;
}

void bounded_ring_free(struct bounded_ring *ring)
{
    if (ring) {
        free(ring->in_flight);
        free(ring);
    }
}

uint32_t bounded_ring_assign(struct bounded_ring *ring, uint64_t position)
{
    size_t at = ring_find(ring->point, ring->count, position);
    CHECK(ring->total < KEYSET_KEYS_MAX);
    ring->total++;
    for (size_t step = 0; step < ring->count; step++) {
        uint32_t index = ring->point[(at + step) % ring->count].index;
        uint64_t weight = ring->weight ? ring->weight[index] : 1;
        if (ring->in_flight[index] <
            bounded_capacity(ring->factor_pct, ring->total, weight, ring->weights)) {
            ring->in_flight[index]++;
            return index;
        }
    }
    check_failed(__FILE__, __LINE__, "a shard without a point: nowhere is room");
}

void bounded_ring_release(struct bounded_ring *ring, uint32_t index)
{
    CHECK(index < ring->shards && ring->in_flight[index] > 0);
    ring->in_flight[index]--;
    ring->total--;
}
