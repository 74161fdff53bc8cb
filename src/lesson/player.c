/*
 * player: opening, going forward and back, answering.
 *
 * A step without a question runs its `run` as soon as it is entered; with one, after the answer.
 * Forward during a run finishes it at once. A step that was answered before a step back keeps its
 * answer and runs again on the way forward.
 */
#include "base/alloc.h"
#include "lesson/inside.h"
#include "story/story.h"
#include <stdlib.h>
#include <string.h>

static void undo_clear(struct player *p)
{
    for (size_t i = 0; i < p->undos; i++) {
        world_free(p->undo[i].world);
        free(p->undo[i].journal);
    }
    for (size_t i = 0; i < p->redos; i++) {
        world_free(p->redo[i].world);
        free(p->redo[i].journal);
    }
    p->undos = p->redos = 0;
}

/* --- entering a step --- */

/* The key and the router that hold from here on: the step's own, or those of the step before. */
static void take_key_and_router(lua_State *L, struct player *p)
{
    struct step *s = step_now(p);
    if (p->current > 0) {
        const struct step *before = s->check ? p->step : s - 1;
        memcpy(s->key, before->key, sizeof s->key);
        s->router = before->router;
    }
    if (push_field(L, "key") == LUA_TSTRING) {
        snprintf(s->key, sizeof s->key, "%s", lua_tostring(L, -1));
    }
    lua_pop(L, 1);
    if (push_field(L, "router") == LUA_TSTRING && p->world[0] != NULL) {
        s->router = api_router(L, -1, p->world[0]);
    }
    lua_pop(L, 1);
}

static int enter_job(lua_State *L)
{
    struct player *p = lua_touserdata(L, 1);
    push_step(L, p->current);
    push_field(L, "with");
    lua_rawsetp(L, LUA_REGISTRYINDEX, &lesson_key_with);
    take_key_and_router(L, p);
    if (push_field(L, "enter") == LUA_TFUNCTION) {
        if (p->world[0] != NULL) {
            api_push_world(L, 0);
        } else {
            lua_pushnil(L);
        }
        lua_call(L, 1, 0);
    }
    return 0;
}

static void take_snapshot(struct player *p)
{
    struct step *s = step_now(p);
    if (p->world[0] == NULL || p->unwatched) {
        return;
    }
    journal_digest(&p->journal, p->world[0]);
    s->journal_length = p->journal.text.length;
    if (s->entry == NULL) {
        s->entry = world_copy(p->world[0]);
    } else {
        world_copy_into(s->entry, p->world[0]);
    }
    anchor_set(p);
}

static bool prepare(struct player *p, struct err *err)
{
    struct step *s = step_now(p);
    bool asked = s->kind != QUESTION_NONE;
    bool open = asked && s->page.question.state == QUESTION_OPEN;
    s->task_past = s->task_past || s->page.task_met || s->page.task_skipped;
    s->page.running = s->page.task_met = s->page.task_skipped = false;
    s->run_done = !s->has_run && !open;
    s->page.replays = s->has_run && asked && !open;
    experiment_forget(s);
    if (!player_job(p, PHASE_ENTER, enter_job, p, err) ||
        !player_job(p, PHASE_READ, knobs_start, p, err)) {
        return false;
    }
    take_snapshot(p);
    texts_free(&s->kept);
    if (!player_job(p, PHASE_READ, page_build, p, err) || !placing_build(p, err) ||
        !card_show(p, err)) {
        return false;
    }
    s->entered = true;
    /* Nothing to wait for: what comes after is shown at once, an earlier answer judged as well. */
    return !s->run_done || (judge_now(p, err) && goal_check(p, err));
}

bool step_enter(struct player *p, size_t index, struct err *err)
{
    size_t before = p->current, length = p->journal.text.length;
    table_leave(p);
    struct world *w = p->world[0] != NULL && !p->unwatched ? world_copy(p->world[0]) : NULL;
    p->current = index;
    undo_clear(p);
    bool good = prepare(p, err);
    struct step *s = step_now(p);
    if (!good) {
        s->broken = true;
        s->entered = false;
        p->current = before;
        worlds_restore(p, w, length);
    }
    world_free(w);
    if (good && s->has_run && s->kind == QUESTION_NONE) {
        return run_begin(p, err);
    }
    return good;
}

