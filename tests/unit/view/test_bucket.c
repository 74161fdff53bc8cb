/* Buckets: tokens left, what comes in, and who was turned away. */
#include "engine/guards/guards.h"
#include "story_stage.h"

static void a_limited_key(void **state)
{
    (void)state;
    struct stage st;
    stage_story(&st, "20:02:30.400");
    struct view_state v = {.argument = "likes:{p9}"};
    scene_goldens(&st.scene, "bucket", &v, "bucket_key");
    scene_golden(&st.scene, "bucket", &v, "bucket_key", 30, 6, GLYPHS_ASCII);
    struct bucket_info first = guards_key_bucket(st.world, 0, stage_key(&st, "likes:{p9}"));
    assert_int_equal(first.rate, 100);
    assert_int_equal(first.depth, 10 * TOKEN);
    char *told = scene_told(&st.scene, "bucket", &v);
    assert_contains(told, "let 600 requests a second of likes:{p9} pass");
    assert_contains(told, "of 10.00 tokens, 100 come a second");
    assert_plain(told, 78);
    free(told);
    stage_free(&st);
}

static void a_limited_tenant(void **state)
{
    (void)state;
    struct stage st;
    stage_story(&st, "20:02:30.400");
    struct view_state v = {.argument = "nova"};
    scene_golden(&st.scene, "bucket", &v, "bucket_tenant", 56, 14, GLYPHS_UTF8);
    char *told = scene_told(&st.scene, "bucket", &v);
    assert_contains(told, "let 2,500 requests a second of nova pass");
    assert_contains(told, "turned away in the last");
    assert_contains(told, "ask again after");
    assert_plain(told, 78);
    free(told);
    struct subject subject = view_bucket.subject(&v, &st.scene); /* why the last one was */
    assert_int_equal(subject.kind, SUBJECT_RECORD);
    assert_int_equal(trace_get(st.world, subject.id)->outcome, OUTCOME_LIMITED);
    stage_free(&st);
}

static void the_shards_ceilings(void **state)
{
    (void)state;
    struct stage st;
    stage_story(&st, "20:02:10.000");
    struct view_state v = {.argument = ""};
    scene_golden(&st.scene, "bucket", &v, "bucket_shards", 40, 19, GLYPHS_UTF8);
    scene_golden(&st.scene, "bucket", &v, "bucket_shards", 56, 14, GLYPHS_ASCII);
    assert_int_equal(view_bucket.subject(&v, &st.scene).id, 2); /* the emptiest */
    assert_true(view_bucket.move(&v, &st.scene, VERB_FIRST, 40, 19));
    assert_int_equal(view_bucket.subject(&v, &st.scene).id, 0);
    stage_free(&st);
}

static void a_queue_instead_of_tokens(void **state)
{
    (void)state;
    struct stage st;
    stage_hot(&st);
    stage_do(&st, "ceiling S2 1000 3000 5000");
    stage_run(&st, US_PER_SECOND);
    struct view_state v = {.argument = ""};
    scene_golden(&st.scene, "bucket", &v, "bucket_queue", 56, 14, GLYPHS_UTF8);
    char *told = scene_told(&st.scene, "bucket", &v);
    assert_contains(told, "S2 writes: no token, ");
    assert_contains(told, " requests wait for one, 1,000 come a second");
    free(told);
    stage_free(&st);
}

static void what_has_no_limit_says_so(void **state)
{
    (void)state;
    struct stage st;
    stage_story(&st, "20:02:10.000");
    struct view_state v = {.argument = "post:{p9}"};
    char *told = scene_told(&st.scene, "bucket", &v);
    assert_string_equal(told, "No router limits post:{p9}.\n");
    free(told);
    stage_free(&st);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_limited_key),
        cmocka_unit_test(a_limited_tenant),
        cmocka_unit_test(the_shards_ceilings),
        cmocka_unit_test(a_queue_instead_of_tokens),
        cmocka_unit_test(what_has_no_limit_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
