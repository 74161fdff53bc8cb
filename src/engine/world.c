/*
 * world: making, copying and running one.
 */
#include "engine/world.h"

#include "base/alloc.h"
#include "engine/bucket.h"
#include "engine/directory.h"
#include "engine/queue.h"
#include "engine/steps.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define DELAY_MAX_US INT32_C(600000000)
#define CAPACITY_MAX (1u << 26)

struct world_config world_config_default(void)
{
    return (struct world_config){
        .seed = 1,
        .slots = 16384,
        .shards = 4,
        .shards_max = 8,
        .routers = 2,
        .zones = 1,
        .map_version = 1,
        .epoch = 1,
        .keys_max = 256,
        .flows_max = 64,
        .requests_max = 256,
        .events_max = 512,
        .store_max = 1024,
        .rows_max = 64,
        .changes_max = 64,
        .trace_max = 1024,
        .hot_max = 8,
        .limits_max = 8,
        .tenants_max = 4,
        .watch_max = 32,
        .moves_max = 4,
        .tail_max = 256,
        .accounts_max = 8,
    };
}

static bool within(const char *what, uint64_t value, uint64_t low, uint64_t high, struct err *err)
{
    if (value < low || value > high) {
        return err_set(
            err, "a world cannot have %s %" PRIu64 "; give a number from %" PRIu64 " to %" PRIu64,
            what, value, low, high);
    }
    return true;
}

static bool zones_fit(const struct world_config *c, struct err *err)
{
    for (uint32_t i = 0; i < 16; i++) {
        if ((i < c->shards_max && c->shard_zone[i] >= c->zones) ||
            (i < c->routers && c->router_zone[i] >= c->zones)) {
            return err_set(err, "a world of %u zones has no zone number %u", c->zones,
                           c->shard_zone[i] >= c->zones ? c->shard_zone[i] : c->router_zone[i]);
        }
    }
    for (uint32_t from = 0; from < c->zones; from++) {
        for (uint32_t to = 0; to < c->zones; to++) {
            if (!within("a delay of", (uint64_t)(int64_t)c->delay_us[from][to], 0, DELAY_MAX_US,
                        err)) {
                return false;
            }
        }
    }
    return within("directory zone", c->directory_zone, 0, c->zones - 1u, err);
}

