/*
 * bounded_loads: the worked example of bounded loads, played. Ten servers with 100 points each, 200
 * requests a tick of 10,000 keys with Zipf 1.1, each in flight for five ticks, 500 ticks.
 */
#ifndef HOTSHARD_TESTS_BOUNDED_LOADS_H
#define HOTSHARD_TESTS_BOUNDED_LOADS_H

#include "base/prng.h"
#include "blake2b.h"
#include "place/bounded.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define LOADS_SERVERS 10u
#define LOADS_POINTS 100u
#define LOADS_KEYS 10000u
#define LOADS_TICKS 500u
#define LOADS_A_TICK 200u
#define LOADS_STAY 5u
#define LOADS_NO_BOUND (100 * LOADS_SERVERS) /* percent */

struct bounded_loads {
    double median, worst; /* busiest over average */
    double usual_pct;     /* requests that went to their ring's owner */
};

static inline int loads_point_order(const void *left, const void *right)
{
    const struct ring_point *a = left;
    const struct ring_point *b = right;
    return a->at < b->at ? -1 : a->at > b->at;
}

static inline int loads_double_order(const void *left, const void *right)
{
    const double *a = left;
    const double *b = right;
    return *a < *b ? -1 : *a > *b;
}

static inline void loads_ring(struct ring_point point[LOADS_SERVERS * LOADS_POINTS])
{
    for (uint32_t s = 0; s < LOADS_SERVERS; s++) {
        for (uint32_t i = 0; i < LOADS_POINTS; i++) {
            char name[32];
            (void)snprintf(name, sizeof name, "s%u#%u", s, i);
            point[s * LOADS_POINTS + i] = (struct ring_point){blake2b_8(name), s, i};
        }
    }
    qsort(point, (size_t)LOADS_SERVERS * LOADS_POINTS, sizeof *point, loads_point_order);
}

/* How probable each key is, added up. */
static inline void loads_zipf(double below[LOADS_KEYS])
{
    double sum = 0;
    for (uint32_t k = 0; k < LOADS_KEYS; k++) {
        sum += pow((double)k + 1, -1.1);
        below[k] = sum;
    }
    for (uint32_t k = 0; k < LOADS_KEYS; k++) {
        below[k] /= sum;
    }
}

static inline uint32_t loads_draw(const double below[LOADS_KEYS], struct prng *random)
{
    double at = (double)(prng_next(random) >> 11) / 0x1p53;
    uint32_t low = 0;
    uint32_t high = LOADS_KEYS - 1;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (below[middle] <= at) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static inline double loads_over_average(const struct bounded_ring *ring)
{
    uint64_t most = 0;
    for (uint32_t s = 0; s < LOADS_SERVERS; s++) {
        most = ring->in_flight[s] > most ? ring->in_flight[s] : most;
    }
    return (double)most * LOADS_SERVERS / (double)ring->total;
}

static inline struct bounded_loads bounded_loads_play(uint32_t factor_pct, uint64_t seed)
{
    static struct ring_point point[LOADS_SERVERS * LOADS_POINTS];
    static double below[LOADS_KEYS];
    static uint64_t position[LOADS_KEYS];
    static uint32_t went[LOADS_STAY][LOADS_A_TICK];
    static double over[LOADS_TICKS];
    size_t points = sizeof point / sizeof point[0];
    struct prng random = prng_seeded(seed, "bounded loads");
    uint64_t usual = 0;
    loads_ring(point);
    loads_zipf(below);
    for (uint32_t k = 0; k < LOADS_KEYS; k++) {
        char name[32];
        (void)snprintf(name, sizeof name, "k%u", k);
        position[k] = blake2b_8(name);
    }
    struct bounded_ring *ring = bounded_ring_new(point, points, NULL, LOADS_SERVERS, factor_pct);
    for (uint32_t tick = 0; tick < LOADS_TICKS; tick++) {
        uint32_t *here = went[tick % LOADS_STAY];
        for (uint32_t i = 0; i < LOADS_A_TICK && tick >= LOADS_STAY; i++) {
            bounded_ring_release(ring, here[i]);
        }
        for (uint32_t i = 0; i < LOADS_A_TICK; i++) {
            uint64_t at = position[loads_draw(below, &random)];
            here[i] = bounded_ring_assign(ring, at);
            usual += here[i] == point[ring_find(point, points, at)].index;
        }
        over[tick] = loads_over_average(ring);
    }
    bounded_ring_free(ring);
    qsort(over, LOADS_TICKS, sizeof *over, loads_double_order);
    return (struct bounded_loads){.median = (over[LOADS_TICKS / 2 - 1] + over[LOADS_TICKS / 2]) / 2,
                                  .worst = over[LOADS_TICKS - 1],
                                  .usual_pct =
                                      100.0 * (double)usual / (LOADS_TICKS * LOADS_A_TICK)};
}

#endif
