/*
 * sketch: counting in a fixed number of cells.
 */
#include "proto/sketch.h"

#include <stddef.h>

static bool is_free(const struct sketch_cell *cell)
{
    return sketch_estimate(cell) == 0;
}

/* Where the key's cell is; `count`: it has none. */
static uint32_t place(const struct sketch_cell *cells, uint32_t count, uint32_t key)
{
    uint32_t at = 0;
    while (at < count && (cells[at].key != key || is_free(&cells[at]))) {
        at++;
    }
    return at;
}

/* The first of the cells with the least estimate: a free one, if there is any. */
static uint32_t least(const struct sketch_cell *cells, uint32_t count)
{
    uint32_t at = 0;
    for (uint32_t i = 1; i < count; i++) {
        if (sketch_estimate(&cells[i]) < sketch_estimate(&cells[at])) {
            at = i;
        }
    }
    return at;
}

void sketch_add(struct sketch_cell *cells, uint32_t count, uint32_t key, bool read)
{
    uint32_t at = place(cells, count, key);
    struct sketch_cell *cell = &cells[at < count ? at : least(cells, count)];
    if (at == count) {
        *cell = (struct sketch_cell){.key = key, .error = sketch_estimate(cell)};
    }
    if (read) {
        cell->reads++;
    } else {
        cell->writes++;
    }
}

const struct sketch_cell *sketch_find(const struct sketch_cell *cells, uint32_t count, uint32_t key)
{
    uint32_t at = place(cells, count, key);
    return at < count ? &cells[at] : NULL;
}

uint32_t sketch_floor(const struct sketch_cell *cells, uint32_t count)
{
    return sketch_estimate(&cells[least(cells, count)]);
}

/* Highest estimate first; equals by key, so that the order is always the same. */
static bool before(const struct sketch_cell *a, const struct sketch_cell *b)
{
    uint32_t x = sketch_estimate(a);
    uint32_t y = sketch_estimate(b);
    return x != y ? x > y : x > 0 && a->key < b->key;
}

static void sort(struct sketch_cell *cells, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        struct sketch_cell cell = cells[i];
        uint32_t at = i;
        for (; at > 0 && before(&cell, &cells[at - 1]); at--) {
            cells[at] = cells[at - 1];
        }
        cells[at] = cell;
    }
}

void sketch_merge(struct sketch_cell *into, const struct sketch_cell *from, uint32_t count)
{
    /* A key that is in one sketch alone may have been in the other up to that one's floor. */
    uint32_t floor_into = sketch_floor(into, count);
    uint32_t floor_from = sketch_floor(from, count);
    uint32_t end = count;
    for (uint32_t i = 0; i < count; i++) {
        if (!is_free(&from[i]) && place(into, count, from[i].key) == count) {
            into[end] = from[i];
            into[end++].error += floor_into;
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        struct sketch_cell *cell = &into[i];
        if (is_free(cell)) {
            continue;
        }
        const struct sketch_cell *other = sketch_find(from, count, cell->key);
        if (other == NULL) {
            cell->error += floor_from;
        } else {
            cell->reads += other->reads;
            cell->writes += other->writes;
            cell->error += other->error;
        }
    }
    sort(into, end);
    sketch_clear(into + count, count);
}

void sketch_clear(struct sketch_cell *cells, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        cells[i] = (struct sketch_cell){0};
    }
}
