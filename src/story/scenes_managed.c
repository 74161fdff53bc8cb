/*
 * scenes_managed: the hot post on systems that people run: Kinesis, DynamoDB, Kafka.
 *
 * What is asked of the cluster is asked of the system too, on a copy; what it does with it is in
 * the reports. Rates are those of the last whole second of the clock.
 */
#include "story/scene_inside.h"

#include "base/num.h"
#include "engine/accounts/accounts.h"
#include "engine/systems/systems.h"
#include "story/story.h"
#include <stdio.h>

#define HOT_TAG "p9"
#define WRITES 0
#define SETTLES_US (3 * US_PER_SECOND)
#define KEYS 10000 /* k0, k1 ... */
#define POSTS 16
#define SALTS 8

/* Nothing where the stage has failed. */
static struct system_key_info hot_key(struct stage *s, enum system_id id)
{
    struct system_key_info key = {0};
    if (!s->failed) {
        (void)world_system_place(s->world, id, bytes_of(HOT_TAG), &key);
    }
    return key;
}

static struct part_info part_of(struct stage *s, enum system_id id, uint32_t number)
{
    struct part_info part = {0};
    if (!s->failed) {
        (void)world_system_find(s->world, id, number, &part);
    }
    return part;
}

static struct part_info hot_part(struct stage *s, enum system_id id)
{
    return part_of(s, id, hot_key(s, id).part);
}

static struct system_info info_of(struct stage *s, enum system_id id)
{
    return s->failed ? (struct system_info){0} : world_system(s->world, id);
}

static void thousands(struct scene_report *r, uint64_t count, const char *unit, const char *what)
{
    report_figure(r, (int64_t)count * 1000, unit, "%s", what);
}

/* --- K4: the hot shard is cut --- */

static void report_shard(struct stage *s, struct scene_report *r)
{
    struct part_info hot = hot_part(s, SYSTEM_KINESIS);
    report_figure(r, hot.number * INT64_C(1000), "", "is the number of p9's shard");
    thousands(r, hot.second.asked[WRITES], "records/s", "are sent to it");
    thousands(r, hot.second.ok[WRITES], "records/s", "does it take");
    thousands(r, hot.second.throttled, "records/s", "does it throttle");
}

static void report_reading(struct stage *s, const char *title)
{
    struct scene_report *r = stage_note(s, "%s", title);
    struct system_info info = info_of(s, SYSTEM_KINESIS);
    thousands(r, info.disorder, "records", "were read before older ones of their post");
    thousands(r, info.read, "records", "were read");
    thousands(r, info.unread, "records", "are not read yet");
}

static void cut_hot_shard(struct stage *s)
{
    if (!s->failed) {
        stage_do(s, "system kinesis cut %u", (unsigned)hot_key(s, SYSTEM_KINESIS).part);
    }
}

static void a_reader_goes_by(struct stage *s, const char *order, const char *title)
{
    stage_copy(s);
    stage_do(s, "system kinesis on");
    stage_do(s, "system kinesis set order %s", order);
    stage_do(s, "system kinesis set reader 900"); /* a shard's; p9's shard takes more */
    stage_run(s, 10 * US_PER_SECOND);
    cut_hot_shard(s);
    stage_run(s, 5 * US_PER_SECOND);
    report_reading(s, title);
}

static void cut_shard(struct stage *s)
{
    stage_do(s, "system kinesis on");
    stage_run(s, SETTLES_US);
    report_shard(s, stage_note(s, "Four shards."));
    uint32_t parent = hot_key(s, SYSTEM_KINESIS).part;
    cut_hot_shard(s);
    stage_run(s, SETTLES_US);
    struct scene_report *r = stage_note(s, "p9's shard was cut in the middle.");
    report_shard(s, r);
    struct part_info closed = part_of(s, SYSTEM_KINESIS, parent);
    report_figure(r, closed.state == PART_CLOSED ? (int64_t)closed.records * 1000 : 0, "records",
                  "stay in shard %u, which is closed", (unsigned)parent);
    a_reader_goes_by(s, "any", "A reader that is behind reads all shards at once.");
    a_reader_goes_by(s, "parents", "It reads the parent before it begins the children.");
}

/* --- K5: packing --- */

static void report_packed(struct stage *s, const char *title)
{
    struct scene_report *r = stage_note(s, "%s", title);
    struct system_info info = info_of(s, SYSTEM_KINESIS);
    uint64_t most = 0;
    for (uint32_t i = 0; !s->failed && i < world_system_parts(s->world, SYSTEM_KINESIS); i++) {
        struct part_info part = world_system_part(s->world, SYSTEM_KINESIS, i);
        most = part.second.asked[WRITES] > most ? part.second.asked[WRITES] : most;
    }
    thousands(r, info.second.asked[WRITES], "records/s", "are sent to the stream");
    thousands(r, most, "records/s", "are sent to its busiest shard");
    thousands(r, info.second.throttled, "records/s", "are throttled");
}

