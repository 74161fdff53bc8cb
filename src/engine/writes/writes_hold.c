/*
 * writes_hold: how a treated count stands, and what must be true of it.
 */
#include "engine/writes/writes_inside.h"

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

/* How a count stands; each of its sub-keys is looked up once. */
struct stand {
    uint64_t part[COUNT_PARTS];
    uint64_t sum; /* of all sub-keys, the correction apart */
    uint64_t buffered, on_way, lost, unstored;
    uint64_t beyond; /* in sub-keys, and never sent, as far as their routers know */
    bool over; /* some router's sub-key holds more, or a later flush, than that router sent: */
    uint64_t sent, held;
};

/* What this router sent is in its sub-key, or on the way. What the sub-key took again is in it, and
 * was sent once. */
static void add_flushes(const struct write_spot *spot, uint64_t held, struct stand *s)
{
    bool ready = spot->sender.phase == FLUSH_READY;
    bool open = !ready || spot->flights > 0 || spot->answered != spot->sender.sequence;
    uint64_t due = (ready ? spot->sender.total : spot->before) + spot->again;
    s->on_way += open && due > held ? due - held : 0;
    s->beyond += held > due ? held - due : 0;
}

static void note_over(struct stand *s, uint64_t sent, uint64_t held)
{
    if (held > sent && !s->over) {
        s->over = true;
        s->sent = sent;
        s->held = held;
    }
}

static void add_router(const struct world *w, const struct write_spot *spot, struct stand *s)
{
    s->buffered += spot->sender.buffer;
    s->lost += spot->lost;
    s->unstored += spot->unstored;
    if (spot->key == KEY_NONE_ID) {
        return;
    }
    const struct store_entry *entry = store_find(w, store_home(w, spot->key), spot->key);
    uint64_t held = entry == NULL ? 0 : entry->value;
    bool ready = spot->sender.phase == FLUSH_READY;
    s->part[PART_ROUTERS] += held;
    add_flushes(spot, held, s);
    note_over(s, ready ? spot->sender.total : spot->before, held);
    if (ready && entry != NULL) {
        note_over(s, spot->sender.sequence, entry->sequence);
    }
}

