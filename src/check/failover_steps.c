/*
 * failover_steps: the steps that replicas and their messages can take; see failover.h.
 */
#include "check/failover.h"
#include <string.h>

/* An action is a step times 64, and the two replicas in 3 bits each. */
struct failover_action failover_action_of(uint16_t action)
{
    return (struct failover_action){
        .step = (enum failover_step)(action >> 6), .at = action >> 3 & 7, .from = action & 7};
}

uint16_t failover_number_of(struct failover_action a)
{
    return (uint16_t)((unsigned)a.step << 6 | (unsigned)a.at << 3 | a.from);
}

/* --- in more bytes and in fewer --------------------------------------------------------------- */

static unsigned pair_bits(const uint8_t *bytes, unsigned width, unsigned which)
{
    unsigned all = bytes[0] | (unsigned)bytes[1] << 8;
    return all >> width * which & ((1u << width) - 1);
}

static void keep_bits(uint8_t *bytes, unsigned width, unsigned which, unsigned value)
{
    unsigned all = bytes[0] | (unsigned)bytes[1] << 8;
    all &= ~(((1u << width) - 1) << width * which);
    all |= value << width * which;
    bytes[0] = (uint8_t)(all & 255);
    bytes[1] = (uint8_t)(all >> 8 & 255);
}

unsigned failover_led(const struct failover *now, unsigned term)
{
    unsigned who = pair_bits(now->led, 3, term - 1);
    return who == 0 ? FAILOVER_NOBODY : who - 1;
}

unsigned failover_newest(const struct failover *now)
{
    unsigned term = FAILOVER_TERMS_MAX;
    while (term > 1 && failover_led(now, term) == FAILOVER_NOBODY) {
        term--;
    }
    return term;
}

struct term_core failover_core(const struct check_scope *scope, const struct failover *now,
                               unsigned replica)
{
    const struct failover_replica *r = &now->replica[replica];
    struct term_core t = term_begin((uint8_t)replica, failover_world_of(scope)->replicas);
    t.term = r->term;
    t.last = r->length;
    t.last_term = r->length > 0 ? (uint64_t)r->log[r->length - 1] >> 4 : 0;
    t.commit = r->commit;
    t.before = r->before;
    t.role = r->role;
    t.vote = r->vote;
    t.votes = r->votes;
    t.counted = r->counted;
    for (unsigned i = 0; i < t.of; i++) {
        t.have[i] = pair_bits(r->have, 2, i);
    }
    return t;
}

/* All but the log. */
static void keep(struct failover *to, const struct term_core *t)
{
    struct failover_replica *r = &to->replica[t->me];
    CHECK(t->term <= FAILOVER_TERMS_MAX && t->last <= FAILOVER_WRITES_MAX);
    CHECK(t->commit <= FAILOVER_WRITES_MAX && t->counted <= FAILOVER_REPLICAS_MAX);
    r->term = t->term & 7;
    r->length = t->last & 3;
    r->commit = t->commit & 3;
    r->before = t->before & 3;
    r->role = t->role & 3u;
    r->vote = t->vote & 7u;
    r->votes = t->votes & 31u;
    r->counted = t->counted & 7u;
    for (unsigned i = 0; i < t->of; i++) {
        keep_bits(r->have, 2, i, (unsigned)t->have[i]);
    }
}

unsigned failover_agreed(const struct failover *now, unsigned a, unsigned b)
{
    const struct failover_replica *x = &now->replica[a];
    const struct failover_replica *y = &now->replica[b];
    unsigned agreed = 0;
    while (agreed < x->length && agreed < y->length && x->log[agreed] == y->log[agreed]) {
        agreed++;
    }
    return agreed;
}

/* --- what is judged --------------------------------------------------------------------------- */

static void elected(struct failover *to, const struct term_core *t)
{
    unsigned before = failover_led(to, (unsigned)t->term);
    if (before != FAILOVER_NOBODY && before != t->me) {
        to->two = 1;
    } else {
        keep_bits(to->led, 3, (unsigned)t->term - 1, 1u + t->me);
    }
}

/* The clients of all that a leader finds committed are told OK. */
static void acknowledge(struct failover *to, const struct term_core *t)
{
    const struct failover_replica *r = &to->replica[t->me];
    for (unsigned i = 0; i < t->commit && i < r->length; i++) {
        struct failover_write *w = &to->write[(r->log[i] & 15) - 1];
        if (w->acked == 0) {
            w->acked = t->term & 7;
            to->late |= w->late && failover_newest(to) > t->term ? 1 : 0;
        }
    }
}

/* --- steps ------------------------------------------------------------------------------------ */

