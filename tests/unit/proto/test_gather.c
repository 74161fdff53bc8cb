/*
 * A query over all shards: hedges and timeouts, answers that clash or come second, how it ends, and
 * the best of all from the best of each.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/prng.h"
#include "proto/gather.h"

#define SHARDS 3
#define ITEMS 60
#define ROUNDS 500

static uint64_t without(enum rule rule)
{
    return RULES_ALL & ~rule_bit(rule);
}

static void a_query_asks_and_is_whole_when_all_slots_are_in(void **state)
{
    (void)state;
    struct gather_part part[SHARDS] = {{.asked_us = 0}};
    struct gather_slot slot[SHARDS] = {{.epoch = 0}};
    struct gather_core g = gather_begin(SHARDS);
    assert_int_equal(g.round, 1);
    for (int i = 0; i < SHARDS; i++) {
        gather_ask(&g, &part[i], 100 + i);
        assert_int_equal(part[i].asked_us, 100 + i);
        assert_int_equal(part[i].state, GATHER_WAITING);
    }
    assert_int_equal(g.waiting, SHARDS);
    for (int i = 0; i < SHARDS; i++) {
        assert_int_equal(gather_judge(&part[i], RULES_ALL, 1, gather_clashes(&slot[i], 7)),
                         GATHER_MERGED);
        gather_heard(&g, &part[i], 1);
        assert_int_equal(part[i].state, GATHER_HEARD);
        gather_slot_in(&g, &slot[i], 7);
        assert_int_equal(g.in, i + 1);
        assert_int_equal(g.waiting, SHARDS - 1 - i);
        assert_int_equal(gather_close(&g, RULES_ALL, false),
                         i == SHARDS - 1 ? GATHER_WHOLE : GATHER_OPEN);
    }
    assert_false(gather_may_again(&g));
    assert_string_equal(gather_end_name((enum gather_end)g.end), "whole");
}

static void a_slow_part_is_hedged_once_and_then_given_up(void **state)
{
    (void)state;
    static const struct gather_policy policy = {.hedge_us = 10, .timeout_us = 50};
    struct gather_part part = {.state = GATHER_UNASKED};
    struct gather_core g = gather_begin(1);
    assert_int_equal(gather_turn(&part, &policy, 1000), GATHER_WAITS);
    assert_false(gather_may_hedge(&part));
    gather_ask(&g, &part, 1000);
    assert_int_equal(gather_turn(&part, &policy, 1009), GATHER_WAITS);
    assert_int_equal(gather_turn(&part, &policy, 1010), GATHER_HEDGES);
    gather_hedge(&part);
    assert_false(gather_may_hedge(&part));
    assert_int_equal(gather_turn(&part, &policy, 1049), GATHER_WAITS);
    assert_int_equal(gather_turn(&part, &policy, 1050), GATHER_GIVES_UP);
    gather_give_up(&g, &part);
    assert_int_equal(part.state, GATHER_GIVEN_UP);
    assert_int_equal(g.waiting, 0);
    assert_int_equal(gather_turn(&part, &policy, 2000), GATHER_WAITS);
    gather_again(&g);
    gather_ask(&g, &part, 3000); /* anew: it may be hedged again */
    assert_int_equal(part.round, 2);
    assert_int_equal(gather_turn(&part, &policy, 3010), GATHER_HEDGES);
    assert_int_equal(gather_turn(&part, &policy, 3050), GATHER_GIVES_UP);
    gather_heard(&g, &part, 2);
    assert_int_equal(gather_turn(&part, &policy, 3050), GATHER_WAITS);
}

static void without_a_delay_there_is_no_hedge_and_no_timeout(void **state)
{
    (void)state;
    static const struct gather_policy never = {.hedge_us = 0, .timeout_us = 0};
    static const struct gather_policy at_once = {.hedge_us = 1, .timeout_us = 0};
    struct gather_part part = {.state = GATHER_UNASKED};
    struct gather_core g = gather_begin(1);
    gather_ask(&g, &part, 0);
    assert_int_equal(gather_turn(&part, &never, INT64_MAX), GATHER_WAITS);
    assert_int_equal(gather_turn(&part, &at_once, 1), GATHER_HEDGES);
    assert_int_equal(gather_turn(&part, &at_once, 0), GATHER_WAITS);
}

