/*
 * shifts_fill: the backfill of a slot that is written twice: one key after the other.
 *
 * It reads a version at the primary and writes it to the second store a while later. A pass that
 * repairs what failed takes the newer of the two, wherever it is.
 */
#include "engine/shifts/shifts_inside.h"

#include "engine/queue.h"
#include "engine/store.h"

#define SINGLES_RETRY_US INT64_C(1000)

static uint32_t next_key(const struct world *w, const struct shift_row *s, uint32_t from)
{
    uint32_t key = from;
    while (key < w->keys &&
           (keys_in(w)[key].slot != s->slot ||
            (shift_version(w, s->source, key) == 0 && shift_version(w, s->target, key) == 0))) {
        key++;
    }
    return key < w->keys ? key : NO_INDEX;
}

uint32_t shift_differ(const struct world *w, const struct shift_row *s, uint32_t *first)
{
    uint32_t count = 0;
    *first = NO_INDEX;
    for (uint32_t key = next_key(w, s, 0); key != NO_INDEX; key = next_key(w, s, key + 1)) {
        if (shift_version(w, s->source, key) != shift_version(w, s->target, key)) {
            *first = *first == NO_INDEX ? key : *first;
            count++;
        }
    }
    return count;
}

/* Edits that may yet reach one store alone: those asked for before double writing began, and
 * halves whose router has died. */
static uint32_t singles(const struct world *w, const struct shift_row *s)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < w->requests_used; i++) {
        const struct request *r = requests_in(w) + i;
        bool on_its_way = r->number != 0 && r->slot == s->slot && r->op == OP_EDIT &&
                          (!r->ended || r->flying > 0);
        if (r->origin == ORIGIN_DUAL) {
            count += on_its_way && r->ended && s->repairing;
        } else {
            count += on_its_way && r->number <= s->since;
        }
    }
    return count;
}

static bool waits_for_singles(struct world *w, uint32_t row)
{
    struct shift_row *s = shifts_of(w) + row;
    bool waits = s->repairing || s->since > 0;
    uint32_t count = 0;
    if (s->cursor == 0 && waits && rule_on(w->rules, RULE_DUAL_BEFORE_BACKFILL)) {
        count = singles(w, s);
    }
    if (count == 0) {
        return false;
    }
    shift_note(w, row, REASON_DUAL_WAITS)->operand[0] = count;
    shift_job(w, row, SHIFT_NEXT, SINGLES_RETRY_US);
    return true;
}

static void pass_over(struct world *w, uint32_t row)
{
    struct shift_row *s = shifts_of(w) + row;
    s->dual.filled = 1;
    uint32_t first = 0;
    struct trace_record *t = shift_note(w, row, REASON_DUAL_PASSED);
    t->operand[0] = s->begun;
    t->operand[1] = shift_differ(w, s, &first);
    /* "Only where nothing is" leaves an older version where an edit came to one store alone. */
    s->again = s->again || (s->where_nothing && !s->repairing && t->operand[1] > 0);
    t->operand[2] = s->again;
    if (!s->again) {
        s->repairing = false;
        shift_no_job(w, row);
        return;
    }
    s->again = false;
    s->repairing = true;
    s->cursor = 0;
    s->begun = 0;
    shift_job(w, row, SHIFT_NEXT, SHIFT_RETRY_US);
}

static void read_key(struct world *w, uint32_t row)
{
    struct shift_row *s = shifts_of(w) + row;
    if (waits_for_singles(w, row)) {
        return;
    }
    uint32_t key = next_key(w, s, s->cursor);
    if (key == NO_INDEX) {
        pass_over(w, row);
        return;
    }
    bool from_target = dual_primary(&s->dual) == DUAL_TARGET;
    uint32_t at_source = shift_version(w, s->source, key);
    uint32_t at_target = shift_version(w, s->target, key);
    if (s->repairing && at_source != at_target && rule_on(w->rules, RULE_NEWER_ONLY)) {
        from_target = at_target > at_source;
    }
    s->cursor = key + 1;
    s->begun++;
    s->hand = key;
    s->carried = from_target ? at_target : at_source;
    s->to = from_target ? s->source : s->target;
    uint16_t from = from_target ? s->target : s->source;
    struct trace_record *t = shift_note_key(w, row, REASON_DUAL_READ, key, s->carried, s->carried);
    t->from = node_of(NODE_SHARD, from);
    t->to = node_of(NODE_SHARD, s->to);
    t->arrive_us += w->config.apply_us;
    shift_job(w, row, SHIFT_FINISH, w->config.apply_us);
}

static void write_key(struct world *w, uint32_t row)
{
    struct shift_row *s = shifts_of(w) + row;
    uint32_t key = s->hand;
    uint32_t held = shift_version(w, s->to, key);
    uint32_t carried = s->carried;
    bool taken =
        carried > 0 && dual_fills(w->rules, s->where_nothing && !s->repairing, held, carried);
    if (taken) {
        struct store_entry *entry = store_put(w, s->to, key);
        if (entry == NULL) {
            world_stop(w, STOP_STORE);
            return;
        }
        entry->edits = carried;
        store_set_gone(w, entry, false);
        s->repaired += s->repairing && carried != held;
    }
    bool back = taken && carried < held;
    int reason = back ? REASON_DUAL_FILL_BACK : taken ? REASON_DUAL_FILLED : REASON_DUAL_NOT_FILLED;
    struct trace_record *t = shift_note_key(w, row, reason, key, carried, held);
    t->from = node_of(NODE_SHARD, s->to);
    t->to = node_of(NODE_NONE, 0);
    if (back) {
        shift_note_back(w, s->to, key);
    }
    int64_t gap = US_PER_SECOND / s->rate - w->config.apply_us;
    s->hand = NO_INDEX;
    s->carried = 0;
    shift_job(w, row, SHIFT_NEXT, gap > 0 ? gap : 0);
}

void shifts_dual_step(struct world *w, uint32_t row)
{
    enum shift_job job = (enum shift_job)shifts_in(w)[row].job;
    CHECK(job == SHIFT_NEXT || job == SHIFT_FINISH);
    if (job == SHIFT_NEXT) {
        read_key(w, row);
    } else {
        write_key(w, row);
    }
}
