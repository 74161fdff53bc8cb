/*
 * saga: its rules and what is judged; see saga.h. The steps are in saga_steps.c, the words in
 * saga_words.c.
 */
#include "check/saga.h"
#include "check/models.h"

/* In the order of proto/rule.h. */
static const struct check_rule demanded[] = {
    {"saga-log-first", "What a saga does next is in its log before it is sent."},
    {"compensate-once", "A compensation that is sent again is applied only once."},
    {"compensation-bars-step", "A compensation that finds nothing to take back forbids the step "
                               "from running later."},
    {"compensate-in-reverse", "A step is compensated only when all steps after it are."},
    {NULL, NULL},
};

#define RULES 4u

_Static_assert(RULE_COMPENSATE_IN_REVERSE - RULE_SAGA_LOG_FIRST == RULES - 1,
               "the list is this one");

uint64_t chain_rules_of(const struct check_scope *scope)
{
    uint64_t off = ~scope->rules & ((1u << RULES) - 1);
    return RULES_ALL & ~(off << RULE_SAGA_LOG_FIRST);
}

/* An action is a step times 32, a message in 3 bits and a step of the saga in 2. */
uint16_t chain_action(enum chain_step step, unsigned part, enum chain_mail mail)
{
    return (uint16_t)((unsigned)step << 5 | (unsigned)mail << 2 | part);
}

enum chain_step chain_step_of(uint16_t action)
{
    return (enum chain_step)(action >> 5);
}

unsigned chain_part_of(uint16_t action)
{
    return action & 3u;
}

enum chain_mail chain_mail_of(uint16_t action)
{
    return (enum chain_mail)(action >> 2 & 7u);
}

static void init(const struct check_scope *scope, struct check_out *out)
{
    CHECK(scope->size >= 2 && scope->size <= CHAIN_STEPS_MAX);
    struct chain *start = check_put(out, 0);
    *start = (struct chain){.now.phase = SAGA_FORWARD};
}

/* How many steps are in effect. */
static unsigned in_effect(const struct check_scope *scope, const struct chain *now)
{
    unsigned count = 0;
    for (unsigned i = 0; i < scope->size; i++) {
        count += now->part[i].effect > 0 ? 1 : 0;
    }
    return count;
}

int chain_check(const struct check_scope *scope, const void *state)
{
    const struct chain *now = state;
    unsigned count = in_effect(scope, now);
    for (unsigned i = 0; i < scope->size; i++) {
        if (now->part[i].effect < 0) {
            return CHAIN_TWICE;
        }
    }
    if ((now->now.phase == SAGA_DONE && count < scope->size) ||
        (now->now.phase == SAGA_UNDONE && count > 0)) {
        return CHAIN_HALF_DONE;
    }
    for (unsigned i = 0; i < count; i++) {
        if (now->part[i].effect == 0) {
            return CHAIN_OUT_OF_ORDER;
        }
    }
    return 0;
}

static const char *broken(int code)
{
    switch ((enum chain_promise)code) {
    case CHAIN_TWICE:
        return "a step was taken back twice";
    case CHAIN_OUT_OF_ORDER:
        return "a step is in effect while one before it is not";
    case CHAIN_HALF_DONE:
        return "the saga is over, and some steps are in effect while others are not";
    }
    CHECK(false && "no such promise");
    return "";
}

static const char *const promised[] = {
    "each step that was done is taken back once at most",
    "what is in effect is always the first so many steps, and no others",
    "when the saga is over, every step is in effect, or none is nor ever will be",
    NULL,
};

/* Over, and its log says so: it will not begin anew. */
static bool finished(const struct check_scope *scope, const void *state)
{
    const struct chain *now = state;
    struct saga_core core = chain_core(scope, now);
    return !now->down && saga_is_over(&core) && !saga_may_log(&core);
}

enum situation {
    LATE_STEP,
    LATE_AND_OVER,
    DONE_UNKNOWN,
    DOWN_HALF,
    REFUSED_AFTER,
    STEP_AGAIN,
    COMPENSATION_AGAIN,
    DONE_IN_VAIN,
    ALL_TAKEN_BACK,
    ALL_UNHEARD
};