/* --- open and close --- */

static struct player *open_player(const char *path, uint64_t seed, bool unwatched, struct err *err)
{
    struct player *p = lesson_declare(path, seed, err);
    if (p == NULL) {
        return NULL;
    }
    bool good = true;
    p->unwatched = unwatched;
    p->pass_max = UINT64_MAX;
    if (p->world_name != NULL) {
        struct err why = {""};
        p->world[0] = story_world_by_name(p->world_name, seed, &why);
        good = p->world[0] != NULL;
        if (good) {
            journal_start(&p->journal, p->world_name, seed);
        } else {
            err_set(err, "%s:%d: %s", source_name(p), source_line(p, "world", 1), why.text);
        }
    }
    /* A fault in the first run leaves a player that can go on; one before it does not. */
    struct err fault = {""};
    if (good && !step_enter(p, 0, &fault)) {
        p->fault = fault;
        good = p->step[0].entered;
        if (!good) {
            err_set(err, "%s", fault.text);
        }
    }
    if (!good) {
        player_close(p);
        return NULL;
    }
    return p;
}

struct player *player_open(const char *path, uint64_t seed, struct err *err)
{
    return open_player(path, seed, false, err);
}

struct player *player_open_unwatched(const char *path, uint64_t seed, struct err *err)
{
    return open_player(path, seed, true, err);
}

bool player_fault(struct player *p, struct err *err)
{
    if (p->fault.text[0] == '\0') {
        return false;
    }
    err_set(err, "%s", p->fault.text);
    p->fault.text[0] = '\0';
    return true;
}

void player_close(struct player *p)
{
    if (p == NULL) {
        return;
    }
    call_over(p);
    player_leave(p);
    undo_clear(p);
    world_free(p->world[0]);
    world_free(p->scratch);
    story_plays_free(p->plays);
    card_free(p->card);
    marks_free(p);
    table_leave(p);
    free(p->rates[0]);
    free(p->rates[1]);
    foreseen_forget(p);
    second_free(p->second);
    second_free(p->counting);
    journal_free(&p->journal);
    lesson_undeclare(p);
}

const struct page *player_page(const struct player *p)
{
    return &p->step[p->current].page;
}

const struct page *player_page_at(const struct player *p, size_t step)
{
    return step < p->steps && p->step[step].entered ? &p->step[step].page : NULL;
}

const struct world *player_world(const struct player *p)
{
    return p->visit != NULL ? visit_world(p) : p->world[0];
}

const struct world *player_before(const struct player *p)
{
    return p->visit != NULL ? p->base : p->step[p->current].entry;
}

const struct rates *player_rates(struct player *p)
{
    const struct rates *rates = NULL;
    if (p->visit != NULL) {
        return visit_rates(p);
    }
    if (p->world[0] != NULL) {
        api_rates(p, 0, &rates);
    }
    return rates;
}

const char *player_journal(const struct player *p)
{
    return str_text(&p->journal.text);
}

void player_journal_mark(struct player *p)
{
    if (p->world[0] != NULL) {
        journal_digest(&p->journal, p->world[0]);
    }
}

struct digest player_digest(const struct player *p)
{
    if (p->world[0] != NULL) {
        return world_digest(p->world[0]);
    }
    struct digest d = digest_start();
    digest_bytes(&d, p->id, strlen(p->id));
    digest_u64(&d, p->seed);
    digest_u64(&d, p->current);
    return d;
}

/* --- forward and back --- */

static enum player_next ended(bool good)
{
    return good ? PLAYER_MOVED : PLAYER_FAULT;
}

/* The task's commands, one a line, each played until it is answered. */
static bool do_solution(struct player *p, char *lines, struct err *err)
{
    char *rest = NULL;
    for (char *line = strtok_r(lines, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest)) {
        if (!act_in_words(p, line, err)) {
            return err_prefix(err, "%s:%d: the solution \"%s\"", source_name(p),
                              source_line(p, line, step_now(p)->line), line);
        }
    }
    return goal_check(p, err);
}

/* The solution's commands, and what they are for. */
static bool solve(struct player *p, const char *solution, struct err *err)
{
    struct step *s = step_now(p);
    char *lines = xstrdup(solution);
    bool good = do_solution(p, lines, err);
    free(lines);
    return good && (s->page.task_met ||
                    err_set(err, "%s:%d: step '%s': the goal does not hold after the solution",
                            source_name(p), s->line, s->id));
}

