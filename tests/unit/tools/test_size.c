/*
 * The calculators: known answers, every input at the ends of its range, bad inputs refused, and
 * numbers as people read them.
 */
#include "tools/size.h"
#include "tools/size_inside.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static double result_named(const struct size_tool *tool, const double *result, const char *name)
{
    size_t i = 0;
    while (i < size_results(tool) && strcmp(tool->result[i].name, name) != 0) {
        i++;
    }
    assert_true(i < size_results(tool));
    return result[i];
}

/* A result with the inputs of `words`, up to a NULL. */
static double answer(const char *what, const char *name, const char *const *words)
{
    struct size_values values;
    double result[SIZE_RESULTS_MAX];
    struct err err = {.text = ""};
    const struct size_tool *tool = size_by_name(what);
    assert_non_null(tool);
    size_start(tool, &values);
    for (; *words; words++) {
        bool given = size_give(tool, *words, &values, &err);
        assert_string_equal(err.text, "");
        assert_true(given);
    }
    assert_true(size_compute(tool, &values, result, &err));
    return result_named(tool, result, name);
}

#define ANSWER(what, name, ...) answer(what, name, (const char *const[]){__VA_ARGS__, NULL})
#define DEFAULTS(what, name) answer(what, name, (const char *const[]){NULL})

static void is_near(double got, double wanted)
{
    if (!(fabs(got - wanted) <= 1e-9 * fabs(wanted))) {
        print_error("%.12g is not %.12g\n", got, wanted);
        fail();
    }
}

static void the_defaults_tell_the_story(void **state)
{
    (void)state;
    is_near(DEFAULTS("shards", "shards"), 14);
    is_near(DEFAULTS("routers", "routers"), 12);
    is_near(DEFAULTS("storage", "nodes"), 6);
    is_near(DEFAULTS("throughput", "reads_node"), 500000.0 / 6);
    is_near(DEFAULTS("hotspot", "key_factor"), 600);
    is_near(DEFAULTS("salt", "load"), 800);
    is_near(DEFAULTS("salt", "home_load"), 750);
    is_near(DEFAULTS("salt", "fits"), 1);
    is_near(DEFAULTS("coalesce", "queries_by_key"), 9000.0 / 46);
    is_near(DEFAULTS("tail", "any_slow_pct"), 4.90099501);
    is_near(DEFAULTS("crosszone", "month_usd"), 3456);
    is_near(DEFAULTS("quorum", "reads_overlap"), 1);
    is_near(DEFAULTS("move", "seconds"), 20000);
    is_near(DEFAULTS("tokens", "ring_kb"), 512);
    is_near(DEFAULTS("buffer", "lost_late"), 200);
    is_near(DEFAULTS("buffer", "behind"), 600);
    is_near(DEFAULTS("resize", "reads_before"), 2500);
    is_near(DEFAULTS("resize", "least_servers"), 6);
    is_near(DEFAULTS("shardkey", "copy_hits"), 48500);
    is_near(DEFAULTS("ids", "bits"), 64);
    is_near(DEFAULTS("average", "others_pct"), 500.0 / 19);
    is_near(DEFAULTS("units", "times"), 100.0 / 3);
    is_near(DEFAULTS("drives", "hours_between"), 2500);
    is_near(DEFAULTS("vectors", "compared"), 201000);
    is_near(DEFAULTS("skew", "top_over_rest"), 99);
    is_near(DEFAULTS("cardinality", "keys_least"), 163840);
    is_near(DEFAULTS("capacity", "masters"), 70);
    is_near(DEFAULTS("capacity", "viral_master"), 130000);
    is_near(DEFAULTS("capacity", "usd_month"), 20603.52);
}

