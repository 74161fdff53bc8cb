/*
 * The figures of systems that people run: where the story's posts are in a stream of Kinesis and a
 * topic of Kafka, what each shard is asked there, what one call changes, and who reads what. Read
 * from worlds in which these systems are played. Part of test_figures.c.
 */
#ifndef HOTSHARD_TESTS_FIGURES_MANAGED_H
#define HOTSHARD_TESTS_FIGURES_MANAGED_H

#include "engine/systems/systems.h"
#include "figures_moves.h"
#include "place/kinesis.h"
#include "place/murmur.h"
#include "proto/gossip.h"
#include "sha256.h"

#define MANAGED_KEYS 10000

/* Caller frees. The evening and p9, or nobody at all, and one system. */
static inline struct world *managed_world(bool traffic, const char *on)
{
    struct world *w = story_world(1, traffic, NULL);
    CHECK(w != NULL);
    if (traffic) {
        set_p9(w, VIRAL_LIKES, VIRAL_READS);
    }
    must_say(w, on);
    return w;
}

static inline const char *managed_words(enum system_id id, const char *what)
{
    static char words[96];
    int length = snprintf(words, sizeof words, "system %s %s", system_words(id)->name, what);
    CHECK(length > 0 && (size_t)length < sizeof words);
    return words;
}

/* The open part of a key, counted from 0 in the order of their positions. */
static inline uint32_t managed_place(const struct world *w, enum system_id id, const char *key)
{
    struct system_key_info found;
    CHECK(world_system_place(w, id, bytes_of(key), &found));
    uint32_t open = 0;
    for (uint32_t i = 0; i < world_system_parts(w, id); i++) {
        struct part_info part = world_system_part(w, id, i);
        if (part.number == found.part) {
            return open;
        }
        open += part.state == PART_OPEN;
    }
    CHECK(false && "no open part");
    return 0;
}

static inline struct part_info managed_open(const struct world *w, enum system_id id,
                                            uint32_t which)
{
    for (uint32_t i = 0; i < world_system_parts(w, id); i++) {
        struct part_info part = world_system_part(w, id, i);
        if (part.state == PART_OPEN && which-- == 0) {
            return part;
        }
    }
    CHECK(false && "not so many open parts");
    return (struct part_info){0};
}

/* A stream of 4, or one that a call took from 4 to 8. Made once. */
static inline struct world *managed_stream(enum system_id id, int64_t parts, bool traffic)
{
    static struct world *known[SYSTEMS][2][2];
    struct world **w = &known[id][parts == 8][traffic];
    if (*w == NULL) {
        *w = managed_world(traffic, managed_words(id, "on 4"));
        if (parts == 8) {
            must_say(*w, managed_words(id, "parts 8"));
        }
        run_on(*w, traffic ? 2500 : 0); /* two whole seconds */
    }
    return *w;
}

/* a: 0 writes, 1 reads of a partition, a second. */
static inline void value_managed_limit(const struct figure *f, struct str *out)
{
    struct world *w = managed_world(false, "system dynamodb on");
    figures_add_int(out, world_system_part(w, SYSTEM_DYNAMODB, 0).limit[f->a]);
    world_free(w);
}

static inline void value_managed_md5(const struct figure *f, struct str *out)
{
    struct u128 hash = kinesis_hash_key(bytes_of(f->text));
    figures_add_real(out, (double)hash.high / 18446744073709551616.0);
}

static inline void value_managed_shard(const struct figure *f, struct str *out)
{
    figures_add_int(
        out, managed_place(managed_stream(SYSTEM_KINESIS, f->a, false), SYSTEM_KINESIS, f->text));
}

/* Of 4 and of 8. */
static inline void value_managed_shards(const struct figure *f, struct str *out)
{
    for (int64_t parts = 4; parts <= 8; parts += 4) {
        const struct world *w = managed_stream(SYSTEM_KINESIS, parts, false);
        figures_add_int(out, managed_place(w, SYSTEM_KINESIS, f->text));
    }
}

/* The place, among the four, of the parent of a child. */
static inline void value_managed_parent(const struct figure *f, struct str *out)
{
    const struct world *w = managed_stream(SYSTEM_KINESIS, 8, false);
    uint16_t parent = managed_open(w, SYSTEM_KINESIS, (uint32_t)f->a).parent[0];
    uint32_t closed = 0;
    for (uint32_t i = 0; i < world_system_parts(w, SYSTEM_KINESIS); i++) {
        struct part_info part = world_system_part(w, SYSTEM_KINESIS, i);
        if (part.number == parent) {
            figures_add_int(out, closed);
        }
        closed += part.state == PART_CLOSED;
    }
}

