/*
 * command_systems: systems that people run, and writes of keys that only grow.
 *
 *   system NAME on [PARTS [MACHINES]]  from now on each request is asked of this system too; NAME:
 *                         dynamodb kinesis kafka cassandra cockroachdb hbase mongodb redis vitess
 *   system NAME off       it is gone, with all that it held
 *   system NAME parts N   so many parts from now on, by the system's own rules
 *   system NAME cut PART [KEY]         a part is split in the middle, or at a key
 *   system NAME join PART PART         two neighbours become one
 *   system NAME grow      a machine is added
 *   system NAME move PART MACHINE      by hand
 *   system NAME balance   the operator's tool spreads the parts over the machines
 *   system NAME down MACHINE           a machine dies
 *   system NAME up MACHINE             and is back
 *   system NAME set WHAT VALUE         what a system can be told; each has its own
 *
 *   series NAME RATE [bytes N]         writes of NAME000000001, NAME000000002 ... of N bytes (1024)
 *                         to all systems that are on; RATE 0 ends them
 *
 * `all` is each system that is on; what one of them refuses is told in its own record. Parts and
 * machines are plain numbers from 0 on, as they are shown.
 */
#include "base/check.h"
#include "base/near.h"
#include "base/num.h"
#include "engine/systems/systems_inside.h"
#include "engine/words/command_words.h"
#include <inttypes.h>
#include <string.h>

/* What follows the verb: numbers, so many at least and at most. */
static const struct verb {
    const char *name;
    const char *form;
    const char *what[2];
    uint8_t least, most;
} verbs[SYSTEM_VERBS] = {
    [SYSTEM_VERB_ON] = {"on",
                        "system NAME on [PARTS [MACHINES]]",
                        {"the number of parts", "the number of machines"},
                        0,
                        2},
    [SYSTEM_VERB_OFF] = {"off", "system NAME off", {NULL}, 0, 0},
    [SYSTEM_VERB_PARTS] = {"parts", "system NAME parts N", {"the number of parts"}, 1, 1},
    [SYSTEM_VERB_CUT] = {"cut", "system NAME cut PART [KEY]", {"the part's number"}, 1, 1},
    [SYSTEM_VERB_JOIN] = {"join",
                          "system NAME join PART PART",
                          {"the part's number", "the other part's number"},
                          2,
                          2},
    [SYSTEM_VERB_GROW] = {"grow", "system NAME grow", {NULL}, 0, 0},
    [SYSTEM_VERB_MOVE] = {"move",
                          "system NAME move PART MACHINE",
                          {"the part's number", "the machine's number"},
                          2,
                          2},
    [SYSTEM_VERB_BALANCE] = {"balance", "system NAME balance", {NULL}, 0, 0},
    [SYSTEM_VERB_DOWN] = {"down", "system NAME down MACHINE", {"the machine's number"}, 1, 1},
    [SYSTEM_VERB_UP] = {"up", "system NAME up MACHINE", {"the machine's number"}, 1, 1},
    [SYSTEM_VERB_SET] = {"set", "system NAME set WHAT VALUE", {NULL}, 0, 0},
};

/* --- system ----------------------------------------------------------------------------------- */

/* The next word, in small letters: capitals are taken as they are in a command's first word. */
static const char *next_small(struct words *in, const char *what, struct err *err)
{
    for (char *c = words_left(in) ? in->word[in->at] : NULL; c != NULL && *c != '\0'; c++) {
        *c = *c >= 'A' && *c <= 'Z' ? (char)(*c - 'A' + 'a') : *c;
    }
    return words_next(in, what, err);
}

static bool refuse_system(const char *word, struct err *err)
{
    const char *names[SYSTEMS + 1];
    struct str all = STR_EMPTY;
    for (uint8_t i = 0; i < SYSTEMS; i++) {
        names[i] = system_words(i)->name;
        str_addf(&all, "%s, ", names[i]);
    }
    names[SYSTEMS] = "all";
    const char *near = near_name(word, names, SYSTEMS + 1);
    if (near != NULL) {
        err_set(err, "\"%s\" is no system here; did you mean %s?", word, near);
    } else {
        err_set(err, "\"%s\" is no system here; there are %sor all of those that are on", word,
                str_text(&all));
    }
    str_free(&all);
    return false;
}

