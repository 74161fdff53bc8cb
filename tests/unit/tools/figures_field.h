/*
 * The figures of the field: machine learning, the nine cases, common mistakes. Part of
 * test_figures.c.
 */
#ifndef HOTSHARD_TESTS_FIGURES_FIELD_H
#define HOTSHARD_TESTS_FIGURES_FIELD_H

#include "figures_reads.h"
#include "figures_rings.h"
#include "figures_size.h"

/* --- case 2: six nodes with a token each ------------------------------------------------------
 */

/* What its dashboard showed, in percent of the ring. */
static const double owned_pct[] = {31, 24, 18, 13, 9, 5};
#define OWNERS (sizeof owned_pct / sizeof owned_pct[0])

static inline double owned_sum(void)
{
    double sum = 0;
    for (size_t i = 0; i < OWNERS; i++) {
        sum += owned_pct[i];
    }
    return sum;
}

/* text: "sum", or "times" and a: which node, over the fair share. */
static inline void value_owned(const struct figure *f, struct str *out)
{
    double sum = owned_sum();
    bool times = strcmp(f->text, "times") == 0;
    figures_add_real(out, times ? owned_pct[f->a] * (double)OWNERS / sum : sum);
}

/* Of b drawn rings of a nodes with one token: how many have a busiest node no busier than the
 * dashboard's, in percent. */
static inline void value_owned_rank(const struct figure *f, struct str *out)
{
    int64_t calm = 0;
    for (int64_t seed = 1; seed <= f->b; seed++) {
        struct layout *layout = ring_drawn((uint32_t)f->a, 1, (uint64_t)seed);
        calm += ring_shares(layout).most * 100 <= owned_pct[0];
        layout_free(layout);
    }
    figures_add_real(out, 100 * (double)calm / (double)f->b);
}

/* Processor time as a line through the two nodes that were measured (share, percent busy): where
 * it stands at a percent of the ring. */
static inline void value_owned_after(const struct figure *f, struct str *out)
{
    static const double share[] = {31, 5}, busy[] = {90, 25};
    double slope = (busy[0] - busy[1]) / (share[0] - share[1]);
    figures_add_real(out, busy[1] + slope * ((double)f->a - share[1]));
}

/* --- case 3: the date as the key ---------------------------------------------------------------
 */

/* A million devices, each every ten seconds, on one partition. text: "rate", "refused" in percent,
 * or "idle": five times as much was paid for, and one partition gives a. */
static inline void value_devices(const struct figure *f, struct str *out)
{
    double rate = 1e6 / 10, limit = (double)f->a;
    double value = strcmp(f->text, "rate") == 0      ? rate
                   : strcmp(f->text, "refused") == 0 ? (1 - limit / rate) * 100
                                                     : 5 * rate - limit;
    figures_add_real(out, value);
}

/* --- case 5: one product -----------------------------------------------------------------------
 */

/* a caches of a second before one key that is read b times a second, spread over them: what is
 * left for its shard in a second. text: "times": how many times fewer. */
static inline void value_cached_product(const struct figure *f, struct str *out)
{
    struct world_config config = story_config(1);
    config.routers = (uint16_t)f->a;
    config.read_ceiling = 0;
    struct world *w = world_new(&config, NULL);
    CHECK(w != NULL);
    must_play(w, "reads post:{p9} cached");
    struct str flow = STR_EMPTY;
    str_addf(&flow, "flow read post:{p9} %lld steady", (long long)f->b);
    must_play(w, str_text(&flow));
    str_free(&flow);
    play_on(w, 2 * US_PER_SECOND);
    uint64_t before = fetches_of(w, "post:{p9}");
    play_on(w, US_PER_SECOND);
    double left = (double)(fetches_of(w, "post:{p9}") - before);
    figures_add_real(out, strcmp(f->text, "times") == 0 ? (double)f->b / left : left);
    world_free(w);
}

/* --- machine learning --------------------------------------------------------------------------
 */

/* Of b users a percent go to the canary: below which remainder of their hash are they? The two of
 * the source, 37 and 7, must fall to its two sides. */
static inline void value_canary(const struct figure *f, struct str *out)
{
    int64_t in_bucket[100] = {0};
    struct str user = STR_EMPTY;
    for (int64_t i = 0; i < f->b; i++) {
        str_clear(&user);
        str_addf(&user, "U%lld", (long long)i);
        in_bucket[hash_of(HASH_MURMUR3, bytes_of(str_text(&user))) % 100]++;
    }
    str_free(&user);
    int64_t below = 0, go = 0;
    while (go * 200 <
           f->b * (2 * f->a - 1)) { /* half a percent short of it, chance being what it is */
        go += in_bucket[below++];
    }
    CHECK(7 < below && 37 >= below);
    str_addf(out, "hash%%100 < %lld", (long long)below);
}

static const struct figure field[] = {
    {"d4.canary", value_canary, NULL, 10, 100000},
    {"d4.c2_sum", value_owned, "sum", 0, 0},
    {"d4.c2_big", value_owned, "times", 0, 0},
    {"d4.c2_small", value_owned, "times", OWNERS - 1, 0},
    {"d4.c2_rank", value_owned_rank, NULL, OWNERS, 20000},
    {"d4.c2_after", value_owned_after, NULL, 17, 0},
    {"d4.c3_rate", value_devices, "rate", 1000, 0},
    {"d4.c3_throttled", value_devices, "refused", 1000, 0},
    {"d4.c3_prov", value_devices, "idle", 1000, 0},
    /* In gigabits a second, for each of the ten. */
    {"d4.c4_20", value_size, "move whole_gb/1500 data_gb=50000 from=50 to=60", 0, 0},
    {"d4.c5_after", value_cached_product, "left", 60, 180000},
    {"d4.c5_cut", value_cached_product, "times", 60, 180000},
    {"d4.ivf", value_size, "vectors part_vectors vectors=1e7 parts=1000", 0, 0},
    {"d4.ivf_scan", value_size, "vectors scanned_pct parts=1000 probe=20", 0, 0},
    {"d4.rec_items", value_size, "vectors node_vectors/1e6 vectors=1e8 nodes=50", 0, 0},
    {"d4.rec_cand", value_size, "vectors merged nodes=50 best=200", 0, 0},
    {"d4.mistake3", value_size, "skew top_over_rest top_pct=1 share_pct=50", 0, 0},
    {"d4.card", value_size, "cardinality keys_least partitions=16384", 0, 0},
};

#endif
