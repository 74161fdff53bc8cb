/*
 * The figures of a fifth shard on a ring: pinned layouts, random ones and their bands; tokens of
 * Cassandra; what the calculators of growth say. Part of test_figures.c.
 */
#ifndef HOTSHARD_TESTS_FIGURES_PLACING_H
#define HOTSHARD_TESTS_FIGURES_PLACING_H

#include "figures_rings.h"
#include "place/murmur.h"
#include "place/trial.h"
#include <inttypes.h>

#define GROWTH_KEYS ((size_t)10000)
#define GROWTH_PINNED ((size_t)30)
#define GROWTH_BATCHES ((size_t)30)
#define GROWTH_LAYOUTS (GROWTH_PINNED * GROWTH_BATCHES)

/* What one drawn layout of four shards does when a fifth joins. */
struct growth {
    double over; /* busiest over average of five */
    uint64_t busiest;
    uint64_t taken;       /* by the fifth */
    uint64_t most, least; /* given by one of the four */
    uint32_t donors;
    double before_at, at; /* one token: its place, and that of the token before it, as parts of 1 */
};

static inline void growth_positions(const struct layout *layout, struct growth *g)
{
    size_t count = 0;
    const struct ring_point *point = layout_ring(layout, &count);
    for (size_t i = 0; i < count; i++) {
        if (point[i].index == 4 && point[i].token == 0) {
            g->at = ldexp((double)point[i].at, -64);
            g->before_at = ldexp((double)point[i > 0 ? i - 1 : count - 1].at, -64);
        }
    }
}

static inline struct growth growth_of(uint32_t tokens, uint64_t seed, struct keyset *keys)
{
    struct growth g = {.least = UINT64_MAX};
    struct layout *before = ring_drawn(4, tokens, seed);
    struct layout *after = layout_copy(before);
    CHECK(layout_add(after, NULL));
    growth_positions(after, &g);
    struct trial *t = trial_new(keys, before, after);
    g.over = balance_over_average(&t->keys_after);
    g.busiest = t->keys_after.busiest;
    g.taken = t->moved.moved;
    g.donors = t->moved.from_shards;
    for (size_t i = 0; i < 4; i++) {
        g.most = t->moved.given[i] > g.most ? t->moved.given[i] : g.most;
        g.least = t->moved.given[i] < g.least ? t->moved.given[i] : g.least;
    }
    trial_free(t);
    return g;
}

/* Layouts 1, 2, 3 ...; the first GROWTH_PINNED are the pinned ones. Worked out once. */
static inline const struct growth *growths(int64_t tokens)
{
    static struct {
        int64_t tokens;
        struct growth growth[GROWTH_LAYOUTS];
    } known[4];
    size_t i = 0;
    while (known[i].tokens != 0 && known[i].tokens != tokens) {
        i++;
        CHECK(i < sizeof known / sizeof known[0]);
    }
    if (known[i].tokens == 0) {
        struct keyset *keys = keyset_synthetic(GROWTH_KEYS);
        known[i].tokens = tokens;
        for (size_t seed = 0; seed < GROWTH_LAYOUTS; seed++) {
            known[i].growth[seed] = growth_of((uint32_t)tokens, seed + 1, keys);
        }
        keyset_free(keys);
    }
    return known[i].growth;
}

static inline double growth_over(const struct growth *g)
{
    return g->over;
}

static inline double growth_taken(const struct growth *g)
{
    return (double)g->taken;
}

static inline double growth_share(const struct growth *g)
{
    return (double)g->taken / (double)GROWTH_KEYS;
}

static inline double growth_most(const struct growth *g)
{
    return (double)g->most;
}

static inline double growth_least(const struct growth *g)
{
    return (double)g->least;
}

static inline double growth_before_at(const struct growth *g)
{
    return g->before_at;
}

static inline double growth_at(const struct growth *g)
{
    return g->at;
}

