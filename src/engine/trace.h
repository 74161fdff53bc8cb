/*
 * trace: what happened, as typed records that can be said as prose, each with its "why".
 *
 * The engine keeps the last trace_max records. A record is one message or one decision; where code
 * decided something, the record carries the decision: the reason (a rule of the code), its operands
 * and which alternatives it rejected. `trace_why` puts that into words; it never guesses.
 */
#ifndef HOTSHARD_ENGINE_TRACE_H
#define HOTSHARD_ENGINE_TRACE_H

#include "base/str.h"
#include "engine/types.h"

enum trace_kind {
    TRACE_ASK,     /* client -> router: a request */
    TRACE_ROUTE,   /* router -> shard: sent where the cached map says */
    TRACE_ANSWER,  /* shard -> router: outcome */
    TRACE_FETCH,   /* router -> directory: the map, please */
    TRACE_MAP,     /* directory -> router: here is version v (asked for, or pushed) */
    TRACE_WAIT,    /* router waits before it tries again */
    TRACE_REPLY,   /* router -> client: outcome */
    TRACE_PLAN,    /* the directory committed a change of the plan */
    TRACE_TABLE,   /* a shard's slot table changed */
    TRACE_COMMAND, /* the operator did something */
    TRACE_READS,   /* what a router does with a read of a hot key (reads.h) */
    TRACE_WRITES,  /* and with a write; `liked`, flushes, rebuilds, accounts (writes.h) */
    TRACE_ACCOUNT, /* budgets, balances, index entries (accounts.h) */
    TRACE_GUARD,   /* a limit, a breaker, the sample's report (guards.h) */
    TRACE_MOVE,    /* a step of a slot's move (moves.h) */
    TRACE_SHIFT,   /* dual writes, key by key (shifts.h) */
    TRACE_QUERY,   /* a query over all shards (queries.h) */
    TRACE_TXN,     /* transactions (txns.h) */
    TRACE_INDEX,   /* local and global indexes (indexes.h) */
    TRACE_NODE,    /* machines and their network (nodes.h) */
    TRACE_COPY,    /* leaders, terms, copies made anew (copies.h) */
    TRACE_QUORUM,  /* a store without leaders (quorums.h) */
    TRACE_WATCH,   /* heartbeats and suspicion (watch.h) */
    TRACE_FLEET,   /* routers as a fleet (fleet.h) */
    TRACE_SYSTEM,  /* systems that people run (systems.h) */
    TRACE_FAULT,   /* something was lost, held up, or died (faults.h) */
    TRACE_KINDS
};

