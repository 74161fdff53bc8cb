/*
 * playground_run: from settings to what is measured.
 */
#include "tools/playground_inside.h"

#include "base/alloc.h"
#include "base/check.h"
#include "engine/reads/reads.h"
#include <stdlib.h>

#define SLOTS_OF_003 4096
#define STEADY_US INT64_C(2000000)
#define STEADY_TRIES 5

static struct layout_params params_of(const struct play_settings *s)
{
    struct layout_params p = layout_defaults(s->scheme);
    bool ours = s->workload != WORKLOAD_LOG;
    if (ours && (s->scheme == &scheme_mod_n || s->scheme == &scheme_slots)) {
        p.hash = HASH_FNV1A;
        p.tags = false;
        p.slots = SLOTS_OF_003;
    }
    if (p.tags) {
        p.deal = SLOTS_DEAL_RANGES;
    }
    p.tokens = s->tokens;
    p.split = SPLIT_HOTTEST;
    return p;
}

struct layout *play_layout(const struct play_settings *s, const struct play_keys *keys,
                           struct err *err)
{
    struct layout_params params = params_of(s);
    struct layout *layout = layout_new(s->scheme, &params, s->start, err);
    if (layout == NULL) {
        return NULL;
    }
    layout_observe(layout, keys->stored);
    bool good = true;
    for (uint32_t i = 0; good && i < s->changes; i++) {
        good = s->change[i].joins ? layout_add(layout, err)
                                  : layout_remove(layout, s->change[i].id, err);
    }
    for (uint32_t id = 0; good && play_scheme_has_weights(s->scheme) && id < PLAY_IDS_MAX; id++) {
        good = s->weight[id] == LAYOUT_WEIGHT_USUAL || layout_weigh(layout, id, s->weight[id], err);
    }
    if (!good) {
        layout_free(layout);
        return NULL;
    }
    return layout;
}

/* NULL when one of the two cannot be. */
static struct trial *trial_of(const struct play_settings *before, const struct play_settings *after,
                              const struct play_keys *keys, struct err *err)
{
    struct layout *second = play_layout(after, keys, err);
    struct layout *first = NULL;
    if (second != NULL) {
        first = before ? play_layout(before, keys, err) : layout_copy(second);
    }
    if (first == NULL) {
        layout_free(second);
        return NULL;
    }
    return trial_new(keys->all, first, second);
}

struct trial *play_trial_of(const struct play_result *r, const struct scheme *scheme,
                            const struct play_settings *before)
{
    struct play_settings after = r->settings;
    struct play_settings earlier = r->comparable && before ? *before : r->settings;
    after.scheme = scheme;
    earlier.scheme = scheme;
    return trial_of(&earlier, &after, r->keys, NULL);
}

static void list_shards(struct play_result *r)
{
    uint32_t ids[PLAY_SHARDS_MAX];
    r->shards = play_shards(&r->settings, ids);
    CHECK(r->shards == layout_shards(r->trial->after));
    for (uint32_t i = 0; i < r->shards; i++) {
        CHECK(ids[i] == layout_shard_id(r->trial->after, i));
        r->shard[i] = (struct play_shard){.id = ids[i],
                                          .weight = r->settings.weight[ids[i]],
                                          .keys = r->trial->keys_after.amount[i]};
    }
}

static uint64_t hits_so_far(const struct world *w, uint32_t key)
{
    uint64_t hits = 0;
    for (uint16_t router = 0; router < world_config_of(w)->routers; router++) {
        struct reads_info info = reads_info(w, router, key);
        hits += info.hits + info.stale_hits;
    }
    return hits;
}

