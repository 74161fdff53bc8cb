/*
 * moves: the rows, and the commands that begin and end a move.
 */
#include "engine/moves/moves.h"

#include "engine/apply.h"
#include "engine/directory.h"
#include "engine/moves/moves_inside.h"
#include "engine/queue.h"
#include "engine/store.h"
#include "engine/table.h"
#include <inttypes.h>

struct move *move_of_slot(struct world *w, uint32_t slot)
{
    for (uint32_t i = 0; i < w->config.moves_max; i++) {
        struct move *m = moves_of(w) + i;
        if (m->number > 0 && !m->ended && m->slot == slot) {
            return m;
        }
    }
    return NULL;
}

/* A row that no move needs: never used, or of the one that ended first. */
static struct move *free_row(struct world *w)
{
    struct move *oldest = NULL;
    for (uint32_t i = 0; i < w->config.moves_max; i++) {
        struct move *m = moves_of(w) + i;
        if ((m->number == 0 || m->ended) && (oldest == NULL || m->number < oldest->number)) {
            oldest = m;
        }
    }
    return oldest;
}

void move_schedule(struct world *w, struct move *m, enum move_step step, int64_t at_us)
{
    m->due_us[step] = at_us;
    struct event *event = queue_at(w, at_us, step == STEP_COMMIT ? EVENT_COMMIT : EVENT_MOVE);
    event->request = (uint32_t)(m - moves_of(w));
    event->detail = (uint8_t)step;
    event->node = step == STEP_CLOSE ? m->source : m->target;
    event->carries.moved.epoch = m->number;
}

struct trace_record *move_trace(struct world *w, const struct move *m, enum moves_reason reason)
{
    struct trace_record *t = trace_add(w, TRACE_MOVE);
    t->key = KEY_NONE_ID;
    t->slot = m->slot;
    t->epoch = m->epoch;
    t->version = w->map_version;
    t->from = node_of(NODE_SHARD, m->source);
    t->to = node_of(NODE_SHARD, m->target);
    t->reason = (uint16_t)reason;
    t->target = m->target;
    return t;
}

bool move_row_fits(const struct world *w, uint16_t shard, uint32_t slot, struct err *err)
{
    const struct slot_row *row = table_find(w, shard, slot);
    uint32_t more = row == NULL ? 1u : (row->first < slot ? 1u : 0u) + (row->last > slot ? 1u : 0u);
    if (shards_in(w)[shard].rows + more > w->config.rows_max) {
        return err_set(err, "the slot table of S%u has room for %u rows, too few for this move",
                       shard, w->config.rows_max);
    }
    return true;
}

void move_set_row(struct world *w, const struct move *m, uint16_t shard, struct slot_row row,
                  enum moves_reason reason)
{
    row.first = m->slot;
    row.last = m->slot;
    if (!table_set(w, shard, &row)) {
        world_stop(w, STOP_ROWS); /* rows that had joined come apart again */
        return;
    }
    struct trace_record *t = move_trace(w, m, reason);
    t->kind = TRACE_TABLE;
    t->epoch = row.epoch;
    t->from = node_of(NODE_SHARD, shard);
    t->to = node_of(NODE_NONE, 0);
    t->target = row.state;
    t->operand[0] = m->slot;
    t->operand[1] = m->slot;
    t->operand[2] = row.other;
}

void move_end(struct world *w, struct move *m)
{
    CHECK(!m->ended && w->moves.count > 0);
    tail_free(w, m);
    m->streaming = false;
    m->speed = 0;
    m->ended = true;
    m->ended_us = w->now_us;
    for (uint32_t step = 0; step < STEP_COUNT; step++) {
        m->due_us[step] = MOVE_NEVER;
    }
    w->moves.count--;
}

