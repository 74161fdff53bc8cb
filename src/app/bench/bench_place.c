/*
 * bench_place: what placing keys costs: a lookup by each kind of scheme, Maglev's table, a plan of
 * a million keys; and how far each scheme's keys move and how evenly they lie.
 *
 * A lookup is the least disturbed of some rounds over the same hashes, as many as stay near the
 * processor.
 */
#include "app/bench/bench.h"
#include "base/alloc.h"
#include "base/check.h"
#include "place/jump.h"
#include "place/ketama.h"
#include "place/key.h"
#include "place/maglev.h"
#include "place/rendezvous.h"
#include "place/ring.h"
#include "tools/plan.h"
#include <stdlib.h>

#define NS_PER_MS 1e6
#define NS_PER_S 1e9
#define LOOKUPS ((size_t)16384)
#define LOOKUP_ROUNDS 20
#define BUILD_ROUNDS 5
#define PLAN_KEYS ((size_t)1000000)

static struct layout *layout_of(const struct scheme *scheme, uint32_t shards)
{
    struct layout_params params = layout_defaults(scheme);
    struct layout *layout = layout_new(scheme, &params, shards, NULL);
    CHECK(layout != NULL);
    return layout;
}

/* From hashes to positions, a key. */
static double lookup_ns(const struct scheme *scheme, uint32_t shards)
{
    struct layout *layout = layout_of(scheme, shards);
    struct keyset *keys = keyset_synthetic(LOOKUPS);
    const uint64_t *hashes = keyset_hashes(keys, scheme->default_hash, false);
    uint32_t *owner = xcalloc(LOOKUPS, sizeof *owner);
    int64_t best = INT64_MAX;
    for (int round = 0; round < LOOKUP_ROUNDS; round++) {
        int64_t start = clock_ns();
        layout_owners_of_hashes(layout, hashes, LOOKUPS, owner);
        int64_t took = clock_ns() - start;
        best = took < best ? took : best;
    }
    free(owner);
    keyset_free(keys);
    layout_free(layout);
    return (double)best / LOOKUPS;
}

bool bench_ring(const struct options *o, struct bench_row *row, struct err *err)
{
    (void)o;
    (void)err;
    *row = (struct bench_row){"ring_lookup",
                              "from the hash to the shard on a ring of 100,000 points",
                              "ns",
                              lookup_ns(&scheme_ring, 1000),
                              40,
                              false};
    return true;
}

bool bench_ketama(const struct options *o, struct bench_row *row, struct err *err)
{
    (void)o;
    (void)err;
    struct layout *layout = layout_of(&scheme_ketama, 100);
    struct keyset *keys = keyset_synthetic(LOOKUPS);
    int64_t best = INT64_MAX;
    volatile uint32_t sink = 0; /* so that no compiler drops the work */
    for (int round = 0; round < LOOKUP_ROUNDS; round++) {
        uint32_t sum = 0;
        int64_t start = clock_ns();
        for (size_t i = 0; i < LOOKUPS; i++) {
            sum += layout_owner(layout, keyset_key(keys, i));
        }
        int64_t took = clock_ns() - start;
        best = took < best ? took : best;
        sink = sum;
    }
    (void)sink;
    keyset_free(keys);
    layout_free(layout);
    *row = (struct bench_row){"ketama_lookup",
                              "from a short key through MD5 to one of 100 servers",
                              "ns",
                              (double)best / LOOKUPS,
                              161,
                              false};
    return true;
}

bool bench_jump_16(const struct options *o, struct bench_row *row, struct err *err)
{
    (void)o;
    (void)err;
    *row = (struct bench_row){"jump_16", "from the hash to one of 16 by jumps",
                              "ns",      lookup_ns(&scheme_jump, 16),
                              25,        false};
    return true;
}

bool bench_jump_1000(const struct options *o, struct bench_row *row, struct err *err)
{
    (void)o;
    (void)err;
    *row = (struct bench_row){"jump_1000", "from the hash to one of 1,000 by jumps",
                              "ns",        lookup_ns(&scheme_jump, 1000),
                              49,          false};
    return true;
}

static double maglev_ms(uint32_t shards)
{
    int64_t best = INT64_MAX;
    for (int round = 0; round < BUILD_ROUNDS; round++) {
        int64_t start = clock_ns();
        struct layout *layout = layout_of(&scheme_maglev, shards);
        int64_t took = clock_ns() - start;
        layout_free(layout);
        best = took < best ? took : best;
    }
    return (double)best / NS_PER_MS;
}

bool bench_maglev_100(const struct options *o, struct bench_row *row, struct err *err)
{
    (void)o;
    (void)err;
    *row = (struct bench_row){"maglev_build_100",
                              "filling 65,537 entries by 100 shards",
                              "ms",
                              maglev_ms(100),
                              1.8,
                              false};
    return true;
}

bool bench_maglev_1000(const struct options *o, struct bench_row *row, struct err *err)
{
    (void)o;
    (void)err;
    *row = (struct bench_row){"maglev_build_1000",
                              "filling 65,537 entries by 1,000 shards",
                              "ms",
                              maglev_ms(1000),
                              1.8,
                              false};
    return true;
}

bool bench_maglev(const struct options *o, struct bench_row *row, struct err *err)
{
    (void)o;
    (void)err;
    *row = (struct bench_row){"maglev_lookup",
                              "from the hash to the shard in that table",
                              "ns",
                              lookup_ns(&scheme_maglev, 100),
                              2.2,
                              false};
    return true;
}

bool bench_rendezvous(const struct options *o, struct bench_row *row, struct err *err)
{
    (void)o;
    (void)err;
    *row = (struct bench_row){"rendezvous_100",
                              "from the hash to the highest draw of 100 shards",
                              "ns",
                              lookup_ns(&scheme_rendezvous, 100),
                              168,
                              false};
    return true;
}

bool bench_plan(const struct options *o, struct bench_row *row, struct err *err)
{
    (void)o;
    const struct plan_change change = {4, 5, PLAN_NONE_REMOVED};
    bool good = true;
    int64_t start = clock_ns();
    struct keyset *keys = keyset_synthetic(PLAN_KEYS);
    for (size_t i = 0; scheme_at(i) && good; i++) {
        struct plan_scheme scheme = plan_scheme_of(scheme_at(i), HASH_COUNT, SLOT_COUNT, 100);
        struct plan_result result;
        if (plan_can(scheme.scheme)) {
            good = plan_compute(&scheme, &change, keys, &result, err);
            plan_result_free(&result);
        }
    }
    keyset_free(keys);
    *row = (struct bench_row){"plan_million_keys",
                              "a million keys planned by all schemes",
                              "s",
                              (double)(clock_ns() - start) / NS_PER_S,
                              3,
                              false};
    return good;
}

bool bench_compare(const struct scheme *scheme, struct keyset *keys, struct bench_scheme *out,
                   struct err *err)
{
    const struct plan_change joins = {10, 11, PLAN_NONE_REMOVED};
    const struct plan_change leaves = {10, 9, 3};
    struct plan_scheme plan = plan_scheme_of(scheme, HASH_COUNT, SLOT_COUNT, 100);
    struct plan_result result;
    *out = (struct bench_scheme){.scheme = scheme};
    if (!plan_compute(&plan, &joins, keys, &result, err)) {
        return false;
    }
    out->joined = (double)result.moved / (double)result.keys;
    out->over_average = result.over_average_before;
    plan_result_free(&result);
    if (!plan_compute(&plan, &leaves, keys, &result, err)) {
        return false;
    }
    out->left = (double)result.moved / (double)result.keys;
    plan_result_free(&result);
    return true;
}