/* One measure of all layouts, sorted. Caller frees. */
static inline double *growth_sorted(int64_t tokens, double (*measure)(const struct growth *))
{
    const struct growth *growth = growths(tokens);
    double *sample = xcalloc(GROWTH_LAYOUTS, sizeof *sample);
    for (size_t i = 0; i < GROWTH_LAYOUTS; i++) {
        sample[i] = measure(&growth[i]);
    }
    qsort(sample, GROWTH_LAYOUTS, sizeof *sample, sample_order);
    return sample;
}

static inline void add_growth_band(int64_t tokens, double (*measure)(const struct growth *),
                                   struct str *out)
{
    double *sample = growth_sorted(tokens, measure);
    figures_add_band(out, sample_at(sample, GROWTH_LAYOUTS, 0.05),
                     sample_at(sample, GROWTH_LAYOUTS, 0.95));
    free(sample);
}

/* The lowest and the highest tenth, and the middle: of such a band all lie well within. */
static inline void add_growth_tenths(int64_t tokens, double (*measure)(const struct growth *),
                                     struct str *out)
{
    double *sample = growth_sorted(tokens, measure);
    figures_add_real(out, sample_at(sample, GROWTH_LAYOUTS, 0.1));
    figures_add_real(out, sample_at(sample, GROWTH_LAYOUTS, 0.5));
    figures_add_real(out, sample_at(sample, GROWTH_LAYOUTS, 0.9));
    free(sample);
}

/* Medians of thirty layouts each, and the median of those. */
static inline void value_growth_median(const struct figure *f, struct str *out)
{
    const struct growth *growth = growths(f->a);
    double median[GROWTH_BATCHES];
    for (size_t batch = 0; batch < GROWTH_BATCHES; batch++) {
        double over[GROWTH_PINNED];
        for (size_t i = 0; i < GROWTH_PINNED; i++) {
            over[i] = growth[batch * GROWTH_PINNED + i].over;
        }
        median[batch] = sample_median(over, GROWTH_PINNED);
    }
    figures_add_real(out, sample_median(median, GROWTH_BATCHES));
}

static inline void value_growth_band(const struct figure *f, struct str *out)
{
    add_growth_band(f->a, growth_over, out);
}

static inline void value_growth_total(const struct figure *f, struct str *out)
{
    add_growth_band(f->a, growth_taken, out);
}

static inline void value_growth_share(const struct figure *f, struct str *out)
{
    add_growth_tenths(f->a, growth_share, out);
}

static inline void value_growth_most(const struct figure *f, struct str *out)
{
    add_growth_tenths(f->a, growth_most, out);
}

static inline void value_growth_least(const struct figure *f, struct str *out)
{
    add_growth_tenths(f->a, growth_least, out);
}

static inline void value_growth_before_at(const struct figure *f, struct str *out)
{
    add_growth_tenths(f->a, growth_before_at, out);
}

static inline void value_growth_at(const struct figure *f, struct str *out)
{
    add_growth_tenths(f->a, growth_at, out);
}

static inline void value_growth_donors(const struct figure *f, struct str *out)
{
    const struct growth *growth = growths(f->a);
    uint32_t most = 0;
    for (size_t i = 0; i < GROWTH_LAYOUTS; i++) {
        most = growth[i].donors > most ? growth[i].donors : most;
    }
    figures_add_int(out, most);
}

static inline void value_pinned_moved(const struct figure *f, struct str *out)
{
    const struct growth *growth = growths(f->a);
    uint64_t moved = 0;
    for (size_t i = 0; i < GROWTH_PINNED; i++) {
        moved += growth[i].taken;
    }
    figures_add_int(out, (int64_t)moved);
}

/* The sum of the two in the middle. */
static inline void value_pinned_busiest(const struct figure *f, struct str *out)
{
    const struct growth *growth = growths(f->a);
    double busiest[GROWTH_PINNED];
    for (size_t i = 0; i < GROWTH_PINNED; i++) {
        busiest[i] = (double)growth[i].busiest;
    }
    figures_add_real(out, 2 * sample_median(busiest, GROWTH_PINNED));
}

