/*
 * story: the constants of the running example, and nothing that the engine can work out.
 */
#include "story/story.h"

#include "base/check.h"
#include <stdio.h>
#include <string.h>

enum {
    ZONE_A,
    ZONE_B,
    ZONE_C,
    ZONES
};

#define NEAR_US 250 /* one way, inside a zone */
#define FAR_US 500  /* one way, between zones */
#define LIKES_A_SECOND 50
#define READS_A_SECOND 100

struct world_config story_config(uint64_t seed)
{
    struct world_config c = {
        .seed = seed,
        .start_us = STORY_START_US,
        .slots = 16384,
        .shards = 4,
        .shards_max = 64,
        .routers = 6,
        .zones = ZONES,
        .shard_zone = {ZONE_A, ZONE_B, ZONE_C, ZONE_B, ZONE_C},
        .router_zone = {ZONE_A, ZONE_A, ZONE_B, ZONE_B, ZONE_C, ZONE_C},
        .directory_zone = ZONE_C,
        .query_us = 5 * (int32_t)US_PER_MS,
        .commit_us = (int32_t)US_PER_MS,
        .apply_us = 12 * (int32_t)US_PER_MS,
        .liked_us = 2 * (int32_t)US_PER_MS,
        .replica_lag_us = 20 * (int32_t)US_PER_MS,
        .map_version = 7,
        .epoch = 7,
        .write_ceiling = 1000,
        .read_ceiling = 3000,
        .keys_max = 512,
        .flows_max = 128,
        .requests_max = 16384, /* a storm of retries; a copy takes what was ever in use */
        .events_max = 49152,   /* a message or a query, and two timers, of each */
        .store_max = 2048,
        .rows_max = 96,
        .changes_max = 256,
        .trace_max = 2048,
        .hot_max = 8,
        .limits_max = 16,
        .tenants_max = 8,
        .watch_max = 64,
        .moves_max = 4,
        .tail_max = 1024,
        .accounts_max = 8,
        .queries_max = 4,
        .gathers_max = 512, /* 1,000 a second, and one in twenty takes a tenth of one */
        .txns_max = 32,
        .txn_rows_max = 32,
        .catalogs_max = 4,
        .catalog_rows_max = 64,
        .nodes_max = 16,
        .node_messages_max = 2048,
        .groups_max = 16,
        .stores_max = 2,
        .systems_max = 1,
    };
    for (uint8_t i = 5; i < sizeof c.shard_zone; i++) {
        c.shard_zone[i] = i % ZONES;
    }
    for (uint32_t from = 0; from < ZONES; from++) {
        for (uint32_t to = 0; to < ZONES; to++) {
            c.delay_us[from][to] = from == to ? NEAR_US : FAR_US;
        }
    }
    return c;
}

static void add_flow(struct world *w, enum op_kind op, const char *kind, int post, uint32_t rate)
{
    char key[KEY_BYTES_MAX];
    (void)snprintf(key, sizeof key, "%s:{p%d}", kind, post);
    struct command c = command_flow(op, bytes_of(key), rate, ARRIVALS_STEADY);
    CHECK(world_apply(w, &c, NULL));
}

struct world *story_world_of(const struct world_config *config, bool traffic, struct err *err)
{
    struct world *w = world_new(config, err);
    for (int post = 1; w != NULL && traffic && post <= STORY_POSTS; post++) {
        add_flow(w, OP_LIKE, "likes", post, LIKES_A_SECOND);
        add_flow(w, OP_READ, "post", post, READS_A_SECOND);
    }
    return w;
}

struct world *story_world(uint64_t seed, bool traffic, struct err *err)
{
    struct world_config config = story_config(seed);
    return story_world_of(&config, traffic, err);
}

struct world *story_world_by_name(const char *name, uint64_t seed, struct err *err)
{
    if (strcmp(name, "story") == 0) {
        return story_world(seed, true, err);
    }
    if (strcmp(name, "story-quiet") == 0) {
        return story_world(seed, false, err);
    }
    if (strcmp(name, "story-near") == 0) {
        struct world_config config = story_config(seed);
        memset(config.delay_us, 0, sizeof config.delay_us);
        return story_world_of(&config, false, err);
    }
    err_set(err, "\"%s\" is no world; worlds are story, story-quiet and story-near", name);
    return NULL;
}
