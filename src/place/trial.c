/*
 * trial: see trial.h.
 */
#include "place/trial.h"

#include "base/alloc.h"
#include <stdlib.h>

struct trial *trial_new(struct keyset *keys, struct layout *before, struct layout *after)
{
    struct trial *t = xcalloc(1, sizeof *t);
    size_t count = keyset_count(keys);
    const uint64_t *load = keyset_loads(keys);
    t->keys = keys;
    t->before = before;
    t->after = after;
    t->owner_before = xcalloc(count + 1, sizeof *t->owner_before);
    t->owner_after = xcalloc(count + 1, sizeof *t->owner_after);
    layout_owners(before, keys, t->owner_before);
    layout_owners(after, keys, t->owner_after);
    t->keys_before = balance_of(before, t->owner_before, NULL, count);
    t->keys_after = balance_of(after, t->owner_after, NULL, count);
    t->load_before = balance_of(before, t->owner_before, load, count);
    t->load_after = balance_of(after, t->owner_after, load, count);
    t->moved = movement_between(before, t->owner_before, after, t->owner_after, load, count);
    return t;
}

void trial_free(struct trial *t)
{
    if (!t) {
        return;
    }
    layout_free(t->before);
    layout_free(t->after);
    free(t->owner_before);
    free(t->owner_after);
    balance_free(&t->keys_before);
    balance_free(&t->keys_after);
    balance_free(&t->load_before);
    balance_free(&t->load_after);
    movement_free(&t->moved);
    free(t);
}

uint32_t trial_owner_before(const struct trial *t, size_t key)
{
    return layout_shard_id(t->before, t->owner_before[key]);
}

uint32_t trial_owner_after(const struct trial *t, size_t key)
{
    return layout_shard_id(t->after, t->owner_after[key]);
}

bool trial_moved(const struct trial *t, size_t key)
{
    return trial_owner_before(t, key) != trial_owner_after(t, key);
}
