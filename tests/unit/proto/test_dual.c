/*
 * Dual writes: every order of the steps on one key, with the rule newer-only on and off.
 */
#include "proto/dual.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define NO_NEWER_ONLY (RULES_ALL & ~rule_bit(RULE_NEWER_ONLY))

/* Two actors; with `ordered` each takes its two steps in order. Actor 0 is the backfill (read,
 * write) or the writer of v5, actor 1 the writer of v5 or v6. */
struct race {
    uint64_t rules;
    bool backfill, where_nothing, ordered;
    int orders, differ, lost; /* lost: both stores hold something older than the newest */
    struct dual_key worst;    /* the end of the first order that leaves them different */
};

static void step(struct dual_key *k, const struct race *race, int action)
{
    int actor = action / 2;
    enum dual_side side = action % 2 == 0 ? DUAL_SOURCE : DUAL_TARGET;
    if (race->backfill && actor == 0) {
        if (side == DUAL_SOURCE) {
            dual_read(k);
        } else {
            dual_fill(k, race->rules, race->where_nothing);
        }
        return;
    }
    dual_write(k, race->rules, side, race->backfill || actor == 0 ? 5 : 6);
}

static void play_orders(struct race *race, struct dual_key k, unsigned done)
{
    if (done == 15) {
        bool differ = k.held[DUAL_SOURCE] != k.held[DUAL_TARGET];
        race->worst = differ && race->differ == 0 ? k : race->worst;
        race->differ += differ;
        uint32_t newest = race->backfill ? 5 : 6;
        race->lost += k.held[DUAL_SOURCE] < newest && k.held[DUAL_TARGET] < newest;
        race->orders++;
        return;
    }
    for (int action = 0; action < 4; action++) {
        bool waits = race->ordered && action % 2 == 1 && (done >> (action - 1) & 1) == 0;
        if ((done >> action & 1) == 0 && !waits) {
            struct dual_key next = k;
            step(&next, race, action);
            play_orders(race, next, done | 1u << action);
        }
    }
}

static struct race race_of(uint64_t rules, bool backfill, bool where_nothing, bool ordered)
{
    struct race race = {
        .rules = rules, .backfill = backfill, .where_nothing = where_nothing, .ordered = ordered};
    struct dual_key k = {.held = {4, backfill ? 0 : 4}};
    play_orders(&race, k, 0);
    return race;
}

static void a_backfill_takes_an_edit_back_in_one_order_of_six(void **state)
{
    (void)state;
    struct race race = race_of(NO_NEWER_ONLY, true, false, true);
    assert_int_equal(race.orders, 6);
    assert_int_equal(race.differ, 1);
    assert_int_equal(race.worst.held[DUAL_SOURCE], 5);
    assert_int_equal(race.worst.held[DUAL_TARGET], 4);
    race = race_of(RULES_ALL, true, false, true);
    assert_int_equal(race.orders, 6);
    assert_int_equal(race.differ, 0);
    assert_int_equal(race.lost, 0);
    race = race_of(NO_NEWER_ONLY, true, true, true);
    assert_int_equal(race.differ, 0);
}

static void two_writers_leave_the_stores_different(void **state)
{
    (void)state;
    struct race race = race_of(NO_NEWER_ONLY, false, false, true);
    assert_int_equal(race.orders, 6);
    assert_int_equal(race.differ, 2);
    race = race_of(NO_NEWER_ONLY, false, false, false);
    assert_int_equal(race.orders, 24);
    assert_int_equal(race.differ, 12);
    for (int ordered = 0; ordered < 2; ordered++) {
        race = race_of(RULES_ALL, false, false, ordered == 1);
        assert_int_equal(race.differ, 0);
        assert_int_equal(race.lost, 0);
    }
}

