/*
 * Every way to a failure of dual writes and of a striped balance that the checker finds fails in a
 * world too, by the same promise, and with every rule in place the world stops where the checker
 * says, with nothing lost.
 */
#include "app/check/check_replay.h"
#include "check/dual_write.h"
#include "check/models.h"
#include "check/striped_balance.h"
#include "engine/world.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "scopes.h"

struct way {
    const struct check_model *model;
    enum rule without;
    uint8_t size;
    uint32_t steps, named;
    const char *failure;   /* what is seen in the world */
    const char *invariant; /* of the engine, that is broken too */
    uint32_t broken_at;
};

static const struct way ways[] = {
    {&model_dual_write, RULE_NEWER_ONLY, TWICE_SMALL, 6, 6,
     "S0 holds v5 of post:{p9} and S1 v4 of post:{p9}, and nothing is left that would mend it",
     "never-older", 6},
    {&model_dual_write, RULE_DUAL_BEFORE_BACKFILL, TWICE_SMALL, 5, 1,
     "S0 holds v5 of post:{p9} and S1 v4 of post:{p9}, and nothing is left that would mend it",
     "dual-alike", 4},
    {&model_dual_write, RULE_COMPARE_BEFORE_SWITCH, TWICE_SMALL, 3, 2,
     "S1 answered a read with nothing of post:{p9}, and v4 had been acknowledged", "reads-newest",
     2},
    {&model_dual_write, RULE_COMPARE_BEFORE_SWITCH, TWICE_LARGE, 3, 2,
     "S1 answered a read with nothing of post:{p9}, and v4 had been acknowledged", "reads-newest",
     2},
    {&model_dual_write, RULE_NEWER_ONLY, TWICE_LARGE, 6, 6,
     "S1 took an older version of post:{p9} over a newer one", "never-older", 6},
    {&model_dual_write, RULE_DUAL_BEFORE_BACKFILL, TWICE_LARGE, 7, 1,
     "S0 holds v5 of post:{p9} and S1 v4 of post:{p9}, and nothing is left that would mend it",
     "dual-alike", 6},
    {&model_dual_write, RULE_NEWER_ONLY, TWICE_ABSENT, 7, 7,
     "S1 took an older version of post:{p9} over a newer one", "never-older", 7},
    {&model_dual_write, RULE_NEWER_ONLY, TWICE_AT_ONCE, 5, 5,
     "S0 took an older version of post:{p9} over a newer one", "never-older", 5},
    {&model_striped_balance, RULE_DEBIT_MAIN_ONLY, STRIPED_SMALL, 4, 1,
     "all cells together hold -1, and clients were told OK: the floor is 0", "floor", 4},
    {&model_striped_balance, RULE_DEBIT_MAIN_ONLY, STRIPED_LARGE, 4, 1,
     "all cells together hold -1, and clients were told OK: the floor is 0", "floor", 4},
    {&model_striped_balance, RULE_SWEEP_ATOMIC, STRIPED_SMALL, 4, 3,
     "all cells and what is in transit hold 1, and 2 should be there", "money-kept", 4},
    {&model_striped_balance, RULE_SWEEP_ATOMIC, STRIPED_LARGE, 4, 3,
     "all cells and what is in transit hold 1, and 2 should be there", "money-kept", 4},
};

#define WAYS (sizeof ways / sizeof *ways)

static struct check_result find(const struct way *way, struct check_scope *scope)
{
    uint32_t rules = scope_without(way->model, way->without);
    *scope = (struct check_scope){.rules = rules, .size = way->size, .judge = CHECK_OUTSIDE};
    struct check_result result = scope_search(way->model, rules, way->size, CHECK_OUTSIDE, 1);
    assert_int_equal(result.verdict, CHECK_FAILS);
    assert_int_equal(result.depth, way->steps);
    struct check_parting part = check_part(way->model, scope, &result, CHECK_RULES_ALL);
    assert_int_equal(part.last.step, way->named);
    return result;
}

