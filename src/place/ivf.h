/*
 * ivf: an inverted file: the corpus cut into parts by k-means, of which a search looks into few.
 *
 * H. Jegou, M. Douze, C. Schmid, "Product Quantization for Nearest Neighbor Search" (2011), section
 * IV: the coarse quantizer, without compressed vectors. Each part has a centroid, each point is in
 * the part of its nearest centroid. A search compares the query with all centroids and scans the
 * `probe` nearest parts; a near point in a part that was not probed is missed.
 *
 * k-means (Lloyd) begins with centroids drawn by the squared distance to those before (k-means++),
 * and runs a number of rounds on a sample of at most IVF_SAMPLE points a part, as libraries do;
 * then every point is assigned once. A part that a round leaves empty gets the point that is
 * farthest from the centroid of the largest part. So no part is empty at the end, unless the corpus
 * has fewer different points than there are parts. Equally near centroids: the lower number counts.
 */
#ifndef HOTSHARD_PLACE_IVF_H
#define HOTSHARD_PLACE_IVF_H

#include "place/vectors.h"

#define IVF_PARTS_MAX 1024u
#define IVF_ROUNDS_MAX 50u
#define IVF_SAMPLE 64u

struct ivf_params {
    uint32_t parts, rounds;
    uint64_t seed;
};

struct ivf;

/* The corpus must outlive it. */
struct ivf *ivf_new(const struct corpus *c, const struct ivf_params *params, struct err *err);
void ivf_free(struct ivf *ix);
/* Coordinates that making it compares: what it costs. */
uint64_t ivf_work(const struct corpus *c, const struct ivf_params *params);

const struct corpus *ivf_corpus(const struct ivf *ix);
uint32_t ivf_parts(const struct ivf *ix);
uint32_t ivf_size(const struct ivf *ix, uint32_t part);
uint32_t ivf_largest(const struct ivf *ix); /* a part; of equal ones the lowest number */
uint32_t ivf_part_of(const struct ivf *ix, uint32_t id);
/* The part whose centroid is nearest to a vector. */
uint32_t ivf_part_at(const struct ivf *ix, const int16_t *at);
const int16_t *ivf_centroid(const struct ivf *ix, uint32_t part);
/* The points of a part, by id; ivf_size of them. */
const uint32_t *ivf_points(const struct ivf *ix, uint32_t part);
/* All parts by the distance of their centroids, ivf_parts of them: those that a search probes come
 * first. */
void ivf_rank(const struct ivf *ix, const int16_t *query, struct neighbour *order);

struct ivf_found {
    struct neighbour found[VECTORS_K_MAX]; /* the nearest first */
    size_t count;
    uint32_t scanned; /* points that were looked at */
};
/* Scans the first `probe` parts of `order`. */
void ivf_search(const struct ivf *ix, const int16_t *query, const struct neighbour *order,
                uint32_t probe, size_t k, struct ivf_found *out);

#endif
