/*
 * table: the table of a step, whose rows are runs on copies of the world; and its heat map.
 *
 * A row's figures are made once: row after row while nobody waits (player_fill), or all at once
 * when a function asks for `cells`. What is kept of a row is its figures, not its world: a row that
 * is opened is played again, from the same world (visit.c).
 */
#include "base/alloc.h"
#include "base/num.h"
#include "lesson/api.h"
#include "lesson/schema.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CELL_TEXT_MAX 60
#define FILL_EVENTS_MAX UINT64_C(10000000) /* of the engine, all rows of one table */

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

void table_free(struct step *s)
{
    if (s->results != NULL) {
        texts_free(&s->results->kept);
        free(s->results);
        s->results = NULL;
    }
    free(s->page.table);
    free(s->page.heat);
    s->page.table = NULL;
    s->page.heat = NULL;
    texts_free(&s->kept_table);
}

static int field_line(const struct player *p, const char *name)
{
    int from = p->step[p->current].line, line = source_line(p, name, from);
    return line > 0 ? line : from;
}

/* What the step's function `name` gives is on top. */
static void push_made(lua_State *L, struct player *p, const char *name, const char *what)
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
        schema_fault(L, p, field_line(p, name), "'%s' gives a %s, not a %s", name,
                     luaL_typename(L, -1), what);
    }
}

/* Field `name` of the table on top as a filled-in text, kept; `otherwise` NULL: it must be there.
 */
static const char *keep_text(lua_State *L, struct player *p, const char *where, const char *name,
                             const char *otherwise)
{
    const char *text = otherwise;
    int type = push_field(L, name);
    if (type == LUA_TSTRING) {
        fill_text(L, p, lua_tostring(L, -1), name);
        text = texts_keep(&step_now(p)->kept_table, str_text(&p->text));
    } else if (type != LUA_TNIL || otherwise == NULL) {
        schema_fault(L, p, field_line(p, where), "%s: '%s' is a %s, not a text", where, name,
                     lua_typename(L, type));
    }
    lua_pop(L, 1);
    return text;
}

/* --- what a table declares --- */

/* The list `name` of the table on top is pushed; it has `min` to `max` entries. */
static size_t push_list(lua_State *L, struct player *p, const char *where, const char *name,
                        size_t max)
{
    if (push_field(L, name) != LUA_TTABLE) {
        schema_fault(L, p, field_line(p, where), "%s: '%s' is a %s, not a list", where, name,
                     luaL_typename(L, -1));
    }
    size_t count = (size_t)lua_rawlen(L, -1);
    if (count < 1 || count > max) {
        schema_fault(L, p, field_line(p, where), "%s: '%s' has 1 to %d entries, not %d", where,
                     name, (int)max, (int)count);
    }
    return count;
}

static void build_columns(lua_State *L, struct player *p, struct page_table *t)
{
    t->columns = push_list(L, p, "table", "columns", PAGE_TABLE_COLUMNS_MAX);
    for (size_t i = 0; i < t->columns; i++) {
        if (lua_rawgeti(L, -1, (lua_Integer)i + 1) != LUA_TSTRING) {
            schema_fault(L, p, field_line(p, "table"), "table: column %d is a %s, not a text",
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
                schema_fault(L, p, field_line(p, "table"),
                             "table: 'numbers' lists columns, 1 to %d", (int)t->columns);
            }
            t->number[column - 1] = true;
            lua_pop(L, 1);
        }
    }
    lua_pop(L, 1);
}

/* Row `number` of the list on top is pushed. */
static void push_row(lua_State *L, struct player *p, size_t row)
{
    if (lua_rawgeti(L, -1, (lua_Integer)row + 1) != LUA_TTABLE) {
        schema_fault(L, p, field_line(p, "table"),
                     "table: row %d is a %s: it needs label and cells", (int)row + 1,
                     luaL_typename(L, -1));
    }
}

