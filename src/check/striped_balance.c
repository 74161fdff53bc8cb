/*
 * striped_balance: its rules, its scopes, its steps and what is judged; see striped_balance.h. The
 * words are in striped_words.c.
 */
#include "check/striped_balance.h"
#include "check/models.h"
#include <string.h>

/* In the order of proto/rule.h. */
static const struct check_rule demanded[] = {
    {"debit-main-only", "Debits come from the main account alone, where the floor is checked."},
    {"sweep-atomic", "What leaves a stripe reaches the account once, whatever is lost or "
                     "repeated."},
    {NULL, NULL},
};

#define RULES 2u

_Static_assert(RULE_SWEEP_ATOMIC - RULE_DEBIT_MAIN_ONLY == RULES - 1, "the list is this one");

static const struct striped_world worlds[STRIPED_SIZES] = {
    [STRIPED_SMALL] = {.stripes = 2, .credits = 1, .debits = 2, .again = 1},
    [STRIPED_LARGE] = {.stripes = 3, .credits = 3, .debits = 3, .again = 2, .copies = 1},
    [STRIPED_TWICE] = {.stripes = 2, .credits = 1, .copies = 1},
};

const struct striped_world *striped_world_of(const struct check_scope *scope)
{
    CHECK(scope->size < STRIPED_SIZES);
    return &worlds[scope->size];
}

uint64_t striped_rules_of(const struct check_scope *scope)
{
    uint64_t off = ~scope->rules & ((1u << RULES) - 1);
    return RULES_ALL & ~(off << RULE_DEBIT_MAIN_ONLY);
}

/* An action is a step times 16, a cell in 2 bits and a flight in 2. */
uint16_t striped_action(enum striped_step step, unsigned cell, unsigned flight)
{
    return (uint16_t)((unsigned)step << 4 | cell << 2 | flight);
}

enum striped_step striped_step_of(uint16_t action)
{
    return (enum striped_step)(action >> 4);
}

unsigned striped_cell_of(uint16_t action)
{
    return action >> 2 & 3u;
}

unsigned striped_flight_of(uint16_t action)
{
    return action & 3u;
}

/* --- in more bytes and in fewer --------------------------------------------------------------- */

struct stripe_cell striped_cell(const struct striped *now, unsigned cell)
{
    return (struct stripe_cell){.balance = now->cell[cell].balance,
                                .sequence = now->cell[cell].sequence};
}

static void keep_cell(struct striped *to, unsigned cell, const struct stripe_cell *from)
{
    CHECK(from->balance >= INT8_MIN && from->balance <= INT8_MAX && from->sequence < 16);
    to->cell[cell] = (struct striped_cell){.balance = (int8_t)from->balance,
                                           .sequence = (uint8_t)from->sequence};
}

static struct sweep_core sweep_of(const struct striped *now)
{
    return (struct sweep_core){.amount = now->sweep.amount,
                               .sequence = now->sweep.sequence,
                               .phase = now->sweep.phase,
                               .stripe = now->sweep.stripe};
}

/* Of an idle sweeper nothing is read but the number of its last sweep. */
static void keep_sweep(struct striped *to, const struct sweep_core *from)
{
    CHECK(from->amount >= 0 && from->amount < 16 && from->sequence < 16);
    bool idle = from->phase == SWEEP_IDLE;
    to->sweep = (struct striped_sweep){.amount = (uint8_t)from->amount,
                                       .sequence = (uint8_t)from->sequence,
                                       .phase = from->phase,
                                       .stripe = idle ? 0 : from->stripe};
}

/* --- messages --------------------------------------------------------------------------------- */

static unsigned flights_of(const struct striped *now)
{
    unsigned count = 0;
    while (count < STRIPED_FLIGHTS && now->flight[count].kind != STRIPED_NOTHING) {
        count++;
    }
    return count;
}

static void add_flight(struct striped *to, struct striped_flight flight)
{
    unsigned at = flights_of(to);
    CHECK(at < STRIPED_FLIGHTS);
    while (at > 0 && memcmp(&to->flight[at - 1], &flight, sizeof flight) > 0) {
        to->flight[at] = to->flight[at - 1];
        at--;
    }
    to->flight[at] = flight;
}