/* What each shard was asked for in the last second. */
static inline void value_managed_load(const struct figure *f, struct str *out)
{
    const struct world *w = managed_stream(SYSTEM_KINESIS, f->a, true);
    for (uint32_t i = 0; i < f->a; i++) {
        struct part_info part = managed_open(w, SYSTEM_KINESIS, i);
        figures_add_int(out, (int64_t)part.second.asked[0]);
    }
}

static inline void value_managed_count(const struct figure *f, struct str *out)
{
    uint32_t posts[8] = {0};
    const struct world *w = managed_stream(SYSTEM_KINESIS, f->a, false);
    for (int64_t post = 1; post <= POSTS; post++) {
        posts[managed_place(w, SYSTEM_KINESIS, keyed("p", post, "").text)]++;
    }
    for (uint32_t i = 0; i < f->a; i++) {
        figures_add_int(out, posts[i]);
    }
}

/* All shards of it; a: likes in a record. */
static inline void value_managed_events(const struct figure *f, struct str *out)
{
    struct world *w = managed_world(true, "system kinesis on");
    must_say(w, keyed("system kinesis set pack ", f->a, "").text);
    run_on(w, 2500);
    figures_add_int(out, (int64_t)world_system(w, SYSTEM_KINESIS).second.asked[0]);
    world_free(w);
}

/* How far one call reaches from four shards; a: 1 up, -1 down. */
static inline void value_managed_reach(const struct figure *f, struct str *out)
{
    const struct world *w = managed_stream(SYSTEM_KINESIS, 4, false);
    int64_t reached = 4;
    for (int64_t shards = 4 + f->a; shards > 0 && shards <= 12; shards += f->a) {
        struct world *copy = world_copy(w);
        struct command c;
        CHECK(command_parse(keyed("system kinesis parts ", shards, "").text, &c, NULL));
        if (world_apply(copy, &c, NULL)) {
            CHECK(world_system(copy, SYSTEM_KINESIS).parts == shards);
            reached = shards;
        }
        world_free(copy);
    }
    figures_add_int(out, reached);
}

static inline void value_managed_states(const struct figure *f, struct str *out)
{
    (void)f;
    struct system_info info =
        world_system(managed_stream(SYSTEM_KINESIS, 8, false), SYSTEM_KINESIS);
    str_addf(out, "%d and %d", info.closed, info.parts);
}

/* What a shard takes of a series of records of this size, in a second. */
static inline uint64_t managed_taken(int64_t bytes)
{
    struct world *w = managed_world(false, "system kinesis on 1");
    must_say(w, keyed("series s 3000 bytes ", bytes, "").text);
    run_on(w, 3500);
    uint64_t taken = world_system(w, SYSTEM_KINESIS).second.ok[0];
    world_free(w);
    return taken;
}

/* The largest records of which it takes as many as of the smallest. */
static inline void value_managed_size(const struct figure *f, struct str *out)
{
    (void)f;
    uint64_t most = managed_taken(1);
    int64_t fits = 1;
    int64_t too_large = 4096;
    while (too_large - fits > 1) {
        int64_t bytes = (fits + too_large) / 2;
        *(managed_taken(bytes) == most ? &fits : &too_large) = bytes;
    }
    figures_add_int(out, fits);
}

/* A reader as fast as it likes, and enough to read: a: 0 megabytes a call, 1 calls a second. */
static inline void value_managed_calls(const struct figure *f, struct str *out)
{
    enum {
        BYTES = 1000
    };
    struct world *w = managed_world(false, "system kinesis on 1");
    must_say(w, keyed("series s 1000 bytes ", BYTES, "").text);
    run_on(w, 4000);
    must_say(w, "system kinesis set reader 100000");
    uint64_t before = world_system(w, SYSTEM_KINESIS).read;
    uint64_t largest = 0;
    uint64_t calls = 0;
    for (int ms = 0; ms < 1000; ms += 10) {
        run_on(w, 10);
        uint64_t read = world_system(w, SYSTEM_KINESIS).read - before;
        before += read;
        calls += read > 0;
        largest = read > largest ? read : largest;
    }
    if (f->a == 0) {
        figures_add_real(out, (double)(largest * BYTES) / 1e6);
    } else {
        figures_add_int(out, (int64_t)calls);
    }
    world_free(w);
}

