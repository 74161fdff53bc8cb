/*
 * call: the only place where Lua runs. Everything the host wants of a state is a "job": a C
 * function over the state, run in protected mode with a fresh meter.
 *
 * A job may raise at any line; what it has already stored in its argument stays there, so it stores
 * what it allocates at once. Errors arrive as "FILE:LINE: what".
 */
#ifndef HOTSHARD_LESSON_CALL_H
#define HOTSHARD_LESSON_CALL_H

#include "lesson/sandbox.h"

/* Runs body(L) with lua_touserdata(L, 1) == argument. The stack is as before afterwards. */
bool call_job(struct sandbox *sb, lua_CFunction body, void *argument, struct err *err);

enum call_end {
    CALL_DONE,
    CALL_WAITS, /* it yielded */
    CALL_FAILED
};
/* Starts or goes on with a coroutine whose function and arguments are on its stack. The meter goes
 * on too: sandbox_refill before the first part. */
enum call_end call_resume(struct sandbox *sb, lua_State *co, int arguments, struct err *err);

#endif
