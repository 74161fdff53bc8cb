/*
 * accounts: what routers and shards do with credits, debits and takes.
 */
#include "engine/accounts/accounts_inside.h"

#include "engine/steps.h"
#include "engine/store.h"

/* --- cells -------------------------------------------------------------------------------------
 */

struct stripe_cell account_cell(const struct world *w, uint16_t shard, uint32_t key)
{
    const struct store_entry *entry = store_find(w, shard, key);
    struct stripe_cell cell = {0};
    if (entry != NULL) {
        cell.balance = (int64_t)entry->value;
        cell.sequence = entry->sequence;
    }
    return cell;
}

static void keep_cell(struct world *w, uint16_t shard, uint32_t key, const struct stripe_cell *cell)
{
    struct store_entry *entry = store_put(w, shard, key);
    CHECK(entry != NULL); /* serve_write has made it */
    entry->value = (uint64_t)cell->balance;
    entry->sequence = cell->sequence;
}

struct trace_record *account_note(struct world *w, struct node from, uint32_t key,
                                  enum accounts_reason reason)
{
    struct trace_record *t = trace_add(w, TRACE_ACCOUNT);
    t->key = key;
    t->slot = keys_in(w)[key].slot;
    t->from = from;
    t->reason = (uint16_t)reason;
    return t;
}

/* --- at a router -------------------------------------------------------------------------------
 */

static void send_to_cell(struct world *w, uint32_t request, uint32_t key)
{
    struct request *r = requests_of(w) + request;
    r->key = key;
    r->slot = keys_in(w)[key].slot;
    router_route(w, request);
}

/* The next stripe in turn; routers begin at different ones. */
static uint32_t next_stripe(struct world *w, uint32_t row, uint16_t router)
{
    struct account_spot *spot = account_spot_at(w, row, router);
    return (router + spot->turn++) % accounts_in(w)[row].stripes;
}

static void take_credit(struct world *w, uint32_t request, uint32_t row)
{
    const struct request *r = requests_in(w) + request;
    const struct account_row *a = accounts_in(w) + row;
    if (r->key != a->key || a->stripes == 0) {
        router_route(w, request); /* sent again, to the stripe that it went to before */
        return;
    }
    uint32_t stripe = next_stripe(w, row, r->router);
    struct trace_record *t =
        account_note(w, node_of(NODE_ROUTER, r->router), a->stripe[stripe], REASON_CREDIT_STRIPED);
    t->request = r->number;
    t->operand[0] = stripe;
    t->operand[1] = a->stripes;
    send_to_cell(w, request, a->stripe[stripe]);
}

/* With RULE_DEBIT_MAIN_ONLY off: reads one cell after the other on behalf of a debit. */
static void look_at_cell(struct world *w, uint32_t debit, uint32_t cell, int64_t sum)
{
    const struct request *r = requests_in(w) + debit;
    const struct account_row *a = account_row_of(w, r->key);
    uint32_t look = router_own(w, r->router, OP_READ, account_cell_key(a, cell), ORIGIN_ACCOUNT);
    if (look == NO_INDEX) {
        return;
    }
    struct request *q = requests_of(w) + look;
    q->link = debit;
    q->which = (uint8_t)cell;
    q->value = (uint64_t)sum;
    router_route(w, look);
}

static void take_debit(struct world *w, uint32_t request, const struct account_row *a)
{
    struct request *r = requests_of(w) + request;
    if (rule_on(w->rules, RULE_DEBIT_MAIN_ONLY) || a->stripes == 0) {
        send_to_cell(w, request, a->key);
        return;
    }
    r->flying++; /* the look refers to it */
    look_at_cell(w, request, 0, 0);
}

bool accounts_take(struct world *w, uint32_t request)
{
    struct request *r = requests_of(w) + request;
    uint32_t row = keys_in(w)[r->key].account - 1u;
    const struct account_row *a = accounts_in(w) + row;
    if (!op_of_account((enum op_kind)r->op)) {
        return false;
    }
    if (r->op == OP_TAKE) {
        if (a->kind == ACCOUNT_BUDGET) {
            account_token_wanted(w, request);
        } else {
            router_route(w, request);
        }
        return true;
    }
    if (r->link == NO_INDEX) {
        uint64_t amount = r->value == 0 ? 1 : r->value;
        r->link = (uint32_t)(amount < AMOUNT_MAX ? amount : AMOUNT_MAX);
    }
    if (a->kind != ACCOUNT_BALANCE) {
        router_route(w, request);
    } else if (r->op == OP_CREDIT) {
        take_credit(w, request, row);
    } else {
        take_debit(w, request, a);
    }
    return true;
}

