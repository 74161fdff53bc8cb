/*
 * failover: its rules, its scopes and what is judged; see failover.h. The steps are in
 * failover_steps.c, the words in failover_words.c.
 */
#include "check/failover.h"
#include "check/models.h"

/* In the order of proto/rule.h. */
static const struct check_rule demanded[] = {
    {"ack-needs-majority", "A write is acknowledged only when a majority of the replicas has it in "
                           "its log."},
    {"election-needs-majority", "A candidate becomes leader only with the votes of a majority."},
    {"vote-for-longer-log", "A replica votes only for a log that is as far as its own, or "
                            "farther."},
    {"refuse-old-term", "A replica refuses what comes from an older term than its own."},
    {"durable-vote", "A replica's term and vote are written down, so they survive a restart."},
    {"votes-count-once", "A candidate counts the vote of each replica once."},
    {NULL, NULL},
};

#define RULES 6u

_Static_assert(RULE_VOTES_COUNT_ONCE - RULE_ACK_NEEDS_MAJORITY == RULES - 1,
               "the list is this one");

static const struct check_apart apart[] = {
    {"votes-count-once", FAILOVER_FIVE,
     "Shown are five replicas. Of three, a candidate and one vote are a majority already, and "
     "counting that vote twice changes nothing."},
    {NULL, 0, NULL},
};

static const struct failover_world worlds[FAILOVER_SIZES] = {
    [FAILOVER_SMALL] = {.replicas = 3, .writes = 2, .terms = 2, .restarts = 1, .lost = 1},
    [FAILOVER_LARGE] = {.replicas = 3, .writes = 2, .terms = 3, .restarts = 1, .lost = 1},
    [FAILOVER_FIVE] = {.replicas = 5, .terms = 2},
    [FAILOVER_LONG] = {.replicas = 3, .writes = 2, .terms = 4},
};

const struct failover_world *failover_world_of(const struct check_scope *scope)
{
    CHECK(scope->size < FAILOVER_SIZES);
    return &worlds[scope->size];
}

uint64_t failover_rules_of(const struct check_scope *scope)
{
    uint64_t off = ~scope->rules & ((1u << RULES) - 1);
    return RULES_ALL & ~(off << RULE_ACK_NEEDS_MAJORITY);
}

static void init(const struct check_scope *scope, struct check_out *out)
{
    *(struct failover *)check_put(out, 0) = failover_start(scope);
}

/* --- what is judged --------------------------------------------------------------------------- */

bool failover_has(const struct failover *now, unsigned replica, unsigned write)
{
    const struct failover_replica *r = &now->replica[replica];
    for (unsigned i = 0; i < r->length; i++) {
        if ((r->log[i] & 15u) == write + 1) {
            return true;
        }
    }
    return false;
}

/* A leader without what was acknowledged before its term. */
static bool one_lacks(const struct failover *now, unsigned replicas)
{
    for (unsigned i = 0; i < replicas; i++) {
        const struct failover_replica *r = &now->replica[i];
        for (unsigned w = 0; w < now->taken && r->role == TERM_LEADER; w++) {
            unsigned acked = now->write[w].acked;
            if (acked != 0 && r->term > acked && !failover_has(now, i, w)) {
                return true;
            }
        }
    }
    return false;
}

static bool two_differ(const struct failover *now, unsigned a, unsigned b)
{
    const struct failover_replica *x = &now->replica[a];
    const struct failover_replica *y = &now->replica[b];
    unsigned known = x->commit < y->commit ? x->commit : y->commit;
    return failover_agreed(now, a, b) < known;
}

int failover_check(const struct check_scope *scope, const void *state)
{
    const struct failover *now = state;
    unsigned replicas = failover_world_of(scope)->replicas;
    if (now->two) {
        return FAILOVER_TWO_LEADERS;
    }
    if (now->late) {
        return FAILOVER_LATE;
    }
    if (one_lacks(now, replicas)) {
        return FAILOVER_LACKS;
    }
    for (unsigned i = 0; i < replicas; i++) {
        for (unsigned j = 0; j < i; j++) {
            if (two_differ(now, i, j)) {
                return FAILOVER_DIFFER;
            }
        }
    }
    return 0;
}

static const char *broken(int code)
{
    switch ((enum failover_promise)code) {
    case FAILOVER_TWO_LEADERS:
        return "two replicas lead the same term";
    case FAILOVER_LACKS:
        return "the leader of a later term lacks a write whose client was told OK";
    case FAILOVER_LATE:
        return "a leader that was replaced acknowledges a write that it took after that";
    case FAILOVER_DIFFER:
        return "two replicas hold different writes at a position that both know to be committed";
    }
    CHECK(false && "no such promise");
    return "";
}

static const char *const promised[] = {
    "a term has one leader at most",
    "a write that was acknowledged is in the log of every leader of a later term",
    "what a leader takes after it was replaced, it never acknowledges",
    "two replicas that know a position to be committed hold the same write there",
    NULL,
};

/* --- what must come to pass ------------------------------------------------------------------- */

enum situation {
    TWO_AT_ONCE,
    TWO_CANDIDATES,
    NO_LEADER,
    TAKEN_LATE,
    STORED_UNHEARD,
    VOTED_UNHEARD,
    LATER_LACKS,
    LOGS_DIFFER,
    CANDIDATE_LACKS,
    OLD_AT_MAJORITY
};

