/*
 * inside: what search, live, shortest and replay share and nobody else needs.
 */
#ifndef HOTSHARD_CHECK_INSIDE_H
#define HOTSHARD_CHECK_INSIDE_H

#include "check/search.h"
#include "check/store.h"

/* Why a search ends before it is done. */
enum search_ends {
    ENDS_NOT,
    ENDS_TIME,
    ENDS_CANCELLED
};

/* Steps that were taken before the search starts. */
struct before {
    unsigned char state[CHECK_STATE_MAX]; /* that they lead to, in the names of the start */
    uint16_t start;
    uint16_t last; /* action */
    uint32_t steps;
};

struct search {
    const struct check_model *model;
    const struct check_scope *scope;
    const struct before *before;     /* NULL: from the start states */
    struct check_progress *progress; /* NULL: nobody asks */
    uint64_t ms_end;                 /* of the clock, 0: never */
    struct store store;
    uint32_t from, to; /* positions of the level whose states are left next */
    uint32_t depth;    /* of that level */
    uint32_t left;     /* how many states were left, whole levels */
    _Alignas(STORE_APART) _Atomic uint32_t taken;
    _Atomic uint64_t generated;
    _Atomic bool broken; /* a state was found that breaks a promise */
    _Atomic bool stuck;  /* a state of the level has no way on and is not finished */
    _Atomic bool full;   /* a state was found that could not be kept */
    _Atomic int ends;    /* enum search_ends */
    _Atomic uint32_t reached;
    unsigned char *alive; /* after live_count: a bit for each state that can still finish */
};

/* What a shortest way leads to. */
enum way_end {
    WAY_TO_BROKEN,
    WAY_TO_STUCK,
    WAY_TO_DEAD /* a state from which nothing that is finished can be reached */
};

static inline bool live_at(const struct search *s, uint32_t position)
{
    return (s->alive[position / 8] >> position % 8 & 1) != 0;
}

#define SEARCH_ASKS_EACH 64u /* states, between two calls of search_ends */

/* Whether to stop here, because it was cancelled or (if it is to end at its time) it took too long;
 * and says how many states there are. */
bool search_ends(struct search *s, bool at_its_time);

/* How many states cannot reach one that is finished, when all are found. If there are any, the
 * search stands at the first level that has one. s->alive must be clear. Says nothing when the
 * search ends meanwhile. */
uint64_t live_count(struct search *s);

/* Room for `states` of the model, freed with out_close. */
void out_open(struct check_out *out, const struct check_model *model, size_t states);
void out_close(struct check_out *out);
void out_clear(struct check_out *out);

static inline unsigned char *out_at(const struct check_out *out, size_t index)
{
    return out->state + index * out->state_size;
}

/* The state of a start; false when there is none of this name. */
bool replay_start(const struct check_model *model, const struct check_scope *scope, uint16_t start,
                  void *state);

/* Fills start, action and broken of a result whose depth is set. The search stands at the level in
 * which the failure was found: bad states are next to it (broken) or in it (stuck, dead). Fills
 * nothing when the search is cancelled meanwhile. */
void shortest_way(struct search *s, enum way_end end, struct check_result *result);

#endif