static void the_larger_need_decides(void **state)
{
    (void)state;
    is_near(DEFAULTS("capacity", "raw_tb"), 2.1);
    is_near(DEFAULTS("capacity", "masters_by_rate"), 22);
    is_near(ANSWER("capacity", "masters", "process_rate=10000"), 220);
    is_near(ANSWER("capacity", "masters", "users=0", "items=0", "user_reads=0", "item_reads=0"), 1);
    is_near(DEFAULTS("capacity", "viral_fits"), 0);
    is_near(ANSWER("capacity", "viral_fits", "viral_pct=3"), 1);
    /* the hot set is among the reads that are counted: it adds none */
    is_near(ANSWER("capacity", "reads_each", "hot_share_pct=100"), 2200000.0 / 70);
    is_near(DEFAULTS("capacity", "snapshots_fit"), 0);
    is_near(ANSWER("capacity", "snapshots_fit", "instance_gb=120"), 1);
    is_near(ANSWER("capacity", "instances", "processes_each=3", "instance_gb=100"), 47);
    is_near(ANSWER("capacity", "left_gb", "processes_each=3", "instance_gb=100"), 10);
}

static void few_keys_leave_partitions_idle(void **state)
{
    (void)state;
    is_near(ANSWER("cardinality", "busy_most", "keys=200", "partitions=1000"), 200);
    is_near(ANSWER("cardinality", "idle_least", "keys=200", "partitions=1000"), 800);
    is_near(ANSWER("cardinality", "idle_least", "keys=1000", "partitions=1000"), 0);
    is_near(ANSWER("cardinality", "enough", "keys=9999", "partitions=1000"), 0);
    is_near(ANSWER("cardinality", "enough", "keys=10000", "partitions=1000"), 1);
    is_near(ANSWER("cardinality", "largest_times", "largest_pct=40", "partitions=10"), 4);
    is_near(ANSWER("skew", "top_over_rest", "top_pct=30", "share_pct=30"), 1);
}

/* Against a count of all remainders. */
static void the_remainder_moves_what_a_count_finds(void **state)
{
    (void)state;
    for (int from = 1; from <= 12; from++) {
        for (int to = 1; to <= 12; to++) {
            int moved = 0;
            for (int hash = 0; hash < from * to; hash++) {
                moved += hash % from != hash % to;
            }
            char before[24];
            char after[24];
            snprintf(before, sizeof before, "from=%d", from);
            snprintf(after, sizeof after, "to=%d", to);
            double got = ANSWER("resize", "mod_moved_pct", before, after);
            assert_true(fabs(got - 100.0 * moved / (from * to)) < 1e-9);
        }
    }
    is_near(ANSWER("resize", "ring_moved_pct", "from=11", "to=10"), 100.0 / 11);
    is_near(ANSWER("resize", "least_servers", "limit=50000"), 1);
    assert_true(isnan(ANSWER("resize", "least_servers", "hit_pct=80")));
    assert_true(isnan(ANSWER("resize", "fewer", "to=10")));
}

static void an_average_cannot_hide_more_than_there_is(void **state)
{
    (void)state;
    struct size_values values;
    double result[SIZE_RESULTS_MAX];
    struct err err = {.text = ""};
    const struct size_tool *tool = size_by_name("average");
    size_start(tool, &values);
    assert_true(size_give(tool, "shards=3", &values, &err));
    assert_false(size_compute(tool, &values, result, &err));
    assert_non_null(strstr(err.text, "give 30 to 90"));
    is_near(ANSWER("average", "others_pct", "shards=4"), 20.0 / 3);
    is_near(ANSWER("average", "fires", "shards=4", "busiest_pct=44"), 0);
}

static void every_calculator_is_listed_once_and_whole(void **state)
{
    (void)state;
    size_t count = 0;
    for (; size_at(count); count++) {
        const struct size_tool *tool = size_at(count);
        assert_ptr_equal(size_by_name(tool->name), tool);
        assert_in_range(size_inputs(tool), 1, SIZE_INPUTS_MAX);
        assert_in_range(size_results(tool), 1, SIZE_RESULTS_MAX);
        for (size_t i = 0; i < size_inputs(tool); i++) {
            const struct size_input *input = &tool->input[i];
            assert_true(input->low <= input->otherwise && input->otherwise <= input->high);
            assert_true(!input->whole || input->otherwise == floor(input->otherwise));
            for (size_t j = 0; j < i; j++) {
                assert_string_not_equal(input->name, tool->input[j].name);
            }
        }
        for (size_t i = 0; i < size_results(tool); i++) {
            for (size_t j = 0; j < i; j++) {
                assert_string_not_equal(tool->result[i].name, tool->result[j].name);
            }
        }
    }
    assert_int_equal(count, 23);
    assert_null(size_by_name("shard"));
    assert_null(size_by_name(""));
}

