/*
 * sim_rules: what each rule is good for, shown by taking it away.
 *
 * For each rule the invariants of which one breaks without it, and a seed that shows it; the seed
 * is tried first, others follow if the engine has changed since. A rule that is redundant alone is
 * taken away together with the one that covers for it.
 */
#include "sim.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define TRIES 20000

struct loss {
    enum rule rule;
    enum rule nor;      /* taken away too; the same again: none */
    const char *breaks; /* how the error begins; several: with '|' between */
    uint64_t seed;
};

#define ALONE(rule) (rule), (rule)

static const struct loss losses[] = {
    {ALONE(RULE_SLOT_TABLE_CHECK), "nothing-lost|one-side|fence-is-last|conservation", 4},
    {ALONE(RULE_RELOAD_ON_MOVED), "same-map", 11},
    {ALONE(RULE_ONCE_PER_OPERATION), "conservation", 3},
    {ALONE(RULE_FENCE), "one-owner|one-server", 1},
    {ALONE(RULE_FENCE_COVERS_READS), "one-server|read-all-acked", 1},
    {ALONE(RULE_DRAIN_TO_FENCE), "nothing-lost|conservation", 33},
    {ALONE(RULE_TARGET_WAITS), "one-server|one-owner", 1},
    /* Each covers for the other: a copy with a wrong stamp is found by the compare, and with right
     * stamps the compare finds nothing. */
    {RULE_SNAPSHOT_POSITION, RULE_COMPARE_BEFORE_FENCE, "nothing-lost|conservation|money-kept",
     180},
    {RULE_COMPARE_BEFORE_FENCE, RULE_SNAPSHOT_POSITION, "nothing-lost|conservation|money-kept",
     180},
    {ALONE(RULE_CHECK_AND_APPEND), "fence-is-last|nothing-lost", 4},
    {ALONE(RULE_DURABLE_FENCE), "one-owner|fence-is-last|nothing-lost", 908},
    {ALONE(RULE_ABORT_BEFORE_COMMIT), "nothing-lost|conservation", 1237},
    {ALONE(RULE_ASK_FOR_MISSING), "nothing-lost|one-side|conservation", 4},
    {ALONE(RULE_ASKING_NEEDED), "conservation|read-all-acked|one-side|nothing-lost", 2439},
    {ALONE(RULE_ATOMIC_KEY_MOVE), "one-side", 4},
    {ALONE(RULE_ASK_KEEPS_MAP), "maps-by-directory", 4},
    {ALONE(RULE_TRY_AGAIN_ON_SPLIT), "whole-answers", 131},
    {ALONE(RULE_CLOSE_WHEN_EMPTY), "closed-empty|nothing-lost", 4},
    {ALONE(RULE_NEWER_ONLY), "never-older", 47},
    {ALONE(RULE_DUAL_BEFORE_BACKFILL), "dual-alike", 7},
    {ALONE(RULE_COMPARE_BEFORE_SWITCH), "reads-newest", 67},
    {ALONE(RULE_SINGLE_FLIGHT), "one-fetch", 4},
    {ALONE(RULE_BOUNDED_AGE), "bounded-age", 14},
    {ALONE(RULE_AGE_FROM_READ), "bounded-age", 17},
    {ALONE(RULE_DROP_ON_EDIT), "after-write", 14},
    {ALONE(RULE_FILL_NOT_ACROSS_EDIT), "after-write", 284},
    {ALONE(RULE_JOIN_BEFORE_WRITE), "after-write|read-all-acked", 4},
    {ALONE(RULE_ONE_ROUTER_A_KEY), "read-all-acked", 126},
    {ALONE(RULE_ABSOLUTE_FLUSH), "conservation|flush-order", 68},
    {ALONE(RULE_FLUSH_SEQUENCE), "flush-order|conservation", 96},
    {ALONE(RULE_CLAIM_ON_RESTART), "flush-order|conservation", 859},
    {ALONE(RULE_DURABLE_BEFORE_ACK), "durable-first", 6},
    {ALONE(RULE_RECOUNT_AT_FLUSHED), "no-overshoot", 311},
    {ALONE(RULE_LEASE_ONCE), "budget", 119},
    {ALONE(RULE_DEBIT_MAIN_ONLY), "floor", 100},
    {ALONE(RULE_SWEEP_ATOMIC), "money-kept", 54},
    {ALONE(RULE_ALL_VOTES_NEEDED), "txn-all-voted|txn-atomic", 6},
    {ALONE(RULE_LOG_DECISION_FIRST), "txn-durable", 6},
    {ALONE(RULE_NO_LONE_ABORT), "txn-alone|txn-atomic|txn-all-voted", 9},
    {ALONE(RULE_NO_LONE_COMMIT), "txn-alone|txn-atomic|txn-durable", 9},
    {ALONE(RULE_VOTE_AFTER_PREPARE), "txn-all-voted|txn-atomic", 6},
    {ALONE(RULE_DECIDE_ONCE), "txn-once|txn-all-voted", 2079},
    {ALONE(RULE_PRESUMED_ABORT), "txn-answered", 16},
    {ALONE(RULE_SAGA_LOG_FIRST), "txn-durable", 6},
    {ALONE(RULE_COMPENSATE_ONCE), "saga-prefix|saga-once", 45},
    {ALONE(RULE_COMPENSATION_BARS_STEP), "saga-ended|saga-prefix", 132},
    {ALONE(RULE_COMPENSATE_IN_REVERSE), "saga-prefix", 6},
    {ALONE(RULE_ACK_NEEDS_MAJORITY), "acked-at-majority|acked-is-led|late-is-not-acked", 5},
    {ALONE(RULE_ELECTION_NEEDS_MAJORITY), "one-leader-a-term|late-is-not-acked|acked-is-led", 5},
    {ALONE(RULE_VOTE_FOR_LONGER_LOG), "acked-is-led|committed-alike|acked-at-majority", 5},
    {ALONE(RULE_REFUSE_OLD_TERM), "acked-is-led|late-is-not-acked|acked-at-majority", 643},
    {ALONE(RULE_DURABLE_VOTE), "one-leader-a-term|late-is-not-acked|acked-is-led", 8},
    {ALONE(RULE_VOTES_COUNT_ONCE), "one-leader-a-term|late-is-not-acked", 1396},
    {ALONE(RULE_ONE_EPOCH_A_SLOT), "slot-once", 207},
    {ALONE(RULE_MARK_PARTIAL), "marked-partial", 15},
    {ALONE(RULE_FIRST_ANSWER_COUNTS), "slot-once", 30},
};

