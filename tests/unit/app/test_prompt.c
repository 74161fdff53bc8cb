/*
 * A line is edited by characters as people see them, and never grows beyond its bound.
 */
#include "app/prompt.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void type(struct prompt *p, const char *ascii)
{
    for (; *ascii; ascii++) {
        prompt_insert(p, (uint32_t)(unsigned char)*ascii);
    }
}

static void test_typing_and_moving(void **state)
{
    (void)state;
    struct prompt p = {.length = 0};
    type(&p, "pot:{p9}");
    for (int i = 0; i < 6; i++) {
        assert_true(prompt_edit(&p, ACT_LEFT));
    }
    prompt_insert(&p, 's');
    assert_string_equal(p.text, "post:{p9}");
    prompt_edit(&p, ACT_FIRST);
    prompt_edit(&p, ACT_LEFT);
    assert_int_equal(p.cursor, 0);
    prompt_edit(&p, ACT_DELETE);
    assert_string_equal(p.text, "ost:{p9}");
    prompt_edit(&p, ACT_LAST);
    prompt_edit(&p, ACT_RIGHT);
    prompt_edit(&p, ACT_ERASE);
    assert_string_equal(p.text, "ost:{p9");
    prompt_edit(&p, ACT_ERASE_ALL);
    assert_string_equal(p.text, "");
    assert_true(prompt_edit(&p, ACT_ERASE));
    assert_false(prompt_edit(&p, ACT_PLAY));
}

static void test_a_cluster_is_erased_whole(void **state)
{
    (void)state;
    struct prompt p = {.length = 0};
    prompt_insert(&p, 'e');
    prompt_insert(&p, 0x0301); /* combining acute */
    prompt_insert(&p, 0x4E2D); /* a wide character */
    assert_int_equal(p.length, 6);
    prompt_edit(&p, ACT_ERASE);
    assert_int_equal(p.length, 3);
    prompt_edit(&p, ACT_ERASE);
    assert_int_equal(p.length, 0);
}

static void test_controls_do_not_get_in(void **state)
{
    (void)state;
    struct prompt p = {.length = 0};
    prompt_insert(&p, 'a');
    prompt_insert(&p, '\n');
    prompt_insert(&p, 27);
    prompt_insert(&p, 0x9B);
    prompt_insert(&p, 'b');
    assert_string_equal(p.text, "a b");
}

static void test_a_megabyte_is_bounded(void **state)
{
    (void)state;
    struct prompt p = {.length = 0, .limit = 64};
    for (int i = 0; i < 1 << 20; i++) {
        prompt_insert(&p, 0x20AC);
    }
    assert_int_equal(p.length, 63); /* whole characters only */
    assert_true(p.overflowed);
    prompt_edit(&p, ACT_ERASE);
    assert_false(p.overflowed);
}

static void test_a_text_beyond_the_limit_is_not_set(void **state)
{
    (void)state;
    struct prompt p = {.limit = 4};
    prompt_set(&p, "abcd");
    assert_string_equal(p.text, "abcd");
    assert_int_equal(p.cursor, 4);
    prompt_set(&p, "abcde");
    assert_string_equal(p.text, "");
    assert_true(p.overflowed);
}

static void test_typing_replaces_what_is_offered(void **state)
{
    (void)state;
    struct prompt p = {.length = 0};
    prompt_offer(&p, "playground.txt");
    prompt_insert(&p, 27); /* nothing that gets in */
    assert_string_equal(p.text, "playground.txt");
    type(&p, "my");
    assert_string_equal(p.text, "my");
    assert_int_equal(p.cursor, 2);
    prompt_offer(&p, "playground.txt");
    prompt_edit(&p, ACT_LAST);
    type(&p, "2");
    assert_string_equal(p.text, "playground.txt2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_typing_and_moving),
        cmocka_unit_test(test_a_cluster_is_erased_whole),
        cmocka_unit_test(test_controls_do_not_get_in),
        cmocka_unit_test(test_a_megabyte_is_bounded),
        cmocka_unit_test(test_a_text_beyond_the_limit_is_not_set),
        cmocka_unit_test(test_typing_replaces_what_is_offered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
