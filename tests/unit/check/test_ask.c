/*
 * A slot that moves key by key holds with all its rules in the large scope, and fails in the small
 * one without any of them, by the shortest way.
 */
#include "check/ask.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "sanitized.h"
#include "scopes.h"

/* Depths are numbers of steps; `refused` is the step that the rule would have refused, from 1. */
static const struct {
    enum rule rule;
    uint32_t outside, refused; /* what clients notice, in the small scope */
    enum keywise_promise broken;
    uint32_t inside; /* what only somebody who sees all nodes can say */
    enum keywise_promise broken_inside;
    uint32_t large; /* outside, in the large scope */
} failing[] = {
    {RULE_ASK_FOR_MISSING, 3, 3, KEYWISE_MISSING, 3, KEYWISE_TWO_SIDES, 3},
    {RULE_ASKING_NEEDED, 3, 3, KEYWISE_MISSING, 3, KEYWISE_TWO_SIDES, 3},
    {RULE_ATOMIC_KEY_MOVE, 4, 2, KEYWISE_LOST, 1, KEYWISE_TWO_SIDES, 4},
    {RULE_ASK_KEEPS_MAP, 5, 3, KEYWISE_CIRCLE, 3, KEYWISE_MAP_CHANGED, 4},
    {RULE_TRY_AGAIN_ON_SPLIT, 3, 3, KEYWISE_PARTIAL, 0, KEYWISE_PARTIAL, 3},
    {RULE_CLOSE_WHEN_EMPTY, 4, 3, KEYWISE_MISSING, 1, KEYWISE_LEFT_BEHIND, 4},
};

#define RULES (sizeof failing / sizeof failing[0])

static struct check_result search(uint32_t rules, enum keywise_size size, enum check_judge judge,
                                  unsigned threads)
{
    return scope_search(&model_ask, rules, size, judge, threads);
}

static uint32_t without(enum rule rule)
{
    return scope_without(&model_ask, rule);
}

static void test_rules_are_those_of_the_protocol(void **state)
{
    (void)state;
    assert_int_equal(check_rules(&model_ask), RULES);
    for (size_t i = 0; i < RULES; i++) {
        scope_rule_is(&model_ask, i, failing[i].rule);
    }
}

static void test_every_scope_holds_within_the_bounds(void **state)
{
    (void)state;
    static const struct {
        uint64_t states;
        uint32_t depth;
    } known[KEYWISE_SIZES] = {
        [KEYWISE_SMALL] = {1028, 9},
        [KEYWISE_LARGE] = {265264, 16},
        [KEYWISE_QUIET] = {381, 8},
    };
    for (unsigned size = 0; size < KEYWISE_SIZES; size++) {
        if (SANITIZED && size == KEYWISE_LARGE) { /* the same search, ten times slower */
            continue;
        }
        for (unsigned threads = 1; threads <= 2; threads++) {
            struct check_result r =
                search(CHECK_RULES_ALL, (enum keywise_size)size, CHECK_BOTH, threads);
            assert_int_equal(r.verdict, CHECK_HOLDS);
            assert_int_equal(r.dead, 0);
            assert_int_equal(r.states, known[size].states);
            assert_int_equal(r.depth, known[size].depth);
            assert_in_range(r.bytes, 1, (uint64_t)64 << 20);
        }
    }
    const struct keywise_world *small =
        keywise_world_of(&(struct check_scope){.size = KEYWISE_SMALL});
    const struct keywise_world *large =
        keywise_world_of(&(struct check_scope){.size = KEYWISE_LARGE});
    assert_true(large->keys > small->keys && large->writes > small->writes);
    assert_true(large->reads > small->reads && large->crashes > small->crashes);
    assert_true(large->fresh > small->fresh && large->early >= small->early);
}

/* How many steps there are up to the one that every rule refuses, that one counted. */
static uint32_t refused_at(const struct check_result *r, enum keywise_size size)
{
    unsigned char last[CHECK_STATE_MAX];
    struct check_scope scope = {.rules = CHECK_RULES_ALL, .size = (uint8_t)size};
    size_t taken = check_replay(&model_ask, &scope, r->start, r->action, r->depth, last);
    return (uint32_t)taken + 1;
}

