/*
 * world_digest: the identity of a world, field by field.
 *
 * Tables whose places depend on hashing or on the heap's shape (store, waiting events) are fed as
 * sums of their entries' digests, so that only what they hold counts.
 */
#include "engine/state.h"

static uint64_t u64_of(int64_t value)
{
    return (uint64_t)value;
}

static void feed_config(struct digest *d, const struct world_config *c)
{
    DIGEST_FEED(d, c->seed, u64_of(c->start_us), c->slots, c->shards, c->shards_max, c->routers,
                c->zones, c->directory_zone, u64_of(c->query_us), u64_of(c->commit_us),
                u64_of(c->apply_us), u64_of(c->liked_us), u64_of(c->replica_lag_us),
                u64_of(c->timeout_us), u64_of(c->client_timeout_us), c->hot_max, c->limits_max,
                c->tenants_max, c->watch_max, c->moves_max, c->tail_max, c->accounts_max,
                c->recent_max, c->map_version, c->epoch, c->write_ceiling, c->read_ceiling,
                c->queue, c->keys_max, c->flows_max, c->requests_max, c->events_max, c->store_max,
                c->rows_max, c->changes_max);
    if (c->slots_by != SLOTS_BY_CRC16) { /* (tags and inside follow from the keys) */
        digest_u64(d, c->slots_by);
    }
    digest_bytes(d, c->shard_zone, sizeof c->shard_zone);
    digest_bytes(d, c->router_zone, sizeof c->router_zone);
    for (uint32_t from = 0; from < c->zones; from++) {
        for (uint32_t to = 0; to < c->zones; to++) {
            digest_u64(d, u64_of(c->delay_us[from][to]));
        }
    }
}

static void feed_plan(struct digest *d, const struct world *w)
{
    DIGEST_FEED(d, w->map_version, w->changes);
    for (uint32_t slot = 0; slot < w->config.slots; slot++) {
        digest_u64(d, (uint64_t)owners_in(w)[slot] << 32 | epochs_in(w)[slot]);
    }
    for (uint32_t i = 0; i < w->changes; i++) {
        uint64_t at = ((uint64_t)w->changes_from + i) % w->config.changes_max;
        const struct change *c = changes_in(w) + at;
        DIGEST_FEED(d, c->version, c->old_epoch, c->new_epoch, c->first, c->last, c->old_owner,
                    c->new_owner);
    }
}

static void feed_shard(struct digest *d, const struct world *w, uint32_t shard)
{
    const struct shard *s = shards_in(w) + shard;
    const struct slot_row *rows = rows_in(w) + (size_t)shard * w->config.rows_max;
    DIGEST_FEED(d, s->moved, s->retried, s->queue, s->rows, s->keys, s->zone, s->key_reads,
                s->position, s->copies, s->copy_turn, s->down);
    if (s->took[0] != 0) { /* nothing while it has what it had at the start */
        DIGEST_FEED(d, s->took[0], s->took[1]);
    }
    for (uint32_t work = 0; work < WORK_KINDS; work++) {
        const struct bucket *b = &s->bucket[work];
        DIGEST_FEED(d, u64_of(b->level), u64_of(b->level_at_us), u64_of(b->last_start_us),
                    b->ceiling, s->asked[work], s->served[work], s->refused[work]);
    }
    if (s->disk > 0 || s->applies > 0) {
        DIGEST_FEED(d, s->disk, s->extra, s->applies);
    }
    for (uint32_t i = 0; i < s->rows; i++) {
        DIGEST_FEED(d, rows[i].first, rows[i].last, rows[i].other, rows[i].state, rows[i].epoch);
    }
}

static void feed_nodes(struct digest *d, const struct world *w)
{
    digest_u64(d, w->shards);
    for (uint32_t i = 0; i < w->shards; i++) {
        feed_shard(d, w, i);
    }
    for (uint32_t i = 0; i < w->config.routers; i++) {
        const struct router *r = routers_in(w) + i;
        DIGEST_FEED(d, r->requests, r->redirects, r->retries, r->map_version, r->zone, r->deaf,
                    r->fetching, r->down, r->life, r->fetches);
    }
}

static void feed_requests(struct digest *d, const struct world *w)
{
    DIGEST_FEED(d, w->in_flight, w->last_number, w->last_command_number, w->command_requests_open,
                w->requests_used, w->free_request, w->remembered_from, w->remembered_to);
    for (uint32_t i = 0; i < w->requests_used; i++) {
        const struct request *r = requests_in(w) + i;
        digest_u64(d, r->next);
        if (r->number == 0) {
            continue;
        }
        DIGEST_FEED(d, r->number, u64_of(r->issued_us), r->took_us, r->value, r->key, r->epoch,
                    r->router, r->shard, r->slot, r->zone, r->op, r->outcome, r->asks, r->reloads,
                    r->retries, r->asked_by_command, r->done, r->stray);
        DIGEST_FEED(d, r->operation, r->link, r->turn, r->origin, r->flying, r->which, r->ended,
                    r->held, r->counted, r->asking, r->many, r->applied, r->spare, r->here,
                    r->strong, r->storing, r->buffered, r->in_hand, r->attempt, r->timeouts);
    }
}

