/* Maglev's table: every entry or every so-manieth, what changed, where a key looks. */
#include "placings.h"

static void a_small_table_shows_every_entry(void **state)
{
    (void)state;
    struct tried t;
    struct view_state v = {.argument = ""};
    tried_new(&t, "maglev", 251, 5, 6, 10000);
    t.placing.lookup = "k42";
    scene_goldens(&t.scene, "maglev", &v, "maglev");
    tried_golden(&t, "maglev", "maglev", 30, 6, GLYPHS_ASCII);
    char *told = scene_told(&t.scene, "maglev", &v);
    assert_contains(told, "a table of 251 entries");
    assert_contains(told, "51 entries changed owner; 10 of them went from one shard that stays");
    assert_contains(told, "here k42 is looked up.\n");
    assert_plain(told, 78);
    free(told);
    assert_false(view_maglev.move(&v, &t.scene, VERB_ZOOM_IN, 40, 19)); /* all in sight */
    tried_free(&t);
}

static void a_large_table_is_sampled_until_zoomed_in(void **state)
{
    (void)state;
    struct tried t;
    struct view_state v = {.argument = ""};
    tried_new(&t, "maglev", 65537, 5, 6, 1000);
    scene_golden(&t.scene, "maglev", &v, "maglev_sampled", 56, 25, GLYPHS_UTF8);
    assert_true(view_maglev.move(&v, &t.scene, VERB_LAST, 56, 25));
    assert_true(view_maglev.move(&v, &t.scene, VERB_ZOOM_IN, 56, 25));
    assert_true(view_maglev.move(&v, &t.scene, VERB_LAST, 56, 25));
    assert_int_equal(v.selected, 65536);
    scene_golden(&t.scene, "maglev", &v, "maglev_end", 56, 25, GLYPHS_UTF8);
    assert_true(view_maglev.move(&v, &t.scene, VERB_ZOOM_OUT, 56, 25));
    tried_free(&t);
}

static void an_open_question_gives_nothing_away(void **state)
{
    (void)state;
    struct tried t;
    struct view_state v = {.argument = ""};
    tried_new(&t, "maglev", 251, 4, 5, 1000);
    t.placing.hidden = true;
    tried_golden(&t, "maglev", "maglev_hidden", 40, 19, GLYPHS_UTF8);
    char *told = scene_told(&t.scene, "maglev", &v);
    assert_null(strstr(told, "S4"));
    assert_null(strstr(told, "changed"));
    free(told);
    tried_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_small_table_shows_every_entry),
        cmocka_unit_test(a_large_table_is_sampled_until_zoomed_in),
        cmocka_unit_test(an_open_question_gives_nothing_away),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
