/* The table: aligned, sideways where it is narrow, and nothing told before the answer. */
#include "scenes.h"

static void fill(struct page_table *t)
{
    static const char *const column[] = {"fix",           "reads/s", "writes/s",
                                         "oldest answer", "lost",    "what it needs"};
    static const char *const cell[][6] = {
        {"as it is", "9,300", "2,550", "0 ms", "0", "nothing"},
        {"micro-cache", "306", "2,550", "1,005 ms", "0", "a bound on staleness"},
        {"8 salts", "9,300", "750", "0 ms", "0", "8 reads for each count"},
        {"sums at the routers", "9,300", "162", "500 ms", "200", "a table of likes"}};
    *t = (struct page_table){.title = "What each fix leaves of the load", .columns = 6, .rows = 4};
    for (size_t i = 0; i < 6; i++) {
        t->column[i] = column[i];
        t->number[i] = i > 0 && i < 5;
        for (size_t row = 0; row < 4; row++) {
            t->row[row].cell[i] = cell[row][i];
        }
    }
    for (size_t row = 0; row < 4; row++) {
        t->row[row].label = cell[row][0];
        t->row[row].opens = row != 0;
    }
}

static void aligned_and_sideways(void **state)
{
    (void)state;
    static struct page_table t;
    struct stage st;
    stage_new(&st, NULL);
    fill(&t);
    st.page.table = &t;
    struct view_state v = {.argument = ""};
    scene_goldens(&st.scene, "table", &v, "table");
    scene_golden(&st.scene, "table", &v, "table", 30, 6, GLYPHS_ASCII);
    assert_true(view_table.move(&v, &st.scene, VERB_DOWN, 40, 12)); /* it begins with the first */
    assert_int_equal(v.selected, 0);
    assert_true(view_table.move(&v, &st.scene, VERB_DOWN, 40, 12));
    assert_int_equal(v.selected, 1);
    assert_true(view_table.move(&v, &st.scene, VERB_RIGHT, 40, 12));
    scene_golden(&st.scene, "table", &v, "table_right", 40, 12, GLYPHS_UTF8);
    int steps = 0;
    while (view_table.move(&v, &st.scene, VERB_RIGHT, 40, 12)) {
        assert_true(++steps < PAGE_TABLE_COLUMNS_MAX);
    }
    scene_golden(&st.scene, "table", &v, "table_end", 40, 12, GLYPHS_UTF8);
    assert_false(view_table.move(&v, &st.scene, VERB_RIGHT, 122, 12)); /* all are in sight there */
    stage_free(&st);
}

static void told_in_lines(void **state)
{
    (void)state;
    static struct page_table t;
    struct stage st;
    stage_new(&st, NULL);
    fill(&t);
    st.page.table = &t;
    struct view_state v = {.argument = ""};
    char *told = scene_told(&st.scene, "table", &v);
    assert_contains(told, "micro-cache: reads/s 306, writes/s 2,550, oldest answer 1,005 ms, lost");
    assert_plain(told, 78);
    free(told);
    t.columns = 4;
    told = scene_told(&st.scene, "table", &v);
    assert_contains(told, "fix                  reads/s  writes/s  oldest answer\n");
    assert_contains(told, "sums at the routers    9,300       162         500 ms\n");
    assert_plain(told, 78);
    free(told);
    stage_free(&st);
}

static void hidden_until_the_answer(void **state)
{
    (void)state;
    static struct page_table t;
    struct stage st;
    stage_new(&st, NULL);
    fill(&t);
    t.hidden = true;
    st.page.table = &t;
    struct view_state v = {.argument = ""};
    scene_golden(&st.scene, "table", &v, "table_hidden", 40, 12, GLYPHS_UTF8);
    char *told = scene_told(&st.scene, "table", &v);
    assert_contains(told, "as it is\nmicro-cache\n");
    assert_contains(told, "The figures come with your answer.\n");
    assert_null(strstr(told, "306"));
    free(told);
    t.hidden = false;
    for (size_t i = 1; i < t.columns; i++) {
        t.row[2].cell[i] = ""; /* its run is not over */
    }
    scene_golden(&st.scene, "table", &v, "table_filling", 40, 12, GLYPHS_UTF8);
    stage_free(&st);
}

static void a_page_without_one(void **state)
{
    (void)state;
    struct stage st;
    stage_new(&st, NULL);
    struct view_state v = {.argument = ""};
    char *told = scene_told(&st.scene, "table", &v);
    assert_string_equal(told, "This page has no table.\n");
    free(told);
    assert_false(view_table.move(&v, &st.scene, VERB_DOWN, 40, 12));
    stage_free(&st);
}

