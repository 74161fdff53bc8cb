/*
 * lease: a budget of tokens a second, leased in blocks: pre-aggregation for a limiter.
 *
 * The budget is held at one shard and counts what was granted in the present second. A router asks
 * for a block and spends it without asking again. A token lives no longer than the second in which
 * its router asked for it: what arrives later, and what a crashed router still held, is lost, which
 * spends too little and never too much.
 *
 * With RULE_LEASE_ONCE off, a block stays in the budget until its router reports that it is spent,
 * with the next ask: until then others are granted the same tokens.
 *
 * `second` counts whole seconds of the clock, modulo 2^32.
 */
#ifndef HOTSHARD_PROTO_LEASE_H
#define HOTSHARD_PROTO_LEASE_H

#include "proto/rule.h"
#include <stdint.h>

/* At the shard. */
struct lease_budget {
    uint64_t used; /* of the second's tokens */
    uint32_t second;
    uint32_t unused;
};

struct lease_ask {
    uint32_t rate;   /* tokens a second that there are */
    uint32_t want;   /* at most so many */
    uint32_t spent;  /* of the block before, as its router reports */
    uint32_t second; /* it is now */
};

/* How many tokens are granted: `want`, or as many as are left of this second. */
uint32_t lease_grant(struct lease_budget *b, uint64_t rules, const struct lease_ask *ask);

/* At a router. */
struct lease_core {
    uint32_t tokens; /* left of the block */
    uint32_t second; /* in which they can be spent */
    uint32_t spent;  /* of blocks, not yet reported */
    uint8_t asking;  /* a block is on its way; it is good for `second` only */
    uint8_t dry;     /* the shard said that nothing is left of `second` */
    uint8_t unused[2];
};

_Static_assert(sizeof(struct lease_budget) == 16 && sizeof(struct lease_core) == 16,
               "bytes without holes");

enum lease_choice {
    LEASE_SPEND, /* a token of the block is spent */
    LEASE_ASK,   /* ask for a block and wait for it */
    LEASE_WAIT,  /* wait for the block under way */
    LEASE_DRY    /* nothing is left of this second */
};

/* A token is wanted. The caller then asks the shard and calls lease_asked when the choice says so.
 */
enum lease_choice lease_take(struct lease_core *l, uint32_t second);
/* What the ask is to report as spent. */
uint32_t lease_asked(struct lease_core *l);
/* The shard has granted so many, 0: nothing is left. False: they came too late to be spent. */
bool lease_landed(struct lease_core *l, uint32_t second, uint32_t granted);
void lease_failed(struct lease_core *l);
/* The router lost its memory. */
void lease_crashed(struct lease_core *l);

#endif
