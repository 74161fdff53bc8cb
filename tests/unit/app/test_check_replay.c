/*
 * Every way to a failure that the checker finds for the live move and for coalesced reads fails in
 * a world too, and with every rule in place the world stops where the checker says, nothing lost.
 */
#include "app/check_replay.h"
#include "check/fence_and_flip.h"
#include "check/models.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

struct way {
    const struct check_model *model;
    const char *without[2];
    uint32_t steps, named;
    enum flip_size size; /* FLIP_SMALL: the model's small one */
};

static const struct way ways[] = {
    {&model_fence_and_flip, {"fence"}, 8, 4, FLIP_SMALL},
    {&model_fence_and_flip, {"fence-covers-reads"}, 10, 10, FLIP_SMALL},
    {&model_fence_and_flip, {"drain-to-fence"}, 9, 5, FLIP_SMALL},
    {&model_fence_and_flip, {"target-waits-for-commit"}, 6, 6, FLIP_SMALL},
    {&model_fence_and_flip, {"snapshot-position", "compare-before-fence"}, 10, 6, FLIP_SMALL},
    {&model_fence_and_flip, {"check-and-append"}, 11, 3, FLIP_SMALL},
    {&model_fence_and_flip, {"durable-fence"}, 11, 5, FLIP_SMALL},
    {&model_fence_and_flip, {"abort-before-commit"}, 11, 10, FLIP_SMALL},
    {&model_fence_and_flip, {"slot-table-check"}, 6, 6, FLIP_SMALL},
    {&model_fence_and_flip, {"slot-table-check"}, 11, 8, FLIP_2W1R_OLD_OWNER},
    {&model_coalesce, {"join-before-write"}, 7, 6, FLIP_SMALL},
    {&model_coalesce, {"one-router-a-key"}, 7, 2, FLIP_SMALL},
};

static struct check_result find(const struct way *way, struct check_scope *scope)
{
    struct check_options options = check_interactive();
    *scope = (struct check_scope){
        .rules = CHECK_RULES_ALL, .size = way->model->size_small, .judge = CHECK_OUTSIDE};
    if (way->size != FLIP_SMALL) {
        scope->size = (uint8_t)way->size;
    }
    for (size_t i = 0; i < 2 && way->without[i]; i++) {
        uint32_t bit = 0;
        assert_true(check_rule_by_name(way->model, way->without[i], &bit));
        scope->rules &= ~bit;
    }
    struct check_result result = check_search(way->model, scope, &options);
    assert_int_equal(result.verdict, CHECK_FAILS);
    assert_int_equal(result.depth, way->steps);
    return result;
}

static struct replayed play(const struct way *way, bool every_rule)
{
    struct check_scope scope;
    struct replayed played;
    struct err err = {{0}};
    struct check_result result = find(way, &scope);
    assert_int_equal(check_replay_named(way->model, &scope, &result), way->named);
    if (!check_replay_play(way->model, &scope, &result, every_rule ? REPLAY_EVERY_RULE : 0, &played,
                           &err)) {
        fail_msg("without %s: %s", way->without[0], err.text);
    }
    if (!played.agrees) {
        for (uint32_t i = 0; i < played.steps + 2; i++) {
            print_message("%u:\n%s", i, str_text(&played.lines[i]));
        }
        fail_msg("without %s: %s", way->without[0], played.differs.text);
    }
    assert_int_equal(played.steps, way->steps);
    check_result_free(&result);
    return played;
}

static void each_way_fails_in_a_world(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        struct replayed played = play(&ways[i], false);
        assert_true(played.stale);
        assert_int_equal(played.returned, 0);
        assert_int_equal(played.due, 1);
        assert_int_equal(played.stopped, 0);
        assert_int_equal(played.unanswered, 0);
        if (ways[i].model == &model_fence_and_flip) {
            assert_in_range(played.broken_at, 1, played.steps);
        }
        check_replay_free(&played);
    }
}

static void with_every_rule_it_stops_where_the_checker_says(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        struct replayed played = play(&ways[i], true);
        assert_int_equal(played.stopped, ways[i].named);
        assert_false(played.stale);
        assert_int_equal(played.unanswered, 0);
        assert_int_equal(played.lost, 0);
        assert_int_equal(played.broken_at, 0);
        check_replay_free(&played);
    }
}

