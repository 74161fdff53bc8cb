/*
 * saga_steps: what can happen next in a saga; see saga.h.
 */
#include "check/saga.h"

/* --- in more bytes and in fewer --------------------------------------------------------------- */

static struct saga_page page_of(const struct chain_page *p)
{
    return (struct saga_page){
        .phase = p->phase, .asked = p->asked, .done = p->done, .left = p->left};
}

static struct chain_page keep_page(const struct saga_page *p)
{
    return (struct chain_page){
        .phase = p->phase, .asked = p->asked, .done = p->done, .left = (uint8_t)p->left};
}

struct saga_core chain_core(const struct check_scope *scope, const struct chain *now)
{
    struct saga_core core = saga_begin(scope->size);
    core.now = page_of(&now->now);
    core.log = page_of(&now->log);
    return core;
}

static void keep_core(struct chain *to, const struct saga_core *core)
{
    to->now = keep_page(&core->now);
    to->log = keep_page(&core->log);
}

bool chain_is_under_way(const struct chain *now, unsigned part, enum chain_mail mail)
{
    return (now->part[part].mail >> mail & 1) != 0;
}

static void send(struct chain *to, unsigned part, enum chain_mail mail)
{
    to->part[part].mail |= (uint8_t)(1u << mail);
}

static void take(struct chain *to, unsigned part, enum chain_mail mail)
{
    to->part[part].mail &= (uint8_t) ~(1u << mail);
}

/* --- steps ------------------------------------------------------------------------------------ */

static void send_compensations(struct chain *to, const struct saga_core *core, uint64_t rules)
{
    uint64_t steps = saga_to_take_back(core, rules);
    for (unsigned i = 0; i < core->steps; i++) {
        if (steps >> i & 1) {
            send(to, i, CHAIN_A_COMPENSATION);
        }
    }
}

static void ask_next(struct chain *to, struct saga_core *core, uint64_t rules)
{
    saga_ask(core, rules);
    send(to, core->now.done, CHAIN_A_STEP);
}

static void hear_back(struct chain *to, struct saga_core *core, uint64_t rules, unsigned part)
{
    take(to, part, CHAIN_A_TAKEN_BACK);
    if (saga_hear_back(core, rules, part) && rule_on(rules, RULE_COMPENSATE_IN_REVERSE)) {
        send_compensations(to, core, rules); /* else all are sent */
    }
}

/* What comes to the coordinator. */
static void hear(struct chain *to, struct saga_core *core, uint64_t rules, uint16_t action)
{
    enum chain_step step = chain_step_of(action);
    unsigned part = chain_part_of(action);
    if (step == CHAIN_HEAR_BACK) {
        hear_back(to, core, rules, part);
        return;
    }
    bool done = step == CHAIN_HEAR_DONE;
    take(to, part, done ? CHAIN_A_DONE : CHAIN_A_REFUSED);
    if (!saga_hear(core, rules, part, done)) {
        return;
    }
    if (saga_may_ask(core)) {
        ask_next(to, core, rules);
    }
    send_compensations(to, core, rules);
}

/* What the coordinator does of its own accord. */
static void coordinate(struct chain *to, struct saga_core *core, uint64_t rules, uint16_t action)
{
    enum chain_step step = chain_step_of(action);
    if (step == CHAIN_ASK || step == CHAIN_ASK_UNWRITTEN) {
        ask_next(to, core, rules);
    } else if (step == CHAIN_GIVE_UP || step == CHAIN_GIVE_UP_AT_ONCE) {
        saga_give_up(core, rules);
        send_compensations(to, core, rules);
    } else if (step == CHAIN_ASK_AGAIN) {
        send(to, chain_part_of(action), CHAIN_A_STEP);
    } else if (step == CHAIN_TAKE_BACK_AGAIN) {
        send(to, chain_part_of(action), CHAIN_A_COMPENSATION);
    } else if (step == CHAIN_WRITE_LATE) {
        saga_log(core);
    } else if (step == CHAIN_CRASH) {
        saga_restart(core); /* what its memory held is of no use to anybody from here on */
        to->down = 1;
    } else {
        CHECK(step == CHAIN_RESTART);
        to->down = 0;
    }
}

