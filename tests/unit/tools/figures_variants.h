/*
 * The figures of the ring's variants: 100,000 keys k0, k1 ... under mix64 on ten nodes, as the
 * figures' notes pin them; bounded loads as document 004's 5.5 plays them. Part of test_figures.c.
 */
#ifndef HOTSHARD_TESTS_FIGURES_VARIANTS_H
#define HOTSHARD_TESTS_FIGURES_VARIANTS_H

#include "bounded_loads.h"
#include "figures_placing.h"
#include "place/jump.h"
#include "place/maglev.h"
#include "place/rendezvous.h"

#define VARIANT_KEYS ((size_t)100000)
#define VARIANT_GONE 3u
#define VARIANT_NODES 10u
#define BOUNDED_SEEDS 3

/* The first `count` keys; the whole set is made once. */
static inline struct keyset *variant_keys(void)
{
    static struct keyset *keys;
    if (keys == NULL) {
        keys = keyset_synthetic(VARIANT_KEYS);
    }
    return keys;
}

/* Text names the scheme; a: tokens a node, 0 for the usual. */
static inline struct layout *variant_layout(const struct figure *f, uint32_t nodes)
{
    const struct scheme *scheme = scheme_of(f);
    struct layout_params params = layout_defaults(scheme);
    params.tokens = f->a > 0 ? (uint32_t)f->a : params.tokens;
    struct layout *layout = layout_new(scheme, &params, nodes, NULL);
    CHECK(layout != NULL);
    return layout;
}

static inline struct trial *variant_joins(const struct figure *f, uint32_t nodes)
{
    struct layout *before = variant_layout(f, nodes);
    struct layout *after = layout_copy(before);
    CHECK(layout_add(after, NULL));
    return trial_new(variant_keys(), before, after);
}

static inline struct trial *variant_leaves(const struct figure *f)
{
    struct layout *before = variant_layout(f, VARIANT_NODES);
    struct layout *after = layout_copy(before);
    CHECK(layout_remove(after, VARIANT_GONE, NULL));
    return trial_new(variant_keys(), before, after);
}

static inline void value_variant_busiest(const struct figure *f, struct str *out)
{
    struct trial *t = variant_joins(f, VARIANT_NODES);
    figures_add_real(out, balance_over_average(&t->keys_before));
    trial_free(t);
}

static inline void value_variant_add(const struct figure *f, struct str *out)
{
    struct trial *t = variant_joins(f, VARIANT_NODES);
    figures_add_int(out, (int64_t)t->moved.moved);
    trial_free(t);
}

/* The same in percent, from b nodes. */
static inline void value_variant_add_pct(const struct figure *f, struct str *out)
{
    struct trial *t = variant_joins(f, (uint32_t)f->b);
    figures_add_real(out, 100 * (double)t->moved.moved / (double)VARIANT_KEYS);
    trial_free(t);
}

/* Keys that moved when a node joined, but not to it. */
static inline void value_variant_only_new(const struct figure *f, struct str *out)
{
    struct trial *t = variant_joins(f, VARIANT_NODES);
    figures_add_int(out, (int64_t)(t->moved.moved - t->moved.taken[VARIANT_NODES]));
    trial_free(t);
}

static inline void value_variant_remove(const struct figure *f, struct str *out)
{
    struct trial *t = variant_leaves(f);
    figures_add_int(out, (int64_t)t->moved.moved);
    trial_free(t);
}

/* Keys that moved when a node left, but were not its own. */
static inline void value_variant_extra(const struct figure *f, struct str *out)
{
    struct trial *t = variant_leaves(f);
    figures_add_int(out, (int64_t)(t->moved.moved - t->moved.given[VARIANT_GONE]));
    trial_free(t);
}

