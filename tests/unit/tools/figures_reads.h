/*
 * The figures of hot reads: micro-cache, coalescing, replicas; measured by playing the world. Part
 * of test_figures.c.
 */
#ifndef HOTSHARD_TESTS_FIGURES_READS_H
#define HOTSHARD_TESTS_FIGURES_READS_H

#include "engine/reads/reads.h"
#include "figures_traffic.h"

static inline void must_play(struct world *w, const char *words)
{
    struct command command;
    struct err err = {.text = ""};
    bool read = command_parse(words, &command, &err);
    if (!read) {
        printf("%s\n", err.text);
    }
    CHECK(read);
    must_apply(w, &command);
}

static inline void play_on(struct world *w, int64_t us)
{
    world_run_until(w, world_now(w) + us);
    CHECK(!world_stopped(w, NULL));
}

static inline uint32_t key_number(const struct world *w, const char *key)
{
    uint32_t number = 0;
    bool found = world_find_key(w, bytes_of(key), &number);
    CHECK(found);
    return number;
}

/* --- the micro-cache in the story --------------------------------------------------------------
 */

/* A moment with p9's post cached, come to rest. Caller frees. */
static inline struct world *cached_at(enum moment moment)
{
    struct world *w = world_at(moment);
    must_play(w, "reads post:{p9} cached");
    play_on(w, 2 * US_PER_SECOND);
    return w;
}

static inline uint64_t cached_asked(const struct figure *f)
{
    struct world *w = cached_at((enum moment)f->a);
    struct rates *rates = rates_now(w);
    uint64_t is = asked(rates, f->text[0], f->b);
    free(rates);
    world_free(w);
    return is;
}

/* text: 'w' or 'r'; a: the moment; b: the shard, or EVERY_SHARD for the busiest. */
static inline void value_cached_rate(const struct figure *f, struct str *out)
{
    figures_add_int(out, (int64_t)cached_asked(f));
}

static inline void value_cached_percent(const struct figure *f, struct str *out)
{
    figures_add_real(out, 100.0 * (double)cached_asked(f) / (double)ceiling(f->text[0]));
}

static inline uint64_t fetches_of(const struct world *w, const char *key)
{
    uint64_t fetches = 0;
    for (uint16_t router = 0; router < world_config_of(w)->routers; router++) {
        fetches += reads_info(w, router, key_number(w, key)).fetches;
    }
    return fetches;
}

static inline void value_cache_hits(const struct figure *f, struct str *out)
{
    (void)f;
    struct world *w = cached_at(ONLY_P9);
    uint64_t fetches = fetches_of(w, "post:{p9}");
    play_on(w, US_PER_SECOND);
    fetches = fetches_of(w, "post:{p9}") - fetches;
    figures_add_real(out, 100.0 * (1 - (double)fetches / VIRAL_READS));
    world_free(w);
}

/* All caches restart at once, half a second after they were filled. */
static inline void value_restart_fetches(const struct figure *f, struct str *out)
{
    (void)f;
    struct world *w = cached_at(ONLY_P9);
    play_on(w, US_PER_SECOND / 2);
    must_play(w, "reads post:{p9} forget");
    uint64_t fetches = fetches_of(w, "post:{p9}");
    play_on(w, US_PER_SECOND / 10);
    figures_add_int(out, (int64_t)(fetches_of(w, "post:{p9}") - fetches));
    world_free(w);
}

/* --- by chance ---------------------------------------------------------------------------------
 */

/* The story's cluster without delays but the query's, without ceilings and without traffic. */
static inline struct world *even_world(uint16_t routers, int32_t query_us)
{
    struct world_config config = story_config(1);
    memset(config.delay_us, 0, sizeof config.delay_us);
    config.routers = routers;
    config.query_us = query_us;
    config.write_ceiling = 0;
    config.read_ceiling = 0;
    struct world *w = world_new(&config, NULL);
    CHECK(w != NULL);
    return w;
}

static inline void set_poisson(struct world *w, enum op_kind op, const char *key, uint32_t rate)
{
    struct command c = command_flow(op, bytes_of(key), rate, ARRIVALS_POISSON);
    must_apply(w, &c);
}

static inline struct world *hot_by_chance(const char *rule)
{
    struct world *w = even_world(story_config(1).routers, story_config(1).query_us);
    if (rule != NULL) {
        must_play(w, rule);
    }
    set_poisson(w, OP_READ, "post:{p9}", VIRAL_READS);
    must_play(w, "reads post:{p9} cached");
    play_on(w, US_PER_SECOND);
    return w;
}