/* One second of the world; `later` is a copy of it, which has played that second then. */
static void measure(struct play_result *r, struct world *later)
{
    rates_at(r->world, later, &r->rates);
    for (uint32_t i = 0; i < r->shards; i++) {
        struct play_shard *shard = &r->shard[i];
        struct shard_info info = world_shard(r->world, (uint16_t)shard->id);
        shard->rates = r->rates.shard[shard->id];
        shard->write_ceiling = info.write_ceiling;
        shard->read_ceiling = info.read_ceiling;
        if (shard->rates.writes > r->busiest_writes) {
            r->busiest_writes = shard->rates.writes;
            r->busiest = i;
        }
    }
    uint32_t hot = 0;
    struct bytes name = keyset_key(r->keys->all, r->keys->hot);
    if (r->settings.cache && world_find_key(later, name, &hot)) {
        r->cache_hits = hits_so_far(later, hot) - hits_so_far(r->world, hot);
    }
}

/* The second after the change: keys that moved are cold at their new cache server. */
static bool measure_cold(struct play_result *r, struct world *later, struct err *err)
{
    size_t count = keyset_count(r->keys->all);
    bool *cold = xcalloc(count, sizeof *cold);
    struct rates *rates = xcalloc(1, sizeof *rates);
    for (size_t key = 0; key < count; key++) {
        cold[key] = trial_moved(r->trial, key);
    }
    struct world *w = play_world(r, cold, err);
    if (w != NULL) {
        rates_at(w, later, rates);
        r->cold = (struct play_cold){
            .measured = true,
            .reads = r->reads,
            .missed = play_reads_left(r, cold),
            .served = rates->cluster.served_reads,
            .refused = rates->cluster.refused_reads,
        };
    }
    bool good = w != NULL && !world_stopped(later, err);
    world_free(w);
    free(rates);
    free(cold);
    return good;
}

/* A full bucket gives what it holds before a shard refuses: just above a ceiling for seconds. */
static bool on_a_burst(const struct play_result *r)
{
    for (uint32_t i = 0; i < r->shards; i++) {
        const struct shard_rates *rates = &r->shard[i].rates;
        uint64_t writes = rates->served_writes + rates->refused_writes;
        uint64_t reads = rates->served_reads + rates->refused_reads;
        uint64_t most = r->shard[i].write_ceiling;
        if (writes > most && rates->served_writes > most) {
            return true;
        }
        most = r->shard[i].read_ceiling;
        if (reads > most && rates->served_reads > most) {
            return true;
        }
    }
    return false;
}

/* Measured when nothing is served from what was saved up before. */
static void measure_steady(struct play_result *r, struct world *later)
{
    measure(r, later);
    for (int i = 0; i < STEADY_TRIES && on_a_burst(r); i++) {
        world_run_until(r->world, world_now(r->world) + STEADY_US);
        r->busiest_writes = 0;
        measure(r, later);
    }
}

static bool run(struct play_result *r, struct err *err)
{
    r->world = play_world(r, NULL, err);
    if (r->world == NULL) {
        return false;
    }
    struct world *later = world_copy(r->world);
    measure_steady(r, later);
    bool good = !world_stopped(later, err);
    if (good && r->settings.database_cache_pct > 0 && r->trial->moved.moved > 0) {
        good = measure_cold(r, later, err);
    }
    world_free(later);
    return good;
}

struct play_result *play_run(const struct play_settings *s, const struct play_settings *before,
                             const struct play_log *log, struct err *err)
{
    if (!play_check(s, log, err)) {
        return NULL;
    }
    struct play_result *r = xcalloc(1, sizeof *r);
    r->settings = *s;
    r->comparable = before == NULL || before->workload == s->workload;
    r->keys = play_keys_new(s->workload, s->rate, log);
    r->trial = trial_of(r->comparable ? before : NULL, s, r->keys, err);
    r->writes = s->rate;
    r->reads = (uint64_t)s->rate * PLAY_READS_A_WRITE;
    if (r->trial != NULL) {
        list_shards(r);
    }
    if (r->trial == NULL || !run(r, err)) {
        play_result_free(r);
        return NULL;
    }
    return r;
}

void play_result_free(struct play_result *r)
{
    if (!r) {
        return;
    }
    world_free(r->world);
    trial_free(r->trial);
    play_keys_free(r->keys);
    free(r);
}
