/*
 * sim_cover: what the seeds have seen.
 */
#include "sim.h"

#include "engine/accounts/accounts_inside.h"
#include "engine/copies/copies.h"
#include "engine/fleet/fleet.h"
#include "engine/indexes/indexes.h"
#include "engine/moves/moves_inside.h"
#include "engine/nodes/nodes.h"
#include "engine/queries/queries_inside.h"
#include "engine/quorums/quorums.h"
#include "engine/shifts/shifts_inside.h"
#include "engine/systems/systems.h"
#include "engine/txns/txns.h"
#include "engine/watch/watch.h"
#include "engine/writes/writes_inside.h"

#include <inttypes.h>
#include <stdio.h>

#define ENOUGH_OF 1000 /* one seed in so many sees it */

static void add(uint32_t *to, const uint32_t *from, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        to[i] += from[i];
    }
}

void cover_add(struct sim_cover *to, const struct sim_cover *from)
{
    add(to->kind, from->kind, TRACE_KINDS);
    add(to->outcome, from->outcome, OUTCOME_COUNT);
    add(to->reason, from->reason, SIM_REASONS_MAX);
    add(to->act, from->act, SIM_ACTS_MAX);
    add(to->extra, from->extra, SIM_EXTRAS_MAX);
    add(to->fault, from->fault, FAULT_KINDS);
    to->seeds += from->seeds;
    to->stopped += from->stopped;
    to->histories += from->histories;
    to->undecided += from->undecided;
    to->judged += from->judged;
    to->events += from->events;
    to->virtual_us += from->virtual_us;
    to->digest.a += from->digest.a;
    to->digest.b += from->digest.b;
}

/* The reasons of each module: the first, and how many it has. */
static const struct {
    uint32_t first, count;
    const char *module;
} modules[] = {
    {0, REASON_READS_FIRST, "route"},
    {REASON_READS_FIRST, (uint32_t)REASON_READS_END - REASON_READS_FIRST, "reads"},
    {REASON_WRITES_FIRST, (uint32_t)WRITES_REASONS - REASON_WRITES_FIRST, "writes"},
    {REASON_ACCOUNTS_FIRST, REASON_INDEX_THROTTLES - REASON_CREDIT_STRIPED + 1, "accounts"},
    {REASON_GUARDS_FIRST, REASON_HOT_KEY - REASON_LIMIT_KEY + 1, "guards"},
    {REASON_MOVES_FIRST, (uint32_t)MOVES_REASONS - REASON_MOVES_FIRST, "moves"},
    {REASON_SHIFTS_FIRST, REASON_DUAL_WAITS - REASON_SHIFT_HANDED + 1, "shifts"},
    {REASON_QUERIES_FIRST, (uint32_t)QUERY_REASONS - REASON_QUERIES_FIRST, "queries"},
    {REASON_TXNS_FIRST, (uint32_t)REASON_TXNS_END - REASON_TXNS_FIRST, "txns"},
    {REASON_INDEXES_FIRST, (uint32_t)REASON_INDEXES_END - REASON_INDEXES_FIRST, "indexes"},
    {REASON_FLEET_FIRST, (uint32_t)REASON_FLEET_END - REASON_FLEET_FIRST, "fleet"},
    {REASON_SYSTEMS_FIRST, (uint32_t)REASON_SYSTEMS_END - REASON_SYSTEMS_FIRST, "systems"},
    {REASON_NODES_FIRST, (uint32_t)REASON_NODES_END - REASON_NODES_FIRST, "nodes"},
    {REASON_COPIES_FIRST, (uint32_t)REASON_COPIES_ALL_END - REASON_COPIES_FIRST, "copies"},
    {REASON_QUORUMS_FIRST, (uint32_t)REASON_QUORUMS_END - REASON_QUORUMS_FIRST, "quorums"},
    {REASON_WATCH_FIRST, (uint32_t)REASON_WATCH_END - REASON_WATCH_FIRST, "watch"},
    {REASON_FAULTS_FIRST, REASON_FAULTS_NO_MAP - REASON_FAULTS_FIRST + 1, "faults"},
};
#define MODULES (sizeof modules / sizeof *modules)

