/*
 * event: what is going to happen, as a value of 32 bytes.
 *
 * A tagged union that can be printed, digested and copied; never a callback. An event names its
 * request (or flow) by index. Order: (time, class, sequence); class and sequence share one word,
 * the class on top, so that comparing two words decides a tie of times. The lowest bits of it are
 * the number of the lane where it waits; since no two sequences are equal, they never decide.
 */
#ifndef HOTSHARD_ENGINE_EVENT_H
#define HOTSHARD_ENGINE_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#define NO_INDEX UINT32_MAX

/* Who acts, in the order in which they act at one instant. Commands come between events. */
enum event_class {
    CLASS_COMMAND,
    CLASS_DIRECTORY,
    CLASS_SHARD,
    CLASS_ROUTER,
    CLASS_CLIENT,
    CLASS_JOB,
    CLASS_TRAFFIC
};

enum event_kind {
    EVENT_FETCH,   /* directory: a router wants the map */
    EVENT_COMMIT,  /* directory: a move's commit is due */
    EVENT_QUERY,   /* shard: a router's request is here */
    EVENT_START,   /* shard: a queued request has reached its token */
    EVENT_STORE,   /* the table `liked`: a like's row is here */
    EVENT_MOVE,    /* shard: the next step of a move is due (detail: which) */
    EVENT_ASK,     /* router: a client's request is here */
    EVENT_ANSWER,  /* router: a shard's answer is here */
    EVENT_MAP,     /* router: the map is here, asked for or pushed */
    EVENT_WAKE,    /* router: the back-off is over */
    EVENT_TIMEOUT, /* router: no answer has come in time */
    EVENT_STORED,  /* router: `liked` has stored the row */
    EVENT_FLUSH,   /* router: a flush is due */
    EVENT_REPLY,   /* client: the router's reply is here */
    EVENT_EXPIRE,  /* client: no reply has come in time */
    EVENT_AGAIN,   /* client: it asks again now */
    EVENT_JOB,     /* a job's next step is due (detail: enum job) */
    EVENT_ARRIVAL, /* traffic: a flow's next request */
    EVENT_NODE,    /* nodes.h: a message between machines is here */
    EVENT_KINDS
};

enum job {      /* EVENT_JOB */
    JOB_FREEZE, /* of parts of a count that are not written any more (writes.h) */
    JOB_SWEEP,
    JOB_REPORT,
    JOB_BACKFILL,
    JOB_SHIFT,
    JOB_RESTART, /* of a node that is down */
    JOB_QUERY,
    JOB_TXN,
    JOB_INDEX,
    JOB_NODE,
    JOB_COPY,
    JOB_QUORUM,
    JOB_WATCH,
    JOB_FLEET,
    JOB_SYSTEM
};

/* Whose answer did not come: in the low bits of a request's TIMEOUT. */
enum waited_for {
    WAITED_FOR_SHARD,
    WAITED_FOR_MAP
};

struct event {
    int64_t time_us;
    uint64_t order;   /* class (4 bits), sequence (56), lane (4) */
    uint32_t request; /* index in the pool, NO_INDEX if none; ARRIVAL: the flow */
    uint8_t kind;     /* enum event_kind */
    uint8_t detail; /* the low four bits: ANSWER, REPLY: enum outcome; MAP: whether it was fetched;
                       a request's TIMEOUT: enum waited_for; the high four bits: the request's turn
                       when it was sent */
    uint16_t node;  /* who acts: shard or router */
    union {
        uint64_t value; /* ANSWER, REPLY: the counter; a request's TIMEOUT: after how long */
        struct {
            uint32_t epoch;
            uint32_t target; /* SHARD_NONE: nobody */
        } moved;             /* ANSWER with OUTCOME_MOVED */
        uint32_t version;    /* MAP */
    } carries;
};

/* Whether `request` names a request of the pool (or NO_INDEX). */
static inline bool event_of_request(enum event_kind kind)
{
    const uint32_t others = 1u << EVENT_ARRIVAL | 1u << EVENT_JOB | 1u << EVENT_MOVE |
                            1u << EVENT_COMMIT | 1u << EVENT_FLUSH | 1u << EVENT_NODE;
    return (others >> kind & 1) == 0;
}

static inline uint8_t event_turn(const struct event *event)
{
    return event->detail >> 4;
}

static inline uint8_t event_detail(const struct event *event)
{
    return event->detail & 15;
}

static inline enum event_class event_class(const struct event *event)
{
    return (enum event_class)(event->order >> 60);
}

_Static_assert(sizeof(struct event) == 32, "an event is half a cache line");

#endif
