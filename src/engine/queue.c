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
    case EVENT_NODE:
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

#define NO_LANE 0u /* the number of the heap */

struct lanes { /* numbered from 1 on, as they are first wanted */
    uint32_t count;
    enum event_class rank[LANES_MAX];
    int32_t delay[LANES_MAX];
};

/* The lane of this class and delay; a new one while there is room, else the heap. */
static uint32_t lane_for(struct lanes *lanes, enum event_class rank, int32_t delay)
{
    for (uint32_t number = 1; number < lanes->count; number++) {
        if (lanes->rank[number] == rank && lanes->delay[number] == delay) {
            return number;
        }
    }
    if (lanes->count == LANES_MAX) {
        return NO_LANE;
    }
    lanes->rank[lanes->count] = rank;
    lanes->delay[lanes->count] = delay;
    return lanes->count++;
}

/* How many lanes come before those of a class. */
static uint32_t lanes_before(const struct lanes *lanes, enum event_class rank)
{
    uint32_t before = 0;
    for (uint32_t number = 1; number < lanes->count; number++) {
        before += lanes->rank[number] < rank;
    }
    return before;
}

static uint32_t lane_sorted(const struct lanes *lanes, uint32_t number)
{
    if (number == NO_LANE) {
        return LANE_HEAP;
    }
    uint32_t before = lanes_before(lanes, lanes->rank[number]);
    for (uint32_t other = 1; other < lanes->count; other++) {
        before +=
            lanes->rank[other] == lanes->rank[number] && lanes->delay[other] > lanes->delay[number];
    }
    return before;
}

/* A lane for each leg, in the order of legs and zones: its number is in its events' order. */
static void lay_lanes(struct world *w, struct lanes *lanes)
{
    static const enum event_class class_of_leg[LEG_COUNT] = {
        [LEG_ASK] = CLASS_ROUTER,    [LEG_QUERY] = CLASS_SHARD,  [LEG_ANSWER] = CLASS_ROUTER,
        [LEG_SERVED] = CLASS_ROUTER, [LEG_REPLY] = CLASS_CLIENT, [LEG_FETCH] = CLASS_DIRECTORY,
        [LEG_MAP] = CLASS_ROUTER,    [LEG_STORE] = CLASS_SHARD,  [LEG_STORED] = CLASS_ROUTER,
    };
    struct queue *q = &w->queue;
    for (uint32_t leg = 0; leg < LEG_COUNT; leg++) {
        for (uint32_t from = 0; from < w->config.zones; from++) {
            for (uint32_t to = 0; to < w->config.zones; to++) {
                int32_t delay = w->config.delay_us[from][to];
                delay += leg == LEG_SERVED ? w->config.query_us : 0;
                delay += leg == LEG_STORED ? w->config.liked_us : 0;
                q->leg_us[leg][from][to] = delay;
                q->lane_of[leg][from][to] = (uint8_t)lane_for(lanes, class_of_leg[leg], delay);
            }
        }
    }
}

static void sort_lanes(struct world *w, const struct lanes *lanes)
{
    struct queue *q = &w->queue;
    for (uint32_t number = 1; number < lanes->count; number++) {
        q->order_of[lane_sorted(lanes, number)] = (uint64_t)lanes->rank[number] << 60 | number;
    }
    for (enum event_class rank = CLASS_COMMAND; rank <= CLASS_TRAFFIC; rank++) {
        bool last = rank == CLASS_JOB || rank == CLASS_TRAFFIC; /* they have no lanes */
        q->timer_place[rank] = (uint8_t)(last ? PLACES - 1 : 2 * lanes_before(lanes, rank));
    }
    for (uint32_t leg = 0; leg < LEG_COUNT; leg++) {
        for (uint32_t from = 0; from < w->config.zones; from++) {
            for (uint32_t to = 0; to < w->config.zones; to++) {
                uint8_t *lane = &q->lane_of[leg][from][to];
                *lane = (uint8_t)lane_sorted(lanes, *lane);
            }
        }
    }
}

void queue_start(struct world *w)
{
    struct queue *q = &w->queue;
    struct lanes lanes = {.count = 1};
    lay_lanes(w, &lanes);
    sort_lanes(w, &lanes);
    q->lanes = lanes.count;
    waiting_of(w)[CELL_END].time_us = QUEUE_NEVER;
    for (uint32_t lane = 0; lane < LANES_MAX; lane++) {
        queue_set_head(q, lane, queue_head(QUEUE_NEVER, lane * 2 + 1));
    }
    q->free_cell = CELL_END;
    q->cells_used = CELL_END + 1;
    queue_look(w);
}

struct event *queue_stop(struct world *w, int64_t time_us)
{
    struct event *spare = waiting_of(w) + w->config.events_max + 2;
    world_stop(w, STOP_EVENTS);
    *spare = (struct event){.time_us = time_us};
    return spare;
}

