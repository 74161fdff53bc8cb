/*
 * invariant: walks the tables and compares; no bookkeeping of its own.
 *
 * A slot has exactly one row that is owned or migrating, and it agrees with the plan: shown by
 * marking slots in a bitmap (no slot twice) and counting those that agree (all of them).
 */
#include "engine/invariant.h"

#include "engine/store.h"
#include "engine/table.h"
#include <inttypes.h>

struct marks {
    uint64_t word[65536 / 64];
};

static bool mark(struct marks *marks, uint32_t slot)
{
    uint64_t bit = UINT64_C(1) << slot % 64;
    bool fresh = (marks->word[slot / 64] & bit) == 0;
    marks->word[slot / 64] |= bit;
    return fresh;
}

static bool owners_hold(const struct world *w, struct err *err)
{
    struct marks marks = {0};
    uint32_t agree = 0;
    for (uint16_t shard = 0; shard < w->shards; shard++) {
        for (uint32_t i = 0; i < shards_in(w)[shard].rows; i++) {
            const struct slot_row *row = table_rows_in(w, shard) + i;
            if (row->state != SLOT_OWNED && row->state != SLOT_MIGRATING) {
                continue;
            }
            for (uint32_t slot = row->first; slot <= row->last; slot++) {
                if (!mark(&marks, slot)) {
                    return err_set(err,
                                   "one-owner: S%u says \"owned\" for slot %u, and so does another",
                                   shard, slot);
                }
                if (owners_in(w)[slot] != shard || epochs_in(w)[slot] != row->epoch) {
                    return err_set(
                        err,
                        "plan-owner: S%u holds slot %u at epoch %u, the plan says S%u at "
                        "epoch %u",
                        shard, slot, row->epoch, owners_in(w)[slot], epochs_in(w)[slot]);
                }
                agree++;
            }
        }
    }
    if (agree != w->config.slots) {
        return err_set(err,
                       "plan-owner: %u slots have an owner in the plan that has no row for them",
                       w->config.slots - agree);
    }
    return true;
}

static bool keys_hold(const struct world *w, struct err *err)
{
    for (uint32_t i = 0; i < w->keys; i++) {
        const struct key_entry *key = keys_in(w) + i;
        uint16_t owner = owners_in(w)[key->slot];
        uint64_t lost = world_lost(w, i);
        if (lost > 0) {
            return err_set(err,
                           "nothing-lost: %" PRIu64 " acknowledged likes of %.*s are not in the "
                           "store of its owner S%u",
                           lost, key->length, key->text, owner);
        }
        uint64_t held = store_value(w, owner, i);
        uint64_t due = key->acked + key->flying + key->stray_flying;
        if (held != due) {
            return err_set(err,
                           "conservation: S%u holds %" PRIu64 " likes of %.*s, but %" PRIu64
                           " were acknowledged or are being",
                           owner, held, key->length, key->text, due);
        }
    }
    return true;
}

bool invariant_hold(const struct world *w, struct err *err)
{
    for (uint32_t i = 0; i < w->config.routers; i++) {
        uint32_t version = routers_in(w)[i].map_version;
        if (version > w->map_version) {
            return err_set(err, "epochs-rise: R%u holds map v%u, the directory only v%u", i,
                           version, w->map_version);
        }
    }
    return owners_hold(w, err) && keys_hold(w, err);
}
