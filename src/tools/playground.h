/*
 * playground: a cluster in which every choice can be changed at any time, as a value.
 *
 * `struct play_settings` holds all choices and nothing else. From settings alone play_run builds a
 * world (the engine's, with its caches, salts and ceilings), lets it reach a steady state and
 * measures one second of it; so any order of any controls is one of these values, stepping back is
 * having kept the one before, a fork is a copy, and two futures are two of them
 * (playground_session.h). Settings are said and read as one line of text, which is what a recording
 * keeps:
 *
 *   workload celebrity, scheme ring, tokens 16, shards 4 +4 -2, weight S1 200, rate 3000, salt 8
 *
 * How a cluster came to its shards is part of the settings, for schemes that remember it (slots,
 * ranges): "4 +4 -2" began with S0 to S3, then S4 joined, then S2 left.
 *
 * In this world each tag has a slot of its own, and the scheme says who owns that slot: so all
 * schemes route, cache and refuse through the same engine. Made-up keys are those of document 003,
 * key:000 to key:999, hashed as there where the scheme has a choice: FNV-1a of 32 bits for mod-n
 * and slots, 4,096 slots, ranges that split in half where the load is highest. A log's keys are
 * hashed as each scheme usually does. Writes and reads follow the same weights, two reads for each
 * write. A shard takes 1,000 writes and 3,000 reads a second, of weight 200 twice as many.
 *
 * With a database cache of P% the shards are a database behind cache servers, one a shard, placed
 * by the same scheme: P% of the reads never get to the shards, but a key that changes its owner is
 * cold at its new server, and the second after a change is measured too (play_cold).
 *
 * Rates are requests a second. A result owns its world, keys and trial; a log given to play_run
 * stays the caller's and must outlive the results. Errors say what no setting may be, and never
 * come from settings that play_check accepts.
 */
#ifndef HOTSHARD_TOOLS_PLAYGROUND_H
#define HOTSHARD_TOOLS_PLAYGROUND_H

#include "engine/rates.h"
#include "engine/world.h"
#include "place/trial.h"

#define PLAY_SHARDS_MAX 16
#define PLAY_CHANGES_MAX 64                               /* shards that joined or left */
#define PLAY_IDS_MAX (PLAY_SHARDS_MAX + PLAY_CHANGES_MAX) /* ids are never above this */
#define PLAY_KEYS_MAX 1000
#define PLAY_NEW_KEYS 50 /* of inserts in order of time */
#define PLAY_HOT_KEY 417 /* the celebrity */
#define PLAY_TOKENS_MAX 1000
#define PLAY_RATE_MAX 10000
#define PLAY_SALTS_MAX 64
#define PLAY_COPIES_MAX 8
#define PLAY_WEIGHT_MAX 1000
#define PLAY_READS_A_WRITE 2
#define PLAY_WRITE_CEILING 1000 /* of a shard of usual weight */
#define PLAY_READ_CEILING 3000

enum play_workload {
    WORKLOAD_POPULAR,   /* every tenth user is popular, scattered over the keys */
    WORKLOAD_CELEBRITY, /* one key with 30% of all writes */
    WORKLOAD_TIME,      /* new keys past the end: inserts in order of time */
    WORKLOAD_ZIPF,      /* the n-th key has 1/n of the first one's load; scattered */
    WORKLOAD_UNIFORM,
    WORKLOAD_LOG, /* the learner's own */
    WORKLOAD_COUNT
};

enum play_control {
    PLAY_WORKLOAD,
    PLAY_SCHEME,
    PLAY_TOKENS,
    PLAY_SHARD_ADD,
    PLAY_SHARD_REMOVE, /* the one that is selected */
    PLAY_WEIGHT,       /* of the one that is selected */
    PLAY_RATE,         /* writes a second, of the whole traffic */
    PLAY_SALT,         /* of the hottest key: into so many sub-keys */
    PLAY_PREAGG,       /* of its writes */
    PLAY_CACHE,        /* at the routers, of its reads */
    PLAY_COPIES,       /* read replicas: copies of each shard that answer reads */
    PLAY_DATABASE_CACHE,
    PLAY_CONTROL_COUNT
};

struct play_change {
    bool joins;
    uint8_t id;
};

struct play_settings {
    enum play_workload workload;
    const struct scheme *scheme;
    uint32_t tokens;
    uint32_t start; /* shards in the beginning: S0 to S(start-1) */
    uint32_t changes;
    struct play_change change[PLAY_CHANGES_MAX];
    uint32_t weight[PLAY_IDS_MAX]; /* by id; 100 is usual, and of those who are not there */
    uint32_t rate;
    uint32_t salt; /* sub-keys; 1: none */
    bool preagg, cache;
    uint32_t copies;
    uint32_t database_cache_pct; /* 0: none */
};

/* A person's keys with their requests: at most PLAY_KEYS_MAX of them. The hottest stand for
 * themselves; the requests of all others are spread evenly over some of the others. */
struct play_log {
    struct keyset *keys; /* load: requests */
    uint64_t requests, distinct;
    size_t hottest; /* so many of the keys stand for themselves alone */
};

