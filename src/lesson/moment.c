/*
 * moment: where the player's world is in time. It goes on by helpings, so that nobody waits for
 * long, and sets marks on the way: copies of the world, from the last command on, of which the
 * newest few are kept. One event back is the nearest mark, played up to there.
 */
#include "base/check.h"
#include "lesson/inside.h"

#define MARK_EVENTS UINT64_C(50000) /* from mark to mark: some milliseconds */
#define NEAR_EVENTS UINT64_C(1000)  /* a second step back from the same place is shorter still */

static void note_head(struct player *p)
{
    if (p->world[0] != NULL && !p->rehearsing) {
        p->head_events = world_events(p->world[0]);
        p->head_now = world_now(p->world[0]);
        p->behind = false;
    }
}

/* Over an old copy, if there is one. */
static void copy_to(struct world **to, const struct world *from)
{
    if (*to == NULL) {
        *to = world_copy(from);
    } else {
        world_copy_into(*to, from);
    }
}

void anchor_set(struct player *p)
{
    if (p->world[0] == NULL || p->rehearsing || p->unwatched) {
        return;
    }
    copy_to(&p->mark[0], p->world[0]);
    p->marks = 1;
    p->near_set = false;
    note_head(p);
}

void marks_free(struct player *p)
{
    for (size_t i = 0; i < MARKS_MAX; i++) {
        world_free(p->mark[i]);
    }
    world_free(p->near);
}

static void mark_when_due(struct player *p)
{
    const struct world *w = p->world[0];
    if (p->rehearsing || p->marks == 0 ||
        world_events(w) < world_events(p->mark[p->marks - 1]) + MARK_EVENTS) {
        return;
    }
    if (p->marks == MARKS_MAX) { /* the oldest gives its room */
        struct world *oldest = p->mark[0];
        for (size_t i = 1; i < MARKS_MAX; i++) {
            p->mark[i - 1] = p->mark[i];
        }
        p->mark[--p->marks] = oldest;
    }
    copy_to(&p->mark[p->marks], w);
    p->marks++;
}

bool world_go(struct player *p, int64_t time, bool answered, uint64_t *events)
{
    struct world *w = p->world[0];
    bool there = false;
    do {
        uint64_t before = world_events(w);
        uint64_t most = *events < MARK_EVENTS ? *events : MARK_EVENTS;
        there = answered ? world_run_some_answered(w, time, most) : world_run_some(w, time, most);
        *events -= world_events(w) - before;
        mark_when_due(p);
    } while (!there && *events > 0);
    if (!p->behind || world_events(w) >= p->head_events) {
        note_head(p);
    }
    return there;
}

bool world_one(struct player *p)
{
    bool any = world_step(p->world[0]);
    mark_when_due(p);
    note_head(p);
    return any;
}

void catch_up(struct player *p)
{
    struct world *w = p->world[0];
    if (!p->behind || w == NULL) {
        return;
    }
    while (world_events(w) < p->head_events && world_step(w)) {
    }
    if (world_now(w) < p->head_now) {
        world_run_until(w, p->head_now);
    }
    p->behind = false;
}

/* --- one event --- */

bool player_event(struct player *p, struct err *err)
{
    struct world *w = p->world[0];
    int64_t next = 0;
    if (p->trying) {
        return experiment_one(p, err);
    }
    if (w == NULL) {
        return err_set(err, "nothing runs in this drill");
    }
    if (p->visit != NULL) {
        return visit_event(p, err);
    }
    bool any = world_next_time(w, &next);
    if (p->co == NULL) {
        p->let_pass = p->let_pass || world_all_answered(w);
        if (!any || !world_one(p)) {
            return err_set(err, "nothing is left to happen: send a request first");
        }
        return passed(p, err);
    }
    return run_event(p, any && next < p->wait.until, err);
}

/* The newest copy that is not past so many events. */
static const struct world *nearest(const struct player *p, uint64_t events)
{
    const struct world *best = p->mark[0];
    for (size_t i = 1; i < p->marks && world_events(p->mark[i]) <= events; i++) {
        best = p->mark[i];
    }
    bool nearer = p->near_set && world_events(p->near) <= events &&
                  world_events(p->near) > world_events(best);
    return nearer ? p->near : best;
}

bool player_event_back(struct player *p)
{
    struct world *w = p->world[0];
    if (p->visit != NULL) {
        return visit_event_back(p);
    }
    if (w == NULL || p->marks == 0 || world_events(w) <= world_events(p->mark[0])) {
        return false;
    }
    uint64_t target = world_events(w) - 1;
    world_copy_into(w, nearest(p, target));
    if (target - world_events(w) > NEAR_EVENTS) {
        world_run_some(w, INT64_MAX, target - world_events(w) - NEAR_EVENTS);
        copy_to(&p->near, w);
        p->near_set = true;
    }
    while (world_events(w) < target) {
        CHECK(world_step(w));
    }
    p->changes++;
    p->behind = true;
    return true;
}
