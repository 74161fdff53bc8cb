/*
 * copies_send: what a leader sends, what the others make of it, and when clients are told.
 */
#include "engine/copies/copies_inside.h"

/* --- sending ---------------------------------------------------------------------------------- */

static uint64_t entry_shown(uint64_t entry)
{
    return ENTRY_IS_EMPTY(entry) ? COPY_EMPTY : ENTRY_VALUE(entry);
}

/* Entries behind `prev`, as many as go into a message; how many. */
static uint64_t fill(const struct replica *r, uint64_t prev, struct node_message *m)
{
    uint64_t count = r->core.last - prev;
    count = count < SENT_MOST ? count : SENT_MOST;
    for (uint64_t i = 0; i < count; i++) {
        m->word[4 + i] = log_entry(r, prev + 1 + i);
    }
    return count;
}

static void send_one(struct world *w, uint32_t group, uint16_t place, uint16_t to, bool always)
{
    struct group_row *g = groups_of(w) + group;
    struct replica *r = &g->replica[place];
    uint64_t prev = r->next[to] - 1;
    uint64_t prev_term = 0;
    if (!log_term(r, prev, &prev_term)) {
        again_behind(w, group, to);
        prev = r->core.last;
        CHECK(log_term(r, prev, &prev_term));
    }
    struct node_message m = copies_message(w, group, COPY_SEND, r->node, g->replica[to].node);
    uint64_t count = fill(r, prev, &m);
    if (count == 0 && !always) {
        return;
    }
    uint64_t last = prev + count;
    m.word[0] = r->round << 32 | r->core.term;
    m.word[1] = last;
    m.word[2] = r->core.commit < last ? r->core.commit : last;
    m.word[3] = prev << 32 | prev_term;
    m.shown = count > 0;
    if (count > 0) {
        struct trace_record *t =
            copies_note(w, group, REASON_COPY_SENDS, m.from, m.to, r->core.term);
        t->arrive_us = copies_arrival(w, m.from, m.to);
        t->operand[0] = (int64_t)prev + 1;
        t->operand[1] = (int64_t)last;
        t->operand[2] = (int64_t)m.word[2];
        t->value = entry_shown(m.word[4 + count - 1]);
    }
    r->next[to] = last + 1;
    node_send(w, &m);
}

void send_all(struct world *w, uint32_t group, uint16_t place, bool always)
{
    for (uint16_t i = 0; i < groups_in(w)[group].of; i++) {
        if (i != place) {
            send_one(w, group, place, i, always);
        }
    }
}

void send_beat(struct world *w, uint32_t group, uint16_t place)
{
    send_all(w, group, place, true);
    copies_timer(w, group, place, COPY_TIMER_BEAT, COPIES_BEAT_US,
                 beat_number(groups_in(w) + group, place));
}

/* --- taking ----------------------------------------------------------------------------------- */

/* How far a log and what was sent agree; false: not even with what is before it. */
static bool agree(const struct replica *r, const struct node_message *m, uint64_t *agreed)
{
    uint64_t prev = m->word[3] >> 32;
    uint64_t term = 0;
    if (prev > r->core.last ||
        (prev >= r->base && log_term(r, prev, &term) && term != (m->word[3] & UINT32_MAX))) {
        return false;
    }
    uint64_t position = prev;
    while (position < m->word[1] && log_has(r, position + 1, m->word[4 + (position - prev)])) {
        position++;
    }
    *agreed = position;
    return true;
}

