/* Who believes what: plan, cached maps, slot tables, and what a request would meet. */
#include "scenes.h"

static void all_agree(void **state)
{
    (void)state;
    struct stage st;
    stage_new(&st, "story-quiet");
    struct view_state v = {.argument = "post:{p9}"};
    scene_golden(&st.scene, "maps", &v, "maps_agree", 40, 19, GLYPHS_UTF8);
    char *told = scene_told(&st.scene, "maps", &v);
    assert_contains(told, "R0-R5      v7     S2     7      S2 serves\n");
    assert_plain(told, 78);
    free(told);
    stage_free(&st);
}

static void one_router_is_behind(void **state)
{
    (void)state;
    struct stage st;
    stage_stale(&st);
    st.page.actions = 1;
    struct view_state v = {.argument = ""};
    scene_goldens(&st.scene, "maps", &v, "maps");
    char *told = scene_told(&st.scene, "maps", &v);
    assert_contains(told, "directory  v8     S4     8\n");
    assert_contains(told, "R0-R4      v8     S4     8      S4 serves\n");
    assert_contains(told, "R5         v7     S2     7      old, deaf: S2 says MOVED to S4\n");
    assert_contains(told, "S2         moved to S4, epoch 8\n");
    assert_contains(told, "S4         owned, epoch 8\n");
    assert_plain(told, 78);
    free(told);
    stage_free(&st);
}

static void an_unchecked_shard_is_said_to_be_one(void **state)
{
    (void)state;
    struct stage st;
    stage_stale(&st);
    stage_do(&st, "rule slot-table-check off");
    struct view_state v = {.argument = ""};
    scene_golden(&st.scene, "maps", &v, "maps_unchecked", 40, 19, GLYPHS_UTF8);
    char *told = scene_told(&st.scene, "maps", &v);
    assert_contains(told, "old, deaf: S2 serves unchecked");
    assert_contains(told, "The rule slot-table-check is off");
    free(told);
    stage_free(&st);
}

static void a_directory_that_is_down_is_said_to_be(void **state)
{
    (void)state;
    struct stage st;
    stage_stale(&st);
    stage_do(&st, "directory off");
    struct view_state v = {.argument = ""};
    char *told = scene_told(&st.scene, "maps", &v);
    assert_contains(told, "directory  v8     S4     8      down\n");
    free(told);
    told = scene_told(&st.scene, "system", &v);
    assert_contains(told, "The directory's map has version 8. It is down.\n");
    free(told);
    stage_free(&st);
}

static void a_frozen_slot_says_retry(void **state)
{
    (void)state;
    struct stage st;
    stage_new(&st, "story-quiet");
    stage_do(&st, "freeze 12067-12067 S2 on");
    struct view_state v = {.argument = "12067"};
    char *told = scene_told(&st.scene, "maps", &v);
    assert_contains(told, "S2 says retry");
    assert_contains(told, "S2         migrating, epoch 7\n");
    free(told);
    stage_free(&st);
}

static void selection_names_router_and_shard(void **state)
{
    (void)state;
    struct stage st;
    stage_stale(&st);
    struct view_state v = {.argument = ""};
    assert_int_equal(view_maps.subject(&v, &st.scene).kind, SUBJECT_SLOT);
    assert_true(view_maps.move(&v, &st.scene, VERB_DOWN, 40, 8)); /* R0-R4 share a line here */
    assert_int_equal(view_maps.subject(&v, &st.scene).kind, SUBJECT_ROUTER);
    assert_int_equal(view_maps.subject(&v, &st.scene).id, 0);
    assert_true(view_maps.move(&v, &st.scene, VERB_DOWN, 40, 8));
    assert_int_equal(view_maps.subject(&v, &st.scene).id, 5);
    assert_true(view_maps.move(&v, &st.scene, VERB_LAST, 40, 8));
    assert_int_equal(view_maps.subject(&v, &st.scene).kind, SUBJECT_SHARD);
    assert_int_equal(view_maps.subject(&v, &st.scene).id, 4);
    assert_false(view_maps.move(&v, &st.scene, VERB_DOWN, 40, 8));
    assert_true(view_maps.move(&v, &st.scene, VERB_FIRST, 40, 8));
    assert_int_equal(view_maps.subject(&v, &st.scene).id, 12067);
    stage_free(&st);
}

/* Six routers of which some think alike: where rows are few, those share a line. */
static void routers_that_agree_share_a_line(void **state)
{
    (void)state;
    struct stage st;
    stage_new(&st, "story-quiet");
    st.page.key = "post:{p9}";
    stage_do(&st, "deaf R1 on");
    stage_do(&st, "deaf R4 on");
    stage_do(&st, "move 12067-12067 S3");
    world_run_until(st.world, world_now(st.world) + 20 * US_PER_MS);
    stage_refresh(&st);
    struct view_state v = {.argument = ""};
    char *drawn = scene_text(&st.scene, "maps", &v, 40, 8, false);
    assert_contains(drawn, " R1 R4    v7 S2 e7  deaf: MOVED to S3");
    assert_contains(drawn, " R0 R2-R3 v8 S3 e8  S3 serves");
    assert_contains(drawn, " S2    moved to S3 e8");
    assert_null(strstr(drawn, "lines"));
    free(drawn);
    v = (struct view_state){.argument = "", .has_selection = true, .selected = 1 + 4};
    struct subject router = view_maps.subject(&v, &st.scene);
    assert_int_equal(router.kind, SUBJECT_ROUTER);
    assert_int_equal(router.id, 4);
    assert_true(view_maps.move(&v, &st.scene, VERB_DOWN, 40, 8));
    assert_int_equal(view_maps.subject(&v, &st.scene).id, 5);
    assert_int_equal(view_maps.wants(&st.scene, &v), 8);
    stage_free(&st);
}

static void who_is_down_is_said_to_be(void **state)
{
    (void)state;
    struct stage st;
    stage_new(&st, "story-quiet");
    st.page.key = "post:{p9}";
    stage_do(&st, "directory off");
    stage_refresh(&st);
    struct view_state v = {.argument = ""};
    char *drawn = scene_text(&st.scene, "maps", &v, 40, 8, false);
    assert_contains(drawn, "directory v7 S2 e7  down");
    assert_null(strstr(drawn, "the plan"));
    free(drawn);
    char *told = scene_told(&st.scene, "maps", &v);
    assert_contains(told, "7      down");
    assert_plain(told, 78);
    free(told);
    stage_free(&st);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_agree),
        cmocka_unit_test(one_router_is_behind),
        cmocka_unit_test(an_unchecked_shard_is_said_to_be_one),
        cmocka_unit_test(a_directory_that_is_down_is_said_to_be),
        cmocka_unit_test(a_frozen_slot_says_retry),
        cmocka_unit_test(selection_names_router_and_shard),
        cmocka_unit_test(routers_that_agree_share_a_line),
        cmocka_unit_test(who_is_down_is_said_to_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
