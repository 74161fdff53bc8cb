/*
 * A saga: what a coordinator and the participants of its steps do with answers that are late,
 * repeated and lost, and what is left after a restart.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/prng.h"
#include "proto/saga.h"

#define PARTS 4
#define MESSAGES 64
#define SCHEDULES 2000
#define EVENTS 300

static uint64_t without(enum rule rule)
{
    return RULES_ALL & ~rule_bit(rule);
}

static void phases_and_states_have_names(void **state)
{
    (void)state;
    assert_string_equal(saga_phase_name(SAGA_FORWARD), "forward");
    assert_string_equal(saga_phase_name(SAGA_BACK), "back");
    assert_string_equal(saga_phase_name(SAGA_DONE), "done");
    assert_string_equal(saga_phase_name(SAGA_UNDONE), "undone");
    assert_string_equal(step_state_name(STEP_NEW), "new");
    assert_string_equal(step_state_name(STEP_DONE), "done");
    assert_string_equal(step_state_name(STEP_REFUSED), "refused");
    assert_string_equal(step_state_name(STEP_TAKEN_BACK), "taken back");
    assert_string_equal(step_state_name(STEP_BARRED), "barred");
}

/* --- the coordinator --- */

static struct saga_core asked(unsigned steps, unsigned done, uint64_t rules)
{
    struct saga_core s = saga_begin(steps);
    for (unsigned i = 0; i < done; i++) {
        saga_ask(&s, rules);
        assert_true(saga_hear(&s, rules, i, true));
    }
    saga_ask(&s, rules);
    return s;
}

static void steps_are_asked_for_one_by_one(void **state)
{
    (void)state;
    struct saga_core s = saga_begin(PARTS);
    for (unsigned i = 0; i < PARTS; i++) {
        assert_false(saga_waits(&s, i));
        assert_true(saga_may_ask(&s));
        assert_true(saga_may_give_up(&s));
        saga_ask(&s, RULES_ALL);
        assert_false(saga_may_ask(&s));
        assert_true(saga_waits(&s, i));
        assert_false(saga_waits(&s, i + 1));
        assert_false(saga_is_over(&s));
        assert_false(saga_hear(&s, RULES_ALL, i + 1, true)); /* not asked for yet */
        assert_true(saga_hear(&s, RULES_ALL, i, true));
        assert_false(saga_hear(&s, RULES_ALL, i, true)); /* once more */
    }
    assert_int_equal(s.now.phase, SAGA_DONE);
    assert_true(saga_is_over(&s));
    assert_false(saga_may_ask(&s) || saga_may_give_up(&s) || saga_waits(&s, 0));
    assert_int_equal(saga_to_take_back(&s, RULES_ALL), 0);
}

static void what_was_asked_for_is_taken_back_from_the_last(void **state)
{
    (void)state;
    struct saga_core s = asked(PARTS, 2, RULES_ALL);
    saga_give_up(&s, RULES_ALL); /* the third may be done or not */
    assert_int_equal(s.now.phase, SAGA_BACK);
    assert_false(saga_hear(&s, RULES_ALL, 2, true)); /* too late */
    for (unsigned i = 3; i-- > 0;) {
        assert_false(saga_is_over(&s));
        assert_int_equal(saga_to_take_back(&s, RULES_ALL), UINT64_C(1) << i);
        assert_int_equal(saga_to_take_back(&s, without(RULE_COMPENSATE_IN_REVERSE)),
                         (UINT64_C(2) << i) - 1);
        assert_true(saga_hear_back(&s, RULES_ALL, i));
        assert_false(saga_hear_back(&s, RULES_ALL, i));
    }
    assert_int_equal(s.now.phase, SAGA_UNDONE);
    assert_true(saga_is_over(&s));
    assert_false(saga_may_give_up(&s));
}

static void a_refused_step_is_not_taken_back(void **state)
{
    (void)state;
    struct saga_core s = asked(PARTS, 2, RULES_ALL);
    assert_true(saga_hear(&s, RULES_ALL, 2, false));
    assert_int_equal(saga_to_take_back(&s, 0), 3);
    s = asked(PARTS, 0, RULES_ALL);
    assert_true(saga_hear(&s, RULES_ALL, 0, false)); /* nothing was done */
    assert_int_equal(s.now.phase, SAGA_UNDONE);
    s = saga_begin(PARTS);
    saga_give_up(&s, RULES_ALL);
    assert_int_equal(s.now.phase, SAGA_UNDONE);
}

