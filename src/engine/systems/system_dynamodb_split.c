/*
 * system_dynamodb_split: when a partition of DynamoDB is cut, and where.
 *
 * By size, in the middle. For consumption, where what it was asked for in the last second comes out
 * most evenly: before or behind a key that is counted, or, where a key has many items, in the
 * middle of those. The first cuts isolate a frequent key, further ones go through its items. If no
 * cut leaves less to do on both sides, there is none.
 */
#include "engine/systems/system_dynamodb.h"

#define PARTITION_BYTES UINT64_C(10000000000)
#define HEAT_S 60 /* in a row, at the partition's maximum */

struct key_here { /* what a partition has of a key */
    uint64_t hash;
    uint64_t first, last; /* sort keys */
    uint64_t load;        /* requests in the last second */
};

/* What was asked for is at the end where sort keys grow, everywhere where there are many. */
static bool key_in_part(const struct world *w, const struct part_row *p, uint32_t key,
                        enum kind_of_work work, struct key_here *out)
{
    const struct system_row *row = system_in(w, SYSTEM_DYNAMODB);
    const struct system_tag *tag = system_tags_in(w) + key;
    out->hash = kinesis_hash_key((struct bytes){.at = tag->text, .length = tag->length}).high;
    out->load = row->key[key].second.asked[work];
    if (out->load == 0 || out->hash < p->first.high || out->hash > p->last.high) {
        return false;
    }
    out->first = out->hash == p->first.high ? p->first.low : 0;
    out->last = out->hash == p->last.high ? p->last.low : UINT64_MAX;
    uint64_t newest = row->setting[DYNAMODB_ITEMS] == ITEMS_ONE ? 0 : row->own[OWN_ITEMS];
    if (row->setting[DYNAMODB_ITEMS] == ITEMS_MANY) {
        out->load = (out->load * (((out->last - out->first) >> 32) + 1)) >> 32;
        return out->load > 0;
    }
    return newest >= out->first && newest <= out->last;
}

struct cut {
    struct u128 at;
    uint64_t worse; /* the load of the side that has more of it */
};

struct keys_here {
    struct key_here key[SYSTEM_KEYS_MAX];
    uint32_t count;
    uint64_t load;
};

/* Takes the cut if it is inside the partition and better. */
static void try_cut(const struct part_row *p, const struct keys_here *keys, struct u128 at,
                    struct cut *best)
{
    uint64_t below = 0;
    if (u128_order(at, p->first) <= 0 || u128_order(at, p->last) > 0) {
        return;
    }
    for (uint32_t i = 0; i < keys->count; i++) {
        const struct key_here *key = &keys->key[i];
        bool through = key->hash == at.high && at.low > key->first;
        below += through ? key->load / 2 : key->hash < at.high ? key->load : 0;
    }
    uint64_t above = keys->load - below;
    uint64_t worse = below > above ? below : above;
    if (worse < best->worse) {
        *best = (struct cut){.at = at, .worse = worse};
    }
}

static bool may_cut_items(const struct world *w)
{
    const struct system_row *row = system_in(w, SYSTEM_DYNAMODB);
    return row->setting[DYNAMODB_ITEMS] == ITEMS_MANY && row->setting[DYNAMODB_INDEX] == INDEX_NONE;
}

/* False: no cut makes it better. Where most of the load is of keys that are too many to be counted
 * each, the middle is taken. */
static bool best_cut(const struct world *w, uint16_t part, enum kind_of_work work, struct u128 *at)
{
    const struct part_row *p = part_in_system(w, SYSTEM_DYNAMODB, part);
    struct keys_here keys = {.count = 0};
    for (uint32_t key = 0; key < w->systems.keys; key++) {
        struct key_here *here = &keys.key[keys.count];
        if (key_in_part(w, p, key, work, here)) {
            keys.load += here->load;
            keys.count++;
        }
    }
    if (p->second.asked[work] > 2 * keys.load && p->first.high < p->last.high) {
        *at = u128_of(u128_halfway(p->first, p->last).high, 0);
        return u128_order(*at, p->first) > 0;
    }
    struct cut best = {.worse = keys.load};
    for (uint32_t i = 0; i < keys.count; i++) {
        const struct key_here *key = &keys.key[i];
        try_cut(p, &keys, u128_of(key->hash, 0), &best);
        if (key->hash < UINT64_MAX) {
            try_cut(p, &keys, u128_of(key->hash + 1, 0), &best);
        }
        if (may_cut_items(w)) {
            uint64_t middle = key->first + (key->last - key->first) / 2 + 1;
            try_cut(p, &keys, u128_of(key->hash, middle), &best);
        }
    }
    *at = best.at;
    return best.worse < keys.load;
}

static enum no_split why_not(const struct world *w)
{
    const struct system_row *row = system_in(w, SYSTEM_DYNAMODB);
    switch (row->setting[DYNAMODB_ITEMS]) {
    case ITEMS_GROWING:
        return NO_SPLIT_GROWING;
    case ITEMS_MANY:
        return NO_SPLIT_INDEX;
    default:
        return NO_SPLIT_ONE_ITEM;
    }
}

/* Turned away at the partition's maximum, not for want of the table's capacity. */
static bool is_pressed(const struct part_row *p, enum kind_of_work work)
{
    return p->second.throttled > 0 && p->second.asked[work] > p->second.ok[work] &&
           p->bucket[work].ceiling == system_dynamodb.limit[work];
}

static bool cut_part(struct world *w, uint16_t part, struct u128 at, enum systems_reason why,
                     int64_t load)
{
    uint16_t upper = system_part_split(w, SYSTEM_DYNAMODB, part, at, why, load);
    if (upper == NO_PART) {
        return false;
    }
    struct part_row *a = part_of_system(w, SYSTEM_DYNAMODB, part);
    struct part_row *b = part_of_system(w, SYSTEM_DYNAMODB, upper);
    for (uint32_t work = 0; work < WORK_KINDS; work++) {
        a->saved[work] /= 2;
        b->saved[work] = a->saved[work];
    }
    return true;
}

bool dynamodb_splits(struct world *w, uint16_t part)
{
    struct part_row *p = part_of_system(w, SYSTEM_DYNAMODB, part);
    enum kind_of_work work = is_pressed(p, WORK_WRITE) ? WORK_WRITE : WORK_READ;
    int64_t load = (int64_t)counts_asked(&p->second);
    struct u128 at;
    if (p->bytes > PARTITION_BYTES) {
        return cut_part(w, part, u128_halfway(p->first, p->last), REASON_SYSTEMS_SPLIT_SIZE,
                        (int64_t)p->bytes);
    }
    p->hot_s = is_pressed(p, work) ? p->hot_s + 1 : 0;
    if (p->hot_s < HEAT_S) {
        return false;
    }
    p->hot_s = 0;
    if (best_cut(w, part, work, &at)) {
        return cut_part(w, part, at, REASON_SYSTEMS_SPLIT_LOAD, load);
    }
    system_note(w, SYSTEM_DYNAMODB, part, REASON_SYSTEMS_NO_SPLIT, why_not(w), load,
                p->key == KEY_OTHER ? 0 : p->key + 1);
    return false;
}