static struct stand stand_of(const struct world *w, const struct hot_write *row)
{
    struct stand s = {.part = {0}};
    s.part[PART_PLAIN] = part_sum(w, row, PART_PLAIN);
    s.part[PART_SALTS] = part_sum(w, row, PART_SALTS);
    for (uint16_t i = 0; i < w->config.routers; i++) {
        add_router(w, write_spot_in(w, row, i), &s);
    }
    s.sum = row->past;
    for (uint32_t i = 0; i < COUNT_PARTS; i++) {
        s.sum += s.part[i];
    }
    return s;
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
        .forgotten = row->forgotten,
        .frozen_sum = frozen_sum(row),
        .rebuilding = row->rebuilding,
    };
    uint64_t fix = held_at_owner(w, row->fix);
    struct stand stand = stand_of(w, row);
    out->fix = (int64_t)fix;
    out->shown = stand.sum + fix;
    out->buffered = stand.buffered;
    out->on_way = stand.on_way;
    out->unstored = stand.unstored;
    /* A flush of a router's former life that lands after all brings what was given up as lost. */
    uint64_t found = stand.beyond < stand.lost ? stand.beyond : stand.lost;
    out->lost = stand.lost - found;
    out->doubled = row->doubled + row->reflushed + stand.beyond - found;
    for (uint32_t i = 0; i < COUNT_PARTS; i++) {
        out->frozen[i] = !row->live[i];
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

struct count_router writes_router(const struct world *w, uint32_t key, uint16_t router)
{
    CHECK(key < w->keys && router < w->config.routers);
    if (keys_in(w)[key].writes == 0) {
        return (struct count_router){.key = KEY_NONE_ID};
    }
    const struct write_spot *spot = write_spot_in(w, hot_write_in_key(w, key), router);
    return (struct count_router){
        .key = spot->key,
        .buffered = spot->sender.buffer,
        .total = spot->sender.total,
        .sequence = spot->sender.sequence,
        .held = spot->key == KEY_NONE_ID ? 0 : held_at_owner(w, spot->key),
        .lost = spot->lost,
        .phase = (enum flush_phase)spot->sender.phase,
    };
}

/* The keys of a count, counted as they come. */
struct key_list {
    const struct world *w;
    const struct hot_write *row;
    struct count_key *out;
    uint32_t room, count;
};

static void list_key(struct key_list *l, uint32_t key, enum count_part part, uint32_t number)
{
    if (key != KEY_NONE_ID && l->count++ < l->room) {
        l->out[l->count - 1] =
            (struct count_key){.key = key,
                               .part = part,
                               .number = (uint16_t)number,
                               .frozen = part < COUNT_PARTS && !l->row->live[part],
                               .value = held_at_owner(l->w, key)};
    }
}

uint32_t writes_keys(const struct world *w, uint32_t key, struct count_key *out, uint32_t room)
{
    CHECK(key < w->keys);
    if (keys_in(w)[key].writes == 0) {
        return 0;
    }
    const struct hot_write *row = hot_write_in_key(w, key);
    struct key_list l = {.w = w, .row = row, .out = out, .room = room};
    list_key(&l, row->key, PART_PLAIN, 0);
    for (uint32_t i = 0; i < row->most; i++) {
        list_key(&l, row->salt[i], PART_SALTS, i);
    }
    for (uint16_t i = 0; i < w->config.routers; i++) {
        list_key(&l, write_spot_in(w, row, i)->key, PART_ROUTERS, i);
    }
    list_key(&l, row->fix, COUNT_PARTS, 0);
    return l.count;
}

/* --- invariants --- */

static bool breaks(const struct world *w, const struct hot_write *row, const char *invariant,
                   uint64_t due, uint64_t found, struct err *err)
{
    struct bytes key = world_key(w, row->key);
    return err_set(err, "%s: of the count %.*s, %" PRIu64 " were expected and %" PRIu64 " found",
                   invariant, (int)key.length, key.at, due, found);
}

static bool likes_hold(const struct world *w, const struct hot_write *row,
                       const struct stand *stand, struct err *err)
{
    if (row->forgotten > 0) {
        return breaks(w, row, "durable-first", 0, row->forgotten, err);
    }
    uint64_t due = row->summed + row->direct + stand->unstored + row->doubled + row->reflushed;
    uint64_t found = stand->sum + stand->buffered + stand->on_way + stand->lost + row->unheard;
    if (found != due) {
        return breaks(w, row, "conservation", due, found, err);
    }
    uint64_t shown = stand->sum + held_at_owner(w, row->fix);
    return shown <= due || breaks(w, row, "no-overshoot", due, shown, err);
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

static bool parts_hold(const struct world *w, const struct hot_write *row,
                       const struct stand *stand, struct err *err)
{
    for (uint32_t i = 0; i < COUNT_PARTS; i++) {
        if (!row->live[i] && stand->part[i] != row->frozen[i]) {
            return breaks(w, row, "frozen", row->frozen[i], stand->part[i], err);
        }
    }
    if (!key_holds(w, row, row->key, err)) {
        return false;
    }
    struct bytes key = world_key(w, row->key);
    bool together = row->place == SALT_OUTSIDE && key_tag(key).length < key.length;
    for (uint32_t i = 0; i < row->most; i++) {
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
        struct stand stand = stand_of(w, row);
        if (stand.over) {
            return breaks(w, row, "flush-order", stand.sent, stand.held, err);
        }
        if (!likes_hold(w, row, &stand, err) || !parts_hold(w, row, &stand, err)) {
            return false;
        }
    }
    return true;
}