static void a_saga_has_an_end(void **state)
{
    (void)state;
    struct saga_core s = asked(SAGA_STEPS_MAX, SAGA_STEPS_MAX - 1, RULES_ALL);
    struct saga_core back = s;
    assert_true(saga_hear(&s, RULES_ALL, SAGA_STEPS_MAX - 1, true));
    assert_int_equal(s.now.phase, SAGA_DONE);
    saga_give_up(&back, RULES_ALL);
    assert_true(back.now.left == UINT64_MAX);
    assert_true(saga_to_take_back(&back, RULES_ALL) == UINT64_C(1) << 63);
    for (unsigned i = SAGA_STEPS_MAX; i-- > 0;) {
        assert_true(saga_hear_back(&back, RULES_ALL, i));
    }
    assert_int_equal(back.now.phase, SAGA_UNDONE);
}

static void after_a_restart_it_stands_where_it_stood(void **state)
{
    (void)state;
    struct saga_core s = asked(PARTS, 1, RULES_ALL);
    assert_false(saga_may_log(&s));
    saga_restart(&s);
    assert_true(saga_waits(&s, 1));
    saga_give_up(&s, RULES_ALL);
    assert_false(saga_waits(&s, 1) || saga_waits(&s, 0));
    saga_restart(&s);
    assert_int_equal(s.now.phase, SAGA_BACK);
    assert_true(saga_hear_back(&s, RULES_ALL, 1));
    saga_restart(&s);
    assert_int_equal(s.now.left, 1);
    assert_true(saga_hear_back(&s, RULES_ALL, 0));
    saga_restart(&s);
    assert_true(saga_is_over(&s));
    s = asked(1, 0, RULES_ALL);
    assert_true(saga_hear(&s, RULES_ALL, 0, true));
    saga_restart(&s);
    assert_int_equal(s.now.phase, SAGA_DONE);
}

static void without_the_log_it_forgets_what_it_sent(void **state)
{
    (void)state;
    uint64_t rules = without(RULE_SAGA_LOG_FIRST);
    struct saga_core s = asked(PARTS, 0, rules);
    assert_true(saga_may_log(&s));
    struct saga_core late = s;
    saga_log(&late);
    assert_false(saga_may_log(&late));
    saga_restart(&late);
    assert_int_equal(late.now.asked, 1);
    saga_restart(&s);
    assert_false(saga_may_log(&s));
    assert_true(saga_may_ask(&s));
    saga_give_up(&s, rules);
    assert_int_equal(s.now.phase, SAGA_UNDONE); /* and the first step may be done */
}

/* --- the participant of a step --- */

static void a_step_is_done_once(void **state)
{
    (void)state;
    struct step_core p = {0};
    assert_int_equal(step_asked(&p, true), STEP_IS_DONE_NOW);
    assert_int_equal(step_asked(&p, true), STEP_IS_DONE);
    assert_int_equal(step_asked(&p, false), STEP_IS_DONE); /* the same answer to the same id */
    assert_true(step_take_back(&p, RULES_ALL));
    assert_false(step_take_back(&p, RULES_ALL));
    assert_true(step_take_back(&p, without(RULE_COMPENSATE_ONCE)));
    assert_int_equal(step_asked(&p, true), STEP_IS_NOT);
    assert_int_equal(p.state, STEP_TAKEN_BACK);
}

static void a_refusal_is_remembered(void **state)
{
    (void)state;
    struct step_core p = {0};
    assert_int_equal(step_asked(&p, false), STEP_IS_NOT);
    assert_int_equal(p.state, STEP_REFUSED);
    assert_int_equal(step_asked(&p, true), STEP_IS_NOT);
    assert_false(step_take_back(&p, 0));
    assert_int_equal(p.state, STEP_REFUSED);
}

static void a_compensation_that_comes_first_bars_the_step(void **state)
{
    (void)state;
    struct step_core p = {0};
    struct step_core q = {0};
    assert_false(step_take_back(&p, RULES_ALL));
    assert_int_equal(p.state, STEP_BARRED);
    assert_int_equal(step_asked(&p, true), STEP_IS_NOT);
    assert_false(step_take_back(&p, 0));
    assert_int_equal(p.state, STEP_BARRED);
    assert_false(step_take_back(&q, without(RULE_COMPENSATION_BARS_STEP)));
    assert_int_equal(step_asked(&q, true), STEP_IS_DONE_NOW);
}

/* --- random schedules --- */

enum kind {
    TO_DO,
    TO_TAKE_BACK,
    DONE,
    REFUSED,
    TAKEN_BACK
};

struct message {
    enum kind kind;
    unsigned part;
};

struct bank {
    struct prng prng;
    uint64_t rules;
    struct saga_core s;
    struct step_core part[PARTS];
    int effect[PARTS];
    struct message message[MESSAGES];
    unsigned messages;
    unsigned odd; /* times at which something was as it should not be */
};

static void send(struct bank *b, enum kind kind, uint64_t parts)
{
    for (unsigned i = 0; i < PARTS; i++) {
        if ((parts >> i & 1) != 0 && b->messages < MESSAGES) {
            b->message[b->messages++] = (struct message){kind, i};
        }
    }
}

