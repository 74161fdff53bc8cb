#include "base/near.h"
#include "base/num.h"
#include "lesson/schema_inside.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct field lesson_fields[] = {{"id", TEXT | REQUIRED},
                                             {"part", NUMBER | REQUIRED},
                                             {"title", TEXT | REQUIRED},
                                             {"minutes", NUMBER | REQUIRED},
                                             {"needs", TABLE},
                                             {"placement", TABLE},
                                             {"world", TEXT},
                                             {"card", FUNCTION},
                                             {"steps", TABLE | REQUIRED},
                                             {NULL, 0}};
static const struct field placement_fields[] = {{"go", TEXT | REQUIRED}, {NULL, 0}};
static const struct field drill_fields[] = {
    {"id", TEXT | REQUIRED}, {"part", NUMBER | REQUIRED},   {"title", TEXT | REQUIRED},
    {"minutes", NUMBER},     {"make", FUNCTION | REQUIRED}, {NULL, 0}};
static const struct field made_fields[] = {{"steps", TABLE | REQUIRED}, {"world", TEXT}, {NULL, 0}};
static const struct field step_fields[] = {{"id", TEXT | REQUIRED},
                                           {"title", TEXT | REQUIRED},
                                           {"say", TEXT | REQUIRED},
                                           {"show", TABLE},
                                           {"key", TEXT},
                                           {"router", TEXT},
                                           {"enter", FUNCTION},
                                           {"predict", TABLE},
                                           {"run", FUNCTION},
                                           {"after", TEXT},
                                           {"try", TABLE},
                                           {"actions", TABLE},
                                           {"breaks", TEXT},
                                           {"deeper", BOOLEAN},
                                           {"notes", TEXT},
                                           {"grids", FUNCTION},
                                           {"placing", FUNCTION},
                                           {"knobs", TABLE},
                                           {"experiment", TABLE},
                                           {"table", FUNCTION},
                                           {"heat", FUNCTION},
                                           {"worksheet", FUNCTION},
                                           {"vectors", FUNCTION},
                                           {"workers", FUNCTION},
                                           {"check", BOOLEAN},
                                           {"with", TABLE},
                                           {"protocol", TABLE},
                                           {"when", FUNCTION},
                                           {NULL, 0}};
static const struct field question_fields[] = {{"id", TEXT | REQUIRED},
                                               {"kind", TEXT | REQUIRED},
                                               {"ask", TEXT | REQUIRED},
                                               {"choices", TABLE | FUNCTION},
                                               {"acts", BOOLEAN},
                                               {"answer", FUNCTION},
                                               {"tolerance", NUMBER},
                                               {"unit", TEXT},
                                               {"wrong", TABLE | FUNCTION},
                                               {"why", TEXT},
                                               {"hints", TABLE},
                                               {"confidence", BOOLEAN},
                                               {"model", TEXT},
                                               {"rubric", TABLE},
                                               {NULL, 0}};
static const struct field choice_fields[] = {
    {"holds", FUNCTION | REQUIRED}, {"belief", TEXT}, {"why", TEXT}, {"act", FUNCTION}, {NULL, 0}};
static const struct field task_fields[] = {
    {"ask", TEXT | REQUIRED}, {"goal", FUNCTION},  {"opened", TEXT}, {"solution", TABLE},
    {"hints", TABLE},         {"builds", BOOLEAN}, {"of", TEXT},     {NULL, 0}};

static const char *const view_names[] = {
    "slot_map", "bars",       "trace",   "crc16",   "maps",    "grid",      "ring",      "ranges",
    "maglev",   "rendezvous", "schemes", "layouts", "top",     "cache",     "waterfall", "latency",
    "bucket",   "counter",    "system",  "table",   "heat",    "move",      "log",       "tables",
    "copies",   "dual",       "ask",     "scatter", "zones",   "catalog",   "txn",       "replicas",
    "nodes",    "store",      "phi",     "fleet",   "systems", "parts",     "lineage",   "machines",
    "group",    "card",       "readout", "vectors", "workers", "worksheet", "cheat"};
static const char *const action_names[] = {"route", "stale", "reload", "move", "break", "key"};
static const char *const kind_names[] = {"choice", "several", "number", "text", "explain"};

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

void schema_fault(lua_State *L, const struct player *p, int line, const char *format, ...)
{
    char what[400];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    lua_pushfstring(L, "%s:%d: %s", source_name(p), line > 0 ? line : 1, what);
    lua_error(L);
    abort(); /* lua_error does not return */
}

