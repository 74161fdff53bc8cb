/*
 * shifts_rows: rows, slot tables and jobs, which both ways share.
 */
#include "engine/apply.h"
#include "engine/directory.h"
#include "engine/queue.h"
#include "engine/shifts/shifts_inside.h"
#include "engine/store.h"
#include "engine/table.h"

uint32_t shift_find(const struct world *w, uint32_t slot)
{
    const struct shift_row *rows = shifts_in(w);
    for (uint32_t i = 0; i < w->config.moves_max; i++) {
        if (rows[i].kind != SHIFT_NONE && rows[i].slot == slot) {
            return i;
        }
    }
    return NO_ROW;
}

bool shift_live(const struct world *w, uint16_t shard, uint32_t key)
{
    const struct store_entry *entry = store_find(w, shard, key);
    return entry != NULL && !entry->gone;
}

uint32_t shift_next_key(const struct world *w, uint16_t shard, uint32_t slot, uint32_t from)
{
    for (uint32_t key = from; key < w->keys; key++) {
        if (keys_in(w)[key].slot == slot && shift_live(w, shard, key)) {
            return key;
        }
    }
    return NO_INDEX;
}

uint32_t shift_count(const struct world *w, uint16_t shard, uint32_t slot)
{
    uint32_t count = 0;
    for (uint32_t key = shift_next_key(w, shard, slot, 0); key != NO_INDEX;
         key = shift_next_key(w, shard, slot, key + 1)) {
        count++;
    }
    return count;
}

struct trace_record *shift_note(struct world *w, uint32_t row, int reason)
{
    const struct shift_row *s = shifts_in(w) + row;
    struct trace_record *t = trace_add(w, TRACE_SHIFT);
    t->key = KEY_NONE_ID;
    t->slot = s->slot;
    t->epoch = epochs_in(w)[s->slot];
    t->version = w->map_version;
    t->from = node_of(NODE_SHARD, s->source);
    t->to = node_of(NODE_SHARD, s->target);
    t->target = s->target;
    t->reason = (uint16_t)reason;
    return t;
}

struct slot_row shift_row_of(uint32_t slot, enum slot_state state, uint32_t epoch, uint16_t other)
{
    return (struct slot_row){.first = (uint16_t)slot,
                             .last = (uint16_t)slot,
                             .other = other,
                             .state = (uint8_t)state,
                             .epoch = epoch};
}

/* A slot of a joined or wide row is cut out of it, so even a row that is there can need more. */
bool shift_row_fits(const struct world *w, uint16_t shard, struct slot_row row, uint32_t reserved,
                    struct err *err)
{
    uint32_t more = table_more(w, shard, &row);
    if (more > 0 && shards_in(w)[shard].rows + more + reserved > w->config.rows_max) {
        return err_set(err,
                       "the slot table of S%u has room for %u rows, too few for this; slots that "
                       "lie together and say the same share a row",
                       shard, w->config.rows_max);
    }
    return true;
}

void shift_table(struct world *w, uint16_t shard, struct slot_row row)
{
    CHECK(table_set(w, shard, &row));
    table_note(w, shard, &row);
}

bool shift_map_fits(const struct world *w, uint32_t reserved, struct err *err)
{
    if (UINT32_MAX - w->map_version <= reserved) {
        return err_set(err, "the map is at its last version and cannot change again");
    }
    return true;
}

/* --- rows --- */

/* No other move of this slot is under way: nobody holds a copy that is not in service. */
static bool slot_is_at_rest(const struct world *w, uint32_t slot, struct err *err)
{
    if (moves_busy(w, slot, slot) != NO_INDEX) {
        return err_set(err, "slot %u is on its way to another shard; end that first: abort %u",
                       slot, slot);
    }
    for (uint16_t shard = 0; shard < w->shards; shard++) {
        const struct slot_row *row = table_find(w, shard, slot);
        if (row != NULL && row->state != SLOT_OWNED && row->state != SLOT_MOVED) {
            return err_set(err, "slot %u is %s at S%u; end that first", slot,
                           slot_state_name((enum slot_state)row->state), shard);
        }
    }
    return true;
}

static bool slot_fits(const struct world *w, const struct command *c, struct err *err)
{
    if (!apply_slots_exist(w, c, err) || !apply_shard_exists(w, c->shard, err)) {
        return false;
    }
    if (c->first != c->last) {
        return err_set(err, "one slot at a time goes this way, not %u-%u", c->first, c->last);
    }
    if (owners_in(w)[c->first] == c->shard) {
        return err_set(err, "S%u owns slot %u already", c->shard, c->first);
    }
    if (epochs_in(w)[c->first] == UINT32_MAX) {
        return err_set(err, "slot %u is at its last epoch and cannot move again", c->first);
    }
    return shift_map_fits(w, 0, err) && slot_is_at_rest(w, c->first, err);
}

