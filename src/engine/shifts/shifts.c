/*
 * shifts: what the rest of the engine asks, and a shift as a part of its world.
 */
#include "engine/shifts/shifts_inside.h"
#include "engine/table.h"

/* --- jobs --- */

/* A job needs both shards; it asks again later while one of them is down. */
static bool held_up(struct world *w, uint32_t row)
{
    const struct shift_row *s = shifts_in(w) + row;
    bool source_down = shards_in(w)[s->source].down;
    bool target_down = shards_in(w)[s->target].down;
    if (!target_down && (!source_down || s->job == SHIFT_CLAIM)) {
        return false;
    }
    struct trace_record *t = shift_note(w, row, REASON_SHIFT_HELD_UP);
    t->from = node_of(NODE_SHARD, target_down ? s->target : s->source);
    t->to = node_of(NODE_NONE, 0);
    t->operand[0] = SHIFT_RETRY_US;
    shift_job(w, row, (enum shift_job)s->job, SHIFT_RETRY_US);
    return true;
}

void shifts_handle(struct world *w, const struct event *event)
{
    uint32_t row = event->request;
    const struct shift_row *s = shifts_in(w) + row;
    if (s->kind == SHIFT_NONE || s->turn != event->node || held_up(w, row)) {
        return;
    }
    if (s->kind == SHIFT_ASK) {
        shifts_ask_step(w, row);
    } else {
        shifts_dual_step(w, row);
    }
}

/* Stores and slot tables are durable; what was between two shards is not, and is done again. */
void shifts_crash(struct world *w, uint16_t shard)
{
    for (uint32_t row = 0; row < w->config.moves_max; row++) {
        struct shift_row *s = shifts_of(w) + row;
        bool concerned = s->kind != SHIFT_NONE && (s->source == shard || s->target == shard);
        if (!concerned || s->job != SHIFT_FINISH) {
            continue;
        }
        bool copied = s->kind == SHIFT_ASK && s->hand != NO_INDEX &&
                      shift_live(w, s->source, s->hand) && shift_live(w, s->target, s->hand);
        if (!copied) {
            s->cursor = s->hand == NO_INDEX ? s->cursor : s->hand;
            s->begun -= s->hand != NO_INDEX;
            s->hand = NO_INDEX;
            s->carried = 0;
            shift_job(w, row, SHIFT_NEXT, SHIFT_RETRY_US);
        }
    }
}

/* Jobs ask again by themselves, and a claim is in the target's slot table: nothing to do. */
void shifts_restart(struct world *w, uint16_t shard)
{
    CHECK(shard < w->shards);
}

/* --- what others ask --- */

bool shifts_apply(struct world *w, const struct command *c, struct err *err)
{
    if (c->kind == COMMAND_SHIFT) {
        return shifts_ask_apply(w, c, err);
    }
    return c->kind == COMMAND_DUAL ? shifts_dual_apply(w, c, err) : shifts_switch_apply(w, c, err);
}

bool shifts_allow(const struct world *w, uint32_t first, uint32_t last, struct err *err)
{
    const struct shift_row *rows = shifts_in(w);
    for (uint32_t i = 0; w->shifts.count > 0 && i < w->config.moves_max; i++) {
        if (rows[i].kind != SHIFT_NONE && rows[i].slot >= first && rows[i].slot <= last) {
            return err_set(err, "slot %u is on its way from S%u to S%u, %s; end that first",
                           rows[i].slot, rows[i].source, rows[i].target,
                           rows[i].kind == SHIFT_ASK ? "key by key" : "by dual writes");
        }
    }
    return true;
}

uint16_t shifts_home(const struct world *w, uint32_t key)
{
    uint32_t slot = keys_in(w)[key].slot;
    uint16_t owner = owners_in(w)[slot];
    uint32_t row = w->shifts.count > 0 ? shift_find(w, slot) : NO_ROW;
    if (row == NO_ROW || shifts_in(w)[row].kind != SHIFT_ASK) {
        return owner;
    }
    const struct shift_row *s = shifts_in(w) + row;
    bool gone = !shift_live(w, s->source, key) && shift_live(w, s->target, key);
    return gone || s->ask.phase == ASK_CLAIMED ? s->target : s->source;
}