static void packed(struct stage *s)
{
    stage_do(s, "system kinesis on");
    stage_run(s, SETTLES_US);
    report_packed(s, "A record for each like, its key the post.");
    stage_do(s, "system kinesis set pack 9");
    stage_run(s, SETTLES_US);
    report_packed(s, "Nine likes in a record, its key the packet's.");
}

/* --- K6: eight shards --- */

/* Among the open parts in their order. */
static uint32_t index_of(struct stage *s, enum system_id id, uint32_t number)
{
    uint32_t index = 0;
    for (uint32_t i = 0; !s->failed && i < world_system_parts(s->world, id); i++) {
        struct part_info part = world_system_part(s->world, id, i);
        if (part.number == number) {
            break;
        }
        index += part.state == PART_OPEN;
    }
    return index;
}

static void report_shards(struct stage *s, const char *title)
{
    struct scene_report *r = stage_note(s, "%s", title);
    struct system_info info = info_of(s, SYSTEM_KINESIS);
    struct part_info hot = hot_part(s, SYSTEM_KINESIS);
    thousands(r, info.parts, "shards", "are open");
    thousands(r, info.closed, "shards", "are closed");
    report_figure(r, index_of(s, SYSTEM_KINESIS, hot.number) * INT64_C(1000), "",
                  "is p9's place among the open ones, from 0 on");
    thousands(r, hot.second.asked[WRITES], "records/s", "are sent to p9's shard");
    thousands(r, hot.second.throttled, "records/s", "does it throttle");
}

static void eight_shards(struct stage *s)
{
    stage_do(s, "system kinesis on");
    stage_run(s, SETTLES_US);
    report_shards(s, "Four shards.");
    stage_do(s, "system kinesis parts 8");
    stage_run(s, SETTLES_US);
    report_shards(s, "UpdateShardCount to eight.");
}

/* --- D1: DynamoDB --- */

static void report_partition(struct stage *s, const char *title)
{
    struct scene_report *r = stage_note(s, "%s", title);
    struct system_info info = info_of(s, SYSTEM_DYNAMODB);
    struct system_key_info key = hot_key(s, SYSTEM_DYNAMODB);
    struct part_info hot = hot_part(s, SYSTEM_DYNAMODB);
    report_figure(r, hot.limit[WRITES] * INT64_C(1000), "writes/s",
                  "may p9's partition take, partition %u", (unsigned)hot.number);
    thousands(r, key.second.asked[WRITES], "likes/s", "of p9 are sent");
    thousands(r, key.second.ok[WRITES], "likes/s", "of p9 are taken");
    thousands(r, hot.second.asked[WRITES] - key.second.asked[WRITES], "likes/s",
              "of other posts are sent to its partition");
    thousands(r, hot.second.ok[WRITES] - key.second.ok[WRITES], "likes/s", "of these are taken");
    thousands(r, info.parts, "", "is how many partitions there are");
}

static void hot_item(struct stage *s)
{
    stage_do(s, "system dynamodb on");
    stage_do(s, "system dynamodb set capacity 2000"); /* 500 a partition */
    stage_run(s, 5 * US_PER_SECOND);
    report_partition(s, "Quiet: each partition has its share of the table's 2,000.");
    stage_do(s, "flow like likes:{p9} 2400 scattered");
    stage_run(s, 2 * US_PER_SECOND + 100 * US_PER_MS);
    report_partition(s, "p9 takes off: what was saved up is spent first (burst).");
    stage_run(s, 20 * US_PER_SECOND);
    report_partition(s, "Later: what others leave of the table goes to it (adaptive).");
    stage_run(s, 60 * US_PER_SECOND);
    report_partition(s, "After a minute of throttling it was split for consumption.");
    stage_run(s, 120 * US_PER_SECOND);
    report_partition(s, "Two more minutes of it.");
}

/* --- D2: an index key --- */

/* Entries of nova's four posts that her index key would take a second, no shard refusing. */
static uint64_t entries_a_second(struct stage *s)
{
    static const char *const posts[] = {"p3", "p6", "p9", "p12"};
    stage_copy(s);
    stage_do(s, "flow like likes:{p9} 2400 steady");
    for (int shard = 0; shard < 4; shard++) {
        stage_do(s, "ceiling S%d 0 0", shard);
    }
    for (size_t i = 0; i < sizeof posts / sizeof *posts; i++) {
        stage_do(s, "index likes:{%s} by:nova", posts[i]);
    }
    stage_run(s, US_PER_SECOND);
    uint64_t before = 0;
    uint64_t after = 0;
    for (int second = 0; second <= 4 && !s->failed; second += 4) {
        stage_run(s, second * US_PER_SECOND);
        before = after;
        after = 0;
        for (uint32_t row = 0; row < accounts_count(s->world); row++) {
            after += accounts_info(s->world, row).written;
        }
    }
    return (after - before + 2) / 4;
}

