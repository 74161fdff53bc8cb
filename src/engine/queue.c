/*
 * queue: laying out the lanes, and the heap for what has no lane.
 *
 * The heap has four children a node: half the levels of a binary one, and the four keys that are
 * compared lie side by side.
 */
#include "engine/queue.h"

enum event_class event_class_of(enum event_kind kind)
{
    switch (kind) {
    case EVENT_FETCH:
    case EVENT_COMMIT:
        return CLASS_DIRECTORY;
    case EVENT_QUERY:
    case EVENT_START:
    case EVENT_STORE:
    case EVENT_MOVE:
        return CLASS_SHARD;
    case EVENT_ASK:
    case EVENT_ANSWER:
    case EVENT_MAP:
    case EVENT_WAKE:
    case EVENT_TIMEOUT:
    case EVENT_STORED:
    case EVENT_FLUSH:
        return CLASS_ROUTER;
    case EVENT_REPLY:
    case EVENT_EXPIRE:
    case EVENT_AGAIN:
        return CLASS_CLIENT;
    case EVENT_JOB:
        return CLASS_JOB;
    case EVENT_ARRIVAL:
        return CLASS_TRAFFIC;
    case EVENT_KINDS:
        break;
    }
    CHECK(false && "an event without a class");
    return CLASS_COMMAND;
}

/* The lane of this class and delay; a new one while there is room, else the heap. */
static uint8_t lane_for(struct queue *q, enum event_class rank, int32_t delay)
{
    for (uint32_t lane = 1; lane < q->lanes; lane++) {
        if (q->class_of[lane] == rank && q->delay_of[lane] == delay) {
            return (uint8_t)lane;
        }
    }
    if (q->lanes == LANES_MAX) {
        return LANE_HEAP;
    }
    uint32_t lane = q->lanes++;
    q->class_of[lane] = (uint8_t)rank;
    q->delay_of[lane] = delay;
    return (uint8_t)lane;
}

void queue_start(struct world *w)
{
    static const enum event_class class_of_leg[LEG_COUNT] = {
        [LEG_ASK] = CLASS_ROUTER,    [LEG_QUERY] = CLASS_SHARD,  [LEG_ANSWER] = CLASS_ROUTER,
        [LEG_SERVED] = CLASS_ROUTER, [LEG_REPLY] = CLASS_CLIENT, [LEG_FETCH] = CLASS_DIRECTORY,
        [LEG_MAP] = CLASS_ROUTER,    [LEG_STORE] = CLASS_SHARD,  [LEG_STORED] = CLASS_ROUTER,
    };
    struct queue *q = &w->queue;
    q->lanes = 1;
    for (uint32_t leg = 0; leg < LEG_COUNT; leg++) {
        for (uint32_t from = 0; from < w->config.zones; from++) {
            for (uint32_t to = 0; to < w->config.zones; to++) {
                int32_t delay = w->config.delay_us[from][to];
                delay += leg == LEG_SERVED ? w->config.query_us : 0;
                delay += leg == LEG_STORED ? w->config.liked_us : 0;
                q->leg_us[leg][from][to] = delay;
                q->lane_of[leg][from][to] = lane_for(q, class_of_leg[leg], delay);
            }
        }
    }
    for (uint32_t lane = 0; lane < LANES_MAX; lane++) {
        queue_set_head(q, lane, QUEUE_EMPTY);
        q->first[lane] = NO_INDEX;
        q->last[lane] = NO_INDEX;
    }
    struct cell *cells = cells_of(w);
    for (uint32_t i = 0; i < w->config.events_max; i++) {
        cells[i].next = i + 1; /* after the last: the spare cell */
    }
    q->free_cell = 0;
}

/* Moves an entry from the free place `at` towards the root. */
static void sift_up(struct heap_entry *heap, uint32_t at, struct event_key key, uint32_t cell)
{
    while (at > 0) {
        uint32_t parent = (at - 1) / 4;
        if (!event_key_less(key, heap[parent].key)) {
            break;
        }
        heap[at] = heap[parent];
        at = parent;
    }
    heap[at] = (struct heap_entry){.key = key, .cell = cell};
}

/* The least of the children of a node: the first of them is at `child`. All four are compared
 * without branches (see queue_set_head). */
static uint32_t least_child(const struct heap_entry *heap, uint32_t count, uint32_t child)
{
    if (child + 4 <= count) {
        uint32_t left = child + event_key_less(heap[child + 1].key, heap[child].key);
        uint32_t right = child + 2 + event_key_less(heap[child + 3].key, heap[child + 2].key);
        return event_key_less(heap[right].key, heap[left].key) ? right : left;
    }
    uint32_t least = child;
    for (uint32_t i = child + 1; i < count; i++) {
        if (event_key_less(heap[i].key, heap[least].key)) {
            least = i;
        }
    }
    return least;
}

