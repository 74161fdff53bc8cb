/*
 * copies_client: requests of clients: to whom they go, what they are told, and when they give up.
 */
#include "engine/copies/copies_inside.h"

#define HOPS_MOST 8

static struct copy_op *find(struct group_row *g, uint64_t number)
{
    for (uint32_t i = 0; i < GROUP_OPS; i++) {
        if (g->op[i].kind != COPY_OP_NONE && g->op[i].number == number) {
            return &g->op[i];
        }
    }
    return NULL;
}

static void end(struct world *w, struct copy_op *op)
{
    w->command_requests_open -= op->by_command;
    *op = (struct copy_op){.place = NOBODY};
}

void client_end_all(struct world *w, uint32_t group)
{
    for (uint32_t i = 0; i < GROUP_OPS; i++) {
        end(w, &groups_of(w)[group].op[i]);
    }
}

/* --- asking ----------------------------------------------------------------------------------- */

static void give_up(struct world *w, uint32_t group, struct copy_op *op)
{
    struct group_row *g = groups_of(w) + group;
    bool write = op->kind == COPY_OP_WRITE;
    struct trace_record *t =
        copies_note(w, group, REASON_COPY_GIVES_UP, NODE_CLIENT_ZONE(op->zone), NOBODY, 0);
    t->value = op->value;
    t->operand[0] = w->now_us - op->asked_us;
    t->operand[1] = !write;
    g->failed += write;
    end(w, op);
}

/* A free place; who has waited longest gives up for it. */
static struct copy_op *take(struct world *w, uint32_t group)
{
    struct group_row *g = groups_of(w) + group;
    struct copy_op *oldest = &g->op[0];
    for (uint32_t i = 0; i < GROUP_OPS; i++) {
        if (g->op[i].kind == COPY_OP_NONE) {
            return &g->op[i];
        }
        oldest = g->op[i].number < oldest->number ? &g->op[i] : oldest;
    }
    give_up(w, group, oldest);
    return oldest;
}

static void ask(struct world *w, uint32_t group, struct copy_op *op, uint16_t node)
{
    bool write = op->kind == COPY_OP_WRITE;
    struct node_message m =
        copies_message(w, group, write ? COPY_WRITE : COPY_LOOK, NODE_CLIENT_ZONE(op->zone), node);
    m.word[0] = write ? op->value : op->kind == COPY_OP_WEAK;
    m.word[1] = op->number;
    m.shown = true;
    op->node = node;
    struct trace_record *t =
        copies_note(w, group, write ? REASON_COPY_ASKS : REASON_COPY_LOOKS, m.from, m.to, 0);
    t->arrive_us = copies_arrival(w, m.from, m.to);
    t->value = op->value;
    t->operand[0] = write ? (int64_t)op->number : op->kind == COPY_OP_WEAK;
    node_send(w, &m);
}

static struct copy_op *begin(struct world *w, uint32_t group, enum copy_op_kind kind,
                             uint64_t value, uint16_t node)
{
    struct group_row *g = groups_of(w) + group;
    struct copy_op *op = take(w, group);
    uint16_t to = node == NOBODY ? g->replica[g->known].node : node;
    *op = (struct copy_op){.number = ++w->copies.requests,
                           .value = value,
                           .due = g->acked_position,
                           .promised = g->acks == ACKS_ONE ? 0 : g->promised,
                           .asked_us = w->now_us,
                           .place = NOBODY,
                           .kind = (uint8_t)kind,
                           .zone = world_node(w, to).zone};
    copies_timer(w, group, 0, COPY_TIMER_OP, COPIES_CLIENT_US, op->number);
    ask(w, group, op, to);
    return op;
}

void client_writes(struct world *w, uint32_t group, uint64_t value, uint16_t node, bool by_command)
{
    groups_of(w)[group].asked++;
    begin(w, group, COPY_OP_WRITE, value, node)->by_command = by_command;
    w->command_requests_open += by_command;
}

void client_looks(struct world *w, uint32_t group, uint16_t node, bool weak)
{
    groups_of(w)[group].looks++;
    begin(w, group, weak ? COPY_OP_WEAK : COPY_OP_LOOK, 0, node)->by_command = true;
    w->command_requests_open++;
}

void client_flow(struct world *w, uint32_t group, uint64_t turn)
{
    struct group_row *g = groups_of(w) + group;
    if (g->rate == 0 || turn != g->rate_turn) {
        return;
    }
    if (nodes_take_clients(w)) {
        client_writes(w, group, ++g->next_value, NOBODY, false);
    } else { /* it cannot even be sent */
        g->asked++;
        g->failed++;
    }
    copies_timer(w, group, 0, COPY_TIMER_RATE, US_PER_SECOND / g->rate, turn);
}

void client_gives_up(struct world *w, uint32_t group, uint64_t number)
{
    struct group_row *g = groups_of(w) + group;
    struct copy_op *op = find(g, number);
    if (op == NULL) {
        return;
    }
    if (g->replica[g->known].node == op->node) { /* the next client asks somebody else */
        g->known = (uint16_t)((g->known + 1u) % g->of);
    }
    give_up(w, group, op);
}

