/*
 * experiment: one function called many times, group by group in turn, while the learner watches. It
 * is what runs in a step that has one, in the place of a script.
 */
#include "base/alloc.h"
#include "base/check.h"
#include "base/num.h"
#include "lesson/inside.h"
#include "lesson/schema.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TRIES_A_SECOND 40            /* of watching at the usual speed */
#define WORK_MAX (20 * SANDBOX_WORK) /* units, of one experiment */
#define UNITS_AN_EVENT 10            /* for the limit of a check */
#define VALUE_MAX 4000000.0          /* fits in thousandths */

static struct page_experiment *results(struct player *p)
{
    return p->rehearsing ? p->rehearsed : page_now(p)->experiment;
}

void experiment_build(lua_State *L, struct player *p)
{
    struct step *s = step_now(p);
    if (!s->has_experiment) {
        return;
    }
    if (s->page.experiment == NULL) {
        s->page.experiment = xcalloc(1, sizeof *s->page.experiment);
    }
    struct page_experiment *e = s->page.experiment;
    push_field(L, "experiment");
    e->title = keep_field(L, p, &s->kept, "title");
    push_field(L, "groups");
    e->groups = (size_t)lua_rawlen(L, -1);
    for (size_t i = 0; i < e->groups; i++) {
        lua_rawgeti(L, -1, (lua_Integer)i + 1);
        e->group[i].label = keep_field(L, p, &s->kept, "label");
        push_field(L, "times");
        e->group[i].total = (size_t)lua_tointeger(L, -1);
        lua_pop(L, 2);
    }
    lua_pop(L, 2);
}

void experiment_forget(struct step *s)
{
    for (size_t i = 0; s->page.experiment != NULL && i < PAGE_GROUPS_MAX; i++) {
        s->page.experiment->group[i].done = 0;
    }
}

bool experiment_complete(const struct step *s)
{
    const struct page_experiment *e = s->page.experiment;
    for (size_t i = 0; e != NULL && i < e->groups; i++) {
        if (e->group[i].done < e->group[i].total) {
            return false;
        }
    }
    return e != NULL;
}

void experiment_begin(struct player *p)
{
    experiment_forget(step_now(p));
    p->trying = true;
    p->tries = 0;
    p->tries_us = 0;
    p->tries_work = 0;
    if (!p->rehearsing) {
        page_now(p)->running = true;
        page_now(p)->replays = false;
    }
}

/* --- one try --- */

struct try_job {
    struct player *player;
    size_t group, number;
    uint32_t value;
};

static int experiment_line(const struct player *p)
{
    int from = p->step[p->current].line, line = source_line(p, "experiment", from);
    return line > 0 ? line : from;
}

static int try_once(lua_State *L)
{
    struct try_job *job = lua_touserdata(L, 1);
    struct player *p = job->player;
    push_step(L, p->current);
    push_field(L, "experiment");
    push_field(L, "groups");
    lua_rawgeti(L, -1, (lua_Integer)job->group + 1);
    push_field(L, "try");
    lua_pushinteger(L, (lua_Integer)job->number);
    lua_call(L, 1, 1);
    double value = lua_tonumber(L, -1);
    if (lua_type(L, -1) != LUA_TNUMBER || !(value >= 0 && value <= VALUE_MAX)) {
        schema_fault(L, p, experiment_line(p),
                     "an experiment's 'try' gives a %s, not a number from 0 to 4000000",
                     luaL_typename(L, -1));
    }
    job->value = (uint32_t)floor(value * 1000 + 0.5);
    return 0;
}

/* The group that has done least of those that are not done; NULL when all are. */
static struct page_group *next_group(struct page_experiment *e)
{
    struct page_group *next = NULL;
    for (size_t i = 0; i < e->groups; i++) {
        struct page_group *g = &e->group[i];
        if (g->done < g->total && (next == NULL || g->done < next->done)) {
            next = g;
        }
    }
    return next;
}

static bool spend_work(struct player *p, struct err *err)
{
    int64_t used = SANDBOX_WORK - p->sandbox->meter.work;
    p->tries_work += used > 0 ? used : 0;
    spend_events(p, (uint64_t)(used > 0 ? used : 0) / UNITS_AN_EVENT);
    if (p->tries_work > WORK_MAX || pass_left(p) == 0) {
        return err_set(err, "%s:%d: the experiment is more work than a lesson may do",
                       source_name(p), experiment_line(p));
    }
    return true;
}

bool experiment_one(struct player *p, struct err *err)
{
    struct page_experiment *e = results(p);
    struct page_group *g = next_group(e);
    CHECK(p->trying && g != NULL);
    struct try_job job = {p, (size_t)(g - e->group), g->done + 1, 0};
    if (!player_job(p, PHASE_READ, try_once, &job, err) || !spend_work(p, err)) {
        return run_fault(p, err);
    }
    g->value[g->done++] = job.value;
    p->tries++;
    return next_group(e) != NULL || run_over(p, err);
}

bool experiment_advance(struct player *p, int64_t us, struct err *err)
{
    p->tries_us += us > 0 ? us : 0;
    size_t due = us < 0 ? SIZE_MAX : (size_t)(p->tries_us * TRIES_A_SECOND / 1000000);
    while (p->trying && p->tries < due) {
        if (!experiment_one(p, err)) {
            return false;
        }
    }
    return true;
}

/* --- for expressions --- */

static int by_value(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void set_number(lua_State *L, const char *name, uint64_t twice)
{
    lua_pushnumber(L, (lua_Number)twice / 2000.0);
    lua_setfield(L, -2, name);
}

static void push_group(lua_State *L, const struct page_group *g)
{
    uint32_t value[PAGE_LAYOUTS_MAX];
    memcpy(value, g->value, sizeof value);
    qsort(value, g->done, sizeof *value, by_value);
    lua_createtable(L, 0, 5);
    lua_pushstring(L, g->label);
    lua_setfield(L, -2, "label");
    lua_pushinteger(L, (lua_Integer)g->done);
    lua_setfield(L, -2, "done");
    size_t last = g->done > 0 ? g->done - 1 : 0;
    bool any = g->done > 0;
    set_number(L, "median", any ? (uint64_t)value[last / 2] + value[(last + 1) / 2] : 0);
    set_number(L, "least", any ? 2 * (uint64_t)value[0] : 0);
    set_number(L, "most", any ? 2 * (uint64_t)value[last] : 0);
}

bool experiment_push(lua_State *L, struct player *p)
{
    const struct page_experiment *e = results(p);
    if (e == NULL) {
        return false;
    }
    sandbox_charge(L, 4000);
    lua_createtable(L, (int)e->groups, 0);
    for (size_t i = 0; i < e->groups; i++) {
        push_group(L, &e->group[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return true;
}
