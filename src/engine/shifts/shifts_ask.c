/*
 * shifts_ask: a slot goes key by key; its routers are told ASK meanwhile.
 */
#include "engine/shifts/shifts_inside.h"

#include "engine/apply.h"
#include "engine/queue.h"
#include "engine/store.h"
#include "engine/table.h"
#include <inttypes.h>

static uint64_t bytes_of_key(const struct world *w, uint32_t key)
{
    for (uint32_t i = 0; i < w->shifts.sizes; i++) {
        if (w->shifts.size[i].key == key) {
            return w->shifts.size[i].bytes;
        }
    }
    return 0;
}

static int64_t time_for(const struct world *w, uint64_t bytes)
{
    uint64_t speed = w->moves.budget > 0 ? w->moves.budget : SHIFT_BYTES_A_SECOND;
    return (int64_t)((bytes * (uint64_t)US_PER_SECOND + speed - 1) / speed);
}

/* --- commands --- */

static bool apply_size(struct world *w, const struct command *c, struct err *err)
{
    uint32_t key = store_find_key(w, (struct bytes){.at = c->key, .length = c->key_length});
    if (key == NO_INDEX) {
        return err_set(err, "nobody has used the key %.*s yet, so it has no size", c->key_length,
                       c->key);
    }
    if (c->amount > SHIFT_KEY_BYTES_MAX * 1000) {
        return err_set(err, "a key has at most %s bytes",
                       num_grouped((int64_t)SHIFT_KEY_BYTES_MAX * 1000).text);
    }
    uint32_t at = 0;
    while (at < w->shifts.sizes && w->shifts.size[at].key != key) {
        at++;
    }
    if (at == SHIFT_SIZES_MAX) {
        return err_set(err, "sizes of %d keys are told, and there is room for no more", at);
    }
    w->shifts.sizes = at == w->shifts.sizes ? at + 1 : w->shifts.sizes;
    w->shifts.size[at].key = key;
    w->shifts.size[at].bytes = c->amount;
    apply_note(w, c, key, node_of(NODE_NONE, 0), c->mode, (int64_t)c->amount);
    return true;
}

static bool apply_go(struct world *w, const struct command *c, struct err *err)
{
    uint32_t row = shift_find(w, c->first);
    const struct shift_row *s = row == NO_ROW ? NULL : shifts_in(w) + row;
    if (c->rate > SHIFT_RATE_MAX) {
        return err_set(err, "at most %u keys a second can go over", SHIFT_RATE_MAX);
    }
    if (s != NULL && (s->kind != SHIFT_ASK || s->target != c->shard || c->first != c->last ||
                      s->ask.phase != ASK_OPEN)) {
        return shifts_allow(w, c->first, c->first, err);
    }
    if (s != NULL && s->hand != NO_INDEX) {
        return err_set(err, "a key of slot %u is in its hand-over; run until it is over", s->slot);
    }
    bool opens = c->pick != 0;
    if (opens && s != NULL) {
        return shifts_allow(w, c->first, c->first, err);
    }
    if (!apply_event_room(w, 1, err)) {
        return false;
    }
    if (row == NO_ROW) {
        row = shift_new(w, c, SHIFT_ASK, err);
        if (row == NO_ROW) {
            return false;
        }
    }
    struct shift_row *own = shifts_of(w) + row;
    own->rate = c->rate > 0 ? c->rate : SHIFT_RATE;
    own->cursor = 0;
    own->large = NO_INDEX;
    apply_note(w, c, KEY_NONE_ID, node_of(NODE_SHARD, c->shard), c->mode, opens ? 0 : own->rate);
    if (!opens) {
        shift_job(w, row, SHIFT_NEXT, 0);
    }
    return true;
}

static bool still_here(const struct world *w, const struct shift_row *s, uint32_t left,
                       struct err *err)
{
    uint32_t key = shift_next_key(w, s->source, s->slot, 0);
    key = s->large != NO_INDEX && shift_live(w, s->source, s->large) ? s->large : key;
    const struct key_entry *entry = keys_in(w) + key;
    if (key == s->large) {
        return err_set(
            err,
            "S%u still holds keys of slot %u (%u): %.*s is too large to go over; the slot "
            "stays open (rule close-when-empty)",
            s->source, s->slot, left, entry->length, entry->text);
    }
    return err_set(err,
                   "S%u still holds keys of slot %u (%u), %.*s the first; wait until all have gone "
                   "(rule close-when-empty)",
                   s->source, s->slot, left, entry->length, entry->text);
}

