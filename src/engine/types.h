/*
 * types: the small values that the whole engine speaks.
 *
 * Time is int64_t microseconds since midnight of the story's day. Rates are requests a second.
 * Entities are named by index, never by pointer.
 */
#ifndef HOTSHARD_ENGINE_TYPES_H
#define HOTSHARD_ENGINE_TYPES_H

#include "proto/rule.h"
#include "proto/terms.h"

#define ZONES_MAX 4
#define KEY_BYTES_MAX 64
#define SHARD_NONE UINT16_MAX
#define KEY_NONE_ID UINT32_MAX

/* Who takes part. A node is a kind and an index: R3 is {NODE_ROUTER, 3}. Clients are one a zone. */
enum node_kind {
    NODE_NONE,
    NODE_CLIENT,
    NODE_ROUTER,
    NODE_SHARD,
    NODE_DIRECTORY,
    NODE_OPERATOR,
    NODE_MACHINE, /* N1 is index 0 (nodes.h) */
    NODE_SYSTEM   /* by its id (systems.h) */
};

struct node {
    uint16_t kind;
    uint16_t index;
};

#define ATTEMPTS_MAX 8
#define BACKOFF_FIRST_US INT64_C(10000) /* 10, 20, 40 ms ... after "migrating, retry" */

/* Traffic: see docs/story.md. */
enum arrivals {
    ARRIVALS_STEADY,    /* evenly spaced */
    ARRIVALS_SCATTERED, /* each whole second holds exactly the rate, at random instants */
    ARRIVALS_POISSON
};

#endif
