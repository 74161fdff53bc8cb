/*
 * fill: the texts of a step. Common indentation goes; {expression} is computed by Lua over the
 * step's names; braces between backticks stay, except after {=. A brace without its partner is
 * an ordinary character.
 */
#include "base/alloc.h"
#include "base/num.h"
#include "lesson/inside.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *texts_keep(struct texts *t, const char *text)
{
    t->text = xrealloc(t->text, t->count + 1, sizeof *t->text);
    t->text[t->count] = xstrdup(text);
    return t->text[t->count++];
}

void texts_free(struct texts *t)
{
    for (size_t i = 0; i < t->count; i++) {
        free(t->text[i]);
    }
    free(t->text);
    *t = (struct texts){0};
}

int push_field(lua_State *L, const char *name)
{
    lua_pushstring(L, name);
    return lua_rawget(L, -2);
}

bool has_field(lua_State *L, const char *name)
{
    bool has = push_field(L, name) != LUA_TNIL;
    lua_pop(L, 1);
    return has;
}

void push_step(lua_State *L, size_t index)
{
    lua_rawgetp(L, LUA_REGISTRYINDEX, &lesson_key_steps);
    lua_rawgeti(L, -1, (lua_Integer)index + 1);
    lua_remove(L, -2);
}

/* --- indentation --- */

static size_t line_length(const char *line)
{
    return strcspn(line, "\n");
}

static bool blank(const char *line, size_t length)
{
    return strspn(line, " \t") >= length;
}

/* Blanks that every line has that is not empty. Text right after the opening quotes has no
 * indentation of its own and does not count, when there are more lines. */
static size_t common_indent(const char *text)
{
    size_t common = SIZE_MAX;
    bool first = true;
    for (const char *line = text; *line != '\0';) {
        size_t length = line_length(line);
        size_t indent = strspn(line, " ");
        bool counts = !blank(line, length) && !(first && indent == 0 && line[length] == '\n');
        if (counts && indent < common) {
            common = indent;
        }
        first = false;
        line += length + (line[length] == '\n');
    }
    return common == SIZE_MAX ? 0 : common;
}

static void dedent(const char *text, struct str *out)
{
    size_t indent = common_indent(text);
    for (const char *line = text; *line != '\0';) {
        size_t length = line_length(line);
        size_t drop = strspn(line, " ");
        drop = drop < indent ? drop : indent;
        size_t keep = length;
        while (keep > drop && (line[keep - 1] == ' ' || line[keep - 1] == '\t')) {
            keep--;
        }
        str_addn(out, line + drop, keep > drop ? keep - drop : 0);
        str_addc(out, '\n');
        line += length + (line[length] == '\n');
    }
    size_t end = out->length;
    while (end > 0 && out->text[end - 1] == '\n') {
        end--;
    }
    if (out->text != NULL) {
        out->length = end;
        out->text[end] = '\0';
    }
}

/* --- expressions --- */

/* The brace that closes the one at text[0], quotes and inner braces respected; NULL when none. */
static const char *closing(const char *text)
{
    int depth = 0;
    char quote = '\0';
    for (const char *at = text; *at != '\0'; at++) {
        if (quote != '\0') {
            if (*at == '\\' && at[1] != '\0') {
                at++;
            } else if (*at == quote) {
                quote = '\0';
            }
        } else if (*at == '"' || *at == '\'') {
            quote = *at;
        } else if (*at == '{') {
            depth++;
        } else if (*at == '}' && --depth == 0) {
            return at;
        }
    }
    return NULL;
}

/* Names of `with`, then the lesson's. */
static void push_expression_env(lua_State *L)
{
    lua_rawgetp(L, LUA_REGISTRYINDEX, &lesson_key_with); /* with or nil */
    if (!lua_istable(L, -1)) {
        lua_pop(L, 1);
        lua_rawgetp(L, LUA_REGISTRYINDEX, &lesson_key_env);
        return;
    }
    lua_newtable(L); /* with, env */
    lua_newtable(L); /* with, env, mt */
    lua_rawgetp(L, LUA_REGISTRYINDEX, &lesson_key_env);
    lua_setfield(L, -2, "__index");
    lua_setmetatable(L, -2);
    lua_pushnil(L);
    while (lua_next(L, -3)) { /* with, env, key, value */
        lua_pushvalue(L, -2);
        lua_insert(L, -2);
        lua_rawset(L, -4);
    }
    lua_remove(L, -2);
}

