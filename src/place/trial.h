/*
 * trial: two layouts tried on the same keys: who owns each key before and after, and what moved.
 *
 * Everything that pictures, plans and the playground say about a change of placement is read from
 * here. A trial owns its layouts and lists; the keys stay the caller's and must outlive it. Without
 * a change `after` is a copy of `before` and nothing has moved.
 */
#ifndef HOTSHARD_PLACE_TRIAL_H
#define HOTSHARD_PLACE_TRIAL_H

#include "place/keyset.h"
#include "place/measure.h"

struct trial {
    struct keyset *keys; /* borrowed */
    struct layout *before, *after;
    uint32_t *owner_before, *owner_after;   /* positions, one a key */
    struct balance keys_before, keys_after; /* in keys */
    struct balance load_before, load_after; /* in load */
    struct movement moved;
};

/* Takes both layouts. */
struct trial *trial_new(struct keyset *keys, struct layout *before, struct layout *after);
void trial_free(struct trial *trial); /* NULL is fine */

/* Of one key: ids, not positions. */
uint32_t trial_owner_before(const struct trial *trial, size_t key);
uint32_t trial_owner_after(const struct trial *trial, size_t key);
bool trial_moved(const struct trial *trial, size_t key);

#endif
