/*
 * The figures of queries over all shards: what the slowest of five takes, with a hedge and without,
 * who answers from another zone, and what each shard is asked while "trending now" is computed for
 * each client, or once a second; measured by playing. Part of test_figures.c.
 */
#ifndef HOTSHARD_TESTS_FIGURES_QUERIES_H
#define HOTSHARD_TESTS_FIGURES_QUERIES_H

#include "engine/queries/queries.h"
#include "figures_chances.h"
#include "figures_moves.h"
#include "story/play.h"

#define TRENDING "query trending top 10 of likes:* bytes 20KB"
#define SLOW_ONES "times all 3 7 slow 1 50 200"

enum queries_played {
    QUERIES_PLAYED = 20000, /* at 1,000 a second */
    QUERIES_HEDGED = 40000,
    QUERIES_OF_ONE = 10000,
    QUERY_SEEDS = 7
};

/* Five shards that have their slots in one zone with their routers, so that nothing but the shards
 * takes time; on shard 0 alone if there is to be one. Caller frees. */
static inline struct world *world_of_queries(uint64_t seed, bool one)
{
    struct world_config c = story_config(seed);
    memset(c.delay_us, 0, sizeof c.delay_us);
    c.shards = one ? 1 : 5;
    struct world *w = world_new(&c, NULL);
    CHECK(w != NULL);
    must_say(w, "request like likes:{p9} via R0");
    run_on(w, 1000);
    must_say(w, TRENDING);
    must_say(w, SLOW_ONES);
    return w;
}

/* Plays so many, and until the last one has ended. */
static inline void ask_trending(struct world *w, int64_t count)
{
    must_say(w, "gather trending 1000");
    run_on(w, count);
    must_say(w, "gather trending 0");
    run_on(w, 1000);
    struct query_info q = world_query(w, 0);
    CHECK((int64_t)q.asked == count && q.whole + q.partial == q.asked);
}

static inline double latency_ms(const struct world *w, uint32_t thousandths)
{
    return (double)world_query_latency(w, 0, thousandths) / 1000;
}

static inline void value_slowest_of_five(const struct figure *f, struct str *out)
{
    (void)f;
    struct world *w = world_of_queries(10, false);
    ask_trending(w, QUERIES_PLAYED);
    figures_add_real(out, latency_ms(w, 990));
    world_free(w);
}

/* Of one shard alone: on the edge of a gap, so each seed says something else. */
static inline void value_one_shard(const struct figure *f, struct str *out)
{
    (void)f;
    double ms[QUERY_SEEDS];
    for (uint64_t seed = 1; seed <= QUERY_SEEDS; seed++) {
        struct world *w = world_of_queries(seed, true);
        ask_trending(w, QUERIES_OF_ONE);
        ms[seed - 1] = latency_ms(w, 990);
        world_free(w);
    }
    add_quartiles(ms, QUERY_SEEDS, out);
}

static inline struct world *hedged(void)
{
    struct world *w = world_of_queries(10, false);
    must_say(w, "query trending hedge 10");
    ask_trending(w, QUERIES_HEDGED);
    return w;
}

static inline void value_hedged(const struct figure *f, struct str *out)
{
    (void)f;
    struct world *w = hedged();
    figures_add_real(out, latency_ms(w, 990));
    world_free(w);
}

static inline void value_hedges(const struct figure *f, struct str *out)
{
    (void)f;
    struct world *w = hedged();
    struct query_info q = world_query(w, 0);
    figures_add_real(out, 100.0 * (double)q.hedges / (double)(q.parts - q.hedges));
    world_free(w);
}

/* --- "trending now" in the story --- */

enum trending_at {
    TRENDING_EACH, /* computed for each client: event 25 */
    TRENDING_JOB,  /* by a job, once a second: event 26 */
    TRENDING_TIMES
};

/* Both in one story. */
static inline void play_trending(struct rates *out[TRENDING_TIMES])
{
    static const char *const clock[TRENDING_TIMES] = {"20:15:10", "20:15:40"};
    struct story_play story;
    CHECK(story_play_start(&story, 1, NULL));
    for (int i = 0; i < TRENDING_TIMES; i++) {
        int64_t us;
        CHECK(num_parse_clock(clock[i], &us, NULL) && story_play_until(&story, us, NULL));
        out[i] = rates_now(story.world);
    }
    story_play_end(&story);
}