static struct striped_flight remove_flight(struct striped *to, unsigned at)
{
    struct striped_flight flight = to->flight[at];
    size_t behind = STRIPED_FLIGHTS - 1 - at;
    memmove(&to->flight[at], &to->flight[at + 1], behind * sizeof flight);
    to->flight[STRIPED_FLIGHTS - 1] = (struct striped_flight){.kind = STRIPED_NOTHING};
    return flight;
}

/* The message whose answer the sweeper waits for; STRIPED_FLIGHTS: none. */
static unsigned awaited(const struct striped *now)
{
    unsigned at = 0;
    while (at < STRIPED_FLIGHTS && (now->flight[at].kind == STRIPED_NOTHING ||
                                    now->flight[at].standing != STRIPED_AWAITED)) {
        at++;
    }
    return at;
}

/* The sweeper's step goes out to its cell. */
static void send(struct striped *to, const struct sweep_core *s)
{
    bool takes = s->phase == SWEEP_TAKE;
    add_flight(to, (struct striped_flight){
                       .kind = takes ? STRIPED_A_TAKE : STRIPED_A_PUT,
                       .standing = STRIPED_AWAITED,
                       .cell = takes ? (s->stripe + 1u) & 15u : STRIPED_MAIN,
                       .sequence = s->sequence & 15u,
                       .amount = (unsigned)s->amount & 15u,
                   });
}

/* --- steps ------------------------------------------------------------------------------------ */

static void look(struct striped *to, unsigned cell)
{
    struct sweep_core s = sweep_of(to);
    sweep_begin(&s, (uint8_t)(cell - 1));
    sweep_looked(&s, to->cell[cell].balance);
    keep_sweep(to, &s);
    send(to, &s);
}

static bool apply(struct stripe_cell *cell, uint64_t rules, const struct striped_flight *f)
{
    return f->kind == STRIPED_A_TAKE ? stripe_take(cell, rules, f->sequence, f->amount)
                                     : stripe_put(cell, rules, f->sequence, f->amount);
}

static void land(struct striped *to, uint64_t rules, unsigned flight)
{
    struct striped_flight f = remove_flight(to, flight);
    struct stripe_cell cell = striped_cell(to, f.cell);
    struct sweep_core s = sweep_of(to);
    (void)apply(&cell, rules, &f);
    keep_cell(to, f.cell, &cell);
    if (f.standing != STRIPED_AWAITED) {
        return;
    }
    if (f.kind == STRIPED_A_PUT) {
        sweep_put(&s);
        keep_sweep(to, &s);
    } else {
        sweep_taken(&s);
        keep_sweep(to, &s);
        send(to, &s);
    }
}

/* No answer comes in time. */
static void again(struct striped *to, uint64_t rules)
{
    struct sweep_core s = sweep_of(to);
    struct striped_flight f = remove_flight(to, awaited(to));
    bool forgotten = sweep_again(&s, rules) == SWEEP_IDLE;
    f.standing = forgotten ? STRIPED_FORGOTTEN : STRIPED_OLD;
    add_flight(to, f);
    keep_sweep(to, &s);
    to->again++;
    if (!forgotten) {
        send(to, &s);
    }
}

static void copy(struct striped *to, unsigned flight)
{
    struct striped_flight f = to->flight[flight];
    f.standing = STRIPED_OLD;
    add_flight(to, f);
    to->copies++;
}

static void account(struct striped *to, uint64_t rules, enum striped_step step, unsigned cell)
{
    struct stripe_cell c = striped_cell(to, cell);
    if (step == STRIPED_CREDIT) {
        CHECK(stripe_credit(&c, 1));
        to->credits++;
    } else {
        CHECK(stripe_debit(&c, rules, cell == STRIPED_MAIN, 1, STRIPED_FLOOR));
        to->debited++;
    }
    keep_cell(to, cell, &c);
}