static bool config_fits(const struct world_config *c, struct err *err)
{
    if (!within("slots", c->slots, 1, 65536, err) ||
        !within("shards_max", c->shards_max, 1, SHARDS_MAX, err) ||
        !within("shards", c->shards, 1, c->shards_max, err) ||
        !within("routers", c->routers, 1, ROUTERS_MAX, err) ||
        !within("zones", c->zones, 1, ZONES_MAX, err) ||
        !within("a start of", (uint64_t)c->start_us, 0, WORLD_TIME_MAX, err) ||
        !within("a query of", (uint64_t)(int64_t)c->query_us, 0, DELAY_MAX_US, err) ||
        !within("a commit of", (uint64_t)(int64_t)c->commit_us, 0, DELAY_MAX_US, err) ||
        !within("an apply of", (uint64_t)(int64_t)c->apply_us, 0, DELAY_MAX_US, err) ||
        !within("a write to liked of", (uint64_t)(int64_t)c->liked_us, 0, DELAY_MAX_US, err) ||
        !within("a replica's lag of", (uint64_t)(int64_t)c->replica_lag_us, 0, DELAY_MAX_US, err) ||
        !within("a timeout of", (uint64_t)(int64_t)c->timeout_us, 0, DELAY_MAX_US, err) ||
        !within("a client's timeout of", (uint64_t)(int64_t)c->client_timeout_us, 0, DELAY_MAX_US,
                err) ||
        !within("hot_max", c->hot_max, 0, UINT8_MAX - 1, err) ||
        !within("limits_max", c->limits_max, 0, UINT8_MAX - 1, err) ||
        !within("tenants_max", c->tenants_max, 0, UINT8_MAX - 1, err) ||
        !within("watch_max", c->watch_max, 0, 4096, err) ||
        !within("moves_max", c->moves_max, 0, 4096, err) ||
        !within("tail_max", c->tail_max, 0, CAPACITY_MAX, err) ||
        !within("accounts_max", c->accounts_max, 0, UINT8_MAX - 1, err) ||
        !within("recent_max", c->recent_max, 0, 256, err) ||
        !within("queries_max", c->queries_max, 0, 16, err) ||
        !within("txns_max", c->txns_max, 0, 4096, err) ||
        !within("catalogs_max", c->catalogs_max, 0, 16, err) ||
        !within("nodes_max", c->nodes_max, 0, NODES_MAX, err) ||
        !within("groups_max", c->groups_max, 0, 1024, err) ||
        !within("stores_max", c->stores_max, 0, 8, err) ||
        !within("systems_max", c->systems_max, 0, 1, err) ||
        !within("a write ceiling of", c->write_ceiling, 0, CEILING_MAX, err) ||
        !within("a read ceiling of", c->read_ceiling, 0, CEILING_MAX, err) ||
        !within("a queue of", c->queue, 0, QUEUE_MAX, err) ||
        !within("keys_max", c->keys_max, 1, CAPACITY_MAX, err) ||
        !within("flows_max", c->flows_max, 1, CAPACITY_MAX, err) ||
        !within("requests_max", c->requests_max, 1, CAPACITY_MAX, err) ||
        !within("events_max", c->events_max, 1, CAPACITY_MAX, err) ||
        !within("store_max", c->store_max, 1, CAPACITY_MAX, err) ||
        !within("rows_max", c->rows_max, 1, 65536, err) ||
        !within("changes_max", c->changes_max, 1, CAPACITY_MAX, err) ||
        !within("trace_max", c->trace_max, 1, CAPACITY_MAX, err)) {
        return false;
    }
    if (c->slots_by > SLOTS_BY_TAG) {
        return err_set(err, "no way of number %u to find a key's slot", c->slots_by);
    }
    if (c->slots_by == SLOTS_BY_TAG && c->slots < c->keys_max) {
        return err_set(err,
                       "each tag has a slot of its own, and %u slots are too few for %u keys; "
                       "give as many slots as keys_max",
                       c->slots, c->keys_max);
    }
    if (c->shards > c->slots) {
        return err_set(err, "%u shards cannot share %u slots; give at least one slot a shard",
                       c->shards, c->slots);
    }
    if ((c->trace_max & (c->trace_max - 1)) != 0) {
        return err_set(err, "trace_max is %u, which is no power of two", c->trace_max);
    }
    return zones_fit(c, err);
}

static uint32_t places_for(uint32_t count)
{
    uint32_t places = 2;
    while (places < 2 * count) {
        places *= 2;
    }
    return places;
}

static void lay_out(struct world *w)
{
    const struct world_config *c = &w->config;
    uint64_t end = sizeof *w;
    w->key_places = places_for(c->keys_max);
    w->store_places = places_for(c->store_max);
    w->at.owners = table_at(&end, c->slots, sizeof(uint16_t));
    w->at.epochs = table_at(&end, c->slots, sizeof(uint32_t));
    w->at.changes = table_at(&end, c->changes_max, sizeof(struct change));
    w->at.routers = table_at(&end, c->routers, sizeof(struct router));
    w->at.shards = table_at(&end, c->shards_max, sizeof(struct shard));
    w->at.rows = table_at(&end, (uint64_t)c->shards_max * c->rows_max, sizeof(struct slot_row));
    w->at.requests = table_at(&end, c->requests_max, sizeof(struct request));
    w->at.keys = table_at(&end, c->keys_max, sizeof(struct key_entry));
    w->at.key_index = table_at(&end, w->key_places, sizeof(uint32_t));
    w->at.store = table_at(&end, w->store_places, sizeof(struct store_entry));
    w->at.flows = table_at(&end, c->flows_max, sizeof(struct flow));
    w->at.waiting = table_at(&end, c->events_max + QUEUE_CELLS_MORE, sizeof(struct event));
    w->at.next_cell = table_at(&end, c->events_max + QUEUE_CELLS_MORE, sizeof(uint32_t));
    w->at.heap = table_at(&end, c->events_max, sizeof(struct heap_entry));
    reads_lay_out(w, &end);
    writes_lay_out(w, &end);
    accounts_lay_out(w, &end);
    guards_lay_out(w, &end);
    moves_lay_out(w, &end);
    shifts_lay_out(w, &end);
    queries_lay_out(w, &end);
    txns_lay_out(w, &end);
    indexes_lay_out(w, &end);
    nodes_lay_out(w, &end);
    copies_lay_out(w, &end);
    systems_lay_out(w, &end);
    quorums_lay_out(w, &end);
    watch_lay_out(w, &end);
    fleet_lay_out(w, &end);
    faults_lay_out(w, &end);
    w->at.trace = table_at(&end, c->trace_max, sizeof(struct trace_record));
    w->bytes = end;
}

