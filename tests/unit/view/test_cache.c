/* The cache: what is kept where, how old it is, and how old an answer may get. */
#include "engine/reads/reads.h"
#include "story_stage.h"

static void every_router_keeps_one(void **state)
{
    (void)state;
    struct stage st;
    stage_cached(&st);
    struct view_state v = {.argument = "post:{p9}"};
    scene_goldens(&st.scene, "cache", &v, "cache");
    scene_golden(&st.scene, "cache", &v, "cache", 30, 6, GLYPHS_ASCII);
    scene_golden(&st.scene, "cache", &v, "cache", 40, view_cache.min_rows, GLYPHS_UTF8);
    struct reads_info info = reads_info(st.world, 0, stage_key(&st, "post:{p9}"));
    struct str oldest = STR_EMPTY;
    str_addf(&oldest, "R0 keeps an answer %s old, fresh.", num_span(info.held_us / 100 * 100).text);
    char *told = scene_told(&st.scene, "cache", &v);
    assert_contains(told, str_text(&oldest));
    assert_contains(told, "fresh for 1 s, served stale until it is 3 s");
    assert_contains(told, "The oldest answer given was 1.005 s old.");
    assert_plain(told, 78);
    free(told);
    str_free(&oldest);
    stage_free(&st);
}

/* Nobody reads for a while: the entry grows stale, then too old. */
static void an_answer_nobody_reads_grows_stale(void **state)
{
    (void)state;
    struct stage st;
    stage_new(&st, "story-quiet");
    stage_do(&st, "request read post:{p9} via R1");
    stage_answered(&st);
    stage_do(&st, "reads post:{p9} cached");
    stage_do(&st, "request read post:{p9} via R1");
    stage_answered(&st);
    stage_run(&st, 2 * US_PER_SECOND);
    struct view_state v = {.argument = "post:{p9}"};
    scene_golden(&st.scene, "cache", &v, "cache_stale", 56, 11, GLYPHS_UTF8);
    char *told = scene_told(&st.scene, "cache", &v);
    assert_contains(told, "R0 keeps no answer.");
    assert_contains(told, "old, stale. Hits 0, stale 0, waits 1, fetches\n");
    free(told);
    stage_run(&st, 2 * US_PER_SECOND);
    told = scene_told(&st.scene, "cache", &v);
    assert_contains(told, "old, too old to be served.");
    free(told);
    stage_do(&st, "request read post:{p9} via R1");
    stage_run(&st, 2 * US_PER_MS);
    told = scene_told(&st.scene, "cache", &v);
    assert_contains(told, "served; a fetch is under");
    free(told);
    assert_int_equal(view_cache.subject(&v, &st.scene).kind, SUBJECT_ROUTER);
    v.has_selection = true;
    v.selected = 1;
    assert_int_equal(view_cache.subject(&v, &st.scene).kind, SUBJECT_RECORD);
    scene_golden(&st.scene, "cache", &v, "cache_fetching", 56, 11, GLYPHS_ASCII);
    stage_free(&st);
}

static void zoomed_and_chosen(void **state)
{
    (void)state;
    struct stage st;
    stage_cached(&st);
    stage_run(&st, 700 * US_PER_MS);
    struct view_state v = {.argument = "post:{p9}"};
    assert_true(view_cache.move(&v, &st.scene, VERB_ZOOM_IN, 56, 14));
    assert_true(view_cache.move(&v, &st.scene, VERB_DOWN, 56, 14));
    scene_golden(&st.scene, "cache", &v, "cache_zoomed", 56, 14, GLYPHS_UTF8);
    assert_true(view_cache.move(&v, &st.scene, VERB_ZOOM_OUT, 56, 14));
    assert_false(view_cache.move(&v, &st.scene, VERB_ZOOM_OUT, 56, 14));
    stage_free(&st);
}

static void an_edge_a_zone(void **state)
{
    (void)state;
    struct stage st;
    stage_cached(&st);
    stage_do(&st, "reads post:{p9} edge 200");
    stage_run(&st, 450 * US_PER_MS);
    struct view_state v = {.argument = "post:{p9}"};
    scene_golden(&st.scene, "cache", &v, "cache_edge", 40, 19, GLYPHS_UTF8);
    char *told = scene_told(&st.scene, "cache", &v);
    assert_contains(told, "Each zone's edge keeps post:{p9}: fresh for 200 ms.");
    assert_contains(told, "edge c keeps an answer");
    free(told);
    stage_free(&st);
}

/* The head says until when answers are given, as the rules have it; no promise of an age. */
static void the_head_follows_the_rules(void **state)
{
    (void)state;
    struct stage st;
    stage_cached(&st);
    struct view_state v = {.argument = "post:{p9}"};
    stage_do(&st, "rule age-from-read off");
    stage_do(&st, "reads post:{p9} cached 500 1500");
    stage_refresh(&st);
    scene_golden(&st.scene, "cache", &v, "cache_none_given", 40, 9, GLYPHS_ASCII);
    char *told = scene_told(&st.scene, "cache", &v);
    assert_contains(told, "counted from");
    free(told);
    stage_do(&st, "rule bounded-age off");
    stage_run(&st, 20 * US_PER_MS);
    scene_golden(&st.scene, "cache", &v, "cache_no_bound", 40, 9, GLYPHS_ASCII);
    told = scene_told(&st.scene, "cache", &v);
    assert_contains(told, "stale without");
    free(told);
    stage_free(&st);
}

static void who_keeps_nothing_says_why(void **state)
{
    (void)state;
    struct stage st;
    stage_story(&st, "20:02:10.000");
    struct view_state v = {.argument = "post:{p9}"};
    char *told = scene_told(&st.scene, "cache", &v);
    assert_string_equal(told, "Nobody keeps answers of post:{p9}: each read goes to its shard.\n");
    free(told);
    stage_do(&st, "reads post:{p9} coalesced");
    stage_refresh(&st);
    told = scene_told(&st.scene, "cache", &v);
    assert_contains(told, "reads share queries");
    free(told);
    v.argument = "";
    told = scene_told(&st.scene, "cache", &v);
    assert_string_equal(told, "There is no key to look at.\n");
    free(told);
    stage_free(&st);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_router_keeps_one),
        cmocka_unit_test(an_answer_nobody_reads_grows_stale),
        cmocka_unit_test(zoomed_and_chosen),
        cmocka_unit_test(an_edge_a_zone),
        cmocka_unit_test(the_head_follows_the_rules),
        cmocka_unit_test(who_keeps_nothing_says_why),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
