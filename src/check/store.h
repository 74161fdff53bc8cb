/*
 * store: the states that were seen, each once.
 *
 * States stand one after the other in the order of their finding and are known by their position.
 * A table of twice as many slots finds them: open addressing, linear probing; a slot is 64 bits,
 * 32 of the hash as a tag and the position plus one. Tags only save comparisons: states are
 * compared in whole, so no state is ever taken for another. All memory is reserved at once.
 *
 * Several threads may add at once. A thread owns a slot between writing its tag and writing the
 * position; others that meet the tag wait for these few instructions.
 */
#ifndef HOTSHARD_CHECK_STORE_H
#define HOTSHARD_CHECK_STORE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define STORE_NONE UINT32_MAX
#define STORE_APART 128 /* bytes: the line of a processor's cache, and its neighbour */
#define STORE_POSITION_BITS UINT64_C(0xFFFFFFFF) /* of a slot; all ones: not written yet */
#define STORE_SPARE 16 /* how many threads may pass the capacity at once */

struct store {
    unsigned char *state;
    _Atomic uint64_t *slot;
    uint32_t *cost; /* a word for each state, for search and shortest to use as they like */
    uint64_t slots;
    uint64_t hash_mask; /* all ones; less makes states collide, for tests */
    size_t state_size;
    uint32_t capacity;
    /* Apart from what only is read, which would else wait for every state that is kept. May pass
     * the capacity by one a thread, into the spare room. */
    _Alignas(STORE_APART) _Atomic uint32_t count;
};

enum store_found {
    STORE_OLD,
    STORE_NEW,
    STORE_FULL /* not seen before, and no room to keep it */
};

size_t store_bytes_each(size_t state_size);
/* CHECKs that capacity is at least 1 and positions fit. */
void store_open(struct store *s, size_t state_size, uint32_t capacity);
void store_close(struct store *s);

enum store_found store_add(struct store *s, const void *state, uint64_t hash);
/* Its position, or STORE_NONE. Only while nobody adds. */
uint32_t store_find(const struct store *s, const void *state);

static inline const void *store_at(const struct store *s, uint32_t position)
{
    return s->state + (size_t)position * s->state_size;
}

static inline bool store_same(const struct store *s, const void *a, const void *b)
{
    /* Whole pairs of words, in line: a call of memcmp costs more than the comparison. */
    const unsigned char *x = a;
    const unsigned char *y = b;
    uint64_t differ = 0;
    for (size_t i = 0; i < s->state_size; i += 16) {
        uint64_t p[2];
        uint64_t q[2];
        __builtin_memcpy(p, x + i, sizeof p);
        __builtin_memcpy(q, y + i, sizeof q);
        differ |= (p[0] ^ q[0]) | (p[1] ^ q[1]);
    }
    return differ == 0;
}

/* Both halves of the product of two words: every bit of either reaches the result. */
static inline uint64_t store_fold(uint64_t a, uint64_t b)
{
    __extension__ unsigned __int128 product = (unsigned __int128)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static inline uint64_t store_hash(const struct store *s, const void *state)
{
    const unsigned char *at = state;
    uint64_t h = UINT64_C(0x9E3779B97F4A7C15);
    for (size_t i = 0; i < s->state_size; i += 16) {
        uint64_t word[2];
        __builtin_memcpy(word, at + i, sizeof word);
        h = store_fold(word[0] ^ UINT64_C(0xD6E8FEB86659FD93) ^ h,
                       word[1] ^ UINT64_C(0xA0761D6478BD642F));
    }
    return store_fold(h, UINT64_C(0xE7037ED1A0B428DB)) & s->hash_mask;
}

/* The upper half of the hash chooses the slot, the lower half is its tag. */
static inline uint64_t store_home(const struct store *s, uint64_t hash)
{
    return ((hash >> 32) * s->slots) >> 32;
}

/* Asks the processor for what store_add will read: first the slot, later what it points to. */
static inline void store_fetch_slot(const struct store *s, uint64_t hash)
{
    __builtin_prefetch(&s->slot[store_home(s, hash)]);
}

static inline void store_fetch_state(const struct store *s, uint64_t hash)
{
    uint64_t slot = atomic_load_explicit(&s->slot[store_home(s, hash)], memory_order_relaxed);
    uint32_t position = (uint32_t)(slot & STORE_POSITION_BITS);
    if (position != 0 && (uint32_t)(slot >> 32) == (uint32_t)hash) {
        __builtin_prefetch(store_at(s, position - 1));
    }
}

#endif