/* Contiguous ranges, as even as can be, the larger ones first. */
static void deal_slots(struct world *w)
{
    const struct world_config *c = &w->config;
    uint32_t first = 0;
    for (uint32_t i = 0; i < c->shards; i++) {
        uint32_t count = c->slots / c->shards + (i < c->slots % c->shards);
        for (uint32_t slot = first; slot < first + count; slot++) {
            owners_of(w)[slot] = (uint16_t)i;
            epochs_of(w)[slot] = c->epoch;
        }
        rows_of(w)[(size_t)i * c->rows_max] = (struct slot_row){
            .first = (uint16_t)first,
            .last = (uint16_t)(first + count - 1),
            .other = SHARD_NONE,
            .state = SLOT_OWNED,
            .epoch = c->epoch,
        };
        shards_of(w)[i].rows = 1;
        first += count;
    }
}

static void start_nodes(struct world *w)
{
    const struct world_config *c = &w->config;
    for (uint32_t i = 0; i < c->shards; i++) {
        struct shard *s = shards_of(w) + i;
        s->zone = zone_in_turn(c->shard_zone, i, c->zones);
        s->queue = c->queue;
        s->copies = 1;
        bucket_set(&s->bucket[WORK_WRITE], c->start_us, c->write_ceiling);
        bucket_set(&s->bucket[WORK_READ], c->start_us, c->read_ceiling);
    }
    for (uint32_t i = 0; i < c->routers; i++) {
        routers_of(w)[i].zone = zone_in_turn(c->router_zone, i, c->zones);
        routers_of(w)[i].map_version = c->map_version;
    }
    w->free_request = NO_INDEX;
    w->remembered_from = NO_INDEX;
    w->remembered_to = NO_INDEX;
}

struct world *world_new(const struct world_config *config, struct err *err)
{
    if (!config_fits(config, err)) {
        return NULL;
    }
    struct world plan;
    memset(&plan, 0, sizeof plan);
    plan.config = *config;
    lay_out(&plan);

    struct world *w = xcalloc(1, plan.bytes);
    memcpy(w, &plan, sizeof plan);
    w->now_us = config->start_us;
    w->shards = config->shards;
    w->map_version = config->map_version;
    w->trace_next = 1;
    w->rules = RULES_ALL;
    w->faults.prng = prng_seeded(config->seed, "faults");
    queue_start(w);
    start_nodes(w);
    deal_slots(w);
    return w;
}

/* What a copy must have: all from one offset to another. */
struct stretch {
    uint64_t from, to;
};

/* The pool of requests and the queue have room for a storm and are nearly empty on a usual day.
 * What was never in use is never read, so it is left out, and the system gives no memory for it. */
#define STRETCHES 10
static void stretches_of(const struct world *w, struct stretch out[STRETCHES])
{
    uint64_t gathers_end;
    uint64_t pieces_end = queries_used(w, &gathers_end);
    const uint64_t end[STRETCHES] = {
        w->at.requests + w->requests_used * sizeof(struct request),
        w->at.waiting + w->queue.cells_used * sizeof(struct event),
        w->at.next_cell + w->queue.cells_used * sizeof(uint32_t),
        w->at.heap + w->queue.heap_count * sizeof(struct heap_entry),
        gathers_end,
        pieces_end,
        w->at.node_messages + w->nodes.messages_used * sizeof(struct node_message),
        w->at.groups + copies_used(w),
        w->at.systems + systems_used(w),
        w->bytes,
    };
    const uint64_t begin[STRETCHES] = {
        0,
        w->at.keys,
        w->at.next_cell,
        w->at.heap,
        w->at.hot_reads,
        w->at.query_pieces,
        w->at.txns,
        w->at.groups,
        w->at.systems,
        w->at.stores,
    };
    for (int i = 0; i < STRETCHES; i++) {
        out[i] = (struct stretch){.from = begin[i], .to = end[i]};
    }
}

