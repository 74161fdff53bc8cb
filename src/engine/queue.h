/*
 * queue: the events that wait, and the order in which they happen.
 *
 * Order: time first; at one time by class (directory, shard, router, client, traffic); within a
 * class by sequence, the order in which they were scheduled. Nothing else decides, ever.
 *
 * Two parts behind one interface. A leg with a constant delay makes times that never fall (now
 * never falls), so all events of one class and one delay wait in a lane, first in, first out.
 * Timers and arrivals, whose times are arbitrary, wait in a heap of four-way nodes. Taking the next
 * event picks the least head among the lanes and the heap. All events wait in cells of one pool.
 *
 * Out of cells stops the world (STOP_EVENTS).
 */
#ifndef HOTSHARD_ENGINE_QUEUE_H
#define HOTSHARD_ENGINE_QUEUE_H

#include "engine/state.h"

void queue_start(struct world *w); /* lanes from the configuration's delays, all cells free */
/* Takes the root's cell out and leaves a hole, for the next event to fall into or to be closed: an
 * arrival is followed by the flow's next one. */
uint32_t queue_heap_pop(struct world *w);
void queue_heap_close(struct world *w);
void queue_drop_arrivals(struct world *w, uint32_t flow);
/* Takes out the first EVENT_START of a shard, wherever it stands; false: there is none. */
bool queue_take_start(struct world *w, uint16_t shard, struct event *out);
/* A message that was taken waits once more, until `time_us`. It keeps a mark that says so; among
 * those of its time and class it comes after the unmarked. */
void queue_put_back(struct world *w, const struct event *event, int64_t time_us);
enum event_class event_class_of(enum event_kind kind);

static inline uint32_t queue_room(const struct world *w)
{
    return w->config.events_max - w->queue.pending;
}

_Static_assert(LANES_MAX == 16, "queue_least compares four times four heads");

#define QUEUE_EMPTY ((struct event_key){.order = UINT64_MAX, .time_us = INT64_MAX})

/* A key as one number: times are never negative. */
static inline unsigned __int128 event_key_number(struct event_key key)
{
    return (unsigned __int128)(uint64_t)key.time_us << 64 | key.order;
}

static inline bool event_key_less(struct event_key a, struct event_key b)
{
    return event_key_number(a) < event_key_number(b);
}

static inline struct event_key event_key_min(struct event_key a, struct event_key b)
{
    unsigned __int128 x = event_key_number(a);
    unsigned __int128 y = event_key_number(b);
    unsigned __int128 least = x < y ? x : y;
    return (struct event_key){.order = (uint64_t)least, .time_us = (int64_t)(least >> 64)};
}

static inline struct event_key least_of_four(const struct event_key *head)
{
    return event_key_min(event_key_min(head[0], head[1]), event_key_min(head[2], head[3]));
}

/* A lane's head changes. The least of all is found by a tree of minima, four by four, without
 * branches: which lane is next is chance, and a wrong guess would cost more than the comparisons.
 */
static inline void queue_set_head(struct queue *q, uint32_t lane, struct event_key key)
{
    q->head[lane] = key;
    q->least[lane / 4] = least_of_four(q->head + lane / 4 * 4);
}

/* An empty lane gets its first event: the least of its four can only become earlier. */
static inline void queue_first_head(struct queue *q, uint32_t lane, struct event_key key)
{
    q->head[lane] = key;
    q->least[lane / 4] = event_key_min(q->least[lane / 4], key);
}

static inline uint64_t queue_order(struct queue *q, enum event_class rank, uint32_t lane)
{
    return (uint64_t)rank << 60 | q->sequence++ << 4 | lane;
}

#define ORDER_PUT_BACK (UINT64_C(1) << 59) /* no sequence grows so far */

static inline bool event_was_put_back(const struct event *event)
{
    return (event->order & ORDER_PUT_BACK) != 0;
}

/* A free cell, its event zero but for kind, time and order. Without one the world stops, and the
 * event goes to the spare cell behind the pool, which nobody reads. */
static inline uint32_t queue_cell(struct world *w, enum event_kind kind, int64_t time_us,
                                  uint64_t order)
{
    struct queue *q = &w->queue;
    uint32_t cell = q->free_cell;
    struct cell *c = cells_of(w) + cell;
    if (cell == w->config.events_max) {
        world_stop(w, STOP_EVENTS);
    } else {
        q->free_cell = c->next;
        q->pending++;
    }
    c->next = NO_INDEX;
    c->event = (struct event){0};
    c->event.time_us = time_us;
    c->event.order = order;
    c->event.kind = (uint8_t)kind;
    return cell;
}

/* An event at any time from now on; the caller fills in the rest. */
struct event *queue_at(struct world *w, int64_t time_us, enum event_kind kind);

/* An event at the end of a leg, after its constant delay; the caller fills in the rest. */
static inline struct event *queue_send(struct world *w, enum leg leg, uint8_t from, uint8_t to,
                                       enum event_kind kind)
{
    struct queue *q = &w->queue;
    uint32_t lane = q->lane_of[leg][from][to];
    int64_t time_us = w->now_us + q->leg_us[leg][from][to];
    if (lane == LANE_HEAP) {
        return queue_at(w, time_us, kind);
    }
    uint64_t order = queue_order(q, (enum event_class)q->class_of[lane], lane);
    uint32_t cell = queue_cell(w, kind, time_us, order);
    struct cell *cells = cells_of(w);
    if (cell == w->config.events_max) {
        return &cells[cell].event;
    }
    if (q->first[lane] == NO_INDEX) {
        q->first[lane] = cell;
        queue_first_head(q, lane, (struct event_key){.order = order, .time_us = time_us});
    } else {
        cells[q->last[lane]].next = cell;
    }
    q->last[lane] = cell;
    return &cells[cell].event;
}

static inline struct event_key queue_least(const struct queue *q)
{
    return least_of_four(q->least);
}

/* Takes the least event if it happens before `limit`. */
static inline bool queue_take_before(struct world *w, int64_t limit, struct event *out)
{
    struct queue *q = &w->queue;
    struct event_key least = queue_least(q);
    if (least.time_us >= limit) {
        return false;
    }
    uint32_t lane = (uint32_t)(least.order % LANES_MAX);
    struct cell *cells = cells_of(w);
    uint32_t cell;
    if (lane == LANE_HEAP) {
        cell = queue_heap_pop(w);
    } else {
        cell = q->first[lane];
        uint32_t next = cells[cell].next;
        q->first[lane] = next;
        queue_set_head(q, lane,
                       next == NO_INDEX ? QUEUE_EMPTY
                                        : (struct event_key){.order = cells[next].event.order,
                                                             .time_us = cells[next].event.time_us});
    }
    *out = cells[cell].event;
    out->time_us = least.time_us; /* the same, but known before the cell is fetched */
    out->order = least.order;
    cells[cell].next = q->free_cell;
    q->free_cell = cell;
    q->pending--;
    return true;
}

#endif
