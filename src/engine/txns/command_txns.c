/*
 * command_txns: the text forms of the commands of txns.h.
 *
 *   row KEY VALUE                  a row that transactions change: a balance, or 1 for a name that
 *                                  is taken and 0 for one that is free
 *   txn 2pc|saga|plain via R2 STEP [STEP [STEP]]
 *                                  STEP: take KEY N, give KEY N, claim KEY, free KEY
 *   coordinator dies begun|asked|voted|decided|told-one [MS]
 *                                  the router of the next transaction dies there, for so long
 *   coordinator lives              ... or nowhere
 */
#include "base/check.h"
#include "engine/txns/txns.h"
#include "engine/words/command_words.h"

#include <string.h>

#define AWAY_US INT64_C(1000000) /* if nothing is said */

static const char *const by_names[TXN_BY_KINDS] = {
    [TXN_BY_2PC] = "2pc",
    [TXN_BY_SAGA] = "saga",
    [TXN_BY_NOTHING] = "plain",
};
static const char *const what_names[TXN_WHATS] = {
    [TXN_TAKE] = "take",
    [TXN_GIVE] = "give",
    [TXN_CLAIM] = "claim",
    [TXN_FREE] = "free",
};
static const char *const point_names[TXN_POINTS] = {
    [TXN_POINT_BEGUN] = "begun",     [TXN_POINT_ASKED] = "asked",       [TXN_POINT_VOTED] = "voted",
    [TXN_POINT_DECIDED] = "decided", [TXN_POINT_TOLD_ONE] = "told-one",
};

const char *txn_by_name(enum txn_by by)
{
    return by_names[by];
}

const char *txn_what_name(enum txn_what what)
{
    return what_names[what];
}

const char *txn_point_name(enum txn_point point)
{
    return point_names[point];
}

static bool parse_row(struct words *in, struct command *out, struct err *err)
{
    return words_key(in, out, err) && words_amount(in, "the value", &out->amount, err);
}

static void say_row(const struct command *c, struct str *out)
{
    str_addc(out, ' ');
    say_key_text(c->key, c->key_length, out);
    str_addf(out, " %llu", (unsigned long long)c->amount);
}

static bool counts(uint8_t what)
{
    return what == TXN_TAKE || what == TXN_GIVE;
}

/* The key and the amount of a step: the command keeps them one beside the other. */
static bool parse_step(struct words *in, struct command *out, struct err *err)
{
    struct command step = {0};
    uint32_t amount = 0;
    if (!words_choice(in, "a step", what_names, TXN_WHATS, &step.mode, err) ||
        !words_key(in, &step, err) ||
        (counts(step.mode) && !words_number(in, "the amount", &amount, err))) {
        return false;
    }
    struct {
        char *key;
        uint8_t *length;
    } places[TXN_STEPS_MAX] = {{out->key, &out->key_length},
                               {out->other, &out->other_length},
                               {out->third, &out->third_length}};
    memcpy(places[out->place].key, step.key, KEY_BYTES_MAX);
    *places[out->place].length = step.key_length;
    if (out->place == 0) {
        out->amount = amount;
    } else {
        *(out->place == 1 ? &out->writes : &out->reads) = amount;
    }
    out->pick = (uint8_t)(out->pick | step.mode << (2 * out->place));
    out->place++;
    return true;
}

static bool parse_txn(struct words *in, struct command *out, struct err *err)
{
    if (!words_choice(in, "a kind of transaction", by_names, TXN_BY_KINDS, &out->mode, err) ||
        !words_expect(in, "via", err) || !words_node(in, 'R', &out->router, err)) {
        return false;
    }
    do {
        if (!parse_step(in, out, err)) {
            return false;
        }
    } while (words_left(in) && out->place < TXN_STEPS_MAX);
    return true;
}

static void say_step(uint8_t what, const char *key, uint8_t length, uint64_t amount,
                     struct str *out)
{
    str_addf(out, " %s ", what_names[what]);
    say_key_text(key, length, out);
    if (counts(what)) {
        str_addf(out, " %llu", (unsigned long long)amount);
    }
}

static void say_txn(const struct command *c, struct str *out)
{
    str_addf(out, " %s via R%u", by_names[c->mode % TXN_BY_KINDS], c->router);
    say_step(c->pick & 3, c->key, c->key_length, c->amount, out);
    if (c->place > 1) {
        say_step(c->pick >> 2 & 3, c->other, c->other_length, c->writes, out);
    }
    if (c->place > 2) {
        say_step(c->pick >> 4 & 3, c->third, c->third_length, c->reads, out);
    }
}

static bool parse_coordinator(struct words *in, struct command *out, struct err *err)
{
    out->on = words_skip(in, "lives");
    if (out->on) {
        return true;
    }
    out->period_us = AWAY_US;
    return words_expect(in, "dies", err) &&
           words_choice(in, "a point", point_names, TXN_POINTS, &out->mode, err) &&
           (!words_left(in) || words_ms(in, "how long it is away", &out->period_us, err));
}

static void say_coordinator(const struct command *c, struct str *out)
{
    if (c->on) {
        str_add(out, " lives");
        return;
    }
    str_addf(out, " dies %s", point_names[c->mode % TXN_POINTS]);
    if (c->period_us != AWAY_US) {
        str_addc(out, ' ');
        say_ms(c->period_us, out);
    }
}

const struct command_form *command_form_of_txns(enum command_kind kind)
{
    static const struct command_form forms[] = {
        {"row", "row KEY VALUE", "sets a row that transactions change",
         "VALUE: a balance; or 1: the name is taken, 0: it is free", parse_row, say_row},
        {"txn", "txn 2pc|saga|plain via R2 take KEY N|give KEY N|claim KEY|free KEY [STEP [STEP]]",
         "a transaction of one to three steps, each on a row of its own",
         "2pc: two-phase commit: all rows are locked, then all change, or none does\n"
         "saga: one step after the other; what was done is taken back when one is refused\n"
         "plain: all steps are sent at once, and nobody takes care of them\n"
         "take KEY N: refused when less is there; give KEY N: never\n"
         "claim KEY: refused when the name is taken; free KEY: when it is free",
         parse_txn, say_txn},
        {"coordinator",
         "coordinator dies begun|asked|voted|decided|told-one [MS] | coordinator lives",
         "lets the router of the next transaction die at a chosen point",
         "begun: before anybody is asked; asked: all are (saga: the first)\n"
         "voted: all votes are in, nothing is decided (saga: the first step is done)\n"
         "decided: it is in the log, nobody is told (saga: it turns back)\n"
         "told-one: one is told (plain: one step is sent)\n"
         "MS: how long it is away; left out: 1000",
         parse_coordinator, say_coordinator},
    };
    CHECK(kind >= COMMAND_ROW && kind <= COMMAND_COORDINATOR);
    return &forms[kind - COMMAND_ROW];
}