enum question_kind schema_kind(const char *name)
{
    for (size_t i = 0; name != NULL && i < COUNT(kind_names); i++) {
        if (strcmp(name, kind_names[i]) == 0) {
            return (enum question_kind)(QUESTION_CHOICE + (int)i);
        }
    }
    return QUESTION_NONE;
}

bool schema_action(const char *name, enum page_action *out)
{
    for (size_t i = 0; i < COUNT(action_names); i++) {
        if (strcmp(name, action_names[i]) == 0) {
            *out = (enum page_action)(ACTION_ROUTE + (int)i);
            return true;
        }
    }
    return false;
}

void schema_unknown(lua_State *L, const struct place *at, const char *kind, const char *name,
                    const char *const *names, size_t count)
{
    const char *near = near_name(name, names, count);
    int line = source_line(at->p, name, at->line);
    schema_fault(L, at->p, line > 0 ? line : at->line, "%s: there is no %s '%s'%s%s%s", at->what,
                 kind, name, near != NULL ? "; did you mean '" : "", near != NULL ? near : "",
                 near != NULL ? "'?" : "");
}

static unsigned kind_of(lua_State *L, int index)
{
    switch (lua_type(L, index)) {
    case LUA_TSTRING:
        return TEXT;
    case LUA_TNUMBER:
        return NUMBER;
    case LUA_TBOOLEAN:
        return BOOLEAN;
    case LUA_TFUNCTION:
        return FUNCTION;
    case LUA_TTABLE:
        return TABLE;
    default:
        return 0;
    }
}

static void kinds_say(unsigned kinds, char out[64])
{
    static const char *const names[] = {"a text", "a number", "true or false", "a function",
                                        "a table"};
    out[0] = '\0';
    for (size_t i = 0; i < COUNT(names); i++) {
        if (kinds & 1u << i) {
            snprintf(out + strlen(out), 64 - strlen(out), "%s%s", out[0] != '\0' ? " or " : "",
                     names[i]);
        }
    }
}

static void check_field(lua_State *L, const struct place *at, const struct field *f)
{
    push_field(L, f->name);
    unsigned kind = kind_of(L, -1);
    bool absent = lua_isnil(L, -1);
    lua_pop(L, 1);
    if (absent && f->kinds & REQUIRED) {
        schema_fault(L, at->p, at->line, "%s: '%s' is missing", at->what, f->name);
    }
    if (!absent && !(kind & f->kinds)) {
        char wanted[64];
        kinds_say(f->kinds, wanted);
        int line = source_line(at->p, f->name, at->line);
        schema_fault(L, at->p, line > 0 ? line : at->line, "%s: '%s' must be %s", at->what, f->name,
                     wanted);
    }
}

void schema_fields(lua_State *L, const struct place *at, const struct field *fields, bool list)
{
    const char *names[32];
    size_t count = 0;
    for (; fields[count].name != NULL; count++) {
        names[count] = fields[count].name;
    }
    const char *unknown = NULL; /* the first by name, so that the message is the same every time */
    bool stray = false;
    lua_pushnil(L);
    while (lua_next(L, -2)) {
        lua_pop(L, 1);
        const char *name = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : NULL;
        stray = stray || (name == NULL && !list);
        bool known = name == NULL;
        for (size_t i = 0; i < count && !known; i++) {
            known = strcmp(name, names[i]) == 0;
        }
        if (!known && (unknown == NULL || strcmp(name, unknown) < 0)) {
            unknown = name;
        }
    }
    if (unknown != NULL) {
        schema_unknown(L, at, "field", unknown, names, count);
    }
    if (stray) {
        schema_fault(L, at->p, at->line, "%s: a value without a name: only names are known here",
                     at->what);
    }
    for (size_t i = 0; i < count; i++) {
        check_field(L, at, &fields[i]);
    }
}

static void check_id(lua_State *L, const struct place *at)
{
    push_field(L, "id");
    const char *id = lua_tostring(L, -1);
    size_t n = strspn(id, "abcdefghijklmnopqrstuvwxyz0123456789_-");
    if (n == 0 || id[n] != '\0' || n > 60) {
        schema_fault(L, at->p, at->line, "%s: the id '%.60s' is not made of a-z, 0-9, _ and -",
                     at->what, id);
    }
    lua_pop(L, 1);
}

