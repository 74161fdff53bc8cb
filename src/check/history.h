/*
 * history: whether what clients saw of one key could have come from one copy of it that does one
 * thing at a time: linearizability.
 *
 * An operation takes effect at some instant between its call and its answer. The question is
 * whether there are such instants by which every read returns what a register (the value written
 * last) or a counter (the sum of all that was added) holds then. Two operations of which one was
 * answered at the very instant at which the other was called may take effect in either order.
 *
 * An operation that was never answered may have taken effect at any time since its call, or never;
 * a read of that kind says nothing.
 *
 * The search is that of Wing and Gong with the states it has been in remembered (Lowe). What needs
 * no trying is not tried: a read that may come next and fits comes next; of writes that are alike
 * the one that must be done first. So a counter to which everybody adds the same is decided without
 * search. Else it may take exponential time: after so many nodes the answer is "undecided", which
 * says nothing in either direction.
 */
#ifndef HOTSHARD_CHECK_HISTORY_H
#define HOTSHARD_CHECK_HISTORY_H

#include <stddef.h>
#include <stdint.h>

#define HISTORY_NEVER INT64_MAX /* as `returned`: nobody knows whether it was done */

enum history_kind {
    HISTORY_REGISTER,
    HISTORY_COUNTER
};

struct history_op {
    int64_t invoked, returned; /* instants; invoked <= returned */
    int64_t value;             /* that was read, written, or added */
    uint8_t read;              /* or written, or added */
    uint8_t unused[7];
};

enum history_verdict {
    HISTORY_LINEARIZABLE,
    HISTORY_NOT,
    HISTORY_UNDECIDED
};

/* All of one key's. */
struct history {
    const struct history_op *op; /* in any order */
    uint32_t count;
    enum history_kind kind;
    int64_t start;      /* the value before the first */
    uint32_t nodes_max; /* states that may be looked at: 1 or more */
};

struct history_result {
    enum history_verdict verdict;
    uint32_t nodes;
    /* Not linearizable: after as many operations as could be put into an order, `placed` of them,
     * this one was the next to be answered and did not fit. Indices into `op`. */
    uint32_t placed, stuck;
    /* Linearizable: how many of them take effect, and in which order; free it with
     * history_result_free. Else NULL. */
    uint32_t *order;
    uint32_t length;
};

struct history_result history_check(const struct history *history);
void history_result_free(struct history_result *result);

#endif
