/*
 * keyset: bytes in one arena, offsets beside it.
 */
#include "place/keyset.h"

#include "base/alloc.h"
#include "base/check.h"
#include "place/key.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct hashed {
    uint64_t *hash[2]; /* of the whole key, of the tag; NULL: not asked for yet */
};

struct keyset {
    char *arena;
    size_t used, arena_room;
    uint64_t *start; /* count + 1 of them */
    uint64_t *load;
    size_t count, room;
    struct hashed hashed[HASH_COUNT];
    uint32_t *order;
};

struct keyset *keyset_new(void)
{
    struct keyset *keys = xcalloc(1, sizeof *keys);
    keys->room = 16;
    keys->start = xcalloc(keys->room + 1, sizeof *keys->start);
    keys->load = xcalloc(keys->room, sizeof *keys->load);
    return keys;
}

/* What was worked out of all keys. */
static void forget(struct keyset *keys)
{
    for (int hash = 0; hash < HASH_COUNT; hash++) {
        for (int tags = 0; tags < 2; tags++) {
            free(keys->hashed[hash].hash[tags]);
            keys->hashed[hash].hash[tags] = NULL;
        }
    }
    free(keys->order);
    keys->order = NULL;
}

void keyset_free(struct keyset *keys)
{
    if (!keys) {
        return;
    }
    forget(keys);
    free(keys->arena);
    free(keys->start);
    free(keys->load);
    free(keys);
}

static void make_room(struct keyset *keys, size_t length)
{
    if (keys->count == keys->room) {
        keys->room *= 2;
        keys->start = xrealloc(keys->start, keys->room + 1, sizeof *keys->start);
        keys->load = xrealloc(keys->load, keys->room, sizeof *keys->load);
    }
    if (keys->used + length > keys->arena_room) {
        keys->arena_room = 2 * (keys->used + length) + 256;
        keys->arena = xrealloc(keys->arena, keys->arena_room, 1);
    }
}

bool keyset_add(struct keyset *keys, struct bytes key, uint64_t load, struct err *err)
{
    if (keys->count == KEYSET_KEYS_MAX) {
        return err_set(err, "more than %zu keys do not fit; give fewer", KEYSET_KEYS_MAX);
    }
    forget(keys);
    make_room(keys, key.length);
    if (key.length > 0) {
        memcpy(keys->arena + keys->used, key.at, key.length);
    }
    keys->used += key.length;
    keys->load[keys->count++] = load;
    keys->start[keys->count] = keys->used;
    return true;
}

struct keyset *keyset_synthetic(size_t count)
{
    struct keyset *keys = keyset_new();
    struct err err;
    CHECK(count <= KEYSET_KEYS_MAX);
    for (size_t i = 0; i < count; i++) {
        char text[24];
        int length = snprintf(text, sizeof text, "k%zu", i);
        CHECK(keyset_add(keys, (struct bytes){text, (size_t)length}, 1, &err));
    }
    return keys;
}

size_t keyset_count(const struct keyset *keys)
{
    return keys->count;
}

struct bytes keyset_key(const struct keyset *keys, size_t index)
{
    CHECK(index < keys->count);
    uint64_t start = keys->start[index];
    return (struct bytes){keys->arena ? keys->arena + start : "", keys->start[index + 1] - start};
}

uint64_t keyset_load(const struct keyset *keys, size_t index)
{
    CHECK(index < keys->count);
    return keys->load[index];
}

void keyset_set_load(struct keyset *keys, size_t index, uint64_t load)
{
    CHECK(index < keys->count);
    keys->load[index] = load;
}

const uint64_t *keyset_loads(const struct keyset *keys)
{
    return keys->load;
}

const uint64_t *keyset_hashes(struct keyset *keys, enum hash_id hash, bool tags)
{
    CHECK((unsigned)hash < HASH_COUNT);
    uint64_t **list = &keys->hashed[hash].hash[tags];
    if (!*list) {
        *list = xcalloc(keys->count + 1, sizeof **list);
        for (size_t i = 0; i < keys->count; i++) {
            struct bytes key = keyset_key(keys, i);
            (*list)[i] = hash_of(hash, tags ? key_tag(key) : key);
        }
    }
    return *list;
}

/* A key's place in the sort: its first bytes as a number save most comparisons of bytes. */
struct sorted {
    uint64_t first; /* eight bytes, the first one highest, zeros beyond the end */
    uint32_t length;
    uint32_t index;
    const char *at;
};

static uint64_t first_bytes(struct bytes key)
{
    uint64_t number = 0;
    for (size_t i = 0; i < 8; i++) {
        number = number << 8 | (i < key.length ? (unsigned char)key.at[i] : 0);
    }
    return number;
}

static int compare(const void *left, const void *right)
{
    const struct sorted *a = left;
    const struct sorted *b = right;
    if (a->first != b->first) {
        return a->first < b->first ? -1 : 1;
    }
    uint32_t shorter = a->length < b->length ? a->length : b->length;
    int order = memcmp(a->at, b->at, shorter);
    if (order != 0) {
        return order;
    }
    if (a->length != b->length) {
        return a->length < b->length ? -1 : 1;
    }
    return a->index < b->index ? -1 : a->index > b->index;
}

const uint32_t *keyset_order(struct keyset *keys)
{
    if (keys->order) {
        return keys->order;
    }
    struct sorted *sorted = xcalloc(keys->count + 1, sizeof *sorted);
    for (size_t i = 0; i < keys->count; i++) {
        struct bytes key = keyset_key(keys, i);
        sorted[i] = (struct sorted){first_bytes(key), (uint32_t)key.length, (uint32_t)i, key.at};
    }
    qsort(sorted, keys->count, sizeof *sorted, compare);
    keys->order = xcalloc(keys->count + 1, sizeof *keys->order);
    for (size_t i = 0; i < keys->count; i++) {
        keys->order[i] = sorted[i].index;
    }
    free(sorted);
    return keys->order;
}
