/*
 * placing: the changes of placement that a step shows: what its `placing` function gives, tried on
 * the keys once, and how long lookups take here.
 */
#include "base/alloc.h"
#include "lesson/inside.h"
#include "lesson/schema.h"
#include <stdlib.h>

#define TRIED_UNITS 4 /* a key's share of what a trial counts */
#define PLACING_COPIES_MAX 9
#define MEASURE_US 1000    /* at least so long is measured */
#define MEASURE_ROUNDS 200 /* at most */

void placing_free(struct step *s)
{
    for (size_t i = 0; i < PAGE_PLACINGS_MAX; i++) {
        trial_free(s->trial[i]); /* before the keys that it borrows */
        s->trial[i] = NULL;
    }
    s->page.placings = 0;
    shelf_free(&s->shelf);
    texts_free(&s->kept_placing);
}

void placing_reveal(struct step *s)
{
    for (size_t i = 0; i < s->page.placings; i++) {
        s->page.placing[i].hidden = false;
    }
}

static int placing_line(const struct player *p)
{
    int from = p->step[p->current].line, line = source_line(p, "placing", from);
    return line > 0 ? line : from;
}

static const char *keep_text(lua_State *L, struct player *p, const char *name)
{
    int type = push_field(L, name);
    if (type != LUA_TNIL && type != LUA_TSTRING) {
        schema_fault(L, p, placing_line(p), "a placing's '%s' is a %s, not a text", name,
                     lua_typename(L, type));
    }
    const char *text = "";
    if (type == LUA_TSTRING) {
        fill_text(L, p, lua_tostring(L, -1), name);
        text = texts_keep(&step_now(p)->kept_placing, str_text(&p->text));
    }
    lua_pop(L, 1);
    return text;
}

/* Field `name`, or `otherwise` when it may be absent. */
static const struct layout *keep_layout(lua_State *L, struct player *p, const char *name,
                                        const struct layout *otherwise)
{
    int type = push_field(L, name);
    const struct layout *layout = otherwise;
    if (type != LUA_TNIL || otherwise == NULL) {
        if (luaL_testudata(L, -1, "layout") == NULL) {
            schema_fault(L, p, placing_line(p), "a placing's '%s' is a %s, not a layout", name,
                         luaL_typename(L, -1));
        }
        layout = api_layout(L, -1);
    }
    lua_pop(L, 1);
    return layout;
}

/* The table of one placing is on top. */
static void add_placing(lua_State *L, struct player *p)
{
    struct step *s = step_now(p);
    struct page_placing *placing = &s->page.placing[s->page.placings];
    *placing = (struct page_placing){.title = keep_text(L, p, "title"),
                                     .lookup = keep_text(L, p, "lookup"),
                                     .asked = keep_text(L, p, "asked"),
                                     .zones = keep_text(L, p, "zones")};
    push_field(L, "copies");
    lua_Integer copies = lua_tointeger(L, -1);
    placing->copies = copies > 0 && copies <= PLACING_COPIES_MAX ? (uint32_t)copies : 0;
    lua_pop(L, 1);
    const struct layout *before = keep_layout(L, p, "before", NULL);
    const struct layout *after = keep_layout(L, p, "after", before);
    push_field(L, "keys");
    struct keyset *keys = api_keys(L, lua_gettop(L));
    lua_pop(L, 1);
    size_t count = keyset_count(keys);
    sandbox_charge(L, api_lookup_units(before, count) + api_lookup_units(after, count) +
                          TRIED_UNITS * (int64_t)count);
    int64_t since = sandbox_clock();
    struct trial *trial = trial_new(keys, layout_copy(before), layout_copy(after));
    sandbox_forgive(L, since);
    s->trial[s->page.placings++] = trial;
    placing->trial = trial;
    placing->hidden = s->kind != QUESTION_NONE && !s->page.question.judged;
}

static int placing_job(lua_State *L)
{
    struct player *p = lua_touserdata(L, 1);
    push_step(L, p->current);
    push_field(L, "placing");
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
        schema_fault(L, p, placing_line(p), "'placing' gives a %s, not a list of placings",
                     luaL_typename(L, -1));
    }
    size_t given = (size_t)lua_rawlen(L, -1);
    if (given > PAGE_PLACINGS_MAX) {
        schema_fault(L, p, placing_line(p), "at most %d placings, not %d", PAGE_PLACINGS_MAX,
                     (int)given);
    }
    for (size_t i = 0; i < given; i++) {
        if (lua_rawgeti(L, -1, (lua_Integer)i + 1) != LUA_TTABLE) {
            schema_fault(L, p, placing_line(p), "placing %d is a %s: it needs before and keys",
                         (int)i + 1, luaL_typename(L, -1));
        }
        add_placing(L, p);
        lua_pop(L, 1);
    }
    /* What the trials borrow lives on with them. */
    step_now(p)->shelf = p->shelf;
    p->shelf = (struct shelf){0};
    return 0;
}

bool placing_build(struct player *p, struct err *err)
{
    struct step *s = step_now(p);
    placing_free(s);
    if (s->has_placing && !player_job(p, PHASE_READ, placing_job, p, err)) {
        placing_free(s);
        return false;
    }
    return true;
}

/* --- measuring --- */

static double lookup_ns(const struct trial *t, uint32_t *owner)
{
    int64_t from = sandbox_clock(), spent = 0;
    int rounds = 0;
    while (spent < MEASURE_US && rounds < MEASURE_ROUNDS) {
        layout_owners(t->after, t->keys, owner);
        spent = sandbox_clock() - from;
        rounds++;
    }
    return (double)spent * 1000 / (double)rounds / (double)keyset_count(t->keys);
}

static double build_us(const struct trial *t)
{
    struct err err;
    int64_t from = sandbox_clock(), spent = 0;
    int rounds = 0;
    while (spent < MEASURE_US && rounds < MEASURE_ROUNDS) {
        layout_free(layout_new(layout_scheme(t->after), layout_params_of(t->after),
                               layout_shards(t->after), &err));
        spent = sandbox_clock() - from;
        rounds++;
    }
    return (double)spent / (double)rounds;
}

void player_measure(struct player *p)
{
    struct page *page = page_now(p);
    for (size_t i = 0; i < page->placings; i++) {
        struct page_placing *placing = &page->placing[i];
        size_t keys = keyset_count(placing->trial->keys);
        if (placing->lookup_ns > 0 || keys == 0) {
            continue;
        }
        uint32_t *owner = xcalloc(keys, sizeof *owner);
        placing->lookup_ns = lookup_ns(placing->trial, owner);
        placing->build_us = build_us(placing->trial);
        free(owner);
    }
}
