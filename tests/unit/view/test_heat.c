/* The heat map: no peak is lost, however small the pane. */
#include "scenes.h"

static void fill(struct page_heat *h, size_t rows, size_t columns)
{
    *h = (struct page_heat){.title = "Likes by key and minute",
                            .rows_are = "posts",
                            .columns_are = "minutes",
                            .first_row = "p1",
                            .last_row = "p16",
                            .first_column = "20:00",
                            .last_column = "20:20",
                            .rows = rows,
                            .columns = columns};
    for (size_t row = 0; row < rows; row++) {
        for (size_t column = 0; column < columns; column++) {
            h->value[row][column] = (uint16_t)((row * 31 + column * 17) % 190);
        }
    }
}

static void one_hot_row(void **state)
{
    (void)state;
    static struct page_heat h;
    struct stage st;
    stage_new(&st, NULL);
    fill(&h, 16, 20);
    for (size_t column = 2; column < 20; column++) {
        h.value[8][column] = (uint16_t)(1000 - 40 * (column - 2));
    }
    st.page.heat = &h;
    struct view_state v = {.argument = ""};
    scene_goldens(&st.scene, "heat", &v, "heat");
    scene_golden(&st.scene, "heat", &v, "heat", 30, 6, GLYPHS_ASCII);
    char *told = scene_told(&st.scene, "heat", &v);
    assert_contains(told, "The fullest cell: row 9 of 16, column 3 of 20: 100% of the fullest.\n");
    assert_contains(told, "Down: posts, from p1 to p16; across: minutes,\nfrom 20:00 to 20:20.");
    assert_plain(told, 78);
    free(told);
    assert_true(view_heat.move(&v, &st.scene, VERB_RIGHT, 40, 19));
    assert_int_equal(v.selected, 8 * 20 + 3);
    assert_true(view_heat.move(&v, &st.scene, VERB_UP, 40, 19));
    assert_int_equal(v.selected, 7 * 20 + 3);
    stage_free(&st);
}

/* One single hot cell of thousands is in sight in the smallest pane. */
static void a_peak_is_never_lost(void **state)
{
    (void)state;
    static struct page_heat h;
    struct stage st;
    stage_new(&st, NULL);
    st.page.heat = &h;
    for (size_t cell = 0; cell < PAGE_HEAT_ROWS_MAX * PAGE_HEAT_COLUMNS_MAX; cell += 331) {
        fill(&h, PAGE_HEAT_ROWS_MAX, PAGE_HEAT_COLUMNS_MAX);
        h.value[cell / h.columns][cell % h.columns] = 1000;
        struct canvas *c = canvas_new(30, 6);
        struct str dump = STR_EMPTY;
        struct view_state v = {.argument = ""};
        scene_draw(&st.scene, &view_heat, &v, c, false);
        canvas_dump_text(c, &dump);
        assert_contains(str_text(&dump), "█");
        str_free(&dump);
        canvas_free(c);
    }
    stage_free(&st);
}

static void a_page_without_one(void **state)
{
    (void)state;
    struct stage st;
    stage_new(&st, NULL);
    struct view_state v = {.argument = ""};
    char *told = scene_told(&st.scene, "heat", &v);
    assert_string_equal(told, "This page has no heat map.\n");
    free(told);
    stage_free(&st);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_hot_row),
        cmocka_unit_test(a_peak_is_never_lost),
        cmocka_unit_test(a_page_without_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
