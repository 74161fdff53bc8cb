/*
 * queries_hold: what must be true of queries, and what of them is part of a world's identity.
 */
#include "engine/promise.h"
#include "engine/queries/queries_inside.h"
#include <inttypes.h>

bool queries_broke(const struct broken_promise *b, struct err *err)
{
    if (b->promise == PROMISE_SLOT_ONCE) {
        return err_set(err,
                       "slot-once: query %" PRIu64 " counted slot %" PRId64
                       " a second time, in an answer of epoch %" PRId64,
                       b->request, b->due, b->found);
    }
    if (b->promise == PROMISE_MARKED) {
        return err_set(err,
                       "marked-partial: query %" PRIu64 " has %" PRId64 " of %" PRId64
                       " slots in its result, and %s",
                       b->request, b->found, b->due,
                       b->found < b->due ? "calls it whole" : "calls it partial");
    }
    return err_set(err,
                   "deadline: query %" PRIu64 " ended after %" PRId64
                   " us and its deadline is %" PRId64 " us",
                   b->request, b->found, b->due);
}

/* --- invariants --- */

static uint32_t slots_merged(const struct world *w, const struct gather_row *g)
{
    uint32_t in = 0;
    for (uint16_t shard = 0; g->chosen != 0 && shard < QUERY_PARTS_MAX; shard++) {
        in += (g->chosen >> shard & 1) != 0 && gather_merged(w, g, shard);
    }
    for (uint32_t slot = 0; g->chosen == 0 && slot < w->config.slots;) {
        struct slot_run run = slots_in(w, g, slot, g->merged_count);
        in += run.counted ? run.last - slot + 1 : 0;
        slot = run.last + 1;
    }
    return in;
}

static bool gather_holds(const struct world *w, const struct gather_row *g, struct err *err)
{
    uint32_t waiting = 0;
    for (uint32_t i = g->part; i != NO_PIECE; i = query_pieces_in(w)[i].next) {
        waiting += query_pieces_in(w)[i].part.state == GATHER_WAITING;
    }
    if (waiting != g->core.waiting) {
        return err_set(err, "waits-for: query %" PRIu64 " waits for %u parts, %u of them wait",
                       g->number, g->core.waiting, waiting);
    }
    bool looked = ((uint64_t)w->now_us + g->number) % 4 == 0; /* it costs more than all else */
    if (looked && slots_known(w, g) && slots_merged(w, g) != g->core.in) {
        return err_set(err, "slot-once: query %" PRIu64 " says that it has %u slots, and has %u",
                       g->number, g->core.in, slots_merged(w, g));
    }
    if (g->deadline_us > 0 && w->now_us > g->begun_us + g->deadline_us) {
        return err_set(err, "deadline: query %" PRIu64 " is still open", g->number);
    }
    if (g->core.end != GATHER_OPEN || g->core.in == g->core.slots) {
        return err_set(err, "ends: query %" PRIu64 " has all it wants, and goes on", g->number);
    }
    return true;
}

