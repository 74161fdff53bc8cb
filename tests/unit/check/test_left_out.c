/*
 * Each rule of each model left out: what is found is the same in every run, with one thread and
 * with two, and there within a tenth of a second and 64 MB.
 */
#include "check/models.h"
#include "check/search.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "sanitized.h"
#include "scopes.h"

#define RUNS (BRIEF ? 4 : 20)
#define BYTES_MAX (UINT64_C(64) << 20)
#define MS_MAX 100.0

/* A processor's time for this search alone: a busy machine is not a slow search. */
static double milliseconds(void)
{
    struct timespec now;
    assert_int_equal(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now), 0);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static void is_same(const struct check_result *a, const struct check_result *b)
{
    assert_int_equal(a->verdict, b->verdict);
    assert_int_equal(a->states, b->states);
    assert_int_equal(a->generated, b->generated);
    assert_int_equal(a->depth, b->depth);
    assert_int_equal(a->reached, b->reached);
    assert_int_equal(a->dead, b->dead);
    assert_int_equal(a->broken, b->broken);
    assert_int_equal(a->start, b->start);
    assert_true((a->action == NULL) == (b->action == NULL));
    if (a->action) {
        assert_memory_equal(a->action, b->action, a->depth * sizeof *a->action);
    }
}

/* Returns whether something fails without these rules. */
static bool look(const struct check_model *model, uint32_t rules, uint8_t size)
{
    struct check_result first = {0};
    double best = 1e9;
    for (unsigned run = 0; run < RUNS; run++) {
        double from = milliseconds();
        struct check_result r = scope_search(model, rules, size, CHECK_BOTH, 1 + run % 2);
        double took = milliseconds() - from;
        best = took < best ? took : best;
        assert_true(r.bytes <= BYTES_MAX);
        assert_int_not_equal(r.verdict, CHECK_CUT);
        if (run == 0) {
            first = r;
        } else {
            is_same(&first, &r);
            check_result_free(&r);
        }
    }
    if (!SANITIZED && best > MS_MAX) {
        fail_msg("%s without %x takes %.0f ms", model->name, ~rules, best);
    }
    bool fails = first.verdict == CHECK_FAILS;
    check_result_free(&first);
    return fails;
}

static void test_each_rule_left_out(void **state)
{
    (void)state;
    unsigned shown = 0;
    for (size_t m = 0; check_model_at(m); m++) {
        const struct check_model *model = check_model_at(m);
        for (size_t i = 0; i < check_rules(model); i++) {
            shown += look(model, CHECK_RULES_ALL & ~(UINT32_C(1) << i), model->size_small);
        }
    }
    assert_true(shown >= 30);
}

static void test_and_in_a_world_apart(void **state)
{
    (void)state;
    for (size_t m = 0; check_model_at(m); m++) {
        const struct check_apart *apart = check_model_at(m)->apart;
        for (; apart && apart->rule; apart++) {
            uint32_t bit = 0;
            assert_true(check_rule_by_name(check_model_at(m), apart->rule, &bit));
            assert_true(look(check_model_at(m), CHECK_RULES_ALL & ~bit, apart->size));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_rule_left_out),
        cmocka_unit_test(test_and_in_a_world_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
