/*
 * faults: the fate of messages, and what shards remember of operations.
 *
 * What shards remember: config.recent_max + 1 words for each place of the store; the first is how
 * many operations were ever noted there, the others are a ring.
 */
#include "engine/faults/faults.h"

#include "engine/faults/faults_inside.h"
#include "engine/store.h"
#include <string.h>

#define COPY_DELAY_US 1000
#define HOLDS_ALWAYS 4 /* are part of every world's identity */

const char *fault_name(enum fault fault)
{
    static const char *const names[FAULT_KINDS] = {
        [FAULT_LOSS] = "loss",
        [FAULT_DOUBLE] = "double",
        [FAULT_DELAY] = "delay",
        [FAULT_ROUTER_DOWN] = "router down",
        [FAULT_SHARD_DOWN] = "shard down",
    };
    CHECK(fault < FAULT_KINDS);
    return names[fault];
}

uint64_t world_faults(const struct world *w, enum fault fault)
{
    CHECK(fault < FAULT_KINDS);
    return w->faults.count[fault];
}

static bool is_message(enum event_kind kind)
{
    const uint32_t messages = 1u << EVENT_FETCH | 1u << EVENT_QUERY | 1u << EVENT_STORE |
                              1u << EVENT_ASK | 1u << EVENT_ANSWER | 1u << EVENT_MAP |
                              1u << EVENT_STORED | 1u << EVENT_REPLY | 1u << EVENT_NODE;
    return (messages >> kind & 1) != 0;
}

/* The request that the event is about. */
static bool has_request(const struct event *event)
{
    return event->request != NO_INDEX && event_of_request((enum event_kind)event->kind);
}

/* From whom and to whom a message goes. */
static void name_ends(const struct world *w, const struct event *event, struct trace_record *t)
{
    const struct request *r = has_request(event) ? requests_in(w) + event->request : NULL;
    struct node router = node_of(NODE_ROUTER, r == NULL ? event->node : r->router);
    struct node shard = node_of(NODE_SHARD, event->node);
    struct node client = node_of(NODE_CLIENT, r == NULL ? 0 : r->zone);
    struct node directory = node_of(NODE_DIRECTORY, 0);
    switch ((enum event_kind)event->kind) {
    case EVENT_ASK:
        t->from = client;
        t->to = router;
        return;
    case EVENT_QUERY:
        t->from = router;
        t->to = shard;
        return;
    case EVENT_ANSWER:
        t->from = node_of(NODE_SHARD, r == NULL ? 0 : r->shard);
        t->to = router;
        return;
    case EVENT_REPLY:
        t->from = router;
        t->to = client;
        return;
    case EVENT_FETCH:
        t->from = router;
        t->to = directory;
        return;
    case EVENT_MAP:
        t->from = r == NULL && event_detail(event) >= MAP_TOLD
                      ? node_of(NODE_ROUTER, event->carries.moved.target)
                      : directory;
        t->to = router;
        return;
    case EVENT_STORE:
    case EVENT_STORED: /* the table `liked` has no name of its own */
    case EVENT_COMMIT:
    case EVENT_START:
    case EVENT_MOVE:
    case EVENT_WAKE:
    case EVENT_TIMEOUT:
    case EVENT_FLUSH:
    case EVENT_EXPIRE:
    case EVENT_AGAIN:
    case EVENT_JOB:
    case EVENT_ARRIVAL:
    case EVENT_KINDS:
        break;
    case EVENT_NODE:
        nodes_ends(w, event, &t->from, &t->to);
        return;
    }
    t->from = router;
}

struct trace_record *fault_note(struct world *w, const struct event *event, enum reason reason)
{
    struct trace_record *t = trace_add(w, TRACE_FAULT);
    t->key = KEY_NONE_ID;
    if (has_request(event)) {
        const struct request *r = requests_in(w) + event->request;
        t->request = r->number;
        if (r->origin != ORIGIN_GATHER) { /* else it is about many */
            t->key = r->key;
            t->slot = r->slot;
        }
        t->op = r->op;
    }
    name_ends(w, event, t);
    t->reason = (uint16_t)reason;
    t->operand[0] = event->kind;
    return t;
}

/* It will be delivered `wait` microseconds from now. */
static void put_back(struct world *w, const struct event *event, int64_t wait)
{
    if (has_request(event)) {
        requests_of(w)[event->request].flying++;
    } else if (event->kind == EVENT_NODE) {
        nodes_doubled(w, event);
    }
    queue_put_back(w, event, w->now_us + wait);
}

static bool strikes(struct world *w, enum fault fault)
{
    struct faults_state *f = &w->faults;
    if (f->ppm[fault] == 0 || !prng_chance(&f->prng, f->ppm[fault], MILLION)) {
        return false;
    }
    f->count[fault]++;
    return true;
}

/* The network's doing. True: the message does not arrive now. */
static bool suffers(struct world *w, const struct event *event)
{
    struct faults_state *f = &w->faults;
    uint64_t longest = f->delay_us > 0 ? (uint64_t)f->delay_us : COPY_DELAY_US;
    if (strikes(w, FAULT_LOSS)) {
        fault_note(w, event, REASON_FAULTS_LOST);
        return true;
    }
    if (strikes(w, FAULT_DOUBLE)) {
        int64_t wait = 1 + (int64_t)prng_below(&f->prng, longest);
        fault_note(w, event, REASON_FAULTS_DOUBLED)->operand[1] = wait;
        put_back(w, event, wait);
    }
    if (strikes(w, FAULT_DELAY)) {
        int64_t wait = 1 + (int64_t)prng_below(&f->prng, longest);
        fault_note(w, event, REASON_FAULTS_HELD_UP)->operand[1] = wait;
        put_back(w, event, wait);
        return true;
    }
    return false;
}

