/*
 * The figures that hang on chance, and the bounds of a micro-cache: how much a crash takes, what a
 * sample holds, how old an answer may be; measured by playing the world. A figure that differs from
 * run to run is told by its quartiles, all of which must lie in the row's band. And the read units
 * of the opening. Part of test_figures.c.
 */
#ifndef HOTSHARD_TESTS_FIGURES_CHANCES_H
#define HOTSHARD_TESTS_FIGURES_CHANCES_H

#include "figures_guards.h"
#include "figures_reads.h"
#include "figures_rings.h"
#include "figures_size.h"
#include "figures_writes.h"

enum chances {
    CRASHES = 80,
    SAMPLES = 7,
    SAMPLED_LIKES = 127, /* of which p9's are counted */
    R4 = 4
};

/* Sorts the values. */
static inline void add_quartiles(double *value, size_t count, struct str *out)
{
    qsort(value, count, sizeof *value, sample_order);
    for (int quarter = 1; quarter <= 3; quarter++) {
        figures_add_real(out, sample_at(value, count, quarter / 4.0));
    }
}

/* --- what R4 takes along when it dies ---------------------------------------------------------
 */

/* p9's likes come by chance and are summed. Caller frees. */
static inline struct world *summed_by_chance(void)
{
    struct world *w = story_world(1, false, NULL);
    CHECK(w != NULL);
    write_words(w, "writes likes:{p9} summed");
    set_poisson(w, OP_LIKE, P9_COUNT, VIRAL_LIKES);
    world_run_until(w, world_now(w) + 2 * US_PER_SECOND);
    return w;
}

static inline double lost_with_r4(const struct world *at)
{
    struct world *w = world_copy(at);
    write_words(w, "crash R4 1000");
    double lost = (double)p9_count(w).lost;
    world_free(w);
    return lost;
}

/* At moments spread evenly over R4's window, each in a window of its own. */
static inline void value_crash_any(const struct figure *f, struct str *out)
{
    (void)f;
    double lost[CRASHES];
    struct world *w = summed_by_chance();
    int64_t window = p9_count(w).window_us;
    for (size_t i = 0; i < CRASHES; i++) {
        world_run_until(w, world_now(w) + window + window / CRASHES);
        lost[i] = lost_with_r4(w);
    }
    world_free(w);
    add_quartiles(lost, CRASHES, out);
}

/* A millisecond before each flush of R4. */
static inline void value_crash_late(const struct figure *f, struct str *out)
{
    (void)f;
    double lost[CRASHES];
    struct world *w = summed_by_chance();
    int64_t window = p9_count(w).window_us;
    uint32_t key = p9_key(w);
    struct world *before;
    do { /* the copy stays a millisecond behind */
        before = world_copy(w);
        world_run_until(w, world_now(w) + US_PER_MS);
        if (writes_buffered(w, key, R4) >= writes_buffered(before, key, R4)) {
            world_free(before);
            before = NULL;
        }
    } while (before == NULL);
    for (size_t i = 0; i < CRASHES; i++) {
        lost[i] = lost_with_r4(before);
        world_run_until(before, world_now(before) + window);
    }
    world_free(before);
    world_free(w);
    add_quartiles(lost, CRASHES, out);
}

/* --- what a sample holds ----------------------------------------------------------------------
 */

static inline struct world *sampled_world(void)
{
    struct world *w = world_at(M2);
    struct command sample = {.kind = COMMAND_SAMPLE,
                             .count = SAMPLE_ONE_IN,
                             .period_us = SAMPLE_WINDOW_S * US_PER_SECOND};
    must_apply(w, &sample);
    return w;
}

/* S2's likes in the sample, in several windows. */
static inline void value_sample_size(const struct figure *f, struct str *out)
{
    (void)f;
    double size[SAMPLES];
    struct world *w = sampled_world();
    for (size_t i = 0; i < SAMPLES; i++) {
        world_run_until(w, world_now(w) + SAMPLE_WINDOW_S * US_PER_SECOND + (i == 0));
        const struct hot_report *report = guards_report(w);
        CHECK(report->count >= 1 && report->row[0].shard == 2);
        size[i] = report->row[0].shard_writes;
    }
    world_free(w);
    add_quartiles(size, SAMPLES, out);
}

/* Likes of S2 in the routers' sketches, whole while these have cells to spare; *hot: those of p9.
 */
static inline uint32_t likes_sketched(const struct world *w, uint32_t *hot)
{
    uint32_t likes = 0;
    *hot = 0;
    for (uint16_t router = 0; router < world_config_of(w)->routers; router++) {
        struct sketch_info sketch = guards_sketch(w, router);
        CHECK(sketch.floor == 0);
        for (uint32_t i = 0; i < sketch.cells; i++) {
            struct sketch_cell cell = guards_sketch_cell(w, router, i);
            uint32_t slot = world_key_slot(w, cell.key);
            if (cell.writes > 0 && world_owner(w, slot) == 2) {
                likes += cell.writes;
                *hot += slot == (uint32_t)post_slot(9) ? cell.writes : 0;
            }
        }
    }
    return likes;
}

