/*
 * command_copies: partitions with copies on several nodes.
 *
 *   group P1 N1 N2 N3 [bytes B] [acks majority|one|all] [patience MS] [empty on|off]
 *                         the first leads term 1; B: how much data (1GB if left out); acks: who
 *                         must have a write before its client is told OK; patience: how long a
 *                         follower hears nothing before it stands, at least (1000; at most twice
 *                         that); empty: whether a leader begins its term with an empty entry (on).
 *                         Without nodes: changes a group that exists
 *   append P1 [VALUE] [via N4]   a client's write; the next number if no value is said; to whom
 *                         clients take for the leader, or to N4
 *   append P1 rate RATE   clients write RATE times a second; 0: no more
 *   look P1 [via N2] [weak]      a client's read: of the leader, or (weak) of whoever is asked
 *   stand P1 N4           N4's replica stands for the next term now
 *   stand P1 N4 again     a candidate asks all others once more for their votes in its term
 *
 *   recopy on [BYTES]     replicas on nodes that are declared dead are made anew elsewhere, each
 *                         with at most so many bytes a second; 0 or left out: what the links carry
 *   recopy off            no copy is made any more; those under way are dropped
 *   recopy now N3         N3 is taken for dead now, by hand
 *   recopy P2 N1          the replica of P2 that is missing goes to N1, by hand
 */
#include "base/check.h"
#include "engine/copies/copies_inside.h"
#include "engine/words/command_words.h"
#include <inttypes.h>
#include <string.h>

static const char *const acks_names[] = {
    [ACKS_MAJORITY] = "majority", [ACKS_ONE] = "one", [ACKS_ALL] = "all"};

#define ACKS_COUNT (sizeof acks_names / sizeof acks_names[0])

static bool is_node(const struct words *in)
{
    return words_left(in) && in->word[in->at][0] == 'N';
}

static bool parse_nodes(struct words *in, struct command *out, struct err *err)
{
    while (is_node(in)) {
        uint16_t node = 0;
        if (!words_machine(in, &node, err)) {
            return false;
        }
        if (node >= NODES_MAX || out->count == TERM_REPLICAS_MAX) {
            return err_set(err, "a group has at most %d replicas, on nodes N1 to N%d",
                           TERM_REPLICAS_MAX, NODES_MAX);
        }
        out->other[out->count++] = (char)node;
    }
    return true;
}

static bool parse_empty(struct words *in, struct command *out, struct err *err)
{
    static const char *const names[] = {"on", "off"};
    uint8_t which = 0;
    if (!words_skip(in, "empty")) {
        return true;
    }
    if (!words_choice(in, "on or off", names, 2, &which, err)) {
        return false;
    }
    out->mode = which == 0 ? GROUP_MODE_EMPTY : GROUP_MODE_BARE;
    return true;
}

static bool parse_group(struct words *in, struct command *out, struct err *err)
{
    if (!words_name(in, out, err) || !parse_nodes(in, out, err)) {
        return false;
    }
    if (words_skip(in, "bytes") &&
        !words_bytes(in, "the shard's data", INT64_MAX, &out->amount, err)) {
        return false;
    }
    if (words_skip(in, "acks")) {
        if (!words_choice(in, "majority, one or all", acks_names, ACKS_COUNT, &out->pick, err)) {
            return false;
        }
        out->pick++;
    }
    return (!words_skip(in, "patience") || words_ms(in, "the patience", &out->period_us, err)) &&
           parse_empty(in, out, err);
}

static void say_name(const struct command *c, struct str *out)
{
    str_addc(out, ' ');
    say_key_text(c->key, c->key_length, out);
}

static void say_group(const struct command *c, struct str *out)
{
    say_name(c, out);
    for (uint32_t i = 0; i < c->count && i < TERM_REPLICAS_MAX; i++) {
        str_addf(out, " N%u", (unsigned char)c->other[i] + 1u);
    }
    if (c->amount > 0) {
        str_addf(out, " bytes %" PRIu64, c->amount);
    }
    if (c->pick > 0 && c->pick <= ACKS_COUNT) {
        str_addf(out, " acks %s", acks_names[c->pick - 1]);
    }
    if (c->period_us > 0) {
        str_add(out, " patience ");
        say_ms(c->period_us, out);
    }
    if (c->mode != GROUP_MODE_AS_IT_IS) {
        str_addf(out, " empty %s", c->mode == GROUP_MODE_EMPTY ? "on" : "off");
    }
}

static bool parse_via(struct words *in, struct command *out, struct err *err)
{
    out->shard = NOBODY;
    return !words_skip(in, "via") || words_machine(in, &out->shard, err);
}

