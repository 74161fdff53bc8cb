/*
 * worksheet: a calculator of `hotshard size` on a page: what the step's `worksheet` function gives,
 * computed, its numbers and their arithmetic as texts.
 */
#include "base/alloc.h"
#include "lesson/api.h"
#include "lesson/table_parts.h"
#include "tools/size.h"
#include <string.h>

static const char *kept(struct player *p)
{
    return texts_keep(&step_now(p)->kept_table, str_text(&p->text));
}

static void add_value(struct str *out, const char *unit, double value)
{
    if (strcmp(unit, SIZE_YES_NO) == 0) {
        str_add(out, value != 0 ? "yes" : "no");
    } else {
        size_add_number(out, value);
    }
}

/* Whether `only`, a list at that index of the stack, names it; without a list all are named. */
static bool is_wanted(lua_State *L, int only, const char *name)
{
    bool wanted = lua_isnil(L, only);
    for (lua_Integer i = 1; !wanted && i <= (lua_Integer)lua_rawlen(L, only); i++) {
        lua_rawgeti(L, only, i);
        wanted = lua_type(L, -1) == LUA_TSTRING && strcmp(lua_tostring(L, -1), name) == 0;
        lua_pop(L, 1);
    }
    return wanted;
}

static bool is_name(const struct size_tool *tool, const char *name)
{
    for (size_t i = 0; tool->input[i].name; i++) {
        if (strcmp(tool->input[i].name, name) == 0) {
            return true;
        }
    }
    for (size_t i = 0; tool->result[i].name; i++) {
        if (strcmp(tool->result[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

static void check_only(lua_State *L, struct player *p, int only, const struct size_tool *tool)
{
    if (!lua_isnil(L, only) && !lua_istable(L, only)) {
        schema_fault(L, p, made_line(p, "worksheet"), "worksheet: 'only' is a %s, not a list",
                     luaL_typename(L, only));
    }
    for (lua_Integer i = 1; lua_istable(L, only) && i <= (lua_Integer)lua_rawlen(L, only); i++) {
        lua_rawgeti(L, only, i);
        const char *name = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "?";
        if (!is_name(tool, name)) {
            schema_fault(L, p, made_line(p, "worksheet"),
                         "worksheet: 'only' names inputs and results of %s, and \"%.40s\" is none",
                         tool->name, name);
        }
        lua_pop(L, 1);
    }
}

/* The calculator that `what` names; the declared table is on top. */
static const struct size_tool *tool_of(lua_State *L, struct player *p)
{
    if (push_field(L, "what") != LUA_TSTRING) {
        schema_fault(L, p, made_line(p, "worksheet"),
                     "worksheet: 'what' names a calculator: what = \"capacity\"");
    }
    const struct size_tool *tool = api_size_tool(L, lua_tostring(L, -1));
    lua_pop(L, 1);
    return tool;
}

static void add_inputs(lua_State *L, struct player *p, int only, const struct size_tool *tool,
                       const struct size_values *values)
{
    struct page_worksheet *w = step_now(p)->page.worksheet;
    for (size_t i = 0; tool->input[i].name; i++) {
        const struct size_input *in = &tool->input[i];
        if (is_wanted(L, only, in->name)) {
            str_clear(&p->text);
            size_add_number(&p->text, values->value[i]);
            w->line[w->lines++] = (struct page_sheet_line){.name = in->name,
                                                           .value = kept(p),
                                                           .unit = in->unit,
                                                           .about = in->about,
                                                           .how = "",
                                                           .given = values->given[i]};
        }
    }
    w->inputs = w->lines;
}

static void add_results(lua_State *L, int only, const struct size_tool *tool,
                        const struct size_values *values, const double *result)
{
    struct player *p = player_of(L);
    struct page_worksheet *w = step_now(p)->page.worksheet;
    for (size_t i = 0; tool->result[i].name; i++) {
        const struct size_result *r = &tool->result[i];
        if (is_wanted(L, only, r->name)) {
            struct page_sheet_line *line = &w->line[w->lines++];
            *line = (struct page_sheet_line){.name = r->name, .about = r->about};
            line->unit = strcmp(r->unit, SIZE_YES_NO) == 0 ? "" : r->unit;
            str_clear(&p->text);
            add_value(&p->text, r->unit, result[i]);
            line->value = kept(p);
            str_clear(&p->text);
            size_add_how(&p->text, tool, values, result, i);
            line->how = kept(p);
        }
    }
}

void worksheet_build(lua_State *L, struct player *p)
{
    struct step *s = step_now(p);
    struct size_values values;
    if (!s->has_worksheet) {
        return;
    }
    if (s->page.worksheet == NULL) {
        s->page.worksheet = xcalloc(1, sizeof *s->page.worksheet);
    }
    struct page_worksheet *w = s->page.worksheet;
    made_push(L, p, "worksheet", "table with what and give");
    const struct size_tool *tool = tool_of(L, p);
    w->what = tool->name;
    w->title = made_text(L, p, "worksheet", "title", tool->about);
    w->lines = w->inputs = 0;
    push_field(L, "give");
    double result[SIZE_RESULTS_MAX];
    api_size_compute(L, lua_gettop(L), tool, &values, result);
    lua_pop(L, 1);
    push_field(L, "only");
    int only = lua_gettop(L);
    check_only(L, p, only, tool);
    add_inputs(L, p, only, tool, &values);
    add_results(L, only, tool, &values, result);
    lua_pop(L, 2);
}
