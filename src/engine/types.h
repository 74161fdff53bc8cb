/*
 * types: the small values that the whole engine speaks.
 *
 * Time is int64_t microseconds since midnight of the story's day. Rates are requests a second.
 * Entities are named by index, never by pointer.
 */
#ifndef HOTSHARD_ENGINE_TYPES_H
#define HOTSHARD_ENGINE_TYPES_H

#include <stdbool.h>
#include <stdint.h>

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
    NODE_OPERATOR
};

struct node {
    uint16_t kind;
    uint16_t index;
};

/* What a client asks for. A like adds one to a counter, a read returns it; an edit replaces. */
enum op_kind {
    OP_READ,
    OP_LIKE,
    OP_EDIT,
    OP_KINDS
};

/* What a row of a shard's slot table says. */
enum slot_state {
    SLOT_ABSENT,    /* no row: this shard never had the slot */
    SLOT_OWNED,     /* serves it, at this epoch */
    SLOT_MIGRATING, /* answers "migrating, retry" */
    SLOT_MOVED      /* answers MOVED to another shard, for ever */
};

/* How a request ended, and what a shard answers. */
enum outcome {
    OUTCOME_NONE, /* not decided yet */
    OUTCOME_OK,
    OUTCOME_OK_RELOAD, /* served; the router's map is older than the shard's row: reload it */
    OUTCOME_MOVED,
    OUTCOME_RETRY,   /* migrating, retry */
    OUTCOME_REFUSED, /* beyond the ceiling */
    OUTCOME_FAILED   /* the router gave up after ATTEMPTS_MAX */
};

#define ATTEMPTS_MAX 8
#define BACKOFF_FIRST_US INT64_C(10000) /* 10, 20, 40 ms ... after "migrating, retry" */

/* Traffic: see docs/story.md. */
enum arrivals {
    ARRIVALS_STEADY,    /* evenly spaced */
    ARRIVALS_SCATTERED, /* each whole second holds exactly the rate, at random instants */
    ARRIVALS_POISSON
};

/* Rules that make the protocol right; each can be switched off. Names: rule_name(). */
enum rule {
    RULE_SLOT_TABLE_CHECK, /* a shard looks into its slot table before it serves */
    RULE_RELOAD_ON_MOVED,  /* a router that was told MOVED fetches the map before it goes on */
    RULE_COUNT
};

const char *rule_name(enum rule rule);  /* "slot-table-check" */
const char *rule_about(enum rule rule); /* one sentence: what it demands */
bool rule_by_name(const char *name, enum rule *rule);
const char *op_name(enum op_kind op);
bool op_by_name(const char *name, enum op_kind *op);
const char *outcome_name(enum outcome outcome); /* "OK", "MOVED", "migrating, retry", ... */
const char *slot_state_name(enum slot_state state);

#endif