bool queries_hold(const struct world *w, struct err *err)
{
    uint64_t open[16] = {0};
    for (uint32_t i = 0; i < w->queries.gathers_used; i++) {
        const struct gather_row *g = gathers_in(w) + i;
        if (g->number == 0) {
            continue;
        }
        open[g->query]++;
        if (!gather_holds(w, g, err)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < w->config.queries_max; i++) {
        const struct query_info *q = &query_rows_in(w)[i].info;
        if (q->asked != q->whole + q->partial + q->failed + q->from_result + open[i]) {
            return err_set(
                err,
                "each-ends: of %s %" PRIu64 " were asked, and %" PRIu64 " have ended or are open",
                q->name, q->asked, q->whole + q->partial + q->failed + q->from_result + open[i]);
        }
        if (q->hedges_first > q->hedges || q->hedges > q->parts || q->crossings > q->answers) {
            return err_set(err, "counts: the counters of %s contradict each other", q->name);
        }
    }
    return true;
}

/* --- identity --- */

static uint64_t u64_of(int64_t value)
{
    return (uint64_t)value;
}

static void feed_flow(struct digest *d, const struct flow *f)
{
    DIGEST_FEED(d, f->rate, f->arrivals, f->turn, f->asked);
    if (f->rate == 0) {
        return;
    }
    DIGEST_FEED(d, f->prng.s[0], f->prng.s[1], f->prng.s[2], f->prng.s[3], u64_of(f->next_us),
                u64_of(f->part_us), f->phase_us, f->interval_us, f->interval_rest, f->rest,
                f->carry_ps, f->scatter.count, f->scatter.at, f->scatter.level, f->scatter.few);
    if (f->arrivals == ARRIVALS_SCATTERED) {
        for (uint32_t level = 0; level <= f->scatter.level; level++) {
            digest_u64(d, f->scatter.right[level]);
        }
        for (uint32_t few = f->scatter.few; few > 0; few--) {
            digest_u64(d, f->scatter.drawn[SCATTER_FEW - few]);
        }
    }
}

static void feed_last(struct digest *d, const struct query_run_info *l)
{
    DIGEST_FEED(d, l->number, l->router, u64_of(l->asked_us), u64_of(l->ended_us), l->end, l->parts,
                l->items, l->entries, l->slowest, l->sum);
    for (uint32_t i = 0; i < l->parts; i++) {
        const struct query_part_info *p = &l->part[i];
        DIGEST_FEED(d, p->shard, p->state, p->crossing, p->hedged, p->from_follower, p->clashed,
                    p->refused, u64_of(p->asked_us), u64_of(p->hedged_us), u64_of(p->heard_us),
                    p->sum);
    }
    for (uint32_t i = 0; i < l->items; i++) {
        DIGEST_FEED(d, l->item[i].key, u64_of(l->item[i].value));
    }
}

static void feed_items(struct digest *d, const struct query_items *items)
{
    digest_u64(d, items->count);
    for (uint32_t i = 0; i < items->count; i++) {
        DIGEST_FEED(d, items->item[i].key, u64_of(items->item[i].value));
    }
}

static void feed_row(struct digest *d, const struct query_row *q)
{
    const struct query_info *i = &q->info;
    digest_bytes(d, i->name, sizeof i->name);
    if (i->name[0] == '\0') {
        return;
    }
    DIGEST_FEED(d, i->sum, i->room, i->bytes, u64_of(i->hedge_us), u64_of(i->timeout_us),
                u64_of(i->deadline_us), u64_of(i->period_us), i->zone, i->asked, i->whole,
                i->partial, i->failed, i->from_result, i->parts, i->hedges, i->hedges_first,
                i->dropped, i->clashes, i->answers, i->crossings, i->crossed_bytes);
    if (i->asks > 0) {
        digest_u64(d, i->asks);
    }
    digest_u64(d, q->prefix_length);
    digest_bytes(d, q->prefix, q->prefix_length);
    DIGEST_FEED(d, q->key, q->since, q->flow_number, q->job_number, q->job_gather,
                u64_of(q->result_us), u64_of(q->second), q->crossing_now, q->crossing_last,
                q->shown, q->shown_asker, q->answered, u64_of(q->longest_us));
    feed_flow(d, &q->flow);
    feed_last(d, &q->last);
    feed_items(d, &q->plain);
    feed_items(d, &q->counts);
    for (uint32_t place = 0; place < LATENCIES; place++) {
        if (q->latency[place] > 0) {
            DIGEST_FEED(d, place, q->latency[place]);
        }
    }
}

static void feed_gather(struct digest *d, const struct world *w, const struct gather_row *g)
{
    DIGEST_FEED(d, g->number, g->next);
    if (g->number == 0) {
        return;
    }
    DIGEST_FEED(d, u64_of(g->begun_us), u64_of(g->deadline_us), u64_of(g->policy.hedge_us),
                u64_of(g->policy.timeout_us), g->sum, g->core.slots, g->core.in, g->core.round,
                g->core.waiting, g->core.end, g->from, g->router, g->slowest, g->merged_count,
                g->query, g->asker, g->gave_up, g->waits);
    if (g->chosen != 0) {
        digest_u64(d, g->chosen);
    }
    for (uint32_t i = g->part; i != NO_PIECE; i = query_pieces_in(w)[i].next) {
        const struct gather_piece *p = query_pieces_in(w) + i;
        DIGEST_FEED(d, i, u64_of(p->part.asked_us), p->part.round, p->part.state, p->part.hedged,
                    p->request, p->hedge, p->shard);
    }
    for (uint32_t i = g->merged; i != NO_PIECE; i = query_pieces_in(w)[i].next) {
        const struct gather_piece *p = query_pieces_in(w) + i;
        DIGEST_FEED(d, i, p->part.round, p->position, p->shard, p->before);
    }
}

static void feed_changes(struct digest *d, const struct world *w)
{
    const struct queries_state *q = &w->queries;
    DIGEST_FEED(d, q->position, q->forgotten, q->parted_count);
    for (uint32_t i = q->forgotten; i < q->position; i++) {
        const struct table_change *c = &table_changes_in(w)[i % QUERY_CHANGES_MAX];
        DIGEST_FEED(d, u64_of(c->at_us), c->epoch, c->shard, c->first, c->last, c->state,
                    c->parted);
    }
    for (uint32_t i = 0; i < q->parted_count; i++) {
        digest_u64(d, q->parted[i]);
    }
}

void queries_feed(struct digest *d, const struct world *w)
{
    const struct queries_state *q = &w->queries;
    if (!q->used) {
        return;
    }
    DIGEST_FEED(d, q->count, q->gathers_used, q->free_gather, q->pieces_used, q->free_piece,
                q->open, q->last_number, q->prng.s[0], q->prng.s[1], q->prng.s[2], q->prng.s[3]);
    for (uint16_t shard = 0; shard < w->config.shards_max; shard++) {
        struct query_times t;
        if (queries_times_in(w, shard, &t)) {
            DIGEST_FEED(d, shard, u64_of(t.from_us), u64_of(t.to_us), u64_of(t.slow_from_us),
                        u64_of(t.slow_to_us), t.slow_ppm);
        }
    }
    for (uint32_t i = 0; i < w->config.queries_max; i++) {
        feed_row(d, query_rows_in(w) + i);
    }
    for (uint32_t i = 0; i < q->gathers_used; i++) {
        feed_gather(d, w, gathers_in(w) + i);
    }
    feed_changes(d, w);
}
