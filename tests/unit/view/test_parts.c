/* The parts of a system on the line of its keys, and what each is asked for of its limit. */
#include "systems_stage.h"
#include "view/inspect.h"

static void pictures(void **state)
{
    (void)state;
    struct stage st;
    systems_stage(&st, "system all on\n" HOT_P9 "system kinesis cut 3\n+1500");
    systems_goldens(&st, "parts", "kinesis", "parts_kinesis");
    systems_goldens(&st, "parts", "cockroachdb", "parts_cockroachdb");
    struct view_state v = systems_state("cassandra");
    scene_golden(&st.scene, "parts", &v, "parts_cassandra", 40, 19, GLYPHS_UTF8);
    v = systems_state("kafka");
    scene_golden(&st.scene, "parts", &v, "parts_kafka", 56, 25, GLYPHS_UTF8);
    v = systems_state("vitess");
    scene_golden(&st.scene, "parts", &v, "parts_vitess", 122, 28, GLYPHS_UTF8);
    assert_all_sizes(&st.scene, "parts");
    stage_free(&st);
}

static void nothing_yet(void **state)
{
    (void)state;
    struct stage st;
    stage_new(&st, "story-quiet");
    assert_true(systems_says(&st, "parts", "", "No system is on yet."));
    assert_true(systems_says(&st, "parts", "kinesis", "Kinesis is not on yet."));
    assert_true(systems_says(&st, "parts", "oracle", "There is no system oracle."));
    stage_free(&st);
}

/* The hot shard is told of with its key; what was cut has closed. */
static void a_hot_shard(void **state)
{
    (void)state;
    struct stage st;
    systems_stage(&st, "system kinesis on\n" HOT_P9);
    struct system_key_info p9;
    assert_true(world_system_place(st.world, SYSTEM_KINESIS, bytes_of("likes:{p9}"), &p9));
    assert_int_equal(p9.part, 3);
    struct part_info part;
    assert_true(world_system_find(st.world, SYSTEM_KINESIS, 3, &part));
    char words[160];
    (void)snprintf(words, sizeof words, "Shard 3: %s writes of 1,000 a second, %s%%; p9",
                   num_grouped((int64_t)part.second.asked[0]).text,
                   num_ratio((int64_t)part.second.asked[0], 1000, 0).text);
    assert_true(systems_says(&st, "parts", "kinesis", words));
    assert_true(systems_draws(&st, "parts", "kinesis", 40, 19, "throttled"));
    stage_play(&st, "system kinesis cut 3\n+1000");
    assert_true(systems_says(&st, "parts", "kinesis", "Shard 3, closed: takes no more writes"));
    assert_true(systems_says(&st, "parts", "kinesis", "parent of 4 and 5"));
    assert_true(systems_says(&st, "parts", "kinesis", "child of 3"));
    assert_true(systems_draws(&st, "parts", "kinesis", 40, 19, "5 shards open, 1 closed"));
    stage_free(&st);
}

/* The model keeps so many unread records of a part: beyond them nobody can say how many. */
static void what_nobody_reads(void **state)
{
    (void)state;
    struct stage st;
    systems_stage(&st, "system kafka on 1 3\nflow like likes:{p9} 1000\n+1000");
    char *text = across_said(&st, "parts");
    assert_int_equal(count_in(text, "at least"), 0);
    assert_int_equal(count_in(text, " not read yet"), 1);
    free(text);
    stage_play(&st, "+3000");
    assert_true(systems_says(&st, "parts", "kafka", "records, at least 4,096 not read yet"));
    stage_free(&st);
}

/* Writes and reads each have a line where there is room; else the one that is closer to its limit.
 */
static void two_kinds_of_work(void **state)
{
    (void)state;
    struct stage st;
    struct view_state v = systems_state("redis");
    systems_stage(&st, "system redis on\n" HOT_P9);
    char *text = scene_text(&st.scene, "parts", &v, 56, 25, false);
    assert_int_equal(count_in(text, " w "), 4);
    assert_int_equal(count_in(text, " r "), 4);
    free(text);
    text = scene_text(&st.scene, "parts", &v, 56, 10, false);
    assert_int_equal(count_in(text, " w ") + count_in(text, " r "), 4);
    assert_int_equal(count_in(text, " r "), 1);
    free(text);
    stage_free(&st);
}

/* An eventual read is half a unit of DynamoDB's limit. */
static void half_units(void **state)
{
    (void)state;
    struct stage st;
    systems_stage(&st, "system dynamodb on\nsystem dynamodb set reads eventual\n"
                       "flow read post:{p9} 9000 scattered\n+3000");
    assert_true(systems_says(&st, "parts", "dynamodb", "read units of 3,000 a second, 1"));
    stage_free(&st);
}

static void an_open_question(void **state)
{
    (void)state;
    struct stage st;
    systems_stage(&st, "system kinesis on\n" HOT_P9);
    st.page.question.kind = QUESTION_NUMBER;
    assert_false(systems_draws(&st, "parts", "kinesis", 122, 56, "%"));
    assert_false(systems_draws(&st, "parts", "kinesis", 122, 56, "throttled"));
    assert_true(systems_draws(&st, "parts", "kinesis", 122, 56, "of 1,000"));
    char *text = across_said(&st, "parts");
    assert_int_equal(count_in(text, "%"), 0);
    assert_int_equal(count_in(text, "throttled"), 0);
    free(text);
    stage_free(&st);
}

static void the_selected_part(void **state)
{
    (void)state;
    struct stage st;
    struct view_state v = systems_state("kinesis");
    systems_stage(&st, "system kinesis on\n" HOT_P9);
    const struct view *view = view_by_name("parts");
    assert_true(view->move(&v, &st.scene, VERB_LAST, 40, 19));
    struct str told = STR_EMPTY;
    inspect_title(&told, &st.scene, view->subject(&v, &st.scene));
    assert_string_equal(str_text(&told), "Kinesis: shard 3");
    str_clear(&told);
    inspect_tell(&told, &st.scene, view->subject(&v, &st.scene));
    assert_contains(str_text(&told), "What it did last, and why:");
    str_free(&told);
    stage_free(&st);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures),          cmocka_unit_test(nothing_yet),
        cmocka_unit_test(a_hot_shard),       cmocka_unit_test(two_kinds_of_work),
        cmocka_unit_test(half_units),        cmocka_unit_test(an_open_question),
        cmocka_unit_test(the_selected_part), cmocka_unit_test(what_nobody_reads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
