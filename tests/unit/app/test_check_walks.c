/*
 * What is said of the steps of a broken protocol: where the full protocol parts from them, how it
 * goes on, in which world, and to whom the answer is not given before it was found.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "app/check/check_session.h"
#include "check/models.h"
#include "draw/prose.h"
#include "sanitized.h"

#define TEXT_COLUMNS 35
#define TEXT_ROWS 12

static uint32_t rule_of(const struct check_model *model, const char *name)
{
    uint32_t bit = 0;
    assert_true(check_rule_by_name(model, name, &bit));
    return bit;
}

static struct check_session open_without(const struct check_model *model, const char *rule)
{
    struct check_session s;
    check_session_open(&s, model, rule ? rule_of(model, rule) : 0, false);
    assert_true(check_session_found(&s));
    return s;
}

static bool says(void (*say)(const struct check_session *s, struct str *out),
                 const struct check_session *s, const char *text)
{
    struct str out = STR_EMPTY;
    say(s, &out);
    bool found = strstr(str_text(&out), text) != NULL;
    if (!found) {
        print_error("\"%s\" is not in: %s\n", text, str_text(&out));
    }
    str_free(&out);
    return found;
}

static bool step_says(const struct check_session *s, const char *text)
{
    struct str out = STR_EMPTY;
    check_session_say_step(s, true, &out);
    bool found = strstr(str_text(&out), text) != NULL;
    if (!found) {
        print_error("\"%s\" is not in: %s\n", text, str_text(&out));
    }
    str_free(&out);
    return found;
}

/* A step that is taken to another end is told as it is then, with the rules off and back. */
static void a_step_that_goes_otherwise_is_told_so(void **state)
{
    (void)state;
    struct check_told told;
    struct check_session s = open_without(&model_preagg, "claim-on-restart");
    check_session_go(&s, 3);
    assert_true(
        step_says(&s, "With every rule it goes otherwise: *It claims the sub-key with that"));
    assert_true(says(check_session_explain_step, &s,
                     "Without *claim-on-restart* it goes on as "
                     "told above. At step 5 it is too late: "));
    check_session_put_back(&s, true);
    assert_int_equal(s.step, 3);
    assert_int_equal(check_session_marks(&s, 3) & (STEP_PARTS | STEP_STOPPED), STEP_PARTS);
    assert_true(step_says(&s, "That is what *claim-on-restart* changes."));
    assert_true(says(check_session_say_seen, &s, "step 3 goes otherwise"));
    check_session_close(&s);

    s = open_without(&model_fence_and_flip, "fence-covers-reads");
    check_session_go(&s, 10);
    assert_true(step_says(&s, "goes otherwise: *shard A refuses r1: migrating, retry.*"));
    check_session_put_back(&s, true);
    check_session_tell(&s, 10, &told);
    assert_string_equal(told.action, "refuses r1: migrating, retry");
    check_session_close(&s);
}

/* The two rules are out; one of them has no part in the step that is marked. */
static void of_two_rules_the_one_that_parts_is_named(void **state)
{
    (void)state;
    const struct check_model *model = &model_fence_and_flip;
    struct check_session s;
    uint32_t stamp = rule_of(model, "snapshot-position");
    check_session_open(&s, model, stamp | rule_of(model, "compare-before-fence"), false);
    assert_int_equal(s.found.part.first.step, 3);
    assert_int_equal(s.found.stoppers, stamp);
    check_session_go(&s, 2);
    assert_true(step_says(&s, "In the world: the copy of step 3 begins here."));
    check_session_go(&s, 3);
    assert_true(step_says(&s, "In the world: the copy begun under step 2, with position 0"));
    assert_true(says(check_session_explain_step, &s, "*compare-before-fence* has no part in this"));
    check_session_put_back(&s, true);
    assert_int_equal(s.step, 3);
    assert_int_equal(check_session_steps(&s), 7); /* as far as step 6, and the end */
    assert_int_equal(check_session_marks(&s, 6) & (STEP_PARTS | STEP_STOPPED), STEP_STOPPED);
    check_session_close(&s);
}

