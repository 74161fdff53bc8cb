/*
 * The figures of growth: what moves when a shard comes or goes, by the remainder and by slots; the
 * experiments of document 003 with its widget; logical shards on hosts. Part of test_figures.c.
 */
#ifndef HOTSHARD_TESTS_FIGURES_GROWTH_H
#define HOTSHARD_TESTS_FIGURES_GROWTH_H

#include "figures_keys.h"

/* Document 003's layout: FNV-1a over whole keys, 4,096 slots dealt in turn. */
static inline struct layout *layout_003(const struct scheme *scheme, uint32_t shards)
{
    struct layout_params params = layout_defaults(scheme);
    params.hash = HASH_FNV1A;
    params.tags = false;
    params.slots = 4096;
    struct layout *layout = layout_new(scheme, &params, shards, NULL);
    CHECK(layout != NULL);
    return layout;
}

static inline struct layout *layout_dealt(uint32_t slots, uint32_t shards, enum slots_deal deal)
{
    struct layout_params params = layout_defaults(&scheme_slots);
    params.slots = slots;
    params.deal = deal;
    return layout_new(&scheme_slots, &params, shards, NULL);
}

static inline void grow_to(struct layout *layout, uint32_t shards)
{
    while (layout_shards(layout) < shards) {
        CHECK(layout_add(layout, NULL));
    }
}

static inline uint64_t *hashes_of(const struct layout *layout, const char *prefix, size_t count)
{
    uint64_t *hashes = xcalloc(count, sizeof *hashes);
    for (size_t i = 0; i < count; i++) {
        hashes[i] = layout_hash(layout, bytes_of(keyed(prefix, (int64_t)i, "").text));
    }
    return hashes;
}

static inline uint64_t moved_between(const struct layout *before, const struct layout *after,
                                     const uint64_t *hashes, size_t count)
{
    struct movement m = movement_of_hashes(before, after, hashes, count);
    uint64_t moved = m.moved;
    movement_free(&m);
    return moved;
}

/* --- the remainder -----------------------------------------------------------------------------
 */

static inline struct layout *layout_mod(enum hash_id hash, uint32_t shards)
{
    struct layout_params params = layout_defaults(&scheme_mod_n);
    params.hash = hash;
    params.tags = true;
    struct layout *layout = layout_new(&scheme_mod_n, &params, shards, NULL);
    CHECK(layout != NULL);
    return layout;
}

/* The share of all hashes that move between a and b shards: one period of both says it. */
static inline double mod_share(int64_t a, int64_t b)
{
    struct layout *before = layout_mod(HASH_MIX64, (uint32_t)a);
    struct layout *after = layout_mod(HASH_MIX64, (uint32_t)b);
    size_t period = (size_t)(a * b);
    uint64_t *hashes = xcalloc(period, sizeof *hashes);
    for (size_t i = 0; i < period; i++) {
        hashes[i] = i;
    }
    double share = (double)moved_between(before, after, hashes, period) / (double)period;
    free(hashes);
    layout_free(before);
    layout_free(after);
    return share;
}

static inline void value_mod_percent(const struct figure *f, struct str *out)
{
    figures_add_real(out, mod_share(f->a, f->b) * 100);
}

/* So many of `text` move. */
static inline void value_mod_of(const struct figure *f, struct str *out)
{
    figures_add_real(out, mod_share(f->a, f->b) * strtod(f->text, NULL));
}

static inline void value_mod_stay(const struct figure *f, struct str *out)
{
    figures_add_real(out, (1 - mod_share(f->a, f->b)) * strtod(f->text, NULL));
}

/* A hash given as such, modulo a. */
static inline void value_mod_hash(const struct figure *f, struct str *out)
{
    struct layout *layout = layout_mod(HASH_MIX64, (uint32_t)f->a);
    figures_add_int(out, layout_owner_of_hash(layout, (uint64_t)f->b));
    layout_free(layout);
}