/* Computes; true when there were results, all of them written and none of them endless. */
static bool computes(const struct size_tool *tool, const struct size_values *values)
{
    struct err err = {.text = ""};
    double result[SIZE_RESULTS_MAX];
    for (size_t i = 0; i < SIZE_RESULTS_MAX; i++) {
        result[i] = -12345;
    }
    if (!size_compute(tool, values, result, &err)) {
        assert_true(strlen(err.text) > 0);
        return false;
    }
    for (size_t i = 0; i < SIZE_RESULTS_MAX; i++) {
        bool written = !(fabs(result[i] + 12345) < 1);
        assert_true(written == (i < size_results(tool)));
        assert_true(isnan(result[i]) || fabs(result[i]) < HUGE_VAL);
    }
    return true;
}

static void every_input_may_go_to_the_ends_of_its_range(void **state)
{
    (void)state;
    size_t refused = 0;
    for (size_t t = 0; size_at(t); t++) {
        const struct size_tool *tool = size_at(t);
        size_t inputs = size_inputs(tool);
        struct size_values values;
        size_start(tool, &values);
        assert_true(computes(tool, &values));
        /* each input low, nearly 0, as it is, or high, with each choice of the others */
        size_t choices = 1;
        for (size_t i = 0; i < inputs; i++) {
            choices *= 4;
        }
        /* chances of a thousand sub-keys take a while: a part of the choices does for them, and
         * so it does for eighteen inputs */
        size_t step = inputs > 10 ? choices / 200000 | 1 : inputs > 7 ? 37 : 1;
        for (size_t choice = 0; choice < choices; choice += step) {
            size_t rest = choice;
            for (size_t i = 0; i < inputs; i++, rest /= 4) {
                const struct size_input *input = &tool->input[i];
                double least = input->low == 0 && !input->whole ? 1e-6 : input->low;
                const double ends[] = {input->low, least, input->otherwise, input->high};
                values.value[i] = ends[rest % 4];
            }
            refused += !computes(tool, &values);
        }
    }
    assert_true(refused > 0); /* more read than there are copies, say */
}

static void what_does_not_exist_is_none(void **state)
{
    (void)state;
    assert_true(isnan(ANSWER("salt", "salts_needed", "other=800")));
    assert_true(isnan(ANSWER("tail", "shards_half", "slow_pct=0")));
    assert_true(isnan(ANSWER("tail", "one_in", "slow_pct=0")));
    assert_true(isnan(ANSWER("shards", "load_one_less_pct", "rate=1", "data_gb=0")));
    assert_true(isnan(ANSWER("storage", "months_left", "growth_gb=0")));
    assert_true(isnan(ANSWER("crosszone", "times_fewer", "job_local=5")));
}

static void shards_follow_the_larger_of_load_and_size(void **state)
{
    (void)state;
    is_near(ANSWER("shards", "shards", "data_gb=20000"), 20);
    is_near(ANSWER("shards", "shards", "rate=0", "data_gb=0"), 1);
    /* exactly full is full enough; a little more is one more */
    is_near(ANSWER("shards", "shards", "rate=5600", "data_gb=0"), 2);
    is_near(ANSWER("shards", "shards", "rate=5601", "data_gb=0"), 3);
    is_near(ANSWER("shards", "shards", "rate=2.1", "shard_rate=1", "data_gb=0"), 3);
}

static void routers_survive_a_zone(void **state)
{
    (void)state;
    is_near(ANSWER("routers", "routers", "rate=16000"), 12);
    is_near(ANSWER("routers", "routers", "rate=16001"), 15);
    is_near(ANSWER("routers", "routers_per_zone", "zones=2"), 7);
    is_near(DEFAULTS("routers", "load_lost_pct"), 68.25);
}

