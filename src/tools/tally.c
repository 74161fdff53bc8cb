/*
 * tally: see tally.h. A table of open addresses that doubles, over a keyset.
 */
#include "tools/tally.h"

#include "base/alloc.h"
#include "base/check.h"
#include <stdlib.h>

#define TABLE_FIRST ((size_t)1 << 12)

struct row {
    uint32_t half;  /* of the mark */
    uint32_t index; /* in the keyset, plus 1; 0: free */
};

struct tally {
    struct keyset *keys;
    struct row *row;
    size_t mask;
    uint64_t *count; /* by index; room for half as many as there are rows */
    size_t keys_max, bytes_max;
    size_t bytes;
};

struct tally *tally_new(size_t keys_max, size_t bytes_max)
{
    CHECK(keys_max >= 1 && keys_max < UINT32_MAX && bytes_max >= 1);
    struct tally *tally = xcalloc(1, sizeof *tally);
    tally->keys_max = keys_max;
    tally->bytes_max = bytes_max;
    tally->mask = TABLE_FIRST - 1;
    tally->row = xcalloc(TABLE_FIRST, sizeof *tally->row);
    tally->count = xcalloc(TABLE_FIRST / 2, sizeof *tally->count);
    tally->keys = keyset_new();
    return tally;
}

void tally_free(struct tally *tally)
{
    if (tally == NULL) {
        return;
    }
    keyset_free(tally->keys);
    free(tally->row);
    free(tally->count);
    free(tally);
}

void tally_clear(struct tally *tally)
{
    keyset_free(tally->keys);
    tally->keys = keyset_new();
    tally->bytes = 0;
    memset(tally->row, 0, (tally->mask + 1) * sizeof *tally->row);
}

/* The key's row, or the free one where it belongs. */
static struct row *find(const struct tally *tally, struct bytes key, uint64_t mark)
{
    uint32_t half = (uint32_t)(mark >> 32);
    size_t at = (size_t)mark & tally->mask;
    while (tally->row[at].index != 0 &&
           (tally->row[at].half != half ||
            !bytes_equal(keyset_key(tally->keys, tally->row[at].index - 1), key))) {
        at = (at + 1) & tally->mask;
    }
    return &tally->row[at];
}

/* Twice the rows; keys are different already, so none is compared. */
static void grow(struct tally *tally)
{
    size_t size = (tally->mask + 1) * 2;
    struct row *old = tally->row;
    size_t old_size = tally->mask + 1;
    tally->row = xcalloc(size, sizeof *tally->row);
    tally->mask = size - 1;
    for (size_t i = 0; i < old_size; i++) {
        if (old[i].index == 0) {
            continue;
        }
        size_t at = (size_t)mark_of(keyset_key(tally->keys, old[i].index - 1)) & tally->mask;
        while (tally->row[at].index != 0) {
            at = (at + 1) & tally->mask;
        }
        tally->row[at] = old[i];
    }
    free(old);
    tally->count = xrealloc(tally->count, size / 2, sizeof *tally->count);
}

uint32_t tally_add(struct tally *tally, struct bytes key, uint64_t mark)
{
    struct row *row = find(tally, key, mark);
    if (row->index != 0) {
        tally->count[row->index - 1]++;
        return row->index - 1;
    }
    size_t count = keyset_count(tally->keys);
    bool full = count >= tally->keys_max || key.length > tally->bytes_max ||
                tally->bytes > tally->bytes_max - key.length;
    if (full && count > 0) {
        return TALLY_FULL;
    }
    if (count >= (tally->mask + 1) / 2) {
        grow(tally);
        row = find(tally, key, mark);
    }
    CHECK(keyset_add(tally->keys, key, 1, NULL));
    tally->bytes += key.length;
    tally->count[count] = 1;
    *row = (struct row){.half = (uint32_t)(mark >> 32), .index = (uint32_t)count + 1};
    return (uint32_t)count;
}

void tally_again(struct tally *tally, uint32_t number)
{
    CHECK(number < keyset_count(tally->keys));
    tally->count[number]++;
}

uint64_t tally_count(const struct tally *tally, struct bytes key, uint64_t mark)
{
    const struct row *row = find(tally, key, mark);
    return row->index != 0 ? tally->count[row->index - 1] : 0;
}

struct keyset *tally_keys(struct tally *tally)
{
    for (size_t i = 0; i < keyset_count(tally->keys); i++) {
        keyset_set_load(tally->keys, i, tally->count[i]);
    }
    return tally->keys;
}
