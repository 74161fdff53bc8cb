/*
 * heat: the heat map of a step: how much each group of keys was asked for in each piece of time.
 */
#include "base/alloc.h"
#include "lesson/table_parts.h"
#include <math.h>

static void read_values(lua_State *L, struct player *p, double value[][PAGE_HEAT_COLUMNS_MAX])
{
    struct page_heat *h = step_now(p)->page.heat;
    h->rows = made_list(L, p, "heat", "values", PAGE_HEAT_ROWS_MAX);
    for (size_t i = 0; i < h->rows; i++) {
        size_t columns =
            lua_rawgeti(L, -1, (lua_Integer)i + 1) == LUA_TTABLE ? (size_t)lua_rawlen(L, -1) : 0;
        h->columns = i == 0 ? columns : h->columns;
        if (columns < 1 || columns > PAGE_HEAT_COLUMNS_MAX || columns != h->columns) {
            schema_fault(L, p, made_line(p, "heat"),
                         "heat: row %d has %d values; each has as many, 1 to %d", (int)i + 1,
                         (int)columns, PAGE_HEAT_COLUMNS_MAX);
        }
        for (size_t k = 0; k < columns; k++) {
            lua_rawgeti(L, -1, (lua_Integer)k + 1);
            value[i][k] = lua_tonumber(L, -1);
            if (lua_type(L, -1) != LUA_TNUMBER || !(value[i][k] >= 0 && isfinite(value[i][k]))) {
                schema_fault(L, p, made_line(p, "heat"),
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
    made_push(L, p, "heat", "table with values");
    h->title = made_text(L, p, "heat", "title", "");
    h->rows_are = made_text(L, p, "heat", "rows_are", "");
    h->columns_are = made_text(L, p, "heat", "columns_are", "");
    h->first_row = made_text(L, p, "heat", "first_row", "");
    h->last_row = made_text(L, p, "heat", "last_row", "");
    h->first_column = made_text(L, p, "heat", "first_column", "");
    h->last_column = made_text(L, p, "heat", "last_column", "");
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
        if (v > 0 && h->value[i / h->columns][i % h->columns] == 0) {
            h->value[i / h->columns][i % h->columns] = 1; /* little is not nothing */
        }
    }
    lua_pop(L, 2);
}
