/*
 * card: a lesson's card, blocks of lines that can be printed. Its function is called once, when the
 * first page shows the card or somebody asks for it, with the lesson's world as it begins: so its
 * numbers hang on no answer.
 */
#include "base/alloc.h"
#include "lesson/inside.h"
#include "lesson/schema.h"
#include "lesson/table_parts.h"
#include "story/story.h"
#include <stdlib.h>
#include <string.h>

#define BLOCKS_MAX 24
#define LINES_MAX 200 /* of all blocks */

static const char key_card;

struct card {
    struct texts kept;
    struct block block[BLOCKS_MAX];
    const char *line[LINES_MAX];
    size_t lines;
    struct page_card page;
};

void card_free(struct card *card)
{
    if (card != NULL) {
        texts_free(&card->kept);
        free(card);
    }
}

/* --- what is declared: the lesson's own table is on top --- */

void card_declare(lua_State *L, struct player *p)
{
    p->has_card = push_field(L, "card") == LUA_TFUNCTION;
    lua_rawsetp(L, LUA_REGISTRYINDEX, &key_card);
}

static int card_line(const struct player *p)
{
    int line = source_line(p, "card", 1);
    return line > 0 ? line : 1;
}

/* --- what it gives --- */

/* The text on top, filled in; backticks only kept braces as they are. */
static const char *keep_text(lua_State *L, struct player *p, struct card *card, const char *what)
{
    if (lua_type(L, -1) != LUA_TSTRING) {
        schema_fault(L, p, card_line(p), "card: %s is a %s, not a text", what,
                     luaL_typename(L, -1));
    }
    fill_text(L, p, lua_tostring(L, -1), "card");
    size_t to = 0;
    for (size_t i = 0; i < p->text.length; i++) {
        if (p->text.text[i] != '`') {
            p->text.text[to++] = p->text.text[i];
        }
    }
    if (p->text.text != NULL) {
        p->text.text[to] = '\0';
        p->text.length = to;
    }
    if (strpbrk(str_text(&p->text), "\n\t") != NULL) {
        schema_fault(L, p, card_line(p), "card: %s is one line, and this has more: \"%.40s\"", what,
                     str_text(&p->text));
    }
    return texts_keep(&card->kept, str_text(&p->text));
}

/* The list `name` of the table on top stays there; how many it has. */
static size_t list_of(lua_State *L, struct player *p, const char *name, size_t max)
{
    int type = push_field(L, name);
    size_t count = type == LUA_TTABLE ? (size_t)lua_rawlen(L, -1) : 0;
    if (count < 1 || count > max) {
        schema_fault(L, p, card_line(p), "card: '%s' is a list of 1 to %d lines", name, (int)max);
    }
    return count;
}

static void read_block(lua_State *L, struct player *p, struct card *card, size_t at)
{
    if (lua_type(L, -1) != LUA_TTABLE) {
        schema_fault(L, p, card_line(p), "card: block %d is a %s: it needs title and lines",
                     (int)at + 1, luaL_typename(L, -1));
    }
    push_field(L, "title");
    card->block[at].title = keep_text(L, p, card, "a block's title");
    lua_pop(L, 1);
    size_t lines = list_of(L, p, "lines", LINES_MAX - card->lines);
    card->block[at].line = &card->line[card->lines];
    card->block[at].lines = lines;
    for (size_t i = 0; i < lines; i++) {
        lua_rawgeti(L, -1, (lua_Integer)i + 1);
        card->line[card->lines++] = keep_text(L, p, card, "a line");
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

static int card_job(lua_State *L)
{
    struct player *p = lua_touserdata(L, 1);
    struct card *card = p->card;
    lua_rawgetp(L, LUA_REGISTRYINDEX, &key_card);
    if (p->world[0] != NULL) {
        api_push_world(L, 0);
    } else {
        lua_pushnil(L);
    }
    lua_call(L, 1, 1);
    size_t blocks = lua_istable(L, -1) ? (size_t)lua_rawlen(L, -1) : 0;
    if (blocks < 1 || blocks > BLOCKS_MAX) {
        schema_fault(L, p, card_line(p), "card: the function gives a list of 1 to %d blocks",
                     BLOCKS_MAX);
    }
    for (size_t i = 0; i < blocks; i++) {
        lua_rawgeti(L, -1, (lua_Integer)i + 1);
        read_block(L, p, card, i);
        lua_pop(L, 1);
    }
    card->page = (struct page_card){card->block, blocks};
    return 0;
}

const struct page_card *player_card(struct player *p, struct err *err)
{
    if (!p->has_card) {
        err_set(err, "%s has no card; a lesson declares one with card = function(w) ... end",
                p->id);
        return NULL;
    }
    if (p->card != NULL) {
        return &p->card->page;
    }
    struct world *mine = p->world[0];
    p->card = xcalloc(1, sizeof *p->card);
    if (mine != NULL) {
        p->world[0] = story_world_by_name(p->world_name, p->seed, err);
    }
    p->changes++;
    bool good =
        (mine == NULL || p->world[0] != NULL) && player_job(p, PHASE_READ, card_job, p, err);
    world_free(p->world[0]);
    p->world[0] = mine;
    p->changes++;
    if (!good) {
        card_free(p->card);
        p->card = NULL;
        return NULL;
    }
    return &p->card->page;
}

bool card_show(struct player *p, struct err *err)
{
    struct step *s = step_now(p);
    s->page.card = NULL;
    if (s->shows_card && p->has_card) {
        s->page.card = player_card(p, err);
        return s->page.card != NULL;
    }
    return true;
}
