/*
 * The figures of rings: document 004's worked ones on 0 to 999, and what random ones are like,
 * drawn by TOKENS_SEEDED. Part of test_figures.c.
 */
#ifndef HOTSHARD_TESTS_FIGURES_RINGS_H
#define HOTSHARD_TESTS_FIGURES_RINGS_H

#include "figures_growth.h"
#include "figures_size.h"
#include "place/range.h"
#include "place/ring.h"

#define WORKED_POSITIONS 1000u
#define WORKED_POINTS 16

/* --- worked rings ------------------------------------------------------------------------------
 */

struct worked {
    struct ring_point point[WORKED_POINTS]; /* index: 0 is node A */
    size_t count;
};

static inline int worked_order(const void *left, const void *right)
{
    const struct ring_point *a = left;
    const struct ring_point *b = right;
    return a->at < b->at ? -1 : a->at > b->at;
}

/* "50A 170B 200C", in any order; a node called `without` is left out. */
static inline struct worked worked_ring(const char *text, char without)
{
    struct worked ring = {.count = 0};
    for (const char *at = text; *at != '\0';) {
        char *end;
        uint64_t position = strtoull(at, &end, 10);
        CHECK(end != at && *end >= 'A' && *end <= 'Z' && ring.count < WORKED_POINTS);
        if (*end != without) {
            ring.point[ring.count++] =
                (struct ring_point){.at = position, .index = (uint32_t)(*end - 'A')};
        }
        at = end + 1 + strspn(end + 1, " ");
    }
    qsort(ring.point, ring.count, sizeof ring.point[0], worked_order);
    return ring;
}

static inline char worked_owner(const struct worked *ring, uint64_t position)
{
    return (char)('A' + ring->point[ring_find(ring->point, ring->count, position)].index);
}

static inline int64_t worked_owned(const struct worked *ring, char node)
{
    int64_t owned = 0;
    for (uint64_t position = 0; position < WORKED_POSITIONS; position++) {
        owned += worked_owner(ring, position) == node;
    }
    return owned;
}

/* The owner of position a. */
static inline void value_worked_owner(const struct figure *f, struct str *out)
{
    struct worked ring = worked_ring(f->text, 0);
    str_addc(out, worked_owner(&ring, (uint64_t)f->a));
}

/* How many positions node a owns. */
static inline void value_worked_owned(const struct figure *f, struct str *out)
{
    struct worked ring = worked_ring(f->text, 0);
    figures_add_int(out, worked_owned(&ring, (char)f->a));
}

/* The busiest of a nodes over its fair share. */
static inline void value_worked_ratio(const struct figure *f, struct str *out)
{
    struct worked ring = worked_ring(f->text, 0);
    int64_t most = 0;
    for (char node = 'A'; node < 'A' + f->a; node++) {
        int64_t owned = worked_owned(&ring, node);
        most = owned > most ? owned : most;
    }
    figures_add_real(out, (double)(most * f->a) / WORKED_POSITIONS);
}

/* Whose arcs follow each other. */
static inline void value_worked_order(const struct figure *f, struct str *out)
{
    struct worked ring = worked_ring(f->text, 0);
    for (size_t i = 0; i < ring.count; i++) {
        str_addc(out, (char)('A' + ring.point[i].index));
    }
}

static inline void value_worked_longest(const struct figure *f, struct str *out)
{
    struct worked ring = worked_ring(f->text, 0);
    int64_t owned[WORKED_POINTS] = {0};
    int64_t most = 0;
    for (uint64_t position = 0; position < WORKED_POSITIONS; position++) {
        size_t arc = ring_find(ring.point, ring.count, position);
        owned[arc]++;
        most = owned[arc] > most ? owned[arc] : most;
    }
    figures_add_int(out, most);
}

/* Who has the positions of node a without it. */
static inline void value_worked_heirs(const struct figure *f, struct str *out)
{
    struct worked with = worked_ring(f->text, 0);
    struct worked rest = worked_ring(f->text, (char)f->a);
    bool heir[26] = {false};
    for (uint64_t position = 0; position < WORKED_POSITIONS; position++) {
        if (worked_owner(&with, position) == (char)f->a) {
            heir[worked_owner(&rest, position) - 'A'] = true;
        }
    }
    for (char node = 'A'; node <= 'Z'; node++) {
        if (heir[node - 'A']) {
            str_addc(out, node);
        }
    }
}

/* Positions that differ with and without node a, over b. */
static inline void value_worked_moved(const struct figure *f, struct str *out)
{
    struct worked with = worked_ring(f->text, 0);
    struct worked rest = worked_ring(f->text, (char)f->a);
    int64_t moved = 0;
    for (uint64_t position = 0; position < WORKED_POSITIONS; position++) {
        moved += worked_owner(&with, position) != worked_owner(&rest, position);
    }
    figures_add_real(out, (double)moved / (double)f->b);
}

