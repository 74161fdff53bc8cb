/*
 * schema: which fields a declared table may have, and of which kind. An unknown field is an error
 * that names file and line and suggests the nearest known one.
 *
 * All raise on a fault. The table to check is on top of the stack and stays there.
 */
#ifndef HOTSHARD_LESSON_SCHEMA_H
#define HOTSHARD_LESSON_SCHEMA_H

#include "lesson/inside.h"

void schema_check_top(lua_State *L, struct player *p);
void schema_check_made(lua_State *L, struct player *p);
void schema_check_step(lua_State *L, struct player *p, size_t index);
/* QUESTION_NONE for a name that is none. */
enum question_kind schema_kind(const char *name);
bool schema_action(const char *name, enum page_action *out);
/* Raises "FILE:LINE: what"; without ":LINE" when it is not known. */
_Noreturn void schema_fault(lua_State *L, const struct player *p, int line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