/* Where not all rows fit the last line says so, until the end is in sight. */
static void more_below_is_said(void **state)
{
    (void)state;
    static struct page_table t;
    struct stage st;
    stage_new(&st, NULL);
    fill(&t);
    st.page.table = &t;
    assert_int_equal(view_table.wants(&st.scene, NULL), 8);
    struct view_state v = {.argument = ""};
    char *drawn = scene_text(&st.scene, "table", &v, 40, 6, false);
    assert_contains(drawn, "1 more below");
    free(drawn);
    assert_true(view_table.move(&v, &st.scene, VERB_LAST, 40, 6));
    drawn = scene_text(&st.scene, "table", &v, 40, 6, false);
    assert_null(strstr(drawn, "below"));
    assert_contains(drawn, "sums at the routers");
    assert_contains(drawn, "enter opens this run");
    free(drawn);
    stage_free(&st);
}

static void words_wrap_before_a_column_is_cut(void **state)
{
    (void)state;
    static struct page_table t;
    struct stage st;
    stage_new(&st, NULL);
    fill(&t);
    t.columns = 3;
    t.column[2] = "what it needs";
    t.number[2] = false;
    for (size_t row = 0; row < 4; row++) {
        t.row[row].cell[2] = t.row[row].cell[5];
    }
    st.page.table = &t;
    struct view_state v = {.argument = ""};
    scene_golden(&st.scene, "table", &v, "table_wrapped", 40, 14, GLYPHS_UTF8);
    char *drawn = scene_text(&st.scene, "table", &v, 40, 14, false);
    assert_contains(drawn, "staleness");
    assert_contains(drawn, "8 reads");
    assert_null(strstr(drawn, "more column"));
    free(drawn);
    drawn = scene_text(&st.scene, "table", &v, 30, 8, false); /* too few rows: it is said */
    assert_contains(drawn, "1 more column: right, left");
    free(drawn);
    stage_free(&st);
}

/* Rows that are played when they are opened have sentences for cells. */
static void long_cells_of_lazy_rows_stand_below(void **state)
{
    (void)state;
    static struct page_table t;
    static const char *const cell[][4] = {
        {"7", "20:03:00", "Every router keeps p9's answer for a second, and fetches it once.",
         "p9 costs S2 6 reads a second instead of 9,000"},
        {"7a", "20:02:00", "What if S2's two replicas answered reads too?",
         "9,300 reads on three times the ceiling: 103%"},
        {"14", "20:11:07", "The copy is complete; both sides are compared until they agree.", "-"}};
    struct stage st;
    stage_new(&st, NULL);
    t = (struct page_table){.title = "The story", .columns = 4, .rows = 3};
    t.column[0] = "event";
    t.column[1] = "at";
    t.column[2] = "what happens";
    t.column[3] = "what to look at";
    for (size_t row = 0; row < 3; row++) {
        t.row[row] = (struct page_table_row){.label = cell[row][0], .opens = true, .lazy = true};
        for (size_t i = 0; i < 4; i++) {
            t.row[row].cell[i] = cell[row][i];
        }
    }
    st.page.table = &t;
    struct view_state v = {.argument = ""};
    scene_golden(&st.scene, "table", &v, "table_lazy", 56, 25, GLYPHS_UTF8);
    assert_true(view_table.move(&v, &st.scene, VERB_DOWN, 40, 19));
    scene_golden(&st.scene, "table", &v, "table_lazy", 40, 19, GLYPHS_UTF8);
    scene_golden(&st.scene, "table", &v, "table_lazy", 40, 8, GLYPHS_ASCII);
    char *drawn = scene_text(&st.scene, "table", &v, 40, 19, false);
    assert_contains(drawn, "fetches it once. p9 costs S2");
    free(drawn);
    v.selected = 2;
    drawn = scene_text(&st.scene, "table", &v, 40, 19, false);
    assert_contains(drawn, "compared until they agree.");
    assert_contains(drawn, "enter opens this run");
    free(drawn);
    scene_golden(&st.scene, "table", &v, "table_lazy", 170, 8, GLYPHS_UTF8);
    stage_free(&st);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(aligned_and_sideways),
        cmocka_unit_test(told_in_lines),
        cmocka_unit_test(hidden_until_the_answer),
        cmocka_unit_test(a_page_without_one),
        cmocka_unit_test(more_below_is_said),
        cmocka_unit_test(words_wrap_before_a_column_is_cut),
        cmocka_unit_test(long_cells_of_lazy_rows_stand_below),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