static void test_each_rule_left_out_shows_to_clients(void **state)
{
    (void)state;
    for (size_t i = 0; i < RULES; i++) {
        struct check_result r = search(without(failing[i].rule), KEYWISE_SMALL, CHECK_OUTSIDE, 1);
        assert_int_equal(r.verdict, CHECK_FAILS);
        assert_int_equal(r.depth, failing[i].outside);
        assert_int_equal(r.broken, failing[i].broken);
        assert_int_equal(refused_at(&r, KEYWISE_SMALL), failing[i].refused);
        assert_in_range(r.bytes, 1, (uint64_t)64 << 20);
        check_result_free(&r);
        r = search(without(failing[i].rule), KEYWISE_LARGE, CHECK_OUTSIDE, 1);
        assert_int_equal(r.verdict, CHECK_FAILS);
        assert_int_equal(r.depth, failing[i].large);
        assert_int_equal(r.broken, failing[i].broken);
        check_result_free(&r);
    }
}

/* An answer in part is nothing that nodes could show: nobody holds anything wrong. */
static void test_and_to_whoever_sees_all_nodes(void **state)
{
    (void)state;
    for (size_t i = 0; i < RULES; i++) {
        struct check_result r = search(without(failing[i].rule), KEYWISE_SMALL, CHECK_INSIDE, 1);
        if (failing[i].inside == 0) {
            assert_int_equal(r.verdict, CHECK_HOLDS);
            continue;
        }
        assert_int_equal(r.verdict, CHECK_FAILS);
        assert_int_equal(r.depth, failing[i].inside);
        assert_int_equal(r.broken, failing[i].broken_inside);
        check_result_free(&r);
    }
}

/* The slot must not be closed too early, whether or not a map comes too early; ASKING is for those
 * whose map does. */
static void test_what_needs_a_map_that_comes_too_early(void **state)
{
    (void)state;
    struct check_result r = search(without(RULE_CLOSE_WHEN_EMPTY), KEYWISE_QUIET, CHECK_OUTSIDE, 1);
    assert_int_equal(r.verdict, CHECK_FAILS);
    assert_int_equal(r.depth, 5);
    assert_int_equal(r.broken, KEYWISE_MISSING);
    assert_int_equal(refused_at(&r, KEYWISE_QUIET), 2);
    check_result_free(&r);
    assert_string_equal(model_ask.apart[0].rule, rule_name(RULE_CLOSE_WHEN_EMPTY));
    assert_int_equal(model_ask.apart[0].size, KEYWISE_QUIET);
    assert_null(model_ask.apart[1].rule);
    r = search(without(RULE_ASKING_NEEDED), KEYWISE_QUIET, CHECK_BOTH, 1);
    assert_int_equal(r.verdict, CHECK_HOLDS);
}

/* Two mistakes are never harder to see than one. */
static void test_two_rules_less_fail_as_early_as_one(void **state)
{
    (void)state;
    for (size_t i = 0; i < RULES; i++) {
        for (size_t j = 0; j < i; j++) {
            uint32_t rules = without(failing[i].rule) & without(failing[j].rule);
            uint32_t most =
                failing[i].outside < failing[j].outside ? failing[i].outside : failing[j].outside;
            struct check_result r = search(rules, KEYWISE_SMALL, CHECK_OUTSIDE, 1);
            assert_int_equal(r.verdict, CHECK_FAILS);
            assert_in_range(r.depth, 1, most);
            check_result_free(&r);
        }
    }
}

