/*
 * A micro-cache holds with all its rules in the large scope and fails in the small one without any
 * of them, by the shortest way.
 */
#include "check/micro_cache.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "scopes.h"

static const struct {
    enum rule rule;
    uint32_t steps;   /* in the small scope */
    uint32_t refused; /* the step that the rule would have refused, from 1 */
    enum cache_promise broken;
} failing[] = {
    {RULE_BOUNDED_AGE, 8, 8, CACHE_BOUND},
    {RULE_AGE_FROM_READ, 8, 8, CACHE_BOUND},
    {RULE_DROP_ON_EDIT, 7, 7, CACHE_OWN_EDIT},
    {RULE_FILL_NOT_ACROSS_EDIT, 7, 6, CACHE_OWN_EDIT},
};

#define RULES (sizeof failing / sizeof failing[0])

static struct check_result search(uint32_t rules, enum cache_size size, unsigned threads)
{
    return scope_search(&model_micro_cache, rules, size, CHECK_BOTH, threads);
}

static uint32_t without(enum rule rule)
{
    return scope_without(&model_micro_cache, rule);
}

static void test_rules_are_those_of_the_protocol(void **state)
{
    (void)state;
    assert_int_equal(check_rules(&model_micro_cache), RULES);
    for (size_t i = 0; i < RULES; i++) {
        scope_rule_is(&model_micro_cache, i, failing[i].rule);
    }
}

static void test_every_scope_holds_within_the_bounds(void **state)
{
    (void)state;
    for (unsigned size = 0; size < CACHE_SIZES; size++) {
        struct check_result r[2];
        for (unsigned i = 0; i < 2; i++) {
            r[i] = search(CHECK_RULES_ALL, (enum cache_size)size, 1 + i);
            assert_int_equal(r[i].verdict, CHECK_HOLDS);
            assert_int_equal(r[i].dead, 0);
            assert_in_range(r[i].bytes, 1, (uint64_t)64 << 20);
        }
        assert_int_equal(r[0].states, r[1].states);
        assert_int_equal(r[0].generated, r[1].generated);
        assert_int_equal(r[0].depth, r[1].depth);
    }
    const struct cache_world *small = cache_world_of(&(struct check_scope){.size = CACHE_SMALL});
    const struct cache_world *large = cache_world_of(&(struct check_scope){.size = CACHE_LARGE});
    assert_true(large->reads > small->reads && large->edits > small->edits);
    assert_true(large->ticks > small->ticks);
}

static void test_each_rule_left_out_shows(void **state)
{
    (void)state;
    static const enum cache_size sizes[] = {CACHE_SMALL, CACHE_LARGE};
    for (size_t i = 0; i < 2 * RULES; i++) {
        struct check_result r = search(without(failing[i / 2].rule), sizes[i % 2], 1);
        assert_int_equal(r.verdict, CHECK_FAILS);
        assert_int_equal(r.depth, failing[i / 2].steps);
        assert_int_equal(r.broken, failing[i / 2].broken);
        unsigned char last[CHECK_STATE_MAX];
        struct check_scope scope = {.rules = CHECK_RULES_ALL, .size = (uint8_t)sizes[i % 2]};
        size_t taken = check_replay(&model_micro_cache, &scope, r.start, r.action, r.depth, last);
        assert_int_equal(taken + 1, failing[i / 2].refused);
        check_result_free(&r);
    }
}

/* Where no time passes, how old an entry is does not matter; what edits do to it does. */
static void test_without_a_clock_only_edits_matter(void **state)
{
    (void)state;
    for (size_t i = 0; i < RULES; i++) {
        struct check_result r = search(without(failing[i].rule), CACHE_NO_CLOCK, 1);
        bool of_edits = failing[i].broken == CACHE_OWN_EDIT;
        assert_int_equal(r.verdict, of_edits ? CHECK_FAILS : CHECK_HOLDS);
        check_result_free(&r);
    }
}