bool shifts_claimed(const struct world *w, uint16_t shard, uint32_t slot)
{
    uint32_t row = shift_find(w, slot);
    return row != NO_ROW && shifts_in(w)[row].kind == SHIFT_ASK &&
           shifts_in(w)[row].ask.phase == ASK_CLAIMED && shifts_in(w)[row].target == shard;
}

uint16_t shifts_asked_of(const struct world *w, uint16_t shard, uint32_t slot)
{
    const struct slot_row *row = table_find(w, shard, slot);
    return row == NULL ? SHARD_NONE : row->other;
}

/* --- reading --- */

struct shift_info world_shift(const struct world *w, uint32_t index)
{
    CHECK(index < w->config.moves_max);
    const struct shift_row *s = shifts_in(w) + index;
    struct shift_info info = {.kind = (enum shift_kind)s->kind, .too_large = KEY_NONE_ID};
    info.handing = KEY_NONE_ID;
    if (s->kind == SHIFT_NONE) {
        return info;
    }
    info.slot = s->slot;
    info.source = s->source;
    info.target = s->target;
    info.ask = (enum ask_phase)s->ask.phase;
    info.dual = (enum dual_phase)s->dual.phase;
    info.working = s->job != SHIFT_IDLE;
    info.filled = s->dual.filled != 0;
    info.parallel = s->parallel;
    info.here = shift_count(w, s->source, s->slot);
    info.there = shift_count(w, s->target, s->slot);
    info.too_large = s->large;
    info.handing = s->hand;
    info.doubled = s->doubled;
    info.failed = s->failed;
    info.repaired = s->repaired;
    if (s->kind == SHIFT_DUAL) {
        uint32_t first = 0;
        info.differ = shift_differ(w, s, &first);
    }
    return info;
}

uint32_t world_key_version(const struct world *w, uint16_t shard, uint32_t key)
{
    CHECK(shard < w->shards && key < w->keys);
    return shift_version(w, shard, key);
}

/* --- as a part of the world --- */

void shifts_lay_out(struct world *plan, uint64_t *end)
{
    size_t row = sizeof(struct shift_row) + plan->config.routers;
    plan->at.shifts = table_at(end, plan->config.moves_max, row);
}

static void feed_row(struct digest *d, const struct world *w, uint32_t row)
{
    const struct shift_row *s = shifts_in(w) + row;
    const uint64_t values[] = {
        s->ask.phase,   s->ask.source,  s->ask.target,    s->dual.phase, s->dual.source,
        s->dual.target, s->dual.filled, s->slot,          s->source,     s->target,
        s->kind,        s->job,         s->turn,          s->rate,       s->cursor,
        s->begun,       s->hand,        s->carried,       s->large,      s->version,
        s->to,          s->epoch,       s->since,         s->doubled,    s->failed,
        s->repaired,    s->parallel,    s->where_nothing, s->again,      s->repairing};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        digest_u64(d, values[i]);
    }
    digest_bytes(d, shift_misled_in(w, row, 0), w->config.routers);
}

void shifts_feed(struct digest *d, const struct world *w)
{
    const struct shifts_state *s = &w->shifts;
    const uint64_t values[] = {s->count,   s->dual,      s->misled,   s->sizes,
                               s->partial, s->went_back, s->back_key, s->back_shard};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        digest_u64(d, values[i]);
    }
    for (uint32_t i = 0; i < s->sizes; i++) {
        digest_u64(d, s->size[i].key);
        digest_u64(d, s->size[i].bytes);
    }
    for (uint32_t row = 0; row < w->config.moves_max; row++) {
        feed_row(d, w, row);
    }
}
