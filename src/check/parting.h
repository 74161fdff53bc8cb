/*
 * parting: where the full protocol parts from a way that fails, and what it does there instead.
 *
 * The steps of the way are taken one by one, without the rules and with them. A step that the full
 * protocol has as well, by other words, goes otherwise; one that it has not may still have a kin in
 * it, the same deed done as the rules will have it: a shard that answers refuses instead. A fault
 * can never be refused: where the full protocol has not that step, it changes nothing there. Else
 * the step does not take place.
 */
#ifndef HOTSHARD_CHECK_PARTING_H
#define HOTSHARD_CHECK_PARTING_H

#include "check/search.h"

struct parting_step {
    uint32_t step;          /* from 1; 0: there is none */
    bool taken;             /* otherwise, as `told`; else it does not take place */
    struct check_told told; /* without a word when it is not taken */
};

struct check_parting {
    /* The first step that differs: it is told otherwise or not taken. When all are told alike it is
     * the first after which the states differ. */
    struct parting_step first;
    /* The first that the full protocol has not as it is; where it has all of them, as `first`. Up
     * to there its steps can be told and played. */
    struct parting_step last;
};

/* `result` is of `scope` and fails; `rules` hold in the protocol that it is compared with. */
struct check_parting check_part(const struct check_model *model, const struct check_scope *scope,
                                const struct check_result *result, uint32_t rules);

#endif
