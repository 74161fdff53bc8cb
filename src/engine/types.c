/*
 * types: the names of the small values, one table each.
 */
#include "engine/types.h"

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
};

static const char *const op_names[OP_KINDS] = {
    [OP_READ] = "read",
    [OP_LIKE] = "like",
    [OP_EDIT] = "edit",
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

const char *op_name(enum op_kind op)
{
    CHECK(op < OP_KINDS);
    return op_names[op];
}

bool op_by_name(const char *name, enum op_kind *op)
{
    for (size_t i = 0; i < OP_KINDS; i++) {
        if (strcmp(name, op_names[i]) == 0) {
            *op = (enum op_kind)i;
            return true;
        }
    }
    return false;
}

const char *outcome_name(enum outcome outcome)
{
    switch (outcome) {
    case OUTCOME_NONE:
        return "not answered yet";
    case OUTCOME_OK:
        return "OK";
    case OUTCOME_OK_RELOAD:
        return "OK, reload your map";
    case OUTCOME_MOVED:
        return "MOVED";
    case OUTCOME_RETRY:
        return "migrating, retry";
    case OUTCOME_REFUSED:
        return "refused";
    case OUTCOME_FAILED:
        return "failed";
    }
    CHECK(false && "an outcome without a name");
    return "";
}

const char *slot_state_name(enum slot_state state)
{
    switch (state) {
    case SLOT_ABSENT:
        return "no row";
    case SLOT_OWNED:
        return "owned";
    case SLOT_MIGRATING:
        return "migrating";
    case SLOT_MOVED:
        return "moved";
    }
    CHECK(false && "a slot state without a name");
    return "";
}