/* Percent of the first 20,000 keys that move when node a of b leaves. */
static inline void value_variant_dies(const struct figure *f, struct str *out)
{
    const struct scheme *scheme = scheme_of(f);
    struct layout_params params = layout_defaults(scheme);
    struct layout *before = layout_new(scheme, &params, (uint32_t)f->b, NULL);
    struct layout *after = layout_copy(before);
    CHECK(layout_remove(after, (uint32_t)f->a, NULL));
    const uint64_t *hashes = keyset_hashes(variant_keys(), params.hash, false);
    figures_add_real(out, 100 * (double)moved_between(before, after, hashes, 20000) / 20000);
    layout_free(before);
    layout_free(after);
}

/* Weights 4, 1 and 2: the share of node a, in percent. */
static inline void value_variant_weighted(const struct figure *f, struct str *out)
{
    struct layout_params params = layout_defaults(scheme_of(f));
    struct layout *layout = layout_new(scheme_of(f), &params, 3, NULL);
    CHECK(layout_weigh(layout, 0, 400, NULL) && layout_weigh(layout, 2, 200, NULL));
    struct balance b =
        balance_of_hashes(layout, keyset_hashes(variant_keys(), params.hash, false), VARIANT_KEYS);
    figures_add_real(out, 100 * (double)b.amount[f->a] / (double)VARIANT_KEYS);
    balance_free(&b);
    layout_free(layout);
}

/* Hash times weight instead, weights 4, 1 and 2: how often node a is the highest, in percent. It is
 * at x with density 1/w, and below it is each other with x/w, or surely from its w on; between
 * those points that is a power of x over a constant. */
static inline void value_variant_multiplied(const struct figure *f, struct str *out)
{
    static const double weight[] = {4, 1, 2};
    static const double cut[] = {0, 1, 2, 4};
    double share = 0;
    for (size_t piece = 0; piece < 3 && cut[piece] < weight[f->a]; piece++) {
        double over = weight[f->a];
        double power = 1;
        for (int64_t other = 0; other < 3; other++) {
            if (other != f->a && weight[other] > cut[piece]) {
                over *= weight[other];
                power++;
            }
        }
        share += (pow(cut[piece + 1], power) - pow(cut[piece], power)) / (power * over);
    }
    figures_add_real(out, 100 * share);
}

/* The draws of 5.2, without node a. */
static inline void value_rendezvous_next(const struct figure *f, struct str *out)
{
    static const uint64_t draw[] = {847291, 293847, 951032, 582910};
    uint64_t left[4];
    uint32_t weight[4];
    char name[4];
    size_t count = 0;
    for (int64_t node = 0; node < 4; node++) {
        if ('A' + node != f->a) {
            name[count] = (char)('A' + node);
            weight[count] = 100;
            left[count++] = draw[node];
        }
    }
    str_addc(out, name[rendezvous_weighted(left, weight, count)]);
}

/* --- jump, maglev, ketama ----------------------------------------------------------------------
 */

static inline void value_jump(const struct figure *f, struct str *out)
{
    figures_add_int(out, jump_bucket((uint64_t)f->a, (uint32_t)f->b));
}

static inline void value_jump_rounds(const struct figure *f, struct str *out)
{
    const uint64_t *hashes = keyset_hashes(variant_keys(), HASH_MIX64, false);
    uint64_t sum = 0;
    for (size_t i = 0; i < VARIANT_KEYS; i++) {
        uint32_t rounds = 0;
        (void)jump_bucket_counted(hashes[i], (uint32_t)f->a, &rounds);
        sum += rounds;
    }
    figures_add_real(out, (double)sum / (double)VARIANT_KEYS);
}

/* The last of ten takes the number of the one that left. */
static inline void value_jump_renamed(const struct figure *f, struct str *out)
{
    (void)f;
    const uint64_t *hashes = keyset_hashes(variant_keys(), HASH_MIX64, false);
    int64_t moved = 0;
    for (size_t i = 0; i < VARIANT_KEYS; i++) {
        moved += jump_bucket(hashes[i], VARIANT_NODES) !=
                 jump_bucket_renamed(hashes[i], VARIANT_NODES, VARIANT_GONE);
    }
    figures_add_int(out, moved);
}

