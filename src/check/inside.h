/*
 * inside: what search and shortest share and nobody else needs.
 */
#ifndef HOTSHARD_CHECK_INSIDE_H
#define HOTSHARD_CHECK_INSIDE_H

#include "check/search.h"
#include "check/store.h"

struct search {
    const struct check_model *model;
    const struct check_scope *scope;
    struct store store;
    uint32_t from, to; /* positions of the level whose states are left next */
    uint32_t depth;    /* of that level */
    _Alignas(STORE_APART) _Atomic uint32_t taken;
    _Atomic uint64_t generated;
    _Atomic bool broken;  /* a state was found that breaks a promise */
    _Atomic bool stuck;   /* a state of the level has no way on and is not finished */
    _Atomic bool full;    /* a state was found that could not be kept */
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

/* How many states cannot reach one that is finished, when all are found. If there are any, the
 * search stands at the first level that has one. s->alive must be clear. */
uint64_t live_count(struct search *s);

/* Room for `states` of the model, freed with out_close. */
void out_open(struct check_out *out, const struct check_model *model, size_t states);
void out_close(struct check_out *out);
void out_clear(struct check_out *out);

static inline unsigned char *out_at(const struct check_out *out, size_t index)
{
    return out->state + index * out->state_size;
}

/* Fills start, action and broken of a result whose depth is set. The search stands at the level in
 * which the failure was found: bad states are next to it (broken) or in it (stuck, dead). */
void shortest_way(struct search *s, enum way_end end, struct check_result *result);

#endif
