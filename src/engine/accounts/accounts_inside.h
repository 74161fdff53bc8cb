/*
 * accounts_inside: the tables of accounts.h, for its own files.
 */
#ifndef HOTSHARD_ENGINE_ACCOUNTS_INSIDE_H
#define HOTSHARD_ENGINE_ACCOUNTS_INSIDE_H

#include "engine/state.h"
#include "proto/lease.h"
#include "proto/stripe.h"

#define INDEX_BEHIND_MAX 64 /* entries of a router that wait to be tried again */

/* Records of TRACE_ACCOUNT, and replies; operands beside each. */
enum accounts_reason {
    REASON_CREDIT_STRIPED = REASON_ACCOUNTS_FIRST, /* router: stripe, stripes */
    REASON_SUM_READ,       /* router, rule off: sum of all cells, amount, floor */
    REASON_FLOOR,          /* main account: balance, amount, floor */
    REASON_SWEEP_STEP,     /* sweeper: phase, stripe, amount */
    REASON_SWEEP_AGAIN,    /* the same, not the first time */
    REASON_SWEEP_FORGOT,   /* the same, rule off: it begins anew */
    REASON_SWEEP_SEEN,     /* cell: number of the sweep, of the last one seen, amount */
    REASON_SWEPT,          /* sweeper: amount moved by all steps of this round */
    REASON_LEASE_ASKED,    /* router: block, rate, second */
    REASON_LEASE_GOT,      /* router: granted, asked for, 1 if in time */
    REASON_TOKEN_SPENT,    /* reply: asks, shard, tokens left of the block */
    REASON_BUDGET_DRY,     /* reply: asks, shard, tokens a second */
    REASON_INDEX_WITH,     /* router: number of the write that brings it, mode */
    REASON_INDEX_WAITS,    /* router: microseconds, wait number, entries behind */
    REASON_INDEX_GIVEN_UP, /* router: asks made */
    REASON_INDEX_THROTTLES /* reply: asks, shard, entries behind */
};

_Static_assert((int)REASON_INDEX_THROTTLES <= (int)REASON_ACCOUNTS_LAST, "they have that room");

struct account_row {
    struct sweep_core sweep;
    /* The ledger of a balance: what was applied (each request once), and what clients know. */
    int64_t opening, credited, debited;
    int64_t told_credited, told_debited;
    int64_t low; /* the sum was at least this since, and must stay so; at most the floor */
    int64_t floor;
    int64_t period_us; /* of the sweeper; 0: it has none */
    int64_t moved;     /* by this round of the sweeper */
    uint64_t step;     /* number of the request that does the sweeper's step; 0: none does */
    uint64_t overdue;  /* `step` at the last tick */
    uint64_t spent;    /* tokens of `second` */
    uint64_t written, missing;
    uint32_t key;
    uint32_t stripe[STRIPES_MAX]; /* keys */
    uint32_t untrue;              /* debits applied whose clients were told SHORT */
    uint32_t timer;               /* ticks of another timer than this are old */
    uint32_t rate, block;
    uint32_t most, second; /* the highest rate in force in `second` */
    uint8_t kind;          /* enum account_kind */
    uint8_t stripes, made; /* that take credits; that ever did, and are swept */
    uint8_t mode;          /* enum index_mode */
};

/* A router's part in a row. */
struct account_spot {
    struct lease_core lease;
    uint32_t block;       /* the request that asks for one; NO_INDEX: none does */
    uint32_t first, last; /* takes that wait for it, by `link` */
    uint32_t turn;        /* of stripes */
    uint32_t behind;      /* index entries that were refused and wait */
    uint16_t refuser;     /* the shard that refused last */
    uint16_t unused;
};

WORLD_PART(accounts, struct account_row)
WORLD_PART(account_spots, struct account_spot) /* config.routers of them a row */

static inline struct account_spot *account_spot_at(struct world *w, uint32_t row, uint16_t router)
{
    return account_spots_of(w) + (size_t)row * w->config.routers + router;
}

static inline const struct account_spot *account_spot_in(const struct world *w, uint32_t row,
                                                         uint16_t router)
{
    return account_spots_in(w) + (size_t)row * w->config.routers + router;
}

/* The cells of a balance: 0 is the main account, the others are its stripes. */
static inline uint32_t account_cells(const struct account_row *row)
{
    return 1u + row->made;
}

static inline uint32_t account_cell_key(const struct account_row *row, uint32_t cell)
{
    return cell == 0 ? row->key : row->stripe[cell - 1];
}

/* The second that it is, for budgets. */
static inline uint32_t account_second(const struct world *w)
{
    return (uint32_t)(w->now_us / US_PER_SECOND);
}

/* The row of a balance's or budget's key; NULL: it is neither. */
static inline struct account_row *account_row_of(struct world *w, uint32_t key)
{
    uint8_t row = keys_in(w)[key].account;
    return row == 0 ? NULL : accounts_of(w) + (row - 1);
}

/* A key's cell at a shard, and back. */
struct stripe_cell account_cell(const struct world *w, uint16_t shard, uint32_t key);
/* The same at the owner in the plan. */
struct stripe_cell account_cell_owned(const struct world *w, uint32_t key);
/* All cells of a balance together, and what is in transit, at the owners in the plan. */
int64_t account_sum(const struct world *w, const struct account_row *row);
int64_t account_transit(const struct world *w, const struct account_row *row);

/* A record about a row at a node, for the caller to fill in. */
struct trace_record *account_note(struct world *w, struct node from, uint32_t key,
                                  enum accounts_reason reason);

/* A client's request ends as one did that its router sent on its behalf. */
void account_pass_on(struct world *w, uint32_t request, const struct request *from,
                     enum outcome outcome);

/* --- by file --- */

void account_token_wanted(struct world *w, uint32_t request); /* accounts_lease.c */
void account_spend(struct world *w, struct account_row *a);   /* one token, in the ledger */
void account_block_landed(struct world *w, uint32_t request, enum outcome outcome, uint64_t value);
void account_lease_crashed(struct world *w, uint32_t row, uint16_t router);
void account_sweep(struct world *w, uint32_t row); /* accounts_sweep.c */
void account_sweep_landed(struct world *w, uint32_t request, enum outcome outcome, uint64_t value);
void account_index_landed(struct world *w, uint32_t request, enum outcome outcome);

/* "R3"; "take 40 off stripe 2", for the step of a sweep (accounts_say.c). */
void account_say_who(const struct trace_record *r, struct str *out);
void account_say_step(const struct trace_record *r, struct str *out);

#endif
