/* num: numbers and times as text, and back, with every border named. */
#include "base/num.h"

#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void thousands_are_grouped(void **state)
{
    (void)state;
    assert_string_equal(num_grouped(0).text, "0");
    assert_string_equal(num_grouped(999).text, "999");
    assert_string_equal(num_grouped(1000).text, "1,000");
    assert_string_equal(num_grouped(12067).text, "12,067");
    assert_string_equal(num_grouped(-1234567).text, "-1,234,567");
    assert_string_equal(num_grouped(INT64_MAX).text, "9,223,372,036,854,775,807");
    assert_string_equal(num_grouped(INT64_MIN).text, "-9,223,372,036,854,775,808");
}

static void ratios_are_percent_rounded_half_up(void **state)
{
    (void)state;
    assert_string_equal(num_ratio(1, 5, 0).text, "20");
    assert_string_equal(num_ratio(2, 15, 1).text, "13.3");
    assert_string_equal(num_ratio(20180, 100000, 1).text, "20.2");
    assert_string_equal(num_ratio(1, 200, 0).text, "1"); /* 0.5 */
    assert_string_equal(num_ratio(149, 30000, 1).text, "0.5");
    assert_string_equal(num_ratio(1, 3, 6).text, "33.333333");
    assert_string_equal(num_ratio(1, 100000, 2).text, "0.00");
    assert_string_equal(num_ratio(5, 100000, 2).text, "0.01");
    assert_string_equal(num_ratio(0, 9, 2).text, "0.00");
    assert_string_equal(num_ratio(51, 20, 0).text, "255");
    assert_string_equal(num_ratio(-1, 8, 1).text, "-12.5");
    assert_string_equal(num_ratio(-1, 100000, 0).text, "0"); /* no minus zero */
    assert_string_equal(num_ratio(INT64_MAX, 1, 6).text, "922337203685477580700.000000");
    assert_string_equal(num_ratio(INT64_MIN, INT64_MAX, 0).text, "-100");
    assert_string_equal(num_ratio(0, 0, 1).text, "-");
}

static void clocks_show_milliseconds(void **state)
{
    (void)state;
    assert_string_equal(num_clock(0).text, "00:00:00.000");
    assert_string_equal(num_clock(INT64_C(72670476999)).text, "20:11:10.476");
    assert_string_equal(num_clock(INT64_C(90000000000)).text, "25:00:00.000");
    assert_string_equal(num_clock(-1000).text, "-00:00:00.001");
    assert_true(strlen(num_clock(INT64_MIN).text) < NUM_TEXT_SIZE);
}

static void spans_choose_their_unit(void **state)
{
    (void)state;
    assert_string_equal(num_span(0).text, "0 us");
    assert_string_equal(num_span(250).text, "250 us");
    assert_string_equal(num_span(1500).text, "1.5 ms");
    assert_string_equal(num_span(13000).text, "13 ms");
    assert_string_equal(num_span(1001).text, "1.001 ms");
    assert_string_equal(num_span(100010).text, "100.01 ms");
    assert_string_equal(num_span(999999).text, "999.999 ms");
    assert_string_equal(num_span(2000000).text, "2 s");
    assert_string_equal(num_span(1234567).text, "1.235 s");
    assert_string_equal(num_span(1999999).text, "2 s");
    assert_string_equal(num_span(-1500).text, "-1.5 ms");
    assert_true(strlen(num_span(INT64_MIN).text) < NUM_TEXT_SIZE);
}

static void times_of_day_are_read(void **state)
{
    (void)state;
    int64_t us = 0;
    struct err err;
    assert_true(num_parse_clock("20:11:10", &us, &err));
    assert_true(us == INT64_C(72670000000));
    assert_true(num_parse_clock("20:11:10.476", &us, &err));
    assert_true(us == INT64_C(72670476000));
    assert_true(num_parse_clock("00:00:00.000001", &us, NULL));
    assert_true(us == 1);
    assert_true(num_parse_clock("47:59:59.999999", &us, NULL));
    assert_true(us == INT64_C(172799999999));
}

static void other_texts_are_no_time_of_day(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "",
        "20",
        "20:11",
        "20:11:1",
        "20:11:100",
        "48:00:00",
        "20:60:00",
        "20:11:60",
        "-1:00:00",
        "20:11:10.",
        "20:11:10.4",
        "20:11:10.4761",
        "20:11:10.47610",
        "20:11:10.4761000",
        " 20:11:10",
        "20:11:10 ",
        "20.11.10",
        "2a:11:10",
        "20:11:10.47x",
        "+2:11:10",
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        int64_t us = 77;
        struct err err = {.text = ""};
        if (num_parse_clock(bad[i], &us, &err)) {
            fail_msg("\"%s\" was read as a time", bad[i]);
        }
        assert_non_null(strstr(err.text, bad[i]));
        assert_true(us == 77);
    }
}

static void whole_numbers_are_read_within_their_range(void **state)
{
    (void)state;
    uint64_t value = 0;
    assert_true(num_parse_u64("0", "seed", 0, UINT64_MAX, &value, NULL));
    assert_true(value == 0);
    assert_true(num_parse_u64("18446744073709551615", "seed", 0, UINT64_MAX, &value, NULL));
    assert_true(value == UINT64_MAX);
    assert_true(num_parse_u64("0005", "shards", 5, 5, &value, NULL));
    assert_true(value == 5);
}

static void overflow_and_rubbish_are_errors_with_a_name(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "",
        "-1",
        "+1",
        " 1",
        "1 ",
        "1.5",
        "0x10",
        "ten",
        "18446744073709551616",
        "99999999999999999999999999",
        "0",
        "65536",
        "1\n",
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        uint64_t value = 77;
        struct err err = {.text = ""};
        if (num_parse_u64(bad[i], "shards", 1, 65535, &value, &err)) {
            fail_msg("\"%s\" was read as %ju", bad[i], (uintmax_t)value);
        }
        assert_non_null(strstr(err.text, "shards: "));
        assert_non_null(strstr(err.text, "from 1 to 65535"));
        assert_null(strchr(err.text, '\n'));
        assert_true(value == 77);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(thousands_are_grouped),
        cmocka_unit_test(ratios_are_percent_rounded_half_up),
        cmocka_unit_test(clocks_show_milliseconds),
        cmocka_unit_test(spans_choose_their_unit),
        cmocka_unit_test(times_of_day_are_read),
        cmocka_unit_test(other_texts_are_no_time_of_day),
        cmocka_unit_test(whole_numbers_are_read_within_their_range),
        cmocka_unit_test(overflow_and_rubbish_are_errors_with_a_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
