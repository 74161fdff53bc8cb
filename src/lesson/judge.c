/*
 * judge: asks the world what is right, and explains. All are jobs.
 */
#include "base/num.h"
#include "lesson/inside.h"
#include "lesson/schema.h"
#include <math.h>
#include <string.h>

static void push_world_or_nil(lua_State *L, struct player *p)
{
    if (p->world[0] != NULL) {
        api_push_world(L, 0);
    } else {
        lua_pushnil(L);
    }
}

static int question_line(const struct player *p)
{
    const struct step *s = &p->step[p->current];
    int line = s->question_id != NULL ? source_id_line(p, s->question_id) : 0;
    return line > 0 ? line : s->line;
}

/* Calls the field `name` of the table on top with the world; one result stays. */
static int ask_function(lua_State *L, struct player *p, const char *name)
{
    if (push_field(L, name) != LUA_TFUNCTION) {
        return lua_type(L, -1);
    }
    push_world_or_nil(L, p);
    lua_call(L, 1, 1);
    return lua_type(L, -1);
}

/* What `holds` of a choice gave is on top: true or false, or what the act costs. */
static void check_cost(lua_State *L, struct player *p, bool acts, size_t choice)
{
    int type = lua_type(L, -1);
    bool truth = type == LUA_TBOOLEAN || type == LUA_TNIL;
    bool cost = acts && type == LUA_TNUMBER && isfinite(lua_tonumber(L, -1));
    if (!truth && !cost && (acts || type != LUA_TNUMBER)) {
        schema_fault(L, p, question_line(p),
                     "question '%s': 'holds' of choice %d gives a %s; it gives true or false%s",
                     step_now(p)->question_id, (int)choice + 1,
                     type == LUA_TNUMBER ? "number that is none" : luaL_typename(L, -1),
                     acts ? ", or what the act costs" : "");
    }
}

/* The question's table is on top. */
static void ask_choices(lua_State *L, struct player *p, struct verdict *v)
{
    choices_push(L, p);
    v->choices = (size_t)lua_rawlen(L, -1);
    size_t holding = 0;
    bool acts = step_now(p)->acts;
    double least = 0;
    for (size_t i = 0; i < v->choices; i++) {
        lua_rawgeti(L, -1, (lua_Integer)i + 1);
        bool bare = !has_field(L, "belief") || !has_field(L, "why");
        ask_function(L, p, "holds");
        check_cost(L, p, acts, i);
        v->bare += bare && !lua_toboolean(L, -1);
        if (lua_toboolean(L, -1)) {
            double cost = acts ? lua_tonumber(L, -1) : 0;
            v->best = holding == 0 || cost < least ? i : v->best;
            least = v->best == i ? cost : least;
            v->holds |= 1u << i;
            holding++;
            str_addf(&v->truth, "%s%d", holding > 1 ? " " : "", (int)i + 1);
        }
        lua_pop(L, 2);
    }
    lua_pop(L, 1);
    if (acts && holding > 0) {
        str_clear(&v->truth);
        str_addf(&v->truth, "%d", (int)v->best + 1);
    }
    if (holding == 0 || (v->kind == QUESTION_CHOICE && holding > 1 && !acts)) {
        schema_fault(L, p, question_line(p),
                     "question '%s': %d of its choices hold after the run; %s must",
                     step_now(p)->question_id, (int)holding,
                     v->kind == QUESTION_CHOICE ? "exactly one" : "at least one");
    }
}

/* What cannot be typed as digits is no answer. */
static void check_number(lua_State *L, const struct player *p, double value, const char *what)
{
    if (!isfinite(value) || fabs(value) >= ANSWER_NUMBER_MAX) {
        schema_fault(
            L, p, question_line(p),
            "question '%s': %s is %g; a number here is finite and below 1,000,000,000,000,000",
            p->step[p->current].question_id, what, value);
    }
}

static void add_key(lua_State *L, const struct player *p, struct str *out)
{
    if (lua_type(L, -1) == LUA_TNUMBER) {
        check_number(L, p, lua_tonumber(L, -1), "a number in 'wrong'");
        answer_say(out, lua_tonumber(L, -1));
        str_addc(out, '\n');
    } else {
        str_addf(out, "%s\n", lua_tostring(L, -1));
    }
}

