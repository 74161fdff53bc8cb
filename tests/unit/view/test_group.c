/* Who of a group reads which part, who pauses, who is idle. */
#include "systems_stage.h"

#define THREE                                                                                      \
    "system kafka on 6 4\nsystem kafka set reader 600\nsystem kafka set members 2\n+3000\n"        \
    "system kafka set members 3\n+500\n"

static void pictures(void **state)
{
    (void)state;
    struct stage st;
    systems_stage(&st, THREE);
    systems_goldens(&st, "group", "kafka", "group_kafka");
    assert_all_sizes(&st.scene, "group");
    stage_free(&st);
}

static void nothing_yet(void **state)
{
    (void)state;
    struct stage st;
    systems_stage(&st, "system redis on");
    assert_true(systems_says(&st, "group", "redis", "Redis Cluster has no readers"));
    assert_true(systems_says(&st, "group", "kafka", "Kafka is not on yet."));
    stage_free(&st);
}

/* Eager: all pause; what changes hands alone, when they cooperate. */
static void a_rebalance(void **state)
{
    (void)state;
    struct stage st;
    systems_stage(&st, THREE);
    assert_true(systems_says(&st, "group", "kafka", "Rebalance: 6 of 6 pause for"));
    assert_true(systems_says(&st, "group", "kafka", "Member 2: pauses: "));
    stage_free(&st);
    systems_stage(&st, "system kafka on 6 4\nsystem kafka set rebalance cooperative\n"
                       "system kafka set reader 600\nsystem kafka set members 2\n+3000\n"
                       "system kafka set members 3\n+500");
    assert_true(systems_says(&st, "group", "kafka", "Rebalance: 2 of 6 pause for"));
    assert_true(systems_says(&st, "group", "kafka", "Member 0: reads: "));
    stage_play(&st, "+3000");
    assert_true(systems_says(&st, "group", "kafka", "The last rebalance paused 2 of 6."));
    stage_free(&st);
}

/* More members than partitions: the rest have nothing to do. */
static void idle_members(void **state)
{
    (void)state;
    struct stage st;
    systems_stage(&st, "system kafka on\nsystem kafka set reader 600\n"
                       "system kafka set members 6\n+3000");
    assert_true(systems_says(&st, "group", "kafka", "Kafka: 6 members read 4 partitions."));
    char *text = across_said(&st, "group");
    assert_int_equal(count_in(text, ": idle"), 2);
    free(text);
    st.page.question.kind = QUESTION_CHOICE;
    text = across_said(&st, "group");
    assert_int_equal(count_in(text, "ebalance:"), 0);
    assert_int_equal(count_in(text, "not read yet"), 0);
    free(text);
    stage_free(&st);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures),
        cmocka_unit_test(nothing_yet),
        cmocka_unit_test(a_rebalance),
        cmocka_unit_test(idle_members),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
