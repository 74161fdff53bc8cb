/* The hottest keys: what was sampled, what is hot by the report's rule, and what is not known. */
#include "engine/guards/guards.h"
#include "story_stage.h"

static void the_sample_names_the_hot_key(void **state)
{
    (void)state;
    struct stage st;
    stage_story(&st, "20:02:05.100");
    struct view_state v = {.argument = ""};
    scene_goldens(&st.scene, "top", &v, "top");
    scene_golden(&st.scene, "top", &v, "top", 30, 6, GLYPHS_ASCII);
    char *told = scene_told(&st.scene, "top", &v);
    assert_contains(told, "Hot by its writes and reads:");
    assert_contains(told, "All 16 tags seen have a cell: no error.");
    assert_plain(told, 78);
    free(told);
    struct subject subject = view_top.subject(&v, &st.scene);
    assert_int_equal(subject.kind, SUBJECT_KEY);
    assert_int_equal(world_key_slot(st.world, (uint32_t)subject.id), 12067);
    assert_true(view_top.move(&v, &st.scene, VERB_DOWN, 40, 19));
    assert_true(view_top.subject(&v, &st.scene).id != subject.id);
    assert_false(view_top.move(&v, &st.scene, VERB_LEFT, 40, 19));
    stage_free(&st);
}

/* Before p9 takes off nothing is hot, however it is sorted. */
static void most_asked_is_not_hot(void **state)
{
    (void)state;
    struct stage st;
    stage_story(&st, "20:01:00.000");
    struct view_state v = {.argument = ""};
    char *told = scene_told(&st.scene, "top", &v);
    assert_null(strstr(told, "Hot by"));
    assert_plain(told, 78);
    free(told);
    stage_free(&st);
}

/* Six cells for sixteen tags: counts have errors, and the picture shows them. */
static void few_cells_err(void **state)
{
    (void)state;
    struct stage st;
    struct err err = {{0}};
    struct world_config config = story_config(1);
    stage_new(&st, NULL);
    config.watch_max = 6;
    st.world = story_world_of(&config, true, &err);
    assert_non_null(st.world);
    stage_do(&st, "sample 10 5000");
    stage_do(&st, "flow like likes:{p9} 600 steady");
    stage_run(&st, 5100 * US_PER_MS);
    struct view_state v = {.argument = ""};
    scene_golden(&st.scene, "top", &v, "top_errors", 56, 16, GLYPHS_UTF8);
    scene_golden(&st.scene, "top", &v, "top_errors", 40, 12, GLYPHS_ASCII);
    struct hot_key_info hot[6];
    assert_int_equal(guards_hot_keys(st.world, hot, 6), 6);
    struct str floor = STR_EMPTY;
    str_addf(&floor, "A key without a cell was sampled at most %u times.\n",
             (unsigned)(hot[5].writes + hot[5].reads + hot[5].error));
    char *told = scene_told(&st.scene, "top", &v);
    assert_contains(told, str_text(&floor));
    assert_contains(told, "maybe up to ");
    assert_plain(told, 78);
    free(told);
    str_free(&floor);
    stage_free(&st);
}

/* Who is asked something, or has a task, finds the hot key without a verdict beside it. */
static void no_verdict_before_the_answer(void **state)
{
    (void)state;
    struct stage st;
    stage_story(&st, "20:02:05.100");
    struct view_state v = {.argument = ""};
    char *open = scene_told(&st.scene, "top", &v);
    assert_contains(open, "{p9}: ");
    assert_contains(open, "Hot by its writes and reads:");
    st.page.question.kind = QUESTION_CHOICE;
    char *hidden = scene_told(&st.scene, "top", &v);
    assert_contains(hidden, "{p9}: ");
    assert_null(strstr(hidden, "Hot by"));
    assert_null(strstr(hidden, "reported"));
    scene_golden(&st.scene, "top", &v, "top_asked", 56, 25, GLYPHS_UTF8);
    free(hidden);
    st.page.question.judged = true;
    char *judged = scene_told(&st.scene, "top", &v);
    assert_string_equal(judged, open);
    free(judged);
    st.page.task = "Limit the hot key.";
    hidden = scene_told(&st.scene, "top", &v);
    assert_null(strstr(hidden, "Hot by"));
    free(hidden);
    st.page.task_met = true;
    judged = scene_told(&st.scene, "top", &v);
    assert_string_equal(judged, open);
    free(judged);
    free(open);
    stage_free(&st);
}

static void without_a_sample(void **state)
{
    (void)state;
    struct stage st;
    stage_new(&st, "story-quiet");
    struct view_state v = {.argument = ""};
    scene_golden(&st.scene, "top", &v, "top_none", 40, 8, GLYPHS_UTF8);
    char *told = scene_told(&st.scene, "top", &v);
    assert_contains(told, "Routers take no sample; `sample 100 5000` counts 1 request in 100");
    free(told);
    stage_do(&st, "sample 100 5000");
    stage_refresh(&st);
    told = scene_told(&st.scene, "top", &v);
    assert_contains(told, "it ends at 20:00:05.000.");
    free(told);
    stage_free(&st);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_sample_names_the_hot_key),
        cmocka_unit_test(most_asked_is_not_hot),
        cmocka_unit_test(few_cells_err),
        cmocka_unit_test(no_verdict_before_the_answer),
        cmocka_unit_test(without_a_sample),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
