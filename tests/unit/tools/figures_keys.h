/*
 * The figures of the story that follow from where its keys live: slots, tags, the sixteen posts,
 * and blocks of slots for a fifth shard. Part of test_figures.c.
 */
#ifndef HOTSHARD_TESTS_FIGURES_KEYS_H
#define HOTSHARD_TESTS_FIGURES_KEYS_H

#include "base/check.h"
#include "base/prng.h"
#include "figures.h"
#include "place/crc16.h"
#include "place/key.h"
#include "place/layout.h"
#include "place/measure.h"

enum story_input {
    POSTS = 16,
    SHARDS = 4,
    LIKES = 50,         /* a second on a quiet post */
    VIRAL_LIKES = 2400, /* on p9 */
    CEILING = 1000,     /* writes a second of a shard */
    SAFE = CEILING * 8 / 10,
    SALTS_MAX = 64,
    BLOCK_SMALL = 819 /* the fifth of a shard's slots, rounded */
};

static inline struct layout *layout_like_redis(uint32_t shards)
{
    struct layout_params params = layout_defaults(&scheme_slots);
    params.deal = SLOTS_DEAL_RANGES;
    struct layout *layout = layout_new(&scheme_slots, &params, shards, NULL);
    CHECK(layout != NULL);
    return layout;
}

static inline uint32_t shard_of(const char *key, uint32_t shards)
{
    struct layout *layout = layout_like_redis(shards);
    uint32_t owner = layout_owner(layout, bytes_of(key));
    layout_free(layout);
    return owner;
}

/* A key made of a prefix, a number and a suffix. */
struct key_text {
    char text[64];
};

static inline struct key_text keyed(const char *prefix, int64_t number, const char *suffix)
{
    struct key_text key;
    int length = snprintf(key.text, sizeof key.text, "%s%lld%s", prefix, (long long)number, suffix);
    CHECK(length > 0 && (size_t)length < sizeof key.text);
    return key;
}

static inline uint16_t post_slot(int64_t post)
{
    return key_slot(bytes_of(keyed("post:{p", post, "}").text));
}

static inline uint32_t post_shard(int64_t post)
{
    return shard_of(keyed("post:{p", post, "}").text, SHARDS);
}

/* --- slots and tags ----------------------------------------------------------------------------
 */

static inline void value_crc(const struct figure *f, struct str *out)
{
    figures_add_int(out, crc16(f->text, strlen(f->text)));
}

static inline void value_slot(const struct figure *f, struct str *out)
{
    figures_add_int(out, key_slot(bytes_of(f->text)));
}

static inline void value_tag(const struct figure *f, struct str *out)
{
    struct bytes tag = key_tag(bytes_of(f->text));
    if (bytes_equal(tag, bytes_of(" "))) {
        str_add(out, "(one space)");
    } else {
        str_addn(out, tag.at, tag.length);
    }
}

/* One bit after the other, as the definition says; the table must agree. */
static inline uint16_t crc_by_bits(const uint8_t *data, size_t length)
{
    unsigned crc = 0;
    for (size_t i = 0; i < length; i++) {
        crc ^= (unsigned)data[i] << 8;
        for (int bit = 0; bit < 8; bit++) {
            crc = (crc << 1 ^ (crc & 0x8000u ? 0x1021u : 0)) & 0xFFFFu;
        }
    }
    return (uint16_t)crc;
}

static inline void value_second_opinion(const struct figure *f, struct str *out)
{
    struct prng random = prng_seeded(1, f->id);
    bool agree = true;
    for (size_t length = 0; length < 200; length++) {
        uint8_t data[200] = {0};
        for (size_t i = 0; i < length; i++) {
            data[i] = (uint8_t)prng_below(&random, 256);
        }
        agree = agree && crc16(data, length) == crc_by_bits(data, length);
    }
    str_add(out, agree ? "yes" : "no");
}

/* How many slots are the shard's. */
static inline uint32_t slots_held(const struct layout *layout, uint32_t id)
{
    uint32_t held = 0;
    for (uint32_t slot = 0; slot < layout_slot_count(layout); slot++) {
        held += layout_slot_owner(layout, slot) == id;
    }
    return held;
}

