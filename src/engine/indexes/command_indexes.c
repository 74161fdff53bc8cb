/*
 * command_indexes: rows that are looked for by a term.
 *
 *   catalog NAME local            a catalog begins (anew): each shard indexes its own rows
 *   catalog NAME sync             one index by term, written before a put is answered
 *   catalog NAME async MS         the same, written so long after the row
 *   catalog NAME unique           one index by term, and a term has one row
 *   put NAME ID TERM [via R0]     row NAME:ID has this term from now on
 *   find NAME TERM [via R0]       all rows of a term
 */
#include "base/check.h"
#include "engine/indexes/indexes.h"
#include "engine/words/command_words.h"

static const char *const modes[] = {
    [CATALOG_LOCAL] = "local",
    [CATALOG_SYNC] = "sync",
    [CATALOG_ASYNC] = "async",
    [CATALOG_UNIQUE] = "unique",
};

static bool parse_via(struct words *in, struct command *out, struct err *err)
{
    if (!words_skip(in, "via")) {
        out->router = 0;
        return true;
    }
    return words_node(in, 'R', &out->router, err);
}

static bool parse_catalog(struct words *in, struct command *out, struct err *err)
{
    return words_name(in, out, err) &&
           words_choice(in, "local, sync, async or unique", modes, sizeof modes / sizeof modes[0],
                        &out->mode, err) &&
           (out->mode != CATALOG_ASYNC ||
            words_ms(in, "the lag in milliseconds", &out->period_us, err));
}

static bool parse_put(struct words *in, struct command *out, struct err *err)
{
    return words_name(in, out, err) && words_number(in, "the row's id", &out->first, err) &&
           words_other(in, "the term", out, err) && parse_via(in, out, err);
}

static bool parse_find(struct words *in, struct command *out, struct err *err)
{
    return words_name(in, out, err) && words_other(in, "the term", out, err) &&
           parse_via(in, out, err);
}

static void say_catalog(const struct command *c, struct str *out)
{
    CHECK(c->mode < CATALOG_MODES);
    str_addc(out, ' ');
    say_key_text(c->key, c->key_length, out);
    str_addf(out, " %s", modes[c->mode]);
    if (c->mode == CATALOG_ASYNC) {
        str_addc(out, ' ');
        say_ms(c->period_us, out);
    }
}

static void say_term(const struct command *c, struct str *out)
{
    str_addc(out, ' ');
    say_key_text(c->other, c->other_length, out);
    str_addf(out, " via R%u", c->router);
}

static void say_put(const struct command *c, struct str *out)
{
    str_addc(out, ' ');
    say_key_text(c->key, c->key_length, out);
    str_addf(out, " %u", c->first);
    say_term(c, out);
}

static void say_find(const struct command *c, struct str *out)
{
    str_addc(out, ' ');
    say_key_text(c->key, c->key_length, out);
    say_term(c, out);
}

const struct command_form *command_form_of_indexes(enum command_kind kind)
{
    static const struct command_form forms[] = {
        {"catalog", "catalog NAME local|sync|async MS|unique",
         "rows with an index by term; a catalog of that name begins anew",
         "local: each shard indexes its own rows; a find asks all\n"
         "sync: one index by term, written before a put is answered\n"
         "async MS: the same, written so many milliseconds after the row\n"
         "unique: as sync, and a term has one row: a put of a taken term is refused",
         parse_catalog, say_catalog},
        {"put", "put NAME ID TERM [via R0]", "a row gets a term",
         "NAME: a catalog; the row has the key NAME:ID", parse_put, say_put},
        {"find", "find NAME TERM [via R0]", "all rows that have a term", "NAME: a catalog",
         parse_find, say_find},
    };
    CHECK(kind >= COMMAND_CATALOG && kind <= COMMAND_FIND);
    return &forms[kind - COMMAND_CATALOG];
}
