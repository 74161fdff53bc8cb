/*
 * run: a step's run is a coroutine; its waits are what the player moves the world through. Here
 * too: the worlds of a player, and asking what is right on a copy.
 */
#include "base/check.h"
#include "lesson/inside.h"
#include <stdlib.h>
#include <string.h>

/* --- calls and worlds --- */

void call_over(struct player *p)
{
    for (size_t i = 1; i <= p->forks; i++) {
        world_free(p->world[i]);
        p->world[i] = NULL;
        p->generation[i]++;
    }
    p->forks = 0;
    p->call_events = 0;
}

bool player_job(struct player *p, enum phase phase, lua_CFunction body, void *argument,
                struct err *err)
{
    p->phase = phase;
    bool good = call_job(p->sandbox, body, argument, err);
    p->phase = PHASE_LOAD;
    call_over(p);
    return good;
}

static void note_head(struct player *p)
{
    if (p->world[0] != NULL && !p->rehearsing) {
        p->head_events = world_events(p->world[0]);
        p->head_now = world_now(p->world[0]);
        p->behind = false;
    }
}

void anchor_set(struct player *p)
{
    if (p->world[0] == NULL || p->rehearsing) {
        return;
    }
    if (p->anchor == NULL) {
        p->anchor = world_copy(p->world[0]);
    } else {
        world_copy_into(p->anchor, p->world[0]);
    }
    note_head(p);
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

void run_abandon(struct player *p)
{
    p->co = NULL; /* the next run takes its place in the registry; Lua collects it then */
    p->wait = (struct wait){0};
    call_over(p);
    if (!p->rehearsing && p->steps > 0) {
        page_now(p)->running = false;
    }
}

/* The step is as it was entered; what cannot be had is passed over, so that one can go on. */
static bool run_fault(struct player *p, struct err *err)
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
    bool waiting = p->co != NULL || !s->run_done ||
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
    bool good =
        step_now(p)->kind == QUESTION_NONE || (player_job(p, PHASE_READ, judge_ask, &job, err) &&
                                               player_job(p, PHASE_READ, judge_show, &job, err));
    good = good && player_job(p, PHASE_READ, page_after, p, err);
    verdict_free(&verdict);
    return good;
}

bool run_judge(struct player *p, struct err *err)
{
    struct step *s = step_now(p);
    s->run_done = true;
    s->page.replays = false;
    return judge_now(p, err) ? goal_check(p, err) : run_fault(p, err);
}

/* The coroutine stays in the registry until the next one. */
static int create(lua_State *L)
{
    struct player *p = lua_touserdata(L, 1);
    lua_State *co = lua_newthread(L); /* p, thread */
    lua_pushvalue(L, -1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &lesson_key_run);
    push_step(L, p->current); /* p, thread, step */
    push_field(L, "run");     /* p, thread, step, run */
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
    run_abandon(p);
    anchor_set(p);
    return p->rehearsing || run_judge(p, err);
}

bool run_begin(struct player *p, struct err *err)
{
    CHECK(p->co == NULL);
    if (!player_job(p, PHASE_RUN, create, p, err)) {
        p->co = NULL;
        return run_fault(p, err);
    }
    sandbox_refill(p->sandbox);
    p->run_meter = p->sandbox->meter;
    p->run_played = 0;
    if (!p->rehearsing) {
        page_now(p)->running = true;
        page_now(p)->replays = false;
    }
    return resume(p, 1, err);
}

/* Moves the world towards what the run waits for, at most `us`; true when it is there. */
static bool move_towards(struct player *p, int64_t us)
{
    struct world *w = p->world[0];
    int64_t span = p->wait.until - world_now(w);
    int64_t go = us < 0 || us > span ? span : us;
    bool there = false;
    if (p->wait.kind == WAIT_ANSWERED) {
        there = world_run_until_answered(w, go);
    } else {
        world_run_until(w, world_now(w) + go);
    }
    note_head(p);
    return there || (p->wait.kind == WAIT_TIME && world_now(w) >= p->wait.until);
}

static bool wait_failed(struct player *p, struct err *err)
{
    struct world *w = p->world[0];
    struct err why = {""};
    int line = step_now(p)->line;
    if (world_stopped(w, &why)) {
        err_set(err, "%s:%d: %s", source_name(p), line, why.text);
        return true;
    }
    if (p->wait.kind == WAIT_ANSWERED && world_now(w) >= p->wait.until) {
        err_set(err, "%s:%d: what was sent is not answered within %d seconds", source_name(p), line,
                (int)(ANSWER_MAX_US / 1000000));
        return true;
    }
    return false;
}

bool run_advance(struct player *p, int64_t us, struct err *err)
{
    while (p->co != NULL) {
        int64_t from = world_now(p->world[0]);
        bool there = move_towards(p, us);
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
    }
    return true;
}

/* --- one event --- */

static bool all_answered(const struct world *w)
{
    struct request_info r;
    uint64_t last = world_last_request(w);
    for (uint64_t n = last; n > 0 && n + 64 > last; n--) {
        if (world_request(w, n, &r) && !r.done) {
            return false;
        }
    }
    return true;
}

bool player_event(struct player *p, struct err *err)
{
    struct world *w = p->world[0];
    int64_t next = 0;
    if (w == NULL) {
        return err_set(err, "nothing runs in this drill");
    }
    bool any = world_next_time(w, &next);
    if (p->co == NULL) {
        if (!any || !world_step(w)) {
            return err_set(err, "nothing is left to happen: send a request first");
        }
        note_head(p);
        return goal_check(p, err);
    }
    if (!any || next >= p->wait.until) {
        return run_advance(p, p->wait.until - world_now(w), err);
    }
    world_step(w);
    note_head(p);
    if (p->wait.kind == WAIT_ANSWERED && all_answered(w)) {
        return resume(p, 0, err);
    }
    return true;
}

bool player_event_back(struct player *p)
{
    struct world *w = p->world[0];
    if (w == NULL || p->anchor == NULL || world_events(w) <= world_events(p->anchor)) {
        return false;
    }
    uint64_t target = world_events(w) - 1;
    world_copy_into(w, p->anchor);
    while (world_events(w) < target) {
        CHECK(world_step(w));
    }
    p->changes++;
    p->behind = true;
    return true;
}

/* --- asking on a copy --- */

bool rehearse(struct player *p, struct verdict *v, struct err *err)
{
    struct step *s = step_now(p);
    struct world *mine = p->world[0];
    struct judge_job job = {p, v};
    p->rehearsing = true;
    p->world[0] = mine != NULL ? world_copy(mine) : NULL;
    p->changes++;
    bool good = true;
    if (s->has_run && !s->run_done) {
        good = run_begin(p, err) && run_advance(p, -1, err);
    }
    good = good && player_job(p, PHASE_READ, judge_ask, &job, err);
    world_free(p->world[0]);
    p->world[0] = mine;
    p->changes++;
    p->rehearsing = false;
    return good;
}
