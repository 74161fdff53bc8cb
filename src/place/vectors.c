/*
 * vectors: a synthetic corpus of embeddings.
 */
#include "place/vectors.h"
#include "base/alloc.h"
#include "base/check.h"
#include "base/prng.h"
#include <stdlib.h>
#include <string.h>

#define LANES 8         /* coordinates that are compared together */
#define BELL_DRAWS 6    /* uniform draws whose sum is nearly bell-shaped */
#define BELL_RANGE 1024 /* of one draw */
#define BELL_SPREAD 724 /* the standard deviation of the sum */
#define STRAY_PCT 5u    /* points that belong to no group */
#define MARGIN 400      /* group centres keep so far from the edge */
#define WEIGHT_MAX 5u   /* the largest group over the smallest, about */
#define EXTENT_LOW 90   /* standard deviation of a group along an axis */
#define EXTENT_MORE 200 /* and so much more at most */
/* In many dimensions groups lie farther apart: to meet as in two they are wider. */
#define EXTENT_MANY 4
#define LEAN_MAX 100 /* how much an axis follows the one before it, in percent */
#define QUERY_STREAM "vectors-query"

struct group {
    uint32_t weight;
    int16_t centre[VECTORS_DIMS_MAX];
    int16_t extent[VECTORS_DIMS_MAX];
    int16_t lean[VECTORS_DIMS_MAX]; /* percent of the offset on the axis before, -100 to 100 */
};

struct corpus {
    struct corpus_params params;
    size_t stride;
    struct group *group; /* NULL: given points */
    uint32_t weights;
    int16_t *at;
};

static size_t stride_for(uint32_t dims)
{
    return dims == 2 ? 2 : ((size_t)dims + LANES - 1) / LANES * LANES;
}

static int64_t bell(struct prng *random, int64_t spread)
{
    int64_t sum = 0;
    for (int i = 0; i < BELL_DRAWS; i++) {
        sum += (int64_t)prng_below(random, BELL_RANGE);
    }
    return (sum - BELL_DRAWS * (BELL_RANGE - 1) / 2) * spread / BELL_SPREAD;
}

static int16_t within(int64_t at)
{
    return (int16_t)(at < 0 ? 0 : at >= VECTORS_SPACE ? VECTORS_SPACE - 1 : at);
}

static void make_groups(struct corpus *c)
{
    struct prng random = prng_seeded(c->params.seed, "vectors-groups");
    int64_t wider = c->params.dims > 2 ? EXTENT_MANY : 1;
    for (uint32_t g = 0; g < c->params.groups; g++) {
        struct group *group = &c->group[g];
        group->weight = 1 + (uint32_t)prng_below(&random, WEIGHT_MAX);
        c->weights += group->weight;
        for (uint32_t d = 0; d < c->params.dims; d++) {
            group->centre[d] =
                (int16_t)(MARGIN + (int64_t)prng_below(&random, VECTORS_SPACE - 2 * MARGIN));
            group->extent[d] =
                (int16_t)((EXTENT_LOW + (int64_t)prng_below(&random, EXTENT_MORE)) * wider);
            group->lean[d] = (int16_t)((int64_t)prng_below(&random, 2 * LEAN_MAX + 1) - LEAN_MAX);
        }
    }
}

static const struct group *draw_group(const struct corpus *c, struct prng *random)
{
    if (c->group == NULL || prng_chance(random, STRAY_PCT, 100)) {
        return NULL;
    }
    uint64_t at = prng_below(random, c->weights);
    const struct group *group = c->group;
    while (at >= group->weight) {
        at -= group->weight;
        group++;
    }
    return group;
}

static void draw(const struct corpus *c, struct prng *random, int16_t *out)
{
    const struct group *group = draw_group(c, random);
    int64_t before = 0; /* the offset on the axis before */
    for (uint32_t d = 0; d < c->params.dims; d++) {
        if (group == NULL) {
            out[d] = (int16_t)prng_below(random, VECTORS_SPACE);
            continue;
        }
        int64_t offset = bell(random, group->extent[d]) + before * group->lean[d] / 100;
        out[d] = within(group->centre[d] + offset);
        before = offset;
    }
}

