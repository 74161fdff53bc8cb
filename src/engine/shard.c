/*
 * shard: answers requests by its slot table and its ceilings.
 *
 * It decides, and changes its store, at the instant at which the request arrives (or, queued, at
 * which it has its token); the answer leaves when the query's time is over. An answer that served
 * nothing leaves at once.
 */
#include "engine/bucket.h"
#include "engine/queue.h"
#include "engine/steps.h"
#include "engine/store.h"
#include "engine/table.h"

struct decision {
    enum outcome outcome;
    enum reason reason;
    uint16_t rejected;
    uint32_t epoch; /* the row's */
    uint16_t target;
    uint64_t value;
    uint64_t shown; /* ORIGIN_ENTRY: what the trace has instead of the value, which is packed */
    int64_t operand[3];
};

static uint16_t bit(enum outcome outcome)
{
    return (uint16_t)(1u << outcome);
}

/* The words for an answer of the slot table. */
static void explain(struct decision *d, const struct slot_row *row, const struct request *r)
{
    d->operand[0] = d->epoch;
    d->operand[1] = r->epoch;
    d->rejected = (uint16_t)(bit(OUTCOME_OK) | bit(OUTCOME_RETRY));
    switch (d->outcome) {
    case OUTCOME_OK:
    case OUTCOME_OK_RELOAD:
        d->reason = d->outcome == OUTCOME_OK ? REASON_OWNED : REASON_OWNED_OLD_MAP;
        d->rejected = (uint16_t)(bit(OUTCOME_MOVED) | bit(OUTCOME_RETRY));
        if (row->state != SLOT_OWNED) {
            d->reason = REASON_SERVED_IN_MOVE;
            d->operand[0] = row->state;
            d->operand[1] = d->epoch;
        }
        return;
    case OUTCOME_RETRY:
        d->reason = REASON_MIGRATING;
        d->rejected = (uint16_t)(bit(OUTCOME_OK) | bit(OUTCOME_MOVED));
        return;
    case OUTCOME_ASK:
        d->reason = REASON_KEY_LEFT;
        return;
    case OUTCOME_TRY_AGAIN:
        d->reason = REASON_KEYS_SPLIT;
        return;
    case OUTCOME_MOVED:
        d->reason = row == NULL ? REASON_NO_ROW : REASON_NOT_YET_MINE;
        if (row != NULL && row->state == SLOT_MOVED) {
            d->reason = REASON_ROW_MOVED;
            d->target = row->other;
            d->operand[0] = row->other;
            d->operand[1] = row->epoch;
            d->rejected |= bit(OUTCOME_REFUSED);
        }
        return;
    case OUTCOME_NONE:
    case OUTCOME_REFUSED:
    case OUTCOME_FAILED:
    case OUTCOME_LIMITED:
    case OUTCOME_SHED:
    case OUTCOME_NOT_NEWER:
    case OUTCOME_SHORT:
    case OUTCOME_COUNT:
        break;
    }
    CHECK(false && "no answer of a slot table");
}

/* What the slot table says about a request (proto/slot.h); OK or OK_RELOAD: it may be served. */
static void look_up(const struct world *w, uint16_t shard, const struct request *r,
                    struct decision *d)
{
    const struct slot_row *row = table_find(w, shard, r->slot);
    *d = (struct decision){.outcome = OUTCOME_OK, .reason = REASON_OWNED, .target = SHARD_NONE};
    d->epoch = row == NULL ? 0 : row->epoch;
    struct slot_question q = {
        .state = row == NULL ? SLOT_ABSENT : (enum slot_state)row->state,
        .row_epoch = d->epoch,
        .seen_epoch = r->epoch,
        .read = op_reads((enum op_kind)r->op),
        .asking = r->asking,
    };
    if (q.state == SLOT_LEAVING || q.state == SLOT_ARRIVING) {
        q.presence = shifts_presence(w, shard, r);
    }
    if (!rule_on(w->rules, RULE_SLOT_TABLE_CHECK)) {
        d->reason = REASON_NOT_CHECKED;
        d->operand[0] = q.state;
        d->operand[1] = d->epoch;
        return;
    }
    d->outcome = slot_answer(w->rules, &q);
    explain(d, row, r);
    if (d->outcome == OUTCOME_ASK) {
        d->target = shifts_asked_of(w, shard, r->slot);
        d->operand[0] = d->target;
    }
}

