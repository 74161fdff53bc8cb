/*
 * queries_apply: the commands of queries.h, each checked whole before anything changes.
 */
#include "engine/apply.h"
#include "engine/queries/queries_command.h"
#include "engine/queries/queries_inside.h"
#include "engine/queue.h"
#include "engine/steps.h"
#include <stdio.h>
#include <string.h>

#define TIME_MAX_US (60 * US_PER_SECOND)
#define PERIOD_MIN_US US_PER_MS

static bool name_fits(const struct command *c, struct err *err)
{
    const struct query_info *info = NULL;
    struct bytes name = {.at = c->other, .length = c->other_length};
    return apply_name_fits(name, "query", sizeof info->name - 1, err);
}

static bool find(const struct world *w, const struct command *c, uint32_t *index, struct err *err)
{
    struct bytes name = {.at = c->other, .length = c->other_length};
    return world_query_find(w, name, index) ||
           (name_fits(c, err) &&
            err_set(err, "no query \"%.*s\" is defined; begin with: query %.*s sum of likes:*",
                    c->other_length, c->other, c->other_length, c->other));
}

static bool time_fits(int64_t us, struct err *err)
{
    return (us >= 0 && us <= TIME_MAX_US) ||
           err_set(err, "a time here is at most %s", num_span(TIME_MAX_US).text);
}

/* The first command of this module. */
static void begin(struct world *w)
{
    struct queries_state *q = &w->queries;
    if (!q->used) {
        q->used = true;
        q->free_gather = NO_INDEX;
        q->free_piece = NO_PIECE;
        q->prng = prng_seeded(w->config.seed, "queries");
    }
}

/* --- query --- */

static uint32_t first_wanted(const struct world *w, const struct query_row *q)
{
    uint32_t key = 0;
    while (key < w->keys && !query_wants(w, q, key)) {
        key++;
    }
    return key < w->keys ? key : 0;
}

static bool world_fits(const struct world *w, struct err *err)
{
    if (w->config.queries_max == 0 || w->config.gathers_max == 0) {
        return err_set(err, "this world has no room for queries (queries_max, gathers_max)");
    }
    if (w->config.shards_max > QUERY_PARTS_MAX) {
        return err_set(err, "a query asks at most %d shards, and this world may have %u",
                       QUERY_PARTS_MAX, w->config.shards_max);
    }
    return true;
}

static bool definition_fits(const struct world *w, const struct command *c, struct err *err)
{
    uint32_t known;
    struct bytes name = {.at = c->other, .length = c->other_length};
    if (!world_fits(w, err) || !name_fits(c, err)) {
        return false;
    }
    if (w->keys == 0) {
        return err_set(err, "this world has no keys yet; ask for one first");
    }
    if (w->queries.count == w->config.queries_max && !world_query_find(w, name, &known)) {
        return err_set(err, "this world has room for %u queries, all taken; drop one first",
                       w->config.queries_max);
    }
    if (c->mode == QUERY_TOP && (c->count < 1 || c->count > QUERY_TOP_MAX)) {
        return err_set(err, "a top has 1 to %d entries", QUERY_TOP_MAX);
    }
    if (c->key_length < 2 || c->key[c->key_length - 1] != '*') {
        return err_set(err, "a query is about keys that begin alike, as in likes:*");
    }
    if (c->amount > UINT32_MAX) {
        return err_set(err, "an answer has at most 4 GB");
    }
    return true;
}

static void drop(struct world *w, uint32_t index)
{
    struct query_row *q = query_rows_of(w) + index;
    for (uint32_t i = 0; i < w->queries.gathers_used; i++) {
        if (gathers_in(w)[i].number != 0 && gathers_in(w)[i].query == index) {
            gather_fail(w, i, QUERY_FAILED);
        }
    }
    memset(q, 0, sizeof *q);
    w->queries.count--;
}