struct striped striped_after(const struct check_scope *scope, const struct striped *now,
                             uint16_t action)
{
    struct striped to = *now;
    uint64_t rules = striped_rules_of(scope);
    enum striped_step step = striped_step_of(action);
    switch (step) {
    case STRIPED_CREDIT:
        account(&to, rules, step, striped_cell_of(action));
        break;
    case STRIPED_DEBIT:
        to.debits++;
        account(&to, rules, step, striped_cell_of(action));
        break;
    case STRIPED_DEBIT_STRIPE:
        to.summed--;
        account(&to, rules, step, striped_cell_of(action));
        break;
    case STRIPED_ADD_UP:
        to.summed++;
        to.debits++;
        break;
    case STRIPED_ADD_UP_SHORT:
    case STRIPED_DECLINE:
        to.debits++;
        break;
    case STRIPED_LOOK:
        look(&to, striped_cell_of(action));
        break;
    case STRIPED_TAKE:
    case STRIPED_TAKE_SEEN:
    case STRIPED_PUT:
    case STRIPED_PUT_SEEN:
        land(&to, rules, striped_flight_of(action));
        break;
    case STRIPED_AGAIN:
    case STRIPED_FORGET:
        again(&to, rules);
        break;
    case STRIPED_COPY:
        copy(&to, striped_flight_of(action));
        break;
    case STRIPED_STEPS:
        CHECK(false && "no such step");
        break;
    }
    return to;
}

/* --- what can happen -------------------------------------------------------------------------- */

/* What the steps of one state have in common. */
struct steps {
    const struct check_scope *scope;
    const struct striped_world *world;
    const struct striped *now;
    struct check_out *out;
    uint64_t rules;
};

static void put(const struct steps *s, enum striped_step step, unsigned cell, unsigned flight)
{
    uint16_t action = striped_action(step, cell, flight);
    struct striped *to = check_put(s->out, action);
    *to = striped_after(s->scope, s->now, action);
}

/* Nothing on its way, and not the sweeper, is concerned with the cell. */
static bool at_rest(const struct striped *now, unsigned cell)
{
    for (unsigned i = 0; i < flights_of(now); i++) {
        if (now->flight[i].cell == cell) {
            return false;
        }
    }
    return now->sweep.phase == SWEEP_IDLE || now->sweep.stripe + 1u != cell;
}

/* Of stripes that are alike in all one is enough. */
static bool first_of_alike(const struct striped *now, unsigned cell)
{
    for (unsigned i = 1; i < cell && at_rest(now, cell); i++) {
        bool same = memcmp(&now->cell[i], &now->cell[cell], sizeof now->cell[i]) == 0;
        if (same && at_rest(now, i)) {
            return false;
        }
    }
    return true;
}

static void next_of_debit(const struct steps *s)
{
    struct stripe_cell main = striped_cell(s->now, STRIPED_MAIN);
    if (s->now->debits == s->world->debits) {
        return;
    }
    if (rule_on(s->rules, RULE_DEBIT_MAIN_ONLY)) {
        bool taken = stripe_debit(&main, s->rules, true, 1, STRIPED_FLOOR);
        put(s, taken ? STRIPED_DEBIT : STRIPED_DECLINE, STRIPED_MAIN, 0);
    } else {
        bool enough = striped_sum(s->now) - STRIPED_FLOOR >= 1;
        put(s, enough ? STRIPED_ADD_UP : STRIPED_ADD_UP_SHORT, 0, 0);
    }
}

static void next_of_stripe(const struct steps *s, unsigned cell)
{
    if (!first_of_alike(s->now, cell)) {
        return;
    }
    if (s->now->credits < s->world->credits) {
        put(s, STRIPED_CREDIT, cell, 0);
    }
    if (s->now->summed > 0) {
        put(s, STRIPED_DEBIT_STRIPE, cell, 0);
    }
    if (s->now->sweep.phase == SWEEP_IDLE && s->now->cell[cell].balance > 0) {
        put(s, STRIPED_LOOK, cell, 0);
    }
}

static void next_of_flight(const struct steps *s, unsigned i)
{
    const struct striped_flight *f = &s->now->flight[i];
    if (i > 0 && memcmp(f, f - 1, sizeof *f) == 0) {
        return; /* a copy of the one before */
    }
    struct stripe_cell cell = striped_cell(s->now, f->cell);
    bool done = apply(&cell, s->rules, f);
    enum striped_step step = f->kind == STRIPED_A_TAKE ? STRIPED_TAKE : STRIPED_PUT;
    put(s, step + (done ? 0u : STRIPED_TAKE_SEEN - STRIPED_TAKE), f->cell, i);
    if (f->standing == STRIPED_AWAITED && s->now->copies < s->world->copies) {
        put(s, STRIPED_COPY, f->cell, i);
    }
}