static void take_write(const struct check_scope *scope, struct failover *to, unsigned at)
{
    struct term_core t = failover_core(scope, to, at);
    unsigned write = to->taken;
    uint64_t position = term_write(&t, failover_rules_of(scope));
    to->taken++;
    to->write[write].late = failover_newest(to) > t.term;
    to->replica[at].log[position - 1] = (uint8_t)(t.term << 4 | (write + 1));
    keep(to, &t);
    acknowledge(to, &t);
}

/* What a leader sends arrives; the answer is heard or lost. */
static enum term_reply send(const struct check_scope *scope, struct failover *to, unsigned at,
                            unsigned from, bool heard)
{
    uint64_t rules = failover_rules_of(scope);
    struct term_core leader = failover_core(scope, to, from);
    struct term_core t = failover_core(scope, to, at);
    struct term_sent sent = term_sent_of(&leader);
    enum term_reply reply = term_take(&t, rules, &sent, failover_agreed(to, at, from));
    if (reply == TERM_TAKES) {
        memcpy(to->replica[at].log, to->replica[from].log, sizeof to->replica[at].log);
    }
    keep(to, &t);
    if (!heard) {
        return reply;
    }
    if (reply == TERM_REFUSES) {
        (void)term_heard(&leader, t.term);
    } else {
        (void)term_answered(&leader, rules, at, sent.term, sent.last);
    }
    keep(to, &leader);
    if (leader.role == TERM_LEADER) {
        acknowledge(to, &leader);
    }
    return reply;
}

static void stand(const struct check_scope *scope, struct failover *to, unsigned at)
{
    struct term_core t = failover_core(scope, to, at);
    bool leads = term_stand(&t, failover_rules_of(scope));
    keep(to, &t);
    if (leads) {
        elected(to, &t);
    }
}

/* A request for a vote arrives; the answer is heard or lost. Whether it was given. */
static bool vote(const struct check_scope *scope, struct failover *to, unsigned at, unsigned from,
                 bool heard)
{
    uint64_t rules = failover_rules_of(scope);
    struct term_core candidate = failover_core(scope, to, from);
    struct term_core t = failover_core(scope, to, at);
    struct term_ask ask = term_ask_of(&candidate);
    bool given = term_asked(&t, rules, &ask);
    bool leads = false;
    keep(to, &t);
    if (!heard) {
        return given;
    }
    if (given) {
        leads = term_voted(&candidate, rules, at, ask.term);
    } else {
        (void)term_heard(&candidate, t.term);
    }
    keep(to, &candidate);
    if (leads) {
        elected(to, &candidate);
    }
    return given;
}

static void restart(const struct check_scope *scope, struct failover *to, unsigned at)
{
    struct term_core t = failover_core(scope, to, at);
    term_restart(&t, failover_rules_of(scope));
    keep(to, &t);
    to->restarts = (to->restarts + 1) & 15;
}

struct failover failover_after(const struct check_scope *scope, const struct failover *now,
                               struct failover_action a)
{
    struct failover to = *now;
    switch (a.step) {
    case FAILOVER_WRITE:
    case FAILOVER_WRITE_ACK:
        take_write(scope, &to, a.at);
        break;
    case FAILOVER_SEND:
    case FAILOVER_SEND_OLD:
    case FAILOVER_DEPOSE:
        (void)send(scope, &to, a.at, a.from, true);
        break;
    case FAILOVER_SEND_LOST:
        (void)send(scope, &to, a.at, a.from, false);
        to.lost = (to.lost + 1) & 15;
        break;
    case FAILOVER_STAND:
    case FAILOVER_STAND_ALONE:
        stand(scope, &to, a.at);
        break;
    case FAILOVER_VOTE:
    case FAILOVER_VOTE_SHORT:
    case FAILOVER_VOTE_OLD:
    case FAILOVER_VOTE_TWICE:
    case FAILOVER_NO_VOTE:
        (void)vote(scope, &to, a.at, a.from, true);
        break;
    case FAILOVER_VOTE_LOST:
        (void)vote(scope, &to, a.at, a.from, false);
        to.lost = (to.lost + 1) & 15;
        break;
    case FAILOVER_RESTART:
    case FAILOVER_RESTART_FORGETS:
        restart(scope, &to, a.at);
        break;
    case FAILOVER_STEPS:
        CHECK(false && "no such step");
    }
    return to;
}

/* --- which steps there are -------------------------------------------------------------------- */

struct steps {
    const struct check_scope *scope;
    const struct failover_world *world;
    const struct failover *now;
    struct check_out *out;
};

