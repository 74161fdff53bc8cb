/*
 * circle: a sorted list of points on 64 bits, and the way from a hash to the point that owns it.
 *
 * The state of every scheme that is a ring begins with a circle, so that ring.h's questions have
 * one answer for all of them. A lookup reads one entry of an index of equal arcs, about one for
 * each point, and walks on from there: two memory accesses however many points there are.
 *
 * Points are ordered by position, then shard, then token. Memory: 16 bytes a point and 4 bytes an
 * arc of the index, of which there are one to two a point. circle_free frees it.
 */
#ifndef HOTSHARD_PLACE_CIRCLE_H
#define HOTSHARD_PLACE_CIRCLE_H

#include "place/ring.h"

struct circle {
    struct ring_point *point; /* one more than count: past the end the first one owns */
    size_t count;
    uint32_t *first; /* of each arc of the index: how many points are below its start */
    unsigned shift;  /* 64 less the bits that number those arcs */
    /* A hash stands at (hash << up) ^ turn. */
    unsigned up;
    uint64_t turn;
};

/* Adds points (of any shards, in any order), or starts the list with them. */
void circle_join(struct circle *circle, const struct ring_point *point, size_t count);
/* Drops a shard's tokens from number `tokens` on. */
void circle_trim(struct circle *circle, uint32_t index, uint32_t tokens);
/* Drops all of a shard's and moves later positions in the list down by one. */
void circle_leave(struct circle *circle, uint32_t index);
/* To be called on a plain copy of the struct: gives it lists of its own. */
void circle_copy_lists(struct circle *circle);
void circle_free(struct circle *circle); /* its lists */
size_t circle_memory(const struct circle *circle);

static inline uint64_t circle_position(const struct circle *circle, uint64_t hash)
{
    return hash << circle->up ^ circle->turn;
}

/* The point, or count past the last one, where a copy of the first stands. */
static inline size_t circle_walk(const struct circle *circle, uint64_t position)
{
    size_t i = circle->first[position >> circle->shift];
    while (circle->point[i].at < position) {
        i++;
    }
    return i;
}

static inline uint32_t circle_owner(const struct circle *circle, uint64_t hash)
{
    return circle->point[circle_walk(circle, circle_position(circle, hash))].index;
}

/* A scheme's functions over a state that begins with a circle. */
uint32_t circle_owner_of_hash(const void *state, uint64_t hash);
void circle_owners_of_hashes(const void *state, const uint64_t *hash, size_t count,
                             uint32_t *owner);

#endif
