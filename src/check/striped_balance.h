/*
 * striped_balance: one balance over a main account and stripes, credits, debits and a sweeper, to
 * be searched.
 *
 * What a cell does with a credit, a debit or a sweep's step, and what the sweeper does next, is
 * decided by proto/stripe.h. Each cell (the main account, a stripe) is at a shard of its own. All
 * credits and debits are of 1; 1 is on the main account at first, and the floor is 0.
 *
 * How the steps are cut
 *   - A credit, and its client's hearing of it, is one step at one stripe; so is a debit at the
 * main account, which is taken or declined. Stripes of the same state are alike: the first of them
 * is credited.
 *   - Without debit-main-only a router adds up all cells, in one step: even a sum that is true of
 *     one instant does not help. Then the debit goes to a stripe, which does not look.
 *   - The sweeper looks at a stripe and sends "take so much off" to it; then, told that it is done,
 *     "put so much on" to the main account. Each of the two stays on its way as long as the search
 *     likes. That it lands and that the sweeper hears of it is one step.
 *   - When no answer comes in time (or the sweeper restarts) it sends the step again: a lost reply,
 * a late message and a lost one all look like this to it. What it sent before stays on its way, it
 *     may land at any time, and its answer is not heard. Without sweep-atomic the sweeper forgets
 *     what it was doing instead.
 *   - The network may bring a message twice. With every rule that is what sending again does too.
 *
 * What is judged, always: all cells and what is in transit hold what was credited and not debited,
 * no more and no less; all together never fall below the floor. In transit is what the sweeper has
 * taken off a stripe and not yet put on the main account; without sweep-atomic also what it has
 * forgotten while it was on its way there. And everything can still come to its end: all stripes
 * swept.
 *
 * Each rule shows when it alone is left out; none is redundant.
 */
#ifndef HOTSHARD_CHECK_STRIPED_BALANCE_H
#define HOTSHARD_CHECK_STRIPED_BALANCE_H

#include "check/model.h"
#include "proto/stripe.h"

#define STRIPED_STRIPES_MAX 3
#define STRIPED_CELLS (1 + STRIPED_STRIPES_MAX) /* 0 is the main account */
#define STRIPED_MAIN 0
#define STRIPED_FLIGHTS 4
#define STRIPED_FIRST 1 /* on the main account at the start */
#define STRIPED_FLOOR 0

/* The scopes, as check_scope.size. */
enum striped_size {
    STRIPED_SMALL, /* two stripes, a credit, two debits; one answer does not come in time */
    STRIPED_LARGE, /* more of each, and a message that is brought twice */
    STRIPED_TWICE, /* two stripes, a credit; a message is brought twice, and all answers come */
    STRIPED_SIZES
};

struct striped_world {
    uint8_t stripes;
    uint8_t credits, debits, again, copies; /* at most */
};

/* What a rule decides is in the name, so that a schedule is refused where the rule would have
 * decided otherwise. */
enum striped_step {
    STRIPED_CREDIT,
    STRIPED_DEBIT,        /* from the main account */
    STRIPED_DECLINE,      /* too little is on the main account */
    STRIPED_ADD_UP,       /* a router adds up all cells: it is enough */
    STRIPED_ADD_UP_SHORT, /* it is not: declined */
    STRIPED_DEBIT_STRIPE,
    STRIPED_LOOK, /* the sweeper looks at a stripe, and sends what it holds as "take" */
    STRIPED_TAKE, /* that lands */
    STRIPED_TAKE_SEEN,
    STRIPED_PUT,
    STRIPED_PUT_SEEN,
    STRIPED_AGAIN,  /* no answer in time: the sweeper sends the step again */
    STRIPED_FORGET, /* ... and forgets it */
    STRIPED_COPY,   /* the network makes a copy of a message */
    STRIPED_STEPS
};

enum striped_kind {
    STRIPED_NOTHING,
    STRIPED_A_TAKE,
    STRIPED_A_PUT
};

enum striped_standing {
    STRIPED_AWAITED, /* the sweeper waits for its answer */
    STRIPED_OLD,     /* a copy, or sent again meanwhile */
    STRIPED_FORGOTTEN
};

/* On its way; sorted by their bytes, and no gaps. */
struct striped_flight {
    uint8_t kind;         /* enum striped_kind */
    uint8_t standing : 4; /* enum striped_standing */
    uint8_t cell : 4;     /* where it goes */
    uint8_t sequence : 4; /* of the sweep */
    uint8_t amount : 4;
    uint8_t unused;
};

/* A cell and the sweeper, as proto/stripe.h has them, in fewer bytes. */
struct striped_cell {
    int8_t balance;
    uint8_t sequence;
};

struct striped_sweep {
    uint8_t amount, sequence, phase, stripe;
};

struct striped {
    struct striped_cell cell[STRIPED_CELLS];
    struct striped_sweep sweep;
    struct striped_flight flight[STRIPED_FLIGHTS];
    uint8_t credits, debits, again, copies; /* how many there were */
    uint8_t debited;                        /* debits that were not declined */
    uint8_t summed;                         /* debits between the sum and the stripe */
    uint8_t unused[14];
};

_Static_assert(sizeof(struct striped) == 48, "bytes only, no padding");

enum striped_promise {
    STRIPED_GONE = 1,
    STRIPED_TOO_MUCH,
    STRIPED_BELOW
};

const struct striped_world *striped_world_of(const struct check_scope *scope);
/* The rules of proto/rule.h that hold in a scope. */
uint64_t striped_rules_of(const struct check_scope *scope);
/* A step, the cell that it changes or looks at, and the flight that lands or is copied; what does
 * not apply is 0. */
uint16_t striped_action(enum striped_step step, unsigned cell, unsigned flight);
enum striped_step striped_step_of(uint16_t action);
unsigned striped_cell_of(uint16_t action);
unsigned striped_flight_of(uint16_t action);
/* The state after a step that `now` allows. */
struct striped striped_after(const struct check_scope *scope, const struct striped *now,
                             uint16_t action);
/* A cell as proto/stripe.h has it. */
struct stripe_cell striped_cell(const struct striped *now, unsigned cell);
/* All cells, as somebody reads them one by one, and what is in transit. */
int striped_sum(const struct striped *now);
int striped_in_transit(const struct striped *now);
/* What both together must be. */
int striped_due(const struct striped *now);
int striped_check(const struct check_scope *scope, const void *state);

/* striped_words.c */
void striped_tell(const struct check_scope *scope, const void *state, uint16_t action,
                  struct check_told *told);
void striped_say_size(uint8_t size, char *text, size_t room);

#endif
