/*
 * accounts: budgets and balances, and the index entry that a write brings with it.
 *
 * Balance (command `account`; proto/stripe.h): OP_CREDIT goes to a stripe, in turn, OP_DEBIT to the
 * main account alone, which never falls below its floor; a sweeper (command `sweep`) empties the
 * stripes into the main account. A credit can be spent only after the sweep. The sweeper writes
 * down what it is about to do; its steps go through any router that is up, and are repeated until
 * they are answered.
 *
 * Budget (command `lease`; proto/lease.h): OP_TAKE spends one token of so many a second. Routers
 * lease blocks; with blocks of one, each take asks the shard.
 *
 * Index (command `index`): each write of a key brings a write (a like) of the index key with it,
 * sent by the router when the write reaches it, and counted at the index key's own shard. It can be
 * salted like any other key. See enum index_mode for what happens when its shard refuses.
 *
 * Each has a row in a table of config.accounts_max rows, for good; each router has a spot a row.
 * Amounts are 1 to AMOUNT_MAX; a request's is kept in its `link`.
 */
#ifndef HOTSHARD_ENGINE_ACCOUNTS_H
#define HOTSHARD_ENGINE_ACCOUNTS_H

#include "base/digest.h"
#include "base/err.h"
#include "base/str.h"
#include "engine/command.h"
#include "engine/event.h"
#include "engine/trace.h"

struct world;
struct request;

#define STRIPES_MAX 16
#define AMOUNT_MAX (UINT32_MAX - 1)

enum account_kind {
    ACCOUNT_BALANCE,
    ACCOUNT_BUDGET,
    ACCOUNT_INDEX
};

enum index_mode {
    INDEX_ASYNC,    /* the write goes on at once; the entry is tried again, and lags meanwhile */
    INDEX_SYNC,     /* the entry first, then the write; the client is told when both are done */
    INDEX_THROTTLE, /* as async, but while entries of a router are refused, so are its writes (as
                       DynamoDB throttles a table whose index cannot keep up) */
    INDEX_MODES
};

struct accounts_state {
    uint32_t count; /* rows in use */
};

bool accounts_apply(struct world *w, const struct command *c, struct err *err);

/* A client's OP_CREDIT, OP_DEBIT or OP_TAKE has reached its router. True: it is taken care of. */
bool accounts_take(struct world *w, uint32_t request);
/* A client's write of a key with an index (key_entry.index) has reached its router. True: it waits
 * for the entry, or was refused; else it goes on. */
bool accounts_index(struct world *w, uint32_t request);
/* A request of the router's own (ORIGIN_ACCOUNT, ORIGIN_INDEX) has its answer, or failed. */
void accounts_landed(struct world *w, uint32_t request, enum outcome outcome, uint64_t value);
/* The shard applies OP_CREDIT, OP_DEBIT, OP_TAKE, OP_LEASE, OP_SWEEP. */
enum outcome accounts_serve(struct world *w, uint16_t shard, uint32_t request, uint64_t *value);
/* The number under which a shard remembers what it has decided: the operation, or another one for a
 * debit or take that it declined. */
uint32_t accounts_decision(const struct request *r);
/* The client has its reply, or has given up. */
void accounts_told(struct world *w, uint32_t request, enum outcome outcome);
void accounts_handle(struct world *w, const struct event *event); /* JOB_SWEEP */
void accounts_crash(struct world *w, uint16_t router);            /* leased tokens are gone */
bool accounts_hold(const struct world *w, struct err *err);       /* invariants */

/* What one row holds now, by the stores of the slots' owners. */
struct account_info {
    enum account_kind kind;
    uint32_t key; /* the main account, the budget, the index key */
    /* balance */
    uint32_t stripes;
    int64_t floor, main, striped, in_transit;
    /* budget, of the present second */
    uint32_t rate, block;
    uint64_t granted, spent;
    /* index */
    enum index_mode mode;
    uint64_t written, missing; /* entries stored; given up */
    uint32_t behind;           /* refused, to be tried again */
};
uint32_t accounts_count(const struct world *w);
struct account_info accounts_info(const struct world *w, uint32_t row);
/* The balance or budget of this key; false if it is none. */
bool accounts_find(const struct world *w, uint32_t key, struct account_info *out);

void accounts_lay_out(struct world *plan, uint64_t *end);
void accounts_feed(struct digest *d, const struct world *w);

void accounts_say(const struct world *w, const struct trace_record *r, struct str *out);
void accounts_label(const struct world *w, const struct trace_record *r, struct str *out);
void accounts_why(const struct world *w, const struct trace_record *r, struct str *out);

#endif
