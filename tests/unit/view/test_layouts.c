/* Many layouts: a dot each on one axis, the median, and how far the experiment is. */
#include "scenes.h"

/* Values that any reader can check: 1001 to 1000 + total, times a factor, in a shuffled order. */
static void fill(struct page_group *g, const char *label, size_t done, size_t total, uint32_t by)
{
    *g = (struct page_group){.label = label, .done = done, .total = total};
    for (size_t i = 0; i < done; i++) {
        g->value[i] = 1000 + (uint32_t)((i * 7 + 3) % total + 1) * by;
    }
}

static void each_group_has_its_strip(void **state)
{
    (void)state;
    struct page_experiment e = {.title = "fullest bucket over the average", .groups = 3};
    struct scene s = {.experiment = &e};
    struct view_state v = {.argument = ""};
    fill(&e.group[0], "1 token", 30, 30, 50);
    fill(&e.group[1], "16 tokens", 30, 30, 10);
    fill(&e.group[2], "100 tokens", 17, 30, 3);
    scene_goldens(&s, "layouts", &v, "layouts");
    scene_golden(&s, "layouts", &v, "layouts", 30, 6, GLYPHS_ASCII);
    char *told = scene_told(&s, "layouts", &v);
    assert_contains(told, "fullest bucket over the average: 77 of 90 tries are done");
    assert_null(strstr(told, "busiest")); /* nothing else is measured than what it says */
    /* 1.05, 1.10, ... 2.50: half way between the fifteenth and the sixteenth of
     * thirty; the second and the twenty-ninth. */
    assert_contains(told, "1 token: median 1.78, 5% to 95% of 30 tries 1.10 to 2.45");
    assert_contains(told, "worst 2.50");
    assert_plain(told, 78);
    free(told);
    assert_true(view_layouts.move(&v, &s, VERB_LAST, 40, 19));
    assert_int_equal(v.selected, 2);
}

static void nothing_tried_yet_is_said(void **state)
{
    (void)state;
    struct page_experiment e = {.title = "", .groups = 1};
    struct scene s = {.experiment = &e};
    struct view_state v = {.argument = ""};
    fill(&e.group[0], "16 tokens", 0, 30, 1);
    char *told = scene_told(&s, "layouts", &v);
    assert_contains(told, "16 tokens: nothing tried yet.\n");
    free(told);
    s.experiment = NULL;
    told = scene_told(&s, "layouts", &v);
    assert_string_equal(told, "No experiment is shown here.\n");
    free(told);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_group_has_its_strip),
        cmocka_unit_test(nothing_tried_yet_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
