/*
 * story_stage: a stage in the middle of the story, for the tests of views.
 */
#ifndef HOTSHARD_TESTS_STORY_STAGE_H
#define HOTSHARD_TESTS_STORY_STAGE_H

#include "scenes.h"
#include "story/play.h"

/* The main line at a time of its day. */
static inline void stage_story(struct stage *st, const char *clock)
{
    struct story_play play = {0};
    struct err err = {{0}};
    int64_t us;
    stage_new(st, NULL);
    if (!num_parse_clock(clock, &us, &err) || !story_play_start(&play, 1, &err) ||
        !story_play_until(&play, us, &err)) {
        fail_msg("%s: %s", clock, err.text);
    }
    st->world = play.world;
    st->before = world_copy(st->world);
    stage_refresh(st);
}

static inline void stage_run(struct stage *st, int64_t us)
{
    world_run_until(st->world, world_now(st->world) + us);
    stage_refresh(st);
}

/* The overload with p9's answers kept at the routers, as from 20:03:00 on, but at once: the story's
 * minutes in between cost more time than they show. */
static inline void stage_cached(struct stage *st)
{
    stage_story(st, "20:02:01.000");
    stage_do(st, "reads post:{p9} cached");
    stage_do(st, "flow read post:{p9} 9000 steady");
    stage_run(st, 2400 * US_PER_MS);
}

enum counted {
    COUNTED_SALTED,
    COUNTED_SUMMED,
    COUNTED_CRASHED,
    COUNTED_REBUILT
};

/* And what becomes of the count of p9's likes, as from 20:04:00 to 20:08:05. */
static inline void stage_counted(struct stage *st, enum counted until)
{
    stage_story(st, "20:02:01.000");
    stage_do(st, "flow like likes:{p9} 2400 steady");
    stage_do(st, "writes likes:{p9} salted 8");
    stage_run(st, 2 * US_PER_SECOND);
    if (until >= COUNTED_SUMMED) {
        stage_do(st, "writes likes:{p9} summed");
        stage_run(st, 2300 * US_PER_MS);
    }
    if (until >= COUNTED_CRASHED) {
        stage_run(st, 759 * US_PER_MS); /* just before R4 would have flushed */
        stage_do(st, "crash R4 100");
        stage_run(st, 1241 * US_PER_MS);
    }
    if (until >= COUNTED_REBUILT) {
        stage_do(st, "rebuild likes:{p9}");
        stage_run(st, US_PER_SECOND);
    }
}

static inline uint32_t stage_key(const struct stage *st, const char *key)
{
    uint32_t id = KEY_NONE_ID;
    assert_true(world_find_key(st->world, bytes_of(key), &id));
    return id;
}

#endif
