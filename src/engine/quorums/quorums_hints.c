/*
 * quorums_hints: who stood in for somebody hands over what he holds for him.
 *
 * While there are hints, each node that keeps some looks every STORE_HANDOVER_US whether it reaches
 * whom they are for. It forgets a hint when its owner says that he has it all.
 */
#include "engine/quorums/quorums_inside.h"

void quorum_hints_wake(struct world *w, uint32_t store)
{
    struct store_row *s = stores_of(w) + store;
    if (!s->handing) {
        s->handing = true;
        quorum_timer(w, store, STORE_HANDOVER_US, TIMER_HANDOVER, s->handover);
    }
}

static void hand(struct world *w, uint32_t store, uint32_t node, uint8_t key, uint32_t to)
{
    struct store_row *s = stores_of(w) + store;
    const struct version_set *held = &s->cell[node][key].held;
    struct node_message m = {.from = (uint16_t)node,
                             .to = (uint16_t)to,
                             .module = MODULE_QUORUMS,
                             .kind = SAY_HAND,
                             .about = (uint16_t)store,
                             .shown = true,
                             .word = {[2] = key}};
    for (uint32_t i = 0; i < versions_size(held); i++) {
        m.word[4 + i] = version_name(s, (uint16_t)(held->at[i] - 1));
    }
    struct trace_record *t = quorum_note_way(w, &m, key, REASON_QUORUM_HAND_OVER);
    t->operand[1] = versions_size(held);
    t->value = s->version[versions_latest(s, held)].value;
    node_send(w, &m);
}

void quorum_hints_try(struct world *w, uint32_t store)
{
    struct store_row *s = stores_of(w) + store;
    bool left = false;
    for (uint32_t node = 0; node < s->nodes; node++) {
        for (uint8_t key = 0; key < s->keys; key++) {
            uint64_t mask = s->cell[node][key].hint_for;
            left = left || mask != 0;
            for (uint32_t to = 0; mask != 0 && to < s->nodes; to++) {
                if ((mask >> to & 1) != 0 && nodes_connected(w, node, to)) {
                    hand(w, store, node, key, to);
                }
            }
        }
    }
    s->handing = false;
    if (left) {
        quorum_hints_wake(w, store);
    }
}

void quorum_hints_given(struct world *w, const struct node_message *m)
{
    struct store_row *s = stores_of(w) + m->about;
    uint8_t key = (uint8_t)m->word[2];
    if (key >= s->keys || !ring_wants(s, key, m->to)) {
        return;
    }
    struct taking last = {TAKEN_KNOWN, 0};
    for (uint32_t i = 0; i < STORE_SIBLINGS_MAX && m->word[4 + i] != 0; i++) {
        uint16_t version = 0;
        if (!version_of(w, s, m->word[4 + i], &version)) {
            return;
        }
        struct taking taking = quorum_replica_take(w, m->about, m->to, version, NO_INDEX);
        last = taking.how == TAKEN_KNOWN ? last : taking;
    }
    struct node_message taken = *m;
    taken.from = m->to;
    taken.to = m->from;
    taken.kind = SAY_TAKEN;
    struct trace_record *t = quorum_note_way(w, &taken, key, REASON_QUORUM_TAKEN);
    t->operand[1] = versions_size(&s->cell[m->to][key].held);
    t->operand[2] = last.how;
    t->value = last.other;
    node_send(w, &taken);
}

/* All that it holds now is among what was handed over. */
static bool is_all(const struct store_row *s, const struct version_set *held,
                   const struct node_message *m)
{
    for (uint32_t i = 0; i < versions_size(held); i++) {
        bool there = false;
        for (uint32_t j = 0; j < STORE_SIBLINGS_MAX; j++) {
            there = there || m->word[4 + j] == version_name(s, (uint16_t)(held->at[i] - 1));
        }
        if (!there) {
            return false;
        }
    }
    return true;
}

void quorum_hints_taken(struct world *w, const struct node_message *m)
{
    struct store_row *s = stores_of(w) + m->about;
    uint8_t key = (uint8_t)m->word[2];
    if (key >= s->keys || m->from >= s->nodes) {
        return;
    }
    struct store_cell *cell = &s->cell[m->to][key];
    uint64_t bit = UINT64_C(1) << m->from;
    if ((cell->hint_for & bit) == 0 || !is_all(s, &cell->held, m)) {
        return;
    }
    cell->hint_for &= ~bit;
    s->handed++;
    if (cell->hint_for == 0) {
        versions_let_go(w, s, &cell->held);
        cell->held = (struct version_set){{0}};
    }
}
