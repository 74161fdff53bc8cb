/*
 * inside: what the files of this folder share and nobody else needs.
 *
 * Shards are positions in the layout's list here, never ids. Ids grow along the list (a new one is
 * the highest plus one), so "the lowest id" is "the lowest position".
 */
#ifndef HOTSHARD_PLACE_INSIDE_H
#define HOTSHARD_PLACE_INSIDE_H

#include "place/layout.h"

bool layout_hash_alike(const struct layout *a, const struct layout *b);
/* The state of a layout of this scheme, NULL of any other: for what only one scheme has. */
void *layout_state(const struct layout *layout, const struct scheme *scheme);

/* State of scheme_slots. */
uint32_t slots_count(const void *state);
uint32_t slots_owner(const void *state, uint32_t slot);
void slots_give(void *state, uint32_t first, uint32_t last, uint32_t index);

/* State of scheme_directory: rows by the hashed part of a key. */
void directory_put(void *state, uint64_t hash, struct bytes part, uint32_t index);
void directory_set_default(void *state, uint32_t index);

#endif
