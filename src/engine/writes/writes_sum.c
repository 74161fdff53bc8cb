/*
 * writes_sum: a router that sums likes and flushes its sum (proto/flush.h).
 *
 * A like's row goes to `liked`; when that answers, the router adds one to its buffer and tells the
 * client. Without an answer in time it sends the row again: `liked` knows which request put a row
 * there, so that it is summed once. Router r flushes at (226,000 + r x 83,333) mod 500,000 us since
 * midnight, and every 500 ms; other windows scale. A router whose buffer is empty, and whose last
 * flush was answered, sends nothing.
 */
#include "engine/writes/writes_inside.h"

#define PHASE_FIRST_US INT64_C(226000)
#define PHASE_STEP_US INT64_C(83333)

static void send_row(struct world *w, uint32_t request, uint32_t life)
{
    struct request *r = requests_of(w) + request;
    uint8_t zone = routers_in(w)[r->router].zone;
    r->turn = (r->turn + 1) & 15;
    r->asks++;
    struct event *event = request_send(w, request, LEG_STORE, zone, zone);
    event->node = r->router;
    event->detail = (uint8_t)(event->detail | (life & LIFE_BITS));
    if (w->config.timeout_us > 0) {
        int64_t patience = w->config.timeout_us;
        request_timer(w, request, EVENT_TIMEOUT, patience)->carries.value = (uint64_t)patience;
    }
}

static struct trace_record *note_request(struct world *w, enum writes_reason reason,
                                         const struct request *r)
{
    struct trace_record *t = writes_note(w, reason, node_of(NODE_ROUTER, r->router), r->key);
    t->request = r->number;
    t->op = r->op;
    return t;
}

static void buffer_one(struct world *w, const struct hot_write *row, uint16_t router)
{
    struct write_spot *spot = write_spot_of(w, row, router);
    flush_add(&spot->sender);
    spot->heard++;
    if (!spot->armed) { /* the count is not summed any more; this one came late */
        sum_arm(w, row, router);
    }
}

/* Rule durable-before-ack off: the rows go to `liked` when the buffer is flushed. */
static void ack_first(struct world *w, struct hot_write *row, uint32_t request)
{
    struct request *r = requests_of(w) + request;
    if (liked_add(row, r->operation)) {
        write_spot_of(w, row, r->router)->unstored++;
        row->told++;
        buffer_one(w, row, r->router);
    }
    router_done(w, request, OUTCOME_OK, 0, (enum reason)WRITES_ACKED_FIRST);
}

void sum_take(struct world *w, struct hot_write *row, uint32_t request)
{
    struct request *r = requests_of(w) + request;
    uint32_t life = write_spot_in(w, row, r->router)->life;
    salt_drop(w, row, request);
    if (!rule_on(w->rules, RULE_DURABLE_BEFORE_ACK)) {
        ack_first(w, row, request);
        return;
    }
    if (!r->storing || r->epoch != life) { /* no row of it that this router's life has sent */
        r->applied = 0;
        r->buffered = 0;
        r->asks = 0;
        r->timeouts = 0;
    }
    r->storing = 1;
    r->epoch = life;
    note_request(w, WRITES_ROW_SENT, r);
    send_row(w, request, life);
}

static void on_stored(struct world *w, const struct event *event)
{
    struct request *r = requests_of(w) + event->request;
    struct hot_write *row = hot_write_of_key(w, r->key);
    bool ours = (event_detail(event) & ROW_OURS) != 0;
    uint32_t life = write_spot_in(w, row, event->node)->life;
    if (ours && !r->buffered && (event_detail(event) & LIFE_BITS) == (life & LIFE_BITS)) {
        r->buffered = 1;
        row->unheard--;
        row->told++;
        buffer_one(w, row, event->node);
    }
    if (!request_late(w, event)) {
        r->storing = 0;
        router_done(w, event->request, OUTCOME_OK, 0,
                    (enum reason)(ours ? WRITES_STORED : WRITES_STORED_BEFORE));
    }
    request_settle(w, event->request);
}

static void on_timeout(struct world *w, const struct event *event)
{
    struct request *r = requests_of(w) + event->request;
    r->timeouts = (r->timeouts + 1) & 15;
    if (r->asks >= ATTEMPTS_MAX) {
        r->storing = 0;
        router_done(w, event->request, OUTCOME_FAILED, 0, REASON_GAVE_UP);
        return;
    }
    struct trace_record *t = note_request(w, WRITES_ROW_SENT_AGAIN, r);
    writes_operands(t, event->carries.value, r->asks, 0);
    send_row(w, event->request, r->epoch);
}

/* --- flushes --- */

void sum_arm(struct world *w, const struct hot_write *row, uint16_t router)
{
    struct write_spot *spot = write_spot_of(w, row, router);
    int64_t window = row->window_us;
    int64_t phase = (PHASE_FIRST_US + router * PHASE_STEP_US) * window / WINDOW_DEFAULT_US % window;
    int64_t next = w->now_us - w->now_us % window + phase;
    next += next <= w->now_us ? window : 0;
    spot->armed = true;
    spot->timer++;
    struct event *event = queue_at(w, next, EVENT_FLUSH);
    event->request = hot_write_index(w, row);
    event->node = router;
    event->detail = spot->timer;
}

bool sum_is_idle(const struct write_spot *spot)
{
    return spot->sender.phase == FLUSH_READY && spot->sender.buffer == 0 && spot->flights == 0 &&
           spot->answered == spot->sender.sequence;
}