/* How many of the hashes in `text`, separated by blanks, move between a and b shards. */
static inline void value_mod_listed(const struct figure *f, struct str *out)
{
    struct layout *before = layout_mod(HASH_MIX64, (uint32_t)f->a);
    struct layout *after = layout_mod(HASH_MIX64, (uint32_t)f->b);
    uint64_t hashes[8];
    size_t count = 0;
    char *end;
    for (const char *at = f->text; *at != '\0'; at = end) {
        CHECK(count < 8);
        hashes[count++] = strtoull(at, &end, 10);
    }
    figures_add_int(out, (int64_t)moved_between(before, after, hashes, count));
    layout_free(before);
    layout_free(after);
}

static inline uint64_t *post_hashes(const struct layout *layout)
{
    uint64_t *hashes = xcalloc(POSTS, sizeof *hashes);
    for (int64_t post = 1; post <= POSTS; post++) {
        hashes[post - 1] = layout_hash(layout, bytes_of(keyed("post:{p", post, "}").text));
    }
    return hashes;
}

static inline void value_posts_mod(const struct figure *f, struct str *out)
{
    struct layout *before = layout_mod(HASH_CRC16, (uint32_t)f->a);
    struct layout *after = layout_mod(HASH_CRC16, (uint32_t)f->b);
    uint64_t *hashes = post_hashes(before);
    figures_add_int(out, (int64_t)moved_between(before, after, hashes, POSTS));
    free(hashes);
    layout_free(before);
    layout_free(after);
}

static inline void add_keys_each(struct str *out, const struct layout *layout,
                                 const uint64_t *hashes, size_t count)
{
    struct balance b = balance_of_hashes(layout, hashes, count);
    for (uint32_t i = 0; i < b.shards; i++) {
        figures_add_int(out, (int64_t)b.amount[i]);
    }
    balance_free(&b);
}

static inline void value_posts_mod_spread(const struct figure *f, struct str *out)
{
    struct layout *layout = layout_mod(HASH_CRC16, (uint32_t)f->a);
    uint64_t *hashes = post_hashes(layout);
    add_keys_each(out, layout, hashes, POSTS);
    free(hashes);
    layout_free(layout);
}

static inline void value_synthetic_mod(const struct figure *f, struct str *out)
{
    struct layout *before = layout_mod(HASH_CRC16, (uint32_t)f->a);
    struct layout *after = layout_mod(HASH_CRC16, (uint32_t)f->b);
    uint64_t *hashes = hashes_of(before, "k", 10000);
    figures_add_int(out, (int64_t)moved_between(before, after, hashes, 10000));
    free(hashes);
    layout_free(before);
    layout_free(after);
}

/* --- document 003, steps 2 and 3 ---------------------------------------------------------------
 */

#define USERS ((size_t)100000)

static inline const struct scheme *scheme_of(const struct figure *f)
{
    const struct scheme *scheme = scheme_by_name(f->text);
    CHECK(scheme != NULL);
    return scheme;
}

/* Keys user:0 to user:99999 that move from a to b shards; a is grown from four. */
static inline uint64_t users_moved(const struct figure *f)
{
    struct layout *before = layout_003(scheme_of(f), 4);
    grow_to(before, (uint32_t)f->a);
    struct layout *after = layout_copy(before);
    grow_to(after, (uint32_t)f->b);
    uint64_t *hashes = hashes_of(before, "user:", USERS);
    uint64_t moved = moved_between(before, after, hashes, USERS);
    free(hashes);
    layout_free(before);
    layout_free(after);
    return moved;
}

static inline void value_users_moved(const struct figure *f, struct str *out)
{
    figures_add_int(out, (int64_t)users_moved(f));
}

static inline void value_users_percent(const struct figure *f, struct str *out)
{
    figures_add_real(out, (double)users_moved(f) * 100 / (double)USERS);
}

static inline void value_users_spread(const struct figure *f, struct str *out)
{
    struct layout *layout = layout_003(scheme_of(f), (uint32_t)f->a);
    uint64_t *hashes = hashes_of(layout, "user:", USERS);
    add_keys_each(out, layout, hashes, USERS);
    free(hashes);
    layout_free(layout);
}