/* The keys of a workload. `stored` are those that exist before the second that is measured, with
 * weights: what ranges are cut by. `all` are they and the new ones, with writes a second. */
struct play_keys {
    struct keyset *all, *stored;
    uint64_t weights; /* of all */
    size_t hot;       /* the hottest, the first of equals */
};

struct play_shard {
    uint32_t id, weight;
    uint64_t keys;
    uint32_t write_ceiling, read_ceiling; /* a second */
    struct shard_rates rates;
};

/* The second after a change, with a database cache. */
struct play_cold {
    bool measured;
    uint64_t reads, missed; /* of clients a second; those that the database is asked for */
    uint64_t served, refused;
};

struct play_result {
    struct play_settings settings;
    struct play_keys *keys;
    struct trial *trial; /* from the settings before to these, over keys->all */
    bool comparable;     /* the workload is the same; else nothing is said to have moved */
    struct world *world; /* at the start of the second that was measured */
    struct rates rates;  /* of it; a shard's index is its id */
    uint32_t shards;
    struct play_shard shard[PLAY_SHARDS_MAX]; /* ids ascend */
    uint64_t busiest_writes;                  /* asked of the busiest shard */
    uint32_t busiest;                         /* its place among the shards */
    uint64_t writes, reads;                   /* of clients */
    uint64_t cache_hits;                      /* of routers, in that second */
    struct play_cold cold;
};

/* --- settings ----------------------------------------------------------------------------------
 */

struct play_settings play_settings_default(void);
/* Whether play_run takes them; what is wrong, otherwise. */
bool play_check(const struct play_settings *s, const struct play_log *log, struct err *err);
/* Ids of the shards there are, ascending; how many. */
uint32_t play_shards(const struct play_settings *s, uint32_t ids[PLAY_SHARDS_MAX]);
bool play_has_shard(const struct play_settings *s, uint32_t id);
bool play_same(const struct play_settings *a, const struct play_settings *b);
/* Whether a scheme is offered, uses tokens, knows weights. */
bool play_offers(const struct scheme *scheme);
bool play_scheme_has_tokens(const struct scheme *scheme);
bool play_scheme_has_weights(const struct scheme *scheme);

/* Turns a control one step up (by > 0) or down; `shard` is the id that is selected. The first and
 * the last value follow each other where values have no order. False, with the reason and `s` as it
 * was, when there is no further value. */
bool play_turn(struct play_settings *s, enum play_control control, int by, uint32_t shard,
               const struct play_log *log, struct err *err);
const char *play_control_name(enum play_control control); /* "tokens": as in the text form */

/* --- their text form (playground_words.c) ------------------------------------------------------
 */

/* Exact inverses: play_parse takes what play_say says, and gives the same settings. What is as
 * usual may be left out. */
void play_say(const struct play_settings *s, struct str *out);
bool play_parse(const char *text, struct play_settings *out, struct err *err);
/* The same clauses, on top of settings that there are, and "add", "remove S2": what people type.
 * On an error `s` is as it was. */
bool play_parse_more(const char *text, struct play_settings *s, struct err *err);
const char *play_workload_name(enum play_workload workload);
const char *play_workload_about(enum play_workload workload);
void play_say_control(const struct play_settings *s, enum play_control control, uint32_t shard,
                      struct str *out); /* its value: "16", "off", "S0 S1 S3" */

/* --- running -----------------------------------------------------------------------------------
 */

/* `before` NULL: nothing changed. NULL when play_check says no. */
struct play_result *play_run(const struct play_settings *s, const struct play_settings *before,
                             const struct play_log *log, struct err *err);
void play_result_free(struct play_result *r); /* NULL is fine */
/* One scheme instead of the result's, on the same keys and the same change of shards: what the
 * table of schemes compares. NULL when the scheme does not take such shards. */
struct trial *play_trial_of(const struct play_result *r, const struct scheme *scheme,
                            const struct play_settings *before);

/* --- in words (playground_tell.c): sentences without a newline ---------------------------------
 */

/* What changed: "S4 joined: 207 of 1,000 keys moved, 20.7%, from 4 shards." */
void play_tell_change(const struct play_result *r, const struct play_settings *before,
                      struct str *out);
/* The step alone: "S4 joined", "scheme slots to ring, tokens 16 to 64". */
void play_tell_step(const struct play_settings *before, const struct play_settings *after,
                    struct str *out);
/* How it is now: the busiest shard, what is refused, what caches take. */
void play_tell_state(const struct play_result *r, struct str *out);
/* What is different between two settings, one a line: "tokens 16 or 64". */
void play_tell_differences(const struct play_settings *a, const struct play_settings *b,
                           struct str *out);

/* --- parts of it -------------------------------------------------------------------------------
 */

/* `rate` writes a second over all keys, in proportion to their weights, to the last one. */
struct play_keys *play_keys_new(enum play_workload workload, uint32_t rate,
                                const struct play_log *log);
void play_keys_free(struct play_keys *keys);
struct layout *play_layout(const struct play_settings *s, const struct play_keys *keys,
                           struct err *err);
/* One key a line, as `hotshard plan` reads them; "-" is standard input. */
struct play_log *play_log_read(const char *path, struct err *err);
void play_log_free(struct play_log *log);

#endif
