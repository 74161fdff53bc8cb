/*
 * hot_loads: the load of each shard by each scheme.
 *
 * Keys are hashed in blocks, so that no list of hashes grows with their number; schemes that hash
 * alike share a block's hashes.
 */
#include "base/alloc.h"
#include "base/check.h"
#include "tools/hot_inside.h"
#include <stdlib.h>

#define BLOCK ((size_t)1024)

static bool needs_all(const struct layout *layout)
{
    return (layout_scheme(layout)->traits & (SCHEME_BY_KEY | SCHEME_BY_HISTORY)) != 0;
}

bool loads_start(struct hot_loads *loads, uint32_t shards, struct err *err)
{
    *loads = (struct hot_loads){.shards = shards};
    for (size_t i = 0; scheme_at(i) != NULL; i++) {
        const struct scheme *scheme = scheme_at(i);
        if ((scheme->traits & SCHEME_BY_HAND) != 0) {
            continue;
        }
        CHECK(loads->count < HOT_SCHEMES_MAX);
        struct layout_params params = layout_defaults(scheme);
        params.deal = SLOTS_DEAL_RANGES; /* as Redis Cluster, and `slot` */
        struct layout *layout = layout_new(scheme, &params, shards, err);
        if (layout == NULL) {
            loads_free(loads);
            return false;
        }
        loads->slots = scheme == &scheme_slots ? loads->count : loads->slots;
        loads->amount[loads->count] = xcalloc(shards, sizeof **loads->amount);
        loads->layout[loads->count++] = layout;
    }
    return true;
}

void loads_free(struct hot_loads *loads)
{
    for (size_t i = 0; i < loads->count; i++) {
        layout_free(loads->layout[i]);
        free(loads->amount[i]);
    }
    loads->count = 0;
}

static bool hash_alike(const struct layout *a, const struct layout *b)
{
    const struct layout_params *p = layout_params_of(a);
    const struct layout_params *q = layout_params_of(b);
    return p->hash == q->hash && p->tags == q->tags;
}

/* One block of keys, from `first` on. */
static void add_block(struct hot_loads *loads, const struct keyset *keys, size_t first,
                      size_t count)
{
    uint64_t hash[BLOCK];
    uint32_t owner[BLOCK];
    bool done[HOT_SCHEMES_MAX] = {false};
    for (size_t i = 0; i < loads->count; i++) {
        if (done[i] || needs_all(loads->layout[i])) {
            continue;
        }
        for (size_t k = 0; k < count; k++) {
            hash[k] = layout_hash(loads->layout[i], keyset_key(keys, first + k));
        }
        for (size_t j = i; j < loads->count; j++) {
            if (needs_all(loads->layout[j]) || !hash_alike(loads->layout[i], loads->layout[j])) {
                continue;
            }
            layout_owners_of_hashes(loads->layout[j], hash, count, owner);
            for (size_t k = 0; k < count; k++) {
                loads->amount[j][owner[k]] += keyset_load(keys, first + k);
            }
            done[j] = true;
        }
    }
}

void loads_add(struct hot_loads *loads, const struct keyset *keys)
{
    size_t all = keyset_count(keys);
    for (size_t first = 0; first < all; first += BLOCK) {
        add_block(loads, keys, first, all - first < BLOCK ? all - first : BLOCK);
    }
}

void loads_add_whole(struct hot_loads *loads, struct keyset *keys)
{
    size_t count = keyset_count(keys);
    uint32_t *owner = xcalloc(count + 1, sizeof *owner);
    for (size_t i = 0; i < loads->count; i++) {
        if (!needs_all(loads->layout[i])) {
            continue;
        }
        layout_observe(loads->layout[i], keys);
        layout_owners(loads->layout[i], keys, owner);
        for (size_t k = 0; k < count; k++) {
            loads->amount[i][owner[k]] += keyset_load(keys, k);
        }
    }
    free(owner);
}

struct hot_load *loads_rows(const struct hot_loads *loads, bool whole)
{
    struct hot_load *row = xcalloc(loads->count + 1, sizeof *row);
    for (size_t i = 0; i < loads->count; i++) {
        uint64_t total = 0;
        row[i].scheme = layout_scheme(loads->layout[i]);
        row[i].hash = layout_params_of(loads->layout[i])->hash;
        row[i].known = whole || !needs_all(loads->layout[i]);
        row[i].amount = loads->amount[i];
        for (uint32_t s = 0; s < loads->shards; s++) {
            total += row[i].amount[s];
            if (row[i].amount[s] > row[i].busiest) {
                row[i].busiest = row[i].amount[s];
                row[i].busiest_id = s;
            }
        }
        row[i].over_average =
            total > 0 ? (double)row[i].busiest * (double)loads->shards / (double)total : 0;
    }
    return row;
}
