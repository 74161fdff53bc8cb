/*
 * The figures of hot writes: p9's likes salted and summed, measured by playing the story's world.
 * Part of test_figures.c.
 *
 * Means are rounded to whole likes: a like comes at an instant, a buffer holds a whole number.
 */
#ifndef HOTSHARD_TESTS_FIGURES_WRITES_H
#define HOTSHARD_TESTS_FIGURES_WRITES_H

#include "engine/reads/reads.h"
#include "engine/state.h"
#include "engine/writes/writes.h"
#include "figures_traffic.h"

enum treated {
    TREATED_ALONE = 1,  /* nobody but p9 */
    TREATED_SUMMED = 2, /* pre-aggregation */
    TREATED_CACHED = 4, /* and the post in a micro-cache */
    TREATED_SALTED = 8, /* in 8 sub-keys; the count is read, not the post */
    TREATED_COUNT_CACHED = 16,
    TREATED_PAGE = 32, /* the post in a micro-cache, whose fetches read the count as well */
    TREATMENTS = 64
};

#define P9_COUNT "likes:{p9}"

static inline void write_words(struct world *w, const char *words)
{
    struct command c;
    struct err err = {.text = ""};
    bool parsed = command_parse(words, &c, &err);
    if (!parsed) {
        printf("%s: %s\n", words, err.text);
    }
    CHECK(parsed);
    must_apply(w, &c);
}

static inline void write_run(struct world *w, int64_t us)
{
    struct err err;
    world_run_until(w, world_now(w) + us);
    CHECK(!world_stopped(w, &err) && writes_hold(w, &err));
}

/* p9 liked and read as when it is hot, for two seconds, without ceilings where refusals would
 * change what is stored. Caller frees. */
static inline struct world *treated_world(int64_t what)
{
    struct world *w = story_world(1, (what & TREATED_ALONE) == 0, NULL);
    CHECK(w != NULL);
    set_flow(w, OP_LIKE, P9_COUNT, VIRAL_LIKES);
    set_flow(w, OP_READ, (what & TREATED_SALTED) != 0 ? P9_COUNT : "post:{p9}", VIRAL_READS);
    if ((what & TREATED_SALTED) != 0) {
        write_words(w, "writes likes:{p9} salted 8");
    }
    if ((what & TREATED_SUMMED) != 0) {
        write_words(w, "writes likes:{p9} summed");
    }
    if ((what & TREATED_CACHED) != 0) {
        write_words(w, "reads post:{p9} cached");
    }
    if ((what & TREATED_PAGE) != 0) {
        write_words(w, "reads post:{p9} cached with likes:{p9}");
    }
    if ((what & TREATED_COUNT_CACHED) != 0) {
        write_words(w, "reads likes:{p9} cached");
    }
    write_run(w, 5 * US_PER_SECOND);
    return w;
}

/* Played once for each treatment. */
static inline const struct rates *treated_rates(int64_t what)
{
    static struct rates *known[TREATMENTS];
    if (known[what] == NULL) {
        struct world *w = treated_world(what);
        known[what] = rates_now(w);
        world_free(w);
    }
    return known[what];
}

static inline uint64_t treated_asked(int64_t what, char kind, int64_t shard)
{
    return asked(treated_rates(what), kind, shard);
}

static inline uint64_t treated_cluster(int64_t what, char kind)
{
    return asked_of(&treated_rates(what)->cluster, kind);
}

/* text: 'w' or 'r'; a: how p9 is treated; b: the shard, or EVERY_SHARD for the busiest. */
static inline void value_treated(const struct figure *f, struct str *out)
{
    figures_add_int(out, (int64_t)treated_asked(f->a, f->text[0], f->b));
}

static inline void value_treated_percent(const struct figure *f, struct str *out)
{
    figures_add_real(out, 100.0 * (double)treated_asked(f->a, f->text[0], f->b) /
                              (double)ceiling(f->text[0]));
}

static inline void value_treated_cluster(const struct figure *f, struct str *out)
{
    figures_add_int(out, (int64_t)treated_cluster(f->a, f->text[0]));
}

/* Keys that a shard reads in a second. */
static inline void value_keys_read(const struct figure *f, struct str *out)
{
    struct world *w = treated_world(f->a);
    uint64_t before = world_shard(w, (uint16_t)f->b).keys_read;
    write_run(w, US_PER_SECOND);
    figures_add_int(out, (int64_t)(world_shard(w, (uint16_t)f->b).keys_read - before));
    world_free(w);
}

