/*
 * table: the table of a step, whose rows are runs on copies of the world: what is declared of it.
 * Its figures are made in table_rows.c.
 */
#include "base/alloc.h"
#include "lesson/table_parts.h"
#include <stdlib.h>
#include <string.h>

void table_free(struct step *s)
{
    if (s->results != NULL) {
        texts_free(&s->results->kept);
        free(s->results);
        s->results = NULL;
    }
    free(s->page.table);
    free(s->page.heat);
    free(s->page.worksheet);
    free(s->page.workers);
    free(s->page.vectors);
    s->page.table = NULL;
    s->page.heat = NULL;
    s->page.worksheet = NULL;
    s->page.workers = NULL;
    s->page.vectors = NULL;
    texts_free(&s->kept_table);
}

int made_line(const struct player *p, const char *name)
{
    int from = p->step[p->current].line, line = source_line(p, name, from);
    return line > 0 ? line : from;
}

/* What the step's function `name` gives is on top. */
void made_push(lua_State *L, struct player *p, const char *name, const char *what)
{
    push_step(L, p->current);
    push_field(L, name);
    lua_remove(L, -2);
    if (p->world[0] != NULL) {
        api_push_world(L, 0);
    } else {
        lua_pushnil(L);
    }
    if (!knobs_push(L, p)) {
        lua_newtable(L);
    }
    lua_call(L, 2, 1);
    if (!lua_istable(L, -1)) {
        schema_fault(L, p, made_line(p, name), "'%s' gives a %s, not a %s", name,
                     luaL_typename(L, -1), what);
    }
}

/* Field `name` of the table on top as a filled-in text, kept; `otherwise` NULL: it must be there.
 */
const char *made_text(lua_State *L, struct player *p, const char *where, const char *name,
                      const char *otherwise)
{
    const char *text = otherwise;
    int type = push_field(L, name);
    if (type == LUA_TSTRING) {
        fill_text(L, p, lua_tostring(L, -1), name);
        text = texts_keep(&step_now(p)->kept_table, str_text(&p->text));
    } else if (type != LUA_TNIL || otherwise == NULL) {
        schema_fault(L, p, made_line(p, where), "%s: '%s' is a %s, not a text", where, name,
                     lua_typename(L, type));
    }
    lua_pop(L, 1);
    return text;
}

/* --- what a table declares --- */

/* The list `name` of the table on top is pushed; it has `min` to `max` entries. */
size_t made_list(lua_State *L, struct player *p, const char *where, const char *name, size_t max)
{
    if (push_field(L, name) != LUA_TTABLE) {
        schema_fault(L, p, made_line(p, where), "%s: '%s' is a %s, not a list", where, name,
                     luaL_typename(L, -1));
    }
    size_t count = (size_t)lua_rawlen(L, -1);
    if (count < 1 || count > max) {
        schema_fault(L, p, made_line(p, where), "%s: '%s' has 1 to %d entries, not %d", where, name,
                     (int)max, (int)count);
    }
    return count;
}

