/*
 * accounts_index: the index entry that a write brings with it.
 */
#include "engine/accounts/accounts_inside.h"

#include "engine/queue.h"
#include "engine/steps.h"

static void send_entry(struct world *w, uint32_t write, uint32_t row)
{
    struct request *r = requests_of(w) + write;
    const struct account_row *a = accounts_in(w) + row;
    uint32_t entry = router_own(w, r->router, OP_LIKE, a->key, ORIGIN_INDEX);
    if (entry == NO_INDEX) {
        return;
    }
    struct request *e = requests_of(w) + entry;
    struct trace_record *t =
        account_note(w, node_of(NODE_ROUTER, r->router), a->key, REASON_INDEX_WITH);
    t->request = e->number;
    t->op = OP_LIKE;
    t->operand[0] = (int64_t)r->number;
    t->operand[1] = a->mode;
    if (a->mode == INDEX_SYNC) {
        e->link = write;
        r->flying++;
    }
    e->which = (uint8_t)row;
    if (keys_in(w)[a->key].writes == 0 || !writes_take(w, entry)) {
        router_route(w, entry);
    }
}

bool accounts_index(struct world *w, uint32_t request)
{
    struct request *r = requests_of(w) + request;
    uint32_t row = keys_in(w)[r->key].index - 1u;
    const struct account_row *a = accounts_in(w) + row;
    const struct account_spot *spot = account_spot_in(w, row, r->router);
    if (a->mode == INDEX_THROTTLE && spot->behind > 0) {
        r->shard = spot->refuser;
        router_reply(w, request, OUTCOME_REFUSED, 0, (enum reason)REASON_INDEX_THROTTLES)
            ->operand[2] = spot->behind;
        return true;
    }
    send_entry(w, request, row);
    return a->mode == INDEX_SYNC;
}

/* Refused: it is tried again, later each time. False: its tries are used up, or too many wait. */
static bool try_again(struct world *w, uint32_t entry, struct account_spot *spot)
{
    struct request *e = requests_of(w) + entry;
    spot->refuser = e->shard;
    if (e->asks >= ATTEMPTS_MAX || (!e->spare && spot->behind >= INDEX_BEHIND_MAX)) {
        return false;
    }
    if (!e->spare) {
        e->spare = 1;
        spot->behind++;
    }
    int64_t wait = BACKOFF_FIRST_US << e->retries;
    e->retries = (e->retries + 1) & 15;
    e->turn = (e->turn + 1) & 15;
    struct trace_record *t =
        account_note(w, node_of(NODE_ROUTER, e->router), e->key, REASON_INDEX_WAITS);
    t->request = e->number;
    t->arrive_us += wait;
    t->operand[0] = wait;
    t->operand[1] = e->retries;
    t->operand[2] = spot->behind;
    request_timer(w, entry, EVENT_WAKE, wait);
    return true;
}

/* The write that waited for its entry goes on, or is refused with it. */
static void write_goes_on(struct world *w, const struct request *entry, enum outcome outcome)
{
    uint32_t write = entry->link;
    struct request *r = requests_of(w) + write;
    r->flying--;
    if (r->ended) {
        request_settle(w, write);
    } else if (outcome == OUTCOME_OK) {
        router_write(w, write);
    } else {
        account_pass_on(w, write, entry, outcome);
    }
}

void account_index_landed(struct world *w, uint32_t request, enum outcome outcome)
{
    struct request *e = requests_of(w) + request;
    struct account_row *a = accounts_of(w) + e->which;
    struct account_spot *spot = account_spot_at(w, e->which, e->router);
    if (outcome == OUTCOME_REFUSED && e->link == NO_INDEX && try_again(w, request, spot)) {
        return;
    }
    if (e->spare && spot->behind > 0) {
        spot->behind--;
    }
    like_told(w, e, outcome == OUTCOME_OK);
    if (outcome == OUTCOME_OK) {
        a->written++;
    } else {
        a->missing++;
        struct trace_record *t =
            account_note(w, node_of(NODE_ROUTER, e->router), e->key, REASON_INDEX_GIVEN_UP);
        t->request = e->number;
        t->operand[0] = e->asks;
    }
    struct request entry = *e;
    request_end(w, request);
    if (entry.link != NO_INDEX) {
        write_goes_on(w, &entry, outcome);
    }
}