/* Those that only happen with a rule off, or in worlds larger than these. */
static bool is_not_expected(uint32_t reason)
{
    static const uint32_t others[] = {
        REASON_NONE,
        REASON_SYSTEMS_SPLIT_LOAD, /* thousands a second, for long */
        REASON_SYSTEMS_EXPIRED,    /* after a day */
        REASON_MOVED_SAYS,
        REASON_NOT_CHECKED,
        REASON_QUERY_ALONE,
        WRITES_ACKED_FIRST,
        REASON_SUM_READ,
        REASON_SWEEP_FORGOT,
        MOVES_SNAPSHOT,
        MOVES_NO_FENCE,
        MOVES_LEFT_BEHIND,
        MOVES_BACK,
        MOVES_FORGOTTEN,
        REASON_SHIFT_COPIED,
        REASON_SHIFT_DROPPED,
        REASON_SHIFT_MISLED,
        REASON_SHIFT_BELIEVES,
        REASON_DUAL_OVERWRITTEN,
        REASON_DUAL_FILL_BACK,
        QUERY_SILENT,
        REASON_TXN_LOGGED,
        REASON_TXN_VOTES_EARLY,
        REASON_TXN_TWICE,
        REASON_TXN_NOT_BARRED,
        REASON_TXN_ALONE,
        REASON_TXN_LATE,
        REASON_TXN_LOST,
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (others[i] == reason) {
            return true;
        }
    }
    return false;
}

static bool rare(const struct sim_cover *c, uint32_t count)
{
    return (uint64_t)count * ENOUGH_OF < c->seeds;
}

/* The reason that the fewest seeds have seen, of those that they should. */
static void print_rarest(const struct sim_cover *c)
{
    uint32_t least = UINT32_MAX;
    char name[32] = "";
    for (size_t m = 0; m < MODULES; m++) {
        for (uint32_t i = 0; i < modules[m].count; i++) {
            uint32_t reason = modules[m].first + i;
            if (!is_not_expected(reason) && c->reason[reason] < least) {
                least = c->reason[reason];
                (void)snprintf(name, sizeof name, "%s+%u", modules[m].module, i);
            }
        }
    }
    printf("## the rarest reason is %s, in %u seeds\n", name, least);
}

static bool look(const struct sim_cover *c, uint32_t count, const char *what, const char *name)
{
    if (rare(c, count)) {
        printf("# seen in %u of %u seeds only: %s \"%s\"\n", count, c->seeds, what, name);
        return false;
    }
    return true;
}

/* Whether each reason of a module was seen often enough. */
static bool look_at_reasons(const struct sim_cover *c, size_t module)
{
    bool enough = true;
    for (uint32_t i = 0; i < modules[module].count; i++) {
        uint32_t reason = modules[module].first + i;
        char name[32];
        (void)snprintf(name, sizeof name, "%s+%u", modules[module].module, i);
        enough = (is_not_expected(reason) || look(c, c->reason[reason], "reason", name)) && enough;
    }
    return enough;
}

bool cover_enough(const struct sim_cover *c)
{
    bool enough = true;
    for (uint32_t i = 0; i < FAULT_KINDS; i++) {
        enough = look(c, c->fault[i], "fault", fault_name((enum fault)i)) && enough;
    }
    for (uint32_t i = 0; sim_act_name(i) != NULL; i++) {
        enough = look(c, c->act[i], "action", sim_act_name(i)) && enough;
    }
    for (uint32_t i = 0; sim_extra(i) != NULL; i++) {
        enough = look(c, c->extra[i], "extra", sim_extra(i)->name) && enough;
    }
    for (uint32_t i = OUTCOME_OK; i < OUTCOME_COUNT; i++) {
        enough = look(c, c->outcome[i], "outcome", outcome_name((enum outcome)i)) && enough;
    }
    for (size_t i = 0; i < MODULES; i++) {
        enough = look_at_reasons(c, i) && enough;
    }
    return enough;
}

void cover_print(const struct sim_cover *c)
{
    uint32_t reasons = 0;
    for (uint32_t i = 0; i < SIM_REASONS_MAX; i++) {
        reasons += c->reason[i] > 0;
    }
    printf("## %u seeds, %" PRIu64 " events, %" PRId64 " virtual seconds, %u reasons seen, "
           "%u ran out of room\n",
           c->seeds, c->events, c->virtual_us / 1000000, reasons, c->stopped);
    print_rarest(c);
    printf("## %u histories of keys, %" PRIu64 " operations: linearizable; %u undecided\n",
           c->histories, c->judged, c->undecided);
    char hex[DIGEST_HEX_SIZE];
    digest_hex(c->digest, hex);
    printf("## digest %s\n", hex);
}
