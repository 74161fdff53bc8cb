/*
 * circle: see circle.h.
 */
#include "place/circle.h"

#include "base/alloc.h"
#include "base/check.h"
#include <stdlib.h>
#include <string.h>

#define ARC_BITS_MAX 24u

_Static_assert(LAYOUT_POINTS_MAX <= 1u << ARC_BITS_MAX, "one arc a point at least");

static bool comes_before(const struct ring_point *a, const struct ring_point *b)
{
    if (a->at != b->at) {
        return a->at < b->at;
    }
    return a->index != b->index ? a->index < b->index : a->token < b->token;
}

/* Points of one arc stand together already and are few, so an insertion sort has little to do. */
static void sort_nearly_sorted(struct ring_point *point, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        struct ring_point moves = point[i];
        size_t to = i;
        while (to > 0 && comes_before(&moves, &point[to - 1])) {
            point[to] = point[to - 1];
            to--;
        }
        point[to] = moves;
    }
}

/* Sorts the points by way of the index, which is worked out first. Takes `point`. */
static void settle(struct circle *circle, struct ring_point *point, size_t count)
{
    unsigned bits = 1;
    CHECK(count > 0 && count <= LAYOUT_POINTS_MAX);
    while (bits < ARC_BITS_MAX && (size_t)1 << bits < count) {
        bits++;
    }
    size_t arcs = (size_t)1 << bits;
    struct ring_point *sorted = xcalloc(count + 1, sizeof *sorted);
    uint32_t *first = xcalloc(arcs + 1, sizeof *first);
    uint32_t *next = xcalloc(arcs, sizeof *next);

    circle->shift = 64 - bits;
    for (size_t i = 0; i < count; i++) {
        first[(point[i].at >> circle->shift) + 1]++;
    }
    for (size_t arc = 0; arc < arcs; arc++) {
        first[arc + 1] += first[arc];
    }
    memcpy(next, first, arcs * sizeof *next);
    for (size_t i = 0; i < count; i++) {
        sorted[next[point[i].at >> circle->shift]++] = point[i];
    }
    sort_nearly_sorted(sorted, count);
    sorted[count] = (struct ring_point){UINT64_MAX, sorted[0].index, sorted[0].token};
    free(next);
    free(point);
    free(circle->point);
    free(circle->first);
    circle->point = sorted;
    circle->first = first;
    circle->count = count;
}

void circle_join(struct circle *circle, const struct ring_point *point, size_t count)
{
    struct ring_point *all = xcalloc(circle->count + count, sizeof *all);
    if (circle->count > 0) {
        memcpy(all, circle->point, circle->count * sizeof *all);
    }
    memcpy(all + circle->count, point, count * sizeof *all);
    settle(circle, all, circle->count + count);
}

void circle_trim(struct circle *circle, uint32_t index, uint32_t tokens)
{
    struct ring_point *kept = xcalloc(circle->count, sizeof *kept);
    size_t count = 0;
    for (size_t i = 0; i < circle->count; i++) {
        if (circle->point[i].index != index || circle->point[i].token < tokens) {
            kept[count++] = circle->point[i];
        }
    }
    settle(circle, kept, count);
}

void circle_leave(struct circle *circle, uint32_t index)
{
    circle_trim(circle, index, 0);
    for (size_t i = 0; i <= circle->count; i++) {
        circle->point[i].index -= circle->point[i].index > index;
    }
}

void circle_copy_lists(struct circle *circle)
{
    size_t points = circle->count + 1;
    size_t arcs = ((size_t)1 << (64 - circle->shift)) + 1;
    struct ring_point *point = xcalloc(points, sizeof *point);
    uint32_t *first = xcalloc(arcs, sizeof *first);
    memcpy(point, circle->point, points * sizeof *point);
    memcpy(first, circle->first, arcs * sizeof *first);
    circle->point = point;
    circle->first = first;
}

void circle_free(struct circle *circle)
{
    free(circle->point);
    free(circle->first);
}

size_t circle_memory(const struct circle *circle)
{
    return circle->count * sizeof *circle->point +
           ((size_t)1 << (64 - circle->shift)) * sizeof *circle->first;
}

uint32_t circle_owner_of_hash(const void *state, uint64_t hash)
{
    return circle_owner(state, hash);
}

void circle_owners_of_hashes(const void *state, const uint64_t *hash, size_t count, uint32_t *owner)
{
    const struct circle *circle = state;
    for (size_t i = 0; i < count; i++) {
        owner[i] = circle_owner(circle, hash[i]);
    }
}
