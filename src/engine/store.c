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
    struct bytes tag = key_tag(bytes);
    struct key_entry *key = keys_of(w) + w->keys;
    key->slot = (uint16_t)(crc16(tag.at, tag.length) % w->config.slots);
    key->length = (uint8_t)bytes.length;
    memcpy(key->text, bytes.at, bytes.length);
    key_index_of(w)[at] = ++w->keys;
    return w->keys - 1;
}
