/*
 * acts: questions whose choices do something, and paths that depend on it.
 *
 * `predict = { kind = "choice", acts = true, ... }`: it is judged as it is answered, of the world
 * as it stands; then the choice's own `act` is what runs. After a wrong one the learner sees what
 * comes of it, and going on begins from before it. Several choices may hold, each at its cost;
 * the one that costs least is the right answer, the others are accepted.
 *
 * `choices` may be a function of the world: it is asked as the step is entered. A step with `when`
 * is passed over while that does not hold, so a loop of choices is a list of steps that ask the
 * same, of which as many are played as are needed. answered(id) tells what was chosen before.
 */
#include "lesson/api.h"
#include "lesson/schema.h"
#include "lesson/schema_inside.h"
#include <string.h>

static const char key_choices; /* registry: lists that functions made, by the number of the step */

static void push_world_or_nil(lua_State *L, struct player *p)
{
    if (p->world[0] != NULL) {
        api_push_world(L, 0);
    } else {
        lua_pushnil(L);
    }
}

/* --- choices --- */

static void push_made(lua_State *L)
{
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, &key_choices) != LUA_TTABLE) {
        lua_pop(L, 1);
        lua_newtable(L);
        lua_pushvalue(L, -1);
        lua_rawsetp(L, LUA_REGISTRYINDEX, &key_choices);
    }
}

void choices_push(lua_State *L, struct player *p)
{
    if (push_field(L, "choices") == LUA_TFUNCTION) {
        lua_pop(L, 1);
        push_made(L);
        lua_rawgeti(L, -1, (lua_Integer)p->current + 1);
        lua_remove(L, -2);
    }
}

void choices_make(lua_State *L, struct player *p)
{
    if (push_field(L, "choices") == LUA_TFUNCTION) {
        const struct step *s = step_now(p);
        int line = source_id_line(p, s->question_id);
        struct place at = {p, line > 0 ? line : s->line, s->question_id};
        push_world_or_nil(L, p);
        lua_call(L, 1, 1);
        if (!lua_istable(L, -1)) {
            schema_fault(L, p, at.line, "question '%s': 'choices' gives a %s, not a list", at.what,
                         luaL_typename(L, -1));
        }
        schema_choices(L, &at);
        push_made(L);
        lua_insert(L, -2);
        lua_rawseti(L, -2, (lua_Integer)p->current + 1);
    }
    lua_pop(L, 1);
}

/* --- what runs --- */

static int do_nothing(lua_State *L)
{
    (void)L;
    return 0;
}

size_t acts_choice(const struct player *p)
{
    const struct step *s = &p->step[p->current];
    for (size_t i = 0; i < s->page.question.choices; i++) {
        if (s->page.question.state == QUESTION_ANSWERED && s->page.question.choice[i].chosen) {
            return i;
        }
    }
    return s->best; /* shown to somebody who did not choose */
}

void acts_push_run(lua_State *L, struct player *p)
{
    if (!step_now(p)->acts) {
        push_field(L, "run");
        return;
    }
    push_field(L, "predict");
    choices_push(L, p);
    lua_rawgeti(L, -1, (lua_Integer)acts_choice(p) + 1);
    if (push_field(L, "act") != LUA_TFUNCTION) {
        lua_pop(L, 1);
        lua_pushcfunction(L, do_nothing);
    }
    lua_replace(L, -4);
    lua_pop(L, 2);
}

bool acts_judge(struct player *p, struct err *err)
{
    struct verdict verdict = {0};
    struct judge_job job = {p, &verdict};
    bool good = player_job(p, PHASE_READ, judge_ask, &job, err);
    if (good) {
        step_now(p)->best = verdict.best;
        good = player_job(p, PHASE_READ, judge_show, &job, err);
    }
    if (good && p->verdict != NULL) {
        verdict_free(p->verdict);
        *p->verdict = verdict;
    } else {
        verdict_free(&verdict);
    }
    return good;
}

void acts_take_back(struct player *p)
{
    struct step *s = step_now(p);
    const struct page_question *q = &s->page.question;
    if (s->acts && q->state == QUESTION_ANSWERED && q->judged && !q->right) {
        worlds_restore(p, s->entry, s->journal_length);
    }
}

/* --- the path --- */

struct when_job {
    struct player *player;
    size_t step;
    bool holds;
};

static int when_holds(lua_State *L)
{
    struct when_job *job = lua_touserdata(L, 1);
    push_step(L, job->step);
    push_field(L, "when");
    push_world_or_nil(L, job->player);
    lua_call(L, 1, 1);
    job->holds = lua_toboolean(L, -1);
    return 0;
}

bool step_comes(struct player *p, size_t index, bool *comes, struct err *err)
{
    struct when_job job = {p, index, true};
    if (p->step[index].has_when && !player_job(p, PHASE_READ, when_holds, &job, err)) {
        p->step[index].broken = true;
        return false;
    }
    *comes = job.holds && !p->step[index].broken;
    if (!*comes) {
        p->step[index].entered = false; /* on an earlier path it was */
    }
    return true;
}

/* What was answered to the question with this id: { answer, right, skipped }; nil: nothing yet. */
static int read_answered(lua_State *L)
{
    struct player *p = player_of(L);
    const char *id = luaL_checkstring(L, 1);
    sandbox_charge(L, 100);
    for (size_t i = 0; i < p->steps + p->checks; i++) {
        const struct step *s = &p->step[i];
        if (s->question_id == NULL || strcmp(s->question_id, id) != 0) {
            continue;
        }
        const struct page_question *q = &s->page.question;
        if (!s->entered || q->state == QUESTION_OPEN || !q->judged) {
            return 0;
        }
        lua_createtable(L, 0, 3);
        push_answer(L, q);
        lua_setfield(L, -2, "answer");
        api_set_truth(L, "right", q->right);
        api_set_truth(L, "skipped", q->state == QUESTION_SKIPPED);
        if (s->acts) { /* that of what was shown counts where nobody chose */
            bool skipped = q->state == QUESTION_SKIPPED;
            size_t done = s->best;
            for (size_t k = 0; k < q->choices && !skipped; k++) {
                done = q->choice[k].chosen ? k : done;
            }
            api_set_text(L, "did", q->choice[done].text);
        }
        return 1;
    }
    sandbox_raise(L, "answered: there is no question '%.60s'", id);
}

void acts_open(lua_State *L)
{
    sandbox_add(L, "answered", read_answered);
}