/* A token at a thousandths after one at b thousandths: its share, or its keys of 10,000, which are
 * the mean of ten such sets: in a single one they miss 3% of it for 3 names of 100. */
static inline void value_arc(const struct figure *f, struct str *out)
{
    uint64_t step = UINT64_MAX / 1000;
    const struct ring_point point[] = {{.at = (uint64_t)f->b * step, .index = 0},
                                       {.at = (uint64_t)f->a * step, .index = 4}};
    if (f->text == NULL) {
        int64_t owned = 0;
        for (uint64_t i = 0; i < 1000; i++) {
            owned += point[ring_find(point, 2, i * step)].index == 4;
        }
        figures_add_real(out, (double)owned / 1000);
        return;
    }
    const size_t sets = 10;
    struct keyset *keys = keyset_synthetic(GROWTH_KEYS * sets);
    const uint64_t *hash = keyset_hashes(keys, HASH_MIX64, false);
    double owned = 0;
    for (size_t i = 0; i < GROWTH_KEYS * sets; i++) {
        owned += point[ring_find(point, 2, hash[i])].index == 4;
    }
    keyset_free(keys);
    figures_add_real(out, owned / (double)sets);
}

/* Percent of 10,000 keys that go to a fifth shard by slots, by the prefixes of text. */
static inline void value_slots_fifth(const struct figure *f, struct str *out)
{
    struct layout_params params = layout_defaults(&scheme_slots);
    struct layout *before = layout_new(&scheme_slots, &params, 4, NULL);
    struct layout *after = layout_copy(before);
    CHECK(layout_add(after, NULL));
    for (const char *at = f->text; *at != '\0';) {
        char prefix[16];
        size_t length = strcspn(at, " ");
        CHECK(length < sizeof prefix);
        memcpy(prefix, at, length);
        prefix[length] = '\0';
        uint64_t *hashes = hashes_of(before, prefix, GROWTH_KEYS);
        struct balance b = balance_of_hashes(after, hashes, GROWTH_KEYS);
        figures_add_real(out, 100 * (double)b.amount[4] / (double)GROWTH_KEYS);
        balance_free(&b);
        free(hashes);
        at += length + strspn(at + length, " ");
    }
    layout_free(before);
    layout_free(after);
}

static inline void value_token(const struct figure *f, struct str *out)
{
    figures_add_int(out, cassandra_token(f->text, strlen(f->text)));
}

static inline void value_murmur3(const struct figure *f, struct str *out)
{
    str_addf(out, "%016" PRIx64, murmur3_128(f->text, strlen(f->text), 0).first);
}

#define FOX "The quick brown fox jumps over the lazy dog"

