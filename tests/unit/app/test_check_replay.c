/*
 * Every way to a failure that the checker finds fails in a world too, by the same promise, and with
 * every rule in place the world stops where the checker says, nothing lost.
 */
#include "app/check/check_replay.h"
#include "check/ask.h"
#include "check/fence_and_flip.h"
#include "check/micro_cache.h"
#include "check/models.h"
#include "check/preagg.h"
#include "engine/invariant.h"
#include "engine/world.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define SMALL UINT8_MAX /* the model's own small scope */

/* How the world says that the promise is broken. */
#define STALE "a read returned 0, though 1 had been acknowledged before it was asked"
#define PARTIAL "a read returned 1, though 2 had been acknowledged before it was asked"
#define LOST "1 like of which a client was told OK is at neither shard"
#define CIRCLE "a request was told ASK a second time: it goes in a circle"
#define TWICE "the count shows 2, and only 1 like came"
#define FELL "the count showed 2, and shows 1 now"
#define TURNED_AWAY                                                                                \
    "the sub-key turned the router's likes away as not newer, and holds none of them"
#define FORGOTTEN "of 1 like that clients were told OK for, 1 is nowhere"
#define TOO_OLD                                                                                    \
    "a read was served version 0, which had been replaced for 2.004 s; the stale bound is 2 s"
#define OWN_EDIT                                                                                   \
    "a read returned version 0, though its router had acknowledged version 1 before it was asked"

struct way {
    const struct check_model *model;
    const char *without[2];
    uint32_t steps, stops; /* stops: with every rule it is not taken, or otherwise */
    uint8_t size;
    uint8_t unanswered;    /* requests that never end well without the rules */
    const char *failure;   /* in the world, at the last step */
    const char *invariant; /* of the engine, that is broken too; NULL: none is */
};

/* A row for each rule that a model misses when it is left out. */
static const struct way ways[] = {
    {&model_fence_and_flip, {"fence"}, 8, 4, SMALL, 0, STALE, "one-owner"},
    {&model_fence_and_flip, {"fence-covers-reads"}, 10, 10, SMALL, 0, STALE, "one-server"},
    {&model_fence_and_flip, {"drain-to-fence"}, 9, 5, SMALL, 0, STALE, "nothing-lost"},
    {&model_fence_and_flip, {"target-waits-for-commit"}, 6, 6, SMALL, 0, STALE, "one-server"},
    {&model_fence_and_flip,
     {"snapshot-position", "compare-before-fence"},
     10,
     6,
     SMALL,
     0,
     STALE,
     "nothing-lost"},
    {&model_fence_and_flip, {"check-and-append"}, 11, 3, SMALL, 0, STALE, "fence-is-last"},
    {&model_fence_and_flip, {"durable-fence"}, 11, 5, SMALL, 0, STALE, "fence-is-last"},
    {&model_fence_and_flip, {"abort-before-commit"}, 11, 10, SMALL, 0, STALE, "nothing-lost"},
    {&model_fence_and_flip, {"slot-table-check"}, 6, 6, SMALL, 0, STALE, "read-all-acked"},
    {&model_fence_and_flip,
     {"slot-table-check"},
     11,
     8,
     FLIP_2W1R_OLD_OWNER,
     0,
     STALE,
     "nothing-lost"},
    {&model_coalesce, {"join-before-write"}, 7, 6, SMALL, 0, STALE, "after-write"},
    {&model_coalesce, {"one-router-a-key"}, 7, 2, SMALL, 0, STALE, NULL},
    {&model_ask, {"ask-for-missing-key"}, 3, 3, SMALL, 0, STALE, NULL},
    {&model_ask, {"asking-needed"}, 3, 3, SMALL, 0, STALE, NULL},
    {&model_ask, {"atomic-key-move"}, 4, 2, SMALL, 0, LOST, "one-side"},
    {&model_ask, {"ask-keeps-map"}, 5, 3, SMALL, 1, CIRCLE, "maps-by-directory"},
    {&model_ask, {"try-again-on-split"}, 3, 3, SMALL, 0, PARTIAL, "whole-answers"},
    {&model_ask, {"close-when-empty"}, 4, 3, SMALL, 0, STALE, "closed-empty"},
    {&model_ask, {"close-when-empty"}, 5, 2, KEYWISE_QUIET, 0, STALE, "closed-empty"},
    {&model_preagg, {"absolute-flush"}, 4, 4, SMALL, 0, TWICE, "flush-order"},
    {&model_preagg, {"flush-sequence"}, 6, 6, SMALL, 0, FELL, "conservation"},
    {&model_preagg, {"claim-on-restart"}, 5, 3, SMALL, 0, TWICE, "flush-order"},
    {&model_preagg, {"claim-on-restart"}, 7, 3, PREAGG_ONLY_RESTART, 0, TURNED_AWAY, NULL},
    {&model_preagg, {"durable-before-ack"}, 2, 1, SMALL, 0, FORGOTTEN, "durable-first"},
    {&model_preagg, {"recount-at-flushed"}, 4, 3, SMALL, 0, TWICE, "no-overshoot"},
    {&model_micro_cache, {"bounded-age"}, 8, 8, SMALL, 0, TOO_OLD, "bounded-age"},
    {&model_micro_cache, {"age-from-read"}, 8, 8, SMALL, 0, TOO_OLD, "bounded-age"},
    {&model_micro_cache, {"drop-on-edit"}, 7, 7, SMALL, 0, OWN_EDIT, "after-write"},
    {&model_micro_cache, {"drop-on-edit"}, 7, 7, CACHE_NO_CLOCK, 0, OWN_EDIT, "after-write"},
    {&model_micro_cache, {"fill-not-across-edit"}, 7, 6, SMALL, 0, OWN_EDIT, "after-write"},
};

