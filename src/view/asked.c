/*
 * asked: what became of the requests in the trace's window.
 */
#include "view/asked.h"

#include "base/alloc.h"
#include "base/check.h"
#include "engine/reads/reads.h"
#include <stdlib.h>

static size_t first_place(const struct asked_list *l, uint64_t number)
{
    return (size_t)(number * UINT64_C(0x9E3779B97F4A7C15) >> 32) & (l->places - 1);
}

/* Where the number is, or would be. */
static size_t place_of(const struct asked_list *l, uint64_t number)
{
    size_t at = first_place(l, number);
    while (l->place[at] != 0 && l->item[l->place[at] - 1].number != number) {
        at = (at + 1) & (l->places - 1);
    }
    return at;
}

/* The request's item; a new one begins with this record. */
static struct asked *item_of(struct asked_list *l, uint64_t number, const struct trace_record *r)
{
    size_t at = place_of(l, number);
    if (l->place[at] == 0) {
        CHECK(l->count < l->room);
        l->item[l->count] = (struct asked){.number = number,
                                           .asked_us = r->time_us,
                                           .answered_us = INT64_MAX,
                                           .key = r->key,
                                           .at = r->from,
                                           .shard = SHARD_NONE,
                                           .op = r->op};
        l->place[at] = (uint32_t)++l->count;
    }
    return &l->item[l->place[at] - 1];
}

/* A read needs a query, which this decision begins for all who will wait for it. */
static void begin_query(struct asked_list *l, const struct trace_record *r, uint64_t number,
                        bool background)
{
    struct asked *query = item_of(l, number, r);
    query->own = true;
    query->background = background;
    query->query = number;
    query->ask = r->sequence;
    query->asked_us = r->time_us;
    query->at = r->from;
}

static void note_decision(struct asked_list *l, const struct trace_record *r)
{
    struct asked *reader = item_of(l, r->request, r);
    if (r->from.kind == NODE_CLIENT && reader->ask == 0 && !reader->own) {
        reader->ask = r->sequence; /* at the zone's edge, to which nothing has to be sent */
        reader->zone = (uint8_t)r->from.index;
    }
    switch ((int)r->reason) {
    case REASON_QUERY_BEGUN:
        reader->query = (uint64_t)r->operand[0];
        begin_query(l, r, reader->query, false);
        return;
    case REASON_CACHE_FETCH:
        reader->query = (uint64_t)r->operand[2];
        begin_query(l, r, reader->query, false);
        return;
    case REASON_CACHE_REFRESH:
        begin_query(l, r, (uint64_t)r->operand[2], true);
        return;
    case REASON_QUERY_JOINED:
    case REASON_CACHE_WAIT:
        reader->query = (uint64_t)r->operand[0];
        return;
    default:
        return;
    }
}

static void note_reply(struct asked_list *l, const struct trace_record *r)
{
    struct asked *a = item_of(l, r->request, r);
    if (r->from.kind == NODE_CLIENT && a->ask == 0) { /* the edge had it */
        a->ask = r->sequence;
    }
    a->asked_us = r->arrive_us - (int64_t)r->took_us;
    a->own = a->own || r->own;
    a->reply = r->sequence;
    a->zone = (uint8_t)r->to.index;
    a->at = r->from;
    a->outcome = r->outcome;
    a->reason = r->reason;
    a->answered_us = r->arrive_us;
}

static void note(struct asked_list *l, const struct trace_record *r)
{
    struct asked *a;
    switch ((int)r->kind) {
    case TRACE_ASK:
        a = item_of(l, r->request, r);
        if (!a->own) {
            a->ask = r->sequence;
            a->zone = (uint8_t)r->from.index;
            a->at = r->to;
        }
        return;
    case TRACE_ROUTE:
        a = item_of(l, r->request, r);
        a->query = a->query != 0 ? a->query : a->number;
        a->shard = r->to.index;
        return;
    case TRACE_ANSWER: /* what ends a query for others; a client's ends with its reply */
        a = item_of(l, r->request, r);
        if (a->own) {
            a->answered_us = r->arrive_us;
            a->outcome = r->outcome;
            a->reply = r->sequence;
        }
        return;
    case TRACE_REPLY:
        note_reply(l, r);
        return;
    case TRACE_READS:
        note_decision(l, r);
        return;
    default:
        return;
    }
}

void asked_open(struct asked_list *out, const struct world *w)
{
    uint64_t first = trace_first(w), next = trace_next(w);
    *out = (struct asked_list){.from_us = world_now(w), .to_us = world_now(w)};
    out->room =
        2 * (size_t)(next - first) + 1; /* a record begins at most its request and a query */
    out->places = 4;
    while (out->places < 2 * out->room) {
        out->places *= 2;
    }
    out->item = xcalloc(out->room, sizeof *out->item);
    out->place = xcalloc(out->places, sizeof *out->place);
    for (uint64_t at = first; at < next; at++) {
        const struct trace_record *r = trace_get(w, at);
        if (r == NULL) {
            continue;
        }
        out->from_us = r->time_us < out->from_us ? r->time_us : out->from_us;
        if (r->request != 0) {
            note(out, r);
        }
    }
}

void asked_close(struct asked_list *l)
{
    free(l->item);
    free(l->place);
    *l = (struct asked_list){0};
}

const struct asked *asked_find(const struct asked_list *l, uint64_t number)
{
    uint32_t at = l->place[place_of(l, number)];
    return at == 0 ? NULL : &l->item[at - 1];
}

bool asked_of_client(const struct asked *a)
{
    return a->ask != 0 && !a->own;
}

bool asked_was_answered(const struct asked_list *l, const struct asked *a)
{
    return !a->own && a->reply != 0 && asked_is_over(l, a);
}

bool asked_is_over(const struct asked_list *l, const struct asked *a)
{
    return a->answered_us <= l->to_us;
}
