/*
 * command_say: the text form of a command; command_parse reads it back to the same.
 */
#include "base/check.h"
#include "engine/words/command_words.h"

static void say_slots(const struct command *c, struct str *out)
{
    str_addf(out, "%u", c->first);
    if (c->last != c->first) {
        str_addf(out, "-%u", c->last);
    }
}

static const char *on_off(const struct command *c)
{
    return c->on ? "on" : "off";
}

static void say_flow(const struct command *c, struct str *out)
{
    str_addf(out, "flow %s ", op_name(c->op));
    say_key_text(c->key, c->key_length, out);
    str_addf(out, " %u", c->rate);
    if (c->arrivals == ARRIVALS_SCATTERED) {
        str_add(out, " scattered");
    } else if (c->arrivals == ARRIVALS_POISSON) {
        str_add(out, " poisson");
    }
    if (c->count > 0) {
        str_addf(out, " over %u", c->count);
    }
}

static void say_request(const struct command *c, struct str *out)
{
    str_addf(out, "request %s ", op_name(c->op));
    say_key_text(c->key, c->key_length, out);
    if ((c->op == OP_CREDIT || c->op == OP_DEBIT) && c->amount > 1) {
        str_addf(out, " %llu", (unsigned long long)c->amount);
    }
    str_addf(out, " via R%u", c->router);
    if (c->zone != ZONE_ANY) {
        str_addf(out, " from %c", 'a' + c->zone);
    }
}

static void say_rule(const struct command *c, struct str *out)
{
    str_addf(out, "rule %s %s", rule_name(c->rule), on_off(c));
}

static void say_deaf(const struct command *c, struct str *out)
{
    str_addf(out, "deaf R%u %s", c->router, on_off(c));
}

static void say_reload(const struct command *c, struct str *out)
{
    str_addf(out, "reload R%u", c->router);
}

static void say_move(const struct command *c, struct str *out)
{
    str_add(out, "move ");
    say_slots(c, out);
    str_addf(out, " S%u", c->shard);
}

static void say_freeze(const struct command *c, struct str *out)
{
    str_add(out, "freeze ");
    say_slots(c, out);
    str_addf(out, " S%u %s", c->shard, on_off(c));
}

static void say_shard_add(const struct command *c, struct str *out)
{
    str_add(out, "shard add");
    if (c->zone != ZONE_ANY) {
        str_addf(out, " %c", 'a' + c->zone);
    }
}

static void say_ceiling(const struct command *c, struct str *out)
{
    str_addf(out, "ceiling S%u %u %u", c->shard, c->writes, c->reads);
    if (c->queue > 0) {
        str_addf(out, " %u", c->queue);
    }
}

void command_say(const struct command *c, struct str *out)
{
    static void (*const say[COMMAND_READS])(const struct command *c, struct str *out) = {
        [COMMAND_REQUEST] = say_request, [COMMAND_FLOW] = say_flow,
        [COMMAND_RULE] = say_rule,       [COMMAND_DEAF] = say_deaf,
        [COMMAND_RELOAD] = say_reload,   [COMMAND_MOVE] = say_move,
        [COMMAND_FREEZE] = say_freeze,   [COMMAND_SHARD_ADD] = say_shard_add,
        [COMMAND_CEILING] = say_ceiling,
    };
    CHECK(c->kind < COMMAND_KINDS);
    if (c->kind < COMMAND_READS) {
        say[c->kind](c, out);
        return;
    }
    const struct command_form *form = command_form_of(c->kind);
    str_add(out, form->name);
    form->say(c, out);
}