/* Why: the rule of the code that decided. Operands in trace_record.operand, meaning beside each. */
enum reason {
    REASON_NONE,
    REASON_MAP_SAYS,      /* router: map version, owner's epoch in it */
    REASON_MOVED_SAYS,    /* router follows MOVED without a reload: target shard, epoch */
    REASON_OWNED,         /* shard serves: row epoch, request's epoch, tokens left (whole) */
    REASON_OWNED_OLD_MAP, /* shard serves and says reload: row epoch, request's epoch */
    REASON_NOT_CHECKED,   /* shard serves without looking (rule off): its row's state, row epoch */
    REASON_MIGRATING,     /* shard says retry: row epoch */
    REASON_ROW_MOVED,     /* shard says MOVED: to shard, at epoch */
    REASON_NO_ROW,        /* shard says MOVED to nobody: it has no row */
    REASON_NO_TOKEN, /* shard refuses: ceiling a second, kind (0 writes, 1 reads), queue length */
    REASON_RELOAD_RULE,    /* router fetches the map since MOVED came: its version, shard's epoch */
    REASON_BACK_OFF,       /* router waits: microseconds, attempt number */
    REASON_GAVE_UP,        /* router: attempts made */
    REASON_PUSHED,         /* directory tells a watcher: version */
    REASON_FETCHED,        /* directory answers a fetch: version */
    REASON_DEAF,           /* directory's news did not reach the router: version */
    REASON_OPERATOR,       /* a command */
    REASON_TIMEOUT,        /* router: patience in microseconds, asks made; target: the shard, or
                              SHARD_NONE: it waited for the map */
    REASON_ASK_SAYS,       /* router follows ASK: target shard, epoch */
    REASON_SPLIT_KEYS,     /* router waits since some keys are here and some there: as BACK_OFF */
    REASON_SERVED_IN_MOVE, /* shard serves while the slot moves: row's state, row epoch */
    REASON_NOT_YET_MINE,   /* shard says MOVED to nobody: its copy is not in service yet */
    REASON_KEY_LEFT,       /* shard says ASK: to shard */
    REASON_KEYS_SPLIT,     /* shard says TRYAGAIN */
    REASON_SEEN_BEFORE,    /* shard has applied this operation already: its number */
    /* reads.h: with TRACE_READS, or in a reply */
    REASON_READS_FIRST,
    REASON_READS_LAST = REASON_READS_FIRST + 23,
    /* writes.h */
    REASON_WRITES_FIRST,
    REASON_WRITES_LAST = REASON_WRITES_FIRST + 31,
    /* accounts.h */
    REASON_ACCOUNTS_FIRST,
    REASON_ACCOUNTS_LAST = REASON_ACCOUNTS_FIRST + 15,
    /* guards.h */
    REASON_GUARDS_FIRST,
    REASON_GUARDS_LAST = REASON_GUARDS_FIRST + 23,
    /* moves.h */
    REASON_MOVES_FIRST,
    REASON_MOVES_LAST = REASON_MOVES_FIRST + 39,
    /* shifts.h */
    REASON_SHIFTS_FIRST,
    REASON_SHIFTS_LAST = REASON_SHIFTS_FIRST + 23,
    /* queries.h */
    REASON_QUERIES_FIRST,
    REASON_QUERIES_LAST = REASON_QUERIES_FIRST + 23,
    /* txns.h */
    REASON_TXNS_FIRST,
    REASON_TXNS_LAST = REASON_TXNS_FIRST + 31,
    /* indexes.h */
    REASON_INDEXES_FIRST,
    REASON_INDEXES_LAST = REASON_INDEXES_FIRST + 23,
    /* nodes.h */
    REASON_NODES_FIRST,
    REASON_NODES_LAST = REASON_NODES_FIRST + 15,
    /* copies.h */
    REASON_COPIES_FIRST,
    REASON_COPIES_LAST = REASON_COPIES_FIRST + 39,
    /* quorums.h */
    REASON_QUORUMS_FIRST,
    REASON_QUORUMS_LAST = REASON_QUORUMS_FIRST + 31,
    /* watch.h */
    REASON_WATCH_FIRST,
    REASON_WATCH_LAST = REASON_WATCH_FIRST + 15,
    /* fleet.h */
    REASON_FLEET_FIRST,
    REASON_FLEET_LAST = REASON_FLEET_FIRST + 15,
    /* systems.h */
    REASON_SYSTEMS_FIRST,
    REASON_SYSTEMS_LAST = REASON_SYSTEMS_FIRST + 39,
    /* faults.h */
    REASON_FAULTS_FIRST,
    REASON_FAULTS_LOST = REASON_FAULTS_FIRST, /* a message: enum event_kind */
    REASON_FAULTS_DOUBLED,                    /* the same, microseconds later */
    REASON_FAULTS_HELD_UP,                    /* the same */
    REASON_FAULTS_NODE_DOWN,                  /* it came to a node that is down: event_kind */
    REASON_FAULTS_DIED,                       /* a node: microseconds until it is back */
    REASON_FAULTS_BACK,                       /* a node, and why a router fetches the map then */
    REASON_FAULTS_IN_HAND,                    /* a request fails: its router died with it in hand */
    REASON_FAULTS_ROUTER_DOWN,                /* it fails: its router is down */
    REASON_FAULTS_SHARD_DOWN,                 /* it fails: the shard asked is down */
    REASON_FAULTS_NO_MAP, /* a router asks for the map again: none came in time */
    REASON_FAULTS_LAST = REASON_FAULTS_FIRST + 15,
    REASON_COUNT
};

struct trace_record {
    int64_t time_us;   /* when it happened (a message: when it was sent) */
    int64_t arrive_us; /* a message: when it arrives, the query's time included; else time_us */
    uint64_t sequence; /* 1, 2, 3 ... over the whole run */
    uint64_t request;  /* number, 0 if none */
    uint32_t key;      /* KEY_NONE_ID if none */
    uint32_t slot;
    uint32_t epoch;   /* that the message carries */
    uint32_t version; /* map version that the actor used or carries */
    struct node from, to;
    uint8_t kind;      /* enum trace_kind */
    uint8_t op;        /* enum op_kind */
    uint8_t outcome;   /* enum outcome */
    uint16_t target;   /* MOVED: to whom; TABLE: the new state */
    uint16_t rejected; /* bit per enum outcome that was considered and not taken */
    int64_t operand[3];
    uint64_t value;   /* the counter that an answer carries */
    uint32_t took_us; /* REPLY: from when the request was asked until its answer is there */
    uint16_t reason;  /* enum reason */
    bool own; /* REPLY: to a zone's edge, which asked for its clients: no client's request */
};

struct world;

uint64_t trace_first(const struct world *w); /* oldest sequence kept; trace_next when empty */
uint64_t trace_next(const struct world *w);  /* sequence that comes next */
const struct trace_record *trace_get(const struct world *w, uint64_t sequence); /* NULL if gone */

void node_say(struct node node, struct str *out); /* "R3", "S2", "directory", "client b" */
/* One line: "20:00:01.250500  R3 -> S2  like likes:{p9} (slot 12067)". */
void trace_say(const struct world *w, const struct trace_record *r, struct str *out);
/* The label of the arrow alone: "like p9", "MOVED S4 e8", "OK 41". */
void trace_label(const struct world *w, const struct trace_record *r, struct str *out);
/* One or more sentences: the rule, its operands, what was rejected and why. For a reply of OK the
 * reason of the shard's answer follows, as long as the window holds it. */
void trace_why(const struct world *w, const struct trace_record *r, struct str *out);

#endif
