/*
 * tally: how often each different key came, exactly, as long as there is room.
 *
 * Keys are kept byte for byte in a keyset, in the order in which they first came. A tally takes at
 * most so many keys and so many bytes of them; when the next new key does not fit, tally_add says
 * so and has counted nothing. Memory: the keys, and 40 to 56 bytes for each.
 */
#ifndef HOTSHARD_TOOLS_TALLY_H
#define HOTSHARD_TOOLS_TALLY_H

#include "place/keyset.h"
#include "tools/mark.h"

#define TALLY_FULL UINT32_MAX

struct tally;

struct tally *tally_new(size_t keys_max, size_t bytes_max); /* both at least 1 */
void tally_free(struct tally *tally);                       /* NULL is fine */

/* The key came once more. Returns its number, 0 for the first key that came; TALLY_FULL: it is new
 * and does not fit. The first key always fits. */
uint32_t tally_add(struct tally *tally, struct bytes key, uint64_t mark);
/* The same for a key whose number is known, which needs no search. */
void tally_again(struct tally *tally, uint32_t number);
uint64_t tally_count(const struct tally *tally, struct bytes key, uint64_t mark);
/* The keys with their counts as loads; the tally's own, good until the next tally_add. */
struct keyset *tally_keys(struct tally *tally);
void tally_clear(struct tally *tally); /* numbers begin at 0 again */

#endif