/* What the learner has done may be in the way of the solution: then from the step's beginning. */
static bool solve_task(struct player *p, struct err *err)
{
    struct step *s = step_now(p);
    bool good = player_job(p, PHASE_READ, task_solution, p, err);
    if (good && (p->world[0] != NULL || s->page.knobs > 0) && s->opened == NULL) {
        bool acted = p->undos > 0;
        char *solution = xstrdup(str_text(&p->text));
        good = solve(p, solution, err);
        if (!good && acted) {
            step_again(p, p->current);
            good =
                (!s->page.replays || (run_begin(p, err) && run_advance(p, -1, UINT64_MAX, err))) &&
                solve(p, solution, err);
        }
        free(solution);
    }
    s->page.task_skipped = true;
    return good;
}

enum player_next player_forward(struct player *p, struct err *err)
{
    struct step *s = step_now(p);
    if (player_leave(p)) {
        return PLAYER_MOVED;
    }
    catch_up(p);
    if (run_under_way(p)) {
        return ended(run_advance(p, -1, UINT64_MAX, err));
    }
    if (s->kind != QUESTION_NONE && s->page.question.state == QUESTION_OPEN) {
        return PLAYER_ASKS;
    }
    if (!s->run_done) {
        return ended(s->has_run ? run_begin(p, err) : run_judge(p, err));
    }
    if (s->check) {
        return placement_forward(p, err);
    }
    if (task_open(p) && s->task_past) { /* done before a step back: done again */
        return ended(solve_task(p, err));
    }
    if (task_open(p)) {
        return PLAYER_ASKS;
    }
    acts_take_back(p);
    size_t next = p->current + 1;
    for (bool comes = false; next < p->steps; next++) {
        if (!step_comes(p, next, &comes, err)) {
            return PLAYER_FAULT;
        }
        if (comes) {
            break;
        }
    }
    if (next >= p->steps) {
        return PLAYER_END;
    }
    if (!step_enter(p, next, err)) {
        if (p->current != next && err != NULL) {
            struct err whole;
            err_set(&whole, "%s (the step was undone; going on passes over it)", err->text);
            *err = whole;
        }
        return PLAYER_FAULT;
    }
    return PLAYER_MOVED;
}

void step_again(struct player *p, size_t index)
{
    undo_clear(p);
    table_leave(p);
    p->let_pass = false;
    p->current = index;
    struct step *s = step_now(p);
    worlds_restore(p, s->entry, s->journal_length);
    bool open = s->kind != QUESTION_NONE && s->page.question.state == QUESTION_OPEN;
    bool seen = !open && experiment_complete(s); /* it moves no world: what it found still holds */
    s->run_done = seen || (!s->has_run && !open);
    s->page.replays = s->has_run && !open && !seen;
    if (!s->run_done) {
        s->page.after = "";
        experiment_forget(s);
    }
    s->task_past = s->task_past || s->page.task_met || s->page.task_skipped;
    s->page.task_met = s->page.task_skipped = false;
    if (s->page.knobs > 0 && player_job(p, PHASE_READ, knobs_start, p, NULL)) {
        page_again(p, NULL); /* it worked when the step was entered */
    } else if (s->run_done) {
        table_reveal(p);
    }
}

bool player_back(struct player *p)
{
    size_t to = p->current;
    if (player_leave(p) || placement_leave(p)) {
        return true;
    }
    while (to > 0 && !p->step[to - 1].entered) {
        to--;
    }
    if (to == 0) {
        return false;
    }
    run_abandon(p);
    step_again(p, to - 1);
    return true;
}

bool player_ask_again(struct player *p, struct err *err)
{
    struct step *s = step_now(p);
    if (s->kind == QUESTION_NONE) {
        return err_set(err, "there is no question here");
    }
    player_leave(p);
    run_abandon(p);
    s->page.question = (struct page_question){.state = QUESTION_OPEN};
    step_again(p, p->current);
    return page_again(p, err);
}

