/*
 * match: Lua's patterns, written anew so that every step is charged.
 *
 * A pattern is walked item by item (a character class and how often it may come), going back when
 * the rest does not match. Going back can take very long for a few wildcards; here each look at a
 * character costs a unit of the call's meter, so a bomb ends like any other endless loop. The depth
 * of going back is bounded, so the C stack is too.
 */
#include "lesson/sandbox.h"
#include <ctype.h>
#include <string.h>

#define CAPTURES_MAX 32
#define DEPTH_MAX 150
#define OPEN (-1)     /* a capture that has not ended yet */
#define POSITION (-2) /* "()" */

struct match {
    lua_State *L;
    const char *subject, *subject_end, *pattern_end;
    int depth;
    size_t steps; /* not charged yet */
    int captures;
    struct {
        const char *at;
        ptrdiff_t length;
    } capture[CAPTURES_MAX];
};

static void steps(struct match *m, size_t count)
{
    m->steps += count;
    if (m->steps >= 256) {
        sandbox_charge(m->L, (int64_t)m->steps);
        m->steps = 0;
    }
}

static void step(struct match *m)
{
    steps(m, 1);
}

static void charge_rest(struct match *m)
{
    sandbox_charge(m->L, (int64_t)m->steps + 4);
    m->steps = 0;
}

static bool in_class(int c, char letter)
{
    bool yes = false;
    switch (tolower((unsigned char)letter)) {
    case 'a':
        yes = isalpha(c);
        break;
    case 'c':
        yes = iscntrl(c);
        break;
    case 'd':
        yes = isdigit(c);
        break;
    case 'g':
        yes = isgraph(c);
        break;
    case 'l':
        yes = islower(c);
        break;
    case 'p':
        yes = ispunct(c);
        break;
    case 's':
        yes = isspace(c);
        break;
    case 'u':
        yes = isupper(c);
        break;
    case 'w':
        yes = isalnum(c);
        break;
    case 'x':
        yes = isxdigit(c);
        break;
    default:
        return letter == (char)c;
    }
    return isupper((unsigned char)letter) ? !yes : yes;
}

/* The end of the single-character part that starts at p. */
static const char *item_end(struct match *m, const char *p)
{
    char first = *p++;
    if (first == '%') {
        if (p == m->pattern_end) {
            sandbox_raise(m->L, "malformed pattern: it ends with '%%'");
        }
        return p + 1;
    }
    if (first != '[') {
        return p;
    }
    if (p < m->pattern_end && *p == '^') {
        p++;
    }
    do { /* a ']' right at the start stands for itself */
        if (p == m->pattern_end) {
            sandbox_raise(m->L, "malformed pattern: missing ']'");
        }
        step(m);
        if (*p++ == '%' && p < m->pattern_end) {
            p++;
        }
    } while (p == m->pattern_end || *p != ']');
    return p + 1;
}

/* set..end is "[...]", both brackets included. */
static bool in_set(struct match *m, int c, const char *set, const char *end)
{
    const char *last = end - 1;
    bool negated = set[1] == '^';
    for (const char *p = set + (negated ? 2 : 1); p < last; p++) {
        step(m);
        if (*p == '%' && p + 1 < last) {
            p++;
            if (in_class(c, *p)) {
                return !negated;
            }
        } else if (p + 2 < last && p[1] == '-') {
            if ((unsigned char)p[0] <= c && c <= (unsigned char)p[2]) {
                return !negated;
            }
            p += 2;
        } else if ((unsigned char)*p == c) {
            return !negated;
        }
    }
    return negated;
}

static bool item_fits(struct match *m, const char *s, const char *p, const char *end)
{
    step(m);
    if (s >= m->subject_end) {
        return false;
    }
    int c = (unsigned char)*s;
    switch (*p) {
    case '.':
        return true;
    case '%':
        return in_class(c, p[1]);
    case '[':
        return in_set(m, c, p, end);
    default:
        return (unsigned char)*p == c;
    }
}

static const char *match_here(struct match *m, const char *s, const char *p);

/* As many as fit, then fewer and fewer until the rest matches. */
static const char *most(struct match *m, const char *s, const char *p, const char *end)
{
    ptrdiff_t n = 0;
    while (item_fits(m, s + n, p, end)) {
        n++;
    }
    for (; n >= 0; n--) {
        const char *r = match_here(m, s + n, end + 1);
        if (r != NULL) {
            return r;
        }
    }
    return NULL;
}

static const char *fewest(struct match *m, const char *s, const char *p, const char *end)
{
    for (;; s++) {
        const char *r = match_here(m, s, end + 1);
        if (r != NULL || !item_fits(m, s, p, end)) {
            return r;
        }
    }
}

/* "%bxy": from x to the y that balances it. */
static const char *balanced(struct match *m, const char *s, const char *p)
{
    if (m->pattern_end - p < 4) {
        sandbox_raise(m->L, "malformed pattern: '%%b' needs two characters");
    }
    if (s >= m->subject_end || *s != p[2]) {
        return NULL;
    }
    int open = 1;
    for (const char *at = s + 1; at < m->subject_end; at++) {
        step(m);
        if (*at == p[3]) {
            if (--open == 0) {
                return at + 1;
            }
        } else if (*at == p[2]) {
            open++;
        }
    }
    return NULL;
}

