/*
 * command_shifts: data moves key by key, or by dual writes.
 *
 *   shift SLOT S4 [KEYS_A_SECOND]   one key after the other goes to S4 (100 a second); given again,
 *                                   it starts over with what is left
 *   shift SLOT S4 open              the slot is leaving, and no key goes before the above is given
 *   shift SLOT finish               S4 claims the slot, when no key is left
 *   shift SLOT stop                 no further key goes; if none has gone the slot is closed again
 *   shift size KEY BYTES            how large a key is: 0 takes no time, above 256,000,000 it
 *                                   stays; 64KB, 200MB, 1GB are understood
 *
 *   dual SLOT S4 [parallel]         each edit is written to S4 too: second, or at the same time
 *   dual SLOT S4 backfill RATE [absent]
 *                                   what was there before is copied, RATE keys a second; absent:
 *                                   only where S4 has nothing
 *   dual SLOT stop                  S4's copy is dropped (before the switch)
 *   switch SLOT reads               S4 answers reads, when both hold the same
 *   switch SLOT back                the old shard answers them again, when both hold the same
 *   switch SLOT done                the old shard is written no more, and no way back is left
 */
#include "base/check.h"
#include "engine/shifts/shifts_inside.h"
#include "engine/words/command_words.h"

static bool parse_shift(struct words *in, struct command *out, struct err *err)
{
    if (words_skip(in, "size")) {
        out->mode = SHIFT_MODE_SIZE;
        return words_key(in, out, err) &&
               words_bytes(in, "the size in bytes", INT64_MAX, &out->amount, err);
    }
    if (!words_slots(in, out, err)) {
        return false;
    }
    if (words_skip(in, "finish")) {
        out->mode = SHIFT_MODE_FINISH;
        return true;
    }
    if (words_skip(in, "stop")) {
        out->mode = SHIFT_MODE_STOP;
        return true;
    }
    out->mode = SHIFT_MODE_GO;
    if (!words_node(in, 'S', &out->shard, err)) {
        return false;
    }
    out->pick = words_skip(in, "open");
    return out->pick != 0 || !words_left(in) || words_number(in, "keys a second", &out->rate, err);
}

static bool parse_dual(struct words *in, struct command *out, struct err *err)
{
    if (!words_slots(in, out, err)) {
        return false;
    }
    if (words_skip(in, "stop")) {
        out->mode = DUAL_MODE_STOP;
        return true;
    }
    if (!words_node(in, 'S', &out->shard, err)) {
        return false;
    }
    if (!words_skip(in, "backfill")) {
        out->mode = DUAL_MODE_ON;
        out->pick = words_skip(in, "parallel");
        return true;
    }
    out->mode = DUAL_MODE_BACKFILL;
    if (!words_number(in, "keys a second", &out->rate, err)) {
        return false;
    }
    out->pick = words_skip(in, "absent");
    return true;
}

static bool parse_switch(struct words *in, struct command *out, struct err *err)
{
    static const char *const steps[] = {
        [SWITCH_MODE_READS] = "reads",
        [SWITCH_MODE_DONE] = "done",
        [SWITCH_MODE_BACK] = "back",
    };
    return words_slots(in, out, err) &&
           words_choice(in, "reads, done or back", steps, sizeof steps / sizeof steps[0],
                        &out->mode, err);
}

static void say_slot(const struct command *c, struct str *out)
{
    str_addf(out, " %u", c->first);
    if (c->last != c->first) {
        str_addf(out, "-%u", c->last);
    }
}

static void say_shift(const struct command *c, struct str *out)
{
    if (c->mode == SHIFT_MODE_SIZE) {
        str_add(out, " size ");
        say_key_text(c->key, c->key_length, out);
        str_addf(out, " %llu", (unsigned long long)c->amount);
        return;
    }
    say_slot(c, out);
    if (c->mode != SHIFT_MODE_GO) {
        str_add(out, c->mode == SHIFT_MODE_FINISH ? " finish" : " stop");
        return;
    }
    str_addf(out, " S%u", c->shard);
    if (c->pick != 0) {
        str_add(out, " open");
    } else if (c->rate > 0) {
        str_addf(out, " %u", c->rate);
    }
}

static void say_dual(const struct command *c, struct str *out)
{
    say_slot(c, out);
    if (c->mode == DUAL_MODE_STOP) {
        str_add(out, " stop");
        return;
    }
    str_addf(out, " S%u", c->shard);
    if (c->mode == DUAL_MODE_BACKFILL) {
        str_addf(out, " backfill %u%s", c->rate, c->pick != 0 ? " absent" : "");
    } else if (c->pick != 0) {
        str_add(out, " parallel");
    }
}

static void say_switch(const struct command *c, struct str *out)
{
    static const char *const steps[] = {
        [SWITCH_MODE_READS] = " reads",
        [SWITCH_MODE_DONE] = " done",
        [SWITCH_MODE_BACK] = " back",
    };
    CHECK(c->mode < sizeof steps / sizeof steps[0]);
    say_slot(c, out);
    str_add(out, steps[c->mode]);
}

const struct command_form *command_form_of_shifts(enum command_kind kind)
{
    static const struct command_form shift = {
        "shift",
        "shift SLOT S4 [KEYS_A_SECOND|open] | shift SLOT finish|stop | shift size KEY BYTES",
        "one key after the other goes to another shard (ASK); then: finish",
        "KEYS_A_SECOND: 100 if left out; open: no key goes yet\n"
        "finish: the new shard claims the slot, when no key is left; stop: no further key goes\n"
        "size: how large a key is; BYTES may have a unit: 64KB, 200MB, 1GB",
        parse_shift,
        say_shift};
    static const struct command_form dual = {
        "dual",
        "dual SLOT S4 [parallel] | dual SLOT S4 backfill RATE [absent] | dual SLOT stop",
        "writes go to both shards, a backfill copies the rest; then: switch",
        "parallel: both at the same time; left out: first the old shard, then S4\n"
        "backfill RATE: what was there before is copied, RATE keys a second\n"
        "absent: only where S4 has nothing\n"
        "stop: S4's copy is dropped, before the switch",
        parse_dual,
        say_dual};
    static const struct command_form flip = {
        "switch",
        "switch SLOT reads|done|back",
        "after dual writes and a backfill: the new shard answers",
        "reads: it answers reads, when both hold the same\n"
        "done: the old shard is written no more\n"
        "back (before done): the old one answers reads again, when both hold the same",
        parse_switch,
        say_switch};
    if (kind == COMMAND_SHIFT) {
        return &shift;
    }
    CHECK(kind == COMMAND_DUAL || kind == COMMAND_SWITCH);
    return kind == COMMAND_DUAL ? &dual : &flip;
}
