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
    int64_t operand[3];
};

static uint16_t bit(enum outcome outcome)
{
    return (uint16_t)(1u << outcome);
}

/* What the slot table says about a request. OUTCOME_OK or OUTCOME_OK_RELOAD: it may be served. */
static struct decision look_up(const struct world *w, uint16_t shard, const struct request *r)
{
    struct decision d = {.outcome = OUTCOME_OK, .reason = REASON_OWNED, .target = SHARD_NONE};
    const struct slot_row *row = table_find(w, shard, r->slot);
    d.epoch = row == NULL ? 0 : row->epoch;
    d.operand[0] = d.epoch;
    d.operand[1] = r->epoch;
    if (!w->rule[RULE_SLOT_TABLE_CHECK]) {
        d.reason = REASON_NOT_CHECKED;
        d.operand[0] = row == NULL ? SLOT_ABSENT : row->state;
        d.operand[1] = d.epoch;
        return d;
    }
    d.rejected = bit(OUTCOME_MOVED) | bit(OUTCOME_RETRY);
    if (row == NULL) {
        d.outcome = OUTCOME_MOVED;
        d.reason = REASON_NO_ROW;
        d.rejected = bit(OUTCOME_OK) | bit(OUTCOME_RETRY);
    } else if (row->state == SLOT_MOVED) {
        d.outcome = OUTCOME_MOVED;
        d.reason = REASON_ROW_MOVED;
        d.target = row->other;
        d.operand[0] = row->other;
        d.operand[1] = row->epoch;
        d.rejected = bit(OUTCOME_OK) | bit(OUTCOME_RETRY) | bit(OUTCOME_REFUSED);
    } else if (row->state == SLOT_MIGRATING) {
        d.outcome = OUTCOME_RETRY;
        d.reason = REASON_MIGRATING;
        d.rejected = bit(OUTCOME_OK) | bit(OUTCOME_MOVED);
    } else if (row->epoch > r->epoch) {
        d.outcome = OUTCOME_OK_RELOAD;
        d.reason = REASON_OWNED_OLD_MAP;
    }
    return d;
}

/* Reads or changes the store. False when it is full: the world stops. */
static bool serve(struct world *w, uint16_t shard, struct request *r, struct decision *d)
{
    shards_of(w)[shard].served[work_of(r->op)]++;
    if (r->op == OP_READ) {
        d->value = store_value(w, shard, r->key);
        return true;
    }
    struct store_entry *entry = store_put(w, shard, r->key);
    if (entry == NULL) {
        world_stop(w, STOP_STORE);
        return false;
    }
    if (r->op == OP_EDIT) {
        entry->edits++;
    } else {
        entry->value++;
        struct key_entry *key = keys_of(w) + r->key;
        r->stray = owners_in(w)[r->slot] != shard;
        *(r->stray ? &key->stray_flying : &key->flying) += 1;
    }
    d->value = entry->value;
    return true;
}

static void answer(struct world *w, uint16_t shard, uint32_t request, const struct decision *d)
{
    const struct request *r = requests_in(w) + request;
    bool served = d->outcome == OUTCOME_OK || d->outcome == OUTCOME_OK_RELOAD;
    enum leg leg = served ? LEG_SERVED : LEG_ANSWER;
    uint8_t from = shards_in(w)[shard].zone;
    uint8_t to = routers_in(w)[r->router].zone;
    struct trace_record *t = trace_add_request(w, TRACE_ANSWER, r);
    t->arrive_us += w->queue.leg_us[leg][from][to];
    t->epoch = d->epoch;
    t->from = node_of(NODE_SHARD, shard);
    t->to = node_of(NODE_ROUTER, r->router);
    t->outcome = (uint8_t)d->outcome;
    t->reason = (uint8_t)d->reason;
    t->target = d->target;
    t->rejected = d->rejected;
    t->operand[0] = d->operand[0];
    t->operand[1] = d->operand[1];
    t->operand[2] = d->operand[2];
    t->value = d->value;

    struct event *event = queue_send(w, leg, from, to, EVENT_ANSWER);
    event->request = request;
    event->detail = (uint8_t)d->outcome;
    event->node = r->router;
    if (d->outcome == OUTCOME_MOVED) {
        event->carries.moved.epoch = d->epoch;
        event->carries.moved.target = d->target;
    } else {
        event->carries.value = d->value;
    }
}

/* Takes a token. Returns false when the request must not be served now: refused (answered here) or
 * queued (comes back as EVENT_START). */
static bool take_token(struct world *w, uint16_t shard, uint32_t request, struct decision *d)
{
    struct shard *s = shards_of(w) + shard;
    enum kind_of_work work = work_of(requests_in(w)[request].op);
    struct bucket *b = &s->bucket[work];
    int64_t wait = bucket_take(b, w->now_us, s->queue);
    d->operand[2] = b->ceiling == 0 ? -1 : b->level > 0 ? b->level / TOKEN : 0;
    d->rejected |= bit(OUTCOME_REFUSED);
    if (wait == 0) {
        return true;
    }
    if (wait > 0) {
        struct event *event = queue_at(w, w->now_us + wait, EVENT_START);
        event->request = request;
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
    answer(w, shard, request, &no);
    return false;
}

void shard_handle(struct world *w, const struct event *event)
{
    uint16_t shard = event->node;
    struct request *r = requests_of(w) + event->request;
    struct shard *s = shards_of(w) + shard;
    struct decision d = look_up(w, shard, r);
    if (d.outcome == OUTCOME_OK || d.outcome == OUTCOME_OK_RELOAD) {
        bool has_token = event->kind == EVENT_START;
        if (!has_token && !take_token(w, shard, event->request, &d)) {
            return;
        }
        if (!serve(w, shard, r, &d)) {
            return;
        }
    } else if (d.outcome == OUTCOME_MOVED) {
        s->moved++;
    } else {
        s->retried++;
    }
    answer(w, shard, event->request, &d);
}
