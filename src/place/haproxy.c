/*
 * haproxy: see haproxy.h.
 */
#include "place/haproxy.h"

#include "base/alloc.h"
#include "base/check.h"
#include "place/client_hash.h"
#include <stdlib.h>

#define ID_STEP 4096u

static int by_position(const void *left, const void *right)
{
    const struct ring_point *a = left;
    const struct ring_point *b = right;
    if (a->at != b->at) {
        return a->at < b->at ? -1 : 1;
    }
    if (a->index != b->index) {
        return a->index < b->index ? -1 : 1;
    }
    return a->token < b->token ? -1 : a->token > b->token;
}

static uint64_t weights_of(const struct haproxy_server *server, uint32_t servers)
{
    uint64_t weights = 0;
    for (uint32_t i = 0; i < servers; i++) {
        CHECK(server[i].weight > 0 && server[i].weight <= ID_STEP / HAPROXY_POINTS_OF_WEIGHT);
        weights += server[i].weight;
    }
    return weights;
}

struct haproxy_ring *haproxy_ring_new(const struct haproxy_server *server, uint32_t servers,
                                      uint32_t factor_pct)
{
    struct haproxy_ring *ring = xcalloc(1, sizeof *ring);
    CHECK(servers > 0 && (factor_pct == 0 || factor_pct > 100));
    ring->server = server;
    ring->servers = servers;
    ring->factor_pct = factor_pct;
    ring->in_flight = xcalloc(servers, sizeof *ring->in_flight);
    ring->point =
        xcalloc(weights_of(server, servers) * HAPROXY_POINTS_OF_WEIGHT, sizeof *ring->point);
    for (uint32_t i = 0; i < servers; i++) {
        for (uint32_t j = 0; j < server[i].weight * HAPROXY_POINTS_OF_WEIGHT; j++) {
            uint32_t at = haproxy_avalanche(server[i].id * ID_STEP + j);
            ring->point[ring->count++] = (struct ring_point){at, i, j};
        }
    }
    qsort(ring->point, ring->count, sizeof *ring->point, by_position);
    return ring;
}

void haproxy_ring_free(struct haproxy_ring *ring)
{
    if (ring) {
        free(ring->point);
        free(ring->in_flight);
        free(ring);
    }
}

size_t haproxy_nearest(const struct haproxy_ring *ring, uint32_t hash)
{
    size_t next = ring_find(ring->point, ring->count, hash);
    size_t before = next > 0 ? next - 1 : ring->count - 1;
    uint32_t to_next = (uint32_t)ring->point[next].at - hash; /* round the end as well */
    uint32_t to_before = hash - (uint32_t)ring->point[before].at;
    return to_before <= to_next ? before : next;
}

/* All slots are shared out by weight; what does not divide goes to servers so that the first ones
 * together never have less than their part, rounded down. */
uint64_t haproxy_share(const struct haproxy_ring *ring, uint32_t index)
{
    uint64_t slots = ((ring->total + 1) * ring->factor_pct + 99) / 100;
    uint64_t weights = weights_of(ring->server, ring->servers);
    uint64_t before = weights_of(ring->server, index);
    uint64_t weight = ring->server[index].weight;
    uint64_t rest = slots % weights;
    uint64_t share =
        weight * (slots / weights) + (before + weight) * rest / weights - before * rest / weights;
    return share > 0 ? share : 1;
}

uint32_t haproxy_assign(struct haproxy_ring *ring, uint32_t hash)
{
    size_t at = haproxy_nearest(ring, hash);
    if (ring->factor_pct > 0) {
        size_t steps = 0;
        while (ring->in_flight[ring->point[at].index] >=
               haproxy_share(ring, ring->point[at].index)) {
            CHECK(steps++ < ring->count);
            at = (at + 1) % ring->count;
        }
    }
    uint32_t index = ring->point[at].index;
    ring->in_flight[index]++;
    ring->total++;
    return index;
}

void haproxy_release(struct haproxy_ring *ring, uint32_t index)
{
    CHECK(index < ring->servers && ring->in_flight[index] > 0);
    ring->in_flight[index]--;
    ring->total--;
}

static uint32_t common_divisor(uint32_t a, uint32_t b)
{
    while (b != 0) {
        uint32_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Each entry goes to the server with the best score (the first of equals). A score gains the weight
 * at every entry and loses all weights when its server gets one; it counts in whole multiples of
 * all weights only. */
uint32_t *haproxy_map(const struct haproxy_server *server, uint32_t servers, size_t *length)
{
    uint32_t divisor = 0;
    CHECK(servers > 0);
    for (uint32_t i = 0; i < servers; i++) {
        divisor = common_divisor(divisor, server[i].weight);
    }
    int64_t total = (int64_t)(weights_of(server, servers) / divisor);
    int64_t *score = xcalloc(servers, sizeof *score);
    uint32_t *map = xcalloc((size_t)total, sizeof *map);
    for (int64_t entry = 0; entry < total; entry++) {
        uint32_t best = 0;
        int64_t most = -1;
        for (uint32_t i = 0; i < servers; i++) {
            score[i] += server[i].weight / divisor;
            int64_t worth = (score[i] + total) / total;
            if (worth > most) {
                most = worth;
                best = i;
            }
        }
        map[entry] = best;
        score[best] -= total;
    }
    free(score);
    *length = (size_t)total;
    return map;
}
