/*
 * plan: what a change of the number of shards does to a set of keys, by one scheme.
 *
 * A change starts with shards 0..from-1, takes shard `removed` out if one is named, then adds or
 * removes (the highest id first) one shard at a time until `to` are left: schemes differ in what
 * each step leaves behind. Keys come as a keyset, which hashes each once for all schemes that hash
 * alike; `range` cuts by the keys themselves, so it observes them. Each key counts as one, whatever
 * its load. No clock, no files: measured times are the caller's.
 *
 * A result owns its memory (plan_result_free) and borrows the keys: they must outlive it.
 */
#ifndef HOTSHARD_TOOLS_PLAN_H
#define HOTSHARD_TOOLS_PLAN_H

#include "base/err.h"
#include "place/measure.h"

#define PLAN_NONE_REMOVED UINT32_MAX
/* About the nanoseconds of work beyond which a change is refused. */
#define PLAN_WORK_MAX (UINT64_C(1) << 34)

struct plan_change {
    uint32_t from, to;
    uint32_t removed; /* a shard id, or PLAN_NONE_REMOVED */
};

struct plan_scheme {
    const struct scheme *scheme;
    struct layout_params params;
};

/* One shard in both layouts; ids ascend. */
struct plan_shard {
    uint32_t id;
    bool in_before, in_after;
    uint64_t before, after; /* keys */
    uint64_t given, taken;
};

struct plan_result {
    struct layout *before, *after;
    uint64_t keys, moved;
    uint64_t among;       /* of the moved ones: from a shard that stays to another that stays */
    uint32_t from_shards; /* how many shards gave keys away */
    double over_average_before, over_average_after;
    double spread_after; /* standard deviation over the mean, keys a shard */
    size_t memory;       /* bytes that a router holds, after the change */
    struct plan_shard *shard;
    size_t shards;
};

/* The scheme's usual parameters with this hash (HASH_COUNT: the scheme's own), slot count and
 * tokens a shard; tags count with crc16, as in Redis Cluster, and with no other hash. */
struct plan_scheme plan_scheme_of(const struct scheme *scheme, enum hash_id hash, uint32_t slots,
                                  uint32_t tokens);
/* Whether a change of this scheme follows a rule that can be computed: not so for directories,
 * where people decide. */
bool plan_can(const struct scheme *scheme);
/* Whether another hash makes sense: not where a system's own hash is part of the scheme. */
bool plan_can_hash(const struct scheme *scheme, enum hash_id hash);

/* Checks the change by itself: counts in range, the removed shard exists. */
bool plan_check_change(const struct plan_change *change, struct err *err);
/* And what the scheme says to it: what layout_new refuses, and what would take too long with so
 * many keys. */
bool plan_check(const struct plan_scheme *scheme, const struct plan_change *change, size_t keys,
                struct err *err);
/* Both checks are made here as well. */
bool plan_compute(const struct plan_scheme *scheme, const struct plan_change *change,
                  struct keyset *keys, struct plan_result *out, struct err *err);
void plan_result_free(struct plan_result *r);
/* How many slots changed owner: of `slots` only. */
uint32_t plan_slots_moved(const struct plan_result *r);
/* The share of keys that every scheme must move when keys are spread evenly: those of shards that
 * leave, or those that new ones need, as part of 1,000,000. */
uint64_t plan_least_ppm(const struct plan_change *change);

#endif