void world_copy_into(struct world *to, const struct world *from)
{
    CHECK(to->bytes == from->bytes);
    struct stretch stretch[STRETCHES];
    stretches_of(from, stretch);
    for (int i = 0; i < STRETCHES; i++) {
        memcpy((unsigned char *)to + stretch[i].from, (const unsigned char *)from + stretch[i].from,
               stretch[i].to - stretch[i].from);
    }
}

struct world *world_copy(const struct world *w)
{
    struct world *copy = xmalloc(w->bytes);
    copy->bytes = w->bytes;
    world_copy_into(copy, w);
    return copy;
}

void world_free(struct world *w)
{
    free(w);
}

size_t world_bytes(const struct world *w)
{
    return w->bytes;
}

size_t world_bytes_used(const struct world *w)
{
    size_t sum = 0;
    struct stretch stretch[STRETCHES];
    stretches_of(w, stretch);
    for (int i = 0; i < STRETCHES; i++) {
        sum += stretch[i].to - stretch[i].from;
    }
    return sum;
}

int64_t world_now(const struct world *w)
{
    return w->now_us;
}

uint64_t world_events(const struct world *w)
{
    return w->handled;
}

/* A job's event goes to the module whose job it is. */
static void job_handle(struct world *w, const struct event *event)
{
    switch ((enum job)event_detail(event)) {
    case JOB_FREEZE:
        writes_handle(w, event);
        return;
    case JOB_SWEEP:
        accounts_handle(w, event);
        return;
    case JOB_REPORT:
        guards_handle(w, event);
        return;
    case JOB_BACKFILL:
    case JOB_SHIFT:
        shifts_handle(w, event);
        return;
    case JOB_RESTART:
        faults_handle(w, event);
        return;
    case JOB_QUERY:
        queries_handle(w, event);
        return;
    case JOB_TXN:
        txns_handle(w, event);
        return;
    case JOB_INDEX:
        indexes_handle(w, event);
        return;
    case JOB_NODE:
        nodes_handle(w, event);
        return;
    case JOB_COPY:
        copies_handle(w, event);
        return;
    case JOB_QUORUM:
        quorums_handle(w, event);
        return;
    case JOB_WATCH:
        watch_handle(w, event);
        return;
    case JOB_FLEET:
        fleet_handle(w, event);
        return;
    case JOB_SYSTEM:
        systems_handle(w, event);
        return;
    }
    CHECK(false && "nobody's job");
}

/* The event was on its way and is not any more: one thing less that refers to its request. */
static void arrived(struct world *w, const struct event *event, bool counted)
{
    if (!counted) {
        requests_of(w)[event->request].flying--;
    }
}

/* The same of one that may have no request. */
static void arrived_if(struct world *w, const struct event *event, bool counted)
{
    arrived(w, event, counted || event->request == NO_INDEX);
}

/* By kind, once: which event comes next is chance, and asking twice would be a wrong guess twice.
 */
