/*
 * command_quorums: the text forms of stores without leaders (quorums.h).
 *
 *   store NAME N W R [sloppy]    begins one, or begins it anew: nothing held, all counts 0, repair
 *                  off, versions by clock, hints count
 *   store NAME hints on|off      whether a stand-in's copy counts towards W and R
 *   store NAME repair off|after|before   a read repairs who is behind: never, after it answered,
 *                  before it answers
 *   store NAME versions clock|last   what no writer has seen is kept beside the new one, or the
 *                  later one wins
 *   set NAME KEY VALUE via N1    VALUE: a number from 1 on
 *   get NAME KEY via N2
 */
#include "base/check.h"
#include "engine/quorums/quorums_inside.h"
#include "engine/words/command_words.h"

static const char *const off_on[] = {"off", "on"};
static const char *const repairs[] = {
    [REPAIR_OFF] = "off", [REPAIR_AFTER] = "after", [REPAIR_BEFORE] = "before"};
static const char *const versions[] = {"clock", "last"};

struct choice {
    const char *name;
    const char *const *of;
    size_t count;
};

static const struct choice choices[] = {
    [STORE_MODE_HINTS] = {"hints", off_on, 2},
    [STORE_MODE_REPAIR] = {"repair", repairs, 3},
    [STORE_MODE_VERSIONS] = {"versions", versions, 2},
};

static bool parse_store(struct words *in, struct command *out, struct err *err)
{
    if (!words_other(in, "the name", out, err)) {
        return false;
    }
    for (uint8_t mode = STORE_MODE_HINTS; mode <= STORE_MODE_VERSIONS; mode++) {
        const struct choice *c = choices + mode;
        if (words_skip(in, c->name)) {
            out->mode = mode;
            return words_choice(in, c->name, c->of, c->count, &out->pick, err);
        }
    }
    out->mode = STORE_MODE_DEFINE;
    if (!words_number(in, "N, how many nodes keep a key", &out->count, err) ||
        !words_number(in, "W, how many must have a write", &out->writes, err) ||
        !words_number(in, "R, how many must answer a read", &out->reads, err)) {
        return false;
    }
    out->on = words_skip(in, "sloppy");
    return true;
}

static bool parse_node(struct words *in, struct command *out, struct err *err)
{
    return words_expect(in, "via", err) && words_machine(in, &out->shard, err);
}

static bool parse_set(struct words *in, struct command *out, struct err *err)
{
    return words_other(in, "the name", out, err) && words_key(in, out, err) &&
           words_amount(in, "the value", &out->amount, err) && parse_node(in, out, err);
}

static bool parse_get(struct words *in, struct command *out, struct err *err)
{
    return words_other(in, "the name", out, err) && words_key(in, out, err) &&
           parse_node(in, out, err);
}

static void say_name(const struct command *c, struct str *out)
{
    str_addc(out, ' ');
    say_key_text(c->other, c->other_length, out);
}

static void say_store(const struct command *c, struct str *out)
{
    say_name(c, out);
    if (c->mode != STORE_MODE_DEFINE) {
        str_addf(out, " %s %s", choices[c->mode].name, choices[c->mode].of[c->pick]);
        return;
    }
    str_addf(out, " %u %u %u%s", c->count, c->writes, c->reads, c->on ? " sloppy" : "");
}

static void say_ask(const struct command *c, struct str *out)
{
    say_name(c, out);
    str_addc(out, ' ');
    say_key_text(c->key, c->key_length, out);
    if (c->kind == COMMAND_SET) {
        str_addf(out, " %llu", (unsigned long long)c->amount);
    }
    str_addf(out, " via N%u", c->shard + 1u);
}

const struct command_form *command_form_of_quorums(enum command_kind kind)
{
    static const struct command_form forms[] = {
        {"store",
         "store NAME N W R [sloppy] | store NAME hints on|off | store NAME repair "
         "off|after|before | store NAME versions clock|last",
         "a store without leaders begins, empty, or changes",
         "N: how many nodes keep a key; W: how many must have a write; R: how many must answer\n"
         "sloppy: when one of the N is silent, the next node keeps the write for it, with a hint\n"
         "hints: on, what such a node keeps counts towards W and R; off, it does not\n"
         "repair: a read tells who is behind: never, after it has answered, before it answers\n"
         "versions: clock, two values whose writers had not seen each other are both kept; last, "
         "the later one wins",
         parse_store, say_store},
        {"set", "set NAME KEY VALUE via N1", "a write to a store without leaders",
         "NAME: of the store\nVALUE: a number from 1 on\n"
         "N1: the node that coordinates, any; it replaces what that node holds or has read",
         parse_set, say_ask},
        {"get", "get NAME KEY via N2", "a read of it",
         "NAME: of the store\nN2: the node that coordinates, any", parse_get, say_ask},
    };
    CHECK(kind >= COMMAND_STORE && kind <= COMMAND_GET);
    return &forms[kind - COMMAND_STORE];
}
