/*
 * reads_read: the table's place in the world, its digest, and what others may see of it.
 */
#include "engine/reads/reads_inside.h"

static struct reads_info info_of(const struct world *w, uint32_t place, uint32_t key)
{
    CHECK(key < w->keys);
    struct reads_info info = {
        .mode = READS_PLAIN, .held_us = -1, .fetch_us = -1, .beside = KEY_NONE_ID};
    uint8_t at = keys_in(w)[key].reads;
    if (at == 0) {
        return info;
    }
    const struct hot_read *row = hot_reads_in(w) + (at - 1);
    const struct read_spot *spot = read_spots_in(w) + (at - 1u) * reads_places(w) + place;
    info = (struct reads_info){
        .mode = (enum reads_mode)row->mode,
        .by_key = row->by_key,
        .fresh_us = row->fresh_us,
        .stale_us = row->stale_us,
        .hits = spot->hits,
        .stale_hits = spot->stale_hits,
        .waits = spot->waits,
        .fetches = spot->fetches,
        .oldest_us = spot->oldest_us,
        .held_us = spot->fill.held ? w->now_us - spot->sent_us : -1,
        .fetch_us = spot->fill.fetching && spot->current != NO_INDEX
                        ? w->now_us - requests_in(w)[spot->current].issued_us
                        : -1,
        .copies = row->copies,
        .copies_written = row->copies_written,
        .beside = row->beside,
        .count_held = spot->fill.held && spot->counted,
        .count = spot->count,
    };
    return info;
}

struct reads_info reads_info(const struct world *w, uint16_t router, uint32_t key)
{
    CHECK(router < w->config.routers);
    return info_of(w, router, key);
}

struct reads_info reads_edge_info(const struct world *w, uint8_t zone, uint32_t key)
{
    CHECK(zone < w->config.zones);
    return info_of(w, w->config.routers + zone, key);
}

void reads_lay_out(struct world *plan, uint64_t *end)
{
    uint64_t rows = plan->config.hot_max;
    plan->at.hot_reads = table_at(end, rows, sizeof(struct hot_read));
    plan->at.read_spots = table_at(end, rows * reads_places(plan), sizeof(struct read_spot));
}

static void feed_spot(struct digest *d, const struct read_spot *s)
{
    const uint64_t values[] = {(uint64_t)s->fill.born_us,
                               s->fill.last,
                               s->fill.since,
                               s->fill.held,
                               s->fill.fetching,
                               s->flight.flying,
                               s->flight.joinable,
                               s->value,
                               s->count,
                               s->counted,
                               (uint64_t)s->sent_us,
                               s->current,
                               s->tail,
                               s->hits,
                               s->stale_hits,
                               s->waits,
                               s->fetches,
                               (uint64_t)s->oldest_us,
                               (uint64_t)s->wrote_us};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        digest_u64(d, values[i]);
    }
}

static void feed_row(struct digest *d, const struct hot_read *row)
{
    const uint64_t values[] = {row->key,
                               row->mode,
                               row->copies,
                               row->by_key,
                               (uint64_t)row->fresh_us,
                               (uint64_t)row->stale_us,
                               row->prng.s[0],
                               row->prng.s[1],
                               row->prng.s[2],
                               row->prng.s[3],
                               row->copies_written,
                               row->beside,
                               (uint64_t)row->since_us,
                               row->past_count};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        digest_u64(d, values[i]);
    }
    for (uint32_t i = 0; i < row->copies; i++) {
        digest_u64(d, row->copy[i]);
    }
    for (uint32_t i = 0; i < row->past_count; i++) {
        const struct past *past = row->past + (row->past_from + i) % READS_PAST_MAX;
        digest_u64(d, (uint64_t)past->until_us);
        digest_u64(d, past->value);
    }
}

void reads_feed(struct digest *d, const struct world *w)
{
    digest_u64(d, w->reads.count);
    for (uint32_t i = 0; w->reads.count > 0 && i < w->config.hot_max; i++) {
        const struct hot_read *row = hot_reads_in(w) + i;
        if (row->mode == READS_PLAIN) {
            continue;
        }
        digest_u64(d, i);
        feed_row(d, row);
        for (uint32_t place = 0; place < reads_places(w); place++) {
            feed_spot(d, read_spots_in(w) + (size_t)i * reads_places(w) + place);
        }
    }
}
