/*
 * apply_move: slots change hands, or are held.
 *
 * COMMAND_MOVE is an operator's shortcut: data, plan and both slot tables change in one instant;
 * requests under way then meet the new tables. The runs of slots that have one owner and epoch are
 * handled one by one, since each goes to its own next epoch; the map version rises by one.
 */
#include "engine/apply.h"

#include "base/alloc.h"
#include "engine/directory.h"
#include "engine/moves/moves_inside.h"
#include "engine/store.h"
#include "engine/table.h"
#include <stdlib.h>
#include <string.h>

/* All slot tables, to be put back when a change turns out not to fit. */
struct tables {
    struct slot_row *rows;
    uint32_t *counts;
    uint32_t position; /* queries.h */
};

static size_t rows_bytes(const struct world *w)
{
    return (size_t)w->config.shards_max * w->config.rows_max * sizeof(struct slot_row);
}

static struct tables tables_keep(const struct world *w)
{
    struct tables kept = {.rows = xmalloc(rows_bytes(w)),
                          .counts = xcalloc(w->shards, sizeof(uint32_t)),
                          .position = w->queries.position};
    memcpy(kept.rows, rows_in(w), rows_bytes(w));
    for (uint32_t i = 0; i < w->shards; i++) {
        kept.counts[i] = shards_in(w)[i].rows;
    }
    return kept;
}

static void tables_end(struct world *w, struct tables *kept, bool put_back)
{
    if (put_back) {
        queries_untable(w, kept->position);
        memcpy(rows_of(w), kept->rows, rows_bytes(w));
        for (uint32_t i = 0; i < w->shards; i++) {
            shards_of(w)[i].rows = kept->counts[i];
        }
    }
    free(kept->rows);
    free(kept->counts);
}

/* A live move holds its slot until both tables follow the directory. */
static bool slots_rest(const struct world *w, const struct command *c, struct err *err)
{
    if (!shifts_allow(w, c->first, c->last, err)) {
        return false;
    }
    uint32_t busy = moves_busy(w, c->first, c->last);
    if (busy != NO_INDEX) {
        return err_set(err, "slot %u is on its way to another shard; end that first: abort %u",
                       busy, busy);
    }
    return true;
}

/* Refuses a move that cannot be, or for which some table but the slot tables has no room. */
static bool move_fits(const struct world *w, const struct command *c, struct err *err)
{
    if (!faults_directory_up(w, err) || !slots_rest(w, c, err)) {
        return false;
    }
    uint32_t runs = 0;
    for (uint32_t slot = c->first, end; slot <= c->last; slot = end + 1) {
        end = directory_run_end(w, slot, c->last);
        uint16_t owner = owners_in(w)[slot];
        if (owner == c->shard) {
            continue;
        }
        runs++;
        if (epochs_in(w)[slot] == UINT32_MAX) {
            return err_set(err, "slot %u is at its last epoch and cannot move again", slot);
        }
        for (uint32_t at = slot; at <= end;) {
            const struct slot_row *row = table_find(w, owner, at);
            if (row != NULL && row->state == SLOT_MIGRATING) {
                return err_set(err,
                               "slot %u is frozen at S%u; end that first: freeze %u-%u S%u off", at,
                               owner, row->first, row->last, owner);
            }
            at = row == NULL ? at + 1 : row->last + 1u;
        }
    }
    if (runs == 0) {
        return err_set(err, "S%u owns all of slots %u-%u already", c->shard, c->first, c->last);
    }
    if (runs > directory_change_room(w)) {
        return err_set(err,
                       "the directory remembers %u changes, too few with routers this far behind; "
                       "let the stale ones reload first",
                       w->config.changes_max);
    }
    if (w->map_version == UINT32_MAX) {
        return err_set(err, "the map is at its last version and cannot change again");
    }
    uint32_t anew = 0;
    for (uint32_t key = 0; key < w->keys; key++) {
        uint16_t slot = keys_in(w)[key].slot;
        anew += slot >= c->first && slot <= c->last && owners_in(w)[slot] != c->shard &&
                store_find(w, owners_in(w)[slot], key) != NULL &&
                store_find(w, c->shard, key) == NULL;
    }
    if (anew > w->config.store_max - w->store_used) {
        return err_set(err, "the shards have room for %u counters; this move needs %u more",
                       w->config.store_max, anew - (w->config.store_max - w->store_used));
    }
    return apply_event_room(w, w->config.routers, err);
}