static void next(const struct check_scope *scope, const void *state, struct check_out *out)
{
    struct steps s = {.scope = scope,
                      .world = striped_world_of(scope),
                      .now = state,
                      .out = out,
                      .rules = striped_rules_of(scope)};
    next_of_debit(&s);
    for (unsigned cell = 1; cell <= s.world->stripes; cell++) {
        next_of_stripe(&s, cell);
    }
    for (unsigned i = 0; i < flights_of(s.now); i++) {
        next_of_flight(&s, i);
    }
    if (s.now->sweep.phase != SWEEP_IDLE && s.now->again < s.world->again) {
        bool same = rule_on(s.rules, RULE_SWEEP_ATOMIC);
        put(&s, same ? STRIPED_AGAIN : STRIPED_FORGET, 0, 0);
    }
}

/* --- what the search asks --------------------------------------------------------------------- */

static void init(const struct check_scope *scope, struct check_out *out)
{
    (void)striped_world_of(scope);
    struct striped *start = check_put(out, 0);
    *start = (struct striped){.cell[STRIPED_MAIN].balance = STRIPED_FIRST};
}

int striped_sum(const struct striped *now)
{
    int sum = 0;
    for (unsigned i = 0; i < STRIPED_CELLS; i++) {
        sum += now->cell[i].balance;
    }
    return sum;
}

int striped_in_transit(const struct striped *now)
{
    struct sweep_core s = sweep_of(now);
    struct stripe_cell stripe = striped_cell(now, s.stripe + 1u);
    struct stripe_cell main = striped_cell(now, STRIPED_MAIN);
    int amount = (int)sweep_in_transit(&s, &stripe, &main);
    for (unsigned i = 0; i < flights_of(now); i++) {
        bool forgotten = now->flight[i].standing == STRIPED_FORGOTTEN;
        amount += forgotten && now->flight[i].kind == STRIPED_A_PUT ? now->flight[i].amount : 0;
    }
    return amount;
}

int striped_due(const struct striped *now)
{
    return STRIPED_FIRST + now->credits - now->debited;
}

int striped_check(const struct check_scope *scope, const void *state)
{
    const struct striped *now = state;
    int held = striped_sum(now) + striped_in_transit(now);
    (void)scope;
    if (held != striped_due(now)) {
        return held < striped_due(now) ? STRIPED_GONE : STRIPED_TOO_MUCH;
    }
    return held < STRIPED_FLOOR ? STRIPED_BELOW : 0;
}

static const char *broken(int code)
{
    switch ((enum striped_promise)code) {
    case STRIPED_GONE:
        return "what was credited is neither on a cell nor in transit: a sweep has lost it";
    case STRIPED_TOO_MUCH:
        return "the cells hold more than was credited: a sweep has doubled it";
    case STRIPED_BELOW:
        return "all cells together are below the floor, and clients were told OK";
    }
    CHECK(false && "no such promise");
    return "";
}

static const char *const promised[] = {
    "all that was credited and not debited is on a cell or in transit: no sweep loses it",
    "cells and what is in transit never hold more than that: no sweep doubles it",
    "all cells together never fall below the floor",
    NULL,
};

static bool finished(const struct check_scope *scope, const void *state)
{
    const struct striped *now = state;
    (void)scope;
    for (unsigned i = 1; i < STRIPED_CELLS; i++) {
        if (now->cell[i].balance > 0) {
            return false;
        }
    }
    return now->sweep.phase == SWEEP_IDLE && flights_of(now) == 0 && now->summed == 0;
}

enum situation {
    AT_NEITHER,
    TAKE_AGAIN,
    TAKE_LATE,
    PUT_LATE,
    PUT_DONE_UNHEARD,
    ENOUGH_IN_STRIPES,
    DECLINED_IN_TRANSIT,
    OVER_AND_UNDER_WAY
};