/* "return (code)" is put on the source's own line, so that errors name it. */
static void evaluate(lua_State *L, struct player *p, struct bytes code, int line)
{
    str_clear(&p->code);
    str_pad(&p->code, '\n', line > 0 ? (size_t)line - 1 : 0);
    str_add(&p->code, "return (");
    str_addn(&p->code, code.at, code.length);
    str_addc(&p->code, ')');
    push_expression_env(L);
    int env = lua_gettop(L);
    sandbox_load(L, (struct bytes){p->code.text, p->code.length}, p->sandbox->chunk, env);
    lua_remove(L, env);
    lua_call(L, 0, 1);
}

static void add_value(lua_State *L, struct str *out, struct bytes code, const char *place)
{
    if (lua_isinteger(L, -1)) {
        str_add(out, num_grouped(lua_tointeger(L, -1)).text);
    } else if (lua_type(L, -1) == LUA_TNUMBER) {
        double v = lua_tonumber(L, -1);
        if (v == floor(v) && fabs(v) < 1e15) {
            str_add(out, num_grouped((int64_t)v).text);
        } else {
            str_addf(out, "%.10g", v);
        }
    } else if (lua_type(L, -1) == LUA_TSTRING) {
        size_t length = 0;
        const char *text = lua_tolstring(L, -1, &length);
        str_addn(out, text, length);
    } else {
        const char *kind = luaL_typename(L, -1);
        const char *inner = lua_pushlstring(L, code.at, code.length);
        luaL_error(L, "%s: {%s} is a %s: an expression in a text gives a number or a text", place,
                   inner, kind);
    }
}

static int expression_line(const struct player *p, const char *text, size_t length)
{
    char needle[80];
    size_t n = length < sizeof needle ? length : sizeof needle - 1;
    memcpy(needle, text, n);
    needle[n] = '\0';
    int from = p->steps + p->checks > p->current ? p->step[p->current].line : 0;
    int line = source_line(p, needle, from);
    return line > 0 ? line : from;
}

void fill_text(lua_State *L, struct player *p, const char *text, const char *what)
{
    struct str *plain = &p->sandbox->scratch;
    str_clear(plain);
    dedent(text, plain);
    /* Expressions may run functions that load text: the plain text is kept by Lua meanwhile. */
    lua_pushlstring(L, str_text(plain), plain->length);
    const char *at = lua_tostring(L, -1);
    str_clear(&p->text);
    bool code = false;
    for (; *at != '\0'; at++) {
        const char *end = *at == '{' && (!code || at[1] == '=') ? closing(at) : NULL;
        if (*at == '`') {
            code = !code;
        }
        if (end == NULL) {
            str_addc(&p->text, *at);
            continue;
        }
        struct bytes inner = {at + 1, (size_t)(end - at - 1)};
        int line = expression_line(p, at, (size_t)(end - at + 1));
        if (inner.length > 0 && inner.at[0] == '=') {
            inner.at++;
            inner.length--;
        }
        char place[128];
        snprintf(place, sizeof place, "%s:%d: in %s", source_name(p), line, what);
        /* So may they fill in texts: what there is of this one is kept by Lua as well. */
        lua_pushlstring(L, str_text(&p->text), p->text.length);
        evaluate(L, p, inner, line); /* plain, so far, value */
        str_clear(&p->text);
        str_addn(&p->text, lua_tostring(L, -2), (size_t)lua_rawlen(L, -2));
        add_value(L, &p->text, inner, place);
        lua_pop(L, 2);
        at = end;
    }
    lua_pop(L, 1);
}

const char *keep_field(lua_State *L, struct player *p, struct texts *t, const char *name)
{
    const char *kept = "";
    if (push_field(L, name) == LUA_TSTRING) {
        fill_text(L, p, lua_tostring(L, -1), name);
        kept = texts_keep(t, str_text(&p->text));
    }
    lua_pop(L, 1);
    return kept;
}
