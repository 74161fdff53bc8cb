/*
 * hot_change: what salting and a cache would have made of this log; the rules are in hot.h.
 */
#include "base/alloc.h"
#include "base/check.h"
#include "place/key.h"
#include "tools/hot_inside.h"
#include <stdlib.h>

static uint32_t owner_of(const struct hot_loads *loads, struct bytes key)
{
    return layout_owner(loads->layout[loads->slots], key);
}

static uint64_t busiest_of(const uint64_t *amount, uint32_t shards, uint32_t *id)
{
    *id = 0;
    for (uint32_t s = 1; s < shards; s++) {
        *id = amount[s] > amount[*id] ? s : *id;
    }
    return amount[*id];
}

static uint64_t *copy_amounts(const struct hot_loads *loads)
{
    uint64_t *amount = xcalloc(loads->shards, sizeof *amount);
    for (uint32_t s = 0; s < loads->shards; s++) {
        amount[s] = loads->amount[loads->slots][s];
    }
    return amount;
}

static void compare(const struct hot_loads *loads, const uint64_t *after, struct hot_change *out)
{
    out->known = true;
    out->before = busiest_of(loads->amount[loads->slots], loads->shards, &out->before_id);
    out->after = busiest_of(after, loads->shards, &out->after_id);
    out->total_after = 0;
    for (uint32_t s = 0; s < loads->shards; s++) {
        out->total_after += after[s];
    }
}

/* likes:{p9} becomes likes:{p9#3}, and user:7 becomes user:7#3: the salt is part of what is
 * hashed. */
static void salted_name(struct bytes key, uint32_t salt, struct str *out)
{
    struct bytes tag = key_tag(key);
    size_t at = tag.length > 0 ? (size_t)(tag.at - key.at) + tag.length : key.length;
    str_clear(out);
    str_addn(out, key.at, at);
    str_addf(out, "#%u", (unsigned)salt);
    str_addn(out, key.at + at, key.length - at);
}

void change_salt(const struct hot_loads *loads, const struct hot_key *key, struct hot_change *out)
{
    *out = (struct hot_change){.known = false};
    uint64_t sure = key->count - key->error; /* never more than its shard got */
    if (!key->placed || sure == 0) {
        return;
    }
    uint64_t *amount = copy_amounts(loads);
    out->reads = key->reads < sure ? key->reads : sure;
    out->other = sure - out->reads;
    CHECK(amount[key->shard] >= sure);
    amount[key->shard] -= sure;
    struct str name = STR_EMPTY;
    for (uint32_t salt = 0; salt < HOT_SALTS; salt++) {
        salted_name(key->key, salt, &name);
        uint32_t owner = owner_of(loads, (struct bytes){str_text(&name), name.length});
        amount[owner] += out->other / HOT_SALTS + (salt < out->other % HOT_SALTS) + out->reads;
    }
    str_free(&name);
    compare(loads, amount, out);
    free(amount);
}

void change_cache(const struct hot_loads *loads, const struct hot_key *key, size_t keys,
                  enum hot_cache how, struct hot_change *out)
{
    *out = (struct hot_change){.known = false};
    uint64_t *amount = copy_amounts(loads);
    for (size_t i = 0; i < keys; i++) {
        uint64_t sure = key[i].count - key[i].error;
        uint64_t may_be = how == HOT_CACHE_ANY ? sure : key[i].reads;
        uint64_t reads = may_be < sure ? may_be : sure;
        uint64_t fetches = how != HOT_CACHE_TIMED   ? 0
                           : key[i].fetches > reads ? reads
                                                    : key[i].fetches;
        if (!key[i].placed) {
            continue;
        }
        CHECK(amount[key[i].shard] >= reads);
        amount[key[i].shard] -= reads - fetches;
        out->taken += reads - fetches;
        out->reads += reads;
        out->other += sure - reads;
    }
    compare(loads, amount, out);
    out->known = out->reads > 0;
    free(amount);
}
