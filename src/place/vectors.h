/*
 * vectors: a synthetic corpus of embeddings, and what is nearest to a query by looking at all.
 *
 * A vector has `dims` whole coordinates from 0 to VECTORS_SPACE - 1; nearness is the square of the
 * straight distance. Points come in groups of different size, extent and direction, with a few in
 * between, as embeddings of texts or users do. Queries are drawn beside the data: from the same
 * groups, by a stream of random numbers of their own, so they are no points of the corpus. Ids go
 * from 0. Equally near points are ordered by id. Whole numbers only: the same seed gives the same
 * corpus and the same answers on every machine.
 */
#ifndef HOTSHARD_PLACE_VECTORS_H
#define HOTSHARD_PLACE_VECTORS_H

#include "base/err.h"
#include <stddef.h>
#include <stdint.h>

#define VECTORS_SPACE 4096
#define VECTORS_POINTS_MAX 20000u
#define VECTORS_DIMS_MAX 64u
#define VECTORS_GROUPS_MAX 64u
#define VECTORS_K_MAX 200u /* neighbours that may be asked for */

struct corpus_params {
    uint32_t points; /* from 1 on */
    uint32_t dims;   /* from 2 on */
    uint32_t groups;
    uint64_t seed;
};

/* A point and how far it is: the square of the distance. */
struct neighbour {
    uint32_t distance, id;
};

struct corpus;

struct corpus *corpus_new(const struct corpus_params *params, struct err *err);
/* The given points, one after the other, `dims` coordinates each. Its queries are uniform. */
struct corpus *corpus_of(const int16_t *at, uint32_t points, uint32_t dims, struct err *err);
void corpus_free(struct corpus *c);
const struct corpus_params *corpus_params_of(const struct corpus *c);
uint32_t corpus_points(const struct corpus *c);
uint32_t corpus_dims(const struct corpus *c);
/* Coordinates that a vector takes in memory: those beyond `dims` are 0. */
size_t corpus_stride(const struct corpus *c);
const int16_t *corpus_point(const struct corpus *c, uint32_t id);
/* The n-th query into `out`, corpus_stride coordinates. */
void corpus_query(const struct corpus *c, uint32_t n, int16_t *out);
/* The k nearest, the nearest first; fewer when there are fewer points. Returns how many. */
size_t corpus_near(const struct corpus *c, const int16_t *query, size_t k, struct neighbour *out);

uint32_t vectors_distance(const int16_t *a, const int16_t *b, size_t stride);
/* Keeps the `most` nearest of those that are offered, in order; returns how many there are now. */
size_t vectors_offer(struct neighbour *list, size_t count, size_t most, struct neighbour n);
/* How many of the ids of `a` are among those of `b`. */
size_t vectors_common(const struct neighbour *a, size_t a_count, const struct neighbour *b,
                      size_t b_count);

#endif