static void at_coordinator(const struct check_scope *scope, struct chain *to, uint64_t rules,
                           uint16_t action)
{
    enum chain_step step = chain_step_of(action);
    bool hears = step == CHAIN_HEAR_DONE || step == CHAIN_HEAR_REFUSED || step == CHAIN_HEAR_BACK;
    struct saga_core core = chain_core(scope, to);
    if (hears) {
        hear(to, &core, rules, action);
    } else {
        coordinate(to, &core, rules, action);
    }
    keep_core(to, &core);
}

static void do_step(struct chain *to, unsigned part, bool can)
{
    struct chain_part *p = &to->part[part];
    struct step_core core = {.state = p->state};
    enum step_reply reply = step_asked(&core, can);
    take(to, part, CHAIN_A_STEP);
    p->state = core.state;
    p->effect = (int8_t)(p->effect + (reply == STEP_IS_DONE_NOW ? 1 : 0));
    send(to, part, reply == STEP_IS_NOT ? CHAIN_A_REFUSED : CHAIN_A_DONE);
}

static void take_back(struct chain *to, uint64_t rules, unsigned part)
{
    struct chain_part *p = &to->part[part];
    struct step_core core = {.state = p->state};
    bool now = step_take_back(&core, rules);
    take(to, part, CHAIN_A_COMPENSATION);
    p->state = core.state;
    p->effect = (int8_t)(p->effect - (now ? 1 : 0));
    send(to, part, CHAIN_A_TAKEN_BACK);
}

struct chain chain_after(const struct check_scope *scope, const struct chain *now, uint16_t action)
{
    struct chain to = *now;
    uint64_t rules = chain_rules_of(scope);
    unsigned part = chain_part_of(action);
    switch (chain_step_of(action)) {
    case CHAIN_DO:
    case CHAIN_REFUSE:
    case CHAIN_DONE_SEEN:
    case CHAIN_NOT:
        do_step(&to, part, chain_step_of(action) != CHAIN_REFUSE);
        break;
    case CHAIN_TAKE_BACK:
    case CHAIN_TAKE_BACK_TWICE:
    case CHAIN_TAKEN_BACK_SEEN:
    case CHAIN_BAR:
    case CHAIN_NOT_BARRED:
    case CHAIN_NOTHING_TO_BAR:
        take_back(&to, rules, part);
        break;
    case CHAIN_HEAR_DONE:
    case CHAIN_HEAR_REFUSED:
    case CHAIN_HEAR_BACK:
    case CHAIN_ASK:
    case CHAIN_ASK_UNWRITTEN:
    case CHAIN_GIVE_UP:
    case CHAIN_GIVE_UP_AT_ONCE:
    case CHAIN_ASK_AGAIN:
    case CHAIN_TAKE_BACK_AGAIN:
    case CHAIN_WRITE_LATE:
    case CHAIN_RESTART:
    case CHAIN_CRASH:
        at_coordinator(scope, &to, rules, action);
        break;
    case CHAIN_LOSE:
        take(&to, part, chain_mail_of(action));
        break;
    case CHAIN_STEPS:
        CHECK(false && "no such step");
        break;
    }
    return to;
}

/* --- what can happen -------------------------------------------------------------------------- */

/* What the steps of one state have in common. */
struct steps {
    const struct check_scope *scope;
    const struct chain *now;
    struct check_out *out;
    struct saga_core core;
    uint64_t rules;
};

static void put(const struct steps *s, uint16_t action)
{
    struct chain *to = check_put(s->out, action);
    *to = chain_after(s->scope, s->now, action);
}

static void put_if(const struct steps *s, bool can, enum chain_step step, unsigned part)
{
    if (can) {
        put(s, chain_action(step, part, (enum chain_mail)0));
    }
}

