/*
 * top: see top.h. Cells of equal count hang in one bucket, buckets in a list by count; a table of
 * open addresses finds a key's cell. Numbers instead of pointers keep all of it in the near cache.
 */
#include "tools/top.h"

#include "base/alloc.h"
#include "base/check.h"
#include <stdlib.h>

#define NONE UINT32_MAX
#define TABLE_PER_CELL 4 /* sparse, so that a search rarely looks twice */
#define KEY_ROOM_FIRST 32

struct cell {
    uint64_t mark;
    uint64_t error;
    char *key;
    uint32_t length; /* of the whole key */
    uint32_t room;
    uint32_t bucket, before, after; /* in the bucket */
};

/* All cells with one count. */
struct bucket {
    uint64_t count;
    uint32_t first;
    uint32_t below, above; /* buckets of the next counts */
};

/* Half the mark beside the cell: most searches end without looking into a cell. */
struct place {
    uint32_t half;
    uint32_t cell; /* plus 1; 0: free */
};

struct top {
    struct cell *cell;
    struct bucket *bucket;
    struct place *table;
    uint32_t mask;
    uint32_t cells, used;
    uint32_t lowest;      /* bucket */
    uint32_t free_bucket; /* a list by `above` */
};

struct top *top_new(uint32_t cells)
{
    CHECK(cells >= 1 && cells <= TOP_CELLS_MAX);
    struct top *top = xcalloc(1, sizeof *top);
    uint32_t size = 1;
    while (size < cells * TABLE_PER_CELL) {
        size *= 2;
    }
    top->mask = size - 1;
    top->table = xcalloc(size, sizeof *top->table);
    top->cell = xcalloc(cells, sizeof *top->cell);
    top->cells = cells;
    /* A cell that moves up needs its new bucket before the old one is given back. */
    top->bucket = xcalloc((size_t)cells + 1, sizeof *top->bucket);
    for (uint32_t i = 0; i <= cells; i++) {
        top->bucket[i].above = i < cells ? i + 1 : NONE;
    }
    top->lowest = NONE;
    return top;
}

void top_free(struct top *top)
{
    if (top == NULL) {
        return;
    }
    for (uint32_t i = 0; i < top->used; i++) {
        free(top->cell[i].key);
    }
    free(top->cell);
    free(top->bucket);
    free(top->table);
    free(top);
}

/* --- the table of keys --- */

static size_t kept(size_t length)
{
    return length < TOP_KEY_MAX ? length : TOP_KEY_MAX;
}

/* Keys are short: eight bytes at a time, the last eight overlapping, cost less than a call. */
static bool equal_bytes(const char *a, const char *b, size_t length)
{
    uint64_t x = 0;
    uint64_t y = 0;
    size_t at = 0;
    if (length < 8) {
        return length == 0 || mark_rest(a, length) == mark_rest(b, length);
    }
    for (; at + 8 <= length; at += 8) {
        memcpy(&x, a + at, 8);
        memcpy(&y, b + at, 8);
        if (x != y) {
            return false;
        }
    }
    memcpy(&x, a + length - 8, 8);
    memcpy(&y, b + length - 8, 8);
    return x == y;
}

static bool is_key(const struct cell *cell, struct bytes key, uint64_t mark)
{
    return cell->mark == mark && cell->length == key.length &&
           equal_bytes(cell->key, key.at, kept(key.length));
}

uint32_t top_find(const struct top *top, struct bytes key, uint64_t mark)
{
    uint32_t half = (uint32_t)mark;
    for (uint32_t at = half & top->mask; top->table[at].cell != 0; at = (at + 1) & top->mask) {
        if (top->table[at].half == half && is_key(&top->cell[top->table[at].cell - 1], key, mark)) {
            return top->table[at].cell - 1;
        }
    }
    return NONE;
}

static void table_put(struct top *top, uint32_t cell)
{
    uint32_t half = (uint32_t)top->cell[cell].mark;
    uint32_t at = half & top->mask;
    while (top->table[at].cell != 0) {
        at = (at + 1) & top->mask;
    }
    top->table[at] = (struct place){.half = half, .cell = cell + 1};
}

/* Those behind the freed place move up, each no further than to where its search begins. */
static void table_take(struct top *top, uint32_t cell)
{
    uint32_t hole = (uint32_t)top->cell[cell].mark & top->mask;
    while (top->table[hole].cell != cell + 1) {
        hole = (hole + 1) & top->mask;
    }
    for (uint32_t at = (hole + 1) & top->mask; top->table[at].cell != 0;
         at = (at + 1) & top->mask) {
        uint32_t home = top->table[at].half & top->mask;
        if (((at - home) & top->mask) >= ((at - hole) & top->mask)) {
            top->table[hole] = top->table[at];
            hole = at;
        }
    }
    top->table[hole].cell = 0;
}

/* --- the list of buckets --- */

static void bucket_leave(struct top *top, uint32_t at)
{
    struct cell *cell = &top->cell[at];
    struct bucket *bucket = &top->bucket[cell->bucket];
    if (cell->before != NONE) {
        top->cell[cell->before].after = cell->after;
    } else {
        bucket->first = cell->after;
    }
    if (cell->after != NONE) {
        top->cell[cell->after].before = cell->before;
    }
    if (bucket->first != NONE) {
        return;
    }
    if (bucket->below != NONE) {
        top->bucket[bucket->below].above = bucket->above;
    } else {
        top->lowest = bucket->above;
    }
    if (bucket->above != NONE) {
        top->bucket[bucket->above].below = bucket->below;
    }
    bucket->above = top->free_bucket;
    top->free_bucket = cell->bucket;
}