/* Names that are changed for each other make states fewer, and no way shorter or longer. */
static void test_interchangeable_names_change_nothing(void **state)
{
    (void)state;
    struct check_model plain = model_ask;
    struct check_options options = check_interactive();
    plain.canon = NULL;
    for (size_t i = 0; i <= RULES; i++) {
        uint32_t rules = i < RULES ? without(failing[i].rule) : CHECK_RULES_ALL;
        struct check_scope scope = {.rules = rules, .size = KEYWISE_SMALL, .judge = CHECK_OUTSIDE};
        struct check_result all = check_search(&plain, &scope, &options);
        struct check_result few = check_search(&model_ask, &scope, &options);
        assert_int_equal(all.verdict, few.verdict);
        assert_int_equal(all.depth, few.depth);
        assert_int_equal(all.broken, few.broken);
        assert_true(few.states < all.states);
        check_result_free(&all);
        check_result_free(&few);
    }
}

/* Each of the eight ways to name a state's routers, writes and reads leads to the same one. */
static void test_a_state_has_one_name(void **state)
{
    (void)state;
    struct check_scope scope = {.rules = CHECK_RULES_ALL, .size = KEYWISE_LARGE};
    struct keywise one = {
        .ask = ask_begin(),
        .has = {0x0A, 0x01}, /* k2 and w1 are at A, k1 is at B */
        .router = {KEYWISE_TOO_EARLY, KEYWISE_SAYS_A},
        .op = {{.stage = KEYWISE_DONE, .key = 1},
               {.stage = KEYWISE_IDLE},
               {.stage = KEYWISE_SENT, .key = 1, .router = 0, .at = 1, .need = 0x0A},
               {.stage = KEYWISE_DONE}},
    };
    struct keywise other = one;
    other.has[0] = 0x12; /* w2 instead of w1 */
    other.router[0] = KEYWISE_SAYS_A;
    other.router[1] = KEYWISE_TOO_EARLY;
    other.op[0] = one.op[1];
    other.op[1] = one.op[0];
    other.op[2] = one.op[3];
    other.op[3] =
        (struct keywise_op){.stage = KEYWISE_SENT, .key = 1, .router = 1, .at = 1, .need = 0x12};
    assert_memory_not_equal(&one, &other, sizeof one);
    model_ask.canon(&scope, &one);
    model_ask.canon(&scope, &other);
    assert_memory_equal(&one, &other, sizeof one);
    struct keywise again = one;
    model_ask.canon(&scope, &again);
    assert_memory_equal(&one, &again, sizeof one);
}

static void test_every_run_gives_the_same_bytes(void **state)
{
    (void)state;
    for (size_t i = 0; i < RULES; i++) {
        struct check_result first =
            search(without(failing[i].rule), KEYWISE_SMALL, CHECK_OUTSIDE, 1);
        for (unsigned run = 0; run < 20; run++) {
            struct check_result r =
                search(without(failing[i].rule), KEYWISE_SMALL, CHECK_OUTSIDE, 1 + run % 2);
            assert_int_equal(r.depth, first.depth);
            assert_memory_equal(r.action, first.action, first.depth * sizeof *first.action);
            check_result_free(&r);
        }
        check_result_free(&first);
    }
}

/* --- in words --------------------------------------------------------------------------------- */

static void assert_told(uint32_t rules, enum keywise_size size, const char *const *expected,
                        uint32_t steps)
{
    struct check_scope scope = {.rules = rules, .size = (uint8_t)size, .judge = CHECK_OUTSIDE};
    struct check_result r = search(rules, size, CHECK_OUTSIDE, 1);
    assert_int_equal(r.depth, steps);
    for (uint32_t i = 0; i < r.depth; i++) {
        char line[300];
        unsigned char now[CHECK_STATE_MAX];
        struct check_told told = {.actor = ""};
        check_replay(&model_ask, &scope, r.start, r.action, i, now);
        model_ask.tell(&scope, now, r.action[i], &told);
        (void)snprintf(line, sizeof line, "%s %s: %s", told.actor, told.action, told.detail);
        assert_string_equal(line, expected[i]);
    }
    check_result_free(&r);
}

