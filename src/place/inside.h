/*
 * inside: what the files of this folder share and nobody else needs.
 *
 * Shards are positions in the layout's list here, never ids. Ids grow along the list (a new one is
 * the highest plus one), so "the lowest id" is "the lowest position".
 */
#ifndef HOTSHARD_PLACE_INSIDE_H
#define HOTSHARD_PLACE_INSIDE_H

#include "place/layout.h"

uint32_t layout_index_of_hash(const struct layout *layout, uint64_t hash);
bool layout_hash_alike(const struct layout *a, const struct layout *b);

/* State of scheme_slots. */
uint32_t slots_count(const void *state);
uint32_t slots_owner(const void *state, uint32_t slot);

/* State of scheme_directory: rows by the hashed part of a key. */
void directory_put(void *state, uint64_t hash, struct bytes part, uint32_t index);
void directory_set_default(void *state, uint32_t index);
uint32_t directory_owner(const void *state, uint64_t hash, struct bytes part);

#endif
