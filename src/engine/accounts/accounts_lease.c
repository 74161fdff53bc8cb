/*
 * accounts_lease: routers that lease blocks of a budget's tokens, and the takes that wait for them.
 */
#include "engine/accounts/accounts_inside.h"

#include "engine/steps.h"

void account_spend(struct world *w, struct account_row *a)
{
    uint32_t second = account_second(w);
    if (a->second != second) {
        a->second = second;
        a->spent = 0;
        a->most = a->rate;
    }
    a->spent++;
}

static void reply_spent(struct world *w, uint32_t request, uint32_t row)
{
    uint16_t router = requests_in(w)[request].router;
    uint32_t left = account_spot_at(w, row, router)->lease.tokens;
    account_spend(w, accounts_of(w) + row);
    router_reply(w, request, OUTCOME_OK, left, (enum reason)REASON_TOKEN_SPENT)->operand[2] = left;
}

static void reply_dry(struct world *w, uint32_t request, uint32_t row)
{
    router_reply(w, request, OUTCOME_SHORT, 0, (enum reason)REASON_BUDGET_DRY)->operand[2] =
        accounts_in(w)[row].rate;
}

/* --- takes that wait, by `link`; those that end meanwhile stay until their turn ----------------
 */

static void wait_for_block(struct world *w, uint32_t request, struct account_spot *spot)
{
    struct request *r = requests_of(w) + request;
    r->flying++;
    r->link = NO_INDEX;
    if (spot->first == NO_INDEX) {
        spot->first = request;
    } else {
        requests_of(w)[spot->last].link = request;
    }
    spot->last = request;
}

/* The first that still waits, taken off the list; NO_INDEX: nobody does. */
static uint32_t next_waiting(struct world *w, struct account_spot *spot)
{
    while (spot->first != NO_INDEX) {
        uint32_t request = spot->first;
        struct request *r = requests_of(w) + request;
        spot->first = r->link;
        r->link = NO_INDEX;
        r->flying--;
        if (!r->ended) {
            return request;
        }
        request_settle(w, request);
    }
    return NO_INDEX;
}

static bool somebody_waits(struct world *w, struct account_spot *spot)
{
    uint32_t request = next_waiting(w, spot);
    if (request == NO_INDEX) {
        return false;
    }
    struct request *r = requests_of(w) + request;
    r->flying++;
    r->link = spot->first;
    spot->last = spot->first == NO_INDEX ? request : spot->last;
    spot->first = request;
    return true;
}

/* --- blocks ------------------------------------------------------------------------------------
 */

static void ask_for_block(struct world *w, uint32_t row, uint16_t router)
{
    const struct account_row *a = accounts_in(w) + row;
    struct account_spot *spot = account_spot_at(w, row, router);
    uint32_t request = router_own(w, router, OP_LEASE, a->key, ORIGIN_ACCOUNT);
    if (request == NO_INDEX) {
        return;
    }
    struct request *r = requests_of(w) + request;
    r->value = a->block;
    r->link = lease_asked(&spot->lease);
    spot->block = request;
    struct trace_record *t =
        account_note(w, node_of(NODE_ROUTER, router), a->key, REASON_LEASE_ASKED);
    t->request = r->number;
    t->operand[0] = a->block;
    t->operand[1] = a->rate;
    t->operand[2] = spot->lease.second;
    router_route(w, request);
}

/* Whoever waits gets a token, as long as there are any. */
static void serve_waiting(struct world *w, uint32_t row, uint16_t router)
{
    struct account_spot *spot = account_spot_at(w, row, router);
    while (somebody_waits(w, spot)) {
        enum lease_choice choice = lease_take(&spot->lease, account_second(w));
        if (choice == LEASE_ASK) {
            ask_for_block(w, row, router);
            return;
        }
        if (choice == LEASE_WAIT) {
            return;
        }
        uint32_t request = next_waiting(w, spot);
        if (choice == LEASE_SPEND) {
            reply_spent(w, request, row);
        } else {
            reply_dry(w, request, row);
        }
    }
}

void account_token_wanted(struct world *w, uint32_t request)
{
    const struct request *r = requests_in(w) + request;
    uint32_t row = keys_in(w)[r->key].account - 1u;
    struct account_spot *spot = account_spot_at(w, row, r->router);
    if (accounts_in(w)[row].block == 1) {
        router_route(w, request);
        return;
    }
    switch (lease_take(&spot->lease, account_second(w))) {
    case LEASE_SPEND:
        reply_spent(w, request, row);
        return;
    case LEASE_DRY:
        reply_dry(w, request, row);
        return;
    case LEASE_WAIT:
        wait_for_block(w, request, spot);
        return;
    case LEASE_ASK:
        wait_for_block(w, request, spot);
        ask_for_block(w, row, r->router);
        return;
    }
    CHECK(false && "a take of no choice");
}

void account_block_landed(struct world *w, uint32_t request, enum outcome outcome, uint64_t value)
{
    struct request r = requests_in(w)[request];
    uint32_t row = keys_in(w)[r.key].account - 1u;
    struct account_spot *spot = account_spot_at(w, row, r.router);
    request_end(w, request);
    if (spot->block != request) {
        return; /* asked for before the router crashed */
    }
    spot->block = NO_INDEX;
    if (outcome != OUTCOME_OK && outcome != OUTCOME_SHORT) {
        lease_failed(&spot->lease);
        for (uint32_t take = next_waiting(w, spot); take != NO_INDEX;
             take = next_waiting(w, spot)) {
            account_pass_on(w, take, &r, outcome);
        }
        return;
    }
    uint32_t granted = outcome == OUTCOME_OK ? (uint32_t)value : 0;
    bool in_time = lease_landed(&spot->lease, account_second(w), granted);
    struct trace_record *t =
        account_note(w, node_of(NODE_ROUTER, r.router), r.key, REASON_LEASE_GOT);
    t->request = r.number;
    t->operand[0] = granted;
    t->operand[1] = (int64_t)r.value;
    t->operand[2] = in_time;
    serve_waiting(w, row, r.router);
}

void account_lease_crashed(struct world *w, uint32_t row, uint16_t router)
{
    struct account_spot *spot = account_spot_at(w, row, router);
    lease_crashed(&spot->lease);
    while (spot->first != NO_INDEX) { /* they will hear nothing; their clients know how long */
        next_waiting(w, spot);
    }
    spot->block = NO_INDEX;
    spot->behind = 0;
}
