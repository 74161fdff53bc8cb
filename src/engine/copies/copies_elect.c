/*
 * copies_elect: patience, candidates and votes.
 */
#include "engine/copies/copies_inside.h"

static struct replica *replica_of(struct world *w, uint32_t group, uint16_t place)
{
    return &groups_of(w)[group].replica[place];
}

void elect_wait(struct world *w, uint32_t group, uint16_t place)
{
    struct group_row *g = groups_of(w) + group;
    struct replica *r = replica_of(w, group, place);
    int64_t more = (int64_t)prng_below(&w->copies.prng, (uint64_t)g->patience_us + 1);
    r->heard_us = w->now_us;
    r->deadline_us = w->now_us + g->patience_us + more;
    if (!r->timer) {
        r->timer = true;
        copies_timer(w, group, place, COPY_TIMER_PATIENCE, r->deadline_us - w->now_us, 0);
    }
}

void elect_patience(struct world *w, uint32_t group, uint16_t place)
{
    struct replica *r = replica_of(w, group, place);
    r->timer = false;
    if (place >= groups_in(w)[group].of || !replica_up(w, r) || r->core.role == TERM_LEADER) {
        return;
    }
    if (r->deadline_us > w->now_us) {
        r->timer = true;
        copies_timer(w, group, place, COPY_TIMER_PATIENCE, r->deadline_us - w->now_us, 0);
        return;
    }
    elect_stand(w, group, place, w->now_us - r->heard_us);
}

/* It leads a term: who led it before, and what it lacks. */
static void note_leader(struct world *w, uint32_t group, uint16_t place)
{
    struct group_row *g = groups_of(w) + group;
    const struct replica *r = &g->replica[place];
    uint64_t term = r->core.term;
    uint64_t who = 1 + (uint64_t)r->node;
    if (g->led[term % GROUP_LED].term == term && g->led[term % GROUP_LED].who != who &&
        g->broken == COPIES_WHOLE) {
        g->broken = COPIES_TWO_LEADERS;
        g->broken_term = term;
        g->broken_at = (g->led[term % GROUP_LED].who - 1) << 32 | r->node;
    }
    g->led[term % GROUP_LED].term = term;
    g->led[term % GROUP_LED].who = who;
    g->newest = term > g->newest ? term : g->newest;
    g->elections++;
}

/* Acknowledged entries that a new leader lacks are gone: only with `acks one`, or a rule off. */
static void note_lost(struct world *w, uint32_t group, uint16_t place)
{
    struct group_row *g = groups_of(w) + group;
    const struct replica *r = &g->replica[place];
    uint64_t held = g->acked_entries < GROUP_ACKED ? g->acked_entries : GROUP_ACKED;
    uint64_t lost = 0;
    for (uint64_t i = 0; i < held; i++) {
        struct acked_entry *a = &g->acked_entry[i];
        if (a->position == 0 || a->lost || a->by >= r->core.term ||
            log_has(r, a->position, a->entry)) {
            continue;
        }
        lost++;
        a->lost = g->acks == ACKS_ONE; /* else it is a broken promise, not a risk that was taken */
    }
    if (lost == 0) {
        return;
    }
    g->lost += lost;
    if (g->acks == ACKS_ONE && g->acked_position > r->core.last) {
        g->acked_position = r->core.last;
    }
    copies_note(w, group, REASON_COPY_LOST, r->node, NOBODY, r->core.term)->operand[0] =
        (int64_t)lost;
}

static void leads(struct world *w, uint32_t group, uint16_t place, uint32_t votes)
{
    struct group_row *g = groups_of(w) + group;
    struct replica *r = &g->replica[place];
    struct trace_record *t =
        copies_note(w, group, REASON_COPY_LEADS, r->node, NOBODY, r->core.term);
    for (uint32_t i = 0; i < g->of; i++) {
        r->next[i] = r->core.last + 1;
        r->heard_round[i] = 0;
    }
    t->operand[0] = votes;
    t->operand[1] = g->of;
    t->operand[2] = (int64_t)r->core.last;
    r->round = 0;
    r->follows = place;
    note_leader(w, group, place);
    note_lost(w, group, place);
    if (nodes_connected(w, r->node, NODE_DIRECTORY_ITSELF)) {
        g->known = place;
    }
    copies_led_changed(w, group);
    client_begins_term(w, group, place);
    send_beat(w, group, place);
}

