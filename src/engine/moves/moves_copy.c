/*
 * moves_copy: the snapshot, the time that its bytes take, and the compare by position.
 *
 * A snapshot is the slot's values as they stood at the source when the move began. They are in the
 * target's store from then on, in no service; a key that is written again while the bytes flow is
 * only marked there (`fresh`), and when all bytes are over, the marked ones are taken once more:
 * that is what applying the tail's after-images one by one would have come to. Bytes that are left
 * are counted in millionths, since a rate is bytes a second and time is in microseconds.
 */
#include "engine/moves/moves_inside.h"
#include "engine/store.h"

#define MICRO UINT64_C(1000000)

/* What a shard holds of a key, NULL if nothing or if that was deleted. */
static const struct store_entry *held(const struct world *w, uint16_t shard, uint32_t key)
{
    const struct store_entry *entry = store_find(w, shard, key);
    return entry == NULL || entry->gone ? NULL : entry;
}

void copy_image(struct world *w, uint32_t key, uint16_t from, uint16_t to)
{
    const struct store_entry *source = held(w, from, key);
    if (source == NULL && store_find(w, to, key) == NULL) {
        return;
    }
    struct store_entry *target = store_put(w, to, key);
    if (target == NULL) {
        world_stop(w, STOP_STORE);
        return;
    }
    target->value = source == NULL ? 0 : source->value;
    target->edits = source == NULL ? 0 : source->edits;
    target->sequence = source == NULL ? 0 : source->sequence;
    store_set_gone(w, target, false);
    target->fresh = false;
    if (w->config.recent_max > 0) {
        faults_copy(w, from, to, key);
    }
}

uint32_t copy_delete(struct world *w, uint16_t shard, uint32_t slot)
{
    uint32_t deleted = 0;
    for (uint32_t key = 0; key < w->keys; key++) {
        if (keys_in(w)[key].slot != slot || held(w, shard, key) == NULL) {
            continue;
        }
        struct store_entry *entry = store_put(w, shard, key);
        entry->value = 0;
        entry->edits = 0;
        entry->sequence = 0;
        store_set_gone(w, entry, true);
        deleted++;
    }
    return deleted;
}

uint32_t copy_places(const struct world *w, uint32_t slot, uint16_t from, uint16_t to)
{
    uint32_t places = 0;
    for (uint32_t key = 0; key < w->keys; key++) {
        places += keys_in(w)[key].slot == slot && held(w, from, key) != NULL &&
                  store_find(w, to, key) == NULL;
    }
    return places;
}

/* Counts what has flowed since speeds were last set. */
static void settle(struct world *w)
{
    for (uint32_t i = 0; i < w->config.moves_max; i++) {
        struct move *m = moves_of(w) + i;
        uint64_t elapsed = (uint64_t)(w->now_us - m->since_us);
        if (m->speed > 0) {
            m->left = elapsed > m->left / m->speed ? 0 : m->left - m->speed * elapsed;
        }
        m->since_us = w->now_us;
    }
}

static bool flows(const struct world *w, const struct move *m)
{
    return m->number > 0 && !m->ended && move_copying(m) && move_both_up(w, m);
}

uint64_t copy_speed(const struct world *w, uint64_t rate, uint64_t copies)
{
    uint64_t share = w->moves.budget / copies;
    share = share == 0 && w->moves.budget > 0 ? 1 : share;
    if (rate == 0 || (share > 0 && share < rate)) {
        return share;
    }
    return rate;
}

/* When the bytes that are left are over at this speed; not before the snapshot has its stamp. */
static int64_t done_at(const struct world *w, const struct move *m)
{
    int64_t at = w->now_us + (int64_t)((m->left + m->speed - 1) / m->speed);
    return at > m->due_us[STEP_SNAPSHOT] ? at : m->due_us[STEP_SNAPSHOT];
}

void copy_share(struct world *w)
{
    settle(w);
    uint64_t copies = 0;
    for (uint32_t i = 0; i < w->config.moves_max; i++) {
        copies += flows(w, moves_in(w) + i);
    }
    for (uint32_t i = 0; i < w->config.moves_max; i++) {
        struct move *m = moves_of(w) + i;
        uint64_t speed = flows(w, m) ? copy_speed(w, m->rate, copies) : 0;
        if (speed == m->speed) {
            continue;
        }
        bool told = m->speed > 0 && speed > 0; /* the first speed is told by the beginning */
        m->speed = speed;
        if (speed == 0) {
            m->due_us[STEP_COPIED] = MOVE_NEVER;
            continue;
        }
        if (told) {
            struct trace_record *t = move_trace(w, m, MOVES_SPEED);
            t->operand[0] = (int64_t)speed;
            t->operand[1] = (int64_t)copies;
            t->operand[2] = (int64_t)w->moves.budget;
        }
        move_schedule(w, m, STEP_COPIED, done_at(w, m));
    }
    disk_share(w);
}