/* A table of its own for the index, nothing else asking. */
static void index_table(struct stage *s)
{
    struct world_config config = story_config(s->seed);
    config.start_us = world_now(s->play->world);
    if (!s->failed) {
        stage_world(s, story_world_of(&config, false, s->err));
    }
    stage_do(s, "system dynamodb on");
}

static void report_index(struct stage *s, const char *title, int64_t each_thousandths)
{
    struct scene_report *r = stage_note(s, "%s", title);
    struct system_info info = info_of(s, SYSTEM_DYNAMODB);
    report_figure(r, each_thousandths, "writes/s", "does a key of the index get");
    thousands(r, info.second.asked[WRITES], "writes/s", "are sent to the index in all");
    thousands(r, info.second.ok[WRITES], "writes/s", "are taken");
    thousands(r, info.second.throttled, "writes/s", "are throttled");
}

static void index_key(struct stage *s)
{
    uint64_t rate = entries_a_second(s);
    index_table(s);
    stage_do(s, "flow like by:{nova} %u", (unsigned)rate);
    stage_run(s, SETTLES_US);
    report_index(s, "nova has four posts, and every like of them is a write of one index key.",
                 (int64_t)rate * 1000);
    index_table(s);
    for (unsigned salt = 0; salt < SALTS; salt++) {
        unsigned share = (unsigned)(rate * (salt + 1) / SALTS - rate * salt / SALTS);
        stage_do(s, "flow like by:{nova#%u} %u", salt, share);
    }
    stage_run(s, SETTLES_US);
    report_index(s, "Eight keys instead, nova#0 to nova#7.", (int64_t)rate * 1000 / SALTS);
    stage_run(s, 90 * US_PER_SECOND);
    report_index(s, "A minute and a half later: keys that shared a partition are parted.",
                 (int64_t)rate * 1000 / SALTS);
}

/* --- F1: Kafka --- */

static uint32_t placed(const char *key, uint32_t partitions)
{
    uint32_t part = 0;
    (void)system_placed(SYSTEM_KAFKA, bytes_of(key), partitions, &part);
    return part;
}

/* Keys NAME with a number from `first` on whose partition is another one of eight than of four. */
static uint32_t moved(const char *name, uint32_t first, uint32_t count)
{
    uint32_t moved = 0;
    for (uint32_t i = first; i < first + count; i++) {
        char key[16];
        (void)snprintf(key, sizeof key, "%s%u", name, (unsigned)i);
        moved += placed(key, 4) != placed(key, 8);
    }
    return moved;
}

static void report_topic(struct stage *s, const char *title)
{
    struct scene_report *r = stage_note(s, "%s", title);
    struct system_info info = info_of(s, SYSTEM_KAFKA);
    struct part_info hot = hot_part(s, SYSTEM_KAFKA);
    report_figure(r, hot.number * INT64_C(1000), "", "is p9's partition, of %u",
                  (unsigned)info.parts);
    thousands(r, hot.second.asked[WRITES], "records/s", "are sent to it");
    thousands(r, hot.second.ok[WRITES], "records/s", "does its broker take in time");
    thousands(r, info.disorder, "records", "were read before older ones of their post");
}

static void eight_partitions(struct stage *s)
{
    stage_do(s, "system kafka on");
    stage_do(s, "system kafka set members 4");
    stage_do(s, "system kafka set reader 900");
    stage_run(s, 10 * US_PER_SECOND);
    report_topic(s, "Four partitions.");
    stage_do(s, "system kafka parts 8");
    stage_run(s, 10 * US_PER_SECOND);
    report_topic(s, "Eight partitions: new records go by the new count.");
    struct scene_report *r = stage_note(s, "Who changes partition.");
    report_figure(r, moved("k", 0, KEYS) * INT64_C(100000) / KEYS, "%",
                  "of k0 to k9999 change partition");
    report_figure(r, moved("p", 1, POSTS) * INT64_C(1000), "posts", "of sixteen do");
}

const struct scene_of scenes_managed[] = {
    {"K4", cut_shard, 2}, {"K5", packed, 0},           {"K6", eight_shards, 0}, {"D1", hot_item, 0},
    {"D2", index_key, 0}, {"F1", eight_partitions, 0}, {NULL, NULL, 0},
};
