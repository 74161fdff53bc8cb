/*
 * haproxy: the rules by which HAProxy spreads requests over servers by a hash of 32 bits.
 *
 * `hash-type consistent`: server i of weight w has 16 * w points, point j at the avalanche of
 * id * 4096 + j; of the point at or after a hash and the one before it the nearer wins, the one
 * before of equals. With `hash-balance-factor` a server whose requests in flight reach its share is
 * passed over, point by point clockwise. `hash-type map-based`: the hash modulo the length of a
 * list in which each server stands as often as its weight says, the weights cut by their common
 * divisor.
 *
 * Positions are of 32 bits here, in the low half of ring_point.at; `index` is a position in the
 * list of servers. Source: HAProxy's manual (hash-type, hash-balance-factor) and the answers of
 * HAProxy 2.6.12; the keys' hashes are in client_hash.h.
 */
#ifndef HOTSHARD_PLACE_HAPROXY_H
#define HOTSHARD_PLACE_HAPROXY_H

#include "place/ring.h"

#define HAPROXY_POINTS_OF_WEIGHT 16u

struct haproxy_server {
    uint32_t id;
    uint32_t weight; /* 1 to 256, as there */
};

struct haproxy_ring {
    const struct haproxy_server *server; /* borrowed */
    uint32_t servers;
    struct ring_point *point;
    size_t count;
    uint32_t factor_pct; /* 0: no bound */
    uint64_t *in_flight; /* of each server */
    uint64_t total;
};

struct haproxy_ring *haproxy_ring_new(const struct haproxy_server *server, uint32_t servers,
                                      uint32_t factor_pct);
void haproxy_ring_free(struct haproxy_ring *ring); /* NULL is fine */
/* The point whose server has a hash's keys when none is full. */
size_t haproxy_nearest(const struct haproxy_ring *ring, uint32_t hash);
/* What a server may hold when one more request comes. */
uint64_t haproxy_share(const struct haproxy_ring *ring, uint32_t index);
/* Where a request goes; it is in flight until its release. */
uint32_t haproxy_assign(struct haproxy_ring *ring, uint32_t hash);
void haproxy_release(struct haproxy_ring *ring, uint32_t index);

/* The list of map-based hashing: positions in the list of servers. Caller frees. */
uint32_t *haproxy_map(const struct haproxy_server *server, uint32_t servers, size_t *length);

#endif
