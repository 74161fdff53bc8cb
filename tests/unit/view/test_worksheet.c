/* A calculator with its numbers: aligned, its arithmetic below or beside, covered by a question. */
#include "scenes.h"

static void fill(struct page_worksheet *w)
{
    *w = (struct page_worksheet){
        .title = "A feature store",
        .what = "capacity",
        .lines = 9,
        .inputs = 4,
        .line = {
            {"users", "500,000,000", "users", "whose features are kept", "", true},
            {"items", "50,000,000", "items", "whose features are kept", "", false},
            {"process_gb", "30", "GB", "of data that one process should hold", "", false},
            {"process_rate", "100,000", "reads/s", "that one can answer", "", false},
            {"masters_by_size", "70", "masters", "that the data asks for",
             "2.1 x 1,000 / 30, rounded up", false},
            {"masters_by_rate", "22", "masters", "that the reads ask for",
             "2,200,000 / 100,000, rounded up", false},
            {"masters", "70", "masters", "the larger of the two",
             "the larger of 70 and 22, at least 1", false},
            {"viral_master", "130,000", "reads/s", "at its master",
             "100,000 + (2,200,000 - 100,000) / 70", false},
            {"viral_fits", "no", "", "its master answers them all", "130,000 <= 100,000", false}}};
}

static void aligned_with_its_arithmetic(void **state)
{
    (void)state;
    static struct page_worksheet w;
    struct stage st;
    stage_new(&st, NULL);
    fill(&w);
    st.page.worksheet = &w;
    struct view_state v = {.argument = ""};
    scene_goldens(&st.scene, "worksheet", &v, "worksheet");
    scene_golden(&st.scene, "worksheet", &v, "worksheet", 30, 6, GLYPHS_ASCII);
    assert_true(view_worksheet.move(&v, &st.scene, VERB_DOWN, 40, 19)); /* it begins at the first */
    assert_int_equal(v.selected, 0);
    assert_true(view_worksheet.move(&v, &st.scene, VERB_LAST, 40, 8));
    assert_int_equal(v.selected, 8);
    assert_false(view_worksheet.move(&v, &st.scene, VERB_DOWN, 40, 8));
    assert_true(view_worksheet.move(&v, &st.scene, VERB_UP, 40, 8));
    scene_golden(&st.scene, "worksheet", &v, "worksheet_viral", 40, 8, GLYPHS_UTF8);
    scene_golden(&st.scene, "worksheet", &v, "worksheet_viral", 40, 19, GLYPHS_ASCII);
    stage_free(&st);
}

static void covered_while_the_question_is_open(void **state)
{
    (void)state;
    static struct page_worksheet w;
    struct stage st;
    stage_new(&st, NULL);
    fill(&w);
    st.page.worksheet = &w;
    st.page.question.kind = QUESTION_NUMBER;
    st.page.question.state = QUESTION_OPEN;
    struct view_state v = {.argument = "", .has_selection = true, .selected = 6};
    scene_golden(&st.scene, "worksheet", &v, "worksheet_asked", 40, 19, GLYPHS_UTF8);
    char *drawn = scene_text(&st.scene, "worksheet", &v, 122, 28, false);
    assert_contains(drawn, "500,000,000");
    assert_null(strstr(drawn, "70"));
    assert_null(strstr(drawn, "130,000"));
    assert_null(strstr(drawn, "rounded"));
    free(drawn);
    char *told = scene_told(&st.scene, "worksheet", &v);
    assert_contains(told, "The numbers come with your answer.\n");
    assert_null(strstr(told, "70"));
    assert_null(strstr(told, "rounded"));
    free(told);
    stage_free(&st);
}

static void told_in_lines(void **state)
{
    (void)state;
    static struct page_worksheet w;
    struct stage st;
    stage_new(&st, NULL);
    fill(&w);
    st.page.worksheet = &w;
    struct view_state v = {.argument = ""};
    char *told = scene_told(&st.scene, "worksheet", &v);
    assert_contains(told, "* users            500,000,000 users, whose features are kept\n");
    assert_contains(told, "  viral_fits                no, its master answers them all\n"
                          "    = 130,000 <= 100,000\n");
    assert_plain(told, 78);
    free(told);
    stage_free(&st);
}

/* At any size and with any selection: no crash, nothing beyond the frame. */
static void at_any_size(void **state)
{
    (void)state;
    static struct page_worksheet w;
    struct stage st;
    stage_new(&st, NULL);
    fill(&w);
    st.page.worksheet = &w;
    for (int columns = 1; columns < 100; columns += 7) {
        for (int rows = 1; rows < 24; rows++) {
            struct view_state v = {.argument = "", .has_selection = rows % 2 == 0};
            v.selected = columns % 3 == 0 ? INT64_MAX : rows;
            v.scroll = columns % 4 == 0 ? -7 : columns;
            free(scene_text(&st.scene, "worksheet", &v, columns, rows, columns % 2 == 0));
            view_worksheet.move(&v, &st.scene, VERB_PAGE_DOWN, columns, rows);
        }
    }
    w.inputs = 0;
    free(scene_text(&st.scene, "worksheet", &(struct view_state){.argument = ""}, 40, 19, false));
    stage_free(&st);
}

static void a_page_without_one(void **state)
{
    (void)state;
    struct stage st;
    stage_new(&st, NULL);
    struct view_state v = {.argument = ""};
    char *told = scene_told(&st.scene, "worksheet", &v);
    assert_string_equal(told, "This page has no worksheet.\n");
    free(told);
    assert_false(view_worksheet.move(&v, &st.scene, VERB_DOWN, 40, 12));
    stage_free(&st);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(aligned_with_its_arithmetic),
        cmocka_unit_test(covered_while_the_question_is_open),
        cmocka_unit_test(told_in_lines),
        cmocka_unit_test(at_any_size),
        cmocka_unit_test(a_page_without_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