uint64_t queue_settle(const struct world *w, uint64_t timer)
{
    const struct queue *q = &w->queue;
    uint64_t least = timer | (PLACES - 1);
    uint64_t order = heap_in(w)[0].key.order;
    for (uint32_t lane = 0; lane < LANE_HEAP; lane++) {
        uint64_t other = waiting_in(w)[q->first[lane]].order;
        if (head_time(q->head[lane]) == head_time(timer) && other < order) {
            order = other;
            least = q->head[lane];
        }
    }
    return least;
}

bool queue_take_before(struct world *w, int64_t limit, struct event *out)
{
    if (queue_next_time(&w->queue) >= limit) {
        return false;
    }
    const struct event *taken = queue_take(w);
    *out = *taken;
    queue_free(w, taken);
    return true;
}

static bool event_key_less(struct event_key a, struct event_key b)
{
    unsigned __int128 x = (unsigned __int128)(uint64_t)a.time_us << 64 | a.order;
    unsigned __int128 y = (unsigned __int128)(uint64_t)b.time_us << 64 | b.order;
    return x < y; /* times are never negative */
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

/* The heap's root has changed. */
static void set_heap_head(struct world *w)
{
    struct queue *q = &w->queue;
    const struct heap_entry *root = heap_in(w);
    if (q->heap_count == 0) {
        q->first[LANE_HEAP] = CELL_END;
        queue_set_head(q, LANE_HEAP, queue_head(QUEUE_NEVER, PLACES - 1));
    } else {
        q->first[LANE_HEAP] = root->cell;
        queue_set_head(q, LANE_HEAP,
                       queue_head(root->key.time_us, q->timer_place[root->key.order >> 60]));
    }
    queue_look(w);
}

static uint64_t heap_order(struct queue *q, enum event_class rank)
{
    return (uint64_t)rank << 60 | q->sequence++ << 4 | NO_LANE;
}

static struct event *put_in_heap(struct world *w, struct event_key key, enum event_kind kind)
{
    struct queue *q = &w->queue;
    struct heap_entry *heap = heap_of(w);
    CHECK(key.time_us < QUEUE_NEVER);
    if (queue_full(w)) {
        return queue_stop(w, key.time_us);
    }
    uint32_t cell = queue_cell(w, kind, key.time_us, key.order);
    if (q->heap_hole) {
        q->heap_hole = false;
        sift_down(heap, q->heap_count, 0, key, cell);
    } else {
        sift_up(heap, q->heap_count++, key, cell);
    }
    set_heap_head(w);
    return waiting_of(w) + cell;
}

/* What would come after the end of time, as the last byte of an endless copy, stands there: the
 * clock stops the world before it. */
struct event *queue_at(struct world *w, int64_t time_us, enum event_kind kind)
{
    int64_t at = time_us <= WORLD_TIME_MAX ? time_us : WORLD_TIME_MAX + 1;
    struct event_key key = {.order = heap_order(&w->queue, event_class_of(kind)), .time_us = at};
    return put_in_heap(w, key, kind);
}

void queue_put_back(struct world *w, const struct event *event, int64_t time_us)
{
    struct event_key key = {.order = heap_order(&w->queue, event_class(event)), .time_us = time_us};
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
    set_heap_head(w);
}

void queue_heap_close(struct world *w)
{
    w->queue.heap_hole = false;
    heap_remove(w, 0);
}

/* Takes the entry at `at` out of the heap and frees its cell. */
static void drop(struct world *w, uint32_t at)
{
    uint32_t cell = heap_in(w)[at].cell;
    heap_remove(w, at);
    next_cell_of(w)[cell] = w->queue.free_cell;
    w->queue.free_cell = cell;
    w->queue.pending--;
}

bool queue_take_start(struct world *w, uint16_t shard, struct event *out)
{
    const struct heap_entry *heap = heap_in(w);
    const struct event *waiting = waiting_in(w);
    uint32_t first = NO_INDEX;
    CHECK(!w->queue.heap_hole);
    for (uint32_t i = 0; i < w->queue.heap_count; i++) {
        const struct event *event = &waiting[heap[i].cell];
        if (event->kind == EVENT_START && event->node == shard &&
            (first == NO_INDEX || event_key_less(heap[i].key, heap[first].key))) {
            first = i;
        }
    }
    if (first == NO_INDEX) {
        return false;
    }
    *out = waiting[heap[first].cell];
    drop(w, first);
    return true;
}

void queue_drop_arrivals(struct world *w, uint32_t flow)
{
    const struct event *waiting = waiting_in(w);
    CHECK(!w->queue.heap_hole);
    for (uint32_t i = 0; i < w->queue.heap_count; i++) {
        uint32_t cell = heap_in(w)[i].cell;
        if (waiting[cell].kind == EVENT_ARRIVAL && waiting[cell].request == flow) {
            drop(w, i);
            return; /* a flow has one arrival at most */
        }
    }
}
