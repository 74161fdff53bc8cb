/*
 * moves_read: what must be true of every move, what others may see of it, and its digest.
 */
#include "engine/moves/moves_inside.h"
#include "engine/store.h"
#include "engine/table.h"
#include "proto/slot.h"

static enum slot_state state_at(const struct world *w, uint16_t shard, uint32_t slot)
{
    const struct slot_row *row = table_find(w, shard, slot);
    return row == NULL ? SLOT_ABSENT : (enum slot_state)row->state;
}

/* Whether a row in this state serves writes or reads while shards look into their tables. */
static bool serves(const struct world *w, enum slot_state state)
{
    uint64_t rules = w->rules | rule_bit(RULE_SLOT_TABLE_CHECK);
    struct slot_question q = {.state = state};
    bool writes = slot_answer(rules, &q) == OUTCOME_OK;
    q.read = true;
    return writes || slot_answer(rules, &q) == OUTCOME_OK;
}

static bool tables_hold(const struct world *w, const struct move *m, struct err *err)
{
    enum slot_state source = state_at(w, m->source, m->slot);
    enum slot_state target = state_at(w, m->target, m->slot);
    if (move_settled(m) && target == SLOT_MIGRATING) {
        target = SLOT_OWNED; /* the operator holds it (freeze) */
    }
    if (m->core.phase == MOVE_BEGUN && target == SLOT_RECEIVING) {
        target = SLOT_ABSENT; /* the copy will be taken later (rule snapshot-position is off) */
    }
    if (source != m->core.source || target != m->core.target) {
        return err_set(
            err,
            "tables-follow: the move of slot %u has it %s at S%u and %s at S%u, the slot "
            "tables say %s and %s",
            m->slot, slot_state_name((enum slot_state)m->core.source), m->source,
            slot_state_name((enum slot_state)m->core.target), m->target, slot_state_name(source),
            slot_state_name(target));
    }
    if (serves(w, source) && serves(w, target)) {
        return err_set(err, "one-server: S%u and S%u would both serve slot %u", m->source,
                       m->target, m->slot);
    }
    return true;
}

static bool plan_holds(const struct world *w, const struct move *m, struct err *err)
{
    bool committed = m->core.phase == MOVE_COMMITTED;
    uint16_t owner = committed ? m->target : m->source;
    uint32_t epoch = committed ? m->epoch + 1 : m->epoch;
    if (owners_in(w)[m->slot] != owner || epochs_in(w)[m->slot] != epoch) {
        return err_set(err,
                       "epochs-rise: slot %u is S%u's at epoch %u, its move has S%u at epoch %u",
                       m->slot, owners_in(w)[m->slot], epochs_in(w)[m->slot], owner, epoch);
    }
    return true;
}

static bool move_holds(const struct world *w, const struct move *m, struct err *err)
{
    if (!tables_hold(w, m, err) || !plan_holds(w, m, err)) {
        return false;
    }
    if (m->core.fence > 0 && m->core.end != m->core.fence) {
        return err_set(err,
                       "fence-is-last: S%u has appended %u entries of slot %u behind the fence",
                       m->source, m->core.end - m->core.fence, m->slot);
    }
    bool tails = m->core.phase == MOVE_TAILING || m->core.phase == MOVE_FENCED;
    if (tails && !move_copying(m) && move_alike(&m->core) && copy_differing(w, m) > 0) {
        return err_set(
            err, "same-at-position: %u keys of slot %u differ between S%u and S%u at entry %u",
            copy_differing(w, m), m->slot, m->source, m->target, m->core.applied);
    }
    return true;
}

bool moves_hold(const struct world *w, struct err *err)
{
    for (uint32_t i = 0; i < w->config.moves_max; i++) {
        const struct move *m = moves_in(w) + i;
        if (m->number > 0 && !m->ended && !move_holds(w, m, err)) {
            return false;
        }
    }
    return true;
}

uint32_t moves_busy(const struct world *w, uint32_t first, uint32_t last)
{
    for (uint32_t i = 0; w->moves.count > 0 && i < w->config.moves_max; i++) {
        const struct move *m = moves_in(w) + i;
        if (m->number > 0 && !m->ended && first <= m->slot && m->slot <= last && !move_settled(m)) {
            return m->slot;
        }
    }
    return NO_INDEX;
}

