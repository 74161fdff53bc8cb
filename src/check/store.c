/*
 * store: see store.h.
 */
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE 1 /* for madvise: POSIX knows no larger pages */
#endif
#include "check/store.h"
#include "base/alloc.h"
#include "base/check.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define LARGE ((size_t)32 << 20)
#define PAGE ((size_t)1 << 16) /* a multiple of every page size in use */

size_t store_bytes_each(size_t state_size)
{
    return state_size + 2 * sizeof(uint64_t) + sizeof(uint32_t);
}

/* Memory that is read here and there costs a search through the page tables each time; with larger
 * pages these tables are short. A hint: nothing depends on whether it is taken, and a small search
 * would only wait for large pages to be cleared. */
static void ask_for_large_pages(void *memory, size_t bytes)
{
#ifdef MADV_HUGEPAGE
    if (bytes >= LARGE) {
        size_t skip = PAGE - (uintptr_t)memory % PAGE;
        (void)madvise((unsigned char *)memory + skip, (bytes - skip) / PAGE * PAGE, MADV_HUGEPAGE);
    }
#else
    (void)memory;
    (void)bytes;
#endif
}

void store_open(struct store *s, size_t state_size, uint32_t capacity)
{
    CHECK(state_size > 0 && state_size % 16 == 0);
    CHECK(capacity > 0 && capacity < UINT32_MAX / 2 - STORE_SPARE);
    size_t room = (size_t)capacity + STORE_SPARE;
    *s = (struct store){
        .slots = 2 * (uint64_t)room,
        .hash_mask = UINT64_MAX,
        .state_size = state_size,
        .capacity = capacity,
    };
    s->state = xmalloc(room * state_size);
    s->slot = xcalloc((size_t)s->slots, sizeof *s->slot);
    s->cost = xcalloc(room, sizeof *s->cost);
    ask_for_large_pages(s->state, room * state_size);
    ask_for_large_pages(s->slot, (size_t)s->slots * sizeof *s->slot);
}

void store_close(struct store *s)
{
    free(s->state);
    free(s->slot);
    free(s->cost);
    *s = (struct store){0};
}

/* What a slot with our tag holds, once its owner has written the position. */
static uint64_t wait_for_position(_Atomic uint64_t *slot)
{
    uint64_t held = atomic_load_explicit(slot, memory_order_acquire);
    while ((held & STORE_POSITION_BITS) == STORE_POSITION_BITS) {
        held = atomic_load_explicit(slot, memory_order_acquire);
    }
    return held;
}

/* The slot is ours: nobody else reads or writes what belongs to it until the last store. */
static void keep(struct store *s, _Atomic uint64_t *slot, const void *state, uint64_t tag)
{
    uint32_t position = atomic_fetch_add_explicit(&s->count, 1, memory_order_relaxed);
    CHECK(position < s->capacity + STORE_SPARE);
    memcpy(s->state + (size_t)position * s->state_size, state, s->state_size);
    atomic_store_explicit(slot, tag | (position + 1), memory_order_release);
}

enum store_found store_add(struct store *s, const void *state, uint64_t hash)
{
    uint64_t tag = hash << 32;
    uint64_t at = store_home(s, hash);
    for (;;) {
        _Atomic uint64_t *slot = &s->slot[at];
        uint64_t held = atomic_load_explicit(slot, memory_order_acquire);
        if (held == 0) {
            if (atomic_load_explicit(&s->count, memory_order_relaxed) >= s->capacity) {
                return STORE_FULL;
            }
            if (atomic_compare_exchange_strong_explicit(slot, &held, tag | STORE_POSITION_BITS,
                                                        memory_order_acquire,
                                                        memory_order_acquire)) {
                keep(s, slot, state, tag);
                return STORE_NEW;
            }
        }
        if (((held ^ tag) & ~STORE_POSITION_BITS) == 0) {
            held = wait_for_position(slot);
            if (store_same(s, state, store_at(s, (uint32_t)(held & STORE_POSITION_BITS) - 1))) {
                return STORE_OLD;
            }
        }
        at = at + 1 == s->slots ? 0 : at + 1;
    }
}

uint32_t store_find(const struct store *s, const void *state)
{
    uint64_t hash = store_hash(s, state);
    uint64_t at = store_home(s, hash);
    for (;;) {
        uint64_t held = atomic_load_explicit(&s->slot[at], memory_order_relaxed);
        if (held == 0) {
            return STORE_NONE;
        }
        uint32_t position = (uint32_t)(held & STORE_POSITION_BITS) - 1;
        if ((uint32_t)(held >> 32) == (uint32_t)hash &&
            store_same(s, state, store_at(s, position))) {
            return position;
        }
        at = at + 1 == s->slots ? 0 : at + 1;
    }
}
