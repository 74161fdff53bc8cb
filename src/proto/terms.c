/*
 * terms: their names, one table each.
 */
#include "proto/terms.h"

#include "base/check.h"
#include <stddef.h>
#include <string.h>

static const char *const op_names[OP_KINDS] = {
    [OP_READ] = "read",      [OP_LIKE] = "like",       [OP_EDIT] = "edit",
    [OP_CREDIT] = "credit",  [OP_DEBIT] = "debit",     [OP_TAKE] = "take",
    [OP_FLUSH] = "flush",    [OP_CLAIM] = "claim",     [OP_LEASE] = "lease",
    [OP_SWEEP] = "sweep",    [OP_CORRECT] = "correct", [OP_PREPARE] = "prepare",
    [OP_COMMIT] = "commit",  [OP_ABORT] = "abort",     [OP_STEP] = "do",
    [OP_BACK] = "take back", [OP_PUT] = "put",         [OP_ENTRY] = "index",
};

static const char *const outcome_names[OUTCOME_COUNT] = {
    [OUTCOME_NONE] = "not answered yet",
    [OUTCOME_OK] = "OK",
    [OUTCOME_OK_RELOAD] = "OK, reload your map",
    [OUTCOME_MOVED] = "MOVED",
    [OUTCOME_RETRY] = "migrating, retry",
    [OUTCOME_REFUSED] = "refused",
    [OUTCOME_FAILED] = "failed",
    [OUTCOME_ASK] = "ASK",
    [OUTCOME_TRY_AGAIN] = "TRYAGAIN",
    [OUTCOME_LIMITED] = "429, too many",
    [OUTCOME_SHED] = "503, turned away",
    [OUTCOME_NOT_NEWER] = "not newer",
    [OUTCOME_SHORT] = "not enough left",
};

static const char *const slot_state_names[SLOT_STATES] = {
    [SLOT_ABSENT] = "no row",     [SLOT_OWNED] = "owned",         [SLOT_MIGRATING] = "migrating",
    [SLOT_MOVED] = "moved",       [SLOT_RECEIVING] = "receiving", [SLOT_LEAVING] = "leaving",
    [SLOT_ARRIVING] = "arriving",
};

const char *op_name(enum op_kind op)
{
    CHECK(op < OP_KINDS);
    return op_names[op];
}

bool op_by_name(const char *name, enum op_kind *op)
{
    for (size_t i = 0; i < OP_ASKABLE; i++) {
        if (strcmp(name, op_names[i]) == 0) {
            *op = (enum op_kind)i;
            return true;
        }
    }
    return false;
}

const char *outcome_name(enum outcome outcome)
{
    CHECK(outcome < OUTCOME_COUNT);
    return outcome_names[outcome];
}

const char *slot_state_name(enum slot_state state)
{
    CHECK(state < SLOT_STATES);
    return slot_state_names[state];
}