void moves_forget(struct world *w, uint32_t first, uint32_t last)
{
    for (uint32_t i = 0; w->moves.count > 0 && i < w->config.moves_max; i++) {
        struct move *m = moves_of(w) + i;
        if (m->number > 0 && !m->ended && first <= m->slot && m->slot <= last) {
            CHECK(move_settled(m));
            move_end(w, m);
        }
    }
}

uint32_t moves_rows(const struct world *w)
{
    return w->config.moves_max;
}

/* Bytes that have come over by now. */
static uint64_t copied_bytes(const struct world *w, const struct move *m)
{
    uint64_t flowed = m->speed * (uint64_t)(w->now_us - m->since_us);
    uint64_t left = flowed < m->left ? m->left - flowed : 0;
    return m->bytes - (left + UINT64_C(999999)) / UINT64_C(1000000);
}

bool moves_info(const struct world *w, uint32_t row, struct move_info *out)
{
    CHECK(row < w->config.moves_max);
    const struct move *m = moves_in(w) + row;
    if (m->number == 0) {
        return false;
    }
    int64_t waits = 0;
    if (m->tail_count > 0) {
        waits = tail_in(w)[m->tail_first - 1].due_us - w->config.apply_us;
    }
    *out = (struct move_info){
        .number = m->number,
        .phase = (enum move_phase)m->core.phase,
        .ended = m->ended,
        .reverse = m->streaming,
        .slot = m->slot,
        .source = m->source,
        .target = m->target,
        .epoch = m->epoch,
        .bytes = m->bytes,
        .copied_bytes = copied_bytes(w, m),
        .speed = m->speed,
        .snapshot_position = m->snapshot_position,
        .fence_position = m->fence_position,
        .end = m->core.end,
        .applied = m->core.applied,
        .caught_up = m->caught_up,
        .tail = m->tail_count,
        .oldest_us = waits,
        .compared = m->compared_us != MOVE_NEVER,
        .alike = m->compared_us != MOVE_NEVER && move_alike(&m->core),
        .compared_at = m->compared_at,
        .differing = m->differing,
        .fence = m->core.fence,
        .claimed = m->core.stamp - m->core.copied,
        .stream_end = m->back.end,
        .stream_applied = m->back.applied,
        .back = m->before.state == SLOT_MOVED && m->before.other == m->source,
        .committing = m->due_us[STEP_COMMIT] != MOVE_NEVER,
        .begun_us = m->begun_us,
        .copied_us = m->copied_us,
        .compared_us = m->compared_us,
        .fenced_us = m->fenced_us,
        .drained_us = m->drained_us,
        .committed_us = m->committed_us,
        .closed_us = m->closed_us,
        .ended_us = m->ended_us,
    };
    return true;
}

bool moves_info_of(const struct world *w, uint32_t slot, struct move_info *out)
{
    uint32_t last = NO_INDEX;
    for (uint32_t i = 0; i < w->config.moves_max; i++) {
        const struct move *m = moves_in(w) + i;
        if (m->number > 0 && m->slot == slot &&
            (last == NO_INDEX || m->number > moves_in(w)[last].number)) {
            last = i;
        }
    }
    return last != NO_INDEX && moves_info(w, last, out);
}

uint32_t moves_tail(const struct world *w, const struct move_info *info, uint32_t skip,
                    struct move_entry *out, uint32_t room)
{
    const struct move *m = NULL;
    for (uint32_t i = 0; i < w->config.moves_max && m == NULL; i++) {
        m = moves_in(w)[i].number == info->number ? moves_in(w) + i : NULL;
    }
    uint32_t count = 0;
    uint32_t number = m == NULL ? 0 : m->streaming ? m->back.applied : m->core.applied;
    for (uint32_t at = m == NULL ? 0 : m->tail_first; at != 0 && count < room;
         at = tail_in(w)[at - 1].next) {
        const struct tail_entry *entry = tail_in(w) + (at - 1);
        number++;
        if (skip > 0) {
            skip--;
            continue;
        }
        out[count++] = (struct move_entry){.number = number,
                                           .key = entry->key,
                                           .value = entry->value,
                                           .edits = entry->edits,
                                           .sequence = entry->sequence,
                                           .appended_us = entry->due_us - w->config.apply_us};
    }
    return count;
}

