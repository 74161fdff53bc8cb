/*
 * ring_tokens: shards and their tokens on a circle, by the rules of enum token_rule for `ring`,
 * `bounded-load` and `cassandra`, by MD5 for `ketama`. Inside this folder only.
 *
 * When a weight changes, the tokens of low numbers stay where they are. Where the place of a token
 * hangs on the others' (TOKENS_CHOSEN, ring_choose.c), shards join one after another.
 */
#ifndef HOTSHARD_PLACE_RING_TOKENS_H
#define HOTSHARD_PLACE_RING_TOKENS_H

#include "place/circle.h"

struct ring {
    struct circle circle; /* the first member, see circle.h */
    /* Puts tokens `token` and on, `count` of them, of the shard at `index` into `out`. */
    void (*place)(const struct ring *ring, uint32_t index, uint32_t token, uint32_t count,
                  struct ring_point *out);
    bool in_turn;      /* where the others' tokens are matters: shards join one after another */
    uint32_t tokens;   /* of a shard of usual weight */
    uint32_t together; /* tokens come in this many at a time: the points of one digest, else 1 */
    uint64_t seed;
    struct shard_spec *shard;
    uint32_t shards;
};

/* A ring of tokens by the rules of `params`, without shards yet; positions are xored with turn. */
struct ring ring_by_rule(const struct layout_params *params, uint64_t turn);
void ring_start(struct ring *ring, const struct shard_spec *shard, uint32_t shards);
/* To be called on a plain copy of the struct. */
void ring_copy_lists(struct ring *ring);
void ring_end(struct ring *ring); /* frees its lists */

/* A scheme's functions over a state that is a ring, or (the last four) begins with one. */
void *ring_copy(const void *state);
void ring_destroy(void *state);
void ring_add(void *state, const struct shard_spec *shard);
void ring_remove(void *state, uint32_t index);
void ring_weigh(void *state, uint32_t index, uint32_t weight);
size_t ring_memory(const void *state);
bool ring_check(const struct layout_params *params, const struct shard_spec *shard, uint32_t shards,
                struct err *err);

/* What a weight makes of `tokens`, in steps of `together`, at least one step. */
uint32_t ring_tokens_of(uint32_t tokens, uint32_t together, uint32_t weight);
/* Fails when all the shards' tokens are more than `limit`. */
bool ring_check_points(uint32_t tokens, const struct shard_spec *shard, uint32_t shards,
                       uint64_t limit, struct err *err);

/* Chooses `count` more tokens for the shard at `index`, numbered from `token` on. */
void ring_choose(const struct ring *ring, uint32_t index, uint32_t token, uint32_t count,
                 struct ring_point *out);

#endif
