/*
 * term: the steps of a replica; see term.h.
 */
#include "proto/term.h"

#include "base/check.h"
#include <string.h>

const char *term_role_name(enum term_role role)
{
    static const char *const names[TERM_ROLES] = {
        [TERM_FOLLOWER] = "follower",
        [TERM_CANDIDATE] = "candidate",
        [TERM_LEADER] = "leader",
    };
    CHECK(role < TERM_ROLES);
    return names[role];
}

struct term_core term_begin(uint8_t me, uint8_t of)
{
    CHECK(me < of && of <= TERM_REPLICAS_MAX);
    return (struct term_core){.me = me, .of = of};
}

/* What candidates and leaders know is forgotten. */
static void follow(struct term_core *t)
{
    t->role = TERM_FOLLOWER;
    t->votes = 0;
    t->counted = 0;
    t->before = 0;
    memset(t->have, 0, sizeof t->have);
}

bool term_heard(struct term_core *t, uint64_t term)
{
    if (term <= t->term) {
        return false;
    }
    follow(t);
    t->term = term;
    t->vote = 0;
    return true;
}

void term_restart(struct term_core *t, uint64_t rules)
{
    follow(t);
    t->commit = 0;
    if (!rule_on(rules, RULE_DURABLE_VOTE)) {
        t->term = t->last_term;
        t->vote = 0;
    }
}

/* --- elections -------------------------------------------------------------------------------- */

/* With enough votes it leads. */
static bool lead(struct term_core *t, uint64_t rules)
{
    uint32_t enough = rule_on(rules, RULE_ELECTION_NEEDS_MAJORITY) ? term_majority(t->of) : 1;
    if (t->counted < enough) {
        return false;
    }
    follow(t);
    t->role = TERM_LEADER;
    t->before = t->last;
    t->have[t->me] = t->last;
    return true;
}

bool term_stand(struct term_core *t, uint64_t rules)
{
    CHECK(t->role != TERM_LEADER);
    t->role = TERM_CANDIDATE;
    t->term++;
    t->vote = (uint8_t)(1 + t->me);
    t->votes = (uint8_t)(1u << t->me);
    t->counted = 1;
    return lead(t, rules);
}

struct term_ask term_ask_of(const struct term_core *t)
{
    return (struct term_ask){
        .term = t->term, .last = t->last, .last_term = t->last_term, .from = t->me};
}

bool term_is_far(const struct term_core *t, const struct term_ask *ask)
{
    return ask->last_term > t->last_term ||
           (ask->last_term == t->last_term && ask->last >= t->last);
}

bool term_asked(struct term_core *t, uint64_t rules, const struct term_ask *ask)
{
    if (ask->term < t->term && rule_on(rules, RULE_REFUSE_OLD_TERM)) {
        return false;
    }
    term_heard(t, ask->term);
    if (t->vote != 0) {
        return t->vote == 1 + ask->from;
    }
    if (!term_is_far(t, ask) && rule_on(rules, RULE_VOTE_FOR_LONGER_LOG)) {
        return false;
    }
    t->vote = (uint8_t)(1 + ask->from);
    return true;
}

bool term_voted(struct term_core *t, uint64_t rules, unsigned from, uint64_t term)
{
    if (t->role != TERM_CANDIDATE || term != t->term) {
        return false;
    }
    bool again = (t->votes >> from & 1) != 0;
    if (again && rule_on(rules, RULE_VOTES_COUNT_ONCE)) {
        return false;
    }
    t->votes = (uint8_t)(t->votes | 1u << from);
    t->counted++;
    return lead(t, rules);
}

/* --- writes ----------------------------------------------------------------------------------- */

static uint64_t higher(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* The farthest position that enough replicas have, if it is the leader's own, is committed. */
static bool commit(struct term_core *t, uint64_t rules)
{
    uint32_t enough = rule_on(rules, RULE_ACK_NEEDS_MAJORITY) ? term_majority(t->of) : 1;
    uint64_t farthest = 0;
    for (unsigned i = 0; i < t->of; i++) {
        uint32_t as_far = 0;
        for (unsigned j = 0; j < t->of; j++) {
            as_far += t->have[j] >= t->have[i];
        }
        if (as_far >= enough) {
            farthest = higher(farthest, t->have[i]);
        }
    }
    if (farthest <= t->before || farthest <= t->commit) {
        return false;
    }
    t->commit = farthest;
    return true;
}

uint64_t term_write(struct term_core *t, uint64_t rules)
{
    CHECK(t->role == TERM_LEADER);
    t->last++;
    t->last_term = t->term;
    t->have[t->me] = t->last;
    (void)commit(t, rules);
    return t->last;
}

struct term_sent term_sent_of(const struct term_core *t)
{
    return (struct term_sent){.term = t->term,
                              .last = t->last,
                              .last_term = t->last_term,
                              .commit = t->commit,
                              .from = t->me};
}

enum term_reply term_take(struct term_core *t, uint64_t rules, const struct term_sent *sent,
                          uint64_t agreed)
{
    if (sent->term < t->term && rule_on(rules, RULE_REFUSE_OLD_TERM)) {
        return TERM_REFUSES;
    }
    term_heard(t, sent->term);
    if (t->role == TERM_LEADER) {
        return TERM_REFUSES;
    }
    follow(t);
    bool all_here = agreed == sent->last;
    if (!all_here) {
        t->last = sent->last;
        t->last_term = sent->last_term;
    }
    t->commit = higher(t->commit, sent->commit);
    return all_here ? TERM_KEEPS : TERM_TAKES;
}

bool term_answered(struct term_core *t, uint64_t rules, unsigned from, uint64_t term, uint64_t last)
{
    if (t->role != TERM_LEADER || term != t->term) {
        return false;
    }
    t->have[from] = higher(t->have[from], last);
    return commit(t, rules);
}