/* The ledger of likes: what is in a store, and whether its client knows. */
static void note_like(struct world *w, uint16_t shard, struct request *r)
{
    struct key_entry *key = keys_of(w) + r->key;
    if (r->applied) {
        return; /* applied twice: the store holds one too many, and the ledger tells */
    }
    r->applied = 1;
    if (r->ended) {
        key->unknown++;
        return;
    }
    r->held = 1;
    r->stray = (w->shifts.count > 0 ? shifts_home(w, r->key) : owners_in(w)[r->slot]) != shard;
    *(r->stray ? &key->stray_flying : &key->flying) += 1;
}

/* A read: of one key, of all sub-keys of a count that are in this slot, or of both. */
static void serve_read(struct world *w, uint16_t shard, uint32_t request, struct decision *d)
{
    const struct request *r = requests_in(w) + request;
    uint32_t keys = 1;
    if (!r->many) {
        d->value = store_value(w, shard, r->key);
    } else if (r->origin == ORIGIN_FETCH && r->spare) { /* a key, and the count beside it */
        d->value = store_value(w, shard, r->key);
        keys += reads_serve_beside(w, shard, request);
    } else {
        d->value = writes_sum(w, shard, r, &keys);
    }
    if (r->many && w->shifts.count > 0) {
        shifts_summed(w, shard, r);
    }
    shards_of(w)[shard].key_reads += keys;
    uint32_t copy = shards_in(w)[shard].copies > 1 ? reads_next_copy(w, shard, r) : 0;
    if (copy > 0) {
        d->value = reads_followed(w, r->key, d->value);
        d->reason = (enum reason)REASON_FOLLOWER;
        d->operand[0] = copy;
        d->operand[1] = w->config.replica_lag_us;
    }
}

static void serve_edit(struct world *w, uint16_t shard, uint32_t request, struct store_entry *entry,
                       struct decision *d)
{
    bool half = requests_in(w)[request].origin == ORIGIN_DUAL;
    if (!half && w->shifts.dual == 0) {
        entry->edits++;
        return;
    }
    uint64_t version = 0;
    enum outcome outcome = shifts_edit(w, shard, request, &version);
    if (half) { /* a client is told whether, its router which */
        d->outcome = outcome == OUTCOME_OK ? d->outcome : outcome;
        d->value = version;
    }
}

/* Whether the shard has applied this operation. It knows while a message about it may still come
 * (the request itself tells); longer, and of those that a client sends again as a new request, it
 * remembers config.recent_max a key. A lease's answer must be a block that left the budget for it.
 */
static bool met_before(const struct world *w, uint16_t shard, const struct request *r)
{
    return (r->applied && r->op < OP_ASKABLE) || (w->config.recent_max > 0 && r->op != OP_LEASE &&
                                                  faults_seen(w, shard, r->key, r->operation));
}

static void serve_write(struct world *w, uint16_t shard, uint32_t request, struct decision *d)
{
    struct request *r = requests_of(w) + request;
    struct store_entry *entry = store_put(w, shard, r->key);
    if (entry == NULL) {
        world_stop(w, STOP_STORE);
        return;
    }
    uint64_t before = entry->value;
    d->value = before;
    if (rule_on(w->rules, RULE_ONCE_PER_OPERATION) && met_before(w, shard, r)) {
        d->reason = REASON_SEEN_BEFORE;
        d->operand[0] = r->operation;
        d->value = r->origin == ORIGIN_DUAL ? entry->edits : before;
        return;
    }
    if (entry->gone) {
        store_set_gone(w, entry, false);
    }
    if (r->op == OP_EDIT) {
        serve_edit(w, shard, request, entry, d);
    } else if (r->op == OP_LIKE) {
        d->value = ++entry->value;
        note_like(w, shard, r);
        if (keys_in(w)[r->key].writes != 0) {
            writes_applied(w, request);
        }
    } else {
        bool of_count = r->op == OP_FLUSH || r->op == OP_CLAIM || r->op == OP_CORRECT;
        enum outcome outcome = of_count ? writes_serve(w, shard, request, &d->value)
                                        : accounts_serve(w, shard, request, &d->value);
        d->outcome = outcome == OUTCOME_OK ? d->outcome : outcome;
    }
    if (d->outcome == OUTCOME_NOT_NEWER) {
        return; /* nothing changed: it has no place in the log, and may come again */
    }
    if (d->outcome != OUTCOME_SHORT) {
        r->applied = 1;
        if (w->config.recent_max > 0) {
            faults_remember(w, shard, r->key, r->operation);
        }
    }
    if (keys_in(w)[r->key].reads != 0 && entry->value != before) {
        reads_changed(w, r->key, before);
    }
    shards_of(w)[shard].position++;
    if (w->moves.count > 0) {
        moves_wrote(w, shard, request);
    }
}