static void test_the_fill_across_an_edit_in_words(void **state)
{
    (void)state;
    static const char *const expected[] = {
        "reader 1 misses: fetch a begins: There is no entry. The router asks the shard.",
        "an editor sends an edit: The router sends it on to the shard.",
        "the shard answers fetch a: Its version is 0. The answer is on its way.",
        "the shard applies the edit: It holds version 1 from now on.",
        "the router acknowledges version 1: The editor is told OK. There is no entry to drop. The "
        "fetch under way is left as it is.",
        "the router keeps version 0 of fetch a: It goes to 1 reader that waited for it, and is the "
        "entry from now on.",
        "reader 2 reads version 0 from the cache: By the router's count the entry is 0 ticks old. "
        "This router has acknowledged version 1.",
    };
    struct check_scope scope = {.rules = without(RULE_FILL_NOT_ACROSS_EDIT), .size = CACHE_SMALL};
    struct check_result r = search(scope.rules, CACHE_SMALL, 1);
    assert_int_equal(r.depth, sizeof expected / sizeof expected[0]);
    for (uint32_t i = 0; i < r.depth; i++) {
        char line[300];
        unsigned char now[CHECK_STATE_MAX];
        struct check_told told = {.actor = ""};
        check_replay(&model_micro_cache, &scope, r.start, r.action, i, now);
        model_micro_cache.tell(&scope, now, r.action[i], &told);
        (void)snprintf(line, sizeof line, "%s %s: %s", told.actor, told.action, told.detail);
        assert_string_equal(line, expected[i]);
    }
    check_result_free(&r);
}

/* Every step of a scope: no text is cut, none is missing. */
static unsigned steps_told;

static int tell_all(const struct check_scope *scope, const void *now)
{
    unsigned char states[CHECK_STEPS_MAX * sizeof(struct micro_cache)];
    uint16_t actions[CHECK_STEPS_MAX];
    struct check_out out = {.state = states,
                            .action = actions,
                            .state_size = sizeof(struct micro_cache),
                            .room = CHECK_STEPS_MAX};
    model_micro_cache.next(scope, now, &out);
    for (size_t i = 0; i < out.count; i++) {
        struct check_told told = {.actor = ""};
        model_micro_cache.tell(scope, now, out.action[i], &told);
        assert_in_range(strlen(told.actor), 2, sizeof told.actor - 2);
        assert_in_range(strlen(told.action), 2, sizeof told.action - 2);
        assert_in_range(strlen(told.detail), 2, sizeof told.detail - 2);
        assert_in_range(model_micro_cache.actor(out.action[i]), 0, CHECK_ACTORS_MAX - 1);
        steps_told |= 1u << cache_step_of(out.action[i]);
    }
    return 0;
}

static void test_every_step_is_taken_somewhere_and_told(void **state)
{
    (void)state;
    struct check_model model = model_micro_cache;
    struct check_options options = check_interactive();
    model.check = tell_all;
    steps_told = 0;
    for (size_t i = 0; i <= RULES; i++) {
        struct check_scope scope = {
            .rules = i == RULES ? CHECK_RULES_ALL : without(failing[i].rule), .size = CACHE_SMALL};
        struct check_result r = check_search(&model, &scope, &options);
        assert_int_equal(r.verdict, CHECK_HOLDS);
        check_result_free(&r);
    }
    assert_int_equal(steps_told, (1u << (CACHE_TICK + 1)) - 1);
}

static void test_scopes_have_words(void **state)
{
    (void)state;
    char text[128];
    model_micro_cache.say_size(CACHE_LARGE, text, sizeof text);
    assert_string_equal(text, "3 reads, 2 edits, 3 ticks");
    model_micro_cache.say_size(CACHE_NO_CLOCK, text, sizeof text);
    assert_string_equal(text, "2 reads, 1 edit");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rules_are_those_of_the_protocol),
        cmocka_unit_test(test_every_scope_holds_within_the_bounds),
        cmocka_unit_test(test_each_rule_left_out_shows),
        cmocka_unit_test(test_without_a_clock_only_edits_matter),
        cmocka_unit_test(test_the_fill_across_an_edit_in_words),
        cmocka_unit_test(test_every_step_is_taken_somewhere_and_told),
        cmocka_unit_test(test_scopes_have_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