/* Slots per shard once four have grown to a; only those of the last when b is 1. */
static inline void value_slots_after(const struct figure *f, struct str *out)
{
    struct layout *layout = layout_003(&scheme_slots, 4);
    grow_to(layout, (uint32_t)f->a);
    for (uint32_t i = f->b == 1 ? (uint32_t)f->a - 1 : 0; i < layout_shards(layout); i++) {
        figures_add_int(out, slots_held(layout, i));
    }
    layout_free(layout);
}

static inline void value_fnv(const struct figure *f, struct str *out)
{
    figures_add_int(out, fnv1a32(f->text, strlen(f->text)));
}

/* All four-letter words over seven letters: shards of four (a = 4), or slots, that they use. */
static inline void value_fnv_trap(const struct figure *f, struct str *out)
{
    static const char letters[] = "aeimquy";
    struct layout *layout = layout_003(f->a == 4 ? &scheme_mod_n : &scheme_slots, 4);
    bool used[4096] = {false};
    int64_t count = 0;
    for (unsigned word = 0; word < 7 * 7 * 7 * 7; word++) {
        char text[4] = {letters[word % 7], letters[word / 7 % 7], letters[word / 49 % 7],
                        letters[word / 343]};
        struct bytes key = {.at = text, .length = 4};
        uint64_t at = f->a == 4 ? layout_owner(layout, key)
                                : layout_hash(layout, key) % layout_slot_count(layout);
        count += !used[at];
        used[at] = true;
    }
    layout_free(layout);
    figures_add_int(out, count);
}

/* --- document 003, the salted counter ----------------------------------------------------------
 */

/* Writes per shard when 80,000 users like one post over a ways, on b shards. */
static inline void salt_writes(const struct figure *f, uint64_t *writes)
{
    struct layout *shards = layout_003(&scheme_mod_n, (uint32_t)f->b);
    struct layout *ways = layout_003(&scheme_mod_n, (uint32_t)f->a);
    for (int64_t user = 0; user < 80000; user++) {
        uint32_t salt = layout_owner(ways, bytes_of(keyed("user:", user, "").text));
        struct key_text key = keyed("post:42:likes#", salt, "");
        const char *name = f->a == 1 ? "post:42:likes" : key.text;
        writes[layout_owner(shards, bytes_of(name))]++;
    }
    layout_free(shards);
    layout_free(ways);
}

static inline void value_salt_writes(const struct figure *f, struct str *out)
{
    uint64_t writes[8] = {0};
    salt_writes(f, writes);
    for (int64_t i = 0; i < f->b; i++) {
        figures_add_int(out, (int64_t)writes[i]);
    }
}

static inline void value_salt_busiest(const struct figure *f, struct str *out)
{
    uint64_t writes[8] = {0};
    uint64_t most = 0;
    salt_writes(f, writes);
    for (size_t i = 0; i < 8; i++) {
        most = writes[i] > most ? writes[i] : most;
    }
    figures_add_int(out, (int64_t)most);
}

static inline void value_salt_places(const struct figure *f, struct str *out)
{
    struct layout *shards = layout_003(&scheme_mod_n, (uint32_t)f->a);
    for (int64_t salt = 0; salt < f->a; salt++) {
        figures_add_int(out,
                        layout_owner(shards, bytes_of(keyed("post:42:likes#", salt, "").text)));
    }
    layout_free(shards);
}

/* Prefixes among 2,000 for which two of the suffixes 0 to 7 meet on one of eight shards. */
static inline void value_salt_collisions(const struct figure *f, struct str *out)
{
    struct prng random = prng_seeded(3, f->id);
    struct layout *shards = layout_003(&scheme_mod_n, 8);
    int64_t colliding = 0;
    for (int tried = 0; tried < 2000; tried++) {
        struct key_text prefix = keyed("key", (int64_t)prng_below(&random, 1000000000), "#");
        unsigned seen = 0;
        for (int64_t salt = 0; salt < 8; salt++) {
            seen |= 1u << layout_owner(shards, bytes_of(keyed(prefix.text, salt, "").text));
        }
        colliding += seen != 0xFF;
    }
    layout_free(shards);
    figures_add_int(out, colliding);
}

