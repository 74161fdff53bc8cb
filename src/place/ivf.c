/*
 * ivf: k-means parts of a corpus, and searches in the nearest few.
 */
#include "place/ivf.h"
#include "base/alloc.h"
#include "base/check.h"
#include "base/prng.h"
#include <stdlib.h>
#include <string.h>

#define SETTLE_MAX 8u /* rounds in which empty parts are given a point at the end, a part */

struct ivf {
    const struct corpus *corpus;
    struct ivf_params params;
    int16_t *centroid; /* stride coordinates a part */
    uint16_t *part;    /* of each point */
    uint32_t *size;    /* of each part */
    uint32_t *first;   /* where a part's points begin in `ids` */
    uint32_t *ids;     /* points by part, then by id */
    uint32_t *sample;  /* points that k-means learns from */
    uint32_t sampled;
    uint16_t *assigned; /* part of each point of the sample */
    uint32_t *distance; /* of each point, or point of the sample, to its centroid */
};

static uint32_t sample_size(const struct corpus *c, const struct ivf_params *params)
{
    uint64_t wanted = (uint64_t)params->parts * IVF_SAMPLE;
    return wanted < corpus_points(c) ? (uint32_t)wanted : corpus_points(c);
}

uint64_t ivf_work(const struct corpus *c, const struct ivf_params *params)
{
    uint64_t rounds = (uint64_t)sample_size(c, params) * (params->rounds + 1);
    return (rounds + corpus_points(c)) * params->parts * corpus_stride(c);
}

static int16_t *centroid_at(const struct ivf *ix, uint32_t part)
{
    return &ix->centroid[part * corpus_stride(ix->corpus)];
}

static struct neighbour nearest_part(const struct ivf *ix, const int16_t *at)
{
    size_t stride = corpus_stride(ix->corpus);
    struct neighbour best = {UINT32_MAX, 0};
    for (uint32_t p = 0; p < ix->params.parts; p++) {
        uint32_t distance = vectors_distance(at, centroid_at(ix, p), stride);
        if (distance < best.distance) {
            best = (struct neighbour){distance, p};
        }
    }
    return best;
}

static void put_centroid(struct ivf *ix, uint32_t part, uint32_t id)
{
    memcpy(centroid_at(ix, part), corpus_point(ix->corpus, id),
           corpus_stride(ix->corpus) * sizeof(int16_t));
}

/* --- learning --- */

/* Different points, each equally likely. */
static void draw_sample(struct ivf *ix, struct prng *random)
{
    uint32_t points = corpus_points(ix->corpus);
    ix->sampled = sample_size(ix->corpus, &ix->params);
    uint32_t *all = xmalloc(points * sizeof *all);
    for (uint32_t i = 0; i < points; i++) {
        all[i] = i;
    }
    for (uint32_t i = 0; i < ix->sampled; i++) {
        uint32_t at = i + (uint32_t)prng_below(random, points - i);
        ix->sample[i] = all[at];
        all[at] = all[i];
    }
    free(all);
}

/* k-means++: the next centroid is a point, drawn by how far it is from those before, squared. */
static void draw_centroids(struct ivf *ix, struct prng *random)
{
    size_t stride = corpus_stride(ix->corpus);
    uint64_t sum = 0;
    uint32_t chosen = (uint32_t)prng_below(random, ix->sampled);
    for (uint32_t i = 0; i < ix->sampled; i++) {
        ix->distance[i] = UINT32_MAX;
    }
    for (uint32_t p = 0; p < ix->params.parts; p++) {
        put_centroid(ix, p, ix->sample[chosen]);
        sum = 0;
        for (uint32_t i = 0; i < ix->sampled; i++) {
            uint32_t d = vectors_distance(corpus_point(ix->corpus, ix->sample[i]),
                                          centroid_at(ix, p), stride);
            ix->distance[i] = d < ix->distance[i] ? d : ix->distance[i];
            sum += ix->distance[i];
        }
        if (sum == 0) {
            chosen = (uint32_t)prng_below(random, ix->sampled); /* only doubles are left */
            continue;
        }
        uint64_t at = prng_below(random, sum);
        for (chosen = 0; at >= ix->distance[chosen]; chosen++) {
            at -= ix->distance[chosen];
        }
    }
}

static uint32_t largest_of(const uint32_t *size, uint32_t parts)
{
    uint32_t largest = 0;
    for (uint32_t p = 1; p < parts; p++) {
        largest = size[p] > size[largest] ? p : largest;
    }
    return largest;
}

/* Of the points with this part, the farthest from its centroid; they are `count`, ids in `id`, or
 * their own numbers where that is NULL. */
