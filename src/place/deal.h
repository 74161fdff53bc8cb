/*
 * deal: pieces of work dealt to workers, who wait for one another at the end.
 *
 * The work is a keyset: each item has a name, and its load is what it costs (bytes, or time). Each
 * worker does what it was dealt, one after the other, and all wait at a barrier for the slowest:
 * that is when the round ends, and what the others wait is lost. Five ways to deal:
 *
 *     turn   one after the other: item i goes to worker i mod n
 *     rows   n runs of equally many items, in their order
 *     hash   by the hash of the item's name, mod n
 *     bytes  n runs of equal sums, in their order: an item is where its middle falls
 *     steal  more pieces than workers, runs of equally many items; whoever is free takes the next
 *
 * `turn` and `steal` deal pieces; `pieces` 0 means one an item for `turn`, eight a worker for
 * `steal` (never more than items). `overhead` is what taking a piece costs on top, which is why
 * pieces are not as small as can be. A deal is a plain value: it borrows nothing.
 */
#ifndef HOTSHARD_PLACE_DEAL_H
#define HOTSHARD_PLACE_DEAL_H

#include "place/keyset.h"

#define DEAL_WORKERS_MAX 64
#define DEAL_PIECES_MAX 65536
#define DEAL_COST_MAX UINT64_C(1000000000000) /* of all items, and of taking the pieces */

enum deal_by {
    DEAL_TURN,
    DEAL_ROWS,
    DEAL_HASH,
    DEAL_BYTES,
    DEAL_STEAL,
    DEAL_COUNT
};

struct deal_params {
    enum deal_by by;
    uint32_t workers, pieces;
    enum hash_id hash;
    uint64_t overhead;
};

struct deal_worker {
    uint64_t items, pieces;
    uint64_t cost;   /* of its items */
    uint64_t finish; /* and of taking its pieces: when it is at the barrier */
};

struct deal {
    struct deal_params params; /* with `pieces` as it was dealt */
    struct deal_worker worker[DEAL_WORKERS_MAX];
    uint64_t items, cost; /* of all */
    uint64_t longest;     /* the dearest item */
    uint64_t barrier;     /* the slowest worker's finish */
    uint32_t slowest;     /* which one, the first of equals */
    uint64_t busy;        /* all finishes together */
};

/* Fails (false, with err) without items or workers, beyond the limits, or when `pieces` is given to
 * a way that cuts by itself. */
bool deal_make(struct deal *out, struct keyset *items, struct deal_params params, struct err *err);
/* How much of the workers' time until the barrier is spent waiting, in thousandths. */
uint32_t deal_idle(const struct deal *d);
const char *deal_by_name(enum deal_by by);

/* Synthetic work: item i is called "part-00000" on; costs are drawn evenly from low to high. So
 * many percent are long ones, drawn from high to high x longer, `run` of them side by side. */
struct deal_work {
    uint32_t count;
    uint64_t low, high;
    uint32_t long_pct, longer, run;
    uint64_t seed;
};
bool deal_work(struct keyset *out, struct deal_work work, struct err *err);
/* The name of item `number` of a list without names, for `hash`. */
#define DEAL_NAME_MAX 24
struct bytes deal_item_name(char out[DEAL_NAME_MAX], size_t number);

#endif
