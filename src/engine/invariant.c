/*
 * invariant: walks the tables and compares; no bookkeeping of its own.
 *
 * A row that lets its shard accept writes agrees with the plan, and each slot has one: shown by
 * counting those that agree, since the plan names one owner a slot. Promises about events were
 * noted when they were broken (promise.h). Each module looks after its own.
 */
#include "engine/invariant.h"

#include "engine/store.h"
#include "engine/table.h"
#include <inttypes.h>

static bool promises_hold(const struct world *w, struct err *err)
{
    const struct broken_promise *b = &w->broken;
    switch ((enum promise)b->promise) {
    case PROMISE_NONE:
        return true;
    case PROMISE_READ_ALL_ACKED:
        return err_set(err,
                       "read-all-acked: request %" PRIu64 " read %" PRId64 " where %" PRId64
                       " were acknowledged, or read by others, before it was asked",
                       b->request, b->found, b->due);
    case PROMISE_READ_ONLY_LIKES:
        return err_set(err,
                       "read-only-likes: request %" PRIu64 " read %" PRId64 ", but only %" PRId64
                       " likes were ever applied",
                       b->request, b->found, b->due);
    case PROMISE_MOVED_TEACHES:
        return err_set(err,
                       "moved-teaches: request %" PRIu64 " asked by epoch %" PRId64
                       " and was sent away by a row of epoch %" PRId64
                       ": it could go round for ever",
                       b->request, b->due, b->found);
    case PROMISE_EPOCH_RISES:
        return err_set(err,
                       "epochs-rise: a slot table's row of epoch %" PRId64
                       " gave way to one of epoch %" PRId64,
                       b->due, b->found);
    case PROMISE_AFTER_WRITE:
        return err_set(err,
                       "after-write: request %" PRIu64 " came after its router had seen a write "
                       "completed, and was given what was asked for %" PRId64 " us before that",
                       b->request, b->due - b->found);
    case PROMISE_ONE_FETCH:
        return err_set(err,
                       "one-fetch: request %" PRIu64 " made its router fetch what it was fetching "
                       "already",
                       b->request);
    case PROMISE_AGE:
        return err_set(err,
                       "bounded-age: request %" PRIu64 " was answered with a value %" PRId64
                       " us old, where %" PRId64 " us are promised",
                       b->request, b->found, b->due);
    case PROMISE_SLOT_ONCE:
    case PROMISE_MARKED:
    case PROMISE_DEADLINE:
        return queries_broke(b, err);
    case PROMISE_COUNT:
        break;
    }
    CHECK(false && "no such promise");
    return false;
}

/* The target of a slot that moves key by key has claimed it, and the directory will hear of it. */
static bool claims(const struct world *w, const struct slot_row *row, uint32_t slot)
{
    const struct slot_row *old = table_find(w, owners_in(w)[slot], slot);
    return row->state == SLOT_OWNED && row->epoch == epochs_in(w)[slot] + 1 && old != NULL &&
           old->state == SLOT_LEAVING;
}

/* Whether a row that does not agree with the plan is on its way from or to it: the source of a
 * move that has committed, which is fenced and will hear of it; a target that will. */
static bool lags(const struct world *w, const struct slot_row *row, uint32_t slot)
{
    return row->state == SLOT_MIGRATING ? row->epoch < epochs_in(w)[slot] : claims(w, row, slot);
}

/* A row says that its shard may accept writes, and the plan says otherwise. */
static bool disagrees(const struct world *w, uint16_t shard, const struct slot_row *row,
                      uint32_t slot, struct err *err)
{
    uint16_t owner = owners_in(w)[slot];
    const struct slot_row *other = owner == shard ? NULL : table_find(w, owner, slot);
    const char *state = slot_state_name((enum slot_state)row->state);
    if (other != NULL && (other->state == SLOT_OWNED || other->state == SLOT_LEAVING)) {
        return err_set(err, "one-owner: S%u says \"%s\" for slot %u, and so does S%u", shard, state,
                       slot, owner);
    }
    return err_set(err,
                   "plan-owner: S%u says \"%s\" for slot %u at epoch %u, the plan says S%u at "
                   "epoch %u",
                   shard, state, slot, row->epoch, owner, epochs_in(w)[slot]);
}

