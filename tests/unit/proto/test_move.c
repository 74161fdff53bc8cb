/*
 * The move of a slot step by step: what each rule refuses, and what happens when it is left out.
 */
#include "proto/move.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static uint64_t without(enum rule rule)
{
    return RULES_ALL & ~rule_bit(rule);
}

/* Three entries, copied at 1. */
static struct move_core tailing(uint64_t rules)
{
    struct move_core m = move_begin();
    for (int i = 0; i < 3; i++) {
        move_append(&m);
    }
    move_copy(&m, rules, 1);
    return m;
}

static struct move_core drained(void)
{
    struct move_core m = tailing(RULES_ALL);
    move_fence(&m);
    while (move_may_apply(&m)) {
        move_apply(&m);
    }
    return m;
}

static void test_a_whole_move(void **state)
{
    (void)state;
    struct move_core m = move_begin();
    assert_int_equal(m.source, SLOT_OWNED);
    assert_int_equal(m.target, SLOT_ABSENT);
    assert_true(move_may_copy(&m));
    assert_false(move_may_fence(&m, RULES_ALL));
    assert_false(move_may_commit(&m, RULES_ALL));
    assert_false(move_may_apply(&m));
    m = tailing(RULES_ALL);
    assert_false(move_may_copy(&m));
    assert_int_equal(m.target, SLOT_RECEIVING);
    assert_true(move_alike(&m));
    assert_true(move_may_fence(&m, RULES_ALL));
    assert_false(move_may_commit(&m, RULES_ALL));
    move_fence(&m);
    assert_int_equal(m.fence, 4);
    assert_int_equal(m.source, SLOT_MIGRATING);
    assert_false(move_may_fence(&m, RULES_ALL));
    for (uint32_t applied = 1; applied < 4; applied++) {
        assert_int_equal(m.applied, applied);
        assert_false(move_may_commit(&m, RULES_ALL));
        assert_true(move_may_apply(&m));
        move_apply(&m);
    }
    assert_false(move_may_apply(&m));
    assert_false(move_may_own(&m));
    assert_false(move_may_close(&m));
    assert_true(move_may_commit(&m, RULES_ALL));
    move_commit(&m);
    assert_false(move_may_commit(&m, RULES_ALL));
    move_own(&m);
    move_close(&m);
    assert_int_equal(m.target, SLOT_OWNED);
    assert_int_equal(m.source, SLOT_MOVED);
    assert_false(move_may_own(&m));
    assert_false(move_may_close(&m));
}

static void test_without_a_fence_the_commit_need_not_wait(void **state)
{
    (void)state;
    struct move_core m = tailing(RULES_ALL);
    assert_true(move_may_commit(&m, without(RULE_FENCE)));
    m = move_begin();
    assert_false(move_may_commit(&m, without(RULE_FENCE)));
}

static void test_without_draining_the_commit_comes_right_behind_the_fence(void **state)
{
    (void)state;
    struct move_core m = tailing(RULES_ALL);
    move_fence(&m);
    assert_true(move_may_commit(&m, without(RULE_DRAIN_TO_FENCE)));
    m = tailing(RULES_ALL);
    assert_false(move_may_commit(&m, without(RULE_DRAIN_TO_FENCE)));
}

static void test_a_wrong_stamp_is_seen_by_the_compare(void **state)
{
    (void)state;
    struct move_core m = tailing(without(RULE_SNAPSHOT_POSITION));
    assert_int_equal(m.stamp, 3);
    assert_int_equal(m.applied, 3);
    assert_false(move_alike(&m));
    assert_false(move_may_fence(&m, RULES_ALL));
    assert_true(move_may_fence(&m, without(RULE_COMPARE_BEFORE_FENCE)));
    assert_false(move_may_commit(&m, without(RULE_FENCE)));
    assert_true(move_may_commit(&m, without(RULE_FENCE) & without(RULE_COMPARE_BEFORE_FENCE)));
    m = move_begin();
    move_copy(&m, without(RULE_SNAPSHOT_POSITION), 0);
    assert_true(move_alike(&m));
}

static void test_a_move_is_dropped_before_the_commit_only(void **state)
{
    (void)state;
    struct move_core m = drained();
    assert_true(move_may_abort(&m, RULES_ALL));
    struct move_core dropped = m;
    move_abort(&dropped);
    assert_int_equal(dropped.source, SLOT_OWNED);
    assert_int_equal(dropped.target, SLOT_ABSENT);
    assert_false(move_may_abort(&dropped, RULES_ALL));
    assert_false(move_may_apply(&dropped));
    assert_false(move_may_commit(&dropped, RULES_ALL));
    move_commit(&m);
    assert_false(move_may_abort(&m, RULES_ALL));
    assert_true(move_may_abort(&m, without(RULE_ABORT_BEFORE_COMMIT)));
}

static void test_a_fence_in_memory_only_is_forgotten_by_a_restart(void **state)
{
    (void)state;
    struct move_core m = drained();
    move_source_restarts(&m, RULES_ALL);
    assert_int_equal(m.source, SLOT_MIGRATING);
    move_source_restarts(&m, without(RULE_DURABLE_FENCE));
    assert_int_equal(m.source, SLOT_OWNED);
    move_commit(&m);
    move_close(&m);
    move_source_restarts(&m, without(RULE_DURABLE_FENCE));
    assert_int_equal(m.source, SLOT_MOVED);
}

static void test_phases_have_names(void **state)
{
    (void)state;
    assert_string_equal(move_phase_name(MOVE_BEGUN), "copying");
    assert_string_equal(move_phase_name(MOVE_ABORTED), "aborted");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_whole_move),
        cmocka_unit_test(test_without_a_fence_the_commit_need_not_wait),
        cmocka_unit_test(test_without_draining_the_commit_comes_right_behind_the_fence),
        cmocka_unit_test(test_a_wrong_stamp_is_seen_by_the_compare),
        cmocka_unit_test(test_a_move_is_dropped_before_the_commit_only),
        cmocka_unit_test(test_a_fence_in_memory_only_is_forgotten_by_a_restart),
        cmocka_unit_test(test_phases_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