static void feed_keys(struct digest *d, const struct world *w)
{
    digest_u64(d, w->keys);
    for (uint32_t i = 0; i < w->keys; i++) {
        const struct key_entry *k = keys_in(w) + i;
        digest_bytes(d, k->text, k->length);
        DIGEST_FEED(d, k->slot, k->acked, k->told, k->flying, k->stray_flying, k->unknown, k->reads,
                    k->writes, k->tenant, k->limit, k->account, k->index);
    }
    digest_u64(d, w->store_used);
    struct digest sum = {0};
    for (uint32_t i = 0; i < w->store_places; i++) {
        const struct store_entry *e = store_in(w) + i;
        if (e->key != 0) {
            struct digest one = digest_start();
            DIGEST_FEED(&one, e->key, e->shard, e->value, e->edits, e->sequence, e->gone, e->fresh);
            sum.a += one.a;
            sum.b += one.b;
        }
    }
    DIGEST_FEED(d, sum.a, sum.b);
}

static void feed_flows(struct digest *d, const struct world *w)
{
    digest_u64(d, w->flows);
    for (uint32_t i = 0; i < w->flows; i++) {
        const struct flow *f = flows_in(w) + i;
        DIGEST_FEED(d, f->prng.s[0], f->prng.s[1], f->prng.s[2], f->prng.s[3], u64_of(f->next_us),
                    u64_of(f->part_us), f->phase_us, f->asked, f->key, f->keys, f->offset, f->rate,
                    f->turn, f->interval_us, f->interval_rest, f->rest, f->scatter.count,
                    f->scatter.at, f->scatter.level, f->scatter.few, f->carry_ps, f->op,
                    f->arrivals);
        if (f->arrivals == ARRIVALS_SCATTERED) {
            for (uint32_t level = 0; level <= f->scatter.level; level++) {
                digest_u64(d, f->scatter.right[level]);
            }
            for (uint32_t few = f->scatter.few; few > 0; few--) {
                digest_u64(d, f->scatter.drawn[SCATTER_FEW - few]);
            }
        }
    }
}

static void add_event(struct digest *sum, const struct event *e)
{
    struct digest one = digest_start();
    enum outcome outcome = e->kind == EVENT_ANSWER ? (enum outcome)event_detail(e) : OUTCOME_NONE;
    DIGEST_FEED(&one, u64_of(e->time_us), e->order, e->request, e->kind, e->detail, e->node);
    if (e->kind == EVENT_MAP || (e->kind == EVENT_TIMEOUT && e->request == NO_INDEX)) {
        digest_u64(&one, e->carries.version);
        if (e->kind == EVENT_MAP && e->request == NO_INDEX && event_detail(e) >= MAP_TOLD) {
            digest_u64(&one, e->carries.moved.target);
        }
    } else if (outcome == OUTCOME_MOVED || outcome == OUTCOME_ASK) {
        DIGEST_FEED(&one, e->carries.moved.epoch, e->carries.moved.target);
    } else {
        digest_u64(&one, e->carries.value);
    }
    sum->a += one.a;
    sum->b += one.b;
}

static void feed_events(struct digest *d, const struct world *w)
{
    const struct queue *q = &w->queue;
    const struct event *waiting = waiting_in(w);
    struct digest sum = {0};
    for (uint32_t i = 0; i < q->heap_count; i++) {
        add_event(&sum, &waiting[heap_in(w)[i].cell]);
    }
    for (uint32_t lane = 0; lane < LANE_HEAP; lane++) {
        for (uint32_t c = q->first[lane]; c != CELL_END; c = next_cell_in(w)[c]) {
            add_event(&sum, &waiting[c]);
        }
    }
    DIGEST_FEED(d, q->sequence, q->pending, sum.a, sum.b);
}

struct digest world_digest(const struct world *w)
{
    struct digest d = digest_start();
    feed_config(&d, &w->config);
    DIGEST_FEED(&d, u64_of(w->now_us), w->handled, w->stop, w->trace_next);
    digest_u64(&d, RULES_ALL & ~w->rules); /* those that are off: a new rule changes no identity */
    feed_plan(&d, w);
    feed_nodes(&d, w);
    feed_requests(&d, w);
    feed_keys(&d, w);
    feed_flows(&d, w);
    feed_events(&d, w);
    reads_feed(&d, w);
    writes_feed(&d, w);
    accounts_feed(&d, w);
    guards_feed(&d, w);
    moves_feed(&d, w);
    shifts_feed(&d, w);
    queries_feed(&d, w);
    txns_feed(&d, w);
    indexes_feed(&d, w);
    nodes_feed(&d, w);
    copies_feed(&d, w);
    quorums_feed(&d, w);
    watch_feed(&d, w);
    fleet_feed(&d, w);
    systems_feed(&d, w);
    DIGEST_FEED(&d, w->broken.promise, w->broken.key, w->broken.request, u64_of(w->broken.due),
                u64_of(w->broken.found));
    faults_feed(&d, w);
    return d;
}