/* The keys of `wrong`, in order: by a sorted array of them. */
static bool key_order(lua_State *L, int a, int b)
{
    if (lua_type(L, a) == LUA_TNUMBER && lua_type(L, b) == LUA_TNUMBER) {
        return lua_compare(L, a, b, LUA_OPLT);
    }
    if (lua_type(L, a) != lua_type(L, b)) {
        return lua_type(L, a) == LUA_TNUMBER;
    }
    return strcmp(lua_tostring(L, a), lua_tostring(L, b)) < 0;
}

static void gather_wrong(lua_State *L, struct player *p, struct verdict *v)
{
    if (ask_function(L, p, "wrong") == LUA_TTABLE) { /* wrong */
        lua_newtable(L);                             /* wrong, keys */
        lua_Integer n = 0;
        lua_pushnil(L);
        while (lua_next(L, -3)) {
            v->bare += !lua_istable(L, -1) || !has_field(L, "belief") || !has_field(L, "why");
            lua_pop(L, 1);
            if (lua_type(L, -1) == LUA_TNUMBER || lua_type(L, -1) == LUA_TSTRING) {
                lua_pushvalue(L, -1);
                lua_rawseti(L, -3, ++n);
            }
        }
        lib_sort(L, lua_gettop(L), n, key_order);
        for (lua_Integer i = 1; i <= n; i++) {
            lua_rawgeti(L, -1, i);
            add_key(L, p, &v->wrong);
            lua_pop(L, 1);
        }
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

static void ask_typed(lua_State *L, struct player *p, struct verdict *v)
{
    bool number = v->kind == QUESTION_NUMBER;
    int type = ask_function(L, p, "answer");
    if (type != (number ? LUA_TNUMBER : LUA_TSTRING)) {
        schema_fault(L, p, question_line(p), "question '%s': its answer is a %s, not a %s",
                     step_now(p)->question_id, lua_typename(L, type), number ? "number" : "text");
    }
    if (number) {
        v->number = lua_tonumber(L, -1);
        check_number(L, p, v->number, "its answer");
        answer_say(&v->truth, v->number);
    } else {
        str_add(&v->truth, lua_tostring(L, -1));
    }
    lua_pop(L, 1);
    push_field(L, "tolerance");
    v->tolerance = lua_tonumber(L, -1);
    check_number(L, p, v->tolerance, "its tolerance");
    lua_pop(L, 1);
    gather_wrong(L, p, v);
}

int judge_ask(lua_State *L)
{
    struct judge_job *job = lua_touserdata(L, 1);
    struct player *p = job->player;
    struct verdict *v = job->verdict;
    v->kind = step_now(p)->kind;
    v->holds = 0;
    v->bare = 0;
    str_clear(&v->truth);
    str_clear(&v->wrong);
    push_step(L, p->current);
    push_field(L, "predict");
    if (v->kind == QUESTION_CHOICE || v->kind == QUESTION_SEVERAL) {
        ask_choices(L, p, v);
    } else if (v->kind != QUESTION_EXPLAIN) { /* the world has no say in that */
        ask_typed(L, p, v);
    }
    return 0;
}

/* --- explaining --- */

static void show_truth(struct player *p, const struct verdict *v, struct page_question *q)
{
    struct str text = STR_EMPTY;
    if (v->kind == QUESTION_CHOICE) {
        str_add(&text, q->choice[v->best].text);
    } else if (v->kind == QUESTION_NUMBER) {
        bool whole = v->number == floor(v->number) && fabs(v->number) < 1e15;
        bool apart = q->unit[0] != '%' && q->unit[0] != '\0';
        str_addf(&text, "%s%s%s",
                 whole ? num_grouped((int64_t)v->number).text : str_text(&v->truth),
                 apart ? " " : "", q->unit);
    } else {
        str_add(&text, str_text(&v->truth));
    }
    q->truth = texts_keep(&step_now(p)->kept_answer, str_text(&text));
    str_free(&text);
}

/* Whether a choice was misjudged: chosen but not true, or (of several) true but not chosen. */
static bool misjudged(const struct page_question *q, const struct verdict *v, size_t i)
{
    bool holds = v->holds & 1u << i;
    return q->choice[i].chosen ? !holds : holds && v->kind == QUESTION_SEVERAL;
}

/* Pushes the entry of `wrong` that stands for the answer given, or nil. */
static void push_mistake(lua_State *L, struct player *p, const struct verdict *v)
{
    const struct page_question *q = &page_now(p)->question;
    double given = 0, nearest = v->tolerance + 1e-9;
    bool number = v->kind == QUESTION_NUMBER && answer_number(q->answer, &given);
    if (ask_function(L, p, "wrong") != LUA_TTABLE) {
        lua_pop(L, 1);
        lua_pushnil(L);
        return;
    }
    lua_pushnil(L); /* wrong, best */
    lua_pushnil(L);
    while (lua_next(L, -3)) { /* wrong, best, key, value */
        bool hit = false;
        if (number && lua_type(L, -2) == LUA_TNUMBER) {
            double off = fabs(lua_tonumber(L, -2) - given);
            hit = off <= nearest;
            nearest = hit ? off : nearest;
        } else if (!number && lua_type(L, -2) == LUA_TSTRING) {
            hit = answer_same(lua_tostring(L, -2), q->answer);
        }
        if (hit) {
            lua_copy(L, -1, -3);
        }
        lua_pop(L, 1);
    }
    lua_remove(L, -2); /* best */
}

/* Whether `part` is one of those that `between` joins in `text`. */
static bool is_among(const char *text, const char *between, const char *part)
{
    size_t length = strlen(part), gap = strlen(between);
    for (const char *at = text; (at = strstr(at, part)) != NULL; at++) {
        bool starts =
            at == text || (at - text >= (ptrdiff_t)gap && strncmp(at - gap, between, gap) == 0);
        if (starts && (at[length] == '\0' || strncmp(at + length, between, gap) == 0)) {
            return true;
        }
    }
    return false;
}

/* Both texts joined and kept; what is there already is not said twice: choices may share a belief.
 */
static const char *join(struct texts *kept, const char *text, const char *between, const char *part)
{
    if (part[0] == '\0' || is_among(text, between, part)) {
        return text;
    }
    struct str both = STR_EMPTY;
    str_addf(&both, "%s%s%s", text, text[0] != '\0' ? between : "", part);
    const char *joined = texts_keep(kept, str_text(&both));
    str_free(&both);
    return joined;
}

/* Adds the table {belief, why} or the text on top to what the page explains; pops it. What was only
 * not chosen (`missed`) says nothing of what is believed. */
static void take_mistake(lua_State *L, struct player *p, struct page_question *q, bool missed)
{
    struct texts *kept = &step_now(p)->kept_answer;
    const char *why = "", *belief = "";
    if (lua_istable(L, -1)) {
        why = keep_field(L, p, kept, "why");
        belief = missed ? "" : keep_field(L, p, kept, "belief");
    } else if (lua_type(L, -1) == LUA_TSTRING) {
        fill_text(L, p, lua_tostring(L, -1), "wrong");
        why = texts_keep(kept, str_text(&p->text));
    }
    lua_pop(L, 1);
    q->feedback = join(kept, q->feedback, " ", why);
    q->belief = join(kept, q->belief, "; ", belief);
}

/* "1", "1 and 2", "1, 2 and 4": misjudged choices that were missed, or that were chosen. */
static size_t add_marks(struct str *out, const struct page_question *q, const struct verdict *v,
                        bool missed)
{
    size_t last = 0, count = 0, listed = 0;
    for (size_t i = 0; i < v->choices; i++) {
        bool counts = misjudged(q, v, i) && q->choice[i].chosen != missed;
        count += counts;
        last = counts ? i : last;
    }
    for (size_t i = 0; i < v->choices; i++) {
        if (misjudged(q, v, i) && q->choice[i].chosen != missed) {
            str_addf(out, "%s%zu", listed++ == 0 ? "" : i == last ? " and " : ", ", i + 1);
        }
    }
    return count;
}

/* Of several: one sentence says which were missed and which do not hold. */
static void say_marks(struct player *p, struct page_question *q, const struct verdict *v)
{
    struct str text = STR_EMPTY, part = STR_EMPTY;
    size_t missed = add_marks(&part, q, v, true);
    if (missed > 0) {
        str_addf(&text, "You missed %s", str_text(&part));
    }
    str_clear(&part);
    size_t wrong = add_marks(&part, q, v, false);
    if (wrong > 0) {
        str_addf(&text, "%s%s %s not hold", missed > 0 ? ", and " : "", str_text(&part),
                 wrong == 1 ? "does" : "do");
    }
    str_addc(&text, '.');
    q->feedback = texts_keep(&step_now(p)->kept_answer, str_text(&text));
    str_free(&text);
    str_free(&part);
}

static void explain_wrong(lua_State *L, struct player *p, const struct verdict *v)
{
    struct page_question *q = &page_now(p)->question;
    if (v->kind != QUESTION_CHOICE && v->kind != QUESTION_SEVERAL) {
        push_mistake(L, p, v);
        take_mistake(L, p, q, false);
        return;
    }
    if (v->kind == QUESTION_SEVERAL) {
        say_marks(p, q, v);
    }
    choices_push(L, p);
    for (size_t i = 0; i < v->choices; i++) {
        if (misjudged(q, v, i)) {
            lua_rawgeti(L, -1, (lua_Integer)i + 1);
            take_mistake(L, p, q, !q->choice[i].chosen);
        }
    }
    lua_pop(L, 1);
}

/* The rule; a choice's own why where the question has none. */
static void explain_right(lua_State *L, struct player *p, const struct verdict *v)
{
    struct page_question *q = &page_now(p)->question;
    struct texts *kept = &step_now(p)->kept_answer;
    q->feedback = keep_field(L, p, kept, "why");
    if (q->feedback[0] == '\0' && v->kind == QUESTION_CHOICE) {
        size_t which = step_now(p)->acts ? acts_choice(p) : v->best;
        choices_push(L, p);
        lua_rawgeti(L, -1, (lua_Integer)which + 1);
        q->feedback = keep_field(L, p, kept, "why");
        lua_pop(L, 2);
    }
}

int judge_show(lua_State *L)
{
    struct judge_job *job = lua_touserdata(L, 1);
    struct player *p = job->player;
    const struct verdict *v = job->verdict;
    struct page_question *q = &page_now(p)->question;
    push_step(L, p->current);
    push_field(L, "with");
    lua_rawsetp(L, LUA_REGISTRYINDEX, &lesson_key_with);
    push_field(L, "predict");
    if (v->kind == QUESTION_EXPLAIN) {
        explain_show(L, p);
        return 0;
    }
    for (size_t i = 0; i < v->choices; i++) {
        q->choice[i].holds = v->holds & 1u << i;
    }
    q->right = q->state == QUESTION_ANSWERED && verdict_right(v, q->answer);
    q->feedback = q->belief = "";
    show_truth(p, v, q);
    if (q->state == QUESTION_ANSWERED && !q->right) {
        explain_wrong(L, p, v);
    }
    if (q->feedback[0] == '\0') {
        explain_right(L, p, v);
    }
    q->judged = true;
    return 0;
}

/* --- tasks --- */

int judge_goal(lua_State *L)
{
    struct goal_job *job = lua_touserdata(L, 1);
    push_step(L, job->player->current);
    push_field(L, "try");
    ask_function(L, job->player, "goal");
    job->holds = lua_toboolean(L, -1);
    return 0;
}

int task_solution(lua_State *L)
{
    struct player *p = lua_touserdata(L, 1);
    str_clear(&p->text);
    push_step(L, p->current);
    push_field(L, "try");
    if (push_field(L, "solution") == LUA_TTABLE) {
        size_t count = (size_t)lua_rawlen(L, -1);
        for (size_t i = 1; i <= count; i++) {
            lua_rawgeti(L, -1, (lua_Integer)i);
            str_addf(&p->text, "%s\n", lua_tostring(L, -1));
            lua_pop(L, 1);
        }
    }
    return 0;
}