static bool store_fits(const struct world *w, uint16_t source, const struct command *c,
                       struct err *err)
{
    uint32_t anew = 0;
    for (uint32_t key = shift_next_key(w, source, c->first, 0); key != NO_INDEX;
         key = shift_next_key(w, source, c->first, key + 1)) {
        anew += store_find(w, c->shard, key) == NULL;
    }
    if (anew > w->config.store_max - w->store_used) {
        return err_set(err, "the shards have room for %u counters; this needs %u more",
                       w->config.store_max, anew - (w->config.store_max - w->store_used));
    }
    return true;
}

/* What the source holds counts; what the target still holds from earlier does not. */
static void clear_stores(struct world *w, const struct shift_row *s)
{
    for (uint32_t key = 0; key < w->keys; key++) {
        if (keys_in(w)[key].slot != s->slot) {
            continue;
        }
        if (store_find(w, s->source, key) != NULL) {
            store_set_gone(w, store_put(w, s->source, key), false);
        }
        if (store_find(w, s->target, key) != NULL) {
            struct store_entry *old = store_put(w, s->target, key);
            old->value = 0;
            old->edits = 0;
            store_set_gone(w, old, true);
        }
    }
}

static bool set_tables(struct world *w, const struct shift_row *s, enum slot_state state,
                       struct err *err)
{
    uint32_t epoch = epochs_in(w)[s->slot];
    struct slot_row target = shift_row_of(s->slot, SLOT_ARRIVING, epoch, s->source);
    struct slot_row source = shift_row_of(s->slot, state, epoch, s->target);
    bool leaves = state != SLOT_OWNED; /* else the source's row stays as it is */
    if (!shift_row_fits(w, s->target, target, 0, err) ||
        (leaves && !shift_row_fits(w, s->source, source, 0, err))) {
        return false;
    }
    shift_table(w, s->target, target);
    if (leaves) {
        shift_table(w, s->source, source);
    }
    return true;
}

uint32_t shift_new(struct world *w, const struct command *c, enum shift_kind kind, struct err *err)
{
    uint32_t row = 0;
    while (row < w->config.moves_max && shifts_in(w)[row].kind != SHIFT_NONE) {
        row++;
    }
    if (row == w->config.moves_max) {
        err_set(err, "%u slots are under way, and there is room for no more; end one first", row);
        return NO_ROW;
    }
    if (!slot_fits(w, c, err) || !store_fits(w, owners_in(w)[c->first], c, err) ||
        !apply_event_room(w, 1, err)) {
        return NO_ROW;
    }
    struct shift_row fresh = {
        .ask = ask_begin(),
        .dual = dual_begin(c->mode == DUAL_MODE_ON),
        .slot = c->first,
        .source = owners_in(w)[c->first],
        .target = c->shard,
        .kind = (uint8_t)kind,
        .turn = shifts_in(w)[row].turn,
        .rate = SHIFT_RATE,
        .hand = NO_INDEX,
        .large = NO_INDEX,
        .epoch = epochs_in(w)[c->first],
    };
    enum slot_state source = kind == SHIFT_ASK ? SLOT_LEAVING : SLOT_OWNED;
    if (!set_tables(w, &fresh, source, err)) {
        return NO_ROW;
    }
    moves_forget(w, fresh.slot, fresh.slot); /* a copy that an earlier move kept is nobody's */
    shifts_of(w)[row] = fresh;
    w->shifts.count++;
    w->shifts.dual += kind == SHIFT_DUAL;
    clear_stores(w, &fresh);
    return row;
}

void shift_free(struct world *w, uint32_t row)
{
    struct shift_row *s = shifts_of(w) + row;
    shift_no_job(w, row);
    for (uint16_t router = 0; router < w->config.routers; router++) {
        uint8_t *misled = shift_misled(w, row, router);
        w->shifts.misled -= *misled;
        *misled = 0;
    }
    w->shifts.count--;
    w->shifts.dual -= s->kind == SHIFT_DUAL;
    *s = (struct shift_row){.turn = s->turn};
}

/* --- jobs --- */

void shift_job(struct world *w, uint32_t row, enum shift_job job, int64_t in_us)
{
    struct shift_row *s = shifts_of(w) + row;
    s->job = (uint8_t)job;
    s->turn++;
    struct event *event = queue_at(w, w->now_us + in_us, EVENT_JOB);
    event->request = row;
    event->detail = s->kind == SHIFT_DUAL ? JOB_BACKFILL : JOB_SHIFT;
    event->node = s->turn;
}

void shift_no_job(struct world *w, uint32_t row)
{
    struct shift_row *s = shifts_of(w) + row;
    s->job = SHIFT_IDLE;
    s->hand = NO_INDEX;
    s->carried = 0;
    s->turn++;
}

bool shift_commit(struct world *w, uint32_t row, uint16_t to)
{
    if (world_directory_down(w) || directory_change_room(w) == 0 || w->map_version == UINT32_MAX) {
        return false;
    }
    uint32_t slot = shifts_in(w)[row].slot;
    directory_next_version(w);
    directory_change(w, slot, slot, to);
    directory_push(w);
    return true;
}