/* Whether a slot can begin to move from its owner to a shard, a row's room aside. */
static bool can_begin(const struct world *w, uint16_t slot, uint16_t target, struct err *err)
{
    uint16_t source = owners_in(w)[slot];
    if (!shifts_allow(w, slot, slot, err)) {
        return false;
    }
    if (source == target) {
        return err_set(err, "S%u owns slot %u already", target, slot);
    }
    const struct slot_row *from = table_find(w, source, slot);
    if (from == NULL || from->state != SLOT_OWNED) {
        return err_set(err, "slot %u is \"%s\" at S%u; end that first", slot,
                       slot_state_name(from == NULL ? SLOT_ABSENT : (enum slot_state)from->state),
                       source);
    }
    const struct slot_row *to = table_find(w, target, slot);
    if (to != NULL && to->state != SLOT_MOVED) {
        return err_set(err, "slot %u is \"%s\" at S%u; end that first", slot,
                       slot_state_name((enum slot_state)to->state), target);
    }
    if (epochs_in(w)[slot] == UINT32_MAX) {
        return err_set(err, "slot %u is at its last epoch and cannot move again", slot);
    }
    if (shards_in(w)[source].down || shards_in(w)[target].down) {
        return err_set(err, "S%u is down; a move begins between shards that are up",
                       shards_in(w)[source].down ? source : target);
    }
    uint32_t places = copy_places(w, slot, source, target);
    if (places > w->config.store_max - w->store_used) {
        return err_set(err, "the shards have room for %u counters; this move needs %u more",
                       w->config.store_max, places - (w->config.store_max - w->store_used));
    }
    return apply_event_room(w, STEP_COUNT, err);
}

/* The bytes and their speed; "the budget" counts when no rate was given. */
static bool can_copy(const struct world *w, uint64_t bytes, uint64_t rate, struct err *err)
{
    if (bytes > COPY_BYTES_MAX) {
        return err_set(err, "a slot has 0 to %" PRIu64 " bytes here", COPY_BYTES_MAX);
    }
    if (rate == 0 && w->moves.budget == 0) {
        return err_set(err, "how fast may it be copied? Give a rate in bytes a second, or all "
                            "copies together a budget");
    }
    return true;
}

static bool one_slot(const struct world *w, const struct command *c, struct err *err)
{
    if (!apply_slots_exist(w, c, err)) {
        return false;
    }
    if (c->first != c->last) {
        return err_set(err, "one slot moves at a time; give each of %u-%u its own move", c->first,
                       c->last);
    }
    return true;
}

/* A fresh row for a move that begins now. */
static struct move new_move(struct world *w, uint16_t slot, uint16_t source, uint16_t target)
{
    struct move m = {
        .core = move_begin(),
        .number = ++w->moves.last_number,
        .slot = slot,
        .source = source,
        .target = target,
        .epoch = epochs_in(w)[slot],
        .begun_us = w->now_us,
        .copied_us = MOVE_NEVER,
        .compared_us = MOVE_NEVER,
        .fenced_us = MOVE_NEVER,
        .drained_us = MOVE_NEVER,
        .committed_us = MOVE_NEVER,
        .closed_us = MOVE_NEVER,
        .ended_us = MOVE_NEVER,
        .since_us = w->now_us,
    };
    for (uint32_t step = 0; step < STEP_COUNT; step++) {
        m.due_us[step] = MOVE_NEVER;
    }
    m.before = (struct slot_row){.other = SHARD_NONE, .state = SLOT_ABSENT};
    const struct slot_row *row = table_find(w, target, slot);
    if (row != NULL) {
        m.before = *row;
    }
    return m;
}

/* The target's row: in no service, at the epoch that it had, since rows never fall back. */
static struct slot_row receiving(const struct move *m)
{
    return (struct slot_row){.first = m->slot,
                             .last = m->slot,
                             .other = m->source,
                             .state = SLOT_RECEIVING,
                             .epoch = m->before.epoch};
}

static bool apply_migrate(struct world *w, const struct command *c, struct err *err)
{
    if (!one_slot(w, c, err) || !apply_shard_exists(w, c->shard, err) ||
        !can_begin(w, (uint16_t)c->first, c->shard, err) || !can_copy(w, c->amount, c->rate, err)) {
        return false;
    }
    struct move *old = move_of_slot(w, c->first);
    if (old != NULL && !move_settled(old)) {
        return err_set(err, "slot %u is on its way from S%u to S%u; end that first: abort %u",
                       c->first, old->source, old->target, c->first);
    }
    struct move *row = old != NULL ? old : free_row(w);
    if (row == NULL) {
        return err_set(err, "this world has room for %u moves at a time, all taken; finish one",
                       w->config.moves_max);
    }
    if (!move_row_fits(w, c->shard, c->first, err)) {
        return false;
    }
    if (old != NULL) {
        move_end(w, old); /* what it left at its source is nobody's now */
    }
    *row = new_move(w, (uint16_t)c->first, owners_in(w)[c->first], c->shard);
    row->bytes = c->amount;
    row->rate = c->rate;
    row->reverse = c->on;
    w->moves.count++;
    apply_note(w, c, KEY_NONE_ID, node_of(NODE_SHARD, c->shard), (int64_t)c->amount, c->rate);
    move_set_row(w, row, row->target, receiving(row), MOVES_RECEIVE);
    copy_begin(w, row);
    return true;
}