static bool define(struct world *w, const struct command *c, struct err *err)
{
    char stream[40];
    struct query_row own = {.info.sum = c->mode == QUERY_SUM,
                            .info.room = c->mode == QUERY_SUM ? 0 : c->count,
                            .info.bytes = (uint32_t)c->amount,
                            .prefix_length = (uint8_t)(c->key_length - 1),
                            .job_gather = NO_INDEX,
                            .result_us = -1,
                            .shown = NO_INDEX,
                            .last.slowest = SHARD_NONE,
                            .last.ended_us = -1};
    if (!definition_fits(w, c, err)) {
        return false;
    }
    memcpy(own.prefix, c->key, own.prefix_length);
    memcpy(own.info.name, c->other, c->other_length);
    own.key = first_wanted(w, &own);
    begin(w);
    uint32_t index = 0;
    if (world_query_find(w, (struct bytes){.at = c->other, .length = c->other_length}, &index)) {
        drop(w, index); /* it begins anew */
    }
    index = 0;
    while (query_rows_in(w)[index].info.name[0] != '\0') {
        index++;
    }
    own.since = (uint32_t)w->queries.last_number + 1;
    (void)snprintf(stream, sizeof stream, "gather %s", own.info.name);
    own.flow.prng = prng_seeded(w->config.seed, stream);
    query_rows_of(w)[index] = own;
    if (w->queries.count++ == 0) { /* tables may have changed, and nobody has looked */
        w->queries.plain_known = false;
        w->queries.owners_version = w->map_version - 1;
    }
    apply_note(w, c, KEY_NONE_ID, node_of(NODE_NONE, 0), (int64_t)index, c->mode);
    return true;
}

static bool apply_query(struct world *w, const struct command *c, struct err *err)
{
    uint32_t index;
    if (c->mode == QUERY_TOP || c->mode == QUERY_SUM) {
        return define(w, c, err);
    }
    if (!find(w, c, &index, err) || !time_fits(c->period_us, err)) {
        return false;
    }
    if (c->mode == QUERY_ASK && c->count > QUERY_PARTS_MAX) {
        return err_set(err, "a query asks at most %d shards", QUERY_PARTS_MAX);
    }
    struct query_info *info = &query_rows_of(w)[index].info;
    apply_note(w, c, KEY_NONE_ID, node_of(NODE_NONE, 0), (int64_t)index, c->mode);
    struct trace_record *t = trace_of(w) + ((w->trace_next - 1) & (w->config.trace_max - 1));
    t->value = c->mode == QUERY_ASK ? c->count : (uint64_t)c->period_us;
    switch ((enum query_mode)c->mode) {
    case QUERY_HEDGE:
        info->hedge_us = c->period_us;
        break;
    case QUERY_TIMEOUT:
        info->timeout_us = c->period_us;
        break;
    case QUERY_DEADLINE:
        info->deadline_us = c->period_us;
        break;
    case QUERY_ASK:
        info->asks = c->count;
        break;
    case QUERY_DROP:
    case QUERY_TOP:
    case QUERY_SUM:
        drop(w, index);
        break;
    }
    return true;
}

/* --- gather, popular --- */

static bool router_exists(const struct world *w, uint16_t router, struct err *err)
{
    return router < w->config.routers ||
           err_set(err, "no router R%u: this world has R0 to R%u", router, w->config.routers - 1u);
}

/* How many requests are free for certain. */
static uint32_t request_places(const struct world *w)
{
    return w->config.requests_max - w->in_flight;
}

static bool gather_once(struct world *w, const struct command *c, uint32_t index, struct err *err)
{
    uint32_t parts = w->shards;
    if (!router_exists(w, c->router, err) || !apply_event_room(w, parts + 3, err)) {
        return false;
    }
    if (w->queries.open == w->config.gathers_max || request_places(w) < parts) {
        return err_set(err, "this world has room for %u queries under way; run it first",
                       w->config.gathers_max);
    }
    apply_note(w, c, KEY_NONE_ID, node_of(NODE_ROUTER, c->router), (int64_t)index, 0);
    if (query_from_result(w, index, c->router)) {
        return true;
    }
    if (!routers_in(w)[c->router].down) {
        w->command_requests_open++;
    }
    gather_start(w, index, c->router, ASKER_COMMAND);
    return true;
}

