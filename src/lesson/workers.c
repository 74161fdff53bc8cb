/*
 * workers: the deals of a step: what its `workers` function gives, copied into the page.
 */
#include "base/alloc.h"
#include "lesson/deal.h"
#include "lesson/table_parts.h"

void workers_build(lua_State *L, struct player *p)
{
    struct step *s = step_now(p);
    if (!s->has_workers) {
        return;
    }
    if (s->page.workers == NULL) {
        s->page.workers = xcalloc(1, sizeof *s->page.workers);
    }
    struct page_workers *w = s->page.workers;
    w->deals = 0;
    made_push(L, p, "workers", "table with deals");
    w->title = made_text(L, p, "workers", "title", "");
    w->unit = made_text(L, p, "workers", "unit", "");
    w->hidden = s->kind != QUESTION_NONE && !s->page.question.judged;
    size_t count = made_list(L, p, "workers", "deals", PAGE_DEALS_MAX);
    for (size_t i = 0; i < count; i++) {
        if (lua_rawgeti(L, -1, (lua_Integer)i + 1) != LUA_TTABLE) {
            schema_fault(L, p, made_line(p, "workers"),
                         "workers: entry %d of 'deals' is a %s: it needs label and deal",
                         (int)i + 1, luaL_typename(L, -1));
        }
        w->deal[i].label = made_text(L, p, "workers", "label", NULL);
        push_field(L, "deal");
        const struct deal *deal = deal_test(L, -1);
        if (deal == NULL) {
            schema_fault(L, p, made_line(p, "workers"),
                         "workers: the 'deal' of entry %d is a %s; make one with deal(costs, ...)",
                         (int)i + 1, luaL_typename(L, -1));
        }
        w->deal[i].deal = *deal;
        lua_pop(L, 2);
    }
    w->deals = count;
    lua_pop(L, 2);
}
