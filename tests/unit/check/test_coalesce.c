/*
 * Coalesced reads hold with their rules and fail without either of them.
 */
#include "check/models.h"
#include "check/search.h"
#include "proto/rule.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct check_result search(uint32_t rules, uint8_t size)
{
    struct check_scope scope = {.rules = rules, .size = size};
    struct check_options options = check_interactive();
    return check_search(&model_coalesce, &scope, &options);
}

static uint32_t without(enum rule rule)
{
    uint32_t bit = 0;
    assert_true(check_rule_by_name(&model_coalesce, rule_name(rule), &bit));
    return CHECK_RULES_ALL & ~bit;
}

static void test_it_holds_and_every_read_is_answered(void **state)
{
    (void)state;
    for (uint8_t size = 1; size <= 3; size++) {
        struct check_result r = search(CHECK_RULES_ALL, size);
        assert_int_equal(r.verdict, CHECK_HOLDS);
        assert_int_equal(r.dead, 0);
    }
}

static void test_each_rule_left_out_shows(void **state)
{
    (void)state;
    static const enum rule rules[] = {RULE_JOIN_BEFORE_WRITE, RULE_ONE_ROUTER_A_KEY};
    assert_int_equal(check_rules(&model_coalesce), 2);
    for (size_t i = 0; i < 2; i++) {
        assert_string_equal(model_coalesce.rule[i].name, rule_name(rules[i]));
        assert_string_equal(model_coalesce.rule[i].demands, rule_about(rules[i]));
        struct check_result r = search(without(rules[i]), 2);
        assert_int_equal(r.verdict, CHECK_FAILS);
        assert_int_equal(r.depth, 7);
        unsigned char now[CHECK_STATE_MAX];
        struct check_scope scope = {.rules = without(rules[i]), .size = 2};
        struct check_told told;
        check_replay(&model_coalesce, &scope, r.start, r.action, 6, now);
        model_coalesce.tell(&scope, now, r.action[6], &told);
        assert_string_equal(told.action, "returns version 0");
        assert_non_null(strstr(told.detail, "asked after version 1 was acknowledged"));
        check_result_free(&r);
    }
}

/* A join after the write says why the other rule does not stop it, when it is in force. */
static void test_a_late_join_is_explained(void **state)
{
    (void)state;
    static const enum rule rules[] = {RULE_JOIN_BEFORE_WRITE, RULE_ONE_ROUTER_A_KEY};
    static const char *const said[] = {
        "R0 has query a under way: the read joins it. The write was acknowledged before.",
        "R1 has query a under way: the read joins it. The write was acknowledged before. "
        "R1 saw no write: it went through R0.",
    };
    for (size_t i = 0; i < 2; i++) {
        unsigned char now[CHECK_STATE_MAX];
        struct check_scope scope = {.rules = without(rules[i]), .size = 2};
        struct check_result r = search(scope.rules, scope.size);
        struct check_told told;
        check_replay(&model_coalesce, &scope, r.start, r.action, 5, now);
        model_coalesce.tell(&scope, now, r.action[5], &told);
        assert_string_equal(told.detail, said[i]);
        check_result_free(&r);
    }
}

/* With one router there is nobody else to ask. */
static void test_one_router_needs_no_rule_about_it(void **state)
{
    (void)state;
    assert_int_equal(search(without(RULE_ONE_ROUTER_A_KEY), 1).verdict, CHECK_HOLDS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_it_holds_and_every_read_is_answered),
        cmocka_unit_test(test_each_rule_left_out_shows),
        cmocka_unit_test(test_a_late_join_is_explained),
        cmocka_unit_test(test_one_router_needs_no_rule_about_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
