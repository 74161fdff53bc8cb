/*
 * explain: a question that is answered in one's own words, aloud or typed. Nobody but the learner
 * can mark that: once it was said, a good answer and the points of a rubric are shown, and the
 * learner marks which of them were in theirs. Nothing here is right or wrong.
 */
#include "lesson/inside.h"
#include "lesson/schema_inside.h"
#include <string.h>

static bool is_blank(const char *text)
{
    return text[strspn(text, " \t\n")] == '\0';
}

/* --- what is declared: the question's table is on top --- */

static void no_field(lua_State *L, const struct place *at, const char *name, bool explain)
{
    if (has_field(L, name)) {
        schema_fault(L, at->p, at->line, "%s: %s '%s'", at->what,
                     explain ? "an explanation is marked by the learner, it has no"
                             : "only an explanation has a",
                     name);
    }
}

static void check_points(lua_State *L, const struct place *at)
{
    size_t points = push_field(L, "rubric") == LUA_TTABLE ? (size_t)lua_rawlen(L, -1) : 0;
    if (points < EXPLAIN_POINTS_MIN || points > PAGE_CHOICES_MAX) {
        schema_fault(L, at->p, at->line,
                     "%s: a rubric has %d to %d points, not %d: what a good explanation names",
                     at->what, EXPLAIN_POINTS_MIN, PAGE_CHOICES_MAX, (int)points);
    }
    for (size_t i = 1; i <= points; i++) {
        lua_rawgeti(L, -1, (lua_Integer)i);
        if (lua_type(L, -1) != LUA_TSTRING || is_blank(lua_tostring(L, -1))) {
            schema_fault(L, at->p, at->line,
                         "%s: point %d of the rubric must be a text that says "
                         "something",
                         at->what, (int)i);
        }
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

void schema_explain(lua_State *L, const struct place *at, bool explain)
{
    static const char *const never[] = {"choices", "answer", "tolerance", "unit",
                                        "wrong",   "why",    "confidence"};
    static const char *const only[] = {"model", "rubric"};
    if (!explain) {
        no_field(L, at, only[0], false);
        no_field(L, at, only[1], false);
        return;
    }
    if (at->p->drill) {
        schema_fault(L, at->p, at->line,
                     "%s: a drill's answers are graded; an explanation is for lessons", at->what);
    }
    for (size_t i = 0; i < sizeof never / sizeof *never; i++) {
        no_field(L, at, never[i], true);
    }
    if (push_field(L, "model") != LUA_TSTRING || is_blank(lua_tostring(L, -1))) {
        schema_fault(L, at->p, at->line, "%s: an explanation needs 'model', a good answer",
                     at->what);
    }
    lua_pop(L, 1);
    check_points(L, at);
}

/* --- what is shown --- */

void explain_points(lua_State *L, struct player *p, struct texts *kept)
{
    struct page_question *q = &page_now(p)->question;
    q->choices = 0;
    push_field(L, "rubric");
    size_t given = lua_istable(L, -1) ? (size_t)lua_rawlen(L, -1) : 0;
    for (size_t i = 1; i <= given && q->choices < PAGE_CHOICES_MAX; i++) {
        lua_rawgeti(L, -1, (lua_Integer)i);
        fill_text(L, p, lua_tostring(L, -1), "rubric");
        q->choice[q->choices++].text = texts_keep(kept, str_text(&p->text));
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

void explain_show(lua_State *L, struct player *p)
{
    struct texts *kept = &step_now(p)->kept_answer;
    struct page_question *q = &page_now(p)->question;
    explain_points(L, p, kept); /* of the world as it is after the run */
    q->truth = keep_field(L, p, kept, "model");
    q->feedback = q->belief = "";
    q->right = false;
    q->judged = true;
}

/* --- marking --- */

bool player_mark(struct player *p, size_t point, struct err *err)
{
    struct page_question *q = &page_now(p)->question;
    if (q->kind != QUESTION_EXPLAIN || !q->judged || q->state != QUESTION_ANSWERED) {
        return err_set(err, "there is nothing to mark here");
    }
    if (point >= q->choices) {
        return err_set(err, "there are points 1 to %d", (int)q->choices);
    }
    q->choice[point].chosen = !q->choice[point].chosen;
    return true;
}

void question_say(const struct page_question *q, struct str *out)
{
    if (q->kind != QUESTION_EXPLAIN) {
        str_add(out, q->answer);
        return;
    }
    if (q->state != QUESTION_ANSWERED) {
        return;
    }
    for (size_t i = 0; i < q->choices; i++) {
        if (q->choice[i].chosen) {
            str_addf(out, "%s%d", out->length > 0 ? " " : "", (int)i + 1);
        }
    }
    str_addf(out, ":%s", q->answer);
}

bool explain_again(struct player *p, const char *kept)
{
    size_t marks = strspn(kept, "123456789 ");
    if (kept[marks] != ':' || !player_answer(p, kept + marks + 1, NULL) ||
        !player_finish_run(p, NULL)) {
        return false;
    }
    for (size_t i = 0; i < marks; i++) {
        if (kept[i] != ' ') {
            player_mark(p, (size_t)(kept[i] - '1'), NULL);
        }
    }
    return true;
}