_Static_assert(sizeof losses / sizeof *losses == RULE_COUNT, "every rule has its line");

/* Whether an error is of one of these invariants. */
static bool is_of(const char *error, const char *invariants)
{
    for (const char *at = invariants; *at != '\0'; at += strspn(at, "|")) {
        size_t length = strcspn(at, "|");
        if (strncmp(error, at, length) == 0 && error[length] == ':') {
            return true;
        }
        at += length;
    }
    return false;
}

static bool breaks(uint64_t seed, const struct loss *loss, struct err *err)
{
    struct sim s = {.seed = seed, .off = rule_bit(loss->rule) | rule_bit(loss->nor)};
    bool broke = !sim_play(&s) && is_of(s.err.text, loss->breaks);
    *err = s.err;
    sim_end(&s);
    return broke;
}

static bool show(const struct loss *loss)
{
    bool two = loss->nor != loss->rule;
    struct err err = {{0}};
    uint64_t seed = loss->seed;
    bool broke = breaks(seed, loss, &err);
    for (uint64_t other = 1; !broke && other <= TRIES; other++) {
        seed = other;
        broke = breaks(seed, loss, &err);
    }
    const char *name = rule_name(loss->rule);
    printf("%s without %s%s%s", broke ? "ok" : "not ok", name, two ? " nor " : "",
           two ? rule_name(loss->nor) : "");
    if (!broke) {
        printf(" - nothing breaks in %d seeds\n", TRIES);
        return false;
    }
    printf(": seed %" PRIu64 ": %s\n", seed, err.text);
    if (seed != loss->seed) {
        printf("## the seed that shows %s is %" PRIu64 " by now\n", name, seed);
    }
    return true;
}

bool sim_rules(void)
{
    bool well = true;
    for (size_t i = 0; i < sizeof losses / sizeof *losses; i++) {
        well = show(&losses[i]) && well;
    }
    return well;
}
