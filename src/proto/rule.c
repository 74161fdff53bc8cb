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
                                    "Reads switch to the new store only after both compared "
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
