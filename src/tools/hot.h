/*
 * hot: what a request log says about keys and shards, in one pass and little memory.
 *
 * The log streams by, line by line, in any of the forms of log_form.h. Hot keys are counted by
 * Space-Saving in a fixed number of cells (top.h), each count with its error bound. Beside that
 * each different key is counted exactly while there is room (tally.h): as long as all keys fit, the
 * keys listed are the hottest of all and their counts exact, and every scheme can place them. When
 * they do not fit, what was counted is added up per shard and the room is used anew: loads stay
 * exact, but the schemes that need all keys at once (by traits: range, bounded-load) are left out,
 * and the list comes from the cells.
 *
 * A command with several keys is one request and as many accesses; counts and loads are accesses.
 * Sampling 1 in R takes each request with that chance, drawn from the seed: every R-th would miss
 * or double what comes in a rhythm of its own. All amounts here are those of the requests taken,
 * and hot_scaled makes estimates of the whole log out of them, by the number of requests in both.
 *
 * What would change is worked out for the scheme `slots`, from this log alone:
 *   salting    the hottest key becomes HOT_SALTS sub-keys, with the salt inside the hash tag; each
 *              write goes to one of them, a read asks all. What is not known to be a read counts as
 *              a write.
 *   a cache    at one router, keeping each answer for HOT_CACHE_US: a read of a listed key goes to
 *              the shard only when its last fetch is that long ago. Without times the best case is
 *              worked out, in which every read finds its answer (enum hot_cache).
 *
 * Memory: the keys of the tally (HOT_KEYS_MAX and HOT_BYTES_MAX at most), about 100 bytes for each
 * of them at the end, and the cells. Errors name the line and the reason.
 */
#ifndef HOTSHARD_TOOLS_HOT_H
#define HOTSHARD_TOOLS_HOT_H

#include "place/layout.h"
#include "tools/log_form.h"

#define HOT_CELLS 1024u                          /* of Space-Saving */
#define HOT_KEYS_MAX ((size_t)1 << 20)           /* different keys that are counted exactly */
#define HOT_BYTES_MAX ((size_t)64 * 1024 * 1024) /* of their names */
#define HOT_LINE_MAX ((size_t)1 << 20)
#define HOT_SHARDS_MAX 1000u
#define HOT_SCHEMES_MAX 16
#define HOT_SALTS 8u
#define HOT_CACHE_US INT64_C(1000000)

struct hot_options {
    enum log_form form;
    uint32_t shards; /* 1 to HOT_SHARDS_MAX */
    uint32_t top;    /* keys to list, 1 to `cells` */
    uint64_t sample; /* R, at least 1 */
    uint64_t seed;   /* of the sample */
    uint32_t cells;
    size_t keys_max, bytes_max; /* of the tally; smaller in tests */
};

struct hot_key {
    struct bytes key;       /* as much of it as is kept (TOP_KEY_MAX bytes at least) */
    size_t length;          /* of the whole key */
    uint64_t count, error;  /* count - error <= accesses <= count */
    uint64_t reads, writes; /* known to be such; no more than count */
    uint64_t fetches;       /* of the reads: what a cache would have sent to the shard */
    bool placed;            /* false: the key is cut before its hash tag ends */
    uint16_t slot;          /* of SLOT_COUNT */
    uint32_t shard;         /* id, by the scheme slots */
};

struct hot_load {
    const struct scheme *scheme;
    enum hash_id hash;
    bool known;       /* false: it needs all keys at once, and they did not fit */
    uint64_t *amount; /* accesses, a number a shard; ids are 0, 1, 2 ... */
    uint64_t busiest;
    uint32_t busiest_id;
    double over_average;
};

/* How the cache was worked out. */
enum hot_cache {
    HOT_CACHE_TIMED, /* by the times of the log */
    HOT_CACHE_READS, /* no times: every read is answered */
    HOT_CACHE_ANY    /* reads are not told from writes either: every access is answered */
};

/* The busiest shard of the scheme slots, as it is and as it would be. */
struct hot_change {
    bool known;
    uint64_t before, after;
    uint32_t before_id, after_id;
    uint64_t total_after;
    uint64_t taken; /* accesses that no longer reach a shard (cache) */
    uint64_t reads; /* of the keys treated, known or taken to be reads */
    uint64_t other; /* of the keys treated, what is not known to be a read */
};

struct hot_report {
    enum log_form form;
    const char *why; /* how the form was found */
    const struct log_counts *counts;
    uint64_t sample;
    uint64_t requests;      /* taken */
    uint64_t accesses;      /* of keys, in these */
    uint64_t reads, writes; /* accesses known to be such */
    bool knows_use;
    bool timed; /* every request taken had a time, and time went on */
    int64_t span_us;
    bool exact;    /* all different keys fit */
    uint64_t keys; /* different keys; 0 when not exact */
    uint32_t slot; /* that most requests touch, and how many do */
    uint64_t slot_requests;
    uint32_t shards;
    struct hot_key *key; /* hottest first */
    size_t key_count;
    size_t sure; /* of these, how many surely came at least as often as any key not listed */
    struct hot_load *load; /* by scheme */
    size_t load_count;
    struct hot_change salt;  /* of the first key */
    struct hot_change cache; /* of all keys listed */
    enum hot_cache cache_how;
};

struct hot;

struct hot *hot_new(const struct hot_options *options, struct err *err);
void hot_free(struct hot *hot); /* NULL is fine */
bool hot_take(struct hot *hot, struct bytes line, struct err *err);
/* At the end of the log. The report is the hot's own. Errors: no line, no request. */
const struct hot_report *hot_finish(struct hot *hot, struct err *err);
uint64_t hot_lines(const struct hot *hot);
/* To the nearest whole; the same amount where nothing was sampled. */
uint64_t hot_scaled(const struct hot_report *report, uint64_t amount);

#endif
