/*
 * declare: loads a lesson's file and copies what is declared in it. Runs no engine.
 */
#include "base/alloc.h"
#include "base/file.h"
#include "lesson/inside.h"
#include "lesson/schema.h"
#include <stdlib.h>
#include <string.h>

#define STEPS_MAX 200

const char lesson_key_steps, lesson_key_run, lesson_key_env, lesson_key_with;
static const char key_declared; /* registry: what lesson {} or drill {} was given */

struct player *player_of(lua_State *L)
{
    return sandbox_of(L)->host;
}

const char *source_name(const struct player *p)
{
    return p->sandbox->chunk + 1;
}

/* --- lines --- */

int source_line(const struct player *p, const char *needle, int from)
{
    const char *text = str_text(&p->source);
    int line = 1;
    for (; line < from && (text = strchr(text, '\n')) != NULL; line++) {
        text++;
    }
    const char *hit = text != NULL && *needle != '\0' ? strstr(text, needle) : NULL;
    if (hit == NULL) {
        return 0;
    }
    for (const char *at = text; at < hit; at++) {
        line += *at == '\n';
    }
    return line;
}

int source_id_line(const struct player *p, const char *id)
{
    static const char *const quotes[] = {"\"", "'"};
    for (size_t i = 0; i < 2; i++) {
        struct str quoted = STR_EMPTY;
        str_addf(&quoted, "%s%s%s", quotes[i], id, quotes[i]);
        int line = source_line(p, str_text(&quoted), 1);
        str_free(&quoted);
        if (line > 0) {
            return line;
        }
    }
    return 0;
}

/* --- lesson {} and drill {} --- */

static int declare(lua_State *L, bool drill)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    player_of(L)->drill = drill;
    lua_pushvalue(L, 1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &key_declared);
    return 1;
}

static int declare_lesson(lua_State *L)
{
    return declare(L, false);
}

static int declare_drill(lua_State *L)
{
    return declare(L, true);
}

/* --- copying --- */

static char *copy_field(lua_State *L, const char *name, const char *otherwise)
{
    const char *text = push_field(L, name) == LUA_TSTRING ? lua_tostring(L, -1) : otherwise;
    char *copy = text != NULL ? xstrdup(text) : NULL;
    lua_pop(L, 1);
    return copy;
}

static int copy_number(lua_State *L, const char *name)
{
    push_field(L, name);
    int value = (int)lua_tointeger(L, -1);
    lua_pop(L, 1);
    return value;
}