/* Fetches a second when an age counts from the fetch's return; a: seconds. */
static inline void value_late_ages(const struct figure *f, struct str *out)
{
    struct world *w = hot_by_chance("rule age-from-read off");
    uint64_t fetches = fetches_of(w, "post:{p9}");
    play_on(w, f->a * US_PER_SECOND);
    fetches = fetches_of(w, "post:{p9}") - fetches;
    figures_add_real(out, (double)fetches / (double)f->a);
    world_free(w);
}

static inline void value_oldest_hot(const struct figure *f, struct str *out)
{
    struct world *w = hot_by_chance(NULL);
    play_on(w, f->a * US_PER_SECOND);
    int64_t oldest = 0;
    for (uint16_t router = 0; router < world_config_of(w)->routers; router++) {
        int64_t is = reads_info(w, router, key_number(w, "post:{p9}")).oldest_us;
        oldest = is > oldest ? is : oldest;
    }
    figures_add_real(out, (double)oldest / (double)US_PER_SECOND);
    world_free(w);
}

/* A key that one router is asked for every two seconds. Rates are whole numbers a second, so all
 * times are halved. */
static inline struct reads_info cold_key(int64_t seconds)
{
    struct world *w = even_world(1, story_config(1).query_us / 2);
    set_poisson(w, OP_READ, "post:{p9}", 1);
    must_play(w, "reads post:{p9} cached 500 1500");
    play_on(w, seconds * US_PER_SECOND / 2);
    struct reads_info info = reads_info(w, 0, key_number(w, "post:{p9}"));
    world_free(w);
    return info;
}

static inline void value_oldest_cold(const struct figure *f, struct str *out)
{
    figures_add_real(out, 2.0 * (double)cold_key(f->a).oldest_us / (double)US_PER_SECOND);
}

static inline void value_waits_cold(const struct figure *f, struct str *out)
{
    struct reads_info info = cold_key(f->a);
    double reads = (double)(info.hits + info.stale_hits + info.waits);
    figures_add_real(out, 100.0 * (double)info.waits / reads);
}

/* text: the treatment of the count of p9; a: likes a second; b: seconds. Queries a second at the
 * shard. */
static inline double coalesced(const struct figure *f)
{
    struct world *w = even_world(story_config(1).routers, story_config(1).query_us);
    set_poisson(w, OP_READ, "likes:{p9}", VIRAL_READS);
    if (f->a > 0) {
        set_poisson(w, OP_LIKE, "likes:{p9}", (uint32_t)f->a);
    }
    must_play(w, f->text);
    uint64_t before = world_shard(w, 2).served_reads;
    play_on(w, f->b * US_PER_SECOND);
    double queries = (double)(world_shard(w, 2).served_reads - before) / (double)f->b;
    world_free(w);
    return queries;
}

static inline void value_coalesced(const struct figure *f, struct str *out)
{
    figures_add_real(out, coalesced(f));
}

static inline void value_coalesced_each(const struct figure *f, struct str *out)
{
    figures_add_real(out, coalesced(f) / story_config(1).routers);
}

/* Coalescing does nothing for writes: p9's on its shard. */
static inline void value_coalesced_writes(const struct figure *f, struct str *out)
{
    struct world *w = world_at(ONLY_P9);
    must_play(w, f->text);
    struct rates *rates = rates_now(w);
    figures_add_int(out, (int64_t)asked(rates, 'w', EVERY_SHARD));
    free(rates);
    world_free(w);
}

/* --- replicas ----------------------------------------------------------------------------------
 */

static inline struct world *replicas_at(enum moment moment, int64_t copies)
{
    struct world *w = world_at(moment);
    struct command c = {.kind = COMMAND_REPLICAS, .shard = 2, .count = (uint32_t)copies};
    must_apply(w, &c);
    return w;
}

static inline double replicas_percent(int64_t copies)
{
    struct world *w = replicas_at(M2, copies);
    struct rates *rates = rates_now(w);
    double percent = 100.0 * (double)rates->shard[2].reads / world_shard(w, 2).read_ceiling;
    free(rates);
    world_free(w);
    return percent;
}

static inline void value_replicas_ceiling(const struct figure *f, struct str *out)
{
    struct world *w = replicas_at(M2, f->a);
    figures_add_int(out, world_shard(w, 2).read_ceiling);
    world_free(w);
}

static inline void value_replicas_percent(const struct figure *f, struct str *out)
{
    figures_add_real(out, replicas_percent(f->a));
}

/* The least number of copies with which S2's reads are at `a` percent of their ceiling or under. */
static inline void value_replicas_needed(const struct figure *f, struct str *out)
{
    int64_t copies = 1;
    while (replicas_percent(copies) > (double)f->a) {
        copies++;
    }
    figures_add_int(out, copies);
}

