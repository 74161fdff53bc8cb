/*
 * guards_sample: which keys are hot, from a sample at the routers.
 *
 * Of each `sample` requests at a router one is counted in its sketch: not always the last, for
 * traffic that comes in a rhythm would then show the same keys again and again, but one chosen at
 * random. When the window is over, the routers' sketches are merged, and each shard that was asked
 * more than OVER_PERCENT of a ceiling is reported with the keys that make up more than
 * KEY_PERCENT of its sample of that kind. Then the next window begins, empty.
 *
 * Keys with the same hash tag are one key here: wherever one of them goes, all go. The sketch names
 * them by the first of them that it met.
 */
#include "engine/guards/guards_inside.h"
#include "engine/queue.h"
#include "place/key.h"

#define OVER_PERCENT 70
#define KEY_PERCENT 10

static bool same_tag(const struct world *w, uint32_t a, uint32_t b)
{
    const struct key_entry *x = keys_in(w) + a;
    const struct key_entry *y = keys_in(w) + b;
    return x->slot == y->slot &&
           bytes_equal(key_tag((struct bytes){.at = x->text, .length = x->length}),
                       key_tag((struct bytes){.at = y->text, .length = y->length}));
}

/* The key by whose name these cells count the given one; itself, when they do not count it yet. */
static uint32_t name_in(const struct world *w, const struct sketch_cell *cells, uint32_t key)
{
    uint32_t count = w->config.watch_max;
    if (sketch_find(cells, count, key) != NULL) {
        return key;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (sketch_estimate(&cells[i]) > 0 && same_tag(w, cells[i].key, key)) {
            return cells[i].key;
        }
    }
    return key;
}

void guards_sample_one(struct world *w, const struct request *r)
{
    struct guards_state *g = &w->guards;
    struct guard_router *own = guard_routers_of(w) + r->router;
    if (own->block_at == own->block_pick) {
        struct sketch_cell *cells = watches_of(w) + watch_at(w, r->router);
        bool read = op_reads((enum op_kind)r->op);
        sketch_add(cells, w->config.watch_max, name_in(w, cells, r->key), read);
        own->sampled++;
        guard_shards_of(w)[owners_in(w)[r->slot]].sampled[work_of(r->op)]++;
    }
    if (++own->block_at >= g->sample) {
        own->block_at = 0;
        own->block_pick = (uint32_t)prng_below(&g->sampling, g->sample);
    }
}

/* Empties the routers' sketches. The last window's sum stays, for whoever looks at it. */
static void begin_window(struct world *w)
{
    w->guards.window_from_us = w->now_us;
    sketch_clear(watches_of(w), w->config.routers * (uint32_t)w->config.watch_max);
    for (uint32_t i = 0; i < w->config.shards_max; i++) {
        struct guard_shard *s = guard_shards_of(w) + i;
        for (uint32_t work = 0; work < WORK_KINDS; work++) {
            s->asked_before[work] = shards_in(w)[i].asked[work];
            s->sampled[work] = 0;
        }
    }
}

static void schedule(struct world *w)
{
    struct event *event = queue_at(w, w->now_us + w->guards.window_us, EVENT_JOB);
    event->request = w->guards.sample_life;
    event->detail = JOB_REPORT;
}

void guards_sample_start(struct world *w)
{
    for (uint16_t router = 0; router < w->config.routers; router++) {
        struct guard_router *own = guard_routers_of(w) + router;
        own->block_at = 0;
        own->block_pick = (uint32_t)prng_below(&w->guards.sampling, w->guards.sample);
    }
    begin_window(w);
    schedule(w);
}

/* The routers' sketches as one, in the place of the last window's. */
static struct sketch_cell *merge(struct world *w)
{
    uint32_t cells = w->config.watch_max;
    struct sketch_cell *sum = watches_of(w) + watch_at(w, w->config.routers);
    sketch_clear(sum, cells);
    for (uint32_t router = 0; router < w->config.routers; router++) {
        struct sketch_cell *from = watches_of(w) + watch_at(w, router);
        for (uint32_t i = 0; i < cells; i++) {
            if (sketch_estimate(&from[i]) > 0) {
                from[i].key = name_in(w, sum, from[i].key);
            }
        }
        sketch_merge(sum, from, cells);
    }
    return sum;
}

