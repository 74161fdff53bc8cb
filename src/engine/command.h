/*
 * command: everything that changes a world, as a small typed value.
 *
 * A lesson step, a learner's key press and a fault are all commands. A command also has a text form
 * of a few words, which the journal stores and the ':' line of the screens accepts:
 *
 *   request read|like|edit KEY via R3 [from a|b|c]
 *   request credit|debit KEY [AMOUNT] via R3 [from a|b|c]   of an account; take KEY: of a budget
 *   flow read|like|edit KEY RATE [steady|scattered|poisson]   through all routers; RATE 0 ends it
 *   flow read user:* RATE [...] over N   the same, each request for one of N keys, at random; the
 *                                   star stands for 0 to N-1
 *   rule NAME on|off
 *   deaf R5 on|off                  the router stops (or goes on) hearing of new maps
 *   reload R5                       the router fetches the map now
 *   move FIRST-LAST S4              an operator's shortcut: data, plan and tables in one instant
 *   freeze FIRST-LAST S2 on|off     the rows of this owner say "migrating" (or "owned" again)
 *   shard add [a|b|c]               an empty shard joins
 *   ceiling S2 WRITES READS [QUEUE]
 *
 * What people type may also be a request in short, "like KEY": see command_parse_typed.
 *
 * What hot keys, guards, moves and faults add is listed where it is done: command_reads.c,
 * command_writes.c, command_accounts.c, command_guards.c, command_moves.c, command_shifts.c,
 * command_queries.c, command_txns.c, command_indexes.c, command_nodes.c, command_copies.c,
 * command_quorums.c, command_watch.c, command_fleet.c, command_systems.c, command_faults.c.
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
    /* reads.h */
    COMMAND_READS,    /* how routers treat reads of a key */
    COMMAND_REPLICAS, /* how many copies of a shard answer reads */
    /* writes.h */
    COMMAND_WRITES,  /* how routers treat writes of a key */
    COMMAND_REBUILD, /* recounts a key from `liked` and writes the correction */
    /* accounts.h */
    COMMAND_INDEX,   /* writes of a key bring an index entry with them, or no longer */
    COMMAND_ACCOUNT, /* a balance with stripes and a floor */
    COMMAND_SWEEP,   /* moves what stripes hold into the account */
    COMMAND_LEASE,   /* a budget that routers lease in blocks */
    /* guards.h */
    COMMAND_LIMIT,   /* a key's or tenant's budget at the routers */
    COMMAND_TENANT,  /* whose a key is */
    COMMAND_CLIENTS, /* what clients do when they are refused */
    COMMAND_BREAKER,
    COMMAND_SHED,
    COMMAND_SHARE, /* a tenant's share of a router */
    COMMAND_SAMPLE,
    /* moves.h */
    COMMAND_MIGRATE, /* a slot begins to move, live */
    COMMAND_FENCE,   /* the next step of it that somebody has to ask for ... */
    COMMAND_CLEANUP,
    COMMAND_ABORT,
    COMMAND_ROLLBACK,
    COMMAND_BUDGET,  /* bandwidth of all moves together */
    COMMAND_DISK,    /* what a shard's disk can do: copies slow its requests down */
    COMMAND_APPLIES, /* how many entries of a tail it applies a second */
    /* shifts.h */
    COMMAND_DUAL,   /* dual writes with a backfill */
    COMMAND_SWITCH, /* reads go to the new store; then the old one is written no more */
    COMMAND_SHIFT,  /* key by key with ASK */
    /* queries.h */
    COMMAND_QUERY,   /* a query over all shards, and how it is asked */
    COMMAND_GATHER,  /* asks it, once or so many times a second */
    COMMAND_POPULAR, /* computes it once a period, for everybody */
    COMMAND_TIMES,   /* how long shards take for their parts */
    /* txns.h */
    COMMAND_ROW,         /* sets a row that transactions change */
    COMMAND_TXN,         /* a transaction over several rows */
    COMMAND_COORDINATOR, /* where the next coordinator dies */
    /* indexes.h */
    COMMAND_CATALOG, /* rows with an index, local or global */
    COMMAND_PUT,     /* a row gets a term */
    COMMAND_FIND,    /* all rows of a term */
    /* nodes.h */
    COMMAND_NODE,  /* machines that hold copies: join, die, come back */
    COMMAND_SPLIT, /* a cut in their network */
    COMMAND_HEAL,  /* and no cut any more */
    /* copies.h */
    COMMAND_GROUP,  /* a partition with its copies */
    COMMAND_APPEND, /* a write to its leader */
    COMMAND_LOOK,   /* a read of one copy */
    COMMAND_STAND,  /* a copy stands for leader */
    COMMAND_RECOPY, /* copies that are missing are made anew */
    /* quorums.h */
    COMMAND_STORE, /* a store without leaders: N, W, R */
    COMMAND_SET,   /* a write */
    COMMAND_GET,   /* a read */
    /* watch.h */
    COMMAND_BEATS, /* heartbeats, and who is believed dead */
    /* fleet.h */
    COMMAND_CAPACITY, /* what a router can serve */
    COMMAND_GOSSIP,   /* routers tell each other the map */
    COMMAND_ZONE,     /* a zone goes away, or is back */
    /* systems.h */
    COMMAND_SYSTEM, /* pick: which (SYSTEM_ALL); mode: enum system_verb; count, first: its numbers
                     */
    COMMAND_SERIES, /* writes of keys that only grow */
    /* faults.h */
    COMMAND_NETWORK,   /* how often messages are lost, doubled, held up */
    COMMAND_CRASH,     /* a router or shard dies, and comes back after a while */
    COMMAND_HOLD,      /* the messages of one request are held up */
    COMMAND_PATIENCE,  /* how long routers and clients wait for an answer */
    COMMAND_DIRECTORY, /* the directory goes away, or is back */
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
    /* by command, see where it is done */
    uint64_t amount;
    int64_t period_us, bound_us;
    uint32_t count;
    uint8_t mode, pick, place;
    uint8_t key_length; /* request, flow, and what is about a key */
    uint8_t other_length, third_length;
    char key[KEY_BYTES_MAX];
    char other[KEY_BYTES_MAX]; /* a second key, or a name */
    char third[KEY_BYTES_MAX]; /* txn: the third row */
};

#define ZONE_ANY UINT8_MAX

struct command command_request(enum op_kind op, struct bytes key, uint16_t router);
struct command command_flow(enum op_kind op, struct bytes key, uint32_t rate,
                            enum arrivals arrivals);

/* First words may be written in capitals too. */
bool command_parse(const char *text, struct command *out, struct err *err);
/* For what people type: "like KEY [via R3] [from a]" is short for a request as well, through
 * `router` unless one is said. */
bool command_parse_typed(const char *text, uint16_t router, struct command *out, struct err *err);
void command_say(const struct command *c,
                 struct str *out); /* the text form; parses back to the same */

#endif
