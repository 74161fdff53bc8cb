/*
 * The figures of salting: where the sub-keys of p9 fall, and what that puts on each shard. Part of
 * test_figures.c.
 */
#ifndef HOTSHARD_TESTS_FIGURES_SALTS_H
#define HOTSHARD_TESTS_FIGURES_SALTS_H

#include "figures_keys.h"

/* What stands before and after the number: the schemes of the rows salt.scheme*. */
static inline struct key_text salted(const char *form, int64_t salt)
{
    static const char *const forms[][3] = {
        {"tag", "likes:{p9#", "}"},        {"outside", "likes:{p9}#", ""},
        {"none", "likes:p9#", ""},         {"colon", "likes:{p9:", "}"},
        {"dash", "likes:{p9-", "}"},       {"number", "likes:p9:{", "}"},
        {"underscore", "likes:{p9_", "}"}, {"colon-none", "likes:p9:", ""},
    };
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        if (strcmp(forms[i][0], form) == 0) {
            return keyed(forms[i][1], salt, forms[i][2]);
        }
    }
    CHECK(form == NULL);
    return (struct key_text){{0}};
}

static inline void count_salts(const char *form, int64_t salts, int64_t counts[SHARDS])
{
    struct layout *layout = layout_like_redis(SHARDS);
    memset(counts, 0, SHARDS * sizeof counts[0]);
    for (int64_t salt = 0; salt < salts; salt++) {
        counts[layout_owner(layout, bytes_of(salted(form, salt).text))]++;
    }
    layout_free(layout);
}

/* Writes a second: the quiet posts of the shard and its part of p9's likes. */
static inline void load_salts(const char *form, int64_t salts, double loads[SHARDS])
{
    int64_t counts[SHARDS];
    count_salts(form, salts, counts);
    for (int shard = 0; shard < SHARDS; shard++) {
        loads[shard] = (double)counts[shard] * VIRAL_LIKES / (double)salts;
    }
    for (int64_t post = 1; post <= POSTS; post++) {
        loads[post_shard(post)] += post == 9 ? 0 : LIKES;
    }
}

static inline double busiest(const double loads[SHARDS])
{
    double most = 0;
    for (int shard = 0; shard < SHARDS; shard++) {
        most = loads[shard] > most ? loads[shard] : most;
    }
    return most;
}

static inline void value_salt_slot(const struct figure *f, struct str *out)
{
    figures_add_int(out, key_slot(bytes_of(salted(f->text, f->a).text)));
}

static inline void value_salt_shard(const struct figure *f, struct str *out)
{
    figures_add_int(out, shard_of(salted(f->text, f->a).text, SHARDS));
}

static inline void value_salt_shards(const struct figure *f, struct str *out)
{
    for (int64_t salt = 0; salt < f->a; salt++) {
        figures_add_int(out, shard_of(salted(f->text, salt).text, SHARDS));
    }
}

/* The one shard that holds all of the a sub-keys. */
static inline void value_same_shard(const struct figure *f, struct str *out)
{
    int64_t counts[SHARDS];
    count_salts(f->text, f->a, counts);
    for (int shard = 0; shard < SHARDS; shard++) {
        if (counts[shard] == f->a) {
            figures_add_int(out, shard);
        }
    }
}

static inline void value_salt_counts(const struct figure *f, struct str *out)
{
    int64_t counts[SHARDS];
    count_salts(f->text, f->a, counts);
    for (int shard = 0; shard < SHARDS; shard++) {
        figures_add_int(out, counts[shard]);
    }
}

/* The file gives these lists to three places. */
static inline void value_salt_loads(const struct figure *f, struct str *out)
{
    double loads[SHARDS];
    load_salts(f->text, f->a, loads);
    for (int shard = 0; shard < SHARDS; shard++) {
        figures_add_real(out, round(loads[shard] * 1000) / 1000);
    }
}

static inline void value_salt_load(const struct figure *f, struct str *out)
{
    double loads[SHARDS];
    load_salts(f->text, f->a, loads);
    figures_add_real(out, loads[f->b]);
}