static struct replayed play(const struct way *way, unsigned how)
{
    struct check_scope scope;
    struct replayed played;
    struct err err = {{0}};
    struct check_result result = find(way, &scope);
    if (!check_replay_play(way->model, &scope, &result, how, &played, &err)) {
        fail_msg("%s without %s: %s", way->model->name, rule_name(way->without), err.text);
    }
    if (!played.agrees) {
        for (uint32_t i = 0; i < played.steps + 2; i++) {
            print_message("%u:\n%s", i, str_text(&played.lines[i]));
        }
        fail_msg("%s without %s: %s", way->model->name, rule_name(way->without),
                 played.differs.text);
    }
    assert_int_equal(played.steps, way->steps);
    check_result_free(&result);
    return played;
}

static void each_way_fails_in_a_world(void **state)
{
    (void)state;
    for (size_t i = 0; i < WAYS; i++) {
        struct replayed played = play(&ways[i], 0);
        assert_true(played.fails);
        assert_string_equal(played.failure, ways[i].failure);
        assert_int_equal(played.failed_at, ways[i].steps);
        assert_int_equal(played.stopped, 0);
        assert_int_equal(played.unanswered, 0);
        assert_true(str_starts(played.broken.text, ways[i].invariant));
        assert_int_equal(played.broken_at, ways[i].broken_at);
        check_replay_free(&played);
    }
}

static void with_every_rule_it_stops_where_the_checker_says(void **state)
{
    (void)state;
    for (size_t i = 0; i < WAYS; i++) {
        struct replayed played = play(&ways[i], REPLAY_EVERY_RULE);
        assert_int_equal(played.stopped, ways[i].named);
        assert_false(played.fails);
        assert_int_equal(played.unanswered, 0);
        assert_int_equal(played.lost, 0);
        assert_int_equal(played.broken_at, 0);
        check_replay_free(&played);
    }
}

static void every_rule_has_a_way(void **state)
{
    (void)state;
    static const struct check_model *const models[] = {&model_dual_write, &model_striped_balance};
    for (size_t m = 0; m < 2; m++) {
        for (size_t rule = 0; models[m]->rule[rule].name; rule++) {
            size_t i = 0;
            while (i < WAYS &&
                   strcmp(rule_name(ways[i].without), models[m]->rule[rule].name) != 0) {
                i++;
            }
            assert_true(i < WAYS && ways[i].model == models[m]);
        }
    }
}

/* What is under each step is what the step is about. */
static void assert_lines(const struct way *way, const char *const *said, size_t count)
{
    struct replayed played = play(way, 0);
    assert_int_equal(played.steps + 1, count);
    for (uint32_t i = 0; i <= played.steps; i++) {
        if (!strstr(str_text(&played.lines[i]), said[i])) {
            fail_msg("under step %u: %s", (unsigned)i, str_text(&played.lines[i]));
        }
    }
    check_replay_free(&played);
}

static const struct way *way_of(enum rule without, uint8_t size)
{
    size_t i = 0;
    while (i < WAYS && (ways[i].without != without || ways[i].size != size)) {
        i++;
    }
    assert_true(i < WAYS);
    return &ways[i];
}

static void the_lines_tell_each_step(void **state)
{
    (void)state;
    static const char *const race[] = {
        "operator  the rule newer-only is now off\n",
        "operator -> S1  each edit of slot 12067 is written to S1 too, second\n",
        "R0 -> S0  edit post:{p9} (slot 12067, as map version 1 says)\n",
        "R1 -> S0  edit post:{p9} (slot 12067, as map version 1 says)\n",
        "S0  stores post:{p9} v5 over v4\n",
        "S0  stores post:{p9} v6 over v5\n",
        "S1  stores post:{p9} v6, where there was nothing\n",
        "S1  stores post:{p9} v5 over the newer v6\n",
    };
    static const char *const sweep[] = {
        "operator  the rule sweep-atomic is now off\n",
        "R0  the credit goes to stripe 0 of 2: balance:{nova#0}\n",
        "R0  sweeper: take 1 off stripe 0\n",
        "R0  sweeper: begins anew, it was about to take 1 off stripe 0\n",
        "S0 -> R0  OK\n",
    };
    assert_lines(way_of(RULE_NEWER_ONLY, TWICE_ABSENT), race, sizeof race / sizeof *race);
    assert_lines(way_of(RULE_SWEEP_ATOMIC, STRIPED_SMALL), sweep, sizeof sweep / sizeof *sweep);
}

