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
 * Lanes are sorted by class, and in a class by delay, the longest first: of two events that one
 * time brings, the one of the longer delay was sent earlier. So the head of a lane is one number,
 * the time of its first event and the lane. The heap stands among the lanes: an arrival or a job
 * behind all of them, any other timer before those of its class, and then orders are compared.
 *
 * Out of cells stops the world (STOP_EVENTS).
 */
#ifndef HOTSHARD_ENGINE_QUEUE_H
#define HOTSHARD_ENGINE_QUEUE_H

#include "engine/state.h"

void queue_start(struct world *w); /* lanes from the configuration's delays, all cells free */
/* Taking the heap's root leaves a hole, for the next event to fall into (an arrival is followed by
 * the flow's next one) or to be closed before the next is taken. */
void queue_heap_close(struct world *w);
/* Takes the next event, with its cell, if it happens before `limit`. */
bool queue_take_before(struct world *w, int64_t limit, struct event *out);
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

/* Cells beside events_max of them: CELL_END, one whose event is being handled, the spare one. */
#define QUEUE_CELLS_MORE UINT64_C(3)
#define QUEUE_NEVER ((INT64_C(1) << 58) - 1)
#define PLACES 32u /* lane i is at place 2i + 1 of an instant; even ones: the heap's timers */

_Static_assert(LANES_MAX == 16 && LANE_HEAP == 15, "four times four heads, the heap's the last");

/* The head of a lane or of the heap: when its first event happens, and its place then. */
static inline uint64_t queue_head(int64_t time_us, uint32_t place)
{
    return (uint64_t)time_us * PLACES | place;
}

static inline int64_t head_time(uint64_t head)
{
    return (int64_t)(head / PLACES);
}

static inline uint32_t head_lane(uint64_t head)
{
    return (uint32_t)(head % PLACES / 2);
}

static inline uint64_t least_of_four(const uint64_t *head)
{
    uint64_t left = head[0] < head[1] ? head[0] : head[1];
    uint64_t right = head[2] < head[3] ? head[2] : head[3];
    return left < right ? left : right;
}

/* A head changes. The least of all is found by a tree of minima, four by four, without branches:
 * which lane is next is chance, and a wrong guess would cost more than the comparisons. */
static inline void queue_set_head(struct queue *q, uint32_t lane, uint64_t head)
{
    q->head[lane] = head;
    q->least[lane / 4] = least_of_four(q->head + lane / 4 * 4);
}

/* The heap's timer is the least head: the true least, which may be of a lane of its time. */
uint64_t queue_settle(const struct world *w, uint64_t timer);

/* Finds who happens next. An even place is the heap's. */
static inline void queue_look(struct world *w)
{
    struct queue *q = &w->queue;
    uint64_t least = least_of_four(q->least);
    if (least % 2 == 0) {
        least = queue_settle(w, least);
    }
    q->next = least;
    q->next_kind = waiting_in(w)[q->first[head_lane(least)]].kind;
}

#define ORDER_PUT_BACK (UINT64_C(1) << 59) /* no sequence grows so far */

static inline bool event_was_put_back(const struct event *event)
{
    return (event->order & ORDER_PUT_BACK) != 0;
}

static inline bool queue_full(const struct world *w)
{
    return w->queue.pending == w->config.events_max;
}

/* There is no room: the world stops, and the event goes to the spare cell, which nobody reads. */
struct event *queue_stop(struct world *w, int64_t time_us);

/* A free cell, its event zero but for kind, time and order. */
static inline uint32_t queue_cell(struct world *w, enum event_kind kind, int64_t time_us,
                                  uint64_t order)
{
    struct queue *q = &w->queue;
    uint32_t cell = q->free_cell;
    uint32_t *next = next_cell_of(w) + cell;
    if (cell != CELL_END) {
        q->free_cell = *next;
    } else { /* seldom: more are in use than ever before */
        cell = q->cells_used++;
        next = next_cell_of(w) + cell;
    }
    *next = CELL_END;
    q->pending++;
    struct event *event = waiting_of(w) + cell;
    *event = (struct event){.time_us = time_us, .order = order, .kind = (uint8_t)kind};
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
    uint64_t order = q->order_of[lane] | q->sequence++ << 4;
    if (queue_full(w)) {
        return queue_stop(w, time_us);
    }
    uint32_t cell = queue_cell(w, kind, time_us, order);
    if (q->first[lane] == CELL_END) {
        q->first[lane] = cell;
        queue_set_head(q, lane, queue_head(time_us, lane * 2 + 1));
        if (time_us <= head_time(q->next)) {
            queue_look(w);
        }
    } else {
        next_cell_of(w)[q->last[lane]] = cell;
    }
    q->last[lane] = cell;
    return waiting_of(w) + cell;
}

/* When the next event happens, INT64_MAX when none waits. */
static inline int64_t queue_next_time(const struct queue *q)
{
    int64_t time_us = head_time(q->next);
    return time_us < QUEUE_NEVER ? time_us : INT64_MAX;
}

/* Takes the next event, which must exist; its cell is to be freed when it was handled. Where it
 * waits is chance, and whether others are behind it: no branch asks. The one after it is found at
 * once, so that it is known long before this one has been handled: what comes next cannot be
 * guessed, so it must not be waited for. */
static inline const struct event *queue_take(struct world *w)
{
    struct queue *q = &w->queue;
    const struct event *waiting = waiting_in(w);
    uint32_t lane = head_lane(q->next);
    uint32_t cell = q->first[lane];
    uint32_t next = next_cell_in(w)[cell];
    q->first[lane] = next;
    q->heap_hole = lane == LANE_HEAP;
    queue_set_head(q, lane, queue_head(waiting[next].time_us, lane * 2 + 1));
    queue_look(w);
    q->pending--;
    return waiting + cell;
}

static inline void queue_free(struct world *w, const struct event *taken)
{
    uint32_t cell = (uint32_t)(taken - waiting_in(w));
    next_cell_of(w)[cell] = w->queue.free_cell;
    w->queue.free_cell = cell;
}

#endif