/* Of the first 20,000 keys, from a to b buckets. */
static inline void value_jump_grows(const struct figure *f, struct str *out)
{
    const uint64_t *hashes = keyset_hashes(variant_keys(), HASH_MIX64, false);
    int64_t moved = 0;
    for (size_t i = 0; i < 20000; i++) {
        moved += jump_bucket(hashes[i], (uint32_t)f->a) != jump_bucket(hashes[i], (uint32_t)f->b);
    }
    figures_add_int(out, moved);
}

static inline void value_maglev_even(const struct figure *f, struct str *out)
{
    struct layout *layout = variant_layout(f, VARIANT_NODES);
    size_t entries = 0;
    const uint32_t *table = layout_maglev(layout, &entries);
    struct balance b = balance_of(layout, table, NULL, entries);
    figures_add_int(out, (int64_t)b.idlest);
    figures_add_int(out, (int64_t)b.busiest);
    balance_free(&b);
    layout_free(layout);
}

static inline struct movement maglev_leaves(const struct figure *f, size_t *entries)
{
    struct layout *before = variant_layout(f, VARIANT_NODES);
    struct layout *after = layout_copy(before);
    CHECK(layout_remove(after, VARIANT_GONE, NULL));
    const uint32_t *old = layout_maglev(before, entries);
    struct movement m =
        movement_between(before, old, after, layout_maglev(after, entries), NULL, *entries);
    layout_free(before);
    layout_free(after);
    return m;
}

static inline void value_maglev_remove(const struct figure *f, struct str *out)
{
    size_t entries = 0;
    struct movement m = maglev_leaves(f, &entries);
    figures_add_int(out, (int64_t)m.moved);
    movement_free(&m);
}

/* Entries of others; b: in percent of the table. */
static inline void value_maglev_extra(const struct figure *f, struct str *out)
{
    size_t entries = 0;
    struct movement m = maglev_leaves(f, &entries);
    double extra = (double)(m.moved - m.given[VARIANT_GONE]);
    figures_add_real(out, f->b ? 100 * extra / (double)entries : extra);
    movement_free(&m);
}

/* The table's size, divided by all that could divide it; the next number, which is none, is
 * refused. */
static inline void value_maglev_prime(const struct figure *f, struct str *out)
{
    struct layout *layout = variant_layout(f, VARIANT_NODES);
    struct layout_params params = *layout_params_of(layout);
    size_t entries = 0;
    (void)layout_maglev(layout, &entries);
    layout_free(layout);
    bool prime = entries > 1;
    for (size_t divisor = 2; divisor * divisor <= entries; divisor++) {
        prime = prime && entries % divisor != 0;
    }
    params.table++;
    layout = layout_new(scheme_of(f), &params, VARIANT_NODES, NULL);
    figures_add_word(out, prime && layout == NULL ? "yes" : "no");
    layout_free(layout);
}

/* Two tables in letters, the second behind a blank: the entries that differ, in percent. */
static inline void value_maglev_toy(const struct figure *f, struct str *out)
{
    size_t entries = strcspn(f->text, " ");
    const char *after = f->text + entries + 1;
    double differ = 0;
    for (size_t i = 0; i < entries; i++) {
        differ += f->text[i] != after[i];
    }
    figures_add_real(out, 100 * differ / (double)entries);
}

static inline void value_ketama_points(const struct figure *f, struct str *out)
{
    struct layout *layout = variant_layout(f, VARIANT_NODES);
    for (uint32_t node = 1; node < VARIANT_NODES; node++) {
        CHECK(ring_points_of(layout, node) == ring_points_of(layout, 0));
    }
    figures_add_int(out, (int64_t)ring_points_of(layout, 0));
    layout_free(layout);
}

