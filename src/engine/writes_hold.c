/*
 * writes_hold: how a treated count stands, and what must be true of it.
 */
#include "engine/writes_inside.h"

#include "place/key.h"
#include <inttypes.h>

static uint64_t frozen_sum(const struct hot_write *row)
{
    uint64_t sum = row->past;
    for (uint32_t i = 0; i < COUNT_PARTS; i++) {
        sum += row->live[i] ? 0 : row->frozen[i];
    }
    return sum;
}

/* What all sub-keys hold, the correction apart. */
static uint64_t held_sum(const struct world *w, const struct hot_write *row)
{
    uint64_t sum = row->past;
    for (uint32_t i = 0; i < COUNT_PARTS; i++) {
        sum += part_sum(w, row, (enum count_part)i);
    }
    return sum;
}

/* Sent by this router, and not in its sub-key yet. */
static uint64_t on_way(const struct world *w, const struct write_spot *spot)
{
    if (spot->key == KEY_NONE_ID) {
        return 0;
    }
    uint64_t held = held_at_owner(w, spot->key);
    if (spot->sender.phase != FLUSH_READY) {
        return spot->before - held;
    }
    bool open = spot->flights > 0 || spot->answered != spot->sender.sequence;
    return open ? spot->sender.total - held : 0;
}

uint32_t writes_count_of(const struct world *w, uint32_t key)
{
    return hot_write_in_key(w, key)->key;
}

bool writes_count(const struct world *w, uint32_t key, struct count_info *out)
{
    CHECK(key < w->keys);
    if (keys_in(w)[key].writes == 0 || hot_write_in_key(w, key)->key != key) {
        return false;
    }
    const struct hot_write *row = hot_write_in_key(w, key);
    *out = (struct count_info){
        .mode = (enum writes_mode)row->mode,
        .place = (enum salt_place)row->place,
        .pick = (enum salt_pick)row->pick,
        .way = (enum flush_way)row->way,
        .salts = row->salts,
        .salts_ever = row->most,
        .window_us = row->window_us,
        .durable = row->summed + row->direct,
        .told = row->told,
        .unheard = row->unheard,
        .doubled = row->doubled,
        .forgotten = row->forgotten,
        .frozen_sum = frozen_sum(row),
        .rebuilding = row->rebuilding,
    };
    uint64_t fix = held_at_owner(w, row->fix);
    out->fix = (int64_t)fix;
    out->shown = held_sum(w, row) + fix;
    for (uint32_t i = 0; i < COUNT_PARTS; i++) {
        out->frozen[i] = !row->live[i];
    }
    for (uint16_t i = 0; i < w->config.routers; i++) {
        const struct write_spot *spot = write_spot_in(w, row, i);
        out->buffered += spot->sender.buffer;
        out->on_way += on_way(w, spot);
        out->lost += spot->lost;
    }
    return true;
}

uint64_t writes_buffered(const struct world *w, uint32_t key, uint16_t router)
{
    CHECK(key < w->keys && router < w->config.routers);
    return keys_in(w)[key].writes == 0
               ? 0
               : write_spot_in(w, hot_write_in_key(w, key), router)->sender.buffer;
}

/* --- invariants --- */

static bool breaks(const struct world *w, const struct hot_write *row, const char *invariant,
                   uint64_t due, uint64_t found, struct err *err)
{
    struct bytes key = world_key(w, row->key);
    return err_set(err, "%s: of the count %.*s, %" PRIu64 " were expected and %" PRIu64 " found",
                   invariant, (int)key.length, key.at, due, found);
}

static bool likes_hold(const struct world *w, const struct hot_write *row, struct err *err)
{
    struct count_info info = {0};
    uint64_t unstored = 0;
    CHECK(writes_count(w, row->key, &info));
    for (uint16_t i = 0; i < w->config.routers; i++) {
        unstored += write_spot_in(w, row, i)->unstored;
    }
    if (info.forgotten > 0) {
        return breaks(w, row, "durable-first", 0, info.forgotten, err);
    }
    uint64_t due = info.durable + unstored + info.doubled;
    uint64_t found =
        info.shown - (uint64_t)info.fix + info.buffered + info.on_way + info.lost + info.unheard;
    if (found != due) {
        return breaks(w, row, "conservation", due, found, err);
    }
    if (info.shown > due) {
        return breaks(w, row, "no-overshoot", due, info.shown, err);
    }
    return true;
}

static bool flushes_hold(const struct world *w, const struct hot_write *row, struct err *err)
{
    for (uint16_t i = 0; i < w->config.routers; i++) {
        const struct write_spot *spot = write_spot_in(w, row, i);
        if (spot->key == KEY_NONE_ID) {
            continue;
        }
        bool ready = spot->sender.phase == FLUSH_READY;
        uint64_t held = held_at_owner(w, spot->key);
        uint64_t sent = ready ? spot->sender.total : spot->before;
        if (held > sent) {
            return breaks(w, row, "flush-order", sent, held, err);
        }
        const struct store_entry *entry =
            store_find(w, owners_in(w)[slot_of_key(w, spot->key)], spot->key);
        if (ready && entry != NULL && entry->sequence > spot->sender.sequence) {
            return breaks(w, row, "flush-order", spot->sender.sequence, entry->sequence, err);
        }
    }
    return true;
}

/* What a sub-key that takes likes holds: all that were acknowledged, of its own row. */
static bool key_holds(const struct world *w, const struct hot_write *row, uint32_t key,
                      struct err *err)
{
    const struct key_entry *entry = keys_in(w) + key;
    if (entry->writes != hot_write_index(w, row) + 1) {
        return breaks(w, row, "salts-placed", hot_write_index(w, row) + 1, entry->writes, err);
    }
    uint64_t held = held_at_owner(w, key);
    return held >= entry->acked || breaks(w, row, "nothing-lost", entry->acked, held, err);
}

static bool parts_hold(const struct world *w, const struct hot_write *row, struct err *err)
{
    for (uint32_t i = 0; i < COUNT_PARTS; i++) {
        uint64_t now = row->live[i] ? 0 : part_sum(w, row, (enum count_part)i);
        if (!row->live[i] && now != row->frozen[i]) {
            return breaks(w, row, "frozen", row->frozen[i], now, err);
        }
    }
    if (!key_holds(w, row, row->key, err)) {
        return false;
    }
    struct bytes key = world_key(w, row->key);
    struct bytes tag = key_tag(key);
    for (uint32_t i = 0; i < row->most; i++) {
        bool together = row->place == SALT_OUTSIDE && tag.length < key.length;
        if (!key_holds(w, row, row->salt[i], err)) {
            return false;
        }
        if (together && slot_of_key(w, row->salt[i]) != slot_of_key(w, row->salt[0])) {
            return breaks(w, row, "salts-placed", slot_of_key(w, row->salt[0]),
                          slot_of_key(w, row->salt[i]), err);
        }
    }
    return true;
}

bool writes_hold(const struct world *w, struct err *err)
{
    for (uint32_t i = 0; i < w->writes.count; i++) {
        const struct hot_write *row = hot_writes_in(w) + i;
        if (!flushes_hold(w, row, err) || !likes_hold(w, row, err) || !parts_hold(w, row, err)) {
            return false;
        }
    }
    return true;
}