/* Of which stage a record is; MOVE_STAGES: of none. */
static enum move_stage stage_of(const struct trace_record *r)
{
    switch ((int)r->reason) {
    case MOVES_BEGIN:
    case MOVES_SPEED:
        return MOVE_COPY;
    case MOVES_COPIED:
    case MOVES_SNAPSHOT:
        return MOVE_TAIL;
    case MOVES_COMPARE:
        return MOVE_COMPARE;
    case MOVES_FENCE:
    case MOVES_NO_FENCE:
    case MOVES_APPLY_FENCE:
        return MOVE_FENCE;
    case MOVES_COMMIT:
    case MOVES_OWN:
        return MOVE_COMMIT;
    case MOVES_CLOSE:
        return MOVE_CLOSE;
    case MOVES_CLEANUP:
        return MOVE_CLEANUP;
    case MOVES_ABORT:
    case MOVES_ABORT_TAIL:
    case MOVES_ABORT_MAP:
    case MOVES_BACK:
    case MOVES_ROLLBACK:
        return MOVE_OUT;
    default:
        return MOVE_STAGES;
    }
}

bool moves_record(const struct world *w, const struct move_info *m, enum move_stage stage,
                  uint64_t *sequence)
{
    for (uint64_t at = trace_next(w); at > trace_first(w); at--) {
        const struct trace_record *r = trace_get(w, at - 1);
        if (r == NULL || r->time_us < m->begun_us) {
            return false;
        }
        bool of_move = r->kind == TRACE_MOVE || r->kind == TRACE_TABLE || r->kind == TRACE_PLAN;
        if (of_move && r->slot == m->slot && stage_of(r) == stage) {
            *sequence = r->sequence;
            return true;
        }
    }
    return false;
}

struct held_key moves_held(const struct world *w, uint16_t shard, uint32_t key)
{
    CHECK(shard < w->shards && key < w->keys);
    const struct store_entry *entry = store_find(w, shard, key);
    if (entry == NULL || entry->gone) {
        return (struct held_key){.fresh = entry != NULL && entry->fresh};
    }
    return (struct held_key){.there = true,
                             .fresh = entry->fresh,
                             .value = entry->value,
                             .edits = entry->edits,
                             .sequence = entry->sequence};
}

/* --- the promise --- */

/* A shard that looks into its table goes by its row; one that does not takes what it is sent. */
static bool accepts(const struct world *w, uint16_t shard, uint32_t slot)
{
    const struct slot_row *row = table_find(w, shard, slot);
    if (shards_in(w)[shard].down) {
        return false;
    }
    if (rule_on(w->rules, RULE_SLOT_TABLE_CHECK)) {
        struct slot_question q = {.state = state_at(w, shard, slot)};
        q.row_epoch = row == NULL ? 0 : row->epoch;
        q.seen_epoch = q.row_epoch;
        return slot_answer(w->rules, &q) == OUTCOME_OK;
    }
    bool sent = owners_in(w)[slot] == shard;
    for (uint16_t router = 0; router < w->config.routers && !sent; router++) {
        sent = world_router_owner(w, router, slot) == shard;
    }
    return sent;
}

/* What the last flush of a key said, wherever it went, and what the holder lacks of it. */
static void promise_total(const struct world *w, struct slot_promise *p, uint32_t key,
                          struct held_key held)
{
    struct held_key last = held;
    for (uint16_t shard = 0; shard < w->shards; shard++) {
        struct held_key other = moves_held(w, shard, key);
        last = other.sequence > last.sequence ? other : last;
    }
    int64_t likes = (int64_t)last.value; /* a correction may be below zero */
    int64_t lacking = likes - (int64_t)held.value;
    bool older = last.sequence > held.sequence;
    p->summed = true;
    p->older += older;
    p->writes += likes > 0 ? (uint64_t)likes : 0;
    p->lacking += older && likes > 0 && lacking > 0 ? (uint64_t)lacking : 0;
}

/* What was accepted of a key, and what the holder lacks of it. */
static void promise_key(const struct world *w, struct slot_promise *p, uint32_t key, bool dual)
{
    const struct key_entry *entry = keys_in(w) + key;
    struct held_key held = moves_held(w, p->by_key ? store_home(w, key) : p->holder, key);
    uint32_t edits = held.edits;
    for (uint16_t shard = 0; shard < w->shards && !dual; shard++) {
        struct held_key other = moves_held(w, shard, key);
        edits = other.edits > edits ? other.edits : edits;
    }
    p->writes += edits;
    p->edits += edits;
    p->lacking += edits - held.edits;
    if (entry->account != 0) {
        p->uncounted = true; /* accounts_hold knows what is due */
    } else if (entry->writes != 0) {
        promise_total(w, p, key, held);
    } else {
        uint64_t told = entry->acked;
        uint64_t likes = told + entry->flying + entry->stray_flying + entry->unknown;
        uint64_t lacking = likes > held.value ? likes - held.value : 0;
        p->writes += likes;
        p->lacking += lacking;
        p->told += lacking < told ? lacking : told;
    }
}

