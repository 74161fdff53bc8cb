/*
 * slot: what a shard does with a request, by its slot table's row alone.
 *
 * A pure decision: no ceiling, no store. `row_epoch` is the row's, `seen_epoch` what the router's
 * map says. OUTCOME_OK and OUTCOME_OK_RELOAD mean that it may be served.
 *   owned      serve; with "reload" when the router's epoch is older than the row's
 *   migrating  retry (a read is served with RULE_FENCE_COVERS_READS off)
 *   moved      MOVED
 *   receiving  MOVED to nobody (served with RULE_TARGET_WAITS off)
 *   leaving    served when the key is here, ASK when it is gone (or "no such key" with
 *              RULE_ASK_FOR_MISSING off), TRYAGAIN when only some of several are here
 *   arriving   served to ASKING, to anybody with RULE_ASKING_NEEDED off; else MOVED to nobody
 *   no row     MOVED to nobody: fetch the map
 * With RULE_SLOT_TABLE_CHECK off everything is served.
 */
#ifndef HOTSHARD_PROTO_SLOT_H
#define HOTSHARD_PROTO_SLOT_H

#include "base/check.h"
#include "proto/rule.h"
#include "proto/terms.h"

/* How many of a request's keys this shard holds; matters for leaving and arriving slots. */
enum presence {
    KEYS_ALL,
    KEYS_SOME,
    KEYS_NONE
};

struct slot_question {
    enum slot_state state;
    uint32_t row_epoch, seen_epoch;
    bool read;
    bool asking; /* the router was sent here by ASK */
    enum presence presence;
};

static inline enum outcome slot_leaving(uint64_t rules, const struct slot_question *q)
{
    if (q->presence == KEYS_ALL) {
        return OUTCOME_OK;
    }
    if (q->presence == KEYS_SOME) {
        return rule_on(rules, RULE_TRY_AGAIN_ON_SPLIT) ? OUTCOME_TRY_AGAIN : OUTCOME_OK;
    }
    return rule_on(rules, RULE_ASK_FOR_MISSING) ? OUTCOME_ASK : OUTCOME_OK;
}

static inline enum outcome slot_arriving(uint64_t rules, const struct slot_question *q)
{
    if (!q->asking && rule_on(rules, RULE_ASKING_NEEDED)) {
        return OUTCOME_MOVED;
    }
    if (q->presence == KEYS_SOME && rule_on(rules, RULE_TRY_AGAIN_ON_SPLIT)) {
        return OUTCOME_TRY_AGAIN;
    }
    return OUTCOME_OK;
}

static inline enum outcome slot_answer(uint64_t rules, const struct slot_question *q)
{
    if (!rule_on(rules, RULE_SLOT_TABLE_CHECK)) {
        return OUTCOME_OK;
    }
    switch (q->state) {
    case SLOT_OWNED:
        return q->row_epoch > q->seen_epoch ? OUTCOME_OK_RELOAD : OUTCOME_OK;
    case SLOT_MIGRATING:
        return q->read && !rule_on(rules, RULE_FENCE_COVERS_READS) ? OUTCOME_OK : OUTCOME_RETRY;
    case SLOT_RECEIVING:
        return rule_on(rules, RULE_TARGET_WAITS) ? OUTCOME_MOVED : OUTCOME_OK;
    case SLOT_LEAVING:
        return slot_leaving(rules, q);
    case SLOT_ARRIVING:
        return slot_arriving(rules, q);
    case SLOT_ABSENT:
    case SLOT_MOVED:
        return OUTCOME_MOVED;
    case SLOT_STATES:
        break;
    }
    CHECK(false && "a row that says nothing");
    return OUTCOME_FAILED;
}

#endif