/* p9's among the first so many that a window samples of S2's likes. */
static inline void value_sample_hot(const struct figure *f, struct str *out)
{
    (void)f;
    double hot[SAMPLES];
    struct world *w = sampled_world();
    for (size_t i = 0; i < SAMPLES; i++) {
        uint32_t is = 0;
        struct command again = {.kind = COMMAND_SAMPLE,
                                .count = SAMPLE_ONE_IN,
                                .period_us = 2 * SAMPLE_WINDOW_S * US_PER_SECOND};
        must_apply(w, &again);                                /* begins a window */
        world_run_until(w, world_now(w) + 3 * US_PER_SECOND); /* it takes about five */
        CHECK(likes_sketched(w, &is) < SAMPLED_LIKES);
        while (likes_sketched(w, &is) < SAMPLED_LIKES) {
            world_run_until(w, world_now(w) + US_PER_MS / 2); /* a sampled request in each 14 */
        }
        CHECK(likes_sketched(w, &is) == SAMPLED_LIKES);
        hot[i] = is;
    }
    world_free(w);
    add_quartiles(hot, SAMPLES, out);
}

/* --- how old an answer may be ------------------------------------------------------------------
 */

/* How a post that was fetched `age` ago, without delays, is answered. */
static inline struct reads_info answered_at(int64_t age_us)
{
    struct world *w = even_world(1, 0);
    must_play(w, "reads post:{p9} cached");
    must_play(w, "request read post:{p9} via R0");
    play_on(w, 1);
    play_on(w, age_us - 1);
    must_play(w, "request read post:{p9} via R0");
    play_on(w, 1);
    struct reads_info info = reads_info(w, 0, key_number(w, "post:{p9}"));
    world_free(w);
    return info;
}

/* The least ages at which an answer is no longer fresh, and is no longer given at once, by halves,
 * in seconds. */
static inline void value_age_bounds(const struct figure *f, struct str *out)
{
    (void)f;
    for (int bound = 0; bound < 2; bound++) {
        int64_t good = US_PER_MS;
        int64_t late = 10 * US_PER_SECOND;
        while (late - good > 1) {
            int64_t middle = (good + late) / 2;
            struct reads_info info = answered_at(middle);
            bool held = info.hits > 0 || (bound == 1 && info.stale_hits > 0);
            good = held ? middle : good;
            late = held ? late : middle;
        }
        str_add(out, bound == 1 ? " and " : "");
        str_addf(out, "%.6g", (double)late / US_PER_SECOND);
    }
}

/* --- the opening -------------------------------------------------------------------------------
 */

/* Which answers, of 1 to 64 KB, the latest or not, cost a times the ceiling, whole times. */
static inline void value_units_fit(const struct figure *f, struct str *out)
{
    for (int strong = 1; strong >= 0; strong--) {
        for (int kb = 1; kb <= 64; kb++) {
            char run[80];
            snprintf(run, sizeof run, "units times answer_kb=%d strong=%d", kb, strong);
            const char *at = run;
            if ((int64_t)round(size_run(&at, NULL)) == f->a) {
                str_addf(out, "%s%d KB %s", out->length > 0 ? ", " : "", kb,
                         strong ? "strong" : "eventual");
            }
        }
    }
}

static const struct figure chances[] = {
    {"count.crash_211", value_crash_any, NULL, 0, 0},
    {"count.crash_211_full", value_crash_late, NULL, 0, 0},
    {"snap.sample_total", value_sample_size, NULL, 0, 0},
    {"snap.sample_p9", value_sample_hot, NULL, 0, 0},
    {"read.stale_bound", value_age_bounds, NULL, 0, 0},
    {"managed.hook_reads", value_size, "units reads", 0, 0},
    {"managed.hook_share", value_size, "units people_pct", 0, 0},
    {"managed.hook_strong4", value_size, "units times answer_kb=4 strong=1", 0, 0},
    {"managed.hook_event4", value_size, "units times answer_kb=4", 0, 0},
    {"managed.hook_event12", value_size, "units times answer_kb=12", 0, 0},
    {"managed.hook_units", value_size, "units units answer_kb=12", 0, 0},
    {"managed.hook_fit", value_units_fit, NULL, 33, 0},
    {"ring.drives", value_size, "drives server_tb drives_each=8 drive_tb=8", 0, 0},
    {"ring.mtbf", value_size, "drives hours_between servers=100 drives_each=8", 0, 0},
};

#endif