static void salts_must_fit_beside_other_traffic(void **state)
{
    (void)state;
    is_near(ANSWER("salt", "load", "salts=3"), 1000);
    is_near(ANSWER("salt", "fits", "salts=3"), 0);
    is_near(ANSWER("salt", "fits", "salts=4"), 1);
    is_near(ANSWER("salt", "fits", "salts=5"), 0); /* two of five meet on a shard */
    is_near(ANSWER("salt", "fits", "home_other=201"), 0);
    is_near(ANSWER("salt", "blind_chance", "other=900", "home_other=900"), 0);
    is_near(ANSWER("salt", "blind_chance", "shards=1", "other=0", "home_other=0", "rate=800"), 1);
    is_near(ANSWER("salt", "blind_chance", "shards=1", "home_other=0", "rate=800", "salts=1024"),
            1);
}

/* Every way to place four sub-keys on three shards, of which the first takes two and the others
 * one or two. */
static double counted_chance(int cap)
{
    int good = 0;
    for (int way = 0; way < 81; way++) {
        int on[3] = {0, 0, 0};
        int rest = way;
        for (int salt = 0; salt < 4; salt++, rest /= 3) {
            on[rest % 3]++;
        }
        good += on[0] <= 2 && on[1] <= cap && on[2] <= cap;
    }
    return good / 81.0;
}

static void blind_chances_agree_with_counting(void **state)
{
    (void)state;
    is_near(ANSWER("salt", "blind_chance", "rate=4", "shard_rate=2", "target_pct=100", "other=0",
                   "home_other=0", "salts=4", "shards=3"),
            counted_chance(2));
    is_near(ANSWER("salt", "blind_chance", "rate=4", "shard_rate=2", "target_pct=100", "other=1",
                   "home_other=0", "salts=4", "shards=3"),
            counted_chance(1));
}

static void the_fullest_shard_of_blind_salts(void **state)
{
    (void)state;
    is_near(ANSWER("salt", "fullest_blind", "salts=1", "shards=7"), 1);
    is_near(ANSWER("salt", "fullest_blind", "salts=2", "shards=2"), 1.5);
    is_near(ANSWER("salt", "gain_blind", "salts=2", "shards=2"), 2 / 1.5);
    /* 27 ways: 3 with all on one shard, 6 with one on each, 18 with two on one */
    is_near(ANSWER("salt", "fullest_blind", "salts=3", "shards=3"), (9 + 6 + 36) / 27.0);
    is_near(ANSWER("salt", "fullest_blind", "salts=128", "shards=1"), 128);
    assert_true(isnan(ANSWER("salt", "fullest_blind", "salts=129")));
    assert_true(isnan(ANSWER("salt", "gain_blind", "salts=129")));
}

static void a_buffer_is_lost_with_its_chance(void **state)
{
    (void)state;
    /* one like in a window on average */
    is_near(ANSWER("buffer", "chance_late", "rate=2", "routers=1", "at_least=1"), 1 - exp(-1));
    is_near(ANSWER("buffer", "chance_any", "rate=2", "routers=1", "at_least=1"), exp(-1));
    is_near(ANSWER("buffer", "chance_late", "rate=2", "routers=1", "at_least=2"), 1 - 2 * exp(-1));
    is_near(ANSWER("buffer", "chance_late", "at_least=0"), 1);
    is_near(ANSWER("buffer", "chance_any", "at_least=0"), 1);
    is_near(ANSWER("buffer", "chance_late", "rate=0", "at_least=1"), 0);
    /* summed from either side the chances of n and of less than n are one */
    double below = ANSWER("buffer", "chance_late", "at_least=200");
    double above = ANSWER("buffer", "chance_late", "at_least=201");
    double at = exp(200 * log(200) - 200 - lgamma(201));
    assert_true(fabs(below - above - at) < 1e-12);
    /* the average over the window, in ten thousand steps */
    double sum = 0;
    for (int i = 0; i < 10000; i++) {
        char window[32];
        snprintf(window, sizeof window, "flush_ms=%.3f", 500 * (i + 0.5) / 10000);
        sum += ANSWER("buffer", "chance_late", window);
    }
    assert_true(fabs(sum / 10000 - DEFAULTS("buffer", "chance_any")) < 1e-7);
}

