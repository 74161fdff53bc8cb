/*
 * playground_words: settings as one line of text, and lines as settings.
 *
 * A line is clauses with commas between; a clause is a name and its values. The table of names
 * (playground_clauses.c) is the grammar.
 */
#include "tools/playground_inside.h"

#include "base/check.h"
#include "base/num.h"
#include <inttypes.h>
#include <string.h>

#define WORD_COLUMNS 40

const char *play_control_name(enum play_control control)
{
    for (size_t i = 0; clause_form_at(i); i++) {
        if (clause_form_at(i)->control == control) {
            return clause_form_at(i)->name;
        }
    }
    CHECK(false && "no such control");
    return "";
}

void play_say(const struct play_settings *s, struct str *out)
{
    struct str text = STR_EMPTY;
    for (size_t i = 0; clause_form_at(i); i++) {
        if (clause_form_at(i)->say) {
            clause_form_at(i)->say(s, &text);
        }
    }
    str_add(out, str_text(&text) + 2); /* without the first comma */
    str_free(&text);
}

static const struct clause_form *find_form(const char *name, bool typed, size_t *number,
                                           struct err *err)
{
    const char *names[CLAUSES_MAX];
    size_t count = 0;
    for (size_t i = 0; clause_form_at(i); i++) {
        const struct clause_form *form = clause_form_at(i);
        CHECK(i < CLAUSES_MAX);
        if (!typed && !form->say) {
            continue;
        }
        if (strcmp(form->name, name) == 0) {
            *number = i;
            return form;
        }
        names[count++] = form->name;
    }
    clause_refuse_name("setting", name, names, count, err);
    return NULL;
}

static bool read_clause(struct clause *c, bool typed, uint32_t *seen, struct play_settings *s,
                        struct err *err)
{
    c->rest = c->text;
    c->name = clause_next_word(c);
    if (c->name == NULL) {
        return err_set(err, "a comma has no setting beside it; write for example: scheme ring, "
                            "tokens 16");
    }
    size_t number = 0;
    const struct clause_form *form = find_form(c->name, typed, &number, err);
    if (form == NULL) {
        return false;
    }
    uint32_t bit = UINT32_C(1) << number;
    if (!typed && (*seen & bit) != 0 && form->control != PLAY_WEIGHT) {
        return err_set(err, "%s is said twice; leave one of them out", form->name);
    }
    *seen |= bit;
    if (!form->read(c, s, err)) {
        return false;
    }
    const char *more = clause_next_word(c);
    return more == NULL || err_set(err, "%s takes no \"%s\"; put a comma before the next setting",
                                   form->name, err_word(more, WORD_COLUMNS).text);
}

static bool parse_line(const char *text, bool typed, struct play_settings *s, struct err *err)
{
    uint32_t seen = 0;
    for (;;) {
        struct clause clause = {.name = NULL};
        size_t length = strcspn(text, ",");
        if (length >= sizeof clause.text) {
            return err_set(err, "a setting of %zu bytes is too long; at most %d fit", length,
                           CLAUSE_BYTES - 1);
        }
        memcpy(clause.text, text, length);
        if (!read_clause(&clause, typed, &seen, s, err)) {
            return false;
        }
        if (text[length] == '\0') {
            return true;
        }
        text += length + 1;
    }
}

bool play_parse(const char *text, struct play_settings *out, struct err *err)
{
    struct play_settings s = play_settings_default();
    if (!parse_line(text, false, &s, err)) {
        return false;
    }
    *out = s;
    return true;
}

bool play_parse_more(const char *text, struct play_settings *s, struct err *err)
{
    struct play_settings changed = *s;
    if (!parse_line(text, true, &changed, err)) {
        return false;
    }
    *s = changed;
    return true;
}

/* --- one value ---------------------------------------------------------------------------------
 */

static void say_ids(const struct play_settings *s, struct str *out)
{
    uint32_t ids[PLAY_SHARDS_MAX];
    uint32_t count = play_shards(s, ids);
    for (uint32_t i = 0; i < count; i++) {
        str_addf(out, "%sS%" PRIu32, i > 0 ? " " : "", ids[i]);
    }
}

void play_say_control(const struct play_settings *s, enum play_control control, uint32_t shard,
                      struct str *out)
{
    switch (control) {
    case PLAY_WORKLOAD:
        str_add(out, play_workload_name(s->workload));
        return;
    case PLAY_SCHEME:
        str_add(out, s->scheme->name);
        return;
    case PLAY_TOKENS:
        str_addf(out, "%" PRIu32, s->tokens);
        return;
    case PLAY_SHARD_ADD:
        say_ids(s, out);
        return;
    case PLAY_SHARD_REMOVE:
        str_addf(out, "S%" PRIu32, shard);
        return;
    case PLAY_WEIGHT:
        str_addf(out, "%" PRIu32, shard < PLAY_IDS_MAX ? s->weight[shard] : 0);
        return;
    case PLAY_RATE:
        str_add(out, num_grouped(s->rate).text);
        return;
    case PLAY_SALT:
        if (s->salt == 1) {
            str_add(out, "off");
        } else {
            str_addf(out, "%" PRIu32, s->salt);
        }
        return;
    case PLAY_PREAGG:
        str_add(out, s->preagg ? "on" : "off");
        return;
    case PLAY_CACHE:
        str_add(out, s->cache ? "on" : "off");
        return;
    case PLAY_COPIES:
        str_addf(out, "%" PRIu32, s->copies);
        return;
    case PLAY_DATABASE_CACHE:
        if (s->database_cache_pct == 0) {
            str_add(out, "off");
        } else {
            str_addf(out, "%" PRIu32 "%%", s->database_cache_pct);
        }
        return;
    case PLAY_CONTROL_COUNT:
        break;
    }
    CHECK(false && "no such control");
}
