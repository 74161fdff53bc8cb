/*
 * api_check: the checker for scripts: check.search(...), check.after(...), check.steps(...),
 * check.rules(...).
 *
 * A search is bounded by states alone, never by a clock, so what it finds is the same everywhere.
 * It is tried with little room first: most ways that a lesson asks for are short. What was found is
 * kept as long as the player, and asking again costs nothing; a search that was cut is an error,
 * for what is left of a call's states decided where, and it says nothing of what lies beyond.
 */
#include "base/alloc.h"
#include "check/models.h"
#include "check/parting.h"
#include "check/search.h"
#include "lesson/api.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define STATES_MAX UINT64_C(400000) /* of all searches of one call */
#define STATES_FIRST UINT64_C(20000)
#define SEARCH_BYTES ((uint64_t)64 << 20)
#define KNOWN_MAX 256
#define GIVEN_MAX 64
#define STEP_UNITS 200 /* of telling one */

/* What is asked: a scope of a model, and the steps that were taken already. */
struct asked {
    const struct check_model *model;
    struct check_scope scope;
    uint16_t start;
    uint16_t action[GIVEN_MAX];
    uint32_t given;
};

struct known {
    struct asked asked;
    struct check_result result;
};

struct searches {
    struct known known[KNOWN_MAX];
    size_t count;
};

void searches_free(struct searches *s)
{
    for (size_t i = 0; s != NULL && i < s->count; i++) {
        check_result_free(&s->known[i].result);
    }
    free(s);
}

/* --- what is asked --- */

/* Text without a zero in it, which would hide what comes behind. */
static const char *text_at(lua_State *L, int index, const char *what)
{
    size_t length = 0;
    const char *text = lua_type(L, index) == LUA_TSTRING ? lua_tolstring(L, index, &length) : NULL;
    if (text == NULL || strlen(text) != length) {
        sandbox_raise(L, "check: %s is given as text, not as a %s", what,
                      text == NULL ? luaL_typename(L, index) : "text with a zero in it");
    }
    return text;
}

static const struct check_model *model_arg(lua_State *L, int arg)
{
    const char *name = text_at(L, arg, "a protocol");
    const struct check_model *model = check_model_by_name(name);
    if (model == NULL) {
        const char *names[32];
        size_t count = 0;
        while (count < sizeof names / sizeof *names && check_model_at(count) != NULL) {
            names[count] = check_model_at(count)->name;
            count++;
        }
        api_unknown(L, "protocol", name, names, count);
    }
    return model;
}

static uint32_t rule_bit_of(lua_State *L, const struct check_model *model, const char *name)
{
    uint32_t bit = 0;
    if (!check_rule_by_name(model, name, &bit)) {
        const char *names[CHECK_RULES_MAX];
        size_t count = check_rules(model);
        for (size_t i = 0; i < count; i++) {
            names[i] = model->rule[i].name;
        }
        api_unknown(L, "rule", name, names, count);
    }
    return bit;
}

