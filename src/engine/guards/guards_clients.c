/*
 * guards_clients: what clients do when they were turned away, and what it costs.
 *
 * A repeat is a new request with the operation of the first, so that a shard that remembers
 * operations applies it once. It goes to the same router. It is never counted among what is asked
 * (rates.h), but beside it.
 *
 * The budget: each first ask that is over gives its zone's clients `percent` hundredths of a
 * repeat, each repeat costs a hundred of them, and at most BUDGET_SAVED repeats are saved up. So
 * repeats never exceed that percentage of the first asks, however much fails.
 */
#include "engine/guards/guards_inside.h"

#define BUDGET_REPEAT 100
#define BUDGET_SAVED INT64_C(10)
#define WAIT_MAX_US (INT64_C(60) * US_PER_SECOND)

static bool turned_away(enum outcome outcome)
{
    return outcome == OUTCOME_REFUSED || outcome == OUTCOME_FAILED || outcome == OUTCOME_LIMITED ||
           outcome == OUTCOME_SHED;
}

/* Whether the zone's clients can afford one more; it is paid then. */
static bool budget_allows(struct guards_state *g, uint8_t zone)
{
    if (g->budget_percent == 0) {
        return true;
    }
    if (g->budget[zone] < BUDGET_REPEAT) {
        return false;
    }
    g->budget[zone] -= BUDGET_REPEAT;
    return true;
}

static void budget_earn(struct guards_state *g, uint8_t zone)
{
    int64_t saved = g->budget[zone] + g->budget_percent;
    g->budget[zone] = saved < BUDGET_SAVED * BUDGET_REPEAT ? saved : BUDGET_SAVED * BUDGET_REPEAT;
}

/* Until the next try. Retry-After is a promise that asking before it is for nothing: chance comes
 * on top of it, never instead of it. */
static int64_t wait_of(struct guards_state *g, uint8_t attempt, int64_t retry_after_us)
{
    if (g->policy == CLIENTS_AT_ONCE) {
        return 0;
    }
    int64_t wait = g->first_wait_us << attempt;
    wait = wait < WAIT_MAX_US ? wait : WAIT_MAX_US;
    if (g->jitter) {
        wait = (int64_t)prng_below(&g->waiting, (uint64_t)wait + 1);
        return retry_after_us + wait;
    }
    return wait > retry_after_us ? wait : retry_after_us;
}

bool guards_ended(struct world *w, uint32_t request, enum outcome outcome, uint64_t retry_after_us)
{
    struct guards_state *g = &w->guards;
    struct request *r = requests_of(w) + request;
    if (r->attempt == 0) {
        budget_earn(g, r->zone);
    }
    if (!turned_away(outcome)) {
        return false;
    }
    if (r->attempt >= g->times) {
        g->given_up++;
        return false;
    }
    if (!budget_allows(g, r->zone)) {
        g->spared++;
        return false;
    }
    int64_t after = outcome == OUTCOME_LIMITED ? (int64_t)retry_after_us : 0;
    int64_t wait = wait_of(g, r->attempt, after);
    if (wait > 0) {
        struct trace_record *t = trace_add_request(w, TRACE_GUARD, r);
        t->arrive_us += wait;
        t->from = node_of(NODE_CLIENT, r->zone);
        t->reason = (uint16_t)REASON_CLIENT_WAITS;
        t->operand[0] = wait;
        t->operand[1] = r->attempt + 1;
        t->operand[2] = after;
    }
    request_timer(w, request, EVENT_AGAIN, wait); /* keeps its place until then */
    request_end(w, request);
    return true;
}

void guards_ask_again(struct world *w, const struct event *event)
{
    struct request *first = requests_of(w) + event->request;
    const struct request old = *first;
    first->asked_by_command = 0; /* whoever waits for it waits for the new one */
    request_settle(w, event->request);
    uint32_t index = request_new(w, (enum op_kind)old.op, old.key, old.router);
    if (index == NO_INDEX) {
        return;
    }
    struct request *r = requests_of(w) + index;
    r->zone = old.zone;
    r->operation = old.operation;
    r->value = old.value;
    r->attempt = (old.attempt + 1) & 15;
    r->counted = 1;
    r->asked_by_command = old.asked_by_command;
    if (w->last_command_number == old.number) {
        w->last_command_number = r->number;
    }
    w->guards.repeats++;
    if (guards_untreated(w, r)) {
        guard_shards_of(w)[owners_in(w)[r->slot]].repeats++;
    }
    client_send(w, index, (enum reason)REASON_AGAIN);
}
