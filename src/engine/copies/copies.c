/*
 * copies: messages and timers come in; nodes die and come back; groups as a part of their world.
 */
#include "engine/apply.h"
#include "engine/copies/copies_inside.h"

uint64_t beat_number(const struct group_row *g, uint16_t place)
{
    return (uint64_t)g->life << 32 | g->replica[place].core.term;
}

void copies_timer(struct world *w, uint32_t group, uint16_t place, enum copy_timer timer,
                  int64_t in_us, uint64_t number)
{
    node_timer(w, JOB_COPY, in_us, group, place, number << 8 | (uint64_t)timer);
}

uint16_t group_place(const struct group_row *g, uint32_t node)
{
    for (uint16_t i = 0; i < g->of; i++) {
        if (g->replica[i].node == node) {
            return i;
        }
    }
    return NOBODY;
}

uint16_t group_leader(const struct world *w, const struct group_row *g)
{
    uint16_t best = NOBODY;
    for (uint16_t i = 0; i < g->of; i++) {
        const struct replica *r = &g->replica[i];
        if (replica_leads(w, r) && (best == NOBODY || r->core.term > g->replica[best].core.term)) {
            best = i;
        }
    }
    return best;
}

struct trace_record *copies_note(struct world *w, uint32_t group, enum copies_reason reason,
                                 uint32_t from, uint32_t to, uint64_t term)
{
    struct trace_record *t = trace_add(w, TRACE_COPY);
    t->key = KEY_NONE_ID;
    t->slot = group;
    t->from = from == NOBODY ? node_of(NODE_NONE, 0) : node_named(from);
    t->to = to == NOBODY ? node_of(NODE_NONE, 0) : node_named(to);
    t->epoch = (uint32_t)term;
    t->reason = (uint16_t)reason;
    return t;
}

struct trace_record *copies_command(struct world *w, const struct command *c, uint32_t group,
                                    struct node to, int64_t a, int64_t b)
{
    struct command about = *c;
    about.first = group;
    apply_note(w, &about, KEY_NONE_ID, to, a, b);
    return trace_of(w) + ((w->trace_next - 1) & (w->config.trace_max - 1));
}

struct node_message copies_message(const struct world *w, uint32_t group, enum copy_message kind,
                                   uint32_t from, uint32_t to)
{
    return (struct node_message){.from = (uint16_t)from,
                                 .to = (uint16_t)to,
                                 .module = MODULE_COPIES,
                                 .kind = (uint8_t)kind,
                                 .about =
                                     (uint16_t)(group + GROUPS_MOST * groups_in(w)[group].life)};
}

int64_t copies_arrival(const struct world *w, uint32_t from, uint32_t to)
{
    return w->now_us + node_way_us(w, from, to);
}

/* --- who leads -------------------------------------------------------------------------------- */

/* Somebody leads who reaches a majority. */
static bool is_led(const struct world *w, const struct group_row *g)
{
    for (uint16_t i = 0; i < g->of; i++) {
        uint32_t reached = 0;
        for (uint16_t j = 0; j < g->of && replica_leads(w, &g->replica[i]); j++) {
            reached += nodes_connected(w, g->replica[i].node, g->replica[j].node);
        }
        if (reached >= term_majority(g->of)) {
            return true;
        }
    }
    return false;
}

void copies_led_changed(struct world *w, uint32_t group)
{
    struct group_row *g = groups_of(w) + group;
    bool led = is_led(w, g);
    if (led && g->leaderless_since_us >= 0) {
        g->last_leaderless_us = w->now_us - g->leaderless_since_us;
        g->leaderless_us += g->last_leaderless_us;
        g->leaderless_since_us = -1;
    } else if (!led && g->leaderless_since_us < 0) {
        g->leaderless_since_us = w->now_us;
    }
}

void copies_net_changed(struct world *w)
{
    for (uint32_t i = 0; i < w->copies.count; i++) {
        copies_led_changed(w, i);
    }
    again_check(w);
}

/* --- messages and timers ---------------------------------------------------------------------- */

