/*
 * terms: the words that the protocols share: operations, answers, and what a slot table says.
 */
#ifndef HOTSHARD_PROTO_TERMS_H
#define HOTSHARD_PROTO_TERMS_H

#include <stdbool.h>
#include <stdint.h>

/* What is asked for. A like adds one to a counter, a read returns it; an edit replaces. Clients ask
 * for those before OP_ASKABLE; routers and jobs ask for the others. */
enum op_kind {
    OP_READ,
    OP_LIKE,
    OP_EDIT,
    OP_CREDIT, /* adds an amount to an account */
    OP_DEBIT,  /* takes an amount from an account that must not fall below its floor */
    OP_TAKE,   /* takes one token of a budget */
    OP_ASKABLE,
    OP_FLUSH = OP_ASKABLE, /* a router's sum for a sub-key */
    OP_CLAIM,              /* a restarted router makes a sub-key its own */
    OP_LEASE,              /* a router takes a block of tokens */
    OP_SWEEP,              /* a sweeper empties a stripe into the account */
    OP_CORRECT,            /* a rebuild writes the correction */
    OP_PREPARE,            /* of a transaction, to the owner of a row: it is asked for its vote, */
    OP_COMMIT,             /* told the coordinator's word, */
    OP_ABORT,
    OP_STEP,  /* asked to do a step at once, */
    OP_BACK,  /* and to take it back */
    OP_PUT,   /* a row of a catalog is written, */
    OP_ENTRY, /* and an entry of its index */
    OP_KINDS
};

static inline bool op_reads(enum op_kind op)
{
    return op == OP_READ;
}

/* A client's operation on a balance or a budget. */
static inline bool op_of_account(enum op_kind op)
{
    return op == OP_CREDIT || op == OP_DEBIT || op == OP_TAKE;
}

/* What a row of a shard's slot table says. */
enum slot_state {
    SLOT_ABSENT,    /* no row: this shard never had the slot */
    SLOT_OWNED,     /* serves it, at this epoch */
    SLOT_MIGRATING, /* fenced: answers "migrating, retry" */
    SLOT_MOVED,     /* answers MOVED to another shard, for ever */
    SLOT_RECEIVING, /* holds a copy that is still catching up; serves nobody */
    SLOT_LEAVING,   /* key by key: serves what is still here, answers ASK for the rest */
    SLOT_ARRIVING,  /* key by key: serves what has come, to those who say ASKING */
    SLOT_STATES
};

/* How a request ended, and what a shard answers. */
enum outcome {
    OUTCOME_NONE, /* not decided yet */
    OUTCOME_OK,
    OUTCOME_OK_RELOAD, /* served; the router's map is older than the shard's row: reload it */
    OUTCOME_MOVED,
    OUTCOME_RETRY,     /* migrating, retry */
    OUTCOME_REFUSED,   /* beyond the ceiling */
    OUTCOME_FAILED,    /* nobody knows: given up, or the node died */
    OUTCOME_ASK,       /* this one key is at another shard already: ask there, once */
    OUTCOME_TRY_AGAIN, /* some of the keys are here and some there */
    OUTCOME_LIMITED,   /* 429: a router's limit for the key or tenant, with Retry-After */
    OUTCOME_SHED,      /* 503: a router turns away what it could not finish */
    OUTCOME_NOT_NEWER, /* a conditional write that found something as new there already */
    OUTCOME_SHORT,     /* the account or the budget has too little left */
    OUTCOME_COUNT
};

const char *op_name(enum op_kind op);
bool op_by_name(const char *name, enum op_kind *op); /* those that clients ask for */
const char *outcome_name(enum outcome outcome);      /* "OK", "MOVED", "migrating, retry", ... */
const char *slot_state_name(enum slot_state state);

#endif