void faults_decide(struct faults_state *f)
{
    f->on = f->down > 0 || f->held > 0 || f->directory_down;
    for (uint32_t i = 0; i <= FAULT_DELAY; i++) {
        f->on = f->on || f->ppm[i] > 0;
    }
}

/* Holds that are over are forgotten at the next delivery. */
static void end_holds(struct world *w)
{
    struct faults_state *f = &w->faults;
    for (uint32_t i = 0; i < HOLDS_MAX; i++) {
        if (f->hold[i].number != 0 && f->hold[i].until_us <= w->now_us) {
            f->hold[i] = (struct held_request){0};
            f->held--;
        }
    }
    faults_decide(f);
}

/* Somebody asked for it. True: the message does not arrive now. */
static bool is_held(struct world *w, const struct event *event)
{
    end_holds(w);
    for (uint32_t i = 0; has_request(event) && i < HOLDS_MAX; i++) {
        const struct held_request *row = &w->faults.hold[i];
        if (row->number != 0 && row->number == requests_in(w)[event->request].number) {
            int64_t wait = row->until_us - w->now_us;
            w->faults.count[FAULT_DELAY]++;
            fault_note(w, event, REASON_FAULTS_HELD_UP)->operand[1] = wait;
            put_back(w, event, wait);
            return true;
        }
    }
    return false;
}

bool faults_take(struct world *w, const struct event *event)
{
    bool message = is_message((enum event_kind)event->kind);
    bool kept = message && w->faults.held > 0 && is_held(w, event);
    kept = kept || (message && !event_was_put_back(event) && suffers(w, event));
    kept = kept || (w->faults.down > 0 && crash_turns_away(w, event));
    kept = kept || (w->faults.directory_down && directory_turns_away(w, event));
    if (kept && has_request(event)) {
        request_settle(w, event->request);
    } else if (kept && event->kind == EVENT_NODE) {
        nodes_kept(w, event);
    }
    return kept;
}

static uint32_t *ring_of(struct world *w, uint32_t place)
{
    return recent_of(w) + (size_t)place * (w->config.recent_max + 1u);
}

static const uint32_t *ring_in(const struct world *w, uint32_t place)
{
    return recent_in(w) + (size_t)place * (w->config.recent_max + 1u);
}

bool faults_seen(const struct world *w, uint16_t shard, uint32_t key, uint32_t operation)
{
    const uint32_t *ring = ring_in(w, store_place(w, shard, key));
    uint32_t held = ring[0] < w->config.recent_max ? ring[0] : w->config.recent_max;
    for (uint32_t i = 1; i <= held; i++) {
        if (ring[i] == operation) {
            return true;
        }
    }
    return false;
}

void faults_remember(struct world *w, uint16_t shard, uint32_t key, uint32_t operation)
{
    uint32_t *ring = ring_of(w, store_place(w, shard, key));
    ring[1 + ring[0] % w->config.recent_max] = operation;
    ring[0]++;
}

void faults_copy(struct world *w, uint16_t from, uint16_t to, uint32_t key)
{
    if (w->config.recent_max == 0) {
        return;
    }
    uint32_t target = store_place(w, to, key);
    CHECK(store_in(w)[target].key == key + 1);
    memcpy(ring_of(w, target), ring_in(w, store_place(w, from, key)),
           (w->config.recent_max + 1u) * sizeof(uint32_t));
}

void faults_lay_out(struct world *plan, uint64_t *end)
{
    uint64_t words = plan->config.recent_max == 0 ? 0 : plan->config.recent_max + UINT64_C(1);
    plan->at.recent = table_at(end, plan->store_places * words, sizeof(uint32_t));
}

void faults_feed(struct digest *d, const struct world *w)
{
    const struct faults_state *f = &w->faults;
    digest_u64(d, f->on);
    digest_u64(d, f->down);
    for (uint32_t i = 0; i <= FAULT_DELAY; i++) {
        digest_u64(d, f->ppm[i]);
    }
    digest_u64(d, (uint64_t)(int64_t)f->delay_us);
    digest_u64(d, f->held);
    for (uint32_t i = 0; i < HOLDS_MAX; i++) {
        if (i < HOLDS_ALWAYS || f->hold[i].number != 0) { /* so that others stay as they were */
            digest_u64(d, f->hold[i].number);
            digest_u64(d, (uint64_t)f->hold[i].until_us);
        }
    }
    for (uint32_t i = 0; i < FAULT_KINDS; i++) {
        digest_u64(d, f->count[i]);
    }
    for (uint32_t i = 0; i < 4; i++) {
        digest_u64(d, f->prng.s[i]);
    }
    if (f->endless_to > 0 || f->old_patience_until_us > 0) { /* so that others stay as they were */
        digest_u64(d, f->endless_to);
        digest_u64(d, (uint64_t)f->old_patience_until_us);
    }
    directory_feed(d, w);
    struct digest sum = {0};
    for (uint32_t i = 0; w->config.recent_max > 0 && i < w->store_places; i++) {
        const struct store_entry *e = store_in(w) + i;
        if (e->key != 0) {
            struct digest one = digest_start();
            digest_u64(&one, (uint64_t)e->shard << 32 | e->key);
            uint32_t held = ring_in(w, i)[0];
            held = held < w->config.recent_max ? held : w->config.recent_max;
            for (uint32_t j = 0; j <= held; j++) {
                digest_u64(&one, ring_in(w, i)[j]);
            }
            sum.a += one.a;
            sum.b += one.b;
        }
    }
    digest_u64(d, sum.a);
    digest_u64(d, sum.b);
}
