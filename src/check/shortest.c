/*
 * shortest: the best of all shortest ways to a bad state, after the search has found that there
 * is one.
 *
 * The levels are gone through once more, from the last back to the first. Each state learns the
 * cost of the best way from it to a bad state, and by which actors such a way may start: a way that
 * arrives with one of these actors changes none, any other changes one. That is all that costs
 * need to know of each other, so one word a state is exact: 8 bits for faults, 8 for changes of the
 * actor, 16 for the actors; no actor means no way. Then the way is walked forward, at each state
 * by the smallest action among the best.
 */
#include "base/alloc.h"
#include "check/inside.h"
#include <stdlib.h>
#include <string.h>

#define ANY_ACTOR UINT32_C(0xFFFF)
#define COUNT_MAX 255u
#define NO_WAY 0u
#define NO_ACTOR CHECK_ACTORS_MAX

struct way {
    struct search *s;
    struct check_out out;
    uint32_t *level; /* where each level starts; one more entry ends the last */
    uint32_t levels; /* that are kept */
    enum way_end end;
};

/* The order of costs: faults first. */
static uint32_t cost_of(uint32_t faults, uint32_t changes)
{
    faults = faults < COUNT_MAX ? faults : COUNT_MAX;
    changes = changes < COUNT_MAX ? changes : COUNT_MAX;
    return faults << 8 | changes;
}

/* The cost of a step by `action` onto what `word` says of the state it leads to. */
static uint32_t cost_through(const struct way *way, uint16_t action, uint32_t word)
{
    const struct check_model *model = way->s->model;
    uint32_t fault = model->fault && model->fault(action) ? 1 : 0;
    uint32_t change = (word & ANY_ACTOR) >> model->actor(action) & 1 ? 0 : 1;
    return cost_of((word >> 24) + fault, (word >> 16 & COUNT_MAX) + change);
}

static uint32_t actors_of(const struct way *way, uint16_t action)
{
    CHECK(way->s->model->actor(action) < CHECK_ACTORS_MAX);
    /* Names that change on the way cannot be compared: then no change is counted. */
    return way->s->model->canon ? ANY_ACTOR : UINT32_C(1) << way->s->model->actor(action);
}

/* What is known of a state one step beyond `level`; a copy of it is changed by canon. */
static uint32_t word_beyond(const struct way *way, uint32_t level, const void *state)
{
    struct search *s = way->s;
    unsigned char copy[CHECK_STATE_MAX];
    memcpy(copy, state, s->model->state_size);
    if (s->model->canon) {
        s->model->canon(s->scope, copy);
    }
    if (level + 1 == way->levels) {
        bool bad = way->end == WAY_TO_BROKEN && s->model->check(s->scope, copy) != 0;
        return bad ? ANY_ACTOR : NO_WAY;
    }
    uint32_t at = store_find(&s->store, copy);
    bool one_further =
        at != STORE_NONE && at >= way->level[level + 1] && at < way->level[level + 2];
    return one_further ? s->store.cost[at] : NO_WAY;
}

static uint32_t word_of(struct way *way, uint32_t level, uint32_t position)
{
    const struct search *s = way->s;
    const void *state = store_at(&s->store, position);
    uint32_t best = NO_WAY;
    out_clear(&way->out);
    if (way->end == WAY_TO_DEAD && level + 1 == way->levels) {
        return live_at(s, position) ? NO_WAY : ANY_ACTOR;
    }
    s->model->next(s->scope, state, &way->out);
    if (way->end == WAY_TO_STUCK && level + 1 == way->levels) {
        return way->out.count == 0 && !s->model->finished(s->scope, state) ? ANY_ACTOR : NO_WAY;
    }
    for (size_t i = 0; i < way->out.count; i++) {
        uint32_t word = word_beyond(way, level, out_at(&way->out, i));
        if (word == NO_WAY) {
            continue;
        }
        uint32_t cost = cost_through(way, way->out.action[i], word);
        uint32_t actors = actors_of(way, way->out.action[i]);
        if (best == NO_WAY || cost < best >> 16) {
            best = cost << 16 | actors;
        } else if (cost == best >> 16) {
            best |= actors;
        }
    }
    return best;
}

/* The first state of each level keeps where the level before starts, until costs take its room. */
static void find_levels(struct way *way)
{
    struct search *s = way->s;
    way->levels = s->depth + 1;
    way->level = xcalloc((size_t)way->levels + 1, sizeof *way->level);
    way->level[way->levels] = s->to;
    way->level[way->levels - 1] = s->from;
    for (uint32_t i = way->levels - 1; i > 0; i--) {
        way->level[i - 1] = s->store.cost[way->level[i]];
    }
    CHECK(way->level[0] == 0);
}

