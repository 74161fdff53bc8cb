/*
 * promise: what a cluster promises about each event, and the first promise that it broke.
 *
 * Some promises cannot be seen in a state, only when something happens: a read that returned less
 * than it had to, a MOVED that taught nothing. Whoever handles that event looks, and leaves a note
 * here; invariant_hold reads it. The first stays.
 */
#ifndef HOTSHARD_ENGINE_PROMISE_H
#define HOTSHARD_ENGINE_PROMISE_H

#include <stdint.h>

struct world;

enum promise {
    PROMISE_NONE,
    PROMISE_READ_ALL_ACKED,  /* a plain read returns every like acknowledged before it was asked,
                                and no less than a read that ended before; one that is coalesced by
                                key the former alone: floor, value */
    PROMISE_READ_ONLY_LIKES, /* and nothing that nobody liked: likes there are, value */
    PROMISE_MOVED_TEACHES,   /* MOVED names a newer epoch than was asked with: asked, told */
    PROMISE_EPOCH_RISES,     /* a slot table's row never falls back: old epoch, new */
    PROMISE_AFTER_WRITE,     /* a router hands nobody who asks after a write that it saw completed
                                what was asked for before it: when the write, when that (us) */
    PROMISE_ONE_FETCH,       /* it fetches a key once at a time: 1, 2 */
    PROMISE_AGE,             /* an answer is no older than its bound: bound, age (us) */
    PROMISE_SLOT_ONCE,       /* a query over all shards counts each slot once: slot, its number */
    PROMISE_MARKED,          /* its result lacks slots exactly if it is marked partial: slots, in */
    PROMISE_DEADLINE,        /* and ends by its deadline: microseconds, of these */
    PROMISE_COUNT
};

struct broken_promise {
    uint8_t promise;  /* enum promise */
    uint32_t key;     /* KEY_NONE_ID: of no key */
    uint64_t request; /* number, 0 if none */
    int64_t due, found;
};

void promise_broken(struct world *w, enum promise promise, uint64_t request, uint32_t key,
                    int64_t due, int64_t found);

#endif