static uint32_t farthest_in(const struct ivf *ix, const uint16_t *part, uint32_t count,
                            uint32_t wanted)
{
    uint32_t farthest = count;
    for (uint32_t i = 0; i < count; i++) {
        if (part[i] == wanted && (farthest == count || ix->distance[i] > ix->distance[farthest])) {
            farthest = i;
        }
    }
    CHECK(farthest < count);
    return farthest;
}

/* A round of the sample: every point to its nearest centroid, every centroid to the middle of its
 * points. False when no point changed its part. */
static bool learn_round(struct ivf *ix, int64_t *sum, uint32_t *size)
{
    size_t stride = corpus_stride(ix->corpus);
    uint32_t parts = ix->params.parts;
    bool changed = false;
    memset(sum, 0, parts * stride * sizeof *sum);
    memset(size, 0, parts * sizeof *size);
    for (uint32_t i = 0; i < ix->sampled; i++) {
        const int16_t *at = corpus_point(ix->corpus, ix->sample[i]);
        struct neighbour best = nearest_part(ix, at);
        changed = changed || ix->assigned[i] != best.id;
        ix->assigned[i] = (uint16_t)best.id;
        ix->distance[i] = best.distance;
        size[best.id]++;
        for (size_t d = 0; d < stride; d++) {
            sum[best.id * stride + d] += at[d];
        }
    }
    for (uint32_t p = 0; p < parts; p++) {
        for (size_t d = 0; size[p] > 0 && d < stride; d++) {
            int64_t half = size[p] / 2;
            centroid_at(ix, p)[d] = (int16_t)((sum[p * stride + d] + half) / size[p]);
        }
    }
    for (uint32_t p = 0; p < parts; p++) {
        if (size[p] == 0) {
            uint32_t from = largest_of(size, parts);
            uint32_t i = farthest_in(ix, ix->assigned, ix->sampled, from);
            put_centroid(ix, p, ix->sample[i]);
            ix->assigned[i] = (uint16_t)p;
            ix->distance[i] = 0;
            size[from]--;
            size[p]++;
            changed = true;
        }
    }
    return changed;
}

static void learn(struct ivf *ix)
{
    struct prng random = prng_seeded(ix->params.seed, "ivf");
    size_t stride = corpus_stride(ix->corpus);
    draw_sample(ix, &random);
    draw_centroids(ix, &random);
    int64_t *sum = xcalloc(ix->params.parts * stride, sizeof *sum);
    uint32_t *size = xcalloc(ix->params.parts, sizeof *size);
    memset(ix->assigned, 0xFF, ix->sampled * sizeof *ix->assigned);
    for (uint32_t round = 0; round < ix->params.rounds; round++) {
        if (!learn_round(ix, sum, size)) {
            break;
        }
    }
    free(sum);
    free(size);
}

/* --- every point to its part --- */

/* An empty part takes the farthest point of the largest part as its centroid, and with it all
 * points that are nearer to that than to their own. False when the largest holds one place only. */
static bool settle(struct ivf *ix, uint32_t part)
{
    size_t stride = corpus_stride(ix->corpus);
    uint32_t points = corpus_points(ix->corpus);
    uint32_t from = largest_of(ix->size, ix->params.parts);
    uint32_t id = farthest_in(ix, ix->part, points, from);
    if (ix->distance[id] == 0) {
        return false;
    }
    put_centroid(ix, part, id);
    for (uint32_t i = 0; i < points; i++) {
        uint32_t d = vectors_distance(corpus_point(ix->corpus, i), centroid_at(ix, part), stride);
        if (d < ix->distance[i] || (d == ix->distance[i] && part < ix->part[i])) {
            ix->size[ix->part[i]]--;
            ix->size[part]++;
            ix->part[i] = (uint16_t)part;
            ix->distance[i] = d;
        }
    }
    return true;
}

static uint32_t first_empty(const struct ivf *ix)
{
    uint32_t part = 0;
    while (part < ix->params.parts && ix->size[part] > 0) {
        part++;
    }
    return part;
}

static void assign(struct ivf *ix)
{
    uint32_t points = corpus_points(ix->corpus), parts = ix->params.parts;
    for (uint32_t i = 0; i < points; i++) {
        struct neighbour best = nearest_part(ix, corpus_point(ix->corpus, i));
        ix->part[i] = (uint16_t)best.id;
        ix->distance[i] = best.distance;
        ix->size[best.id]++;
    }
    uint32_t left = SETTLE_MAX * parts;
    for (uint32_t empty = first_empty(ix); empty < parts && left > 0; left--) {
        if (!settle(ix, empty)) {
            break;
        }
        empty = first_empty(ix);
    }
    uint32_t at = 0;
    for (uint32_t p = 0; p < parts; p++) {
        ix->first[p] = at;
        at += ix->size[p];
    }
    uint32_t *next = xmalloc(parts * sizeof *next);
    memcpy(next, ix->first, parts * sizeof *next);
    for (uint32_t i = 0; i < points; i++) {
        ix->ids[next[ix->part[i]]++] = i;
    }
    free(next);
}

