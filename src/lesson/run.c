/*
 * run: a step's run is a coroutine; its waits are what the player moves the world through. Here
 * too: the worlds of a player, and asking what is right on a copy.
 */
#include "base/alloc.h"
#include "base/check.h"
#include "base/num.h"
#include "lesson/inside.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WAIT_EVENTS UINT64_C(2000) /* what a script costs between two waits, in events */

/* --- calls and worlds --- */

void forks_drop(struct player *p, size_t keep)
{
    for (size_t i = keep + 1; i <= p->forks; i++) {
        world_free(p->world[i]);
        p->world[i] = NULL;
        p->generation[i]++;
    }
    p->forks = keep < p->forks ? keep : p->forks;
}

void call_over(struct player *p)
{
    forks_drop(p, 0);
    p->filling = false;
    p->call_events = 0;
    p->call_story = 0;
    p->call_states = 0;
    owners_forget(p);
    shelf_free(&p->shelf);
    p->call++;
}

/* Where an error is that no line of the lesson's own code raised. */
static void place_set(struct player *p)
{
    int line = p->steps > 0 && step_now(p)->line > 0 ? step_now(p)->line : 1;
    snprintf(p->sandbox->place, sizeof p->sandbox->place, "%s:%d", source_name(p), line);
}

bool player_job(struct player *p, enum phase phase, lua_CFunction body, void *argument,
                struct err *err)
{
    p->phase = phase;
    place_set(p);
    bool good = call_job(p->sandbox, body, argument, err);
    p->phase = PHASE_LOAD;
    call_over(p);
    return good;
}

void worlds_restore(struct player *p, const struct world *from, size_t journal_length)
{
    if (from == NULL) {
        return;
    }
    world_copy_into(p->world[0], from);
    journal_truncate(&p->journal, journal_length);
    p->changes++;
    anchor_set(p);
}

bool apply_journaled(struct player *p, const struct command *c, struct err *err)
{
    size_t length = p->journal.text.length;
    if (!p->rehearsing) {
        journal_command(&p->journal, p->world[0], c);
    }
    if (!world_apply(p->world[0], c, err)) {
        journal_truncate(&p->journal, length);
        return false;
    }
    p->changes++;
    return true;
}

/* --- the run --- */

bool run_under_way(const struct player *p)
{
    return p->co != NULL || p->trying;
}

void run_abandon(struct player *p)
{
    p->co = NULL; /* the next run takes its place in the registry; Lua collects it then */
    p->trying = false;
    p->wait = (struct wait){0};
    call_over(p);
    if (!p->rehearsing && p->steps > 0) {
        page_now(p)->running = false;
    }
}

/* The step is as it was entered; what cannot be had is passed over, so that one can go on. */
bool run_fault(struct player *p, struct err *err)
{
    struct step *s = step_now(p);
    run_abandon(p);
    if (p->rehearsing) {
        return false;
    }
    worlds_restore(p, s->entry, s->journal_length);
    if (s->kind != QUESTION_NONE) {
        s->page.question.state = QUESTION_SKIPPED;
    }
    s->run_done = true;
    s->page.replays = false;
    s->page.task_skipped = s->has_task;
    if (err != NULL) {
        struct err whole;
        err_set(&whole, "%s (the step was undone; going on passes over it)", err->text);
        *err = whole;
    }
    return false;
}

bool goal_check(struct player *p, struct err *err)
{
    struct step *s = step_now(p);
    struct page *page = &s->page;
    bool waiting = run_under_way(p) || !s->run_done ||
                   (s->kind != QUESTION_NONE && page->question.state == QUESTION_OPEN);
    if (!s->has_task || page->task_met || page->task_skipped || waiting || p->rehearsing) {
        return true;
    }
    if (s->opened != NULL) {
        page->task_met = s->opened_met;
        return true;
    }
    struct goal_job job = {p, false};
    if (!player_job(p, PHASE_READ, judge_goal, &job, err)) {
        page->task_skipped = true; /* or the fault would come back at every tick */
        return false;
    }
    page->task_met = job.holds;
    return true;
}