/* Field `name`, if there, is a list of at most `max` texts. */
static size_t check_texts(lua_State *L, const struct place *at, const char *name, size_t max)
{
    size_t count = 0;
    if (push_field(L, name) == LUA_TTABLE) {
        count = (size_t)lua_rawlen(L, -1);
        if (count > max) {
            schema_fault(L, at->p, at->line, "%s: '%s' has %d entries; at most %d", at->what, name,
                         (int)count, (int)max);
        }
        for (size_t i = 1; i <= count; i++) {
            if (lua_rawgeti(L, -1, (lua_Integer)i) != LUA_TSTRING) {
                schema_fault(L, at->p, at->line, "%s: entry %d of '%s' must be a text", at->what,
                             (int)i, name);
            }
            lua_pop(L, 1);
        }
    }
    lua_pop(L, 1);
    return count;
}

void schema_check_top(lua_State *L, struct player *p)
{
    struct place at = {p, 1, p->drill ? "the drill" : "the lesson"};
    schema_fields(L, &at, p->drill ? drill_fields : lesson_fields, false);
    check_id(L, &at);
    check_texts(L, &at, "needs", 50);
    if (push_field(L, "placement") == LUA_TTABLE) {
        struct place here = {p, source_line(p, "placement", 1), "'placement'"};
        schema_fields(L, &here, placement_fields, false);
    }
    lua_pop(L, 1);
    push_field(L, "part");
    if (!lua_isinteger(L, -1) || lua_tointeger(L, -1) < 0 || lua_tointeger(L, -1) > 99) {
        schema_fault(L, p, source_line(p, "part", 1), "%s: 'part' is a whole number from 0 to 99",
                     at.what);
    }
    lua_pop(L, 1);
    if (push_field(L, "minutes") != LUA_TNIL &&
        (!lua_isinteger(L, -1) || lua_tointeger(L, -1) < 1 || lua_tointeger(L, -1) > 600)) {
        schema_fault(L, p, source_line(p, "minutes", 1),
                     "%s: 'minutes' is a whole number from 1 to 600", at.what);
    }
    lua_pop(L, 1);
}

void schema_check_made(lua_State *L, struct player *p)
{
    int line = source_line(p, "make", 1);
    if (!lua_istable(L, -1)) {
        schema_fault(L, p, line, "make must return { steps = { ... } }");
    }
    struct place at = {p, line, "what make returns"};
    schema_fields(L, &at, made_fields, false);
}

/* --- steps --- */

