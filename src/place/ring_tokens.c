/*
 * ring_tokens: see ring_tokens.h.
 */
#include "place/ring_tokens.h"

#include "base/alloc.h"
#include "base/check.h"
#include "base/prng.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NODE_NAME UINT64_C(0x4E4F4445) /* "NODE": what the hashed rule makes of shard 0 */

uint32_t ring_tokens_of(uint32_t tokens, uint32_t together, uint32_t weight)
{
    uint64_t whole = (uint64_t)together * LAYOUT_WEIGHT_USUAL;
    uint64_t steps = ((uint64_t)tokens * weight + whole / 2) / whole;
    return steps > 0 ? (uint32_t)steps * together : together;
}

bool ring_check_points(uint32_t tokens, const struct shard_spec *shard, uint32_t shards,
                       uint64_t limit, struct err *err)
{
    uint64_t points = 0;
    for (uint32_t i = 0; i < shards; i++) {
        points += ring_tokens_of(tokens, 1, shard[i].weight);
    }
    return points <= limit ||
           err_set(err,
                   "tokens: %" PRIu32 " shards would have %" PRIu64
                   " together, and such a ring holds %" PRIu64 "; give fewer tokens, fewer shards "
                   "or smaller weights",
                   shards, points, limit);
}

bool ring_check(const struct layout_params *params, const struct shard_spec *shard, uint32_t shards,
                struct err *err)
{
    if (params->tokens < 1 || params->tokens > LAYOUT_TOKENS_MAX) {
        return err_set(err, "tokens: %" PRIu32 " is out of range; give a number from 1 to %u",
                       params->tokens, LAYOUT_TOKENS_MAX);
    }
    if (params->token_rule != TOKENS_CHOSEN) {
        return ring_check_points(params->tokens, shard, shards, LAYOUT_POINTS_MAX, err);
    }
    if (shards > RING_CHOSEN_SHARDS) {
        return err_set(err,
                       "tokens: they are chosen for up to %u shards, not for %" PRIu32
                       "; give fewer shards or let a hash place them",
                       RING_CHOSEN_SHARDS, shards);
    }
    return ring_check_points(params->tokens, shard, shards, RING_CHOSEN_POINTS, err);
}

static void place_hashed(const struct ring *ring, uint32_t index, uint32_t token, uint32_t count,
                         struct ring_point *out)
{
    uint64_t node = mix64(NODE_NAME + ring->shard[index].id);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t at = mix64(node ^ (token + i)) ^ ring->circle.turn;
        out[i] = (struct ring_point){at, index, token + i};
    }
}

static void place_seeded(const struct ring *ring, uint32_t index, uint32_t token, uint32_t count,
                         struct ring_point *out)
{
    uint64_t node = ring->seed << 40 | (uint64_t)ring->shard[index].id << 20;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t at = mix64(node | (token + i)) ^ ring->circle.turn;
        out[i] = (struct ring_point){at, index, token + i};
    }
}

struct ring ring_by_rule(const struct layout_params *params, uint64_t turn)
{
    struct ring ring = {.tokens = params->tokens, .together = 1, .seed = params->seed};
    /* Hashes of 16 or 32 bits go to the upper bits, or all keys would crowd at 0. */
    ring.circle.up = 64 - hash_bits(params->hash);
    ring.circle.turn = turn;
    switch (params->token_rule) {
    case TOKENS_HASHED:
        ring.place = place_hashed;
        break;
    case TOKENS_SEEDED:
        ring.place = place_seeded;
        break;
    case TOKENS_CHOSEN:
        ring.place = ring_choose;
        ring.in_turn = true;
        break;
    }
    CHECK(ring.place != NULL);
    return ring;
}

static uint32_t tokens_of(const struct ring *ring, uint32_t weight)
{
    return ring_tokens_of(ring->tokens, ring->together, weight);
}

/* Tokens of a shard that is in the list already. */
static void give_tokens(struct ring *ring, uint32_t index, uint32_t token, uint32_t count)
{
    struct ring_point *point = xcalloc(count, sizeof *point);
    ring->place(ring, index, token, count, point);
    circle_join(&ring->circle, point, count);
    free(point);
}

static void give_all_tokens(struct ring *ring)
{
    size_t count = 0;
    for (uint32_t index = 0; index < ring->shards; index++) {
        count += tokens_of(ring, ring->shard[index].weight);
    }
    struct ring_point *point = xcalloc(count, sizeof *point);
    struct ring_point *next = point;
    for (uint32_t index = 0; index < ring->shards; index++) {
        uint32_t tokens = tokens_of(ring, ring->shard[index].weight);
        ring->place(ring, index, 0, tokens, next);
        next += tokens;
    }
    circle_join(&ring->circle, point, count);
    free(point);
}

void ring_start(struct ring *ring, const struct shard_spec *shard, uint32_t shards)
{
    if (ring->in_turn) {
        for (uint32_t i = 0; i < shards; i++) {
            ring_add(ring, &shard[i]);
        }
        return;
    }
    ring->shard = xcalloc(shards, sizeof *ring->shard);
    memcpy(ring->shard, shard, shards * sizeof *shard);
    ring->shards = shards;
    give_all_tokens(ring);
}

void ring_copy_lists(struct ring *ring)
{
    struct shard_spec *shard = xcalloc(ring->shards, sizeof *shard);
    memcpy(shard, ring->shard, ring->shards * sizeof *shard);
    ring->shard = shard;
    circle_copy_lists(&ring->circle);
}

void ring_end(struct ring *ring)
{
    circle_free(&ring->circle);
    free(ring->shard);
}

void *ring_copy(const void *state)
{
    const struct ring *from = state;
    struct ring *ring = xcalloc(1, sizeof *ring);
    *ring = *from;
    ring_copy_lists(ring);
    return ring;
}

void ring_destroy(void *state)
{
    ring_end(state);
    free(state);
}

void ring_add(void *state, const struct shard_spec *shard)
{
    struct ring *ring = state;
    ring->shard = xrealloc(ring->shard, (size_t)ring->shards + 1, sizeof *ring->shard);
    ring->shard[ring->shards++] = *shard;
    give_tokens(ring, ring->shards - 1, 0, tokens_of(ring, shard->weight));
}

void ring_remove(void *state, uint32_t index)
{
    struct ring *ring = state;
    CHECK(index < ring->shards && ring->shards > 1);
    circle_leave(&ring->circle, index);
    ring->shards--;
    memmove(ring->shard + index, ring->shard + index + 1,
            (ring->shards - index) * sizeof *ring->shard);
}

void ring_weigh(void *state, uint32_t index, uint32_t weight)
{
    struct ring *ring = state;
    CHECK(index < ring->shards);
    uint32_t had = tokens_of(ring, ring->shard[index].weight);
    uint32_t has = tokens_of(ring, weight);
    ring->shard[index].weight = weight;
    if (has > had) {
        give_tokens(ring, index, had, has - had);
    } else if (has < had) {
        circle_trim(&ring->circle, index, has);
    }
}

size_t ring_memory(const void *state)
{
    const struct ring *ring = state;
    return circle_memory(&ring->circle);
}
