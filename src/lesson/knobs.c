/*
 * knobs: what a page lets the learner turn. A knob has a list of values and is at one of them; all
 * that the page says and shows is made anew when one is turned.
 */
#include "lesson/api.h"
#include <stdio.h>
#include <string.h>

static const char *const names[] = {KNOB_NAMES};

/* The list of knobs, of the step's table on top; false (and nothing pushed) without one. */
static bool push_knobs(lua_State *L)
{
    if (push_field(L, "knobs") == LUA_TTABLE) {
        return true;
    }
    lua_pop(L, 1);
    return false;
}

static size_t knobs_count(lua_State *L)
{
    size_t count = (size_t)lua_rawlen(L, -1);
    return count < PAGE_KNOBS_MAX ? count : PAGE_KNOBS_MAX;
}

void knobs_say_value(lua_State *L, struct str *out)
{
    if (lua_isinteger(L, -1)) {
        str_addf(out, "%lld", (long long)lua_tointeger(L, -1));
    } else if (lua_type(L, -1) == LUA_TNUMBER) {
        str_addf(out, "%.10g", lua_tonumber(L, -1));
    } else {
        str_add(out, lua_tostring(L, -1));
    }
}

/* Where `start` is among the values; the knob's table is on top. */
static size_t first_value(lua_State *L)
{
    size_t at = 0;
    push_field(L, "start"); /* knob, start */
    lua_pushvalue(L, -2);
    push_field(L, "values");
    lua_remove(L, -2); /* knob, start, values */
    size_t count = (size_t)lua_rawlen(L, -1);
    for (size_t i = 0; i < count; i++) {
        lua_rawgeti(L, -1, (lua_Integer)i + 1);
        at = lua_rawequal(L, -1, -3) ? i : at;
        lua_pop(L, 1);
    }
    lua_pop(L, 2);
    return at;
}

int knobs_start(lua_State *L)
{
    struct player *p = lua_touserdata(L, 1);
    struct step *s = step_now(p);
    memset(s->knob, 0, sizeof s->knob);
    push_step(L, p->current);
    if (push_knobs(L)) {
        for (size_t i = 0; i < knobs_count(L); i++) {
            lua_rawgeti(L, -1, (lua_Integer)i + 1);
            s->knob[i] = first_value(L);
            lua_pop(L, 1);
        }
    }
    return 0;
}

/* The knob's table is on top. */
static void build_knob(lua_State *L, struct player *p, struct page_knob *knob, size_t at)
{
    struct texts *kept = &step_now(p)->kept;
    struct str text = STR_EMPTY;
    struct str all = STR_EMPTY;
    push_field(L, "name");
    knob->name = texts_keep(kept, lua_tostring(L, -1));
    lua_pop(L, 1);
    knob->label =
        push_field(L, "label") == LUA_TSTRING ? texts_keep(kept, lua_tostring(L, -1)) : knob->name;
    lua_pop(L, 1);
    push_field(L, "values");
    knob->count = (size_t)lua_rawlen(L, -1);
    knob->at = at < knob->count ? at : 0;
    knob->value = "";
    for (size_t i = 0; i < knob->count; i++) {
        lua_rawgeti(L, -1, (lua_Integer)i + 1);
        str_clear(&text);
        knobs_say_value(L, &text);
        lua_pop(L, 1);
        str_addf(&all, "%s%s", i > 0 ? " " : "", str_text(&text));
        if (i == knob->at) {
            knob->value = texts_keep(kept, str_text(&text));
        }
    }
    knob->values = texts_keep(kept, str_text(&all));
    lua_pop(L, 1);
    str_free(&all);
    str_free(&text);
}

