/*
 * store: naming keys.
 */
#include "engine/store.h"

#include "place/crc16.h"
#include "place/hash.h"
#include "place/key.h"
#include <string.h>

/* The place in the index where the key is, or would be. */
static uint32_t key_place(const struct world *w, struct bytes bytes)
{
    uint32_t mask = w->key_places - 1;
    uint32_t at = (uint32_t)mix64(fnv1a64(bytes.at, bytes.length)) & mask;
    for (;; at = (at + 1) & mask) {
        uint32_t entry = key_index_in(w)[at];
        if (entry == 0) {
            return at;
        }
        const struct key_entry *key = keys_in(w) + (entry - 1);
        if (bytes_equal(bytes, (struct bytes){.at = key->text, .length = key->length})) {
            return at;
        }
    }
}

uint32_t store_find_key(const struct world *w, struct bytes bytes)
{
    return key_index_in(w)[key_place(w, bytes)] - 1; /* 0 - 1 is NO_INDEX */
}

/* Where each tag has its own slot: that of some key of this tag, else the next. */
static uint32_t slot_of_tag(const struct world *w, struct bytes tag)
{
    uint32_t same = store_find_key(w, tag); /* a tag that is a key has itself as its tag */
    for (uint32_t i = 0; same == NO_INDEX && w->inside > 0 && i < w->keys; i++) {
        const struct key_entry *key = keys_in(w) + i;
        same = bytes_equal(key_tag((struct bytes){key->text, key->length}), tag) ? i : NO_INDEX;
    }
    return same == NO_INDEX ? w->tags : keys_in(w)[same].slot;
}

uint16_t store_slot_of(const struct world *w, struct bytes bytes)
{
    struct bytes tag = key_tag(bytes);
    if (w->config.slots_by == SLOTS_BY_TAG) {
        return (uint16_t)slot_of_tag(w, tag);
    }
    return (uint16_t)(crc16(tag.at, tag.length) % w->config.slots);
}

bool store_same_slot(const struct world *w, struct bytes a, struct bytes b)
{
    if (w->config.slots_by == SLOTS_BY_TAG) {
        return bytes_equal(key_tag(a), key_tag(b));
    }
    return store_slot_of(w, a) == store_slot_of(w, b);
}

uint32_t store_intern(struct world *w, struct bytes bytes)
{
    CHECK(bytes.length >= 1 && bytes.length <= KEY_BYTES_MAX);
    uint32_t at = key_place(w, bytes);
    uint32_t entry = key_index_in(w)[at];
    if (entry != 0) {
        return entry - 1;
    }
    if (w->keys == w->config.keys_max) {
        return NO_INDEX;
    }
    struct key_entry *key = keys_of(w) + w->keys;
    key->slot = store_slot_of(w, bytes);
    if (w->config.slots_by == SLOTS_BY_TAG) {
        w->tags += key->slot == w->tags;
        w->inside += key_tag(bytes).length < bytes.length;
    }
    key->length = (uint8_t)bytes.length;
    memcpy(key->text, bytes.at, bytes.length);
    key_index_of(w)[at] = ++w->keys;
    return w->keys - 1;
}
