/*
 * range: the scheme: dealing ranges out, finding a key's, handing them on.
 */
#include "place/range.h"

#include "base/alloc.h"
#include "base/check.h"
#include "place/inside.h"
#include "place/range_state.h"
#include <stdlib.h>
#include <string.h>

static void destroy_rows(struct range_state *self)
{
    for (size_t i = 0; i < self->rows; i++) {
        free(self->row[i].first);
    }
    self->rows = 0;
}

static void append_row(struct range_state *self, struct bytes first, size_t start)
{
    uint32_t index = (uint32_t)self->rows;
    self->row[self->rows++] = (struct range_row){
        .head = range_head(first),
        .first = xstrndup(first.at, first.length),
        .length = first.length,
        .start = start,
        .index = index,
    };
}

/* Range i begins at i / shards of the numbers that two bytes can say. */
static void deal_bytes(struct range_state *self)
{
    for (uint32_t i = 0; i < self->shards; i++) {
        uint32_t number = (uint32_t)((uint64_t)i * 65536 / self->shards);
        char first[2] = {(char)(number >> 8), (char)(number & 255)};
        append_row(self, (struct bytes){first, i == 0 ? 0 : 2}, 0);
    }
}

/* Range i begins at the key with i / shards of the keys before it; where that is the key of the
 * range before, at the next other one. Fewer different keys than shards make fewer ranges. */
static void deal_keys(struct range_state *self)
{
    const uint32_t *order = keyset_order(self->keys);
    size_t count = keyset_count(self->keys);
    size_t at = 0;
    append_row(self, (struct bytes){"", 0}, 0);
    for (uint32_t i = 1; i < self->shards; i++) {
        size_t even = (size_t)((uint64_t)count * i / self->shards);
        at = even > at ? even : at + 1;
        while (
            at < count && at > 0 &&
            bytes_equal(keyset_key(self->keys, order[at]), keyset_key(self->keys, order[at - 1]))) {
            at++;
        }
        if (at >= count) {
            return;
        }
        append_row(self, keyset_key(self->keys, order[at]), at);
    }
}

static bool has_observed(const struct range_state *self)
{
    return self->keys != NULL && keyset_count(self->keys) > 0;
}

static void *range_make(const struct layout_params *params, const struct shard_spec *shard,
                        uint32_t shards)
{
    (void)shard;
    struct range_state *self = xcalloc(1, sizeof *self);
    self->shards = shards;
    self->split = params->split;
    self->dealt = true;
    self->room = shards;
    self->row = xcalloc(shards, sizeof *self->row);
    deal_bytes(self);
    return self;
}

static void *range_copy(const void *state)
{
    const struct range_state *from = state;
    struct range_state *copy = xcalloc(1, sizeof *copy);
    *copy = *from;
    copy->row = xcalloc(from->room, sizeof *copy->row);
    for (size_t i = 0; i < from->rows; i++) {
        copy->row[i] = from->row[i];
        copy->row[i].first = xstrndup(from->row[i].first, from->row[i].length);
    }
    return copy;
}

static void range_destroy(void *state)
{
    struct range_state *self = state;
    destroy_rows(self);
    free(self->row);
    free(self);
}

/* How many observed keys come before this one. */
static size_t keys_before(const struct range_state *self, const struct range_row *row)
{
    const uint32_t *order = keyset_order(self->keys);
    size_t low = 0;
    size_t high = keyset_count(self->keys);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        struct bytes key = keyset_key(self->keys, order[middle]);
        if (range_order(key, (struct bytes){row->first, row->length}) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static void range_observe(void *state, struct keyset *keys)
{
    struct range_state *self = state;
    self->keys = keys;
    if (!has_observed(self)) {
        self->keys = NULL;
        return;
    }
    if (self->dealt) {
        destroy_rows(self);
        deal_keys(self);
        return;
    }
    for (size_t i = 0; i < self->rows; i++) {
        self->row[i].start = keys_before(self, &self->row[i]);
    }
}

static uint32_t range_owner_of_key(const void *state, struct bytes part, uint64_t hash)
{
    const struct range_state *self = state;
    (void)hash;
    return self->row[range_find(self, part)].index;
}

static uint32_t range_owner(const void *state, uint64_t hash)
{
    char key[8];
    for (int i = 0; i < 8; i++) {
        key[i] = (char)(hash >> (56 - 8 * i) & 255);
    }
    return range_owner_of_key(state, (struct bytes){key, sizeof key}, hash);
}

static void range_add(void *state, const struct shard_spec *shard)
{
    struct range_state *self = state;
    (void)shard;
    range_share(self, self->shards);
    self->shards++;
}

/* From the lowest on, so that a run of them goes to the same neighbour. */
static void range_remove(void *state, uint32_t index)
{
    struct range_state *self = state;
    CHECK(index < self->shards && self->shards > 1);
    self->dealt = false;
    for (size_t i = self->rows; i-- > 0;) {
        if (self->row[i].index == index && self->rows > 1) {
            range_join(self, i);
        }
    }
    if (self->row[0].index == index) { /* it had them all: the first of the others takes over */
        self->row[0].index = index == 0 ? 1 : 0;
    }
    for (size_t i = 0; i < self->rows; i++) {
        self->row[i].index -= self->row[i].index > index;
    }
    self->shards--;
}

static size_t range_memory(const void *state)
{
    const struct range_state *self = state;
    size_t bytes = 0;
    for (size_t i = 0; i < self->rows; i++) {
        bytes += sizeof(struct bytes) + sizeof self->row[i].index + self->row[i].length;
    }
    return bytes;
}

const struct scheme scheme_range = {
    .name = "range",
    .about = "keys in the order of their bytes, cut into ranges; a table says whose each is",
    .cannot = "spread keys that grow with time: all new ones go to the last range; and one key "
              "stays whole",
    .source = "Bigtable (2006); HBase and MongoDB on splitting",
    .traits = SCHEME_ADD_MOVES_TO_NEW | SCHEME_REMOVE_MOVES_OWN | SCHEME_BY_KEY,
    .default_hash = HASH_MIX64,
    .make = range_make,
    .copy = range_copy,
    .destroy = range_destroy,
    .owner = range_owner,
    .add = range_add,
    .remove = range_remove,
    .memory = range_memory,
    .owner_of_key = range_owner_of_key,
    .observe = range_observe,
};