static void check_names(lua_State *L, const struct place *at, const char *field, const char *kind,
                        const char *const *names, size_t count)
{
    push_field(L, field);
    size_t given = lua_istable(L, -1) ? (size_t)lua_rawlen(L, -1) : 0;
    for (size_t i = 1; i <= given; i++) {
        lua_rawgeti(L, -1, (lua_Integer)i);
        char name[40];
        snprintf(name, sizeof name, "%s", lua_tostring(L, -1));
        name[strcspn(name, ":")] = '\0';
        bool known = false;
        for (size_t k = 0; k < count; k++) {
            known = known || strcmp(name, names[k]) == 0;
        }
        if (!known) {
            schema_unknown(L, at, kind, name, names, count);
        }
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

void schema_choices(lua_State *L, const struct place *at)
{
    size_t count = lua_istable(L, -1) ? (size_t)lua_rawlen(L, -1) : 0;
    if (count < 2 || count > PAGE_CHOICES_MAX) {
        schema_fault(L, at->p, at->line, "%s: 2 to %d choices, not %d", at->what, PAGE_CHOICES_MAX,
                     (int)count);
    }
    for (size_t i = 1; i <= count; i++) {
        if (lua_rawgeti(L, -1, (lua_Integer)i) != LUA_TTABLE) {
            schema_fault(L, at->p, at->line, "%s: choice %d must be a table", at->what, (int)i);
        }
        if (lua_rawgeti(L, -1, 1) != LUA_TSTRING || lua_rawlen(L, -2) != 1) {
            schema_fault(L, at->p, at->line, "%s: choice %d must begin with its one text", at->what,
                         (int)i);
        }
        lua_pop(L, 1);
        schema_fields(L, at, choice_fields, true);
        lua_pop(L, 1);
    }
}

static void check_question(lua_State *L, const struct place *step)
{
    int top = lua_gettop(L);
    schema_fields(L, step, question_fields, false);
    check_id(L, step);
    push_field(L, "id");
    char what[80];
    snprintf(what, sizeof what, "question '%s'", lua_tostring(L, -1));
    struct place at = {step->p, source_id_line(step->p, lua_tostring(L, -1)), what};
    lua_pop(L, 1);
    push_field(L, "kind");
    enum question_kind kind = schema_kind(lua_tostring(L, -1));
    if (kind == QUESTION_NONE) {
        schema_unknown(L, &at, "kind", lua_tostring(L, -1), kind_names, COUNT(kind_names));
    }
    lua_pop(L, 1);
    check_texts(L, &at, "hints", PAGE_HINTS_MAX);
    bool chosen = kind == QUESTION_CHOICE || kind == QUESTION_SEVERAL;
    bool answer = has_field(L, "answer"), choices = has_field(L, "choices");
    schema_explain(L, &at, kind == QUESTION_EXPLAIN);
    if (kind == QUESTION_EXPLAIN) {
        return;
    }
    if (chosen ? answer || !choices : choices || !answer) {
        schema_fault(L, at.p, at.line, "%s: %s", what,
                     chosen ? "it needs 'choices' and has no 'answer'"
                            : "it needs 'answer' and has no 'choices'");
    }
    if (has_field(L, "acts") && kind != QUESTION_CHOICE) {
        schema_fault(L, at.p, at.line, "%s: only choices of which one is made can act", what);
    }
    if (chosen && push_field(L, "choices") != LUA_TFUNCTION) {
        schema_choices(L, &at);
    }
    lua_settop(L, top);
}

static void check_task(lua_State *L, const struct place *at)
{
    schema_fields(L, at, task_fields, false);
    check_texts(L, at, "hints", PAGE_HINTS_MAX);
    check_texts(L, at, "solution", 30);
    if (has_field(L, "goal") == has_field(L, "opened")) {
        schema_fault(L, at->p, at->line, "%s: 'try' needs either 'goal' or 'opened'", at->what);
    }
    schema_opened(L, at);
}

static void check_details(lua_State *L, const struct place *at)
{
    if (push_field(L, "breaks") == LUA_TSTRING) {
        enum rule rule;
        const char *names[RULE_COUNT];
        for (int i = 0; i < RULE_COUNT; i++) {
            names[i] = rule_name((enum rule)i);
        }
        if (!rule_by_name(lua_tostring(L, -1), &rule)) {
            schema_unknown(L, at, "rule", lua_tostring(L, -1), names, RULE_COUNT);
        }
    }
    lua_pop(L, 1);
    if (push_field(L, "router") == LUA_TSTRING) {
        const char *name = lua_tostring(L, -1);
        uint64_t number = 0;
        if (name[0] != 'R' || !num_parse_u64(name + 1, "router", 0, 65535, &number, NULL)) {
            schema_fault(L, at->p, at->line, "%s: 'router' is written \"R5\", not \"%.20s\"",
                         at->what, name);
        }
    }
    lua_pop(L, 1);
    if (push_field(L, "key") == LUA_TSTRING && lua_rawlen(L, -1) > KEY_BYTES_MAX) {
        schema_fault(L, at->p, at->line, "%s: 'key' has at most %d bytes", at->what, KEY_BYTES_MAX);
    }
    lua_pop(L, 1);
}

void schema_check_step(lua_State *L, struct player *p, size_t index)
{
    char what[80];
    int question = lua_gettop(L) + 1;
    snprintf(what, sizeof what, "step %d", (int)index + 1);
    int line = source_line(p, "steps", 1);
    struct place at = {p, line, what};
    if (!lua_istable(L, -1)) {
        schema_fault(L, p, line, "%s must be a table", what);
    }
    if (push_field(L, "id") == LUA_TSTRING) {
        snprintf(what, sizeof what, "step '%.60s'", lua_tostring(L, -1));
        at.line = source_id_line(p, lua_tostring(L, -1));
    }
    lua_pop(L, 1);
    schema_fields(L, &at, step_fields, false);
    check_id(L, &at);
    check_texts(L, &at, "show", PAGE_SHOWS_MAX);
    check_texts(L, &at, "actions", PAGE_ACTIONS_MAX);
    check_names(L, &at, "show", "view", view_names, COUNT(view_names));
    check_names(L, &at, "actions", "action", action_names, COUNT(action_names));
    check_details(L, &at);
    schema_protocol(L, &at);
    schema_knobs(L, &at);
    schema_experiment(L, &at);
    if (push_field(L, "predict") == LUA_TTABLE) {
        check_question(L, &at);
        push_field(L, "acts");
        bool acts = lua_toboolean(L, -1);
        lua_pop(L, 1);
        if (acts && (lua_getfield(L, question - 1, "run") != LUA_TNIL ||
                     lua_getfield(L, question - 1, "experiment") != LUA_TNIL)) {
            schema_fault(L, p, at.line, "%s: choices that act are what runs: no 'run' beside them",
                         what);
        }
        lua_settop(L, question);
    }
    lua_pop(L, 1);
    if (push_field(L, "try") == LUA_TTABLE) {
        check_task(L, &at);
    }
    lua_pop(L, 1);
}