/* Both tables of every run. False, half done, when a table is full: `full` says whose. */
static bool move_tables(struct world *w, const struct command *c, uint16_t *full)
{
    for (uint32_t slot = c->first, end; slot <= c->last; slot = end + 1) {
        end = directory_run_end(w, slot, c->last);
        uint16_t owner = owners_in(w)[slot];
        if (owner == c->shard) {
            continue;
        }
        struct slot_row row = {.first = (uint16_t)slot,
                               .last = (uint16_t)end,
                               .other = c->shard,
                               .state = SLOT_MOVED,
                               .epoch = epochs_in(w)[slot] + 1};
        *full = owner;
        if (!table_set(w, owner, &row)) {
            return false;
        }
        row.other = SHARD_NONE;
        row.state = SLOT_OWNED;
        *full = c->shard;
        if (!table_set(w, c->shard, &row)) {
            return false;
        }
    }
    return true;
}

/* The target's counters become the owners'; the owners keep their old copies, as a source does. */
static void move_data(struct world *w, const struct command *c)
{
    for (uint32_t key = 0; key < w->keys; key++) {
        uint16_t slot = keys_in(w)[key].slot;
        uint16_t owner = owners_in(w)[slot];
        if (slot < c->first || slot > c->last || owner == c->shard) {
            continue;
        }
        copy_image(w, key, owner, c->shard);
    }
}

bool apply_move(struct world *w, const struct command *c, struct err *err)
{
    if (!apply_shard_exists(w, c->shard, err) || !apply_slots_exist(w, c, err) ||
        !move_fits(w, c, err)) {
        return false;
    }
    struct tables kept = tables_keep(w);
    uint16_t full = 0;
    bool fits = move_tables(w, c, &full);
    tables_end(w, &kept, !fits);
    if (!fits) {
        return err_set(err, "the slot table of S%u has room for %u rows, too few for this move",
                       full, w->config.rows_max);
    }
    move_data(w, c);
    apply_note(w, c, KEY_NONE_ID, node_of(NODE_SHARD, c->shard), c->first, c->last);
    directory_next_version(w);
    for (uint32_t slot = c->first, end; slot <= c->last; slot = end + 1) {
        end = directory_run_end(w, slot, c->last);
        uint16_t owner = owners_in(w)[slot];
        if (owner == c->shard) {
            continue;
        }
        struct slot_row row = {.first = (uint16_t)slot,
                               .last = (uint16_t)end,
                               .other = c->shard,
                               .state = SLOT_MOVED,
                               .epoch = epochs_in(w)[slot] + 1};
        moves_forget(w, slot, end);
        directory_change(w, slot, end, c->shard);
        table_note(w, owner, &row);
        row.other = SHARD_NONE;
        row.state = SLOT_OWNED;
        table_note(w, c->shard, &row);
    }
    directory_push(w);
    return true;
}

/* Changes the rows of c->shard within the range from one state to the other; how many slots.
 * False in *fits when the table is full, half done. */
static uint32_t turn_rows(struct world *w, const struct command *c, bool *fits)
{
    enum slot_state from = c->on ? SLOT_OWNED : SLOT_MIGRATING;
    uint32_t turned = 0;
    *fits = true;
    for (uint32_t slot = c->first; slot <= c->last;) {
        const struct slot_row *found = table_find(w, c->shard, slot);
        if (found == NULL) {
            slot++;
            continue;
        }
        struct slot_row row = *found;
        row.first = (uint16_t)slot;
        row.last = row.last < c->last ? row.last : (uint16_t)c->last;
        slot = row.last + 1u;
        if (row.state != from) {
            continue;
        }
        row.state = c->on ? SLOT_MIGRATING : SLOT_OWNED;
        turned += row.last - row.first + 1u;
        if (!table_set(w, c->shard, &row)) {
            *fits = false;
            return turned;
        }
    }
    return turned;
}

bool apply_freeze(struct world *w, const struct command *c, struct err *err)
{
    if (!apply_shard_exists(w, c->shard, err) || !apply_slots_exist(w, c, err) ||
        !slots_rest(w, c, err)) {
        return false;
    }
    struct tables kept = tables_keep(w);
    bool fits = true;
    uint32_t turned = turn_rows(w, c, &fits);
    tables_end(w, &kept, !fits);
    if (!fits) {
        return err_set(err, "the slot table of S%u has room for %u rows, too few for this",
                       c->shard, w->config.rows_max);
    }
    if (turned == 0) {
        return err_set(err, "S%u has no slot of %u-%u that is %s", c->shard, c->first, c->last,
                       c->on ? "owned" : "migrating");
    }
    apply_note(w, c, KEY_NONE_ID, node_of(NODE_SHARD, c->shard), c->first, c->last);
    enum slot_state state = c->on ? SLOT_MIGRATING : SLOT_OWNED;
    for (uint32_t slot = c->first; slot <= c->last;) {
        const struct slot_row *row = table_find(w, c->shard, slot);
        if (row != NULL && row->state == state) {
            table_note(w, c->shard, row);
        }
        slot = row == NULL ? slot + 1 : row->last + 1u;
    }
    return true;
}