/* A message of a transaction: its module knows what came before, by the transaction's number. */
static void serve_txn(struct world *w, uint16_t shard, uint32_t request, struct decision *d)
{
    struct txn_answer a = txns_serve(w, shard, request);
    d->value = a.value;
    d->reason = (enum reason)a.reason;
    d->operand[0] = a.operand[0];
    d->operand[1] = a.operand[1];
    d->operand[2] = a.operand[2];
}

/* A row or an index entry of a catalog: its key stands in the store and its write in the log; what
 * it says is the module's. */
static void serve_entry(struct world *w, uint16_t shard, uint32_t request, struct decision *d)
{
    struct request *r = requests_of(w) + request;
    if (!op_reads((enum op_kind)r->op) && !r->applied) {
        struct store_entry *entry = store_put(w, shard, r->key);
        if (entry == NULL) {
            world_stop(w, STOP_STORE);
            return;
        }
        if (entry->gone) {
            store_set_gone(w, entry, false);
        }
        r->applied = 1;
        shards_of(w)[shard].position++;
        if (w->moves.count > 0) {
            moves_wrote(w, shard, request);
        }
    }
    struct entry_served a = indexes_serve(w, shard, request);
    d->value = a.value;
    if (a.reason != REASON_NONE) {
        d->reason = (enum reason)a.reason;
        d->operand[0] = a.operand[0];
        d->operand[1] = a.operand[1];
        d->target = a.catalog;
        d->shown = a.term;
    }
}

/* What copies that use its disk add to something that takes so much without them. */
static int64_t shard_extra(const struct world *w, uint16_t shard, int64_t plain)
{
    uint32_t extra = shards_in(w)[shard].extra;
    return extra == 0 ? 0 : plain * extra / 1000;
}

static void answer(struct world *w, uint16_t shard, const struct event *asked,
                   const struct decision *d)
{
    const struct request *r = requests_in(w) + asked->request;
    bool served = d->outcome == OUTCOME_OK || d->outcome == OUTCOME_OK_RELOAD ||
                  d->outcome == OUTCOME_NOT_NEWER || d->outcome == OUTCOME_SHORT;
    enum leg leg = served ? LEG_SERVED : LEG_ANSWER;
    uint8_t from = shards_in(w)[shard].zone;
    uint8_t to = routers_in(w)[r->router].zone;
    int64_t extra_us = served ? shard_extra(w, shard, w->config.query_us) : 0;
    struct event *event = extra_us > 0 ? request_timer(w, asked->request, EVENT_ANSWER,
                                                       w->queue.leg_us[leg][from][to] + extra_us)
                                       : request_send(w, asked->request, leg, from, to);
    event->detail = (uint8_t)((unsigned)event_turn(asked) << 4 | (unsigned)d->outcome);
    event->node = r->router;
    if (d->outcome == OUTCOME_MOVED || d->outcome == OUTCOME_ASK) {
        event->carries.moved.epoch = d->epoch;
        event->carries.moved.target = d->target;
    } else {
        event->carries.value = d->value;
    }
    int64_t arrive_us = event->time_us;

    struct trace_record *t = trace_add_request(w, TRACE_ANSWER, r);
    t->arrive_us = arrive_us;
    t->epoch = d->epoch;
    t->from = node_of(NODE_SHARD, shard);
    t->to = node_of(NODE_ROUTER, r->router);
    t->outcome = (uint8_t)d->outcome;
    t->reason = (uint16_t)d->reason;
    t->target = d->target;
    t->rejected = d->rejected;
    t->operand[0] = d->operand[0];
    t->operand[1] = d->operand[1];
    t->operand[2] = d->operand[2];
    t->value = r->origin == ORIGIN_ENTRY ? d->shown : d->value;
}

/* Takes a token. Returns false when the request must not be served now: refused (answered here) or
 * queued (comes back as EVENT_START). */
