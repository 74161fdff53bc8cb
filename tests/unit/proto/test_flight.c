/*
 * Who joins which query: reads share one until a write completes, then begin another.
 */
#include "proto/flight.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void test_reads_join_the_query_under_way(void **state)
{
    (void)state;
    struct flight_core f = {0};
    uint8_t first = 9;
    uint8_t second = 9;
    assert_int_equal(flight_read(&f, &first), FLIGHT_START);
    assert_int_equal(flight_read(&f, &second), FLIGHT_JOIN);
    assert_int_equal(first, second);
    flight_landed(&f, first);
    assert_int_equal(f.flying, 0);
    assert_int_equal(flight_read(&f, &second), FLIGHT_START);
}

static void test_a_completed_write_ends_joining(void **state)
{
    (void)state;
    struct flight_core f = {0};
    uint8_t old = 9;
    uint8_t new = 9;
    uint8_t third = 9;
    flight_read(&f, &old);
    flight_write_completed(&f, RULES_ALL);
    assert_int_equal(flight_read(&f, &new), FLIGHT_START);
    assert_int_not_equal(old, new);
    /* The older one lands; the newer can still be joined. */
    flight_landed(&f, old);
    assert_int_equal(flight_read(&f, &third), FLIGHT_JOIN);
    assert_int_equal(third, new);
}

static void test_without_the_rule_a_read_joins_across_a_write(void **state)
{
    (void)state;
    struct flight_core f = {0};
    uint8_t old = 9;
    uint8_t late = 9;
    flight_read(&f, &old);
    flight_write_completed(&f, RULES_ALL & ~rule_bit(RULE_JOIN_BEFORE_WRITE));
    assert_int_equal(flight_read(&f, &late), FLIGHT_JOIN);
    assert_int_equal(late, old);
}

static void test_beyond_the_last_query_a_read_asks_alone(void **state)
{
    (void)state;
    struct flight_core f = {0};
    uint8_t which = 0;
    for (unsigned i = 0; i < FLIGHTS_MAX; i++) {
        assert_int_equal(flight_read(&f, &which), FLIGHT_START);
        assert_int_equal(which, i);
        flight_write_completed(&f, RULES_ALL);
    }
    assert_int_equal(flight_read(&f, &which), FLIGHT_ALONE);
    flight_landed(&f, 17);
    assert_int_equal(flight_read(&f, &which), FLIGHT_START);
    assert_int_equal(which, 17);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reads_join_the_query_under_way),
        cmocka_unit_test(test_a_completed_write_ends_joining),
        cmocka_unit_test(test_without_the_rule_a_read_joins_across_a_write),
        cmocka_unit_test(test_beyond_the_last_query_a_read_asks_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
