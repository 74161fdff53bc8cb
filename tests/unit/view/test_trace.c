/* The trace: who asked whom, in order, newest last, and which line is meant. */
#include "scenes.h"

/* R5 asks the old owner, is told MOVED, fetches the map and asks again. */
static void stage_redirected(struct stage *st)
{
    stage_stale(st);
    stage_do(st, "request read post:{p9} via R5");
    stage_answered(st);
}

static void one_extra_hop(void **state)
{
    (void)state;
    struct stage st;
    stage_redirected(&st);
    struct view_state v = {.argument = "R5"};
    scene_goldens(&st.scene, "trace", &v, "trace");
    scene_golden(&st.scene, "trace", &v, "trace", 56, 11, GLYPHS_UTF8);
    char *told = scene_told(&st.scene, "trace", &v);
    assert_contains(told, "R5 -> S2  read post:{p9}");
    assert_contains(told, "S2 -> R5  MOVED: slot 12067 went to S4 at epoch 8");
    assert_contains(told, "R5 -> S4  read post:{p9}");
    assert_plain(told, 78);
    free(told);
    stage_free(&st);
}

/* The same through the key: the hop, the reload and the retry all belong to its story. */
static void the_followed_key_keeps_its_reload(void **state)
{
    (void)state;
    struct stage st;
    stage_redirected(&st);
    struct view_state v = {.argument = ""};
    scene_golden(&st.scene, "trace", &v, "trace_key", 40, 19, GLYPHS_UTF8);
    char *told = scene_told(&st.scene, "trace", &v);
    assert_contains(told, "R5 -> directory  the map, please; mine is version 7");
    assert_contains(told, "directory -> R5  here is the map, version 8");
    assert_plain(told, 78);
    free(told);
    stage_free(&st);
}

static void the_moves_of_the_plan_are_marked(void **state)
{
    (void)state;
    struct stage st;
    stage_stale(&st);
    struct view_state v = {.argument = ""};
    scene_golden(&st.scene, "trace", &v, "trace_control", 40, 19, GLYPHS_UTF8);
    scene_golden(&st.scene, "trace", &v, "trace_control", 122, 28, GLYPHS_UTF8);
    stage_free(&st);
}

/* What follows a key tells how far the move of its slot is. */
static void the_steps_of_a_live_move_are_shown(void **state)
{
    (void)state;
    struct stage st;
    stage_new(&st, "story-quiet");
    st.page.key = "post:{p9}";
    stage_do(&st, "request like likes:{p9} via R3");
    stage_answered(&st);
    stage_do(&st, "migrate 12067 S3 3MB 3MB");
    world_run_until(st.world, world_now(st.world) + 1500 * US_PER_MS);
    stage_refresh(&st);
    struct view_state v = {.argument = ""};
    char *told = scene_told(&st.scene, "trace", &v);
    assert_contains(told, "slot 12067: all 3,000,000 bytes are there");
    assert_contains(told, "slot 12067 compared at entry 0: both sides");
    assert_plain(told, 78);
    free(told);
    struct canvas *c = canvas_new(40, 19);
    struct str dump = STR_EMPTY;
    scene_draw(&st.scene, &view_trace, &v, c, false);
    canvas_dump_text(c, &dump);
    assert_contains(str_text(&dump), "copied");
    assert_contains(str_text(&dump), "compare");
    str_free(&dump);
    canvas_free(c);
    stage_free(&st);
}

static void selection_scrolls_and_follows_the_newest(void **state)
{
    (void)state;
    struct stage st;
    stage_redirected(&st);
    struct view_state v = {.argument = ""};
    struct subject newest = view_trace.subject(&v, &st.scene);
    assert_int_equal(newest.kind, SUBJECT_RECORD);
    assert_false(view_trace.move(&v, &st.scene, VERB_DOWN, 40, 10));
    assert_true(view_trace.move(&v, &st.scene, VERB_UP, 40, 10));
    assert_true(v.has_selection);
    assert_true(view_trace.subject(&v, &st.scene).id < newest.id);
    assert_true(view_trace.move(&v, &st.scene, VERB_FIRST, 40, 10));
    scene_golden(&st.scene, "trace", &v, "trace_first", 40, 10, GLYPHS_UTF8);
    uint64_t first = view_trace.subject(&v, &st.scene).id;

    /* New records come in; what is selected stays selected and in sight. */
    stage_do(&st, "request read post:{p9} via R5");
    stage_answered(&st);
    assert_int_equal(view_trace.subject(&v, &st.scene).id, first);
    assert_true(view_trace.move(&v, &st.scene, VERB_LAST, 40, 10));
    assert_false(v.has_selection);
    assert_true(view_trace.subject(&v, &st.scene).id > newest.id);
    stage_free(&st);
}

static void other_keys_are_left_out(void **state)
{
    (void)state;
    struct stage st;
    stage_new(&st, "story");
    st.page.key = "post:{p9}";
    world_run_until(st.world, world_now(st.world) + 100 * US_PER_MS);
    stage_refresh(&st);
    struct view_state v = {.argument = ""};
    char *told = scene_told(&st.scene, "trace", &v);
    assert_contains(told, "post:{p9}");
    assert_null(strstr(told, "{p6}"));
    free(told);
    st.page.key = "";
    told = scene_told(&st.scene, "trace", &v);
    assert_contains(told, "{p6}");
    free(told);
    st.page.key = "nobody:asked";
    told = scene_told(&st.scene, "trace", &v);
    assert_string_equal(told, "Nothing has happened yet.\n");
    free(told);
    stage_free(&st);
}

