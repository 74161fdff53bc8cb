/*
 * stripe: the steps of cells and of the sweeper.
 */
#include "proto/stripe.h"

bool stripe_credit(struct stripe_cell *c, int64_t amount)
{
    if (amount > STRIPE_BALANCE_MAX || c->balance > STRIPE_BALANCE_MAX - amount) {
        return false;
    }
    c->balance += amount;
    return true;
}

bool stripe_debit(struct stripe_cell *c, uint64_t rules, bool is_main, int64_t amount,
                  int64_t floor)
{
    bool may =
        is_main ? c->balance >= floor && c->balance - floor >= amount
                : !rule_on(rules, RULE_DEBIT_MAIN_ONLY) && c->balance > amount - STRIPE_BALANCE_MAX;
    if (may) {
        c->balance -= amount;
    }
    return may;
}

void sweep_begin(struct sweep_core *s, uint8_t stripe)
{
    s->sequence++;
    s->phase = SWEEP_LOOK;
    s->stripe = stripe;
    s->amount = 0;
}

void sweep_looked(struct sweep_core *s, int64_t balance)
{
    s->amount = balance > 0 ? balance : 0;
    s->phase = balance > 0 ? SWEEP_TAKE : SWEEP_IDLE;
}

void sweep_taken(struct sweep_core *s)
{
    s->phase = SWEEP_PUT;
}

void sweep_put(struct sweep_core *s)
{
    s->phase = SWEEP_IDLE;
    s->amount = 0;
}

enum sweep_phase sweep_again(struct sweep_core *s, uint64_t rules)
{
    if (!rule_on(rules, RULE_SWEEP_ATOMIC)) {
        sweep_put(s);
    }
    return (enum sweep_phase)s->phase;
}

/* Whether a cell has a part in this sweep still to do; from now on it has done it. */
static bool first_time(struct stripe_cell *c, uint64_t rules, uint32_t sequence)
{
    if (sequence > c->sequence) {
        c->sequence = sequence;
        return true;
    }
    return !rule_on(rules, RULE_SWEEP_ATOMIC);
}

bool stripe_take(struct stripe_cell *c, uint64_t rules, uint32_t sequence, int64_t amount)
{
    bool first = first_time(c, rules, sequence);
    if (first) {
        c->balance -= amount;
    }
    return first;
}

bool stripe_put(struct stripe_cell *c, uint64_t rules, uint32_t sequence, int64_t amount)
{
    bool first = first_time(c, rules, sequence);
    if (first) {
        c->balance += amount;
    }
    return first;
}

int64_t sweep_in_transit(const struct sweep_core *s, const struct stripe_cell *stripe,
                         const struct stripe_cell *main)
{
    bool moving = s->phase == SWEEP_TAKE || s->phase == SWEEP_PUT;
    bool between = stripe->sequence >= s->sequence && main->sequence < s->sequence;
    return moving && between ? s->amount : 0;
}