/* What the source says when the directory knows of the claim. */
static struct slot_row closed(const struct shift_row *s, struct ask_core claimed)
{
    ask_close(&claimed);
    return shift_row_of(s->slot, (enum slot_state)claimed.source, s->epoch + 1, s->target);
}

/* Whether the source's table and the map have room for one more claim, besides those that the
 * directory has not heard of yet. */
static bool close_fits(const struct world *w, const struct shift_row *s, struct ask_core claimed,
                       struct err *err)
{
    uint32_t claims = 0;
    uint32_t reserved = 0;
    for (uint32_t i = 0; i < w->config.moves_max; i++) {
        const struct shift_row *other = shifts_in(w) + i;
        if (other->kind == SHIFT_ASK && other->ask.phase == ASK_CLAIMED) {
            struct slot_row row = closed(other, other->ask);
            claims++;
            reserved += other->source == s->source ? table_more(w, s->source, &row) : 0;
        }
    }
    return shift_map_fits(w, claims, err) &&
           shift_row_fits(w, s->source, closed(s, claimed), reserved, err);
}

static bool apply_finish(struct world *w, const struct command *c, uint32_t row, struct err *err)
{
    struct shift_row *s = shifts_of(w) + row;
    uint32_t left = shift_count(w, s->source, s->slot);
    if (s->ask.phase != ASK_OPEN) {
        return err_set(err, "S%u has claimed slot %u already", s->target, s->slot);
    }
    if (!ask_may_claim(&s->ask, w->rules, left)) {
        return still_here(w, s, left, err);
    }
    if (shards_in(w)[s->target].down) {
        return err_set(err, "S%u is down and cannot claim slot %u", s->target, s->slot);
    }
    struct ask_core claimed = s->ask;
    ask_claim(&claimed);
    uint32_t epoch = epochs_in(w)[s->slot] + 1;
    struct slot_row owned =
        shift_row_of(s->slot, (enum slot_state)claimed.target, epoch, SHARD_NONE);
    if (!shift_row_fits(w, s->target, owned, 0, err) || !close_fits(w, s, claimed, err) ||
        !apply_event_room(w, w->config.routers + 1u, err)) {
        return false;
    }
    shift_no_job(w, row);
    apply_note(w, c, KEY_NONE_ID, node_of(NODE_SHARD, s->target), c->mode, left);
    s->ask = claimed;
    shift_table(w, s->target, owned);
    struct trace_record *t = shift_note(w, row, REASON_SHIFT_CLAIMED);
    t->from = node_of(NODE_SHARD, s->target);
    t->to = node_of(NODE_DIRECTORY, 0);
    t->operand[0] = epoch;
    t->operand[1] = left;
    shift_job(w, row, SHIFT_CLAIM, w->config.commit_us);
    return true;
}

static bool apply_stop(struct world *w, const struct command *c, uint32_t row, struct err *err)
{
    struct shift_row *s = shifts_of(w) + row;
    if (s->ask.phase != ASK_OPEN) {
        return err_set(err, "S%u has claimed slot %u already", s->target, s->slot);
    }
    uint32_t gone = shift_count(w, s->target, s->slot);
    if (gone > 0 && s->job == SHIFT_IDLE) {
        return err_set(
            err,
            "keys of slot %u are at S%u already (%u), so it cannot be closed; no key is going over",
            s->slot, s->target, gone);
    }
    if (s->hand != NO_INDEX && gone > 0) {
        return err_set(err, "a key of slot %u is in its hand-over; run until it is over", s->slot);
    }
    bool undo = ask_may_undo(&s->ask, gone); /* else it stays open */
    struct ask_core undone = s->ask;
    ask_undo(&undone);
    uint32_t epoch = epochs_in(w)[s->slot];
    struct slot_row owned =
        shift_row_of(s->slot, (enum slot_state)undone.source, epoch, SHARD_NONE);
    struct slot_row absent = shift_row_of(s->slot, (enum slot_state)undone.target, 0, SHARD_NONE);
    if (undo && (!shift_row_fits(w, s->source, owned, 0, err) ||
                 !shift_row_fits(w, s->target, absent, 0, err))) {
        return false;
    }
    shift_no_job(w, row);
    apply_note(w, c, KEY_NONE_ID, node_of(NODE_SHARD, s->target), c->mode, gone);
    if (undo) {
        s->ask = undone;
        shift_table(w, s->source, owned);
        shift_table(w, s->target, absent);
        shift_free(w, row);
    }
    return true;
}

