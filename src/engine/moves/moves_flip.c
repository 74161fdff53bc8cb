/*
 * moves_flip: the fence, the commit, what both tables say then; and the way back.
 *
 * The pause lasts from the fence until the target's row says "owned": apply_us for the fence entry
 * to get there, commit_us for the directory, both with their messages. The source hears of the
 * commit one message later, and answers "migrating" until then.
 */
#include "engine/apply.h"
#include "engine/directory.h"
#include "engine/moves/moves_inside.h"
#include "engine/table.h"

static bool may_fence(const struct world *w, const struct move *m, struct err *err)
{
    enum move_phase phase = (enum move_phase)m->core.phase;
    if (phase == MOVE_FENCED || phase == MOVE_COMMITTED || m->due_us[STEP_COMMIT] != MOVE_NEVER) {
        return err_set(err, "slot %u is %s already", m->slot,
                       move_phase_name(phase == MOVE_TAILING ? MOVE_FENCED : phase));
    }
    if (move_copying(m)) {
        return err_set(err, "the copy of slot %u is not complete yet; the fence comes after it",
                       m->slot);
    }
    if (!move_may_fence(&m->core, w->rules)) {
        return err_set(err,
                       "S%u and S%u do not agree by position: the copy lacks %u of the entries "
                       "that it claims (rule compare-before-fence); abort %u and copy again",
                       m->source, m->target, m->core.stamp - m->core.copied, m->slot);
    }
    if (!move_both_up(w, m)) {
        return err_set(err, "S%u is down; the fence needs both shards",
                       shards_in(w)[m->source].down ? m->source : m->target);
    }
    if (!faults_directory_up(w, err)) {
        return false;
    }
    if (directory_change_room(w) == 0 || w->map_version == UINT32_MAX) {
        return err_set(err,
                       "the directory remembers %u changes, too few with routers this far behind; "
                       "let the stale ones reload first",
                       w->config.changes_max);
    }
    if (!tail_has_room(w)) {
        return err_set(err, "the tails of all moves have room for %u entries, all taken; wait",
                       w->config.tail_max);
    }
    return move_row_fits(w, m->source, m->slot, err) &&
           apply_event_room(w, w->config.routers + STEP_COUNT, err);
}

static struct trace_record *last_record(struct world *w)
{
    return trace_of(w) + ((w->trace_next - 1) & (w->config.trace_max - 1));
}

static struct slot_row row_of(enum slot_state state, uint16_t other, uint32_t epoch)
{
    return (struct slot_row){.other = other, .state = (uint8_t)state, .epoch = epoch};
}

bool flip_fence(struct world *w, struct move *m, struct err *err)
{
    if (!may_fence(w, m, err)) {
        return false;
    }
    struct command c = {.kind = COMMAND_FENCE, .first = m->slot, .last = m->slot};
    apply_note(w, &c, KEY_NONE_ID, node_of(NODE_SHARD, m->source), 0, 0);
    if (!rule_on(w->rules, RULE_FENCE)) {
        struct trace_record *t = move_trace(w, m, MOVES_NO_FENCE);
        t->operand[0] = m->core.end - m->core.applied;
        move_schedule(w, m, STEP_COMMIT, w->now_us + w->config.commit_us);
        return true;
    }
    move_fence(&m->core);
    m->fenced_us = w->now_us;
    m->fence_position = ++shards_of(w)[m->source].position;
    move_set_row(w, m, m->source, row_of(SLOT_MIGRATING, SHARD_NONE, m->epoch), MOVES_FENCE);
    last_record(w)->operand[2] = (int64_t)m->fence_position;
    last_record(w)->value = !rule_on(w->rules, RULE_DURABLE_FENCE); /* in memory only */
    tail_add_fence(w, m);
    flip_when_drained(w, m);
    return true;
}

void flip_when_drained(struct world *w, struct move *m)
{
    if (m->core.phase == MOVE_FENCED && m->due_us[STEP_COMMIT] == MOVE_NEVER &&
        move_may_commit(&m->core, w->rules)) {
        move_schedule(w, m, STEP_COMMIT, w->now_us + w->config.commit_us);
    }
}

/* The directory's next version: the slot is `to`'s, one epoch up. */
static void change_map(struct world *w, const struct move *m, uint16_t to, enum moves_reason why)
{
    directory_next_version(w);
    directory_change(w, m->slot, m->slot, to);
    last_record(w)->reason = (uint8_t)why;
}