void knobs_build(lua_State *L, struct player *p)
{
    struct step *s = step_now(p);
    s->page.knobs = 0;
    if (!push_knobs(L)) {
        return;
    }
    size_t count = knobs_count(L);
    for (size_t i = 0; i < count; i++) {
        lua_rawgeti(L, -1, (lua_Integer)i + 1);
        build_knob(L, p, &s->page.knob[s->page.knobs++], s->knob[i]);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

static int read_value(lua_State *L)
{
    luaL_checkudata(L, 1, "knob");
    lua_settop(L, 2);
    lua_getiuservalue(L, 1, 1);
    lua_insert(L, 2);
    lua_rawget(L, 2); /* nil where there is no such knob */
    return 1;
}

static int refuse_value(lua_State *L)
{
    sandbox_raise(L, "'knob.%s' cannot be set: knobs are turned by the learner",
                  lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "?");
}

void knobs_open(lua_State *L)
{
    api_metatable(L, "knob", NULL, read_value);
    luaL_getmetatable(L, "knob");
    lua_pushcfunction(L, refuse_value);
    lua_setfield(L, -2, "__newindex");
    lua_pop(L, 1);
}

/* The table of values on top becomes what scripts see: to be read, and turned by the learner only.
 */
static void seal(lua_State *L)
{
    lua_newuserdatauv(L, 1, 1);
    lua_insert(L, -2);
    lua_setiuservalue(L, -2, 1);
    luaL_setmetatable(L, "knob");
}

bool knobs_push(lua_State *L, struct player *p)
{
    const struct step *s = step_now(p);
    push_step(L, p->current); /* step */
    if (!push_knobs(L)) {
        lua_pop(L, 1);
        return false;
    }
    size_t count = knobs_count(L);
    lua_newtable(L); /* step, knobs, out */
    for (size_t i = 0; i < count; i++) {
        lua_rawgeti(L, -2, (lua_Integer)i + 1); /* step, knobs, out, knob */
        push_field(L, "values");
        lua_rawgeti(L, -1, (lua_Integer)s->knob[i] + 1); /* ..., knob, values, value */
        lua_replace(L, -2);
        lua_pushvalue(L, -2);
        push_field(L, "name"); /* ..., out, knob, value, knob, name */
        lua_replace(L, -2);
        lua_insert(L, -2);
        lua_rawset(L, -4);
        lua_pop(L, 1);
    }
    lua_insert(L, -3);
    lua_pop(L, 2);
    seal(L);
    return true;
}

/* --- turning --- */

bool page_again(struct player *p, struct err *err)
{
    struct step *s = step_now(p);
    foreseen_forget(p);
    bool told = s->run_done && (s->kind == QUESTION_NONE || s->page.question.judged);
    struct page before = s->page;
    struct texts kept = s->kept;
    s->kept = (struct texts){0};
    bool good = player_job(p, PHASE_READ, page_build, p, err) && placing_build(p, err) &&
                (!told || player_job(p, PHASE_READ, page_after, p, err));
    if (!good) {
        texts_free(&s->kept);
        s->kept = kept;
        before.placings = s->page.placings;
        s->page = before;
        return false;
    }
    texts_free(&kept);
    return true;
}

static const char *known_name(const char *name)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(names[i], name) == 0) {
            return names[i];
        }
    }
    return NULL;
}

/* Which of a knob's values this is; false when it is none. */
static bool find_value(const struct page_knob *knob, const char *value, size_t *at)
{
    const char *text = knob->values;
    size_t length = strlen(value);
    for (*at = 0; length > 0 && *at < knob->count; (*at)++) {
        size_t word = strcspn(text, " ");
        if (word == length && strncmp(text, value, length) == 0) {
            return true;
        }
        text += word + (text[word] == ' ');
    }
    return false;
}

bool player_knob_find(const struct player *p, const char *name, const char *value, size_t *knob,
                      size_t *at, struct err *err)
{
    const struct page *page = player_page(p);
    for (*knob = 0; *knob < page->knobs; (*knob)++) {
        const struct page_knob *k = &page->knob[*knob];
        if (strcmp(k->name, name) == 0) {
            return find_value(k, value, at) ||
                   err_set(err, "%s: '%.40s' is none of %s", name, value, k->values);
        }
    }
    return err_set(err,
                   known_name(name) != NULL ? "there is no knob '%.40s' on this step"
                                            : "no knob is called '%.40s'",
                   name);
}

bool player_knob_line(const struct player *p, const char *line, char name[KNOB_WORD_MAX],
                      char value[KNOB_WORD_MAX])
{
    const struct page *page = player_page(p);
    line += str_starts(line, "knob ") ? strlen("knob ") : 0;
    if (sscanf(line, "%31s %31s", name, value) != 2) {
        return false;
    }
    for (size_t i = 0; i < page->knobs; i++) {
        const struct page_knob *knob = &page->knob[i];
        size_t at;
        if (strcmp(knob->name, name) == 0) {
            return true;
        }
        /* A label may be the first word of a command as well: only with a value it is the knob. */
        if (strcmp(knob->label, name) == 0 && find_value(knob, value, &at)) {
            snprintf(name, KNOB_WORD_MAX, "%s", knob->name);
            return true;
        }
    }
    return false;
}
