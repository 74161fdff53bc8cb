/*
 * plan: what a change of the number of shards does to a set of keys, by one scheme.
 *
 * The caller reads keys and hashes each once (layout_hash); 8 bytes a key and hash are all that
 * is kept. A change starts with shards 0..from-1, takes shard `removed` out if one is named, then
 * adds or removes (the highest id first) one shard at a time until `to` are left. No clock, no
 * files: measured times are the caller's.
 */
#ifndef HOTSHARD_TOOLS_PLAN_H
#define HOTSHARD_TOOLS_PLAN_H

#include "base/err.h"
#include "place/measure.h"

#define PLAN_NONE_REMOVED UINT32_MAX
/* Slots times steps of a change: beyond it the change is refused, since it would take minutes. */
#define PLAN_WORK_MAX (UINT64_C(1) << 33)

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
    uint32_t from_shards; /* how many shards gave keys away */
    double over_average_before, over_average_after;
    size_t memory; /* bytes that a router holds, after the change */
    struct plan_shard *shard;
    size_t shards;
};

/* The scheme's usual parameters with this hash (HASH_COUNT: the scheme's own) and slot count; tags
 * count with crc16, as in Redis Cluster, and with no other hash. */
struct plan_scheme plan_scheme_of(const struct scheme *scheme, enum hash_id hash, uint32_t slots);
/* Whether a change of this scheme follows a rule that can be computed: not so for directories,
 * where people decide. */
bool plan_can(const struct scheme *scheme);
/* Whether two schemes hash a key alike, so that one list of hashes serves both. */
bool plan_hashes_alike(const struct plan_scheme *a, const struct plan_scheme *b);

/* Checks the change without any keys: counts in range, the removed shard exists. */
bool plan_check(const struct plan_scheme *scheme, const struct plan_change *change,
                struct err *err);
bool plan_compute(const struct plan_scheme *scheme, const struct plan_change *change,
                  const uint64_t *hashes, size_t count, struct plan_result *out, struct err *err);
void plan_result_free(struct plan_result *r);
/* The share of keys that every scheme must move when keys are spread evenly: those of shards that
 * leave, or those that new ones need, as part of 1,000,000. */
uint64_t plan_least_ppm(const struct plan_change *change);

#endif