static struct check_result find(const struct way *way, struct check_scope *scope)
{
    struct check_options options = check_interactive();
    *scope = (struct check_scope){
        .rules = CHECK_RULES_ALL, .size = way->model->size_small, .judge = CHECK_OUTSIDE};
    scope->size = way->size != SMALL ? way->size : scope->size;
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

static struct replayed play(const struct way *way, unsigned how)
{
    struct check_scope scope;
    struct replayed played;
    struct err err = {{0}};
    struct check_result result = find(way, &scope);
    struct check_parting part = check_part(way->model, &scope, &result, CHECK_RULES_ALL);
    assert_int_equal(part.last.step, way->stops);
    if (!check_replay_play(way->model, &scope, &result, how, &played, &err)) {
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
        const struct way *way = &ways[i];
        struct replayed played = play(way, 0);
        assert_true(played.fails);
        assert_string_equal(played.failure, way->failure);
        assert_int_equal(played.failed_at, way->steps);
        assert_int_equal(played.stopped, 0);
        assert_int_equal(played.unanswered, way->unanswered);
        bool stale = strcmp(way->failure, STALE) == 0 || strcmp(way->failure, PARTIAL) == 0 ||
                     strcmp(way->failure, OWN_EDIT) == 0;
        assert_int_equal(played.stale, stale);
        if (stale) {
            assert_in_range(played.reads, 1, way->steps);
            assert_true(played.returned < played.due);
        }
        if (way->invariant) {
            assert_in_range(played.broken_at, 1, played.steps);
            if (!str_starts(played.broken.text, way->invariant)) {
                fail_msg("without %s: %s", way->without[0], played.broken.text);
            }
        } else {
            assert_int_equal(played.broken_at, 0);
        }
        check_replay_free(&played);
    }
}

static void with_every_rule_it_stops_where_the_checker_says(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        struct replayed played = play(&ways[i], REPLAY_EVERY_RULE);
        assert_int_equal(played.stopped, ways[i].stops);
        assert_false(played.fails);
        assert_false(played.stale);
        assert_int_equal(played.unanswered, 0);
        assert_int_equal(played.lost, 0);
        assert_int_equal(played.broken_at, 0);
        check_replay_free(&played);
    }
}