static const struct check_situation situation[] = {
    [TWO_AT_ONCE] = {"two replicas take themselves for the leader, each in a term of its own"},
    [TWO_CANDIDATES] = {"two replicas stand for the same term"},
    [NO_LEADER] = {"no replica takes itself for the leader"},
    [TAKEN_LATE] = {"a leader takes a write after another was elected to a later term"},
    [STORED_UNHEARD] = {"a write is at a majority, and its leader does not know it"},
    [VOTED_UNHEARD] = {"a vote is given, and its candidate does not know it"},
    [LATER_LACKS] = {"a leader lacks a write that another replica has taken before"},
    [LOGS_DIFFER] = {"two logs hold different writes at the same position"},
    [CANDIDATE_LACKS] = {"a replica that lacks an acknowledged write stands for a term"},
    [OLD_AT_MAJORITY] =
        {"an entry of an older term is at a majority, and may still be thrown away"},
    {NULL},
};

static unsigned holders(const struct failover *now, unsigned replicas, uint8_t entry)
{
    unsigned count = 0;
    for (unsigned i = 0; i < replicas; i++) {
        const struct failover_replica *r = &now->replica[i];
        for (unsigned p = 0; p < r->length; p++) {
            count += r->log[p] == entry;
        }
    }
    return count;
}

/* What a leader's own log says. */
static uint32_t situations_of_leader(const struct failover *now, unsigned replicas, unsigned i)
{
    const struct failover_replica *r = &now->replica[i];
    uint32_t in = 0;
    for (unsigned p = 0; p < r->length; p++) {
        unsigned write = (r->log[p] & 15u) - 1;
        bool most = holders(now, replicas, r->log[p]) >= term_majority(replicas);
        bool waits = most && now->write[write].acked == 0;
        bool own = r->log[p] >> 4 == r->term;
        in |= check_bit(STORED_UNHEARD, waits && own) | check_bit(OLD_AT_MAJORITY, waits && !own);
    }
    for (unsigned w = 0; w < now->taken; w++) {
        in |= check_bit(LATER_LACKS, !now->write[w].late && !failover_has(now, i, w));
    }
    return in;
}

static uint32_t situations_of_candidate(const struct failover *now, unsigned replicas, unsigned i)
{
    const struct failover_replica *r = &now->replica[i];
    uint32_t in = 0;
    for (unsigned j = 0; j < replicas; j++) {
        const struct failover_replica *other = &now->replica[j];
        bool voted = other->term == r->term && other->vote == 1 + i;
        in |= check_bit(VOTED_UNHEARD, voted && (r->votes >> j & 1) == 0) |
              check_bit(TWO_CANDIDATES,
                        j != i && other->role == TERM_CANDIDATE && other->term == r->term);
    }
    for (unsigned w = 0; w < now->taken; w++) {
        in |= check_bit(CANDIDATE_LACKS, now->write[w].acked != 0 && !failover_has(now, i, w));
    }
    return in;
}

static uint32_t situations(const struct check_scope *scope, const void *state)
{
    const struct failover *now = state;
    unsigned replicas = failover_world_of(scope)->replicas;
    unsigned leaders = 0;
    uint32_t in = 0;
    for (unsigned i = 0; i < replicas; i++) {
        const struct failover_replica *r = &now->replica[i];
        if (r->role == TERM_LEADER) {
            leaders++;
            in |= situations_of_leader(now, replicas, i);
        } else if (r->role == TERM_CANDIDATE) {
            in |= situations_of_candidate(now, replicas, i);
        }
        for (unsigned j = 0; j < i; j++) {
            unsigned agreed = failover_agreed(now, i, j);
            in |= check_bit(LOGS_DIFFER, agreed < r->length && agreed < now->replica[j].length);
        }
    }
    for (unsigned w = 0; w < now->taken; w++) {
        in |= check_bit(TAKEN_LATE, now->write[w].late != 0);
    }
    return in | check_bit(TWO_AT_ONCE, leaders > 1) | check_bit(NO_LEADER, leaders == 0);
}

/* --- the model -------------------------------------------------------------------------------- */

/* All is acknowledged; or in the last term, what its leader took is, or nobody leads it. What older
 * leaders took waits for the next write. */
static bool finished(const struct check_scope *scope, const void *state)
{
    const struct failover *now = state;
    const struct failover_world *world = failover_world_of(scope);
    unsigned acked = 0;
    bool last = false;
    bool waits = false;
    for (unsigned w = 0; w < world->writes; w++) {
        acked += now->write[w].acked != 0;
    }
    for (unsigned i = 0; i < world->replicas; i++) {
        const struct failover_replica *r = &now->replica[i];
        bool own = r->commit < r->length && r->before < r->length;
        last |= r->term == world->terms;
        waits |= r->term == world->terms && r->role == TERM_LEADER &&
                 (own || now->taken < world->writes);
    }
    return acked == world->writes || (last && !waits);
}

static unsigned actor(uint16_t action)
{
    return failover_action_of(action).at;
}

static bool fault(uint16_t action)
{
    return failover_action_of(action).step >= FAILOVER_SEND_LOST;
}

const struct check_model model_failover = {
    .name = "failover",
    .about = "replicas elect a leader for each term, and a majority must have what is acknowledged",
    .rule = demanded,
    .state_size = sizeof(struct failover),
    .size_small = FAILOVER_SMALL,
    .size_large = FAILOVER_LARGE,
    .apart = apart,
    .size_of = "scope",
    .say_size = failover_say_size,
    .init = init,
    .next = failover_next,
    .check = failover_check,
    .broken = broken,
    .promises = promised,
    .situation = situation,
    .situations = situations,
    .finished = finished,
    .actor = actor,
    .fault = fault,
    .tell = failover_tell,
};
