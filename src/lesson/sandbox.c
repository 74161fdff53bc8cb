#include "lesson/sandbox.h"
#include "base/alloc.h"
#include "base/check.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define NAME_MAX_BYTES 50 /* Lua shows 59 bytes of a name */
#define HOOK_EVERY 200
#define UNIT_BYTES 32                    /* so many bytes asked for cost one unit */
#define REFUSAL_UNITS (SANDBOX_WORK / 8) /* each refusal makes Lua collect everything */

static const char key_libs; /* registry: the table of allowed names */

struct sandbox *sandbox_of(lua_State *L)
{
    struct sandbox *sb = NULL;
    memcpy(&sb, lua_getextraspace(L), sizeof(void *));
    return sb;
}

int64_t sandbox_clock(void)
{
    struct timespec t;
    CHECK(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t) == 0);
    return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

bool sandbox_where(lua_State *L, char *out, size_t size)
{
    lua_Debug ar;
    for (int level = 0; lua_getstack(L, level, &ar); level++) {
        if (lua_getinfo(L, "Sl", &ar) && ar.currentline > 0) {
            snprintf(out, size, "%s:%d", ar.short_src, ar.currentline);
            return true;
        }
    }
    snprintf(out, size, "%s", sandbox_of(L)->place);
    return out[0] != '\0';
}

void sandbox_name(struct str *out, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = strlen(path) > NAME_MAX_BYTES && slash != NULL ? slash + 1 : path;
    size_t length = strlen(name);
    if (length > NAME_MAX_BYTES) { /* the end tells more than the beginning */
        name += length - NAME_MAX_BYTES;
        while (((unsigned char)*name & 0xC0) == 0x80) {
            name++; /* not within a character */
        }
        str_add(out, "...");
    }
    str_add(out, name);
}

const char *sandbox_placed(const char *text, const char *name)
{
    size_t length = strlen(name);
    if (strncmp(text, name, length) != 0 || text[length] != ':') {
        return NULL;
    }
    const char *line = text + length + 1;
    size_t digits = strspn(line, "0123456789");
    return digits > 0 && line[digits] == ':' ? line : NULL;
}

void sandbox_raise(lua_State *L, const char *format, ...)
{
    char where[96] = "", what[400];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    bool placed = sandbox_where(L, where, sizeof where);
    lua_pushfstring(L, "%s%s%s", where, placed ? ": " : "", what);
    lua_error(L);
    abort(); /* lua_error does not return */
}

/* --- the meter --- */

static void on_count(lua_State *L, lua_Debug *ar);

/* From now on the hook fires at every instruction: no pcall gets past it. Setting a hook is safe
 * anywhere, even inside the allocator. */
static void spend(struct sandbox *sb, int64_t units)
{
    sb->meter.work -= units;
    if (sb->meter.work < 0 && !sb->spent) {
        sb->spent = true;
        lua_sethook(sb->running, on_count, LUA_MASKCOUNT, 1);
    }
}

static bool overtime(const struct sandbox *sb)
{
    return sb->meter.cpu_us + sandbox_clock() - sb->cpu_start > SANDBOX_CPU_US;
}

static _Noreturn void stop(lua_State *L)
{
    sandbox_raise(L, "stopped: more work than a lesson may do at once (look for an endless loop)");
}

static void on_count(lua_State *L, lua_Debug *ar)
{
    struct sandbox *sb = sandbox_of(L);
    if (!sb->spent) {
        spend(sb, overtime(sb) ? SANDBOX_WORK : HOOK_EVERY);
    }
    if (sb->spent) {
        stop(L);
    }
    /* An instruction that copies all arguments counts as one: so their number is bounded. */
    if (lua_getlocal(L, ar, -SANDBOX_VALUES_MAX)) {
        sandbox_raise(L, "too many arguments: at most %d", SANDBOX_VALUES_MAX);
    }
}

void sandbox_charge(lua_State *L, int64_t units)
{
    struct sandbox *sb = sandbox_of(L);
    spend(sb, units < 0 || units > SANDBOX_WORK ? SANDBOX_WORK + 1 : units);
    if (sb->spent) {
        stop(L);
    }
}

void sandbox_watch(lua_State *L)
{
    struct sandbox *sb = sandbox_of(L);
    if (overtime(sb)) {
        spend(sb, SANDBOX_WORK + 1);
        stop(L);
    }
}

void sandbox_forgive(lua_State *L, int64_t since)
{
    sandbox_of(L)->meter.cpu_us -= sandbox_clock() - since;
}

void sandbox_refill(struct sandbox *sb)
{
    sb->meter = (struct meter){.work = SANDBOX_WORK};
}

void sandbox_attend(struct sandbox *sb, lua_State *L)
{
    sb->running = L;
    sb->spent = false;
    sb->cpu_start = sandbox_clock();
    sb->refused_at[0] = '\0';
    lua_sethook(L, on_count, LUA_MASKCOUNT, HOOK_EVERY);
}