void client_again(struct world *w, uint32_t group, uint64_t number)
{
    struct group_row *g = groups_of(w) + group;
    struct copy_op *op = find(g, number);
    if (op == NULL) {
        return;
    }
    uint16_t place = group_place(g, op->node);
    uint32_t next = place == NOBODY ? g->known : (place + 1u) % g->of;
    ask(w, group, op, g->replica[next].node);
}

/* --- at a replica ----------------------------------------------------------------------------- */

struct trace_record *client_reply(struct world *w, uint32_t group, uint16_t place,
                                  const struct copy_op *op, enum copies_reason reason,
                                  enum copy_answer answer, uint64_t value, uint64_t position)
{
    const struct replica *r = &groups_in(w)[group].replica[place];
    struct node_message m =
        copies_message(w, group, COPY_REPLY, r->node, NODE_CLIENT_ZONE(op->zone));
    m.word[0] = answer;
    m.word[1] = op->number;
    m.word[2] = value;
    m.word[3] = position;
    m.word[4] = r->core.term;
    m.word[5] = log_entry(r, position);
    node_send(w, &m);
    struct trace_record *t = copies_note(w, group, reason, m.from, m.to, r->core.term);
    t->arrive_us = copies_arrival(w, m.from, m.to);
    t->value = value;
    return t;
}

static void elsewhere(struct world *w, uint32_t group, uint16_t place, const struct copy_op *op)
{
    const struct group_row *g = groups_in(w) + group;
    uint16_t leader = g->replica[place].follows;
    uint64_t who = leader == NOBODY ? 0 : 1 + (uint64_t)g->replica[leader].node;
    client_reply(w, group, place, op, REASON_COPY_ELSEWHERE, COPY_ANSWER_ELSEWHERE, who, 0)
        ->operand[0] = (int64_t)who;
}

static void take_write(struct world *w, uint32_t group, uint16_t place, struct copy_op *op)
{
    struct group_row *g = groups_of(w) + group;
    struct replica *r = &g->replica[place];
    if (op->term == r->core.term && op->position > 0) { /* the network doubled it */
        return;
    }
    if (!log_has_room(r)) {
        client_reply(w, group, place, op, REASON_COPY_FULL, COPY_ANSWER_FULL, 0, 0)->operand[0] =
            (int64_t)(r->core.last - r->core.commit);
        return;
    }
    op->place = place;
    op->term = r->core.term;
    op->late = g->newest > r->core.term;
    op->position = term_write(&r->core, w->rules);
    log_put(r, op->position, ENTRY(op->term, op->value));
    struct trace_record *t =
        copies_note(w, group, REASON_COPY_TAKES, r->node, NOBODY, r->core.term);
    t->value = op->value;
    t->operand[0] = (int64_t)op->position;
    t->operand[1] = g->acks == ACKS_ONE ? 1 : g->acks == ACKS_ALL ? g->of : term_majority(g->of);
    send_acks(w, group, place);
    send_all(w, group, place, false);
}

void client_begins_term(struct world *w, uint32_t group, uint16_t place)
{
    struct group_row *g = groups_of(w) + group;
    struct replica *r = &g->replica[place];
    if (g->bare || !log_has_room_at_all(r)) {
        return;
    }
    uint64_t value = log_value(r, r->core.last);
    uint64_t position = term_write(&r->core, w->rules);
    log_put(r, position, EMPTY_BIT | ENTRY(r->core.term, value));
    struct trace_record *t =
        copies_note(w, group, REASON_COPY_EMPTY, r->node, NOBODY, r->core.term);
    t->value = COPY_EMPTY;
    t->operand[0] = (int64_t)position;
    t->operand[1] = term_majority(g->of);
}

/* With what a read is answered: what is committed. Where the leader's word is enough for a write,
 * all that it has. */
uint64_t client_read_position(const struct group_row *g, const struct replica *r)
{
    bool all = r->core.role == TERM_LEADER && g->acks == ACKS_ONE;
    return all ? r->core.last : log_known(r);
}

static void answer_look(struct world *w, uint32_t group, uint16_t place, struct copy_op *op)
{
    struct group_row *g = groups_of(w) + group;
    const struct replica *r = &g->replica[place];
    bool weak = op->kind == COPY_OP_WEAK;
    uint64_t position = client_read_position(g, r);
    struct trace_record *t = client_reply(w, group, place, op, REASON_COPY_ANSWERS, COPY_ANSWER_OK,
                                          log_value(r, position), position);
    t->operand[0] = (int64_t)position;
    t->operand[1] = (int64_t)op->due;
    t->operand[2] = weak;
    op->place = NOBODY;
}

/* It knows of all that it held when its term began that it is committed: what was acknowledged is
 * among that, and what was not could vanish. */
static bool knows(const struct group_row *g, const struct replica *r)
{
    return g->acks == ACKS_ONE || r->core.commit >= r->core.before;
}

/* A majority follows it, in a round that began after the read came. */
static bool follows(const struct group_row *g, uint16_t place, uint64_t round)
{
    const struct replica *r = &g->replica[place];
    uint32_t heard = 1;
    for (uint16_t i = 0; i < g->of; i++) {
        heard += i != place && r->heard_round[i] >= round;
    }
    return heard >= term_majority(g->of);
}