/* The move that a command is about. */
static struct move *asked_move(struct world *w, const struct command *c, struct err *err)
{
    if (!one_slot(w, c, err)) {
        return NULL;
    }
    struct move *m = move_of_slot(w, c->first);
    if (m == NULL) {
        err_set(err, "slot %u is not on its way; begin with: migrate %u S4 BYTES RATE", c->first,
                c->first);
    }
    return m;
}

static bool apply_fence(struct world *w, const struct command *c, struct err *err)
{
    struct move *m = asked_move(w, c, err);
    return m != NULL && flip_fence(w, m, err);
}

static bool apply_cleanup(struct world *w, const struct command *c, struct err *err)
{
    struct move *m = asked_move(w, c, err);
    if (m == NULL) {
        return false;
    }
    if (!move_settled(m)) {
        return err_set(err, "slot %u is %s; S%u's copy is deleted after both slot tables say so",
                       m->slot, move_phase_name((enum move_phase)m->core.phase), m->source);
    }
    if (m->compared_us == MOVE_NEVER || !move_alike(&m->core)) {
        return err_set(err,
                       "S%u and S%u never compared equal, so S%u keeps its copy: what the target "
                       "lacks is only there",
                       m->source, m->target, m->source);
    }
    apply_note(w, c, KEY_NONE_ID, node_of(NODE_SHARD, m->source), 0, 0);
    uint32_t keys = copy_delete(w, m->source, m->slot);
    move_trace(w, m, MOVES_CLEANUP)->operand[0] = keys;
    move_end(w, m);
    return true;
}

static bool apply_abort(struct world *w, const struct command *c, struct err *err)
{
    struct move *m = asked_move(w, c, err);
    if (m == NULL) {
        return false;
    }
    if (!move_may_abort(&m->core, w->rules)) {
        return err_set(err,
                       "the directory has committed: S%u has slot %u and may have accepted writes "
                       "(rule abort-before-commit); go back with: rollback %u",
                       m->target, m->slot, m->slot);
    }
    if (m->core.phase == MOVE_COMMITTED && !faults_directory_up(w, err)) {
        return false;
    }
    if (m->core.phase == MOVE_COMMITTED &&
        (!move_settled(m) || directory_change_room(w) == 0 || m->epoch > UINT32_MAX - 2)) {
        return err_set(err,
                       "slot %u cannot be given back now: its tables do not agree yet, or the "
                       "directory has no room for one more change",
                       m->slot);
    }
    apply_note(w, c, KEY_NONE_ID, node_of(NODE_SHARD, m->source), m->core.phase, 0);
    flip_abort(w, m, MOVES_ABORT);
    return true;
}

/* The last move of a slot, whether it has ended or not. */
static struct move *last_move(struct world *w, uint32_t slot)
{
    struct move *last = NULL;
    for (uint32_t i = 0; i < w->config.moves_max; i++) {
        struct move *m = moves_of(w) + i;
        if (m->number > 0 && m->slot == slot && (last == NULL || m->number > last->number)) {
            last = m;
        }
    }
    return last;
}

/* The same row, with the reverse stream as its tail: what it still has to apply goes on. */
static void turn_round(struct world *w, struct move *m)
{
    struct move turned = new_move(w, m->slot, m->target, m->source);
    turned.core = m->back;
    turned.tail_first = m->tail_first;
    turned.tail_last = m->tail_last;
    turned.tail_count = m->tail_count;
    turned.bytes = m->bytes;
    turned.rate = m->rate;
    turned.reverse = m->reverse;
    turned.copied_us = w->now_us;
    turned.snapshot_position = m->snapshot_position;
    *m = turned;
    move_set_row(w, m, m->target, receiving(m), MOVES_RECEIVE);
    if (m->tail_count > 0) {
        tail_resume(w, m);
    }
    copy_compare(w, m);
}

