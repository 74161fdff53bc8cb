/*
 * opened: what a learner opened, in words, and whether it is what a task asks for.
 *
 * A task names it by words: `opened = "why", of = "refused"` asks for the why of a record whose
 * line in the trace has the word "refused", `of = "answer S2"` for one of an answer with "S2" in
 * it. `opened = "inspect", of = "kinesis shard 3"` is a part of a system that people run. The kind
 * of a record counts as a word of its line. Upper and lower case do not matter. `opened = "undo"`
 * asks for an act, taken back. `opened = "row", of = "7a"` is a row of the step's table, opened:
 * the words are its label's.
 */
#include "engine/systems/systems.h"
#include "engine/trace.h"
#include "lesson/inside.h"
#include "lesson/schema_inside.h"
#include <ctype.h>
#include <string.h>

#define OF_MAX 60

static const char *const record_kinds[TRACE_KINDS] = {
    "ask",     "route", "answer", "fetch",   "map",   "wait",  "reply",  "plan",  "table",
    "command", "reads", "writes", "account", "guard", "move",  "shift",  "query", "txn",
    "index",   "node",  "copy",   "quorum",  "watch", "fleet", "system", "fault"};
static const char *const inspected[] = {"key", "slot", "shard", "router"};

static bool is_part_of_word(char c)
{
    return c != '\0' && strchr(" \t\n,;:()\"", c) == NULL;
}

/* The next word of `*at`, its first byte; NULL when there is none. */
static const char *next_word(const char **at, size_t *length)
{
    while (**at != '\0' && !is_part_of_word(**at)) {
        (*at)++;
    }
    const char *word = *at;
    while (is_part_of_word(**at)) {
        (*at)++;
    }
    *length = (size_t)(*at - word);
    return *length > 0 ? word : NULL;
}

static bool same_word(const char *a, const char *b, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (tolower((unsigned char)a[i]) != tolower((unsigned char)b[i])) {
            return false;
        }
    }
    return true;
}

static bool has_word(const char *words, const char *wanted, size_t wanted_length)
{
    size_t length = 0;
    for (const char *word; (word = next_word(&words, &length)) != NULL;) {
        if (length == wanted_length && same_word(word, wanted, length)) {
            return true;
        }
    }
    return false;
}

static bool is_inspected(const char *word, size_t length)
{
    for (size_t i = 0; i < sizeof inspected / sizeof *inspected; i++) {
        if (length == strlen(inspected[i]) && same_word(word, inspected[i], length)) {
            return true;
        }
    }
    for (int i = 0; i < SYSTEMS; i++) {
        const char *name = system_words((enum system_id)i)->name;
        if (length == strlen(name) && same_word(word, name, length)) {
            return true;
        }
    }
    return false;
}

/* Whether all words of `of` are among the words. */
static bool is_meant(const char *of, const char *words)
{
    size_t length = 0;
    for (const char *word; (word = next_word(&of, &length)) != NULL;) {
        if (!has_word(words, word, length)) {
            return false;
        }
    }
    return true;
}

void opened_say_record(const struct world *w, const struct trace_record *r, struct str *out)
{
    str_addf(out, "%s ", r->kind < TRACE_KINDS ? record_kinds[r->kind] : "");
    trace_say(w, r, out);
}

void player_opened(struct player *p, const char *what, const char *words)
{
    struct step *s = step_now(p);
    if (s->opened != NULL && strcmp(s->opened, what) == 0 &&
        (s->opened_of == NULL || is_meant(s->opened_of, words))) {
        s->opened_met = true;
        goal_check(p, NULL); /* calls no script: this task has no goal */
    }
}

void opened_again(struct player *p)
{
    struct step *s = step_now(p);
    if (s->opened != NULL) {
        s->opened_met = true;
        goal_check(p, NULL);
    }
}

/* --- what is declared, and whether it can be met --- */

void schema_opened(lua_State *L, const struct place *at)
{
    bool opens = push_field(L, "opened") == LUA_TSTRING;
    const char *what = opens ? lua_tostring(L, -1) : "";
    bool inspects = strcmp(what, "inspect") == 0;
    bool undoes = strcmp(what, "undo") == 0;
    if (opens && !inspects && !undoes && strcmp(what, "why") != 0 && strcmp(what, "row") != 0) {
        schema_fault(L, at->p, at->line,
                     "%s: 'opened' is \"why\", \"inspect\", \"row\" or \"undo\", not \"%.40s\"",
                     at->what, what);
    }
    opens = opens && !undoes; /* what is taken back has no words */
    lua_pop(L, 1);
    if (push_field(L, "of") == LUA_TSTRING) {
        const char *of = lua_tostring(L, -1), *rest = of;
        size_t length = 0;
        const char *word = next_word(&rest, &length);
        bool known = !inspects || (word != NULL && is_inspected(word, length));
        if (!opens || word == NULL || strlen(of) > OF_MAX || !known) {
            schema_fault(
                L, at->p, at->line, "%s: %s", at->what,
                !opens   ? "'of' says of what something is 'opened': it comes with that"
                : !known ? "what is inspected is a key, slot, shard, router or system: 'of = "
                           "\"shard S2\"'"
                         : "'of' is one or more words of a line of the trace, or of a row's label: "
                           "'of = \"refused\"'");
        }
    }
    lua_pop(L, 1);
}

/* "shard S9", "router R0": whether the world has it; of keys and slots nothing is known. */
static bool is_in_world(const struct world *w, const char *of)
{
    size_t kind_length = 0, length = 0;
    const char *kind = next_word(&of, &kind_length);
    const char *name = next_word(&of, &length);
    bool shard = kind != NULL && same_word(kind, "shard", kind_length);
    if (name == NULL || (!shard && !same_word(kind, "router", kind_length))) {
        return true;
    }
    uint64_t number = 0;
    bool good = w != NULL && length > 1 && same_word(name, shard ? "S" : "R", 1);
    for (size_t i = 1; good && i < length; i++) {
        good = isdigit((unsigned char)name[i]) != 0 && number < UINT32_MAX;
        number = number * 10 + (uint64_t)(name[i] - '0');
    }
    return good && number < (shard ? world_shards(w) : world_config_of(w)->routers);
}

static bool has_row(const struct page_table *t, const char *of)
{
    bool found = false;
    for (size_t i = 0; t != NULL && i < t->rows; i++) {
        found = found || (t->row[i].opens && (of == NULL || is_meant(of, t->row[i].label)));
    }
    return found;
}

bool opened_possible(const struct player *p)
{
    const struct step *s = &p->step[p->current];
    const struct world *w = p->world[0];
    if (s->opened != NULL && strcmp(s->opened, "row") == 0) {
        return has_row(s->page.table, s->opened_of);
    }
    if (s->opened != NULL && s->opened_of != NULL && strcmp(s->opened, "inspect") == 0) {
        return is_in_world(w, s->opened_of);
    }
    if (s->opened == NULL || strcmp(s->opened, "why") != 0) {
        return true;
    }
    bool found = false;
    struct str words = STR_EMPTY;
    for (uint64_t i = w != NULL ? trace_first(w) : 0; w != NULL && !found && i < trace_next(w);
         i++) {
        const struct trace_record *r = trace_get(w, i);
        if (r != NULL) {
            str_clear(&words);
            opened_say_record(w, r, &words);
            found = s->opened_of == NULL || is_meant(s->opened_of, str_text(&words));
        }
    }
    str_free(&words);
    return found;
}
