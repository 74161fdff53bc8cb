/*
 * protocol: a step's `protocol = { name = "fence-and-flip", without = { "fence" } }`: which of the
 * checker's protocols can be searched from here, and which of its rules are off to begin with.
 */
#include "check/models.h"
#include "lesson/inside.h"
#include "lesson/schema_inside.h"
#include <stdio.h>
#include <string.h>

static const struct field protocol_fields[] = {
    {"name", TEXT | REQUIRED}, {"without", TABLE}, {NULL, 0}};

static const struct check_model *model_named(lua_State *L, const struct place *at, const char *name)
{
    const char *names[32];
    size_t count = 0;
    const struct check_model *model = check_model_by_name(name);
    while (model == NULL && count < sizeof names / sizeof *names && check_model_at(count) != NULL) {
        names[count] = check_model_at(count)->name;
        count++;
    }
    if (model == NULL) {
        schema_unknown(L, at, "protocol", name, names, count);
    }
    return model;
}

static void check_rule_named(lua_State *L, const struct place *at, const struct check_model *model,
                             const char *name)
{
    uint32_t bit = 0;
    if (!check_rule_by_name(model, name, &bit)) {
        const char *names[CHECK_RULES_MAX];
        size_t count = check_rules(model);
        for (size_t i = 0; i < count; i++) {
            names[i] = model->rule[i].name;
        }
        char kind[80];
        snprintf(kind, sizeof kind, "rule of %.60s", model->name);
        schema_unknown(L, at, kind, name, names, count);
    }
}

void schema_protocol(lua_State *L, const struct place *at)
{
    if (push_field(L, "protocol") == LUA_TTABLE) {
        char what[120];
        snprintf(what, sizeof what, "%.80s: 'protocol'", at->what);
        int line = source_line(at->p, "protocol", at->line);
        struct place here = {at->p, line > 0 ? line : at->line, what};
        schema_fields(L, &here, protocol_fields, false);
        push_field(L, "name");
        const struct check_model *model = model_named(L, &here, lua_tostring(L, -1));
        lua_pop(L, 1);
        push_field(L, "without");
        size_t count = lua_istable(L, -1) ? (size_t)lua_rawlen(L, -1) : 0;
        if (count > PAGE_WITHOUT_MAX) {
            schema_fault(L, at->p, here.line, "%s: at most %d rules are off to begin with, not %d",
                         what, PAGE_WITHOUT_MAX, (int)count);
        }
        for (size_t i = 1; i <= count; i++) {
            if (lua_rawgeti(L, -1, (lua_Integer)i) != LUA_TSTRING) {
                schema_fault(L, at->p, here.line, "%s: rule %d must be a text", what, (int)i);
            }
            check_rule_named(L, &here, model, lua_tostring(L, -1));
            lua_pop(L, 1);
        }
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

/* The names are the model's own: they outlive the page. */
void protocol_build(lua_State *L, struct player *p)
{
    struct page_protocol *to = &page_now(p)->protocol;
    *to = (struct page_protocol){0};
    if (push_field(L, "protocol") == LUA_TTABLE) {
        push_field(L, "name");
        const struct check_model *model = check_model_by_name(lua_tostring(L, -1));
        lua_pop(L, 1);
        to->name = model->name;
        push_field(L, "without");
        size_t count = lua_istable(L, -1) ? (size_t)lua_rawlen(L, -1) : 0;
        for (size_t i = 1; i <= count && to->rules_off < PAGE_WITHOUT_MAX; i++) {
            uint32_t bit = 0;
            lua_rawgeti(L, -1, (lua_Integer)i);
            if (check_rule_by_name(model, lua_tostring(L, -1), &bit)) {
                to->without[to->rules_off++] = model->rule[__builtin_ctz(bit)].name;
            }
            lua_pop(L, 1);
        }
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}
