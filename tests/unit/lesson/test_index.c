/*
 * Finding lessons by number, name and part of a name.
 */
#include "helpers.h"

static struct lesson_index *load(void)
{
    const char *folders[] = {"tests/data/lessons", "/nowhere"};
    return lesson_index_load(folders, 2);
}

static void lessons_are_found_by_what_people_type(void **state)
{
    (void)state;
    static const char *const names[] = {"10", "010", "10_good", "good", "goo"};
    struct lesson_index *index = load();
    struct err err = {""};
    for (size_t i = 0; i < 5; i++) {
        const struct lesson_entry *e = lesson_find(index, names[i], false, &err);
        assert_non_null(e);
        assert_string_equal(e->id, "10_good");
        assert_string_equal(e->path, GOOD_LESSON);
        assert_string_equal(e->title, "A good lesson");
        assert_int_equal(e->part, 1);
        assert_int_equal(e->minutes, 5);
        assert_int_equal(e->steps, 9);
        assert_string_equal(e->step[1].id, "ask-one");
        assert_string_equal(e->step[1].title, "One");
        assert_string_equal(e->step[8].id, "end");
        assert_false(e->drill);
    }
    assert_non_null(lesson_find(index, "layout-drill", true, &err));
    assert_null(lesson_find(index, "layout-drill", false, &err));
    lesson_index_free(index);
}

static void a_misspelt_name_gets_a_suggestion(void **state)
{
    (void)state;
    struct lesson_index *index = load();
    struct err err = {""};
    assert_null(lesson_find(index, "10_god", false, &err));
    assert_contains(err.text, "did you mean '10_good'?");
    assert_null(lesson_find(index, "gooood", false, &err));
    assert_contains(err.text, "did you mean 'good'?");
    assert_null(lesson_find(index, "layot-drill", true, &err));
    assert_contains(err.text, "did you mean 'layout-drill'?");
    assert_null(lesson_find(index, "something-else", false, &err));
    assert_contains(err.text, "10_good");
    assert_null(lesson_find(index, "7", false, &err));
    assert_contains(err.text, "'7'");
    lesson_index_free(index);
}

static void files_that_do_not_load_are_listed(void **state)
{
    struct str path = STR_EMPTY;
    write_file(&path, *state, "broken.lua", "return {");
    const char *folders[] = {*state, "tests/data/lessons"};
    struct lesson_index *index = lesson_index_load(folders, 2);
    assert_contains(str_text(&index->faults), "broken.lua:1:");
    assert_true(index->count >= 2);
    lesson_index_free(index);
    str_free(&path);
}

static void the_first_folder_wins(void **state)
{
    struct str path = STR_EMPTY;
    write_file(&path, *state, "10_good.lua",
               "return lesson { id = \"10_good\", part = 1, title = \"Mine\", minutes = 1,\n"
               "steps = { { id = \"a\", title = \"A\", say = \"x\" } } }");
    const char *folders[] = {*state, "tests/data/lessons"};
    struct lesson_index *index = lesson_index_load(folders, 2);
    assert_string_equal(lesson_find(index, "10", false, NULL)->title, "Mine");
    lesson_index_free(index);
    str_free(&path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lessons_are_found_by_what_people_type),
        cmocka_unit_test(a_misspelt_name_gets_a_suggestion),
        cmocka_unit_test_setup_teardown(files_that_do_not_load_are_listed, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(the_first_folder_wins, make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