static void everybody_at_once_becomes_a_list(void **state)
{
    (void)state;
    struct stage st;
    stage_new(&st, "story");
    world_run_until(st.world, world_now(st.world) + 100 * US_PER_MS);
    stage_refresh(&st);
    struct view_state v = {.argument = ""};
    scene_golden(&st.scene, "trace", &v, "trace_all", 40, 19, GLYPHS_UTF8);
    scene_golden(&st.scene, "trace", &v, "trace_all", 122, 28, GLYPHS_UTF8);
    stage_free(&st);
}

static int count_of(const char *text, const char *part)
{
    int count = 0;
    for (const char *at = text; (at = strstr(at, part)) != NULL; at++) {
        count++;
    }
    return count;
}

/* In the pane at 80x24 the extra hop is whole; with less, its dull part is folded, and MOVED stays.
 */
static void the_last_request_is_whole_where_it_fits(void **state)
{
    (void)state;
    struct stage st;
    stage_redirected(&st);
    world_copy_into(st.before, st.world); /* an earlier request goes first, as a whole */
    stage_do(&st, "request read post:{p9} via R0");
    stage_answered(&st);
    stage_do(&st, "deaf R5 on");
    stage_do(&st, "move 12067-12067 S1");
    world_run_until(st.world, world_now(st.world) + 20 * US_PER_MS);
    stage_do(&st, "request read post:{p9} via R5");
    stage_answered(&st);
    stage_refresh(&st);
    struct view_state v = {.argument = ""};
    char *drawn = scene_text(&st.scene, "trace", &v, 40, 9, false);
    assert_contains(drawn, "client R5 S1 S4 directory");
    assert_contains(drawn, "MOVED S1 e9");
    assert_contains(drawn, "map?");
    assert_int_equal(count_of(drawn, "read p9"), 3);
    assert_int_equal(count_of(drawn, "OK"), 2);
    assert_null(strstr(drawn, "R0"));
    assert_null(strstr(drawn, "more"));
    free(drawn);
    drawn = scene_text(&st.scene, "trace", &v, 40, 6, false);
    assert_contains(drawn, "+0.25"); /* the first hop */
    assert_contains(drawn, "MOVED S1 e9");
    assert_contains(drawn, "··· 4 more");
    assert_contains(drawn, "+7.50"); /* the last */
    free(drawn);
    assert_int_equal(view_trace.wants(&st.scene, &v), 9);
    stage_free(&st);
}

/* However long a request waits, each "retry" is a line as long as there is room for it. */
static void answers_that_are_not_ok_are_folded_last(void **state)
{
    (void)state;
    struct stage st;
    stage_new(&st, "story-quiet");
    st.page.key = "post:{p9}";
    stage_do(&st, "freeze 12067-12067 S2 on");
    stage_do(&st, "request read post:{p9} via R0");
    world_run_until(st.world, world_now(st.world) + 50 * US_PER_MS);
    stage_do(&st, "freeze 12067-12067 S2 off");
    stage_answered(&st);
    stage_refresh(&st);
    struct view_state v = {.argument = ""};
    char *drawn = scene_text(&st.scene, "trace", &v, 40, 10, false);
    assert_int_equal(count_of(drawn, " retry "), 3);
    assert_contains(drawn, "··· 2 more");
    assert_contains(drawn, "+79.50");
    free(drawn);
    drawn = scene_text(&st.scene, "trace", &v, 40, 19, false);
    assert_contains(drawn, "serve again");
    assert_contains(drawn, "+50.00"); /* counted from the request around it */
    assert_contains(drawn, "wait 40 ms");
    assert_null(strstr(drawn, "more"));
    free(drawn);
    char *told = scene_told(&st.scene, "trace", &v);
    assert_plain(told, 78);
    free(told);
    stage_free(&st);
}

/* Who only hears is not on stage; the directory can be followed like a router. */
static void a_node_can_be_followed(void **state)
{
    (void)state;
    struct stage st;
    stage_redirected(&st);
    struct view_state v = {.argument = "directory"};
    char *told = scene_told(&st.scene, "trace", &v);
    assert_contains(told, "R5 -> directory  the map, please");
    assert_contains(told, "directory -> R0  news: the map is now version 8");
    assert_null(strstr(told, "-> S2"));
    free(told);
    stage_free(&st);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_extra_hop),
        cmocka_unit_test(the_followed_key_keeps_its_reload),
        cmocka_unit_test(the_moves_of_the_plan_are_marked),
        cmocka_unit_test(the_steps_of_a_live_move_are_shown),
        cmocka_unit_test(selection_scrolls_and_follows_the_newest),
        cmocka_unit_test(other_keys_are_left_out),
        cmocka_unit_test(everybody_at_once_becomes_a_list),
        cmocka_unit_test(the_last_request_is_whole_where_it_fits),
        cmocka_unit_test(answers_that_are_not_ok_are_folded_last),
        cmocka_unit_test(a_node_can_be_followed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
