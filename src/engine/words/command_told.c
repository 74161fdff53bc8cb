/*
 * command_told: what a command that was applied has begun, and what comes next. See command_help.h.
 */
#include "base/num.h"
#include "engine/faults/faults_inside.h"
#include "engine/moves/moves.h"
#include "engine/shifts/shifts_inside.h"
#include "engine/systems/systems_inside.h"
#include "engine/words/command_help.h"
#include "engine/words/command_words.h"

/* A span of seconds to a tenth: nobody waits for milliseconds of them. */
static void say_span(uint64_t us, struct str *out)
{
    if (us < (uint64_t)US_PER_SECOND) {
        str_add(out, num_span((int64_t)us).text);
        return;
    }
    uint64_t tenths = (us + 50000) / 100000;
    str_addf(out, "%llu.%llu s", (unsigned long long)(tenths / 10),
             (unsigned long long)(tenths % 10));
}

static void tell_copy(const struct move_info *m, struct str *out)
{
    uint64_t left = m->bytes - m->copied_bytes;
    if (m->speed == 0 || left == 0) {
        str_add(out, "the copy takes no time");
        return;
    }
    str_add(out, "the copy takes ");
    say_span(left / m->speed * US_PER_SECOND + left % m->speed * US_PER_SECOND / m->speed, out);
}

static bool tell_move(const struct world *w, const struct command *c, struct str *out)
{
    struct move_info m;
    if (!moves_info_of(w, c->first, &m)) {
        return false;
    }
    switch ((int)c->kind) {
    case COMMAND_MIGRATE:
        str_add(out, "migrate: ");
        tell_copy(&m, out);
        str_addf(out, "; then: fence %u", c->first);
        return true;
    case COMMAND_FENCE:
        str_addf(out, "fence: the commit follows by itself; then: cleanup %u, or rollback %u",
                 c->first, c->first);
        return true;
    case COMMAND_ROLLBACK:
        str_addf(out, "rollback begun; %s: fence %u",
                 m.copied_us == MOVE_NEVER ? "when its copy is done" : "it needs no copy; next",
                 c->first);
        return true;
    case COMMAND_CLEANUP:
        str_addf(out, "cleanup: the old copy is deleted; S%u alone has slot %u", m.target,
                 c->first);
        return true;
    case COMMAND_ABORT:
        str_addf(out, "abort: the new copy is dropped; slot %u stays on S%u", c->first, m.source);
        return true;
    default:
        return false;
    }
}

static bool tell_shift(const struct command *c, struct str *out)
{
    if (c->kind == COMMAND_DUAL && c->mode == DUAL_MODE_ON) {
        str_addf(out, "dual: writes go to S%u too; next: dual %u S%u backfill RATE", c->shard,
                 c->first, c->shard);
        return true;
    }
    if (c->kind == COMMAND_DUAL && c->mode == DUAL_MODE_BACKFILL) {
        str_addf(out, "backfill begun; when both hold the same: switch %u reads", c->first);
        return true;
    }
    if (c->kind == COMMAND_SWITCH && c->mode == SWITCH_MODE_READS) {
        str_addf(out, "the new shard answers reads; then: switch %u done, or back", c->first);
        return true;
    }
    if (c->kind == COMMAND_SWITCH && c->mode == SWITCH_MODE_BACK) {
        str_addf(out, "the old shard answers reads again; both are still written");
        return true;
    }
    if (c->kind == COMMAND_SHIFT && c->mode == SHIFT_MODE_GO && c->pick != 0) {
        str_addf(out, "the slot is open at both shards; keys go with: shift %u S%u", c->first,
                 c->shard);
        return true;
    }
    if (c->kind == COMMAND_SHIFT && c->mode == SHIFT_MODE_GO) {
        str_addf(out, "keys go one by one; when none is left: shift %u finish", c->first);
        return true;
    }
    return false;
}

static void tell_wait(int64_t us, struct str *out)
{
    str_add(out, us == 0 ? "for ever" : num_span(us).text);
}

static void tell_patience(const struct world *w, const struct command *c, struct str *out)
{
    str_add(out, "patience: routers wait ");
    tell_wait(c->period_us, out);
    str_add(out, ", clients ");
    tell_wait(c->bound_us, out);
    if (c->period_us > 0 && world_config_of(w)->recent_max == 0) {
        str_add(out, ". What a client sends again may count twice: no shard here remembers");
    }
}