/* Field `without` of the table at `arg`. */
static uint32_t rules_arg(lua_State *L, int arg, const struct check_model *model)
{
    uint32_t rules = CHECK_RULES_ALL;
    int type = lua_getfield(L, arg, "without");
    if (type != LUA_TNIL && type != LUA_TTABLE) {
        sandbox_raise(L, "check: 'without' is a list of rules");
    }
    size_t count = type == LUA_TTABLE ? (size_t)lua_rawlen(L, -1) : 0;
    for (size_t i = 1; i <= count; i++) {
        lua_rawgeti(L, -1, (lua_Integer)i);
        rules &= ~rule_bit_of(L, model, text_at(L, -1, "a rule in 'without'"));
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return rules;
}

/* The world in which a rule that is left out alone is shown. */
static uint8_t smallest(const struct check_model *model, uint32_t rules)
{
    for (size_t i = 0; model->apart != NULL && model->apart[i].rule != NULL; i++) {
        uint32_t bit = 0;
        if (check_rule_by_name(model, model->apart[i].rule, &bit) &&
            rules == (CHECK_RULES_ALL & ~bit)) {
            return model->apart[i].size;
        }
    }
    return model->size_small;
}

/* Protocol and options: arguments 1 and 2. */
static struct asked asked_args(lua_State *L)
{
    static const char *const fields[] = {"size", "without"};
    struct asked a = {.model = model_arg(L, 1), .scope.rules = CHECK_RULES_ALL};
    bool large = false;
    if (!lua_isnoneornil(L, 2)) {
        if (!lua_istable(L, 2)) {
            sandbox_raise(L, "check: its options are a table, not a %s", luaL_typename(L, 2));
        }
        lua_pushnil(L);
        while (lua_next(L, 2)) {
            lua_pop(L, 1);
            const char *name = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "1";
            if (strcmp(name, fields[0]) != 0 && strcmp(name, fields[1]) != 0) {
                api_unknown(L, "option of check", name, fields, 2);
            }
        }
        a.scope.rules = rules_arg(L, 2, a.model);
        if (lua_getfield(L, 2, "size") != LUA_TNIL) {
            const char *size = text_at(L, -1, "'size'");
            large = strcmp(size, "large") == 0;
            if (!large && strcmp(size, "small") != 0) {
                sandbox_raise(L, "check: 'size' is small or large, not '%.20s'", size);
            }
        }
        lua_pop(L, 1);
    }
    a.scope.size = large ? a.model->size_large : smallest(a.model, a.scope.rules);
    a.scope.judge = a.scope.rules == CHECK_RULES_ALL ? CHECK_BOTH : CHECK_OUTSIDE;
    return a;
}

/* --- searching --- */

static bool same(const struct asked *a, const struct asked *b)
{
    return a->model == b->model && a->scope.rules == b->scope.rules &&
           a->scope.size == b->scope.size && a->scope.judge == b->scope.judge &&
           a->start == b->start && a->given == b->given &&
           memcmp(a->action, b->action, a->given * sizeof *a->action) == 0;
}

static struct check_result search_with(const struct asked *a, uint64_t states)
{
    struct check_options options = {.states_max = states > 0 ? states : 1,
                                    .bytes_max = SEARCH_BYTES,
                                    .threads = 1,
                                    .live = true};
    struct check_result result = {0};
    if (a->given == 0) {
        return check_search(a->model, &a->scope, &options);
    }
    CHECK(check_search_from(a->model, &a->scope, &options, a->start, a->action, a->given, &result));
    return result;
}

static void count_states(lua_State *L, struct player *p, const struct check_result *r)
{
    p->call_states += r->states;
    p->pass_events += r->generated; /* as much work as so many events of the engine */
    if (pass_left(p) == 0) {
        sandbox_raise(L, "check: more is searched than a check of the lesson may do");
    }
}

/* Where the result is kept; good until the next search. */
static const struct check_result *found(lua_State *L, const struct asked *a)
{
    struct player *p = player_of(L);
    if (p->searches == NULL) {
        p->searches = xcalloc(1, sizeof *p->searches);
    }
    struct searches *s = p->searches;
    for (size_t i = 0; i < s->count; i++) {
        if (same(&s->known[i].asked, a)) {
            return &s->known[i].result;
        }
    }
    int64_t since = sandbox_clock();
    uint64_t left = p->call_states < STATES_MAX ? STATES_MAX - p->call_states : 0;
    uint64_t first = left < STATES_FIRST ? left : STATES_FIRST;
    struct check_result result = search_with(a, first);
    if (result.verdict == CHECK_CUT && left > first) {
        check_result_free(&result);
        result = search_with(a, left);
    }
    sandbox_forgive(L, since);
    if (s->count == KNOWN_MAX) { /* the oldest gives its room */
        check_result_free(&s->known[0].result);
        memmove(&s->known[0], &s->known[1], (KNOWN_MAX - 1) * sizeof *s->known);
        s->count--;
    }
    struct known *k = &s->known[s->count++];
    *k = (struct known){.asked = *a, .result = result};
    if (result.verdict == CHECK_CUT) {
        k->asked.model = NULL; /* nobody asks for that */
    }
    count_states(L, p, &k->result);
    return &k->result;
}

/* --- telling --- */

static void tell(const struct asked *a, const void *state, uint16_t action, struct check_told *told)
{
    *told = (struct check_told){.actor = ""};
    a->model->tell(&a->scope, state, action, told);
}

static void push_told(lua_State *L, const struct check_told *told)
{
    sandbox_charge(L, STEP_UNITS);
    lua_createtable(L, 0, 3);
    api_set_text(L, "actor", told->actor);
    api_set_text(L, "action", told->action);
    api_set_text(L, "detail", told->detail);
}

/* Field `name`: a list of the steps from `first` on, so many. */
static void set_steps(lua_State *L, const char *name, const struct asked *a, const uint16_t *action,
                      uint32_t first, uint32_t count)
{
    _Alignas(16) unsigned char state[CHECK_STATE_MAX];
    lua_createtable(L, (int)count, 0);
    for (uint32_t i = 0; i < count; i++) {
        struct check_told told;
        CHECK(check_replay(a->model, &a->scope, a->start, action, first + i, state) == first + i);
        tell(a, state, action[first + i], &told);
        push_told(L, &told);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, name);
}

static const char *broken_says(const struct check_model *model, int code)
{
    return code == CHECK_STUCK  ? "nothing can happen any more, and it is not finished"
           : code == CHECK_DEAD ? "from here on it can never be finished"
                                : model->broken(code);
}

static void set_reached(lua_State *L, const struct check_model *model, uint32_t reached)
{
    lua_Integer count = 0;
    lua_newtable(L);
    for (size_t i = 0; model->situation != NULL && model->situation[i].name != NULL; i++) {
        if (reached >> i & 1) {
            lua_pushstring(L, model->situation[i].name);
            lua_rawseti(L, -2, ++count);
        }
    }
    lua_setfield(L, -2, "reached");
}

static void push_result(lua_State *L, const struct asked *a, const struct check_result *r)
{
    bool fails = r->verdict == CHECK_FAILS, holds = r->verdict == CHECK_HOLDS;
    uint32_t depth = r->depth - a->given;
    lua_createtable(L, 0, 10);
    api_set_truth(L, "holds", holds);
    api_set_truth(L, "redundant", holds && a->scope.rules != CHECK_RULES_ALL && a->given == 0);
    api_set_number(L, "states", (int64_t)r->states);
    api_set_number(L, "depth", depth);
    api_set_text(L, "broken", fails ? broken_says(a->model, r->broken) : "");
    set_reached(L, a->model, r->reached);
    set_steps(L, "before", a, a->action, 0, a->given);
    set_steps(L, "steps", a, r->action, a->given, fails ? depth : 0);
    uint32_t refused = fails ? check_part(a->model, &a->scope, r, CHECK_RULES_ALL).first.step : 0;
    if (refused > 0) {
        api_set_number(L, "refused", refused > a->given ? refused - a->given : 0);
    }
}

static const struct check_result *whole(lua_State *L, const struct asked *a)
{
    const struct check_result *r = found(L, a);
    if (r->verdict == CHECK_CUT) {
        sandbox_raise(L,
                      "check: the search of %s was cut; all searches of one call may find %d "
                      "states: give it a call of its own, or ask for the small world",
                      a->model->name, (int)STATES_MAX);
    }
    return r;
}

/* With rules left out, what a client notices comes before what only somebody who sees all nodes
 * could say. */
static int search_and_push(lua_State *L, struct asked *a)
{
    const struct check_result *r = whole(L, a);
    if (r->verdict == CHECK_HOLDS && a->scope.judge == CHECK_OUTSIDE) {
        a->scope.judge = CHECK_BOTH;
        r = whole(L, a);
    }
    push_result(L, a, r);
    return 1;
}

/* --- steps by their words --- */

/* The state after what was given, and what can come then. */
static void open_next(const struct asked *a, struct check_out *out, void *state)
{
    *out = (struct check_out){.state_size = a->model->state_size, .room = CHECK_STEPS_MAX};
    out->state = xmalloc(CHECK_STEPS_MAX * a->model->state_size);
    out->action = xcalloc(CHECK_STEPS_MAX, sizeof *out->action);
    CHECK(check_replay(a->model, &a->scope, a->start, a->action, a->given, state) == a->given);
    a->model->next(&a->scope, state, out);
}

static void close_next(struct check_out *out)
{
    free(out->state);
    free(out->action);
}

/* "ACTOR ACTION" or "ACTOR ACTION | PART OF THE DETAIL". */
static bool matches(const struct check_told *told, const char *words)
{
    char said[sizeof told->actor + sizeof told->action + 1];
    const char *bar = strstr(words, " | ");
    size_t length = bar != NULL ? (size_t)(bar - words) : strlen(words);
    snprintf(said, sizeof said, "%s %s", told->actor, told->action);
    return strlen(said) == length && strncmp(said, words, length) == 0 &&
           (bar == NULL || strstr(told->detail, bar + 3) != NULL);
}

static bool take_words(struct asked *a, const char *words)
{
    _Alignas(16) unsigned char state[CHECK_STATE_MAX];
    struct check_out out;
    bool taken = false;
    open_next(a, &out, state);
    for (size_t i = 0; i < out.count && !taken; i++) {
        struct check_told told;
        tell(a, state, out.action[i], &told);
        if (matches(&told, words)) {
            a->action[a->given] = out.action[i];
            taken = true;
        }
    }
    close_next(&out);
    a->given += taken;
    return taken;
}

/* What could come instead, as an error tells it. */
_Noreturn static void refuse_words(lua_State *L, const struct asked *a, int number,
                                   const char *words)
{
    _Alignas(16) unsigned char state[CHECK_STATE_MAX];
    struct check_out out;
    char list[1200] = "";
    open_next(a, &out, state);
    for (size_t i = 0; i < out.count; i++) {
        struct check_told told;
        size_t length = strlen(list);
        tell(a, state, out.action[i], &told);
        snprintf(list + length, sizeof list - length, "%s%s %s", i > 0 ? "; " : "", told.actor,
                 told.action);
    }
    close_next(&out);
    sandbox_raise(L, "check: step %d, '%.80s', cannot come then; there are: %s", number, words,
                  list);
}

/* The list of words at `arg`. */
static void take_steps(lua_State *L, int arg, struct asked *a)
{
    if (!lua_istable(L, arg)) {
        sandbox_raise(L, "check: the steps are a list, not a %s", luaL_typename(L, arg));
    }
    size_t count = (size_t)lua_rawlen(L, arg);
    if (count > GIVEN_MAX) {
        sandbox_raise(L, "check: at most %d steps are given, not %d", GIVEN_MAX, (int)count);
    }
    for (size_t i = 1; i <= count; i++) {
        lua_rawgeti(L, arg, (lua_Integer)i);
        const char *words = text_at(L, -1, "a step");
        sandbox_charge(L, STEP_UNITS * (int64_t)(i + 1));
        if (!take_words(a, words)) {
            refuse_words(L, a, (int)i, words);
        }
        lua_pop(L, 1);
    }
}

/* The start whose number is least. */
static void begin(struct asked *a)
{
    struct check_out out = {.state_size = a->model->state_size, .room = CHECK_STEPS_MAX};
    out.state = xmalloc(CHECK_STEPS_MAX * a->model->state_size);
    out.action = xcalloc(CHECK_STEPS_MAX, sizeof *out.action);
    a->model->init(&a->scope, &out);
    a->start = out.action[0];
    close_next(&out);
}

/* --- check.* --- */

static int check_search_words(lua_State *L)
{
    struct asked a = asked_args(L);
    begin(&a);
    return search_and_push(L, &a);
}

static int check_after_words(lua_State *L)
{
    struct asked a = asked_args(L);
    begin(&a);
    take_steps(L, 3, &a);
    return search_and_push(L, &a);
}

static int check_steps_words(lua_State *L)
{
    _Alignas(16) unsigned char state[CHECK_STATE_MAX];
    struct asked a = asked_args(L);
    struct check_out out;
    begin(&a);
    take_steps(L, 3, &a);
    sandbox_charge(L, STEP_UNITS * CHECK_STEPS_MAX);
    open_next(&a, &out, state);
    struct check_told told[CHECK_STEPS_MAX];
    size_t count = out.count;
    for (size_t i = 0; i < count; i++) {
        tell(&a, state, out.action[i], &told[i]);
    }
    close_next(&out);
    lua_createtable(L, (int)count, 0);
    for (size_t i = 0; i < count; i++) {
        push_told(L, &told[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

static int check_rules_words(lua_State *L)
{
    const struct check_model *model = model_arg(L, 1);
    lua_newtable(L);
    for (size_t i = 0; model->rule[i].name != NULL; i++) {
        sandbox_charge(L, STEP_UNITS);
        lua_createtable(L, 0, 2);
        api_set_text(L, "name", model->rule[i].name);
        api_set_text(L, "demands", model->rule[i].demands);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

void api_check_open(lua_State *L)
{
    static const luaL_Reg functions[] = {{"search", check_search_words},
                                         {"after", check_after_words},
                                         {"steps", check_steps_words},
                                         {"rules", check_rules_words},
                                         {NULL, NULL}};
    lua_newtable(L);
    luaL_setfuncs(L, functions, 0);
    sandbox_freeze(L, "check");
    sandbox_add_value(L, "check");
}