bool shifts_ask_apply(struct world *w, const struct command *c, struct err *err)
{
    if (c->mode == SHIFT_MODE_SIZE) {
        return apply_size(w, c, err);
    }
    if (c->mode == SHIFT_MODE_GO) {
        return apply_go(w, c, err);
    }
    uint32_t row = shift_find(w, c->first);
    if (row == NO_ROW || shifts_in(w)[row].kind != SHIFT_ASK || c->first != c->last) {
        return err_set(err, "slot %u is not on its way key by key", c->first);
    }
    return c->mode == SHIFT_MODE_FINISH ? apply_finish(w, c, row, err) : apply_stop(w, c, row, err);
}

/* --- the job --- */

/* The key's value, version and last flush appear at the target. */
static bool copy_key(struct world *w, const struct shift_row *s, uint32_t key)
{
    struct store_entry from = *store_find(w, s->source, key);
    struct store_entry *to = store_put(w, s->target, key);
    if (to == NULL) {
        world_stop(w, STOP_STORE);
        return false;
    }
    to->value = from.value;
    to->edits = from.edits;
    to->sequence = from.sequence;
    store_set_gone(w, to, false);
    if (w->config.recent_max > 0) {
        faults_copy(w, s->source, s->target, key);
    }
    return true;
}

static void drop_key(struct world *w, const struct shift_row *s, uint32_t key)
{
    struct store_entry *from = store_put(w, s->source, key);
    from->value = 0;
    from->edits = 0;
    from->sequence = 0;
    store_set_gone(w, from, true);
}

/* Until a copy's original is dropped: its way to the other shard. */
static int64_t time_of_copy(const struct world *w, uint32_t key)
{
    int64_t query = w->config.query_us > 0 ? w->config.query_us : 1;
    int64_t way = time_for(w, bytes_of_key(w, key));
    return way > query ? way : query;
}

/* One step of the key in hand: over in one, or copied, to be dropped by the next. */
static void hand_over(struct world *w, uint32_t row, uint32_t key)
{
    struct shift_row *s = shifts_of(w) + row;
    enum ask_place before = ask_place_of(true, shift_live(w, s->target, key));
    enum ask_place after = ask_hand(w->rules, before);
    int64_t source = (int64_t)store_value(w, s->source, key);
    int64_t target = (int64_t)store_value(w, s->target, key);
    if (before == PLACE_SOURCE && !copy_key(w, s, key)) {
        return;
    }
    if (after == PLACE_BOTH) {
        shift_note(w, row, REASON_SHIFT_COPIED)->key = key;
        s->hand = key;
        shift_job(w, row, SHIFT_FINISH, time_of_copy(w, key));
        return;
    }
    drop_key(w, s, key);
    struct trace_record *t =
        shift_note(w, row, before == PLACE_BOTH ? REASON_SHIFT_DROPPED : REASON_SHIFT_HANDED);
    t->key = key;
    t->operand[0] = before == PLACE_BOTH ? source : shift_count(w, s->source, s->slot);
    t->operand[1] = target;
    s->hand = NO_INDEX;
    shift_job(w, row, SHIFT_NEXT, US_PER_SECOND / s->rate);
}

/* True when the key takes time, or cannot go at all. With RULE_ATOMIC_KEY_MOVE off a large one is
 * copied like any other, and served while its bytes are on their way. */
static bool is_large(struct world *w, uint32_t row, uint32_t key)
{
    struct shift_row *s = shifts_of(w) + row;
    uint64_t bytes = bytes_of_key(w, key);
    bool too_large = bytes > SHIFT_KEY_BYTES_MAX;
    if (bytes == 0 || (!too_large && !rule_on(w->rules, RULE_ATOMIC_KEY_MOVE))) {
        return false;
    }
    struct trace_record *t =
        shift_note(w, row, too_large ? REASON_SHIFT_TOO_LARGE : REASON_SHIFT_HANDING);
    t->key = key;
    t->operand[0] = (int64_t)bytes;
    t->operand[1] = too_large ? (int64_t)SHIFT_KEY_BYTES_MAX : time_for(w, bytes);
    if (too_large) {
        s->large = key;
        shift_job(w, row, SHIFT_NEXT, US_PER_SECOND / s->rate);
    } else {
        s->hand = key;
        shift_job(w, row, SHIFT_FINISH, time_for(w, bytes));
    }
    return true;
}

static void next_key(struct world *w, uint32_t row)
{
    struct shift_row *s = shifts_of(w) + row;
    uint32_t key = shift_next_key(w, s->source, s->slot, s->cursor);
    s->hand = NO_INDEX; /* a large one may have been, when the shift was begun again */
    if (key == NO_INDEX) {
        shift_note(w, row, REASON_SHIFT_EMPTY)->operand[0] = shift_count(w, s->source, s->slot);
        shift_no_job(w, row);
        return;
    }
    s->cursor = key + 1;
    if (!is_large(w, row, key)) {
        hand_over(w, row, key);
    }
}

