/*
 * api: what the files of the exposed tables share. Handles are plain values (slot, generation); a
 * handle whose world is gone answers with a clear error.
 */
#ifndef HOTSHARD_LESSON_API_H
#define HOTSHARD_LESSON_API_H

#include "lesson/inside.h"

struct world_handle {
    uint32_t slot, generation;
};

/* Makes the metatable `name` (a protected one) for luaL_checkudata. `index` may be NULL: then the
 * functions are the fields. */
void api_metatable(lua_State *L, const char *name, const luaL_Reg *functions, lua_CFunction index);
/* The world behind a handle, or an error. */
struct world *api_handle_world(lua_State *L, const struct world_handle *h);
/* What a call may do with it; raises otherwise. `name` for the message. */
void api_may_change(lua_State *L, const struct world_handle *h, const char *name);
/* Raises "there is no NAME 'given'; did you mean ...". */
_Noreturn void api_unknown(lua_State *L, const char *what, const char *given,
                           const char *const *names, size_t count);
struct world_handle *api_check_world(lua_State *L, int arg);
bool api_apply(lua_State *L, const struct world_handle *h, const struct command *c);

/* What can be read of a layout (api_measure.c); ends with a NULL name. */
const luaL_Reg *api_measures(void);

/* Time (api_time.c). */
int api_play_for(lua_State *L);
int api_play_until(lua_State *L);
int api_play_answered(lua_State *L);

#endif
