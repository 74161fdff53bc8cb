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
 */
#include "base/check.h"
#include "engine/command_words.h"

static bool parse_slot(struct words *in, struct command *out, struct err *err)
{
    return words_slots(in, out, err);
}

static bool parse_migrate(struct words *in, struct command *out, struct err *err)
{
    if (!words_slots(in, out, err) || !words_node(in, 'S', &out->shard, err) ||
        !words_amount(in, "the size in bytes", &out->amount, err)) {
        return false;
    }
    out->on = words_skip(in, "reverse");
    if (out->on || !words_left(in)) {
        return true;
    }
    if (!words_number(in, "the rate", &out->rate, err)) {
        return false;
    }
    out->on = words_skip(in, "reverse");
    return true;
}

static bool parse_budget(struct words *in, struct command *out, struct err *err)
{
    return words_number(in, "the budget", &out->rate, err);
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
        [COMMAND_MIGRATE - COMMAND_MIGRATE] = {"migrate", "migrate SLOT S4 BYTES [RATE] [reverse]",
                                               parse_migrate, say_migrate},
        [COMMAND_FENCE - COMMAND_MIGRATE] = {"fence", "fence SLOT", parse_slot, say_slot},
        [COMMAND_CLEANUP - COMMAND_MIGRATE] = {"cleanup", "cleanup SLOT", parse_slot, say_slot},
        [COMMAND_ABORT - COMMAND_MIGRATE] = {"abort", "abort SLOT", parse_slot, say_slot},
        [COMMAND_ROLLBACK - COMMAND_MIGRATE] = {"rollback", "rollback SLOT", parse_slot, say_slot},
        [COMMAND_BUDGET - COMMAND_MIGRATE] = {"budget", "budget RATE", parse_budget, say_budget},
    };
    CHECK(kind >= COMMAND_MIGRATE && kind <= COMMAND_BUDGET);
    return &forms[kind - COMMAND_MIGRATE];
}