/* The ten users of 3.6 whose owner differs with and without node a, in percent. */
static inline void value_worked_users(const struct figure *f, struct str *out)
{
    static const uint64_t user[] = {50, 150, 320, 450, 720, 800, 90, 200, 600, 950};
    struct worked with = worked_ring(f->text, 0);
    struct worked rest = worked_ring(f->text, (char)f->a);
    size_t users = sizeof user / sizeof user[0];
    double moved = 0;
    for (size_t i = 0; i < users; i++) {
        moved += worked_owner(&with, user[i]) != worked_owner(&rest, user[i]);
    }
    figures_add_real(out, 100 * moved / (double)users);
}

/* Three copies of a key at position a. */
static inline void value_worked_replicas(const struct figure *f, struct str *out)
{
    struct worked ring = worked_ring(f->text, 0);
    uint32_t copy[3];
    size_t owner = ring_find(ring.point, ring.count, (uint64_t)f->a);
    uint32_t found = ring_replicas(ring.point, ring.count, owner, NULL, 3, copy);
    for (uint32_t i = 0; i < found; i++) {
        char node[2] = {(char)('A' + copy[i]), '\0'};
        figures_add_word(out, node);
    }
}

/* The directory of 2.3 as ranges: A from the start, B from user 1001, C from 2001, and so on. */
static inline void value_directory(const struct figure *f, struct str *out)
{
    static const struct {
        const char *first;
        uint32_t shard;
    } row[] = {{"user:01001", 1}, {"user:02001", 2}, {"user:05001", 0}, {"user:08001", 3}};
    struct layout_params params = layout_defaults(&scheme_range);
    struct layout *layout = layout_new(&scheme_range, &params, 4, NULL);
    CHECK(layout != NULL);
    while (layout_ranges(layout) > 1) {
        CHECK(layout_range_merge(layout, 0, NULL));
    }
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        CHECK(layout_range_split(layout, bytes_of(row[i].first), row[i].shard, NULL));
    }
    str_addc(out, (char)('A' + layout_owner(layout, bytes_of(f->text))));
    layout_free(layout);
}

/* --- random rings ------------------------------------------------------------------------------
 */

static inline int sample_order(const void *left, const void *right)
{
    const double *a = left;
    const double *b = right;
    return *a < *b ? -1 : *a > *b;
}

/* Sorts them; of an even number the mean of the middle two. */
static inline double sample_median(double *sample, size_t count)
{
    qsort(sample, count, sizeof *sample, sample_order);
    return (sample[(count - 1) / 2] + sample[count / 2]) / 2;
}

static inline double sample_at(const double *sorted, size_t count, double part)
{
    return sorted[(size_t)((double)(count - 1) * part + 0.5)];
}

static inline struct layout *ring_drawn(uint32_t shards, uint32_t tokens, uint64_t seed)
{
    struct layout_params params = layout_defaults(&scheme_ring);
    params.tokens = tokens;
    params.token_rule = TOKENS_SEEDED;
    params.seed = seed;
    struct layout *layout = layout_new(&scheme_ring, &params, shards, NULL);
    CHECK(layout != NULL);
    return layout;
}

struct shares {
    double most, least;
};

static inline struct shares ring_shares(const struct layout *layout)
{
    struct shares s = {.most = 0, .least = 1};
    for (uint32_t i = 0; i < layout_shards(layout); i++) {
        double share = layout_ring_share(layout, i);
        s.most = share > s.most ? share : s.most;
        s.least = share < s.least ? share : s.least;
    }
    return s;
}

/* Of b drawn rings of ten nodes with a tokens: the busiest, percent over the average, on average.
 */
static inline void value_ring_top(const struct figure *f, struct str *out)
{
    double sum = 0;
    for (int64_t seed = 1; seed <= f->b; seed++) {
        struct layout *layout = ring_drawn(10, (uint32_t)f->a, (uint64_t)seed);
        sum += ring_shares(layout).most * 10 - 1;
        layout_free(layout);
    }
    figures_add_real(out, 100 * sum / (double)f->b);
}

/* Of b drawn rings of ten nodes with one token: largest over smallest share, the median. */
static inline void value_ring_extremes(const struct figure *f, struct str *out)
{
    double *ratio = xcalloc((size_t)f->b, sizeof *ratio);
    for (int64_t i = 0; i < f->b; i++) {
        struct layout *layout = ring_drawn(10, 1, (uint64_t)i + 1);
        struct shares s = ring_shares(layout);
        ratio[i] = s.most / s.least;
        layout_free(layout);
    }
    figures_add_real(out, sample_median(ratio, (size_t)f->b));
    free(ratio);
}

static inline size_t ring_points_of(const struct layout *layout, uint32_t shard)
{
    size_t count = 0;
    size_t of_shard = 0;
    const struct ring_point *point = layout_ring(layout, &count);
    for (size_t i = 0; i < count; i++) {
        of_shard += point[i].index == shard;
    }
    return of_shard;
}

/* Three nodes with weights 4, 1 and 2, as tokens: the share of node a's, in percent. */
static inline void value_ring_weight(const struct figure *f, struct str *out)
{
    struct layout *layout = ring_drawn(3, 100, 1);
    size_t points = 0;
    CHECK(layout_weigh(layout, 0, 200, NULL) && layout_weigh(layout, 1, 50, NULL));
    (void)layout_ring(layout, &points);
    figures_add_real(out, 100.0 * (double)ring_points_of(layout, (uint32_t)f->a) / (double)points);
    layout_free(layout);
}