/* --- bounded loads -----------------------------------------------------------------------------
 */

/* Some seeds, played once for each bound: a percent of the average. */
static inline const struct bounded_loads *bounded_plays(int64_t bound)
{
    static struct {
        int64_t bound;
        struct bounded_loads got[BOUNDED_SEEDS];
    } known[5];
    size_t i = 0;
    while (known[i].bound != 0 && known[i].bound != bound) {
        i++;
        CHECK(i < sizeof known / sizeof known[0]);
    }
    if (known[i].bound == 0) {
        known[i].bound = bound;
        for (uint64_t seed = 0; seed < BOUNDED_SEEDS; seed++) {
            known[i].got[seed] = bounded_loads_play((uint32_t)bound, seed + 1);
        }
    }
    return known[i].got;
}

/* The median of the seeds. */
static inline void value_bounded_median(const struct figure *f, struct str *out)
{
    double got[BOUNDED_SEEDS];
    for (uint64_t seed = 0; seed < BOUNDED_SEEDS; seed++) {
        got[seed] = bounded_plays(f->a)[seed].median;
    }
    figures_add_real(out, sample_median(got, BOUNDED_SEEDS));
}

static inline void value_bounded_worst(const struct figure *f, struct str *out)
{
    double got[BOUNDED_SEEDS];
    for (uint64_t seed = 0; seed < BOUNDED_SEEDS; seed++) {
        got[seed] = bounded_plays(f->a)[seed].worst;
    }
    figures_add_real(out, sample_median(got, BOUNDED_SEEDS));
}

static inline void value_bounded_usual(const struct figure *f, struct str *out)
{
    double got[BOUNDED_SEEDS];
    for (uint64_t seed = 0; seed < BOUNDED_SEEDS; seed++) {
        got[seed] = bounded_plays(f->a)[seed].usual_pct;
    }
    figures_add_real(out, sample_median(got, BOUNDED_SEEDS));
}

/* The bound as document 004 prints it. */
static inline uint64_t bound_in_fractions(uint64_t requests)
{
    volatile double factor = 1.1;
    return (uint64_t)ceil(factor * (double)requests / LOADS_SERVERS);
}

static inline void value_bounded_fraction(const struct figure *f, struct str *out)
{
    figures_add_int(out, (int64_t)bound_in_fractions((uint64_t)f->a));
}

/* The worst moment is the end of the first tick, when a rounded-up bound of few requests counts
 * most: its 200 requests under that bound, busiest over average. Seed a. */
static inline void value_bounded_first(const struct figure *f, struct str *out)
{
    static struct ring_point point[LOADS_SERVERS * LOADS_POINTS];
    static double below[LOADS_KEYS];
    size_t points = sizeof point / sizeof point[0];
    uint64_t held[LOADS_SERVERS] = {0};
    uint64_t most = 0;
    struct prng random = prng_seeded((uint64_t)f->a, "bounded loads");
    loads_ring(point);
    loads_zipf(below);
    for (uint64_t i = 0; i < LOADS_A_TICK; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "k%u", loads_draw(below, &random));
        size_t at = ring_find(point, points, blake2b_8(name));
        while (held[point[at].index] >= bound_in_fractions(i + 1)) {
            at = (at + 1) % points;
        }
        held[point[at].index]++;
    }
    for (size_t server = 0; server < LOADS_SERVERS; server++) {
        most = held[server] > most ? held[server] : most;
    }
    figures_add_real(out, (double)most * LOADS_SERVERS / LOADS_A_TICK);
}

static inline void value_zipf_top(const struct figure *f, struct str *out)
{
    static double below[LOADS_KEYS];
    (void)f;
    loads_zipf(below);
    figures_add_real(out, 100 * below[0]);
}

