/*
 * trace_style: how a record stands out among others: what was refused or went another way, and what
 * is lost.
 */
#include "engine/copies/copies.h"
#include "engine/indexes/indexes.h"
#include "engine/nodes/nodes.h"
#include "engine/quorums/quorums.h"
#include "engine/systems/systems.h"
#include "engine/txns/txns.h"
#include "engine/watch/watch.h"
#include "view/trace_parts.h"

static enum style style_of_system(const struct trace_record *r)
{
    switch ((int)r->reason) {
    case REASON_SYSTEMS_LOST:
    case REASON_SYSTEMS_DIED:
        return STYLE_BAD;
    case REASON_SYSTEMS_THROTTLING:
    case REASON_SYSTEMS_ORDER:
    case REASON_SYSTEMS_NO_SPLIT:
    case REASON_SYSTEMS_OVERDUE:
    case REASON_SYSTEMS_NO_MACHINES:
    case REASON_SYSTEMS_CLOSED:
        return STYLE_WARN;
    case REASON_SYSTEMS_LEADER:
    case REASON_SYSTEMS_SPLIT_LOAD:
    case REASON_SYSTEMS_SPLIT_SIZE:
    case REASON_SYSTEMS_SPLIT_HAND:
        return STYLE_STRONG;
    default:
        return STYLE_TEXT;
    }
}

/* Of nodes, transactions and catalogs, whose messages have no outcome of the ROUTE loop. */
static enum style style_by_reason(const struct trace_record *r)
{
    switch ((int)r->reason) {
    case REASON_NODE_WAS_DOWN:
    case REASON_NODE_CUT_OFF:
    case REASON_NODE_ANOTHER_LIFE:
    case REASON_COPY_THROWS:
    case REASON_COPY_LOST:
    case REASON_COPY_GIVES_UP:
    case REASON_QUORUM_SET_FAILED:
    case REASON_QUORUM_GET_FAILED:
    case REASON_QUORUM_GET_STALE:
    case REASON_QUORUM_OVERWROTE:
    case REASON_QUORUM_LOST:
    case REASON_WATCH_TIMEOUT:
    case REASON_WATCH_PHI:
    case REASON_TXN_DIES:
    case REASON_TXN_LOST:
    case REASON_CATALOG_HALF:
    case REASON_CATALOG_NOT_ALL:
        return STYLE_BAD;
    case REASON_COPY_STANDS:
    case REASON_COPY_STEPS_DOWN:
    case REASON_COPY_NO_VOTE:
    case REASON_COPY_REFUSES:
    case REASON_QUORUM_SIBLING:
    case REASON_QUORUM_HINT:
    case REASON_QUORUM_SILENT:
    case REASON_WATCH_LATE:
    case REASON_TXN_LOCKED:
    case REASON_TXN_CANNOT:
    case REASON_TXN_ABORT:
    case REASON_TXN_BACK:
    case REASON_CATALOG_TAKEN:
    case REASON_CATALOG_REFUSED:
        return STYLE_WARN;
    case REASON_COPY_LEADS:
    case REASON_COPY_COMMITS:
    case REASON_TXN_COMMIT:
        return STYLE_STRONG;
    default:
        return STYLE_TEXT;
    }
}

enum style trace_record_style(const struct trace_record *r)
{
    if (r->outcome == OUTCOME_MOVED || r->outcome == OUTCOME_RETRY ||
        r->outcome == OUTCOME_OK_RELOAD || r->outcome == OUTCOME_LIMITED ||
        r->outcome == OUTCOME_SHED || r->reason == REASON_DEAF) {
        return STYLE_WARN;
    }
    bool stray = r->reason == REASON_NOT_CHECKED && r->operand[0] != SLOT_OWNED;
    if (r->outcome == OUTCOME_REFUSED || r->outcome == OUTCOME_FAILED || stray) {
        return STYLE_BAD;
    }
    if (r->kind == TRACE_PLAN || r->kind == TRACE_TABLE || r->kind == TRACE_COMMAND) {
        return STYLE_STRONG;
    }
    return r->kind == TRACE_SYSTEM ? style_of_system(r) : style_by_reason(r);
}
