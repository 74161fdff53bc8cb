/*
 * check_session: see check_session.h. Its sentences are in check_session_say.c.
 */
#include "app/check/check_session.h"
#include "base/alloc.h"
#include "check/models.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- searching ---------------------------------------------------------------------------------
 */

static void drop_hunt(struct check_session *s)
{
    struct check_found late;
    if (s->hunt) {
        check_hunt_cancel(s->hunt);
        check_hunt_end(s->hunt, &late);
        check_found_free(&late);
        s->hunt = NULL;
    }
}

static void adopt(struct check_session *s)
{
    check_hunt_end(s->hunt, &s->found);
    s->hunt = NULL;
}

/* The search that is due: only now, so that of many wishes in a row the last one alone is searched.
 */
static void start(struct check_session *s)
{
    struct check_wish wish = {.model = s->model, .rules = s->rules, .larger = s->larger};
    if (s->due) {
        s->due = false;
        s->hunt = check_hunt_begin(&wish, s->threads);
    }
}

static void begin(struct check_session *s)
{
    drop_hunt(s);
    check_found_free(&s->found);
    s->step = s->farthest = 0;
    s->back = false;
    s->due = true;
    if (!s->threads) {
        check_session_wait(s);
    }
}

void check_session_open(struct check_session *s, const struct check_model *model, uint32_t without,
                        bool threads)
{
    uint32_t all = check_all_rules(model);
    *s = (struct check_session){.model = model, .rules = all & ~without, .threads = threads};
    for (size_t i = check_rules(model); i > 0; i--) {
        s->selected = (without >> (i - 1) & 1) != 0 ? i - 1 : s->selected;
    }
    begin(s);
}

void check_session_close(struct check_session *s)
{
    drop_hunt(s);
    check_found_free(&s->found);
    *s = (struct check_session){0};
}

void check_session_toggle(struct check_session *s, size_t rule)
{
    CHECK(rule < check_rules(s->model));
    s->rules ^= UINT32_C(1) << rule;
    s->larger = false;
    begin(s);
}

void check_session_size(struct check_session *s, bool larger)
{
    s->larger = larger;
    begin(s);
}

bool check_session_searches(const struct check_session *s)
{
    return s->due || s->hunt != NULL;
}

void check_session_seen(const struct check_session *s, uint64_t *states, uint32_t *depth)
{
    *states = 0;
    *depth = 0;
    if (s->hunt) {
        check_hunt_seen(s->hunt, states, depth);
    }
}

bool check_session_poll(struct check_session *s)
{
    start(s);
    if (!s->hunt || !check_hunt_over(s->hunt)) {
        return false;
    }
    adopt(s);
    return true;
}

void check_session_wait(struct check_session *s)
{
    start(s);
    if (s->hunt) {
        adopt(s);
    }
}

void check_session_cancel(struct check_session *s)
{
    start(s);
    if (s->hunt) {
        check_hunt_cancel(s->hunt);
        adopt(s);
    }
}

bool check_session_found(const struct check_session *s)
{
    return s->found.wish.model != NULL;
}

bool check_session_fails(const struct check_session *s)
{
    return check_session_found(s) && s->found.result.verdict == CHECK_FAILS;
}

uint32_t check_session_without(const struct check_session *s)
{
    return check_all_rules(s->model) & ~s->rules;
}

bool check_session_can_grow(const struct check_session *s)
{
    return s->model->size_large != s->model->size_small;
}

/* --- steps -------------------------------------------------------------------------------------
 */

/* With the rules put back: as far as the full protocol has the steps, and on from there. */
static uint32_t last_told(const struct check_session *s)
{
    const struct check_found *f = &s->found;
    uint32_t depth = f->result.depth;
    return s->back ? (f->part.last.step > 0 ? f->part.last.step : depth + f->ons) : depth;
}

/* The last one with the rules put back: all comes to its end. Only a world can tell that. */
static bool is_end(const struct check_session *s, uint32_t step)
{
    return s->back && step > last_told(s);
}

uint32_t check_session_steps(const struct check_session *s)
{
    return check_session_fails(s) ? last_told(s) + (s->back && s->found.filmed) : 0;
}