void client_answer_looks(struct world *w, uint32_t group, uint16_t place)
{
    struct group_row *g = groups_of(w) + group;
    if (!knows(g, &g->replica[place])) {
        return;
    }
    for (uint32_t i = 0; i < GROUP_OPS; i++) {
        struct copy_op *op = &g->op[i];
        if (op->kind == COPY_OP_LOOK && op->place == place && op->round > 0 &&
            follows(g, place, op->round)) {
            answer_look(w, group, place, op);
        }
    }
}

void client_arrives(struct world *w, const struct node_message *m, uint16_t place)
{
    struct group_row *g = groups_of(w) + message_group(m);
    struct replica *r = &g->replica[place];
    struct copy_op *op = find(g, m->word[1]);
    if (op == NULL || op->node != r->node) {
        return; /* it gave up, or asked somebody else meanwhile */
    }
    if (op->kind == COPY_OP_WEAK) {
        answer_look(w, message_group(m), place, op);
    } else if (r->core.role != TERM_LEADER) {
        elsewhere(w, message_group(m), place, op);
    } else if (op->kind == COPY_OP_WRITE) {
        take_write(w, message_group(m), place, op);
    } else {
        op->place = place;
        op->round = ++r->round;
        send_all(w, message_group(m), place, true);
        client_answer_looks(w, message_group(m), place);
    }
}

void client_forgotten(struct group_row *g, uint16_t place)
{
    for (uint32_t i = 0; i < GROUP_OPS; i++) {
        if (g->op[i].place == place) {
            g->op[i].place = NOBODY;
            g->op[i].round = 0;
        }
    }
}

/* --- answers ---------------------------------------------------------------------------------- */

static void promise(struct group_row *g, uint64_t position)
{
    if (g->acks != ACKS_ONE && position > g->promised) {
        g->promised = position;
    }
}

/* A read of a leader came back: nobody may ever see less. */
static void was_read(struct group_row *g, const struct copy_op *op, const struct node_message *m)
{
    uint64_t position = m->word[3];
    if (g->acks == ACKS_ONE) {
        return;
    }
    if (position < op->promised && g->back_from == 0) {
        g->back_from = op->promised;
        g->back_to = position;
    }
    if (position > g->read.position) {
        g->read = (struct acked_entry){.position = position, .entry = m->word[5], .by = m->word[4]};
    }
    promise(g, position);
}

/* A client was told OK: from now on the entry must never vanish. */
static void acknowledged(struct world *w, uint32_t group, const struct copy_op *op,
                         const struct node_message *m)
{
    struct group_row *g = groups_of(w) + group;
    uint64_t term = m->word[4];
    g->acked++;
    g->acked_position = m->word[3] > g->acked_position ? m->word[3] : g->acked_position;
    promise(g, m->word[3]);
    g->acked_entry[g->acked_entries++ % GROUP_ACKED] = (struct acked_entry){
        .position = m->word[3], .entry = ENTRY(op->term, op->value), .by = term};
    uint16_t leader = group_leader(w, g);
    if (g->acks == ACKS_ONE && leader != NOBODY && g->replica[leader].core.term > term &&
        !log_has(&g->replica[leader], m->word[3], ENTRY(op->term, op->value))) {
        g->lost++; /* it was replaced while the answer was on its way */
        g->acked_entry[(g->acked_entries - 1) % GROUP_ACKED].lost = true;
    }
    if (op->late && g->acks != ACKS_ONE && g->broken == COPIES_WHOLE) {
        g->broken = COPIES_LATE;
        g->broken_term = term;
        g->broken_at = m->word[3];
    }
}

void client_heard(struct world *w, const struct node_message *m)
{
    struct group_row *g = groups_of(w) + message_group(m);
    struct copy_op *op = find(g, m->word[1]);
    uint16_t place = group_place(g, m->from);
    if (op == NULL || op->node != m->from) {
        return;
    }
    if (m->word[0] == COPY_ANSWER_OK) {
        if (op->kind == COPY_OP_WRITE) {
            acknowledged(w, message_group(m), op, m);
        } else {
            g->stale += m->word[3] < op->due;
            g->looked = m->word[2];
            if (op->kind == COPY_OP_LOOK) {
                was_read(g, op, m);
            }
        }
        bool leads = op->kind != COPY_OP_WEAK && place != NOBODY;
        g->known = leads ? place : g->known;
        end(w, op);
        return;
    }
    uint64_t who = m->word[0] == COPY_ANSWER_ELSEWHERE ? m->word[2] : 0;
    if (who != 0 && ++op->hops < HOPS_MOST) {
        uint16_t leader = group_place(g, (uint32_t)who - 1);
        g->known = leader == NOBODY ? g->known : leader;
        ask(w, message_group(m), op, (uint16_t)(who - 1));
        return;
    }
    copies_timer(w, message_group(m), 0, COPY_TIMER_AGAIN, COPIES_BEAT_US, op->number);
}