static bool take_token(struct world *w, uint16_t shard, const struct event *asked,
                       struct decision *d)
{
    struct shard *s = shards_of(w) + shard;
    enum kind_of_work work = work_of(requests_in(w)[asked->request].op);
    struct bucket *b = &s->bucket[work];
    int64_t cost = TOKEN + shard_extra(w, shard, TOKEN);
    int64_t wait = bucket_take_cost(b, w->now_us, s->queue, cost);
    d->operand[2] = b->ceiling == 0 ? -1 : b->level > 0 ? b->level / TOKEN : 0;
    d->rejected |= bit(OUTCOME_REFUSED);
    if (wait == 0) {
        return true;
    }
    if (wait > 0) {
        struct event *event = request_timer(w, asked->request, EVENT_START, wait);
        event->detail = (uint8_t)(event_turn(asked) << 4);
        event->node = shard;
        return false;
    }
    s->refused[work]++;
    struct decision no = {.outcome = OUTCOME_REFUSED,
                          .reason = REASON_NO_TOKEN,
                          .rejected = bit(OUTCOME_OK),
                          .epoch = d->epoch,
                          .target = SHARD_NONE,
                          .operand = {b->ceiling, work, bucket_waiting(b)}};
    answer(w, shard, asked, &no);
    return false;
}

/* With RULE_CHECK_AND_APPEND off, a write that passed the check is appended only when its query's
 * time is over, whatever the table says then. */
static bool appends_later(struct world *w, uint16_t shard, const struct event *asked)
{
    if (rule_on(w->rules, RULE_CHECK_AND_APPEND) || asked->kind == EVENT_START ||
        op_reads((enum op_kind)requests_in(w)[asked->request].op)) {
        return false;
    }
    struct event *event = request_timer(w, asked->request, EVENT_START, w->config.query_us);
    event->detail = (uint8_t)(event_turn(asked) << 4);
    event->node = shard;
    event->carries.value = 1; /* checked: not again */
    return true;
}

/* A part of a query over all shards: about all slots that are here (queries.h). A hedge is for a
 * follower, which has its own ceiling. */
__attribute__((noinline)) static void gather_asked(struct world *w, const struct event *event)
{
    uint16_t shard = event->node;
    const struct request *r = requests_in(w) + event->request;
    struct decision d = {.outcome = OUTCOME_OK, .target = SHARD_NONE};
    bool hedge = queries_hedged(r);
    if (!hedge && event->kind != EVENT_START && !take_token(w, shard, event, &d)) {
        request_settle(w, event->request);
        return;
    }
    if (!hedge) {
        shards_of(w)[shard].served[WORK_READ]++;
    }
    uint8_t to = routers_in(w)[r->router].zone;
    int64_t way = w->queue.leg_us[LEG_ANSWER][queries_zone(w, r, shard)][to];
    int64_t takes = queries_serve(w, shard, event->request, w->now_us + way, &d.value);
    struct event *answered = request_timer(w, event->request, EVENT_ANSWER, way + takes);
    answered->detail = (uint8_t)((unsigned)event_turn(event) << 4 | OUTCOME_OK);
    answered->node = r->router;
    answered->carries.value = d.value;
    request_settle(w, event->request);
}

void shard_asked(struct world *w, const struct event *event)
{
    uint16_t shard = event->node;
    struct request *r = requests_of(w) + event->request;
    struct shard *s = shards_of(w) + shard;
    struct decision d;
    if (r->origin == ORIGIN_GATHER) {
        gather_asked(w, event);
        return;
    }
    look_up(w, shard, r, &d); /* in place: a copy of it costs as much as all the rest */
    bool passed = event->kind == EVENT_START && event->carries.value != 0;
    if (passed && d.outcome != OUTCOME_OK) {
        d.outcome = OUTCOME_OK;
        d.reason = REASON_NOT_CHECKED;
        d.operand[0] = SLOT_MIGRATING;
        d.operand[1] = d.epoch;
    }
    if (d.outcome == OUTCOME_OK || d.outcome == OUTCOME_OK_RELOAD) {
        bool has_token = event->kind == EVENT_START;
        if ((!has_token && !take_token(w, shard, event, &d)) || appends_later(w, shard, event)) {
            return;
        }
        s->served[work_of(r->op)]++;
        if (r->origin == ORIGIN_ENTRY) {
            serve_entry(w, shard, event->request, &d);
        } else if (op_reads((enum op_kind)r->op)) {
            serve_read(w, shard, event->request, &d);
        } else if (r->origin == ORIGIN_TXN) {
            serve_txn(w, shard, event->request, &d);
        } else {
            serve_write(w, shard, event->request, &d);
        }
    } else if (d.outcome == OUTCOME_MOVED) {
        s->moved++;
    } else {
        s->retried++;
    }
    answer(w, shard, event, &d);
    request_settle(w, event->request);
}

void shard_handle(struct world *w, const struct event *event)
{
    if (event->kind == EVENT_MOVE) {
        moves_handle(w, event);
    } else if (event->kind == EVENT_STORE) {
        writes_handle(w, event);
    } else {
        shard_asked(w, event);
    }
}
