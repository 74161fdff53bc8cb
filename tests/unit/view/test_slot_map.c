/* The slot map: every slot has its sign, the followed one its mark, a moved one is lit and counted.
 */
#include "scenes.h"

static void whole_map(void **state)
{
    (void)state;
    struct stage st;
    stage_new(&st, "story-quiet");
    struct view_state v = {.argument = ""};
    st.page.key = "post:{p9}";
    stage_do(&st, "request like likes:{p9} via R3");
    stage_answered(&st);
    stage_refresh(&st);
    scene_goldens(&st.scene, "slot_map", &v, "slot_map");
    stage_free(&st);
}

static void zoomed_in(void **state)
{
    (void)state;
    struct stage st;
    stage_stale(&st);
    struct view_state near = {.argument = "", .zoom = 1}, single = {.argument = "", .zoom = 2};
    scene_golden(&st.scene, "slot_map", &near, "slot_map_near", 40, 19, GLYPHS_UTF8);
    scene_golden(&st.scene, "slot_map", &single, "slot_map_single", 40, 19, GLYPHS_UTF8);
    scene_golden(&st.scene, "slot_map", &single, "slot_map_single", 56, 25, GLYPHS_ASCII);
    stage_free(&st);
}

static void what_moved_is_lit_and_counted(void **state)
{
    (void)state;
    struct stage st;
    stage_stale(&st);
    struct view_state v = {.argument = "", .diff = true};
    scene_golden(&st.scene, "slot_map", &v, "slot_map_diff", 40, 19, GLYPHS_UTF8);
    scene_golden(&st.scene, "slot_map", &v, "slot_map_diff", 40, 19, GLYPHS_ASCII);
    char *told = scene_told(&st.scene, "slot_map", &v);
    assert_contains(told, "1 slot changed owner in this step:");
    assert_contains(told, "slot 12067: from S2 to S4, epoch 8");
    assert_contains(told, "S2        4,095  8192-12066, 12068-12287");
    assert_contains(told, "post:{p9} is in slot 12067: S4 (was S2)");
    assert_plain(told, 78);
    free(told);
    stage_free(&st);
}

static void selection_goes_sign_by_sign_and_stays_inside(void **state)
{
    (void)state;
    struct stage st;
    stage_new(&st, "story-quiet");
    struct view_state v = {.argument = ""};
    const struct view *view = &view_slot_map;
    assert_false(view->move(&v, &st.scene, VERB_UP, 40, 19));
    assert_int_equal(view->subject(&v, &st.scene).id, 0);
    assert_true(view->move(&v, &st.scene, VERB_RIGHT, 40, 19)); /* a sign is 32 slots here */
    assert_int_equal(view->subject(&v, &st.scene).id, 32);
    assert_true(view->move(&v, &st.scene, VERB_LAST, 40, 19));
    assert_int_equal(view->subject(&v, &st.scene).id, 16352);
    assert_false(view->move(&v, &st.scene, VERB_PAGE_DOWN, 40, 19));
    assert_true(view->move(&v, &st.scene, VERB_ZOOM_IN, 40, 19));
    assert_true(view->move(&v, &st.scene, VERB_ZOOM_IN, 40, 19));
    assert_false(view->move(&v, &st.scene, VERB_ZOOM_IN, 40, 19));
    assert_true(view->move(&v, &st.scene, VERB_DOWN, 40, 19)); /* single slots now */
    assert_int_equal(view->subject(&v, &st.scene).id, 16353);
    assert_int_equal(view->subject(&v, &st.scene).kind, SUBJECT_SLOT);
    stage_free(&st);
}

static void a_slot_number_can_be_followed(void **state)
{
    (void)state;
    struct stage st;
    stage_new(&st, "story-quiet");
    struct view_state v = {.argument = "5000"};
    char *told = scene_told(&st.scene, "slot_map", &v);
    assert_contains(told, "Slot 5000: S1.");
    free(told);
    assert_int_equal(view_slot_map.subject(&v, &st.scene).id, 5000);
    stage_free(&st);
}

/* "*" marks what the cluster knows of keys, in the picture and in words. */
static void slots_with_keys_are_marked(void **state)
{
    (void)state;
    struct stage st;
    stage_new(&st, "story-quiet");
    stage_do(&st, "flow like likes:{p1} 10 steady");
    stage_do(&st, "flow like likes:{p15} 10 steady");
    struct view_state v = {.argument = "*"};
    scene_golden(&st.scene, "slot_map", &v, "slot_map_keys", 40, 19, GLYPHS_UTF8);
    scene_golden(&st.scene, "slot_map", &v, "slot_map_keys", 40, 19, GLYPHS_ASCII);
    char *told = scene_told(&st.scene, "slot_map", &v);
    assert_contains(told, "11819  S2     likes:{p1}\n");
    assert_contains(told, "2138   S0     likes:{p15}\n");
    assert_null(strstr(told, "*"));
    assert_plain(told, 78);
    free(told);
    v.argument = "";
    told = scene_told(&st.scene, "slot_map", &v);
    assert_null(strstr(told, "likes"));
    free(told);
    stage_free(&st);
}

/* One key is marked at once, the other when the answer is there. */
static void marks_may_wait_for_the_answer(void **state)
{
    (void)state;
    struct stage st;
    stage_new(&st, "story-quiet");
    struct view_state v = {.argument = "post:{p9} ?post:{p10}"};
    st.page.question.kind = QUESTION_CHOICE;
    char *drawn = scene_text(&st.scene, "slot_map", &v, 40, 8, false);
    assert_contains(drawn, "◆ 12067\n");
    assert_contains(drawn, "slot 12067:");
    free(drawn);
    st.page.question.judged = true;
    drawn = scene_text(&st.scene, "slot_map", &v, 40, 8, false);
    assert_contains(drawn, "◆ 12067 6399\n");
    assert_contains(drawn, "slot 6399: S1");
    free(drawn);
    char *told = scene_told(&st.scene, "slot_map", &v);
    assert_contains(told, "post:{p9} is in slot 12067: S2");
    assert_contains(told, "post:{p10} is in slot 6399: S1");
    free(told);
    stage_free(&st);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_map),
        cmocka_unit_test(zoomed_in),
        cmocka_unit_test(what_moved_is_lit_and_counted),
        cmocka_unit_test(selection_goes_sign_by_sign_and_stays_inside),
        cmocka_unit_test(a_slot_number_can_be_followed),
        cmocka_unit_test(slots_with_keys_are_marked),
        cmocka_unit_test(marks_may_wait_for_the_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