/* --- document 003, its widget (pinned in the figures' notes) -----------------------------------
 */

enum widget {
    WIDGET_KEYS = 1000,
    WIDGET_NEW = 50,
    WIDGET_SALTS = 8,
    CELEBRITY = 417,
    POPULAR = 0,
    CELEBRITY_LOAD,
    TIME_ORDERED,
    SALTED = 10 /* added to a workload: its celebrity is spread over eight sub-keys */
};

static inline int64_t widget_weight(int64_t workload, int64_t key)
{
    switch (workload) {
    case POPULAR:
        return key >= WIDGET_KEYS ? 0 : key % 10 == 7 ? 10 : 1;
    case CELEBRITY_LOAD:
        return key >= WIDGET_KEYS ? 0 : key == CELEBRITY ? 2997 : 7;
    default:
        return key >= WIDGET_KEYS ? 1 : 0;
    }
}

static inline struct key_text widget_key(int64_t key)
{
    struct key_text text;
    (void)snprintf(text.text, sizeof text.text, "key:%03lld", (long long)key);
    return text;
}

/* The hottest shard over its fair share: scheme `text`, a shards (grown from four), workload b. */
static inline void value_widget_hottest(const struct figure *f, struct str *out)
{
    struct layout *layout = layout_003(scheme_of(f), 4);
    grow_to(layout, (uint32_t)f->a);
    int64_t workload = f->b % SALTED;
    double loads[8] = {0};
    double total = 0;
    double most = 0;
    for (int64_t key = 0; key < WIDGET_KEYS + WIDGET_NEW; key++) {
        double weight = (double)widget_weight(workload, key);
        struct key_text name = widget_key(key);
        bool spread = f->b >= SALTED && workload == CELEBRITY_LOAD && key == CELEBRITY;
        total += weight;
        if (!spread) {
            loads[layout_owner(layout, bytes_of(name.text))] += weight;
            continue;
        }
        (void)snprintf(name.text + strlen(name.text), 2, "#");
        for (int64_t salt = 0; salt < WIDGET_SALTS; salt++) {
            struct key_text part = keyed(name.text, salt, "");
            loads[layout_owner(layout, bytes_of(part.text))] += weight / WIDGET_SALTS;
        }
    }
    for (int64_t i = 0; i < f->a; i++) {
        most = loads[i] > most ? loads[i] : most;
    }
    layout_free(layout);
    figures_add_real(out, most * (double)f->a / total);
}

/* Whole keys that move when a fifth shard comes (a = 0), or when it leaves again (a = 1). */
static inline void value_widget_moved(const struct figure *f, struct str *out)
{
    struct layout *before = layout_003(scheme_of(f), 4);
    grow_to(before, f->a == 0 ? 4 : 5);
    struct layout *after = layout_copy(before);
    if (f->a == 0) {
        grow_to(after, 5);
    } else {
        CHECK(layout_remove(after, 4, NULL));
    }
    uint64_t hashes[WIDGET_KEYS];
    for (int64_t key = 0; key < WIDGET_KEYS; key++) {
        hashes[key] = layout_hash(before, bytes_of(widget_key(key).text));
    }
    figures_add_int(out, (int64_t)moved_between(before, after, hashes, WIDGET_KEYS));
    layout_free(before);
    layout_free(after);
}

static inline void value_widget_share(const struct figure *f, struct str *out)
{
    (void)f;
    int64_t total = 0;
    for (int64_t key = 0; key < WIDGET_KEYS; key++) {
        total += widget_weight(CELEBRITY_LOAD, key);
    }
    figures_add_real(out, (double)widget_weight(CELEBRITY_LOAD, CELEBRITY) * 100 / (double)total);
}

/* --- logical shards, buckets, partitions: slots by other names ---------------------------------
 */

/* Of a slots on b shards: how many one holds, where all hold the same. */
static inline void value_slots_each(const struct figure *f, struct str *out)
{
    struct layout *layout = layout_dealt((uint32_t)f->a, (uint32_t)f->b, SLOTS_DEAL_RANGES);
    for (uint32_t i = 0; i < (uint32_t)f->b; i++) {
        CHECK(slots_held(layout, i) == slots_held(layout, 0));
    }
    figures_add_int(out, slots_held(layout, 0));
    layout_free(layout);
}