/* How many times fewer p9 asks of shards, alone in the world, with that treatment. */
static inline void value_treated_cut(const struct figure *f, struct str *out)
{
    figures_add_real(out, (double)treated_cluster(TREATED_ALONE, f->text[0]) /
                              (double)treated_cluster(TREATED_ALONE | f->a, f->text[0]));
}

/* --- buffers and rebuilds: p9's likes alone --- */

/* p9 alone is liked, and summed, until all phases repeat. Caller frees. */
static inline struct world *summing_world(const char *first)
{
    struct world *w = story_world(1, false, NULL);
    CHECK(w != NULL);
    if (first != NULL) {
        write_words(w, first);
    }
    write_words(w, "writes likes:{p9} summed");
    set_flow(w, OP_LIKE, P9_COUNT, VIRAL_LIKES);
    world_run_until(w, world_now(w) + 2 * US_PER_SECOND);
    return w;
}

static inline uint32_t p9_key(const struct world *w)
{
    uint32_t key = 0;
    CHECK(world_find_key(w, bytes_of(P9_COUNT), &key));
    return key;
}

static inline struct count_info p9_count(const struct world *w)
{
    struct count_info info = {0};
    CHECK(writes_count(w, p9_key(w), &info));
    return info;
}

/* Likes in each router's buffer, looked at ten times a millisecond for a second. */
struct buffers {
    double mean[6];
    uint64_t most[6];
};

static inline struct buffers buffers_seen(void)
{
    struct buffers seen = {0};
    struct world *w = summing_world(NULL);
    for (int i = 0; i < 10000; i++) {
        for (uint16_t router = 0; router < 6; router++) {
            uint64_t is = writes_buffered(w, p9_key(w), router);
            seen.mean[router] += (double)is / 10000;
            seen.most[router] = is > seen.most[router] ? is : seen.most[router];
        }
        world_run_until(w, world_now(w) + US_PER_MS / 10);
    }
    world_free(w);
    return seen;
}

static inline double buffers_sum(const double *mean)
{
    double sum = 0;
    for (int i = 0; i < 6; i++) {
        sum += mean[i];
    }
    return sum;
}

/* What a router would lose at a random moment, whichever it is. */
static inline void value_buffer_mean(const struct figure *f, struct str *out)
{
    (void)f;
    struct buffers seen = buffers_seen();
    figures_add_int(out, (int64_t)round(buffers_sum(seen.mean) / 6));
}

/* What a flush of R4 carries, looked at a moment before it. */
static inline void value_buffer_full(const struct figure *f, struct str *out)
{
    (void)f;
    figures_add_int(out, (int64_t)buffers_seen().most[4]);
}

static inline void value_behind(const struct figure *f, struct str *out)
{
    (void)f;
    struct buffers seen = buffers_seen();
    figures_add_int(out, (int64_t)round(buffers_sum(seen.mean)));
}

/* By Little's law: what is in the buffers, over what comes in a second. */
static inline void value_buffer_wait(const struct figure *f, struct str *out)
{
    (void)f;
    struct buffers seen = buffers_seen();
    figures_add_int(out, (int64_t)round(1000 * buffers_sum(seen.mean) / VIRAL_LIKES));
}

/* What six full buffers hold. */
static inline void value_buffers_full(const struct figure *f, struct str *out)
{
    (void)f;
    struct buffers seen = buffers_seen();
    uint64_t sum = 0;
    for (int i = 0; i < 6; i++) {
        sum += seen.most[i];
    }
    figures_add_int(out, (int64_t)sum);
}

/* A count in a cache: how far behind its likes a fresh answer may be, in seconds. */
static inline void value_behind_cached(const struct figure *f, struct str *out)
{
    (void)f;
    struct world *w = summing_world(NULL);
    write_words(w, "reads likes:{p9} cached");
    struct reads_info cache = reads_info(w, 0, p9_key(w));
    figures_add_real(out, (double)(p9_count(w).window_us + cache.fresh_us) / US_PER_SECOND);
    world_free(w);
}

/* Keys that one read of the count reads: of the routers, or right after a switch from salts. */
static inline uint64_t keys_read(const struct world *w)
{
    uint64_t keys = 0;
    for (uint32_t i = 0; i < world_shards(w); i++) {
        keys += shards_in(w)[i].key_reads;
    }
    return keys;
}

