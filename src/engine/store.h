/*
 * store: the keys that the world has met, and what each shard holds of them.
 *
 * Two open-addressing tables in the block: bytes -> key number, and (shard, key) -> counter and
 * number of edits. Nothing is ever taken out; neither table is ever walked where order could show.
 */
#ifndef HOTSHARD_ENGINE_STORE_H
#define HOTSHARD_ENGINE_STORE_H

#include "engine/state.h"

/* The number of a key, new if need be; NO_INDEX when keys_max is reached. */
uint32_t store_intern(struct world *w, struct bytes bytes);
uint32_t store_find_key(const struct world *w, struct bytes bytes); /* NO_INDEX if unknown */
/* The slot that a key has or would have; whether two keys have, or would have, the same. */
uint16_t store_slot_of(const struct world *w, struct bytes bytes);
bool store_same_slot(const struct world *w, struct bytes a, struct bytes b);

/* Where the search for an entry begins. */
static inline uint32_t store_first_place(const struct world *w, uint16_t shard, uint32_t key)
{
    uint64_t hash = ((uint64_t)shard << 32 | key) * UINT64_C(0x9E3779B97F4A7C15);
    return (uint32_t)(hash >> 32) & (w->store_places - 1);
}

/* To be fetched from memory before a shard looks for it: with a million keys it is far away. (A
 * function that does nothing but fetch is dropped by the compiler.) */
static inline const void *store_soon(const struct world *w, uint16_t shard, uint32_t key)
{
    return store_in(w) + store_first_place(w, shard, key);
}

static inline uint32_t store_place(const struct world *w, uint16_t shard, uint32_t key)
{
    uint32_t mask = w->store_places - 1;
    uint32_t at = store_first_place(w, shard, key);
    const struct store_entry *store = store_in(w);
    while (store[at].key != 0 && (store[at].key != key + 1 || store[at].shard != shard)) {
        at = (at + 1) & mask;
    }
    return at;
}

/* What a shard holds of a key, NULL if nothing. */
static inline const struct store_entry *store_find(const struct world *w, uint16_t shard,
                                                   uint32_t key)
{
    const struct store_entry *entry = store_in(w) + store_place(w, shard, key);
    return entry->key == 0 ? NULL : entry;
}

static inline uint64_t store_value(const struct world *w, uint16_t shard, uint32_t key)
{
    const struct store_entry *entry = store_find(w, shard, key);
    return entry == NULL ? 0 : entry->value;
}

/* The shard where a key is now, which is the owner of its slot unless the slot moves key by key. */
static inline uint16_t store_home(const struct world *w, uint32_t key)
{
    return w->shifts.count == 0 ? owners_in(w)[keys_in(w)[key].slot] : shifts_home(w, key);
}

/* The same to change, made if need be; NULL when store_max is reached. */
static inline struct store_entry *store_put(struct world *w, uint16_t shard, uint32_t key)
{
    struct store_entry *entry = store_of(w) + store_place(w, shard, key);
    if (entry->key != 0) {
        return entry;
    }
    if (w->store_used == w->config.store_max) {
        return NULL;
    }
    w->store_used++;
    shards_of(w)[shard].keys++;
    entry->key = key + 1;
    entry->shard = shard;
    return entry;
}

/* An entry cannot be taken out: its data is handed over or deleted, or is back. */
static inline void store_set_gone(struct world *w, struct store_entry *entry, bool gone)
{
    struct shard *s = shards_of(w) + entry->shard;
    s->keys = s->keys + entry->gone - gone;
    entry->gone = gone;
}

#endif
