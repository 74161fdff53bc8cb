/*
 * sandbox: one Lua state in which a stranger's lesson can do no harm.
 *
 * The environment is an allow-list built by hand. Every call from the host has a meter: work is
 * charged in units (one instruction of the VM, about 15 ns), by the count hook, by the allocator
 * (bytes asked for) and by each library function that loops in C. Once the meter is empty the hook
 * fires at each instruction, so no pcall can outlive it. Memory is refused before it is granted.
 * The meter is deterministic; behind it stands a watchdog on this thread's CPU time, the last
 * resort for work inside the VM that no count sees (comparing long texts, parsing). It only ever
 * ends a call, so no result depends on it.
 *
 * The registry holds no way back to the full libraries. Only call.c runs anything in a state.
 */
#ifndef HOTSHARD_LESSON_SANDBOX_H
#define HOTSHARD_LESSON_SANDBOX_H

#include "base/err.h"
#include "base/prng.h"
#include "base/str.h"
#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

#if LUA_VERSION_NUM != 504
#error "the sandbox was reviewed against Lua 5.4: see sandbox.h before allowing another version"
#endif

#define SANDBOX_MEMORY_MAX ((size_t)32 << 20)
#define SANDBOX_TEXT_MAX ((size_t)64 << 10)  /* one string */
#define SANDBOX_SOURCE_MAX ((size_t)1 << 20) /* one file */
#define SANDBOX_WORK INT64_C(4000000)        /* units a call */
#define SANDBOX_CPU_US INT64_C(120000)       /* a call, in the VM */
#define SANDBOX_VALUES_MAX 200               /* results of unpack and byte, variable arguments */

/* What one call may still use. */
struct meter {
    int64_t work;
    int64_t cpu_us; /* used so far by earlier parts of the same call */
};

struct sandbox {
    lua_State *L;
    lua_State *running; /* the thread that runs now: L or the coroutine of a run */
    size_t used;        /* bytes */
    bool limited;       /* false while the libraries are opened */
    bool spent;
    struct meter meter;
    int64_t cpu_start;
    char refused_at[96]; /* "file:line" where memory was last refused */
    char place[96];      /* "file:line" for errors that no line of Lua code raised; the host's */
    struct prng random;
    char *path;         /* of the lesson's file */
    char *chunk;        /* "@name" as errors show it */
    struct str scratch; /* text of a file that is being loaded */
    void *host;
    /* Pushes what a free name means (w, S2, last ...); false when it means nothing. */
    bool (*name)(lua_State *L, const char *name);
};

/* Errors: none but lack of memory, which ends the program. */
struct sandbox *sandbox_new(const char *path, uint64_t seed);
void sandbox_free(struct sandbox *sb);
struct sandbox *sandbox_of(lua_State *L);

void sandbox_refill(struct sandbox *sb);               /* a new call begins */
void sandbox_attend(struct sandbox *sb, lua_State *L); /* this thread is about to run */
void sandbox_leave(struct sandbox *sb);                /* the call (or part of it) is over */
/* Charges work done in C; raises when the meter is empty. */
void sandbox_charge(lua_State *L, int64_t units);
/* The watchdog: raises when the call has used its time. */
void sandbox_watch(lua_State *L);
/* Work of the engine has limits of its own: the watchdog does not count what lies between. */
int64_t sandbox_clock(void);
void sandbox_forgive(lua_State *L, int64_t since);

/* Raises "FILE:LINE: what" at the nearest line of the lesson. */
_Noreturn void sandbox_raise(lua_State *L, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* "file:line" of the nearest line of Lua code on the stack, else the host's place; false when there
 * is neither. */
bool sandbox_where(lua_State *L, char *out, size_t size);
/* The name of a file in errors: short enough that Lua leaves it as it is. */
void sandbox_name(struct str *out, const char *path);
/* Where the line's number begins in a text that begins "NAME:LINE:"; NULL when it does not. */
const char *sandbox_placed(const char *text, const char *name);

/* Loads text as a function whose environment is at the absolute index `env`; raises on a fault.
 * `chunk` is "@name". Pushes the function. */
void sandbox_load(lua_State *L, struct bytes text, const char *chunk, int env);
/* Pushes a fresh environment: names not set in it are the libraries', then the host's. */
void sandbox_push_env(lua_State *L);
/* Pushes a read-only view of the table on top, in its place. */
void sandbox_freeze(lua_State *L, const char *name);
/* Adds a function to what every environment sees. */
void sandbox_add(lua_State *L, const char *name, lua_CFunction f);
void sandbox_add_value(lua_State *L, const char *name); /* the value on top, which is popped */
/* Every name that a lesson can reach, one a line, sorted: for the golden list. */
void sandbox_list(struct sandbox *sb, struct str *out);

/* The libraries: each takes the original table on the stack's top and leaves ours in its place. */
void lib_base(lua_State *L);
void lib_string(lua_State *L);
void lib_table(lua_State *L);
void lib_math(lua_State *L);
void lib_utf8(lua_State *L);

/* Copies the named functions of the table at `from` into the table at `to`. */
void lib_copy(lua_State *L, int from, int to, const char *const *names);
/* A stable merge sort of array[1..n] at the absolute index; `before` compares two stack values. */
typedef bool (*sort_before)(lua_State *L, int a, int b);
void lib_sort(lua_State *L, int array, lua_Integer n, sort_before before);

/* string.find, match, gmatch and gsub with charged work (match.c). */
int match_find(lua_State *L);
int match_match(lua_State *L);
int match_gmatch(lua_State *L);
int match_gsub(lua_State *L);

#endif
