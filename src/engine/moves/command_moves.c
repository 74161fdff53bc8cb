/*
 * command_moves: the text forms of the live move (moves.h).
 *
 *   migrate SLOT S4 BYTES [RATE] [reverse]   begins: a copy of BYTES at RATE bytes a second (what
 *                  the budget gives, without one); "reverse": after the commit the source's copy is
 *                  kept as new as the target's, until the cleanup
 *   fence SLOT     the source stops serving; the commit follows by itself
 *   cleanup SLOT   the source's copy is deleted
 *   abort SLOT     before the commit: the target is dropped
 *   rollback SLOT  after it: a move back begins, which needs its own fence
 *   budget RATE    bytes a second, shared evenly by all copies under way; 0: none
 *   disk S2 RATE   bytes a second that its disk does: copies slow its requests down; 0: not at all
 *   applies S4 RATE  entries of a tail that it applies a second; 0: each as it comes
 * Bytes may have a decimal unit (64KB, 200MB, 1GB) and are said back without.
 */
#include "base/check.h"
#include "engine/words/command_words.h"

static bool parse_slot(struct words *in, struct command *out, struct err *err)
{
    return words_slot(in, out, err);
}

/* Bytes a second. */
static bool parse_rate(struct words *in, const char *what, uint32_t *out, struct err *err)
{
    uint64_t rate = 0;
    if (!words_bytes(in, what, UINT32_MAX, &rate, err)) {
        return false;
    }
    *out = (uint32_t)rate;
    return true;
}

static bool parse_migrate(struct words *in, struct command *out, struct err *err)
{
    if (!words_slot(in, out, err) || !words_node(in, 'S', &out->shard, err) ||
        !words_bytes(in, "the size in bytes", INT64_MAX, &out->amount, err)) {
        return false;
    }
    out->on = words_skip(in, "reverse");
    if (out->on || !words_left(in)) {
        return true;
    }
    if (!parse_rate(in, "the rate", &out->rate, err)) {
        return false;
    }
    out->on = words_skip(in, "reverse");
    return true;
}

static bool parse_budget(struct words *in, struct command *out, struct err *err)
{
    return parse_rate(in, "the budget", &out->rate, err);
}

static bool parse_disk(struct words *in, struct command *out, struct err *err)
{
    return words_node(in, 'S', &out->shard, err) && parse_rate(in, "the disk", &out->rate, err);
}

static bool parse_applies(struct words *in, struct command *out, struct err *err)
{
    return words_node(in, 'S', &out->shard, err) &&
           words_number(in, "entries a second", &out->rate, err);
}

static void say_shard_rate(const struct command *c, struct str *out)
{
    str_addf(out, " S%u %u", c->shard, c->rate);
}

static void say_slot(const struct command *c, struct str *out)
{
    str_addf(out, " %u", c->first);
    if (c->last != c->first) {
        str_addf(out, "-%u", c->last);
    }
}

static void say_migrate(const struct command *c, struct str *out)
{
    say_slot(c, out);
    str_addf(out, " S%u %llu", c->shard, (unsigned long long)c->amount);
    if (c->rate > 0) {
        str_addf(out, " %u", c->rate);
    }
    str_add(out, c->on ? " reverse" : "");
}

static void say_budget(const struct command *c, struct str *out)
{
    str_addf(out, " %u", c->rate);
}

const struct command_form *command_form_of_moves(enum command_kind kind)
{
    static const struct command_form forms[] = {
        {"migrate", "migrate SLOT S4 BYTES [RATE] [reverse]",
         "a slot begins to move to another shard while it is used; then: fence",
         "SLOT: one slot\n"
         "BYTES: how much is copied; units: 64KB, 200MB, 1GB\n"
         "RATE: bytes a second, units as well; may be left out after `budget`\n"
         "reverse: after the commit the old copy is kept as new as the new one",
         parse_migrate, say_migrate},
        {"fence", "fence SLOT",
         "when the copy is done: the old shard stops serving; then the commit", NULL, parse_slot,
         say_slot},
        {"cleanup", "cleanup SLOT", "after the commit: the old copy is deleted", NULL, parse_slot,
         say_slot},
        {"abort", "abort SLOT", "before the commit: the new copy is dropped", NULL, parse_slot,
         say_slot},
        {"rollback", "rollback SLOT",
         "after the commit: a move back begins; it needs its own fence", NULL, parse_slot,
         say_slot},
        {"budget", "budget RATE", "what all copies together may take",
         "RATE: bytes a second, shared evenly; units: 3MB; "
         "0: no budget",
         parse_budget, say_budget},
        {"disk", "disk S2 RATE", "what a shard's disk can do: copies then slow its requests down",
         "RATE: bytes a second, units: 200MB; 0: copies cost its requests nothing\n"
         "a copy of half as much makes each query twice as long, and each take two of the ceiling",
         parse_disk, say_shard_rate},
        {"applies", "applies S4 RATE",
         "how fast a shard follows the log of a slot that moves to it",
         "RATE: entries a second; 0: each as it comes\n"
         "what is written while a slot is copied to it then waits in the tail",
         parse_applies, say_shard_rate},
    };
    CHECK(kind >= COMMAND_MIGRATE && kind <= COMMAND_APPLIES);
    return &forms[kind - COMMAND_MIGRATE];
}
