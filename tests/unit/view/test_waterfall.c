/* The waterfall: who asked the shard, who waited for whom, and who did not have to. */
#include "story_stage.h"

/* All caches restart at once: each router fetches once, and everybody waits for that. */
static void one_fetch_for_all_who_wait(void **state)
{
    (void)state;
    struct stage st;
    stage_cached(&st);
    stage_do(&st, "reads post:{p9} forget");
    stage_run(&st, 20 * US_PER_MS);
    struct view_state v = {.argument = "post:{p9}"};
    scene_goldens(&st.scene, "waterfall", &v, "waterfall");
    scene_golden(&st.scene, "waterfall", &v, "waterfall", 30, 6, GLYPHS_ASCII);
    char *told = scene_told(&st.scene, "waterfall", &v);
    assert_contains(told, "6 queries to a shard");
    assert_contains(told, "R2 asked S2: 9 clients, 1 query, 6 ms.");
    assert_plain(told, 78);
    free(told);
    stage_free(&st);
}

/* Without single-flight each who waits asks on his own. */
static void a_query_for_each_without_single_flight(void **state)
{
    (void)state;
    struct stage st;
    stage_cached(&st);
    stage_do(&st, "rule single-flight off");
    stage_do(&st, "reads post:{p9} forget");
    stage_run(&st, 8 * US_PER_MS);
    struct view_state v = {.argument = "post:{p9}"};
    char *told = scene_told(&st.scene, "waterfall", &v);
    assert_null(strstr(told, ", 6 queries to a shard"));
    assert_contains(told, "1 client, 1 query");
    assert_plain(told, 78);
    free(told);
    stage_free(&st);
}

static void coalesced_reads_share_a_query(void **state)
{
    (void)state;
    struct stage st;
    stage_cached(&st);
    stage_do(&st, "reads post:{p9} coalesced by-key");
    stage_run(&st, 30 * US_PER_MS);
    st.page.key = "post:{p9}";
    struct view_state v = {.argument = ""};
    scene_golden(&st.scene, "waterfall", &v, "waterfall_by_key", 56, 25, GLYPHS_UTF8);
    struct subject subject = view_waterfall.subject(&v, &st.scene);
    assert_int_equal(subject.kind, SUBJECT_RECORD);
    assert_int_equal(trace_get(st.world, subject.id)->kind, TRACE_READS); /* why it was sent */
    assert_true(view_waterfall.move(&v, &st.scene, VERB_DOWN, 56, 25));
    subject = view_waterfall.subject(&v, &st.scene);
    assert_int_equal(trace_get(st.world, subject.id)->kind, TRACE_REPLY);
    assert_true(view_waterfall.move(&v, &st.scene, VERB_FIRST, 56, 25));
    assert_false(view_waterfall.move(&v, &st.scene, VERB_UP, 56, 25));
    scene_golden(&st.scene, "waterfall", &v, "waterfall_first", 40, 19, GLYPHS_UTF8);
    stage_free(&st);
}

static void a_plain_read_asks_for_itself(void **state)
{
    (void)state;
    struct stage st;
    stage_story(&st, "20:02:10.000");
    struct view_state v = {.argument = "post:{p9}"};
    scene_golden(&st.scene, "waterfall", &v, "waterfall_plain", 40, 19, GLYPHS_UTF8);
    char *told = scene_told(&st.scene, "waterfall", &v);
    assert_contains(told, "asked S2 for one client in zone");
    assert_contains(told, "refused");
    assert_plain(told, 78);
    free(told);
    stage_free(&st);
}

static void kept_answers_share_a_line(void **state)
{
    (void)state;
    struct stage st;
    stage_cached(&st);
    struct view_state v = {.argument = "post:{p9}"};
    char *told = scene_told(&st.scene, "waterfall", &v);
    assert_contains(told, ", 0 queries to a shard,\n502 answered from a cache.");
    assert_contains(told, "reads answered from a cache, nobody asked the shard.");
    free(told);
    stage_free(&st);
}

static void nothing_to_see(void **state)
{
    (void)state;
    struct stage st;
    stage_new(&st, "story-quiet");
    struct view_state v = {.argument = "post:{p9}"};
    char *told = scene_told(&st.scene, "waterfall", &v);
    assert_string_equal(told, "There are no reads of this key yet.\n");
    free(told);
    assert_int_equal(view_waterfall.subject(&v, &st.scene).kind, SUBJECT_NONE);
    stage_free(&st);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_fetch_for_all_who_wait),
        cmocka_unit_test(a_query_for_each_without_single_flight),
        cmocka_unit_test(coalesced_reads_share_a_query),
        cmocka_unit_test(a_plain_read_asks_for_itself),
        cmocka_unit_test(kept_answers_share_a_line),
        cmocka_unit_test(nothing_to_see),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
