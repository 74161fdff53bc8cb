/*
 * fleet_say: capacity, gossip and zones in words, and why.
 */
#include "base/num.h"
#include "engine/fleet/fleet_inside.h"
#include "engine/words/say.h"
#include <inttypes.h>

static char zone_name(int64_t zone)
{
    return (char)('a' + zone);
}

static void say_command(const struct trace_record *r, struct str *out)
{
    int64_t value = r->operand[1];
    if (r->operand[0] == COMMAND_CAPACITY) {
        if (value == 0) {
            str_add(out, "a router serves whatever comes");
        } else {
            str_addf(out, "a router serves %s requests a second", num_grouped(value).text);
        }
    } else if (r->operand[0] == COMMAND_GOSSIP) {
        if (value == 0) {
            str_add(out, "the directory tells every router of a new map again");
        } else {
            str_addf(out,
                     "each router tells another one its map every %s; the directory tells R%" PRId64
                     " alone",
                     num_span(value).text, r->operand[2]);
        }
    } else if (r->operand[2] == 0) {
        str_addf(out, "zone %c is back", zone_name(value));
    } else {
        str_addf(out, "zone %c is lost; a failover takes %s", zone_name(value),
                 num_span(r->operand[2]).text);
    }
}

void fleet_say(const struct world *w, const struct trace_record *r, struct str *out)
{
    (void)w;
    if (r->kind == TRACE_COMMAND) {
        say_command(r, out);
        return;
    }
    switch (r->reason) {
    case REASON_FLEET_FULL:
        str_addf(out, ", it serves %s a second", num_grouped(r->operand[2]).text);
        return;
    case REASON_FLEET_TELLS:
        str_addf(out, "gossip: I have map version %" PRId64, r->operand[0]);
        return;
    case REASON_FLEET_ANSWERS:
        str_addf(out, "gossip: mine is newer, here is version %" PRId64, r->operand[0]);
        return;
    case REASON_FLEET_LEARNS:
        str_addf(out, "has map version %" PRId64 " now, from R%u (had %" PRId64 ")", r->operand[0],
                 r->target, r->operand[1]);
        return;
    case REASON_FLEET_DEAF:
        str_addf(out, "does not hear of map version %" PRId64 ", it keeps %" PRId64, r->operand[0],
                 r->operand[1]);
        return;
    case REASON_FLEET_GOES:
        str_addf(out, "goes down with zone %c", zone_name(r->operand[0]));
        if (r->operand[1] > 0) {
            str_addf(out, ", without a leader for %s", num_span(r->operand[1]).text);
        }
        return;
    case REASON_FLEET_LEADS:
        str_addf(out, "is led from zone %c now, was from zone %c", zone_name(r->operand[0]),
                 zone_name(r->operand[1]));
        return;
    case REASON_FLEET_BACK:
        str_addf(out, "is back with zone %c", zone_name(r->operand[0]));
        return;
    default:
        CHECK(false && "no record of the fleet");
    }
}

void fleet_label(const struct world *w, const struct trace_record *r, struct str *out)
{
    (void)w;
    static const char *const labels[] = {
        [REASON_FLEET_FULL - REASON_FLEET_FIRST] = "full",
        [REASON_FLEET_TELLS - REASON_FLEET_FIRST] = "v",
        [REASON_FLEET_ANSWERS - REASON_FLEET_FIRST] = "mine: v",
        [REASON_FLEET_LEARNS - REASON_FLEET_FIRST] = "now v",
        [REASON_FLEET_DEAF - REASON_FLEET_FIRST] = "unheard v",
        [REASON_FLEET_GOES - REASON_FLEET_FIRST] = "down, zone ",
        [REASON_FLEET_LEADS - REASON_FLEET_FIRST] = "led from ",
        [REASON_FLEET_BACK - REASON_FLEET_FIRST] = "back, zone ",
    };
    if (r->kind == TRACE_COMMAND) {
        static const char *const names[] = {"capacity", "gossip", "zone"};
        str_add(out, names[r->operand[0] - COMMAND_CAPACITY]);
        return;
    }
    str_add(out, labels[r->reason - REASON_FLEET_FIRST]);
    if (r->reason >= REASON_FLEET_TELLS && r->reason <= REASON_FLEET_DEAF) {
        str_addf(out, "%" PRId64, r->operand[0]);
    } else if (r->reason >= REASON_FLEET_GOES) {
        str_addc(out, zone_name(r->operand[0]));
    }
}