static struct corpus *empty(const struct corpus_params *params, struct err *err)
{
    if (params->points < 1 || params->points > VECTORS_POINTS_MAX) {
        err_set(err, "a corpus has 1 to %u points, not %u", VECTORS_POINTS_MAX, params->points);
        return NULL;
    }
    if (params->dims < 2 || params->dims > VECTORS_DIMS_MAX) {
        err_set(err, "a vector has 2 to %u dimensions, not %u", VECTORS_DIMS_MAX, params->dims);
        return NULL;
    }
    struct corpus *c = xcalloc(1, sizeof *c);
    c->params = *params;
    c->stride = stride_for(params->dims);
    c->at = xcalloc(params->points * c->stride, sizeof *c->at);
    return c;
}

struct corpus *corpus_new(const struct corpus_params *params, struct err *err)
{
    if (params->groups < 1 || params->groups > VECTORS_GROUPS_MAX) {
        err_set(err, "a corpus has 1 to %u groups, not %u", VECTORS_GROUPS_MAX, params->groups);
        return NULL;
    }
    struct corpus *c = empty(params, err);
    if (c == NULL) {
        return NULL;
    }
    c->group = xcalloc(params->groups, sizeof *c->group);
    make_groups(c);
    struct prng random = prng_seeded(params->seed, "vectors-points");
    for (uint32_t i = 0; i < params->points; i++) {
        draw(c, &random, &c->at[i * c->stride]);
    }
    return c;
}

struct corpus *corpus_of(const int16_t *at, uint32_t points, uint32_t dims, struct err *err)
{
    struct corpus *c = empty(&(struct corpus_params){.points = points, .dims = dims}, err);
    for (uint32_t i = 0; c != NULL && i < points; i++) {
        for (uint32_t d = 0; d < dims; d++) {
            c->at[i * c->stride + d] = within(at[(size_t)i * dims + d]);
        }
    }
    return c;
}

void corpus_free(struct corpus *c)
{
    if (c != NULL) {
        free(c->group);
        free(c->at);
        free(c);
    }
}

const struct corpus_params *corpus_params_of(const struct corpus *c)
{
    return &c->params;
}

uint32_t corpus_points(const struct corpus *c)
{
    return c->params.points;
}

uint32_t corpus_dims(const struct corpus *c)
{
    return c->params.dims;
}

size_t corpus_stride(const struct corpus *c)
{
    return c->stride;
}

const int16_t *corpus_point(const struct corpus *c, uint32_t id)
{
    CHECK(id < c->params.points);
    return &c->at[id * c->stride];
}

void corpus_query(const struct corpus *c, uint32_t n, int16_t *out)
{
    struct prng random = prng_seeded(c->params.seed ^ mix64(n), QUERY_STREAM);
    memset(out, 0, c->stride * sizeof *out);
    draw(c, &random, out);
}

/* --- nearness --- */

uint32_t vectors_distance(const int16_t *a, const int16_t *b, size_t stride)
{
    int32_t sum[LANES] = {0}, all = 0;
    if (stride == 2) {
        int32_t x = a[0] - b[0], y = a[1] - b[1];
        return (uint32_t)(x * x + y * y);
    }
    for (size_t i = 0; i < stride; i += LANES) {
        for (size_t k = 0; k < LANES; k++) {
            int32_t difference = a[i + k] - b[i + k];
            sum[k] += difference * difference;
        }
    }
    for (size_t k = 0; k < LANES; k++) {
        all += sum[k];
    }
    return (uint32_t)all;
}

static bool nearer(struct neighbour a, struct neighbour b)
{
    return a.distance != b.distance ? a.distance < b.distance : a.id < b.id;
}

size_t vectors_offer(struct neighbour *list, size_t count, size_t most, struct neighbour n)
{
    if (most == 0 || (count == most && !nearer(n, list[count - 1]))) {
        return count;
    }
    size_t at = count < most ? count++ : most - 1;
    while (at > 0 && nearer(n, list[at - 1])) {
        list[at] = list[at - 1];
        at--;
    }
    list[at] = n;
    return count;
}

size_t corpus_near(const struct corpus *c, const int16_t *query, size_t k, struct neighbour *out)
{
    size_t count = 0;
    for (uint32_t i = 0; i < c->params.points; i++) {
        uint32_t distance = vectors_distance(query, &c->at[i * c->stride], c->stride);
        count = vectors_offer(out, count, k, (struct neighbour){distance, i});
    }
    return count;
}

size_t vectors_common(const struct neighbour *a, size_t a_count, const struct neighbour *b,
                      size_t b_count)
{
    size_t common = 0;
    for (size_t i = 0; i < a_count; i++) {
        for (size_t k = 0; k < b_count; k++) {
            common += a[i].id == b[k].id;
        }
    }
    return common;
}