static inline void value_slots_average(const struct figure *f, struct str *out)
{
    struct layout *layout = layout_dealt((uint32_t)f->a, (uint32_t)f->b, SLOTS_DEAL_RANGES);
    double held = 0;
    for (uint32_t i = 0; i < layout_shards(layout); i++) {
        held += slots_held(layout, i);
    }
    figures_add_real(out, held / layout_shards(layout));
    layout_free(layout);
}

/* The most shards that a slots allow. */
static inline void value_slots_cap(const struct figure *f, struct str *out)
{
    uint32_t shards = 0;
    for (;;) {
        struct layout *layout = layout_dealt((uint32_t)f->a, shards + 1, SLOTS_DEAL_RANGES);
        if (layout == NULL) {
            break;
        }
        layout_free(layout);
        shards++;
    }
    figures_add_int(out, shards);
}

static inline int64_t slots_changed(const struct layout *before, const struct layout *after)
{
    int64_t changed = 0;
    for (uint32_t slot = 0; slot < layout_slot_count(before); slot++) {
        changed += layout_slot_owner(before, slot) != layout_slot_owner(after, slot);
    }
    return changed;
}

/* a slots dealt as ranges over some shards, then dealt anew over more: "from to" in `text`. */
static inline void value_slots_redealt(const struct figure *f, struct str *out)
{
    unsigned from = 0;
    unsigned to = 0;
    CHECK(sscanf(f->text, "%u %u", &from, &to) == 2);
    struct layout *before = layout_dealt((uint32_t)f->a, from, SLOTS_DEAL_RANGES);
    struct layout *after = layout_dealt((uint32_t)f->a, to, SLOTS_DEAL_RANGES);
    figures_add_int(out, slots_changed(before, after));
    layout_free(before);
    layout_free(after);
}

/* The same, but grown shard by shard; in percent of all slots when b is 100. */
static inline void value_slots_grown(const struct figure *f, struct str *out)
{
    unsigned from = 0;
    unsigned to = 0;
    CHECK(sscanf(f->text, "%u %u", &from, &to) == 2);
    struct layout *before = layout_dealt((uint32_t)f->a, from, SLOTS_DEAL_RANGES);
    struct layout *after = layout_copy(before);
    grow_to(after, to);
    int64_t changed = slots_changed(before, after);
    figures_add_int(out, f->b == 100 ? changed * 100 / f->a : changed);
    layout_free(before);
    layout_free(after);
}

static inline bool deals_evenly(uint32_t slots, uint32_t shards)
{
    struct layout *layout = layout_dealt(slots, shards, SLOTS_DEAL_ROUND_ROBIN);
    bool even = slots_held(layout, 0) == slots_held(layout, shards - 1);
    layout_free(layout);
    return even;
}

/* The numbers of shards from b to "to" over which a slots deal evenly; how many when b is 1. */
static inline void value_slots_divisors(const struct figure *f, struct str *out)
{
    int64_t count = 0;
    uint32_t to = (uint32_t)strtoul(f->text, NULL, 10);
    for (uint32_t shards = (uint32_t)f->b; shards <= to; shards++) {
        bool even = deals_evenly((uint32_t)f->a, shards);
        count += even;
        if (even && f->b > 1) {
            figures_add_int(out, shards);
        }
    }
    if (f->b == 1) {
        figures_add_int(out, count);
    }
}

/* "4 and 3": slots each of a on 3 and on 4. */
static inline void value_slots_each_two(const struct figure *f, struct str *out)
{
    struct layout *three = layout_dealt((uint32_t)f->a, 3, SLOTS_DEAL_RANGES);
    struct layout *four = layout_dealt((uint32_t)f->a, 4, SLOTS_DEAL_RANGES);
    str_addf(out, "%u and %u", slots_held(three, 0), slots_held(four, 0));
    layout_free(three);
    layout_free(four);
}

#endif