static void put(const struct steps *s, enum failover_step step, unsigned at, unsigned from,
                const struct failover *to)
{
    struct failover_action a = {.step = step, .at = (uint8_t)at, .from = (uint8_t)from};
    *(struct failover *)check_put(s->out, failover_number_of(a)) = *to;
}

static bool same(const struct failover *a, const struct failover *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

static void next_of_replica(const struct steps *s, unsigned at)
{
    const struct failover_replica *r = &s->now->replica[at];
    struct failover to = *s->now;
    if (r->role == TERM_LEADER && s->now->taken < s->world->writes) {
        unsigned write = s->now->taken;
        take_write(s->scope, &to, at);
        put(s, to.write[write].acked != 0 ? FAILOVER_WRITE_ACK : FAILOVER_WRITE, at, at, &to);
    }
    if (r->role != TERM_LEADER && r->term < s->world->terms) {
        to = *s->now;
        stand(s->scope, &to, at);
        bool alone = to.replica[at].role == TERM_LEADER;
        put(s, alone ? FAILOVER_STAND_ALONE : FAILOVER_STAND, at, at, &to);
    }
    if (s->now->restarts < s->world->restarts) {
        to = *s->now;
        restart(s->scope, &to, at);
        const struct failover_replica *after = &to.replica[at];
        bool forgets = after->term != r->term || after->vote != r->vote;
        if (memcmp(after, r, sizeof *r) != 0) {
            put(s, forgets ? FAILOVER_RESTART_FORGETS : FAILOVER_RESTART, at, at, &to);
        }
    }
}

/* With its answer heard, and with its answer lost; a step only if somebody changes. */
static void next_of_sending(const struct steps *s, unsigned at, unsigned from)
{
    struct failover heard = *s->now;
    struct failover lost = *s->now;
    enum term_reply reply = send(s->scope, &heard, at, from, true);
    bool old = s->now->replica[from].term < s->now->replica[at].term;
    if (!same(&heard, s->now)) {
        put(s,
            reply == TERM_REFUSES ? FAILOVER_DEPOSE
            : old                 ? FAILOVER_SEND_OLD
                                  : FAILOVER_SEND,
            at, from, &heard);
    }
    (void)send(s->scope, &lost, at, from, false);
    if (s->now->lost < s->world->lost && !same(&lost, s->now) && !same(&lost, &heard)) {
        lost.lost = (lost.lost + 1) & 15;
        put(s, FAILOVER_SEND_LOST, at, from, &lost);
    }
}

static enum failover_step name_of_vote(const struct steps *s, unsigned at, unsigned from)
{
    struct term_core t = failover_core(s->scope, s->now, at);
    struct term_core candidate = failover_core(s->scope, s->now, from);
    struct term_ask ask = term_ask_of(&candidate);
    if ((candidate.votes >> at & 1) != 0) {
        return FAILOVER_VOTE_TWICE;
    }
    if (ask.term < t.term) {
        return FAILOVER_VOTE_OLD;
    }
    return term_is_far(&t, &ask) || t.vote == 1 + from ? FAILOVER_VOTE : FAILOVER_VOTE_SHORT;
}

static void next_of_asking(const struct steps *s, unsigned at, unsigned from)
{
    struct failover heard = *s->now;
    struct failover lost = *s->now;
    bool given = vote(s->scope, &heard, at, from, true);
    if (!same(&heard, s->now)) {
        put(s, given ? name_of_vote(s, at, from) : FAILOVER_NO_VOTE, at, from, &heard);
    }
    (void)vote(s->scope, &lost, at, from, false);
    if (given && s->now->lost < s->world->lost && !same(&lost, s->now)) {
        lost.lost = (lost.lost + 1) & 15;
        put(s, FAILOVER_VOTE_LOST, at, from, &lost);
    }
}

void failover_next(const struct check_scope *scope, const void *state, struct check_out *out)
{
    struct steps s = {.scope = scope, .world = failover_world_of(scope), .now = state, .out = out};
    for (unsigned from = 0; from < s.world->replicas; from++) {
        unsigned role = s.now->replica[from].role;
        next_of_replica(&s, from);
        for (unsigned at = 0; at < s.world->replicas; at++) {
            if (at != from && role == TERM_LEADER) {
                next_of_sending(&s, at, from);
            } else if (at != from && role == TERM_CANDIDATE) {
                next_of_asking(&s, at, from);
            }
        }
    }
}

struct failover failover_start(const struct check_scope *scope)
{
    struct failover start = {.taken = 0};
    for (unsigned i = 0; i < failover_world_of(scope)->replicas; i++) {
        start.replica[i] = (struct failover_replica){.term = 1, .vote = 1};
    }
    start.replica[0].role = TERM_LEADER;
    keep_bits(start.led, 3, 0, 1);
    return start;
}