/* The directory hears of the claim; the source is told, and says MOVED from now on. */
static void announce(struct world *w, uint32_t row)
{
    const struct shift_row *s = shifts_in(w) + row;
    struct slot_row moved = closed(s, s->ask);
    if (!shift_row_fits(w, s->source, moved, 0, NULL)) {
        world_stop(w, STOP_ROWS); /* somebody has taken the room since the claim */
        return;
    }
    if (!shift_commit(w, row, s->target)) {
        shift_job(w, row, SHIFT_CLAIM, SHIFT_RETRY_US);
        return;
    }
    shift_table(w, s->source, moved);
    shift_free(w, row);
}

void shifts_ask_step(struct world *w, uint32_t row)
{
    struct shift_row *s = shifts_of(w) + row;
    switch ((enum shift_job)s->job) {
    case SHIFT_NEXT:
        next_key(w, row);
        return;
    case SHIFT_FINISH: {
        uint32_t key = s->hand;
        if (shift_live(w, s->source, key)) {
            hand_over(w, row, key);
        } else {
            s->hand = NO_INDEX;
            shift_job(w, row, SHIFT_NEXT, 0);
        }
        return;
    }
    case SHIFT_CLAIM:
        announce(w, row);
        return;
    case SHIFT_IDLE:
        break;
    }
    CHECK(false && "a job without a step");
}

/* --- what requests meet --- */

/* The keys that a request wants and that exist at either side, and those of them here. A key in
 * its hand-over is wanted, and at neither side. */
static void count_wanted(const struct world *w, const struct shift_row *s, uint16_t shard,
                         uint32_t key, uint32_t *wanted, uint32_t *here)
{
    bool at_source = shift_live(w, s->source, key);
    bool at_target = shift_live(w, s->target, key);
    *wanted += at_source || at_target;
    *here += shard == s->source ? at_source : at_target;
}

enum presence shifts_presence(const struct world *w, uint16_t shard, const struct request *r)
{
    uint32_t row = shift_find(w, r->slot);
    if (row == NO_ROW || shifts_in(w)[row].kind != SHIFT_ASK) {
        return KEYS_ALL;
    }
    const struct shift_row *s = shifts_in(w) + row;
    uint32_t wanted = 0;
    uint32_t here = 0;
    if (!r->many) {
        if (r->key == s->hand && shard == s->source && !shift_live(w, s->target, r->key)) {
            return KEYS_SOME;
        }
        count_wanted(w, s, shard, r->key, &wanted, &here);
        return ask_presence(wanted, here);
    }
    uint32_t beside = reads_beside(w, r);
    uint32_t count = beside == KEY_NONE_ID ? r->key : beside;
    uint8_t row_of_count = keys_in(w)[count].writes;
    for (uint32_t key = 0; key < w->keys; key++) {
        const struct key_entry *entry = keys_in(w) + key;
        bool of_count = row_of_count != 0 ? entry->writes == row_of_count : key == count;
        if (entry->slot == r->slot && (of_count || key == r->key)) {
            count_wanted(w, s, shard, key, &wanted, &here);
        }
    }
    return ask_presence(wanted, here);
}

void shifts_summed(struct world *w, uint16_t shard, const struct request *r)
{
    uint32_t row = shift_find(w, r->slot);
    if (row != NO_ROW && shifts_in(w)[row].kind == SHIFT_ASK &&
        shifts_presence(w, shard, r) == KEYS_SOME) {
        w->shifts.partial++;
    }
}

bool shifts_mislead(struct world *w, uint32_t request)
{
    const struct request *r = requests_in(w) + request;
    uint32_t row = shift_find(w, r->slot);
    if (row == NO_ROW || shifts_in(w)[row].kind != SHIFT_ASK) {
        return false;
    }
    if (*shift_misled(w, row, r->router)) {
        return true;
    }
    *shift_misled(w, row, r->router) = 1;
    w->shifts.misled++;
    struct trace_record *t = shift_note(w, row, REASON_SHIFT_MISLED);
    t->from = node_of(NODE_ROUTER, r->router);
    t->to = node_of(NODE_NONE, 0);
    t->operand[0] = shifts_in(w)[row].target;
    t->operand[1] = routers_in(w)[r->router].map_version;
    return true;
}

void shifts_map_came(struct world *w, uint16_t router)
{
    for (uint32_t row = 0; row < w->config.moves_max; row++) {
        uint8_t *misled = shift_misled(w, row, router);
        w->shifts.misled -= *misled;
        *misled = 0;
    }
}
