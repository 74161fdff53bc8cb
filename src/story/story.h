/*
 * story: the running example as a world (docs/story.md).
 *
 * Four shards, six routers, three zones, sixteen posts p1..p16; 50 likes a second on likes:{pN} and
 * 100 reads a second on post:{pN} for each; ceilings 1,000 writes and 3,000 reads a shard; map v7.
 */
#ifndef HOTSHARD_STORY_STORY_H
#define HOTSHARD_STORY_STORY_H

#include "base/num.h"
#include "engine/world.h"

#define STORY_POSTS 16
#define STORY_START_US (INT64_C(20) * 3600 * US_PER_SECOND)

struct world_config story_config(uint64_t seed);
/* A world of a changed configuration, with the same traffic. */
struct world *story_world_of(const struct world_config *config, bool traffic, struct err *err);
/* The world at 20:00:00. `traffic` false: the same cluster, nobody asks anything yet. */
struct world *story_world(uint64_t seed, bool traffic, struct err *err);
/* By the name that journals and lessons use: "story", "story-quiet" (no traffic), "story-near" (no
 * traffic, and messages take no time: a query is its five milliseconds, as formulas have it). */
struct world *story_world_by_name(const char *name, uint64_t seed, struct err *err);

#endif
