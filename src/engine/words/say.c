/*
 * say: which module's words a record needs.
 */
#include "engine/words/say.h"

#include "engine/accounts/accounts.h"
#include "engine/copies/copies.h"
#include "engine/faults/faults.h"
#include "engine/fleet/fleet.h"
#include "engine/guards/guards.h"
#include "engine/indexes/indexes.h"
#include "engine/moves/moves.h"
#include "engine/nodes/nodes.h"
#include "engine/queries/queries.h"
#include "engine/quorums/quorums.h"
#include "engine/reads/reads.h"
#include "engine/shifts/shifts.h"
#include "engine/systems/systems.h"
#include "engine/txns/txns.h"
#include "engine/watch/watch.h"
#include "engine/writes/writes.h"

enum module {
    READS,
    WRITES,
    ACCOUNTS,
    GUARDS,
    MOVES,
    SHIFTS,
    QUERIES,
    TXNS,
    INDEXES,
    NODES,
    COPIES,
    QUORUMS,
    WATCH,
    FLEET,
    RUN_SYSTEMS,
    FAULTS,
    NONE
};

static enum module by_command(enum command_kind kind)
{
    if (kind < COMMAND_READS) {
        return NONE;
    }
    if (kind < COMMAND_WRITES) {
        return READS;
    }
    if (kind < COMMAND_INDEX) {
        return WRITES;
    }
    if (kind < COMMAND_LIMIT) {
        return ACCOUNTS;
    }
    if (kind < COMMAND_MIGRATE) {
        return GUARDS;
    }
    if (kind < COMMAND_DUAL) {
        return MOVES;
    }
    if (kind < COMMAND_QUERY) {
        return SHIFTS;
    }
    if (kind < COMMAND_ROW) {
        return QUERIES;
    }
    if (kind < COMMAND_CATALOG) {
        return TXNS;
    }
    if (kind < COMMAND_NODE) {
        return INDEXES;
    }
    if (kind < COMMAND_GROUP) {
        return NODES;
    }
    if (kind < COMMAND_STORE) {
        return COPIES;
    }
    if (kind < COMMAND_BEATS) {
        return QUORUMS;
    }
    if (kind < COMMAND_CAPACITY) {
        return WATCH;
    }
    if (kind < COMMAND_SYSTEM) {
        return FLEET;
    }
    if (kind < COMMAND_NETWORK) {
        return RUN_SYSTEMS;
    }
    return FAULTS;
}

static enum module by_reason(enum reason reason)
{
    if (reason < REASON_READS_FIRST) {
        return NONE;
    }
    if (reason < REASON_WRITES_FIRST) {
        return READS;
    }
    if (reason < REASON_ACCOUNTS_FIRST) {
        return WRITES;
    }
    if (reason < REASON_GUARDS_FIRST) {
        return ACCOUNTS;
    }
    if (reason < REASON_MOVES_FIRST) {
        return GUARDS;
    }
    if (reason < REASON_SHIFTS_FIRST) {
        return MOVES;
    }
    if (reason < REASON_QUERIES_FIRST) {
        return SHIFTS;
    }
    if (reason < REASON_TXNS_FIRST) {
        return QUERIES;
    }
    if (reason < REASON_INDEXES_FIRST) {
        return TXNS;
    }
    if (reason < REASON_NODES_FIRST) {
        return INDEXES;
    }
    if (reason < REASON_COPIES_FIRST) {
        return NODES;
    }
    if (reason < REASON_QUORUMS_FIRST) {
        return COPIES;
    }
    if (reason < REASON_WATCH_FIRST) {
        return QUORUMS;
    }
    if (reason < REASON_FLEET_FIRST) {
        return WATCH;
    }
    if (reason < REASON_SYSTEMS_FIRST) {
        return FLEET;
    }
    if (reason < REASON_FAULTS_FIRST) {
        return RUN_SYSTEMS;
    }
    return FAULTS;
}

const struct say_module *say_module(const struct trace_record *r)
{
    static const struct say_module modules[NONE] = {
        [READS] = {reads_say, reads_label, reads_why},
        [WRITES] = {writes_say, writes_label, writes_why},
        [ACCOUNTS] = {accounts_say, accounts_label, accounts_why},
        [GUARDS] = {guards_say, guards_label, guards_why},
        [MOVES] = {moves_say, moves_label, moves_why},
        [SHIFTS] = {shifts_say, shifts_label, shifts_why},
        [QUERIES] = {queries_say, queries_label, queries_why},
        [TXNS] = {txns_say, txns_label, txns_why},
        [INDEXES] = {indexes_say, indexes_label, indexes_why},
        [NODES] = {nodes_say, nodes_label, nodes_why},
        [COPIES] = {copies_say, copies_label, copies_why},
        [QUORUMS] = {quorums_say, quorums_label, quorums_why},
        [WATCH] = {watch_say, watch_label, watch_why},
        [FLEET] = {fleet_say, fleet_label, fleet_why},
        [RUN_SYSTEMS] = {systems_say, systems_label, systems_why},
        [FAULTS] = {faults_say, faults_label, faults_why},
    };
    enum module module = r->kind == TRACE_COMMAND ? by_command((enum command_kind)r->operand[0])
                                                  : by_reason((enum reason)r->reason);
    if (r->kind >= TRACE_READS) {
        module = (enum module)(r->kind - TRACE_READS);
    }
    return module == NONE ? NULL : &modules[module];
}
