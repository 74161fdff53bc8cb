/*
 * command: everything that changes a world, as a small typed value.
 *
 * A lesson step, a learner's key press and a fault are all commands. A command also has a text form
 * of a few words, which the journal stores and the ':' line of the screens accepts:
 *
 *   request read|like|edit KEY via R3 [from a|b|c]
 *   flow read|like|edit KEY RATE [steady|scattered|poisson]   through all routers; RATE 0 ends it
 *   rule NAME on|off
 *   deaf R5 on|off                  the router stops (or goes on) hearing of new maps
 *   reload R5                       the router fetches the map now
 *   move FIRST-LAST S4              an operator's shortcut: data, plan and tables in one instant
 *   freeze FIRST-LAST S2 on|off     the rows of this owner say "migrating" (or "owned" again)
 *   shard add [a|b|c]               an empty shard joins
 *   ceiling S2 WRITES READS [QUEUE]
 *
 * One slot may stand for FIRST-LAST. KEY has 1 to KEY_BYTES_MAX bytes and is written with %XX for
 * blanks, '%', control and non-ASCII bytes.
 */
#ifndef HOTSHARD_ENGINE_COMMAND_H
#define HOTSHARD_ENGINE_COMMAND_H

#include "base/err.h"
#include "base/str.h"
#include "engine/types.h"

enum command_kind {
    COMMAND_REQUEST,
    COMMAND_FLOW,
    COMMAND_RULE,
    COMMAND_DEAF,
    COMMAND_RELOAD,
    COMMAND_MOVE,
    COMMAND_FREEZE,
    COMMAND_SHARD_ADD,
    COMMAND_CEILING,
    COMMAND_KINDS
};

struct command {
    enum command_kind kind;
    enum op_kind op;               /* request, flow */
    enum arrivals arrivals;        /* flow */
    enum rule rule;                /* rule */
    bool on;                       /* rule, deaf, freeze */
    uint8_t zone;                  /* request, shard add; 255: the router's, or the next in turn */
    uint16_t router;               /* request, deaf, reload */
    uint16_t shard;                /* move (to), freeze, ceiling */
    uint32_t first, last;          /* move, freeze: slots */
    uint32_t rate;                 /* flow, a second; 0 ends it */
    uint32_t writes, reads, queue; /* ceiling */
    uint8_t key_length;            /* request, flow */
    char key[KEY_BYTES_MAX];
};

#define ZONE_ANY UINT8_MAX

struct command command_request(enum op_kind op, struct bytes key, uint16_t router);
struct command command_flow(enum op_kind op, struct bytes key, uint32_t rate,
                            enum arrivals arrivals);

bool command_parse(const char *text, struct command *out, struct err *err);
void command_say(const struct command *c,
                 struct str *out); /* the text form; parses back to the same */

#endif
