/*
 * What a shard answers by its slot table's row, with each rule in place and left out.
 */
#include "proto/slot.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define NONE RULE_COUNT /* no rule is left out */

static const struct {
    enum slot_state row;
    enum rule without;
    bool read, asking;
    enum presence presence;
    enum outcome outcome;
} cases[] = {
    {SLOT_OWNED, NONE, false, false, KEYS_ALL, OUTCOME_OK},
    {SLOT_OWNED, NONE, true, false, KEYS_ALL, OUTCOME_OK},
    {SLOT_ABSENT, NONE, true, false, KEYS_ALL, OUTCOME_MOVED},
    {SLOT_MOVED, NONE, true, false, KEYS_ALL, OUTCOME_MOVED},
    {SLOT_MIGRATING, NONE, false, false, KEYS_ALL, OUTCOME_RETRY},
    {SLOT_MIGRATING, NONE, true, false, KEYS_ALL, OUTCOME_RETRY},
    {SLOT_MIGRATING, RULE_FENCE_COVERS_READS, true, false, KEYS_ALL, OUTCOME_OK},
    {SLOT_MIGRATING, RULE_FENCE_COVERS_READS, false, false, KEYS_ALL, OUTCOME_RETRY},
    {SLOT_RECEIVING, NONE, true, false, KEYS_ALL, OUTCOME_MOVED},
    {SLOT_RECEIVING, NONE, true, true, KEYS_ALL, OUTCOME_MOVED},
    {SLOT_RECEIVING, RULE_TARGET_WAITS, true, false, KEYS_ALL, OUTCOME_OK},
    {SLOT_LEAVING, NONE, true, false, KEYS_ALL, OUTCOME_OK},
    {SLOT_LEAVING, NONE, true, false, KEYS_NONE, OUTCOME_ASK},
    {SLOT_LEAVING, NONE, true, false, KEYS_SOME, OUTCOME_TRY_AGAIN},
    {SLOT_LEAVING, RULE_ASK_FOR_MISSING, true, false, KEYS_NONE, OUTCOME_OK},
    {SLOT_LEAVING, RULE_TRY_AGAIN_ON_SPLIT, true, false, KEYS_SOME, OUTCOME_OK},
    {SLOT_ARRIVING, NONE, true, false, KEYS_ALL, OUTCOME_MOVED},
    {SLOT_ARRIVING, NONE, true, true, KEYS_ALL, OUTCOME_OK},
    {SLOT_ARRIVING, NONE, true, true, KEYS_SOME, OUTCOME_TRY_AGAIN},
    {SLOT_ARRIVING, RULE_ASKING_NEEDED, true, false, KEYS_ALL, OUTCOME_OK},
    {SLOT_ARRIVING, RULE_TRY_AGAIN_ON_SPLIT, true, true, KEYS_SOME, OUTCOME_OK},
    {SLOT_MOVED, RULE_SLOT_TABLE_CHECK, false, false, KEYS_ALL, OUTCOME_OK},
    {SLOT_ABSENT, RULE_SLOT_TABLE_CHECK, true, false, KEYS_NONE, OUTCOME_OK},
};

static void test_the_answer_of_each_row(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint64_t rules =
            cases[i].without == NONE ? RULES_ALL : RULES_ALL & ~rule_bit(cases[i].without);
        struct slot_question q = {.state = cases[i].row,
                                  .read = cases[i].read,
                                  .asking = cases[i].asking,
                                  .presence = cases[i].presence};
        assert_int_equal(slot_answer(rules, &q), cases[i].outcome);
    }
}

static void test_an_older_map_is_served_and_told(void **state)
{
    (void)state;
    struct slot_question q = {.state = SLOT_OWNED, .row_epoch = 8, .seen_epoch = 7};
    assert_int_equal(slot_answer(RULES_ALL, &q), OUTCOME_OK_RELOAD);
    q.seen_epoch = 8;
    assert_int_equal(slot_answer(RULES_ALL, &q), OUTCOME_OK);
    q.seen_epoch = 9;
    assert_int_equal(slot_answer(RULES_ALL, &q), OUTCOME_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_answer_of_each_row),
        cmocka_unit_test(test_an_older_map_is_served_and_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
