/*
 * command_fleet: the routers as a fleet.
 *
 *   capacity N                    what a router serves a second; 0: whatever comes
 *   gossip MS [from R0]           each router tells another one its map, once in so long; the
 *                                 directory tells R0 alone
 *   gossip off                    the directory tells all routers again
 *   zone a down [MS]              a zone is lost; shards led there are led from the next zone
 *                                 after so long (3,000 ms)
 *   zone a up                     it is back
 */
#include "base/check.h"
#include "engine/fleet/fleet_inside.h"
#include "engine/words/command_words.h"

static bool parse_capacity(struct words *in, struct command *out, struct err *err)
{
    return words_number(in, "requests a second", &out->rate, err);
}

static bool parse_gossip(struct words *in, struct command *out, struct err *err)
{
    if (words_skip(in, "off")) {
        out->mode = FLEET_OFF;
        return true;
    }
    out->mode = FLEET_ON;
    return words_ms(in, "the time between two words in milliseconds", &out->period_us, err) &&
           (!words_skip(in, "from") || words_node(in, 'R', &out->router, err));
}

static bool parse_zone(struct words *in, struct command *out, struct err *err)
{
    static const char *const states[] = {[FLEET_OFF] = "down", [FLEET_ON] = "up"};
    if (!words_zone(in, &out->zone, err) ||
        !words_choice(in, "down or up", states, 2, &out->mode, err)) {
        return false;
    }
    out->period_us = out->mode == FLEET_OFF ? FAILOVER_US : 0;
    return out->mode == FLEET_ON || !words_left(in) ||
           words_ms(in, "the failover's time in milliseconds", &out->period_us, err);
}

static void say_capacity(const struct command *c, struct str *out)
{
    str_addf(out, " %u", c->rate);
}

static void say_gossip(const struct command *c, struct str *out)
{
    str_addc(out, ' ');
    if (c->mode == FLEET_OFF) {
        str_add(out, "off");
        return;
    }
    say_ms(c->period_us, out);
    str_addf(out, " from R%u", c->router);
}

static void say_zone(const struct command *c, struct str *out)
{
    str_addf(out, " %c %s", 'a' + c->zone, c->mode == FLEET_ON ? "up" : "down");
    if (c->mode == FLEET_OFF) {
        str_addc(out, ' ');
        say_ms(c->period_us, out);
    }
}

const struct command_form *command_form_of_fleet(enum command_kind kind)
{
    static const struct command_form forms[] = {
        {"capacity", "capacity N", "what each router serves a second; 0: whatever comes",
         "N: requests a second; what comes beyond is turned away by the router", parse_capacity,
         say_capacity},
        {"gossip", "gossip MS [from R0] | gossip off", "routers tell each other the map",
         "MS: how often each router tells another one, drawn at random\n"
         "from: whom the directory tells of a new map; R0 if left out\n"
         "off: the directory tells every router",
         parse_gossip, say_gossip},
        {"zone", "zone a down [MS] | zone a up", "a zone goes away, or is back",
         "MS: until its shards are led from another zone; 3000 if left out", parse_zone, say_zone},
    };
    CHECK(kind >= COMMAND_CAPACITY && kind <= COMMAND_ZONE);
    return &forms[kind - COMMAND_CAPACITY];
}
