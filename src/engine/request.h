/*
 * request: the messages and timers that refer to a request.
 *
 * A message carries the turn of its request, and holds its place in the pool until it was handled
 * (see struct request). These are on every request's way, and so in a header.
 */
#ifndef HOTSHARD_ENGINE_REQUEST_H
#define HOTSHARD_ENGINE_REQUEST_H

#include "engine/queue.h"

/* Whether the pool has a place, a remembered request's included. */
bool request_room(const struct world *w);
/* A new request, all else zero but number, operation, time, key and its slot, zone and router.
 * NO_INDEX, with the world stopped, when the pool is full. */
uint32_t request_new(struct world *w, enum op_kind op, uint32_t key, uint16_t router);
/* Nobody waits for it any more: its place is free as soon as nothing refers to it. One of
 * COMMAND_REQUEST is remembered (client_handle). */
void request_end(struct world *w, uint32_t request);

static inline enum event_kind event_at_end_of(enum leg leg)
{
    static const uint8_t kind[LEG_COUNT] = {
        [LEG_ASK] = EVENT_ASK,       [LEG_QUERY] = EVENT_QUERY, [LEG_ANSWER] = EVENT_ANSWER,
        [LEG_SERVED] = EVENT_ANSWER, [LEG_REPLY] = EVENT_REPLY, [LEG_FETCH] = EVENT_FETCH,
        [LEG_MAP] = EVENT_MAP,       [LEG_STORE] = EVENT_STORE, [LEG_STORED] = EVENT_STORED,
    };
    return (enum event_kind)kind[leg];
}

/* A message about a request, at the end of a leg. */
static inline struct event *request_send(struct world *w, uint32_t request, enum leg leg,
                                         uint8_t from, uint8_t to)
{
    struct request *r = requests_of(w) + request;
    r->flying++;
    struct event *event = queue_send(w, leg, from, to, event_at_end_of(leg));
    event->request = request;
    event->detail = (uint8_t)(r->turn << 4);
    return event;
}

/* A timer of its router, `in_us` from now. */
static inline struct event *request_timer(struct world *w, uint32_t request, enum event_kind kind,
                                          int64_t in_us)
{
    struct request *r = requests_of(w) + request;
    r->flying++;
    struct event *event = queue_at(w, w->now_us + in_us, kind);
    event->request = request;
    event->detail = (uint8_t)(r->turn << 4);
    event->node = r->router;
    return event;
}

/* From when it was asked to an instant, for a record of the trace. */
static inline uint32_t request_took(const struct request *r, int64_t until_us)
{
    int64_t took = until_us - r->issued_us;
    return took < UINT32_MAX ? (uint32_t)took : UINT32_MAX;
}

/* Whether an event belongs to an earlier turn of its request, or to one that has ended. */
static inline bool request_late(const struct world *w, const struct event *event)
{
    const struct request *r = requests_in(w) + event->request;
    return r->ended || event_turn(event) != r->turn;
}

/* To be called when an event that refers to it was handled and it may have been the last. */
static inline void request_settle(struct world *w, uint32_t request)
{
    struct request *r = requests_of(w) + request;
    if (!r->ended || r->flying > 0 || r->number == 0) {
        return;
    }
    if (r->in_hand) { /* its client lost patience, and only now its router is done with it */
        guards_let_go(w, r);
    }
    if (r->done) {
        return;
    }
    r->number = 0;
    r->next = w->free_request;
    w->free_request = request;
}

/* Counts it among what the owner of its slot is asked, once. */
static inline void request_count(struct world *w, struct request *r)
{
    if (!r->counted) {
        r->counted = 1;
        shards_of(w)[owners_in(w)[r->slot]].asked[work_of(r->op)]++;
    }
}

#endif