static inline void slot_range(const struct layout *layout, uint32_t id, uint32_t *first,
                              uint32_t *last)
{
    *first = UINT32_MAX;
    for (uint32_t slot = 0; slot < layout_slot_count(layout); slot++) {
        if (layout_slot_owner(layout, slot) == id) {
            *first = *first == UINT32_MAX ? slot : *first;
            *last = slot;
        }
    }
    CHECK(*first != UINT32_MAX);
}

static inline void value_range(const struct figure *f, struct str *out)
{
    struct layout *layout = layout_like_redis((uint32_t)f->a);
    uint32_t first;
    uint32_t last = 0;
    slot_range(layout, (uint32_t)f->b, &first, &last);
    str_addf(out, "%u-%u", first, last);
    layout_free(layout);
}

static inline void value_range_sizes(const struct figure *f, struct str *out)
{
    struct layout *layout = layout_like_redis((uint32_t)f->a);
    for (uint32_t shard = 0; shard < (uint32_t)f->b; shard++) {
        figures_add_int(out, slots_held(layout, shard));
    }
    layout_free(layout);
}

static inline void value_owner(const struct figure *f, struct str *out)
{
    figures_add_int(out, shard_of(f->text, (uint32_t)f->a));
}

static inline void value_post_slot(const struct figure *f, struct str *out)
{
    figures_add_int(out, post_slot(f->a));
}

static inline void value_posts_on(const struct figure *f, struct str *out)
{
    for (int64_t post = 1; post <= POSTS; post++) {
        if (post_shard(post) == f->a) {
            figures_add_word(out, keyed("p", post, "").text);
        }
    }
}

static inline void value_posts_count(const struct figure *f, struct str *out)
{
    int64_t count = 0;
    for (int64_t post = 1; post <= POSTS; post++) {
        count += post_shard(post) == f->a;
    }
    figures_add_int(out, count);
}

/* How many different slots the keys of `text`, separated by blanks, have. */
static inline void value_distinct_slots(const struct figure *f, struct str *out)
{
    static const size_t room = 16;
    uint16_t seen[16];
    size_t count = 0;
    for (const char *at = f->text; *at != '\0';) {
        struct bytes key = {.at = at, .length = strcspn(at, " ")};
        uint16_t slot = key_slot(key);
        size_t i = 0;
        while (i < count && seen[i] != slot) {
            i++;
        }
        if (i == count) {
            CHECK(count < room);
            seen[count++] = slot;
        }
        at += key.length + strspn(at + key.length, " ");
    }
    figures_add_int(out, (int64_t)count);
}

/* The slot that the keys of `text`, separated by blanks, share. */
static inline void value_same_slot(const struct figure *f, struct str *out)
{
    const char *at = f->text;
    uint16_t common = key_slot((struct bytes){.at = at, .length = strcspn(at, " ")});
    while (*(at += strcspn(at, " ")) != '\0') {
        at += strspn(at, " ");
        if (key_slot((struct bytes){.at = at, .length = strcspn(at, " ")}) != common) {
            str_add(out, "they differ");
            return;
        }
    }
    figures_add_int(out, common);
}

/* The slot that all keys of `text` with 0 to a in place of '@' share. */
static inline void value_common_slot(const struct figure *f, struct str *out)
{
    const char *hole = strchr(f->text, '@');
    CHECK(hole != NULL);
    int64_t common = -1;
    for (int64_t i = 0; i <= f->a; i++) {
        struct str key = STR_EMPTY;
        str_addn(&key, f->text, (size_t)(hole - f->text));
        str_addf(&key, "%lld%s", (long long)i, hole + 1);
        uint16_t slot = key_slot(bytes_of(key.text));
        str_free(&key);
        if (common >= 0 && common != slot) {
            str_add(out, "they differ");
            return;
        }
        common = slot;
    }
    figures_add_int(out, common);
}

static inline void value_range_length(const struct figure *f, struct str *out)
{
    int64_t count = 0;
    for (int64_t slot = 0; slot < SLOT_COUNT; slot++) {
        count += slot >= f->a && slot <= f->b;
    }
    figures_add_int(out, count);
}

/* --- blocks of slots for a fifth shard, and cuts of S2 -----------------------------------------
 */

struct block {
    int64_t choices;
    int64_t first; /* slot of the lowest block */
    bool carries[POSTS + 1];
};

