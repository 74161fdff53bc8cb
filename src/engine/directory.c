/*
 * directory: the plan's history, and its messages.
 */
#include "engine/directory.h"

#include "engine/queue.h"
#include "engine/steps.h"

static uint32_t ring_place(const struct world *w, uint32_t index)
{
    return (uint32_t)(((uint64_t)w->changes_from + index) % w->config.changes_max);
}

struct plan directory_at_version(const struct world *w, uint32_t version, uint32_t slot)
{
    struct plan plan = {.owner = owners_in(w)[slot], .epoch = epochs_in(w)[slot]};
    for (uint32_t i = w->changes; i-- > 0;) {
        const struct change *change = changes_in(w) + ring_place(w, i);
        if (change->version <= version) {
            break;
        }
        if (change->first <= slot && slot <= change->last) {
            plan = (struct plan){.owner = change->old_owner, .epoch = change->old_epoch};
        }
    }
    return plan;
}

uint32_t directory_run_end(const struct world *w, uint32_t first, uint32_t last)
{
    const uint16_t *owners = owners_in(w);
    const uint32_t *epochs = epochs_in(w);
    uint32_t end = first;
    while (end < last && owners[end + 1] == owners[first] && epochs[end + 1] == epochs[first]) {
        end++;
    }
    return end;
}

/* How many of the oldest changes every router knows. */
static uint32_t known_to_all(const struct world *w)
{
    uint32_t oldest = w->map_version;
    for (uint32_t r = 0; r < w->config.routers; r++) {
        uint32_t version = routers_in(w)[r].map_version;
        oldest = version < oldest ? version : oldest;
    }
    uint32_t known = 0;
    while (known < w->changes && changes_in(w)[ring_place(w, known)].version <= oldest) {
        known++;
    }
    return known;
}

uint32_t directory_change_room(const struct world *w)
{
    return w->config.changes_max - w->changes + known_to_all(w);
}

void directory_next_version(struct world *w)
{
    uint32_t known = known_to_all(w);
    w->changes_from = ring_place(w, known);
    w->changes -= known;
    w->map_version++;
}

void directory_change(struct world *w, uint32_t first, uint32_t last, uint16_t to)
{
    uint32_t version = w->map_version;
    CHECK(w->changes < w->config.changes_max);
    uint16_t *owners = owners_of(w);
    uint32_t *epochs = epochs_of(w);
    struct change change = {
        .version = version,
        .old_epoch = epochs[first],
        .new_epoch = epochs[first] + 1,
        .first = (uint16_t)first,
        .last = (uint16_t)last,
        .old_owner = owners[first],
        .new_owner = to,
    };
    changes_of(w)[ring_place(w, w->changes++)] = change;
    for (uint32_t slot = first; slot <= last; slot++) {
        owners[slot] = to;
        epochs[slot] = change.new_epoch;
    }
    struct shard *taker = shards_of(w) + to;
    if (taker->took[0] != version) {
        taker->took[1] = taker->took[0];
        taker->took[0] = version;
    }
    struct trace_record *t = trace_add(w, TRACE_PLAN);
    t->key = KEY_NONE_ID;
    t->slot = first;
    t->epoch = change.new_epoch;
    t->version = version;
    t->from = node_of(NODE_DIRECTORY, 0);
    t->reason = REASON_OPERATOR;
    t->target = to;
    t->operand[0] = first;
    t->operand[1] = last;
    t->operand[2] = change.old_owner;
}

/* The map goes to a router, unless it is deaf to it. */
static void send_map(struct world *w, uint32_t router, const struct event *asked,
                     enum reason reason)
{
    uint8_t from = w->config.directory_zone;
    uint8_t to = routers_in(w)[router].zone;
    struct trace_record *t = trace_add(w, TRACE_MAP);
    t->key = KEY_NONE_ID;
    uint32_t request = asked == NULL ? NO_INDEX : asked->request;
    if (request != NO_INDEX) {
        const struct request *r = requests_in(w) + request;
        t->request = r->number;
        t->key = r->key;
        t->slot = r->slot;
        t->op = r->op;
    }
    t->version = w->map_version;
    t->from = node_of(NODE_DIRECTORY, 0);
    t->to = node_of(NODE_ROUTER, router);
    t->reason = (uint16_t)reason;
    t->operand[0] = w->map_version;
    t->operand[1] = routers_in(w)[router].map_version;
    if (reason == REASON_DEAF) {
        return;
    }
    t->arrive_us += w->queue.leg_us[LEG_MAP][from][to];
    struct event *event;
    if (request != NO_INDEX) {
        event = request_send(w, request, LEG_MAP, from, to);
        event->detail = (uint8_t)(event_turn(asked) << 4);
    } else {
        event = queue_send(w, LEG_MAP, from, to, EVENT_MAP);
        event->request = NO_INDEX;
    }
    event->detail =
        (uint8_t)(event->detail | (reason == REASON_FETCHED ? MAP_FETCHED : MAP_PUSHED));
    event->node = (uint16_t)router;
    event->carries.version = w->map_version;
}

void directory_push(struct world *w)
{
    bool one = w->fleet.gossip_us > 0; /* who tells the others */
    if (one) {
        fleet_map_made(w);
    }
    uint32_t first = one ? fleet_router(w, w->fleet.seed) : 0;
    for (uint32_t r = first; r < (one ? first + 1 : w->config.routers); r++) {
        send_map(w, r, NULL, routers_in(w)[r].deaf ? REASON_DEAF : REASON_PUSHED);
    }
}

void directory_handle(struct world *w, const struct event *event)
{
    if (event->kind == EVENT_COMMIT) {
        moves_handle(w, event);
    } else {
        send_map(w, event->node, event, REASON_FETCHED);
    }
}
