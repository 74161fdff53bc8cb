/*
 * A balance over a main account and stripes: floors, and sweeps whose steps are lost, late and
 * repeated.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/prng.h"
#include "proto/stripe.h"

#define STRIPES 3
#define SCHEDULES 1000
#define STEPS 300
#define ASKS 16

static void the_floor_is_checked_where_it_is_debited(void **state)
{
    (void)state;
    struct stripe_cell main = {0};
    assert_true(stripe_credit(&main, 100));
    assert_true(stripe_debit(&main, RULES_ALL, true, 60, 30));
    assert_false(stripe_debit(&main, RULES_ALL, true, 11, 30));
    assert_int_equal(main.balance, 40);
    assert_true(stripe_debit(&main, RULES_ALL, true, 10, 30));
    assert_int_equal(main.balance, 30);
    assert_true(stripe_debit(&main, RULES_ALL, true, 0, 30)); /* nothing can always be taken */
    assert_false(stripe_debit(&main, RULES_ALL, true, INT64_MAX, 0));
}

static void a_stripe_is_debited_only_with_the_rule_off(void **state)
{
    (void)state;
    struct stripe_cell stripe = {.balance = 100};
    assert_false(stripe_debit(&stripe, RULES_ALL, false, 1, 0));
    assert_true(stripe_debit(&stripe, RULES_ALL & ~rule_bit(RULE_DEBIT_MAIN_ONLY), false, 150, 0));
    assert_int_equal(stripe.balance, -50); /* it does not look */
}

static void a_balance_has_an_end(void **state)
{
    (void)state;
    struct stripe_cell main = {.balance = STRIPE_BALANCE_MAX - 5};
    assert_false(stripe_credit(&main, 6));
    assert_false(stripe_credit(&main, INT64_MAX));
    assert_true(stripe_credit(&main, 5));
    main.balance = 0;
    assert_true(stripe_credit(&main, STRIPE_BALANCE_MAX));
    struct stripe_cell stripe = {.balance = 2 - STRIPE_BALANCE_MAX};
    uint64_t any = RULES_ALL & ~rule_bit(RULE_DEBIT_MAIN_ONLY);
    assert_false(stripe_debit(&stripe, any, false, 2, 0));
    assert_true(stripe_debit(&stripe, any, false, 1, 0));
}

static void a_sweep_moves_what_it_saw_once(void **state)
{
    (void)state;
    struct stripe_cell main = {0};
    struct stripe_cell stripe = {.balance = 40};
    struct sweep_core s = {0};
    sweep_begin(&s, 2);
    assert_int_equal(s.stripe, 2);
    sweep_looked(&s, stripe.balance);
    assert_true(stripe_credit(&stripe, 3)); /* meanwhile: for the next sweep */
    assert_int_equal(sweep_in_transit(&s, &stripe, &main), 0);
    assert_true(stripe_take(&stripe, RULES_ALL, s.sequence, s.amount));
    assert_false(stripe_take(&stripe, RULES_ALL, s.sequence, s.amount));
    assert_int_equal(stripe.balance, 3);
    assert_int_equal(sweep_in_transit(&s, &stripe, &main), 40);
    sweep_taken(&s);
    assert_true(stripe_put(&main, RULES_ALL, s.sequence, s.amount));
    assert_false(stripe_put(&main, RULES_ALL, s.sequence, s.amount));
    assert_int_equal(sweep_in_transit(&s, &stripe, &main), 0);
    sweep_put(&s);
    assert_int_equal(main.balance, 40);
    assert_int_equal(s.phase, SWEEP_IDLE);
}

static void a_sweeper_does_a_step_again_or_forgets_it(void **state)
{
    (void)state;
    struct sweep_core s = {0};
    sweep_begin(&s, 1);
    sweep_looked(&s, 40);
    assert_int_equal(sweep_again(&s, RULES_ALL), SWEEP_TAKE);
    assert_int_equal(s.amount, 40);
    sweep_taken(&s);
    assert_int_equal(sweep_again(&s, RULES_ALL), SWEEP_PUT);
    assert_int_equal(sweep_again(&s, RULES_ALL & ~rule_bit(RULE_SWEEP_ATOMIC)), SWEEP_IDLE);
    assert_int_equal(s.amount, 0);
    s.amount = 40; /* whatever was there: the next sweep begins with nothing */
    sweep_begin(&s, 1);
    assert_int_equal(s.amount, 0);
}

static void an_empty_stripe_ends_its_sweep(void **state)
{
    (void)state;
    struct sweep_core s = {0};
    sweep_begin(&s, 0);
    sweep_looked(&s, 0);
    assert_int_equal(s.phase, SWEEP_IDLE);
    sweep_begin(&s, 1);
    sweep_looked(&s, -3); /* debited with the rule off */
    assert_int_equal(s.phase, SWEEP_IDLE);
}

/* --- random schedules --- */

struct ask { /* a step of a sweep on its way to a cell */
    int64_t amount;
    uint32_t sequence;
    uint8_t phase, stripe;
};

struct bank {
    struct prng prng;
    uint64_t rules;
    struct stripe_cell main, stripe[STRIPES];
    struct sweep_core sweep;
    struct ask ask[ASKS];
    int asks;
    int64_t credited, debited;
    int64_t floor, least; /* what the whole may not fall below, and did */
};

static int64_t whole(const struct bank *b)
{
    int64_t sum =
        b->main.balance + sweep_in_transit(&b->sweep, &b->stripe[b->sweep.stripe], &b->main);
    for (int i = 0; i < STRIPES; i++) {
        sum += b->stripe[i].balance;
    }
    return sum;
}