void account_pass_on(struct world *w, uint32_t request, const struct request *from,
                     enum outcome outcome)
{
    struct request *r = requests_of(w) + request;
    r->shard = from->shard;
    r->asks = from->asks;
    r->timeouts = from->timeouts;
    router_reply(w, request, outcome, 0,
                 outcome == OUTCOME_REFUSED  ? REASON_NO_TOKEN
                 : outcome == OUTCOME_FAILED ? REASON_GAVE_UP
                                             : REASON_NONE);
}

/* All cells are added up: the debit goes to a stripe if the sum allows it. */
static void debit_by_sum(struct world *w, uint32_t debit, int64_t sum)
{
    const struct request *r = requests_in(w) + debit;
    uint32_t row = keys_in(w)[r->key].account - 1u;
    const struct account_row *a = accounts_in(w) + row;
    int64_t amount = r->link;
    struct trace_record *t =
        account_note(w, node_of(NODE_ROUTER, r->router), a->key, REASON_SUM_READ);
    t->request = r->number;
    t->operand[0] = sum;
    t->operand[1] = amount;
    t->operand[2] = a->floor;
    if (sum < a->floor || sum - a->floor < amount) {
        uint64_t left = sum > a->floor ? (uint64_t)(sum - a->floor) : 0;
        router_reply(w, debit, OUTCOME_SHORT, left, REASON_NONE);
    } else if (a->stripes == 0) { /* they were given up meanwhile */
        send_to_cell(w, debit, a->key);
    } else {
        send_to_cell(w, debit, a->stripe[next_stripe(w, row, r->router)]);
    }
}

static void look_landed(struct world *w, uint32_t look, enum outcome outcome, uint64_t value)
{
    struct request q = requests_in(w)[look];
    struct request *r = requests_of(w) + q.link;
    int64_t sum = (int64_t)q.value + (int64_t)value;
    uint32_t next = q.which + 1u;
    request_end(w, look);
    if (outcome == OUTCOME_OK && !r->ended && next < account_cells(account_row_of(w, r->key))) {
        look_at_cell(w, q.link, next, sum);
        return;
    }
    r->flying--;
    if (r->ended) {
        request_settle(w, q.link);
    } else if (outcome == OUTCOME_OK) {
        debit_by_sum(w, q.link, sum);
    } else {
        account_pass_on(w, q.link, &q, outcome);
    }
}

void accounts_landed(struct world *w, uint32_t request, enum outcome outcome, uint64_t value)
{
    const struct request *r = requests_in(w) + request;
    if (r->origin == ORIGIN_INDEX) {
        account_index_landed(w, request, outcome);
    } else if (r->op == OP_LEASE) {
        account_block_landed(w, request, outcome, value);
    } else if (r->spare) {
        account_sweep_landed(w, request, outcome, value);
    } else {
        look_landed(w, request, outcome, value);
    }
}

/* A request of a router that dies lets go of the one that waited for it. */
static void let_go(struct world *w, struct request *r)
{
    bool entry = r->origin == ORIGIN_INDEX;
    bool look = r->origin == ORIGIN_ACCOUNT && r->op == OP_READ && !r->spare;
    uint32_t waits = r->link;
    if (entry) {
        like_told(w, r, false);
    }
    if ((entry || look) && waits != NO_INDEX) {
        r->link = NO_INDEX;
        requests_of(w)[waits].flying--;
        request_settle(w, waits);
    }
}

void accounts_crash(struct world *w, uint16_t router)
{
    for (uint32_t row = 0; row < w->accounts.count; row++) {
        account_lease_crashed(w, row, router);
    }
    for (uint32_t i = 0; w->accounts.count > 0 && i < w->requests_used; i++) {
        struct request *r = requests_of(w) + i;
        if (r->number != 0 && !r->ended && r->router == router) {
            let_go(w, r);
        }
    }
}

/* --- at a shard --------------------------------------------------------------------------------
 */

/* The ledger of a balance: each request counts once, whatever the cells do. */
static void book(struct account_row *a, struct request *r)
{
    if (r->applied) {
        return;
    }
    r->applied = 1;
    *(r->op == OP_CREDIT ? &a->credited : &a->debited) += r->link;
    int64_t sum = a->opening + a->credited - a->debited;
    int64_t low = sum < a->floor ? sum : a->floor;
    a->low = low > a->low ? low : a->low;
}

uint32_t accounts_decision(const struct request *r)
{
    bool declined = (r->op == OP_DEBIT || r->op == OP_TAKE) && !r->applied;
    return declined ? ~r->operation : r->operation;
}

/* A debit is decided once: were it declined, and a copy of it that comes later not, its client
 * would not know that it was debited. The shard remembers what it declined beside what it applied.
 */
static bool declined_before(const struct world *w, uint16_t shard, const struct request *r)
{
    return w->config.recent_max > 0 && rule_on(w->rules, RULE_ONCE_PER_OPERATION) &&
           faults_seen(w, shard, r->key, ~r->operation);
}