void copy_begin(struct world *w, struct move *m)
{
    m->left = m->bytes * MICRO;
    m->snapshot_position = shards_in(w)[m->source].position;
    for (uint32_t key = 0; key < w->keys; key++) {
        if (keys_in(w)[key].slot == m->slot) {
            copy_image(w, key, m->source, m->target);
        }
    }
    if (rule_on(w->rules, RULE_SNAPSHOT_POSITION)) {
        move_copy(&m->core, w->rules, 0);
    } else {
        /* A replica that lags holds by then what the leader holds now. */
        move_schedule(w, m, STEP_SNAPSHOT, w->now_us + w->config.replica_lag_us);
    }
    copy_share(w);
    struct trace_record *t = move_trace(w, m, MOVES_BEGIN);
    t->operand[0] = (int64_t)m->bytes;
    t->operand[1] = (int64_t)m->speed;
    t->operand[2] = (int64_t)m->snapshot_position;
}

void copy_snapshot(struct world *w, struct move *m)
{
    if (!move_may_copy(&m->core)) {
        return;
    }
    move_copy(&m->core, w->rules, 0);
    struct trace_record *t = move_trace(w, m, MOVES_SNAPSHOT);
    t->operand[0] = m->core.stamp;
    t->operand[1] = m->core.copied;
    t->operand[2] = w->config.replica_lag_us;
}

/* What was written while the bytes flowed, taken at once. */
static void catch_up(struct world *w, struct move *m)
{
    for (uint32_t key = 0; key < w->keys; key++) {
        if (keys_in(w)[key].slot == m->slot) {
            const struct store_entry *entry = store_find(w, m->target, key);
            if (entry != NULL && entry->fresh) {
                copy_image(w, key, m->source, m->target);
            }
        }
    }
    while (move_may_apply(&m->core)) {
        move_apply(&m->core);
    }
}

void copy_done(struct world *w, struct move *m)
{
    m->caught_up = m->core.end - m->core.applied;
    if (apply_every_us(w, m->target) == 0) {
        catch_up(w, m);
    }
    m->copied_us = w->now_us;
    m->left = 0;
    struct trace_record *t = move_trace(w, m, MOVES_COPIED);
    t->operand[0] = (int64_t)m->bytes;
    t->operand[1] = m->copied_us - m->begun_us;
    t->operand[2] = m->caught_up;
    copy_share(w);
    copy_compare(w, m);
    tail_begin(w, m);
}

/* Whether an entry of this key is on its way: the sides may differ until it is applied. */
static bool on_its_way(const struct world *w, const struct move *m, uint32_t key)
{
    for (uint32_t at = m->tail_first; at != 0; at = tail_in(w)[at - 1].next) {
        if (tail_in(w)[at - 1].key == key) {
            return true;
        }
    }
    return false;
}

uint32_t copy_differing(const struct world *w, const struct move *m)
{
    static const struct store_entry nothing = {0};
    uint32_t differing = 0;
    for (uint32_t key = 0; key < w->keys; key++) {
        if (keys_in(w)[key].slot != m->slot || on_its_way(w, m, key)) {
            continue;
        }
        const struct store_entry *a = held(w, m->source, key);
        const struct store_entry *b = held(w, m->target, key);
        a = a == NULL ? &nothing : a;
        b = b == NULL ? &nothing : b;
        differing += a->value != b->value || a->edits != b->edits || a->sequence != b->sequence;
    }
    return differing;
}

void copy_compare(struct world *w, struct move *m)
{
    if (m->core.phase != MOVE_TAILING || !move_both_up(w, m)) {
        return; /* when the shard that is down is back, it is done then */
    }
    m->compared_us = w->now_us;
    m->compared_at = m->core.applied;
    m->differing = copy_differing(w, m);
    struct trace_record *t = move_trace(w, m, MOVES_COMPARE);
    t->operand[0] = m->core.applied;
    t->operand[1] = m->differing;
    t->operand[2] = m->core.stamp - m->core.copied;
    move_schedule(w, m, STEP_COMPARE, w->now_us + COMPARE_EVERY_US);
}