static void why_command(const struct trace_record *r, struct str *out)
{
    if (r->operand[0] == COMMAND_CAPACITY) {
        str_add(out, "The operator says what a router can do. What comes beyond it is turned away "
                     "at the router, before any shard hears of it.");
    } else if (r->operand[0] == COMMAND_GOSSIP) {
        str_add(out, r->operand[1] == 0
                         ? "Gossip is off: news come from the directory, to all at once."
                         : "Nobody tells all routers at once: news spread from one to another. "
                           "That is slower than a push to everybody, and nobody needs a list of "
                           "all routers, or a connection to each.");
    } else if (r->operand[2] == 0) {
        str_add(out, "The zone's routers start again with the map that they had, and fetch the "
                     "newest. Shards that are led from elsewhere by now stay there.");
    } else {
        str_add(out, "Everything in the zone is gone at once. Clients turn to routers of other "
                     "zones, and shards that were led here choose a leader elsewhere.");
    }
}

void fleet_why(const struct world *w, const struct trace_record *r, struct str *out)
{
    (void)w;
    if (r->kind == TRACE_COMMAND) {
        why_command(r, out);
        return;
    }
    switch (r->reason) {
    case REASON_FLEET_FULL:
        str_addf(out,
                 "R%u serves %s requests a second, and may save up a tenth of a second of them. "
                 "None was left, so it turns this one away at once; no shard hears of it.",
                 r->from.index, num_grouped(r->operand[2]).text);
        return;
    case REASON_FLEET_TELLS:
        str_addf(out,
                 "It was R%u's moment to gossip: it tells one router, drawn at random, which map "
                 "it has. The older of the two takes the newer.",
                 r->from.index);
        return;
    case REASON_FLEET_ANSWERS:
        str_addf(out,
                 "R%u was told of an older map than its own, so it answers with its own: gossip "
                 "goes both ways.",
                 r->from.index);
        return;
    case REASON_FLEET_LEARNS:
        str_addf(out,
                 "Version %" PRId64 " is newer than version %" PRId64
                 ", so R%u takes it. An older one would change nothing: a map only goes forward.",
                 r->operand[0], r->operand[1], r->from.index);
        return;
    case REASON_FLEET_DEAF:
        str_addf(out, "R%u is deaf: news of a map do not reach it, whoever brings them.",
                 r->from.index);
        return;
    case REASON_FLEET_GOES:
        str_addf(out, "Zone %c is lost, with everything in it. %s", zone_name(r->operand[0]),
                 r->from.kind == NODE_ROUTER
                     ? "What this router had in its hands fails; clients turn to the routers of "
                       "other zones."
                     : "The leader of this shard was there. Its copies in other zones have the "
                       "data, and one of them will lead; until then nobody serves it.");
        return;
    case REASON_FLEET_LEADS:
        str_addf(out,
                 "Its data has copies in other zones. The failover is over, and the next zone in "
                 "turn that is up leads it: zone %c.",
                 zone_name(r->operand[0]));
        return;
    case REASON_FLEET_BACK:
        str_addf(out, "Zone %c is back. %s", zone_name(r->operand[0]),
                 r->from.kind == NODE_ROUTER
                     ? "The router starts again with the map that it had, and fetches the newest."
                     : "The shard had no leader elsewhere yet, so this zone leads it.");
        return;
    default:
        CHECK(false && "no record of the fleet");
    }
}
