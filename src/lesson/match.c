/*
 * string.find, match, gmatch and gsub over the matcher of pattern.c.
 */
#include "lesson/pattern.h"
#include <ctype.h>
#include <string.h>

static struct match match_start(lua_State *L, struct bytes subject, struct bytes pattern)
{
    return (struct match){.L = L,
                          .subject = subject.at,
                          .subject_end = subject.at + subject.length,
                          .pattern_end = pattern.at + pattern.length};
}

static struct bytes text_argument(lua_State *L, int index)
{
    struct bytes b;
    b.at = luaL_checklstring(L, index, &b.length);
    return b;
}

static void push_capture(struct match *m, int n, const char *from, const char *to)
{
    if (n >= m->captures) {
        if (n > 0) {
            sandbox_raise(m->L, "invalid capture index %%%d", n + 1);
        }
        lua_pushlstring(m->L, from, (size_t)(to - from)); /* the whole match */
        return;
    }
    if (m->capture[n].length == OPEN) {
        sandbox_raise(m->L, "malformed pattern: '(' without ')'");
    }
    if (m->capture[n].length == POSITION) {
        lua_pushinteger(m->L, m->capture[n].at - m->subject + 1);
    } else {
        lua_pushlstring(m->L, m->capture[n].at, (size_t)m->capture[n].length);
    }
}

/* `whole`: without captures the match itself counts as one. */
static int push_captures(struct match *m, const char *from, const char *to, bool whole)
{
    int n = m->captures == 0 && whole ? 1 : m->captures;
    luaL_checkstack(m->L, n, "captures");
    for (int i = 0; i < n; i++) {
        push_capture(m, i, from, to);
    }
    return n;
}

static size_t start_position(lua_State *L, int index, size_t length)
{
    lua_Integer at = luaL_optinteger(L, index, 1);
    if (at > 0) {
        return (size_t)at - 1;
    }
    if (at == 0 || (lua_Unsigned)0 - (lua_Unsigned)at > length) {
        return 0;
    }
    return length - (size_t)-at;
}

/* A plain search, charged too: long texts with many near hits are slow. */
static const char *find_plain(struct match *m, struct bytes needle, const char *from)
{
    for (const char *at = from; (size_t)(m->subject_end - at) >= needle.length; at++) {
        pattern_steps(m, needle.length / 16 + 1);
        if (memcmp(at, needle.at, needle.length) == 0) {
            return at;
        }
    }
    return NULL;
}

static int find_or_match(lua_State *L, bool find)
{
    struct bytes s = text_argument(L, 1), p = text_argument(L, 2);
    size_t start = start_position(L, 3, s.length);
    struct match m = match_start(L, s, p);
    if (start > s.length) {
        luaL_pushfail(L);
        return 1;
    }
    if (find && lua_toboolean(L, 4)) {
        const char *at = find_plain(&m, p, s.at + start);
        pattern_charge_rest(&m);
        if (at == NULL) {
            luaL_pushfail(L);
            return 1;
        }
        lua_pushinteger(L, at - s.at + 1);
        lua_pushinteger(L, at - s.at + (ptrdiff_t)p.length);
        return 2;
    }
    bool anchored = p.length > 0 && p.at[0] == '^';
    for (const char *at = s.at + start; at <= m.subject_end; at++) {
        m.captures = 0;
        const char *end = pattern_match(&m, at, p.at + (anchored ? 1 : 0));
        if (end != NULL) {
            pattern_charge_rest(&m);
            if (!find) {
                return push_captures(&m, at, end, true);
            }
            lua_pushinteger(L, at - s.at + 1);
            lua_pushinteger(L, end - s.at);
            return 2 + push_captures(&m, at, end, false);
        }
        if (anchored) {
            break;
        }
    }
    pattern_charge_rest(&m);
    luaL_pushfail(L);
    return 1;
}

int match_find(lua_State *L)
{
    return find_or_match(L, true);
}

int match_match(lua_State *L)
{
    return find_or_match(L, false);
}