static void heard_by_replica(struct world *w, const struct node_message *m, uint16_t to)
{
    const struct group_row *g = groups_in(w) + message_group(m);
    enum copy_message kind = (enum copy_message)m->kind;
    if (kind == COPY_WRITE || kind == COPY_LOOK) {
        client_arrives(w, m, to);
        return;
    }
    uint16_t from = group_place(g, m->from);
    if (from == NOBODY) {
        return; /* it was replaced since */
    }
    switch (kind) {
    case COPY_ASK:
        elect_asked(w, m, from, to);
        return;
    case COPY_VOTE:
        elect_voted(w, m, from, to);
        return;
    case COPY_SEND:
        send_arrives(w, m, from, to);
        return;
    case COPY_TAKEN:
        send_taken(w, m, from, to);
        return;
    case COPY_WRITE:
    case COPY_LOOK:
    case COPY_REPLY:
        break;
    }
    CHECK(false && "no message between replicas");
}

void copies_heard(struct world *w, const struct node_message *m)
{
    CHECK(message_group(m) < w->copies.count);
    if (m->about / GROUPS_MOST != groups_in(w)[message_group(m)].life) {
        return; /* the group began anew since */
    }
    if (m->kind == COPY_REPLY) {
        client_heard(w, m);
        return;
    }
    uint16_t to = group_place(groups_in(w) + message_group(m), m->to);
    if (to != NOBODY) {
        heard_by_replica(w, m, to);
    }
}

void copies_handle(struct world *w, const struct event *event)
{
    uint32_t group = event->request;
    uint64_t number = event->carries.value >> 8;
    CHECK(group < w->copies.count);
    switch ((enum copy_timer)(event->carries.value & 255)) {
    case COPY_TIMER_PATIENCE:
        elect_patience(w, group, event->node);
        return;
    case COPY_TIMER_BEAT: {
        const struct replica *r = &groups_in(w)[group].replica[event->node];
        if (replica_leads(w, r) && beat_number(groups_in(w) + group, event->node) == number) {
            send_beat(w, group, event->node);
        }
        return;
    }
    case COPY_TIMER_RATE:
        client_flow(w, group, number);
        return;
    case COPY_TIMER_OP:
        client_gives_up(w, group, number);
        return;
    case COPY_TIMER_AGAIN:
        client_again(w, group, number);
        return;
    case COPY_TIMER_COPY:
        again_tick(w, group, number);
        return;
    }
    CHECK(false && "no such timer");
}

/* --- deaths ----------------------------------------------------------------------------------- */

/* What is on its disk: its log, its term, its vote, and that what it forgot is committed. */
static void restart(struct world *w, struct replica *r)
{
    term_restart(&r->core, w->rules);
    r->core.commit = r->base;
    r->follows = NOBODY;
    r->round = 0;
}

void copies_node_died(struct world *w, uint32_t node)
{
    for (uint32_t i = 0; i < w->copies.count; i++) {
        struct group_row *g = groups_of(w) + i;
        uint16_t place = group_place(g, node);
        if (place != NOBODY) {
            restart(w, &g->replica[place]);
            client_forgotten(g, place);
        }
        if (g->copy.under_way && g->copy.node == node) {
            again_drop(w, i, COPY_DROP_DIED);
        }
        copies_led_changed(w, i);
    }
    if (w->copies.count > 0) {
        again_plan(w);
    }
}

void copies_node_back(struct world *w, uint32_t node)
{
    if (w->watch.count == 0) { /* nobody else would say so */
        copies_declared_alive(w, node);
    }
    for (uint32_t i = 0; i < w->copies.count; i++) {
        const struct group_row *g = groups_in(w) + i;
        uint16_t place = group_place(g, node);
        if (place != NOBODY) {
            const struct term_core *core = &g->replica[place].core;
            struct trace_record *t = copies_note(w, i, REASON_COPY_BACK, node, NOBODY, core->term);
            t->operand[0] = (int64_t)core->last;
            bool voted = core->vote != 0 && core->vote != VOTE_GONE;
            t->operand[1] = voted ? 1 + (int64_t)g->replica[core->vote - 1].node : 0;
            elect_wait(w, i, place);
        }
        copies_led_changed(w, i);
    }
    if (w->copies.count > 0) {
        again_plan(w);
    }
}

void copies_declared_dead(struct world *w, uint32_t node)
{
    w->copies.declared |= UINT64_C(1) << node;
    for (uint32_t i = 0; i < w->copies.count; i++) {
        const struct copy_made *c = &groups_in(w)[i].copy;
        if (c->under_way && c->node == node) {
            again_drop(w, i, COPY_DROP_DIED);
        }
    }
    if (w->copies.on) {
        w->copies.wanted |= UINT64_C(1) << node;
    }
    if (w->copies.count > 0) {
        again_plan(w);
    }
}