/* How many times the points of b tokens a node are those of a tokens. */
static inline void value_ring_growth(const struct figure *f, struct str *out)
{
    size_t before = 0;
    size_t after = 0;
    struct layout *small = ring_drawn(10, (uint32_t)f->a, 1);
    struct layout *large = ring_drawn(10, (uint32_t)f->b, 1);
    (void)layout_ring(small, &before);
    (void)layout_ring(large, &after);
    figures_add_real(out, (double)after / (double)before);
    layout_free(small);
    layout_free(large);
}

/* What each of b shards has of `a` keys whose hashes are 0, 1, 2 ...; all the same. */
static inline void value_mod_each(const struct figure *f, struct str *out)
{
    struct layout *layout = layout_mod(HASH_MIX64, (uint32_t)f->b);
    uint64_t *hashes = xcalloc((size_t)f->a, sizeof *hashes);
    for (int64_t i = 0; i < f->a; i++) {
        hashes[i] = (uint64_t)i;
    }
    struct balance b = balance_of_hashes(layout, hashes, (size_t)f->a);
    CHECK(b.busiest == b.idlest);
    figures_add_int(out, (int64_t)b.busiest);
    balance_free(&b);
    free(hashes);
    layout_free(layout);
}

#define RING_32 "50A 170B 200C"
#define RING_34 "50A 120D 170B 200C"
#define RING_36 "100A 400B 750C"
#define RING_41 "50A 800B 900C"
#define RING_42 "50A 350A 700A 980A 120B 500B 820B 440B 200C 650C 910C 280C"
#define RING_83 "50A 120B 200A 350C 500B 650C 800A 900B"

static const struct figure rings[] = {
    {"ring.w32_k1", value_worked_owner, RING_32, 30, 0},
    {"ring.w32_k2", value_worked_owner, RING_32, 60, 0},
    {"ring.w32_k4", value_worked_owner, RING_32, 240, 0},
    {"ring.w34_to", value_worked_heirs, RING_34, 'B', 0},
    {"ring.w34_moved", value_worked_moved, RING_34, 'B', 1},
    {"ring.w36_A", value_worked_owned, RING_36, 'A', 0},
    {"ring.w36_B", value_worked_owned, RING_36, 'B', 0},
    {"ring.w36_C", value_worked_owned, RING_36, 'C', 0},
    {"ring.w36_user1", value_worked_owner, RING_36, 50, 0},
    {"ring.w36_user2", value_worked_owner, RING_36, 150, 0},
    {"ring.w36_user3", value_worked_owner, RING_36, 320, 0},
    {"ring.w36_user4", value_worked_owner, RING_36, 450, 0},
    {"ring.w36_user5", value_worked_owner, RING_36, 720, 0},
    {"ring.w36_user6", value_worked_owner, RING_36, 800, 0},
    {"ring.w36_user10", value_worked_owner, RING_36, 950, 0},
    {"ring.w36_pct", value_worked_users, RING_36 " 250D", 'D', 0},
    {"ring.w36_arc", value_worked_moved, RING_36 " 250D", 'D', WORKED_POSITIONS / 100},
    {"ring.w41_A", value_worked_owned, RING_41, 'A', 0},
    {"ring.w41_B", value_worked_owned, RING_41, 'B', 0},
    {"ring.w41_C", value_worked_owned, RING_41, 'C', 0},
    {"ring.w41_ratio", value_worked_ratio, RING_41, 3, 0},
    {"ring.w42_A", value_worked_owned, RING_42, 'A', 0},
    {"ring.w42_B", value_worked_owned, RING_42, 'B', 0},
    {"ring.w42_order", value_worked_order, RING_42, 0, 0},
    {"ring.w42_ratio", value_worked_ratio, RING_42, 3, 0},
    {"ring.w42_big", value_worked_longest, RING_42, 0, 0},
    {"ring.top_1", value_ring_top, NULL, 1, 20000},
    {"ring.top_10", value_ring_top, NULL, 10, 8000},
    {"ring.top_256", value_ring_top, NULL, 256, 600},
    {"ring.top_1000", value_ring_top, NULL, 1000, 300},
    {"ring.growth", value_ring_growth, NULL, 150, 256},
    {"ring.ratio_10", value_ring_extremes, NULL, 0, 20000},
    {"ring.weight_A", value_ring_weight, NULL, 0, 0},
    {"ring.weight_B", value_ring_weight, NULL, 1, 0},
    {"ring.weight_C", value_ring_weight, NULL, 2, 0},
    {"ring.weight_sd_B", value_size, "tokens spread_pct nodes=7 tokens=50", 0, 0},
    {"ring.iot", value_mod_each, NULL, 1000000, 20},
    {"ring.repl_160", value_worked_replicas, RING_83, 160, 0},
    {"ring.repl_skip", value_worked_replicas, RING_83 " 250A", 160, 0},
    {"ring.repl_950", value_worked_replicas, RING_83, 950, 0},
    {"d4.dir_3500", value_directory, "user:03500", 0, 0},
};

#endif