/* All blocks of `size` slots inside the range of `shard` that hold exactly one post. */
static inline struct block scan_blocks(uint32_t shard, int64_t size)
{
    struct block found = {.first = -1};
    struct layout *layout = layout_like_redis(SHARDS);
    uint32_t low;
    uint32_t high = 0;
    slot_range(layout, shard, &low, &high);
    layout_free(layout);
    for (int64_t start = low; start + size - 1 <= high; start++) {
        int64_t inside = 0;
        int64_t which = 0;
        for (int64_t post = 1; post <= POSTS; post++) {
            bool held = post_slot(post) >= start && post_slot(post) < start + size;
            inside += held;
            which = held ? post : which;
        }
        if (inside == 1) {
            found.first = found.first < 0 ? start : found.first;
            found.choices++;
            found.carries[which] = true;
        }
    }
    return found;
}

static inline void value_block_choices(const struct figure *f, struct str *out)
{
    figures_add_int(out, scan_blocks((uint32_t)f->a, f->b).choices);
}

static inline void value_block_posts(const struct figure *f, struct str *out)
{
    struct block found = scan_blocks((uint32_t)f->a, f->b);
    for (int64_t post = 1; post <= POSTS; post++) {
        if (found.carries[post]) {
            figures_add_word(out, keyed("p", post, "").text);
        }
    }
}

static inline void value_block_first(const struct figure *f, struct str *out)
{
    int64_t first = scan_blocks((uint32_t)f->a, f->b).first;
    str_addf(out, "%lld-%lld", (long long)first, (long long)(first + f->b - 1));
}

/* The fifth shard's share, the last shard giving one slot more so that it is rounded up. */
static inline int64_t block_size(uint32_t shard)
{
    return shard < SHARDS - 1 ? BLOCK_SMALL
                              : (SLOT_COUNT + SHARDS) / (SHARDS + 1) - (SHARDS - 1) * BLOCK_SMALL;
}

static inline void value_block_keys(const struct figure *f, struct str *out)
{
    int64_t inside = 0;
    int64_t first[SHARDS];
    for (uint32_t shard = 0; shard < SHARDS; shard++) {
        first[shard] = scan_blocks(shard, block_size(shard)).first;
    }
    for (int64_t i = 0; i < f->a; i++) {
        int64_t slot = key_slot(bytes_of(keyed("k", i, "").text));
        for (uint32_t shard = 0; shard < SHARDS; shard++) {
            inside += slot >= first[shard] && slot < first[shard] + block_size(shard);
        }
    }
    figures_add_int(out, inside);
}

static inline void value_block_percent(const struct figure *f, struct str *out)
{
    (void)f;
    int64_t slots = 0;
    for (uint32_t shard = 0; shard < SHARDS; shard++) {
        slots += block_size(shard);
    }
    figures_add_real(out, (double)slots * 100 / SLOT_COUNT);
}

static inline int64_t middle_of_s2(void)
{
    struct layout *layout = layout_like_redis(2 * SHARDS);
    uint32_t first;
    uint32_t last = 0;
    slot_range(layout, 5, &first, &last); /* the upper half of S2 */
    layout_free(layout);
    return first;
}

static inline void value_middle(const struct figure *f, struct str *out)
{
    (void)f;
    figures_add_int(out, middle_of_s2());
}

/* Likes a second on S2 below the cut (b = 0) or from it on (b = 1); a is the post cut at, 0 the
 * middle. */
static inline void value_cut_load(const struct figure *f, struct str *out)
{
    int64_t cut = f->a == 0 ? middle_of_s2() : post_slot(f->a);
    int64_t load = 0;
    for (int64_t post = 1; post <= POSTS; post++) {
        if (post_shard(post) == 2 && (post_slot(post) >= cut) == (f->b == 1)) {
            load += post == 9 ? VIRAL_LIKES : LIKES;
        }
    }
    figures_add_int(out, load);
}

/* The posts of S2 below p9, in slot order: b = 0 their names, 1 the lowest slot, 2 the highest. */
static inline void value_cut_posts(const struct figure *f, struct str *out)
{
    int64_t low = -1;
    int64_t high = -1;
    for (int64_t slot = 0; slot < post_slot(9); slot++) {
        for (int64_t post = 1; post <= POSTS; post++) {
            if (post_slot(post) != slot || post_shard(post) != 2) {
                continue;
            }
            low = low < 0 ? slot : low;
            high = slot;
            if (f->b == 0) {
                figures_add_word(out, keyed("p", post, "").text);
            }
        }
    }
    if (f->b > 0) {
        figures_add_int(out, f->b == 1 ? low : high);
    }
}

#endif