void sandbox_leave(struct sandbox *sb)
{
    sb->meter.cpu_us += sandbox_clock() - sb->cpu_start;
    sb->running = sb->L;
}

/* --- memory --- */

static void *refuse(struct sandbox *sb)
{
    if (sb->refused_at[0] == '\0') {
        sandbox_where(sb->running, sb->refused_at, sizeof sb->refused_at);
    }
    spend(sb, REFUSAL_UNITS);
    return NULL;
}

static void *allocate(void *user, void *block, size_t old, size_t size)
{
    struct sandbox *sb = user;
    size_t had = block != NULL ? old : 0; /* without a block, `old` is the kind of object */
    if (size == 0) {
        sb->used -= had;
        free(block);
        return NULL;
    }
    if (sb->limited && size > had) {
        bool long_text = block == NULL && old == LUA_TSTRING && size > SANDBOX_TEXT_MAX + 64;
        if (long_text || size > SANDBOX_MEMORY_MAX || sb->used - had > SANDBOX_MEMORY_MAX - size) {
            return refuse(sb);
        }
        spend(sb, (int64_t)(size / UNIT_BYTES));
    }
    void *grown = realloc(block, size);
    if (grown == NULL) {
        return size <= had ? block : NULL;
    }
    sb->used = sb->used - had + size;
    return grown;
}

/* --- loading --- */

struct source {
    struct bytes left;
    int line; /* of what was read last */
};

/* A parser can be slow without running an instruction: the text goes in small pieces, and the
 * watchdog looks in between. */
static const char *read_piece(lua_State *L, void *user, size_t *size)
{
    struct source *s = user;
    sandbox_watch(L);
    *size = s->left.length < 512 ? s->left.length : 512;
    const char *piece = s->left.at;
    for (size_t i = 0; i < *size; i++) {
        s->line += piece[i] == '\n';
    }
    s->left.at += *size;
    s->left.length -= *size;
    sandbox_charge(L, (int64_t)*size);
    return *size > 0 ? piece : NULL;
}

void sandbox_load(lua_State *L, struct bytes text, const char *chunk, int env)
{
    if (text.length > SANDBOX_SOURCE_MAX) {
        luaL_error(L, "%s:1: the file is too large: at most %d bytes", chunk + 1,
                   (int)SANDBOX_SOURCE_MAX);
    }
    if (text.length > 0 && text.at[0] == LUA_SIGNATURE[0]) {
        luaL_error(L, "%s:1: this is compiled Lua, and lessons are text", chunk + 1);
    }
    struct source source = {text, 1};
    int status = lua_load(L, read_piece, &source, chunk, "t"); /* function or message */
    const char *message = lua_tostring(L, -1);
    if (status == LUA_ERRSYNTAX || status == LUA_ERRRUN) {
        if (message != NULL && !str_starts(message, chunk + 1)) {
            lua_pushfstring(L, "%s:%d: %s", chunk + 1, source.line, message);
        }
    }
    if (status != LUA_OK) {
        lua_error(L);
    }
    lua_pushvalue(L, env);
    if (lua_setupvalue(L, -2, 1) == NULL) {
        lua_pop(L, 1);
    }
}

/* --- the environment --- */

static int env_index(lua_State *L)
{
    struct sandbox *sb = sandbox_of(L);
    if (lua_type(L, 2) == LUA_TSTRING) {
        lua_rawgetp(L, LUA_REGISTRYINDEX, &key_libs); /* libs */
        lua_pushvalue(L, 2);
        if (lua_rawget(L, -2) != LUA_TNIL) {
            return 1;
        }
        if (sb->name != NULL && sb->name(L, lua_tostring(L, 2))) {
            return 1;
        }
        sandbox_raise(L, "undefined name '%s'", lua_tostring(L, 2));
    }
    sandbox_raise(L, "undefined name");
}

void sandbox_push_env(lua_State *L)
{
    lua_newtable(L); /* env */
    lua_newtable(L); /* env, mt */
    lua_pushcfunction(L, env_index);
    lua_setfield(L, -2, "__index");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_setmetatable(L, -2); /* env */
}

static int frozen_write(lua_State *L)
{
    sandbox_raise(L, "'%s' is read-only", lua_tostring(L, lua_upvalueindex(1)));
}

void sandbox_freeze(lua_State *L, const char *name)
{
    lua_newtable(L);       /* real, view */
    lua_newtable(L);       /* real, view, mt */
    lua_rotate(L, -3, -1); /* view, mt, real */
    lua_setfield(L, -2, "__index");
    lua_pushstring(L, name);
    lua_pushcclosure(L, frozen_write, 1);
    lua_setfield(L, -2, "__newindex");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_setmetatable(L, -2); /* view */
}