static const struct check_situation situation[] = {
    [LATE_STEP] = {"a step is on its way to be done after it was compensated"},
    [LATE_AND_OVER] = {"a step is on its way to be done, and the saga is over and undone"},
    [DONE_UNKNOWN] = {"a step that the coordinator has given up comes to be done"},
    [DOWN_HALF] = {"the coordinator is down while some steps are done and others are not"},
    [REFUSED_AFTER] = {"a step is refused when another is in effect"},
    [STEP_AGAIN] = {"a step that is done is asked for again"},
    [COMPENSATION_AGAIN] = {"a step that is taken back is to be taken back again"},
    [DONE_IN_VAIN] = {"the answer that a step is done is on its way, and it is taken back"},
    [ALL_TAKEN_BACK] = {"every step is done, and the saga is on its way back"},
    [ALL_UNHEARD] = {"every step is done, and the coordinator does not know it"},
    {NULL},
};

static uint32_t situations_of_part(const struct chain *now, unsigned i)
{
    enum step_state state = (enum step_state)now->part[i].state;
    bool asked = chain_is_under_way(now, i, CHAIN_A_STEP);
    bool compensated = state == STEP_TAKEN_BACK || state == STEP_BARRED;
    bool back = now->now.phase == SAGA_BACK;
    return check_bit(LATE_STEP, asked && compensated) |
           check_bit(LATE_AND_OVER, asked && now->now.phase == SAGA_UNDONE) |
           check_bit(DONE_UNKNOWN, asked && state == STEP_NEW && back) |
           check_bit(STEP_AGAIN, asked && state == STEP_DONE) |
           check_bit(COMPENSATION_AGAIN,
                     state == STEP_TAKEN_BACK && chain_is_under_way(now, i, CHAIN_A_COMPENSATION)) |
           check_bit(DONE_IN_VAIN, back && chain_is_under_way(now, i, CHAIN_A_DONE));
}

static uint32_t situations(const struct check_scope *scope, const void *state)
{
    const struct chain *now = state;
    unsigned count = in_effect(scope, now);
    bool all = count == scope->size;
    bool refused = false;
    uint32_t in = 0;
    for (unsigned i = 0; i < scope->size; i++) {
        in |= situations_of_part(now, i);
        refused |= now->part[i].state == STEP_REFUSED;
    }
    return in | check_bit(DOWN_HALF, now->down && count > 0 && !all) |
           check_bit(REFUSED_AFTER, refused && count > 0) |
           check_bit(ALL_TAKEN_BACK, all && now->now.phase == SAGA_BACK) |
           check_bit(ALL_UNHEARD, all && now->now.phase == SAGA_FORWARD);
}

enum actor {
    COORDINATOR,
    NETWORK,
    PARTICIPANTS /* one each */
};

static unsigned actor(uint16_t action)
{
    switch (chain_step_of(action)) {
    case CHAIN_DO:
    case CHAIN_REFUSE:
    case CHAIN_DONE_SEEN:
    case CHAIN_NOT:
    case CHAIN_TAKE_BACK:
    case CHAIN_TAKE_BACK_TWICE:
    case CHAIN_TAKEN_BACK_SEEN:
    case CHAIN_BAR:
    case CHAIN_NOT_BARRED:
    case CHAIN_NOTHING_TO_BAR:
        return PARTICIPANTS + chain_part_of(action);
    case CHAIN_LOSE:
        return NETWORK;
    case CHAIN_ASK:
    case CHAIN_ASK_UNWRITTEN:
    case CHAIN_HEAR_DONE:
    case CHAIN_HEAR_REFUSED:
    case CHAIN_HEAR_BACK:
    case CHAIN_GIVE_UP:
    case CHAIN_GIVE_UP_AT_ONCE:
    case CHAIN_ASK_AGAIN:
    case CHAIN_TAKE_BACK_AGAIN:
    case CHAIN_WRITE_LATE:
    case CHAIN_RESTART:
    case CHAIN_CRASH:
        return COORDINATOR;
    case CHAIN_STEPS:
        break;
    }
    CHECK(false && "no such step");
    return COORDINATOR;
}

static bool fault(uint16_t action)
{
    return chain_step_of(action) >= CHAIN_CRASH;
}

const struct check_model model_saga = {
    .name = "saga",
    .about = "steps that are done one by one, and taken back when a later one cannot be",
    .rule = demanded,
    .state_size = sizeof(struct chain),
    .size_small = CHAIN_SMALL,
    .size_large = CHAIN_LARGE,
    .size_of = "steps",
    .say_size = chain_say_size,
    .init = init,
    .next = chain_next,
    .check = chain_check,
    .broken = broken,
    .promises = promised,
    .situation = situation,
    .situations = situations,
    .finished = finished,
    .actor = actor,
    .fault = fault,
    .tell = chain_tell,
};