static void a_slot_from_two_epochs_clashes(void **state)
{
    (void)state;
    struct gather_part part = {.state = GATHER_UNASKED};
    struct gather_slot slot = {.epoch = 0};
    struct gather_core g = gather_begin(2);
    gather_ask(&g, &part, 0);
    assert_false(gather_clashes(&slot, 3)); /* it is not in */
    gather_slot_in(&g, &slot, 3);
    assert_false(gather_clashes(&slot, 3));
    assert_true(gather_clashes(&slot, 4));
    assert_true(gather_clashes(&slot, 2));
    assert_int_equal(gather_judge(&part, RULES_ALL, 1, true), GATHER_CLASHED);
    assert_int_equal(gather_judge(&part, without(RULE_ONE_EPOCH_A_SLOT), 1, true), GATHER_MERGED);
    gather_slot_in(&g, &slot, 4); /* merged all the same: it is in once, as it came first */
    assert_int_equal(g.in, 1);
    assert_int_equal(slot.epoch, 3);
}

static void only_the_first_answer_to_the_last_question_counts(void **state)
{
    (void)state;
    uint64_t any = without(RULE_FIRST_ANSWER_COUNTS);
    struct gather_part part = {.state = GATHER_UNASKED};
    struct gather_core g = gather_begin(1);
    gather_ask(&g, &part, 0);
    assert_int_equal(gather_judge(&part, RULES_ALL, 1, false), GATHER_MERGED);
    gather_heard(&g, &part, 1);
    assert_int_equal(gather_judge(&part, RULES_ALL, 1, false), GATHER_DROPPED);
    assert_int_equal(gather_judge(&part, RULES_ALL, 1, true), GATHER_DROPPED);
    assert_int_equal(gather_judge(&part, any, 1, false), GATHER_MERGED);
    assert_int_equal(gather_judge(&part, any, 1, true), GATHER_CLASHED);
    gather_heard(&g, &part, 1); /* nothing more is waited for */
    assert_int_equal(g.waiting, 0);
    gather_again(&g);
    gather_ask(&g, &part, 0);
    assert_int_equal(gather_judge(&part, RULES_ALL, 1, false), GATHER_DROPPED);
    gather_heard(&g, &part, 1); /* to the question before: it still waits */
    assert_int_equal(g.waiting, 1);
    assert_int_equal(part.state, GATHER_WAITING);
    assert_int_equal(gather_judge(&part, RULES_ALL, 2, false), GATHER_MERGED);
    gather_give_up(&g, &part);
    assert_int_equal(gather_judge(&part, RULES_ALL, 2, false), GATHER_DROPPED);
}

static void a_query_ends_marked_when_time_is_up(void **state)
{
    (void)state;
    struct gather_part part[2] = {{.state = GATHER_UNASKED}};
    struct gather_slot slot = {.epoch = 0};
    struct gather_core g = gather_begin(2);
    gather_ask(&g, &part[0], 0);
    gather_ask(&g, &part[1], 0);
    gather_slot_in(&g, &slot, 1);
    gather_heard(&g, &part[0], 1);
    assert_int_equal(gather_close(&g, RULES_ALL, false), GATHER_OPEN);
    assert_false(gather_may_again(&g)); /* it waits for the other */
    struct gather_core late = g;
    assert_int_equal(gather_close(&late, RULES_ALL, true), GATHER_PARTIAL);
    assert_false(gather_may_again(&late));
    gather_give_up(&g, &part[1]);
    assert_int_equal(gather_close(&g, RULES_ALL, false), GATHER_OPEN);
    assert_true(gather_may_again(&g));
    late = g;
    assert_int_equal(gather_close(&late, RULES_ALL, true), GATHER_PARTIAL);
    assert_string_equal(gather_end_name(GATHER_PARTIAL), "partial");
    assert_string_equal(gather_end_name(GATHER_OPEN), "open");
    late = g;
    late.in = 2; /* nothing is missing: it is not marked */
    assert_false(gather_may_again(&late));
    assert_int_equal(gather_close(&late, RULES_ALL, true), GATHER_WHOLE);
}

static void without_mark_partial_what_is_missing_is_not_said(void **state)
{
    (void)state;
    uint64_t rules = without(RULE_MARK_PARTIAL);
    struct gather_part part = {.state = GATHER_UNASKED};
    struct gather_core g = gather_begin(2);
    gather_ask(&g, &part, 0);
    assert_int_equal(gather_close(&g, rules, false), GATHER_OPEN);
    struct gather_core late = g;
    assert_int_equal(gather_close(&late, rules, true), GATHER_WHOLE);
    gather_give_up(&g, &part);
    assert_int_equal(gather_close(&g, rules, false), GATHER_WHOLE);
    assert_int_equal(g.in, 0);
}