/* The film has the world before the schedule, after each step, and when all is over. */
static void a_film_is_kept(void **state)
{
    (void)state;
    const struct way *way = way_of(RULE_NEWER_ONLY, TWICE_SMALL);
    struct replayed played = play(way, REPLAY_FILM);
    for (uint32_t i = 1; i < played.steps + 2; i++) {
        assert_true(world_now(played.film[i]) > world_now(played.film[i - 1]));
    }
    check_replay_free(&played);
}

static void what_a_world_cannot_play_is_an_error(void **state)
{
    (void)state;
    struct check_scope scope = {.rules = scope_without(&model_striped_balance, RULE_SWEEP_ATOMIC),
                                .size = STRIPED_TWICE};
    struct check_result result =
        scope_search(&model_striped_balance, scope.rules, scope.size, CHECK_OUTSIDE, 1);
    struct replayed played;
    struct err err = {{0}};
    assert_true(check_replay_can(&model_dual_write) && check_replay_can(&model_striped_balance));
    assert_int_equal(result.verdict, CHECK_FAILS);
    assert_false(check_replay_play(&model_striped_balance, &scope, &result, 0, &played, &err));
    assert_string_equal(err.text, "step 3 cannot be played: a world has no way to arrange for it");
    check_replay_free(&played);
    check_result_free(&result);
}

/* Rules left out together: the world follows, or says which step it cannot take. */
static unsigned follow(const struct check_model *model, uint32_t less, uint8_t size)
{
    struct check_scope scope = {
        .rules = CHECK_RULES_ALL & ~less, .size = size, .judge = CHECK_OUTSIDE};
    struct check_result result = scope_search(model, scope.rules, size, CHECK_OUTSIDE, 1);
    struct replayed played = {.steps = 0};
    struct err err = {{0}};
    assert_int_equal(result.verdict, CHECK_FAILS);
    bool can = check_replay_play(model, &scope, &result, 0, &played, &err);
    if (can && (!played.agrees || !played.fails)) {
        fail_msg("%s without %x, scope %u: %s", model->name, (unsigned)less, (unsigned)size,
                 played.agrees ? "nothing is seen to fail" : played.differs.text);
    }
    assert_true(can || str_starts(err.text, "step "));
    check_replay_free(&played);
    check_result_free(&result);
    return can;
}

static void rules_left_out_together_are_followed_too(void **state)
{
    (void)state;
    unsigned followed = 0;
    for (uint32_t less = 1; less < 8; less++) {
        for (uint8_t size = 0; size < TWICE_SIZES; size++) {
            followed += follow(&model_dual_write, less, size);
        }
    }
    assert_int_equal(followed, 7 * TWICE_SIZES);
    followed = follow(&model_striped_balance, 3, STRIPED_SMALL) +
               follow(&model_striped_balance, 3, STRIPED_LARGE);
    assert_int_equal(followed, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_way_fails_in_a_world),
        cmocka_unit_test(with_every_rule_it_stops_where_the_checker_says),
        cmocka_unit_test(every_rule_has_a_way),
        cmocka_unit_test(the_lines_tell_each_step),
        cmocka_unit_test(a_film_is_kept),
        cmocka_unit_test(what_a_world_cannot_play_is_an_error),
        cmocka_unit_test(rules_left_out_together_are_followed_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
