#include "lesson/call.h"
#include <stdio.h>
#include <string.h>

/* "NAME:12: ..." of the lesson's file or of one of lessons/lib. */
static bool has_place(const struct sandbox *sb, const char *text)
{
    char lib[64];
    snprintf(lib, sizeof lib, "%.*s", (int)strcspn(text, ":"), text);
    return sandbox_placed(text, sb->chunk + 1) != NULL ||
           (str_starts(lib, "lib/") && sandbox_placed(text, lib) != NULL);
}

/* Makes any error value a text with the place where it was raised. Runs before the stack unwinds,
 * in C, so the hook does not fire in it. */
static int explain(lua_State *L)
{
    char where[96];
    if (lua_type(L, 1) != LUA_TSTRING) {
        lua_pushfstring(L, "the error is a %s value, not a text", luaL_typename(L, 1));
        lua_replace(L, 1);
    }
    if (!has_place(sandbox_of(L), lua_tostring(L, 1)) && sandbox_where(L, where, sizeof where)) {
        lua_pushfstring(L, "%s: %s", where, lua_tostring(L, 1));
        return 1;
    }
    lua_settop(L, 1);
    return 1;
}

/* The message on top as err; lack of memory and errors of errors have no message of their own. */
static void report(struct sandbox *sb, lua_State *L, int status, struct err *err)
{
    const char *at = sb->refused_at[0] != '\0' ? sb->refused_at : sb->chunk + 1;
    const char *text = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
    if (status == LUA_ERRMEM || strcmp(text, "not enough memory") == 0) {
        err_set(err, "%s: memory limit: a lesson may use %d MB, and one text %d KB", at,
                (int)(SANDBOX_MEMORY_MAX >> 20), (int)(SANDBOX_TEXT_MAX >> 10));
    } else if (status == LUA_ERRERR || text[0] == '\0') {
        err_set(err, "%s: an error while an error was handled", at);
    } else {
        err_set(err, "%s", text);
    }
}

bool call_job(struct sandbox *sb, lua_CFunction body, void *argument, struct err *err)
{
    lua_State *L = sb->L;
    int base = lua_gettop(L);
    if (!lua_checkstack(L, 4)) {
        return err_set(err, "%s: memory limit: no room to begin", sb->chunk + 1);
    }
    sandbox_refill(sb);
    sandbox_attend(sb, L);
    lua_pushcfunction(L, explain);      /* explain */
    lua_pushcfunction(L, body);         /* explain, body */
    lua_pushlightuserdata(L, argument); /* explain, body, argument */
    int status = lua_pcall(L, 1, 0, base + 1);
    sandbox_leave(sb);
    if (status != LUA_OK) {
        report(sb, L, status, err);
    }
    lua_settop(L, base);
    return status == LUA_OK;
}

enum call_end call_resume(struct sandbox *sb, lua_State *co, int arguments, struct err *err)
{
    int results = 0;
    sandbox_attend(sb, co);
    int status = lua_resume(co, sb->L, arguments, &results);
    sandbox_leave(sb);
    if (status == LUA_OK || status == LUA_YIELD) {
        lua_pop(co, results);
        return status == LUA_OK ? CALL_DONE : CALL_WAITS;
    }
    /* The dead coroutine keeps its frames: the place can still be found. */
    char where[96];
    const char *text = lua_type(co, -1) == LUA_TSTRING ? lua_tostring(co, -1) : NULL;
    report(sb, co, status, err);
    if (status == LUA_ERRRUN && text == NULL) {
        err_set(err, "the error is a %s value, not a text", luaL_typename(co, -1));
    }
    if (status == LUA_ERRRUN && (text == NULL || !has_place(sb, text)) &&
        sandbox_where(co, where, sizeof where) && err != NULL) {
        err_prefix(err, "%s", where);
    }
    return CALL_FAILED;
}
