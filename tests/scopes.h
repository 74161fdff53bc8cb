/*
 * scopes: what the tests of the checker's models have in common: searching one scope, leaving out
 * one rule, and holding a model's list of rules against proto/rule.h.
 */
#ifndef HOTSHARD_TESTS_SCOPES_H
#define HOTSHARD_TESTS_SCOPES_H

#include "check/models.h"
#include "check/search.h"
#include "proto/rule.h"

/* As an interactive check would, on so many threads. Free with check_result_free. */
static inline struct check_result scope_search(const struct check_model *model, uint32_t rules,
                                               unsigned size, enum check_judge judge,
                                               unsigned threads)
{
    struct check_scope scope = {.rules = rules, .size = (uint8_t)size, .judge = (uint8_t)judge};
    struct check_options options = check_interactive();
    options.threads = threads;
    return check_search(model, &scope, &options);
}

/* All rules of the model but this one. */
static inline uint32_t scope_without(const struct check_model *model, enum rule rule)
{
    uint32_t bit = 0;
    assert_true(check_rule_by_name(model, rule_name(rule), &bit));
    return CHECK_RULES_ALL & ~bit;
}

/* The i-th rule of the model is this one, in name and in what it demands. */
static inline void scope_rule_is(const struct check_model *model, size_t i, enum rule rule)
{
    assert_string_equal(model->rule[i].name, rule_name(rule));
    assert_string_equal(model->rule[i].demands, rule_about(rule));
}

#endif
