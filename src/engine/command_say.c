/*
 * command_say: the text form of a command; command_parse reads it back to the same.
 */
#include "base/check.h"
#include "engine/command.h"

static void say_key(const struct command *c, struct str *out)
{
    for (uint32_t i = 0; i < c->key_length && i < KEY_BYTES_MAX; i++) {
        unsigned char byte = (unsigned char)c->key[i];
        if (byte <= ' ' || byte == '%' || byte >= 0x7F) {
            str_addf(out, "%%%02X", byte);
        } else {
            str_addc(out, (char)byte);
        }
    }
}

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
    say_key(c, out);
    str_addf(out, " %u", c->rate);
    if (c->arrivals == ARRIVALS_SCATTERED) {
        str_add(out, " scattered");
    } else if (c->arrivals == ARRIVALS_POISSON) {
        str_add(out, " poisson");
    }
}

static void say_request(const struct command *c, struct str *out)
{
    str_addf(out, "request %s ", op_name(c->op));
    say_key(c, out);
    str_addf(out, " via R%u", c->router);
    if (c->zone != ZONE_ANY) {
        str_addf(out, " from %c", 'a' + c->zone);
    }
}

void command_say(const struct command *c, struct str *out)
{
    switch (c->kind) {
    case COMMAND_REQUEST:
        say_request(c, out);
        return;
    case COMMAND_FLOW:
        say_flow(c, out);
        return;
    case COMMAND_RULE:
        str_addf(out, "rule %s %s", rule_name(c->rule), on_off(c));
        return;
    case COMMAND_DEAF:
        str_addf(out, "deaf R%u %s", c->router, on_off(c));
        return;
    case COMMAND_RELOAD:
        str_addf(out, "reload R%u", c->router);
        return;
    case COMMAND_MOVE:
        str_add(out, "move ");
        say_slots(c, out);
        str_addf(out, " S%u", c->shard);
        return;
    case COMMAND_FREEZE:
        str_add(out, "freeze ");
        say_slots(c, out);
        str_addf(out, " S%u %s", c->shard, on_off(c));
        return;
    case COMMAND_SHARD_ADD:
        str_add(out, "shard add");
        if (c->zone != ZONE_ANY) {
            str_addf(out, " %c", 'a' + c->zone);
        }
        return;
    case COMMAND_CEILING:
        str_addf(out, "ceiling S%u %u %u", c->shard, c->writes, c->reads);
        if (c->queue > 0) {
            str_addf(out, " %u", c->queue);
        }
        return;
    case COMMAND_KINDS:
        break;
    }
    CHECK(false && "a command of no kind");
}
