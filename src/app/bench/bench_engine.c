/*
 * bench_engine: the engine's budgets.
 */
#include "app/bench/bench.h"

#include "app/loop.h"
#include "base/prng.h"
#include "engine/queue.h"
#include "story/play.h"
#include "story/story.h"
#include <stdlib.h>

#define NS_PER_S 1e9
#define ENGINE_NS INT64_C(400000000)
#define ENGINE_ROUNDS 5 /* the best counts, as in the other rows: a busy machine slows some */
#define GROWN 1000u
#define GROWN_KEYS 1000000u
#define TIMER_EVENTS 3000000u

static uint64_t requests_so_far(const struct world *w)
{
    uint64_t sum = 0;
    for (uint16_t router = 0; router < world_config_of(w)->routers; router++) {
        sum += world_router(w, router).requests;
    }
    return sum;
}

static bool do_all(struct world *w, const char *const *commands, struct err *err)
{
    for (; *commands != NULL; commands++) {
        struct command command;
        if (!command_parse(*commands, &command, err) || !world_apply(w, &command, err)) {
            return false;
        }
    }
    return true;
}

/* Requests a second of a world that runs for a while; 0 with the reason when it stops. */
static double one_rate(struct world *w, struct err *err)
{
    int64_t start = clock_ns();
    int64_t took = 0;
    uint64_t before = requests_so_far(w);
    while (took < ENGINE_NS) {
        world_run_until(w, world_now(w) + US_PER_SECOND / 10);
        if (world_stopped(w, err)) {
            return 0;
        }
        took = clock_ns() - start;
    }
    return (double)(requests_so_far(w) - before) * NS_PER_S / (double)took;
}

/* Of the best round. */
static double request_rate(struct world *w, struct err *err)
{
    double best = 0;
    for (int round = 0; round < ENGINE_ROUNDS; round++) {
        double rate = one_rate(w, err);
        if (rate == 0) {
            return 0;
        }
        best = rate > best ? rate : best;
    }
    return best;
}

/* The story at 20:02: p9 is asked for 2,400 likes and 9,000 reads a second, beside the usual. */
static double story_rate(const struct options *o, struct err *err)
{
    static const char *const hot[] = {"flow like likes:{p9} 2400 scattered",
                                      "flow read post:{p9} 9000 scattered", NULL};
    struct world *w = story_world(o->seed, true, err);
    double rate = w != NULL && do_all(w, hot, err) ? request_rate(w, err) : 0;
    world_free(w);
    return rate;
}

bool bench_engine(const struct options *o, struct bench_row *row, struct err *err)
{
    double rate = story_rate(o, err);
    *row = (struct bench_row){
        "engine_requests", "simulated requests in a second, trace kept", "/s", rate, 4e6, true};
    return rate > 0;
}

bool bench_story(const struct options *o, struct bench_row *row, struct err *err)
{
    struct story_play play;
    int64_t start = clock_ns();
    bool good = story_play_start(&play, o->seed, err) && story_play_until(&play, STORY_END_US, err);
    story_play_end(&play);
    *row = (struct bench_row){"story_whole",
                              "the story's twenty minutes with all its events",
                              "s",
                              (double)(clock_ns() - start) / NS_PER_S,
                              4,
                              false};
    return good;
}

/* --- growth --- */

static struct world *grown_world(const struct options *o, struct err *err)
{
    static const char *const flows[] = {"flow read user:* 80000 over 1000000",
                                        "flow like user:* 40000 over 1000000", NULL};
    struct world_config config = story_config(o->seed);
    config.shards = GROWN;
    config.shards_max = GROWN;
    config.routers = GROWN;
    config.write_ceiling = 0;
    config.read_ceiling = 0;
    config.keys_max = GROWN_KEYS + 100;
    config.store_max = GROWN_KEYS + 100;
    config.rows_max = 16;
    struct world *w = world_new(&config, err);
    if (w != NULL && !do_all(w, flows, err)) {
        world_free(w);
        return NULL;
    }
    return w;
}

bool bench_growth(const struct options *o, struct bench_row *row, struct err *err)
{
    double small = story_rate(o, err);
    struct world *w = small > 0 ? grown_world(o, err) : NULL;
    if (w == NULL) {
        return false;
    }
    bool good = request_rate(w, err) > 0; /* once to touch the memory */
    double large = good ? request_rate(w, err) : 0;
    world_free(w);
    *row = (struct bench_row){
        "growth_cost",
        "cost of a request with 1,000 shards, 1,000 routers and a million keys, story = 1",
        "x",
        large > 0 ? small / large : 0,
        2,
        false};
    return large > 0;
}

bool bench_growth_memory(const struct options *o, struct bench_row *row, struct err *err)
{
    struct world *w = grown_world(o, err);
    if (w == NULL) {
        return false;
    }
    *row = (struct bench_row){
        "growth_memory", "the block of that world", "MB", (double)world_bytes(w) / 1e6, 200, false};
    world_free(w);
    return true;
}

/* --- timers --- */

static bool bench_timers(const struct options *o, uint32_t pending, double *rate, struct err *err)
{
    struct world_config config = world_config_default();
    config.events_max = pending + 1;
    struct world *w = world_new(&config, err);
    if (w == NULL) {
        return false;
    }
    struct prng chance = prng_seeded(o->seed, "timers");
    for (uint32_t i = 0; i < pending; i++) {
        queue_at(w, (int64_t)prng_below(&chance, US_PER_SECOND), EVENT_JOB)->request = i;
    }
    int64_t start = clock_ns();
    for (uint32_t i = 0; i < TIMER_EVENTS; i++) {
        struct event event;
        CHECK(queue_take_before(w, INT64_MAX, &event));
        w->now_us = event.time_us;
        int64_t next = w->now_us + (int64_t)prng_below(&chance, US_PER_SECOND);
        queue_at(w, next, EVENT_JOB)->request = event.request;
    }
    *rate = TIMER_EVENTS * NS_PER_S / (double)(clock_ns() - start);
    world_free(w);
    return true;
}

bool bench_timers_1000(const struct options *o, struct bench_row *row, struct err *err)
{
    *row = (struct bench_row){
        "timers_1000", "events in a second, 1,000 timers pending, nothing else", "/s", 0, 8.7e6,
        true};
    return bench_timers(o, 1000, &row->value, err);
}

bool bench_timers_10000(const struct options *o, struct bench_row *row, struct err *err)
{
    *row = (struct bench_row){
        "timers_10000", "the same with 10,000 timers pending", "/s", 0, 4.9e6, true};
    return bench_timers(o, 10000, &row->value, err);
}
