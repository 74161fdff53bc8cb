/*
 * watch_read: heartbeats as others see them, and as a part of their world.
 */
#include "engine/watch/watch_inside.h"

struct beat_info world_beat(const struct world *w, uint32_t node)
{
    struct beat_info info = {.heard_us = -1, .declared_us = -1, .due_us = -1};
    if (w->watch.count == 0 || node >= w->watch.known) {
        return info;
    }
    const struct beat_row *row = beats_in(w) + node;
    struct gaps gaps = beat_gaps(w, row);
    info.declared = row->declared_us >= 0;
    info.heard_us = row->beats > 0 ? row->since_us : -1;
    info.mean_us = gaps.mean_us;
    info.spread_us = gaps.spread_us;
    info.phi = phi_after(gaps, w->now_us - row->since_us);
    info.declared_us = row->declared_us;
    info.due_us = info.declared ? -1 : row->due_us;
    info.beats = row->beats;
    info.late = row->late;
    return info;
}

uint32_t world_beat_times(const struct world *w, uint32_t node, int64_t out[BEATS_SHOWN])
{
    if (w->watch.count == 0 || node >= w->watch.known) {
        return 0;
    }
    const struct beat_row *row = beats_in(w) + node;
    uint32_t n = row->kept < BEATS_SHOWN ? row->kept : BEATS_SHOWN;
    for (uint32_t i = 0; i < n; i++) {
        out[i] = row->time_us[(row->kept - n + i) % BEATS_KEPT];
    }
    return n;
}

struct watch_info world_watch(const struct world *w)
{
    const struct watch_state *s = &w->watch;
    if (s->turn == 0) {
        return (struct watch_info){.detect_us = -1};
    }
    return (struct watch_info){.on = s->count > 0,
                               .period_us = s->period_us,
                               .timeout_us = s->timeout_us,
                               .phi = s->phi,
                               .declared = s->declared,
                               .falsely = s->falsely,
                               .returned = s->returned,
                               .detect_us = s->detect_us};
}

/* --- invariants ---
 *
 *   dead-in-time   nobody who is not declared dead has been silent for longer than is allowed
 *   dead-or-back   every death that was declared ended by a heartbeat, or lasts */
bool watch_hold(const struct world *w, struct err *err)
{
    const struct watch_state *s = &w->watch;
    uint64_t dead = 0;
    for (uint32_t node = 0; node < s->known; node++) {
        const struct beat_row *row = beats_in(w) + node;
        dead += row->declared_us >= 0;
        if (row->declared_us < 0 && row->due_us < w->now_us) {
            return err_set(err, "dead-in-time: N%u was due to be declared dead %s ago", node + 1,
                           num_span(w->now_us - row->due_us).text);
        }
    }
    if (s->declared != s->returned + dead || s->falsely > s->declared) {
        return err_set(err, "dead-or-back: %llu deaths declared, %llu heard again, %llu last",
                       (unsigned long long)s->declared, (unsigned long long)s->returned,
                       (unsigned long long)dead);
    }
    return true;
}

/* --- layout and identity --- */

void watch_lay_out(struct world *plan, uint64_t *end)
{
    plan->at.beats = table_at(end, plan->config.nodes_max, sizeof(struct beat_row));
}

void watch_feed(struct digest *d, const struct world *w)
{
    const struct watch_state *s = &w->watch;
    if (s->turn == 0) {
        return;
    }
    DIGEST_FEED(d, s->count, (uint64_t)s->period_us, (uint64_t)s->timeout_us, s->phi, s->turn,
                s->known, s->declared, s->falsely, s->returned, (uint64_t)s->detect_us);
    for (uint32_t node = 0; node < s->known; node++) {
        const struct beat_row *row = beats_in(w) + node;
        DIGEST_FEED(d, (uint64_t)row->since_us, (uint64_t)row->due_us, (uint64_t)row->declared_us,
                    row->beats, row->late, row->kept);
        for (uint32_t i = 0; i < row->kept && i < BEATS_KEPT; i++) {
            digest_u64(d, (uint64_t)row->time_us[i]);
        }
    }
}