static inline void value_keys_of_a_read(const struct figure *f, struct str *out)
{
    struct world *w = summing_world(NULL);
    if (f->a > 0) {
        write_words(w, "writes likes:{p9} salted 8");
        write_run(w, US_PER_SECOND);
        write_words(w, "writes likes:{p9} summed"); /* some are still on their way to the salts */
    }
    uint64_t before = keys_read(w);
    write_words(w, "request read likes:{p9} via R0");
    CHECK(world_run_until_answered(w, US_PER_SECOND));
    figures_add_int(out, (int64_t)(keys_read(w) - before));
    world_free(w);
}

/* Rebuilds that take the buffers for flushed, each at another moment of the routers' phases: how
 * much too high the count is, on average; b: at once, or when nobody likes it any more. */
static inline void value_overshoot(const struct figure *f, struct str *out)
{
    enum {
        MOMENTS = 500
    };
    double sum = 0;
    struct world *at = summing_world("rule recount-at-flushed off");
    for (int i = 0; i < MOMENTS; i++) {
        struct world *w = world_copy(at);
        world_run_until(at, world_now(at) + 500 * US_PER_MS / MOMENTS);
        write_words(w, "rebuild likes:{p9}");
        world_run_until(w, world_now(w) + 13 * US_PER_MS);
        CHECK(!p9_count(w).rebuilding);
        if (f->b != 0) {
            set_flow(w, OP_LIKE, P9_COUNT, 0);
            world_run_until(w, world_now(w) + 2 * US_PER_SECOND);
        }
        struct count_info info = p9_count(w);
        sum += (double)(int64_t)(info.shown - info.durable) / MOMENTS;
        world_free(w);
    }
    world_free(at);
    figures_add_int(out, (int64_t)round(sum));
}

/* R4 dies with its buffer; nobody likes p9 any more, and the rebuild has come. */
static inline void value_rebuilt(const struct figure *f, struct str *out)
{
    (void)f;
    struct world *w = summing_world(NULL);
    write_words(w, "crash R4 1000");
    CHECK(p9_count(w).lost > 0);
    set_flow(w, OP_LIKE, P9_COUNT, 0);
    write_run(w, 3 * US_PER_SECOND);
    CHECK(p9_count(w).shown < p9_count(w).durable);
    write_words(w, "rebuild likes:{p9}");
    write_run(w, US_PER_SECOND);
    struct count_info info = p9_count(w);
    figures_add_int(out, (int64_t)(info.shown - info.durable));
    world_free(w);
}

/* Bare increments, each of which lands twice: percent too many, for every hundredth of them. */
static inline void value_additive(const struct figure *f, struct str *out)
{
    (void)f;
    struct world *w = story_world(1, false, NULL);
    CHECK(w != NULL);
    write_words(w, "rule absolute-flush off");
    write_words(w, "writes likes:{p9} summed");
    write_words(w, "network double 100%");
    set_flow(w, OP_LIKE, P9_COUNT, VIRAL_LIKES / 4);
    world_run_until(w, world_now(w) + 5 * US_PER_SECOND);
    set_flow(w, OP_LIKE, P9_COUNT, 0);
    world_run_until(w, world_now(w) + US_PER_SECOND);
    struct count_info info = p9_count(w);
    double over = (double)(info.shown - info.durable) / (double)info.durable;
    figures_add_real(out, 100.0 * over / 100);
    world_free(w);
}