static void build_rows(lua_State *L, struct player *p, struct page_table *t)
{
    t->rows = push_list(L, p, "table", "rows", PAGE_TABLE_ROWS_MAX);
    for (size_t i = 0; i < t->rows; i++) {
        push_row(L, p, i);
        t->row[i] = (struct page_table_row){.label = keep_text(L, p, "table", "label", NULL)};
        int run = push_field(L, "run");
        lua_pop(L, 1);
        int cells = push_field(L, "cells");
        lua_pop(L, 1);
        if ((run != LUA_TNIL && run != LUA_TFUNCTION) ||
            (cells != LUA_TFUNCTION && (cells != LUA_TTABLE || run == LUA_TFUNCTION))) {
            schema_fault(L, p, field_line(p, "table"),
                         "table: row %d: 'run' is a function, and 'cells' one too (without 'run' a "
                         "list of texts will do)",
                         (int)i + 1);
        }
        if (run == LUA_TFUNCTION && p->world[0] == NULL) {
            schema_fault(L, p, field_line(p, "table"),
                         "table: row %d has a run, and this drill has no world", (int)i + 1);
        }
        t->row[i].opens = run == LUA_TFUNCTION;
        for (size_t k = 0; k < PAGE_TABLE_COLUMNS_MAX; k++) {
            t->row[i].cell[k] = "";
        }
        t->row[i].cell[0] = t->row[i].label;
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
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
    push_made(L, p, "table", "table with title, columns and rows");
    t->title = keep_text(L, p, "table", "title", "");
    build_columns(L, p, t);
    build_rows(L, p, t);
    t->hidden = is_hidden(s);
    lua_pop(L, 1);
}

/* --- cells --- */

static struct cell read_cell(lua_State *L, struct player *p, struct texts *kept, size_t row)
{
    struct cell cell = {.type = lua_type(L, -1), .text = ""};
    char real[CELL_TEXT_MAX];
    if (cell.type == LUA_TSTRING) {
        fill_text(L, p, lua_tostring(L, -1), "cells");
        if (p->text.length > CELL_TEXT_MAX) {
            schema_fault(L, p, field_line(p, "table"),
                         "table: a cell of row %d has more than %d bytes", (int)row + 1,
                         CELL_TEXT_MAX);
        }
        cell.text = texts_keep(kept, str_text(&p->text));
    } else if (cell.type == LUA_TNUMBER) {
        cell.number = lua_tonumber(L, -1);
        cell.whole = cell.number == floor(cell.number) && fabs(cell.number) < 1e15;
        cell.integer = cell.whole ? (lua_Integer)cell.number : 0;
        snprintf(real, sizeof real, "%.6g", cell.number);
        cell.text = texts_keep(kept, cell.whole ? num_grouped(cell.integer).text : real);
    } else {
        schema_fault(L, p, field_line(p, "table"),
                     "table: a cell of row %d is a %s, not a number or a text", (int)row + 1,
                     lua_typename(L, cell.type));
    }
    return cell;
}

/* What `cells` gave is on top: one a column, but for the labels'. */
static void read_cells(lua_State *L, struct player *p, size_t row)
{
    struct step *s = step_now(p);
    size_t columns = s->page.table->columns;
    if (!lua_istable(L, -1) || lua_rawlen(L, -1) != columns - 1) {
        schema_fault(
            L, p, field_line(p, "table"),
            "table: 'cells' of row %d gives %d values; there are %d columns behind the labels'",
            (int)row + 1, lua_istable(L, -1) ? (int)lua_rawlen(L, -1) : 0, (int)columns - 1);
    }
    for (size_t i = 1; i < columns; i++) {
        lua_rawgeti(L, -1, (lua_Integer)i);
        s->results->cell[row][i] = read_cell(L, p, &s->results->kept, row);
        lua_pop(L, 1);
    }
    s->results->filled[row] = true;
}

/* The row's table is on top; its run plays on a copy, which is pushed (or what stands for it). */
static void run_row(lua_State *L, struct player *p)
{
    if (push_field(L, "run") == LUA_TFUNCTION) {
        api_push_fork(L, 0); /* row, run, fork */
        lua_pushvalue(L, -1);
        lua_insert(L, -3); /* row, fork, run, fork */
        lua_call(L, 1, 0);
    } else {
        lua_pop(L, 1);
        if (p->world[0] != NULL) {
            api_push_world(L, 0);
        } else {
            lua_pushnil(L);
        }
    }
}

static void fill_row(lua_State *L, struct player *p, size_t row)
{
    struct table_results *r = step_now(p)->results;
    size_t forks = p->forks;
    uint64_t events = p->call_events;
    p->call_events = 0;
    push_made(L, p, "table", "table");
    push_field(L, "rows");
    push_row(L, p, row); /* made, rows, row */
    if (push_field(L, "cells") == LUA_TFUNCTION) {
        lua_insert(L, -2);
        run_row(L, p); /* made, rows, cells, row, world */
        lua_remove(L, -2);
        lua_call(L, 1, 1);
    } else {
        lua_remove(L, -2);
    }
    read_cells(L, p, row);
    lua_pop(L, 3);
    forks_drop(p, forks);
    r->events += p->call_events;
    p->call_events = events;
    if (r->events > FILL_EVENTS_MAX) {
        schema_fault(L, p, field_line(p, "table"),
                     "table: its rows play more than %s events; make them shorter",
                     num_grouped((int64_t)FILL_EVENTS_MAX).text);
    }
}

size_t table_play_row(lua_State *L, struct player *p, size_t row)
{
    push_made(L, p, "table", "table");
    push_field(L, "rows");
    push_row(L, p, row);
    if (push_field(L, "run") != LUA_TFUNCTION) {
        schema_fault(L, p, field_line(p, "table"), "table: row %d has no run", (int)row + 1);
    }
    lua_pop(L, 1);
    run_row(L, p);
    return ((const struct world_handle *)lua_touserdata(L, -1))->slot;
}

/* --- from which world --- */

void table_leave(struct player *p)
{
    world_free(p->base);
    p->base = NULL;
    p->based = false;
}

/* Results of another world or of other knobs are forgotten. */
static void results_for(struct player *p, const struct world *w)
{
    struct step *s = step_now(p);
    struct table_results *r = s->results;
    struct digest of = w != NULL ? world_digest(w) : digest_start();
    if (r->any && digest_equal(r->world, of) && memcmp(r->knob, s->knob, sizeof r->knob) == 0) {
        return;
    }
    for (size_t i = 0; i < s->page.table->rows; i++) {
        for (size_t k = 1; k < PAGE_TABLE_COLUMNS_MAX; k++) {
            s->page.table->row[i].cell[k] = "";
        }
    }
    texts_free(&r->kept);
    *r = (struct table_results){.any = true, .world = of};
    memcpy(r->knob, s->knob, sizeof r->knob);
}

/* From now on the rows are played from this moment. */
void table_base(struct player *p)
{
    struct step *s = step_now(p);
    table_leave(p);
    if (s->page.table == NULL || p->rehearsing) {
        return;
    }
    p->base = p->world[0] != NULL ? world_copy(p->world[0]) : NULL;
    p->based = true;
    results_for(p, p->base);
}

static void show_row(struct step *s, size_t row)
{
    for (size_t i = 1; i < s->page.table->columns; i++) {
        s->page.table->row[row].cell[i] = s->results->cell[row][i].text;
    }
}

/* What is known already is shown. */
static void show_known(struct step *s)
{
    for (size_t i = 0; i < s->page.table->rows; i++) {
        if (s->results->filled[i]) {
            show_row(s, i);
        }
    }
}

void table_reveal(struct player *p)
{
    struct step *s = step_now(p);
    if (s->page.table == NULL || p->rehearsing) {
        return;
    }
    s->page.table->hidden = false;
    table_base(p);
    show_known(s);
}

struct world *table_begin(struct player *p)
{
    struct world *mine = p->world[0];
    if (p->based && !p->rehearsing && p->base != NULL) {
        p->world[0] = p->base;
        p->changes++;
    }
    return mine;
}

void table_end(struct player *p, struct world *mine)
{
    if (p->world[0] != mine) {
        p->world[0] = mine;
        p->changes++;
    }
}

static size_t next_row(const struct step *s)
{
    size_t row = 0;
    while (row < s->page.table->rows && s->results->filled[row]) {
        row++;
    }
    return row;
}

/* --- one row after the other --- */

static int fill_job(lua_State *L)
{
    struct player *p = lua_touserdata(L, 1);
    fill_row(L, p, next_row(step_now(p)));
    return 0;
}

bool player_filling(const struct player *p)
{
    const struct step *s = &p->step[p->current];
    return s->page.table != NULL && !s->page.table->hidden && p->based && !run_under_way(p) &&
           p->visit == NULL && next_row(s) < s->page.table->rows;
}

bool player_fill(struct player *p, struct err *err)
{
    struct step *s = step_now(p);
    if (!player_filling(p)) {
        return true;
    }
    size_t row = next_row(s);
    struct world *mine = table_begin(p);
    bool good = player_job(p, PHASE_READ, fill_job, p, err);
    table_end(p, mine);
    if (!good) { /* or the fault would come back for ever */
        for (size_t i = 1; i < s->page.table->columns; i++) {
            s->results->cell[row][i] = (struct cell){.type = LUA_TSTRING, .text = "-"};
        }
        s->results->filled[row] = true;
    }
    show_row(s, row);
    return good;
}

bool player_fill_all(struct player *p, struct err *err)
{
    bool good = true;
    while (player_filling(p)) {
        struct err why = {""};
        if (!player_fill(p, &why) && good) {
            good = err_set(err, "%s", why.text);
        }
    }
    return good;
}

/* --- `cells`: a row's figures for texts and functions --- */

static void push_cells(lua_State *L, const struct step *s, size_t row)
{
    lua_createtable(L, (int)s->page.table->columns, 0);
    lua_pushstring(L, s->page.table->row[row].label);
    lua_rawseti(L, -2, 1);
    for (size_t i = 1; i < s->page.table->columns; i++) {
        const struct cell *cell = &s->results->cell[row][i];
        if (cell->type != LUA_TNUMBER) {
            lua_pushstring(L, cell->text);
        } else if (cell->whole) {
            lua_pushinteger(L, cell->integer);
        } else {
            lua_pushnumber(L, cell->number);
        }
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
}

static int fill_rest(lua_State *L)
{
    struct player *p = lua_touserdata(L, 1);
    struct step *s = step_now(p);
    for (size_t row = next_row(s); row < s->page.table->rows; row = next_row(s)) {
        fill_row(L, p, row);
    }
    return 0;
}

bool table_push_cells(lua_State *L, struct player *p)
{
    struct step *s = step_now(p);
    if (s->page.table == NULL || p->filling) {
        return false;
    }
    if (!p->based || p->rehearsing) {
        sandbox_charge(L, p->world[0] != NULL ? (int64_t)world_bytes(p->world[0]) / 64 : 0);
        results_for(p, p->world[0]);
    }
    struct world *mine = table_begin(p);
    p->filling = true; /* its own rows cannot ask for it */
    lua_pushcfunction(L, fill_rest);
    lua_pushlightuserdata(L, p);
    int status = lua_pcall(L, 1, 0, 0);
    p->filling = false;
    table_end(p, mine);
    if (status != LUA_OK) {
        lua_error(L);
    }
    lua_createtable(L, (int)s->page.table->rows, 0);
    for (size_t i = 0; i < s->page.table->rows; i++) {
        push_cells(L, s, i);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return true;
}

/* --- heat --- */

static void read_values(lua_State *L, struct player *p, double value[][PAGE_HEAT_COLUMNS_MAX])
{
    struct page_heat *h = step_now(p)->page.heat;
    h->rows = push_list(L, p, "heat", "values", PAGE_HEAT_ROWS_MAX);
    for (size_t i = 0; i < h->rows; i++) {
        size_t columns =
            lua_rawgeti(L, -1, (lua_Integer)i + 1) == LUA_TTABLE ? (size_t)lua_rawlen(L, -1) : 0;
        h->columns = i == 0 ? columns : h->columns;
        if (columns < 1 || columns > PAGE_HEAT_COLUMNS_MAX || columns != h->columns) {
            schema_fault(L, p, field_line(p, "heat"),
                         "heat: row %d has %d values; each has as many, 1 to %d", (int)i + 1,
                         (int)columns, PAGE_HEAT_COLUMNS_MAX);
        }
        for (size_t k = 0; k < columns; k++) {
            lua_rawgeti(L, -1, (lua_Integer)k + 1);
            value[i][k] = lua_tonumber(L, -1);
            if (lua_type(L, -1) != LUA_TNUMBER || !(value[i][k] >= 0 && isfinite(value[i][k]))) {
                schema_fault(L, p, field_line(p, "heat"),
                             "heat: a value is a number from 0 on, not a %s", luaL_typename(L, -1));
            }
            lua_pop(L, 1);
        }
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

void heat_build(lua_State *L, struct player *p)
{
    struct step *s = step_now(p);
    if (!s->has_heat) {
        return;
    }
    if (s->page.heat == NULL) {
        s->page.heat = xcalloc(1, sizeof *s->page.heat);
    }
    struct page_heat *h = s->page.heat;
    push_made(L, p, "heat", "table with values");
    h->title = keep_text(L, p, "heat", "title", "");
    h->rows_are = keep_text(L, p, "heat", "rows_are", "");
    h->columns_are = keep_text(L, p, "heat", "columns_are", "");
    h->first_row = keep_text(L, p, "heat", "first_row", "");
    h->last_row = keep_text(L, p, "heat", "last_row", "");
    h->first_column = keep_text(L, p, "heat", "first_column", "");
    h->last_column = keep_text(L, p, "heat", "last_column", "");
    /* Lua's own memory: an error on the way leaves nothing behind. */
    size_t bytes = sizeof(double) * PAGE_HEAT_ROWS_MAX * PAGE_HEAT_COLUMNS_MAX;
    double(*value)[PAGE_HEAT_COLUMNS_MAX] = lua_newuserdatauv(L, bytes, 0);
    lua_insert(L, -2);
    read_values(L, p, value);
    double most = 0;
    for (size_t i = 0; i < h->rows * h->columns; i++) {
        double v = value[i / h->columns][i % h->columns];
        most = v > most ? v : most;
    }
    for (size_t i = 0; i < h->rows * h->columns; i++) {
        double v = value[i / h->columns][i % h->columns];
        h->value[i / h->columns][i % h->columns] =
            (uint16_t)(most > 0 ? floor(v * 1000 / most + 0.5) : 0);
    }
    lua_pop(L, 2);
}