/* Empty: nothing looked up but how the slot moves, and who has it by the plan. */
static struct slot_promise promise_of(const struct world *w, uint32_t slot, bool *dual)
{
    struct slot_promise p = {.accepts = {SHARD_NONE, SHARD_NONE}, .holder = owners_in(w)[slot]};
    *dual = false;
    for (uint32_t i = 0; w->shifts.count > 0 && i < w->config.moves_max; i++) {
        struct shift_info shift = world_shift(w, i);
        p.by_key |= shift.kind == SHIFT_ASK && shift.slot == slot;
        *dual |= shift.kind == SHIFT_DUAL && shift.slot == slot;
    }
    return p;
}

struct slot_promise moves_promise(const struct world *w, uint32_t slot)
{
    bool dual;
    CHECK(slot < w->config.slots);
    struct slot_promise p = promise_of(w, slot, &dual);
    for (uint16_t shard = 0; shard < w->shards; shard++) {
        if (accepts(w, shard, slot)) {
            if (p.accepting < 2) {
                p.accepts[p.accepting] = shard;
            }
            p.accepting++;
        }
    }
    p.holder = p.accepting == 1 ? p.accepts[0] : p.holder;
    for (uint32_t key = 0; key < w->keys; key++) {
        if (keys_in(w)[key].slot == slot) {
            promise_key(w, &p, key, dual);
        }
    }
    return p;
}

uint64_t moves_lacking(const struct world *w, uint32_t key)
{
    bool dual;
    CHECK(key < w->keys);
    struct slot_promise p = promise_of(w, keys_in(w)[key].slot, &dual);
    promise_key(w, &p, key, dual);
    return p.lacking > 0 ? p.lacking : p.older;
}

static void feed_core(struct digest *d, const struct move_core *c)
{
    DIGEST_FEED(d, c->end, c->copied, c->stamp, c->applied, c->fence, c->phase, c->source,
                c->target);
}

static void feed_move(struct digest *d, const struct move *m)
{
    const struct slot_row *before = &m->before;
    feed_core(d, &m->core);
    feed_core(d, &m->back);
    DIGEST_FEED(d, before->other, before->state, before->epoch, m->number, m->tail_first,
                m->tail_last, m->tail_count, m->bytes, m->rate, m->left, m->speed,
                m->snapshot_position, m->fence_position, (uint64_t)m->since_us,
                (uint64_t)m->begun_us, (uint64_t)m->copied_us, (uint64_t)m->compared_us,
                (uint64_t)m->fenced_us, (uint64_t)m->drained_us, (uint64_t)m->committed_us,
                (uint64_t)m->closed_us, (uint64_t)m->ended_us, m->epoch, m->caught_up, m->differing,
                m->slot, m->source, m->target, m->reverse, m->streaming, m->ended);
    for (uint32_t step = 0; step < STEP_COUNT; step++) {
        digest_u64(d, (uint64_t)m->due_us[step]);
    }
    if (m->compared_at != 0) {
        digest_u64(d, m->compared_at);
    }
    if (m->paced_us != 0) {
        digest_u64(d, (uint64_t)m->paced_us);
    }
}

void moves_feed(struct digest *d, const struct world *w)
{
    const struct moves_state *s = &w->moves;
    DIGEST_FEED(d, s->count, s->last_number, s->tail_used, s->tail_free, s->budget);
    for (uint32_t i = 0; i < w->config.moves_max; i++) {
        const struct move *m = moves_in(w) + i;
        if (m->number > 0) {
            feed_move(d, m);
        }
    }
    for (uint32_t i = 0; i < s->tail_used; i++) {
        const struct tail_entry *e = tail_in(w) + i;
        DIGEST_FEED(d, e->value, (uint64_t)e->due_us, e->key, e->edits, e->sequence, e->operation,
                    e->next);
    }
}