static const struct check_situation situation[] = {
    [AT_NEITHER] = {"an amount has left its stripe and has not reached the main account"},
    [TAKE_AGAIN] = {"two messages that take the same amount off a stripe are under way"},
    [TAKE_LATE] = {"a message that takes off what was taken already is under way"},
    [PUT_LATE] = {"a message that puts on what was put on already is under way"},
    [PUT_DONE_UNHEARD] = {"the main account has the amount and the sweeper does not know it"},
    [ENOUGH_IN_STRIPES] = {"the main account is at its floor while the stripes hold something"},
    [DECLINED_IN_TRANSIT] = {"the main account is at its floor while an amount is in transit"},
    [OVER_AND_UNDER_WAY] = {"the sweep is over while a message of it is still under way"},
    {NULL},
};

static uint32_t situations_of_flight(const struct striped *now, unsigned i)
{
    const struct striped_flight *f = &now->flight[i];
    bool takes = f->kind == STRIPED_A_TAKE;
    bool done = now->cell[f->cell].sequence >= f->sequence;
    bool again = false;
    for (unsigned j = 0; j < i; j++) {
        const struct striped_flight *other = &now->flight[j];
        again |= other->kind == f->kind && other->sequence == f->sequence;
    }
    return check_bit(TAKE_AGAIN, takes && again && !done) | check_bit(TAKE_LATE, takes && done) |
           check_bit(PUT_LATE, !takes && done);
}

static uint32_t situations(const struct check_scope *scope, const void *state)
{
    const struct striped *now = state;
    const struct striped_sweep *s = &now->sweep;
    const struct striped_cell *main = &now->cell[STRIPED_MAIN];
    int in_stripes = striped_sum(now) - main->balance;
    bool transit = striped_in_transit(now) > 0;
    bool floor = main->balance == STRIPED_FLOOR;
    uint32_t in = 0;
    (void)scope;
    for (unsigned i = 0; i < flights_of(now); i++) {
        in |= situations_of_flight(now, i);
    }
    return in | check_bit(AT_NEITHER, transit) |
           check_bit(PUT_DONE_UNHEARD, s->phase == SWEEP_PUT && main->sequence >= s->sequence) |
           check_bit(ENOUGH_IN_STRIPES, floor && in_stripes > 0) |
           check_bit(DECLINED_IN_TRANSIT, floor && transit) |
           check_bit(OVER_AND_UNDER_WAY, s->phase == SWEEP_IDLE && flights_of(now) > 0);
}

enum actor {
    CLIENT,
    ROUTER,
    SWEEPER,
    NETWORK,
    CELLS /* one each */
};

static unsigned actor(uint16_t action)
{
    switch (striped_step_of(action)) {
    case STRIPED_CREDIT:
    case STRIPED_DEBIT:
    case STRIPED_DECLINE:
        return CLIENT;
    case STRIPED_ADD_UP:
    case STRIPED_ADD_UP_SHORT:
        return ROUTER;
    case STRIPED_LOOK:
    case STRIPED_AGAIN:
    case STRIPED_FORGET:
        return SWEEPER;
    case STRIPED_DEBIT_STRIPE:
    case STRIPED_TAKE:
    case STRIPED_TAKE_SEEN:
    case STRIPED_PUT:
    case STRIPED_PUT_SEEN:
        return CELLS + striped_cell_of(action);
    case STRIPED_COPY:
        return NETWORK;
    case STRIPED_STEPS:
        break;
    }
    CHECK(false && "no such step");
    return CLIENT;
}

static bool fault(uint16_t action)
{
    return striped_step_of(action) >= STRIPED_AGAIN;
}

const struct check_model model_striped_balance = {
    .name = "striped-balance",
    .about = "credits go to stripes, debits to the main account, and a sweeper in between",
    .rule = demanded,
    .state_size = sizeof(struct striped),
    .size_small = STRIPED_SMALL,
    .size_large = STRIPED_LARGE,
    .size_of = "scope",
    .say_size = striped_say_size,
    .init = init,
    .next = next,
    .check = striped_check,
    .broken = broken,
    .promises = promised,
    .situation = situation,
    .situations = situations,
    .finished = finished,
    .actor = actor,
    .fault = fault,
    .tell = striped_tell,
};
