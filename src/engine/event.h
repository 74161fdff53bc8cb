/*
 * event: what is going to happen, as a value of 32 bytes.
 *
 * A tagged union that can be printed, digested and copied; never a callback. An event names its
 * request (or flow) by index. Order: (time, class, sequence); class and sequence share one word,
 * the class on top, so that comparing two words decides a tie of times. The lowest bits of it say
 * where the event waits; since no two sequences are equal, they never decide.
 */
#ifndef HOTSHARD_ENGINE_EVENT_H
#define HOTSHARD_ENGINE_EVENT_H

#include <stdint.h>

#define NO_INDEX UINT32_MAX

/* Who acts, in the order in which they act at one instant. Commands come between events. */
enum event_class {
    CLASS_COMMAND,
    CLASS_DIRECTORY,
    CLASS_SHARD,
    CLASS_ROUTER,
    CLASS_CLIENT,
    CLASS_TRAFFIC
};

enum event_kind {
    EVENT_FETCH,   /* directory: a router wants the map */
    EVENT_QUERY,   /* shard: a router's request is here */
    EVENT_START,   /* shard: a queued request has reached its token */
    EVENT_ASK,     /* router: a client's request is here */
    EVENT_ANSWER,  /* router: a shard's answer is here */
    EVENT_MAP,     /* router: the map is here, asked for or pushed */
    EVENT_WAKE,    /* router: the back-off is over */
    EVENT_REPLY,   /* client: the router's reply is here */
    EVENT_ARRIVAL, /* traffic: a flow's next request */
    EVENT_KINDS
};

struct event {
    int64_t time_us;
    uint64_t order;   /* class (4 bits), sequence (56), lane (4) */
    uint32_t request; /* index in the pool, NO_INDEX if none; ARRIVAL: the flow */
    uint8_t kind;     /* enum event_kind */
    uint8_t detail;   /* ANSWER, REPLY: enum outcome; MAP: enum reason, fetched or pushed */
    uint16_t node;    /* who acts: shard or router */
    union {
        uint64_t value; /* ANSWER, REPLY: the counter */
        struct {
            uint32_t epoch;
            uint32_t target; /* SHARD_NONE: nobody */
        } moved;             /* ANSWER with OUTCOME_MOVED */
        uint32_t version;    /* MAP */
    } carries;
};

static inline enum event_class event_class(const struct event *event)
{
    return (enum event_class)(event->order >> 60);
}

_Static_assert(sizeof(struct event) == 32, "an event is half a cache line");

#endif