/* The busiest of ten over the average by the keys' shares, on a drawn rings: tenths and middle. */
static inline void value_bounded_layouts(const struct figure *f, struct str *out)
{
    static double below[LOADS_KEYS];
    const uint64_t *hashes = keyset_hashes(variant_keys(), HASH_MIX64, false);
    double *over = xcalloc((size_t)f->a, sizeof *over);
    loads_zipf(below);
    for (int64_t i = 0; i < f->a; i++) {
        struct layout *layout = ring_drawn(LOADS_SERVERS, LOADS_POINTS, (uint64_t)i + 1);
        double load[LOADS_SERVERS] = {0};
        for (size_t k = 0; k < LOADS_KEYS; k++) {
            load[layout_owner_of_hash(layout, hashes[k])] += below[k] - (k > 0 ? below[k - 1] : 0);
        }
        for (size_t server = 0; server < LOADS_SERVERS; server++) {
            double times = load[server] * LOADS_SERVERS;
            over[i] = times > over[i] ? times : over[i];
        }
        layout_free(layout);
    }
    qsort(over, (size_t)f->a, sizeof *over, sample_order);
    figures_add_real(out, sample_at(over, (size_t)f->a, 0.1));
    figures_add_real(out, sample_at(over, (size_t)f->a, 0.5));
    figures_add_real(out, sample_at(over, (size_t)f->a, 0.9));
    free(over);
}