bool check_session_go(struct check_session *s, uint32_t step)
{
    uint32_t before = s->step;
    uint32_t steps = check_session_steps(s);
    s->step = step > steps ? steps : step;
    s->farthest = s->step > s->farthest ? s->step : s->farthest;
    return s->step != before;
}

void check_session_veil(struct check_session *s)
{
    s->veiled = true;
    s->farthest = s->step;
}

bool check_session_may_put_back(const struct check_session *s)
{
    return !s->veiled || s->farthest >= s->found.result.depth;
}

uint32_t check_session_parts(const struct check_session *s)
{
    uint32_t step = s->found.part.first.step;
    return s->veiled && s->farthest < step ? 0 : step;
}

void check_session_put_back(struct check_session *s, bool back)
{
    uint32_t parts = s->found.part.first.step;
    s->back = back && check_session_fails(s);
    check_session_go(s, parts > 0 ? parts : s->found.ons > 0 ? s->found.result.depth : s->step);
}

unsigned check_session_marks(const struct check_session *s, uint32_t step)
{
    const struct parting_step *last = &s->found.part.last;
    unsigned marks = step <= s->step ? STEP_TAKEN : 0;
    marks |= step == s->step ? STEP_NOW : 0;
    marks |= step > 0 && step == check_session_parts(s) ? STEP_PARTS : 0;
    marks |= !s->back && step > 0 && step == s->found.result.depth ? STEP_BROKEN : 0;
    marks |= s->back && step > 0 && step == last->step && !last->taken ? STEP_STOPPED : 0;
    marks |= is_end(s, step) ? STEP_END : 0;
    return marks;
}

static void tell_end(const struct check_session *s, struct check_told *told)
{
    const struct replayed *full = &s->found.full;
    bool well = !full->fails && full->unanswered == 0 && full->lost == 0 && full->broken_at == 0;
    snprintf(told->actor, sizeof told->actor, "the world");
    snprintf(told->action, sizeof told->action, "comes to its end");
    snprintf(told->detail, sizeof told->detail, "%s",
             well ? "Every request was answered, nothing is lost, and every read returned what it "
                    "had to."
                  : "And yet something is lost.");
}

/* Of a protocol with these rules, by the steps of the way and on. */
static void tell_by(const struct check_session *s, uint32_t step, uint32_t rules,
                    struct check_told *told)
{
    _Alignas(16) unsigned char state[CHECK_STATE_MAX];
    const struct check_found *f = &s->found;
    const struct check_result *r = &f->result;
    struct check_scope scope = f->scope;
    uint16_t *action = xcalloc(r->depth + f->ons + 1, sizeof *action);
    memcpy(action, r->action, r->depth * sizeof *action);
    if (f->ons > 0) {
        memcpy(action + r->depth, f->on, f->ons * sizeof *action);
    }
    scope.rules = rules;
    check_replay(s->model, &scope, r->start, action, step - 1, state);
    s->model->tell(&scope, state, action[step - 1], told);
    free(action);
}

void check_session_tell(const struct check_session *s, uint32_t step, struct check_told *told)
{
    const struct parting_step *last = &s->found.part.last;
    *told = (struct check_told){.actor = ""};
    CHECK(step >= 1 && step <= check_session_steps(s));
    if (is_end(s, step)) {
        tell_end(s, told);
    } else if (s->back && step == last->step && last->taken) {
        *told = last->told;
    } else { /* what is not taken only less tells */
        bool full = s->back && step != last->step;
        tell_by(s, step, full ? CHECK_RULES_ALL : s->found.scope.rules, told);
    }
}

static const struct world *world_at(const struct check_session *s, uint32_t step)
{
    const struct check_found *f = &s->found;
    if (!f->filmed) {
        return NULL;
    }
    const struct replayed *film = s->back ? &f->full : &f->less;
    return film->film[is_end(s, step) ? film->steps + 1 : step > film->steps ? film->steps : step];
}

const struct world *check_session_world(const struct check_session *s)
{
    return world_at(s, s->step);
}

const struct world *check_session_first(const struct check_session *s)
{
    return world_at(s, 0);
}

const struct world *check_session_before(const struct check_session *s)
{
    return world_at(s, s->step > 0 ? s->step - 1 : 0);
}