bool judge_now(struct player *p, struct err *err)
{
    struct verdict verdict = {0};
    struct judge_job job = {p, &verdict};
    bool asked = step_now(p)->kind != QUESTION_NONE && !step_now(p)->acts; /* or judged before */
    bool good = !asked || (player_job(p, PHASE_READ, judge_ask, &job, err) &&
                           player_job(p, PHASE_READ, judge_show, &job, err));
    good = good && player_job(p, PHASE_READ, page_after, p, err);
    if (good && asked && p->verdict != NULL) {
        verdict_free(p->verdict);
        *p->verdict = verdict;
    } else {
        verdict_free(&verdict);
    }
    return good;
}

bool run_judge(struct player *p, struct err *err)
{
    struct step *s = step_now(p);
    s->run_done = true;
    s->page.replays = false;
    return judge_now(p, err) ? goal_check(p, err) : run_fault(p, err);
}

bool run_over(struct player *p, struct err *err)
{
    run_abandon(p);
    if (p->world[0] != NULL) {
        anchor_set(p);
    }
    return p->rehearsing || run_judge(p, err);
}

/* The coroutine stays in the registry until the next one. */
static int create(lua_State *L)
{
    struct player *p = lua_touserdata(L, 1);
    lua_State *co = lua_newthread(L); /* p, thread */
    lua_pushvalue(L, -1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &lesson_key_run);
    push_step(L, p->current); /* p, thread, step */
    acts_push_run(L, p);      /* p, thread, step, run */
    if (p->world[0] != NULL) {
        api_push_world(L, 0);
    } else {
        lua_pushnil(L);
    }
    lua_xmove(L, co, 2);
    p->co = co;
    return 0;
}

static bool resume(struct player *p, int arguments, struct err *err)
{
    p->wait = (struct wait){0};
    p->phase = PHASE_RUN;
    place_set(p);
    p->sandbox->meter = p->run_meter;
    enum call_end end = call_resume(p->sandbox, p->co, arguments, err);
    p->run_meter = p->sandbox->meter;
    p->phase = PHASE_LOAD;
    if (end == CALL_WAITS) {
        anchor_set(p);
        return true;
    }
    if (end == CALL_FAILED) {
        return run_fault(p, err);
    }
    return run_over(p, err);
}

bool run_begin(struct player *p, struct err *err)
{
    CHECK(!run_under_way(p));
    if (step_now(p)->has_experiment) {
        experiment_begin(p);
        return true;
    }
    if (!player_job(p, PHASE_RUN, create, p, err)) {
        p->co = NULL;
        return run_fault(p, err);
    }
    sandbox_refill(p->sandbox);
    p->run_meter = p->sandbox->meter;
    p->run_played = 0;
    p->run_events = 0;
    if (!p->rehearsing) {
        page_now(p)->running = true;
        page_now(p)->replays = false;
    }
    return resume(p, 1, err);
}

/* Event by event: the world stands still at the very one that brings the phase. */
static bool move_to_phase(struct player *p, int64_t time, uint64_t *events)
{
    bool there = false;
    while (*events > 0 && !there) {
        uint64_t one = 1;
        if (api_phase_reached(p->world[0], p->wait.slot, p->wait.phase) != REACHED_NOT_YET) {
            break;
        }
        there = world_go(p, time, false, &one);
        *events -= 1 - one;
    }
    return api_phase_reached(p->world[0], p->wait.slot, p->wait.phase) == REACHED;
}

/* Moves the world towards what the run waits for, at most `us` and `events`, which it counts down;
 * true when it is there. */
static bool move_towards(struct player *p, int64_t us, uint64_t *events)
{
    struct world *w = p->world[0];
    int64_t span = p->wait.until - world_now(w);
    int64_t time = world_now(w) + (us < 0 || us > span ? span : us);
    bool answered = p->wait.kind == WAIT_ANSWERED;
    if (p->wait.kind == WAIT_PHASE) {
        return move_to_phase(p, time, events);
    }
    if (!world_go(p, time, answered, events)) {
        return false;
    }
    return answered ? world_all_answered(w) : world_now(w) >= p->wait.until;
}

void spend_events(struct player *p, uint64_t events)
{
    p->run_events += events;
    p->pass_events += events;
}

