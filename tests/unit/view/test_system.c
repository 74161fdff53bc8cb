/* The system: everybody has a place at any size, and what is wrong stands out. */
#include "story_stage.h"

static void one_shard_is_flooded(void **state)
{
    (void)state;
    struct stage st;
    stage_story(&st, "20:02:10.000");
    stage_measure(&st);
    struct view_state v = {.argument = ""};
    scene_goldens(&st.scene, "system", &v, "system");
    scene_golden(&st.scene, "system", &v, "system", 78, 20, GLYPHS_UTF8);
    scene_golden(&st.scene, "system", &v, "system", 198, 57, GLYPHS_UTF8);
    scene_golden(&st.scene, "system", &v, "system", 30, 6, GLYPHS_ASCII);
    char *told = scene_told(&st.scene, "system", &v);
    assert_contains(told,
                    "S2 in zone c is asked for 2,550 writes (255%) and 9,300 reads (310%) a\n");
    assert_contains(told, "R5 in zone c has map version 7; ");
    assert_contains(told, "shards are asked\nfor 13,650, refuse 7,");
    assert_plain(told, 78);
    free(told);
    stage_free(&st);
}

static void an_old_map_and_a_dead_router(void **state)
{
    (void)state;
    struct stage st;
    stage_new(&st, "story");
    stage_run(&st, 100 * US_PER_MS);
    stage_do(&st, "shard add c");
    stage_do(&st, "deaf R5 on");
    stage_do(&st, "move 12067-12067 S4");
    stage_run(&st, 3 * US_PER_MS);
    stage_do(&st, "crash R4 100");
    stage_measure(&st);
    struct view_state v = {.argument = ""};
    scene_golden(&st.scene, "system", &v, "system_old_map", 78, 20, GLYPHS_UTF8);
    scene_golden(&st.scene, "system", &v, "system_old_map", 40, 8, GLYPHS_ASCII);
    char *told = scene_told(&st.scene, "system", &v);
    assert_contains(told, "The directory's map has version 8.\n");
    assert_contains(told, "R5 in zone c has map version 7, which is old, and is deaf to news");
    assert_contains(told, "R4 in zone c is down");
    assert_plain(told, 78);
    free(told);
    stage_free(&st);
}

static void arrows_choose_routers_and_shards(void **state)
{
    (void)state;
    struct stage st;
    stage_new(&st, "story");
    stage_measure(&st);
    struct view_state v = {.argument = ""};
    struct subject subject = view_system.subject(&v, &st.scene);
    assert_int_equal(subject.kind, SUBJECT_SHARD);
    assert_true(view_system.move(&v, &st.scene, VERB_DOWN, 78, 20)); /* it begins with S0 */
    assert_true(view_system.move(&v, &st.scene, VERB_DOWN, 78, 20));
    subject = view_system.subject(&v, &st.scene);
    assert_int_equal(subject.kind, SUBJECT_SHARD);
    assert_int_equal(subject.id, 1);
    assert_true(view_system.move(&v, &st.scene, VERB_LEFT, 78, 20));
    subject = view_system.subject(&v, &st.scene);
    assert_int_equal(subject.kind, SUBJECT_ROUTER);
    assert_int_equal(subject.id, 1);
    assert_true(view_system.move(&v, &st.scene, VERB_LAST, 78, 20));
    scene_golden(&st.scene, "system", &v, "system_selected", 78, 20, GLYPHS_UTF8);
    assert_true(view_system.move(&v, &st.scene, VERB_RIGHT, 78, 20));
    assert_int_equal(view_system.subject(&v, &st.scene).id, 3);
    stage_free(&st);
}

static void many_shards(void **state)
{
    (void)state;
    struct stage st;
    stage_new(&st, "story");
    for (int i = 0; i < 40; i++) {
        stage_do(&st, "shard add");
    }
    stage_measure(&st);
    struct view_state v = {.argument = ""};
    assert_true(view_system.move(&v, &st.scene, VERB_LAST, 56, 14));
    assert_int_equal(view_system.subject(&v, &st.scene).id, 43);
    scene_golden(&st.scene, "system", &v, "system_many", 56, 14, GLYPHS_UTF8);
    stage_free(&st);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_shard_is_flooded),
        cmocka_unit_test(an_old_map_and_a_dead_router),
        cmocka_unit_test(arrows_choose_routers_and_shards),
        cmocka_unit_test(many_shards),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
