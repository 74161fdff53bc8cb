/* Latencies: which outcome took how long, and the slowest of each range. */
#include "story_stage.h"

static void outcomes_have_their_own_times(void **state)
{
    (void)state;
    struct stage st;
    stage_story(&st, "20:02:30.400");
    struct view_state v = {.argument = ""};
    scene_goldens(&st.scene, "latency", &v, "latency");
    scene_golden(&st.scene, "latency", &v, "latency", 30, 6, GLYPHS_ASCII);
    char *told = scene_told(&st.scene, "latency", &v);
    assert_contains(told, "0.50-1.00 ms: 483 requests, 483 429\n");
    assert_contains(told, "180 requests, 180 OK\n");
    assert_contains(told, "Half took at most 500 us (p50), 99 in 100 at most 6.5 ms (p99)");
    assert_plain(told, 78);
    free(told);
    stage_free(&st);
}

static void only_reads_or_writes_or_a_key(void **state)
{
    (void)state;
    struct stage st;
    stage_story(&st, "20:02:10.000");
    char *of[3];
    const char *arguments[] = {"reads", "writes", ""};
    unsigned long count[3];
    for (int i = 0; i < 3; i++) {
        struct view_state v = {.argument = arguments[i]};
        of[i] = scene_told(&st.scene, "latency", &v);
        assert_plain(of[i], 78);
        count[i] = strtoul(of[i], NULL, 10);
        free(of[i]);
    }
    assert_true(count[0] > count[1] && count[1] > 0);
    assert_int_equal(count[0] + count[1], count[2]);
    struct view_state v = {.argument = "post:{p2}"};
    char *told = scene_told(&st.scene, "latency", &v);
    assert_null(strstr(told, "refused"));
    free(told);
    v.argument = "nobody:asked";
    told = scene_told(&st.scene, "latency", &v);
    assert_string_equal(told, "No request was answered in the last moment.\n");
    free(told);
    stage_free(&st);
}

/* A long queue: ranges double, and the slowest is what is asked about. */
static void a_queue_stretches_the_scale(void **state)
{
    (void)state;
    struct stage st;
    stage_new(&st, "story");
    stage_do(&st, "ceiling S2 1000 3000 4000");
    stage_do(&st, "flow like likes:{p9} 1400 steady");
    stage_run(&st, 2 * US_PER_SECOND);
    stage_do(&st, "request like likes:{p9} via R0");
    stage_answered(&st);
    stage_refresh(&st);
    struct view_state v = {.argument = ""};
    scene_golden(&st.scene, "latency", &v, "latency_queue", 56, 25, GLYPHS_UTF8);
    struct subject slowest = view_latency.subject(&v, &st.scene);
    assert_int_equal(slowest.kind, SUBJECT_RECORD);
    const struct trace_record *r = trace_get(st.world, slowest.id);
    assert_int_equal(r->kind, TRACE_REPLY);
    assert_int_equal(r->op, OP_LIKE);
    assert_true(view_latency.move(&v, &st.scene, VERB_FIRST, 56, 25));
    assert_true(view_latency.subject(&v, &st.scene).id != slowest.id);
    stage_free(&st);
}

static void nobody_has_an_answer_yet(void **state)
{
    (void)state;
    struct stage st;
    stage_new(&st, "story-quiet");
    stage_do(&st, "request read post:{p9} via R0");
    struct view_state v = {.argument = ""};
    char *told = scene_told(&st.scene, "latency", &v);
    assert_string_equal(told, "1 request is under way, none was answered yet.\n");
    free(told);
    stage_free(&st);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outcomes_have_their_own_times),
        cmocka_unit_test(only_reads_or_writes_or_a_key),
        cmocka_unit_test(a_queue_stretches_the_scale),
        cmocka_unit_test(nobody_has_an_answer_yet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