static void test_the_copy_and_the_drop_in_words(void **state)
{
    (void)state;
    static const char *const expected[] = {
        "a client asks R0 to write k1: w1: R0's map says that A owns the slot: w1 goes there.",
        "the mover copies k1 to B: It is at B and at A as well, until A's copy is thrown away: a "
        "step of its own.",
        "shard A accepts w1: Its slot table says \"leaving\", and k1 is still here. w1 is applied "
        "to k1, and the client is told OK.",
        "the mover throws A's copy of k1 away: With it goes w1, which B's copy lacks.",
    };
    assert_told(without(RULE_ATOMIC_KEY_MOVE), KEYWISE_SMALL, expected, 4);
}

static void test_the_circle_in_words(void **state)
{
    (void)state;
    static const char *const expected[] = {
        "a client asks R0 to write k1: w1: R0's map says that A owns the slot: w1 goes there.",
        "the mover hands k1 over to B: In one step it is at B and no longer at A. Of the slot A "
        "holds k2 now.",
        "shard A answers w1 with ASK: k1 is not here. The router takes that for MOVED: its map "
        "says B from now on, and w1 goes there without ASKING.",
        "shard B answers w1 with MOVED: Its slot table says \"arriving\", and w1 does not say "
        "ASKING. The router fetches the map, and sends w1 to A.",
        "shard A answers w1 with ASK: k1 is not here. The router takes that for MOVED: its map "
        "says B from now on, and w1 goes there without ASKING. It is told so the second time: it "
        "goes in a circle.",
    };
    assert_told(without(RULE_ASK_KEEPS_MAP), KEYWISE_SMALL, expected, 5);
}

static void test_the_slot_that_is_closed_too_early_in_words(void **state)
{
    (void)state;
    static const char *const expected[] = {
        "a client asks R0 to read k1: r1: R0's map says that A owns the slot: r1 goes there. It "
        "must return k1.",
        "shard B claims the slot: A still holds k1 and k2. B's slot table says \"owned\", with a "
        "higher epoch; the directory does not know yet.",
        "the directory hears of the claim: Its map says B. A is told, and its slot table says "
        "\"moved\" from now on.",
        "shard A answers r1 with MOVED: Its slot table says \"moved\". The router fetches the map, "
        "and sends r1 to B.",
        "shard B answers r1: Its slot table says \"owned\". The client is told that there is no "
        "such key. A has it.",
    };
    assert_told(without(RULE_CLOSE_WHEN_EMPTY), KEYWISE_QUIET, expected, 5);
}

/* --- every state of a scope ------------------------------------------------------------------- */

static struct seen {
    unsigned steps;         /* a bit for each kind that was told */
    unsigned situations[2]; /* states in which ... */
} seen;

/* Beside the model's own, which its smallest scope reaches: with a key that is not there at first.
 */
enum situation {
    NEW_KEY_AT_B,
    UNDONE_WHILE_ASKED /* sent to B by ASK, and the move is dropped meanwhile */
};

static void search_with(int (*check)(const struct check_scope *, const void *), uint32_t rules,
                        enum keywise_size size)
{
    struct check_model model = model_ask;
    struct check_scope scope = {.rules = rules, .size = (uint8_t)size};
    struct check_options options = check_interactive();
    model.check = check;
    options.live = false;
    struct check_result r = check_search(&model, &scope, &options);
    assert_int_not_equal(r.verdict, CHECK_CUT);
    check_result_free(&r);
}

/* No text is cut, none is missing. */
static int tell_all(const struct check_scope *scope, const void *now)
{
    unsigned char states[CHECK_STEPS_MAX * sizeof(struct keywise)];
    uint16_t actions[CHECK_STEPS_MAX];
    struct check_out out = {.state = states,
                            .action = actions,
                            .state_size = sizeof(struct keywise),
                            .room = CHECK_STEPS_MAX};
    model_ask.next(scope, now, &out);
    for (size_t i = 0; i < out.count; i++) {
        struct check_told told = {.actor = ""};
        struct keywise_action a = keywise_action_of(out.action[i]);
        assert_int_equal(keywise_number_of(a), out.action[i]);
        model_ask.tell(scope, now, out.action[i], &told);
        assert_in_range(strlen(told.actor), 2, sizeof told.actor - 2);
        assert_in_range(strlen(told.action), 2, sizeof told.action - 2);
        assert_in_range(strlen(told.detail), 2, sizeof told.detail - 2);
        assert_in_range(model_ask.actor(out.action[i]), 0, CHECK_ACTORS_MAX - 1);
        assert_int_equal(model_ask.fault(out.action[i]), a.step >= KEYWISE_EARLY);
        seen.steps |= 1u << a.step;
    }
    return 0;
}