static inline uint64_t asked_in_trending(enum trending_at moment, int64_t shard)
{
    static struct rates *known[TRENDING_TIMES];
    if (known[moment] == NULL) {
        play_trending(known);
    }
    return asked(known[moment], 'r', shard);
}

/* a: the moment; b: the shard. */
static inline void value_trending(const struct figure *f, struct str *out)
{
    figures_add_int(out, (int64_t)asked_in_trending((enum trending_at)f->a, f->b));
}

static inline void value_trending_percent(const struct figure *f, struct str *out)
{
    uint64_t is = asked_in_trending((enum trending_at)f->a, f->b);
    figures_add_real(out, 100.0 * (double)is / (double)ceiling('r'));
}

/* Shards whose answers stay in the zone of who asks. */
static inline void value_leaders(const struct figure *f, struct str *out)
{
    (void)f;
    struct world *w = world_of_move(MOVE_AFTER);
    must_say(w, TRENDING);
    for (uint16_t router = 0; router < 6; router += 2) { /* one in each zone */
        struct query_info before = world_query(w, 0);
        char words[40];
        (void)snprintf(words, sizeof words, "gather trending via R%u", (unsigned)router);
        must_say(w, words);
        CHECK(world_run_until_answered(w, US_PER_SECOND));
        struct query_info after = world_query(w, 0);
        uint64_t answers = after.answers - before.answers;
        figures_add_int(out, (int64_t)(answers - (after.crossings - before.crossings)));
    }
    world_free(w);
}

/* Each of five shards has ten at least. */
static inline void value_merged(const struct figure *f, struct str *out)
{
    (void)f;
    struct world *w = world_of_queries(1, false);
    for (int64_t post = 100; post < 300; post++) {
        struct command c = command_request(OP_LIKE, bytes_of(keyed("likes:{p", post, "}").text), 0);
        must_apply(w, &c);
    }
    run_on(w, 1000);
    must_say(w, "gather trending via R0");
    CHECK(world_run_until_answered(w, US_PER_SECOND));
    struct query_run_info last;
    CHECK(world_query_last(w, 0, &last) && last.items == 10);
    figures_add_int(out, last.entries);
    world_free(w);
}

static const struct figure queries[] = {
    {"scatter.p99_5_direct", value_slowest_of_five, NULL, 0, 0},
    {"scatter.p99_1", value_one_shard, NULL, 0, 0},
    {"scatter.hedge_p99", value_hedged, NULL, 0, 0},
    {"scatter.hedge_extra", value_hedges, NULL, 0, 0},
    {"scatter.leaders", value_leaders, NULL, 0, 0},
    {"scatter.gather_merge", value_merged, NULL, 0, 0},
    {"scatter.S6_S0", value_trending, NULL, TRENDING_EACH, 0},
    {"scatter.S6_S0_pct", value_trending_percent, NULL, TRENDING_EACH, 0},
    {"scatter.S6_S0_job", value_trending, NULL, TRENDING_JOB, 0},
    {"scatter.S6_S1", value_trending, NULL, TRENDING_EACH, 1},
    {"scatter.S6_S1_pct", value_trending_percent, NULL, TRENDING_EACH, 1},
    {"scatter.S6_S2", value_trending, NULL, TRENDING_EACH, 2},
    {"scatter.S6_S2_pct", value_trending_percent, NULL, TRENDING_EACH, 2},
    {"scatter.S6_S2_job", value_trending, NULL, TRENDING_JOB, 2},
    {"scatter.S6_S3", value_trending, NULL, TRENDING_EACH, 3},
    {"scatter.S6_S3_pct", value_trending_percent, NULL, TRENDING_EACH, 3},
    {"scatter.S6_S3_job", value_trending, NULL, TRENDING_JOB, 3},
    {"scatter.S6_S4", value_trending, NULL, TRENDING_EACH, 4},
    {"scatter.S6_S4_pct", value_trending_percent, NULL, TRENDING_EACH, 4},
    {"scatter.S6_S4_job", value_trending, NULL, TRENDING_JOB, 4},
};

#endif
