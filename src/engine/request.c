/*
 * request: the pool of requests.
 */
#include "engine/queue.h"
#include "engine/steps.h"

bool request_room(const struct world *w)
{
    uint32_t index = w->remembered_from;
    while (index != NO_INDEX && requests_in(w)[index].flying > 0) {
        index = requests_in(w)[index].next;
    }
    return w->free_request != NO_INDEX || w->requests_used < w->config.requests_max ||
           index != NO_INDEX;
}

/* A place in the pool; the request that ended first is forgotten for it when none is free. */
static uint32_t take_place(struct world *w)
{
    struct request *requests = requests_of(w);
    uint32_t index = w->free_request;
    if (index != NO_INDEX) {
        w->free_request = requests[index].next;
        return index;
    }
    if (w->requests_used < w->config.requests_max) {
        return w->requests_used++;
    }
    while (w->remembered_from != NO_INDEX) {
        index = w->remembered_from;
        w->remembered_from = requests[index].next;
        requests[index].done = 0;
        if (requests[index].flying == 0) {
            return index;
        }
    }
    world_stop(w, STOP_REQUESTS);
    return NO_INDEX;
}

uint32_t request_new(struct world *w, enum op_kind op, uint32_t key, uint16_t router)
{
    uint32_t index = take_place(w);
    if (index == NO_INDEX) {
        return NO_INDEX;
    }
    struct request *r = requests_of(w) + index;
    *r = (struct request){0};
    r->key = key;
    r->router = router;
    r->zone = routers_in(w)[router].zone;
    r->op = (uint8_t)op;
    r->number = ++w->last_number;
    r->operation = (uint32_t)r->number;
    r->issued_us = w->now_us;
    r->slot = keys_in(w)[key].slot;
    r->shard = SHARD_NONE;
    r->next = NO_INDEX;
    r->link = NO_INDEX;
    w->in_flight++;
    return index;
}

void request_end(struct world *w, uint32_t request)
{
    struct request *r = requests_of(w) + request;
    CHECK(!r->ended);
    r->ended = 1;
    w->in_flight--;
    request_settle(w, request);
}