/* Moves an entry from the free place `at` towards the leaves. */
static void sift_down(struct heap_entry *heap, uint32_t count, uint32_t at, struct event_key key,
                      uint32_t cell)
{
    for (uint32_t child = at * 4 + 1; child < count; child = at * 4 + 1) {
        uint32_t least = least_child(heap, count, child);
        if (!event_key_less(heap[least].key, key)) {
            break;
        }
        heap[at] = heap[least];
        at = least;
    }
    heap[at] = (struct heap_entry){.key = key, .cell = cell};
}

static struct event *put_in_heap(struct world *w, struct event_key key, enum event_kind kind)
{
    struct queue *q = &w->queue;
    uint32_t cell = queue_cell(w, kind, key.time_us, key.order);
    if (cell < w->config.events_max) {
        struct heap_entry *heap = heap_of(w);
        if (q->heap_hole) {
            q->heap_hole = false;
            sift_down(heap, q->heap_count, 0, key, cell);
        } else {
            sift_up(heap, q->heap_count++, key, cell);
        }
        queue_set_head(q, LANE_HEAP, heap[0].key);
    }
    return &cells_of(w)[cell].event;
}

struct event *queue_at(struct world *w, int64_t time_us, enum event_kind kind)
{
    struct event_key key = {.order = queue_order(&w->queue, event_class_of(kind), LANE_HEAP),
                            .time_us = time_us};
    return put_in_heap(w, key, kind);
}

void queue_put_back(struct world *w, const struct event *event, int64_t time_us)
{
    struct event_key key = {.order = queue_order(&w->queue, event_class(event), LANE_HEAP),
                            .time_us = time_us};
    key.order |= ORDER_PUT_BACK;
    struct event *again = put_in_heap(w, key, (enum event_kind)event->kind);
    again->request = event->request;
    again->detail = event->detail;
    again->node = event->node;
    again->carries = event->carries;
}

/* Takes the entry at `at` out of the heap. */
static void heap_remove(struct world *w, uint32_t at)
{
    struct queue *q = &w->queue;
    struct heap_entry *heap = heap_of(w);
    struct heap_entry moved = heap[--q->heap_count];
    if (at < q->heap_count) {
        if (at > 0 && event_key_less(moved.key, heap[(at - 1) / 4].key)) {
            sift_up(heap, at, moved.key, moved.cell);
        } else {
            sift_down(heap, q->heap_count, at, moved.key, moved.cell);
        }
    }
    queue_set_head(q, LANE_HEAP, q->heap_count > 0 ? heap[0].key : QUEUE_EMPTY);
}

uint32_t queue_heap_pop(struct world *w)
{
    CHECK(w->queue.heap_count > 0 && !w->queue.heap_hole);
    w->queue.heap_hole = true;
    return heap_in(w)[0].cell;
}

void queue_heap_close(struct world *w)
{
    w->queue.heap_hole = false;
    heap_remove(w, 0);
}

/* Takes the entry at `at` out of the heap and frees its cell. */
static void drop(struct world *w, uint32_t at)
{
    struct cell *cells = cells_of(w);
    uint32_t cell = heap_in(w)[at].cell;
    heap_remove(w, at);
    cells[cell].next = w->queue.free_cell;
    w->queue.free_cell = cell;
    w->queue.pending--;
}

bool queue_take_start(struct world *w, uint16_t shard, struct event *out)
{
    const struct heap_entry *heap = heap_in(w);
    const struct cell *cells = cells_in(w);
    uint32_t first = NO_INDEX;
    CHECK(!w->queue.heap_hole);
    for (uint32_t i = 0; i < w->queue.heap_count; i++) {
        const struct event *event = &cells[heap[i].cell].event;
        if (event->kind == EVENT_START && event->node == shard &&
            (first == NO_INDEX || event_key_less(heap[i].key, heap[first].key))) {
            first = i;
        }
    }
    if (first == NO_INDEX) {
        return false;
    }
    *out = cells[heap[first].cell].event;
    drop(w, first);
    return true;
}

void queue_drop_arrivals(struct world *w, uint32_t flow)
{
    const struct cell *cells = cells_in(w);
    CHECK(!w->queue.heap_hole);
    for (uint32_t i = 0; i < w->queue.heap_count; i++) {
        uint32_t cell = heap_in(w)[i].cell;
        if (cells[cell].event.kind == EVENT_ARRIVAL && cells[cell].event.request == flow) {
            drop(w, i);
            return; /* a flow has one arrival at most */
        }
    }
}