/* "%f[set]": between a character outside the set and one inside. */
static const char *frontier(struct match *m, const char *s, const char *p)
{
    const char *set = p + 2;
    if (set >= m->pattern_end || *set != '[') {
        sandbox_raise(m->L, "malformed pattern: '%%f' needs a set");
    }
    const char *end = item_end(m, set);
    int before = s == m->subject ? 0 : (unsigned char)s[-1];
    int here = s == m->subject_end ? 0 : (unsigned char)*s;
    return !in_set(m, before, set, end) && in_set(m, here, set, end) ? match_here(m, s, end) : NULL;
}

static const char *same_again(struct match *m, const char *s, const char *p)
{
    int n = p[1] - '1';
    if (n < 0 || n >= m->captures || m->capture[n].length < 0) {
        sandbox_raise(m->L, "invalid capture %%%d in the pattern", n + 1);
    }
    ptrdiff_t length = m->capture[n].length;
    steps(m, (size_t)length / 16 + 1);
    bool same = m->subject_end - s >= length && memcmp(m->capture[n].at, s, (size_t)length) == 0;
    return same ? match_here(m, s + length, p + 2) : NULL;
}

static const char *begin_capture(struct match *m, const char *s, const char *p)
{
    if (m->captures == CAPTURES_MAX) {
        sandbox_raise(m->L, "too many captures: at most %d", CAPTURES_MAX);
    }
    bool empty = p + 1 < m->pattern_end && p[1] == ')';
    m->capture[m->captures].at = s;
    m->capture[m->captures].length = empty ? POSITION : OPEN;
    m->captures++;
    const char *r = match_here(m, s, p + (empty ? 2 : 1));
    if (r == NULL) {
        m->captures--;
    }
    return r;
}

static const char *end_capture(struct match *m, const char *s, const char *p)
{
    int n = m->captures - 1;
    while (n >= 0 && m->capture[n].length != OPEN) {
        n--;
    }
    if (n < 0) {
        sandbox_raise(m->L, "malformed pattern: ')' without '('");
    }
    m->capture[n].length = s - m->capture[n].at;
    const char *r = match_here(m, s, p + 1);
    if (r == NULL) {
        m->capture[n].length = OPEN;
    }
    return r;
}

static const char *match_escape(struct match *m, const char *s, const char *p, bool *special)
{
    char kind = p + 1 < m->pattern_end ? p[1] : '\0';
    *special = true;
    if (kind == 'b') {
        const char *r = balanced(m, s, p);
        return r != NULL ? match_here(m, r, p + 4) : NULL;
    }
    if (kind == 'f') {
        return frontier(m, s, p);
    }
    if (isdigit((unsigned char)kind)) {
        return same_again(m, s, p);
    }
    *special = false;
    return NULL;
}

/* Items one after another; only a choice goes deeper. */
static const char *match_items(struct match *m, const char *s, const char *p)
{
    while (p < m->pattern_end) {
        if (*p == '(') {
            return begin_capture(m, s, p);
        }
        if (*p == ')') {
            return end_capture(m, s, p);
        }
        if (*p == '$' && p + 1 == m->pattern_end) {
            return s == m->subject_end ? s : NULL;
        }
        if (*p == '%') {
            bool special = false;
            const char *r = match_escape(m, s, p, &special);
            if (special) {
                return r;
            }
        }
        const char *end = item_end(m, p);
        char often = end < m->pattern_end ? *end : '\0';
        if (often == '*') {
            return most(m, s, p, end);
        }
        if (often == '-') {
            return fewest(m, s, p, end);
        }
        bool fits = item_fits(m, s, p, end);
        if (often == '+') {
            return fits ? most(m, s + 1, p, end) : NULL;
        }
        if (often == '?') {
            const char *r = fits ? match_here(m, s + 1, end + 1) : NULL;
            if (r != NULL) {
                return r;
            }
            p = end + 1;
            continue;
        }
        if (!fits) {
            return NULL;
        }
        s++;
        p = end;
    }
    return s;
}

static const char *match_here(struct match *m, const char *s, const char *p)
{
    if (++m->depth > DEPTH_MAX) {
        sandbox_raise(m->L, "pattern too complex");
    }
    step(m);
    const char *r = match_items(m, s, p);
    m->depth--;
    return r;
}

/* --- what scripts call --- */

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
        steps(m, needle.length / 16 + 1);
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
        charge_rest(&m);
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
        const char *end = match_here(&m, at, p.at + (anchored ? 1 : 0));
        if (end != NULL) {
            charge_rest(&m);
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
    charge_rest(&m);
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
        const char *end = match_here(&m, s.at + at, p.at);
        if (end != NULL && end - s.at != last) {
            charge_rest(&m);
            lua_pushinteger(L, end - s.at);
            lua_copy(L, -1, lua_upvalueindex(3));
            lua_replace(L, lua_upvalueindex(4));
            return push_captures(&m, s.at + at, end, true);
        }
    }
    charge_rest(&m);
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
        const char *end = match_here(&m, at, p.at + (anchored ? 1 : 0));
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
    charge_rest(&m);
    luaL_addlstring(&b, at, (size_t)(m.subject_end - at));
    luaL_pushresult(&b);
    lua_pushinteger(L, count);
    return 2;
}
