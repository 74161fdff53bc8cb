/*
 * schema_inside: what the two files of the schema share.
 */
#ifndef HOTSHARD_LESSON_SCHEMA_INSIDE_H
#define HOTSHARD_LESSON_SCHEMA_INSIDE_H

#include "lesson/schema.h"

enum field_kind {
    TEXT = 1,
    NUMBER = 2,
    BOOLEAN = 4,
    FUNCTION = 8,
    TABLE = 16,
    REQUIRED = 32
};
struct field {
    const char *name; /* NULL ends a list of them */
    unsigned kinds;
};

/* What is being checked, for messages. */
struct place {
    struct player *p;
    int line;
    const char *what; /* "the lesson", "step 'calm'" */
};

/* The table on top has these fields and no others. `list`: also values 1, 2, 3 ... */
void schema_fields(lua_State *L, const struct place *at, const struct field *fields, bool list);
/* Raises "there is no KIND 'name'" with the nearest of the names. */
_Noreturn void schema_unknown(lua_State *L, const struct place *at, const char *kind,
                              const char *name, const char *const *names, size_t count);

/* explain.c: a question's table is on top; whether it is of that kind. */
void schema_explain(lua_State *L, const struct place *at, bool explain);

/* opened.c: a task's table is on top. */
void schema_opened(lua_State *L, const struct place *at);

/* schema.c: a list of choices is on top. */
void schema_choices(lua_State *L, const struct place *at);

/* protocol.c: the step's table is on top. */
void schema_protocol(lua_State *L, const struct place *at);

/* schema_knobs.c: the step's table is on top. */
void schema_knobs(lua_State *L, const struct place *at);
void schema_experiment(lua_State *L, const struct place *at);

#endif