/* A rule that is off where nothing goes by it changes nothing that anybody sees. */
static bool tell_rule(const struct world *w, const struct command *c, struct str *out)
{
    static const struct {
        enum rule first, last;
        const char *who;
    } blocks[] = {
        {RULE_ALL_VOTES_NEEDED, RULE_PRESUMED_ABORT, "transactions by 2pc"},
        {RULE_SAGA_LOG_FIRST, RULE_COMPENSATE_IN_REVERSE, "sagas"},
        {RULE_ACK_NEEDS_MAJORITY, RULE_VOTES_COUNT_ONCE, "groups of replicas"},
        {RULE_ONE_EPOCH_A_SLOT, RULE_FIRST_ANSWER_COUNTS, "queries over all shards"},
    };
    bool followed[] = {w->txns.last > 0, w->txns.last > 0, w->copies.count > 0,
                       w->queries.count > 0};
    _Static_assert(sizeof followed / sizeof *followed == sizeof blocks / sizeof *blocks,
                   "one for each block");
    for (size_t i = 0; !c->on && i < sizeof blocks / sizeof *blocks; i++) {
        if (c->rule >= blocks[i].first && c->rule <= blocks[i].last && !followed[i]) {
            str_addf(out, "rule: %s is off; nothing here follows it yet: it is for %s",
                     rule_name(c->rule), blocks[i].who);
            return true;
        }
    }
    return false;
}

static bool is_ready_later(const struct world *w, const struct command *c, int64_t *left_us)
{
    struct part_info part;
    bool moves = c->mode == SYSTEM_VERB_MOVE && c->pick != SYSTEM_ALL &&
                 world_system_find(w, (enum system_id)c->pick, c->count, &part);
    *left_us = moves ? part.ready_us - world_now(w) : 0;
    return *left_us > 0;
}

/* The newest record of a command to systems; trace_next: it is gone. */
static uint64_t last_command(const struct world *w)
{
    for (uint64_t at = trace_next(w); at > trace_first(w); at--) {
        const struct trace_record *r = trace_get(w, at - 1);
        if (r->kind == TRACE_COMMAND) {
            return r->operand[0] == COMMAND_SYSTEM ? at - 1 : trace_next(w);
        }
    }
    return trace_next(w);
}

/* What systems did at once: the first record behind the command's own, and how many follow. */
static bool tell_records(const struct world *w, struct str *out)
{
    uint64_t at = last_command(w) + 1;
    uint64_t end = at;
    for (; end < trace_next(w) && trace_get(w, end)->kind == TRACE_SYSTEM &&
           trace_get(w, end)->time_us == trace_get(w, at - 1)->time_us;
         end++) {
    }
    if (at >= end) {
        return false;
    }
    const struct trace_record *r = trace_get(w, at);
    node_say(r->from, out);
    str_add(out, ": ");
    systems_say(w, r, out);
    if (end - at > 1) {
        str_addf(out, "; and %llu more of this", (unsigned long long)(end - at - 1));
    }
    return true;
}

static unsigned systems_on(const struct world *w)
{
    unsigned on = 0;
    for (uint8_t i = 0; i < SYSTEMS; i++) {
        on += world_system_on(w, (enum system_id)i);
    }
    return on;
}

static bool tell_system(const struct world *w, const struct command *c, struct str *out)
{
    int64_t left_us;
    if (c->kind == COMMAND_SERIES) {
        if (c->rate == 0) {
            str_add(out, "series: no more writes");
        } else {
            str_addf(out, "series: goes to the systems that are on: %u", systems_on(w));
        }
        return true;
    }
    if (!tell_records(w, out)) {
        return false;
    }
    if (is_ready_later(w, c, &left_us)) {
        str_add(out, "; it takes ");
        say_span((uint64_t)left_us, out);
    } else if (c->mode == SYSTEM_VERB_DOWN) {
        str_addf(out, "; then: system %s up %u",
                 c->pick == SYSTEM_ALL ? "all" : system_words((enum system_id)c->pick)->name,
                 c->count);
    }
    return true;
}

bool command_told(const struct world *w, const struct command *c, struct str *out)
{
    if (c->kind >= COMMAND_MIGRATE && c->kind < COMMAND_DUAL) {
        return tell_move(w, c, out);
    }
    if (c->kind == COMMAND_SYSTEM || c->kind == COMMAND_SERIES) {
        return tell_system(w, c, out);
    }
    if (c->kind >= COMMAND_DUAL && c->kind < COMMAND_NETWORK) {
        return tell_shift(c, out);
    }
    if (c->kind == COMMAND_RULE) {
        return tell_rule(w, c, out);
    }
    if (c->kind == COMMAND_CRASH) {
        bool router = c->mode == NODE_ROUTER;
        str_addf(out, "crash: %c%u is down for %s", router ? 'R' : 'S',
                 router ? c->router : c->shard, num_span(c->period_us).text);
        return true;
    }
    if (c->kind == COMMAND_DIRECTORY) {
        str_add(out, c->on ? "directory: it is back"
                           : "directory: down; routers go by the maps they have");
        return true;
    }
    if (c->kind == COMMAND_PATIENCE) {
        tell_patience(w, c, out);
        return true;
    }
    return false;
}
