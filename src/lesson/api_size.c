/*
 * api_size: the calculators of `hotshard size` for scripts: size("capacity", { users = 1e9 }) is a
 * table of its results by their names, beside them `how`, the arithmetic of each in words.
 */
#include "base/near.h"
#include "lesson/api.h"
#include "tools/size.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#define SIZE_UNITS 400 /* of work, a calculation */
#define TOOLS_MAX 32
#define WORD_MAX 120
#define WHOLE_MAX 9007199254740992.0 /* 2^53 */

const struct size_tool *api_size_tool(lua_State *L, const char *name)
{
    const char *names[TOOLS_MAX];
    size_t count = 0;
    for (; size_at(count) && count < TOOLS_MAX; count++) {
        names[count] = size_at(count)->name;
    }
    const struct size_tool *tool = size_by_name(name);
    if (tool == NULL) {
        api_unknown(L, "calculator", name, names, count);
    }
    return tool;
}

/* The inputs of the table at `arg`, none when there is no table. */
static void give_all(lua_State *L, int arg, const struct size_tool *tool,
                     struct size_values *values)
{
    struct err err = {""};
    char word[WORD_MAX];
    size_start(tool, values);
    if (lua_isnoneornil(L, arg)) {
        return;
    }
    luaL_checktype(L, arg, LUA_TTABLE);
    for (lua_pushnil(L); lua_next(L, arg) != 0; lua_pop(L, 1)) {
        sandbox_charge(L, SIZE_UNITS / 20);
        if (lua_type(L, -2) != LUA_TSTRING || lua_type(L, -1) != LUA_TNUMBER) {
            sandbox_raise(L, "size: inputs are given by name, as numbers: { %s = %f }",
                          tool->input[0].name, tool->input[0].otherwise);
        }
        int length = snprintf(word, sizeof word, "%s=%.17g", lua_tostring(L, -2),
                              (double)lua_tonumber(L, -1));
        if (length < 0 || (size_t)length >= sizeof word) {
            sandbox_raise(L, "size: %s knows no input with so long a name", tool->name);
        }
        if (!size_give(tool, word, values, &err)) {
            sandbox_raise(L, "size: %s", err.text);
        }
    }
}

void api_size_compute(lua_State *L, int arg, const struct size_tool *tool,
                      struct size_values *values, double *result)
{
    struct err err = {""};
    sandbox_charge(L, SIZE_UNITS);
    give_all(L, arg, tool, values);
    if (!size_compute(tool, values, result, &err)) {
        sandbox_raise(L, "size: %s", err.text);
    }
}

static void push_result(lua_State *L, const struct size_result *r, double value)
{
    if (strcmp(r->unit, SIZE_YES_NO) == 0) {
        lua_pushboolean(L, value != 0);
    } else if (isnan(value)) {
        lua_pushnil(L);
    } else if (value == floor(value) && fabs(value) <= WHOLE_MAX) {
        lua_pushinteger(L, (lua_Integer)value);
    } else {
        lua_pushnumber(L, value);
    }
}

/* size(name [, inputs]) */
static int size_of(lua_State *L)
{
    struct size_values values;
    double result[SIZE_RESULTS_MAX];
    struct str *how = &player_of(L)->text;
    const struct size_tool *tool = api_size_tool(L, luaL_checkstring(L, 1));
    lua_settop(L, 2);
    api_size_compute(L, 2, tool, &values, result);
    int count = (int)size_results(tool);
    lua_createtable(L, 0, count + 1);
    lua_createtable(L, 0, count); /* results, how */
    for (int i = 0; i < count; i++) {
        push_result(L, &tool->result[i], result[i]);
        lua_setfield(L, -3, tool->result[i].name);
        str_clear(how);
        size_add_how(how, tool, &values, result, (size_t)i);
        lua_pushstring(L, str_text(how));
        lua_setfield(L, -2, tool->result[i].name);
    }
    lua_setfield(L, -2, "how");
    return 1;
}

void api_size_open(lua_State *L)
{
    sandbox_add(L, "size", size_of);
}
