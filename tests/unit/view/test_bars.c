/* The bars: rates against ceilings, never by length alone. */
#include "story_stage.h"

static void a_quiet_evening(void **state)
{
    (void)state;
    struct stage st;
    stage_new(&st, "story");
    stage_measure(&st);
    struct view_state v = {.argument = ""};
    scene_golden(&st.scene, "bars", &v, "bars_calm", 40, 19, GLYPHS_UTF8);
    char *told = scene_told(&st.scene, "bars", &v);
    assert_contains(told, "S2           200    1,000    20%       400    3,000    13%\n");
    assert_contains(told, "all          800    4,000    20%     1,600   12,000    13%\n");
    assert_plain(told, 78);
    free(told);
    stage_free(&st);
}

static void one_shard_over_its_ceiling(void **state)
{
    (void)state;
    struct stage st;
    stage_hot(&st);
    struct view_state v = {.argument = ""};
    assert_int_equal(view_bars.subject(&v, &st.scene).id, 2); /* the busiest, unless told */
    scene_goldens(&st.scene, "bars", &v, "bars_hot");
    char *told = scene_told(&st.scene, "bars", &v);
    assert_contains(told, "2,550    1,000   255%     9,300    3,000   310%\n");
    assert_contains(told, "S2 refuses 1,");
    assert_plain(told, 78);
    free(told);
    assert_int_equal(view_bars.subject(&v, &st.scene).kind, SUBJECT_SHARD);
    stage_free(&st);
}

static void many_shards_scroll_and_say_so(void **state)
{
    (void)state;
    struct stage st;
    stage_new(&st, "story");
    for (int i = 0; i < 40; i++) {
        stage_do(&st, "shard add");
    }
    stage_measure(&st);
    struct view_state v = {.argument = ""};
    assert_true(view_bars.move(&v, &st.scene, VERB_LAST, 40, 12));
    assert_int_equal(v.selected, 43);
    scene_golden(&st.scene, "bars", &v, "bars_many", 40, 12, GLYPHS_UTF8);
    assert_true(view_bars.move(&v, &st.scene, VERB_PAGE_UP, 40, 12));
    assert_true(view_bars.move(&v, &st.scene, VERB_FIRST, 40, 12));
    assert_int_equal(v.scroll, 0);
    assert_false(view_bars.move(&v, &st.scene, VERB_UP, 40, 12));
    stage_free(&st);
}

static void without_ceilings_there_is_no_percentage(void **state)
{
    (void)state;
    struct stage st;
    stage_new(&st, "story");
    for (int shard = 0; shard < 4; shard++) {
        char words[40];
        (void)snprintf(words, sizeof words, "ceiling S%d 0 0", shard);
        stage_do(&st, words);
    }
    stage_measure(&st);
    struct view_state v = {.argument = ""};
    char *told = scene_told(&st.scene, "bars", &v);
    assert_contains(told, "S0           200     none      -       400     none      -\n");
    free(told);
    scene_golden(&st.scene, "bars", &v, "bars_no_ceiling", 40, 14, GLYPHS_ASCII);
    stage_free(&st);
}

/* Nobody reads: no rows of zeros, and twice the room for the rest. */
static void one_kind_alone_has_one_line_a_shard(void **state)
{
    (void)state;
    struct stage st;
    stage_new(&st, "story-quiet");
    stage_do(&st, "flow like likes:{p9} 2400 scattered");
    stage_measure(&st);
    struct view_state v = {.argument = ""};
    scene_golden(&st.scene, "bars", &v, "bars_writes", 40, 8, GLYPHS_UTF8);
    scene_golden(&st.scene, "bars", &v, "bars_writes", 40, 19, GLYPHS_ASCII);
    char *drawn = scene_text(&st.scene, "bars", &v, 40, 8, false);
    assert_contains(drawn, "writes, no reads");
    assert_null(strstr(drawn, "0 reads"));
    free(drawn);
    stage_free(&st);
}

/* Twenty times over: the ceiling is still in sight, and the bar says that it goes on. */
static void a_bar_too_long_is_cut_and_the_ceiling_is_not(void **state)
{
    (void)state;
    struct stage st;
    stage_new(&st, "story-quiet");
    stage_do(&st, "ceiling S2 100 100");
    stage_do(&st, "flow like likes:{p9} 2000 scattered");
    stage_measure(&st);
    struct view_state v = {.argument = ""};
    char *drawn = scene_text(&st.scene, "bars", &v, 40, 8, false);
    assert_contains(drawn, "█┃█");
    assert_contains(drawn, "▶");
    assert_contains(drawn, "2000%");
    free(drawn);
    stage_free(&st);
}

/* A limit: what people want stays in sight, and what reaches the shard is what counts. */
static void what_routers_turn_away_is_drawn_light(void **state)
{
    (void)state;
    struct stage st;
    stage_hot(&st);
    stage_do(&st, "limit key likes:{p9} 600");
    stage_do(&st, "limit key post:{p9} 2000");
    stage_run(&st, US_PER_SECOND);
    stage_measure(&st);
    struct view_state v = {.argument = ""};
    scene_golden(&st.scene, "bars", &v, "bars_limit", 56, 25, GLYPHS_UTF8);
    scene_golden(&st.scene, "bars", &v, "bars_limit", 40, 8, GLYPHS_ASCII);
    assert_int_equal(view_bars.subject(&v, &st.scene).id, 2); /* wanted most, still */
    char *told = scene_told(&st.scene, "bars", &v);
    assert_contains(told, "2,550    1,000   255%     9,300    3,000   310%\n");
    assert_contains(told, "Routers turn the rest away: 750 writes (75%) and 2,298 reads (77%)");
    assert_null(strstr(told, "refuses"));
    assert_plain(told, 78);
    free(told);
    stage_free(&st);
}

/* Who is refused asks again, and again: the shard refuses more than people want of it. */
static void repeats_are_told(void **state)
{
    (void)state;
    struct stage st;
    stage_hot(&st);
    stage_do(&st, "clients at-once times 3");
    stage_run(&st, US_PER_SECOND);
    stage_measure(&st);
    struct view_state v = {.argument = ""};
    char *told = scene_told(&st.scene, "bars", &v);
    assert_contains(told, "Clients of S2 ask ");
    assert_contains(told, " times again, beyond these.");
    assert_plain(told, 78);
    free(told);
    stage_free(&st);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_quiet_evening),
        cmocka_unit_test(one_shard_over_its_ceiling),
        cmocka_unit_test(many_shards_scroll_and_say_so),
        cmocka_unit_test(without_ceilings_there_is_no_percentage),
        cmocka_unit_test(one_kind_alone_has_one_line_a_shard),
        cmocka_unit_test(a_bar_too_long_is_cut_and_the_ceiling_is_not),
        cmocka_unit_test(what_routers_turn_away_is_drawn_light),
        cmocka_unit_test(repeats_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