static void deliver(struct world *w, const struct event *event, enum event_kind kind, bool counted)
{
    switch (kind) {
    case EVENT_FETCH:
        arrived_if(w, event, counted);
        directory_handle(w, event);
        return;
    case EVENT_COMMIT:
        directory_handle(w, event);
        return;
    case EVENT_QUERY:
        arrived(w, event, counted);
        shard_asked(w, event);
        return;
    case EVENT_START:
    case EVENT_STORE:
        arrived(w, event, counted);
        shard_handle(w, event);
        return;
    case EVENT_MOVE:
        shard_handle(w, event);
        return;
    case EVENT_ASK:
        arrived(w, event, counted);
        router_asked(w, event);
        return;
    case EVENT_ANSWER:
        arrived(w, event, counted);
        router_answered(w, event);
        return;
    case EVENT_MAP:
    case EVENT_WAKE:
    case EVENT_TIMEOUT:
    case EVENT_STORED:
        arrived_if(w, event, counted);
        router_handle(w, event);
        return;
    case EVENT_FLUSH:
        router_handle(w, event);
        return;
    case EVENT_REPLY:
    case EVENT_EXPIRE:
    case EVENT_AGAIN:
        arrived(w, event, counted);
        client_handle(w, event);
        return;
    case EVENT_JOB:
        job_handle(w, event);
        return;
    case EVENT_ARRIVAL:
        traffic_handle(w, event);
        return;
    case EVENT_NODE:
        nodes_deliver(w, event);
        return;
    case EVENT_KINDS:
        break;
    }
    CHECK(false && "an event of no kind");
}

static void handle(struct world *w, const struct event *event, enum event_kind kind)
{
    w->now_us = event->time_us;
    w->handled++;
    bool faults = w->faults.on;
    if (faults) {
        arrived_if(w, event, !event_of_request(kind));
        if (faults_take(w, event)) {
            return;
        }
    }
    deliver(w, event, kind, faults);
}

/* Handles at most `most` events before `limit`; returns how many. */
static uint64_t run_before(struct world *w, int64_t limit, uint64_t most)
{
    const struct queue *q = &w->queue;
    int64_t end = limit <= WORLD_TIME_MAX ? limit : WORLD_TIME_MAX + 1;
    uint64_t count = 0;
    while (count < most && w->stop == STOP_NONE && head_time(q->next) < end) {
        enum event_kind kind = (enum event_kind)q->next_kind;
        const struct event *event = queue_take(w);
        handle(w, event, kind);
        queue_free(w, event);
        if (q->heap_hole) { /* a world at rest has none */
            queue_heap_close(w);
        }
        count++;
    }
    struct event beyond;
    if (count < most && w->stop == STOP_NONE && queue_take_before(w, limit, &beyond)) {
        world_stop(w, STOP_CLOCK);
        if (q->heap_hole) {
            queue_heap_close(w);
        }
    }
    return count;
}

bool world_step(struct world *w)
{
    return run_before(w, INT64_MAX, 1) == 1;
}

bool world_next_time(const struct world *w, int64_t *time)
{
    *time = queue_next_time(&w->queue);
    return w->stop == STOP_NONE && *time < INT64_MAX;
}

/* The events before `time` are handled: the clock goes there. */
static void arrive(struct world *w, int64_t time)
{
    if (w->stop != STOP_NONE || time <= w->now_us) {
        return;
    }
    if (time > WORLD_TIME_MAX) {
        world_stop(w, STOP_CLOCK);
        return;
    }
    w->now_us = time;
}

bool world_run_some(struct world *w, int64_t time, uint64_t most)
{
    run_before(w, time, most);
    if (w->stop == STOP_NONE && queue_next_time(&w->queue) < time) {
        return false;
    }
    arrive(w, time);
    return true;
}

void world_run_until(struct world *w, int64_t time)
{
    world_run_some(w, time, UINT64_MAX);
}

bool world_run_some_answered(struct world *w, int64_t time, uint64_t most)
{
    while (w->command_requests_open > 0 && most > 0 && run_before(w, time + 1, 1) == 1) {
        most--;
    }
    if (w->command_requests_open == 0) {
        return true;
    }
    if (w->stop == STOP_NONE && queue_next_time(&w->queue) <= time) {
        return false;
    }
    arrive(w, time);
    return true;
}

bool world_run_until_answered(struct world *w, int64_t limit_us)
{
    CHECK(limit_us >= 0);
    world_run_some_answered(w, w->now_us + (limit_us < WORLD_TIME_MAX ? limit_us : WORLD_TIME_MAX),
                            UINT64_MAX);
    return world_all_answered(w);
}

bool world_all_answered(const struct world *w)
{
    return w->command_requests_open == 0;
}
