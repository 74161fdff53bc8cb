/*
 * page: fills in what a step shows. Jobs over the declared step.
 */
#include "base/alloc.h"
#include "base/num.h"
#include "lesson/inside.h"
#include "lesson/schema.h"
#include "place/layout.h"
#include <stdlib.h>
#include <string.h>

struct page *page_now(struct player *p)
{
    return &p->step[p->current].page;
}

struct step *step_now(struct player *p)
{
    return &p->step[p->current];
}

/* Field `name` of the table on top, a list of texts, kept; returns how many. */
static size_t keep_list(lua_State *L, struct player *p, const char *name, const char **out,
                        size_t max)
{
    size_t count = 0;
    if (push_field(L, name) == LUA_TTABLE) {
        size_t given = (size_t)lua_rawlen(L, -1);
        for (size_t i = 1; i <= given && count < max; i++) {
            lua_rawgeti(L, -1, (lua_Integer)i);
            fill_text(L, p, lua_tostring(L, -1), name);
            out[count++] = texts_keep(&step_now(p)->kept, str_text(&p->text));
            lua_pop(L, 1);
        }
    }
    lua_pop(L, 1);
    return count;
}

static void build_shows(lua_State *L, struct player *p)
{
    struct page *page = page_now(p);
    page->shows = 0;
    push_field(L, "show");
    size_t given = lua_istable(L, -1) ? (size_t)lua_rawlen(L, -1) : 0;
    for (size_t i = 1; i <= given && page->shows < PAGE_SHOWS_MAX; i++) {
        lua_rawgeti(L, -1, (lua_Integer)i);
        const char *text = lua_tostring(L, -1);
        size_t colon = strcspn(text, ":");
        struct page_show *show = &page->show[page->shows++];
        show->argument = texts_keep(&step_now(p)->kept, text[colon] == ':' ? text + colon + 1 : "");
        lua_pushlstring(L, text, colon);
        show->view = texts_keep(&step_now(p)->kept, lua_tostring(L, -1));
        lua_pop(L, 2);
    }
    lua_pop(L, 1);
}