static void writes_close_the_window_of_coalescing(void **state)
{
    (void)state;
    is_near(DEFAULTS("coalesce", "window_ms"), 5);
    double few = ANSWER("coalesce", "queries_by_key", "writes=0.001");
    assert_true(fabs(few - 9000.0 / 46) < 0.01);
    double many = ANSWER("coalesce", "queries_by_key", "writes=1e9");
    assert_true(many > 8990 && many < 9000); /* nobody can join */
    is_near(ANSWER("coalesce", "queries", "routers=1"), 9000.0 / 46);
}

static void the_tail_has_its_gap(void **state)
{
    (void)state;
    /* one shard with exactly 1% slow: the p99 is the last of the fast replies */
    is_near(ANSWER("tail", "p99_ms", "shards=1"), 7);
    assert_true(ANSWER("tail", "p99_ms", "shards=1", "slow_pct=1.001") > 50);
    is_near(ANSWER("tail", "median_ms", "shards=1", "slow_pct=0"), 5);
    is_near(ANSWER("tail", "median_ms", "shards=1", "slow_pct=100"), 125);
    is_near(ANSWER("tail", "any_slow_pct", "shards=1", "slow_pct=100"), 100);
}

static void quorums_overlap_or_not(void **state)
{
    (void)state;
    is_near(ANSWER("quorum", "reads_overlap", "write=1"), 0);
    is_near(ANSWER("quorum", "overlap", "write=1", "read=1"), 0);
    is_near(ANSWER("quorum", "writes_overlap", "copies=4", "write=2"), 0);
    is_near(ANSWER("quorum", "majority", "copies=4"), 3);
    is_near(ANSWER("quorum", "reads_overlap", "write=3", "read=1"), 1);
}

static void moves_shrink_too(void **state)
{
    (void)state;
    is_near(ANSWER("move", "moved_pct", "from=5", "to=4"), 20);
    is_near(ANSWER("move", "moved_gb", "from=4", "to=4"), 0);
    is_near(ANSWER("move", "moved_gb", "from=0"), 10000);
    is_near(ANSWER("move", "whole_gb", "data_gb=50000", "from=50", "to=60"), 8350);
    is_near(ANSWER("move", "whole_gb", "from=5", "to=4"), 0);
    is_near(ANSWER("move", "retry_wait_ms", "pause_ms=10"), 10);
    is_near(ANSWER("move", "retry_wait_ms", "pause_ms=0"), 0);
    is_near(ANSWER("move", "retry_wait_ms", "pause_ms=30.1"), 70);
}

static void harmonic_numbers_are_sums(void **state)
{
    (void)state;
    const double exponents[] = {0, 0.5, 0.999999, 1, 1.000001, 2, 5};
    for (size_t e = 0; e < sizeof exponents / sizeof exponents[0]; e++) {
        double sum = 0;
        for (int n = 1; n <= 20000; n++) {
            sum += pow(n, -exponents[e]);
            if (n <= 2 || (n >= 998 && n <= 1003) || n == 20000) {
                is_near(size_harmonic(n, exponents[e]), sum);
            }
        }
    }
}

static void refuses(const char *what, const char *word, const char *said)
{
    struct size_values values;
    struct err err = {.text = ""};
    const struct size_tool *tool = size_by_name(what);
    size_start(tool, &values);
    assert_false(size_give(tool, word, &values, &err));
    if (!strstr(err.text, said) || strchr(err.text, '\n')) {
        print_error("%s: said \"%s\"\n", word, err.text);
        fail();
    }
}

static void bad_inputs_are_refused(void **state)
{
    (void)state;
    refuses("shards", "ratee=1", "rate, shard_rate, target_pct");
    refuses("shards", "=1", "rate, shard_rate");
    refuses("shards", "rate", "name=value");
    refuses("shards", "", "name=value");
    refuses("shards", "rat=1", "no input \"rat\"");
    refuses("shards", "rate=", "not a number");
    refuses("shards", "rate=many", "not a number");
    refuses("shards", "rate=38,750", "not a number");
    refuses("shards", "rate=1 ", "not a number");
    refuses("shards", "rate=--1", "not a number");
    refuses("shards", "rate=1e", "not a number");
    refuses("shards", "rate=0x10", "not a number");
    refuses("shards", "rate=inf", "not a number");
    refuses("shards", "rate=nan", "not a number");
    refuses("shards", "rate=1e999", "not a number");
    refuses("shards", "rate=1=2", "not a number");
    refuses("shards", "rate=11111111111111111111111111111111111111111", "not a number");
    refuses("shards", "rate=-1", "from 0 to 1,000,000,000,000");
    refuses("shards", "rate=1e13", "out of range");
    refuses("shards", "rate=1e-300", "too near to 0");
    refuses("shards", "shard_rate=0", "out of range");
    refuses("shards", "target_pct=101", "from 1 to 100");
    refuses("shards", "buckets=1.5", "a whole number");
}

