/*
 * range_split: where to cut, cutting and joining.
 */
#include "place/range.h"

#include "base/alloc.h"
#include "base/check.h"
#include "place/inside.h"
#include "place/range_state.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

int range_order(struct bytes a, struct bytes b)
{
    size_t shorter = a.length < b.length ? a.length : b.length;
    int order = shorter > 0 ? memcmp(a.at, b.at, shorter) : 0;
    if (order != 0 || a.length == b.length) {
        return order;
    }
    return a.length < b.length ? -1 : 1;
}

uint64_t range_head(struct bytes key)
{
    uint64_t head = 0;
    for (size_t i = 0; i < 8; i++) {
        head = head << 8 | (i < key.length ? (unsigned char)key.at[i] : 0);
    }
    return head;
}

size_t range_find(const struct range_state *self, struct bytes key)
{
    uint64_t head = range_head(key);
    size_t low = 0; /* this row begins at or before the key */
    size_t high = self->rows;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        const struct range_row *row = &self->row[middle];
        bool before = row->head != head
                          ? row->head < head
                          : range_order((struct bytes){row->first, row->length}, key) <= 0;
        low = before ? middle : low;
        high = before ? high : middle;
    }
    return low;
}

/* Observed keys of a row: from its start up to here. */
static size_t row_end(const struct range_state *self, size_t row)
{
    if (row + 1 < self->rows) {
        return self->row[row + 1].start;
    }
    return self->keys != NULL ? keyset_count(self->keys) : 0;
}

static uint64_t load_between(const struct range_state *self, size_t start, size_t end)
{
    const uint32_t *order = keyset_order(self->keys);
    const uint64_t *loads = keyset_loads(self->keys);
    uint64_t load = 0;
    for (size_t i = start; i < end; i++) {
        load += loads[order[i]];
    }
    return load;
}

static struct bytes key_at(const struct range_state *self, size_t place)
{
    return keyset_key(self->keys, keyset_order(self->keys)[place]);
}

/* Whether a new range could begin at this place: equal keys stay together. */
static bool differs(const struct range_state *self, size_t place)
{
    return !bytes_equal(key_at(self, place), key_at(self, place - 1));
}

static bool has_two_keys(const struct range_state *self, size_t row)
{
    size_t start = self->row[row].start;
    size_t end = row_end(self, row);
    return end - start > 1 && !bytes_equal(key_at(self, start), key_at(self, end - 1));
}

/* The place nearest to the middle where one can cut, the lower of two. */
static size_t middle_cut(const struct range_state *self, size_t start, size_t end)
{
    size_t middle = start + (end - start) / 2;
    for (size_t away = 0;; away++) {
        if (middle - start > away && differs(self, middle - away)) {
            return middle - away;
        }
        if (end - middle > away && differs(self, middle + away)) {
            return middle + away;
        }
        CHECK(away < end - start); /* has_two_keys: there is one */
    }
}

static size_t distance(size_t a, size_t b)
{
    return a < b ? b - a : a - b;
}

/* Where the loads of both sides are nearest; of equals the place nearest to the middle. */
static size_t load_cut(const struct range_state *self, size_t start, size_t end)
{
    const uint32_t *order = keyset_order(self->keys);
    const uint64_t *loads = keyset_loads(self->keys);
    uint64_t total = load_between(self, start, end);
    size_t middle = start + (end - start) / 2;
    size_t best = middle_cut(self, start, end);
    uint64_t least = UINT64_MAX;
    uint64_t below = 0;
    for (size_t at = start + 1; at < end; at++) {
        below += loads[order[at - 1]];
        uint64_t apart = 2 * below > total ? 2 * below - total : total - 2 * below;
        bool nearer = apart == least && distance(at, middle) < distance(best, middle);
        if ((apart < least || nearer) && differs(self, at)) {
            least = apart;
            best = at;
        }
    }
    return best;
}

static size_t best_cut(const struct range_state *self, size_t row)
{
    size_t start = self->row[row].start;
    size_t end = row_end(self, row);
    return self->split == SPLIT_BY_LOAD ? load_cut(self, start, end) : middle_cut(self, start, end);
}

static void insert_row(struct range_state *self, size_t row, struct bytes first, uint32_t index)
{
    if (self->rows == self->room) {
        self->room *= 2;
        self->row = xrealloc(self->row, self->room, sizeof *self->row);
    }
    memmove(self->row + row + 1, self->row + row, (self->rows - row) * sizeof *self->row);
    self->rows++;
    self->row[row] = (struct range_row){
        .head = range_head(first),
        .first = xstrndup(first.at, first.length),
        .length = first.length,
        .index = index,
    };
    self->dealt = false;
}

/* The first observed place from `start` to `end` whose key is not before `key`. */
static size_t place_of(const struct range_state *self, struct bytes key, size_t start, size_t end)
{
    while (start < end) {
        size_t middle = start + (end - start) / 2;
        bool before = range_order(key_at(self, middle), key) < 0;
        start = before ? middle + 1 : start;
        end = before ? end : middle;
    }
    return start;
}

void range_cut_at(struct range_state *self, struct bytes key, uint32_t index)
{
    size_t row = range_find(self, key);
    size_t place = place_of(self, key, self->row[row].start, row_end(self, row));
    insert_row(self, row + 1, key, index);
    self->row[row + 1].start = place;
}

