/*
 * string and math for lessons. What builds or walks a text in C is bounded and charged; format has
 * no %p and shows tables by their kind; random numbers come from the lesson's seed. The functions
 * of math whose last digit depends on the machine's library (sin, exp, log ...) are left out.
 */
#include "lesson/sandbox.h"
#include <stdio.h>
#include <string.h>

static int string_rep(lua_State *L)
{
    size_t length = 0, separator = 0;
    luaL_checklstring(L, 1, &length);
    lua_Integer n = luaL_checkinteger(L, 2);
    luaL_optlstring(L, 3, "", &separator);
    size_t each = length + separator;
    if (n > 0 && each > 0 && (lua_Unsigned)n > SANDBOX_TEXT_MAX / each) {
        sandbox_raise(L, "memory limit: a text may have at most %d bytes", (int)SANDBOX_TEXT_MAX);
    }
    sandbox_charge(L, n > 0 ? n * (lua_Integer)each / 64 : 0);
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, lua_gettop(L) - 1, 1);
    return 1;
}

static int string_charged(lua_State *L)
{
    size_t length = 0;
    luaL_checklstring(L, 1, &length);
    sandbox_charge(L, (int64_t)length / 8);
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, lua_gettop(L) - 1, 1);
    return 1;
}

/* ASCII letters only: what else is a letter would depend on the terminal's locale. */
static int change_case(lua_State *L, char first, char last)
{
    size_t length = 0;
    const char *text = luaL_checklstring(L, 1, &length);
    sandbox_charge(L, (int64_t)length / 8);
    luaL_Buffer b;
    char *out = luaL_buffinitsize(L, &b, length);
    for (size_t i = 0; i < length; i++) {
        bool letter = text[i] >= first && text[i] <= last;
        out[i] = letter ? (char)(text[i] ^ 0x20) : text[i];
    }
    luaL_pushresultsize(&b, length);
    return 1;
}

static int string_lower(lua_State *L)
{
    return change_case(L, 'A', 'Z');
}

static int string_upper(lua_State *L)
{
    return change_case(L, 'a', 'z');
}

static size_t position(lua_Integer at, size_t length)
{
    if (at >= 0) {
        return (size_t)at;
    }
    return (size_t) - (at + 1) < length ? length - (size_t) - (at + 1) : 0;
}

static int string_byte(lua_State *L)
{
    size_t length = 0;
    const char *text = luaL_checklstring(L, 1, &length);
    lua_Integer from = luaL_optinteger(L, 2, 1);
    size_t first = position(from, length), last = position(luaL_optinteger(L, 3, from), length);
    first = first < 1 ? 1 : first;
    last = last > length ? length : last;
    if (first > last) {
        return 0;
    }
    if (last - first >= SANDBOX_VALUES_MAX) {
        sandbox_raise(L, "too many bytes at once: at most %d", SANDBOX_VALUES_MAX);
    }
    luaL_checkstack(L, SANDBOX_VALUES_MAX, "byte");
    for (size_t i = first; i <= last; i++) {
        lua_pushinteger(L, (unsigned char)text[i - 1]);
    }
    return (int)(last - first + 1);
}

/* One conversion that starts after '%': how many bytes it has, and that we know its letter. */
static size_t conversion(lua_State *L, const char *spec)
{
    size_t n = strspn(spec, "-+ #0123456789.");
    if (spec[n] == '\0' || strchr("dicuxXoeEfgGsq%", spec[n]) == NULL || n > 8) {
        sandbox_raise(L, "'%%%.8s' is not a conversion that format knows here", spec);
    }
    return n + 1;
}

/* Upvalues: the original format, our tostring. Values for %s become texts first, so that no address
 * is shown. */
static int string_format(lua_State *L)
{
    size_t length = 0;
    const char *format = luaL_checklstring(L, 1, &length);
    if (strlen(format) != length) {
        sandbox_raise(L, "a format has no zero byte");
    }
    sandbox_charge(L, (int64_t)length);
    int argument = 1;
    for (const char *at = format; (at = strchr(at, '%')) != NULL;) {
        at++;
        size_t n = conversion(L, at);
        char letter = at[n - 1];
        at += n;
        if (letter == '%') {
            continue;
        }
        luaL_checkany(L, ++argument);
        sandbox_charge(L, 20);
        if (letter == 's' && lua_type(L, argument) != LUA_TSTRING) {
            lua_pushvalue(L, lua_upvalueindex(2));
            lua_pushvalue(L, argument);
            lua_call(L, 1, 1);
            lua_replace(L, argument);
        } else if (letter == 'q' && lua_type(L, argument) != LUA_TSTRING) {
            luaL_checkinteger(L, argument);
        }
    }
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, lua_gettop(L) - 1, 1);
    return 1;
}

static void wrap(lua_State *L, const char *name, lua_CFunction f)
{
    lua_getfield(L, -2, name); /* original, ours, function */
    lua_pushcclosure(L, f, 1);
    lua_setfield(L, -2, name);
}

void lib_string(lua_State *L)
{
    static const char *const plain[] = {"char", "len", "sub", NULL};
    static const luaL_Reg ours[] = {{"byte", string_byte},    {"lower", string_lower},
                                    {"upper", string_upper},  {"find", match_find},
                                    {"gmatch", match_gmatch}, {"gsub", match_gsub},
                                    {"match", match_match},   {NULL, NULL}};
    lua_newtable(L); /* original, ours */
    lib_copy(L, lua_gettop(L) - 1, lua_gettop(L), plain);
    luaL_setfuncs(L, ours, 0);
    wrap(L, "rep", string_rep);
    wrap(L, "reverse", string_charged);
    lua_getfield(L, -2, "format");   /* original, ours, format */
    sandbox_push_env(L);             /* original, ours, format, env */
    lua_getfield(L, -1, "tostring"); /* original, ours, format, env, tostring */
    lua_remove(L, -2);               /* original, ours, format, tostring */
    lua_pushcclosure(L, string_format, 2);
    lua_setfield(L, -2, "format");
    lua_remove(L, -2); /* ours */
}

/* --- math --- */

static int math_random(lua_State *L)
{
    struct prng *r = &sandbox_of(L)->random;
    int given = lua_gettop(L);
    if (given == 0) {
        lua_pushnumber(L, (lua_Number)(prng_next(r) >> 11) / 9007199254740992.0); /* 2^53 */
        return 1;
    }
    lua_Integer low = given > 1 ? luaL_checkinteger(L, 1) : 1;
    lua_Integer high = luaL_checkinteger(L, given > 1 ? 2 : 1);
    if (low > high) {
        sandbox_raise(L, "random: the interval is empty");
    }
    uint64_t count = (uint64_t)high - (uint64_t)low;
    uint64_t drawn = count == UINT64_MAX ? prng_next(r) : prng_below(r, count + 1);
    lua_pushinteger(L, (lua_Integer)((uint64_t)low + drawn));
    return 1;
}

void lib_math(lua_State *L)
{
    static const char *const plain[] = {
        "abs",        "ceil",       "floor", "fmod", "huge", "max",       "min", "modf",
        "maxinteger", "mininteger", "pi",    "sqrt", "type", "tointeger", "ult", NULL};
    lua_newtable(L); /* original, ours */
    lib_copy(L, lua_gettop(L) - 1, lua_gettop(L), plain);
    lua_pushcfunction(L, math_random);
    lua_setfield(L, -2, "random");
    lua_remove(L, -2);
}