/* Counts the slots of a row that the plan gives to its shard as the row says. */
static bool row_holds(const struct world *w, uint16_t shard, const struct slot_row *row,
                      uint32_t *agree, struct err *err)
{
    const uint16_t *owners = owners_in(w);
    const uint32_t *epochs = epochs_in(w);
    bool waits = row->state == SLOT_RECEIVING; /* a move commits though its target is down */
    uint32_t same = 0;
    for (uint32_t slot = row->first; slot <= row->last; slot++) { /* most often: all */
        same += (uint32_t)(owners[slot] == shard) & (uint32_t)(epochs[slot] == row->epoch);
    }
    if (!waits && same == row->last - row->first + 1u) {
        *agree += same;
        return true;
    }
    for (uint32_t slot = row->first; slot <= row->last; slot++) {
        bool mine = owners[slot] == shard;
        if (mine && (waits ? row->epoch < epochs[slot] : row->epoch == epochs[slot])) {
            ++*agree;
        } else if (!waits && !lags(w, row, slot)) {
            return disagrees(w, shard, row, slot, err);
        }
    }
    return true;
}

/* Each slot has its owner in the plan; so no two rows that agree with it are of one slot. */
static bool owners_hold(const struct world *w, struct err *err)
{
    const uint32_t says_who =
        1u << SLOT_OWNED | 1u << SLOT_MIGRATING | 1u << SLOT_LEAVING | 1u << SLOT_RECEIVING;
    uint32_t agree = 0;
    for (uint16_t shard = 0; shard < w->shards; shard++) {
        const struct slot_row *row = table_rows_in(w, shard);
        const struct slot_row *end = row + shards_in(w)[shard].rows;
        for (; row < end; row++) {
            if ((says_who >> row->state & 1) != 0 && !row_holds(w, shard, row, &agree, err)) {
                return false;
            }
        }
    }
    return agree == w->config.slots ||
           err_set(err, "plan-owner: %u slots have an owner in the plan that has no row for them",
                   w->config.slots - agree);
}

static bool keys_hold(const struct world *w, struct err *err)
{
    for (uint32_t i = 0; i < w->keys; i++) {
        const struct key_entry *key = keys_in(w) + i;
        if ((key->writes | key->account) != 0) {
            continue; /* writes_hold and accounts_hold know what is due */
        }
        uint16_t at = store_home(w, i);
        uint64_t held = store_value(w, at, i);
        uint64_t due = key->acked + key->flying + key->stray_flying + key->unknown;
        if (held == due) {
            continue;
        }
        if (held < key->acked + key->flying) {
            return err_set(err,
                           "nothing-lost: %" PRIu64 " acknowledged likes of %.*s are not in the "
                           "store of its owner S%u",
                           key->acked + key->flying - held, key->length, key->text, at);
        }
        return err_set(
            err, "conservation: S%u holds %" PRIu64 " likes of %.*s, but %" PRIu64 " were applied",
            at, held, key->length, key->text, due);
    }
    return true;
}

static bool routers_hold(const struct world *w, struct err *err)
{
    for (uint32_t i = 0; i < w->config.routers; i++) {
        uint32_t version = routers_in(w)[i].map_version;
        if (version > w->map_version) {
            return err_set(err, "epochs-rise: R%u holds map v%u, the directory only v%u", i,
                           version, w->map_version);
        }
    }
    return true;
}

bool invariant_hold(const struct world *w, struct err *err)
{
    return promises_hold(w, err) && routers_hold(w, err) && owners_hold(w, err) &&
           keys_hold(w, err) && (w->moves.count == 0 || moves_hold(w, err)) &&
           (w->shifts.count == 0 || shifts_hold(w, err)) &&
           (w->queries.count == 0 || queries_hold(w, err)) &&
           (w->txns.count == 0 || txns_hold(w, err)) &&
           (w->indexes.count == 0 || indexes_hold(w, err)) &&
           (w->nodes.count == 0 || nodes_hold(w, err)) &&
           (w->copies.count == 0 || copies_hold(w, err)) &&
           (w->quorums.count == 0 || quorums_hold(w, err)) &&
           (w->watch.count == 0 || watch_hold(w, err)) &&
           (w->fleet.count == 0 || fleet_hold(w, err)) &&
           (w->systems.count == 0 || systems_hold(w, err)) &&
           (w->writes.count == 0 || writes_hold(w, err)) &&
           (w->accounts.count == 0 || accounts_hold(w, err));
}