static void the_same_version_is_not_newer_and_is_carried_once(void **state)
{
    (void)state;
    assert_false(dual_takes(RULES_ALL, 3, 3));
    assert_true(dual_takes(RULES_ALL, 3, 4));
    assert_true(dual_takes(NO_NEWER_ONLY, 3, 3));
    struct dual_key k = {.held = {3, 1}};
    dual_read(&k);
    dual_fill(&k, RULES_ALL, false);
    assert_int_equal(k.held[DUAL_TARGET], 3);
    assert_int_equal(k.carried, 0);
}

static void reads_switch_after_a_whole_pass_that_found_them_alike(void **state)
{
    (void)state;
    struct dual_core d = dual_begin(false);
    assert_false(dual_may_backfill(&d, RULES_ALL));
    assert_true(dual_may_backfill(&d, RULES_ALL & ~rule_bit(RULE_DUAL_BEFORE_BACKFILL)));
    dual_write_both(&d);
    assert_true(dual_may_backfill(&d, RULES_ALL));
    assert_false(dual_may_switch(&d, RULES_ALL, true)); /* no pass yet */
    d.filled = 1;
    assert_false(dual_may_switch(&d, RULES_ALL, false));
    assert_true(dual_may_switch(&d, RULES_ALL & ~rule_bit(RULE_COMPARE_BEFORE_SWITCH), false));
    assert_true(dual_may_switch(&d, RULES_ALL, true));
    assert_int_equal(dual_primary(&d), DUAL_SOURCE);
    assert_true(dual_may_drop(&d));
    assert_false(dual_may_end(&d));
    dual_switch(&d);
    assert_int_equal(dual_primary(&d), DUAL_TARGET);
    assert_int_equal(d.target, SLOT_OWNED);
    assert_int_equal(d.source, SLOT_ARRIVING);
    assert_false(dual_may_drop(&d));
    assert_false(dual_may_switch(&d, RULES_ALL, true));
    assert_true(dual_may_end(&d));
    dual_end(&d);
    assert_int_equal(d.source, SLOT_MOVED);
    assert_string_equal(dual_phase_name(DUAL_ENDED), "ended");
}

static void reads_go_back_while_both_are_written_and_alike(void **state)
{
    (void)state;
    const uint64_t blind = RULES_ALL & ~rule_bit(RULE_COMPARE_BEFORE_SWITCH);
    struct dual_core d = dual_begin(true);
    struct dual_core before = d;
    d.filled = before.filled = 1;
    assert_false(dual_may_return(&d, RULES_ALL, true)); /* they are there */
    assert_false(dual_may_return(&d, blind, true));
    for (int round = 0; round < 2; round++) {
        dual_switch(&d);
        assert_false(dual_may_return(&d, RULES_ALL, false)); /* the source missed a write */
        assert_true(dual_may_return(&d, blind, false));
        assert_true(dual_may_return(&d, RULES_ALL, true));
        dual_return(&d);
        assert_memory_equal(&d, &before, sizeof d);
        assert_int_equal(dual_primary(&d), DUAL_SOURCE);
        assert_true(dual_may_switch(&d, RULES_ALL, true));
        assert_true(dual_may_drop(&d));
        assert_false(dual_may_end(&d));
    }
    dual_switch(&d);
    d.filled = 0; /* a new pass has begun */
    assert_false(dual_may_return(&d, RULES_ALL, true));
    dual_end(&d);
    assert_false(dual_may_return(&d, blind, true));
}

static void what_is_dropped_leaves_the_source_as_it_was(void **state)
{
    (void)state;
    struct dual_core d = dual_begin(true);
    dual_drop(&d);
    assert_int_equal(d.source, SLOT_OWNED);
    assert_int_equal(d.target, SLOT_ABSENT);
    assert_false(dual_may_backfill(&d, RULES_ALL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_backfill_takes_an_edit_back_in_one_order_of_six),
        cmocka_unit_test(two_writers_leave_the_stores_different),
        cmocka_unit_test(the_same_version_is_not_newer_and_is_carried_once),
        cmocka_unit_test(reads_switch_after_a_whole_pass_that_found_them_alike),
        cmocka_unit_test(reads_go_back_while_both_are_written_and_alike),
        cmocka_unit_test(what_is_dropped_leaves_the_source_as_it_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