static enum outcome serve_debit(struct world *w, uint16_t shard, struct request *r,
                                struct account_row *a, struct stripe_cell *cell)
{
    if (declined_before(w, shard, r)) {
        return OUTCOME_SHORT;
    }
    if (!stripe_debit(cell, w->rules, r->key == a->key, r->link, a->floor)) {
        if (w->config.recent_max > 0) {
            faults_remember(w, shard, r->key, accounts_decision(r));
        }
        struct trace_record *t = account_note(w, node_of(NODE_SHARD, shard), r->key, REASON_FLOOR);
        t->request = r->number;
        t->operand[0] = cell->balance;
        t->operand[1] = r->link;
        t->operand[2] = a->floor;
        return OUTCOME_SHORT;
    }
    book(a, r);
    return OUTCOME_OK;
}

static enum outcome serve_sweep(struct world *w, uint16_t shard, const struct request *r,
                                const struct account_row *a, struct stripe_cell *cell)
{
    uint32_t last = cell->sequence;
    int64_t amount = (int64_t)r->value;
    bool first = r->key == a->key ? stripe_put(cell, w->rules, r->link, amount)
                                  : stripe_take(cell, w->rules, r->link, amount);
    if (!first) {
        struct trace_record *t =
            account_note(w, node_of(NODE_SHARD, shard), r->key, REASON_SWEEP_SEEN);
        t->request = r->number;
        t->operand[0] = r->link;
        t->operand[1] = last;
        t->operand[2] = amount;
    }
    return OUTCOME_OK;
}

static enum outcome serve_balance(struct world *w, uint16_t shard, struct request *r,
                                  struct account_row *a, uint64_t *value)
{
    struct stripe_cell cell = account_cell(w, shard, r->key);
    enum outcome outcome = OUTCOME_SHORT;
    if (r->op == OP_CREDIT && stripe_credit(&cell, r->link)) {
        book(a, r);
        outcome = OUTCOME_OK;
    } else if (r->op == OP_DEBIT) {
        outcome = serve_debit(w, shard, r, a, &cell);
    } else if (r->op == OP_SWEEP) {
        outcome = serve_sweep(w, shard, r, a, &cell);
    }
    keep_cell(w, shard, r->key, &cell);
    *value = (uint64_t)cell.balance;
    if (outcome == OUTCOME_SHORT) {
        *value = cell.balance > a->floor ? (uint64_t)(cell.balance - a->floor) : 0;
    }
    return outcome;
}

static enum outcome serve_budget(struct world *w, uint16_t shard, struct request *r,
                                 struct account_row *a, uint64_t *value)
{
    struct store_entry *entry = store_put(w, shard, r->key);
    CHECK(entry != NULL);
    bool block = r->op == OP_LEASE;
    struct lease_budget budget = {.used = entry->value, .second = entry->sequence};
    struct lease_ask ask = {.rate = a->rate,
                            .want = block ? (uint32_t)r->value : 1,
                            .spent = block ? r->link : 0,
                            .second = account_second(w)};
    /* One token that is granted is spent: there is nothing to forget in between. */
    uint64_t rules = block ? w->rules : w->rules | rule_bit(RULE_LEASE_ONCE);
    uint32_t granted = lease_grant(&budget, rules, &ask);
    entry->value = budget.used;
    entry->sequence = budget.second;
    *value = granted;
    if (granted > 0 && !block) {
        account_spend(w, a);
        r->applied = 1;
        *value = a->rate > budget.used ? a->rate - budget.used : 0;
    }
    return granted > 0 ? OUTCOME_OK : OUTCOME_SHORT;
}

enum outcome accounts_serve(struct world *w, uint16_t shard, uint32_t request, uint64_t *value)
{
    struct request *r = requests_of(w) + request;
    struct account_row *a = account_row_of(w, r->key);
    bool token = r->op == OP_TAKE || r->op == OP_LEASE;
    if (a != NULL && a->kind == ACCOUNT_BALANCE && !token) {
        return serve_balance(w, shard, r, a, value);
    }
    if (a != NULL && a->kind == ACCOUNT_BUDGET && token) {
        return serve_budget(w, shard, r, a, value);
    }
    *value = 0; /* there is no such account or budget here */
    return OUTCOME_SHORT;
}

void accounts_told(struct world *w, uint32_t request, enum outcome outcome)
{
    const struct request *r = requests_in(w) + request;
    struct account_row *a = account_row_of(w, r->key);
    if (r->op == OP_TAKE || r->link == NO_INDEX || a == NULL || a->kind != ACCOUNT_BALANCE) {
        return;
    }
    if (outcome == OUTCOME_OK) {
        *(r->op == OP_CREDIT ? &a->told_credited : &a->told_debited) += r->link;
    } else if (outcome == OUTCOME_SHORT && r->applied) {
        a->untrue++;
    }
}