/* No rule is left out of the table, but for those that nobody misses alone. */
static void every_rule_that_shows_has_a_row(void **state)
{
    (void)state;
    static const struct check_model *const models[] = {
        &model_fence_and_flip, &model_coalesce, &model_ask, &model_preagg, &model_micro_cache};
    for (size_t m = 0; m < sizeof models / sizeof *models; m++) {
        for (size_t rule = 0; models[m]->rule[rule].name; rule++) {
            bool found = false;
            for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
                for (size_t w = 0; w < 2 && ways[i].without[w]; w++) {
                    found |= ways[i].model == models[m] &&
                             strcmp(ways[i].without[w], models[m]->rule[rule].name) == 0;
                }
            }
            if (!found) {
                fail_msg("no way without %s", models[m]->rule[rule].name);
            }
        }
    }
}

/* Lines that begin with a time: what a world has recorded. Others are notes. */
static uint64_t count_records(const struct str *lines)
{
    uint64_t count = 0;
    bool begins = true;
    for (const char *at = str_text(lines); *at; at++) {
        count += begins && *at >= '0' && *at <= '9';
        begins = *at == '\n';
    }
    return count;
}

/* One world more for each step, and one when all is over; what is under a step is what has been
 * recorded since the world before. */
static void a_film_has_a_world_for_each_step(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        struct replayed played = play(&ways[i], REPLAY_FILM);
        for (uint32_t at = 1; at < played.steps + 2; at++) {
            const struct world *before = played.film[at - 1];
            const struct world *now = played.film[at];
            struct err broken = {{0}};
            assert_true(world_now(now) > world_now(before));
            assert_int_equal(trace_next(now) - trace_next(before),
                             count_records(&played.lines[at]));
            if (played.broken_at == 0 || at < played.broken_at) {
                assert_true(invariant_hold(now, &broken));
            } else if (at == played.broken_at) {
                assert_false(invariant_hold(now, &broken));
                assert_string_equal(broken.text, played.broken.text);
            }
        }
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
    struct replayed played = play(&ways[0], 0);
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
    assert_true(check_replay_can(&model_commit) && check_replay_can(&model_saga));
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

/* Judged by somebody who sees all nodes, it is an invariant of the engine that says it. */
static void what_no_client_notices_shows_too(void **state)
{
    (void)state;
    static const struct {
        const struct check_model *model;
        const char *rule, *failure;
        uint32_t steps;
    } each[] = {
        {&model_ask, "close-when-empty", "closed-empty: S1 claimed slot 12067", 1},
        {&model_ask, "atomic-key-move", "one-side: likes:{p9}#0 of slot 12067", 1},
        {&model_ask, "ask-keeps-map", "maps-by-directory: ", 3},
        {&model_fence_and_flip, "target-waits-for-commit", "one-server: S0 and S1", 1},
        {&model_fence_and_flip, "durable-fence", "fence-is-last: S0 has appended", 5},
    };
    for (size_t i = 0; i < sizeof each / sizeof *each; i++) {
        struct check_options options = check_interactive();
        struct check_scope scope = {.size = each[i].model->size_small, .judge = CHECK_INSIDE};
        struct replayed played;
        struct err err = {{0}};
        uint32_t bit = 0;
        assert_true(check_rule_by_name(each[i].model, each[i].rule, &bit));
        scope.rules = CHECK_RULES_ALL & ~bit;
        struct check_result result = check_search(each[i].model, &scope, &options);
        assert_int_equal(result.verdict, CHECK_FAILS);
        assert_int_equal(result.depth, each[i].steps);
        assert_true(check_replay_play(each[i].model, &scope, &result, 0, &played, &err));
        assert_true(played.agrees && played.fails);
        assert_int_equal(played.failed_at, each[i].steps);
        assert_true(str_starts(played.failure, each[i].failure));
        check_replay_free(&played);
        check_result_free(&result);
    }
}

/* Two rules less; whether the world plays what comes of it. */
static bool play_pair(const struct check_model *model, size_t one, size_t other)
{
    struct check_options options = check_interactive();
    struct check_scope scope = {.rules = CHECK_RULES_ALL & ~(1u << one | 1u << other),
                                .size = model->size_small,
                                .judge = CHECK_OUTSIDE};
    struct check_result result = check_search(model, &scope, &options);
    struct replayed played = {.steps = 0};
    struct err err = {{0}};
    bool follows = false;
    if (result.verdict == CHECK_FAILS) {
        follows = check_replay_play(model, &scope, &result, 0, &played, &err);
        if (follows && (!played.agrees || !played.fails || played.failed_at != result.depth)) {
            fail_msg("without %s and %s: %s; %s", model->rule[one].name, model->rule[other].name,
                     played.differs.text, played.failure);
        }
        if (!follows && !str_starts(err.text, "step ")) {
            fail_msg("%s", err.text);
        }
        check_replay_free(&played);
    }
    check_result_free(&result);
    return follows;
}

/* Rules left out together: the world follows, or says which step it cannot take. */
static void pairs_of_rules_are_followed_too(void **state)
{
    (void)state;
    static const struct {
        const struct check_model *model;
        unsigned least; /* of 100 pairs */
    } each[] = {{&model_fence_and_flip, 50},
                {&model_ask, 100},
                {&model_preagg, 100},
                {&model_micro_cache, 100}};
    for (size_t m = 0; m < sizeof each / sizeof *each; m++) {
        unsigned rules = (unsigned)check_rules(each[m].model);
        unsigned followed = 0;
        for (unsigned i = 0; i < rules * rules; i++) {
            followed += play_pair(each[m].model, i / rules, i % rules);
        }
        print_message("    %s: %u of %u pairs\n", each[m].model->name, followed, rules * rules);
        assert_in_range(followed * 100, each[m].least * rules * rules, 100 * rules * rules);
    }
}

/* What each step is about in the worlds of the others. */
static void the_lines_of_other_models_tell_each_step(void **state)
{
    (void)state;
    static const struct {
        const char *rule;
        const char *said[9]; /* from before the schedule to when all is over; NULL: not looked at */
    } each[] = {
        {"ask-keeps-map",
         {"operator -> S1  slot 12067 is to go to S1 key by key; none goes yet\n",
          "R0 -> S0  like likes:{p9}#0 (slot 12067, as map version 1 says)\n",
          "S0 -> S1  likes:{p9}#0 goes over; keys of slot 12067 left here: 1\n",
          "takes ASK for MOVED: believes that slot 12067 is S1's\n",
          "S1 -> R0  MOVED: slot 12067 is not in service", "takes ASK for MOVED", NULL}},
        {"atomic-key-move",
         {"operator -> S1  slot 12067 is to go", "R0 -> S0  like likes:{p9}#0",
          "likes:{p9}#0 is copied, and not yet taken away here\n", "S0 -> R0  OK",
          "likes:{p9}#0 is taken away here, at 2; the copy says 1\n", NULL}},
        {"absolute-flush",
         {"are summed", "adds it to its sum", "flushes 1 like to likes:{p9}:r0", "S0 -> R0  OK",
          "S0 -> R0  OK", NULL}},
        {"drop-on-edit",
         {"reads of post:{p9}", "it begins a fetch and waits", "R0 -> S0  edit post:{p9}",
          "S0 -> R0  OK", "the edit is stored", "kept; 1 waited for it",
          "R0 -> client a  OK, the edit is stored", "from its cache", NULL}},
    };
    for (size_t i = 0; i < sizeof each / sizeof *each; i++) {
        for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
            if (strcmp(ways[w].without[0], each[i].rule) != 0 || ways[w].size != SMALL) {
                continue;
            }
            struct replayed played = play(&ways[w], 0);
            for (uint32_t at = 0; at < played.steps + 2; at++) {
                const char *said = each[i].said[at];
                if (said && !strstr(str_text(&played.lines[at]), said)) {
                    fail_msg("without %s, under %u: %s", each[i].rule, (unsigned)at,
                             str_text(&played.lines[at]));
                }
            }
            check_replay_free(&played);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_way_fails_in_a_world),
        cmocka_unit_test(with_every_rule_it_stops_where_the_checker_says),
        cmocka_unit_test(every_rule_that_shows_has_a_row),
        cmocka_unit_test(a_film_has_a_world_for_each_step),
        cmocka_unit_test(the_lines_tell_each_step),
        cmocka_unit_test(what_a_world_cannot_play_is_an_error),
        cmocka_unit_test(what_no_client_notices_shows_too),
        cmocka_unit_test(pairs_of_rules_are_followed_too),
        cmocka_unit_test(the_lines_of_other_models_tell_each_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
