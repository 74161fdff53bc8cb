/*
 * moves_tail: the source's log from the snapshot on, entry by entry.
 *
 * While bytes flow, entries are only counted and their keys marked (see moves_copy.c), unless the
 * target applies them at a pace of its own (moves_disk.c): then they wait here. From then on each
 * is an after-image (the key's value with its position) that is applied at the other side apply_us
 * after it was appended. The log is durable: entries wait while one of the shards is down. The
 * reverse stream is the same in the other direction, behind the commit.
 */
#include "engine/moves/moves_inside.h"
#include "engine/store.h"

bool tail_has_room(const struct world *w)
{
    return w->moves.tail_free != 0 || w->moves.tail_used < w->config.tail_max;
}

/* A place at the end of the move's list; there must be room. */
static struct tail_entry *add(struct world *w, struct move *m)
{
    uint32_t place = w->moves.tail_free;
    struct tail_entry *tail = tail_of(w);
    if (place != 0) {
        w->moves.tail_free = tail[place - 1].next;
    } else {
        place = ++w->moves.tail_used;
    }
    tail[place - 1] =
        (struct tail_entry){.key = KEY_NONE_ID, .due_us = w->now_us + w->config.apply_us};
    if (m->tail_count++ == 0) {
        m->tail_first = place;
    } else {
        tail[m->tail_last - 1].next = place;
    }
    m->tail_last = place;
    if (m->due_us[STEP_APPLY] == MOVE_NEVER && move_both_up(w, m) && !move_copying(m)) {
        move_schedule(w, m, STEP_APPLY, tail[place - 1].due_us);
    }
    return &tail[place - 1];
}

static void take_first(struct world *w, struct move *m)
{
    struct tail_entry *entry = tail_of(w) + (m->tail_first - 1);
    uint32_t place = m->tail_first;
    m->tail_first = entry->next;
    m->tail_last = --m->tail_count == 0 ? 0 : m->tail_last;
    *entry = (struct tail_entry){.next = w->moves.tail_free};
    w->moves.tail_free = place;
}

void tail_free(struct world *w, struct move *m)
{
    while (m->tail_count > 0) {
        take_first(w, m);
    }
}

/* The after-image of what a request has just written at a shard. */
static void add_image(struct world *w, struct move *m, uint16_t shard, const struct request *r)
{
    const struct store_entry *held = store_find(w, shard, r->key);
    CHECK(held != NULL);
    struct tail_entry *entry = add(w, m);
    entry->key = r->key;
    entry->value = held->value;
    entry->edits = held->edits;
    entry->sequence = held->sequence;
    entry->operation = accounts_decision(r);
}

static void wrote_at_source(struct world *w, struct move *m, const struct request *r)
{
    move_append(&m->core);
    if (m->core.phase == MOVE_COMMITTED) {
        return; /* nobody reads this log any more */
    }
    bool waits = m->core.phase == MOVE_TAILING && apply_every_us(w, m->target) > 0;
    if (!move_copying(m) || waits) {
        if (tail_has_room(w)) {
            add_image(w, m, m->source, r);
        } else {
            flip_abort(w, m, MOVES_ABORT_TAIL);
        }
    } else if (m->core.phase == MOVE_TAILING) {
        struct store_entry *entry = store_put(w, m->target, r->key);
        if (entry == NULL) {
            world_stop(w, STOP_STORE);
            return;
        }
        entry->fresh = true;
    }
}

static void wrote_at_target(struct world *w, struct move *m, const struct request *r)
{
    if (tail_has_room(w)) {
        move_append(&m->back);
        add_image(w, m, m->target, r);
        return;
    }
    m->streaming = false;
    tail_free(w, m);
    m->due_us[STEP_APPLY] = MOVE_NEVER;
    move_trace(w, m, MOVES_STREAM_ENDS)->operand[0] = w->config.tail_max;
}

void moves_wrote(struct world *w, uint16_t shard, uint32_t request)
{
    const struct request *r = requests_in(w) + request;
    for (uint32_t i = 0; i < w->config.moves_max; i++) {
        struct move *m = moves_of(w) + i;
        if (m->number == 0 || m->ended || m->slot != r->slot) {
            continue;
        }
        if (shard == m->source) {
            wrote_at_source(w, m, r);
        } else if (shard == m->target && m->streaming) {
            wrote_at_target(w, m, r);
        }
    }
}

void tail_add_fence(struct world *w, struct move *m)
{
    add(w, m);
}

static void apply_image(struct world *w, const struct tail_entry *entry, uint16_t to)
{
    struct store_entry *held = store_put(w, to, entry->key);
    if (held == NULL) {
        world_stop(w, STOP_STORE);
        return;
    }
    store_set_gone(w, held, false);
    held->value = entry->value;
    held->edits = entry->edits;
    held->sequence = entry->sequence;
    if (w->config.recent_max > 0) {
        faults_remember(w, to, entry->key, entry->operation);
    }
}

/* Entry by entry; told only behind a fence, when everybody waits for it. */
static void apply_first(struct world *w, struct move *m)
{
    struct move_core *core = m->streaming ? &m->back : &m->core;
    const struct tail_entry *entry = tail_in(w) + (m->tail_first - 1);
    CHECK(move_may_apply(core));
    move_apply(core);
    bool fence = entry->key == KEY_NONE_ID;
    if (fence) {
        m->drained_us = w->now_us;
    } else {
        apply_image(w, entry, m->streaming ? m->source : m->target);
    }
    if (core->phase == MOVE_FENCED) {
        struct trace_record *t = move_trace(w, m, fence ? MOVES_APPLY_FENCE : MOVES_APPLY);
        t->key = entry->key;
        t->operand[0] = core->applied;
        t->operand[1] = fence ? w->now_us - m->fenced_us : core->end;
        t->value = entry->value;
    }
    take_first(w, m);
}

/* When the first entry can be applied. */
static int64_t first_due_us(const struct world *w, const struct move *m)
{
    int64_t due_us = tail_in(w)[m->tail_first - 1].due_us;
    return due_us > m->paced_us ? due_us : m->paced_us;
}

void tail_apply(struct world *w, struct move *m)
{
    if (!move_both_up(w, m)) {
        return; /* the restart sends them again */
    }
    while (m->tail_count > 0 && first_due_us(w, m) <= w->now_us) {
        apply_first(w, m);
        int64_t every_us = apply_every_us(w, m->streaming ? m->source : m->target);
        m->paced_us = every_us > 0 ? w->now_us + every_us : 0;
    }
    if (m->tail_count > 0) {
        move_schedule(w, m, STEP_APPLY, first_due_us(w, m));
    }
    flip_when_drained(w, m);
}

void tail_begin(struct world *w, struct move *m)
{
    if (m->tail_count > 0) {
        int64_t due_us = first_due_us(w, m);
        move_schedule(w, m, STEP_APPLY, due_us > w->now_us ? due_us : w->now_us);
    }
}

void tail_resume(struct world *w, struct move *m)
{
    int64_t soonest = w->now_us + w->config.apply_us;
    for (uint32_t at = m->tail_first; at != 0; at = tail_in(w)[at - 1].next) {
        struct tail_entry *entry = tail_of(w) + (at - 1);
        entry->due_us = entry->due_us > soonest ? entry->due_us : soonest;
    }
    if (m->tail_count > 0 && !move_copying(m)) {
        move_schedule(w, m, STEP_APPLY, soonest);
    }
}