static const struct figure placing[] = {
    {"grow.arc_S5", value_arc, NULL, 381, 37},
    {"grow.arc_S5_keys", value_arc, "keys", 381, 37},
    {"grow.ring1_share", value_growth_share, NULL, 1, 0},
    {"grow.ring1_donors", value_growth_donors, NULL, 1, 0},
    {"grow.ring1_p037", value_growth_before_at, NULL, 1, 0},
    {"grow.ring1_p381", value_growth_at, NULL, 1, 0},
    {"grow.ring_med_1", value_growth_median, NULL, 1, 0},
    {"grow.ring_band_1", value_growth_band, NULL, 1, 0},
    {"grow.ring_med_16", value_growth_median, NULL, 16, 0},
    {"grow.ring16_max", value_growth_most, NULL, 16, 0},
    {"grow.ring16_min", value_growth_least, NULL, 16, 0},
    {"grow.ring16_total", value_growth_total, NULL, 16, 0},
    {"grow.ring_med_100", value_growth_median, NULL, 100, 0},
    {"grow.ring_band_100", value_growth_band, NULL, 100, 0},
    {"grow.ring_med_256", value_growth_median, NULL, 256, 0},
    {"grow.ring_band_256", value_growth_band, NULL, 256, 0},
    {"grow.pin_ring_1_moved", value_pinned_moved, NULL, 1, 0},
    {"grow.pin_ring_16_busiest", value_pinned_busiest, NULL, 16, 0},
    {"grow.pin_ring_16_moved", value_pinned_moved, NULL, 16, 0},
    {"grow.pin_ring_100_busiest", value_pinned_busiest, NULL, 100, 0},
    {"grow.pin_ring_100_moved", value_pinned_moved, NULL, 100, 0},
    {"grow.pin_ring_256_busiest", value_pinned_busiest, NULL, 256, 0},
    {"grow.pin_ring_256_moved", value_pinned_moved, NULL, 256, 0},
    {"grow.s5_keys", value_slots_fifth, "k user: post:", 0, 0},
    {"managed.token_p9", value_token, "p9", 0, 0},
    {"managed.token_p1", value_token, "p1", 0, 0},
    {"managed.token_p5", value_token, "p5", 0, 0},
    {"managed.token_p13", value_token, "p13", 0, 0},
    {"managed.token_user42", value_token, "user:42", 0, 0},
    {"managed.mm3_hello", value_murmur3, "hello", 0, 0},
    {"managed.mm3_fox", value_murmur3, FOX, 0, 0},
    {"ring.ring_keys", value_size, "resize ring_moved keys=1000000 from=100 to=101", 0, 0},
    {"ring.ratio", value_size, "resize fewer from=100 to=101", 0, 0},
    {"ring.kn_slip", value_size, "resize ring_moved keys=1000000 from=99 to=100", 0, 0},
    {"d4.bf_miss", value_size, "resize reads_before", 0, 0},
    {"d4.bf_db", value_size, "resize mod_reads", 0, 0},
    {"d4.bf_over", value_size, "resize mod_load", 0, 0},
    {"d4.bf_c_moved", value_size, "resize ring_moved/1e6", 0, 0},
    {"d4.bf_c_hit", value_size, "resize ring_hit_pct", 0, 0},
    {"d4.bf_c_db", value_size, "resize ring_reads", 0, 0},
    {"d4.bf_min_n", value_size, "resize least_servers", 0, 0},
    {"d4.c1_next_hit", value_size, "resize ring_hit_pct from=11 to=12", 0, 0},
    {"d4.c1_next_db", value_size, "resize ring_reads from=11 to=12", 0, 0},
    {"d3.hide", value_size, "average others_pct shards=20 mean_pct=30 busiest_pct=100", 0, 0},
    {"d3.pages_over_mean", value_size, "average alert_pct mean_pct=30 factor=1.5", 0, 0},
    {"d3.id_bits", value_size, "ids bits", 0, 0},
    {"d3.id_years", value_size, "ids years time_bits=41", 0, 0},
    {"d3.id_shards", value_size, "ids shards shard_bits=13", 0, 0},
    {"d3.id_rate", value_size, "ids ids_ms sequence_bits=10", 0, 0},
    {"d3.hits_order_8", value_size, "shardkey order_hits shards=8", 0, 0},
    {"d3.hits_order_80", value_size, "shardkey order_hits shards=80", 0, 0},
    {"d3.hits_time_8", value_size, "shardkey time_hits shards=8", 0, 0},
    {"d3.hits_time_80", value_size, "shardkey time_hits shards=80", 0, 0},
    {"d3.hits_seller_8", value_size, "shardkey seller_hits shards=8", 0, 0},
    {"d3.hits_seller_80", value_size, "shardkey seller_hits shards=80", 0, 0},
    {"d3.hits_customer_8", value_size, "shardkey customer_hits shards=8", 0, 0},
    {"d3.hits_customer_80", value_size, "shardkey customer_hits shards=80", 0, 0},
    {"d3.hits_own", value_size, "shardkey copy_hits", 0, 0},
};

#endif
