/*
 * ketama: memcached's ring. One MD5 digest of "name-number" gives four points of 32 bits, and a
 * server has 40 digests, so 160 points. A key stands at the first four bytes of its own digest. All
 * numbers are read little-endian.
 *
 * The layout names shard s "node<s>" and gives weight w 40 * w / 100 digests, rounded, so that no
 * other shard's points depend on it. The memcached clients differ in how they write a server's name
 * and count the digests of a weight by the total of all weights: the functions below do as they do.
 *
 * Sources: R. Jones's libketama (2007); Couchbase's sdk-rfcs 0026; libmemcached 1.1.4, weighted,
 * in its own way and in spymemcached's.
 */
#ifndef HOTSHARD_PLACE_KETAMA_H
#define HOTSHARD_PLACE_KETAMA_H

#include "place/ring.h"

#define KETAMA_POINTS_OF_DIGEST 4u
#define KETAMA_DIGESTS 40u /* of a server of usual weight */

extern const struct scheme scheme_ketama;

enum ketama_naming {
    KETAMA_COUCHBASE,    /* host:port */
    KETAMA_LIBMEMCACHED, /* host, and :port unless it is 11211 */
    KETAMA_SPYMEMCACHED  /* /host:port */
};

/* A server's name as its points are hashed from it, in `out`. */
void ketama_name(enum ketama_naming naming, const char *host, unsigned port, struct str *out);
/* The points of digests `first` and on, `digests` of them: four a digest, positions of 32 bits in
 * the upper half of `at`, `index` as their shard. */
void ketama_points(const char *name, uint32_t index, uint32_t first, uint32_t digests,
                   struct ring_point *out);
/* Digests of a weighted server by libmemcached's rule, in its single precision. */
uint32_t ketama_digests(uint32_t weight, uint32_t total, uint32_t servers);

#endif