/* What is under each step is what the step is about. */
static void the_lines_tell_each_step(void **state)
{
    (void)state;
    static const char *const said[] = {
        "operator  the rule fence is now off\n",
        "R0 -> S0  like likes:{p9} (slot 12067, as map version 1 says)\n",
        "S0 -> R0  OK, the counter is 1\n",
        "(the copy begun under step 2, with position 0 as its last)\n",
        "directory  commit: map version 2, slot 12067 from S0 to S1, epoch 2\n",
        "directory -> R0  here is the map, version 2\n",
        "R0 -> S1  read likes:{p9} (slot 12067, as map version 2 says)\n",
        "(came with the commit)\n",
        "R0 -> client a  OK\n",
    };
    struct replayed played = play(&ways[0], false);
    assert_int_equal(played.steps + 1, sizeof said / sizeof *said);
    for (uint32_t i = 0; i <= played.steps; i++) {
        if (!strstr(str_text(&played.lines[i]), said[i])) {
            fail_msg("under step %u: %s", (unsigned)i, str_text(&played.lines[i]));
        }
    }
    assert_true(str_starts(played.broken.text, "one-owner"));
    check_replay_free(&played);
}

static void what_a_world_cannot_play_is_an_error(void **state)
{
    (void)state;
    struct check_scope scope = {
        .rules = CHECK_RULES_ALL, .size = FLIP_2W1R_LOST, .judge = CHECK_OUTSIDE};
    struct check_options options = check_interactive();
    struct replayed played;
    struct err err = {{0}};
    uint32_t bit = 0;
    assert_true(check_replay_can(&model_fence_and_flip) && check_replay_can(&model_coalesce));
    assert_false(check_replay_can(&model_two_phase));
    assert_true(check_rule_by_name(&model_fence_and_flip, "fence", &bit));
    scope.rules &= ~bit;
    struct check_result result = check_search(&model_fence_and_flip, &scope, &options);
    assert_int_equal(result.verdict, CHECK_FAILS);
    assert_false(check_replay_play(&model_fence_and_flip, &scope, &result, 0, &played, &err));
    assert_string_equal(err.text, "a world plays a single move, without lost replies");
    check_replay_free(&played);
    check_result_free(&result);
    scope.rules = CHECK_RULES_ALL;
    scope.size = FLIP_SMALL;
    result = check_search(&model_fence_and_flip, &scope, &options);
    assert_int_equal(result.verdict, CHECK_HOLDS);
    assert_false(check_replay_play(&model_fence_and_flip, &scope, &result, 0, &played, &err));
    assert_string_equal(err.text,
                        "there is no way to a failure of fence-and-flip that a world could play");
    check_replay_free(&played);
    check_result_free(&result);
}

/* Rules left out together: the world follows, or says which step it cannot take. */
static void pairs_of_rules_are_followed_too(void **state)
{
    (void)state;
    unsigned followed = 0;
    size_t rules = check_rules(&model_fence_and_flip);
    for (size_t i = 0; i < rules * rules; i++) {
        struct check_options options = check_interactive();
        struct check_scope scope = {.rules = CHECK_RULES_ALL & ~(1u << i / rules | 1u << i % rules),
                                    .size = FLIP_SMALL,
                                    .judge = CHECK_OUTSIDE};
        struct check_result result = check_search(&model_fence_and_flip, &scope, &options);
        struct replayed played = {.steps = 0};
        struct err err = {{0}};
        if (result.verdict == CHECK_FAILS) {
            if (check_replay_play(&model_fence_and_flip, &scope, &result, 0, &played, &err)) {
                if (!played.agrees || !played.stale) {
                    fail_msg("without %s and %s: %s", model_fence_and_flip.rule[i / rules].name,
                             model_fence_and_flip.rule[i % rules].name, played.differs.text);
                }
                followed++;
            } else {
                assert_true(str_starts(err.text, "step "));
            }
            check_replay_free(&played);
        }
        check_result_free(&result);
    }
    print_message("    %u of %u pairs\n", followed, (unsigned)(rules * rules));
    assert_true(followed > rules * rules / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_way_fails_in_a_world),
        cmocka_unit_test(with_every_rule_it_stops_where_the_checker_says),
        cmocka_unit_test(the_lines_tell_each_step),
        cmocka_unit_test(what_a_world_cannot_play_is_an_error),
        cmocka_unit_test(pairs_of_rules_are_followed_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
