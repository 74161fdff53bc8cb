/*
 * dual: phases of a double-written slot, and which version a store keeps.
 */
#include "proto/dual.h"

#include "base/check.h"

const char *dual_phase_name(enum dual_phase phase)
{
    static const char *const names[DUAL_PHASES] = {
        [DUAL_SINGLE] = "written singly",
        [DUAL_WRITING] = "written to both",
        [DUAL_SWITCHED] = "written to both, read from the target",
        [DUAL_ENDED] = "ended",
        [DUAL_DROPPED] = "dropped",
    };
    CHECK(phase < DUAL_PHASES);
    return names[phase];
}

struct dual_core dual_begin(bool writing)
{
    return (struct dual_core){
        .phase = writing ? DUAL_WRITING : DUAL_SINGLE,
        .source = SLOT_OWNED,
        .target = SLOT_ARRIVING,
    };
}

void dual_write_both(struct dual_core *d)
{
    CHECK(d->phase == DUAL_SINGLE);
    d->phase = DUAL_WRITING;
}

bool dual_may_backfill(const struct dual_core *d, uint64_t rules)
{
    return d->phase == DUAL_WRITING || d->phase == DUAL_SWITCHED ||
           (d->phase == DUAL_SINGLE && !rule_on(rules, RULE_DUAL_BEFORE_BACKFILL));
}

static bool compared(const struct dual_core *d, uint64_t rules, bool alike)
{
    return (d->filled != 0 && alike) || !rule_on(rules, RULE_COMPARE_BEFORE_SWITCH);
}

bool dual_may_switch(const struct dual_core *d, uint64_t rules, bool alike)
{
    return d->phase == DUAL_WRITING && compared(d, rules, alike);
}

void dual_switch(struct dual_core *d)
{
    d->phase = DUAL_SWITCHED;
    d->source = SLOT_ARRIVING;
    d->target = SLOT_OWNED;
}

bool dual_may_return(const struct dual_core *d, uint64_t rules, bool alike)
{
    return d->phase == DUAL_SWITCHED && compared(d, rules, alike);
}

void dual_return(struct dual_core *d)
{
    d->phase = DUAL_WRITING;
    d->source = SLOT_OWNED;
    d->target = SLOT_ARRIVING;
}

bool dual_may_end(const struct dual_core *d)
{
    return d->phase == DUAL_SWITCHED;
}

void dual_end(struct dual_core *d)
{
    d->phase = DUAL_ENDED;
    d->source = SLOT_MOVED;
}

bool dual_may_drop(const struct dual_core *d)
{
    return d->phase == DUAL_SINGLE || d->phase == DUAL_WRITING;
}

void dual_drop(struct dual_core *d)
{
    d->phase = DUAL_DROPPED;
    d->target = SLOT_ABSENT;
}

enum dual_side dual_primary(const struct dual_core *d)
{
    return d->phase == DUAL_SWITCHED || d->phase == DUAL_ENDED ? DUAL_TARGET : DUAL_SOURCE;
}

bool dual_takes(uint64_t rules, uint32_t held, uint32_t version)
{
    return version > held || !rule_on(rules, RULE_NEWER_ONLY);
}

bool dual_fills(uint64_t rules, bool where_nothing, uint32_t held, uint32_t version)
{
    return where_nothing ? held == 0 : dual_takes(rules, held, version);
}

void dual_write(struct dual_key *k, uint64_t rules, enum dual_side side, uint32_t version)
{
    if (dual_takes(rules, k->held[side], version)) {
        k->held[side] = version;
    }
}

void dual_read(struct dual_key *k)
{
    k->carried = k->held[DUAL_SOURCE];
}

void dual_fill(struct dual_key *k, uint64_t rules, bool where_nothing)
{
    if (dual_fills(rules, where_nothing, k->held[DUAL_TARGET], k->carried)) {
        k->held[DUAL_TARGET] = k->carried;
    }
    k->carried = 0;
}