void elect_ask(struct world *w, uint32_t group, uint16_t place)
{
    const struct group_row *g = groups_in(w) + group;
    const struct replica *r = &g->replica[place];
    struct term_ask ask = term_ask_of(&r->core);
    for (uint16_t i = 0; i < g->of; i++) {
        if (i == place) {
            continue;
        }
        struct node_message m = copies_message(w, group, COPY_ASK, r->node, g->replica[i].node);
        m.word[0] = ask.term;
        m.word[1] = ask.last;
        m.word[2] = ask.last_term;
        m.shown = true;
        struct trace_record *t =
            copies_note(w, group, REASON_COPY_VOTE_ASKED, m.from, m.to, ask.term);
        t->arrive_us = copies_arrival(w, m.from, m.to);
        t->operand[0] = (int64_t)ask.last;
        t->operand[1] = (int64_t)ask.last_term;
        node_send(w, &m);
    }
}

void elect_stand(struct world *w, uint32_t group, uint16_t place, int64_t silence_us)
{
    struct replica *r = replica_of(w, group, place);
    r->follows = NOBODY;
    bool alone = term_stand(&r->core, w->rules);
    copies_note(w, group, REASON_COPY_STANDS, r->node, NOBODY, r->core.term)->operand[0] =
        silence_us;
    if (alone) {
        leads(w, group, place, 1);
        return;
    }
    elect_wait(w, group, place);
    elect_ask(w, group, place);
}

void elect_stepped_down(struct world *w, uint32_t group, uint16_t place, uint8_t was)
{
    struct replica *r = replica_of(w, group, place);
    if (was == TERM_FOLLOWER || r->core.role != TERM_FOLLOWER) {
        return;
    }
    struct trace_record *t =
        copies_note(w, group, REASON_COPY_STEPS_DOWN, r->node, NOBODY, r->core.term);
    t->operand[0] = (int64_t)r->core.term;
    t->operand[1] = was == TERM_LEADER;
    if (was == TERM_LEADER) {
        r->follows = NOBODY;
        client_forgotten(groups_of(w) + group, place);
        elect_wait(w, group, place);
        copies_led_changed(w, group);
    }
}

/* Why it gave no vote. */
static enum copy_no why_not(const struct term_core *before, const struct term_ask *ask)
{
    if (ask->term < before->term) {
        return COPY_NO_OLD_TERM;
    }
    bool voted = ask->term == before->term && before->vote != 0;
    return voted ? COPY_NO_OTHER_VOTE : COPY_NO_SHORT_LOG;
}

void elect_asked(struct world *w, const struct node_message *m, uint16_t from, uint16_t to)
{
    struct replica *r = replica_of(w, message_group(m), to);
    struct term_core before = r->core;
    struct term_ask ask = {
        .term = m->word[0], .last = m->word[1], .last_term = m->word[2], .from = (uint8_t)from};
    bool given = term_asked(&r->core, w->rules, &ask);
    elect_stepped_down(w, message_group(m), to, before.role);
    if (given) {
        elect_wait(w, message_group(m), to);
    }
    struct node_message answer = copies_message(w, message_group(m), COPY_VOTE, m->to, m->from);
    answer.word[0] = ask.term;
    answer.word[1] = given;
    answer.word[2] = r->core.term;
    answer.shown = true;
    struct trace_record *t =
        copies_note(w, message_group(m), given ? REASON_COPY_VOTES : REASON_COPY_NO_VOTE, m->to,
                    m->from, given ? ask.term : r->core.term);
    t->arrive_us = copies_arrival(w, m->to, m->from);
    t->operand[0] = given ? (int64_t)before.last : (int64_t)why_not(&before, &ask);
    t->operand[1] = given                                 ? (int64_t)before.last_term
                    : t->operand[0] == COPY_NO_OTHER_VOTE ? before.vote - 1
                                                          : (int64_t)before.last_term;
    t->operand[2] = (int64_t)before.last;
    node_send(w, &answer);
}

void elect_voted(struct world *w, const struct node_message *m, uint16_t from, uint16_t to)
{
    struct replica *r = replica_of(w, message_group(m), to);
    uint8_t was = r->core.role;
    if (m->word[1] == 0) {
        if (term_heard(&r->core, m->word[2])) {
            elect_stepped_down(w, message_group(m), to, was);
        }
        return;
    }
    bool again =
        was == TERM_CANDIDATE && m->word[0] == r->core.term && (r->core.votes >> from & 1) != 0;
    if (again) {
        copies_note(w, message_group(m), REASON_COPY_COUNTED, m->to, NOBODY, r->core.term)
            ->operand[0] = m->from;
    }
    uint32_t votes = r->core.counted + 1u;
    if (term_voted(&r->core, w->rules, from, m->word[0])) {
        leads(w, message_group(m), to, votes);
    }
}