void flip_commit(struct world *w, struct move *m)
{
    if (world_directory_down(w)) {
        m->due_us[STEP_COMMIT] = w->now_us; /* until moves_directory_back */
        return;
    }
    if (!move_may_commit(&m->core, w->rules)) {
        return;
    }
    if (directory_change_room(w) == 0 || w->map_version == UINT32_MAX) {
        flip_abort(w, m, MOVES_ABORT_MAP);
        return;
    }
    move_commit(&m->core);
    m->committed_us = w->now_us;
    change_map(w, m, m->target, MOVES_COMMIT);
    if (m->tail_count > 0) {
        move_trace(w, m, MOVES_LEFT_BEHIND)->operand[0] = m->tail_count;
        tail_free(w, m);
    }
    m->due_us[STEP_APPLY] = MOVE_NEVER;
    m->due_us[STEP_COMPARE] = MOVE_NEVER;
    if (m->reverse) {
        m->streaming = true;
        m->back = move_begin();
        move_copy(&m->back, w->rules, 0);
    }
    flip_own(w, m);
    if (m->streaming) {
        move_trace(w, m, MOVES_STREAM);
    }
    directory_push(w);
    uint8_t from = w->config.directory_zone;
    uint8_t to = shards_in(w)[m->source].zone;
    move_schedule(w, m, STEP_CLOSE, w->now_us + w->config.delay_us[from][to]);
}

void moves_directory_back(struct world *w)
{
    for (uint32_t i = 0; i < w->config.moves_max; i++) {
        struct move *m = moves_of(w) + i;
        int64_t due_us = m->due_us[STEP_COMMIT];
        if (m->number > 0 && !m->ended && due_us != MOVE_NEVER && due_us <= w->now_us) {
            move_schedule(w, m, STEP_COMMIT, w->now_us + w->config.commit_us);
        }
    }
}

void flip_own(struct world *w, struct move *m)
{
    if (move_may_own(&m->core) && !shards_in(w)[m->target].down) {
        move_own(&m->core);
        move_set_row(w, m, m->target, row_of(SLOT_OWNED, SHARD_NONE, m->epoch + 1), MOVES_OWN);
    }
}

void flip_close(struct world *w, struct move *m)
{
    if (move_may_close(&m->core) && !shards_in(w)[m->source].down) {
        move_close(&m->core);
        m->closed_us = w->now_us;
        move_set_row(w, m, m->source, row_of(SLOT_MOVED, m->target, m->epoch + 1), MOVES_CLOSE);
    }
}

void flip_abort(struct world *w, struct move *m, enum moves_reason reason)
{
    struct trace_record *t = move_trace(w, m, reason);
    t->operand[0] = m->core.phase;
    t->operand[1] = reason == MOVES_ABORT_MAP ? w->config.changes_max : w->config.tail_max;
    bool late = m->core.phase == MOVE_COMMITTED; /* the rule against it is off */
    bool fenced = m->core.source != SLOT_OWNED;
    move_abort(&m->core);
    if (late) {
        change_map(w, m, m->source, MOVES_BACK);
        directory_push(w);
    }
    if (fenced) {
        move_set_row(w, m, m->source,
                     row_of(SLOT_OWNED, SHARD_NONE, late ? m->epoch + 2 : m->epoch),
                     MOVES_SERVE_AGAIN);
    }
    if (late) { /* whoever comes by the map that it was in has to learn of the next one */
        m->before = row_of(SLOT_MOVED, m->source, m->epoch + 2);
    }
    copy_delete(w, m->target, m->slot);
    move_set_row(w, m, m->target, m->before, MOVES_DROPPED);
    move_end(w, m);
    copy_share(w);
}

void moves_crash(struct world *w, uint16_t shard)
{
    copy_share(w);
    for (uint32_t i = 0; i < w->config.moves_max; i++) {
        const struct move *m = moves_in(w) + i;
        if (m->number > 0 && !m->ended && (m->source == shard || m->target == shard)) {
            move_trace(w, m, MOVES_HALT)->operand[0] = shard;
        }
    }
}

/* What the log of a shard that is back says about the move. */
static void restart(struct world *w, struct move *m, uint16_t shard)
{
    bool again = shard == m->target && move_copying(m);
    struct trace_record *t = move_trace(w, m, MOVES_RESUME);
    t->operand[0] = shard;
    t->operand[1] = again;
    if (shard == m->source && m->core.source == SLOT_MIGRATING) {
        move_source_restarts(&m->core, w->rules);
        if (m->core.source == SLOT_OWNED) {
            move_set_row(w, m, shard, row_of(SLOT_OWNED, SHARD_NONE, m->epoch), MOVES_FORGOTTEN);
        }
    }
    if (again) {
        tail_free(w, m);
        m->core = move_begin();
        m->due_us[STEP_SNAPSHOT] = MOVE_NEVER;
        copy_begin(w, m);
    }
    flip_own(w, m);
    flip_close(w, m);
    if (move_both_up(w, m)) {
        tail_resume(w, m);
        flip_when_drained(w, m);
    }
    if (m->core.phase == MOVE_TAILING && !move_copying(m) && m->due_us[STEP_COMPARE] <= w->now_us) {
        copy_compare(w, m);
    }
}

void moves_restart(struct world *w, uint16_t shard)
{
    for (uint32_t i = 0; i < w->config.moves_max; i++) {
        struct move *m = moves_of(w) + i;
        if (m->number > 0 && !m->ended && (m->source == shard || m->target == shard)) {
            restart(w, m, shard);
        }
    }
    copy_share(w);
}