static inline int64_t murmur_signed(const char *text)
{
    return (int32_t)murmur2_32(text, strlen(text), MURMUR2_KAFKA_SEED);
}

static inline void value_managed_murmur(const struct figure *f, struct str *out)
{
    figures_add_int(out, murmur_signed(f->text));
}

static inline uint16_t managed_partition(const struct world *w, const char *key)
{
    struct system_key_info found;
    CHECK(world_system_place(w, SYSTEM_KAFKA, bytes_of(key), &found));
    return found.part;
}

static inline void value_managed_partition(const struct figure *f, struct str *out)
{
    figures_add_int(out, managed_partition(managed_stream(SYSTEM_KAFKA, f->a, false), f->text));
}

static inline void value_managed_partitions(const struct figure *f, struct str *out)
{
    for (int64_t parts = 4; parts <= 8; parts += 4) {
        figures_add_int(out,
                        managed_partition(managed_stream(SYSTEM_KAFKA, parts, false), f->text));
    }
}

/* Of the keys that begin so and are counted from `first` on: how many go elsewhere. */
static inline int64_t managed_moved(const char *name, int64_t first, int64_t keys)
{
    const struct world *four = managed_stream(SYSTEM_KAFKA, 4, false);
    const struct world *eight = managed_stream(SYSTEM_KAFKA, 8, false);
    int64_t moved = 0;
    for (int64_t i = first; i < first + keys; i++) {
        const struct key_text key = keyed(name, i, "");
        moved += managed_partition(four, key.text) != managed_partition(eight, key.text);
    }
    return moved;
}

static inline void value_managed_posts_moved(const struct figure *f, struct str *out)
{
    (void)f;
    figures_add_int(out, managed_moved("p", 1, POSTS));
}

/* In percent, for each of the names, which blanks part. */
static inline void value_managed_moved(const struct figure *f, struct str *out)
{
    char names[64];
    (void)snprintf(names, sizeof names, "%s", f->text);
    char *rest = names;
    for (char *name = strtok_r(names, " ", &rest); name != NULL;
         name = strtok_r(NULL, " ", &rest)) {
        figures_add_real(out, 100.0 * (double)managed_moved(name, 0, MANAGED_KEYS) / MANAGED_KEYS);
    }
}

/* How much higher the new partition can be: every difference that there is. */
static inline void value_managed_steps(const struct figure *f, struct str *out)
{
    (void)f;
    bool seen[8] = {false};
    for (int64_t i = 0; i < MANAGED_KEYS; i++) {
        const struct key_text key = keyed("k", i, "");
        int from = managed_partition(managed_stream(SYSTEM_KAFKA, 4, false), key.text);
        int to = managed_partition(managed_stream(SYSTEM_KAFKA, 8, false), key.text);
        CHECK(to >= from);
        seen[to - from] = true;
    }
    for (int i = 0; i < 8; i++) {
        if (seen[i]) {
            figures_add_int(out, i);
        }
    }
}

/* --- who reads, who knows, where tenants are --- */

/* Six partitions, three members, of whom one dies; a: 0 eager, 1 cooperative. */
static inline void value_managed_paused(const struct figure *f, struct str *out)
{
    struct world *w = managed_world(false, "system kafka on 6 3");
    must_say(w, "system kafka set reader 100");
    must_say(w, f->a == 0 ? "system kafka set rebalance eager"
                          : "system kafka set rebalance cooperative");
    must_say(w, "system kafka set members 3");
    run_on(w, 10000);
    must_say(w, "system kafka set members 2");
    uint32_t paused = 0;
    for (uint32_t i = 0; i < world_system_parts(w, SYSTEM_KAFKA); i++) {
        paused += world_system_part(w, SYSTEM_KAFKA, i).paused;
    }
    CHECK(paused == world_system_reader(w, SYSTEM_KAFKA).paused);
    figures_add_int(out, paused);
    world_free(w);
}

