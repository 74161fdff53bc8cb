/*
 * shifts_switch: the commands of dual writes: on, backfill, reads switch and come back, done.
 */
#include "engine/shifts/shifts_inside.h"

#include "engine/apply.h"
#include "engine/directory.h"
#include "engine/store.h"
#include <inttypes.h>

static uint32_t newest_version(const struct world *w, uint16_t shard, uint32_t slot)
{
    uint32_t newest = 0;
    for (uint32_t key = 0; key < w->keys; key++) {
        if (keys_in(w)[key].slot == slot) {
            uint32_t version = shift_version(w, shard, key);
            newest = version > newest ? version : newest;
        }
    }
    return newest;
}

/* No key of the slot is treated in a way that writes something other than edits and likes. */
static bool keys_fit(const struct world *w, uint32_t slot, struct err *err)
{
    for (uint32_t key = 0; key < w->keys; key++) {
        const struct key_entry *entry = keys_in(w) + key;
        if (entry->slot == slot && (entry->account != 0 || entry->index != 0)) {
            return err_set(err,
                           "%.*s of slot %u is an account or has an index; only edits can be "
                           "written twice",
                           entry->length, entry->text, slot);
        }
    }
    return true;
}

static uint32_t new_row(struct world *w, const struct command *c, struct err *err)
{
    if (c->first < w->config.slots && !keys_fit(w, c->first, err)) {
        return NO_ROW;
    }
    uint32_t row = shift_new(w, c, SHIFT_DUAL, err);
    if (row != NO_ROW) {
        struct shift_row *s = shifts_of(w) + row;
        s->version = newest_version(w, s->source, s->slot);
    }
    return row;
}

static bool is_ours(const struct shift_row *s, const struct command *c)
{
    return s->kind == SHIFT_DUAL && s->target == c->shard && c->first == c->last;
}

static bool apply_on(struct world *w, const struct command *c, struct err *err)
{
    uint32_t row = shift_find(w, c->first);
    if (row != NO_ROW && !is_ours(shifts_in(w) + row, c)) {
        return shifts_allow(w, c->first, c->first, err);
    }
    bool fresh = row == NO_ROW;
    row = fresh ? new_row(w, c, err) : row;
    if (row == NO_ROW) {
        return false;
    }
    struct shift_row *s = shifts_of(w) + row;
    if (fresh || s->dual.phase == DUAL_SINGLE) {
        s->since = w->last_number;
    }
    if (s->dual.phase == DUAL_SINGLE) {
        dual_write_both(&s->dual);
    }
    s->parallel = c->pick != 0;
    apply_note(w, c, KEY_NONE_ID, node_of(NODE_SHARD, c->shard), c->mode, c->pick);
    return true;
}

static bool apply_backfill(struct world *w, const struct command *c, struct err *err)
{
    uint32_t row = shift_find(w, c->first);
    if (row != NO_ROW && !is_ours(shifts_in(w) + row, c)) {
        return shifts_allow(w, c->first, c->first, err);
    }
    if (c->rate < 1 || c->rate > SHIFT_RATE_MAX) {
        return err_set(err, "a backfill takes 1 to %u keys a second", SHIFT_RATE_MAX);
    }
    struct dual_core single = dual_begin(false);
    const struct dual_core *core = row == NO_ROW ? &single : &shifts_in(w)[row].dual;
    if (!dual_may_backfill(core, w->rules)) {
        return err_set(err,
                       "slot %u is not written to both yet, and what is written after the backfill "
                       "reads it would be missing at S%u; dual %u S%u first (rule "
                       "dual-before-backfill)",
                       c->first, c->shard, c->first, c->shard);
    }
    if (!apply_event_room(w, 1, err)) {
        return false;
    }
    row = row == NO_ROW ? new_row(w, c, err) : row;
    if (row == NO_ROW) {
        return false;
    }
    struct shift_row *s = shifts_of(w) + row;
    s->rate = c->rate;
    s->where_nothing = c->pick != 0;
    s->cursor = 0;
    s->begun = 0;
    s->dual.filled = 0;
    s->hand = NO_INDEX;
    s->carried = 0;
    apply_note(w, c, KEY_NONE_ID, node_of(NODE_SHARD, c->shard), c->mode, c->rate);
    shift_job(w, row, SHIFT_NEXT, 0);
    return true;
}

static bool apply_stop(struct world *w, const struct command *c, uint32_t row, struct err *err)
{
    struct shift_row *s = shifts_of(w) + row;
    if (!dual_may_drop(&s->dual)) {
        return err_set(err,
                       "reads of slot %u go to S%u already; switch %u done ends it, switch %u back "
                       "takes them back",
                       s->slot, s->target, s->slot, s->slot);
    }
    struct dual_core dropped = s->dual;
    dual_drop(&dropped);
    struct slot_row absent = shift_row_of(s->slot, (enum slot_state)dropped.target, 0, SHARD_NONE);
    if (!shift_row_fits(w, s->target, absent, 0, err)) {
        return false;
    }
    s->dual = dropped;
    apply_note(w, c, KEY_NONE_ID, node_of(NODE_SHARD, s->target), c->mode, 0);
    for (uint32_t key = 0; key < w->keys; key++) {
        if (keys_in(w)[key].slot == s->slot && store_find(w, s->target, key) != NULL) {
            struct store_entry *copy = store_put(w, s->target, key);
            copy->edits = 0;
            store_set_gone(w, copy, true);
        }
    }
    shift_table(w, s->target, absent);
    shift_free(w, row);
    return true;
}