/* The entries behind `agreed` replace its own. `old`: its last position before. */
static void replace(struct world *w, const struct node_message *m, struct replica *r,
                    uint64_t agreed, uint64_t old)
{
    uint64_t prev = m->word[3] >> 32;
    if (old > agreed) {
        struct trace_record *t =
            copies_note(w, message_group(m), REASON_COPY_THROWS, m->to, NOBODY, r->core.term);
        t->operand[0] = (int64_t)agreed + 1;
        t->operand[1] = (int64_t)old;
        t->value = entry_shown(r->entry[old % GROUP_LOG]);
    }
    if (agreed < r->base) { /* with a rule off: what it took for committed is thrown away */
        r->base = agreed;
        r->base_entry = 0;
    }
    for (uint64_t p = agreed + 1; p <= m->word[1]; p++) {
        log_put(r, p, m->word[4 + (p - prev - 1)]);
    }
}

/* Whether the trace tells of an answer: of those to beats, only what is new. */
static bool is_told(struct world *w, const struct node_message *m, enum copy_taken how,
                    uint64_t own_term)
{
    struct group_row *g = groups_of(w) + message_group(m);
    struct replica *r = &g->replica[group_place(g, m->to)];
    bool behind = g->copy.under_way && g->copy.catching_up && g->copy.node == m->to;
    uint64_t refused = (m->word[0] & UINT32_MAX) << 32 | (own_term & UINT32_MAX);
    bool again = refused == r->refused;
    switch (how) {
    case COPY_TAKEN_ALL:
        return m->word[1] > m->word[3] >> 32;
    case COPY_TAKEN_GAP:
        return !behind;
    case COPY_TAKEN_NOT:
        r->refused = refused;
        return !again;
    }
    CHECK(false && "no such answer");
    return false;
}

static void answer(struct world *w, const struct node_message *m, enum copy_taken how,
                   uint64_t up_to, uint64_t own_term)
{
    struct node_message a = copies_message(w, message_group(m), COPY_TAKEN, m->to, m->from);
    a.word[0] = m->word[0];
    a.word[1] = how;
    a.word[2] = up_to;
    a.word[3] = own_term;
    a.shown = is_told(w, m, how, own_term);
    if (a.shown) {
        enum copies_reason reason = how == COPY_TAKEN_ALL   ? REASON_COPY_STORES
                                    : how == COPY_TAKEN_GAP ? REASON_COPY_GAP
                                                            : REASON_COPY_REFUSES;
        struct trace_record *t = copies_note(w, message_group(m), reason, m->to, m->from, own_term);
        t->arrive_us = copies_arrival(w, m->to, m->from);
        t->operand[0] = (int64_t)(how == COPY_TAKEN_NOT ? own_term : up_to);
        t->operand[1] = (int64_t)(m->word[3] >> 32);
    }
    node_send(w, &a);
}

/* What term_take is told of entries that do not fit: nothing but the term. */
static void take_term(struct world *w, struct replica *r, uint64_t term, uint16_t from)
{
    struct term_sent nothing = {.term = term, .from = (uint8_t)from};
    (void)term_take(&r->core, w->rules, &nothing, 0);
}

void send_arrives(struct world *w, const struct node_message *m, uint16_t from, uint16_t to)
{
    struct replica *r = &groups_of(w)[message_group(m)].replica[to];
    uint8_t was = r->core.role;
    uint64_t term = m->word[0] & UINT32_MAX;
    uint64_t before = r->core.term;
    uint64_t old = r->core.last;
    uint64_t agreed = 0;
    if ((term < before && rule_on(w->rules, RULE_REFUSE_OLD_TERM)) ||
        (was == TERM_LEADER && term <= before)) {
        answer(w, m, COPY_TAKEN_NOT, 0, before);
        return;
    }
    if (!agree(r, m, &agreed)) {
        take_term(w, r, term, from);
        elect_stepped_down(w, message_group(m), to, was);
        elect_wait(w, message_group(m), to);
        r->follows = from;
        uint64_t prev = m->word[3] >> 32;
        uint64_t hint = r->core.commit < prev ? r->core.commit : prev - 1;
        answer(w, m, COPY_TAKEN_GAP, hint, term);
        return;
    }
    struct term_sent sent = {
        .term = term, .last = m->word[1], .commit = m->word[2], .from = (uint8_t)from};
    sent.last_term =
        agreed < sent.last ? ENTRY_TERM(m->word[4 + (sent.last - (m->word[3] >> 32) - 1)]) : 0;
    enum term_reply reply = term_take(&r->core, w->rules, &sent, agreed);
    if (reply == TERM_TAKES) {
        replace(w, m, r, agreed, old);
    }
    elect_stepped_down(w, message_group(m), to, was);
    elect_wait(w, message_group(m), to);
    r->follows = from;
    answer(w, m, COPY_TAKEN_ALL, sent.last, term);
}