/* Members of a group of 16 that have a partition to read, of so many partitions. */
static inline void value_managed_useful(const struct figure *f, struct str *out)
{
    bool has[UINT8_MAX + 1] = {false};
    struct world *w = managed_world(false, keyed("system kafka on ", f->a, "").text);
    must_say(w, "system kafka set reader 100");
    must_say(w, keyed("system kafka set members ", SYSTEM_MEMBERS_MAX, "").text);
    for (uint32_t i = 0; i < world_system_parts(w, SYSTEM_KAFKA); i++) {
        has[world_system_part(w, SYSTEM_KAFKA, i).reader] = true;
    }
    int64_t useful = 0;
    for (int member = 0; member < UINT8_MAX; member++) {
        useful += has[member];
    }
    figures_add_int(out, useful);
    world_free(w);
}

/* The range of a user among four even ones of a million, counted from 1. */
static inline void value_managed_range(const struct figure *f, struct str *out)
{
    struct world *w = managed_world(false, "system cockroachdb on 1");
    for (int64_t user = 1; user < 4; user++) {
        char words[64];
        uint32_t last = managed_open(w, SYSTEM_COCKROACHDB, (uint32_t)user - 1).number;
        (void)snprintf(words, sizeof words, "system cockroachdb cut %u %07lld", (unsigned)last,
                       (long long)(250000 * user + 1));
        must_say(w, words);
    }
    figures_add_int(out, managed_place(w, SYSTEM_COCKROACHDB, f->text) + 1);
    world_free(w);
}

/* The median of many runs. */
static inline void value_gossip(const struct figure *f, struct str *out)
{
    enum {
        NODES = 1000,
        RUNS = 401
    };
    static uint8_t knows[NODES];
    uint32_t rounds[RUNS];
    struct prng prng = prng_seeded(1, "gossip figures");
    for (int i = 0; i < RUNS; i++) {
        uint32_t took = gossip_rounds(knows, NODES, (enum gossip_way)f->a, &prng);
        int at = i;
        for (; at > 0 && rounds[at - 1] > took; at--) {
            rounds[at] = rounds[at - 1];
        }
        rounds[at] = took;
    }
    figures_add_int(out, rounds[RUNS / 2]);
}

static inline void value_log2(const struct figure *f, struct str *out)
{
    uint64_t fixed = fix_neg_log2(1) - fix_neg_log2((uint64_t)f->a);
    figures_add_real(out, (double)fixed / 4294967296.0);
}

enum logical_shards {
    LOGICAL_SHARDS = 480,
    TENANTS = 48000
};

static inline uint32_t logical_shard(const char *tenant)
{
    return (uint32_t)(sha256_first(tenant) % LOGICAL_SHARDS);
}

static inline void value_logical(const struct figure *f, struct str *out)
{
    figures_add_int(out, logical_shard(f->text));
}

/* The fewest and the most tenants of one of the hosts, as many logical shards on each. */
static inline void value_logical_spread(const struct figure *f, struct str *out)
{
    uint32_t tenants[LOGICAL_SHARDS] = {0};
    uint32_t fewest = UINT32_MAX;
    uint32_t most = 0;
    for (int64_t i = 0; i < TENANTS; i++) {
        tenants[logical_shard(keyed("tenant-", i, "").text) * f->a / LOGICAL_SHARDS]++;
    }
    for (int64_t host = 0; host < f->a; host++) {
        fewest = tenants[host] < fewest ? tenants[host] : fewest;
        most = tenants[host] > most ? tenants[host] : most;
    }
    figures_add_int(out, fewest);
    figures_add_int(out, most);
}