/* Whether `show` of the step's table, on top, has the picture. */
static bool shows_card(lua_State *L)
{
    bool shows = false;
    push_field(L, "show");
    for (lua_Integer i = 1; lua_istable(L, -1) && i <= (lua_Integer)lua_rawlen(L, -1); i++) {
        lua_rawgeti(L, -1, i);
        shows =
            shows || (lua_type(L, -1) == LUA_TSTRING && strcmp(lua_tostring(L, -1), "cheat") == 0);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return shows;
}

/* The step's table is on top. */
static void copy_step(lua_State *L, struct player *p, size_t index)
{
    struct step *s = &p->step[index];
    s->kind = QUESTION_NONE;
    s->page.breaks = RULE_COUNT;
    s->id = copy_field(L, "id", "");
    s->title = copy_field(L, "title", "");
    s->line = source_id_line(p, s->id);
    push_field(L, "deeper");
    s->deeper = lua_toboolean(L, -1);
    lua_pop(L, 1);
    push_field(L, "check");
    s->check = lua_toboolean(L, -1);
    lua_pop(L, 1);
    s->has_enter = has_field(L, "enter");
    s->has_experiment = has_field(L, "experiment");
    s->has_run = has_field(L, "run") || s->has_experiment;
    s->has_grids = has_field(L, "grids");
    s->has_placing = has_field(L, "placing");
    s->has_table = has_field(L, "table");
    s->has_heat = has_field(L, "heat");
    s->shows_card = shows_card(L);
    s->has_worksheet = has_field(L, "worksheet");
    s->has_workers = has_field(L, "workers");
    s->has_vectors = has_field(L, "vectors");
    s->has_when = has_field(L, "when");
    s->page.visiting = "";
    if (push_field(L, "predict") == LUA_TTABLE) {
        push_field(L, "kind");
        s->kind = schema_kind(lua_tostring(L, -1));
        lua_pop(L, 1);
        push_field(L, "acts");
        s->acts = lua_toboolean(L, -1);
        s->has_run = s->has_run || s->acts;
        lua_pop(L, 1);
        s->question_id = copy_field(L, "id", "");
    }
    lua_pop(L, 1);
    if (push_field(L, "try") == LUA_TTABLE) {
        s->has_task = true;
        s->opened = copy_field(L, "opened", NULL);
        s->opened_of = copy_field(L, "of", NULL);
        push_field(L, "builds");
        s->builds = lua_toboolean(L, -1);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

static void check_unique(lua_State *L, struct player *p, size_t index)
{
    const struct step *s = &p->step[index];
    for (size_t i = 0; i < index; i++) {
        const struct step *o = &p->step[i];
        if (strcmp(o->id, s->id) == 0) {
            schema_fault(L, p, s->line, "two steps have the id '%s'", s->id);
        }
        if (s->question_id != NULL && o->question_id != NULL &&
            strcmp(o->question_id, s->question_id) == 0) {
            schema_fault(L, p, source_id_line(p, s->question_id), "two questions have the id '%s'",
                         s->question_id);
        }
    }
}

/* Whether entry `number` of the list at `list` is a step of the placement check. */
static bool is_check(lua_State *L, int list, lua_Integer number)
{
    bool check = false;
    if (lua_rawgeti(L, list, number) == LUA_TTABLE) {
        push_field(L, "check");
        check = lua_toboolean(L, -1);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return check;
}

/* The list of steps on top is replaced by one in which those of the check come last. Returns how
 * many they are. */
static size_t order_steps(lua_State *L, size_t count)
{
    int list = lua_gettop(L);
    size_t checks = 0;
    lua_Integer next = 0;
    lua_createtable(L, (int)count, 0);
    for (int last = 0; last < 2; last++) {
        for (lua_Integer i = 1; i <= (lua_Integer)count; i++) {
            if (is_check(L, list, i) == (last == 1)) {
                lua_rawgeti(L, list, i);
                lua_rawseti(L, -2, ++next);
                checks += last == 1;
            }
        }
    }
    lua_remove(L, list);
    return checks;
}

/* The table with `steps` is on top. */
static void copy_steps(lua_State *L, struct player *p)
{
    push_field(L, "steps"); /* holder, steps */
    size_t count = (size_t)lua_rawlen(L, -1);
    if (count == 0 || count > STEPS_MAX) {
        schema_fault(L, p, source_line(p, "steps", 1), "steps: 1 to %d steps, not %d", STEPS_MAX,
                     (int)count);
    }
    size_t checks = order_steps(L, count);
    p->step = xcalloc(count, sizeof *p->step);
    for (size_t i = 0; i < count; i++) {
        lua_rawgeti(L, -1, (lua_Integer)i + 1); /* holder, steps, step */
        schema_check_step(L, p, i);
        p->steps++;
        copy_step(L, p, i);
        check_unique(L, p, i);
        lua_pop(L, 1);
    }
    lua_rawsetp(L, LUA_REGISTRYINDEX, &lesson_key_steps); /* holder */
    p->checks = checks;
    p->steps -= checks;
    if (p->steps == 0 || (p->drill && checks > 0)) {
        schema_fault(L, p, source_line(p, "check", 1), "steps of the placement check come with %s",
                     p->drill ? "lessons, not with drills" : "steps of the way");
    }
}

static void check_file_name(lua_State *L, struct player *p)
{
    const char *slash = strrchr(p->path, '/');
    const char *name = slash != NULL ? slash + 1 : p->path;
    size_t length = strlen(name);
    if (length < 5 || strncmp(name, p->id, length - 4) != 0 || p->id[length - 4] != '\0') {
        schema_fault(L, p, source_id_line(p, p->id), "the id is '%s', and the file is '%s'", p->id,
                     name);
    }
}

/* Job: the chunk's own run, then the checks and copies. */
static int load_job(lua_State *L)
{
    struct player *p = lua_touserdata(L, 1);
    api_open(L);
    sandbox_add(L, "lesson", declare_lesson);
    sandbox_add(L, "drill", declare_drill);
    sandbox_push_env(L); /* job, env */
    lua_pushvalue(L, 2);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &lesson_key_env);
    sandbox_load(L, (struct bytes){str_text(&p->source), p->source.length}, p->sandbox->chunk, 2);
    lua_call(L, 0, 1); /* job, env, result */
    lua_rawgetp(L, LUA_REGISTRYINDEX, &key_declared);
    if (!lua_istable(L, 3) || !lua_rawequal(L, 3, 4)) {
        schema_fault(L, p, 1, "the file must return lesson { ... } or drill { ... }");
    }
    lua_settop(L, 3);
    schema_check_top(L, p);
    p->id = copy_field(L, "id", "");
    p->title = copy_field(L, "title", "");
    p->world_name = copy_field(L, "world", p->drill ? NULL : "story");
    p->part = copy_number(L, "part");
    p->minutes = copy_number(L, "minutes");
    check_file_name(L, p);
    if (p->drill) {
        push_field(L, "make");
        api_push_random(L);
        lua_call(L, 1, 1); /* job, env, result, made */
        schema_check_made(L, p);
        free(p->world_name);
        p->world_name = copy_field(L, "world", NULL);
    }
    copy_steps(L, p);
    if (!p->drill) {
        card_declare(L, p);
        placement_declare(L, p);
    }
    return 0;
}

struct player *lesson_declare(const char *path, uint64_t seed, struct err *err)
{
    struct player *p = xcalloc(1, sizeof *p);
    p->path = xstrdup(path);
    p->seed = seed;
    p->call = 1;
    p->pass_max = UINT64_MAX;
    p->drill_random = prng_seeded(seed, "drill");
    p->sandbox = sandbox_new(path, seed);
    p->sandbox->host = p;
    p->sandbox->name = api_name;
    bool good = file_read(path, SANDBOX_SOURCE_MAX, &p->source, err) &&
                call_job(p->sandbox, load_job, p, err);
    owners_forget(p);
    if (!good) {
        lesson_undeclare(p);
        return NULL;
    }
    return p;
}

static void free_grids(struct page *page)
{
    for (size_t i = 0; i < PAGE_GRIDS_MAX; i++) {
        free(page->grid[i]);
    }
}

void lesson_undeclare(struct player *p)
{
    if (p == NULL) {
        return;
    }
    sandbox_free(p->sandbox);
    for (size_t i = 0; i < p->steps + p->checks; i++) {
        struct step *s = &p->step[i];
        free(s->id);
        free(s->title);
        free(s->question_id);
        free(s->opened);
        free(s->opened_of);
        world_free(s->entry);
        texts_free(&s->kept);
        texts_free(&s->kept_answer);
        texts_free(&s->kept_after);
        placing_free(s);
        free(s->page.experiment);
        table_free(s);
        free_grids(&s->page);
    }
    free(p->step);
    free(p->path);
    free(p->id);
    free(p->title);
    free(p->world_name);
    str_free(&p->source);
    str_free(&p->text);
    str_free(&p->code);
    owners_forget(p);
    searches_free(p->searches);
    vector_store_free(p->vectors);
    shelf_free(&p->shelf);
    shelf_free(&p->kept);
    free(p);
}
