/*
 * move: the steps, each a few assignments, each with the question whether it may be taken.
 */
#include "proto/move.h"

#include "base/check.h"

const char *move_phase_name(enum move_phase phase)
{
    static const char *const names[MOVE_PHASES] = {
        [MOVE_BEGUN] = "copying",       [MOVE_TAILING] = "tailing", [MOVE_FENCED] = "fenced",
        [MOVE_COMMITTED] = "committed", [MOVE_ABORTED] = "aborted",
    };
    CHECK(phase < MOVE_PHASES);
    return names[phase];
}

struct move_core move_begin(void)
{
    return (struct move_core){.phase = MOVE_BEGUN, .source = SLOT_OWNED, .target = SLOT_ABSENT};
}

void move_append(struct move_core *m)
{
    m->end++;
}

bool move_may_copy(const struct move_core *m)
{
    return m->phase == MOVE_BEGUN;
}

void move_copy(struct move_core *m, uint64_t rules, uint32_t at)
{
    CHECK(move_may_copy(m) && at <= m->end);
    m->copied = at;
    m->stamp = rule_on(rules, RULE_SNAPSHOT_POSITION) ? at : m->end;
    m->applied = m->stamp;
    m->target = SLOT_RECEIVING;
    m->phase = MOVE_TAILING;
}

bool move_may_apply(const struct move_core *m)
{
    return (m->phase == MOVE_TAILING || m->phase == MOVE_FENCED) && m->applied < m->end;
}

void move_apply(struct move_core *m)
{
    CHECK(move_may_apply(m));
    m->applied++;
}

bool move_alike(const struct move_core *m)
{
    return m->copied == m->stamp;
}

bool move_may_fence(const struct move_core *m, uint64_t rules)
{
    return m->phase == MOVE_TAILING &&
           (move_alike(m) || !rule_on(rules, RULE_COMPARE_BEFORE_FENCE));
}

void move_fence(struct move_core *m)
{
    m->fence = ++m->end;
    m->source = SLOT_MIGRATING;
    m->phase = MOVE_FENCED;
}

bool move_may_commit(const struct move_core *m, uint64_t rules)
{
    if (m->phase == MOVE_TAILING) {
        return !rule_on(rules, RULE_FENCE) &&
               (move_alike(m) || !rule_on(rules, RULE_COMPARE_BEFORE_FENCE));
    }
    return m->phase == MOVE_FENCED &&
           (m->applied >= m->fence || !rule_on(rules, RULE_DRAIN_TO_FENCE));
}

void move_commit(struct move_core *m)
{
    m->phase = MOVE_COMMITTED;
}

bool move_may_own(const struct move_core *m)
{
    return m->phase == MOVE_COMMITTED && m->target != SLOT_OWNED;
}

void move_own(struct move_core *m)
{
    m->target = SLOT_OWNED;
}

bool move_may_close(const struct move_core *m)
{
    return m->phase == MOVE_COMMITTED && m->source != SLOT_MOVED;
}

void move_close(struct move_core *m)
{
    m->source = SLOT_MOVED;
}

bool move_may_abort(const struct move_core *m, uint64_t rules)
{
    if (m->phase == MOVE_COMMITTED) {
        return !rule_on(rules, RULE_ABORT_BEFORE_COMMIT);
    }
    return m->phase != MOVE_ABORTED;
}

void move_abort(struct move_core *m)
{
    m->phase = MOVE_ABORTED;
    m->source = SLOT_OWNED;
    m->target = SLOT_ABSENT;
}

void move_source_restarts(struct move_core *m, uint64_t rules)
{
    if (m->source == SLOT_MIGRATING && !rule_on(rules, RULE_DURABLE_FENCE)) {
        m->source = SLOT_OWNED;
    }
}
