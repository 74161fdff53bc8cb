/*
 * scenes_heat: copies on which the hot key is treated otherwise.
 */
#include "story/scene_inside.h"

#include "base/num.h"
#include "story/story.h"
#include <string.h>

#define HOT_SHARD 2
#define HOT_POST "post:{p9}"
#define COALESCE_US (60 * US_PER_SECOND)

/* --- 6a: retries, and what stops them --- */

/* Likes of p9's neighbours that were answered OK so far. */
static uint64_t neighbours_liked(struct stage *s)
{
    return s->failed ? 0
                     : world_acked(s->world, stage_key(s, "likes:{p1}")) +
                           world_acked(s->world, stage_key(s, "likes:{p5}")) +
                           world_acked(s->world, stage_key(s, "likes:{p13}"));
}

static void one_cascade(struct stage *s, const char *title, const char *first, const char *second)
{
    stage_copy(s);
    stage_do(s, "limit key likes:{p9} none");
    stage_do(s, "limit key post:{p9} none");
    stage_do(s, "limit tenant nova none");
    stage_do(s, "%s", first);
    if (second != NULL) {
        stage_do(s, "%s", second);
    }
    stage_run(s, US_PER_SECOND);
    struct guard_load before = guards_load(s->world, HOT_SHARD);
    struct shard_info then = world_shard(s->world, HOT_SHARD);
    uint64_t liked = neighbours_liked(s);
    stage_run(s, US_PER_SECOND);
    struct guard_load load = guards_load_less(guards_load(s->world, HOT_SHARD), before);
    struct shard_info now = world_shard(s->world, HOT_SHARD);
    struct scene_report *r = stage_note(s, "%s", title);
    report_figure(r, (int64_t)(load.firsts + load.repeats) * 1000, "asks/s",
                  "for what is on S2, repeats included");
    report_figure(r, guards_amplification(load), "asks", "for each thing that a client wants");
    report_figure(r, guards_pressure(load), "asks", "of these get as far as S2");
    uint64_t served = now.served_reads + now.served_writes - then.served_reads - then.served_writes;
    report_figure(r, (int64_t)served * 1000, "served/s", "by S2, which can serve 4,000");
    report_figure(r, (int64_t)(neighbours_liked(s) - liked) * 1000, "likes/s",
                  "of p1, p5 and p13 are answered OK, of 150");
}

static void cascade(struct stage *s)
{
    one_cascade(s, "Clients that are refused give up.", "clients none", NULL);
    one_cascade(s, "They ask again at once, three times at most.", "clients at-once times 3", NULL);
    one_cascade(s, "The same, but repeats are at most a tenth of the first asks.",
                "clients at-once times 3 budget 10", NULL);
    one_cascade(s, "The same without a budget; each router has a circuit breaker for each shard.",
                "clients at-once times 3", "breaker on");
    one_cascade(s, "The same without breakers; each router has at most 8 requests in hand.",
                "clients at-once times 3", "shed 8");
}

/* --- 7a: replicas --- */

static void replicas(struct stage *s)
{
    stage_report(s, "only the leader answers reads");
    stage_do(s, "replicas S%d 3", HOT_SHARD);
    struct scene_report *r = stage_report(s, "S2's leader and both its replicas answer them");
    report_figure(r, world_config_of(s->world)->replica_lag_us, "ms",
                  "behind the leader is what a replica answers");
}

/* --- 7b: coalescing --- */

/* As the formula wants it: no delays, readers by a Poisson process, nothing but p9. */
static struct world *readers_alone(struct stage *s)
{
    struct world_config config = story_config(s->seed);
    memset(config.delay_us, 0, sizeof config.delay_us);
    config.read_ceiling = 0;
    config.start_us = world_now(s->play->world);
    return story_world_of(&config, false, s->err);
}

static void one_coalescing(struct stage *s, const char *how, const char *title)
{
    stage_world(s, readers_alone(s));
    if (how != NULL) {
        stage_do(s, "reads " HOT_POST " %s", how);
    }
    stage_do(s, "flow read " HOT_POST " 9000 poisson");
    stage_run(s, US_PER_SECOND);
    uint64_t before = s->failed ? 0 : world_shard(s->world, HOT_SHARD).served_reads;
    stage_run(s, COALESCE_US);
    uint64_t after = s->failed ? 0 : world_shard(s->world, HOT_SHARD).served_reads;
    struct scene_report *r = stage_note(s, "%s", title);
    report_figure(r, (int64_t)((after - before) * 1000 * US_PER_SECOND / COALESCE_US), "queries/s",
                  "reach S2 for 9,000 reads a second, over a minute");
}

static void coalescing(struct stage *s)
{
    one_coalescing(s, NULL, "Each read is a query of its own.");
    one_coalescing(s, "coalesced",
                   "Each router shares a query among the reads that come meanwhile.");
    one_coalescing(s, "coalesced by-key",
                   "All reads of p9 pass one router, which shares its query.");
}

/* --- 7c: cold caches --- */

static uint64_t fetches_of(const struct world *w, uint32_t key)
{
    uint64_t sum = 0;
    for (uint16_t router = 0; router < world_config_of(w)->routers; router++) {
        sum += reads_info(w, router, key).fetches;
    }
    return sum;
}

static void one_restart(struct stage *s, bool single_flight)
{
    stage_copy(s);
    stage_do(s, "rule single-flight %s", single_flight ? "on" : "off");
    uint32_t key = stage_key(s, HOT_POST);
    uint64_t before = fetches_of(s->world, key);
    stage_do(s, "reads " HOT_POST " forget");
    stage_run(s, 100 * US_PER_MS);
    struct scene_report *r = stage_note(s, "All caches are empty at once, %s single-flight.",
                                        single_flight ? "with" : "without");
    report_figure(r, (int64_t)(fetches_of(s->world, key) - before) * 1000, "fetches",
                  "go to S2 until the caches are full again");
}

static void cold_caches(struct stage *s)
{
    one_restart(s, true);
    one_restart(s, false);
}

/* --- 8a: other salts --- */

static void one_salt(struct stage *s, const char *salted, const char *title)
{
    static const char *const posts[] = {"p1", "p5", "p9", "p13"};
    stage_copy(s);
    stage_do(s, "limit key likes:{p9} none");
    for (size_t i = 0; i < sizeof posts / sizeof *posts; i++) {
        stage_do(s, "flow like likes:{%s} %d steady", posts[i], i == 2 ? 2400 : 50);
    }
    stage_do(s, "writes likes:{p9} %s", salted);
    stage_run(s, US_PER_SECOND);
    stage_report(s, "%s", title);
}

static void salts(struct stage *s)
{
    one_salt(s, "salted 8", "Eight sub-keys, the salt inside the tag, in turn.");
    one_salt(s, "salted 3", "Three sub-keys: 2,400 over 1,000 is 2.4, rounded up.");
    one_salt(s, "salted 4", "Four sub-keys.");
    one_salt(s, "salted 8 outside", "Eight sub-keys, the salt outside the tag.");
    one_salt(s, "salted 8 inside random", "Eight sub-keys, each like draws one at random.");
    one_salt(s, "salted 8 inside writer", "Eight sub-keys, each writer has its own.");
}

const struct scene_of scenes_of_heat[] = {
    {"6a", cascade, 2},     {"7a", replicas, 0}, {"7b", coalescing, 2},
    {"7c", cold_caches, 1}, {"8a", salts, 2},    {NULL, NULL, 0},
};
