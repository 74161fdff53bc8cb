/*
 * saga: the steps of a coordinator and of those who do what it asks for.
 */
#include "proto/saga.h"

#include "base/check.h"
#include <string.h>

const char *saga_phase_name(enum saga_phase phase)
{
    static const char *const names[SAGA_PHASES] = {
        [SAGA_FORWARD] = "forward",
        [SAGA_BACK] = "back",
        [SAGA_DONE] = "done",
        [SAGA_UNDONE] = "undone",
    };
    CHECK(phase < SAGA_PHASES);
    return names[phase];
}

const char *step_state_name(enum step_state state)
{
    static const char *const names[STEP_STATES] = {
        [STEP_NEW] = "new",         [STEP_DONE] = "done",
        [STEP_REFUSED] = "refused", [STEP_TAKEN_BACK] = "taken back",
        [STEP_BARRED] = "barred",
    };
    CHECK(state < STEP_STATES);
    return names[state];
}

/* --- the coordinator -------------------------------------------------------------------------- */

struct saga_core saga_begin(unsigned steps)
{
    CHECK(steps > 0 && steps <= SAGA_STEPS_MAX);
    return (struct saga_core){.steps = (uint8_t)steps};
}

/* It stands elsewhere now, and its log says so before anybody hears of it. */
static void turn(struct saga_core *s, uint64_t rules)
{
    if (rule_on(rules, RULE_SAGA_LOG_FIRST)) {
        saga_log(s);
    }
}

bool saga_may_ask(const struct saga_core *s)
{
    return s->now.phase == SAGA_FORWARD && s->now.asked == s->now.done;
}

void saga_ask(struct saga_core *s, uint64_t rules)
{
    CHECK(saga_may_ask(s));
    s->now.asked++;
    turn(s, rules);
}

bool saga_waits(const struct saga_core *s, unsigned step)
{
    return s->now.phase == SAGA_FORWARD && s->now.asked > s->now.done && step == s->now.done;
}

static void go_back(struct saga_core *s, uint64_t rules, unsigned steps)
{
    uint64_t left = steps == SAGA_STEPS_MAX ? UINT64_MAX : (UINT64_C(1) << steps) - 1;
    s->now = (struct saga_page){.phase = left != 0 ? SAGA_BACK : SAGA_UNDONE, .left = left};
    turn(s, rules);
}

bool saga_hear(struct saga_core *s, uint64_t rules, unsigned step, bool done)
{
    if (!saga_waits(s, step)) {
        return false;
    }
    if (!done) {
        go_back(s, rules, step); /* the refused step itself is not done, nor ever will be */
        return true;
    }
    s->now.done++;
    if (s->now.done == s->steps) {
        s->now = (struct saga_page){.phase = SAGA_DONE};
    }
    turn(s, rules);
    return true;
}

bool saga_may_give_up(const struct saga_core *s)
{
    return s->now.phase == SAGA_FORWARD;
}

void saga_give_up(struct saga_core *s, uint64_t rules)
{
    CHECK(saga_may_give_up(s));
    go_back(s, rules, s->now.asked);
}

uint64_t saga_to_take_back(const struct saga_core *s, uint64_t rules)
{
    uint64_t last = s->now.left;
    while ((last & (last - 1)) != 0) {
        last &= last - 1;
    }
    return rule_on(rules, RULE_COMPENSATE_IN_REVERSE) ? last : s->now.left;
}

bool saga_hear_back(struct saga_core *s, uint64_t rules, unsigned step)
{
    uint64_t bit = UINT64_C(1) << step;
    if ((s->now.left & bit) == 0) {
        return false;
    }
    s->now.left &= ~bit;
    s->now.phase = s->now.left != 0 ? SAGA_BACK : SAGA_UNDONE;
    turn(s, rules);
    return true;
}

bool saga_may_log(const struct saga_core *s)
{
    return memcmp(&s->now, &s->log, sizeof s->now) != 0;
}

void saga_log(struct saga_core *s)
{
    s->log = s->now;
}

void saga_restart(struct saga_core *s)
{
    s->now = s->log;
}

bool saga_is_over(const struct saga_core *s)
{
    return s->now.phase == SAGA_DONE || s->now.phase == SAGA_UNDONE;
}

/* --- the participant of a step ---------------------------------------------------------------- */

enum step_reply step_asked(struct step_core *p, bool can)
{
    if (p->state == STEP_DONE) {
        return STEP_IS_DONE;
    }
    if (p->state != STEP_NEW) {
        return STEP_IS_NOT;
    }
    p->state = can ? STEP_DONE : STEP_REFUSED;
    return can ? STEP_IS_DONE_NOW : STEP_IS_NOT;
}

bool step_take_back(struct step_core *p, uint64_t rules)
{
    switch ((enum step_state)p->state) {
    case STEP_NEW:
        if (rule_on(rules, RULE_COMPENSATION_BARS_STEP)) {
            p->state = STEP_BARRED;
        }
        return false;
    case STEP_DONE:
        p->state = STEP_TAKEN_BACK;
        return true;
    case STEP_TAKEN_BACK:
        return !rule_on(rules, RULE_COMPENSATE_ONCE);
    case STEP_REFUSED:
    case STEP_BARRED:
    case STEP_STATES:
        break;
    }
    return false;
}
