/* A transaction over time: locks, the decision, the death of its coordinator. */
#include "across_stage.h"
#include "engine/txns/txns.h"

#define ROWS "row alice 100\nrow bob 50\n"
#define TWO_PHASES "txn 2pc via R2 take alice 30 give bob 30\n"

static void pictures(void **state)
{
    (void)state;
    struct stage st;
    stage_of(&st, ROWS "coordinator dies decided 300\n" TWO_PHASES "+1000");
    scene_goldens(&st.scene, "txn", &across_plain, "txn");
    scene_golden(&st.scene, "txn", &across_plain, "txn", 30, 6, GLYPHS_ASCII);
    assert_all_sizes(&st.scene, "txn");
    stage_free(&st);
    stage_of(&st, ROWS "row seat:12 1\n"
                       "txn saga via R2 take alice 30 give bob 30 claim seat:12\n+100");
    scene_golden(&st.scene, "txn", &across_plain, "txn_saga", 40, 17, GLYPHS_UTF8);
    stage_free(&st);
}

static void two_phases(void **state)
{
    (void)state;
    struct stage st;
    stage_new(&st, "story-quiet");
    assert_says(&st, "txn", "There is no transaction yet.");
    stage_play(&st, ROWS TWO_PHASES "+4");
    assert_says(&st, "txn", "Txn 1, two-phase commit: open for 4 ms.");
    stage_play(&st, "+200");
    assert_says(&st, "txn", "Txn 1, two-phase commit: done in ");
    assert_says(&st, "txn", "Decided: commit");
    assert_says(&st, "txn", "take 30 from alice: committed, was locked for ");
    assert_says(&st, "txn", "give 30 to bob: committed, was locked for ");
    stage_play(&st, "txn 2pc via R2 take alice 300 give bob 300\n+200");
    assert_says(&st, "txn", "Txn 2, two-phase commit: aborted in ");
    assert_says(&st, "txn", "Decided: abort");
    struct view_state v = {.argument = "1"};
    char *text = scene_said(&st.scene, "txn", &v);
    assert_contains(text, "Txn 1, two-phase commit: done in ");
    free(text);
    v.argument = "99";
    text = scene_said(&st.scene, "txn", &v);
    assert_contains(text, "There is no transaction 99.");
    free(text);
    stage_free(&st);
}

/* Prepared, and nobody to tell them: the rows stay locked until the coordinator is back. */
static void a_coordinator_dies(void **state)
{
    (void)state;
    struct stage st;
    stage_of(&st, ROWS "coordinator dies voted 3000\n" TWO_PHASES "+500");
    assert_says(&st, "txn", "Txn 1, two-phase commit: open for 500 ms.");
    assert_says(&st, "txn", "R2 is down, 2 rows stay locked until it is back.");
    assert_says(&st, "txn", "take 30 from alice: prepared, waits, locked for ");
    assert_says(&st, "txn", ", and is down.");
    assert_draws(&st, "txn", 40, 8, "R2 is down, 2 rows stay locked");
    stage_play(&st, "+4000");
    assert_says(&st, "txn", "aborted in ");
    assert_says(&st, "txn", ", back after ");
    stage_free(&st);
}

static void a_saga_goes_back(void **state)
{
    (void)state;
    struct stage st;
    stage_of(&st, ROWS "row seat:12 1\n"
                       "txn saga via R2 take alice 30 give bob 30 claim seat:12\n+100");
    assert_says(&st, "txn", "Txn 1, a saga: undone in ");
    assert_says(&st, "txn", "take 30 from alice: taken back, others saw it for ");
    assert_says(&st, "txn", "claim seat:12: refused.");
    assert_draws(&st, "txn", 40, 19, "\u2592\u25C0"); /* what others see, taken back */
    stage_play(&st, "txn saga via R2 take alice 30 give bob 30\n+100");
    assert_says(&st, "txn", "Txn 2, a saga: done in ");
    stage_free(&st);
}

static void without_a_protocol(void **state)
{
    (void)state;
    struct stage st;
    stage_of(&st, ROWS "coordinator dies told-one 500\n"
                       "txn plain via R2 take alice 30 give bob 30\n+100");
    assert_says(&st, "txn", "R2 is down, 1 of 2 steps is done.");
    assert_says(&st, "txn", "give 30 to bob: not asked.");
    stage_play(&st, "+4000");
    assert_says(&st, "txn", "Txn 1, no protocol: HALF DONE. 1 of 2 steps is done, nobody sees");
    assert_int_equal(world_txn_total(st.world), 120);
    stage_free(&st);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures),           cmocka_unit_test(two_phases),
        cmocka_unit_test(a_coordinator_dies), cmocka_unit_test(a_saga_goes_back),
        cmocka_unit_test(without_a_protocol),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