static bool apply_gather(struct world *w, const struct command *c, struct err *err)
{
    uint32_t index;
    if (!find(w, c, &index, err)) {
        return false;
    }
    if (c->mode == GATHER_ONCE) {
        return gather_once(w, c, index, err);
    }
    struct query_row *q = query_rows_of(w) + index;
    if (c->rate > RATE_MAX || c->arrivals > ARRIVALS_POISSON) {
        return err_set(err, "clients ask 0 to %u times a second, steady, scattered or poisson",
                       RATE_MAX);
    }
    if (!apply_event_room(w, 2, err)) {
        return false;
    }
    apply_note(w, c, KEY_NONE_ID, node_of(NODE_NONE, 0), (int64_t)index, c->rate);
    q->flow_number = (uint32_t)++w->queries.last_number;
    q->flow.rate = c->rate;
    q->flow.arrivals = (uint8_t)c->arrivals;
    if (c->rate > 0) {
        traffic_begin(&q->flow, w->now_us, index);
        query_wake(w, WAKE_ARRIVAL, index, q->flow_number, q->flow.next_us);
    }
    return true;
}

static bool apply_popular(struct world *w, const struct command *c, struct err *err)
{
    uint32_t index;
    if (!find(w, c, &index, err) || !time_fits(c->period_us, err)) {
        return false;
    }
    struct query_row *q = query_rows_of(w) + index;
    if (c->period_us != 0 && c->period_us < PERIOD_MIN_US) {
        return err_set(err, "a job runs at most once a millisecond");
    }
    if (c->period_us != 0 && c->zone >= w->config.zones) {
        return err_set(err, "no zone %c: this world has a to %c", 'a' + c->zone % 26,
                       'a' + w->config.zones - 1);
    }
    if (!apply_event_room(w, w->shards + 4, err)) {
        return false;
    }
    apply_note(w, c, KEY_NONE_ID, node_of(NODE_NONE, 0), (int64_t)index, c->zone);
    struct trace_record *t = trace_of(w) + ((w->trace_next - 1) & (w->config.trace_max - 1));
    t->value = (uint64_t)c->period_us;
    q->job_number = (uint32_t)++w->queries.last_number;
    q->info.period_us = c->period_us;
    q->info.zone = c->zone;
    q->result_us = -1;
    if (c->period_us > 0) {
        query_wake(w, WAKE_JOB, index, q->job_number, w->now_us);
    }
    return true;
}

/* --- times --- */

static bool span_fits(int64_t from, int64_t to, struct err *err)
{
    if (from < 0 || from > to || to > TIME_MAX_US) {
        return err_set(err, "a time is drawn between two, the shorter first, at most %s",
                       num_span(TIME_MAX_US).text);
    }
    return true;
}

static bool apply_times(struct world *w, const struct command *c, struct err *err)
{
    struct query_times times = {
        .from_us = (int32_t)c->period_us, .to_us = (int32_t)c->bound_us, .slow_ppm = c->count};
    if (c->count > 0) { /* none slow: the text form has no second span either */
        times.slow_from_us = (int32_t)c->first;
        times.slow_to_us = (int32_t)c->last;
    }
    bool all = c->shard == SHARD_NONE;
    if (!world_fits(w, err) || (!all && !apply_shard_exists(w, c->shard, err)) ||
        !span_fits(c->period_us, c->bound_us, err) || !span_fits(c->first, c->last, err)) {
        return false;
    }
    if (c->count > 1000000) {
        return err_set(err, "at most 100 of a hundred are slow");
    }
    if (c->on && c->bound_us == 0) {
        return err_set(err, "a part takes some time; `times all off` ends this");
    }
    begin(w);
    for (uint32_t i = 0; i < w->config.shards_max; i++) {
        if (all || i == c->shard) {
            queries_times(w)[i] = times;
        }
    }
    apply_note(w, c, KEY_NONE_ID, all ? node_of(NODE_NONE, 0) : node_of(NODE_SHARD, c->shard),
               c->bound_us, c->count);
    return true;
}

bool queries_apply(struct world *w, const struct command *c, struct err *err)
{
    switch ((int)c->kind) {
    case COMMAND_QUERY:
        return apply_query(w, c, err);
    case COMMAND_GATHER:
        return apply_gather(w, c, err);
    case COMMAND_POPULAR:
        return apply_popular(w, c, err);
    default:
        return apply_times(w, c, err);
    }
}