/* Upvalues: subject, pattern, where to go on, where the last match ended. */
static int gmatch_step(lua_State *L)
{
    struct bytes s = text_argument(L, lua_upvalueindex(1));
    struct bytes p = text_argument(L, lua_upvalueindex(2));
    struct match m = match_start(L, s, p);
    lua_Integer last = lua_tointeger(L, lua_upvalueindex(4));
    for (lua_Integer at = lua_tointeger(L, lua_upvalueindex(3)); at <= (lua_Integer)s.length;
         at++) {
        m.captures = 0;
        const char *end = pattern_match(&m, s.at + at, p.at);
        if (end != NULL && end - s.at != last) {
            pattern_charge_rest(&m);
            lua_pushinteger(L, end - s.at);
            lua_copy(L, -1, lua_upvalueindex(3));
            lua_replace(L, lua_upvalueindex(4));
            return push_captures(&m, s.at + at, end, true);
        }
    }
    pattern_charge_rest(&m);
    lua_pushinteger(L, (lua_Integer)s.length + 1);
    lua_replace(L, lua_upvalueindex(3));
    return 0;
}

int match_gmatch(lua_State *L)
{
    struct bytes s = text_argument(L, 1);
    text_argument(L, 2);
    size_t start = start_position(L, 3, s.length);
    lua_settop(L, 2);
    lua_pushinteger(L, (lua_Integer)(start > s.length ? s.length + 1 : start));
    lua_pushinteger(L, -1);
    lua_pushcclosure(L, gmatch_step, 4);
    return 1;
}

/* "%0" to "%9" in a replacement text. */
static void add_template(struct match *m, luaL_Buffer *b, const char *from, const char *to)
{
    size_t length = 0;
    const char *text = lua_tolstring(m->L, 3, &length);
    sandbox_charge(m->L, (int64_t)length);
    for (size_t i = 0; i < length; i++) {
        if (text[i] != '%') {
            luaL_addchar(b, text[i]);
            continue;
        }
        i++;
        if (i < length && text[i] == '%') {
            luaL_addchar(b, '%');
        } else if (i < length && text[i] == '0') {
            luaL_addlstring(b, from, (size_t)(to - from));
        } else if (i < length && isdigit((unsigned char)text[i])) {
            push_capture(m, text[i] - '1', from, to);
            luaL_tolstring(m->L, -1, NULL);
            lua_remove(m->L, -2);
            luaL_addvalue(b);
        } else {
            sandbox_raise(m->L, "'%%' in a replacement stands before a digit or another '%%'");
        }
    }
}

static void add_replacement(struct match *m, luaL_Buffer *b, const char *from, const char *to)
{
    lua_State *L = m->L;
    int kind = lua_type(L, 3);
    if (kind == LUA_TFUNCTION) {
        lua_pushvalue(L, 3);
        lua_call(L, push_captures(m, from, to, true), 1);
    } else if (kind == LUA_TTABLE) {
        push_capture(m, 0, from, to);
        lua_gettable(L, 3);
    } else {
        add_template(m, b, from, to);
        return;
    }
    if (!lua_toboolean(L, -1)) {
        lua_pop(L, 1);
        luaL_addlstring(b, from, (size_t)(to - from));
    } else if (lua_isstring(L, -1)) {
        luaL_addvalue(b);
    } else {
        sandbox_raise(L, "a replacement must be a text, not a %s", luaL_typename(L, -1));
    }
}

int match_gsub(lua_State *L)
{
    struct bytes s = text_argument(L, 1), p = text_argument(L, 2);
    int kind = lua_type(L, 3);
    luaL_argexpected(L,
                     kind == LUA_TNUMBER || kind == LUA_TSTRING || kind == LUA_TFUNCTION ||
                         kind == LUA_TTABLE,
                     3, "text, function or table");
    lua_Integer limit = luaL_optinteger(L, 4, (lua_Integer)s.length + 1);
    lua_settop(L, 3);
    if (kind == LUA_TNUMBER) {
        lua_tostring(L, 3);
    }
    bool anchored = p.length > 0 && p.at[0] == '^';
    struct match m = match_start(L, s, p);
    const char *at = s.at, *last = NULL;
    lua_Integer count = 0;
    luaL_Buffer b;
    luaL_buffinit(L, &b);
    while (count < limit) {
        m.captures = 0;
        const char *end = pattern_match(&m, at, p.at + (anchored ? 1 : 0));
        if (end != NULL && end != last) {
            count++;
            add_replacement(&m, &b, at, end);
            at = last = end;
        } else if (at < m.subject_end) {
            luaL_addchar(&b, *at++);
        } else {
            break;
        }
        if (anchored) {
            break;
        }
    }
    pattern_charge_rest(&m);
    luaL_addlstring(&b, at, (size_t)(m.subject_end - at));
    luaL_pushresult(&b);
    lua_pushinteger(L, count);
    return 2;
}
