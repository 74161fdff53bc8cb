/*
 * Every situation that a model tells of comes to pass in its smallest world, with every rule; and
 * none is there from the start.
 */
#include "check/models.h"
#include "check/search.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "scopes.h"

static unsigned situations_of(const struct check_model *model)
{
    unsigned count = 0;
    while (model->situation && model->situation[count].name) {
        count++;
    }
    return count;
}

static uint32_t all_of(unsigned count)
{
    assert_in_range(count, 1, CHECK_SITUATIONS_MAX);
    return UINT32_MAX >> (CHECK_SITUATIONS_MAX - count);
}

static void test_lists_are_of_four_to_twelve_sentences_without_an_end(void **state)
{
    (void)state;
    unsigned models = 0;
    for (size_t i = 0; check_model_at(i); i++) {
        const struct check_model *model = check_model_at(i);
        unsigned count = situations_of(model);
        assert_true((model->situation != NULL) == (model->situations != NULL));
        if (count == 0) {
            continue;
        }
        models++;
        assert_in_range(count, 4, 12);
        for (unsigned a = 0; a < count; a++) {
            const char *name = model->situation[a].name;
            assert_in_range(strlen(name), 10, 90);
            assert_true(name[strlen(name) - 1] != '.' && name[0] >= 'a' && name[0] <= 'z');
            for (unsigned b = 0; b < a; b++) {
                assert_string_not_equal(name, model->situation[b].name);
            }
        }
    }
    assert_true(models >= 6);
}

static void test_each_is_reached_with_every_rule(void **state)
{
    (void)state;
    for (size_t i = 0; check_model_at(i); i++) {
        const struct check_model *model = check_model_at(i);
        if (situations_of(model) == 0) {
            continue;
        }
        struct check_result r =
            scope_search(model, CHECK_RULES_ALL, model->size_small, CHECK_BOTH, 1);
        assert_int_equal(r.verdict, CHECK_HOLDS);
        uint32_t missing = all_of(situations_of(model)) ^ r.reached;
        for (unsigned bit = 0; bit < CHECK_SITUATIONS_MAX; bit++) {
            if (missing >> bit & 1) {
                fail_msg("%s: \"%s\" is never reached", model->name,
                         bit < situations_of(model) ? model->situation[bit].name : "(no name)");
            }
        }
    }
}

static uint32_t at_the_start(const struct check_model *model)
{
    _Alignas(16) unsigned char room[4 * CHECK_STATE_MAX];
    uint16_t action[4];
    struct check_scope scope = {.rules = CHECK_RULES_ALL, .size = model->size_small};
    struct check_out out = {.state = room,
                            .action = action,
                            .state_size = model->state_size,
                            .room = sizeof action / sizeof action[0]};
    uint32_t in = 0;
    model->init(&scope, &out);
    for (size_t i = 0; i < out.count; i++) {
        in |= model->situations(&scope, out.state + i * out.state_size);
    }
    return in;
}

static void test_none_is_there_from_the_start(void **state)
{
    (void)state;
    for (size_t i = 0; check_model_at(i); i++) {
        const struct check_model *model = check_model_at(i);
        if (situations_of(model) > 0) {
            assert_int_equal(at_the_start(model), 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lists_are_of_four_to_twelve_sentences_without_an_end),
        cmocka_unit_test(test_each_is_reached_with_every_rule),
        cmocka_unit_test(test_none_is_there_from_the_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