static uint32_t row_of_command(const struct world *w, const struct command *c, struct err *err)
{
    uint32_t row = shift_find(w, c->first);
    if (row == NO_ROW || shifts_in(w)[row].kind != SHIFT_DUAL || c->first != c->last) {
        err_set(err, "slot %u is not written twice", c->first);
        return NO_ROW;
    }
    return row;
}

bool shifts_dual_apply(struct world *w, const struct command *c, struct err *err)
{
    if (c->mode == DUAL_MODE_ON) {
        return apply_on(w, c, err);
    }
    if (c->mode == DUAL_MODE_BACKFILL) {
        return apply_backfill(w, c, err);
    }
    uint32_t row = row_of_command(w, c, err);
    return row != NO_ROW && apply_stop(w, c, row, err);
}

/* --- the switch --- */

/* `owner`: the shard that answers reads now. */
static bool no_counts(const struct world *w, const struct shift_row *s, uint16_t owner,
                      struct err *err)
{
    for (uint32_t key = 0; key < w->keys; key++) {
        const struct key_entry *entry = keys_in(w) + key;
        if (entry->slot == s->slot && store_value(w, owner, key) > 0) {
            return err_set(err,
                           "%.*s is a count: a like has no version, so it went to S%u alone, and "
                           "reads of slot %u cannot switch",
                           entry->length, entry->text, owner, s->slot);
        }
    }
    return true;
}

static bool alike(const struct world *w, const struct shift_row *s, bool back, struct err *err)
{
    uint32_t key = NO_INDEX;
    uint32_t differ = shift_differ(w, s, &key);
    bool may = back ? dual_may_return(&s->dual, w->rules, differ == 0)
                    : dual_may_switch(&s->dual, w->rules, differ == 0);
    if (may) {
        return true;
    }
    if (back && s->dual.phase != DUAL_SWITCHED) {
        return err_set(err, "reads of slot %u have not switched: S%u answers them", s->slot,
                       s->source);
    }
    if (!back && s->dual.phase != DUAL_WRITING) {
        return err_set(err, "slot %u is %s, so its reads cannot switch now", s->slot,
                       dual_phase_name((enum dual_phase)s->dual.phase));
    }
    if (differ == 0) {
        return err_set(err,
                       "no backfill of slot %u has gone over all keys yet (rule "
                       "compare-before-switch)",
                       s->slot);
    }
    const struct key_entry *entry = keys_in(w) + key;
    return err_set(err,
                   "slot %u is not the same at both: %.*s is v%u at S%u and v%u at S%u (keys that "
                   "differ: %u; rule compare-before-switch)",
                   s->slot, entry->length, entry->text, shift_version(w, s->source, key), s->source,
                   shift_version(w, s->target, key), s->target, differ);
}

static bool apply_reads(struct world *w, const struct command *c, uint32_t row, struct err *err)
{
    struct shift_row *s = shifts_of(w) + row;
    bool back = c->mode == SWITCH_MODE_BACK;
    uint16_t from = back ? s->target : s->source;
    uint16_t to = back ? s->source : s->target;
    if (!keys_fit(w, s->slot, err) || !alike(w, s, back, err) || !no_counts(w, s, from, err) ||
        !apply_event_room(w, w->config.routers, err)) {
        return false;
    }
    if (!faults_directory_up(w, err)) {
        return false;
    }
    if (directory_change_room(w) == 0) {
        return err_set(err,
                       "the directory remembers %u changes, too few with routers this far behind; "
                       "let the stale ones reload first",
                       w->config.changes_max);
    }
    if (epochs_in(w)[s->slot] == UINT32_MAX) {
        return err_set(err, "slot %u is at its last epoch and cannot switch again", s->slot);
    }
    struct dual_core next = s->dual;
    (back ? dual_return : dual_switch)(&next);
    uint32_t epoch = epochs_in(w)[s->slot] + 1;
    struct slot_row owned = shift_row_of(
        s->slot, (enum slot_state)(back ? next.source : next.target), epoch, SHARD_NONE);
    struct slot_row second =
        shift_row_of(s->slot, (enum slot_state)(back ? next.target : next.source), epoch, to);
    if (!shift_map_fits(w, 0, err) || !shift_row_fits(w, to, owned, 0, err) ||
        !shift_row_fits(w, from, second, 0, err)) {
        return false;
    }
    apply_note(w, c, KEY_NONE_ID, node_of(NODE_SHARD, to), c->mode, from);
    s->dual = next;
    CHECK(shift_commit(w, row, to));
    shift_table(w, to, owned);
    shift_table(w, from, second);
    return true;
}

static bool apply_done(struct world *w, const struct command *c, uint32_t row, struct err *err)
{
    struct shift_row *s = shifts_of(w) + row;
    if (!dual_may_end(&s->dual)) {
        return err_set(err, "reads of slot %u still go to S%u; switch %u reads first", s->slot,
                       s->source, s->slot);
    }
    struct dual_core ended = s->dual;
    dual_end(&ended);
    struct slot_row moved =
        shift_row_of(s->slot, (enum slot_state)ended.source, epochs_in(w)[s->slot], s->target);
    if (!shift_row_fits(w, s->source, moved, 0, err)) {
        return false;
    }
    apply_note(w, c, KEY_NONE_ID, node_of(NODE_SHARD, s->source), c->mode, s->target);
    s->dual = ended;
    shift_table(w, s->source, moved);
    shift_free(w, row);
    return true;
}

bool shifts_switch_apply(struct world *w, const struct command *c, struct err *err)
{
    uint32_t row = row_of_command(w, c, err);
    if (row == NO_ROW) {
        return false;
    }
    return c->mode == SWITCH_MODE_DONE ? apply_done(w, c, row, err) : apply_reads(w, c, row, err);
}
