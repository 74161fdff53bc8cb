/* prng and digest: published constants, the same numbers everywhere, no favourites. */
#include "base/digest.h"
#include "base/prng.h"

#include <math.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* The published reference of splitmix64 with seed 1234567 gives these first outputs. */
static void mix64_is_splitmix64(void **state)
{
    (void)state;
    const uint64_t golden = UINT64_C(0x9E3779B97F4A7C15);
    assert_true(mix64(1234567) == UINT64_C(6457827717110365317));
    assert_true(mix64(1234567 + golden) == UINT64_C(3203168211198807973));
    assert_true(mix64(1234567 + 2 * golden) == UINT64_C(9817491932198370423));
    assert_true(mix64(0) == UINT64_C(0xE220A8397B1DCDAF));
}

/* First outputs of the published xoshiro256** from the state 1, 2, 3, 4. */
static void the_generator_is_xoshiro256_starstar(void **state)
{
    (void)state;
    static const uint64_t expected[] = {11520, 0, 1509978240, UINT64_C(1215971899390074240)};
    struct prng p = {.s = {1, 2, 3, 4}};
    for (size_t i = 0; i < 4; i++) {
        assert_true(prng_next(&p) == expected[i]);
    }
}

static void a_seed_and_a_stream_name_give_the_same_numbers(void **state)
{
    (void)state;
    struct prng a = prng_seeded(42, "network");
    struct prng b = prng_seeded(42, "network");
    struct prng other_stream = prng_seeded(42, "traffic");
    struct prng other_seed = prng_seeded(43, "network");
    int same_stream = 0;
    int same_seed = 0;
    for (int i = 0; i < 1000; i++) {
        uint64_t drawn = prng_next(&a);
        assert_true(drawn == prng_next(&b));
        same_stream += drawn == prng_next(&other_stream);
        same_seed += drawn == prng_next(&other_seed);
    }
    assert_int_equal(same_stream, 0);
    assert_int_equal(same_seed, 0);
}

/* Recordings hang on these: a change of the seeding must be seen. */
static void the_seeding_is_pinned(void **state)
{
    (void)state;
    struct prng p = prng_seeded(1, "traffic");
    uint64_t x = mix64(1);
    for (const char *c = "traffic"; *c != '\0'; c++) {
        x = mix64(x ^ (unsigned char)*c);
    }
    for (size_t i = 0; i < 4; i++) {
        assert_true(p.s[i] == mix64(x + i * UINT64_C(0x9E3779B97F4A7C15)));
    }
    struct prng unnamed = prng_seeded(0, "");
    assert_true((unnamed.s[0] | unnamed.s[1] | unnamed.s[2] | unnamed.s[3]) != 0);
}

static void below_stays_below_and_favours_nobody(void **state)
{
    (void)state;
    struct prng p = prng_seeded(7, "below");
    unsigned counts[7] = {0};
    for (int i = 0; i < 70000; i++) {
        counts[prng_below(&p, 7)]++;
    }
    for (size_t i = 0; i < 7; i++) {
        assert_in_range(counts[i], 9600, 10400); /* four standard deviations are 370 */
    }
    assert_true(prng_below(&p, 1) == 0);
}

/* With a bound of 3/4 of 2^64 a plain remainder would give the first third twice as often. */
static void large_bounds_are_unbiased_too(void **state)
{
    (void)state;
    struct prng p = prng_seeded(7, "large");
    const uint64_t bound = UINT64_C(3) << 62;
    unsigned thirds[3] = {0};
    for (int i = 0; i < 30000; i++) {
        uint64_t drawn = prng_below(&p, bound);
        assert_true(drawn < bound);
        thirds[drawn / (UINT64_C(1) << 62)]++;
    }
    for (size_t i = 0; i < 3; i++) {
        assert_in_range(thirds[i], 9600, 10400);
    }
}

static void chances_are_ratios(void **state)
{
    (void)state;
    struct prng p = prng_seeded(9, "chance");
    unsigned hits = 0;
    for (int i = 0; i < 50000; i++) {
        hits += prng_chance(&p, 1, 100);
        assert_true(prng_chance(&p, 5, 5));
        assert_false(prng_chance(&p, 0, 5));
    }
    assert_in_range(hits, 400, 600);
}

/* However the odds stand, the stream moves on by one draw. */
static void a_chance_always_draws(void **state)
{
    (void)state;
    struct prng never = prng_seeded(9, "x");
    struct prng always = never;
    struct prng plain = never;
    (void)prng_chance(&never, 0, 4);
    (void)prng_chance(&always, 4, 4);
    (void)prng_next(&plain);
    assert_memory_equal(never.s, plain.s, sizeof plain.s);
    assert_memory_equal(always.s, plain.s, sizeof plain.s);
}

static void the_logarithm_is_exact_at_powers_of_two(void **state)
{
    (void)state;
    for (unsigned bit = 0; bit < 64; bit++) {
        assert_true(fix_neg_log2(UINT64_C(1) << bit) == (uint64_t)(64 - bit) << 32);
    }
    assert_true(fix_neg_log2(UINT64_MAX) <= 1);
}

