/*
 * Leased budgets: what is spent in a second is never more than there is.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/prng.h"
#include "proto/lease.h"

#define ROUTERS 3
#define SCHEDULES 1000
#define STEPS 400

static uint32_t grant(struct lease_budget *b, uint64_t rules, uint32_t want, uint32_t spent,
                      uint32_t second)
{
    struct lease_ask ask = {.rate = 10, .want = want, .spent = spent, .second = second};
    return lease_grant(b, rules, &ask);
}

static void a_budget_grants_what_is_left_of_its_second(void **state)
{
    (void)state;
    struct lease_budget b = {0};
    assert_int_equal(grant(&b, RULES_ALL, 4, 0, 7), 4);
    assert_int_equal(grant(&b, RULES_ALL, 4, 0, 7), 4);
    assert_int_equal(grant(&b, RULES_ALL, 4, 0, 7), 2);
    assert_int_equal(grant(&b, RULES_ALL, 4, 0, 7), 0);
    assert_int_equal(grant(&b, RULES_ALL, 4, 0, 8), 4); /* a new second: all of it again */
}

static void a_block_is_spent_without_asking_and_ends_with_its_second(void **state)
{
    (void)state;
    struct lease_core l = {0};
    assert_int_equal(lease_take(&l, 7), LEASE_ASK);
    lease_asked(&l);
    assert_int_equal(lease_take(&l, 7), LEASE_WAIT);
    assert_true(lease_landed(&l, 7, 2));
    assert_int_equal(lease_take(&l, 7), LEASE_SPEND);
    assert_int_equal(lease_take(&l, 8), LEASE_ASK); /* the second token was of second 7 */
    lease_asked(&l);
    assert_true(lease_landed(&l, 8, 0));
    assert_int_equal(lease_take(&l, 8), LEASE_DRY);
    assert_int_equal(lease_take(&l, 9), LEASE_ASK);
}

static void a_block_that_comes_after_its_second_is_lost(void **state)
{
    (void)state;
    struct lease_core l = {0};
    assert_int_equal(lease_take(&l, 7), LEASE_ASK);
    lease_asked(&l);
    assert_false(lease_landed(&l, 8, 5));
    assert_int_equal(lease_take(&l, 8), LEASE_ASK);
    lease_asked(&l);
    assert_false(lease_landed(&l, 9, 0)); /* nothing was left of second 8: not of 9 */
    assert_int_equal(lease_take(&l, 9), LEASE_ASK);
}

static void what_was_spent_is_reported_once_and_of_its_second(void **state)
{
    (void)state;
    struct lease_core l = {0};
    assert_int_equal(lease_take(&l, 7), LEASE_ASK);
    assert_int_equal(lease_asked(&l), 0);
    assert_true(lease_landed(&l, 7, 2));
    assert_int_equal(lease_take(&l, 7), LEASE_SPEND);
    assert_int_equal(lease_take(&l, 7), LEASE_SPEND);
    assert_int_equal(lease_take(&l, 7), LEASE_ASK);
    assert_int_equal(lease_asked(&l), 2);
    assert_true(lease_landed(&l, 7, 1));
    assert_int_equal(lease_take(&l, 7), LEASE_SPEND);
    assert_int_equal(lease_take(&l, 7), LEASE_ASK);
    assert_int_equal(lease_asked(&l), 1);
    assert_true(lease_landed(&l, 7, 3));
    assert_int_equal(lease_take(&l, 7), LEASE_SPEND);
    assert_int_equal(lease_take(&l, 8), LEASE_ASK); /* a second that is over needs no report */
    assert_int_equal(lease_asked(&l), 0);
    l.tokens = 3; /* left, when the answer comes a second late */
    assert_false(lease_landed(&l, 9, 5));
    assert_int_equal(l.tokens, 0);
}

static void without_lease_once_the_report_leaves_the_budget(void **state)
{
    (void)state;
    uint64_t rules = RULES_ALL & ~rule_bit(RULE_LEASE_ONCE);
    struct lease_budget b = {0};
    assert_int_equal(grant(&b, rules, 8, 0, 7), 8);
    assert_int_equal(b.used, 0);
    assert_int_equal(grant(&b, rules, 8, 8, 7), 2);
    assert_int_equal(b.used, 8);
    assert_int_equal(grant(&b, RULES_ALL, 1, 8, 7), 1); /* with the rule nobody asks for it */
    assert_int_equal(b.used, 9);
}

static void a_crash_loses_the_block_and_a_failure_asks_again(void **state)
{
    (void)state;
    struct lease_core l = {0};
    assert_int_equal(lease_take(&l, 7), LEASE_ASK);
    lease_asked(&l);
    lease_failed(&l);
    assert_int_equal(lease_take(&l, 7), LEASE_ASK);
    lease_asked(&l);
    assert_true(lease_landed(&l, 7, 5));
    lease_crashed(&l);
    assert_int_equal(lease_take(&l, 7), LEASE_ASK);
}

/* Routers take at random while time goes by, blocks arrive late or never, routers crash. Returns
 * the most that was spent in a second. */
static uint32_t most_spent(uint64_t seed, uint64_t rules)
{
    struct prng prng = prng_seeded(seed, "leases");
    struct lease_budget budget = {0};
    struct lease_core router[ROUTERS] = {0};
    uint32_t granted[ROUTERS] = {0};
    uint32_t second = 1;
    uint32_t spent = 0;
    uint32_t most = 0;
    for (int i = 0; i < STEPS; i++) {
        uint32_t r = (uint32_t)prng_below(&prng, ROUTERS);
        uint64_t what = prng_below(&prng, 20);
        if (what == 0) {
            second++;
            spent = 0;
        } else if (what == 1) {
            lease_crashed(&router[r]);
        } else if (router[r].asking && what < 8) {
            lease_landed(&router[r], second, granted[r]);
        } else if (router[r].asking && what == 8) {
            lease_failed(&router[r]);
        } else {
            enum lease_choice choice = lease_take(&router[r], second);
            if (choice == LEASE_ASK) {
                granted[r] = grant(&budget, rules, 4, lease_asked(&router[r]), second);
            }
            spent += choice == LEASE_SPEND;
            most = spent > most ? spent : most;
        }
    }
    return most;
}

static void no_schedule_spends_more_than_the_budget(void **state)
{
    (void)state;
    uint32_t most = 0;
    for (uint64_t seed = 1; seed <= SCHEDULES; seed++) {
        uint32_t spent = most_spent(seed, RULES_ALL);
        most = spent > most ? spent : most;
    }
    assert_int_equal(most, 10); /* all of it, in some schedule */
}

static void without_lease_once_tokens_are_spent_twice(void **state)
{
    (void)state;
    uint32_t most = 0;
    for (uint64_t seed = 1; seed <= SCHEDULES; seed++) {
        uint32_t spent = most_spent(seed, RULES_ALL & ~rule_bit(RULE_LEASE_ONCE));
        most = spent > most ? spent : most;
    }
    assert_true(most > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_budget_grants_what_is_left_of_its_second),
        cmocka_unit_test(a_block_is_spent_without_asking_and_ends_with_its_second),
        cmocka_unit_test(a_block_that_comes_after_its_second_is_lost),
        cmocka_unit_test(what_was_spent_is_reported_once_and_of_its_second),
        cmocka_unit_test(without_lease_once_the_report_leaves_the_budget),
        cmocka_unit_test(a_crash_loses_the_block_and_a_failure_asks_again),
        cmocka_unit_test(no_schedule_spends_more_than_the_budget),
        cmocka_unit_test(without_lease_once_tokens_are_spent_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