static void send(struct bank *b)
{
    if (b->asks < ASKS) {
        b->ask[b->asks++] = (struct ask){.amount = b->sweep.amount,
                                         .sequence = b->sweep.sequence,
                                         .phase = b->sweep.phase,
                                         .stripe = b->sweep.stripe};
    }
}

/* Some ask arrives; it may arrive again later, and its answer may be lost. */
static void deliver(struct bank *b)
{
    int i = (int)prng_below(&b->prng, (uint64_t)b->asks);
    struct ask a = b->ask[i];
    if (prng_chance(&b->prng, 3, 4)) {
        b->ask[i] = b->ask[--b->asks];
    }
    if (a.phase == SWEEP_TAKE) {
        stripe_take(&b->stripe[a.stripe], b->rules, a.sequence, a.amount);
    } else if (a.phase == SWEEP_PUT) {
        stripe_put(&b->main, b->rules, a.sequence, a.amount);
    }
    bool heard = prng_chance(&b->prng, 2, 3);
    if (!heard || a.sequence != b->sweep.sequence || a.phase != b->sweep.phase) {
        return;
    }
    if (a.phase == SWEEP_LOOK) {
        sweep_looked(&b->sweep, b->stripe[a.stripe].balance);
    } else if (a.phase == SWEEP_TAKE) {
        sweep_taken(&b->sweep);
    } else {
        sweep_put(&b->sweep);
    }
    if (b->sweep.phase != SWEEP_IDLE) {
        send(b);
    }
}

static void sweep(struct bank *b)
{
    if (b->sweep.phase == SWEEP_IDLE || sweep_again(&b->sweep, b->rules) == SWEEP_IDLE) {
        sweep_begin(&b->sweep, (uint8_t)prng_below(&b->prng, STRIPES));
    }
    send(b);
}

/* A router read all cells and debits any stripe by the sum, which may be old by then. */
static void debit(struct bank *b, int64_t seen)
{
    int64_t amount = 1 + (int64_t)prng_below(&b->prng, 30);
    struct stripe_cell *stripe = &b->stripe[prng_below(&b->prng, STRIPES)];
    bool main_only = rule_on(b->rules, RULE_DEBIT_MAIN_ONLY);
    if (main_only ? stripe_debit(&b->main, b->rules, true, amount, b->floor)
                  : seen - b->floor >= amount &&
                        stripe_debit(stripe, b->rules, false, amount, b->floor)) {
        b->debited += amount;
    }
}

static void play(struct bank *b, uint64_t seed, uint64_t rules)
{
    *b = (struct bank){.prng = prng_seeded(seed, "stripes"), .rules = rules, .floor = 20};
    b->main.balance = b->floor;
    b->least = b->floor;
    int64_t seen = 0;
    for (int i = 0; i < STEPS; i++) {
        uint64_t what = prng_below(&b->prng, 10);
        if (what < 3) {
            int64_t amount = 1 + (int64_t)prng_below(&b->prng, 10);
            stripe_credit(&b->stripe[prng_below(&b->prng, STRIPES)], amount);
            b->credited += amount;
        } else if (what < 5) {
            debit(b, seen);
        } else if (what == 5) {
            seen = whole(b);
        } else if (what == 6) {
            sweep(b);
        } else if (b->asks > 0) {
            deliver(b);
        }
        b->least = whole(b) < b->least ? whole(b) : b->least;
    }
}

static bool money_is_kept(const struct bank *b)
{
    return whole(b) == b->floor + b->credited - b->debited;
}

static void no_schedule_loses_or_makes_money_or_breaks_the_floor(void **state)
{
    (void)state;
    int64_t debited = 0;
    for (uint64_t seed = 1; seed <= SCHEDULES; seed++) {
        struct bank b;
        play(&b, seed, RULES_ALL);
        assert_true(money_is_kept(&b));
        assert_int_equal(b.least, b.floor);
        debited += b.debited;
    }
    assert_true(debited > SCHEDULES); /* sweeps brought money that could be spent */
}

static void without_sweep_atomic_money_is_lost_in_one_schedule_and_made_in_another(void **state)
{
    (void)state;
    int lost = 0;
    int made = 0;
    for (uint64_t seed = 1; seed <= SCHEDULES; seed++) {
        struct bank b;
        play(&b, seed, RULES_ALL & ~rule_bit(RULE_SWEEP_ATOMIC));
        lost += whole(&b) < b.floor + b.credited - b.debited;
        made += whole(&b) > b.floor + b.credited - b.debited;
    }
    assert_true(lost > 0);
    assert_true(made > 0);
}

static void without_debit_main_only_the_floor_breaks(void **state)
{
    (void)state;
    int broken = 0;
    for (uint64_t seed = 1; seed <= SCHEDULES; seed++) {
        struct bank b;
        play(&b, seed, RULES_ALL & ~rule_bit(RULE_DEBIT_MAIN_ONLY));
        assert_true(money_is_kept(&b)); /* that much stays true */
        broken += b.least < b.floor;
    }
    assert_true(broken > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_floor_is_checked_where_it_is_debited),
        cmocka_unit_test(a_stripe_is_debited_only_with_the_rule_off),
        cmocka_unit_test(a_balance_has_an_end),
        cmocka_unit_test(a_sweep_moves_what_it_saw_once),
        cmocka_unit_test(a_sweeper_does_a_step_again_or_forgets_it),
        cmocka_unit_test(an_empty_stripe_ends_its_sweep),
        cmocka_unit_test(no_schedule_loses_or_makes_money_or_breaks_the_floor),
        cmocka_unit_test(without_sweep_atomic_money_is_lost_in_one_schedule_and_made_in_another),
        cmocka_unit_test(without_debit_main_only_the_floor_breaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