static const struct figure writes[] = {
    {"snap.preagg_S0_w", value_treated, "w", TREATED_SUMMED, 0},
    {"snap.preagg_S0_wpct", value_treated_percent, "w", TREATED_SUMMED, 0},
    {"snap.preagg_S0_rpct", value_treated_percent, "r", TREATED_SUMMED, 0},
    {"snap.preagg_S1_w", value_treated, "w", TREATED_SUMMED, 1},
    {"snap.preagg_S1_wpct", value_treated_percent, "w", TREATED_SUMMED, 1},
    {"snap.preagg_S2_w", value_treated, "w", TREATED_SUMMED, 2},
    {"snap.preagg_S2_r", value_treated, "r", TREATED_SUMMED, 2},
    {"snap.preagg_S2_wpct", value_treated_percent, "w", TREATED_SUMMED, 2},
    {"snap.preagg_S2_rpct", value_treated_percent, "r", TREATED_SUMMED, 2},
    {"snap.preagg_S3_w", value_treated, "w", TREATED_SUMMED, 3},
    {"snap.preagg_S3_r", value_treated, "r", TREATED_SUMMED, 3},
    {"snap.preagg_S3_wpct", value_treated_percent, "w", TREATED_SUMMED, 3},
    {"snap.preagg_S3_rpct", value_treated_percent, "r", TREATED_SUMMED, 3},
    {"snap.S3_S0_r", value_treated, "r", TREATED_SUMMED | TREATED_CACHED, 0},
    {"snap.S3_S0_wpct", value_treated_percent, "w", TREATED_SUMMED | TREATED_CACHED, 0},
    {"snap.S3_S0_rpct", value_treated_percent, "r", TREATED_SUMMED | TREATED_CACHED, 0},
    {"snap.S3_S1_w", value_treated, "w", TREATED_SUMMED | TREATED_CACHED, 1},
    {"snap.S3_S1_wpct", value_treated_percent, "w", TREATED_SUMMED | TREATED_CACHED, 1},
    {"snap.S3_S1_rpct", value_treated_percent, "r", TREATED_SUMMED | TREATED_CACHED, 1},
    {"snap.S3_S2_w", value_treated, "w", TREATED_SUMMED | TREATED_CACHED, 2},
    {"snap.S3_S2_r", value_treated, "r", TREATED_SUMMED | TREATED_CACHED, 2},
    {"snap.S3_S2_wpct", value_treated_percent, "w", TREATED_SUMMED | TREATED_CACHED, 2},
    {"snap.S3_S2_rpct", value_treated_percent, "r", TREATED_SUMMED | TREATED_CACHED, 2},
    {"snap.S3_S3_r", value_treated, "r", TREATED_SUMMED | TREATED_CACHED, 3},
    {"snap.S3_S3_wpct", value_treated_percent, "w", TREATED_SUMMED | TREATED_CACHED, 3},
    {"snap.S3_S3_rpct", value_treated_percent, "r", TREATED_SUMMED | TREATED_CACHED, 3},
    {"snap.S3_keyreads", value_keys_read, NULL, TREATED_SUMMED | TREATED_PAGE, 2},
    {"snap.S3_cluster_w", value_treated_cluster, "w", TREATED_SUMMED | TREATED_CACHED, 0},
    {"snap.S3_write_cut", value_treated_cut, "w", TREATED_SUMMED | TREATED_CACHED, 0},
    {"snap.S3_read_cut", value_treated_cut, "r", TREATED_SUMMED | TREATED_CACHED, 0},
    {"snap.fix_preagg_w", value_treated, "w", TREATED_ALONE | TREATED_SUMMED, EVERY_SHARD},
    {"snap.fix_preagg_r", value_treated, "r", TREATED_ALONE | TREATED_SUMMED, EVERY_SHARD},
    {"snap.fix_both_w", value_treated, "w", TREATED_ALONE | TREATED_SUMMED | TREATED_CACHED,
     EVERY_SHARD},
    {"snap.fix_both_r", value_treated, "r", TREATED_ALONE | TREATED_SUMMED | TREATED_CACHED,
     EVERY_SHARD},
    {"snap.fix_salt8_cached_w", value_treated, "w",
     TREATED_ALONE | TREATED_SALTED | TREATED_COUNT_CACHED, EVERY_SHARD},
    {"snap.fix_salt8_cached_r", value_treated, "r",
     TREATED_ALONE | TREATED_SALTED | TREATED_COUNT_CACHED, EVERY_SHARD},
    {"count.flushes", value_treated_cluster, "w", TREATED_ALONE | TREATED_SUMMED, 0},
    {"count.cut", value_treated_cut, "w", TREATED_SUMMED, 0},
    {"count.per_flush", value_buffer_full, NULL, 0, 0},
    {"count.subkeys", value_keys_of_a_read, NULL, 0, 0},
    {"count.frozen", value_keys_of_a_read, NULL, 8, 0},
    {"count.delay_mean", value_buffer_wait, NULL, 0, 0},
    {"count.behind", value_behind, NULL, 0, 0},
    {"count.behind_cached", value_behind_cached, NULL, 0, 0},
    {"count.crash_mean", value_buffer_mean, NULL, 0, 0},
    {"count.rebuild_fix", value_rebuilt, NULL, 0, 0},
    {"count.rebuild_error_now", value_overshoot, NULL, 0, 1},
    {"count.rebuild_error_live", value_overshoot, NULL, 0, 0},
    {"count.rebuild_error_max", value_buffers_full, NULL, 0, 0},
    {"count.additive_pct", value_additive, NULL, 0, 0},
};

#endif