static bool parse_name(struct words *in, uint8_t *system, struct err *err)
{
    const char *word = next_small(in, "the system", err);
    return word != NULL && (system_by_name(word, system) || refuse_system(word, err));
}

static bool parse_verb(struct words *in, uint8_t *verb, struct err *err)
{
    const char *names[SYSTEM_VERBS];
    const char *word = next_small(in, "what is asked of it", err);
    if (word == NULL) {
        return false;
    }
    for (uint8_t i = 0; i < SYSTEM_VERBS; i++) {
        names[i] = verbs[i].name;
        if (strcmp(word, names[i]) == 0) {
            *verb = i;
            return true;
        }
    }
    const char *near = near_name(word, names, SYSTEM_VERBS);
    if (near != NULL) {
        return err_set(err, "no system knows \"%s\"; did you mean %s?", word, near);
    }
    return err_set(err,
                   "no system knows \"%s\"; ask for on, off, parts, cut, join, grow, move, "
                   "balance, down, up or set",
                   word);
}

static bool parse_numbers(struct words *in, const struct verb *verb, struct command *out,
                          struct err *err)
{
    uint32_t *const into[2] = {&out->count, &out->first};
    for (int i = 0; i < verb->most; i++) {
        if (i >= verb->least && !words_left(in)) {
            return true;
        }
        if (!words_number(in, verb->what[i], into[i], err)) {
            return false;
        }
    }
    return true;
}

static struct bytes text_of(const char *text, uint8_t length)
{
    return (struct bytes){text, length};
}

/* Of one system the setting is looked up; `all` may mean one that only some have. */
static bool parse_set(struct words *in, struct command *out, struct err *err)
{
    uint32_t setting = 0;
    uint32_t to = 0;
    if (!words_name(in, out, err) || !words_other(in, "the value", out, err)) {
        return false;
    }
    for (uint8_t i = 0; out->pick == SYSTEM_ALL && i < SYSTEMS; i++) {
        struct err other = {{0}};
        if (system_setting_read(i, text_of(out->key, out->key_length),
                                text_of(out->other, out->other_length), &setting, &to, &other)) {
            return true;
        }
    }
    if (out->pick == SYSTEM_ALL) {
        return err_set(err, "no system knows set %s %s; name one, and it says what it knows",
                       in->word[in->at - 2], in->word[in->at - 1]);
    }
    return system_setting_read(out->pick, text_of(out->key, out->key_length),
                               text_of(out->other, out->other_length), &setting, &to, err);
}

static bool parse_system(struct words *in, struct command *out, struct err *err)
{
    if (!parse_name(in, &out->pick, err) || !parse_verb(in, &out->mode, err)) {
        return false;
    }
    in->form = verbs[out->mode].form;
    if (!parse_numbers(in, &verbs[out->mode], out, err)) {
        return false;
    }
    if (out->mode == SYSTEM_VERB_SET) {
        return parse_set(in, out, err);
    }
    return out->mode != SYSTEM_VERB_CUT || !words_left(in) || words_key(in, out, err);
}

static void say_numbers(const struct command *c, struct str *out)
{
    const struct verb *verb = &verbs[c->mode];
    bool second = verb->least > 1 || (verb->most > 1 && c->first > 0);
    if (verb->least > 0 || (verb->most > 0 && (c->count > 0 || second))) {
        str_addf(out, " %u", c->count);
    }
    if (second) {
        str_addf(out, " %u", c->first);
    }
}

static void say_system(const struct command *c, struct str *out)
{
    CHECK(c->mode < SYSTEM_VERBS);
    str_addf(out, " %s %s", c->pick == SYSTEM_ALL ? "all" : system_words(c->pick)->name,
             verbs[c->mode].name);
    say_numbers(c, out);
    if (c->key_length > 0) {
        str_addc(out, ' ');
        say_key_text(c->key, c->key_length, out);
    }
    if (c->other_length > 0) {
        str_addc(out, ' ');
        say_key_text(c->other, c->other_length, out);
    }
}