static bool apply_rollback(struct world *w, const struct command *c, struct err *err)
{
    if (!one_slot(w, c, err)) {
        return false;
    }
    struct move *m = last_move(w, c->first);
    if (m == NULL || !move_settled(m) || owners_in(w)[m->slot] != m->target) {
        return err_set(err,
                       "slot %u has not been moved to where it is by a move that committed, so "
                       "there is nothing to roll back",
                       c->first);
    }
    bool streaming = m->streaming;
    if (!can_begin(w, m->slot, m->source, err) || !move_row_fits(w, m->source, m->slot, err) ||
        (!streaming && !can_copy(w, m->bytes, m->rate, err))) {
        return false;
    }
    apply_note(w, c, KEY_NONE_ID, node_of(NODE_SHARD, m->source), streaming, 0);
    move_trace(w, m, MOVES_ROLLBACK)->operand[0] = streaming;
    if (streaming) {
        turn_round(w, m);
        return true;
    }
    w->moves.count += m->ended;
    struct move back = new_move(w, m->slot, m->target, m->source);
    back.bytes = m->bytes;
    back.rate = m->rate;
    back.reverse = m->reverse;
    *m = back;
    move_set_row(w, m, m->target, receiving(m), MOVES_RECEIVE);
    copy_begin(w, m);
    return true;
}

static bool apply_budget(struct world *w, const struct command *c, struct err *err)
{
    for (uint32_t i = 0; c->rate == 0 && i < w->config.moves_max; i++) {
        const struct move *m = moves_in(w) + i;
        if (m->number > 0 && !m->ended && move_copying(m) && m->rate == 0) {
            return err_set(err,
                           "slot %u is being copied and has no rate of its own; it needs a "
                           "budget until it is there",
                           m->slot);
        }
    }
    if (!apply_event_room(w, w->config.moves_max, err)) {
        return false;
    }
    w->moves.budget = c->rate;
    apply_note(w, c, KEY_NONE_ID, node_of(NODE_NONE, 0), c->rate, 0);
    copy_share(w);
    return true;
}

bool moves_apply(struct world *w, const struct command *c, struct err *err)
{
    static bool (*const apply[])(struct world * w, const struct command *c, struct err *err) = {
        [COMMAND_MIGRATE - COMMAND_MIGRATE] = apply_migrate,
        [COMMAND_FENCE - COMMAND_MIGRATE] = apply_fence,
        [COMMAND_CLEANUP - COMMAND_MIGRATE] = apply_cleanup,
        [COMMAND_ABORT - COMMAND_MIGRATE] = apply_abort,
        [COMMAND_ROLLBACK - COMMAND_MIGRATE] = apply_rollback,
        [COMMAND_BUDGET - COMMAND_MIGRATE] = apply_budget,
        [COMMAND_DISK - COMMAND_MIGRATE] = moves_apply_disk,
        [COMMAND_APPLIES - COMMAND_MIGRATE] = moves_apply_applies,
    };
    CHECK(c->kind >= COMMAND_MIGRATE && c->kind <= COMMAND_APPLIES);
    return apply[c->kind - COMMAND_MIGRATE](w, c, err);
}

void moves_handle(struct world *w, const struct event *event)
{
    struct move *m = moves_of(w) + event->request;
    enum move_step step = (enum move_step)event_detail(event);
    if (m->number != event->carries.moved.epoch || m->ended || m->due_us[step] == MOVE_NEVER ||
        m->due_us[step] > w->now_us) {
        return; /* of an earlier move, overtaken, or here for the second time */
    }
    m->due_us[step] = MOVE_NEVER;
    switch (step) {
    case STEP_SNAPSHOT:
        copy_snapshot(w, m);
        return;
    case STEP_COPIED:
        copy_done(w, m);
        return;
    case STEP_APPLY:
        tail_apply(w, m);
        return;
    case STEP_COMPARE:
        copy_compare(w, m);
        return;
    case STEP_COMMIT:
        flip_commit(w, m);
        return;
    case STEP_CLOSE:
        flip_close(w, m);
        return;
    case STEP_COUNT:
        break;
    }
    CHECK(false && "no step of a move");
}

void moves_lay_out(struct world *plan, uint64_t *end)
{
    plan->at.moves = table_at(end, plan->config.moves_max, sizeof(struct move));
    plan->at.tail = table_at(end, plan->config.tail_max, sizeof(struct tail_entry));
}
