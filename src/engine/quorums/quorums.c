/*
 * quorums: stores as a part of their world: layout, identity, and what the rest of the engine asks.
 */
#include "engine/quorums/quorums_inside.h"

/* --- messages, timers, deaths --- */

void quorums_heard(struct world *w, const struct node_message *m)
{
    if (m->about >= w->quorums.count) {
        return;
    }
    switch ((enum quorum_message)m->kind) {
    case SAY_ASK:
        quorum_work_begin(w, m->about, (uint32_t)m->word[0]);
        return;
    case SAY_ANSWER:
        quorum_client_hears(w, m);
        return;
    case SAY_WRITE:
        quorum_replica_write(w, m);
        return;
    case SAY_ACK:
        quorum_work_acked(w, m);
        return;
    case SAY_READ:
        quorum_replica_read(w, m);
        return;
    case SAY_HELD:
        quorum_work_held(w, m);
        return;
    case SAY_HAND:
        quorum_hints_given(w, m);
        return;
    case SAY_TAKEN:
        quorum_hints_taken(w, m);
        return;
    }
    CHECK(false && "a store says nothing of this kind");
}

void quorum_timer(struct world *w, uint32_t store, int64_t wait_us, enum quorum_timer timer,
                  uint32_t number)
{
    node_timer(w, JOB_QUORUM, wait_us, store, 0, (uint64_t)number * 4 + timer);
}

void quorums_handle(struct world *w, const struct event *event)
{
    uint32_t store = event->request;
    uint32_t number = (uint32_t)(event->carries.value / 4);
    switch ((enum quorum_timer)(event->carries.value % 4)) {
    case TIMER_PATIENCE:
        quorum_work_patience(w, store, number);
        return;
    case TIMER_TIMEOUT:
        quorum_work_timeout(w, store, number);
        return;
    case TIMER_CLIENT:
        quorum_client_gives_up(w, store, number);
        return;
    case TIMER_HANDOVER:
        if (number == stores_in(w)[store].handover) {
            quorum_hints_try(w, store);
        }
        return;
    }
}

void quorums_node_died(struct world *w, uint32_t node)
{
    for (uint32_t store = 0; store < w->quorums.count; store++) {
        struct store_row *s = stores_of(w) + store;
        for (uint32_t i = 0; i < STORE_HISTORY_MAX; i++) {
            struct quorum_op *op = s->op + i;
            if (op->number == 0 || op->node != node || !op->arrived || op->lost) {
                continue;
            }
            op->lost = true;
            if (!op->answered) {
                struct trace_record *t = quorum_note(w, store, op->key, REASON_QUORUM_LOST);
                t->from = node_of(NODE_MACHINE, node);
                t->operand[0] = op->number;
            }
        }
    }
}

/* What it held is on its disk; who keeps hints for it tries now and then. */
void quorums_node_back(struct world *w, uint32_t node)
{
    (void)w;
    (void)node;
}

/* --- layout and identity --- */

void quorums_lay_out(struct world *plan, uint64_t *end)
{
    plan->at.stores = table_at(end, plan->config.stores_max, sizeof(struct store_row));
}

static void feed_set(struct digest *d, const struct version_set *set)
{
    DIGEST_FEED(d, set->at[0], set->at[1], set->at[2], set->at[3]);
}

static void feed_clock(struct digest *d, const uint16_t clock[STORE_NODES_MAX])
{
    for (uint32_t i = 0; i < STORE_NODES_MAX; i += 4) {
        DIGEST_FEED(d, clock[i], clock[i + 1], clock[i + 2], clock[i + 3]);
    }
}

static void feed_version(struct digest *d, const struct store_version *v)
{
    DIGEST_FEED(d, v->value, (uint64_t)v->made_us, (uint64_t)v->let_go_us, (uint64_t)v->acked_us,
                v->acked_w, v->acked_hints, v->acked_no, v->number, v->key, v->node, v->dropped,
                v->overwritten);
    feed_clock(d, v->clock);
}

static void feed_op(struct digest *d, const struct quorum_op *op)
{
    DIGEST_FEED(d, op->number, op->key, op->node, op->zone, op->write, op->arrived, op->lost,
                op->answered, op->closed, op->ended, op->ok, op->stale, op->storing, op->repaired,
                op->counted, op->stand_ins, op->versions, op->heard[0], op->heard[1], op->turned_to,
                op->value, (uint64_t)op->asked_us, (uint64_t)op->ended_us, op->asked_no,
                op->ended_no);
    feed_set(d, &op->result);
    for (uint32_t i = 0; i < STORE_COPIES_MAX; i++) {
        DIGEST_FEED(d, op->have[0][i], op->have[1][i], op->stand_in[i]);
        feed_set(d, &op->reply[0][i]);
        feed_set(d, &op->reply[1][i]);
    }
    for (uint32_t i = 0; i < STORE_SIBLINGS_MAX; i++) {
        digest_u64(d, op->all[i]);
    }
}

static void feed_nodes(struct digest *d, const struct store_row *s)
{
    for (uint32_t node = 0; node < STORE_NODES_MAX; node++) {
        for (uint32_t key = 0; key < s->keys; key++) {
            feed_set(d, &s->cell[node][key].held);
            digest_u64(d, s->cell[node][key].hint_for);
            feed_clock(d, s->seen[node][key]);
        }
    }
}

void quorums_feed(struct digest *d, const struct world *w)
{
    if (w->config.stores_max > 0) { /* so that others stay as they were */
        digest_u64(d, w->config.stores_max);
    }
    if (w->quorums.count == 0) {
        return;
    }
    digest_u64(d, w->quorums.count);
    for (uint32_t i = 0; i < w->quorums.count; i++) {
        const struct store_row *s = stores_in(w) + i;
        digest_bytes(d, s->name, sizeof s->name);
        DIGEST_FEED(d, s->n, s->w, s->r, s->sloppy, s->hints_count, s->clock, s->repair, s->nodes,
                    s->keys, s->handing, s->handover, s->last_op, s->last_version, s->moments,
                    s->sets, s->sets_ok, s->sets_failed, s->gets, s->gets_ok, s->gets_failed,
                    s->stale, s->siblings, s->overwritten, s->hints, s->handed, s->repairs);
        for (uint32_t key = 0; key < s->keys; key++) {
            digest_bytes(d, s->key[key].text, s->key[key].length);
            digest_u64(d, s->key[key].first);
        }
        for (uint32_t v = 0; v < STORE_VERSIONS_MAX; v++) {
            if (s->version[v].number != 0) {
                digest_u64(d, v);
                feed_version(d, s->version + v);
            }
        }
        for (uint32_t op = 0; op < STORE_HISTORY_MAX; op++) {
            if (s->op[op].number != 0) {
                feed_op(d, s->op + op);
            }
        }
        feed_nodes(d, s);
    }
}