static void test_every_step_is_taken_somewhere_and_told(void **state)
{
    (void)state;
    seen = (struct seen){0};
    search_with(tell_all, CHECK_RULES_ALL, KEYWISE_LARGE);
    assert_int_equal(seen.steps, ((1u << KEYWISE_STEPS) - 1) &
                                     ~(1u << KEYWISE_ASK_AS_MOVED | 1u << KEYWISE_COPY |
                                       1u << KEYWISE_DROP | 1u << KEYWISE_CLAIM_FULL));
    for (size_t i = 0; i < RULES; i++) {
        search_with(tell_all, without(failing[i].rule), KEYWISE_SMALL);
    }
    assert_int_equal(seen.steps, (1u << KEYWISE_STEPS) - 1);
}

static int note_situations(const struct check_scope *scope, const void *state)
{
    const struct keywise *now = state;
    const struct keywise_world *world = keywise_world_of(scope);
    unsigned fresh = 1u << (world->keys - 1);
    unsigned at[2];
    for (unsigned shard = 0; shard < 2; shard++) {
        at[shard] = keywise_keys(world, now, now->has[shard]);
    }
    seen.situations[NEW_KEY_AT_B] += (at[1] & fresh) != 0 && at[0] != 0;
    for (unsigned i = 0; i < keywise_ops(world); i++) {
        bool asked = now->op[i].stage == KEYWISE_SENT && now->op[i].asking;
        seen.situations[UNDONE_WHILE_ASKED] += asked && now->ask.phase == ASK_UNDONE;
    }
    return 0;
}

static void test_what_could_go_wrong_is_met(void **state)
{
    (void)state;
    seen = (struct seen){0};
    search_with(note_situations, CHECK_RULES_ALL, KEYWISE_LARGE);
    for (size_t i = 0; i < sizeof seen.situations / sizeof seen.situations[0]; i++) {
        assert_in_range(seen.situations[i], 1, UINT32_MAX);
    }
}

static void test_scopes_have_words(void **state)
{
    (void)state;
    char text[128];
    model_ask.say_size(KEYWISE_SMALL, text, sizeof text);
    assert_string_equal(text, "2 keys, 1 write, 1 read, a map that comes early, a crash of B");
    model_ask.say_size(KEYWISE_LARGE, text, sizeof text);
    assert_string_equal(text, "3 keys, 2 writes, 2 reads, a map that comes early, crashes of B");
    model_ask.say_size(KEYWISE_QUIET, text, sizeof text);
    assert_string_equal(text, "2 keys, 1 write, 1 read");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rules_are_those_of_the_protocol),
        cmocka_unit_test(test_every_scope_holds_within_the_bounds),
        cmocka_unit_test(test_each_rule_left_out_shows_to_clients),
        cmocka_unit_test(test_and_to_whoever_sees_all_nodes),
        cmocka_unit_test(test_what_needs_a_map_that_comes_too_early),
        cmocka_unit_test(test_two_rules_less_fail_as_early_as_one),
        cmocka_unit_test(test_interchangeable_names_change_nothing),
        cmocka_unit_test(test_a_state_has_one_name),
        cmocka_unit_test(test_every_run_gives_the_same_bytes),
        cmocka_unit_test(test_the_copy_and_the_drop_in_words),
        cmocka_unit_test(test_the_circle_in_words),
        cmocka_unit_test(test_the_slot_that_is_closed_too_early_in_words),
        cmocka_unit_test(test_every_step_is_taken_somewhere_and_told),
        cmocka_unit_test(test_what_could_go_wrong_is_met),
        cmocka_unit_test(test_scopes_have_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