static bool parse_append(struct words *in, struct command *out, struct err *err)
{
    out->shard = NOBODY;
    if (!words_name(in, out, err)) {
        return false;
    }
    if (words_skip(in, "rate")) {
        out->mode = APPEND_MODE_RATE;
        return words_number(in, "writes a second", &out->rate, err);
    }
    out->mode = APPEND_MODE_ONE;
    out->on = words_left(in) && strcmp(in->word[in->at], "via") != 0;
    return (!out->on || words_amount(in, "the value", &out->amount, err)) &&
           parse_via(in, out, err);
}

static void say_via(const struct command *c, struct str *out)
{
    if (c->shard != NOBODY) {
        str_addf(out, " via N%u", c->shard + 1u);
    }
}

static void say_append(const struct command *c, struct str *out)
{
    say_name(c, out);
    if (c->mode == APPEND_MODE_RATE) {
        str_addf(out, " rate %u", c->rate);
        return;
    }
    if (c->on) {
        str_addf(out, " %" PRIu64, c->amount);
    }
    say_via(c, out);
}

static bool parse_look(struct words *in, struct command *out, struct err *err)
{
    if (!words_name(in, out, err) || !parse_via(in, out, err)) {
        return false;
    }
    out->pick = words_skip(in, "weak");
    return true;
}

static void say_look(const struct command *c, struct str *out)
{
    say_name(c, out);
    say_via(c, out);
    str_add(out, c->pick != 0 ? " weak" : "");
}

static bool parse_stand(struct words *in, struct command *out, struct err *err)
{
    if (!words_name(in, out, err) || !words_machine(in, &out->shard, err)) {
        return false;
    }
    out->pick = words_skip(in, "again");
    return true;
}

static void say_stand(const struct command *c, struct str *out)
{
    say_name(c, out);
    str_addf(out, " N%u%s", c->shard + 1u, c->pick != 0 ? " again" : "");
}

static bool parse_recopy(struct words *in, struct command *out, struct err *err)
{
    if (words_skip(in, "on")) {
        out->mode = RECOPY_MODE_ON;
        return !words_left(in) ||
               words_bytes(in, "a copy's budget", NODE_LINK_FIRST * 1000, &out->amount, err);
    }
    if (words_skip(in, "off")) {
        out->mode = RECOPY_MODE_OFF;
        return true;
    }
    if (words_skip(in, "now")) {
        out->mode = RECOPY_MODE_NOW;
        return words_machine(in, &out->shard, err);
    }
    out->mode = RECOPY_MODE_TO;
    return words_name(in, out, err) && words_machine(in, &out->shard, err);
}

static void say_recopy(const struct command *c, struct str *out)
{
    switch ((enum recopy_mode)c->mode) {
    case RECOPY_MODE_ON:
        str_add(out, " on");
        if (c->amount > 0) {
            str_addf(out, " %" PRIu64, c->amount);
        }
        return;
    case RECOPY_MODE_OFF:
        str_add(out, " off");
        return;
    case RECOPY_MODE_NOW:
        str_addf(out, " now N%u", c->shard + 1u);
        return;
    case RECOPY_MODE_TO:
        say_stand(c, out);
        return;
    }
    CHECK(false && "no such step");
}

const struct command_form *command_form_of_copies(enum command_kind kind)
{
    static const struct command_form forms[] = {
        {"group",
         "group P1 [N1 N2 N3] [bytes B] [acks majority|one|all] [patience MS] [empty on|off]",
         "a shard with a replica on each of these nodes; the first leads",
         "N1 N2 N3: one to seven nodes; left out: changes a group that exists\n"
         "bytes B: how much data it has; 1GB if left out\n"
         "acks: who must have a write before its client is told OK\n"
         "patience MS: how long a follower hears nothing before it stands, at least; 1000\n"
         "empty off: leaders begin their terms without an empty entry",
         parse_group, say_group},
        {"append", "append P1 [VALUE] [via N4] | append P1 rate RATE",
         "a client's write to a shard, or so many a second",
         "VALUE: left out, the next number\n"
         "via N4: the node that the client asks; left out: whom it takes for the leader\n"
         "RATE: writes a second; 0: no more",
         parse_append, say_append},
        {"look", "look P1 [via N2] [weak]", "a client's read of a shard",
         "via N2: the node that is asked; left out: whom the client takes for the leader\n"
         "weak: whoever is asked answers at once with what it has",
         parse_look, say_look},
        {"stand", "stand P1 N4 [again]", "a replica stands for leader now",
         "again: it stands already, and asks once more for the votes of its term", parse_stand,
         say_stand},
        {"recopy", "recopy on [BYTES] | recopy off | recopy now N3 | recopy P2 N1",
         "replicas that are lost are made anew on other nodes",
         "on: of nodes that are declared dead; BYTES: a second, of each copy\n"
         "now N3: N3 is taken for dead, by hand\n"
         "P2 N1: the replica of P2 that is missing goes to N1",
         parse_recopy, say_recopy},
    };
    CHECK(kind >= COMMAND_GROUP && kind <= COMMAND_RECOPY);
    return &forms[kind - COMMAND_GROUP];
}
