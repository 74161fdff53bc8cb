/* fixlog: held against the C library's logarithm in long double. */
#include "base/fixlog.h"

#include "base/prng.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define TWO_64 18446744073709551616.0L

/* -ln((drawn + 0.5) / 2^64) in units of 2^-58. */
static long double expected(uint64_t drawn)
{
    long double ln = drawn >> 63 != 0 ? log1pl(-((long double)(0 - drawn) - 0.5L) / TWO_64)
                                      : logl(((long double)drawn + 0.5L) / TWO_64);
    return -ln * (long double)(UINT64_C(1) << FIXLOG_BITS);
}

static void assert_near(uint64_t drawn)
{
    long double right = expected(drawn);
    long double apart = (long double)fixlog_neg_ln(drawn) - right;
    long double units = 2.0L + right * LDBL_EPSILON * 4; /* where long doubles are short */
    assert_true(apart >= -units && apart <= units);
}

static void the_ends_are_right(void **state)
{
    (void)state;
    assert_int_equal(fixlog_neg_ln(UINT64_MAX), 0);
    assert_near(0);
    assert_near(1);
    assert_near(UINT64_C(1) << 63);
    assert_near((UINT64_C(1) << 63) - 1);
    assert_near(UINT64_MAX - 1000);
    /* ln 2, and 65 of them at the far end. */
    assert_int_equal(fixlog_neg_ln(UINT64_C(1) << 63) >> 28, 744261117);
    assert_int_equal(fixlog_neg_ln(0) >> FIXLOG_BITS, 45);
}

/* Draws of every size, from both ends. */
static void every_size_is_within_two_units(void **state)
{
    (void)state;
    struct prng random = prng_seeded(1, "fixlog");
    for (unsigned bits = 0; bits < 64; bits++) {
        for (int i = 0; i < 2000; i++) {
            uint64_t drawn = prng_next(&random) >> bits;
            assert_near(drawn);
            assert_near(~drawn);
        }
    }
}

static void larger_draws_never_cost_more(void **state)
{
    (void)state;
    struct prng random = prng_seeded(2, "fixlog");
    for (int i = 0; i < 100000; i++) {
        uint64_t low = prng_next(&random) >> prng_below(&random, 64);
        uint64_t high = low + (prng_next(&random) >> prng_below(&random, 64));
        if (high >= low) { /* one unit of rounding */
            assert_true(fixlog_neg_ln(high) <= fixlog_neg_ln(low) + 1);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_ends_are_right),
        cmocka_unit_test(every_size_is_within_two_units),
        cmocka_unit_test(larger_draws_never_cost_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
