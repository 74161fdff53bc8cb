/*
 * guards_digest: what of the guards is part of a world's identity: all of it.
 */
#include "engine/guards/guards_inside.h"

static void feed_bucket(struct digest *d, const struct bucket *b)
{
    DIGEST_FEED(d, (uint64_t)b->level, (uint64_t)b->level_at_us, (uint64_t)b->last_start_us,
                b->ceiling);
}

static void feed_prng(struct digest *d, const struct prng *p)
{
    digest_all(d, p->s, sizeof p->s / sizeof p->s[0]);
}

static void feed_state(struct digest *d, const struct guards_state *g)
{
    DIGEST_FEED(d, g->admission, g->breakers, g->retries, g->jitter, g->limits, g->tenants, g->shed,
                g->sample, g->sample_life, (uint64_t)g->window_us, (uint64_t)g->window_from_us,
                g->policy, g->times, g->budget_percent, (uint64_t)g->first_wait_us, g->repeats,
                g->spared, g->given_up, g->breaker.percent, (uint64_t)g->breaker.window_us,
                (uint64_t)g->breaker.open_us);
    for (uint32_t zone = 0; zone < ZONES_MAX; zone++) {
        digest_u64(d, (uint64_t)g->budget[zone]);
    }
    feed_prng(d, &g->sampling);
    feed_prng(d, &g->waiting);
    const struct hot_report *report = &g->report;
    DIGEST_FEED(d, (uint64_t)report->from_us, (uint64_t)report->to_us, report->count,
                report->left_out);
    for (uint32_t i = 0; i < report->count; i++) {
        const struct hot_key *hot = &report->row[i];
        DIGEST_FEED(d, hot->key, hot->shard, hot->kind, hot->writes, hot->reads, hot->error,
                    hot->shard_writes, hot->shard_reads);
    }
}

static void feed_tables(struct digest *d, const struct world *w)
{
    for (uint32_t i = 0; i < w->config.limits_max; i++) {
        DIGEST_FEED(d, limits_in(w)[i].key, limits_in(w)[i].rate);
    }
    for (uint32_t i = 0; i < w->guards.tenants; i++) {
        const struct tenant *t = tenants_in(w) + i;
        DIGEST_FEED(d, t->turned, t->rate, t->share);
        digest_bytes(d, t->name, t->length);
    }
    for (uint32_t i = 0; i < w->shards; i++) {
        const struct guard_shard *s = guard_shards_in(w) + i;
        DIGEST_FEED(d, s->asked_before[WORK_WRITE], s->asked_before[WORK_READ], s->repeats,
                    s->turned_firsts[WORK_WRITE], s->turned_firsts[WORK_READ], s->turned_repeats,
                    s->sampled[WORK_WRITE], s->sampled[WORK_READ]);
    }
    uint64_t cells = watch_at(w, w->config.routers + 1u); /* behind them: nothing between events */
    for (uint64_t i = 0; i < cells; i++) {
        const struct sketch_cell *cell = watches_in(w) + i;
        DIGEST_FEED(d, cell->key, cell->reads, cell->writes, cell->error);
    }
}

static void feed_routers(struct digest *d, const struct world *w)
{
    for (uint32_t router = 0; router < w->config.routers; router++) {
        const struct guard_router *own = guard_routers_in(w) + router;
        digest_all(d, own->turned, TURNED_KINDS);
        DIGEST_FEED(d, own->sampled, own->in_hand, own->most_in_hand, own->block_at,
                    own->block_pick);
        for (uint32_t i = 0; w->guards.limits > 0 && i < w->config.limits_max; i++) {
            feed_bucket(d, limit_buckets_in(w) + (size_t)router * w->config.limits_max + i);
        }
        for (uint32_t i = 0; i < w->guards.tenants; i++) {
            const struct tenant_spot *spot =
                tenant_spots_in(w) + (size_t)router * w->config.tenants_max + i;
            feed_bucket(d, &spot->bucket);
            digest_u64(d, spot->in_hand);
        }
        for (uint32_t i = 0; w->guards.breakers && i < w->shards; i++) {
            const struct breaker_core *b =
                breakers_in(w) + (size_t)router * w->config.shards_max + i;
            DIGEST_FEED(d, (uint64_t)b->since_us, b->answers, b->failures, b->state);
        }
    }
}

void guards_feed(struct digest *d, const struct world *w)
{
    feed_state(d, &w->guards);
    feed_tables(d, w);
    feed_routers(d, w);
}