static void slots_that_are_together_come_in_together(void **state)
{
    (void)state;
    struct gather_core g = gather_begin(10);
    struct gather_slot group = {.in = 0};
    gather_slots_in(&g, &group, 7, 3);
    assert_int_equal(g.in, 7);
    assert_true(gather_clashes(&group, 4) && !gather_clashes(&group, 3));
    gather_slots_in(&g, &group, 7, 4); /* they are in */
    assert_int_equal(g.in, 7);
    assert_int_equal(group.epoch, 3);
}

static void a_shard_counts_what_it_has_whole(void **state)
{
    (void)state;
    for (int row = 0; row < SLOT_STATES; row++) {
        for (int presence = KEYS_ALL; presence <= KEYS_NONE; presence++) {
            bool whole =
                row == SLOT_OWNED || (row == SLOT_LEAVING && (enum presence)presence == KEYS_ALL);
            assert_int_equal(gather_counts((enum slot_state)row, (enum presence)presence), whole);
        }
    }
}

/* --- the best of all -------------------------------------------------------------------------- */

static bool is_better(const struct gather_item *a, const struct gather_item *b)
{
    return a->value > b->value || (a->value == b->value && a->key < b->key);
}

static void sort(struct gather_item *item, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        for (uint32_t k = i; k > 0 && is_better(&item[k], &item[k - 1]); k--) {
            struct gather_item other = item[k];
            item[k] = item[k - 1];
            item[k - 1] = other;
        }
    }
}

/* Each shard's best, merged, are the best that sorting everything gives. */
static void the_best_of_each_shard_merged_are_the_best_of_all(void **state)
{
    (void)state;
    struct prng prng = prng_seeded(1, "gather");
    for (int round = 0; round < ROUNDS; round++) {
        struct gather_item all[ITEMS];
        struct gather_item shard[SHARDS][ITEMS];
        struct gather_item top[ITEMS + 1];
        uint32_t held[SHARDS] = {0};
        uint32_t items = (uint32_t)prng_below(&prng, ITEMS + 1);
        uint32_t room = 1 + (uint32_t)prng_below(&prng, 12);
        uint32_t count = 0;
        top[room].key = UINT64_MAX; /* what is behind the room stays as it is */
        for (uint32_t i = 0; i < items; i++) {
            uint64_t at = prng_below(&prng, SHARDS);
            all[i] = (struct gather_item){.key = items - i, /* values are often the same */
                                          .value = (int64_t)prng_below(&prng, 20) - 10};
            held[at] = gather_top(shard[at], held[at], room, all[i]);
            assert_in_range(held[at], 1, room);
        }
        for (int i = 0; i < SHARDS; i++) {
            for (uint32_t k = 0; k < held[i]; k++) {
                count = gather_top(top, count, room, shard[i][k]);
            }
        }
        sort(all, items);
        assert_int_equal(count, items < room ? items : room);
        assert_int_equal(top[room].key, UINT64_MAX);
        for (uint32_t i = 0; i < count; i++) {
            assert_int_equal(top[i].key, all[i].key);
            assert_int_equal(top[i].value, all[i].value);
        }
    }
}

static void no_room_takes_nothing(void **state)
{
    (void)state;
    struct gather_item top = {.key = 1, .value = 2};
    assert_int_equal(gather_top(&top, 0, 0, (struct gather_item){.key = 3, .value = 4}), 0);
    assert_int_equal(top.key, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_query_asks_and_is_whole_when_all_slots_are_in),
        cmocka_unit_test(a_slow_part_is_hedged_once_and_then_given_up),
        cmocka_unit_test(without_a_delay_there_is_no_hedge_and_no_timeout),
        cmocka_unit_test(a_slot_from_two_epochs_clashes),
        cmocka_unit_test(only_the_first_answer_to_the_last_question_counts),
        cmocka_unit_test(a_query_ends_marked_when_time_is_up),
        cmocka_unit_test(without_mark_partial_what_is_missing_is_not_said),
        cmocka_unit_test(slots_that_are_together_come_in_together),
        cmocka_unit_test(a_shard_counts_what_it_has_whole),
        cmocka_unit_test(the_best_of_each_shard_merged_are_the_best_of_all),
        cmocka_unit_test(no_room_takes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