/* Returns whether it came to the end. */
static bool learn_costs(struct way *way)
{
    for (uint32_t level = way->levels; level-- > 0;) {
        for (uint32_t at = way->level[level]; at < way->level[level + 1]; at++) {
            if (at % SEARCH_ASKS_EACH == 0 && search_ends(way->s, false)) {
                return false;
            }
            way->s->store.cost[at] = word_of(way, level, at);
        }
    }
    return true;
}

/* The start of the best way, and its state. */
static void choose_start(struct way *way, bool bad_itself, struct check_result *result,
                         unsigned char *state)
{
    struct search *s = way->s;
    uint32_t best = UINT32_MAX;
    if (s->before) {
        result->start = s->before->start;
        memcpy(state, s->before->state, s->model->state_size);
        return;
    }
    out_clear(&way->out);
    s->model->init(s->scope, &way->out);
    for (size_t i = 0; i < way->out.count; i++) {
        unsigned char copy[CHECK_STATE_MAX];
        memcpy(copy, out_at(&way->out, i), s->model->state_size);
        if (s->model->canon) {
            s->model->canon(s->scope, copy);
        }
        uint32_t word = NO_WAY;
        if (bad_itself) {
            word = s->model->check(s->scope, copy) != 0 ? ANY_ACTOR : NO_WAY;
        } else {
            word = s->store.cost[store_find(&s->store, copy)];
        }
        uint16_t action = way->out.action[i];
        bool better = best == UINT32_MAX || word >> 16 < best ||
                      (word >> 16 == best && action < result->start);
        if (word != NO_WAY && better) {
            best = word >> 16;
            result->start = action;
            memcpy(state, out_at(&way->out, i), s->model->state_size);
        }
    }
    CHECK(best != UINT32_MAX);
}

/* One step on; `last` is the actor of the step before. */
static uint16_t take_best(struct way *way, uint32_t level, unsigned *last, unsigned char *state)
{
    const struct search *s = way->s;
    size_t chosen = SIZE_MAX;
    uint32_t best = UINT32_MAX;
    out_clear(&way->out);
    s->model->next(s->scope, state, &way->out);
    for (size_t i = 0; i < way->out.count; i++) {
        uint16_t action = way->out.action[i];
        uint32_t word = word_beyond(way, level, out_at(&way->out, i));
        if (word == NO_WAY) {
            continue;
        }
        uint32_t cost = cost_through(way, action, word);
        if (!s->model->canon && *last != NO_ACTOR && *last != s->model->actor(action)) {
            cost = cost_of(cost >> 8, (cost & COUNT_MAX) + 1);
        }
        if (cost < best || (cost == best && action < way->out.action[chosen])) {
            best = cost;
            chosen = i;
        }
    }
    CHECK(chosen != SIZE_MAX);
    *last = s->model->actor(way->out.action[chosen]);
    memcpy(state, out_at(&way->out, chosen), s->model->state_size);
    return way->out.action[chosen];
}

/* From the start on, when all costs are known. */
static void walk(struct way *way, bool start_is_bad, struct check_result *result)
{
    struct search *s = way->s;
    unsigned char state[CHECK_STATE_MAX];
    unsigned last = NO_ACTOR;
    if (s->before && s->before->steps > 0) {
        last = s->model->actor(s->before->last);
    }
    choose_start(way, start_is_bad, result, state);
    result->action = xcalloc((size_t)result->depth + 1, sizeof *result->action);
    for (uint32_t i = 0; i < result->depth; i++) {
        result->action[i] = take_best(way, i, &last, state);
    }
    result->broken = way->end == WAY_TO_BROKEN  ? s->model->check(s->scope, state)
                     : way->end == WAY_TO_STUCK ? CHECK_STUCK
                                                : CHECK_DEAD;
    CHECK(way->end != WAY_TO_BROKEN || result->broken != 0);
}

void shortest_way(struct search *s, enum way_end end, struct check_result *result)
{
    struct way way = {.s = s, .end = end};
    bool start_is_bad = end == WAY_TO_BROKEN && result->depth == 0;
    out_open(&way.out, s->model, CHECK_STEPS_MAX);
    find_levels(&way);
    if (start_is_bad || learn_costs(&way)) {
        walk(&way, start_is_bad, result);
    }
    free(way.level);
    out_close(&way.out);
}
