/*
 * table_rows: the figures of a table: a row's run on a copy of the world, row after row while
 * nobody waits (player_fill), or all at once when a function asks for `cells`. What is kept of a
 * row is its figures, not its world: a row that is opened is played again, from the same world
 * (visit.c).
 */
#include "base/num.h"
#include "lesson/table_parts.h"
#include <math.h>
#include <string.h>

#define CELL_TEXT_MAX 60
#define LAZY_TEXT_MAX 160                  /* no figure: a sentence */
#define FILL_EVENTS_MAX UINT64_C(10000000) /* of the engine, all rows of one table */

/* --- cells --- */

static struct cell read_cell(lua_State *L, struct player *p, struct texts *kept, size_t row)
{
    struct cell cell = {.type = lua_type(L, -1), .text = ""};
    char real[CELL_TEXT_MAX];
    if (cell.type == LUA_TSTRING) {
        fill_text(L, p, lua_tostring(L, -1), "cells");
        bool lazy = step_now(p)->page.table->row[row].lazy;
        size_t most = lazy ? LAZY_TEXT_MAX : CELL_TEXT_MAX;
        if (p->text.length > most) {
            schema_fault(L, p, made_line(p, "table"),
                         "table: a cell of row %d has more than %d bytes", (int)row + 1, (int)most);
        }
        cell.text = texts_keep(kept, str_text(&p->text));
    } else if (cell.type == LUA_TNUMBER) {
        cell.number = lua_tonumber(L, -1);
        cell.whole = cell.number == floor(cell.number) && fabs(cell.number) < 1e15;
        cell.integer = cell.whole ? (lua_Integer)cell.number : 0;
        snprintf(real, sizeof real, "%.6g", cell.number);
        cell.text = texts_keep(kept, cell.whole ? num_grouped(cell.integer).text : real);
    } else {
        schema_fault(L, p, made_line(p, "table"),
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
            L, p, made_line(p, "table"),
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

/* The list of rows is on top. */
static void fill_row(lua_State *L, struct player *p, size_t row)
{
    struct table_results *r = step_now(p)->results;
    size_t forks = p->forks;
    uint64_t events = p->call_events;
    p->call_events = 0;
    table_push_row(L, p, row); /* rows, row */
    if (push_field(L, "cells") == LUA_TFUNCTION) {
        lua_insert(L, -2);
        run_row(L, p); /* rows, cells, row, world */
        lua_remove(L, -2);
        lua_call(L, 1, 1);
    } else {
        lua_remove(L, -2);
    }
    read_cells(L, p, row);
    lua_pop(L, 1);
    forks_drop(p, forks);
    r->events += p->call_events;
    p->call_events = events;
    if (r->events > FILL_EVENTS_MAX) {
        schema_fault(L, p, made_line(p, "table"),
                     "table: its rows play more than %s events; make them shorter",
                     num_grouped((int64_t)FILL_EVENTS_MAX).text);
    }
}

size_t table_play_row(lua_State *L, struct player *p, size_t row)
{
    made_push(L, p, "table", "table");
    push_field(L, "rows");
    table_push_row(L, p, row);
    if (push_field(L, "run") != LUA_TFUNCTION) {
        schema_fault(L, p, made_line(p, "table"), "table: row %d has no run", (int)row + 1);
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

static bool is_next_lazy(const struct step *s)
{
    size_t row = next_row(s);
    return row < s->page.table->rows && s->page.table->row[row].lazy;
}

/* A row; of those that play nothing all that follow each other. */
static int fill_job(lua_State *L)
{
    struct player *p = lua_touserdata(L, 1);
    struct step *s = step_now(p);
    made_push(L, p, "table", "table");
    push_field(L, "rows");
    do {
        fill_row(L, p, next_row(s));
    } while (is_next_lazy(s));
    lua_pop(L, 2);
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
    struct world *mine = table_begin(p);
    bool good = player_job(p, PHASE_READ, fill_job, p, err);
    table_end(p, mine);
    size_t row = next_row(s); /* the one with the fault, if there is one */
    /* Marked, or the fault would come back for ever. */
    if (!good && row < s->page.table->rows) {
        for (size_t i = 1; i < s->page.table->columns; i++) {
            s->results->cell[row][i] = (struct cell){.type = LUA_TSTRING, .text = "-"};
        }
        s->results->filled[row] = true;
    }
    show_known(s);
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
    made_push(L, p, "table", "table");
    push_field(L, "rows");
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
        sandbox_charge(L, p->world[0] != NULL ? (int64_t)world_bytes_used(p->world[0]) / 64 : 0);
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
    if (p->based && !s->page.table->hidden && !p->rehearsing) { /* a task's goal asked first */
        show_known(s);
    }
    lua_createtable(L, (int)s->page.table->rows, 0);
    for (size_t i = 0; i < s->page.table->rows; i++) {
        push_cells(L, s, i);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return true;
}