static const struct figure managed[] = {
    {"managed.ddb_w", value_managed_limit, NULL, 0, 0},
    {"managed.ddb_r", value_managed_limit, NULL, 1, 0},
    {"managed.md5", value_managed_md5, "p9", 0, 0},
    {"managed.kin8", value_managed_shard, "p9", 8, 0},
    {"managed.kin4", value_managed_shard, "p9", 4, 0},
    {"managed.kin_parent", value_managed_parent, NULL, 6, 0},
    {"managed.kin_load_4", value_managed_load, NULL, 4, 0},
    {"managed.kin_count_4", value_managed_count, NULL, 4, 0},
    {"managed.kin_load_8", value_managed_load, NULL, 8, 0},
    {"managed.kin_events", value_managed_events, NULL, 1, 0},
    {"managed.kin_pack", value_managed_events, NULL, 9, 0},
    {"managed.kin_double", value_managed_reach, NULL, 1, 0},
    {"managed.kin_half", value_managed_reach, NULL, -1, 0},
    {"managed.kin_parents", value_managed_states, NULL, 0, 0},
    {"managed.kin_size", value_managed_size, NULL, 0, 0},
    {"managed.kin_read", value_managed_calls, NULL, 0, 0},
    {"managed.kin_readers", value_managed_calls, NULL, 1, 0},
    {"managed.kin_p1", value_managed_shards, "p1", 0, 0},
    {"managed.kin_p2", value_managed_shards, "p2", 0, 0},
    {"managed.kin_p3", value_managed_shards, "p3", 0, 0},
    {"managed.kin_p4", value_managed_shards, "p4", 0, 0},
    {"managed.kin_p5", value_managed_shards, "p5", 0, 0},
    {"managed.kin_p6", value_managed_shards, "p6", 0, 0},
    {"managed.kin_p7", value_managed_shards, "p7", 0, 0},
    {"managed.kin_p8", value_managed_shards, "p8", 0, 0},
    {"managed.kin_p10", value_managed_shards, "p10", 0, 0},
    {"managed.kin_p11", value_managed_shards, "p11", 0, 0},
    {"managed.kin_p13", value_managed_shards, "p13", 0, 0},
    {"managed.kin_p14", value_managed_shards, "p14", 0, 0},
    {"managed.kin_p15", value_managed_shards, "p15", 0, 0},
    {"managed.kin_p16", value_managed_shards, "p16", 0, 0},
    {"managed.mm2_a_little_bit_long_string", value_managed_murmur, "a-little-bit-long-string", 0,
     0},
    {"managed.mm2_a_little_bit_longer_string", value_managed_murmur, "a-little-bit-longer-string",
     0, 0},
    {"managed.mm2_lkjh234lh9fiuh90y23oiuhsaf", value_managed_murmur,
     "lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8", 0, 0},
    {"managed.mm2_p9", value_managed_murmur, "p9", 0, 0},
    {"managed.kafka4", value_managed_partition, "p9", 4, 0},
    {"managed.kafka8", value_managed_partition, "p9", 8, 0},
    {"managed.kafka_p1", value_managed_partitions, "p1", 0, 0},
    {"managed.kafka_p2", value_managed_partitions, "p2", 0, 0},
    {"managed.kafka_p3", value_managed_partitions, "p3", 0, 0},
    {"managed.kafka_p4", value_managed_partitions, "p4", 0, 0},
    {"managed.kafka_p5", value_managed_partitions, "p5", 0, 0},
    {"managed.kafka_p6", value_managed_partitions, "p6", 0, 0},
    {"managed.kafka_p7", value_managed_partitions, "p7", 0, 0},
    {"managed.kafka_p8", value_managed_partitions, "p8", 0, 0},
    {"managed.kafka_p9", value_managed_partitions, "p9", 0, 0},
    {"managed.kafka_p12", value_managed_partitions, "p12", 0, 0},
    {"managed.kafka_p13", value_managed_partitions, "p13", 0, 0},
    {"managed.kafka_p14", value_managed_partitions, "p14", 0, 0},
    {"managed.kafka_p15", value_managed_partitions, "p15", 0, 0},
    {"managed.kafka_p16", value_managed_partitions, "p16", 0, 0},
    {"managed.kafka_posts_moved", value_managed_posts_moved, NULL, 0, 0},
    {"managed.kafka_moved", value_managed_moved, "k key user: tenant-", 0, 0},
    {"managed.kafka_moved_k", value_managed_moved, "k", 0, 0},
    {"managed.kafka_moved_key", value_managed_moved, "key", 0, 0},
    {"managed.kafka_dest", value_managed_steps, NULL, 0, 0},
    {"d4.kafka_eager", value_managed_paused, NULL, 0, 0},
    {"d4.kafka_coop", value_managed_paused, NULL, 1, 0},
    {"d4.kb_cons", value_managed_useful, NULL, 12, 0},
    {"d4.crdb_600000", value_managed_range, "0600000", 0, 0},
    {"ring.gossip_push", value_gossip, NULL, GOSSIP_PUSH, 0},
    {"ring.gossip_pushpull", value_gossip, NULL, GOSSIP_PUSH_PULL, 0},
    {"ring.log2_1000", value_log2, NULL, 1000, 0},
    {"d4.ls_tenant1", value_logical, "tenant-1", 0, 0},
    {"d4.ls_acme", value_logical, "acme", 0, 0},
    {"d4.ls_spread", value_logical_spread, NULL, LOGICAL_SHARDS, 0},
    {"d4.ls_spread32", value_logical_spread, NULL, 32, 0},
};

#endif