/* --- making --- */

static bool fits(const struct corpus *c, const struct ivf_params *p, struct err *err)
{
    if (p->parts < 1 || p->parts > IVF_PARTS_MAX) {
        return err_set(err, "an index has 1 to %u parts, not %u", IVF_PARTS_MAX, p->parts);
    }
    if (p->parts > corpus_points(c)) {
        return err_set(err, "%u parts for %u points: a part has a point at least", p->parts,
                       corpus_points(c));
    }
    return p->rounds <= IVF_ROUNDS_MAX ||
           err_set(err, "k-means runs at most %u rounds, not %u", IVF_ROUNDS_MAX, p->rounds);
}

struct ivf *ivf_new(const struct corpus *c, const struct ivf_params *params, struct err *err)
{
    if (!fits(c, params, err)) {
        return NULL;
    }
    struct ivf *ix = xcalloc(1, sizeof *ix);
    uint32_t points = corpus_points(c);
    ix->corpus = c;
    ix->params = *params;
    ix->centroid = xcalloc(params->parts * corpus_stride(c), sizeof *ix->centroid);
    ix->part = xcalloc(points, sizeof *ix->part);
    ix->size = xcalloc(params->parts, sizeof *ix->size);
    ix->first = xcalloc(params->parts, sizeof *ix->first);
    ix->ids = xcalloc(points, sizeof *ix->ids);
    ix->sample = xcalloc(points, sizeof *ix->sample);
    ix->assigned = xcalloc(points, sizeof *ix->assigned);
    ix->distance = xcalloc(points, sizeof *ix->distance);
    learn(ix);
    assign(ix);
    free(ix->sample);
    free(ix->assigned);
    free(ix->distance);
    ix->sample = NULL;
    ix->assigned = NULL;
    ix->distance = NULL;
    return ix;
}

void ivf_free(struct ivf *ix)
{
    if (ix != NULL) {
        free(ix->centroid);
        free(ix->part);
        free(ix->size);
        free(ix->first);
        free(ix->ids);
        free(ix);
    }
}

/* --- reading --- */

const struct corpus *ivf_corpus(const struct ivf *ix)
{
    return ix->corpus;
}

uint32_t ivf_parts(const struct ivf *ix)
{
    return ix->params.parts;
}

uint32_t ivf_size(const struct ivf *ix, uint32_t part)
{
    CHECK(part < ix->params.parts);
    return ix->size[part];
}

uint32_t ivf_largest(const struct ivf *ix)
{
    return largest_of(ix->size, ix->params.parts);
}

uint32_t ivf_part_of(const struct ivf *ix, uint32_t id)
{
    CHECK(id < corpus_points(ix->corpus));
    return ix->part[id];
}

uint32_t ivf_part_at(const struct ivf *ix, const int16_t *at)
{
    return nearest_part(ix, at).id;
}

const int16_t *ivf_centroid(const struct ivf *ix, uint32_t part)
{
    CHECK(part < ix->params.parts);
    return centroid_at(ix, part);
}

const uint32_t *ivf_points(const struct ivf *ix, uint32_t part)
{
    CHECK(part < ix->params.parts);
    return &ix->ids[ix->first[part]];
}

/* --- searching --- */

static int compare(const void *left, const void *right)
{
    const struct neighbour *a = left, *b = right;
    if (a->distance != b->distance) {
        return a->distance < b->distance ? -1 : 1;
    }
    return a->id < b->id ? -1 : a->id > b->id;
}

void ivf_rank(const struct ivf *ix, const int16_t *query, struct neighbour *order)
{
    size_t stride = corpus_stride(ix->corpus);
    for (uint32_t p = 0; p < ix->params.parts; p++) {
        order[p] = (struct neighbour){vectors_distance(query, centroid_at(ix, p), stride), p};
    }
    qsort(order, ix->params.parts, sizeof *order, compare);
}

void ivf_search(const struct ivf *ix, const int16_t *query, const struct neighbour *order,
                uint32_t probe, size_t k, struct ivf_found *out)
{
    size_t stride = corpus_stride(ix->corpus);
    CHECK(probe <= ix->params.parts && k <= VECTORS_K_MAX);
    out->count = 0;
    out->scanned = 0;
    for (uint32_t i = 0; i < probe; i++) {
        const uint32_t *ids = ivf_points(ix, order[i].id);
        uint32_t size = ix->size[order[i].id];
        out->scanned += size;
        for (uint32_t n = 0; n < size; n++) {
            uint32_t d = vectors_distance(query, corpus_point(ix->corpus, ids[n]), stride);
            out->count = vectors_offer(out->found, out->count, k, (struct neighbour){d, ids[n]});
        }
    }
}
