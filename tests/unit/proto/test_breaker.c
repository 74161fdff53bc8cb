/*
 * The circuit breaker: when it opens, what passes while it is open, how it closes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "proto/breaker.h"

#define SECOND INT64_C(1000000)
#define START (72000 * SECOND)

static const struct breaker_setting half = {
    .percent = 50, .window_us = SECOND, .open_us = 2 * SECOND};

/* Answers, the first `failures` of them failures; what the last one changed. */
static enum breaker_change answers(struct breaker_core *b, int64_t now, uint32_t count,
                                   uint32_t failures)
{
    enum breaker_change change = BREAKER_STAYS;
    for (uint32_t i = 0; i < count; i++) {
        change = breaker_answered(b, &half, now, i < failures);
    }
    return change;
}

static struct breaker_core opened(void)
{
    struct breaker_core b = {0};
    assert_int_equal(answers(&b, START, BREAKER_LEAST, BREAKER_LEAST), BREAKER_OPENS);
    return b;
}

static void closed_everything_passes(void **state)
{
    (void)state;
    struct breaker_core b = {0};
    for (int64_t i = 0; i < 1000; i++) {
        assert_int_equal(breaker_ask(&b, &half, START + i), BREAKER_PASS);
    }
    assert_int_equal(b.state, BREAKER_CLOSED);
}

static void it_opens_at_the_percentage_and_not_below(void **state)
{
    (void)state;
    struct breaker_core b = {0};
    assert_int_equal(answers(&b, START, 2, 0), BREAKER_STAYS);
    for (int i = 0; i < 25; i++) { /* one of two, but for the first two */
        assert_int_equal(breaker_answered(&b, &half, START, i % 2 == 0), BREAKER_STAYS);
    }
    assert_int_equal(breaker_answered(&b, &half, START, true), BREAKER_OPENS); /* 14 of 28 */
    assert_int_equal(b.state, BREAKER_OPEN);
    assert_int_equal(b.failures, 14);
    assert_int_equal(b.answers, 28);
}

static void a_few_failures_tell_nothing(void **state)
{
    (void)state;
    struct breaker_core b = {0};
    assert_int_equal(answers(&b, START, BREAKER_LEAST - 1, BREAKER_LEAST - 1), BREAKER_STAYS);
    /* and those of a window that is over do not count */
    assert_int_equal(answers(&b, START + SECOND, BREAKER_LEAST - 1, BREAKER_LEAST - 1),
                     BREAKER_STAYS);
    assert_int_equal(b.state, BREAKER_CLOSED);
    assert_int_equal(breaker_answered(&b, &half, START + 2 * SECOND - 1, true), BREAKER_OPENS);
}

static void open_nothing_passes_until_the_time_is_over(void **state)
{
    (void)state;
    struct breaker_core b = opened();
    assert_int_equal(breaker_ask(&b, &half, START), BREAKER_REFUSE);
    assert_int_equal(breaker_ask(&b, &half, START + 2 * SECOND - 1), BREAKER_REFUSE);
    /* what was asked before it opened tells nothing now */
    assert_int_equal(breaker_answered(&b, &half, START + 1, false), BREAKER_STAYS);
    assert_int_equal(b.state, BREAKER_OPEN);
    assert_int_equal(breaker_ask(&b, &half, START + 2 * SECOND), BREAKER_PROBE);
    assert_int_equal(b.state, BREAKER_HALF_OPEN);
}

static void half_open_one_passes_and_decides(void **state)
{
    (void)state;
    struct breaker_core good = opened();
    int64_t now = START + 2 * SECOND;
    assert_int_equal(breaker_ask(&good, &half, now), BREAKER_PROBE);
    assert_int_equal(breaker_ask(&good, &half, now + 1), BREAKER_REFUSE);
    struct breaker_core bad = good;
    assert_int_equal(breaker_answered(&good, &half, now + 5000, false), BREAKER_CLOSES);
    assert_int_equal(breaker_ask(&good, &half, now + 5000), BREAKER_PASS);
    assert_int_equal(answers(&good, now + 5001, BREAKER_LEAST - 1, BREAKER_LEAST - 1),
                     BREAKER_STAYS); /* it begins anew */

    assert_int_equal(breaker_answered(&bad, &half, now + 5000, true), BREAKER_OPENS);
    assert_int_equal(breaker_ask(&bad, &half, now + 5000 + 2 * SECOND - 1), BREAKER_REFUSE);
    assert_int_equal(breaker_ask(&bad, &half, now + 5000 + 2 * SECOND), BREAKER_PROBE);
}

static void a_lost_probe_is_followed_by_another(void **state)
{
    (void)state;
    struct breaker_core b = opened();
    assert_int_equal(breaker_ask(&b, &half, START + 2 * SECOND), BREAKER_PROBE);
    assert_int_equal(breaker_ask(&b, &half, START + 4 * SECOND - 1), BREAKER_REFUSE);
    assert_int_equal(breaker_ask(&b, &half, START + 4 * SECOND), BREAKER_PROBE);
    assert_string_equal(breaker_state_name(BREAKER_HALF_OPEN), "half-open");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_everything_passes),
        cmocka_unit_test(it_opens_at_the_percentage_and_not_below),
        cmocka_unit_test(a_few_failures_tell_nothing),
        cmocka_unit_test(open_nothing_passes_until_the_time_is_over),
        cmocka_unit_test(half_open_one_passes_and_decides),
        cmocka_unit_test(a_lost_probe_is_followed_by_another),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
