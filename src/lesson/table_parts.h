/*
 * table_parts: what the files of tables and heat maps share: what a step's function gives, and the
 * figures that were made so far.
 */
#ifndef HOTSHARD_LESSON_TABLE_PARTS_H
#define HOTSHARD_LESSON_TABLE_PARTS_H

#include "lesson/api.h"
#include "lesson/schema.h"

/* A figure as the lesson gave it. */
struct cell {
    int type; /* LUA_TNIL: not there */
    bool whole;
    lua_Integer integer;
    lua_Number number;
    const char *text; /* as it is shown */
};

struct table_results {
    struct digest world; /* that the rows were played from */
    size_t knob[PAGE_KNOBS_MAX];
    bool any;
    bool filled[PAGE_TABLE_ROWS_MAX];
    struct cell cell[PAGE_TABLE_ROWS_MAX][PAGE_TABLE_COLUMNS_MAX];
    uint64_t events;
    struct texts kept;
};

/* Line of the step's field, for errors; what its function gives, onto the stack, a table or an
 * error; field `name` of the table on top as a filled-in text, kept; `otherwise` NULL: it must be
 * there. */
int made_line(const struct player *p, const char *name);
void made_push(lua_State *L, struct player *p, const char *name, const char *what);
const char *made_text(lua_State *L, struct player *p, const char *where, const char *name,
                      const char *otherwise);
/* Field `name`, a list of at most so many, stays on top; how many it has. */
size_t made_list(lua_State *L, struct player *p, const char *where, const char *name, size_t max);
/* The declared row; the list of rows is on top. */
void table_push_row(lua_State *L, struct player *p, size_t row);

#endif
