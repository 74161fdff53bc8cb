/*
 * say: which module's words a record needs.
 */
#include "engine/words/say.h"

#include "engine/accounts/accounts.h"
#include "engine/faults/faults.h"
#include "engine/guards/guards.h"
#include "engine/moves/moves.h"
#include "engine/reads/reads.h"
#include "engine/shifts/shifts.h"
#include "engine/writes/writes.h"

enum module {
    READS,
    WRITES,
    ACCOUNTS,
    GUARDS,
    MOVES,
    SHIFTS,
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
    return kind < COMMAND_NETWORK ? SHIFTS : FAULTS;
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
    return reason < REASON_FAULTS_FIRST ? SHIFTS : FAULTS;
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
        [FAULTS] = {faults_say, faults_label, faults_why},
    };
    enum module module = r->kind == TRACE_COMMAND ? by_command((enum command_kind)r->operand[0])
                                                  : by_reason((enum reason)r->reason);
    if (r->kind >= TRACE_READS) {
        module = (enum module)(r->kind - TRACE_READS);
    }
    return module == NONE ? NULL : &modules[module];
}