static inline void value_salt_percent(const struct figure *f, struct str *out)
{
    double loads[SHARDS];
    load_salts(f->text, f->a, loads);
    figures_add_real(out, loads[f->b] * 100 / CEILING);
}

static inline void value_salt_max(const struct figure *f, struct str *out)
{
    double loads[SHARDS];
    load_salts(f->text, f->a, loads);
    figures_add_real(out, busiest(loads));
}

static inline bool salts_are_safe(const char *form, int64_t salts)
{
    double loads[SHARDS];
    load_salts(form, salts, loads);
    return busiest(loads) <= SAFE;
}

static inline void value_salt_ok(const struct figure *f, struct str *out)
{
    str_add(out, salts_are_safe(f->text, f->a) ? "yes" : "no");
}

static inline void value_salt_good(const struct figure *f, struct str *out)
{
    for (int64_t salts = 1; salts <= SALTS_MAX; salts++) {
        if (salts_are_safe(f->text, salts)) {
            figures_add_int(out, salts);
        }
    }
}

static inline void value_salt_best(const struct figure *f, struct str *out)
{
    int64_t salts = 1;
    while (salts < SALTS_MAX && !salts_are_safe(f->text, salts)) {
        salts++;
    }
    figures_add_int(out, salts);
}

/* What the quiet posts leave of a shard's safe load, before p9's likes are put anywhere. */
static inline double spare(int shard)
{
    double loads[SHARDS];
    int64_t counts[SHARDS];
    load_salts("tag", 1, loads);
    count_salts("tag", 1, counts);
    return SAFE - (loads[shard] - (double)counts[shard] * VIRAL_LIKES);
}

static inline void value_spare(const struct figure *f, struct str *out)
{
    figures_add_real(out, spare((int)f->a));
}

static inline void value_slack(const struct figure *f, struct str *out)
{
    (void)f;
    figures_add_real(out, spare(0) + spare(1) + spare(2) + spare(3) - VIRAL_LIKES);
}

static inline void value_even_load(const struct figure *f, struct str *out)
{
    double loads[SHARDS];
    load_salts(f->text, f->a, loads);
    figures_add_real(out, (loads[0] + loads[1] + loads[2] + loads[3]) / SHARDS);
}

/* Sub-key reads on the shard with the most sub-keys when b reads a second sum all a of them. */
static inline void value_salt_reads(const struct figure *f, struct str *out)
{
    int64_t counts[SHARDS];
    int64_t most = 0;
    count_salts(f->text, f->a, counts);
    for (int shard = 0; shard < SHARDS; shard++) {
        most = counts[shard] > most ? counts[shard] : most;
    }
    figures_add_int(out, most * f->b);
}

/* 2,000 random prefixes with the ten digits behind them: does the digit's shard ever differ from
 * its two low bits, exclusive-ored with what the prefix gives alone? */
static inline void value_structure(const struct figure *f, struct str *out)
{
    struct prng random = prng_seeded(2, f->id);
    struct layout *layout = layout_like_redis(SHARDS);
    int64_t exceptions = 0;
    for (int prefix = 0; prefix < 2000; prefix++) {
        char key[24];
        size_t length = 1 + (size_t)prng_below(&random, 22);
        for (size_t i = 0; i < length; i++) {
            key[i] = (char)('a' + prng_below(&random, 26));
        }
        uint32_t constant = 0;
        for (uint32_t digit = 0; digit < 10; digit++) {
            key[length] = (char)('0' + digit);
            struct bytes whole = {.at = key, .length = length + 1};
            uint32_t shard = layout_owner(layout, whole);
            constant = digit == 0 ? shard : constant;
            exceptions += shard != (constant ^ (digit & 3));
        }
    }
    layout_free(layout);
    figures_add_int(out, exceptions);
}

static inline void value_celebrity(const struct figure *f, struct str *out)
{
    for (int64_t salt = 0; salt < 10; salt++) {
        struct key_text key = keyed("celebrity:12345:", salt, "");
        figures_add_int(out, f->a == 0 ? key_slot(bytes_of(key.text)) : shard_of(key.text, SHARDS));
    }
}

#endif