static const struct figure variants[] = {
    {"var.ring1_busiest", value_variant_busiest, "ring", 1, 0},
    {"var.ring1_add", value_variant_add, "ring", 1, 0},
    {"var.ring1_rem", value_variant_remove, "ring", 1, 0},
    {"var.ring1_extra", value_variant_extra, "ring", 1, 0},
    {"var.ring16_busiest", value_variant_busiest, "ring", 16, 0},
    {"var.ring16_add", value_variant_add, "ring", 16, 0},
    {"var.ring16_rem", value_variant_remove, "ring", 16, 0},
    {"var.ring16_extra", value_variant_extra, "ring", 16, 0},
    {"var.ring100_busiest", value_variant_busiest, "ring", 100, 0},
    {"var.ring100_add", value_variant_add, "ring", 100, 0},
    {"var.ring100_extra", value_variant_extra, "ring", 100, 0},
    {"var.ring100_onlynew", value_variant_only_new, "ring", 100, 0},
    {"var.ring160_busiest", value_variant_busiest, "ring", 160, 0},
    {"var.ring160_add", value_variant_add, "ring", 160, 0},
    {"var.ring160_rem", value_variant_remove, "ring", 160, 0},
    {"var.ring160_extra", value_variant_extra, "ring", 160, 0},
    {"var.ring160_onlynew", value_variant_only_new, "ring", 160, 0},
    {"var.ring256_busiest", value_variant_busiest, "ring", 256, 0},
    {"var.ring256_add", value_variant_add, "ring", 256, 0},
    {"var.ring256_rem", value_variant_remove, "ring", 256, 0},
    {"var.ring256_extra", value_variant_extra, "ring", 256, 0},
    {"var.ring256_onlynew", value_variant_only_new, "ring", 256, 0},
    {"var.hrw_busiest", value_variant_busiest, "rendezvous", 0, 0},
    {"var.hrw_add", value_variant_add, "rendezvous", 0, 0},
    {"var.hrw_rem", value_variant_remove, "rendezvous", 0, 0},
    {"var.hrw_extra", value_variant_extra, "rendezvous", 0, 0},
    {"var.hrw_onlynew", value_variant_only_new, "rendezvous", 0, 0},
    {"var.hrw_next", value_rendezvous_next, NULL, 'C', 0},
    {"var.hrw_20", value_variant_dies, "rendezvous", 7, 20},
    {"var.wrdv_0", value_variant_weighted, "rendezvous", 0, 0},
    {"var.wrdv_1", value_variant_weighted, "rendezvous", 1, 0},
    {"var.wrdv_2", value_variant_weighted, "rendezvous", 2, 0},
    {"var.wmul_0", value_variant_multiplied, NULL, 0, 0},
    {"var.wmul_1", value_variant_multiplied, NULL, 1, 0},
    {"var.wmul_2", value_variant_multiplied, NULL, 2, 0},
    {"var.jump_busiest", value_variant_busiest, "jump", 0, 0},
    {"var.jump_add", value_variant_add, "jump", 0, 0},
    {"var.jump_onlynew", value_variant_only_new, "jump", 0, 0},
    {"var.jump_iter", value_jump_rounds, NULL, 10, 0},
    {"var.jump_rem_shift", value_variant_remove, "jump", 0, 0},
    {"var.jump_rem_swap", value_jump_renamed, NULL, 0, 0},
    {"var.jump_v_1", value_jump, NULL, 1, 1},
    {"var.jump_v_42", value_jump, NULL, 42, 57},
    {"var.jump_v_3735883980", value_jump, NULL, 3735883980, 666},
    {"var.jump_4_5", value_jump_grows, NULL, 4, 5},
    {"var.jump_4_8", value_jump_grows, NULL, 4, 8},
    {"var.jump_100_101", value_jump_grows, NULL, 100, 101},
    {"var.maglev_even", value_maglev_even, "maglev", 0, 0},
    {"var.maglev_rem", value_maglev_remove, "maglev", 0, 0},
    {"var.maglev_extra", value_maglev_extra, "maglev", 0, 0},
    {"var.maglev_extra_pct", value_maglev_extra, "maglev", 0, 1},
    {"var.maglev_keys", value_variant_busiest, "maglev", 0, 0},
    {"var.maglev_keys_rem", value_variant_remove, "maglev", 0, 0},
    {"var.maglev_prime", value_maglev_prime, "maglev", 0, 0},
    {"var.maglev_toy_pct", value_maglev_toy, "ABCABCA ACCAACA", 0, 0},
    {"var.ketama_add", value_variant_add, "ketama", 0, 0},
    {"var.ketama_extra", value_variant_extra, "ketama", 0, 0},
    {"var.ketama_onlynew", value_variant_only_new, "ketama", 0, 0},
    {"var.ketama_11_12", value_variant_add_pct, "ketama", 0, 11},
    {"var.ketama_points", value_ketama_points, "ketama", 0, 0},
    {"var.bl_inf_med", value_bounded_median, NULL, LOADS_NO_BOUND, 0},
    {"var.bl_inf_worst", value_bounded_worst, NULL, LOADS_NO_BOUND, 0},
    {"var.bl_inf_usual", value_bounded_usual, NULL, LOADS_NO_BOUND, 0},
    {"var.bl_2_0_worst", value_bounded_worst, NULL, 200, 0},
    {"var.bl_2_0_usual", value_bounded_usual, NULL, 200, 0},
    {"var.bl_1_5_med", value_bounded_median, NULL, 150, 0},
    {"var.bl_1_5_worst", value_bounded_worst, NULL, 150, 0},
    {"var.bl_1_5_usual", value_bounded_usual, NULL, 150, 0},
    {"var.bl_1_25_med", value_bounded_median, NULL, 125, 0},
    {"var.bl_1_25_usual", value_bounded_usual, NULL, 125, 0},
    {"var.bl_1_1_med", value_bounded_median, NULL, 110, 0},
    {"var.bl_1_1_worst", value_bounded_worst, NULL, 110, 0},
    {"var.bl_1_1_usual", value_bounded_usual, NULL, 110, 0},
    {"var.bl_float", value_bounded_first, NULL, 3, 0},
    {"var.bl_float_cap", value_bounded_fraction, NULL, 200, 0},
    {"var.bl_top", value_zipf_top, NULL, 0, 0},
    {"var.bl_layouts", value_bounded_layouts, NULL, 300, 0},
};

#endif
