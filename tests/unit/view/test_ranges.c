/* Ranges: where each begins, who has it, what a split moved. */
#include "placings.h"

static void a_split_moves_half_of_one_range(void **state)
{
    (void)state;
    struct tried t;
    struct view_state v = {.argument = ""};
    tried_new(&t, "range", 0, 4, 5, 10000);
    t.placing.lookup = "k42";
    scene_goldens(&t.scene, "ranges", &v, "ranges");
    tried_golden(&t, "ranges", "ranges", 30, 6, GLYPHS_ASCII);
    char *told = scene_told(&t.scene, "ranges", &v);
    assert_contains(told, "S4 takes 1,250, all from S0.\n");
    assert_contains(told, "S4        1,250     1,250  1,250 from S0");
    assert_contains(told, "holds k42.\n");
    assert_plain(told, 78);
    free(told);
    assert_true(view_ranges.move(&v, &t.scene, VERB_LAST, 40, 19));
    assert_int_equal(v.selected, 4);
    assert_false(view_ranges.move(&v, &t.scene, VERB_DOWN, 40, 19));
    tried_free(&t);
}

static void a_load_has_its_own_line(void **state)
{
    (void)state;
    struct tried t;
    tried_new(&t, "range", 0, 4, 5, 1000);
    keyset_set_load(t.keys, 7, 4000); /* k7, as hot as all others together */
    tried_golden(&t, "ranges", "ranges_load", 56, 25, GLYPHS_UTF8);
    struct view_state v = {.argument = ""};
    char *told = scene_told(&t.scene, "ranges", &v);
    assert_contains(told, "4,249");
    free(told);
    tried_free(&t);
}

static void kinesis_has_ranges_of_numbers(void **state)
{
    (void)state;
    struct tried t;
    struct view_state v = {.argument = ""};
    tried_new(&t, "kinesis", 0, 4, 5, 1000);
    tried_golden(&t, "ranges", "ranges_kinesis", 56, 25, GLYPHS_UTF8);
    char *told = scene_told(&t.scene, "ranges", &v);
    assert_contains(told, "85070591730234615865843651"); /* 2^126: where the second begins */
    assert_plain(told, 78);
    free(told);
    tried_free(&t);
}

/* Keys that begin alike lose what they have in common, so that lines differ. */
static void long_keys_are_cut_at_the_front(void **state)
{
    (void)state;
    struct tried t = {.keys = keyset_new()};
    struct err err = {{0}};
    for (int i = 0; i < 1000; i++) {
        char key[40];
        int length = snprintf(key, sizeof key, "2030-06-14T20:00:00.000Z %05d", i);
        assert_true(keyset_add(t.keys, (struct bytes){key, (size_t)length}, 1, &err));
    }
    struct layout_params params = layout_defaults(scheme_by_name("range"));
    struct layout *before = layout_new(scheme_by_name("range"), &params, 4, &err);
    assert_non_null(before);
    layout_observe(before, t.keys);
    t.trial = trial_new(t.keys, before, layout_copy(before));
    t.placing = (struct page_placing){.title = "", .trial = t.trial, .lookup = ""};
    t.scene = (struct scene){.placing = &t.placing, .placings = 1};
    tried_golden(&t, "ranges", "ranges_alike", 40, 19, GLYPHS_UTF8);
    tried_golden(&t, "ranges", "ranges_alike", 40, 19, GLYPHS_ASCII);
    tried_free(&t);
}

static void others_say_where_to_look(void **state)
{
    (void)state;
    struct tried t;
    struct view_state v = {.argument = ""};
    tried_new(&t, "ring", 4, 4, 5, 100);
    char *told = scene_told(&t.scene, "ranges", &v);
    assert_string_equal(told, "ring has no ranges of keys; the picture `ring` shows it.\n");
    free(told);
    tried_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_split_moves_half_of_one_range),
        cmocka_unit_test(a_load_has_its_own_line),
        cmocka_unit_test(kinesis_has_ranges_of_numbers),
        cmocka_unit_test(long_keys_are_cut_at_the_front),
        cmocka_unit_test(others_say_where_to_look),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