void range_join(struct range_state *self, size_t row)
{
    CHECK(self->rows > 1 && row < self->rows);
    if (row == 0) { /* the one above begins where it began */
        struct range_row lowest = self->row[0];
        uint32_t index = self->row[1].index;
        free(self->row[1].first);
        self->row[1] = lowest;
        self->row[1].index = index;
    } else {
        free(self->row[row].first);
    }
    memmove(self->row + row, self->row + row + 1, (self->rows - row - 1) * sizeof *self->row);
    self->rows--;
    self->dealt = false;
}

/* Nothing was observed: the widest range by first bytes, in its middle. */
static void share_widest(struct range_state *self, uint32_t index)
{
    unsigned __int128 widest = 0;
    size_t row = 0;
    for (size_t i = 0; i < self->rows; i++) {
        unsigned __int128 end = i + 1 < self->rows ? (unsigned __int128)self->row[i + 1].head
                                                   : (unsigned __int128)1 << 64;
        if (end - self->row[i].head > widest) {
            widest = end - self->row[i].head;
            row = i;
        }
    }
    if (widest < 2) {
        return;
    }
    uint64_t head = self->row[row].head + (uint64_t)(widest / 2);
    char first[8];
    size_t length = 0;
    for (size_t i = 0; i < sizeof first; i++) {
        first[i] = (char)(head >> (56 - 8 * i) & 255);
        length = first[i] != 0 ? i + 1 : length;
    }
    insert_row(self, row + 1, (struct bytes){first, length}, index);
}

void range_share(struct range_state *self, uint32_t index)
{
    size_t row = self->rows; /* none yet */
    uint64_t most = 0;
    self->dealt = false;
    if (self->keys == NULL) {
        share_widest(self, index);
        return;
    }
    for (size_t i = 0; i < self->rows; i++) {
        if (!has_two_keys(self, i)) {
            continue;
        }
        size_t start = self->row[i].start;
        size_t end = row_end(self, i);
        uint64_t has = self->split == SPLIT_BY_SIZE ? end - start : load_between(self, start, end);
        if (row == self->rows || has > most) {
            most = has;
            row = i;
        }
    }
    if (row < self->rows) {
        range_cut_at(self, key_at(self, best_cut(self, row)), index);
    }
}

size_t layout_ranges(const struct layout *layout)
{
    const struct range_state *self = layout_state(layout, &scheme_range);
    return self != NULL ? self->rows : 0;
}

struct range_info layout_range_at(const struct layout *layout, size_t range)
{
    const struct range_state *self = layout_state(layout, &scheme_range);
    CHECK(self != NULL && range < self->rows);
    const struct range_row *row = &self->row[range];
    size_t end = row_end(self, range);
    return (struct range_info){
        .first = {row->first, row->length},
        .index = row->index,
        .keys = end - row->start,
        .load = self->keys != NULL ? load_between(self, row->start, end) : 0,
    };
}

size_t layout_range_find(const struct layout *layout, struct bytes key)
{
    const struct range_state *self = layout_state(layout, &scheme_range);
    return self != NULL ? range_find(self, key) : 0;
}

static bool find_shard(const struct layout *layout, uint32_t id, uint32_t *index, struct err *err)
{
    uint32_t shards = layout_shards(layout);
    for (uint32_t i = 0; i < shards; i++) {
        if (layout_shard_id(layout, i) == id) {
            *index = i;
            return true;
        }
    }
    return err_set(err, "shard %" PRIu32 ": there is none to give a range to; the last is %" PRIu32,
                   id, layout_shard_id(layout, shards - 1));
}

bool layout_range_split(struct layout *layout, struct bytes key, uint32_t id, struct err *err)
{
    struct range_state *self = layout_state(layout, &scheme_range);
    uint32_t index = 0;
    CHECK(self != NULL);
    if (!find_shard(layout, id, &index, err)) {
        return false;
    }
    size_t row = range_find(self, key);
    if (range_order(key, (struct bytes){self->row[row].first, self->row[row].length}) == 0) {
        return err_set(err, "range %zu: it begins at that key already; name a key inside it", row);
    }
    range_cut_at(self, key, index);
    return true;
}

bool layout_range_cut(const struct layout *layout, size_t range, struct bytes *key, struct err *err)
{
    const struct range_state *self = layout_state(layout, &scheme_range);
    CHECK(self != NULL && range < self->rows);
    size_t keys = row_end(self, range) - self->row[range].start;
    if (keys == 0) {
        return err_set(err, "range %zu: no key of it was observed, so there is nothing to cut",
                       range);
    }
    if (!has_two_keys(self, range)) {
        return err_set(err,
                       "range %zu: it holds one key, and one key stays whole: no split makes it "
                       "lighter",
                       range);
    }
    *key = key_at(self, best_cut(self, range));
    return true;
}

bool layout_range_merge(struct layout *layout, size_t range, struct err *err)
{
    struct range_state *self = layout_state(layout, &scheme_range);
    CHECK(self != NULL);
    if (range >= self->rows || range + 1 == self->rows) {
        return err_set(err, "range %zu: there is no range above it to join; name a lower one",
                       range);
    }
    range_join(self, range + 1);
    return true;
}
