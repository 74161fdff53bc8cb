/*
 * playground_keys: the keys of each workload, and how often each is written.
 */
#include "tools/playground.h"

#include "base/alloc.h"
#include "base/check.h"
#include "base/prng.h"
#include <stdio.h>
#include <stdlib.h>

#define POPULAR_EVERY 10 /* the one that ends in 7 */
#define POPULAR_DIGIT 7
#define POPULAR_WEIGHT 10
#define CELEBRITY_WEIGHT 2997 /* of 9,990: 30% */
#define OTHERS_WEIGHT 7
#define ZIPF_FIRST 1000000

static uint64_t weight_of(enum play_workload workload, size_t key, size_t rank)
{
    switch (workload) {
    case WORKLOAD_POPULAR:
        return key % POPULAR_EVERY == POPULAR_DIGIT ? POPULAR_WEIGHT : 1;
    case WORKLOAD_CELEBRITY:
        return key == PLAY_HOT_KEY ? CELEBRITY_WEIGHT : OTHERS_WEIGHT;
    case WORKLOAD_TIME:
        return 0; /* nobody writes old keys */
    case WORKLOAD_ZIPF:
        return ZIPF_FIRST / (rank + 1);
    case WORKLOAD_UNIFORM:
        return 1;
    case WORKLOAD_LOG:
    case WORKLOAD_COUNT:
        break;
    }
    CHECK(false && "no workload of made-up keys");
    return 0;
}

struct drawn {
    uint64_t number;
    size_t key;
};

static int lower_first(const void *a, const void *b)
{
    const struct drawn *x = a;
    const struct drawn *y = b;
    return x->number < y->number ? -1 : x->number > y->number;
}

/* Ranks scattered over the keys: by a number drawn for each. */
static void draw_ranks(size_t rank[PLAY_KEYS_MAX])
{
    struct drawn drawn[PLAY_KEYS_MAX];
    for (size_t i = 0; i < PLAY_KEYS_MAX; i++) {
        drawn[i] = (struct drawn){mix64(i), i};
    }
    qsort(drawn, PLAY_KEYS_MAX, sizeof drawn[0], lower_first);
    for (size_t i = 0; i < PLAY_KEYS_MAX; i++) {
        rank[drawn[i].key] = i;
    }
}

static void add(struct keyset *keys, const char *name, uint64_t weight)
{
    CHECK(keyset_add(keys, bytes_of(name), weight, NULL));
}

/* What is inserted behind the last key is work for the range that ends with it. */
static uint64_t stored_weight(enum play_workload workload, size_t key, uint64_t weight)
{
    return workload == WORKLOAD_TIME && key == PLAY_KEYS_MAX - 1 ? PLAY_NEW_KEYS : weight;
}

static void make_up(struct play_keys *keys, enum play_workload workload)
{
    char name[24];
    size_t rank[PLAY_KEYS_MAX];
    draw_ranks(rank);
    for (size_t i = 0; i < PLAY_KEYS_MAX; i++) {
        uint64_t weight = weight_of(workload, i, rank[i]);
        snprintf(name, sizeof name, "key:%03zu", i);
        add(keys->all, name, weight);
        add(keys->stored, name, stored_weight(workload, i, weight));
    }
    for (size_t i = 0; workload == WORKLOAD_TIME && i < PLAY_NEW_KEYS; i++) {
        snprintf(name, sizeof name, "key:new%02zu", i); /* letters come after digits */
        add(keys->all, name, 1);
    }
}

static void take_log(struct play_keys *keys, const struct play_log *log)
{
    for (size_t i = 0; i < keyset_count(log->keys); i++) {
        struct bytes key = keyset_key(log->keys, i);
        uint64_t load = keyset_load(log->keys, i);
        CHECK(keyset_add(keys->all, key, load, NULL));
        CHECK(keyset_add(keys->stored, key, load, NULL));
    }
}

/* Shares of `rate` in whole numbers, none lost: each is what its sum brings the total to. */
static void share_out(struct play_keys *keys, uint32_t rate)
{
    uint64_t sum = 0;
    uint64_t given = 0;
    for (size_t i = 0; i < keyset_count(keys->all); i++) {
        sum += keyset_load(keys->all, i);
        uint64_t until = (uint64_t)((unsigned __int128)sum * rate / keys->weights);
        keyset_set_load(keys->all, i, until - given);
        given = until;
    }
    CHECK(given == rate);
}

struct play_keys *play_keys_new(enum play_workload workload, uint32_t rate,
                                const struct play_log *log)
{
    struct play_keys *keys = xcalloc(1, sizeof *keys);
    keys->all = keyset_new();
    keys->stored = keyset_new();
    if (workload == WORKLOAD_LOG) {
        take_log(keys, log);
    } else {
        make_up(keys, workload);
    }
    uint64_t most = 0;
    for (size_t i = 0; i < keyset_count(keys->all); i++) {
        uint64_t weight = keyset_load(keys->all, i);
        keys->weights += weight;
        if (weight > most) {
            most = weight;
            keys->hot = i;
        }
    }
    CHECK(keys->weights > 0);
    share_out(keys, rate);
    return keys;
}

void play_keys_free(struct play_keys *keys)
{
    if (!keys) {
        return;
    }
    keyset_free(keys->all);
    keyset_free(keys->stored);
    free(keys);
}