static void build_actions(lua_State *L, struct player *p)
{
    struct page *page = page_now(p);
    page->actions = 0;
    push_field(L, "actions");
    size_t given = lua_istable(L, -1) ? (size_t)lua_rawlen(L, -1) : 0;
    for (size_t i = 1; i <= given && page->actions < PAGE_ACTIONS_MAX; i++) {
        lua_rawgeti(L, -1, (lua_Integer)i);
        if (schema_action(lua_tostring(L, -1), &page->action[page->actions])) {
            page->actions++;
        }
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    page->breaks = RULE_COUNT;
    if (push_field(L, "breaks") == LUA_TSTRING) {
        rule_by_name(lua_tostring(L, -1), &page->breaks);
    }
    lua_pop(L, 1);
}

static void build_choices(lua_State *L, struct player *p, struct page_question *q)
{
    q->choices = 0;
    choices_make(L, p);
    choices_push(L, p);
    size_t given = lua_istable(L, -1) ? (size_t)lua_rawlen(L, -1) : 0;
    for (size_t i = 1; i <= given; i++) {
        lua_rawgeti(L, -1, (lua_Integer)i);
        lua_rawgeti(L, -1, 1);
        fill_text(L, p, lua_tostring(L, -1), "choices");
        q->choice[q->choices++].text = texts_keep(&step_now(p)->kept, str_text(&p->text));
        lua_pop(L, 2);
    }
    lua_pop(L, 1);
}

/* Choices that are others than when it was answered, since the path to here was another: it is open
 * again. */
static void reopen_if_others(struct step *s)
{
    struct page_question *q = &s->page.question;
    struct digest menu = digest_start();
    for (size_t i = 0; i < q->choices; i++) {
        digest_bytes(&menu, q->choice[i].text, strlen(q->choice[i].text) + 1);
    }
    bool others = memcmp(&menu, &s->menu, sizeof menu) != 0;
    s->menu = menu;
    if (others && s->acts && q->state != QUESTION_OPEN) {
        q->state = QUESTION_OPEN;
        q->judged = q->right = false;
        q->hints_shown = 0;
        s->run_done = s->page.replays = false;
    }
}

/* An answer given earlier, before a step back, stays. */
static void build_question(lua_State *L, struct player *p)
{
    struct step *s = step_now(p);
    struct page_question *q = &s->page.question;
    q->kind = s->kind;
    if (s->kind == QUESTION_NONE) {
        q->id = q->ask = q->unit = q->answer = q->truth = q->feedback = q->belief = "";
        return;
    }
    push_field(L, "predict");
    q->id = s->question_id;
    q->ask = keep_field(L, p, &s->kept, "ask");
    q->unit = keep_field(L, p, &s->kept, "unit");
    q->hints = keep_list(L, p, "hints", q->hint, PAGE_HINTS_MAX);
    if (s->kind == QUESTION_EXPLAIN) {
        explain_points(L, p, &s->kept);
    } else {
        build_choices(L, p, q);
        reopen_if_others(s);
    }
    if (q->state == QUESTION_OPEN) {
        q->answer = q->truth = q->feedback = q->belief = "";
    }
    lua_pop(L, 1);
}

static void build_task(lua_State *L, struct player *p)
{
    struct step *s = step_now(p);
    struct page *page = &s->page;
    page->task = "";
    if (push_field(L, "try") == LUA_TTABLE) {
        page->task = keep_field(L, p, &s->kept, "ask");
        page->task_hints = keep_list(L, p, "hints", page->task_hint, PAGE_HINTS_MAX);
    }
    lua_pop(L, 1);
}

/* --- grids --- */

static int grids_line(const struct player *p)
{
    int from = p->step[p->current].line, line = source_line(p, "grids", from);
    return line > 0 ? line : from;
}

static const struct layout *grid_layout(lua_State *L, struct player *p, const char *name)
{
    push_field(L, name);
    if (luaL_testudata(L, -1, "layout") == NULL) {
        schema_fault(L, p, grids_line(p), "a grid's '%s' is a %s, not a layout", name,
                     luaL_typename(L, -1));
    }
    const struct layout *layout = api_layout(L, -1);
    lua_pop(L, 1);
    return layout;
}

static void grid_key(lua_State *L, struct player *p, size_t number)
{
    if (!lua_isstring(L, -1)) {
        schema_fault(L, p, grids_line(p), "key %d of a grid is a %s, not a text", (int)number,
                     luaL_typename(L, -1));
    }
}

/* A list of keys, or a table of texts. */
static struct keyset *grid_keys(lua_State *L, struct player *p)
{
    int type = push_field(L, "keys");
    for (size_t i = 1; type == LUA_TTABLE && i <= (size_t)lua_rawlen(L, -1); i++) {
        lua_rawgeti(L, -1, (lua_Integer)i);
        grid_key(L, p, i);
        lua_pop(L, 1);
    }
    struct keyset *keys = type == LUA_TNIL ? NULL : api_keys(L, lua_gettop(L));
    if (keys == NULL || keyset_count(keys) > PAGE_GRID_KEYS_MAX) {
        schema_fault(L, p, grids_line(p), "a grid needs 'keys', a list of at most %d texts",
                     PAGE_GRID_KEYS_MAX);
    }
    lua_pop(L, 1);
    return keys;
}

static void fill_grid(lua_State *L, struct player *p, struct page_grid *g)
{
    int title = push_field(L, "title");
    if (title != LUA_TNIL && title != LUA_TSTRING) {
        schema_fault(L, p, grids_line(p), "a grid's 'title' is a %s, not a text",
                     lua_typename(L, title));
    }
    fill_text(L, p, title == LUA_TSTRING ? lua_tostring(L, -1) : "", "title");
    g->title = texts_keep(&step_now(p)->kept, str_text(&p->text));
    lua_pop(L, 1);
    const struct layout *before = grid_layout(L, p, "before");
    const struct layout *after = grid_layout(L, p, "after");
    g->shards_before = layout_shards(before);
    g->shards_after = layout_shards(after);
    struct keyset *keys = grid_keys(L, p);
    g->keys = keyset_count(keys);
    g->moved = 0;
    sandbox_charge(L, api_lookup_units(before, g->keys) + api_lookup_units(after, g->keys));
    for (size_t i = 0; i < g->keys; i++) {
        struct bytes key = keyset_key(keys, i);
        g->before[i] = (uint16_t)layout_owner(before, key);
        g->after[i] = (uint16_t)layout_owner(after, key);
        g->moved += g->before[i] != g->after[i];
    }
}

static void build_grids(lua_State *L, struct player *p)
{
    struct step *s = step_now(p);
    s->page.grids = 0;
    if (!s->has_grids) {
        return;
    }
    push_field(L, "grids");
    if (p->world[0] != NULL) {
        api_push_world(L, 0);
    } else {
        lua_pushnil(L);
    }
    lua_call(L, 1, 1);
    if (!lua_istable(L, -1)) {
        schema_fault(L, p, grids_line(p), "'grids' gives a %s, not a list of grids",
                     luaL_typename(L, -1));
    }
    size_t given = (size_t)lua_rawlen(L, -1);
    if (given > PAGE_GRIDS_MAX) {
        schema_fault(L, p, grids_line(p), "at most %d grids, not %d", PAGE_GRIDS_MAX, (int)given);
    }
    for (size_t i = 0; i < given; i++) {
        if (lua_rawgeti(L, -1, (lua_Integer)i + 1) != LUA_TTABLE) {
            schema_fault(L, p, grids_line(p), "grid %d is a %s: it needs before, after and keys",
                         (int)i + 1, luaL_typename(L, -1));
        }
        if (s->page.grid[i] == NULL) {
            s->page.grid[i] = xcalloc(1, sizeof *s->page.grid[i]);
        }
        fill_grid(L, p, s->page.grid[i]);
        s->page.grid[i]->hidden = s->kind != QUESTION_NONE && !s->page.question.judged;
        s->page.grids++;
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

/* The step's names for expressions. */
static void bind_with(lua_State *L)
{
    push_field(L, "with");
    lua_rawsetp(L, LUA_REGISTRYINDEX, &lesson_key_with);
}

int page_build(lua_State *L)
{
    struct player *p = lua_touserdata(L, 1);
    struct step *s = step_now(p);
    struct page *page = &s->page;
    push_step(L, p->current);
    bind_with(L);
    page->lesson_id = p->id;
    page->lesson_title = p->title;
    page->part = p->part;
    page->minutes = p->minutes;
    page->step_id = s->id;
    page->step_title = keep_field(L, p, &s->kept, "title");
    page->step = s->check ? p->current - p->steps : p->current;
    page->steps = s->check ? p->checks : p->steps;
    page->last = p->current + 1 == p->steps;
    page->check = s->check;
    page->can_place = p->current == 0 && p->checks > 0;
    page->deeper = s->deeper;
    page->drill = p->drill;
    page->after = "";
    page->say = keep_field(L, p, &s->kept, "say");
    page->notes = keep_field(L, p, &s->kept, "notes");
    build_shows(L, p);
    build_actions(L, p);
    protocol_build(L, p);
    build_question(L, p);
    build_task(L, p);
    build_grids(L, p);
    knobs_build(L, p);
    experiment_build(L, p);
    texts_free(&s->kept_table);
    table_build(L, p);
    heat_build(L, p);
    worksheet_build(L, p);
    workers_build(L, p);
    vectors_build(L, p);
    page->key = s->key;
    page->router = s->router;
    return 0;
}

int page_after(lua_State *L)
{
    struct player *p = lua_touserdata(L, 1);
    struct step *s = step_now(p);
    push_step(L, p->current);
    bind_with(L);
    s->page.after = "";
    texts_free(&s->kept_after);
    table_reveal(p); /* `after` may tell of its figures */
    heat_build(L, p);
    worksheet_build(L, p);
    workers_build(L, p);
    vectors_build(L, p);
    s->page.after = keep_field(L, p, &s->kept_after, "after");
    for (size_t i = 0; i < s->page.grids; i++) {
        s->page.grid[i]->hidden = false;
    }
    placing_reveal(s);
    return 0;
}