/* Whether the shard was asked more than OVER_PERCENT of its ceiling in this window. */
static bool is_over(const struct world *w, uint32_t shard, enum kind_of_work work)
{
    const struct shard *s = shards_in(w) + shard;
    uint64_t asked = s->asked[work] - guard_shards_in(w)[shard].asked_before[work];
    uint64_t window = (uint64_t)(w->now_us - w->guards.window_from_us);
    uint64_t ceiling = s->bucket[work].ceiling;
    return ceiling > 0 && (unsigned __int128)asked * US_PER_SECOND * 100 >
                              (unsigned __int128)ceiling * OVER_PERCENT * window;
}

/* How a key makes its shard hot; 0: it does not. */
static uint8_t kind_of_heat(const struct world *w, uint32_t shard, const struct sketch_cell *cell)
{
    const struct guard_shard *s = guard_shards_in(w) + shard;
    unsigned kind = 0;
    if (is_over(w, shard, WORK_WRITE) &&
        (uint64_t)cell->writes * 100 > (uint64_t)s->sampled[WORK_WRITE] * KEY_PERCENT) {
        kind |= HOT_WRITES;
    }
    if (is_over(w, shard, WORK_READ) &&
        (uint64_t)cell->reads * 100 > (uint64_t)s->sampled[WORK_READ] * KEY_PERCENT) {
        kind |= HOT_READS;
    }
    return (uint8_t)kind;
}

static void note_hot(struct world *w, const struct hot_key *hot)
{
    struct trace_record *t = trace_add(w, TRACE_GUARD);
    t->key = hot->key;
    t->slot = keys_in(w)[hot->key].slot;
    t->from = node_of(NODE_SHARD, hot->shard);
    t->to = node_of(NODE_OPERATOR, 0);
    t->reason = (uint16_t)REASON_HOT_KEY;
    t->target = hot->kind;
    t->epoch = hot->error;
    t->version = w->guards.sample;
    t->operand[0] = hot->writes;
    t->operand[1] = hot->reads;
    t->operand[2] = hot->shard_writes;
    t->value = hot->shard_reads;
}

static void report_shard(struct world *w, uint32_t shard, const struct sketch_cell *sum)
{
    struct hot_report *report = &w->guards.report;
    const struct guard_shard *s = guard_shards_in(w) + shard;
    for (uint32_t i = 0; i < w->config.watch_max && sketch_estimate(&sum[i]) > 0; i++) {
        bool here = owners_in(w)[keys_in(w)[sum[i].key].slot] == shard;
        uint8_t kind = here ? kind_of_heat(w, shard, &sum[i]) : 0;
        if (kind == 0) {
            continue;
        }
        if (report->count == REPORT_ROWS_MAX) {
            report->left_out++;
            continue;
        }
        struct hot_key *hot = &report->row[report->count++];
        *hot = (struct hot_key){.key = sum[i].key,
                                .shard = (uint16_t)shard,
                                .kind = kind,
                                .writes = sum[i].writes,
                                .reads = sum[i].reads,
                                .error = sum[i].error,
                                .shard_writes = s->sampled[WORK_WRITE],
                                .shard_reads = s->sampled[WORK_READ]};
        note_hot(w, hot);
    }
}

void guards_report_due(struct world *w, const struct event *event)
{
    struct guards_state *g = &w->guards;
    if (g->sample == 0 || event->request != g->sample_life) {
        return; /* switched off, or begun anew, since this was scheduled */
    }
    const struct sketch_cell *sum = merge(w);
    g->report = (struct hot_report){.from_us = g->window_from_us, .to_us = w->now_us};
    for (uint32_t shard = 0; shard < w->shards; shard++) {
        if (is_over(w, shard, WORK_WRITE) || is_over(w, shard, WORK_READ)) {
            report_shard(w, shard, sum);
        }
    }
    begin_window(w);
    schedule(w);
}
