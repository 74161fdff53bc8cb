/*
 * stripe: one balance over several keys: credits on stripes, debits from the main account, and a
 * sweeper in between.
 *
 * Each key (main account or stripe) is one cell at its own shard, and each step below changes one
 * cell. Only the main account is debited, and the floor is checked in the same step. With
 * RULE_DEBIT_MAIN_ONLY off a stripe is debited without a look: whoever asked had added all cells up
 * before, and so may somebody else have.
 *
 * A sweep has a number, higher for each, and writes down the stripe and the amount before it moves
 * anything. Taking the amount off the stripe and putting it on the main account are steps at two
 * shards, and either may be lost, late or repeated: a cell does a sweep's step only when it has
 * seen no such number or a higher one, so the sweeper repeats a step until it is answered, and then
 * takes the next. Between the two the amount is in transit. With RULE_SWEEP_ATOMIC off cells do
 * whatever step they are asked to, and a sweeper that has no answer forgets what it was doing.
 */
#ifndef HOTSHARD_PROTO_STRIPE_H
#define HOTSHARD_PROTO_STRIPE_H

#include "proto/rule.h"
#include <stdint.h>

#define STRIPE_BALANCE_MAX (INT64_C(1) << 62)

struct stripe_cell {
    int64_t balance;   /* below zero only with a rule off */
    uint32_t sequence; /* of the last sweep that it had a part in */
    uint32_t unused;
};

/* False: the balance would be beyond STRIPE_BALANCE_MAX, nothing is changed. */
bool stripe_credit(struct stripe_cell *c, int64_t amount);
/* False: too little is left (or only the main account may be debited), nothing is changed. */
bool stripe_debit(struct stripe_cell *c, uint64_t rules, bool is_main, int64_t amount,
                  int64_t floor);

enum sweep_phase {
    SWEEP_IDLE,
    SWEEP_LOOK, /* reads what the stripe holds */
    SWEEP_TAKE, /* takes that off the stripe */
    SWEEP_PUT,  /* puts it on the main account */
    SWEEP_PHASES
};

struct sweep_core {
    int64_t amount;
    uint32_t sequence; /* of this sweep, or the last */
    uint8_t phase;     /* enum sweep_phase */
    uint8_t stripe;
    uint8_t unused[2];
};

_Static_assert(sizeof(struct stripe_cell) == 16 && sizeof(struct sweep_core) == 16,
               "bytes without holes");

void sweep_begin(struct sweep_core *s, uint8_t stripe);
void sweep_looked(struct sweep_core *s, int64_t balance); /* idle again if there is nothing */
void sweep_taken(struct sweep_core *s);
void sweep_put(struct sweep_core *s);
/* A step had no answer, or the sweeper restarts. The step that it has to do (again): its phase. */
enum sweep_phase sweep_again(struct sweep_core *s, uint64_t rules);
/* The two cells' parts. False: it had been done before, nothing is changed. */
bool stripe_take(struct stripe_cell *c, uint64_t rules, uint32_t sequence, int64_t amount);
bool stripe_put(struct stripe_cell *c, uint64_t rules, uint32_t sequence, int64_t amount);
/* What is off the stripe and not yet on the main account. */
int64_t sweep_in_transit(const struct sweep_core *s, const struct stripe_cell *stripe,
                         const struct stripe_cell *main);

#endif
