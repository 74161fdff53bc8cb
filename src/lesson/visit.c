/*
 * visit: a row of the table opened. Its run is played again on a copy of the world that the row was
 * made from; that copy is then what player_world gives, and time may go on in it. Nothing of it is
 * kept: neither page nor journal change.
 */
#include "base/alloc.h"
#include "lesson/inside.h"
#include <stdlib.h>

struct visit {
    const char *label;    /* the page's */
    struct world *world;  /* as it is now */
    struct world *opened; /* as it was opened: one event back begins there */
    struct rates rates;
    bool measured;
    uint64_t events; /* when they were */
    int64_t now;
};

struct visit_job {
    struct player *player;
    size_t row;
    struct world *world;
};

void player_set_patience(struct player *p, struct player_patience patience)
{
    p->patience = patience;
}

static int open_job(lua_State *L)
{
    struct visit_job *job = lua_touserdata(L, 1);
    size_t fork = table_play_row(L, job->player, job->row);
    job->world = job->player->world[fork];
    job->player->world[fork] = NULL; /* it is no longer the call's */
    return 0;
}

bool player_visit(struct player *p, size_t row, struct err *err)
{
    const struct page *page = page_now(p);
    const struct page_table *t = page->table;
    if (t == NULL) {
        return err_set(err, "there is no table on this step");
    }
    if (run_under_way(p) || t->hidden) {
        return err_set(err, "the table is still covered: answer first");
    }
    if (row >= t->rows || !t->row[row].opens) {
        return err_set(
            err, row >= t->rows ? "the table has rows 1 to %d" : "this row has no run to open",
            (int)t->rows);
    }
    player_leave(p);
    struct visit_job job = {p, row, NULL};
    struct world *mine = table_begin(p);
    p->opening = true;
    bool good = player_job(p, PHASE_READ, open_job, &job, err);
    p->opening = false;
    table_end(p, mine);
    if (!good) {
        world_free(job.world);
        return false;
    }
    p->visit = xcalloc(1, sizeof *p->visit);
    p->visit->label = t->row[row].label;
    p->visit->world = job.world;
    p->visit->opened = world_copy(job.world);
    page_now(p)->visiting = p->visit->label;
    player_opened(p, "row", p->visit->label); /* a task may be just that */
    return true;
}

bool player_leave(struct player *p)
{
    struct visit *v = p->visit;
    if (v == NULL) {
        return false;
    }
    world_free(v->world);
    world_free(v->opened);
    free(v);
    p->visit = NULL;
    page_now(p)->visiting = "";
    return true;
}

bool visit_allows(const struct player *p, struct err *err)
{
    return p->visit == NULL ||
           err_set(err, "this is the run of \"%.60s\": leave it first (esc, or `leave`)",
                   p->visit->label);
}

const struct world *visit_world(const struct player *p)
{
    return p->visit->world;
}

const struct rates *visit_rates(struct player *p)
{
    struct visit *v = p->visit;
    if (!v->measured || v->events != world_events(v->world) || v->now != world_now(v->world)) {
        struct world *scratch = player_scratch(p, v->world);
        rates_at(v->world, scratch, &v->rates);
        v->measured = true;
        v->events = world_events(v->world);
        v->now = world_now(v->world);
    }
    return &v->rates;
}

bool visit_play(struct player *p, int64_t us, uint64_t events, struct err *err)
{
    struct world *w = p->visit->world;
    struct err why = {""};
    world_run_some(w, world_now(w) + us, events);
    return !world_stopped(w, &why) || err_set(err, "%s", why.text);
}

bool visit_event(struct player *p, struct err *err)
{
    return world_step(p->visit->world) || err_set(err, "nothing is left to happen here");
}

bool visit_event_back(struct player *p)
{
    struct visit *v = p->visit;
    uint64_t had = world_events(v->world), from = world_events(v->opened);
    if (had <= from) {
        return false;
    }
    world_copy_into(v->world, v->opened);
    if (had - 1 > from) {
        world_run_some(v->world, INT64_MAX, had - 1 - from);
    }
    return true;
}