static void build_columns(lua_State *L, struct player *p, struct page_table *t)
{
    t->columns = made_list(L, p, "table", "columns", PAGE_TABLE_COLUMNS_MAX);
    for (size_t i = 0; i < t->columns; i++) {
        if (lua_rawgeti(L, -1, (lua_Integer)i + 1) != LUA_TSTRING) {
            schema_fault(L, p, made_line(p, "table"), "table: column %d is a %s, not a text",
                         (int)i + 1, luaL_typename(L, -1));
        }
        fill_text(L, p, lua_tostring(L, -1), "columns");
        t->column[i] = texts_keep(&step_now(p)->kept_table, str_text(&p->text));
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    memset(t->number, 0, sizeof t->number);
    if (push_field(L, "numbers") == LUA_TTABLE) {
        for (size_t i = 1; i <= (size_t)lua_rawlen(L, -1); i++) {
            lua_rawgeti(L, -1, (lua_Integer)i);
            lua_Integer column = lua_tointeger(L, -1);
            if (column < 1 || column > (lua_Integer)t->columns) {
                schema_fault(L, p, made_line(p, "table"), "table: 'numbers' lists columns, 1 to %d",
                             (int)t->columns);
            }
            t->number[column - 1] = true;
            lua_pop(L, 1);
        }
    }
    lua_pop(L, 1);
}

/* Row `number` of the list on top is pushed. */
void table_push_row(lua_State *L, struct player *p, size_t row)
{
    if (lua_rawgeti(L, -1, (lua_Integer)row + 1) != LUA_TTABLE) {
        schema_fault(L, p, made_line(p, "table"), "table: row %d is a %s: it needs label and cells",
                     (int)row + 1, luaL_typename(L, -1));
    }
}

#define FILLED_ROWS_MAX 24 /* whose runs are played before anybody opens them */

/* The row on top says how it comes to its figures. */
static void check_row(lua_State *L, struct player *p, size_t row, struct page_table_row *out)
{
    int run = push_field(L, "run");
    lua_pop(L, 1);
    int cells = push_field(L, "cells");
    lua_pop(L, 1);
    bool lazy = push_field(L, "lazy") != LUA_TNIL && lua_toboolean(L, -1);
    lua_pop(L, 1);
    bool listed = cells == LUA_TTABLE;
    if (lazy && (run != LUA_TFUNCTION || !listed)) {
        schema_fault(L, p, made_line(p, "table"),
                     "table: row %d is 'lazy': 'run' is a function that is played when the row is "
                     "opened, and 'cells' a list of texts",
                     (int)row + 1);
    }
    if ((run != LUA_TNIL && run != LUA_TFUNCTION) ||
        (cells != LUA_TFUNCTION && (!listed || (run == LUA_TFUNCTION && !lazy)))) {
        schema_fault(L, p, made_line(p, "table"),
                     "table: row %d: 'run' is a function, and 'cells' one too (without 'run', or "
                     "with 'lazy', a list of texts will do)",
                     (int)row + 1);
    }
    if (run == LUA_TFUNCTION && p->world[0] == NULL) {
        schema_fault(L, p, made_line(p, "table"),
                     "table: row %d has a run, and this drill has no world", (int)row + 1);
    }
    out->opens = run == LUA_TFUNCTION;
    out->lazy = lazy;
}

static void build_rows(lua_State *L, struct player *p, struct page_table *t)
{
    size_t filled = 0;
    t->rows = made_list(L, p, "table", "rows", PAGE_TABLE_ROWS_MAX);
    for (size_t i = 0; i < t->rows; i++) {
        table_push_row(L, p, i);
        t->row[i] = (struct page_table_row){.label = made_text(L, p, "table", "label", NULL)};
        check_row(L, p, i, &t->row[i]);
        filled += t->row[i].opens && !t->row[i].lazy;
        for (size_t k = 0; k < PAGE_TABLE_COLUMNS_MAX; k++) {
            t->row[i].cell[k] = "";
        }
        t->row[i].cell[0] = t->row[i].label;
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    if (filled > FILLED_ROWS_MAX) {
        schema_fault(L, p, made_line(p, "table"),
                     "table: %d rows are played at once, and at most %d may be; let rows be 'lazy'",
                     (int)filled, FILLED_ROWS_MAX);
    }
}

static bool is_hidden(const struct step *s)
{
    return s->kind != QUESTION_NONE && !s->page.question.judged;
}

void table_build(lua_State *L, struct player *p)
{
    struct step *s = step_now(p);
    if (!s->has_table) {
        return;
    }
    if (s->page.table == NULL) {
        s->page.table = xcalloc(1, sizeof *s->page.table);
        s->results = xcalloc(1, sizeof *s->results);
    }
    struct page_table *t = s->page.table;
    made_push(L, p, "table", "table with title, columns and rows");
    t->title = made_text(L, p, "table", "title", "");
    build_columns(L, p, t);
    build_rows(L, p, t);
    t->hidden = is_hidden(s);
    lua_pop(L, 1);
}
