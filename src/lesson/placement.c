/*
 * placement: the placement check, for those who know what a lesson teaches.
 *
 * Its steps stand behind those of the way, where going forward never comes. Each begins with the
 * world as the first step was entered. One answer that is not right, or "show me", ends it at the
 * lesson's beginning; all right, and the lesson goes on at the step that it names.
 */
#include "lesson/inside.h"
#include "lesson/schema.h"
#include <string.h>

/* --- what is declared --- */

static void check_step(lua_State *L, struct player *p, const struct step *s)
{
    if (s->kind == QUESTION_NONE || s->has_task) {
        schema_fault(L, p, s->line,
                     "step '%s': a step of the placement check asks a question, and has no task",
                     s->id);
    }
    if (s->kind == QUESTION_EXPLAIN) {
        schema_fault(L, p, s->line,
                     "step '%s': the placement check asks what can be judged, no explanation",
                     s->id);
    }
    push_step(L, (size_t)(s - p->step));
    push_field(L, "predict");
    push_field(L, "hints");
    bool hints = lua_istable(L, -1) && lua_rawlen(L, -1) > 0;
    lua_pop(L, 3);
    if (hints) {
        schema_fault(L, p, s->line, "step '%s': the placement check gives no hints", s->id);
    }
}

/* The lesson's own table is on top. */
void placement_declare(lua_State *L, struct player *p)
{
    int line = source_line(p, "placement", 1);
    if (push_field(L, "placement") == LUA_TTABLE) {
        push_field(L, "go");
        const char *go = lua_tostring(L, -1);
        for (size_t i = 1; go != NULL && i < p->steps; i++) {
            p->placed_at = strcmp(p->step[i].id, go) == 0 ? i : p->placed_at;
        }
        if (p->placed_at == 0) {
            schema_fault(
                L, p, line,
                "the lesson: 'placement' goes to '%.60s', which is no step behind the first",
                go != NULL ? go : "");
        }
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    if ((p->checks > 0) != (p->placed_at > 0)) {
        schema_fault(L, p, line > 0 ? line : 1,
                     p->checks > 0 ? "the lesson: steps with 'check' need 'placement'"
                                   : "the lesson: 'placement' needs steps with check = true");
    }
    if (p->checks > CHECKS_MAX) {
        schema_fault(L, p, line, "the placement check has at most %d steps, not %d", CHECKS_MAX,
                     (int)p->checks);
    }
    for (size_t i = 0; i < p->checks; i++) {
        check_step(L, p, &p->step[p->steps + i]);
    }
}

/* --- taking it --- */

static bool ask(struct player *p, size_t number, struct err *err)
{
    struct step *s = &p->step[p->steps + number];
    worlds_restore(p, p->step[0].entry, p->step[0].journal_length);
    s->page.question = (struct page_question){.state = QUESTION_OPEN};
    s->broken = false;
    return step_enter(p, p->steps + number, err);
}

bool player_place(struct player *p, struct err *err)
{
    if (p->checks == 0 || p->current != 0) {
        return err_set(err, p->checks == 0 ? "this lesson has no placement check"
                                           : "the placement check is at the first step");
    }
    if (run_under_way(p)) {
        return err_set(err, "this step is still running: wait, or go on to finish it");
    }
    player_leave(p);
    return ask(p, 0, err);
}

/* Back at the first step, as it was entered. */
static void leave(struct player *p)
{
    run_abandon(p);
    step_again(p, 0);
}

bool placement_leave(struct player *p)
{
    bool check = step_now(p)->check;
    if (check) {
        leave(p);
    }
    return check;
}

static bool pass_over(struct player *p, struct err *err)
{
    size_t target = p->placed_at;
    leave(p);
    if (!player_go(p, p->step[target].id, err)) {
        return false;
    }
    for (size_t i = 0; i < target; i++) {
        p->step[i].page.placed = true;
    }
    return true;
}

enum player_next placement_forward(struct player *p, struct err *err)
{
    size_t number = p->current - p->steps;
    bool good = true;
    if (!step_now(p)->page.question.right) {
        leave(p);
    } else if (number + 1 < p->checks) {
        good = ask(p, number + 1, err);
    } else {
        good = pass_over(p, err);
    }
    if (!good) {
        leave(p);
    }
    return good ? PLAYER_MOVED : PLAYER_FAULT;
}