void copies_declared_alive(struct world *w, uint32_t node)
{
    w->copies.declared &= ~(UINT64_C(1) << node);
    w->copies.wanted &= ~(UINT64_C(1) << node);
    for (uint32_t i = 0; i < w->copies.count; i++) {
        const struct group_row *g = groups_in(w) + i;
        if (g->copy.under_way && !g->copy.catching_up && g->replica[g->copy.place].node == node) {
            again_drop(w, i, COPY_DROP_ALIVE);
        }
    }
}

/* --- as a part of the world ------------------------------------------------------------------- */

size_t copies_used(const struct world *w)
{
    return w->copies.count * sizeof(struct group_row);
}

void copies_lay_out(struct world *plan, uint64_t *end)
{
    plan->at.groups = table_at(end, plan->config.groups_max, sizeof(struct group_row));
}

static void feed_core(struct digest *d, const struct term_core *t)
{
    DIGEST_FEED(d, t->term, t->last, t->last_term, t->commit, t->before, t->role, t->vote, t->votes,
                t->counted);
    digest_all(d, t->have, t->of);
}

static void feed_replica(struct digest *d, const struct replica *r)
{
    feed_core(d, &r->core);
    DIGEST_FEED(d, r->base, r->base_entry, r->round, r->refused, (uint64_t)r->heard_us,
                (uint64_t)r->deadline_us, r->node, r->follows, r->timer);
    for (uint64_t p = r->base + 1; p <= r->core.last; p++) {
        digest_u64(d, log_entry(r, p));
    }
    digest_all(d, r->next, r->core.of);
    digest_all(d, r->heard_round, r->core.of);
}

static void feed_group(struct digest *d, const struct group_row *g)
{
    const struct copy_made *c = &g->copy;
    digest_bytes(d, g->name, sizeof g->name);
    DIGEST_FEED(d, g->of, g->acks, g->broken, g->broken_term, g->broken_at, g->acked_entries,
                g->acked_position, g->newest, g->asked, g->acked, g->failed, g->lost, g->looks,
                g->stale, g->elections, g->next_value, (uint64_t)g->leaderless_us,
                (uint64_t)g->leaderless_since_us, (uint64_t)g->patience_us, g->bytes, g->rate,
                g->rate_turn, g->known, g->no_place, g->life, g->looked,
                (uint64_t)g->last_leaderless_us, g->bare, g->promised, g->back_from, g->back_to,
                g->read.position, g->read.entry, g->read.by);
    DIGEST_FEED(d, c->copied, c->bytes, c->rate, (uint64_t)c->began_us, (uint64_t)c->since_us,
                c->turn, c->node, c->place, c->source, c->under_way, c->catching_up, c->waits);
    for (uint32_t i = 0; i < g->of; i++) {
        feed_replica(d, &g->replica[i]);
    }
    for (uint32_t i = 0; i < GROUP_OPS; i++) {
        const struct copy_op *op = &g->op[i];
        DIGEST_FEED(d, op->number, op->value, op->position, op->term, op->due, op->round,
                    (uint64_t)op->asked_us, op->node, op->place, op->kind, op->zone, op->hops,
                    op->late, op->by_command, op->promised);
    }
    for (uint32_t i = 0; i < GROUP_ACKED; i++) {
        DIGEST_FEED(d, g->acked_entry[i].position, g->acked_entry[i].entry, g->acked_entry[i].by,
                    g->acked_entry[i].lost);
    }
    for (uint32_t i = 0; i < GROUP_LED; i++) {
        DIGEST_FEED(d, g->led[i].term, g->led[i].who);
    }
}

void copies_feed(struct digest *d, const struct world *w)
{
    const struct copies_state *c = &w->copies;
    if (c->count == 0 && !c->on && c->declared == 0) {
        return;
    }
    DIGEST_FEED(d, w->config.groups_max, c->count, c->on, c->budget, c->declared, c->wanted,
                c->under_way, c->done, c->bytes, (uint64_t)c->began_us, (uint64_t)c->ended_us,
                c->requests);
    digest_all(d, c->prng.s, 4);
    for (uint32_t i = 0; i < c->count; i++) {
        feed_group(d, groups_in(w) + i);
    }
}
