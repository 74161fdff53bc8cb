/*
 * queries: the tables, and what others see of them.
 */
#include "engine/queries/queries_inside.h"
#include "engine/queue.h"
#include <string.h>

WORLD_PART(query_times, struct query_times)

void queries_lay_out(struct world *plan, uint64_t *end)
{
    const struct world_config *c = &plan->config;
    uint64_t all = c->queries_max;
    plan->at.query_rows = table_at(end, all, sizeof(struct query_row));
    plan->at.query_times = table_at(end, all > 0 ? c->shards_max : 0, sizeof(struct query_times));
    plan->at.table_changes =
        table_at(end, all > 0 ? QUERY_CHANGES_MAX : 0, sizeof(struct table_change));
    plan->at.gathers = table_at(end, all > 0 ? c->gathers_max : 0, sizeof(struct gather_row));
    plan->at.query_pieces = table_at(end, all > 0 ? (uint64_t)c->gathers_max * PIECES_A_GATHER : 0,
                                     sizeof(struct gather_piece));
}

uint64_t queries_used(const struct world *w, uint64_t *gathers_end)
{
    *gathers_end = w->at.gathers + w->queries.gathers_used * sizeof(struct gather_row);
    return w->at.query_pieces + w->queries.pieces_used * sizeof(struct gather_piece);
}

struct query_times *queries_times(struct world *w)
{
    return query_times_of(w);
}

bool queries_times_in(const struct world *w, uint16_t shard, struct query_times *out)
{
    *out = query_times_in(w)[shard];
    return out->to_us > 0;
}

bool query_wants(const struct world *w, const struct query_row *q, uint32_t key)
{
    const struct key_entry *entry = keys_in(w) + key;
    return entry->length >= q->prefix_length &&
           memcmp(entry->text, q->prefix, q->prefix_length) == 0;
}

uint32_t gather_of(const struct world *w, const struct request *r)
{
    if (r->link >= w->queries.gathers_used) {
        return NO_INDEX;
    }
    const struct gather_row *g = gathers_in(w) + r->link;
    return g->number != 0 && (uint32_t)g->number == r->took_us ? r->link : NO_INDEX;
}

uint32_t piece_new(struct world *w)
{
    struct queries_state *q = &w->queries;
    uint32_t piece = q->free_piece;
    if (piece != NO_PIECE) {
        q->free_piece = query_pieces_in(w)[piece].next;
    } else if (q->pieces_used < w->config.gathers_max * PIECES_A_GATHER) {
        piece = q->pieces_used++;
    } else {
        return NO_PIECE;
    }
    query_pieces_of(w)[piece] = (struct gather_piece){
        .request = NO_INDEX, .hedge = NO_INDEX, .next = NO_PIECE, .shard = SHARD_NONE};
    return piece;
}

struct trace_record *query_note(struct world *w, enum query_reason reason, uint32_t query,
                                uint64_t number)
{
    struct trace_record *t = trace_add(w, TRACE_QUERY);
    t->key = KEY_NONE_ID;
    t->version = w->map_version;
    t->reason = (uint16_t)reason;
    t->operand[0] = (int64_t)(number << 8 | query);
    return t;
}

/* --- what others see --- */

bool queries_is_question(const struct trace_record *r)
{
    return r->kind == TRACE_QUERY && (r->reason == QUERY_PART || r->reason == QUERY_HEDGED);
}

bool queries_is_answer(const struct trace_record *r)
{
    return r->kind == TRACE_QUERY && (r->reason == QUERY_REPLIED || r->reason == QUERY_FOLLOWER);
}

uint32_t world_queries(const struct world *w)
{
    return w->queries.count;
}

bool world_query_find(const struct world *w, struct bytes name, uint32_t *index)
{
    for (uint32_t i = 0; w->queries.count > 0 && i < w->config.queries_max; i++) {
        const char *own = query_rows_in(w)[i].info.name;
        if (own[0] != '\0' && strlen(own) == name.length &&
            memcmp(own, name.at, name.length) == 0) {
            *index = i;
            return true;
        }
    }
    return false;
}

struct query_info world_query(const struct world *w, uint32_t index)
{
    CHECK(index < w->config.queries_max);
    const struct query_row *q = query_rows_in(w) + index;
    struct query_info info = q->info;
    info.rate = q->flow.rate;
    info.result_age_us = q->result_us < 0 ? -1 : w->now_us - q->result_us;
    return info;
}

uint64_t world_query_crossing(const struct world *w, uint32_t index)
{
    CHECK(index < w->config.queries_max);
    const struct query_row *q = query_rows_in(w) + index;
    int64_t second = w->now_us / US_PER_SECOND;
    if (q->second == second) {
        return q->crossing_last;
    }
    return q->second + 1 == second ? q->crossing_now : 0;
}

uint64_t world_query_cents(uint64_t bytes_a_second)
{
    const uint64_t seconds = UINT64_C(30) * 86400;
    const uint64_t gigabyte = UINT64_C(1000000000);
    return (bytes_a_second * seconds * CROSSING_CENTS_A_GB + gigabyte / 2) / gigabyte;
}

bool world_query_last(const struct world *w, uint32_t index, struct query_run_info *out)
{
    CHECK(index < w->config.queries_max);
    *out = query_rows_in(w)[index].last;
    if (query_rows_in(w)[index].shown != NO_INDEX) {
        out->sum = gathers_in(w)[query_rows_in(w)[index].shown].sum;
        out->slowest = gathers_in(w)[query_rows_in(w)[index].shown].slowest;
    }
    return out->number != 0;
}
