/*
 * quorums_replica: a node that stores, as one of the N or in somebody's place.
 *
 * It takes what replaces what it holds, keeps what stands beside it, and says that it has it when
 * it holds it or what replaces it. What comes twice changes nothing.
 */
#include "engine/quorums/quorums_inside.h"

struct taking quorum_replica_take(struct world *w, uint32_t store, uint32_t node, uint16_t version,
                                  uint32_t hint_for)
{
    struct store_row *s = stores_of(w) + store;
    uint8_t key = s->version[version].key;
    struct store_cell *cell = &s->cell[node][key];
    if (hint_for != NO_INDEX) {
        CHECK(!ring_wants(s, key, node) && ring_wants(s, key, hint_for));
        uint64_t bit = UINT64_C(1) << hint_for;
        s->hints += (cell->hint_for & bit) == 0;
        cell->hint_for |= bit;
        quorum_hints_wake(w, store);
    } else {
        CHECK(ring_wants(s, key, node));
    }
    struct version_set before = cell->held;
    struct taking taking = versions_take(s, &cell->held, version, true);
    if (taking.how != TAKEN_KNOWN && taking.how != TAKEN_UNDER) {
        versions_let_go(w, s, &before);
    }
    return taking;
}

static enum quorums_reason reason_of(const struct taking *taking, enum write_why why)
{
    static const enum quorums_reason reasons[] = {
        [TAKEN_NEW] = REASON_QUORUM_STORED,      [TAKEN_KNOWN] = REASON_QUORUM_KNOWN,
        [TAKEN_SIBLING] = REASON_QUORUM_SIBLING, [TAKEN_OVER] = REASON_QUORUM_OVERWROTE,
        [TAKEN_UNDER] = REASON_QUORUM_OVERRULED,
    };
    bool plain = taking->how == TAKEN_NEW || taking->how == TAKEN_KNOWN;
    if (plain && why == WRITE_HINT) {
        return REASON_QUORUM_HINT_KEPT;
    }
    if (plain && why != WRITE_SET) {
        return REASON_QUORUM_REPAIRED;
    }
    return reasons[taking->how];
}

static void tell(struct trace_record *t, const struct store_row *s, uint32_t node, uint32_t whose,
                 uint16_t version, const struct taking *taking)
{
    uint8_t key = s->version[version].key;
    t->value = s->version[version].value;
    t->operand[1] = whose != NO_INDEX ? whose : versions_size(&s->cell[node][key].held);
    t->operand[2] = (int64_t)taking->other;
}

void quorum_replica_here(struct world *w, uint32_t store, const struct quorum_op *op,
                         uint32_t place, uint16_t version, enum write_why why)
{
    struct store_row *s = stores_of(w) + store;
    bool hint = why == WRITE_HINT || why == WRITE_REPAIR_HINT;
    uint32_t whose = hint ? ring_node(s, op->key, place) : NO_INDEX;
    struct taking taking = quorum_replica_take(w, store, op->node, version, whose);
    enum quorums_reason reason = reason_of(&taking, why);
    reason = reason == REASON_QUORUM_STORED ? REASON_QUORUM_HERE : reason;
    struct trace_record *t = quorum_note(w, store, op->key, reason);
    t->from = node_of(NODE_MACHINE, op->node);
    t->operand[0] = op->number;
    tell(t, s, op->node, whose, version, &taking);
}

void quorum_replica_write(struct world *w, const struct node_message *m)
{
    struct store_row *s = stores_of(w) + m->about;
    uint16_t version = 0;
    if (!version_of(w, s, m->word[2], &version)) {
        return;
    }
    uint8_t key = s->version[version].key;
    uint32_t place = (uint32_t)m->word[1];
    enum write_why why = (enum write_why)m->word[3];
    bool hint = why == WRITE_HINT || why == WRITE_REPAIR_HINT;
    uint32_t whose = ring_node(s, key, place);
    if (place >= s->n || hint == ring_wants(s, key, m->to)) {
        return; /* of a time when the store had another ring */
    }
    struct taking taking =
        quorum_replica_take(w, m->about, m->to, version, hint ? whose : NO_INDEX);
    struct node_message ack = *m;
    ack.from = m->to;
    ack.to = m->from;
    ack.kind = SAY_ACK;
    struct trace_record *t = quorum_note_way(w, &ack, key, reason_of(&taking, why));
    tell(t, s, m->to, hint ? whose : NO_INDEX, version, &taking);
    node_send(w, &ack);
}

void quorum_replica_read(struct world *w, const struct node_message *m)
{
    struct store_row *s = stores_of(w) + m->about;
    uint8_t key = (uint8_t)m->word[2];
    if (key >= s->keys) {
        return;
    }
    const struct version_set *held = &s->cell[m->to][key].held;
    struct node_message reply = *m;
    reply.from = m->to;
    reply.to = m->from;
    reply.kind = SAY_HELD;
    for (uint32_t i = 0; i < STORE_SIBLINGS_MAX; i++) {
        bool there = i < versions_size(held);
        reply.word[4 + i] = there ? version_name(s, (uint16_t)(held->at[i] - 1)) : 0;
    }
    struct trace_record *t = quorum_note_way(w, &reply, key, REASON_QUORUM_HELD);
    uint16_t latest = versions_latest(s, held);
    t->operand[1] = versions_size(held);
    t->value = latest == UINT16_MAX ? 0 : s->version[latest].value;
    node_send(w, &reply);
}