static void flush(struct world *w, struct hot_write *row, uint16_t router)
{
    struct write_spot *spot = write_spot_of(w, row, router);
    enum flush_way way = (enum flush_way)row->way;
    bool open = spot->flights == 0 && spot->answered != spot->sender.sequence;
    if (!flush_has_news(&spot->sender, way) && !open) {
        return;
    }
    bool again = way == FLUSH_WINDOW && spot->sender.sent > 0;
    uint32_t index = router_own(w, router, OP_FLUSH, spot->key, ORIGIN_FLUSH);
    if (index == NO_INDEX) {
        return; /* the world has stopped */
    }
    if (spot->unstored > 0) {
        row->summed += spot->unstored;
        spot->rows += spot->unstored;
        spot->unstored = 0;
    }
    uint32_t news = again ? spot->sender.sent : spot->sender.buffer;
    struct flush_parcel parcel = flush_send(&spot->sender, w->rules, way);
    struct request *r = requests_of(w) + index;
    r->value = parcel.value;
    r->link = parcel.sequence;
    r->next = (uint32_t)(spot->heard - spot->sender.buffer); /* likes of this life through it */
    spot->flights++;
    struct trace_record *t = note_request(w, again ? WRITES_FLUSHED_AGAIN : WRITES_FLUSHED, r);
    writes_operands(t, parcel.value, news, parcel.sequence);
    router_route(w, index);
}

static void on_flush(struct world *w, const struct event *event)
{
    struct hot_write *row = hot_writes_of(w) + event->request;
    struct write_spot *spot = write_spot_of(w, row, event->node);
    if (event->detail != spot->timer) {
        return; /* of another window, or of a life that is over */
    }
    if (spot->sender.phase == FLUSH_READY) {
        flush(w, row, event->node);
    } else if (spot->flights == 0) {
        restart_read(w, row, event->node);
    }
    spot->armed = row->mode == WRITES_SUMMED || !sum_is_idle(spot);
    if (spot->armed) {
        struct event *next = queue_at(w, w->now_us + row->window_us, EVENT_FLUSH);
        next->request = event->request;
        next->node = event->node;
        next->detail = event->detail;
    }
}

void sum_handle(struct world *w, const struct event *event)
{
    if (event->kind == EVENT_STORED) {
        on_stored(w, event);
    } else if (event->kind == EVENT_TIMEOUT) {
        on_timeout(w, event);
    } else {
        on_flush(w, event);
    }
}

void sum_landed(struct world *w, uint32_t request, enum outcome outcome, uint64_t value)
{
    const struct request *r = requests_in(w) + request;
    const struct hot_write *row = hot_write_in_key(w, r->key);
    struct write_spot *spot = write_spot_of(w, row, r->router);
    spot->flights--;
    if (outcome == OUTCOME_OK || outcome == OUTCOME_NOT_NEWER) {
        bool newer = r->link - spot->answered < UINT32_MAX / 2;
        spot->answered = newer ? r->link : spot->answered;
        flush_answered(&spot->sender, r->link);
    }
    if (outcome != OUTCOME_OK) {
        bool refused = outcome == OUTCOME_NOT_NEWER;
        struct trace_record *t =
            note_request(w, refused ? WRITES_FLUSH_REFUSED : WRITES_FLUSH_FAILED, r);
        writes_operands(t, refused ? value : r->value, r->link, 0);
    }
    request_end(w, request);
}

/* How much of what the sub-key holds after this flush it has a second time: a difference that it
 * had already is added to that; a total sets it right. */
static uint64_t held_again(const struct world *w, const struct hot_write *row,
                           const struct request *r, uint32_t sequence_before, uint64_t held)
{
    uint64_t again = write_spot_in(w, row, r->router)->again;
    switch ((enum flush_way)row->way) {
    case FLUSH_ABSOLUTE:
        if (!rule_on(w->rules, RULE_ABSOLUTE_FLUSH)) {
            return again + (r->applied ? r->value : 0);
        }
        return 0;
    case FLUSH_WINDOW:
        return again + (r->link <= sequence_before ? r->value : 0);
    case FLUSH_MERGE:
        return held - r->value < again ? held - r->value : again;
    case FLUSH_WAYS:
        break;
    }
    CHECK(false && "a flush in no way");
    return 0;
}

enum outcome sum_serve(struct world *w, uint32_t request, struct store_entry *entry)
{
    const struct request *r = requests_in(w) + request;
    struct hot_write *row = hot_write_of_key(w, r->key);
    struct flush_cell cell = {.total = entry->value, .sequence = entry->sequence};
    struct flush_parcel parcel = {.value = r->value, .sequence = r->link};
    if (!flush_take(&cell, w->rules, (enum flush_way)row->way, parcel)) {
        return OUTCOME_NOT_NEWER;
    }
    struct write_spot *spot = write_spot_of(w, row, r->router);
    uint64_t again = held_again(w, row, r, entry->sequence, cell.total);
    row->reflushed += again - spot->again;
    spot->again = again;
    entry->value = cell.total;
    entry->sequence = cell.sequence;
    spot->position = r->next;
    return OUTCOME_OK;
}

uint64_t sum_of_routers(const struct world *w, uint16_t shard, const struct hot_write *row,
                        uint32_t *keys)
{
    uint64_t sum = 0;
    for (uint16_t i = 0; i < w->config.routers; i++) {
        uint32_t key = write_spot_in(w, row, i)->key;
        if (key != KEY_NONE_ID) {
            sum += store_value(w, shard, key);
            *keys += 1;
        }
    }
    return sum;
}
