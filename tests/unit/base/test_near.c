/*
 * A misspelt name gets the nearest one, when it is near enough to be meant.
 */
#include "base/near.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char *const names[] = {"learn", "run", "drill", "slot", "plan", "lesson", "bench"};
#define NAMES (sizeof names / sizeof names[0])

static void test_distance_counts_edits_and_swaps(void **state)
{
    (void)state;
    assert_int_equal(near_distance("plan", "plan"), 0);
    assert_int_equal(near_distance("", "plan"), 4);
    assert_int_equal(near_distance("plna", "plan"), 1);
    assert_int_equal(near_distance("plans", "plan"), 1);
    assert_int_equal(near_distance("kitten", "sitting"), 3);
    assert_int_equal(near_distance("ab", "ba"), 1);
}

static void test_the_nearest_is_suggested(void **state)
{
    (void)state;
    assert_string_equal(near_name("lern", names, NAMES), "learn");
    assert_string_equal(near_name("slto", names, NAMES), "slot");
    assert_string_equal(near_name("lessons", names, NAMES), "lesson");
}

static void test_what_is_far_from_all_gets_no_suggestion(void **state)
{
    (void)state;
    char long_name[100001];
    memset(long_name, 'x', sizeof long_name - 1);
    long_name[sizeof long_name - 1] = '\0';
    assert_null(near_name("kubernetes", names, NAMES));
    assert_null(near_name(long_name, names, NAMES));
    assert_null(near_name("plan", names, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_distance_counts_edits_and_swaps),
        cmocka_unit_test(test_the_nearest_is_suggested),
        cmocka_unit_test(test_what_is_far_from_all_gets_no_suggestion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
