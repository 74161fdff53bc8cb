/*
 * ketama: see ketama.h.
 */
#include "place/ketama.h"

#include "base/alloc.h"
#include "base/check.h"
#include "place/md5.h"
#include "place/ring_tokens.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#define NAME_MAX_BYTES 256
#define MEMCACHED_PORT 11211u
#define HIGH_HALF 32u

void ketama_name(enum ketama_naming naming, const char *host, unsigned port, struct str *out)
{
    switch (naming) {
    case KETAMA_COUCHBASE:
        str_addf(out, "%s:%u", host, port);
        return;
    case KETAMA_LIBMEMCACHED:
        str_addf(out, "%s", host);
        if (port != MEMCACHED_PORT) {
            str_addf(out, ":%u", port);
        }
        return;
    case KETAMA_SPYMEMCACHED:
        str_addf(out, "/%s:%u", host, port);
        return;
    }
}

void ketama_points(const char *name, uint32_t index, uint32_t first, uint32_t digests,
                   struct ring_point *out)
{
    for (uint32_t digest = first; digest < first + digests; digest++) {
        char text[NAME_MAX_BYTES];
        uint32_t word[KETAMA_POINTS_OF_DIGEST];
        int length = snprintf(text, sizeof text, "%s-%" PRIu32, name, digest);
        CHECK(length > 0 && (size_t)length < sizeof text);
        md5_words(text, (size_t)length, word);
        for (uint32_t i = 0; i < KETAMA_POINTS_OF_DIGEST; i++) {
            *out++ = (struct ring_point){(uint64_t)word[i] << HIGH_HALF, index,
                                         digest * KETAMA_POINTS_OF_DIGEST + i};
        }
    }
}

uint32_t ketama_digests(uint32_t weight, uint32_t total, uint32_t servers)
{
    float part = (float)weight / (float)total;
    float digests = part * 160.0F / 4.0F * (float)servers;
    return (uint32_t)floorf((float)((double)digests + 1e-10));
}

static void place(const struct ring *ring, uint32_t index, uint32_t token, uint32_t count,
                  struct ring_point *out)
{
    char name[32];
    (void)snprintf(name, sizeof name, "node%" PRIu32, ring->shard[index].id);
    ketama_points(name, index, token / KETAMA_POINTS_OF_DIGEST, count / KETAMA_POINTS_OF_DIGEST,
                  out);
}

static void *make(const struct layout_params *params, const struct shard_spec *shard,
                  uint32_t shards)
{
    struct ring *ring = xcalloc(1, sizeof *ring);
    unsigned bits = hash_bits(params->hash);
    ring->place = place;
    ring->tokens = KETAMA_DIGESTS * KETAMA_POINTS_OF_DIGEST;
    ring->together = KETAMA_POINTS_OF_DIGEST;
    ring->circle.up = bits < HIGH_HALF ? 64 - bits : HIGH_HALF; /* drops all but the low half */
    ring_start(ring, shard, shards);
    return ring;
}

static bool check(const struct layout_params *params, const struct shard_spec *shard,
                  uint32_t shards, struct err *err)
{
    (void)params;
    return ring_check_points(KETAMA_DIGESTS * KETAMA_POINTS_OF_DIGEST, shard, shards,
                             LAYOUT_POINTS_MAX, err);
}

const struct scheme scheme_ketama = {
    .name = "ketama",
    .about = "a ring of 32 bits: each MD5 digest of a server's name gives it four points",
    .cannot = "hash cheaply: every key costs an MD5 digest of which it uses four bytes",
    .source = "R. Jones, libketama (2007); libmemcached",
    .traits = SCHEME_WEIGHTS | SCHEME_ADD_MOVES_TO_NEW | SCHEME_REMOVE_MOVES_OWN,
    .default_hash = HASH_MD5,
    .make = make,
    .copy = ring_copy,
    .destroy = ring_destroy,
    .owner = circle_owner_of_hash,
    .owners = circle_owners_of_hashes,
    .add = ring_add,
    .remove = ring_remove,
    .weigh = ring_weigh,
    .memory = ring_memory,
    .check = check,
};