static void an_input_is_given_once(void **state)
{
    (void)state;
    struct size_values values;
    struct err err = {.text = ""};
    const struct size_tool *tool = size_by_name("shards");
    size_start(tool, &values);
    assert_true(size_give(tool, "rate=7", &values, &err));
    assert_false(size_give(tool, "rate=8", &values, &err));
    assert_non_null(strstr(err.text, "twice"));
    assert_true(values.given[0] && !values.given[1]);
    is_near(values.value[0], 7);
}

static void contradictions_are_refused(void **state)
{
    (void)state;
    static const char *const pairs[][3] = {
        {"quorum", "read=4", "3 copies"},
        {"quorum", "write=4", "3 copies"},
        {"tail", "fast_high_ms=51", "must not fall"},
        {"crosszone", "job_local=6", "5 shards"},
        {"capacity", "processes_each=3", "do not fit a machine of 68.72 GB"},
        {"vectors", "probe=1001", "1000 parts"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        struct size_values values;
        double result[SIZE_RESULTS_MAX];
        struct err err = {.text = ""};
        const struct size_tool *tool = size_by_name(pairs[i][0]);
        size_start(tool, &values);
        assert_true(size_give(tool, pairs[i][1], &values, &err));
        assert_false(size_compute(tool, &values, result, &err));
        assert_non_null(strstr(err.text, pairs[i][2]));
    }
}

static void shown(double value, const char *wanted)
{
    struct str out = STR_EMPTY;
    size_add_number(&out, value);
    assert_string_equal(str_text(&out), wanted);
    str_free(&out);
}

static void numbers_read_well(void **state)
{
    (void)state;
    shown(0, "0");
    shown(13650, "13,650");
    shown(1706.25, "1,706.3");
    shown(13.8392857, "13.84");
    shown(5.41176, "5.412");
    shown(0.0384521, "0.0385");
    shown(0.4032, "0.4032");
    shown(0.00036288, "0.0003629");
    shown(999.999, "1,000");
    shown(9.9999, "10");
    shown(100.05, "100.05");
    shown(-1234.5, "-1,234.5");
    shown(1e15, "1e+15");
    shown(999999999999999.0, "999,999,999,999,999");
    shown(NAN, "none");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_defaults_tell_the_story),
        cmocka_unit_test(every_calculator_is_listed_once_and_whole),
        cmocka_unit_test(every_input_may_go_to_the_ends_of_its_range),
        cmocka_unit_test(what_does_not_exist_is_none),
        cmocka_unit_test(shards_follow_the_larger_of_load_and_size),
        cmocka_unit_test(routers_survive_a_zone),
        cmocka_unit_test(salts_must_fit_beside_other_traffic),
        cmocka_unit_test(blind_chances_agree_with_counting),
        cmocka_unit_test(the_fullest_shard_of_blind_salts),
        cmocka_unit_test(a_buffer_is_lost_with_its_chance),
        cmocka_unit_test(the_remainder_moves_what_a_count_finds),
        cmocka_unit_test(few_keys_leave_partitions_idle),
        cmocka_unit_test(the_larger_need_decides),
        cmocka_unit_test(an_average_cannot_hide_more_than_there_is),
        cmocka_unit_test(writes_close_the_window_of_coalescing),
        cmocka_unit_test(the_tail_has_its_gap),
        cmocka_unit_test(quorums_overlap_or_not),
        cmocka_unit_test(moves_shrink_too),
        cmocka_unit_test(harmonic_numbers_are_sums),
        cmocka_unit_test(bad_inputs_are_refused),
        cmocka_unit_test(an_input_is_given_once),
        cmocka_unit_test(contradictions_are_refused),
        cmocka_unit_test(numbers_read_well),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