uint64_t pass_left(const struct player *p)
{
    return p->pass_events < p->pass_max ? p->pass_max - p->pass_events : 0;
}

static uint64_t run_left(const struct player *p)
{
    uint64_t run = p->run_events < RUN_EVENTS_MAX ? RUN_EVENTS_MAX - p->run_events : 0;
    return run < pass_left(p) ? run : pass_left(p);
}

static bool wait_failed(struct player *p, struct err *err)
{
    struct world *w = p->world[0];
    struct err why = {""};
    if (world_stopped(w, &why)) {
        err_set(err, "%s: %s", p->wait.at, why.text);
        return true;
    }
    if (run_left(p) == 0) {
        bool pass = pass_left(p) == 0;
        err_set(err, "%s: too much traffic: %s at most %s events", p->wait.at,
                pass ? "a check plays, all steps together," : "one run plays",
                num_grouped((int64_t)(pass ? p->pass_max : RUN_EVENTS_MAX)).text);
        return true;
    }
    if (p->wait.kind == WAIT_PHASE) {
        bool never = api_phase_reached(w, p->wait.slot, p->wait.phase) == REACHED_NEVER;
        if (never || world_now(w) >= p->wait.until) {
            err_set(err, "%s: slot %u %s '%s'", p->wait.at, p->wait.slot,
                    never ? "cannot come to the phase" : "is not by then in the phase",
                    p->wait.phase);
            return true;
        }
    }
    if (p->wait.kind == WAIT_ANSWERED && world_now(w) >= p->wait.until) {
        err_set(err, "%s: what was sent is not answered within %d seconds", p->wait.at,
                (int)(ANSWER_MAX_US / 1000000));
        return true;
    }
    return false;
}

bool run_advance(struct player *p, int64_t us, uint64_t events, struct err *err)
{
    if (p->trying) {
        return experiment_advance(p, us, err);
    }
    while (p->co != NULL && events > 0) {
        int64_t from = world_now(p->world[0]);
        uint64_t left = run_left(p);
        uint64_t most = left < events ? left : events, rest = most;
        bool there = move_towards(p, us, &rest);
        spend_events(p, most - rest);
        events -= most - rest;
        if (us >= 0) {
            us -= world_now(p->world[0]) - from;
        }
        if (!there && wait_failed(p, err)) {
            return run_fault(p, err);
        }
        if (!there) {
            return true;
        }
        if (!resume(p, 0, err)) {
            return false;
        }
        events -= events < WAIT_EVENTS ? events : WAIT_EVENTS;
    }
    return true;
}

/* --- one event --- */

bool run_event(struct player *p, bool any, struct err *err)
{
    if (!any) {
        return run_advance(p, p->wait.until - world_now(p->world[0]), UINT64_MAX, err);
    }
    spend_events(p, 1);
    world_one(p);
    bool there = (p->wait.kind == WAIT_ANSWERED && world_all_answered(p->world[0])) ||
                 (p->wait.kind == WAIT_PHASE &&
                  api_phase_reached(p->world[0], p->wait.slot, p->wait.phase) == REACHED);
    return !there || resume(p, 0, err);
}

/* --- asking on a copy --- */

bool rehearse(struct player *p, struct verdict *v, struct err *err)
{
    struct step *s = step_now(p);
    struct world *mine = p->world[0];
    struct judge_job job = {p, v};
    p->rehearsing = true;
    if (s->page.experiment != NULL) {
        p->rehearsed = xmalloc(sizeof *p->rehearsed);
        *p->rehearsed = *s->page.experiment;
    }
    p->world[0] = mine != NULL ? world_copy(mine) : NULL;
    p->changes++;
    bool good = true;
    if (s->has_run && !s->run_done && !s->acts) {
        good = run_begin(p, err) && run_advance(p, -1, UINT64_MAX, err);
    }
    good = good && player_job(p, PHASE_READ, judge_ask, &job, err);
    world_free(p->world[0]);
    p->world[0] = mine;
    p->changes++;
    free(p->rehearsed);
    p->rehearsed = NULL;
    p->rehearsing = false;
    return good;
}