bool player_go(struct player *p, const char *step_id, struct err *err)
{
    size_t target = 0;
    while (target < p->steps && strcmp(p->step[target].id, step_id) != 0) {
        target++;
    }
    if (target == p->steps) {
        return err_set(err, "%s has no step '%.60s'; it was renamed or taken out", p->id, step_id);
    }
    player_leave(p);
    placement_leave(p);
    while (p->current > target) {
        if (!player_back(p)) {
            return err_set(err, "step '%.60s' cannot be reached", step_id);
        }
    }
    while (p->current < target) {
        enum player_next next = player_forward(p, err);
        if (next == PLAYER_FAULT || next == PLAYER_END) {
            return false;
        }
        if (next == PLAYER_ASKS && !player_skip(p, err)) {
            return false;
        }
    }
    return p->current == target ||
           err_set(err, "step '%.60s' has an error and was passed over", step_id);
}

/* --- answering --- */

bool question_open(const struct player *p, struct err *err)
{
    const struct step *s = &p->step[p->current];
    if (s->kind == QUESTION_NONE) {
        return err_set(err, "there is no question here");
    }
    if (s->page.question.state != QUESTION_OPEN) {
        return err_set(err, "the question is answered already");
    }
    return true;
}

bool task_open(const struct player *p)
{
    const struct step *s = &p->step[p->current];
    return s->has_task && !s->page.task_met && !s->page.task_skipped;
}

static bool go_on_after_answer(struct player *p, struct err *err)
{
    catch_up(p);
    waited(p);
    if (step_now(p)->acts && !acts_judge(p, err)) {
        return run_fault(p, err);
    }
    return step_now(p)->has_run ? run_begin(p, err) : run_judge(p, err);
}

/* The answer into the page. */
static bool take_answer(struct player *p, const char *text, struct err *err)
{
    struct step *s = step_now(p);
    struct page_question *q = &s->page.question;
    struct str answer = STR_EMPTY;
    if (!answer_read(q, text, &answer, err)) {
        str_free(&answer);
        return false;
    }
    q->answer = texts_keep(&s->kept_answer, str_text(&answer));
    str_free(&answer);
    q->state = QUESTION_ANSWERED;
    for (size_t i = 0; i < q->choices && q->kind != QUESTION_EXPLAIN; i++) {
        char number[4];
        snprintf(number, sizeof number, "%d", (int)(i + 1) % 10); /* at most nine: one digit each */
        q->choice[i].chosen = strstr(q->answer, number) != NULL;
    }
    return true;
}

bool player_answer(struct player *p, const char *text, struct err *err)
{
    player_leave(p);
    return question_open(p, err) && take_answer(p, text, err) && go_on_after_answer(p, err);
}

bool player_answer_instead(struct player *p, const char *text, struct err *err)
{
    player_leave(p);
    if (!page_now(p)->question.judged || run_under_way(p)) {
        return err_set(err, "no answer was judged here yet");
    }
    if (step_now(p)->acts) { /* another choice, another run */
        worlds_restore(p, step_now(p)->entry, step_now(p)->journal_length);
        return take_answer(p, text, err) && go_on_after_answer(p, err) &&
               run_advance(p, -1, UINT64_MAX, err);
    }
    return take_answer(p, text, err) && judge_now(p, err);
}

bool player_skip(struct player *p, struct err *err)
{
    struct step *s = step_now(p);
    player_leave(p);
    if (run_under_way(p)) {
        return run_advance(p, -1, UINT64_MAX, err);
    }
    if (s->kind != QUESTION_NONE && s->page.question.state == QUESTION_OPEN) {
        s->page.question.state = QUESTION_SKIPPED;
        return go_on_after_answer(p, err);
    }
    if (task_open(p) && s->page.replays &&
        !(run_begin(p, err) &&
          run_advance(p, -1, UINT64_MAX, err))) { /* the task builds on the run */
        return false;
    }
    if (task_open(p)) {
        return solve_task(p, err);
    }
    return err_set(err, "there is nothing to show here");
}

bool player_hint(struct player *p)
{
    struct page *page = page_now(p);
    struct page_question *q = &page->question;
    if (q->kind != QUESTION_NONE && q->state == QUESTION_OPEN) {
        bool more = q->hints_shown < q->hints;
        q->hints_shown += more;
        return more;
    }
    bool more =
        page->task[0] != '\0' && !page->task_met && page->task_hints_shown < page->task_hints;
    page->task_hints_shown += more;
    return more;
}
