/* Parents and children of a stream, and how far their readers are. */
#include "systems_stage.h"

#define ANY "system kinesis set order any\n"
/* 3 is cut into 4 and 5; 5 and 2 are no neighbours' children: 0 and 1 are merged into 6. */
#define FAMILY                                                                                     \
    "system kinesis on\nsystem kinesis set reader 700\n" ANY HOT_P9                                \
    "system kinesis cut 3\nsystem kinesis join 0 1\n+1500\n"

static void pictures(void **state)
{
    (void)state;
    struct stage st;
    systems_stage(&st, FAMILY);
    systems_goldens(&st, "lineage", "kinesis", "lineage_kinesis");
    assert_all_sizes(&st.scene, "lineage");
    stage_play(&st, "system kinesis set order parents\nsystem hbase on\nseries t 400\n+1500");
    struct view_state v = systems_state("kinesis");
    scene_golden(&st.scene, "lineage", &v, "lineage_parents", 40, 19, GLYPHS_UTF8);
    v = systems_state("hbase");
    scene_golden(&st.scene, "lineage", &v, "lineage_hbase", 56, 25, GLYPHS_UTF8);
    stage_free(&st);
}

/* A child that is read before its parent: records out of order. */
static void any_order(void **state)
{
    (void)state;
    struct stage st;
    systems_stage(&st, FAMILY);
    assert_true(world_system(st.world, SYSTEM_KINESIS).disorder > 0);
    assert_true(systems_says(&st, "lineage", "kinesis", "OUT OF ORDER: "));
    assert_true(systems_says(&st, "lineage", "kinesis", "the first: "));
    assert_true(systems_says(&st, "lineage", "kinesis", "in any order"));
    stage_free(&st);
}

static void parents_first(void **state)
{
    (void)state;
    struct stage st;
    systems_stage(&st, "system kinesis on\nsystem kinesis set reader 700\n" HOT_P9
                       "system kinesis cut 3\n+900\n");
    assert_true(systems_says(&st, "lineage", "kinesis", "parents before children"));
    assert_true(systems_says(&st, "lineage", "kinesis", "it is read when shard 3 is read to"));
    assert_true(systems_draws(&st, "lineage", "kinesis", 40, 19, "after 3"));
    assert_true(systems_draws(&st, "lineage", "kinesis", 122, 28, "waits for shard 3"));
    char *text = across_said(&st, "lineage");
    assert_int_equal(count_in(text, "OUT OF ORDER"), 0);
    free(text);
    stage_free(&st);
}

static void a_merge(void **state)
{
    (void)state;
    struct stage st;
    systems_stage(&st, "system kinesis on\nsystem kinesis join 2 3\n+500");
    assert_true(systems_says(&st, "lineage", "kinesis", "child of 2 and 3"));
    assert_true(systems_draws(&st, "lineage", "kinesis", 40, 19, "also > 4"));
    assert_true(systems_draws(&st, "lineage", "kinesis", 40, 19, "3 open, 2 closed"));
    stage_free(&st);
}

static void an_open_question(void **state)
{
    (void)state;
    struct stage st;
    systems_stage(&st, FAMILY);
    st.page.question.kind = QUESTION_CHOICE;
    char *text = across_said(&st, "lineage");
    assert_int_equal(count_in(text, "OUT OF ORDER"), 0);
    assert_int_equal(count_in(text, "not read"), 0);
    assert_contains(text, "closed");
    free(text);
    assert_false(systems_draws(&st, "lineage", "kinesis", 122, 56, "OUT OF ORDER"));
    assert_false(systems_draws(&st, "lineage", "kinesis", 122, 56, "not read"));
    stage_free(&st);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures),         cmocka_unit_test(any_order),
        cmocka_unit_test(parents_first),    cmocka_unit_test(a_merge),
        cmocka_unit_test(an_open_question),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