/* p9's reads in one second at the busiest of `a` copies that have no ceiling, by their answers. */
static inline void value_replicas_busiest(const struct figure *f, struct str *out)
{
    struct world *w = replicas_at(ONLY_P9, f->a);
    must_play(w, "ceiling S2 0 0");
    play_on(w, US_PER_SECOND);
    uint64_t served[READS_COPIES_MAX] = {0};
    uint64_t next = trace_next(w);
    int64_t end = world_now(w) + US_PER_SECOND;
    for (int64_t time; world_next_time(w, &time) && time < end && world_step(w);) {
        for (; next < trace_next(w); next++) {
            const struct trace_record *r = trace_get(w, next);
            if (r->kind == TRACE_ANSWER && r->op == OP_READ) {
                served[r->reason == REASON_FOLLOWER ? r->operand[0] : 0]++;
            }
        }
    }
    uint64_t most = 0;
    for (size_t i = 0; i < READS_COPIES_MAX; i++) {
        most = served[i] > most ? served[i] : most;
    }
    figures_add_int(out, (int64_t)most);
    world_free(w);
}

static inline void value_replicas_writes(const struct figure *f, struct str *out)
{
    struct world *w = replicas_at(ONLY_P9, f->a);
    struct rates *rates = rates_now(w);
    figures_add_int(out, (int64_t)asked(rates, 'w', EVERY_SHARD));
    free(rates);
    world_free(w);
}

#define BY_KEY "reads likes:{p9} coalesced by-key"
#define AT_EACH "reads likes:{p9} coalesced"

static const struct figure reads[] = {
    {"snap.cache_S0_w", value_cached_rate, "w", M2, 0},
    {"snap.cache_S0_r", value_cached_rate, "r", M2, 0},
    {"snap.cache_S0_wpct", value_cached_percent, "w", M2, 0},
    {"snap.cache_S0_rpct", value_cached_percent, "r", M2, 0},
    {"snap.cache_S1_w", value_cached_rate, "w", M2, 1},
    {"snap.cache_S1_r", value_cached_rate, "r", M2, 1},
    {"snap.cache_S1_wpct", value_cached_percent, "w", M2, 1},
    {"snap.cache_S1_rpct", value_cached_percent, "r", M2, 1},
    {"snap.cache_S2_w", value_cached_rate, "w", M2, 2},
    {"snap.cache_S2_r", value_cached_rate, "r", M2, 2},
    {"snap.cache_S2_wpct", value_cached_percent, "w", M2, 2},
    {"snap.cache_S2_rpct", value_cached_percent, "r", M2, 2},
    {"snap.cache_S3_w", value_cached_rate, "w", M2, 3},
    {"snap.cache_S3_rpct", value_cached_percent, "r", M2, 3},
    {"snap.fix_cache_w", value_cached_rate, "w", ONLY_P9, EVERY_SHARD},
    {"snap.fix_cache_r", value_cached_rate, "r", ONLY_P9, EVERY_SHARD},
    {"read.cache_simple", value_cached_rate, "r", ONLY_P9, EVERY_SHARD},
    {"read.cache_hits", value_cache_hits, NULL, 0, 0},
    {"read.stampede_sf", value_restart_fetches, NULL, 0, 0},
    {"read.cache_sim_end", value_late_ages, NULL, 40, 0},
    {"read.cache_oldest_hot", value_oldest_hot, NULL, 40, 0},
    {"read.cache_cold_oldest", value_oldest_cold, NULL, 400000, 0},
    {"read.cache_cold_wait", value_waits_cold, NULL, 400000, 0},
    {"read.coal_router_sim", value_coalesced_each, AT_EACH, 0, 40},
    {"read.coal_key_sim", value_coalesced, BY_KEY, 0, 20},
    {"read.coal_2400_sim", value_coalesced, BY_KEY, VIRAL_LIKES, 30},
    {"snap.fix_coal_router_w", value_coalesced_writes, "reads post:{p9} coalesced", 0, 0},
    {"snap.fix_coal_key_w", value_coalesced_writes, "reads post:{p9} coalesced by-key", 0, 0},
    {"snap.replica_ceiling", value_replicas_ceiling, NULL, 3, 0},
    {"snap.replica_pct", value_replicas_percent, NULL, 3, 0},
    {"snap.replica_need80", value_replicas_needed, NULL, 80, 0},
    {"snap.fix_replicas_w", value_replicas_writes, NULL, 3, 0},
    {"snap.fix_replicas_r", value_replicas_busiest, NULL, 3, 0},
};

#endif