/* --- answers ---------------------------------------------------------------------------------- */

static uint32_t holders(const struct group_row *g, const struct replica *r, uint64_t position)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < g->of; i++) {
        count += r->core.have[i] >= position;
    }
    return count;
}

/* Enough have the entry for its client to be told. */
static bool enough(const struct group_row *g, const struct replica *r, uint64_t position)
{
    return g->acks == ACKS_ONE || (position <= r->core.commit &&
                                   (g->acks != ACKS_ALL || holders(g, r, position) == g->of));
}

void send_acks(struct world *w, uint32_t group, uint16_t place)
{
    struct group_row *g = groups_of(w) + group;
    const struct replica *r = &g->replica[place];
    for (uint32_t i = 0; i < GROUP_OPS; i++) {
        struct copy_op *op = &g->op[i];
        bool waits = op->kind == COPY_OP_WRITE && op->place == place && op->position > 0 &&
                     op->term == r->core.term;
        if (!waits || !enough(g, r, op->position)) {
            continue;
        }
        struct trace_record *t = client_reply(w, group, place, op, REASON_COPY_OK, COPY_ANSWER_OK,
                                              op->value, op->position);
        t->operand[0] = (int64_t)op->position;
        t->operand[1] = holders(g, r, op->position);
        t->operand[2] = g->acks;
        op->place = NOBODY; /* told */
    }
}

static void committed(struct world *w, uint32_t group, uint16_t place, uint64_t before)
{
    const struct group_row *g = groups_in(w) + group;
    const struct replica *r = &g->replica[place];
    struct trace_record *t =
        copies_note(w, group, REASON_COPY_COMMITS, r->node, NOBODY, r->core.term);
    t->operand[0] = (int64_t)r->core.commit;
    t->operand[1] = holders(g, r, r->core.commit);
    t->operand[2] = g->of;
    t->value = r->core.commit - before;
    send_acks(w, group, place);
}

void send_taken(struct world *w, const struct node_message *m, uint16_t from, uint16_t to)
{
    struct replica *r = &groups_of(w)[message_group(m)].replica[to];
    uint8_t was = r->core.role;
    uint64_t term = m->word[0] & UINT32_MAX;
    if (term_heard(&r->core, m->word[3])) {
        elect_stepped_down(w, message_group(m), to, was);
        return;
    }
    if (r->core.role != TERM_LEADER || term != r->core.term) {
        return;
    }
    uint64_t round = m->word[0] >> 32;
    if (m->word[1] == COPY_TAKEN_NOT) {
        return;
    }
    r->heard_round[from] = round > r->heard_round[from] ? round : r->heard_round[from];
    if (m->word[1] == COPY_TAKEN_GAP) { /* it follows, and lacks something */
        client_answer_looks(w, message_group(m), to);
        r->next[from] = m->word[2] + 1;
        send_one(w, message_group(m), to, from, false);
        return;
    }
    uint64_t before = r->core.commit;
    if (term_answered(&r->core, w->rules, from, term, m->word[2])) {
        committed(w, message_group(m), to, before);
    } else {
        send_acks(w, message_group(m), to);
    }
    client_answer_looks(w, message_group(m), to);
    if (r->next[from] <= r->core.last) {
        send_one(w, message_group(m), to, from, false);
    }
}