static void next_of_coordinator(const struct steps *s)
{
    const struct saga_core *c = &s->core;
    bool first = rule_on(s->rules, RULE_SAGA_LOG_FIRST);
    bool one = rule_on(s->rules, RULE_COMPENSATE_IN_REVERSE);
    put_if(s, saga_may_ask(c), first ? CHAIN_ASK : CHAIN_ASK_UNWRITTEN, 0);
    put_if(s, saga_may_give_up(c), one ? CHAIN_GIVE_UP : CHAIN_GIVE_UP_AT_ONCE, 0);
    put_if(s, saga_may_log(c), CHAIN_WRITE_LATE, 0);
    put_if(s, !saga_is_over(c) || saga_may_log(c), CHAIN_CRASH, 0);
}

/* What the coordinator does with a step or its messages. */
static void next_of_mail(const struct steps *s, unsigned i)
{
    const struct chain *now = s->now;
    bool asks = saga_waits(&s->core, i);
    bool takes_back = (saga_to_take_back(&s->core, s->rules) >> i & 1) != 0;
    put_if(s, chain_is_under_way(now, i, CHAIN_A_DONE), CHAIN_HEAR_DONE, i);
    put_if(s, chain_is_under_way(now, i, CHAIN_A_REFUSED), CHAIN_HEAR_REFUSED, i);
    put_if(s, chain_is_under_way(now, i, CHAIN_A_TAKEN_BACK), CHAIN_HEAR_BACK, i);
    put_if(s, asks && !chain_is_under_way(now, i, CHAIN_A_STEP), CHAIN_ASK_AGAIN, i);
    put_if(s, takes_back && !chain_is_under_way(now, i, CHAIN_A_COMPENSATION),
           CHAIN_TAKE_BACK_AGAIN, i);
}

static enum chain_step compensation_of(const struct steps *s, enum step_state state)
{
    switch (state) {
    case STEP_NEW:
        return rule_on(s->rules, RULE_COMPENSATION_BARS_STEP) ? CHAIN_BAR : CHAIN_NOT_BARRED;
    case STEP_DONE:
        return CHAIN_TAKE_BACK;
    case STEP_TAKEN_BACK:
        return rule_on(s->rules, RULE_COMPENSATE_ONCE) ? CHAIN_TAKEN_BACK_SEEN
                                                       : CHAIN_TAKE_BACK_TWICE;
    case STEP_REFUSED:
    case STEP_BARRED:
    case STEP_STATES:
        break;
    }
    return CHAIN_NOTHING_TO_BAR;
}

static void next_of_part(const struct steps *s, unsigned i)
{
    enum step_state state = (enum step_state)s->now->part[i].state;
    bool asked = chain_is_under_way(s->now, i, CHAIN_A_STEP);
    bool fresh = state == STEP_NEW;
    bool done = state == STEP_DONE;
    put_if(s, asked && fresh, CHAIN_DO, i);
    put_if(s, asked && fresh, CHAIN_REFUSE, i);
    put_if(s, asked && done, CHAIN_DONE_SEEN, i);
    put_if(s, asked && !fresh && !done, CHAIN_NOT, i);
    put_if(s, chain_is_under_way(s->now, i, CHAIN_A_COMPENSATION), compensation_of(s, state), i);
    for (unsigned mail = 0; mail < CHAIN_MAILS; mail++) {
        if (chain_is_under_way(s->now, i, (enum chain_mail)mail)) {
            put(s, chain_action(CHAIN_LOSE, i, (enum chain_mail)mail));
        }
    }
}

void chain_next(const struct check_scope *scope, const void *state, struct check_out *out)
{
    struct steps s = {.scope = scope, .now = state, .out = out, .rules = chain_rules_of(scope)};
    s.core = chain_core(scope, s.now);
    if (s.now->down) {
        put_if(&s, true, CHAIN_RESTART, 0);
    } else {
        next_of_coordinator(&s);
    }
    for (unsigned i = 0; i < scope->size; i++) {
        if (!s.now->down) {
            next_of_mail(&s, i);
        }
        next_of_part(&s, i);
    }
}