/* Where every step takes place with every rule, and all the same something can never end. */
static void what_could_not_end_goes_on_with_every_rule(void **state)
{
    (void)state;
    struct check_told told;
    struct check_session s = open_without(&model_commit, "presumed-abort");
    assert_int_equal(s.found.result.broken, CHECK_DEAD);
    assert_int_equal(check_session_parts(&s), 0);
    check_session_go(&s, 3);
    check_session_put_back(&s, true);
    assert_int_equal(s.step, 3);
    assert_true(step_says(&s, "But from here it goes on to its end."));
    assert_int_equal(check_session_steps(&s), 10); /* the last: the world comes to its end */
    assert_true(check_session_marks(&s, 10) & STEP_END);
    assert_false(check_session_marks(&s, 9) & STEP_END);
    check_session_tell(&s, 4, &told);
    assert_string_equal(told.action, "restarts");
    check_session_tell(&s, 7, &told);
    assert_string_equal(told.action, "tells participant 1 to abort");
    check_session_go(&s, 7);
    assert_true(says(check_session_explain_step, &s, "The world is not played in this step."));
    check_session_go(&s, 10);
    assert_true(step_says(&s, "Every request was answered, nothing is lost"));
    check_session_put_back(&s, false);
    assert_int_equal(check_session_steps(&s), 3);
    check_session_close(&s);
}

/* Who is still asked for the step walks to it first. */
static void a_question_is_not_answered_by_the_marks(void **state)
{
    (void)state;
    struct check_session s = open_without(&model_fence_and_flip, "fence");
    struct str out = STR_EMPTY;
    check_session_veil(&s);
    assert_int_equal(check_session_parts(&s), 0);
    assert_int_equal(check_session_marks(&s, 4) & STEP_PARTS, 0);
    assert_false(check_session_may_put_back(&s));
    check_session_say_step(&s, true, &out);
    assert_null(strstr(str_text(&out), "With every rule"));
    check_session_go(&s, 4);
    assert_int_equal(check_session_marks(&s, 4) & STEP_PARTS, STEP_PARTS);
    assert_false(check_session_may_put_back(&s));
    check_session_go(&s, 8);
    check_session_go(&s, 1);
    assert_int_equal(check_session_parts(&s), 4);
    assert_true(check_session_may_put_back(&s));
    str_free(&out);
    check_session_close(&s);
}

/* Which world: a rule may have one of its own, and the larger one is another way. */
static void each_world_is_named(void **state)
{
    (void)state;
    struct check_session s = open_without(&model_ask, "close-when-empty");
    assert_int_equal(check_session_steps(&s), 5);
    assert_true(says(check_session_say_start, &s, "In a world of its own: "));
    assert_true(says(check_session_say_notes, &s, "a world in which no map comes too early"));
    assert_true(says(check_session_say_verdict, &s, "It takes 5 steps in a world of its own."));
    if (!BRIEF) {
        check_session_size(&s, true);
        assert_int_equal(check_session_steps(&s), 4);
        assert_true(says(check_session_say_verdict, &s, "It takes 4 steps in the larger world."));
        assert_null(s.found.apart);
    }
    check_session_close(&s);
    s = open_without(&model_ask, NULL);
    assert_true(says(check_session_say_promises, &s, "*Promised to clients*"));
    assert_true(says(check_session_say_promises, &s, "*What holds inside*"));
    assert_true(says(check_session_say_promises, &s, "all can still come to its end"));
    assert_true(says(check_session_say_promises, &s,
                     "every state that can come about in the "
                     "small world, with 2 keys"));
    check_session_close(&s);
}

/* At 80x24 there are so many rows for it beside the shortest list: nothing is cut. */
static void what_is_said_of_a_step_has_room(void **state)
{
    (void)state;
    for (size_t i = 0; check_model_at(i); i++) {
        const struct check_model *model = check_model_at(i);
        for (size_t rule = 0; model->rule[rule].name && (!BRIEF || rule < 2); rule++) {
            struct check_session s = open_without(model, model->rule[rule].name);
            for (int back = 0; back < 2 && check_session_fails(&s); back++) {
                check_session_put_back(&s, back == 1);
                for (uint32_t step = 0; step <= check_session_steps(&s); step++) {
                    struct str out = STR_EMPTY;
                    struct prose prose;
                    check_session_go(&s, step);
                    check_session_say_step(&s, true, &out);
                    prose_wrap(&prose, str_text(&out), TEXT_COLUMNS);
                    if (prose.line_count > TEXT_ROWS) {
                        fail_msg("%s without %s, step %u: %s", model->name, model->rule[rule].name,
                                 (unsigned)step, str_text(&out));
                    }
                    prose_free(&prose);
                    str_free(&out);
                }
            }
            check_session_close(&s);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_that_goes_otherwise_is_told_so),
        cmocka_unit_test(of_two_rules_the_one_that_parts_is_named),
        cmocka_unit_test(what_could_not_end_goes_on_with_every_rule),
        cmocka_unit_test(a_question_is_not_answered_by_the_marks),
        cmocka_unit_test(each_world_is_named),
        cmocka_unit_test(what_is_said_of_a_step_has_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