void sandbox_add(lua_State *L, const char *name, lua_CFunction f)
{
    lua_rawgetp(L, LUA_REGISTRYINDEX, &key_libs);
    lua_pushcfunction(L, f);
    lua_setfield(L, -2, name);
    lua_pop(L, 1);
}

void sandbox_add_value(lua_State *L, const char *name)
{
    lua_rawgetp(L, LUA_REGISTRYINDEX, &key_libs);
    lua_insert(L, -2);
    lua_setfield(L, -2, name);
    lua_pop(L, 1);
}

/* libs[name] = a frozen view of what `ours` makes of the library that `open` opens. */
static void add_library(lua_State *L, const char *name, lua_CFunction open,
                        void (*ours)(lua_State *))
{
    luaL_requiref(L, name, open, 0); /* original */
    ours(L);                         /* ours */
    if (strcmp(name, "string") == 0) {
        /* Methods of strings are ours too, and their metatable cannot be had. */
        lua_pushliteral(L, "");
        CHECK(lua_getmetatable(L, -1)); /* ours, "", mt */
        lua_pushvalue(L, -3);
        lua_setfield(L, -2, "__index");
        lua_pushboolean(L, 0);
        lua_setfield(L, -2, "__metatable");
        lua_pop(L, 2);
    }
    sandbox_freeze(L, name);
    sandbox_add_value(L, name);
}

/* Runs before any limit and before any script; a lack of memory here ends the program. */
static void build(lua_State *L)
{
    lua_newtable(L);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &key_libs);
    luaL_requiref(L, "_G", luaopen_base, 0); /* globals */
    lua_rawgetp(L, LUA_REGISTRYINDEX, &key_libs);
    lib_base(L); /* globals, libs: fills libs */
    lua_pop(L, 2);
    add_library(L, "string", luaopen_string, lib_string);
    add_library(L, "table", luaopen_table, lib_table);
    add_library(L, "math", luaopen_math, lib_math);
    add_library(L, "utf8", luaopen_utf8, lib_utf8);
    /* Nothing in the registry leads back to the full libraries. */
    lua_pushnil(L);
    lua_setfield(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
    lua_newtable(L);
    lua_rawseti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
}

static int panic(lua_State *L)
{
    (void)L;
    check_failed(__FILE__, __LINE__, "Lua raises inside protected calls only");
}

struct sandbox *sandbox_new(const char *path, uint64_t seed)
{
    struct sandbox *sb = xcalloc(1, sizeof *sb);
    sb->path = xstrdup(path);
    struct str chunk = STR_EMPTY;
    str_addc(&chunk, '@');
    sandbox_name(&chunk, path);
    sb->chunk = str_take(&chunk);
    snprintf(sb->place, sizeof sb->place, "%s:1", sb->chunk + 1);
    sb->random = prng_seeded(seed, "lesson-random");
    sb->L = lua_newstate(allocate, sb);
    CHECK(sb->L != NULL);
    sb->running = sb->L;
    lua_atpanic(sb->L, panic);
    memcpy(lua_getextraspace(sb->L), &sb, sizeof(void *));
    build(sb->L);
    lua_settop(sb->L, 0);
    sb->limited = true;
    return sb;
}

void sandbox_free(struct sandbox *sb)
{
    if (sb == NULL) {
        return;
    }
    sb->limited = false;
    lua_sethook(sb->L, NULL, 0, 0);
    lua_close(sb->L);
    CHECK(sb->used == 0);
    str_free(&sb->scratch);
    free(sb->path);
    free(sb->chunk);
    free(sb);
}

/* --- the golden list --- */

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The table on top: names as "prefix.name" into list, going into frozen views. Pops it. */
static size_t gather(lua_State *L, const char *prefix, char **list, size_t count, size_t room)
{
    lua_pushnil(L);
    while (lua_next(L, -2)) { /* table, key, value */
        struct str name = STR_EMPTY;
        str_addf(&name, "%s%s", prefix, lua_tostring(L, -2));
        CHECK(count < room);
        list[count++] = str_take(&name);
        if (lua_istable(L, -1) && luaL_getmetafield(L, -1, "__index") == LUA_TTABLE) {
            struct str inner = STR_EMPTY;
            str_addf(&inner, "%s.", list[count - 1]);
            count = gather(L, str_text(&inner), list, count, room);
            str_free(&inner);
        }
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return count;
}

void sandbox_list(struct sandbox *sb, struct str *out)
{
    char *list[256];
    lua_rawgetp(sb->L, LUA_REGISTRYINDEX, &key_libs);
    size_t count = gather(sb->L, "", list, 0, 256);
    qsort(list, count, sizeof list[0], compare_names);
    for (size_t i = 0; i < count; i++) {
        str_addf(out, "%s\n", list[i]);
        free(list[i]);
    }
}
