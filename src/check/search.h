/*
 * search: every state that a model can reach, level by level, and the shortest way to a bad one.
 *
 * A level is all states as many steps away from a start. States are judged when they are found
 * (model->check) and when they are left (no step leads on, though nothing is finished). At the
 * first bad state its level is finished, then the best of all shortest ways is chosen: fewest
 * injected faults, then fewest changes of the actor, then the smallest list of actions, the start's
 * first. The choice
 * depends on the model alone: one thread and two give the same bytes. A model with `canon` has
 * names that change on the way; there the changes of the actor are not counted, and the steps are
 * told in the names of the start.
 *
 * Faults and changes of the actor are counted up to 255; beyond, ways are shortest still, and
 * decided by the list of actions.
 *
 * Backward, over all states that were found: a state can still finish when it is finished or a step
 * leads to one that can. What cannot is a failure as well, found last (options.live).
 *
 * A search that is cancelled or takes too long ends with CHECK_CUT as well, at a place that differs
 * each time; all else is the same each time, with one thread and two.
 *
 * Bounds are checked before memory is: a search that would not fit ends with CHECK_CUT, which says
 * nothing about what was not looked at. A bad state next to the last whole level is found and told
 * even so. Memory is reserved once, at the start.
 */
#ifndef HOTSHARD_CHECK_SEARCH_H
#define HOTSHARD_CHECK_SEARCH_H

#include "check/model.h"
#include <stdatomic.h>

#define CHECK_STUCK 0   /* nothing can happen any more, and it is not finished */
#define CHECK_DEAD (-1) /* something always can, but it can never be finished */

enum check_verdict {
    CHECK_HOLDS,
    CHECK_FAILS,
    CHECK_CUT
};

/* Why a search was cut. */
enum check_cut {
    CUT_ROOM, /* states_max or bytes_max */
    CUT_TIME,
    CUT_CANCELLED
};

/* How far a search is, for another thread to read while it runs; and the wish to end it. */
struct check_progress {
    _Atomic uint64_t states;
    _Atomic uint32_t depth;
    _Atomic bool cancel;
};

struct check_options {
    uint64_t states_max; /* at least 1 */
    uint64_t bytes_max;  /* for all that the search reserves */
    unsigned threads;    /* 1 or 2 */
    /* When nothing bad was found: look whether every state can still reach a finished one. Not in
     * a scope without finished states. */
    bool live;
    /* Then it is cut, unless a failure was found before; 0: never. Looked at between steps. */
    uint32_t ms_max;
    struct check_progress *progress; /* NULL: nobody asks */
    bool hashes_collide;             /* every state gets the same hash: slow, and the same result */
};

struct check_result {
    enum check_verdict verdict;
    uint64_t states;    /* different ones */
    uint64_t generated; /* with those that were met again, starts included */
    uint64_t bytes;     /* reserved */
    uint32_t depth;     /* CHECK_FAILS: steps to the failure; else how far all was looked at */
    enum check_cut cut; /* why, of CHECK_CUT */
    /* Situations of the model that some state was in, a bit each. Of a level that there was no room
     * for, nothing is told. */
    uint32_t reached;
    uint64_t dead;    /* states from which nothing finished can be reached; see options.live */
    int broken;       /* CHECK_FAILS: the code of model->check, or one of these two */
    uint16_t start;   /* the action of the start state, and the steps from there */
    uint16_t *action; /* `depth` of them; NULL unless CHECK_FAILS */
};

/* What an interactive check may take. */
struct check_options check_interactive(void);
/* Free the result with check_result_free. */
struct check_result check_search(const struct check_model *model, const struct check_scope *scope,
                                 const struct check_options *options);
/* The same from the state that these steps lead to, which the scope must allow (else false, and no
 * result): the shortest way on from there. The result's actions are the given steps and then those
 * that were found; its depth counts them all. */
bool check_search_from(const struct check_model *model, const struct check_scope *scope,
                       const struct check_options *options, uint16_t start, const uint16_t *action,
                       uint32_t steps, struct check_result *result);
void check_result_free(struct check_result *result);

/*
 * Takes the steps one by one in a world of its own and leaves the last state in `state` (room for
 * model->state_size bytes). Returns how many steps could be taken: fewer than `steps` when the
 * scope refuses one. The start must exist.
 */
size_t check_replay(const struct check_model *model, const struct check_scope *scope,
                    uint16_t start, const uint16_t *action, size_t steps, void *state);

#endif
