/*
 * accounts_sweep: the sweeper of a balance, stripe by stripe, step by step.
 *
 * A round begins with the first stripe and ends with the last. A tick of the sweeper's timer that
 * finds a step unanswered since the tick before (or failed) does it again.
 */
#include "engine/accounts/accounts_inside.h"

#include "engine/queue.h"
#include "engine/steps.h"

/* Any router that is up: the sweeper's own, else the next. */
static uint16_t router_for(const struct world *w, uint32_t row)
{
    for (uint32_t i = 0; i < w->config.routers; i++) {
        uint32_t router = (row + i) % w->config.routers;
        if (!routers_in(w)[router].down) {
            return (uint16_t)router;
        }
    }
    return (uint16_t)(row % w->config.routers);
}

static void note_step(struct world *w, const struct account_row *a, uint16_t router,
                      enum accounts_reason reason)
{
    struct trace_record *t = account_note(w, node_of(NODE_ROUTER, router), a->key, reason);
    t->operand[0] = a->sweep.phase;
    t->operand[1] = a->sweep.stripe;
    t->operand[2] = reason == REASON_SWEPT ? a->moved : a->sweep.amount;
}

static void send_step(struct world *w, uint32_t row, enum accounts_reason reason)
{
    struct account_row *a = accounts_of(w) + row;
    uint16_t router = router_for(w, row);
    a->step = 0;
    if (routers_in(w)[router].down) {
        return; /* all are: the next tick does it again */
    }
    enum op_kind op = a->sweep.phase == SWEEP_LOOK ? OP_READ : OP_SWEEP;
    uint32_t key = a->sweep.phase == SWEEP_PUT ? a->key : a->stripe[a->sweep.stripe];
    uint32_t request = router_own(w, router, op, key, ORIGIN_ACCOUNT);
    if (request == NO_INDEX) {
        return;
    }
    struct request *r = requests_of(w) + request;
    r->spare = 1; /* a sweeper's, see accounts_landed */
    r->link = a->sweep.sequence;
    r->value = (uint64_t)a->sweep.amount;
    a->step = r->number;
    note_step(w, a, router, reason);
    router_route(w, request);
}

static void begin_stripe(struct world *w, uint32_t row, uint32_t stripe)
{
    sweep_begin(&accounts_of(w)[row].sweep, (uint8_t)stripe);
    send_step(w, row, REASON_SWEEP_STEP);
}

void account_sweep(struct world *w, uint32_t row)
{
    struct account_row *a = accounts_of(w) + row;
    if (a->sweep.phase == SWEEP_IDLE) {
        a->moved = 0;
        begin_stripe(w, row, 0);
        return;
    }
    struct account_row before = *a;
    if (sweep_again(&a->sweep, w->rules) == SWEEP_IDLE) {
        note_step(w, &before, router_for(w, row), REASON_SWEEP_FORGOT);
        a->moved = 0;
        begin_stripe(w, row, 0);
    } else {
        send_step(w, row, REASON_SWEEP_AGAIN);
    }
}

static void step_done(struct world *w, uint32_t row, int64_t balance)
{
    struct account_row *a = accounts_of(w) + row;
    switch ((enum sweep_phase)a->sweep.phase) {
    case SWEEP_LOOK:
        sweep_looked(&a->sweep, balance);
        break;
    case SWEEP_TAKE:
        sweep_taken(&a->sweep);
        break;
    case SWEEP_PUT:
        a->moved += a->sweep.amount;
        sweep_put(&a->sweep);
        break;
    case SWEEP_IDLE:
    case SWEEP_PHASES:
        CHECK(false && "no step was under way");
    }
    if (a->sweep.phase != SWEEP_IDLE) {
        send_step(w, row, REASON_SWEEP_STEP);
    } else if (a->sweep.stripe + 1u < a->made) {
        begin_stripe(w, row, a->sweep.stripe + 1u);
    } else {
        note_step(w, a, router_for(w, row), REASON_SWEPT);
    }
}

void account_sweep_landed(struct world *w, uint32_t request, enum outcome outcome, uint64_t value)
{
    const struct request *r = requests_in(w) + request;
    uint32_t row = keys_in(w)[r->key].account - 1u;
    struct account_row *a = accounts_of(w) + row;
    bool open = a->step == r->number;
    request_end(w, request);
    if (!open) {
        return; /* the step was done again meanwhile */
    }
    a->step = 0;
    if (outcome == OUTCOME_OK) {
        step_done(w, row, (int64_t)value);
    }
}

void accounts_handle(struct world *w, const struct event *event)
{
    uint32_t row = event->request;
    struct account_row *a = accounts_of(w) + row;
    if (a->period_us == 0 || event->carries.value != a->timer) {
        return;
    }
    struct event *next = queue_at(w, w->now_us + a->period_us, EVENT_JOB);
    next->request = row;
    next->detail = JOB_SWEEP;
    next->carries.value = a->timer;
    bool waits = a->sweep.phase != SWEEP_IDLE && a->step != 0 && a->step != a->overdue;
    a->overdue = a->step;
    if (!waits) {
        account_sweep(w, row);
        a->overdue = a->step;
    }
}
