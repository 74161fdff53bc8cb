/*
 * rule: their names and what they demand.
 */
#include "proto/rule.h"

#include "base/check.h"
#include <stddef.h>
#include <string.h>

static const struct {
    const char *name;
    const char *about;
} rules[RULE_COUNT] = {
    [RULE_SLOT_TABLE_CHECK] = {"slot-table-check",
                               "A shard looks into its slot table before it serves a request."},
    [RULE_RELOAD_ON_MOVED] = {"reload-on-moved",
                              "A router that is told MOVED fetches the map before it goes on."},
    [RULE_ONCE_PER_OPERATION] = {"once-per-operation",
                                 "A shard that meets an operation again applies it only once."},
    [RULE_FENCE] = {"fence", "The source stops serving the slot before the directory commits."},
    [RULE_FENCE_COVERS_READS] = {"fence-covers-reads", "The fence stops reads as well as writes."},
    [RULE_DRAIN_TO_FENCE] = {"drain-to-fence",
                             "The commit waits until the target has applied the fence entry."},
    [RULE_TARGET_WAITS] = {"target-waits-for-commit",
                           "The target serves the slot only after the directory has committed."},
    [RULE_SNAPSHOT_POSITION] = {"snapshot-position",
                                "A copy is stamped with the log position at which it was taken."},
    [RULE_COMPARE_BEFORE_FENCE] = {"compare-before-fence",
                                   "Both sides are compared by position before the fence."},
    [RULE_CHECK_AND_APPEND] = {"check-and-append",
                               "Looking into the slot table and appending to the log are one "
                               "step."},
    [RULE_DURABLE_FENCE] = {"durable-fence",
                            "The fence is written to the log, so it survives a restart."},
    [RULE_ABORT_BEFORE_COMMIT] = {"abort-before-commit",
                                  "A move can be dropped only before the directory commits."},
    [RULE_ASK_FOR_MISSING] = {"ask-for-missing-key",
                              "The source answers ASK for a key that is no longer there."},
    [RULE_ASKING_NEEDED] = {"asking-needed",
                            "The target serves an arriving slot only to a request that says "
                            "ASKING."},
    [RULE_ATOMIC_KEY_MOVE] = {"atomic-key-move", "A key is at exactly one side at any time."},
    [RULE_ASK_KEEPS_MAP] = {"ask-keeps-map",
                            "ASK sends one request elsewhere and leaves the router's map alone."},
    [RULE_TRY_AGAIN_ON_SPLIT] = {"try-again-on-split",
                                 "A request for several keys waits while they are at two shards."},
    [RULE_CLOSE_WHEN_EMPTY] = {"close-when-empty",
                               "The slot is handed over only when the source holds no key of it."},
    [RULE_NEWER_ONLY] = {"newer-only", "Both stores take a version only over an older one."},
    [RULE_DUAL_BEFORE_BACKFILL] = {"dual-before-backfill",
                                   "Double writing is on before the backfill reads its first "
                                   "key."},
    [RULE_COMPARE_BEFORE_SWITCH] = {"compare-before-switch",
                                    "Reads switch to the other store only after both compared "
                                    "equal."},
    [RULE_SINGLE_FLIGHT] = {"single-flight",
                            "A router has one fetch of a key under way; other requests wait for "
                            "it."},
    [RULE_BOUNDED_AGE] = {"bounded-age", "An entry beyond its stale bound is not served."},
    [RULE_AGE_FROM_READ] = {"age-from-read",
                            "An entry's age counts from before its source was read."},
    [RULE_DROP_ON_EDIT] = {"drop-on-edit", "A router drops its entry when it sees an edit."},
    [RULE_FILL_NOT_ACROSS_EDIT] = {"fill-not-across-edit",
                                   "What a fetch brings is not kept when an edit came between, and "
                                   "later reads do not wait for it."},
    [RULE_JOIN_BEFORE_WRITE] = {"join-before-write",
                                "A read joins a query only if no write completed since it began."},
    [RULE_ONE_ROUTER_A_KEY] = {"one-router-a-key",
                               "All requests of a coalesced key pass through one router."},
    [RULE_ABSOLUTE_FLUSH] = {"absolute-flush", "A flush carries the total, not the difference."},
    [RULE_FLUSH_SEQUENCE] = {"flush-sequence",
                             "A sub-key takes a flush only with a higher sequence than it has."},
    [RULE_CLAIM_ON_RESTART] = {"claim-on-restart",
                               "A restarted router first makes its sub-key its own."},
    [RULE_DURABLE_BEFORE_ACK] = {"durable-before-ack",
                                 "A like is written to liked before its client is told OK."},
    [RULE_RECOUNT_AT_FLUSHED] = {"recount-at-flushed",
                                 "A rebuild leaves out the likes that routers have yet to flush."},
    [RULE_LEASE_ONCE] = {"lease-once",
                         "A block of tokens leaves the budget before a router spends it."},
    [RULE_DEBIT_MAIN_ONLY] = {"debit-main-only",
                              "Debits come from the main account alone, where the floor is "
                              "checked."},
    [RULE_SWEEP_ATOMIC] = {"sweep-atomic",
                           "What leaves a stripe reaches the account once, whatever is lost or "
                           "repeated."},
    [RULE_ALL_VOTES_NEEDED] = {"all-votes-needed",
                               "The coordinator commits only when every participant has voted "
                               "yes."},
    [RULE_LOG_DECISION_FIRST] = {"log-decision-first",
                                 "The decision to commit is in the coordinator's log before "
                                 "anybody is told."},
    [RULE_NO_LONE_ABORT] = {"no-lone-abort-when-prepared",
                            "A prepared participant never aborts of its own accord."},
    [RULE_NO_LONE_COMMIT] = {"no-lone-commit-when-prepared",
                             "A prepared participant never commits of its own accord."},
    [RULE_VOTE_AFTER_PREPARE] = {"vote-after-prepare",
                                 "A participant votes yes only after its log says that it is "
                                 "prepared."},
    [RULE_DECIDE_ONCE] = {"decide-once", "The coordinator never decides a second time."},
    [RULE_PRESUMED_ABORT] = {"presumed-abort",
                             "A coordinator that knows nothing of a transaction answers that it "
                             "is aborted."},
    [RULE_SAGA_LOG_FIRST] = {"saga-log-first",
                             "What a saga does next is in its log before it is sent."},
    [RULE_COMPENSATE_ONCE] = {"compensate-once",
                              "A compensation that is sent again is applied only once."},
    [RULE_COMPENSATION_BARS_STEP] = {"compensation-bars-step",
                                     "A compensation that finds nothing to take back forbids the "
                                     "step from running later."},
    [RULE_COMPENSATE_IN_REVERSE] = {"compensate-in-reverse",
                                    "A step is compensated only when all steps after it are."},
    [RULE_ACK_NEEDS_MAJORITY] = {"ack-needs-majority",
                                 "A write is acknowledged only when a majority of the replicas has "
                                 "it in its log."},
    [RULE_ELECTION_NEEDS_MAJORITY] = {"election-needs-majority",
                                      "A candidate becomes leader only with the votes of a "
                                      "majority."},
    [RULE_VOTE_FOR_LONGER_LOG] = {"vote-for-longer-log",
                                  "A replica votes only for a log that is as far as its own, or "
                                  "farther."},
    [RULE_REFUSE_OLD_TERM] = {"refuse-old-term",
                              "A replica refuses what comes from an older term than its own."},
    [RULE_DURABLE_VOTE] = {"durable-vote",
                           "A replica's term and vote are written down, so they survive a "
                           "restart."},
    [RULE_VOTES_COUNT_ONCE] = {"votes-count-once",
                               "A candidate counts the vote of each replica once."},
    [RULE_ONE_EPOCH_A_SLOT] = {"one-epoch-a-slot",
                               "Answers that have a slot from two epochs are not merged: each slot "
                               "counts once."},
    [RULE_MARK_PARTIAL] = {"mark-partial", "A result that lacks a slot is marked partial."},
    [RULE_FIRST_ANSWER_COUNTS] = {"first-answer-counts",
                                  "The first answer to a question counts, a later one is "
                                  "dropped."},
};

const char *rule_name(enum rule rule)
{
    CHECK(rule < RULE_COUNT);
    return rules[rule].name;
}

const char *rule_about(enum rule rule)
{
    CHECK(rule < RULE_COUNT);
    return rules[rule].about;
}

bool rule_by_name(const char *name, enum rule *rule)
{
    for (size_t i = 0; i < RULE_COUNT; i++) {
        if (strcmp(name, rules[i].name) == 0) {
            *rule = (enum rule)i;
            return true;
        }
    }
    return false;
}
