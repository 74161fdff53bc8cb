/* All systems that are on, side by side. */
#include "systems_stage.h"
#include "view/inspect.h"

static void pictures(void **state)
{
    (void)state;
    struct stage st;
    systems_stage(&st, "system all on\n" HOT_P9);
    systems_goldens(&st, "systems", "", "systems");
    assert_all_sizes(&st.scene, "systems");
    st.page.question.kind = QUESTION_CHOICE;
    struct view_state v = systems_state("");
    scene_golden(&st.scene, "systems", &v, "systems_asked", 40, 19, GLYPHS_UTF8);
    stage_free(&st);
}

static void nothing_yet(void **state)
{
    (void)state;
    struct stage st;
    stage_new(&st, "story-quiet");
    assert_true(systems_says(&st, "systems", "", "No system is on yet."));
    stage_free(&st);
    stage_new(&st, NULL);
    assert_true(systems_says(&st, "systems", "", "There is no cluster here."));
    stage_free(&st);
}

/* Of the same requests a limit that is documented turns away, others let wait. */
static void one_trace_for_all(void **state)
{
    (void)state;
    struct stage st;
    systems_stage(&st, "system kinesis on\nsystem dynamodb on\nsystem redis on\n" HOT_P9);
    struct system_info kinesis = world_system(st.world, SYSTEM_KINESIS);
    assert_true(kinesis.second.asked[0] > 3000 && kinesis.second.asked[1] == 0);
    assert_true(kinesis.second.throttled > 0 && kinesis.second.late == 0);
    assert_true(systems_says(&st, "systems", "", "Kinesis: MD5 of the key, in ranges."));
    assert_true(systems_says(&st, "systems", "", "ProvisionedThroughputExceeded"));
    assert_true(systems_says(&st, "systems", "", "4 shards on 3 zones."));
    assert_silent(&st, "systems", "Kafka");
    assert_true(world_system(st.world, SYSTEM_REDIS).second.late > 0);
    char words[128];
    (void)snprintf(words, sizeof words, "%s served, %s throttled.",
                   num_grouped((int64_t)kinesis.second.ok[0]).text,
                   num_grouped((int64_t)kinesis.second.throttled).text);
    assert_draws(&st, "systems", 122, 28, "DynamoDB");
    struct view_state v = systems_state("");
    v.has_selection = true;
    v.selected = 1;
    char *text = scene_text(&st.scene, "systems", &v, 122, 28, true);
    assert_contains(text, words);
    free(text);
    stage_free(&st);
}

/* What was asked is there, what became of it comes with the answer. */
static void an_open_question(void **state)
{
    (void)state;
    struct stage st;
    systems_stage(&st, "system all on\n" HOT_P9);
    st.page.question.kind = QUESTION_CHOICE;
    assert_silent(&st, "systems", "%");
    assert_silent(&st, "systems", "throttled");
    assert_silent(&st, "systems", "late");
    assert_true(systems_says(&st, "systems", "", "Last second: 3,1"));
    assert_false(systems_draws(&st, "systems", "", 122, 56, "%"));
    assert_false(systems_draws(&st, "systems", "", 122, 56, "Last:"));
    assert_true(systems_draws(&st, "systems", "", 40, 19, "comes with the answer"));
    st.page.question.judged = true;
    assert_true(systems_says(&st, "systems", "", "throttled"));
    assert_true(systems_draws(&st, "systems", "", 122, 56, "%"));
    stage_free(&st);
}

static void the_selected_row(void **state)
{
    (void)state;
    struct stage st;
    struct view_state v = systems_state("");
    systems_stage(&st, "system all on\n+1000");
    const struct view *view = view_by_name("systems");
    assert_true(view->move(&v, &st.scene, VERB_DOWN, 40, 19));
    assert_true(v.has_selection && v.selected == 0);
    assert_true(view->move(&v, &st.scene, VERB_LAST, 40, 19));
    char *text = scene_text(&st.scene, "systems", &v, 40, 19, true);
    assert_contains(text, "Vitess: XXH64");
    free(text);
    struct subject subject = view->subject(&v, &st.scene);
    assert_int_equal(subject.kind, SUBJECT_SYSTEM);
    struct str told = STR_EMPTY;
    inspect_title(&told, &st.scene, subject);
    assert_string_equal(str_text(&told), "Vitess");
    str_clear(&told);
    inspect_tell(&told, &st.scene, subject);
    assert_contains(str_text(&told), "Its rules. Placed: XXH64");
    assert_contains(str_text(&told), "What it did last, and why:");
    str_clear(&told);
    stage_play(&st, "system vitess off");
    inspect_title(&told, &st.scene, subject);
    assert_string_equal(str_text(&told), "Nothing is selected");
    str_free(&told);
    stage_free(&st);
}

/* The trace of a page that is about systems is theirs, however much has happened since. */
static void what_they_did(void **state)
{
    (void)state;
    struct stage st;
    systems_stage(&st, "system kinesis on\nsystem kafka on\nsystem kinesis cut 3\n" HOT_P9);
    assert_true(systems_says(&st, "trace", "kinesis", "shard 3 closes"));
    assert_true(systems_says(&st, "trace", "systems", "Kafka"));
    char *text = across_said(&st, "trace");
    assert_int_equal(count_in(text, "shard 3 closes"), 0); /* long gone */
    free(text);
    struct page_show show = {.view = "parts", .argument = "kinesis"};
    st.page.show[0] = show;
    st.page.shows = 1;
    stage_free(&st);
    systems_stage(&st, "system kinesis on\nsystem kafka on\nsystem kinesis cut 3\n" HOT_P9);
    st.page.show[0] = show;
    st.page.shows = 1;
    st.scene.before = NULL;
    text = across_said(&st, "trace");
    assert_contains(text, "shard 3 closes");
    assert_int_equal(count_in(text, "Kafka"), 0);
    free(text);
    struct view_state v = systems_state("kinesis");
    const struct view *view = view_by_name("trace");
    assert_true(view->move(&v, &st.scene, VERB_FIRST, 56, 9));
    struct subject subject = view->subject(&v, &st.scene);
    assert_int_equal(subject.kind, SUBJECT_SYSTEM);
    assert_int_equal(subject.id, SYSTEM_KINESIS);
    text = scene_text(&st.scene, "trace", &v, 56, 9, true);
    assert_contains(text, "Kinesis: shard 3 is cut");
    free(text);
    stage_free(&st);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures),          cmocka_unit_test(nothing_yet),
        cmocka_unit_test(one_trace_for_all), cmocka_unit_test(an_open_question),
        cmocka_unit_test(the_selected_row),  cmocka_unit_test(what_they_did),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
