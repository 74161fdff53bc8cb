/*
 * rule: what makes the protocols right, each demand by its name; each can be switched off.
 *
 * A set of rules is a mask of bits. The cores take the mask as it is in force and decide by it, in
 * a world that plays as in the checker that searches.
 */
#ifndef HOTSHARD_PROTO_RULE_H
#define HOTSHARD_PROTO_RULE_H

#include <stdbool.h>
#include <stdint.h>

enum rule {
    /* routing */
    RULE_SLOT_TABLE_CHECK,   /* a shard looks into its slot table before it serves */
    RULE_RELOAD_ON_MOVED,    /* a router that was told MOVED fetches the map before it goes on */
    RULE_ONCE_PER_OPERATION, /* a shard applies an operation that is sent again only once */
    /* the move of a slot: fence and flip */
    RULE_FENCE,                /* the source stops serving before the directory commits */
    RULE_FENCE_COVERS_READS,   /* the fence stops reads too */
    RULE_DRAIN_TO_FENCE,       /* the commit waits until the target applied the fence entry */
    RULE_TARGET_WAITS,         /* the target serves only after the commit */
    RULE_SNAPSHOT_POSITION,    /* a copy is stamped with the position it was really taken at */
    RULE_COMPARE_BEFORE_FENCE, /* both sides are compared by position before the fence */
    RULE_CHECK_AND_APPEND,     /* slot table check and log append are one step */
    RULE_DURABLE_FENCE,        /* the fence is in the log: it survives a restart of the source */
    RULE_ABORT_BEFORE_COMMIT,  /* a move can be dropped before the commit only */
    /* key by key */
    RULE_ASK_FOR_MISSING, /* a key that is not here any more is answered ASK, not "no such key" */
    RULE_ASKING_NEEDED,   /* the target serves an arriving slot only to those who say ASKING */
    RULE_ATOMIC_KEY_MOVE, /* a key is at one side, or in one hand-over, never at both */
    RULE_ASK_KEEPS_MAP,   /* ASK sends one request there and leaves the router's map alone */
    RULE_TRY_AGAIN_ON_SPLIT, /* several keys, some here, some there: TRYAGAIN */
    RULE_CLOSE_WHEN_EMPTY,   /* the slot is handed over only when the source holds none of it */
    /* dual writes */
    RULE_NEWER_ONLY,            /* both stores apply a version only over an older one */
    RULE_DUAL_BEFORE_BACKFILL,  /* double writing is on before the backfill begins to read */
    RULE_COMPARE_BEFORE_SWITCH, /* reads switch only after both stores compared equal */
    /* micro-cache */
    RULE_SINGLE_FLIGHT,        /* one fetch a router and key at a time; others wait for it */
    RULE_BOUNDED_AGE,          /* an entry older than the stale bound is not served */
    RULE_AGE_FROM_READ,        /* the age counts from before the source was read */
    RULE_DROP_ON_EDIT,         /* a router drops its entry when it sees an edit of the key */
    RULE_FILL_NOT_ACROSS_EDIT, /* a fetch begun before an edit is not kept, nor waited for later */
    /* coalescing */
    RULE_JOIN_BEFORE_WRITE, /* a read joins a query only if no write completed since it began */
    RULE_ONE_ROUTER_A_KEY,  /* all requests of a coalesced key pass one router */
    /* pre-aggregation and rebuild */
    RULE_ABSOLUTE_FLUSH,     /* a flush carries the total, not the difference */
    RULE_FLUSH_SEQUENCE,     /* a sub-key takes a flush only with a higher sequence */
    RULE_CLAIM_ON_RESTART,   /* a restarted router first makes its sub-key its own */
    RULE_DURABLE_BEFORE_ACK, /* a like is in `liked` before its client is told OK */
    RULE_RECOUNT_AT_FLUSHED, /* a rebuild leaves out what routers still hold in their buffers */
    /* budgets and balances */
    RULE_LEASE_ONCE,      /* a block of tokens is taken off the budget before it is spent */
    RULE_DEBIT_MAIN_ONLY, /* debits come from the main account alone, where the floor is checked */
    RULE_SWEEP_ATOMIC,    /* what leaves a stripe reaches the account once, as if in one step */
    /* two-phase commit */
    RULE_ALL_VOTES_NEEDED,   /* the coordinator commits only with a yes of every participant */
    RULE_LOG_DECISION_FIRST, /* "commit" is in the coordinator's log before anybody is told */
    RULE_NO_LONE_ABORT,      /* a prepared participant never aborts of its own accord */
    RULE_NO_LONE_COMMIT,     /* ... nor commits */
    RULE_VOTE_AFTER_PREPARE, /* a participant is prepared, in its log, before it votes yes */
    RULE_DECIDE_ONCE,        /* the coordinator never decides a second time */
    RULE_PRESUMED_ABORT,     /* a coordinator that knows nothing of it says "abort" */
    /* sagas */
    RULE_SAGA_LOG_FIRST,         /* what comes next is in the saga's log before it is sent */
    RULE_COMPENSATE_ONCE,        /* a compensation that is sent again is done once */
    RULE_COMPENSATION_BARS_STEP, /* one that finds no step bars the step from running later */
    RULE_COMPENSATE_IN_REVERSE,  /* the last step is taken back first */
    /* a leader and its replicas */
    RULE_ACK_NEEDS_MAJORITY,      /* a write is acknowledged when a majority has it in its log */
    RULE_ELECTION_NEEDS_MAJORITY, /* a candidate leads with the votes of a majority */
    RULE_VOTE_FOR_LONGER_LOG,     /* ... for a log that is as far as the voter's, or farther */
    RULE_REFUSE_OLD_TERM,         /* a replica refuses what comes from an older term */
    RULE_DURABLE_VOTE,            /* term and vote survive a restart */
    RULE_VOTES_COUNT_ONCE,        /* a vote that comes again is not counted again */
    /* a query over all shards */
    RULE_ONE_EPOCH_A_SLOT,    /* answers that have a slot from two epochs are not merged */
    RULE_MARK_PARTIAL,        /* a result that lacks a slot says so */
    RULE_FIRST_ANSWER_COUNTS, /* a second answer to the same question is dropped */
    RULE_COUNT
};

#define RULES_ALL ((UINT64_C(1) << RULE_COUNT) - 1)

_Static_assert(RULE_COUNT < 64, "a set of rules is one word");

static inline uint64_t rule_bit(enum rule rule)
{
    return UINT64_C(1) << rule;
}

static inline bool rule_on(uint64_t rules, enum rule rule)
{
    return (rules >> rule & 1) != 0;
}

const char *rule_name(enum rule rule);  /* "slot-table-check" */
const char *rule_about(enum rule rule); /* one sentence: what it demands */
bool rule_by_name(const char *name, enum rule *rule);

#endif