static void come(struct bank *b, struct message m)
{
    struct step_core *p = &b->part[m.part];
    uint64_t bit = UINT64_C(1) << m.part;
    if (m.kind == TO_DO) {
        enum step_reply reply = step_asked(p, prng_chance(&b->prng, 9, 10));
        b->effect[m.part] += reply == STEP_IS_DONE_NOW;
        send(b, reply == STEP_IS_NOT ? REFUSED : DONE, bit);
    } else if (m.kind == TO_TAKE_BACK) {
        b->effect[m.part] -= step_take_back(p, b->rules);
        send(b, TAKEN_BACK, bit);
    } else if (m.kind == TAKEN_BACK) {
        saga_hear_back(&b->s, b->rules, m.part);
    } else {
        saga_hear(&b->s, b->rules, m.part, m.kind == DONE);
    }
}

/* Some message comes, is lost, or comes and will come again. */
static void deliver(struct bank *b)
{
    unsigned i = (unsigned)prng_below(&b->prng, b->messages);
    struct message m = b->message[i];
    if (prng_chance(&b->prng, 4, 5)) {
        b->message[i] = b->message[--b->messages];
    }
    if (prng_chance(&b->prng, 9, 10)) {
        come(b, m);
    }
}

static void coordinate(struct bank *b)
{
    uint64_t what = prng_below(&b->prng, 40);
    unsigned step = b->s.now.done;
    if (what == 0) {
        saga_restart(&b->s);
    } else if (what == 1 && saga_may_give_up(&b->s)) {
        saga_give_up(&b->s, b->rules);
    } else if (what < 5 && saga_may_log(&b->s)) {
        saga_log(&b->s);
    } else {
        if (saga_may_ask(&b->s)) {
            saga_ask(&b->s, b->rules);
        }
        send(b, TO_DO, saga_waits(&b->s, step) ? UINT64_C(1) << step : 0);
        send(b, TO_TAKE_BACK, saga_to_take_back(&b->s, b->rules));
    }
}

static unsigned in_effect(const struct bank *b)
{
    unsigned count = 0;
    for (unsigned i = 0; i < PARTS; i++) {
        count += b->effect[i] > 0;
    }
    return count;
}

static bool is_odd(const struct bank *b)
{
    unsigned count = in_effect(b);
    for (unsigned i = 0; i < PARTS; i++) {
        if (b->effect[i] != (i < count ? 1 : 0)) {
            return true;
        }
    }
    return (b->s.now.phase == SAGA_DONE && count < PARTS) ||
           (b->s.now.phase == SAGA_UNDONE && count > 0);
}

static void play(struct bank *b, uint64_t seed, uint64_t rules)
{
    *b = (struct bank){.prng = prng_seeded(seed, "saga"), .rules = rules, .s = saga_begin(PARTS)};
    for (unsigned i = 0; i < EVENTS; i++) {
        if (prng_chance(&b->prng, 2, 3) && b->messages > 0) {
            deliver(b);
        } else {
            coordinate(b);
        }
        b->odd += is_odd(b);
    }
}

static void every_schedule_ends_with_all_or_nothing(void **state)
{
    (void)state;
    unsigned done = 0;
    unsigned undone = 0;
    for (uint64_t seed = 1; seed <= SCHEDULES; seed++) {
        struct bank b;
        play(&b, seed, RULES_ALL);
        assert_int_equal(b.odd, 0);
        done += b.s.now.phase == SAGA_DONE;
        undone += b.s.now.phase == SAGA_UNDONE;
    }
    assert_true(done > SCHEDULES / 10 && undone > SCHEDULES / 10);
}

static void without_a_rule_some_schedule_does_not(void **state)
{
    (void)state;
    for (int rule = RULE_SAGA_LOG_FIRST; rule <= RULE_COMPENSATE_IN_REVERSE; rule++) {
        unsigned odd = 0;
        for (uint64_t seed = 1; seed <= SCHEDULES; seed++) {
            struct bank b;
            play(&b, seed, without((enum rule)rule));
            odd += b.odd > 0;
        }
        assert_in_range(odd, 1, SCHEDULES);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(phases_and_states_have_names),
        cmocka_unit_test(steps_are_asked_for_one_by_one),
        cmocka_unit_test(what_was_asked_for_is_taken_back_from_the_last),
        cmocka_unit_test(a_refused_step_is_not_taken_back),
        cmocka_unit_test(a_saga_has_an_end),
        cmocka_unit_test(after_a_restart_it_stands_where_it_stood),
        cmocka_unit_test(without_the_log_it_forgets_what_it_sent),
        cmocka_unit_test(a_step_is_done_once),
        cmocka_unit_test(a_refusal_is_remembered),
        cmocka_unit_test(a_compensation_that_comes_first_bars_the_step),
        cmocka_unit_test(every_schedule_ends_with_all_or_nothing),
        cmocka_unit_test(without_a_rule_some_schedule_does_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