static void the_logarithm_is_right_to_a_few_units(void **state)
{
    (void)state;
    struct prng p = prng_seeded(3, "log");
    for (int i = 0; i < 20000; i++) {
        uint64_t x = prng_next(&p) >> prng_below(&p, 64);
        x = x > 0 ? x : 1;
        long double exact = (64.0L - log2l((long double)x)) * 4294967296.0L;
        long double error = (long double)fix_neg_log2(x) - exact;
        assert_true(error > -4.0L && error < 4.0L);
    }
}

static void the_logarithm_falls_as_x_grows(void **state)
{
    (void)state;
    uint64_t last = fix_neg_log2(1);
    for (uint64_t x = 1; x < UINT64_MAX / 3; x += x / 50 + 1) {
        uint64_t now = fix_neg_log2(x);
        assert_true(now <= last);
        last = now;
    }
}

static void waiting_times_have_the_mean_asked_for(void **state)
{
    (void)state;
    struct prng p = prng_seeded(11, "wait");
    const int draws = 100000;
    int64_t sum = 0;
    int beyond = 0;
    for (int i = 0; i < draws; i++) {
        int64_t wait = prng_exponential(&p, 1000000);
        assert_true(wait >= 0);
        sum += wait;
        beyond += wait > 1000000;
    }
    assert_in_range(sum / draws, 985000, 1015000);
    assert_in_range(beyond, 36200, 37400); /* 1/e of them: 36,788 */
    assert_true(prng_exponential(&p, 0) == 0);
    assert_true(prng_exponential(&p, INT64_MAX / 64) >= 0);
}

static void a_digest_sees_every_field_and_its_place(void **state)
{
    (void)state;
    struct digest seen[400];
    size_t count = 0;
    for (size_t place = 0; place < 6; place++) {
        for (unsigned bit = 0; bit < 64; bit++) {
            struct digest d = digest_start();
            for (size_t i = 0; i < 6; i++) {
                digest_u64(&d, i == place ? UINT64_C(1) << bit : 0);
            }
            seen[count++] = d;
        }
    }
    struct digest zeros = digest_start();
    for (size_t length = 0; length < 16; length++) {
        seen[count++] = zeros; /* one more zero each */
        digest_u64(&zeros, 0);
    }
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < i; j++) {
            assert_false(digest_equal(seen[i], seen[j]));
            assert_true(seen[i].a != seen[j].a && seen[i].b != seen[j].b);
        }
    }
}

static struct digest of_two(const char *first, const char *second)
{
    struct digest d = digest_start();
    digest_bytes(&d, first, strlen(first));
    digest_bytes(&d, second, strlen(second));
    return d;
}

static void lengths_are_part_of_what_is_fed(void **state)
{
    (void)state;
    assert_true(digest_equal(of_two("ab", "c"), of_two("ab", "c")));
    assert_false(digest_equal(of_two("ab", "c"), of_two("a", "bc")));
    assert_false(digest_equal(of_two("", "abc"), of_two("abc", "")));
    assert_false(digest_equal(of_two("12345678", "9"), of_two("123456789", "")));
    struct digest one = digest_start();
    struct digest two = digest_start();
    digest_bytes(&one, "a", 1);
    digest_bytes(&two, "a\0", 2);
    assert_false(digest_equal(one, two));
}

static void bytes_do_not_depend_on_alignment(void **state)
{
    (void)state;
    char room[64];
    for (size_t shift = 0; shift < 8; shift++) {
        struct digest d = digest_start();
        memcpy(room + shift, "a world is a value.", 19);
        digest_bytes(&d, room + shift, 19);
        struct digest e = digest_start();
        digest_bytes(&e, "a world is a value.", 19);
        assert_true(digest_equal(d, e));
    }
}

static void a_digest_is_32_hex_digits(void **state)
{
    (void)state;
    char hex[DIGEST_HEX_SIZE];
    digest_hex((struct digest){.a = 0xABC, .b = UINT64_C(0x8000000000000001)}, hex);
    assert_string_equal(hex, "0000000000000abc8000000000000001");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mix64_is_splitmix64),
        cmocka_unit_test(the_generator_is_xoshiro256_starstar),
        cmocka_unit_test(a_seed_and_a_stream_name_give_the_same_numbers),
        cmocka_unit_test(the_seeding_is_pinned),
        cmocka_unit_test(below_stays_below_and_favours_nobody),
        cmocka_unit_test(large_bounds_are_unbiased_too),
        cmocka_unit_test(chances_are_ratios),
        cmocka_unit_test(a_chance_always_draws),
        cmocka_unit_test(the_logarithm_is_exact_at_powers_of_two),
        cmocka_unit_test(the_logarithm_is_right_to_a_few_units),
        cmocka_unit_test(the_logarithm_falls_as_x_grows),
        cmocka_unit_test(waiting_times_have_the_mean_asked_for),
        cmocka_unit_test(a_digest_sees_every_field_and_its_place),
        cmocka_unit_test(lengths_are_part_of_what_is_fed),
        cmocka_unit_test(bytes_do_not_depend_on_alignment),
        cmocka_unit_test(a_digest_is_32_hex_digits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