static void bucket_join(struct top *top, uint32_t at, uint32_t number)
{
    struct bucket *bucket = &top->bucket[number];
    struct cell *cell = &top->cell[at];
    cell->bucket = number;
    cell->before = NONE;
    cell->after = bucket->first;
    if (bucket->first != NONE) {
        top->cell[bucket->first].before = at;
    }
    bucket->first = at;
}

/* A new bucket above `below` (NONE: under all). */
static uint32_t bucket_new(struct top *top, uint32_t below, uint64_t count)
{
    uint32_t number = top->free_bucket;
    CHECK(number != NONE);
    struct bucket *bucket = &top->bucket[number];
    top->free_bucket = bucket->above;
    uint32_t above = below != NONE ? top->bucket[below].above : top->lowest;
    *bucket = (struct bucket){.count = count, .first = NONE, .below = below, .above = above};
    if (below != NONE) {
        top->bucket[below].above = number;
    } else {
        top->lowest = number;
    }
    if (above != NONE) {
        top->bucket[above].below = number;
    }
    return number;
}

static void count_up(struct top *top, uint32_t at)
{
    uint32_t number = top->cell[at].bucket;
    struct bucket *bucket = &top->bucket[number];
    uint32_t above = bucket->above;
    uint64_t count = bucket->count + 1;
    bool reached = above != NONE && top->bucket[above].count == count;
    if (!reached && bucket->first == at && top->cell[at].after == NONE) {
        bucket->count = count; /* alone, and nobody is that high: the bucket rises with it */
        return;
    }
    if (!reached) {
        above = bucket_new(top, number, count);
    }
    bucket_leave(top, at);
    bucket_join(top, at, above);
}

static void copy_bytes(char *to, const char *from, size_t length)
{
    if (length < 8) {
        for (size_t i = 0; i < length; i++) {
            to[i] = from[i];
        }
        return;
    }
    for (size_t at = 0; at + 8 <= length; at += 8) {
        memcpy(to + at, from + at, 8);
    }
    memcpy(to + length - 8, from + length - 8, 8);
}

static void keep_key(struct cell *cell, struct bytes key, uint64_t mark)
{
    uint32_t need = (uint32_t)kept(key.length);
    if (need > cell->room) {
        cell->room = need > KEY_ROOM_FIRST ? need : KEY_ROOM_FIRST;
        cell->key = xrealloc(cell->key, cell->room, 1);
    }
    copy_bytes(cell->key, key.at, need);
    cell->length = (uint32_t)key.length;
    cell->mark = mark;
}

uint32_t top_add(struct top *top, struct bytes key, uint64_t mark, bool *fresh)
{
    CHECK(key.length <= UINT32_MAX);
    uint32_t at = top_find(top, key, mark);
    *fresh = at == NONE;
    if (at != NONE) {
        count_up(top, at);
        return at;
    }
    if (top->used < top->cells) {
        at = top->used++;
        keep_key(&top->cell[at], key, mark);
        bool ones = top->lowest != NONE && top->bucket[top->lowest].count == 1;
        bucket_join(top, at, ones ? top->lowest : bucket_new(top, NONE, 1));
    } else {
        at = top->bucket[top->lowest].first;
        table_take(top, at);
        keep_key(&top->cell[at], key, mark);
        top->cell[at].error = top->bucket[top->lowest].count;
        count_up(top, at);
    }
    table_put(top, at);
    return at;
}

/* --- reading --- */

static int compare_entries(const void *a, const void *b)
{
    const struct top_entry *x = a;
    const struct top_entry *y = b;
    if (x->count != y->count) {
        return x->count > y->count ? -1 : 1;
    }
    if (x->error != y->error) {
        return x->error < y->error ? -1 : 1;
    }
    size_t shorter = x->key.length < y->key.length ? x->key.length : y->key.length;
    int order = shorter > 0 ? memcmp(x->key.at, y->key.at, shorter) : 0;
    if (order != 0) {
        return order;
    }
    if (x->length != y->length) {
        return x->length < y->length ? -1 : 1;
    }
    return x->mark < y->mark ? -1 : x->mark > y->mark;
}

size_t top_list(const struct top *top, struct top_entry *out, size_t room)
{
    struct top_entry *all = xcalloc((size_t)top->used + 1, sizeof *all);
    for (uint32_t i = 0; i < top->used; i++) {
        const struct cell *cell = &top->cell[i];
        all[i] = (struct top_entry){
            .key = {cell->key != NULL ? cell->key : "", kept(cell->length)},
            .length = cell->length,
            .mark = cell->mark,
            .count = top->bucket[cell->bucket].count,
            .error = cell->error,
            .cell = i,
        };
    }
    qsort(all, top->used, sizeof *all, compare_entries);
    size_t count = top->used < room ? top->used : room;
    for (size_t i = 0; i < count; i++) {
        out[i] = all[i];
    }
    free(all);
    return count;
}

uint64_t top_floor(const struct top *top)
{
    return top->used < top->cells ? 0 : top->bucket[top->lowest].count;
}
