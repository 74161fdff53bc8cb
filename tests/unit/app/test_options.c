/*
 * Dates, sizes and colours are read as documented, and refused with a sentence otherwise.
 */
#include "app/cmd/options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static int64_t time_of(const char *text)
{
    int64_t seconds = -1;
    struct err err;
    assert_true(options_parse_time(text, &seconds, &err));
    return seconds;
}

static void test_dates_are_seconds_since_1970(void **state)
{
    (void)state;
    assert_int_equal(time_of("1970-01-01"), 0);
    assert_int_equal(time_of("2000-02-29T12:34:56Z"), 951827696);
    assert_int_equal(time_of("2026-11-30T20:00:00Z"), 1796068800);
    assert_int_equal(time_of("2026-11-30 20:00:00"), 1796068800);
    assert_int_equal(time_of("1796068800"), 1796068800);
}

static void test_what_is_no_date_is_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "",           "yesterday",           "2026-13-01", "2026-00-10",
        "2026-02-30", "2026-11-30T25:00:00", "-5",         "2026-11-30T20:00:00Zjunk",
        "1900-02-29", "2025-02-29"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct err err = {.text = ""};
        int64_t seconds = 0;
        assert_false(options_parse_time(bad[i], &seconds, &err));
        assert_true(err.text[0] != '\0');
    }
}

static void test_sizes(void **state)
{
    (void)state;
    int w = 0;
    int h = 0;
    struct err err;
    assert_true(options_parse_size("200x60", &w, &h, &err));
    assert_int_equal(w, 200);
    assert_int_equal(h, 60);
    assert_true(options_parse_size("1x1", &w, &h, &err));
    static const char *const bad[] = {
        "", "80", "x24", "80x", "0x24", "80x0", "80x24x10", "-1x-1", "99999999999x24", "1001x10"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_false(options_parse_size(bad[i], &w, &h, &err));
    }
}

static void test_colors(void **state)
{
    (void)state;
    enum color_wish wish = COLOR_AUTO;
    struct err err;
    assert_true(options_parse_color("never", &wish, &err));
    assert_int_equal(wish, COLOR_NEVER);
    assert_true(options_parse_color("always", &wish, &err));
    assert_int_equal(wish, COLOR_ALWAYS);
    assert_false(options_parse_color("pink", &wish, &err));
    assert_int_equal(wish, COLOR_ALWAYS);
}

static void test_the_environment_gives_defaults(void **state)
{
    (void)state;
    setenv("SOURCE_DATE_EPOCH", "1796068800", 1);
    setenv("HOTSHARD_NO_MOTION", "1", 1);
    setenv("HOTSHARD_PLAIN", "0", 1);
    struct options o = options_default();
    assert_int_equal(options_now(&o), 1796068800);
    assert_true(o.no_motion);
    assert_false(o.plain);
    assert_int_equal(o.seed, 1);
    unsetenv("SOURCE_DATE_EPOCH");
    unsetenv("HOTSHARD_NO_MOTION");
    unsetenv("HOTSHARD_PLAIN");
    assert_false(options_default().no_motion);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dates_are_seconds_since_1970),
        cmocka_unit_test(test_what_is_no_date_is_refused),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_colors),
        cmocka_unit_test(test_the_environment_gives_defaults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
