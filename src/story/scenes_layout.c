/*
 * scenes_layout: copies on which keys or shards are arranged otherwise.
 */
#include "story/scene_inside.h"
#include "story/story.h"

#define NOVAS_POSTS 4
#define OTHER_CREATORS 12

/* A quiet copy of the cluster: the story's before anybody asks. */
static void quiet(struct stage *s)
{
    stage_world(s, story_world(s->seed, false, s->err));
}

static void other_keys(struct stage *s)
{
    stage_report(s, "keyed by post: sixteen keys of 50 likes a second");
    quiet(s);
    stage_do(s, "flow like likes:{nova} %d", NOVAS_POSTS * 50);
    for (int i = 0; i < OTHER_CREATORS; i++) {
        stage_do(s, "flow like likes:{creator%d} 50", i);
    }
    stage_report(s, "keyed by creator: nova's four posts are one key");
    quiet(s);
    stage_do(s, "flow like likes:{20:00} %d", STORY_POSTS * 50);
    stage_report(s, "keyed by time: all new writes have the same minute");
}

static void more_shards(struct stage *s)
{
    static const uint16_t counts[] = {4, 5, 8, 16, 64};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        struct world_config config = story_config(s->seed);
        config.shards = counts[i];
        config.start_us = world_now(s->play->world);
        stage_world(s, story_world_of(&config, true, s->err));
        stage_do(s, "flow like likes:{p9} 2400 scattered");
        stage_do(s, "flow read post:{p9} 9000 scattered");
        struct scene_report *r = stage_report(s, "%u shards", (unsigned)counts[i]);
        int64_t writes = 0;
        int64_t busiest = 0;
        for (uint32_t shard = 0; shard < r->shards; shard++) {
            int64_t asked = (int64_t)r->shard[shard].writes;
            writes += asked;
            busiest = asked > busiest ? asked : busiest;
        }
        report_figure(r, busiest * 100, "%", "the busiest shard, of its write ceiling");
        report_figure(r, writes * 100 / counts[i], "%", "the average shard");
    }
}

/* One block of slots from each old shard to the new one, each with one post in it. */
static void chosen_slots(struct stage *s)
{
    static const struct {
        uint32_t first, count;
    } block[] = {{1320, 819}, {5449, 819}, {9578, 819}, {13574, 820}};
    quiet(s);
    for (int post = 1; post <= STORY_POSTS; post++) {
        stage_do(s, "flow like likes:{p%d} 100", post);
        stage_do(s, "flow read post:{p%d} 200", post);
    }
    stage_report(s, "day 2: each post has 100 likes and 200 reads a second");
    stage_do(s, "shard add"); /* S4, which p9's slot moved to, has no part in this copy */
    stage_do(s, "shard add");
    uint32_t slots = 0;
    for (size_t i = 0; i < sizeof block / sizeof *block; i++) {
        stage_do(s, "move %u-%u S5", block[i].first, block[i].first + block[i].count - 1);
        slots += block[i].count;
    }
    struct scene_report *r =
        stage_report(s, "S5 has a block with one post of each old shard; S4 has no part in this");
    report_figure(r, slots * INT64_C(1000), "slots", "moved to S5");
}

const struct scene_of scenes_of_layout[] = {
    {"2", other_keys, 2},
    {"4a", more_shards, 0},
    {"K3", chosen_slots, 0},
    {NULL, NULL, 0},
};
