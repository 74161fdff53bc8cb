/*
 * deal: work that a script dealt to workers, as a plain value in Lua's own memory.
 */
#ifndef HOTSHARD_LESSON_DEAL_H
#define HOTSHARD_LESSON_DEAL_H

#include "lesson/api.h"
#include "place/deal.h"

#define DEAL_TYPE "deal"

/* The deal at `arg`, NULL when it is none. */
const struct deal *deal_test(lua_State *L, int arg);

#endif