/* --- series ----------------------------------------------------------------------------------- */

static bool parse_rate(struct words *in, uint32_t *out, struct err *err)
{
    uint64_t rate = 0;
    const char *what = "writes a second";
    const char *word = words_next(in, what, err);
    if (word == NULL || !num_parse_u64(word, what, 0, SERIES_RATE_MAX, &rate, err)) {
        return false;
    }
    *out = (uint32_t)rate;
    return true;
}

/* None in the command stands for the bytes of whoever says nothing. */
static bool parse_bytes(struct words *in, uint64_t *out, struct err *err)
{
    if (!words_bytes(in, "bytes of a write", SERIES_BYTES_MAX, out, err)) {
        return false;
    }
    return *out > 0 ||
           err_set(err, "bytes of a write: 0 is too little; give 1 to %u, or leave it out for %d",
                   SERIES_BYTES_MAX, SERIES_BYTES);
}

static bool parse_series(struct words *in, struct command *out, struct err *err)
{
    if (!words_name(in, out, err)) {
        return false;
    }
    if (out->key_length > SERIES_NAME_MAX) {
        return err_set(err, "\"%.*s\" is too long; a series' name has at most %d bytes",
                       out->key_length, out->key, SERIES_NAME_MAX);
    }
    return parse_rate(in, &out->rate, err) &&
           (!words_skip(in, "bytes") || parse_bytes(in, &out->amount, err));
}

static void say_series(const struct command *c, struct str *out)
{
    str_addc(out, ' ');
    say_key_text(c->key, c->key_length, out);
    str_addf(out, " %u", c->rate);
    if (c->amount > 0) {
        str_addf(out, " bytes %" PRIu64, c->amount);
    }
}

const struct command_form *command_form_of_systems(enum command_kind kind)
{
    static const struct command_form forms[] = {
        {"system",
         "system NAME on [PARTS [MACHINES]] | system NAME off | system NAME parts N | "
         "system NAME cut PART [KEY] | system NAME join PART PART | system NAME grow | "
         "system NAME move PART MACHINE | system NAME balance | system NAME down MACHINE | "
         "system NAME up MACHINE | system NAME set WHAT VALUE",
         "a system that people run, asked what clients ask here",
         "NAME: dynamodb kinesis kafka cassandra cockroachdb hbase mongodb redis vitess\n"
         "NAME may be all: each that is on does what it can\n"
         "on: from now on it is asked too; PARTS and MACHINES: its own if left out\n"
         "parts: so many from now on\n"
         "cut, join: a part becomes two, two neighbours become one\n"
         "KEY: the first key of the upper part; left out: the middle\n"
         "grow: a machine is added; move, balance: parts go to others\n"
         "down, up: a machine dies, and is back\n"
         "PART, MACHINE: numbers from 0 on, as they are shown\n"
         "WHAT VALUE: of dynamodb: items one|many|growing, index local|none,\n"
         "    capacity N, reads strong|eventual\n"
         "of kinesis: pack N, reader RATE, order parents|any\n"
         "of kafka: acks one|all, reader RATE, members N,\n"
         "    rebalance eager|cooperative, null on|off\n"
         "of cassandra: level one|quorum|all; of hbase: splits size|load\n"
         "of mongodb: concern one|majority\n"
         "of vitess: durability none|semi-sync, serves old|reads|new, reverse on|off",
         parse_system, say_system},
        {"series", "series NAME RATE [bytes N]", "writes of keys that only grow, to all systems",
         "NAME: at most six letters; the keys are NAME000000001, NAME000000002 ...\n"
         "RATE: writes a second, evenly spaced; 0 ends them\n"
         "bytes N: of each write; 1024 if left out",
         parse_series, say_series},
    };
    CHECK(kind >= COMMAND_SYSTEM && kind <= COMMAND_SERIES);
    return &forms[kind - COMMAND_SYSTEM];
}
